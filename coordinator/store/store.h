/* store.h - what the farm must not forget, in one SQLite file.
 *
 *   jobs    an order: kind, settings, manifest; waiting -> running -> done | cancelled
 *   games   its frozen list: never added to; done = 1 in the transaction that wrote the game's rows
 *   tasks   answers of the cluster by name (task.h), shared by all jobs: one row per task, whoever did it how often
 *   rows    what came out of a game: one row per (job, game, ply, kind)
 *
 * Reading and the few writes of commands (new jobs, cancel, retry) happen at once, on the caller's thread. What the
 * running farm writes goes through store_put_*(): copied, numbered 1, 2, 3 ..., and written by a thread of its own that
 * puts all that waits into one transaction (group commit). store_fd() is readable when store_committed() has grown:
 * only then may anybody be told.
 *
 * Files: WAL beside the file. Several processes may open one store (status, submit, export); only one of them can hold
 * store_serve_lock(). Crash: SQLite's; after a power cut the last transaction may be missing, never half there.
 * Changing the tables: append a migration in migrations.c, never edit one; user_version counts them.
 * Errors: ST_IO with a line in store_error(); a failed writer keeps everything from being acknowledged.
 * Threads: all functions by one thread per store.
 */
#ifndef MURAKUMO_STORE_STORE_H
#define MURAKUMO_STORE_STORE_H

#include "common/base/text.h"

enum { STORE_WHY_BYTES = 512, STORE_NAME_BYTES = 80 };

struct store;

struct store_job {
    int64_t id, priority, games, created_unix_ms, finished_unix_ms;
    char kind[16], state[16], manifest[STORE_NAME_BYTES], engine[STORE_NAME_BYTES];
    char settings[4096]; /* "key=value" lines: all that results depend on */
};

struct store_game { /* texts: borrowed when written, owned by the store until its next call when read */
    int64_t seq;
    const char *file, *sha256, *source, *licence;
    int64_t index;
    const char *root, *moves; /* SFEN; USI */
    const char *black, *white, *event, *date, *opening, *end, *winner;
};

struct store_task {
    const char *name, *buried, *worker; /* buried: NULL, or why there is no answer */
    struct text task, answer;
    uint64_t boot, nodes;
};

struct store_row {
    int64_t seq, ply;
    const char *kind;
    struct text text;
};

struct store_counts {
    int64_t games, games_done, positions, positions_done, rows, tasks, buried;
};

/* NULL: why[] says it in one line. An empty path: a temporary store that is removed by store_close(). */
struct store *store_open(const char *path, char why[STORE_WHY_BYTES]);
/* Waits until all that was put is written. NULL is allowed. */
void store_close(struct store *store);
const char *store_error(const struct store *store); /* "" = none */

/* ---- jobs; at once ---- */
/* The newest job with the same kind, settings and manifest that was not cancelled; 0 = none. */
int64_t store_job_find(struct store *store, const char *kind, const char *settings, const char *manifest);
/* Opens a transaction; then store_game_add() for each game, then store_job_seal(). Not sealed = it never was. */
MUST_USE enum status store_job_add(struct store *store, const struct store_job *job, int64_t *id);
MUST_USE enum status store_game_add(struct store *store, int64_t job, const struct store_game *game);
MUST_USE enum status store_job_seal(struct store *store, int64_t job, const char *manifest, int64_t games);
void store_job_abandon(struct store *store);
/* ST_MISSING: no such job. */
MUST_USE enum status store_job_get(struct store *store, int64_t id, struct store_job *job);
MUST_USE enum status store_job_set(struct store *store, int64_t id, const char *state, int64_t now_unix_ms);
MUST_USE enum status store_job_set_engine(struct store *store, int64_t id, const char *engine);
/* For every job, oldest first. */
MUST_USE enum status store_jobs_each(struct store *store, void (*each)(void *context, const struct store_job *job),
                                     void *context);
/* Buried tasks are forgotten and all games of the job opened again; what is known is not done again. */
MUST_USE enum status store_job_retry(struct store *store, int64_t id, int64_t *buried);
MUST_USE enum status store_job_counts(struct store *store, int64_t id, struct store_counts *counts);

/* ---- games and results; at once ---- */
/* The first game after `after` that is not done. ST_MISSING: none. */
MUST_USE enum status store_game_next(struct store *store, int64_t job, int64_t after, struct store_game *game);
MUST_USE enum status store_games_each(struct store *store, int64_t job,
                                      void (*each)(void *context, const struct store_game *game), void *context);
/* By game, ply, kind. `kind` NULL = all. */
MUST_USE enum status store_rows_each(struct store *store, int64_t job, const char *kind,
                                     void (*each)(void *context, const struct store_row *row), void *context);
/* ST_MISSING: not known. Texts until the next call. */
MUST_USE enum status store_task_get(struct store *store, const char *name, struct store_task *task);
/* Another process has written (a job, a cancel) since the last call, or this is the first. */
bool store_changed(struct store *store);
/* What `farm status` shows of the running farm: a JSON object. */
MUST_USE enum status store_live_get(struct store *store, struct text_buffer *out);

/* ---- the running farm; numbered, written in order by a thread of its own ---- */
/* ST_FULL: another process serves this store. */
MUST_USE enum status store_serve_lock(struct store *store);
uint64_t store_put_task(struct store *store, const struct store_task *task);
/* All rows of a game and its being done, in one transaction. */
uint64_t store_put_game(struct store *store, int64_t job, int64_t seq, const struct store_row *rows, size_t count);
uint64_t store_put_live(struct store *store, struct text json);
uint64_t store_committed(struct store *store);
int store_fd(const struct store *store);
/* Forgets what a process that is not to be trusted has answered, and opens the games of running jobs again. */
MUST_USE enum status store_forget_boot(struct store *store, uint64_t boot);

#endif
