/* hint_filter.h - decides which hints are worth sending, and which frames of others are worth reading. Pure: time comes
 * from the caller.
 *
 *   search threads --hint_filter_add()--> [claims | deepest entries] --hint_filter_batch()--> a frame, now and then
 *
 * The depth gate tunes itself, as in Texel's cluster (Oesterlund 2017): one ply up when more comes than may be sent,
 * one ply down when less than half of it does, never below the floor of the job. Sending every entry made a public
 * cluster 289 Elo weaker. Claims go first: they are worth something only while they are new.
 *
 * Limits:  a batch has at most HINT_BATCH_MAX hints (8 KiB) and the bytes that the budget has saved up.
 * Memory:  fixed. Threads: one owner.
 */
#ifndef MURAKUMO_WORKER_HINT_FILTER_H
#define MURAKUMO_WORKER_HINT_FILTER_H

#include "common/base/hint.h"
#include "proto/msg.h"

enum {
    HINT_BATCH_MAX = WIRE_HINTS_BYTES_MAX / HINT_BYTES,
    HINT_WAITING_MAX = 2 * HINT_BATCH_MAX,
    HINT_CLAIMS_MAX = HINT_BATCH_MAX / 2,
    HINT_RECENT = 1 << 12, /* remembered, so that the same is not said twice */
    HINT_GATE_MAX = 60
};

struct hint_filter_options {
    uint64_t scope;       /* of the job; echoed in the frames */
    int floor_plies;      /* the gate never falls below, >= 1 */
    uint32_t bytes_per_s; /* budget for what is sent; 0 = no limit */
    bool waits;           /* others may come, who do not wait: until one is heard nothing is sent */
};

struct hint_counters {
    uint64_t offered, repeated, crowded_out; /* of our own; crowded_out: something deeper was there */
    uint64_t sent, frames;
    uint64_t received, foreign, malformed; /* hints taken; frames of another scope; frames that are no hints */
};

struct hint_filter {
    struct hint_filter_options options;
    struct hint_counters counters;
    int gate_plies;
    bool overflowed;      /* since the last batch */
    int64_t last_us;      /* time of the last batch */
    int64_t credit_milli; /* thousandths of a byte that may be sent */
    size_t entry_count, claim_count;
    struct hint entries[HINT_WAITING_MAX]; /* a heap, the shallowest at the root */
    struct hint claims[HINT_CLAIMS_MAX];   /* oldest first */
    uint64_t recent[HINT_RECENT];
};

/* A new job: forgets what waits; counts from 0. */
void hint_filter_start(struct hint_filter *filter, const struct hint_filter_options *options, int64_t now_us);
void hint_filter_add(struct hint_filter *filter, const struct hint *hints, size_t count);
/* Fills *message (type hints; boot and sequence are the caller's) whose entries lie in `bytes`, which is the caller's.
 * False: there is nothing to send, or the budget is spent. Call every few milliseconds; tunes the gate. */
bool hint_filter_batch(struct hint_filter *filter, int64_t now_us, struct msg *message,
                       uint8_t bytes[WIRE_HINTS_BYTES_MAX]);
/* Is nobody there to be told anything? */
static inline bool hint_filter_is_waiting(const struct hint_filter *filter)
{
    return filter->options.waits && filter->counters.received == 0;
}
/* What the search threads should offer at present. */
static inline int hint_filter_gate_plies(const struct hint_filter *filter)
{
    return hint_filter_is_waiting(filter) ? HINT_GATE_MAX : filter->gate_plies;
}

/* Reads a decoded `hints` of another worker. Returns how many hints were written to `out`; 0 if it is not for us. */
size_t hint_filter_read(struct hint_filter *filter, const struct msg *message, struct hint out[HINT_BATCH_MAX]);

#endif
