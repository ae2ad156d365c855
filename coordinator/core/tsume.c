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
    LOSSES_MAX = 12, /* workers that went away with it: perhaps it kills them */
    CONTRADICTIONS_MAX = 16,
    GRACE_MS = 2000,     /* beyond its time limit: then a worker has forgotten us */
    LEASE_MS = 60000,    /* without a time limit: plus the time that a slow worker needs for the nodes */
    JOIN_AFTER_MS = 300, /* most problems are over by then, and need no help */
    SLOW_NODES_PER_MS = 5,
    ROUND_TRIPS = 25, /* that a job should last */
    NODES_PER_MS = 400,
    ATTEMPT_MAX = 1000 /* what the wire can say; the epoch tells attempts apart anyway */
};

static const char contradiction[] = "the workers contradict each other";

bool tsume_init(struct tsume *t, uint64_t nodes_first)
{
    t->nodes_first = nodes_first;
    t->certificate = certificate_new(EVIDENCE_POSITIONS_MAX);
    return t->certificate != NULL;
}

void tsume_free(struct tsume *t) { certificate_free(t->certificate); }

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
    task->attempt = task->failures = task->losses = task->holders = task->opinion = 0;
    task->tree = -1;
    task->nodes_max = order->nodes;
    task->time_ms = order->time_ms;
    task->plies_max = order->plies_max;
    task->any_length = order->any_length;
    task->fresh = order->fresh;
    task->unable = false;
    task->begun_ms = task->due_ms = INT64_MAX;
    task->nodes = task->proof_nodes = 0;
    task->root = root;
    task->sfen_bytes = (uint32_t)sfen_write(&root, task->sfen);
    t->task_count++;
    return ST_OK;
}

/* ---- leases ----------------------------------------------------------------------------------------------------- */

static struct tsume_task *task_of(struct tsume *t, const struct tsume_lease *lease)
{
    struct tsume_task *task = &t->tasks[lease->task];
    return task->used && task->order == lease->order ? task : NULL;
}

/* The tree that the lease's node belongs to; NULL if the task is not divided, or asks another question now. */
static struct split_mate *split_of(struct tsume *t, const struct tsume_lease *lease)
{
    const struct tsume_task *task = task_of(t, lease);
    if (!task || task->tree < 0 || t->trees[task->tree].round != lease->round) return NULL;
    return &t->trees[task->tree].split;
}

