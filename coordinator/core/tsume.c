/* tsume.c - mate orders. */
#include "coordinator/core/tsume.h"

#include "coordinator/core/pv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    FAILURES_MAX = 4,
    GRACE_MS = 2000,  /* beyond its time limit: then a worker has forgotten us */
    LEASE_MS = 60000, /* without a time limit: plus the time that a slow worker needs for the nodes */
    SLOW_NODES_PER_MS = 5,
    ATTEMPT_MAX = 1000 /* what the wire can say; the epoch tells attempts apart anyway */
};

enum status tsume_submit(struct tsume *t, const struct tsume_order *order, struct game_env *env)
{
    unsigned place = 0;
    for (unsigned i = 0; i < TSUME_ORDERS_MAX; i++)
        if (t->tasks[i].used && t->tasks[i].id == order->id) return ST_DUPLICATE;
    while (place < TSUME_ORDERS_MAX && t->tasks[place].used) place++;
    if (place == TSUME_ORDERS_MAX) return ST_FULL;
    if (order->plies_max > WIRE_MATE_PLIES_MAX) return ST_RANGE;
    struct position root;
    struct sfen_error error;
    enum status status = sfen_read(&root, order->root.bytes, order->root.length, NULL, &error);
    if (status != ST_OK) {
        fx_log(env->out, COORD_LOG_ERROR, "tsume_refused id=%" PRIu32 " why=\"%s\"", order->id, error.text);
        return status;
    }
    if (root.king[color_other(root.side)] == SQUARE_NONE) return ST_ILLEGAL;

    struct tsume_task *task = &t->tasks[place];
    *task = (struct tsume_task){.used = true,
                                .order = ++t->orders,
                                .id = order->id,
                                .nodes_max = order->nodes,
                                .time_ms = order->time_ms,
                                .plies_max = order->plies_max,
                                .any_length = order->any_length,
                                .fresh = order->fresh,
                                .begun_ms = INT64_MAX,
                                .due_ms = INT64_MAX,
                                .root = root};
    task->sfen_bytes = (uint32_t)sfen_write(&root, task->sfen);
    t->task_count++;
    return ST_OK;
}

/* ---- outcomes --------------------------------------------------------------------------------------------------- */

static struct tsume_outcome *done(struct tsume *t, struct tsume_task *task, enum job_verdict verdict,
                                  struct game_env *env)
{
    struct tsume_outcome *outcome = fx_tsume_done(env->out);
    outcome->id = task->id;
    outcome->verdict = verdict;
    outcome->nodes = task->nodes;
    outcome->elapsed_ms = task->begun_ms == INT64_MAX ? 0 : env->now_ms - task->begun_ms;
    env->metrics->tsume_positions++;
    task->used = false;
    t->task_count--;
    return outcome;
}

static void again(struct tsume *t, struct tsume_task *task, const char *failure, struct game_env *env)
{
    task->out = false;
    if (!failure || ++task->failures < FAILURES_MAX) return;
    struct tsume_outcome *outcome = done(t, task, VERDICT_REFUSED, env);
    outcome->text = fx_text(env->out, failure, strlen(failure));
}

/* Ends a lease; the position goes back unless it is done. */
static void lease_end(struct tsume *t, unsigned worker, const char *failure, struct game_env *env)
{
    struct tsume_lease *lease = &t->leases[worker];
    if (!lease->active) return;
    lease->active = false;
    struct tsume_task *task = &t->tasks[lease->task];
    task->nodes += lease->nodes;
    if (task->used) again(t, task, failure, env);
}

static struct tsume_lease *lease_of(struct tsume *t, unsigned worker, const struct worker_job *job)
{
    struct tsume_lease *lease = &t->leases[worker];
    return lease->active && job->owner == JOB_TSUME && lease->epoch == job->epoch ? lease : NULL;
}

enum status tsume_take_partial(struct tsume *t, unsigned worker, const struct worker_job *job,
                               const struct msg_partial *partial, struct game_env *env)
{
    struct tsume_lease *lease = lease_of(t, worker, job);
    if (!lease) {
        env->metrics->stale++;
        return ST_STALE;
    }
    if (partial->nodes > lease->nodes) lease->nodes = partial->nodes;
    env->metrics->partials++;
    return ST_OK;
}

