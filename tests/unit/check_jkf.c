/* check_jkf.c - what the JKF reader must understand and refuse, and what the writer says. */
#include "common/base/json.h"
#include "common/shogi/jkf.h"
#include "tests/unit/check_main.h"
#include "tests/unit/record_helpers.h"

#define MOVE_7776 "{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6},\"piece\":\"FU\",\"color\":0}}"
#define MOVE_3334 "{\"move\":{\"from\":{\"x\":3,\"y\":3},\"to\":{\"x\":3,\"y\":4},\"piece\":\"FU\",\"color\":1}}"

static struct record record;

static void setup(void) { record_init(&record); }
static void teardown(void) { record_free(&record); }

START_TEST(normalised_games_are_read)
{
    ck_assert_int_eq(
        read_text(&record, "{\"header\":{\"先手\":\"甲\",\"棋戦\":\"x\"},\"initial\":{\"preset\":\"HIRATE\"},\"moves\":"
                           "[{\"comments\":[\"c\",\"\"]},"
                           "{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6},\"piece\":\"FU\",\"color\":"
                           "0},\"time\":{\"now\":{\"m\":35,\"s\":42},"
                           "\"total\":{\"h\":0,\"m\":35,\"s\":42}},\"comments\":[\"*評価値=-35\",\"&mark\"]}," MOVE_3334
                           ",{\"special\":\"TORYO\",\"time\":{\"now\":{\"h\":1,\"m\":0,\"s\":1}}}]}"),
        RECORD_FORMAT_JKF);
    ASSERT_HEADER(&record, RECORD_KEY_BLACK, "甲");
    ASSERT_HEADER(&record, RECORD_KEY_EVENT, "x");
    ck_assert_str_eq(line_usi(&record, 0), "7g7f 3c3d");
    ck_assert_int_eq(record.moves[0].time_ms, 2142000);
    ck_assert_int_eq(record.moves[0].score, -35);
    ck_assert_int_eq(record_main(&record)->end, RECORD_END_RESIGN);
    ck_assert_int_eq(record_main(&record)->end_time_ms, 3601000);
    ck_assert_str_eq(winner_text(record_main(&record)), "w");
    ck_assert_uint_eq(record.comment_count, 4);
    ck_assert_uint_eq(record.comments[3].kind, RECORD_COMMENT_BOOKMARK);
    ck_assert_uint_eq(record.problem_count, 0);
}
END_TEST

START_TEST(moves_that_are_not_normalised_are_settled_on_the_board)
{
    read_text(&record,
              "{\"moves\":[{}," MOVE_7776 "," MOVE_3334
              ",{\"move\":{\"to\":{\"x\":5,\"y\":8},\"piece\":\"KI\",\"relative\":\"R\"}},"
              "{\"move\":{\"from\":{\"x\":2,\"y\":2},\"to\":{\"x\":8,\"y\":8},\"piece\":\"KA\",\"promote\":true}},"
              "{\"move\":{\"from\":{\"x\":7,\"y\":9},\"same\":true,\"piece\":\"GI\"}},{\"move\":{\"to\":{\"x\":5,\"y\":"
              "5},\"piece\":\"KA\",\"relative\":\"H\"}}]}");
    ck_assert_str_eq(line_usi(&record, 0), "7g7f 3c3d 4i5h 2b8h+ 7i8h B*5e");
    ck_assert_uint_eq(record.problem_count, 0);
}
END_TEST

START_TEST(forks_hang_on_the_move_that_they_replace)
{
    read_text(&record, "{\"moves\":[{}," MOVE_7776 ",{\"move\":{\"from\":{\"x\":3,\"y\":3},\"to\":{\"x\":3,\"y\":4},"
                       "\"piece\":\"FU\"},\"forks\":[[{\"move\":{\"from\":"
                       "{\"x\":8,\"y\":3},\"to\":{\"x\":8,\"y\":4},\"piece\":\"FU\"}},{\"special\":\"CHUDAN\","
                       "\"forks\":[[{\"move\":{\"from\":{\"x\":2,\"y\":7},\"to\":"
                       "{\"x\":2,\"y\":6},\"piece\":\"FU\"}}]]}],[{\"move\":{\"from\":{\"x\":4,\"y\":3},\"to\":{\"x\":"
                       "4,\"y\":4},\"piece\":\"FU\"}}]]}]}");
    static const struct {
        uint32_t parent, from_ply;
        const char *usi;
    } expected[] = {{0, 1, "7g7f 3c3d"}, {0, 2, "8c8d"}, {0, 2, "4c4d"}, {1, 3, "2g2f"}};
    ck_assert_uint_eq(record.line_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(record.lines[i].parent, expected[i].parent);
        ck_assert_uint_eq(record.lines[i].from_ply, expected[i].from_ply);
        ck_assert_str_eq(line_usi(&record, i), expected[i].usi);
    }
    ck_assert_uint_eq(record.problem_count, 0);
}
END_TEST

