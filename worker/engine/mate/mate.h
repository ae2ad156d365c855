/* mate.h - proves or refutes mate (詰将棋): every attacker move gives check, every defence is answered.
 *
 * Source:   df-pn of Nagai 2002; cycles after Kishimoto & Mueller 2004; loops and double counts after Kishimoto 2010.
 *
 * Shapes:   the attacker is the side to move (it may itself be in check; its king may be missing). All rules hold:
 *           pawn-drop mate is no move, every non-promotion is one, a position repeated inside the line is a failure of
 *           the attacker.
 *
 * Length:   "mate within M plies" counts every legal interposition. `shortest` means: the attacker cannot do it in
 *           fewer plies, and the line shows a longest defence.
 *
 * Result:   MATE_PROVED comes only with a proof that has been replayed against every legal defence; MATE_REFUTED only
 *           when no line of any length mates. Everything else is MATE_UNKNOWN. The verdict does not depend on the table
 *           size, only whether one is reached.
 *
 * Games:    a move limit is given as plies_max. A declaration (入玉宣言) needs no care: the defender is always in
 * check.
 *
 * Memory:   the solver owns its table; it survives between calls and speeds up related positions. The position and the
 *           limits are borrowed for the call.
 *
 * Threads:  one owner thread calls the functions. mate_solve() blocks; with threads > 1 it runs helpers on one table.
 *           *stop may be set by any thread at any time. With one thread and without time_ms the result depends only on
 *           the position, the limits, the table size and what the table holds.
 */
#ifndef MURAKUMO_ENGINE_MATE_MATE_H
#define MURAKUMO_ENGINE_MATE_MATE_H

#include "common/base/hint.h"
#include "common/shogi/position.h"

enum {
    MATE_PLIES_MAX = 4095,            /* longest line that can be found and shown */
    MATE_TABLE_BYTES_MIN = 64 * 1024, /* smaller requests are rounded up */
    MATE_THREADS_MAX = 256
};
#define MATE_NUMBER_MAX UINT32_MAX /* a settled proof or disproof number */

enum mate_verdict { MATE_PROVED, MATE_REFUTED, MATE_UNKNOWN };
enum mate_end { MATE_END_SOLVED, MATE_END_NODES, MATE_END_TIME, MATE_END_STOP, MATE_END_MEMORY };

struct mate_progress { /* sent about every 500 ms and whenever a (shorter) mate is found */
    uint64_t nodes;
    int64_t elapsed_ms;
    int plies; /* shortest mate replayed so far, 0 = none yet */
    unsigned hashfull_permille;
    const Move *line; /* borrowed for the call; the mating line, or the one looked at now if there is none yet */
    size_t line_count;
};

struct mate_pacer { /* stops a search every so many nodes, for simulations in virtual time */
    void *context;
    /* Called by each searching thread, first at 0 nodes; may block. Returns the number of nodes of that thread at which
     * to call again. */
    uint64_t (*pause)(void *context, unsigned thread, uint64_t nodes);
    /* So many threads are about to search; thread 0 calls it, and is searching alone otherwise. NULL = not wanted. */
    void (*begin)(void *context, unsigned threads);
    void (*end)(void *context, unsigned thread); /* this thread makes no more nodes until the next begin() */
};

struct mate_sharing { /* with other workers at the same root; see mate_share.h */
    uint64_t scope;   /* of that root; 0 = alone */
    unsigned worker;  /* its number among them */
    int gate;         /* least effort of a fact that is told */
    bool tell_only;   /* tell, but do not listen: this search is what it would be alone */
};

struct mate_limits {
    uint64_t nodes;          /* moves made, all threads together; 0 = none */
    int64_t time_ms;         /* 0 = none */
    int plies_max;           /* look only for mates within so many plies; 0 = MATE_PLIES_MAX */
    const Move *first_moves; /* only these first moves count; NULL = all */
    size_t first_move_count; /* 0 with first_moves set: there is no mate */
    bool any_length;         /* be content with the first mate found; else go on to the shortest one */
    uint64_t seed;           /* 0 = the plain search; others disturb the first guesses (dovetailing over machines) */
    const struct mate_pacer *pacer;                                        /* NULL: run freely */
    const _Atomic bool *stop;                                              /* NULL = none */
    void (*progress)(void *context, const struct mate_progress *progress); /* NULL = none; called on the owner thread */
    void *context;
};

struct mate_result {
    enum mate_verdict verdict;
    enum mate_end end; /* why the search ended; MATE_PROVED with another value than SOLVED: maybe not the shortest */
    bool shortest;     /* plies is exact */
    int plies;         /* MATE_PROVED: moves in the line, odd; else 0 */
    int refuted_plies; /* no mate within so many plies, whatever the verdict; MATE_PLIES_MAX when refuted outright */
    uint64_t nodes, proof_nodes; /* moves made; positions replayed when the proof was checked */
    int64_t elapsed_ms;
    uint64_t pn, dn; /* how far the root is from proof and disproof; PROVED: (0, MATE_NUMBER_MAX), REFUTED: reversed */
    Hand hand; /* PROVED: with this attacker's hand, or any larger one, and the same pieces in both hands together there
                  is a mate too; REFUTED: with this or any smaller one there is none. Else the hand of the position */
    unsigned hashfull_permille;
    Move line[MATE_PLIES_MAX]; /* [0, plies): attacker first, last move mates */
};

struct mate_solver;

/* NULL when memory is short. threads >= 1. */
struct mate_solver *mate_new(size_t table_bytes, unsigned threads);
void mate_free(struct mate_solver *solver);  /* NULL is allowed */
void mate_clear(struct mate_solver *solver); /* forgets everything */
/* limits may be NULL (no limit at all). *result is always filled. */
void mate_solve(struct mate_solver *solver, const struct position *pos, const struct mate_limits *limits,
                struct mate_result *result);

/* How the searches from now on share what they find. What the table holds from others is forgotten if it is of another
 * scope or not to be believed any more. False: no memory; they are alone then.
 *
 * Trust: a mate never depends on others: its proof is replayed, and if that fails because somebody has told something
 * wrong, everything is forgotten and searched again alone. A refutation, and `shortest`, do: mate_has_heard(). */
bool mate_share(struct mate_solver *solver, const struct mate_sharing *sharing);
/* May what was found last rest on what others said? */
bool mate_has_heard(const struct mate_solver *solver);
/* What the running search has to tell, what others told, and the end of a turn with the gate for the next one: may be
 * called by one other thread between mate_share() and the next one. */
size_t mate_hints_take(struct mate_solver *solver, struct hint *out, size_t capacity);
void mate_hints_put(struct mate_solver *solver, const struct hint *hints, size_t count);
void mate_hints_gate(struct mate_solver *solver, int gate);

/* Reads the proof that the last mate_solve() replayed (MATE_PROVED; until the next call): the check played at `pos`, a
 * position with the attacker to move, and within how many plies it mates. MOVE_NONE for positions that the proof does
 * not need. Walking from the root over this move and every defence visits result->proof_nodes different positions. */
Move mate_proof_move(const struct mate_solver *solver, const struct position *pos, int *plies);

#endif
