/* check_hints.c - the hint plane with real processes: workers of one search tell each other what they find. */
#include "tests/e2e/driver.h"
#include "tests/unit/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Frames that the relay passed on, as it says at its end. */
static unsigned long frames_relayed(int workers)
{
    struct process *p = engine_ready("--workers", workers == 1 ? "1" : "2", "--log", "info", NULL);
    say(p, "setoption name SplitStrategy value lazy");
    say(p, "isready");
    await(p, "readyok", WAIT_MS);
    for (int i = 0; i < workers; i++) await_error(p, "worker_joined", WAIT_MS);
    for (int i = 0; i < 3; i++) (void)play(p, "startpos moves 7g7f 3c3d", "go movetime 1000");
    say(p, "quit");
    ck_assert_int_eq(await_end(p, WAIT_MS), 0);
    const char *at = p->err ? strstr(p->err, "hints_relayed frames=") : NULL;
    unsigned long frames = at ? strtoul(at + strlen("hints_relayed frames="), NULL, 10) : 0;
    process_drop(p);
    return frames;
}

START_TEST(two_workers_share_what_they_find_one_has_nobody_to_tell)
{
    ck_assert_uint_gt(frames_relayed(2), 3);
    ck_assert_uint_eq(frames_relayed(1), 0);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("hints");
    tcase_add_test(tc, two_workers_share_what_they_find_one_has_nobody_to_tell);
    tcase_set_timeout(tc, 240);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("hints", add_cases)
