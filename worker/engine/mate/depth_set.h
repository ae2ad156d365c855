/* depth_set.h - which depths of a path stand at a key: a hash set that is emptied in reverse order.
 *
 * It holds depths only; whoever asks compares what stands at them. Hashes may be equal. At most DEPTH_SET_SLOTS / 2
 * depths. All zero = empty. One owner.
 */
#ifndef MURAKUMO_ENGINE_MATE_DEPTH_SET_H
#define MURAKUMO_ENGINE_MATE_DEPTH_SET_H

#include <stddef.h>
#include <stdint.h>

enum { DEPTH_SET_SLOTS = 16384 };

struct depth_set {
    uint16_t slots[DEPTH_SET_SLOTS]; /* depth + 1; 0 = free */
};

/* Depth at the slot *at, which moves on; -1: no more of this hash. Begin with *at = hash. */
static inline int depth_set_next(const struct depth_set *set, uint64_t *at)
{
    return set->slots[(*at)++ % DEPTH_SET_SLOTS] - 1;
}
static inline void depth_set_push(struct depth_set *set, uint64_t hash, int depth)
{
    while (set->slots[hash % DEPTH_SET_SLOTS] != 0) hash++;
    set->slots[hash % DEPTH_SET_SLOTS] = (uint16_t)(depth + 1);
}
/* Only the last one pushed: then no later one can have moved past its slot. */
static inline void depth_set_pop(struct depth_set *set, uint64_t hash, int depth)
{
    while (set->slots[hash % DEPTH_SET_SLOTS] != (uint16_t)(depth + 1)) hash++;
    set->slots[hash % DEPTH_SET_SLOTS] = 0;
}

#endif
