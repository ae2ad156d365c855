/* check_selfplay.c - `murakumo bench selfplay`: games on file are played once, and are those of one experiment. */
#include "tests/e2e/driver.h"
#include "tests/unit/check_main.h"
#include "tests/unit/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SELFPLAY_MS = 120000 };

static void selfplay(int exit_code, const char *games, const char *change, const char *record, const char *expected)
{
    struct process *p =
        command_start("bench", "selfplay", "--nodes", "200", "--games", games, "--b", change, "--record", record, NULL);
    ck_assert_int_eq(await_end(p, SELFPLAY_MS), exit_code);
    ck_assert_msg(strstr(exit_code == 0 ? p->out : p->err, expected) != NULL, "%s%s", p->out, p->err);
    process_drop(p);
}

START_TEST(an_experiment_goes_on_where_its_file_ends_and_a_torn_line_is_taken_off)
{
    char whole_path[PATH_BYTES], parts_path[PATH_BYTES];
    snprintf(whole_path, sizeof whole_path, "%s/whole", scratch());
    snprintf(parts_path, sizeof parts_path, "%s/parts", scratch());
    selfplay(0, "8", "razor_plies=0", whole_path, "games 8 ");

    selfplay(0, "4", "razor_plies=0", parts_path, "games 4 ");
    FILE *file = fopen(parts_path, "a");
    ck_assert_ptr_nonnull(file);
    fputs("b lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 | 7g7f 30\nb torn", file);
    ck_assert_int_eq(fclose(file), 0);
    selfplay(0, "8", "razor_plies=0", parts_path, "games 8 ");

    struct file_bytes whole = file_load(whole_path), parts = file_load(parts_path);
    ck_assert_uint_eq(whole.length, parts.length);
    ck_assert_int_eq(memcmp(whole.data, parts.data, whole.length), 0);
    file_free(&whole);
    file_free(&parts);

    selfplay(1, "8", "razor_plies=1", parts_path, "found games of other players");
    selfplay(2, "8", "nonsense=1", parts_path, "parameters");
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("selfplay");
    tcase_add_test(tc, an_experiment_goes_on_where_its_file_ends_and_a_torn_line_is_taken_off);
    tcase_set_timeout(tc, 240);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("selfplay", add_cases)
