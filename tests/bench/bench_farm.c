/* bench_farm.c - `murakumo bench farm [--nodes N] [--hash MB] [--runs N] [GAMES...]`: what the farm costs above the
 * searches themselves.
 *
 * The same searches are done twice, in turns: by a plain loop in this process (read the games, search every position,
 * keep nothing), and by `murakumo scan --workers 1 --store FILE` (coordinator, queue, wire, worker, disk). Only equal
 * work is compared: the nodes must be the same. The processor time of the farm is that of all its processes, start and
 * end included.
 */
#include "common/net/child.h"
#include "coordinator/cli/archive.h"
#include "coordinator/core/survey.h"
#include "tests/bench/bench.h"
#include "tests/bench/task_runner.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { RUNS_MAX = 99, FARM_MS = 3600000, ARGUMENTS_MAX = 4096 };

struct work {
    char **games;
    int game_count;
    int64_t nodes, hash_mb;
};

struct cost {
    double cpu_s, wall_s;
    uint64_t nodes;
};

/* ---- the plain loop --------------------------------------------------------------------------------------------- */

static bool walk_game(struct task_runner *runner, const struct work *work, const struct record *record, uint64_t *nodes)
{
    static Move moves[RECORD_PLIES_MAX];
    struct mine settings = mine_defaults();
    struct text_buffer answer;
    settings.scan_nodes = work->nodes;
    uint32_t plies = record_plies(record);
    for (uint32_t i = 0; i < plies; i++) moves[i] = record->moves[record->lines[0].first + i].move;
    struct survey *survey = survey_new(&settings, false, &record->initial, moves, plies);
    bool good = survey != NULL;
    struct task task;
    text_buffer_init(&answer, ANSWER_BYTES_MAX);
    for (uint32_t u = 0; good && u < survey_units(survey); u++) {
        text_buffer_clear(&answer);
        good = survey_question(survey, u, &task) && task_runner_do(runner, &task, &answer, nodes);
    }
    text_buffer_free(&answer);
    survey_free(survey);
    return good;
}

static bool plain_loop(const struct work *work, struct cost *cost)
{
    struct archive archive;
    struct archive_game game;
    struct record record;
    double wall_s = bench_now_s(), cpu_s = bench_cpu_s();
    enum status st = ST_OK;
    cost->nodes = 0;
    archive_init(&archive, "murakumo bench farm");
    record_init(&record);
    struct task_runner *runner = task_runner_new((uint32_t)work->hash_mb);
    bool good = runner && archive_add_all(&archive, work->games, work->game_count);
    while (good && (st = archive_next(&archive, &record, &game)) == ST_OK)
        good = walk_game(runner, work, &record, &cost->nodes);
    good = good && st == ST_MISSING && archive.refused == 0;
    task_runner_free(runner);
    record_free(&record);
    archive_free(&archive);
    cost->cpu_s = bench_cpu_s() - cpu_s;
    cost->wall_s = bench_now_s() - wall_s;
    return good;
}

/* ---- the farm --------------------------------------------------------------------------------------------------- */

static double seconds(struct timeval t) { return (double)t.tv_sec + (double)t.tv_usec / 1e6; }

static double children_cpu_s(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/* Sum of the member over all lines of the JSONL. */
static uint64_t sum_in(const char *path, const char *member)
{
    uint64_t sum = 0;
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t capacity = 0;
    while (file && getline(&line, &capacity, file) >= 0)
        for (const char *at = line; (at = strstr(at, member)); at += strlen(member))
            sum += strtoull(at + strlen(member), NULL, 10);
    free(line);
    if (file) fclose(file);
    return sum;
}

static bool farm(const struct work *work, const char *folder, struct cost *cost)
{
    char program[4096], store[4200], out[4200], nodes[32], hash[32], how[CHILD_WHY_BYTES];
    char *argv[ARGUMENTS_MAX] = {program, "scan", "--workers", "1",       "--sample", "0",      "--store", store,
                                 "--out", out,    "--json",    "--nodes", nodes,      "--hash", hash};
    size_t count = 15;
    const struct child_setup setup = {.in_fd = -1, .out_fd = -1, .error_fd = STDERR_FILENO};
    pid_t pid;
    if (!child_program_beside("murakumo", program, sizeof program)) return false;
    snprintf(store, sizeof store, "%s/farm.db", folder);
    snprintf(out, sizeof out, "%s/farm.jsonl", folder);
    snprintf(nodes, sizeof nodes, "%" PRId64, work->nodes);
    snprintf(hash, sizeof hash, "%" PRId64, work->hash_mb);
    for (int i = 0; i < work->game_count; i++) argv[count++] = work->games[i];
    double wall_s = bench_now_s(), cpu_s = children_cpu_s();
    if (child_start(argv, &setup, &pid, how) != ST_OK) {
        fprintf(stderr, "murakumo-bench: %s: %s\n", program, how);
        return false;
    }
    child_end(pid, FARM_MS, how);
    cost->cpu_s = children_cpu_s() - cpu_s;
    cost->wall_s = bench_now_s() - wall_s;
    cost->nodes = sum_in(out, "\"nodes\":");
    static const char *const left[] = {"farm.db", "farm.db-wal", "farm.db-shm", "farm.db.lock", "farm.jsonl"};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        snprintf(out, sizeof out, "%s/%s", folder, left[i]);
        unlink(out);
    }
    if (!strcmp(how, "exit 0")) return true;
    fprintf(stderr, "murakumo-bench: murakumo scan: %s\n", how);
    return false;
}

