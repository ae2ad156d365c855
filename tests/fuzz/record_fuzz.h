/* record_fuzz.h - what must hold for every game that a reader makes of any bytes. */
#ifndef MURAKUMO_TESTS_RECORD_FUZZ_H
#define MURAKUMO_TESTS_RECORD_FUZZ_H

#include "common/base/utf8.h"
#include "common/shogi/record_io.h"
#include "common/shogi/record_tree.h"

#include <stdio.h>
#include <stdlib.h>

static void require(bool holds, const char *promise)
{
    if (holds) return;
    fprintf(stderr, "broken promise: %s\n", promise);
    abort();
}

static void require_clean(const struct record *record, struct record_span span)
{
    require(span.at + span.length <= record->text.length, "spans lie inside the text");
    struct text t = record_text(record, span);
    require(utf8_is_clean(t.at, text_length(t)), "kept text is clean UTF-8");
}

static void require_sound(const struct record *record)
{
    require(record->line_count >= 1 && record->line_count <= RECORD_LINES_MAX,
            "there is a main line, and not too many others");
    require(record->move_count <= RECORD_MOVES_MAX && record->comment_count <= RECORD_COMMENTS_MAX, "limits are kept");
    require(record->replayed <= RECORD_REPLAY_MAX, "variations cost no more than the limit");
    uint32_t moves = 0;
    for (uint32_t i = 0; i < record->line_count; i++) {
        const struct record_line *line = &record->lines[i];
        require(line->first == moves, "lines are runs of neighbours");
        moves += line->count;
        require(line->from_ply >= 1 && line->from_ply + line->count - 1u <= RECORD_PLIES_MAX, "plies are in range");
        require(i == 0 || (line->parent < i && line->from_ply >= record->lines[line->parent].from_ply),
                "parents come first");
        require(line->end < RECORD_END_COUNT && line->winner <= RECORD_WINNER_DRAW, "ends are known");
        require_clean(record, line->end_word);
    }
    require(moves == record->move_count, "every move belongs to a line");
    for (uint32_t i = 0; i < record->comment_count; i++) {
        require_clean(record, record->comments[i].text);
        require(record->comments[i].line < record->line_count, "comments belong to a line");
        if (i == 0) continue;
        const struct record_comment *a = &record->comments[i - 1], *b = &record->comments[i];
        require(a->line < b->line || (a->line == b->line && a->ply <= b->ply), "comments stand in order");
    }
    for (uint32_t i = 0; i < record->header_count; i++) {
        require_clean(record, record->headers[i].name);
        require_clean(record, record->headers[i].value);
    }
    require_clean(record, record->illegal_text);
    struct position pos;
    record_tree_position(record, 0, record_plies(record), &pos, NULL);
    require(position_key(&pos) == position_key(&record->final), "the final position follows from the moves");
    for (uint32_t i = 0; i < record->problem_count && i < RECORD_PROBLEMS_MAX; i++)
        require(utf8_is_clean(record->problems[i].text, text_length(text_from(record->problems[i].text))),
                "messages are clean");
}

/* Written and read again it has the same start and moves. */
static void require_rereadable(const struct record *record, enum record_output output, struct record *again)
{
    struct text_buffer out;
    text_buffer_init(&out, 64 << 20);
    record_write(record, output, 0, &out);
    if (out.status == ST_OK && !record->rejected) {
        require(record_read(again, out.data, out.length, NULL) == ST_OK, "what is written can be read");
        require(again->initial.board_key == record->initial.board_key, "the start survives");
        require(record_plies(again) == record_plies(record), "the number of moves survives");
        for (uint32_t i = 0; i < record_plies(record); i++)
            require(again->moves[i].move == record->moves[i].move, "the moves survive");
    }
    text_buffer_free(&out);
}

static int fuzz_records(const uint8_t *data, size_t size)
{
    static struct record record, again;
    struct record_reader reader;
    record_init(&record);
    record_init(&again);
    if (record_reader_init(&reader, data, size) == ST_OK)
        while (record_next(&reader, &record) == ST_OK) {
            require_sound(&record);
            for (unsigned output = 0; output < RECORD_OUT_COUNT; output++)
                require_rereadable(&record, (enum record_output)output, &again);
        }
    record_reader_free(&reader);
    record_free(&record);
    record_free(&again);
    return 0;
}

#endif
