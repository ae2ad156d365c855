/* check_wasted.c - interpositions that books do not count, on positions of public reports (bugs about "3 instead of
 * 1"). */
#include "common/shogi/sfen.h"
#include "common/shogi/wasted.h"
#include "tests/unit/check_main.h"
#include "worker/engine/mate/mate.h"

#include <string.h>

static unsigned solve_and_cut(const char *sfen, int plies)
{
    static struct mate_result found;
    struct position pos;
    struct mate_solver *solver = mate_new(1 << 22, 1);
    ck_assert_ptr_nonnull(solver);
    ck_assert_int_eq(sfen_read(&pos, sfen, strlen(sfen), NULL, NULL), ST_OK);
    mate_solve(solver, &pos, NULL, &found);
    mate_free(solver);
    ck_assert_int_eq(found.verdict, MATE_PROVED);
    ck_assert_int_eq(found.plies, plies);
    return wasted_cut(&pos, found.line, (unsigned)found.plies);
}

START_TEST(drops_that_are_taken_with_the_same_mate_are_cut)
{
    ck_assert_uint_eq(solve_and_cut("6Bnl/8k/7p1/7b1/9/9/9/9/9 b Rr4g4s3n3l17p 1", 3), 1);
    ck_assert_uint_eq(solve_and_cut("3+R3nk/8p/7P1/9/9/9/9/9/8B b 16p4l3n4s4gbr 1", 7), 1);
}
END_TEST

START_TEST(what_must_be_played_stays)
{
    ck_assert_uint_eq(solve_and_cut("5B1n1/8k/6Rpp/9/9/9/1+p7/9/K8 b rb4g4s3n4l15p 1", 5), 5);
    ck_assert_uint_eq(solve_and_cut("8k/R7s/g5N2/1R7/8L/4+b4/9/9/9 b b3g3s3n3l18p 1", 13), 13);
    ck_assert_uint_eq(solve_and_cut("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", 1), 1);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("wasted");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, drops_that_are_taken_with_the_same_mate_are_cut);
    tcase_add_test(tc, what_must_be_played_stays);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("wasted", add_cases)
