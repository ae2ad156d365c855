/* search.c - see search.h. The two big functions are recipes in numbered steps. */
#include "worker/engine/search.h"

#include <string.h>

#include "worker/engine/company.h"
#include "worker/engine/engine_clock.h"
#include "worker/engine/mate/mate1.h"
#include "worker/engine/see.h"

enum {
    QS_DEPTH = 0,
    MATE1_DEPTH = 60,
    MATE_KNOWN_PLIES = 10, /* a longer mate is stored as if searched so much deeper: it is found again easily */
    ABANDON_PLIES = 4,
    OFFER_NODES = 30 /* what costs less is not worth a message */
};

/* 1024 * ln(n): a table, because libm differs between machines and node counts must not. */
static const uint16_t ln_q10[128] = {
    0,    0,    710,  1125, 1420, 1648, 1835, 1993, 2129, 2250, 2358, 2455, 2545, 2627, 2702, 2773, 2839, 2901, 2960,
    3015, 3068, 3118, 3165, 3211, 3254, 3296, 3336, 3375, 3412, 3448, 3483, 3516, 3549, 3580, 3611, 3641, 3670, 3698,
    3725, 3751, 3777, 3803, 3827, 3851, 3875, 3898, 3921, 3943, 3964, 3985, 4006, 4026, 4046, 4066, 4085, 4104, 4122,
    4140, 4158, 4175, 4193, 4210, 4226, 4243, 4259, 4275, 4290, 4306, 4321, 4336, 4350, 4365, 4379, 4394, 4407, 4421,
    4435, 4448, 4461, 4474, 4487, 4500, 4513, 4525, 4537, 4549, 4561, 4573, 4585, 4596, 4608, 4619, 4630, 4641, 4652,
    4663, 4674, 4685, 4695, 4705, 4716, 4726, 4736, 4746, 4756, 4766, 4775, 4785, 4795, 4804, 4813, 4823, 4832, 4841,
    4850, 4859, 4868, 4876, 4885, 4894, 4902, 4911, 4919, 4928, 4936, 4944, 4952, 4960};

static inline int min_int(int a, int b) { return a < b ? a : b; }
static inline int max_int(int a, int b) { return a > b ? a : b; }

/* ---- moves ---------------------------------------------------------------------------------------------------- */

static void make_move(struct search_thread *t, struct search_frame *f, Move move)
{
    tt_prefetch(t->shared->tt, position_key_after(&t->pos, move));
    f->current = move;
    f->continuation = &t->history->continuation[history_piece(&t->pos, move)][move_to(move)];
    position_do(&t->pos, move, &f->undo);
    (void)history_push(&t->line, &t->pos); /* room was left by search_thread_start */
    t->shared->eval->push(t->eval_state, &t->pos, &f->undo);
    atomic_store_explicit(&t->nodes, search_nodes(t) + 1, memory_order_relaxed);
}

static void unmake_move(struct search_thread *t, struct search_frame *f)
{
    t->shared->eval->pop(t->eval_state);
    history_pop(&t->line);
    position_undo(&t->pos, &f->undo);
}

static void make_null(struct search_thread *t, struct search_frame *f)
{
    f->current = MOVE_NULL;
    f->continuation = &t->history->no_continuation;
    position_do_null(&t->pos, &f->undo);
    f->undo.move = MOVE_NULL;
    (void)history_push_null(&t->line, &t->pos);
    t->shared->eval->push(t->eval_state, &t->pos, &f->undo);
    tt_prefetch(t->shared->tt, position_key(&t->pos));
    atomic_store_explicit(&t->nodes, search_nodes(t) + 1, memory_order_relaxed);
}

static void unmake_null(struct search_thread *t, struct search_frame *f)
{
    t->shared->eval->pop(t->eval_state);
    history_pop(&t->line);
    position_undo_null(&t->pos, &f->undo);
}

/* ---- limits --------------------------------------------------------------------------------------------------- */

/* Looks at node limit and dead-man clock every SEARCH_POLL_NODES nodes, and exactly at the node limit of one thread. */
static bool out_of_limits(struct search_thread *t)
{
    struct search_shared *shared = t->shared;
    uint64_t nodes = search_nodes(t);
    if (nodes >= t->nodes_limit) {
        uint64_t all = search_nodes_all(shared), limit = shared->limits.nodes;
        t->nodes_limit = nodes + SEARCH_POLL_NODES;
        bool over = false;
        if (limit != 0) {
            over = all >= limit;
            if (!over && limit - all < SEARCH_POLL_NODES)
                t->nodes_limit = nodes + (shared->thread_count == 1 ? limit - all : (limit - all) / 2 + 1);
        }
        if (shared->limits.time_ms > 0 && engine_clock_ms() - shared->started_ms >= shared->limits.time_ms) over = true;
        const struct engine_pacer *pacer = shared->limits.pacer;
        if (pacer) {
            if (nodes >= t->pause_nodes) t->pause_nodes = pacer->pause(pacer->context, nodes);
            if (t->pause_nodes < t->nodes_limit) t->nodes_limit = t->pause_nodes;
        }
        if (over) atomic_store_explicit(&shared->stop, true, memory_order_relaxed);
    }
    return search_stopped(t);
}

