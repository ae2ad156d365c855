/* farm_submit.c - see farm_submit.h. */
#include "coordinator/cli/farm_submit.h"

#include "common/base/sha256.h"
#include "common/net/clock.h"
#include "common/shogi/movetext.h"
#include "common/shogi/sfen.h"
#include "coordinator/farm_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { UNLICENSED_NAMED = 5, GAME_BYTES_MAX = 1 << 20 };

struct submission {
    const struct farm_submit_options *options;
    struct farm_submitted *out;
    struct archive *archive;
    struct record record;
    struct text_buffer moves, source, licence, texts;
    struct sha256 manifest;
    bool unsearchable; /* some game was left out for that */
};

/* The text behind "Licence:", "License:" or "Source:" in a comment or header of the record. */
static bool find_note(const struct record *record, const char *const *labels, struct text_buffer *out)
{
    text_buffer_clear(out);
    for (uint32_t i = 0; i < record->comment_count; i++) {
        struct text text = text_trim(record_text(record, record->comments[i].text));
        for (const char *const *label = labels; *label; label++) {
            if (!text_take(&text, *label)) continue;
            text_buffer_put_clean(out, text_trim(text));
            return true;
        }
    }
    return false;
}

static const char *text_of(const struct text_buffer *buffer) { return buffer->data ? buffer->data : ""; }

static void find_provenance(struct submission *s, const struct archive_game *game)
{
    static const char *const licences[] = {"Licence:", "License:", NULL}, *const sources[] = {"Source:", NULL};
    const struct archive_file *file = game->file;
    if (!find_note(&s->record, licences, &s->licence))
        text_buffer_put_string(&s->licence, *file->licence ? file->licence : s->options->licence);
    if (!find_note(&s->record, sources, &s->source))
        text_buffer_put_string(&s->source, *file->source ? file->source : file->path);
}

static void write_moves(struct submission *s)
{
    text_buffer_clear(&s->moves);
    for (uint32_t i = 0; i < record_plies(&s->record); i++) {
        char text[MOVETEXT_BYTES_MAX];
        movetext_to_usi(s->record.moves[s->record.lines[0].first + i].move, text);
        if (i) text_buffer_put_char(&s->moves, ' ');
        text_buffer_put_string(&s->moves, text);
    }
}

/* Appends the text with a final 0; returns where it begins. */
static size_t put_text(struct submission *s, struct text text)
{
    size_t at = s->texts.length;
    text_buffer_put_clean(&s->texts, text);
    text_buffer_put_char(&s->texts, '\0');
    return at;
}

static const char *winner_word(const struct record *record)
{
    static const char *const words[] = {"", "black", "white", "draw"};
    return words[record_main(record)->winner];
}

bool farm_can_search(const struct record *record)
{
    char root[SFEN_BYTES_MAX];
    struct position pos;
    size_t bytes = sfen_write(&record->initial, root);
    return sfen_read(&pos, root, bytes, NULL, NULL) == ST_OK && pos.king[BLACK] != SQUARE_NONE &&
           pos.king[WHITE] != SQUARE_NONE;
}

static enum status add_game(struct submission *s, int64_t job, const struct archive_game *source)
{
    char root[SFEN_BYTES_MAX], hex[SHA256_HEX_BYTES];
    struct sha256 hash;
    size_t root_bytes = sfen_write(&s->record.initial, root);
    write_moves(s);
    sha256_init(&hash);
    sha256_add(&hash, root, root_bytes);
    sha256_add(&hash, "\n", 1);
    sha256_add(&hash, text_of(&s->moves), s->moves.length);
    sha256_hex(&hash, hex);
    text_buffer_clear(&s->texts);
    struct store_game game = {.seq = s->out->games,
                              .file = source->file->path,
                              .sha256 = hex,
                              .source = text_of(&s->source),
                              .licence = text_of(&s->licence),
                              .index = source->index,
                              .root = root,
                              .moves = text_of(&s->moves),
                              .winner = winner_word(&s->record)};
    size_t at[6];
    static const enum record_key keys[] = {RECORD_KEY_BLACK, RECORD_KEY_WHITE, RECORD_KEY_EVENT, RECORD_KEY_START_TIME,
                                           RECORD_KEY_OPENING};
    for (size_t i = 0; i < 5; i++) at[i] = put_text(s, record_header_value(&s->record, keys[i]));
    at[5] = put_text(s, record_text(&s->record, record_main(&s->record)->end_word));
    if (s->texts.status != ST_OK || s->moves.status != ST_OK) return ST_NO_MEMORY;
    game.black = s->texts.data + at[0];
    game.white = s->texts.data + at[1];
    game.event = s->texts.data + at[2];
    game.date = s->texts.data + at[3];
    game.opening = s->texts.data + at[4];
    game.end = s->texts.data + at[5];
    struct text_buffer *line = &s->moves; /* in the store's hands only until its next call: not needed any more */
    enum status st = job ? store_game_add(s->options->store, job, &game) : ST_OK;
    text_buffer_clear(line);
    text_buffer_format(line, "%" PRId64 " %s %s %" PRId64 " %s %s\n", game.seq, hex, game.file, game.index, game.source,
                       game.licence);
    if (line->status != ST_OK) return line->status;
    sha256_add(&s->manifest, line->data, line->length);
    return st;
}

