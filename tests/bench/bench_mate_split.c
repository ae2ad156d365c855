/* bench_mate_split.c - `murakumo-bench mate-split --workers N FILE...`: how much faster N solvers are that share hints.
 *
 * N real solvers, each with its own table and one thread, search the same root in lock step: each makes `turn` nodes,
 * then what they have to tell goes through the filter and the frames of the hint plane and reaches the others `latency`
 * turns later. Time is counted in nodes, so the figures are the same on every machine. Each problem is solved by one
 * solver alone first. Without options it is as real workers are: a batch every 250 us at a million nodes a second, all
 * that is found is told as long as the line of the relay (1 Gbit/s) carries it; --kbytes 0 is no limit.
 *
 *   overhead  moves of all solvers together, up to the moment of the answer, by those of the one solver alone
 *   speed-up  moves of the one solver alone by the moment of the answer
 */
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/shogi/sfen.h"
#include "coordinator/core/tsume.h"
#include "tests/bench/bench.h"
#include "worker/core/hint_filter.h"
#include "worker/engine/mate/mate.h"

enum { WORKERS_MAX = 64, LINE_BYTES_MAX = 2048, PROBLEMS_MAX = 4096, LATENCY_MAX = 64, SCOPE = 1 };

struct mate_split_options {
    int64_t workers, nodes, nodes_min, hash_mb, every, offset, count, turn_nodes, latency, gate, kbytes_per_s, nps;
    bool verbose, shortest;
};

struct parcel { /* a batch on its way; count 0 = nothing */
    size_t count;
    struct hint hints[HINT_BATCH_MAX];
};

struct member {
    struct team *team;
    unsigned index;
    struct mate_solver *solver;
    struct mate_result *result;
    struct hint_filter *filter;
    struct parcel *sent; /* [LATENCY_MAX]: what it sent in the last turns */
    pthread_t thread;
    sem_t go;
    bool finished;
    uint64_t nodes, target;
};

struct team {
    const struct mate_split_options *options;
    const struct position *root;
    struct mate_limits limits;
    struct member members[WORKERS_MAX];
    unsigned count;
    sem_t done;
    atomic_bool stop;
    uint64_t turn, hints, parcels;
};

static void await(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0) continue;
}

static uint64_t pause_member(void *context, unsigned thread, uint64_t nodes)
{
    (void)thread;
    struct member *m = context;
    m->nodes = nodes;
    if (atomic_load(&m->team->stop)) return UINT64_MAX;
    if (nodes < m->target) return m->target;
    sem_post(&m->team->done);
    await(&m->go);
    return m->target;
}

static void *member_main(void *argument)
{
    struct member *m = argument;
    struct mate_limits limits = m->team->limits;
    struct mate_pacer pacer = {.context = m, .pause = pause_member};
    limits.pacer = &pacer;
    limits.stop = &m->team->stop;
    limits.seed = m->index;
    mate_share(m->solver,
               &(struct mate_sharing){.scope = SCOPE, .worker = m->index, .gate = (int)m->team->options->gate});
    await(&m->go);
    mate_solve(m->solver, m->team->root, &limits, m->result);
    m->finished = true;
    sem_post(&m->team->done);
    return NULL;
}

static void exchange(struct team *t)
{
    int64_t now_us = (int64_t)(t->turn * (uint64_t)t->options->turn_nodes * 1000000 / (uint64_t)t->options->nps);
    struct hint hints[HINT_BATCH_MAX];
    static uint8_t bytes[WIRE_HINTS_BYTES_MAX];
    size_t slot = t->turn % (uint64_t)t->options->latency;
    for (unsigned i = 0; i < t->count; i++) /* what was sent `latency` turns ago arrives */
        for (unsigned k = 0; k < t->count; k++)
            if (k != i)
                mate_hints_put(t->members[k].solver, t->members[i].sent[slot].hints, t->members[i].sent[slot].count);
    for (unsigned i = 0; i < t->count; i++) {
        struct member *m = &t->members[i];
        struct msg message;
        for (size_t count; (count = mate_hints_take(m->solver, hints, HINT_BATCH_MAX)) > 0;)
            hint_filter_add(m->filter, hints, count);
        bool some = hint_filter_batch(m->filter, now_us, &message, bytes);
        mate_hints_gate(m->solver, hint_filter_gate_plies(m->filter));
        m->sent[slot].count = some ? hint_filter_read(m->filter, &message, m->sent[slot].hints) : 0;
        t->hints += m->sent[slot].count;
        t->parcels += some;
    }
}

