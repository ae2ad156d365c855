/* mate1.h - mate in one move, found without making moves.
 *
 * Partial on purpose: it looks at drops and moves next to the enemy king and at promotions there, and answers only when
 * the geometry proves the mate. MOVE_NONE means "not found", never "there is none".
 */
#ifndef MURAKUMO_ENGINE_MATE1_H
#define MURAKUMO_ENGINE_MATE1_H

#include "common/shogi/position.h"

/* A legal move of the side to move that mates at once, or MOVE_NONE. Not to be called in check. */
Move mate1_find(const struct position *pos);

#endif
