#include "common/base/json.h"

#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void skip_blanks(struct text *t)
{
    while (!text_empty(*t) && (*t->at == ' ' || *t->at == '\t' || *t->at == '\n' || *t->at == '\r')) t->at++;
}

static bool take_hex4(struct text *t, uint32_t *unit)
{
    if (text_length(*t) < 4) return false;
    *unit = 0;
    for (int i = 0; i < 4; i++) {
        char c = *t->at++;
        uint32_t digit = is_digit(c)                          ? (uint32_t)(c - '0')
                         : (c | 32) >= 'a' && (c | 32) <= 'f' ? (uint32_t)((c | 32) - 'a' + 10)
                                                              : 16;
        if (digit == 16) return false;
        *unit = *unit * 16 + digit;
    }
    return true;
}

/* After the opening quote, to behind the closing one. */
static enum status skip_string(struct text *t)
{
    while (!text_empty(*t)) {
        char c = *t->at++;
        if (c == '"') return ST_OK;
        if ((unsigned char)c < 0x20) return ST_SYNTAX;
        if (c != '\\') continue;
        if (text_empty(*t)) return ST_TRUNCATED;
        uint32_t unit;
        c = *t->at++;
        if (c == 'u') {
            if (!take_hex4(t, &unit)) return ST_SYNTAX;
        } else if (!c || !strchr("\"\\/bfnrt", c)) {
            return ST_SYNTAX;
        }
    }
    return ST_TRUNCATED;
}

static bool skip_digits(struct text *t)
{
    const char *start = t->at;
    while (!text_empty(*t) && is_digit(*t->at)) t->at++;
    return t->at > start;
}

static bool skip_number(struct text *t)
{
    text_take_char(t, '-');
    if (text_empty(*t) || !is_digit(*t->at)) return false;
    if (!text_take_char(t, '0')) skip_digits(t);
    if (text_take_char(t, '.') && !skip_digits(t)) return false;
    if (!text_empty(*t) && (*t->at | 32) == 'e') {
        t->at++;
        if (!text_take_char(t, '-')) text_take_char(t, '+');
        if (!skip_digits(t)) return false;
    }
    return true;
}

static enum json_type type_of(char c)
{
    switch (c) {
    case '{':
        return JSON_OBJECT;
    case '[':
        return JSON_ARRAY;
    case '"':
        return JSON_STRING;
    case 't':
        return JSON_TRUE;
    case 'f':
        return JSON_FALSE;
    case 'n':
        return JSON_NULL;
    default:
        return c == '-' || is_digit(c) ? JSON_NUMBER : JSON_MISSING;
    }
}

/* A value that holds no others. */
static enum status skip_scalar(struct text *t)
{
    switch (type_of(*t->at)) {
    case JSON_STRING:
        t->at++;
        return skip_string(t);
    case JSON_NUMBER:
        return skip_number(t) ? ST_OK : ST_SYNTAX;
    case JSON_TRUE:
        return text_take(t, "true") ? ST_OK : ST_SYNTAX;
    case JSON_FALSE:
        return text_take(t, "false") ? ST_OK : ST_SYNTAX;
    case JSON_NULL:
        return text_take(t, "null") ? ST_OK : ST_SYNTAX;
    default:
        return ST_SYNTAX;
    }
}

/* "key": before a member's value. */
static enum status skip_key(struct text *t)
{
    skip_blanks(t);
    if (text_empty(*t)) return ST_TRUNCATED;
    if (!text_take_char(t, '"')) return ST_SYNTAX;
    enum status st = skip_string(t);
    if (st != ST_OK) return st;
    skip_blanks(t);
    if (text_empty(*t)) return ST_TRUNCATED;
    return text_take_char(t, ':') ? ST_OK : ST_SYNTAX;
}

/* Checks one value; t ends behind it or at what does not fit. No recursion: the open brackets are a row of bits. */
static enum status skip_value(struct text *t)
{
    bool is_object[JSON_DEPTH_MAX];
    unsigned depth = 0;
    for (;;) {
        skip_blanks(t); /* here a value begins */
        if (text_empty(*t)) return ST_TRUNCATED;
        char c = *t->at;
        enum status st;
        if (c == '{' || c == '[') {
            if (depth == JSON_DEPTH_MAX) return ST_TOO_DEEP;
            is_object[depth++] = c == '{';
            t->at++;
            skip_blanks(t);
            if (!text_take_char(t, c == '{' ? '}' : ']')) {
                if (c == '{' && (st = skip_key(t)) != ST_OK) return st;
                continue;
            }
            depth--;
        } else if ((st = skip_scalar(t)) != ST_OK) {
            return text_empty(*t) ? ST_TRUNCATED : st;
        }
        for (;;) { /* here a value has ended */
            if (depth == 0) return ST_OK;
            skip_blanks(t);
            if (text_empty(*t)) return ST_TRUNCATED;
            if (text_take_char(t, ',')) {
                if (is_object[depth - 1] && (st = skip_key(t)) != ST_OK) return st;
                break;
            }
            if (!text_take_char(t, is_object[depth - 1] ? '}' : ']')) return ST_SYNTAX;
            depth--;
        }
    }
}

