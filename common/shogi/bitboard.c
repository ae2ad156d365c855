#include "common/shogi/bitboard.h"

#include "common/shogi/squares_x.h"

#define SQUARE_BIT(f, r) {BIT_LO(f, r), BIT_HI(f, r)},
const Bitboard bb_squares[SQUARE_COUNT + 1] = {FOR_SQUARES(SQUARE_BIT){0, 0}};
