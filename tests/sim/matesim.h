/* matesim.h - mate orders in a simulated cluster: the real coordinator core, up to 64 real solvers in virtual time, and
 * workers that die, hang, answer twice or lie.
 *
 * One seed is one cluster with one to four problems whose answers are known. Promised and checked from outside: every
 * order is answered exactly once, with the true verdict and, where it is said to be the shortest, the true length;
 * every line mates; all that is left at the end is idle workers. At most one worker of a cluster lies: two that say the
 * same could be believed.
 */
#ifndef MURAKUMO_SIM_MATESIM_H
#define MURAKUMO_SIM_MATESIM_H

#include <stdbool.h>
#include <stdint.h>

struct matesim_report {
    char broken[512]; /* the promise that was broken; empty = none */
    unsigned workers, orders;
    uint64_t steps, jobs, faults, hash;
    int64_t virtual_us;
};

/* Runs one seed to its end. False: a promise was broken. `trace` writes what happens to stderr. */
bool matesim_run(uint64_t seed, bool trace, struct matesim_report *report);

#endif
