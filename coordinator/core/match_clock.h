/* match_clock.h - how long and how far one engine may think in a match, and what is left on its clock.
 *
 * Main time, increment (Fischer: added before each move, so the first move has it too) and byoyomi add up to what one
 * move may take; what a move leaves of byoyomi is lost, what it leaves of main time and increment is kept.
 * Times are exact: nothing is rounded to whole seconds.
 */
#ifndef MURAKUMO_CORE_MATCH_CLOCK_H
#define MURAKUMO_CORE_MATCH_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct match_limits { /* 0 = not set */
    int64_t time_ms, inc_ms, byoyomi_ms;
    int64_t movetime_ms;
    uint64_t nodes;
    int depth_plies;
};

struct match_clock {
    struct match_limits limits;
    int64_t left_us; /* main time, without the increment of the coming move */
};

/* Main time, increment or byoyomi: a clock that runs down. */
bool match_limits_have_clock(const struct match_limits *limits);
bool match_limits_are_empty(const struct match_limits *limits);

void match_clock_start(struct match_clock *clock, const struct match_limits *limits);
/* What the coming move may take; INT64_MAX if only nodes or depth limit it. */
int64_t match_clock_allowed_us(const struct match_clock *clock);
/* Takes a move's time off; more than allowed leaves 0. */
void match_clock_charge(struct match_clock *clock, int64_t elapsed_us);

#endif
