/* door.h - the private door of a running coordinator: front ends and status questions of the same user.
 *
 *   client                          door
 *   murakumo-door 1 status   --->
 *                            <---   one JSON object in one line (coordinator/view/cluster_status.h), then the end
 *   murakumo-door 1 attach   --->
 *                            <---   attached PID            then USI lines, both ways, until one side closes
 *                            <---   refused WHY             then the end
 *
 * A Unix socket named `door` in the process's private directory (private_dir.h): mode 0700, and the kernel is asked
 * who connects. One front end at a time: a second one is refused and told the pid of the first. Whatever a client does
 * (sends nothing, reads nothing, floods, sends no line end), it holds one of DOOR_PEERS_MAX places, bounded memory, and
 * no time of the loop.
 *
 * Threads: the main thread only. Lines handed to hooks are borrowed for the call.
 */
#ifndef MURAKUMO_COORDINATOR_DOOR_H
#define MURAKUMO_COORDINATOR_DOOR_H

#include "common/base/status.h"
#include "common/net/link.h"

#include <sys/types.h>

enum { DOOR_PEERS_MAX = 6, DOOR_WATCHES_MAX = 1 + 2 * DOOR_PEERS_MAX, DOOR_WHY_BYTES = 160, DOOR_GREETING_MS = 3000 };
#define DOOR_NAME "door"

struct door_hooks {
    void *context;
    void (*line)(void *context, const char *bytes, size_t length, bool too_long); /* of the attached front end */
    void (*detached)(void *context);
    /* The answer to `status`, without line end; valid until the next call. */
    const char *(*status)(void *context, size_t *length);
};

struct door;

/* serves: front ends may attach; else only status is told. NULL: why. */
struct door *door_open(const char *directory, bool serves, const struct door_hooks *hooks, char why[DOOR_WHY_BYTES]);
/* Gives what is still to be read up to drain_ms, then closes. NULL is allowed. */
void door_close(struct door *door, int drain_ms);

/* Fills in what to wait for; at most DOOR_WATCHES_MAX. */
size_t door_watches(const struct door *door, struct link_watch *watches);
int64_t door_deadline_ms(const struct door *door);
/* Accepts, reads, writes, calls the hooks; `watches` as filled in by door_watches() and waited for. */
void door_turn(struct door *door, const struct link_watch *watches, size_t count, int64_t now_ms);
/* A line to the attached front end; forgotten when there is none. */
void door_say(struct door *door, const char *line, size_t length);
pid_t door_front_pid(const struct door *door); /* 0: none */

#endif
