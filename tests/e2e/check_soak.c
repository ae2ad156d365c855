/* check_soak.c - games and farm jobs for minutes or hours while everything goes wrong at random, from a seed: the
 * daemon, its front end and its workers are killed and stopped, the network between them delays, loses, cuts and
 * blocks, and a farm that scans a game beside them is killed and started again. Every move comes in time, every job
 * comes out as it does undisturbed, memory and descriptors stay flat, and when the faults end everybody is back.
 *
 * tests/bench/soak.sh --minutes 60 --seed 7: SOAK_SECONDS, SOAK_SEED. Without them a few seconds, as a test of itself.
 */
#include "common/base/prng.h"
#include "tests/e2e/chaos.h"
#include "tests/e2e/driver.h"
#include "tests/unit/check_main.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    WORKERS = 3,
    PLIES_MAX = 80,
    BYOYOMI_MS = 250,
    FLAT_MEMORY_KB = (24 << 10) * SANITIZED_MEMORY,
    FLAT_DESCRIPTORS = 24, /* sessions come and go meanwhile */
    WARM_MS = 8000,
    DAEMON_LIFE_MS = 40000
};

enum fault { KILL_WORKER, STOP_WORKER, KILL_FRONT, KILL_DAEMON, STOP_DAEMON, KILL_FARM, CUT, BLOCK, SLOW, FAULTS };
static const char *const fault_names[FAULTS] = {"worker killed",     "worker stopped",  "front end killed",
                                                "daemon killed",     "daemon stopped",  "farm killed",
                                                "connections reset", "network blocked", "network slow and lossy"};

struct soak {
    struct prng dice;
    struct process *daemon, *front, *workers[WORKERS], *farm;
    char *job_expected; /* what a job of the farm prints when nobody disturbs it */
    struct chaos chaos;
    char endpoint[PATH_BYTES];
    bool punctual;
    int64_t worker_wakes_ms[WORKERS], daemon_wakes_ms, network_heals_ms; /* 0: nothing to do */
    int64_t daemon_since_ms, next_fault_ms, sampled_ms;
    uint64_t memory_first_kb, descriptors_first;
    uint64_t memory_growth_kb, descriptors_growth; /* most over all daemons */
    enum fault last_fault;
    unsigned faults[FAULTS], games, moves, late, jobs;
    int longest_ms;
};

/* ---- processes -----------------------------------------------------------------------------------------------------
 */

static void daemon_launch(struct soak *s)
{
    s->daemon =
        command_start("serve", "--workers", "1", "--threads", "1", "--hash", "16", "--listen", s->endpoint, NULL);
    s->daemon_since_ms = now_ms();
    s->daemon_wakes_ms = 0;
    s->memory_first_kb = s->descriptors_first = 0;
    s->punctual = make_punctual(s->daemon->pid) && s->punctual;
}

/* The first one tells its port; later ones take the same again. */
static void daemon_start(struct soak *s)
{
    daemon_launch(s);
    const char *line = await_error(s->daemon, "listening endpoint=", WAIT_MS);
    snprintf(s->endpoint, sizeof s->endpoint, "%s", strstr(line, "endpoint=") + strlen("endpoint="));
    s->endpoint[strcspn(s->endpoint, " \n")] = 0;
    await_error(s->daemon, " serving", WAIT_MS);
}

static void front_start(struct soak *s)
{
    if (s->daemon_wakes_ms) kill(s->daemon->pid, SIGCONT); /* nobody else wakes it while we wait */
    s->daemon_wakes_ms = 0;
    s->front = command_start("usi", "--attach", NULL);
    s->punctual = make_punctual(s->front->pid) && s->punctual;
    say(s->front, "usi");
    await(s->front, "usiok", WAIT_MS);
    say(s->front, "setoption name MinimumThinkingTime value 50");
    say(s->front, "setoption name NetworkDelay value 20");
    say(s->front, "setoption name NetworkDelay2 value 80");
    say(s->front, "setoption name RoundUpToFullSecond value false");
    say(s->front, "isready");
    await(s->front, "readyok", WAIT_MS);
}

static void worker_care(struct soak *s, int i)
{
    if (s->workers[i] && has_ended(s->workers[i])) {
        process_drop(s->workers[i]);
        s->workers[i] = NULL;
    }
    static const char *const names[WORKERS] = {"alpha", "beta", "gamma"};
    if (!s->workers[i]) {
        s->workers[i] = worker_start(s->chaos.endpoint, "--name", names[i], NULL);
        s->worker_wakes_ms[i] = 0;
    }
    if (s->worker_wakes_ms[i] && now_ms() >= s->worker_wakes_ms[i]) {
        kill(s->workers[i]->pid, SIGCONT);
        s->worker_wakes_ms[i] = 0;
    }
}

