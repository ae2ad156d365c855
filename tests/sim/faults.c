/* faults.c - what a seed means, and what goes wrong in it. */
#include "tests/sim/sim.h"

#include <string.h>

struct sim_plan sim_plan_of(uint64_t seed)
{
    struct prng prng = prng_make(seed ^ 0x5eed);
    struct sim_plan plan = {.name = "?",
                            .gos = 5,
                            .chaos_us = 9000000,
                            .end_us = 120000000,
                            .net = {.delay_us_min = 50, .delay_us_max = 400}};
    plan.workers = 1 + prng_below(&prng, 4);
    plan.locals = prng_below(&prng, plan.workers + 1);
    if (prng_chance(&prng, 300)) { /* another continent */
        plan.net.delay_us_min = 20000;
        plan.net.delay_us_max = 120000;
    }
    static const char *const strategies[] = {"auto", "lazy", "tree", "root", "tree", "majority", "optimistic"};
    struct prng second = prng_make(seed ^ 0x57a7);
    plan.strategy = strategies[prng_below(&second, 7)];
    switch (seed % 10) {
    case 0:
        plan.name = "one calm worker";
        plan.workers = 1;
        plan.locals = (unsigned)(seed / 10 % 2);
        plan.chaos_us = 0;
        break;
    case 1:
        plan.name = "calm cluster";
        plan.chaos_us = 0;
        if (seed / 10 % 2) plan.workers = 2u << prng_below(&second, 3);
        break;
    case 2:
        plan.name = "crashes";
        plan.crashes = plan.terms = true;
        break;
    case 3:
        plan.name = "hangs";
        plan.hangs = true;
        break;
    case 4:
        plan.name = "broken connections";
        plan.cuts = plan.partitions = true;
        break;
    case 5:
        plan.name = "worse than TCP";
        plan.lossy = true;
        plan.net.loss_permille = prng_below(&prng, 150);
        plan.net.duplicate_permille = prng_below(&prng, 150);
        plan.net.overtaking = true;
        plan.net.delay_us_max = 50000;
        break;
    case 6:
        plan.name = "liars";
        plan.liars = plan.hangs = true;
        if (plan.workers < 2) plan.workers = 2;
        plan.locals = prng_below(&prng, 2);
        break;
    case 7:
        plan.name = "scan under fire";
        plan.scan = plan.crashes = plan.hangs = plan.cuts = true;
        plan.gos = 2;
        break;
    case 8:
        plan.name = "one sees the mate";
        plan.blind = true;
        if (plan.workers < 2) plan.workers = 2;
        plan.chaos_us = 0;
        break;
    default:
        plan.name = "everything";
        plan.crashes = plan.hangs = plan.cuts = plan.partitions = plan.terms = plan.late = plan.lossy = true;
        plan.scan = prng_chance(&prng, 500);
        plan.net.loss_permille = prng_below(&prng, 60);
        plan.net.duplicate_permille = prng_below(&prng, 60);
        plan.net.overtaking = prng_chance(&prng, 500);
        break;
    }
    if (plan.locals > plan.workers) plan.locals = plan.workers;
    return plan;
}

struct sim_plan sim_plan_tournament(unsigned workers, unsigned games, unsigned plies)
{
    return (struct sim_plan){
        .name = "tournament",
        .workers = workers,
        .lossy = true,
        .net = {.delay_us_min = 9000, .delay_us_max = 11000, .loss_permille = 10},
        .strategy = "auto",
        .games = games,
        .game_plies = plies,
        .byoyomi_ms = 1000,
        .chaos_us = ((int64_t)games * plies + 60) * 1100000, /* the network is bad for as long as games are played */
        .end_us = ((int64_t)games * plies + 60) * 1100000 + 120000000,
    };
}

void faults_plan_next(struct sim *sim)
{
    const struct sim_plan *plan = &sim->plan;
    bool any = plan->crashes || plan->hangs || plan->cuts || plan->partitions || plan->terms;
    sim->fault_us = any && !sim->healed ? sim->now_us + prng_range(&sim->prng, 50000, 1500000) : INT64_MAX;
    if (sim->fault_us >= plan->chaos_us) sim->fault_us = INT64_MAX;
}

void faults_act(struct sim *sim)
{
    const struct sim_plan *plan = &sim->plan;
    struct sim_worker *w = &sim->workers[prng_below(&sim->prng, plan->workers)];
    uint32_t kind = prng_below(&sim->prng, 5);
    int64_t length_us = prng_range(&sim->prng, 20000, 4000000);
    faults_plan_next(sim);
    if (!w->alive) return;
    sim->faults++;
    if (kind == 0 && plan->crashes) {
        worker_kill(sim, w, sim->now_us + length_us);
    } else if (kind == 1 && plan->hangs && !w->hung_until_us) {
        w->hung_until_us = sim->now_us + length_us;
        w->faulted = true;
        sim_note(sim, "w%u hangs for %d ms", w->index, (int)(length_us / 1000));
    } else if (kind == 2 && plan->cuts) {
        worker_cut(sim, w);
    } else if (kind == 3 && plan->partitions) {
        bool up = prng_chance(&sim->prng, 700);
        bool down = prng_chance(&sim->prng, 700);
        sim->net.blocked[w->index][1] = up;
        sim->net.blocked[w->index][0] = down;
        w->faulted = true;
        sim_note(sim, "w%u: partition%s%s", w->index, up ? " up" : "", down ? " down" : "");
    } else if (kind == 4 && plan->terms) {
        worker_terminate(sim, w);
    } else if (plan->partitions) { /* heals what was blocked */
        sim->net.blocked[w->index][0] = sim->net.blocked[w->index][1] = false;
    }
}

void faults_heal(struct sim *sim)
{
    sim->healed = true;
    sim->fault_us = INT64_MAX;
    if (sim->plan.chaos_us > 1000000) sim_note(sim, "no more faults");
    sim->net.options.loss_permille = sim->net.options.duplicate_permille = 0;
    sim->net.options.overtaking = false;
    memset(sim->net.blocked, 0, sizeof sim->net.blocked);
    for (unsigned i = 0; i < sim->plan.workers; i++) {
        struct sim_worker *w = &sim->workers[i];
        if (w->hung_until_us > sim->now_us) w->hung_until_us = sim->now_us + 1000;
        if (!w->alive && w->respawn_us != INT64_MAX && w->respawn_us > sim->now_us) w->respawn_us = sim->now_us + 1000;
    }
}
