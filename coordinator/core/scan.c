/* scan.c - the analysis of whole games. */
#include "coordinator/core/scan.h"

#include "common/shogi/movetext.h"
#include "coordinator/core/mutant.h"
#include "coordinator/core/pv.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    FAILURES_MAX = 4,
    LEASE_MS = 60000, /* plus the time that a slow worker needs for the nodes */
    SLOW_NODES_PER_MS = 10,
    ATTEMPT_MAX = 1000 /* what the wire can say; the epoch tells attempts apart anyway */
};
_Static_assert(WIRE_MOVES_BYTES_MAX <= UINT16_MAX, "offsets fit");

enum status scan_submit(struct scan *s, const struct scan_order *order, struct game_env *env)
{
    unsigned place = 0;
    for (unsigned i = 0, seen = 0; seen < s->game_count; i++) {
        if (!s->games[i].used) continue;
        if (s->games[i].id == order->id) return ST_DUPLICATE;
        seen++;
    }
    while (place < SCAN_GAMES_MAX && s->games[place].used) place++;
    if (place == SCAN_GAMES_MAX) return ST_FULL;
    if ((!order->nodes && !order->depth_max) || order->depth_max > WIRE_DEPTH_MAX ||
        order->multipv > SCAN_MULTIPV_MAX || order->kind > JOB_MATE || order->plies_max > WIRE_MATE_PLIES_MAX ||
        (order->warm && order->fresh) || order->searchmoves.length > WIRE_SEARCHMOVES_BYTES_MAX)
        return ST_RANGE;
    char why[BOARD_WHY_BYTES];
    enum status status = board_set(&s->scratch, order->root, order->moves, why);
    if (status != ST_OK) {
        fx_log(env->out, COORD_LOG_ERROR, "scan_refused id=%" PRIu32 " why=\"%s\"", order->id, why);
        return status;
    }
    uint32_t last = order->last_ply < s->scratch.move_count ? order->last_ply : s->scratch.move_count;
    if (order->first_ply > last) return ST_RANGE;

    struct scan_game *game = &s->games[place];
    memset(game, 0, sizeof *game);
    game->used = true;
    game->order = ++s->orders;
    game->id = order->id;
    game->nodes = order->nodes;
    game->depth_max = order->depth_max;
    game->multipv = order->multipv ? order->multipv : 1;
    game->kind = order->kind;
    game->plies_max = order->plies_max;
    game->fresh = order->fresh;
    game->warm = order->warm;
    memcpy(game->avoid_boot, order->avoid_boot, sizeof game->avoid_boot);
    game->only_boot = order->only_boot;
    game->trusted_only = order->trusted_only;
    if (order->searchmoves.length) memcpy(game->searchmoves, order->searchmoves.bytes, order->searchmoves.length);
    game->searchmoves_bytes = order->searchmoves.length;
    game->first_ply = game->todo_from = order->first_ply;
    game->last_ply = last;
    game->left = last - order->first_ply + 1;
    memcpy(game->root, s->scratch.root, s->scratch.root_bytes);
    game->root_bytes = s->scratch.root_bytes;
    memcpy(game->moves, s->scratch.moves, s->scratch.moves_bytes);
    uint32_t ply = 0;
    for (uint32_t i = 0; i <= s->scratch.moves_bytes; i++)
        if (s->scratch.moves_bytes && (i == s->scratch.moves_bytes || game->moves[i] == ' '))
            game->moves_bytes[++ply] = (uint16_t)i;
    assert(ply == s->scratch.move_count);
    s->game_count++;
    return ST_OK;
}

/* ---- one position ----------------------------------------------------------------------------------------------- */

static void position_at(const struct scan_game *game, uint32_t ply, struct position *pos)
{
    size_t used;
    enum status status = sfen_read(pos, game->root, game->root_bytes, &used, NULL);
    assert(status == ST_OK);
    struct wire_str rest = {game->moves, game->moves_bytes[ply]}, word;
    struct undo undo;
    while (usi_next_word(&rest, &word)) position_do(pos, movetext_from_usi(pos, word.bytes, word.length), &undo);
}

