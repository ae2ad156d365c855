/* check_netns.c - two machines in a box: network namespaces with a line between them, keys on both sides. A cable
 * (veth) is pulled or loses everything in one direction; over a bad line (tunnel.h) packets are late, lost, doubled and
 * out of order. Needs root and `ip netns`; else it is skipped, and says so: check_chaos tests the same things through a
 * proxy.
 */
#include "tests/e2e/driver.h"
#include "tests/e2e/tunnel.h"
#include "tests/unit/check_main.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define START "startpos"

static char here[32], there[32]; /* namespaces of coordinator and worker */
static char keys[PATH_BYTES], key_of_alpha[PATH_BYTES + 32];

__attribute__((format(printf, 1, 2))) static bool run(const char *format, ...)
{
    char command[PATH_BYTES * 3];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    return system(command) == 0;
}

static void namespaces_remove(void)
{
    if (here[0]) run("ip netns del %s 2>/dev/null; ip netns del %s 2>/dev/null", here, there);
}

/* False: this machine does not let us; why is printed. */
static bool namespaces_make(void)
{
    if (geteuid() != 0) {
        printf("skipped: network namespaces need root\n");
        return false;
    }
    snprintf(here, sizeof here, "mk%d-a", (int)getpid());
    snprintf(there, sizeof there, "mk%d-b", (int)getpid());
    atexit(namespaces_remove);
    if (!run("ip netns add %s 2>/dev/null && ip netns add %s 2>/dev/null", here, there)) {
        printf("skipped: `ip netns` does not work here\n");
        return false;
    }
    snprintf(keys, sizeof keys, "%s/keys", scratch());
    snprintf(key_of_alpha, sizeof key_of_alpha, "%s/workers/alpha.key", keys);
    ck_assert(run("%s keygen --dir %s coordinator >/dev/null && %s keygen --dir %s worker alpha >/dev/null",
                  program("murakumo"), keys, program("murakumo"), keys));
    return true;
}

static void ends_up(void)
{
    ck_assert(run("ip -n %s addr add 10.77.0.1/24 dev mk0 && ip -n %s addr add 10.77.0.2/24 dev mk1", here, there));
    ck_assert(run("ip -n %s link set lo up; ip -n %s link set mk0 up && ip -n %s link set mk1 up", here, here, there));
}

/* False: skipped, as for namespaces_make. */
static bool cable_make(void)
{
    if (!namespaces_make()) return false;
    if (!run("ip -n %s link add mk0 type veth peer name mk1 netns %s 2>/dev/null", here, there)) {
        printf("skipped: veth does not work here\n");
        return false;
    }
    ends_up();
    return true;
}

static struct process *coordinator_start(void)
{
    char *argv[] = {"/bin/sh", "-c", NULL, NULL};
    char command[PATH_BYTES * 3];
    snprintf(command, sizeof command,
             "exec ip netns exec %s %s --workers 1 --threads 1 --hash 16 --log info --listen tcp://10.77.0.1:7654 "
             "--keys %s",
             here, program("murakumo"), keys);
    argv[2] = command;
    struct process *p = process_start(argv);
    await_error(p, "listening endpoint=", WAIT_MS);
    say(p, "usi");
    await(p, "usiok", WAIT_MS);
    say(p, "setoption name MinimumThinkingTime value 100");
    say(p, "setoption name NetworkDelay2 value 200");
    return p;
}

static struct process *worker_there(void)
{
    char *argv[] = {"/bin/sh", "-c", NULL, NULL};
    char command[PATH_BYTES * 3];
    snprintf(command, sizeof command,
             "exec ip netns exec %s %s --threads 1 --hash 16 --connect tcp://10.77.0.1:7654 --key %s", there,
             program("murakumo-worker"), key_of_alpha);
    argv[2] = command;
    struct process *p = process_start(argv);
    await_error(p, " joined ", WAIT_MS);
    return p;
}

/* In mid search: breaks the line, waits until the coordinator has noticed, mends it, waits for the worker. */
static void break_and_mend(struct process *coordinator, struct process *worker, const char *name, const char *breaks,
                           const char *mends)
{
    say(coordinator, "position startpos");
    size_t from = coordinator->out_used;
    say(coordinator, "go infinite");
    await_silence(coordinator, "bestmove", 150);
    (void)peek(worker, "impossible", 10);
    worker->err_read = worker->err_used; /* what was said before does not count */
    coordinator->err_read = coordinator->err_used;
    int64_t start_ms = now_ms();
    ck_assert_msg(run("%s", breaks), "%s", breaks);
    await_error(coordinator, "worker_gone name=\"alpha\"", WAIT_MS);
    int gone_ms = (int)(now_ms() - start_ms);
    say(coordinator, "stop");
    await(coordinator, "bestmove", WAIT_MS);
    check_search_output(coordinator, from, START);
    play(coordinator, START, "go btime 0 wtime 0 byoyomi 500"); /* with its own worker */
    ck_assert_msg(run("%s", mends), "%s", mends);
    start_ms = now_ms();
    await_error(worker, " joined ", WAIT_MS);
    printf("%s: given up after %d ms, back %d ms after it was mended\n", name, gone_ms, (int)(now_ms() - start_ms));
    ck_assert_int_le(gone_ms, 4000 * SANITIZED_PATIENCE);
    play(coordinator, START, "go movetime 300");
}

