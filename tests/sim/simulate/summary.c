/* summary.c - see summary.h. */
#include "tests/sim/simulate/summary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STRATEGY_BYTES = 32, LINE_BYTES = 1024, FIELDS = 23 };

struct summary {
    size_t count, capacity;
    struct entry {
        char strategy[STRATEGY_BYTES], sfen[128];
        unsigned workers;
        double latency_ms;
        struct measure_run run;
    } * entries;
};

struct summary *summary_new(void)
{
    struct summary *s = calloc(1, sizeof *s);
    if (!s) abort();
    return s;
}

void summary_free(struct summary *s)
{
    if (!s) return;
    free(s->entries);
    free(s);
}

static bool same_row(const struct entry *a, const struct entry *b)
{
    return strcmp(a->strategy, b->strategy) == 0 && a->workers == b->workers && !(a->latency_ms < b->latency_ms) &&
           !(a->latency_ms > b->latency_ms);
}

static void put(struct summary *s, const struct entry *entry)
{
    for (size_t i = 0; i < s->count; i++)
        if (same_row(&s->entries[i], entry) && strcmp(s->entries[i].sfen, entry->sfen) == 0) {
            s->entries[i] = *entry;
            return;
        }
    if (s->count == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 256;
        s->entries = realloc(s->entries, s->capacity * sizeof *s->entries);
        if (!s->entries) abort();
    }
    s->entries[s->count++] = *entry;
}

static size_t split_fields(char *line, char *fields[FIELDS])
{
    size_t count = 0;
    for (char *at = line; at && count < FIELDS; count++) {
        fields[count] = at;
        at = strchr(at, ',');
        if (at) *at++ = '\0';
    }
    return count;
}

/* The columns of report_csv_head(). */
static bool read_entry(char *line, struct entry *e)
{
    char *f[FIELDS];
    if (split_fields(line, f) != FIELDS || strlen(f[0]) >= sizeof e->strategy || strlen(f[3]) >= sizeof e->sfen)
        return false;
    *e = (struct entry){.workers = (unsigned)strtoul(f[1], NULL, 10), .latency_ms = strtod(f[2], NULL)};
    memcpy(e->strategy, f[0], strlen(f[0]));
    memcpy(e->sfen, f[3], strlen(f[3]));
    e->run = (struct measure_run){.done = true,
                                  .reached = strcmp(f[8], "1") == 0,
                                  .speedup = strtod(f[9], NULL),
                                  .solved = strcmp(f[11], "1") == 0,
                                  .answer_speedup = strtod(f[12], NULL),
                                  .nodes = strtoull(f[14], NULL, 10),
                                  .overhead = strtod(f[15], NULL),
                                  .total_us = strtoll(f[16], NULL, 10),
                                  .idle_us = strtoll(f[17], NULL, 10),
                                  .hint_us = strtoll(f[18], NULL, 10),
                                  .frames = strtoull(f[19], NULL, 10),
                                  .bytes = strtoull(f[20], NULL, 10),
                                  .hints_received = strtoull(f[21], NULL, 10),
                                  .hints_dropped = strtoull(f[22], NULL, 10)};
    return e->workers > 0 && e->run.speedup > 0 && e->run.overhead > 0;
}

bool summary_add(struct summary *s, const char *path)
{
    FILE *file = fopen(path, "re");
    if (!file) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return false;
    }
    char line[LINE_BYTES], found[61];
    unsigned number = 0;
    bool ok = true;
    while (ok && fgets(line, sizeof line, file)) {
        struct entry entry;
        line[strcspn(line, "\r\n")] = '\0';
        snprintf(found, sizeof found, "%.60s", line);
        if (++number == 1 && strncmp(line, "strategy,", 9) == 0) continue;
        ok = read_entry(line, &entry);
        if (ok)
            put(s, &entry);
        else
            fprintf(stderr, "%s:%u: found \"%s\", expected a line of murakumo simulate --csv\n", path, number, found);
    }
    fclose(file);
    return ok;
}

size_t summary_rows(const struct summary *s, uint64_t seed, struct measure_row *rows, size_t capacity)
{
    size_t count = 0;
    struct measure_run *runs = calloc(s->count + 1, sizeof *runs);
    if (!runs) abort();
    for (size_t i = 0; i < s->count && count < capacity; i++) {
        bool first = true;
        for (size_t k = 0; k < i && first; k++) first = !same_row(&s->entries[k], &s->entries[i]);
        if (!first) continue;
        size_t run_count = 0;
        for (size_t k = i; k < s->count; k++)
            if (same_row(&s->entries[k], &s->entries[i])) runs[run_count++] = s->entries[k].run;
        rows[count] = measure_row_of(runs, run_count, seed);
        rows[count].strategy = s->entries[i].strategy;
        rows[count].workers = s->entries[i].workers;
        rows[count++].latency_ms = s->entries[i].latency_ms;
    }
    free(runs);
    return count;
}