/* Returns the verdict; UNKNOWN if it takes longer than time_max. */
static enum mate_verdict run(struct team *t, const struct position *root, uint64_t time_max, uint64_t *time,
                             uint64_t *spent)
{
    enum mate_verdict verdict = MATE_UNKNOWN;
    t->root = root;
    t->turn = t->hints = t->parcels = 0;
    atomic_store(&t->stop, false);
    for (unsigned i = 0; i < t->count; i++) {
        struct member *m = &t->members[i];
        mate_clear(m->solver);
        m->finished = false;
        m->nodes = m->target = 0;
        memset(m->filter, 0, sizeof *m->filter);
        hint_filter_start(m->filter,
                          &(struct hint_filter_options){.scope = SCOPE,
                                                        .floor_plies = (int)t->options->gate,
                                                        .bytes_per_s = (uint32_t)t->options->kbytes_per_s * 1024},
                          0);
        for (size_t k = 0; k < LATENCY_MAX; k++) m->sent[k].count = 0;
        pthread_create(&m->thread, NULL, member_main, m);
    }
    *time = 0;
    bool over = false;
    while (!over && t->turn * (uint64_t)t->options->turn_nodes < time_max) {
        t->turn++;
        for (unsigned i = 0; i < t->count; i++) {
            struct member *m = &t->members[i];
            m->target = t->turn * (uint64_t)t->options->turn_nodes;
            if (m->finished) continue;
            sem_post(&m->go);
            await(&t->done);
            if (m->finished && m->result->verdict != MATE_UNKNOWN && (!over || m->result->nodes < *time)) {
                over = true;
                verdict = m->result->verdict;
                *time = m->result->nodes;
            }
        }
        exchange(t);
    }
    *spent = *time * t->count;
    atomic_store(&t->stop, true);
    for (unsigned i = 0; i < t->count; i++) {
        struct member *m = &t->members[i];
        sem_post(&m->go);
        pthread_join(m->thread, NULL);
        while (sem_trywait(&m->go) == 0) continue;
    }
    while (sem_trywait(&t->done) == 0) continue;
    return verdict;
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

static void bench_file(const char *path, const struct mate_split_options *o, struct team *t, struct mate_solver *alone)
{
    static double overheads[PROBLEMS_MAX], speeds[PROBLEMS_MAX];
    static struct mate_result result;
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "murakumo-bench: %s: cannot be read\n", path);
        exit(1);
    }
    char line[LINE_BYTES_MAX];
    size_t solved = 0, tried = 0, skipped = 0, failed = 0, wrong = 0;
    uint64_t serial_sum = 0, spent_sum = 0;
    double logs = 0;
    for (int64_t number = 0; fgets(line, sizeof line, file) && tried < PROBLEMS_MAX;) {
        struct position pos;
        line[strcspn(line, "\t\r\n")] = 0;
        if (line[0] == '#' || sfen_read(&pos, line, strlen(line), NULL, NULL) != ST_OK) continue;
        if (number++ % o->every != o->offset) continue;
        if (o->count && (int64_t)solved + (int64_t)failed >= o->count) break;
        struct mate_limits limits = {.nodes = (uint64_t)o->nodes, .any_length = !o->shortest};
        mate_clear(alone);
        mate_solve(alone, &pos, &limits, &result);
        uint64_t serial = result.nodes, time, spent;
        tried++;
        if (result.verdict == MATE_UNKNOWN || serial < (uint64_t)o->nodes_min) {
            skipped++;
            continue;
        }
        t->limits = (struct mate_limits){.any_length = !o->shortest};
        enum mate_verdict verdict = run(t, &pos, serial * 4, &time, &spent);
        if (verdict == MATE_UNKNOWN) {
            failed++;
            printf("  %10" PRIu64 " alone, not solved in 4 times that: %s\n", serial, line);
            continue;
        }
        if (verdict != result.verdict) wrong++;
        overheads[solved] = (double)spent / (double)serial;
        speeds[solved] = (double)serial / (double)time;
        logs += log(speeds[solved]);
        if (o->verbose)
            printf("  %10" PRIu64 " alone, %10" PRIu64
                   " together, overhead %.2f, speed-up %.2f, %.0f hints, %.2f batches a turn, gate %d\n",
                   serial, spent, overheads[solved], speeds[solved], (double)t->hints / (double)t->turn / t->count,
                   (double)t->parcels / (double)t->turn / t->count, t->members[0].filter->gate_plies);
        fflush(stdout);
        serial_sum += serial;
        spent_sum += spent;
        solved++;
    }
    fclose(file);
    if (solved)
        printf("%s, %u workers: %zu problems, %zu not within 4 times the serial time, %zu skipped, %zu wrong; overhead "
               "median %.2f, of the sums %.2f; speed-up median %.2f, mean %.2f\n",
               path, t->count, solved, failed, skipped, wrong, median(overheads, solved),
               (double)spent_sum / (double)serial_sum, median(speeds, solved), exp(logs / (double)solved));
}

