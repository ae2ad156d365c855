/* inflow.h - how many bytes the TCP connections bring in, asked of the kernel; those that bring too many are ended.
 *
 * The transport library buffers what a peer sends faster than we read (a receive limit can abort the process, see
 * link_zmq.h), 128 bytes and more for a frame of 7, and a message of endless parts never reaches us at all. The
 * kernel's counter (TCP_INFO) sees both. Each connection has a bucket, and all together have one: so much flows in a
 * second, at most so much is kept. When more has come on one connection, that one is ended; when more has come on all,
 * those that brought at least half of an equal share since the common bucket was last full are, and it is filled again.
 * What the kernel still held for a connection that is ended is thrown away at once, what the library had buffered is
 * freed as it is read.
 *
 * While nothing much comes the kernel is asked rarely, else often: what a flood can bring in meanwhile is what the
 * library's thread takes in INFLOW_CALM_US.
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
    INFLOW_BURST_BYTES = 4 << 20,  /* of one connection and of all together */
    INFLOW_ALL_TIMES = 2,          /* all together may bring so many times what one may in a second */
    INFLOW_BUSY_BYTES = 256 << 10, /* spent of the common bucket: from here on the kernel is asked often */
    INFLOW_CALM_US = 20 * 1000,
    INFLOW_BUSY_US = 2 * 1000
};

/* A leaky bucket. Begins full: budget_bytes = INFLOW_BURST_BYTES. */
struct inflow_bucket {
    int64_t budget_bytes, at_us;
};

struct inflow {
    struct inflow_connection {
        int fd; /* borrowed from the library */
        int64_t since_us;
        uint64_t received;
        uint64_t share; /* bytes since the common bucket was full */
        struct inflow_bucket bucket;
    } items[INFLOW_CONNECTIONS_MAX];
    size_t count;
    size_t count_max; /* 0 = INFLOW_CONNECTIONS_MAX */
    struct inflow_bucket all;
    int64_t bytes_per_s; /* of one connection */
    int64_t due_us;
};

/* Nobody is there yet. */
void inflow_init(struct inflow *inflow, size_t count_max, int64_t bytes_per_s, int64_t now_us);
/* Room for descriptors of other kinds is left: half of them, three quarters of a small number. */
size_t inflow_connections_for(uint64_t descriptors);
/* False: there is no place; the connection should be ended. */
bool inflow_add(struct inflow *inflow, int fd, int64_t now_us);
void inflow_remove(struct inflow *inflow, int fd);
/* When the connection that has this descriptor now was added; INT64_MAX: none has it. */
int64_t inflow_since_us(const struct inflow *inflow, int fd);
/* Ends what is too fast, when it is time to look; returns how many. */
unsigned inflow_check(struct inflow *inflow, int64_t now_us);
/* When the next check should be; INT64_MAX: nothing to watch. */
int64_t inflow_due_us(const struct inflow *inflow);

/* Ends a connection for good: the peer is told at once (reset), what it had sent is dropped, the library notices and
 * closes. */
void inflow_end(int fd);
/* A bucket alone: `bytes` more have come. False: too many. */
bool inflow_pass(struct inflow_bucket *bucket, uint64_t bytes, int64_t bytes_per_s, int64_t now_us);

#endif
