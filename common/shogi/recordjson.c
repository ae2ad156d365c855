#include "common/shogi/recordjson.h"

#include "common/base/json.h"
#include "common/shogi/movetext.h"
#include "common/shogi/record_io.h"
#include "common/shogi/sfen.h"

static const char *encoding_word(enum encoding encoding)
{
    return encoding == ENCODING_SHIFT_JIS ? "cp932" : encoding == ENCODING_EUC_JP ? "euc-jp" : "utf-8";
}

static void put_name(struct text_buffer *out, const char *name) { text_buffer_format(out, ",\"%s\":", name); }

static void put_string(struct text_buffer *out, const char *name, struct text value)
{
    put_name(out, name);
    json_write_string(out, value);
}

static void put_bool(struct text_buffer *out, const char *name, bool value)
{
    put_name(out, name);
    text_buffer_put_string(out, value ? "true" : "false");
}

static void put_sfen(struct text_buffer *out, const char *name, const struct position *pos)
{
    char sfen[SFEN_BYTES_MAX];
    sfen_write(pos, sfen);
    put_string(out, name, text_from(sfen));
}

static void put_move(struct text_buffer *out, Move move)
{
    char usi[MOVETEXT_BYTES_MAX];
    movetext_to_usi(move, usi);
    text_buffer_format(out, "\"%s\"", usi);
}

static void put_moves(const struct record *record, const struct record_line *line, struct text_buffer *out)
{
    put_name(out, "usi");
    text_buffer_put_char(out, '[');
    for (uint32_t i = 0; i < line->count; i++) {
        if (i) text_buffer_put_char(out, ',');
        put_move(out, record->moves[line->first + i].move);
    }
    text_buffer_put_char(out, ']');
}

/* null, or the word as it was written; the usual one where a result line gave the end. */
static void put_terminal(const struct record *record, const struct record_line *line, struct text_buffer *out)
{
    struct text word = record_text(record, line->end_word);
    const char *usual = record_end_csa((enum record_end)line->end);
    put_name(out, "terminal");
    if (line->end == RECORD_END_NONE)
        text_buffer_put_string(out, "null");
    else
        json_write_string(out, text_empty(word) && usual ? text_from(usual) : word);
}

static void put_illegal(const struct record *record, struct text_buffer *out)
{
    if (!record->illegal_ply) {
        text_buffer_put_string(out, ",\"illegal_at\":null,\"illegal_move\":null");
        return;
    }
    text_buffer_format(out, ",\"illegal_at\":%u", (unsigned)record->illegal_ply);
    put_name(out, "illegal_move");
    if (move_is_real(record->illegal_move))
        put_move(out, record->illegal_move);
    else
        json_write_string(out, record_text(record, record->illegal_text));
}

static void put_headers(const struct record *record, struct text_buffer *out)
{
    put_name(out, "headers");
    text_buffer_put_char(out, '{');
    for (uint32_t i = 0; i < record->header_count; i++) {
        const struct record_header *header = &record->headers[i];
        const char *name = record_key_json(header->key);
        if (i) text_buffer_put_char(out, ',');
        json_write_string(out, name ? text_from(name) : record_text(record, header->name));
        text_buffer_put_char(out, ':');
        json_write_string(out, record_text(record, header->value));
    }
    text_buffer_put_char(out, '}');
}

static void put_ms(struct text_buffer *out, int32_t time_ms)
{
    if (time_ms < 0)
        text_buffer_put_string(out, "null");
    else
        text_buffer_format(out, "%d", time_ms);
}

static void put_times(const struct record *record, const struct record_line *line, struct text_buffer *out)
{
    bool any = line->end_time_ms >= 0;
    for (uint32_t i = 0; i < line->count && !any; i++) any = record->moves[line->first + i].time_ms >= 0;
    if (!any) return;
    put_name(out, "time_ms");
    for (uint32_t i = 0; i < line->count; i++) {
        text_buffer_put_char(out, i ? ',' : '[');
        put_ms(out, record->moves[line->first + i].time_ms);
    }
    text_buffer_put_string(out, line->count ? "]" : "[]");
    put_name(out, "end_time_ms");
    put_ms(out, line->end_time_ms);
}

static void put_score(struct text_buffer *out, const struct record_move *move)
{
    bool unknown = move->score == RECORD_MATE_UNKNOWN_PLIES || move->score == -RECORD_MATE_UNKNOWN_PLIES;
    if (move->score_kind == RECORD_SCORE_NONE)
        text_buffer_put_string(out, "null");
    else if (move->score_kind == RECORD_SCORE_CP)
        text_buffer_format(out, "%d", move->score);
    else if (unknown)
        text_buffer_put_string(out, move->score > 0 ? "\"mate\"" : "\"-mate\"");
    else
        text_buffer_format(out, "\"mate %d\"", move->score);
}

static void put_scores(const struct record *record, const struct record_line *line, struct text_buffer *out)
{
    bool any = false;
    for (uint32_t i = 0; i < line->count && !any; i++)
        any = record->moves[line->first + i].score_kind != RECORD_SCORE_NONE;
    if (!any) return;
    put_name(out, "score");
    for (uint32_t i = 0; i < line->count; i++) {
        text_buffer_put_char(out, i ? ',' : '[');
        put_score(out, &record->moves[line->first + i]);
    }
    text_buffer_put_char(out, ']');
}

/* `parent` counts as lines do: 0 is the main line, 1 the first of this list. */
static void put_variations(const struct record *record, struct text_buffer *out)
{
    if (record->line_count < 2) return;
    put_name(out, "variations");
    for (uint32_t i = 1; i < record->line_count; i++) {
        const struct record_line *line = &record->lines[i];
        text_buffer_format(out, "%c{\"at\":%u,\"parent\":%u", i > 1 ? ',' : '[', (unsigned)line->from_ply,
                           (unsigned)line->parent);
        put_moves(record, line, out);
        put_terminal(record, line, out);
        text_buffer_put_char(out, '}');
    }
    text_buffer_put_char(out, ']');
}

static void put_problems(const struct record *record, struct text_buffer *out)
{
    put_name(out, "problems");
    text_buffer_put_char(out, '[');
    for (uint32_t i = 0; i < record->problem_count && i < RECORD_PROBLEMS_MAX; i++) {
        char text[RECORD_MESSAGE_BYTES];
        record_problem_text(&record->problems[i], text);
        if (i) text_buffer_put_char(out, ',');
        json_write_string(out, text_from(text));
    }
    text_buffer_put_char(out, ']');
}

void recordjson_write(const struct record *record, struct text file, uint32_t index, struct text_buffer *out)
{
    static const char *const winners[] = {"null", "\"b\"", "\"w\"", "\"draw\""};
    const struct record_line *line = record_main(record);
    text_buffer_put_string(out, "{\"file\":");
    json_write_string(out, file);
    text_buffer_format(out, ",\"index\":%u", (unsigned)index);
    put_string(out, "format", text_from(record_format_name(record->format)));
    put_string(out, "encoding", text_from(encoding_word(record->encoding)));
    put_bool(out, "bom", record->byte_order_mark);
    put_sfen(out, "initial_sfen", &record->initial);
    put_moves(record, line, out);
    put_sfen(out, "final_sfen", &record->final);
    put_terminal(record, line, out);
    text_buffer_format(out, ",\"winner\":%s", winners[line->winner]);
    put_illegal(record, out);
    put_bool(out, "reject", record->rejected);
    put_headers(record, out);
    put_times(record, line, out);
    put_scores(record, line, out);
    put_variations(record, out);
    put_problems(record, out);
    text_buffer_put_string(out, "}\n");
}
