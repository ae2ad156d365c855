#include "common/shogi/record_lines.h"

#include "common/base/utf8.h"

void record_lines_init(struct record_lines *lines, struct text bytes, enum encoding encoding)
{
    *lines = (struct record_lines){.rest = bytes, .encoding = encoding, .status = ST_OK};
    text_buffer_init(&lines->decoded, 3 * RECORD_LINE_BYTES_MAX); /* a bad byte becomes three */
    text_buffer_init(&lines->clean, 3 * RECORD_LINE_BYTES_MAX);
}

void record_lines_free(struct record_lines *lines)
{
    text_buffer_free(&lines->decoded);
    text_buffer_free(&lines->clean);
}

/* ASCII without control characters: most lines of most files. */
static bool is_plain(struct text t)
{
    for (; t.at < t.end; t.at++)
        if ((unsigned char)*t.at < 0x20 || (unsigned char)*t.at >= 0x7F) return false;
    return true;
}

/* The line as clean UTF-8, in the buffer if it is not so already. */
static struct text cleaned(struct record_lines *lines, struct text raw)
{
    bool legacy = lines->encoding == ENCODING_SHIFT_JIS || lines->encoding == ENCODING_EUC_JP;
    if (legacy && !text_is_ascii(raw)) {
        text_buffer_clear(&lines->decoded);
        encoding_to_utf8(lines->encoding, raw, &lines->decoded);
        raw = text_buffer_view(&lines->decoded);
    }
    if (lines->decoded.status == ST_OK && !utf8_is_clean(raw.at, text_length(raw))) {
        text_buffer_clear(&lines->clean);
        text_buffer_put_clean(&lines->clean, raw);
        raw = text_buffer_view(&lines->clean);
    }
    if (lines->decoded.status != ST_OK) lines->status = lines->decoded.status;
    if (lines->clean.status != ST_OK) lines->status = lines->clean.status;
    return raw;
}

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
    if (!is_plain(raw)) {
        raw = cleaned(lines, raw);
        if (lines->status != ST_OK) return false;
    }
    lines->line = *line = raw;
    return true;
}

void record_lines_put_back(struct record_lines *lines) { lines->put_back = true; }

enum status record_lines_whole(struct record_lines *lines, struct text *whole)
{
    if (lines->status != ST_OK) return lines->status;
    if (text_length(lines->rest) > RECORD_WHOLE_BYTES_MAX) return ST_TOO_BIG;
    bool legacy = lines->encoding == ENCODING_SHIFT_JIS || lines->encoding == ENCODING_EUC_JP;
    if (legacy) { /* decoded once; from here on it is UTF-8 */
        text_buffer_init(&lines->decoded, (size_t)3 * RECORD_WHOLE_BYTES_MAX);
        encoding_to_utf8(lines->encoding, lines->rest, &lines->decoded);
        if (lines->decoded.status != ST_OK) return lines->status = lines->decoded.status;
        lines->rest = text_buffer_view(&lines->decoded);
        lines->encoding = ENCODING_UTF8;
    }
    *whole = lines->rest;
    return ST_OK;
}

void record_lines_skip(struct record_lines *lines, struct text whole, const char *used_until)
{
    for (const char *at = whole.at; at < used_until; at++)
        if (*at == '\n') lines->number++;
    lines->rest.at = used_until;
}
