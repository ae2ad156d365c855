/* bench_mate.c - `murakumo-bench mate FILE...`: solves collections of mate problems and checks every answer.
 *
 * A line is `SFEN<TAB>EXPECTED[<TAB>SOURCE]`; EXPECTED is an exact length (`9`), a mate of unknown exact length (`9?`,
 * and every length in files named classic*, unless its source says "NOT machine-proven"), `no-mate`, or `no-mate-in-1`.
 * A wrong verdict or length, or a line that does not mate, is an error.
 *
 * --lock-step N: the threads take turns of N nodes, so that each makes as many as the others and the figures are the
 * same on every machine. Nodes of all threads by their number are then the time.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "common/shogi/sfen.h"
#include "tests/bench/bench.h"
#include "tests/model/mate_exact.h"
#include "worker/engine/mate/mate.h"

int bench_mate(int argc, char **argv);

enum { LINE_BYTES_MAX = 2048, PROBLEMS_MAX = 100000, SLOWEST_MAX = 100 };

enum expectation { EXPECT_EXACT, EXPECT_MATE, EXPECT_NO_MATE, EXPECT_NOT_IN_ONE, EXPECT_NOTHING };
static const char *const verdict_names[] = {"mate", "nomate", "unknown"};

struct options {
    int64_t time_ms, nodes, hash_mb, threads, every, offset, count, seed, slowest;
    bool any_length, verbose, mirror, flip, keep, lines;
    int64_t lock_step;
};

struct slow_one {
    double seconds;
    uint64_t nodes;
    size_t number;
    enum mate_verdict verdict;
    char file[48];
};

static const double limits_s[] = {0.1, 1, 10, 60};
enum { LIMIT_COUNT = sizeof limits_s / sizeof limits_s[0] };

struct tally {
    size_t problems, proved, shortest, refuted, unknown, errors;
    size_t within[LIMIT_COUNT]; /* proved or refuted in at most limits_s[] */
    uint64_t nodes, proof_nodes;
    double total_s, cpu_s; /* wall clock; processor time of all threads */
    double *times_s;
    struct slow_one slowest[SLOWEST_MAX + 1]; /* the slowest first */
    size_t slowest_count;
};

/* Every move legal, every attacker move a check, the last one mate? */
static bool line_mates(const struct position *root, const Move *line, int plies)
{
    struct position pos = *root;
    for (int i = 0; i < plies; i++) {
        struct undo undo;
        if (!position_pseudo_legal(&pos, line[i]) || !position_legal(&pos, line[i])) return false;
        if (i % 2 == 0 && !position_gives_check(&pos, line[i])) return false;
        position_do(&pos, line[i], &undo);
    }
    Move moves[MOVES_MAX];
    return plies % 2 == 1 && position_in_check(&pos) && movegen_legal(&pos, moves) == 0;
}

static const char *judge(const struct position *pos, enum expectation expected, int plies, const struct mate_result *r)
{
    if (r->verdict == MATE_PROVED && !line_mates(pos, r->line, r->plies)) return "line does not mate";
    switch (expected) {
    case EXPECT_EXACT:
        if (r->verdict == MATE_REFUTED) return "mate refuted";
        if (r->refuted_plies >= plies) return "true length refuted";
        if (r->verdict != MATE_PROVED) return NULL;
        if (r->plies < plies) return "too short";
        if (r->shortest && r->plies != plies) return "wrong shortest length";
        return NULL;
    case EXPECT_MATE:
        return r->verdict == MATE_REFUTED ? "mate refuted" : NULL;
    case EXPECT_NO_MATE:
        return r->verdict == MATE_PROVED ? "mate where there is none" : NULL;
    case EXPECT_NOT_IN_ONE:
        return r->verdict == MATE_PROVED && r->plies == 1 ? "mate in one where there is none" : NULL;
    case EXPECT_NOTHING:
        return NULL;
    }
    return NULL;
}

/* ---- threads in lock step ---------------------------------------------------------------------------------------
 */

