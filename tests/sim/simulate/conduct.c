/* conduct.c - see conduct.h. */
#include "tests/sim/simulate/conduct.h"

#include "common/shogi/movegen.h"
#include "coordinator/core/fallback.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { REPORTS_MAX = 256, GRAIN_ROUND_TRIPS = 25, GRAIN_LEAST_MS = 5, NOT_YET = 0 };

struct player {      /* one worker, as the coordinator sees it, and its job */
    bool has_job;    /* the coordinator has given it one */
    bool waits;      /* that job is on its way to it */
    int64_t job_us;  /* arrives then */
    int64_t stop_us; /* a stop for the running search arrives then; INT64_MAX = none */
    bool runs;       /* the engine is at a search */
    bool mine;       /* ... of the job that the coordinator thinks of */
    struct split_job job;
    Move path[TREE_SPINE_MAX], moves[SPLIT_BATCH_MAX];
    uint64_t nodes; /* of finished searches */
    int64_t busy_us, hint_us;
    size_t report_count, report_next;
    struct {
        int64_t arrives_us;
        struct split_report report;
    } reports[REPORTS_MAX];
};

struct conductor {
    struct cluster *cluster;
    struct cluster_search search;
    struct cluster_report *report;
    const struct position *root;
    const struct history *game;
    struct history line;
    struct fallback fallback;
    struct split split;
    struct player players[CLUSTER_WORKERS_MAX];
};

/* ---- in the search threads ------------------------------------------------------------------------------------- */

static void put_line(struct split_report *report, Score score, enum score_bound bound, int depth_plies, int seldepth,
                     const Move *pv, size_t count)
{
    bool mate = score_is_mate(score);
    report->line = (struct merge_line){.depth = (uint32_t)depth_plies, .seldepth = (uint32_t)seldepth, .multipv = 1};
    report->line.score_kind = mate ? WIRE_SCORE_MATE : WIRE_SCORE_CP;
    report->line.score = mate ? score_mate_plies(score) : score;
    report->line.bound = bound == BOUND_LOWER ? WIRE_LOWER : bound == BOUND_UPPER ? WIRE_UPPER : WIRE_EXACT;
    for (size_t i = 0; i < count && i < PV_MAX; i++) report->line.pv.moves[report->line.pv.count++] = pv[i];
}

static struct split_report *new_report(struct worker *w, uint64_t nodes)
{
    struct player *p = &w->cluster->conductor->players[w->index];
    if (p->report_count == REPORTS_MAX) return NULL;
    int64_t now_us = cluster_time_of_nodes(w, nodes);
    p->reports[p->report_count].arrives_us = now_us + w->cluster->options.round_trip_us / 2;
    struct split_report *report = &p->reports[p->report_count++].report;
    *report = (struct split_report){.nodes = nodes, .elapsed_ms = (uint32_t)((now_us - w->begin_us) / 1000)};
    return report;
}

void conduct_info(struct worker *w, const struct engine_info *info)
{
    if (info->multipv != 1) return;
    struct split_report *report = new_report(w, info->nodes);
    if (report)
        put_line(report, info->score, info->bound, info->depth_plies, info->seldepth_plies, info->pv, info->pv_count);
}

void conduct_done(struct worker *w, const struct engine_result *result)
{
    if (result->stopped || w->cluster->releasing) return; /* nobody waits for it */
    struct split_report *report = new_report(w, result->nodes);
    assert(report);
    report->over = true;
    Move pv[2] = {result->best, result->ponder};
    if (move_is_real(result->best))
        put_line(report, result->score, result->bound, result->depth_plies, result->depth_plies, pv,
                 result->ponder != MOVE_NONE ? 2 : 1);
}

/* ---- searches --------------------------------------------------------------------------------------------------- */

/* The present search is over, or was stopped: its time and nodes are counted. */
static void close_search(struct conductor *c, unsigned i, int64_t end_us)
{
    struct worker *w = &c->cluster->workers[i];
    struct player *p = &c->players[i];
    p->nodes += w->nodes;
    p->busy_us += end_us > w->begin_us ? end_us - w->begin_us : 0;
    p->hint_us += w->hint_ns / 1000;
    w->nodes = w->target = 0;
    w->hint_ns = 0;
    p->runs = p->mine = false;
}

