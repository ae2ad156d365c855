/* cluster.h - N real search engines under one virtual clock.
 *
 * Each engine has one thread and searches the same root. The clock of a worker is its node count: it searches `nps`
 * times its speed nodes a virtual second. All run in turns of turn_us: every worker searches its share of the turn (as
 * many at once as there are real cores), then what they have to say is put on the way, and what has arrived is handed
 * out before the next turn. Frames are real (hint_filter, msg_encode, msg_decode). A worker pays for each hint that it
 * takes with hint_cost_ns of its own time. What would be played at each moment is decided by the coordinator's own
 * merge.c. So a run depends on its options and the seed alone, not on this machine.
 *
 *   worker A --hints--> relay --hints--> all others      each way half a round trip, plus jitter, minus what is lost
 *
 * Threads: one owner.
 */
#ifndef MURAKUMO_SIMULATE_CLUSTER_H
#define MURAKUMO_SIMULATE_CLUSTER_H

#include "coordinator/core/split.h"
#include "worker/core/hint_filter.h"
#include "worker/engine/engine.h"

enum { CLUSTER_WORKERS_MAX = 256, CLUSTER_CRASHES_MAX = 32, CLUSTER_ANSWERS_MAX = 1024 };

struct cluster_options {
    unsigned workers;
    size_t hash_bytes;              /* of each worker */
    uint64_t nps;                   /* nodes a second of a worker of speed 1000 */
    const unsigned *speed_permille; /* [speed_count], repeated over the workers; NULL: all 1000 */
    size_t speed_count;
    int64_t turn_us;       /* how often a worker sends what it has */
    int64_t round_trip_us; /* worker - coordinator and back, without jitter */
    int64_t jitter_us;     /* each frame takes up to this much longer */
    unsigned loss_permille;
    /* Faults, in time since the search began. One worker always stays. */
    size_t crash_count; /* the last so many workers fall silent for good, */
    int64_t crash_us[CLUSTER_CRASHES_MAX];
    int64_t parted_from_us, parted_to_us; /* meanwhile the two halves of the workers do not hear each other */
    unsigned hint_cost_ns;                /* time of the search that one received hint costs */
    uint32_t bytes_per_s;                 /* a worker's budget; 0 = no limit */
    unsigned cores;                       /* simulated workers that run at once */
    uint64_t seed;
};

struct cluster_search { /* what all workers do */
    bool hints;         /* share them */
    int gate_plies, claim_plies;
    bool stagger;
    bool keeps_tables; /* of the search before, which belongs to the same game */
    /* NULL: all search the root by themselves. Else the real strategy of the coordinator gives out the work. */
    const struct split_ops *split;
};

struct cluster_limits {
    int depth_plies;     /* ends when a worker has finished this iteration; 0 = none */
    int64_t time_us_max; /* ends at this virtual time; 0 = none */
};

struct cluster_answer { /* what would be played from now on */
    int64_t time_us;    /* when the coordinator knows: half a round trip later if there is more than one worker */
    int depth_plies;
    bool exact; /* of a finished iteration; else a move that leads an unfinished one */
    Move move;
    Score score;
};

struct cluster_report {
    int64_t end_us;         /* of the whole search */
    bool reached;           /* the depth limit */
    uint64_t nodes;         /* of all workers */
    int64_t idle_us;        /* sum over the workers: had nothing to do any more */
    int64_t hint_us;        /* sum over the workers: spent on taking hints */
    uint64_t frames, bytes; /* sent by workers; the relay multiplies them */
    uint64_t hints_sent, hints_received, hints_dropped;
    size_t answer_count; /* in order of time; the depth of the exact ones never falls */
    struct cluster_answer answers[CLUSTER_ANSWERS_MAX];
};

/* Of the deepest finished iteration; 0: none. */
int cluster_depth_plies(const struct cluster_report *report);

struct cluster;
struct cluster *cluster_new(const struct cluster_options *options); /* NULL: no memory or threads */
void cluster_free(struct cluster *cluster);                         /* NULL is allowed */
/* Searches one position, with empty tables unless search->keeps_tables. */
void cluster_run(struct cluster *cluster, const struct position *root, const struct history *history,
                 const struct cluster_search *search, const struct cluster_limits *limits,
                 struct cluster_report *report);

#endif