/* One store a job: it outlives every kill. */
static const char *job_store(const struct soak *s)
{
    static char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/job-%u.db", scratch(), s->jobs);
    return path;
}

static struct process *job_start(const struct soak *s)
{
    return command_start("scan", "--store", job_store(s), "--workers", "1", "--hash", "16", "--nodes", "20000",
                         "--json", "tests/data/games/demo.csa", NULL);
}

/* A job that has ended is compared and followed by the next one, one that was killed goes on. */
static void farm_care(struct soak *s)
{
    (void)peek(s->farm, "impossible", 0);
    if (!has_ended(s->farm)) return;
    int code = await_end(s->farm, WAIT_MS);
    ck_assert_msg(code == 0 || code == -SIGKILL, "the farm ended with %d: %s", code, s->farm->err);
    if (code == 0) {
        ck_assert_str_eq(s->farm->out, s->job_expected);
        unlink(job_store(s));
        s->jobs++;
    }
    process_drop(s->farm);
    s->farm = job_start(s);
}

static void farm_start(struct soak *s)
{
    struct process *undisturbed = job_start(s);
    ck_assert_int_eq(await_end(undisturbed, WAIT_MS), 0);
    s->job_expected = strdup(undisturbed->out);
    ck_assert_ptr_nonnull(s->job_expected);
    process_drop(undisturbed);
    unlink(job_store(s));
    s->farm = job_start(s);
}

/* ---- faults --------------------------------------------------------------------------------------------------------
 */

static void network_heal(struct soak *s)
{
    struct chaos_knobs *knobs = s->chaos.knobs;
    atomic_store(&knobs->block_up, 0);
    atomic_store(&knobs->block_down, 0);
    atomic_store(&knobs->delay_ms, 0);
    atomic_store(&knobs->jitter_ms, 0);
    atomic_store(&knobs->loss_permille, 0);
    s->network_heals_ms = 0;
}

static void fault_happen(struct soak *s)
{
    enum fault fault = (enum fault)prng_below(&s->dice, FAULTS);
    int length_ms = (int)prng_range(&s->dice, 50, 4000);
    uint32_t victim = prng_below(&s->dice, WORKERS);
    if (fault == KILL_DAEMON && now_ms() - s->daemon_since_ms < DAEMON_LIFE_MS) fault = KILL_WORKER;
    s->faults[fault]++;
    s->last_fault = fault;
    switch (fault) {
    case KILL_WORKER:
        kill(s->workers[victim]->pid, SIGKILL);
        break;
    case STOP_WORKER:
        kill(s->workers[victim]->pid, SIGSTOP);
        s->worker_wakes_ms[victim] = now_ms() + length_ms;
        break;
    case KILL_FRONT:
        kill(s->front->pid, SIGKILL);
        break;
    case KILL_DAEMON:
        kill(s->daemon->pid, SIGKILL);
        break;
    case STOP_DAEMON:
        kill(s->daemon->pid, SIGSTOP);
        s->daemon_wakes_ms = now_ms() + length_ms / 2;
        break;
    case KILL_FARM:
        kill(s->farm->pid, SIGKILL);
        break;
    case CUT:
        atomic_fetch_add(&s->chaos.knobs->cuts, 1);
        break;
    case BLOCK:
        atomic_store(&s->chaos.knobs->block_up, (int)prng_below(&s->dice, 2));
        atomic_store(&s->chaos.knobs->block_down, (int)prng_below(&s->dice, 2));
        s->network_heals_ms = now_ms() + length_ms;
        break;
    case SLOW:
        atomic_store(&s->chaos.knobs->delay_ms, (int)prng_range(&s->dice, 1, 40));
        atomic_store(&s->chaos.knobs->jitter_ms, (int)prng_range(&s->dice, 0, 20));
        atomic_store(&s->chaos.knobs->loss_permille, (int)prng_range(&s->dice, 0, 100));
        s->network_heals_ms = now_ms() + length_ms;
        break;
    case FAULTS:
        break;
    }
}