enum status tsume_take_result(struct tsume *t, unsigned worker, const struct worker_job *job,
                              const struct msg_result *result, struct game_env *env)
{
    struct tsume_lease *lease = lease_of(t, worker, job);
    if (!lease) {
        env->metrics->stale++;
        return ST_STALE;
    }
    struct tsume_task *task = &t->tasks[lease->task];
    env->metrics->results++;
    lease->nodes = result->nodes;
    bool in_time = env->now_ms < task->due_ms;
    if (result->verdict == VERDICT_REFUSED && !result->stopped) {
        struct wire_str why = fx_clean(env->out, result->text, WIRE_TEXT_BYTES_MAX);
        lease_end(t, worker, why.bytes, env);
        return ST_OK;
    }
    unsigned plies = 0;
    bool settled = result->verdict == VERDICT_NOMATE;
    if (result->verdict == VERDICT_MATE) {
        settled = mate_line_is_right(&task->root, result->line, &plies);
        if (!settled) {
            env->metrics->illegal_moves++;
            fx_log(env->out, COORD_LOG_WARN, "tsume_mate_refused worker=\"%s\" id=%" PRIu32,
                   env->registry->workers[worker].name, task->id);
            lease_end(t, worker, "the workers' lines do not mate", env);
            return ST_ILLEGAL;
        }
    }
    if (!settled && result->stopped && in_time) { /* not at its limit: the worker is leaving */
        lease_end(t, worker, NULL, env);
        return ST_OK;
    }
    lease->active = false;
    task->nodes += lease->nodes;
    struct tsume_outcome *outcome = done(t, task, settled ? (enum job_verdict)result->verdict : VERDICT_UNKNOWN, env);
    const char *name = env->registry->workers[worker].name;
    outcome->worker = fx_text(env->out, name, strlen(name));
    outcome->proof_nodes = result->proof_nodes;
    if (plies) {
        outcome->plies = plies;
        outcome->shortest = result->shortest;
        outcome->line = fx_text(env->out, result->line.bytes, result->line.length);
    }
    return ST_OK;
}

/* ---- handing out ------------------------------------------------------------------------------------------------ */

static void take_back(struct tsume *t, unsigned worker, const char *failure, struct game_env *env)
{
    struct worker *w = &env->registry->workers[worker];
    if (w->present && w->job.owner == JOB_TSUME && w->job.epoch == t->leases[worker].epoch && !w->job.stopping)
        registry_send_stop(env->registry, w, env->now_ms, env->out);
    lease_end(t, worker, failure, env);
}

enum status tsume_cancel(struct tsume *t, uint32_t id, struct game_env *env)
{
    for (unsigned i = 0; i < TSUME_ORDERS_MAX; i++) {
        struct tsume_task *task = &t->tasks[i];
        if (!task->used || task->id != id) continue;
        task->used = false; /* first: what is taken back must not be reported */
        t->task_count--;
        for (unsigned w = 0; w < COORD_WORKERS_MAX; w++)
            if (t->leases[w].active && t->leases[w].task == i) take_back(t, w, NULL, env);
        return ST_OK;
    }
    return ST_UNKNOWN;
}

void tsume_worker_lost(struct tsume *t, unsigned worker, const struct worker_job *job, struct game_env *env)
{
    if (lease_of(t, worker, job)) lease_end(t, worker, "the workers that had this position were lost", env);
}

static struct tsume_task *oldest_waiting(struct tsume *t)
{
    struct tsume_task *oldest = NULL;
    for (unsigned i = 0; i < TSUME_ORDERS_MAX; i++) {
        struct tsume_task *task = &t->tasks[i];
        if (task->used && !task->out && (!oldest || task->order < oldest->order)) oldest = task;
    }
    return oldest;
}

static void hand_out(struct tsume *t, unsigned worker, struct tsume_task *task, struct game_env *env)
{
    if (task->begun_ms == INT64_MAX) {
        task->begun_ms = env->now_ms;
        if (task->time_ms) task->due_ms = env->now_ms + task->time_ms;
    }
    int64_t left_ms = task->due_ms - env->now_ms;
    struct tsume_lease *lease = &t->leases[worker];
    *lease = (struct tsume_lease){.active = true, .task = (unsigned)(task - t->tasks), .epoch = ++*env->epoch_last};
    lease->until_ms = task->time_ms     ? task->due_ms + GRACE_MS
                      : task->nodes_max ? env->now_ms + LEASE_MS + (int64_t)(task->nodes_max / SLOW_NODES_PER_MS)
                                        : INT64_MAX;
    task->out = true;
    if (task->attempt < ATTEMPT_MAX) task->attempt++;
    struct msg_job job = {.epoch = lease->epoch,
                          .job = 1,
                          .attempt = task->attempt,
                          .kind = JOB_MATE,
                          .root = wire_str_make(task->sfen, task->sfen_bytes),
                          .nodes = task->nodes_max,
                          .time_limit_ms = task->time_ms ? (uint32_t)(left_ms > 1 ? left_ms : 1) : 0,
                          .plies_max = task->plies_max,
                          .any_length = task->any_length,
                          .fresh = task->fresh};
    registry_send_job(env->registry, &env->registry->workers[worker], &job, JOB_TSUME, lease->task, env->now_ms,
                      env->out);
}

void tsume_advance(struct tsume *t, bool pause, struct game_env *env)
{
    if (t->task_count == 0) return;
    for (unsigned i = 0; i < env->registry->high; i++) {
        struct worker *w = &env->registry->workers[i];
        if (t->leases[i].active) {
            bool late = env->now_ms >= t->leases[i].until_ms;
            if (pause || late) take_back(t, i, late ? "the workers did not finish in time" : NULL, env);
        }
        if (pause || t->leases[i].active || w->job.owner != JOB_NOBODY || !worker_is_free(env->registry, w)) continue;
        struct tsume_task *task = oldest_waiting(t);
        if (!task) continue;
        hand_out(t, i, task, env);
    }
}

int64_t tsume_deadline_ms(const struct tsume *t)
{
    int64_t due = INT64_MAX;
    for (unsigned i = 0; t->task_count && i < COORD_WORKERS_MAX; i++)
        if (t->leases[i].active && t->leases[i].until_ms < due) due = t->leases[i].until_ms;
    return due;
}
