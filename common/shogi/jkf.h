/* jkf.h - game records in the JSON Kifu Format.
 *
 * Source:  the JKF description and schema of json-kifu-format (na2hiro); files of json-kifu-format, tsshogi,
 *          ShogiHome, ShogiBoardQ.
 * Reads:   presets and boards given as data; normalised moves and those that have only what KIF, KI2 or CSA say
 *          (`same` for the target, `relative` for the source); times, comments, `special`, forks. Move 0 is the start
 *          position with its comments. Several documents one after the other are several games.
 * Writes:  normalised JKF on one line. Forks nest; deeper than JKF_FORKS_DEEP_MAX they are refused (ST_TOO_DEEP in
 *          out->status).
 */
#ifndef MURAKUMO_SHOGI_JKF_H
#define MURAKUMO_SHOGI_JKF_H

#include "common/shogi/record.h"
#include "common/shogi/record_lines.h"

enum { JKF_FORKS_DEEP_MAX = 80 };

/* The next game. ST_MISSING: there is none. Otherwise ST_OK with all that could be read (problems are in the record),
 * or ST_NO_MEMORY. */
MUST_USE enum status jkf_read(struct record_lines *lines, struct record *record);

/* How much the beginning of a file looks like JSON: 0 or 3. */
int jkf_line_evidence(struct text line);

/* Appends the game; a failure is in out->status. */
void jkf_write(const struct record *record, struct text_buffer *out);

#endif