struct lock_step {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t turn_nodes;
    unsigned threads, arrived, left; /* of the search that runs */
    unsigned turn;                   /* the thread that makes nodes */
    bool here[MATE_THREADS_MAX], gone[MATE_THREADS_MAX];
};

static void pass_turn(struct lock_step *l)
{
    for (unsigned i = 1; i <= l->threads; i++) {
        unsigned next = (l->turn + i) % l->threads;
        if (l->gone[next]) continue;
        l->turn = next;
        break;
    }
    pthread_cond_broadcast(&l->changed);
}

static void lock_step_begin(void *context, unsigned threads)
{
    struct lock_step *l = context;
    l->threads = threads;
    l->arrived = l->left = l->turn = 0;
    memset(l->here, 0, sizeof l->here);
    memset(l->gone, 0, sizeof l->gone);
}

static void lock_step_end(void *context, unsigned thread)
{
    struct lock_step *l = context;
    pthread_mutex_lock(&l->lock);
    if (!l->here[thread]) l->arrived++;
    l->gone[thread] = true;
    if (++l->left < l->threads && l->turn == thread) pass_turn(l);
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
}

static uint64_t lock_step_pause(void *context, unsigned thread, uint64_t nodes)
{
    struct lock_step *l = context;
    pthread_mutex_lock(&l->lock);
    if (l->left < l->threads && !l->gone[thread]) {
        if (!l->here[thread]) {
            l->here[thread] = true;
            l->arrived++;
            pthread_cond_broadcast(&l->changed);
        } else {
            pass_turn(l);
        }
        while (l->arrived < l->threads || l->turn != thread) pthread_cond_wait(&l->changed, &l->lock);
    }
    pthread_mutex_unlock(&l->lock);
    return nodes + l->turn_nodes;
}