/* ---- both ------------------------------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static int compare(const struct work *work, int runs, const char *folder)
{
    double ratio[RUNS_MAX], wall[RUNS_MAX];
    for (int i = 0; i < runs; i++) {
        struct cost loop, all;
        bool good = i % 2 ? farm(work, folder, &all) && plain_loop(work, &loop)
                          : plain_loop(work, &loop) && farm(work, folder, &all);
        if (!good) return 1;
        if (loop.nodes != all.nodes) {
            fprintf(stderr, "murakumo-bench: the loop searched %" PRIu64 " nodes, the farm %" PRIu64 "\n", loop.nodes,
                    all.nodes);
            return 1;
        }
        ratio[i] = (all.cpu_s / loop.cpu_s - 1) * 100;
        wall[i] = (all.wall_s / loop.wall_s - 1) * 100;
        printf("run %d nodes %" PRIu64 " loop %.2f s cpu %.2f s wall, farm %.2f s cpu %.2f s wall: %+.1f %% cpu, %+.1f "
               "%% wall\n",
               i + 1, loop.nodes, loop.cpu_s, loop.wall_s, all.cpu_s, all.wall_s, ratio[i], wall[i]);
        fflush(stdout);
    }
    qsort(ratio, (size_t)runs, sizeof *ratio, by_size);
    qsort(wall, (size_t)runs, sizeof *wall, by_size);
    printf("farm over loop, median of %d: %+.1f %% processor time (%+.1f .. %+.1f), %+.1f %% wall\n", runs,
           ratio[runs / 2], ratio[0], ratio[runs - 1], wall[runs / 2]);
    return 0;
}

int bench_farm(int argc, char **argv)
{
    static char *demo[] = {"tests/data/games/demo.csa"};
    struct work work = {.games = demo, .game_count = 1, .nodes = 60000, .hash_mb = 16};
    int runs = 5, at = 1;
    for (; at < argc && !strncmp(argv[at], "--", 2); at += 2) {
        const char *value = at + 1 < argc ? argv[at + 1] : NULL;
        if (strcmp(argv[at], "--nodes") == 0)
            work.nodes = bench_number(argv[at], value, 1000, INT64_MAX);
        else if (strcmp(argv[at], "--hash") == 0)
            work.hash_mb = bench_number(argv[at], value, 1, 65536);
        else if (strcmp(argv[at], "--runs") == 0)
            runs = (int)bench_number(argv[at], value, 1, RUNS_MAX);
        else {
            bool help = strcmp(argv[at], "--help") == 0;
            fputs("usage: murakumo-bench farm [--nodes N] [--hash MB] [--runs N] [GAMES...]\n"
                  "nodes per position (60000), table (16), runs (5), tests/data/games/demo.csa\n",
                  help ? stdout : stderr);
            return help ? 0 : 2;
        }
    }
    if (at < argc) {
        work.games = argv + at;
        work.game_count = argc - at < ARGUMENTS_MAX - 16 ? argc - at : ARGUMENTS_MAX - 16;
    }
    char folder[] = "/tmp/murakumo-bench-farm-XXXXXX";
    if (!mkdtemp(folder)) {
        fprintf(stderr, "murakumo-bench: %s: %s\n", folder, strerror(errno));
        return 1;
    }
    int code = compare(&work, runs, folder);
    rmdir(folder);
    return code;
}
