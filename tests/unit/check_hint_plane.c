/* check_hint_plane.c - where the relay is, and a plane whose relay is nowhere or nonsense. */
#include "common/net/endpoint.h"
#include "tests/unit/check_main.h"
#include "worker/hint_plane.h"

START_TEST(a_star_stands_for_the_host_of_the_control_connection)
{
    static const struct {
        const char *named, *coordinator, *address; /* NULL: refused */
    } cases[] = {
        {"tcp://*:7655", "tcp://10.0.0.5:7654", "tcp://10.0.0.5:7655"},
        {"tcp://*:7655", "tcp://[fe80::1]:7654", "tcp://[fe80::1]:7655"},
        {"tcp://other:9", "tcp://10.0.0.5:7654", "tcp://other:9"},
        {"ipc:///tmp/x/hints", "ipc:///tmp/x/worker-1", "ipc:///tmp/x/hints"},
        {"tcp://*:7655", "ipc:///tmp/x/worker-1", NULL},
        {"tcp://*:99999", "tcp://10.0.0.5:7654", NULL},
        {"udp://*:7", "tcp://10.0.0.5:7654", NULL},
        {"", "tcp://10.0.0.5:7654", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char address[ENDPOINT_BYTES_MAX];
        bool good = hint_plane_address(cases[i].named, cases[i].coordinator, address);
        ck_assert_msg(good == (cases[i].address != NULL), "case %zu", i);
        if (good) ck_assert_str_eq(address, cases[i].address);
    }
}
END_TEST

START_TEST(a_plane_without_a_relay_ends_in_good_order)
{
    struct inbox *inbox = inbox_new();
    struct searcher *searcher = searcher_new(inbox, 1, 16);
    struct hint_plane *plane = hint_plane_new(
        &(struct hint_plane_options){.searcher = searcher, .coordinator = "ipc:///nowhere/at-all", .boot = 7});
    ck_assert_ptr_nonnull(plane);
    hint_plane_connect(plane, "", 1);
    struct hint_plane_search search = {.scope = 41, .hint_plies = 4, .bytes_per_s = 1000};
    hint_plane_search(plane, &search);
    hint_plane_connect(plane, "carrier pigeon", 2);
    hint_plane_connect(plane, "ipc:///nowhere/at-all-either", 3);
    search.scope = 42;
    hint_plane_search(plane, &search);
    hint_plane_free(plane);
    searcher_free(searcher);
    inbox_free(inbox);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("hint_plane");
    tcase_add_test(tc, a_star_stands_for_the_host_of_the_control_connection);
    tcase_add_test(tc, a_plane_without_a_relay_ends_in_good_order);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("hint_plane", add_cases)