/* The worker does not count any more as one who will answer. */
static void release(struct tsume *t, struct tsume_lease *lease)
{
    struct tsume_task *task = task_of(t, lease);
    struct split_mate *split = split_of(t, lease);
    if (!lease->holds) return;
    lease->holds = false;
    if (task) task->holders--;
    if (split) split_mate_release(split, lease->node);
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
    if (task->tree >= 0) t->trees[task->tree].order = 0;
    task->used = false;
    t->task_count--;
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
    char text[SPLIT_MATE_PLIES_MAX * MOVETEXT_BYTES_MAX];
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

/* As good as it gets: the best mate so far, or nothing. */
static void done_open(struct tsume *t, struct tsume_task *task, struct game_env *env)
{
    const struct tsume_tree *tree = task->tree >= 0 ? &t->trees[task->tree] : NULL;
    if (tree && tree->best_plies)
        done_mate(t, task, tree->best, tree->best_plies, false, task->proof_nodes, "", env);
    else
        done(t, task, VERDICT_UNKNOWN, env);
}

static void failed(struct tsume *t, struct tsume_task *task, const char *failure, struct game_env *env)
{
    if (++task->failures < FAILURES_MAX) return;
    struct tsume_outcome *outcome = done(t, task, VERDICT_REFUSED, env);
    outcome->text = fx_text(env->out, failure, strlen(failure));
    outcome->unable = task->unable;
}

/* ---- the tree --------------------------------------------------------------------------------------------------- */

static uint64_t spent(const struct tsume *t, const struct tsume_task *task)
{
    uint64_t nodes = task->nodes;
    for (unsigned i = 0; i < COORD_WORKERS_MAX; i++)
        if (t->leases[i].active && t->leases[i].order == task->order) nodes += t->leases[i].nodes;
    return nodes;
}

static void ask(struct tsume *t, struct tsume_tree *tree, const struct tsume_task *task, uint32_t plies_max,
                struct game_env *env)
{
    tree->round++;
    uint64_t nodes = (uint64_t)registry_rtt_us(env->registry) * ROUND_TRIPS * NODES_PER_MS / 1000;
    split_mate_begin(&tree->split, &task->root, task->first_moves, task->first_move_count, plies_max,
                     nodes > t->nodes_first ? nodes : t->nodes_first);
}

static bool divide(struct tsume *t, struct tsume_task *task, struct game_env *env)
{
    int place = 0;
    while (place < TSUME_TREES_MAX && t->trees[place].order) place++;
    if (place == TSUME_TREES_MAX) return false;
    struct tsume_tree *tree = &t->trees[place];
    tree->order = task->order;
    tree->best_plies = 0;
    ask(t, tree, task, task->plies_max, env);
    task->tree = place;
    for (unsigned i = 0; i < COORD_WORKERS_MAX; i++) { /* whoever has it already goes on at the root, from his table */
        struct tsume_lease *lease = &t->leases[i];
        if (!lease->active || lease->order != task->order) continue;
        lease->round = tree->round;
        lease->node = 0;
        lease->plies_max = task->plies_max;
        if (lease->holds) split_mate_adopt(&tree->split, i);
        registry_send_stop(env->registry, &env->registry->workers[i], env->now_ms, env->out);
    }
    return true;
}

/* The question of the tree is settled, or it has become clear that it need not be. */
static void review(struct tsume *t, struct tsume_task *task, struct game_env *env)
{
    struct tsume_tree *tree = &t->trees[task->tree];
    if (split_mate_is_proved(&tree->split)) {
        uint32_t plies = (uint32_t)split_mate_line(&tree->split, tree->best);
        if (plies == 0) return;
        tree->best_plies = plies;
        if (task->any_length || plies <= 2) {
            done_mate(t, task, tree->best, plies, plies == 1, task->proof_nodes, "", env);
            return;
        }
        if (task->id == TSUME_ID_GAME) t->game_line = line_text(tree->best, plies, env);
        take_back_all(t, task, env);
        ask(t, tree, task, plies - 2, env);
    } else if (split_mate_is_refuted(&tree->split)) {
        if (tree->best_plies)
            done_mate(t, task, tree->best, tree->best_plies, true, task->proof_nodes, "", env);
        else
            done(t, task, task->plies_max ? VERDICT_UNKNOWN : VERDICT_NOMATE, env);
        return;
    }
    if (task->nodes_max && spent(t, task) >= task->nodes_max) {
        done_open(t, task, env);
        return;
    }
    if (tree->split.contradictions >= CONTRADICTIONS_MAX) {
        task->failures = FAILURES_MAX;
        failed(t, task, contradiction, env);
        return;
    }
    for (unsigned i = 0; i < COORD_WORKERS_MAX; i++) { /* jobs that have lost their use */
        struct tsume_lease *lease = &t->leases[i];
        const struct split_mate *split = lease->active && lease->order == task->order ? split_of(t, lease) : NULL;
        if (split && !split_mate_needs(split, lease->node)) take_back(t, i, env);
    }
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
    return ST_OK;
}

static void take_divided(struct tsume *t, struct tsume_task *task, const struct tsume_lease *lease, unsigned worker,
                         struct game_env *env)
{
    struct split_mate *split = split_of(t, lease);
    const struct evidence *e = &t->evidence;
    if (!split) return; /* of an earlier question */
    switch (e->kind) {
    case EVIDENCE_MATE:
        split_mate_proved(split, lease->node, worker, e->certain, e->line, e->plies, e->hand);
        break;
    case EVIDENCE_NOMATE:
        split_mate_refuted(split, lease->node, worker, e->certain, e->hand);
        break;
    case EVIDENCE_OPEN:
        split_mate_unknown(split, lease->node, worker, task->holders + 1, &e->report);
        break;
    case EVIDENCE_WRONG:
        break;
    }
    review(t, task, env);
}

static void take_single(struct tsume *t, struct tsume_task *task, unsigned worker, const struct msg_result *result,
                        struct game_env *env)
{
    const struct evidence *e = &t->evidence;
    const char *name = env->registry->workers[worker].name;
    if (e->kind == EVIDENCE_OPEN) {
        bool limit_reached = (task->nodes_max && spent(t, task) >= task->nodes_max) || env->now_ms >= task->due_ms;
        if (limit_reached || ++task->failures == FAILURES_MAX) done_open(t, task, env);
        return;
    }
    uint32_t verdict = e->kind == EVIDENCE_MATE ? VERDICT_MATE : VERDICT_NOMATE;
    bool agreed = e->certain || (task->opinion && task->opinion != worker + 1 && task->opinion_verdict == verdict);
    if (!agreed) {
        bool contradicts = task->opinion && task->opinion != worker + 1;
        task->opinion = worker + 1;
        task->opinion_verdict = verdict;
        if (contradicts) failed(t, task, contradiction, env);
    } else if (e->kind == EVIDENCE_MATE) {
        done_mate(t, task, e->line, e->plies, result->shortest, result->proof_nodes, name, env);
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
    lease_end(t, lease);
    bool stopped = result->stopped && !job->stopping && env->now_ms < task->due_ms; /* not by us: it is leaving */
    if (result->verdict == VERDICT_REFUSED) {
        struct wire_str why = fx_clean(env->out, result->text, WIRE_TEXT_BYTES_MAX);
        task->unable = true;
        if (!result->stopped) failed(t, task, why.bytes, env);
        return ST_OK;
    }
    bool root = task->tree < 0 || lease->node == 0;
    struct evidence_job asked = {.pos = &lease->pos,
                                 .plies_max = lease->plies_max,
                                 .first_moves = task->first_moves,
                                 .first_move_count = root ? task->first_move_count : 0};
    evidence_judge(t->certificate, &asked, result, w->local_slot != COORD_PEER_REMOTE, &t->evidence);
    struct evidence *e = &t->evidence;
    if (e->kind == EVIDENCE_WRONG) {
        env->metrics->illegal_moves++;
        fx_log(env->out, COORD_LOG_WARN, "tsume_refused worker=\"%s\" id=%" PRIu32 " why=\"%s\"", w->name, task->id,
               e->reason);
        t->distrusted[worker] = w->session;
        if (!others_can_be_asked(t, worker, env->registry)) failed(t, task, e->reason, env);
        return ST_ILLEGAL;
    }
    if (!e->certain) e->certain = MUTANT_IS(41) || !others_can_be_asked(t, worker, env->registry);
    if (e->kind == EVIDENCE_MATE) task->proof_nodes += result->proof_nodes;
    if (e->kind == EVIDENCE_OPEN && stopped) return ST_OK;
    if (task->tree >= 0)
        take_divided(t, task, lease, worker, env);
    else
        take_single(t, task, worker, result, env);
    return ST_OK;
}

void tsume_worker_lost(struct tsume *t, unsigned worker, const struct worker_job *job, struct game_env *env)
{
    struct tsume_lease *lease = lease_of(t, worker, job);
    if (!lease) return;
    struct tsume_task *task = task_of(t, lease);
    lease_end(t, lease);
    if (!task || task->tree >= 0 || ++task->losses < LOSSES_MAX) return;
    task->failures = FAILURES_MAX;
    failed(t, task, "the workers that had this position were lost", env);
}

void tsume_worker_suspect(struct tsume *t, unsigned worker)
{
    if (t->leases[worker].active) release(t, &t->leases[worker]);
}

enum status tsume_cancel(struct tsume *t, uint32_t id, struct game_env *env)
{
    for (unsigned i = 0; i < TSUME_ORDERS_MAX; i++) {
        struct tsume_task *task = &t->tasks[i];
        if (!task->used || task->id != id) continue;
        take_back_all(t, task, env);
        forget(t, task);
        return ST_OK;
    }
    return ST_UNKNOWN;
}

/* ---- handing out ------------------------------------------------------------------------------------------------ */

static void send_job(struct tsume *t, unsigned worker, struct tsume_task *task, const struct split_mate_job *part,
                     struct game_env *env)
{
    if (task->begun_ms == INT64_MAX) {
        task->begun_ms = env->now_ms;
        if (task->time_ms) task->due_ms = env->now_ms + task->time_ms;
    }
    if (task->attempt < ATTEMPT_MAX) task->attempt++;
    int64_t left_ms = task->due_ms - env->now_ms;
    uint64_t nodes_left = task->nodes_max ? task->nodes_max - spent(t, task) : 0;
    struct tsume_lease *lease = &t->leases[worker];
    *lease = (struct tsume_lease){.active = true,
                                  .holds = true,
                                  .task = (unsigned)(task - t->tasks),
                                  .order = task->order,
                                  .epoch = ++*env->epoch_last,
                                  .pos = task->root,
                                  .plies_max = task->plies_max};
    struct msg_job job = {.epoch = lease->epoch,
                          .job = 1,
                          .attempt = part ? 1 : task->attempt,
                          .kind = JOB_MATE,
                          .root = wire_str_make(task->sfen, task->sfen_bytes),
                          .searchmoves = wire_str_make(task->searchmoves, task->searchmoves_bytes),
                          .nodes = nodes_left,
                          .time_limit_ms = task->time_ms ? (uint32_t)(left_ms > 1 ? left_ms : 1) : 0,
                          .any_length = task->any_length,
                          .fresh = task->fresh,
                          .certificate = true,
                          .numbers = !nodes_left /* they would cost a few more */};
    task->holders++;
    if (part) {
        char sfen[SFEN_BYTES_MAX];
        size_t bytes = sfen_write(&part->pos, sfen);
        lease->round = t->trees[task->tree].round;
        lease->node = part->node;
        lease->pos = part->pos;
        lease->plies_max = part->plies_max < SPLIT_MATE_PLIES_MAX ? part->plies_max : 0;
        job.job = part->node + 1;
        job.root = fx_text(env->out, sfen, bytes);
        if (!part->root) job.searchmoves = wire_str_make(NULL, 0);
        if (!nodes_left || part->nodes < nodes_left) job.nodes = part->nodes;
        job.seed = part->seed;
        job.pn_max = part->pn_max;
        job.dn_max = part->dn_max;
        job.any_length = true;
        job.fresh = false;
        job.numbers = true;
    }
    job.plies_max = lease->plies_max;
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
    for (unsigned i = 0; i < TSUME_ORDERS_MAX; i++) {
        struct tsume_task *task = &t->tasks[i];
        if (!has_turn(task, turn) || task->holders || task->tree >= 0 || (!alone && task->opinion == worker + 1))
            continue;
        if (!oldest || task->order < oldest->order) oldest = task;
    }
    return oldest;
}

/* Something to do at a position that others have, too. */
static bool join(struct tsume *t, unsigned worker, bool alone, enum tsume_turn turn, struct game_env *env)
{
    for (uint64_t after = 0;;) {
        struct tsume_task *task = NULL;
        for (unsigned i = 0; i < TSUME_ORDERS_MAX; i++) {
            struct tsume_task *other = &t->tasks[i];
            bool ripe = has_turn(other, turn) &&
                        (other->tree >= 0 || (other->holders && env->now_ms >= other->begun_ms + JOIN_AFTER_MS));
            if (ripe && other->order > after && (!task || other->order < task->order)) task = other;
        }
        if (!task) return false;
        after = task->order;
        struct split_mate_job part;
        if (task->tree < 0 && !divide(t, task, env)) continue;
        struct split_mate *split = &t->trees[task->tree].split;
        if (alone) split_mate_forget_opinions(split);
        if (!split_mate_next(split, worker, task->holders + 1, &part)) continue;
        send_job(t, worker, task, &part, env);
        return true;
    }
}

static void end_late(struct tsume *t, struct game_env *env)
{
    for (unsigned i = 0; i < TSUME_ORDERS_MAX; i++) {
        struct tsume_task *task = &t->tasks[i];
        if (task->used && task->tree >= 0 && env->now_ms >= task->due_ms) done_open(t, task, env);
    }
    for (unsigned i = 0; i < COORD_WORKERS_MAX; i++) {
        struct tsume_lease *lease = &t->leases[i];
        if (!lease->active || env->now_ms < lease->until_ms) continue;
        struct tsume_task *task = task_of(t, lease);
        take_back(t, i, env);
        if (task->tree < 0) failed(t, task, "the workers did not finish in time", env);
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
        if (task)
            send_job(t, i, task, NULL, env);
        else
            (void)join(t, i, alone, turn, env);
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
    *believed = trusted && (task->tree < 0 || lease->node == 0);
    *nodes = spent(t, task);
    return true;
}

int64_t tsume_deadline_ms(const struct tsume *t, int64_t now_ms)
{
    int64_t due = INT64_MAX;
    if (t->task_count == 0) return due;
    for (unsigned i = 0; i < COORD_WORKERS_MAX; i++)
        if (t->leases[i].active && t->leases[i].until_ms < due) due = t->leases[i].until_ms;
    for (unsigned i = 0; i < TSUME_ORDERS_MAX; i++) {
        const struct tsume_task *task = &t->tasks[i];
        if (!task->used || task->begun_ms == INT64_MAX) continue;
        if (task->tree >= 0 && task->due_ms < due) due = task->due_ms;
        int64_t join_ms = task->begun_ms + JOIN_AFTER_MS;
        if (task->tree < 0 && join_ms > now_ms && join_ms < due) due = join_ms;
    }
    return due;
}
