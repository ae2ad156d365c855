/* tsume.h - mate orders: positions to be proved or refuted, by one worker each or, when there are workers to spare, by
 * several together.
 *
 *   order --> WAITS --whole job--> one worker --others join after JOIN_AFTER_MS--> several --first good answer--> done
 *               ^                      |                                              |
 *               +--- all lost, refused, doubted -------+-----------------------------+
 *
 * Workers of one position all do the whole job from its root. What makes them faster than one is the hint plane
 * (common/base/hint.h): they tell each other what they have found and where they are, and each disturbs the solver's
 * first guesses in its own way. A tree of jobs in the coordinator was tried first; it cost 2.1 times the nodes with two
 * workers and 7.1 times with eight, because each leaf is searched with a table that knows nothing of the others'.
 *
 * Every order is answered exactly once, whatever is lost, repeated, late or made up. What is believed: evidence.h. A
 * mate is as good as its proof, whatever hints helped to find it. A refutation that leans on hints of others is as good
 * as all of them: where strangers can reach the hint plane it counts for nothing, and the position goes on with workers
 * that only tell and do not listen; the first worker of a position never listens there. A worker whose word turned out
 * wrong gets no more mate jobs as long as there is somebody else. A position that fails FAILURES_MAX times is reported
 * as VERDICT_REFUSED with the reason, or as unknown if nobody is left but those who were caught; the others go on.
 *
 * Limits of nodes and time are for all workers of a position together.
 */
#ifndef MURAKUMO_COORDINATOR_TSUME_H
#define MURAKUMO_COORDINATOR_TSUME_H

#include "coordinator/core/evidence.h"
#include "coordinator/core/game.h"
#include "coordinator/core/registry.h"

enum { TSUME_TEAM_MAX = 16 };    /* workers of one position; their claims tell so many apart */
#define TSUME_ID_GAME UINT32_MAX /* the order of `go mate`: the outcome goes to the game, not to the outside */

enum tsume_turn {
    TSUME_PAUSED, /* a search for the GUI has all workers */
    TSUME_GAME,   /* `go mate` has them */
    TSUME_ALL
};

struct tsume_task {
    bool used;
    uint64_t order; /* first come, first served; never used twice */
    uint64_t scope; /* of the hints of its workers; 0 = nobody has had it yet */
    uint32_t id, attempt;
    unsigned failures, losses;
    unsigned holders; /* workers that have a job of it, suspects apart */
    unsigned joined;  /* workers that have had it, the present ones included */
    uint64_t nodes_max;
    uint32_t time_ms, plies_max;
    bool any_length, fresh;
    bool doubted;                /* a refutation leaned on hints: from now on nobody listens */
    int64_t begun_ms, due_ms;    /* INT64_MAX = nobody has had it yet; no time limit */
    uint64_t nodes, proof_nodes; /* of ended and lost jobs */
    struct position root;
    Move first_moves[MOVES_MAX];
    size_t first_move_count; /* 0 = all checks */
    char searchmoves[WIRE_SEARCHMOVES_BYTES_MAX];
    uint32_t searchmoves_bytes;
    char sfen[SFEN_BYTES_MAX];
    uint32_t sfen_bytes;
    unsigned opinion; /* worker whose uncertain verdict waits for a second one, + 1 */
    uint32_t opinion_verdict;
};

struct tsume_lease { /* what a worker is doing; belongs to the worker's place in the registry */
    bool active;
    bool holds; /* it counts as somebody who will answer */
    unsigned task;
    bool leans; /* on hints that strangers can send */
    uint64_t order, epoch;
    uint64_t nodes;   /* as reported so far */
    int64_t until_ms; /* INT64_MAX = no limit */
};

/* All zero but for `certificate` = nothing queued. */
struct tsume {
    struct tsume_task tasks[TSUME_ORDERS_MAX];
    unsigned high; /* used tasks are below it */
    struct tsume_lease leases[COORD_WORKERS_MAX];
    uint64_t distrusted[COORD_WORKERS_MAX]; /* session of a worker that was caught; 0 = none */
    struct certificate *certificate;        /* for the proofs of all; owned */
    struct evidence evidence;               /* of the result at hand */
    uint64_t orders;
    unsigned task_count;
    /* News for the game, of the present step: */
    const struct tsume_outcome *game_outcome; /* NULL = none */
};

/* What one of `team` workers of a position may tell the others, bytes/s: all that it finds, as long as the relay's line
 * (1 Gbit/s) carries it to each of them. */
uint32_t tsume_hint_bytes_per_s(unsigned team);

bool tsume_init(struct tsume *t); /* false: memory is short */
void tsume_free(struct tsume *t);

/* ST_FULL: TSUME_ORDERS_MAX positions are queued. ST_DUPLICATE: the id is in use. ST_RANGE: a limit out of range.
 * ST_ILLEGAL: there is no king to mate, or a searchmove is not legal. Others as from sfen_read(). Nothing is queued
 * then. */
enum status tsume_submit(struct tsume *t, const struct tsume_order *order, struct game_env *env);
enum status tsume_cancel(struct tsume *t, uint32_t id, struct game_env *env);
enum status tsume_take_partial(struct tsume *t, unsigned worker, const struct worker_job *job,
                               const struct msg_partial *partial, struct game_env *env);
enum status tsume_take_result(struct tsume *t, unsigned worker, const struct worker_job *job,
                              const struct msg_result *result, struct game_env *env);
void tsume_worker_lost(struct tsume *t, unsigned worker, const struct worker_job *job, struct game_env *env);
void tsume_worker_suspect(struct tsume *t, unsigned worker);
/* Hands out jobs of the orders whose turn it is and takes back all others; ends what is late. */
void tsume_advance(struct tsume *t, enum tsume_turn turn, struct game_env *env);
/* Is this job about the order of the game? `believed`: a mate that is shown on the way may be taken for one, because it
 * is for the very position, and nobody else's opinion is needed or can be had. `nodes`: of all jobs of that order. */
bool tsume_is_game(const struct tsume *t, unsigned worker, const struct worker_job *job,
                   const struct registry *registry, bool *believed, uint64_t *nodes);
int64_t tsume_deadline_ms(const struct tsume *t, int64_t now_ms);

#endif
