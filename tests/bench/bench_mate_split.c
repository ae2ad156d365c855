/* bench_mate_split.c - `murakumo-bench mate-split --workers N FILE...`: what dividing a mate problem costs.
 *
 * The coordinator's tree (split_mate.h) hands jobs to N real solvers in this process, each with its own table. Time is
 * counted in nodes: a job lasts as many units as its solver makes moves, all workers are equally fast, messages take no
 * time. So the figures are the same on every machine. Each problem is solved by one solver alone first.
 *
 *   overhead  moves of all workers together, up to the moment of the answer, by those of the one solver alone
 *   speed-up  moves of the one solver alone by the moment of the answer
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/shogi/sfen.h"
#include "coordinator/core/split_mate.h"
#include "tests/bench/bench.h"
#include "worker/mate_numbers.h"

enum { WORKERS_MAX = 64, LINE_BYTES_MAX = 2048, PROBLEMS_MAX = 4096 };

struct options {
    int64_t workers, job_nodes, nodes, nodes_min, hash_mb, every, offset, count;
    bool verbose;
};

struct lock_worker {
    struct mate_solver *solver;
    bool busy;
    struct split_mate_job job;
    uint64_t start, end; /* in virtual time */
};

struct lock_step {
    struct split_mate tree;
    struct lock_worker workers[WORKERS_MAX];
    unsigned count;
    uint64_t now, spent; /* moves that ended jobs have cost */
    uint64_t jobs;
    struct mate_result *results; /* one for each worker */
    struct split_mate_report report;
    struct mate_number numbers[SPLIT_MATE_CHECKS_MAX];
};

static void start(struct lock_step *s, unsigned i)
{
    struct lock_worker *w = &s->workers[i];
    struct mate_limits limits = {
        .nodes = w->job.nodes,
        .seed = w->job.seed,
        .pn_max = w->job.pn_max,
        .dn_max = w->job.dn_max,
        .plies_max = (int)w->job.plies_max,
        .any_length = true,
    };
    mate_solve(w->solver, &w->job.pos, &limits, &s->results[i]);
    w->busy = true;
    w->start = s->now;
    w->end = s->now + (s->results[i].nodes ? s->results[i].nodes : 1);
    s->jobs++;
}

static void finish(struct lock_step *s, unsigned i)
{
    struct lock_worker *w = &s->workers[i];
    const struct mate_result *r = &s->results[i];
    w->busy = false;
    split_mate_release(&s->tree, w->job.node);
    s->spent += w->end - w->start;
    if (r->verdict == MATE_PROVED) {
        split_mate_proved(&s->tree, w->job.node, i, true, r->line, (uint32_t)r->plies, r->hand);
    } else if (r->verdict == MATE_REFUTED || r->refuted_plies >= (int)w->job.plies_max) {
        split_mate_refuted(&s->tree, w->job.node, i, true, r->hand);
    } else {
        struct split_mate_report *report = &s->report;
        uint64_t cost = r->nodes;
        size_t count = mate_numbers(w->solver, &w->job.pos, NULL, 0, s->numbers, SPLIT_MATE_CHECKS_MAX, &cost);
        s->spent += cost - r->nodes;
        report->pn = r->pn;
        report->dn = r->dn;
        report->nodes = cost;
        report->check_count = count;
        for (size_t k = 0; k < count; k++) {
            report->checks[k].move = s->numbers[k].check;
            report->checks[k].pn = s->numbers[k].pn > UINT32_MAX ? UINT32_MAX : (uint32_t)s->numbers[k].pn;
            report->checks[k].dn = s->numbers[k].dn > UINT32_MAX ? UINT32_MAX : (uint32_t)s->numbers[k].dn;
        }
        split_mate_unknown(&s->tree, w->job.node, i, s->count, report);
    }
    /* Jobs that have lost their use are stopped. */
    for (unsigned k = 0; k < s->count; k++) {
        struct lock_worker *other = &s->workers[k];
        if (!other->busy || split_mate_needs(&s->tree, other->job.node)) continue;
        other->busy = false;
        s->spent += s->now - other->start;
        split_mate_release(&s->tree, other->job.node);
    }
}

static bool settled(const struct lock_step *s)
{
    return split_mate_is_proved(&s->tree) || split_mate_is_refuted(&s->tree);
}

