#include "coordinator/cli/archive_manifest.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS_LOOKED_AT = 64, COLUMN_NONE = -1 };

struct columns {
    int file, source, licence;
};

static struct columns find_columns(struct text head)
{
    struct columns columns = {COLUMN_NONE, COLUMN_NONE, COLUMN_NONE};
    for (int i = 0; i < COLUMNS_LOOKED_AT; i++) {
        const char *tab = memchr(head.at, '\t', text_length(head));
        struct text name = text_trim(text_make(head.at, tab ? (size_t)(tab - head.at) : text_length(head)));
        if (text_is(name, "file")) columns.file = i;
        if (text_is(name, "source")) columns.source = i;
        if (text_is(name, "licence") || text_is(name, "license")) columns.licence = i;
        if (!tab) break;
        head.at = tab + 1;
    }
    return columns;
}

/* Cuts the line (whose end is a 0 already) into columns. */
static struct archive_manifest_row cut_row(char *line, struct columns columns)
{
    struct archive_manifest_row row = {"", "", ""};
    for (int i = 0; line && i < COLUMNS_LOOKED_AT; i++) {
        char *tab = strchr(line, '\t');
        if (tab) *tab = 0;
        if (i == columns.file) row.file = line;
        if (i == columns.source) row.source = line;
        if (i == columns.licence) row.licence = line;
        line = tab ? tab + 1 : NULL;
    }
    return row;
}

static int compare_rows(const void *left, const void *right)
{
    const struct archive_manifest_row *a = left, *b = right;
    return strcmp(a->file, b->file);
}

static char *copy_folder(const char *folder)
{
    size_t length = strlen(folder);
    bool slash = length == 0 || folder[length - 1] == '/';
    char *copy = malloc(length + 2);
    if (!copy) return NULL;
    memcpy(copy, folder, length);
    if (!slash) copy[length++] = '/';
    copy[length] = 0;
    return copy;
}

/* At least as many as text_take_line() will find: CR alone ends a line too. */
static size_t count_lines(const char *text, size_t length)
{
    size_t lines = 1;
    for (size_t i = 0; i < length; i++) lines += text[i] == '\n' || text[i] == '\r';
    return lines;
}

struct archive_manifest *archive_manifest_new(const char *folder, char *text, size_t length, bool *no_table)
{
    struct text rest = text_make(text, length), line = text_make("", 0);
    struct archive_manifest *manifest = calloc(1, sizeof *manifest);
    struct columns columns =
        text_take_line(&rest, &line) ? find_columns(line) : (struct columns){COLUMN_NONE, COLUMN_NONE, COLUMN_NONE};
    *no_table = columns.file == COLUMN_NONE || columns.licence == COLUMN_NONE;
    if (manifest && !*no_table) {
        manifest->folder = copy_folder(folder);
        manifest->rows = calloc(count_lines(text, length), sizeof *manifest->rows);
    }
    if (!manifest || !manifest->folder || !manifest->rows) {
        free(text);
        archive_manifest_free(manifest);
        return NULL;
    }
    manifest->text = text;
    while (text_take_line(&rest, &line)) {
        text[line.end - text] = 0;
        struct archive_manifest_row row = cut_row(text + (line.at - text), columns);
        if (row.file[0]) manifest->rows[manifest->row_count++] = row;
    }
    qsort(manifest->rows, manifest->row_count, sizeof *manifest->rows, compare_rows);
    return manifest;
}

void archive_manifest_free(struct archive_manifest *manifest)
{
    while (manifest) {
        struct archive_manifest *next = manifest->next;
        free(manifest->folder);
        free(manifest->text);
        free(manifest->rows);
        free(manifest);
        manifest = next;
    }
}

const struct archive_manifest *archive_manifest_of(const struct archive_manifest *manifest, const char *path,
                                                   size_t bytes)
{
    for (; manifest; manifest = manifest->next)
        if (strlen(manifest->folder) == bytes && strncmp(manifest->folder, path, bytes) == 0) return manifest;
    return NULL;
}

const struct archive_manifest_row *archive_manifest_find(const struct archive_manifest *manifest, const char *path)
{
    const struct archive_manifest_row *best = NULL;
    size_t best_bytes = 0;
    for (; manifest; manifest = manifest->next) {
        size_t bytes = strlen(manifest->folder);
        if ((best && bytes <= best_bytes) || strncmp(path, manifest->folder, bytes) != 0) continue;
        struct archive_manifest_row wanted = {path + bytes, "", ""};
        const struct archive_manifest_row *row =
            bsearch(&wanted, manifest->rows, manifest->row_count, sizeof wanted, compare_rows);
        if (!row) continue;
        best = row;
        best_bytes = bytes;
    }
    return best;
}
