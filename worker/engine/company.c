/* company.c - see company.h. */
#include "worker/engine/company.h"

#include <string.h>

enum { DEFER_TIMES = 3, SILENCE_NODES = 4096, TOLD_SLACK_PLIES = 2, TOLD_SLACK_CP = 10, TOLD_ROOT_SLACK_PLIES = 2 };

bool company_told_enough(const struct search_thread *t, const struct tt_hit *hit, Score *score, bool pv, Score beta,
                         int depth_plies)
{
    bool same_iteration = hit->told == tt_told(search_horizon(t));
    if (hit->depth_plies < depth_plies - (same_iteration ? TOLD_SLACK_PLIES : 0)) return false;
    if (pv) return hit->bound == TT_EXACT;
    if (tt_bound_fits(hit->bound, *score, beta)) return true;
    /* Two workers seldom have quite the same alpha: what all but proves it will do, or everything below is done twice.
     */
    if (!same_iteration || search_is_decided(*score) || search_is_decided(beta)) return false;
    if (hit->bound == TT_UPPER && *score < beta + TOLD_SLACK_CP) {
        *score = beta - 1;
        return true;
    }
    if (hit->bound == TT_LOWER && *score >= beta - TOLD_SLACK_CP) {
        *score = beta;
        return true;
    }
    return false;
}

/* The score is outside of the window: as when our own search fails low or high. */
static void take_root_bound(struct search_thread *t, const struct tt_hit *hit)
{
    struct root_move *line = &t->root_moves[t->multipv_index];
    if (hit->bound == TT_LOWER) {
        for (size_t i = t->multipv_index; i < t->root_count_moves; i++) t->root_moves[i].score = -SCORE_INFINITE;
        line = search_root_move(t, hit->move);
        line->pv[0] = line->move;
        line->pv_count = 1;
    }
    line->score = t->told_score;
    line->bound = hit->bound == TT_LOWER ? BOUND_LOWER : BOUND_UPPER;
}

bool company_root_is_told(struct search_thread *t, uint64_t key)
{
    struct tt_hit hit;
    const struct engine_limits *limits = &t->shared->limits;
    if (!limits->sharing.on || limits->part || t->root_is_part || t->multipv_count > 1) return false;
    if (!tt_probe(t->shared->tt, key, &hit) || hit.told == 0 || hit.bound == TT_NONE) return false;
    if (hit.bound != TT_UPPER && !search_root_move(t, hit.move)) return false;
    /* Its depth is less when the window had to be moved upwards. */
    bool of_this_iteration = hit.told == tt_told(search_horizon(t));
    if (hit.depth_plies < t->root_depth_plies - (of_this_iteration ? TOLD_ROOT_SLACK_PLIES : 0)) return false;
    Score score = tt_score_load(hit.score, 0);
    if (hit.bound != TT_EXACT) {
        if (!of_this_iteration || (hit.bound == TT_UPPER ? score > t->root_alpha : score < t->root_beta)) return false;
        t->told_score = score;
        take_root_bound(t, &hit);
        return true;
    }
    t->told_move = hit.move;
    t->told_score = score;
    return true;
}

bool company_told_above(struct search_thread *t, const struct search_frame *f)
{
    uint32_t hints_put = atomic_load_explicit(&t->shared->hints_put, memory_order_relaxed);
    if (hints_put == t->hints_seen) return false;
    t->hints_seen = hints_put;
    t->heard_nodes = search_nodes(t);
    struct search_frame *root = t->frames + SEARCH_FRAME_PAD;
    if (company_root_is_told(t, root->key)) {
        t->leave_ply = 0;
        t->leave_score = t->told_score;
        return true;
    }
    for (const struct search_frame *g = root + 1; g <= f; g++) {
        struct tt_hit hit;
        if (!g->watched || !tt_probe(t->shared->tt, g->key, &hit) || !hit.told || hit.bound == TT_NONE) continue;
        Score score = tt_score_load(hit.score, g->ply);
        if (!company_told_enough(t, &hit, &score, g->watched_pv, g->watched_beta, g->watched_plies)) continue;
        t->leave_ply = g->ply;
        t->leave_score = score;
        return true;
    }
    return false;
}

Move company_better_move(struct search_thread *t, struct company_deferred *deferred, Score alpha, int *order)
{
    uint32_t hints_put = atomic_load_explicit(&t->shared->hints_put, memory_order_relaxed);
    if (hints_put == deferred->hints_seen) return MOVE_NONE;
    deferred->hints_seen = hints_put;
    struct company_deferred_move *next = &deferred->list[deferred->next];
    for (struct company_deferred_move *m = next; m < deferred->list + deferred->count; m++) {
        struct tt_hit hit;
        if (!tt_probe(t->shared->tt, position_key_after(&t->pos, m->move), &hit)) continue;
        if (hit.told != tt_told(search_horizon(t)) || (hit.bound & TT_UPPER) == 0 || -hit.score <= alpha) continue;
        if (hit.depth_plies < m->plies - TOLD_SLACK_PLIES) continue;
        struct company_deferred_move better = *m;
        memmove(next + 1, next, (size_t)(m - next) * sizeof *next);
        deferred->next++;
        deferred->times = better.times;
        *order = better.order;
        return better.move;
    }
    return MOVE_NONE;
}

/* Where all are at once, each begins with moves of its own. They are the same in every iteration: our tables and
 * histories know what is below them. Who has not heard of the others for a while has to do it all. */
static bool is_ours(const struct search_thread *t, uint64_t key)
{
    const struct engine_sharing *sharing = &t->shared->limits.sharing;
    unsigned searchers = sharing->workers * t->shared->thread_count;
    if (searchers < 2 || search_nodes(t) - t->heard_nodes > SILENCE_NODES) return true;
    return (key >> 20) % searchers == sharing->worker * t->shared->thread_count + t->index;
}

/* Will the null-window search of this child end at once? */
static bool child_is_known(const struct search_thread *t, uint64_t key, int child_ply, Score alpha, int subtree_plies,
                           bool *told)
{
    struct tt_hit hit;
    if (!tt_probe(t->shared->tt, key, &hit) || hit.bound == TT_NONE) return false;
    *told = hit.told != 0;
    Score score = tt_score_load(hit.score, child_ply);
    return company_told_enough(t, &hit, &score, false, -alpha, subtree_plies);
}

bool company_claim_or_defer(struct search_thread *t, const struct search_frame *f, struct company_deferred *deferred,
                            Move move, int move_count, Score alpha, int subtree_plies, bool *company)
{
    struct claims *claims = t->shared->claims;
    uint64_t key = position_key_after(&t->pos, move);
    if (child_is_known(t, key, f->ply + 1, alpha, subtree_plies, company)) return false;
    bool taken = claims_taken(claims, key, subtree_plies, t->index + 1);
    bool leave = taken || (f->company && deferred->times == 0 && !is_ours(t, key));
    if (leave && deferred->times < DEFER_TIMES &&
        deferred->count < (int)(sizeof deferred->list / sizeof deferred->list[0])) {
        deferred->list[deferred->count++] =
            (struct company_deferred_move){move, (uint8_t)(move_count < 255 ? move_count : 255),
                                           (uint8_t)(deferred->times + 1), (uint8_t)subtree_plies};
        return true;
    }
    *company = taken;
    claims_put(claims, key, subtree_plies, t->index + 1);
    share_offer(t->ring, hint_claim(key, subtree_plies));
    return false;
}
