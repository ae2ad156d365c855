/* tsume.c - mate orders. */
#include "coordinator/core/tsume.h"

#include "common/shogi/movetext.h"
#include "coordinator/core/mutant.h"
#include "coordinator/usi/usi.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    FAILURES_MAX = 4,
    LOSSES_MAX = 12,    /* workers that went away with it: perhaps it kills them */
    GRACE_MS = 2000,    /* beyond its time limit: then a worker has forgotten us */
    LEASE_MS = 60000,   /* without a time limit: plus the time that a slow worker needs for the nodes */
    JOIN_AFTER_MS = 50, /* most problems are over by then, and need no help */
    SLOW_NODES_PER_MS = 5,
    HINT_EFFORT = 1,                 /* least effort of a fact that is told: 1 node; the gate rises by itself */
    HINT_BYTES_PER_S_MAX = 16 << 20, /* that one worker may tell: as much as it finds */
    RELAY_BYTES_PER_S = 100 << 20,   /* that the relay may send to all: a line of 1 Gbit/s */
    ATTEMPT_MAX = 1000               /* what the wire can say; the epoch tells attempts apart anyway */
};

static const char contradiction[] = "the workers contradict each other";

bool tsume_init(struct tsume *t)
{
    t->certificate = certificate_new(EVIDENCE_POSITIONS_MAX);
    return t->certificate != NULL;
}

void tsume_free(struct tsume *t) { certificate_free(t->certificate); }

enum status tsume_submit(struct tsume *t, const struct tsume_order *order, struct game_env *env)
{
    unsigned place = 0;
    for (unsigned i = 0; i < t->high; i++)
        if (t->tasks[i].used && t->tasks[i].id == order->id) return ST_DUPLICATE;
    while (place < t->high && t->tasks[place].used) place++;
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
    task->first_move_count = 0;
    struct wire_str rest = order->searchmoves, word;
    if (rest.length > sizeof task->searchmoves) return ST_TOO_BIG;
    while (usi_next_word(&rest, &word)) {
        Move move = movetext_from_usi(&root, word.bytes, word.length);
        if (move == MOVE_NONE || task->first_move_count == MOVES_MAX) return ST_ILLEGAL;
        task->first_moves[task->first_move_count++] = move;
    }
    if (order->searchmoves.length) memcpy(task->searchmoves, order->searchmoves.bytes, order->searchmoves.length);
    task->searchmoves_bytes = order->searchmoves.length;
    task->used = true;
    task->order = ++t->orders;
    task->id = order->id;
    task->scope = 0;
    task->attempt = task->failures = task->losses = task->holders = task->joined = task->opinion = 0;
    task->doubted = false;
    task->nodes_max = order->nodes;
    task->time_ms = order->time_ms;
    task->plies_max = order->plies_max;
    task->any_length = order->any_length;
    task->fresh = order->fresh;
    task->begun_ms = task->due_ms = INT64_MAX;
    task->nodes = task->proof_nodes = 0;
    task->root = root;
    task->sfen_bytes = (uint32_t)sfen_write(&root, task->sfen);
    t->task_count++;
    if (place == t->high) t->high++;
    return ST_OK;
}

/* ---- leases ----------------------------------------------------------------------------------------------------- */

static struct tsume_task *task_of(struct tsume *t, const struct tsume_lease *lease)
{
    struct tsume_task *task = &t->tasks[lease->task];
    return task->used && task->order == lease->order ? task : NULL;
}

/* The worker does not count any more as one who will answer. */
static void release(struct tsume *t, struct tsume_lease *lease)
{
    struct tsume_task *task = task_of(t, lease);
    if (!lease->holds) return;
    lease->holds = false;
    if (task) task->holders--;
}

/* Ends a lease: what it cost is counted. */
static void lease_end(struct tsume *t, struct tsume_lease *lease)
{
    struct tsume_task *task = task_of(t, lease);
    release(t, lease);
    lease->active = false;
    if (task) task->nodes += lease->nodes;
}

static void take_back(struct tsume *t, unsigned worker, struct game_env *env)
{
    struct worker *w = &env->registry->workers[worker];
    if (w->present && w->job.owner == JOB_TSUME && w->job.epoch == t->leases[worker].epoch && !w->job.stopping)
        registry_send_stop(env->registry, w, env->now_ms, env->out);
    lease_end(t, &t->leases[worker]);
}

