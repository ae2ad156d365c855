#include "common/base/text.h"

#include "common/base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ideographic_space[] = "\xE3\x80\x80";
enum { REPLACEMENT = 0xFFFD };

struct text text_make(const char *bytes, size_t length) { return (struct text){bytes, bytes + length}; }

struct text text_from(const char *string) { return text_make(string, strlen(string)); }

bool text_equal(struct text a, struct text b)
{
    return text_length(a) == text_length(b) && (text_empty(a) || memcmp(a.at, b.at, text_length(a)) == 0);
}

bool text_is(struct text t, const char *string) { return text_equal(t, text_from(string)); }

bool text_starts(struct text t, const char *string)
{
    size_t length = strlen(string);
    return text_length(t) >= length && memcmp(t.at, string, length) == 0;
}

bool text_contains(struct text t, const char *string)
{
    for (; !text_empty(t); t.at++) {
        t.at = memchr(t.at, string[0], text_length(t));
        if (!t.at) return false;
        if (text_starts(t, string)) return true;
    }
    return string[0] == 0;
}

bool text_is_ascii(struct text t)
{
    for (; t.at < t.end; t.at++)
        if ((unsigned char)*t.at >= 0x80) return false;
    return true;
}

void text_skip_blanks(struct text *t)
{
    for (;;) {
        if (!text_empty(*t) && (*t->at == ' ' || *t->at == '\t'))
            t->at++;
        else if (!text_take(t, ideographic_space))
            return;
    }
}

struct text text_trim(struct text t)
{
    for (;;) {
        text_skip_blanks(&t);
        if (text_empty(t) || (*t.at != '\r' && *t.at != '\n')) break;
        t.at++;
    }
    for (;;) {
        size_t length = text_length(t);
        if (length && strchr(" \t\r\n", t.end[-1]) && t.end[-1])
            t.end--;
        else if (length >= 3 && memcmp(t.end - 3, ideographic_space, 3) == 0)
            t.end -= 3;
        else
            return t;
    }
}

struct text text_clip(struct text t, size_t bytes_max)
{
    struct text rest = t;
    while (!text_empty(rest)) {
        struct text before = rest;
        text_take_code_point(&rest);
        if ((size_t)(rest.at - t.at) > bytes_max) return (struct text){t.at, before.at};
    }
    return t;
}

bool text_take_line(struct text *rest, struct text *line)
{
    if (text_empty(*rest)) return false;
    const char *at = rest->at; /* byte by byte: memchr for LF and CR apart is quadratic when only one of them is used */
    while (at < rest->end && *at != '\n' && *at != '\r') at++;
    *line = (struct text){rest->at, at};
    if (at < rest->end) at += *at == '\r' && at + 1 < rest->end && at[1] == '\n' ? 2 : 1;
    rest->at = at;
    return true;
}

bool text_take_word(struct text *rest, struct text *word)
{
    const char *at = rest->at;
    while (at < rest->end && (*at == ' ' || *at == '\t')) at++;
    const char *start = at;
    while (at < rest->end && *at != ' ' && *at != '\t' && *at != '\r' && *at != '\n') at++;
    if (at == start) return false;
    *word = (struct text){start, at};
    rest->at = at;
    return true;
}

bool text_take(struct text *rest, const char *string)
{
    if (!text_starts(*rest, string)) return false;
    rest->at += strlen(string);
    return true;
}

bool text_take_char(struct text *rest, char c)
{
    if (text_empty(*rest) || *rest->at != c) return false;
    rest->at++;
    return true;
}

bool text_take_number(struct text *rest, uint64_t max, uint64_t *number)
{
    const char *at = rest->at;
    uint64_t value = 0;
    for (; at < rest->end && *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (digit > max || value > (max - digit) / 10) return false;
        value = value * 10 + digit;
    }
    if (at == rest->at) return false;
    *number = value;
    rest->at = at;
    return true;
}

bool text_take_signed(struct text *rest, int64_t max, int64_t *number)
{
    struct text t = *rest;
    bool negative = text_take_char(&t, '-');
    if (!negative) text_take_char(&t, '+');
    uint64_t magnitude;
    if (!text_take_number(&t, (uint64_t)max, &magnitude)) return false;
    *number = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    *rest = t;
    return true;
}

uint32_t text_take_code_point(struct text *rest)
{
    if (text_empty(*rest)) return 0;
    unsigned char first = (unsigned char)*rest->at;
    if (first < 0x80) {
        rest->at++;
        return first;
    }
    unsigned long code_point;
    size_t bytes = utf8_character_bytes(rest->at, text_length(*rest), &code_point);
    rest->at += bytes ? bytes : 1;
    return bytes ? (uint32_t)code_point : REPLACEMENT;
}

