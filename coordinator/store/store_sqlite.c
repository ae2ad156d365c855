/* store_sqlite.c - reading, and the writes that happen at once. The writer's thread is in store_writer.c. */
#include "coordinator/store/migrations.h"
#include "coordinator/store/store.h"
#include "coordinator/store/store_writer.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUSY_MS = 20000 };

struct store {
    sqlite3 *db;
    sqlite3_stmt *reading; /* the last one whose texts may still be looked at */
    struct store_writer *writer;
    char path[1024], error[STORE_WHY_BYTES];
    int lock_fd;
    bool temporary; /* goes with the process */
    int64_t data_version;
};

const char *store_error(const struct store *store)
{
    const char *writer = store_writer_error(store->writer);
    return *writer ? writer : store->error;
}

static enum status fail(struct store *store)
{
    snprintf(store->error, sizeof store->error, "%.240s: %.240s", store->path, sqlite3_errmsg(store->db));
    return ST_IO;
}

static enum status execute(struct store *store, const char *sql)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ? ST_OK : fail(store);
}

/* One letter per argument: i int64_t, s string (NULL allowed), t struct text *. NULL: it failed. */
static sqlite3_stmt *prepare(struct store *store, const char *sql, const char *types, ...)
{
    sqlite3_stmt *stmt = NULL;
    sqlite3_finalize(store->reading);
    store->reading = NULL;
    if (sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL) != SQLITE_OK) {
        (void)fail(store);
        return NULL;
    }
    va_list arguments;
    va_start(arguments, types);
    for (int i = 1; types[i - 1]; i++) {
        if (types[i - 1] == 'i') {
            sqlite3_bind_int64(stmt, i, va_arg(arguments, int64_t));
        } else if (types[i - 1] == 's') {
            sqlite3_bind_text(stmt, i, va_arg(arguments, const char *), -1, SQLITE_STATIC);
        } else {
            const struct text *text = va_arg(arguments, const struct text *);
            sqlite3_bind_text(stmt, i, text->at, (int)text_length(*text), SQLITE_STATIC);
        }
    }
    va_end(arguments);
    return stmt;
}

static enum status finish(struct store *store, sqlite3_stmt *stmt)
{
    if (!stmt) return ST_IO;
    int rc = sqlite3_step(stmt);
    enum status st = rc == SQLITE_DONE || rc == SQLITE_ROW ? ST_OK : fail(store);
    sqlite3_finalize(stmt);
    return st;
}

/* ST_OK: there is a row, and its texts stay until the next call. */
static enum status read_one(struct store *store, sqlite3_stmt *stmt)
{
    if (!stmt) return ST_IO;
    store->reading = stmt;
    int rc = sqlite3_step(stmt);
    return rc == SQLITE_ROW ? ST_OK : rc == SQLITE_DONE ? ST_MISSING : fail(store);
}

