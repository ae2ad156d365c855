/* json.h - reads JSON (RFC 8259) where it lies; nothing is allocated, no tree is built.
 *
 * json_take() checks one whole value, however large, in one pass; after that its parts can be walked without further
 * checks:
 *     struct json root; size_t bad_at; if (json_take(&rest, &root, &bad_at) == ST_OK) {
 *         struct json_walk walk = json_walk_start(root); struct text key; struct json member; while
 *         (json_walk_member(&walk, &key, &member)) ...
 * A step of a walk costs time in the size of the part that it passes, so a value nested d deep is passed d times at
 * most.
 * Limits: JSON_DEPTH_MAX levels of arrays and objects. Strings are only decoded where json_put_string() is asked to.
 */
#ifndef MURAKUMO_BASE_JSON_H
#define MURAKUMO_BASE_JSON_H

#include "common/base/text.h"

enum { JSON_DEPTH_MAX = 256 };
enum json_type { JSON_MISSING, JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json {
    enum json_type type;
    struct text raw; /* from the first to the last character of the value */
};

/* Takes blanks and one value from *rest. ST_SYNTAX, ST_TRUNCATED, ST_TOO_DEEP: *rest is unchanged and *bad_at (if not
 * NULL) is the offset of what does not fit. ST_MISSING: nothing but blanks. */
MUST_USE enum status json_take(struct text *rest, struct json *value, size_t *bad_at);

struct json_walk {
    struct text rest;
};
/* Of an array or object that json_take() has checked; any other value has no parts. */
struct json_walk json_walk_start(struct json value);
bool json_walk_element(struct json_walk *walk, struct json *element);
/* `key` is the text between its quotes, escapes not decoded. */
bool json_walk_member(struct json_walk *walk, struct text *key, struct json *member);
/* The first member of that name; type JSON_MISSING if there is none (or `object` is none). */
struct json json_member(struct json object, const char *name);

/* False if it is no whole number with |n| <= max ("3.0" and "1e2" are none). */
bool json_integer(struct json value, int64_t max, int64_t *number);
bool json_string_is(struct json value, const char *string);
/* Appends the decoded text; a lone surrogate becomes U+FFFD. False if it is no string. */
bool json_put_string(struct json value, struct text_buffer *out);

/* Appends `t` in quotes, escaped as JSON wants it. */
void json_write_string(struct text_buffer *out, struct text t);

#endif
