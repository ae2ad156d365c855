/* merge.h - the best line so far of one `go`, made from what all workers report, and what of it is told to the GUI.
 *
 * Order: a proven mate for us wins over everything (the shorter first); then depth, then score. A mate that is only
 * claimed is no more than a good score. A worker's newer report
 * of the same depth replaces its own older one. Of bounds only one counts: a lower bound of a deeper iteration is a
 * move that has taken the lead there, and is played unless a finished line of that depth says otherwise (by
 * MERGE_DEEPEST, where one search is behind all lines); the others are only shown. Every line has been read under the
 * rules before it gets here, so the first move of the line held is always legal.
 */
#ifndef MURAKUMO_COORDINATOR_MERGE_H
#define MURAKUMO_COORDINATOR_MERGE_H

#include "common/shogi/score.h"
#include "coordinator/core/effects.h"
#include "coordinator/core/metrics.h"
#include "coordinator/core/pv.h"

struct merge_line {
    uint32_t depth, seldepth, multipv; /* multipv >= 1 */
    uint32_t score_kind, bound;
    int32_t score;
    uint32_t effort; /* permille of the worker's nodes that went into its move; 0 = not known */
    bool proven;     /* a mate for us that need not be taken on trust */
    struct pv pv;
};

enum { MERGE_TREE = COORD_WORKERS_MAX }; /* in place of a worker: the line is put together from several workers' */

/* How the lines of several workers become one answer. A proven mate is always the answer. */
enum merge_rule {
    MERGE_DEEPEST,   /* the deepest line; of two of one depth the better one */
    MERGE_MAJORITY,  /* the move that most workers want now; the deepest of their lines */
    MERGE_OPTIMISTIC /* the best score */
};
enum { MERGE_DEPTH_BEHIND = 2 }; /* a line that is further behind the deepest has no vote and no chance */

struct merge {
    enum merge_rule rule;
    bool present;                    /* is there a line at all? */
    unsigned worker;                 /* whose it is */
    struct merge_line line;          /* multipv 1, exact */
    uint64_t serial, printed_serial; /* number of the line held, and of the one that was printed last */
    bool block;                      /* further MultiPV lines of this worker and depth are being printed */
    unsigned further_count, further_printed;
    struct merge_line further[WIRE_MULTIPV_MAX - 1]; /* lines 2, 3, ... of the block that the line held begins */

    /* The last exact line of each worker, depth 0 = none: for the consultation rules. */
    struct merge_line own[COORD_WORKERS_MAX];
    uint64_t nodes[COORD_WORKERS_MAX];    /* of the job each worker has now */
    uint32_t hashfull[COORD_WORKERS_MAX]; /* permille */
    bool heard[COORD_WORKERS_MAX];        /* hashfull holds a value */
    uint64_t nodes_past;                  /* of jobs that are over or lost */
    uint64_t nodes_printed;               /* never goes down */

    int64_t started_ms, printed_ms;
    int64_t instability_permille;
    Score peak; /* best score of any depth so far; -SCORE_INFINITE = none */
    Score low;  /* what is left at most of the score held, says a deeper search; SCORE_NONE = nothing is known */
};

struct merge_display {
    int64_t interval_ms; /* at least so long between two prints; 0 = print everything */
    bool bounds;         /* print lowerbound and upperbound lines */
    bool multipv;        /* print the word multipv */
};

void merge_start(struct merge *m, enum merge_rule rule, int64_t now_ms);
/* Score as one number that can be compared; mates beyond all centipawns. */
Score merge_score(uint32_t score_kind, int32_t score);
static inline Score merge_line_score(const struct merge_line *line)
{
    return merge_score(line->score_kind, line->score);
}
/* A proven mate for us: it is the answer, whatever others say. */
bool merge_mates(const struct merge_line *line);
uint64_t merge_nodes(const struct merge *m);
void merge_count(struct merge *m, unsigned worker, uint64_t nodes, uint32_t hashfull);
/* The worker's job is over or lost: its nodes stay counted. */
void merge_job_over(struct merge *m, unsigned worker);

/* Takes a line of a worker; true if the line held has changed. Prints what is to be printed. */
bool merge_take(struct merge *m, unsigned worker, const struct merge_line *line, const struct merge_display *display,
                int64_t now_ms, struct metrics *metrics, struct coord_effects *out);
/* The worker's final word on its own line: the first move of `word` (legal, with or without a reply) is what it would
 * play. Returns true if the line held has changed. */
bool merge_final(struct merge *m, unsigned worker, const struct merge_line *word);
/* Prints the line held unless it is the last one printed, and what is not printed yet of its block: what stands before
 * `bestmove` is where it comes from. */
void merge_print_last(struct merge *m, const struct merge_display *display, int64_t now_ms, struct coord_effects *out);

#endif
