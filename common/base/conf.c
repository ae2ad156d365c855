/* conf.c - see conf.h. */
#include "common/base/conf.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool word_is(const char *text, size_t bytes, const char *word)
{
    return strlen(word) == bytes && memcmp(text, word, bytes) == 0;
}

/* What a stranger wrote, fit to be shown: printable ASCII, cut. */
struct shown {
    char text[64];
};
static struct shown shown(const char *text, size_t bytes)
{
    struct shown out;
    size_t n = 0;
    for (size_t i = 0; i < bytes && n + 4 < sizeof out.text; i++)
        out.text[n++] = text[i] >= ' ' && text[i] < 127 ? text[i] : '?';
    if (n < bytes) {
        memcpy(out.text + n, "...", 3);
        n += 3;
    }
    out.text[n] = 0;
    return out;
}

static const struct conf_key *key_find(const struct conf_table *table, const char *name, size_t bytes)
{
    for (size_t i = 0; i < table->count; i++)
        if (word_is(name, bytes, table->keys[i].name)) return &table->keys[i];
    return NULL;
}

static bool flag_read(const char *text, size_t bytes, bool *flag)
{
    static const char *const yes[] = {"yes", "true", "on", "1"}, *const no[] = {"no", "false", "off", "0"};
    for (size_t i = 0; i < 4; i++) {
        if (word_is(text, bytes, yes[i])) return *flag = true, true;
        if (word_is(text, bytes, no[i])) return *flag = false, true;
    }
    return false;
}

static enum status number_read(const char *text, size_t bytes, int64_t min, int64_t max, int64_t *number)
{
    size_t i = 0;
    bool negative = bytes > 0 && text[0] == '-';
    if (negative) i++;
    if (i == bytes || text[i] < '0' || text[i] > '9') return ST_SYNTAX;
    int64_t value = 0;
    for (; i < bytes && text[i] >= '0' && text[i] <= '9'; i++)
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, text[i] - '0', &value))
            return ST_RANGE;
    int64_t unit = 1;
    if (i < bytes) {
        switch (text[i++]) {
        case 'k':
            unit = 1000;
            break;
        case 'M':
            unit = 1000000;
            break;
        case 'G':
            unit = 1000000000;
            break;
        default:
            return ST_SYNTAX;
        }
    }
    if (i != bytes) return ST_SYNTAX;
    if (__builtin_mul_overflow(value, negative ? -unit : unit, &value)) return ST_RANGE;
    if (value < min || value > max) return ST_RANGE;
    *number = value;
    return ST_OK;
}

static bool text_is_clean(const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 127) return false;
    return true;
}

