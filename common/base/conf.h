/* conf.h - named settings with a type, a range, a unit and a default, from files, the environment and the command line.
 *
 * One table describes the settings of a program; from it come the reader of configuration files, the options of the
 * command line and the lines of --help, so they cannot differ:
 *
 *     threads = 8          # file: cluster-configs/NAME.conf; `#` starts a comment, later lines win
 *     --threads 8          # command line; also --threads=8; flags: --quiet, --quiet=no
 *     MURAKUMO_THREADS=8   # environment (read by the shell: common/net/settings.h)
 *
 * The values live in a struct of the caller, which he fills with the defaults first:
 *     FLAG bool | NUMBER int64_t, size suffixes k M G (powers of 1000) | TEXT char[capacity] | LIST char[capacity], one
 * item per line
 *
 * Every refusal is one line for people: where, what was found, what was expected. A refused setting changes nothing.
 */
#ifndef MURAKUMO_BASE_CONF_H
#define MURAKUMO_BASE_CONF_H

#include "common/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum conf_kind { CONF_FLAG, CONF_NUMBER, CONF_TEXT, CONF_LIST };

struct conf_key {
    const char *name; /* lower case, words joined by `-` */
    enum conf_kind kind;
    size_t offset;    /* in the caller's struct */
    size_t capacity;  /* TEXT, LIST: bytes of the array, with the final 0 */
    int64_t min, max; /* NUMBER */
    const char *unit; /* shown in the help: "MiB", "tcp://HOST:PORT"; NULL for flags */
    const char *help; /* one line */
};

#define CONF_FLAG_KEY(type, member, name, help)                                                                        \
    {                                                                                                                  \
        name, CONF_FLAG, offsetof(type, member), 0, 0, 0, NULL, help                                                   \
    }
#define CONF_NUMBER_KEY(type, member, name, min, max, unit, help)                                                      \
    {                                                                                                                  \
        name, CONF_NUMBER, offsetof(type, member), 0, min, max, unit, help                                             \
    }
#define CONF_TEXT_KEY(type, member, name, unit, help)                                                                  \
    {                                                                                                                  \
        name, CONF_TEXT, offsetof(type, member), sizeof(((type *)0)->member), 0, 0, unit, help                         \
    }
#define CONF_LIST_KEY(type, member, name, unit, help)                                                                  \
    {                                                                                                                  \
        name, CONF_LIST, offsetof(type, member), sizeof(((type *)0)->member), 0, 0, unit, help                         \
    }

struct conf_table {
    const struct conf_key *keys;
    size_t count;
    void *values;
};

enum { CONF_WHY_BYTES = 320, CONF_FILE_BYTES_MAX = 1 << 20 };

/* ST_UNKNOWN (no such key), ST_SYNTAX, ST_RANGE, ST_TOO_BIG; why: "threads: found "x", expected a number 1..4096". A
 * flag takes yes/no, true/false, on/off, 1/0. LIST appends. */
MUST_USE enum status conf_set(const struct conf_table *table, const char *name, size_t name_bytes, const char *value,
                              size_t value_bytes, char why[CONF_WHY_BYTES]);
/* A whole file; `source` (its name) opens each refusal: "lan.conf:12: ...". Stops at the first refusal. */
MUST_USE enum status conf_read(const struct conf_table *table, const char *text, size_t bytes, const char *source,
                               char why[CONF_WHY_BYTES]);
/* Takes all options out of arguments[0..*count); what is left (and everything behind `--`) moves to the front and
 * *count becomes its number. A lone "-" is not an option. */
MUST_USE enum status conf_arguments(const struct conf_table *table, char **arguments, int *count,
                                    char why[CONF_WHY_BYTES]);
/* The help lines, with units, ranges and the values now in force as defaults. Cut to the capacity; returns the length.
 */
size_t conf_help(const struct conf_table *table, char *out, size_t capacity);

#endif
