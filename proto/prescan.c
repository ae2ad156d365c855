#include "proto/prescan.h"

#include "common/base/bytes.h"

#include <assert.h>
#include <stdbool.h>

/* What follows the first byte of an object. */
struct shape {
    size_t body_bytes;  /* to skip */
    uint64_t children;  /* objects inside; a map pair is two */
    bool is_container;
};

static bool read_shape(struct bytes_reader *reader, struct shape *shape)
{
    uint8_t tag = bytes_read_u8(reader);
    *shape = (struct shape){0};
    if (tag <= 0x7f || tag >= 0xe0) return true; /* small integers */
    if (tag <= 0x8f) {
        shape->children = 2 * (uint64_t)(tag & 0x0f);
        shape->is_container = true;
        return true;
    }
    if (tag <= 0x9f) {
        shape->children = tag & 0x0f;
        shape->is_container = true;
        return true;
    }
    if (tag <= 0xbf) {
        shape->body_bytes = tag & 0x1f;
        return true;
    }
    switch (tag) {
    case 0xc0: case 0xc2: case 0xc3: return true;                              /* nil, false, true */
    case 0xc4: case 0xd9: shape->body_bytes = bytes_read_u8(reader); return true;  /* bin 8, str 8 */
    case 0xc5: case 0xda: shape->body_bytes = bytes_read_u16(reader); return true; /* bin 16, str 16 */
    case 0xc6: case 0xdb: shape->body_bytes = bytes_read_u32(reader); return true; /* bin 32, str 32 */
    case 0xc7: shape->body_bytes = 1 + (size_t)bytes_read_u8(reader); return true;  /* ext 8: type + data */
    case 0xc8: shape->body_bytes = 1 + (size_t)bytes_read_u16(reader); return true; /* ext 16 */
    case 0xc9: shape->body_bytes = 1 + (size_t)bytes_read_u32(reader); return true; /* ext 32 */
    case 0xcc: case 0xd0: shape->body_bytes = 1; return true;                  /* 8-bit integers */
    case 0xcd: case 0xd1: shape->body_bytes = 2; return true;                  /* 16-bit integers */
    case 0xca: case 0xce: case 0xd2: shape->body_bytes = 4; return true;       /* float, 32-bit integers */
    case 0xcb: case 0xcf: case 0xd3: shape->body_bytes = 8; return true;       /* double, 64-bit integers */
    case 0xd4: shape->body_bytes = 1 + 1; return true;                         /* fixext */
    case 0xd5: shape->body_bytes = 1 + 2; return true;
    case 0xd6: shape->body_bytes = 1 + 4; return true;
    case 0xd7: shape->body_bytes = 1 + 8; return true;
    case 0xd8: shape->body_bytes = 1 + 16; return true;
    case 0xdc: shape->children = bytes_read_u16(reader); break;                /* array 16, 32 */
    case 0xdd: shape->children = bytes_read_u32(reader); break;
    case 0xde: shape->children = 2 * (uint64_t)bytes_read_u16(reader); break;  /* map 16, 32 */
    case 0xdf: shape->children = 2 * (uint64_t)bytes_read_u32(reader); break;
    default: return false; /* 0xc1 */
    }
    shape->is_container = true;
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
        if (!bytes_read_raw(&reader, shape.body_bytes)) return ST_TRUNCATED;

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
