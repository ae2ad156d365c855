/* mate_hand.h - arithmetic on the attacker's hand: which hands does a proof or a refutation cover?
 *
 * Board and side to move fix how many pieces of each kind both hands hold together (`totals`), so the attacker's hand
 * alone names the position.
 */
#ifndef MURAKUMO_ENGINE_MATE_MATE_HAND_H
#define MURAKUMO_ENGINE_MATE_MATE_HAND_H

#include "common/shogi/types.h"

static inline Hand mate_hand_mask(PieceType t)
{
    return (t == PAWN ? 31u : t == BISHOP || t == ROOK ? 3u : 7u) << hand_shift(t);
}

/* Piece by piece the larger count. */
static inline Hand mate_hand_max(Hand a, Hand b)
{
    Hand out = 0;
    for (PieceType t = PAWN; t <= GOLD; t++) {
        Hand mask = mate_hand_mask(t);
        out |= (a & mask) > (b & mask) ? a & mask : b & mask;
    }
    return out;
}

/* Piece by piece the smaller count. */
static inline Hand mate_hand_min(Hand a, Hand b)
{
    Hand out = 0;
    for (PieceType t = PAWN; t <= GOLD; t++) {
        Hand mask = mate_hand_mask(t);
        out |= (a & mask) < (b & mask) ? a & mask : b & mask;
    }
    return out;
}

/* The kinds of which `hand` has none, as a mask over all their counts. */
static inline Hand mate_hand_missing(Hand hand)
{
    Hand out = 0;
    for (PieceType t = PAWN; t <= GOLD; t++)
        if ((hand & mate_hand_mask(t)) == 0) out |= mate_hand_mask(t);
    return out;
}

/* The attacker's hand after one of his moves. */
static inline Hand mate_hand_after(Hand before, Move move, PieceType captured)
{
    if (move_is_drop(move)) return before - hand_one(move_drop_type(move));
    return captured == NO_TYPE ? before : before + hand_one(type_unpromoted(captured));
}

/* An attacker's hand that covers some position after his move covers this hand before it. */
static inline Hand mate_hand_before(Hand after, Move move, PieceType captured)
{
    if (move_is_drop(move)) return after + hand_one(move_drop_type(move));
    if (captured == NO_TYPE) return after;
    PieceType t = captured & 7; /* never a king */
    return hand_count(after, t) > 0 ? after - hand_one(t) : after;
}

#endif
