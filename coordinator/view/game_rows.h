/* game_rows.h - what the store keeps of a game that is done: one row for its scan, one for every candidate.
 *
 *   kind "scan", ply 0: {"first_ply":8,"positions":[{"ply":8,"cp":35,"depth":11,"nodes":15004,"best":"2g2f","pv":"2g2f
 * ..."},
 *                         ...]}   `mate` in signed plies instead of `cp`; nothing but `ply` when the search failed
 *   kind "case", ply n:   {"ply":n,"verdict":"accepted","reason":"","sfen":"...","before":"...","mistake":"7g7f",
 *                         "solution":["2b3a+",...],"mate":5,"rating":1480,"themes":["tsume",...],"cp":...,...}
 * Scores are those of the side to move. The same survey gives the same bytes.
 */
#ifndef MURAKUMO_VIEW_GAME_ROWS_H
#define MURAKUMO_VIEW_GAME_ROWS_H

#include "coordinator/core/survey.h"

enum { GAME_ROWS_MAX = SURVEY_CASES_MAX + 1 };

struct game_row {
    uint32_t ply;
    const char *kind;
    size_t at, bytes; /* in the buffer */
};

/* Appends the texts and describes them; returns how many. A failure is in out->status. */
size_t game_rows_write(const struct survey *survey, struct text_buffer *out, struct game_row rows[GAME_ROWS_MAX]);

#endif
