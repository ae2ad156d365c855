/* bitboard.h - sets of squares.
 *
 * 81 squares in two words, file by file: files 1-7 are bits 0-62 of `lo`, files 8-9 are bits 0-17 of `hi`. No file is
 * torn between the words, so a lance lives in one of them. Bits outside the board are always 0.
 *
 * Directions are named as Black sees the board: north is towards rank a, west towards file 9.
 */
#ifndef MURAKUMO_SHOGI_BITBOARD_H
#define MURAKUMO_SHOGI_BITBOARD_H

#include "common/shogi/types.h"

typedef struct {
    _Alignas(16) uint64_t lo;
    uint64_t hi;
} Bitboard;

#define BB_LO_ALL 0x7fffffffffffffffull
#define BB_HI_ALL 0x3ffffull
#define BB_FILE   0x1ffull              /* one file, in place of file 1 or 8 */
#define BB_ROW_LO 0x0040201008040201ull /* rank a of files 1-7 */
#define BB_ROW_HI 0x201ull              /* rank a of files 8-9 */

extern const Bitboard bb_squares[SQUARE_COUNT + 1]; /* [SQUARE_NONE] is empty */

static inline Bitboard bb_make(uint64_t lo, uint64_t hi) { return (Bitboard){lo, hi}; }
static inline Bitboard bb_none(void) { return bb_make(0, 0); }
static inline Bitboard bb_all(void) { return bb_make(BB_LO_ALL, BB_HI_ALL); }
static inline Bitboard bb_and(Bitboard a, Bitboard b) { return bb_make(a.lo & b.lo, a.hi & b.hi); }
static inline Bitboard bb_or(Bitboard a, Bitboard b) { return bb_make(a.lo | b.lo, a.hi | b.hi); }
static inline Bitboard bb_xor(Bitboard a, Bitboard b) { return bb_make(a.lo ^ b.lo, a.hi ^ b.hi); }
static inline Bitboard bb_without(Bitboard a, Bitboard b) { return bb_make(a.lo & ~b.lo, a.hi & ~b.hi); }
static inline Bitboard bb_not(Bitboard a) { return bb_make(a.lo ^ BB_LO_ALL, a.hi ^ BB_HI_ALL); }
static inline bool bb_empty(Bitboard a) { return (a.lo | a.hi) == 0; }
static inline bool bb_equal(Bitboard a, Bitboard b) { return ((a.lo ^ b.lo) | (a.hi ^ b.hi)) == 0; }
static inline bool bb_overlap(Bitboard a, Bitboard b) { return ((a.lo & b.lo) | (a.hi & b.hi)) != 0; }
/* More than one square? */
static inline bool bb_many(Bitboard a)
{
    return ((a.lo & (a.lo - 1)) | (a.hi & (a.hi - 1))) != 0 || (a.lo != 0 && a.hi != 0);
}
static inline unsigned bb_count(Bitboard a)
{
    return (unsigned)__builtin_popcountll(a.lo) + (unsigned)__builtin_popcountll(a.hi);
}

static inline Bitboard bb_square(Square sq) { return bb_squares[sq]; }
static inline bool bb_has(Bitboard a, Square sq) { return bb_overlap(a, bb_squares[sq]); }

/* First square in numbering order. The set must not be empty. */
static inline Square bb_first(Bitboard a)
{
    return a.lo != 0 ? (Square)__builtin_ctzll(a.lo) : (Square)(63 + __builtin_ctzll(a.hi));
}
/* Takes the first square out. */
static inline Square bb_pop(Bitboard *a)
{
    if (a->lo != 0) {
        Square sq = (Square)__builtin_ctzll(a->lo);
        a->lo &= a->lo - 1;
        return sq;
    }
    Square sq = (Square)(63 + __builtin_ctzll(a->hi));
    a->hi &= a->hi - 1;
    return sq;
}
/* for (Bitboard rest = set; bb_next(&rest, &sq);) visits every square of `set` in numbering order. */
static inline bool bb_next(Bitboard *rest, Square *sq)
{
    if (bb_empty(*rest)) return false;
    *sq = bb_pop(rest);
    return true;
}

static inline Bitboard bb_rank(int rank_1to9)
{
    return bb_make(BB_ROW_LO << (rank_1to9 - 1), BB_ROW_HI << (rank_1to9 - 1));
}
static inline Bitboard bb_file(int file_1to9)
{
    return file_1to9 <= 7 ? bb_make(BB_FILE << (file_1to9 - 1) * 9, 0) : bb_make(0, BB_FILE << (file_1to9 - 8) * 9);
}
/* The `ranks` ranks that are farthest forward for c. 3 is the promotion zone, 1 and 2 are the dead squares of pawn,
 * lance, knight. */
static inline Bitboard bb_far_ranks(Color c, int ranks)
{
    uint64_t low = (1ull << ranks) - 1;
    uint64_t rows = c == BLACK ? low : low << (9 - ranks);
    return bb_make(BB_ROW_LO * rows, BB_ROW_HI * rows);
}

/* Whole-board steps; what leaves the board is lost. */
static inline Bitboard bb_north(Bitboard a) { return bb_make((a.lo & ~BB_ROW_LO) >> 1, (a.hi & ~BB_ROW_HI) >> 1); }
static inline Bitboard bb_south(Bitboard a)
{
    return bb_make((a.lo & ~(BB_ROW_LO << 8)) << 1, (a.hi & ~(BB_ROW_HI << 8)) << 1);
}
static inline Bitboard bb_east(Bitboard a) { return bb_make(a.lo >> 9 | ((a.hi & BB_FILE) << 54), a.hi >> 9); }
static inline Bitboard bb_west(Bitboard a)
{
    return bb_make((a.lo << 9) & BB_LO_ALL, ((a.hi << 9) & BB_HI_ALL) | a.lo >> 54);
}
static inline Bitboard bb_forward(Color c, Bitboard a) { return c == BLACK ? bb_north(a) : bb_south(a); }

/* All squares of every file on which `a` has at least one square. */
static inline Bitboard bb_fill_files(Bitboard a)
{
    /* Adding 0xff to the lower eight bits of a file carries into its rank-i bit exactly when one of them is set. */
    uint64_t top_lo = BB_ROW_LO << 8, top_hi = BB_ROW_HI << 8;
    uint64_t lo = (((a.lo & ~top_lo) + (BB_ROW_LO * 0xff)) | a.lo) & top_lo;
    uint64_t hi = (((a.hi & ~top_hi) + (BB_ROW_HI * 0xff)) | a.hi) & top_hi;
    return bb_make((lo << 1) - (lo >> 8), (hi << 1) - (hi >> 8));
}

#endif
