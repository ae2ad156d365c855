/* mate_numbers.h - how far the checks of a position are from proof and disproof, as the solver's table knows it: what a
 * coordinator needs to divide the position among several workers.
 */
#ifndef MURAKUMO_WORKER_MATE_NUMBERS_H
#define MURAKUMO_WORKER_MATE_NUMBERS_H

#include "worker/engine/mate/mate.h"

struct mate_number {
    Move check;
    uint64_t pn, dn; /* (0, MATE_NUMBER_MAX) it mates, (MATE_NUMBER_MAX, 0) it does not */
};

/* The checks of `pos` (of `only`, if only_count > 0) with their numbers; costs a few nodes for each. `out` has room for
 * count_max; further checks are left out. *nodes grows by what it cost. */
size_t mate_numbers(struct mate_solver *solver, const struct position *pos, const Move *only, size_t only_count,
                    struct mate_number *out, size_t count_max, uint64_t *nodes);

#endif
