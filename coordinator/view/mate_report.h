/* mate_report.h - what is shown of a solved tsume: a line for people, a JSON object, or a KIF record.
 *
 * JSON: {"sfen":...,"verdict":"mate"|"nomate"|"unknown","plies":N,"shortest":true,"line":["G*5b",...],"nodes":N,
 *        "time_ms":N,"proof_nodes":N,"unique":true|false|null,"alternatives":[{"ply":N,"plies":N,"line":[...]},...]};
 *        plies, shortest, line and proof_nodes only with a mate; the last two only if other solutions were looked for:
 *        null = there may be some, a limit was reached. A position that no worker could do is "refused" with a
 * "reason". KIF:   the line, other solutions as variations.
 */
#ifndef MURAKUMO_VIEW_MATE_REPORT_H
#define MURAKUMO_VIEW_MATE_REPORT_H

#include "common/base/text.h"
#include "common/shogi/position.h"
#include "coordinator/core/event.h"

struct mate_alternative { /* another check in the place of one of the line, that mates too */
    uint32_t ply;         /* of the line, 1, 3, ... */
    uint32_t plies;       /* of its own line, which begins with that check */
    const char *line;
};

struct mate_report {
    const struct position *root;
    struct tsume_outcome outcome; /* its texts live as long as the report is used */
    bool looked_for_others, all_looked_at;
    const struct mate_alternative *alternatives;
    size_t alternative_count;
};

/* Is the line the only solution? Another mate in the place of its last move is no fault by convention. */
bool mate_report_is_unique(const struct mate_report *report);

void mate_report_text(const struct mate_report *report, struct text_buffer *out);
void mate_report_json(const struct mate_report *report, struct text_buffer *out);
/* `title` becomes a header; `game_index` > 0 parts the games of one stream. */
void mate_report_kif(const struct mate_report *report, const char *title, uint32_t game_index, struct text_buffer *out);

#endif
