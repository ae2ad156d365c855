/* mate_share.h - what the threads of a mate solver tell other workers while they run, and where those are.
 *
 *   dfpn.c --fact, claim--> ring of each thread --mate_hints_take()--> the worker's I/O side ... the others
 *   the others ... the worker's I/O side --mate_hints_put()--> table, claims --> dfpn.c
 *
 * All workers search the same root. What the threads of one worker have in common by memory, a table and who is below
 * which position, the workers have in common by hints: facts go into the table, claims make a position look worse to
 * the others (virtual proof numbers), so that they part as deep down as the tree has something for all.
 *
 * A claim is renewed as long as it holds and ends CLAIM_TURNS after it was heard last, whatever becomes of its worker.
 * A turn is what passes between two batches of hints, a few milliseconds.
 *
 * Threads: a ring has one producer and one consumer (share.h). Claims are written and read by anybody without a lock:
 * each slot is one word, and a lost one costs time, never a wrong answer.
 */
#ifndef MURAKUMO_ENGINE_MATE_MATE_SHARE_H
#define MURAKUMO_ENGINE_MATE_MATE_SHARE_H

#include "worker/engine/mate/mate_hint.h"
#include "worker/engine/share.h"

enum { MATE_CLAIM_SLOTS = 1 << 14, MATE_CLAIM_TURNS = 16 };

struct mate_share {
    unsigned worker;                           /* of its claims */
    _Atomic int gate;                          /* least effort of a fact that is told */
    _Atomic uint32_t turn;                     /* counts */
    _Atomic uint64_t claims[MATE_CLAIM_SLOTS]; /* upper half of the key | workers, a bit each | turn heard last */
};

void mate_share_start(struct mate_share *share, unsigned worker, int gate);
/* A turn is over. */
void mate_share_turn(struct mate_share *share, int gate);
void mate_share_claim(struct mate_share *share, const struct mate_claim *claim);

/* How many other workers are below this position, as far as is known. */
static inline unsigned mate_share_others(struct mate_share *share, uint64_t key)
{
    uint64_t word = atomic_load_explicit(&share->claims[key % MATE_CLAIM_SLOTS], memory_order_relaxed);
    if ((word ^ key) >> 32 != 0) return 0;
    uint16_t age = (uint16_t)(atomic_load_explicit(&share->turn, memory_order_relaxed) - (uint32_t)word);
    return age <= MATE_CLAIM_TURNS ? (unsigned)__builtin_popcount((unsigned)(word >> 16 & 0xffff)) : 0;
}

#endif
