/* output.c - see output.h. */
#include "coordinator/output.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool output_init(struct output *output, int fd)
{
    *output = (struct output){.fd = fd, .buffer = malloc(OUTPUT_BYTES_MAX)};
    return output->buffer != NULL;
}

void output_free(struct output *output)
{
    free(output->buffer);
    output->buffer = NULL;
}

bool output_is_empty(const struct output *output) { return output->start == output->used; }

static bool wait_for_room(const struct output *output, int timeout_ms)
{
    struct pollfd fd = {.fd = output->fd, .events = POLLOUT};
    return poll(&fd, 1, timeout_ms) > 0 && fd.revents != 0;
}

static void flush(struct output *output, int timeout_ms)
{
    while (!output->broken && !output_is_empty(output) && wait_for_room(output, timeout_ms)) {
        size_t part = output->used - output->start;
        if (part > PIPE_BUF) part = PIPE_BUF;
        ssize_t n = write(output->fd, output->buffer + output->start, part);
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (n < 0)
            output->broken = true;
        else
            output->start += (size_t)n;
    }
    if (output->broken || output_is_empty(output)) output->start = output->used = 0;
}

void output_flush(struct output *output) { flush(output, 0); }

void output_drain(struct output *output, int timeout_ms) { flush(output, timeout_ms); }

void output_line(struct output *output, const char *line, size_t length)
{
    if (output->broken) return;
    size_t waiting = output->used - output->start;
    bool info = length >= 5 && memcmp(line, "info ", 5) == 0;
    if ((info && waiting > OUTPUT_INFO_BYTES_MAX) || waiting + length + 1 > OUTPUT_BYTES_MAX) {
        output->dropped++;
        return;
    }
    if (output->used + length + 1 > OUTPUT_BYTES_MAX) {
        memmove(output->buffer, output->buffer + output->start, waiting);
        output->start = 0;
        output->used = waiting;
    }
    memcpy(output->buffer + output->used, line, length);
    output->buffer[output->used + length] = '\n';
    output->used += length + 1;
    output_flush(output);
}
