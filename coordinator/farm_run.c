/* farm_run.c - see farm_run.h. */
#include "coordinator/farm_run.h"

#include "common/base/log.h"
#include "common/net/clock.h"
#include "common/shogi/outcome.h"
#include "common/shogi/sfen.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/progress.h"
#include "coordinator/core/farm.h"
#include "coordinator/core/survey.h"
#include "coordinator/farm_workers.h"
#include "coordinator/view/game_rows.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    GAMES_MAX = 64, /* at work at a time */
    JOBS_MAX = 16,
    TURN_MS = 200,
    LIVE_MS = 1000,
    SHOW_MS = 50,
    JOBS_MS = 300,    /* new and cancelled jobs are noticed this soon */
    WINDOW_MAX = 256, /* tasks with the cluster; the rest of its places are for questions to new workers */
    DONE_MAX = 2 * FARM_TASKS_MAX,
    ROWS_BYTES_MAX = 16 << 20
};

struct open_job {
    int64_t id;                                              /* 0 = free place */
    int64_t seq;                                             /* games up to this one have been begun */
    int64_t priority, games_done, positions, positions_done; /* done: games; positions of these and of slices */
    bool mining, exhausted;
    unsigned active;
    struct mine mine;
};

struct unit { /* a question that waits for its answer */
    bool asked;
    char name[TASK_NAME_BYTES];
    uint64_t boot; /* process that gave the last answer of this unit */
};

struct work {             /* one game */
    struct open_job *job; /* NULL = free place */
    int64_t seq;
    struct survey *survey;
    enum survey_phase phase;
    struct unit *units;
    uint32_t unit_count;
    bool stuck; /* something could not be asked: the queue was full */
};

struct save {         /* an answer on its way to the disk */
    uint64_t asked;   /* the queue's number of it */
    uint64_t written; /* the store's, which counts games and notes, too */
};

struct farmer {
    const struct farm_run_options *options;
    struct store *store;
    struct run *run;
    struct farm *farm;
    struct farm_effects *effects, *hook_effects;
    struct open_job jobs[JOBS_MAX];
    struct work works[GAMES_MAX];
    uint32_t done[DONE_MAX]; /* orders that the cluster has finished, noted by the hook */
    unsigned done_count;
    uint64_t put_last, committed;
    struct save saves[FARM_TASKS_MAX]; /* a ring, oldest first */
    uint64_t save_count, saved_count;
    struct progress progress;
    struct text_buffer scratch;
    struct farm_workers workers;
    bool failed;
    int64_t live_due_ms, show_due_ms, jobs_due_ms;
    uint64_t nodes[TASK_LANE_COUNT], nodes_cached;
    uint64_t tasks_done[TASK_LANE_COUNT];
    char task[TASK_BYTES_MAX];
};

/* ---- the queue's effects ---------------------------------------------------------------------------------------- */

static void deliver(struct farmer *f, const struct farm_answer *answer);

static void step(struct farmer *f, const struct farm_event *event, enum status *status);

static void hand_out(struct farmer *f, struct scan_order *order)
{
    order->trusted_only = true;
    enum status st = run_scan_submit(f->run, order);
    if (st == ST_OK) return;
    struct farm_event event = {.type = FARM_EV_FULL, .full_id = order->id};
    if (st != ST_FULL) {
        event.type = FARM_EV_REFUSED;
        event.refused.id = order->id;
        event.refused.why = status_text(st);
        log_warn("order_refused id=%" PRIu32 " why=\"%s\"", order->id, event.refused.why);
    }
    /* We are inside the loop over the effects of another step: this one has a list of its own. */
    struct farm_effects *own = f->effects;
    f->effects = calloc(1, sizeof *f->effects);
    if (f->effects) step(f, &event, NULL);
    free(f->effects);
    f->effects = own;
}

static void store_answer(struct farmer *f, uint64_t number, const struct farm_answer *row)
{
    struct store_task task = {.name = row->name,
                              .task = row->task,
                              .answer = row->answer,
                              .buried = row->buried,
                              .worker = row->worker,
                              .boot = row->boot,
                              .nodes = row->nodes};
    f->put_last = store_put_task(f->store, &task);
    assert(f->save_count - f->saved_count < FARM_TASKS_MAX);
    f->saves[f->save_count++ % FARM_TASKS_MAX] = (struct save){.asked = number, .written = f->put_last};
}

