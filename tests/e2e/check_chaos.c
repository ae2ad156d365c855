/* check_chaos.c - bad networks and bad luck, with real processes: delay, loss, half-open and one-way connections,
 * resets, workers killed and stopped in every move. Each case prints what it measured.
 *
 * CHAOS_GAMES=200 CK_DEFAULT_TIMEOUT=1200 CK_RUN_CASE=games build/e2e/check_chaos: as many games as that. */
#include "common/base/prng.h"
#include "tests/e2e/chaos.h"
#include "tests/e2e/driver.h"
#include "tests/unit/check_main.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define START "startpos"
static bool punctual;

static char endpoint[PATH_BYTES];

static struct process *coordinator_start(void)
{
    struct process *p = engine_start("--workers", "0", "--listen", "tcp://127.0.0.1:*", "--log", "info", NULL);
    const char *line = await_error(p, "listening endpoint=", WAIT_MS);
    snprintf(endpoint, sizeof endpoint, "%s", strstr(line, "endpoint=") + strlen("endpoint="));
    endpoint[strcspn(endpoint, " \n")] = 0;
    punctual = make_punctual(0) && make_punctual(p->pid);
    say(p, "usi");
    await(p, "usiok", WAIT_MS);
    say(p, "setoption name MinimumThinkingTime value 50");
    say(p, "setoption name NetworkDelay value 20");
    say(p, "setoption name NetworkDelay2 value 60");
    say(p, "setoption name RoundUpToFullSecond value false");
    return p;
}

static void make_ready(struct process *p)
{
    say(p, "isready");
    await(p, "readyok", WAIT_MS);
    say(p, "usinewgame");
}

static struct process *worker_through(const char *address, const char *name)
{
    struct process *worker = worker_start(address, "--name", name, NULL);
    await_error(worker, " joined ", WAIT_MS);
    return worker;
}

static void end_all(struct process *coordinator, struct process **workers, size_t count)
{
    engine_quit(coordinator);
    for (size_t i = 0; i < count; i++) {
        kill(workers[i]->pid, SIGCONT);
        process_drop(workers[i]);
    }
}

/* One move with byoyomi_ms; returns how long it took. */
static int move_take(struct process *p, const char *position, int byoyomi_ms)
{
    say(p, "position %s", position);
    size_t from = p->out_used;
    int64_t start_ms = now_ms();
    say(p, "go btime 0 wtime 0 byoyomi %d", byoyomi_ms);
    await(p, "bestmove", WAIT_MS);
    int took_ms = (int)(now_ms() - start_ms);
    check_search_output(p, from, position);
    ck_assert_int_le(took_ms, byoyomi_ms + late_ms(punctual));
    return took_ms;
}

/* ---- the network ---------------------------------------------------------------------------------------------------
 */

START_TEST(delay_jitter_and_loss_cost_neither_a_worker_nor_the_clock)
{
    enum { MOVES = 12, BYOYOMI_MS = 400 };
    struct chaos chaos;
    struct process *coordinator = coordinator_start(), *workers[2];
    chaos_start(&chaos, endpoint, 1);
    atomic_store(&chaos.knobs->delay_ms, 20);
    atomic_store(&chaos.knobs->jitter_ms, 10);
    workers[0] = worker_through(chaos.endpoint, "alpha");
    workers[1] = worker_through(chaos.endpoint, "beta");
    make_ready(coordinator);
    int longest_ms = 0, losses[] = {10, 50, 100};
    for (int i = 0; i < MOVES; i++) {
        atomic_store(&chaos.knobs->loss_permille, losses[i * 3 / MOVES]);
        int took_ms = move_take(coordinator, i % 2 ? START : "startpos moves 7g7f", BYOYOMI_MS);
        if (took_ms > longest_ms) longest_ms = took_ms;
    }
    ck_assert_ptr_null(strstr(coordinator->err, "worker_gone")); /* nobody was given up */
    printf("20 +- 10 ms, 1 to 10 %% loss: %d moves with byoyomi %d ms, longest %d ms, %u packets of %u lost, 0 workers "
           "lost\n",
           MOVES, BYOYOMI_MS, longest_ms, (unsigned)atomic_load(&chaos.knobs->stalls),
           (unsigned)atomic_load(&chaos.knobs->chunks));
    end_all(coordinator, workers, 2);
    chaos_end(&chaos);
}
END_TEST

