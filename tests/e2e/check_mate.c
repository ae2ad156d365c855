/* check_mate.c - `murakumo mate` with real workers: the three outputs, what is read and what is refused, killed
 * workers, interruption. The lengths stand in the data.
 */
#include "tests/e2e/driver.h"
#include "tests/unit/check_main.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

enum { WORDS_MAX = 16 };

static struct process *mate_start(const char *first, ...)
{
    char *argv[WORDS_MAX] = {(char *)program("murakumo"), "mate", "--hash", "8", (char *)first};
    va_list words;
    va_start(words, first);
    for (int i = 5; i < WORDS_MAX && argv[i - 1]; i++) argv[i] = va_arg(words, char *);
    va_end(words);
    return process_start(argv);
}

static void expect_out(const struct process *p, const char *part)
{
    ck_assert_msg(strstr(p->out, part) != NULL, "found \"%s\", expected \"%s\"; stderr \"%s\"", p->out, part, p->err);
}

static void expect_err(const struct process *p, const char *part)
{
    ck_assert_msg(strstr(p->err, part) != NULL, "found \"%s\", expected \"%s\"", p->err, part);
}

#define MATE_IN_1 "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
#define MATE_IN_5 "5B1n1/8k/6Rpp/9/9/9/1+p7/9/K8 b rb4g4s3n4l15p 1"
#define TWO_WAYS  "9/8B/8L/8k/8N/4B2R1/9/9/9 b Sr4g3s3n3l18p 1" /* in 5 by S*2e, and by 2f2c+ */
#define NO_MATE   "8k/9/7+R1/9/9/9/9/9/9 b Pr2b4g4s4n4l17p 1"
#define HARD      "1pG1B4/Gs+P6/pP7/n1ls5/3k5/nL4+r1b/1+p1p+R4/1S7/2N6 b SP2gn2l11p 1"

START_TEST(mates_and_no_mates_are_told_in_a_line_each)
{
    struct process *p = mate_start("--workers", "2", MATE_IN_5, NO_MATE, "sfen " MATE_IN_1, NULL);
    ck_assert_int_eq(await_end(p, WORK_MS), 0);
    expect_out(p, "sfen: mate in 5: 4a2c ");
    expect_out(p, "sfen: no mate  (");
    expect_out(p, "sfen: mate in 1: G*5b  (");
    ck_assert_ptr_eq(strstr(p->out, "sfen: mate in 5"), p->out); /* in the order of the input */
    process_drop(p);
}
END_TEST

/* The number behind the first `name` of a line of JSON. */
static long number_in(const char *json, const char *name)
{
    const char *at = strstr(json, name);
    ck_assert_msg(at != NULL, "%s is missing in %s", name, json);
    return strtol(at + strlen(name), NULL, 10);
}

START_TEST(a_file_becomes_a_json_object_for_each_of_its_positions)
{
    struct process *p = mate_start("--jsonl", "--workers", "2", "tests/data/mate/underpromotion-needed.sfen", NULL);
    ck_assert_int_eq(await_end(p, WORK_MS), 0);
    FILE *file = fopen("tests/data/mate/underpromotion-needed.sfen", "r");
    ck_assert_ptr_nonnull(file);
    char line[512];
    unsigned count = 0;
    const char *out = p->out;
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#' || !strchr(line, '\t')) continue;
        long plies = strtol(strchr(line, '\t') + 1, NULL, 10);
        ck_assert_msg(strstr(out, "\"verdict\":\"mate\"") != NULL && strchr(out, '\n') != NULL, "after %u: %s", count,
                      out);
        ck_assert_msg(memcmp(out, "{\"sfen\":\"", 9) == 0 && memcmp(out + 9, line, strcspn(line, " ")) == 0, "%s",
                      line);
        ck_assert_int_eq(number_in(out, "\"plies\":"), plies);
        ck_assert_int_gt(number_in(out, "\"nodes\":"), 0);
        ck_assert_int_gt(number_in(out, "\"proof_nodes\":"), 0);
        out = strchr(out, '\n') + 1;
        count++;
    }
    fclose(file);
    ck_assert_uint_ge(count, 10);
    ck_assert_str_eq(out, "");
    process_drop(p);
}
END_TEST

