/* link.h - port: whole frames between one coordinator and many workers, without saying how they travel.
 *
 * A frame either arrives whole or not at all. Nothing is promised about delivery: what matters is acknowledged by the
 * protocol above. Nothing here ever blocks but link_wait(). A link belongs to the thread that made it.
 *
 * Peers are numbers: a coordinator's link gives every connection a new one and never uses one twice; a worker's link
 * has the single peer LINK_COORDINATOR.
 *
 * Behind this port: common/net/link_zmq.h for real machines, and whatever a test puts there.
 */
#ifndef MURAKUMO_NET_LINK_H
#define MURAKUMO_NET_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LINK_COORDINATOR = 1, LINK_IDENTITY_BYTES_MAX = 33 };

enum link_sent {
    LINK_SENT, /* handed to the transport */
    LINK_FULL, /* the peer takes nothing at the moment (or is not connected yet, on a worker's link) */
    LINK_GONE  /* there is no such connection any more */
};

enum link_event_type {
    LINK_EVENT_FRAME,        /* `peer`, `bytes`, `count`, `identity` */
    LINK_EVENT_CONNECTED,    /* worker's link only: hello may be said */
    LINK_EVENT_DISCONNECTED, /* `peer` is gone; what was on the way may be lost */
    LINK_EVENT_TROUBLE, /* worker's link only: no handshake succeeds; `reason`; it goes on trying, ever more slowly */
    LINK_EVENT_REFUSED  /* worker's link only: the other side does not let us in; `reason`; trying again is no use */
};

struct link_event {
    enum link_event_type type;
    uint64_t peer;
    const uint8_t *bytes; /* borrowed until the next call on the link */
    size_t count;
    const char *reason;                     /* static text, for people */
    char identity[LINK_IDENTITY_BYTES_MAX]; /* proved by the peer's key; "" on a link without keys */
};

struct link_counters {
    uint64_t frames_in, frames_out, bytes_in, bytes_out;
    uint64_t malformed; /* multipart, oversized address, ... : thrown away */
    uint64_t refused;   /* handshakes that failed */
    uint64_t gone, full;
    uint64_t flooded; /* frames that came too fast and connections ended for that */
};

/* A descriptor that is waited for beside the link. */
struct link_watch {
    int fd;          /* -1: ignored */
    bool want_write; /* in: wait until it takes bytes, instead of until it has some */
    bool ready;      /* out; also when the other side has gone */
};

struct link;
struct link_ops {
    enum link_sent (*send)(struct link *link, uint64_t peer, const uint8_t *bytes, size_t count);
    bool (*receive)(struct link *link, struct link_event *event);
    void (*wait)(struct link *link, struct link_watch *watches, size_t count, int64_t timeout_ms, bool want_send);
    void (*reconnect)(struct link *link);
    void (*close)(struct link *link, int64_t linger_ms);
};
struct link { /* first member of every implementation */
    const struct link_ops *ops;
    struct link_counters counters;
};

static inline enum link_sent link_send(struct link *link, uint64_t peer, const uint8_t *bytes, size_t count)
{
    return link->ops->send(link, peer, bytes, count);
}
/* False: nothing more at the moment. Call in a loop with an upper limit, so that a flood does not starve the rest. */
static inline bool link_receive(struct link *link, struct link_event *event) { return link->ops->receive(link, event); }
/* Sleeps until the link has something, a watched descriptor is readable, timeout_ms (< 0: no limit) is over, a signal
 * came or, with want_send, a worker's link takes frames again. Sets watches[].ready. May return early. */
static inline void link_wait(struct link *link, struct link_watch *watches, size_t count, int64_t timeout_ms,
                             bool want_send)
{
    link->ops->wait(link, watches, count, timeout_ms, want_send);
}
/* Worker's link: throws the connection away and starts a new one. */
static inline void link_reconnect(struct link *link) { link->ops->reconnect(link); }
/* Frees the link; frames on their way out get up to linger_ms. NULL is allowed. */
static inline void link_close(struct link *link, int64_t linger_ms)
{
    if (link) link->ops->close(link, linger_ms);
}

#endif
