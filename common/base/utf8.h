/* utf8.h - is this text safe to show, log and store?
 *
 * Source: RFC 3629 (no overlong forms, no surrogates, nothing above U+10FFFF).
 */
#ifndef MURAKUMO_BASE_UTF8_H
#define MURAKUMO_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Length in bytes (1..4) of the well-formed character at text[0..length), 0 if there is none. *code_point may be NULL.
 */
size_t utf8_character_bytes(const char *text, size_t length, unsigned long *code_point);
/* True if text[0..length) is well-formed UTF-8 without control characters (U+0000..1F, 7F..9F, line and paragraph
 * separator U+2028/2029). A text from a peer that passes cannot forge a log line or drive a terminal. */
bool utf8_is_clean(const char *text, size_t length);

#endif
