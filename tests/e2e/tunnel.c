/* tunnel.c - see tunnel.h. */
#include "tests/e2e/tunnel.h"

#include "common/base/prng.h"
#include "tests/e2e/driver.h"

#include <check.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ENDS = 2, PACKET_BYTES = 2048, UNDER_WAY_MAX = 1024, TURN_MS_MAX = 20 };

struct packet {
    int64_t due_us; /* 0: this place is free */
    int to;
    size_t used;
    char bytes[PACKET_BYTES];
};

struct line {
    int fds[ENDS];
    struct tunnel_knobs *knobs;
    struct prng prng;
    struct packet under_way[UNDER_WAY_MAX];
};

/* A full line loses what comes, as routers do. */
static void launch(struct line *line, int to, const char *bytes, size_t used)
{
    struct packet *place = line->under_way;
    while (place < line->under_way + UNDER_WAY_MAX && place->due_us) place++;
    if (place == line->under_way + UNDER_WAY_MAX) {
        atomic_fetch_add(&line->knobs->lost, 1);
        return;
    }
    int64_t jitter_us = 1000 * (int64_t)atomic_load(&line->knobs->jitter_ms);
    int64_t wait_us = 1000 * (int64_t)atomic_load(&line->knobs->delay_ms);
    if (jitter_us) wait_us += prng_range(&line->prng, -jitter_us, jitter_us);
    place->due_us = now_us() + (wait_us > 0 ? wait_us : 0);
    place->to = to;
    place->used = used;
    memcpy(place->bytes, bytes, used);
}

static void take_in(struct line *line, int from)
{
    char bytes[PACKET_BYTES];
    ssize_t n = read(line->fds[from], bytes, sizeof bytes);
    if (n <= 0) return;
    atomic_fetch_add(&line->knobs->packets, 1);
    if (prng_chance(&line->prng, (uint32_t)atomic_load(&line->knobs->loss_permille))) {
        atomic_fetch_add(&line->knobs->lost, 1);
        return;
    }
    launch(line, !from, bytes, (size_t)n);
    if (prng_chance(&line->prng, (uint32_t)atomic_load(&line->knobs->double_permille))) {
        atomic_fetch_add(&line->knobs->doubled, 1);
        launch(line, !from, bytes, (size_t)n);
    }
}

/* Lets out what is due; until when may we sleep? */
static int64_t let_out(struct line *line)
{
    int64_t now = now_us(), wake_us = now + 1000 * TURN_MS_MAX;
    for (struct packet *p = line->under_way; p < line->under_way + UNDER_WAY_MAX; p++) {
        if (!p->due_us) continue;
        if (p->due_us <= now) {
            if (write(line->fds[p->to], p->bytes, p->used) < 0) atomic_fetch_add(&line->knobs->lost, 1);
            p->due_us = 0;
        } else if (p->due_us < wake_us) {
            wake_us = p->due_us;
        }
    }
    return wake_us - now;
}

static _Noreturn void line_run(struct line *line)
{
    for (;;) {
        int64_t wait_us = let_out(line);
        struct pollfd fds[ENDS] = {{.fd = line->fds[0], .events = POLLIN}, {.fd = line->fds[1], .events = POLLIN}};
        poll(fds, ENDS, (int)((wait_us + 999) / 1000));
        for (int end = 0; end < ENDS; end++)
            if (fds[end].revents & POLLIN) take_in(line, end);
    }
}

/* The calling process moves into the namespace; only a child may do that. -1: it does not work here. */
static int device_open(const char *name_space, const char *device)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "/run/netns/%s", name_space);
    int ns = open(path, O_RDONLY | O_CLOEXEC), fd = -1;
    if (ns >= 0 && setns(ns, CLONE_NEWNET) == 0) fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK);
    close(ns);
    struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", device);
    if (fd >= 0 && ioctl(fd, TUNSETIFF, &request) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

bool tunnel_start(struct tunnel *tunnel, const char *here, const char *there, uint64_t seed)
{
    static struct line line;
    int ready[2];
    char good = 0;
    ck_assert_int_eq(pipe2(ready, O_CLOEXEC), 0);
    tunnel->knobs = mmap(NULL, sizeof *tunnel->knobs, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert(tunnel->knobs != MAP_FAILED);
    memset(&line, 0, sizeof line);
    line.knobs = tunnel->knobs;
    line.prng = prng_make(seed);
    tunnel->pid = fork();
    ck_assert_int_ge(tunnel->pid, 0);
    if (tunnel->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        line.fds[0] = device_open(here, "mk0");
        line.fds[1] = device_open(there, "mk1");
        good = line.fds[0] >= 0 && line.fds[1] >= 0;
        if (write(ready[1], &good, 1) != 1 || !good) _exit(1);
        for (int fd = 3; fd < 1024; fd++)
            if (fd != line.fds[0] && fd != line.fds[1]) close(fd); /* the pipes of the test */
        line_run(&line);
    }
    close(ready[1]);
    if (read(ready[0], &good, 1) != 1) good = 0;
    close(ready[0]);
    if (!good) tunnel_end(tunnel);
    return good;
}

void tunnel_end(struct tunnel *tunnel)
{
    kill(tunnel->pid, SIGKILL);
    waitpid(tunnel->pid, NULL, 0);
    munmap(tunnel->knobs, sizeof *tunnel->knobs);
}
