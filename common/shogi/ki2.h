/* ki2.h - game records in the KI2 format: moves as in print, several on a line, without source squares and times.
 *
 * Source:  the KI2 description of Kifu for Windows; files of Kifu for Windows, ShogiHome, shogidb2.
 * Reads:   what kif_parts.h and kanji.h do; marks ▲△▼▽☗☖ (they must agree with whose turn it is); an end in the place
 *          of a move ("△投了") or in the result line. Which piece moves is settled with the legal moves; if several
 *          can, the game is rejected there.
 * Writes:  UTF-8, LF, with variations; times have no place in the format.
 */
#ifndef MURAKUMO_SHOGI_KI2_H
#define MURAKUMO_SHOGI_KI2_H

#include "common/shogi/record.h"
#include "common/shogi/record_lines.h"

/* The next game. ST_MISSING: there is none. Otherwise ST_OK with all that could be read (problems are in the record),
 * or ST_NO_MEMORY. */
MUST_USE enum status ki2_read(struct record_lines *lines, struct record *record);

/* How much this line looks like KI2 and not KIF: 0 (not at all) to 3. */
int ki2_line_evidence(struct text line);

/* Appends the game as UTF-8; a failure is in out->status. `encoding`: what the caller will turn the text into, for the
 * line that says so. */
void ki2_write(const struct record *record, enum encoding encoding, struct text_buffer *out);

#endif
