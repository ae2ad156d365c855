/* puzzle_out.h - published puzzles as JSONL, CSV, SFEN, KIF and a page to solve them on.
 *
 * jsonl  first a meta record: counts, ledger, settings, manifest, engine; then one object per puzzle; with `all`, also
 *        those that were held back or rejected, with the reason
 * csv    the columns that people know from chess collections: the first move in Moves is the mistake
 * kif    one game per puzzle, several in a file
 * sfen   one position a line
 * html   one file that needs no network
 */
#ifndef MURAKUMO_VIEW_PUZZLE_OUT_H
#define MURAKUMO_VIEW_PUZZLE_OUT_H

#include "coordinator/view/puzzle.h"

enum puzzle_format { PUZZLE_JSONL, PUZZLE_CSV, PUZZLE_KIF, PUZZLE_SFEN, PUZZLE_HTML, PUZZLE_FORMAT_COUNT };
/* "jsonl", "csv", "kif", "sfen", "html" */
bool puzzle_format_from_name(struct text name, enum puzzle_format *format);

struct puzzle_source { /* of the game a puzzle is from; texts are borrowed */
    const char *file, *source, *licence, *black, *white, *date, *event;
    int64_t index;
};

struct puzzle_meta {
    const char *manifest, *engine;
    int64_t games;
    const char *settings; /* "key=value" lines */
};

/* What stands before the first and after the last puzzle, and one puzzle (number counts from 1). */
void puzzle_out_begin(enum puzzle_format format, const struct puzzle_set *set, const struct puzzle_meta *meta,
                      struct text_buffer *out);
void puzzle_out_one(enum puzzle_format format, const struct puzzle *puzzle, const struct puzzle_source *source,
                    uint32_t number, struct text_buffer *out);
void puzzle_out_end(enum puzzle_format format, struct text_buffer *out);

/* Parts of the page: puzzle_page.c. */
extern const char puzzle_page_head[], puzzle_page_board[], puzzle_page_tail[];

#endif