/* The position has its result, in the effects already. */
static void position_done(struct scan *s, struct scan_game *game, uint32_t ply, struct game_env *env)
{
    game->state[ply] = SCAN_DONE;
    env->metrics->scan_positions++;
    if (--game->left) return;
    fx_scan_done(env->out, game->id, game->last_ply - game->first_ply + 1);
    game->used = false;
    s->game_count--;
}

static void position_again(struct scan *s, struct scan_game *game, uint32_t ply, const char *failure,
                           struct game_env *env)
{
    if (MUTANT_IS(10)) return; /* a lost position is never handed out again */
    if (game->state[ply] == SCAN_OUT) game->state[ply] = SCAN_TODO;
    if (ply < game->todo_from) game->todo_from = ply;
    if (!failure || ++game->failures[ply] < FAILURES_MAX) return;
    /* Of a warm game the rest cannot be had without this position. */
    uint32_t last = game->warm ? game->last_ply : ply;
    for (; ply <= last; ply++) {
        if (game->state[ply] == SCAN_DONE) continue;
        struct scan_result *result = fx_scan_result(env->out);
        *result = (struct scan_result){.id = game->id,
                                       .ply = ply,
                                       .verdict = VERDICT_REFUSED,
                                       .text = fx_text(env->out, failure, strlen(failure))};
        position_done(s, game, ply, env);
    }
}

/* Ends a lease; the position goes back unless it is done. */
static void lease_end(struct scan *s, unsigned worker, const char *failure, struct game_env *env)
{
    struct scan_lease *lease = &s->leases[worker];
    if (!lease->active) return;
    lease->active = false;
    struct scan_game *game = &s->games[lease->game];
    game->leased = false;
    if (game->state[lease->ply] == SCAN_OUT || game->warm) position_again(s, game, lease->ply, failure, env);
}

static int64_t patience_end_ms(const struct scan_game *game, int64_t now_ms)
{
    return game->nodes ? now_ms + LEASE_MS + (int64_t)(game->nodes / SLOW_NODES_PER_MS) : INT64_MAX;
}

static struct scan_lease *lease_of(struct scan *s, unsigned worker, const struct worker_job *job)
{
    struct scan_lease *lease = &s->leases[worker];
    return lease->active && job->owner == JOB_SCAN && lease->epoch == job->epoch ? lease : NULL;
}

enum status scan_take_partial(struct scan *s, unsigned worker, const struct worker_job *job,
                              const struct msg_partial *partial, struct game_env *env)
{
    struct scan_lease *lease = lease_of(s, worker, job);
    if (!lease) {
        env->metrics->stale++;
        return ST_STALE;
    }
    lease->until_ms = patience_end_ms(&s->games[lease->game], env->now_ms);
    uint32_t place = partial->multipv ? partial->multipv - 1 : 0;
    if (partial->bound != WIRE_EXACT || place >= SCAN_MULTIPV_MAX || place > lease->line_count) return ST_OK;
    lease->lines[place].score_kind = partial->score_kind;
    lease->lines[place].score = partial->score;
    lease->lines[place].depth = partial->depth;
    lease->lines[place].pv_bytes = partial->pv.length < WIRE_PV_BYTES_MAX ? partial->pv.length : WIRE_PV_BYTES_MAX;
    if (partial->pv.length) memcpy(lease->lines[place].pv, partial->pv.bytes, lease->lines[place].pv_bytes);
    if (place == lease->line_count) lease->line_count++;
    env->metrics->partials++;
    return ST_OK;
}

/* ---- a worker's position ---------------------------------------------------------------------------------------- */

