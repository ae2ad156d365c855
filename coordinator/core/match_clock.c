#include "coordinator/core/match_clock.h"

bool match_limits_have_clock(const struct match_limits *limits)
{
    return limits->time_ms > 0 || limits->inc_ms > 0 || limits->byoyomi_ms > 0;
}

bool match_limits_are_empty(const struct match_limits *limits)
{
    return !match_limits_have_clock(limits) && limits->movetime_ms == 0 && limits->nodes == 0 &&
           limits->depth_plies == 0;
}

void match_clock_start(struct match_clock *clock, const struct match_limits *limits)
{
    clock->limits = *limits;
    clock->left_us = limits->time_ms * 1000;
}

int64_t match_clock_allowed_us(const struct match_clock *clock)
{
    int64_t allowed_us = INT64_MAX;
    if (match_limits_have_clock(&clock->limits))
        allowed_us = clock->left_us + (clock->limits.inc_ms + clock->limits.byoyomi_ms) * 1000;
    int64_t movetime_us = clock->limits.movetime_ms * 1000;
    if (movetime_us > 0 && movetime_us < allowed_us) allowed_us = movetime_us;
    return allowed_us;
}

void match_clock_charge(struct match_clock *clock, int64_t elapsed_us)
{
    int64_t left_us = clock->left_us + clock->limits.inc_ms * 1000 - elapsed_us;
    clock->left_us = left_us > 0 ? left_us : 0;
}
