#include "common/shogi/attacks.h"

#include "common/shogi/squares_x.h"

/* Signs: north is rank - 1, west is file + 1. `n` is -1 for Black's forward and +1 for White's. */
#define PAWN_BITS(B, f, r, n)   (B(f, (r) + (n)))
#define KNIGHT_BITS(B, f, r, n) (B((f)-1, (r) + 2 * (n)) | B((f) + 1, (r) + 2 * (n)))
#define FRONT_BITS(B, f, r, n)  (B((f)-1, (r) + (n)) | B(f, (r) + (n)) | B((f) + 1, (r) + (n)))
#define SILVER_BITS(B, f, r, n) (FRONT_BITS(B, f, r, n) | B((f)-1, (r) - (n)) | B((f) + 1, (r) - (n)))
#define GOLD_BITS(B, f, r, n)   (FRONT_BITS(B, f, r, n) | B((f)-1, r) | B((f) + 1, r) | B(f, (r) - (n)))
#define KING_BITS(B, f, r)      (FRONT_BITS(B, f, r, -1) | FRONT_BITS(B, f, r, 1) | B((f)-1, r) | B((f) + 1, r))
#define RAY_BITS(B, f, r, df, dr)                                                                                      \
    (B((f) + (df), (r) + (dr)) | B((f) + 2 * (df), (r) + 2 * (dr)) | B((f) + 3 * (df), (r) + 3 * (dr)) |               \
     B((f) + 4 * (df), (r) + 4 * (dr)) | B((f) + 5 * (df), (r) + 5 * (dr)) | B((f) + 6 * (df), (r) + 6 * (dr)) |       \
     B((f) + 7 * (df), (r) + 7 * (dr)) | B((f) + 8 * (df), (r) + 8 * (dr)))

#define KING_ROW(f, r) {KING_BITS(BIT_LO, f, r), KING_BITS(BIT_HI, f, r)},
const Bitboard attacks_king_table[SQUARE_COUNT + 1] = {FOR_SQUARES(KING_ROW){0, 0}};

#define BY_COLOR(ROW_BLACK, ROW_WHITE)                                                                                 \
    {                                                                                                                  \
        {FOR_SQUARES(ROW_BLACK){0, 0}},                                                                                \
        {                                                                                                              \
            FOR_SQUARES(ROW_WHITE) { 0, 0 }                                                                            \
        }                                                                                                              \
    }

#define GOLD_BLACK(f, r) {GOLD_BITS(BIT_LO, f, r, -1), GOLD_BITS(BIT_HI, f, r, -1)},
#define GOLD_WHITE(f, r) {GOLD_BITS(BIT_LO, f, r, 1), GOLD_BITS(BIT_HI, f, r, 1)},
const Bitboard attacks_gold_table[COLOR_COUNT][SQUARE_COUNT + 1] = BY_COLOR(GOLD_BLACK, GOLD_WHITE);

#define SILVER_BLACK(f, r) {SILVER_BITS(BIT_LO, f, r, -1), SILVER_BITS(BIT_HI, f, r, -1)},
#define SILVER_WHITE(f, r) {SILVER_BITS(BIT_LO, f, r, 1), SILVER_BITS(BIT_HI, f, r, 1)},
const Bitboard attacks_silver_table[COLOR_COUNT][SQUARE_COUNT + 1] = BY_COLOR(SILVER_BLACK, SILVER_WHITE);

#define KNIGHT_BLACK(f, r) {KNIGHT_BITS(BIT_LO, f, r, -1), KNIGHT_BITS(BIT_HI, f, r, -1)},
#define KNIGHT_WHITE(f, r) {KNIGHT_BITS(BIT_LO, f, r, 1), KNIGHT_BITS(BIT_HI, f, r, 1)},
const Bitboard attacks_knight_table[COLOR_COUNT][SQUARE_COUNT + 1] = BY_COLOR(KNIGHT_BLACK, KNIGHT_WHITE);

#define PAWN_BLACK(f, r) {PAWN_BITS(BIT_LO, f, r, -1), PAWN_BITS(BIT_HI, f, r, -1)},
#define PAWN_WHITE(f, r) {PAWN_BITS(BIT_LO, f, r, 1), PAWN_BITS(BIT_HI, f, r, 1)},
const Bitboard attacks_pawn_table[COLOR_COUNT][SQUARE_COUNT + 1] = BY_COLOR(PAWN_BLACK, PAWN_WHITE);

