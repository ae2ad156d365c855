/* company.c - see company.h. */
#include "worker/engine/company.h"

enum { SPREAD_MOVES = 8, DEFER_TIMES = 2, TOLD_SLACK_PLIES = 2, TOLD_SLACK_CP = 10, TOLD_ROOT_SLACK_PLIES = 2 };

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

bool company_root_is_told(struct search_thread *t, uint64_t key)
{
    struct tt_hit hit;
    const struct engine_limits *limits = &t->shared->limits;
    if (!limits->sharing.on || limits->part || t->root_is_part || t->multipv_count > 1) return false;
    if (!tt_probe(t->shared->tt, key, &hit) || hit.told == 0 || hit.bound != TT_EXACT || !search_root_move(t, hit.move))
        return false;
    /* Its depth is less when the window had to be moved upwards. */
    bool of_this_iteration = hit.told == tt_told(search_horizon(t));
    if (hit.depth_plies < t->root_depth_plies - (of_this_iteration ? TOLD_ROOT_SLACK_PLIES : 0)) return false;
    t->told_move = hit.move;
    t->told_score = tt_score_load(hit.score, 0);
    return true;
}

bool company_told_above(struct search_thread *t, const struct search_frame *f)
{
    uint32_t hints_put = atomic_load_explicit(&t->shared->hints_put, memory_order_relaxed);
    if (hints_put == t->hints_seen) return false;
    t->hints_seen = hints_put;
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

int company_moves_left(const struct search_thread *t, const struct search_frame *f)
{
    const struct engine_sharing *sharing = &t->shared->limits.sharing;
    return f->company ? (int)((sharing->worker * t->shared->thread_count + t->index) % SPREAD_MOVES) : 0;
}

/* Will the null-window search of this child end at once? */
static bool child_is_known(const struct search_thread *t, uint64_t key, int child_ply, Score alpha, int subtree_plies)
{
    struct tt_hit hit;
    if (!tt_probe(t->shared->tt, key, &hit) || hit.bound == TT_NONE) return false;
    Score score = tt_score_load(hit.score, child_ply);
    return company_told_enough(t, &hit, &score, false, -alpha, subtree_plies);
}

bool company_claim_or_defer(struct search_thread *t, const struct search_frame *f, struct company_deferred *deferred,
                            Move move, int move_count, Score alpha, int subtree_plies, bool *company)
{
    struct claims *claims = t->shared->claims;
    uint64_t key = position_key_after(&t->pos, move);
    if (child_is_known(t, key, f->ply + 1, alpha, subtree_plies)) return false;
    uint8_t times = deferred->next == 0 ? 0 : deferred->list[deferred->next - 1].times;
    bool taken = claims_taken(claims, key, subtree_plies, t->index + 1), leave = taken;
    if (deferred->left_to_others > 0 && times == 0) {
        deferred->left_to_others--;
        leave = true;
    }
    if (leave && times < DEFER_TIMES && deferred->count < (int)(sizeof deferred->list / sizeof deferred->list[0])) {
        deferred->list[deferred->count++] =
            (struct company_deferred_move){move, (uint8_t)(move_count < 255 ? move_count : 255), (uint8_t)(times + 1)};
        return true;
    }
    *company = taken;
    claims_put(claims, key, subtree_plies, t->index + 1);
    share_offer(t->ring, hint_claim(key, subtree_plies));
    return false;
}