static int usage(FILE *out, int code)
{
    fputs("usage: murakumo-bench mate-split [--workers N] [--nodes N] [--nodes-min N] [--hash MB] [--every N --offset "
          "N]\n"
          "       [--count N] [--turn NODES] [--latency TURNS] [--gate EFFORT] [--kbytes N] [--nps N] [--shortest] "
          "[--verbose] FILE...\n"
          "Problems that one solver cannot do within --nodes, or does in fewer than --nodes-min, are skipped.\n",
          out);
    return code;
}

int bench_mate_split(int argc, char **argv)
{
    struct mate_split_options o = {.workers = 2,
                                   .nodes = 4000000,
                                   .nodes_min = 300000,
                                   .hash_mb = 128,
                                   .every = 1,
                                   .turn_nodes = 256,
                                   .latency = 1,
                                   .gate = 1,
                                   .nps = 1000000,
                                   .kbytes_per_s = -1};
    int at = 1;
    for (; at < argc && argv[at][0] == '-'; at++) {
        const char *name = argv[at], *value = at + 1 < argc ? argv[at + 1] : NULL;
        if (!strcmp(name, "--help")) return usage(stdout, 0);
        if (!strcmp(name, "--verbose")) {
            o.verbose = true;
            continue;
        }
        if (!strcmp(name, "--shortest")) {
            o.shortest = true;
            continue;
        }
        int64_t *target = !strcmp(name, "--workers")     ? &o.workers
                          : !strcmp(name, "--nodes")     ? &o.nodes
                          : !strcmp(name, "--nodes-min") ? &o.nodes_min
                          : !strcmp(name, "--hash")      ? &o.hash_mb
                          : !strcmp(name, "--every")     ? &o.every
                          : !strcmp(name, "--offset")    ? &o.offset
                          : !strcmp(name, "--count")     ? &o.count
                          : !strcmp(name, "--turn")      ? &o.turn_nodes
                          : !strcmp(name, "--latency")   ? &o.latency
                          : !strcmp(name, "--gate")      ? &o.gate
                          : !strcmp(name, "--kbytes")    ? &o.kbytes_per_s
                          : !strcmp(name, "--nps")       ? &o.nps
                                                         : NULL;
        if (!target) return usage(stderr, 2);
        *target = bench_number(name, value, 0, INT64_MAX / 4096);
        at++;
    }
    if (at == argc || o.workers > WORKERS_MAX || o.latency < 1 || o.latency > LATENCY_MAX) return usage(stderr, 2);
    if (o.kbytes_per_s < 0) o.kbytes_per_s = tsume_hint_bytes_per_s((unsigned)o.workers) / 1024;
    struct team *t = calloc(1, sizeof *t);
    struct mate_solver *alone = mate_new((size_t)o.hash_mb << 20, 1);
    bool good = t && alone;
    if (t) {
        t->options = &o;
        sem_init(&t->done, 0, 0);
    }
    for (; good && t->count < (unsigned)o.workers; t->count++) {
        struct member *m = &t->members[t->count];
        m->team = t;
        m->index = t->count;
        sem_init(&m->go, 0, 0);
        m->solver = mate_new((size_t)o.hash_mb << 20, 1);
        m->result = malloc(sizeof *m->result);
        m->filter = malloc(sizeof *m->filter);
        m->sent = calloc(LATENCY_MAX, sizeof *m->sent);
        good = m->solver && m->result && m->filter && m->sent;
    }
    if (!good) fputs("murakumo-bench: not enough memory\n", stderr);
    for (; good && at < argc; at++) bench_file(argv[at], &o, t, alone);
    for (unsigned i = 0; t && i < t->count; i++) {
        mate_free(t->members[i].solver);
        free(t->members[i].result);
        free(t->members[i].filter);
        free(t->members[i].sent);
    }
    free(t);
    mate_free(alone);
    return good ? 0 : 1;
}
