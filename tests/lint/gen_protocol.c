/* gen_protocol.c - prints proto/PROTOCOL.md with its generated parts renewed, for tests/lint/protocol_current.sh.
 *
 * Usage: gen_protocol PROTOCOL.md GOLDEN_DIRECTORY > new.md
 *
 * A generated part stands between two lines and is replaced as a whole; everything else is copied:
 *
 *     <!-- generated: fields job -->        also: version, limits, enums, messages, example NAME
 *     <!-- end -->
 *
 * Tables come from proto/schema.h, examples from the golden frames. Exit code 1 when a message has no table or no
 * example, or a frame does not decode.
 */
#include "proto/fields.h"
#include "proto/msg.h"
#include "proto/msg_text.h"
#include "tests/model/wire_samples.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES_MAX = 4096, WIDTH = 100 };

static void fail(const char *what, const char *which)
{
    fprintf(stderr, "gen_protocol: %s%s\n", what, which);
    exit(1);
}

static void print_version(void) { printf("This is protocol **%d.%d**.\n", PROTO_MAJOR, PROTO_MINOR); }

static void print_limits(void)
{
    printf("| limit | value | of what |\n|---|---:|---|\n");
#define ROW(name, value, meaning) printf("| `%s` | %d | %s |\n", #name, value, meaning);
    WIRE_LIMITS(ROW)
#undef ROW
}

static void print_enums(void)
{
#define VALUE_ROW(name, value, meaning) printf("| %d | `%s` | %s |\n", value, #name, meaning);
#define ENUM_TABLE(name, VALUES)                                                                                       \
    printf("\n### %s\n\n| value | name | meaning |\n|---:|---|---|\n", #name);                                         \
    VALUES(VALUE_ROW)
    WIRE_ENUMS(ENUM_TABLE)
#undef ENUM_TABLE
#undef VALUE_ROW
    printf("\n");
}

static void print_messages(void)
{
    static const char *const directions[] = {"worker → coordinator", "coordinator → worker", "both ways"};
    printf("| type | message | direction | purpose |\n|---:|---|---|---|\n");
    for (size_t i = 0; i < fields_message_count(); i++) {
        const struct message_type *type = fields_message_at(i);
        printf("| %d (0x%02x) | [%s](#%s) | %s | %s |\n", (int)type->type, (unsigned)type->type, type->name, type->name,
               directions[type->direction], type->purpose);
    }
}

static const struct message_type *message_named(const char *name)
{
    for (size_t i = 0; i < fields_message_count(); i++)
        if (strcmp(fields_message_at(i)->name, name) == 0) return fields_message_at(i);
    fail("no message is called ", name);
    return NULL;
}

static void print_range(const struct field *field)
{
    switch (field->kind) {
    case FIELD_U32:
    case FIELD_U64:
        if (field->max == UINT64_MAX)
            printf("0 … 2^64−1");
        else if (field->max == UINT32_MAX)
            printf("0 … 2^32−1");
        else
            printf("0 … %" PRIu64, field->max);
        return;
    case FIELD_I32:
        printf("−%" PRIu64 " … %" PRIu64, field->max, field->max);
        return;
    case FIELD_BOOL:
        printf("false, true");
        return;
    case FIELD_STR:
    case FIELD_BIN:
        printf("≤ %" PRIu64 " bytes", field->max);
        return;
    }
}

static void print_fields(const char *name)
{
    static const char *const kinds[] = {"integer", "integer", "integer", "boolean", "text", "bytes"};
    const struct message_type *type = message_named(name);
    printf("| key | field | form | range | unit | needed | since | meaning |\n|---:|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < type->field_count; i++) {
        const struct field *field = &type->fields[i];
        printf("| %" PRIu32 " | `%s` | %s | ", field->key, field->name, kinds[field->kind]);
        print_range(field);
        printf(" | %s | %s | %d.%" PRIu32 " | ", field->unit, field->required ? "yes" : "no", PROTO_MAJOR,
               field->since_minor);
        if (strncmp(field->meaning, "enum ", 5) == 0)
            printf("one of [%s](#%s) |\n", field->meaning + 5, field->meaning + 5);
        else
            printf("%s |\n", field->meaning);
    }
}

/* Breaks a long line of JSON at commas between members; it stays valid JSON. */
static void print_folded(const char *json)
{
    size_t column = 0;
    bool quoted = false;
    for (const char *c = json; *c; c++) {
        if (*c == '"' && (c == json || c[-1] != '\\')) quoted = !quoted;
        putchar(*c);
        column++;
        if (*c == ',' && !quoted) {
            const char *next = c + 1;
            bool inside = false;
            while (*next && (inside || (*next != ',' && *next != '}'))) {
                if (*next == '"' && next[-1] != '\\') inside = !inside;
                next++;
            }
            if (column + (size_t)(next - c) > WIDTH) {
                printf("\n ");
                column = 1;
            }
        }
    }
    putchar('\n');
}

/* Returns the type of the message. */
static enum msg_type print_example(const char *golden, const char *name)
{
    static uint8_t frame[WIRE_FRAME_BYTES_MAX];
    static char json[MSG_TEXT_BYTES_MAX];
    char path[1024];
    struct msg msg;
    size_t length = 0;
    snprintf(path, sizeof path, "%s/%s.hex", golden, name);
    long bytes = wire_sample_read_hex(path, frame, sizeof frame);
    if (bytes < 0) fail("cannot read ", path);
    if (msg_decode(&msg, frame, (size_t)bytes) != ST_OK) fail("does not decode: ", path);
    if (msg_to_json(&msg, json, sizeof json, &length) != ST_OK) fail("has no JSON form: ", path);
    printf("```json\n");
    print_folded(json);
    printf("```\n```text\n");
    for (long at = 0; at < bytes; at++) printf("%02x%s", frame[at], at + 1 == bytes || at % 32 == 31 ? "\n" : " ");
    printf("```\n");
    return msg.type;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: gen_protocol PROTOCOL.md GOLDEN_DIRECTORY > new.md\n", stderr);
        return 2;
    }
    FILE *in = fopen(argv[1], "r");
    if (!in) fail("cannot read ", argv[1]);
    bool has_fields[0x10000] = {false}, has_example[0x10000] = {false}, skipping = false;
    char line[LINE_BYTES_MAX];
    while (fgets(line, sizeof line, in)) {
        char part[32] = "", name[64] = "";
        if (skipping && strncmp(line, "<!-- end -->", 12) != 0) continue;
        skipping = false;
        fputs(line, stdout);
        if (sscanf(line, "<!-- generated: %31s %63s", part, name) < 1) continue;
        skipping = true;
        if (strcmp(part, "version") == 0) {
            print_version();
        } else if (strcmp(part, "limits") == 0) {
            print_limits();
        } else if (strcmp(part, "enums") == 0) {
            print_enums();
        } else if (strcmp(part, "messages") == 0) {
            print_messages();
        } else if (strcmp(part, "fields") == 0) {
            print_fields(name);
            has_fields[message_named(name)->type] = true;
        } else if (strcmp(part, "example") == 0) {
            has_example[print_example(argv[2], name)] = true;
        } else {
            fail("unknown generated part: ", part);
        }
    }
    fclose(in);
    if (skipping) fail("a generated part has no <!-- end -->", "");
    for (size_t i = 0; i < fields_message_count(); i++) {
        const struct message_type *type = fields_message_at(i);
        if (!has_fields[type->type] || !has_example[type->type])
            fail("PROTOCOL.md lacks the table or the example of ", type->name);
    }
    return 0;
}
