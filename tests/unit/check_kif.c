/* check_kif.c - what the KIF reader must understand and refuse, and what the writer says. */
#include "common/shogi/kif.h"
#include "tests/unit/check_main.h"
#include "tests/unit/record_helpers.h"

#define HEAD "手合割：平手\n手数----指手---------消費時間--\n"
#define KINGS                                                                                                                           \
    "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n"                                                            \
    "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n" \
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n" \
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n" \
    "+---------------------------+\n"

static struct record record;

static void setup(void) { record_init(&record); }
static void teardown(void) { record_free(&record); }

START_TEST(headers_come_with_wide_or_narrow_colons)
{
    ck_assert_int_eq(read_text(&record,
                               "先手：甲　\n後手:乙\n棋戦：名人戦\n持ち時間：６時間\n備考：x:y\n独自：値\n" HEAD
                               "   1 ７六歩(77)\n"),
                     RECORD_FORMAT_KIF);
    ASSERT_HEADER(&record, RECORD_KEY_BLACK, "甲");
    ASSERT_HEADER(&record, RECORD_KEY_WHITE, "乙");
    ASSERT_HEADER(&record, RECORD_KEY_EVENT, "名人戦");
    ASSERT_HEADER(&record, RECORD_KEY_TIME_CONTROL, "６時間");
    ASSERT_HEADER(&record, RECORD_KEY_NOTE, "x:y");
    ck_assert_uint_eq(record.header_count, 6);
    ASSERT_SPAN(&record, record.headers[5].name, "独自");
    ck_assert_uint_eq(record.problem_count, 0);
}
END_TEST

START_TEST(times_are_read_in_all_their_forms)
{
    read_text(&record, HEAD
              "   1 ７六歩(77)   ( 0:16/00:00:16)\n   2 ３四歩(33)(00:01 / 00:00:01)\n3   ２六歩(27)   (0:4/0:0:20)\n"
              "   4 ８四歩(83)   ( 0:01 / 00:00:02 )  \n   5 ２五歩(26)   (1:02:03/01:02:23)+\n   6 ８五歩(84)\n   7 "
              "投了 ( 0:09/ 1:02:32)\n");
    static const int32_t expected[] = {16000, 1000, 4000, 1000, 3723000, -1};
    for (size_t i = 0; i < 6; i++) ck_assert_int_eq(record.moves[i].time_ms, expected[i]);
    ck_assert_int_eq(record_main(&record)->end_time_ms, 9000);
    ck_assert_uint_eq(record.problem_count, 0);
}
END_TEST