static uint64_t descriptors_of(pid_t pid)
{
    char path[64];
    uint64_t count = 0;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    DIR *dir = opendir(path);
    while (dir && readdir(dir)) count++;
    if (dir) closedir(dir);
    return count;
}

static uint64_t memory_kb_of(pid_t pid)
{
    char path[64];
    unsigned long total = 0, resident = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    FILE *file = fopen(path, "re");
    if (file && fscanf(file, "%lu %lu", &total, &resident) != 2) resident = 0;
    if (file) fclose(file);
    return resident * (uint64_t)sysconf(_SC_PAGESIZE) / 1024;
}

/* Memory and descriptors of the daemon against what they were when it had warmed up. */
static void sample(struct soak *s)
{
    if (now_ms() - s->sampled_ms < 500 || now_ms() - s->daemon_since_ms < WARM_MS) return;
    s->sampled_ms = now_ms();
    uint64_t memory_kb = memory_kb_of(s->daemon->pid), descriptors = descriptors_of(s->daemon->pid);
    if (!s->memory_first_kb) {
        s->memory_first_kb = memory_kb;
        s->descriptors_first = descriptors;
    }
    if (memory_kb > s->memory_first_kb && memory_kb - s->memory_first_kb > s->memory_growth_kb)
        s->memory_growth_kb = memory_kb - s->memory_first_kb;
    if (descriptors > s->descriptors_first && descriptors - s->descriptors_first > s->descriptors_growth)
        s->descriptors_growth = descriptors - s->descriptors_first;
}

/* Whoever has died is started again, whoever was stopped is woken in time; new faults when they are due. */
static void care(struct soak *s, bool faults)
{
    for (int i = 0; i < WORKERS; i++) worker_care(s, i);
    farm_care(s);
    if (s->daemon_wakes_ms && now_ms() >= s->daemon_wakes_ms) {
        kill(s->daemon->pid, SIGCONT);
        s->daemon_wakes_ms = 0;
    }
    if (s->network_heals_ms && now_ms() >= s->network_heals_ms) network_heal(s);
    if (has_ended(s->daemon)) {
        process_drop(s->daemon);
        daemon_launch(s); /* nobody waits for it: a move may be due */
    }
    (void)peek(s->daemon, "impossible", 0);
    for (int i = 0; i < WORKERS; i++) (void)peek(s->workers[i], "impossible", 0);
    if (faults && now_ms() >= s->next_fault_ms) {
        fault_happen(s);
        s->next_fault_ms = now_ms() + prng_range(&s->dice, 20, 1200);
    }
    sample(s);
}

/* ---- games ---------------------------------------------------------------------------------------------------------
 */

/* False: the front end was killed before it could answer. */
static bool answer_await(struct soak *s, bool faults, char move[8])
{
    for (int64_t end_ms = now_ms() + WAIT_MS;;) {
        care(s, faults);
        if (has_ended(s->front)) return false;
        ck_assert_msg(now_ms() < end_ms, "no answer in 30 s; it said: %.2000s", s->front->out);
        const char *line = peek(s->front, "bestmove ", 5);
        if (line) return sscanf(line, "bestmove %7s", move) == 1;
    }
}

static void game_play(struct soak *s, int64_t end_ms)
{
    static char position[PLIES_MAX * 6 + 64];
    size_t used =
        (size_t)snprintf(position, sizeof position, "startpos moves %s", prng_chance(&s->dice, 500) ? "7g7f" : "2g2f");
    if (has_ended(s->front)) {
        process_drop(s->front);
        front_start(s);
    }
    say(s->front, "usinewgame");
    for (int ply = 1; ply < PLIES_MAX && now_ms() < end_ms; ply++) {
        char move[8] = "";
        say(s->front, "position %s", position);
        size_t from = s->front->out_used;
        int64_t start_ms = now_ms();
        say(s->front, "go btime 0 wtime 0 byoyomi %d", BYOYOMI_MS);
        if (!answer_await(s, true, move)) { /* the GUI starts its engine again and goes on with the game */
            process_drop(s->front);
            care(s, false);
            front_start(s);
            continue;
        }
        int took_ms = (int)(now_ms() - start_ms);
        s->moves++;
        if (took_ms > s->longest_ms) s->longest_ms = took_ms;
        s->late += took_ms > BYOYOMI_MS + LATE_MS;
        ck_assert_msg(took_ms <= BYOYOMI_MS + late_ms(s->punctual),
                      "%d ms for a move with byoyomi %d; last fault: %s; it said:\n%.2000s", took_ms, BYOYOMI_MS,
                      fault_names[s->last_fault], s->front->out + from);
        if (strcmp(move, "resign") == 0 || strcmp(move, "win") == 0) break;
        ck_assert_msg(is_legal(position, move), "%s is illegal after %s", move, position);
        used += (size_t)snprintf(position + used, sizeof position - used, " %s", move);
    }
    s->games++;
    forget(s->front);
    if (s->daemon->err_used > 1 << 20) forget(s->daemon);
    for (int i = 0; i < WORKERS; i++)
        if (s->workers[i]->err_used > 1 << 20) forget(s->workers[i]);
}

