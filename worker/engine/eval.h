/* eval.h - the evaluation port: what an evaluator offers to the search.
 *
 * An evaluator keeps a stack of its own sums beside the search: refresh() at the root, push() after each move, pop()
 * before each undo, score() where the search wants a number. push() should only note what changed; many nodes are left
 * without a score. Implementations are constant tables plus a state of `state_bytes` per search thread.
 *
 * Threads: an eval_ops and what it loaded are shared and read-only; a state belongs to one thread.
 */
#ifndef MURAKUMO_ENGINE_EVAL_H
#define MURAKUMO_ENGINE_EVAL_H

#include "common/shogi/position.h"
#include "common/shogi/score.h"

enum { EVAL_PUSH_MAX = 512, EVAL_CP_MAX = 20000 }; /* depth of the stack; |score| never exceeds EVAL_CP_MAX */

struct eval_ops {
    const char *name;
    size_t state_bytes; /* aligned to 64 bytes by the caller */
    /* Once per process, before the first state; idempotent and safe to call from several threads. */
    void (*load)(void);
    void (*refresh)(void *state, const struct position *pos);
    /* `pos` after the move, `undo` as position_do() or position_do_null() left it; undo->move is MOVE_NULL for a pass.
     */
    void (*push)(void *state, const struct position *pos, const struct undo *undo);
    void (*pop)(void *state);
    /* Centipawns for the side to move. Not asked while in check. */
    Score (*score)(void *state, const struct position *pos);
    /* A number over everything that decides scores: equal on two machines only if they score alike. */
    uint64_t (*hash)(void);
};

extern const struct eval_ops eval_classic;

#endif
