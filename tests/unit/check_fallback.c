#include "common/base/prng.h"
#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "common/shogi/sfen.h"
#include "coordinator/core/fallback.h"
#include "tests/unit/check_main.h"

#include <string.h>

static struct fallback search;

static struct position read(const char *sfen)
{
    struct position pos;
    ck_assert_int_eq(sfen_read(&pos, sfen, strlen(sfen), NULL, NULL), ST_OK);
    return pos;
}

static void start(const struct position *pos)
{
    Move moves[MOVES_MAX];
    fallback_start(&search, pos, moves, movegen_legal(pos, moves));
}

static const char *best(const char *sfen, uint64_t nodes)
{
    static char text[MOVETEXT_BYTES_MAX];
    struct position pos = read(sfen);
    start(&pos);
    fallback_run(&search, nodes);
    movetext_to_usi(search.best, text);
    return text;
}

START_TEST(a_mate_in_one_is_played)
{
    /* gold on 5b, guarded by the pawn */
    ck_assert_str_eq(best("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", FALLBACK_NODES_FIRST), "G*5b");
    ck_assert_int_eq(search.score, SCORE_MATE - 1);
    ck_assert(search.finished);
    best("k8/9/K8/9/9/9/9/9/9 b G 1", FALLBACK_NODES_FIRST); /* G*9b and G*8b both mate */
    struct undo undo;
    position_do(&search.pos, search.best, &undo);
    ck_assert(!position_has_legal_move(&search.pos));
}
END_TEST

START_TEST(a_mate_in_one_is_not_walked_into)
{
    /* White threatens G*5h, guarded by the pawn on 5g; only moves that do something about it keep the king alive. */
    struct position pos = read("4k4/9/9/9/9/9/4p4/9/4K4 b RP2g 1");
    start(&pos);
    fallback_run(&search, 60000);
    ck_assert_int_ge(search.depth_done, 2);
    struct undo undo;
    position_do(&pos, search.best, &undo);
    Move replies[MOVES_MAX];
    size_t count = movegen_legal(&pos, replies);
    for (size_t i = 0; i < count; i++) {
        struct undo reply;
        position_do(&pos, replies[i], &reply);
        ck_assert(position_has_legal_move(&pos));
        position_undo(&pos, &reply);
    }
}
END_TEST

START_TEST(a_rook_for_nothing_is_taken)
{
    ck_assert_str_eq(best("4k4/9/9/4r4/9/9/9/9/4RK3 b - 1", FALLBACK_NODES_FIRST), "5i5d");
}
END_TEST

START_TEST(a_move_is_held_before_anything_is_searched)
{
    struct position pos = read(SFEN_STARTPOS);
    start(&pos);
    ck_assert(position_pseudo_legal(&pos, search.best) && position_legal(&pos, search.best));
    ck_assert_uint_eq(search.nodes, 0);
}
END_TEST

START_TEST(work_is_bounded_and_the_same_in_slices)
{
    struct position pos = read(SFEN_STARTPOS);
    start(&pos);
    uint64_t before = 0;
    while (!search.finished) {
        fallback_run(&search, 1000);
        ck_assert_uint_le(search.nodes - before, 1000 + FALLBACK_NODES_PER_MOVE);
        before = search.nodes;
    }
    Move sliced = search.best;
    uint64_t nodes = search.nodes;
    ck_assert_uint_lt(nodes, 2000000);
    start(&pos);
    fallback_run(&search, UINT64_MAX / 2);
    ck_assert_uint_eq(search.nodes, nodes);
    ck_assert_uint_eq(search.best, sliced);
}
END_TEST

START_TEST(its_move_is_legal_in_any_position)
{
    struct prng prng = prng_make(7);
    struct position pos = read(SFEN_STARTPOS);
    for (int i = 0; i < 300; i++) {
        Move moves[MOVES_MAX];
        size_t count = movegen_legal(&pos, moves);
        if (count == 0 || i % 100 == 99) {
            pos = read(SFEN_STARTPOS);
            continue;
        }
        fallback_start(&search, &pos, moves, count);
        fallback_run(&search, 500);
        bool found = false;
        for (size_t k = 0; k < count; k++) found = found || moves[k] == search.best;
        ck_assert(found);
        struct undo undo;
        position_do(&pos, moves[prng_below(&prng, (uint32_t)count)], &undo);
    }
}
END_TEST

START_TEST(the_position_with_593_moves_is_answered)
{
    best("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", FALLBACK_NODES_FIRST);
    ck_assert_uint_ne(search.best, MOVE_NONE);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("fallback");
    tcase_add_test(tc, a_mate_in_one_is_played);
    tcase_add_test(tc, a_mate_in_one_is_not_walked_into);
    tcase_add_test(tc, a_rook_for_nothing_is_taken);
    tcase_add_test(tc, a_move_is_held_before_anything_is_searched);
    tcase_add_test(tc, work_is_bounded_and_the_same_in_slices);
    tcase_add_test(tc, its_move_is_legal_in_any_position);
    tcase_add_test(tc, the_position_with_593_moves_is_answered);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("fallback", add_cases)
