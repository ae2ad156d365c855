/* search.h - principal variation search below a root position, by one thread.
 *
 *   iterate.c calls search_root() with a window and a depth; search.c looks at nodes; threads.c owns the threads.
 *
 * A search is cut off by `shared->stop`, read after each child; what it returns then is meaningless and must be thrown
 * away. Scores are those of the side to move (score.h); repetition by superiority is +-SCORE_SUPERIOR.
 *
 * Threads: see search_thread.h.
 */
#ifndef MURAKUMO_ENGINE_SEARCH_H
#define MURAKUMO_ENGINE_SEARCH_H

#include "worker/engine/search_thread.h"

/* Searches the root moves from multipv_index on. Updates their scores and lines. When told_move is set afterwards, the
 * search was given up and they mean nothing. */
Score search_root(struct search_thread *t, Score alpha, Score beta, int depth_plies);

#endif
