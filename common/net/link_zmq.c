/* link_zmq.c - see link_zmq.h. */
#include "common/net/link_zmq.h"

#include "common/net/clock.h"
#include "common/net/endpoint.h"
#include "common/net/gate.h"
#include "common/net/inflow.h"
#include "common/net/refusals.h"
#include "common/net/roll.h"
#include "common/net/zap_service.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zmq.h>

#ifndef ZMQ_ZAP_ENFORCE_DOMAIN
#define ZMQ_ZAP_ENFORCE_DOMAIN 93 /* understood by libzmq since 4.3, declared in later headers only */
#endif

enum {
    WATCHES_MAX = 32,
    CURVE_OVERHEAD_BYTES = 33,
    ROUTING_ID_BYTES = 5, /* 0, then a number made by the library */
    PROBE_ROUNDS = 6, /* after a connection was lost, look which one: at once, then again and again: the library's own
                       * thread may need a moment on a busy machine */
    PROBE_APART_US = 4 * 1000, /* doubles with each round */
    FAILURES_MAX = 3,          /* the library retries failed handshakes four times a second, for ever: take over */
    RETRY_FIRST_US = 1000 * 1000,
    RETRY_LONGEST_US = 60 * 1000 * 1000,
    EXHAUSTED_US = 1200 * 1000, /* out of descriptors: nobody comes in for a moment, or the library would spin */
    FLOODED_US = 250 * 1000,    /* who flooded does not come back at once */
    LOOK_APART_US = 2 * 1000,
    ACCEPT_TOLD_US = 50 * 1000, /* we may hear of a connection so long after its first frame */
    TRIM_APART_US = 100 * 1000,
    TRIM_AFTER_US = 3 * 1000 * 1000,
    THROWN_IN_A_ROW = 4096 /* frames of a flood, a millisecond or so, before the caller may see to other things */
};

struct listener {
    void *router, *monitor;
    char endpoint[ENDPOINT_BYTES_MAX], bound[ENDPOINT_BYTES_MAX];
    struct gate gate; /* tcp only */
    bool keyed;
};

struct link_zmq {
    struct link base;
    void *context;
    zmq_msg_t frame; /* what the last event points into */
    bool frame_held;
    unsigned monitors; /* names need numbers */

    /* coordinator */
    struct listener listeners[LINK_ZMQ_LISTEN_MAX];
    size_t listener_count, listener_next;
    struct peer {
        uint64_t number;
        int64_t first_us;  /* its first frame was read then */
        int64_t second_us; /* frames are counted since then */
        uint32_t frames;
    } peers[LINK_PEERS_MAX];
    size_t peer_count, probe_next;
    struct inflow inflow;
    int64_t look_due_us, trim_due_us; /* connections_look_after() */
    int64_t trim_until_us;            /* memory of a flood may still come free */
    int probe_rounds;
    int64_t probe_due_us, probe_apart_us;
    struct zap_service *zap;
    struct refusals refusals;
    struct roll roll;

    /* worker */
    void *dealer, *monitor;
    char endpoint[ENDPOINT_BYTES_MAX];
    struct key_pair key; /* secret; wiped at close */
    bool keyed, ipv6, connected;
    unsigned failures;    /* handshakes since the last one that succeeded */
    int64_t retry_due_us; /* 0: the library connects by itself; else the socket is closed until then */
    int64_t retry_wait_us;
};

static struct link_zmq *self(struct link *link) { return (struct link_zmq *)link; }

static bool set_int(void *socket, int option, int value)
{
    return zmq_setsockopt(socket, option, &value, sizeof value) == 0;
}

/* Everything that both kinds of sockets share, before bind or connect. */
static bool socket_prepare(void *socket, bool ipv6)
{
    int64_t frame_max = LINK_FRAME_BYTES_MAX + CURVE_OVERHEAD_BYTES;
    return set_int(socket, ZMQ_LINGER, 0) && set_int(socket, ZMQ_RCVHWM, 0) && set_int(socket, ZMQ_SNDHWM, 1000) &&
           set_int(socket, ZMQ_HANDSHAKE_IVL, 3000) && set_int(socket, ZMQ_CONNECT_TIMEOUT, 3000) &&
           set_int(socket, ZMQ_HEARTBEAT_IVL, 1000) && set_int(socket, ZMQ_HEARTBEAT_TIMEOUT, 3000) &&
           set_int(socket, ZMQ_TCP_KEEPALIVE, 1) && set_int(socket, ZMQ_TCP_MAXRT, 10000) &&
           set_int(socket, ZMQ_IPV6, ipv6) && zmq_setsockopt(socket, ZMQ_MAXMSGSIZE, &frame_max, sizeof frame_max) == 0;
}

