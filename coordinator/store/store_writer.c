/* store_writer.c - see store_writer.h. */
#include "coordinator/store/store_writer.h"

#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { BUSY_MS = 20000, WORDS_MAX = 5 };

enum statement { INSERT_TASK, INSERT_ROW, GAME_DONE, SET_LIVE, STATEMENT_COUNT };
static const char *const sql[STATEMENT_COUNT] = {
    /* A task that was done twice has equal answers; only a buried one makes room for something better. */
    [INSERT_TASK] = ("INSERT INTO tasks (name, task, answer, buried, worker, boot, nodes) VALUES (?, ?, ?, ?, ?, ?, ?)"
                     " ON CONFLICT (name) DO NOTHING"),
    [INSERT_ROW] = "INSERT INTO rows (text, kind, job, seq, ply) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
    [GAME_DONE] = "UPDATE games SET done = 1 WHERE job = ? AND seq = ?",
    [SET_LIVE] = "INSERT INTO live (one, text) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET text = excluded.text",
};

struct write { /* one row; the numbers of a `put` count its last row */
    struct write *next;
    uint64_t number;
    enum statement statement;
    unsigned words, values;
    char *word[WORDS_MAX]; /* NULL = NULL; bound first */
    int64_t value[3];
};

struct store_writer {
    sqlite3 *db;
    sqlite3_stmt *statements[STATEMENT_COUNT];
    int fd;
    pthread_t thread;
    bool started;
    uint64_t number_last; /* owner only */

    pthread_mutex_t lock; /* guards everything below */
    pthread_cond_t changed;
    struct write *first, **end;
    uint64_t committed;
    bool quit;
    char error[STORE_WHY_BYTES];
};

/* ---- the thread ------------------------------------------------------------------------------------------------- */

static bool write_one(struct store_writer *w, const struct write *item)
{
    sqlite3_stmt *stmt = w->statements[item->statement];
    int column = 1;
    for (unsigned i = 0; i < item->words; i++) sqlite3_bind_text(stmt, column++, item->word[i], -1, SQLITE_STATIC);
    for (unsigned i = 0; i < item->values; i++) sqlite3_bind_int64(stmt, column++, item->value[i]);
    bool good = sqlite3_step(stmt) == SQLITE_DONE;
    sqlite3_reset(stmt);
    return good;
}

