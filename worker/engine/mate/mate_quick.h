/* mate_quick.h - a small mate solver for one search thread: is there a mate within so much work?
 *
 * For the root, the principal variation and leaves where it pays. A call costs its nodes, one to two microseconds each;
 * no clock is read, no lock waited for, and no memory allocated (but for a proof of thousands of positions).
 *
 * Result:   MATE_PROVED is a proof that has been replayed against every legal defence, as in mate.h, and may override
 *           any other answer; MATE_REFUTED: no mate of any length; MATE_UNKNOWN: not settled within the budget. The
 *           first mate found is good enough: `plies` is an upper bound of the shortest.
 * Nodes:    on made-up problems 100 nodes find every mate in 3, 1,000 nodes 95 % of the mates in 7
 * (check_mate_quick.c). A larger budget for the same position goes on where the last one ended, because the table is
 * kept. Games:    plies_max is the number of plies to the end of the game (MaxMovesToDraw), or 0. Positions of the game
 * before this one are not known here. Memory:   about 1 MB and the table, allocated in mate_quick_new(). The position
 * is borrowed. Threads:  one of these per thread. *stop may be set by any thread at any time.
 *
 * The result depends only on the calls made since mate_quick_new() or mate_quick_clear(): fit for node signatures.
 */
#ifndef MURAKUMO_ENGINE_MATE_QUICK_H
#define MURAKUMO_ENGINE_MATE_QUICK_H

#include "worker/engine/mate/mate.h"

struct mate_quick;

struct mate_quick_answer {
    enum mate_verdict verdict;
    Move move; /* PROVED: the first move of the mate, else MOVE_NONE */
    int plies; /* PROVED: mates within so many, odd */
    uint64_t nodes;
};

/* NULL when memory is short. stop may be NULL. */
struct mate_quick *mate_quick_new(size_t table_bytes, const _Atomic bool *stop);
void mate_quick_free(struct mate_quick *quick);
void mate_quick_clear(struct mate_quick *quick); /* forgets everything; quick */

struct mate_quick_answer mate_quick(struct mate_quick *quick, const struct position *pos, uint64_t nodes_max,
                                    int plies_max);
/* Tries one check only, for a mate within plies_max. What is found stays in the table, so that mate_quick() has it at
 * once when the check mates. The move must be a legal check. Returns the nodes. */
uint64_t mate_quick_try(struct mate_quick *quick, const struct position *pos, Move check, uint64_t nodes_max,
                        int plies_max);
/* The check that the proof of the last call that answered MATE_PROVED plays at this position; MOVE_NONE if it does not
 * need it. */
Move mate_quick_check(const struct mate_quick *quick, const struct position *pos);
/* The mating line of the last call that answered MATE_PROVED; returns its length. The defender plays what the proof
 * makes longest. */
size_t mate_quick_line(struct mate_quick *quick, const struct position *pos, Move *line, size_t line_max);

#endif
