#include "coordinator/core/match_plan.h"
#include "coordinator/core/match_clock.h"
#include "coordinator/core/match_profile.h"
#include "tests/unit/check_main.h"

#include <string.h>

START_TEST(both_games_of_a_pair_have_the_same_opening_and_exchanged_colours)
{
    uint32_t order[7];
    struct match_plan plan;
    match_plan_init(&plan, order, 7, 42);
    for (uint32_t pair = 0; pair < 20; pair++) {
        struct match_pairing first = match_plan_game(&plan, 2 * pair), second = match_plan_game(&plan, 2 * pair + 1);
        ck_assert_uint_eq(first.pair, pair);
        ck_assert_uint_eq(second.pair, pair);
        ck_assert_uint_eq(first.opening, second.opening);
        ck_assert_uint_eq(first.black_engine + second.black_engine, 1);
    }
}
END_TEST

START_TEST(every_opening_comes_once_before_any_comes_again)
{
    uint32_t order[157];
    struct match_plan plan;
    match_plan_init(&plan, order, 157, 5);
    unsigned seen[157] = {0};
    for (uint32_t pair = 0; pair < 157; pair++) seen[match_plan_game(&plan, 2 * pair).opening]++;
    for (unsigned i = 0; i < 157; i++) ck_assert_uint_eq(seen[i], 1);
    ck_assert_uint_eq(match_plan_game(&plan, 2 * 157).opening, match_plan_game(&plan, 0).opening);
}
END_TEST

START_TEST(the_seed_decides_the_order)
{
    uint32_t a[50], b[50], c[50];
    struct match_plan plan;
    match_plan_init(&plan, a, 50, 1);
    match_plan_init(&plan, b, 50, 1);
    match_plan_init(&plan, c, 50, 2);
    ck_assert_mem_eq(a, b, sizeof a);
    ck_assert_mem_ne(a, c, sizeof a);
}
END_TEST

START_TEST(byoyomi_is_there_for_every_move_and_main_time_only_once)
{
    struct match_clock clock;
    match_clock_start(&clock, &(struct match_limits){.time_ms = 5000, .byoyomi_ms = 1000});
    ck_assert_int_eq(match_clock_allowed_us(&clock), 6000000);
    match_clock_charge(&clock, 2500000);
    ck_assert_int_eq(match_clock_allowed_us(&clock), 3500000);
    match_clock_charge(&clock, 3400000); /* into the byoyomi, whose rest is lost */
    ck_assert_int_eq(match_clock_allowed_us(&clock), 1000000);
    match_clock_charge(&clock, 900000);
    ck_assert_int_eq(match_clock_allowed_us(&clock), 1000000);
}
END_TEST

START_TEST(an_increment_is_added_before_each_move_and_what_is_left_is_kept)
{
    struct match_clock clock;
    match_clock_start(&clock, &(struct match_limits){.time_ms = 10000, .inc_ms = 2000});
    ck_assert_int_eq(match_clock_allowed_us(&clock), 12000000);
    match_clock_charge(&clock, 500000);
    ck_assert_int_eq(clock.left_us, 11500000);
    match_clock_charge(&clock, 99000000);
    ck_assert_int_eq(clock.left_us, 0);
    ck_assert_int_eq(match_clock_allowed_us(&clock), 2000000);
}
END_TEST

START_TEST(nodes_and_depth_alone_limit_no_time_and_movetime_is_never_saved_up)
{
    struct match_clock clock;
    match_clock_start(&clock, &(struct match_limits){.nodes = 1000, .depth_plies = 5});
    ck_assert_int_eq(match_clock_allowed_us(&clock), INT64_MAX);
    match_clock_start(&clock, &(struct match_limits){.movetime_ms = 300});
    match_clock_charge(&clock, 1000);
    ck_assert_int_eq(match_clock_allowed_us(&clock), 300000);
}
END_TEST

static const char *go_line(const char *id_name, struct match_limits limits, Color side)
{
    static char text[MATCH_GO_BYTES_MAX];
    struct match_clock clocks[COLOR_COUNT];
    match_clock_start(&clocks[BLACK], &limits);
    match_clock_start(&clocks[WHITE], &limits);
    match_profile_go(match_profile_find(id_name), clocks, side, text);
    return text;
}

