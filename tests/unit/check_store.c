#include "coordinator/store/store.h"
#include "tests/unit/check_main.h"

#include <poll.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char path[64], why[STORE_WHY_BYTES];
static struct store *store;

static void set_up(void)
{
    snprintf(path, sizeof path, "/tmp/murakumo-check-store-%d.db", (int)getpid());
    store = store_open(path, why);
    ck_assert_msg(store != NULL, "%s", why);
}

static void tear_down(void)
{
    store_close(store);
    const char *endings[] = {"", "-wal", "-shm", ".lock"};
    for (size_t i = 0; i < 4; i++) {
        char name[80];
        snprintf(name, sizeof name, "%s%s", path, endings[i]);
        unlink(name);
    }
}

static void again(void)
{
    store_close(store);
    store = store_open(path, why);
    ck_assert_msg(store != NULL, "%s", why);
}

static int64_t add_job(const char *manifest, int games, int64_t priority)
{
    struct store_job job = {.priority = priority, .created_unix_ms = 5, .kind = "mine", .settings = "a=1\n"};
    int64_t id;
    ck_assert_int_eq(store_job_add(store, &job, &id), ST_OK);
    for (int i = 0; i < games; i++) {
        struct store_game game = {.seq = i,
                                  .file = "f.csa",
                                  .sha256 = "00",
                                  .source = "s",
                                  .licence = "l",
                                  .index = i,
                                  .root = "startpos",
                                  .moves = "7g7f",
                                  .black = "A",
                                  .white = "B",
                                  .event = "",
                                  .date = "",
                                  .opening = "",
                                  .end = "TORYO",
                                  .winner = "black"};
        ck_assert_int_eq(store_game_add(store, id, &game), ST_OK);
    }
    ck_assert_int_eq(store_job_seal(store, id, manifest, games), ST_OK);
    return id;
}

static void wait_for(uint64_t number)
{
    for (int i = 0; i < 500 && store_committed(store) < number; i++) {
        struct pollfd fd = {.fd = store_fd(store), .events = POLLIN};
        poll(&fd, 1, 20);
    }
    ck_assert_uint_ge(store_committed(store), number);
}

static uint64_t put_task(const char *name, const char *answer, const char *buried, uint64_t boot)
{
    struct store_task task = {.name = name,
                              .buried = buried,
                              .worker = "w",
                              .task = text_from("t"),
                              .answer = text_from(answer),
                              .boot = boot,
                              .nodes = 3};
    return store_put_task(store, &task);
}

START_TEST(a_job_and_its_games_are_there_as_a_whole_or_not_at_all)
{
    int64_t id = add_job("m1", 3, 0);
    struct store_job job;
    ck_assert_int_eq(store_job_get(store, id, &job), ST_OK);
    ck_assert_str_eq(job.state, "waiting");
    ck_assert_int_eq(job.games, 3);
    ck_assert_int_eq(store_job_find(store, "mine", "a=1\n", "m1"), id);
    ck_assert_int_eq(store_job_find(store, "mine", "a=2\n", "m1"), 0);
    int64_t lost;
    ck_assert_int_eq(store_job_add(store, &job, &lost), ST_OK);
    again(); /* not sealed: it never was */
    ck_assert_int_eq(store_job_get(store, lost, &job), ST_MISSING);
    ck_assert_int_eq(store_job_get(store, id, &job), ST_OK);
}
END_TEST

START_TEST(what_was_put_is_acknowledged_when_it_is_on_the_disk)
{
    uint64_t number = put_task("n1", "answer", NULL, 7);
    wait_for(number);
    again();
    struct store_task task;
    ck_assert_int_eq(store_task_get(store, "n1", &task), ST_OK);
    ck_assert(text_is(task.answer, "answer"));
    ck_assert_ptr_null(task.buried);
    ck_assert_uint_eq(task.boot, 7);
    ck_assert_int_eq(store_task_get(store, "n2", &task), ST_MISSING);
}
END_TEST

