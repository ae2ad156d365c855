/* split.h - how one search is divided among workers: a port with one implementation per value of the option
 * SplitStrategy.
 *
 *   lazy        everybody searches the root; hints keep them from doing the same work; the deepest line is played
 *   majority    everybody searches the root alone; the move that most of them want is played; for several lines: lazy
 *   optimistic  the same; the move with the best score among the deep enough ones is played
 *   root        the moves of the root are split, one of them is searched first; for several lines they are dealt
 *   tree        the same at every position of the best line
 *   auto        whichever of these has measured best: lazy (README.md)
 *
 * The game asks the strategy what a free worker should do, and tells it what became of the work. A strategy hands out
 * numbered jobs of one epoch; who is free, alive and allowed to answer is the registry's business, what the lines are
 * worth the game's.
 *
 *   begin ... (next ... report* ... done | lost)* ... finished
 *
 * One worker alone gets one plain job, whatever the strategy: it plays exactly as the bare engine does.
 * Memory: struct split is owned by the game and holds whatever a strategy needs; nothing is allocated.
 */
#ifndef MURAKUMO_COORDINATOR_SPLIT_H
#define MURAKUMO_COORDINATOR_SPLIT_H

#include "coordinator/core/event.h"
#include "coordinator/core/merge.h"
#include "coordinator/core/tree.h"

enum { SPLIT_BATCH_MAX = 48 };

struct split_task {     /* what the GUI asked for; texts and lists are borrowed until the search is over */
    uint64_t nodes;     /* total over all workers; 0 = no limit */
    uint32_t depth_max; /* 0 = no limit */
    uint32_t multipv;
    struct wire_str searchmoves;
    unsigned workers; /* usable now; others may come later */
    /* Of each usable worker, in its slot: how much faster than others it is; 0 = not usable. All 0: nothing is known.
     */
    uint32_t weights[COORD_WORKERS_MAX];
    bool mate;

    const struct position *root;
    const struct history *game;
    const Move *choices; /* moves that may be answered, likely ones first */
    size_t choice_count;
    int64_t grain_ms; /* least work worth a message: max(5 ms, 25 round trips) */
};

struct split_job {
    uint32_t job, attempt; /* attempt 1 = first try */
    uint64_t nodes;        /* 0 = no limit */
    uint32_t depth_max, multipv, variation;
    struct wire_str searchmoves;

    bool part; /* the rest counts: a search of the position after `path`, of `moves` only (none = all) */
    uint32_t depth_min, moves_before;
    Score alpha, beta;
    const Move *path, *moves; /* live until the next call */
    size_t path_count, move_count;
};

/* What a worker says about its job: an iteration, or the end of it. */
struct split_report {
    bool over; /* the job has ended by itself */
    uint32_t elapsed_ms;
    uint64_t nodes;
    struct merge_line line; /* from the job's position on, legal; depth 0 = none */
};

enum split_share_state { SHARE_WAITING, SHARE_OUT, SHARE_DONE };

/* tree, root: what a worker is doing. */
struct tree_job {
    enum tree_job_kind { TREE_NOTHING, TREE_PLAIN, TREE_LEAF, TREE_RESOLVE, TREE_SCOUT } kind;
    uint32_t id;
    bool released; /* its holder is suspect: others may take the same work, its answer is welcome all the same */
    bool obsolete; /* nobody waits for it any more */
    unsigned node, ply;
    Move path[TREE_SPINE_MAX];
    int depth;
    Score alpha, beta;
    Move moves[SPLIT_BATCH_MAX];
    unsigned move_count;
    struct merge_line line; /* the last exact one; depth 0 = none */
};

struct split_tree {
    struct tree tree;
    struct tree_job jobs[COORD_WORKERS_MAX];
    bool grown;           /* the plain searches of the beginning are over, the tree stands */
    bool over;            /* nothing left to search */
    unsigned leaf_wanted; /* levels of the spine */
    uint32_t job_last;
    struct merge_line seed; /* deepest line of the plain searches */
    uint64_t seed_nodes;
    uint64_t speed_nodes, speed_ms; /* of all finished jobs: measured speed of a worker */
    uint64_t iteration_nodes;
    Move said_move; /* as told to the game last */
    Score said_score;
};

