/* tsumero.h - mates inside the playing search (詰めろ): who mates where, and who is under a threat of mate.
 *
 * A record per position says who mates, how, and what was spent on the question. A position is asked about with a node
 * budget; asking again costs nothing unless the budget has grown, and goes on where the last try ended.
 *
 * States of a node, for its side to move (KFEnd, Arioka 2000):
 *
 *   T   after a pass of this side the other mates: it is under a threat
 *   O   the node before was T and answered with a check, which has to be answered first
 *   N   neither, or not known
 *
 * After a move made in T the other side tries its mate at once, whatever the depth: first the mate that was the threat,
 * within its length and about its effort. After O the threat is tested again. In T nothing is decided by the static
 * evaluation and no pass is tried.
 *
 * Nodes:   the moves that the mate search makes are added to the thread's nodes, so they count towards every limit. A
 *          search of one thread never goes beyond limits.nodes.
 * Result:  deterministic; depends on the calls since tsumero_new() or tsumero_clear().
 * Memory:  about 3 MB, all of it taken in tsumero_new() (but for proofs of thousands of positions).
 * Threads: one of these per search thread; *stop may be set by any thread.
 */
#ifndef MURAKUMO_ENGINE_TSUMERO_H
#define MURAKUMO_ENGINE_TSUMERO_H

#include <stdatomic.h>

#include "common/shogi/position.h"
#include "common/shogi/score.h"

struct search_frame;
struct search_thread;
struct tsumero;

enum { TSUMERO_PLIES_MAX = 999 }; /* longer mates cannot be told as a score */

enum tsumero_state { TSUMERO_N, TSUMERO_T, TSUMERO_O };

struct tsumero_mate {
    Move move;     /* that mates; MOVE_NONE: unknown */
    int plies;     /* within so many, odd; the shortest mate may be shorter */
    uint32_t work; /* nodes that it took to find */
};

struct tsumero *tsumero_new(const _Atomic bool *stop); /* NULL when memory is short */
void tsumero_free(struct tsumero *m);                  /* NULL is allowed */
void tsumero_clear(struct tsumero *m);                 /* forgets everything */

/* Does the side to move mate at the thread's position? Spends at most nodes_max, all tries at this position together.
 * False: not within that. */
bool tsumero_mates(struct search_thread *t, uint32_t nodes_max, struct tsumero_mate *mate);
/* The line of a mate within mate->plies, legal from the thread's position on, the last move mates; returns its length,
 * 0 if none is found with mate->work nodes (0: as many as it takes). Sets move and plies to those of the line. */
size_t tsumero_line(struct search_thread *t, struct tsumero_mate *mate, Move *line, size_t line_max);
/* The check that the proof behind the last line plays at this position, else MOVE_NONE. */
Move tsumero_check(const struct tsumero *m, const struct position *pos);

/* Looks at the node where the thread is: sets f->threat; true: the side to move mates. depth_plies <= 0: quiescence. */
bool tsumero_look(struct search_thread *t, struct search_frame *f, Score eval, Score beta, int depth_plies,
                  struct tsumero_mate *mate);

#endif