#define RAY_SOUTH(f, r)     {RAY_BITS(BIT_LO, f, r, 0, 1), RAY_BITS(BIT_HI, f, r, 0, 1)},
#define RAY_WEST(f, r)      {RAY_BITS(BIT_LO, f, r, 1, 0), RAY_BITS(BIT_HI, f, r, 1, 0)},
#define RAY_NORTHWEST(f, r) {RAY_BITS(BIT_LO, f, r, 1, -1), RAY_BITS(BIT_HI, f, r, 1, -1)},
#define RAY_SOUTHWEST(f, r) {RAY_BITS(BIT_LO, f, r, 1, 1), RAY_BITS(BIT_HI, f, r, 1, 1)},
#define RAY_NORTH(f, r)     {RAY_BITS(BIT_LO, f, r, 0, -1), RAY_BITS(BIT_HI, f, r, 0, -1)},
#define RAY_EAST(f, r)      {RAY_BITS(BIT_LO, f, r, -1, 0), RAY_BITS(BIT_HI, f, r, -1, 0)},
#define RAY_SOUTHEAST(f, r) {RAY_BITS(BIT_LO, f, r, -1, 1), RAY_BITS(BIT_HI, f, r, -1, 1)},
#define RAY_NORTHEAST(f, r) {RAY_BITS(BIT_LO, f, r, -1, -1), RAY_BITS(BIT_HI, f, r, -1, -1)},
const Bitboard attacks_rays[DIR_COUNT + 1][SQUARE_COUNT + 1] = {
    [DIR_SOUTH] = {FOR_SQUARES(RAY_SOUTH){0, 0}},
    [DIR_WEST] = {FOR_SQUARES(RAY_WEST){0, 0}},
    [DIR_NORTHWEST] = {FOR_SQUARES(RAY_NORTHWEST){0, 0}},
    [DIR_SOUTHWEST] = {FOR_SQUARES(RAY_SOUTHWEST){0, 0}},
    [DIR_NORTH] = {FOR_SQUARES(RAY_NORTH){0, 0}},
    [DIR_EAST] = {FOR_SQUARES(RAY_EAST){0, 0}},
    [DIR_SOUTHEAST] = {FOR_SQUARES(RAY_SOUTHEAST){0, 0}},
    [DIR_NORTHEAST] = {FOR_SQUARES(RAY_NORTHEAST){0, 0}},
    [DIR_NONE] = {{0, 0}},
};

#define GRID(f, r) (f) * 17 + (r),
const uint8_t attacks_grid[SQUARE_COUNT] = {FOR_SQUARES(GRID)};

/* Index 17 * (file difference) + (rank difference) + 144: one row per file difference -8..8, ranks -8..8 in it. */
#define DIRECTION(df, dr)                                                                                              \
    ((df) == 0 && (dr) == 0 ? DIR_NONE                                                                                 \
     : (df) == 0            ? ((dr) > 0 ? DIR_SOUTH : DIR_NORTH)                                                       \
     : (dr) == 0            ? ((df) > 0 ? DIR_WEST : DIR_EAST)                                                         \
     : (df) == (dr)         ? ((df) > 0 ? DIR_SOUTHWEST : DIR_NORTHEAST)                                               \
     : (df) == -(dr)        ? ((df) > 0 ? DIR_NORTHWEST : DIR_SOUTHEAST)                                               \
                            : DIR_NONE),
#define DIRECTION_ROW(df)                                                                                              \
    DIRECTION(df, -8)                                                                                                  \
    DIRECTION(df, -7) DIRECTION(df, -6) DIRECTION(df, -5) DIRECTION(df, -4) DIRECTION(df, -3) DIRECTION(df, -2)        \
        DIRECTION(df, -1) DIRECTION(df, 0) DIRECTION(df, 1) DIRECTION(df, 2) DIRECTION(df, 3) DIRECTION(df, 4)         \
            DIRECTION(df, 5) DIRECTION(df, 6) DIRECTION(df, 7) DIRECTION(df, 8)
const uint8_t attacks_grid_direction[17 * 17] = {
    DIRECTION_ROW(-8) DIRECTION_ROW(-7) DIRECTION_ROW(-6) DIRECTION_ROW(-5) DIRECTION_ROW(-4) DIRECTION_ROW(-3)
        DIRECTION_ROW(-2) DIRECTION_ROW(-1) DIRECTION_ROW(0) DIRECTION_ROW(1) DIRECTION_ROW(2) DIRECTION_ROW(3)
            DIRECTION_ROW(4) DIRECTION_ROW(5) DIRECTION_ROW(6) DIRECTION_ROW(7) DIRECTION_ROW(8)};

Bitboard attacks_piece(Piece piece, Square sq, Bitboard occupied)
{
    Color c = piece_color(piece);
    switch (piece_type(piece)) {
    case PAWN:
        return attacks_pawn(c, sq);
    case LANCE:
        return attacks_lance(c, sq, occupied);
    case KNIGHT:
        return attacks_knight(c, sq);
    case SILVER:
        return attacks_silver(c, sq);
    case GOLD:
    case PRO_PAWN:
    case PRO_LANCE:
    case PRO_KNIGHT:
    case PRO_SILVER:
        return attacks_gold(c, sq);
    case BISHOP:
        return attacks_bishop(sq, occupied);
    case ROOK:
        return attacks_rook(sq, occupied);
    case HORSE:
        return bb_or(attacks_bishop(sq, occupied), attacks_king(sq));
    case DRAGON:
        return bb_or(attacks_rook(sq, occupied), attacks_king(sq));
    case KING:
        return attacks_king(sq);
    default:
        return bb_none();
    }
}