static const char *column(sqlite3_stmt *stmt, int i)
{
    const unsigned char *text = sqlite3_column_text(stmt, i);
    return text ? (const char *)text : "";
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static enum status migrate(struct store *store)
{
    enum status st = execute(store, "BEGIN IMMEDIATE");
    if (st != ST_OK) return st;
    st = read_one(store, prepare(store, "PRAGMA user_version", ""));
    int version = st == ST_OK ? sqlite3_column_int(store->reading, 0) : 0;
    sqlite3_finalize(store->reading);
    store->reading = NULL;
    if (version > store_migration_count) {
        snprintf(store->error, sizeof store->error,
                 "%.240s: found version %d of the tables, expected at most %d: a newer murakumo made it", store->path,
                 version, store_migration_count);
        st = ST_VERSION;
    }
    for (int n = version; st == ST_OK && n < store_migration_count; n++) {
        char pragma[48];
        snprintf(pragma, sizeof pragma, "PRAGMA user_version = %d", n + 1);
        st = execute(store, store_migrations[n]);
        if (st == ST_OK) st = execute(store, pragma);
    }
    if (st == ST_OK) return execute(store, "COMMIT");
    sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return st;
}

static bool temporary_path(char *path, size_t capacity)
{
    const char *directory = getenv("TMPDIR");
    snprintf(path, capacity, "%s/murakumo-XXXXXX", directory && *directory ? directory : "/tmp");
    int fd = mkstemp(path);
    if (fd >= 0) close(fd);
    return fd >= 0;
}

static void temporary_remove(const char *path)
{
    static const char *const endings[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char name[1100];
        snprintf(name, sizeof name, "%s%s", path, endings[i]);
        unlink(name);
    }
}

/* Two processes that make the same store at once: SQLite answers the change of mode with "locked" at once, whatever its
 * time-out is, lest both wait for each other. */
static enum status write_ahead(struct store *store)
{
    enum { PAUSE_MS = 10 };
    enum status st;
    int waited_ms = 0;
    while ((st = execute(store, "PRAGMA journal_mode = WAL")) != ST_OK && sqlite3_errcode(store->db) == SQLITE_BUSY &&
           waited_ms < BUSY_MS)
        waited_ms += sqlite3_sleep(PAUSE_MS);
    if (st == ST_OK) store->error[0] = '\0';
    return st;
}

struct store *store_open(const char *path, char why[STORE_WHY_BYTES])
{
    struct store *store = calloc(1, sizeof *store);
    snprintf(why, STORE_WHY_BYTES, "not enough memory");
    if (!store) return NULL;
    store->lock_fd = -1;
    store->temporary = !*path;
    if (store->temporary && !temporary_path(store->path, sizeof store->path)) {
        snprintf(why, STORE_WHY_BYTES, "no temporary file can be made for the store");
        store_close(store);
        return NULL;
    }
    if (!store->temporary) snprintf(store->path, sizeof store->path, "%s", path);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    bool opened = sqlite3_open_v2(store->path, &store->db, flags, NULL) == SQLITE_OK;
    if (opened) {
        sqlite3_busy_timeout(store->db, BUSY_MS);
        opened = write_ahead(store) == ST_OK && migrate(store) == ST_OK;
    } else {
        (void)fail(store);
    }
    if (opened) {
        store->writer = store_writer_new(store->path, flags, why);
        if (store->writer) return store;
        snprintf(store->error, sizeof store->error, "%s", why);
    }
    snprintf(why, STORE_WHY_BYTES, "%s", store->error);
    store_close(store);
    return NULL;
}

void store_close(struct store *store)
{
    if (!store) return;
    store_writer_free(store->writer);
    sqlite3_finalize(store->reading);
    sqlite3_close(store->db);
    if (store->lock_fd >= 0) close(store->lock_fd);
    if (store->temporary && store->path[0]) temporary_remove(store->path);
    free(store);
}

enum status store_serve_lock(struct store *store)
{
    if (store->lock_fd >= 0 || store->temporary) return ST_OK;
    char path[sizeof store->path + 8];
    snprintf(path, sizeof path, "%s.lock", store->path);
    store->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (store->lock_fd >= 0 && fcntl(store->lock_fd, F_SETLK, &lock) == 0) return ST_OK;
    snprintf(store->error, sizeof store->error, "%.240s: another murakumo is at work on this store", store->path);
    if (store->lock_fd >= 0) close(store->lock_fd);
    store->lock_fd = -1;
    return ST_FULL;
}

/* ---- jobs ------------------------------------------------------------------------------------------------------- */

#define JOB_COLUMNS "id, priority, games, created_unix_ms, finished_unix_ms, kind, state, manifest, engine, settings"

static void job_fill(sqlite3_stmt *stmt, struct store_job *job)
{
    memset(job, 0, sizeof *job);
    job->id = sqlite3_column_int64(stmt, 0);
    job->priority = sqlite3_column_int64(stmt, 1);
    job->games = sqlite3_column_int64(stmt, 2);
    job->created_unix_ms = sqlite3_column_int64(stmt, 3);
    job->finished_unix_ms = sqlite3_column_int64(stmt, 4);
    snprintf(job->kind, sizeof job->kind, "%s", column(stmt, 5));
    snprintf(job->state, sizeof job->state, "%s", column(stmt, 6));
    snprintf(job->manifest, sizeof job->manifest, "%s", column(stmt, 7));
    snprintf(job->engine, sizeof job->engine, "%s", column(stmt, 8));
    snprintf(job->settings, sizeof job->settings, "%s", column(stmt, 9));
}

int64_t store_job_find(struct store *store, const char *kind, const char *settings, const char *manifest)
{
    sqlite3_stmt *stmt = prepare(store,
                                 "SELECT id FROM jobs WHERE kind = ? AND settings = ? AND manifest = ?"
                                 " AND state <> 'cancelled' ORDER BY id DESC LIMIT 1",
                                 "sss", kind, settings, manifest);
    return read_one(store, stmt) == ST_OK ? sqlite3_column_int64(stmt, 0) : 0;
}

enum status store_job_add(struct store *store, const struct store_job *job, int64_t *id)
{
    enum status st = execute(store, "BEGIN IMMEDIATE");
    if (st != ST_OK) return st;
    st = finish(store, prepare(store,
                               "INSERT INTO jobs (kind, state, priority, settings, manifest, games, created_unix_ms)"
                               " VALUES (?, 'waiting', ?, ?, '', 0, ?)",
                               "sisi", job->kind, job->priority, job->settings, job->created_unix_ms));
    *id = sqlite3_last_insert_rowid(store->db);
    if (st != ST_OK) store_job_abandon(store);
    return st;
}

enum status store_game_add(struct store *store, int64_t job, const struct store_game *g)
{
    return finish(store,
                  prepare(store, "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
                          "iississsssssssss", job, g->seq, g->file, g->sha256, g->index, g->source, g->licence, g->root,
                          g->moves, g->black, g->white, g->event, g->date, g->opening, g->end, g->winner));
}

enum status store_job_seal(struct store *store, int64_t job, const char *manifest, int64_t games)
{
    enum status st = finish(
        store, prepare(store, "UPDATE jobs SET manifest = ?, games = ? WHERE id = ?", "sii", manifest, games, job));
    return st == ST_OK ? execute(store, "COMMIT") : st;
}

void store_job_abandon(struct store *store) { sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL); }

