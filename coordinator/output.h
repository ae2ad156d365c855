/* output.h - lines on stdout for a reader who may be slow, without ever blocking the loop.
 *
 * Each line is written as soon as the descriptor takes it, whole and in order. While the reader sleeps lines are kept;
 * when there are too many of them, `info` lines are dropped (a later one says more), never anything else. A reader that
 * is gone sets `broken`.
 *
 * The descriptor is not made non-blocking: others (the user's shell) may share it. poll() promises room for PIPE_BUF
 * bytes instead, and no more is written at a time.
 */
#ifndef MURAKUMO_COORDINATOR_OUTPUT_H
#define MURAKUMO_COORDINATOR_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

enum { OUTPUT_BYTES_MAX = 4 << 20, OUTPUT_INFO_BYTES_MAX = 256 << 10 };

struct output {
    int fd;
    bool broken;
    size_t start, used, dropped; /* bytes waiting: buffer[start..used) */
    char *buffer;                /* OUTPUT_BYTES_MAX */
};

bool output_init(struct output *output, int fd); /* false: no memory */
void output_free(struct output *output);
void output_line(struct output *output, const char *line, size_t length);
void output_flush(struct output *output); /* as far as the reader takes it */
bool output_is_empty(const struct output *output);
/* At the end of the program: waits up to timeout_ms for the reader. */
void output_drain(struct output *output, int timeout_ms);

#endif
