/* attacks.h - which squares a piece attacks.
 *
 * Steps come from small tables. Rays need none but a mask per direction: towards higher squares, o ^ (o - 1) reaches up
 * to the first blocker; towards lower squares the same is done on byte-reversed words, where each byte holds at most
 * one square of a ray. Both tricks are known in shogi programming; the file case is a plain bit scan in one word.
 */
#ifndef MURAKUMO_SHOGI_ATTACKS_H
#define MURAKUMO_SHOGI_ATTACKS_H

#include "common/shogi/bitboard.h"

/* The first four lead to higher square numbers, each opposite is +4. */
enum direction {
    DIR_SOUTH,
    DIR_WEST,
    DIR_NORTHWEST,
    DIR_SOUTHWEST,
    DIR_NORTH,
    DIR_EAST,
    DIR_SOUTHEAST,
    DIR_NORTHEAST,
    DIR_NONE,
    DIR_COUNT = 8
};

extern const Bitboard attacks_king_table[SQUARE_COUNT + 1]; /* [SQUARE_NONE] rows are empty */
extern const Bitboard attacks_gold_table[COLOR_COUNT][SQUARE_COUNT + 1];
extern const Bitboard attacks_silver_table[COLOR_COUNT][SQUARE_COUNT + 1];
extern const Bitboard attacks_knight_table[COLOR_COUNT][SQUARE_COUNT + 1];
extern const Bitboard attacks_pawn_table[COLOR_COUNT][SQUARE_COUNT + 1];
extern const Bitboard attacks_rays[DIR_COUNT + 1][SQUARE_COUNT + 1]; /* empty board; [DIR_NONE] is empty */
extern const Bitboard attacks_cross_table[SQUARE_COUNT + 1];         /* rook on an empty board */
extern const Bitboard attacks_diagonal_table[SQUARE_COUNT + 1];      /* bishop on an empty board */
/* Where a piece must stand to step next to a king on sq: two files, three ranks around it. */
extern const Bitboard attacks_vicinity_table[SQUARE_COUNT + 1];
extern const uint8_t attacks_grid[SQUARE_COUNT]; /* 17 * file + rank: differences name a direction */
extern const uint8_t attacks_grid_direction[17 * 17];
/* Bit t: a piece of type t and this colour attacks over this difference, if nothing stands between. */
extern const uint16_t attacks_grid_reach[COLOR_COUNT][17 * 17];

static inline unsigned grid_difference(Square from, Square to)
{
    return (unsigned)(attacks_grid[to] - attacks_grid[from] + 144);
}

/* The direction in which `to` lies as seen from `from`; DIR_NONE if they share no line. */
static inline enum direction direction_between(Square from, Square to)
{
    return (enum direction)attacks_grid_direction[grid_difference(from, to)];
}
/* Squares strictly between; empty if the two share no line. */
static inline Bitboard attacks_between(Square a, Square b)
{
    unsigned d = direction_between(a, b);
    unsigned opposite = (d ^ 4u) & ~(d >> 1 & 4u); /* DIR_NONE is its own */
    return bb_and(attacks_rays[d][a], attacks_rays[opposite][b]);
}
/* Is `c` on the line through `a` and `b` (which share a line), on the same side of `a` as `b`? */
static inline bool attacks_same_ray(Square a, Square b, Square c)
{
    return direction_between(a, b) == direction_between(a, c);
}

/* Would a piece of this type on `from` attack `to` if nothing stood between? */
static inline bool attacks_could_reach(Color c, PieceType type, Square from, Square to)
{
    return (attacks_grid_reach[c][grid_difference(from, to)] >> type & 1) != 0;
}

static inline Bitboard attacks_ray_up(Bitboard ray, Bitboard occupied)
{
    uint64_t lo = ray.lo & occupied.lo, hi = ray.hi & occupied.hi;
    uint64_t hi_minus = hi - (lo == 0);
    return bb_make((lo ^ (lo - 1)) & ray.lo, (hi ^ hi_minus) & ray.hi);
}
static inline Bitboard attacks_ray_down(Bitboard ray, Bitboard occupied)
{
    /* first word after reversal is hi: blockers there stop the ray before it enters lo */
    uint64_t near = __builtin_bswap64(ray.hi & occupied.hi), far = __builtin_bswap64(ray.lo & occupied.lo);
    uint64_t far_minus = far - (near == 0);
    return bb_make(__builtin_bswap64(far ^ far_minus) & ray.lo, __builtin_bswap64(near ^ (near - 1)) & ray.hi);
}
/* Along one direction of the eight. */
static inline Bitboard attacks_ray(enum direction d, Square sq, Bitboard occupied)
{
    Bitboard ray = attacks_rays[d][sq];
    if (d == DIR_NORTH) {
        /* neighbours within a file share bytes, so the highest blocker is scanned for */
        uint64_t lo = (ray.lo & occupied.lo) | 1, hi = (ray.hi & occupied.hi) | 1;
        return bb_make(ray.lo & (~0ull << (63 - __builtin_clzll(lo))), ray.hi & (~0ull << (63 - __builtin_clzll(hi))));
    }
    return d < DIR_NORTH ? attacks_ray_up(ray, occupied) : attacks_ray_down(ray, occupied);
}

static inline Bitboard attacks_pawn(Color c, Square sq) { return attacks_pawn_table[c][sq]; }
static inline Bitboard attacks_knight(Color c, Square sq) { return attacks_knight_table[c][sq]; }
static inline Bitboard attacks_silver(Color c, Square sq) { return attacks_silver_table[c][sq]; }
static inline Bitboard attacks_gold(Color c, Square sq) { return attacks_gold_table[c][sq]; }
static inline Bitboard attacks_cross(Square sq) { return attacks_cross_table[sq]; }
static inline Bitboard attacks_diagonal(Square sq) { return attacks_diagonal_table[sq]; }
static inline Bitboard attacks_king(Square sq) { return attacks_king_table[sq]; }
static inline Bitboard attacks_lance(Color c, Square sq, Bitboard occupied)
{
    return attacks_ray(c == BLACK ? DIR_NORTH : DIR_SOUTH, sq, occupied);
}
static inline Bitboard attacks_rook(Square sq, Bitboard occupied)
{
    return bb_or(bb_or(attacks_ray(DIR_NORTH, sq, occupied), attacks_ray(DIR_SOUTH, sq, occupied)),
                 bb_or(attacks_ray(DIR_WEST, sq, occupied), attacks_ray(DIR_EAST, sq, occupied)));
}
static inline Bitboard attacks_bishop(Square sq, Bitboard occupied)
{
    return bb_or(bb_or(attacks_ray(DIR_NORTHWEST, sq, occupied), attacks_ray(DIR_SOUTHWEST, sq, occupied)),
                 bb_or(attacks_ray(DIR_NORTHEAST, sq, occupied), attacks_ray(DIR_SOUTHEAST, sq, occupied)));
}
/* Any piece on any square; `type` should be a constant, else use attacks_piece(). */
static inline __attribute__((always_inline)) Bitboard attacks_piece_inline(Color c, PieceType type, Square sq,
                                                                           Bitboard occupied)
{
    switch (type) {
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
Bitboard attacks_piece(Piece piece, Square sq, Bitboard occupied);

#endif
