#include "common/shogi/sfen.h"
#include "coordinator/core/task.h"
#include "tests/unit/check_main.h"

#include <string.h>

static struct task sample(void)
{
    return (struct task){.kind = JOB_SEARCH,
                         .engine = 0x9b24,
                         .lane = TASK_VERIFY,
                         .nodes = 600000,
                         .multipv = 3,
                         .first_ply = 0,
                         .last_ply = 2,
                         .only = text_from("7g7f 2g2f"),
                         .root = text_from(SFEN_STARTPOS),
                         .moves = text_from("7g7f 3c3d")};
}

START_TEST(a_task_is_its_text_and_comes_back_from_it)
{
    char text[TASK_BYTES_MAX];
    struct task task = sample(), back;
    size_t bytes = task_write(&task, text);
    ck_assert_uint_gt(bytes, 0);
    ck_assert_int_eq(task_read(&back, text_make(text, bytes)), ST_OK);
    ck_assert_uint_eq(back.kind, JOB_SEARCH);
    ck_assert_uint_eq(back.engine, 0x9b24);
    ck_assert_int_eq(back.lane, TASK_VERIFY);
    ck_assert_uint_eq(back.nodes, 600000);
    ck_assert_uint_eq(back.multipv, 3);
    ck_assert_uint_eq(back.last_ply, 2);
    ck_assert(text_is(back.only, "7g7f 2g2f"));
    ck_assert(text_is(back.root, SFEN_STARTPOS));
    ck_assert(text_is(back.moves, "7g7f 3c3d"));
    struct scan_order order = task_order(&back);
    ck_assert(order.warm && !order.fresh); /* a slice */
    task.last_ply = 0;
    order = task_order(&task);
    ck_assert(order.fresh && !order.warm);
}
END_TEST

START_TEST(everything_that_changes_the_answer_changes_the_name)
{
    char text[TASK_BYTES_MAX], name[TASK_NAME_BYTES], other[TASK_NAME_BYTES];
    struct task task = sample();
    task_name(text_make(text, task_write(&task, text)), name);
    ck_assert_uint_eq(strlen(name), 32);
    for (int i = 0; i < 10; i++) {
        struct task changed = sample();
        switch (i) {
        case 0:
            changed.kind = JOB_MATE;
            break;
        case 1:
            changed.engine++;
            break;
        case 2:
            changed.lane = TASK_AUDIT;
            break;
        case 3:
            changed.nodes++;
            break;
        case 4:
            changed.depth_max = 9;
            break;
        case 5:
            changed.multipv = 1;
            break;
        case 6:
            changed.last_ply = 1;
            break;
        case 7:
            changed.only = text_from("7g7f");
            break;
        case 8:
            changed.moves = text_from("7g7f 8c8d");
            break;
        case 9:
            changed.plies_max = 5;
            break;
        }
        task_name(text_make(text, task_write(&changed, text)), other);
        ck_assert_msg(strcmp(name, other) != 0, "change %d", i);
    }
}
END_TEST

START_TEST(texts_that_are_no_task_are_refused)
{
    static const char *const bad[] = {
        "",
        "search",
        "dance engine=0000000000009b24 lane=0 nodes=1 depth=0 multipv=1 plies=0-0 mate=0 only= root=x moves=",
        "search engine=9b24 lane=0 nodes=1 depth=0 multipv=1 plies=0-0 mate=0 only= root=x moves=",
        "search engine=0000000000009b24 lane=7 nodes=1 depth=0 multipv=1 plies=0-0 mate=0 only= root=x moves=",
        "search engine=0000000000009b24 lane=0 nodes=1 depth=0 multipv=1 plies=2-1 mate=0 only= root=x moves=",
        "search engine=0000000000009b24 lane=0 nodes=1 depth=0 multipv=1 plies=0-64 mate=0 only= root=x moves=",
        "search engine=0000000000009b24 lane=0 nodes=1 depth=0 multipv=1 plies=0-0 mate=0 only= root=x"};
    struct task task;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(task_read(&task, text_from(bad[i])) != ST_OK, "%s", bad[i]);
}
END_TEST

