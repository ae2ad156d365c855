/* cluster_parts.h - the inside of cluster.c, for the files that it is made of. */
#ifndef MURAKUMO_SIMULATE_CLUSTER_PARTS_H
#define MURAKUMO_SIMULATE_CLUSTER_PARTS_H

#include "common/base/prng.h"
#include "coordinator/core/merge.h"
#include "tests/sim/simulate/cluster.h"
#include "tests/sim/simulate/mail.h"

#include <semaphore.h>

enum { SCOPE = 1, ANSWERS_OF_WORKER_MAX = 8 * ENGINE_DEPTH_MAX };

/* A worker belongs to its search thread between `go` and `done`, to the owner of the cluster else. */
struct worker {
    struct cluster *cluster;
    unsigned index;
    struct engine *engine;
    uint64_t nodes_per_s;
    struct hint_filter *filter;
    struct mailbox mail;
    sem_t go;
    uint64_t nodes, target; /* searched so far; at the end of this turn */
    int64_t begin_us;       /* of the present search */
    int64_t hint_ns;        /* spent on taking hints during the present search */
    int64_t turn_begin_us, end_us;
    struct engine_pacer *pacer;
    bool finished;   /* the engine says that it has nothing more to search */
    int depth_plies; /* of its last finished iteration */
    size_t answer_count;
    struct cluster_answer answers[ANSWERS_OF_WORKER_MAX];
};

struct cluster {
    struct cluster_options options;
    struct prng prng;
    struct worker *workers;
    sem_t done;                  /* a worker has come to the end of its turn */
    struct conductor *conductor; /* NULL: everybody searches the root by himself */
    bool releasing;              /* the search is over: nobody waits for turns any more */
    uint64_t bytes, sequence;
    uint8_t entries[WIRE_HINTS_BYTES_MAX], frame[WIRE_FRAME_BYTES_MAX];
};

void cluster_wait(sem_t *semaphore);
/* When a worker has searched so many nodes of its present search. */
int64_t cluster_time_of_nodes(const struct worker *w, uint64_t nodes);
/* Hints that have arrived at the beginning of this turn. */
void cluster_take_mail(struct worker *w);

#endif
