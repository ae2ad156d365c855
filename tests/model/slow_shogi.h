/* slow_shogi.h - the rules of shogi as a beginner would write them down: a 9 x 9 array, every candidate tried, every
 * check found by walking. Slow and obvious; the twin that the fast rules are compared with. Shares with them only the
 * way in which squares, pieces and moves are numbered (types.h).
 */
#ifndef MURAKUMO_TESTS_SLOW_SHOGI_H
#define MURAKUMO_TESTS_SLOW_SHOGI_H

#include "common/shogi/position.h"

struct slow_position {
    Piece at[10][10]; /* [file 1..9][rank 1..9] */
    int hand[COLOR_COUNT][8];
    Color side;
};

void slow_from_position(struct slow_position *slow, const struct position *pos);

/* Does the piece on (file, rank) attack the target square, walking over empty squares? */
bool slow_attacks(const struct slow_position *s, int file, int rank, int to_file, int to_rank);
bool slow_attacked(const struct slow_position *s, Color by, int file, int rank);
bool slow_in_check(const struct slow_position *s, Color king_color); /* false without a king */
/* Plays the move, whatever it is. */
void slow_play(struct slow_position *s, Move move);
/* Every rule but the safety of the own king and pawn-drop mate. */
bool slow_moves_right(const struct slow_position *s, Move move);
bool slow_legal(const struct slow_position *s, Move move);
/* All legal moves, in increasing order. Room for MOVES_MAX. */
size_t slow_legal_moves(const struct slow_position *s, Move *moves);

/* The same position seen in a mirror (file 1 <-> 9) or from the other side of the board (colours exchanged). */
void slow_mirror(struct slow_position *s);
void slow_turn(struct slow_position *s);
Move move_mirror(Move move);
Move move_turn(Move move);
/* Back to the fast kind. */
void slow_to_position(const struct slow_position *slow, struct position *pos);

#endif