static void halt(struct conductor *c, unsigned i, int64_t now_us)
{
    struct worker *w = &c->cluster->workers[i];
    if (!w->finished) {
        engine_stop(w->engine);
        w->target = w->nodes + 1;
        for (;;) { /* each waking is answered once: by another pause, or by its end */
            sem_post(&w->go);
            cluster_wait(&c->cluster->done);
            if (w->finished) break;
        }
    }
    engine_wait(w->engine);
    close_search(c, i, now_us);
}

static void begin_search(struct conductor *c, unsigned i, int64_t now_us)
{
    struct worker *w = &c->cluster->workers[i];
    struct player *p = &c->players[i];
    const struct split_job *job = &p->job;
    struct position pos = *c->root;
    c->line = *c->game;
    for (size_t k = 0; k < job->path_count; k++) {
        struct undo undo;
        position_do(&pos, p->path[k], &undo);
        history_push(&c->line, &pos);
    }
    const struct engine_limits limits = {.multipv = 1,
                                         .depth_plies = (int)job->depth_max,
                                         .nodes = job->nodes,
                                         .searchmoves = p->moves,
                                         .searchmoves_count = job->move_count,
                                         .part = job->part,
                                         .alpha = job->alpha,
                                         .beta = job->beta,
                                         .depth_min_plies = (int)job->depth_min,
                                         .moves_before = job->moves_before,
                                         .continues = p->nodes > 0,
                                         .pacer = w->pacer,
                                         .sharing = {.on = c->search.hints,
                                                     .worker = job->variation,
                                                     .workers = c->cluster->options.workers,
                                                     .gate_plies = c->search.gate_plies,
                                                     .claim_plies = c->search.claim_plies,
                                                     .stagger = c->search.stagger}};
    p->waits = false;
    p->runs = p->mine = true;
    p->report_count = p->report_next = 0;
    w->nodes = w->target = 0;
    w->finished = false;
    w->begin_us = w->turn_begin_us = now_us;
    w->hint_ns = 0;
    cluster_take_mail(w); /* what came while it had nothing to do costs nobody anything */
    w->hint_ns = 0;
    if (engine_go(w->engine, &pos, &c->line, &limits) != ST_OK) abort();
    cluster_wait(&c->cluster->done);
}

/* ---- the coordinator ------------------------------------------------------------------------------------------- */

static void tell(struct conductor *c, const struct merge_line *line, int64_t now_us)
{
    struct cluster_report *report = c->report;
    int before = report->answer_count ? report->answers[report->answer_count - 1].depth_plies : 0;
    if (line->bound != WIRE_EXACT || (int)line->depth <= before || report->answer_count == CLUSTER_ANSWERS_MAX) return;
    report->answers[report->answer_count++] =
        (struct cluster_answer){.time_us = now_us,
                                .depth_plies = (int)line->depth,
                                .exact = true,
                                .move = line->pv.moves[0],
                                .score = merge_score(line->score_kind, line->score)};
}

/* Reports of all workers that have arrived, in the order of their times. */
static void take_reports(struct conductor *c, int64_t now_us)
{
    for (;;) {
        struct player *first = NULL;
        for (unsigned i = 0; i < c->cluster->options.workers; i++) {
            struct player *p = &c->players[i];
            if (!p->mine || p->report_next == p->report_count || p->reports[p->report_next].arrives_us > now_us)
                continue;
            if (!first || p->reports[p->report_next].arrives_us < first->reports[first->report_next].arrives_us)
                first = p;
        }
        if (!first) return;
        unsigned i = (unsigned)(first - c->players);
        int64_t arrived_us = first->reports[first->report_next].arrives_us;
        const struct split_report *report = &first->reports[first->report_next++].report;
        struct merge_line line;
        if (c->split.ops->report(&c->split, i, first->job.job, report, &line)) tell(c, &line, arrived_us);
        if (!report->over) continue;
        c->split.ops->done(&c->split, i, first->job.job);
        first->has_job = false;
        close_search(c, i, c->cluster->workers[i].end_us);
    }
}