static void *monitor_open(struct link_zmq *link, void *socket, int events)
{
    char name[64];
    snprintf(name, sizeof name, "inproc://monitor-%u", ++link->monitors);
    if (zmq_socket_monitor(socket, name, events) != 0) return NULL;
    void *monitor = zmq_socket(link->context, ZMQ_PAIR);
    if (!monitor) return NULL;
    set_int(monitor, ZMQ_LINGER, 0);
    if (zmq_connect(monitor, name) == 0) return monitor;
    zmq_close(monitor);
    return NULL;
}

/* One monitor event; false: none. */
static bool monitor_read(void *monitor, int *event, uint32_t *value)
{
    zmq_msg_t message;
    zmq_msg_init(&message);
    bool found = zmq_msg_recv(&message, monitor, ZMQ_DONTWAIT) >= 6;
    if (found) {
        uint16_t number;
        memcpy(&number, zmq_msg_data(&message), sizeof number);
        memcpy(value, (const uint8_t *)zmq_msg_data(&message) + 2, sizeof *value);
        *event = number;
        while (zmq_msg_more(&message) && zmq_msg_recv(&message, monitor, ZMQ_DONTWAIT) >= 0) {
        }
    }
    zmq_msg_close(&message);
    return found;
}

static void frame_release(struct link_zmq *link)
{
    if (link->frame_held) zmq_msg_close(&link->frame);
    link->frame_held = false;
}

/* Throws the rest of a message away. The library delivers a message only when it is complete, so this ends. */
static void rest_drain(void *socket, zmq_msg_t *message)
{
    while (zmq_msg_more(message) && zmq_msg_recv(message, socket, ZMQ_DONTWAIT) >= 0) {
    }
}

static void wait_items(zmq_pollitem_t *items, size_t count, struct link_watch *watches, size_t watch_count,
                       int64_t timeout_ms)
{
    assert(watch_count <= WATCHES_MAX);
    size_t first = count;
    for (size_t i = 0; i < watch_count; i++) {
        watches[i].ready = false;
        short events = watches[i].want_write ? ZMQ_POLLOUT : ZMQ_POLLIN;
        if (watches[i].fd >= 0) items[count++] = (zmq_pollitem_t){.fd = watches[i].fd, .events = events};
    }
    long timeout = timeout_ms < 0 ? -1 : timeout_ms > INT_MAX ? INT_MAX : (long)timeout_ms;
    if (zmq_poll(items, (int)count, timeout) <= 0) return;
    for (size_t i = 0; i < watch_count; i++)
        if (watches[i].fd >= 0) watches[i].ready = items[first++].revents != 0;
}

/* ---- coordinator ----------------------------------------------------------------------------------------------- */

static uint64_t peer_number(size_t listener, const uint8_t *id)
{
    return (uint64_t)(listener + 1) << 32 | (uint64_t)id[1] << 24 | (uint64_t)id[2] << 16 | (uint64_t)id[3] << 8 |
           id[4];
}

/* The listener of a peer and its routing id; NULL: no such number. */
static struct listener *peer_address(struct link_zmq *link, uint64_t peer, uint8_t id[ROUTING_ID_BYTES])
{
    uint64_t index = peer >> 32;
    if (index == 0 || index > link->listener_count) return NULL;
    id[0] = 0;
    for (int i = 0; i < 4; i++) id[1 + i] = (uint8_t)(peer >> (24 - 8 * i));
    return &link->listeners[index - 1];
}

static size_t peer_find(const struct link_zmq *link, uint64_t peer)
{
    size_t i = 0;
    while (i < link->peer_count && link->peers[i].number != peer) i++;
    return i;
}

/* NULL: all places are taken. */
static struct peer *peer_of(struct link_zmq *link, uint64_t number)
{
    size_t i = peer_find(link, number);
    if (i == LINK_PEERS_MAX) return NULL;
    if (i == link->peer_count)
        link->peers[link->peer_count++] = (struct peer){.number = number, .first_us = clock_now_us()};
    return &link->peers[i];
}

/* The name is proved by the key, and stands on the payload frame, not on the id. */
static const char *frame_identity(struct link_zmq *link)
{
    const char *name = zmq_msg_gets(&link->frame, "User-Id");
    return name ? name : "";
}

static bool sender_is_on_roll(struct link_zmq *link)
{
    const char *name = frame_identity(link);
    return !name[0] || roll_has(&link->roll, name);
}

