/* metrics.h - counters of the coordinator. One X-macro line per counter: name, and what it counts. */
#ifndef MURAKUMO_COORDINATOR_METRICS_H
#define MURAKUMO_COORDINATOR_METRICS_H

#include <stdint.h>

#define METRICS(X)                                                                                                     \
    X(lines, "USI lines read")                                                                                         \
    X(lines_refused, "USI lines that were refused")                                                                    \
    X(messages, "messages received from workers")                                                                      \
    X(bad_frames, "frames that could not be decoded")                                                                  \
    X(duplicates, "messages received twice")                                                                           \
    X(gaps, "messages missing from the sequence of a worker")                                                          \
    X(strangers, "messages without a session")                                                                         \
    X(stale, "messages of an earlier session, search or attempt")                                                      \
    X(refused_workers, "workers that were not allowed to join")                                                        \
    X(workers_joined, "sessions opened")                                                                               \
    X(workers_lost, "sessions ended by silence or a broken connection")                                                \
    X(workers_left, "sessions ended by a goodbye")                                                                     \
    X(suspects, "times a worker became suspect")                                                                       \
    X(local_starts, "starts of local workers")                                                                         \
    X(jobs_sent, "jobs handed to workers")                                                                             \
    X(jobs_reissued, "jobs handed out again after a loss")                                                             \
    X(partials, "partial results used")                                                                                \
    X(results, "results used")                                                                                         \
    X(illegal_moves, "moves or lines of workers that the rules refused")                                               \
    X(lines_cut, "principal variations cut at the first illegal move")                                                 \
    X(gos, "searches asked for by the GUI")                                                                            \
    X(bestmoves, "answers given")                                                                                      \
    X(fallback_moves, "answers that no worker had a part in")                                                          \
    X(scan_positions, "positions scanned")                                                                             \
    X(tsume_positions, "positions solved or given up for mate orders")                                                 \
    X(effects_dropped, "info or log lines left out because a step had no room for them")

struct metrics {
#define METRICS_MEMBER(name, meaning) uint64_t name;
    METRICS(METRICS_MEMBER)
#undef METRICS_MEMBER
};

#endif