static void carry_out(struct farmer *f, struct farm_effect *effect)
{
    switch (effect->type) {
    case FARM_FX_HAND_OUT:
        hand_out(f, &effect->hand_out);
        break;
    case FARM_FX_TAKE_BACK:
        (void)run_scan_cancel(f->run, effect->take_back_id);
        break;
    case FARM_FX_STORE:
        store_answer(f, effect->store.number, &effect->store.row);
        break;
    case FARM_FX_DONE:
        deliver(f, &effect->done);
        break;
    case FARM_FX_QUARANTINE:
        farm_workers_accuse(&f->workers, f->run, effect->quarantine.boot, effect->quarantine.worker);
        break;
    }
}

static void step(struct farmer *f, const struct farm_event *event, enum status *status)
{
    enum status st = farm_step(f->farm, event, f->effects);
    if (status) *status = st;
    for (size_t i = 0; i < f->effects->count; i++) carry_out(f, &f->effects->items[i]);
}

/* What is on the disk now is told to the queue, in its numbers. */
static void tell_saved(struct farmer *f)
{
    struct farm_event event = {.type = FARM_EV_STORED};
    f->committed = store_committed(f->store);
    while (f->saved_count < f->save_count && f->saves[f->saved_count % FARM_TASKS_MAX].written <= f->committed)
        event.stored = f->saves[f->saved_count++ % FARM_TASKS_MAX].asked;
    if (event.stored) step(f, &event, NULL);
}

/* ---- hooks: called while the cluster's effects are carried out; they only note ----------------------------------- */

static void take_result(void *context, const struct scan_result *result)
{
    struct farmer *f = context;
    if (farm_workers_take_result(&f->workers, result)) return;
    struct farm_event event = {.type = FARM_EV_RESULT, .result = result};
    (void)farm_step(f->farm, &event, f->hook_effects);
    assert(f->hook_effects->count == 0);
}

static void take_done(void *context, uint32_t id, uint32_t positions)
{
    struct farmer *f = context;
    (void)positions;
    if (farm_workers_take_done(&f->workers, id)) return;
    assert(f->done_count < DONE_MAX);
    f->done[f->done_count++] = id;
}

/* ---- games ------------------------------------------------------------------------------------------------------ */

static void work_free(struct work *work)
{
    survey_free(work->survey);
    free(work->units);
    work->job->active--;
    *work = (struct work){.job = NULL};
}

/* The game is done: its rows and the mark, in one transaction. */
static void work_finish(struct farmer *f, struct work *work)
{
    struct game_row rows[GAME_ROWS_MAX];
    struct store_row out[GAME_ROWS_MAX];
    text_buffer_clear(&f->scratch);
    size_t count = game_rows_write(work->survey, &f->scratch, rows);
    if (f->scratch.status != ST_OK) {
        log_error("game_failed seq=%" PRId64 " why=\"%s\"", work->seq, status_text(f->scratch.status));
        f->failed = true;
        return;
    }
    for (size_t i = 0; i < count; i++)
        out[i] = (struct store_row){.seq = work->seq,
                                    .ply = rows[i].ply,
                                    .kind = rows[i].kind,
                                    .text = text_make(f->scratch.data + rows[i].at, rows[i].bytes)};
    f->put_last = store_put_game(f->store, work->job->id, work->seq, out, count);
    work->job->games_done++;
    work_free(work);
}

static bool units_fit(struct work *work)
{
    uint32_t count = survey_units(work->survey);
    work->phase = work->survey->phase;
    free(work->units);
    work->units = calloc(count ? count : 1, sizeof *work->units);
    work->unit_count = work->units ? count : 0;
    return work->units != NULL;
}

static int32_t priority_of(const struct work *work, enum task_lane lane)
{
    /* Audits last: they want another process, and wait best together. */
    static const int32_t of_lane[] = {[TASK_SCAN] = 1, [TASK_VERIFY] = 2, [TASK_AUDIT] = 0};
    return (int32_t)work->job->priority * TASK_LANE_COUNT + of_lane[lane];
}

