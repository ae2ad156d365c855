/* check_farm.c - `murakumo mine` and `murakumo farm` with real workers and a real disk: the same bytes from one worker,
 * from two, and after any number of kills of workers and of the farm itself. */
#include "common/base/prng.h"
#include "tests/e2e/driver.h"
#include "tests/unit/check_main.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 48, KILLS = SANITIZED ? 10 : 50, TASKS_MIN = 1000, MINE_MS = 400000 * SANITIZED_PATIENCE };

static const char *path_of(const char *name)
{
    static char paths[8][PATH_BYTES];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, PATH_BYTES, "%s/%s", scratch(), name);
    return path;
}

/* Few nodes and wide thresholds: many candidates, some puzzles, little time. */
#define SMALL                                                                                                          \
    "--hash", "2", "--scan-nodes", "2000", "--scan-first-nodes", "1000", "--verify-nodes", "4000", "--mate-nodes",     \
        "2000", "--audit-plies", "0", "--gap-cp", "150", "--win-permille", "650", "--loss-cp", "150", "--left-cp",     \
        "150", "--margin-cp", "100"
#define GAMES "tests/data/games/csa/gpsshogi__wcsc14_2_*", "tests/data/games/demo.csa"

static struct process *mine_start(const char *workers, const char *store, const char *out)
{
    char *argv[ARGUMENTS_MAX] = {(char *)program("murakumo"),
                                 "mine",
                                 "--all",
                                 "--workers",
                                 (char *)workers,
                                 "--store",
                                 (char *)store,
                                 "--out",
                                 (char *)out,
                                 SMALL,
                                 "--licence",
                                 "test",
                                 GAMES,
                                 NULL};
    return process_start(argv);
}

static char *file_text(const char *path)
{
    static char text[4][4 << 20];
    static unsigned next;
    char *to = text[next++ % 4];
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s is missing", path);
    to[fread(to, 1, sizeof text[0] - 1, file)] = 0;
    fclose(file);
    return to;
}

static void mine_whole(const char *workers, const char *store, const char *out)
{
    struct process *p = mine_start(workers, store, out);
    int code = await_end(p, MINE_MS);
    ck_assert_msg(code == 0, "exit code %d: %s", code, p->err);
    process_drop(p);
}

static unsigned lines_with(const char *text, const char *part)
{
    unsigned n = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part)) n++;
    return n;
}

static long number_in(const char *text, const char *label)
{
    const char *at = strstr(text, label);
    ck_assert_msg(at != NULL, "no %s", label);
    return strtol(at + strlen(label), NULL, 10);
}

/* Says where two outputs part: the whole of them would be too long for a message of Check. */
static void expect_same(const char *expected, const char *found)
{
    size_t line = 1, begin = 0, at = 0;
    for (; expected[at] && expected[at] == found[at]; at++)
        if (expected[at] == '\n') line++, begin = at + 1;
    ck_assert_msg(expected[at] == found[at], "line %zu, byte %zu: expected %.600s\nfound %.600s", line, at,
                  expected + begin, found + begin);
}

