/* farm_run.h - the farm's shell: store, cluster and queue in one loop, for `murakumo farm serve` and for the commands
 * that bring their own farm (scan, mine).
 *
 *   store --games--> survey --tasks--> farm --orders--> run (cluster)
 *     ^                 |                |
 *     +---- rows -------+----- answers --+--> only what the disk has comes back to the survey
 *
 * Works on all jobs of the store, highest priority first, or on one of them until it is done. Everything may be killed
 * at any time: started again, it goes on from what the store holds.
 */
#ifndef MURAKUMO_COORDINATOR_FARM_RUN_H
#define MURAKUMO_COORDINATOR_FARM_RUN_H

#include "coordinator/core/mine.h"
#include "coordinator/run.h"
#include "coordinator/store/store.h"

struct farm_run_options {
    const char *command;      /* opens messages: "murakumo mine" */
    struct store *store;      /* borrowed */
    struct run_options run;   /* hooks are ours */
    int64_t job;              /* work on this one and return; 0 = all there are and that will come */
    uint32_t sample_permille; /* tasks that a second process must confirm */
};

/* Exit code as in cli.h. Ctrl-C: what is done is kept, 1 is returned. */
int farm_run(const struct farm_run_options *options);

#endif