static void answer_unit(struct farmer *f, struct work *work, uint32_t u, const struct store_task *known)
{
    struct task task;
    if (task_read(&task, known->task) == ST_OK) f->tasks_done[task.lane]++;
    if (work->survey->phase == SURVEY_LOOK) work->job->positions_done += task.last_ply - task.first_ply + 1;
    work->units[u].asked = false;
    if (!known->buried) work->units[u].boot = known->boot;
    survey_take(work->survey, u, known->answer, known->buried != NULL);
}

/* Asks what the unit wants to know, until it has to wait. False: the game has gone on to another phase. */
static bool unit_ask(struct farmer *f, struct work *work, uint32_t u)
{
    struct task task;
    while (work->phase == work->survey->phase && survey_question(work->survey, u, &task)) {
        struct store_task known;
        struct unit *unit = &work->units[u];
        size_t bytes = task_write(&task, f->task);
        if (!bytes) {
            survey_take(work->survey, u, text_from(""), true);
            continue;
        }
        task_name(text_make(f->task, bytes), unit->name);
        enum status st = store_task_get(f->store, unit->name, &known);
        if (st == ST_OK) {
            f->nodes_cached += known.nodes;
            answer_unit(f, work, u, &known);
            continue;
        }
        struct farm_event event = {.type = FARM_EV_SUBMIT};
        event.submit.task = text_make(f->task, bytes);
        event.submit.priority = priority_of(work, task.lane);
        event.submit.order = (uint32_t)work->seq; /* games are finished in order: there is something to see early */
        event.submit.job = (uint32_t)work->job->id;
        event.submit.avoid_boot = task.lane == TASK_AUDIT ? unit->boot : 0;
        step(f, &event, &st);
        unit->asked = st == ST_OK || st == ST_DUPLICATE;
        work->stuck = work->stuck || !unit->asked;
        return true;
    }
    return work->phase == work->survey->phase;
}

static void work_ask(struct farmer *f, struct work *work)
{
    work->stuck = false;
    while (work->survey->phase != SURVEY_OVER) {
        if (work->phase != work->survey->phase && !units_fit(work)) {
            f->failed = true;
            return;
        }
        bool same = true;
        for (uint32_t u = 0; same && u < work->unit_count; u++) {
            if (work->units[u].asked || work->survey->unit_done[u]) continue;
            work->stuck = !farm_has_room(f->farm);
            if (work->stuck) return; /* its turn comes again */
            same = unit_ask(f, work, u);
        }
        if (same) return;
    }
    work_finish(f, work);
}

/* An answer is on the disk: all who wait for it get it. */
static void deliver(struct farmer *f, const struct farm_answer *answer)
{
    struct store_task known = {.name = answer->name,
                               .task = answer->task,
                               .answer = answer->answer,
                               .buried = answer->buried,
                               .worker = answer->worker,
                               .boot = answer->boot,
                               .nodes = answer->nodes};
    struct task task;
    if (task_read(&task, answer->task) == ST_OK) f->nodes[task.lane] += answer->nodes;
    for (unsigned w = 0; w < GAMES_MAX; w++) {
        struct work *work = &f->works[w];
        if (!work->job) continue;
        for (uint32_t u = 0; work->phase == work->survey->phase && u < work->unit_count; u++)
            if (work->units[u].asked && !strcmp(work->units[u].name, answer->name)) {
                answer_unit(f, work, u, &known);
                work->stuck = true; /* there is something to ask */
            }
        if (work->phase != work->survey->phase) work->stuck = true;
    }
}

static bool is_at_work(const struct farmer *f, const struct open_job *job, int64_t seq)
{
    for (unsigned w = 0; w < GAMES_MAX; w++)
        if (f->works[w].job == job && f->works[w].seq == seq) return true;
    return false;
}

static bool game_begin(struct farmer *f, struct work *work, struct open_job *job)
{
    struct store_game game;
    enum status st;
    do {
        st = store_game_next(f->store, job->id, job->seq, &game);
        if (st == ST_OK) job->seq = game.seq;
    } while (st == ST_OK && is_at_work(f, job, game.seq)); /* opened again after a quarantine */
    if (st == ST_MISSING) {
        job->exhausted = true;
        return false;
    }
    static Move moves[HISTORY_MAX];
    struct position root, pos;
    uint32_t plies = 0;
    if (st == ST_OK) st = sfen_read(&root, game.root, strlen(game.root), NULL, NULL);
    if (st != ST_OK) {
        f->failed = true;
        return false;
    }
    pos = root;
    struct text rest = text_from(game.moves), word;
    while (plies < HISTORY_MAX && text_take_word(&rest, &word)) {
        struct undo undo;
        moves[plies] = movetext_from_usi(&pos, word.at, text_length(word));
        if (moves[plies] == MOVE_NONE) break;
        position_do(&pos, moves[plies++], &undo);
    }
    *work = (struct work){.job = job, .seq = game.seq, .phase = SURVEY_OVER};
    job->active++;
    work->survey = survey_new(&job->mine, job->mining, &root, moves, plies);
    if (!work->survey) {
        f->failed = true;
        work_free(work);
        return false;
    }
    work_ask(f, work);
    return true;
}