/* One reading of the archive: with job 0 only the manifest is made. */
static enum status read_all(struct submission *s, int64_t job, char manifest[SHA256_HEX_BYTES])
{
    struct archive_game game;
    enum status st;
    sha256_init(&s->manifest);
    s->out->games = 0;
    s->out->unlicensed = 0;
    while ((st = archive_next(s->archive, &s->record, &game)) == ST_OK) {
        if (!farm_can_search(&s->record)) {
            if (!job)
                fprintf(stderr,
                        "%s: game %" PRIu32 ": found no start of a game, expected both kings and a possible board\n",
                        game.file->path, game.index + 1);
            s->unsearchable = true;
            continue;
        }
        find_provenance(s, &game);
        if (!s->licence.length && !strcmp(s->options->kind, "mine") && !s->options->any_licence) {
            if (s->out->unlicensed++ < UNLICENSED_NAMED && !job)
                fprintf(stderr, "%s: game %" PRIu32 ": no licence is known: left out\n", game.file->path,
                        game.index + 1);
            continue;
        }
        st = add_game(s, job, &game);
        if (st != ST_OK) return st;
        s->out->games++;
    }
    sha256_hex(&s->manifest, manifest);
    archive_rewind(s->archive);
    return st == ST_MISSING ? ST_OK : st;
}

static enum status submit(struct submission *s)
{
    const struct farm_submit_options *o = s->options;
    char settings[4096], manifest[SHA256_HEX_BYTES], again[SHA256_HEX_BYTES];
    uint32_t same = 0, beginnings = 0;
    enum status st = o->keep_twins ? ST_OK : archive_drop_twins(s->archive, NULL, NULL, &same, &beginnings);
    s->out->twins = same + beginnings;
    if (st == ST_OK) st = read_all(s, 0, manifest);
    s->out->refused = s->archive->refused > 0 || s->unsearchable;
    if (st != ST_OK) return st;
    if (s->out->unlicensed)
        fprintf(stderr,
                "%s: %" PRIu32 " games left out because their licence is not known; a MANIFEST.tsv, a comment "
                "`Licence: ...`, --licence TEXT or --any-licence lets them in\n",
                o->command, s->out->unlicensed);
    if (s->out->games == 0) {
        fprintf(stderr, "%s: found no game to work on\n", o->command);
        return ST_MISSING;
    }
    mine_settings_write(o->mine, settings);
    s->out->job = store_job_find(o->store, o->kind, settings, manifest);
    s->out->resumed = s->out->job != 0;
    if (s->out->job) return ST_OK;
    struct store_job job = {.priority = o->priority, .created_unix_ms = clock_unix_ms()};
    snprintf(job.kind, sizeof job.kind, "%s", o->kind);
    memcpy(job.settings, settings, sizeof settings);
    st = store_job_add(o->store, &job, &s->out->job);
    if (st != ST_OK) return st;
    st = read_all(s, s->out->job, again);
    if (st == ST_OK && strcmp(manifest, again) != 0) {
        fprintf(stderr, "%s: the games changed while they were read\n", o->command);
        st = ST_MISMATCH;
    }
    if (st == ST_OK) return store_job_seal(o->store, s->out->job, manifest, s->out->games);
    store_job_abandon(o->store);
    return st;
}

enum status farm_submit(const struct farm_submit_options *options, struct farm_submitted *out)
{
    static struct submission s;
    memset(&s, 0, sizeof s);
    memset(out, 0, sizeof *out);
    s.options = options;
    s.out = out;
    s.archive = options->archive;
    record_init(&s.record);
    text_buffer_init(&s.moves, GAME_BYTES_MAX);
    text_buffer_init(&s.source, GAME_BYTES_MAX);
    text_buffer_init(&s.licence, GAME_BYTES_MAX);
    text_buffer_init(&s.texts, GAME_BYTES_MAX);
    enum status st = submit(&s);
    if (st == ST_IO)
        fprintf(stderr, "%s: %s\n", options->command, store_error(options->store));
    else if (st != ST_OK && st != ST_MISSING && st != ST_MISMATCH)
        fprintf(stderr, "%s: %s\n", options->command, status_text(st));
    text_buffer_free(&s.moves);
    text_buffer_free(&s.source);
    text_buffer_free(&s.licence);
    text_buffer_free(&s.texts);
    record_free(&s.record);
    return st;
}
