/* check_usirecord.c - games as USI lines. */
#include "common/shogi/usirecord.h"
#include "tests/unit/check_main.h"
#include "tests/unit/record_helpers.h"

static struct record record;

static void setup(void) { record_init(&record); }
static void teardown(void) { record_free(&record); }

START_TEST(all_short_forms_are_games)
{
    static const struct {
        const char *text, *usi;
    } cases[] = {{"startpos", ""},
                 {"position startpos", ""},
                 {"position startpos moves", ""},
                 {"startpos moves 7g7f", "7g7f"},
                 {"  position   startpos\tmoves 7g7f  3c3d \r\n", "7g7f 3c3d"},
                 {"sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f", "7g7f"},
                 {"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -", ""},
                 {"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - moves 3c3d", "3c3d"},
                 {"moves 7g7f", "7g7f"},
                 {"7g7f 3c3d 8h2b+ 3a2b B*5e", "7g7f 3c3d 8h2b+ 3a2b B*5e"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_int_eq(read_text(&record, cases[i].text), RECORD_FORMAT_USI);
        ck_assert_str_eq(line_usi(&record, 0), cases[i].usi);
        ck_assert_uint_eq(record.problem_count, 0);
    }
}
END_TEST

START_TEST(resign_and_win_end_a_game_and_other_words_are_kept)
{
    read_text(&record, "position startpos moves 7g7f 3c3d resign\n");
    ck_assert_int_eq(record_main(&record)->end, RECORD_END_RESIGN);
    ck_assert_str_eq(winner_text(record_main(&record)), "w");
    read_text(&record, "position startpos moves 7g7f win\n");
    ck_assert_int_eq(record_main(&record)->end, RECORD_END_DECLARATION);
    ck_assert_str_eq(winner_text(record_main(&record)), "w");
    read_text(&record, "position startpos moves 7g7f rep_draw\n");
    ck_assert_int_eq(record_main(&record)->end, RECORD_END_OTHER);
    ASSERT_SPAN(&record, record_main(&record)->end_word, "rep_draw");
    ck_assert(!record.rejected);
    read_text(&record, "position startpos moves 7g7f rep_draw 3c3d\n");
    ck_assert(record.rejected);
    ck_assert_str_eq(first_problem(&record), "line 1: found \"3c3d\", expected nothing after the end of the game");
}
END_TEST

START_TEST(an_illegal_move_is_kept_when_it_is_the_last)
{
    read_text(&record, "position startpos moves 7g7f 3c3e\n");
    ck_assert_uint_eq(record.illegal_ply, 2);
    ck_assert(!record.rejected);
    read_text(&record, "position startpos moves 7g7f 3c3e 2g2f\n");
    ck_assert_uint_eq(record.illegal_ply, 2);
    ck_assert(record.rejected);
    ck_assert_str_eq(line_usi(&record, 0), "7g7f 3c3e");
}
END_TEST

START_TEST(a_refused_position_says_why)
{
    read_text(&record, "position sfen 9/9/9/9/9/9/9/9/9 b 19P 1\n");
    ck_assert(record.rejected);
    ck_assert(strstr(first_problem(&record), "line 1: found ") != NULL);
    read_text(&record, "position start moves 7g7f\n");
    ck_assert_str_eq(first_problem(&record),
                     "line 1: found \"position start moves 7g7f\", expected startpos, sfen or moves");
}
END_TEST

START_TEST(positions_of_composers_are_read_with_a_remark)
{
    read_text(&record, "sfen 7pk/7p1/9/9/9/9/9/9/9 b R moves R*2c\n");
    ck_assert_str_eq(line_usi(&record, 0), "R*2c");
    ck_assert(!record.rejected);
    ck_assert_uint_eq(record.problem_count, 1);
}
END_TEST

START_TEST(each_line_is_a_game_and_session_talk_is_passed_over)
{
    const char *text = "usi\nid name x\n# note\n\nposition startpos moves 7g7f\ngo btime 1\nbestmove "
                       "3c3d\nstartpos\nposition startpos moves 7g7f 3c3d\n";
    struct record_reader reader;
    ck_assert_int_eq(record_reader_init(&reader, text, strlen(text)), ST_OK);
    static const char *const usi[] = {"7g7f", "", "7g7f 3c3d"};
    static const uint32_t numbers[] = {5, 8, 9};
    for (size_t i = 0; i < 3; i++) {
        ck_assert_int_eq(record_next(&reader, &record), ST_OK);
        ck_assert_str_eq(line_usi(&record, 0), usi[i]);
        ck_assert_uint_eq(record.line_number_first, numbers[i]);
    }
    ck_assert_int_eq(record_next(&reader, &record), ST_MISSING);
    record_reader_free(&reader);
}
END_TEST

START_TEST(a_pv_is_a_line_of_play_and_the_word_behind_it_a_flag)
{
    read_text(&record, "info depth 12 score cp -30 nodes 1000 pv 7g7f 3c3d rep_inf\n");
    ck_assert_str_eq(line_usi(&record, 0), "7g7f 3c3d");
    ASSERT_HEADER(&record, RECORD_KEY_PV_END, "rep_inf");
    ck_assert_int_eq(record_main(&record)->end, RECORD_END_NONE);
}
END_TEST

START_TEST(what_is_written_is_what_engines_read)
{
    struct text_buffer out;
    text_buffer_init(&out, 1000);
    read_text(&record, "startpos moves 7g7f resign\n");
    usirecord_write(&record, false, &out);
    ck_assert_str_eq(out.data, "position startpos moves 7g7f");
    text_buffer_clear(&out);
    usirecord_write(&record, true, &out);
    ck_assert_str_eq(out.data, "position startpos moves 7g7f resign");
    text_buffer_clear(&out);
    read_text(&record, "4k4/9/9/9/9/9/9/9/4K4 w G2p 12\n");
    usirecord_write(&record, true, &out);
    ck_assert_str_eq(out.data, "position sfen 4k4/9/9/9/9/9/9/9/4K4 w G2p 12");
    text_buffer_free(&out);
}
END_TEST

START_TEST(four_thousand_plies_are_the_limit)
{
    struct text_buffer text;
    text_buffer_init(&text, 1 << 20);
    text_buffer_put_string(&text, "startpos moves");
    for (int i = 0; i < 1002; i++) text_buffer_put_string(&text, " 5i5h 5a5b 5h5i 5b5a");
    read_text(&record, text.data);
    ck_assert_uint_eq(record_plies(&record), RECORD_PLIES_MAX);
    ck_assert(record.rejected);
    text_buffer_free(&text);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("usirecord");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, all_short_forms_are_games);
    tcase_add_test(tc, resign_and_win_end_a_game_and_other_words_are_kept);
    tcase_add_test(tc, an_illegal_move_is_kept_when_it_is_the_last);
    tcase_add_test(tc, a_refused_position_says_why);
    tcase_add_test(tc, positions_of_composers_are_read_with_a_remark);
    tcase_add_test(tc, each_line_is_a_game_and_session_talk_is_passed_over);
    tcase_add_test(tc, a_pv_is_a_line_of_play_and_the_word_behind_it_a_flag);
    tcase_add_test(tc, what_is_written_is_what_engines_read);
    tcase_add_test(tc, four_thousand_plies_are_the_limit);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("usirecord", add_cases)
