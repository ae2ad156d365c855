/* door.c - see door.h. */
#include "coordinator/door.h"

#include "common/base/log.h"
#include "coordinator/core/event.h"
#include "coordinator/output.h"
#include "coordinator/private_dir.h"
#include "coordinator/usi/lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { READ_BYTES = 65536, READS_MAX = 8, GREETING_BYTES_MAX = 128 };
enum state { FREE, GREETING, ATTACHED, LEAVING }; /* LEAVING: what is written is still on its way */

struct peer {
    enum state state;
    int fd;
    pid_t pid;
    int64_t greet_due_ms; /* GREETING, LEAVING: closed then */
    struct output out;
    struct usi_lines lines;
    char *line_buffer; /* COORD_LINE_BYTES_MAX */
};

struct door {
    int listen_fd;
    bool serves;
    struct door_hooks hooks;
    struct peer peers[DOOR_PEERS_MAX];
    char path[PRIVATE_DIR_BYTES_MAX + sizeof DOOR_NAME + 1];
    char read_buffer[READ_BYTES];
};

/* ---- peers ------------------------------------------------------------------------------------------------------ */

static void peer_close(struct door *door, struct peer *peer)
{
    bool attached = peer->state == ATTACHED;
    peer->state = FREE;
    close(peer->fd);
    output_free(&peer->out);
    free(peer->line_buffer);
    peer->line_buffer = NULL;
    if (!attached) return;
    log_info("front_detached pid=%ld", (long)peer->pid);
    door->hooks.detached(door->hooks.context);
}

static void peer_leave(struct peer *peer, const char *line, size_t length)
{
    output_line(&peer->out, line, length);
    peer->state = LEAVING;
}

static void peer_refuse(struct peer *peer, const char *why)
{
    char line[DOOR_WHY_BYTES + 16];
    int length = snprintf(line, sizeof line, "refused %s", why);
    peer_leave(peer, line, (size_t)length);
}

static struct peer *attached_peer(const struct door *door)
{
    for (size_t i = 0; i < DOOR_PEERS_MAX; i++)
        if (door->peers[i].state == ATTACHED) return (struct peer *)&door->peers[i];
    return NULL;
}

static void attach(struct door *door, struct peer *peer)
{
    char line[DOOR_WHY_BYTES];
    const struct peer *first = attached_peer(door);
    if (!door->serves) {
        peer_refuse(peer, "this coordinator was started by its own GUI; `murakumo serve` takes front ends");
    } else if (first) {
        snprintf(line, sizeof line, "busy: a front end is attached already, process %ld", (long)first->pid);
        peer_refuse(peer, line);
    } else {
        int length = snprintf(line, sizeof line, "attached %ld", (long)getpid());
        output_line(&peer->out, line, (size_t)length);
        peer->state = ATTACHED;
        log_info("front_attached pid=%ld", (long)peer->pid);
    }
}

static void greet(struct door *door, struct peer *peer, const char *line, size_t length)
{
    static const char attach_line[] = "murakumo-door 1 attach", status_line[] = "murakumo-door 1 status";
    if (length == strlen(attach_line) && memcmp(line, attach_line, length) == 0) {
        attach(door, peer);
    } else if (length == strlen(status_line) && memcmp(line, status_line, length) == 0) {
        size_t bytes;
        const char *status = door->hooks.status(door->hooks.context, &bytes);
        peer_leave(peer, status, bytes);
    } else {
        peer_refuse(peer, "expected \"murakumo-door 1 attach\" or \"murakumo-door 1 status\"");
    }
}

static void peer_lines(struct door *door, struct peer *peer)
{
    struct usi_line line;
    while ((peer->state == GREETING || peer->state == ATTACHED) && usi_lines_next(&peer->lines, &line)) {
        if (peer->state == ATTACHED)
            door->hooks.line(door->hooks.context, line.bytes, line.length, line.too_long);
        else
            greet(door, peer, line.bytes, line.length);
    }
}

static void peer_read(struct door *door, struct peer *peer)
{
    for (int reads = 0; reads < READS_MAX; reads++) {
        ssize_t n = recv(peer->fd, door->read_buffer, READ_BYTES, MSG_DONTWAIT);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
        if (n <= 0) {
            peer_close(door, peer);
            return;
        }
        if (peer->state == LEAVING) continue; /* nobody listens any more */
        for (ssize_t taken = 0; taken < n;) {
            taken += (ssize_t)usi_lines_push(&peer->lines, door->read_buffer + taken, (size_t)(n - taken));
            peer_lines(door, peer);
            if (peer->state != GREETING && peer->state != ATTACHED) return;
            if (peer->state == GREETING && peer->lines.used > GREETING_BYTES_MAX) {
                peer_refuse(peer, "the first line is too long");
                return;
            }
        }
    }
}

