/* check_csa.c - what the CSA reader must understand and refuse, and what the writer says. */
#include "common/shogi/csa.h"
#include "tests/unit/check_main.h"
#include "tests/unit/record_helpers.h"

static struct record record;

static void setup(void) { record_init(&record); }
static void teardown(void) { record_free(&record); }

START_TEST(headers_times_and_comments_stay_with_their_moves)
{
    enum record_format format =
        read_text(&record, "V2.2\nN+A,B\nN-\xE4\xB9\x99\n$EVENT:Final\n$SITE:here\n$START_TIME:2024/05/03 10:30:00\n"
                           "$TIME_LIMIT:00:25+00\n$OPENING:YAGURA\nPI\n+\n'*before\n+7776FU,T12,-3334FU\nT6.5\n"
                           "'** 113 +2726FU\n'plain\n%TORYO,T60\n'*over\n");
    ck_assert_int_eq(format, RECORD_FORMAT_CSA);
    ASSERT_HEADER(&record, RECORD_KEY_BLACK, "A,B");
    ASSERT_HEADER(&record, RECORD_KEY_WHITE, "乙");
    ASSERT_HEADER(&record, RECORD_KEY_EVENT, "Final");
    ASSERT_HEADER(&record, RECORD_KEY_TIME_CONTROL, "00:25+00");
    ASSERT_HEADER(&record, RECORD_KEY_START_TIME, "2024/05/03 10:30:00");
    ck_assert_int_eq(record.moves[0].time_ms, 12000);
    ck_assert_int_eq(record.moves[1].time_ms, 6500);
    ck_assert_int_eq(record_main(&record)->end_time_ms, 60000);
    ck_assert_uint_eq(record.comment_count, 4);
    static const struct {
        uint16_t ply;
        uint8_t kind;
        const char *text;
    } expected[] = {{0, RECORD_COMMENT_USER, "before"},
                    {2, RECORD_COMMENT_PROGRAM, " 113 +2726FU"},
                    {2, RECORD_COMMENT_NOTE, "plain"},
                    {3, RECORD_COMMENT_USER, "over"}};
    for (size_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(record.comments[i].ply, expected[i].ply);
        ck_assert_uint_eq(record.comments[i].kind, expected[i].kind);
        ASSERT_SPAN(&record, record.comments[i].text, expected[i].text);
    }
    ck_assert_int_eq(record.moves[1].score_kind, RECORD_SCORE_CP);
    ck_assert_int_eq(record.moves[1].score, 113);
    ck_assert_uint_eq(record.problem_count, 0);
}
END_TEST

