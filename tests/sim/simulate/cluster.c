/* cluster.c - see cluster.h. */
#include "tests/sim/simulate/cluster_parts.h"

#include "tests/sim/simulate/conduct.h"

#include <assert.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

/* ---- in the search threads ------------------------------------------------------------------------------------- */

void cluster_wait(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0) continue; /* interrupted */
}

int64_t cluster_time_of_nodes(const struct worker *w, uint64_t nodes)
{
    return w->begin_us + (int64_t)(nodes * 1000000 / w->nodes_per_s) + w->hint_ns / 1000;
}

void cluster_take_mail(struct worker *w)
{
    struct hint hints[HINT_BATCH_MAX];
    struct mail_frame *frame;
    while ((frame = mail_take(&w->mail, w->turn_begin_us)) != NULL) {
        struct msg message;
        size_t count = 0;
        if (msg_decode(&message, frame->bytes, frame->count) == ST_OK)
            count = hint_filter_read(w->filter, &message, hints);
        engine_hints_put(w->engine, hints, count);
        w->hint_ns += (int64_t)count * w->cluster->options.hint_cost_ns;
        mail_frame_release(frame);
    }
}

static uint64_t pause_at_end_of_turn(void *context, uint64_t nodes)
{
    struct worker *w = context;
    if (w->cluster->releasing) return UINT64_MAX;
    w->nodes = nodes;
    sem_post(&w->cluster->done);
    cluster_wait(&w->go);
    if (w->cluster->releasing) return UINT64_MAX;
    cluster_take_mail(w);
    return w->target > nodes ? w->target : nodes + 1;
}

static void on_info(void *context, const struct engine_info *info)
{
    struct worker *w = context;
    if (w->cluster->conductor) {
        conduct_info(w, info);
        return;
    }
    if (w->cluster->releasing) return; /* too late */
    if (info->multipv != 1 || info->bound == BOUND_UPPER || w->answer_count == ANSWERS_OF_WORKER_MAX) return;
    bool exact = info->bound == BOUND_EXACT;
    if (exact) w->depth_plies = info->depth_plies;
    w->answers[w->answer_count++] = (struct cluster_answer){.time_us = cluster_time_of_nodes(w, info->nodes),
                                                            .depth_plies = info->depth_plies,
                                                            .exact = exact,
                                                            .move = info->pv[0],
                                                            .score = info->score};
}

static void on_done(void *context, const struct engine_result *result)
{
    struct worker *w = context;
    w->nodes = result->nodes;
    w->end_us = cluster_time_of_nodes(w, result->nodes);
    w->finished = true;
    if (w->cluster->conductor) conduct_done(w, result);
    sem_post(&w->cluster->done);
}

/* ---- turns ----------------------------------------------------------------------------------------------------- */

static bool is_dead(const struct cluster *c, unsigned index, int64_t now_us)
{
    unsigned from_the_end = c->options.workers - 1 - index;
    return index > 0 && from_the_end < c->options.crash_count && now_us >= c->options.crash_us[from_the_end];
}

static bool are_parted(const struct cluster *c, unsigned a, unsigned b, int64_t now_us)
{
    if (now_us < c->options.parted_from_us || now_us >= c->options.parted_to_us) return false;
    return (a < c->options.workers / 2) != (b < c->options.workers / 2);
}

static bool grant(struct worker *w, int64_t begin_us, int64_t end_us)
{
    if (w->finished || is_dead(w->cluster, w->index, begin_us)) return false;
    w->turn_begin_us = begin_us;
    int64_t searching_us = end_us - w->begin_us - w->hint_ns / 1000;
    w->target = searching_us > 0 ? (uint64_t)searching_us * w->nodes_per_s / 1000000 : 0;
    if (w->target <= w->nodes) return false; /* still paying for hints */
    sem_post(&w->go);
    return true;
}

/* Everybody searches one turn, at most `cores` at once. */
static void turn(struct cluster *c, int64_t begin_us, int64_t end_us)
{
    unsigned running = 0;
    for (unsigned i = 0; i < c->options.workers; i++) {
        if (running == c->options.cores) {
            cluster_wait(&c->done);
            running--;
        }
        if (grant(&c->workers[i], begin_us, end_us)) running++;
    }
    for (; running > 0; running--) cluster_wait(&c->done);
}