/* ---- jobs ------------------------------------------------------------------------------------------------------- */

struct job_list { /* open ones; most important first, then oldest */
    struct store_job jobs[JOBS_MAX];
    unsigned count;
};

static void job_note(void *context, const struct store_job *job)
{
    struct job_list *list = context;
    if (strcmp(job->state, "waiting") != 0 && strcmp(job->state, "running") != 0) return;
    unsigned at = list->count;
    while (at > 0 && list->jobs[at - 1].priority < job->priority) at--;
    if (at == JOBS_MAX) return; /* its turn comes */
    if (list->count < JOBS_MAX) list->count++;
    memmove(&list->jobs[at + 1], &list->jobs[at], (list->count - 1 - at) * sizeof *job);
    list->jobs[at] = *job;
}

static void job_open(struct farmer *f, const struct store_job *job)
{
    bool wanted = f->options->job ? job->id == f->options->job : true;
    if (!wanted) return;
    struct open_job *place = NULL;
    for (unsigned i = 0; i < JOBS_MAX; i++) {
        if (f->jobs[i].id == job->id) return;
        if (!f->jobs[i].id && !place) place = &f->jobs[i];
    }
    if (!place) return;
    *place = (struct open_job){.id = job->id, .seq = -1, .priority = job->priority};
    place->mining = !strcmp(job->kind, "mine");
    if (mine_settings_read(job->settings, &place->mine) != ST_OK) {
        log_error("job_refused id=%" PRId64 " why=\"its settings are those of another version\"", job->id);
        place->id = 0;
        return;
    }
    place->mine.engine = f->workers.engine;
    char engine[17];
    snprintf(engine, sizeof engine, "%016" PRIx64, f->workers.engine);
    enum status st = *job->engine ? ST_OK : store_job_set_engine(f->store, job->id, engine);
    if (*job->engine && strcmp(job->engine, engine) != 0) {
        fprintf(stderr,
                "%s: job %" PRId64 " was begun with engine %s, this one is %s: `murakumo farm retry` does it afresh\n",
                f->options->command, job->id, job->engine, engine);
        st = ST_MISMATCH;
    }
    if (st == ST_OK) return;
    place->id = 0;
    f->failed = f->failed || f->options->job == job->id;
}

static void jobs_update(struct farmer *f)
{
    int64_t now_ms = clock_now_ms();
    if (now_ms < f->jobs_due_ms) return;
    f->jobs_due_ms = now_ms + JOBS_MS;
    if (!store_changed(f->store)) return;
    for (unsigned i = 0; i < JOBS_MAX; i++) {
        struct open_job *open = &f->jobs[i];
        struct store_job job;
        if (!open->id || store_job_get(f->store, open->id, &job) != ST_OK || strcmp(job.state, "cancelled")) continue;
        struct farm_event event = {.type = FARM_EV_CANCEL, .cancel_job = (uint32_t)open->id};
        step(f, &event, NULL);
        for (unsigned w = 0; w < GAMES_MAX; w++)
            if (f->works[w].job == open) work_free(&f->works[w]);
        open->id = 0;
    }
    static struct job_list list; /* read first: nothing is written while a query is open */
    list.count = 0;
    if (store_jobs_each(f->store, job_note, &list) != ST_OK) f->failed = true;
    for (unsigned i = 0; i < list.count; i++) job_open(f, &list.jobs[i]);
    for (unsigned i = 0; i < JOBS_MAX; i++) {
        struct store_counts counts;
        struct store_job job;
        if (!f->jobs[i].id || f->jobs[i].games_done || f->jobs[i].active) continue;
        if (store_job_counts(f->store, f->jobs[i].id, &counts) == ST_OK) {
            f->jobs[i].games_done = counts.games_done;
            f->jobs[i].positions = counts.positions;
            f->jobs[i].positions_done = counts.positions_done;
        }
        if (store_job_get(f->store, f->jobs[i].id, &job) == ST_OK && !strcmp(job.state, "waiting") &&
            store_job_set(f->store, job.id, "running", clock_unix_ms()) != ST_OK)
            f->failed = true;
    }
}

