/* measure.h - what N workers gain over one, position by position.
 *
 *   depths    of a position: the iterations that one worker finishes within the budget of nodes, but not within the
 *             first half of it; a position without one is left out
 *   right     the move of one worker after reference_factor times that budget
 *   speed-up  (time of one worker until a depth is finished with an exact score) / (time of N workers), the geometric
 *             mean over these depths: a single iteration is a matter of luck, which more of them even out
 *   answer    the same for the moment from which on the best move is the right one until the last depth is finished;
 * only positions count in which both end with the right move, and times below one turn count as one turn overhead
 * (nodes of N workers) / (nodes of one)
 *
 * A run that has not come to the last depth after twice the time of one worker is broken off, and counts with that
 * time for the depths that it has not come to.
 */
#ifndef MURAKUMO_SIMULATE_MEASURE_H
#define MURAKUMO_SIMULATE_MEASURE_H

#include "tests/sim/simulate/cluster.h"
#include "tests/sim/simulate/speedup.h"

#include <signal.h>

struct measure_position {
    struct position root;
    struct history *history;
    char sfen[128];
    int depth_plies; /* the last; 0: one worker finished nothing; left out */
    int depth_first_plies;
    int64_t depth_us[ENGINE_DEPTH_MAX + 1]; /* when one worker finished it; from depth_first_plies on */
    Move right;
    bool solved;                /* by one worker, at that depth */
    int64_t time_us, answer_us; /* time_us: of the last depth */
    uint64_t nodes;
};

/* One run of N workers on one position. Times are sums over the workers. */
struct measure_run {
    bool done, reached, solved;
    int64_t time_us, answer_us; /* until the last depth; until the right move for good */
    uint64_t nodes;
    double speedup, answer_speedup, overhead; /* answer_speedup 0: does not count */
    int64_t total_us, idle_us, hint_us;
    uint64_t frames, bytes, hints_received, hints_dropped;
};

struct measure_row { /* over all positions */
    const char *strategy;
    unsigned workers;
    double latency_ms; /* round trip */
    struct speedup depth, answer;
    size_t positions, unreached, solved;
    double overhead;                  /* geometric mean */
    double idle_share, hint_share;    /* of the time of all workers: nothing to do; taking hints */
    double frames_per_s, bytes_per_s; /* sent by one worker, in virtual time */
    double hints_received_per_s;      /* by one worker */
    uint64_t hints_dropped;
};

/* Searches with one worker: fills everything below `sfen`. `alone` has one worker. */
void measure_alone(struct cluster *alone, struct measure_position *position, int64_t budget_us, int reference_factor,
                   int64_t turn_us);
/* Searches all positions with depth_plies > 0 and fills runs[count]. `done` is called after each position; breaks off
 * when *interrupted becomes true. */
void measure_together(struct cluster *cluster, const struct cluster_options *options,
                      const struct cluster_search *search, const struct measure_position *positions, size_t count,
                      struct measure_run *runs, const volatile sig_atomic_t *interrupted, void (*done)(void *context),
                      void *context);
/* The runs that are done, put together: everything but strategy, workers and latency. */
struct measure_row measure_row_of(const struct measure_run *runs, size_t count, uint64_t seed);

#endif