/* ---- scores --------------------------------------------------------------------------------------------------- */

static Score draw_score(const struct search_thread *t)
{
    /* One point of noise keeps the search from seeing all draws as equal and walking around in circles. */
    Score noise = 1 - (int)(search_nodes(t) & 2);
    return (t->pos.side == t->shared->root_side ? t->shared->draw_score_root : -t->shared->draw_score_root) + noise;
}

/* Repetition and move limit at a node below the root. */
static bool game_is_over(const struct search_thread *t, struct search_frame *f, Score *score)
{
    int plies_back, ply = f->ply;
    enum outcome verdict = history_search_verdict(&t->line, &t->pos, t->root_count, &plies_back);
    if (verdict != OUTCOME_NONE) f->path_ply = ply - plies_back;
    switch (verdict) {
    case OUTCOME_DRAW_REPETITION:
        *score = draw_score(t);
        return true;
    case OUTCOME_PERPETUAL_WIN:
    case OUTCOME_SUPERIOR:
        *score = SCORE_SUPERIOR - ply;
        return true;
    case OUTCOME_PERPETUAL_LOSS:
    case OUTCOME_INFERIOR:
        *score = ply - SCORE_SUPERIOR;
        return true;
    case OUTCOME_NONE:
    case OUTCOME_DRAW_MOVE_LIMIT:
    case OUTCOME_MATED:
        break;
    }
    unsigned max_moves = t->shared->options.max_moves_to_draw;
    if (max_moves != 0 && t->pos.game_ply > max_moves) {
        bool mated = position_in_check(&t->pos) && !position_has_legal_move(&t->pos);
        f->path_ply = -1; /* another path reaches this position earlier in the game */
        *score = mated ? score_mated_in(ply) : draw_score(t);
        return true;
    }
    return false;
}

static Score evaluate(struct search_thread *t) { return t->shared->eval->score(t->eval_state, &t->pos); }

static Score corrected_eval(const struct search_thread *t, Score raw)
{
    if (!t->params.correction) return raw;
    Score score = raw + history_correction_cp(t->history, &t->pos);
    return score > EVAL_CP_MAX ? EVAL_CP_MAX : score < -EVAL_CP_MAX ? -EVAL_CP_MAX : score;
}

static void store(struct search_thread *t, const struct search_frame *f, uint64_t key, Move move, Score score,
                  Score raw_eval, int depth_plies, enum tt_bound bound, bool pv)
{
    /* A superiority or perpetual-check verdict belongs to the path, not to the position: keep only the move. */
    if (search_is_decided(score) && !score_is_mate(score)) {
        depth_plies = QS_DEPTH - 1;
        bound = TT_NONE;
    }
    Score kept = tt_score_store(score, f->ply);
    tt_store(t->shared->tt, key, move, kept, raw_eval, depth_plies, bound, pv);
    if (t->ring && depth_plies >= atomic_load_explicit(&t->shared->gate_plies, memory_order_relaxed) &&
        f->path_ply >= f->ply && search_nodes(t) - f->nodes_before >= OFFER_NODES)
        share_offer(t->ring, tt_hint(key, move, kept, raw_eval, depth_plies, bound, pv, search_horizon(t)));
}

/* ---- histories ------------------------------------------------------------------------------------------------ */

static int stat_bonus(int depth_plies) { return min_int(160 * depth_plies - 90, 1700); }
static int stat_malus(int depth_plies) { return min_int(200 * depth_plies - 60, 1500); }

static void update_continuations(struct search_thread *t, struct search_frame *f, Piece piece, Square to, int bonus)
{
    static const struct {
        int back, share_q10;
    } rows[] = {{1, 1024}, {2, 900}, {3, 350}, {4, 600}, {6, 450}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (f->in_check && rows[i].back > 2) break;
        continuation_row *row = (f - rows[i].back)->continuation;
        if (row != &t->history->no_continuation)
            history_add(&(*row)[piece][to], bonus * rows[i].share_q10 / 1024, CONTINUATION_LIMIT);
    }
}

static void update_quiet(struct search_thread *t, struct search_frame *f, Move move, int bonus)
{
    Piece piece = history_piece(&t->pos, move);
    Square to = move_to(move);
    history_add(history_butterfly(t->history, t->pos.side, move), bonus, HISTORY_LIMIT);
    history_add(&t->history->pawn[history_pawn_index(&t->pos)][piece][to], bonus, HISTORY_LIMIT);
    update_continuations(t, f, piece, to, bonus);
}

struct tried_moves {
    int quiet_count, capture_count;
    Move quiets[64], captures[32];
};

static void update_after_cutoff(struct search_thread *t, struct search_frame *f, Move best,
                                const struct tried_moves *tried, int depth_plies)
{
    int bonus = stat_bonus(depth_plies), malus = stat_malus(depth_plies);
    if (move_is_tactical(&t->pos, best)) {
        history_add(history_capture(t->history, &t->pos, best), bonus, HISTORY_LIMIT);
    } else {
        update_quiet(t, f, best, bonus);
        for (int i = 0; i < tried->quiet_count; i++) update_quiet(t, f, tried->quiets[i], -malus);
    }
    for (int i = 0; i < tried->capture_count; i++)
        history_add(history_capture(t->history, &t->pos, tried->captures[i]), -malus, HISTORY_LIMIT);
}

