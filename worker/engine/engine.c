/* engine.c - see engine.h. */
#include "worker/engine/engine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/shogi/movegen.h"
#include "worker/engine/engine_clock.h"
#include "worker/engine/root_mate.h"
#include "worker/engine/threads.h"
#include "worker/engine/variant.h"

struct engine {
    struct search_shared shared;
    struct engine_sink sink;
    struct thread_pool *pool;
    struct search_params params;
    struct position root;
    struct claims *claims; /* NULL: not needed yet */

    /* Decided before the search starts: no legal move, or a declaration that wins. MOVE_NONE: search. */
    Move instant;
    Score instant_score;
};

/* ---- reporting ------------------------------------------------------------------------------------------------ */

enum { TOLD_LINE_PLIES = 12 };

/* What other workers told ends a line early: the table knows how it goes on. Returns the new length. */
static size_t line_from_table(const struct engine *engine, Move pv[ENGINE_PV_MAX], size_t count)
{
    struct position pos = engine->root;
    struct undo undo;
    for (size_t i = 0; i < count; i++) position_do(&pos, pv[i], &undo);
    while (count < TOLD_LINE_PLIES) {
        struct tt_hit hit;
        if (!tt_probe(engine->shared.tt, position_key(&pos), &hit) || hit.move == MOVE_NONE ||
            !position_pseudo_legal(&pos, hit.move) || !position_legal(&pos, hit.move))
            break;
        pv[count++] = hit.move;
        position_do(&pos, hit.move, &undo);
    }
    return count;
}

static void report_line(void *context, const struct search_thread *t, size_t root_index, bool unfinished)
{
    struct engine *engine = context;
    if (!engine->sink.info) return;
    const struct root_move *line = &t->root_moves[root_index];
    uint64_t nodes = search_nodes(t);
    Move pv[ENGINE_PV_MAX];
    size_t pv_count = line->pv_count;
    memcpy(pv, line->pv, pv_count * sizeof pv[0]);
    if (engine->shared.limits.sharing.on) pv_count = line_from_table(engine, pv, pv_count);
    struct engine_info info = {
        .depth_plies = t->root_depth_plies,
        .seldepth_plies = line->seldepth_plies > t->root_depth_plies ? line->seldepth_plies : t->root_depth_plies,
        .multipv = unfinished ? 1 : (unsigned)root_index + 1,
        .score = iterate_score_out(line->score == -SCORE_INFINITE ? line->score_previous : line->score),
        .bound = unfinished ? BOUND_LOWER : line->bound,
        .nodes = search_nodes_all(&engine->shared),
        .elapsed_ms = engine_clock_ms() - engine->shared.started_ms,
        .hashfull_permille = tt_hashfull_permille(engine->shared.tt),
        .effort_permille = nodes == 0 ? 0 : (unsigned)(line->nodes * 1000 / nodes),
        .pv = pv,
        .pv_count = pv_count,
    };
    if (root_index == 0 && !unfinished) info.certificate = root_mate_certificate(t, &info.certificate_bytes);
    engine->sink.info(engine->sink.context, &info);
}

static Score root_score(const struct root_move *m)
{
    return m->score == -SCORE_INFINITE ? m->score_previous : m->score;
}

/* Each thread votes for its move, the more the deeper and the better; a mate decides. */
static const struct search_thread *best_thread(const struct engine *engine)
{
    const struct search_shared *shared = &engine->shared;
    const struct search_thread *best = shared->threads[0];
    if (shared->thread_count == 1 || shared->limits.multipv > 1 || shared->limits.depth_plies > 0) return best;
    Score lowest = SCORE_INFINITE;
    for (unsigned i = 0; i < shared->thread_count; i++)
        if (shared->threads[i]->completed_depth_plies > 0 && root_score(&shared->threads[i]->root_moves[0]) < lowest)
            lowest = root_score(&shared->threads[i]->root_moves[0]);
    int64_t best_votes = -1;
    for (unsigned i = 0; i < shared->thread_count; i++) {
        const struct search_thread *candidate = shared->threads[i];
        if (candidate->completed_depth_plies == 0) continue;
        int64_t votes = 0;
        for (unsigned k = 0; k < shared->thread_count; k++) {
            const struct search_thread *voter = shared->threads[k];
            if (voter->completed_depth_plies > 0 && voter->root_moves[0].move == candidate->root_moves[0].move)
                votes += (int64_t)(root_score(&voter->root_moves[0]) - lowest + 20) * voter->completed_depth_plies;
        }
        Score score = root_score(&candidate->root_moves[0]), best_score = root_score(&best->root_moves[0]);
        bool mate = score >= SCORE_MATE_BOUND, best_mate = best_score >= SCORE_MATE_BOUND;
        bool better = mate || best_mate
                          ? score > best_score
                          : votes > best_votes ||
                                (votes == best_votes && candidate->completed_depth_plies > best->completed_depth_plies);
        if (best_votes < 0 || better) {
            best = candidate;
            best_votes = votes;
        }
    }
    return best;
}

