/* inflow.c - see inflow.h. */
#include "common/net/inflow.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

size_t inflow_connections_for(uint64_t descriptors)
{
    uint64_t count = descriptors < 256 ? descriptors / 4 : descriptors / 2;
    return count < 1 ? 1 : count < INFLOW_CONNECTIONS_MAX ? (size_t)count : INFLOW_CONNECTIONS_MAX;
}

bool inflow_add(struct inflow *inflow, int fd, int64_t now_us)
{
    inflow_remove(inflow, fd); /* the number is used again */
    if (inflow->count == (inflow->count_max ? inflow->count_max : INFLOW_CONNECTIONS_MAX)) return false;
    inflow->items[inflow->count++] =
        (struct inflow_connection){.fd = fd, .budget_bytes = INFLOW_BURST_BYTES, .at_us = now_us};
    if (inflow->count == 1) inflow->due_us = now_us + INFLOW_CHECK_US;
    return true;
}

void inflow_remove(struct inflow *inflow, int fd)
{
    for (size_t i = 0; i < inflow->count; i++)
        if (inflow->items[i].fd == fd) inflow->items[i--] = inflow->items[--inflow->count];
}

bool inflow_pass(struct inflow_connection *connection, uint64_t received, int64_t now_us)
{
    int64_t passed_us = now_us - connection->at_us;
    if (passed_us > 10 * 1000 * 1000) passed_us = 10 * 1000 * 1000; /* more than fills the bucket */
    connection->budget_bytes += passed_us * INFLOW_BYTES_PER_S / (1000 * 1000);
    if (connection->budget_bytes > INFLOW_BURST_BYTES) connection->budget_bytes = INFLOW_BURST_BYTES;
    connection->at_us = now_us;
    if (received > connection->received) connection->budget_bytes -= (int64_t)(received - connection->received);
    connection->received = received;
    return connection->budget_bytes >= 0;
}

static bool received_bytes(int fd, uint64_t *bytes)
{
    struct tcp_info info = {0};
    socklen_t length = sizeof info;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return false; /* a Unix socket, or closed */
    *bytes = info.tcpi_bytes_received;
    return true;
}

void inflow_end(int fd)
{
    const struct linger reset = {.l_onoff = 1,
                                 .l_linger = 0}; /* else a sender whose window is shut would wait minutes */
    (void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    (void)shutdown(fd, SHUT_RDWR);
}

unsigned inflow_check(struct inflow *inflow, int64_t now_us)
{
    unsigned shut = 0;
    if (inflow->count == 0 || now_us < inflow->due_us) return 0;
    inflow->due_us = now_us + INFLOW_CHECK_US;
    for (size_t i = 0; i < inflow->count; i++) {
        uint64_t bytes;
        if (!received_bytes(inflow->items[i].fd, &bytes) || inflow_pass(&inflow->items[i], bytes, now_us)) continue;
        inflow_end(inflow->items[i].fd);
        inflow->items[i].budget_bytes = 0;
        shut++;
    }
    return shut;
}

int64_t inflow_due_us(const struct inflow *inflow) { return inflow->count ? inflow->due_us : INT64_MAX; }
