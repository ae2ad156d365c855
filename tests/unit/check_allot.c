/* The table is worked out by hand from the clocks; the right column says what a player would accept. */
#include "common/base/prng.h"
#include "coordinator/core/allot.h"
#include "tests/unit/check_main.h"

static const struct allot_options yaneuraou = {.network_delay_ms = 120,
                                               .network_delay2_ms = 1120,
                                               .minimum_ms = 2000,
                                               .slow_mover_percent = 100,
                                               .round_up = true};
static const struct allot_options local = {
    .network_delay_ms = 10, .network_delay2_ms = 20, .minimum_ms = 1, .slow_mover_percent = 100};

static int64_t target_of(const struct allot *plan, int64_t instability_permille, int64_t fall_cp)
{
    return allot_target(plan, &(struct allot_signs){.instability_permille = instability_permille, .fall_cp = fall_cp});
}

struct row {
    const char *what;
    const struct allot_options *options;
    int64_t time_ms, byoyomi_ms, inc_ms, ply;
    int64_t target_least, target_most; /* of allot_target() at the start: no instability, no fall */
    int64_t hard_most;
};

static const struct row rows[] = {
    /* byoyomi */
    {"byoyomi 10 s and nothing else: nearly all of it", &yaneuraou, 0, 10000, -1, 1, 8000, 8880, 8880},
    {"byoyomi 1 s at a worst delay of 1120 ms: half of it", &yaneuraou, 0, 1000, -1, 1, 500, 500, 500},
    {"byoyomi 2 s at a worst delay of 1120 ms", &yaneuraou, 0, 2000, -1, 1, 700, 880, 880},
    {"byoyomi 100 ms with small delays", &local, 0, 100, -1, 1, 50, 80, 80},
    {"byoyomi 100 ms with default delays is still answered in it", &yaneuraou, 0, 100, -1, 1, 10, 50, 50},
    {"byoyomi 30 s with half an hour left: the main time is used, too", &yaneuraou, 1800000, 30000, -1, 1, 30000, 90000,
     1830000},
    {"byoyomi 30 s, main time nearly gone: the full byoyomi", &yaneuraou, 5000, 30000, -1, 80, 33800, 33900, 33900},
    {"byoyomi 3 s, main time 300 s", &yaneuraou, 300000, 3000, -1, 30, 4000, 12000, 303000},
    {"nothing left", &yaneuraou, 0, 0, -1, 1, 1, 10, 10},
    {"1 ms left", &local, 1, -1, -1, 1, 1, 1, 1},
    /* Fischer: floodgate 300 s + 10 s */
    {"Fischer 300+10 at the start", &yaneuraou, 300000, -1, 10000, 1, 9000, 20000, 150000},
    {"Fischer with the main time gone: about the increment", &yaneuraou, 0, -1, 10000, 100, 5000, 8880, 8880},
    {"Fischer 3 s left, 10 s increment: the increment cannot be counted twice", &yaneuraou, 3000, -1, 10000, 100, 5000,
     8880, 8880},
    /* sudden death: YaneuraOu#312 and its fix that used almost no time */
    {"10 s for the whole game", &yaneuraou, 10000, -1, -1, 1, 80, 700, 5000},
    {"10 minutes for the whole game", &yaneuraou, 600000, -1, -1, 1, 5000, 20000, 180000},
    {"1 s left of sudden death", &local, 1000, -1, -1, 60, 10, 50, 300},
    {"10 minutes, small delays", &local, 600000, -1, -1, 1, 5000, 20000, 180000},
};

START_TEST(a_clock_gives_a_time_that_a_player_would_accept)
{
    const struct row *row = &rows[_i];
    struct allot_clock clock = {.time_ms = row->time_ms,
                                .byoyomi_ms = row->byoyomi_ms,
                                .inc_ms = row->inc_ms,
                                .movetime_ms = -1,
                                .game_ply = row->ply};
    struct allot plan = allot_plan(&clock, row->options);
    int64_t target = target_of(&plan, 0, 0);
    ck_assert_msg(target >= row->target_least && target <= row->target_most, "%s: %lld ms", row->what,
                  (long long)target);
    ck_assert_msg(plan.hard_ms <= row->hard_most, "%s: at most %lld ms", row->what, (long long)plan.hard_ms);
    ck_assert_msg(plan.least_ms > 0 && plan.least_ms <= plan.soft_ms && plan.soft_ms <= plan.hard_ms,
                  "%s: %lld %lld %lld", row->what, (long long)plan.least_ms, (long long)plan.soft_ms,
                  (long long)plan.hard_ms);
}
END_TEST

