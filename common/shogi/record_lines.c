#include "common/shogi/record_lines.h"

void record_lines_init(struct record_lines *lines, struct text bytes, enum encoding encoding)
{
    *lines = (struct record_lines){.rest = bytes, .encoding = encoding, .status = ST_OK};
    text_buffer_init(&lines->decoded, 4 * RECORD_LINE_BYTES_MAX);
}

void record_lines_free(struct record_lines *lines) { text_buffer_free(&lines->decoded); }

bool record_lines_take(struct record_lines *lines, struct text *line)
{
    if (lines->status != ST_OK) return false;
    if (lines->put_back) {
        lines->put_back = false;
        *line = lines->line;
        return true;
    }
    struct text raw;
    if (!text_take_line(&lines->rest, &raw)) return false;
    lines->number++;
    lines->cut = text_length(raw) > RECORD_LINE_BYTES_MAX;
    if (lines->cut) raw.end = raw.at + RECORD_LINE_BYTES_MAX;
    bool legacy = lines->encoding == ENCODING_SHIFT_JIS || lines->encoding == ENCODING_EUC_JP;
    if (legacy && !text_is_ascii(raw)) {
        text_buffer_clear(&lines->decoded);
        encoding_to_utf8(lines->encoding, raw, &lines->decoded);
        if (lines->decoded.status != ST_OK) {
            lines->status = lines->decoded.status;
            return false;
        }
        raw = text_buffer_view(&lines->decoded);
    }
    lines->line = *line = raw;
    return true;
}

void record_lines_put_back(struct record_lines *lines) { lines->put_back = true; }