START_TEST(every_end_has_its_winner_with_and_without_a_number)
{
    static const struct {
        const char *word;
        enum record_end end;
        const char *winner;
    } cases[] = {/* White is to move */
                 {"投了", RECORD_END_RESIGN, "b"},
                 {"中断", RECORD_END_INTERRUPTED, "none"},
                 {"持将棋", RECORD_END_IMPASSE, "draw"},
                 {"千日手", RECORD_END_REPETITION, "draw"},
                 {"詰み", RECORD_END_MATE, "b"},
                 {"詰", RECORD_END_MATE, "b"},
                 {"切れ負け", RECORD_END_TIME_UP, "b"},
                 {"時間切れ", RECORD_END_TIME_UP, "b"},
                 {"反則勝ち", RECORD_END_ILLEGAL_WIN, "w"},
                 {"反則負け", RECORD_END_ILLEGAL_LOSS, "b"},
                 {"入玉勝ち", RECORD_END_DECLARATION, "w"},
                 {"不戦勝", RECORD_END_DEFAULT_WIN, "w"},
                 {"不戦敗", RECORD_END_DEFAULT_LOSS, "b"},
                 {"不詰", RECORD_END_NO_MATE, "none"},
                 {"最大手数", RECORD_END_MAX_MOVES, "draw"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int numbered = 0; numbered < 2; numbered++) {
            char text[300];
            snprintf(text, sizeof text, HEAD "   1 ７六歩(77)\n%s%s\n", numbered ? "   2 " : "", cases[i].word);
            read_text(&record, text);
            ck_assert_msg(record_main(&record)->end == cases[i].end, "%s", cases[i].word);
            ck_assert_msg(strcmp(winner_text(record_main(&record)), cases[i].winner) == 0, "%s: %s", cases[i].word,
                          winner_text(record_main(&record)));
            ASSERT_SPAN(&record, record_main(&record)->end_word, cases[i].word);
            ck_assert_uint_eq(record.problem_count, 0);
        }
    read_text(&record, HEAD "   1 ７六歩(77)\n   2 封じ手\n");
    ck_assert_int_eq(record_main(&record)->end, RECORD_END_OTHER);
    ASSERT_SPAN(&record, record_main(&record)->end_word, "封じ手");
}
END_TEST

START_TEST(the_result_line_ends_a_game_that_has_no_other_end)
{
    static const struct {
        const char *line;
        enum record_end end;
        const char *winner;
    } cases[] = {
        {"まで1手で先手の勝ち", RECORD_END_RESIGN, "b"},
        {"まで1手で時間切れにより後手の勝ち", RECORD_END_TIME_UP, "w"},
        {"まで1手で先手の反則負け", RECORD_END_ILLEGAL_WIN, "w"}, /* White's turn: it wins by the other's foul */
        {"まで1手で後手の反則負け", RECORD_END_ILLEGAL_LOSS, "b"},
        {"まで1手で下手の反則勝ち", RECORD_END_ILLEGAL_LOSS, "b"},
        {"まで1手で後手の入玉勝ち", RECORD_END_DECLARATION, "w"},
        {"まで1手で千日手", RECORD_END_REPETITION, "draw"},
        {"まで1手詰", RECORD_END_MATE, "b"},
        {"まで1手で中断", RECORD_END_INTERRUPTED, "none"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[300];
        snprintf(text, sizeof text, HEAD "   1 ７六歩(77)\n%s\n", cases[i].line);
        read_text(&record, text);
        ck_assert_msg(record_main(&record)->end == cases[i].end, "%s: %d", cases[i].line, record_main(&record)->end);
        ck_assert_msg(strcmp(winner_text(record_main(&record)), cases[i].winner) == 0, "%s: %s", cases[i].line,
                      winner_text(record_main(&record)));
    }
}
END_TEST

START_TEST(comments_bookmarks_and_notes_stay_with_their_positions)
{
    read_text(&record, "#KIF version=2.0 encoding=UTF-8\n# made by a test\n*https://example.invalid/1\n先手:甲\n" HEAD
                       "*start\n&mark\n   1 ７六歩(77)\n**評価値=120\n*\n#note\n   2 投了\n*end\n");
    static const struct {
        uint16_t ply;
        uint8_t kind;
        const char *text;
    } expected[] = {{0, RECORD_COMMENT_NOTE, " made by a test"},
                    {0, RECORD_COMMENT_USER, "https://example.invalid/1"},
                    {0, RECORD_COMMENT_USER, "start"},
                    {0, RECORD_COMMENT_BOOKMARK, "mark"},
                    {1, RECORD_COMMENT_PROGRAM, "評価値=120"},
                    {1, RECORD_COMMENT_USER, ""},
                    {1, RECORD_COMMENT_NOTE, "note"},
                    {2, RECORD_COMMENT_USER, "end"}};
    ck_assert_uint_eq(record.comment_count, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < record.comment_count; i++) {
        ck_assert_uint_eq(record.comments[i].ply, expected[i].ply);
        ck_assert_uint_eq(record.comments[i].kind, expected[i].kind);
        ASSERT_SPAN(&record, record.comments[i].text, expected[i].text);
    }
    ck_assert_int_eq(record.moves[0].score, 120);
}
END_TEST

START_TEST(scores_of_four_programs_are_understood)
{
    static const struct {
        const char *comment;
        enum record_score_kind kind;
        int32_t score;
    } cases[] = {{"** -35 +2625FU -8485FU #12345", RECORD_SCORE_CP, -35},
                 {"**評価値=-60", RECORD_SCORE_CP, -60},
                 {"*#評価値=-102", RECORD_SCORE_CP, -102},
                 {"**詰み=先手勝ち", RECORD_SCORE_MATE, RECORD_MATE_UNKNOWN_PLIES},
                 {"*#詰み=後手勝ち:8手", RECORD_SCORE_MATE, -8},
                 {"**対局 深さ 8 ノード数 12345 評価値 -35 読み筋 ▲２五歩(26)", RECORD_SCORE_CP, -35},
                 {"**解析 深さ 8 評価値 -詰 7 読み筋", RECORD_SCORE_MATE, -7},
                 {"*63", RECORD_SCORE_NONE, 0},
                 {"*a comment", RECORD_SCORE_NONE, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[300];
        snprintf(text, sizeof text, HEAD "   1 ７六歩(77)\n%s\n", cases[i].comment);
        read_text(&record, text);
        ck_assert_msg(record.moves[0].score_kind == cases[i].kind && record.moves[0].score == cases[i].score,
                      "%s: %d %d", cases[i].comment, record.moves[0].score_kind, record.moves[0].score);
    }
    read_text(&record, "# Generated by Shogidokoro\n" HEAD "   1 ７六歩(77)\n*-78--\n*P8c-8d\n   2 ３四歩(33)\n*+詰\n");
    ck_assert_int_eq(record.moves[0].score, -78);
    ck_assert_int_eq(record.moves[1].score_kind, RECORD_SCORE_MATE);
}
END_TEST

START_TEST(handicaps_by_word_let_white_begin)
{
    static const struct {
        const char *word, *sfen;
    } cases[] = {{"香落ち", "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
                 {"角落ち", "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
                 {"六枚落ち　　", "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
                 {"十枚落ち", "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
                 {"平手#x", SFEN_STARTPOS},
                 {"詰将棋", SFEN_STARTPOS}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[300];
        snprintf(text, sizeof text, "手合割：%s\n下手：a\n上手：b\n手数----指手---------消費時間--\n", cases[i].word);
        read_text(&record, text);
        ck_assert_str_eq(sfen_of(&record.initial), cases[i].sfen);
        ASSERT_HEADER(&record, RECORD_KEY_BLACK, "a");
        ASSERT_HEADER(&record, RECORD_KEY_WHITE, "b");
    }
}
END_TEST

START_TEST(a_board_overrides_the_word_and_the_side_is_found)
{
    read_text(&record, "手合割：平手\n後手の持駒：飛　歩十八\n" KINGS
                       "先手の持駒：金二\n手数----指手---------消費時間--\n   1 ５二金打\n");
    ck_assert_str_eq(sfen_of(&record.initial), SFEN_STARTPOS); /* nineteen pawns */
    ck_assert(record.rejected);
    read_text(&record, "手合割：平手\n後手の持駒：飛　歩十七\n" KINGS
                       "先手の持駒：金二\n手数----指手---------消費時間--\n   1 ５二金打\n");
    ck_assert_str_eq(sfen_of(&record.initial), "4k4/9/4P4/9/9/9/9/9/4K4 b 2Gr17p 1");
    ck_assert_str_eq(line_usi(&record, 0), "G*5b");
    read_text(&record,
              "後手の持駒：\n" KINGS "先手の持駒：なし\n後手番\n手数----指手---------消費時間--\n   1 ５二玉(51)\n");
    ck_assert_str_eq(line_usi(&record, 0), "5a5b");
    read_text(&record,
              "後手の持駒：\n" KINGS
              "先手の持駒：なし\n手数----指手---------消費時間--\n   1 ５二玉(51)\n"); /* nobody said whose turn */
    ck_assert_str_eq(line_usi(&record, 0), "5a5b");
    read_text(&record, "手数＝12  ▲５三歩  まで\n後手の持駒：\n" KINGS "先手の持駒：なし\n後手番\n   1 同　玉(51)\n");
    ck_assert_str_eq(line_usi(&record, 0), "5a5c");
}
END_TEST

START_TEST(a_broken_board_is_named)
{
    read_text(&record, "手合割：その他\n手数----指手---------消費時間--\n   1 ７六歩(77)\n");
    ck_assert_str_eq(first_problem(&record),
                     "line 2: found nothing, expected nine rows of a board before the first move");
    ck_assert(record.rejected);
    read_text(&record, "|v玉|一\n手数----指手---------消費時間--\n");
    ck_assert_str_eq(first_problem(&record), "line 1: found \"|v玉|一\", expected nine squares of a row");
    read_text(&record, "先手の持駒：玉\n手数----指手---------消費時間--\n");
    ck_assert_str_eq(first_problem(&record), "line 1: found \"玉\", expected pieces in hand such as 飛二　歩十八");
}
END_TEST

START_TEST(nothing_is_left_out_in_silence)
{
    static const struct {
        const char *text, *problem, *usi;
        bool rejected;
    } cases[] = {
        {"   1 ７六歩(77)\n   2 ３四\n   3 ２六歩(27)\n",
         "line 4: found \"2 ３四\", expected a move such as ７六歩(77)", "7g7f", true},
        {"   1 ７六歩(77)\n   3 ３四歩(33)\n", "line 4: found \"3 ３四歩(33)\", expected the number of the next move",
         "7g7f 3c3d", false},
        {"   1 ５八金\n", "line 3: found \"５八金\", expected a move that only one piece can make", "", true},
        {"   1 同　歩(77)\n", "line 3: found \"同　歩(77)\", expected a move before 同", "", true},
        {"   1 ７六歩(77)\nwhat is this\n", "line 4: found \"what is this\", expected a numbered move", "7g7f", false},
        {"   1 ７六歩(77)\n   2 投了\n   3 ２六歩(27)\n",
         "line 5: found \"3 ２六歩(27)\", expected no move after the end", "7g7f", true},
        {"   1 ７六歩(77)\n   2 ３五歩(33)\n   3 ２六歩(27)\n",
         "line 5: found \"3 ２六歩(27)\", expected nothing after an illegal move", "7g7f 3c3e", true},
        {"   1 ７六歩(77)\n\n変化：5手\n   5 ２六歩(27)\n",
         "line 5: found \"変化：5手\", expected a variation at a move that some earlier line has", "7g7f", false},
        {"   1 ７六歩(77) (xx)\n", "line 3: found \"(xx)\", expected a time such as ( 0:01/00:00:01)", "7g7f", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[500];
        snprintf(text, sizeof text, HEAD "%s", cases[i].text);
        read_text(&record, text);
        ck_assert_msg(strcmp(first_problem(&record), cases[i].problem) == 0, "%s\ngot %s", cases[i].text,
                      first_problem(&record));
        ck_assert_str_eq(line_usi(&record, 0), cases[i].usi);
        ck_assert_msg(record.rejected == cases[i].rejected, "%s", cases[i].text);
    }
}
END_TEST

START_TEST(variations_hang_where_they_belong)
{
    read_text(&record, HEAD "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n   4 同　銀(31)\n   5 投了\n\n"
                            "変化：5手\n   5 ２六歩(27)\n*on the end's place\n\n変化：3手\n   3 ６六歩(67)\n   4 "
                            "８四歩(83)\n\n変化：4手目\n   4 ６六角(22)\n   5 同　角(88)\n\n"
                            "変化：3手\n   3 ２六歩(27)\n   4 中断\n\n変化：1手\n   1 ２六歩(27)\n");
    static const struct {
        uint32_t parent, from_ply;
        const char *usi;
    } expected[] = {{0, 1, "7g7f 3c3d 8h2b+ 3a2b"},
                    {0, 5, "2g2f"},
                    {0, 3, "6g6f 8c8d"},
                    {2, 4, "2b6f 8h6f"},
                    {0, 3, "2g2f"},
                    {0, 1, "2g2f"}};
    ck_assert_uint_eq(record.line_count, 6);
    for (uint32_t i = 0; i < 6; i++) {
        ck_assert_uint_eq(record.lines[i].parent, expected[i].parent);
        ck_assert_uint_eq(record.lines[i].from_ply, expected[i].from_ply);
        ck_assert_str_eq(line_usi(&record, i), expected[i].usi);
    }
    ck_assert_int_eq(record.lines[4].end, RECORD_END_INTERRUPTED);
    ck_assert_uint_eq(record.comments[0].line, 1);
    ck_assert_uint_eq(record.comments[0].ply, 5);
    ck_assert_uint_eq(record.problem_count, 0);
    ck_assert_str_eq(sfen_of(&record.final), "lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 5");
}
END_TEST

START_TEST(a_variation_with_a_bad_move_does_not_reject_the_game)
{
    read_text(
        &record, HEAD
        "   1 ７六歩(77)\n   2 ３四歩(33)\n変化：2手\n   2 ３五歩(33)\n   3 ２六歩(27)\n変化：1手\n   1 ２六歩(27)\n");
    ck_assert_str_eq(line_usi(&record, 0), "7g7f 3c3d");
    ck_assert(!record.rejected);
    ck_assert_uint_eq(record.problem_count, 1);
    ck_assert_str_eq(first_problem(&record), "line 6: found \"３五歩(33)\", expected a legal move");
    ck_assert_str_eq(line_usi(&record, 2), "2g2f");
}
END_TEST

START_TEST(what_is_written_is_kif)
{
    read_text(&record,
              "先手：a\n" HEAD
              "*c\n   1 ７六歩(77) (0:01/0:00:01)\n   2 ３四歩(33) (1:02/0:01:02)\n   3 ２二角成(88) (0:02/0:00:03)\n  "
              " 4 同　銀(31)\n   5 ５五角打\n   6 投了 (0:03/0:01:05)\n変化：2手\n   2 ８四歩(83)\n");
    struct text_buffer out;
    text_buffer_init(&out, 10000);
    kif_write(&record, ENCODING_UTF8, &out);
    ck_assert_str_eq(
        out.data,
        "#KIF version=2.0 encoding=UTF-8\n先手：a\n手合割：平手\n手数----指手---------消費時間--\n*c\n"
        "   1 ７六歩(77)   ( 0:01/00:00:01)\n   2 ３四歩(33)   ( 1:02/00:01:02)+\n   3 ２二角成(88) ( 0:02/00:00:03)\n"
        "   4 同　銀(31)   \n   5 ５五角打     \n   6 投了         ( 0:03/00:01:05)\nまで5手で先手の勝ち\n"
        "\n変化：2手\n   2 ８四歩(83)   \n");
    text_buffer_free(&out);
}
END_TEST

START_TEST(games_one_after_the_other_are_kept_apart)
{
    const char *text = HEAD "   1 ７六歩(77)\n   2 投了\nまで1手で先手の勝ち\n\n" HEAD "   1 ２六歩(27)\n";
    struct record_reader reader;
    ck_assert_int_eq(record_reader_init(&reader, text, strlen(text)), ST_OK);
    ck_assert_int_eq(record_next(&reader, &record), ST_OK);
    ck_assert_str_eq(line_usi(&record, 0), "7g7f");
    ck_assert_int_eq(record_next(&reader, &record), ST_OK);
    ck_assert_str_eq(line_usi(&record, 0), "2g2f");
    ck_assert_int_eq(record_next(&reader, &record), ST_MISSING);
    record_reader_free(&reader);
}
END_TEST

START_TEST(games_without_moves_are_games_too)
{
    static const char text[] =
        "#KIF version=2.0 encoding=UTF-8\n先手：甲\n手合割：平手\n手数----指手---------消費時間--\n"
        "\n#KIF version=2.0 encoding=UTF-8\n先手：乙\n手合割：平手\n手数----指手---------消費時間--\n"
        "   1 ７六歩(77)\n";
    struct record_reader reader;
    ck_assert_int_eq(record_reader_init(&reader, text, sizeof text - 1), ST_OK);
    ck_assert_int_eq(record_next(&reader, &record), ST_OK);
    ASSERT_HEADER(&record, RECORD_KEY_BLACK, "甲");
    ck_assert_uint_eq(record_plies(&record), 0);
    ck_assert_int_eq(record_next(&reader, &record), ST_OK);
    ASSERT_HEADER(&record, RECORD_KEY_BLACK, "乙");
    ck_assert_uint_eq(record_plies(&record), 1);
    ck_assert_int_eq(record_next(&reader, &record), ST_MISSING);
    record_reader_free(&reader);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("kif");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, headers_come_with_wide_or_narrow_colons);
    tcase_add_test(tc, times_are_read_in_all_their_forms);
    tcase_add_test(tc, every_end_has_its_winner_with_and_without_a_number);
    tcase_add_test(tc, the_result_line_ends_a_game_that_has_no_other_end);
    tcase_add_test(tc, comments_bookmarks_and_notes_stay_with_their_positions);
    tcase_add_test(tc, scores_of_four_programs_are_understood);
    tcase_add_test(tc, handicaps_by_word_let_white_begin);
    tcase_add_test(tc, a_board_overrides_the_word_and_the_side_is_found);
    tcase_add_test(tc, a_broken_board_is_named);
    tcase_add_test(tc, nothing_is_left_out_in_silence);
    tcase_add_test(tc, variations_hang_where_they_belong);
    tcase_add_test(tc, a_variation_with_a_bad_move_does_not_reject_the_game);
    tcase_add_test(tc, what_is_written_is_kif);
    tcase_add_test(tc, games_one_after_the_other_are_kept_apart);
    tcase_add_test(tc, games_without_moves_are_games_too);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("kif", add_cases)
