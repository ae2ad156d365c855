/* check_usi_faults.c - what may happen to processes: killed, stopped, never there, closed pipes. The GUI gets its move
 * all the same, and nothing is left behind. */
#include "tests/e2e/driver.h"
#include "tests/unit/check_main.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define START "startpos"

static bool is_gone(void *context) { return !is_running(*(pid_t *)context); }

static void await_gone(pid_t pid, const char *what) { await_that(is_gone, &pid, WAIT_MS, what); }

static void fast_clock(struct process *engine)
{
    say(engine, "setoption name MinimumThinkingTime value 200");
    say(engine, "setoption name NetworkDelay2 value 300");
}

/* ---- workers that go ------------------------------------------------------------------------------------------- */

START_TEST(a_worker_killed_in_mid_search_does_not_cost_the_move)
{
    struct process *engine = engine_ready(NULL);
    fast_clock(engine);
    pid_t before = 0;
    for (int i = 0; i < 3; i++) {
        pid_t worker = worker_of(engine, before);
        say(engine, "position startpos");
        size_t from = engine->out_used;
        say(engine, "go btime 0 wtime 0 byoyomi 1500");
        await_silence(engine, "bestmove", 100 + 50 * i);
        kill(worker, SIGKILL);
        int64_t start_ms = now_ms();
        await(engine, "bestmove", WAIT_MS);
        ck_assert_int_lt(now_ms() - start_ms, 1500 * SANITIZED_PATIENCE);
        check_search_output(engine, from, START);
        before = worker;
    }
    worker_of(engine, before); /* a fresh one has come */
    ck_assert_uint_eq(zombies_of(engine->pid), 0);
    play(engine, START, "go depth 4");
    engine_quit(engine);
}
END_TEST

START_TEST(a_stopped_worker_does_not_cost_the_move_and_its_late_answer_is_not_taken)
{
    struct process *engine = engine_ready(NULL);
    fast_clock(engine);
    pid_t worker = worker_of(engine, 0);
    say(engine, "position startpos");
    size_t from = engine->out_used;
    say(engine, "go btime 0 wtime 0 byoyomi 1500");
    await_silence(engine, "bestmove", 100);
    kill(worker, SIGSTOP);
    int64_t start_ms = now_ms();
    await(engine, "bestmove", WAIT_MS);
    ck_assert_int_lt(now_ms() - start_ms, 1500 * SANITIZED_PATIENCE);
    check_search_output(engine, from, START);
    /* The next position while the old answer lies in the stopped process. */
    static const char next[] = "sfen 8k/8P/7G1/9/9/9/9/9/4K4 w 2r2b3g4s4n4l17p 1";
    say(engine, "position %s", next);
    from = engine->out_used;
    say(engine, "go btime 0 wtime 0 byoyomi 1000");
    kill(worker, SIGCONT);
    await(engine, "bestmove", WAIT_MS);
    check_search_output(engine, from, next);
    engine_quit(engine);
}
END_TEST

START_TEST(a_worker_that_hangs_before_isready_does_not_hang_the_gui)
{
    struct process *engine = engine_start(NULL);
    say(engine, "usi");
    await(engine, "usiok", WAIT_MS);
    pid_t worker = worker_of(engine, 0);
    kill(worker, SIGSTOP);
    say(engine, "isready");
    await(engine, "readyok", WAIT_MS);
    ck_assert_ptr_nonnull(strstr(engine->out, "\n\n")); /* an empty line every few seconds keeps the GUI patient */
    play(engine, START, "go btime 0 wtime 0 byoyomi 1500");
    kill(worker, SIGCONT);
    engine_quit(engine);
    await_gone(worker, "the worker has gone");
}
END_TEST

START_TEST(without_any_worker_there_is_still_a_move)
{
    char endpoint[] = "tcp://127.0.0.1:*";
    struct process *engine = engine_start("--workers", "0", "--listen", endpoint, NULL);
    say(engine, "usi");
    await(engine, "usiok", WAIT_MS);
    say(engine, "isready");
    await(engine, "readyok", WAIT_MS);
    play(engine, START, "go btime 0 wtime 0 byoyomi 1000");
    play(engine, START, "go depth 3");
    say(engine, "position startpos");
    say(engine, "go infinite");
    await_silence(engine, "bestmove", 200);
    say(engine, "stop");
    await(engine, "bestmove", WAIT_MS);
    engine_quit(engine);
}
END_TEST

