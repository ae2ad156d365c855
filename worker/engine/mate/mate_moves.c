#include "worker/engine/mate/mate_moves.h"

#include "common/shogi/attacks.h"
#include "common/shogi/movegen.h"
#include "common/shogi/position_inline.h"

enum { BETWEEN_MAX = 7 }; /* squares between two others */

ALWAYS_INLINE Move *emit(Move *out, Square from, Bitboard targets)
{
    Square to;
    while (bb_next(&targets, &to)) *out++ = move_make(from, to);
    return out;
}

/* Squares where a piece of this colour and type would attack the enemy king now. */
ALWAYS_INLINE Bitboard check_squares(Color us, PieceType type, Square king, Bitboard occupied)
{
    return attacks_piece_inline(color_other(us), type, king, occupied);
}

/* Squares on which an unpromoted piece may stand. */
ALWAYS_INLINE Bitboard live_squares(Color us, PieceType type)
{
    switch (type) {
    case PAWN:
    case LANCE:
        return bb_not(bb_far_ranks(us, 1));
    case KNIGHT:
        return bb_not(bb_far_ranks(us, 2));
    default:
        return bb_all();
    }
}

struct check_masks {
    Bitboard attack[TYPE_COUNT]; /* [type]: where that piece gives check */
    Bitboard line; /* squares on the ray from the enemy king through the mover; leaving it discovers a check */
    bool discovers;
};

/* Checks by one piece on the board, not the king. Promotion and non-promotion of one step stand side by side. */
ALWAYS_INLINE Move *piece_checks(const struct position *pos, Move *out, Square from, PieceType type,
                                 const struct check_masks *masks)
{
    Color us = pos->side;
    Bitboard zone = bb_far_ranks(us, 3);
    Bitboard reach = bb_without(attacks_piece_inline(us, type, from, pos->by_type[NO_TYPE]), pos->by_color[us]);
    Bitboard revealing = masks->discovers ? bb_without(reach, masks->line) : bb_none();
    Bitboard plain = bb_and(bb_or(bb_and(reach, masks->attack[type]), revealing), live_squares(us, type));
    if (!type_can_promote(type)) return emit(out, from, plain);

    Bitboard promoting = bb_or(bb_and(reach, masks->attack[type | PROMOTED]), revealing);
    if (!bb_has(zone, from)) promoting = bb_and(promoting, zone);
    Square to;
    for (Bitboard rest = bb_or(promoting, plain); bb_next(&rest, &to);) {
        if (bb_has(promoting, to)) *out++ = move_make_promote(from, to);
        if (bb_has(plain, to)) *out++ = move_make(from, to);
    }
    return out;
}

ALWAYS_INLINE Move *king_checks(const struct position *pos, Move *out, const struct check_masks *masks)
{
    Color us = pos->side;
    Square king = pos->king[us];
    if (!masks->discovers) return out;
    return emit(out, king, bb_without(bb_without(attacks_king(king), pos->by_color[us]), masks->line));
}

ALWAYS_INLINE Move *drop_checks(const struct position *pos, Move *out, const struct check_masks *masks)
{
    Color us = pos->side;
    Hand hand = pos->hand[us];
    Bitboard empty = bb_not(pos->by_type[NO_TYPE]);
    for (PieceType type = PAWN; type <= GOLD; type++) {
        if (hand_count(hand, type) == 0) continue;
        Bitboard targets = bb_and(bb_and(masks->attack[type], empty), live_squares(us, type));
        if (type == PAWN) targets = bb_without(targets, bb_fill_files(bb_and(pos->by_type[PAWN], pos->by_color[us])));
        Square to;
        while (bb_next(&targets, &to)) *out++ = move_make_drop(type, to);
    }
    return out;
}

/* Can this move be illegal at all? Not in check; pseudo-legal. */
ALWAYS_INLINE bool is_doubtful(const struct position *pos, Move move)
{
    if (move_is_drop(move)) return move_drop_type(move) == PAWN;
    return bb_has(bb_or(pos->blockers[pos->side], bb_square(pos->king[pos->side])), move_from(move));
}

ALWAYS_INLINE size_t keep_legal(const struct position *pos, Move *moves, const Move *end)
{
    Move *kept = moves;
    for (const Move *m = moves; m < end; m++)
        if (!is_doubtful(pos, *m) || position_legal(pos, *m)) *kept++ = *m;
    return (size_t)(kept - moves);
}

