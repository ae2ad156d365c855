#include "common/shogi/outcome.h"

#include <string.h>

#include "common/shogi/attacks.h"

static const char *const rule_names[RULE_COUNT] = {
    [RULE_NONE] = "NoEnteringKing", [RULE_CSA24] = "CSARule24",   [RULE_CSA24H] = "CSARule24H",
    [RULE_CSA27] = "CSARule27",     [RULE_CSA27H] = "CSARule27H", [RULE_TRY] = "TryRule",
};

const char *entering_king_rule_name(enum entering_king_rule rule)
{
    return (unsigned)rule < RULE_COUNT ? rule_names[rule] : "NoEnteringKing";
}

bool entering_king_rule_from_name(const char *name, enum entering_king_rule *rule)
{
    for (unsigned i = 0; i < RULE_COUNT; i++)
        if (strcmp(name, rule_names[i]) == 0) {
            *rule = (enum entering_king_rule)i;
            return true;
        }
    return false;
}

/* Rooks and bishops are worth 5, all others 1, kings nothing. */
static unsigned board_points(const struct position *pos, Bitboard set)
{
    const Bitboard *t = pos->by_type;
    Bitboard big = bb_or(bb_or(t[BISHOP], t[ROOK]), bb_or(t[HORSE], t[DRAGON]));
    set = bb_without(set, t[KING]);
    return bb_count(set) + 4 * bb_count(bb_and(set, big));
}

static unsigned hand_points(Hand hand)
{
    unsigned points = 5 * (hand_count(hand, BISHOP) + hand_count(hand, ROOK)) + hand_count(hand, GOLD);
    for (PieceType t = PAWN; t <= SILVER; t++) points += hand_count(hand, t);
    return points;
}

bool declaration_wins(const struct position *pos, enum entering_king_rule rule, Move *move)
{
    enum { POINTS_OF_A_FULL_SET = 54, PIECES_NEEDED = 10 };
    Color us = pos->side;
    Square king = pos->king[us];
    if (rule == RULE_NONE || king == SQUARE_NONE) return false;

    if (rule == RULE_TRY) {
        Square goal = us == BLACK ? square_make(5, 1) : square_make(5, 9);
        Move step = move_make(king, goal);
        if (king == goal || !position_pseudo_legal(pos, step) || !position_legal(pos, step)) return false;
        *move = step;
        return true;
    }

    Bitboard camp = bb_far_ranks(us, 3);
    if (position_in_check(pos) || !bb_has(camp, king)) return false;
    Bitboard inside = bb_without(bb_and(pos->by_color[us], camp), bb_square(king));
    if (bb_count(inside) < PIECES_NEEDED) return false;

    unsigned points = board_points(pos, inside) + hand_points(pos->hand[us]);
    unsigned needed = rule == RULE_CSA24 || rule == RULE_CSA24H ? 31 : us == BLACK ? 28 : 27;
    if ((rule == RULE_CSA24H || rule == RULE_CSA27H) && us == WHITE) {
        /* 駒落ち: the giver of the handicap is White and counts the missing pieces as its own */
        unsigned all =
            board_points(pos, pos->by_type[NO_TYPE]) + hand_points(pos->hand[BLACK]) + hand_points(pos->hand[WHITE]);
        points += POINTS_OF_A_FULL_SET - all;
    }
    if (points < needed) return false;
    *move = MOVE_WIN;
    return true;
}

static void fill(struct history_entry *entry, const struct position *pos)
{
    entry->board_key = pos->board_key;
    entry->hand_black = pos->hand[BLACK];
    entry->hand_white = pos->hand[WHITE];
}

void history_start(struct history *h, const struct position *pos)
{
    struct history_entry *first = &h->entries[0];
    h->count = 1;
    fill(first, pos);
    first->check_run[BLACK] = first->check_run[WHITE] = 0;
    first->plies_since_null = 0;
}

bool history_push(struct history *h, const struct position *pos)
{
    if (h->count >= HISTORY_MAX) return false;
    const struct history_entry *last = &h->entries[h->count - 1];
    struct history_entry *next = &h->entries[h->count++];
    Color mover = color_other(pos->side);
    fill(next, pos);
    next->check_run[pos->side] = last->check_run[pos->side];
    next->check_run[mover] = position_in_check(pos) ? (uint16_t)(last->check_run[mover] + 1) : 0;
    next->plies_since_null = (uint16_t)(last->plies_since_null + 1);
    return true;
}

bool history_push_null(struct history *h, const struct position *pos)
{
    if (h->count >= HISTORY_MAX) return false;
    struct history_entry *next = &h->entries[h->count++];
    fill(next, pos);
    next->check_run[BLACK] = next->check_run[WHITE] = 0;
    next->plies_since_null = 0;
    return true;
}

void history_pop(struct history *h) { h->count--; }

static bool same_position(const struct history_entry *a, const struct history_entry *b)
{
    return a->board_key == b->board_key && a->hand_black == b->hand_black && a->hand_white == b->hand_white;
}

/* Both entries are the same position, `plies` apart (an even number): who gave check with every move in between? */
static enum outcome repetition_kind(const struct history_entry *now, unsigned plies, Color side)
{
    bool they_check = now->check_run[color_other(side)] >= plies / 2, we_check = now->check_run[side] >= plies / 2;
    if (they_check == we_check) return OUTCOME_DRAW_REPETITION; /* both at once: neither is to blame alone */
    return they_check ? OUTCOME_PERPETUAL_WIN : OUTCOME_PERPETUAL_LOSS;
}

enum outcome history_referee(const struct history *h, const struct position *pos)
{
    const struct history_entry *now = &h->entries[h->count - 1];
    unsigned seen = 1;
    for (uint32_t back = 2; back < h->count && back <= now->plies_since_null; back += 2)
        if (same_position(now, now - back) && ++seen == 4) return repetition_kind(now, back, pos->side);
    return OUTCOME_NONE;
}

enum outcome history_search_verdict(const struct history *h, const struct position *pos, uint32_t root_count,
                                    int *plies_back)
{
    const struct history_entry *now = &h->entries[h->count - 1];
    Hand mine = pos->hand[pos->side];
    unsigned seen = 1;
    for (uint32_t back = 2; back < h->count && back <= now->plies_since_null; back += 2) {
        const struct history_entry *then = now - back;
        if (then->board_key != now->board_key) continue;
        Hand then_mine = pos->side == BLACK ? then->hand_black : then->hand_white;
        bool after_root = h->count - 1 - back >= root_count; /* index of the root's entry is root_count - 1 */
        if (mine == then_mine && same_position(now, then)) {
            seen++;
            if (!after_root && seen < 4) continue;
            *plies_back = (int)back;
            return repetition_kind(now, back, pos->side);
        }
        if (!after_root || mine == then_mine) continue;
        *plies_back = (int)back;
        if (hand_covers(mine, then_mine)) return OUTCOME_SUPERIOR;
        if (hand_covers(then_mine, mine)) return OUTCOME_INFERIOR;
    }
    return OUTCOME_NONE;
}

enum outcome game_outcome(const struct history *h, const struct position *pos, unsigned max_moves_to_draw)
{
    if (!position_has_legal_move(pos)) return OUTCOME_MATED;
    enum outcome repetition = history_referee(h, pos);
    if (repetition != OUTCOME_NONE) return repetition;
    if (max_moves_to_draw != 0 && pos->game_ply > max_moves_to_draw) return OUTCOME_DRAW_MOVE_LIMIT;
    return OUTCOME_NONE;
}
