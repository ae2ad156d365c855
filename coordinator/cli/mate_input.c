/* mate_input.c - see mate_input.h. */
#include "coordinator/cli/mate_input.h"

#include "common/shogi/movetext.h"
#include "common/shogi/record_io.h"
#include "common/shogi/setup.h"
#include "common/shogi/sfen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_BYTES = 60 };

struct place { /* where the text at hand stands */
    const char *file;
    uint32_t line;
};

static void name_place(const struct place *place)
{
    if (place->line)
        fprintf(stderr, "%s:%u: ", place->file, (unsigned)place->line);
    else
        fprintf(stderr, "%s: ", place->file);
}

static void refuse(struct mate_input *input, const struct place *place, const char *why)
{
    name_place(place);
    fprintf(stderr, "%s\n", why);
    input->refused = true;
}

/* ---- one position ----------------------------------------------------------------------------------------------- */

static void complete(struct position *pos, const struct place *place)
{
    struct setup setup;
    struct position whole;
    struct sfen_error error;
    if (pos->king[pos->side] != SQUARE_NONE) return;
    setup_from_position(&setup, pos);
    setup_add_rest(&setup, color_other(pos->side));
    if (setup_finish(&setup, &whole, &error) != ST_OK || position_key(&whole) == position_key(pos)) return;
    *pos = whole;
    char sfen[SFEN_BYTES_MAX];
    sfen_write(pos, sfen);
    name_place(place);
    fprintf(stderr, "the defender gets the pieces that are left: %s\n", sfen);
}

static bool add(struct mate_input *input, const struct position *pos, const struct place *place)
{
    if (pos->king[color_other(pos->side)] == SQUARE_NONE) {
        refuse(input, place, "found no king of the side that does not move, expected one to mate");
        return true;
    }
    if (input->count == input->capacity) {
        size_t capacity = input->capacity ? 2 * input->capacity : 64;
        struct mate_problem *grown = realloc(input->problems, capacity * sizeof *grown);
        if (!grown) return false;
        input->problems = grown;
        input->capacity = capacity;
    }
    struct mate_problem *problem = &input->problems[input->count++];
    *problem = (struct mate_problem){*pos, place->file, place->line};
    complete(&problem->root, place);
    return true;
}

/* Plays "moves ..." on; false if there is something else, or an illegal move. */
static bool play_moves(struct position *pos, struct text rest, struct text *bad)
{
    struct text word;
    *bad = rest;
    if (!text_take_word(&rest, &word)) return true;
    if (!text_is(word, "moves")) return false;
    while (text_take_word(&rest, &word)) {
        Move move = movetext_from_usi(pos, word.at, text_length(word));
        struct undo undo;
        *bad = word;
        if (move == MOVE_NONE) return false;
        position_do(pos, move, &undo);
    }
    return true;
}

static bool add_line(struct mate_input *input, struct text line, const struct place *place)
{
    struct text rest = line, start, bad;
    const char *tab = memchr(line.at, '\t', text_length(line));
    if (tab) rest.end = tab; /* a label follows */
    start = rest;
    if (text_take_word(&rest, &bad) && text_is(bad, "position"))
        start = rest;
    else
        rest = start;
    if (text_take_word(&rest, &bad) && text_is(bad, "sfen")) start = rest;
    struct position pos;
    struct sfen_error error;
    size_t used;
    char why[256];
    if (sfen_read(&pos, start.at, text_length(start), &used, &error) != ST_OK) {
        size_t shown = text_length(line) < SHOWN_BYTES ? text_length(line) : SHOWN_BYTES;
        struct text_buffer clean;
        text_buffer_init(&clean, sizeof why);
        text_buffer_put_clean(&clean, text_clip(line, shown));
        snprintf(why, sizeof why, "found \"%s\", expected an SFEN: %s", clean.data ? clean.data : "", error.text);
        text_buffer_free(&clean);
        refuse(input, place, why);
        return true;
    }
    if (!play_moves(&pos, text_make(start.at + used, text_length(start) - used), &bad)) {
        snprintf(why, sizeof why, "found \"%.*s\" behind the position, expected a tab, or moves and legal moves",
                 (int)(text_length(bad) < SHOWN_BYTES ? text_length(bad) : SHOWN_BYTES), bad.at);
        refuse(input, place, why);
        return true;
    }
    return add(input, &pos, place);
}

/* ---- files ------------------------------------------------------------------------------------------------------ */

static bool add_lines(struct mate_input *input, struct text rest, const char *file)
{
    struct place place = {file, 0};
    struct text line;
    while (text_take_line(&rest, &line)) {
        place.line++;
        line = text_trim(line);
        if (text_empty(line) || text_starts(line, "#")) continue;
        if (!add_line(input, line, &place)) return false;
    }
    return true;
}

static bool add_records(struct mate_input *input, struct record_reader *reader, const char *file)
{
    struct record record;
    bool good = true;
    record_init(&record);
    while (good) {
        enum status st = record_next(reader, &record);
        if (st == ST_MISSING) break;
        struct place place = {file, record.line_number_first};
        if (st == ST_OK)
            good = add(input, &record.initial, &place);
        else
            good = false;
    }
    record_free(&record);
    return good;
}

static bool add_file(struct mate_input *input, uint32_t file_index)
{
    const char *file = input->archive.files[file_index].path;
    size_t bytes;
    char *content = archive_load(&input->archive, file_index, &bytes);
    if (!content) return true;
    bool good;
    struct record_reader reader;
    bool records = record_reader_init(&reader, content, bytes) == ST_OK;
    if (records && reader.format != RECORD_FORMAT_USI)
        good = add_records(input, &reader, file);
    else
        good = add_lines(input, text_make(content, bytes), file);
    if (records) record_reader_free(&reader);
    free(content);
    return good;
}

/* What an argument stands for that is no SFEN itself. */
static bool add_files(struct mate_input *input, const char *argument)
{
    uint32_t from = input->archive.file_count;
    bool good = archive_add(&input->archive, argument);
    for (uint32_t i = from; good && i < input->archive.file_count; i++) good = add_file(input, i);
    return good;
}

static bool looks_like_sfen(const char *argument)
{
    unsigned slashes = 0;
    for (const char *c = argument; *c; c++) slashes += *c == '/';
    return slashes >= 8 && strpbrk(argument, " \t");
}

bool mate_input_read(struct mate_input *input, char *const *arguments, int count)
{
    *input = (struct mate_input){0};
    archive_init(&input->archive, "murakumo mate");
    bool good = true;
    for (int i = 0; good && i < count; i++) {
        struct place place = {"sfen", 0};
        bool sfen = looks_like_sfen(arguments[i]);
        good = sfen ? add_line(input, text_from(arguments[i]), &place) : add_files(input, arguments[i]);
    }
    input->refused = input->refused || input->archive.refused > 0;
    return good;
}

void mate_input_free(struct mate_input *input)
{
    free(input->problems);
    archive_free(&input->archive);
    *input = (struct mate_input){0};
}
