/* check_msg_memory.c - what decoding asks of the allocator: never more than the limits allow, and no harm when it gets
 * none.
 *
 * This program puts its own malloc in front of glibc's, which msgpack-c then uses as well. A sanitizer has its own, so
 * there is nothing to check under one. */
#include "proto/msg.h"
#include "tests/model/wire_samples.h"
#include "tests/unit/check_main.h"
#include "tests/unit/sanitized.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

/* A sanitizer has an allocator of its own. */
#if !SANITIZED && defined(__GLIBC__)
#define OWN_MALLOC 1
#else
#define OWN_MALLOC 0
#endif

#if OWN_MALLOC
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);

static size_t asked_bytes; /* while `counting`: Check allocates, too */
static int calls, fail_at; /* the fail_at-th call fails; 0 = none */
static bool counting;

static bool granted(size_t bytes)
{
    if (!counting) return true;
    asked_bytes += bytes;
    return ++calls != fail_at;
}

void *malloc(size_t bytes) { return granted(bytes) ? __libc_malloc(bytes) : NULL; }
void *calloc(size_t count, size_t bytes) { return granted(count * bytes) ? __libc_calloc(count, bytes) : NULL; }
void *realloc(void *old, size_t bytes) { return granted(bytes) ? __libc_realloc(old, bytes) : NULL; }

static uint8_t frame[WIRE_FRAME_BYTES_MAX];

static enum status decode_counted(struct msg *msg, size_t bytes, int fail)
{
    asked_bytes = 0;
    calls = 0;
    fail_at = fail;
    counting = true;
    enum status st = msg_decode(msg, frame, bytes);
    counting = false;
    return st;
}

/* msgpack-c takes one zone of 8 KiB; 24 bytes for each of WIRE_OBJECTS_MAX objects always fit into it: see msg.h. */
enum { BYTES_MAX = 8192 + 256 };

START_TEST(decoding_asks_for_little_memory_whatever_the_frame_claims)
{
    static char line[4 * WIRE_FRAME_BYTES_MAX];
    FILE *file = fopen("tests/golden/wire/refused.txt", "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#') continue;
        char *hex = strchr(line, '|') + 1, *reason = strchr(hex, '|') + 1;
        long bytes = wire_sample_from_hex(hex, (size_t)(reason - 1 - hex), frame, sizeof frame);
        ck_assert_int_ge(bytes, 0);
        struct msg msg;
        enum status st = decode_counted(&msg, (size_t)bytes, 0);
        ck_assert_int_ne(st, ST_OK);
        ck_assert_msg(asked_bytes <= BYTES_MAX, "%zu bytes: %s", asked_bytes, reason);
        if (st == ST_TRUNCATED || st == ST_TOO_DEEP || st == ST_TRAILING) ck_assert_uint_eq(asked_bytes, 0);
    }
    fclose(file);
}
END_TEST

START_TEST(the_frame_with_the_most_objects_stays_within_the_bound)
{
    /* reset with an unknown field: maps inside one another, as wide as the limit on objects allows */
    static const uint8_t head[] = {0x96, 1, 0, 4, 7, 1, 0x82, 1, 0xa0, 2};
    struct msg msg;
    size_t bytes = sizeof head;
    memcpy(frame, head, sizeof head);
    frame[bytes++] = 0xde; /* map 16 */
    frame[bytes++] = 0;
    frame[bytes++] = 122;
    for (int i = 0; i < 2 * 122; i++) frame[bytes++] = 0x80;
    ck_assert_int_eq(decode_counted(&msg, bytes, 0), ST_OK); /* 255 objects */
    ck_assert_uint_le(asked_bytes, BYTES_MAX);
    ck_assert_int_eq(calls, 2); /* the zone and its one block */
}
END_TEST

START_TEST(without_memory_a_frame_is_refused_and_nothing_changes)
{
    glob_t files;
    ck_assert_int_eq(glob("tests/golden/wire/*.hex", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        long bytes = wire_sample_read_hex(files.gl_pathv[i], frame, sizeof frame);
        ck_assert_int_gt(bytes, 0);
        enum status st = ST_NO_MEMORY;
        int fail = 1;
        for (; st == ST_NO_MEMORY; fail++) {
            struct msg msg, before;
            memset(&msg, 0x5a, sizeof msg);
            before = msg;
            st = decode_counted(&msg, (size_t)bytes, fail);
            if (st == ST_OK) break;
            ck_assert_int_eq(st, ST_NO_MEMORY);
            ck_assert_mem_eq(&msg, &before, sizeof msg);
        }
        ck_assert_int_eq(st, ST_OK);
        ck_assert_int_ge(fail, 2); /* at least one call was made to fail */
    }
    globfree(&files);
}
END_TEST

START_TEST(encoding_asks_for_no_memory)
{
    struct msg msg = {.type = MSG_reset, .boot = 1, .sequence = 1};
    size_t bytes = 0;
    msg.reset.text = wire_str_make("why", 3);
    asked_bytes = 0;
    fail_at = 0;
    counting = true;
    enum status st = msg_encode(&msg, frame, sizeof frame, &bytes);
    counting = false;
    ck_assert_int_eq(st, ST_OK);
    ck_assert_uint_eq(asked_bytes, 0);
}
END_TEST
#endif

static void add_cases(Suite *suite)
{
    TCase *memory = tcase_create("memory");
#if OWN_MALLOC
    tcase_add_test(memory, decoding_asks_for_little_memory_whatever_the_frame_claims);
    tcase_add_test(memory, the_frame_with_the_most_objects_stays_within_the_bound);
    tcase_add_test(memory, without_memory_a_frame_is_refused_and_nothing_changes);
    tcase_add_test(memory, encoding_asks_for_no_memory);
#endif
    suite_add_tcase(suite, memory);
}

CHECK_MAIN("msg_memory", add_cases)
