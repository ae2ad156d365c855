#include "coordinator/cli/match_stats.h"
#include "coordinator/cli/match_totals.h"
#include "tests/unit/check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Expected figures: a separate Python program that maximises the likelihood by direct search over the probabilities
 * (no Lagrange multiplier) and solves the interval's equation by bisection. */

static struct match_score score_of(uint32_t p0, uint32_t p1, uint32_t p2, uint32_t p3, uint32_t p4)
{
    struct match_score score = {.pairs = {p0, p1, p2, p3, p4}};
    /* One way to split pairs into games: a level pair is a win and a loss. */
    score.wins = 2 * p4 + p3 + p2;
    score.losses = 2 * p0 + p1 + p2;
    score.draws = p1 + p3;
    return score;
}

START_TEST(elo_and_score_are_two_names_of_one_thing)
{
    ck_assert_double_eq_tol(match_stats_score_from_elo(0), 0.5, 1e-12);
    ck_assert_double_eq_tol(match_stats_score_from_elo(400), 10.0 / 11, 1e-12);
    ck_assert_double_eq_tol(match_stats_elo_from_score(0.75), 190.848501887865, 1e-9);
    ck_assert(match_stats_elo_from_score(0) == -INFINITY);
    ck_assert(match_stats_elo_from_score(1) == INFINITY);
}
END_TEST

START_TEST(elo_of_a_long_match_agrees_with_the_normal_approximation)
{
    struct match_score score = score_of(155, 6684, 15979, 6998, 184);
    struct match_estimate estimate = match_stats_estimate(&score);
    ck_assert(estimate.paired);
    ck_assert_double_eq_tol(estimate.score, 0.5031, 1e-9);
    ck_assert_double_eq_tol(estimate.elo, 2.1541282, 1e-6);
    ck_assert_double_eq_tol(estimate.elo_error, 1.3916133, 1e-3);
    ck_assert_double_eq_tol(estimate.superiority, 0.9987932983, 1e-6);
}
END_TEST

START_TEST(elo_interval_of_a_short_match_is_wilsons)
{
    struct match_score score = score_of(10, 30, 40, 35, 15);
    struct match_estimate estimate = match_stats_estimate(&score);
    ck_assert_double_eq_tol(estimate.elo, 20.06664379, 1e-6);
    ck_assert_double_eq_tol(estimate.elo_low, -13.53392913, 1e-6);
    ck_assert_double_eq_tol(estimate.elo_high, 53.66721670, 1e-6);
    ck_assert_double_eq_tol(estimate.elo_error, (53.66721670 + 13.53392913) / 2, 1e-6);
}
END_TEST

START_TEST(ten_won_pairs_leave_no_upper_end_and_a_lower_one)
{
    struct match_score score = score_of(0, 0, 0, 0, 10);
    struct match_estimate estimate = match_stats_estimate(&score);
    ck_assert(estimate.elo == INFINITY && estimate.elo_high == INFINITY && estimate.elo_error == INFINITY);
    ck_assert_double_eq_tol(estimate.elo_low, 286.6135254, 1e-6);
    ck_assert_double_gt(estimate.superiority, 0.99);
    score = score_of(10, 0, 0, 0, 0);
    estimate = match_stats_estimate(&score);
    ck_assert(estimate.elo == -INFINITY && estimate.elo_low == -INFINITY);
    ck_assert_double_eq_tol(estimate.elo_high, -286.6135254, 1e-6);
}
END_TEST

START_TEST(level_pairs_only_are_no_proof_of_equality)
{
    struct match_score score = score_of(0, 0, 3, 0, 0);
    struct match_estimate estimate = match_stats_estimate(&score);
    ck_assert_double_eq_tol(estimate.elo, 0, 1e-9);
    ck_assert_double_gt(estimate.elo_error, 50);
    ck_assert_double_eq_tol(estimate.superiority, 0.5, 1e-12);
}
END_TEST

START_TEST(without_a_whole_pair_games_count_alone_and_without_games_nothing_is_known)
{
    struct match_score score = {.wins = 5, .draws = 4, .losses = 3};
    struct match_estimate estimate = match_stats_estimate(&score);
    ck_assert(!estimate.paired);
    ck_assert_double_eq_tol(estimate.elo, 58.45121427, 1e-6);
    ck_assert_double_eq_tol(estimate.elo_low, -100.82023570, 1e-6);
    ck_assert_double_eq_tol(estimate.elo_high, 217.72266424, 1e-6);
    ck_assert_double_eq_tol(estimate.draw_ratio, 1.0 / 3, 1e-12);
    score = (struct match_score){0};
    estimate = match_stats_estimate(&score);
    ck_assert(estimate.elo_error == INFINITY);
    ck_assert_double_eq_tol(estimate.superiority, 0.5, 1e-12);
}
END_TEST

