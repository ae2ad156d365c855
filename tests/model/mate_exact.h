/* mate_exact.h - a slow mate solver that is plain enough to be believed: the reference for worker/engine/mate.
 *
 * It lists every position that checks and answers can reach, then counts plies backwards from the mates until nothing
 * changes (a least fixpoint). No path, no table trick, no hand dominance, no order of moves: cycles cannot fool it. It
 * uses only the rules (movegen_legal, position_gives_check), none of the generators of the mate solver.
 */
#ifndef MURAKUMO_TESTS_MATE_EXACT_H
#define MURAKUMO_TESTS_MATE_EXACT_H

#include <stddef.h>

#include "common/base/prng.h"
#include "common/shogi/position.h"

enum mate_exact { MATE_EXACT_MATE, MATE_EXACT_NONE, MATE_EXACT_TOO_BIG };

/* The side to move attacks. On MATE *plies is the shortest mate against the longest defence, every interposition
 * counted. TOO_BIG when more than positions_max positions can be reached. */
enum mate_exact mate_exact_solve(const struct position *pos, size_t positions_max, int *plies);

/* A random position of few pieces: the attacker's men near a king at the edge, some men in both hands, sometimes a
 * second king. The side to move (either colour) is not giving check already. Always legal. */
struct position mate_exact_random(struct prng *prng);

/* The same position in a mirror (files swapped) and, or, with the colours swapped (board turned). */
struct position mate_exact_transformed(const struct position *pos, bool mirror, bool flip);

#endif
