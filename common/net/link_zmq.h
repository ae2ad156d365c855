/* link_zmq.h - the link of real machines: ZeroMQ ROUTER (coordinator) and DEALER (worker). Only
 * link_zmq.c and zap_service.c include zmq.h.
 *
 * Without keys only addresses are listened on that nobody else can reach (endpoint.h); anywhere else the coordinator's
 * key and a directory of workers' public keys are required, and the library asks our ZAP thread about every peer.
 * There is no switch to turn that off.
 *
 * Settings and their reasons (libzmq 4.3.4): RCVHWM 0, because a full inbound pipe plus heartbeats can abort the
 * process; LINGER 0, or a vanished peer would hang the exit; ROUTER_MANDATORY 1, so that a vanished peer is noticed;
 * IMMEDIATE 1, so that nothing is queued for a coordinator that is away; no routing ids of the peer's choice;
 * HANDSHAKE_IVL 3 s against idle connections; the library's own heartbeats (1 s / 3 s) only keep connections clean.
 *
 * A key that is struck off the list ends its connection within a second or two (roll.h).
 *
 * A peer that sends more than LINK_PEER_FRAMES_PER_S or more bytes than inflow.h allows loses its connection, and for
 * a moment no new ones are let in (gate.h); more than LINK_PEERS_MAX connections at a time are not kept.
 *
 * Every handshake that is refused is noted with its reason (link_zmq_refusals).
 *
 * Threads: a link belongs to the thread that made it (plus one internal thread that answers ZAP); it may be handed to
 * another one before it is used there.
 */
#ifndef MURAKUMO_NET_LINK_ZMQ_H
#define MURAKUMO_NET_LINK_ZMQ_H

#include "common/base/status.h"
#include "common/net/keys.h"
#include "common/net/link.h"
#include "common/net/refusals.h"

enum {
    LINK_ZMQ_LISTEN_MAX = 80,
    LINK_PEERS_MAX = 1024,
    LINK_FRAME_BYTES_MAX = 65536,
    LINK_PEER_FRAMES_PER_S = 20000,
    LINK_CONTROL_BYTES_PER_S = 4 << 20, /* jobs, reports, results */
    LINK_HINTS_BYTES_PER_S = 32 << 20   /* twice what a mate solver tells (coordinator/core/tsume.c) */
};

struct link_zmq_keys {
    const struct key_pair *own;    /* borrowed for the call; the secret half is needed */
    const char *allowed_directory; /* coordinator: the workers' .pub files; read again at each handshake */
};

/* A coordinator's link without an address yet. bytes_per_s: what one connection may bring (inflow.h). NULL: no memory
 * or no descriptors. */
struct link *link_zmq_coordinator_new(int64_t bytes_per_s);
/* Adds an address. keys NULL: private addresses only. why[]: one line with the remedy. */
MUST_USE enum status link_zmq_listen(struct link *link, const char *endpoint, const struct link_zmq_keys *keys,
                                     char why[KEY_TEXT_MAX]);
/* Which link_zmq_listen() (0, 1, ...) did this peer come in by? */
size_t link_zmq_listener_of(uint64_t peer);
/* The address really bound by the index-th link_zmq_listen(), with the port number that `*` became. */
const char *link_zmq_bound(const struct link *link, size_t index);

/* Handshakes that failed and connections that were ended on a coordinator's link. Copies them; returns how many. */
size_t link_zmq_refusals(struct link *link, struct link_refusal out[LINK_REFUSALS_MAX]);

/* A worker's link; it connects and reconnects by itself. keys NULL: private addresses only. NULL: why[] says it. */
struct link *link_zmq_worker_new(const char *endpoint, const struct link_zmq_keys *keys, char why[KEY_TEXT_MAX]);

/* "ZeroMQ 4.3.4" */
void link_zmq_library(char out[64]);
/* A fresh CURVE pair as Z85 text. False: the library was built without CURVE. */
bool link_zmq_key_make(char public_z85[KEY_Z85_CHARS + 1], char secret_z85[KEY_Z85_CHARS + 1]);
/* Do the two halves belong together? */
bool link_zmq_key_matches(const struct key_pair *key);

#endif