static void send_position(struct scan *s, unsigned worker, struct game_env *env)
{
    struct scan_lease *lease = &s->leases[worker];
    struct scan_game *game = &s->games[lease->game];
    uint32_t ply = lease->ply;
    lease->epoch = ++*env->epoch_last;
    lease->line_count = 0;
    lease->until_ms = patience_end_ms(game, env->now_ms);
    if (game->state[ply] == SCAN_TODO) game->state[ply] = SCAN_OUT;
    if (game->attempts[ply] < ATTEMPT_MAX) game->attempts[ply]++;
    struct msg_job job = {.epoch = lease->epoch,
                          .job = ply + 1,
                          .attempt = game->attempts[ply],
                          .kind = game->kind,
                          .plies_max = game->plies_max,
                          .root = wire_str_make(game->root, game->root_bytes),
                          .moves = wire_str_make(game->moves, game->moves_bytes[ply]),
                          .searchmoves = wire_str_make(game->searchmoves, game->searchmoves_bytes),
                          .multipv = game->multipv > 1 ? game->multipv : 0,
                          .depth_max = game->depth_max,
                          .nodes = game->nodes,
                          .fresh = game->fresh || (game->warm && ply == game->first_ply),
                          .patient = true};
    registry_send_job(env->registry, &env->registry->workers[worker], &job, JOB_SCAN, ply, env->now_ms, env->out);
}

/* A warm game: the same worker goes to the next position, its table as it is. */
static void walk_on(struct scan *s, unsigned worker, struct game_env *env)
{
    struct scan_lease *lease = &s->leases[worker];
    struct scan_game *game = &s->games[lease->game];
    if (lease->ply >= game->last_ply || !worker_is_free(env->registry, &env->registry->workers[worker])) {
        lease_end(s, worker, NULL, env);
        return;
    }
    lease->ply++;
    send_position(s, worker, env);
}

/* The worker's lines, read under the rules, after the best move. */
static void add_lines(struct scan_result *out, const struct scan_lease *lease, const struct position *pos, Move best,
                      Move ponder, uint32_t multipv, struct game_env *env)
{
    struct pv pv;
    char text[PV_BYTES_MAX];
    for (uint32_t i = 0; i < lease->line_count && i < multipv; i++) {
        if (!pv_read(&pv, pos, wire_str_make(lease->lines[i].pv, lease->lines[i].pv_bytes))) env->metrics->lines_cut++;
        if (pv.count == 0) continue;
        struct scan_line *line = &out->lines[out->line_count];
        *line = (struct scan_line){
            .score_kind = lease->lines[i].score_kind, .depth = lease->lines[i].depth, .score = lease->lines[i].score};
        if (out->line_count == 0 && pv.moves[0] != best) { /* an unfinished iteration changed the move */
            pv = (struct pv){.count = ponder == MOVE_NONE ? 1 : 2, .moves = {best, ponder}};
            *line = (struct scan_line){.score_kind = out->score_kind, .depth = out->depth, .score = out->score};
        }
        size_t bytes = pv_write(&pv, text);
        line->pv = fx_text(env->out, text, bytes);
        out->line_count++;
    }
    if (out->line_count) return;
    pv = (struct pv){.count = ponder == MOVE_NONE ? 1 : 2, .moves = {best, ponder}};
    size_t bytes = pv_write(&pv, text);
    out->lines[0] = (struct scan_line){
        .score_kind = out->score_kind, .depth = out->depth, .score = out->score, .pv = fx_text(env->out, text, bytes)};
    out->line_count = 1;
}

