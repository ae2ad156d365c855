/* prescan.h - refuses MessagePack frames that claim more than they carry, before any decoder sees them.
 *
 * Why:     msgpack-c reserves memory from the count that an array or map *claims*: the five bytes dd 0f ff ff ff make
 * it reserve 6.4 GB, and 160 bytes of nested arrays 4 GB. A limit on the frame length does not help. Promise: after
 * ST_OK the frame is exactly one well-formed MessagePack object with at most limits->objects_max objects (map keys and
 * values count) nested at most limits->depth_max deep, so that msgpack_unpack_next() succeeds, consumes all of it and
 * needs at most 48 * objects_max bytes. Meaning, order and ranges are msg.h's business. Memory:  none is allocated;
 * time is linear in the objects present. Strings are skipped, not read. Source:  the MessagePack specification (format
 * table).
 */
#ifndef MURAKUMO_PROTO_PRESCAN_H
#define MURAKUMO_PROTO_PRESCAN_H

#include "common/base/status.h"

#include <stddef.h>
#include <stdint.h>

enum { PRESCAN_DEPTH_LIMIT = 16 }; /* largest depth_max; msgpack-c itself gives up at 32 */

struct prescan_limits {
    size_t frame_bytes_max;
    uint32_t objects_max;
    uint32_t depth_max; /* containers inside one another: [1] is 1, [[1]] is 2 */
};

/* ST_TOO_BIG (frame or number of objects), ST_TOO_DEEP, ST_TRUNCATED (empty, cut off, or counts that the bytes cannot
 * pay for), ST_TRAILING (bytes after the object), ST_SYNTAX (the byte 0xc1, which MessagePack never uses). */
MUST_USE enum status prescan(const uint8_t *frame, size_t frame_bytes, const struct prescan_limits *limits);

#endif
