/* usi_log.c - see usi_log.h. */
#include "coordinator/cli/usi_log.h"

#include "common/base/log.h"
#include "common/net/clock.h"

#include <errno.h>
#include <string.h>

void usi_log_open(FILE **log, const char *path, struct output *gui)
{
    if (*log) fclose(*log);
    *log = path[0] ? fopen(path, "ae") : NULL;
    if (path[0] && !*log) {
        char text[320];
        int length = snprintf(text, sizeof text, "info string DebugLogFile: %.200s: %s", path, strerror(errno));
        output_line(gui, text, (size_t)length);
    }
}

void usi_log_line(FILE *log, const char *arrow, const char *line, size_t length)
{
    if (!log) return;
    char time[40];
    log_time_write(clock_unix_ms(), time);
    fprintf(log, "%s %s %.*s\n", time, arrow, (int)length, line);
    fflush(log);
}