START_TEST(sprt_ratio_is_that_of_the_maximum_likelihoods)
{
    const struct {
        struct match_score score;
        double elo0, elo1, llr;
    } cases[] = {
        {score_of(155, 6684, 15979, 6998, 184), 0, 2, 4.57854988},
        {score_of(10, 30, 40, 35, 15), 0, 5, 0.29856066},
        {score_of(3, 0, 4, 9, 2), -5, 40, 0.74869725},
        {score_of(0, 0, 10, 0, 0), 0, 5, -0.13942764},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sprt sprt = {cases[i].elo0, cases[i].elo1, 0.05, 0.05};
        ck_assert_double_eq_tol(match_stats_sprt(&cases[i].score, &sprt).llr, cases[i].llr, 1e-6);
    }
}
END_TEST

START_TEST(sprt_stops_at_walds_bounds)
{
    struct sprt sprt = {0, 2, 0.05, 0.05};
    struct match_score none = {0}, good = score_of(155, 6684, 15979, 6998, 184),
                       bad = score_of(184, 6998, 15979, 6684, 155);
    struct sprt_state state = match_stats_sprt(&none, &sprt);
    ck_assert_double_eq_tol(state.upper, 2.94443898, 1e-6); /* ln 19 */
    ck_assert_double_eq_tol(state.lower, -2.94443898, 1e-6);
    ck_assert_int_eq(state.verdict, SPRT_CONTINUE);
    ck_assert_int_eq(match_stats_sprt(&good, &sprt).verdict, SPRT_ACCEPT_H1);
    ck_assert_int_eq(match_stats_sprt(&bad, &sprt).verdict, SPRT_ACCEPT_H0);
}
END_TEST

START_TEST(lateness_keeps_maximum_and_quantiles_over_all_moves)
{
    struct lateness *lateness = calloc(1, sizeof *lateness);
    for (int i = 0; i < 985; i++) lateness_add(lateness, -5, 120000);
    for (int i = 0; i < 10; i++) lateness_add(lateness, 4500, 120000);
    for (int i = 0; i < 5; i++) lateness_add(lateness, 200000 + i, 120000);
    ck_assert_uint_eq(lateness->moves, 1000);
    ck_assert_uint_eq(lateness->late, 15);
    ck_assert_uint_eq(lateness->overruns, 5);
    ck_assert_int_eq(lateness->max_us, 200004);
    ck_assert_uint_eq(lateness_quantile_ms(lateness, 0.5), 0);
    ck_assert_uint_eq(lateness_quantile_ms(lateness, 0.99), 5);
    ck_assert_uint_eq(lateness_quantile_ms(lateness, 1.0), 201);
    free(lateness);
}
END_TEST

static struct game_record game_record_of(uint32_t game, unsigned black_engine, uint8_t winner, enum game_end end)
{
    return (struct game_record){.game = game, .black_engine = black_engine, .winner = winner, .end = end, .plies = 100};
}

START_TEST(totals_take_each_game_once_and_pairs_when_both_games_are_there)
{
    int8_t half_points[6];
    struct match_totals *totals = malloc(sizeof *totals);
    struct game_record record;
    match_totals_init(totals, half_points, 6);
    record = game_record_of(1, 1, WHITE, GAME_MATE); /* engine 0 is White and wins */
    ck_assert(match_totals_add(totals, &record, 0));
    ck_assert_uint_eq(match_score_pairs(&totals->score), 0);
    ck_assert(!match_totals_add(totals, &record, 0));
    record = game_record_of(0, 0, REFEREE_NOBODY, GAME_REPETITION);
    ck_assert(match_totals_add(totals, &record, 0));
    ck_assert_uint_eq(totals->score.pairs[3], 1);
    record = game_record_of(6, 0, BLACK, GAME_MATE);
    ck_assert(!match_totals_add(totals, &record, 0)); /* beyond the match */
    record = game_record_of(2, 0, WHITE, GAME_TIME);
    ck_assert(match_totals_add(totals, &record, 0));
    ck_assert_uint_eq(totals->engines[0].lost_by[GAME_TIME], 1);
    ck_assert_uint_eq(totals->score.wins, 1);
    ck_assert_uint_eq(totals->score.draws, 1);
    ck_assert_uint_eq(totals->score.losses, 1);
    ck_assert_uint_eq(totals->engines[0].black_games, 2);
    ck_assert_uint_eq(totals->engines[0].black_half_points, 1);
    ck_assert_uint_eq(totals->engines[1].black_half_points, 0);
    free(totals);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("match_stats");
    tcase_add_test(tc, elo_and_score_are_two_names_of_one_thing);
    tcase_add_test(tc, elo_of_a_long_match_agrees_with_the_normal_approximation);
    tcase_add_test(tc, elo_interval_of_a_short_match_is_wilsons);
    tcase_add_test(tc, ten_won_pairs_leave_no_upper_end_and_a_lower_one);
    tcase_add_test(tc, level_pairs_only_are_no_proof_of_equality);
    tcase_add_test(tc, without_a_whole_pair_games_count_alone_and_without_games_nothing_is_known);
    tcase_add_test(tc, sprt_ratio_is_that_of_the_maximum_likelihoods);
    tcase_add_test(tc, sprt_stops_at_walds_bounds);
    tcase_add_test(tc, lateness_keeps_maximum_and_quantiles_over_all_moves);
    tcase_add_test(tc, totals_take_each_game_once_and_pairs_when_both_games_are_there);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("match_stats", add_cases)