/* The expected reply: from the line, else from the table. */
static Move ponder_move(const struct engine *engine, const struct root_move *best)
{
    if (best->pv_count >= 2) return best->pv[1];
    struct position pos = engine->root;
    struct undo undo;
    struct tt_hit hit;
    position_do(&pos, best->move, &undo);
    if (!tt_probe(engine->shared.tt, position_key(&pos), &hit) || hit.move == MOVE_NONE ||
        !position_pseudo_legal(&pos, hit.move) || !position_legal(&pos, hit.move))
        return MOVE_NONE;
    return hit.move;
}

static void lead(void *context, struct search_thread *t)
{
    struct engine *engine = context;
    if (engine->instant == MOVE_NONE) iterate(t, report_line, engine);
    atomic_store_explicit(&engine->shared.stop, true, memory_order_relaxed);
}

static void help(void *context, struct search_thread *t)
{
    struct engine *engine = context;
    if (engine->instant == MOVE_NONE) iterate(t, NULL, NULL);
}

static void finish(void *context)
{
    struct engine *engine = context;
    struct engine_result result = {
        .best = engine->instant,
        .score = engine->instant_score,
        .stopped = atomic_load_explicit(&engine->shared.stopped_by_owner, memory_order_relaxed),
    };
    if (engine->instant == MOVE_NONE) {
        const struct search_thread *t = best_thread(engine);
        const struct root_move *best = &t->root_moves[0];
        result.best = best->move;
        result.ponder = ponder_move(engine, best);
        Score score = root_score(best);
        result.score = score == -SCORE_INFINITE ? 0 : iterate_score_out(score);
        result.bound = best->bound;
        result.depth_plies = t->completed_depth_plies;
        result.nodes = search_nodes_all(&engine->shared);
    }
    result.elapsed_ms = engine_clock_ms() - engine->shared.started_ms;
    if (engine->sink.done) engine->sink.done(engine->sink.context, &result);
}

/* ---- life ----------------------------------------------------------------------------------------------------- */

static void threads_free(struct search_thread **threads, unsigned count)
{
    if (!threads) return;
    for (unsigned i = 0; i < count; i++) search_thread_free(threads[i]);
    free(threads);
}

static struct search_thread **threads_new(struct search_shared *shared, unsigned count)
{
    struct search_thread **threads = calloc(count, sizeof *threads);
    for (unsigned i = 0; threads && i < count; i++) {
        threads[i] = search_thread_new(shared, i);
        if (!threads[i]) {
            threads_free(threads, count);
            return NULL;
        }
    }
    return threads;
}

static struct thread_pool *pool_new(struct engine *engine)
{
    return thread_pool_new(
        &engine->shared, &(struct thread_pool_hooks){.context = engine, .lead = lead, .help = help, .finish = finish});
}

struct engine *engine_new_variant(const struct engine_options *options, const struct engine_sink *sink,
                                  const struct eval_ops *eval, const struct search_params *params)
{
    assert(options->threads >= 1);
    struct engine *engine = calloc(1, sizeof *engine);
    if (!engine) return NULL;
    engine->sink = *sink;
    engine->params = *params;
    engine->shared.options = *options;
    engine->shared.eval = eval;
    engine->shared.eval->load();
    engine->shared.tt = tt_new(options->hash_bytes);
    engine->shared.threads = threads_new(&engine->shared, options->threads);
    if (engine->shared.threads) engine->shared.thread_count = options->threads;
    if (engine->shared.tt && engine->shared.threads) engine->pool = pool_new(engine);
    if (!engine->pool) {
        engine_free(engine);
        return NULL;
    }
    return engine;
}

struct engine *engine_new(const struct engine_options *options, const struct engine_sink *sink)
{
    struct search_params params = search_params_default();
    return engine_new_variant(options, sink, &eval_classic, &params);
}

void engine_free(struct engine *engine)
{
    if (!engine) return;
    engine_stop(engine);
    thread_pool_free(engine->pool);
    threads_free(engine->shared.threads, engine->shared.thread_count);
    tt_free(engine->shared.tt);
    free(engine->claims);
    free(engine);
}

