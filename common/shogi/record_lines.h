/* record_lines.h - the lines of a record file, one after the other, as clean UTF-8 (bad bytes are U+FFFD, control
 * characters blanks).
 *
 * Line ends are LF, CR LF or CR, in any mixture. Shift_JIS and EUC-JP are converted line by line (their second bytes
 * are never CR, LF, comma or slash, so lines can be cut before they are decoded).
 * Limits:  a line longer than RECORD_LINE_BYTES_MAX is cut there (`cut` is set for it).
 * Memory:  the text handed out lives until the next call; the file's bytes are borrowed.
 */
#ifndef MURAKUMO_SHOGI_RECORD_LINES_H
#define MURAKUMO_SHOGI_RECORD_LINES_H

#include "common/base/text.h"
#include "common/shogi/encoding.h"

enum { RECORD_LINE_BYTES_MAX = 1 << 20 };

struct record_lines {
    struct text rest; /* not yet taken */
    enum encoding encoding;
    uint32_t number; /* of the line taken last; the first is 1 */
    bool cut;
    enum status status; /* ST_NO_MEMORY: no further line comes */

    struct text line; /* the line taken last */
    bool put_back;    /* ... is to be taken again */
    struct text_buffer decoded, clean;
};

/* `bytes` begins after a byte-order mark. */
void record_lines_init(struct record_lines *lines, struct text bytes, enum encoding encoding);
void record_lines_free(struct record_lines *lines);
/* False at the end (or when memory is out). */
bool record_lines_take(struct record_lines *lines, struct text *line);
/* All that is left, at once, for formats that know no lines. ST_TOO_BIG: more than RECORD_WHOLE_BYTES_MAX. `number`
 * then counts the lines before it; record_lines_skip() goes on behind what was used of it. */
enum { RECORD_WHOLE_BYTES_MAX = 64 << 20 };
MUST_USE enum status record_lines_whole(struct record_lines *lines, struct text *whole);
void record_lines_skip(struct record_lines *lines, struct text whole, const char *used_until);
/* The line taken last will be taken once more. */
void record_lines_put_back(struct record_lines *lines);

#endif
