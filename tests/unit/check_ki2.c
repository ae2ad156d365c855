/* check_ki2.c - what the KI2 reader must understand and refuse, and what the writer says. */
#include "common/shogi/ki2.h"
#include "tests/unit/check_main.h"
#include "tests/unit/record_helpers.h"

static struct record record;

static void setup(void) { record_init(&record); }
static void teardown(void) { record_free(&record); }

START_TEST(moves_stand_several_on_a_line_with_any_marks_and_blanks)
{
    static const char *const texts[] = {
        "先手：a\n\n▲７六歩    △３四歩    ▲２六歩    △８四歩\n", "▲７六歩△３四歩▲２六歩△８四歩\n",
        "☗７六歩 ☖３四歩\n▼２六歩　▽８四歩\n", "▲７六歩\n△３四歩\n▲２六歩\n△８四歩\n",
        "#KI2 version=2.0 encoding=UTF-8\n手合割：平手\n▲７六歩\n*note\n△３四歩 ▲２六歩 △８四歩"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ck_assert_int_eq(read_text(&record, texts[i]), RECORD_FORMAT_KI2);
        ck_assert_str_eq(line_usi(&record, 0), "7g7f 3c3d 2g2f 8c8d");
        ck_assert_uint_eq(record.problem_count, 0);
    }
    ck_assert_uint_eq(record.comments[0].ply, 1);
}
END_TEST

START_TEST(ends_come_from_the_result_line_or_stand_among_the_moves)
{
    static const struct {
        const char *text;
        enum record_end end;
        const char *winner;
    } cases[] = {{"▲７六歩△３四歩\nまで2手で後手の勝ち\n", RECORD_END_RESIGN, "w"},
                 {"▲７六歩 △投了\nまで1手で先手の勝ち\n", RECORD_END_RESIGN, "b"},
                 {"▲７六歩△３四歩\nまで2手で先手の反則負け\n", RECORD_END_ILLEGAL_LOSS, "w"},
                 {"▲７六歩△３四歩\nまで2手で先手の反則勝ち\n", RECORD_END_ILLEGAL_WIN, "b"},
                 {"▲７六歩△３四歩\nまで2手で千日手\n", RECORD_END_REPETITION, "draw"},
                 {"▲７六歩△３四歩▲中断\n", RECORD_END_INTERRUPTED, "none"},
                 {"▲７六歩△３四歩\n中断\n", RECORD_END_INTERRUPTED, "none"},
                 {"▲７六歩△３四歩▲封じ手\n", RECORD_END_OTHER, "none"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        read_text(&record, cases[i].text);
        ck_assert_msg(record_main(&record)->end == cases[i].end, "%s", cases[i].text);
        ck_assert_msg(strcmp(winner_text(record_main(&record)), cases[i].winner) == 0, "%s: %s", cases[i].text,
                      winner_text(record_main(&record)));
        ck_assert_uint_eq(record.problem_count, 0);
    }
}
END_TEST

START_TEST(what_cannot_be_settled_is_named)
{
    static const struct {
        const char *text, *problem, *usi;
    } cases[] = {
        {"▲７六歩 △３四歩 ▲５八金\n", "line 1: found \"▲５八金\", expected a move that only one piece can make",
         "7g7f 3c3d"},
        {"▲７六歩 ▲２六歩\n", "line 1: found \"▲２六歩\", expected a move of White (△)", "7g7f"},
        {"▲７六歩 △３四\n", "line 1: found \"△３四\", expected a move such as ▲７六歩", "7g7f"},
        {"▲７六歩 △投了\n▲２六歩\n", "line 2: found \"▲２六歩\", expected no move after the end", "7g7f"},
        {"▲７六歩 △３五歩\n▲２六歩\n", "line 2: found \"▲２六歩\", expected nothing after an illegal move",
         "7g7f 3c3e"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        read_text(&record, cases[i].text);
        if (i == 4) { /* 歩 to 35 names no source, so the illegal move is only known by its text */
            ck_assert_uint_eq(record.illegal_ply, 2);
            ASSERT_SPAN(&record, record.illegal_text, "△３五歩");
        } else {
            ck_assert_str_eq(line_usi(&record, 0), cases[i].usi);
        }
        ck_assert_msg(strcmp(first_problem(&record), cases[i].problem) == 0, "%s", first_problem(&record));
        ck_assert(record.rejected);
    }
}
END_TEST

START_TEST(what_is_written_is_ki2)
{
    read_text(
        &record,
        "先手：a\n▲７六歩 △３四歩 ▲２二角成 △同　銀 ▲５八金右 △３二金 ▲４五角打\nまで7手で中断\n変化：2手\n△８四歩\n");
    ck_assert_uint_eq(record.problem_count, 0);
    struct text_buffer out;
    text_buffer_init(&out, 10000);
    ki2_write(&record, ENCODING_UTF8, &out);
    ck_assert_str_eq(out.data, "#KI2 version=2.0 encoding=UTF-8\n先手：a\n手合割：平手\n\n"
                               "▲７六歩    △３四歩    ▲２二角成  △同　銀    ▲５八金右  "
                               "△３二金\n▲４五角\nまで7手で中断\n\n変化：2手\n△８四歩\n");
    text_buffer_free(&out);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("ki2");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, moves_stand_several_on_a_line_with_any_marks_and_blanks);
    tcase_add_test(tc, ends_come_from_the_result_line_or_stand_among_the_moves);
    tcase_add_test(tc, what_cannot_be_settled_is_named);
    tcase_add_test(tc, what_is_written_is_ki2);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("ki2", add_cases)