enum status engine_configure(struct engine *engine, const struct engine_options *options)
{
    assert(options->threads >= 1);
    if (!thread_pool_is_idle(engine->pool)) return ST_STATE;
    struct search_shared *shared = &engine->shared;
    struct tt *tt = shared->tt;
    struct search_thread **threads = shared->threads;
    struct thread_pool *pool = engine->pool;
    unsigned count = shared->thread_count;
    if (options->hash_bytes != shared->options.hash_bytes) {
        tt = tt_new(options->hash_bytes);
        if (!tt) return ST_NO_MEMORY;
    }
    if (options->threads != count) {
        shared->threads = threads_new(shared, options->threads);
        shared->thread_count = options->threads;
        engine->pool = shared->threads ? pool_new(engine) : NULL;
        if (!engine->pool) { /* everything as it was */
            if (shared->threads) threads_free(shared->threads, options->threads);
            if (tt != shared->tt) tt_free(tt);
            shared->threads = threads;
            shared->thread_count = count;
            engine->pool = pool;
            return ST_NO_MEMORY;
        }
        thread_pool_free(pool);
        threads_free(threads, count);
    }
    if (tt != shared->tt) {
        tt_free(shared->tt);
        shared->tt = tt;
    }
    shared->options = *options;
    return ST_OK;
}

/* ---- sharing -------------------------------------------------------------------------------------------------- */

enum { PREFETCH_AHEAD = 8 };

size_t engine_hints_take(struct engine *engine, struct hint *out, size_t capacity)
{
    size_t count = 0;
    for (unsigned i = 0; i < engine->shared.thread_count; i++)
        if (engine->shared.threads[i]->ring)
            count += share_take(engine->shared.threads[i]->ring, out + count, capacity - count);
    return count;
}

void engine_hints_put(struct engine *engine, const struct hint *hints, size_t count)
{
    struct search_shared *shared = &engine->shared;
    for (size_t i = 0; i < count && i < PREFETCH_AHEAD; i++) tt_prefetch(shared->tt, hints[i].key);
    for (size_t i = 0; i < count; i++) {
        if (i + PREFETCH_AHEAD < count) tt_prefetch(shared->tt, hints[i + PREFETCH_AHEAD].key);
        if (hint_kind_of(&hints[i]) == HINT_CLAIM) {
            if (shared->claims) claims_put(shared->claims, hints[i].key, hint_depth_plies(&hints[i]), 0);
        } else if (tt_insert(shared->tt, &hints[i]) && shared->claims) {
            claims_drop(shared->claims, hints[i].key);
        }
    }
    atomic_fetch_add_explicit(&shared->hints_put, (uint32_t)count, memory_order_relaxed);
}

void engine_hints_gate(struct engine *engine, int gate_plies)
{
    atomic_store_explicit(&engine->shared.gate_plies, gate_plies, memory_order_relaxed);
}

uint64_t engine_hints_dropped(const struct engine *engine)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < engine->shared.thread_count; i++)
        if (engine->shared.threads[i]->ring)
            sum += atomic_load_explicit(&engine->shared.threads[i]->ring->dropped, memory_order_relaxed);
    return sum;
}

/* Rings and claims are made when they are first wanted, and kept. */
static bool sharing_prepare(struct engine *engine, const struct engine_sharing *sharing)
{
    struct search_shared *shared = &engine->shared;
    for (unsigned i = 0; sharing->on && i < shared->thread_count; i++) {
        struct search_thread *t = shared->threads[i];
        if (!t->ring) t->ring = share_ring_new();
        if (!t->ring) return false;
    }
    bool claims = sharing->on && sharing->claim_plies > 0;
    if (claims && !engine->claims) engine->claims = malloc(sizeof *engine->claims);
    if (claims && !engine->claims) return false;
    shared->claims = claims ? engine->claims : NULL;
    if (claims) claims_clear(shared->claims);
    atomic_store_explicit(&shared->gate_plies, sharing->on ? sharing->gate_plies : SHARE_GATE_CLOSED,
                          memory_order_relaxed);
    atomic_store_explicit(&shared->hints_put, 0, memory_order_relaxed);
    return true;
}

bool engine_warm(struct engine *engine) { return tt_warm(engine->shared.tt); }

enum status engine_new_game(struct engine *engine)
{
    if (!thread_pool_is_idle(engine->pool)) return ST_STATE;
    if (engine->shared.tt->searched) tt_clear(engine->shared.tt, engine->shared.thread_count);
    for (unsigned i = 0; i < engine->shared.thread_count; i++) search_thread_clear(engine->shared.threads[i]);
    return ST_OK;
}

