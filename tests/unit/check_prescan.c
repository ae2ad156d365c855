/* check_prescan.c - prescan against msgpack-c itself: what it lets through must decode, and it must let through every
 * frame that msgpack-c packs. */
#include "common/base/prng.h"
#include "proto/prescan.h"
#include "tests/unit/check_main.h"

#include <msgpack.h>
#include <string.h>

static const struct prescan_limits limits = {.frame_bytes_max = 4096, .objects_max = 300, .depth_max = 5};

static bool msgpack_consumes_all(const uint8_t *frame, size_t bytes)
{
    msgpack_unpacked unpacked;
    size_t used = 0;
    msgpack_unpacked_init(&unpacked);
    msgpack_unpack_return answer = msgpack_unpack_next(&unpacked, (const char *)frame, bytes, &used);
    msgpack_unpacked_destroy(&unpacked);
    return answer == MSGPACK_UNPACK_SUCCESS && used == bytes;
}

/* A random tree; *objects counts what it holds. */
static void pack_random(msgpack_packer *packer, struct prng *prng, uint32_t depth, uint32_t *objects)
{
    static const char body[70000] = {0};
    uint32_t shape = prng_below(prng, depth > 0 ? 14 : 11);
    uint64_t number = prng_next(prng);
    uint32_t bits = prng_below(prng, 64);
    uint32_t length = prng_below(prng, prng_chance(prng, 100) ? 300 : 40);
    number >>= bits;
    ++*objects;
    switch (shape) {
    case 0:
        msgpack_pack_nil(packer);
        return;
    case 1:
        msgpack_pack_true(packer);
        return;
    case 2:
        msgpack_pack_false(packer);
        return;
    case 3:
        msgpack_pack_uint64(packer, number);
        return;
    case 4:
        msgpack_pack_int64(packer, -(int64_t)(number >> 1));
        return;
    case 5:
        msgpack_pack_float(packer, 1.5f);
        return;
    case 6:
        msgpack_pack_double(packer, 2.5);
        return;
    case 7:
        msgpack_pack_str_with_body(packer, body, length);
        return;
    case 8:
        msgpack_pack_bin_with_body(packer, body, length);
        return;
    case 9:
        msgpack_pack_ext_with_body(packer, body, length, 7);
        return;
    case 10:
        msgpack_pack_fix_uint32(packer, (uint32_t)number);
        return;
    case 11:
    case 12: {
        uint32_t count = prng_below(prng, 20);
        msgpack_pack_array(packer, count);
        while (count-- > 0) pack_random(packer, prng, depth - 1, objects);
        return;
    }
    default: {
        uint32_t count = prng_below(prng, 18);
        msgpack_pack_map(packer, count);
        for (count *= 2; count > 0; count--) pack_random(packer, prng, depth - 1, objects);
    }
    }
}

START_TEST(every_frame_that_msgpack_c_packs_within_the_limits_is_accepted_and_no_prefix_of_it)
{
    struct prng prng = prng_make((uint64_t)_i);
    int accepted = 0;
    for (int round = 0; round < 2000; round++) {
        msgpack_sbuffer buffer;
        msgpack_packer packer;
        uint32_t objects = 0;
        msgpack_sbuffer_init(&buffer);
        msgpack_packer_init(&packer, &buffer, msgpack_sbuffer_write);
        pack_random(&packer, &prng, prng_below(&prng, 4), &objects);
        const uint8_t *frame = (const uint8_t *)buffer.data;
        enum status expected =
            objects > limits.objects_max || buffer.size > limits.frame_bytes_max ? ST_TOO_BIG : ST_OK;
        ck_assert_int_eq(prescan(frame, buffer.size, &limits), expected);
        if (expected == ST_OK) {
            accepted++;
            size_t length = 0;
            while (length < buffer.size && prescan(frame, length, &limits) == ST_TRUNCATED) length++;
            ck_assert_uint_eq(length, buffer.size);
        }
        msgpack_sbuffer_destroy(&buffer);
    }
    ck_assert_int_ge(accepted, 1000);
}
END_TEST

