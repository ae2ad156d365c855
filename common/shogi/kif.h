/* kif.h - game records in the KIF format (one numbered move a line).
 *
 * Sources: the KIF description of Kifu for Windows (2024-08-02); files of Kifu for Windows / iPhone, Shogidokoro,
 *          ShogiGUI, ShogiHome, 81Dojo, Piyo Shogi, lishogi.
 * Reads:   see kif_parts.h and kanji.h; times as m:ss or h:mm:ss with or without a total; ends with or without a
 *          number; variations hang on the nearest earlier line that reaches their ply. A word in the place of a move
 *          that is neither a move nor a known end ends the line and is kept. Games one after the other.
 * Writes:  UTF-8, LF. With variations.
 */
#ifndef MURAKUMO_SHOGI_KIF_H
#define MURAKUMO_SHOGI_KIF_H

#include "common/shogi/record.h"
#include "common/shogi/record_lines.h"

/* The next game. ST_MISSING: there is none. Otherwise ST_OK with all that could be read (problems are in the record),
 * or ST_NO_MEMORY. */
MUST_USE enum status kif_read(struct record_lines *lines, struct record *record);

/* How much this line looks like KIF and not KI2: 0 (not at all) to 3. */
int kif_line_evidence(struct text line);

/* Appends the game as UTF-8; a failure is in out->status. Times are cut to seconds. `encoding`: what the caller will
 * turn the text into, for the line that says so. */
void kif_write(const struct record *record, enum encoding encoding, struct text_buffer *out);

#endif
