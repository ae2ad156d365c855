/* split.h - how one search is divided among workers: a port with one implementation per value of the option
 * SplitStrategy.
 *
 * The game asks the strategy what a free worker should do, and tells it what became of the work. A strategy hands out
 * numbered jobs of one epoch; who is free, alive and allowed to answer is the registry's business, what the answers are
 * worth the game's.
 *
 *   begin ... (next ... done | lost)* ... finished
 *
 * Memory: struct split is owned by the game and holds whatever a strategy needs; nothing is allocated.
 */
#ifndef MURAKUMO_COORDINATOR_SPLIT_H
#define MURAKUMO_COORDINATOR_SPLIT_H

#include "coordinator/core/event.h"

struct split_task {     /* what the GUI asked for */
    uint64_t nodes;     /* total over all workers; 0 = no limit */
    uint32_t depth_max; /* 0 = no limit */
    uint32_t multipv;
    struct wire_str searchmoves;
    unsigned workers; /* usable now; others may come later */
};

struct split_job {
    uint32_t job, attempt; /* attempt 1 = first try */
    uint64_t nodes;        /* 0 = no limit */
    uint32_t depth_max, multipv;
    struct wire_str searchmoves;
};

enum split_share_state { SHARE_WAITING, SHARE_OUT, SHARE_DONE };

struct split {
    const struct split_ops *ops;
    struct split_task task;
    unsigned share_count; /* lazy: 0 = everybody gets the whole task */
    unsigned out_count;   /* jobs that somebody is working on */
    unsigned done_count;
    struct {
        enum split_share_state state;
        unsigned holders; /* more than one when a suspect's share was given to another worker too */
        uint32_t attempt;
        uint64_t nodes;
    } shares[COORD_WORKERS_MAX];
    bool ended[COORD_WORKERS_MAX]; /* lazy without shares: this worker has finished the task by itself */
};

struct split_ops {
    const char *name;
    void (*begin)(struct split *split);
    /* Is there something for the free worker in this slot? */
    bool (*next)(struct split *split, unsigned worker, struct split_job *job);
    /* The worker's result for `job` has come and counts. */
    void (*done)(struct split *split, unsigned worker, uint32_t job);
    /* The worker that held `job` is gone or has lost it, or (`suspect`) may be: somebody else shall do it. */
    void (*lost)(struct split *split, unsigned worker, uint32_t job, bool suspect);
    /* Nothing is left to hand out or to wait for: the search is over. */
    bool (*finished)(const struct split *split);
};

extern const struct split_ops split_lazy;

/* By name of the option's value; NULL if there is none. */
const struct split_ops *split_find(const char *name);
void split_begin(struct split *split, const struct split_ops *ops, const struct split_task *task);

#endif
