/* check_unpack.c - gzip and Zstandard: whole, in pieces, several parts, cut, damaged, far too big. Packed here by the
 * libraries' own writers. */
#include "coordinator/cli/unpack.h"
#include "tests/unit/check_main.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

static struct text_buffer packed, out;

static void setup(void)
{
    text_buffer_init(&packed, 8 << 20);
    text_buffer_init(&out, 4 << 20);
}

static void teardown(void)
{
    text_buffer_free(&packed);
    text_buffer_free(&out);
}

static void pack_gzip(struct text t)
{
    z_stream stream = {0};
    ck_assert_int_eq(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    size_t room = deflateBound(&stream, text_length(t));
    char *bytes = malloc(room);
    stream.next_in = (z_const Bytef *)t.at;
    stream.avail_in = (uInt)text_length(t);
    stream.next_out = (Bytef *)bytes;
    stream.avail_out = (uInt)room;
    ck_assert_int_eq(deflate(&stream, Z_FINISH), Z_STREAM_END);
    text_buffer_put(&packed, text_make(bytes, stream.total_out));
    deflateEnd(&stream);
    free(bytes);
}

static void pack_zstd(struct text t)
{
    size_t room = ZSTD_compressBound(text_length(t));
    char *bytes = malloc(room);
    size_t length = ZSTD_compress(bytes, room, t.at, text_length(t), 19);
    ck_assert(!ZSTD_isError(length));
    text_buffer_put(&packed, text_make(bytes, length));
    free(bytes);
}

static void (*const packers[])(struct text t) = {pack_gzip, pack_zstd};
enum { PACKERS = sizeof packers / sizeof packers[0] };

/* Text that compresses, and much more of it than one chunk. */
static struct text sample(size_t length)
{
    static char bytes[1 << 20];
    for (size_t i = 0; i < length; i++) bytes[i] = (char)('a' + i * i % 23 + i / 5000 % 3);
    return text_make(bytes, length);
}

START_TEST(what_was_packed_comes_out_again)
{
    static const size_t lengths[] = {0, 1, 65535, 65536, 65537, 1 << 20};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        struct text t = sample(lengths[i]);
        text_buffer_clear(&packed);
        text_buffer_clear(&out);
        packers[_i](t);
        ck_assert_int_eq(pack_of(packed.data, packed.length), _i == 0 ? PACK_GZIP : PACK_ZSTD);
        ck_assert_int_eq(unpack(packed.data, packed.length, &out), ST_OK);
        ck_assert(text_equal(text_buffer_view(&out), t));
    }
}
END_TEST

START_TEST(parts_one_after_the_other_are_one_text)
{
    packers[_i](text_from("V2.2\n"));
    packers[_i](text_from(""));
    packers[_i](text_from("PI\n"));
    ck_assert_int_eq(unpack(packed.data, packed.length, &out), ST_OK);
    ck_assert_str_eq(out.data, "V2.2\nPI\n");
}
END_TEST

START_TEST(a_cut_file_gives_what_is_there)
{
    struct text t = sample(200000);
    packers[_i](t);
    for (size_t length = 4; length < packed.length; length += 1 + packed.length / 50) {
        text_buffer_clear(&out);
        char *cut = malloc(length);
        memcpy(cut, packed.data, length);
        ck_assert_int_eq(unpack(cut, length, &out), ST_TRUNCATED);
        ck_assert(out.length <= text_length(t) && (out.length == 0 || memcmp(out.data, t.at, out.length) == 0));
        free(cut);
    }
}
END_TEST

START_TEST(damage_is_noticed)
{
    struct text t = sample(100000);
    packers[_i](t);
    packed.data[packed.length / 2] ^= 0x10;
    enum status st = unpack(packed.data, packed.length, &out);
    /* zstd writes no checksum by default: damage may also read as another text of another length */
    ck_assert(st == ST_SYNTAX || st == ST_TRUNCATED || (_i == 1 && !text_equal(text_buffer_view(&out), t)));
    if (_i == 0) { /* rubbish after the end */
        text_buffer_clear(&packed);
        text_buffer_clear(&out);
        pack_gzip(text_from("V2.2\n"));
        text_buffer_put_string(&packed, "rubbish");
        ck_assert_int_eq(unpack(packed.data, packed.length, &out), ST_SYNTAX);
        ck_assert_str_eq(out.data, "V2.2\n");
    }
}
END_TEST

START_TEST(a_bomb_stops_at_the_limit)
{
    for (int i = 0; i < 64; i++) packers[_i](sample(1 << 20)); /* 64 MiB into a buffer of 4 */
    ck_assert_int_eq(unpack(packed.data, packed.length, &out), ST_TOO_BIG);
    ck_assert_uint_eq(out.length, 4 << 20);
    ck_assert_uint_le(out.capacity, 8 << 20);
}
END_TEST

START_TEST(plain_text_stays_as_it_is)
{
    ck_assert_int_eq(unpack("V2.2\n", 5, &out), ST_OK);
    ck_assert_str_eq(out.data, "V2.2\n");
    ck_assert_int_eq(pack_of("\x1f\x8b", 2), PACK_NONE);
    ck_assert_int_eq(pack_of("", 0), PACK_NONE);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("unpack");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, what_was_packed_comes_out_again, 0, PACKERS);
    tcase_add_loop_test(tc, parts_one_after_the_other_are_one_text, 0, PACKERS);
    tcase_add_loop_test(tc, a_cut_file_gives_what_is_there, 0, PACKERS);
    tcase_add_loop_test(tc, damage_is_noticed, 0, PACKERS);
    tcase_add_loop_test(tc, a_bomb_stops_at_the_limit, 0, PACKERS);
    tcase_add_test(tc, plain_text_stays_as_it_is);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("unpack", add_cases)
