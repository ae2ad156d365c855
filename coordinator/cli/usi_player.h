/* usi_player.h - one external USI engine as a child process: starting, writing, reading and ending it.
 *
 * All pipes are non-blocking and belong to the caller's poll loop: wait for `from_fd` (and for `to_fd` while out_used >
 * 0), then usi_player_flush() and usi_player_read(). Lines are kept until usi_player_next_line() takes them. The
 * process gets a process group of its own, so a terminal's Ctrl-C does not reach it and its own children are killed
 * with it; it is killed by the kernel when we die.
 *
 * Time: go_written_us is the moment at which the last byte of a `go` line was in the pipe, read_us the moment at which
 * the newest bytes came out of the other one. Both are monotonic (clock_now_us).
 * Memory: buffers have fixed sizes. A longer line is thrown away and counted; a reader that does not read gets no more.
 */
#ifndef MURAKUMO_CLI_USI_PLAYER_H
#define MURAKUMO_CLI_USI_PLAYER_H

#include "coordinator/core/usi_dialogue.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

enum { USI_PLAYER_IN_BYTES = 64 * 1024, USI_PLAYER_OUT_BYTES = 128 * 1024 };

struct usi_player {
    pid_t pid;          /* 0: no process */
    int to_fd, from_fd; /* -1 without a process */
    bool eof;           /* it has closed its output */
    bool stuck;         /* it reads nothing and our buffer is full */
    char exit_text[64]; /* how the last process ended: "exit code 1", "signal 6 (Aborted)" */

    bool go_queued;
    int64_t go_written_us, read_us;

    struct usi_dialogue dialogue;
    char tag[16];   /* for the log: "g3 A" */
    int nice_level; /* of the processes it starts */
    FILE *log;      /* borrowed; NULL: none */

    bool skipping; /* inside a line that is too long */
    size_t in_start, in_used, out_used;
    char in[USI_PLAYER_IN_BYTES], out[USI_PLAYER_OUT_BYTES];
};

void usi_player_init(struct usi_player *player, const char *tag, FILE *log);
/* Starts argv[0] (looked up in PATH) and queues `usi`. stderr_path: NULL = /dev/null, else appended to. False: errno
 * says why. */
bool usi_player_start(struct usi_player *player, char *const *argv, const char *stderr_path);
/* Ends the process at once and waits for it; fills exit_text. No-op without one. */
void usi_player_kill(struct usi_player *player);

/* Processor time that it and all its descendants have used so far, in ms; 0 without a process. Reads /proc once, so it
 * is for the time between games. */
int64_t usi_player_cpu_ms(const struct usi_player *player);

/* Queues one line; `line` has no line end. */
void usi_player_send(struct usi_player *player, const char *line);
/* The same for a `go` line, whose time is taken. Unread output is read first, so that an old answer cannot be taken
 * for the new one. */
void usi_player_send_go(struct usi_player *player, const char *line);
void usi_player_flush(struct usi_player *player);
/* Reads what is there; sets eof and read_us. */
void usi_player_read(struct usi_player *player);
/* Next whole line (valid until the next call) or false. Lines that are too long are told to the dialogue. */
bool usi_player_next_line(struct usi_player *player, const char **line, size_t *bytes);

#endif
