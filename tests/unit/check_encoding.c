/* check_encoding.c - Shift_JIS and EUC-JP against the C library's own converter, and encodings found by content. */
#include "common/shogi/encoding.h"
#include "tests/unit/check_main.h"
#include "tests/unit/files.h"

#include <iconv.h>

#define T(literal) text_make(literal, sizeof(literal) - 1)

/* What iconv(3) makes of one character; 0 if it refuses. */
static uint32_t by_iconv(iconv_t converter, const unsigned char *bytes, size_t count)
{
    char in[4], out[8] = "";
    memcpy(in, bytes, count);
    char *from = in, *to = out;
    size_t in_left = count, out_left = sizeof out;
    iconv(converter, NULL, NULL, NULL, NULL);
    if (iconv(converter, &from, &in_left, &to, &out_left) == (size_t)-1 || in_left) return 0;
    struct text t = text_make(out, sizeof out - out_left);
    return text_take_code_point(&t);
}

static uint32_t by_us(enum encoding encoding, const unsigned char *bytes, size_t count, size_t *replaced)
{
    struct text_buffer out;
    text_buffer_init(&out, 100);
    *replaced = encoding_to_utf8(encoding, text_make((const char *)bytes, count), &out);
    struct text t = text_buffer_view(&out);
    uint32_t first = text_take_code_point(&t);
    if (!text_empty(t) && *replaced == 0) ck_abort_msg("%02x%02x gave more than one character", bytes[0], bytes[1]);
    text_buffer_free(&out);
    return first;
}

START_TEST(shift_jis_is_what_the_c_library_calls_cp932)
{
    iconv_t converter = iconv_open("UTF-8", "CP932");
    if (converter == (iconv_t)-1) return; /* a C library without converters */
    unsigned compared = 0;
    for (unsigned lead = 0x81; lead <= 0xFC; lead++) {
        if ((lead >= 0xA0 && lead <= 0xDF) || (lead >= 0xF0 && lead <= 0xF9)) continue; /* single bytes; user-defined */
        for (unsigned trail = 0x40; trail <= 0xFC; trail++) {
            unsigned char bytes[2] = {(unsigned char)lead, (unsigned char)trail};
            uint32_t expected = by_iconv(converter, bytes, 2);
            if (!expected) continue;
            size_t replaced;
            uint32_t got = by_us(ENCODING_SHIFT_JIS, bytes, 2, &replaced);
            if (got != expected) ck_abort_msg("%02x%02x: U+%04X, expected U+%04X", lead, trail, got, expected);
            compared++;
        }
    }
    iconv_close(converter);
    ck_assert_uint_gt(compared, 7000);
}
END_TEST

START_TEST(euc_jp_is_what_the_c_library_says_but_for_seven_signs)
{
    iconv_t converter = iconv_open("UTF-8", "EUC-JP");
    if (converter == (iconv_t)-1) return;
    unsigned compared = 0, different = 0;
    for (unsigned lead = 0xA1; lead <= 0xF4; lead++)
        for (unsigned trail = 0xA1; trail <= 0xFE; trail++) {
            unsigned char bytes[2] = {(unsigned char)lead, (unsigned char)trail};
            uint32_t expected = by_iconv(converter, bytes, 2);
            if (!expected) continue;
            size_t replaced;
            different += by_us(ENCODING_EUC_JP, bytes, 2, &replaced) != expected;
            compared++;
        }
    iconv_close(converter);
    ck_assert_uint_gt(compared, 6800);
    ck_assert_uint_le(different,
                      7); /* wave dash, parallel, minus, cent, pound, not, overline: CP932 maps them to wide forms */
}
END_TEST

START_TEST(text_survives_the_way_to_shift_jis_and_back)
{
    const char *text = "手合割：平手　先手：髙橋①〜‐－ｱｲｳ ~\\ △同銀不成 まで";
    struct text_buffer sjis, back;
    text_buffer_init(&sjis, 1000);
    text_buffer_init(&back, 1000);
    ck_assert_uint_eq(encoding_to_shift_jis(text_from(text), &sjis), 0);
    ck_assert_uint_eq(encoding_to_utf8(ENCODING_SHIFT_JIS, text_buffer_view(&sjis), &back), 0);
    ck_assert_str_eq(back.data,
                     "手合割：平手　先手：髙橋①～‐－ｱｲｳ ~\\ △同銀不成 まで"); /* wave dash: CP932 has but one */
    text_buffer_free(&sjis);
    text_buffer_free(&back);
}
END_TEST

