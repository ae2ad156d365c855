/* see.h - static exchange evaluation: what a series of captures on one square brings.
 *
 * Values are centipawns of the whole swing: taking a piece removes it from one side and puts its unpromoted form into
 * the hand of the other, so it counts twice. Promotion of the first mover counts; later recaptures do not promote.
 * Pieces behind pieces (x-rays) join in; pinned pieces take part only when they stay on the line of their pin.
 */
#ifndef MURAKUMO_ENGINE_SEE_H
#define MURAKUMO_ENGINE_SEE_H

#include "common/shogi/position.h"
#include "common/shogi/score.h"

extern const int16_t see_piece_cp[TYPE_COUNT + 1];    /* worth on the board; the king's is for comparison only */
extern const int16_t see_exchange_cp[TYPE_COUNT + 1]; /* swing when it is captured */

static inline int see_promotion_cp(PieceType t) { return see_piece_cp[t | PROMOTED] - see_piece_cp[t]; }

/* Does `move` (pseudo-legal) bring the mover at least `threshold_cp` after all captures on its target square? */
bool see_at_least(const struct position *pos, Move move, Score threshold_cp);

#endif
