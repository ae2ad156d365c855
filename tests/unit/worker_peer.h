/* worker_peer.h - a worker as the coordinator's core sees it: what it says, as events. Peer n is the process n + 1. */
#ifndef MURAKUMO_TESTS_WORKER_PEER_H
#define MURAKUMO_TESTS_WORKER_PEER_H

#include "common/shogi/zobrist.h"
#include "coordinator/core/coord.h"

struct worker_peer {
    uint64_t session, sequence;
    int slot; /* of a local worker, or COORD_PEER_REMOTE */
};

/* Fills boot and sequence of the message, which must live as long as the event. */
static inline struct coord_event worker_peer_says(struct worker_peer *peer, unsigned n, struct msg *msg)
{
    msg->boot = n + 1;
    msg->sequence = ++peer->sequence;
    struct coord_event event = {.type = COORD_EV_MESSAGE};
    event.message.peer = n;
    event.message.local_slot = peer->slot;
    event.message.msg = msg;
    return event;
}

static inline struct msg worker_peer_hello(void)
{
    struct msg msg = {.type = MSG_hello};
    msg.hello = (struct msg_hello){.name = {"worker", 6},
                                   .build = {"b", 1},
                                   .eval_hash = 1,
                                   .zobrist_check = zobrist_check(),
                                   .threads = 1,
                                   .hash_mb = 1};
    return msg;
}

static inline struct msg worker_peer_configured(const struct worker_peer *peer, uint32_t config)
{
    struct msg msg = {.type = MSG_configured};
    msg.configured = (struct msg_configured){.session = peer->session, .config = config, .ok = true};
    return msg;
}

#endif