START_TEST(a_task_is_one_row_and_the_first_stays)
{
    put_task("n1", "first", NULL, UINT64_MAX);
    wait_for(put_task("n1", "second", NULL, 8));
    struct store_task task;
    ck_assert_int_eq(store_task_get(store, "n1", &task), ST_OK);
    ck_assert(text_is(task.answer, "first"));
    ck_assert_uint_eq(task.boot, UINT64_MAX);
}
END_TEST

START_TEST(rows_come_with_their_game_and_never_twice)
{
    int64_t id = add_job("m1", 2, 0);
    struct store_row rows[] = {{.ply = 0, .kind = "scan", .text = text_from("{}")},
                               {.ply = 9, .kind = "case", .text = text_from("{\"x\":1}")}};
    store_put_game(store, id, 1, rows, 2);
    wait_for(store_put_game(store, id, 1, rows, 2)); /* done again after a crash */
    struct store_counts counts;
    ck_assert_int_eq(store_job_counts(store, id, &counts), ST_OK);
    ck_assert_int_eq(counts.rows, 2);
    ck_assert_int_eq(counts.games_done, 1);
    struct store_game game;
    ck_assert_int_eq(store_game_next(store, id, -1, &game), ST_OK);
    ck_assert_int_eq(game.seq, 0);
    ck_assert_str_eq(game.licence, "l");
    ck_assert_int_eq(store_game_next(store, id, 0, &game), ST_MISSING);
}
END_TEST

START_TEST(a_job_is_found_again_by_what_it_is_unless_it_was_cancelled)
{
    add_job("m1", 1, 0);
    int64_t second = add_job("m2", 1, 5);
    ck_assert_int_eq(store_job_find(store, "mine", "a=1\n", "m2"), second);
    ck_assert_int_eq(store_job_find(store, "scan", "a=1\n", "m2"), 0);
    ck_assert_int_eq(store_job_find(store, "mine", "a=2\n", "m2"), 0);
    ck_assert_int_eq(store_job_set(store, second, "cancelled", 9), ST_OK);
    ck_assert_int_eq(store_job_find(store, "mine", "a=1\n", "m2"), 0);
}
END_TEST

START_TEST(retry_forgets_what_was_buried_and_opens_the_games)
{
    int64_t id = add_job("m1", 1, 0), buried;
    put_task("good", "a", NULL, 1);
    put_task("bad", "", "cannot", 1);
    struct store_row row = {.kind = "scan", .text = text_from("{}")};
    wait_for(store_put_game(store, id, 0, &row, 1));
    ck_assert_int_eq(store_job_retry(store, id, &buried), ST_OK);
    ck_assert_int_eq(buried, 1);
    struct store_task task;
    ck_assert_int_eq(store_task_get(store, "good", &task), ST_OK);
    ck_assert_int_eq(store_task_get(store, "bad", &task), ST_MISSING);
    struct store_counts counts;
    ck_assert_int_eq(store_job_counts(store, id, &counts), ST_OK);
    ck_assert_int_eq(counts.games_done, 0);
    ck_assert_int_eq(counts.rows, 0);
}
END_TEST

START_TEST(what_a_liar_said_is_forgotten)
{
    int64_t id = add_job("m1", 1, 0);
    ck_assert_int_eq(store_job_set(store, id, "running", 1), ST_OK);
    put_task("lie", "a", NULL, 13);
    put_task("truth", "a", NULL, 14);
    struct store_row row = {.kind = "scan", .text = text_from("{}")};
    wait_for(store_put_game(store, id, 0, &row, 1));
    ck_assert_int_eq(store_forget_boot(store, 13), ST_OK);
    struct store_task task;
    ck_assert_int_eq(store_task_get(store, "lie", &task), ST_MISSING);
    ck_assert_int_eq(store_task_get(store, "truth", &task), ST_OK);
    struct store_counts counts;
    ck_assert_int_eq(store_job_counts(store, id, &counts), ST_OK);
    ck_assert_int_eq(counts.games_done, 0);
}
END_TEST

START_TEST(another_process_is_noticed_and_only_one_serves)
{
    (void)store_changed(store);
    ck_assert(!store_changed(store));
    struct store *other = store_open(path, why);
    ck_assert_msg(other != NULL, "%s", why);
    struct store *mine = store;
    store = other;
    add_job("m9", 1, 0);
    store = mine;
    ck_assert(store_changed(store));
    store_close(other);
}
END_TEST