/* Counts a frame. Too many in a second: nothing honest does that, and our own loop would have no time for the rest. */
static bool peer_floods(struct peer *peer)
{
    int64_t now_us = clock_now_us();
    if (now_us - peer->second_us >= 1000 * 1000) {
        peer->second_us = now_us;
        peer->frames = 0;
    }
    return ++peer->frames > LINK_PEER_FRAMES_PER_S;
}

/* Somebody flooded: the memory that it took may come free for a while, and he need not be back at once. */
static void flood_note(struct link_zmq *link, int64_t now_us)
{
    link->trim_until_us = now_us + TRIM_AFTER_US;
    for (size_t i = 0; i < link->listener_count; i++) gate_shut(&link->listeners[i].gate, now_us + FLOODED_US);
}

/* Ends the connection that the held frame came by. The library has no call for that, but tells the descriptor. Frames
 * of one that has ended are read for a while: its descriptor may be somebody else's by then, who came later. */
static void frame_source_shut(struct link_zmq *link, const struct peer *sender, const char *why)
{
    int fd = zmq_msg_get(&link->frame, ZMQ_SRCFD);
    if (fd >= 0 && inflow_since_us(&link->inflow, fd) <= sender->first_us + ACCEPT_TOLD_US) inflow_end(fd);
    refusals_note(&link->refusals, "", "", why);
}

static enum link_sent router_send_raw(struct link_zmq *link, uint64_t peer, const uint8_t *bytes, size_t count)
{
    uint8_t id[ROUTING_ID_BYTES];
    struct listener *listener = peer_address(link, peer, id);
    if (!listener) return LINK_GONE;
    if (zmq_send(listener->router, id, sizeof id, ZMQ_SNDMORE | ZMQ_DONTWAIT) < 0)
        return errno == EAGAIN ? LINK_FULL : LINK_GONE;
    if (zmq_send(listener->router, bytes, count, ZMQ_DONTWAIT) < 0) return LINK_GONE;
    return LINK_SENT;
}

static void probe_begin(struct link_zmq *link, int rounds)
{
    link->probe_rounds = rounds;
    link->probe_next = 0;
    link->probe_due_us = 0;
    link->probe_apart_us = PROBE_APART_US;
}

static enum link_sent router_send(struct link *base, uint64_t peer, const uint8_t *bytes, size_t count)
{
    struct link_zmq *link = self(base);
    enum link_sent sent = router_send_raw(link, peer, bytes, count);
    if (sent == LINK_SENT) {
        base->counters.frames_out++;
        base->counters.bytes_out += count;
    } else if (sent == LINK_FULL) {
        base->counters.full++;
    } else {
        base->counters.gone++;
        if (link->probe_rounds == 0) probe_begin(link, 1); /* tells it as an event, too */
    }
    return sent;
}

size_t link_zmq_refusals(struct link *base, struct link_refusal out[LINK_REFUSALS_MAX])
{
    return refusals_copy(&self(base)->refusals, out);
}

static const char *handshake_story(bool keyed, int event, uint32_t value)
{
    if (event == ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL && value == ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH)
        return keyed ? "came without keys; this address needs them (murakumo-worker --key FILE)"
                     : "came with keys; this address is used without (murakumo --keys DIR)";
    if (event == ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL && value == ZMQ_PROTOCOL_ERROR_ZMTP_CRYPTOGRAPHIC)
        return "looks for another coordinator's key (line `server` of its key file)";
    if (event == ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL) return "does not speak this protocol";
    return "hung up before it had shown who it is";
}

static void monitors_read(struct link_zmq *link)
{
    for (size_t i = 0; i < link->listener_count; i++) {
        struct listener *listener = &link->listeners[i];
        int event;
        uint32_t value;
        while (monitor_read(listener->monitor, &event, &value)) {
            if (event == ZMQ_EVENT_ACCEPTED) {
                if (!inflow_add(&link->inflow, (int)value, clock_now_us())) {
                    inflow_end((int)value);
                    refusals_note(&link->refusals, "", "", "came while all places for connections were taken");
                }
            } else if (event == ZMQ_EVENT_DISCONNECTED) {
                inflow_remove(&link->inflow, (int)value);
                probe_begin(link, PROBE_ROUNDS);
            } else if (event == ZMQ_EVENT_ACCEPT_FAILED) {
                if (value != EMFILE && value != ENFILE && value != ENOBUFS && value != ENOMEM) continue;
                gate_shut(&listener->gate, clock_now_us() + EXHAUSTED_US);
                gate_send_away(&listener->gate);
            } else {
                link->base.counters.refused++;
                if (event != ZMQ_EVENT_HANDSHAKE_FAILED_AUTH) /* that one ZAP has told with more detail */
                    refusals_note(&link->refusals, "", "", handshake_story(listener->keyed, event, value));
            }
        }
        gate_look(&listener->gate, clock_now_us());
    }
}

