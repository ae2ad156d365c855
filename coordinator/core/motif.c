/* motif.c - see motif.h. */
#include "coordinator/core/motif.h"

#include "common/shogi/attacks.h"
#include "common/shogi/movegen.h"

const char *motif_word(enum motif motif)
{
    static const char *const words[] = {
#define MOTIF_TEXT(name, word, meaning) word,
        MOTIFS(MOTIF_TEXT)
#undef MOTIF_TEXT
    };
    return words[motif];
}

/* Rough and round: they tell exchanges from sacrifices, no more. */
static const int16_t worth[TYPE_COUNT] = {
    [PAWN] = 100,       [LANCE] = 300,  [KNIGHT] = 350,   [SILVER] = 500,    [GOLD] = 550,
    [BISHOP] = 800,     [ROOK] = 1000,  [PRO_PAWN] = 450, [PRO_LANCE] = 500, [PRO_KNIGHT] = 500,
    [PRO_SILVER] = 550, [HORSE] = 1100, [DRAGON] = 1300};
enum { WORTH_IT = 300, SACRIFICE_MIN = 200 };

static int material(const struct position *pos, Color side)
{
    int sum = 0;
    for (Square sq = 0; sq < SQUARE_COUNT; sq++) {
        Piece piece = pos->board[sq];
        if (piece && piece_type(piece) != KING)
            sum += piece_color(piece) == side ? worth[piece_type(piece)] : -worth[piece_type(piece)];
    }
    for (PieceType t = PAWN; t <= GOLD; t++)
        sum += worth[t] * ((int)hand_count(pos->hand[side], t) - (int)hand_count(pos->hand[color_other(side)], t));
    return sum;
}

static bool is_guarded(const struct position *pos, Color by, Square sq)
{
    return !bb_empty(position_attackers(pos, by, sq, pos->by_type[NO_TYPE]));
}

bool motif_is_trivial(const struct position *start, const Move *line, unsigned count, int32_t before_cp)
{
    if (count != 1 || move_is_drop(line[0]) || before_cp <= 0) return false;
    struct position after = *start;
    struct undo undo;
    Color solver = start->side;
    position_do(&after, line[0], &undo);
    if (!undo.captured || position_in_check(&after)) return false;
    return worth[piece_type(undo.captured)] >= WORTH_IT && !is_guarded(&after, color_other(solver), move_to(line[0]));
}

/* ---- facts about one move of the solver; `pos` is the position after it ------------------------------------------ */

static bool forks(const struct position *pos, Color solver, Square at)
{
    Piece piece = pos->board[at];
    Color enemy = color_other(solver);
    if (is_guarded(pos, enemy, at) && !is_guarded(pos, solver, at)) return false;
    Bitboard targets = bb_and(attacks_piece(piece, at, pos->by_type[NO_TYPE]), pos->by_color[enemy]);
    unsigned count = 0;
    for (Square sq = 0; sq < SQUARE_COUNT; sq++) {
        if (!bb_has(targets, sq)) continue;
        PieceType type = piece_type(pos->board[sq]);
        if (type == KING || worth[type] > worth[piece_type(piece)] ||
            (worth[type] >= WORTH_IT && !is_guarded(pos, enemy, sq)))
            count++;
    }
    return count >= 2;
}

static bool pins(const struct position *before, const struct position *pos, Color solver)
{
    Color enemy = color_other(solver);
    for (Square sq = 0; sq < SQUARE_COUNT; sq++)
        if (bb_has(pos->blockers[enemy], sq) && bb_has(pos->by_color[enemy], sq) &&
            !bb_has(before->blockers[enemy], sq) && worth[piece_type(pos->board[sq])] >= WORTH_IT)
            return true;
    return false;
}

static bool could_promote(const struct position *before, Move move)
{
    if (move_is_drop(move) || move_promotes(move)) return false;
    Move twin = (Move)(move | MOVE_PROMOTE);
    return position_pseudo_legal(before, twin);
}

static void note(struct motif_report *out, enum motif motif, bool holds)
{
    if (holds) out->themes |= 1u << motif;
}

static void note_move(const struct position *before, const struct position *after, Move move, Color solver,
                      struct motif_report *out)
{
    Bitboard checkers = after->checkers;
    bool check = !bb_empty(checkers), moved_checks = check && bb_has(checkers, move_to(move));
    note(out, MOTIF_FORK, forks(after, solver, move_to(move)));
    note(out, MOTIF_PIN, pins(before, after, solver));
    note(out, MOTIF_NON_PROMOTION, could_promote(before, move));
    note(out, MOTIF_DISCOVERED, check && !moved_checks);
    note(out, MOTIF_DOUBLE_CHECK, bb_count(checkers) > 1);
    note(out, MOTIF_PAWN_DROP, move_is_drop(move) && move_drop_type(move) == PAWN);
}