static double cpu_now_s(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static bool parse_line(char *line, bool classic, struct position *pos, enum expectation *expected, int *plies)
{
    char *tab = strchr(line, '\t');
    if (tab) *tab = '\0';
    struct sfen_error error;
    if (sfen_read(pos, line, strcspn(line, "\r\n"), NULL, &error) != ST_OK) {
        fprintf(stderr, "bad position: %s: %s\n", line, error.text);
        return false;
    }
    *expected = EXPECT_NOTHING;
    *plies = 0;
    if (!tab) return true;
    char *end;
    *plies = (int)strtol(tab + 1, &end, 10);
    if (end != tab + 1 && classic && strstr(end, "NOT machine-proven"))
        *expected = EXPECT_NOTHING; /* the record may be wrong; --verbose shows what comes out */
    else if (end != tab + 1)
        *expected = *end == '?' || classic ? EXPECT_MATE : EXPECT_EXACT;
    else if (strncmp(tab + 1, "no-mate-in-1", 12) == 0)
        *expected = EXPECT_NOT_IN_ONE;
    else if (strncmp(tab + 1, "no-mate", 7) == 0)
        *expected = EXPECT_NO_MATE;
    return true;
}

static void print_problem(const struct options *o, size_t number, const char *sfen, const struct mate_result *r,
                          double seconds, const char *error)
{
    printf("%4zu %-7s %4d%s refuted=%d nodes=%" PRIu64 " proof=%" PRIu64 " %.3f s full=%u %s%s  %s\n", number,
           verdict_names[r->verdict], r->plies,
           r->verdict != MATE_PROVED ? ""
           : r->shortest             ? "="
                                     : "+",
           r->refuted_plies, r->nodes, r->proof_nodes, seconds, r->hashfull_permille, error ? "ERROR: " : "",
           error ? error : "", sfen);
    if (o->lines && r->verdict == MATE_PROVED) {
        for (int i = 0; i < r->plies; i++) {
            char text[MOVETEXT_BYTES_MAX];
            movetext_to_usi(r->line[i], text);
            printf(" %s", text);
        }
        printf("\n");
    }
    fflush(stdout);
}

static void note_time(const struct options *o, struct tally *t, const char *file, size_t number, double seconds,
                      const struct mate_result *r)
{
    size_t i = t->slowest_count;
    for (; i > 0 && t->slowest[i - 1].seconds < seconds; i--) t->slowest[i] = t->slowest[i - 1];
    if (i == (size_t)o->slowest) return;
    t->slowest[i] = (struct slow_one){seconds, r->nodes, number, r->verdict, ""};
    snprintf(t->slowest[i].file, sizeof t->slowest[i].file, "%s", file);
    if (t->slowest_count < (size_t)o->slowest) t->slowest_count++;
}

static bool run_file(const struct options *o, struct mate_solver *solver, const char *path, struct tally *t)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "murakumo-bench mate: %s: cannot be opened\n", path);
        return false;
    }
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    bool classic = strncmp(name, "classic", 7) == 0;
    struct tally start = *t;
    static struct mate_result result;
    static struct lock_step lock_step = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    lock_step.turn_nodes = (uint64_t)o->lock_step;
    const struct mate_pacer pacer = {&lock_step, lock_step_pause, lock_step_begin, lock_step_end};
    char line[LINE_BYTES_MAX];
    int64_t index = 0;
    while (fgets(line, sizeof line, file) && t->problems < PROBLEMS_MAX) {
        if (line[0] == '#' || line[0] == '\n' || strncmp(line, "sfen\t", 5) == 0) continue;
        int64_t here = index++;
        if (here % o->every != o->offset % o->every || (o->count > 0 && here / o->every >= o->count)) continue;
        struct position pos;
        enum expectation expected;
        int plies;
        if (!parse_line(line, classic, &pos, &expected, &plies)) continue;
        pos = mate_exact_transformed(&pos, o->mirror, o->flip);
        if (!o->keep) mate_clear(solver);
        struct mate_limits limits = {
            .nodes = (uint64_t)o->nodes, .time_ms = o->time_ms, .any_length = o->any_length, .seed = (uint64_t)o->seed};
        if (o->lock_step > 0) limits.pacer = &pacer;
        double before = bench_now_s(), cpu_before = cpu_now_s();
        mate_solve(solver, &pos, &limits, &result);
        double seconds = bench_now_s() - before;
        t->cpu_s += cpu_now_s() - cpu_before;
        const char *error = judge(&pos, expected, plies, &result);
        t->times_s[t->problems++] = seconds;
        t->total_s += seconds;
        t->nodes += result.nodes;
        t->proof_nodes += result.proof_nodes;
        t->proved += result.verdict == MATE_PROVED;
        t->shortest += result.verdict == MATE_PROVED && result.shortest;
        t->refuted += result.verdict == MATE_REFUTED;
        t->unknown += result.verdict == MATE_UNKNOWN;
        for (size_t i = 0; i < LIMIT_COUNT; i++)
            t->within[i] += result.verdict != MATE_UNKNOWN && seconds <= limits_s[i];
        t->errors += error != NULL;
        if (o->slowest > 0) note_time(o, t, name, (size_t)here + 1, seconds, &result);
        if (o->verbose || error) print_problem(o, (size_t)here + 1, line, &result, seconds, error);
    }
    fclose(file);
    size_t n = t->problems - start.problems;
    double *times = t->times_s + start.problems;
    if (n > 0) qsort(times, n, sizeof *times, compare_doubles);
    double total = t->total_s - start.total_s, cpu = t->cpu_s - start.cpu_s;
    uint64_t nodes = t->nodes - start.nodes;
    printf("%-36s n %5zu mate %5zu (exact %5zu) nomate %5zu unknown %4zu ERRORS %zu | %8.2f s (cpu %.2f), median %7.2f "
           "ms, max %8.3f s, nodes %" PRIu64 ", %.0f k/cpu-s",
           name, n, t->proved - start.proved, t->shortest - start.shortest, t->refuted - start.refuted,
           t->unknown - start.unknown, t->errors - start.errors, total, cpu, n > 0 ? times[n / 2] * 1e3 : 0,
           n > 0 ? times[n - 1] : 0, nodes, cpu > 0 ? (double)nodes / cpu / 1e3 : 0);
    for (size_t i = 0; i < LIMIT_COUNT; i++)
        printf("%s%zu in %g s", i ? ", " : "; solved ", t->within[i] - start.within[i], limits_s[i]);
    putchar('\n');
    fflush(stdout);
    return true;
}

