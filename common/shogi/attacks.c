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
    DIRECTION(df, -7)                                                                                                  \
    DIRECTION(df, -6)                                                                                                  \
    DIRECTION(df, -5)                                                                                                  \
    DIRECTION(df, -4)                                                                                                  \
    DIRECTION(df, -3)                                                                                                  \
    DIRECTION(df, -2)                                                                                                  \
    DIRECTION(df, -1)                                                                                                  \
    DIRECTION(df, 0)                                                                                                   \
    DIRECTION(df, 1)                                                                                                   \
    DIRECTION(df, 2)                                                                                                   \
    DIRECTION(df, 3) DIRECTION(df, 4) DIRECTION(df, 5) DIRECTION(df, 6) DIRECTION(df, 7) DIRECTION(df, 8)
const uint8_t attacks_grid_direction[17 * 17] = {
    DIRECTION_ROW(-8) DIRECTION_ROW(-7) DIRECTION_ROW(-6) DIRECTION_ROW(-5) DIRECTION_ROW(-4) DIRECTION_ROW(-3)
        DIRECTION_ROW(-2) DIRECTION_ROW(-1) DIRECTION_ROW(0) DIRECTION_ROW(1) DIRECTION_ROW(2) DIRECTION_ROW(3)
            DIRECTION_ROW(4) DIRECTION_ROW(5) DIRECTION_ROW(6) DIRECTION_ROW(7) DIRECTION_ROW(8)};

#define CROSS_BITS(B, f, r)                                                                                            \
    (RAY_BITS(B, f, r, 0, 1) | RAY_BITS(B, f, r, 0, -1) | RAY_BITS(B, f, r, 1, 0) | RAY_BITS(B, f, r, -1, 0))
#define CROSS_ROW(f, r) {CROSS_BITS(BIT_LO, f, r), CROSS_BITS(BIT_HI, f, r)},
const Bitboard attacks_cross_table[SQUARE_COUNT + 1] = {FOR_SQUARES(CROSS_ROW){0, 0}};

#define DIAGONAL_BITS(B, f, r)                                                                                         \
    (RAY_BITS(B, f, r, 1, 1) | RAY_BITS(B, f, r, -1, -1) | RAY_BITS(B, f, r, 1, -1) | RAY_BITS(B, f, r, -1, 1))
#define DIAGONAL_ROW(f, r) {DIAGONAL_BITS(BIT_LO, f, r), DIAGONAL_BITS(BIT_HI, f, r)},
const Bitboard attacks_diagonal_table[SQUARE_COUNT + 1] = {FOR_SQUARES(DIAGONAL_ROW){0, 0}};

#define COLUMN_BITS(B, f, r)                                                                                           \
    (B(f, (r)-3) | B(f, (r)-2) | B(f, (r)-1) | B(f, r) | B(f, (r) + 1) | B(f, (r) + 2) | B(f, (r) + 3))
#define VICINITY_BITS(B, f, r)                                                                                         \
    (COLUMN_BITS(B, (f)-2, r) | COLUMN_BITS(B, (f)-1, r) | COLUMN_BITS(B, f, r) | COLUMN_BITS(B, (f) + 1, r) |         \
     COLUMN_BITS(B, (f) + 2, r))
#define VICINITY_ROW(f, r) {VICINITY_BITS(BIT_LO, f, r), VICINITY_BITS(BIT_HI, f, r)},
const Bitboard attacks_vicinity_table[SQUARE_COUNT + 1] = {FOR_SQUARES(VICINITY_ROW){0, 0}};

