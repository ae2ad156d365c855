/* company.h - what a search does because other workers are at the same position: it leaves to them what they are at,
 * takes over what they have found, and gives up a node that they have finished.
 *
 * What they say comes through the transposition table and the claims (share.h). All of it is a matter of order and of
 * trust in a score of about the same depth: with nobody else there, the search is the bare one, node for node.
 *
 * Source: simplified ABDADA (T. Kerrigan, after Weill 1996), over a network. Threads: as search_thread.h.
 */
#ifndef MURAKUMO_ENGINE_COMPANY_H
#define MURAKUMO_ENGINE_COMPANY_H

#include "worker/engine/search_thread.h"

/* Late moves that are left for the end of the node, with their place in the order. A queue: what somebody is still at
 * when its turn comes goes to the end once more. */
struct company_deferred {
    int count, next;
    int times;           /* how often the move that is being looked at was put aside before */
    int resume_order;    /* of the move before one that was taken out of turn; -1: none was */
    uint32_t hints_seen; /* shared->hints_put when the queue was last compared with the table */
    struct company_deferred_move {
        Move move;
        uint8_t order, times, plies;
    } list[64];
};

static inline void company_begin(const struct search_thread *t, struct company_deferred *deferred)
{
    deferred->count = deferred->next = deferred->times = 0;
    deferred->resume_order = -1;
    deferred->hints_seen = atomic_load_explicit(&t->shared->hints_put, memory_order_relaxed);
}
/* A move of the queue that turns out, by what others say, to be better than alpha; MOVE_NONE. It is taken out. */
Move company_better_move(struct search_thread *t, struct company_deferred *deferred, Score alpha, int *order);

/* First everything that nobody is at, then the rest; but at once what raises alpha, or the other moves would be
 * searched with a bound of yesterday, and the new best line without us. */
static inline Move company_next_move(struct search_thread *t, struct movepick *mp, bool skip_quiets,
                                     struct company_deferred *deferred, bool pv, Score alpha, int *move_count)
{
    if (deferred->resume_order >= 0) *move_count = deferred->resume_order;
    deferred->resume_order = -1;
    if (pv && deferred->next < deferred->count) {
        int order;
        Move better = company_better_move(t, deferred, alpha, &order);
        if (better != MOVE_NONE) {
            deferred->resume_order = *move_count;
            *move_count = order - 1;
            return better;
        }
    }
    Move move = movepick_next(mp, skip_quiets);
    deferred->times = 0;
    if (move != MOVE_NONE || deferred->next == deferred->count) return move;
    *move_count = deferred->list[deferred->next].order - 1;
    deferred->times = deferred->list[deferred->next].times;
    return deferred->list[deferred->next++].move;
}

/* Is what another worker found here as good as a search of our own? Depths differ by a ply or so with the histories
 * that steer reductions and extensions: to insist on ours would mean to search everything again. */
bool company_told_enough(const struct search_thread *t, const struct tt_hit *hit, Score *score, bool pv, Score beta,
                         int depth_plies);
/* Has another worker finished the root? Then this iteration is over for all, or this window if the score is outside.
 */
bool company_root_is_told(struct search_thread *t, uint64_t key);
/* Has another worker finished a node that we are in? The highest such node is left at once, whatever is going on below.
 */
bool company_told_above(struct search_thread *t, const struct search_frame *f);
/* Shallowest subtree that is claimed at present: as the gate for entries rises, less is said about claims, too. */
static inline int company_claim_plies(const struct search_thread *t)
{
    const struct engine_sharing *sharing = &t->shared->limits.sharing;
    int gate_plies = atomic_load_explicit(&t->shared->gate_plies, memory_order_relaxed);
    return sharing->claim_plies + (gate_plies > sharing->gate_plies ? gate_plies - sharing->gate_plies : 0);
}
/* True: the move was put aside. False: it is ours now; *company: somebody else is at it, too. */
bool company_claim_or_defer(struct search_thread *t, const struct search_frame *f, struct company_deferred *deferred,
                            Move move, int move_count, Score alpha, int subtree_plies, bool *company);

#endif
