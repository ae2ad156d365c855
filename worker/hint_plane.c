/* hint_plane.c - see hint_plane.h. */
#include "worker/hint_plane.h"

#include "common/base/log.h"
#include "common/net/clock.h"
#include "worker/core/hint_filter.h"

#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum {
    TURN_EVENTS_MAX = 256,
    BATCH_US = 2000, /* between two batches */
    MATE_BATCH_US = 250,
    MATE_LOCAL_BATCH_US = 500, /* workers of one machine wake each other, and the searches have to make room */
    MATE_BATCH_BYTES = 1024    /* less is not worth a frame: with many workers the budget is small */
};

struct hint_plane_orders {
    char endpoint[ENDPOINT_BYTES_MAX]; /* "" = no relay */
    uint64_t connections;              /* counts hint_plane_connect() */
    uint64_t session;
    struct hint_plane_search search;
    bool quit;
};

struct hint_plane {
    struct hint_plane_options options;
    pthread_t thread;
    int wake_fd, timer_fd; /* timer: batches are due; runs while a search shares */
    pthread_mutex_t lock;  /* guards `orders` */
    struct hint_plane_orders orders;

    /* the thread's own */
    struct hint_plane_orders now; /* carried out */
    struct link *link;
    bool connected;
    uint64_t sequence;
    struct hint_filter filter;
    uint8_t entries[WIRE_HINTS_BYTES_MAX], frame[WIRE_FRAME_BYTES_MAX];
};

/* ---- address --------------------------------------------------------------------------------------------------- */

bool hint_plane_address(const char *named, const char *coordinator, char out[ENDPOINT_BYTES_MAX])
{
    static const char any[] = "tcp://*:", tcp[] = "tcp://";
    int length;
    if (strncmp(named, any, sizeof any - 1) == 0) {
        const char *port = strrchr(coordinator, ':');
        if (strncmp(coordinator, tcp, sizeof tcp - 1) != 0 || !port || port < coordinator + sizeof tcp) return false;
        length = snprintf(out, ENDPOINT_BYTES_MAX, "%.*s:%s", (int)(port - coordinator), coordinator,
                          named + sizeof any - 1);
    } else {
        length = snprintf(out, ENDPOINT_BYTES_MAX, "%s", named);
    }
    struct endpoint endpoint;
    return length > 0 && length < ENDPOINT_BYTES_MAX && endpoint_parse(out, &endpoint) == ST_OK;
}

/* ---- the thread ------------------------------------------------------------------------------------------------ */

static void send_message(struct hint_plane *p, struct msg *message)
{
    size_t count;
    message->boot = p->options.boot;
    message->sequence = ++p->sequence;
    if (msg_encode(message, p->frame, sizeof p->frame, &count) == ST_OK)
        (void)link_send(p->link, LINK_COORDINATOR, p->frame, count); /* full: forgotten */
}

static void join_scope(struct hint_plane *p)
{
    if (!p->link || !p->connected) return;
    struct msg message = {.type = MSG_hints_join};
    message.hints_join.session = p->now.session;
    message.hints_join.scope = p->now.search.scope;
    send_message(p, &message);
}

static void reconnect(struct hint_plane *p)
{
    char address[ENDPOINT_BYTES_MAX], why[KEY_TEXT_MAX] = "address";
    link_close(p->link, 0);
    p->link = NULL;
    p->connected = false;
    if (!p->now.endpoint[0]) return;
    if (hint_plane_address(p->now.endpoint, p->options.coordinator, address))
        p->link = link_zmq_worker_new(address, p->options.keys, why);
    if (!p->link) log_warn("no_hints endpoint=\"%s\" why=\"%s\"", p->now.endpoint, why);
}

/* What a search that is over has told and heard. */
static void log_scope(const struct hint_filter *filter)
{
    const struct hint_counters *c = &filter->counters;
    log_debug("hints scope=%" PRIu64 " offered=%" PRIu64 " repeated=%" PRIu64 " crowded_out=%" PRIu64 " sent=%" PRIu64
              " frames=%" PRIu64 " received=%" PRIu64 " gate=%d",
              filter->options.scope, c->offered, c->repeated, c->crowded_out, c->sent, c->frames, c->received,
              filter->gate_plies);
}

static void set_timer(struct hint_plane *p)
{
    bool local = strncmp(p->now.endpoint, "ipc:", 4) == 0;
    long us = BATCH_US;
    if (p->now.search.mate && !hint_filter_is_waiting(&p->filter)) {
        long least_us = local ? MATE_LOCAL_BATCH_US : MATE_BATCH_US;
        long full_us = MATE_BATCH_BYTES * 1000000L / (p->now.search.bytes_per_s ? p->now.search.bytes_per_s : 1);
        if (us > full_us) us = full_us;
        if (us < least_us) us = least_us;
    }
    if (!p->link || !p->now.search.scope) us = 0; /* no timer */
    struct timespec every = {.tv_nsec = us * 1000};
    (void)timerfd_settime(p->timer_fd, 0, &(struct itimerspec){.it_interval = every, .it_value = every}, NULL);
}

