/* dfpn.h - the search itself: is there a mate within so many plies?
 *
 * Depth-first proof-number search on one shared table. It settles the question or ends when its control says so.
 * Everything it puts into the table as proved or refuted is true on every path and for every table size.
 *
 * Source:   Nagai 2002 (df-pn, first guesses, proof pieces); Kishimoto 2010 (threshold control against loops);
 *           Kishimoto & Mueller 2004 (failures by repetition belong to one path). Lengths: see mate_table.h.
 * Recursion is an array of frames on the heap: MATE_PLIES_MAX deep whatever the stack of the thread.
 * Threads:  one struct dfpn per thread; they share a table and a control. Each runs the whole search from the root; a
 *           child that others are below looks worse to it than it is (virtual proof numbers, Kaneko 2010), so that they
 *           part as deep down as the tree has something for all; what others found out is read again on the way.
 */
#ifndef MURAKUMO_ENGINE_MATE_DFPN_H
#define MURAKUMO_ENGINE_MATE_DFPN_H

#include <stdatomic.h>

#include "worker/engine/mate/mate.h"
#include "worker/engine/mate/mate_share.h"
#include "worker/engine/mate/mate_table.h"

enum { DFPN_BUSY_SLOTS = 1 << 16 };

/* What the threads of a solver share besides the table: what makes a search end early, and who is where. */
struct dfpn_control {
    _Atomic uint64_t nodes;   /* moves made by all threads together; added to in batches */
    uint64_t nodes_max;       /* 0 = none */
    int64_t deadline_ns;      /* on CLOCK_MONOTONIC; 0 = none */
    const _Atomic bool *stop; /* from outside; NULL = none */
    _Atomic int end;          /* enum mate_end; SOLVED while nothing is wrong */
    _Atomic bool settled;     /* some thread has the answer: the others leave */
    struct mate_share *share; /* with other workers; NULL = alone */
    _Atomic uint8_t *busy;    /* [DFPN_BUSY_SLOTS]: how many threads are below a position, by its
                                 mate_claim_key(); NULL = one thread only */
};

struct dfpn_answer {
    uint32_t pn, dn; /* (0, INFINITE) mate, (INFINITE, 0) none; else open */
    Hand hand;       /* if settled: the attacker's hand that suffices, or that is still too small */
    int plies;       /* mate: within so many; none: not within so many, PLIES_ENDLESS = never */
};

struct dfpn;

struct dfpn *dfpn_new(struct mate_table *table, struct dfpn_control *control);
void dfpn_free(struct dfpn *search);

struct dfpn_order {
    bool attack; /* the side to move attacks (and must give check); else it defends (and is in check) */
    int plies;   /* is there a mate within so many plies from here? */
    uint64_t seed;
    const Move *first_moves; /* only these moves of the root; NULL = all. The answer then stays out of the table */
    size_t first_move_count;
};
/* Where this thread tells what it finds while control->share is set. */
void dfpn_tell(struct dfpn *search, struct share_ring *ring);
/* Called first at 0 nodes and then at the number of nodes that it returns last; NULL = never. */
void dfpn_pace(struct dfpn *search, const struct mate_pacer *pacer, unsigned thread);
struct dfpn_answer dfpn_search(struct dfpn *search, const struct position *root, const struct dfpn_order *order);
/* Drops the moves that order->first_moves does not allow; returns how many are left. */
size_t dfpn_keep_first_moves(const struct dfpn_order *order, Move *moves, size_t count);
/* Between searches: has the time run out, or has somebody stopped the work? */
bool dfpn_poll(struct dfpn *search);
/* Ends the work of all threads for this reason, unless there is one already. */
void dfpn_leave(struct dfpn *search, enum mate_end why);
/* The line that is being looked at, for progress reports from the control's owner. */
size_t dfpn_line(const struct dfpn *search, Move *line, size_t line_max);
/* Called every 1024 nodes on the searching thread; NULL = none. */
void dfpn_on_tick(struct dfpn *search, void (*tick)(void *context), void *context);

#endif