static struct open_job *job_with_games(struct farmer *f)
{
    struct open_job *best = NULL;
    for (unsigned i = 0; i < JOBS_MAX; i++) {
        struct open_job *job = &f->jobs[i];
        if (!job->id || job->exhausted) continue;
        if (!best || job->priority > best->priority || (job->priority == best->priority && job->id < best->id))
            best = job;
    }
    return best;
}

static void games_fill(struct farmer *f)
{
    for (unsigned w = 0; w < GAMES_MAX && !f->failed; w++) {
        struct open_job *job;
        while (!f->works[w].job && (job = job_with_games(f)) && !f->failed) (void)game_begin(f, &f->works[w], job);
        if (f->works[w].job && f->works[w].stuck && farm_has_room(f->farm)) work_ask(f, &f->works[w]);
    }
}

/* A job is done when the disk has all of it. True: the one we were started for is. */
static bool jobs_finish(struct farmer *f)
{
    bool over = false;
    for (unsigned i = 0; i < JOBS_MAX; i++) {
        struct open_job *job = &f->jobs[i];
        if (!job->id || !job->exhausted || job->active || f->committed < f->put_last) continue;
        if (store_job_set(f->store, job->id, "done", clock_unix_ms()) != ST_OK) f->failed = true;
        over = over || job->id == f->options->job;
        job->id = 0;
    }
    return over;
}

/* ---- what people see -------------------------------------------------------------------------------------------- */

static void write_live(struct farmer *f, const struct coord_snapshot *now)
{
    struct text_buffer *out = &f->scratch;
    text_buffer_clear(out);
    text_buffer_format(out,
                       "{\"unix_ms\":%" PRId64 ",\"engine\":\"%016" PRIx64
                       "\",\"queued\":%u,\"nodes\":{\"scan\":%" PRIu64 ",\"verify\":%" PRIu64 ",\"audit\":%" PRIu64
                       ",\"cached\":%" PRIu64 "},\"sampled\":%" PRIu64 ",\"mismatches\":%" PRIu64
                       ",\"tasks\":{\"scan\":%" PRIu64 ",\"verify\":%" PRIu64 ",\"audit\":%" PRIu64 "},\"workers\":[",
                       clock_unix_ms(), f->workers.engine, f->farm->count, f->nodes[TASK_SCAN], f->nodes[TASK_VERIFY],
                       f->nodes[TASK_AUDIT], f->nodes_cached, f->farm->counters.sampled, f->farm->counters.mismatches,
                       f->tasks_done[TASK_SCAN], f->tasks_done[TASK_VERIFY], f->tasks_done[TASK_AUDIT]);
    farm_workers_write(&f->workers, now, out);
    text_buffer_put_string(out, "]}");
    if (out->status == ST_OK) f->put_last = store_put_live(f->store, text_buffer_view(out));
}

static void show(struct farmer *f)
{
    int64_t now_ms = clock_now_ms();
    static struct coord_snapshot snapshot;
    if (now_ms < f->show_due_ms) return;
    f->show_due_ms = now_ms + SHOW_MS;
    coord_snapshot(run_coord(f->run), &snapshot);
    farm_workers_look(&f->workers, f->run, &snapshot);
    uint32_t ready = 0;
    for (uint32_t i = 0; i < snapshot.worker_count; i++) ready += snapshot.workers[i].configured;
    struct farm_event event = {.type = FARM_EV_WINDOW, .window = 2 * ready + 2};
    if (event.window > WINDOW_MAX) event.window = WINDOW_MAX;
    if (event.window != f->farm->window) step(f, &event, NULL);
    if (now_ms >= f->live_due_ms) {
        f->live_due_ms = now_ms + LIVE_MS;
        write_live(f, &snapshot);
    }
    uint64_t done = 0, total = 0;
    for (unsigned i = 0; i < JOBS_MAX; i++) {
        if (!f->jobs[i].id) continue;
        done += (uint64_t)f->jobs[i].positions_done;
        total += (uint64_t)f->jobs[i].positions;
    }
    char note[160];
    snprintf(note, sizeof note, "scan %" PRIu64 "M, verify %" PRIu64 "M, audit %" PRIu64 "M nodes, %" PRIu32 " workers",
             f->nodes[TASK_SCAN] / 1000000, f->nodes[TASK_VERIFY] / 1000000, f->nodes[TASK_AUDIT] / 1000000,
             snapshot.worker_count);
    f->progress.total = total;
    progress_update(&f->progress, done, note, now_ms);
}

