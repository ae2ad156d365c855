/* farm_export.c - see farm_export.h. */
#include "coordinator/cli/farm_export.h"

#include "coordinator/farm_run.h"
#include "coordinator/store/csv_db.h"
#include "coordinator/view/puzzle_out.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, CHUNK_BYTES = 1 << 16, OUT_BYTES_MAX = 64 << 20 };

struct writer {
    const struct farm_export_options *options;
    struct puzzle_set set;
    enum puzzle_format format;
    struct text_buffer out;
    FILE *file;
    struct csv_db *db;  /* instead of the file */
    const char *folder; /* instead of the file: one for each puzzle, in here; ends with / */
    size_t next;        /* puzzle */
    uint32_t number;
    bool failed;
};

static void flush(struct writer *w)
{
    if (w->out.status != ST_OK) w->failed = true;
    if (w->db && w->out.length && csv_db_add(w->db, text_buffer_view(&w->out)) != ST_OK) w->failed = true;
    if (!w->db && w->out.length && fwrite(w->out.data, 1, w->out.length, w->file) != w->out.length) w->failed = true;
    text_buffer_clear(&w->out);
}

/* The puzzle in `out` becomes a file of its own. */
static void flush_to_folder(struct writer *w, const char *id)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s%s.kifu", w->folder, id);
    w->file = fopen(path, "we");
    if (w->file) flush(w);
    bool good = w->file && !ferror(w->file);
    if (w->file && fclose(w->file) != 0) good = false;
    w->failed = w->failed || !good;
    text_buffer_clear(&w->out);
}

static void add_row(void *context, const struct store_row *row)
{
    struct writer *w = context;
    puzzle_set_add(&w->set, row->seq, row->text);
}

/* Games and puzzles come in the same order. */
static void write_game(void *context, const struct store_game *game)
{
    struct writer *w = context;
    struct puzzle_source source = {.file = game->file,
                                   .source = game->source,
                                   .licence = game->licence,
                                   .black = game->black,
                                   .white = game->white,
                                   .date = game->date,
                                   .event = game->event,
                                   .index = game->index};
    for (; w->next < w->set.count && w->set.items[w->next].seq == game->seq; w->next++) {
        const struct puzzle *p = &w->set.items[w->next];
        if (p->verdict != MINE_ACCEPTED && !(w->options->all && w->format == PUZZLE_JSONL)) continue;
        puzzle_out_one(w->format, p, &source, w->folder ? 1 : ++w->number, &w->out);
        if (w->folder)
            flush_to_folder(w, p->id);
        else if (w->out.length > CHUNK_BYTES)
            flush(w);
    }
}

static bool write_file(struct writer *w, const struct store_job *job)
{
    struct puzzle_meta meta = {
        .manifest = job->manifest, .engine = job->engine, .games = job->games, .settings = job->settings};
    w->next = 0;
    w->number = 0;
    w->failed = false;
    puzzle_out_begin(w->format, &w->set, &meta, &w->out);
    if (store_games_each(w->options->store, job->id, write_game, w) != ST_OK) w->failed = true;
    puzzle_out_end(w->format, &w->out);
    flush(w);
    return !w->failed;
}

static bool write_folder(struct writer *w, const struct store_job *job, const char *path)
{
    w->folder = path;
    bool good = (mkdir(path, 0777) == 0 || errno == EEXIST) && write_file(w, job);
    if (!good) fprintf(stderr, "%s: %s: cannot be written: %s\n", w->options->command, path, strerror(errno));
    w->folder = NULL;
    return good;
}

