/* check_limits.c - limits per peer, at the limit and just over it; stories about workers that are not here. */
#include "common/net/inflow.h"
#include "common/net/link_zmq.h"
#include "coordinator/core/absent.h"
#include "tests/unit/check_main.h"

#include <stdio.h>
#include <string.h>

START_TEST(a_connection_may_bring_its_bucket_at_once_and_then_so_much_a_second)
{
    struct inflow_connection c = {.budget_bytes = INFLOW_BURST_BYTES, .at_us = 0};
    ck_assert(inflow_pass(&c, INFLOW_BURST_BYTES, 0));
    ck_assert(!inflow_pass(&c, (uint64_t)INFLOW_BURST_BYTES + 1, 0));
    c = (struct inflow_connection){.budget_bytes = INFLOW_BURST_BYTES, .at_us = 0};
    uint64_t received = INFLOW_BURST_BYTES;
    ck_assert(inflow_pass(&c, received, 0));
    for (int64_t second = 1; second <= 100; second++) {
        received += INFLOW_BYTES_PER_S;
        ck_assert(inflow_pass(&c, received, second * 1000000));
    }
    ck_assert(!inflow_pass(&c, received + INFLOW_BYTES_PER_S + 1, 101 * 1000000));
    /* A long pause fills the bucket, and no more than that. */
    c = (struct inflow_connection){.budget_bytes = 0, .at_us = 0};
    ck_assert(!inflow_pass(&c, (uint64_t)INFLOW_BURST_BYTES + 1, INT64_C(86400) * 1000000));
}
END_TEST

START_TEST(more_connections_than_there_are_places_are_not_kept)
{
    static struct inflow inflow;
    for (int fd = 0; fd < INFLOW_CONNECTIONS_MAX; fd++) ck_assert(inflow_add(&inflow, fd, 0));
    ck_assert(!inflow_add(&inflow, INFLOW_CONNECTIONS_MAX, 0));
    ck_assert(inflow_add(&inflow, 17, 0)); /* the number is used again */
    inflow_remove(&inflow, 3);
    ck_assert(inflow_add(&inflow, INFLOW_CONNECTIONS_MAX, 0));
    for (int fd = 0; fd <= INFLOW_CONNECTIONS_MAX; fd++) inflow_remove(&inflow, fd);
    ck_assert_int_eq(inflow_due_us(&inflow), INT64_MAX);
}
END_TEST

/* Frames that `count` sends in one second bring over; stops early when the connection is ended. */
static unsigned frames_through(struct link *to, struct link *from, unsigned count, bool *ended)
{
    unsigned got = 0, sent = 0;
    *ended = false;
    for (int idle = 0; idle < 50;) {
        struct link_event event;
        while (sent < count && link_send(from, LINK_COORDINATOR, (const uint8_t *)"frame", 5) == LINK_SENT) sent++;
        link_wait(to, NULL, 0, 2, false);
        idle++;
        while (link_receive(to, &event)) {
            idle = 0;
            got += event.type == LINK_EVENT_FRAME;
            *ended = *ended || event.type == LINK_EVENT_DISCONNECTED;
        }
        while (link_receive(from, &event)) *ended = *ended || event.type == LINK_EVENT_DISCONNECTED;
    }
    return got;
}

START_TEST(connections_leave_descriptors_for_everything_else)
{
    ck_assert_uint_eq(inflow_connections_for(96), 24);
    ck_assert_uint_eq(inflow_connections_for(1024), 512);
    ck_assert_uint_eq(inflow_connections_for(1 << 20), INFLOW_CONNECTIONS_MAX);
    ck_assert_uint_eq(inflow_connections_for(0), 1);
    static struct inflow inflow = {.count_max = 2};
    ck_assert(inflow_add(&inflow, 5, 0) && inflow_add(&inflow, 6, 0) && !inflow_add(&inflow, 7, 0));
}
END_TEST

START_TEST(so_many_frames_a_second_and_not_one_more)
{
    char why[KEY_TEXT_MAX];
    bool ended;
    struct link *to = link_zmq_coordinator_new();
    ck_assert_ptr_nonnull(to);
    ck_assert_int_eq(link_zmq_listen(to, "tcp://127.0.0.1:*", NULL, why), ST_OK);
    struct link *from = link_zmq_worker_new(link_zmq_bound(to, 0), NULL, why);
    ck_assert_ptr_nonnull(from);
    ck_assert_uint_eq(frames_through(to, from, 1000, &ended), 1000);
    ck_assert(!ended);
    unsigned got = frames_through(to, from, 100000, &ended); /* a busy machine may need several seconds for them */
    ck_assert(ended || got == 100000);
    if (ended) {
        struct link_refusal refusals[LINK_REFUSALS_MAX];
        ck_assert_uint_gt(to->counters.flooded, 0);
        ck_assert_uint_ge(link_zmq_refusals(to, refusals), 1);
        ck_assert_ptr_nonnull(strstr(refusals[0].why, "frames in a second"));
    }
    link_close(from, 0);
    link_close(to, 0);
}
END_TEST

START_TEST(the_same_story_is_told_once_with_a_counter)
{
    static struct absent_list list;
    absent_note(&list, false, "alpha", "silent for 2013 ms", 100);
    absent_note(&list, false, "alpha", "silent for 1999 ms", 200);
    absent_note(&list, true, "alpha", "another evaluation", 300);
    absent_note(&list, false, "beta", "silent for 2013 ms", 400);
    ck_assert_uint_eq(list.count, 3);
    ck_assert_uint_eq(list.items[0].count, 2);
    ck_assert_int_eq(list.items[0].at_ms, 200);
    ck_assert_str_eq(list.items[0].why, "silent for 1999 ms");
}
END_TEST

START_TEST(the_oldest_story_gives_way)
{
    static struct absent_list list;
    char name[32];
    for (int i = 0; i < ABSENT_MAX; i++) {
        snprintf(name, sizeof name, "worker-%c%c", 'a' + i / 26, 'a' + i % 26);
        absent_note(&list, false, name, "goodbye", 1000 + i);
    }
    absent_note(&list, false, "worker-aa", "goodbye", 5000); /* heard of again */
    absent_note(&list, true, "new", "too late", 6000);
    ck_assert_uint_eq(list.count, ABSENT_MAX);
    ck_assert_str_eq(list.items[0].name, "worker-aa");
    ck_assert_str_eq(list.items[1].name, "new");
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tcase = tcase_create("limits");
    tcase_add_test(tcase, a_connection_may_bring_its_bucket_at_once_and_then_so_much_a_second);
    tcase_add_test(tcase, more_connections_than_there_are_places_are_not_kept);
    tcase_add_test(tcase, connections_leave_descriptors_for_everything_else);
    tcase_add_test(tcase, so_many_frames_a_second_and_not_one_more);
    tcase_add_test(tcase, the_same_story_is_told_once_with_a_counter);
    tcase_add_test(tcase, the_oldest_story_gives_way);
    suite_add_tcase(suite, tcase);
}

CHECK_MAIN("limits", add_cases)
