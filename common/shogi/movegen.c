#include "common/shogi/movegen.h"

#include "common/shogi/movegen_inline.h"

/* One pass over the own pieces. Which of the parts exist is decided by constants, so each kind of list is compiled by
 * itself. */
struct plan {
    Bitboard targets;         /* where pieces may go */
    Bitboard pawn_promotions; /* where pawns may promote; `targets` but for captures and quiets */
    Bitboard drops;           /* where pieces in hand may be put */
    bool full;
};

/* Squares from which a piece of each type would check their king, and pieces that uncover a check by leaving a line. */
struct check_squares {
    Bitboard by_type[TYPE_COUNT];
    Bitboard uncovering;
    Square king;
};

static inline Move *emit(Move *out, unsigned source_bits, Bitboard targets)
{
    for (uint64_t rest = targets.lo; rest != 0; rest &= rest - 1)
        *out++ = (Move)(source_bits | (unsigned)__builtin_ctzll(rest));
    for (uint64_t rest = targets.hi; rest != 0; rest &= rest - 1)
        *out++ = (Move)(source_bits | (unsigned)(63 + __builtin_ctzll(rest)));
    return out;
}

/* Non-promoting moves of a type that can promote: which targets are allowed? */
ALWAYS_INLINE Bitboard plain_targets(Color us, PieceType type, bool from_in_zone, bool full)
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

/* The moves of one piece that reaches `reach`, to plain and to promoting targets. */
ALWAYS_INLINE Move *emit_piece(Move *out, Color us, PieceType type, Square from, Bitboard reach, Bitboard plain,
                               Bitboard promoting, bool full)
{
    const unsigned source = (unsigned)from << 7;
    if (type_can_promote(type)) {
        const Bitboard zone = bb_far_ranks(us, 3);
        const bool from_in_zone = bb_has(zone, from);
        promoting = bb_and(reach, promoting);
        out = emit(out, source | MOVE_PROMOTE, from_in_zone ? promoting : bb_and(promoting, zone));
        plain = bb_and(plain, plain_targets(us, type, from_in_zone, full));
    }
    return emit(out, source, bb_and(reach, plain));
}

/* All moves of the pieces in `from_set`, which are of one type (or move like it). */
ALWAYS_INLINE Move *emit_type(const struct position *pos, Move *out, Color us, PieceType type, Bitboard from_set,
                              const struct plan *plan, const struct check_squares *checks)
{
    Square from;
    while (bb_next(&from_set, &from)) {
        const Bitboard reach = attacks_piece_inline(us, type, from, pos->by_type[NO_TYPE]);
        Bitboard plain = plan->targets, promoting = type == PAWN ? plan->pawn_promotions : plan->targets;
        if (checks != NULL) {
            Bitboard leaving = bb_none();
            if (bb_has(checks->uncovering, from))
                leaving = bb_not(attacks_rays[direction_between(checks->king, from)][checks->king]);
            plain = bb_and(plain, bb_or(checks->by_type[type], leaving));
            if (type_can_promote(type)) promoting = bb_and(promoting, bb_or(checks->by_type[type | PROMOTED], leaving));
        }
        out = emit_piece(out, us, type, from, reach, plain, promoting, plan->full);
    }
    return out;
}

ALWAYS_INLINE Move *emit_pieces(const struct position *pos, Move *out, Color us, Bitboard movers,
                                const struct plan *plan, const struct check_squares *checks)
{
    const Bitboard *t = pos->by_type;
    out = emit_type(pos, out, us, PAWN, bb_and(t[PAWN], movers), plan, checks);
    out = emit_type(pos, out, us, LANCE, bb_and(t[LANCE], movers), plan, checks);
    out = emit_type(pos, out, us, KNIGHT, bb_and(t[KNIGHT], movers), plan, checks);
    out = emit_type(pos, out, us, SILVER, bb_and(t[SILVER], movers), plan, checks);
    out = emit_type(pos, out, us, BISHOP, bb_and(t[BISHOP], movers), plan, checks);
    out = emit_type(pos, out, us, ROOK, bb_and(t[ROOK], movers), plan, checks);
    out = emit_type(pos, out, us, GOLD, bb_and(position_golds(pos), movers), plan, checks);
    out = emit_type(pos, out, us, HORSE, bb_and(t[HORSE], movers), plan, checks);
    return emit_type(pos, out, us, DRAGON, bb_and(t[DRAGON], movers), plan, checks);
}