/* lazy, root, when several lines are wanted: who searches which moves. */
enum { LINES_KEPT_MAX = 2 * MOVES_MAX };
struct split_lines {
    unsigned part_count;
    struct lines_part {
        struct wire_str moves; /* within `text` */
        uint32_t lines_wanted, attempt;
        uint32_t depth;    /* the deepest iteration of which all lines are known */
        uint64_t whole[2]; /* one bit for each such depth */
        unsigned holders;
        bool done;
    } parts[COORD_WORKERS_MAX];
    bool deal_again; /* somebody was lost: everybody is called back, and the moves are dealt anew */
    char text[MOVES_MAX * 6];
    Move moves[MOVES_MAX]; /* all of the root, likely ones first */
    size_t move_count;
    uint8_t part_of[MOVES_MAX];         /* by place in `moves` */
    uint32_t job_of[COORD_WORKERS_MAX]; /* 0 = none; else its part + 1 */
    struct lines_run {
        uint32_t depth, count; /* the first `count` lines of the iteration have come */
    } runs[COORD_WORKERS_MAX]; /* of each worker */
    struct lines_kept {
        uint16_t move;          /* place in `moves` of the one that the line begins with */
        struct merge_line line; /* depth 0 = nothing */
    } kept[LINES_KEPT_MAX];     /* of iterations that not all parts have come to */
    uint32_t told_depth;
    bool mate_told;                           /* a proven one: nothing else is told any more */
    const struct lines_kept *best[MOVES_MAX]; /* lines that are being told, best first */
    size_t best_count, best_next;
};

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
        unsigned owner; /* whose speed it was made for */
        uint64_t nodes;
    } shares[COORD_WORKERS_MAX];
    bool ended[COORD_WORKERS_MAX];      /* lazy without shares: this worker has finished the task by itself */
    uint32_t number[COORD_WORKERS_MAX]; /* 1, 2, ... in the order in which workers were given work; 0 = not yet */
    uint32_t number_last;
    union { /* of the strategy in use */
        struct split_tree tree;
        struct split_lines lines;
    };
};

struct split_ops {
    const char *name;
    enum merge_rule rule; /* how the lines of several workers become one answer */
    bool shares_hints;
    uint32_t hint_plies;  /* shallowest entry worth sending; 0 = as the worker likes */
    uint32_t claim_plies; /* shallowest subtree that the workers divide among themselves as they meet it; 0 = none */
    void (*begin)(struct split *split);
    /* Is there something for the free worker in this slot? */
    bool (*next)(struct split *split, unsigned worker, struct split_job *job);
    /* The position that the lines of this job begin at; NULL: the root. No function: they all begin there. */
    const struct position *(*position)(struct split *split, unsigned worker, uint32_t job);
    bool (*is_part)(const struct split *split, unsigned worker, uint32_t job);
    /* The worker has said something. True: *line (from the root on) is to be merged. */
    bool (*report)(struct split *split, unsigned worker, uint32_t job, const struct split_report *report,
                   struct merge_line *line);
    /* After a report that was true: the next one of several lines. NULL: there is never more than one. */
    bool (*more)(struct split *split, struct merge_line *line);
    /* The worker's result for `job` has come and counts; after its report. */
    void (*done)(struct split *split, unsigned worker, uint32_t job);
    /* The worker that held `job` is gone or has lost it, or (`suspect`) may be: somebody else shall do it. */
    void (*lost)(struct split *split, unsigned worker, uint32_t job, bool suspect);
    /* Shall the worker be stopped, because its job is of no use any more? */
    bool (*obsolete)(const struct split *split, unsigned worker);
    /* Nothing is left to hand out or to wait for: the search is over. */
    bool (*finished)(const struct split *split);
};

extern const struct split_ops split_lazy, split_majority, split_optimistic, split_root, split_tree, split_auto,
    split_lines_whole, split_lines_dealt;

/* By name of the option's value; NULL if there is none. */
const struct split_ops *split_find(const char *name);
void split_begin(struct split *split, const struct split_ops *ops, const struct split_task *task);
/* Several lines from several workers (split_lines.c)? */
static inline bool split_tells_lines(const struct split_task *task)
{
    return task->multipv > 1 && task->workers > 1 && !task->nodes && !task->mate;
}
/* Which of the workers of this search it is, 0 = the first. */
uint32_t split_number(struct split *split, unsigned worker);

#endif
