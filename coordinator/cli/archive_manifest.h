/* archive_manifest.h - where the games of a folder are from: the table MANIFEST.tsv that lies in it.
 *
 * The first line names the columns; looked at are `file` (path below the folder of the table), `source` and `licence`.
 * Columns are parted by tabs. tests/data/games/MANIFEST.tsv is one.
 */
#ifndef MURAKUMO_CLI_ARCHIVE_MANIFEST_H
#define MURAKUMO_CLI_ARCHIVE_MANIFEST_H

#include "common/base/text.h"

#define ARCHIVE_MANIFEST_NAME "MANIFEST.tsv"

struct archive_manifest_row {
    const char *file, *source, *licence; /* in `text` */
};

struct archive_manifest {
    struct archive_manifest *next;     /* of another folder */
    char *folder;                      /* with the slash at its end */
    char *text;                        /* the file, tabs and line ends replaced by 0 */
    struct archive_manifest_row *rows; /* sorted by file */
    size_t row_count;
};

/* Takes `text` (a 0 stands behind its `length` bytes) in every case; folder is copied. NULL: out of memory, or the
 * table has no columns `file` and `licence` (*no_table is true then). */
struct archive_manifest *archive_manifest_new(const char *folder, char *text, size_t length, bool *no_table);
void archive_manifest_free(struct archive_manifest *manifest); /* and all that follow it */
/* The table of the folder that is the first `bytes` bytes of path, slash included; NULL: there is none. */
const struct archive_manifest *archive_manifest_of(const struct archive_manifest *manifest, const char *path,
                                                   size_t bytes);
/* The row of a path; of several tables the one of the deepest folder. NULL: no table names it. */
const struct archive_manifest_row *archive_manifest_find(const struct archive_manifest *manifest, const char *path);

#endif
