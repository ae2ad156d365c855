/* check_prng.c - the numbers must be the same everywhere and for ever: seeds in test reports depend on them. */
#include "common/base/prng.h"
#include "tests/unit/check_main.h"

START_TEST(the_numbers_are_those_of_splitmix64)
{
    /* First outputs for seed 1234567, as listed at rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64. */
    static const uint64_t expected[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                        4593380528125082431u, 16408922859458223821u};
    struct prng prng = prng_make(1234567);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) ck_assert_uint_eq(prng_next(&prng), expected[i]);
}
END_TEST

START_TEST(numbers_below_a_bound_stay_below_it_and_reach_every_value)
{
    struct prng prng = prng_make(1);
    for (uint32_t bound = 1; bound <= 100; bound++) {
        uint32_t seen[100] = {0};
        for (int i = 0; i < 5000; i++) {
            uint32_t value = prng_below(&prng, bound);
            if (value >= bound) ck_abort_msg("%u below %u", value, bound);
            seen[value]++;
        }
        for (uint32_t value = 0; value < bound; value++) ck_assert_uint_gt(seen[value], 0);
    }
    ck_assert_uint_eq(prng_below(&prng, 0), 0);
}
END_TEST

START_TEST(a_range_includes_both_ends)
{
    struct prng prng = prng_make(2);
    bool low = false, high = false;
    for (int i = 0; i < 1000; i++) {
        int64_t value = prng_range(&prng, -3, 3);
        ck_assert_int_ge(value, -3);
        ck_assert_int_le(value, 3);
        low = low || value == -3;
        high = high || value == 3;
    }
    ck_assert(low && high);
}
END_TEST

START_TEST(a_chance_in_permille_comes_true_that_often)
{
    struct prng prng = prng_make(3);
    int hits = 0;
    for (int i = 0; i < 100000; i++) hits += prng_chance(&prng, 100);
    ck_assert_int_ge(hits, 9600); /* 10,000 expected, standard deviation 95 */
    ck_assert_int_le(hits, 10400);
    ck_assert(!prng_chance(&prng, 0));
    ck_assert(prng_chance(&prng, 1000));
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *prng = tcase_create("prng");
    tcase_add_test(prng, the_numbers_are_those_of_splitmix64);
    tcase_add_test(prng, numbers_below_a_bound_stay_below_it_and_reach_every_value);
    tcase_add_test(prng, a_range_includes_both_ends);
    tcase_add_test(prng, a_chance_in_permille_comes_true_that_often);
    suite_add_tcase(suite, prng);
}

CHECK_MAIN("prng", add_cases)