enum status scan_take_result(struct scan *s, unsigned worker, const struct worker_job *job,
                             const struct msg_result *result, struct game_env *env)
{
    struct scan_lease *lease = lease_of(s, worker, job);
    if (!lease) {
        env->metrics->stale++;
        return ST_STALE;
    }
    struct scan_game *game = &s->games[lease->game];
    uint32_t ply = lease->ply;
    if (game->state[ply] != SCAN_OUT && !game->warm) {
        env->metrics->duplicates++;
        lease->active = false;
        return ST_DUPLICATE;
    }
    env->metrics->results++;
    if (result->verdict == VERDICT_REFUSED || result->stopped) {
        struct wire_str why = fx_clean(env->out, result->text, WIRE_TEXT_BYTES_MAX);
        lease_end(s, worker, result->verdict == VERDICT_REFUSED && !result->stopped ? why.bytes : NULL, env);
        return ST_OK;
    }
    struct position pos;
    position_at(game, ply, &pos);
    Move best = movetext_from_usi(&pos, result->best.bytes, result->best.length), ponder = MOVE_NONE, win;
    unsigned mate_moves;
    enum entering_king_rule rule = (enum entering_king_rule)env->options->value[OPTION_ENTERING_KING];
    bool good = game->kind == JOB_MATE ? result->verdict == VERDICT_NOMATE || result->verdict == VERDICT_UNKNOWN ||
                                             (result->verdict == VERDICT_MATE &&
                                              mate_line_is_right(&pos, result->line, &mate_moves) && mate_moves > 0)
                : result->verdict == VERDICT_MOVE   ? best != MOVE_NONE
                : result->verdict == VERDICT_RESIGN ? !position_has_legal_move(&pos)
                : result->verdict == VERDICT_WIN    ? declaration_wins(&pos, rule, &win)
                                                    : false;
    if (!good) {
        env->metrics->illegal_moves++;
        fx_log(env->out, COORD_LOG_WARN, "scan_result_refused worker=\"%s\" id=%" PRIu32 " ply=%" PRIu32,
               env->registry->workers[worker].name, game->id, ply);
        lease_end(s, worker, "the workers' answers are not legal here", env);
        return ST_ILLEGAL;
    }
    if (game->state[ply] == SCAN_DONE) { /* warm: known from the walk of a worker that was lost */
        walk_on(s, worker, env);
        return ST_OK;
    }
    struct scan_result *out = fx_scan_result(env->out);
    const char *name = env->registry->workers[worker].name;
    *out = (struct scan_result){.id = game->id,
                                .ply = ply,
                                .verdict = result->verdict,
                                .score_kind = result->score_kind,
                                .depth = result->depth,
                                .score = result->score,
                                .nodes = result->nodes,
                                .elapsed_ms = result->elapsed_ms,
                                .refuted_plies = result->refuted_plies,
                                .worker = fx_text(env->out, name, strlen(name)),
                                .boot = env->registry->workers[worker].boot};
    if (result->verdict == VERDICT_MATE) {
        out->best = fx_text(env->out, result->best.bytes, result->best.length);
        out->line = fx_text(env->out, result->line.bytes, result->line.length);
    }
    if (result->verdict == VERDICT_MOVE) {
        out->best = fx_text(env->out, result->best.bytes, result->best.length);
        struct undo undo;
        struct position after = pos;
        position_do(&after, best, &undo);
        ponder = movetext_from_usi(&after, result->ponder.bytes, result->ponder.length);
        add_lines(out, lease, &pos, best, ponder, game->multipv, env);
    }
    bool more = game->warm && ply < game->last_ply;
    if (!more) lease->active = game->leased = false;
    position_done(s, game, ply, env);
    if (more) walk_on(s, worker, env);
    return ST_OK;
}

/* ---- handing out ------------------------------------------------------------------------------------------------ */

static void take_back(struct scan *s, unsigned worker, const char *failure, struct game_env *env)
{
    struct worker *w = &env->registry->workers[worker];
    if (w->present && w->job.owner == JOB_SCAN && w->job.epoch == s->leases[worker].epoch && !w->job.stopping)
        registry_send_stop(env->registry, w, env->now_ms, env->out);
    lease_end(s, worker, failure, env);
}

enum status scan_cancel(struct scan *s, uint32_t id, struct game_env *env)
{
    for (unsigned g = 0; g < SCAN_GAMES_MAX; g++) {
        struct scan_game *game = &s->games[g];
        if (!game->used || game->id != id) continue;
        game->used = false; /* first: what is taken back must not be reported */
        s->game_count--;
        for (unsigned i = 0; i < COORD_WORKERS_MAX; i++) {
            if (!s->leases[i].active || s->leases[i].game != g) continue;
            game->state[s->leases[i].ply] = SCAN_DONE;
            game->warm = false;
            take_back(s, i, NULL, env);
        }
        return ST_OK;
    }
    return ST_UNKNOWN;
}

void scan_worker_lost(struct scan *s, unsigned worker, const struct worker_job *job, struct game_env *env)
{
    if (lease_of(s, worker, job)) lease_end(s, worker, "the workers that had this position were lost", env);
}

