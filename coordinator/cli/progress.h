/* progress.h - one progress line on stderr for work that takes longer than two seconds: bar, count, rate, ETA.
 *
 * Drawn only when stderr is a terminal and at most ten times a second; the line is wiped by progress_end(), so results
 * on stdout and progress never mix. The caller gives the time (monotonic ms), so nothing here reads a clock.
 */
#ifndef MURAKUMO_CLI_PROGRESS_H
#define MURAKUMO_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    const char *what; /* "positions", "games", ... */
    int64_t start_ms, drawn_ms;
    uint64_t total;
    bool terminal, drawn;
};

void progress_begin(struct progress *progress, const char *what, uint64_t total, int64_t now_ms);
/* `note`: a few words behind the numbers, or NULL. */
void progress_update(struct progress *progress, uint64_t done, const char *note, int64_t now_ms);
void progress_end(struct progress *progress);
/* "1:05:09", "3:42", "7 s" into out[16]; returns out. */
const char *progress_duration(int64_t ms, char out[16]);

#endif