enum status store_job_get(struct store *store, int64_t id, struct store_job *job)
{
    sqlite3_stmt *stmt = prepare(store, "SELECT " JOB_COLUMNS " FROM jobs WHERE id = ?", "i", id);
    enum status st = read_one(store, stmt);
    if (st == ST_OK) job_fill(stmt, job);
    return st;
}

enum status store_job_set(struct store *store, int64_t id, const char *state, int64_t now_unix_ms)
{
    bool over = !strcmp(state, "done") || !strcmp(state, "cancelled");
    return finish(store, prepare(store, "UPDATE jobs SET state = ?, finished_unix_ms = ? WHERE id = ?", "sii", state,
                                 over ? now_unix_ms : (int64_t)0, id));
}

enum status store_job_set_engine(struct store *store, int64_t id, const char *engine)
{
    return finish(store, prepare(store, "UPDATE jobs SET engine = ? WHERE id = ?", "si", engine, id));
}

/* After the last row, or what came instead of it. */
static enum status rows_end(struct store *store, sqlite3_stmt *stmt, int rc)
{
    enum status st = rc == SQLITE_DONE ? ST_OK : fail(store);
    sqlite3_finalize(stmt);
    return st;
}

enum status store_jobs_each(struct store *store, void (*each)(void *context, const struct store_job *job),
                            void *context)
{
    sqlite3_stmt *stmt = prepare(store, "SELECT " JOB_COLUMNS " FROM jobs ORDER BY id", "");
    if (!stmt) return ST_IO;
    int rc;
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        struct store_job job;
        job_fill(stmt, &job);
        each(context, &job);
    }
    return rows_end(store, stmt, rc);
}

