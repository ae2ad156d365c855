/* check_scan.c - `murakumo scan` with real workers: the table, the JSON, broken input, a worker that is killed. */
#include "tests/e2e/driver.h"
#include "tests/unit/check_main.h"
#include "tests/unit/files.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

static struct process *scan_start(const char *first, const char *second, const char *third)
{
    char *argv[] = {(char *)program("murakumo"),
                    "scan",
                    "--workers",
                    "2",
                    "--nodes",
                    "2000",
                    "--hash",
                    "4",
                    (char *)first,
                    (char *)second,
                    (char *)third,
                    NULL};
    return process_start(argv);
}

START_TEST(a_real_game_becomes_a_table_of_all_its_moves)
{
    struct process *p = scan_start("tests/data/games/demo.csa", NULL, NULL);
    ck_assert_int_eq(await_end(p, WORK_MS), 0);
    ck_assert_ptr_nonnull(strstr(p->out, "108 plies"));
    ck_assert_ptr_nonnull(strstr(p->out, "   1  ▲7g7f"));
    ck_assert_ptr_nonnull(strstr(p->out, " 108  △B*3h       mated")); /* the game ended in mate; the record says so */
    ck_assert_ptr_nonnull(strstr(p->out, "Biggest mistakes"));
    ck_assert_uint_eq(count_lines(p, " "), 1 + 108 + 5); /* head, moves, five mistakes */
    process_drop(p);
}
END_TEST

START_TEST(the_same_work_gives_the_same_bytes_whoever_does_it)
{
    struct process *a = scan_start("--json", "tests/data/games/demo.csa", NULL);
    ck_assert_int_eq(await_end(a, WORK_MS), 0);
    char *argv[] = {(char *)program("murakumo"), "scan", "--workers", "1", "--nodes", "2000", "--hash", "4", "--json",
                    "tests/data/games/demo.csa", NULL};
    struct process *b = process_start(argv);
    ck_assert_int_eq(await_end(b, WORK_MS), 0);
    ck_assert_str_eq(a->out, b->out);
    process_drop(a);
    process_drop(b);
}
END_TEST

START_TEST(a_killed_worker_costs_nothing_but_time)
{
    struct process *a = scan_start("--json", "tests/data/games/demo.csa", NULL);
    ck_assert_int_eq(await_end(a, WORK_MS), 0);
    struct process *b = scan_start("--json", "tests/data/games/demo.csa", NULL);
    pid_t pids[PIDS_MAX];
    int64_t until = now_ms() + WAIT_MS;
    while (children_of(b->pid, pids) < 2 && now_ms() < until) (void)count_lines(b, "");
    ck_assert_int_eq(kill(pids[0], SIGKILL), 0);
    ck_assert_int_eq(await_end(b, WORK_MS), 0);
    ck_assert_str_eq(a->out, b->out);
    process_drop(a);
    process_drop(b);
}
END_TEST

START_TEST(a_killed_scan_goes_on_from_its_store)
{
    char store[PATH_BYTES + 16];
    snprintf(store, sizeof store, "%s/scan.db", scratch());
    char *argv[] = {(char *)program("murakumo"),
                    "scan",
                    "--workers",
                    "2",
                    "--nodes",
                    "20000",
                    "--hash",
                    "4",
                    "--json",
                    "--store",
                    store,
                    "tests/data/games/demo.csa",
                    NULL};
    struct process *p = process_start(argv);
    usleep(1200000);
    kill(p->pid, SIGKILL);
    (void)await_end(p, WAIT_MS);
    process_drop(p);
    struct process *a = process_start(argv);
    ck_assert_int_eq(await_end(a, WORK_MS), 0);
    argv[9] = "--sample"; /* without a store: the same bytes */
    argv[10] = "0";
    struct process *b = process_start(argv);
    ck_assert_int_eq(await_end(b, WORK_MS), 0);
    ck_assert_str_eq(a->out, b->out);
    ck_assert_uint_eq(count_lines(a, "{\"type\":\"meta\",\"games\":1,"), 1);
    ck_assert_uint_eq(count_lines(a, "{\"type\":\"player\","), 2);
    process_drop(a);
    process_drop(b);
}
END_TEST

START_TEST(what_is_no_record_is_named_and_the_run_goes_on)
{
    const char *path = scratch_file("junk.csa", "this is no game\n");
    struct process *p = scan_start(path, "no/such/file.csa", "tests/data/games/demo.csa");
    ck_assert_int_eq(await_end(p, WORK_MS), 1);
    ck_assert_ptr_nonnull(strstr(p->err, "junk.csa: line 1: found"));
    ck_assert_ptr_nonnull(strstr(p->err, "no/such/file.csa"));
    ck_assert_ptr_nonnull(strstr(p->out, "108 plies"));
    process_drop(p);
}
END_TEST