START_TEST(a_worker_program_that_is_missing_is_told_and_survived)
{
    char copy[PATH_BYTES], command[PATH_BYTES * 3];
    snprintf(copy, sizeof copy, "%s/murakumo", scratch());
    snprintf(command, sizeof command, "cp %s %s", program("murakumo"), copy);
    ck_assert_int_eq(system(command), 0);
    char *argv[] = {copy, NULL};
    struct process *engine = process_start(argv);
    say(engine, "usi");
    await(engine, "usiok", WAIT_MS);
    say(engine, "isready");
    await(engine, "readyok", WAIT_MS);
    play(engine, START, "go btime 0 wtime 0 byoyomi 1000");
    ck_assert(strstr(engine->out, "murakumo-worker") || strstr(engine->err, "murakumo-worker"));
    engine_quit(engine);
}
END_TEST

START_TEST(workers_killed_again_and_again_leave_no_zombies)
{
    struct process *engine = engine_ready("--workers", "2", NULL);
    for (int i = 0; i < 4; i++) {
        pid_t pids[PIDS_MAX];
        size_t count = children_of(engine->pid, pids);
        for (size_t k = 0; k < count; k++) kill(pids[k], SIGKILL);
        for (size_t k = 0; k < count; k++) await_gone(pids[k], "the killed worker has gone");
        play(engine, START, "go movetime 100");
    }
    worker_of(engine, 0);
    ck_assert_uint_eq(zombies_of(engine->pid), 0);
    engine_quit(engine);
}
END_TEST

START_TEST(every_go_is_answered_once_while_workers_are_killed_and_stopped_at_random)
{
    struct process *engine = engine_ready("--workers", "3", NULL);
    uint64_t dice = 20260102;
    fast_clock(engine);
    for (int i = 0; i < 30; i++) {
        static const int signals[] = {SIGKILL, SIGSTOP, SIGCONT, SIGTERM, SIGSTOP, SIGCONT};
        pid_t pids[PIDS_MAX];
        const char *position = i % 2 ? "startpos moves 7g7f" : START;
        say(engine, "position %s", position);
        size_t from = engine->out_used;
        say(engine, "go btime 0 wtime 0 byoyomi 500");
        for (int k = 0; k < 2; k++) {
            size_t count = children_of(engine->pid, pids);
            dice = dice * 6364136223846793005u + 1442695040888963407u;
            if (count) kill(pids[(dice >> 33) % count], signals[(dice >> 40) % 6]);
            await_silence(engine, "impossible", (int)((dice >> 45) % 60));
        }
        await(engine, "bestmove", WAIT_MS);
        check_search_output(engine, from, position);
    }
    pid_t pids[PIDS_MAX];
    size_t count = children_of(engine->pid, pids);
    engine_quit(engine); /* stopped workers too must go */
    for (size_t i = 0; i < count; i++) await_gone(pids[i], "the worker has gone");
}
END_TEST

/* ---- the end ---------------------------------------------------------------------------------------------------- */

static void quit_leaves_nothing(const char *go, int pause_ms)
{
    struct process *engine = engine_ready("--workers", "2", NULL);
    pid_t pids[PIDS_MAX];
    worker_of(engine, 0);
    size_t count = children_of(engine->pid, pids);
    if (go) {
        say(engine, "position startpos");
        say(engine, "%s", go);
        await_silence(engine, "impossible", pause_ms);
    }
    engine_quit(engine);
    for (size_t i = 0; i < count; i++) await_gone(pids[i], "the worker has gone");
}

START_TEST(quit_during_a_search_ends_everything_with_code_0)
{
    quit_leaves_nothing("go infinite", 200);
    quit_leaves_nothing("go infinite", 0);
    quit_leaves_nothing("go ponder", 50);
    quit_leaves_nothing("go mate infinite", 50);
}
END_TEST

START_TEST(quit_while_idle_or_at_once_ends_with_code_0)
{
    quit_leaves_nothing(NULL, 0);
    engine_quit(engine_start(NULL));
    struct process *engine = engine_start(NULL);
    say(engine, "usi\nisready\nquit");
    ck_assert_int_eq(await_end(engine, WAIT_MS), 0);
    process_drop(engine);
}
END_TEST

START_TEST(the_end_of_stdin_is_quit)
{
    struct process *engine = engine_start(NULL);
    close_input(engine);
    ck_assert_int_eq(await_end(engine, WAIT_MS), 0);
    process_drop(engine);

    engine = engine_ready(NULL);
    pid_t worker = worker_of(engine, 0);
    say(engine, "position startpos");
    say(engine, "go infinite");
    close_input(engine);
    ck_assert_int_eq(await_end(engine, WAIT_MS), 0);
    process_drop(engine);
    await_gone(worker, "the worker has gone");
}
END_TEST