/* An empty frame is a question to the library only: is there still a connection? Workers ignore it. */
static bool probe(struct link_zmq *link, uint64_t *gone)
{
    if (link->probe_rounds == 0 || clock_now_us() < link->probe_due_us) return false;
    while (link->probe_next < link->peer_count) {
        uint64_t peer = link->peers[link->probe_next].number;
        if (router_send_raw(link, peer, (const uint8_t *)"", 0) == LINK_GONE) {
            link->peers[link->probe_next] = link->peers[--link->peer_count];
            *gone = peer;
            return true;
        }
        link->probe_next++;
    }
    link->probe_next = 0;
    link->probe_rounds--;
    link->probe_due_us = clock_now_us() + link->probe_apart_us;
    link->probe_apart_us *= 2;
    return false;
}

/* Takes one message of a listener. 1: an event; 0: something was thrown away, look again; -1: nothing there. */
static int router_take(struct link_zmq *link, size_t index, struct link_event *event)
{
    void *router = link->listeners[index].router;
    zmq_msg_t id;
    zmq_msg_init(&id);
    if (zmq_msg_recv(&id, router, ZMQ_DONTWAIT) < 0) {
        zmq_msg_close(&id);
        return -1;
    }
    int found = 0;
    zmq_msg_init(&link->frame);
    link->frame_held = true;
    const uint8_t *id_bytes = zmq_msg_data(&id);
    if (!zmq_msg_more(&id) || zmq_msg_recv(&link->frame, router, ZMQ_DONTWAIT) < 0) {
        link->base.counters.malformed++;
    } else if (zmq_msg_more(&link->frame)) {
        rest_drain(router, &link->frame);
        link->base.counters.malformed++;
    } else if (zmq_msg_size(&id) != ROUTING_ID_BYTES || id_bytes[0] != 0) {
        link->base.counters.malformed++; /* a routing id of the peer's own choice */
    } else {
        uint64_t peer = peer_number(index, id_bytes);
        struct peer *sender = peer_of(link, peer);
        if (sender && peer_floods(sender)) {
            link->base.counters.flooded++;
            if (sender->frames == LINK_PEER_FRAMES_PER_S + 1) {
                flood_note(link, clock_now_us());
                frame_source_shut(link, sender, "sent more frames in a second than are taken: connection ended");
            }
        } else if (sender && !sender_is_on_roll(link)) {
            frame_source_shut(link, sender, "its key was struck off the list: connection ended");
        } else if (sender) {
            event->type = LINK_EVENT_FRAME;
            event->peer = peer;
            event->bytes = zmq_msg_data(&link->frame);
            event->count = zmq_msg_size(&link->frame);
            snprintf(event->identity, sizeof event->identity, "%s", frame_identity(link));
            link->base.counters.frames_in++;
            link->base.counters.bytes_in += event->count;
            found = 1;
        } else {
            link->base.counters.full++;
        }
    }
    zmq_msg_close(&id);
    if (!found) frame_release(link);
    return found;
}

/* What concerns connections rather than frames. Asking costs system calls: while frames come in a row it is done once
 * in a while, and always after a wait. */
static void connections_look_after(struct link_zmq *link)
{
    int64_t now_us = clock_now_us();
    if (now_us < link->look_due_us) return;
    link->look_due_us = now_us + LOOK_APART_US;
    monitors_read(link);
    roll_look(&link->roll, now_us);
    for (unsigned shut = inflow_check(&link->inflow, now_us); shut; shut--) {
        link->base.counters.flooded++;
        flood_note(link, now_us);
        refusals_note(&link->refusals, "", "", "sent more bytes than are taken: connection ended");
    }
    /* What a flood was buffered in does not come back by itself. */
    if (now_us < link->trim_until_us && now_us >= link->trim_due_us) {
        link->trim_due_us = now_us + TRIM_APART_US;
        malloc_trim(0);
    }
}

