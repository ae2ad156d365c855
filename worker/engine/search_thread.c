/* search_thread.c - see search_thread.h. */
#include "worker/engine/search_thread.h"

#include <stdlib.h>
#include <string.h>

#include "worker/engine/root_mate.h"

uint64_t search_nodes_all(const struct search_shared *shared)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < shared->thread_count; i++) sum += search_nodes(shared->threads[i]);
    return sum;
}

struct search_thread *search_thread_new(struct search_shared *shared, unsigned index)
{
    struct search_thread *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->shared = shared;
    t->params = search_params_default();
    t->index = index;
    size_t state_bytes = (shared->eval->state_bytes + 63) / 64 * 64;
    t->eval_state = aligned_alloc(64, state_bytes);
    t->history = malloc(sizeof *t->history);
    t->root_moves = calloc(MOVES_MAX, sizeof *t->root_moves);
    t->frames = calloc(SEARCH_FRAME_COUNT, sizeof *t->frames);
    t->pool = malloc((SEARCH_PLY_MAX + 2) * (size_t)MOVES_MAX * sizeof *t->pool);
    t->tsumero = tsumero_new(&shared->stop);
    if (index == 0) t->root_mate = root_mate_new();
    if (!t->eval_state || !t->history || !t->root_moves || !t->frames || !t->pool || !t->tsumero ||
        (index == 0 && !t->root_mate)) {
        search_thread_free(t);
        return NULL;
    }
    memset(t->eval_state, 0, state_bytes);
    search_thread_clear(t);
    return t;
}

void search_thread_free(struct search_thread *t)
{
    if (!t) return;
    free(t->eval_state);
    free(t->history);
    free(t->root_moves);
    free(t->frames);
    free(t->pool);
    share_ring_free(t->ring);
    tsumero_free(t->tsumero);
    root_mate_free(t->root_mate);
    free(t);
}

void search_thread_clear(struct search_thread *t)
{
    history_clear(t->history);
    tsumero_clear(t->tsumero);
}

void search_thread_start(struct search_thread *t, const struct position *root, const struct history *history)
{
    t->pos = *root;
    /* Room for the line must be left; a game that is longer than the list loses its oldest positions. */
    uint32_t keep = HISTORY_MAX - SEARCH_PLY_MAX - 8, skip = history->count > keep ? history->count - keep : 0;
    t->line.count = history->count - skip;
    memcpy(t->line.entries, history->entries + skip, t->line.count * sizeof t->line.entries[0]);
    t->root_count = t->line.count;
    t->root_game_ply = (int)root->game_ply;
    t->shared->eval->refresh(t->eval_state, &t->pos);
    atomic_store_explicit(&t->nodes, 0, memory_order_relaxed);
    t->nodes_limit = t->pause_nodes = t->heard_nodes = 0;
    t->root_depth_plies = t->completed_depth_plies = t->seldepth_plies = 0;
    t->null_ply_min = 0;
    memset(t->frames, 0, (SEARCH_FRAME_COUNT) * sizeof *t->frames);
    for (int i = 0; i < SEARCH_FRAME_COUNT; i++) {
        t->frames[i].ply = i - SEARCH_FRAME_PAD;
        t->frames[i].static_eval = SCORE_NONE;
        t->frames[i].continuation = &t->history->no_continuation;
        t->frames[i].pool_end = t->pool;
        t->frames[i].path_ply = SEARCH_PATH_NONE;
    }
}
