#include "common/shogi/record_io.h"

#include "common/shogi/csa.h"
#include "common/shogi/jkf.h"
#include "common/shogi/ki2.h"
#include "common/shogi/kif.h"
#include "common/shogi/usirecord.h"

#include <stdio.h>

enum { LINES_LOOKED_AT = 400, ENOUGH = 40 };

struct format_ops {
    enum record_format format;
    int (*line_evidence)(struct text line);
    enum status (*read)(struct record_lines *lines, struct record *record);
};

static const struct format_ops formats[] = {
    {RECORD_FORMAT_CSA, csa_line_evidence, csa_read}, {RECORD_FORMAT_KIF, kif_line_evidence, kif_read},
    {RECORD_FORMAT_KI2, ki2_line_evidence, ki2_read}, {RECORD_FORMAT_USI, usirecord_line_evidence, usirecord_read},
    {RECORD_FORMAT_JKF, jkf_line_evidence, jkf_read},
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

/* Adds up what the first lines look like. */
static enum record_format detect(struct text bytes, enum encoding encoding, enum status *status)
{
    int evidence[FORMATS] = {0};
    struct record_lines lines;
    record_lines_init(&lines, bytes, encoding);
    struct text line;
    for (int i = 0; i < LINES_LOOKED_AT && record_lines_take(&lines, &line); i++) {
        bool enough = false;
        for (size_t f = 0; f < FORMATS; f++) {
            evidence[f] += formats[f].line_evidence(line);
            enough = enough || evidence[f] >= ENOUGH;
        }
        if (enough) break;
    }
    *status = lines.status;
    record_lines_free(&lines);
    size_t best = 0;
    for (size_t f = 1; f < FORMATS; f++)
        if (evidence[f] > evidence[best]) best = f;
    return evidence[best] ? formats[best].format : RECORD_FORMAT_UNKNOWN;
}

static enum status refuse(struct record_reader *reader, enum status st, struct text found, const char *expected)
{
    struct record_problem problem;
    record_problem_set(&problem, 1, found, expected);
    record_problem_text(&problem, reader->error);
    return st;
}

static struct text first_line(struct text bytes)
{
    struct text line = text_make("", 0);
    while (text_take_line(&bytes, &line) && text_empty(text_trim(line))) continue;
    return line;
}

enum status record_reader_init(struct record_reader *reader, const void *bytes, size_t length)
{
    *reader = (struct record_reader){.format = RECORD_FORMAT_UNKNOWN};
    struct text text = text_make(bytes, length);
    size_t mark_bytes = 0;
    record_lines_init(&reader->lines, text_make("", 0), ENCODING_ASCII);
    if (length > RECORD_FILE_BYTES_MAX) return refuse(reader, ST_TOO_BIG, text_make("", 0), "at most 1 GiB");
    reader->encoding = encoding_detect(text, &mark_bytes);
    if (reader->encoding == ENCODING_UTF16)
        return refuse(reader, ST_UNKNOWN, text_from("UTF-16"), "a game record in UTF-8, Shift_JIS or EUC-JP");
    reader->byte_order_mark = mark_bytes > 0;
    text.at += mark_bytes;
    enum status st;
    reader->format = detect(text, reader->encoding, &st);
    if (st != ST_OK) return refuse(reader, st, text_make("", 0), "more memory");
    if (reader->format == RECORD_FORMAT_UNKNOWN)
        return refuse(reader, ST_UNKNOWN, first_line(text), "a game record (CSA, KIF, KI2, USI or JKF)");
    record_lines_init(&reader->lines, text, reader->encoding);
    return ST_OK;
}

void record_reader_free(struct record_reader *reader) { record_lines_free(&reader->lines); }

enum status record_next(struct record_reader *reader, struct record *record)
{
    for (size_t f = 0; f < FORMATS; f++) {
        if (formats[f].format != reader->format) continue;
        enum status st = formats[f].read(&reader->lines, record);
        record->encoding = reader->encoding;
        record->byte_order_mark = reader->byte_order_mark;
        reader->games += st == ST_OK;
        return st;
    }
    return ST_MISSING;
}

enum status record_read(struct record *record, const void *bytes, size_t length, enum record_format *format)
{
    struct record_reader reader;
    enum status st = record_reader_init(&reader, bytes, length);
    if (st == ST_OK) st = record_next(&reader, record);
    if (format) *format = reader.format;
    record_reader_free(&reader);
    return st;
}

void record_problem_text(const struct record_problem *problem, char out[RECORD_MESSAGE_BYTES])
{
    snprintf(out, RECORD_MESSAGE_BYTES, "line %u: %s", (unsigned)problem->line_number, problem->text);
}

bool record_output_from_name(struct text name, enum record_output *output)
{
    static const char *const names[RECORD_OUT_COUNT] = {"csa", "csa3", "kif", "ki2", "usi", "sfen", "jkf"};
    for (unsigned i = 0; i < RECORD_OUT_COUNT; i++) {
        if (!text_is(name, names[i])) continue;
        *output = (enum record_output)i;
        return true;
    }
    return false;
}

static void write_text(const struct record *record, enum record_output output, enum encoding encoding,
                       uint32_t game_index, struct text_buffer *out)
{
    switch (output) {
    case RECORD_OUT_CSA:
    case RECORD_OUT_CSA3:
        if (game_index) text_buffer_put_string(out, "/\n");
        csa_write(record, output == RECORD_OUT_CSA3 ? CSA_3_0 : CSA_2_2, encoding, out);
        break;
    case RECORD_OUT_KIF:
        if (game_index) text_buffer_put_char(out, '\n');
        kif_write(record, encoding, out);
        break;
    case RECORD_OUT_KI2:
        if (game_index) text_buffer_put_char(out, '\n');
        ki2_write(record, encoding, out);
        break;
    case RECORD_OUT_JKF:
        jkf_write(record, out);
        break;
    case RECORD_OUT_USI:
        usirecord_write(record, true, out);
        text_buffer_put_char(out, '\n');
        break;
    case RECORD_OUT_SFEN:
        usirecord_write_sfen(record, out);
        text_buffer_put_char(out, '\n');
        break;
    case RECORD_OUT_COUNT:
        break;
    }
}

void record_write(const struct record *record, enum record_output output, uint32_t game_index, struct text_buffer *out)
{
    write_text(record, output, ENCODING_UTF8, game_index, out);
}

size_t record_write_shift_jis(const struct record *record, enum record_output output, uint32_t game_index,
                              struct text_buffer *out)
{
    if (output == RECORD_OUT_JKF) {
        record_write(record, output, game_index, out);
        return 0;
    }
    struct text_buffer utf8;
    text_buffer_init(&utf8, out->bytes_max);
    write_text(record, output, ENCODING_SHIFT_JIS, game_index, &utf8);
    size_t replaced = 0;
    if (utf8.status == ST_OK)
        replaced = encoding_to_shift_jis(text_buffer_view(&utf8), out);
    else
        out->status = utf8.status;
    text_buffer_free(&utf8);
    return replaced;
}
