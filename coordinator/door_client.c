/* door_client.c - see door_client.h. */
#include "coordinator/door_client.h"

#include "common/net/clock.h"
#include "coordinator/door.h"
#include "coordinator/private_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { STATUS_BYTES_MAX = 2 << 20, ANSWER_BYTES_MAX = 256 };

static int door_connect(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int n = snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    if (n < 0 || (size_t)n >= sizeof address.sun_path) return -1;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof address) == 0) return fd;
    if (fd >= 0) close(fd);
    return -1;
}

size_t door_client_list(char paths[DOOR_CLIENT_DOORS_MAX][DOOR_CLIENT_PATH_BYTES])
{
    char directories[DOOR_CLIENT_DOORS_MAX][PRIVATE_DIR_BYTES_MAX];
    size_t count = private_dir_list(directories, DOOR_CLIENT_DOORS_MAX), found = 0;
    for (size_t i = 0; i < count; i++) {
        snprintf(paths[found], DOOR_CLIENT_PATH_BYTES, "%s/" DOOR_NAME, directories[i]);
        int fd = door_connect(paths[found]); /* the file of a process that was killed is still there */
        if (fd < 0) continue;
        close(fd);
        found++;
    }
    return found;
}

/* Reads up to LF; false: the end, an error, no time or no room. */
static bool line_read(int fd, char *out, size_t capacity, int timeout_ms, size_t *length)
{
    int64_t due_ms = clock_now_ms() + timeout_ms;
    *length = 0;
    while (*length < capacity) {
        int64_t left_ms = due_ms - clock_now_ms();
        struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
        if (left_ms < 0 || poll(&poll_fd, 1, (int)left_ms) <= 0) return false;
        /* Byte by byte would be slow, and more than a line must not be taken: look first. */
        ssize_t n = recv(fd, out + *length, capacity - *length, MSG_PEEK);
        if (n <= 0) return false;
        const char *end = memchr(out + *length, '\n', (size_t)n);
        size_t take = end ? (size_t)(end - (out + *length)) + 1 : (size_t)n;
        if (recv(fd, out + *length, take, 0) != (ssize_t)take) return false;
        *length += take;
        if (!end) continue;
        --*length;
        out[*length] = 0;
        return true;
    }
    return false;
}

static bool ask(int fd, const char *line)
{
    return send(fd, line, strlen(line), MSG_NOSIGNAL) == (ssize_t)strlen(line);
}

char *door_client_status(const char *path, int timeout_ms, size_t *length)
{
    int fd = door_connect(path);
    if (fd < 0) return NULL;
    char *text = malloc(STATUS_BYTES_MAX);
    bool good =
        text && ask(fd, "murakumo-door 1 status\n") && line_read(fd, text, STATUS_BYTES_MAX, timeout_ms, length);
    close(fd);
    if (good) return text;
    free(text);
    return NULL;
}

int door_client_attach(int timeout_ms, char why[DOOR_CLIENT_WHY_BYTES], bool *busy)
{
    char paths[DOOR_CLIENT_DOORS_MAX][DOOR_CLIENT_PATH_BYTES], answer[ANSWER_BYTES_MAX];
    size_t count = door_client_list(paths), length;
    *busy = false;
    snprintf(why, DOOR_CLIENT_WHY_BYTES, "no cluster is running here; start one with `murakumo serve`");
    for (size_t i = 0; i < count; i++) {
        int fd = door_connect(paths[i]);
        if (fd < 0) continue;
        if (ask(fd, "murakumo-door 1 attach\n") && line_read(fd, answer, sizeof answer, timeout_ms, &length)) {
            if (strncmp(answer, "attached ", strlen("attached ")) == 0) return fd;
            const char *refused = "refused busy: ";
            if (strncmp(answer, refused, strlen(refused)) == 0) {
                *busy = true;
                snprintf(why, DOOR_CLIENT_WHY_BYTES, "%.150s", answer + strlen(refused));
            }
        }
        close(fd);
    }
    return -1;
}
