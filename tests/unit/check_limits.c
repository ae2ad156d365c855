/* check_limits.c - limits per peer, at the limit and just over it; stories about workers that are not here. */
#include "common/net/gate.h"
#include "common/net/inflow.h"
#include "common/net/link_zmq.h"
#include "coordinator/core/absent.h"
#include "tests/unit/check_main.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static bool pass(struct inflow_bucket *bucket, uint64_t bytes, int64_t now_us)
{
    return inflow_pass(bucket, bytes, LINK_CONTROL_BYTES_PER_S, now_us);
}

START_TEST(a_connection_may_bring_its_bucket_at_once_and_then_so_much_a_second)
{
    struct inflow_bucket b = {.budget_bytes = INFLOW_BURST_BYTES, .at_us = 0};
    ck_assert(pass(&b, INFLOW_BURST_BYTES, 0));
    ck_assert(!pass(&b, 1, 0));
    b = (struct inflow_bucket){.budget_bytes = INFLOW_BURST_BYTES, .at_us = 0};
    ck_assert(pass(&b, INFLOW_BURST_BYTES, 0));
    for (int64_t second = 1; second <= 100; second++) ck_assert(pass(&b, LINK_CONTROL_BYTES_PER_S, second * 1000000));
    ck_assert(!pass(&b, LINK_CONTROL_BYTES_PER_S + 1, 101 * 1000000));
    /* A long pause fills the bucket, and no more than that. */
    b = (struct inflow_bucket){.budget_bytes = 0, .at_us = 0};
    ck_assert(!pass(&b, (uint64_t)INFLOW_BURST_BYTES + 1, INT64_C(86400) * 1000000));
}
END_TEST

/* A listening socket and both ends of connections to it. */
struct line {
    struct gate gate;
    int near[4], far[4];
};

static int caller(const struct gate *gate)
{
    const struct timeval patience = {.tv_usec = 100000};
    struct sockaddr_in address;
    socklen_t bytes = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(getsockname(gate->fd, (struct sockaddr *)&address, &bytes), 0);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (connect(fd, (struct sockaddr *)&address, bytes) == 0) return fd;
    close(fd);
    return -1;
}

static void line_open(struct line *line, unsigned count)
{
    struct endpoint endpoint;
    const char *why = "";
    ck_assert_int_eq(endpoint_parse("tcp://127.0.0.1:*", &endpoint), ST_OK);
    ck_assert_msg(gate_open(&line->gate, &endpoint, &why), "%s", why);
    for (unsigned i = 0; i < count; i++) {
        line->far[i] = caller(&line->gate);
        line->near[i] = accept4(line->gate.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        ck_assert_int_ge(line->far[i], 0);
        ck_assert_int_ge(line->near[i], 0);
    }
}

static void line_close(struct line *line, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        close(line->near[i]);
        close(line->far[i]);
    }
    close(line->gate.fd);
    gate_leave(&line->gate);
}

/* Sends and takes so many bytes. */
static void bring(const struct line *line, unsigned i, size_t bytes)
{
    static uint8_t block[1 << 16];
    for (size_t done = 0; done < bytes;) {
        size_t part = bytes - done < sizeof block ? bytes - done : sizeof block;
        ssize_t n = send(line->far[i], block, part, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n > 0) done += (size_t)n;
        while (recv(line->near[i], block, sizeof block, MSG_DONTWAIT) > 0) {
        }
    }
}

/* Three of four share out what none may bring alone; the fourth is honest. */
START_TEST(together_they_may_bring_only_so_much_and_the_greedy_pay)
{
    static struct inflow inflow;
    struct line line;
    char byte;
    line_open(&line, 4);
    inflow_init(&inflow, 0, LINK_CONTROL_BYTES_PER_S, 0);
    for (unsigned i = 0; i < 4; i++) ck_assert(inflow_add(&inflow, line.near[i], 0));
    ck_assert_uint_eq(inflow_check(&inflow, INFLOW_CALM_US), 0);
    bring(&line, 3, 10000);
    for (unsigned i = 0; i < 3; i++) bring(&line, i, INFLOW_BURST_BYTES / 3 + 100000);
    ck_assert_uint_eq(inflow_check(&inflow, INFLOW_CALM_US + 1), 0); /* it is not time yet */
    ck_assert_uint_eq(inflow_check(&inflow, 2 * INFLOW_CALM_US), 3);
    for (unsigned i = 0; i < 3; i++) ck_assert_int_le(recv(line.far[i], &byte, 1, MSG_DONTWAIT), 0);
    for (unsigned i = 0; i < 3; i++) ck_assert_int_ne(errno, EAGAIN);
    ck_assert_int_eq(send(line.near[3], "x", 1, MSG_NOSIGNAL), 1);
    ck_assert_int_eq(recv(line.far[3], &byte, 1, 0), 1);
    ck_assert_int_eq(inflow_due_us(&inflow), 2 * INFLOW_CALM_US + INFLOW_BUSY_US);
    /* That is settled: nobody else pays for it. */
    bring(&line, 3, 10000);
    ck_assert_uint_eq(inflow_check(&inflow, 2 * INFLOW_CALM_US + INFLOW_BUSY_US), 0);
    line_close(&line, 4);
}
END_TEST

