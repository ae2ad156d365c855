/* share.c - see share.h. */
#include "worker/engine/share.h"

#include <stdlib.h>

struct share_ring *share_ring_new(void)
{
    struct share_ring *ring = aligned_alloc(64, (sizeof *ring + 63) / 64 * 64);
    if (!ring) return NULL;
    atomic_init(&ring->head, 0);
    atomic_init(&ring->tail, 0);
    atomic_init(&ring->dropped, 0);
    return ring;
}

void share_ring_free(struct share_ring *ring) { free(ring); }

size_t share_take(struct share_ring *ring, struct hint *out, size_t capacity)
{
    uint32_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    uint32_t ready = atomic_load_explicit(&ring->head, memory_order_acquire) - tail;
    size_t count = ready < capacity ? ready : capacity;
    for (size_t i = 0; i < count; i++) out[i] = ring->hints[(tail + i) % SHARE_RING_HINTS];
    atomic_store_explicit(&ring->tail, tail + (uint32_t)count, memory_order_release);
    return count;
}

void claims_clear(struct claims *claims)
{
    for (size_t i = 0; i < SHARE_CLAIMS; i++) atomic_store_explicit(&claims->slots[i], 0, memory_order_relaxed);
}
