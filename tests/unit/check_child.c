/* check_child.c - child processes: programs that start, that cannot, and that are stopped before they could. */
#include "common/net/child.h"
#include "common/net/clock.h"
#include "tests/unit/check_main.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { END_MS = 10000, TRIES = 500, STOPPED_MS = 300 };

static const struct child_setup quiet = {-1, -1, -1, NULL};

START_TEST(a_child_starts_and_its_end_is_told)
{
    char *argv[] = {"sh", "-c", "exit 3", NULL};
    char how[CHILD_WHY_BYTES];
    pid_t pid;
    ck_assert_int_eq(child_start(argv, &quiet, &pid, how), ST_OK);
    child_end(pid, END_MS, how);
    ck_assert_str_eq(how, "exit 3");
}
END_TEST

START_TEST(a_program_that_is_not_there_is_told_with_its_name)
{
    char *argv[] = {"/nowhere/murakumo-worker", NULL};
    char why[CHILD_WHY_BYTES];
    pid_t pid;
    ck_assert_int_eq(child_start(argv, &quiet, &pid, why), ST_IO);
    ck_assert_int_eq(errno, ENOENT);
    ck_assert_str_eq(why, "cannot start: /nowhere/murakumo-worker: No such file or directory");
}
END_TEST

static atomic_bool stopping = true;

/* Stops every child of this process as soon as it is there. */
static void *stop_children(void *path)
{
    while (atomic_load(&stopping)) {
        FILE *list = fopen(path, "r");
        int pid;
        while (list && fscanf(list, "%d", &pid) == 1) kill(pid, SIGSTOP);
        if (list) fclose(list);
    }
    return NULL;
}

/* A child that somebody stops between its fork and its exec must not stop its parent too. */
START_TEST(a_child_stopped_before_it_could_begin_does_not_hold_its_parent)
{
    char *argv[] = {"sleep", "1000", NULL};
    char path[64], how[CHILD_WHY_BYTES];
    pthread_t thread;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    if (access(path, R_OK) != 0) {
        printf("skipped: this kernel has no %s\n", path);
        return;
    }
    ck_assert_int_eq(pthread_create(&thread, NULL, stop_children, path), 0);
    bool was_stopped_early = false;
    for (int i = 0; i < TRIES && !was_stopped_early; i++) {
        pid_t pid;
        int64_t began_ms = clock_now_ms();
        ck_assert_int_eq(child_start(argv, &quiet, &pid, how), ST_OK);
        was_stopped_early = clock_now_ms() - began_ms >= STOPPED_MS;
        child_end(pid, 0, how);
        ck_assert_str_eq(how, "signal 9");
    }
    atomic_store(&stopping, false);
    pthread_join(thread, NULL);
    ck_assert(was_stopped_early);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("child");
    tcase_add_test(tc, a_child_starts_and_its_end_is_told);
    tcase_add_test(tc, a_program_that_is_not_there_is_told_with_its_name);
    tcase_add_test(tc, a_child_stopped_before_it_could_begin_does_not_hold_its_parent);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("child", add_cases)
