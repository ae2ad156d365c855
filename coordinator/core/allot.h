/* allot.h - how long to think about a move: a pure function from the clock and the options to three times.
 *
 *   0 ----- least_ms ----- soft_ms ............ hard_ms ---- what the clock allows
 *           never sooner   normally here        never later  (NetworkDelay2 kept free)
 *
 * soft_ms is stretched towards hard_ms by allot_target() when the best move changes, the score falls or other moves are
 * hard to refute, and shrunk towards least_ms when nothing moves. All times count from the moment the line was read.
 *
 * Clock of `go`: main time is what is left before this move's increment; byoyomi is there anew for each move. Some
 * senders count the increment into the main time already, so time + increment is never relied on: max(time, increment)
 * is.
 */
#ifndef MURAKUMO_COORDINATOR_ALLOT_H
#define MURAKUMO_COORDINATOR_ALLOT_H

#include "coordinator/usi/options.h"

#include <stdbool.h>
#include <stdint.h>

struct allot_options {
    int64_t network_delay_ms, network_delay2_ms; /* mean and worst lag between us and the clock */
    int64_t minimum_ms;                          /* MinimumThinkingTime */
    int64_t slow_mover_percent;
    bool round_up;             /* RoundUpToFullSecond: the server charges whole seconds, begun ones are paid for */
    bool ponder;               /* USI_Ponder: time comes back in the opponent's turn */
    int64_t max_moves_to_draw; /* 0 = off */
};

struct allot_clock { /* of the side to move; ms; -1 = not given */
    int64_t time_ms, byoyomi_ms, inc_ms;
    int64_t movetime_ms;
    int64_t game_ply; /* 1 = first move */
};

struct allot {
    int64_t least_ms, soft_ms, hard_ms; /* 0 < least <= soft <= hard */
    int64_t delay_ms;                   /* of the rounding; -1 = do not round */
};

/* What the USI options say, by number (options.h). */
struct allot_options allot_options_of(const int64_t value[OPTION_COUNT]);

enum { ALLOT_SLACK_MS = 10 }; /* reading, printing, a late wake-up */

/* A clock without any number gives a bounded time too ("play soon"). */
struct allot allot_plan(const struct allot_clock *clock, const struct allot_options *options);

/* What the search says about the move it would play. */
struct allot_signs {
    int64_t
        instability_permille; /* 0 = the best move stands for long, 1000 = it has just changed once, more for more */
    int64_t fall_cp; /* by how much the score has fallen since the search began or since the last move; <= 0 if not */
    int64_t effort_permille; /* share of the nodes spent on the best move: near 1000 nothing else comes close; 0 = not
                                known */
};
int64_t allot_target(const struct allot *plan, const struct allot_signs *signs);

#endif
