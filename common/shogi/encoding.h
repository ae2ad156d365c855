/* encoding.h - Japanese text as it lies in record files: which encoding is it, and what does it say in UTF-8?
 *
 * The encoding is found by looking at the bytes, never by a file's name or by what the file says about itself: files
 * named .kif come as UTF-8, and files that declare UTF-8 have been converted by somebody's tool since.
 * Sources: JIS X 0208, Microsoft code page 932 (Shift_JIS with the NEC and IBM extensions), EUC-JP. The table is our
 *          own (jis_rows_x.h), not iconv(3): iconv loads modules from disk, which a pure layer may not.
 * Errors:  what cannot be mapped becomes U+FFFD (reading) or 〓 (writing) and is counted; nothing is refused.
 */
#ifndef MURAKUMO_SHOGI_ENCODING_H
#define MURAKUMO_SHOGI_ENCODING_H

#include "common/base/text.h"

enum encoding {
    ENCODING_ASCII, /* no byte above 7F: any of the others */
    ENCODING_UTF8,
    ENCODING_SHIFT_JIS,
    ENCODING_EUC_JP,
    ENCODING_UTF16, /* has a UTF-16 byte-order mark; is not read */
    ENCODING_COUNT
};

/* "ascii", "utf-8", "shift_jis", "euc-jp", "utf-16". */
const char *encoding_name(enum encoding encoding);

/* Looks at up to ENCODING_LOOK_BYTES. *mark_bytes = length of the byte-order mark at the beginning (0, 2 or 3), to be
 * skipped. */
enum { ENCODING_LOOK_BYTES = 1 << 20 };
enum encoding encoding_detect(struct text bytes, size_t *mark_bytes);

/* Appends `bytes` as well-formed UTF-8 to `out`; control characters stay. Returns how many characters had to be
 * replaced. A failure of the buffer is in out->status. */
size_t encoding_to_utf8(enum encoding encoding, struct text bytes, struct text_buffer *out);

/* Appends the UTF-8 text `t` as Shift_JIS (code page 932). Returns how many characters had to be replaced by 〓. A
 * failure of the buffer, or no memory for the reverse table, is in out->status. */
size_t encoding_to_shift_jis(struct text t, struct text_buffer *out);

#endif