static void accept_one(struct door *door, int64_t now_ms)
{
    int fd = accept4(door->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) return;
    struct ucred who = {.uid = (uid_t)-1};
    socklen_t bytes = sizeof who;
    size_t place = 0;
    while (place < DOOR_PEERS_MAX && door->peers[place].state != FREE) place++;
    struct peer *peer = place < DOOR_PEERS_MAX ? &door->peers[place] : NULL;
    bool same = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &bytes) == 0 && who.uid == geteuid();
    if (!peer || !same) {
        close(fd);
        return;
    }
    *peer = (struct peer){.fd = fd, .pid = who.pid, .line_buffer = malloc(COORD_LINE_BYTES_MAX)};
    if (!peer->line_buffer || !output_init(&peer->out, fd)) {
        free(peer->line_buffer);
        close(fd);
        return;
    }
    usi_lines_init(&peer->lines, peer->line_buffer, COORD_LINE_BYTES_MAX);
    peer->state = GREETING;
    peer->greet_due_ms = now_ms + DOOR_GREETING_MS;
}

/* ---- the loop's view -------------------------------------------------------------------------------------------- */

size_t door_watches(const struct door *door, struct link_watch *watches)
{
    size_t count = 0;
    watches[count++] = (struct link_watch){.fd = door->listen_fd};
    for (size_t i = 0; i < DOOR_PEERS_MAX; i++) {
        const struct peer *peer = &door->peers[i];
        bool used = peer->state != FREE;
        watches[count++] = (struct link_watch){.fd = used ? peer->fd : -1};
        watches[count++] =
            (struct link_watch){.fd = used && !output_is_empty(&peer->out) ? peer->fd : -1, .want_write = true};
    }
    return count;
}

int64_t door_deadline_ms(const struct door *door)
{
    int64_t due_ms = INT64_MAX;
    for (size_t i = 0; i < DOOR_PEERS_MAX; i++) {
        const struct peer *peer = &door->peers[i];
        if ((peer->state == GREETING || peer->state == LEAVING) && peer->greet_due_ms < due_ms)
            due_ms = peer->greet_due_ms;
    }
    return due_ms;
}

void door_turn(struct door *door, const struct link_watch *watches, size_t count, int64_t now_ms)
{
    for (size_t i = 0; i < DOOR_PEERS_MAX; i++) {
        struct peer *peer = &door->peers[i];
        if (peer->state == FREE) continue;
        if (1 + 2 * i < count && watches[1 + 2 * i].ready) peer_read(door, peer);
        if (peer->state == FREE) continue;
        if (!output_is_empty(&peer->out)) output_flush(&peer->out);
        bool done = peer->state == LEAVING && output_is_empty(&peer->out);
        bool late = (peer->state == GREETING || peer->state == LEAVING) && now_ms >= peer->greet_due_ms;
        if (done || late || peer->out.broken) peer_close(door, peer);
    }
    if (count && watches[0].ready) accept_one(door, now_ms); /* last: `watches` belong to the peers of before */
}

void door_say(struct door *door, const char *line, size_t length)
{
    struct peer *peer = attached_peer(door);
    if (peer) output_line(&peer->out, line, length);
}

pid_t door_front_pid(const struct door *door)
{
    const struct peer *peer = attached_peer(door);
    return peer ? peer->pid : 0;
}

/* ---- life ------------------------------------------------------------------------------------------------------- */

struct door *door_open(const char *directory, bool serves, const struct door_hooks *hooks, char why[DOOR_WHY_BYTES])
{
    struct door *door = calloc(1, sizeof *door);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (!door) {
        snprintf(why, DOOR_WHY_BYTES, "not enough memory");
        return NULL;
    }
    door->serves = serves;
    door->hooks = *hooks;
    snprintf(door->path, sizeof door->path, "%s/" DOOR_NAME, directory);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", door->path);
    door->listen_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (door->listen_fd >= 0 && bind(door->listen_fd, (const struct sockaddr *)&address, sizeof address) == 0 &&
        listen(door->listen_fd, 16) == 0)
        return door;
    snprintf(why, DOOR_WHY_BYTES, "%.90s: %s", door->path, strerror(errno));
    if (door->listen_fd >= 0) close(door->listen_fd);
    free(door);
    return NULL;
}

void door_close(struct door *door, int drain_ms)
{
    if (!door) return;
    struct peer *front = attached_peer(door);
    if (front) {
        output_drain(&front->out, drain_ms);
        front->state = LEAVING; /* no hook any more */
    }
    for (size_t i = 0; i < DOOR_PEERS_MAX; i++)
        if (door->peers[i].state != FREE) peer_close(door, &door->peers[i]);
    close(door->listen_fd);
    unlink(door->path);
    free(door);
}
