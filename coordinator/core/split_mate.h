/* split_mate.h - one mate problem for several workers: a proof-number tree whose leaves are jobs.
 *
 *   root              attacker to move: one check must mate
 *    |- check         defender to move: every evasion must be mated
 *    |   |- evasion   attacker to move: a leaf = a job "is this position a mate?", or expanded again by two plies
 *
 * 1. Dovetailing: as long as the root is a leaf every worker gets it, each with its own disturbance of the solver's
 *    first guesses. Most problems end here, with whoever is first.
 * 2. The tree: a leaf that its node budget did not settle gets a larger one next time; one that has cost a lot is
 *    expanded, with the numbers that the worker found for its checks. A worker gets the leaf that is most likely to
 *    decide, as if those that are out had been proved already (virtual proof: the work that is needed anyway is shared
 *    out first); if that would settle the root, as if they had been refuted (then it is a speculation).
 * With ANCHOR_WORKERS or more one worker keeps searching the root: what it costs is small, and the tree cannot do worse
 * than one machine.
 *
 * What counts: leaves are solved as bare positions, so their verdicts hold on every path. In the tree itself a position
 * that comes back on its own path, with no more pieces in the attacker's hand, is a failure of the attacker on this
 * path only; as the tree has one path to each node nothing of it leaks. Solved positions are shared with all leaves
 * that have the same board and a hand that the verdict covers.
 *
 * Pure: the caller says who asks, who answers and who is gone; whether an answer may be believed is his business too.
 * Source: proof numbers: Allis 1994; virtual numbers on leaves handed out: Kaneko 2010 and later master-worker solvers.
 */
#ifndef MURAKUMO_COORDINATOR_SPLIT_MATE_H
#define MURAKUMO_COORDINATOR_SPLIT_MATE_H

#include "common/shogi/position.h"

#include <stddef.h>

enum {
    SPLIT_MATE_WORKERS_MAX = 256,
    SPLIT_MATE_NODES_MAX = 1 << 14,
    SPLIT_MATE_LINES_MAX = 1 << 15, /* moves kept of the lines of proved leaves */
    SPLIT_MATE_SHARED_MAX = 1 << 12,
    SPLIT_MATE_PLIES_MAX = 4095,
    SPLIT_MATE_CHECKS_MAX = 256 /* of a position whose numbers are told; further ones are guessed */
};

struct split_mate_node {
    uint32_t parent, first, count; /* children stand together, behind their parent; count 0 = leaf */
    uint32_t pn, dn;               /* of what is known; 0 and SPLIT_MATE_INFINITE = settled */
    uint32_t holders;              /* jobs that are out */
    uint32_t line_at, line_count;  /* of a proved leaf; 0 = not kept */
    uint64_t effort;               /* nodes that jobs have spent */
    uint16_t home;                 /* worker that searched it last, + 1: its table knows the position */
    uint16_t opinion;              /* worker whose uncertain verdict waits for a second one, + 1 */
    bool opinion_mate;             /* which verdict that was */
    bool merges; /* an interposed piece: they are much alike, so they count by their maximum, not by their sum */
    uint16_t plies, depth; /* to mate, once proved; from the root */
    uint8_t tries;
    bool attack; /* attacker to move */
    Move move;   /* that led here */
};
#define SPLIT_MATE_INFINITE UINT32_MAX

struct split_mate_shared { /* a position that a job has settled; board_key 0 = free */
    uint64_t board_key;
    Hand hand;      /* of the attacker */
    uint16_t plies; /* to mate; 0 = refuted */
};

/* A few hundred kilobytes; all zero = idle. */
struct split_mate {
    struct position root;
    Move first_moves[MOVES_MAX];
    size_t first_move_count; /* 0 = all checks */
    uint32_t plies_max;      /* the question: mate within so many? */
    uint64_t nodes_first;    /* budget of a first job; doubles with every try */
    uint32_t used;           /* nodes */
    struct split_mate_node nodes[SPLIT_MATE_NODES_MAX];
    uint32_t virtual_pn[SPLIT_MATE_NODES_MAX], virtual_dn[SPLIT_MATE_NODES_MAX]; /* of the present choice */
    Move lines[SPLIT_MATE_LINES_MAX];
    uint32_t line_moves;
    struct split_mate_shared shared[SPLIT_MATE_SHARED_MAX];
    uint32_t shared_count;
    unsigned plain;                                /* the worker whose searches of the root are not disturbed */
    uint32_t jobs;                                 /* handed out so far */
    uint32_t root_job;                             /* `jobs` when the root was handed out last */
    uint32_t contradictions;                       /* verdicts of two workers that cannot both be true */
    uint32_t changes, dry[SPLIT_MATE_WORKERS_MAX]; /* nothing to do for the worker as long as `changes` is his `dry` */
};

struct split_mate_job {
    uint32_t node;
    struct position pos;
    uint64_t nodes;          /* budget */
    uint32_t pn_max, dn_max; /* as soon as one of its numbers is as large another leaf promises more; 0 = no limit */
    uint64_t seed;           /* 0 = the plain search */
    uint32_t plies_max;      /* SPLIT_MATE_PLIES_MAX = any length */
    bool root;               /* first_moves count */
};

/* What a job that did not settle its position found out: numbers of the position and of its checks, in any order. */
struct split_mate_report {
    uint64_t pn, dn, nodes;
    size_t check_count;
    struct {
        Move move;
        uint32_t pn, dn;
    } checks[SPLIT_MATE_CHECKS_MAX];
};

/* `first_moves` may be NULL. */
void split_mate_begin(struct split_mate *m, const struct position *root, const Move *first_moves,
                      size_t first_move_count, uint32_t plies_max, uint64_t nodes_first);
/* What a free worker of `workers` should do; false: nothing for now. */
bool split_mate_next(struct split_mate *m, unsigned worker, unsigned workers, struct split_mate_job *job);

/* A worker that nobody had divided the problem for is at its root already. */
void split_mate_adopt(struct split_mate *m, unsigned worker);
/* A job is not out any more: it has ended, its worker is lost, or may be. Results of lost jobs may still be given. */
void split_mate_release(struct split_mate *m, uint32_t node);

/* There is nobody left for a second opinion: what waits for one will be asked again. */
void split_mate_forget_opinions(struct split_mate *m);

/* What a job found out. `certain`: it can be believed; else it waits until another worker says the same. */
void split_mate_unknown(struct split_mate *m, uint32_t node, unsigned worker, unsigned workers,
                        const struct split_mate_report *report);
void split_mate_proved(struct split_mate *m, uint32_t node, unsigned worker, bool certain, const Move *line,
                       uint32_t plies, Hand hand);
void split_mate_refuted(struct split_mate *m, uint32_t node, unsigned worker, bool certain, Hand hand);

bool split_mate_is_proved(const struct split_mate *m);
bool split_mate_is_refuted(const struct split_mate *m);
/* Is the job still of use? A node above it may have been settled. */
bool split_mate_needs(const struct split_mate *m, uint32_t node);
/* Of a proved root, as long as the proof lets the defender hold out. `line` has room for SPLIT_MATE_PLIES_MAX. 0: a
 * part of it was not kept; its leaf is open again and will be asked for. */
size_t split_mate_line(struct split_mate *m, Move *line);

#endif
