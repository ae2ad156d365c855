/* fixed.h - containers of fixed capacity over arrays that the caller owns.
 *
 * struct ring      order of a queue: says which index of `items[capacity]` is next. Knows nothing of the items:
 *                      if (ring_push(&ring, &i)) items[i] = item;      while (ring_pop(&ring, &i)) use(items[i]);
 * struct id_table  64-bit id -> index of a slot. Open addressing, so the ids of a peer that chooses them badly cost
 * time (linear in the ids present), never memory.
 *
 * Both are bounded, never allocate and are the same on every machine: there is no walk in the order of a hash.
 * Source:  deletion without tombstones: Knuth, The Art of Computer Programming, vol. 3, 6.4, algorithm R.
 */
#ifndef MURAKUMO_BASE_FIXED_H
#define MURAKUMO_BASE_FIXED_H

#include "common/base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct ring {
    uint32_t capacity, first, count;
};

static inline struct ring ring_make(uint32_t capacity) { return (struct ring){.capacity = capacity}; }

/* Index of the n-th item, 0 = oldest; n < count. */
static inline uint32_t ring_index(const struct ring *ring, uint32_t n)
{
    uint64_t index = (uint64_t)ring->first + n;
    return (uint32_t)(index < ring->capacity ? index : index - ring->capacity);
}

/* *index = place of a new youngest item; false if the ring is full. */
static inline bool ring_push(struct ring *ring, uint32_t *index)
{
    if (ring->count == ring->capacity) return false;
    *index = ring_index(ring, ring->count++);
    return true;
}

/* *index = place of the oldest item, which leaves the ring; false if the ring is empty. */
static inline bool ring_pop(struct ring *ring, uint32_t *index)
{
    if (ring->count == 0) return false;
    *index = ring->first;
    ring->first = ring_index(ring, 1);
    ring->count--;
    return true;
}

struct id_entry {
    uint64_t id;
    uint32_t slot;
    bool used;
};

struct id_table {
    struct id_entry *entries; /* borrowed; `capacity` of them */
    uint32_t capacity;        /* at least a third more than the ids to be held, or it becomes slow */
    uint32_t count;
};

void id_table_init(struct id_table *table, struct id_entry *entries, uint32_t capacity);
bool id_table_find(const struct id_table *table, uint64_t id, uint32_t *slot);
/* ST_DUPLICATE if the id is there already, ST_FULL; the table is then unchanged. */
MUST_USE enum status id_table_add(struct id_table *table, uint64_t id, uint32_t slot);
/* False if the id was not there. */
bool id_table_remove(struct id_table *table, uint64_t id);

#endif