static void take_back_all(struct tsume *t, const struct tsume_task *task, struct game_env *env)
{
    for (unsigned i = 0; i < COORD_WORKERS_MAX; i++)
        if (t->leases[i].active && t->leases[i].order == task->order) take_back(t, i, env);
}

/* ---- outcomes --------------------------------------------------------------------------------------------------- */

static void forget(struct tsume *t, struct tsume_task *task)
{
    task->used = false;
    t->task_count--;
    while (t->high && !t->tasks[t->high - 1].used) t->high--;
}

/* Everybody is called back; there is nothing more to say about this position. */
static struct tsume_outcome *done(struct tsume *t, struct tsume_task *task, enum job_verdict verdict,
                                  struct game_env *env)
{
    take_back_all(t, task, env);
    bool game = task->id == TSUME_ID_GAME;
    struct tsume_outcome *outcome = fx_tsume_done(env->out, !game);
    if (game) t->game_outcome = outcome;
    outcome->id = task->id;
    outcome->verdict = verdict;
    outcome->nodes = task->nodes;
    outcome->elapsed_ms = task->begun_ms == INT64_MAX ? 0 : env->now_ms - task->begun_ms;
    env->metrics->tsume_positions++;
    forget(t, task);
    return outcome;
}

static struct wire_str line_text(const Move *line, uint32_t plies, struct game_env *env)
{
    char text[EVIDENCE_PLIES_MAX * MOVETEXT_BYTES_MAX];
    size_t bytes = 0;
    for (uint32_t i = 0; i < plies; i++) {
        if (i) text[bytes++] = ' ';
        bytes += movetext_to_usi(line[i], text + bytes);
    }
    return fx_text(env->out, text, bytes);
}

static void done_mate(struct tsume *t, struct tsume_task *task, const Move *line, uint32_t plies, bool shortest,
                      uint64_t proof_nodes, const char *worker, struct game_env *env)
{
    struct tsume_outcome *outcome = done(t, task, VERDICT_MATE, env);
    outcome->plies = plies;
    outcome->shortest = shortest || plies == 1;
    outcome->line = line_text(line, plies, env);
    outcome->proof_nodes = proof_nodes;
    outcome->worker = fx_text(env->out, worker, strlen(worker));
}

static void failed(struct tsume *t, struct tsume_task *task, const char *failure, struct game_env *env)
{
    if (++task->failures < FAILURES_MAX) return;
    struct tsume_outcome *outcome = done(t, task, VERDICT_REFUSED, env);
    outcome->text = fx_text(env->out, failure, strlen(failure));
}

/* The only worker there is was caught with something wrong: no answer of his will do. */
static void given_up(struct tsume *t, struct tsume_task *task, const char *why, struct game_env *env)
{
    if (++task->failures < FAILURES_MAX) return;
    struct tsume_outcome *outcome = done(t, task, VERDICT_UNKNOWN, env);
    outcome->text = fx_text(env->out, why, strlen(why));
}

static uint64_t spent(const struct tsume *t, const struct tsume_task *task)
{
    uint64_t nodes = task->nodes;
    for (unsigned i = 0; i < COORD_WORKERS_MAX; i++)
        if (t->leases[i].active && t->leases[i].order == task->order) nodes += t->leases[i].nodes;
    return nodes;
}

static bool nodes_are_spent(const struct tsume *t, const struct tsume_task *task)
{
    return task->nodes_max && spent(t, task) >= task->nodes_max;
}

/* ---- what workers say ------------------------------------------------------------------------------------------- */

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
    struct tsume_task *task = task_of(t, lease);
    if (task->holders > 1 && nodes_are_spent(t, task)) (void)done(t, task, VERDICT_UNKNOWN, env);
    return ST_OK;
}

/* Does nobody answer who could still do better? */
static void take_open(struct tsume *t, struct tsume_task *task, struct game_env *env)
{
    bool limit_reached = nodes_are_spent(t, task) || env->now_ms >= task->due_ms;
    if (task->holders == 0 && (limit_reached || ++task->failures >= FAILURES_MAX)) done(t, task, VERDICT_UNKNOWN, env);
}