static void take_orders(struct hint_plane *p)
{
    struct hint_plane_orders before = p->now;
    uint64_t wakes;
    if (read(p->wake_fd, &wakes, sizeof wakes) != sizeof wakes) return; /* nothing new */
    pthread_mutex_lock(&p->lock);
    p->now = p->orders;
    pthread_mutex_unlock(&p->lock);
    if (p->now.quit) return;
    if (p->now.connections != before.connections) reconnect(p);
    if (p->now.search.scope != before.search.scope) {
        if (before.search.scope) log_scope(&p->filter);
        hint_filter_start(&p->filter,
                          &(struct hint_filter_options){.scope = p->now.search.scope,
                                                        .floor_plies = p->now.search.hint_plies,
                                                        .bytes_per_s = p->now.search.bytes_per_s,
                                                        .waits = p->now.search.first},
                          clock_now_us());
        join_scope(p);
    }
    set_timer(p);
}

static void take_frame(struct hint_plane *p, const struct link_event *event)
{
    struct msg message;
    struct hint hints[HINT_BATCH_MAX];
    if (msg_decode(&message, event->bytes, event->count) != ST_OK || message.boot == p->options.boot) return;
    bool waiting = hint_filter_is_waiting(&p->filter);
    size_t count = hint_filter_read(&p->filter, &message, hints);
    if (waiting && !hint_filter_is_waiting(&p->filter)) set_timer(p);
    if (count > 0) searcher_hints_put(p->options.searcher, p->now.search.scope, hints, count);
}

static void take_link(struct hint_plane *p)
{
    struct link_event event;
    for (int i = 0; p->link && i < TURN_EVENTS_MAX && link_receive(p->link, &event); i++) {
        switch (event.type) {
        case LINK_EVENT_FRAME:
            take_frame(p, &event);
            break;
        case LINK_EVENT_CONNECTED:
            p->connected = true;
            join_scope(p);
            break;
        case LINK_EVENT_DISCONNECTED:
            p->connected = false;
            break;
        case LINK_EVENT_TROUBLE: /* the control connection says the same, and louder */
            log_debug("hints_cannot_connect why=\"%s\"", event.reason);
            break;
        case LINK_EVENT_REFUSED:
            log_warn("no_hints endpoint=\"%s\" why=\"%s\"", p->now.endpoint, event.reason);
            link_close(p->link, 0);
            p->link = NULL;
            p->connected = false;
            break;
        }
    }
}

static void send_hints(struct hint_plane *p)
{
    struct msg message;
    struct hint hints[HINT_BATCH_MAX];
    size_t count;
    do {
        count = searcher_hints_take(p->options.searcher, p->now.search.scope, hints, HINT_BATCH_MAX);
        hint_filter_add(&p->filter, hints, count);
        bool some = hint_filter_batch(&p->filter, clock_now_us(), &message, p->entries);
        if (some && p->connected) send_message(p, &message);
    } while (count == HINT_BATCH_MAX);
    searcher_hints_gate(p->options.searcher, p->now.search.scope, hint_filter_gate_plies(&p->filter));
}

static void *run(void *argument)
{
    struct hint_plane *p = argument;
    while (!p->now.quit) {
        struct link_watch watches[] = {{.fd = p->wake_fd}, {.fd = p->timer_fd}};
        uint64_t dues = 0;
        if (p->link)
            link_wait(p->link, watches, 2, -1, false);
        else
            (void)poll(&(struct pollfd){.fd = p->wake_fd, .events = POLLIN}, 1, -1);
        take_orders(p);
        take_link(p);
        if (read(p->timer_fd, &dues, sizeof dues) == sizeof dues) send_hints(p);
    }
    link_close(p->link, 0);
    return NULL;
}

/* ---- orders ---------------------------------------------------------------------------------------------------- */

static void wake(struct hint_plane *p)
{
    uint64_t one = 1;
    (void)!write(p->wake_fd, &one, sizeof one);
}

void hint_plane_connect(struct hint_plane *p, const char *endpoint, uint64_t session)
{
    pthread_mutex_lock(&p->lock);
    snprintf(p->orders.endpoint, sizeof p->orders.endpoint, "%s", endpoint);
    p->orders.connections++;
    p->orders.session = session;
    p->orders.search.scope = 0;
    pthread_mutex_unlock(&p->lock);
    wake(p);
}

void hint_plane_search(struct hint_plane *p, const struct hint_plane_search *search)
{
    pthread_mutex_lock(&p->lock);
    p->orders.search = *search;
    pthread_mutex_unlock(&p->lock);
    wake(p);
}

struct hint_plane *hint_plane_new(const struct hint_plane_options *options)
{
    struct hint_plane *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->options = *options;
    p->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    p->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    pthread_mutex_init(&p->lock, NULL);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = p->wake_fd >= 0 && p->timer_fd >= 0 && pthread_create(&p->thread, NULL, run, p) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started) return p;
    if (p->wake_fd >= 0) close(p->wake_fd);
    if (p->timer_fd >= 0) close(p->timer_fd);
    pthread_mutex_destroy(&p->lock);
    free(p);
    return NULL;
}

void hint_plane_free(struct hint_plane *p)
{
    if (!p) return;
    pthread_mutex_lock(&p->lock);
    p->orders.quit = true;
    pthread_mutex_unlock(&p->lock);
    wake(p);
    pthread_join(p->thread, NULL);
    close(p->timer_fd);
    close(p->wake_fd);
    pthread_mutex_destroy(&p->lock);
    free(p);
}
