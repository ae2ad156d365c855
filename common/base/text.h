/* text.h - a bounded cursor over the caller's text, and a growing buffer for text that is written.
 *
 * Shared by the readers of USI, SFEN, CSA, KIF, KI2, JKF and configuration files. Text is UTF-8; bad bytes are never
 * an error here: they read as U+FFFD, one byte at a time, so every loop that takes from a cursor comes to its end.
 *
 * struct text:    a view [at, end); nothing is allocated or copied, and it lives as long as the bytes it looks at.
 *                 The text_take_* functions move `at` forward only when they answer true.
 * struct text_buffer: owns its bytes. The first failure (no memory, or more than `bytes_max`) is kept in `status`;
 * later
 *                 calls do nothing, so a row of calls needs one check at its end.
 */
#ifndef MURAKUMO_BASE_TEXT_H
#define MURAKUMO_BASE_TEXT_H

#include "common/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    const char *at, *end;
};

struct text text_make(const char *bytes, size_t length);
struct text text_from(const char *string); /* ends before the 0 */
static inline size_t text_length(struct text t) { return (size_t)(t.end - t.at); }
static inline bool text_empty(struct text t) { return t.at == t.end; }

bool text_is(struct text t, const char *string);
bool text_equal(struct text a, struct text b);
bool text_starts(struct text t, const char *string);
bool text_contains(struct text t, const char *string);
bool text_is_ascii(struct text t);

/* Without blanks (space, tab, CR, LF, ideographic space U+3000) at both ends. */
struct text text_trim(struct text t);
void text_skip_blanks(struct text *t); /* space, tab, ideographic space */
/* The longest beginning of at most `bytes_max` bytes that does not cut a character. */
struct text text_clip(struct text t, size_t bytes_max);

/* Up to LF, CR LF or CR, which is taken too. False when nothing is left. */
bool text_take_line(struct text *rest, struct text *line);
/* Up to the next ASCII blank; blanks before it are skipped. False when there is no word left. */
bool text_take_word(struct text *rest, struct text *word);
bool text_take(struct text *rest, const char *string);
bool text_take_char(struct text *rest, char c);
/* ASCII digits, no sign; false if there is none or the number is above `max`. */
bool text_take_number(struct text *rest, uint64_t max, uint64_t *number);
/* The same with an optional sign; |number| <= max. */
bool text_take_signed(struct text *rest, int64_t max, int64_t *number);
/* Next character; 0xFFFD for a byte that starts none; 0 at the end (and for a NUL byte, which is taken). */
uint32_t text_take_code_point(struct text *rest);
uint32_t text_peek_code_point(struct text rest);

struct text_buffer {
    char *data; /* always 0-terminated once something was written; NULL before */
    size_t length, capacity, bytes_max;
    enum status status;
};

void text_buffer_init(struct text_buffer *buffer, size_t bytes_max);
void text_buffer_free(struct text_buffer *buffer);  /* may be called twice */
void text_buffer_clear(struct text_buffer *buffer); /* keeps the memory, forgets a failure */
static inline struct text text_buffer_view(const struct text_buffer *b)
{
    return text_make(b->data ? b->data : "", b->length);
}
void text_buffer_put(struct text_buffer *buffer, struct text t);
void text_buffer_put_string(struct text_buffer *buffer, const char *string);
void text_buffer_put_char(struct text_buffer *buffer, char c);
void text_buffer_put_code_point(struct text_buffer *buffer, uint32_t code_point);
void text_buffer_format(struct text_buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Well-formed UTF-8 without control characters: bad bytes become U+FFFD, controls a space. Safe to log, show and
 * store. */
void text_buffer_put_clean(struct text_buffer *buffer, struct text t);
/* The same as a JSON string, quotes included. */
void text_buffer_put_json(struct text_buffer *buffer, struct text t);

#endif
