#include "coordinator/cli/match_results.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { LINE_BYTES_MAX = 1 << 20 };

void match_put_json_string(struct text_buffer *buffer, const char *string)
{
    struct text_buffer clean;
    text_buffer_init(&clean, LINE_BYTES_MAX);
    text_buffer_put_clean(&clean, text_from(string));
    text_buffer_put_char(buffer, '"');
    for (struct text rest = text_buffer_view(&clean); !text_empty(rest); rest.at++) {
        if (*rest.at == '"' || *rest.at == '\\') text_buffer_put_char(buffer, '\\');
        text_buffer_put_char(buffer, *rest.at);
    }
    text_buffer_put_char(buffer, '"');
    text_buffer_free(&clean);
}

/* ---- writing ------------------------------------------------------------------------------------------------------
 */

static void put_side(struct text_buffer *line, const struct side_record *side)
{
    text_buffer_format(line,
                       "{\"answers\":%" PRIu32 ",\"limited\":%" PRIu32 ",\"time_us\":%" PRId64 ",\"cpu_ms\":%" PRId64
                       ",\"nodes\":%" PRIu64 ",\"depth_sum\":%" PRIu64 ",\"depth_answers\":%" PRIu32 ",\"faults\":[",
                       side->moves, side->limited_moves, side->time_us, side->cpu_ms, side->nodes,
                       side->depth_plies_sum, side->depth_moves);
    for (unsigned i = 0; i < DIALOGUE_FAULT_COUNT; i++)
        text_buffer_format(line, "%s%" PRIu32, i ? "," : "", side->faults[i]);
    text_buffer_put_string(line, "],\"late_us\":[");
    for (uint32_t i = 0; i < side->late_count; i++)
        text_buffer_format(line, "%s%" PRIu32, i ? "," : "", side->late_us[i]);
    text_buffer_put_string(line, "]}");
}

static bool write_line(struct match_results *results, struct text_buffer *line)
{
    text_buffer_put_char(line, '\n');
    struct text rest = text_buffer_view(line);
    bool ok = line->status == ST_OK;
    while (ok && !text_empty(rest)) {
        ssize_t wrote = write(results->fd, rest.at, text_length(rest));
        if (wrote > 0)
            rest.at += wrote;
        else
            ok = wrote < 0 && errno == EINTR;
    }
    if (ok) ok = fdatasync(results->fd) == 0 || errno == EINVAL; /* EINVAL: a pipe or the like */
    if (!ok) fprintf(stderr, "murakumo match: %s: cannot be written: %s\n", results->path, strerror(errno));
    text_buffer_free(line);
    return ok;
}

bool match_results_append(struct match_results *results, const struct game_record *record, const char *sfen,
                          const char *moves)
{
    if (results->fd < 0) return true;
    struct text_buffer line;
    text_buffer_init(&line, LINE_BYTES_MAX);
    const char *result = record->winner == BLACK ? "black" : record->winner == WHITE ? "white" : "draw";
    text_buffer_format(&line,
                       "{\"game\":%" PRIu32 ",\"opening\":%" PRIu32 ",\"black_engine\":%u,\"winner\":\"%s\",\"end\":\""
                       "%s\",\"plies\":%" PRIu32 ",\"engine_0\":",
                       record->game, record->opening, record->black_engine, result, game_end_word(record->end),
                       record->plies);
    put_side(&line, &record->sides[0]);
    text_buffer_put_string(&line, ",\"engine_1\":");
    put_side(&line, &record->sides[1]);
    text_buffer_put_string(&line, ",\"sfen\":");
    match_put_json_string(&line, sfen);
    text_buffer_put_string(&line, ",\"moves\":");
    match_put_json_string(&line, moves);
    text_buffer_put_char(&line, '}');
    return write_line(results, &line);
}

/* ---- reading what we wrote ----------------------------------------------------------------------------------------
 */

/* The text after `"key":`. A quote inside a JSON string has a backslash before it, so a key is never found in one. */
static bool find_value(struct text line, const char *key, struct text *value)
{
    char pattern[40];
    int length = snprintf(pattern, sizeof pattern, "\"%s\":", key);
    const char *found = memmem(line.at, text_length(line), pattern, (size_t)length);
    if (!found) return false;
    *value = (struct text){found + length, line.end};
    return true;
}

static bool find_number(struct text line, const char *key, uint64_t max, uint64_t *number)
{
    struct text value;
    return find_value(line, key, &value) && text_take_number(&value, max, number);
}

static bool find_word(struct text line, const char *key, struct text *word)
{
    if (!find_value(line, key, word) || !text_take(word, "\"")) return false;
    const char *end = memchr(word->at, '"', text_length(*word));
    if (!end) return false;
    word->end = end;
    return true;
}

/* Numbers up to the closing bracket; false if there are more than `max_count`. */
static bool find_list(struct text line, const char *key, uint32_t *numbers, uint32_t max_count, uint32_t *count)
{
    struct text value;
    uint64_t number;
    if (!find_value(line, key, &value) || !text_take(&value, "[")) return false;
    for (*count = 0; text_take_number(&value, UINT32_MAX, &number); (*count)++) {
        if (*count == max_count) return false;
        numbers[*count] = (uint32_t)number;
        if (!text_take(&value, ",")) {
            (*count)++;
            break;
        }
    }
    return text_take(&value, "]");
}

