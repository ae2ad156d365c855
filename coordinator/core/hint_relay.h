/* hint_relay.h - who gets which hints: the pure half of the relay (coordinator/relay.h is the thread around it).
 *
 *   hints_join{scope}   this peer wants the hints of that scope, and of no other
 *   hints{scope, ...}   goes, byte for byte, to all other peers of the scope
 *
 * The plane is lossy by design: what exceeds a peer's budget is dropped and counted, nobody is told. Nothing that is
 * relayed is looked into: receivers check every entry before they use it.
 */
#ifndef MURAKUMO_COORDINATOR_HINT_RELAY_H
#define MURAKUMO_COORDINATOR_HINT_RELAY_H

#include "common/base/status.h"
#include "proto/msg.h"

#include <stddef.h>
#include <stdint.h>

enum {
    HINT_RELAY_PEERS_MAX = 256,
    HINT_RELAY_BYTES_PER_S = 20 << 20, /* that one peer may send */
    HINT_RELAY_BURST_BYTES = 2 << 20
};

struct hint_relay_peer {
    uint64_t peer, scope; /* peer 0: place is free; scope 0: wants nothing */
    int64_t tokens;       /* bytes that it may still send */
    int64_t filled_us;    /* when they were counted last */
};

struct hint_relay { /* all zero = nobody there */
    struct hint_relay_peer peers[HINT_RELAY_PEERS_MAX];
    unsigned high;    /* places[high..] have never been used */
    uint64_t relayed; /* frames that came in and went to somebody */
    uint64_t dropped; /* over budget, of another scope than the sender's, or nobody to send to */
    uint64_t refused; /* no message of this plane, or no place left */
};

/* Takes a decoded frame of `bytes` bytes. Fills to[0 .. *count) with the peers that it is to be sent to.
 * ST_FULL: no place left; ST_UNKNOWN: not of this plane; ST_STALE: another scope, or over budget. */
enum status hint_relay_take(struct hint_relay *relay, uint64_t peer, const struct msg *msg, size_t bytes,
                            int64_t now_us, uint64_t to[HINT_RELAY_PEERS_MAX], size_t *count);
void hint_relay_gone(struct hint_relay *relay, uint64_t peer);

#endif
