/* csv_db.c - see csv_db.h. */
#include "coordinator/store/csv_db.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, SQL_BYTES_MAX = 8192 };

struct csv_db {
    sqlite3 *db;
    sqlite3_stmt *insert;
    int columns;
    char path[PATH_BYTES], part[PATH_BYTES + 8];
    bool failed;
};

/* The next cell, decoded; *last: its row ends there. False: the text is over, or a quote is never closed. */
static bool take_cell(struct text *rest, struct text_buffer *cell, bool *last)
{
    text_buffer_clear(cell);
    if (text_empty(*rest)) return false;
    bool quoted = *rest->at == '"';
    if (quoted) rest->at++;
    for (;; rest->at++) {
        if (text_empty(*rest)) return !quoted && (*last = true);
        if (quoted && *rest->at == '"') {
            if (++rest->at == rest->end || *rest->at != '"') {
                quoted = false;
                rest->at--;
                continue;
            }
        } else if (!quoted && (*rest->at == ',' || *rest->at == '\n' || *rest->at == '\r')) {
            break;
        }
        text_buffer_put_char(cell, *rest->at);
    }
    *last = *rest->at != ',';
    if (*rest->at == '\r' && text_length(*rest) > 1 && rest->at[1] == '\n') rest->at++;
    rest->at++;
    return true;
}

static void put_name(struct text_buffer *sql, struct text name)
{
    text_buffer_put_char(sql, '"');
    for (; !text_empty(name); name.at++) {
        if (*name.at == '"') text_buffer_put_char(sql, '"');
        text_buffer_put_char(sql, *name.at);
    }
    text_buffer_put_char(sql, '"');
}

static bool run(struct csv_db *db, const char *sql) { return sqlite3_exec(db->db, sql, NULL, NULL, NULL) == SQLITE_OK; }

static bool make_table(struct csv_db *db, const char *table, struct text head)
{
    struct text_buffer create, insert, cell;
    bool last = false;
    sqlite3_finalize(db->insert);
    db->insert = NULL;
    db->columns = 0;
    text_buffer_init(&create, SQL_BYTES_MAX);
    text_buffer_init(&insert, SQL_BYTES_MAX);
    text_buffer_init(&cell, SQL_BYTES_MAX);
    text_buffer_put_string(&create, "CREATE TABLE ");
    put_name(&create, text_from(table));
    text_buffer_put_string(&insert, "INSERT INTO ");
    put_name(&insert, text_from(table));
    text_buffer_put_string(&insert, " VALUES (");
    while (!last && db->columns < CSV_DB_COLUMNS_MAX && take_cell(&head, &cell, &last)) {
        text_buffer_put_string(&create, db->columns ? ", " : " (");
        put_name(&create, text_buffer_view(&cell));
        text_buffer_put_string(&create, " NUMERIC"); /* what looks like a number becomes one */
        text_buffer_put_string(&insert, db->columns++ ? ", ?" : "?");
    }
    text_buffer_put_char(&create, ')');
    text_buffer_put_char(&insert, ')');
    bool good = last && create.status == ST_OK && insert.status == ST_OK && run(db, create.data) &&
                sqlite3_prepare_v2(db->db, insert.data, -1, &db->insert, NULL) == SQLITE_OK;
    text_buffer_free(&create);
    text_buffer_free(&insert);
    text_buffer_free(&cell);
    return good;
}

struct csv_db *csv_db_open(const char *path, const char *table, struct text head, char why[CSV_DB_WHY_BYTES])
{
    struct csv_db *db = calloc(1, sizeof *db);
    snprintf(why, CSV_DB_WHY_BYTES, "not enough memory");
    if (!db) return NULL;
    snprintf(db->path, sizeof db->path, "%s", path);
    snprintf(db->part, sizeof db->part, "%s.part", db->path);
    unlink(db->part);
    if (sqlite3_open(db->part, &db->db) == SQLITE_OK && run(db, "PRAGMA journal_mode = OFF") && run(db, "BEGIN") &&
        make_table(db, table, head))
        return db;
    snprintf(why, CSV_DB_WHY_BYTES, "%.150s: %.150s", db->path, sqlite3_errmsg(db->db));
    char ignored[CSV_DB_WHY_BYTES];
    (void)csv_db_close(db, false, ignored);
    return NULL;
}

enum status csv_db_table(struct csv_db *db, const char *table, struct text head)
{
    bool good = make_table(db, table, head);
    db->failed = db->failed || !good;
    return good ? ST_OK : ST_IO;
}

enum status csv_db_add(struct csv_db *db, struct text rows)
{
    struct text_buffer cell;
    enum status st = ST_OK;
    text_buffer_init(&cell, (size_t)1 << 20);
    while (st == ST_OK && !text_empty(rows)) {
        bool last = false;
        int n = 0;
        while (!last && n < db->columns && take_cell(&rows, &cell, &last))
            sqlite3_bind_text(db->insert, ++n, cell.data ? cell.data : "", (int)cell.length, SQLITE_TRANSIENT);
        if (!last || n != db->columns)
            st = ST_SYNTAX;
        else if (sqlite3_step(db->insert) != SQLITE_DONE)
            st = ST_IO;
        sqlite3_reset(db->insert);
    }
    text_buffer_free(&cell);
    db->failed = db->failed || st != ST_OK;
    return st;
}

enum status csv_db_close(struct csv_db *db, bool keep, char why[CSV_DB_WHY_BYTES])
{
    why[0] = 0;
    if (!db) return ST_OK;
    bool good = keep && !db->failed && run(db, "COMMIT");
    if (keep && !good) snprintf(why, CSV_DB_WHY_BYTES, "%.150s: %.150s", db->path, sqlite3_errmsg(db->db));
    sqlite3_finalize(db->insert);
    good = sqlite3_close(db->db) == SQLITE_OK && good;
    if (good && rename(db->part, db->path) != 0) {
        snprintf(why, CSV_DB_WHY_BYTES, "%.150s: %.100s", db->path, strerror(errno));
        good = false;
    }
    if (!good) unlink(db->part);
    free(db);
    return good || !keep ? ST_OK : ST_IO;
}
