/* fallback.h - a sensible legal move without any worker: a small alpha-beta inside the coordinator.
 *
 * Iterative deepening over material, pieces' advance and king shelter, captures searched to quiet, mates in one seen
 * for both sides. It exists so that an answer is always there, not to play well. Deterministic: the work is counted in
 * nodes, and it can be done in slices. A slice ends with the root move in which its nodes run out; no root move takes
 * more than FALLBACK_NODES_PER_MOVE, beyond that the deepening is over.
 */
#ifndef MURAKUMO_COORDINATOR_FALLBACK_H
#define MURAKUMO_COORDINATOR_FALLBACK_H

#include "common/shogi/position.h"
#include "common/shogi/score.h"

enum {
    FALLBACK_DEPTH_MAX = 6,
    FALLBACK_NODES_FIRST = 8000, /* at the start of a `go`: two milliseconds */
    FALLBACK_NODES_SLICE = 4000,
    FALLBACK_NODES_PER_MOVE = 20000
};

struct fallback {
    struct position pos;
    Move moves[MOVES_MAX]; /* best first, as of the last finished depth */
    Score scores[MOVES_MAX];
    size_t count;
    int depth;    /* the depth being searched, 1.. */
    size_t index; /* next root move of it */
    Move best;    /* of the last finished depth; never MOVE_NONE while count > 0 */
    Score score;  /* of that, side to move; meaning only if depth_done > 0 */
    int depth_done;
    uint64_t nodes;
    bool finished; /* no more depth will come */
};

/* moves[0..count): the legal moves to choose from, count >= 1. Nothing is searched yet; `best` is the first move. */
void fallback_start(struct fallback *f, const struct position *pos, const Move *moves, size_t count);
/* Searches until about `nodes` more nodes are used up or nothing is left to do. */
void fallback_run(struct fallback *f, uint64_t nodes);

#endif
