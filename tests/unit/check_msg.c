/* check_msg.c - frames and messages: the golden files of tests/golden/wire (made by another MessagePack library),
 * limits, damaged frames, and random messages there and back. */
#include "common/base/prng.h"
#include "common/shogi/outcome.h"
#include "proto/fields.h"
#include "proto/msg.h"
#include "proto/msg_text.h"
#include "tests/model/wire_samples.h"
#include "tests/unit/check_main.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

static uint8_t frame[WIRE_FRAME_BYTES_MAX + 1], again[WIRE_FRAME_BYTES_MAX + 1];
static char json[MSG_TEXT_BYTES_MAX], expected_json[MSG_TEXT_BYTES_MAX];
static struct wire_arena arena;

enum { MINOR_OFFSET = 2 }; /* of its byte in a frame as our encoder writes it */

static size_t read_frame(const char *path)
{
    long bytes = wire_sample_read_hex(path, frame, sizeof frame);
    ck_assert_msg(bytes >= 0, "%s cannot be read", path);
    return (size_t)bytes;
}

static const char *json_of(const struct msg *msg)
{
    size_t length = 0;
    ck_assert_int_eq(msg_to_json(msg, json, sizeof json, &length), ST_OK);
    ck_assert_uint_eq(length, strlen(json));
    return json;
}

/* The line in NAME.json beside NAME.hex. */
static const char *expected_json_beside(const char *hex_path)
{
    char path[512];
    snprintf(path, sizeof path, "%.*s.json", (int)(strlen(hex_path) - strlen(".hex")), hex_path);
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s is missing", path);
    ck_assert_ptr_nonnull(fgets(expected_json, sizeof expected_json, file));
    fclose(file);
    expected_json[strcspn(expected_json, "\n")] = '\0';
    return expected_json;
}

static glob_t files_of(const char *pattern, size_t count_min)
{
    glob_t files;
    ck_assert_int_eq(glob(pattern, 0, NULL, &files), 0);
    ck_assert_uint_ge(files.gl_pathc, count_min);
    return files;
}

START_TEST(golden_frames_mean_what_the_json_beside_them_says)
{
    glob_t files = files_of("tests/golden/wire/*.hex", 20);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        struct msg msg;
        ck_assert_msg(msg_decode(&msg, frame, read_frame(files.gl_pathv[i])) == ST_OK, "%s", files.gl_pathv[i]);
        ck_assert_str_eq(json_of(&msg), expected_json_beside(files.gl_pathv[i]));
    }
    globfree(&files);
}
END_TEST

START_TEST(the_encoder_writes_golden_frames_byte_for_byte)
{
    glob_t files = files_of("tests/golden/wire/*.hex", 20);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        struct msg msg;
        size_t bytes = read_frame(files.gl_pathv[i]), bytes_again = 0;
        ck_assert_int_eq(msg_decode(&msg, frame, bytes), ST_OK);
        ck_assert_int_eq(msg_encode(&msg, again, sizeof again, &bytes_again), ST_OK);
        if (msg.minor < PROTO_MINOR) frame[MINOR_OFFSET] = PROTO_MINOR; /* what an older minor said is said as then */
        ck_assert_msg(bytes == bytes_again && memcmp(frame, again, bytes) == 0, "%s", files.gl_pathv[i]);
    }
    globfree(&files);
}
END_TEST

START_TEST(every_message_type_has_a_golden_frame)
{
    for (size_t i = 0; i < fields_message_count(); i++) {
        char path[256];
        struct msg msg;
        snprintf(path, sizeof path, "tests/golden/wire/%s.hex", fields_message_at(i)->name);
        ck_assert_int_eq(msg_decode(&msg, frame, read_frame(path)), ST_OK);
        ck_assert_int_eq(msg.type, fields_message_at(i)->type);
    }
}
END_TEST

START_TEST(frames_of_other_encoders_and_newer_minors_are_understood)
{
    glob_t files = files_of("tests/golden/wire/foreign/*.hex", 6);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        struct msg msg;
        ck_assert_msg(msg_decode(&msg, frame, read_frame(files.gl_pathv[i])) == ST_OK, "%s", files.gl_pathv[i]);
        ck_assert_str_eq(json_of(&msg), expected_json_beside(files.gl_pathv[i]));
    }
    globfree(&files);
}
END_TEST