START_TEST(every_end_has_its_winner)
{
    static const struct {
        const char *word;
        enum record_end end;
        const char *winner;
    } cases[] = {/* White is to move */
                 {"%TORYO", RECORD_END_RESIGN, "b"},
                 {"%TIME_UP", RECORD_END_TIME_UP, "b"},
                 {"%ILLEGAL_MOVE", RECORD_END_ILLEGAL_LOSS, "b"},
                 {"%+ILLEGAL_ACTION", RECORD_END_ILLEGAL_WIN, "w"},
                 {"%-ILLEGAL_ACTION", RECORD_END_ILLEGAL_LOSS, "b"},
                 {"%KACHI", RECORD_END_DECLARATION, "w"},
                 {"%SENNICHITE", RECORD_END_REPETITION, "draw"},
                 {"%JISHOGI", RECORD_END_IMPASSE, "draw"},
                 {"%HIKIWAKE", RECORD_END_DRAW, "draw"},
                 {"%MAX_MOVES", RECORD_END_MAX_MOVES, "draw"},
                 {"%TSUMI", RECORD_END_MATE, "b"},
                 {"%FUZUMI", RECORD_END_NO_MATE, "none"},
                 {"%CHUDAN", RECORD_END_INTERRUPTED, "none"},
                 {"%MATTA", RECORD_END_TAKEN_BACK, "none"},
                 {"%ERROR", RECORD_END_ERROR, "none"},
                 {"%SOMETHING_NEW", RECORD_END_OTHER, "none"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[100];
        snprintf(text, sizeof text, "PI\n+\n+7776FU\n%s\n", cases[i].word);
        read_text(&record, text);
        ck_assert_msg(record_main(&record)->end == cases[i].end, "%s", cases[i].word);
        ck_assert_msg(strcmp(winner_text(record_main(&record)), cases[i].winner) == 0, "%s: %s", cases[i].word,
                      winner_text(record_main(&record)));
    }
    ASSERT_SPAN(&record, record_main(&record)->end_word, "SOMETHING_NEW");
}
END_TEST

START_TEST(an_illegal_last_move_ends_a_lost_game)
{
    read_text(&record, "PI\n+\n+7776FU\n-3334FU\n+8822KA\n-2288UM\n%ILLEGAL_MOVE\n"); /* the bishop on 22 is Black's */
    ck_assert_str_eq(line_usi(&record, 0), "7g7f 3c3d 8h2b 2b8h+");
    ck_assert_uint_eq(record.illegal_ply, 4);
    ASSERT_SPAN(&record, record.illegal_text, "-2288UM");
    ck_assert_str_eq(winner_text(record_main(&record)), "b");
    ck_assert(!record.rejected);
    ck_assert_uint_eq(record.problem_count, 0);
}
END_TEST

START_TEST(moves_after_an_illegal_one_reject_the_game_but_keep_what_came_before)
{
    read_text(&record, "PI\n+\n+7776FU\n-3435FU\n+2726FU\n%TORYO\n");
    ck_assert_str_eq(line_usi(&record, 0), "7g7f 3d3e");
    ck_assert_uint_eq(record.illegal_ply, 2);
    ck_assert(record.rejected);
    ck_assert_str_eq(first_problem(&record), "line 5: found \"+2726FU\", expected nothing after an illegal move");
}
END_TEST

START_TEST(problems_name_line_found_and_expected)
{
    static const struct {
        const char *text, *problem;
        bool rejected;
    } cases[] = {
        {"PI\n+\n+77x6FU\n", "line 3: found \"+77x6FU\", expected a move such as +7776FU", true},
        {"PI\n+\n-3334FU\n", "line 3: found \"-3334FU\", expected a move of Black (+)", true},
        {"PI\n+\n+7776FU\nTx\n", "line 4: found \"Tx\", expected T and seconds", false},
        {"PI\n+\n+7776FU\nT1\nT2\n", "line 5: found \"T2\", expected one time for each move", false},
        {"PI\n+\nT1\n", "line 3: found \"T1\", expected a move before its time", false},
        {"PI\n+\n+7776FU\nhello\n", "line 4: found \"hello\", expected a CSA statement", false},
        {"PI\n+\n%TORYO\n+7776FU\n", "line 4: found \"+7776FU\", expected no move after the end of the game", true},
        {"PI99FU\n+\n+7776FU\n", "line 1: found \"PI99FU\", expected pieces of a start position (PI, P1..P9, P+ or P-)",
         true},
        {"P+59OU\nP-51OU58KI\n+\n+5948OU\n%CHUDAN\n", "", false},
        {"P+59OU\nP-51OU58KI\n-\n-5141OU\n",
         "line 3: found \"the king of Black is in check although it is the other side's turn\", "
         "expected a possible start position",
         true},
        {"P1-OU\nP2 * \n+\n", "line 1: found \"P1-OU\", expected pieces of a start position (PI, P1..P9, P+ or P-)",
         true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        read_text(&record, cases[i].text);
        ck_assert_msg(strcmp(first_problem(&record), cases[i].problem) == 0, "%s\ngot %s", cases[i].text,
                      first_problem(&record));
        ck_assert_msg(record.rejected == cases[i].rejected, "%s", cases[i].text);
    }
}
END_TEST

START_TEST(pieces_in_hand_may_be_all_the_rest)
{
    read_text(&record, "P-11OU\nP+33KI\nP+00KI\nP-00AL\n+\n+3332KI\n");
    ck_assert_str_eq(sfen_of(&record.initial), "8k/9/6G2/9/9/9/9/9/9 b G2r2b2g4s4n4l18p 1");
}
END_TEST

START_TEST(the_server_s_verdict_is_taken_where_it_says_more_than_the_end)
{
    const char *head = "V2\nN+alpha\nN-beta\n'Max_Moves:256\nPI\n+\n+7776FU\n";
    char text[400];
    snprintf(text, sizeof text, "%s'P1-KY\n'-\n'summary:toryo:beta lose:alpha win\n'$END_TIME:2021/04/05 16:25:34\n",
             head);
    read_text(&record, text);
    ck_assert_int_eq(record_main(&record)->end, RECORD_END_RESIGN);
    ck_assert_str_eq(winner_text(record_main(&record)), "b");
    ASSERT_SPAN(&record, record_main(&record)->end_word, "");
    ASSERT_HEADER(&record, RECORD_KEY_MAX_MOVES, "256");
    ASSERT_HEADER(&record, RECORD_KEY_END_TIME, "2021/04/05 16:25:34");
    snprintf(text, sizeof text, "%s%%KACHI\n'summary:illegal kachi:beta lose:alpha win\n", head);
    read_text(&record, text);
    ck_assert_int_eq(record_main(&record)->end, RECORD_END_ILLEGAL_LOSS);
    ASSERT_SPAN(&record, record_main(&record)->end_word, "KACHI");
    ck_assert_str_eq(winner_text(record_main(&record)), "b");
    snprintf(text, sizeof text, "%s#RESIGN\n#LOSE\n", head);
    read_text(&record, text);
    ck_assert_int_eq(record_main(&record)->end, RECORD_END_RESIGN);
    ck_assert_uint_eq(record.problem_count, 0);
}
END_TEST

static unsigned count_games(const char *text, char usi[][40])
{
    struct record_reader reader;
    unsigned games = 0;
    ck_assert_int_eq(record_reader_init(&reader, text, strlen(text)), ST_OK);
    while (record_next(&reader, &record) == ST_OK) snprintf(usi[games++], 40, "%s", line_usi(&record, 0));
    record_reader_free(&reader);
    return games;
}

START_TEST(games_are_parted_by_a_slash_or_by_the_next_header)
{
    char usi[8][40];
    ck_assert_uint_eq(count_games("'archive\n/\nV2.2\nPI\n+\n+7776FU\n%TORYO\n/\n/\nV2.2\nPI\n+\n+2726FU\n/\n", usi),
                      2);
    ck_assert_str_eq(usi[0], "7g7f");
    ck_assert_str_eq(usi[1], "2g2f");
    ck_assert_uint_eq(count_games("V2.2\nPI\n+\n+7776FU\n%TORYO\nV2.2\nPI\n+\n%CHUDAN\nN+x\nPI\n+\n+2726FU\n", usi), 3);
    ck_assert_str_eq(usi[1], "");
    ck_assert_str_eq(usi[2], "2g2f");
}
END_TEST

START_TEST(version_3_headers_and_times_are_read_and_written)
{
    read_text(
        &record,
        "'CSA "
        "encoding=UTF-8\nV3.0\n$TIME:300+0+10\n$MAX_MOVES:320\n$NOTE:a\\\\b\\nc\nPI\n+\n+7776FU,T6.123\n%MAX_MOVES\n");
    ASSERT_HEADER(&record, RECORD_KEY_TIME_CONTROL, "300+0+10");
    ASSERT_HEADER(&record, RECORD_KEY_NOTE, "a\\b c");
    ck_assert_int_eq(record.moves[0].time_ms, 6123);
    struct text_buffer out;
    text_buffer_init(&out, 10000);
    csa_write(&record, CSA_3_0, ENCODING_UTF8, &out);
    ck_assert_str_eq(out.data, "'CSA encoding=UTF-8\nV3.0\n$TIME:300+0+10\n$MAX_MOVES:320\n$NOTE:a\\\\b "
                               "c\nPI\n+\n+7776FU\nT6.123\n%MAX_MOVES\n");
    text_buffer_clear(&out);
    csa_write(&record, CSA_2_2, ENCODING_UTF8, &out);
    ck_assert_str_eq(out.data,
                     "V2.2\n$TIME_LIMIT:300+0+10\n'MAX_MOVES:320\n'NOTE:a\\b c\nPI\n+\n+7776FU\nT6\n%MAX_MOVES\n");
    text_buffer_free(&out);
}
END_TEST

START_TEST(line_ends_and_marks_do_not_matter)
{
    static const char *const texts[] = {"V2.2\nPI\n+\n+7776FU\n'note\n-8384FU\n%CHUDAN",
                                        "V2.2\r\nPI\r\n+\r\n+7776FU\r\n'note\r\n-8384FU\r\n%CHUDAN\r\n",
                                        "V2.2\rPI\r+\r+7776FU\r'note\r-8384FU\r%CHUDAN\r",
                                        "\xEF\xBB\xBFV2.2\nPI\n+\n+7776FU\n'note\n-8384FU\n%CHUDAN\n"};
    for (size_t i = 0; i < 4; i++) {
        read_text(&record, texts[i]);
        ck_assert_str_eq(line_usi(&record, 0), "7g7f 8c8d");
        ck_assert_int_eq(record_main(&record)->end, RECORD_END_INTERRUPTED);
        ck_assert_uint_eq(record.problem_count, 0);
    }
    ck_assert(record.byte_order_mark);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("csa");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, headers_times_and_comments_stay_with_their_moves);
    tcase_add_test(tc, every_end_has_its_winner);
    tcase_add_test(tc, an_illegal_last_move_ends_a_lost_game);
    tcase_add_test(tc, moves_after_an_illegal_one_reject_the_game_but_keep_what_came_before);
    tcase_add_test(tc, problems_name_line_found_and_expected);
    tcase_add_test(tc, pieces_in_hand_may_be_all_the_rest);
    tcase_add_test(tc, the_server_s_verdict_is_taken_where_it_says_more_than_the_end);
    tcase_add_test(tc, games_are_parted_by_a_slash_or_by_the_next_header);
    tcase_add_test(tc, version_3_headers_and_times_are_read_and_written);
    tcase_add_test(tc, line_ends_and_marks_do_not_matter);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("csa", add_cases)
