/* check_json.c - what RFC 8259 calls JSON and what not. */
#include "common/base/json.h"
#include "tests/unit/check_main.h"

#include <string.h>

static enum status take(const char *text, struct json *value)
{
    struct text rest = text_from(text);
    enum status st = json_take(&rest, value, NULL);
    if (st == ST_OK && !text_empty(text_trim(rest))) return ST_TRAILING;
    return st;
}

START_TEST(values_of_every_kind_are_taken)
{
    static const struct {
        const char *text;
        enum json_type type;
    } cases[] = {{" null", JSON_NULL},      {"true", JSON_TRUE},
                 {"false ", JSON_FALSE},    {"0", JSON_NUMBER},
                 {"-0.5e+10", JSON_NUMBER}, {"1E9", JSON_NUMBER},
                 {"\"\"", JSON_STRING},     {"\"a\\u00e9\\n\\\"\"", JSON_STRING},
                 {"[]", JSON_ARRAY},        {"[1,[2,{}],\"]\"]", JSON_ARRAY},
                 {"{}", JSON_OBJECT},       {"{\"a\" : [ ] , \"b\":{\"c\":1}}", JSON_OBJECT}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct json value;
        ck_assert_msg(take(cases[i].text, &value) == ST_OK, "%s", cases[i].text);
        ck_assert_int_eq(value.type, cases[i].type);
    }
}
END_TEST

START_TEST(everything_else_is_refused)
{
    static const struct {
        const char *text;
        enum status status;
    } cases[] = {{"", ST_MISSING},          {"  \n", ST_MISSING},       {"[1,]", ST_SYNTAX},    {"[,1]", ST_SYNTAX},
                 {"[1 2]", ST_SYNTAX},      {"{a:1}", ST_SYNTAX},       {"{\"a\"}", ST_SYNTAX}, {"{\"a\":}", ST_SYNTAX},
                 {"{\"a\":1,}", ST_SYNTAX}, {"01", ST_TRAILING},        {"+1", ST_SYNTAX},      {"1.", ST_TRUNCATED},
                 {".5", ST_SYNTAX},         {"1e", ST_TRUNCATED},       {"-", ST_TRUNCATED},    {"nul", ST_SYNTAX},
                 {"tru e", ST_SYNTAX},      {"NaN", ST_SYNTAX},         {"'a'", ST_SYNTAX},     {"\"a", ST_TRUNCATED},
                 {"\"\\x\"", ST_SYNTAX},    {"\"\\u12\"", ST_SYNTAX},   {"\"\n\"", ST_SYNTAX},  {"[", ST_TRUNCATED},
                 {"[1", ST_TRUNCATED},      {"{\"a\":1", ST_TRUNCATED}, {"[}", ST_SYNTAX},      {"[1}", ST_SYNTAX},
                 {"]", ST_SYNTAX},          {"{\"a\":1]", ST_SYNTAX}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct json value;
        enum status st = take(cases[i].text, &value);
        bool same = st == cases[i].status || (st != ST_OK && st != ST_TRAILING && cases[i].status == ST_TRUNCATED);
        ck_assert_msg(same, "%s: %s", cases[i].text, status_text(st));
    }
}
END_TEST

START_TEST(depth_is_limited_and_costs_no_stack)
{
    static char text[2 * JSON_DEPTH_MAX + 10];
    struct json value;
    memset(text, '[', JSON_DEPTH_MAX);
    memset(text + JSON_DEPTH_MAX, ']', JSON_DEPTH_MAX);
    ck_assert_int_eq(take(text, &value), ST_OK);
    memset(text, '[', JSON_DEPTH_MAX + 1);
    memset(text + JSON_DEPTH_MAX + 1, ']', JSON_DEPTH_MAX + 1);
    ck_assert_int_eq(take(text, &value), ST_TOO_DEEP);
}
END_TEST

START_TEST(members_and_elements_are_walked_in_order)
{
    struct json root, part;
    struct text key;
    ck_assert_int_eq(take("{\"a\":[10, 20 ,30],\"b\":{\"x\":7},\"a\":1}", &root), ST_OK);
    struct json a = json_member(root, "a"); /* the first of two */
    int64_t sum = 0, n;
    for (struct json_walk walk = json_walk_start(a); json_walk_element(&walk, &part);) {
        ck_assert(json_integer(part, 100, &n));
        sum = sum * 100 + n;
    }
    ck_assert_int_eq(sum, 102030);
    ck_assert(json_integer(json_member(json_member(root, "b"), "x"), 7, &n) && n == 7);
    ck_assert(!json_integer(json_member(json_member(root, "b"), "x"), 6, &n));
    ck_assert_int_eq(json_member(root, "c").type, JSON_MISSING);
    ck_assert_int_eq(json_member(a, "x").type, JSON_MISSING);
    unsigned members = 0;
    for (struct json_walk walk = json_walk_start(root); json_walk_member(&walk, &key, &part);) members++;
    ck_assert_uint_eq(members, 3);
    struct json_walk none = json_walk_start(json_member(root, "nothing"));
    ck_assert(!json_walk_element(&none, &part));
}
END_TEST

START_TEST(strings_are_decoded_and_written)
{
    struct json value;
    struct text_buffer out;
    text_buffer_init(&out, 1000);
    ck_assert_int_eq(take("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u6b69\\uD83D\\uDE00\\uD83Dx\\uDE00\\u0041歩\"", &value),
                     ST_OK);
    ck_assert(json_put_string(value, &out));
    ck_assert_str_eq(out.data, "\"\\/\b\f\n\r\t歩\xF0\x9F\x98\x80\xEF\xBF\xBDx\xEF\xBF\xBD"
                               "A歩");
    text_buffer_clear(&out);
    json_write_string(&out, text_from("a\"\\\n\x01\x7F歩\xFF"));
    ck_assert_str_eq(out.data, "\"a\\\"\\\\\\n\\u0001\\u007f歩\xEF\xBF\xBD\"");
    ck_assert_int_eq(take(out.data, &value), ST_OK);
    ck_assert(json_string_is(value, "a") == false);
    text_buffer_free(&out);
}
END_TEST

START_TEST(only_whole_numbers_are_integers)
{
    static const char *const texts[] = {"1.5", "1e2", "\"1\"", "true", "9999999999999999999999"};
    int64_t n;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct json value;
        ck_assert_int_eq(take(texts[i], &value), ST_OK);
        ck_assert(!json_integer(value, INT64_MAX, &n));
    }
}
END_TEST

START_TEST(the_place_of_a_mistake_is_given)
{
    struct text rest = text_from("{\"a\": 1,\n\"b\": x}");
    struct json value;
    size_t bad_at = 0;
    ck_assert_int_eq(json_take(&rest, &value, &bad_at), ST_SYNTAX);
    ck_assert_uint_eq(bad_at, 14);
    ck_assert(text_starts(rest, "{")); /* nothing was taken */
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("json");
    tcase_add_test(tc, values_of_every_kind_are_taken);
    tcase_add_test(tc, everything_else_is_refused);
    tcase_add_test(tc, depth_is_limited_and_costs_no_stack);
    tcase_add_test(tc, members_and_elements_are_walked_in_order);
    tcase_add_test(tc, strings_are_decoded_and_written);
    tcase_add_test(tc, only_whole_numbers_are_integers);
    tcase_add_test(tc, the_place_of_a_mistake_is_given);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("json", add_cases)
