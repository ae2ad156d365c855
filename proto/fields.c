#include "proto/fields.h"

#include "common/base/utf8.h"

#include <assert.h>
#include <string.h>

enum presence { OPTIONAL = 0, REQUIRED = 1 }; /* the words of schema.h */

#define FIELD_ROW(M, field_key, type, field_name, since, presence, field_max, field_unit, field_meaning)               \
    {.key = field_key,                                                                                                 \
     .since_minor = since,                                                                                             \
     .kind = FIELD_##type,                                                                                             \
     .required = presence == REQUIRED,                                                                                 \
     .max = field_max,                                                                                                 \
     .offset = offsetof(struct msg, M.field_name),                                                                     \
     .name = #field_name,                                                                                              \
     .unit = field_unit,                                                                                               \
     .meaning = field_meaning},
#define FIELD_TABLE(code, name, FIELDS, direction, purpose)                                                            \
    static const struct field fields_of_##name[] = {FIELDS(FIELD_ROW, name)};
MESSAGES(FIELD_TABLE)

#define MESSAGE_ROW(code, message, FIELDS, message_direction, message_purpose)                                         \
    {.type = MSG_##message,                                                                                            \
     .name = #message,                                                                                                 \
     .direction = MESSAGE_##message_direction,                                                                         \
     .purpose = message_purpose,                                                                                       \
     .fields = fields_of_##message,                                                                                    \
     .field_count = sizeof fields_of_##message / sizeof fields_of_##message[0]},
static const struct message_type messages[] = {MESSAGES(MESSAGE_ROW)};

size_t fields_message_count(void) { return sizeof messages / sizeof messages[0]; }

const struct message_type *fields_message_at(size_t index)
{
    assert(index < fields_message_count());
    return &messages[index];
}

const struct message_type *fields_find(uint32_t type)
{
    for (size_t i = 0; i < fields_message_count(); i++)
        if ((uint32_t)messages[i].type == type) return &messages[i];
    return NULL;
}

static const void *member(const struct msg *msg, const struct field *field)
{
    return (const char *)msg + field->offset;
}
static void *member_of(struct msg *msg, const struct field *field) { return (char *)msg + field->offset; }

uint64_t field_get_unsigned(const struct msg *msg, const struct field *field)
{
    switch (field->kind) {
    case FIELD_U32:
        return *(const uint32_t *)member(msg, field);
    case FIELD_U64:
        return *(const uint64_t *)member(msg, field);
    case FIELD_BOOL:
        return *(const bool *)member(msg, field);
    case FIELD_I32:
    case FIELD_STR:
    case FIELD_BIN:
        break;
    }
    assert(false && "field is not an unsigned number");
    return 0;
}

int32_t field_get_signed(const struct msg *msg, const struct field *field)
{
    assert(field->kind == FIELD_I32);
    return *(const int32_t *)member(msg, field);
}

struct wire_str field_get_string(const struct msg *msg, const struct field *field)
{
    assert(field->kind == FIELD_STR || field->kind == FIELD_BIN);
    return *(const struct wire_str *)member(msg, field);
}

void field_set_unsigned(struct msg *msg, const struct field *field, uint64_t value)
{
    switch (field->kind) {
    case FIELD_U32:
        *(uint32_t *)member_of(msg, field) = (uint32_t)value;
        return;
    case FIELD_U64:
        *(uint64_t *)member_of(msg, field) = value;
        return;
    case FIELD_BOOL:
        *(bool *)member_of(msg, field) = value != 0;
        return;
    case FIELD_I32:
    case FIELD_STR:
    case FIELD_BIN:
        break;
    }
    assert(false && "field is not an unsigned number");
}

void field_set_signed(struct msg *msg, const struct field *field, int32_t value)
{
    assert(field->kind == FIELD_I32);
    *(int32_t *)member_of(msg, field) = value;
}

void field_set_string(struct msg *msg, const struct field *field, struct wire_str value)
{
    assert(field->kind == FIELD_STR || field->kind == FIELD_BIN);
    *(struct wire_str *)member_of(msg, field) = value;
}

bool fields_session(const struct msg *msg, enum message_direction direction, uint64_t *session)
{
    const struct message_type *type = fields_find((uint32_t)msg->type);
    if (!type || (type->direction != direction && type->direction != MESSAGE_BOTH)) return false;
    if (strcmp(type->fields[0].name, "session") != 0) return false;
    *session = field_get_unsigned(msg, &type->fields[0]);
    return true;
}

bool field_is_empty(const struct msg *msg, const struct field *field)
{
    switch (field->kind) {
    case FIELD_U32:
    case FIELD_U64:
    case FIELD_BOOL:
        return field_get_unsigned(msg, field) == 0;
    case FIELD_I32:
        return field_get_signed(msg, field) == 0;
    case FIELD_STR:
    case FIELD_BIN:
        return field_get_string(msg, field).length == 0;
    }
    assert(false && "unknown kind of field");
    return true;
}

enum status field_check(const struct msg *msg, const struct field *field)
{
    switch (field->kind) {
    case FIELD_U32:
    case FIELD_U64:
    case FIELD_BOOL:
        return field_get_unsigned(msg, field) <= field->max ? ST_OK : ST_RANGE;
    case FIELD_I32: {
        int64_t value = field_get_signed(msg, field);
        return value <= (int64_t)field->max && -value <= (int64_t)field->max ? ST_OK : ST_RANGE;
    }
    case FIELD_BIN:
        return field_get_string(msg, field).length <= field->max ? ST_OK : ST_TOO_BIG;
    case FIELD_STR: {
        struct wire_str text = field_get_string(msg, field);
        if (text.length > field->max) return ST_TOO_BIG;
        return utf8_is_clean(text.bytes, text.length) ? ST_OK : ST_SYNTAX;
    }
    }
    assert(false && "unknown kind of field");
    return ST_SYNTAX;
}
