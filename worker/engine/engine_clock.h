/* engine_clock.h - the monotonic clock of the engine: for its dead-man limit and the times in its reports, never for a
 * decision of the search.
 */
#ifndef MURAKUMO_ENGINE_ENGINE_CLOCK_H
#define MURAKUMO_ENGINE_ENGINE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t engine_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
static inline int64_t engine_clock_ms(void) { return engine_clock_ns() / 1000000; }

#endif
