/* murakumo_bench.c - `murakumo bench NAME` runs this program: measurements of speed and strength. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/bench/bench.h"
#include "tests/bench/bench_records.h"

double bench_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

double bench_cpu_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int64_t bench_number(const char *option, const char *text, int64_t lowest, int64_t highest)
{
    char *end = NULL;
    errno = 0;
    long long value = text ? strtoll(text, &end, 10) : 0;
    if (!text || end == text || *end != '\0' || errno != 0 || value < lowest || value > highest) {
        fprintf(stderr, "murakumo-bench: %s: found \"%s\", expected a whole number from %" PRId64 " to %" PRId64 "\n",
                option, text ? text : "nothing", lowest, highest);
        exit(2);
    }
    return value;
}

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *text;
} commands[] = {
    {"search", bench_search, "fixed positions to a fixed depth: node signature and nodes per second"},
    {"perft", bench_perft, "counts legal lines: perft [SFEN|startpos DEPTH]"},
    {"tt", bench_tt, "transposition table: probes and stores per second"},
    {"mate", bench_mate, "tsume problems: solved, wrong, time and nodes"},
    {"mate-split", bench_mate_split, "tsume problems by several solvers that share hints: speed-up and overhead"},
    {"wire", bench_wire, "messages encoded and decoded per second"},
    {"records", bench_records, "game records read and written per second, every move checked"},
    {"dedup", bench_dedup, "equal games and beginnings found among 100,000"},
    {"audit", bench_audit, "published puzzles asked about once more, deeper"},
    {"farm", bench_farm, "the same searches in a plain loop and on the farm: what the farm costs"},
    {"selfplay", bench_selfplay, "match between two parameter sets in this process, fixed nodes"},
    {"endgame", bench_endgame, "positions near the end of games: nodes until the right move is found for good"},
};

int main(int argc, char **argv)
{
    if (argc >= 2)
        for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
            if (strcmp(argv[1], commands[i].name) == 0) return commands[i].run(argc - 1, argv + 1);
    bool help = argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0);
    FILE *out = help ? stdout : stderr;
    fputs("usage: murakumo-bench NAME [OPTIONS]\n", out);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].text);
    fputs("example: murakumo-bench search --depth 10\n", out);
    return help ? 0 : 2;
}