START_TEST(problems_name_their_line)
{
    static const struct {
        const char *text, *problem, *usi;
    } cases[] = {
        {"{\n\"moves\": 1}", "line 1: found \"{ \"moves\": 1}\", expected an object with the array moves", ""},
        {"{\"moves\":[{},\n" MOVE_3334 "]}",
         "line 2: found \"{\"from\":{\"x\":3,\"y\":3},\"to\":{\"x\":3,\"y\":4},\"piece\":\"FU\",\"color\":1}\", "
         "expected a move of Black (color 0)",
         ""},
        {"{\"moves\":[{}," MOVE_7776 ",\n{\"move\":{\"piece\":\"XX\"}}]}",
         "line 2: found \"{\"piece\":\"XX\"}\", expected a move with piece and to (x and y from 1 to 9)", "7g7f"},
        {"{\"moves\":[{}," MOVE_7776 ",\n oops]}", "line 2: found \"oops]}\", expected JSON", ""},
        {"{\"moves\":[{}," MOVE_7776, "line 1: found nothing, expected more of the JSON document", ""},
        {"{\"initial\":{\"preset\":\"x\"},\"moves\":[]}",
         "line 1: found \"{\"preset\":\"x\"}\", expected a preset such as HIRATE, or data", ""},
        {"{\"initial\":{\"preset\":\"OTHER\",\"data\":{\"board\":[]}},\"moves\":[]}",
         "line 1: found \"{\"board\":[]}\", expected a board of nine by nine pieces and two hands", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        read_text(&record, cases[i].text);
        ck_assert_msg(strcmp(first_problem(&record), cases[i].problem) == 0, "%s\n%s", cases[i].text,
                      first_problem(&record));
        ck_assert_str_eq(line_usi(&record, 0), cases[i].usi);
        ck_assert(record.rejected);
    }
}
END_TEST

START_TEST(what_is_written_is_json_with_all_parts)
{
    read_text(&record, "position startpos moves 7g7f 3c3d 8h2b+ 3a2b resign\n");
    struct text_buffer out;
    text_buffer_init(&out, 100000);
    jkf_write(&record, &out);
    struct text rest = text_buffer_view(&out);
    struct json root, node, move;
    ck_assert_int_eq(json_take(&rest, &root, NULL), ST_OK);
    ck_assert(json_string_is(json_member(json_member(root, "initial"), "preset"), "HIRATE"));
    struct json_walk walk = json_walk_start(json_member(root, "moves"));
    for (int i = 0; i < 5; i++) ck_assert(json_walk_element(&walk, &node));
    move = json_member(node, "move");
    ck_assert(json_string_is(json_member(move, "piece"), "GI"));
    ck_assert(json_string_is(json_member(move, "capture"), "UM"));
    ck_assert_int_eq(json_member(move, "same").type, JSON_TRUE);
    ck_assert(json_walk_element(&walk, &node));
    ck_assert(json_string_is(json_member(node, "special"), "TORYO"));
    ck_assert(!json_walk_element(&walk, &node));
    text_buffer_free(&out);
}
END_TEST

START_TEST(several_documents_are_several_games)
{
    const char *text =
        "{\"moves\":[{}," MOVE_7776 "]}\n{\"moves\":[{}]}\n\n{\"moves\":[{}," MOVE_7776 "," MOVE_3334 "]}\n";
    static const char *const usi[] = {"7g7f", "", "7g7f 3c3d"};
    static const uint32_t numbers[] = {1, 2, 4};
    struct record_reader reader;
    ck_assert_int_eq(record_reader_init(&reader, text, strlen(text)), ST_OK);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_int_eq(record_next(&reader, &record), ST_OK);
        ck_assert_str_eq(line_usi(&record, 0), usi[i]);
        ck_assert_uint_eq(record.line_number_first, numbers[i]);
    }
    ck_assert_int_eq(record_next(&reader, &record), ST_MISSING);
    record_reader_free(&reader);
}
END_TEST

START_TEST(forks_deeper_than_the_limit_are_not_written_wrongly)
{
    struct text_buffer kif, out;
    text_buffer_init(&kif, 1 << 20);
    text_buffer_init(&out, 1 << 24);
    text_buffer_put_string(&kif, "手合割：平手\n   1 ５八玉(59)\n");
    static const char *const cycle[] = {"５二玉(51)", "５九玉(58)", "５一玉(52)", "５八玉(59)"};
    for (int i = 0; i < JKF_FORKS_DEEP_MAX + 10; i++) /* each variation hangs on the one before */
        text_buffer_format(&kif, "変化：%d手\n%d %s\n%d %s\n", i + 1, i + 1, cycle[(i + 3) % 4], i + 2, cycle[i % 4]);
    read_text(&record, kif.data);
    ck_assert_uint_gt(record.line_count, JKF_FORKS_DEEP_MAX);
    jkf_write(&record, &out);
    ck_assert_int_eq(out.status, ST_TOO_DEEP);
    text_buffer_free(&kif);
    text_buffer_free(&out);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("jkf");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, normalised_games_are_read);
    tcase_add_test(tc, moves_that_are_not_normalised_are_settled_on_the_board);
    tcase_add_test(tc, forks_hang_on_the_move_that_they_replace);
    tcase_add_test(tc, problems_name_their_line);
    tcase_add_test(tc, what_is_written_is_json_with_all_parts);
    tcase_add_test(tc, several_documents_are_several_games);
    tcase_add_test(tc, forks_deeper_than_the_limit_are_not_written_wrongly);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("jkf", add_cases)
