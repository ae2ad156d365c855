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

ALWAYS_INLINE Move *generate_evasions(const struct position *pos, Move *out, Color us, bool full)
{
    out = emit_king(pos, out, us, bb_not(pos->by_color[us]));
    if (bb_many(pos->checkers)) return out;
    const struct plan plan = evasion_plan(pos, us, full);
    out = emit_pieces(pos, out, us, pos->by_color[us], &plan, NULL);
    return emit_drops(pos, out, us, plan.drops, bb_none(), NULL);
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
    const struct plan plan = bb_empty(pos->checkers) ? free_plan(pos, us, full) : evasion_plan(pos, us, full);
    out = emit_pieces(pos, out, us, pos->by_color[us], &plan, &checks);
    return emit_drops(pos, out, us, plan.drops, bb_none(), &checks);
}

ALWAYS_INLINE Move *generate_captures(const struct position *pos, Move *out, Color us, bool full)
{
    const Bitboard theirs = pos->by_color[color_other(us)];
    const struct plan plan = {theirs, bb_not(pos->by_color[us]), bb_none(), full};
    out = emit_pieces(pos, out, us, pos->by_color[us], &plan, NULL);
    return emit_king(pos, out, us, theirs);
}

ALWAYS_INLINE Move *generate_quiets(const struct position *pos, Move *out, Color us, bool full)
{
    const Bitboard empty = bb_not(pos->by_type[NO_TYPE]);
    const struct plan plan = {empty, bb_none(), empty, full};
    out = emit_pieces(pos, out, us, pos->by_color[us], &plan, NULL);
    out = emit_king(pos, out, us, empty);
    return emit_drops(pos, out, us, empty, bb_none(), NULL);
}

ALWAYS_INLINE Move *generate(const struct position *pos, enum movegen_kind kind, bool full, Move *out, Color us)
{
    switch (kind) {
    case MOVEGEN_CAPTURES:
        return generate_captures(pos, out, us, full);
    case MOVEGEN_QUIETS:
        return generate_quiets(pos, out, us, full);
    case MOVEGEN_EVASIONS:
        return generate_evasions(pos, out, us, full);
    case MOVEGEN_CHECKS:
        return generate_checks(pos, out, us, full);
    }
    return out;
}

size_t movegen(const struct position *pos, enum movegen_kind kind, bool full, Move *moves)
{
    Move *end = pos->side == BLACK ? generate(pos, kind, full, moves, BLACK) : generate(pos, kind, full, moves, WHITE);
    return (size_t)(end - moves);
}

/* Every move that is listed is legal: unsafe squares, pinned pieces and a mating pawn are left out beforehand. */
ALWAYS_INLINE Move *generate_legal(const struct position *pos, Move *out, Color us)
{
    const Color them = color_other(us);
    const Square king = pos->king[us];
    const Bitboard own = pos->by_color[us], occupied = pos->by_type[NO_TYPE];
    const bool in_check = position_in_check(pos);

    const Bitboard flights = bb_without(attacks_king(king), own);
    if (!bb_empty(flights)) {
        const Bitboard through = bb_without(occupied, bb_square(king));
        out = emit(out, (unsigned)king << 7,
                   bb_without(flights, position_attacked_near(pos, them, king, flights, through)));
    }
    if (bb_many(pos->checkers)) return out;
    const struct plan plan = in_check ? evasion_plan(pos, us, true) : free_plan(pos, us, true);

    const Bitboard pinned = bb_and(pos->blockers[us], own);
    out = emit_pieces(pos, out, us, bb_without(own, bb_or(pinned, bb_square(king))), &plan, NULL);
    Square sq;
    for (Bitboard rest = pinned; bb_next(&rest, &sq);) {
        const PieceType type = piece_type(pos->board[sq]);
        const Bitboard line = attacks_rays[direction_between(king, sq)][king];
        const Bitboard reach = bb_and(attacks_piece(pos->board[sq], sq, occupied), line);
        out = emit_piece(out, us, type, sq, reach, plan.targets, plan.targets, true);
    }

    Bitboard forbidden = bb_none();
    if (hand_count(pos->hand[us], PAWN) != 0) {
        const Bitboard own_files = bb_fill_files(bb_and(pos->by_type[PAWN], own));
        const Bitboard head = bb_without(bb_and(attacks_pawn(them, pos->king[them]), plan.drops), own_files);
        if (!bb_empty(head) && position_pawn_drop_mates(pos, us, head)) forbidden = head;
    }
    return emit_drops(pos, out, us, plan.drops, forbidden, NULL);
}

size_t movegen_legal(const struct position *pos, Move *moves)
{
    Move *end = pos->side == BLACK ? generate_legal(pos, moves, BLACK) : generate_legal(pos, moves, WHITE);
    return (size_t)(end - moves);
}

size_t movegen_count_legal(const struct position *pos)
{
    return pos->side == BLACK ? movegen_count_legal_inline(pos, BLACK) : movegen_count_legal_inline(pos, WHITE);
}
