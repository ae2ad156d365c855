/* check_serve.c - the cluster as a daemon: front ends that are killed, a daemon that is killed, stopped, told to end.
 * The GUI gets its move all the same, and no worker is lost that need not be. */
#include "tests/e2e/driver.h"
#include "tests/unit/check_main.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define START "startpos"

/* A directory of our own, so that no other daemon of this user is found. */
static void runtime_make(void)
{
    char runtime[PATH_BYTES];
    snprintf(runtime, sizeof runtime, "%s/run", scratch());
    mkdir(runtime, 0700);
    setenv("MURAKUMO_RUNTIME_DIR", runtime, 1);
}

static struct process *daemon_start(void)
{
    struct process *daemon = command_start("serve", "--workers", "2", "--threads", "1", "--hash", "16", NULL);
    await_error(daemon, " serving", WAIT_MS);
    return daemon;
}

static bool punctual; /* the front end that was started last, and we */

static struct process *front_start(void)
{
    struct process *front = command_start("usi", "--attach", NULL);
    punctual = make_punctual(0) && make_punctual(front->pid);
    say(front, "usi");
    await(front, "usiok", WAIT_MS);
    say(front, "setoption name MinimumThinkingTime value 200");
    say(front, "setoption name NetworkDelay2 value 300");
    say(front, "isready");
    await(front, "readyok", WAIT_MS);
    return front;
}

static void front_kill(struct process *front)
{
    kill(front->pid, SIGKILL);
    await_end(front, WAIT_MS);
    process_drop(front);
}

static void daemon_end(struct process *daemon)
{
    kill(daemon->pid, SIGTERM);
    ck_assert_int_eq(await_end(daemon, WAIT_MS), 0);
    process_drop(daemon);
}

static bool is_gone(void *context) { return !is_running(*(pid_t *)context); }

/* ---- front ends come and go ------------------------------------------------------------------------------------- */

START_TEST(a_front_end_that_is_killed_again_and_again_costs_no_worker)
{
    runtime_make();
    struct process *daemon = daemon_start();
    pid_t before[PIDS_MAX], after[PIDS_MAX];
    struct process *front = front_start();
    size_t count = children_of(daemon->pid, before);
    ck_assert_uint_eq(count, 2);
    for (int i = 0; i < 5; i++) {
        play(front, i % 2 ? START : "startpos moves 7g7f", "go btime 0 wtime 0 byoyomi 600");
        say(front, "position startpos");
        say(front, "go infinite");
        await_silence(front, "bestmove", 50);
        front_kill(front);
        front = front_start(); /* the next one is let in at once, and finds its workers ready */
    }
    play(front, START, "go depth 5");
    engine_quit(front);
    ck_assert_uint_eq(children_of(daemon->pid, after), 2);
    ck_assert_int_eq(memcmp(before, after, 2 * sizeof *before), 0);
    ck_assert_ptr_null(strstr(daemon->err, "worker_gone"));
    daemon_end(daemon);
    for (size_t i = 0; i < count; i++) await_that(is_gone, &before[i], WAIT_MS, "the worker has gone");
}
END_TEST

START_TEST(only_one_front_end_at_a_time)
{
    runtime_make();
    struct process *daemon = daemon_start(), *front = front_start();
    struct process *second = command_start("usi", "--attach", NULL);
    ck_assert_int_eq(await_end(second, WAIT_MS), 3);
    ck_assert_ptr_nonnull(strstr(second->err, "attached already"));
    process_drop(second);
    play(front, START, "go depth 4"); /* the first one has not noticed */
    engine_quit(front);
    daemon_end(daemon);
}
END_TEST

START_TEST(without_a_daemon_it_says_what_to_do)
{
    runtime_make();
    struct process *front = command_start("usi", "--attach", NULL);
    ck_assert_int_eq(await_end(front, WAIT_MS), 3);
    ck_assert_ptr_nonnull(strstr(front->err, "murakumo serve"));
    process_drop(front);
    struct process *status = command_start("cluster", "status", NULL);
    ck_assert_int_eq(await_end(status, WAIT_MS), 3);
    process_drop(status);
}
END_TEST

/* ---- the daemon comes and goes ----------------------------------------------------------------------------------- */

START_TEST(a_daemon_killed_in_mid_search_is_replaced_by_the_next_one_and_the_move_is_on_time)
{
    runtime_make();
    struct process *daemon = daemon_start(), *front = front_start();
    int64_t back_ms_most = 0;
    for (int i = 0; i < 3; i++) {
        say(front, "position startpos moves 7g7f");
        int64_t start_ms = now_ms();
        say(front, "go btime 0 wtime 0 byoyomi 3000");
        await_silence(front, "bestmove", 100 + 200 * i);
        kill(daemon->pid, SIGKILL);
        await_end(daemon, WAIT_MS);
        process_drop(daemon);
        int64_t killed_ms = now_ms();
        daemon = daemon_start();
        await(front, "info string the cluster's coordinator is back", WAIT_MS);
        size_t from = front->out_read;       /* nodes count anew */
        await(front, "info depth", WAIT_MS); /* useful work: a worker's line */
        if (now_ms() - killed_ms > back_ms_most) back_ms_most = now_ms() - killed_ms;
        await(front, "bestmove", WAIT_MS);
        ck_assert_int_lt(now_ms() - start_ms, 3000 + late_ms(punctual));
        check_search_output(front, from, "startpos moves 7g7f");
        ck_assert_uint_eq(count_lines(front, "bestmove"), (unsigned)i + 1);
    }
    printf("coordinator killed in mid search, started again: first line of a worker after at most %d ms (3 times)\n",
           (int)back_ms_most);
    engine_quit(front);
    daemon_end(daemon);
}
END_TEST

