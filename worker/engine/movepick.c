/* movepick.c - see movepick.h. */
#include "worker/engine/movepick.h"

#include "common/shogi/attacks.h"
#include "common/shogi/movegen.h"
#include "worker/engine/see.h"

enum { GOOD_QUIET_SCORE = -9000, CHECK_LOSS_CP = 75 };

static void init_common(struct movepick *mp, const struct position *pos, struct history_tables *history, Move tt_move,
                        bool full, struct scored_move *pool)
{
    mp->pos = pos;
    mp->history = history;
    mp->begin = mp->bad_end = mp->quiets = mp->cur = mp->end = pool;
    mp->tt_move = tt_move != MOVE_NONE && position_pseudo_legal(pos, tt_move) ? tt_move : MOVE_NONE;
    mp->full = full;
    mp->depth_plies = 0;
    mp->pawn_index = 0;
    mp->check_bonus = 0;
}

void movepick_init(struct movepick *mp, const struct position *pos, struct history_tables *history,
                   continuation_row *const continuation[MOVEPICK_CONTINUATIONS], Move tt_move, int depth_plies,
                   bool full, struct scored_move *pool)
{
    init_common(mp, pos, history, tt_move, full, pool);
    for (int i = 0; i < MOVEPICK_CONTINUATIONS; i++) mp->continuation[i] = continuation[i];
    mp->depth_plies = depth_plies;
    mp->stage = position_in_check(pos) ? PICK_EVASION_TT : PICK_TT;
}

void movepick_init_quiescence(struct movepick *mp, const struct position *pos, struct history_tables *history,
                              continuation_row *const continuation[MOVEPICK_CONTINUATIONS], Move tt_move, bool full,
                              struct scored_move *pool)
{
    init_common(mp, pos, history, tt_move, full, pool);
    for (int i = 0; i < MOVEPICK_CONTINUATIONS; i++) mp->continuation[i] = continuation[i];
    if (position_in_check(pos)) {
        mp->stage = PICK_EVASION_TT;
    } else {
        if (mp->tt_move != MOVE_NONE && !move_is_tactical(pos, mp->tt_move)) mp->tt_move = MOVE_NONE;
        mp->stage = PICK_QS_TT;
    }
}

static int capture_score(const struct movepick *mp, Move move)
{
    const struct position *pos = mp->pos;
    int score = see_exchange_cp[piece_type(pos->board[move_to(move)])] * 6 + *history_capture(mp->history, pos, move);
    if (move_promotes(move)) score += 2 * see_promotion_cp(piece_type(pos->board[move_from(move)]));
    return score;
}

/* From where a piece of each type would attack the enemy king. */
static void list_check_squares(const struct position *pos, Bitboard squares[TYPE_COUNT])
{
    Color enemy = color_other(pos->side);
    Square king = pos->king[enemy];
    for (PieceType t = PAWN; t < TYPE_COUNT; t++)
        squares[t] = t == KING || king == SQUARE_NONE
                         ? bb_none()
                         : attacks_piece(piece_make(enemy, t), king, pos->by_type[NO_TYPE]);
}

static int quiet_score(const struct movepick *mp, Move move)
{
    const struct position *pos = mp->pos;
    Piece piece = history_piece(pos, move);
    Square to = move_to(move);
    int score = 2 * *history_butterfly(mp->history, pos->side, move) + 2 * mp->history->pawn[mp->pawn_index][piece][to];
    for (int i = 0; i < MOVEPICK_CONTINUATIONS; i++) score += (*mp->continuation[i])[piece][to];
    return score;
}

