/* lines.c - cuts a stream of bytes into lines, in bounded memory. */
#include "coordinator/usi/lines.h"

#include <string.h>

void usi_lines_init(struct usi_lines *lines, char *buffer, size_t capacity)
{
    *lines = (struct usi_lines){.bytes = buffer, .capacity = capacity};
}

size_t usi_lines_push(struct usi_lines *lines, const char *bytes, size_t count)
{
    if (lines->taken) {
        memmove(lines->bytes, lines->bytes + lines->taken, lines->used - lines->taken);
        lines->used -= lines->taken;
        lines->taken = 0;
    }
    size_t done = 0;
    while (done < count) {
        if (lines->overflow) { /* the buffer keeps the line's beginning; only its end is of interest now */
            const char *end = memchr(bytes + done, '\n', count - done);
            if (!end) return count;
            done = (size_t)(end - bytes);
            lines->bytes[lines->used++] = '\n'; /* one byte was kept free for it */
            done++;
            return done; /* the caller takes the line out before anything else comes in */
        }
        size_t room = lines->capacity - lines->used, part = count - done < room ? count - done : room;
        memcpy(lines->bytes + lines->used, bytes + done, part);
        lines->used += part;
        done += part;
        if (lines->used < lines->capacity) break;
        if (memchr(lines->bytes, '\n', lines->used)) break; /* complete lines must be taken out first */
        lines->overflow = true;
        lines->used--; /* room for the LF that will end it */
        done--;
    }
    return done;
}

static bool line_give(struct usi_lines *lines, size_t length, size_t taken, struct usi_line *line)
{
    const char *start = lines->bytes + lines->taken;
    line->too_long = lines->overflow;
    line->bytes = start;
    line->length = length && start[length - 1] == '\r' ? length - 1 : length;
    lines->taken += taken;
    lines->overflow = false;
    return true;
}

bool usi_lines_next(struct usi_lines *lines, struct usi_line *line)
{
    const char *start = lines->bytes + lines->taken;
    const char *end = memchr(start, '\n', lines->used - lines->taken);
    if (!end) return false;
    size_t length = (size_t)(end - start);
    return line_give(lines, length, length + 1, line);
}

bool usi_lines_last(struct usi_lines *lines, struct usi_line *line)
{
    size_t left = lines->used - lines->taken;
    return left && line_give(lines, left, left, line);
}
