#include "coordinator/cli/archive_out.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(const struct archive_out *out, const char *path, const char *why)
{
    fprintf(stderr, "%s: %s: %s\n", out->archive->command, path, why);
    return false;
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Makes the folders of a path, up to its last slash. */
static bool make_folders(const struct archive_out *out, char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        bool made = mkdir(path, 0777) == 0 || is_folder(path);
        if (!made) fail(out, path, strerror(errno));
        *slash = '/';
        if (!made) return false;
    }
    return true;
}

/* Opens `name` under another name beside it. Takes `name`. */
static bool open_file(struct archive_out *out, char *name)
{
    out->name = name;
    if (archive_holds(out->archive, name))
        return fail(out, name, "is one of the files that are read, expected another");
    if (is_folder(name)) return fail(out, name, strerror(EISDIR));
    struct stat info;
    if (stat(name, &info) == 0 && !S_ISREG(info.st_mode)) { /* /dev/null, a pipe: nothing to be renamed */
        out->stream = fopen(name, "wb");
        return out->stream ? true : fail(out, name, strerror(errno));
    }
    if (asprintf(&out->part, "%s.XXXXXX", name) < 0) out->part = NULL;
    int fd = out->part ? mkstemp(out->part) : -1;
    if (fd < 0) {
        fail(out, name, strerror(errno));
        free(out->part);
        out->part = NULL;
        return false;
    }
    mode_t mask = umask(0);
    umask(mask);
    (void)fchmod(fd, 0666 & ~mask); /* mkstemp made it private */
    out->stream = fdopen(fd, "wb");
    if (out->stream) return true;
    fail(out, name, strerror(errno));
    (void)close(fd);
    (void)unlink(out->part);
    return false;
}

static bool close_file(struct archive_out *out)
{
    bool ok = true;
    if (out->stream == stdout) {
        ok = fflush(stdout) == 0 && !ferror(stdout);
        if (!ok) fail(out, "stdout", strerror(errno));
    } else if (out->stream) {
        ok = !ferror(out->stream);
        ok = fclose(out->stream) == 0 && ok;
        if (ok && out->part) ok = rename(out->part, out->name) == 0;
        if (!ok) {
            fail(out, out->name, strerror(errno));
            if (out->part) (void)unlink(out->part);
        }
    }
    free(out->part);
    free(out->name);
    out->part = out->name = NULL;
    out->stream = NULL;
    out->file_open = -1;
    out->games = 0;
    return ok;
}

/* ---- names in a folder ----------------------------------------------------------------------------------------- */

static size_t name_length(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    if (dot && dot != path && (!slash || dot > slash + 1)) return (size_t)(dot - path);
    return strlen(path);
}

/* Length of the path without its ending; .gz and .zst with the one before it. */
static size_t stem_length(const char *path)
{
    size_t length = name_length(path);
    if (strcmp(path + length, ".gz") != 0 && strcmp(path + length, ".zst") != 0) return length;
    char *inner = strndup(path, length);
    if (inner) length = name_length(inner);
    free(inner);
    return length;
}

static int compare_strings(const void *a, const void *b) { return strcmp(a, b); }

/* The place of a file below the folder; it is remembered. NULL: no memory. */
static char *place_in_folder(struct archive_out *out, const struct archive_file *file)
{
    const char *below = file->path + file->root_bytes;
    size_t length = strlen(out->path);
    const char *slash = length > 0 && out->path[length - 1] == '/' ? "" : "/";
    for (unsigned turn = 1;; turn++) {
        char *place, number[16] = "";
        if (turn > 1) snprintf(number, sizeof number, "-%u", turn);
        if (asprintf(&place, "%s%s%.*s%s.%s", out->path, slash, (int)stem_length(below), below, number, out->ending) <
            0)
            return NULL;
        if (tfind(place, &out->names, compare_strings)) {
            free(place);
            continue;
        }
        char *copy = strdup(place);
        if (!copy || !tsearch(copy, &out->names, compare_strings)) {
            free(copy);
            free(place);
            return NULL;
        }
        return place;
    }
}

/* ---- in the order of use --------------------------------------------------------------------------------------- */

bool archive_out_open(struct archive_out *out, struct archive *archive, const char *path, const char *ending)
{
    size_t length = strlen(path);
    *out = (struct archive_out){.archive = archive, .path = path, .ending = ending, .file_open = -1};
    out->folder = length > 0 && (path[length - 1] == '/' || is_folder(path));
    if (out->folder) return true;
    if (length == 0) {
        out->stream = stdout;
        return true;
    }
    char *name = strdup(path);
    return name ? open_file(out, name) : fail(out, path, "out of memory");
}

bool archive_out_next(struct archive_out *out, uint32_t file_index)
{
    if (!out->folder || out->file_open == (int)file_index) return true;
    if (!close_file(out)) return false;
    char *name = place_in_folder(out, &out->archive->files[file_index]);
    if (!name) return fail(out, out->path, "out of memory");
    if (!make_folders(out, name)) {
        free(name);
        return false;
    }
    out->file_open = (int)file_index;
    return open_file(out, name);
}

bool archive_out_put(struct archive_out *out, const char *bytes, size_t length)
{
    if (fwrite(bytes, 1, length, out->stream) == length) {
        out->games++;
        return true;
    }
    return fail(out, out->stream == stdout ? "stdout" : out->name, strerror(errno));
}

bool archive_out_close(struct archive_out *out)
{
    bool ok = close_file(out);
    if (out->names) tdestroy(out->names, free);
    out->names = NULL;
    return ok;
}