/* By the silence, or because the transport has given the connection up. */
static bool has_noticed(void *context)
{
    struct process *worker = context;
    await_silence(worker, "impossible", 10); /* reads what it has said */
    return strstr(worker->err, "coordinator_silent") || strstr(worker->err, "connection_lost");
}

/* Blocks one or both directions in mid search, measures when the coordinator gives the worker up, opens again, and
 * measures when it is back at work. */
static void block_and_heal(bool up, bool down, const char *name)
{
    struct chaos chaos;
    struct process *coordinator = coordinator_start(), *workers[2];
    chaos_start(&chaos, endpoint, 2);
    workers[0] = worker_through(chaos.endpoint, "far");
    workers[1] = worker_through(endpoint, "near");
    make_ready(coordinator);
    say(coordinator, "position startpos");
    size_t from = coordinator->out_used;
    say(coordinator, "go infinite");
    await_silence(coordinator, "bestmove", 150);
    int64_t blocked_ms = now_ms();
    atomic_store(&chaos.knobs->block_up, up);
    atomic_store(&chaos.knobs->block_down, down);
    await_error(coordinator, "worker_gone name=\"far\"", WAIT_MS);
    int dead_ms = (int)(now_ms() - blocked_ms);
    await_that(has_noticed, workers[0], WAIT_MS, "the worker has noticed, too");
    atomic_store(&chaos.knobs->block_up, 0);
    atomic_store(&chaos.knobs->block_down, 0);
    int64_t healed_ms = now_ms();
    await_error(workers[0], " joined ", WAIT_MS);
    int back_ms = (int)(now_ms() - healed_ms);
    say(coordinator, "stop");
    await(coordinator, "bestmove", WAIT_MS);
    check_search_output(coordinator, from, START);
    move_take(coordinator, START, 400);
    printf("%s: given up after %d ms, back %d ms after it healed\n", name, dead_ms, back_ms);
    ck_assert_int_ge(dead_ms, 1500);
    ck_assert_int_le(dead_ms, 3000 * SANITIZED_PATIENCE);
    end_all(coordinator, workers, 2);
    chaos_end(&chaos);
}

START_TEST(a_half_open_connection_is_given_up_and_used_again) { block_and_heal(true, true, "half-open"); }
END_TEST
START_TEST(a_partition_of_the_way_up_is_given_up_and_used_again) { block_and_heal(true, false, "one way, up blocked"); }
END_TEST
START_TEST(a_partition_of_the_way_down_is_given_up_and_used_again)
{
    block_and_heal(false, true, "one way, down blocked");
}
END_TEST

START_TEST(connections_that_are_reset_again_and_again_come_back)
{
    enum { CUTS = 10 };
    struct chaos chaos;
    struct process *coordinator = coordinator_start(), *workers[1];
    chaos_start(&chaos, endpoint, 3);
    workers[0] = worker_through(chaos.endpoint, "alpha");
    make_ready(coordinator);
    int longest_ms = 0;
    for (int i = 0; i < CUTS; i++) {
        say(coordinator, "position startpos");
        size_t from = coordinator->out_used;
        say(coordinator, "go infinite");
        await_silence(coordinator, "bestmove", 20 * i);
        int64_t cut_ms = now_ms();
        atomic_fetch_add(&chaos.knobs->cuts, 1);
        await_error(workers[0], " joined ", WAIT_MS);
        if (now_ms() - cut_ms > longest_ms) longest_ms = (int)(now_ms() - cut_ms);
        say(coordinator, "stop");
        await(coordinator, "bestmove", WAIT_MS);
        check_search_output(coordinator, from, START);
    }
    printf("connection reset %d times in mid search: back after at most %d ms\n", CUTS, longest_ms);
    ck_assert_int_le(longest_ms, 5000 * SANITIZED_PATIENCE);
    end_all(coordinator, workers, 1);
    chaos_end(&chaos);
}
END_TEST

/* ---- processes -----------------------------------------------------------------------------------------------------
 */

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

