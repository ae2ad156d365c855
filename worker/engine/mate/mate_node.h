/* mate_node.h - one position of the running mate search with its moves, and what follows from these.
 *
 * A frame is a position on the path from the root; its children are its moves with what is known about them. Numbers:
 * phi is what the side to move wants to bring to 0, delta what the other side wants; pn and dn are the same seen by the
 * attacker.
 *
 * Threads: none; each search has frames and children of its own.
 * Source:  proof and disproof pieces: Nagai 2002; lengths: mate_table.h.
 */
#ifndef MURAKUMO_ENGINE_MATE_MATE_NODE_H
#define MURAKUMO_ENGINE_MATE_MATE_NODE_H

#include "common/shogi/position.h"
#include "worker/engine/mate/mate_hand.h"
#include "worker/engine/mate/mate_table.h"

enum { NO_CHILD = 0xffff };

enum {
    CHILD_FRESH = 1,    /* never searched */
    CHILD_WAITING = 2,  /* a variant whose turn has not come */
    CHILD_OLD = 4,      /* seen at a smaller depth: perhaps part of a loop */
    CHILD_VARIANT = 16, /* of another child, which comes first */
    CHILD_CROWDED = 32, /* others were below it when it was looked at last */
    CHILD_MERGES = 8    /* its subtree is probably shared with its siblings: counted by maximum, not by sum */
};

struct child {
    uint64_t board_key; /* after the move */
    uint32_t pn, dn;
    Hand hand;      /* the attacker's, after the move; once settled the proof or refutation hand */
    uint16_t plies; /* once settled */
    uint16_t start; /* once refuted: depth of the path position that it repeats, DEPTH_NONE if no loop */
    Move move;
    uint16_t variant; /* next variant, or NO_CHILD */
    uint8_t flags;
    uint32_t place; /* in the table, 0 if it has no entry of its own */
};

struct frame {
    struct undo undo; /* of the move that led here */
    uint64_t board_key;
    uint64_t path_key; /* of the whole path up to here */
    uint64_t nodes_start;
    Hand hand;                   /* the attacker's */
    Hand totals;                 /* of both hands */
    uint32_t pn_limit, dn_limit; /* search on while both numbers are below */
    size_t child_first, child_count;
    size_t chosen; /* child being searched */
    int plies;     /* question: mate within? */
    int inc_before;
    uint32_t place; /* in the table */
    uint32_t work;  /* nodes that were spent on it before */
    int depth_min;  /* smallest depth at which this position was met */
    bool attack;
    bool distant;        /* defender may interpose */
    bool marked;         /* the other threads of this solver see that we are here */
    bool crowded;        /* others were below it when it was looked at last */
    bool claimed;        /* the other workers were told that we are here, */
    uint32_t claim_turn; /* last in this turn */
};

struct summary { /* of the children of one frame */
    uint32_t pn, dn;
    size_t best;       /* most promising child for the side to move */
    uint32_t second;   /* the smallest number of the others */
    uint64_t rest_sum; /* what the other summed children contribute to the large number */
    uint32_t rest_max; /* ... and the merging ones */
};

struct result { /* of a frame */
    uint32_t pn, dn;
    int plies, start;
    Hand hand;
    Move move;
};

static inline bool is_settled(const struct child *c) { return c->pn == 0 || c->dn == 0; }

static inline uint32_t child_phi(const struct frame *f, const struct child *c) { return f->attack ? c->pn : c->dn; }
static inline uint32_t child_delta(const struct frame *f, const struct child *c) { return f->attack ? c->dn : c->pn; }

/* Kinds of pieces that the defender lacks, all of them with the attacker. */
static inline Hand monopoly(Hand hand, Hand totals) { return totals & mate_hand_missing(totals - hand); }

/* What the numbers of a frame's children say about it: `first` are its children, `depth` is its distance from the root,
 * `pos` the position. */
struct result conclude(const struct position *pos, const struct frame *f, const struct child *first, int depth,
                       const struct summary *sum);

#endif
