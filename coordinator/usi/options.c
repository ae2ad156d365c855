/* options.c - the USI options. */
#include "coordinator/usi/options.h"

#include "common/shogi/outcome.h"
#include "coordinator/usi/usi.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum kind { SPIN, CHECK, COMBO, STRING };

struct option {
    const char *name;
    enum kind kind;
    int64_t fallback, min, max;
    bool worker;
};

static const struct option table[OPTION_COUNT] = {
#define OPTION_ROW(id, name, kind, fallback, min, max, worker) {name, kind, fallback, min, max, worker},
    OPTIONS(OPTION_ROW)
#undef OPTION_ROW
};

static const char *const split_names[] = {"auto", "lazy", "tree", "root", "majority", "optimistic"};

static const char *combo_name(enum option_id id, int64_t value)
{
    return id == OPTION_SPLIT ? split_names[value] : entering_king_rule_name((enum entering_king_rule)value);
}

void options_init(struct options *options, int64_t hash_mb, int64_t threads)
{
    memset(options, 0, sizeof *options);
    for (size_t i = 0; i < OPTION_COUNT; i++) options->fallback[i] = table[i].fallback;
    options->fallback[OPTION_USI_HASH] = hash_mb;
    options->fallback[OPTION_THREADS] = threads;
    memcpy(options->value, options->fallback, sizeof options->value);
}

bool options_find(struct wire_str name, enum option_id *id)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (usi_word_is(name, table[i].name)) {
            *id = (enum option_id)i;
            return true;
        }
    return false;
}

static enum status set_combo(struct options *options, enum option_id id, struct wire_str value, char *why,
                             size_t why_bytes)
{
    for (int64_t i = table[id].min; i <= table[id].max; i++)
        if (usi_word_is(value, combo_name(id, i))) {
            options->value[id] = i;
            return ST_OK;
        }
    snprintf(why, why_bytes, "option %s: \"%.*s\" is none of its values", table[id].name,
             (int)(value.length > 60 ? 60 : value.length), value.length ? value.bytes : "");
    return ST_RANGE;
}

enum status options_set(struct options *options, enum option_id id, struct wire_str value, char *why, size_t why_bytes)
{
    const struct option *option = &table[id];
    int shown = (int)(value.length > 60 ? 60 : value.length);
    const char *bytes = value.length ? value.bytes : "";
    int64_t number = 0;
    switch (option->kind) {
    case CHECK:
        if (!usi_word_is(value, "true") && !usi_word_is(value, "false")) {
            snprintf(why, why_bytes, "option %s: \"%.*s\" is neither true nor false", option->name, shown, bytes);
            return ST_SYNTAX;
        }
        options->value[id] = usi_word_is(value, "true");
        return ST_OK;
    case SPIN:
        if (!usi_word_number(value, &number)) {
            snprintf(why, why_bytes, "option %s: \"%.*s\" is not a number", option->name, shown, bytes);
            return ST_SYNTAX;
        }
        if (number < option->min || number > option->max) {
            snprintf(why, why_bytes, "option %s: %" PRId64 " is outside %" PRId64 "..%" PRId64 "; it stays %" PRId64,
                     option->name, number, option->min, option->max, options->value[id]);
            return ST_RANGE;
        }
        options->value[id] = number;
        return ST_OK;
    case COMBO:
        return set_combo(options, id, value, why, why_bytes);
    case STRING:
        if (value.length > OPTION_STRING_BYTES_MAX) {
            snprintf(why, why_bytes, "option %s: longer than %d bytes", option->name, OPTION_STRING_BYTES_MAX);
            return ST_TOO_BIG;
        }
        if (value.length) memcpy(options->debug_log, value.bytes, value.length);
        options->debug_log[value.length] = 0;
        return ST_OK;
    }
    return ST_UNKNOWN;
}

bool option_is_for_workers(enum option_id id) { return table[id].worker; }

const char *option_name(enum option_id id) { return table[id].name; }

const char *option_split_name(int64_t value) { return split_names[value]; }

size_t option_write_line(const struct options *options, enum option_id id, char out[OPTION_LINE_BYTES_MAX])
{
    const struct option *option = &table[id];
    int n = 0;
    switch (option->kind) {
    case SPIN:
        n = snprintf(out, OPTION_LINE_BYTES_MAX,
                     "option name %s type spin default %" PRId64 " min %" PRId64 " max %" PRId64, option->name,
                     options->fallback[id], option->min, option->max);
        break;
    case CHECK:
        n = snprintf(out, OPTION_LINE_BYTES_MAX, "option name %s type check default %s", option->name,
                     options->fallback[id] ? "true" : "false");
        break;
    case STRING:
        n = snprintf(out, OPTION_LINE_BYTES_MAX, "option name %s type string default <empty>", option->name);
        break;
    case COMBO:
        n = snprintf(out, OPTION_LINE_BYTES_MAX, "option name %s type combo default %s", option->name,
                     combo_name(id, options->fallback[id]));
        for (int64_t i = option->min; i <= option->max; i++)
            n += snprintf(out + n, OPTION_LINE_BYTES_MAX - (size_t)n, " var %s", combo_name(id, i));
        break;
    }
    return (size_t)n;
}

size_t option_write_value(const struct options *options, enum option_id id, char *out, size_t capacity)
{
    int n = 0;
    switch (table[id].kind) {
    case SPIN:
        n = snprintf(out, capacity, "%" PRId64, options->value[id]);
        break;
    case CHECK:
        n = snprintf(out, capacity, "%s", options->value[id] ? "true" : "false");
        break;
    case COMBO:
        n = snprintf(out, capacity, "%s", combo_name(id, options->value[id]));
        break;
    case STRING:
        n = snprintf(out, capacity, "%s", *options->debug_log ? options->debug_log : "<empty>");
        break;
    }
    return (size_t)n < capacity ? (size_t)n : capacity - 1;
}
