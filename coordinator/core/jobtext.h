/* jobtext.h - the texts that jobs carry: the way to a position inside the tree, and the moves to look at there.
 *
 * A message only points to its texts, and the arena of a step has no room for a long game per worker: they are kept
 * here, one way per depth (all jobs of a step lie on one line) and one list of moves per worker, until they change.
 */
#ifndef MURAKUMO_COORDINATOR_JOBTEXT_H
#define MURAKUMO_COORDINATOR_JOBTEXT_H

#include "coordinator/core/board.h"
#include "coordinator/core/split.h"

struct job_texts {
    struct {
        Move path[TREE_SPINE_MAX];
        uint64_t epoch;
        uint32_t bytes; /* 0 = not made yet */
        char text[WIRE_MOVES_BYTES_MAX];
    } ways[TREE_SPINE_MAX];
    char lists[COORD_WORKERS_MAX][SPLIT_BATCH_MAX * 6];
};

enum { JOB_WAY_BYTES_MAX = TREE_SPINE_MAX * 6 }; /* what a way adds to the moves of the game */

/* Adds the moves, blanks between, for which there must be room; returns the new length. */
uint32_t jobtext_append(char *text, uint32_t bytes, size_t capacity, const Move *moves, size_t count);
/* Fills in moves and searchmoves of the message. */
void jobtext_write(struct job_texts *texts, const struct board *board, uint64_t epoch, unsigned worker,
                   const struct split_job *share, struct msg_job *job);

#endif
