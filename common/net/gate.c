/* gate.c - see gate.h. */
#include "common/net/gate.h"

#include "common/net/inflow.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int spare_take(void) { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

static bool set(int fd, int level, int option, int value)
{
    return setsockopt(fd, level, option, &value, sizeof value) == 0;
}

/* The buffer must be small before it listens: the window that peers are told depends on it. */
static bool listen_at(int fd, const struct addrinfo *address)
{
    return set(fd, SOL_SOCKET, SO_REUSEADDR, 1) && set(fd, SOL_SOCKET, SO_RCVBUF, GATE_RECEIVE_BYTES) &&
           (address->ai_family != AF_INET6 || set(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0)) &&
           bind(fd, address->ai_addr, address->ai_addrlen) == 0 && listen(fd, GATE_BACKLOG) == 0;
}

bool gate_open(struct gate *gate, const struct endpoint *endpoint, const char **why)
{
    *gate = (struct gate){.fd = -1, .spare = -1};
    bool all = strcmp(endpoint->host, "*") == 0;
    char port[8];
    snprintf(port, sizeof port, "%u", endpoint->port);
    const struct addrinfo wanted = {
        .ai_family = all ? AF_INET : AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *address;
    int failure = getaddrinfo(all ? NULL : endpoint->host, port, &wanted, &address);
    if (failure) {
        errno = EADDRNOTAVAIL;
        *why = gai_strerror(failure);
        return false;
    }
    int fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool good = fd >= 0 && listen_at(fd, address);
    if (!good) *why = strerror(errno);
    if (!good && fd >= 0) {
        int error = errno;
        close(fd);
        errno = error;
    }
    freeaddrinfo(address);
    if (!good) return false;
    gate->fd = fd;
    gate->spare = spare_take();
    return true;
}

void gate_shut(struct gate *gate, int64_t until_us)
{
    struct sock_filter drop = BPF_STMT(BPF_RET | BPF_K, 0);
    const struct sock_fprog program = {.len = 1, .filter = &drop};
    if (gate->fd < 0) return;
    if (!gate->opens_us && setsockopt(gate->fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) != 0) return;
    if (until_us > gate->opens_us) gate->opens_us = until_us;
}

void gate_look(struct gate *gate, int64_t now_us)
{
    if (!gate->opens_us || now_us < gate->opens_us) return;
    gate->opens_us = 0;
    (void)set(gate->fd, SOL_SOCKET, SO_DETACH_FILTER, 0);
}

void gate_send_away(struct gate *gate)
{
    for (int tries = 0; gate->fd >= 0 && tries < 2 * GATE_BACKLOG; tries++) {
        int fd = accept4(gate->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0 && (errno == EMFILE || errno == ENFILE) && gate->spare >= 0) {
            close(gate->spare);
            gate->spare = -1;
            continue;
        }
        if (fd < 0) break;
        inflow_end(fd);
        close(fd);
    }
    if (gate->spare < 0) gate->spare = spare_take();
}

void gate_leave(struct gate *gate)
{
    if (gate->spare >= 0) close(gate->spare);
    *gate = (struct gate){.fd = -1, .spare = -1};
}
