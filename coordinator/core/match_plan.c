#include "coordinator/core/match_plan.h"

#include "common/base/prng.h"

#include <assert.h>

void match_plan_init(struct match_plan *plan, uint32_t *order, uint32_t opening_count, uint64_t seed)
{
    assert(opening_count >= 1);
    plan->order = order;
    plan->opening_count = opening_count;
    for (uint32_t i = 0; i < opening_count; i++) order[i] = i;
    struct prng prng = prng_make(seed);
    for (uint32_t i = opening_count - 1; i > 0; i--) {
        uint32_t j = prng_below(&prng, i + 1);
        uint32_t swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
}

struct match_pairing match_plan_game(const struct match_plan *plan, uint32_t game)
{
    uint32_t pair = game / 2;
    return (struct match_pairing){
        .pair = pair,
        .opening = plan->order[pair % plan->opening_count],
        .black_engine = game % 2,
    };
}
