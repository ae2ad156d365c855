#include "common/shogi/position.h"

#include <assert.h>
#include <string.h>

#include "common/shogi/attacks.h"
#include "common/shogi/movegen.h"
#include "common/shogi/position_inline.h"
#include "common/shogi/zobrist.h"

static Bitboard pieces(const struct position *pos, Color c, PieceType t)
{
    return bb_and(pos->by_type[t], pos->by_color[c]);
}

void position_clear(struct position *pos)
{
    memset(pos, 0, sizeof *pos);
    pos->king[BLACK] = pos->king[WHITE] = SQUARE_NONE;
    pos->side = BLACK;
    pos->game_ply = 1;
}

/* Puts or takes away: the same exclusive-or. The caller sets board[]. */
static inline void toggle(struct position *pos, Square sq, Piece piece)
{
    Bitboard bit = bb_square(sq);
    Bitboard *type = &pos->by_type[piece_type(piece)], *color = &pos->by_color[piece_color(piece)];
    *type = bb_xor(*type, bit);
    *color = bb_xor(*color, bit);
    pos->by_type[NO_TYPE] = bb_xor(pos->by_type[NO_TYPE], bit);
}

void position_put(struct position *pos, Square sq, Piece piece)
{
    if (pos->board[sq] != NO_PIECE) toggle(pos, sq, pos->board[sq]);
    pos->board[sq] = piece;
    if (piece != NO_PIECE) toggle(pos, sq, piece);
}

TWO_TARGETS(Bitboard, position_attackers, (const struct position *pos, Color by, Square sq, Bitboard occupied),
            (pos, by, sq, occupied))

static void refresh_checks(struct position *pos)
{
    Square king = pos->king[pos->side];
    pos->checkers =
        king == SQUARE_NONE ? bb_none() : position_attackers(pos, color_other(pos->side), king, pos->by_type[NO_TYPE]);
    pos->blockers[BLACK] = position_find_blockers(pos, BLACK);
    pos->blockers[WHITE] = position_find_blockers(pos, WHITE);
}

void position_refresh(struct position *pos)
{
    pos->board_key = pos->side == WHITE ? zobrist_side : 0;
    pos->king[BLACK] = pos->king[WHITE] = SQUARE_NONE;
    for (Square sq = 0; sq < SQUARE_COUNT; sq++) {
        Piece piece = pos->board[sq];
        pos->board_key ^= zobrist_board[piece][sq];
        if (piece_type(piece) == KING) pos->king[piece_color(piece)] = sq;
    }
    pos->hand_key = 0;
    for (Color c = BLACK; c <= WHITE; c++)
        for (PieceType t = PAWN; t <= GOLD; t++) pos->hand_key += zobrist_hand[c][t] * hand_count(pos->hand[c], t);
    refresh_checks(pos);
}

static void save(const struct position *pos, struct undo *undo)
{
    undo->checkers = pos->checkers;
    undo->blockers[BLACK] = pos->blockers[BLACK];
    undo->blockers[WHITE] = pos->blockers[WHITE];
    undo->board_key = pos->board_key;
    undo->hand_key = pos->hand_key;
}

static void restore(struct position *pos, const struct undo *undo)
{
    pos->checkers = undo->checkers;
    pos->blockers[BLACK] = undo->blockers[BLACK];
    pos->blockers[WHITE] = undo->blockers[WHITE];
    pos->board_key = undo->board_key;
    pos->hand_key = undo->hand_key;
}

ALWAYS_INLINE void position_do_inline(struct position *pos, Move move, struct undo *undo)
{
    if (pos->side == BLACK)
        position_do_for(pos, move, undo, BLACK, DO_KEYS | DO_ALL_BLOCKERS);
    else
        position_do_for(pos, move, undo, WHITE, DO_KEYS | DO_ALL_BLOCKERS);
}
TWO_TARGETS_VOID(position_do, (struct position * pos, Move move, struct undo *undo), (pos, move, undo))

ALWAYS_INLINE void position_undo_inline(struct position *pos, const struct undo *undo)
{
    if (pos->side == WHITE)
        position_undo_for(pos, undo, BLACK, DO_KEYS);
    else
        position_undo_for(pos, undo, WHITE, DO_KEYS);
}
TWO_TARGETS_VOID(position_undo, (struct position * pos, const struct undo *undo), (pos, undo))

void position_do_null(struct position *pos, struct undo *undo)
{
    save(pos, undo);
    undo->move = MOVE_NULL;
    undo->moved = undo->placed = undo->captured = NO_PIECE;
    pos->board_key ^= zobrist_side;
    pos->side = color_other(pos->side);
    pos->game_ply++;
    pos->checkers = bb_none();
}

void position_undo_null(struct position *pos, const struct undo *undo)
{
    pos->side = color_other(pos->side);
    pos->game_ply--;
    restore(pos, undo);
}

