/* coord.h - the coordinator: one state machine between a GUI, the workers and the scan orders.
 *
 *   for (;;) { wait until coord_deadline_ms(); ev = next event or TICK; coord_step(coord, &ev, fx); carry fx out; }
 *
 * Pure: no clock, socket, thread, disk, printing; no allocation after coord_new(). The same events give the same
 * effects. A refused event (status other than ST_OK) has changed nothing but a counter; on a lossy network that is
 * normal.
 */
#ifndef MURAKUMO_COORDINATOR_COORD_H
#define MURAKUMO_COORDINATOR_COORD_H

#include "coordinator/core/absent.h"
#include "coordinator/core/event.h"
#include "coordinator/core/metrics.h"

struct coord;

enum { COORD_ADDRESS_BYTES_MAX = 160 };

struct coord_config {
    const char *name;        /* "Murakumo 0.1.0": copied, at most 64 bytes; NULL = "Murakumo" */
    uint64_t boot;           /* random, never 0, new for every process start */
    bool serves;             /* a daemon: `quit` ends the conversation with one front end, not the coordinator */
    unsigned local_workers;  /* child processes to keep running, 0..COORD_LOCAL_MAX; 0 = remote workers only */
    uint32_t threads;        /* default of the option Threads (search threads of each local worker); 0 = 1 */
    uint32_t hash_mb;        /* default of the option USI_Hash (table of each local worker); 0 = 1024 */
    uint32_t heartbeat_ms;   /* 0 = 200 */
    uint32_t suspect_ms;     /* 0 = 800; plus four round trips */
    uint32_t dead_ms;        /* 0 = 2000; plus four round trips */
    uint32_t ready_wait_ms;  /* how long `isready` waits for a worker that does not show up; 0 = 8000 */
    uint32_t worker_wait_ms; /* how long a `go` without a clock waits for a first worker; 0 = 3000 */
    const char *hints_local, *hints_remote; /* where hints are relayed, for our own children and for others; copied, at
                                               most COORD_ADDRESS_BYTES_MAX; NULL or "" = nowhere */
    uint32_t grain_ms;       /* least work that a part of a split search is to hold; 0 = by the round trip, >= 5 */
    uint64_t fallback_nodes; /* own search at the start of each `go`; 0 = FALLBACK_NODES_FIRST */
    uint64_t
        eval_hash; /* only workers with this evaluation may join; 0 = that of the first worker, or of a local one */
    bool uniform;  /* remote workers too get `threads` and `hash_mb`: results depend on them */
    uint64_t zobrist_check; /* only workers with these position keys; 0 = our own, zobrist_check() */
};

/* NULL when memory is short or the config is out of range. The first TICK starts the local workers: it is due at once.
 */
struct coord *coord_new(const struct coord_config *config);
void coord_free(struct coord *coord); /* NULL is allowed */

/* Empties *out, takes the event, fills *out. ST_STALE, ST_UNKNOWN, ST_DUPLICATE, ST_FULL, ...: refused and counted;
 * *out may still hold an answer to the sender (a `reset`, a `refuse`, an `info string`). */
enum status coord_step(struct coord *coord, const struct coord_event *event, struct coord_effects *out);

/* When the next TICK is due, on the clock of now_us / 1000; INT64_MAX: never. A time in the past means at once. */
int64_t coord_deadline_ms(const struct coord *coord);

/* ---- for the status page ---- */

struct coord_worker_snapshot {
    char name[WIRE_NAME_BYTES_MAX + 1], build[WIRE_TEXT_BYTES_MAX + 1];
    uint64_t peer, boot, session, nodes;
    uint32_t threads, hash_mb;
    int32_t rtt_us;    /* smoothed; -1 = not measured yet */
    int64_t silent_ms; /* since its last message */
    int local_slot;
    bool suspect, configured, busy, trusted;
    uint64_t job_epoch; /* of the job it has; 0 = none */
    uint32_t job, job_attempt;
};

struct coord_snapshot {
    int64_t now_ms;
    const char *phase; /* "idle", "thinking", "pondering", "holding", "mate" */
    uint64_t epoch;
    char sfen[WIRE_SFEN_BYTES_MAX]; /* position of the last `position` */
    char best[8];                   /* what would be answered now; empty when idle */
    int32_t score;
    uint32_t score_kind, depth;
    uint64_t nodes;
    uint32_t scan_games, scan_positions_left;
    struct metrics metrics;
    const struct absent *absent; /* borrowed: newest first by at_ms, not sorted */
    uint32_t absent_count;
    uint32_t worker_count;
    struct coord_worker_snapshot workers[COORD_WORKERS_MAX]; /* only so many are set */
};

void coord_snapshot(const struct coord *coord, struct coord_snapshot *out);

#endif
