/* check_annotate.c - evaluations as comments of a record; the expected texts are written by hand after what floodgate
 * and ShogiHome write, and our own readers must understand them. */
#include "common/shogi/record_io.h"
#include "coordinator/view/annotate.h"
#include "tests/unit/check_main.h"
#include "tests/unit/record_helpers.h"

static struct record record, again;
static struct text_buffer out;

static const struct game_position positions[4] = {
    {true, {WIRE_SCORE_CP, 50}, 9, 1000, "2g2f", "2g2f 8c8d"},
    {true, {WIRE_SCORE_CP, -50}, 9, 1001, "3c3d", "3c3d 8h2b+ 3a2b"},
    {true, {WIRE_SCORE_CP, 60}, 9, 1002, "2g2f", "2g2f 8c8d 9z9z"},
    {true, {WIRE_SCORE_MATE, 5}, 11, 1003, "3a2b", "3a2b"},
};

static void setup(void)
{
    record_init(&record);
    record_init(&again);
    text_buffer_init(&out, 1 << 16);
    read_text(&record, "V2.2\nN+A\nN-B\nPI\n+\n+7776FU\n'*mine\n-3334FU\n+8822UM\n%TORYO\n'*over\n");
}

static void teardown(void)
{
    text_buffer_free(&out);
    record_free(&record);
    record_free(&again);
}

static bool says(const char *text) { return strstr(out.data, text) != NULL; }

START_TEST(csa_comments_are_those_of_floodgate)
{
    ck_assert_int_eq(annotate_record(&record, positions, ANNOTATE_CSA), ST_OK);
    record_write(&record, RECORD_OUT_CSA3, 0, &out);
    ck_assert(says("\n+\n'** 50 +2726FU -8384FU #1000\n+7776FU\n'*mine\n'** 50 -3334FU +8822UM -3122GI #1001\n-3334FU\n"
                   "'** 60 +2726FU -8384FU #1002\n+8822UM\n'** -100000 -3122GI #1003\n"
                   "'blunder: -53 % win probability, better +2726FU\n%TORYO\n'*over\n"));
    ck_assert_int_eq(record_read(&again, out.data, out.length, NULL), ST_OK);
    ck_assert_int_eq(again.moves[0].score, 50);
    ck_assert_int_eq(again.moves[1].score, 60);
    ck_assert_int_eq(again.moves[2].score, -100000);
    ck_assert_uint_eq(again.problem_count, 0);
}
END_TEST

START_TEST(kif_comments_are_those_of_shogihome)
{
    ck_assert_int_eq(annotate_record(&record, positions, ANNOTATE_KIF), ST_OK);
    record_write(&record, RECORD_OUT_KIF, 0, &out);
    ck_assert(says("**評価値=50\n**読み筋=▲２六歩△８四歩\n   1 ７六歩(77)"));
    ck_assert(says("*mine\n**評価値=50\n**読み筋=△３四歩▲２二角成△同銀\n   2 ３四歩(33)"));
    ck_assert(says("**詰み=後手勝ち:5手\n**読み筋=△同銀\n**大悪手 勝率-53% 最善手=▲２六歩\n   4 投了"));
    ck_assert_int_eq(record_read(&again, out.data, out.length, NULL), ST_OK);
    ck_assert_int_eq(again.moves[1].score, 60);
    ck_assert_int_eq(again.moves[2].score_kind, RECORD_SCORE_MATE);
    ck_assert_int_eq(again.moves[2].score, -5);
    ck_assert_uint_eq(again.problem_count, 0);
}
END_TEST

START_TEST(what_was_not_analysed_gets_no_comment)
{
    static const struct game_position none[4];
    uint32_t comments = record.comment_count;
    ck_assert_int_eq(annotate_record(&record, none, ANNOTATE_CSA), ST_OK);
    ck_assert_uint_eq(record.comment_count, comments);
}
END_TEST

START_TEST(comments_of_variations_stay_behind_those_of_the_main_line)
{
    read_text(&record,
              "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n変化：2手\n   2 ８四歩(83)\n*side\n");
    ck_assert_int_eq(annotate_record(&record, positions, ANNOTATE_KIF), ST_OK);
    record_write(&record, RECORD_OUT_KIF, 0, &out);
    ck_assert_int_eq(record_read(&again, out.data, out.length, NULL), ST_OK);
    ck_assert_ptr_null(record_difference(&record, &again, RECORD_SAME_TREE));
    ck_assert(says("   2 ８四歩(83)   \n*side\n"));
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("annotate");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, csa_comments_are_those_of_floodgate);
    tcase_add_test(tc, kif_comments_are_those_of_shogihome);
    tcase_add_test(tc, what_was_not_analysed_gets_no_comment);
    tcase_add_test(tc, comments_of_variations_stay_behind_those_of_the_main_line);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("annotate", add_cases)
