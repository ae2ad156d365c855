/* clock.c - see clock.h. */
#include "common/net/clock.h"

#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static int64_t read_us(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t clock_now_us(void) { return read_us(CLOCK_MONOTONIC); }
int64_t clock_now_ms(void) { return clock_now_us() / 1000; }
int64_t clock_unix_ms(void) { return read_us(CLOCK_REALTIME) / 1000; }

uint64_t clock_random(void)
{
    uint64_t bits = 0;
    if (getrandom(&bits, sizeof bits, 0) != (ssize_t)sizeof bits) /* never for 8 bytes after boot; be safe anyway */
        bits = (uint64_t)read_us(CLOCK_REALTIME) * 0x9e3779b97f4a7c15u ^ (uint64_t)getpid();
    return bits ? bits : 1;
}
