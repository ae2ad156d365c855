/* check_attach.c - the thin front end: one answer to each question, whoever of the daemon and the stand-in lives. */
#include "coordinator/core/attach.h"
#include "tests/unit/check_main.h"

#include <stdio.h>
#include <string.h>

static struct attach attach; /* large */

static void set_up(void)
{
    attach_init(&attach);
    attach_connected(&attach, 0);
    attach_clear(&attach);
}

static void tear_down(void) { attach_free(&attach); }

static void gui(const char *line, int64_t now_ms) { attach_gui_line(&attach, line, strlen(line), false, now_ms); }
static void daemon_says(const char *line) { attach_daemon_line(&attach, line, strlen(line)); }
static void standin_says(const char *line) { attach_standin_line(&attach, line, strlen(line)); }

/* All that was emitted since the last call, as one text: "d:go infinite\n". */
static const char *emitted(void)
{
    static char text[8192];
    static const char targets[] = {'g', 'd', 's', 'q'};
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < attach.effect_count; i++) {
        struct attach_effect e = attach.effects[i];
        used += (size_t)snprintf(text + used, sizeof text - used, "%c:%.*s\n", targets[e.target], (int)e.length,
                                 attach.text.data + e.at);
    }
    attach_clear(&attach);
    return text;
}

START_TEST(while_the_daemon_is_there_lines_pass_both_ways)
{
    gui("usi", 0);
    ck_assert_str_eq(emitted(), "d:usi\n");
    daemon_says("id name Murakumo");
    daemon_says("usiok");
    ck_assert_str_eq(emitted(), "g:id name Murakumo\ng:usiok\n");
    gui("setoption name NetworkDelay2 value 200", 0);
    ck_assert_str_eq(emitted(), "d:setoption name NetworkDelay2 value 200\ns:setoption name NetworkDelay2 value 200\n");
    gui("position startpos moves 7g7f", 0);
    emitted();
    gui("go btime 0 wtime 0 byoyomi 1000", 0);
    ck_assert_str_eq(emitted(), "d:go btime 0 wtime 0 byoyomi 1000\n");
    daemon_says("info depth 1 pv 3c3d");
    daemon_says("bestmove 3c3d");
    ck_assert_str_eq(emitted(), "g:info depth 1 pv 3c3d\ng:bestmove 3c3d\n");
    gui("quit", 0);
    ck_assert_str_eq(emitted(), "q:\n");
}
END_TEST

START_TEST(when_the_daemon_dies_in_mid_search_the_stand_in_has_what_is_left_of_the_clock)
{
    gui("position startpos", 0);
    gui("go btime 500 wtime 9000 byoyomi 1000", 1000);
    emitted();
    attach_lost(&attach, 1700);
    const char *text = emitted();
    ck_assert_ptr_nonnull(strstr(text, "g:info string"));
    ck_assert_ptr_nonnull(strstr(text, "s:go btime 0 wtime 9000 byoyomi 800\n"));
    standin_says("info depth 1 pv 7g7f");
    standin_says("bestmove 7g7f");
    ck_assert_str_eq(emitted(), "g:info depth 1 pv 7g7f\ng:bestmove 7g7f\n");
    standin_says("bestmove 7g7f");
    ck_assert_str_eq(emitted(), ""); /* never twice */
}
END_TEST

START_TEST(a_daemon_that_comes_back_gets_options_position_and_the_open_search)
{
    gui("setoption name MultiPV value 2", 0);
    gui("setoption name MultiPV value 3", 0);
    gui("position startpos moves 7g7f", 0);
    gui("isready", 0);
    gui("go btime 60000 wtime 60000 byoyomi 1000", 1000);
    emitted();
    attach_lost(&attach, 2000);
    emitted();
    attach_connected(&attach, 3000);
    ck_assert_str_eq(emitted(), "d:setoption name MultiPV value 3\n"
                                "d:isready\n"
                                "d:position startpos moves 7g7f\n"
                                "g:info string the cluster's coordinator is back\n"
                                "s:stop\n"
                                "d:go btime 60000 wtime 58000 byoyomi 1000\n");
    standin_says("bestmove 8c8d"); /* the answer to stop */
    ck_assert_str_eq(emitted(), "");
    daemon_says("readyok");
    standin_says("readyok");
    daemon_says("bestmove 3c3d");
    ck_assert_str_eq(emitted(), "g:readyok\ng:bestmove 3c3d\n");
    ck_assert_uint_eq(attach.counters.handovers, 1);
}
END_TEST

START_TEST(with_little_time_left_the_stand_in_finishes)
{
    gui("position startpos", 0);
    gui("go btime 0 wtime 0 byoyomi 1000", 1000);
    attach_lost(&attach, 1500);
    emitted();
    attach_connected(&attach, 1700);
    ck_assert_ptr_null(strstr(emitted(), ":go"));
    standin_says("bestmove 7g7f");
    ck_assert_str_eq(emitted(), "g:bestmove 7g7f\n");
}
END_TEST