/* ---- searching ------------------------------------------------------------------------------------------------ */

/* Without `full`, leave out the non-promotions that movegen() leaves out. */
static size_t list_root_moves(const struct position *pos, bool full, Move *moves)
{
    if (full) return movegen_legal(pos, moves);
    size_t count = 0, legal = 0;
    if (position_in_check(pos)) {
        count = movegen(pos, MOVEGEN_EVASIONS, false, moves);
    } else {
        count = movegen(pos, MOVEGEN_CAPTURES, false, moves);
        count += movegen(pos, MOVEGEN_QUIETS, false, moves + count);
    }
    for (size_t i = 0; i < count; i++)
        if (position_legal(pos, moves[i])) moves[legal++] = moves[i];
    return legal;
}

static bool contains(const Move *moves, size_t count, Move move)
{
    for (size_t i = 0; i < count; i++)
        if (moves[i] == move) return true;
    return false;
}

enum status engine_go(struct engine *engine, const struct position *root, const struct history *history,
                      const struct engine_limits *limits)
{
    if (!thread_pool_is_idle(engine->pool)) return ST_STATE;
    struct search_shared *shared = &engine->shared;
    Move moves[MOVES_MAX];
    size_t count = list_root_moves(root, shared->options.generate_all_moves || limits->searchmoves_count > 0, moves);
    if (limits->searchmoves_count > 0) {
        for (size_t i = 0; i < limits->searchmoves_count; i++)
            if (!contains(moves, count, limits->searchmoves[i])) return ST_ILLEGAL;
        size_t kept = 0;
        for (size_t i = 0; i < count; i++)
            if (contains(limits->searchmoves, limits->searchmoves_count, moves[i])) moves[kept++] = moves[i];
        count = kept;
    }

    if (!sharing_prepare(engine, &limits->sharing)) return ST_NO_MEMORY;
    shared->started_ms = engine_clock_ms();
    shared->limits = *limits;
    shared->limits.searchmoves = NULL;
    shared->limits.searchmoves_count = 0;
    shared->root_side = root->side;
    shared->draw_score_root =
        score_clamp_cp(root->side == BLACK ? shared->options.draw_value_black_cp : shared->options.draw_value_white_cp);
    engine->root = *root;
    engine->instant = MOVE_NONE;
    engine->instant_score = 0;
    Move declared;
    if (count == 0) {
        engine->instant = MOVE_RESIGN;
        engine->instant_score = score_mated_in(0);
    } else if (limits->searchmoves_count == 0 && declaration_wins(root, shared->options.rule, &declared)) {
        engine->instant = declared;
        engine->instant_score = score_mate_in(1);
    }

    unsigned lines = limits->multipv < 1 ? 1 : limits->multipv;
    for (unsigned i = 0; i < shared->thread_count; i++) {
        struct search_thread *t = shared->threads[i];
        t->params = engine->params;
        if (shared->options.tsumero != ENGINE_DEFAULT) t->params.tsumero = shared->options.tsumero == ENGINE_ON;
        t->root_count_moves = count;
        t->multipv_count = lines < count ? lines : count;
        t->root_is_part = limits->searchmoves_count > 0;
        t->moves_before = limits->part ? (int)limits->moves_before : 0;
        for (size_t k = 0; k < count; k++)
            t->root_moves[k] = (struct root_move){.move = moves[k],
                                                  .score = -SCORE_INFINITE,
                                                  .score_previous = -SCORE_INFINITE,
                                                  .score_mean = -SCORE_INFINITE,
                                                  .pv_count = 1,
                                                  .pv = {moves[k]}};
        search_thread_start(t, root, history);
    }
    if (!limits->continues) tt_new_search(shared->tt);
    atomic_store_explicit(&shared->stop, false, memory_order_relaxed);
    atomic_store_explicit(&shared->stopped_by_owner, false, memory_order_relaxed);
    bool started = thread_pool_start(engine->pool);
    assert(started);
    (void)started;
    return ST_OK;
}

void engine_stop(struct engine *engine)
{
    atomic_store_explicit(&engine->shared.stopped_by_owner, true, memory_order_relaxed);
    atomic_store_explicit(&engine->shared.stop, true, memory_order_relaxed);
}

void engine_wait(struct engine *engine) { thread_pool_wait(engine->pool); }

uint64_t engine_eval_hash(const struct engine *engine) { return engine->shared.eval->hash(); }

const char *engine_eval_name(const struct engine *engine) { return engine->shared.eval->name; }
