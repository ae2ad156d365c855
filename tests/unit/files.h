/* files.h - whole files and tab-separated tables for tests. */
#ifndef MURAKUMO_TESTS_FILES_H
#define MURAKUMO_TESTS_FILES_H

#include "common/base/text.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct file_bytes {
    char *data; /* an allocation of exactly `length` bytes, so that ASan sees one byte too many */
    size_t length;
};

static inline struct file_bytes file_load(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) ck_abort_msg("cannot open %s", path);
    struct file_bytes bytes = {NULL, 0};
    fseek(file, 0, SEEK_END);
    bytes.length = (size_t)ftell(file);
    rewind(file);
    bytes.data = malloc(bytes.length ? bytes.length : 1);
    if (fread(bytes.data, 1, bytes.length, file) != bytes.length) ck_abort_msg("cannot read %s", path);
    fclose(file);
    return bytes;
}

static inline void file_free(struct file_bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct file_bytes){NULL, 0};
}

enum { TABLE_COLUMNS_MAX = 12 };
struct table_row {
    char *column[TABLE_COLUMNS_MAX]; /* 0-terminated; missing ones are "" */
};

/* Calls `use` for each row of a table; # lines and the first other line (its head) are left out. Returns how many. */
static inline size_t table_each(const char *path, void (*use)(const struct table_row *row))
{
    struct file_bytes bytes = file_load(path);
    struct text rest = text_make(bytes.data, bytes.length), line;
    size_t rows = 0;
    bool head = true;
    static char empty[] = "";
    while (text_take_line(&rest, &line)) {
        if (text_empty(line) || *line.at == '#') continue;
        if (head) {
            head = false;
            continue;
        }
        char *copy = calloc(text_length(line) + 1, 1);
        memcpy(copy, line.at, text_length(line));
        struct table_row row;
        for (size_t i = 0; i < TABLE_COLUMNS_MAX; i++) row.column[i] = empty;
        char *at = copy;
        for (size_t i = 0; i < TABLE_COLUMNS_MAX && at; i++) {
            row.column[i] = at;
            at = strchr(at, '\t');
            if (at) *at++ = 0;
        }
        use(&row);
        rows++;
        free(copy);
    }
    file_free(&bytes);
    return rows;
}

#endif
