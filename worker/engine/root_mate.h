/* root_mate.h - mates at the root and along the best line, looked for between iterations by the leading thread.
 *
 * A share of the nodes of the search goes into it (params.h): half of that at the root, the rest evenly over the
 * positions after the first moves of the best line, so for both sides. What is found below the root goes into the
 * table, where the next iteration meets it. A mate at the root is proved (replayed against every defence) and stays the
 * answer of this search, whatever later iterations say, unless they find a shorter one.
 *
 * A slice of the leading thread, not a thread of its own: a worker has one thread as often as eight, and most slices
 * end after a few nodes, because most positions have no checks worth following.
 *
 * Threads: owned by the leading thread.
 */
#ifndef MURAKUMO_ENGINE_ROOT_MATE_H
#define MURAKUMO_ENGINE_ROOT_MATE_H

#include "worker/engine/search_thread.h"

struct root_mate;

struct root_mate *root_mate_new(void);    /* NULL when memory is short */
void root_mate_free(struct root_mate *m); /* NULL is allowed */

/* Before the first iteration: nothing is proved. */
void root_mate_start(struct search_thread *t);
/* Between iterations. */
void root_mate_look(struct search_thread *t);
/* Puts the proved mate in front of root moves that are worth less. To be called whenever they have been sorted. */
void root_mate_apply(struct search_thread *t);
/* The proof (certificate.h) of a mate by the move in front, as text; NULL if there is none or it is too long. The
 * search may know a shorter mate by the same move. */
const char *root_mate_certificate(const struct search_thread *t, size_t *bytes);

#endif
