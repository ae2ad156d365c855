/* log.c - see log.h. The one place with state of its own in common/base: where lines go is a property of the process.
 */
#include "common/base/log.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static log_sink *sink_now; /* set before threads start, then only read */
static void *sink_context;
static enum log_level level_highest = LOG_WARN;
static int64_t (*clock_now)(void);

void log_set_sink(log_sink *sink, void *context)
{
    sink_now = sink;
    sink_context = context;
}

void log_set_level(enum log_level highest) { level_highest = highest; }
void log_set_clock(int64_t (*unix_ms)(void)) { clock_now = unix_ms; }
bool log_enabled(enum log_level level) { return level <= level_highest; }

static const char *const level_names[] = {"error", "warn", "info", "debug"};

bool log_level_from_name(const char *name, enum log_level *level)
{
    for (int i = LOG_ERROR; i <= LOG_DEBUG; i++)
        if (strcmp(name, level_names[i]) == 0) return *level = (enum log_level)i, true;
    return false;
}

/* Days since 1970-01-01 to year, month, day (proleptic Gregorian calendar, counted in 400-year cycles from March 1). */
static void date_from_days(int64_t days, int *year, int *month, int *day)
{
    int64_t shifted = days + 719468; /* days since 0000-03-01 */
    int64_t cycle = shifted / 146097;
    int64_t in_cycle = shifted % 146097;
    int64_t year_in_cycle = (in_cycle - in_cycle / 1460 + in_cycle / 36524 - in_cycle / 146096) / 365;
    int64_t in_year = in_cycle - (365 * year_in_cycle + year_in_cycle / 4 - year_in_cycle / 100);
    int64_t month_from_march = (5 * in_year + 2) / 153;
    *day = (int)(in_year - (153 * month_from_march + 2) / 5 + 1);
    *month = (int)(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9);
    *year = (int)(cycle * 400 + year_in_cycle + (*month <= 2));
}

void log_time_write(int64_t unix_ms, char out[40])
{
    if (unix_ms < 0) unix_ms = 0;
    int64_t seconds = unix_ms / 1000;
    int year, month, day, of_day = (int)(seconds % 86400);
    date_from_days(seconds / 86400, &year, &month, &day);
    if (year > 9999) year = 9999;
    snprintf(out, 40, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", year, month, day, of_day / 3600, of_day / 60 % 60,
             of_day % 60, (int)(unix_ms % 1000));
}

struct log_text log_quote(const char *bytes, size_t count)
{
    struct log_text out;
    size_t n = 0;
    for (; n < count && n + 1 < sizeof out.text; n++) {
        char c = bytes[n];
        out.text[n] = c >= ' ' && c < 127 && c != '"' && c != '\\' ? c : '?';
    }
    out.text[n] = 0;
    return out;
}

void log_line(enum log_level level, const char *format, ...)
{
    if (!log_enabled(level)) return;
    char line[LOG_LINE_BYTES_MAX + 1];
    size_t length = 0;
    if (clock_now) {
        log_time_write(clock_now(), line);
        length = strlen(line);
        line[length++] = ' ';
    }
    length += (size_t)snprintf(line + length, sizeof line - length, "%s ", level_names[level]);
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(line + length, sizeof line - length, format, arguments);
    va_end(arguments);
    if (n > 0) length = length + (size_t)n < LOG_LINE_BYTES_MAX ? length + (size_t)n : LOG_LINE_BYTES_MAX - 1;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)line[i] < ' ' || line[i] == 127) line[i] = '?';
    if (sink_now) {
        sink_now(sink_context, level, line, length);
        return;
    }
    line[length] = '\n';
    struct pollfd room = {.fd = STDERR_FILENO, .events = POLLOUT};
    if (poll(&room, 1, 0) <= 0) return;                       /* nobody reads: a log line is not worth a move */
    ssize_t ignored = write(STDERR_FILENO, line, length + 1); /* one call: lines of several processes do not mix */
    (void)ignored;
}
