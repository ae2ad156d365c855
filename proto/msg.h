/* msg.h - messages as C structs, made from schema.h, and their MessagePack frames.
 *
 * A decoded message borrows its strings from the frame: they are (pointer, length) pairs, not 0-terminated, valid while the
 * frame lives. Encoding writes into the caller's buffer. No allocation that a peer can steer, no global state.
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

#define MSG_TYPE_U32 uint32_t
#define MSG_TYPE_U64 uint64_t
#define MSG_TYPE_I32 int32_t
#define MSG_TYPE_BOOL bool
#define MSG_TYPE_STR struct wire_str
#define MSG_MEMBER(M, key, type, name, since, presence, max, meaning) MSG_TYPE_##type name;
#define MSG_STRUCT(code, name, FIELDS) struct msg_##name { FIELDS(MSG_MEMBER, name) };
MESSAGES(MSG_STRUCT)

enum msg_type {
#define MSG_ENUM(code, name, FIELDS) MSG_##name = code,
    MESSAGES(MSG_ENUM)
};

struct msg {
    uint32_t major, minor;
    enum msg_type type;
    uint64_t boot, sequence;
    union {
#define MSG_UNION(code, name, FIELDS) struct msg_##name name;
        MESSAGES(MSG_UNION)
    };
};

/* Fills *msg from one whole frame. Everything is checked: prescan, form, types, presence, ranges, UTF-8, trailing bytes.
 * ST_VERSION when the major differs (type, boot and sequence are then still filled in, if readable). */
MUST_USE enum status msg_decode(struct msg *msg, const uint8_t *frame, size_t frame_bytes);
/* Writes the frame of *msg; *frame_bytes = its length. major/minor are set by the codec. ST_RANGE if a field breaks its
 * own limit, ST_FULL if `capacity` is too small (WIRE_FRAME_BYTES_MAX always suffices). */
MUST_USE enum status msg_encode(const struct msg *msg, uint8_t *out, size_t capacity, size_t *frame_bytes);
const char *msg_name(enum msg_type type); /* "hello", ...; "unknown" */

static inline struct wire_str wire_str_make(const char *bytes, size_t length) { return (struct wire_str){bytes, (uint32_t)length}; }

#endif
