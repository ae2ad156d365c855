#include "tests/model/slow_shogi.h"

#include <string.h>

struct walk {
    int file, rank; /* as Black: forward is rank - 1 */
    bool slides;
};
struct mover {
    size_t count;
    struct walk walks[8];
};

#define GOLD_WALKS                                                                                                     \
    {                                                                                                                  \
        6,                                                                                                             \
        {                                                                                                              \
            {0, -1, false}, {-1, -1, false}, {1, -1, false}, {-1, 0, false}, {1, 0, false}, { 0, 1, false }            \
        }                                                                                                              \
    }
static const struct mover movers[TYPE_COUNT] = {
    [PAWN] = {1, {{0, -1, false}}},
    [LANCE] = {1, {{0, -1, true}}},
    [KNIGHT] = {2, {{-1, -2, false}, {1, -2, false}}},
    [SILVER] = {5, {{0, -1, false}, {-1, -1, false}, {1, -1, false}, {-1, 1, false}, {1, 1, false}}},
    [GOLD] = GOLD_WALKS,
    [PRO_PAWN] = GOLD_WALKS,
    [PRO_LANCE] = GOLD_WALKS,
    [PRO_KNIGHT] = GOLD_WALKS,
    [PRO_SILVER] = GOLD_WALKS,
    [BISHOP] = {4, {{-1, -1, true}, {1, -1, true}, {-1, 1, true}, {1, 1, true}}},
    [ROOK] = {4, {{0, -1, true}, {0, 1, true}, {-1, 0, true}, {1, 0, true}}},
    [HORSE] = {8,
               {{-1, -1, true},
                {1, -1, true},
                {-1, 1, true},
                {1, 1, true},
                {0, -1, false},
                {0, 1, false},
                {-1, 0, false},
                {1, 0, false}}},
    [DRAGON] = {8,
                {{0, -1, true},
                 {0, 1, true},
                 {-1, 0, true},
                 {1, 0, true},
                 {-1, -1, false},
                 {1, -1, false},
                 {-1, 1, false},
                 {1, 1, false}}},
    [KING] = {8,
              {{0, -1, false},
               {0, 1, false},
               {-1, 0, false},
               {1, 0, false},
               {-1, -1, false},
               {1, -1, false},
               {-1, 1, false},
               {1, 1, false}}},
};

static bool on_board(int file, int rank) { return file >= 1 && file <= 9 && rank >= 1 && rank <= 9; }

void slow_from_position(struct slow_position *slow, const struct position *pos)
{
    memset(slow, 0, sizeof *slow);
    for (int file = 1; file <= 9; file++)
        for (int rank = 1; rank <= 9; rank++) slow->at[file][rank] = pos->board[square_make(file, rank)];
    for (Color c = BLACK; c <= WHITE; c++)
        for (PieceType t = PAWN; t <= GOLD; t++) slow->hand[c][t] = (int)hand_count(pos->hand[c], t);
    slow->side = pos->side;
}

void slow_to_position(const struct slow_position *slow, struct position *pos)
{
    position_clear(pos);
    for (int file = 1; file <= 9; file++)
        for (int rank = 1; rank <= 9; rank++) position_put(pos, square_make(file, rank), slow->at[file][rank]);
    for (Color c = BLACK; c <= WHITE; c++)
        for (PieceType t = PAWN; t <= GOLD; t++) pos->hand[c] += hand_one(t) * (Hand)slow->hand[c][t];
    pos->side = slow->side;
    position_refresh(pos);
}

bool slow_attacks(const struct slow_position *s, int file, int rank, int to_file, int to_rank)
{
    Piece piece = s->at[file][rank];
    const struct mover *mover = &movers[piece_type(piece)];
    int sign = piece_color(piece) == BLACK ? 1 : -1;
    for (size_t i = 0; i < mover->count; i++) {
        int f = file, r = rank;
        do {
            f += sign * mover->walks[i].file;
            r += sign * mover->walks[i].rank;
            if (!on_board(f, r)) break;
            if (f == to_file && r == to_rank) return true;
        } while (mover->walks[i].slides && s->at[f][r] == NO_PIECE);
    }
    return false;
}

bool slow_attacked(const struct slow_position *s, Color by, int file, int rank)
{
    for (int f = 1; f <= 9; f++)
        for (int r = 1; r <= 9; r++)
            if (s->at[f][r] != NO_PIECE && piece_color(s->at[f][r]) == by && slow_attacks(s, f, r, file, rank))
                return true;
    return false;
}

bool slow_in_check(const struct slow_position *s, Color king_color)
{
    for (int f = 1; f <= 9; f++)
        for (int r = 1; r <= 9; r++)
            if (s->at[f][r] == piece_make(king_color, KING)) return slow_attacked(s, color_other(king_color), f, r);
    return false;
}

void slow_play(struct slow_position *s, Move move)
{
    int file = square_file(move_to(move)), rank = square_rank(move_to(move));
    if (move_is_drop(move)) {
        s->hand[s->side][move_drop_type(move)]--;
        s->at[file][rank] = piece_make(s->side, move_drop_type(move));
    } else {
        Piece *from = &s->at[square_file(move_from(move))][square_rank(move_from(move))];
        Piece captured = s->at[file][rank];
        if (captured != NO_PIECE && piece_type(captured) != KING)
            s->hand[s->side][type_unpromoted(piece_type(captured))]++;
        s->at[file][rank] = move_promotes(move) ? (Piece)(*from | PROMOTED) : *from;
        *from = NO_PIECE;
    }
    s->side = color_other(s->side);
}