static bool router_receive(struct link *base, struct link_event *event)
{
    struct link_zmq *link = self(base);
    frame_release(link);
    connections_look_after(link);
    *event = (struct link_event){0};
    for (size_t tries = 0, limit = link->listener_count * THROWN_IN_A_ROW; tries < limit; tries++) {
        size_t index = link->listener_next;
        int found = router_take(link, index, event);
        if (found <= 0) link->listener_next = (index + 1) % link->listener_count;
        if (found == 1) {
            link->listener_next = (index + 1) % link->listener_count; /* listeners in turn */
            return true;
        }
        if (found < 0 && tries + 1 >= link->listener_count) break;
    }
    if (probe(link, &event->peer)) {
        event->type = LINK_EVENT_DISCONNECTED;
        return true;
    }
    return false;
}

static void router_wait(struct link *base, struct link_watch *watches, size_t count, int64_t timeout_ms, bool want_send)
{
    (void)want_send;
    struct link_zmq *link = self(base);
    frame_release(link);
    zmq_pollitem_t items[2 * LINK_ZMQ_LISTEN_MAX + WATCHES_MAX];
    size_t n = 0;
    int64_t due_us = link->probe_rounds ? link->probe_due_us : INT64_MAX;
    for (size_t i = 0; i < link->listener_count; i++) {
        struct listener *listener = &link->listeners[i];
        items[n++] = (zmq_pollitem_t){.socket = listener->router, .events = ZMQ_POLLIN};
        items[n++] = (zmq_pollitem_t){.socket = listener->monitor, .events = ZMQ_POLLIN};
        if (listener->gate.opens_us && listener->gate.opens_us < due_us) due_us = listener->gate.opens_us;
    }
    if (inflow_due_us(&link->inflow) < due_us) due_us = inflow_due_us(&link->inflow);
    if (due_us != INT64_MAX) {
        int64_t left_ms = (due_us - clock_now_us() + 999) / 1000;
        if (left_ms < 0) left_ms = 0;
        if (timeout_ms < 0 || left_ms < timeout_ms) timeout_ms = left_ms;
    }
    wait_items(items, n, watches, count, timeout_ms);
    link->look_due_us = 0;
}

static void router_reconnect(struct link *base) { (void)base; }

static void router_close(struct link *base, int64_t linger_ms)
{
    struct link_zmq *link = self(base);
    frame_release(link);
    for (size_t i = 0; i < link->listener_count; i++) {
        struct listener *listener = &link->listeners[i];
        zmq_socket_monitor(listener->router, NULL, 0);
        zmq_close(listener->monitor);
        set_int(listener->router, ZMQ_LINGER, (int)linger_ms);
        zmq_close(listener->router);
        gate_leave(&listener->gate);
    }
    if (link->context) {
        zmq_ctx_shutdown(link->context);
        zap_service_join(link->zap);
        while (zmq_ctx_term(link->context) != 0 && errno == EINTR) {
        }
    }
    refusals_free(&link->refusals);
    free(link);
}

static const struct link_ops router_ops = {router_send, router_receive, router_wait, router_reconnect, router_close};

struct link *link_zmq_coordinator_new(int64_t bytes_per_s)
{
    struct link_zmq *link = calloc(1, sizeof *link);
    if (!link) return NULL;
    link->base.ops = &router_ops;
    link->context = zmq_ctx_new();
    if (!link->context) {
        free(link);
        return NULL;
    }
    refusals_init(&link->refusals);
    struct rlimit files;
    size_t connections = getrlimit(RLIMIT_NOFILE, &files) == 0 ? inflow_connections_for(files.rlim_cur) : 0;
    inflow_init(&link->inflow, connections, bytes_per_s, clock_now_us());
    return &link->base;
}

static enum status refuse(char why[KEY_TEXT_MAX], enum status st, const char *endpoint, const char *text)
{
    snprintf(why, KEY_TEXT_MAX, "%.120s: %s", endpoint, text);
    return st;
}

static enum status endpoint_check(const char *text, struct endpoint *endpoint, char why[KEY_TEXT_MAX])
{
    enum status st = endpoint_parse(text, endpoint);
    if (st != ST_OK)
        return refuse(why, st, text,
                      "is no address; expected tcp://HOST:PORT (port 1..65535) or ipc:///DIRECTORY/NAME");
    return ST_OK;
}