static long files_in(const char *folder)
{
    long count = 0;
    DIR *dir = opendir(folder);
    ck_assert_msg(dir != NULL, "%s is missing", folder);
    for (struct dirent *entry; (entry = readdir(dir));) count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

/* How many tasks the store knows. */
static long tasks_known(const char *store)
{
    char *argv[] = {(char *)program("murakumo"), "farm", "status", "--json", "--store", (char *)store, NULL};
    struct process *p = process_start(argv);
    ck_assert_int_eq(await_end(p, WAIT_MS), 0);
    long tasks = number_in(p->out, "],\"tasks\":");
    process_drop(p);
    return tasks;
}

START_TEST(one_worker_two_workers_and_many_kills_give_the_same_bytes)
{
    mine_whole("1", path_of("one.db"), path_of("one.jsonl"));
    mine_whole("2", path_of("two.db"), path_of("two.jsonl"));
    const char *one = file_text(path_of("one.jsonl"));
    expect_same(one, file_text(path_of("two.jsonl")));
    /* The ledger adds up, and there is something in it. */
    long candidates = number_in(one, "\"candidates\":");
    ck_assert_int_ge(candidates, 10);
    ck_assert_int_ge(number_in(one, "\"published\":"), 1);
    ck_assert_int_eq(candidates, number_in(one, "\"published\":") + number_in(one, "\"held_back\":") +
                                     number_in(one, "\"rejected\":"));
    ck_assert_int_eq(lines_with(one, "\"type\":\"puzzle\""), number_in(one, "\"published\":"));
    ck_assert_int_eq(lines_with(one, "\"type\":\"rejected\""), number_in(one, "\"rejected\":"));

    struct prng prng = prng_make(20261130);
    unsigned kills = 0, farms = 0;
    while (kills < KILLS) {
        struct process *p = mine_start("2", path_of("killed.db"), path_of("killed.jsonl"));
        for (;;) {
            usleep((useconds_t)(20000 + prng_below(&prng, 150000)));
            if (!is_running(p->pid)) break; /* it was quicker than we: the next one starts from nothing */
            pid_t pids[PIDS_MAX];
            size_t children = children_of(p->pid, pids);
            bool farm = prng_chance(&prng, 400) || !children;
            kill(farm ? p->pid : pids[prng_below(&prng, (uint32_t)children)], SIGKILL);
            kills++;
            farms += farm;
            if (farm || kills == KILLS) break;
        }
        if (kills < KILLS && is_running(p->pid)) kill(p->pid, SIGKILL);
        bool ended_well = await_end(p, MINE_MS) == 0;
        process_drop(p);
        if (ended_well && kills < KILLS) {
            expect_same(one, file_text(path_of("killed.jsonl")));
            ck_assert_int_eq(unlink(path_of("killed.db")), 0);
        }
    }
    mine_whole("2", path_of("killed.db"), path_of("killed.jsonl"));
    expect_same(one, file_text(path_of("killed.jsonl")));
    long tasks = tasks_known(path_of("killed.db"));
    ck_assert_int_ge(tasks, TASKS_MIN);
    ck_assert_int_eq(tasks, tasks_known(path_of("one.db")));
    printf("farm: %ld tasks, %u kills, %u of them of the farm itself: the same %zu bytes\n", tasks, kills, farms,
           strlen(one));
}
END_TEST

START_TEST(a_second_run_is_served_from_the_store)
{
    mine_whole("1", path_of("again.db"), path_of("again1.jsonl"));
    struct process *p = mine_start("1", path_of("again.db"), path_of("again2.jsonl"));
    ck_assert_int_eq(await_end(p, WORK_MS), 0);
    process_drop(p);
    expect_same(file_text(path_of("again1.jsonl")), file_text(path_of("again2.jsonl")));
    /* And exported from it: a KIF file for each puzzle, in a folder. */
    char folder[PATH_BYTES + 8];
    snprintf(folder, sizeof folder, "%s/", path_of("kif"));
    char *export[] = {(char *)program("murakumo"),
                      "farm",
                      "export",
                      "--store",
                      (char *)path_of("again.db"),
                      "--format",
                      "kif",
                      "--out",
                      folder,
                      "1",
                      NULL};
    p = process_start(export);
    ck_assert_int_eq(await_end(p, WAIT_MS), 0);
    process_drop(p);
    ck_assert_int_eq(files_in(folder), number_in(file_text(path_of("again1.jsonl")), "\"published\":"));
}
END_TEST

static struct process *mine_one_game(const char *store, const char *out)
{
    char *argv[ARGUMENTS_MAX] = {(char *)program("murakumo"),
                                 "mine",
                                 "--workers",
                                 "2",
                                 "--store",
                                 (char *)store,
                                 "--out",
                                 (char *)out,
                                 SMALL,
                                 "--licence",
                                 "test",
                                 "tests/data/games/demo.csa",
                                 NULL};
    return process_start(argv);
}

START_TEST(a_full_disk_is_told_and_with_room_the_same_command_goes_on)
{
    char disk[PATH_BYTES], store[PATH_BYTES + 16];
    snprintf(disk, sizeof disk, "%s", path_of("small-disk"));
    snprintf(store, sizeof store, "%s/m.db", disk);
    mkdir(disk, 0700);
    if (mount("tmpfs", disk, "tmpfs", 0, "size=128k") != 0) {
        printf("skipped: no permission to mount a tmpfs\n");
        return;
    }
    struct process *p = mine_one_game(store, path_of("full.jsonl"));
    ck_assert_int_eq(await_end(p, MINE_MS), 1);
    ck_assert_msg(strstr(p->err, "disk is full") && strstr(p->err, "goes on from here"), "%s", p->err);
    process_drop(p);
    ck_assert_int_eq(mount("tmpfs", disk, "tmpfs", MS_REMOUNT, "size=8m"), 0);
    p = mine_one_game(store, path_of("full.jsonl"));
    ck_assert_int_eq(await_end(p, MINE_MS), 0);
    process_drop(p);
    ck_assert_int_eq(umount2(disk, MNT_DETACH), 0);
    p = mine_one_game(path_of("roomy.db"), path_of("roomy.jsonl"));
    ck_assert_int_eq(await_end(p, MINE_MS), 0);
    process_drop(p);
    expect_same(file_text(path_of("roomy.jsonl")), file_text(path_of("full.jsonl")));
    printf("full disk: told, nothing lost, the same bytes after it got room\n");
}
END_TEST

START_TEST(a_worker_from_elsewhere_works_with_the_farms_settings_and_changes_no_byte)
{
    char endpoint[PATH_BYTES + 16];
    mine_whole("1", path_of("alone.db"), path_of("alone.jsonl"));
    snprintf(endpoint, sizeof endpoint, "ipc://%s", path_of("farm.sock"));
    char *argv[ARGUMENTS_MAX] = {(char *)program("murakumo"),
                                 "mine",
                                 "--all",
                                 "--workers",
                                 "1",
                                 "--listen",
                                 endpoint,
                                 "--log",
                                 "info",
                                 "--out",
                                 (char *)path_of("both.jsonl"),
                                 SMALL,
                                 "--licence",
                                 "test",
                                 GAMES,
                                 NULL};
    struct process *p = process_start(argv);
    struct process *worker = worker_start(endpoint, "--name", "guest", "--threads", "2", "--hash", "1", NULL);
    await_error(p, "worker_joined name=\"guest\"", WAIT_MS);
    ck_assert_int_eq(await_end(p, MINE_MS), 0);
    expect_same(file_text(path_of("alone.jsonl")), file_text(path_of("both.jsonl")));
    process_drop(p);
    process_drop(worker);
}
END_TEST

START_TEST(all_formats_come_out_of_one_run)
{
    char *argv[ARGUMENTS_MAX] = {(char *)program("murakumo"),
                                 "mine",
                                 "--workers",
                                 "2",
                                 "--out",
                                 (char *)path_of("all"),
                                 "--format",
                                 "jsonl,csv,kif,sfen,html,sqlite",
                                 SMALL,
                                 "--licence",
                                 "test",
                                 GAMES,
                                 NULL};
    struct process *p = process_start(argv);
    ck_assert_int_eq(await_end(p, MINE_MS), 0);
    long published = number_in(file_text(path_of("all.jsonl")), "\"published\":");
    ck_assert_int_ge(published, 1);
    ck_assert_int_eq(lines_with(file_text(path_of("all.csv")), "\n"), published + 1);
    ck_assert_int_eq(lines_with(file_text(path_of("all.sfen")), "\n"), published);
    ck_assert_int_eq(lines_with(file_text(path_of("all.kif")), "Licence: "), published);
    ck_assert(!strncmp(file_text(path_of("all.sqlite")), "SQLite format 3", 15));
    const char *page = file_text(path_of("all.html"));
    ck_assert_int_eq(lines_with(page, "{\"type\":\"puzzle\""), published);
    ck_assert_ptr_nonnull(strstr(page, "</html>"));
    ck_assert_ptr_null(strstr(page, "http://"));
    process_drop(p);
    /* What was written as KIF is read again by the same readers. */
    char *convert[] = {(char *)program("murakumo"), "convert", "--to", "sfen", (char *)path_of("all.kif"), NULL};
    p = process_start(convert);
    ck_assert_int_eq(await_end(p, WAIT_MS), 0);
    ck_assert_uint_ge(count_lines(p, ""), (unsigned)published);
    process_drop(p);
}
END_TEST

START_TEST(games_of_unknown_licence_are_left_out_and_that_is_said)
{
    scratch_file("bare.csa", "V2.2\nN+A\nN-B\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n");
    char *argv[] = {(char *)program("murakumo"), "mine", "--workers", "1", (char *)path_of("bare.csa"), NULL};
    struct process *p = process_start(argv);
    ck_assert_int_eq(await_end(p, WAIT_MS), 1);
    ck_assert_ptr_nonnull(strstr(p->err, "no licence is known"));
    process_drop(p);
    char *allowed[] = {(char *)program("murakumo"), "mine", "--any-licence", "--workers", "1", SMALL,
                       (char *)path_of("bare.csa"), NULL};
    p = process_start(allowed);
    ck_assert_int_eq(await_end(p, WAIT_MS), 0);
    ck_assert_ptr_nonnull(strstr(p->out, "\"candidates\":0"));
    process_drop(p);
}
END_TEST

static struct process *farm_say(const char *verb, const char *first, const char *second)
{
    char *argv[] = {(char *)program("murakumo"),  "farm",        (char *)verb,   "--store",
                    (char *)path_of("served.db"), (char *)first, (char *)second, NULL};
    return process_start(argv);
}

static bool job_is_done(void *context)
{
    (void)context;
    struct process *p = farm_say("status", "--json", NULL);
    ck_assert_int_eq(await_end(p, WAIT_MS), 0);
    bool done = strstr(p->out, "\"state\":\"done\"") != NULL;
    process_drop(p);
    usleep(200000);
    return done;
}

START_TEST(a_farm_serves_jobs_that_come_while_it_runs)
{
    char *serve[] = {(char *)program("murakumo"),  "farm", "serve", "--workers", "1", "--hash", "2", "--store",
                     (char *)path_of("served.db"), NULL};
    struct process *farm = process_start(serve);
    char *submit[ARGUMENTS_MAX] = {
        (char *)program("murakumo"), "farm", "submit", "--store", (char *)path_of("served.db"), SMALL,
        "tests/data/games/demo.csa", NULL};
    struct process *p = process_start(submit);
    ck_assert_int_eq(await_end(p, MINE_MS), 0);
    ck_assert_str_eq(p->out, "job 1: 1 games\n");
    process_drop(p);
    p = process_start(submit); /* the same again is the same job */
    ck_assert_int_eq(await_end(p, MINE_MS), 0);
    ck_assert_str_eq(p->out, "job 1: 1 games, known already\n");
    process_drop(p);
    /* The file that explains the thresholds holds the defaults: it makes no other job. */
    for (int with = 0; with < 2; with++) {
        char *argv[] = {(char *)program("murakumo"),
                        "farm",
                        "submit",
                        "--store",
                        (char *)path_of("defaults.db"),
                        "tests/data/games/demo.csa",
                        with ? "--config" : NULL,
                        "cluster-configs/farm/mine.conf",
                        NULL};
        p = process_start(argv);
        ck_assert_int_eq(await_end(p, MINE_MS), 0);
        ck_assert_str_eq(p->out, with ? "job 1: 1 games, known already\n" : "job 1: 1 games\n");
        process_drop(p);
    }
    await_that(job_is_done, NULL, MINE_MS, "the job is done");
    p = farm_say("serve", NULL, NULL); /* one at a time; the first surely holds the store now */
    ck_assert_int_eq(await_end(p, MINE_MS), 1);
    ck_assert_ptr_nonnull(strstr(p->err, "another murakumo is at work on this store"));
    process_drop(p);
    kill(farm->pid, SIGTERM);
    ck_assert_int_eq(await_end(farm, MINE_MS), 0);
    process_drop(farm);
    p = farm_say("export", "1", NULL);
    ck_assert_int_eq(await_end(p, MINE_MS), 0);
    ck_assert_ptr_nonnull(strstr(p->out, "{\"type\":\"meta\",\"games\":1,"));
    process_drop(p);
    p = farm_say("results", "1", NULL);
    ck_assert_int_eq(await_end(p, MINE_MS), 0);
    ck_assert_ptr_nonnull(strstr(p->out, "\"kind\":\"scan\""));
    process_drop(p);
    p = farm_say("retry", "1", NULL);
    ck_assert_int_eq(await_end(p, MINE_MS), 0);
    process_drop(p);
    p = farm_say("cancel", "1", NULL);
    ck_assert_int_eq(await_end(p, MINE_MS), 0);
    process_drop(p);
    p = farm_say("export", "77", NULL);
    ck_assert_int_eq(await_end(p, MINE_MS), 1);
    ck_assert_ptr_nonnull(strstr(p->err, "found job \"77\""));
    process_drop(p);
    p = farm_say("plough", NULL, NULL);
    ck_assert_int_eq(await_end(p, MINE_MS), 2);
    process_drop(p);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("farm");
    tcase_set_timeout(tc, 1800);
    tcase_add_test(tc, one_worker_two_workers_and_many_kills_give_the_same_bytes);
    tcase_add_test(tc, a_second_run_is_served_from_the_store);
    tcase_add_test(tc, a_worker_from_elsewhere_works_with_the_farms_settings_and_changes_no_byte);
    tcase_add_test(tc, all_formats_come_out_of_one_run);
    tcase_add_test(tc, games_of_unknown_licence_are_left_out_and_that_is_said);
    suite_add_tcase(suite, tc);
    tc = tcase_create("disk");
    tcase_set_timeout(tc, 1200);
    tcase_add_test(tc, a_full_disk_is_told_and_with_room_the_same_command_goes_on);
    suite_add_tcase(suite, tc);
    tc = tcase_create("serve");
    tcase_set_timeout(tc, 1200);
    tcase_add_test(tc, a_farm_serves_jobs_that_come_while_it_runs);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("farm", add_cases)
