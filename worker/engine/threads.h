/* threads.h - the search threads of one engine: they sleep between searches and all start at once.
 *
 * Thread 0 leads: it reports, ends the search for all, waits for the others and then calls `finish`. All share the
 * transposition table and nothing else (Lazy SMP).
 */
#ifndef MURAKUMO_ENGINE_THREADS_H
#define MURAKUMO_ENGINE_THREADS_H

#include <pthread.h>

#include "worker/engine/iterate.h"

struct thread_pool;

struct thread_pool_hooks {
    void *context;
    void (*lead)(void *context, struct search_thread *t); /* thread 0's work; returns when its search is over */
    void (*help)(void *context, struct search_thread *t); /* the others' work */
    void (*finish)(void *context);                        /* on thread 0, after all others have ended */
};

/* Starts shared->thread_count threads over shared->threads. NULL when they cannot be had. */
struct thread_pool *thread_pool_new(struct search_shared *shared, const struct thread_pool_hooks *hooks);
/* Waits for a running search (stop it before), ends the threads. NULL is allowed. */
void thread_pool_free(struct thread_pool *pool);
/* False while a search runs (finish has not begun). */
bool thread_pool_start(struct thread_pool *pool);
bool thread_pool_is_idle(struct thread_pool *pool);
/* Blocks until the last search is over, its `finish` included. */
void thread_pool_wait(struct thread_pool *pool);

#endif
