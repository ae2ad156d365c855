#include "proto/msg.h"

#include "common/base/bytes.h"
#include "proto/fields.h"
#include "proto/prescan.h"

#include <msgpack.h>
#include <string.h>

enum { HEADER_ITEMS = 6 }; /* major, minor, type, boot, sequence, fields */

/* Our largest message has 36 objects; the rest is room for fields that a newer minor may add. */
static const struct prescan_limits frame_limits = {
    .frame_bytes_max = WIRE_FRAME_BYTES_MAX, .objects_max = WIRE_OBJECTS_MAX, .depth_max = WIRE_NESTING_MAX};

const char *msg_name(enum msg_type type)
{
    const struct message_type *message = fields_find((uint32_t)type);
    return message ? message->name : "unknown";
}

/* ---- decoding ---- */

static bool is_unsigned(const msgpack_object *object, uint64_t max)
{
    return object->type == MSGPACK_OBJECT_POSITIVE_INTEGER && object->via.u64 <= max;
}

/* Any integer width is accepted, only the value counts; float, nil and text are never numbers. */
static enum status decode_value(struct msg *msg, const struct field *field, const msgpack_object *object)
{
    switch (field->kind) {
    case FIELD_U32:
    case FIELD_U64:
        if (object->type == MSGPACK_OBJECT_NEGATIVE_INTEGER) return ST_RANGE;
        if (object->type != MSGPACK_OBJECT_POSITIVE_INTEGER) return ST_SYNTAX;
        if (object->via.u64 > field->max) return ST_RANGE; /* before it is cut to 32 bits */
        field_set_unsigned(msg, field, object->via.u64);
        break;
    case FIELD_I32:
        if (object->type == MSGPACK_OBJECT_POSITIVE_INTEGER) {
            if (object->via.u64 > field->max) return ST_RANGE;
            field_set_signed(msg, field, (int32_t)object->via.u64);
        } else if (object->type == MSGPACK_OBJECT_NEGATIVE_INTEGER) {
            if (object->via.i64 < -(int64_t)field->max) return ST_RANGE;
            field_set_signed(msg, field, (int32_t)object->via.i64);
        } else {
            return ST_SYNTAX;
        }
        break;
    case FIELD_BOOL:
        if (object->type != MSGPACK_OBJECT_BOOLEAN) return ST_SYNTAX;
        field_set_unsigned(msg, field, object->via.boolean);
        break;
    case FIELD_STR:
        if (object->type != MSGPACK_OBJECT_STR) return ST_SYNTAX;
        if (object->via.str.size > field->max) return ST_TOO_BIG;
        field_set_string(msg, field, wire_str_make(object->via.str.ptr, object->via.str.size));
        break;
    case FIELD_BIN:
        if (object->type != MSGPACK_OBJECT_BIN) return ST_SYNTAX;
        if (object->via.bin.size > field->max) return ST_TOO_BIG;
        field_set_string(msg, field, wire_str_make(object->via.bin.ptr, object->via.bin.size));
        break;
    }
    return field_check(msg, field);
}

/* Keys rise strictly: then no key comes twice, and both sides can be walked in step. */
static enum status check_keys(const msgpack_object_map *map)
{
    for (uint32_t i = 0; i < map->size; i++) {
        if (!is_unsigned(&map->ptr[i].key, UINT32_MAX)) return ST_SYNTAX;
        if (i == 0) continue;
        uint64_t before = map->ptr[i - 1].key.via.u64, key = map->ptr[i].key.via.u64;
        if (key == before) return ST_DUPLICATE;
        if (key < before) return ST_SYNTAX;
    }
    return ST_OK;
}

static enum status decode_fields(struct msg *msg, const struct message_type *message, const msgpack_object_map *map)
{
    enum status st = check_keys(map);
    uint32_t pair = 0;
    for (size_t i = 0; i < message->field_count && st == ST_OK; i++) {
        const struct field *field = &message->fields[i];
        while (pair < map->size && map->ptr[pair].key.via.u64 < field->key) pair++; /* from a newer minor */
        if (pair < map->size && map->ptr[pair].key.via.u64 == field->key)
            st = decode_value(msg, field, &map->ptr[pair].val);
        else if (field->required)
            st = ST_MISSING;
    }
    return st;
}

/* A foreign major may have changed everything behind the header, so only what is readable is taken. */
static void decode_header(struct msg *msg, const msgpack_object_array *items)
{
    if (is_unsigned(&items->ptr[0], UINT32_MAX)) msg->major = (uint32_t)items->ptr[0].via.u64;
    if (items->size > 1 && is_unsigned(&items->ptr[1], UINT32_MAX)) msg->minor = (uint32_t)items->ptr[1].via.u64;
    if (items->size > 2 && is_unsigned(&items->ptr[2], UINT16_MAX)) msg->type = (enum msg_type)items->ptr[2].via.u64;
    if (items->size > 3 && is_unsigned(&items->ptr[3], UINT64_MAX)) msg->boot = items->ptr[3].via.u64;
    if (items->size > 4 && is_unsigned(&items->ptr[4], UINT64_MAX)) msg->sequence = items->ptr[4].via.u64;
}

