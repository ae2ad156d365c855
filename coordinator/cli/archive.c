#include "coordinator/cli/archive.h"

#include "common/net/settings.h"
#include "common/shogi/game_set.h"
#include "coordinator/cli/archive_manifest.h"
#include "coordinator/cli/unpack.h"

#include <errno.h>
#include <fts.h>
#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void archive_init(struct archive *archive, const char *command) { *archive = (struct archive){.command = command}; }

static void close_file(struct archive *archive)
{
    if (archive->reading) record_reader_free(&archive->reader);
    free(archive->bytes);
    archive->bytes = NULL;
    archive->reading = false;
}

void archive_free(struct archive *archive)
{
    close_file(archive);
    for (uint32_t i = 0; i < archive->file_count; i++) free(archive->files[i].path);
    free(archive->files);
    free(archive->input);
    free(archive->by_inode);
    archive_manifest_free(archive->manifests);
    if (archive->twins) game_set_free(archive->twins);
    free(archive->twins);
    archive_init(archive, archive->command);
}

/* One line for people about something that is refused. */
__attribute__((format(printf, 3, 4))) static void refuse(struct archive *archive, const char *subject,
                                                         const char *format, ...)
{
    if (archive->quiet) return;
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", subject);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    archive->refused++;
}

/* ---- the list -------------------------------------------------------------------------------------------------- */

static bool out_of_memory(const struct archive *archive)
{
    fprintf(stderr, "%s: out of memory\n", archive->command);
    return false;
}

/* info: NULL for stdin. */
static bool add_file(struct archive *archive, const char *path, size_t root_bytes, const struct stat *info)
{
    if (archive->file_count == ARCHIVE_FILES_MAX) {
        fprintf(stderr, "%s: %s: found more than %d files, expected fewer\n", archive->command, path,
                ARCHIVE_FILES_MAX);
        return false;
    }
    if (archive->file_count == archive->file_capacity) {
        uint32_t capacity = archive->file_capacity ? archive->file_capacity * 2 : 64;
        struct archive_file *larger = realloc(archive->files, capacity * sizeof *larger);
        if (!larger) return out_of_memory(archive);
        archive->files = larger;
        archive->file_capacity = capacity;
    }
    struct archive_file file = {
        .path = strdup(path), .is_stdin = !info, .root_bytes = (uint32_t)root_bytes, .source = "", .licence = ""};
    if (!file.path) return out_of_memory(archive);
    if (info && S_ISREG(info->st_mode)) {
        file.device = info->st_dev;
        file.inode = info->st_ino;
    }
    archive->files[archive->file_count++] = file;
    return true;
}

/* The table of the folder that `path` lies in. False: it is no table, so a file like any other. */
static bool add_manifest(struct archive *archive, const char *path)
{
    char why[CONF_WHY_BYTES];
    size_t bytes, folder_bytes = strlen(path) - strlen(ARCHIVE_MANIFEST_NAME);
    char *text = settings_read_file(path, ARCHIVE_FILE_BYTES_MAX, &bytes, why), *folder = strndup(path, folder_bytes);
    bool no_table = true;
    struct archive_manifest *manifest = text && folder ? archive_manifest_new(folder, text, bytes, &no_table) : NULL;
    free(folder);
    if (!manifest) return false;
    manifest->next = archive->manifests;
    archive->manifests = manifest;
    return true;
}

/* The tables of the folder of a file that was named itself, and of the folder above it. */
static void add_manifests_of(struct archive *archive, const char *path)
{
    char table[4096];
    const char *slash = strrchr(path, '/');
    size_t folder_bytes = slash ? (size_t)(slash - path) + 1 : 0;
    for (int up = 0; up < 2; up++) {
        int length = snprintf(table, sizeof table, "%.*s" ARCHIVE_MANIFEST_NAME, (int)folder_bytes, path);
        if (length < 0 || (size_t)length >= sizeof table) return;
        if (access(table, R_OK) == 0 && !archive_manifest_of(archive->manifests, path, folder_bytes))
            (void)add_manifest(archive, table);
        if (folder_bytes < 2) return;
        for (folder_bytes--; folder_bytes > 0 && path[folder_bytes - 1] != '/';) folder_bytes--;
    }
}

static int compare_names(const FTSENT **a, const FTSENT **b) { return strcmp((*a)->fts_name, (*b)->fts_name); }

