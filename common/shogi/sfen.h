/* sfen.h - positions as SFEN text, and the argument of the USI `position` command.
 *
 * Tolerant in reading (any order of pieces in hand, missing ply number, several blanks), canonical in writing (R B G S
 * N L P, Black first). Refused with a status and a place: wrong square counts, unknown letters, too many pieces of a
 * kind, two kings of one side, two pawns of one side on a file (二歩), pieces that can never move (行き所のない駒), the
 * side not to move in check.
 */
#ifndef MURAKUMO_SHOGI_SFEN_H
#define MURAKUMO_SHOGI_SFEN_H

#include "common/base/status.h"
#include "common/shogi/position.h"

#define SFEN_STARTPOS "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
enum { SFEN_BYTES_MAX = 192 }; /* canonical text with its final 0 always fits */

struct sfen_error {
    enum status status;
    size_t offset;  /* byte in the text */
    char text[120]; /* one English line: what was found, what was expected */
};

/* Reads board, side, hands and (optionally) ply from text[0..bytes). Sets *used to the bytes read, if not NULL.
 * On failure *pos is unchanged and *error (if not NULL) says why. */
MUST_USE enum status sfen_read(struct position *pos, const char *text, size_t bytes, size_t *used,
                               struct sfen_error *error);
/* Returns the length written (without the final 0). */
size_t sfen_write(const struct position *pos, char out[SFEN_BYTES_MAX]);

#endif