static void post(struct cluster *c, unsigned from, int64_t now_us)
{
    struct msg message;
    size_t count;
    struct worker *w = &c->workers[from];
    if (!hint_filter_batch(w->filter, now_us, &message, c->entries)) return;
    message.boot = from + 1;
    message.sequence = ++c->sequence;
    if (msg_encode(&message, c->frame, sizeof c->frame, &count) != ST_OK) abort();
    struct mail_frame *frame = mail_frame_new(c->frame, count);
    assert(frame);
    c->bytes += count;
    bool lost_on_the_way_up = prng_chance(&c->prng, c->options.loss_permille);
    for (unsigned to = 0; to < c->options.workers && !lost_on_the_way_up; to++) {
        if (to == from || prng_chance(&c->prng, c->options.loss_permille)) continue;
        if (are_parted(c, from, to, now_us)) continue;
        int64_t jitter_us = c->options.jitter_us > 0 ? prng_range(&c->prng, 0, c->options.jitter_us) : 0;
        mail_put(&c->workers[to].mail, frame, now_us + c->options.round_trip_us + jitter_us);
    }
    mail_frame_release(frame);
}

static void exchange(struct cluster *c, int64_t now_us)
{
    struct hint hints[HINT_BATCH_MAX];
    for (unsigned i = 0; i < c->options.workers; i++) {
        struct worker *w = &c->workers[i];
        if (is_dead(c, i, now_us)) continue;
        for (size_t count; (count = engine_hints_take(w->engine, hints, HINT_BATCH_MAX)) > 0;)
            hint_filter_add(w->filter, hints, count);
        post(c, i, now_us);
        engine_hints_gate(w->engine, hint_filter_gate_plies(w->filter));
    }
}

/* ---- one search ------------------------------------------------------------------------------------------------ */

static void start(struct cluster *c, const struct position *root, const struct history *history,
                  const struct cluster_search *search, struct engine_pacer *pacers)
{
    c->releasing = false;
    c->bytes = 0;
    c->prng = prng_make(c->options.seed);
    for (unsigned i = 0; i < c->options.workers; i++) {
        struct worker *w = &c->workers[i];
        mail_clear(&w->mail);
        hint_filter_start(w->filter,
                          &(struct hint_filter_options){
                              .scope = SCOPE, .floor_plies = search->gate_plies, .bytes_per_s = c->options.bytes_per_s},
                          0);
        w->nodes = w->target = 0;
        w->hint_ns = w->begin_us = 0;
        w->turn_begin_us = w->end_us = 0;
        w->finished = false;
        w->answer_count = 0;
        w->depth_plies = 0;
        pacers[i] = (struct engine_pacer){.context = w, .pause = pause_at_end_of_turn};
        w->pacer = &pacers[i];
        if (!search->keeps_tables && engine_new_game(w->engine) != ST_OK) abort();
        w->finished = search->split != NULL;
        if (search->split) continue; /* it gets its work from the coordinator */
        struct engine_limits limits = {.multipv = 1, .pacer = &pacers[i]};
        limits.sharing = (struct engine_sharing){.on = search->hints,
                                                 .worker = i,
                                                 .workers = c->options.workers,
                                                 .gate_plies = search->gate_plies,
                                                 .claim_plies = search->claim_plies,
                                                 .stagger = search->stagger};
        if (engine_go(w->engine, root, history, &limits) != ST_OK) abort();
        cluster_wait(&c->done);
    }
}

static void stop(struct cluster *c)
{
    c->releasing = true;
    for (unsigned i = 0; i < c->options.workers; i++) {
        struct worker *w = &c->workers[i];
        if (!w->finished) {
            engine_stop(w->engine);
            sem_post(&w->go);
            cluster_wait(&c->done);
        }
        engine_wait(w->engine);
        while (sem_trywait(&w->go) == 0) continue;
    }
}