START_TEST(a_killed_worker_is_noticed_at_once)
{
    enum { KILLS = 30 };
    struct process *coordinator = coordinator_start();
    int took_ms[KILLS];
    make_ready(coordinator);
    for (int i = 0; i < KILLS; i++) {
        struct process *worker = worker_through(endpoint, "victim");
        await_error(coordinator, "worker_joined", WAIT_MS);
        int64_t killed_ms = now_ms();
        kill(worker->pid, SIGKILL);
        await_error(coordinator, "worker_gone", WAIT_MS);
        took_ms[i] = (int)(now_ms() - killed_ms);
        process_drop(worker);
    }
    qsort(took_ms, KILLS, sizeof *took_ms, by_value);
    printf("worker killed: noticed after %d ms (median), %d ms (longest of %d)\n", took_ms[KILLS / 2],
           took_ms[KILLS - 1], KILLS);
    ck_assert_int_le(took_ms[KILLS / 2], 100 * SANITIZED_PATIENCE);
    engine_quit(coordinator);
}
END_TEST

START_TEST(a_stopped_worker_is_suspected_then_given_up_and_its_late_answers_are_not_taken)
{
    struct process *coordinator = coordinator_start();
    struct process *workers[2] = {worker_through(endpoint, "alpha"), worker_through(endpoint, "beta")};
    make_ready(coordinator);
    move_take(coordinator, START, 300);
    int64_t stopped_ms = now_ms();
    kill(workers[0]->pid, SIGSTOP);
    await_error(coordinator, "worker_suspect name=\"alpha\"", WAIT_MS);
    int suspect_ms = (int)(now_ms() - stopped_ms);
    await_error(coordinator, "worker_gone name=\"alpha\"", WAIT_MS);
    int dead_ms = (int)(now_ms() - stopped_ms);
    kill(workers[0]->pid, SIGCONT);
    await_error(workers[0], " joined ", WAIT_MS); /* the same process, a new session */
    move_take(coordinator, "startpos moves 2g2f", 300);
    printf("worker stopped: suspected after %d ms, given up after %d ms\n", suspect_ms, dead_ms);
    ck_assert_int_le(suspect_ms, 1500 * SANITIZED_PATIENCE);
    ck_assert_int_le(dead_ms, 3000 * SANITIZED_PATIENCE);
    end_all(coordinator, workers, 2);
}
END_TEST

START_TEST(many_workers_are_back_after_a_restart_of_the_coordinator)
{
    enum { MOST = 250 };
    static struct process *workers[MOST];
    const char *wanted = getenv("CHAOS_WORKERS");
    int count = wanted ? atoi(wanted) : 20;
    ck_assert_int_le(count, MOST);
    struct process *coordinator = coordinator_start();
    for (int i = 0; i < count; i++) {
        char *argv[] = {(char *)(uintptr_t)program("murakumo-worker"),
                        "--connect",
                        endpoint,
                        "--hash",
                        "1",
                        "--threads",
                        "1",
                        "--log",
                        "error",
                        NULL};
        workers[i] = process_start(argv);
    }
    for (int i = 0; i < count; i++) await_error(coordinator, "worker_joined", 4 * WAIT_MS);
    kill(coordinator->pid, SIGKILL);
    await_end(coordinator, WAIT_MS);
    process_drop(coordinator);
    int64_t start_ms = now_ms();
    coordinator = engine_start("--workers", "0", "--listen", endpoint, "--log", "info", NULL);
    for (int i = 0; i < count; i++) await_error(coordinator, "worker_joined", WAIT_MS);
    printf("coordinator killed and started again: %d workers back after %d ms\n", count, (int)(now_ms() - start_ms));
    say(coordinator, "usi");
    await(coordinator, "usiok", WAIT_MS);
    engine_quit(coordinator);
    for (int i = 0; i < count; i++) process_drop(workers[i]);
}
END_TEST

/* Two workers that the test itself keeps alive: local ones that die young are started ever more slowly. */
struct party {
    struct process *workers[2];
    bool stopped[2];
    unsigned faults, started;
};

static void party_care(struct party *party)
{
    for (int i = 0; i < 2; i++) {
        if (party->workers[i] && !has_ended(party->workers[i])) continue;
        if (party->workers[i]) process_drop(party->workers[i]);
        party->workers[i] = worker_start(endpoint, "--name", i ? "beta" : "alpha", NULL);
        party->stopped[i] = false;
        party->started++;
    }
}

