/* mate1.c - see mate1.h.
 *
 * A contact check (or a knight's check) cannot be blocked. It mates when the king has no safe square, the checking
 * piece cannot be taken by the king (it is defended) and no other piece that is free to move can take it.
 */
#include "worker/engine/mate/mate1.h"

#include "common/shogi/attacks.h"

struct surroundings {
    const struct position *pos;
    Color us, them;
    Square king;
    Bitboard occupied; /* without the king, so that rays pass through where it stood */
    Bitboard flee;     /* next to the king, not held by its own pieces */
    Bitboard open;     /* of these, the ones that nothing of ours attacks now */
};

/* Does the piece `x` on `sq` mate, once the board is filled as in `occupied` (no king) and `gone` has left its square?
 */
static bool is_mate(const struct surroundings *s, Piece x, Square sq, Bitboard gone, bool pins_hold)
{
    Bitboard here = bb_square(sq);
    Bitboard occupied = bb_or(bb_without(s->occupied, gone), here);
    Bitboard attacked = attacks_piece(x, sq, occupied);
    if (!bb_has(attacked, s->king)) return false;
    if (!bb_empty(bb_without(bb_without(s->open, attacked), here))) return false;
    if (bb_overlap(attacks_king(s->king), here) &&
        bb_empty(bb_without(position_attackers(s->pos, s->us, sq, occupied), gone)))
        return false;
    Bitboard rest = bb_without(bb_without(s->flee, attacked), here);
    Square flee;
    while (bb_next(&rest, &flee))
        if (bb_empty(bb_without(bb_without(position_attackers(s->pos, s->us, flee, occupied), gone), here)))
            return false;
    Bitboard takers = bb_without(position_attackers(s->pos, s->them, sq, occupied), bb_square(s->king));
    if (pins_hold) {
        Bitboard pinned = bb_and(takers, s->pos->blockers[s->them]);
        Square taker;
        while (bb_next(&pinned, &taker))
            if (!attacks_same_ray(s->king, taker, sq)) takers = bb_without(takers, bb_square(taker));
    }
    return bb_empty(takers);
}

static Move find_drop(const struct surroundings *s)
{
    const struct position *pos = s->pos;
    Hand hand = pos->hand[s->us];
    Bitboard empty = bb_not(pos->by_type[NO_TYPE]);
    Bitboard defended = bb_and(empty, bb_without(s->flee, s->open)); /* squares where the king may not take */
    /* Strongest first; what gold cannot mate, silver and the rest may: they reach other squares. */
    struct {
        PieceType type;
        Bitboard squares;
    } tries[] = {
        {ROOK, bb_and(defended, attacks_rook(s->king, bb_all()))},
        {GOLD, bb_and(defended, attacks_gold(s->them, s->king))},
        {BISHOP, bb_and(defended, attacks_bishop(s->king, bb_all()))},
        {SILVER, bb_and(defended, attacks_silver(s->them, s->king))},
        {LANCE, bb_and(defended, attacks_pawn(s->them, s->king))},
        {KNIGHT, bb_empty(s->open) ? bb_and(empty, attacks_knight(s->them, s->king)) : bb_none()},
    };
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        if (hand_count(hand, tries[i].type) == 0) continue;
        Square sq;
        while (bb_next(&tries[i].squares, &sq))
            if (is_mate(s, piece_make(s->us, tries[i].type), sq, bb_none(), true))
                return move_make_drop(tries[i].type, sq);
    }
    return MOVE_NONE;
}

static Move find_step(const struct surroundings *s, Square to, Bitboard movers)
{
    const struct position *pos = s->pos;
    Bitboard zone = bb_far_ranks(s->us, 3);
    Square from;
    while (bb_next(&movers, &from)) {
        PieceType type = piece_type(pos->board[from]);
        if (type == KING) continue;
        bool slider = type == LANCE || type == BISHOP || type == ROOK || type == HORSE || type == DRAGON;
        bool promotes = type_can_promote(type) && (bb_has(zone, to) || bb_has(zone, from));
        Move found = MOVE_NONE;
        if (promotes && is_mate(s, piece_make(s->us, type | PROMOTED), to, bb_square(from), !slider))
            found = move_make_promote(from, to);
        else if (!(promotes && (type == PAWN || type == BISHOP || type == ROOK)) &&
                 is_mate(s, piece_make(s->us, type), to, bb_square(from), !slider))
            found = move_make(from, to);
        if (found != MOVE_NONE && position_pseudo_legal(pos, found) && position_legal(pos, found)) return found;
    }
    return MOVE_NONE;
}

Move mate1_find(const struct position *pos)
{
    struct surroundings s = {.pos = pos, .us = pos->side, .them = color_other(pos->side)};
    s.king = pos->king[s.them];
    if (s.king == SQUARE_NONE) return MOVE_NONE;
    s.occupied = bb_without(pos->by_type[NO_TYPE], bb_square(s.king));
    Bitboard ring = attacks_king(s.king);
    s.flee = bb_without(ring, pos->by_color[s.them]);
    s.open = bb_none();

    Bitboard movers[8];
    Square squares[8];
    size_t count = 0;
    Bitboard rest = bb_without(ring, pos->by_color[s.us]), own = bb_and(ring, pos->by_color[s.us]);
    Square sq;
    while (bb_next(&rest, &sq)) {
        Bitboard attackers = position_attackers(pos, s.us, sq, s.occupied);
        if (bb_empty(attackers)) {
            if (bb_has(s.flee, sq)) s.open = bb_or(s.open, bb_square(sq));
        } else {
            squares[count] = sq;
            movers[count++] = attackers;
        }
    }
    while (bb_next(&own, &sq))
        if (bb_empty(position_attackers(pos, s.us, sq, s.occupied))) s.open = bb_or(s.open, bb_square(sq));

    if (pos->hand[s.us] != 0) {
        Move drop = find_drop(&s);
        if (drop != MOVE_NONE && position_legal(pos, drop)) return drop;
    }
    for (size_t i = 0; i < count; i++) {
        Move step = find_step(&s, squares[i], movers[i]);
        if (step != MOVE_NONE) return step;
    }
    if (bb_empty(s.open)) {
        Bitboard knights = bb_and(bb_and(pos->by_type[KNIGHT], pos->by_color[s.us]), bb_all());
        Bitboard targets = bb_without(attacks_knight(s.them, s.king), pos->by_color[s.us]);
        while (!bb_empty(knights) && bb_next(&targets, &sq)) {
            Move step = find_step(&s, sq, bb_and(knights, attacks_knight(s.them, sq)));
            if (step != MOVE_NONE) return step;
        }
    }
    return MOVE_NONE;
}
