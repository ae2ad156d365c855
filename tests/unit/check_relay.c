/* check_relay.c - the hint plane's relay: who gets what, what is dropped, and the thread with real sockets. */
#include "common/net/clock.h"
#include "coordinator/core/hint_relay.h"
#include "coordinator/relay.h"
#include "tests/unit/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct hint_relay table;
static uint64_t to[HINT_RELAY_PEERS_MAX];
static size_t count;
static char entries[WIRE_HINTS_BYTES_MAX];

static struct msg join_message(uint64_t scope)
{
    struct msg msg = {.type = MSG_hints_join, .boot = 7, .sequence = 1};
    msg.hints_join.session = 1;
    msg.hints_join.scope = scope;
    return msg;
}

static struct msg hints_message(uint64_t scope, size_t bytes)
{
    struct msg msg = {.type = MSG_hints, .boot = 7, .sequence = 2};
    msg.hints.scope = scope;
    msg.hints.entries = wire_str_make(entries, bytes);
    return msg;
}

static enum status take(uint64_t peer, const struct msg *msg, size_t bytes, int64_t now_us)
{
    return hint_relay_take(&table, peer, msg, bytes, now_us, to, &count);
}

static void join(uint64_t peer, uint64_t scope)
{
    struct msg msg = join_message(scope);
    ck_assert_int_eq(take(peer, &msg, 40, 0), ST_OK);
    ck_assert_uint_eq(count, 0);
}

START_TEST(hints_go_to_all_others_of_the_scope)
{
    memset(&table, 0, sizeof table);
    join(1, 41);
    join(2, 41);
    join(3, 41);
    join(4, 40);
    struct msg hints = hints_message(41, 160);
    ck_assert_int_eq(take(2, &hints, 200, 0), ST_OK);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(to[0], 1);
    ck_assert_uint_eq(to[1], 3);
    hint_relay_gone(&table, 3);
    join(1, 42); /* has another job now */
    ck_assert_int_eq(take(2, &hints, 200, 0), ST_OK);
    ck_assert_uint_eq(count, 0);
    ck_assert_uint_eq(table.relayed, 1);
}
END_TEST

START_TEST(strangers_and_other_scopes_are_dropped)
{
    memset(&table, 0, sizeof table);
    join(1, 41);
    join(2, 41);
    struct msg hints = hints_message(41, 160), other = hints_message(40, 160), hello = {.type = MSG_hello};
    ck_assert_int_eq(take(9, &hints, 200, 0), ST_STALE); /* has not joined */
    ck_assert_int_eq(take(1, &other, 200, 0), ST_STALE);
    ck_assert_int_eq(take(1, &hello, 200, 0), ST_UNKNOWN);
    join(1, 0);
    struct msg nothing = hints_message(0, 160);
    ck_assert_int_eq(take(1, &nothing, 200, 0), ST_STALE);
    ck_assert_uint_eq(table.relayed, 0);
}
END_TEST

START_TEST(a_flood_is_cut_to_the_budget)
{
    memset(&table, 0, sizeof table);
    join(1, 41);
    join(2, 41);
    struct msg hints = hints_message(41, WIRE_HINTS_BYTES_MAX);
    uint64_t bytes = 0;
    for (int64_t now_us = 0; now_us < 2000000; now_us += 10) /* 800 MB/s for two seconds */
        if (take(1, &hints, 8240, now_us) == ST_OK) bytes += 8240;
    ck_assert_uint_le(bytes, 2 * (uint64_t)HINT_RELAY_BYTES_PER_S + HINT_RELAY_BURST_BYTES);
    ck_assert_uint_ge(bytes, 2 * (uint64_t)HINT_RELAY_BYTES_PER_S / 10 * 9);
    ck_assert_int_eq(take(2, &hints, 8240, 2000000), ST_OK); /* others are not made to pay */
}
END_TEST

START_TEST(places_are_given_again)
{
    memset(&table, 0, sizeof table);
    struct msg msg = join_message(41);
    for (uint64_t peer = 1; peer <= HINT_RELAY_PEERS_MAX; peer++) join(peer, 41);
    ck_assert_int_eq(take(1000, &msg, 40, 0), ST_FULL);
    hint_relay_gone(&table, 17);
    ck_assert_int_eq(take(1000, &msg, 40, 0), ST_OK);
    ck_assert_uint_eq(table.high, HINT_RELAY_PEERS_MAX);
}
END_TEST

/* ---- the thread ------------------------------------------------------------------------------------------------- */

static void put(struct link *link, const struct msg *msg)
{
    uint8_t frame[WIRE_FRAME_BYTES_MAX];
    size_t bytes;
    ck_assert_int_eq(msg_encode(msg, frame, sizeof frame, &bytes), ST_OK);
    int64_t until_ms = clock_now_ms() + 10000;
    while (link_send(link, LINK_COORDINATOR, frame, bytes) != LINK_SENT) {
        ck_assert_int_lt(clock_now_ms(), until_ms);
        link_wait(link, NULL, 0, 20, true);
    }
}

/* Waits for a frame; 0 = none came within wait_ms. */
static size_t get(struct link *link, int64_t wait_ms)
{
    struct link_event event;
    int64_t until_ms = clock_now_ms() + wait_ms;
    while (clock_now_ms() < until_ms) {
        while (link_receive(link, &event))
            if (event.type == LINK_EVENT_FRAME && event.count) return event.count;
        link_wait(link, NULL, 0, 10, false);
    }
    return 0;
}

START_TEST(the_thread_passes_hints_from_worker_to_worker)
{
    char directory[] = "/tmp/murakumo-relay-XXXXXX", address[128], why[KEY_TEXT_MAX];
    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(address, sizeof address, "ipc://%s/hints", directory);
    struct relay *relay = relay_new();
    ck_assert_ptr_nonnull(relay);
    ck_assert_int_eq(relay_listen(relay, address, NULL, why), ST_OK);
    ck_assert_str_eq(relay_address(relay, 0), address);
    ck_assert_int_ne(relay_listen(relay, "tcp://0.0.0.0:7654", NULL, why), ST_OK); /* not without keys */
    ck_assert(relay_start(relay));

    struct link *one = link_zmq_worker_new(address, NULL, why), *two = link_zmq_worker_new(address, NULL, why);
    struct msg join_41 = join_message(41), hints = hints_message(41, 320), other = hints_message(40, 320);
    bool heard = false;
    for (int i = 0; i < 100 && !heard; i++) { /* joining takes a moment on either side */
        put(one, &join_41);
        put(two, &join_41);
        put(one, &hints);
        heard = get(two, 100) > 320;
    }
    ck_assert(heard);
    while (get(two, 100)) continue;
    put(one, &other);
    ck_assert_uint_eq(get(two, 100), 0);
    ck_assert_uint_eq(get(one, 20), 0); /* nobody hears himself */
    ck_assert_uint_ge(relay_counters(relay).relayed, 1);
    link_close(one, 0);
    link_close(two, 0);
    relay_free(relay);
    ck_assert_int_eq(rmdir(directory) == 0 || (unlink(strchr(address, '/') + 2) == 0 && rmdir(directory) == 0), 1);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("relay");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, hints_go_to_all_others_of_the_scope);
    tcase_add_test(tc, strangers_and_other_scopes_are_dropped);
    tcase_add_test(tc, a_flood_is_cut_to_the_budget);
    tcase_add_test(tc, places_are_given_again);
    tcase_add_test(tc, the_thread_passes_hints_from_worker_to_worker);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("relay", add_cases)