START_TEST(what_came_before_the_end_is_not_read_any_more)
{
    struct line line;
    char bytes[100] = {0};
    line_open(&line, 1);
    ck_assert_int_eq(send(line.far[0], bytes, sizeof bytes, 0), sizeof bytes);
    inflow_end(line.near[0]);
    ck_assert_int_le(recv(line.near[0], bytes, sizeof bytes, MSG_DONTWAIT), 0);
    ck_assert_int_eq(recv(line.far[0], bytes, sizeof bytes, 0), -1);
    ck_assert_int_eq(errno, ECONNRESET);
    line_close(&line, 1);
}
END_TEST

START_TEST(a_shut_gate_lets_nobody_in_and_those_inside_stay)
{
    struct line line;
    char byte;
    line_open(&line, 1);
    gate_shut(&line.gate, 1000);
    gate_shut(&line.gate, 500); /* the later time counts */
    gate_look(&line.gate, 999);
    ck_assert_int_eq(caller(&line.gate), -1);
    ck_assert_int_eq(send(line.far[0], "x", 1, 0), 1);
    ck_assert_int_eq(recv(line.near[0], &byte, 1, 0), 1);
    gate_look(&line.gate, 1000);
    int waits = caller(&line.gate);
    ck_assert_int_ge(waits, 0);
    gate_send_away(&line.gate);
    ck_assert_int_le(recv(waits, &byte, 1, 0), 0);
    ck_assert_int_eq(send(line.far[0], "x", 1, 0), 1);
    close(waits);
    line_close(&line, 1);
}
END_TEST

START_TEST(an_address_that_is_not_here_is_told)
{
    struct endpoint endpoint;
    struct gate gate;
    const char *why = "";
    ck_assert_int_eq(endpoint_parse("tcp://192.0.2.1:7654", &endpoint), ST_OK); /* for documents only: RFC 5737 */
    ck_assert(!gate_open(&gate, &endpoint, &why));
    ck_assert_int_eq(errno, EADDRNOTAVAIL);
    ck_assert_str_ne(why, "");
    ck_assert_int_eq(endpoint_parse("tcp://[::1]:7654", &endpoint), ST_OK);
    ck_assert_str_eq(endpoint.host, "::1");
    ck_assert_uint_eq(endpoint.port, 7654);
    ck_assert_int_eq(endpoint_parse("tcp://*:*", &endpoint), ST_OK);
    ck_assert_str_eq(endpoint.host, "*");
    ck_assert_uint_eq(endpoint.port, 0);
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
    struct link *to = link_zmq_coordinator_new(LINK_CONTROL_BYTES_PER_S);
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

static unsigned descriptors_open(void)
{
    unsigned count = 0;
    for (int fd = 0; fd < 1024; fd++) count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

/* Our listening socket is closed by the library, the spare one by us. Twice at one address: neither leaves it taken. */
START_TEST(a_link_gives_back_every_descriptor)
{
    char why[KEY_TEXT_MAX];
    char address[128] = "tcp://127.0.0.1:*";
    unsigned before = descriptors_open();
    for (int i = 0; i < 3; i++) {
        struct link *link = link_zmq_coordinator_new(LINK_CONTROL_BYTES_PER_S);
        ck_assert_ptr_nonnull(link);
        ck_assert_msg(link_zmq_listen(link, address, NULL, why) == ST_OK, "%s", why);
        snprintf(address, sizeof address, "%s", link_zmq_bound(link, 0));
        ck_assert_int_eq(link_zmq_listen(link, address, NULL, why), ST_IO); /* taken: by ourselves */
        ck_assert_ptr_nonnull(strstr(why, "in use"));
        link_close(link, 0);
        ck_assert_uint_eq(descriptors_open(), before);
    }
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
    tcase_add_test(tcase, together_they_may_bring_only_so_much_and_the_greedy_pay);
    tcase_add_test(tcase, what_came_before_the_end_is_not_read_any_more);
    tcase_add_test(tcase, a_shut_gate_lets_nobody_in_and_those_inside_stay);
    tcase_add_test(tcase, an_address_that_is_not_here_is_told);
    tcase_add_test(tcase, more_connections_than_there_are_places_are_not_kept);
    tcase_add_test(tcase, connections_leave_descriptors_for_everything_else);
    tcase_add_test(tcase, so_many_frames_a_second_and_not_one_more);
    tcase_add_test(tcase, a_link_gives_back_every_descriptor);
    tcase_add_test(tcase, the_same_story_is_told_once_with_a_counter);
    tcase_add_test(tcase, the_oldest_story_gives_way);
    suite_add_tcase(suite, tcase);
}

CHECK_MAIN("limits", add_cases)