uint32_t text_peek_code_point(struct text rest) { return text_take_code_point(&rest); }

void text_buffer_init(struct text_buffer *buffer, size_t bytes_max)
{
    *buffer = (struct text_buffer){.bytes_max = bytes_max, .status = ST_OK};
}

void text_buffer_free(struct text_buffer *buffer)
{
    free(buffer->data);
    text_buffer_init(buffer, buffer->bytes_max);
}

void text_buffer_clear(struct text_buffer *buffer)
{
    buffer->length = 0;
    buffer->status = ST_OK;
    if (buffer->data) buffer->data[0] = 0;
}

/* Room for `extra` more bytes and the final 0. */
static bool reserve(struct text_buffer *buffer, size_t extra)
{
    if (buffer->status != ST_OK) return false;
    if (extra > buffer->bytes_max || buffer->length > buffer->bytes_max - extra) {
        buffer->status = ST_TOO_BIG;
        return false;
    }
    size_t needed = buffer->length + extra + 1;
    if (needed <= buffer->capacity) return true;
    size_t capacity = buffer->capacity + buffer->capacity / 2 + 64;
    if (capacity < needed) capacity = needed;
    char *data = realloc(buffer->data, capacity);
    if (!data) {
        buffer->status = ST_NO_MEMORY;
        return false;
    }
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

void text_buffer_put(struct text_buffer *buffer, struct text t)
{
    size_t length = text_length(t);
    if (!reserve(buffer, length)) return;
    if (length) memcpy(buffer->data + buffer->length, t.at, length);
    buffer->length += length;
    buffer->data[buffer->length] = 0;
}

void text_buffer_put_string(struct text_buffer *buffer, const char *string)
{
    text_buffer_put(buffer, text_from(string));
}

void text_buffer_put_char(struct text_buffer *buffer, char c) { text_buffer_put(buffer, text_make(&c, 1)); }

void text_buffer_put_code_point(struct text_buffer *buffer, uint32_t code_point)
{
    bool scalar = code_point < 0xD800 || (code_point > 0xDFFF && code_point <= 0x10FFFF);
    uint32_t c = scalar ? code_point : REPLACEMENT;
    char bytes[4];
    size_t length;
    if (c < 0x80) {
        bytes[0] = (char)c;
        length = 1;
    } else if (c < 0x800) {
        bytes[0] = (char)(0xC0 | c >> 6);
        bytes[1] = (char)(0x80 | (c & 63));
        length = 2;
    } else if (c < 0x10000) {
        bytes[0] = (char)(0xE0 | c >> 12);
        bytes[1] = (char)(0x80 | (c >> 6 & 63));
        bytes[2] = (char)(0x80 | (c & 63));
        length = 3;
    } else {
        bytes[0] = (char)(0xF0 | c >> 18);
        bytes[1] = (char)(0x80 | (c >> 12 & 63));
        bytes[2] = (char)(0x80 | (c >> 6 & 63));
        bytes[3] = (char)(0x80 | (c & 63));
        length = 4;
    }
    text_buffer_put(buffer, text_make(bytes, length));
}

void text_buffer_format(struct text_buffer *buffer, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0 || !reserve(buffer, (size_t)length)) return;
    va_start(args, format);
    vsnprintf(buffer->data + buffer->length, (size_t)length + 1, format, args);
    va_end(args);
    buffer->length += (size_t)length;
}

void text_buffer_put_clean(struct text_buffer *buffer, struct text t)
{
    while (!text_empty(t)) {
        const char *start = t.at;
        while (t.at < t.end && (unsigned char)*t.at >= 0x20 && (unsigned char)*t.at < 0x7F) t.at++;
        if (t.at > start) text_buffer_put(buffer, (struct text){start, t.at});
        if (text_empty(t)) return;
        uint32_t c = text_take_code_point(&t);
        bool control = c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x2028 || c == 0x2029;
        text_buffer_put_code_point(buffer, control ? ' ' : c);
    }
}

void text_buffer_put_json(struct text_buffer *buffer, struct text t)
{
    text_buffer_put_char(buffer, '"');
    while (!text_empty(t)) {
        const char *start = t.at;
        while (t.at < t.end && *t.at != '"' && *t.at != '\\') t.at++;
        text_buffer_put_clean(buffer, (struct text){start, t.at});
        if (text_empty(t)) break;
        text_buffer_put_char(buffer, '\\');
        text_buffer_put_char(buffer, *t.at++);
    }
    text_buffer_put_char(buffer, '"');
}