static void fill_continuations(const struct search_frame *f, continuation_row *rows[MOVEPICK_CONTINUATIONS])
{
    rows[0] = (f - 1)->continuation;
    rows[1] = (f - 2)->continuation;
    rows[2] = (f - 4)->continuation;
    rows[3] = (f - 6)->continuation;
}

static void take_pv(struct search_frame *f, Move move)
{
    const struct search_frame *child = f + 1;
    uint16_t count = (uint16_t)min_int(child->pv_count, ENGINE_PV_MAX - 1);
    f->pv[0] = move;
    memcpy(f->pv + 1, child->pv, count * sizeof f->pv[0]);
    f->pv_count = (uint16_t)(count + 1);
}

/* ---- mates ------------------------------------------------------------------------------------------------------ */

/* A mate that is known, not searched: the node is worth it. */
static Score take_mate(struct search_thread *t, struct search_frame *f, uint64_t key, struct tsumero_mate *mate,
                       Score raw_eval, int depth_plies, bool pv)
{
    if (pv) {
        f->pv[0] = mate->move;
        f->pv_count = 1;
        struct tsumero_mate again = {.move = mate->move, .plies = mate->plies};
        size_t count = tsumero_line(t, &again, f->pv, ENGINE_PV_MAX);
        if (count > 0) f->pv_count = (uint16_t)count;
        if (count > 0) *mate = again;
    }
    Score score = score_mate_in(f->ply + mate->plies);
    store(t, f, key, mate->move, score, raw_eval, min_int(depth_plies + MATE_KNOWN_PLIES, MATE1_DEPTH), TT_LOWER,
          f->tt_pv);
    return score;
}

/* ---- quiescence ----------------------------------------------------------------------------------------------- */