static void take_verdict(struct tsume *t, struct tsume_task *task, unsigned worker, bool leaned,
                         const struct msg_result *result, struct game_env *env)
{
    const struct evidence *e = &t->evidence;
    const char *name = env->registry->workers[worker].name;
    uint32_t verdict = e->kind == EVIDENCE_MATE ? VERDICT_MATE : VERDICT_NOMATE;
    bool agreed = e->certain || (task->opinion && task->opinion != worker + 1 && task->opinion_verdict == verdict);
    if (!agreed) {
        bool contradicts = task->opinion && task->opinion != worker + 1;
        task->opinion = worker + 1;
        task->opinion_verdict = verdict;
        if (contradicts) failed(t, task, contradiction, env);
    } else if (e->kind == EVIDENCE_MATE) {
        done_mate(t, task, e->line, e->plies, result->shortest && !leaned, result->proof_nodes, name, env);
    } else {
        struct tsume_outcome *outcome = done(t, task, task->plies_max ? VERDICT_UNKNOWN : VERDICT_NOMATE, env);
        outcome->worker = fx_text(env->out, name, strlen(name));
    }
}

/* Is there a worker beside this one whose word could be asked for? */
static bool others_can_be_asked(const struct tsume *t, unsigned worker, const struct registry *r)
{
    for (unsigned i = 0; i < r->high; i++)
        if (i != worker && worker_is_configured(r, &r->workers[i]) && !r->workers[i].suspect &&
            t->distrusted[i] != r->workers[i].session)
            return true;
    return false;
}

enum status tsume_take_result(struct tsume *t, unsigned worker, const struct worker_job *job,
                              const struct msg_result *result, struct game_env *env)
{
    struct tsume_lease *lease = lease_of(t, worker, job);
    if (!lease) {
        env->metrics->stale++;
        return ST_STALE;
    }
    const struct worker *w = &env->registry->workers[worker];
    struct tsume_task *task = task_of(t, lease);
    assert(task); /* done() ends all leases */
    env->metrics->results++;
    lease->nodes = result->nodes;
    bool leaned = lease->leans;
    lease_end(t, lease);
    bool stopped = result->stopped && !job->stopping && env->now_ms < task->due_ms; /* not by us: it is leaving */
    if (result->verdict == VERDICT_REFUSED) {
        struct wire_str why = fx_clean(env->out, result->text, WIRE_TEXT_BYTES_MAX);
        if (!result->stopped) failed(t, task, why.bytes, env);
        return ST_OK;
    }
    struct evidence_job asked = {.pos = &task->root,
                                 .plies_max = task->plies_max,
                                 .first_moves = task->first_moves,
                                 .first_move_count = task->first_move_count};
    evidence_judge(t->certificate, &asked, result, w->local_slot != COORD_PEER_REMOTE, &t->evidence);
    struct evidence *e = &t->evidence;
    if (e->kind == EVIDENCE_WRONG) {
        env->metrics->illegal_moves++;
        fx_log(env->out, COORD_LOG_WARN, "tsume_refused worker=\"%s\" id=%" PRIu32 " why=\"%s\"", w->name, task->id,
               e->reason);
        t->distrusted[worker] = w->session;
        if (!others_can_be_asked(t, worker, env->registry)) given_up(t, task, e->reason, env);
        return ST_ILLEGAL;
    }
    if (e->kind == EVIDENCE_OPEN) {
        if (!stopped) take_open(t, task, env);
        return ST_OK;
    }
    if (e->kind == EVIDENCE_NOMATE && leaned) {
        task->doubted = true;
        return ST_OK;
    }
    if (!e->certain) e->certain = MUTANT_IS(41) || !others_can_be_asked(t, worker, env->registry);
    take_verdict(t, task, worker, leaned, result, env);
    return ST_OK;
}

void tsume_worker_lost(struct tsume *t, unsigned worker, const struct worker_job *job, struct game_env *env)
{
    struct tsume_lease *lease = lease_of(t, worker, job);
    if (!lease) return;
    struct tsume_task *task = task_of(t, lease);
    lease_end(t, lease);
    if (!task || ++task->losses < LOSSES_MAX) return;
    task->failures = FAILURES_MAX;
    failed(t, task, "the workers that had this position were lost", env);
}

void tsume_worker_suspect(struct tsume *t, unsigned worker)
{
    if (t->leases[worker].active) release(t, &t->leases[worker]);
}

enum status tsume_cancel(struct tsume *t, uint32_t id, struct game_env *env)
{
    for (unsigned i = 0; i < t->high; i++) {
        struct tsume_task *task = &t->tasks[i];
        if (!task->used || task->id != id) continue;
        take_back_all(t, task, env);
        forget(t, task);
        return ST_OK;
    }
    return ST_UNKNOWN;
}

