/* archive.h - the games that a command was given: files, folders, patterns, stdin; one game after the other.
 *
 *     struct archive archive; archive_init(&archive, "murakumo scan");
 *     for each argument: if (!archive_add(&archive, argument)) out of memory;
 *     while (archive_next(&archive, &record, &game) == ST_OK) use(&record, &game);
 *     failed = archive.refused > 0;  archive_free(&archive);
 *
 * Arguments: a file; a folder, which stands for everything below it (names sorted by their bytes in each folder, links
 *          followed, names that begin with a dot left out); a pattern with * ? [ ] for which no such file exists (its
 *          matches sorted); `-` for stdin. The list is made once, by archive_add(), and never grows afterwards: what a
 *          command writes is not read by it.
 * Content: gzip and Zstandard are unpacked, format and encoding found by looking at the bytes, never at the name.
 * Licence: a file MANIFEST.tsv in a folder is no record but says for the files of that folder and below where they are
 *          from: a table with the columns `file` (path below the folder), `source` and `licence`; others are ignored.
 * For a file that was named itself, its folder and the one above are looked at. Trouble: one line on stderr each,
 * "FILE: line 12: found X, expected Y", and nothing stops: what is no record, what cannot be opened, games of which
 * moves are missing. All but mere remarks count in `refused`. Limits:  ARCHIVE_FILES_MAX files; ARCHIVE_FILE_BYTES_MAX
 * bytes of one file, unpacked (one file is in memory at a time). Threads: one at a time. Memory: owns all but what
 * archive_init() was given.
 */
#ifndef MURAKUMO_CLI_ARCHIVE_H
#define MURAKUMO_CLI_ARCHIVE_H

#include "common/shogi/record_io.h"

#include <sys/types.h>

#define ARCHIVE_FILE_BYTES_MAX ((size_t)256 << 20)
enum { ARCHIVE_FILES_MAX = 1 << 24 };

struct archive_file {
    char *path; /* as the user would write it; "stdin" for - */
    bool is_stdin;
    uint32_t root_bytes; /* path + root_bytes is the part below the folder that was given; without one, the name */
    dev_t device;        /* of a regular file: what archive_holds() compares */
    ino_t inode;         /* 0: none */
    const char *source;  /* from a MANIFEST.tsv; "" = not known */
    const char *licence;
};

struct archive_game {
    const struct archive_file *file;
    uint32_t file_index; /* in archive->files */
    uint32_t index;      /* of the game in its file, from 0 */
};

struct archive_manifest;
struct game_set;

struct archive {
    const char *command; /* opens messages that are about no file */
    bool strict;         /* a game with any remark is refused */
    const char *results; /* folder that results go to, NULL = none: it is not read; set it before archive_add() */
    bool quiet;          /* nothing is said or counted; set by archive_rewind() */

    struct archive_file *files;
    uint32_t file_count, file_capacity;
    uint32_t refused; /* files and games; the exit code is 1 if there are any */

    uint32_t file_next; /* files[file_next - 1] is open */
    bool reading;
    char *bytes; /* of the open file; the reader looks into it */
    struct record_reader reader;
    char *input; /* stdin, kept for a second reading */
    size_t input_bytes;
    struct archive_manifest *manifests; /* of all folders; owns the texts of files[].source and .licence */
    struct game_set *twins;             /* after archive_drop_twins(): which games are left out */
    uint32_t game_next;                 /* number of the next game in `twins` */
    uint32_t *by_inode;                 /* files sorted for archive_holds(); made when first asked */
};

/* `command` is borrowed. */
void archive_init(struct archive *archive, const char *command);
void archive_free(struct archive *archive);
/* Adds what the argument stands for to the list. What does not exist is said and counted. False: out of memory, or more
 * than ARCHIVE_FILES_MAX files (which is said). */
bool archive_add(struct archive *archive, const char *argument);
/* archive_add() for each of them. */
bool archive_add_all(struct archive *archive, char *const *arguments, int count);
/* The next game, into a record that was record_init()ed. ST_MISSING: there is none. ST_NO_MEMORY: give up. */
MUST_USE enum status archive_next(struct archive *archive, struct record *record, struct archive_game *game);
/* For files that hold something else than games: the bytes of one file of the list, unpacked, with a 0 behind them; the
 * caller frees them. NULL: it cannot be read, which was said and counted. */
char *archive_load(struct archive *archive, uint32_t file_index, size_t *length);
/* From the first file again; what was said once is not said again. */
void archive_rewind(struct archive *archive);
/* Reads all games, and leaves out from now on those that are the same as an earlier one or the beginning of another
 * (game_set.h); each is named on stderr. The next game is again the first one. *same and *beginnings: how many of each.
 * `wanted` (if not NULL) is asked after every game whether to go on: ST_STATE if not. */
MUST_USE enum status archive_drop_twins(struct archive *archive, bool (*wanted)(void *context), void *context,
                                        uint32_t *same, uint32_t *beginnings);
/* Is this existing path one of the files of the list (also by another name)? */
bool archive_holds(struct archive *archive, const char *path);

#endif
