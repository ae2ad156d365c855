/* check_net.c - addresses, key files, the allow-list and the link itself, over real sockets on loopback. The Z85
 * example is that of ZeroMQ RFC 32; the key pair is the one of libzmq's manual (zmq_curve). */
#include "common/net/clock.h"
#include "common/net/endpoint.h"
#include "common/net/link_zmq.h"
#include "common/net/machine.h"
#include "common/net/zap.h"

#include "tests/unit/check_main.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PUBLIC "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID"
#define SECRET "D:)Q[IlAW!ahhC2ac:9*A}h:p?([4%wOTJ%JR%cs"

/* ---- addresses ------------------------------------------------------------------------------------------------- */

START_TEST(addresses_are_told_apart)
{
    static const struct {
        const char *text;
        enum status status;
        bool loopback;
    } cases[] = {
        {"tcp://127.0.0.1:7654", ST_OK, true},
        {"tcp://127.255.0.9:1", ST_OK, true},
        {"tcp://localhost:65535", ST_OK, true},
        {"tcp://[::1]:80", ST_OK, true},
        {"tcp://127.0.0.1:*", ST_OK, true},
        {"tcp://0.0.0.0:7654", ST_OK, false},
        {"tcp://*:7654", ST_OK, false},
        {"tcp://10.0.0.1:7654", ST_OK, false},
        {"tcp://example.org:7654", ST_OK, false},
        {"tcp://[fe80::1]:7654", ST_OK, false},
        {"tcp://128.0.0.1:1", ST_OK, false},
        {"tcp://127.0.0.1.example.org:1", ST_OK, false},
        {"tcp://127.1:1", ST_OK, false},
        {"tcp://127.0.0.256:1", ST_OK, false},
        {"tcp://localhost.evil:1", ST_OK, false},
        {"ipc:///run/x/y", ST_OK, false},
        {"tcp://127.0.0.1:0", ST_RANGE, false},
        {"tcp://127.0.0.1:65536", ST_RANGE, false},
        {"tcp://127.0.0.1:", ST_SYNTAX, false},
        {"tcp://127.0.0.1", ST_SYNTAX, false},
        {"tcp://:7654", ST_SYNTAX, false},
        {"tcp://::1:7654", ST_SYNTAX, false},
        {"tcp://a b:1", ST_SYNTAX, false},
        {"tcp://a:1 ", ST_SYNTAX, false},
        {"tcp://a:1;tcp://b:2", ST_SYNTAX, false},
        {"udp://127.0.0.1:1", ST_SYNTAX, false},
        {"pgm://x:1", ST_SYNTAX, false},
        {"inproc://x", ST_SYNTAX, false},
        {"ipc://relative", ST_SYNTAX, false},
        {"ipc://@abstract", ST_SYNTAX, false},
        {"", ST_SYNTAX, false},
        {"tcp://127.0.0.1:12x", ST_SYNTAX, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct endpoint endpoint;
        ck_assert_msg(endpoint_parse(cases[i].text, &endpoint) == cases[i].status, "%s", cases[i].text);
        if (cases[i].status == ST_OK) ck_assert_msg(endpoint.loopback == cases[i].loopback, "%s", cases[i].text);
    }
    char text[600];
    memset(text, 'x', sizeof text);
    memcpy(text, "tcp://", 6);
    memcpy(text + 590, ":123", 5);
    struct endpoint endpoint;
    ck_assert_int_eq(endpoint_parse(text, &endpoint), ST_TOO_BIG);
}
END_TEST

static char dir[64];

static void dir_make(void)
{
    snprintf(dir, sizeof dir, "/tmp/check-net-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
}

static void dir_remove(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", dir);
    ck_assert_int_eq(system(command), 0);
}

static const char *in_dir(const char *name)
{
    static char paths[4][128];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", dir, name);
    return path;
}

START_TEST(a_socket_file_is_private_only_in_a_directory_of_our_own)
{
    struct endpoint endpoint;
    char text[160];
    snprintf(text, sizeof text, "ipc://%s", in_dir("s"));
    ck_assert_int_eq(endpoint_parse(text, &endpoint), ST_OK);
    ck_assert(endpoint_is_private(&endpoint));
    chmod(dir, 0750);
    ck_assert(!endpoint_is_private(&endpoint));
    chmod(dir, 0700);
    ck_assert_int_eq(endpoint_parse("ipc:///tmp/s", &endpoint), ST_OK);
    ck_assert(!endpoint_is_private(&endpoint));
    ck_assert_int_eq(endpoint_parse("ipc:///nowhere/s", &endpoint), ST_OK);
    ck_assert(!endpoint_is_private(&endpoint));
}
END_TEST

/* ---- keys ------------------------------------------------------------------------------------------------------ */

START_TEST(z85_is_decoded_as_the_standard_says)
{
    uint8_t bytes[KEY_BYTES];
    /* RFC 32: 86 4F D2 6F B5 59 F7 5B is "HelloWorld". */
    static const uint8_t hello[8] = {0x86, 0x4F, 0xD2, 0x6F, 0xB5, 0x59, 0xF7, 0x5B};
    ck_assert(key_from_z85("HelloWorldHelloWorldHelloWorldHelloWorld", bytes));
    for (int i = 0; i < 4; i++) ck_assert_mem_eq(bytes + 8 * i, hello, 8);
    ck_assert(!key_from_z85("HelloWorld", bytes));
    ck_assert(!key_from_z85("#####HelloWorldHelloWorldHelloWorldHello", bytes)); /* above 2^32 */
    ck_assert(!key_from_z85("Hello WorldHelloWorldHelloWorldHelloWorl", bytes)); /* blank */
}
END_TEST

START_TEST(key_files_come_back_as_they_were_written)
{
    struct key_pair key = {.role = KEY_WORKER,
                           .name = "alpha",
                           .public_z85 = PUBLIC,
                           .secret_z85 = SECRET,
                           .server_z85 = PUBLIC},
                    back;
    char why[KEY_TEXT_MAX];
    ck_assert_int_eq(key_write(in_dir("alpha.key"), &key, true, why), ST_OK);
    ck_assert_int_eq(key_write(in_dir("alpha.pub"), &key, false, why), ST_OK);
    ck_assert_int_eq(key_read(in_dir("alpha.key"), true, &back, why), ST_OK);
    ck_assert_str_eq(back.secret_z85, SECRET);
    ck_assert_str_eq(back.server_z85, PUBLIC);
    ck_assert_str_eq(back.name, "alpha");
    ck_assert(link_zmq_key_matches(&back));
    ck_assert_int_eq(key_read(in_dir("alpha.pub"), false, &back, why), ST_OK);
    ck_assert_str_eq(back.secret_z85, "");
    ck_assert_int_eq(key_read(in_dir("alpha.pub"), true, &back, why), ST_STATE); /* readable by others */
    ck_assert_int_eq(key_write(in_dir("alpha.key"), &key, true, why), ST_DUPLICATE);
    struct stat info;
    ck_assert_int_eq(stat(in_dir("alpha.key"), &info), 0);
    ck_assert_int_eq(info.st_mode & 0777, 0600);
}
END_TEST

START_TEST(a_secret_that_others_can_reach_is_refused)
{
    struct key_pair key = {.role = KEY_WORKER, .name = "a", .public_z85 = PUBLIC, .secret_z85 = SECRET}, back;
    char why[KEY_TEXT_MAX];
    ck_assert_int_eq(key_write(in_dir("a.key"), &key, true, why), ST_OK);
    chmod(in_dir("a.key"), 0640);
    ck_assert_int_eq(key_read(in_dir("a.key"), true, &back, why), ST_STATE);
    ck_assert_ptr_nonnull(strstr(why, "chmod 600"));
    chmod(in_dir("a.key"), 0600);
    chmod(dir, 0777);
    ck_assert_int_eq(key_read(in_dir("a.key"), true, &back, why), ST_STATE);
    chmod(dir, 0700);
    ck_assert_int_eq(key_read(in_dir("a.key"), true, &back, why), ST_OK);
    ck_assert_int_eq(key_read(dir, true, &back, why), ST_STATE); /* a directory */
    ck_assert_int_eq(key_read(in_dir("none"), true, &back, why), ST_IO);
}
END_TEST

START_TEST(damaged_key_files_are_refused)
{
    static const char *const bad[] = {
        "",
        "murakumo-key 1\n",
        "murakumo-key 2\nrole worker\nname a\npublic " PUBLIC "\n",
        "role worker\nmurakumo-key 1\nname a\npublic " PUBLIC "\n",
        "murakumo-key 1\nrole king\nname a\npublic " PUBLIC "\n",
        "murakumo-key 1\nrole worker\nname ../a\npublic " PUBLIC "\n",
        "murakumo-key 1\nrole worker\nname a\npublic short\n",
        "murakumo-key 1\nrole worker\nname a\npublic " PUBLIC "\npublic " PUBLIC "\n",
        "murakumo-key 1\nrole worker\nname a\npublic " PUBLIC "\nsecret\n",
        "murakumo-key 1\nrole worker\nname a\npublic " PUBLIC "\nunknown x\n",
        "murakumo-key 1\nrole worker\nname a\npublic " PUBLIC PUBLIC "\n",
    };
    struct key_pair key;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(key_parse(bad[i], strlen(bad[i]), &key) != ST_OK, "%zu", i);
    static const char good[] = "murakumo-key 1\r\n# x\n\nrole worker\nname a\npublic " PUBLIC;
    ck_assert_int_eq(key_parse(good, sizeof good - 1, &key), ST_OK);
    for (size_t cut = 0; cut + 1 < sizeof good - 1; cut++) ck_assert(key_parse(good, cut, &key) != ST_OK || cut > 70);
}
END_TEST

START_TEST(zap_lets_in_only_keys_on_the_list_and_fails_closed)
{
    static struct allow_list list;
    uint8_t known[KEY_BYTES], stranger[KEY_BYTES] = {1};
    ck_assert(key_from_z85(PUBLIC, known));
    memcpy(list.entries[0].public_key, known, KEY_BYTES);
    strcpy(list.entries[0].name, "alpha");
    list.count = 1;
    struct zap_frame frames[8] = {{"1.0", 3},         {"1", 1}, {ZAP_DOMAIN, strlen(ZAP_DOMAIN)},
                                  {"127.0.0.1", 9},   {"", 0},  {"CURVE", 5},
                                  {known, KEY_BYTES}, {"", 0}};
    struct zap_answer answer = zap_decide(&list, frames, 7);
    ck_assert(answer.allowed);
    ck_assert_str_eq(answer.name, "alpha");
    frames[6].bytes = stranger;
    ck_assert(!zap_decide(&list, frames, 7).allowed);
    frames[6].bytes = known;
    ck_assert(!zap_decide(&list, frames, 6).allowed);
    ck_assert(!zap_decide(&list, frames, 8).allowed);
    frames[6].count = 31;
    ck_assert(!zap_decide(&list, frames, 7).allowed);
    frames[6].count = KEY_BYTES;
    frames[5] = (struct zap_frame){"NULL", 4};
    ck_assert(!zap_decide(&list, frames, 7).allowed);
    frames[5] = (struct zap_frame){"CURVE", 5};
    frames[2] = (struct zap_frame){"other", 5};
    ck_assert(!zap_decide(&list, frames, 7).allowed);
    list.count = 0;
    frames[2] = (struct zap_frame){ZAP_DOMAIN, strlen(ZAP_DOMAIN)};
    ck_assert(!zap_decide(&list, frames, 7).allowed);
}
END_TEST

/* ---- the link -------------------------------------------------------------------------------------------------- */

static struct link *coordinator, *worker;
static struct link_event event;

/* The next event of one link, while both are served. */
static bool await_event(struct link *link, int timeout_ms)
{
    for (int64_t deadline_ms = clock_now_ms() + timeout_ms; clock_now_ms() < deadline_ms;) {
        if (link_receive(link, &event)) return true;
        link_wait(link, NULL, 0, 5, false);
    }
    return false;
}

static void send_text(struct link *link, uint64_t peer, const char *text)
{
    for (int i = 0; i < 1000; i++) {
        if (link_send(link, peer, (const uint8_t *)text, strlen(text)) == LINK_SENT) return;
        link_wait(link, NULL, 0, 5, true);
    }
    ck_abort_msg("the link never took \"%s\"", text);
}

static void expect_frame(struct link *link, const char *text)
{
    while (await_event(link, 20000)) {
        if (event.type != LINK_EVENT_FRAME) continue;
        ck_assert_uint_eq(event.count, strlen(text));
        ck_assert_mem_eq(event.bytes, text, event.count);
        return;
    }
    ck_abort_msg("no frame came");
}

static void talk(const char *identity)
{
    ck_assert(await_event(worker, 20000));
    ck_assert_int_eq(event.type, LINK_EVENT_CONNECTED);
    send_text(worker, LINK_COORDINATOR, "hello");
    expect_frame(coordinator, "hello");
    ck_assert_str_eq(event.identity, identity);
    uint64_t peer = event.peer;
    send_text(coordinator, peer, "welcome");
    expect_frame(worker, "welcome");
    /* A worker that vanishes is noticed without a word from it. */
    link_close(worker, 0);
    worker = NULL;
    ck_assert(await_event(coordinator, 20000));
    ck_assert_int_eq(event.type, LINK_EVENT_DISCONNECTED);
    ck_assert_uint_eq(event.peer, peer);
    ck_assert_int_eq(link_send(coordinator, peer, (const uint8_t *)"x", 1), LINK_GONE);
    link_close(coordinator, 0);
}

START_TEST(frames_travel_over_tcp_and_a_vanished_worker_is_noticed)
{
    char why[KEY_TEXT_MAX];
    coordinator = link_zmq_coordinator_new(LINK_CONTROL_BYTES_PER_S);
    ck_assert_int_eq(link_zmq_listen(coordinator, "tcp://127.0.0.1:*", NULL, why), ST_OK);
    worker = link_zmq_worker_new(link_zmq_bound(coordinator, 0), NULL, why);
    ck_assert_msg(worker != NULL, "%s", why);
    talk("");
}
END_TEST

START_TEST(frames_travel_over_a_private_socket)
{
    char why[KEY_TEXT_MAX], text[160];
    snprintf(text, sizeof text, "ipc://%s", in_dir("s"));
    coordinator = link_zmq_coordinator_new(LINK_CONTROL_BYTES_PER_S);
    ck_assert_int_eq(link_zmq_listen(coordinator, text, NULL, why), ST_OK);
    worker = link_zmq_worker_new(text, NULL, why);
    ck_assert_msg(worker != NULL, "%s", why);
    talk("");
}
END_TEST

START_TEST(frames_travel_under_keys_and_carry_the_name_that_the_key_proves)
{
    struct key_pair server = {.role = KEY_COORDINATOR, .name = "coordinator"},
                    alpha = {.role = KEY_WORKER, .name = "alpha"};
    char why[KEY_TEXT_MAX];
    ck_assert(link_zmq_key_make(server.public_z85, server.secret_z85));
    ck_assert(link_zmq_key_make(alpha.public_z85, alpha.secret_z85));
    memcpy(alpha.server_z85, server.public_z85, sizeof alpha.server_z85);
    ck_assert_int_eq(key_write(in_dir("alpha.pub"), &alpha, false, why), ST_OK);
    struct link_zmq_keys server_keys = {&server, dir}, worker_keys = {&alpha, NULL};
    coordinator = link_zmq_coordinator_new(LINK_CONTROL_BYTES_PER_S);
    ck_assert_int_eq(link_zmq_listen(coordinator, "tcp://127.0.0.1:*", &server_keys, why), ST_OK);
    worker = link_zmq_worker_new(link_zmq_bound(coordinator, 0), &worker_keys, why);
    ck_assert_msg(worker != NULL, "%s", why);
    talk("alpha");
}
END_TEST

START_TEST(oversized_frames_close_the_connection_and_nothing_else)
{
    static uint8_t big[LINK_FRAME_BYTES_MAX + 100];
    char why[KEY_TEXT_MAX];
    coordinator = link_zmq_coordinator_new(LINK_CONTROL_BYTES_PER_S);
    ck_assert_int_eq(link_zmq_listen(coordinator, "tcp://127.0.0.1:*", NULL, why), ST_OK);
    worker = link_zmq_worker_new(link_zmq_bound(coordinator, 0), NULL, why);
    ck_assert(await_event(worker, 20000));
    while (link_send(worker, LINK_COORDINATOR, big, LINK_FRAME_BYTES_MAX) != LINK_SENT)
        link_wait(worker, NULL, 0, 5, true);
    ck_assert(await_event(coordinator, 20000));
    ck_assert_uint_eq(event.count, LINK_FRAME_BYTES_MAX);
    ck_assert_int_eq(link_send(worker, LINK_COORDINATOR, big, sizeof big), LINK_SENT);
    ck_assert(await_event(worker, 20000));
    ck_assert_int_eq(event.type, LINK_EVENT_DISCONNECTED);
    link_close(worker, 0);
    link_close(coordinator, 0);
}
END_TEST

START_TEST(a_worker_finds_a_coordinator_that_comes_later)
{
    char why[KEY_TEXT_MAX], address[128];
    coordinator = link_zmq_coordinator_new(LINK_CONTROL_BYTES_PER_S);
    ck_assert_int_eq(link_zmq_listen(coordinator, "tcp://127.0.0.1:*", NULL, why), ST_OK);
    snprintf(address, sizeof address, "%s", link_zmq_bound(coordinator, 0));
    link_close(coordinator, 0);
    worker = link_zmq_worker_new(address, NULL, why);
    ck_assert_int_eq(link_send(worker, LINK_COORDINATOR, (const uint8_t *)"x", 1), LINK_FULL); /* nothing is queued */
    coordinator = link_zmq_coordinator_new(LINK_CONTROL_BYTES_PER_S);
    ck_assert_int_eq(link_zmq_listen(coordinator, address, NULL, why), ST_OK);
    talk("");
}
END_TEST

START_TEST(the_machine_has_something_to_offer)
{
    char name[20];
    ck_assert_uint_ge(machine_cores(), 1);
    ck_assert_uint_ge(machine_memory_mb(), 1);
    ck_assert_uint_le(machine_memory_available_mb(), machine_memory_mb());
    machine_host_name(name, sizeof name);
    ck_assert(key_name_is_good(name));
    ck_assert_uint_ne(clock_random(), clock_random());
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tcase = tcase_create("net");
    tcase_add_checked_fixture(tcase, dir_make, dir_remove);
    tcase_add_test(tcase, addresses_are_told_apart);
    tcase_add_test(tcase, a_socket_file_is_private_only_in_a_directory_of_our_own);
    tcase_add_test(tcase, z85_is_decoded_as_the_standard_says);
    tcase_add_test(tcase, key_files_come_back_as_they_were_written);
    tcase_add_test(tcase, a_secret_that_others_can_reach_is_refused);
    tcase_add_test(tcase, damaged_key_files_are_refused);
    tcase_add_test(tcase, zap_lets_in_only_keys_on_the_list_and_fails_closed);
    tcase_add_test(tcase, frames_travel_over_tcp_and_a_vanished_worker_is_noticed);
    tcase_add_test(tcase, frames_travel_over_a_private_socket);
    tcase_add_test(tcase, frames_travel_under_keys_and_carry_the_name_that_the_key_proves);
    tcase_add_test(tcase, oversized_frames_close_the_connection_and_nothing_else);
    tcase_add_test(tcase, a_worker_finds_a_coordinator_that_comes_later);
    tcase_add_test(tcase, the_machine_has_something_to_offer);
    suite_add_tcase(suite, tcase);
}

CHECK_MAIN("net", add_cases)
