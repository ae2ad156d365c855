/* check_game_table.c - an analysed game as table and as JSON; the expected texts are written by hand. */
#include "coordinator/view/game_table.h"

#include "common/shogi/record_io.h"
#include "tests/unit/check_main.h"

#include <string.h>

static struct record record;
static struct text_buffer out;

static void setup(void)
{
    static const char game[] = "V2.2\nN+A\"B\nN-C\nPI\n+\n+7776FU\n-3334FU\n+8822UM\n%TORYO\n";
    record_init(&record);
    text_buffer_init(&out, 1 << 16);
    ck_assert_int_eq(record_read(&record, game, strlen(game), NULL), ST_OK);
    ck_assert_uint_eq(record_plies(&record), 3);
}

static void teardown(void)
{
    text_buffer_free(&out);
    record_free(&record);
}

static const struct game_position positions[4] = {
    {true, {WIRE_SCORE_CP, 50}, 9, 1000, "2g2f", "2g2f 8c8d"},
    {true, {WIRE_SCORE_CP, -50}, 9, 1000, "3c3d", "3c3d 2g2f"},
    {true, {WIRE_SCORE_CP, 60}, 9, 1000, "2g2f", "2g2f 8c8d"},
    {true, {WIRE_SCORE_MATE, 5}, 11, 1000, "3a2b", "3a2b"},
};

static bool says(const char *text) { return strstr(out.data, text) != NULL; }

START_TEST(table_shows_scores_of_black_and_losses_of_the_mover)
{
    game_table_write(&record, "game.csa", positions, &out);
    ck_assert_int_eq(out.status, ST_OK);
    ck_assert(says("   1  ▲7g7f         +50  2g2f        0      9  \n")); /* +50 stays +50: nothing lost */
    ck_assert(says("   2  △3c3d         +60  =                  9  \n")); /* the engine's own move */
    ck_assert(says("   3  ▲8h2b+    mate -5  2g2f     3060     11  ??\n"));
    ck_assert(says("▲  2 moves, mean loss 1530 cp, engine's move 0, inaccuracies ?! 0, mistakes ? 0, blunders ?? 1\n"));
    ck_assert(says("△  1 moves, mean loss 0 cp, engine's move 1, inaccuracies ?! 0, mistakes ? 0, blunders ?? 0\n"));
    ck_assert(says("     3 ▲8h2b+   53 %  blunder      better: 2g2f 8c8d\n")); /* 52.5 % for +60 */
}
END_TEST

START_TEST(json_is_one_line_with_the_view_of_the_side_to_move)
{
    game_table_write_json(&record, "a\\b.csa", 2, positions, &out);
    ck_assert_int_eq(out.status, ST_OK);
    ck_assert_ptr_eq(strchr(out.data, '\n'), out.data + out.length - 1);
    ck_assert(says("{\"file\":\"a\\\\b.csa\",\"index\":2,\"black\":\"A\\\"B\",\"white\":\"C\","));
    ck_assert(says("{\"ply\":1,\"move\":\"7g7f\",\"loss_cp\":0,\"loss_win_permille\":0,\"class\":\"good\",\"score\":{"
                   "\"cp\":-50},"));
    ck_assert(says("\"class\":\"blunder\",\"score\":{\"mate\":5},\"depth\":11,\"nodes\":1000,\"best\":\"3a2b\",\"pv\":"
                   "\"3a2b\"}]}"));
}
END_TEST

START_TEST(what_was_not_analysed_is_shown_as_unknown)
{
    struct game_position some[4];
    memcpy(some, positions, sizeof some);
    some[1].done = false;
    game_table_write(&record, "game.csa", some, &out);
    ck_assert(says("   1  ▲7g7f           -  2g2f               9  \n"));
    ck_assert(says("   3  ▲8h2b+    mate -5  2g2f     3060     11  ??\n"));
}
END_TEST

START_TEST(csv_has_a_row_for_each_move)
{
    game_table_write_csv_head(&out);
    game_table_write_csv(&record, "a\"b.csa", 0, positions, &out);
    ck_assert_int_eq(out.status, ST_OK);
    ck_assert_str_eq(
        out.data, "file,game,black,white,ply,side,move,score,best,loss_cp,loss_win_permille,class,depth,nodes,pv,sfen\n"
                  "\"a\"\"b.csa\",0,\"A\"\"B\",\"C\",1,black,7g7f,+50,2g2f,0,0,good,9,1000,2g2f 8c8d,"
                  "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n"
                  "\"a\"\"b.csa\",0,\"A\"\"B\",\"C\",2,white,3c3d,+60,3c3d,0,0,best,9,1000,3c3d 2g2f,"
                  "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n"
                  "\"a\"\"b.csa\",0,\"A\"\"B\",\"C\",3,black,8h2b+,mate -5,2g2f,3060,525,blunder,11,1000,2g2f 8c8d,"
                  "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3\n");
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("game_table");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, table_shows_scores_of_black_and_losses_of_the_mover);
    tcase_add_test(tc, json_is_one_line_with_the_view_of_the_side_to_move);
    tcase_add_test(tc, what_was_not_analysed_is_shown_as_unknown);
    tcase_add_test(tc, csv_has_a_row_for_each_move);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("game_table", add_cases)
