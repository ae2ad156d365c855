/* mate_numbers.c - see mate_numbers.h. */
#include "worker/mate_numbers.h"

#include "worker/engine/mate/mate_moves.h"

#include <stdlib.h>
#include <string.h>

size_t mate_numbers(struct mate_solver *solver, const struct position *pos, const Move *only, size_t only_count,
                    struct mate_number *out, size_t count_max, uint64_t *nodes)
{
    struct mate_result *found = malloc(sizeof *found); /* too large for the stack of a thread */
    Move checks[MOVES_MAX];
    size_t count = only_count;
    if (!found) return 0;
    if (only_count)
        memcpy(checks, only, only_count * sizeof *only);
    else
        count = mate_moves_checks(pos, checks);
    if (count > count_max) count = count_max;
    for (size_t i = 0; i < count; i++) {
        struct mate_limits limits = {.nodes = 1, .first_moves = &checks[i], .first_move_count = 1, .any_length = true};
        mate_solve(solver, pos, &limits, found);
        out[i] = (struct mate_number){checks[i], found->pn, found->dn};
        *nodes += found->nodes;
    }
    free(found);
    return count;
}
