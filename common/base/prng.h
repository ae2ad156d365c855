/* prng.h - seeded randomness; the only one in core code. The same seed gives the same numbers on every machine.
 *
 * Source: SplitMix64 (Steele, Lea, Flood 2014): full period, passes BigCrush, any seed is good. Not for keys or
 * secrets. Draw one number per statement: the order in which C evaluates arguments is not defined.
 */
#ifndef MURAKUMO_BASE_PRNG_H
#define MURAKUMO_BASE_PRNG_H

#include <stdbool.h>
#include <stdint.h>

struct prng {
    uint64_t state;
};

static inline struct prng prng_make(uint64_t seed) { return (struct prng){seed}; }

static inline uint64_t prng_next(struct prng *p)
{
    uint64_t z = (p->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* 0 .. bound-1; 0 if bound is 0. The bias is below bound / 2^32. */
static inline uint32_t prng_below(struct prng *p, uint32_t bound)
{
    uint64_t high = prng_next(p) >> 32;
    return (uint32_t)((high * bound) >> 32);
}

static inline int64_t prng_range(struct prng *p, int64_t low,
                                 int64_t high) /* low <= result <= high; high - low < 2^32 */
{
    return low + (int64_t)prng_below(p, (uint32_t)(high - low + 1));
}

static inline bool prng_chance(struct prng *p, uint32_t permille) { return prng_below(p, 1000) < permille; }

#endif
