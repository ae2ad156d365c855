/* run.h - the coordinator's shell: a cluster inside this process, for every command that needs one.
 *
 *   run = run_new(&options, why);
 *   while (run_turn(run, watches, count, timeout_ms)) { read what is ready; run_line(...), run_*_submit(...); }
 *   exit_code = run_free(run);
 *
 * run_turn() waits for the link, signals, the core's deadline and the caller's own descriptors, and carries one round
 * of events through the core. It owns the local workers: child processes that are started, watched, restarted and ended
 * with us; they talk to us over sockets in a directory that only this user can enter. The door for `cluster status`
 * (and, in a daemon, for front ends) is there too.
 *
 * Hooks are called while effects are carried out: note what you need and call run_*() functions later.
 * SIGINT and SIGTERM ask the core to end; it answers an open `go` first; a third one ends
 * at once. One run per process; all calls from the main
 * thread.
 */
#ifndef MURAKUMO_COORDINATOR_RUN_H
#define MURAKUMO_COORDINATOR_RUN_H

#include "common/net/link_zmq.h"
#include "coordinator/core/coord.h"

struct run_hooks { /* NULL members are skipped */
    void *context;
    void (*say)(void *context, const char *line, size_t length); /* a USI line for the GUI, without its end */
    void (*debug_file)(void *context, const char *path);         /* option DebugLogFile; "" = off */
    void (*scan_result)(void *context, const struct scan_result *result);
    void (*scan_done)(void *context, uint32_t id, uint32_t positions);
    void (*tsume_done)(void *context, const struct tsume_outcome *outcome);
};

struct run_options {
    const char *name;           /* program name and version, for `id name`; borrowed for the life of the run */
    const char *kind;           /* the command, for `cluster status`: "usi", "serve", "scan", ...; borrowed too. NULL:
                                   it is not told of (no door) */
    bool serves;                /* a daemon: front ends attach at its door (door.h) */
    const char *listen;         /* addresses for remote workers, one per line; NULL or "": none */
    const char *keys_directory; /* made by `murakumo keygen`; needed off loopback; NULL or "": none */
    unsigned local_workers;     /* 0..COORD_LOCAL_MAX */
    uint32_t threads, hash_mb;  /* of each local worker; 0 = what the machine offers, divided by local_workers */
    bool uniform;               /* remote workers too get `threads` and `hash_mb` */
    const char *worker_log;     /* log level of the local workers; NULL: "warn" */
    const char *record_path;    /* flight recorder; NULL or "": none */
    struct run_hooks hooks;
};

struct run;

/* NULL: why[] holds one line for people and *exit_code what the program should end with. */
struct run *run_new(const struct run_options *options, char why[KEY_TEXT_MAX], int *exit_code);
/* Ends the local workers and returns the exit code of the core. NULL is allowed. */
int run_free(struct run *run);

/* False: the core has said QUIT (or run_end() was called); nothing more will happen. */
bool run_turn(struct run *run, struct link_watch *watches, size_t count, int64_t timeout_ms);
void run_end(struct run *run, int exit_code);

void run_line(struct run *run, const char *bytes, size_t length, bool too_long); /* from the GUI */
void run_eof(struct run *run);
void run_shutdown(struct run *run); /* as SIGTERM */
enum status run_scan_submit(struct run *run, const struct scan_order *order);
enum status run_trust(struct run *run, uint64_t boot, bool trusted); /* event.h, COORD_EV_TRUST */
enum status run_scan_cancel(struct run *run, uint32_t id);
enum status run_tsume_submit(struct run *run, const struct tsume_order *order);

/* Signals that asked us to end so far. */
unsigned run_interrupts(const struct run *run);
const char *run_bound(const struct run *run, size_t index); /* real address of the index-th line of `listen`; "" */
const struct coord *run_coord(const struct run *run);       /* for snapshots */

#endif
