/* driver.h - plays the GUI, the administrator and the bad luck of end-to-end tests: real processes, real pipes.
 *
 * Every wait has a deadline and polls; a wait that fails ends the test with the conversation so far. Times are
 * generous, because the machine may be busy: what is tested is what happens, not how fast.
 */
#ifndef MURAKUMO_E2E_DRIVER_H
#define MURAKUMO_E2E_DRIVER_H

#include "tests/unit/sanitized.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* For an answer, and for a program that has something to work out. */
enum { WAIT_MS = 30000 * SANITIZED_PATIENCE, WORK_MS = 120000 * SANITIZED_PATIENCE };
enum { PIDS_MAX = 64, PATH_BYTES = 512 };

struct process {
    pid_t pid; /* 0: has ended and was reaped */
    int to, from, errors;
    bool from_eof, errors_eof;
    int exit_code; /* -signal if killed */

    char *out, *err; /* everything it said, 0-terminated */
    size_t out_used, err_used, out_size, err_size;
    size_t out_read, err_read; /* up to here lines were looked at */
    char *sent;                /* what we said, for the report of a failure */
    size_t sent_used, sent_size;
};

int64_t now_ms(void);
int64_t now_us(void);
/* A directory of its own for this test program, removed at exit; short. */
const char *scratch(void);
/* Writes a file there; its path, good until the next call. */
const char *scratch_file(const char *name, const char *text);
/* The path of one of our programs, from $BUILD. */
const char *program(const char *name);

/* argv[0] is a path; ends with NULL. Its stdin, stdout, stderr are ours. */
struct process *process_start(char *const *argv);
/* murakumo with these words (NULL at the end) and a small table, one thread. */
struct process *engine_start(const char *first, ...);
/* murakumo with these words and nothing else. */
struct process *command_start(const char *first, ...);
struct process *worker_start(const char *endpoint, const char *first, ...);
/* The same after `usi` and `isready`. */
struct process *engine_ready(const char *first, ...);

void say(struct process *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void close_input(struct process *p);
/* The next line of stdout that begins with `prefix`; lines before it are passed over. The test fails after timeout_ms.
 */
const char *await(struct process *p, const char *prefix, int timeout_ms);
/* The same without failing: NULL when it has not come within timeout_ms, or never will. */
const char *peek(struct process *p, const char *prefix, int timeout_ms);
const char *await_error(struct process *p, const char *part,
                        int timeout_ms); /* a line of stderr that contains `part` */
/* No line that begins with `prefix` comes for so long. Other lines stay unread. */
void await_silence(struct process *p, const char *prefix, int ms);
/* Waits until condition(context) holds. */
void await_that(bool (*condition)(void *context), void *context, int timeout_ms, const char *what);

/* Has it ended (reaped or not)? Never waits, unlike a look into /proc while the process is being started. */
bool has_ended(const struct process *p);
/* Waits for its end and returns the exit code, or -signal. */
int await_end(struct process *p, int timeout_ms);
/* `quit`, then its end with code 0. Frees it. */
void engine_quit(struct process *p);
/* Ends it somehow and frees it. */
void process_drop(struct process *p);

/* Lines that begin with `prefix` in everything said so far. */
unsigned count_lines(const struct process *p, const char *prefix);

/* Long runs: forgets everything said so far. */
void forget(struct process *p);
/* Measures of punctuality mean nothing while others have the processors: gives the thread (0 = ours) real-time
 * priority, not inherited by its children. False: not permitted; be generous then. */
bool make_punctual(pid_t pid);
/* How far behind the end of its clock an answer may come: what is promised, or, where neither the machine nor a
 * sanitizer lets anybody be punctual, what shows that it does come by the clock. */
enum { LATE_MS = 50 };
int late_ms(bool punctual);

/* Running (not zombie) children of a process. */
size_t children_of(pid_t pid, pid_t pids[PIDS_MAX]);
bool is_running(pid_t pid);
size_t zombies_of(pid_t pid);
/* The only local worker of an engine; waits until there is one that is not `not_this`. */
pid_t worker_of(const struct process *engine, pid_t not_this);

/* `murakumo keygen`: the coordinator's key, unless it is there, and a worker's. */
void keys_make(const char *directory, const char *name);
const char *key_path(const char *directory, const char *name);

/* ---- shogi ---- */

/* Is the move legal after `position` (the words behind that command)? "resign" and "win" are not. */
bool is_legal(const char *position, const char *move);
/* Says `position` and `go`, waits for bestmove, checks that there is exactly one and that it is legal (or resign, win),
 * that every pv is legal from its first move on, and that the last pv begins with the move. Returns the move. */
const char *play(struct process *p, const char *position, const char *go);
/* The checks alone, for everything that was said since byte `from` of p->out. */
void check_search_output(const struct process *p, size_t from, const char *position);

#endif