static void give_orders(struct conductor *c, int64_t now_us)
{
    int64_t there_us = now_us + c->cluster->options.round_trip_us / 2;
    for (unsigned i = 0; i < c->cluster->options.workers; i++) {
        struct player *p = &c->players[i];
        if (!p->has_job || !c->split.ops->obsolete(&c->split, i)) continue;
        c->split.ops->lost(&c->split, i, p->job.job, false);
        p->has_job = p->mine = p->waits = false;
        if (p->runs && p->stop_us == INT64_MAX) p->stop_us = there_us;
    }
    for (unsigned i = 0; i < c->cluster->options.workers; i++) {
        struct player *p = &c->players[i];
        if (p->has_job || !c->split.ops->next(&c->split, i, &p->job)) continue;
        memcpy(p->path, p->job.path, p->job.path_count * sizeof *p->path);
        memcpy(p->moves, p->job.moves, p->job.move_count * sizeof *p->moves);
        p->has_job = p->waits = true;
        p->job_us = there_us;
    }
}

void conduct_turn(struct conductor *c, int64_t begin_us, int64_t end_us)
{
    take_reports(c, begin_us);
    give_orders(c, begin_us);
    for (unsigned i = 0; i < c->cluster->options.workers; i++) {
        struct player *p = &c->players[i];
        if (p->runs && p->stop_us < end_us) {
            halt(c, i, p->stop_us > begin_us ? p->stop_us : begin_us);
            p->stop_us = INT64_MAX;
        }
        if (p->waits && !p->runs && p->job_us < end_us) begin_search(c, i, p->job_us > begin_us ? p->job_us : begin_us);
    }
}

bool conduct_is_over(const struct conductor *c, int depth_plies)
{
    const struct cluster_report *report = c->report;
    return c->split.ops->finished(&c->split) || (depth_plies && report->answer_count &&
                                                 report->answers[report->answer_count - 1].depth_plies >= depth_plies);
}

struct conductor *conduct_begin(struct cluster *cluster, const struct position *root, const struct history *history,
                                const struct cluster_search *search, struct cluster_report *report)
{
    struct conductor *c = calloc(1, sizeof *c);
    assert(c);
    *c = (struct conductor){.cluster = cluster, .search = *search, .report = report, .root = root, .game = history};
    Move moves[MOVES_MAX];
    size_t count = movegen_legal(root, moves);
    fallback_start(&c->fallback, root, moves, count);
    fallback_run(&c->fallback, FALLBACK_NODES_FIRST);
    int64_t grain_ms = GRAIN_ROUND_TRIPS * cluster->options.round_trip_us / 1000;
    struct split_task task = {.multipv = 1,
                              .workers = cluster->options.workers,
                              .root = root,
                              .game = history,
                              .choices = c->fallback.moves,
                              .choice_count = count,
                              .grain_ms = grain_ms > GRAIN_LEAST_MS ? grain_ms : GRAIN_LEAST_MS};
    split_begin(&c->split, search->split, &task);
    for (unsigned i = 0; i < cluster->options.workers; i++) c->players[i].stop_us = INT64_MAX;
    cluster->conductor = c;
    return c;
}

void conduct_end(struct conductor *c, int depth_plies, int64_t now_us)
{
    struct cluster_report *report = c->report;
    report->end_us = now_us;
    report->reached =
        depth_plies && report->answer_count && report->answers[report->answer_count - 1].depth_plies >= depth_plies;
    if (report->reached) report->end_us = report->answers[report->answer_count - 1].time_us;
    for (unsigned i = 0; i < c->cluster->options.workers; i++) {
        const struct worker *w = &c->cluster->workers[i];
        struct player *p = &c->players[i];
        if (p->runs) close_search(c, i, w->end_us < now_us ? w->end_us : now_us);
        report->nodes += p->nodes;
        report->hint_us += p->hint_us;
        if (p->busy_us < now_us) report->idle_us += now_us - p->busy_us;
        report->frames += w->filter->counters.frames;
        report->hints_sent += w->filter->counters.sent;
        report->hints_received += w->filter->counters.received;
        report->hints_dropped += w->filter->counters.crowded_out + engine_hints_dropped(w->engine);
    }
    report->bytes = c->cluster->bytes;
    c->cluster->conductor = NULL;
    free(c);
}
