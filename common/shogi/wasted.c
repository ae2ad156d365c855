/* wasted.c - see wasted.h. */
#include "common/shogi/wasted.h"

#include "common/shogi/movegen.h"

/* The attacker's last capture goes back into the defender's hand. */
static void hand_back(struct position *pos, PieceType captured)
{
    PieceType type = type_unpromoted(captured);
    pos->hand[color_other(pos->side)] -= hand_one(type);
    pos->hand[pos->side] += hand_one(type);
    position_refresh(pos);
}

static bool is_over(const struct position *pos)
{
    return position_in_check(pos) && (!position_has_legal_move(pos) || wasted_is_mate(pos));
}

/* After the drop on `square`: does the piece from `checker` take it, and is that mate whoever has the piece? */
static bool is_taken_for_nothing(const struct position *pos, Square checker, Square square)
{
    Move moves[MOVES_MAX];
    size_t count = movegen_legal(pos, moves);
    for (size_t i = 0; i < count; i++) {
        if (move_is_drop(moves[i]) || move_from(moves[i]) != checker || move_to(moves[i]) != square) continue;
        struct position after = *pos;
        struct undo undo;
        position_do(&after, moves[i], &undo);
        hand_back(&after, piece_type(undo.captured));
        if (is_over(&after)) return true;
    }
    return false;
}

bool wasted_is_mate(const struct position *pos)
{
    Move moves[MOVES_MAX];
    if (bb_empty(pos->checkers) || bb_many(pos->checkers)) return false;
    Square checker = bb_first(pos->checkers);
    size_t count = movegen_legal(pos, moves);
    for (size_t i = 0; i < count; i++) {
        if (!move_is_drop(moves[i])) return false;
        struct position after = *pos;
        struct undo undo;
        position_do(&after, moves[i], &undo);
        if (!is_taken_for_nothing(&after, checker, move_to(moves[i]))) return false;
    }
    return count > 0;
}

unsigned wasted_cut(const struct position *root, const Move *line, unsigned count)
{
    struct position pos = *root;
    struct undo undo;
    for (unsigned i = 0; i < count; i++) {
        position_do(&pos, line[i], &undo);
        if (i % 2 == 0 && wasted_is_mate(&pos)) return i + 1;
    }
    return count;
}
