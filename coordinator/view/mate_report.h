/* mate_report.h - what is shown of a solved tsume: a line for people, a JSON object, or a KIF record.
 *
 * JSON: {"sfen":...,"verdict":"mate"|"nomate"|"unknown","plies":N,"shortest":true,"line":["G*5b",...],"nodes":N,
 *        "time_ms":N,"proof_nodes":N}; plies, shortest, line and proof_nodes only with a mate. A position that no
 *        worker could do is "refused" with a "reason".
 */
#ifndef MURAKUMO_VIEW_MATE_REPORT_H
#define MURAKUMO_VIEW_MATE_REPORT_H

#include "common/base/text.h"
#include "common/shogi/position.h"
#include "coordinator/core/event.h"

void mate_report_text(const struct position *root, const struct tsume_outcome *outcome, struct text_buffer *out);
void mate_report_json(const struct position *root, const struct tsume_outcome *outcome, struct text_buffer *out);
/* `title` becomes a header; `game_index` > 0 parts the games of one stream. */
void mate_report_kif(const struct position *root, const struct tsume_outcome *outcome, const char *title,
                     uint32_t game_index, struct text_buffer *out);

#endif
