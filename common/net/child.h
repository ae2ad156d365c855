/* child.h - a child process that cannot outlive us and cannot be confused with another.
 *
 * It gets a process group of its own (a terminal's Ctrl-C does not reach it; its own children can be ended with it),
 * the kernel kills it when the thread that started it dies, its signals are as after a login, and our own settings
 * (MURAKUMO_...) are not in its environment. Start children from the main thread only.
 */
#ifndef MURAKUMO_NET_CHILD_H
#define MURAKUMO_NET_CHILD_H

#include "common/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { CHILD_WHY_BYTES = 160 };

struct child_setup {
    int in_fd, out_fd, error_fd; /* its stdin, stdout and stderr: borrowed; -1 = /dev/null */
    const int *nice_level;       /* NULL: as ours */
};

/* Starts argv[0] (a path, or a name to look for in PATH) and returns when the program has really begun, or after half a
 * second when it is stopped before it can. ST_IO: why, and errno. */
MUST_USE enum status child_start(char *const *argv, const struct child_setup *setup, pid_t *pid,
                                 char why[CHILD_WHY_BYTES]);
/* If it has ended, reaps it, kills what is left of its group and writes "exit 1" or "signal 9". Never blocks. */
bool child_has_ended(pid_t pid, char how[CHILD_WHY_BYTES]);
void child_signal(pid_t pid, int signal_number); /* to the whole group */
/* Waits up to timeout_ms for its end, then kills it and waits for that. */
void child_end(pid_t pid, int timeout_ms, char how[CHILD_WHY_BYTES]);
/* The path of a program in the directory of our own: "murakumo-worker". False: unknown or too long. */
bool child_program_beside(const char *name, char *out, size_t capacity);

#endif