enum status store_job_retry(struct store *store, int64_t id, int64_t *buried)
{
    enum status st = execute(store, "BEGIN IMMEDIATE");
    if (st != ST_OK) return st;
    st = execute(store, "DELETE FROM tasks WHERE buried IS NOT NULL");
    *buried = sqlite3_changes(store->db);
    if (st == ST_OK) st = finish(store, prepare(store, "DELETE FROM rows WHERE job = ?", "i", id));
    if (st == ST_OK) st = finish(store, prepare(store, "UPDATE games SET done = 0 WHERE job = ?", "i", id));
    if (st == ST_OK)
        st = finish(store,
                    prepare(store, "UPDATE jobs SET state = 'waiting', engine = '', finished_unix_ms = 0 WHERE id = ?",
                            "i", id));
    if (st == ST_OK) return execute(store, "COMMIT");
    sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return st;
}

static int64_t count(struct store *store, const char *sql, int64_t id)
{
    sqlite3_stmt *stmt = prepare(store, sql, "i", id);
    return read_one(store, stmt) == ST_OK ? sqlite3_column_int64(stmt, 0) : -1;
}

enum status store_job_counts(struct store *store, int64_t id, struct store_counts *counts)
{
    counts->games = count(store, "SELECT count(*) FROM games WHERE job = ?", id);
    counts->games_done = count(store, "SELECT count(*) FROM games WHERE job = ? AND done = 1", id);
    /* A game has one position more than moves; moves are parted by single blanks. */
#define POSITIONS                                                                                                      \
    "SELECT ifnull(sum(length(moves) - length(replace(moves, ' ', '')) + 1 + (moves <> '')), 0) FROM games"
    counts->positions = count(store, POSITIONS " WHERE job = ?", id);
    counts->positions_done = count(store, POSITIONS " WHERE job = ? AND done = 1", id);
#undef POSITIONS
    counts->rows = count(store, "SELECT count(*) FROM rows WHERE job = ?", id);
    counts->tasks = count(store, "SELECT count(*) FROM tasks WHERE ?1 = ?1", id);
    counts->buried = count(store, "SELECT count(*) FROM tasks WHERE buried IS NOT NULL AND ?1 = ?1", id);
    return counts->games < 0 || counts->buried < 0 ? ST_IO : ST_OK;
}

/* ---- games and results ------------------------------------------------------------------------------------------ */

#define GAME_COLUMNS                                                                                                   \
    "seq, file, sha256, idx, source, licence, root, moves, black, white, event, date, opening, ending, winner"

static void game_fill(sqlite3_stmt *stmt, struct store_game *g)
{
    *g = (struct store_game){.seq = sqlite3_column_int64(stmt, 0),
                             .file = column(stmt, 1),
                             .sha256 = column(stmt, 2),
                             .index = sqlite3_column_int64(stmt, 3),
                             .source = column(stmt, 4),
                             .licence = column(stmt, 5),
                             .root = column(stmt, 6),
                             .moves = column(stmt, 7),
                             .black = column(stmt, 8),
                             .white = column(stmt, 9),
                             .event = column(stmt, 10),
                             .date = column(stmt, 11),
                             .opening = column(stmt, 12),
                             .end = column(stmt, 13),
                             .winner = column(stmt, 14)};
}

enum status store_game_next(struct store *store, int64_t job, int64_t after, struct store_game *game)
{
    sqlite3_stmt *stmt = prepare(store,
                                 "SELECT " GAME_COLUMNS " FROM games WHERE job = ? AND seq > ? AND done = 0"
                                 " ORDER BY seq LIMIT 1",
                                 "ii", job, after);
    enum status st = read_one(store, stmt);
    if (st == ST_OK) game_fill(stmt, game);
    return st;
}

