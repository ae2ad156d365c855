/* farm_workers.h - who works for the farm: proved before they get work, watched while they do it.
 *
 * Known questions: a new worker process searches a few positions and solves a mate before anything else. What our own
 * first worker answers (with the farm's table size) is the name of the engine: results of another engine are never
 * mixed with its results, and a worker that answers differently is sent away. Workers whose work turned out wrong later
 * are accused here too; what they have said is to be forgotten (farm_workers_take_liar()).
 */
#ifndef MURAKUMO_COORDINATOR_FARM_WORKERS_H
#define MURAKUMO_COORDINATOR_FARM_WORKERS_H

#include "coordinator/core/task.h"
#include "coordinator/run.h"

enum { FARM_LIARS_MAX = 16 };

struct proof {     /* a worker process answers known questions before it gets work */
    uint64_t boot; /* 0 = free place */
    unsigned asked;
    bool done; /* the last one that was asked is answered */
    struct text_buffer answer;
};

struct speed { /* of one worker process, between two looks at it */
    uint64_t boot, nodes, nodes_per_s;
    int64_t at_ms;
};

struct farm_workers {
    uint64_t engine; /* name of the engine; 0 = not known yet */
    uint32_t hash_mb;
    struct proof proofs[COORD_WORKERS_MAX];
    struct speed speeds[COORD_WORKERS_MAX]; /* in the order of the last look */
    uint64_t liars[FARM_LIARS_MAX];
    unsigned liar_count;
};

void farm_workers_init(struct farm_workers *w, uint32_t hash_mb);
void farm_workers_free(struct farm_workers *w);
/* From the hooks of run.h: true if it belonged to a known question. */
bool farm_workers_take_result(struct farm_workers *w, const struct scan_result *result);
bool farm_workers_take_done(struct farm_workers *w, uint32_t id);
/* Asks the new ones, judges those who have answered. */
void farm_workers_look(struct farm_workers *w, struct run *run, const struct coord_snapshot *now);
/* Out with the worker. */
void farm_workers_accuse(struct farm_workers *w, struct run *run, uint64_t boot, const char *name);
/* One process at a time whose answers are to be forgotten. */
bool farm_workers_take_liar(struct farm_workers *w, uint64_t *boot);
/* JSON objects of all workers, with the speed since the last call, comma between. */
void farm_workers_write(struct farm_workers *w, const struct coord_snapshot *now, struct text_buffer *out);

#endif