static enum status status_named(const char *name, size_t length)
{
    static const char *const names[] = {
#define NAME(status, text) #status,
        STATUSES(NAME)};
    for (int st = 0; st < STATUS_COUNT; st++)
        if (strlen(names[st]) == length && memcmp(names[st], name, length) == 0) return (enum status)st;
    ck_abort_msg("no status %.*s", (int)length, name);
}

START_TEST(bad_frames_are_refused_with_the_right_status_and_change_nothing)
{
    static char line[4 * WIRE_FRAME_BYTES_MAX];
    FILE *file = fopen("tests/golden/wire/refused.txt", "r");
    ck_assert_ptr_nonnull(file);
    int seen = 0;
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#') continue;
        char *hex = strchr(line, '|') + 1, *reason = strchr(hex, '|') + 1;
        enum status expected = status_named(line, (size_t)(hex - 1 - line));
        long bytes = wire_sample_from_hex(hex, (size_t)(reason - 1 - hex), frame, sizeof frame);
        ck_assert_int_ge(bytes, 0);

        struct msg msg, before;
        memset(&msg, 0x5a, sizeof msg);
        before = msg;
        enum status st = msg_decode(&msg, frame, (size_t)bytes);
        ck_assert_msg(st == expected, "\"%s\" instead of \"%s\": %s", status_text(st), status_text(expected), reason);
        if (st != ST_VERSION) ck_assert_mem_eq(&msg, &before, sizeof msg);
        seen++;
    }
    fclose(file);
    ck_assert_int_ge(seen, 70);
}
END_TEST

START_TEST(the_header_of_another_major_is_reported)
{
    /* [2, 5, 1, 7, 1, "new form"], and [9, true] whose header has changed altogether */
    static const uint8_t newer[] = {0x96, 2, 5, 1, 7, 1, 0xa8, 'n', 'e', 'w', ' ', 'f', 'o', 'r', 'm'},
                         strange[] = {0x92, 9, 0xc3};
    struct msg msg;
    ck_assert_int_eq(msg_decode(&msg, newer, sizeof newer), ST_VERSION);
    ck_assert_uint_eq(msg.major, 2);
    ck_assert_uint_eq(msg.minor, 5);
    ck_assert_int_eq(msg.type, MSG_hello);
    ck_assert_uint_eq(msg.boot, 7);
    ck_assert_uint_eq(msg.sequence, 1);
    ck_assert_int_eq(msg_decode(&msg, strange, sizeof strange), ST_VERSION);
    ck_assert_uint_eq(msg.major, 9);
    ck_assert_uint_eq(msg.minor, 0);
    ck_assert_str_eq(msg_name(msg.type), "unknown");
}
END_TEST

START_TEST(a_frame_longer_than_the_limit_is_refused)
{
    struct msg msg;
    memset(frame, 0xc0, sizeof frame);
    ck_assert_int_eq(msg_decode(&msg, frame, WIRE_FRAME_BYTES_MAX + 1), ST_TOO_BIG);
    /* exactly at the limit: reset with an unknown field that fills the frame */
    static const uint8_t head[] = {0x96, 1, 0, 4, 7, 1, 0x82, 1, 0xa0, 2, 0xc5};
    size_t body = WIRE_FRAME_BYTES_MAX - sizeof head - 2;
    memcpy(frame, head, sizeof head);
    frame[sizeof head] = (uint8_t)(body >> 8);
    frame[sizeof head + 1] = (uint8_t)body;
    ck_assert_int_eq(msg_decode(&msg, frame, WIRE_FRAME_BYTES_MAX), ST_OK);
}
END_TEST

START_TEST(every_prefix_of_every_golden_frame_is_refused)
{
    glob_t files = files_of("tests/golden/wire/*.hex", 20);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        size_t bytes = read_frame(files.gl_pathv[i]);
        for (size_t length = 0; length < bytes; length++) {
            struct msg msg;
            uint8_t *exact = malloc(length + 1); /* so that a sanitizer sees a read past the end */
            ck_assert_ptr_nonnull(exact);
            memcpy(exact + 1, frame, length);
            ck_assert_int_eq(msg_decode(&msg, exact + 1, length), ST_TRUNCATED);
            free(exact);
        }
    }
    globfree(&files);
}
END_TEST