static size_t checking_evasions(const struct position *pos, Move *moves)
{
    size_t count = movegen(pos, MOVEGEN_EVASIONS, true, moves), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (position_legal(pos, moves[i]) && position_gives_check(pos, moves[i])) moves[kept++] = moves[i];
    return kept;
}

/* Our pieces that can give check at all, and some more: those that step next to the king, jump, slide or uncover. */
ALWAYS_INLINE Bitboard checkers_perhaps(const struct position *pos, Square king)
{
    Color us = pos->side;
    Bitboard far = bb_or(pos->by_type[KNIGHT], bb_or(pos->by_type[LANCE], pos->by_type[BISHOP]));
    far = bb_or(far, bb_or(pos->by_type[ROOK], bb_or(pos->by_type[HORSE], pos->by_type[DRAGON])));
    far = bb_or(far, bb_or(pos->blockers[color_other(us)], attacks_vicinity_table[king]));
    return bb_and(far, pos->by_color[us]);
}

ALWAYS_INLINE size_t mate_moves_checks_inline(const struct position *pos, Move *moves)
{
    Color us = pos->side, them = color_other(us);
    Square king = pos->king[them];
    if (king == SQUARE_NONE) return 0;
    if (position_in_check(pos)) return checking_evasions(pos, moves);

    struct check_masks masks; /* of kings and what cannot promote: never looked at */
    Bitboard occupied = pos->by_type[NO_TYPE];
    Bitboard rook = attacks_rook(king, occupied), bishop = attacks_bishop(king, occupied);
    Bitboard gold = check_squares(us, GOLD, king, occupied);
    masks.attack[PAWN] = check_squares(us, PAWN, king, occupied);
    masks.attack[LANCE] = check_squares(us, LANCE, king, occupied);
    masks.attack[KNIGHT] = check_squares(us, KNIGHT, king, occupied);
    masks.attack[SILVER] = check_squares(us, SILVER, king, occupied);
    masks.attack[BISHOP] = bishop;
    masks.attack[ROOK] = rook;
    masks.attack[GOLD] = masks.attack[PRO_PAWN] = masks.attack[PRO_LANCE] = masks.attack[PRO_KNIGHT] =
        masks.attack[PRO_SILVER] = gold;
    masks.attack[HORSE] = bb_or(bishop, attacks_king(king));
    masks.attack[DRAGON] = bb_or(rook, attacks_king(king));

    Move *end = moves;
    Square from;
    for (Bitboard rest = checkers_perhaps(pos, king); bb_next(&rest, &from);) {
        PieceType type = piece_type(pos->board[from]);
        masks.discovers = bb_has(pos->blockers[them], from);
        masks.line = masks.discovers ? attacks_rays[direction_between(king, from)][king] : bb_none();
        end = type == KING ? king_checks(pos, end, &masks) : piece_checks(pos, end, from, type, &masks);
    }
    end = drop_checks(pos, end, &masks);
    return keep_legal(pos, moves, end);
}
TWO_TARGETS(size_t, mate_moves_checks, (const struct position *pos, Move *moves), (pos, moves))

/* Our pieces other than the king that attack `to` and may leave their squares for it. */
ALWAYS_INLINE Bitboard movers_to(const struct position *pos, Square to)
{
    Color us = pos->side;
    Bitboard movers = position_attackers_inline(pos, us, to, pos->by_type[NO_TYPE]);
    movers = bb_without(movers, bb_square(pos->king[us]));
    Square from;
    for (Bitboard pinned = bb_and(movers, pos->blockers[us]); bb_next(&pinned, &from);)
        if (!attacks_same_ray(pos->king[us], from, to)) movers = bb_without(movers, bb_square(from));
    return movers;
}

/* Moves of pieces other than the king to `to`, all forms of them. */
ALWAYS_INLINE Move *moves_to(const struct position *pos, Move *out, Square to)
{
    Color us = pos->side;
    Bitboard zone = bb_far_ranks(us, 3);
    Square from;
    for (Bitboard movers = movers_to(pos, to); bb_next(&movers, &from);) {
        PieceType type = piece_type(pos->board[from]);
        if (type_can_promote(type) && (bb_has(zone, from) || bb_has(zone, to))) *out++ = move_make_promote(from, to);
        if (bb_has(live_squares(us, type), to)) *out++ = move_make(from, to);
    }
    return out;
}

