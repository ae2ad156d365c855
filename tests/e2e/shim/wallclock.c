/* wallclock.c - LD_PRELOAD: moves the wall clock (and nothing else) of a process by the seconds in $WALLCLOCK_FILE, an
 * int64_t that the test changes while the process runs. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

static int64_t offset_s(void)
{
    static const volatile int64_t *shared;
    if (!shared) {
        const char *path = getenv("WALLCLOCK_FILE");
        int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
        if (fd < 0) return 0;
        void *at = mmap(NULL, sizeof *shared, PROT_READ, MAP_SHARED, fd, 0);
        if (at == MAP_FAILED) return 0;
        shared = at;
    }
    return *shared;
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
    static int (*real)(clockid_t, struct timespec *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, out);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) out->tv_sec += offset_s();
    return result;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    out->tv_sec = now.tv_sec;
    out->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *out)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}