/* Forgets the answers of processes that were sent away, and does what was built on them again. */
static void forget_liars(struct farmer *f)
{
    uint64_t boot;
    if (!f->workers.liar_count || f->committed < f->put_last) return;
    while (farm_workers_take_liar(&f->workers, &boot))
        if (store_forget_boot(f->store, boot) != ST_OK) f->failed = true;
    for (unsigned i = 0; i < JOBS_MAX; i++) {
        struct open_job *job = &f->jobs[i];
        struct store_counts counts;
        if (!job->id || store_job_counts(f->store, job->id, &counts) != ST_OK) continue;
        job->games_done = counts.games_done;
        job->positions_done = counts.positions_done;
        job->exhausted = false;
        job->seq = -1;
    }
}

/* ---- the loop --------------------------------------------------------------------------------------------------- */

static int work_on(struct farmer *f)
{
    progress_begin(&f->progress, "positions", 0, clock_now_ms());
    bool over = false;
    while (!f->failed && !over) {
        show(f);
        forget_liars(f);
        if (f->workers.engine) jobs_update(f);
        games_fill(f);
        struct link_watch watch = {.fd = store_fd(f->store)};
        if (!run_turn(f->run, &watch, 1, TURN_MS)) break;
        for (unsigned i = 0; i < f->done_count; i++) {
            struct farm_event event = {.type = FARM_EV_DONE, .done_id = f->done[i]};
            step(f, &event, NULL);
        }
        f->done_count = 0;
        tell_saved(f);
        if (*store_error(f->store)) f->failed = true;
        over = jobs_finish(f);
    }
    progress_end(&f->progress);
    if (*store_error(f->store)) fprintf(stderr, "%s: %s\n", f->options->command, store_error(f->store));
    if (!f->failed && !f->options->job) return CLI_DONE; /* a server that was told to end */
    return over ? CLI_DONE : CLI_FAILED;
}

int farm_run(const struct farm_run_options *options)
{
    char why[KEY_TEXT_MAX];
    int code = CLI_FAILED;
    struct store_job job;
    if (options->job && store_job_get(options->store, options->job, &job) == ST_OK && !strcmp(job.state, "done"))
        return CLI_DONE; /* all of it is in the store */
    struct farmer *f = calloc(1, sizeof *f);
    if (!f) {
        fprintf(stderr, "%s: not enough memory\n", options->command);
        return CLI_FAILED;
    }
    f->options = options;
    f->store = options->store;
    text_buffer_init(&f->scratch, ROWS_BYTES_MAX);
    farm_workers_init(&f->workers, options->run.hash_mb);
    f->farm = farm_new(options->sample_permille);
    f->effects = calloc(1, sizeof *f->effects);
    f->hook_effects = calloc(1, sizeof *f->hook_effects);
    struct run_options run = options->run;
    run.hooks = (struct run_hooks){.context = f, .scan_result = take_result, .scan_done = take_done};
    if (store_serve_lock(f->store) != ST_OK) {
        fprintf(stderr, "%s: %s\n", options->command, store_error(f->store));
    } else if (!f->farm || !f->effects || !f->hook_effects) {
        fprintf(stderr, "%s: not enough memory\n", options->command);
    } else if (!(f->run = run_new(&run, why, &code))) {
        fprintf(stderr, "%s: %s\n", options->command, why);
    } else {
        code = work_on(f);
        (void)run_free(f->run);
    }
    for (unsigned w = 0; w < GAMES_MAX; w++)
        if (f->works[w].job) work_free(&f->works[w]);
    farm_free(f->farm);
    free(f->effects);
    free(f->hook_effects);
    text_buffer_free(&f->scratch);
    farm_workers_free(&f->workers);
    free(f);
    return code;
}