enum status conf_set(const struct conf_table *table, const char *name, size_t name_bytes, const char *value,
                     size_t value_bytes, char why[CONF_WHY_BYTES])
{
    const struct conf_key *key = key_find(table, name, name_bytes);
    if (!key) {
        snprintf(why, CONF_WHY_BYTES, "found \"%s\", which is no setting; --help lists them",
                 shown(name, name_bytes).text);
        return ST_UNKNOWN;
    }
    char *place = (char *)table->values + key->offset;
    enum status st = ST_OK;
    switch (key->kind) {
    case CONF_FLAG: {
        bool flag;
        if (!flag_read(value, value_bytes, &flag)) {
            snprintf(why, CONF_WHY_BYTES, "%s: found \"%s\", expected yes or no", key->name,
                     shown(value, value_bytes).text);
            return ST_SYNTAX;
        }
        memcpy(place, &flag, sizeof flag);
        return ST_OK;
    }
    case CONF_NUMBER: {
        int64_t number;
        st = number_read(value, value_bytes, key->min, key->max, &number);
        if (st == ST_OK) {
            memcpy(place, &number, sizeof number);
            return ST_OK;
        }
        snprintf(why, CONF_WHY_BYTES, "%s: found \"%s\", expected a number %" PRId64 "..%" PRId64 "%s%s", key->name,
                 shown(value, value_bytes).text, key->min, key->max, key->unit ? " " : "", key->unit ? key->unit : "");
        return st;
    }
    case CONF_TEXT:
    case CONF_LIST: {
        size_t used = key->kind == CONF_LIST ? strlen(place) : 0;
        size_t needed = used + (used ? 1 : 0) + value_bytes + 1;
        if (!text_is_clean(value, value_bytes)) {
            snprintf(why, CONF_WHY_BYTES, "%s: found a control character, expected plain text", key->name);
            return ST_SYNTAX;
        }
        if (needed > key->capacity) {
            snprintf(why, CONF_WHY_BYTES, "%s: found %zu bytes, expected at most %zu", key->name, value_bytes,
                     key->capacity - 1);
            return ST_TOO_BIG;
        }
        if (used) place[used++] = '\n';
        memcpy(place + used, value, value_bytes);
        place[used + value_bytes] = 0;
        return ST_OK;
    }
    }
    return ST_UNKNOWN;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static enum status line_read(const struct conf_table *table, const char *line, size_t bytes, char why[CONF_WHY_BYTES])
{
    for (size_t i = 0; i < bytes; i++) /* a comment: `#` at the start or behind a blank */
        if (line[i] == '#' && (i == 0 || is_blank(line[i - 1]))) bytes = i;
    while (bytes && is_blank(line[bytes - 1])) bytes--;
    while (bytes && is_blank(line[0])) line++, bytes--;
    if (bytes == 0) return ST_OK;
    const char *equals = memchr(line, '=', bytes);
    if (!equals) {
        snprintf(why, CONF_WHY_BYTES, "found \"%s\", expected NAME = VALUE", shown(line, bytes).text);
        return ST_SYNTAX;
    }
    size_t name_bytes = (size_t)(equals - line);
    const char *value = equals + 1;
    size_t value_bytes = bytes - name_bytes - 1;
    while (name_bytes && is_blank(line[name_bytes - 1])) name_bytes--;
    while (value_bytes && is_blank(value[0])) value++, value_bytes--;
    return conf_set(table, line, name_bytes, value, value_bytes, why);
}

enum status conf_read(const struct conf_table *table, const char *text, size_t bytes, const char *source,
                      char why[CONF_WHY_BYTES])
{
    if (bytes > CONF_FILE_BYTES_MAX) {
        snprintf(why, CONF_WHY_BYTES, "%s: found %zu bytes, expected at most %d", source, bytes, CONF_FILE_BYTES_MAX);
        return ST_TOO_BIG;
    }
    if (bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) text += 3, bytes -= 3; /* byte order mark */
    size_t line_number = 0;
    while (bytes) {
        const char *end = memchr(text, '\n', bytes);
        size_t line_bytes = end ? (size_t)(end - text) : bytes;
        char reason[CONF_WHY_BYTES];
        line_number++;
        enum status st = line_read(table, text, line_bytes, reason);
        if (st != ST_OK) {
            snprintf(why, CONF_WHY_BYTES, "%.80s:%zu: %.200s", source, line_number, reason);
            return st;
        }
        size_t taken = end ? line_bytes + 1 : line_bytes;
        text += taken;
        bytes -= taken;
    }
    return ST_OK;
}

enum status conf_arguments(const struct conf_table *table, char **arguments, int *count, char why[CONF_WHY_BYTES])
{
    int kept = 0, i = 0;
    for (; i < *count; i++) {
        char *argument = arguments[i];
        if (strcmp(argument, "--") == 0) {
            i++;
            break;
        }
        if (strncmp(argument, "--", 2) != 0) {
            if (argument[0] == '-' && argument[1] != 0 && !(argument[1] >= '0' && argument[1] <= '9')) {
                snprintf(why, CONF_WHY_BYTES, "found \"%s\", expected an option such as --%s",
                         shown(argument, strlen(argument)).text, table->count ? table->keys[0].name : "help");
                return ST_UNKNOWN;
            }
            arguments[kept++] = argument;
            continue;
        }
        const char *name = argument + 2;
        size_t name_bytes = strcspn(name, "=");
        const struct conf_key *key = key_find(table, name, name_bytes);
        if (!key) {
            snprintf(why, CONF_WHY_BYTES, "found \"%s\", which is no option; --help lists them",
                     shown(argument, strlen(argument)).text);
            return ST_UNKNOWN;
        }
        const char *value;
        if (name[name_bytes] == '=') {
            value = name + name_bytes + 1;
        } else if (key->kind == CONF_FLAG) {
            value = "yes";
        } else if (i + 1 < *count) {
            value = arguments[++i];
        } else {
            snprintf(why, CONF_WHY_BYTES, "--%s: found the end of the line, expected %s", key->name,
                     key->unit ? key->unit : "a value");
            return ST_MISSING;
        }
        char reason[CONF_WHY_BYTES];
        enum status st = conf_set(table, name, name_bytes, value, strlen(value), reason);
        if (st != ST_OK) {
            snprintf(why, CONF_WHY_BYTES, "--%.300s", reason);
            return st;
        }
    }
    for (; i < *count; i++) arguments[kept++] = arguments[i];
    *count = kept;
    return ST_OK;
}

/* ---- help ------------------------------------------------------------------------------------------------------ */

static size_t append(char *out, size_t capacity, size_t length, const char *text)
{
    size_t bytes = strlen(text);
    if (length + 1 >= capacity) return length;
    if (bytes > capacity - length - 1) bytes = capacity - length - 1;
    memcpy(out + length, text, bytes);
    out[length + bytes] = 0;
    return length + bytes;
}

size_t conf_help(const struct conf_table *table, char *out, size_t capacity)
{
    size_t length = 0;
    if (capacity) out[0] = 0;
    for (size_t i = 0; i < table->count; i++) {
        const struct conf_key *key = &table->keys[i];
        const char *place = (const char *)table->values + key->offset;
        char left[64], detail[160] = "", line[400];
        snprintf(left, sizeof left, "--%s%s%s", key->name, key->unit ? " " : "", key->unit ? key->unit : "");
        if (key->kind == CONF_NUMBER) {
            int64_t number;
            memcpy(&number, place, sizeof number);
            snprintf(detail, sizeof detail, " (%" PRId64 "..%" PRId64 ", default %" PRId64 ")", key->min, key->max,
                     number);
        } else if (key->kind == CONF_TEXT && place[0]) {
            snprintf(detail, sizeof detail, " (default %.120s)", place);
        } else if (key->kind == CONF_LIST) {
            snprintf(detail, sizeof detail, " (may be repeated)");
        }
        snprintf(line, sizeof line, "  %-26s %s%s\n", left, key->help, detail);
        length = append(out, capacity, length, line);
    }
    return length;
}
