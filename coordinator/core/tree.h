/* tree.h - the top of the search tree, as the coordinator keeps it: the line that is thought best (the spine), and for
 * each position on it what is known about every move.
 *
 *      spine[0] = root     item item item ...      each item: "score <= upper at this depth", or "score >= lower"
 *          | head = best move so far
 *      spine[1]            item item item ...
 *          |
 *      spine[leaf]         searched whole by one job (by a group, when workers are idle)
 *
 * An iteration of depth d is finished when the leaf has its score at d - leaf, and going up, at each spine position
 * every other move is known not to be better at that depth. A move that is better takes the head's place; the spine
 * follows it when the next iteration begins. This is principal variation splitting (Marsland & Campbell 1982) with the
 * moves of all levels open at once: the score of the iteration before stands in for what the deeper levels have not
 * said yet.
 *
 * Depths are those of the spine position, scores are seen from its side to move. Mates count from it, too.
 * Memory: nodes are kept while their places are not needed, so a line that comes back finds what was known.
 */
#ifndef MURAKUMO_COORDINATOR_TREE_H
#define MURAKUMO_COORDINATOR_TREE_H

#include "common/shogi/outcome.h"
#include "common/shogi/score.h"
#include "coordinator/core/event.h"
#include "coordinator/core/pv.h"

enum { TREE_SPINE_MAX = 7, TREE_NODES_MAX = 14, TREE_NOBODY = COORD_WORKERS_MAX };

struct tree_item {
    Move move;
    uint8_t upper_depth, lower_depth; /* 0 = nothing known */
    uint8_t busy;                     /* jobs that look at it now */
    uint16_t worker;                  /* whose table knows it best, or TREE_NOBODY */
    Score upper, lower;               /* score <= upper at upper_depth; score >= lower at lower_depth */
    uint32_t cost;                    /* nodes that the last look took */
};

struct tree_best {
    Move move;
    Score score;
    int depth; /* exact there; 0 = never */
    uint32_t seldepth;
    struct pv pv; /* begins with move */
};

struct tree_node {
    bool used;
    unsigned ply;
    Move path[TREE_SPINE_MAX];
    struct position pos;
    uint64_t touched;      /* for replacement */
    struct tree_best best; /* exact: the head, or what has proved better at the same depth */
    int done_depth;        /* no move is better than `best` there */
    uint16_t leaf_worker;  /* who searched it as leaf last */
    uint8_t leaf_busy;
    uint64_t leaf_cost;
    struct tree_item items[MOVES_MAX]; /* in the order in which they are searched */
    size_t count;
};

struct tree {
    struct tree_node nodes[TREE_NODES_MAX];
    unsigned spine[TREE_SPINE_MAX + 1]; /* spine[0] = 0 is the root */
    unsigned leaf;                      /* the spine's last level, >= 1 */
    int depth;                          /* of the iteration under way */
    uint64_t turn;
    const struct history *game; /* borrowed */
};

/* A score one ply further up. */
Score tree_up(Score score);
/* The root after a plain search of `depth`: its line is the first spine. `leaf` levels are wanted. */
void tree_start(struct tree *t, const struct position *root, const struct history *game, const Move *moves,
                size_t count, const struct tree_best *best, unsigned leaf);
static inline struct tree_node *tree_spine(struct tree *t, unsigned level) { return &t->nodes[t->spine[level]]; }
/* Depth of that level in the present iteration, or `ahead` iterations later; < 1: there is no such search. */
static inline int tree_depth_at(const struct tree *t, unsigned level, int ahead)
{
    return t->depth + ahead - (int)level;
}
struct tree_item *tree_item_of(struct tree_node *node, Move move);
/* What the level is worth at that depth, as far as it is known or can be guessed; *exact: it is known. */
Score tree_alpha(struct tree *t, unsigned level, int ahead, bool *exact);
/* Is the item's move known not to beat `alpha` there? What a deeper search says counts too, unless it is known to be
 * better at this very depth: an iteration is one depth, whatever has been found out ahead of it. */
static inline bool tree_refuted(const struct tree_item *item, int depth, Score alpha)
{
    bool better = item->lower_depth == depth && item->lower > alpha;
    return item->upper_depth >= depth && item->upper <= alpha && !better;
}
/* A search of the whole node, or of a move of it, has ended with an exact score. */
void tree_set_leaf(struct tree_node *node, const struct tree_best *best);
void tree_set_exact(struct tree_node *node, const struct tree_best *best);
/* Carries scores up the spine. True when the iteration is finished: the root's best is its result. */
bool tree_settle(struct tree *t);
/* The next iteration, along the root's best line. */
void tree_next(struct tree *t, unsigned leaf);

#endif
