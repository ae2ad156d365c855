/* main.c - murakumo-sim: runs seeds of the simulated cluster, or replays one.
 *
 *   murakumo-sim --seeds 3000 [--from 0]     the first broken promise ends it with exit code 1
 *   murakumo-sim --replay FILE               what a real coordinator recorded, done again (replay.h)
 *   murakumo-sim --games 10000 --workers 64  whole games against the clock on a bad network
 *   murakumo-sim --seed 17                   one seed, with its whole trace on stderr
 *   murakumo-sim --mate-seeds 300            the same for clusters that solve mate problems
 *   murakumo-sim --mate-seed 17
 */
#include "tests/sim/replay.h"
#include "tests/sim/matesim.h"
#include "tests/sim/scenarios.h"
#include "tests/sim/sim.h"

#include <inttypes.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Ctrl-C, or the end of our time: the summary of what was done comes all the same. */
static volatile sig_atomic_t told_to_end;

static void end_soon(int signal_number)
{
    (void)signal_number;
    told_to_end = 1;
}

static int usage(FILE *to, int code)
{
    fprintf(
        to,
        "usage: murakumo-sim [--seeds N] [--from SEED] [--keep-going]\n"
        "       murakumo-sim --seed SEED [--quiet]\n"
        "       murakumo-sim --games N [--workers 64] [--plies 20] [--from SEED]\n"
        "       murakumo-sim --replay FILE [--trace]     what `murakumo --record FILE` wrote, done again\n\n"
        "Runs a whole cluster (real coordinator, real worker sessions, toy engine, faulty network) in virtual time.\n"
        "Every seed is another cluster with other faults; a broken promise is printed with the seed that repeats "
        "it.\n"
        "With --mate-seeds the cluster (up to 64 real solvers) has mate problems to solve.\n"
        "--games: byoyomi 1 s, 20 ms round trip, 1 %% of all frames lost; fifty games a cluster.\n");
    return code;
}

static void print_mate_report(uint64_t seed, const struct matesim_report *r)
{
    printf("mate seed %" PRIu64 " (%u workers, %u orders): %s\n", seed, r->workers, r->orders,
           *r->broken ? r->broken : "all promises kept");
    printf("  %" PRIu64 " jobs, %" PRIu64 " faults, %" PRIu64 " steps, %.1f s of virtual time, trace hash %016" PRIx64
           "\n",
           r->jobs, r->faults, r->steps, (double)r->virtual_us / 1e6, r->hash);
}

static int run_mates(uint64_t from, uint64_t seeds, bool keep_going)
{
    uint64_t orders = 0, jobs = 0, faults = 0, steps = 0, broken = 0, hash = 0;
    for (uint64_t seed = from; seed < from + seeds; seed++) {
        struct matesim_report report;
        bool kept = matesim_run(seed, false, &report);
        orders += report.orders;
        jobs += report.jobs;
        faults += report.faults;
        steps += report.steps;
        hash = (hash ^ report.hash) * 0x9e3779b97f4a7c15u;
        if (kept) continue;
        broken++;
        print_mate_report(seed, &report);
        printf("  repeat it with: build/murakumo-sim --mate-seed %" PRIu64 "\n", seed);
        if (!keep_going) return 1;
    }
    printf("%" PRIu64 " clusters, %" PRIu64 " mate orders, %" PRIu64 " jobs, %" PRIu64 " faults, %" PRIu64
           " steps, trace hash %016" PRIx64 ": ",
           seeds, orders, jobs, faults, steps, hash);
    if (broken)
        printf("%" PRIu64 " seeds broke a promise\n", broken);
    else
        printf("all promises kept\n");
    return broken ? 1 : 0;
}

static void print_report(uint64_t seed, const struct sim_report *r)
{
    printf("seed %" PRIu64 " (%s): %s\n", seed, r->plan, *r->broken ? r->broken : "all promises kept");
    printf("  %" PRIu64 " searches, %" PRIu64 " faults, %" PRIu64
           " steps, %.1f s of virtual time, trace hash %016" PRIx64 "\n",
           r->gos, r->faults, r->steps, (double)r->virtual_us / 1e6, r->hash);
}

