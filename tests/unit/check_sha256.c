/* Expected values: the examples of FIPS 180-4 and `sha256sum` for the lengths around a block. */
#include "common/base/sha256.h"
#include "tests/unit/check_main.h"

#include <string.h>

static const char *hash_of(const char *text, size_t count, size_t step)
{
    static char hex[SHA256_HEX_BYTES];
    struct sha256 hash;
    sha256_init(&hash);
    for (size_t i = 0; i < count; i += step) sha256_add(&hash, text + i, count - i < step ? count - i : step);
    sha256_hex(&hash, hex);
    return hex;
}

START_TEST(the_examples_of_the_standard_come_out)
{
    ck_assert_str_eq(hash_of("", 0, 1), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    ck_assert_str_eq(hash_of("abc", 3, 3), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    const char *two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    ck_assert_str_eq(hash_of(two, strlen(two), 7), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}
END_TEST

START_TEST(any_cut_gives_the_same_value)
{
    char text[200], whole[SHA256_HEX_BYTES];
    memset(text, 'a', sizeof text);
    for (size_t count = 50; count < sizeof text; count++) {
        strcpy(whole, hash_of(text, count, count));
        for (size_t step = 1; step < 70; step += 9) ck_assert_str_eq(hash_of(text, count, step), whole);
    }
    ck_assert_str_eq(hash_of(text, 64, 64), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("sha256");
    tcase_add_test(tc, the_examples_of_the_standard_come_out);
    tcase_add_test(tc, any_cut_gives_the_same_value);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("sha256", add_cases)