/* Is this folder the one that results go to? */
static bool takes_results(const struct archive *archive, const FTSENT *entry)
{
    struct stat info;
    return archive->results && stat(archive->results, &info) == 0 && info.st_dev == entry->fts_statp->st_dev &&
           info.st_ino == entry->fts_statp->st_ino;
}

/* What fts found in a folder. */
static bool add_entry(struct archive *archive, FTS *walk, FTSENT *entry, size_t root_bytes)
{
    bool hidden = entry->fts_level > FTS_ROOTLEVEL && entry->fts_name[0] == '.';
    switch (entry->fts_info) {
    case FTS_D:
        if (hidden || takes_results(archive, entry)) fts_set(walk, entry, FTS_SKIP);
        if (!hidden && takes_results(archive, entry))
            refuse(archive, entry->fts_path, "is where the results go and is not read, expected another folder");
        return true;
    case FTS_F:
        if (hidden) return true;
        if (strcmp(entry->fts_name, ARCHIVE_MANIFEST_NAME) == 0 && add_manifest(archive, entry->fts_path)) return true;
        return add_file(archive, entry->fts_path, root_bytes, entry->fts_statp);
    case FTS_DC:
        refuse(archive, entry->fts_path, "found a link to a folder above it, expected files");
        return true;
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
        refuse(archive, entry->fts_path, "%s", strerror(entry->fts_errno));
        return true;
    case FTS_SLNONE:
        if (!hidden) refuse(archive, entry->fts_path, "found a link that leads nowhere, expected a file");
        return true;
    case FTS_DEFAULT:
        if (!hidden) refuse(archive, entry->fts_path, "found a pipe, socket or device, expected a file");
        return true;
    default: /* FTS_DP, FTS_DOT, ... */
        return true;
    }
}

static bool add_folder(struct archive *archive, const char *folder)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/') length--;
    char *root = strndup(folder, length), *roots[] = {root, NULL};
    if (!root) return out_of_memory(archive);
    FTS *walk = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, compare_names);
    bool ok = walk != NULL;
    if (!walk) refuse(archive, folder, "%s", strerror(errno));
    while (ok) {
        errno = 0;
        FTSENT *entry = fts_read(walk);
        if (!entry) {
            if (errno != 0) refuse(archive, folder, "%s", strerror(errno));
            break;
        }
        ok = add_entry(archive, walk, entry, length + (root[length - 1] != '/'));
    }
    if (walk) (void)fts_close(walk);
    free(root);
    return ok;
}

static size_t name_at(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

static bool add_path(struct archive *archive, const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        refuse(archive, path, "%s", strerror(errno));
        return true;
    }
    if (S_ISDIR(info.st_mode)) return add_folder(archive, path);
    if (S_ISREG(info.st_mode)) add_manifests_of(archive, path);
    return add_file(archive, path, name_at(path), &info);
}

