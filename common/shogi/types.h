/* types.h - squares, pieces, hands and moves: the values that everything else passes by copy.
 *
 * Squares are numbered file by file, so a file is nine neighbouring bits and a lance moves by 1:
 *
 *      9   8   7   6   5   4   3   2   1  <- file        square = (file - 1) * 9 + (rank - 1)
 *     72  63  54  45  36  27  18   9   0   a (rank 1)    Black (sente) moves towards rank a: -1 is "forward".
 *     73  64  55  46  37  28  19  10   1   b
 *     ..                              ..
 *     80  71  62  53  44  35  26  17   8   i (rank 9)
 */
#ifndef MURAKUMO_SHOGI_TYPES_H
#define MURAKUMO_SHOGI_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t Square;
enum { SQUARE_COUNT = 81, SQUARE_NONE = 81 };

static inline Square square_make(int file_1to9, int rank_1to9) { return (Square)((file_1to9 - 1) * 9 + rank_1to9 - 1); }
static inline int square_file(Square sq) { return sq / 9 + 1; }           /* 1..9 */
static inline int square_rank(Square sq) { return sq % 9 + 1; }           /* 1..9 */
static inline Square square_flip(Square sq) { return (Square)(80 - sq); } /* board turned by 180 degrees */

typedef uint8_t Color;
enum { BLACK = 0, WHITE = 1, COLOR_COUNT = 2 }; /* Black = sente moves first; in handicap games White does */
static inline Color color_other(Color c) { return (Color)(c ^ 1); }

/* Promotion sets bit 3: type | 8. GOLD and KING cannot promote; 15 and 8|KING are unused. */
typedef uint8_t PieceType;
enum {
    NO_TYPE = 0,
    PAWN = 1,
    LANCE,
    KNIGHT,
    SILVER,
    BISHOP,
    ROOK,
    GOLD = 7,
    KING = 8,
    PRO_PAWN = 9,
    PRO_LANCE,
    PRO_KNIGHT,
    PRO_SILVER,
    HORSE,
    DRAGON = 14,
    TYPE_COUNT = 15,
    PROMOTED = 8,
    HAND_TYPES = 7 /* PAWN..GOLD may be in hand */
};

typedef uint8_t Piece; /* type | color << 4; 0 = empty */
enum { NO_PIECE = 0, PIECE_COUNT = 32 };
static inline Piece piece_make(Color c, PieceType t) { return (Piece)(t | c << 4); }
static inline PieceType piece_type(Piece p) { return p & 15; }
static inline Color piece_color(Piece p) { return p >> 4; }
static inline PieceType type_unpromoted(PieceType t) { return t == KING ? KING : (PieceType)(t & 7); }
static inline bool type_can_promote(PieceType t) { return t >= PAWN && t <= ROOK; }

/* Pieces in hand, packed with a free bit above each count so that one subtraction compares all counts at once. */
typedef uint32_t Hand;
#define HAND_GUARDS 0x84488820u
static inline unsigned hand_shift(PieceType t) /* PAWN..GOLD */
{
    static const uint8_t shifts[8] = {0, 0, 8, 12, 16, 20, 24, 28};
    return shifts[t];
}
static inline unsigned hand_count(Hand h, PieceType t)
{
    return (h >> hand_shift(t)) & (t == PAWN ? 31u : t == BISHOP || t == ROOK ? 3u : 7u);
}
static inline Hand hand_one(PieceType t) { return (Hand)1 << hand_shift(t); }
/* Has `a` at least as many of every piece as `b`? (dominance; 優等 / 劣等) */
static inline bool hand_covers(Hand a, Hand b) { return (((a | HAND_GUARDS) - b) & HAND_GUARDS) == HAND_GUARDS; }

/* A move in 16 bits: to 0-6, from 7-13 (81 + type for a drop), promotes 14. Fits TT entries and the wire. */
typedef uint16_t Move;
enum {
    MOVE_NONE = 0,
    MOVE_NULL = 1 | 1 << 7,   /* pass, inside search only */
    MOVE_WIN = 2 | 2 << 7,    /* entering-king declaration (入玉宣言) */
    MOVE_RESIGN = 3 | 3 << 7, /* 投了 */
    MOVE_PROMOTE = 1 << 14,
    MOVES_MAX = 640 /* 593 legal moves are known; 624 bounds any list, pseudo-legal and kings missing included */
};
static inline Move move_make(Square from, Square to) { return (Move)(to | from << 7); }
static inline Move move_make_promote(Square from, Square to) { return (Move)(to | from << 7 | MOVE_PROMOTE); }
static inline Move move_make_drop(PieceType t, Square to) { return (Move)(to | (SQUARE_COUNT + t) << 7); }
static inline Square move_to(Move m) { return m & 127; }
static inline Square move_from(Move m) { return (m >> 7) & 127; } /* only if !move_is_drop */
static inline bool move_is_drop(Move m) { return ((m >> 7) & 127) >= SQUARE_COUNT; }
static inline PieceType move_drop_type(Move m) { return (PieceType)(((m >> 7) & 127) - SQUARE_COUNT); }
static inline bool move_promotes(Move m) { return (m & MOVE_PROMOTE) != 0; }
/* Is it a real move of a piece (not one of the special values above)? Says nothing about legality. */
static inline bool move_is_real(Move m) { return (m & 127) != ((m >> 7) & 127); }

#endif
