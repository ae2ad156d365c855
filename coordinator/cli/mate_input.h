/* mate_input.h - the positions that `murakumo mate` is to solve, out of its arguments.
 *
 * An argument is an SFEN (it has ranks and a blank or tab), or files as archive.h knows them: also folders, patterns,
 * packed ones, `-` for standard input. A file holds
 * lines of SFEN (also `sfen ...`, `position sfen ... moves ...`; what follows a tab is a label and passed over; #
 * begins a comment) or game records in CSA, KIF, KI2 or JKF, of which the position before the first move is taken.
 *
 * Checked is what sfen.h checks, and that there is a king to mate. If the attacker has no king and pieces are missing,
 * the board is a tsume diagram and the defender gets the rest, as the rules of tsume say; a remark tells so.
 */
#ifndef MURAKUMO_CLI_MATE_INPUT_H
#define MURAKUMO_CLI_MATE_INPUT_H

#include "common/shogi/position.h"
#include "coordinator/cli/archive.h"

struct mate_problem {
    struct position root; /* the side to move attacks */
    const char *file;     /* belongs to the input; "sfen" for a position that was an argument itself */
    uint32_t line;        /* of the file, from 1; 0 = the argument itself */
};

struct mate_input {
    struct mate_problem *problems;
    size_t count, capacity;
    struct archive archive; /* the files */
    bool refused;           /* something could not be used; it has been named on stderr */
};

/* Reads everything; what cannot be used is named in one line on stderr each. False: out of memory. */
bool mate_input_read(struct mate_input *input, char *const *arguments, int count);
void mate_input_free(struct mate_input *input);

#endif