START_TEST(a_gui_that_closes_its_end_is_noticed)
{
    struct process *engine = engine_ready(NULL);
    pid_t worker = worker_of(engine, 0);
    say(engine, "position startpos");
    say(engine, "go infinite");
    close(engine->from); /* stdout breaks, stdin stays open */
    engine->from = open("/dev/null", O_RDONLY | O_CLOEXEC);
    engine->from_eof = true;
    await_end(engine, WAIT_MS);
    process_drop(engine);
    await_gone(worker, "the worker has gone");
}
END_TEST

static struct process *engine_searching(pid_t *worker)
{
    struct process *engine = engine_ready(NULL);
    *worker = worker_of(engine, 0);
    say(engine, "position startpos");
    say(engine, "go infinite");
    await_silence(engine, "bestmove", 100);
    return engine;
}

START_TEST(sigterm_answers_and_ends)
{
    pid_t worker;
    struct process *engine = engine_searching(&worker);
    kill(engine->pid, SIGTERM);
    ck_assert_int_eq(await_end(engine, WAIT_MS), 0);
    ck_assert_uint_eq(count_lines(engine, "bestmove"), 1);
    process_drop(engine);
    await_gone(worker, "the worker has gone");
}
END_TEST

/* Both wait while it is stopped: the first one would end it in no time. */
START_TEST(a_second_signal_ends_it_at_once_and_with_1)
{
    pid_t worker;
    struct process *engine = engine_searching(&worker);
    kill(engine->pid, SIGSTOP);
    kill(engine->pid, SIGTERM);
    kill(engine->pid, SIGINT);
    kill(engine->pid, SIGCONT);
    ck_assert_int_eq(await_end(engine, WAIT_MS), 1);
    process_drop(engine);
    await_gone(worker, "the worker has gone");
}
END_TEST

START_TEST(a_killed_coordinator_takes_its_workers_with_it_and_the_next_one_tidies_up)
{
    char runtime[PATH_BYTES], listing[PATH_BYTES * 2];
    snprintf(runtime, sizeof runtime, "%s/run", scratch());
    mkdir(runtime, 0700);
    setenv("XDG_RUNTIME_DIR", runtime, 1);
    struct process *engine = engine_ready("--workers", "2", NULL);
    pid_t pids[PIDS_MAX];
    worker_of(engine, 0);
    size_t count = children_of(engine->pid, pids);
    say(engine, "go infinite");
    kill(engine->pid, SIGKILL);
    await_end(engine, WAIT_MS);
    process_drop(engine);
    for (size_t i = 0; i < count; i++) await_gone(pids[i], "the orphan has gone");
    engine_quit(engine_ready(NULL));
    snprintf(listing, sizeof listing, "test -z \"$(ls -A %s)\"", runtime);
    ck_assert_int_eq(system(listing), 0); /* sockets of both are gone */
}
END_TEST

START_TEST(a_gui_that_does_not_read_gets_its_bestmove_later)
{
    struct process *engine = engine_ready(NULL);
    /* Enough output to fill the pipe: `usi` prints the options each time. */
    for (int i = 0; i < 300; i++) say(engine, "usi");
    say(engine, "position startpos");
    say(engine, "go depth 4");
    await(engine, "bestmove", WAIT_MS);
    ck_assert_uint_eq(count_lines(engine, "bestmove"), 1);
    ck_assert_uint_eq(count_lines(engine, "usiok"), 301);
    engine_quit(engine);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tcase = tcase_create("faults");
    tcase_add_test(tcase, a_worker_killed_in_mid_search_does_not_cost_the_move);
    tcase_add_test(tcase, a_stopped_worker_does_not_cost_the_move_and_its_late_answer_is_not_taken);
    tcase_add_test(tcase, a_worker_that_hangs_before_isready_does_not_hang_the_gui);
    tcase_add_test(tcase, without_any_worker_there_is_still_a_move);
    tcase_add_test(tcase, a_worker_program_that_is_missing_is_told_and_survived);
    tcase_add_test(tcase, workers_killed_again_and_again_leave_no_zombies);
    tcase_add_test(tcase, every_go_is_answered_once_while_workers_are_killed_and_stopped_at_random);
    tcase_add_test(tcase, quit_during_a_search_ends_everything_with_code_0);
    tcase_add_test(tcase, quit_while_idle_or_at_once_ends_with_code_0);
    tcase_add_test(tcase, the_end_of_stdin_is_quit);
    tcase_add_test(tcase, a_gui_that_closes_its_end_is_noticed);
    tcase_add_test(tcase, sigterm_answers_and_ends);
    tcase_add_test(tcase, a_second_signal_ends_it_at_once_and_with_1);
    tcase_add_test(tcase, a_killed_coordinator_takes_its_workers_with_it_and_the_next_one_tidies_up);
    tcase_add_test(tcase, a_gui_that_does_not_read_gets_its_bestmove_later);
    suite_add_tcase(suite, tcase);
}

CHECK_MAIN("usi_faults", add_cases)
