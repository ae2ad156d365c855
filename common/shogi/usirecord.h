/* usirecord.h - games as USI lines: one game a line.
 *
 * Reads:   "position startpos moves ...", "startpos moves ...", "position sfen ... moves ...", "sfen ... moves ...",
 *          a bare SFEN, a bare list of moves. `resign` and `win` in the place of a move end the game; any other word
 *          is kept as its end. "info ... pv ..." gives the moves of the PV from the even game (word after them:
 *          header PV_END). Other lines of a USI session (usi, go, bestmove, ...), blank lines and those that begin
 *          with # are passed over.
 * Writes:  one line without an end of line.
 */
#ifndef MURAKUMO_SHOGI_USIRECORD_H
#define MURAKUMO_SHOGI_USIRECORD_H

#include "common/shogi/record.h"
#include "common/shogi/record_lines.h"

/* The game of the next line that holds one. ST_MISSING: there is none. Otherwise ST_OK with all that could be read,
 * or ST_NO_MEMORY. */
MUST_USE enum status usirecord_read(struct record_lines *lines, struct record *record);

/* How much this line looks like USI or SFEN: 0 (not at all) to 3. */
int usirecord_line_evidence(struct text line);

/* "position startpos moves ...". with_end: a resignation or a declared win is written as the last word, as GUIs do in
 * files; an engine does not want it. An illegal last move is written too then. */
void usirecord_write(const struct record *record, bool with_end, struct text_buffer *out);
/* "sfen ... moves ...": the start always as SFEN, the end as above. */
void usirecord_write_sfen(const struct record *record, struct text_buffer *out);

#endif
