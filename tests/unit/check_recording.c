/* check_recording.c - what the flight recorder writes is read back as it was, and done again with the same effects; the
 * status of a cluster as JSON and as a table. */
#include "coordinator/core/recording.h"
#include "coordinator/view/cluster_status.h"
#include "tests/unit/check_main.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct recording_reader reader; /* large */
static struct text_buffer out;
static struct coord_effects *effects;

static void set_up(void)
{
    text_buffer_init(&out, 8 << 20);
    effects = calloc(1, sizeof *effects);
    ck_assert_ptr_nonnull(effects);
}

static void tear_down(void)
{
    text_buffer_free(&out);
    free(effects);
}

/* Written, read, written again: the same text. */
static void comes_back(struct coord_event *event, const struct recorded_frame *frame)
{
    static const struct recorded_frame none = {.identity = ""};
    static char first[400000], line[400000];
    struct coord_event again;
    event->now_us = 123456789;
    text_buffer_clear(&out);
    recording_write_event(event, frame ? frame : &none, &out);
    ck_assert_uint_lt(out.length, sizeof first);
    memcpy(first, out.data, out.length + 1);
    size_t length = out.length;
    ck_assert(first[length - 1] == '\n');
    memcpy(line, first, length);
    ck_assert_int_eq(recording_read_event(&reader, text_make(line, length - 1), &again), ST_OK);
    ck_assert_int_eq(again.type, event->type);
    struct recorded_frame read = {.bytes = reader.bytes, .count = frame ? frame->count : 0, .identity = reader.name};
    text_buffer_clear(&out);
    recording_write_event(&again, frame ? &read : &none, &out);
    ck_assert_uint_eq(out.length, length);
    ck_assert_mem_eq(out.data, first, length);
}

START_TEST(every_kind_of_event_comes_back)
{
    static const enum coord_event_type plain[] = {COORD_EV_EOF, COORD_EV_DETACH, COORD_EV_SHUTDOWN, COORD_EV_TICK};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) comes_back(&(struct coord_event){.type = plain[i]}, NULL);
    struct coord_event event = {.type = COORD_EV_LINE};
    static const char *const lines[] = {"", "usi", "  go   infinite ", "\xe3\x81\x82 = 1", "= not effects"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        event.line.bytes = lines[i];
        event.line.length = strlen(lines[i]);
        event.line.too_long = i == 2;
        comes_back(&event, NULL);
    }
    event = (struct coord_event){.type = COORD_EV_PEER_GONE};
    event.peer_gone.peer = UINT64_MAX;
    comes_back(&event, NULL);
    event = (struct coord_event){.type = COORD_EV_LOCAL_STARTED};
    event.local_started.slot = 63;
    comes_back(&event, NULL);
    event = (struct coord_event){.type = COORD_EV_LOCAL_DIED};
    event.local_died.text = "signal 9";
    comes_back(&event, NULL);
    event = (struct coord_event){.type = COORD_EV_SCAN_CANCEL};
    event.scan_cancel.id = UINT32_MAX;
    comes_back(&event, NULL);
    event = (struct coord_event){.type = COORD_EV_SCAN_SUBMIT};
    event.scan_submit = (struct scan_order){.id = 7,
                                            .root = wire_str_make("sfen text", 9),
                                            .moves = wire_str_make("7g7f 3c3d", 9),
                                            .searchmoves = wire_str_make("2g2f", 4),
                                            .last_ply = UINT32_MAX,
                                            .nodes = UINT64_MAX,
                                            .depth_max = 9,
                                            .multipv = 3,
                                            .warm = true};
    comes_back(&event, NULL);
    event.scan_submit = (struct scan_order){.id = 8, .fresh = true};
    comes_back(&event, NULL);
    event = (struct coord_event){.type = COORD_EV_TSUME_SUBMIT};
    event.tsume_submit =
        (struct tsume_order){.id = 9, .root = wire_str_make("8k/9/8P", 7), .nodes = 12, .time_ms = 34, .fresh = true};
    comes_back(&event, NULL);
}
END_TEST

START_TEST(frames_come_back_decoded_or_refused_as_they_were)
{
    uint8_t bytes[512];
    size_t count;
    struct msg msg = {.type = MSG_heartbeat, .boot = 9, .sequence = 3};
    msg.heartbeat.session = 4711;
    ck_assert_int_eq(msg_encode(&msg, bytes, sizeof bytes, &count), ST_OK);
    struct recorded_frame frame = {.bytes = bytes, .count = count, .identity = "alpha"};
    struct msg storage;
    struct coord_event event = recording_frame_event(0x100000005, COORD_PEER_REMOTE, &frame, &storage);
    ck_assert_int_eq(event.type, COORD_EV_MESSAGE);
    comes_back(&event, &frame);
    frame.count = count - 1;
    frame.identity = "";
    event = recording_frame_event(0x100000005, 3, &frame, &storage);
    ck_assert_int_eq(event.type, COORD_EV_BAD_FRAME);
    comes_back(&event, &frame);
    frame.count = 0;
    event = recording_frame_event(1, 0, &frame, &storage);
    comes_back(&event, &frame);
}
END_TEST

