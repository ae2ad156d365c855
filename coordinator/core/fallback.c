/* fallback.c - a sensible legal move without any worker. */
#include "coordinator/core/fallback.h"

#include "common/shogi/movegen.h"

#include <assert.h>
#include <string.h>

enum { QUIET_DEPTH_MAX = 6 };

struct walk { /* one search of one root move */
    struct position *pos;
    uint64_t nodes, nodes_max;
    bool aborted;
};

static const int type_worth[TYPE_COUNT] = {
    [PAWN] = 90,        [LANCE] = 270,  [KNIGHT] = 310,   [SILVER] = 490,    [GOLD] = 540,
    [BISHOP] = 800,     [ROOK] = 950,   [PRO_PAWN] = 520, [PRO_LANCE] = 500, [PRO_KNIGHT] = 510,
    [PRO_SILVER] = 530, [HORSE] = 1100, [DRAGON] = 1280,
};

/* Worth of standing on a rank, counted from the owner's side (0 = back rank): pawns, silvers and knights like to go
 * forward a little, big pieces want to be active, the king wants to stay at home. */
static int rank_worth(PieceType type, int advance)
{
    static const int8_t pawn[9] = {0, 0, 0, 4, 8, 12, 16, 10, 10}, minor[9] = {-6, 0, 4, 8, 10, 8, 6, 4, 2};
    static const int8_t big[9] = {0, 2, 2, 2, 4, 8, 16, 18, 16}, king[9] = {20, 12, -10, -40, -60, -60, -40, 0, 10};
    switch (type) {
    case PAWN:
        return pawn[advance];
    case SILVER:
    case KNIGHT:
        return minor[advance];
    case BISHOP:
    case ROOK:
    case HORSE:
    case DRAGON:
        return big[advance];
    case KING:
        return king[advance];
    default:
        return 0;
    }
}

static int king_shelter(const struct position *pos, Color color)
{
    Square king = pos->king[color];
    if (king == SQUARE_NONE) return 0;
    int worth = 0, file = square_file(king), rank = square_rank(king);
    for (int f = file - 2; f <= file + 2; f++)
        for (int r = rank - 1; r <= rank + 1; r++) {
            if (f < 1 || f > 9 || r < 1 || r > 9) continue;
            Piece piece = pos->board[square_make(f, r)];
            if (piece == NO_PIECE || piece_color(piece) != color) continue;
            PieceType type = piece_type(piece);
            if (type == GOLD || type == SILVER || type == PRO_PAWN || type == PRO_SILVER) worth += 14;
        }
    return worth + (file <= 3 || file >= 7 ? 12 : 0);
}

static Score evaluate(const struct position *pos)
{
    int worth[COLOR_COUNT] = {0, 0};
    Bitboard pieces = pos->by_type[NO_TYPE];
    for (Square sq; bb_next(&pieces, &sq);) {
        Piece piece = pos->board[sq];
        PieceType type = piece_type(piece);
        Color color = piece_color(piece);
        int advance = color == BLACK ? 9 - square_rank(sq) : square_rank(sq) - 1;
        worth[color] += type_worth[type] + rank_worth(type, advance);
    }
    for (Color color = BLACK; color <= WHITE; color++) {
        for (PieceType type = PAWN; type <= GOLD;
             type++) /* in hand a piece is worth a tenth more: it can go anywhere */
            worth[color] += (int)hand_count(pos->hand[color], type) * type_worth[type] * 11 / 10;
        worth[color] += king_shelter(pos, color);
    }
    return worth[pos->side] - worth[color_other(pos->side)];
}

/* What a capture or promotion brings at first sight; the search tries the greatest first. */
static int first_sight(const struct position *pos, Move move)
{
    if (move_is_drop(move)) return 0;
    PieceType moved = piece_type(pos->board[move_from(move)]);
    Piece captured = pos->board[move_to(move)];
    int gain = 0;
    if (captured != NO_PIECE) gain = 10 * type_worth[piece_type(captured)] - type_worth[moved];
    if (move_promotes(move)) gain += 10 * (type_worth[moved | PROMOTED] - type_worth[moved]);
    return gain;
}

/* Moves the most promising of moves[at..count) to `at`. */
static void pick(Move *moves, int *order, size_t at, size_t count)
{
    size_t best = at;
    for (size_t i = at + 1; i < count; i++)
        if (order[i] > order[best]) best = i;
    Move move = moves[best];
    int worth = order[best];
    moves[best] = moves[at];
    order[best] = order[at];
    moves[at] = move;
    order[at] = worth;
}