static bool avoids(const struct scan_game *game, uint64_t boot)
{
    for (unsigned i = 0; i < SCAN_AVOID_MAX; i++)
        if (game->avoid_boot[i] == boot) return true;
    return false;
}

static bool may_have(const struct scan_game *game, const struct worker *w)
{
    if (game->only_boot) return game->only_boot == w->boot;
    return !avoids(game, w->boot) && (w->trusted || !game->trusted_only);
}

/* The oldest game that has something to do for this worker, and its first position. */
static bool find_todo(struct scan *s, const struct worker *w, unsigned *place, uint32_t *ply)
{
    uint64_t oldest = UINT64_MAX;
    for (unsigned g = 0; g < SCAN_GAMES_MAX; g++) {
        struct scan_game *game = &s->games[g];
        if (!game->used || game->order >= oldest || !may_have(game, w)) continue;
        if (game->warm) {
            if (game->leased) continue;
            oldest = game->order;
            *place = g;
            *ply = game->first_ply;
            continue;
        }
        while (game->todo_from <= game->last_ply && game->state[game->todo_from] != SCAN_TODO) game->todo_from++;
        if (game->todo_from > game->last_ply) continue;
        oldest = game->order;
        *place = g;
        *ply = game->todo_from;
    }
    return oldest != UINT64_MAX;
}

static void hand_out(struct scan *s, unsigned worker, unsigned place, uint32_t ply, struct game_env *env)
{
    struct scan_lease *lease = &s->leases[worker];
    lease->active = s->games[place].leased = true;
    lease->game = place;
    lease->ply = ply;
    send_position(s, worker, env);
}

void scan_advance(struct scan *s, bool pause, struct game_env *env)
{
    if (s->game_count == 0) return;
    if (MUTANT_IS(17)) pause = false; /* a search for the GUI has to wait */
    for (unsigned i = 0; i < env->registry->high; i++) {
        struct worker *w = &env->registry->workers[i];
        if (s->leases[i].active) {
            bool late = env->now_ms >= s->leases[i].until_ms;
            if (pause || late) take_back(s, i, late ? "the workers did not finish in time" : NULL, env);
        }
        unsigned place;
        uint32_t ply;
        if (pause || s->leases[i].active || w->job.owner != JOB_NOBODY || !worker_is_free(env->registry, w)) continue;
        if (!find_todo(s, w, &place, &ply)) continue;
        hand_out(s, i, place, ply, env);
    }
}

unsigned scan_wants_fresh(const struct scan *s, const struct registry *registry)
{
    if (s->game_count == 0) return COORD_WORKERS_MAX;
    for (unsigned g = 0; g < SCAN_GAMES_MAX; g++) {
        const struct scan_game *game = &s->games[g];
        bool waits = game->used && !game->leased && !game->only_boot && game->state[game->first_ply] == SCAN_TODO;
        unsigned found = COORD_WORKERS_MAX;
        for (unsigned i = 0; waits && i < registry->high; i++) {
            const struct worker *w = &registry->workers[i];
            if (!w->present) continue;
            if (!avoids(game, w->boot)) waits = false; /* somebody else will take it */
            if (waits && w->local_slot != COORD_PEER_REMOTE && !s->leases[i].active && w->job.owner == JOB_NOBODY &&
                worker_is_free(registry, w))
                found = i;
        }
        if (waits && found != COORD_WORKERS_MAX) return found;
    }
    return COORD_WORKERS_MAX;
}

int64_t scan_deadline_ms(const struct scan *s)
{
    int64_t due = INT64_MAX;
    for (unsigned i = 0; s->game_count && i < COORD_WORKERS_MAX; i++)
        if (s->leases[i].active && s->leases[i].until_ms < due) due = s->leases[i].until_ms;
    return due;
}

uint32_t scan_positions_left(const struct scan *s)
{
    uint32_t left = 0;
    for (unsigned g = 0, found = 0; found < s->game_count && g < SCAN_GAMES_MAX; g++) {
        if (!s->games[g].used) continue;
        left += s->games[g].left;
        found++;
    }
    return left;
}