START_TEST(whatever_is_accepted_decodes_and_leaves_nothing_over)
{
    struct prng prng = prng_make(500 + (uint64_t)_i);
    int accepted = 0;
    for (int round = 0; round < 40000; round++) {
        uint8_t frame[48];
        size_t bytes = prng_below(&prng, sizeof frame + 1);
        for (size_t i = 0; i < bytes; i++) {
            frame[i] = (uint8_t)prng_next(&prng);
            /* more containers and small numbers than chance would give, or hardly any frame would be whole */
            if (prng_chance(&prng, 600))
                frame[i] = (uint8_t)(i == 0 || prng_chance(&prng, 100) ? 0x80 | (frame[i] & 0x1f) : frame[i] & 0x7f);
        }
        if (prescan(frame, bytes, &limits) != ST_OK) continue;
        ck_assert(msgpack_consumes_all(frame, bytes));
        accepted++;
    }
    ck_assert_int_ge(accepted, 300);
}
END_TEST

/* The table of first bytes, one by one, each with exactly the bytes that the specification asks for. */
START_TEST(every_first_byte_is_measured_as_msgpack_c_measures_it)
{
    for (unsigned first = 0; first < 256; first++) {
        uint8_t frame[300] = {(uint8_t)first};
        for (size_t bytes = 1; bytes < sizeof frame; bytes++) {
            bool whole = prescan(frame, bytes, &limits) == ST_OK;
            if (whole != msgpack_consumes_all(frame, bytes)) ck_abort_msg("first byte %02x, %zu bytes", first, bytes);
        }
        for (size_t i = 1; i < sizeof frame; i++) frame[i] = 2; /* counts of 2, 0x0202, ... */
        for (size_t bytes = 1; bytes < sizeof frame; bytes++) {
            bool whole = prescan(frame, bytes, &limits) == ST_OK;
            if (whole && !msgpack_consumes_all(frame, bytes)) ck_abort_msg("first byte %02x, %zu bytes", first, bytes);
        }
    }
}
END_TEST

START_TEST(limits_are_exact)
{
    static const uint8_t nested[] = {0x91, 0x91, 0x91, 0x91, 0x91, 0xc0},
                         deeper[] = {0x91, 0x91, 0x91, 0x91, 0x91, 0x90};
    ck_assert_int_eq(prescan(nested, sizeof nested, &limits), ST_OK);
    ck_assert_int_eq(prescan(deeper, sizeof deeper, &limits), ST_TOO_DEEP);

    uint8_t wide[3 + 300] = {0xdc, 299 >> 8, 299 & 0xff};
    ck_assert_int_eq(prescan(wide, 3 + 299, &limits), ST_OK); /* the array and 299 in it */
    wide[2]++;
    ck_assert_int_eq(prescan(wide, 3 + 300, &limits), ST_TOO_BIG);

    static uint8_t bin[4097] = {0xc5, (4096 - 3) >> 8, (4096 - 3) & 0xff};
    ck_assert_int_eq(prescan(bin, 4096, &limits), ST_OK);
    ck_assert_int_eq(prescan(bin, 4097, &limits), ST_TOO_BIG);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *scan = tcase_create("prescan");
    tcase_add_loop_test(scan, every_frame_that_msgpack_c_packs_within_the_limits_is_accepted_and_no_prefix_of_it, 0, 5);
    tcase_add_loop_test(scan, whatever_is_accepted_decodes_and_leaves_nothing_over, 0, 5);
    tcase_add_test(scan, every_first_byte_is_measured_as_msgpack_c_measures_it);
    tcase_add_test(scan, limits_are_exact);
    suite_add_tcase(suite, scan);
}

CHECK_MAIN("prescan", add_cases)