static enum status decode_object(struct msg *msg, const msgpack_object *root)
{
    if (root->type != MSGPACK_OBJECT_ARRAY || root->via.array.size == 0) return ST_SYNTAX;
    const msgpack_object_array *items = &root->via.array;
    decode_header(msg, items);
    if (!is_unsigned(&items->ptr[0], UINT32_MAX)) return ST_SYNTAX;
    if (msg->major != PROTO_MAJOR && msg->type != MSG_refuse) return ST_VERSION;

    if (items->size != HEADER_ITEMS) return ST_SYNTAX;
    if (!is_unsigned(&items->ptr[1], UINT32_MAX) || !is_unsigned(&items->ptr[2], UINT16_MAX) ||
        !is_unsigned(&items->ptr[3], UINT64_MAX) || !is_unsigned(&items->ptr[4], UINT64_MAX) ||
        items->ptr[5].type != MSGPACK_OBJECT_MAP)
        return ST_SYNTAX;
    const struct message_type *message = fields_find((uint32_t)msg->type);
    if (!message) return ST_UNKNOWN;
    return decode_fields(msg, message, &items->ptr[5].via.map);
}

enum status msg_decode(struct msg *msg, const uint8_t *frame, size_t frame_bytes)
{
    enum status st = prescan(frame, frame_bytes, &frame_limits);
    if (st != ST_OK) return st;

    msgpack_unpacked unpacked;
    msgpack_unpacked_init(&unpacked);
    size_t used = 0;
    msgpack_unpack_return answer = msgpack_unpack_next(&unpacked, (const char *)frame, frame_bytes, &used);
    if (answer != MSGPACK_UNPACK_SUCCESS) {
        /* prescan has excluded everything else, see prescan.h; a disagreement still is a bad frame and no more. */
        st = answer == MSGPACK_UNPACK_NOMEM_ERROR ? ST_NO_MEMORY : ST_SYNTAX;
    } else if (used != frame_bytes) {
        st = ST_TRAILING;
    } else {
        struct msg decoded;
        memset(&decoded, 0, sizeof decoded);
        st = decode_object(&decoded, &unpacked.data);
        if (st == ST_OK || st == ST_VERSION) *msg = decoded;
    }
    msgpack_unpacked_destroy(&unpacked); /* strings point into `frame`, not into the zone that goes here */
    return st;
}

/* ---- encoding ---- */

static int write_packed(void *data, const char *bytes, size_t length)
{
    struct bytes_writer *writer = data;
    bytes_write_raw(writer, bytes, length);
    return writer->failed ? -1 : 0;
}

static void encode_value(msgpack_packer *packer, const struct msg *msg, const struct field *field)
{
    switch (field->kind) {
    case FIELD_U32:
    case FIELD_U64:
        msgpack_pack_uint64(packer, field_get_unsigned(msg, field));
        break;
    case FIELD_I32:
        msgpack_pack_int32(packer, field_get_signed(msg, field));
        break;
    case FIELD_BOOL:
        if (field_get_unsigned(msg, field))
            msgpack_pack_true(packer);
        else
            msgpack_pack_false(packer);
        break;
    case FIELD_STR: {
        struct wire_str text = field_get_string(msg, field);
        msgpack_pack_str(packer, text.length);
        msgpack_pack_str_body(packer, text.bytes, text.length);
        break;
    }
    case FIELD_BIN: {
        struct wire_str bytes = field_get_string(msg, field);
        msgpack_pack_bin(packer, bytes.length);
        msgpack_pack_bin_body(packer, bytes.bytes, bytes.length);
        break;
    }
    }
}

enum status msg_encode(const struct msg *msg, uint8_t *out, size_t capacity, size_t *frame_bytes)
{
    const struct message_type *message = fields_find((uint32_t)msg->type);
    if (!message) return ST_UNKNOWN;
    size_t present = 0;
    for (size_t i = 0; i < message->field_count; i++) {
        const struct field *field = &message->fields[i];
        if (field_check(msg, field) != ST_OK) return ST_RANGE;
        if (field->required || !field_is_empty(msg, field)) present++;
    }

    struct bytes_writer writer =
        bytes_writer_make(out, capacity < WIRE_FRAME_BYTES_MAX ? capacity : WIRE_FRAME_BYTES_MAX);
    msgpack_packer packer;
    msgpack_packer_init(&packer, &writer, write_packed);
    msgpack_pack_array(&packer, HEADER_ITEMS);
    msgpack_pack_uint32(&packer, PROTO_MAJOR);
    msgpack_pack_uint32(&packer, PROTO_MINOR);
    msgpack_pack_uint32(&packer, (uint32_t)msg->type);
    msgpack_pack_uint64(&packer, msg->boot);
    msgpack_pack_uint64(&packer, msg->sequence);
    msgpack_pack_map(&packer, present);
    for (size_t i = 0; i < message->field_count; i++) {
        const struct field *field = &message->fields[i];
        if (!field->required && field_is_empty(msg, field)) continue;
        msgpack_pack_uint32(&packer, field->key);
        encode_value(&packer, msg, field);
    }
    if (writer.failed) return ST_FULL; /* remembered from the first write that did not fit */
    *frame_bytes = bytes_written(&writer);
    return ST_OK;
}