/* ---- handing out ------------------------------------------------------------------------------------------------ */

/* Only child processes of this coordinator reach the hint plane. */
static bool plane_is_private(const struct registry *r)
{
    return strcmp(r->settings.hints_remote, r->settings.hints_local) == 0;
}

/* Is there somebody to tell, now or in a moment? */
static bool has_company(const struct tsume *t, unsigned worker, const struct registry *r)
{
    if (!r->settings.hints_local[0] && !r->settings.hints_remote[0]) return false;
    return r->settings.local_workers > 1 || others_can_be_asked(t, worker, r);
}

/* How many workers may soon be at it, 2 or more. */
static unsigned team_size(const struct tsume *t, const struct tsume_task *task, const struct registry *r)
{
    unsigned workers = 0;
    for (unsigned i = 0; i < r->high; i++) workers += worker_is_configured(r, &r->workers[i]);
    unsigned team = workers / t->task_count;
    if (team < task->holders + 1) team = task->holders + 1;
    if (team > TSUME_TEAM_MAX) team = TSUME_TEAM_MAX;
    return team < 2 ? 2 : team;
}

uint32_t tsume_hint_bytes_per_s(unsigned team)
{
    uint32_t share = team < 2 ? HINT_BYTES_PER_S_MAX : RELAY_BYTES_PER_S / (team * (team - 1));
    return share < HINT_BYTES_PER_S_MAX ? share : HINT_BYTES_PER_S_MAX;
}

static void share(const struct tsume *t, const struct tsume_task *task, unsigned worker, struct msg_job *job,
                  struct tsume_lease *lease, const struct game_env *env)
{
    if (!has_company(t, worker, env->registry)) return;
    bool closed = plane_is_private(env->registry);
    job->hint_scope = task->scope;
    job->hint_plies = HINT_EFFORT;
    job->hint_bytes_per_s = tsume_hint_bytes_per_s(team_size(t, task, env->registry));
    job->tell_only = !closed && (task->doubted || task->joined == 0 || task->opinion);
    lease->leans = !closed && !job->tell_only;
    job->seed = job->variation = task->joined % TSUME_TEAM_MAX;
}

static void send_job(struct tsume *t, unsigned worker, struct tsume_task *task, struct game_env *env)
{
    if (task->begun_ms == INT64_MAX) {
        task->begun_ms = env->now_ms;
        if (task->time_ms) task->due_ms = env->now_ms + task->time_ms;
    }
    if (task->attempt < ATTEMPT_MAX) task->attempt++;
    int64_t left_ms = task->due_ms - env->now_ms;
    struct tsume_lease *lease = &t->leases[worker];
    *lease = (struct tsume_lease){.active = true,
                                  .holds = true,
                                  .task = (unsigned)(task - t->tasks),
                                  .order = task->order,
                                  .epoch = ++*env->epoch_last};
    if (!task->scope) task->scope = lease->epoch;
    struct msg_job job = {.epoch = lease->epoch,
                          .job = 1,
                          .attempt = task->attempt,
                          .kind = JOB_MATE,
                          .root = wire_str_make(task->sfen, task->sfen_bytes),
                          .searchmoves = wire_str_make(task->searchmoves, task->searchmoves_bytes),
                          .nodes = task->nodes_max ? task->nodes_max - spent(t, task) : 0,
                          .time_limit_ms = task->time_ms ? (uint32_t)(left_ms > 1 ? left_ms : 1) : 0,
                          .plies_max = task->plies_max,
                          .any_length = task->any_length,
                          .fresh = task->fresh,
                          .certificate = true};
    share(t, task, worker, &job, lease, env);
    task->holders++;
    task->joined++;
    lease->until_ms = task->time_ms ? task->due_ms + GRACE_MS
                      : job.nodes   ? env->now_ms + LEASE_MS + (int64_t)(job.nodes / SLOW_NODES_PER_MS)
                                    : INT64_MAX;
    registry_send_job(env->registry, &env->registry->workers[worker], &job, JOB_TSUME, lease->task, env->now_ms,
                      env->out);
}

static bool has_turn(const struct tsume_task *task, enum tsume_turn turn)
{
    return task->used && (turn == TSUME_ALL || (turn == TSUME_GAME && task->id == TSUME_ID_GAME));
}

