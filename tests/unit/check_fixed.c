/* check_fixed.c - ring and id table, against slow twins. */
#include "common/base/fixed.h"
#include "common/base/prng.h"
#include "tests/unit/check_main.h"

#include <string.h>

START_TEST(a_ring_gives_back_what_was_pushed_in_the_same_order)
{
    enum { CAPACITY = 7 };
    struct ring ring = ring_make(CAPACITY);
    int items[CAPACITY], pushed = 0, popped = 0;
    struct prng prng = prng_make((uint64_t)_i);
    for (int round = 0; round < 2000; round++) {
        uint32_t index = 99;
        if (prng_chance(&prng, 520)) {
            bool fits = ring_push(&ring, &index);
            ck_assert_int_eq(fits, pushed - popped < CAPACITY);
            if (fits) items[index] = pushed++;
        } else {
            bool any = ring_pop(&ring, &index);
            ck_assert_int_eq(any, pushed > popped);
            if (any) ck_assert_int_eq(items[index], popped++);
        }
        ck_assert_int_eq((int)ring.count, pushed - popped);
        bool equal = true;
        for (uint32_t n = 0; n < ring.count; n++) equal = equal && items[ring_index(&ring, n)] == popped + (int)n;
        ck_assert(equal);
    }
}
END_TEST

START_TEST(a_ring_without_capacity_is_full_and_empty)
{
    struct ring ring = ring_make(0);
    uint32_t index;
    ck_assert(!ring_push(&ring, &index));
    ck_assert(!ring_pop(&ring, &index));
}
END_TEST

/* Random ids out of a small set, so that they meet often, compared with an array indexed by id. */
START_TEST(an_id_table_agrees_with_a_plain_array)
{
    enum { IDS = 40, CAPACITY_MAX = 41 };
    struct prng prng = prng_make((uint64_t)_i);
    uint32_t capacity = 1 + prng_below(&prng, CAPACITY_MAX);
    struct id_entry entries[CAPACITY_MAX + 1];
    struct id_table table;
    bool present[IDS] = {false};
    uint32_t slot_of[IDS] = {0}, count = 0;
    uint64_t spread = prng_chance(&prng, 500) ? 1 : prng_next(&prng); /* neighbouring or scattered ids */

    id_table_init(&table, entries, capacity);
    for (int round = 0; round < 1000; round++) {
        uint32_t which = prng_below(&prng, IDS), slot = (uint32_t)prng_next(&prng);
        uint64_t id = which * spread;
        if (prng_chance(&prng, 550)) {
            enum status expected = present[which] ? ST_DUPLICATE : count == capacity ? ST_FULL : ST_OK;
            ck_assert_int_eq(id_table_add(&table, id, slot), expected);
            if (expected == ST_OK) {
                present[which] = true;
                slot_of[which] = slot;
                count++;
            }
        } else {
            ck_assert_int_eq(id_table_remove(&table, id), present[which]);
            if (present[which]) count--;
            present[which] = false;
        }
        ck_assert_uint_eq(table.count, count);
        bool equal = true;
        for (uint32_t i = 0; i < IDS; i++) {
            uint32_t found = slot_of[i];
            bool is_there = id_table_find(&table, i * spread, &found);
            equal = equal && is_there == present[i] && found == slot_of[i];
        }
        ck_assert(equal);
    }
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *fixed = tcase_create("fixed");
    tcase_add_loop_test(fixed, a_ring_gives_back_what_was_pushed_in_the_same_order, 0, 5);
    tcase_add_test(fixed, a_ring_without_capacity_is_full_and_empty);
    tcase_add_loop_test(fixed, an_id_table_agrees_with_a_plain_array, 0, 60);
    suite_add_tcase(suite, fixed);
}

CHECK_MAIN("fixed", add_cases)