START_TEST(what_shift_jis_cannot_say_is_replaced_and_counted)
{
    struct text_buffer out;
    text_buffer_init(&out, 1000);
    ck_assert_uint_eq(encoding_to_shift_jis(T("a\xF0\x9F\x98\x80z한"), &out), 2);
    ck_assert_str_eq(out.data, "a\x81\xACz\x81\xAC");
    text_buffer_free(&out);
}
END_TEST

static void detects(const char *bytes, size_t length, enum encoding expected, size_t expected_mark)
{
    size_t mark;
    enum encoding got = encoding_detect(text_make(bytes, length), &mark);
    ck_assert_msg(got == expected && mark == expected_mark, "%s (%zu), expected %s", encoding_name(got), mark,
                  encoding_name(expected));
}
#define DETECTS(literal, encoding, mark) detects(literal, sizeof(literal) - 1, encoding, mark)

START_TEST(encodings_are_found_by_content)
{
    DETECTS("V2.2\n+7776FU\n", ENCODING_ASCII, 0);
    DETECTS("", ENCODING_ASCII, 0);
    DETECTS("\xEF\xBB\xBFV2.2\n", ENCODING_UTF8, 3);
    DETECTS("先手：甲\n", ENCODING_UTF8, 0);
    DETECTS("\x90\xE6\x8E\xE8\x81\x46\n", ENCODING_SHIFT_JIS, 0); /* 先手： */
    DETECTS("\xC0\xE8\xBC\xEA\xA1\xA7\n", ENCODING_EUC_JP, 0);    /* 先手： */
    DETECTS("N+\xA4\xAA\xA4\xE9\xA4\xC6\xA4\xA2\n", ENCODING_EUC_JP,
            0); /* hiragana: half-width katakana in Shift_JIS */
    DETECTS("N+\xD4\xCF\xC0\xDE \x8E\x52\x93\x63\n", ENCODING_SHIFT_JIS, 0); /* half-width katakana and kanji */
    DETECTS("\xFF\xFE\x56\x00", ENCODING_UTF16, 2);
}
END_TEST

START_TEST(one_torn_character_does_not_make_utf8_something_else)
{
    DETECTS("先手：甲　後手：乙\n*\xE7\x8E\n   1 ７六歩(77)\n", ENCODING_UTF8, 0);
}
END_TEST

static void compare_row(const struct table_row *row)
{
    char path[300];
    snprintf(path, sizeof path, "tests/data/games/%s", row->column[0]);
    struct file_bytes bytes = file_load(path);
    size_t mark;
    const char *got = encoding_name(encoding_detect(text_make(bytes.data, bytes.length), &mark));
    const char *expected = strcmp(row->column[2], "cp932") == 0      ? "shift_jis"
                           : strncmp(row->column[2], "utf8", 4) == 0 ? "utf-8"
                                                                     : row->column[2];
    ck_assert_msg(strcmp(got, expected) == 0, "%s: %s, expected %s", row->column[0], got, expected);
    ck_assert_int_eq(mark == 3, strcmp(row->column[2], "utf8-bom") == 0);
    file_free(&bytes);
}

START_TEST(every_game_file_has_the_encoding_that_the_table_names)
{
    ck_assert_uint_gt(table_each("tests/golden/records/games.tsv", compare_row), 150);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("encoding");
    tcase_add_test(tc, shift_jis_is_what_the_c_library_calls_cp932);
    tcase_add_test(tc, euc_jp_is_what_the_c_library_says_but_for_seven_signs);
    tcase_add_test(tc, text_survives_the_way_to_shift_jis_and_back);
    tcase_add_test(tc, what_shift_jis_cannot_say_is_replaced_and_counted);
    tcase_add_test(tc, encodings_are_found_by_content);
    tcase_add_test(tc, one_torn_character_does_not_make_utf8_something_else);
    tcase_add_test(tc, every_game_file_has_the_encoding_that_the_table_names);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("encoding", add_cases)
