/* check_text.c - the bounded scanner and the growing buffer. */
#include "common/base/text.h"
#include "tests/unit/check_main.h"

#include <string.h>

#define T(literal)             text_make(literal, sizeof(literal) - 1)
#define ASSERT_TEXT(t, string) ck_assert_msg(text_is(t, string), "got \"%.*s\"", (int)text_length(t), (t).at)

START_TEST(lines_end_in_lf_crlf_or_cr_in_any_mixture)
{
    struct text rest = T("one\ntwo\r\nthree\rfour\n\n\r\rlast"), line;
    static const char *const lines[] = {"one", "two", "three", "four", "", "", "", "last"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        ck_assert(text_take_line(&rest, &line));
        ASSERT_TEXT(line, lines[i]);
    }
    ck_assert(!text_take_line(&rest, &line));
}
END_TEST

START_TEST(a_line_end_at_the_end_makes_no_further_line)
{
    struct text rest = T("x\r\n"), line;
    ck_assert(text_take_line(&rest, &line));
    ck_assert(!text_take_line(&rest, &line));
}
END_TEST

START_TEST(blanks_are_space_tab_and_ideographic_space)
{
    ASSERT_TEXT(text_trim(T(" \t　手合割　\t \r\n")), "手合割");
    ASSERT_TEXT(text_trim(T("　")), "");
    ck_assert_uint_eq(text_length(text_trim(T("a\0 "))), 2); /* a NUL byte is no blank */
}
END_TEST

START_TEST(a_cut_never_splits_a_character)
{
    ASSERT_TEXT(text_clip(T("a歩b"), 4), "a歩");
    ASSERT_TEXT(text_clip(T("a歩b"), 3), "a");
    ASSERT_TEXT(text_clip(T("a歩b"), 0), "");
    ASSERT_TEXT(text_clip(T("a歩b"), 99), "a歩b");
}
END_TEST

START_TEST(numbers_above_the_limit_are_refused_without_moving_the_cursor)
{
    struct text t = T("1234x");
    uint64_t n;
    ck_assert(!text_take_number(&t, 1233, &n));
    ASSERT_TEXT(t, "1234x");
    ck_assert(text_take_number(&t, 1234, &n));
    ck_assert_uint_eq(n, 1234);
    ASSERT_TEXT(t, "x");
    struct text huge = T("18446744073709551616");
    ck_assert(!text_take_number(&huge, UINT64_MAX, &n));
    struct text largest = T("18446744073709551615");
    ck_assert(text_take_number(&largest, UINT64_MAX, &n));
    ck_assert(n == UINT64_MAX);
}
END_TEST

START_TEST(signed_numbers_take_plus_and_minus)
{
    int64_t n;
    struct text t = T("-12+3--4");
    ck_assert(text_take_signed(&t, 100, &n) && n == -12);
    ck_assert(text_take_signed(&t, 100, &n) && n == 3);
    ck_assert(!text_take_signed(&t, 100, &n));
    ASSERT_TEXT(t, "--4");
}
END_TEST

START_TEST(bad_bytes_read_one_by_one_as_replacement_characters)
{
    struct text t = T("\xE3\x80\xFF\xC0\xAF\xED\xA0\x80歩");
    unsigned bad = 0;
    uint32_t last = 0;
    while (!text_empty(t)) {
        last = text_take_code_point(&t);
        bad += last == 0xFFFD;
    }
    ck_assert_uint_eq(bad, 8);
    ck_assert_uint_eq(last, 0x6B69);
    ck_assert_uint_eq(text_take_code_point(&t), 0);
}
END_TEST

START_TEST(a_clean_copy_has_no_control_characters_and_is_utf8)
{
    struct text_buffer b;
    text_buffer_init(&b, 100);
    text_buffer_put_clean(&b, T("a\x1b[2J\tb\xFFz\xE2\x80\xA8"));
    ASSERT_TEXT(text_buffer_view(&b), "a [2J b\xEF\xBF\xBDz ");
    text_buffer_free(&b);
    text_buffer_free(&b);
}
END_TEST

START_TEST(a_full_buffer_remembers_its_failure_and_keeps_what_fitted)
{
    struct text_buffer b;
    text_buffer_init(&b, 5);
    text_buffer_put_string(&b, "abc");
    text_buffer_put_string(&b, "def");
    ck_assert_int_eq(b.status, ST_TOO_BIG);
    text_buffer_put_string(&b, "g");
    ASSERT_TEXT(text_buffer_view(&b), "abc");
    text_buffer_clear(&b);
    text_buffer_format(&b, "%d-%s", 12, "xy");
    ck_assert_int_eq(b.status, ST_OK);
    ck_assert_str_eq(b.data, "12-xy");
    text_buffer_free(&b);
}
END_TEST

START_TEST(code_points_are_written_in_one_to_four_bytes)
{
    struct text_buffer b;
    text_buffer_init(&b, 100);
    static const uint32_t points[] = {'A', 0xE9, 0x6B69, 0x1F600, 0xD800, 0x110000};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) text_buffer_put_code_point(&b, points[i]);
    ck_assert_str_eq(b.data, "A\xC3\xA9歩\xF0\x9F\x98\x80\xEF\xBF\xBD\xEF\xBF\xBD");
    text_buffer_free(&b);
}
END_TEST

START_TEST(words_are_parted_by_blanks_and_end_with_the_line)
{
    struct text t = T("  position\tstartpos \n x"), word;
    ck_assert(text_take_word(&t, &word));
    ASSERT_TEXT(word, "position");
    ck_assert(text_take_word(&t, &word));
    ASSERT_TEXT(word, "startpos");
    ck_assert(!text_take_word(&t, &word));
    ck_assert(text_contains(T("a pv b"), " pv "));
    ck_assert(!text_contains(T("a pv"), " pv "));
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("text");
    tcase_add_test(tc, lines_end_in_lf_crlf_or_cr_in_any_mixture);
    tcase_add_test(tc, a_line_end_at_the_end_makes_no_further_line);
    tcase_add_test(tc, blanks_are_space_tab_and_ideographic_space);
    tcase_add_test(tc, a_cut_never_splits_a_character);
    tcase_add_test(tc, numbers_above_the_limit_are_refused_without_moving_the_cursor);
    tcase_add_test(tc, signed_numbers_take_plus_and_minus);
    tcase_add_test(tc, bad_bytes_read_one_by_one_as_replacement_characters);
    tcase_add_test(tc, a_clean_copy_has_no_control_characters_and_is_utf8);
    tcase_add_test(tc, a_full_buffer_remembers_its_failure_and_keeps_what_fitted);
    tcase_add_test(tc, code_points_are_written_in_one_to_four_bytes);
    tcase_add_test(tc, words_are_parted_by_blanks_and_end_with_the_line);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("text", add_cases)