enum status link_zmq_listen(struct link *base, const char *text, const struct link_zmq_keys *keys,
                            char why[KEY_TEXT_MAX])
{
    struct link_zmq *link = self(base);
    struct endpoint endpoint;
    enum status st = endpoint_check(text, &endpoint, why);
    if (st != ST_OK) return st;
    if (link->listener_count == LINK_ZMQ_LISTEN_MAX) return refuse(why, ST_FULL, text, "too many addresses");
    if (!keys && !endpoint_is_private(&endpoint))
        return refuse(why, ST_STATE, text,
                      endpoint.kind == ENDPOINT_IPC
                          ? "the directory must be yours alone (chmod 700)"
                          : "other machines can reach this address, so keys are needed; remedy: `murakumo keygen` "
                            "shows how");
    if (keys && !link->zap) link->zap = zap_service_start(link->context, keys->allowed_directory, &link->refusals);
    if (keys && !link->roll.directory[0] && !roll_open(&link->roll, keys->allowed_directory))
        return refuse(why, ST_TOO_BIG, text, "the path of the keys is too long");
    if (keys && (!link->zap || !zap_service_uses(link->zap, keys->allowed_directory)))
        return refuse(why, ST_NO_MEMORY, text, "the key check could not be started");
    struct listener *listener = &link->listeners[link->listener_count];
    memset(listener, 0, sizeof *listener);
    listener->keyed = keys != NULL;
    listener->gate = (struct gate){.fd = -1, .spare = -1};
    listener->router = zmq_socket(link->context, ZMQ_ROUTER);
    if (!listener->router) return refuse(why, ST_IO, text, zmq_strerror(errno));
    snprintf(listener->endpoint, sizeof listener->endpoint, "%s", text);
    bool good = socket_prepare(listener->router, strchr(text, '[') != NULL) &&
                set_int(listener->router, ZMQ_ROUTER_MANDATORY, 1);
    if (keys)
        good = good && set_int(listener->router, ZMQ_CURVE_SERVER, 1) &&
               set_int(listener->router, ZMQ_ZAP_ENFORCE_DOMAIN, 1) &&
               zmq_setsockopt(listener->router, ZMQ_ZAP_DOMAIN, ZAP_DOMAIN, strlen(ZAP_DOMAIN)) == 0 &&
               zmq_setsockopt(listener->router, ZMQ_CURVE_SECRETKEY, keys->own->secret_z85, KEY_Z85_CHARS + 1) == 0;
    listener->monitor = good ? monitor_open(link, listener->router,
                                            ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_ACCEPT_FAILED |
                                                ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL |
                                                ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH)
                             : NULL;
    const char *trouble = NULL;
    if (good && endpoint.kind == ENDPOINT_TCP)
        good =
            gate_open(&listener->gate, &endpoint, &trouble) && set_int(listener->router, ZMQ_USE_FD, listener->gate.fd);
    size_t bound_bytes = sizeof listener->bound;
    if (listener->monitor && good && zmq_bind(listener->router, text) == 0 &&
        zmq_getsockopt(listener->router, ZMQ_LAST_ENDPOINT, listener->bound, &bound_bytes) == 0) {
        link->listener_count++;
        return ST_OK;
    }
    st = refuse(why, ST_IO, text, trouble ? trouble : zmq_strerror(errno));
    if (listener->gate.fd >= 0) close(listener->gate.fd);
    gate_leave(&listener->gate);
    if (listener->monitor) {
        zmq_socket_monitor(listener->router, NULL, 0);
        zmq_close(listener->monitor);
    }
    zmq_close(listener->router);
    return st;
}

size_t link_zmq_listener_of(uint64_t peer) { return (size_t)(peer >> 32) - 1; }

const char *link_zmq_bound(const struct link *base, size_t index)
{
    const struct link_zmq *link = (const struct link_zmq *)base;
    return index < link->listener_count ? link->listeners[index].bound : "";
}

/* ---- worker ---------------------------------------------------------------------------------------------------- */

static bool dealer_open(struct link_zmq *link)
{
    link->dealer = zmq_socket(link->context, ZMQ_DEALER);
    if (!link->dealer) return false;
    bool good = socket_prepare(link->dealer, link->ipv6) && set_int(link->dealer, ZMQ_IMMEDIATE, 1) &&
                set_int(link->dealer, ZMQ_RECONNECT_IVL, 250) && set_int(link->dealer, ZMQ_RECONNECT_IVL_MAX, 4000);
    if (link->keyed)
        good = good &&
               zmq_setsockopt(link->dealer, ZMQ_CURVE_SERVERKEY, link->key.server_z85, KEY_Z85_CHARS + 1) == 0 &&
               zmq_setsockopt(link->dealer, ZMQ_CURVE_PUBLICKEY, link->key.public_z85, KEY_Z85_CHARS + 1) == 0 &&
               zmq_setsockopt(link->dealer, ZMQ_CURVE_SECRETKEY, link->key.secret_z85, KEY_Z85_CHARS + 1) == 0;
    link->monitor = good ? monitor_open(link, link->dealer,
                                        ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED |
                                            ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL |
                                            ZMQ_EVENT_HANDSHAKE_FAILED_AUTH)
                         : NULL;
    if (link->monitor && zmq_connect(link->dealer, link->endpoint) == 0) return true;
    if (link->monitor) zmq_close(link->monitor);
    zmq_close(link->dealer);
    link->dealer = link->monitor = NULL;
    return false;
}

