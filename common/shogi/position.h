/* position.h - a shogi position: board, hands, side to move, keys, checkers and pins.
 *
 * A position is a plain value: copy it with `=`. It holds no history; repetition lives in outcome.h. One or both
 * kings may be missing (tsume problems): king[c] is then SQUARE_NONE and the side without a king is never in check.
 *
 * position_do() records in `struct undo` all that position_undo() needs and all that an evaluator wants to know
 * about what changed. Threads: a position belongs to one thread at a time.
 */
#ifndef MURAKUMO_SHOGI_POSITION_H
#define MURAKUMO_SHOGI_POSITION_H

#include "common/shogi/bitboard.h"
#include "common/shogi/types.h"

struct position {
    Bitboard by_type[TYPE_COUNT]; /* both colours; by_type[NO_TYPE] = all pieces */
    Bitboard by_color[COLOR_COUNT];
    Bitboard checkers;              /* enemy pieces that give check to the side to move */
    Bitboard blockers[COLOR_COUNT]; /* pieces of either colour that alone shield king[c] from an enemy slider */
    uint64_t board_key;             /* pieces on squares and the side to move */
    uint64_t hand_key; /* pieces in hand, additive per piece; key = board_key ^ hand_key as by position_key */
    Hand hand[COLOR_COUNT];
    Piece board[SQUARE_COUNT];
    Square king[COLOR_COUNT];
    Color side;
    uint16_t game_ply; /* 1 = first move of the game, as in SFEN */
};

struct undo {
    Bitboard checkers, blockers[COLOR_COUNT];
    uint64_t board_key, hand_key;
    Move move;
    Piece moved;    /* the piece as it stood before the move (for a drop: the piece dropped) */
    Piece placed;   /* the piece as it stands after it */
    Piece captured; /* NO_PIECE if none */
};

static inline uint64_t position_key(const struct position *pos) { return pos->board_key ^ pos->hand_key; }
static inline bool position_in_check(const struct position *pos) { return !bb_empty(pos->checkers); }

/* Makes an empty board; pieces are then put and position_refresh() called. Used by the readers only. */
void position_clear(struct position *pos);
void position_put(struct position *pos, Square sq, Piece piece);
void position_refresh(struct position *pos); /* recomputes keys, kings, checkers and blockers from board, hands, side */

/* `move` must be legal (or at least pseudo-legal: then the mover's king may hang; used by tests only). */
void position_do(struct position *pos, Move move, struct undo *undo);
void position_undo(struct position *pos, const struct undo *undo);
/* Pass. Not while in check. */
void position_do_null(struct position *pos, struct undo *undo);
void position_undo_null(struct position *pos, const struct undo *undo);
/* position_key() after `move`, exactly, without making it (for prefetch). */
uint64_t position_key_after(const struct position *pos, Move move);

/* Takes any 16 bits. True when the moving piece, path, promotion zone, dead squares, nifu and (in check) the
 * evasion geometry are right. Own king safety and uchifuzume are left to position_legal(). */
bool position_pseudo_legal(const struct position *pos, Move move);
/* For a pseudo-legal move: does it leave the own king safe, and is it no pawn-drop mate (打ち歩詰め)? */
bool position_legal(const struct position *pos, Move move);
/* For a pseudo-legal move: will the enemy king be in check after it? */
bool position_gives_check(const struct position *pos, Move move);
/* Is any legal move left? (no list is made) */
bool position_has_legal_move(const struct position *pos);

/* Pieces of colour `by` that attack `sq` when the board is filled as in `occupied`. */
Bitboard position_attackers(const struct position *pos, Color by, Square sq, Bitboard occupied);

/* Static exchange evaluation lives in worker/engine/see.h: the rules do not know what pieces are worth. */

#endif
