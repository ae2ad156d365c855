/* check_hint_filter.c - which hints are sent: the deepest, once, within the budget; and which frames are read. */
#include <string.h>

#include "common/base/prng.h"
#include "proto/msg.h"
#include "tests/unit/check_main.h"
#include "worker/core/hint_filter.h"

static struct hint_filter filter;
static uint8_t bytes[WIRE_HINTS_BYTES_MAX];
static struct msg message;
static struct hint received[HINT_BATCH_MAX];

static struct hint entry(uint64_t key, int depth_plies)
{
    return (struct hint){key, (uint64_t)(uint8_t)(depth_plies + HINT_DEPTH_OFFSET) << 48 | (uint64_t)1 << 56};
}

static void start(int floor_plies, uint32_t bytes_per_s)
{
    memset(&filter, 0, sizeof filter);
    hint_filter_start(
        &filter, &(struct hint_filter_options){.scope = 41, .floor_plies = floor_plies, .bytes_per_s = bytes_per_s}, 0);
}

static void add(struct hint hint) { hint_filter_add(&filter, &hint, 1); }

/* Sends one batch to itself; returns how many hints came. */
static size_t batch(int64_t now_us)
{
    static uint8_t frame[WIRE_FRAME_BYTES_MAX];
    struct msg back;
    size_t count;
    if (!hint_filter_batch(&filter, now_us, &message, bytes)) return 0;
    ck_assert_int_eq(msg_encode(&message, frame, sizeof frame, &count), ST_OK);
    ck_assert_int_eq(msg_decode(&back, frame, count), ST_OK);
    return hint_filter_read(&filter, &back, received);
}

START_TEST(a_batch_holds_claims_first_then_the_deepest)
{
    start(3, 0);
    for (int i = 0; i < 100; i++) add(entry((uint64_t)i + 1, 3 + i * 7 % 20));
    add(hint_claim(777, 6));
    add(entry(500, 2)); /* below the floor */
    ck_assert_uint_eq(batch(1000), 101);
    ck_assert_uint_eq(hint_kind_of(&received[0]), HINT_CLAIM);
    ck_assert_uint_eq(received[0].key, 777);
    for (size_t i = 2; i < 101; i++)
        ck_assert_int_ge(hint_depth_plies(&received[i - 1]), hint_depth_plies(&received[i]));
    ck_assert_uint_eq(batch(2000), 0);
}
END_TEST

START_TEST(when_there_is_too_much_the_deepest_are_kept)
{
    start(1, 0);
    struct prng prng = prng_make(7);
    unsigned deep = 0;
    for (uint64_t i = 1; i <= 5000; i++) {
        bool is_deep = prng_chance(&prng, 40);
        deep += is_deep;
        add(entry(i * 0x9e3779b97f4a7c15, is_deep ? 15 : 1 + (int)prng_below(&prng, 10)));
    }
    ck_assert_uint_eq(batch(1000), HINT_BATCH_MAX);
    unsigned sent = 0;
    for (size_t i = 0; i < HINT_BATCH_MAX; i++) sent += hint_depth_plies(&received[i]) == 15;
    ck_assert_uint_eq(sent, deep);
    ck_assert_int_eq(hint_filter_gate_plies(&filter), 2); /* and fewer shall be offered next time */
}
END_TEST

START_TEST(the_same_is_not_said_twice)
{
    start(3, 0);
    for (int i = 0; i < 5; i++) add(entry(99, 8));
    add(entry(99, 9));
    ck_assert_uint_eq(batch(1000), 2);
    add(entry(99, 8));
    ck_assert_uint_eq(batch(2000), 0);
    ck_assert_uint_eq(filter.counters.repeated, 5);
}
END_TEST

START_TEST(the_budget_is_kept)
{
    start(3, 16000); /* 1,000 hints a second */
    uint64_t key = 1;
    size_t sent = 0;
    for (int64_t now_us = 0; now_us <= 10000000; now_us += 5000) {
        for (int i = 0; i < 50; i++) add(entry(key++, 20));
        sent += batch(now_us);
    }
    ck_assert_uint_ge(sent, 9000);
    ck_assert_uint_le(sent, 10050);
}
END_TEST

START_TEST(the_gate_rises_under_load_and_comes_back)
{
    start(4, 160000); /* 50 hints in 5 ms */
    uint64_t key = 1;
    int64_t now_us = 0;
    for (int turn = 0; turn < 40; turn++, now_us += 5000) {
        for (int depth = 4; depth < 14; depth++) /* the search offers what is above the gate, fewer the deeper */
            for (int i = 0; i < 200 >> (depth - 4); i++)
                if (depth >= hint_filter_gate_plies(&filter)) add(entry(key++ * 0x9e3779b97f4a7c15, depth));
        (void)batch(now_us);
    }
    ck_assert_int_ge(hint_filter_gate_plies(&filter), 6);
    ck_assert_int_le(hint_filter_gate_plies(&filter), 8);
    for (int turn = 0; turn < 40; turn++, now_us += 5000) (void)batch(now_us);
    ck_assert_int_eq(hint_filter_gate_plies(&filter), 4);
}
END_TEST

START_TEST(the_first_says_nothing_until_it_hears_somebody)
{
    static uint8_t others[HINT_BYTES];
    start(3, 0);
    filter.options.waits = true;
    add(entry(1, 9));
    add(hint_claim(777, 6));
    ck_assert_int_eq(hint_filter_gate_plies(&filter), HINT_GATE_MAX);
    ck_assert_uint_eq(batch(1000), 0);
    struct hint hint = entry(2, 5);
    hint_write(&hint, others);
    struct msg heard = {.type = MSG_hints,
                        .hints = {.scope = 41, .entries = wire_str_make((const char *)others, sizeof others)}};
    ck_assert_uint_eq(hint_filter_read(&filter, &heard, received), 1);
    ck_assert_int_eq(hint_filter_gate_plies(&filter), 3);
    add(entry(3, 9));
    ck_assert_uint_eq(batch(2000), 1);
    ck_assert_uint_eq(received[0].key, 3);
}
END_TEST

START_TEST(frames_of_others_are_checked)
{
    start(3, 0);
    memset(&message, 0, sizeof message);
    message.type = MSG_hints;
    message.hints.scope = 41;
    message.hints.entries = wire_str_make((const char *)bytes, 32);
    ck_assert_uint_eq(hint_filter_read(&filter, &message, received), 2);
    message.hints.scope = 40;
    ck_assert_uint_eq(hint_filter_read(&filter, &message, received), 0);
    message.hints.scope = 41;
    message.hints.entries.length = 31;
    ck_assert_uint_eq(hint_filter_read(&filter, &message, received), 0);
    message.type = MSG_job;
    ck_assert_uint_eq(hint_filter_read(&filter, &message, received), 0);
    ck_assert_uint_eq(filter.counters.foreign, 1);
    ck_assert_uint_eq(filter.counters.malformed, 2);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("filter");
    tcase_add_test(tc, a_batch_holds_claims_first_then_the_deepest);
    tcase_add_test(tc, when_there_is_too_much_the_deepest_are_kept);
    tcase_add_test(tc, the_same_is_not_said_twice);
    tcase_add_test(tc, the_budget_is_kept);
    tcase_add_test(tc, the_gate_rises_under_load_and_comes_back);
    tcase_add_test(tc, the_first_says_nothing_until_it_hears_somebody);
    tcase_add_test(tc, frames_of_others_are_checked);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("hint_filter", add_cases)