static struct wire_str wire(const char *s) { return wire_str_make(s, strlen(s)); }

START_TEST(answers_are_read_as_they_were_written)
{
    struct text_buffer out;
    text_buffer_init(&out, ANSWER_BYTES_MAX);
    struct scan_result move = {.ply = 3,
                               .verdict = VERDICT_MOVE,
                               .best = wire("7g7f"),
                               .score_kind = WIRE_SCORE_CP,
                               .score = -35,
                               .depth = 12,
                               .nodes = 60001,
                               .line_count = 2};
    move.lines[0] = (struct scan_line){.score_kind = WIRE_SCORE_CP, .score = -35, .depth = 12, .pv = wire("7g7f 3c3d")};
    move.lines[1] = (struct scan_line){.score_kind = WIRE_SCORE_MATE, .score = -4, .depth = 11, .pv = wire("2g2f")};
    struct scan_result mated = {.ply = 4, .verdict = VERDICT_RESIGN};
    struct scan_result mate = {.ply = 0,
                               .verdict = VERDICT_MATE,
                               .best = wire("G*5b"),
                               .score_kind = WIRE_SCORE_MATE,
                               .score = 1,
                               .refuted_plies = 0,
                               .nodes = 7,
                               .line = wire("G*5b")};
    struct scan_result none = {.ply = 1, .verdict = VERDICT_NOMATE, .refuted_plies = 9, .nodes = 70};
    answer_write(&move, &out);
    answer_write(&mated, &out);
    answer_write(&mate, &out);
    answer_write(&none, &out);
    struct text rest = text_buffer_view(&out);
    struct answer a;
    ck_assert(answer_next(&rest, &a));
    ck_assert_uint_eq(a.ply, 3);
    ck_assert_uint_eq(a.verdict, VERDICT_MOVE);
    ck_assert(text_is(a.best, "7g7f"));
    ck_assert_int_eq(a.score.score, -35);
    ck_assert_uint_eq(a.nodes, 60001);
    ck_assert_uint_eq(a.line_count, 2);
    ck_assert(text_is(a.lines[0].pv, "7g7f 3c3d"));
    ck_assert_uint_eq(a.lines[1].score.kind, WIRE_SCORE_MATE);
    ck_assert_int_eq(a.lines[1].score.score, -4);
    ck_assert(answer_next(&rest, &a)); /* mated is a score */
    ck_assert_uint_eq(a.score.kind, WIRE_SCORE_MATE);
    ck_assert_int_eq(a.score.score, 0);
    ck_assert(text_is(a.best, ""));
    ck_assert(answer_next(&rest, &a));
    ck_assert_uint_eq(a.verdict, VERDICT_MATE);
    ck_assert(text_is(a.lines[0].pv, "G*5b"));
    ck_assert(answer_next(&rest, &a));
    ck_assert_uint_eq(a.verdict, VERDICT_NOMATE);
    ck_assert_uint_eq(a.depth, 9);
    ck_assert(!answer_next(&rest, &a));
    text_buffer_free(&out);
}
END_TEST

START_TEST(a_broken_answer_ends_the_reading)
{
    static const char *const bad[] = {"x move 7g7f cp 1 depth 1 nodes 1\n", "1 move 7g7f cp 1 depth 1\n",
                                      "1 fly 7g7f cp 1 depth 1 nodes 1\n", "1 move 7g7f cp 1 depth 1 nodes 1\n xx\n"};
    struct answer a;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct text rest = text_from(bad[i]);
        ck_assert_msg(!answer_next(&rest, &a), "%s", bad[i]);
    }
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("task");
    tcase_add_test(tc, a_task_is_its_text_and_comes_back_from_it);
    tcase_add_test(tc, everything_that_changes_the_answer_changes_the_name);
    tcase_add_test(tc, texts_that_are_no_task_are_refused);
    tcase_add_test(tc, answers_are_read_as_they_were_written);
    tcase_add_test(tc, a_broken_answer_ends_the_reading);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("task", add_cases)