START_TEST(a_folder_stands_for_its_files_packed_ones_too)
{
    char folder[PATH_BYTES + 8], path[PATH_BYTES + 32];
    snprintf(folder, sizeof folder, "%s/in", scratch());
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    scratch_file("in/b.sfen", MATE_IN_5 "\n");
    snprintf(path, sizeof path, "%s/a.sfen.gz", folder);
    gzFile file = gzopen(path, "wb");
    ck_assert_int_gt(gzputs(file, "# packed\n" MATE_IN_1 "\t1\n"), 0);
    ck_assert_int_eq(gzclose(file), Z_OK);
    struct process *p = mate_start("--workers", "1", folder, NULL);
    ck_assert_int_eq(await_end(p, WORK_MS), 0);
    expect_out(p, "a.sfen.gz:2: mate in 1");
    expect_out(p, "b.sfen:1: mate in 5");
    process_drop(p);
}
END_TEST

START_TEST(a_limit_makes_it_unknown_and_never_no_mate)
{
    struct process *p = mate_start("--json", "--nodes", "2000", "--workers", "1", HARD, NULL);
    ck_assert_int_eq(await_end(p, WORK_MS), 0);
    expect_out(p, "\"verdict\":\"unknown\",\"nodes\":2000,");
    process_drop(p);
    p = mate_start("--time", "300", "--workers", "1", HARD, NULL);
    ck_assert_int_eq(await_end(p, WORK_MS), 0);
    expect_out(p, "sfen: unknown  (");
    process_drop(p);
    p = mate_start("--plies", "3", "--workers", "1", MATE_IN_5, NULL);
    ck_assert_int_eq(await_end(p, WORK_MS), 0);
    expect_out(p, "sfen: unknown  (");
    process_drop(p);
}
END_TEST

START_TEST(a_record_is_solved_from_its_start_and_kif_comes_back_as_kif)
{
    struct process *p = mate_start("--kif", "--workers", "1", MATE_IN_5, NULL);
    ck_assert_int_eq(await_end(p, WORK_MS), 0);
    expect_out(p, "詰み");
    const char *path = scratch_file("problem.kif", p->out);
    process_drop(p);
    p = mate_start("--workers", "1", path, NULL);
    ck_assert_int_eq(await_end(p, WORK_MS), 0);
    expect_out(p, "problem.kif:2: mate in 5: 4a2c ");
    process_drop(p);
}
END_TEST

START_TEST(what_is_no_problem_is_named_with_its_line_and_the_others_are_solved)
{
    const char *path =
        scratch_file("mixed.sfen", "# a comment\n" MATE_IN_1 "\tone\n"
                                   "this is nothing\n"
                                   "4k4/9/4P4/4P4/9/9/9/9/9 b G 1\n"
                                   "9/9/4P4/9/9/9/9/9/4K4 b G 1\n" MATE_IN_1 " moves G*5b\n" MATE_IN_1 " moves 5c5b\n"
                                   "4k4/9/4P4/9/9/9/9/9/9 b G 1\n");
    struct process *p = mate_start("--workers", "1", path, "no/such/file", NULL);
    ck_assert_int_eq(await_end(p, WORK_MS), 1);
    expect_out(p, "mixed.sfen:2: mate in 1: G*5b");
    expect_err(p, "mixed.sfen:3: found \"this is nothing\", expected an SFEN: ");
    expect_err(p, "mixed.sfen:4: found \"4k4/9/4P4/4P4/9/9/9/9/9 b G 1\", expected an SFEN: "); /* nifu */
    expect_err(p, "mixed.sfen:5: found no king of the side that does not move");
    expect_err(p, "mixed.sfen:6: found no king of the side that does not move"); /* after G*5b White attacks */
    expect_err(p, "mixed.sfen:8: the defender gets the pieces that are left: " MATE_IN_1);
    expect_out(p, "mixed.sfen:8: mate in 1: G*5b");
    expect_err(p, "no/such/file: ");
    process_drop(p);
}
END_TEST