START_TEST(a_daemon_that_hangs_does_not_cost_the_game)
{
    gui("setoption name NetworkDelay2 value 200", 0);
    gui("position startpos", 0);
    gui("go btime 0 wtime 0 byoyomi 1000", 1000);
    emitted();
    int64_t due_ms = attach_deadline_ms(&attach);
    ck_assert_int_gt(due_ms, 1790); /* 1000 ms less NetworkDelay2: until then it may think */
    ck_assert_int_lt(due_ms, 2000);
    attach_tick(&attach, due_ms - 1);
    ck_assert_str_eq(emitted(), "");
    attach_tick(&attach, due_ms);
    ck_assert_ptr_nonnull(strstr(emitted(), "s:go movetime 1\nd:stop\n"));
    standin_says("bestmove 2g2f");
    ck_assert_str_eq(emitted(), "g:bestmove 2g2f\n");
    /* The next search is sent to it all the same; its late answer to the first one is not taken for the second. */
    gui("position startpos moves 2g2f 8c8d", 3000);
    gui("go btime 0 wtime 0 byoyomi 1000", 3000);
    emitted();
    daemon_says("info depth 9 pv 7g7f");
    daemon_says("bestmove 7g7f");
    ck_assert_str_eq(emitted(), "");
    daemon_says("bestmove 2f2e");
    ck_assert_str_eq(emitted(), "g:bestmove 2f2e\n");
    ck_assert_uint_eq(attach.counters.late_answers, 1);
}
END_TEST

START_TEST(stop_is_answered_even_by_a_daemon_that_hangs)
{
    gui("position startpos", 0);
    gui("go infinite", 0);
    ck_assert_int_eq(attach_deadline_ms(&attach), INT64_MAX);
    gui("stop", 5000);
    ck_assert_int_le(attach_deadline_ms(&attach), 5200);
    emitted();
    attach_tick(&attach, 5200);
    ck_assert_ptr_nonnull(strstr(emitted(), "s:go movetime 1\n"));
}
END_TEST

START_TEST(a_ponder_search_survives_a_restart_on_either_side_of_the_hit)
{
    gui("position startpos moves 7g7f 3c3d", 0);
    gui("go ponder btime 9000 wtime 9000 byoyomi 0", 0);
    attach_lost(&attach, 4000);
    emitted();
    attach_connected(&attach, 5000);
    ck_assert_ptr_nonnull(strstr(emitted(), "d:go ponder btime 9000 wtime 9000 byoyomi 0\n")); /* its clock stands */
    ck_assert_int_eq(attach_deadline_ms(&attach), INT64_MAX);
    gui("ponderhit", 6000);
    ck_assert_str_eq(emitted(), "d:ponderhit\n");
    attach_lost(&attach, 7000);
    emitted();
    attach_connected(&attach, 7500);
    ck_assert_ptr_nonnull(strstr(emitted(), "d:go btime 7500 wtime 9000 byoyomi 0\n"));
}
END_TEST

START_TEST(times_beyond_all_measure_do_no_harm)
{
    gui("position startpos", 0);
    gui("go mate 99999999999999999999999", 1000);
    ck_assert_int_gt(attach_deadline_ms(&attach), 1000);
    gui("go btime 9223372036854775807 wtime 1 byoyomi 9223372036854775807", 1000);
    ck_assert_int_gt(attach_deadline_ms(&attach), 1000);
    gui("go movetime 9223372036854775807", 1000);
    ck_assert_int_gt(attach_deadline_ms(&attach), 1000);
    attach_lost(&attach, 5000);
    attach_connected(&attach, 6000);
}
END_TEST

START_TEST(a_mate_search_ends_with_timeout_when_nobody_answers)
{
    gui("position startpos", 0);
    gui("go mate 1000", 0);
    emitted();
    attach_tick(&attach, attach_deadline_ms(&attach));
    ck_assert_ptr_nonnull(strstr(emitted(), "g:checkmate timeout\n"));
    daemon_says("checkmate nomate");
    ck_assert_str_eq(emitted(), "");
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tcase = tcase_create("attach");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, while_the_daemon_is_there_lines_pass_both_ways);
    tcase_add_test(tcase, when_the_daemon_dies_in_mid_search_the_stand_in_has_what_is_left_of_the_clock);
    tcase_add_test(tcase, a_daemon_that_comes_back_gets_options_position_and_the_open_search);
    tcase_add_test(tcase, with_little_time_left_the_stand_in_finishes);
    tcase_add_test(tcase, a_daemon_that_hangs_does_not_cost_the_game);
    tcase_add_test(tcase, stop_is_answered_even_by_a_daemon_that_hangs);
    tcase_add_test(tcase, a_ponder_search_survives_a_restart_on_either_side_of_the_hit);
    tcase_add_test(tcase, times_beyond_all_measure_do_no_harm);
    tcase_add_test(tcase, a_mate_search_ends_with_timeout_when_nobody_answers);
    suite_add_tcase(suite, tcase);
}

CHECK_MAIN("attach", add_cases)
