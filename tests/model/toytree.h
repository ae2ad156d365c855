/* toytree.h - an engine whose every answer is known beforehand.
 *
 * Moves are those of real shogi (the coordinator checks them), but a leaf is worth what a hash of its position says. So
 * the value and the best move of a search of depth d are a brute-force minimax away, on every machine the same, and a
 * line that belongs to another position, depth or search betrays itself. Mate is the exception: it is real mate. Ties
 * are broken by the order of movegen_legal().
 */
#ifndef MURAKUMO_MODEL_TOYTREE_H
#define MURAKUMO_MODEL_TOYTREE_H

#include "common/shogi/outcome.h"
#include "common/shogi/position.h"

enum { TOY_DEPTH_MAX = 4, TOY_LINE_MAX = 8 };

struct toy_truth {
    Move best; /* MOVE_NONE if there is no legal move */
    Move line[TOY_LINE_MAX];
    int length;
    bool mate; /* score is in plies: > 0 the side to move mates */
    int score;
    uint64_t nodes; /* of all depths up to this one */
};

/* depth 1..toy_depth(pos). What was worked out is kept for the next time. */
struct toy_truth toy_truth(const struct position *pos, int depth);
/* The same with only some root moves allowed (count >= 1). */
struct toy_truth toy_truth_among(const struct position *pos, int depth, const Move *allowed, size_t count);
/* Depth to which the tree stays small enough; 1..TOY_DEPTH_MAX. */
int toy_depth(const struct position *pos);

/* Real mate by brute force over checks, at most 3 plies. Length of the line; 0 = none within 3 plies; -1 = the attacker
 * has no check at all, so there is none of any length. */
int toy_mate(const struct position *pos, Move line[3]);

/* The positions that games start from. */
const char *toy_start(unsigned index);
unsigned toy_start_count(void);
unsigned toy_tsume_count(void); /* toy_start(0 .. this-1) are good for `go mate` */

#endif
