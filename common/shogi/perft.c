#include "common/shogi/perft.h"

#include "common/shogi/movegen.h"
#include "common/shogi/movegen_inline.h"

/* The last ply but one: each move is made without keys, counted below, and taken back. */
ALWAYS_INLINE uint64_t count_two_plies(struct position *pos, Color us)
{
    Move moves[MOVES_MAX];
    struct undo undo;
    uint64_t sum = 0;
    size_t count = movegen_legal(pos, moves);
    for (size_t i = 0; i < count; i++) {
        position_do_for(pos, moves[i], &undo, us, 0);
        sum += movegen_count_legal_for(pos, color_other(us));
        position_undo_for(pos, &undo, us, 0);
    }
    return sum;
}

ALWAYS_INLINE uint64_t perft_count_inline(struct position *pos, unsigned depth_plies)
{
    if (depth_plies == 0) return 1;
    if (depth_plies == 1) return movegen_count_legal(pos);
    if (depth_plies == 2) return pos->side == BLACK ? count_two_plies(pos, BLACK) : count_two_plies(pos, WHITE);
    return perft_divide(pos, depth_plies, NULL, NULL);
}
TWO_TARGETS(uint64_t, perft_count, (struct position * pos, unsigned depth_plies), (pos, depth_plies))

uint64_t perft_divide(struct position *pos, unsigned depth_plies, perft_root_fn each, void *user)
{
    Move moves[MOVES_MAX];
    uint64_t sum = 0;
    if (depth_plies == 0) return 0;
    size_t count = movegen_legal(pos, moves);
    for (size_t i = 0; i < count; i++) {
        struct undo undo;
        position_do(pos, moves[i], &undo);
        uint64_t leaves = perft_count(pos, depth_plies - 1);
        position_undo(pos, &undo);
        sum += leaves;
        if (each != NULL && !each(user, moves[i], leaves)) break;
    }
    return sum;
}
