/* fields.h - schema.h as a table that programs can walk: the codec, text form, tests and PROTOCOL.md all use it.
 *
 * Shapes:  fields of a message are sorted by key. `offset` is the place of the member in struct msg.
 * Memory:  constant tables, never freed.
 */
#ifndef MURAKUMO_PROTO_FIELDS_H
#define MURAKUMO_PROTO_FIELDS_H

#include "proto/msg.h"

enum field_kind { FIELD_U32, FIELD_U64, FIELD_I32, FIELD_BOOL, FIELD_STR, FIELD_BIN };

struct field {
    uint32_t key;
    uint32_t since_minor;
    enum field_kind kind;
    bool required;
    uint64_t max; /* largest value; of I32 the largest magnitude; of STR and BIN the bytes */
    size_t offset;
    const char *name, *unit, *meaning; /* unit "" = a plain number or text */
};

enum message_direction { MESSAGE_W2C, MESSAGE_C2W, MESSAGE_BOTH }; /* worker, coordinator */

struct message_type {
    enum msg_type type;
    enum message_direction direction;
    const char *name, *purpose;
    const struct field *fields;
    size_t field_count;
};

size_t fields_message_count(void);
const struct message_type *fields_message_at(size_t index); /* in the order of schema.h */
const struct message_type *fields_find(uint32_t type);      /* NULL if there is no such type */

/* The session that a message names on its way in this direction (not BOTH); false: its type names none, or goes the
 * other way only. */
bool fields_session(const struct msg *msg, enum message_direction direction, uint64_t *session);

/* Values of a field; the caller asks for the field's own kind. */
uint64_t field_get_unsigned(const struct msg *msg, const struct field *field);      /* U32, U64, BOOL */
int32_t field_get_signed(const struct msg *msg, const struct field *field);         /* I32 */
struct wire_str field_get_string(const struct msg *msg, const struct field *field); /* STR, BIN */
void field_set_unsigned(struct msg *msg, const struct field *field, uint64_t value);
void field_set_signed(struct msg *msg, const struct field *field, int32_t value);
void field_set_string(struct msg *msg, const struct field *field, struct wire_str value);

/* Is it 0, false or ""? Such OPTIONAL fields are left out of the frame. */
bool field_is_empty(const struct msg *msg, const struct field *field);
/* ST_RANGE, ST_TOO_BIG (string too long) or ST_SYNTAX (string is not clean UTF-8). */
MUST_USE enum status field_check(const struct msg *msg, const struct field *field);

#endif