static int compare_answers(const void *a, const void *b)
{
    const struct cluster_answer *x = a, *y = b;
    if (x->time_us != y->time_us) return x->time_us < y->time_us ? -1 : 1;
    if (x->depth_plies != y->depth_plies) return x->depth_plies > y->depth_plies ? -1 : 1;
    if (x->exact != y->exact) return x->exact ? -1 : 1;
    return x->move < y->move ? -1 : x->move > y->move;
}

static struct merge_line merge_line_of(const struct cluster_answer *answer)
{
    bool mate = score_is_mate(answer->score);
    struct merge_line line = {.depth = (uint32_t)answer->depth_plies,
                              .seldepth = (uint32_t)answer->depth_plies,
                              .multipv = 1,
                              .bound = answer->exact ? WIRE_EXACT : WIRE_LOWER,
                              .score_kind = mate ? WIRE_SCORE_MATE : WIRE_SCORE_CP,
                              .score = mate ? score_mate_plies(answer->score) : answer->score};
    line.proven = mate && answer->exact && answer->score > 0; /* as of a worker of one's own machine */
    line.pv = (struct pv){.count = 1, .moves = {answer->move}};
    return line;
}

/* What the coordinator would have played at each moment. */
static void merge_answers(struct cluster *c, struct cluster_report *report)
{
    static struct merge merge;       /* large */
    static struct coord_effects out; /* large */
    static const struct merge_display display = {.interval_ms = INT32_MAX};
    struct metrics metrics = {0};
    size_t capacity = (size_t)c->options.workers * ANSWERS_OF_WORKER_MAX, count = 0;
    struct from {
        struct cluster_answer answer; /* first: compare_answers */
        unsigned worker;
    } *all = malloc(capacity * sizeof *all);
    assert(all && c->options.workers <= COORD_WORKERS_MAX);
    for (unsigned i = 0; i < c->options.workers; i++)
        for (size_t k = 0; k < c->workers[i].answer_count; k++) {
            all[count] = (struct from){c->workers[i].answers[k], i};
            if (c->options.workers > 1) all[count].answer.time_us += c->options.round_trip_us / 2;
            count++;
        }
    qsort(all, count, sizeof *all, compare_answers);
    merge_start(&merge, split_lazy.rule, 0);
    merge.printed_ms = 0; /* nothing is due to be printed */
    for (size_t i = 0; i < count && report->answer_count < CLUSTER_ANSWERS_MAX; i++) {
        const struct cluster_answer *answer = &all[i].answer;
        struct merge_line line = merge_line_of(answer);
        if (merge_take(&merge, all[i].worker, &line, &display, answer->time_us / 1000, &metrics, &out))
            report->answers[report->answer_count++] = *answer;
    }
    free(all);
}

int cluster_depth_plies(const struct cluster_report *report)
{
    for (size_t i = report->answer_count; i-- > 0;)
        if (report->answers[i].exact) return report->answers[i].depth_plies;
    return 0;
}

static bool depth_is_reached(const struct cluster *c, int depth_plies)
{
    if (depth_plies == 0) return false;
    for (unsigned i = 0; i < c->options.workers; i++)
        if (c->workers[i].depth_plies >= depth_plies) return true;
    return false;
}

static bool all_finished(const struct cluster *c, int64_t now_us)
{
    for (unsigned i = 0; i < c->options.workers; i++)
        if (!c->workers[i].finished && !is_dead(c, i, now_us)) return false;
    return true;
}

static void sum_up(struct cluster *c, const struct cluster_limits *limits, int64_t now_us,
                   struct cluster_report *report)
{
    merge_answers(c, report);
    report->end_us = now_us;
    for (size_t i = 0; i < report->answer_count && limits->depth_plies > 0; i++)
        if (report->answers[i].exact && report->answers[i].depth_plies >= limits->depth_plies) {
            report->reached = true;
            report->end_us = report->answers[i].time_us;
            report->answer_count = i + 1; /* nobody has heard the later ones */
        }
    for (unsigned i = 0; i < c->options.workers; i++) {
        const struct worker *w = &c->workers[i];
        report->nodes += w->nodes;
        if (w->finished && w->end_us < report->end_us) report->idle_us += report->end_us - w->end_us;
        report->hint_us += w->hint_ns / 1000;
        report->frames += w->filter->counters.frames;
        report->hints_sent += w->filter->counters.sent;
        report->hints_received += w->filter->counters.received;
        report->hints_dropped += w->filter->counters.crowded_out + engine_hints_dropped(w->engine);
    }
    report->bytes = c->bytes;
}