enum status json_take(struct text *rest, struct json *value, size_t *bad_at)
{
    struct text t = *rest;
    skip_blanks(&t);
    if (text_empty(t)) return ST_MISSING;
    const char *start = t.at;
    enum status st = skip_value(&t);
    if (st != ST_OK) {
        if (bad_at) *bad_at = (size_t)(t.at - rest->at);
        return st;
    }
    *value = (struct json){type_of(*start), {start, t.at}};
    rest->at = t.at;
    return ST_OK;
}

struct json_walk json_walk_start(struct json value)
{
    struct json_walk walk = {.rest = text_make("", 0)};
    if (value.type != JSON_ARRAY && value.type != JSON_OBJECT) return walk;
    walk.rest = (struct text){value.raw.at + 1, value.raw.end - 1};
    return walk;
}

bool json_walk_element(struct json_walk *walk, struct json *element)
{
    skip_blanks(&walk->rest);
    text_take_char(&walk->rest, ',');
    return json_take(&walk->rest, element, NULL) == ST_OK;
}

bool json_walk_member(struct json_walk *walk, struct text *key, struct json *member)
{
    skip_blanks(&walk->rest);
    text_take_char(&walk->rest, ',');
    struct json name;
    if (json_take(&walk->rest, &name, NULL) != ST_OK || name.type != JSON_STRING) return false;
    *key = (struct text){name.raw.at + 1, name.raw.end - 1};
    skip_blanks(&walk->rest);
    text_take_char(&walk->rest, ':');
    return json_take(&walk->rest, member, NULL) == ST_OK;
}

struct json json_member(struct json object, const char *name)
{
    struct text key;
    struct json member;
    if (object.type == JSON_OBJECT)
        for (struct json_walk walk = json_walk_start(object); json_walk_member(&walk, &key, &member);)
            if (text_is(key, name)) return member;
    return (struct json){JSON_MISSING, text_make("", 0)};
}

bool json_integer(struct json value, int64_t max, int64_t *number)
{
    struct text t = value.raw;
    int64_t n;
    if (value.type != JSON_NUMBER || !text_take_signed(&t, max, &n) || !text_empty(t)) return false;
    *number = n;
    return true;
}

bool json_string_is(struct json value, const char *string)
{
    if (value.type != JSON_STRING) return false;
    return text_is((struct text){value.raw.at + 1, value.raw.end - 1}, string);
}

/* "uD83DuDE00" after the backslash: one code point out of one or two units. */
static uint32_t take_escaped_unit(struct text *t)
{
    uint32_t unit = 0xFFFD, low;
    if (!take_hex4(t, &unit)) return 0xFFFD;
    if (unit < 0xD800 || unit > 0xDFFF) return unit;
    struct text second = *t;
    if (unit <= 0xDBFF && text_take(&second, "\\u") && take_hex4(&second, &low) && low >= 0xDC00 && low <= 0xDFFF) {
        *t = second;
        return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    }
    return 0xFFFD;
}

bool json_put_string(struct json value, struct text_buffer *out)
{
    if (value.type != JSON_STRING) return false;
    struct text t = {value.raw.at + 1, value.raw.end - 1};
    while (!text_empty(t)) {
        const char *start = t.at;
        while (t.at < t.end && *t.at != '\\') t.at++;
        if (t.at > start) text_buffer_put(out, (struct text){start, t.at});
        if (text_empty(t)) break;
        t.at++;
        char c = text_empty(t) ? '\\' : *t.at++;
        switch (c) {
        case 'b':
            text_buffer_put_char(out, '\b');
            break;
        case 'f':
            text_buffer_put_char(out, '\f');
            break;
        case 'n':
            text_buffer_put_char(out, '\n');
            break;
        case 'r':
            text_buffer_put_char(out, '\r');
            break;
        case 't':
            text_buffer_put_char(out, '\t');
            break;
        case 'u':
            text_buffer_put_code_point(out, take_escaped_unit(&t));
            break;
        default:
            text_buffer_put_char(out, c);
            break;
        }
    }
    return true;
}

void json_write_string(struct text_buffer *out, struct text t)
{
    text_buffer_put_char(out, '"');
    while (!text_empty(t)) {
        const char *start = t.at;
        while (t.at < t.end && (unsigned char)*t.at >= 0x20 && (unsigned char)*t.at < 0x7F && *t.at != '"' &&
               *t.at != '\\')
            t.at++;
        if (t.at > start) text_buffer_put(out, (struct text){start, t.at});
        if (text_empty(t)) break;
        uint32_t c = text_take_code_point(&t);
        if (c == '"' || c == '\\')
            text_buffer_format(out, "\\%c", (int)c);
        else if (c == '\n')
            text_buffer_put_string(out, "\\n");
        else if (c < 0x20 || c == 0x7F)
            text_buffer_format(out, "\\u%04x", (unsigned)c);
        else
            text_buffer_put_code_point(out, c);
    }
    text_buffer_put_char(out, '"');
}
