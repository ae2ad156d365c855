/* search_thread.h - what one thread of a search needs, and what all its threads share.
 *
 * Threads: everything in struct search_thread belongs to its thread, except `nodes` (relaxed, read by others) while
 * a search runs. struct search_shared is read-only during a search, but for its atomics.
 */
#ifndef MURAKUMO_ENGINE_SEARCH_THREAD_H
#define MURAKUMO_ENGINE_SEARCH_THREAD_H

#include <stdatomic.h>

#include "worker/engine/engine.h"
#include "worker/engine/eval.h"
#include "worker/engine/history.h"
#include "worker/engine/movepick.h"
#include "worker/engine/params.h"
#include "worker/engine/share.h"
#include "worker/engine/tsumero.h"
#include "worker/engine/tt.h"

enum {
    SEARCH_PLY_MAX = 240, /* nodes deeper than this are evaluated at once */
    SEARCH_FRAME_PAD = 8, /* frames before the root, so that frame - 6 always exists */
    SEARCH_FRAME_COUNT = SEARCH_FRAME_PAD + SEARCH_PLY_MAX + 4,
    SEARCH_POLL_NODES = 1024,
    SEARCH_PATH_NONE = SEARCH_PLY_MAX + 1, /* no repetition is behind a score */
    SEARCH_DECIDED_CP = EVAL_CP_MAX + 1    /* more than any evaluation: a mate, or superiority by repetition */
};

/* What all threads of one search share. */
struct search_shared {
    struct tt *tt;
    const struct eval_ops *eval;
    struct engine_options options;
    struct engine_limits limits; /* searchmoves is not used: root moves are in each thread */
    int64_t started_ms;          /* monotonic */
    Color root_side;
    Score draw_score_root; /* what a draw is worth to the side to move at the root */
    struct search_thread **threads;
    unsigned thread_count;

    struct claims *claims;      /* NULL: nobody is told what is being searched */
    _Atomic uint32_t hints_put; /* relaxed: counts what came from other workers */
    _Atomic int gate_plies;     /* relaxed: shallowest entry that is offered to them */

    atomic_bool stop; /* relaxed: ends the search; set by any thread */
    atomic_bool stopped_by_owner;
};

struct root_move {
    Move move;
    Score score;          /* -SCORE_INFINITE: not searched in this iteration */
    Score score_previous; /* of the iteration before */
    Score score_mean;     /* smoothed, centre of the aspiration window */
    enum score_bound bound;
    int seldepth_plies;
    uint64_t nodes; /* spent on it in this search */
    uint16_t pv_count;
    Move pv[ENGINE_PV_MAX];
};

struct search_frame {
    struct undo undo;
    continuation_row *continuation; /* row of the move made here; an all-0 row for a pass */
    struct scored_move *pool_end;   /* end of this node's move list */
    Move current;                   /* the move being searched; MOVE_NONE or MOVE_NULL possible */
    Move excluded;
    Score static_eval;
    int ply, move_count, reduction_q10, cutoffs, history_score;
    int path_ply; /* the score rests on a repetition of the position at this ply: worth nothing by another path */
    uint64_t nodes_before; /* the thread's, when the node was entered */
    bool in_check, tt_pv, tt_hit;
    enum tsumero_state threat;       /* to the side to move here */
    struct tsumero_mate threat_mate; /* in T and O: what the threat is */
    uint64_t key;                    /* with sharing: what is to be known to leave this node early */
    Score watched_beta;
    int watched_plies;
    bool watched, watched_pv;
    bool company; /* other workers are expected to be in this node, too */
    uint16_t pv_count;
    Move pv[ENGINE_PV_MAX];
};

struct root_mate;
struct search_thread;

/* Says something about a root move: `unfinished`: it is better than all before it, the rest of the iteration may know
 * a better one. */
typedef void search_report(void *context, const struct search_thread *t, size_t root_index, bool unfinished);

struct search_thread {
    struct search_shared *shared;
    struct search_params params;
    unsigned index;
    struct position pos;
    struct history line; /* positions of the game and of the search line */
    int root_game_ply;
    uint32_t root_count; /* line.count at the root */
    void *eval_state;
    struct history_tables *history;
    _Atomic uint64_t nodes; /* written by this thread only */
    uint64_t nodes_limit;   /* next look at clock and limits */
    int root_depth_plies, completed_depth_plies, seldepth_plies;
    int null_ply_min;             /* no null move above this ply while one is being verified */
    struct root_move *root_moves; /* [MOVES_MAX] */
    size_t root_count_moves, multipv_index, multipv_count;
    bool root_is_part; /* not all legal moves are in root_moves: what is found here is not the position's score */
    int moves_before;  /* of the root: limits.moves_before */
    struct search_frame *frames; /* [SEARCH_FRAME_COUNT] */
    struct scored_move *pool;    /* moves of all nodes of the line */
    struct share_ring *ring;     /* NULL: nothing is offered to other workers */
    struct tsumero *tsumero;     /* what is known about mates */
    struct root_mate *root_mate; /* of the leading thread, NULL in the others */
    uint64_t pause_nodes;        /* next call of the pacer */
    uint32_t hints_seen;         /* shared->hints_put when the line was last compared with the table */
    uint64_t heard_nodes;        /* our nodes when something new from another worker was seen last */
    int leave_ply;               /* the node at this ply is being left: another worker has finished it */
    Score leave_score;
    search_report *report; /* of this search; NULL: nobody wants to know */
    void *report_context;
    Score root_alpha, root_beta; /* the window of this iteration */
    Move told_move;              /* another worker has finished this iteration with this move; MOVE_NONE: not yet */
    Score told_score;
};

/* NULL when memory is short. */
struct search_thread *search_thread_new(struct search_shared *shared, unsigned index);
void search_thread_free(struct search_thread *t); /* NULL is allowed */
/* Forgets histories (a new game). */
void search_thread_clear(struct search_thread *t);
/* Takes over a root position; root_moves must have been filled. Call once per search. */
void search_thread_start(struct search_thread *t, const struct position *root, const struct history *history);

static inline bool search_stopped(const struct search_thread *t)
{
    return atomic_load_explicit(&t->shared->stop, memory_order_relaxed);
}
static inline uint64_t search_nodes(const struct search_thread *t)
{
    return atomic_load_explicit(&t->nodes, memory_order_relaxed);
}
static inline bool search_is_decided(Score score) { return score >= SEARCH_DECIDED_CP || score <= -SEARCH_DECIDED_CP; }

/* Which iteration this is, in plies of the game: the same number for searches of different roots of one game. */
static inline unsigned search_horizon(const struct search_thread *t)
{
    return (unsigned)(t->root_game_ply + t->root_depth_plies);
}

/* The root move, unless another line has it; NULL. */
static inline struct root_move *search_root_move(struct search_thread *t, Move move)
{
    for (size_t i = t->multipv_index; i < t->root_count_moves; i++)
        if (t->root_moves[i].move == move) return &t->root_moves[i];
    return NULL;
}
/* Of all threads together. */
uint64_t search_nodes_all(const struct search_shared *shared);

#endif
