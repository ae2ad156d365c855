/* hint_plane.h - the worker's end of the hint plane: a thread with a connection of its own between the search and the
 * relay, so that hints never wait for control messages, nor those for hints.
 *
 *   searcher_hints_take -> hint_filter -> relay        every BATCH_US while a search shares
 *   relay -> hint_filter -> searcher_hints_put
 *
 * Lossy by design: what the connection does not take at once is forgotten.
 *
 * Threads: all functions are called by the I/O thread; the plane's own thread owns the connection.
 */
#ifndef MURAKUMO_WORKER_HINT_PLANE_H
#define MURAKUMO_WORKER_HINT_PLANE_H

#include "common/net/endpoint.h"
#include "common/net/link_zmq.h"
#include "worker/searcher.h"

struct hint_plane_options {
    struct searcher *searcher;        /* must outlive the plane */
    const char *coordinator;          /* endpoint of the control connection: its host stands for `*` */
    const struct link_zmq_keys *keys; /* NULL: none; must outlive the plane */
    uint64_t boot;
};

struct hint_plane;
struct hint_plane *hint_plane_new(const struct hint_plane_options *options); /* NULL: no memory, thread or descriptor */
void hint_plane_free(struct hint_plane *plane);                              /* NULL is allowed */

/* A session has begun: its relay, as `welcome` named it; "" = there is none. */
void hint_plane_connect(struct hint_plane *plane, const char *endpoint, uint64_t session);
struct hint_plane_search {
    uint64_t scope;       /* 0: it shares nothing */
    int hint_plies;       /* the filter's gate never falls below, >= 1 */
    uint32_t bytes_per_s; /* budget for what is told */
    bool mate;            /* solvers of one mate need news sooner than searches do */
    bool first;           /* others may come; until one is heard nothing is told */
};
/* A search begins. */
void hint_plane_search(struct hint_plane *plane, const struct hint_plane_search *search);

/* Where the relay is: `named` with the host of `coordinator` for a host `*`. False: it does not fit, or makes no sense.
 */
bool hint_plane_address(const char *named, const char *coordinator, char out[ENDPOINT_BYTES_MAX]);

#endif
