/* migrations.c - see migrations.h. To change the tables: 1. append a step; 2. never edit an old one; 3. open a store of
 * the version before in tests/unit/check_store.c. */
#include "coordinator/store/migrations.h"

const char *const store_migrations[] = {
    /* 0 -> 1: the first tables */
    "CREATE TABLE jobs (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, state TEXT NOT NULL, priority INTEGER NOT NULL,"
    " settings TEXT NOT NULL, engine TEXT NOT NULL DEFAULT '', manifest TEXT NOT NULL, games INTEGER NOT NULL,"
    " created_unix_ms INTEGER NOT NULL, finished_unix_ms INTEGER NOT NULL DEFAULT 0);"
    "CREATE TABLE games (job INTEGER NOT NULL REFERENCES jobs(id), seq INTEGER NOT NULL, file TEXT NOT NULL,"
    " sha256 TEXT NOT NULL, idx INTEGER NOT NULL, source TEXT NOT NULL, licence TEXT NOT NULL, root TEXT NOT NULL,"
    " moves TEXT NOT NULL, black TEXT NOT NULL, white TEXT NOT NULL, event TEXT NOT NULL, date TEXT NOT NULL,"
    " opening TEXT NOT NULL, ending TEXT NOT NULL, winner TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0,"
    " PRIMARY KEY (job, seq)) WITHOUT ROWID;"
    "CREATE TABLE tasks (name TEXT PRIMARY KEY, task TEXT NOT NULL, answer TEXT NOT NULL, buried TEXT,"
    " worker TEXT NOT NULL, boot INTEGER NOT NULL, nodes INTEGER NOT NULL);"
    "CREATE TABLE rows (job INTEGER NOT NULL, seq INTEGER NOT NULL, ply INTEGER NOT NULL, kind TEXT NOT NULL,"
    " text TEXT NOT NULL, PRIMARY KEY (job, seq, ply, kind)) WITHOUT ROWID;"
    "CREATE TABLE live (one INTEGER PRIMARY KEY CHECK (one = 1), text TEXT NOT NULL);",
};
const int store_migration_count = sizeof store_migrations / sizeof *store_migrations;