ALWAYS_INLINE Move *emit_drops(const struct position *pos, Move *out, Color us, Bitboard empty, Bitboard forbidden_pawn,
                               const struct check_squares *checks)
{
    const Hand hand = pos->hand[us];
    if (hand == 0 || bb_empty(empty)) return out;
    for (PieceType type = PAWN; type <= GOLD; type++) {
        if (hand_count(hand, type) == 0) continue;
        Bitboard squares = checks != NULL ? bb_and(empty, checks->by_type[type]) : empty;
        if (type == PAWN) {
            const Bitboard own_files = bb_fill_files(bb_and(pos->by_type[PAWN], pos->by_color[us]));
            squares = bb_without(bb_without(squares, own_files), bb_or(bb_far_ranks(us, 1), forbidden_pawn));
        } else if (type == LANCE) {
            squares = bb_without(squares, bb_far_ranks(us, 1));
        } else if (type == KNIGHT) {
            squares = bb_without(squares, bb_far_ranks(us, 2));
        }
        out = emit(out, (unsigned)(SQUARE_COUNT + type) << 7, squares);
    }
    return out;
}

ALWAYS_INLINE Move *emit_king(const struct position *pos, Move *out, Color us, Bitboard targets)
{
    const Square king = pos->king[us];
    return emit(out, (unsigned)king << 7, bb_and(attacks_king(king), targets)); /* no king: no attacks */
}

/* Answers to a single check go to `targets`: the checker and the squares before it. */
ALWAYS_INLINE struct plan evasion_plan(const struct position *pos, Color us, bool full)
{
    const Bitboard between = attacks_between(pos->king[us], bb_first(pos->checkers));
    const Bitboard targets = bb_or(between, pos->checkers);
    return (struct plan){targets, targets, between, full};
}

ALWAYS_INLINE struct plan free_plan(const struct position *pos, Color us, bool full)
{
    const Bitboard targets = bb_not(pos->by_color[us]);
    return (struct plan){targets, targets, bb_not(pos->by_type[NO_TYPE]), full};
}

ALWAYS_INLINE struct check_squares find_check_squares(const struct position *pos, Color us)
{
    const Color them = color_other(us);
    const Square king = pos->king[them];
    const Bitboard occupied = pos->by_type[NO_TYPE];
    struct check_squares checks;
    const Bitboard gold = attacks_gold(them, king), straight = attacks_rook(king, occupied);
    const Bitboard diagonal = attacks_bishop(king, occupied), around = attacks_king(king);
    checks.by_type[NO_TYPE] = checks.by_type[KING] = bb_none();
    checks.by_type[PAWN] = attacks_pawn(them, king);
    checks.by_type[LANCE] = attacks_lance(them, king, occupied);
    checks.by_type[KNIGHT] = attacks_knight(them, king);
    checks.by_type[SILVER] = attacks_silver(them, king);
    checks.by_type[BISHOP] = diagonal;
    checks.by_type[ROOK] = straight;
    checks.by_type[GOLD] = checks.by_type[PRO_PAWN] = checks.by_type[PRO_LANCE] = gold;
    checks.by_type[PRO_KNIGHT] = checks.by_type[PRO_SILVER] = gold;
    checks.by_type[HORSE] = bb_or(diagonal, around);
    checks.by_type[DRAGON] = bb_or(straight, around);
    checks.uncovering = bb_and(pos->blockers[them], pos->by_color[us]);
    checks.king = king;
    return checks;
}

ALWAYS_INLINE Move *generate_checks(const struct position *pos, Move *out, Color us, bool full)
{
    if (pos->king[color_other(us)] == SQUARE_NONE) return out;
    const struct check_squares checks = find_check_squares(pos, us);
    const Square king = pos->king[us];
    if (king != SQUARE_NONE && bb_has(checks.uncovering, king)) {
        const Bitboard line = attacks_rays[direction_between(checks.king, king)][checks.king];
        out = emit_king(pos, out, us, bb_without(bb_not(pos->by_color[us]), line));
    }
    if (bb_many(pos->checkers)) return out;
    const struct plan plan = position_in_check(pos) ? evasion_plan(pos, us, full) : free_plan(pos, us, full);
    out = emit_pieces(pos, out, us, pos->by_color[us], &plan, &checks);
    return emit_drops(pos, out, us, plan.drops, bb_none(), &checks);
}