/* Whatever is accepted must be a message that we could have sent ourselves. */
static void assert_means_something(const uint8_t *bytes, size_t length)
{
    struct msg msg, back;
    size_t length_again = 0;
    if (msg_decode(&msg, bytes, length) != ST_OK) return;
    ck_assert_int_eq(msg_encode(&msg, again, sizeof again, &length_again), ST_OK);
    ck_assert_int_eq(msg_decode(&back, again, length_again), ST_OK);
    back.major = msg.major; /* of a `refuse` from another major, and of a newer minor */
    back.minor = msg.minor;
    snprintf(expected_json, sizeof expected_json, "%s", json_of(&msg));
    ck_assert_str_eq(json_of(&back), expected_json);
}

START_TEST(every_flipped_bit_of_every_golden_frame_is_refused_or_means_something)
{
    glob_t files = files_of("tests/golden/wire/*.hex", 20);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        size_t bytes = read_frame(files.gl_pathv[i]);
        for (size_t bit = 0; bit < 8 * bytes; bit++) {
            frame[bit / 8] ^= (uint8_t)(1u << bit % 8);
            assert_means_something(frame, bytes);
            frame[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
    }
    globfree(&files);
}
END_TEST

START_TEST(random_damage_is_refused_or_means_something)
{
    struct prng prng = prng_make((uint64_t)_i);
    for (int round = 0; round < 2000; round++) {
        struct msg msg;
        size_t bytes = 0;
        wire_sample_random(&msg, fields_message_at(prng_below(&prng, (uint32_t)fields_message_count())), &prng, &arena);
        ck_assert_int_eq(msg_encode(&msg, frame, sizeof frame, &bytes), ST_OK);
        uint32_t hits = 1 + prng_below(&prng, 4);
        while (hits-- > 0) {
            uint32_t at = prng_below(&prng, (uint32_t)(bytes < 64 ? bytes : 64));
            frame[at] = (uint8_t)prng_next(&prng);
        }
        uint32_t length = prng_chance(&prng, 500) ? (uint32_t)bytes : prng_below(&prng, (uint32_t)bytes);
        assert_means_something(frame, length);
    }
}
END_TEST

START_TEST(random_messages_come_back_equal)
{
    struct prng prng = prng_make(1000 + (uint64_t)_i);
    for (int round = 0; round < 300; round++) {
        for (size_t i = 0; i < fields_message_count(); i++) {
            struct msg msg, back;
            size_t bytes = 0;
            wire_sample_random(&msg, fields_message_at(i), &prng, &arena);
            ck_assert_int_eq(msg_encode(&msg, frame, WIRE_FRAME_BYTES_MAX, &bytes), ST_OK);
            ck_assert_int_eq(msg_decode(&back, frame, bytes), ST_OK);
            snprintf(expected_json, sizeof expected_json, "%s", json_of(&msg));
            ck_assert_str_eq(json_of(&back), expected_json);
        }
    }
}
END_TEST

START_TEST(the_largest_message_of_each_type_fits_in_a_frame)
{
    for (size_t i = 0; i < fields_message_count(); i++) {
        struct msg msg, back;
        size_t bytes = 0;
        wire_sample_largest(&msg, fields_message_at(i), &arena);
        ck_assert_int_eq(msg_encode(&msg, frame, WIRE_FRAME_BYTES_MAX, &bytes), ST_OK);
        ck_assert_int_eq(msg_decode(&back, frame, bytes), ST_OK);
        ck_assert_uint_le(6 + 2 * fields_message_at(i)->field_count + 1, WIRE_OBJECTS_MAX);
    }
}
END_TEST

START_TEST(one_more_than_the_limit_of_a_field_is_not_sent)
{
    for (size_t i = 0; i < fields_message_count(); i++) {
        const struct message_type *type = fields_message_at(i);
        for (size_t f = 0; f < type->field_count; f++) {
            const struct field *field = &type->fields[f];
            struct msg msg;
            size_t bytes = 12345;
            wire_sample_largest(&msg, type, &arena);
            if (field->kind == FIELD_STR || field->kind == FIELD_BIN) {
                struct wire_str text = field_get_string(&msg, field);
                text.length++; /* one byte into the next text of the arena, or its unused end */
                ck_assert_uint_lt(arena.used, sizeof arena.bytes);
                arena.bytes[arena.used] = 'x';
                field_set_string(&msg, field, text);
            } else if (field->kind == FIELD_I32) {
                field_set_signed(&msg, field, -(int32_t)field->max - 1);
            } else if (field->kind == FIELD_BOOL ||
                       field->max >= (field->kind == FIELD_U32 ? UINT32_MAX : UINT64_MAX)) {
                continue; /* every value of the C type is allowed */
            } else {
                field_set_unsigned(&msg, field, field->max + 1);
            }
            ck_assert_msg(msg_encode(&msg, frame, sizeof frame, &bytes) == ST_RANGE, "%s.%s", type->name, field->name);
            ck_assert_uint_eq(bytes, 12345);
        }
    }
}
END_TEST

START_TEST(a_text_with_control_characters_is_not_sent)
{
    static const char *const bad[] = {"two\nlines", "\x1b[2J", "\xff", "\xc2\x85"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct msg msg = {.type = MSG_reset, .boot = 1, .sequence = 1};
        size_t bytes = 0;
        msg.reset.text = wire_str_make(bad[i], strlen(bad[i]));
        ck_assert_int_eq(msg_encode(&msg, frame, sizeof frame, &bytes), ST_RANGE);
    }
}
END_TEST

START_TEST(a_message_without_a_type_is_not_sent)
{
    struct msg msg = {.boot = 1};
    size_t bytes = 0;
    ck_assert_int_eq(msg_encode(&msg, frame, sizeof frame, &bytes), ST_UNKNOWN);
}
END_TEST

START_TEST(a_frame_that_does_not_fit_is_full_and_nothing_is_written_behind_the_end)
{
    for (size_t i = 0; i < fields_message_count(); i++) {
        struct prng prng = prng_make(i);
        struct msg msg;
        size_t bytes = 0, unused = 0;
        wire_sample_random(&msg, fields_message_at(i), &prng, &arena);
        ck_assert_int_eq(msg_encode(&msg, frame, sizeof frame, &bytes), ST_OK);
        for (size_t capacity = 0; capacity < bytes; capacity += 1 + capacity / 64) {
            memset(again, 0xee, capacity + 16);
            ck_assert_int_eq(msg_encode(&msg, again, capacity, &unused), ST_FULL);
            for (size_t k = 0; k < 16; k++) ck_assert_uint_eq(again[capacity + k], 0xee);
        }
        ck_assert_int_eq(msg_encode(&msg, again, bytes, &unused), ST_OK);
    }
}
END_TEST

START_TEST(a_json_line_that_does_not_fit_is_cut_and_still_ends)
{
    struct msg msg = {.major = 1, .type = MSG_reset};
    size_t length = 99;
    msg.reset.text = wire_str_make("say \"no\" \\ \x01", 12);
    ck_assert_str_eq(json_of(&msg), "{\"type\":\"reset\",\"major\":1,\"minor\":0,\"boot\":0,\"sequence\":0,"
                                    "\"text\":\"say \\\"no\\\" \\\\ \\u0001\"}");
    char small[16];
    ck_assert_int_eq(msg_to_json(&msg, small, sizeof small, &length), ST_FULL);
    ck_assert_uint_eq(length, strlen(small));
    ck_assert_uint_lt(length, sizeof small);
    msg.type = (enum msg_type)0x7f;
    ck_assert_int_eq(msg_to_json(&msg, small, sizeof small, &length), ST_UNKNOWN);
}
END_TEST

static uint64_t enum_last(const char *name)
{
#define LAST_VALUE(value_name, value, meaning) last = value;
#define LAST(enum_name, VALUES)                                                                                        \
    if (strcmp(name, #enum_name) == 0) {                                                                               \
        uint64_t last = 0;                                                                                             \
        VALUES(LAST_VALUE) return last;                                                                                \
    }
    WIRE_ENUMS(LAST)
    ck_abort_msg("no enumeration %s", name);
}

START_TEST(the_table_keeps_its_own_rules)
{
    for (size_t i = 0; i < fields_message_count(); i++) {
        const struct message_type *type = fields_message_at(i);
        ck_assert_ptr_eq(fields_find((uint32_t)type->type), type);
        for (size_t f = 0; f < type->field_count; f++) {
            const struct field *field = &type->fields[f];
            char enum_name[64];
            if (f > 0) ck_assert_uint_gt(field->key, type->fields[f - 1].key);
            /* In a message that is there already, a required field makes a new major. */
            ck_assert(!field->required || field->since_minor == type->fields[0].since_minor);
            ck_assert_uint_le(field->since_minor, PROTO_MINOR);
            /* An open enumeration may grow in later minors, so `refuse.reason` has room. */
            if (sscanf(field->meaning, "enum %63s", enum_name) == 1)
                ck_assert(field->max == enum_last(enum_name) || type->type == MSG_refuse);
        }
    }
}
END_TEST

START_TEST(rules_on_the_wire_have_the_numbers_of_the_rules_in_the_engine)
{
    ck_assert_int_eq((int)WIRE_RULE_NONE, (int)RULE_NONE);
    ck_assert_int_eq((int)WIRE_RULE_CSA24, (int)RULE_CSA24);
    ck_assert_int_eq((int)WIRE_RULE_CSA24H, (int)RULE_CSA24H);
    ck_assert_int_eq((int)WIRE_RULE_CSA27, (int)RULE_CSA27);
    ck_assert_int_eq((int)WIRE_RULE_CSA27H, (int)RULE_CSA27H);
    ck_assert_int_eq((int)WIRE_RULE_TRY, (int)RULE_TRY);
    ck_assert_int_eq(RULE_COUNT, 6);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *golden = tcase_create("golden");
    tcase_add_test(golden, golden_frames_mean_what_the_json_beside_them_says);
    tcase_add_test(golden, the_encoder_writes_golden_frames_byte_for_byte);
    tcase_add_test(golden, every_message_type_has_a_golden_frame);
    tcase_add_test(golden, frames_of_other_encoders_and_newer_minors_are_understood);
    tcase_add_test(golden, bad_frames_are_refused_with_the_right_status_and_change_nothing);
    tcase_add_test(golden, the_header_of_another_major_is_reported);
    suite_add_tcase(suite, golden);

    TCase *damage = tcase_create("damage");
    tcase_add_test(damage, a_frame_longer_than_the_limit_is_refused);
    tcase_add_test(damage, every_prefix_of_every_golden_frame_is_refused);
    tcase_add_test(damage, every_flipped_bit_of_every_golden_frame_is_refused_or_means_something);
    tcase_add_loop_test(damage, random_damage_is_refused_or_means_something, 0, 10);
    suite_add_tcase(suite, damage);

    TCase *sending = tcase_create("sending");
    tcase_add_loop_test(sending, random_messages_come_back_equal, 0, 3);
    tcase_add_test(sending, the_largest_message_of_each_type_fits_in_a_frame);
    tcase_add_test(sending, one_more_than_the_limit_of_a_field_is_not_sent);
    tcase_add_test(sending, a_text_with_control_characters_is_not_sent);
    tcase_add_test(sending, a_message_without_a_type_is_not_sent);
    tcase_add_test(sending, a_frame_that_does_not_fit_is_full_and_nothing_is_written_behind_the_end);
    tcase_add_test(sending, a_json_line_that_does_not_fit_is_cut_and_still_ends);
    suite_add_tcase(suite, sending);

    TCase *table = tcase_create("table");
    tcase_add_test(table, the_table_keeps_its_own_rules);
    tcase_add_test(table, rules_on_the_wire_have_the_numbers_of_the_rules_in_the_engine);
    suite_add_tcase(suite, table);
}

CHECK_MAIN("msg", add_cases)