void cluster_run(struct cluster *c, const struct position *root, const struct history *history,
                 const struct cluster_search *search, const struct cluster_limits *limits,
                 struct cluster_report *report)
{
    static struct engine_pacer pacers[CLUSTER_WORKERS_MAX]; /* must outlive the search */
    memset(report, 0, sizeof *report);
    start(c, root, history, search, pacers);
    int64_t now_us = 0;
    if (search->split) {
        struct conductor *conductor = conduct_begin(c, root, history, search, report);
        while (!conduct_is_over(conductor, limits->depth_plies) &&
               (limits->time_us_max == 0 || now_us < limits->time_us_max)) {
            int64_t end_us = now_us + c->options.turn_us;
            conduct_turn(conductor, now_us, end_us);
            turn(c, now_us, end_us);
            if (search->hints && c->options.workers > 1) exchange(c, end_us);
            now_us = end_us;
        }
        stop(c);
        conduct_end(conductor, limits->depth_plies, now_us);
        return;
    }
    while (!all_finished(c, now_us) && !depth_is_reached(c, limits->depth_plies) &&
           (limits->time_us_max == 0 || now_us < limits->time_us_max)) {
        int64_t end_us = now_us + c->options.turn_us;
        turn(c, now_us, end_us);
        if (search->hints && c->options.workers > 1) exchange(c, end_us);
        now_us = end_us;
    }
    /* What stop() makes the engines say comes too late for `finished`. */
    bool finished[CLUSTER_WORKERS_MAX];
    uint64_t nodes[CLUSTER_WORKERS_MAX];
    for (unsigned i = 0; i < c->options.workers; i++) {
        finished[i] = c->workers[i].finished;
        nodes[i] = c->workers[i].nodes;
    }
    stop(c);
    for (unsigned i = 0; i < c->options.workers; i++) {
        c->workers[i].finished = finished[i];
        c->workers[i].nodes = nodes[i];
    }
    sum_up(c, limits, now_us, report);
}

/* ---- life ------------------------------------------------------------------------------------------------------ */

struct cluster *cluster_new(const struct cluster_options *options)
{
    assert(options->workers >= 1 && options->workers <= CLUSTER_WORKERS_MAX && options->cores >= 1);
    struct cluster *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->options = *options;
    sem_init(&c->done, 0, 0);
    c->workers = calloc(options->workers, sizeof *c->workers);
    bool ok = c->workers != NULL;
    for (unsigned i = 0; ok && i < options->workers; i++) {
        struct worker *w = &c->workers[i];
        struct engine_options engine_options = {.hash_bytes = options->hash_bytes, .threads = 1, .rule = RULE_CSA27};
        struct engine_sink sink = {.context = w, .info = on_info, .done = on_done};
        unsigned permille = options->speed_count > 0 ? options->speed_permille[i % options->speed_count] : 1000;
        sem_init(&w->go, 0, 0);
        w->cluster = c;
        w->index = i;
        w->nodes_per_s = options->nps * permille / 1000;
        w->filter = calloc(1, sizeof *w->filter);
        w->engine = w->filter ? engine_new(&engine_options, &sink) : NULL;
        ok = w->engine != NULL;
    }
    if (ok) return c;
    cluster_free(c);
    return NULL;
}

void cluster_free(struct cluster *c)
{
    if (!c) return;
    for (unsigned i = 0; c->workers && i < c->options.workers; i++) {
        engine_free(c->workers[i].engine);
        mail_clear(&c->workers[i].mail);
        free(c->workers[i].filter);
        sem_destroy(&c->workers[i].go);
    }
    free(c->workers);
    sem_destroy(&c->done);
    free(c);
}
