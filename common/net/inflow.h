/* inflow.h - how many bytes each TCP connection brings in, asked of the kernel; one that brings too many is ended.
 *
 * The transport library buffers what a peer sends faster than we read (a receive limit can abort the process, see
 * link_zmq.h), and a message of endless parts never reaches us at all. The kernel's counter (TCP_INFO) sees both. Each
 * connection has a bucket: INFLOW_BYTES_PER_S flow in, at most INFLOW_BURST_BYTES are kept; when more has come, the
 * connection is shut down, and what the library had buffered for it is freed with it.
 *
 * The number of connections has a limit, too, well below that of descriptors: without descriptors libzmq 4.3.4 aborts
 * the process when somebody connects to an ipc address (its ipc_listener does not expect EMFILE).
 * A burst of connections may outrun this: have 1,024 descriptors or more.
 */
#ifndef MURAKUMO_NET_INFLOW_H
#define MURAKUMO_NET_INFLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    INFLOW_CONNECTIONS_MAX = 1024,
    INFLOW_BYTES_PER_S = 4 << 20,
    INFLOW_BURST_BYTES = 4 << 20,
    INFLOW_CHECK_US = 50 * 1000
};

struct inflow {
    struct inflow_connection {
        int fd; /* borrowed from the library */
        uint64_t received;
        int64_t budget_bytes, at_us;
    } items[INFLOW_CONNECTIONS_MAX];
    size_t count;
    size_t count_max; /* 0 = INFLOW_CONNECTIONS_MAX */
    int64_t due_us;
};

/* Room for descriptors of other kinds is left: half of them, three quarters of a small number. */
size_t inflow_connections_for(uint64_t descriptors);
/* False: there is no place; the connection should be ended. */
bool inflow_add(struct inflow *inflow, int fd, int64_t now_us);
void inflow_remove(struct inflow *inflow, int fd);
/* Shuts down what is too fast, at most every INFLOW_CHECK_US; returns how many. */
unsigned inflow_check(struct inflow *inflow, int64_t now_us);
/* When the next check should be; INT64_MAX: nothing to watch. */
int64_t inflow_due_us(const struct inflow *inflow);

/* Ends a connection for good: the peer is told at once (reset), the library notices and closes. */
void inflow_end(int fd);
/* The bucket alone: `bytes` have come since at_us. False: too many. */
bool inflow_pass(struct inflow_connection *connection, uint64_t received, int64_t now_us);

#endif
