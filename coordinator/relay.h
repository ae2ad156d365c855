/* relay.h - the hint plane's relay: a thread with sockets of its own that passes hints from worker to worker, so that
 * the coordinator's loop never sees them. Lossy and bounded: a receiver that is slow loses hints.
 *
 * Addresses: a private one in the directory of the coordinator's sockets, and, if workers from elsewhere may come, a
 * tcp one beside the coordinator's own (its port + 1 if that is free), with the same keys and the same list of who may.
 * Threads: made and freed by one owner; the thread in between owns the link.
 */
#ifndef MURAKUMO_COORDINATOR_RELAY_H
#define MURAKUMO_COORDINATOR_RELAY_H

#include "common/net/link_zmq.h"

struct relay;
struct relay_counters {
    uint64_t relayed, sent, lost, bytes; /* frames taken and passed on; copies sent; copies that a receiver did not
                                            take; bytes sent */
};

/* NULL: no memory, no descriptors. */
struct relay *relay_new(void);
/* Before relay_start. `near`: the coordinator's own address as bound, or an ipc address to bind as it is. */
MUST_USE enum status relay_listen(struct relay *relay, const char *near, const struct link_zmq_keys *keys,
                                  char why[KEY_TEXT_MAX]);
/* Where the index-th relay_listen() is to be found, as `welcome` says it: a tcp host is `*`, the host that the worker
 * is connected to already. */
const char *relay_address(const struct relay *relay, size_t index);
bool relay_start(struct relay *relay);
struct relay_counters relay_counters(const struct relay *relay);
void relay_free(struct relay *relay); /* ends the thread; NULL is allowed */

#endif