enum status store_games_each(struct store *store, int64_t job,
                             void (*each)(void *context, const struct store_game *game), void *context)
{
    sqlite3_stmt *stmt = prepare(store, "SELECT " GAME_COLUMNS " FROM games WHERE job = ? ORDER BY seq", "i", job);
    if (!stmt) return ST_IO;
    int rc;
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        struct store_game game;
        game_fill(stmt, &game);
        each(context, &game);
    }
    return rows_end(store, stmt, rc);
}

enum status store_rows_each(struct store *store, int64_t job, const char *kind,
                            void (*each)(void *context, const struct store_row *row), void *context)
{
    sqlite3_stmt *stmt = prepare(store,
                                 "SELECT seq, ply, kind, text FROM rows WHERE job = ?1 AND (?2 IS NULL OR kind = ?2)"
                                 " ORDER BY seq, ply, kind",
                                 "is", job, kind);
    if (!stmt) return ST_IO;
    int rc;
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        struct store_row row = {.seq = sqlite3_column_int64(stmt, 0),
                                .ply = sqlite3_column_int64(stmt, 1),
                                .kind = column(stmt, 2),
                                .text = text_from(column(stmt, 3))};
        each(context, &row);
    }
    return rows_end(store, stmt, rc);
}

enum status store_task_get(struct store *store, const char *name, struct store_task *task)
{
    sqlite3_stmt *stmt =
        prepare(store, "SELECT name, task, answer, buried, worker, boot, nodes FROM tasks WHERE name = ?", "s", name);
    enum status st = read_one(store, stmt);
    if (st != ST_OK) return st;
    *task = (struct store_task){.name = column(stmt, 0),
                                .task = text_from(column(stmt, 1)),
                                .answer = text_from(column(stmt, 2)),
                                .buried = sqlite3_column_type(stmt, 3) == SQLITE_NULL ? NULL : column(stmt, 3),
                                .worker = column(stmt, 4),
                                .boot = (uint64_t)sqlite3_column_int64(stmt, 5),
                                .nodes = (uint64_t)sqlite3_column_int64(stmt, 6)};
    return ST_OK;
}

bool store_changed(struct store *store)
{
    sqlite3_stmt *stmt = prepare(store, "PRAGMA data_version", "");
    int64_t version = read_one(store, stmt) == ST_OK ? sqlite3_column_int64(stmt, 0) : 0;
    bool changed = version != store->data_version;
    store->data_version = version;
    return changed;
}

enum status store_live_get(struct store *store, struct text_buffer *out)
{
    sqlite3_stmt *stmt = prepare(store, "SELECT text FROM live", "");
    enum status st = read_one(store, stmt);
    if (st == ST_OK) text_buffer_put_string(out, column(stmt, 0));
    return st;
}

enum status store_forget_boot(struct store *store, uint64_t boot)
{
    enum status st = execute(store, "BEGIN IMMEDIATE");
    if (st != ST_OK) return st;
    st = finish(store, prepare(store, "DELETE FROM tasks WHERE boot = ?", "i", (int64_t)boot));
    if (st == ST_OK && sqlite3_changes(store->db) > 0) {
        st = execute(store, "DELETE FROM rows WHERE job IN (SELECT id FROM jobs WHERE state = 'running')");
        if (st == ST_OK)
            st = execute(store, "UPDATE games SET done = 0 WHERE job IN (SELECT id FROM jobs WHERE state = 'running')");
    }
    if (st == ST_OK) return execute(store, "COMMIT");
    sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return st;
}

/* ---- the writer ------------------------------------------------------------------------------------------------- */

uint64_t store_put_task(struct store *store, const struct store_task *task)
{
    return store_writer_put_task(store->writer, task);
}
uint64_t store_put_game(struct store *store, int64_t job, int64_t seq, const struct store_row *rows, size_t count_rows)
{
    return store_writer_put_game(store->writer, job, seq, rows, count_rows);
}
uint64_t store_put_live(struct store *store, struct text json) { return store_writer_put_live(store->writer, json); }
uint64_t store_committed(struct store *store) { return store_writer_committed(store->writer); }
int store_fd(const struct store *store) { return store_writer_fd(store->writer); }