static void dealer_shut(struct link_zmq *link, int64_t linger_ms)
{
    if (!link->dealer) return;
    zmq_socket_monitor(link->dealer, NULL, 0);
    zmq_close(link->monitor);
    set_int(link->dealer, ZMQ_LINGER, (int)linger_ms);
    zmq_close(link->dealer);
    link->dealer = link->monitor = NULL;
}

static enum link_sent dealer_send(struct link *base, uint64_t peer, const uint8_t *bytes, size_t count)
{
    struct link_zmq *link = self(base);
    (void)peer;
    if (!link->dealer || zmq_send(link->dealer, bytes, count, ZMQ_DONTWAIT) < 0) {
        base->counters.full++;
        return LINK_FULL;
    }
    base->counters.frames_out++;
    base->counters.bytes_out += count;
    return LINK_SENT;
}

/* A handshake failed without a reason: a wrong key of the coordinator, or something that is no coordinator. A mismatch
 * of keys and no keys can end here too: when the coordinator sees it first and hangs up, libzmq does not say why. Since
 * it may also be something that passes, the worker says what it may be and tries on. */
static bool handshake_failed(struct link_zmq *link, struct link_event *event)
{
    link->base.counters.refused++;
    if (++link->failures < FAILURES_MAX) return false;
    dealer_shut(link, 0);
    if (link->retry_wait_us < RETRY_FIRST_US) link->retry_wait_us = RETRY_FIRST_US;
    link->retry_due_us =
        clock_now_us() + link->retry_wait_us / 2 + (int64_t)(clock_random() % (uint64_t)link->retry_wait_us);
    link->retry_wait_us = link->retry_wait_us * 2 < RETRY_LONGEST_US ? link->retry_wait_us * 2 : RETRY_LONGEST_US;
    event->type = LINK_EVENT_TROUBLE;
    event->reason =
        link->keyed
            ? "the coordinator's key is not the one that this worker's key file names, or it listens "
              "without keys, or not at all"
            : "what listens there is no coordinator, or it demands a key and none was given, or it stops at once";
    return true;
}

static bool monitor_event(struct link_zmq *link, struct link_event *event)
{
    int number;
    uint32_t value;
    if (link->retry_due_us && clock_now_us() >= link->retry_due_us) {
        link->retry_due_us = 0;
        (void)dealer_open(link);
    }
    while (link->monitor && monitor_read(link->monitor, &number, &value)) {
        event->peer = LINK_COORDINATOR;
        switch (number) {
        case ZMQ_EVENT_HANDSHAKE_SUCCEEDED:
            event->type = LINK_EVENT_CONNECTED;
            link->connected = true;
            link->failures = 0;
            link->retry_wait_us = 0;
            return true;
        case ZMQ_EVENT_DISCONNECTED:
            if (!link->connected) break;
            link->connected = false;
            event->type = LINK_EVENT_DISCONNECTED;
            return true;
        case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH:
            link->base.counters.refused++;
            if (value != 400) break;
            event->type = LINK_EVENT_REFUSED;
            event->reason = "the coordinator does not know this worker's key";
            return true;
        case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL:
            if (value == ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH) {
                link->base.counters.refused++;
                event->type = LINK_EVENT_REFUSED;
                event->reason = link->keyed ? "this coordinator listens without keys, but a key was given"
                                            : "this coordinator demands a key, but none was given";
                return true;
            }
            if (handshake_failed(link, event)) return true;
            break;
        default:
            if (handshake_failed(link, event)) return true;
            break;
        }
    }
    return false;
}

static bool dealer_receive(struct link *base, struct link_event *event)
{
    struct link_zmq *link = self(base);
    frame_release(link);
    *event = (struct link_event){0};
    if (monitor_event(link, event)) return true;
    for (int tries = 0; link->dealer && tries < 64; tries++) {
        zmq_msg_init(&link->frame);
        link->frame_held = true;
        if (zmq_msg_recv(&link->frame, link->dealer, ZMQ_DONTWAIT) < 0) break;
        bool multipart = zmq_msg_more(&link->frame) != 0;
        if (multipart) {
            rest_drain(link->dealer, &link->frame);
            base->counters.malformed++;
        } else if (zmq_msg_size(&link->frame) > 0) { /* an empty frame is the coordinator's probe */
            event->type = LINK_EVENT_FRAME;
            event->peer = LINK_COORDINATOR;
            event->bytes = zmq_msg_data(&link->frame);
            event->count = zmq_msg_size(&link->frame);
            base->counters.frames_in++;
            base->counters.bytes_in += event->count;
            return true;
        }
        frame_release(link);
    }
    frame_release(link);
    return false;
}

