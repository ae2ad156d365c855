/* check_bytes.c - bounded reader and writer, and the UTF-8 check. */
#include "common/base/bytes.h"
#include "common/base/utf8.h"
#include "tests/unit/check_main.h"

#include <string.h>

START_TEST(numbers_are_big_endian)
{
    uint8_t out[15];
    struct bytes_writer writer = bytes_writer_make(out, sizeof out);
    bytes_write_u8(&writer, 0x01);
    bytes_write_u16(&writer, 0x0203);
    bytes_write_u32(&writer, 0x04050607);
    bytes_write_u64(&writer, 0x08090a0b0c0d0e0f);
    ck_assert(!writer.failed);
    ck_assert_uint_eq(bytes_written(&writer), 15);
    for (uint8_t i = 0; i < 15; i++) ck_assert_uint_eq(out[i], i + 1u);

    struct bytes_reader reader = bytes_reader_make(out, sizeof out);
    ck_assert_uint_eq(bytes_read_u8(&reader), 0x01);
    ck_assert_uint_eq(bytes_read_u16(&reader), 0x0203);
    ck_assert_uint_eq(bytes_read_u32(&reader), 0x04050607);
    ck_assert_uint_eq(bytes_read_u64(&reader), 0x08090a0b0c0d0e0f);
    ck_assert_uint_eq(bytes_left(&reader), 0);
    ck_assert(!reader.failed);
}
END_TEST

START_TEST(reading_past_the_end_fails_once_and_for_all)
{
    static const uint8_t input[] = {1, 2, 3};
    struct bytes_reader reader = bytes_reader_make(input, sizeof input);
    ck_assert_uint_eq(bytes_read_u16(&reader), 0x0102);
    ck_assert_uint_eq(bytes_read_u16(&reader), 0);
    ck_assert(reader.failed);
    ck_assert_uint_eq(bytes_left(&reader), 0);
    ck_assert_uint_eq(bytes_read_u8(&reader), 0); /* the third byte is there, but what it means is not known any more */
    ck_assert_ptr_null(bytes_read_raw(&reader, 1));
}
END_TEST

START_TEST(an_absurd_length_is_refused_without_overflow)
{
    static const uint8_t input[] = {1, 2, 3};
    struct bytes_reader reader = bytes_reader_make(input, sizeof input);
    ck_assert_ptr_null(bytes_read_raw(&reader, SIZE_MAX));
    ck_assert(reader.failed);
}
END_TEST

START_TEST(an_empty_input_has_nothing_to_read)
{
    struct bytes_reader reader = bytes_reader_make(NULL, 0);
    ck_assert_uint_eq(bytes_left(&reader), 0);
    ck_assert_uint_eq(bytes_read_number(&reader, 0), 0);
    ck_assert(!reader.failed);
    ck_assert_uint_eq(bytes_read_u8(&reader), 0);
    ck_assert(reader.failed);
}
END_TEST

START_TEST(what_does_not_fit_is_not_written_in_part)
{
    uint8_t out[6];
    memset(out, 0xee, sizeof out);
    struct bytes_writer writer = bytes_writer_make(out, 5);
    bytes_write_u32(&writer, 0x01020304);
    bytes_write_u16(&writer, 0x0506);
    ck_assert(writer.failed);
    bytes_write_u8(&writer, 7); /* would fit, but comes after the failure */
    ck_assert_uint_eq(bytes_written(&writer), 4);
    ck_assert_uint_eq(out[4], 0xee);
    ck_assert_uint_eq(out[5], 0xee);
}
END_TEST

static bool clean(const char *text) { return utf8_is_clean(text, strlen(text)); }

/* The rows are those of RFC 3629 sections 3, 4 and 10 and of the Unicode standard, table 3-7, at their edges. */
START_TEST(well_formed_text_is_clean)
{
    ck_assert(clean(""));
    ck_assert(utf8_is_clean(NULL, 0));
    ck_assert(clean(" ~"));
    ck_assert(clean("先手 後手 ▲7六歩 é"));
    ck_assert(clean("\xc2\xa0"));         /* U+00A0 */
    ck_assert(clean("\xdf\xbf"));         /* U+07FF */
    ck_assert(clean("\xe0\xa0\x80"));     /* U+0800 */
    ck_assert(clean("\xed\x9f\xbf"));     /* U+D7FF, before the surrogates */
    ck_assert(clean("\xee\x80\x80"));     /* U+E000, behind them */
    ck_assert(clean("\xf0\x90\x80\x80")); /* U+10000 */
    ck_assert(clean("\xf4\x8f\xbf\xbf")); /* U+10FFFF */
}
END_TEST

START_TEST(ill_formed_text_is_not_clean)
{
    static const char *const bad[] = {
        "\x80",
        "\xbf",
        "\xfe",
        "\xff", /* no first byte */
        "\xc2",
        "\xe3\x81",
        "\xf0\x90\x80",
        "a\xe3\x81z", /* cut off */
        "\xc0\xaf",
        "\xc1\xbf",
        "\xe0\x9f\xbf",
        "\xf0\x8f\xbf\xbf", /* overlong */
        "\xed\xa0\x80",
        "\xed\xbf\xbf", /* surrogates */
        "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80",
        "\xf8\x88\x80\x80\x80", /* beyond U+10FFFF */
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) ck_assert_msg(!clean(bad[i]), "case %zu", i);
}
END_TEST

START_TEST(control_characters_are_not_clean)
{
    for (int c = 1; c < 0x20; c++) ck_assert(!clean((char[]){'a', (char)c, '\0'}));
    ck_assert(!utf8_is_clean("a\0b", 3));
    ck_assert(!clean("\x7f"));
    ck_assert(!clean("\xc2\x80"));
    ck_assert(!clean("\xc2\x9f"));
    ck_assert(!clean("\xe2\x80\xa8"));
    ck_assert(!clean("\xe2\x80\xa9"));
}
END_TEST

START_TEST(a_character_is_measured_and_decoded)
{
    unsigned long value = 0;
    ck_assert_uint_eq(utf8_character_bytes("歩x", 4, &value), 3);
    ck_assert_uint_eq(value, 0x6b69);
    ck_assert_uint_eq(utf8_character_bytes("𠮷", 4, &value), 4);
    ck_assert_uint_eq(value, 0x20bb7);
    ck_assert_uint_eq(utf8_character_bytes("𠮷", 3, &value), 0);
    ck_assert_uint_eq(utf8_character_bytes("", 0, NULL), 0);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *bytes = tcase_create("bytes");
    tcase_add_test(bytes, numbers_are_big_endian);
    tcase_add_test(bytes, reading_past_the_end_fails_once_and_for_all);
    tcase_add_test(bytes, an_absurd_length_is_refused_without_overflow);
    tcase_add_test(bytes, an_empty_input_has_nothing_to_read);
    tcase_add_test(bytes, what_does_not_fit_is_not_written_in_part);
    suite_add_tcase(suite, bytes);
    TCase *utf8 = tcase_create("utf8");
    tcase_add_test(utf8, well_formed_text_is_clean);
    tcase_add_test(utf8, ill_formed_text_is_not_clean);
    tcase_add_test(utf8, control_characters_are_not_clean);
    tcase_add_test(utf8, a_character_is_measured_and_decoded);
    suite_add_tcase(suite, utf8);
}

CHECK_MAIN("bytes", add_cases)