uint64_t position_key_after(const struct position *pos, Move move)
{
    Color us = pos->side;
    Square to = move_to(move);
    uint64_t board = pos->board_key ^ zobrist_side, hand = pos->hand_key;
    if (!move_is_real(move)) return board ^ hand;
    if (move_is_drop(move)) {
        PieceType type = move_drop_type(move);
        return (board ^ zobrist_board[piece_make(us, type)][to]) ^ (hand - zobrist_hand[us][type]);
    }
    Square from = move_from(move);
    Piece piece = pos->board[from], captured = pos->board[to];
    Piece placed = move_promotes(move) ? (Piece)(piece | PROMOTED) : piece;
    board ^= zobrist_board[piece][from] ^ zobrist_board[placed][to] ^ zobrist_board[captured][to];
    if (captured != NO_PIECE) hand += zobrist_hand[us][type_unpromoted(piece_type(captured))];
    return board ^ hand;
}

/* Squares on which a piece of this type could never move again. */
static Bitboard dead_squares(Color c, PieceType t)
{
    if (t == PAWN || t == LANCE) return bb_far_ranks(c, 1);
    if (t == KNIGHT) return bb_far_ranks(c, 2);
    return bb_none();
}

ALWAYS_INLINE bool position_pseudo_legal_inline(const struct position *pos, Move move)
{
    Color us = pos->side;
    Square to = move_to(move);
    unsigned source = (move >> 7) & 127;
    if ((move & 0x8000) != 0 || to >= SQUARE_COUNT || source > SQUARE_COUNT + GOLD || source == SQUARE_COUNT)
        return false;
    if (source == to) return false;

    Square king = pos->king[us];
    bool in_check = position_in_check(pos);
    if (source > SQUARE_COUNT) {
        PieceType type = (PieceType)(source - SQUARE_COUNT);
        if (move_promotes(move) || hand_count(pos->hand[us], type) == 0 || pos->board[to] != NO_PIECE) return false;
        if (bb_has(dead_squares(us, type), to)) return false;
        if (type == PAWN && bb_overlap(pieces(pos, us, PAWN), bb_file(square_file(to)))) return false; /* 二歩 */
        if (!in_check) return true;
        return !bb_many(pos->checkers) && bb_has(attacks_between(king, bb_first(pos->checkers)), to);
    }

    Square from = (Square)source;
    Piece piece = pos->board[from], target = pos->board[to];
    PieceType type = piece_type(piece);
    if (piece == NO_PIECE || piece_color(piece) != us) return false;
    if (target != NO_PIECE && piece_color(target) == us) return false;
    if (piece_type(target) == KING) return false;
    if (!bb_has(attacks_piece(piece, from, pos->by_type[NO_TYPE]), to)) return false;
    if (move_promotes(move)) {
        Bitboard zone = bb_far_ranks(us, 3);
        if (!type_can_promote(type) || (!bb_has(zone, from) && !bb_has(zone, to))) return false;
    } else if (bb_has(dead_squares(us, type), to)) {
        return false;
    }
    if (!in_check || type == KING) return true;
    if (bb_many(pos->checkers)) return false;
    Square checker = bb_first(pos->checkers);
    return to == checker || bb_has(attacks_between(king, checker), to);
}
TWO_TARGETS(bool, position_pseudo_legal, (const struct position *pos, Move move), (pos, move))

ALWAYS_INLINE bool position_legal_inline(const struct position *pos, Move move)
{
    Color us = pos->side, them = color_other(us);
    Square to = move_to(move);
    if (move_is_drop(move)) {
        if (move_drop_type(move) != PAWN || pos->king[them] == SQUARE_NONE) return true;
        return !bb_has(attacks_pawn(us, to), pos->king[them]) || !position_pawn_drop_mates(pos, us, bb_square(to));
    }
    Square from = move_from(move);
    if (from == pos->king[us]) {
        Bitboard occupied = bb_without(pos->by_type[NO_TYPE], bb_square(from));
        return bb_empty(position_attackers(pos, them, to, occupied));
    }
    return !bb_has(pos->blockers[us], from) || attacks_same_ray(pos->king[us], from, to);
}
TWO_TARGETS(bool, position_legal, (const struct position *pos, Move move), (pos, move))

ALWAYS_INLINE bool position_gives_check_inline(const struct position *pos, Move move)
{
    const Color us = pos->side, them = color_other(us);
    const Square king = pos->king[them], to = move_to(move);
    if (king == SQUARE_NONE) return false;
    Bitboard occupied = pos->by_type[NO_TYPE];
    PieceType type;
    if (move_is_drop(move)) {
        type = move_drop_type(move);
    } else {
        const Square from = move_from(move);
        type = piece_type((Piece)(pos->board[from] | (move >> 11 & PROMOTED)));
        if (bb_has(pos->blockers[them], from) && !attacks_same_ray(king, from, to)) return true;
        occupied = bb_without(occupied, bb_square(from));
    }
    return attacks_could_reach(us, type, to, king) && !bb_overlap(attacks_between(king, to), occupied);
}
TWO_TARGETS(bool, position_gives_check, (const struct position *pos, Move move), (pos, move))

bool position_has_legal_move(const struct position *pos) { return movegen_count_legal(pos) != 0; }
