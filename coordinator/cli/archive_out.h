/* archive_out.h - where games go that were read (archive.h) and worked on: stdout, one file, or a folder with one file
 * for each file that was read.
 *
 * Files appear whole or not at all: they are written under a name of their own beside the place and take their name at
 * the end. A file that is read is never written over, whatever its name there. In a folder the names are those below
 * the folder that was given, with the ending of the format; two that would be the same get -2, -3, ... Errors: one line
 * on stderr; the answer is false then.
 */
#ifndef MURAKUMO_CLI_ARCHIVE_OUT_H
#define MURAKUMO_CLI_ARCHIVE_OUT_H

#include "coordinator/cli/archive.h"

#include <stdio.h>

struct archive_out {
    struct archive *archive; /* what may not be written over */
    const char *path;        /* "" = stdout */
    bool folder;
    const char *ending; /* of files in a folder: "kif" */

    int file_open;     /* index of the file whose games the open output takes; -1: none is open */
    FILE *stream;      /* stdout, or the file that is being written */
    char *part, *name; /* its name now, and at the end */
    void *names;       /* of all files written so far (a tree of tsearch(3)) */
    uint32_t games;    /* in the open output */
};

/* `path` may be a folder that exists or, with a slash at its end, one that is made. */
bool archive_out_open(struct archive_out *out, struct archive *archive, const char *path, const char *ending);
/* Makes the output ready for a game of that file; out->games says how many it holds already. */
bool archive_out_next(struct archive_out *out, uint32_t file_index);
bool archive_out_put(struct archive_out *out, const char *bytes, size_t length); /* one game */
/* What was written takes its name. */
bool archive_out_close(struct archive_out *out);

#endif
