/* usi_log.h - option DebugLogFile: all lines between GUI and engine, with the time, in a file. */
#ifndef MURAKUMO_CLI_USI_LOG_H
#define MURAKUMO_CLI_USI_LOG_H

#include "coordinator/output.h"

#include <stdio.h>

/* Opens the file (path "" = none) instead of *log, which may be NULL; a failure is told to the GUI. */
void usi_log_open(FILE **log, const char *path, struct output *gui);
/* arrow: ">" from the GUI, "<" to it. log NULL: nothing. */
void usi_log_line(FILE *log, const char *arrow, const char *line, size_t length);

#endif
