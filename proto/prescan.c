#include "proto/prescan.h"

#include "common/base/bytes.h"

#include <assert.h>
#include <stdbool.h>

/* What follows the first byte of an object. */
struct shape {
    uint64_t body_bytes; /* to skip */
    uint64_t children;   /* objects inside; a map pair is two */
    bool is_container;
};

/* The formats with first byte c0..df. `count_bytes` bytes after it tell how many bytes, objects or pairs follow. */
enum format_kind { NEVER_USED, BYTES, ARRAY, MAP };
static const struct format {
    uint8_t kind, count_bytes, fixed_bytes;
} formats[32] = {
    {BYTES, 0, 0},      /* c0 nil */
    {NEVER_USED, 0, 0}, /* c1 */
    {BYTES, 0, 0},      /* c2 false */
    {BYTES, 0, 0},      /* c3 true */
    {BYTES, 1, 0},      /* c4 bin 8 */
    {BYTES, 2, 0},      /* c5 bin 16 */
    {BYTES, 4, 0},      /* c6 bin 32 */
    {BYTES, 1, 1},      /* c7 ext 8: its type is one byte more */
    {BYTES, 2, 1},      /* c8 ext 16 */
    {BYTES, 4, 1},      /* c9 ext 32 */
    {BYTES, 0, 4},      /* ca float 32 */
    {BYTES, 0, 8},      /* cb float 64 */
    {BYTES, 0, 1},      /* cc uint 8 */
    {BYTES, 0, 2},      /* cd uint 16 */
    {BYTES, 0, 4},      /* ce uint 32 */
    {BYTES, 0, 8},      /* cf uint 64 */
    {BYTES, 0, 1},      /* d0 int 8 */
    {BYTES, 0, 2},      /* d1 int 16 */
    {BYTES, 0, 4},      /* d2 int 32 */
    {BYTES, 0, 8},      /* d3 int 64 */
    {BYTES, 0, 2},      /* d4 fixext 1 */
    {BYTES, 0, 3},      /* d5 fixext 2 */
    {BYTES, 0, 5},      /* d6 fixext 4 */
    {BYTES, 0, 9},      /* d7 fixext 8 */
    {BYTES, 0, 17},     /* d8 fixext 16 */
    {BYTES, 1, 0},      /* d9 str 8 */
    {BYTES, 2, 0},      /* da str 16 */
    {BYTES, 4, 0},      /* db str 32 */
    {ARRAY, 2, 0},      /* dc array 16 */
    {ARRAY, 4, 0},      /* dd array 32 */
    {MAP, 2, 0},        /* de map 16 */
    {MAP, 4, 0},        /* df map 32 */
};

static struct shape shape_of(enum format_kind kind, uint64_t count)
{
    switch (kind) {
    case ARRAY:
        return (struct shape){.children = count, .is_container = true};
    case MAP:
        return (struct shape){.children = 2 * count, .is_container = true};
    case BYTES:
    case NEVER_USED:
        break;
    }
    return (struct shape){.body_bytes = count};
}

/* False if the first byte is never used by MessagePack; a cut-off count shows in reader->failed. */
static bool read_shape(struct bytes_reader *reader, struct shape *shape)
{
    uint8_t first = bytes_read_u8(reader);
    if (first < 0x80 || first >= 0xe0) {
        *shape = shape_of(BYTES, 0); /* small integers */
    } else if (first < 0x90) {
        *shape = shape_of(MAP, first & 0x0f);
    } else if (first < 0xa0) {
        *shape = shape_of(ARRAY, first & 0x0f);
    } else if (first < 0xc0) {
        *shape = shape_of(BYTES, first & 0x1f); /* short string */
    } else {
        const struct format *format = &formats[first - 0xc0];
        uint64_t count = bytes_read_number(reader, format->count_bytes);
        *shape = shape_of(format->kind, count + format->fixed_bytes);
        return format->kind != NEVER_USED;
    }
    return true;
}

enum status prescan(const uint8_t *frame, size_t frame_bytes, const struct prescan_limits *limits)
{
    assert(limits->depth_max <= PRESCAN_DEPTH_LIMIT);
    if (frame_bytes > limits->frame_bytes_max) return ST_TOO_BIG;

    struct bytes_reader reader = bytes_reader_make(frame, frame_bytes);
    uint64_t open[PRESCAN_DEPTH_LIMIT]; /* objects still to come in each open container, outermost first */
    uint32_t depth = 0;
    uint64_t owed = 1; /* objects still to come in all; each costs at least one byte */
    uint64_t claimed = 1;

    while (owed > 0) {
        struct shape shape;
        bool known = read_shape(&reader, &shape);
        if (reader.failed) return ST_TRUNCATED;
        if (!known) return ST_SYNTAX;
        if (shape.body_bytes > bytes_left(&reader)) return ST_TRUNCATED;
        bytes_skip(&reader, (size_t)shape.body_bytes);

        owed = owed - 1 + shape.children;
        claimed += shape.children;
        if (owed > bytes_left(&reader)) return ST_TRUNCATED;
        if (claimed > limits->objects_max) return ST_TOO_BIG;

        if (depth > 0) open[depth - 1]--;
        if (shape.is_container) {
            if (depth == limits->depth_max) return ST_TOO_DEEP; /* empty ones too: msgpack-c counts them */
            open[depth++] = shape.children;
        }
        while (depth > 0 && open[depth - 1] == 0) depth--;
    }
    return bytes_left(&reader) == 0 ? ST_OK : ST_TRAILING;
}