ALWAYS_INLINE Move *drops_on(const struct position *pos, Move *out, Square to, Bitboard pawn_squares)
{
    Color us = pos->side;
    Hand hand = pos->hand[us];
    for (PieceType type = PAWN; type <= GOLD; type++) {
        if (hand_count(hand, type) == 0 || !bb_has(type == PAWN ? pawn_squares : live_squares(us, type), to)) continue;
        Move move = move_make_drop(type, to);
        if (type != PAWN || position_legal(pos, move)) *out++ = move;
    }
    return out;
}

ALWAYS_INLINE size_t mate_moves_evasions_inline(const struct position *pos, Move *moves)
{
    Color us = pos->side;
    Square king = pos->king[us];
    Move *end = emit(moves, king, position_safe_flights(pos, us));
    if (bb_many(pos->checkers)) return (size_t)(end - moves);
    Square checker = bb_first(pos->checkers);
    end = moves_to(pos, end, checker);

    Bitboard between = attacks_between(king, checker);
    if (bb_empty(between)) return (size_t)(end - moves);
    Bitboard pawns = bb_and(pos->by_type[PAWN], pos->by_color[us]);
    Bitboard pawn_squares = bb_without(live_squares(us, PAWN), bb_fill_files(pawns));
    Square squares[BETWEEN_MAX];
    size_t count = 0;
    for (Square sq; count < BETWEEN_MAX && bb_next(&between, &sq);) squares[count++] = sq;
    bool outwards_is_up = checker > king;
    for (size_t i = 0; i < count; i++) {
        Square to = squares[outwards_is_up ? i : count - 1 - i];
        end = moves_to(pos, end, to);
        end = drops_on(pos, end, to, pawn_squares);
    }
    return (size_t)(end - moves);
}
TWO_TARGETS(size_t, mate_moves_evasions, (const struct position *pos, Move *moves), (pos, moves))

bool mate_moves_is_variant(const struct position *pos, Move before, Move move, bool evasion)
{
    if (move_is_drop(move)) return evasion && move_is_drop(before) && move_to(before) == move_to(move);
    if (before != (move | MOVE_PROMOTE) || move_promotes(move)) return false;
    Color us = pos->side;
    switch (piece_type(pos->board[move_from(move)])) {
    case PAWN:
    case BISHOP:
    case ROOK:
        return true;
    case LANCE:
        return bb_has(bb_far_ranks(us, 2), move_to(move));
    default:
        return false;
    }
}

struct exchange {
    unsigned ours, theirs; /* pieces that could take on the target, the mover itself counted, kings too */
    PieceType captured;
};

static struct exchange exchange_on(const struct position *pos, Move move)
{
    Color us = pos->side;
    Square to = move_to(move);
    unsigned ours = bb_count(position_attackers(pos, us, to, pos->by_type[NO_TYPE])) + (move_is_drop(move) ? 1 : 0);
    unsigned theirs = bb_count(position_attackers(pos, color_other(us), to, pos->by_type[NO_TYPE]));
    return (struct exchange){ours, theirs, piece_type(pos->board[to])};
}

struct mate_guess mate_moves_guess_evasion(const struct position *pos, Move move)
{
    if (pos->board[move_to(move)] != NO_PIECE) return (struct mate_guess){4, 2};
    if (!move_is_drop(move) && move_from(move) == pos->king[pos->side]) return (struct mate_guess){2, 2};
    struct exchange x = exchange_on(pos, move);
    return x.theirs < x.ours ? (struct mate_guess){4, 2} : (struct mate_guess){2, 4};
}

ALWAYS_INLINE struct mate_mobility mate_moves_mobility_inline(const struct position *pos)
{
    struct mate_mobility m = {0};
    Color us = pos->side;
    Square king = pos->king[us], to;
    m.count = bb_count(position_safe_flights(pos, us));
    if (bb_many(pos->checkers)) {
        m.without_drop = m.count > 0;
        return m;
    }
    Square checker = bb_first(pos->checkers);
    m.count += bb_count(movers_to(pos, checker));
    Bitboard between = attacks_between(king, checker);
    m.distant = !bb_empty(between);
    m.without_drop = m.count > 0;
    while (bb_next(&between, &to)) {
        bool moves = !bb_empty(movers_to(pos, to));
        if (moves) m.without_drop = true;
        if (moves || pos->hand[us] != 0) m.count++;
    }
    return m;
}
TWO_TARGETS(struct mate_mobility, mate_moves_mobility, (const struct position *pos), (pos))
