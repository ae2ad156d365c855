/* engine.h - the facade of the search engine: one object that searches one position at a time.
 *
 *   engine_new -> (engine_configure | engine_new_game | engine_go -> sink calls ... -> sink.done)* -> engine_free
 *
 * The engine never prints and never reads the clock of a game: it gets limits, it reports through a sink. The
 * coordinator owns the clock; limits.time_ms is only the dead-man limit of a search whose owner has vanished.
 * With limits.nodes, one thread and a cleared table the search is deterministic on every machine.
 *
 * Threads: all functions are called by one owner thread, except engine_stop(), which any thread may call at any time.
 * The sink is called from a search thread of the engine, never concurrently with itself; `done` is called exactly once
 * per accepted engine_go(), after the last `info`, and after it the engine is idle again.
 */
#ifndef MURAKUMO_ENGINE_ENGINE_H
#define MURAKUMO_ENGINE_ENGINE_H

#include "common/base/hint.h"
#include "common/base/status.h"
#include "common/shogi/outcome.h"
#include "common/shogi/score.h"

enum { ENGINE_CERTIFICATE_BYTES_MAX = 4096 };
enum { ENGINE_PV_MAX = 64, ENGINE_MULTIPV_MAX = MOVES_MAX, ENGINE_DEPTH_MAX = 127 };

enum engine_switch { ENGINE_DEFAULT, ENGINE_OFF, ENGINE_ON }; /* DEFAULT: as params.h says */

struct engine_options {
    size_t hash_bytes; /* transposition table; rounded down to whole clusters, at least 1 MiB */
    unsigned threads;  /* search threads of this worker, >= 1 */
    enum entering_king_rule rule;
    unsigned max_moves_to_draw;                   /* 0 = off */
    int draw_value_black_cp, draw_value_white_cp; /* what a draw is worth to that colour */
    bool generate_all_moves;                      /* search the pointless non-promotions too */
    enum engine_switch tsumero;                   /* look for threats of mate (tsumero.h) */
};

/* What this search has in common with those of other workers on the same position. All 0: it is alone. */
struct engine_sharing {
    bool on;          /* keep what is found for engine_hints_take() */
    unsigned worker;  /* number among those workers */
    unsigned workers; /* how many they are: each begins with other moves. 0 = unknown, all begin alike */
    int gate_plies;   /* shallowest entry that is offered, >= 1 */
    int claim_plies;  /* shallowest subtree that is claimed, so that others do it last; 0 = none */
    bool stagger;     /* odd workers run one ply ahead */
};

/* Stops a search (of one thread) every so many nodes, for simulations in virtual time. */
struct engine_pacer {
    void *context;
    /* Called by the search thread, first at 0 nodes; may block. Returns the number of nodes at which to call again. */
    uint64_t (*pause)(void *context, uint64_t nodes);
};

struct engine_limits {
    uint64_t nodes;   /* 0 = none; exact with one thread */
    int depth_plies;  /* 0 = none */
    int64_t time_ms;  /* 0 = none */
    unsigned multipv; /* >= 1 */
    const Move *searchmoves;
    size_t searchmoves_count; /* 0 = all legal moves */
    struct engine_sharing sharing;
    const struct engine_pacer *pacer; /* NULL: run freely; must live until `done` */
    bool continues;                   /* belongs to the same larger search as the one before: the table does not age */

    /* Part of a larger search: the score need only be told apart between alpha and beta, a bound is an answer too. */
    bool part; /* the rest counts */
    Score alpha, beta;
    int depth_min_plies;   /* first iteration; 0 = 1 */
    unsigned moves_before; /* better moves of this position that are searched elsewhere: ours count as late ones */
};

enum score_bound { BOUND_EXACT, BOUND_LOWER, BOUND_UPPER };

/* A line of a finished iteration; or a bound: upper, the first line of one that has just failed low; lower, a move that
 * has just proved better than all before it, in the middle of one (only when one line is wanted). */
struct engine_info {
    int depth_plies, seldepth_plies;
    unsigned multipv; /* 1-based */
    Score score;
    enum score_bound bound;
    uint64_t nodes;
    int64_t elapsed_ms;
    unsigned hashfull_permille;
    unsigned effort_permille; /* share of the leading thread's nodes that went into pv[0] */
    const Move *pv;           /* legal from the root on; pv[0] is a root move; borrowed for the call */
    size_t pv_count;
    const char
        *certificate; /* of a mate by line 1: a proof, perhaps of a longer one (certificate.h); borrowed; or NULL */
    size_t certificate_bytes;
};

struct engine_result {
    Move best;   /* MOVE_WIN when a declaration wins now; MOVE_RESIGN when there is no legal move */
    Move ponder; /* MOVE_NONE if unknown */
    Score score;
    enum score_bound bound;
    int depth_plies; /* last finished iteration; 0 if none was finished */
    uint64_t nodes;
    int64_t elapsed_ms;
    bool stopped; /* ended by engine_stop() */
};

struct engine_sink {
    void *context;
    void (*info)(void *context, const struct engine_info *info);
    void (*done)(void *context, const struct engine_result *result);
};

struct engine;

/* NULL when memory is short. The sink is copied. */
struct engine *engine_new(const struct engine_options *options, const struct engine_sink *sink);
void engine_free(struct engine *engine); /* stops a running search first; NULL is allowed */

/* Only when idle (ST_STATE otherwise). On ST_NO_MEMORY the old table is kept. */
MUST_USE enum status engine_configure(struct engine *engine, const struct engine_options *options);
MUST_USE enum status engine_new_game(struct engine *engine); /* clears table and histories */

/* Prepares a piece of the table's memory, for the owner's idle moments; also while a search runs. True: call again. */
bool engine_warm(struct engine *engine);

/* Starts a search and returns at once. Position and history are copied. ST_STATE while one is running. */
MUST_USE enum status engine_go(struct engine *engine, const struct position *root, const struct history *history,
                               const struct engine_limits *limits);
void engine_stop(struct engine *engine);
/* Blocks until the engine is idle. */
void engine_wait(struct engine *engine);

/* Hints for other workers, oldest first of each thread; returns how many. And those that they sent: false ones cost
 * time, never an illegal move. Any one thread at a time may call these while a search runs or after it, but not beside
 * engine_configure(), engine_new_game() and engine_go(). */
size_t engine_hints_take(struct engine *engine, struct hint *out, size_t capacity);
void engine_hints_put(struct engine *engine, const struct hint *hints, size_t count);
/* Changes sharing.gate_plies of the running search. Any thread, any time. */
void engine_hints_gate(struct engine *engine, int gate_plies);
uint64_t engine_hints_dropped(const struct engine *engine); /* found no room in the rings, since the engine was made */

/* Numbers that two workers compare before they share anything. */
uint64_t engine_eval_hash(const struct engine *engine);
const char *engine_eval_name(const struct engine *engine);

#endif
