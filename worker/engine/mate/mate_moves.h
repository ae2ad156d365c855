/* mate_moves.h - the two move lists of a mate search: every legal check, every legal evasion.
 *
 * Nothing is left out: all non-promotions are there. The order is fixed by the position, and moves that are variants of
 * one another stand side by side (see mate_moves_is_variant), so that the search can try the later ones only when it
 * must.
 */
#ifndef MURAKUMO_ENGINE_MATE_MATE_MOVES_H
#define MURAKUMO_ENGINE_MATE_MATE_MOVES_H

#include "common/shogi/position.h"

/* All legal moves of the side to move that give check. `moves` has room for MOVES_MAX; returns how many. */
size_t mate_moves_checks(const struct position *pos, Move *moves);
/* All legal moves of the side to move, which is in check: king moves and captures first, interpositions from the king
 * outwards. */
size_t mate_moves_evasions(const struct position *pos, Move *moves);

/* Does `move` differ from the move listed before it so little that it need be tried only after that one has failed for
 * its side, or (checks) has turned out to be hard to mate with? True for two drops on one square (evasions only) and
 * for the non-promotion of a pawn, bishop, rook, or lance on its second rank. */
bool mate_moves_is_variant(const struct position *pos, Move before, Move move, bool evasion);

/* First guess how hard the position after an evasion is to prove and to disprove as a mate; smaller is easier. */
struct mate_guess {
    uint32_t pn, dn;
};
struct mate_guess mate_moves_guess_evasion(const struct position *pos, Move move);

/* The answers of the side in check, counted without listing them: each flight, each capture of the checker, and each
 * square where something can be interposed. A square counts as soon as there is any piece in hand, so the count may be
 * too large; 0 is exact. */
struct mate_mobility {
    unsigned count;
    bool without_drop; /* at least one of them needs no piece in hand */
    bool distant;      /* there are squares between king and checker */
};
struct mate_mobility mate_moves_mobility(const struct position *pos);

#endif