static void note_first(const struct position *before, const struct position *after, Move move, const struct undo *undo,
                       struct motif_report *out)
{
    bool check = position_in_check(after), capture = undo->captured != NO_PIECE;
    note(out, MOTIF_QUIET, !check && !capture && !move_promotes(move));
    note(out, MOTIF_DROP, move_is_drop(move));
    note(out, MOTIF_CAPTURE, capture);
    note(out, MOTIF_PROMOTION, move_promotes(move));
    note(out, MOTIF_ESCAPE, position_in_check(before));
    note(out, MOTIF_KING_MOVE, piece_type(undo->moved) == KING);
}

/* ---- rating ----------------------------------------------------------------------------------------------------- */

/* 16 * log2(n), straight between powers of two; the same on every machine. */
static int log2_16(uint64_t n)
{
    int whole = 0;
    while (n >> whole > 1) whole++;
    uint64_t low = (uint64_t)1 << whole;
    return 16 * whole + (int)((n - low) * 16 / low);
}

static int rating_of(const struct motif_input *in, uint32_t themes, unsigned defences_16)
{
    Move list[MOVES_MAX];
    size_t choices = movegen_legal(in->start, list);
    int moves = (int)(in->count + 1) / 2, rating = 700;
    rating += moves < 6 ? 130 * (moves - 1) : 650 + 40 * (moves - 6); /* each move must be seen in advance */
    rating += (int)defences_16 * 3 / 4;                               /* and what the other side may do */
    rating += log2_16(choices ? choices : 1);                         /* more to choose from */
    rating += themes & 1u << MOTIF_QUIET ? 260 : 0;                   /* checks and captures come to mind */
    rating -= themes & 1u << MOTIF_CAPTURE && !(themes & 1u << MOTIF_SACRIFICE) ? 90 : 0;
    rating += themes & 1u << MOTIF_SACRIFICE ? 180 : 0;
    rating += themes & 1u << MOTIF_NON_PROMOTION ? 120 : 0;
    rating += (int)in->settled * 110; /* late found by the engine, late found by people */
    if (in->mate)
        rating += log2_16(in->nodes_verify + 1) / 2;
    else if (!in->alone)
        rating += (judge_win_permille(in->runner) - 300) / 4; /* a tempting second choice */
    rating += in->engine_mate && !in->mate ? 90 : 0;
    return rating < RATING_MIN ? RATING_MIN : rating > RATING_MAX ? RATING_MAX : rating;
}

void motif_judge(const struct motif_input *in, struct motif_report *out)
{
    struct position pos = *in->start, before;
    struct undo undo;
    Color solver = pos.side;
    int material_first = material(&pos, solver);
    unsigned defences_16 = 0, moves = (in->count + 1) / 2;
    bool taken = false;
    *out = (struct motif_report){0};
    for (unsigned i = 0; i < in->count; i++) {
        before = pos;
        position_do(&pos, in->line[i], &undo);
        if (i % 2) { /* the defender */
            taken = taken || (undo.captured && move_to(in->line[i]) == move_to(in->line[i - 1]) &&
                              worth[piece_type(undo.captured)] >= WORTH_IT);
            continue;
        }
        if (i == 0) note_first(&before, &pos, in->line[0], &undo, out);
        note_move(&before, &pos, in->line[i], solver, out);
        size_t replies = movegen_count_legal(&pos);
        if (i + 1 < in->count && replies > 0) defences_16 += (unsigned)log2_16(replies);
    }
    note(out, MOTIF_SACRIFICE, taken && material(&pos, solver) <= material_first - SACRIFICE_MIN);
    note(out, MOTIF_TSUME, in->mate);
    note(out, MOTIF_BRINKMATE, in->engine_mate && !in->mate);
    note(out, MOTIF_COMEBACK, judge_cp(in->before) < -100);
    note(out, moves == 1 ? MOTIF_ONE_MOVE : moves == 2 ? MOTIF_SHORT : moves == 3 ? MOTIF_LONG : MOTIF_VERY_LONG, true);
    out->rating = rating_of(in, out->themes, defences_16);
}
