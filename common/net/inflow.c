/* inflow.c - see inflow.h. */
#include "common/net/inflow.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

void inflow_init(struct inflow *inflow, size_t count_max, int64_t bytes_per_s, int64_t now_us)
{
    inflow->count = 0;
    inflow->count_max = count_max;
    inflow->bytes_per_s = bytes_per_s;
    inflow->all = (struct inflow_bucket){.budget_bytes = INFLOW_BURST_BYTES, .at_us = now_us};
    inflow->due_us = now_us;
}

size_t inflow_connections_for(uint64_t descriptors)
{
    uint64_t count = descriptors < 256 ? descriptors / 4 : descriptors / 2;
    return count < 1 ? 1 : count < INFLOW_CONNECTIONS_MAX ? (size_t)count : INFLOW_CONNECTIONS_MAX;
}

bool inflow_add(struct inflow *inflow, int fd, int64_t now_us)
{
    inflow_remove(inflow, fd); /* the number is used again */
    if (inflow->count == (inflow->count_max ? inflow->count_max : INFLOW_CONNECTIONS_MAX)) return false;
    inflow->items[inflow->count++] = (struct inflow_connection){
        .fd = fd, .since_us = now_us, .bucket = {.budget_bytes = INFLOW_BURST_BYTES, .at_us = now_us}};
    if (now_us + INFLOW_BUSY_US < inflow->due_us || inflow->count == 1) inflow->due_us = now_us + INFLOW_BUSY_US;
    return true;
}

void inflow_remove(struct inflow *inflow, int fd)
{
    for (size_t i = 0; i < inflow->count; i++)
        if (inflow->items[i].fd == fd) inflow->items[i--] = inflow->items[--inflow->count];
}

int64_t inflow_since_us(const struct inflow *inflow, int fd)
{
    for (size_t i = 0; i < inflow->count; i++)
        if (inflow->items[i].fd == fd) return inflow->items[i].since_us;
    return INT64_MAX;
}

bool inflow_pass(struct inflow_bucket *bucket, uint64_t bytes, int64_t bytes_per_s, int64_t now_us)
{
    int64_t passed_us = now_us - bucket->at_us;
    if (passed_us > 10 * 1000 * 1000) passed_us = 10 * 1000 * 1000; /* more than fills the bucket */
    bucket->budget_bytes += passed_us * bytes_per_s / (1000 * 1000);
    if (bucket->budget_bytes > INFLOW_BURST_BYTES) bucket->budget_bytes = INFLOW_BURST_BYTES;
    bucket->at_us = now_us;
    bucket->budget_bytes -= (int64_t)bytes;
    return bucket->budget_bytes >= 0;
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
    const struct linger reset = {.l_onoff = 1, .l_linger = 0};
    const struct sockaddr nobody = {.sa_family = AF_UNSPEC};
    (void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    if (connect(fd, &nobody, sizeof nobody) != 0) (void)shutdown(fd, SHUT_RDWR); /* not a TCP connection */
}

static void end(struct inflow_connection *c)
{
    inflow_end(c->fd);
    c->bucket.budget_bytes = INFLOW_BURST_BYTES; /* it brings nothing more; its number may be somebody else's soon */
    c->share = 0;
}

/* Bytes since the last look. */
static uint64_t come(struct inflow_connection *c)
{
    uint64_t received, before = c->received;
    if (!received_bytes(c->fd, &received)) return 0;
    c->received = received;
    return received > before ? received - before : 0;
}

static unsigned end_the_greedy(struct inflow *inflow)
{
    unsigned ended = 0;
    uint64_t shares = 0;
    for (size_t i = 0; i < inflow->count; i++) shares += inflow->items[i].share;
    for (size_t i = 0; i < inflow->count; i++) {
        struct inflow_connection *c = &inflow->items[i];
        if (c->share && 2 * c->share * inflow->count >= shares) {
            end(c);
            ended++;
        }
        c->share = 0;
    }
    inflow->all.budget_bytes = INFLOW_BURST_BYTES;
    return ended;
}

unsigned inflow_check(struct inflow *inflow, int64_t now_us)
{
    unsigned ended = 0;
    uint64_t all_bytes = 0;
    if (inflow->count == 0 || now_us < inflow->due_us) return 0;
    bool full = inflow->all.budget_bytes >= INFLOW_BURST_BYTES;
    for (size_t i = 0; i < inflow->count; i++) {
        struct inflow_connection *c = &inflow->items[i];
        uint64_t bytes = come(c);
        all_bytes += bytes;
        c->share = full ? bytes : c->share + bytes;
        if (inflow_pass(&c->bucket, bytes, inflow->bytes_per_s, now_us)) continue;
        end(c);
        ended++;
    }
    if (!inflow_pass(&inflow->all, all_bytes, INFLOW_ALL_TIMES * inflow->bytes_per_s, now_us))
        ended += end_the_greedy(inflow);
    bool busy = INFLOW_BURST_BYTES - inflow->all.budget_bytes > INFLOW_BUSY_BYTES || ended;
    inflow->due_us = now_us + (busy ? INFLOW_BUSY_US : INFLOW_CALM_US);
    return ended;
}

int64_t inflow_due_us(const struct inflow *inflow) { return inflow->count ? inflow->due_us : INT64_MAX; }
