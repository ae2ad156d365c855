/* relay.c - see relay.h. */
#include "coordinator/relay.h"

#include "common/base/log.h"
#include "common/net/clock.h"
#include "common/net/endpoint.h"
#include "coordinator/core/hint_relay.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { TURN_FRAMES_MAX = 1024, ADDRESSES_MAX = LINK_ZMQ_LISTEN_MAX, PORT_MAX = 65535 };

struct relay {
    struct link *link;
    int wake_fd;
    atomic_bool over;
    bool started;
    pthread_t thread;
    char addresses[ADDRESSES_MAX][ENDPOINT_BYTES_MAX];
    size_t address_count;

    struct hint_relay table; /* the thread's own, like the link */
    _Atomic uint64_t relayed, sent, lost, bytes;
};

static void add(_Atomic uint64_t *counter, uint64_t amount)
{
    atomic_fetch_add_explicit(counter, amount, memory_order_relaxed);
}

static void take_frame(struct relay *relay, const struct link_event *event)
{
    static _Thread_local struct msg msg;
    uint64_t to[HINT_RELAY_PEERS_MAX];
    size_t count;
    if (msg_decode(&msg, event->bytes, event->count) != ST_OK) return;
    if (hint_relay_take(&relay->table, event->peer, &msg, event->count, clock_now_us(), to, &count) != ST_OK || !count)
        return;
    add(&relay->relayed, 1);
    for (size_t i = 0; i < count; i++) {
        if (link_send(relay->link, to[i], event->bytes, event->count) == LINK_SENT) {
            add(&relay->sent, 1);
            add(&relay->bytes, event->count);
        } else {
            add(&relay->lost, 1);
        }
    }
}

static void *run(void *argument)
{
    struct relay *relay = argument;
    struct link_event event;
    while (!atomic_load_explicit(&relay->over, memory_order_acquire)) {
        struct link_watch watch = {.fd = relay->wake_fd};
        link_wait(relay->link, &watch, 1, -1, false);
        for (int i = 0; i < TURN_FRAMES_MAX && link_receive(relay->link, &event); i++) {
            if (event.type == LINK_EVENT_FRAME) take_frame(relay, &event);
            if (event.type == LINK_EVENT_DISCONNECTED) hint_relay_gone(&relay->table, event.peer);
        }
    }
    link_close(relay->link, 0);
    return NULL;
}

struct relay *relay_new(void)
{
    struct relay *relay = calloc(1, sizeof *relay);
    if (!relay) return NULL;
    relay->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    relay->link = link_zmq_coordinator_new(LINK_HINTS_BYTES_PER_S);
    if (relay->wake_fd >= 0 && relay->link) return relay;
    relay_free(relay);
    return NULL;
}

/* "tcp://host:7654" -> host part with its length, and the port. */
static bool split_tcp(const char *address, int *host_length, long *port)
{
    const char *colon = strrchr(address, ':');
    if (strncmp(address, "tcp://", 6) != 0 || !colon || colon < address + 6) return false;
    *host_length = (int)(colon - address);
    *port = strtol(colon + 1, NULL, 10);
    return *port > 0 && *port <= PORT_MAX;
}

enum status relay_listen(struct relay *relay, const char *near, const struct link_zmq_keys *keys,
                         char why[KEY_TEXT_MAX])
{
    char address[ENDPOINT_BYTES_MAX];
    int host_length;
    long port;
    size_t index = relay->address_count;
    if (index == ADDRESSES_MAX) {
        snprintf(why, KEY_TEXT_MAX, "too many addresses");
        return ST_FULL;
    }
    bool tcp = split_tcp(near, &host_length, &port);
    enum status st = ST_RANGE;
    if (!tcp) {
        st = link_zmq_listen(relay->link, near, keys, why);
    } else {
        snprintf(address, sizeof address, "%.*s:%ld", host_length, near, port + 1);
        if (port < PORT_MAX) st = link_zmq_listen(relay->link, address, keys, why);
        if (st != ST_OK) { /* somebody else has that port: any other */
            snprintf(address, sizeof address, "%.*s:*", host_length, near);
            st = link_zmq_listen(relay->link, address, keys, why);
        }
    }
    if (st != ST_OK) return st;
    const char *bound = link_zmq_bound(relay->link, index);
    if (tcp && split_tcp(bound, &host_length, &port))
        snprintf(relay->addresses[index], ENDPOINT_BYTES_MAX, "tcp://*:%ld", port);
    else
        snprintf(relay->addresses[index], ENDPOINT_BYTES_MAX, "%s", bound);
    relay->address_count++;
    return ST_OK;
}

const char *relay_address(const struct relay *relay, size_t index) { return relay->addresses[index]; }

bool relay_start(struct relay *relay)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    relay->started = pthread_create(&relay->thread, NULL, run, relay) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return relay->started;
}

struct relay_counters relay_counters(const struct relay *relay)
{
    return (struct relay_counters){.relayed = atomic_load_explicit(&relay->relayed, memory_order_relaxed),
                                   .sent = atomic_load_explicit(&relay->sent, memory_order_relaxed),
                                   .lost = atomic_load_explicit(&relay->lost, memory_order_relaxed),
                                   .bytes = atomic_load_explicit(&relay->bytes, memory_order_relaxed)};
}

void relay_free(struct relay *relay)
{
    if (!relay) return;
    if (relay->started) {
        atomic_store_explicit(&relay->over, true, memory_order_release);
        uint64_t one = 1;
        while (write(relay->wake_fd, &one, sizeof one) < 0) {
        }
        pthread_join(relay->thread, NULL); /* it has closed the link */
        struct relay_counters c = relay_counters(relay);
        if (c.relayed)
            log_info("hints_relayed frames=%" PRIu64 " copies=%" PRIu64 " lost=%" PRIu64 " bytes=%" PRIu64, c.relayed,
                     c.sent, c.lost, c.bytes);
    } else {
        link_close(relay->link, 0);
    }
    if (relay->wake_fd >= 0) close(relay->wake_fd);
    free(relay);
}
