/* gate.h - the TCP address that a coordinator listens on, as a socket of our own that the transport library borrows
 * (ZMQ_USE_FD): so a moment without new connections is possible, and those that are there stay.
 *
 *   open   SYN -> handshake -> the library accepts
 *   shut   SYNs are dropped by a filter in the kernel; who comes tries again by itself, the first time after a second
 *
 * (Unbinding would not do: libzmq 4.3.4 ends every connection that came in by the address.)
 *
 * It is shut when somebody floods, so that he cannot come back faster than his frames are thrown away, and when there
 * are no descriptors left: then whoever waits at the gate is sent away, too, or accept() would fail without end.
 *
 * Threads: as the link. The library's own thread accepts at the same time; that is harmless.
 */
#ifndef MURAKUMO_NET_GATE_H
#define MURAKUMO_NET_GATE_H

#include "common/net/endpoint.h"

#include <stdint.h>

enum {
    GATE_BACKLOG = 1024,
    GATE_RECEIVE_BYTES =
        64 << 10 /* what the kernel may hold for a connection (it doubles the number): 6 MB/s at 20 ms */
};

struct gate {
    int fd;           /* closed by the library; -1 = none */
    int spare;        /* a descriptor kept for sending people away when there is no other; -1 = none */
    int64_t opens_us; /* 0 = open */
};

/* Listens on a tcp endpoint. False: errno and why (static text). */
bool gate_open(struct gate *gate, const struct endpoint *endpoint, const char **why);
/* Nobody comes in until then; a later time counts. */
void gate_shut(struct gate *gate, int64_t until_us);
/* Resets the connections that nobody has accepted yet. */
void gate_send_away(struct gate *gate);
/* Opens it when it is time. */
void gate_look(struct gate *gate, int64_t now_us);
/* Gives the spare descriptor back; the library has closed, or will close, the socket. */
void gate_leave(struct gate *gate);

#endif
