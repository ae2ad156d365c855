/* record_tree.h - walks over the variations of a record, and comparison of two records.
 *
 * Writing order (that of KIF): a line, then its variations from the last ply to the first, each followed by its own.
 * Of several variations at one ply the earlier in the file comes first. Whoever reads the lines in that order and
 * hangs each on the nearest earlier line that reaches its ply gets the same tree.
 */
#ifndef MURAKUMO_SHOGI_RECORD_TREE_H
#define MURAKUMO_SHOGI_RECORD_TREE_H

#include "common/shogi/record.h"

/* Fills order[0..line_count) with line indices in writing order; order[0] = 0. Returns how many: variations without
 * moves and without end are left out. ST_NO_MEMORY: nothing was filled. */
MUST_USE enum status record_tree_order(const struct record *record, uint32_t *order, uint32_t *count);

/* Fills children[0..line_count) with the variations that have moves or an end, those of one line and ply together and
 * in the order of the file; returns how many. record_tree_first_child() finds the first of one line and ply (or where
 * it would stand). */
uint32_t record_tree_children(const struct record *record, uint32_t *children);
uint32_t record_tree_first_child(const struct record *record, const uint32_t *children, uint32_t count, uint32_t line,
                                 uint32_t ply);

/* Position after the first `plies` plies of `line` (those of its ancestors included). *last_to (if not NULL): target
 * of the last of them, SQUARE_NONE if there is none. */
void record_tree_position(const struct record *record, uint32_t line, uint32_t plies, struct position *pos,
                          Square *last_to);

/* Sets marks[i] for each move i that a variation stands against, and marks[move_count + line] where one stands
 * against the end of a line. `marks` has room for move_count + line_count and comes in zeroed. */
void record_tree_mark_forks(const struct record *record, bool *marks);

/* First comment of that line at that ply or later, as index in comments[]; comments stand in the order of lines and
 * plies. */
uint32_t record_tree_first_comment(const struct record *record, uint32_t line, uint32_t ply);

/* Can a format that names the moving piece say this (illegal) move? Not if it starts from an empty square, for
 * instance. */
bool record_can_name_move(const struct position *pos, Move move);

enum {                        /* what else must be equal, beside start, moves, end and winner */
       RECORD_SAME_TIMES = 1, /* to the second */
       RECORD_SAME_TREE = 2,
       RECORD_SAME_COMMENTS = 4, /* those of users and programs */
       RECORD_SAME_NAMES = 8,
       RECORD_SAME_TIMES_MS = 16,
       RECORD_SAME_ALL = 15,
};
/* NULL if the games are the same, else the first difference in words. */
const char *record_difference(const struct record *a, const struct record *b, unsigned what);

#endif
