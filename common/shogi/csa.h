/* csa.h - game records in the CSA format.
 *
 * Sources: CSA standard record format V2.2 (2008-09) and V3.0 (2024-05-14); what shogi-server and floodgate write.
 * Reads:   V1 to V3.0 alike. P1..P9 boards (also with trimmed blanks), PI with pieces removed, P+ / P- with 00 (hand)
 *          and 00AL, several statements on a line parted by commas, T with fractions, all % words, comments in the
 *          three styles ('note, '*text, '**engine), games parted by "/" or simply one after the other.
 * Server:  shogi-server's 'summary: gives the winner, and the end where the % word is missing; 'Max_Moves and
 *          '$END_TIME become headers; the board dump after the end is skipped. #RESIGN and the like, from logs of
 *          clients, are taken where there is no % word.
 * Writes:  V2.2 or V3.0. Variations have no place in the format and are left out.
 */
#ifndef MURAKUMO_SHOGI_CSA_H
#define MURAKUMO_SHOGI_CSA_H

#include "common/shogi/record.h"
#include "common/shogi/record_lines.h"

/* The next game. ST_MISSING: there is none. Otherwise ST_OK with all that could be read (problems are in the record),
 * or ST_NO_MEMORY. */
MUST_USE enum status csa_read(struct record_lines *lines, struct record *record);

/* How much this line looks like CSA: 0 (not at all) to 3 (nothing else looks like this). */
int csa_line_evidence(struct text line);

enum csa_version { CSA_2_2, CSA_3_0 };
/* Appends the game as UTF-8; a failure is in out->status. Times are cut to seconds in V2.2. `encoding`: what the caller
 * will turn the text into, for the line that says so. */
void csa_write(const struct record *record, enum csa_version version, enum encoding encoding, struct text_buffer *out);

/* "+7776FU". A piece of either side stands on the source of `move`, or it is a drop. */
void csa_put_move(const struct position *pos, Move move, struct text_buffer *out);

/* "TORYO", "-ILLEGAL_ACTION", ...: the end for the side whose turn it is. *word loses a sign. */
enum record_end csa_end(struct text *word, Color turn);
/* "FU" ... "RY"; NO_TYPE for anything else. */
PieceType csa_type(struct text name);
const char *csa_type_name(PieceType type);

#endif
