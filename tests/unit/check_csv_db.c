#include "coordinator/store/csv_db.h"
#include "tests/unit/check_main.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char path[64], why[CSV_DB_WHY_BYTES];

static const char *ask(const char *sql)
{
    static char answer[256];
    sqlite3 *db;
    sqlite3_stmt *stmt;
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(stmt), SQLITE_ROW);
    snprintf(answer, sizeof answer, "%s", (const char *)sqlite3_column_text(stmt, 0));
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return answer;
}

static void set_up(void) { snprintf(path, sizeof path, "/tmp/murakumo-check-csv-%d.db", (int)getpid()); }
static void tear_down(void) { unlink(path); }

START_TEST(cells_come_out_as_they_were_meant_and_numbers_as_numbers)
{
    struct csv_db *db = csv_db_open(path, "t", text_from("name,rating,note\n"), why);
    ck_assert_msg(db != NULL, "%s", why);
    ck_assert_int_eq(csv_db_add(db, text_from("\"A \"\"B\"\", C\",1500,\"two\nlines\"\r\nx,-3,\n")), ST_OK);
    ck_assert_int_eq(csv_db_add(db, text_from("last,7,\"\"")), ST_OK);
    ck_assert_int_eq(csv_db_table(db, "more", text_from("a,b\n")), ST_OK);
    ck_assert_int_eq(csv_db_add(db, text_from("1,2\n")), ST_OK);
    ck_assert_int_ne(access(path, F_OK), 0); /* not before it is whole */
    ck_assert_int_eq(csv_db_close(db, true, why), ST_OK);
    ck_assert_str_eq(ask("SELECT name FROM t WHERE rating > 1000"), "A \"B\", C");
    ck_assert_str_eq(ask("SELECT typeof(rating) FROM t WHERE name = 'x'"), "integer");
    ck_assert_str_eq(ask("SELECT note FROM t WHERE rating = 1500"), "two\nlines");
    ck_assert_str_eq(ask("SELECT count(*) FROM t"), "3");
    ck_assert_str_eq(ask("SELECT b FROM more WHERE a = 1"), "2");
}
END_TEST

START_TEST(what_is_no_table_is_refused_and_leaves_nothing_behind)
{
    struct csv_db *db = csv_db_open(path, "t", text_from("a,b\n"), why);
    ck_assert_ptr_nonnull(db);
    ck_assert_int_eq(csv_db_add(db, text_from("1,2,3\n")), ST_SYNTAX);
    ck_assert_int_eq(csv_db_close(db, true, why), ST_IO);
    ck_assert_int_ne(access(path, F_OK), 0);
    db = csv_db_open(path, "t", text_from("a,b\n"), why);
    ck_assert_int_eq(csv_db_add(db, text_from("1\n")), ST_SYNTAX);
    ck_assert_int_eq(csv_db_close(db, false, why), ST_OK);
    ck_assert_int_ne(access(path, F_OK), 0);
    ck_assert_ptr_null(csv_db_open("/no/such/place/x.db", "t", text_from("a\n"), why));
    ck_assert_ptr_nonnull(strstr(why, "/no/such/place/x.db"));
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("csv_db");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, cells_come_out_as_they_were_meant_and_numbers_as_numbers);
    tcase_add_test(tc, what_is_no_table_is_refused_and_leaves_nothing_behind);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("csv_db", add_cases)
