/* replay.h - does again what a coordinator's flight recorder (coordinator/core/recording.h) has written down. */
#ifndef MURAKUMO_SIM_REPLAY_H
#define MURAKUMO_SIM_REPLAY_H

#include <stdbool.h>

/* Prints the first event whose answers differ from the recorded ones and what led there, or one line of summary; with
 * `trace` every line. Returns the exit code: 0 the same answers, 1 different ones, 2 the file is no good. */
int replay_file(const char *path, bool trace);

#endif
