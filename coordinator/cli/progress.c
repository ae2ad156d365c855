#include "coordinator/cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BAR_CELLS = 30, QUIET_MS = 2000, INTERVAL_MS = 100 };

void progress_begin(struct progress *progress, const char *what, uint64_t total, int64_t now_ms)
{
    *progress = (struct progress){.what = what, .start_ms = now_ms, .drawn_ms = now_ms, .total = total};
    progress->terminal = isatty(STDERR_FILENO) == 1;
}

const char *progress_duration(int64_t ms, char out[16])
{
    int64_t s = (ms + 500) / 1000;
    if (s < 0) s = 0;
    if (s > 359999) s = 359999; /* 99:59:59 */
    if (s < 60)
        snprintf(out, 16, "%d s", (int)s);
    else if (s < 3600)
        snprintf(out, 16, "%d:%02d", (int)(s / 60), (int)(s % 60));
    else
        snprintf(out, 16, "%d:%02d:%02d", (int)(s / 3600), (int)(s / 60 % 60), (int)(s % 60));
    return out;
}

void progress_update(struct progress *progress, uint64_t done, const char *note, int64_t now_ms)
{
    int64_t elapsed_ms = now_ms - progress->start_ms;
    if (!progress->terminal || elapsed_ms < QUIET_MS) return;
    if (progress->drawn && now_ms - progress->drawn_ms < INTERVAL_MS) return;
    progress->drawn = true;
    progress->drawn_ms = now_ms;

    char bar[BAR_CELLS + 1], eta[16];
    uint64_t total = progress->total > 0 ? progress->total : 1;
    if (done > total) done = total;
    size_t filled = (size_t)(done * BAR_CELLS / total);
    memset(bar, '#', filled);
    memset(bar + filled, '.', BAR_CELLS - filled);
    bar[BAR_CELLS] = 0;
    int64_t left_ms = done > 0 ? (int64_t)((double)elapsed_ms * (double)(total - done) / (double)done) : 0;
    fprintf(stderr, "\r[%s] %" PRIu64 "/%" PRIu64 " %s  %.1f/s  ETA %s%s%s\033[K", bar, done, progress->total,
            progress->what, (double)done * 1000.0 / (double)elapsed_ms,
            done > 0 ? progress_duration(left_ms, eta) : "?", note ? "  " : "", note ? note : "");
    fflush(stderr);
}

void progress_end(struct progress *progress)
{
    if (progress->drawn) fputs("\r\033[K", stderr);
    progress->drawn = false;
}
