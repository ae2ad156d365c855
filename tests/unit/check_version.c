/* check_version.c - who may speak with whom, and what people are told. */
#include "proto/schema.h"
#include "proto/version.h"
#include "tests/unit/check_main.h"

#include <stdint.h>
#include <string.h>

START_TEST(equal_majors_agree_on_the_smaller_minor)
{
    static const struct {
        uint32_t own, peer, agreed;
    } rows[] = {{0, 0, 0}, {3, 5, 3}, {5, 3, 3}, {0, UINT32_MAX, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct version agreed = {99, 99};
        enum status st =
            version_negotiate((struct version){1, rows[i].own}, (struct version){1, rows[i].peer}, &agreed);
        ck_assert_int_eq(st, ST_OK);
        ck_assert_uint_eq(agreed.major, 1);
        ck_assert_uint_eq(agreed.minor, rows[i].agreed);
    }
}
END_TEST

START_TEST(different_majors_do_not_work_together)
{
    static const uint32_t peers[] = {0, 2, UINT32_MAX};
    for (size_t i = 0; i < sizeof peers / sizeof peers[0]; i++) {
        struct version agreed = {99, 99};
        ck_assert_int_eq(version_negotiate((struct version){1, 4}, (struct version){peers[i], 4}, &agreed), ST_VERSION);
        ck_assert_uint_eq(agreed.major, 99);
        ck_assert_uint_eq(agreed.minor, 99);
    }
}
END_TEST

START_TEST(both_sides_name_both_versions_and_the_side_to_update)
{
    char at_coordinator[WIRE_TEXT_BYTES_MAX], at_worker[WIRE_TEXT_BYTES_MAX];
    struct version coordinator = {2, 4}, worker = {1, 7};
    version_explain(at_coordinator, sizeof at_coordinator, "coordinator", coordinator, "worker", worker);
    version_explain(at_worker, sizeof at_worker, "worker", worker, "coordinator", coordinator);
    ck_assert_str_eq(
        at_coordinator,
        "the coordinator speaks protocol 2.4, the worker 1.7; the first numbers must be equal: update the worker");
    ck_assert_str_eq(
        at_worker,
        "the worker speaks protocol 1.7, the coordinator 2.4; the first numbers must be equal: update the worker");
}
END_TEST

START_TEST(the_longest_sentence_fits_and_a_short_buffer_cuts_it)
{
    char text[WIRE_TEXT_BYTES_MAX], small[10];
    struct version own = {UINT32_MAX, UINT32_MAX}, peer = {UINT32_MAX - 1, UINT32_MAX};
    size_t length = version_explain(text, sizeof text, "coordinator", own, "worker", peer);
    ck_assert_uint_lt(length, sizeof text - 1);
    ck_assert_uint_eq(version_explain(small, sizeof small, "worker", own, "coordinator", peer), 9);
    ck_assert_str_eq(small, "the worke");
    ck_assert_uint_eq(version_explain(small, 0, "worker", own, "coordinator", peer), 0);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *version = tcase_create("version");
    tcase_add_test(version, equal_majors_agree_on_the_smaller_minor);
    tcase_add_test(version, different_majors_do_not_work_together);
    tcase_add_test(version, both_sides_name_both_versions_and_the_side_to_update);
    tcase_add_test(version, the_longest_sentence_fits_and_a_short_buffer_cuts_it);
    suite_add_tcase(suite, version);
}

CHECK_MAIN("version", add_cases)
