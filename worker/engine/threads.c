/* threads.c - see threads.h. */
#include "worker/engine/threads.h"

#include <stdlib.h>

enum { STACK_BYTES = 16 << 20 }; /* SEARCH_PLY_MAX nested nodes, with room for sanitizers */

struct pool_thread {
    struct thread_pool *pool;
    struct search_thread *search;
    pthread_t id;
};

struct thread_pool {
    struct thread_pool_hooks hooks;
    struct pool_thread *threads;
    unsigned count;

    pthread_mutex_t lock;   /* guards everything below */
    pthread_cond_t changed; /* signalled when any of it changes */
    uint64_t job;           /* counts searches; a thread that has not done job n starts it */
    unsigned helpers_busy;
    bool lead_busy;
    bool finishing; /* the result is being reported: a new search may be asked for and waits a moment */
    bool quit;
};

static void *thread_main(void *argument)
{
    struct pool_thread *self = argument;
    struct thread_pool *pool = self->pool;
    bool lead = self->search->index == 0;
    uint64_t done = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->job == done && !pool->quit) pthread_cond_wait(&pool->changed, &pool->lock);
        if (pool->quit) break;
        done = pool->job;
        pthread_mutex_unlock(&pool->lock);
        (lead ? pool->hooks.lead : pool->hooks.help)(pool->hooks.context, self->search);
        pthread_mutex_lock(&pool->lock);
        if (lead) {
            while (pool->helpers_busy > 0) pthread_cond_wait(&pool->changed, &pool->lock);
            pool->finishing = true;
            pthread_mutex_unlock(&pool->lock);
            pool->hooks.finish(pool->hooks.context);
            pthread_mutex_lock(&pool->lock);
            pool->finishing = pool->lead_busy = false;
        } else {
            pool->helpers_busy--;
        }
        pthread_cond_broadcast(&pool->changed);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

struct thread_pool *thread_pool_new(struct search_shared *shared, const struct thread_pool_hooks *hooks)
{
    struct thread_pool *pool = calloc(1, sizeof *pool);
    if (!pool) return NULL;
    pool->threads = calloc(shared->thread_count, sizeof *pool->threads);
    pthread_attr_t attributes;
    if (!pool->threads || pthread_attr_init(&attributes) != 0) {
        free(pool->threads);
        free(pool);
        return NULL;
    }
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->changed, NULL);
    pool->hooks = *hooks;
    bool ok = true;
    while (ok && pool->count < shared->thread_count) {
        struct pool_thread *next = &pool->threads[pool->count];
        next->pool = pool;
        next->search = shared->threads[pool->count];
        ok = pthread_create(&next->id, &attributes, thread_main, next) == 0;
        if (ok) pool->count++;
    }
    pthread_attr_destroy(&attributes);
    if (!ok) {
        thread_pool_free(pool);
        return NULL;
    }
    return pool;
}

void thread_pool_free(struct thread_pool *pool)
{
    if (!pool) return;
    thread_pool_wait(pool);
    pthread_mutex_lock(&pool->lock);
    pool->quit = true;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->count; i++) pthread_join(pool->threads[i].id, NULL);
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->lock);
    free(pool->threads);
    free(pool);
}

bool thread_pool_start(struct thread_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    bool idle = !pool->lead_busy;
    if (idle) {
        pool->job++;
        pool->lead_busy = true;
        pool->helpers_busy = pool->count - 1;
        pthread_cond_broadcast(&pool->changed);
    }
    pthread_mutex_unlock(&pool->lock);
    return idle;
}

bool thread_pool_is_idle(struct thread_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    while (pool->finishing) pthread_cond_wait(&pool->changed, &pool->lock);
    bool idle = !pool->lead_busy;
    pthread_mutex_unlock(&pool->lock);
    return idle;
}

void thread_pool_wait(struct thread_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    while (pool->lead_busy) pthread_cond_wait(&pool->changed, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}
