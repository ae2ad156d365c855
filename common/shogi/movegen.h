/* movegen.h - lists of moves.
 *
 * The search asks for pseudo-legal parts (then position_legal() per move tried); referees, perft and the mate solver
 * ask for the full legal set. `full` adds the non-promotions that are legal but never better in play: pawn, bishop
 * and rook into, inside or out of the zone, and the lance on the second rank.
 */
#ifndef MURAKUMO_SHOGI_MOVEGEN_H
#define MURAKUMO_SHOGI_MOVEGEN_H

#include "common/shogi/position.h"

enum movegen_kind {
    MOVEGEN_CAPTURES, /* captures and pawn promotions; not in check */
    MOVEGEN_QUIETS,   /* everything else, drops included; not in check */
    MOVEGEN_EVASIONS, /* all pseudo-legal answers to check; only in check */
    MOVEGEN_CHECKS,   /* all pseudo-legal moves that give check; in check too (then they also resolve it) */
};

/* Fills `moves` (room for MOVES_MAX) with pseudo-legal moves; returns how many. */
size_t movegen(const struct position *pos, enum movegen_kind kind, bool full, Move *moves);
/* The full legal set, including every legal non-promotion, without uchifuzume. */
size_t movegen_legal(const struct position *pos, Move *moves);
/* Number of moves that movegen_legal() would list, counted without listing them. */
size_t movegen_count_legal(const struct position *pos);

#endif