START_TEST(plain_usi_engines_are_told_the_limits_in_usi_words)
{
    const char *name = "Murakumo 1";
    ck_assert_str_eq(go_line(name, (struct match_limits){.nodes = 5000}, BLACK), "go nodes 5000");
    ck_assert_str_eq(go_line(name, (struct match_limits){.depth_plies = 9}, BLACK), "go depth 9");
    ck_assert_str_eq(go_line(name, (struct match_limits){.movetime_ms = 300}, BLACK), "go movetime 300");
    ck_assert_str_eq(go_line(name, (struct match_limits){.byoyomi_ms = 1000}, WHITE),
                     "go btime 0 wtime 0 byoyomi 1000");
    ck_assert_str_eq(go_line(name, (struct match_limits){.time_ms = 60000, .inc_ms = 500}, WHITE),
                     "go btime 60000 wtime 60000 binc 500 winc 500");
    ck_assert_str_eq(go_line(name, (struct match_limits){.time_ms = 60000}, WHITE),
                     "go btime 60000 wtime 60000 byoyomi 0");
}
END_TEST

START_TEST(fairy_stockfish_uses_all_of_its_byoyomi_and_sees_the_increment_on_its_clock)
{
    const char *name = "Fairy-Stockfish 11.1 LB 64";
    ck_assert_str_eq(go_line(name, (struct match_limits){.byoyomi_ms = 1000}, WHITE), "go movetime 1000");
    ck_assert_str_eq(go_line(name, (struct match_limits){.time_ms = 3000, .byoyomi_ms = 1000}, WHITE),
                     "go btime 3000 wtime 3000 byoyomi 1000");
    ck_assert_str_eq(go_line(name, (struct match_limits){.time_ms = 60000, .inc_ms = 500}, WHITE),
                     "go btime 60500 wtime 60500 binc 500 winc 500");
}
END_TEST

START_TEST(gpsusi_is_told_nothing_but_main_time_and_byoyomi)
{
    const char *name = "gpsshogi (smp) vm r3033 wordsize 64 gcc 12.2.0";
    ck_assert_str_eq(go_line(name, (struct match_limits){.movetime_ms = 1000}, BLACK),
                     "go btime 0 wtime 0 byoyomi 1000");
    ck_assert_str_eq(go_line(name, (struct match_limits){.time_ms = 60000, .inc_ms = 500}, BLACK),
                     "go btime 60000 wtime 60000 byoyomi 500");
    char why[160];
    ck_assert_int_eq(match_profile_check(match_profile_find(name), &(struct match_limits){.nodes = 1}, why, sizeof why),
                     ST_RANGE);
    ck_assert_ptr_nonnull(strstr(why, "nodes"));
    ck_assert_int_eq(
        match_profile_check(match_profile_find(name), &(struct match_limits){.byoyomi_ms = 1}, why, sizeof why), ST_OK);
}
END_TEST

START_TEST(the_longest_go_line_fits)
{
    const struct match_limits most = {.time_ms = 86400000,
                                      .inc_ms = 86400000,
                                      .byoyomi_ms = 86400000,
                                      .movetime_ms = 86400000,
                                      .nodes = INT64_MAX,
                                      .depth_plies = 1000};
    ck_assert_uint_lt(strlen(go_line("x", most, BLACK)), MATCH_GO_BYTES_MAX);
    ck_assert_uint_lt(strlen(go_line("gpsshogi", most, BLACK)), MATCH_GO_BYTES_MAX);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("match_plan");
    tcase_add_test(tc, both_games_of_a_pair_have_the_same_opening_and_exchanged_colours);
    tcase_add_test(tc, every_opening_comes_once_before_any_comes_again);
    tcase_add_test(tc, the_seed_decides_the_order);
    tcase_add_test(tc, byoyomi_is_there_for_every_move_and_main_time_only_once);
    tcase_add_test(tc, an_increment_is_added_before_each_move_and_what_is_left_is_kept);
    tcase_add_test(tc, nodes_and_depth_alone_limit_no_time_and_movetime_is_never_saved_up);
    tcase_add_test(tc, plain_usi_engines_are_told_the_limits_in_usi_words);
    tcase_add_test(tc, fairy_stockfish_uses_all_of_its_byoyomi_and_sees_the_increment_on_its_clock);
    tcase_add_test(tc, gpsusi_is_told_nothing_but_main_time_and_byoyomi);
    tcase_add_test(tc, the_longest_go_line_fits);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("match_plan", add_cases)
