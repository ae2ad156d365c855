/* position_inline.h - the inner parts of the rules, written so that the compiler sees the side to move as a constant.
 *
 * Only for position.c, movegen.c, perft.c and the mate search's moves. Every function here is copied into its caller;
 * `us` and the flags should be constants there.
 */
#ifndef MURAKUMO_SHOGI_POSITION_INLINE_H
#define MURAKUMO_SHOGI_POSITION_INLINE_H

#include "common/shogi/attacks.h"
#include "common/shogi/position.h"
#include "common/shogi/zobrist.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* The program is built for any x86-64, but with popcnt and the newer bit instructions the rules are twice as fast. So
 * each public function `name` exists twice, made from one `name_inline`, and a test of a flag that the compiler's
 * start-up code has set leads to the right one. Nothing of this is needed when the whole program is built for newer
 * processors, or for another architecture. */
#if defined(__x86_64__) && !(defined(__AVX2__) && defined(__BMI2__))
#define NEWER_TARGET __attribute__((target("popcnt,bmi,bmi2,avx2")))
#ifndef NEWER_PROCESSOR /* a test sets it to false, to see the other half */
#define NEWER_PROCESSOR                                                                                                \
    (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt"))
#endif
#define TWO_TARGETS(result, name, parameters, arguments)                                                               \
    static result name##_any parameters { return name##_inline arguments; }                                            \
    NEWER_TARGET static result name##_newer parameters { return name##_inline arguments; }                             \
    result name parameters { return NEWER_PROCESSOR ? name##_newer arguments : name##_any arguments; }
#define TWO_TARGETS_VOID(name, parameters, arguments)                                                                  \
    static void name##_any parameters { name##_inline arguments; }                                                     \
    NEWER_TARGET static void name##_newer parameters { name##_inline arguments; }                                      \
    void name parameters                                                                                               \
    {                                                                                                                  \
        if (NEWER_PROCESSOR)                                                                                           \
            name##_newer arguments;                                                                                    \
        else                                                                                                           \
            name##_any arguments;                                                                                      \
    }
#else
#define TWO_TARGETS(result, name, parameters, arguments)                                                               \
    result name parameters { return name##_inline arguments; }
#define TWO_TARGETS_VOID(name, parameters, arguments)                                                                  \
    void name parameters { name##_inline arguments; }
#endif

ALWAYS_INLINE Bitboard position_golds(const struct position *pos)
{
    const Bitboard *t = pos->by_type;
    return bb_or(bb_or(bb_or(t[GOLD], t[PRO_PAWN]), bb_or(t[PRO_LANCE], t[PRO_KNIGHT])), t[PRO_SILVER]);
}
ALWAYS_INLINE Bitboard position_straights(const struct position *pos)
{
    return bb_or(pos->by_type[ROOK], pos->by_type[DRAGON]);
}
ALWAYS_INLINE Bitboard position_diagonals(const struct position *pos)
{
    return bb_or(pos->by_type[BISHOP], pos->by_type[HORSE]);
}

/* Sliders of colour `by` that would attack sq on an empty board. */
ALWAYS_INLINE Bitboard position_snipers(const struct position *pos, Color by, Square sq)
{
    Bitboard lances = bb_and(attacks_rays[by == BLACK ? DIR_SOUTH : DIR_NORTH][sq], pos->by_type[LANCE]);
    Bitboard found = bb_or(bb_and(attacks_cross(sq), position_straights(pos)),
                           bb_and(attacks_diagonal(sq), position_diagonals(pos)));
    return bb_and(bb_or(found, lances), pos->by_color[by]);
}

ALWAYS_INLINE Bitboard position_find_blockers(const struct position *pos, Color king_color)
{
    Square king = pos->king[king_color], sq;
    Bitboard blockers = bb_none();
    for (Bitboard rest = position_snipers(pos, color_other(king_color), king); bb_next(&rest, &sq);) {
        Bitboard between = bb_and(attacks_between(king, sq), pos->by_type[NO_TYPE]);
        if (!bb_many(between)) blockers = bb_or(blockers, between);
    }
    return blockers;
}

/* Steps of colour `by` onto sq: everything but the sliders. */
ALWAYS_INLINE Bitboard position_steppers(const struct position *pos, Color by, Square sq)
{
    const Bitboard *t = pos->by_type;
    Color from = color_other(by); /* a piece attacks sq if the reversed piece on sq attacks it */
    Bitboard found = bb_and(attacks_pawn(from, sq), t[PAWN]);
    found = bb_or(found, bb_and(attacks_knight(from, sq), t[KNIGHT]));
    found = bb_or(found, bb_and(attacks_silver(from, sq), t[SILVER]));
    found = bb_or(found, bb_and(attacks_gold(from, sq), position_golds(pos)));
    found = bb_or(found, bb_and(attacks_king(sq), bb_or(t[KING], bb_or(t[HORSE], t[DRAGON]))));
    return bb_and(found, pos->by_color[by]);
}

ALWAYS_INLINE Bitboard position_slider_attackers(const struct position *pos, Color by, Square sq, Bitboard occupied)
{
    Bitboard found = bb_none();
    Square from;
    for (Bitboard rest = bb_and(position_snipers(pos, by, sq), occupied); bb_next(&rest, &from);)
        if (!bb_overlap(attacks_between(sq, from), occupied)) found = bb_or(found, bb_square(from));
    return found;
}

ALWAYS_INLINE Bitboard position_attackers_inline(const struct position *pos, Color by, Square sq, Bitboard occupied)
{
    Bitboard steppers = bb_and(position_steppers(pos, by, sq), occupied);
    return bb_or(steppers, position_slider_attackers(pos, by, sq, occupied));
}

/* Which of the `wanted` squares around a king on `king` does colour `by` attack? */
ALWAYS_INLINE Bitboard position_attacked_near(const struct position *pos, Color by, Square king, Bitboard wanted,
                                              Bitboard occupied)
{
    const Bitboard *t = pos->by_type;
    Bitboard own = pos->by_color[by], attacked = bb_none();
    Square sq;
    Bitboard near = bb_and(own, attacks_vicinity_table[king]);
    if (!bb_empty(near)) {
        Bitboard pawns = bb_and(near, t[PAWN]), knights = bb_and(near, t[KNIGHT]);
        Bitboard jumps = bb_forward(by, bb_forward(by, knights));
        Bitboard silvers = bb_and(near, t[SILVER]), golds = bb_and(near, position_golds(pos));
        Bitboard ahead = bb_or(bb_or(silvers, golds), pawns), both = bb_or(silvers, golds);
        Bitboard front = bb_forward(by, both), back = bb_forward(color_other(by), silvers);
        Bitboard wings = bb_or(bb_or(front, back), bb_or(golds, jumps));
        attacked = bb_or(bb_or(bb_forward(by, ahead), bb_forward(color_other(by), golds)),
                         bb_or(bb_east(wings), bb_west(wings)));
        Bitboard rounds = bb_and(near, bb_or(t[KING], bb_or(t[HORSE], t[DRAGON])));
        while (bb_next(&rounds, &sq)) attacked = bb_or(attacked, attacks_king(sq));
    }
    for (Bitboard rest = bb_and(own, position_straights(pos)); bb_next(&rest, &sq);)
        if (bb_overlap(attacks_cross(sq), wanted)) attacked = bb_or(attacked, attacks_rook(sq, occupied));
    for (Bitboard rest = bb_and(own, position_diagonals(pos)); bb_next(&rest, &sq);)
        if (bb_overlap(attacks_diagonal(sq), wanted)) attacked = bb_or(attacked, attacks_bishop(sq, occupied));
    for (Bitboard rest = bb_and(own, t[LANCE]); bb_next(&rest, &sq);)
        if (bb_overlap(attacks_rays[by == BLACK ? DIR_NORTH : DIR_SOUTH][sq], wanted))
            attacked = bb_or(attacked, attacks_lance(by, sq, occupied));
    return bb_and(attacked, wanted);
}

/* Where the own king may step: squares that the enemy does not attack once the king has left its own.
 */
ALWAYS_INLINE Bitboard position_safe_flights(const struct position *pos, Color us)
{
    const Square king = pos->king[us];
    const Bitboard flights = bb_without(attacks_king(king), pos->by_color[us]);
    if (bb_empty(flights)) return flights;
    const Bitboard through = bb_without(pos->by_type[NO_TYPE], bb_square(king));
    return bb_without(flights, position_attacked_near(pos, color_other(us), king, flights, through));
}

/* Would a pawn of `us` dropped on the one square of `pawn`, in front of their king, mate? Nothing can stand between. */
ALWAYS_INLINE bool position_pawn_drop_mates(const struct position *pos, Color us, Bitboard pawn)
{
    const Color them = color_other(us);
    const Square king = pos->king[them], sq = bb_first(pawn);
    const Bitboard occupied = bb_or(pos->by_type[NO_TYPE], pawn);
    Square from;
    Bitboard flights = bb_without(attacks_king(king), pos->by_color[them]);
    flights =
        bb_without(flights, position_attacked_near(pos, us, king, flights, bb_without(occupied, bb_square(king))));
    if (!bb_empty(flights)) return false;
    Bitboard takers = bb_or(position_steppers(pos, them, sq), position_slider_attackers(pos, them, sq, occupied));
    for (Bitboard rest = bb_without(takers, bb_square(king)); bb_next(&rest, &from);)
        if (!bb_has(pos->blockers[them], from) || attacks_same_ray(king, from, sq)) return false;
    return true;
}

/* What one piece in hand weighs in a Hand, by unpromoted type; nothing for no piece. */
static const Hand hand_units[8] = {0, 1u << 0, 1u << 8, 1u << 12, 1u << 16, 1u << 20, 1u << 24, 1u << 28};

ALWAYS_INLINE void bb_toggle(Bitboard *set, Bitboard bits) { *set = bb_xor(*set, bits); }

enum {
    DO_KEYS = 1,
    DO_ALL_BLOCKERS = 2
}; /* without: keys stay behind; only the blockers of the next side are renewed */

/* Plays a move. The type of an empty square is NO_TYPE, and by_type[NO_TYPE] is the set of all pieces: so toggling the
 * captured type on `to` takes a captured piece away or, when there is none, marks the square as filled. */
ALWAYS_INLINE void position_do_for(struct position *pos, Move move, struct undo *undo, Color us, unsigned flags)
{
    const Color them = color_other(us);
    const Square to = move_to(move), their_king = pos->king[them];
    const Bitboard to_bit = bb_square(to);
    undo->checkers = pos->checkers;
    undo->blockers[us] = pos->blockers[us];
    undo->blockers[them] = pos->blockers[them];
    if (flags & DO_KEYS) {
        undo->board_key = pos->board_key;
        undo->hand_key = pos->hand_key;
        pos->board_key ^= zobrist_side;
    }
    undo->move = move;

    Piece placed;
    Bitboard checkers = bb_none();
    if (move_is_drop(move)) {
        const PieceType type = move_drop_type(move);
        placed = piece_make(us, type);
        undo->moved = undo->placed = placed;
        undo->captured = NO_PIECE;
        pos->hand[us] -= hand_units[type];
        pos->board[to] = placed;
        bb_toggle(&pos->by_type[type], to_bit);
        bb_toggle(&pos->by_type[NO_TYPE], to_bit);
        bb_toggle(&pos->by_color[us], to_bit);
        if (flags & DO_KEYS) {
            pos->hand_key -= zobrist_hand[us][type];
            pos->board_key ^= zobrist_board[placed][to];
        }
    } else {
        const Square from = move_from(move);
        const Bitboard from_bit = bb_square(from);
        const Piece piece = pos->board[from], captured = pos->board[to];
        placed = (Piece)(piece | (move >> 11 & PROMOTED));
        undo->moved = piece;
        undo->placed = placed;
        undo->captured = captured;
        pos->hand[us] += hand_units[captured & 7];
        pos->board[from] = NO_PIECE;
        pos->board[to] = placed;
        bb_toggle(&pos->by_type[NO_TYPE], from_bit);
        bb_toggle(&pos->by_type[piece_type(captured)], to_bit);
        pos->by_color[them] = bb_without(pos->by_color[them], to_bit);
        bb_toggle(&pos->by_type[piece_type(piece)], from_bit);
        bb_toggle(&pos->by_type[piece_type(placed)], to_bit);
        bb_toggle(&pos->by_color[us], bb_or(from_bit, to_bit));
        if (flags & DO_KEYS) {
            pos->hand_key += zobrist_hand[us][captured & 7];
            pos->board_key ^= zobrist_board[piece][from] ^ zobrist_board[placed][to] ^ zobrist_board[captured][to];
        }
        if (piece_type(piece) == KING) pos->king[us] = to;
        if (bb_has(pos->blockers[them], from)) {
            const enum direction d = direction_between(their_king, from);
            if (d != direction_between(their_king, to))
                checkers = bb_and(attacks_ray(d, their_king, pos->by_type[NO_TYPE]), pos->by_color[us]);
        }
    }
    if (their_king != SQUARE_NONE && attacks_could_reach(us, piece_type(placed), to, their_king) &&
        !bb_overlap(attacks_between(their_king, to), pos->by_type[NO_TYPE]))
        checkers = bb_or(checkers, to_bit);
    pos->checkers = checkers;
    pos->side = them;
    pos->game_ply++;
    pos->blockers[them] = position_find_blockers(pos, them);
    if (flags & DO_ALL_BLOCKERS) pos->blockers[us] = position_find_blockers(pos, us);
}

ALWAYS_INLINE void position_undo_for(struct position *pos, const struct undo *undo, Color us, unsigned flags)
{
    const Color them = color_other(us);
    const Square to = move_to(undo->move);
    const Bitboard to_bit = bb_square(to);
    const Piece captured = undo->captured, placed = undo->placed, moved = undo->moved;
    pos->side = us;
    pos->game_ply--;
    pos->checkers = undo->checkers;
    pos->blockers[us] = undo->blockers[us];
    pos->blockers[them] = undo->blockers[them];
    if (flags & DO_KEYS) {
        pos->board_key = undo->board_key;
        pos->hand_key = undo->hand_key;
    }
    bb_toggle(&pos->by_type[piece_type(placed)], to_bit);
    bb_toggle(&pos->by_type[piece_type(captured)], to_bit);
    pos->board[to] = captured;
    if (move_is_drop(undo->move)) {
        bb_toggle(&pos->by_color[us], to_bit);
        pos->hand[us] += hand_units[piece_type(moved)];
        return;
    }
    const Square from = move_from(undo->move);
    const Bitboard from_bit = bb_square(from);
    bb_toggle(&pos->by_type[NO_TYPE], from_bit);
    bb_toggle(&pos->by_type[piece_type(moved)], from_bit);
    bb_toggle(&pos->by_color[us], bb_or(from_bit, to_bit));
    if (captured != NO_PIECE) bb_toggle(&pos->by_color[them], to_bit);
    pos->board[from] = moved;
    pos->hand[us] -= hand_units[captured & 7];
    if (piece_type(moved) == KING) pos->king[us] = from;
}

#endif
