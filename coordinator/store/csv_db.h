/* csv_db.h - CSV tables (RFC 4180) as tables of an SQLite file, for whoever wants to ask questions in SQL.
 *
 * The columns are those of the CSV head; numbers are stored as numbers. The file is written beside its place and takes
 * its name in csv_db_close(): what was there before is replaced as a whole or not at all.
 */
#ifndef MURAKUMO_STORE_CSV_DB_H
#define MURAKUMO_STORE_CSV_DB_H

#include "common/base/text.h"

enum { CSV_DB_COLUMNS_MAX = 32, CSV_DB_WHY_BYTES = 320 };

struct csv_db;

/* NULL: why[] says it. `head` is the line with the names. */
struct csv_db *csv_db_open(const char *path, const char *table, struct text head, char why[CSV_DB_WHY_BYTES]);
/* From now on rows go into a further table. ST_IO: why[] of csv_db_close() will say it. */
MUST_USE enum status csv_db_table(struct csv_db *db, const char *table, struct text head);
/* Whole rows. ST_SYNTAX: not so many cells as columns. ST_IO: why[] of csv_db_close() will say it. */
MUST_USE enum status csv_db_add(struct csv_db *db, struct text rows);
/* `keep` false throws the work away. NULL is allowed. */
enum status csv_db_close(struct csv_db *db, bool keep, char why[CSV_DB_WHY_BYTES]);

#endif
