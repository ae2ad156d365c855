/* record_helpers.h - short forms for tests of the record readers. */
#ifndef MURAKUMO_TESTS_RECORD_HELPERS_H
#define MURAKUMO_TESTS_RECORD_HELPERS_H

#include "common/shogi/movetext.h"
#include "common/shogi/record_io.h"
#include "common/shogi/record_tree.h"
#include "common/shogi/sfen.h"
#include "tests/unit/files.h"

/* Moves of a line as USI, with the illegal last move of the main line; valid until the next call. */
static inline const char *line_usi(const struct record *record, uint32_t line)
{
    static struct text_buffer out;
    text_buffer_free(&out);
    text_buffer_init(&out, 1 << 20);
    text_buffer_put_string(&out, "");
    char move[MOVETEXT_BYTES_MAX];
    const struct record_line *l = &record->lines[line];
    for (uint32_t i = 0; i < l->count; i++) {
        movetext_to_usi(record->moves[l->first + i].move, move);
        if (i) text_buffer_put_char(&out, ' ');
        text_buffer_put_string(&out, move);
    }
    if (line == 0 && record->illegal_ply) {
        movetext_to_usi(record->illegal_move, move);
        if (l->count) text_buffer_put_char(&out, ' ');
        text_buffer_put_string(&out, move);
    }
    return out.data;
}

static inline const char *sfen_of(const struct position *pos)
{
    static char text[SFEN_BYTES_MAX];
    sfen_write(pos, text);
    return text;
}

static inline const char *winner_text(const struct record_line *line)
{
    static const char *const texts[] = {"none", "b", "w", "draw"};
    return texts[line->winner];
}

/* The first game of a text, from an allocation of exactly its size. Dies if there is none. */
static inline enum record_format read_text(struct record *record, const char *text)
{
    size_t length = strlen(text);
    char *copy = malloc(length ? length : 1);
    memcpy(copy, text, length);
    enum record_format format;
    enum status st = record_read(record, copy, length, &format);
    free(copy);
    if (st != ST_OK) ck_abort_msg("not read (%s): %s", status_text(st), text);
    return format;
}

#define ASSERT_SPAN(record, span, string)                                                                              \
    ck_assert_msg(text_is(record_text(record, span), string), "got \"%.*s\"", (int)(span).length,                      \
                  record_text(record, span).at)
#define ASSERT_HEADER(record, key, string)                                                                             \
    ck_assert_msg(text_is(record_header_value(record, key), string), "got \"%.*s\"",                                   \
                  (int)text_length(record_header_value(record, key)), record_header_value(record, key).at)

/* First problem as "line N: found X, expected Y"; "" if there is none. */
static inline const char *first_problem(const struct record *record)
{
    static char text[RECORD_MESSAGE_BYTES];
    text[0] = 0;
    if (record->problem_count) record_problem_text(&record->problems[0], text);
    return text;
}

#endif