static bool read_side(struct text line, const char *key, struct side_record *side)
{
    struct text text;
    uint64_t moves, limited, time_us, depth_moves;
    uint32_t faults;
    struct text cpu;
    if (!find_value(line, key, &text) || !find_number(text, "answers", MATCH_SIDE_MOVES_MAX, &moves) ||
        !find_number(text, "limited", moves, &limited) || !find_number(text, "time_us", INT64_MAX, &time_us) ||
        !find_value(text, "cpu_ms", &cpu) || !text_take_signed(&cpu, INT64_MAX / 2, &side->cpu_ms) ||
        !find_number(text, "nodes", UINT64_MAX, &side->nodes) ||
        !find_number(text, "depth_sum", UINT64_MAX, &side->depth_plies_sum) ||
        !find_number(text, "depth_answers", moves, &depth_moves) ||
        !find_list(text, "faults", side->faults, DIALOGUE_FAULT_COUNT, &faults) || faults != DIALOGUE_FAULT_COUNT ||
        !find_list(text, "late_us", side->late_us, MATCH_SIDE_MOVES_MAX, &side->late_count))
        return false;
    side->moves = (uint32_t)moves;
    side->limited_moves = (uint32_t)limited;
    side->time_us = (int64_t)time_us;
    side->depth_moves = (uint32_t)depth_moves;
    return side->late_count <= side->limited_moves;
}

static bool read_record(struct text line, struct game_record *record)
{
    uint64_t game, opening, black_engine, plies;
    struct text winner, end;
    if (!find_number(line, "game", UINT32_MAX, &game) || !find_number(line, "opening", UINT32_MAX, &opening) ||
        !find_number(line, "black_engine", 1, &black_engine) || !find_number(line, "plies", HISTORY_MAX, &plies) ||
        !find_word(line, "winner", &winner) || !find_word(line, "end", &end) ||
        !game_end_from_word(end.at, text_length(end), &record->end) ||
        !read_side(line, "engine_0", &record->sides[0]) || !read_side(line, "engine_1", &record->sides[1]))
        return false;
    record->game = (uint32_t)game;
    record->opening = (uint32_t)opening;
    record->black_engine = (unsigned)black_engine;
    record->plies = (uint32_t)plies;
    record->winner = text_is(winner, "black") ? BLACK : text_is(winner, "white") ? WHITE : REFEREE_NOBODY;
    return record->winner != REFEREE_NOBODY || text_is(winner, "draw");
}

static bool read_games(struct match_results *results, FILE *file, const char *fingerprint, match_results_sink sink,
                       void *context)
{
    char *bytes = NULL;
    size_t capacity = 0;
    unsigned line_number = 0;
    off_t whole_bytes = 0; /* behind the last line that is complete */
    bool ok = true;
    struct game_record *record = malloc(sizeof *record);
    ssize_t got;
    while (ok && record && (got = getline(&bytes, &capacity, file)) > 0 && bytes[got - 1] == '\n') {
        line_number++;
        struct text line = text_make(bytes, (size_t)got - 1);
        if (line_number == 1) {
            struct text_buffer wanted;
            text_buffer_init(&wanted, LINE_BYTES_MAX);
            match_put_json_string(&wanted, fingerprint);
            struct text found;
            ok = find_value(line, "match", &found) && text_take(&found, wanted.data ? wanted.data : "");
            if (!ok)
                fprintf(stderr,
                        "murakumo match: %s:1: this file belongs to another match\n  there: %.*s\n  here:  "
                        "{\"match\":%s}\n",
                        results->path, (int)text_length(line), line.at, wanted.data ? wanted.data : "");
            text_buffer_free(&wanted);
        } else {
            ok = read_record(line, record);
            if (ok)
                sink(context, record);
            else
                fprintf(stderr, "murakumo match: %s:%u: not a game of this program\n", results->path, line_number);
        }
        whole_bytes += got;
    }
    free(record);
    free(bytes);
    if (!ok) return false;
    if (ftruncate(results->fd, whole_bytes) != 0 || lseek(results->fd, whole_bytes, SEEK_SET) < 0) {
        fprintf(stderr, "murakumo match: %s: %s\n", results->path, strerror(errno));
        return false;
    }
    if (line_number > 0) return true;
    struct text_buffer line;
    text_buffer_init(&line, LINE_BYTES_MAX);
    text_buffer_put_string(&line, "{\"match\":");
    match_put_json_string(&line, fingerprint);
    text_buffer_put_char(&line, '}');
    return write_line(results, &line);
}

bool match_results_open(struct match_results *results, const char *path, const char *fingerprint,
                        match_results_sink sink, void *context)
{
    *results = (struct match_results){-1, path};
    if (!path) return true;
    results->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (results->fd >= 0 && flock(results->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        fprintf(stderr, "murakumo match: %s: another match is writing to it\n", path);
        match_results_close(results);
        return false;
    }
    FILE *file = results->fd < 0 ? NULL : fopen(path, "re");
    if (!file) {
        fprintf(stderr, "murakumo match: %s: %s\n", path, strerror(errno));
        match_results_close(results);
        return false;
    }
    bool ok = read_games(results, file, fingerprint, sink, context);
    fclose(file);
    if (!ok) match_results_close(results);
    return ok;
}

void match_results_close(struct match_results *results)
{
    if (results->fd >= 0) close(results->fd);
    results->fd = -1;
}