START_TEST(an_archive_becomes_a_folder_of_annotated_games)
{
    static char in[PATH_BYTES + 8], out[PATH_BYTES + 8], file[PATH_BYTES + 32];
    snprintf(in, sizeof in, "%s/in", scratch());
    snprintf(out, sizeof out, "%s/out/", scratch());
    ck_assert_int_eq(mkdir(in, 0700), 0);
    scratch_file("in/a.csa", "V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n");
    scratch_file("in/b.usi", "startpos moves 7g7f\nstartpos moves 2g2f 8c8d\n"); /* the first is a.csa's beginning */
    char *argv[] = {(char *)program("murakumo"),
                    "scan",
                    "--workers",
                    "1",
                    "--nodes",
                    "1000",
                    "--hash",
                    "4",
                    "--dedup",
                    "--format",
                    "kif",
                    "--out",
                    out,
                    in,
                    NULL};
    struct process *p = process_start(argv);
    ck_assert_int_eq(await_end(p, WORK_MS), 0);
    ck_assert_ptr_nonnull(strstr(p->err, "b.usi: line 1: game 1 is the beginning of game 1 of"));
    process_drop(p);
    static const struct {
        const char *name, *move;
    } files[] = {{"a.kifu", "   2 ３四歩(33)"}, {"b.kifu", "   2 ８四歩(83)"}};
    for (size_t i = 0; i < 2; i++) {
        snprintf(file, sizeof file, "%s%s", out, files[i].name);
        struct file_bytes bytes = file_load(file);
        struct text text = text_make(bytes.data, bytes.length);
        ck_assert(text_contains(text, files[i].move) && text_contains(text, "**評価値="));
        file_free(&bytes);
    }
}
END_TEST

START_TEST(csv_is_one_table_for_all_games)
{
    struct process *p = scan_start("--format", "csv", "tests/data/games/demo.csa");
    ck_assert_int_eq(await_end(p, WORK_MS), 0);
    ck_assert_uint_eq(count_lines(p, "file,game,"), 1);
    ck_assert_uint_eq(count_lines(p, "\"tests/data/games/demo.csa\",0,"), 108);
    process_drop(p);
}
END_TEST

START_TEST(an_interrupted_scan_prints_what_it_has)
{
    char *argv[] = {(char *)program("murakumo"), "scan", "--workers", "1", "--nodes", "100000000", "--hash", "4",
                    "tests/data/games/demo.csa", NULL};
    struct process *p = process_start(argv);
    pid_t pids[PIDS_MAX];
    int64_t until = now_ms() + WAIT_MS;
    while (children_of(p->pid, pids) < 1 && now_ms() < until) (void)count_lines(p, "");
    ck_assert_int_eq(kill(p->pid, SIGINT), 0);
    ck_assert_int_eq(await_end(p, WAIT_MS), 1);
    ck_assert_ptr_nonnull(strstr(p->err, "stopped after"));
    ck_assert_ptr_nonnull(strstr(p->out, "108 plies"));
    process_drop(p);
}
END_TEST

START_TEST(wrong_usage_is_told_and_ends_with_two)
{
    char *no_file[] = {(char *)program("murakumo"), "scan", NULL};
    struct process *p = process_start(no_file);
    ck_assert_int_eq(await_end(p, WAIT_MS), 2);
    ck_assert_ptr_nonnull(strstr(p->err, "expected GAMES"));
    process_drop(p);
    char *bad_depth[] = {(char *)program("murakumo"), "perft", "startpos", "x", NULL};
    p = process_start(bad_depth);
    ck_assert_int_eq(await_end(p, WAIT_MS), 2);
    process_drop(p);
}
END_TEST

START_TEST(perft_counts_by_root_move_and_in_sum)
{
    char *argv[] = {(char *)program("murakumo"), "perft", "8k/9/7+R1/9/9/9/9/9/K8 b P 1", "1", NULL};
    struct process *p = process_start(argv);
    ck_assert_int_eq(await_end(p, WAIT_MS), 0);
    ck_assert_ptr_nonnull(strstr(p->out, "\n92 leaves\n")); /* 93 with the pawn-drop mate P*1b */
    ck_assert_ptr_null(strstr(p->out, "P*1b:"));
    process_drop(p);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("scan");
    tcase_set_timeout(tc, 240);
    tcase_add_test(tc, a_real_game_becomes_a_table_of_all_its_moves);
    tcase_add_test(tc, the_same_work_gives_the_same_bytes_whoever_does_it);
    tcase_add_test(tc, a_killed_worker_costs_nothing_but_time);
    tcase_add_test(tc, a_killed_scan_goes_on_from_its_store);
    tcase_add_test(tc, what_is_no_record_is_named_and_the_run_goes_on);
    tcase_add_test(tc, an_archive_becomes_a_folder_of_annotated_games);
    tcase_add_test(tc, csv_is_one_table_for_all_games);
    tcase_add_test(tc, an_interrupted_scan_prints_what_it_has);
    tcase_add_test(tc, wrong_usage_is_told_and_ends_with_two);
    tcase_add_test(tc, perft_counts_by_root_move_and_in_sum);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("scan", add_cases)