/* A position that nobody has; the worker must not be the one whose word is doubted, if there is another. */
static struct tsume_task *oldest_waiting(struct tsume *t, unsigned worker, bool alone, enum tsume_turn turn)
{
    struct tsume_task *oldest = NULL;
    for (unsigned i = 0; i < t->high; i++) {
        struct tsume_task *task = &t->tasks[i];
        if (!has_turn(task, turn) || task->holders || (!alone && task->opinion == worker + 1)) continue;
        if (!oldest || task->order < oldest->order) oldest = task;
    }
    return oldest;
}

/* The oldest position that others have had for a while and that one more may help with. */
static struct tsume_task *oldest_to_join(struct tsume *t, unsigned worker, enum tsume_turn turn, int64_t now_ms)
{
    struct tsume_task *oldest = NULL;
    for (unsigned i = 0; i < t->high; i++) {
        struct tsume_task *task = &t->tasks[i];
        if (!has_turn(task, turn) || task->holders == 0 || task->holders >= TSUME_TEAM_MAX) continue;
        if (now_ms < task->begun_ms + JOIN_AFTER_MS || task->opinion == worker + 1) continue;
        if (!oldest || task->order < oldest->order) oldest = task;
    }
    return oldest;
}

static void end_late(struct tsume *t, struct game_env *env)
{
    for (unsigned i = 0; i < COORD_WORKERS_MAX; i++) {
        struct tsume_lease *lease = &t->leases[i];
        if (!lease->active || env->now_ms < lease->until_ms) continue;
        struct tsume_task *task = task_of(t, lease);
        take_back(t, i, env);
        if (task && task->holders == 0) failed(t, task, "the workers did not finish in time", env);
    }
    for (unsigned i = 0; i < t->high; i++) {
        struct tsume_task *task = &t->tasks[i];
        if (task->used && !task->holders && env->now_ms >= task->due_ms) (void)done(t, task, VERDICT_UNKNOWN, env);
    }
}

void tsume_advance(struct tsume *t, enum tsume_turn turn, struct game_env *env)
{
    if (t->task_count == 0) return;
    end_late(t, env);
    for (unsigned i = 0; i < env->registry->high; i++) {
        struct worker *w = &env->registry->workers[i];
        if (t->leases[i].active && !has_turn(&t->tasks[t->leases[i].task], turn)) take_back(t, i, env);
        if (turn == TSUME_PAUSED || t->leases[i].active || !worker_is_free(env->registry, w)) continue;
        bool alone = !others_can_be_asked(t, i, env->registry);
        if (t->distrusted[i] == w->session && !alone) continue;
        struct tsume_task *task = oldest_waiting(t, i, alone, turn);
        if (!task) task = oldest_to_join(t, i, turn, env->now_ms);
        if (task && nodes_are_spent(t, task))
            (void)done(t, task, VERDICT_UNKNOWN, env);
        else if (task)
            send_job(t, i, task, env);
    }
}

bool tsume_is_game(const struct tsume *t, unsigned worker, const struct worker_job *job,
                   const struct registry *registry, bool *believed, uint64_t *nodes)
{
    const struct tsume_lease *lease = &t->leases[worker];
    if (!lease->active || job->owner != JOB_TSUME || lease->epoch != job->epoch) return false;
    const struct tsume_task *task = &t->tasks[lease->task];
    if (task->id != TSUME_ID_GAME) return false;
    bool trusted =
        registry->workers[worker].local_slot != COORD_PEER_REMOTE || !others_can_be_asked(t, worker, registry);
    *believed = trusted;
    *nodes = spent(t, task);
    return true;
}

int64_t tsume_deadline_ms(const struct tsume *t, int64_t now_ms)
{
    int64_t due = INT64_MAX;
    if (t->task_count == 0) return due;
    for (unsigned i = 0; i < COORD_WORKERS_MAX; i++)
        if (t->leases[i].active && t->leases[i].until_ms < due) due = t->leases[i].until_ms;
    for (unsigned i = 0; i < t->high; i++) {
        const struct tsume_task *task = &t->tasks[i];
        if (!task->used || task->begun_ms == INT64_MAX) continue;
        if (!task->holders && task->due_ms < due) due = task->due_ms;
        int64_t join_ms = task->begun_ms + JOIN_AFTER_MS;
        if (join_ms > now_ms && join_ms < due) due = join_ms;
    }
    return due;
}