static bool write_path(struct writer *w, const struct store_job *job, const char *path)
{
    char beside[PATH_BYTES + 8];
    if (w->format == PUZZLE_KIF && *path && path[strlen(path) - 1] == '/') return write_folder(w, job, path);
    if (!*path || !strcmp(path, "-")) {
        w->file = stdout;
        return write_file(w, job) && fflush(stdout) == 0;
    }
    snprintf(beside, sizeof beside, "%s.part", path);
    w->file = fopen(beside, "we");
    bool good = w->file != NULL;
    if (good) {
        good = write_file(w, job);
        good = fflush(w->file) == 0 && fsync(fileno(w->file)) == 0 && good;
        good = fclose(w->file) == 0 && good && rename(beside, path) == 0;
    }
    if (!good) {
        fprintf(stderr, "%s: %s: cannot be written: %s\n", w->options->command, path, strerror(errno));
        unlink(beside);
    }
    return good;
}

/* The CSV table as SQLite. */
static bool write_sqlite(struct writer *w, const struct store_job *job, const char *path)
{
    char why[CSV_DB_WHY_BYTES];
    struct puzzle_meta meta = {.manifest = job->manifest};
    w->format = PUZZLE_CSV;
    w->next = 0;
    w->number = 0;
    w->failed = false;
    puzzle_out_begin(w->format, &w->set, &meta, &w->out);
    w->db = csv_db_open(path, "puzzles", text_buffer_view(&w->out), why);
    text_buffer_clear(&w->out);
    if (!w->db) {
        fprintf(stderr, "%s: %s\n", w->options->command, why);
        return false;
    }
    if (store_games_each(w->options->store, job->id, write_game, w) != ST_OK) w->failed = true;
    flush(w);
    bool good = csv_db_close(w->db, !w->failed, why) == ST_OK && !w->failed;
    w->db = NULL;
    if (!good) fprintf(stderr, "%s: %s\n", w->options->command, *why ? why : "the puzzles cannot be written");
    return good;
}

static bool write_all(struct writer *w, const struct store_job *job)
{
    struct text rest = text_from(w->options->formats);
    bool several = strchr(w->options->formats, ',') != NULL, good = true;
    while (good && !text_empty(rest)) {
        struct text name = rest;
        const char *comma = memchr(rest.at, ',', text_length(rest));
        name.end = comma ? comma : rest.end;
        rest.at = comma ? comma + 1 : rest.end;
        bool sqlite = text_is(name, "sqlite");
        if (sqlite && (!*w->options->out || !strcmp(w->options->out, "-"))) {
            fprintf(stderr, "%s: --format sqlite needs --out FILE\n", w->options->command);
            return false;
        }
        if (!sqlite && !puzzle_format_from_name(name, &w->format)) {
            fprintf(stderr, "%s: --format: found \"%.*s\", expected jsonl, csv, kif, sfen, html or sqlite\n",
                    w->options->command, (int)text_length(name), name.at);
            return false;
        }
        char path[PATH_BYTES];
        if (several && *w->options->out && strcmp(w->options->out, "-"))
            snprintf(path, sizeof path, "%s.%.*s", w->options->out, (int)text_length(name), name.at);
        else
            snprintf(path, sizeof path, "%s", w->options->out);
        good = sqlite ? write_sqlite(w, job, path) : write_path(w, job, path);
    }
    return good;
}

bool farm_export(const struct farm_export_options *options, struct farm_export_counts *counts)
{
    struct store_job job;
    struct mine mine;
    struct writer w = {.options = options};
    memset(counts, 0, sizeof *counts);
    if (store_job_get(options->store, options->job, &job) != ST_OK ||
        mine_settings_read(job.settings, &mine) != ST_OK) {
        fprintf(stderr, "%s: there is no job %lld\n", options->command, (long long)options->job);
        return false;
    }
    puzzle_set_init(&w.set, &mine);
    text_buffer_init(&w.out, OUT_BYTES_MAX);
    bool good = store_rows_each(options->store, job.id, "case", add_row, &w) == ST_OK && !w.set.broken;
    if (!good) fprintf(stderr, "%s: the store holds rows that cannot be read\n", options->command);
    good = good && write_all(&w, &job);
    *counts = (struct farm_export_counts){w.set.count, w.set.published, w.set.held, w.set.rejected};
    puzzle_set_free(&w.set);
    text_buffer_free(&w.out);
    return good;
}
