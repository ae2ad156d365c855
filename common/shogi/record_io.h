/* record_io.h - games out of a file's bytes, in whatever format and encoding they are, and back into text.
 *
 * Format and encoding are found by looking at the content; a file's name is never asked. The layer is pure: callers
 * load the file and hand over its bytes, which must live as long as the reader. Example:
 *     struct record record;  struct record_reader reader; record_init(&record); if (record_reader_init(&reader,
 *     bytes, length) == ST_OK)
 *         while (record_next(&reader, &record) == ST_OK) use(&record);
 *     record_reader_free(&reader);  record_free(&record);
 * Trouble: a game that could be read in part is a game; see `rejected` and `problems` in record.h. A file that is no
 *          record at all is refused by record_reader_init() with ST_UNKNOWN.
 */
#ifndef MURAKUMO_SHOGI_RECORD_IO_H
#define MURAKUMO_SHOGI_RECORD_IO_H

#include "common/shogi/record.h"
#include "common/shogi/record_lines.h"

/* "line 12: found X, expected Y" of one problem, for messages. */
enum { RECORD_MESSAGE_BYTES = RECORD_PROBLEM_BYTES + 24 };
void record_problem_text(const struct record_problem *problem, char out[RECORD_MESSAGE_BYTES]);

struct record_reader {
    struct record_lines lines;
    enum record_format format;
    enum encoding encoding;
    bool byte_order_mark;
    uint32_t games;                   /* handed out so far */
    char error[RECORD_MESSAGE_BYTES]; /* after a refusal: "line 1: found X, expected Y" */
};

/* ST_UNKNOWN: the bytes are no game record. ST_TOO_BIG: more than RECORD_FILE_BYTES_MAX. */
#define RECORD_FILE_BYTES_MAX ((size_t)1 << 30)
MUST_USE enum status record_reader_init(struct record_reader *reader, const void *bytes, size_t length);
void record_reader_free(struct record_reader *reader);
/* The next game into `record` (which was record_init()ed). ST_MISSING: no further game. ST_NO_MEMORY: give up. */
MUST_USE enum status record_next(struct record_reader *reader, struct record *record);

/* The first game of the bytes; *format (if not NULL) says what they were. For files that hold one game. */
MUST_USE enum status record_read(struct record *record, const void *bytes, size_t length, enum record_format *format);

/* What can be written. */
enum record_output {
    RECORD_OUT_CSA,
    RECORD_OUT_CSA3,
    RECORD_OUT_KIF,
    RECORD_OUT_KI2,
    RECORD_OUT_USI,
    RECORD_OUT_SFEN,
    RECORD_OUT_JKF,
    RECORD_OUT_COUNT
};
/* "csa", "csa3", "kif", "ki2", "usi", "sfen", "jkf"; false for any other name. */
bool record_output_from_name(struct text name, enum record_output *output);
/* Appends the game as UTF-8; a failure is in out->status. `game_index` > 0 puts before it what parts games in that
 * format. */
void record_write(const struct record *record, enum record_output output, uint32_t game_index, struct text_buffer *out);
/* The same as Shift_JIS (code page 932), where the format may be: JSON is UTF-8 whatever is asked for. Returns how many
 * characters had to be replaced by 〓. */
size_t record_write_shift_jis(const struct record *record, enum record_output output, uint32_t game_index,
                              struct text_buffer *out);

#endif