static void party_hit(struct party *party, struct prng *dice)
{
    uint32_t i = prng_below(dice, 2);
    party->faults++;
    if (prng_chance(dice, 500)) {
        kill(party->workers[i]->pid, SIGKILL);
    } else {
        kill(party->workers[i]->pid, party->stopped[i] ? SIGCONT : SIGSTOP);
        party->stopped[i] = !party->stopped[i];
    }
}

/* A game against itself in which each move sees a worker killed, stopped or woken at a random moment. */
static unsigned game_play(struct process *engine, struct party *party, struct prng *dice, int *longest_ms)
{
    enum { PLIES_MAX = 60, BYOYOMI_MS = 80 };
    static char position[PLIES_MAX * 6 + 64];
    size_t used = (size_t)snprintf(position, sizeof position, "startpos moves 7g7f");
    unsigned moves = 0;
    say(engine, "usinewgame");
    for (int ply = 1; ply < PLIES_MAX; ply++) {
        party_care(party);
        say(engine, "position %s", position);
        size_t from = engine->out_used;
        int64_t start_ms = now_ms();
        say(engine, "go btime 0 wtime 0 byoyomi %d", BYOYOMI_MS);
        await_silence(engine, "impossible", (int)prng_below(dice, 40));
        party_hit(party, dice);
        const char *line = await(engine, "bestmove", WAIT_MS);
        int took_ms = (int)(now_ms() - start_ms);
        char move[8] = "";
        sscanf(line, "bestmove %7s", move);
        if (took_ms > *longest_ms) *longest_ms = took_ms;
        moves++;
        ck_assert_msg(took_ms <= BYOYOMI_MS + late_ms(punctual), "%d ms for a move with byoyomi %d", took_ms,
                      BYOYOMI_MS);
        check_search_output(engine, from, position);
        if (strcmp(move, "resign") == 0 || strcmp(move, "win") == 0) break;
        used += (size_t)snprintf(position + used, sizeof position - used, " %s", move);
    }
    return moves;
}

START_TEST(a_worker_killed_or_stopped_in_every_move_loses_no_game)
{
    const char *wanted = getenv("CHAOS_GAMES");
    unsigned games = wanted ? (unsigned)atoi(wanted) : 1, moves = 0;
    int longest_ms = 0;
    struct prng dice = prng_make(20261130);
    struct party party = {.faults = 0};
    struct process *engine = coordinator_start();
    say(engine, "setoption name MinimumThinkingTime value 20");
    say(engine, "setoption name NetworkDelay2 value 40");
    party_care(&party);
    make_ready(engine);
    for (unsigned i = 0; i < games; i++) {
        moves += game_play(engine, &party, &dice, &longest_ms);
        forget(engine);
    }
    printf(
        "a worker killed, stopped or woken in every move: %u games, %u moves with byoyomi 80 ms, %u faults, %u workers "
        "started, 0 games lost, longest answer %d ms%s\n",
        games, moves, party.faults, party.started, longest_ms,
        punctual ? "" : " (not punctual: no real-time priority)");
    end_all(engine, party.workers, 2);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *network = tcase_create("network");
    tcase_add_test(network, delay_jitter_and_loss_cost_neither_a_worker_nor_the_clock);
    tcase_add_test(network, a_half_open_connection_is_given_up_and_used_again);
    tcase_add_test(network, a_partition_of_the_way_up_is_given_up_and_used_again);
    tcase_add_test(network, a_partition_of_the_way_down_is_given_up_and_used_again);
    tcase_add_test(network, connections_that_are_reset_again_and_again_come_back);
    suite_add_tcase(suite, network);
    TCase *processes = tcase_create("processes");
    tcase_add_test(processes, a_killed_worker_is_noticed_at_once);
    tcase_add_test(processes, a_stopped_worker_is_suspected_then_given_up_and_its_late_answers_are_not_taken);
    suite_add_tcase(suite, processes);
    TCase *many = tcase_create("many");
    tcase_add_test(many, many_workers_are_back_after_a_restart_of_the_coordinator);
    suite_add_tcase(suite, many);
    TCase *games = tcase_create("games");
    tcase_add_test(games, a_worker_killed_or_stopped_in_every_move_loses_no_game);
    suite_add_tcase(suite, games);
}

CHECK_MAIN("chaos", add_cases)
