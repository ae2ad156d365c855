#include "tests/model/wire_samples.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *arena_take(struct wire_arena *arena, size_t length)
{
    assert(length <= sizeof arena->bytes - arena->used);
    char *start = arena->bytes + arena->used;
    arena->used += length;
    return start;
}

static uint64_t random_number(struct prng *prng, uint64_t max)
{
    uint64_t value = prng_next(prng);
    uint32_t shape = prng_below(prng, 8);
    uint32_t bits = prng_below(prng, 64);
    if (shape == 0) return 0;
    if (shape == 1) return max;
    value >>= bits; /* small numbers are as frequent as large ones */
    return value <= max ? value : max == UINT64_MAX ? value : value % (max + 1);
}

static struct wire_str random_text(struct prng *prng, uint64_t max_bytes, struct wire_arena *arena)
{
    static const char *const pieces[] = {"7g7f ", "P*5e", "+",  "\"", "\\", "~",       " ",
                                         "é",     "雲",   "將", "𠮷", "{",  "\xc2\xa0"};
    uint32_t length_max = (uint32_t)random_number(prng, max_bytes);
    char *start = arena_take(arena, length_max);
    size_t length = 0;
    for (;;) {
        const char *piece = pieces[prng_below(prng, sizeof pieces / sizeof pieces[0])];
        if (length + strlen(piece) > length_max) break;
        memcpy(start + length, piece, strlen(piece));
        length += strlen(piece);
    }
    return wire_str_make(start, length);
}

static struct wire_str random_bytes(struct prng *prng, uint64_t max_bytes, struct wire_arena *arena)
{
    size_t length = (size_t)random_number(prng, max_bytes);
    char *start = arena_take(arena, length);
    for (size_t i = 0; i < length; i++) start[i] = (char)(prng_next(prng) >> 56);
    return wire_str_make(start, length);
}

void wire_sample_random(struct msg *msg, const struct message_type *type, struct prng *prng, struct wire_arena *arena)
{
    memset(msg, 0, sizeof *msg);
    arena->used = 0;
    msg->major = PROTO_MAJOR;
    msg->minor = PROTO_MINOR;
    msg->type = type->type;
    msg->boot = random_number(prng, UINT64_MAX);
    msg->sequence = random_number(prng, UINT64_MAX);
    for (size_t i = 0; i < type->field_count; i++) {
        const struct field *field = &type->fields[i];
        switch (field->kind) {
        case FIELD_U32:
        case FIELD_U64:
        case FIELD_BOOL:
            field_set_unsigned(msg, field, random_number(prng, field->max));
            break;
        case FIELD_I32: {
            int32_t value = (int32_t)random_number(prng, field->max);
            field_set_signed(msg, field, prng_chance(prng, 500) ? -value : value);
            break;
        }
        case FIELD_STR:
            field_set_string(msg, field, random_text(prng, field->max, arena));
            break;
        case FIELD_BIN:
            field_set_string(msg, field, random_bytes(prng, field->max, arena));
            break;
        }
    }
}

void wire_sample_largest(struct msg *msg, const struct message_type *type, struct wire_arena *arena)
{
    memset(msg, 0, sizeof *msg);
    arena->used = 0;
    msg->major = PROTO_MAJOR;
    msg->minor = PROTO_MINOR;
    msg->type = type->type;
    msg->boot = UINT64_MAX;
    msg->sequence = UINT64_MAX;
    for (size_t i = 0; i < type->field_count; i++) {
        const struct field *field = &type->fields[i];
        switch (field->kind) {
        case FIELD_U32:
        case FIELD_U64:
        case FIELD_BOOL:
            field_set_unsigned(msg, field, field->max);
            break;
        case FIELD_I32:
            field_set_signed(msg, field, (int32_t)field->max);
            break;
        case FIELD_STR:
        case FIELD_BIN: {
            char *text = arena_take(arena, (size_t)field->max);
            memset(text, 'x', (size_t)field->max);
            field_set_string(msg, field, wire_str_make(text, (size_t)field->max));
            break;
        }
        }
    }
}

static int digit_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

long wire_sample_from_hex(const char *text, size_t length, uint8_t *out, size_t capacity)
{
    size_t digits = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == ' ' || text[i] == '\n') continue;
        int value = digit_value(text[i]);
        if (value < 0 || digits / 2 >= capacity) return -1;
        uint8_t *byte = &out[digits / 2];
        *byte = (uint8_t)(digits % 2 == 0 ? value << 4 : *byte | value);
        digits++;
    }
    return digits % 2 == 0 ? (long)(digits / 2) : -1;
}

long wire_sample_read_hex(const char *path, uint8_t *out, size_t capacity)
{
    static const size_t text_capacity = 4 * WIRE_FRAME_BYTES_MAX;
    FILE *file = fopen(path, "rb");
    if (!file) return -1;
    char *text = malloc(text_capacity);
    size_t length = text ? fread(text, 1, text_capacity, file) : 0;
    fclose(file);
    long bytes = text ? wire_sample_from_hex(text, length, out, capacity) : -1;
    free(text);
    return bytes;
}