/* However the numbers lie: never more than the clock holds, never 0. */
START_TEST(no_clock_is_overrun)
{
    static const int64_t times[] = {0, 1, 10, 99, 500, 1000, 5000, 60000, 3600000},
                         delays[] = {0, 20, 120, 1120, 10000};
    for (size_t t = 0; t < 9; t++)
        for (size_t b = 0; b < 9; b++)
            for (size_t i = 0; i < 9; i++)
                for (size_t d = 0; d < 5; d++)
                    for (int round = 0; round < 2; round++)
                        for (int64_t unstable = 0; unstable <= 3000; unstable += 1500) {
                            struct allot_options options = {.network_delay_ms = delays[d] / 9,
                                                            .network_delay2_ms = delays[d],
                                                            .minimum_ms = 2000,
                                                            .slow_mover_percent = 300,
                                                            .round_up = round != 0,
                                                            .ponder = true};
                            struct allot_clock clock = {.time_ms = times[t],
                                                        .byoyomi_ms = times[b],
                                                        .inc_ms = times[i],
                                                        .movetime_ms = -1,
                                                        .game_ply = 40};
                            struct allot plan = allot_plan(&clock, &options);
                            int64_t target = target_of(&plan, unstable, unstable / 10);
                            int64_t cap = (times[t] > times[i] ? times[t] : times[i]) + times[b];
                            ck_assert_int_gt(target, 0);
                            ck_assert_int_le(target, plan.hard_ms);
                            ck_assert_int_le(plan.hard_ms, cap > 0 ? cap : 1);
                            if (cap >= delays[d] + 500) ck_assert_int_le(plan.hard_ms, cap - delays[d]);
                        }
}
END_TEST

START_TEST(movetime_is_taken_at_its_word)
{
    struct allot_clock clock = {.time_ms = 5, .byoyomi_ms = -1, .inc_ms = -1, .movetime_ms = 500, .game_ply = 1};
    struct allot plan = allot_plan(&clock, &yaneuraou);
    ck_assert_int_eq(target_of(&plan, 2000, 300), 500);
    clock.movetime_ms = 0;
    plan = allot_plan(&clock, &yaneuraou);
    ck_assert_int_eq(target_of(&plan, 0, 0), 1);
}
END_TEST

START_TEST(a_changing_move_and_a_falling_score_get_more_time)
{
    struct allot_clock clock = {.time_ms = 600000, .byoyomi_ms = -1, .inc_ms = -1, .movetime_ms = -1, .game_ply = 30};
    struct allot plan = allot_plan(&clock, &local);
    int64_t calm = target_of(&plan, 0, 0), changed = target_of(&plan, 1000, 0), falling = target_of(&plan, 0, 150),
            both = target_of(&plan, 1000, 150);
    ck_assert_int_gt(changed, calm);
    ck_assert_int_gt(falling, calm);
    ck_assert_int_gt(both, changed);
    ck_assert_int_gt(both, falling);
    ck_assert_int_lt(both, 4 * calm);
    ck_assert_int_eq(target_of(&plan, 0, -500), calm); /* a rising score is no reason to hurry */
}
END_TEST

START_TEST(a_move_that_took_all_the_effort_is_played_sooner)
{
    struct allot_clock clock = {.time_ms = 600000, .byoyomi_ms = -1, .inc_ms = -1, .movetime_ms = -1, .game_ply = 30};
    struct allot plan = allot_plan(&clock, &local);
    int64_t unknown = target_of(&plan, 0, 0), last = INT64_MAX;
    for (int64_t effort = 100; effort <= 1000; effort += 100) {
        int64_t target = allot_target(&plan, &(struct allot_signs){.effort_permille = effort});
        ck_assert_int_le(target, last);
        ck_assert_int_ge(target, plan.least_ms);
        ck_assert_int_le(target, plan.hard_ms);
        if (effort == 100) ck_assert_int_gt(target, unknown);
        if (effort == 900) ck_assert_int_lt(target, unknown);
        last = target;
    }
    plan = allot_plan(&(struct allot_clock){.time_ms = 0, .byoyomi_ms = 1000, .inc_ms = -1, .movetime_ms = -1}, &local);
    ck_assert_int_eq(allot_target(&plan, &(struct allot_signs){.effort_permille = 1000}), plan.hard_ms); /* byoyomi */
}
END_TEST

START_TEST(time_is_rounded_up_to_what_is_charged_anyway)
{
    struct allot_clock clock = {.time_ms = 300000, .byoyomi_ms = -1, .inc_ms = 10000, .movetime_ms = -1, .game_ply = 1};
    struct allot plan = allot_plan(&clock, &yaneuraou);
    ck_assert_int_eq((target_of(&plan, 0, 0) + 120) % 1000, 0);
    clock = (struct allot_clock){.time_ms = 10000, .byoyomi_ms = -1, .inc_ms = -1, .movetime_ms = -1, .game_ply = 1};
    plan = allot_plan(&clock, &yaneuraou);
    ck_assert_int_lt(target_of(&plan, 0, 0), 700); /* 10 s for the whole game: a second is a tenth of it */
}
END_TEST

START_TEST(sixty_moves_of_sudden_death_fit_into_the_clock)
{
    static const int64_t totals[] = {10000, 60000, 600000, 3600000};
    for (size_t n = 0; n < 4; n++) {
        int64_t left = totals[n];
        for (int64_t ply = 1; ply < 160; ply += 2) {
            struct allot_clock clock = {
                .time_ms = left, .byoyomi_ms = -1, .inc_ms = -1, .movetime_ms = -1, .game_ply = ply};
            struct allot plan = allot_plan(&clock, &local);
            left -= target_of(&plan, 500, 0);
        }
        ck_assert_int_gt(left, 0);
        ck_assert_int_lt(left, totals[n] / 2); /* and are not played in no time */
    }
}
END_TEST