START_TEST(damaged_lines_are_refused)
{
    static const char *const lines[] = {"",
                                        "x",
                                        "1",
                                        "1 dance",
                                        "1 line",
                                        "1 frame",
                                        "1 frame zz 0 - 00",
                                        "1 frame 1 0 - 0",
                                        "1 frame 1 0 - 0g",
                                        "1 frame 1 65 - 00",
                                        "1 local_died 1",
                                        "1 scan_submit 1 2 3",
                                        "99999999999999999999 tick"};
    struct coord_event event;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        ck_assert_msg(recording_read_event(&reader, text_from(lines[i]), &event) != ST_OK, "%s", lines[i]);
    struct coord_config config;
    ck_assert_int_ne(recording_read_config(&reader, text_from("something else"), &config), ST_OK);
    ck_assert_int_eq(recording_read_config(&reader, text_from("murakumo-recording 1 boot=1"), &config), ST_VERSION);
}
END_TEST

START_TEST(the_settings_come_back)
{
    struct coord_config config = {.name = "Murakumo v1 (x)",
                                  .boot = 0xabcdef0123456789,
                                  .serves = true,
                                  .local_workers = 3,
                                  .threads = 8,
                                  .hash_mb = 77};
    struct coord_config again;
    recording_write_config(&config, &out);
    ck_assert_int_eq(recording_read_config(&reader, text_make(out.data, out.length - 1), &again), ST_OK);
    ck_assert_str_eq(again.name, config.name);
    ck_assert(again.boot == config.boot && again.serves && again.local_workers == 3 && again.threads == 8 &&
              again.hash_mb == 77);
}
END_TEST

START_TEST(a_status_is_json_and_a_table)
{
    struct coord *coord = coord_new(&(struct coord_config){.name = "M", .boot = 1});
    ck_assert_ptr_nonnull(coord);
    struct msg hello = {.type = MSG_hello, .boot = 5, .sequence = 1};
    hello.hello = (struct msg_hello){.name = wire_str_make("al\"pha", 6),
                                     .build = wire_str_make("b", 1),
                                     .eval_hash = 3,
                                     .threads = 8,
                                     .hash_mb = 64};
    struct coord_event event = {.type = COORD_EV_MESSAGE, .now_us = 1000000};
    event.message.peer = 9;
    event.message.local_slot = COORD_PEER_REMOTE;
    event.message.msg = &hello;
    ck_assert_int_eq(coord_step(coord, &event, effects), ST_MISMATCH); /* other position keys */
    static struct coord_snapshot snapshot;
    coord_snapshot(coord, &snapshot);
    snapshot.workers[snapshot.worker_count++] =
        (struct coord_worker_snapshot){.name = "beta", .build = "b2", .threads = 4, .rtt_us = -1, .configured = true};
    const char *listen[] = {"tcp://127.0.0.1:7654"};
    struct absent refused = {.refused = true, .name = "10.0.0.9 key abc", .why = "key is not on the list", .count = 2};
    struct cluster_status status = {.program = "M \\ \"1\"",
                                    .kind = "serve",
                                    .pid = 4711,
                                    .listen = listen,
                                    .listen_count = 1,
                                    .handshakes = &refused,
                                    .handshake_count = 1};
    cluster_status_write_json(&status, &snapshot, &out);
    ck_assert_int_eq(out.status, ST_OK);
    struct text rest = text_buffer_view(&out);
    struct json json;
    ck_assert_int_eq(json_take(&rest, &json, NULL), ST_OK);
    ck_assert(text_empty(rest));
    ck_assert(json_string_is(json_member(json, "kind"), "serve"));
    struct text_buffer table;
    text_buffer_init(&table, 1 << 20);
    ck_assert(cluster_status_write_table(json, &table));
    ck_assert_ptr_nonnull(strstr(table.data, "process 4711"));
    ck_assert_ptr_nonnull(strstr(table.data, "beta"));
    ck_assert_ptr_nonnull(strstr(table.data, "position keys"));
    ck_assert_ptr_nonnull(strstr(table.data, "key is not on the list"));
    ck_assert_ptr_nonnull(strstr(table.data, "tcp://127.0.0.1:7654"));
    struct text broken = text_from("{\"pid\":1}");
    ck_assert_int_eq(json_take(&broken, &json, NULL), ST_OK);
    ck_assert(!cluster_status_write_table(json, &table));
    text_buffer_free(&table);
    coord_free(coord);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tcase = tcase_create("recording");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, every_kind_of_event_comes_back);
    tcase_add_test(tcase, frames_come_back_decoded_or_refused_as_they_were);
    tcase_add_test(tcase, damaged_lines_are_refused);
    tcase_add_test(tcase, the_settings_come_back);
    tcase_add_test(tcase, a_status_is_json_and_a_table);
    suite_add_tcase(suite, tcase);
}

CHECK_MAIN("recording", add_cases)
