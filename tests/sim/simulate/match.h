/* match.h - games of N workers against one, all in virtual time: the honest measure. Depth can be reached faster by
 * trusting too much; games cannot.
 *
 * Both sides think for the same virtual time at each move (the one alone longer by `odds`, to ask which single worker
 * the N are worth), play the deepest line that their coordinator has heard of by then, and keep their tables for the
 * next move, as on a real cluster. Openings are played twice with exchanged colours; a game ends by the full rules, or
 * when both sides agree for RESIGN_PLIES that one is RESIGN_CP ahead.
 */
#ifndef MURAKUMO_SIMULATE_MATCH_H
#define MURAKUMO_SIMULATE_MATCH_H

#include "coordinator/cli/match_openings.h"
#include "coordinator/cli/match_stats.h"
#include "tests/sim/simulate/cluster.h"

#include <signal.h>

struct match_sides {
    struct cluster *many, *one;          /* `one` has one worker */
    const struct cluster_search *search; /* of the many */
    int64_t move_us;
    unsigned odds_percent; /* the one thinks for move_us * odds_percent / 100 */
};

struct match_row {
    const char *strategy;
    unsigned workers;
    double latency_ms;
    unsigned odds_percent;
    struct match_score score; /* of the many */
    uint64_t moves[2];        /* of the many, of the one */
    uint64_t depth_sum[2], node_sum[2];
};

const struct referee_rules *match_rules(void);
/* Plays the games [first, first + count), numbered as match_plan.h has it. `done` is called after each; breaks off when
 * *interrupted becomes true: finished games count. */
void match_play(const struct match_sides *sides, const struct match_openings *openings, uint64_t seed, uint32_t first,
                uint32_t count, struct match_row *row, const volatile sig_atomic_t *interrupted,
                void (*done)(void *context), void *context);

#endif
