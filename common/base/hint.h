/* hint.h - one thing that a search tells the others while it runs, in the 16 bytes that travel.
 *
 *   key   the whole 64-bit position key. Cutting it short made a public cluster 110 Elo weaker.
 *   data  move 0-15 | score 16-31 | static eval 32-47 | depth + 8 48-55 | bound 56-57 | pv 58 | kind 59 | iteration
 * 60-63
 *
 * An ENTRY is a slot of the transposition table (worker/engine/tt.h) without its age. Iteration is that of the sender,
 * counted in plies of the game (ply of its root + depth, modulo 16): who is at the same one needs the entry as it is,
 * even if it is a ply less deep than its own reductions would have made it. A CLAIM says "I am searching
 * this position to this depth now": it has only key and depth. What comes from the network is checked by whoever uses
 * it (tt_insert): nothing here can be trusted but its length.
 */
#ifndef MURAKUMO_BASE_HINT_H
#define MURAKUMO_BASE_HINT_H

#include <stdint.h>

struct hint {
    uint64_t key, data;
};

enum hint_kind { HINT_ENTRY = 0, HINT_CLAIM = 1 };
enum { HINT_BYTES = 16, HINT_DEPTH_OFFSET = 8 };

static inline unsigned hint_kind_of(const struct hint *hint) { return (unsigned)(hint->data >> 59 & 1); }
static inline unsigned hint_iteration(const struct hint *hint) { return (unsigned)(hint->data >> 60); }
static inline int hint_depth_plies(const struct hint *hint)
{
    return (int)(hint->data >> 48 & 255) - HINT_DEPTH_OFFSET;
}

static inline struct hint hint_claim(uint64_t key, int depth_plies)
{
    return (struct hint){key, (uint64_t)(uint8_t)(depth_plies + HINT_DEPTH_OFFSET) << 48 | (uint64_t)HINT_CLAIM << 59};
}

/* Little-endian: key, then data. */
static inline void hint_write(const struct hint *hint, uint8_t out[HINT_BYTES])
{
    for (int i = 0; i < 8; i++) {
        out[i] = (uint8_t)(hint->key >> 8 * i);
        out[8 + i] = (uint8_t)(hint->data >> 8 * i);
    }
}
static inline struct hint hint_read(const uint8_t in[HINT_BYTES])
{
    struct hint hint = {0, 0};
    for (int i = 0; i < 8; i++) {
        hint.key |= (uint64_t)in[i] << 8 * i;
        hint.data |= (uint64_t)in[8 + i] << 8 * i;
    }
    return hint;
}

#endif
