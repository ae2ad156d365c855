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
    int count, next, left_to_others;
    struct company_deferred_move {
        Move move;
        uint8_t order, times;
    } list[64];
};

/* First everything that nobody is at, then the rest. */
static inline Move company_next_move(struct movepick *mp, bool skip_quiets, struct company_deferred *deferred,
                                     int *move_count)
{
    Move move = movepick_next(mp, skip_quiets);
    if (move != MOVE_NONE || deferred->next == deferred->count) return move;
    *move_count = deferred->list[deferred->next].order - 1;
    return deferred->list[deferred->next++].move;
}

/* Is what another worker found here as good as a search of our own? Depths differ by a ply or so with the histories
 * that steer reductions and extensions: to insist on ours would mean to search everything again. */
bool company_told_enough(const struct search_thread *t, const struct tt_hit *hit, Score *score, bool pv, Score beta,
                         int depth_plies);
/* Has another worker finished the root? Then this iteration is over for all. */
bool company_root_is_told(struct search_thread *t, uint64_t key);
/* Has another worker finished a node that we are in? The highest such node is left at once, whatever is going on below.
 */
bool company_told_above(struct search_thread *t, const struct search_frame *f);
/* In a node where all are at once, each begins with another late move: so many are left to the workers before us. */
int company_moves_left(const struct search_thread *t, const struct search_frame *f);
/* True: the move was put aside. False: it is ours now; *company: somebody else is at it, too. */
bool company_claim_or_defer(struct search_thread *t, const struct search_frame *f, struct company_deferred *deferred,
                            Move move, int move_count, Score alpha, int subtree_plies, bool *company);

#endif
