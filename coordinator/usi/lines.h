/* lines.h - cuts a stream of bytes into lines, in bounded memory.
 *
 * A line ends at LF; a CR before it is dropped. A line longer than the capacity is swallowed up to its end and then
 * handed out once, marked too_long, with its beginning. What stands behind the last LF is a line too when the stream
 * ends.
 */
#ifndef MURAKUMO_USI_LINES_H
#define MURAKUMO_USI_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct usi_lines {
    char *bytes; /* borrowed buffer */
    size_t capacity, used, taken;
    bool overflow; /* inside a line that is too long */
};

struct usi_line {
    const char *bytes; /* valid until the next usi_lines_push() */
    size_t length;
    bool too_long;
};

void usi_lines_init(struct usi_lines *lines, char *buffer, size_t capacity); /* capacity >= 2 */
/* Takes as many of the bytes as there is room for and returns that number; take the lines out, then push the rest. At
 * least one byte is taken once all complete lines have been taken out. */
size_t usi_lines_push(struct usi_lines *lines, const char *bytes, size_t count);
/* The next complete line; false when there is none. */
bool usi_lines_next(struct usi_lines *lines, struct usi_line *line);
/* At the end of the stream: what stands behind the last LF; false when there is nothing. */
bool usi_lines_last(struct usi_lines *lines, struct usi_line *line);

#endif
