/* conduct.h - the coordinator of a simulated cluster: the real strategy (split.h) gives jobs to the simulated workers
 * and takes their reports, each half a round trip away.
 *
 * Messages are looked at when a turn begins; so a report or a job waits half a turn longer than on a real network.
 * Threads: the cluster's owner; conduct_info and conduct_done come from the worker's search thread during its turn.
 */
#ifndef MURAKUMO_SIMULATE_CONDUCT_H
#define MURAKUMO_SIMULATE_CONDUCT_H

#include "tests/sim/simulate/cluster_parts.h"

struct conductor;
struct conductor *conduct_begin(struct cluster *cluster, const struct position *root, const struct history *history,
                                const struct cluster_search *search, struct cluster_report *report);
/* What happens before the workers search from begin_us to end_us. */
void conduct_turn(struct conductor *conductor, int64_t begin_us, int64_t end_us);
bool conduct_is_over(const struct conductor *conductor, int depth_plies);
/* All engines have been stopped. Fills the rest of the report and frees the conductor. */
void conduct_end(struct conductor *conductor, int depth_plies, int64_t now_us);

void conduct_info(struct worker *worker, const struct engine_info *info);
void conduct_done(struct worker *worker, const struct engine_result *result);

#endif
