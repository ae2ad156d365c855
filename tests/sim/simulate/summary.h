/* summary.h - the parts of a long measurement, put together from the files that --csv wrote.
 *
 * Runs belong to one row when strategy, workers and latency are the same. A position that is in two files counts once:
 * the later one. Whether the parts were searched with the same options is up to whoever made them.
 */
#ifndef MURAKUMO_SIMULATE_SUMMARY_H
#define MURAKUMO_SIMULATE_SUMMARY_H

#include "tests/sim/simulate/measure.h"

struct summary;
struct summary *summary_new(void);          /* aborts without memory */
void summary_free(struct summary *summary); /* NULL is allowed */
/* False: one line `file:line: ...` is on stderr. */
bool summary_add(struct summary *summary, const char *path);
/* In the order in which they were met first; their strategy lives as long as the summary. Returns how many. */
size_t summary_rows(const struct summary *summary, uint64_t seed, struct measure_row *rows, size_t capacity);

#endif
