/* allot.c - how long to think about a move. */
#include "coordinator/core/allot.h"

enum {
    HORIZON_LONGEST = 60, /* own moves to plan for at the start of the game */
    HORIZON_SHORTEST = 30,
    FLOOR_MS = 500, /* a clock shorter than the worst lag: think this long (or half the clock) all the same */
    LEAST_MS = 10
};

static int64_t lesser(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t greater(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t at_least_0(int64_t a) { return a < 0 ? 0 : a; }

/* A year is enough; products below stay far inside 64 bits. */
static int64_t sane(int64_t ms) { return lesser(at_least_0(ms), (int64_t)366 * 86400 * 1000); }

/* Own moves still to be made, as far as planning is concerned. */
static int64_t horizon(const struct allot_clock *clock, const struct allot_options *options)
{
    int64_t moves = greater(HORIZON_SHORTEST, HORIZON_LONGEST - at_least_0(clock->game_ply) / 4);
    if (options->max_moves_to_draw > 0)
        moves = lesser(moves, greater(1, (options->max_moves_to_draw - clock->game_ply) / 2 + 1));
    return moves;
}

struct allot_options allot_options_of(const int64_t value[OPTION_COUNT])
{
    return (struct allot_options){.network_delay_ms = value[OPTION_NETWORK_DELAY],
                                  .network_delay2_ms = value[OPTION_NETWORK_DELAY2],
                                  .minimum_ms = value[OPTION_MINIMUM_TIME],
                                  .slow_mover_percent = value[OPTION_SLOW_MOVER],
                                  .round_up = value[OPTION_ROUND_UP] != 0,
                                  .ponder = value[OPTION_PONDER] != 0,
                                  .max_moves_to_draw = value[OPTION_MAX_MOVES]};
}

struct allot allot_plan(const struct allot_clock *clock, const struct allot_options *options)
{
    struct allot plan = {.delay_ms = -1};
    if (clock->movetime_ms >= 0) {
        int64_t ms = greater(sane(clock->movetime_ms), 1);
        return (struct allot){.least_ms = ms, .soft_ms = ms, .hard_ms = ms, .delay_ms = -1};
    }
    if (clock->time_ms < 0 && clock->byoyomi_ms < 0 && clock->inc_ms < 0) {
        int64_t ms = greater(sane(options->minimum_ms), LEAST_MS);
        return (struct allot){.least_ms = ms, .soft_ms = ms, .hard_ms = ms, .delay_ms = -1};
    }
    int64_t time = sane(clock->time_ms), byoyomi = sane(clock->byoyomi_ms), inc = sane(clock->inc_ms);
    int64_t cap = greater(time, inc) + byoyomi;
    int64_t delay = sane(options->network_delay_ms), delay2 = greater(sane(options->network_delay2_ms), delay);

    /* What the clock allows. */
    int64_t slack = lesser(ALLOT_SLACK_MS, cap / 5);
    int64_t allowed = greater(cap - delay2 - slack, lesser(cap / 2, FLOOR_MS));
    allowed = greater(allowed, lesser(LEAST_MS, greater(cap, 1)));

    /* What this move is worth. */
    int64_t moves = horizon(clock, options);
    int64_t share = time / moves * sane(options->slow_mover_percent) / 100;
    int64_t own = at_least_0(inc - delay);
    int64_t soft = share + own * 9 / 10 + at_least_0(byoyomi - delay);
    if (options->ponder) soft += soft / 4;
    int64_t hard = lesser(allowed, greater(greater(soft, LEAST_MS), lesser(soft * 5, time * 3 / 10 + own + byoyomi)));
    if (byoyomi > 0 && time * 5 < byoyomi * 6) { /* main time is as good as gone: each move may use all there is */
        soft = allowed;
        hard = allowed;
    }
    soft = greater(lesser(soft, hard), lesser(LEAST_MS, hard));

    /* MinimumThinkingTime, as far as the clock can pay for it move after move. */
    int64_t least = greater(options->minimum_ms - delay, LEAST_MS);
    bool nothing_comes_back = byoyomi == 0 && inc == 0;
    int64_t payable = nothing_comes_back ? share - delay : time / 20 + own + at_least_0(byoyomi - delay);
    least = lesser(least, greater(payable, LEAST_MS));
    least = lesser(least, hard);
    if (soft < least) soft = least;

    plan.least_ms = least;
    plan.soft_ms = soft;
    plan.hard_ms = hard;
    /* Rounding up uses time that a server with whole seconds has charged anyway; on a clock that has little left it is
     * a luxury. */
    if (options->round_up && (byoyomi > 0 || inc >= 1000 || share >= 1000)) plan.delay_ms = delay;
    return plan;
}

int64_t allot_target(const struct allot *plan, const struct allot_signs *signs)
{
    int64_t instability = lesser(at_least_0(signs->instability_permille), 2000);
    int64_t fall = lesser(at_least_0(signs->fall_cp), 300);
    int64_t factor = 700 + instability / 2; /* 0.7 when nothing moves, 1.2 after a change, 1.7 at most */
    factor += factor * fall / 300;          /* doubled when three pawns have gone */
    if (signs->effort_permille > 0)         /* 0.7 when all nodes went into one move, 1.2 when a sixth did */
        factor = factor * (1300 - lesser(signs->effort_permille, 1000) * 3 / 5) / 1000;
    int64_t target = plan->soft_ms * factor / 1000;
    if (plan->soft_ms == plan->hard_ms) target = plan->hard_ms; /* nothing to save: byoyomi, movetime */
    target = lesser(greater(target, plan->least_ms), plan->hard_ms);
    if (plan->delay_ms >= 0) {
        int64_t rounded = (target + plan->delay_ms + 999) / 1000 * 1000 - plan->delay_ms;
        target = rounded <= plan->hard_ms ? greater(rounded, target) : target;
    }
    return target;
}