/* Fills [mp->end ..) with the moves of one kind, without the table move. */
static void generate(struct movepick *mp, enum movegen_kind kind)
{
    Move moves[MOVES_MAX];
    size_t count = movegen(mp->pos, kind, mp->full, moves);
    struct scored_move *out = mp->end;
    Bitboard check_squares[TYPE_COUNT];
    if (kind == MOVEGEN_QUIETS) {
        mp->pawn_index = history_pawn_index(mp->pos);
        if (mp->check_bonus != 0) list_check_squares(mp->pos, check_squares);
    }
    for (size_t i = 0; i < count; i++) {
        if (moves[i] == mp->tt_move) continue;
        int score;
        if (kind == MOVEGEN_CAPTURES) {
            score = capture_score(mp, moves[i]);
        } else if (kind == MOVEGEN_QUIETS) {
            score = quiet_score(mp, moves[i]);
            if (mp->check_bonus != 0 &&
                bb_has(check_squares[piece_type(history_piece(mp->pos, moves[i]))], move_to(moves[i])) &&
                see_at_least(mp->pos, moves[i], -CHECK_LOSS_CP))
                score += mp->check_bonus;
        } else if (move_is_tactical(mp->pos, moves[i])) {
            score = (1 << 24) + capture_score(mp, moves[i]);
        } else {
            Piece piece = history_piece(mp->pos, moves[i]);
            score = *history_butterfly(mp->history, mp->pos->side, moves[i]) +
                    (*mp->continuation[0])[piece][move_to(moves[i])];
        }
        out->move = moves[i];
        out->score = score;
        out++;
    }
    mp->end = out;
}

/* Brings the best of [cur, end) to cur and steps over it. */
static struct scored_move pick_best(struct movepick *mp)
{
    struct scored_move *best = mp->cur;
    for (struct scored_move *m = mp->cur + 1; m < mp->end; m++)
        if (m->score > best->score) best = m;
    struct scored_move found = *best;
    *best = *mp->cur;
    *mp->cur++ = found;
    return found;
}

/* Sorts those with at least `limit`, descending, to the front; the order of the rest does not matter. */
static void sort_partly(struct scored_move *begin, struct scored_move *end, int limit)
{
    if (begin == end) return;
    struct scored_move *sorted_end = begin;
    for (struct scored_move *p = begin + 1; p < end; p++) {
        if (p->score < limit) continue;
        struct scored_move moving = *p, *q;
        *p = *++sorted_end;
        for (q = sorted_end; q != begin && (q - 1)->score < moving.score; q--) *q = *(q - 1);
        *q = moving;
    }
}

Move movepick_next(struct movepick *mp, bool skip_quiets)
{
    for (;;) {
        switch (mp->stage) {
        case PICK_TT:
        case PICK_EVASION_TT:
        case PICK_QS_TT:
            mp->stage++;
            if (mp->tt_move != MOVE_NONE) return mp->tt_move;
            break;

        case PICK_CAPTURES_INIT:
        case PICK_QS_INIT:
            generate(mp, MOVEGEN_CAPTURES);
            mp->stage++;
            break;

        case PICK_CAPTURES:
            while (mp->cur < mp->end) {
                struct scored_move m = pick_best(mp);
                if (see_at_least(mp->pos, m.move, -m.score / 24)) return m.move;
                *mp->bad_end++ = m;
            }
            mp->stage = PICK_QUIETS_INIT;
            break;

        case PICK_QUIETS_INIT:
            mp->quiets = mp->cur = mp->end;
            if (!skip_quiets) {
                generate(mp, MOVEGEN_QUIETS);
                sort_partly(mp->cur, mp->end, -2500 * mp->depth_plies);
            }
            mp->stage = PICK_QUIETS;
            break;

        case PICK_QUIETS:
            if (!skip_quiets && mp->cur < mp->end && mp->cur->score >= GOOD_QUIET_SCORE) return (mp->cur++)->move;
            mp->quiets = mp->cur; /* the rest comes after the losing captures */
            mp->cur = mp->begin;
            mp->stage = PICK_BAD_CAPTURES;
            break;

        case PICK_BAD_CAPTURES:
            if (mp->cur < mp->bad_end) return (mp->cur++)->move;
            mp->cur = mp->quiets;
            mp->stage = PICK_BAD_QUIETS;
            break;

        case PICK_BAD_QUIETS:
            if (!skip_quiets && mp->cur < mp->end) return (mp->cur++)->move;
            mp->stage = PICK_DONE;
            break;

        case PICK_EVASIONS_INIT:
            generate(mp, MOVEGEN_EVASIONS);
            mp->stage = PICK_EVASIONS;
            break;

        case PICK_EVASIONS:
        case PICK_QS:
            if (mp->cur < mp->end) return pick_best(mp).move;
            mp->stage = PICK_DONE;
            break;

        case PICK_DONE:
            return MOVE_NONE;
        }
    }
}
