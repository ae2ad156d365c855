#include "proto/msg_text.h"

#include "common/base/bytes.h"
#include "proto/fields.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void write_text(struct bytes_writer *writer, const char *text) { bytes_write_raw(writer, text, strlen(text)); }

static void write_unsigned(struct bytes_writer *writer, uint64_t value)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, value);
    write_text(writer, digits);
}

/* Texts of messages hold no control characters, so quote and backslash are all that JSON wants escaped; others are
 * escaped as well, in case the message was never encoded. */
static void write_string(struct bytes_writer *writer, struct wire_str text)
{
    bytes_write_u8(writer, '"');
    for (uint32_t i = 0; i < text.length; i++) {
        unsigned char c = (unsigned char)text.bytes[i];
        if (c < 0x20) {
            char escape[8];
            snprintf(escape, sizeof escape, "\\u%04x", c);
            write_text(writer, escape);
            continue;
        }
        if (c == '"' || c == '\\') bytes_write_u8(writer, '\\');
        bytes_write_u8(writer, c);
    }
    bytes_write_u8(writer, '"');
}

static void write_hex(struct bytes_writer *writer, struct wire_str bytes)
{
    static const char digits[] = "0123456789abcdef";
    bytes_write_u8(writer, '"');
    for (uint32_t i = 0; i < bytes.length; i++) {
        bytes_write_u8(writer, (uint8_t)digits[(unsigned char)bytes.bytes[i] >> 4]);
        bytes_write_u8(writer, (uint8_t)digits[(unsigned char)bytes.bytes[i] & 15]);
    }
    bytes_write_u8(writer, '"');
}

static void write_key(struct bytes_writer *writer, const char *key)
{
    write_text(writer, ",\"");
    write_text(writer, key);
    write_text(writer, "\":");
}

static void write_value(struct bytes_writer *writer, const struct msg *msg, const struct field *field)
{
    switch (field->kind) {
    case FIELD_U32:
    case FIELD_U64:
        write_unsigned(writer, field_get_unsigned(msg, field));
        return;
    case FIELD_BOOL:
        write_text(writer, field_get_unsigned(msg, field) ? "true" : "false");
        return;
    case FIELD_I32: {
        int64_t value = field_get_signed(msg, field);
        if (value < 0) write_text(writer, "-");
        write_unsigned(writer, (uint64_t)(value < 0 ? -value : value));
        return;
    }
    case FIELD_STR:
        write_string(writer, field_get_string(msg, field));
        return;
    case FIELD_BIN:
        write_hex(writer, field_get_string(msg, field));
        return;
    }
}

enum status msg_to_json(const struct msg *msg, char *out, size_t capacity, size_t *length)
{
    const struct message_type *message = fields_find((uint32_t)msg->type);
    if (!message) return ST_UNKNOWN;
    if (capacity == 0) return ST_FULL;
    struct bytes_writer writer = bytes_writer_make((uint8_t *)out, capacity - 1);
    write_text(&writer, "{\"type\":\"");
    write_text(&writer, message->name);
    write_text(&writer, "\"");
    write_key(&writer, "major");
    write_unsigned(&writer, msg->major);
    write_key(&writer, "minor");
    write_unsigned(&writer, msg->minor);
    write_key(&writer, "boot");
    write_unsigned(&writer, msg->boot);
    write_key(&writer, "sequence");
    write_unsigned(&writer, msg->sequence);
    for (size_t i = 0; i < message->field_count; i++) {
        const struct field *field = &message->fields[i];
        if (!field->required && field_is_empty(msg, field)) continue;
        write_key(&writer, field->name);
        write_value(&writer, msg, field);
    }
    write_text(&writer, "}");
    *length = bytes_written(&writer);
    out[*length] = '\0';
    return writer.failed ? ST_FULL : ST_OK;
}
