/* perft.h - counts the leaves of the tree of legal moves, to compare move generators and their speed.
 *
 * All legal moves count, non-promotions included; a pawn-drop mate is no legal move; repetition and declarations are
 * ignored. The last ply is counted without listing its moves ("bulk").
 */
#ifndef MURAKUMO_SHOGI_PERFT_H
#define MURAKUMO_SHOGI_PERFT_H

#include "common/shogi/position.h"

/* Leaves at `depth_plies`; 1 for depth 0. The position is unchanged afterwards. */
uint64_t perft_count(struct position *pos, unsigned depth_plies);

/* Called once per legal root move, in generation order. Return false to stop. */
typedef bool (*perft_root_fn)(void *user, Move move, uint64_t leaves);
/* The same, told move by move ("divide"). Depth 0 calls nothing. Returns the sum over the moves done. */
uint64_t perft_divide(struct position *pos, unsigned depth_plies, perft_root_fn each, void *user);

#endif
