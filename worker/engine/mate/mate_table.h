/* mate_table.h - what the mate search knows about positions, shared by its threads.
 *
 * A position here is a board key (side to move included) and the attacker's hand; the defender's hand follows from the
 * two. Knowledge comes in three kinds:
 *
 *   proved    "mate within plies_proved"      holds for every larger attacker hand on the same board too
 *   refuted   "no mate within plies_refuted"  holds for every smaller attacker hand too
 *   pn, dn    how far the open question is from proof and disproof; a hint only
 *
 * All of it is true on every path. A failure that comes from repeating a position of the path is kept apart, under the
 * key of the whole path (mate_table_put_loop).
 *
 * Layout:  groups of 56 entries of 32 bytes behind one cache line of 56 tags; a look-up costs one line, and one more
 *          per match. All hands of one board share a group. Groups are taken into use as they are needed, so that a
 *          small search stays in the caches and touches little memory. When all are, a full group throws out the third
 *          of its entries that cost the least work.
 *
 * Threads: every function except new, free and clear may run in several threads at once: one spin lock per group.
 *
 * Source:  hand dominance: Nagai 2002 (proof and disproof pieces); dropping cheap subtrees first: Nagai 1999
 *          (SmallTreeGC).
 */
#ifndef MURAKUMO_ENGINE_MATE_MATE_TABLE_H
#define MURAKUMO_ENGINE_MATE_MATE_TABLE_H

#include "common/shogi/types.h"

#define MATE_INFINITE UINT32_MAX /* a settled number: pn of a refuted, dn of a proved position */
#define MATE_OPEN_MAX                                                                                                  \
    (UINT32_MAX - 16) /* an open position never gets a larger number, so it can never look settled                     \
                       */
enum {
    PLIES_ENDLESS = 32000, /* refuted within any number of plies */
    PLIES_NONE = 32001,    /* not proved at all */
    DEPTH_NONE = 32767
};

struct mate_table;

struct mate_table *mate_table_new(size_t bytes); /* NULL when memory is short */
void mate_table_free(struct mate_table *table);
void mate_table_clear(struct mate_table *table);
unsigned mate_table_permille(const struct mate_table *table); /* how full */

struct mate_hit {
    uint32_t pn, dn;             /* (0, INFINITE) proved, (INFINITE, 0) refuted, (0, 0) nothing known */
    uint32_t pn_least, dn_least; /* lower bounds taken from entries with a better hand for the other side; 0 if none */
    Hand hand;                   /* if settled: the proof hand or the refutation hand */
    int plies;                   /* if settled: the plies of that proof or refutation */
    Move move;                   /* if proved: the move that mates there, MOVE_NONE if unknown */
    bool old;                    /* seen before at a smaller depth: part of a possible loop */
    bool loops;                  /* a loop failure was recorded for this position on some path */
    bool merges;                 /* was marked by mate_table_mark() */
    uint32_t place;              /* of the entry for exactly this hand, 0 if there is none */
};

/* Is there a mate within `plies`? `depth` is the distance from the root of the search. */
void mate_table_get(struct mate_table *table, uint64_t board_key, Hand hand, int plies, int depth,
                    struct mate_hit *hit);
void mate_table_prefetch(const struct mate_table *table, uint64_t board_key);

/* The place of the entry for exactly this hand, made if need be; *depth_min: the smallest depth at which it was met,
 * this time included; *work: the nodes that were spent on it before. Places are names for a while: they may be given
 * away again. */
uint32_t mate_table_place(struct mate_table *table, uint64_t board_key, Hand hand, int depth, int *depth_min,
                          uint32_t *work);
/* The place from which a position was reached last; 0 if unknown. */
uint32_t mate_table_parent(const struct mate_table *table, uint32_t place);
/* Marks a position as reached in several ways from one that counts them all. */
void mate_table_mark(struct mate_table *table, uint64_t board_key, Hand hand);

/* Returns the work of all visits. */
uint64_t mate_table_put_open(struct mate_table *table, uint64_t board_key, Hand hand, uint32_t pn, uint32_t dn,
                             int depth, uint64_t work, uint32_t parent, bool *merges);
void mate_table_put_proved(struct mate_table *table, uint64_t board_key, Hand hand, int plies, Move move,
                           uint64_t work);
void mate_table_put_refuted(struct mate_table *table, uint64_t board_key, Hand hand, int plies, uint64_t work);

/* What another worker says about an open position on which it spent `effort` (>= 1, mate_hint.h) itself: taken unless
 * more work stands behind what is known here. It does not count as work done here, or two workers would convince each
 * other of numbers for which neither has worked. */
void mate_table_hint_open(struct mate_table *table, uint64_t board_key, Hand hand, uint32_t pn, uint32_t dn, int effort,
                          bool merges);

/* On the path with this key there is no mate within `plies`, because of a position at `start` plies from the root. */
void mate_table_put_loop(struct mate_table *table, uint64_t board_key, Hand hand, uint64_t path_key, int plies,
                         int start);
/* For at least `plies`; *plies_known: for how many in truth. */
bool mate_table_get_loop(struct mate_table *table, uint64_t path_key, int plies, int *plies_known, int *start);

/* Longest refuted and shortest proved length known for exactly this question (any covering hand). */
void mate_table_bounds(struct mate_table *table, uint64_t board_key, Hand hand, int *plies_refuted, int *plies_proved);

#endif
