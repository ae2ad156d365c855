/* msg.h - messages as C structs, made from schema.h, and their MessagePack frames.
 *
 * Shapes:  a decoded message borrows its strings from the frame: (pointer, length) pairs, not 0-terminated, valid while
 *          the frame lives. Encoding writes into the caller's buffer.
 * Memory:  decoding lets msgpack-c build its object tree and frees it before it returns. prescan.h has checked the
 *          frame by then, so the tree has at most WIRE_OBJECTS_MAX objects of 24 bytes and fits into the one block of
 *          8 KiB that msgpack-c takes, whatever the peer sends. Encoding allocates nothing. No global state.
 * Forms:   integers of any width are accepted; we write the shortest. Keys must rise, so that no key comes twice. Texts
 *          are clean UTF-8 (utf8.h). Unknown keys are skipped, whatever their value. An OPTIONAL field that is 0, false
 *          or "" is left out. So encoding what was decoded gives one canonical frame.
 */
#ifndef MURAKUMO_PROTO_MSG_H
#define MURAKUMO_PROTO_MSG_H

#include "common/base/status.h"
#include "proto/schema.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wire_str {
    const char *bytes; /* NULL only if length is 0 */
    uint32_t length;
};

#define MSG_TYPE_U32                                                        uint32_t
#define MSG_TYPE_U64                                                        uint64_t
#define MSG_TYPE_I32                                                        int32_t
#define MSG_TYPE_BOOL                                                       bool
#define MSG_TYPE_STR                                                        struct wire_str
#define MSG_TYPE_BIN                                                        struct wire_str
#define MSG_MEMBER(M, key, type, name, since, presence, max, unit, meaning) MSG_TYPE_##type name;
#define MSG_STRUCT(code, name, FIELDS, direction, purpose)                                                             \
    struct msg_##name {                                                                                                \
        FIELDS(MSG_MEMBER, name)                                                                                       \
    };
MESSAGES(MSG_STRUCT)

enum msg_type {
#define MSG_ENUM(code, name, FIELDS, direction, purpose) MSG_##name = code,
    MESSAGES(MSG_ENUM)
};

struct msg {
    uint32_t major, minor;
    enum msg_type type;
    uint64_t boot, sequence;
    union {
#define MSG_UNION(code, name, FIELDS, direction, purpose) struct msg_##name name;
        MESSAGES(MSG_UNION)
    };
};

/* Fills *msg from one whole frame; on any other answer than ST_OK *msg is unchanged, save for ST_VERSION.
 *   ST_TRUNCATED ST_TRAILING ST_TOO_DEEP   the bytes are not one object                      (prescan.h)
 *   ST_TOO_BIG     frame, number of objects or a text beyond its limit
 *   ST_SYNTAX      not [major, minor, type, boot, sequence, {...}], a value of the wrong type, keys out of order, or a
 *                  text that is not clean UTF-8
 *   ST_DUPLICATE   a key comes twice               ST_MISSING   a REQUIRED field is absent
 *   ST_RANGE       a number beyond its limit       ST_UNKNOWN   no such message type: a newer minor may have one
 *   ST_VERSION     another major. major, minor, type, boot and sequence are set as far as they could be read (else 0),
 *                  so that a coordinator can answer with `refuse`. A `refuse` itself is read whatever its major.
 *   ST_NO_MEMORY   msgpack-c got no memory; the frame may be good */
MUST_USE enum status msg_decode(struct msg *msg, const uint8_t *frame, size_t frame_bytes);
/* Writes the frame of *msg; *frame_bytes = its length. major/minor are set by the codec. ST_UNKNOWN if there is no such
 * type, ST_RANGE if a field breaks its own limit or a text is not clean UTF-8, ST_FULL if `capacity` is too small (then
 * `out` holds nothing of use; WIRE_FRAME_BYTES_MAX always suffices). */
MUST_USE enum status msg_encode(const struct msg *msg, uint8_t *out, size_t capacity, size_t *frame_bytes);
const char *msg_name(enum msg_type type); /* "hello", ...; "unknown" */

static inline struct wire_str wire_str_make(const char *bytes, size_t length)
{
    return (struct wire_str){bytes, (uint32_t)length};
}

#endif