/* In clusters of fifty games, each with its own seed. */
static int tournament(uint64_t games, uint64_t workers, uint64_t plies, uint64_t from)
{
    enum { GAMES_A_CLUSTER = 50 };
    if (workers < 1 || workers > SIM_WORKERS_MAX || plies < 1 || plies > 400) return usage(stderr, 2);
    struct sim_report report;
    uint64_t done = 0, moves = 0, steps = 0;
    int64_t latest_us = INT64_MAX;
    for (uint64_t seed = from; done < games && !told_to_end; seed++) {
        unsigned now = games - done < GAMES_A_CLUSTER ? (unsigned)(games - done) : GAMES_A_CLUSTER;
        struct sim_plan plan = sim_plan_tournament((unsigned)workers, now, (unsigned)plies);
        if (!sim_run_plan(&plan, seed, false, &report)) {
            print_report(seed, &report);
            return 1;
        }
        done += report.games;
        moves += report.gos;
        steps += report.steps;
        if (report.latest_us < latest_us) latest_us = report.latest_us;
    }
    printf("%" PRIu64 " games with %" PRIu64 " workers, byoyomi 1 s, 20 ms round trip, 1 %% loss: %" PRIu64
           " moves, 0 late, illegal, missing or double; latest answer %" PRId64
           " ms before the end of its clock; %" PRIu64 " steps\n",
           done, workers, moves, latest_us / 1000, steps);
    return 0;
}

int main(int argc, char **argv)
{
    uint64_t seeds = 1000, from = 0, one = 0;
    const char *recording = NULL;
    bool trace = false;
    bool mates = false, single = false, quiet = false, keep_going = false;
    uint64_t games = 0, workers = 64, plies = 20;
    /* A core is some MiB of zeros of which a small cluster touches little: fresh pages are cheaper than clearing used
     * ones, which is what the library would learn to do. */
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
    signal(SIGINT, end_soon);
    signal(SIGTERM, end_soon);
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(argv[i], "--help")) return usage(stdout, 0);
        if (!strcmp(argv[i], "--quiet")) {
            quiet = true;
        } else if (!strcmp(argv[i], "--keep-going")) {
            keep_going = true;
        } else if (!strcmp(argv[i], "--trace")) {
            trace = true;
        } else if (value && !strcmp(argv[i], "--replay")) {
            recording = value;
            i++;
        } else if (value && (!strcmp(argv[i], "--seeds") || !strcmp(argv[i], "--mate-seeds"))) {
            mates = argv[i][2] == 'm';
            seeds = strtoull(value, NULL, 10);
            i++;
        } else if (value && !strcmp(argv[i], "--games")) {
            games = strtoull(value, NULL, 10);
            i++;
        } else if (value && !strcmp(argv[i], "--workers")) {
            workers = strtoull(value, NULL, 10);
            i++;
        } else if (value && !strcmp(argv[i], "--plies")) {
            plies = strtoull(value, NULL, 10);
            i++;
        } else if (value && !strcmp(argv[i], "--from")) {
            from = strtoull(value, NULL, 10);
            i++;
        } else if (value && (!strcmp(argv[i], "--seed") || !strcmp(argv[i], "--mate-seed"))) {
            mates = argv[i][2] == 'm';
            one = strtoull(value, NULL, 10);
            single = true;
            i++;
        } else {
            return usage(stderr, 2);
        }
    }
    if (recording) return replay_file(recording, trace);
    if (mates && single) {
        struct matesim_report mate_report;
        bool kept = matesim_run(one, !quiet, &mate_report);
        print_mate_report(one, &mate_report);
        return kept ? 0 : 1;
    }
    if (mates) return run_mates(from, seeds, keep_going);
    if (games) return tournament(games, workers, plies, from);
    struct sim_report report;
    if (single) {
        bool kept = sim_run(one, !quiet, &report);
        print_report(one, &report);
        return kept ? 0 : 1;
    }
    uint64_t steps = 0, faults = 0, gos = 0, broken = 0, hash = 0;
    const uint64_t known = sizeof scenarios / sizeof scenarios[0];
    uint64_t done = 0;
    for (uint64_t i = 0; i < seeds + known && !told_to_end; i++) {
        done += i >= known;
        uint64_t seed = i < known ? scenarios[i].seed : from + i - known;
        bool kept = sim_run(seed, false, &report);
        steps += report.steps;
        faults += report.faults;
        gos += report.gos;
        hash = (hash ^ report.hash) * 0x9e3779b97f4a7c15u;
        if (kept) continue;
        broken++;
        print_report(seed, &report);
        if (i < known) printf("  once before: %s\n", scenarios[i].found);
        printf("  repeat it with: build/murakumo-sim --seed %" PRIu64 "\n", seed);
        if (!keep_going) return 1;
    }
    printf("%" PRIu64 " clusters, %" PRIu64 " searches, %" PRIu64 " faults, %" PRIu64 " steps, trace hash %016" PRIx64
           ": ",
           done, gos, faults, steps, hash);
    if (broken)
        printf("%" PRIu64 " seeds broke a promise\n", broken);
    else
        printf("all promises kept\n");
    return broken ? 1 : 0;
}
