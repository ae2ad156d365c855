#include "common/shogi/movegen.h"

#include "common/shogi/attacks.h"

static inline Move *emit(Move *out, Square from, Bitboard targets)
{
    Square to;
    while (bb_next(&targets, &to)) *out++ = move_make(from, to);
    return out;
}

static inline Move *emit_promoting(Move *out, Square from, Bitboard targets)
{
    Square to;
    while (bb_next(&targets, &to)) *out++ = move_make_promote(from, to);
    return out;
}

static inline Move *emit_drops(Move *out, PieceType type, Bitboard targets)
{
    Square to;
    while (bb_next(&targets, &to)) *out++ = move_make_drop(type, to);
    return out;
}

/* Non-promoting moves of a type that can promote: which targets are allowed? */
static inline Bitboard plain_targets(Color us, PieceType type, bool from_in_zone, bool full)
{
    switch (type) {
    case PAWN:
        return bb_not(bb_far_ranks(us, full ? 1 : 3));
    case LANCE:
        return bb_not(bb_far_ranks(us, full ? 1 : 2));
    case KNIGHT:
        return bb_not(bb_far_ranks(us, 2));
    case BISHOP:
    case ROOK:
        return full ? bb_all() : from_in_zone ? bb_none() : bb_not(bb_far_ranks(us, 3));
    default:
        return bb_all();
    }
}

/* Moves of all pieces of one type to `targets`. Pawns promote to `promotions` besides. */
static inline Move *generate_type(const struct position *pos, Move *out, Color us, PieceType type, Bitboard targets,
                                  Bitboard promotions, bool full)
{
    Bitboard zone = bb_far_ranks(us, 3);
    Square from;
    for (Bitboard rest = bb_and(pos->by_type[type], pos->by_color[us]); bb_next(&rest, &from);) {
        Bitboard reach = attacks_piece(piece_make(us, type), from, pos->by_type[NO_TYPE]);
        if (type_can_promote(type)) {
            bool from_in_zone = bb_has(zone, from);
            Bitboard promoting = bb_and(reach, promotions);
            out = emit_promoting(out, from, from_in_zone ? promoting : bb_and(promoting, zone));
            reach = bb_and(reach, plain_targets(us, type, from_in_zone, full));
        }
        out = emit(out, from, bb_and(reach, targets));
    }
    return out;
}

static inline Move *generate_drops(const struct position *pos, Move *out, Color us, Bitboard targets)
{
    Hand hand = pos->hand[us];
    if (hand == 0) return out;
    if (hand_count(hand, PAWN) != 0) {
        Bitboard own_files = bb_fill_files(bb_and(pos->by_type[PAWN], pos->by_color[us]));
        out = emit_drops(out, PAWN, bb_without(bb_without(targets, own_files), bb_far_ranks(us, 1)));
    }
    if (hand_count(hand, LANCE) != 0) out = emit_drops(out, LANCE, bb_without(targets, bb_far_ranks(us, 1)));
    if (hand_count(hand, KNIGHT) != 0) out = emit_drops(out, KNIGHT, bb_without(targets, bb_far_ranks(us, 2)));
    for (PieceType type = SILVER; type <= GOLD; type++)
        if (hand_count(hand, type) != 0) out = emit_drops(out, type, targets);
    return out;
}

static inline Move *generate_pieces(const struct position *pos, Move *out, Color us, Bitboard targets,
                                    Bitboard pawn_promotions, bool full)
{
    out = generate_type(pos, out, us, PAWN, targets, pawn_promotions, full);
    for (PieceType type = LANCE; type <= DRAGON; type++)
        if (type != KING) out = generate_type(pos, out, us, type, targets, targets, full);
    return out;
}

static inline Move *generate_king(const struct position *pos, Move *out, Color us, Bitboard targets)
{
    Square king = pos->king[us];
    return king == SQUARE_NONE ? out : emit(out, king, bb_and(attacks_king(king), targets));
}

static Move *generate_evasions(const struct position *pos, Move *out, bool full)
{
    Color us = pos->side;
    out = generate_king(pos, out, us, bb_not(pos->by_color[us]));
    if (bb_many(pos->checkers)) return out;
    Bitboard between = attacks_between(pos->king[us], bb_first(pos->checkers));
    Bitboard targets = bb_or(between, pos->checkers);
    out = generate_pieces(pos, out, us, targets, targets, full);
    return generate_drops(pos, out, us, between);
}

static Move *generate_all(const struct position *pos, Move *out, bool full)
{
    if (position_in_check(pos)) return generate_evasions(pos, out, full);
    Color us = pos->side;
    Bitboard targets = bb_not(pos->by_color[us]);
    out = generate_king(pos, out, us, targets);
    out = generate_pieces(pos, out, us, targets, targets, full);
    return generate_drops(pos, out, us, bb_not(pos->by_type[NO_TYPE]));
}

size_t movegen(const struct position *pos, enum movegen_kind kind, bool full, Move *moves)
{
    Color us = pos->side;
    Bitboard theirs = pos->by_color[color_other(us)], empty = bb_not(pos->by_type[NO_TYPE]);
    Move *end = moves;
    switch (kind) {
    case MOVEGEN_CAPTURES:
        end = generate_pieces(pos, end, us, theirs, bb_not(pos->by_color[us]), full);
        end = generate_king(pos, end, us, theirs);
        break;
    case MOVEGEN_QUIETS:
        end = generate_pieces(pos, end, us, empty, bb_none(), full);
        end = generate_king(pos, end, us, empty);
        end = generate_drops(pos, end, us, empty);
        break;
    case MOVEGEN_EVASIONS:
        end = generate_evasions(pos, end, full);
        break;
    case MOVEGEN_CHECKS: {
        Move *all_end = generate_all(pos, moves, full);
        for (const Move *m = moves; m < all_end; m++)
            if (position_gives_check(pos, *m)) *end++ = *m;
        break;
    }
    }
    return (size_t)(end - moves);
}

size_t movegen_legal(const struct position *pos, Move *moves)
{
    Move *all_end = generate_all(pos, moves, true), *end = moves;
    for (const Move *m = moves; m < all_end; m++)
        if (position_legal(pos, *m)) *end++ = *m;
    return (size_t)(end - moves);
}

size_t movegen_count_legal(const struct position *pos)
{
    Move moves[MOVES_MAX];
    return movegen_legal(pos, moves);
}
