/* mate_share.c - see mate_share.h. */
#include "worker/engine/mate/mate_share.h"

void mate_share_start(struct mate_share *share, unsigned worker, int gate)
{
    share->worker = worker % MATE_HINT_WORKERS;
    atomic_store_explicit(&share->gate, gate, memory_order_relaxed);
    atomic_store_explicit(&share->turn, 1, memory_order_relaxed);
    for (size_t i = 0; i < MATE_CLAIM_SLOTS; i++) atomic_store_explicit(&share->claims[i], 0, memory_order_relaxed);
}

void mate_share_turn(struct mate_share *share, int gate)
{
    atomic_store_explicit(&share->gate, gate, memory_order_relaxed);
    atomic_fetch_add_explicit(&share->turn, 1, memory_order_relaxed);
}

void mate_share_claim(struct mate_share *share, const struct mate_claim *claim)
{
    _Atomic uint64_t *slot = &share->claims[claim->key % MATE_CLAIM_SLOTS];
    uint64_t word = atomic_load_explicit(slot, memory_order_relaxed), bit = (uint64_t)1 << (16 + claim->worker);
    uint32_t turn = atomic_load_explicit(&share->turn, memory_order_relaxed);
    bool same = (word ^ claim->key) >> 32 == 0;
    bool stale = (uint16_t)(turn - (uint32_t)word) > MATE_CLAIM_TURNS;
    if (claim->left) {
        if (same) atomic_store_explicit(slot, word & ~bit, memory_order_relaxed);
        return;
    }
    uint64_t workers = same && !stale ? word & 0xffff0000u : 0;
    word = (claim->key >> 32 << 32) | workers | bit | (turn & 0xffff);
    atomic_store_explicit(slot, word, memory_order_relaxed);
}