static Score quiet(struct walk *w, Score alpha, Score beta, int ply, int depth)
{
    struct position *pos = w->pos;
    if (++w->nodes >= w->nodes_max) w->aborted = true;
    bool in_check = position_in_check(pos);
    Score best = in_check ? score_mated_in(ply) : evaluate(pos);
    if (w->aborted || best >= beta) return best;
    if (depth <= 0) return in_check && position_has_legal_move(pos) ? evaluate(pos) : best;
    if (best > alpha) alpha = best;

    Move moves[MOVES_MAX];
    int order[MOVES_MAX];
    size_t count = movegen(pos, in_check ? MOVEGEN_EVASIONS : MOVEGEN_CAPTURES, false, moves);
    for (size_t i = 0; i < count; i++) order[i] = first_sight(pos, moves[i]);
    for (size_t i = 0; i < count && !w->aborted; i++) {
        pick(moves, order, i, count);
        if (!in_check && order[i] <= 0) break; /* a big piece for a guarded-looking small one: not here */
        if (!position_legal(pos, moves[i])) continue;
        struct undo undo;
        position_do(pos, moves[i], &undo);
        Score score = -quiet(w, -beta, -alpha, ply + 1, depth - 1);
        position_undo(pos, &undo);
        if (score > best) best = score;
        if (score > alpha) alpha = score;
        if (alpha >= beta) break;
    }
    return best;
}

static Score search(struct walk *w, Score alpha, Score beta, int ply, int depth)
{
    struct position *pos = w->pos;
    if (depth <= 0) return quiet(w, alpha, beta, ply, QUIET_DEPTH_MAX);
    if (++w->nodes >= w->nodes_max) w->aborted = true;
    if (w->aborted) return 0;
    Move moves[MOVES_MAX];
    int order[MOVES_MAX];
    size_t count;
    if (position_in_check(pos)) {
        count = movegen(pos, MOVEGEN_EVASIONS, false, moves);
    } else {
        count = movegen(pos, MOVEGEN_CAPTURES, false, moves);
        count += movegen(pos, MOVEGEN_QUIETS, false, moves + count);
    }
    for (size_t i = 0; i < count; i++) order[i] = first_sight(pos, moves[i]);
    Score best = score_mated_in(ply); /* no legal move: mated, in shogi stalemate too */
    for (size_t i = 0; i < count && !w->aborted; i++) {
        pick(moves, order, i, count);
        if (!position_legal(pos, moves[i])) continue;
        struct undo undo;
        position_do(pos, moves[i], &undo);
        Score score = -search(w, -beta, -alpha, ply + 1, depth - 1);
        position_undo(pos, &undo);
        if (score > best) best = score;
        if (score > alpha) alpha = score;
        if (alpha >= beta) break;
    }
    return best;
}

void fallback_start(struct fallback *f, const struct position *pos, const Move *moves, size_t count)
{
    assert(count >= 1 && count <= MOVES_MAX);
    memset(f, 0, sizeof *f);
    f->pos = *pos;
    memcpy(f->moves, moves, count * sizeof *moves);
    f->count = count;
    f->depth = 1;
    /* Better than any order of generation: what takes or promotes comes first. Equal moves keep their order. */
    for (size_t i = 1; i < count; i++) {
        Move move = f->moves[i];
        int worth = first_sight(pos, move);
        size_t at = i;
        for (; at > 0 && first_sight(pos, f->moves[at - 1]) < worth; at--) f->moves[at] = f->moves[at - 1];
        f->moves[at] = move;
    }
    f->best = f->moves[0];
    f->finished = count == 1;
}

static void depth_finish(struct fallback *f)
{
    /* Best first; equal scores keep their order (insertion sort is stable). */
    for (size_t i = 1; i < f->count; i++) {
        Move move = f->moves[i];
        Score score = f->scores[i];
        size_t at = i;
        for (; at > 0 && f->scores[at - 1] < score; at--) {
            f->moves[at] = f->moves[at - 1];
            f->scores[at] = f->scores[at - 1];
        }
        f->moves[at] = move;
        f->scores[at] = score;
    }
    f->best = f->moves[0];
    f->score = f->scores[0];
    f->depth_done = f->depth++;
    f->index = 0;
    if (f->depth > FALLBACK_DEPTH_MAX || score_is_mate(f->score)) f->finished = true;
}

void fallback_run(struct fallback *f, uint64_t nodes)
{
    uint64_t until = f->nodes + nodes;
    while (!f->finished && f->nodes < until) {
        Score alpha = -SCORE_INFINITE;
        for (size_t i = 0; i < f->index; i++)
            if (f->scores[i] > alpha) alpha = f->scores[i];
        struct walk walk = {.pos = &f->pos, .nodes_max = FALLBACK_NODES_PER_MOVE};
        struct undo undo;
        position_do(&f->pos, f->moves[f->index], &undo);
        /* Up to alpha the answer is only a bound: such a move stays behind the best one, because the sort is stable. */
        Score score = -search(&walk, -SCORE_INFINITE, -alpha, 1, f->depth - 1);
        position_undo(&f->pos, &undo);
        f->nodes += walk.nodes;
        if (walk.aborted) {
            f->finished = true; /* the order of the last finished depth stands */
            return;
        }
        f->scores[f->index++] = score;
        if (f->index == f->count) depth_finish(f);
    }
}
