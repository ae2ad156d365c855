/* tsume.h - mate orders: positions to be proved or refuted, each given to whichever worker is free.
 *
 *   position:  WAITS --handed out--> OUT --result--> done: TSUME_DONE with the outcome
 *                ^                    |
 *                +-- worker lost, refused, stopped; a search for the GUI goes first
 *
 * A position is answered exactly once, whatever is lost, repeated or late. A mate counts only with its line, replayed
 * here. A position that fails FAILURES_MAX times is reported as VERDICT_REFUSED with the reason; the others go on.
 */
#ifndef MURAKUMO_COORDINATOR_TSUME_H
#define MURAKUMO_COORDINATOR_TSUME_H

#include "coordinator/core/game.h"
#include "coordinator/core/registry.h"

struct tsume_task {
    bool used, out;
    uint64_t order; /* first come, first served */
    uint32_t id, attempt;
    unsigned failures;
    uint64_t nodes_max;
    uint32_t time_ms, plies_max;
    bool any_length, fresh;
    int64_t begun_ms, due_ms; /* INT64_MAX = nobody has had it yet; no time limit */
    uint64_t nodes;           /* of ended and lost jobs */
    struct position root;
    char sfen[SFEN_BYTES_MAX];
    uint32_t sfen_bytes;
};

struct tsume_lease { /* what a worker is doing; belongs to the worker's place in the registry */
    bool active;
    unsigned task;
    uint64_t epoch;
    uint64_t nodes;   /* as reported so far */
    int64_t until_ms; /* INT64_MAX = no limit */
};

/* All zero = nothing queued. */
struct tsume {
    struct tsume_task tasks[TSUME_ORDERS_MAX];
    struct tsume_lease leases[COORD_WORKERS_MAX];
    uint64_t orders;
    unsigned task_count;
};

/* ST_FULL: TSUME_ORDERS_MAX positions are queued. ST_DUPLICATE: the id is in use. ST_RANGE: a limit out of range.
 * ST_ILLEGAL: there is no king to mate. Others as from sfen_read(). Nothing is queued then. */
enum status tsume_submit(struct tsume *t, const struct tsume_order *order, struct game_env *env);
enum status tsume_cancel(struct tsume *t, uint32_t id, struct game_env *env);
enum status tsume_take_partial(struct tsume *t, unsigned worker, const struct worker_job *job,
                               const struct msg_partial *partial, struct game_env *env);
enum status tsume_take_result(struct tsume *t, unsigned worker, const struct worker_job *job,
                              const struct msg_result *result, struct game_env *env);
void tsume_worker_lost(struct tsume *t, unsigned worker, const struct worker_job *job, struct game_env *env);
/* Hands out positions, or with `pause` takes back all that are out. */
void tsume_advance(struct tsume *t, bool pause, struct game_env *env);
int64_t tsume_deadline_ms(const struct tsume *t);

#endif