START_TEST(a_daemon_that_stays_away_or_hangs_does_not_cost_the_game)
{
    runtime_make();
    struct process *daemon = daemon_start(), *front = front_start();
    /* It hangs: the front end answers when the clock is nearly over. */
    say(front, "position startpos");
    size_t from = front->out_used;
    kill(daemon->pid, SIGSTOP);
    int64_t start_ms = now_ms();
    say(front, "go btime 0 wtime 0 byoyomi 1000");
    await(front, "bestmove", WAIT_MS);
    ck_assert_int_lt(now_ms() - start_ms, 1000 + late_ms(punctual));
    printf("coordinator stopped: answer %d ms after go with byoyomi 1000\n", (int)(now_ms() - start_ms));
    check_search_output(front, from, START);
    say(front, "position startpos");
    say(front, "go infinite");
    say(front, "stop");
    start_ms = now_ms();
    await(front, "bestmove", WAIT_MS);
    ck_assert_int_lt(now_ms() - start_ms, 1000 * SANITIZED_PATIENCE);
    /* It wakes up, and its late answers are not taken for the new ones. */
    kill(daemon->pid, SIGCONT);
    play(front, "sfen 8k/8P/7G1/9/9/9/9/9/4K4 w 2r2b3g4s4n4l17p 1", "go btime 0 wtime 0 byoyomi 1000");
    play(front, START, "go depth 4");
    /* It goes for good. */
    kill(daemon->pid, SIGKILL);
    await_end(daemon, WAIT_MS);
    process_drop(daemon);
    play(front, START, "go btime 0 wtime 0 byoyomi 700");
    say(front, "isready");
    await(front, "readyok", WAIT_MS);
    engine_quit(front);
}
END_TEST

START_TEST(told_to_end_it_answers_first)
{
    runtime_make();
    struct process *daemon = daemon_start(), *front = front_start();
    pid_t pids[PIDS_MAX];
    size_t count = children_of(daemon->pid, pids);
    say(front, "position startpos");
    size_t from = front->out_used;
    say(front, "go infinite");
    await_silence(front, "bestmove", 200);
    daemon_end(daemon);
    await(front, "bestmove", WAIT_MS);
    check_search_output(front, from, START);
    for (size_t i = 0; i < count; i++) await_that(is_gone, &pids[i], WAIT_MS, "the worker has gone");
    close_input(front); /* the GUI has died */
    ck_assert_int_eq(await_end(front, WAIT_MS), 0);
    process_drop(front);
}
END_TEST

/* ---- the door -----------------------------------------------------------------------------------------------------
 */

static int door_connect(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char command[PATH_BYTES];
    snprintf(command, sizeof command, "ls -d $MURAKUMO_RUNTIME_DIR/murakumo-*/door");
    FILE *list = popen(command, "r");
    ck_assert_ptr_nonnull(list);
    ck_assert_ptr_nonnull(fgets(address.sun_path, sizeof address.sun_path, list));
    pclose(list);
    address.sun_path[strcspn(address.sun_path, "\n")] = 0;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(connect(fd, (const struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

START_TEST(clients_of_the_door_that_misbehave_disturb_nobody)
{
    static const char rude[] = "GET / HTTP/1.1\r\nmurakumo-door 9 attach\n", half[] = "murakumo-door 1";
    static char flood[1 << 20];
    runtime_make();
    struct process *daemon = daemon_start(), *front = front_start();
    memset(flood, 'x', sizeof flood);
    int fds[4];
    for (int i = 0; i < 4; i++) fds[i] = door_connect();
    ck_assert_int_gt(send(fds[0], rude, sizeof rude - 1, MSG_NOSIGNAL), 0);
    ck_assert_int_gt(send(fds[1], half, sizeof half - 1, MSG_NOSIGNAL), 0); /* and no more */
    (void)send(fds[2], flood, sizeof flood, MSG_NOSIGNAL | MSG_DONTWAIT);   /* a line without end */
    play(front, START, "go movetime 300");
    char answer[256];
    ssize_t n = recv(fds[0], answer, sizeof answer - 1, 0);
    ck_assert_int_gt(n, 0);
    answer[n] = 0;
    ck_assert_ptr_nonnull(strstr(answer, "refused "));
    play(front, START, "go movetime 300");
    n = recv(fds[1], answer, sizeof answer, 0); /* put out after three seconds */
    ck_assert_int_eq(n, 0);
    for (int i = 0; i < 4; i++) close(fds[i]);
    struct process *status = command_start("cluster", "status", "--json", NULL);
    ck_assert_int_eq(await_end(status, WAIT_MS), 0);
    ck_assert_ptr_nonnull(strstr(status->out, "\"kind\":\"serve\""));
    ck_assert_ptr_nonnull(strstr(status->out, "\"name\":\"local-1\""));
    process_drop(status);
    engine_quit(front);
    daemon_end(daemon);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tcase = tcase_create("serve");
    tcase_add_test(tcase, a_front_end_that_is_killed_again_and_again_costs_no_worker);
    tcase_add_test(tcase, only_one_front_end_at_a_time);
    tcase_add_test(tcase, without_a_daemon_it_says_what_to_do);
    tcase_add_test(tcase, a_daemon_killed_in_mid_search_is_replaced_by_the_next_one_and_the_move_is_on_time);
    tcase_add_test(tcase, a_daemon_that_stays_away_or_hangs_does_not_cost_the_game);
    tcase_add_test(tcase, told_to_end_it_answers_first);
    tcase_add_test(tcase, clients_of_the_door_that_misbehave_disturb_nobody);
    suite_add_tcase(suite, tcase);
}

CHECK_MAIN("serve", add_cases)
