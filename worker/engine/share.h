/* share.h - what the threads of a search tell other workers while they run, and what those are busy with.
 *
 *   search.c --store, claim--> ring of each thread --share_take()--> the worker's I/O side ... the others
 *   the others ... the worker's I/O side --tt_insert(), claims_put()--> table, claims --> search.c
 *
 * Claims are approximate ABDADA (Weill 1996, in the simplified form of T. Kerrigan) over a network: who starts a late
 * move of a deep node says so; who meets a claimed move leaves it for the end of the node, when the table usually has
 * the answer. A claim is only a hint about the order of work: lost, stale or invented ones cost time, never a wrong
 * score.
 *
 * Threads: a ring has one producer (its search thread) and one consumer; neither waits for the other. A full ring drops
 * what is new and counts it. The claims are written and read by anybody without a lock: each is one word.
 */
#ifndef MURAKUMO_ENGINE_SHARE_H
#define MURAKUMO_ENGINE_SHARE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/hint.h"

enum { SHARE_RING_HINTS = 4096, SHARE_CLAIMS = 1 << 14, SHARE_GATE_CLOSED = 1000 };

struct share_ring {
    _Atomic uint32_t head; /* next to be written; producer only */
    _Atomic uint64_t dropped;
    _Alignas(64) _Atomic uint32_t tail; /* next to be read; consumer only */
    struct hint hints[SHARE_RING_HINTS];
};

struct share_ring *share_ring_new(void); /* NULL: no memory */
void share_ring_free(struct share_ring *ring);

static inline void share_offer(struct share_ring *ring, struct hint hint)
{
    uint32_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    if (head - atomic_load_explicit(&ring->tail, memory_order_acquire) == SHARE_RING_HINTS) {
        atomic_fetch_add_explicit(&ring->dropped, 1, memory_order_relaxed);
        return;
    }
    ring->hints[head % SHARE_RING_HINTS] = hint;
    atomic_store_explicit(&ring->head, head + 1, memory_order_release);
}
/* Moves up to `capacity` hints out of the ring; returns how many. */
size_t share_take(struct share_ring *ring, struct hint *out, size_t capacity);

/* One claim: upper 48 bits of the key | depth 8-15 | owner 0-7 (0: another worker, else search thread + 1). */
struct claims {
    _Atomic uint64_t slots[SHARE_CLAIMS];
};

static inline _Atomic uint64_t *claims_slot(struct claims *claims, uint64_t key)
{
    return &claims->slots[key % SHARE_CLAIMS];
}
static inline void claims_put(struct claims *claims, uint64_t key, int depth_plies, unsigned owner)
{
    uint64_t word = (key & ~(uint64_t)0xffff) | (uint64_t)(uint8_t)depth_plies << 8 | (owner & 255);
    atomic_store_explicit(claims_slot(claims, key), word, memory_order_relaxed);
}
/* The result is known, or its owner has gone on. */
static inline void claims_drop(struct claims *claims, uint64_t key)
{
    _Atomic uint64_t *slot = claims_slot(claims, key);
    if ((atomic_load_explicit(slot, memory_order_relaxed) ^ key) >> 16 == 0)
        atomic_store_explicit(slot, 0, memory_order_relaxed);
}
/* Is somebody but `owner` searching this position at least that deep? */
static inline bool claims_taken(struct claims *claims, uint64_t key, int depth_plies, unsigned owner)
{
    uint64_t word = atomic_load_explicit(claims_slot(claims, key), memory_order_relaxed);
    return (word ^ key) >> 16 == 0 && (int)(word >> 8 & 255) >= depth_plies && (unsigned)(word & 255) != (owner & 255);
}
void claims_clear(struct claims *claims);

#endif