/* Looks at captures and promotions (in check: at all answers) until the position is quiet. */
static Score quiescence(struct search_thread *t, struct search_frame *f, Score alpha, Score beta, int depth_plies)
{
    const struct search_params *params = &t->params;
    struct position *pos = &t->pos;
    bool pv = beta - alpha > 1;
    Score score;
    f->pv_count = 0;
    f->path_ply = SEARCH_PATH_NONE;
    f->nodes_before = search_nodes(t);
    f->in_check = position_in_check(pos);
    f->threat = TSUMERO_N;
    if (pv && t->seldepth_plies < f->ply + 1) t->seldepth_plies = f->ply + 1;

    /* Step 1. Limits, repetition, depth of the line. */
    if (out_of_limits(t)) return 0;
    if (game_is_over(t, f, &score)) return score;
    if (f->ply >= SEARCH_PLY_MAX) return f->in_check ? draw_score(t) : evaluate(t);

    /* Step 2. Transposition table. */
    uint64_t key = position_key(pos);
    struct tt_hit hit;
    f->tt_hit = tt_probe(t->shared->tt, key, &hit);
    Move tt_move = f->tt_hit ? hit.move : MOVE_NONE;
    Score tt_score = f->tt_hit && hit.bound != TT_NONE ? tt_score_load(hit.score, f->ply) : SCORE_NONE;
    bool pv_hit = f->tt_hit && hit.pv;
    if (!pv && tt_score != SCORE_NONE && hit.depth_plies >= QS_DEPTH && tt_bound_fits(hit.bound, tt_score, beta))
        return tt_score;

    /* Step 3. Stand pat: the side to move is not forced to capture. */
    Score raw_eval = SCORE_NONE, best_score = -SCORE_INFINITE, futility_base = -SCORE_INFINITE;
    if (!f->in_check) {
        if (params->mate1 && !f->tt_hit) {
            Move mate = mate1_find(pos);
            if (mate != MOVE_NONE) {
                store(t, f, key, mate, score_mate_in(f->ply + 1), SCORE_NONE, MATE1_DEPTH, TT_EXACT, pv);
                if (pv) {
                    f->pv[0] = mate;
                    f->pv_count = 1;
                }
                return score_mate_in(f->ply + 1);
            }
        }
        raw_eval = f->tt_hit && hit.eval != SCORE_NONE ? hit.eval : evaluate(t);
        f->static_eval = best_score = corrected_eval(t, raw_eval);
        if ((f - 1)->threat != TSUMERO_N) { /* has the threat been parried, or only put off by checks? */
            struct tsumero_mate mate;
            if (tsumero_look(t, f, best_score, beta, QS_DEPTH, &mate))
                return take_mate(t, f, key, &mate, raw_eval, depth_plies, pv);
            if (f->threat == TSUMERO_T) best_score -= params->threat_penalty_cp;
        }
        if (tt_score != SCORE_NONE && !search_is_decided(tt_score) &&
            (hit.bound & (tt_score > best_score ? TT_LOWER : TT_UPPER)) != 0)
            best_score = tt_score;
        if (best_score >= beta) {
            if (!f->tt_hit) store(t, f, key, MOVE_NONE, best_score, raw_eval, QS_DEPTH - 1, TT_LOWER, false);
            return best_score;
        }
        if (best_score > alpha) alpha = best_score;
        futility_base = f->static_eval + params->qsearch_futility_cp;
    } else {
        f->static_eval = SCORE_NONE;
    }

    /* Step 4. Moves. */
    continuation_row *rows[MOVEPICK_CONTINUATIONS];
    fill_continuations(f, rows);
    struct movepick mp;
    movepick_init_quiescence(&mp, pos, t->history, rows, tt_move, t->shared->options.generate_all_moves,
                             (f - 1)->pool_end);
    Square recapture_sq =
        (f - 1)->current != MOVE_NONE && (f - 1)->current != MOVE_NULL ? move_to((f - 1)->current) : SQUARE_NONE;
    Move best_move = MOVE_NONE, move;
    int move_count = 0, quiet_evasions = 0;
    while ((move = movepick_next(&mp, false)) != MOVE_NONE) {
        if (!position_legal(pos, move)) continue;
        move_count++;
        f->pool_end = mp.end;

        /* Step 5. Leave out what cannot help. */
        if (best_score > -SEARCH_DECIDED_CP) {
            if (!f->in_check) {
                bool checks = position_gives_check(pos, move), recaptures = move_to(move) == recapture_sq;
                if (!checks && !recaptures) {
                    if (move_count > params->qsearch_moves) continue;
                    Score reach = futility_base + see_exchange_cp[piece_type(pos->board[move_to(move)])];
                    if (move_promotes(move)) reach += see_promotion_cp(piece_type(pos->board[move_from(move)]));
                    if (reach <= alpha) {
                        best_score = max_int(best_score, reach);
                        continue;
                    }
                    if (futility_base <= alpha && !see_at_least(pos, move, 1)) {
                        best_score = max_int(best_score, futility_base);
                        continue;
                    }
                }
                if (!see_at_least(pos, move, -params->qsearch_see_cp)) continue;
            } else {
                if (!move_is_tactical(pos, move) && ++quiet_evasions > 3) continue;
                if (!see_at_least(pos, move, -params->qsearch_see_cp)) continue;
            }
        }

        make_move(t, f, move);
        score = -quiescence(t, f + 1, -beta, -alpha, depth_plies - 1);
        unmake_move(t, f);
        if (search_stopped(t)) return 0;
        if (score > best_score) {
            best_score = score;
            f->path_ply = (f + 1)->path_ply;
            if (score > alpha) {
                best_move = move;
                if (pv) take_pv(f, move);
                if (score >= beta) break;
                alpha = score;
            }
        }
    }

    /* Step 6. No answer to check: mate. (Moves that were left out do not count: then best_score is above
     * -SEARCH_DECIDED_CP.)
     */
    if (f->in_check && move_count == 0) return score_mated_in(f->ply);
    store(t, f, key, best_move, best_score, raw_eval, QS_DEPTH, best_score >= beta ? TT_LOWER : TT_UPPER, pv_hit);
    return best_score;
}

/* ---- main search ---------------------------------------------------------------------------------------------- */

static int lmr_reduction_q10(const struct search_params *params, int depth_plies, int move_count)
{
    int product = (int)ln_q10[min_int(depth_plies, 127)] * ln_q10[min_int(move_count, 127)] / 1024;
    return params->lmr_base_q10 + product * params->lmr_product_pc / 100;
}

static Score search_node(struct search_thread *t, struct search_frame *f, Score alpha, Score beta, int depth_plies,
                         bool cut_node);

/* What a node returns that is being left: its told score if it is the one that was told. */
static Score leave(struct search_thread *t, struct search_frame *f)
{
    if (t->leave_ply != f->ply || f->excluded != MOVE_NONE) return 0; /* means nothing: it is left, too */
    f->path_ply = SEARCH_PATH_NONE;
    t->leave_ply = SEARCH_PATH_NONE;
    return t->leave_score;
}

/* A pass that still reaches beta shows that the position is too good to be reached. */
static bool null_move_cuts(struct search_thread *t, struct search_frame *f, Score eval, Score beta, int depth_plies,
                           bool improving, Score *result)
{
    const struct search_params *params = &t->params;
    if (depth_plies < params->null_plies || (f - 1)->current == MOVE_NULL || f->ply < t->null_ply_min ||
        search_is_decided(beta) || eval < beta ||
        f->static_eval < beta + params->null_base_cp - params->null_ply_cp * depth_plies + 100 - 40 * improving)
        return false;
    int reduction = params->null_reduction_plies + depth_plies / params->null_depth_divisor +
                    min_int((eval - beta) / params->null_eval_divisor_cp, 3);
    f->pool_end = (f - 1)->pool_end;
    (f + 1)->company = f->company;
    make_null(t, f);
    Score score = -search_node(t, f + 1, -beta, 1 - beta, depth_plies - reduction, false);
    unmake_null(t, f);
    int path_ply = (f + 1)->path_ply;
    if (search_stopped(t) || t->leave_ply <= f->ply) {
        *result = leave(t, f);
        return true;
    }
    if (score < beta || search_is_decided(score)) return false;
    if (t->null_ply_min != 0 || depth_plies < params->null_verify_plies) {
        f->path_ply = path_ply;
        *result = score;
        return true;
    }
    /* Deep down, be sure that it is no zugzwang or search_horizon effect: search again without passes of this side. */
    t->null_ply_min = f->ply + 3 * (depth_plies - reduction) / 4;
    Score verified = search_node(t, f, beta - 1, beta, depth_plies - reduction, false);
    t->null_ply_min = 0;
    *result = t->leave_ply <= f->ply ? leave(t, f) : score;
    return search_stopped(t) || t->leave_ply < f->ply || verified >= beta;
}