/* Ranks that lie ahead of a piece of colour c. */
static int ranks_ahead(Color c, int rank) { return c == BLACK ? rank - 1 : 9 - rank; }

static int forward_need(PieceType type) { return type == KNIGHT ? 2 : type == PAWN || type == LANCE ? 1 : 0; }

bool slow_moves_right(const struct slow_position *s, Move move)
{
    unsigned to = move & 127u, source = (move >> 7) & 127u;
    bool promotes = (move & MOVE_PROMOTE) != 0;
    if (move >= 1 << 15 || to >= 81) return false;
    int file = (int)to / 9 + 1, rank = (int)to % 9 + 1;
    Piece target = s->at[file][rank];

    if (source >= 81) {
        unsigned type = source - 81;
        if (type < PAWN || type > GOLD || promotes) return false;
        if (s->hand[s->side][type] == 0 || target != NO_PIECE) return false;
        if (ranks_ahead(s->side, rank) < forward_need((PieceType)type)) return false;
        if (type == PAWN)
            for (int r = 1; r <= 9; r++)
                if (s->at[file][r] == piece_make(s->side, PAWN)) return false;
        return true;
    }

    int from_file = (int)source / 9 + 1, from_rank = (int)source % 9 + 1;
    Piece piece = s->at[from_file][from_rank];
    if (piece == NO_PIECE || piece_color(piece) != s->side) return false;
    if (target != NO_PIECE && (piece_color(target) == s->side || piece_type(target) == KING)) return false;
    if (!slow_attacks(s, from_file, from_rank, file, rank)) return false;
    PieceType type = piece_type(piece);
    if (!promotes) return ranks_ahead(s->side, rank) >= forward_need(type);
    if (type == GOLD || type >= KING) return false;
    return ranks_ahead(s->side, rank) < 3 || ranks_ahead(s->side, from_rank) < 3;
}

static bool legal_but_for_pawn_drop_mate(const struct slow_position *s, Move move)
{
    if (!slow_moves_right(s, move)) return false;
    struct slow_position after = *s;
    slow_play(&after, move);
    return !slow_in_check(&after, s->side);
}

static bool any_answer(const struct slow_position *s)
{
    for (unsigned move = 0; move < 1u << 15; move++)
        if (legal_but_for_pawn_drop_mate(s, (Move)move)) return true;
    return false;
}

bool slow_legal(const struct slow_position *s, Move move)
{
    if (!legal_but_for_pawn_drop_mate(s, move)) return false;
    if (!move_is_drop(move) || move_drop_type(move) != PAWN) return true;
    struct slow_position after = *s;
    slow_play(&after, move);
    return !slow_in_check(&after, after.side) || any_answer(&after);
}

size_t slow_legal_moves(const struct slow_position *s, Move *moves)
{
    size_t count = 0;
    for (unsigned source = 0; source <= 81 + GOLD; source++) {
        if (source < 81 && (s->at[source / 9 + 1][source % 9 + 1] == NO_PIECE ||
                            piece_color(s->at[source / 9 + 1][source % 9 + 1]) != s->side))
            continue;
        for (unsigned to = 0; to < 81; to++) {
            Move move = (Move)(to | source << 7);
            if (slow_legal(s, move)) moves[count++] = move;
            if (source < 81 && slow_legal(s, move | MOVE_PROMOTE)) moves[count++] = move | MOVE_PROMOTE;
        }
    }
    for (size_t i = 1; i < count; i++) { /* insertion sort: promotions come in between */
        Move move = moves[i];
        size_t at = i;
        for (; at > 0 && moves[at - 1] > move; at--) moves[at] = moves[at - 1];
        moves[at] = move;
    }
    return count;
}

void slow_mirror(struct slow_position *s)
{
    struct slow_position old = *s;
    for (int f = 1; f <= 9; f++)
        for (int r = 1; r <= 9; r++) s->at[f][r] = old.at[10 - f][r];
}

void slow_turn(struct slow_position *s)
{
    struct slow_position old = *s;
    for (int f = 1; f <= 9; f++)
        for (int r = 1; r <= 9; r++) {
            Piece piece = old.at[10 - f][10 - r];
            s->at[f][r] = piece == NO_PIECE ? NO_PIECE : piece ^ 16;
        }
    memcpy(s->hand[BLACK], old.hand[WHITE], sizeof s->hand[BLACK]);
    memcpy(s->hand[WHITE], old.hand[BLACK], sizeof s->hand[WHITE]);
    s->side = color_other(old.side);
}

static Square mirrored(Square sq) { return square_make(10 - square_file(sq), square_rank(sq)); }

Move move_mirror(Move move)
{
    Square to = mirrored(move_to(move));
    if (move_is_drop(move)) return move_make_drop(move_drop_type(move), to);
    Square from = mirrored(move_from(move));
    return move_promotes(move) ? move_make_promote(from, to) : move_make(from, to);
}

Move move_turn(Move move)
{
    Square to = square_flip(move_to(move));
    if (move_is_drop(move)) return move_make_drop(move_drop_type(move), to);
    Square from = square_flip(move_from(move));
    return move_promotes(move) ? move_make_promote(from, to) : move_make(from, to);
}