/* Whole games at the controls of the servers, with any signs of the search and lags as NetworkDelay and NetworkDelay2
 * announce them. */
START_TEST(no_game_is_lost_on_time)
{
    static const struct {
        const char *what;
        int64_t main_ms, byoyomi_ms, inc_ms;
    } controls[] = {{"1 s byoyomi", 0, 1000, -1},
                    {"10 s byoyomi", 0, 10000, -1},
                    {"5 min + 10 s", 300000, -1, 10000},
                    {"15 min + 5 s", 900000, -1, 5000},
                    {"10 min + 10 s byoyomi", 600000, 10000, -1}};
    struct allot_options careful = yaneuraou, options[2];
    careful.network_delay2_ms = 400; /* less than the shortest byoyomi */
    options[0] = careful;
    options[1] = local;
    for (size_t n = 0; n < sizeof controls / sizeof controls[0]; n++)
        for (uint64_t game = 0; game < 200; game++) {
            const struct allot_options *o = &options[game % 2];
            struct prng prng = prng_make(game * 100 + n);
            int64_t left = controls[n].main_ms, spent = 0;
            for (int64_t ply = 1; ply <= 320; ply += 2) {
                if (controls[n].inc_ms > 0) left += controls[n].inc_ms; /* as a server that adds it before the move */
                struct allot_clock clock = {.time_ms = left,
                                            .byoyomi_ms = controls[n].byoyomi_ms,
                                            .inc_ms = controls[n].inc_ms,
                                            .movetime_ms = -1,
                                            .game_ply = ply};
                struct allot plan = allot_plan(&clock, o);
                struct allot_signs signs;
                signs.instability_permille = prng_range(&prng, 0, 2500);
                signs.fall_cp = prng_range(&prng, -100, 400);
                signs.effort_permille = prng_range(&prng, 0, 1000);
                bool slow = prng_chance(&prng, 50);
                int64_t lag = prng_range(&prng, 0, slow ? o->network_delay2_ms : 2 * o->network_delay_ms);
                int64_t used = allot_target(&plan, &signs) + lag;
                spent += used;
                left -= used;
                int64_t byoyomi = controls[n].byoyomi_ms > 0 ? controls[n].byoyomi_ms : 0;
                ck_assert_msg(left + byoyomi >= 0, "%s, game %d, ply %d: %d ms too late", controls[n].what, (int)game,
                              (int)ply, (int)-(left + byoyomi));
                if (left < 0) left = 0;
            }
            ck_assert_int_gt(spent, controls[n].main_ms / 2);
        }
}
END_TEST

START_TEST(slow_mover_and_the_move_limit_change_the_share)
{
    struct allot_options options = local;
    struct allot_clock clock = {.time_ms = 600000, .byoyomi_ms = -1, .inc_ms = -1, .movetime_ms = -1, .game_ply = 1};
    int64_t normal = allot_plan(&clock, &options).soft_ms;
    options.slow_mover_percent = 50;
    ck_assert_int_eq(allot_plan(&clock, &options).soft_ms, normal / 2);
    options = local;
    options.ponder = true;
    ck_assert_int_gt(allot_plan(&clock, &options).soft_ms, normal);
    options = local;
    options.max_moves_to_draw = 320;
    clock.game_ply = 311; /* five own moves left */
    ck_assert_int_gt(allot_plan(&clock, &options).soft_ms, 80000);
}
END_TEST

START_TEST(a_go_without_any_number_is_answered_soon)
{
    struct allot_clock clock = {.time_ms = -1, .byoyomi_ms = -1, .inc_ms = -1, .movetime_ms = -1, .game_ply = 1};
    struct allot plan = allot_plan(&clock, &yaneuraou);
    ck_assert_int_eq(target_of(&plan, 0, 0), 2000);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("allot");
    tcase_add_loop_test(tc, a_clock_gives_a_time_that_a_player_would_accept, 0, (int)(sizeof rows / sizeof rows[0]));
    tcase_add_test(tc, no_clock_is_overrun);
    tcase_add_test(tc, movetime_is_taken_at_its_word);
    tcase_add_test(tc, a_changing_move_and_a_falling_score_get_more_time);
    tcase_add_test(tc, a_move_that_took_all_the_effort_is_played_sooner);
    tcase_add_test(tc, time_is_rounded_up_to_what_is_charged_anyway);
    tcase_add_test(tc, sixty_moves_of_sudden_death_fit_into_the_clock);
    tcase_add_test(tc, no_game_is_lost_on_time);
    tcase_add_test(tc, slow_mover_and_the_move_limit_change_the_share);
    tcase_add_test(tc, a_go_without_any_number_is_answered_soon);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("allot", add_cases)
