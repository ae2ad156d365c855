/* check_usi_go.c - one `go`, one `bestmove`: on every clock, with ponder, stop, infinite and mate. Real processes. */
#include "tests/e2e/driver.h"
#include "tests/unit/check_main.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define START "startpos"
/* Black mates with G*5b; nothing else is as good. */
#define MATE_IN_1 "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1"
/* White's king must take on 5b or go aside: few replies. */
#define ONE_REPLY "sfen 8k/8P/7G1/9/9/9/9/9/4K4 w 2r2b3g4s4n4l17p 1"
/* Shogi Zuko no. 8 (Ito Kanju, 1755; record CC0): tens of millions of positions, and next to impossible to shorten. */
#define HARD_MATE "sfen 4+bn1g1/5kpPl/2l1b1s2/3+l1N1GP/4G1+P1N/5L3/9/1+r7/R8 b GP3sn13p 1"
#define MATED     "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w 2r2b3g4s4n4l17p 1"

static struct process *engine;

static void setup(void) { engine = engine_ready(NULL); }
static void teardown(void) { engine_quit(engine); }

static void begin(const char *position, const char *go)
{
    say(engine, "position %s", position);
    say(engine, "%s", go);
}

static int64_t time_of(const char *position, const char *go)
{
    int64_t start_ms = now_ms();
    play(engine, position, go);
    return now_ms() - start_ms;
}

/* ---- clocks ---------------------------------------------------------------------------------------------------- */

START_TEST(every_clock_gets_one_legal_move)
{
    static const char *const clocks[] = {
        "go btime 0 wtime 0 byoyomi 1500",
        "go btime 60000 wtime 60000",
        "go btime 0 wtime 0",
        "go btime 1 wtime 1 byoyomi 0",
        "go btime 5000 wtime 5000 binc 200 winc 200",
        "go btime 0 wtime 0 binc 1000 winc 1000",
        "go btime 3000 wtime 100000 byoyomi 100",
        "go movetime 100",
        "go movetime 1",
        "go depth 1",
        "go depth 6",
        "go nodes 1",
        "go nodes 20000",
        "go nodes 1000 depth 3 movetime 2000",
        "go rtime 100 movetime 50",
        "go searchmoves 7g7f 2g2f depth 3",
        "go",
    };
    say(engine, "setoption name MinimumThinkingTime value 200");
    for (size_t i = 0; i + 1 < sizeof clocks / sizeof *clocks; i++) play(engine, START, clocks[i]);
    size_t answers = count_lines(engine, "bestmove");
    begin(START, clocks[sizeof clocks / sizeof *clocks - 1]); /* no limit at all: until stop, or for some time */
    say(engine, "stop");
    await(engine, "bestmove", WAIT_MS);
    await_silence(engine, "bestmove", 200);
    ck_assert_uint_eq(count_lines(engine, "bestmove"), answers + 1);
}
END_TEST

START_TEST(byoyomi_alone_is_used_but_never_overrun)
{
    int64_t used_ms = time_of(START, "go btime 0 wtime 0 byoyomi 3000");
    ck_assert_int_ge(used_ms, 800); /* 3000 - NetworkDelay2, with room for other plans */
    ck_assert_int_lt(used_ms, 3000 * SANITIZED_PATIENCE);
}
END_TEST

START_TEST(movetime_counts_milliseconds)
{
    int64_t used_ms = time_of(START, "go movetime 800");
    ck_assert_int_ge(used_ms, 300);
    ck_assert_int_lt(used_ms, 5000 * SANITIZED_PATIENCE);
}
END_TEST

START_TEST(btime_is_the_clock_of_black_whoever_moves)
{
    say(engine, "setoption name MinimumThinkingTime value 1");
    say(engine, "setoption name NetworkDelay2 value 50");
    say(engine, "setoption name NetworkDelay value 10");
    /* White to move with a minute: a swapped clock would answer within the millisecond Black has left. */
    int64_t rich_ms = time_of("startpos moves 7g7f", "go btime 1 wtime 60000");
    int64_t poor_ms = time_of("startpos moves 7g7f", "go btime 60000 wtime 1");
    ck_assert_int_gt(rich_ms, poor_ms);
    ck_assert_int_gt(rich_ms, 100);
}
END_TEST

