/* bench.h - the subcommands of murakumo-bench. Each takes its own arguments (argv[0] is its name) and returns an exit
 * code. */
#ifndef MURAKUMO_TESTS_BENCH_H
#define MURAKUMO_TESTS_BENCH_H

#include <stdint.h>

int bench_search(int argc, char **argv);
int bench_perft(int argc, char **argv);
int bench_tt(int argc, char **argv);
int bench_mate(int argc, char **argv);
int bench_mate_split(int argc, char **argv);
int bench_wire(int argc, char **argv);
int bench_audit(int argc, char **argv);
int bench_farm(int argc, char **argv);
int bench_dedup(int argc, char **argv);
int bench_selfplay(int argc, char **argv);
int bench_endgame(int argc, char **argv);

/* Monotonic. */
double bench_now_s(void);
/* Processor time of this process: what one core does, whatever else runs beside it. */
double bench_cpu_s(void);
/* A whole number in lowest..highest, or the program ends with exit code 2 and a line that names the option. */
int64_t bench_number(const char *option, const char *text, int64_t lowest, int64_t highest);

#endif
