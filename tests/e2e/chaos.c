/* chaos.c - see chaos.h. */
#include "tests/e2e/chaos.h"

#include "common/base/prng.h"
#include "tests/e2e/driver.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAIRS_MAX = 256, CHUNK_BYTES = 16384, QUEUE_CHUNKS_MAX = 256, TURN_MS_MAX = 5 };

struct chunk {
    int64_t due_us;
    size_t used, sent;
    struct chunk *next;
    char bytes[CHUNK_BYTES];
};

struct way { /* one direction of a connection */
    struct chunk *first, *last;
    size_t count;
    bool ended; /* its source has closed */
};

struct pair {
    int fds[2];         /* worker's side, coordinator's side; -1: free */
    struct way ways[2]; /* [0] up, [1] down */
    int64_t last_us[2]; /* order is kept */
};

struct proxy {
    int listen_fd, cuts_seen;
    struct sockaddr_in target;
    struct chaos_knobs *knobs;
    struct prng prng;
    struct pair pairs[PAIRS_MAX];
};

static void pair_close(struct pair *pair, bool reset)
{
    const struct linger hard = {.l_onoff = 1, .l_linger = 0};
    for (int side = 0; side < 2; side++) {
        if (reset) setsockopt(pair->fds[side], SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
        close(pair->fds[side]);
        pair->fds[side] = -1;
        while (pair->ways[side].first) {
            struct chunk *chunk = pair->ways[side].first;
            pair->ways[side].first = chunk->next;
            free(chunk);
        }
    }
    memset(pair->ways, 0, sizeof pair->ways);
}

static void pair_open(struct proxy *p)
{
    const struct linger hard = {.l_onoff = 1, .l_linger = 0};
    const int yes = 1;
    int fd = accept4(p->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) return;
    size_t place = 0;
    while (place < PAIRS_MAX && p->pairs[place].fds[0] >= 0) place++;
    int other = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (place == PAIRS_MAX || atomic_load(&p->knobs->refusing) ||
        connect(other, (const struct sockaddr *)&p->target, sizeof p->target) != 0) {
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
        close(fd);
        if (other >= 0) close(other);
        return;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    setsockopt(other, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    p->pairs[place] = (struct pair){.fds = {fd, other}};
    atomic_fetch_add(&p->knobs->connections, 1);
}

/* When may a chunk that has come in now go out? */
static int64_t due_us(struct proxy *p, int64_t *last_us)
{
    int64_t jitter_us = 1000 * (int64_t)atomic_load(&p->knobs->jitter_ms);
    int64_t wait_us = 1000 * (int64_t)atomic_load(&p->knobs->delay_ms);
    if (jitter_us) wait_us += prng_range(&p->prng, -jitter_us, jitter_us);
    if (prng_chance(&p->prng, (uint32_t)atomic_load(&p->knobs->loss_permille))) {
        wait_us += 1000 * CHAOS_RETRANSMIT_MS;
        atomic_fetch_add(&p->knobs->stalls, 1);
    }
    int64_t due = now_us() + (wait_us > 0 ? wait_us : 0);
    if (due < *last_us) due = *last_us;
    *last_us = due;
    atomic_fetch_add(&p->knobs->chunks, 1);
    return due;
}

/* False: the connection is broken. */
static bool way_read(struct proxy *p, struct pair *pair, int way)
{
    struct chunk *chunk = malloc(sizeof *chunk);
    if (!chunk) return false;
    ssize_t n = recv(pair->fds[way], chunk->bytes, CHUNK_BYTES, MSG_DONTWAIT);
    if (n <= 0) {
        int error = errno;
        free(chunk);
        if (n == 0) pair->ways[way].ended = true;
        return n == 0 || error == EAGAIN || error == EINTR;
    }
    chunk->used = (size_t)n;
    chunk->sent = 0;
    chunk->next = NULL;
    chunk->due_us = due_us(p, &pair->last_us[way]);
    struct way *queue = &pair->ways[way];
    if (queue->last && queue->first)
        queue->last->next = chunk;
    else
        queue->first = chunk;
    queue->last = chunk;
    queue->count++;
    return true;
}

static bool way_write(struct pair *pair, int way)
{
    struct way *queue = &pair->ways[way];
    while (queue->first && queue->first->due_us <= now_us()) {
        struct chunk *chunk = queue->first;
        ssize_t n =
            send(pair->fds[!way], chunk->bytes + chunk->sent, chunk->used - chunk->sent, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (n < 0) return errno == EAGAIN || errno == EINTR;
        chunk->sent += (size_t)n;
        if (chunk->sent < chunk->used) return true;
        queue->first = chunk->next;
        queue->count--;
        free(chunk);
    }
    return true;
}

static bool blocked(const struct proxy *p, int way)
{
    return atomic_load(way == 0 ? &p->knobs->block_up : &p->knobs->block_down) != 0;
}

static void pair_work(struct proxy *p, struct pair *pair, bool readable[2])
{
    for (int way = 0; way < 2; way++) {
        if (blocked(p, way)) continue;
        bool room = pair->ways[way].count < QUEUE_CHUNKS_MAX && !pair->ways[way].ended;
        if ((readable[way] && room && !way_read(p, pair, way)) || !way_write(pair, way)) {
            pair_close(pair, true);
            return;
        }
        if (pair->ways[way].ended && !pair->ways[way].first) {
            pair_close(pair, false);
            return;
        }
    }
}

static _Noreturn void proxy_run(struct proxy *p)
{
    for (;;) {
        struct pollfd fds[1 + 2 * PAIRS_MAX];
        size_t index[PAIRS_MAX], count = 0;
        fds[0] = (struct pollfd){.fd = p->listen_fd, .events = POLLIN};
        int64_t wake_us = INT64_MAX, now = now_us();
        for (size_t i = 0; i < PAIRS_MAX; i++) {
            struct pair *pair = &p->pairs[i];
            if (pair->fds[0] < 0) continue;
            for (int way = 0; way < 2; way++) {
                bool wants = !blocked(p, way) && pair->ways[way].count < QUEUE_CHUNKS_MAX && !pair->ways[way].ended;
                fds[1 + 2 * count + (size_t)way] = (struct pollfd){.fd = wants ? pair->fds[way] : -1, .events = POLLIN};
                if (pair->ways[way].first && pair->ways[way].first->due_us < wake_us)
                    wake_us = pair->ways[way].first->due_us;
            }
            index[count++] = i;
        }
        /* Knobs are turned without a bell: look at them every few milliseconds. */
        int64_t wait_ms = wake_us == INT64_MAX ? TURN_MS_MAX : (wake_us - now + 999) / 1000;
        if (wait_ms < 0) wait_ms = 0;
        if (wait_ms > TURN_MS_MAX) wait_ms = TURN_MS_MAX;
        poll(fds, 1 + 2 * count, (int)wait_ms);
        int cuts = atomic_load(&p->knobs->cuts);
        for (size_t k = 0; k < count; k++) {
            bool readable[2] = {fds[1 + 2 * k].revents != 0, fds[2 + 2 * k].revents != 0};
            if (cuts != p->cuts_seen)
                pair_close(&p->pairs[index[k]], true);
            else
                pair_work(p, &p->pairs[index[k]], readable);
        }
        p->cuts_seen = cuts;
        if (fds[0].revents) pair_open(p);
    }
}

/* Not an assertion of a test: slow_line.c is none. */
static void must(bool done)
{
    if (done) return;
    perror("chaos");
    abort();
}

static void start(struct chaos *chaos, struct sockaddr_in own, const char *target, uint64_t seed)
{
    static struct proxy proxy;
    const int yes = 1;
    socklen_t bytes = sizeof own;
    char host[INET_ADDRSTRLEN];
    memset(&proxy, 0, sizeof proxy);
    proxy.prng = prng_make(seed);
    for (size_t i = 0; i < PAIRS_MAX; i++) proxy.pairs[i].fds[0] = -1;
    proxy.target = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    proxy.target.sin_port = htons((uint16_t)atoi(strrchr(target, ':') + 1));
    proxy.listen_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    setsockopt(proxy.listen_fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    must(bind(proxy.listen_fd, (const struct sockaddr *)&own, sizeof own) == 0);
    must(listen(proxy.listen_fd, 256) == 0);
    must(getsockname(proxy.listen_fd, (struct sockaddr *)&own, &bytes) == 0);
    chaos->knobs = mmap(NULL, sizeof *chaos->knobs, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    must(chaos->knobs != MAP_FAILED);
    proxy.knobs = chaos->knobs;
    snprintf(chaos->endpoint, sizeof chaos->endpoint, "tcp://%s:%u",
             inet_ntop(AF_INET, &own.sin_addr, host, sizeof host), (unsigned)ntohs(own.sin_port));
    chaos->pid = fork();
    must(chaos->pid >= 0);
    if (chaos->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGPIPE, SIG_IGN);
        for (int fd = 3; fd < 1024; fd++)
            if (fd != proxy.listen_fd) close(fd); /* the pipes of the test must not be held open here */
        proxy_run(&proxy);
    }
    close(proxy.listen_fd);
}

void chaos_start(struct chaos *chaos, const char *target, uint64_t seed)
{
    start(chaos, (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)}, target, seed);
}

void chaos_start_at(struct chaos *chaos, const char *host, const char *target, uint64_t seed)
{
    struct sockaddr_in own = {.sin_family = AF_INET};
    must(inet_pton(AF_INET, host, &own.sin_addr) == 1);
    own.sin_port = htons((uint16_t)atoi(strrchr(target, ':') + 1));
    start(chaos, own, target, seed);
}

void chaos_end(struct chaos *chaos)
{
    kill(chaos->pid, SIGKILL);
    waitpid(chaos->pid, NULL, 0);
    munmap(chaos->knobs, sizeof *chaos->knobs);
}
