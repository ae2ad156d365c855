/* game_table.h - an analysed game as text for people and as JSON for programs.
 *
 * Scores in the table are Black's (先手): + is good for Black. JSON scores are those of the side to move, as in USI;
 * the field `view` says so. Losses are the mover's.
 */
#ifndef MURAKUMO_VIEW_GAME_TABLE_H
#define MURAKUMO_VIEW_GAME_TABLE_H

#include "common/shogi/movetext.h"
#include "common/shogi/record.h"
#include "coordinator/core/survey.h"

/* positions[0 .. record_plies(record)]. A failure is in out->status. */
void game_table_write(const struct record *record, const char *file, const struct game_position *positions,
                      struct text_buffer *out);
/* One JSON object in one line. */
void game_table_write_json(const struct record *record, const char *file, uint32_t index,
                           const struct game_position *positions, struct text_buffer *out);

#endif