/* The square on which a dropped pawn would mate, if there is one. */
ALWAYS_INLINE Bitboard mating_pawn_square(const struct position *pos, Color us, Bitboard drops)
{
    const Color them = color_other(us);
    const Bitboard head = bb_and(attacks_pawn(them, pos->king[them]), drops);
    if (bb_empty(head) || hand_count(pos->hand[us], PAWN) == 0) return bb_none();
    if (bb_overlap(bb_fill_files(head), bb_and(pos->by_type[PAWN], pos->by_color[us]))) return bb_none();
    return position_pawn_drop_mates(pos, us, head) ? head : bb_none();
}

/* Captures, quiets, evasions and the legal list differ only in their sets. In a legal list unsafe squares, pinned
 * pieces and a mating pawn are left out beforehand, so that nothing has to be tried. */
enum { LEGAL_LIST = -1 };

ALWAYS_INLINE Move *generate(const struct position *pos, int kind, bool full, Move *out, Color us)
{
    const Bitboard own = pos->by_color[us], theirs = pos->by_color[color_other(us)];
    const Bitboard occupied = pos->by_type[NO_TYPE], empty = bb_not(occupied);
    struct plan plan = free_plan(pos, us, full);
    Bitboard king_targets = plan.targets, movers = own, forbidden = bb_none();

    if (kind == MOVEGEN_CAPTURES) {
        plan.targets = king_targets = theirs;
        plan.drops = bb_none();
    } else if (kind == MOVEGEN_QUIETS) {
        plan.targets = king_targets = empty;
        plan.pawn_promotions = bb_none();
    } else {
        if (kind == LEGAL_LIST) king_targets = position_safe_flights(pos, us);
        if (position_in_check(pos)) {
            if (bb_many(pos->checkers)) return emit_king(pos, out, us, king_targets);
            plan = evasion_plan(pos, us, full);
        }
    }
    if (kind == LEGAL_LIST) {
        const Square king = pos->king[us];
        const Bitboard pinned = bb_and(pos->blockers[us], own);
        Square sq;
        movers = bb_without(own, pinned);
        for (Bitboard rest = pinned; bb_next(&rest, &sq);) {
            const Bitboard line = attacks_rays[direction_between(king, sq)][king];
            const Bitboard reach = bb_and(attacks_piece(pos->board[sq], sq, occupied), line);
            out = emit_piece(out, us, piece_type(pos->board[sq]), sq, reach, plan.targets, plan.targets, full);
        }
        forbidden = mating_pawn_square(pos, us, plan.drops);
    }
    out = emit_pieces(pos, out, us, movers, &plan, NULL);
    out = emit_king(pos, out, us, king_targets);
    return emit_drops(pos, out, us, plan.drops, forbidden, NULL);
}

ALWAYS_INLINE size_t movegen_inline(const struct position *pos, enum movegen_kind kind, bool full, Move *moves)
{
    Move *end = kind == MOVEGEN_CHECKS ? generate_checks(pos, moves, pos->side, full)
                                       : generate(pos, (int)kind, full, moves, pos->side);
    return (size_t)(end - moves);
}
TWO_TARGETS(size_t, movegen, (const struct position *pos, enum movegen_kind kind, bool full, Move *moves),
            (pos, kind, full, moves))

ALWAYS_INLINE size_t movegen_legal_inline(const struct position *pos, Move *moves)
{
    return (size_t)(generate(pos, LEGAL_LIST, true, moves, pos->side) - moves);
}
TWO_TARGETS(size_t, movegen_legal, (const struct position *pos, Move *moves), (pos, moves))

ALWAYS_INLINE size_t movegen_count_legal_inline(const struct position *pos)
{
    return pos->side == BLACK ? movegen_count_legal_for(pos, BLACK) : movegen_count_legal_for(pos, WHITE);
}
TWO_TARGETS(size_t, movegen_count_legal, (const struct position *pos), (pos))