static bool write_all(struct store_writer *w, const struct write *list)
{
    bool good = sqlite3_exec(w->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK;
    for (; good && list; list = list->next) good = write_one(w, list);
    return good && sqlite3_exec(w->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
}

static void list_free(struct write *list)
{
    while (list) {
        struct write *next = list->next;
        for (unsigned i = 0; i < list->words; i++) free(list->word[i]);
        free(list);
        list = next;
    }
}

static void *run(void *argument)
{
    struct store_writer *w = argument;
    pthread_mutex_lock(&w->lock);
    for (;;) {
        while (!w->first && !w->quit) pthread_cond_wait(&w->changed, &w->lock);
        if (!w->first || w->error[0]) break;
        struct write *list = w->first;
        w->first = NULL;
        w->end = &w->first;
        pthread_mutex_unlock(&w->lock);
        bool good = write_all(w, list);
        char error[STORE_WHY_BYTES] = "";
        if (!good) snprintf(error, sizeof error, "cannot write: %s", sqlite3_errmsg(w->db));
        pthread_mutex_lock(&w->lock);
        for (const struct write *item = list; good && item; item = item->next) w->committed = item->number;
        memcpy(w->error, error, sizeof error);
        uint64_t one = 1;
        ssize_t ignored = write(w->fd, &one, sizeof one);
        (void)ignored;
        pthread_mutex_unlock(&w->lock);
        list_free(list);
        pthread_mutex_lock(&w->lock);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* ---- the owner's side ------------------------------------------------------------------------------------------- */

struct store_writer *store_writer_new(const char *path, int flags, char why[STORE_WHY_BYTES])
{
    struct store_writer *w = calloc(1, sizeof *w);
    snprintf(why, STORE_WHY_BYTES, "not enough memory");
    if (!w) return NULL;
    w->end = &w->first;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    w->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    bool good = w->fd >= 0 && sqlite3_open_v2(path, &w->db, flags, NULL) == SQLITE_OK;
    if (good) {
        sqlite3_busy_timeout(w->db, BUSY_MS);
        good = sqlite3_exec(w->db, "PRAGMA synchronous = FULL", NULL, NULL, NULL) == SQLITE_OK;
    }
    for (int i = 0; good && i < STATEMENT_COUNT; i++)
        good = sqlite3_prepare_v2(w->db, sql[i], -1, &w->statements[i], NULL) == SQLITE_OK;
    if (good) {
        sigset_t all, before; /* signals are the owner's */
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        good = w->started = pthread_create(&w->thread, NULL, run, w) == 0;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    if (good) return w;
    if (w->db) snprintf(why, STORE_WHY_BYTES, "%s: %s", path, sqlite3_errmsg(w->db));
    store_writer_free(w);
    return NULL;
}

void store_writer_free(struct store_writer *w)
{
    if (!w) return;
    if (w->started) {
        pthread_mutex_lock(&w->lock);
        w->quit = true;
        pthread_cond_signal(&w->changed);
        pthread_mutex_unlock(&w->lock);
        pthread_join(w->thread, NULL);
    }
    list_free(w->first);
    for (int i = 0; i < STATEMENT_COUNT; i++) sqlite3_finalize(w->statements[i]);
    sqlite3_close(w->db);
    if (w->fd >= 0) close(w->fd);
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->changed);
    free(w);
}

static char *copy(struct text text)
{
    char *bytes = malloc(text_length(text) + 1);
    if (!bytes) return NULL;
    if (text_length(text)) memcpy(bytes, text.at, text_length(text));
    bytes[text_length(text)] = 0;
    return bytes;
}

/* Takes the list. Without memory nothing is acknowledged any more. */
static uint64_t put(struct store_writer *w, struct write *list, bool whole)
{
    uint64_t number = ++w->number_last;
    pthread_mutex_lock(&w->lock);
    if (!whole) {
        snprintf(w->error, sizeof w->error, "cannot write: out of memory");
        list_free(list);
    } else {
        *w->end = list;
        for (struct write *item = list; item; item = item->next) {
            item->number = item->next ? number - 1 : number; /* acknowledged with its last row */
            w->end = &item->next;
        }
    }
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
    return number;
}

static struct write *write_new(enum statement statement, const struct text *words, unsigned word_count,
                               const int64_t *values, unsigned value_count, bool *whole)
{
    struct write *item = calloc(1, sizeof *item);
    if (!item) {
        *whole = false;
        return NULL;
    }
    item->statement = statement;
    item->words = word_count;
    item->values = value_count;
    for (unsigned i = 0; i < word_count; i++) {
        item->word[i] = words[i].at ? copy(words[i]) : NULL;
        if (words[i].at && !item->word[i]) *whole = false;
    }
    for (unsigned i = 0; i < value_count; i++) item->value[i] = values[i];
    return item;
}

uint64_t store_writer_put_task(struct store_writer *w, const struct store_task *task)
{
    bool whole = true;
    struct text words[] = {text_from(task->name), task->task, task->answer,
                           task->buried ? text_from(task->buried) : (struct text){NULL, NULL}, text_from(task->worker)};
    int64_t values[] = {(int64_t)task->boot, (int64_t)task->nodes};
    return put(w, write_new(INSERT_TASK, words, 5, values, 2, &whole), whole);
}

uint64_t store_writer_put_game(struct store_writer *w, int64_t job, int64_t seq, const struct store_row *rows,
                               size_t count)
{
    bool whole = true;
    struct write *list = NULL, **end = &list;
    for (size_t i = 0; i < count && whole; i++) {
        struct text words[] = {rows[i].text, text_from(rows[i].kind)};
        int64_t values[] = {job, seq, rows[i].ply};
        *end = write_new(INSERT_ROW, words, 2, values, 3, &whole);
        if (*end) end = &(*end)->next;
    }
    int64_t values[] = {job, seq};
    *end = write_new(GAME_DONE, NULL, 0, values, 2, &whole);
    return put(w, list, whole);
}

uint64_t store_writer_put_live(struct store_writer *w, struct text json)
{
    bool whole = true;
    return put(w, write_new(SET_LIVE, &json, 1, NULL, 0, &whole), whole);
}

uint64_t store_writer_committed(struct store_writer *w)
{
    uint64_t ignored;
    ssize_t n = read(w->fd, &ignored, sizeof ignored);
    (void)n;
    pthread_mutex_lock(&w->lock);
    uint64_t committed = w->committed;
    pthread_mutex_unlock(&w->lock);
    return committed;
}

int store_writer_fd(const struct store_writer *w) { return w->fd; }

const char *store_writer_error(struct store_writer *w)
{
    static _Thread_local char error[STORE_WHY_BYTES];
    if (!w) return "";
    pthread_mutex_lock(&w->lock);
    memcpy(error, w->error, sizeof error);
    pthread_mutex_unlock(&w->lock);
    return error;
}
