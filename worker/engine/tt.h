/* tt.h - the transposition table: what earlier searches learned about a position, shared by all threads.
 *
 * Shape:   an array of 64-byte clusters (one cache line) of four 16-byte slots. A slot is two words,
 *            check = key ^ data
 *            data  = move 0-15 | score 16-31 | static eval 32-47 | depth + 8 48-55 | bound 56-57 | pv 58 | age 59-61 |
 *                    told 62-63
 *          so a pair that two threads wrote half each fails the test check ^ data == key and reads as a miss.
 *          The whole 64-bit key is kept: entries can travel to another process.
 * Scores:  mates are stored as distance from the entry's own position (tt_score_store / tt_score_load).
 * Replace: the slot of the same key, else the one with the smallest depth - 8 * age.
 * Threads: probe and store need no lock; both words are relaxed on purpose: each is whole, and a stale one only
 *          costs time. tt_new, tt_clear and tt_free belong to the owner while no search runs.
 */
#ifndef MURAKUMO_ENGINE_TT_H
#define MURAKUMO_ENGINE_TT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/hint.h"
#include "common/shogi/score.h"
#include "common/shogi/types.h"

enum tt_bound { TT_NONE = 0, TT_UPPER = 1, TT_LOWER = 2, TT_EXACT = 3 };

struct tt_slot {
    _Atomic uint64_t check;
    _Atomic uint64_t data;
};
_Static_assert(sizeof(struct tt_slot) == 16, "four slots to a 64-byte line");

enum { TT_CLUSTER_SLOTS = 4, TT_CLUSTER_BYTES = 64, TT_AGES = 8, TT_DEPTH_OFFSET = 8, TT_BYTES_MIN = 1 << 20 };

struct tt {
    struct tt_slot *slots; /* cluster_count * 4, aligned to a cache line (to 2 MiB when it is that large) */
    uint64_t cluster_count;
    size_t mapped_bytes; /* a multiple of 2 MiB */
    size_t warm_bytes;   /* tt_warm() has come this far; its caller's alone */
    bool searched;       /* since it was made or cleared; set between searches only */
    unsigned age;        /* of the present search, 0..7; written between searches only */
};

struct tt_hit {
    Move move;   /* MOVE_NONE if unknown; not checked for legality */
    Score score; /* as stored: use tt_score_load */
    Score eval;  /* static evaluation, SCORE_NONE if unknown */
    int depth_plies;
    enum tt_bound bound;
    bool pv;
    unsigned told; /* 0: our own; else tt_told() of the iteration in which another worker found it */
};

/* Rounds down to whole clusters, at least TT_BYTES_MIN. NULL when memory is short. The table starts empty. */
struct tt *tt_new(size_t bytes);
void tt_free(struct tt *tt); /* NULL is allowed */
/* Forgets everything, with `threads` threads (at least 1; falls back to fewer when they cannot be started). */
void tt_clear(struct tt *tt, unsigned threads);
/* Has the system hand over the next 16 MiB of real memory; false when all is there. Without it the first search pays
 * for each page when it first touches it. Changes no entry: may run beside a search, from one thread. */
bool tt_warm(struct tt *tt);
/* Call before each search: older entries become the first to be replaced. */
void tt_new_search(struct tt *tt);
/* How full with entries of this search, from a sample of the first 1000 slots. */
unsigned tt_hashfull_permille(const struct tt *tt);
void tt_store(struct tt *tt, uint64_t key, Move move, Score score, Score eval, int depth_plies, enum tt_bound bound,
              bool pv);
bool tt_probe(const struct tt *tt, uint64_t key, struct tt_hit *hit);
/* Takes over what another worker found. Nothing in it is trusted: what no search could have stored is refused, a move
 * to beside the board, too; the move is checked where it is used, like every table move. Never pushes out a deeper
 * entry, nor what this search has found as well. True: it was stored. */
bool tt_insert(struct tt *tt, const struct hint *hint);

__extension__ typedef unsigned __int128 tt_u128;
static inline struct tt_slot *tt_cluster(const struct tt *tt, uint64_t key)
{
    return tt->slots + (uint64_t)(((tt_u128)key * tt->cluster_count) >> 64) * TT_CLUSTER_SLOTS;
}
static inline void tt_prefetch(const struct tt *tt, uint64_t key) { __builtin_prefetch(tt_cluster(tt, key)); }

static inline unsigned tt_told(unsigned iteration) { return 1 + iteration % 16 % 3; }

/* The entry as it travels. */
static inline struct hint tt_hint(uint64_t key, Move move, Score score, Score eval, int depth_plies,
                                  enum tt_bound bound, bool pv, unsigned iteration)
{
    uint64_t data = (uint64_t)move | (uint64_t)(uint16_t)score << 16 | (uint64_t)(uint16_t)eval << 32 |
                    (uint64_t)(uint8_t)(depth_plies + TT_DEPTH_OFFSET) << 48 | (uint64_t)bound << 56 |
                    (uint64_t)pv << 58 | (uint64_t)(iteration % 16) << 60;
    return (struct hint){key, data};
}

/* Does the table's score prove that the node is >= beta (lower bound) or < beta (upper bound)? */
static inline bool tt_bound_fits(enum tt_bound bound, Score score, Score beta)
{
    return (bound & (score >= beta ? TT_LOWER : TT_UPPER)) != 0;
}

static inline Score tt_score_store(Score score, int ply)
{
    return score >= SCORE_MATE_BOUND ? score + ply : score <= -SCORE_MATE_BOUND ? score - ply : score;
}
static inline Score tt_score_load(Score score, int ply)
{
    return score >= SCORE_MATE_BOUND ? score - ply : score <= -SCORE_MATE_BOUND ? score + ply : score;
}

#endif
