/* match_plan.h - which game of a match starts from which opening with which colours.
 *
 * Games come in pairs: 2p and 2p + 1 start from the same opening with colours exchanged, so that an opening that
 * favours one side cancels out. The openings are shuffled once by the seed; when they run out, the same order starts
 * again. Game numbers are all that has to be remembered: a resumed match asks for the numbers it lacks.
 *
 * Memory:  the plan borrows `order`; one number for each opening.
 */
#ifndef MURAKUMO_CORE_MATCH_PLAN_H
#define MURAKUMO_CORE_MATCH_PLAN_H

#include <stddef.h>
#include <stdint.h>

struct match_plan {
    uint32_t *order; /* [opening_count], a permutation */
    uint32_t opening_count;
};

struct match_pairing {
    uint32_t pair;         /* 0.. */
    uint32_t opening;      /* index into the caller's list of openings */
    unsigned black_engine; /* 0 or 1 */
};

/* `order` has room for opening_count numbers, opening_count >= 1. */
void match_plan_init(struct match_plan *plan, uint32_t *order, uint32_t opening_count, uint64_t seed);
struct match_pairing match_plan_game(const struct match_plan *plan, uint32_t game);

#endif