START_TEST(a_line_between_two_machines_breaks_and_is_mended)
{
    char breaks[PATH_BYTES], mends[PATH_BYTES];
    if (!cable_make()) return;
    struct process *coordinator = coordinator_start(), *worker = worker_there();
    say(coordinator, "isready");
    await(coordinator, "readyok", WAIT_MS);
    snprintf(breaks, sizeof breaks, "ip -n %s link set mk1 down", there);
    snprintf(mends, sizeof mends, "ip -n %s link set mk1 up", there);
    break_and_mend(coordinator, worker, "cable pulled", breaks, mends);
    snprintf(breaks, sizeof breaks, "ip -n %s route add blackhole 10.77.0.1/32", there);
    snprintf(mends, sizeof mends, "ip -n %s route del blackhole 10.77.0.1/32", there);
    break_and_mend(coordinator, worker, "one way, worker to coordinator lost", breaks, mends);
    snprintf(breaks, sizeof breaks, "ip -n %s route add blackhole 10.77.0.2/32", here);
    snprintf(mends, sizeof mends, "ip -n %s route del blackhole 10.77.0.2/32", here);
    break_and_mend(coordinator, worker, "one way, coordinator to worker lost", breaks, mends);
    engine_quit(coordinator);
    process_drop(worker);
    namespaces_remove();
}
END_TEST

START_TEST(packets_late_lost_doubled_and_out_of_order_cost_neither_a_worker_nor_the_clock)
{
    enum { MOVES = 12, BYOYOMI_MS = 500 };
    static const int loss_permille[] = {10, 50, 100};
    struct tunnel tunnel;
    if (!namespaces_make()) return;
    if (!tunnel_start(&tunnel, here, there, 1)) {
        printf("skipped: no TUN devices here\n");
        return;
    }
    ends_up();
    atomic_store(&tunnel.knobs->delay_ms, 20);
    atomic_store(&tunnel.knobs->jitter_ms, 10);
    atomic_store(&tunnel.knobs->double_permille, 10);
    struct process *coordinator = coordinator_start(), *worker = worker_there();
    bool punctual = make_punctual(0) && make_punctual(coordinator->pid);
    say(coordinator, "isready");
    await(coordinator, "readyok", WAIT_MS);
    int longest_ms = 0;
    for (int i = 0; i < MOVES; i++) {
        atomic_store(&tunnel.knobs->loss_permille, loss_permille[i * 3 / MOVES]);
        int64_t start_ms = now_ms();
        play(coordinator, i % 2 ? START : "startpos moves 7g7f", "go btime 0 wtime 0 byoyomi 500");
        int took_ms = (int)(now_ms() - start_ms);
        if (took_ms > longest_ms) longest_ms = took_ms;
        if (loss_permille[i * 3 / MOVES] <= 50) ck_assert_ptr_null(strstr(coordinator->err, "worker_gone"));
    }
    printf("20 +- 10 ms each way, 1 to 10 %% of all packets lost, 1 %% doubled: %d moves with byoyomi %d ms, longest "
           "%d ms; "
           "%u packets, %u lost, %u doubled\n",
           MOVES, BYOYOMI_MS, longest_ms, (unsigned)atomic_load(&tunnel.knobs->packets),
           (unsigned)atomic_load(&tunnel.knobs->lost), (unsigned)atomic_load(&tunnel.knobs->doubled));
    ck_assert_uint_gt(atomic_load(&tunnel.knobs->lost), 0);
    ck_assert_int_le(longest_ms, BYOYOMI_MS + late_ms(punctual));
    engine_quit(coordinator);
    process_drop(worker);
    tunnel_end(&tunnel);
    namespaces_remove();
}
END_TEST

START_TEST(an_address_that_others_can_reach_is_refused_without_keys)
{
    if (!cable_make()) return;
    char *argv[] = {"/bin/sh", "-c", NULL, NULL};
    char command[PATH_BYTES * 3];
    snprintf(command, sizeof command, "exec ip netns exec %s %s --workers 0 --listen tcp://10.77.0.1:7654", here,
             program("murakumo"));
    argv[2] = command;
    struct process *p = process_start(argv);
    ck_assert_int_eq(await_end(p, WAIT_MS), 2);
    ck_assert_ptr_nonnull(strstr(p->err, "murakumo keygen"));
    process_drop(p);
    /* A worker without a key, over there, gets nowhere; one whose key is struck off the list, neither. */
    struct process *coordinator = coordinator_start();
    char removed[PATH_BYTES + 32];
    snprintf(removed, sizeof removed, "%s/workers/alpha.pub", keys);
    unlink(removed);
    snprintf(command, sizeof command,
             "exec ip netns exec %s %s --threads 1 --hash 16 --connect tcp://10.77.0.1:7654 --key %s", there,
             program("murakumo-worker"), key_of_alpha);
    struct process *worker = process_start(argv);
    ck_assert_int_eq(await_end(worker, WAIT_MS), 3);
    printf("a key that was struck off the list: the worker ends with \"%.60s...\"\n", worker->err);
    process_drop(worker);
    engine_quit(coordinator);
    namespaces_remove();
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tcase = tcase_create("netns");
    tcase_add_test(tcase, a_line_between_two_machines_breaks_and_is_mended);
    tcase_add_test(tcase, packets_late_lost_doubled_and_out_of_order_cost_neither_a_worker_nor_the_clock);
    tcase_add_test(tcase, an_address_that_others_can_reach_is_refused_without_keys);
    suite_add_tcase(suite, tcase);
}

CHECK_MAIN("netns", add_cases)
