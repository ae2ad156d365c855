/* chaos.h - a TCP proxy that is a bad network: it stands between workers and a coordinator, in user space, on loopback.
 *
 *   worker --tcp--> proxy --tcp--> coordinator        up = from worker to coordinator
 *
 * A process of its own; the test turns its knobs through shared memory while everything runs. It keeps TCP's promises
 * (order, no loss inside a connection), as real networks do: a lost packet shows as a chunk that comes one
 * retransmission later, with everything behind it. A blocked direction delivers nothing until it is opened again, and
 * nobody is told (half-open, one-way partition); a cut resets every connection.
 */
#ifndef MURAKUMO_E2E_CHAOS_H
#define MURAKUMO_E2E_CHAOS_H

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

enum { CHAOS_RETRANSMIT_MS = 200 };

struct chaos_knobs {
    atomic_int delay_ms, jitter_ms; /* each way: delay +- jitter */
    atomic_int loss_permille;       /* of chunks: one retransmission later */
    atomic_int block_up, block_down;
    atomic_int cuts;     /* raise it to reset all connections */
    atomic_int refusing; /* new connections are reset at once */
    atomic_uint_least64_t chunks, stalls, connections;
};

struct chaos {
    pid_t pid;
    struct chaos_knobs *knobs;
    char endpoint[64]; /* for workers: tcp://127.0.0.1:PORT */
};

/* target: "tcp://127.0.0.1:PORT". The test fails when it cannot be started. It ends with the test. */
void chaos_start(struct chaos *chaos, const char *target, uint64_t seed);
/* The same at another host of loopback, "127.0.0.2", with the target's port: a worker that connects to that host finds
 * the other ports of the coordinator there, too, each behind a proxy of its own. */
void chaos_start_at(struct chaos *chaos, const char *host, const char *target, uint64_t seed);
void chaos_end(struct chaos *chaos);

#endif
