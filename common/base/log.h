/* log.h - one line per event: `level event_name key=value ...`, for operators and developers. Never on stdout.
 *
 *   log_info("worker_joined name=%s threads=%u", name, threads);
 *   -> 2026-01-02T03:04:05.678Z info worker_joined name=alpha threads=8
 *
 * info: what an operator acts on; debug: what a developer reads; things that happen often are counters, not lines.
 * Text from strangers goes through log_quote() first. Only shells log; pure code hands its lines out as effects.
 *
 * Threads: any thread may log; lines are written whole. Set sink, level and clock before the first thread starts.
 */
#ifndef MURAKUMO_BASE_LOG_H
#define MURAKUMO_BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };
enum { LOG_LINE_BYTES_MAX = 1024 };

/* line[0..length) without line end, cut to LOG_LINE_BYTES_MAX, control characters already replaced. */
typedef void log_sink(void *context, enum log_level level, const char *line, size_t length);

void log_set_sink(log_sink *sink, void *context); /* NULL: stderr */
void log_set_level(enum log_level highest);       /* default LOG_WARN */
/* Where the time at the start of a line comes from: ms since 1970. NULL (default): no time is written. */
void log_set_clock(int64_t (*unix_ms)(void));
bool log_level_from_name(const char *name, enum log_level *level); /* error warn info debug */
bool log_enabled(enum log_level level);

__attribute__((format(printf, 2, 3))) void log_line(enum log_level level, const char *format, ...);
#define log_error(...) log_line(LOG_ERROR, __VA_ARGS__)
#define log_warn(...)  log_line(LOG_WARN, __VA_ARGS__)
#define log_info(...)  log_line(LOG_INFO, __VA_ARGS__)
#define log_debug(...) log_line(LOG_DEBUG, __VA_ARGS__)

/* Foreign text made fit for a log: printable ASCII, no quotes, at most 120 bytes. */
struct log_text {
    char text[121];
};
struct log_text log_quote(const char *bytes, size_t count);
/* "2026-01-02T03:04:05.678Z", 24 characters and a 0; years 1970..9999. */
void log_time_write(int64_t unix_ms, char out[40]);

#endif