static void note_root_score(struct search_thread *t, struct search_frame *f, struct root_move *root, Score score,
                            Score alpha, Score beta, bool first, uint64_t nodes)
{
    root->nodes += nodes;
    if (!first && score <= alpha) {
        root->score = -SCORE_INFINITE; /* keeps the order of the moves behind the best */
        return;
    }
    root->score = score;
    root->bound = score >= beta ? BOUND_LOWER : score <= alpha ? BOUND_UPPER : BOUND_EXACT;
    root->score_mean = root->score_mean == -SCORE_INFINITE ? score : (root->score_mean + score) / 2;
    root->seldepth_plies = t->seldepth_plies;
    take_pv(f, root->move);
    root->pv_count = f->pv_count;
    memcpy(root->pv, f->pv, f->pv_count * sizeof root->pv[0]);
    bool asked = t->report && t->multipv_count == 1 && !t->shared->limits.part && t->completed_depth_plies > 0;
    if (!first && asked && !search_stopped(t)) t->report(t->report_context, t, (size_t)(root - t->root_moves), true);
}

static Score search_node(struct search_thread *t, struct search_frame *f, Score alpha, Score beta, int depth_plies,
                         bool cut_node)
{
    const struct search_params *params = &t->params;
    struct position *pos = &t->pos;
    bool root = f->ply == 0, pv = root || beta - alpha > 1;

    /* Step 1. At the search_horizon only captures count. */
    if (depth_plies <= 0) return quiescence(t, f, alpha, beta, QS_DEPTH);
    depth_plies = min_int(depth_plies, ENGINE_DEPTH_MAX);
    f->pv_count = 0;
    f->path_ply = SEARCH_PATH_NONE;
    if (f->excluded == MOVE_NONE) f->nodes_before = search_nodes(t);
    f->in_check = position_in_check(pos);
    f->move_count = 0;
    if (f->excluded == MOVE_NONE) f->threat = TSUMERO_N;
    (f + 2)->cutoffs = 0;
    if (pv && t->seldepth_plies < f->ply + 1) t->seldepth_plies = f->ply + 1;
    Score score;

    /* Step 2. Limits, repetition, move limit, length of the line. */
    if (out_of_limits(t)) return 0;
    if (!root) {
        if (f->excluded == MOVE_NONE && game_is_over(t, f, &score)) return score;
        if (f->ply >= SEARCH_PLY_MAX) return f->in_check ? draw_score(t) : evaluate(t);
        /* Step 3. Mate distance: a shorter mate is known already. */
        alpha = max_int(alpha, score_mated_in(f->ply));
        beta = min_int(beta, score_mate_in(f->ply + 1));
        if (alpha >= beta) return alpha;
    }

    /* Step 4. Transposition table. In PV nodes only the move is used: a cut here would shorten the line that we show.
     */
    Move excluded = f->excluded;
    uint64_t key = position_key(pos);
    struct tt_hit hit;
    f->tt_hit = tt_probe(t->shared->tt, key, &hit);
    Score tt_score = f->tt_hit && hit.bound != TT_NONE ? tt_score_load(hit.score, f->ply) : SCORE_NONE;
    Move tt_move = root ? t->root_moves[t->multipv_index].pv[0] : f->tt_hit ? hit.move : MOVE_NONE;
    if (excluded == MOVE_NONE) f->tt_pv = pv || (f->tt_hit && hit.pv);
    bool tt_tactical = tt_move != MOVE_NONE && move_is_tactical(pos, tt_move);
    bool sharing = t->shared->limits.sharing.on;
    if (sharing && excluded == MOVE_NONE) {
        if (root && company_root_is_told(t, key)) return t->told_score;
        f->key = key;
        f->watched = !root && depth_plies >= ABANDON_PLIES;
        f->watched_pv = pv;
        f->watched_beta = beta;
        f->watched_plies = depth_plies;
    }
    if (excluded == MOVE_NONE && tt_score != SCORE_NONE && hit.told && !root &&
        company_told_enough(t, &hit, &tt_score, pv, beta, depth_plies))
        return tt_score;
    if (!pv && excluded == MOVE_NONE && tt_score != SCORE_NONE && hit.depth_plies >= depth_plies + (tt_score >= beta) &&
        tt_bound_fits(hit.bound, tt_score, beta) && (cut_node == (tt_score >= beta) || depth_plies > 5)) {
        if (tt_score >= beta && tt_move != MOVE_NONE && !tt_tactical && position_pseudo_legal(pos, tt_move))
            update_quiet(t, f, tt_move, stat_bonus(depth_plies));
        return tt_score;
    }

    /* Step 5. Declaration of a won entering-king position. */
    if (!root && excluded == MOVE_NONE && (pv || tt_move == MOVE_NONE)) {
        Move declared;
        if (declaration_wins(pos, t->shared->options.rule, &declared)) {
            if (pv && declared != MOVE_WIN) {
                f->pv[0] = declared;
                f->pv_count = 1;
            }
            return score_mate_in(f->ply + 1);
        }
    }

    /* Step 6. Mate in one, before any pruning could hide it. */
    if (params->mate1 && !root && !f->in_check && !f->tt_hit && excluded == MOVE_NONE) {
        Move mate = mate1_find(pos);
        if (mate != MOVE_NONE) {
            score = score_mate_in(f->ply + 1);
            store(t, f, key, mate, score, SCORE_NONE, MATE1_DEPTH, TT_EXACT, f->tt_pv);
            if (pv) {
                f->pv[0] = mate;
                f->pv_count = 1;
            }
            return score;
        }
    }

    /* Step 7. Static evaluation. */
    Score raw_eval = SCORE_NONE, eval = SCORE_NONE;
    bool improving = false;
    if (f->in_check) {
        f->static_eval = SCORE_NONE;
    } else {
        if (excluded != MOVE_NONE) {
            raw_eval = eval = f->static_eval;
        } else {
            raw_eval = f->tt_hit && hit.eval != SCORE_NONE ? hit.eval : evaluate(t);
            f->static_eval = eval = corrected_eval(t, raw_eval);
            if (!f->tt_hit) tt_store(t->shared->tt, key, MOVE_NONE, 0, raw_eval, QS_DEPTH - 4, TT_NONE, f->tt_pv);
        }
        if (tt_score != SCORE_NONE && !search_is_decided(tt_score) &&
            (hit.bound & (tt_score > eval ? TT_LOWER : TT_UPPER)) != 0)
            eval = tt_score;
        improving = (f - 2)->static_eval != SCORE_NONE
                        ? f->static_eval > (f - 2)->static_eval
                        : (f - 4)->static_eval != SCORE_NONE && f->static_eval > (f - 4)->static_eval;

        /* The previous quiet move is judged by what it did to the evaluation. */
        Move previous = (f - 1)->current;
        if (previous != MOVE_NONE && previous != MOVE_NULL && !(f - 1)->in_check &&
            (f - 1)->undo.captured == NO_PIECE && excluded == MOVE_NONE && (f - 1)->static_eval != SCORE_NONE) {
            int swing = -((f - 1)->static_eval + f->static_eval);
            int bonus = max_int(-300, min_int(300, swing * 2));
            history_add(history_butterfly(t->history, color_other(pos->side), previous), bonus, HISTORY_LIMIT);
        }
    }

    /* A longer mate, and threats of mate (tsumero.h). */
    if (!root && excluded == MOVE_NONE) {
        struct tsumero_mate mate;
        if (tsumero_look(t, f, eval, beta, depth_plies, &mate))
            return take_mate(t, f, key, &mate, raw_eval, depth_plies, pv);
    }

    if (!f->in_check && !pv && excluded == MOVE_NONE && f->threat == TSUMERO_N) {
        /* Step 8. Razoring: far below alpha, only captures could help. */
        if (depth_plies <= params->razor_plies &&
            eval < alpha - params->razor_base_cp - params->razor_ply_cp * depth_plies) {
            score = quiescence(t, f, alpha, alpha + 1, QS_DEPTH);
            if (score <= alpha || search_stopped(t)) return score;
        }

        /* Step 9. Reverse futility: far above beta, the opponent will not come here. */
        if (depth_plies <= params->rfp_plies && !f->tt_pv && eval >= beta && !search_is_decided(eval) &&
            !search_is_decided(beta) &&
            eval - (params->rfp_ply_cp * depth_plies - params->rfp_improving_cp * improving) >= beta &&
            (tt_move == MOVE_NONE || tt_tactical))
            return (2 * beta + eval) / 3;

        /* Step 10. Null move. */
        if (cut_node && null_move_cuts(t, f, eval, beta, depth_plies, improving, &score)) return score;
    }

    /* Step 11. Without a table move the order is bad: search less deep now, better next time. */
    if (depth_plies >= params->iir_plies && tt_move == MOVE_NONE && (pv || cut_node) && excluded == MOVE_NONE)
        depth_plies--;

    /* Step 12. Moves. */
    f->path_ply = SEARCH_PATH_NONE;
    continuation_row *rows[MOVEPICK_CONTINUATIONS];
    fill_continuations(f, rows);
    struct movepick mp;
    movepick_init(&mp, pos, t->history, rows, tt_move, depth_plies, t->shared->options.generate_all_moves || root,
                  (f - 1)->pool_end);
    mp.check_bonus = params->check_order;
    struct tried_moves tried = {0};
    Score best_score = -SCORE_INFINITE;
    Move best_move = MOVE_NONE, move;
    int move_count = root ? t->moves_before : 0;
    bool skip_quiets = false;
    bool claims = t->shared->claims != NULL;
    struct company_deferred deferred;
    company_begin(t, &deferred);
    if (root) f->company = true;
    while ((move = company_next_move(t, &mp, skip_quiets, &deferred, pv, alpha, &move_count)) != MOVE_NONE) {
        if (move == excluded) continue;
        struct root_move *root_move = NULL;
        if (root) {
            root_move = search_root_move(t, move);
            if (!root_move) continue;
        } else if (!position_legal(pos, move)) {
            continue;
        }
        f->move_count = ++move_count;
        f->pool_end = mp.end;
        bool tactical = move_is_tactical(pos, move), checks = position_gives_check(pos, move);
        Piece piece = history_piece(pos, move);
        Square to = move_to(move);
        int reduction_q10 =
            lmr_reduction_q10(params, depth_plies, move_count) + (improving ? 0 : params->lmr_not_improving_q10);
        int new_depth = depth_plies - 1;

        /* Step 13. Pruning of moves that are unlikely to matter. */
        if (!root && best_score > -SEARCH_DECIDED_CP) {
            int lmr_depth = max_int(0, new_depth - reduction_q10 / 1024);
            if (move_count >= (params->lmp_base + depth_plies * depth_plies) / (2 - improving)) skip_quiets = true;
            if (tactical || checks) {
                if (!checks && lmr_depth < params->capture_futility_plies && !f->in_check) {
                    Score reach = f->static_eval + params->capture_futility_base_cp +
                                  params->capture_futility_ply_cp * lmr_depth +
                                  see_exchange_cp[piece_type(pos->board[to])] +
                                  *history_capture(t->history, pos, move) / 16;
                    if (move_promotes(move)) reach += see_promotion_cp(piece_type(pos->board[move_from(move)]));
                    if (reach <= alpha) continue;
                }
                if (!see_at_least(pos, move, -params->see_capture_cp * depth_plies)) continue;
            } else if (skip_quiets && deferred.times == 0 && !f->in_check) { /* those put aside were within the limit */
                continue;
            } else {
                int history =
                    (*rows[0])[piece][to] + (*rows[1])[piece][to] + t->history->pawn[mp.pawn_index][piece][to];
                history += 2 * *history_butterfly(t->history, pos->side, move);
                lmr_depth = max_int(0, lmr_depth + history / 16384);
                if (!f->in_check && lmr_depth < params->futility_plies &&
                    f->static_eval + params->futility_base_cp + params->futility_ply_cp * lmr_depth <= alpha)
                    continue;
                if (!see_at_least(pos, move, -params->see_quiet_cp * lmr_depth * lmr_depth)) continue;
            }
        }

        /* Step 14. Extensions. Is the table move the only good one? Then look deeper. */
        int extension = 0;
        if (!root && f->ply < 2 * t->root_depth_plies) {
            if (move == tt_move && excluded == MOVE_NONE && depth_plies >= params->singular_plies + f->tt_pv &&
                tt_score != SCORE_NONE && !search_is_decided(tt_score) && (hit.bound & TT_LOWER) != 0 &&
                hit.depth_plies >= depth_plies - 3) {
                Score bar = tt_score - depth_plies * params->singular_ply_cp_pc / 100;
                f->excluded = move;
                score = search_node(t, f, bar - 1, bar, new_depth / 2, cut_node);
                f->excluded = MOVE_NONE;
                f->path_ply = SEARCH_PATH_NONE;
                if (search_stopped(t)) return 0;
                if (t->leave_ply <= f->ply) return leave(t, f);
                f->in_check = position_in_check(pos);
                f->move_count = move_count;
                if (score < bar) {
                    extension = 1 + (!pv && score < bar - params->singular_double_cp);
                } else if (score >= beta && !search_is_decided(score)) {
                    return score; /* multicut: another move beats beta as well */
                } else if (tt_score >= beta) {
                    extension = -2;
                } else if (cut_node) {
                    extension = -1;
                }
            } else if (checks && params->check_extension != 0 &&
                       (params->check_extension == 2 || see_at_least(pos, move, 0))) {
                extension = 1;
            }
        }
        new_depth += extension;

        /* Step 15. Is another worker at it? Then last: by that time the table may know. Else let it be known. */
        bool company = f->company && move_count == 1;
        if (claims && move_count > 1) {
            int subtree_plies = new_depth - max_int(0, reduction_q10 / 1024);
            if (subtree_plies >= company_claim_plies(t) &&
                company_claim_or_defer(t, f, &deferred, move, move_count, alpha, subtree_plies, &company))
                continue;
        }
        (f + 1)->company = company;

        /* Step 16. Make the move. */
        uint64_t nodes_before = search_nodes(t);
        f->history_score = tactical ? *history_capture(t->history, pos, move)
                                    : 2 * *history_butterfly(t->history, pos->side, move) + (*rows[0])[piece][to] +
                                          (*rows[1])[piece][to];
        make_move(t, f, move);

        /* Step 17. Late moves are searched less deep, and deeper again when they surprise. */
        if (depth_plies >= params->lmr_plies && move_count > 1 + root) {
            int r = reduction_q10;
            if (cut_node) r += params->lmr_cut_node_q10 - (tt_move != MOVE_NONE ? 0 : 400);
            if (pv) r -= params->lmr_pv_q10;
            if (f->tt_pv) r -= params->lmr_tt_pv_q10;
            if (checks) r -= params->lmr_check_q10;
            if (tt_tactical) r += params->lmr_tt_capture_q10;
            if ((f + 1)->cutoffs > 3) r += params->lmr_cutoffs_q10;
            r -= f->history_score / (tactical ? params->lmr_capture_history_divisor : params->lmr_history_divisor);
            int reduced = max_int(1, min_int(new_depth - r / 1024, new_depth + (pv ? 1 : 0)));
            f->reduction_q10 = r;
            score = -search_node(t, f + 1, -alpha - 1, -alpha, reduced, true);
            f->reduction_q10 = 0;
            if (score > alpha && reduced < new_depth) {
                if (score > best_score + params->deeper_cp) new_depth++;
                if (score < best_score + params->shallower_cp) new_depth--;
                if (new_depth > reduced) score = -search_node(t, f + 1, -alpha - 1, -alpha, new_depth, !cut_node);
                if (!tactical) {
                    int bonus = score <= alpha ? -stat_malus(new_depth) : score >= beta ? stat_bonus(new_depth) : 0;
                    if (bonus != 0) update_continuations(t, f, piece, to, bonus);
                }
            }
        } else if (!pv || move_count > 1) {
            score = -search_node(t, f + 1, -alpha - 1, -alpha, new_depth, !cut_node);
        } else {
            score = -SCORE_INFINITE;
        }
        if (pv && (move_count == 1 || (score > alpha && beta - alpha > 1)))
            score = -search_node(t, f + 1, -beta, -alpha, new_depth, false);

        unmake_move(t, f);
        if (search_stopped(t)) return 0;
        if (t->leave_ply <= f->ply) return leave(t, f);

        /* Step 18. Is it better? */
        if (root) note_root_score(t, f, root_move, score, alpha, beta, move_count == 1, search_nodes(t) - nodes_before);
        if (score > best_score) {
            best_score = score;
            f->path_ply = (f + 1)->path_ply;
            if (score > alpha) {
                best_move = move;
                if (pv && !root) take_pv(f, move);
                if (score >= beta) {
                    f->cutoffs += 1 + (tt_move == MOVE_NONE);
                    break;
                }
                alpha = score;
            }
        }
        if (sharing && company_told_above(t, f)) return leave(t, f);
        if (move != best_move) {
            if (tactical) {
                if (tried.capture_count < (int)(sizeof tried.captures / sizeof tried.captures[0]))
                    tried.captures[tried.capture_count++] = move;
            } else if (tried.quiet_count < (int)(sizeof tried.quiets / sizeof tried.quiets[0])) {
                tried.quiets[tried.quiet_count++] = move;
            }
        }
    }

    /* Step 19. No legal move is mate in shogi, in check or not. */
    if (move_count == 0) return excluded != MOVE_NONE ? alpha : score_mated_in(f->ply);

    /* Step 20. Learn. */
    if (best_move != MOVE_NONE) {
        update_after_cutoff(t, f, best_move, &tried, depth_plies);
    } else {
        /* The move before refuted everything: it is good. */
        Move previous = (f - 1)->current;
        if (previous != MOVE_NONE && previous != MOVE_NULL && (f - 1)->undo.captured == NO_PIECE)
            update_continuations(t, f - 1, (f - 1)->undo.placed, move_to(previous), stat_bonus(depth_plies) / 2);
    }
    enum tt_bound bound = best_score >= beta ? TT_LOWER : pv && best_move != MOVE_NONE ? TT_EXACT : TT_UPPER;
    if (root && t->root_is_part) return best_score;
    if (excluded == MOVE_NONE && !(root && t->multipv_index > 0))
        store(t, f, key, best_move, best_score, raw_eval, depth_plies, bound, f->tt_pv);
    if (!f->in_check && excluded == MOVE_NONE && (best_move == MOVE_NONE || !move_is_tactical(pos, best_move)) &&
        !search_is_decided(best_score) && !(best_score >= beta && best_score <= f->static_eval) &&
        !(best_move == MOVE_NONE && best_score >= f->static_eval))
        history_correction_add(t->history, pos, best_score - f->static_eval, depth_plies);
    return best_score;
}

Score search_root(struct search_thread *t, Score alpha, Score beta, int depth_plies)
{
    t->null_ply_min = 0;
    t->told_move = MOVE_NONE;
    t->leave_ply = SEARCH_PATH_NONE;
    t->root_alpha = alpha;
    t->root_beta = beta;
    return search_node(t, t->frames + SEARCH_FRAME_PAD, alpha, beta, depth_plies, false);
}
