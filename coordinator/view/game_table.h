/* game_table.h - an analysed game as text for people, and as JSON and CSV for programs.
 *
 * Scores in the table are Black's (先手): + is good for Black. JSON scores are those of the side to move, as in USI;
 * the field `view` says so. Losses are the mover's.
 */
#ifndef MURAKUMO_VIEW_GAME_TABLE_H
#define MURAKUMO_VIEW_GAME_TABLE_H

#include "common/shogi/movetext.h"
#include "common/shogi/record.h"
#include "coordinator/core/survey.h"

struct game_judged {
    char move[MOVETEXT_BYTES_MAX];
    bool black; /* made it */
    struct judge_verdict verdict;
};
/* What the move `ply` (1 = the first) was worth. */
struct game_judged game_judge_ply(const struct record *record, const struct game_position *positions, uint32_t ply);
/* Of the side to move; kind WIRE_SCORE_NONE where the position was not analysed. */
struct judge_score game_score(const struct game_position *position);

/* positions[0 .. record_plies(record)]. A failure is in out->status. */
void game_table_write(const struct record *record, const char *file, const struct game_position *positions,
                      struct text_buffer *out);
/* One JSON object in one line. */
void game_table_write_json(const struct record *record, const char *file, uint32_t index,
                           const struct game_position *positions, struct text_buffer *out);
/* A row for each move: the score after it (Black's; mates as "mate 5"), what the engine would have played, the loss.
 * `pv` and `sfen` are those of the position in which it was played. The head names the columns. RFC 4180. */
void game_table_write_csv_head(struct text_buffer *out);
void game_table_write_csv(const struct record *record, const char *file, uint32_t index,
                          const struct game_position *positions, struct text_buffer *out);

#endif