START_TEST(a_node_limit_is_a_total_and_no_limit_per_worker)
{
    play(engine, START, "go nodes 3000");
    const char *last = NULL;
    for (const char *at = engine->out; (at = strstr(at, " nodes ")) != NULL; at++) last = at;
    ck_assert_ptr_nonnull(last);
    ck_assert_uint_le(strtoull(last + 7, NULL, 10), 6000);
}
END_TEST

/* ---- ponder ---------------------------------------------------------------------------------------------------- */

START_TEST(ponder_is_silent_until_stop_and_then_answers_once)
{
    begin(START, "go ponder btime 0 wtime 0 byoyomi 100");
    await_silence(engine, "bestmove", 600);
    say(engine, "stop");
    await(engine, "bestmove", WAIT_MS);
    await_silence(engine, "bestmove", 200);
    ck_assert_uint_eq(count_lines(engine, "bestmove"), 1);
}
END_TEST

START_TEST(ponder_that_reached_its_own_limit_still_waits)
{
    begin(START, "go ponder depth 1");
    await_silence(engine, "bestmove", 500);
    say(engine, "ponderhit");
    await(engine, "bestmove", WAIT_MS);
    begin(MATE_IN_1, "go ponder btime 1000 wtime 1000");
    await_silence(engine, "bestmove", 400);
    say(engine, "stop");
    ck_assert_str_eq(await(engine, "bestmove", WAIT_MS), "bestmove G*5b");
}
END_TEST

START_TEST(ponderhit_at_any_instant_is_answered)
{
    say(engine, "setoption name MinimumThinkingTime value 50");
    for (int i = 0; i < 20; i++) {
        say(engine, "position startpos moves 7g7f");
        size_t from = engine->out_used;
        say(engine, "go ponder btime 1000 wtime 1000 byoyomi 200\nponderhit");
        await(engine, "bestmove", WAIT_MS);
        check_search_output(engine, from, "startpos moves 7g7f");
    }
}
END_TEST

START_TEST(times_that_come_with_ponderhit_are_used)
{
    begin(START, "go ponder"); /* no times yet */
    await_silence(engine, "bestmove", 200);
    int64_t start_ms = now_ms();
    say(engine, "ponderhit btime 0 wtime 0 byoyomi 2500");
    await(engine, "bestmove", WAIT_MS);
    int64_t used_ms = now_ms() - start_ms;
    ck_assert_int_ge(used_ms, 300);
    ck_assert_int_lt(used_ms, 2500 * SANITIZED_PATIENCE);
}
END_TEST

START_TEST(ponderhit_without_any_times_is_answered_soon)
{
    begin(START, "go ponder");
    say(engine, "ponderhit");
    await(engine, "bestmove", WAIT_MS);
}
END_TEST

/* ---- stop and infinite ----------------------------------------------------------------------------------------- */

START_TEST(infinite_waits_for_stop_even_when_all_is_known)
{
    static const char *const positions[] = {MATE_IN_1, ONE_REPLY, START};
    for (size_t i = 0; i < 3; i++) {
        begin(positions[i], "go infinite");
        await_silence(engine, "bestmove", 500);
        say(engine, "stop");
        await(engine, "bestmove", WAIT_MS);
        await_silence(engine, "bestmove", 100);
        ck_assert_uint_eq(count_lines(engine, "bestmove"), i + 1);
    }
}
END_TEST

START_TEST(infinite_depth_waits_for_stop)
{
    begin(START, "go infinite depth 1");
    await_silence(engine, "bestmove", 400);
    say(engine, "stop");
    await(engine, "bestmove", WAIT_MS);
}
END_TEST

START_TEST(stop_in_the_same_breath_as_go_is_answered_once_each_time)
{
    int64_t worst_ms = 0;
    for (int i = 0; i < 60; i++) {
        static const char *const gos[] = {"go infinite", "go btime 60000 wtime 60000", "go ponder", "go depth 20"};
        say(engine, "position startpos");
        size_t from = engine->out_used;
        int64_t start_ms = now_ms();
        say(engine, "%s\nstop", gos[i % 4]); /* one write: no time to search anything */
        await(engine, "bestmove", WAIT_MS);
        if (now_ms() - start_ms > worst_ms) worst_ms = now_ms() - start_ms;
        check_search_output(engine, from, START);
    }
    ck_assert_int_lt(worst_ms, 5000 * SANITIZED_PATIENCE);
}
END_TEST

