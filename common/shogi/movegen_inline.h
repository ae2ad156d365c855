/* movegen_inline.h - counting legal moves without listing them. Only for movegen.c and perft.c, like position_inline.h.
 */
#ifndef MURAKUMO_SHOGI_MOVEGEN_INLINE_H
#define MURAKUMO_SHOGI_MOVEGEN_INLINE_H

#include "common/shogi/position_inline.h"

/* Moves from `from` to any of `targets` (already restricted to what the piece reaches), promotions counted twice. */
ALWAYS_INLINE unsigned movegen_count_targets(Color us, PieceType type, Square from, Bitboard targets)
{
    const Bitboard zone = bb_far_ranks(us, 3);
    switch (type) {
    case PAWN:
    case LANCE:
        return bb_count(targets) + bb_count(bb_and(targets, bb_without(zone, bb_far_ranks(us, 1))));
    case KNIGHT:
        return bb_count(targets) + bb_count(bb_and(targets, bb_without(zone, bb_far_ranks(us, 2))));
    case SILVER:
    case BISHOP:
    case ROOK:
        return bb_count(targets) + bb_count(bb_has(zone, from) ? targets : bb_and(targets, zone));
    default:
        return bb_count(targets);
    }
}

/* Number of legal moves of the side `us`, which is to move. */
ALWAYS_INLINE size_t movegen_count_legal_for(const struct position *pos, Color us)
{
    const Color them = color_other(us);
    const Bitboard *t = pos->by_type;
    const Bitboard own = pos->by_color[us], occupied = t[NO_TYPE];
    const Square king = pos->king[us];
    Bitboard targets = bb_not(own), empty = bb_not(occupied);
    unsigned count = 0;
    Square sq;

    const Bitboard flights = bb_and(attacks_king(king), targets);
    if (!bb_empty(pos->checkers)) {
        Bitboard through = bb_without(occupied, bb_square(king));
        count = bb_count(bb_without(flights, position_attacked_near(pos, them, king, flights, through)));
        if (bb_many(pos->checkers)) return count;
        empty = attacks_between(king, bb_first(pos->checkers));
        targets = bb_or(empty, pos->checkers);
    } else if (!bb_empty(flights)) {
        count = bb_count(flights) - bb_count(position_attacked_near(pos, them, king, flights, occupied));
    }

    /* pinned pieces may move along their line only, and never in check: then no target lies on it */
    const Bitboard pinned = bb_and(pos->blockers[us], own), movers = bb_without(own, pinned);
    for (Bitboard rest = pinned; bb_next(&rest, &sq);) {
        const Piece piece = pos->board[sq];
        const Bitboard line = attacks_rays[direction_between(king, sq)][king];
        const Bitboard reach = bb_and(bb_and(attacks_piece(piece, sq, occupied), line), targets);
        count += movegen_count_targets(us, piece_type(piece), sq, reach);
    }

    const Bitboard pawns = bb_and(bb_forward(us, bb_and(t[PAWN], movers)), targets);
    count += movegen_count_targets(us, PAWN, 0, pawns);
    for (Bitboard rest = bb_and(t[LANCE], movers); bb_next(&rest, &sq);)
        count += movegen_count_targets(us, LANCE, sq, bb_and(attacks_lance(us, sq, occupied), targets));
    const Bitboard jumps = bb_forward(us, bb_forward(us, bb_and(t[KNIGHT], movers)));
    count += movegen_count_targets(us, KNIGHT, 0, bb_and(bb_east(jumps), targets));
    count += movegen_count_targets(us, KNIGHT, 0, bb_and(bb_west(jumps), targets));
    for (Bitboard rest = bb_and(t[SILVER], movers); bb_next(&rest, &sq);)
        count += movegen_count_targets(us, SILVER, sq, bb_and(attacks_silver(us, sq), targets));
    for (Bitboard rest = bb_and(position_golds(pos), movers); bb_next(&rest, &sq);)
        count += bb_count(bb_and(attacks_gold(us, sq), targets));
    for (Bitboard rest = bb_and(position_straights(pos), movers); bb_next(&rest, &sq);) {
        const Bitboard reach = bb_and(attacks_rook(sq, occupied), targets);
        if (pos->board[sq] == piece_make(us, ROOK))
            count += movegen_count_targets(us, ROOK, sq, reach);
        else
            count += bb_count(bb_or(reach, bb_and(attacks_king(sq), targets)));
    }
    for (Bitboard rest = bb_and(position_diagonals(pos), movers); bb_next(&rest, &sq);) {
        const Bitboard reach = bb_and(attacks_bishop(sq, occupied), targets);
        if (pos->board[sq] == piece_make(us, BISHOP))
            count += movegen_count_targets(us, BISHOP, sq, reach);
        else
            count += bb_count(bb_or(reach, bb_and(attacks_king(sq), targets)));
    }

    const Hand hand = pos->hand[us];
    if (hand == 0 || bb_empty(empty)) return count;
    unsigned anywhere = (unsigned)(hand_count(hand, SILVER) != 0) + (hand_count(hand, BISHOP) != 0) +
                        (hand_count(hand, ROOK) != 0) + (hand_count(hand, GOLD) != 0);
    count += anywhere * bb_count(empty);
    if (hand_count(hand, KNIGHT) != 0) count += bb_count(bb_without(empty, bb_far_ranks(us, 2)));
    if (hand_count(hand, LANCE) != 0) count += bb_count(bb_without(empty, bb_far_ranks(us, 1)));
    if (hand_count(hand, PAWN) != 0) {
        const Bitboard files = bb_fill_files(bb_and(t[PAWN], own));
        const Bitboard drops = bb_without(bb_without(empty, files), bb_far_ranks(us, 1));
        const Bitboard head = bb_and(attacks_pawn(them, pos->king[them]), drops);
        count += bb_count(drops);
        if (!bb_empty(head) && position_pawn_drop_mates(pos, us, head)) count--;
    }
    return count;
}

#endif