static int compare_paths(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static bool add_pattern(struct archive *archive, const char *pattern)
{
    glob_t found;
    int code = glob(pattern, GLOB_NOSORT, NULL, &found);
    bool ok = code != GLOB_NOSPACE;
    if (code == 0) {
        qsort(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, compare_paths);
        for (size_t i = 0; ok && i < found.gl_pathc; i++) ok = add_path(archive, found.gl_pathv[i]);
    } else {
        refuse(archive, pattern, "found no file that matches");
    }
    globfree(&found);
    return ok;
}

static void name_sources(struct archive *archive, uint32_t from)
{
    for (uint32_t i = from; archive->manifests && i < archive->file_count; i++) {
        const struct archive_manifest_row *row = archive_manifest_find(archive->manifests, archive->files[i].path);
        if (!row) continue;
        archive->files[i].source = row->source;
        archive->files[i].licence = row->licence;
    }
}

bool archive_add(struct archive *archive, const char *argument)
{
    struct stat info;
    uint32_t before = archive->file_count;
    bool ok;
    if (strcmp(argument, "-") == 0)
        ok = add_file(archive, "stdin", 0, NULL);
    else if (stat(argument, &info) != 0 && errno == ENOENT && strpbrk(argument, "*?["))
        ok = add_pattern(archive, argument);
    else
        ok = add_path(archive, argument);
    name_sources(archive, before);
    return ok;
}

bool archive_add_all(struct archive *archive, char *const *arguments, int count)
{
    for (int i = 0; i < count; i++)
        if (!archive_add(archive, arguments[i])) return false;
    return true;
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

/* The bytes as they lie there. stdin can be read once only, so it is kept. NULL: refused. */
static char *load_raw(struct archive *archive, const struct archive_file *file, size_t *length)
{
    char why[CONF_WHY_BYTES];
    char *bytes;
    if (!file->is_stdin) {
        bytes = settings_read_file(file->path, ARCHIVE_FILE_BYTES_MAX, length, why);
        if (!bytes) refuse(archive, archive->command, "%s", why);
        return bytes;
    }
    if (!archive->input) {
        archive->input =
            settings_read_descriptor(STDIN_FILENO, "stdin", ARCHIVE_FILE_BYTES_MAX, &archive->input_bytes, why);
        if (!archive->input) refuse(archive, archive->command, "%s", why);
    }
    bytes = archive->input ? malloc(archive->input_bytes + 1) : NULL;
    if (bytes) memcpy(bytes, archive->input, archive->input_bytes + 1);
    *length = archive->input_bytes;
    return bytes;
}

/* What is packed in the bytes, as far as it can be unpacked. Takes `packed`. */
static char *load_packed(struct archive *archive, const char *path, char *packed, size_t *length)
{
    struct text_buffer out;
    text_buffer_init(&out, ARCHIVE_FILE_BYTES_MAX);
    enum status st = unpack(packed, *length, &out);
    free(packed);
    if (st == ST_TOO_BIG)
        refuse(archive, path, "found more than %zu MiB when unpacked, expected at most that; the rest is not read",
               ARCHIVE_FILE_BYTES_MAX >> 20);
    else if (st != ST_OK)
        refuse(archive, path, "compressed file: %s; what comes before is read", status_text(st));
    *length = out.length;
    return out.data; /* NULL: nothing came out */
}

char *archive_load(struct archive *archive, uint32_t file_index, size_t *length)
{
    const struct archive_file *file = &archive->files[file_index];
    char *bytes = load_raw(archive, file, length);
    bool packed = bytes && pack_of(bytes, *length) != PACK_NONE;
    return packed ? load_packed(archive, file->path, bytes, length) : bytes;
}

static bool open_next_file(struct archive *archive)
{
    while (archive->file_next < archive->file_count) {
        const char *path = archive->files[archive->file_next].path;
        size_t length = 0;
        archive->bytes = archive_load(archive, archive->file_next++, &length);
        if (!archive->bytes) continue;
        if (record_reader_init(&archive->reader, archive->bytes, length) == ST_OK) {
            archive->reading = true;
            return true;
        }
        refuse(archive, path, "%s", archive->reader.error);
        record_reader_free(&archive->reader);
        close_file(archive);
    }
    return false;
}

static void say_problems(const struct archive *archive, const char *path, const struct record *record)
{
    if (archive->quiet) return;
    for (uint32_t i = 0; i < record->problem_count && i < RECORD_PROBLEMS_MAX; i++) {
        char text[RECORD_MESSAGE_BYTES];
        record_problem_text(&record->problems[i], text);
        fprintf(stderr, "%s: %s\n", path, text);
    }
    if (record->problem_count > RECORD_PROBLEMS_MAX)
        fprintf(stderr, "%s: line %u: %u further remarks on this game\n", path, record->line_number_last,
                record->problem_count - RECORD_PROBLEMS_MAX);
}

enum status archive_next(struct archive *archive, struct record *record, struct archive_game *game)
{
    for (;;) {
        if (!archive->reading && !open_next_file(archive)) return ST_MISSING;
        const struct archive_file *file = &archive->files[archive->file_next - 1];
        enum status st = record_next(&archive->reader, record);
        if (st == ST_NO_MEMORY) return st;
        if (st != ST_OK) {
            if (st != ST_MISSING) refuse(archive, file->path, "%s", status_text(st));
            close_file(archive);
            continue;
        }
        *game = (struct archive_game){file, archive->file_next - 1, archive->reader.games - 1};
        say_problems(archive, file->path, record);
        if (archive->strict && record->problem_count > 0) {
            refuse(archive, file->path, "line %u: game %u is left out (--strict)", record->line_number_first,
                   game->index + 1);
            continue;
        }
        if (record->rejected && !archive->quiet) archive->refused++;
        if (archive->twins && archive->game_next < archive->twins->count &&
            game_set_twin(archive->twins, archive->game_next++, NULL) != GAME_ONLY)
            continue;
        return ST_OK;
    }
}

void archive_rewind(struct archive *archive)
{
    close_file(archive);
    archive->file_next = archive->game_next = 0;
    archive->quiet = true;
}

/* ---- the same game twice --------------------------------------------------------------------------------------- */

struct place { /* of a game, for messages */
    uint32_t file, index, line;
};

struct places {
    struct place *items;
    uint32_t count, capacity;
};

static bool add_place(struct places *places, struct place place)
{
    if (places->count == places->capacity) {
        uint32_t capacity = places->capacity ? places->capacity * 2 : 1024;
        struct place *larger = realloc(places->items, capacity * sizeof *larger);
        if (!larger) return false;
        places->items = larger;
        places->capacity = capacity;
    }
    places->items[places->count++] = place;
    return true;
}

static enum status gather(struct archive *archive, struct game_set *set, struct places *places,
                          bool (*wanted)(void *context), void *context)
{
    struct record record;
    struct archive_game game;
    record_init(&record);
    enum status st;
    while ((st = archive_next(archive, &record, &game)) == ST_OK) {
        if (wanted && !wanted(context))
            st = ST_STATE;
        else if (!add_place(places, (struct place){game.file_index, game.index, record.line_number_first}))
            st = ST_NO_MEMORY;
        else
            st = game_set_add(set, &record);
        if (st != ST_OK) break;
    }
    record_free(&record);
    return st == ST_MISSING ? game_set_compare(set) : st;
}

static void name_twins(const struct archive *archive, const struct game_set *set, const struct places *places)
{
    for (uint32_t i = 0; i < set->count; i++) {
        uint32_t other;
        enum game_twin twin = game_set_twin(set, i, &other);
        if (twin == GAME_ONLY) continue;
        const struct place *a = &places->items[i], *b = &places->items[other];
        fprintf(stderr, "%s: line %u: game %u is %s game %u of %s and left out\n", archive->files[a->file].path,
                a->line, a->index + 1, twin == GAME_SAME ? "the same as" : "the beginning of", b->index + 1,
                archive->files[b->file].path);
    }
}

enum status archive_drop_twins(struct archive *archive, bool (*wanted)(void *context), void *context, uint32_t *same,
                               uint32_t *beginnings)
{
    struct game_set *set = malloc(sizeof *set);
    if (!set) return ST_NO_MEMORY;
    struct places places = {0};
    game_set_init(set);
    enum status st = gather(archive, set, &places, wanted, context);
    if (st == ST_OK) {
        name_twins(archive, set, &places);
        *same = set->same;
        *beginnings = set->beginnings;
        archive->twins = set;
    } else {
        game_set_free(set);
        free(set);
    }
    free(places.items);
    archive_rewind(archive);
    return st;
}

/* ---- is it one of ours? ---------------------------------------------------------------------------------------- */

static int compare_inodes(const void *left, const void *right, void *context)
{
    const struct archive_file *files = context, *a = &files[*(const uint32_t *)left],
                              *b = &files[*(const uint32_t *)right];
    if (a->device != b->device) return a->device < b->device ? -1 : 1;
    return a->inode < b->inode ? -1 : a->inode > b->inode;
}

bool archive_holds(struct archive *archive, const char *path)
{
    struct stat info;
    if (archive->file_count == 0 || stat(path, &info) != 0) return false;
    if (!archive->by_inode) {
        archive->by_inode = malloc(archive->file_count * sizeof *archive->by_inode);
        if (!archive->by_inode) return true; /* better to refuse than to overwrite */
        for (uint32_t i = 0; i < archive->file_count; i++) archive->by_inode[i] = i;
        qsort_r(archive->by_inode, archive->file_count, sizeof *archive->by_inode, compare_inodes, archive->files);
    }
    for (uint32_t low = 0, high = archive->file_count; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        const struct archive_file *file = &archive->files[archive->by_inode[middle]];
        if (file->device == info.st_dev && file->inode == info.st_ino) return true;
        if (file->device < info.st_dev || (file->device == info.st_dev && file->inode < info.st_ino))
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}