START_TEST(a_store_of_a_newer_program_is_refused_in_words)
{
    store_close(store);
    sqlite3 *db;
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_exec(db, "PRAGMA user_version = 99", NULL, NULL, NULL);
    sqlite3_close(db);
    store = store_open(path, why);
    ck_assert_ptr_null(store);
    ck_assert_ptr_nonnull(strstr(why, "found version 99"));
}
END_TEST

START_TEST(what_is_no_store_is_refused_in_words)
{
    store_close(store);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    for (int i = 0; i < 200; i++) fputs("this is no database\n", file);
    fclose(file);
    store = store_open(path, why);
    ck_assert_ptr_null(store);
    ck_assert_ptr_nonnull(strstr(why, "not a database"));
    struct store *nowhere = store_open("/no/such/directory/x.db", why);
    ck_assert_ptr_null(nowhere);
    ck_assert_ptr_nonnull(strstr(why, "/no/such/directory/x.db"));
}
END_TEST

/* A full disk: nothing is acknowledged after the failure, and it is said. */
START_TEST(what_cannot_be_written_is_not_acknowledged)
{
    wait_for(put_task("n1", "a", NULL, 1));
    sqlite3 *db;
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, "DROP TABLE tasks", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    uint64_t number = put_task("n2", "a", NULL, 1);
    for (int i = 0; i < 500 && !*store_error(store); i++) usleep(10000);
    ck_assert_ptr_nonnull(strstr(store_error(store), "cannot write"));
    ck_assert_uint_lt(store_committed(store), number);
    put_task("n3", "a", NULL, 1);
    ck_assert_uint_lt(store_committed(store), number);
}
END_TEST

/* ---- two that make the same store at once ------------------------------------------------------------------------ */

static sqlite3 *rival;

/* Whoever waits for the rival lets it finish: SQLite sleeps only here. */
static int rival_finishes(sqlite3_vfs *vfs, int us)
{
    (void)vfs;
    if (rival) {
        sqlite3_exec(rival, "COMMIT", NULL, NULL, NULL);
        sqlite3_close(rival);
        rival = NULL;
    }
    return us;
}

START_TEST(a_store_that_had_to_wait_is_as_good_as_any)
{
    static sqlite3_vfs waiting;
    tear_down();
    ck_assert_int_eq(sqlite3_open(path, &rival), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(rival, "BEGIN IMMEDIATE; CREATE TABLE t (a)", NULL, NULL, NULL), SQLITE_OK);
    waiting = *sqlite3_vfs_find(NULL);
    waiting.zName = "waiting";
    waiting.xSleep = rival_finishes;
    ck_assert_int_eq(sqlite3_vfs_register(&waiting, 1), SQLITE_OK);
    store = store_open(path, why);
    ck_assert_int_eq(sqlite3_vfs_unregister(&waiting), SQLITE_OK);
    ck_assert_msg(store != NULL, "%s", why);
    ck_assert_ptr_null(rival); /* it was waited for */
    ck_assert_str_eq(store_error(store), "");
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("store");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, a_job_and_its_games_are_there_as_a_whole_or_not_at_all);
    tcase_add_test(tc, what_was_put_is_acknowledged_when_it_is_on_the_disk);
    tcase_add_test(tc, a_task_is_one_row_and_the_first_stays);
    tcase_add_test(tc, rows_come_with_their_game_and_never_twice);
    tcase_add_test(tc, a_job_is_found_again_by_what_it_is_unless_it_was_cancelled);
    tcase_add_test(tc, retry_forgets_what_was_buried_and_opens_the_games);
    tcase_add_test(tc, what_a_liar_said_is_forgotten);
    tcase_add_test(tc, another_process_is_noticed_and_only_one_serves);
    tcase_add_test(tc, a_store_of_a_newer_program_is_refused_in_words);
    tcase_add_test(tc, what_is_no_store_is_refused_in_words);
    tcase_add_test(tc, what_cannot_be_written_is_not_acknowledged);
    tcase_add_test(tc, a_store_that_had_to_wait_is_as_good_as_any);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("store", add_cases)