static int compare_times(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

START_TEST(stop_is_answered_without_delay)
{
    enum { ROUNDS = 100 };
    int64_t times_us[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        begin(START, "go infinite");
        await_silence(engine, "bestmove", 20);
        int64_t start_us = now_us();
        say(engine, "stop");
        await(engine, "bestmove", WAIT_MS);
        times_us[i] = now_us() - start_us;
    }
    qsort(times_us, ROUNDS, sizeof *times_us, compare_times);
    printf("stop -> bestmove: p50 %.2f ms, p99 %.2f ms, max %.2f ms\n", (double)times_us[ROUNDS / 2] / 1000,
           (double)times_us[ROUNDS * 99 / 100] / 1000, (double)times_us[ROUNDS - 1] / 1000);
    ck_assert_int_lt(times_us[ROUNDS / 2],
                     500000 * SANITIZED_PATIENCE); /* a busy machine; PROTOCOL promises two round trips and 5 ms */
}
END_TEST

START_TEST(a_stop_without_a_search_is_ignored)
{
    say(engine, "stop\nstop\nponderhit\ngameover win\nstop");
    await_silence(engine, "bestmove", 200);
    play(engine, START, "go depth 3");
    say(engine, "stop");
    await_silence(engine, "bestmove", 200);
}
END_TEST

START_TEST(gameover_ends_a_search_like_stop)
{
    begin(START, "go infinite");
    await_silence(engine, "bestmove", 100);
    say(engine, "gameover lose");
    await(engine, "bestmove", WAIT_MS);
    say(engine, "usinewgame");
    play(engine, START, "go depth 3");
}
END_TEST

START_TEST(the_answer_belongs_to_the_last_position)
{
    /* Old searches are stopped and new ones begun as fast as possible; every answer must be legal for its own position.
     */
    static const char *const positions[] = {"startpos", "startpos moves 7g7f", MATE_IN_1, ONE_REPLY,
                                            "startpos moves 7g7f 3c3d 8h2b+"};
    for (int i = 0; i < 60; i++) {
        const char *position = positions[i % 5];
        say(engine, "position %s", position);
        size_t from = engine->out_used;
        say(engine, "go infinite");
        if (i % 3) await_silence(engine, "bestmove", 3 * (i % 7));
        say(engine, "stop");
        await(engine, "bestmove", WAIT_MS);
        check_search_output(engine, from, position);
    }
}
END_TEST

START_TEST(a_go_during_a_search_gets_its_own_answer_and_no_more)
{
    begin(START, "go infinite");
    begin("startpos moves 7g7f", "go infinite");
    say(engine, "stop");
    await(engine, "bestmove", WAIT_MS);
    await(engine, "bestmove", WAIT_MS);
    await_silence(engine, "bestmove", 300);
    play(engine, START, "go depth 2");
    ck_assert_uint_eq(count_lines(engine, "bestmove"), 3);
}
END_TEST

/* ---- the ends of games ----------------------------------------------------------------------------------------- */

START_TEST(a_mated_side_resigns)
{
    begin(MATED, "go btime 10000 wtime 10000");
    ck_assert_str_eq(await(engine, "bestmove", WAIT_MS), "bestmove resign");
    begin(MATED, "go infinite");
    await_silence(engine, "bestmove", 200);
    say(engine, "stop");
    ck_assert_str_eq(await(engine, "bestmove", WAIT_MS), "bestmove resign");
}
END_TEST

START_TEST(a_mate_in_one_is_played_and_shown_with_a_number)
{
    ck_assert_str_eq(play(engine, MATE_IN_1, "go btime 10000 wtime 10000"), "G*5b");
    ck_assert_ptr_nonnull(strstr(engine->out, "score mate 1"));
}
END_TEST

/* The sides go to and fro; the next move can bring the position about for the fourth time. */
#define SHUFFLE "5i5h 5a5b 5h5i 5b5a "

START_TEST(a_lost_side_takes_the_draw_by_repetition)
{
    /* White has a bare king; 5b5a makes the fourth occurrence, a draw. The three cycles lie before the search. */
    const char *move = play(
        engine, "sfen 4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1 moves " SHUFFLE SHUFFLE "5i5h 5a5b 5h5i", "go depth 4");
    ck_assert_str_eq(move, "5b5a");
}
END_TEST

#define CHASE "4h5h 5a4a 5h4h 4a5a "

START_TEST(perpetual_check_is_a_loss_for_the_side_that_checks)
{
    /* Black checked on every move of three cycles: White takes the fourth occurrence and wins by it. */
    static const char position[] =
        "sfen 4k4/9/9/9/9/9/9/5R3/4K4 b R2B4G4S4N4L18P 1 moves " CHASE CHASE "4h5h 5a4a 5h4h";
    ck_assert_str_eq(play(engine, position, "go depth 4"), "4a5a");
    /* One move earlier Black had better do something else. */
    const char *move =
        play(engine, "sfen 4k4/9/9/9/9/9/9/5R3/4K4 b R2B4G4S4N4L18P 1 moves " CHASE CHASE "4h5h 5a4a", "go depth 4");
    ck_assert_str_ne(move, "5h4h");
}
END_TEST

/* ---- go mate --------------------------------------------------------------------------------------------------- */

START_TEST(mate_search_answers_with_the_line)
{
    begin(MATE_IN_1, "go mate 10000");
    ck_assert_str_eq(await(engine, "checkmate", WAIT_MS), "checkmate G*5b");
    begin(MATE_IN_1, "go mate infinite");
    ck_assert_str_eq(await(engine, "checkmate", WAIT_MS), "checkmate G*5b");
    ck_assert_uint_eq(count_lines(engine, "bestmove"), 0);
}
END_TEST

START_TEST(mate_search_of_a_problem_without_the_attackers_king)
{
    begin("sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", "go mate 10000");
    ck_assert_str_eq(await(engine, "checkmate", WAIT_MS), "checkmate G*5b");
    begin("sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", "go btime 1000 wtime 1000");
    await(engine, "bestmove", WAIT_MS); /* refused politely, but answered */
}
END_TEST

START_TEST(mate_search_says_when_there_is_none)
{
    begin("sfen 4k4/9/9/9/9/9/9/9/4K4 b P2r2b4g4s4n4l17p 1", "go mate 10000");
    ck_assert_str_eq(await(engine, "checkmate", WAIT_MS), "checkmate nomate");
}
END_TEST

START_TEST(mate_search_gives_up_in_time_and_on_stop)
{
    begin(START, "go mate 200"); /* no check at all: nomate at once, or timeout; never a line */
    const char *line = await(engine, "checkmate", WAIT_MS);
    ck_assert(strcmp(line, "checkmate nomate") == 0 || strcmp(line, "checkmate timeout") == 0);
    begin(HARD_MATE, "go mate infinite");
    await_silence(engine, "checkmate", 300); /* it takes far longer */
    say(engine, "stop");
    ck_assert_str_eq(await(engine, "checkmate", WAIT_MS), "checkmate timeout");
    await_silence(engine, "checkmate", 200);
    say(engine, "go mate 300");
    ck_assert_str_eq(await(engine, "checkmate", WAIT_MS), "checkmate timeout");
}
END_TEST

/* ---- go mate, stop and position in any order ------------------------------------------------------------------- */

static const struct {
    const char *position;
    const char *line; /* NULL: none is known in time */
    bool nomate;
} mate_cases[] = {
    {MATE_IN_1, "checkmate G*5b", false},
    {"sfen 4k4/9/9/9/9/9/9/9/4K4 b P2r2b4g4s4n4l17p 1", NULL, true},
    {HARD_MATE, NULL, false},
    {"sfen 8k/9/7+RP/9/9/9/9/9/9 b r2b4g4s4n4l17p 1", NULL, false},
};

/* Is this a thing to say about the case? A solved one may also have been stopped too early. */
static void check_mate_answer(size_t which, const char *answer, bool stopped)
{
    bool timeout = strcmp(answer, "checkmate timeout") == 0, nomate = strcmp(answer, "checkmate nomate") == 0;
    if (nomate) ck_assert_msg(mate_cases[which].nomate, "nomate for %s", mate_cases[which].position);
    if (mate_cases[which].line && !timeout) ck_assert_str_eq(answer, mate_cases[which].line);
    if (!stopped) ck_assert_msg(!timeout || which == 2, "timeout for %s", mate_cases[which].position);
}

START_TEST(mate_searches_that_are_stopped_and_started_anyhow_are_answered_once_each)
{
    const char *wanted = getenv("CHECK_INTERLEAVINGS"); /* more of them */
    unsigned rounds = wanted ? (unsigned)strtoul(wanted, NULL, 10) : 800, searches = 0;
    int64_t slowest_us = 0;
    srand(20261);
    for (unsigned i = 0; i < rounds; i++) {
        size_t which = (size_t)rand() % (sizeof mate_cases / sizeof *mate_cases);
        bool hard = which == 2, stopped = hard || rand() % 2;
        static const char *const forms[] = {"go mate infinite", "go mate", "go mate 60000"};
        begin(mate_cases[which].position, forms[rand() % 3]);
        searches++;
        if (rand() % 8 == 0) { /* another one at once: the first is answered before it starts */
            begin(mate_cases[which].position, forms[rand() % 3]);
            check_mate_answer(which, await(engine, "checkmate", WAIT_MS), true);
            searches++;
        }
        if (stopped) {
            if (rand() % 3 == 0) await_silence(engine, "nothing", rand() % 12);
            if (rand() % 4 == 0) say(engine, "position %s", START); /* must not touch the running search */
            int64_t start_us = now_us();
            say(engine, "stop");
            if (rand() % 4 == 0) say(engine, "stop");
            check_mate_answer(which, await(engine, "checkmate", WAIT_MS), true);
            if (now_us() - start_us > slowest_us) slowest_us = now_us() - start_us;
        } else {
            check_mate_answer(which, await(engine, "checkmate", WAIT_MS), false);
        }
    }
    say(engine, "isready");
    await(engine, "readyok", WAIT_MS);
    ck_assert_uint_eq(count_lines(engine, "checkmate"), searches);
    ck_assert_uint_eq(count_lines(engine, "bestmove"), 0);
    if (wanted) fprintf(stderr, "%u searches, slowest answer to stop %.1f ms\n", searches, (double)slowest_us / 1e3);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tcase = tcase_create("go");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, every_clock_gets_one_legal_move);
    tcase_add_test(tcase, byoyomi_alone_is_used_but_never_overrun);
    tcase_add_test(tcase, movetime_counts_milliseconds);
    tcase_add_test(tcase, btime_is_the_clock_of_black_whoever_moves);
    tcase_add_test(tcase, a_node_limit_is_a_total_and_no_limit_per_worker);
    tcase_add_test(tcase, ponder_is_silent_until_stop_and_then_answers_once);
    tcase_add_test(tcase, ponder_that_reached_its_own_limit_still_waits);
    tcase_add_test(tcase, ponderhit_at_any_instant_is_answered);
    tcase_add_test(tcase, times_that_come_with_ponderhit_are_used);
    tcase_add_test(tcase, ponderhit_without_any_times_is_answered_soon);
    tcase_add_test(tcase, infinite_waits_for_stop_even_when_all_is_known);
    tcase_add_test(tcase, infinite_depth_waits_for_stop);
    tcase_add_test(tcase, stop_in_the_same_breath_as_go_is_answered_once_each_time);
    tcase_add_test(tcase, stop_is_answered_without_delay);
    tcase_add_test(tcase, a_stop_without_a_search_is_ignored);
    tcase_add_test(tcase, gameover_ends_a_search_like_stop);
    tcase_add_test(tcase, the_answer_belongs_to_the_last_position);
    tcase_add_test(tcase, a_go_during_a_search_gets_its_own_answer_and_no_more);
    tcase_add_test(tcase, a_mated_side_resigns);
    tcase_add_test(tcase, a_mate_in_one_is_played_and_shown_with_a_number);
    tcase_add_test(tcase, a_lost_side_takes_the_draw_by_repetition);
    tcase_add_test(tcase, perpetual_check_is_a_loss_for_the_side_that_checks);
    tcase_add_test(tcase, mate_search_answers_with_the_line);
    tcase_add_test(tcase, mate_search_of_a_problem_without_the_attackers_king);
    tcase_add_test(tcase, mate_search_says_when_there_is_none);
    tcase_add_test(tcase, mate_search_gives_up_in_time_and_on_stop);
    tcase_add_test(tcase, mate_searches_that_are_stopped_and_started_anyhow_are_answered_once_each);
    suite_add_tcase(suite, tcase);
}

CHECK_MAIN("usi_go", add_cases)