/* Runs until the root is settled or the time is over. */
static void run(struct lock_step *s, const struct position *root, uint64_t nodes_first, uint64_t time_max)
{
    split_mate_begin(&s->tree, root, NULL, 0, 0, nodes_first);
    s->now = s->spent = s->jobs = 0;
    for (unsigned i = 0; i < s->count; i++) {
        mate_clear(s->workers[i].solver);
        s->workers[i].busy = false;
    }
    while (!settled(s) && s->now < time_max) {
        unsigned next = s->count;
        for (unsigned i = 0; i < s->count; i++)
            if (!s->workers[i].busy && split_mate_next(&s->tree, i, s->count, &s->workers[i].job)) start(s, i);
        for (unsigned i = 0; i < s->count; i++)
            if (s->workers[i].busy && (next == s->count || s->workers[i].end < s->workers[next].end)) next = i;
        if (next == s->count) break;
        s->now = s->workers[next].end;
        finish(s, next);
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    return count ? values[count / 2] : 0;
}

static void bench_file(const char *path, const struct options *o, struct lock_step *s, struct mate_solver *alone)
{
    static double overheads[PROBLEMS_MAX], speeds[PROBLEMS_MAX];
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "murakumo-bench: %s: cannot be read\n", path);
        exit(1);
    }
    char line[LINE_BYTES_MAX];
    size_t solved = 0, tried = 0, skipped = 0, failed = 0, wrong = 0;
    uint64_t serial_sum = 0, spent_sum = 0;
    for (int64_t number = 0; fgets(line, sizeof line, file) && tried < PROBLEMS_MAX;) {
        struct position pos;
        line[strcspn(line, "\t\r\n")] = 0;
        if (line[0] == '#' || sfen_read(&pos, line, strlen(line), NULL, NULL) != ST_OK) continue;
        if (number++ % o->every != o->offset) continue;
        if (o->count && (int64_t)solved + (int64_t)failed >= o->count) break;
        struct mate_limits limits = {.nodes = (uint64_t)o->nodes, .any_length = true};
        mate_clear(alone);
        mate_solve(alone, &pos, &limits, &s->results[0]);
        uint64_t serial = s->results[0].nodes;
        enum mate_verdict verdict = s->results[0].verdict;
        tried++;
        if (verdict == MATE_UNKNOWN || serial < (uint64_t)o->nodes_min) {
            skipped++;
            continue;
        }
        run(s, &pos, (uint64_t)o->job_nodes, serial * 4);
        if (!settled(s)) {
            failed++;
            if (o->verbose) printf("  %10" PRIu64 " alone, not solved in 4 times that: %s\n", serial, line);
            continue;
        }
        if (split_mate_is_proved(&s->tree) != (verdict == MATE_PROVED)) wrong++;
        overheads[solved] = (double)s->spent / (double)serial;
        speeds[solved] = (double)serial / (double)s->now;
        if (o->verbose)
            printf("  %10" PRIu64 " alone, %10" PRIu64 " together, overhead %.2f, speed-up %.2f, %" PRIu64
                   " jobs, %" PRIu32 " nodes of the tree\n",
                   serial, s->spent, overheads[solved], speeds[solved], s->jobs, s->tree.used);
        fflush(stdout);
        serial_sum += serial;
        spent_sum += s->spent;
        solved++;
    }
    fclose(file);
    if (solved)
        printf("%s, %u workers: %zu problems, %zu not within 4 times the serial time, %zu skipped, %zu wrong; overhead "
               "median %.2f, of the sums %.2f; speed-up median %.2f\n",
               path, s->count, solved, failed, skipped, wrong, median(overheads, solved),
               (double)spent_sum / (double)serial_sum, median(speeds, solved));
}

static int usage(FILE *out, int code)
{
    fputs("usage: murakumo-bench mate-split [--workers N] [--job-nodes N] [--nodes N] [--nodes-min N] [--hash MB] "
          "[--every N --offset "
          "N]\n"
          "       [--count N] [--verbose] FILE...\n"
          "Problems that one solver cannot do within --nodes, or does in fewer than --nodes-min, are skipped.\n",
          out);
    return code;
}

int bench_mate_split(int argc, char **argv)
{
    struct options o = {
        .workers = 2, .job_nodes = 16384, .nodes = 4000000, .nodes_min = 300000, .hash_mb = 128, .every = 1};
    int at = 1;
    for (; at < argc && argv[at][0] == '-'; at++) {
        const char *name = argv[at], *value = at + 1 < argc ? argv[at + 1] : NULL;
        if (!strcmp(name, "--help")) return usage(stdout, 0);
        if (!strcmp(name, "--verbose")) {
            o.verbose = true;
            continue;
        }
        int64_t *target = !strcmp(name, "--workers")     ? &o.workers
                          : !strcmp(name, "--job-nodes") ? &o.job_nodes
                          : !strcmp(name, "--nodes")     ? &o.nodes
                          : !strcmp(name, "--nodes-min") ? &o.nodes_min
                          : !strcmp(name, "--hash")      ? &o.hash_mb
                          : !strcmp(name, "--every")     ? &o.every
                          : !strcmp(name, "--offset")    ? &o.offset
                          : !strcmp(name, "--count")     ? &o.count
                                                         : NULL;
        if (!target) return usage(stderr, 2);
        *target = bench_number(name, value, name[2] == 'o' || name[2] == 'c' ? 0 : 1, INT64_MAX / 4096);
        at++;
    }
    if (at == argc || o.workers > WORKERS_MAX) return usage(stderr, 2);
    struct lock_step *s = calloc(1, sizeof *s);
    struct mate_solver *alone = mate_new((size_t)o.hash_mb << 20, 1);
    bool good = s && alone;
    if (s) s->results = malloc((size_t)o.workers * sizeof *s->results);
    good = good && s->results;
    for (; good && s->count < (unsigned)o.workers; s->count++)
        good = (s->workers[s->count].solver = mate_new((size_t)o.hash_mb << 20, 1)) != NULL;
    if (!good) fputs("murakumo-bench: not enough memory\n", stderr);
    for (; good && at < argc; at++) bench_file(argv[at], &o, s, alone);
    for (unsigned i = 0; s && i < s->count; i++) mate_free(s->workers[i].solver);
    if (s) free(s->results);
    free(s);
    mate_free(alone);
    return good ? 0 : 1;
}