static void dealer_wait(struct link *base, struct link_watch *watches, size_t count, int64_t timeout_ms, bool want_send)
{
    struct link_zmq *link = self(base);
    frame_release(link);
    zmq_pollitem_t items[2 + WATCHES_MAX];
    size_t n = 0;
    if (link->dealer) {
        short events = want_send ? ZMQ_POLLIN | ZMQ_POLLOUT : ZMQ_POLLIN;
        items[n++] = (zmq_pollitem_t){.socket = link->dealer, .events = events};
        items[n++] = (zmq_pollitem_t){.socket = link->monitor, .events = ZMQ_POLLIN};
    }
    if (link->retry_due_us) {
        int64_t left_ms = (link->retry_due_us - clock_now_us() + 999) / 1000;
        if (left_ms < 0) left_ms = 0;
        if (timeout_ms < 0 || left_ms < timeout_ms) timeout_ms = left_ms;
    }
    wait_items(items, n, watches, count, timeout_ms);
}

static void dealer_reconnect(struct link *base)
{
    struct link_zmq *link = self(base);
    frame_release(link);
    dealer_shut(link, 0);
    link->connected = false;
    if (link->retry_due_us) return; /* it is being slow on purpose */
    (void)dealer_open(link);        /* without descriptors there is no socket; the next try comes from the session */
}

static void dealer_close(struct link *base, int64_t linger_ms)
{
    struct link_zmq *link = self(base);
    frame_release(link);
    dealer_shut(link, linger_ms);
    while (zmq_ctx_term(link->context) != 0 && errno == EINTR) {
    }
    key_wipe(&link->key);
    free(link);
}

static const struct link_ops dealer_ops = {dealer_send, dealer_receive, dealer_wait, dealer_reconnect, dealer_close};

struct link *link_zmq_worker_new(const char *text, const struct link_zmq_keys *keys, char why[KEY_TEXT_MAX])
{
    struct endpoint endpoint;
    if (endpoint_check(text, &endpoint, why) != ST_OK) return NULL;
    if (endpoint.any_port) {
        (void)refuse(why, ST_SYNTAX, text, "a worker needs the number of the port");
        return NULL;
    }
    if (!keys && endpoint.kind == ENDPOINT_TCP && !endpoint.loopback) {
        (void)refuse(why, ST_STATE, text,
                     "another machine is reached with keys only; remedy: --key FILE (made by `murakumo keygen`)");
        return NULL;
    }
    if (keys && !keys->own->server_z85[0]) {
        (void)refuse(why, ST_MISSING, text, "the key file does not name the coordinator's key (line `server`)");
        return NULL;
    }
    struct link_zmq *link = calloc(1, sizeof *link);
    if (link) link->context = zmq_ctx_new();
    if (!link || !link->context) {
        free(link);
        (void)refuse(why, ST_NO_MEMORY, text, "no memory or descriptors for a connection");
        return NULL;
    }
    link->base.ops = &dealer_ops;
    snprintf(link->endpoint, sizeof link->endpoint, "%s", text);
    link->ipv6 = strchr(text, '[') != NULL;
    link->keyed = keys != NULL;
    if (keys) link->key = *keys->own;
    if (dealer_open(link)) return &link->base;
    (void)refuse(why, ST_IO, text, zmq_strerror(errno));
    dealer_close(&link->base, 0);
    return NULL;
}

/* ---- keys ------------------------------------------------------------------------------------------------------ */

void link_zmq_library(char out[64])
{
    int major, minor, patch;
    zmq_version(&major, &minor, &patch);
    snprintf(out, 64, "ZeroMQ %d.%d.%d", major, minor, patch);
}

bool link_zmq_key_make(char public_z85[KEY_Z85_CHARS + 1], char secret_z85[KEY_Z85_CHARS + 1])
{
    return zmq_curve_keypair(public_z85, secret_z85) == 0;
}

bool link_zmq_key_matches(const struct key_pair *key)
{
    char public_z85[KEY_Z85_CHARS + 1];
    return zmq_curve_public(public_z85, key->secret_z85) == 0 && strcmp(public_z85, key->public_z85) == 0;
}