int bench_mate(int argc, char **argv)
{
    struct options o = {.time_ms = 10000, .hash_mb = 512, .threads = 1, .every = 1};
    struct tally t = {0};
    int first_file = argc;
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(a, "--time") == 0)
            o.time_ms = bench_number(a, next, 0, 1000000000), i++;
        else if (strcmp(a, "--nodes") == 0)
            o.nodes = bench_number(a, next, 0, INT64_MAX), i++;
        else if (strcmp(a, "--hash") == 0)
            o.hash_mb = bench_number(a, next, 0, 1 << 20), i++;
        else if (strcmp(a, "--threads") == 0)
            o.threads = bench_number(a, next, 1, MATE_THREADS_MAX), i++;
        else if (strcmp(a, "--every") == 0)
            o.every = bench_number(a, next, 1, PROBLEMS_MAX), i++;
        else if (strcmp(a, "--offset") == 0)
            o.offset = bench_number(a, next, 0, PROBLEMS_MAX), i++;
        else if (strcmp(a, "--count") == 0)
            o.count = bench_number(a, next, 0, PROBLEMS_MAX), i++;
        else if (strcmp(a, "--seed") == 0)
            o.seed = bench_number(a, next, 0, INT64_MAX), i++;
        else if (strcmp(a, "--slowest") == 0)
            o.slowest = bench_number(a, next, 0, SLOWEST_MAX), i++;
        else if (strcmp(a, "--lock-step") == 0)
            o.lock_step = bench_number(a, next, 1, 1000000000), i++;
        else if (strcmp(a, "--any") == 0)
            o.any_length = true;
        else if (strcmp(a, "--mirror") == 0)
            o.mirror = true;
        else if (strcmp(a, "--flip") == 0)
            o.flip = true;
        else if (strcmp(a, "--keep") == 0)
            o.keep = true;
        else if (strcmp(a, "--lines") == 0)
            o.lines = o.verbose = true;
        else if (strcmp(a, "--verbose") == 0)
            o.verbose = true;
        else {
            first_file = i;
            break;
        }
    }
    if (first_file == argc || argv[first_file][0] == '-') {
        fputs(
            "usage: murakumo-bench mate [--time MS] [--nodes N] [--hash MB] [--threads N [--lock-step NODES]] [--any] "
            "[--seed N] "
            "[--mirror] [--flip]\n"
            "                           [--every N --offset N --count N] [--keep] [--slowest N] [--verbose] [--lines] "
            "FILE...\n",
            stderr);
        return 2;
    }
    struct mate_solver *solver = mate_new((size_t)o.hash_mb << 20, (unsigned)o.threads);
    t.times_s = malloc(PROBLEMS_MAX * sizeof *t.times_s);
    if (!solver || !t.times_s) {
        fputs("murakumo-bench mate: out of memory\n", stderr);
        return 1;
    }
    bool good = true;
    for (int i = first_file; i < argc; i++) good = run_file(&o, solver, argv[i], &t) && good;
    if (argc - first_file > 1)
        printf("%-36s n %5zu mate %5zu (exact %5zu) nomate %5zu unknown %4zu ERRORS %zu | %8.2f s, nodes %" PRIu64 "\n",
               "all", t.problems, t.proved, t.shortest, t.refuted, t.unknown, t.errors, t.total_s, t.nodes);
    for (size_t i = 0; i < t.slowest_count; i++)
        printf("%9.3f s %12" PRIu64 " nodes  %-7s %s %zu\n", t.slowest[i].seconds, t.slowest[i].nodes,
               verdict_names[t.slowest[i].verdict], t.slowest[i].file, t.slowest[i].number);
    free(t.times_s);
    mate_free(solver);
    return good && t.errors == 0 ? 0 : 1;
}
