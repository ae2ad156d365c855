/* zobrist.h - the random numbers behind position keys.
 *
 * Keys travel between workers, so every machine must have the same numbers: they come from splitmix64 (Steele, Lea and
 * Flood 2014) with a fixed start and are computed by the compiler. Pieces in hand add up: n pieces are worth n times
 * the number of one, so a capture is one addition.
 */
#ifndef MURAKUMO_SHOGI_ZOBRIST_H
#define MURAKUMO_SHOGI_ZOBRIST_H

#include "common/shogi/types.h"

extern const uint64_t zobrist_board[PIECE_COUNT][SQUARE_COUNT]; /* row NO_PIECE is all 0 */
extern const uint64_t zobrist_hand[COLOR_COUNT][HAND_TYPES + 1];
extern const uint64_t zobrist_side; /* in board_key when White is to move */

/* A number over all of the above. Two builds may exchange keys only if theirs are equal. */
uint64_t zobrist_check(void);

#endif