/* Which types reach over (df, dr)? `n` is the rank step forward: -1 for Black. */
#define BIT_OF(type)                    (1u << (type))
#define GOLD_LIKE                       (BIT_OF(GOLD) | BIT_OF(PRO_PAWN) | BIT_OF(PRO_LANCE) | BIT_OF(PRO_KNIGHT) | BIT_OF(PRO_SILVER))
#define STEP(x)                         ((x) == 1 || (x) == -1)
#define REACH_FRONT(df, dr, n)          ((df) == 0 && (dr) == (n) ? BIT_OF(PAWN) | BIT_OF(SILVER) | GOLD_LIKE : 0u)
#define REACH_FRONT_DIAGONAL(df, dr, n) (STEP(df) && (dr) == (n) ? BIT_OF(SILVER) | GOLD_LIKE : 0u)
#define REACH_BACK_DIAGONAL(df, dr, n)  (STEP(df) && (dr) == -(n) ? BIT_OF(SILVER) : 0u)
#define REACH_SIDE_OR_BACK(df, dr, n)   ((STEP(df) && (dr) == 0) || ((df) == 0 && (dr) == -(n)) ? GOLD_LIKE : 0u)
#define REACH_AROUND(df, dr)                                                                                           \
    (((df) != 0 || (dr) != 0) && (df) <= 1 && (df) >= -1 && (dr) <= 1 && (dr) >= -1                                    \
         ? BIT_OF(KING) | BIT_OF(HORSE) | BIT_OF(DRAGON)                                                               \
         : 0u)
#define REACH_JUMP(df, dr, n)  (STEP(df) && (dr) == 2 * (n) ? BIT_OF(KNIGHT) : 0u)
#define REACH_AHEAD(df, dr, n) ((df) == 0 && (dr) * (n) > 0 ? BIT_OF(LANCE) : 0u)
#define REACH_CROSS(df, dr)    (((df) == 0) != ((dr) == 0) ? BIT_OF(ROOK) | BIT_OF(DRAGON) : 0u)
#define REACH_DIAGONAL(df, dr) ((df) != 0 && ((df) == (dr) || (df) == -(dr)) ? BIT_OF(BISHOP) | BIT_OF(HORSE) : 0u)
#define REACH(df, dr, n)                                                                                               \
    REACH_FRONT(df, dr, n) | REACH_FRONT_DIAGONAL(df, dr, n) | REACH_BACK_DIAGONAL(df, dr, n) |                        \
        REACH_SIDE_OR_BACK(df, dr, n) | REACH_AROUND(df, dr) | REACH_JUMP(df, dr, n) | REACH_AHEAD(df, dr, n) |        \
        REACH_CROSS(df, dr) | REACH_DIAGONAL(df, dr),
#define REACH_ROW(df, n)                                                                                               \
    REACH(df, -8, n)                                                                                                   \
    REACH(df, -7, n)                                                                                                   \
    REACH(df, -6, n)                                                                                                   \
    REACH(df, -5, n)                                                                                                   \
    REACH(df, -4, n)                                                                                                   \
    REACH(df, -3, n)                                                                                                   \
    REACH(df, -2, n)                                                                                                   \
    REACH(df, -1, n)                                                                                                   \
    REACH(df, 0, n)                                                                                                    \
    REACH(df, 1, n)                                                                                                    \
    REACH(df, 2, n) REACH(df, 3, n) REACH(df, 4, n) REACH(df, 5, n) REACH(df, 6, n) REACH(df, 7, n) REACH(df, 8, n)
#define REACH_ROWS(n)                                                                                                  \
    {                                                                                                                  \
        REACH_ROW(-8, n)                                                                                               \
        REACH_ROW(-7, n)                                                                                               \
        REACH_ROW(-6, n)                                                                                               \
        REACH_ROW(-5, n)                                                                                               \
        REACH_ROW(-4, n)                                                                                               \
        REACH_ROW(-3, n)                                                                                               \
        REACH_ROW(-2, n)                                                                                               \
        REACH_ROW(-1, n)                                                                                               \
        REACH_ROW(0, n)                                                                                                \
        REACH_ROW(1, n)                                                                                                \
        REACH_ROW(2, n)                                                                                                \
        REACH_ROW(3, n) REACH_ROW(4, n) REACH_ROW(5, n) REACH_ROW(6, n) REACH_ROW(7, n) REACH_ROW(8, n)                \
    }
const uint16_t attacks_grid_reach[COLOR_COUNT][17 * 17] = {REACH_ROWS(-1), REACH_ROWS(1)};

Bitboard attacks_piece(Piece piece, Square sq, Bitboard occupied)
{
    return attacks_piece_inline(piece_color(piece), piece_type(piece), sq, occupied);
}
