/* wasted.h - interpositions that books do not count (無駄合).
 *
 * A mate counts every legal interposition. By the convention of tsume problems a position is mate already when nothing
 * is left but to drop pieces between king and checker that the checker takes at once, with the same mate even if the
 * piece is handed back. There is no agreed formal rule; this is the narrow reading: every legal move is such a drop.
 * For showing lines only: nothing is proved or refuted by it.
 */
#ifndef MURAKUMO_SHOGI_WASTED_H
#define MURAKUMO_SHOGI_WASTED_H

#include "common/shogi/position.h"

/* The side to move is in check and has legal moves, all of them wasted interpositions. */
bool wasted_is_mate(const struct position *pos);
/* How many moves of the line are left when it ends with the first position that is mate, wasted interpositions apart.
 * `line`: attacker first, odd count, ends in mate. */
unsigned wasted_cut(const struct position *root, const Move *line, unsigned count);

#endif