static bool a_job_is_done(void *context)
{
    struct soak *s = context;
    care(s, false);
    return s->jobs > 0;
}

static bool everybody_is_back(void *context)
{
    struct soak *s = context;
    care(s, false);
    struct process *status = command_start("cluster", "status", "--json", NULL);
    bool good = await_end(status, WAIT_MS) == 0;
    unsigned idle = 0;
    for (const char *at = status->out; (at = strstr(at, "\"state\":\"idle\"")) != NULL; at++) idle++;
    process_drop(status);
    return good && idle == WORKERS + 1;
}

START_TEST(games_go_on_while_everything_goes_wrong)
{
    const char *seconds = getenv("SOAK_SECONDS"), *seed = getenv("SOAK_SEED");
    int length_s = seconds ? atoi(seconds) : 8;
    uint64_t number = seed ? strtoull(seed, NULL, 10) : 1;
    char runtime[PATH_BYTES];
    static struct soak soak;
    struct soak *s = &soak;
    snprintf(runtime, sizeof runtime, "%s/run", scratch());
    mkdir(runtime, 0700);
    setenv("MURAKUMO_RUNTIME_DIR", runtime, 1);
    *s = (struct soak){.dice = prng_make(number), .punctual = make_punctual(0)};
    snprintf(s->endpoint, sizeof s->endpoint, "tcp://127.0.0.1:*");
    daemon_start(s); /* later ones take the same port again */
    chaos_start(&s->chaos, s->endpoint, number);
    farm_start(s);
    care(s, false);
    front_start(s);
    int64_t end_ms = now_ms() + 1000 * (int64_t)length_s;
    s->next_fault_ms = now_ms() + 500;
    while (now_ms() < end_ms) game_play(s, end_ms);

    network_heal(s);
    for (int i = 0; i < WORKERS; i++)
        if (s->worker_wakes_ms[i]) s->worker_wakes_ms[i] = now_ms();
    if (s->daemon_wakes_ms) s->daemon_wakes_ms = now_ms();
    int64_t healed_ms = now_ms();
    await_that(everybody_is_back, s, WAIT_MS, "everybody is back after the faults");
    int back_ms = (int)(now_ms() - healed_ms);
    await_that(a_job_is_done, s, WAIT_MS, "a job of the farm is done");
    printf(
        "soak: %d s, seed %llu: %u games, %u moves with byoyomi %d ms, 0 lost, longest answer %d ms (%u over the clock "
        "by more than %d ms%s), %u farm jobs, 0 different;",
        length_s, (unsigned long long)number, s->games, s->moves, BYOYOMI_MS, s->longest_ms, s->late, LATE_MS,
        s->punctual ? "" : "; no real-time priority", s->jobs);
    for (int i = 0; i < FAULTS; i++) printf(" %u %s,", s->faults[i], fault_names[i]);
    printf(" memory +%llu KiB, descriptors +%llu at most, everybody back %d ms after the last fault\n",
           (unsigned long long)s->memory_growth_kb, (unsigned long long)s->descriptors_growth, back_ms);
    ck_assert_uint_le(s->memory_growth_kb, FLAT_MEMORY_KB);
    ck_assert_uint_le(s->descriptors_growth, FLAT_DESCRIPTORS);
    if (!has_ended(s->front)) engine_quit(s->front);
    kill(s->daemon->pid, SIGTERM);
    ck_assert_int_eq(await_end(s->daemon, WAIT_MS), 0);
    for (int i = 0; i < WORKERS; i++) process_drop(s->workers[i]);
    process_drop(s->farm);
    free(s->job_expected);
    chaos_end(&s->chaos);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tcase = tcase_create("soak");
    tcase_add_test(tcase, games_go_on_while_everything_goes_wrong);
    suite_add_tcase(suite, tcase);
}

CHECK_MAIN("soak", add_cases)
