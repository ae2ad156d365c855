/* iterate.h - iterative deepening: searches the root again and again, one ply deeper each time, inside aspiration
 * windows.
 *
 * Ends at the depth limit, when `shared->stop` is set, or when the search has a mate that deeper iterations cannot
 * change. Afterwards root_moves is sorted, best first: also when the last iteration was cut off.
 */
#ifndef MURAKUMO_ENGINE_ITERATE_H
#define MURAKUMO_ENGINE_ITERATE_H

#include "worker/engine/search.h"

/* `report` (search_thread.h) is called by thread 0 after each finished iteration, once per line, when the first line of
 * a deep one fails low (its bound says so), and when another move takes the lead in the middle of one; may be NULL. */
void iterate(struct search_thread *t, search_report *report, void *context);

/* As it may leave the engine: mate distances stay, everything else is clamped to centipawns. */
static inline Score iterate_score_out(Score score) { return score_is_mate(score) ? score : score_clamp_cp(score); }

#endif
