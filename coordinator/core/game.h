/* game.h - one `go` at a time: its deadline, what the workers report, and the one answer.
 *
 *            go                                  deadline, stop, result
 *   IDLE ----------> THINKING --------------------------------------------> IDLE    bestmove
 *     |                 ^                                                    ^
 *     | go ponder       | ponderhit                                          |
 *     +-----------> PONDERING ------------------- stop ----------------------+
 *
 * `go infinite` is THINKING that only `stop` ends. A search that is over before it may be answered is kept (`finished`)
 * until ponderhit or stop. A second `go` without `stop` ends the first one: it is answered, then the new one begins.
 * From its first step on a `go` holds a legal move: fallback.h finds one in about two milliseconds. Nothing that is
 * promised to the GUI waits for a worker.
 */
#ifndef MURAKUMO_COORDINATOR_GAME_H
#define MURAKUMO_COORDINATOR_GAME_H

#include "common/shogi/certificate.h"
#include "coordinator/core/allot.h"
#include "coordinator/core/board.h"
#include "coordinator/core/fallback.h"
#include "coordinator/core/found_mate.h"
#include "coordinator/core/jobtext.h"
#include "coordinator/core/merge.h"
#include "coordinator/core/ponder.h"
#include "coordinator/core/registry.h"
#include "coordinator/core/split.h"
#include "coordinator/usi/options.h"
#include "coordinator/usi/usi.h"

enum game_phase { GAME_IDLE, GAME_THINKING, GAME_PONDERING };

struct game {
    enum game_phase phase;
    bool mate, infinite;
    bool limited;   /* a clock, movetime or mate time limits it: due_ms counts */
    bool finished;  /* nothing more to search for */
    Move fixed;     /* the answer that the rules give: MOVE_WIN, a king move (try rule), MOVE_RESIGN; else MOVE_NONE */
    uint64_t epoch; /* of this go, or the last one */
    struct board board; /* what is searched */
    struct usi_go go;   /* its searchmoves point into `searchmoves` */
    char searchmoves[WIRE_SEARCHMOVES_BYTES_MAX];
    Move choices[MOVES_MAX]; /* legal moves that may be answered */
    size_t choice_count;

    int64_t clock_ms;  /* the clock of this move runs since then: go, or ponderhit */
    int64_t credit_ms; /* thought before ponderhit */
    struct allot allot;
    int64_t due_ms;    /* answer then */
    int64_t lonely_ms; /* no worker in sight since then; INT64_MAX = there is one */
    int64_t slice_ms;  /* next slice of the fallback search; INT64_MAX = none */

    struct merge merge;
    struct fallback fallback;
    struct split split;
    struct job_texts texts;
    bool out[COORD_WORKERS_MAX];        /* has a job of this epoch */
    bool aside[COORD_WORKERS_MAX];      /* ... which is not the search itself, but prepares for other replies */
    bool aside_over[COORD_WORKERS_MAX]; /* that has ended by itself, and is not begun again */
    struct ponder ponder;
    unsigned refusals[COORD_WORKERS_MAX]; /* jobs of this epoch that the worker would not do */
    unsigned refused_count;
    struct found_mate found;
    char refusal[WIRE_TEXT_BYTES_MAX + 1];

    Score last_score; /* of the move answered last in this game; SCORE_NONE = none */
};

/* What the game needs from its surroundings, for one step. */
struct game_env {
    struct registry *registry;
    const struct options *options;
    struct metrics *metrics;
    struct coord_effects *out;
    uint64_t *epoch_last; /* epochs rise over games and scans */
    int64_t worker_wait_ms;
    uint64_t fallback_nodes;
    int64_t grain_ms;                /* 0 = by the round trip */
    struct certificate *certificate; /* in which proofs are walked through */
    int64_t now_ms;
};

void game_init(struct game *g); /* *g is all zeros */
void game_new(struct game *g);  /* usinewgame */
void game_go(struct game *g, const struct board *board, const struct usi_go *go, struct game_env *env);
void game_stop(struct game *g, struct game_env *env);
void game_ponderhit(struct game *g, const struct usi_clock *clock, struct game_env *env);

/* Reports for a job with owner JOB_GAME; stale ones are counted. */
enum status game_partial(struct game *g, unsigned worker, const struct worker_job *job,
                         const struct msg_partial *partial, struct game_env *env);
enum status game_result(struct game *g, unsigned worker, const struct worker_job *job, const struct msg_result *result,
                        struct game_env *env);
void game_worker_lost(struct game *g, unsigned worker, const struct worker_job *job);
void game_worker_suspect(struct game *g, unsigned worker, struct game_env *env);

/* `go mate` is solved elsewhere (tsume.h); here is what comes of it: a report of a job (`believed`: of a mate that it
 * shows, too) with the nodes of all so far, the outcome. */
void game_mate_progress(struct game *g, const struct msg_partial *partial, bool believed, uint64_t nodes,
                        struct game_env *env);
void game_mate_done(struct game *g, const struct tsume_outcome *outcome, struct game_env *env);

/* Gives work to free workers, answers when it is time. To be called at the end of every step. */
void game_advance(struct game *g, struct game_env *env);
int64_t game_deadline_ms(const struct game *g, int64_t worker_wait_ms);
/* The move that would be answered now; MOVE_NONE when idle. */
Move game_held(const struct game *g);

#endif
