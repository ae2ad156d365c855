/* check_judge.c - played moves are judged by the loss of win probability; expected values worked out by hand. */
#include "coordinator/core/judge.h"
#include "tests/unit/check_main.h"

static struct judge_score cp(int32_t value) { return (struct judge_score){WIRE_SCORE_CP, value}; }
static struct judge_score mate(int32_t plies) { return (struct judge_score){WIRE_SCORE_MATE, plies}; }

START_TEST(win_probability_follows_the_logistic_curve_of_600_centipawns)
{
    ck_assert_int_eq(judge_win_permille(cp(0)), 500);
    ck_assert_int_eq(judge_win_permille(cp(600)), 731); /* 1 / (1 + 1/e) = 0.7311 */
    ck_assert_int_eq(judge_win_permille(cp(-600)), 269);
    ck_assert_int_eq(judge_win_permille(cp(50)), 521); /* 0.5208 */
    ck_assert_int_eq(judge_win_permille(cp(1234567)), judge_win_permille(cp(3000)));
    ck_assert_int_eq(judge_win_permille(mate(3)), 1000);
    ck_assert_int_eq(judge_win_permille(mate(-2)), 0);
    ck_assert_int_eq(judge_win_permille(mate(0)), 0);
}
END_TEST

START_TEST(the_value_of_a_move_is_the_next_score_with_the_sign_flipped)
{
    struct judge_verdict v = judge_move(cp(100), cp(500), false); /* +100 became -500 */
    ck_assert_int_eq(v.loss_cp, 600);
    ck_assert_int_eq(v.loss_permille, 542 - 303);
    ck_assert_int_eq(v.class, JUDGE_BLUNDER);
    v = judge_move(cp(100), cp(-90), false);
    ck_assert_int_eq(v.loss_cp, 10);
    ck_assert_int_eq(v.class, JUDGE_GOOD);
    v = judge_move(cp(0), cp(-80), false); /* better than thought: no negative loss */
    ck_assert_int_eq(v.loss_cp, 0);
    ck_assert_int_eq(v.loss_permille, 0);
}
END_TEST

START_TEST(classes_begin_exactly_at_their_limits)
{
    ck_assert_int_eq(judge_move(cp(0), cp(117), false).class, JUDGE_GOOD);       /* 500 - 452 = 48 */
    ck_assert_int_eq(judge_move(cp(0), cp(125), false).class, JUDGE_INACCURACY); /* 52 */
    ck_assert_int_eq(judge_move(cp(0), cp(260), false).class, JUDGE_MISTAKE);    /* 106 */
    ck_assert_int_eq(judge_move(cp(0), cp(400), false).class, JUDGE_BLUNDER);    /* 161 */
}
END_TEST

START_TEST(the_engines_own_choice_is_never_blamed)
{
    ck_assert_int_eq(judge_move(cp(300), cp(200), true).class, JUDGE_BEST);
}
END_TEST

START_TEST(a_mate_that_was_there_and_is_gone_is_a_missed_mate)
{
    ck_assert_int_eq(judge_move(mate(5), cp(-2000), false).class, JUDGE_MISSED_MATE);
    ck_assert_int_eq(judge_move(mate(5), mate(-6), false).class, JUDGE_GOOD); /* slower, but still mate */
    ck_assert_int_eq(judge_move(mate(1), mate(0), false).class, JUDGE_GOOD);  /* mates at once by another move */
    ck_assert_int_eq(judge_move(cp(0), mate(7), false).class, JUDGE_BLUNDER); /* walks into a mate */
}
END_TEST

START_TEST(what_was_not_searched_is_not_judged)
{
    struct judge_score none = {WIRE_SCORE_NONE, 0};
    ck_assert_int_eq(judge_move(none, cp(900), false).class, JUDGE_UNKNOWN);
    ck_assert_int_eq(judge_move(cp(900), none, true).class, JUDGE_UNKNOWN);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("judge");
    tcase_add_test(tc, win_probability_follows_the_logistic_curve_of_600_centipawns);
    tcase_add_test(tc, the_value_of_a_move_is_the_next_score_with_the_sign_flipped);
    tcase_add_test(tc, classes_begin_exactly_at_their_limits);
    tcase_add_test(tc, the_engines_own_choice_is_never_blamed);
    tcase_add_test(tc, a_mate_that_was_there_and_is_gone_is_a_missed_mate);
    tcase_add_test(tc, what_was_not_searched_is_not_judged);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("judge", add_cases)