START_TEST(killed_workers_cost_nothing_but_time)
{
    struct process *whole = mate_start("--workers", "2", "tests/data/mate/underpromotion-needed.sfen", NULL);
    ck_assert_int_eq(await_end(whole, WORK_MS), 0);
    struct process *p = mate_start("--workers", "2", "tests/data/mate/underpromotion-needed.sfen", NULL);
    pid_t pids[PIDS_MAX];
    int64_t until = now_ms() + WAIT_MS;
    while (children_of(p->pid, pids) < 2 && now_ms() < until) (void)count_lines(p, "");
    ck_assert_int_eq(kill(pids[0], SIGKILL), 0);
    ck_assert_int_eq(await_end(p, WORK_MS), 0);
    const char *a = whole->out, *b = p->out;
    unsigned count = 0;
    for (; *a && *b; count++) { /* equal in place, verdict and length; the line may be another one of that length */
        size_t length = strcspn(a, " ");
        length += strcspn(a + length, ":(");
        ck_assert_msg(strncmp(a, b, length) == 0, "found \"%.80s\", expected \"%.80s\"", b, a);
        a += strcspn(a, "\n") + 1;
        b += strcspn(b, "\n") + 1;
    }
    ck_assert_uint_ge(count, 10);
    ck_assert_str_eq(a, b);
    process_drop(whole);
    process_drop(p);
}
END_TEST

START_TEST(other_solutions_are_found_and_become_variations)
{
    struct process *p = mate_start("--unique", "--json", "--workers", "2", TWO_WAYS, MATE_IN_1, NULL);
    ck_assert_int_eq(await_end(p, WORK_MS), 0);
    expect_out(p, "\"plies\":5,\"shortest\":true,\"line\":[\"S*2e\"");
    expect_out(p, "\"unique\":false,\"alternatives\":[{\"ply\":1,\"plies\":");
    expect_out(p, "\"unique\":true,\"alternatives\":[]}");
    process_drop(p);
    p = mate_start("--unique", "--kif", "--workers", "2", TWO_WAYS, NULL);
    ck_assert_int_eq(await_end(p, WORK_MS), 0);
    expect_out(p, "変化：1手");
    process_drop(p);
    p = mate_start("--unique", "--workers", "1", TWO_WAYS, NULL);
    ck_assert_int_eq(await_end(p, WORK_MS), 0);
    expect_out(p, "    also at move 1: mate in ");
    expect_out(p, "    not the only solution\n");
    process_drop(p);
    p = mate_start("--convention", "--json", "--workers", "1", "6Bnl/8k/7p1/7b1/9/9/9/9/9 b Rr4g4s3n3l17p 1", NULL);
    ck_assert_int_eq(await_end(p, WORK_MS), 0);
    expect_out(p, "\"plies\":1,\"shortest\":true,\"line\":[\"R*3b\"]"); /* 3 with the piece dropped on 2b */
    process_drop(p);
}
END_TEST

START_TEST(an_interruption_keeps_what_is_solved)
{
    struct process *p = mate_start("--workers", "1", MATE_IN_1, HARD, NULL);
    await(p, "sfen: mate in 1: G*5b", WAIT_MS);
    ck_assert_int_eq(kill(p->pid, SIGINT), 0);
    ck_assert_int_eq(await_end(p, WAIT_MS), 1);
    expect_err(p, "1 of 2 positions");
    process_drop(p);
}
END_TEST

START_TEST(wrong_usage_ends_with_two)
{
    struct process *p = mate_start(NULL);
    ck_assert_int_eq(await_end(p, WAIT_MS), 2);
    expect_err(p, "expected SFEN or FILE");
    process_drop(p);
    p = mate_start("--plies", "9999", MATE_IN_1, NULL);
    ck_assert_int_eq(await_end(p, WAIT_MS), 2);
    process_drop(p);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("mate");
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, mates_and_no_mates_are_told_in_a_line_each);
    tcase_add_test(tc, a_file_becomes_a_json_object_for_each_of_its_positions);
    tcase_add_test(tc, a_folder_stands_for_its_files_packed_ones_too);
    tcase_add_test(tc, a_limit_makes_it_unknown_and_never_no_mate);
    tcase_add_test(tc, a_record_is_solved_from_its_start_and_kif_comes_back_as_kif);
    tcase_add_test(tc, what_is_no_problem_is_named_with_its_line_and_the_others_are_solved);
    tcase_add_test(tc, killed_workers_cost_nothing_but_time);
    tcase_add_test(tc, other_solutions_are_found_and_become_variations);
    tcase_add_test(tc, an_interruption_keeps_what_is_solved);
    tcase_add_test(tc, wrong_usage_ends_with_two);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("mate", add_cases)
