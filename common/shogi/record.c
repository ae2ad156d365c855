#include "common/shogi/record.h"

#include "common/shogi/outcome.h"
#include "common/shogi/record_score.h"
#include "common/shogi/record_tree.h"
#include "common/shogi/sfen.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLIP_BYTES = 90, TIME_MS_MAX = INT32_MAX };

const char *record_format_name(enum record_format format)
{
    static const char *const names[RECORD_FORMAT_COUNT] = {"unknown", "csa", "kif", "ki2", "usi", "jkf"};
    return names[format];
}

struct key_words {
    const char *csa, *kif, *json;
};

static const struct key_words keys[RECORD_KEY_COUNT] = {
#define RECORD_KEY_WORDS(name, csa, kif, json) {csa, kif, json},
    RECORD_KEYS(RECORD_KEY_WORDS)
#undef RECORD_KEY_WORDS
};

const char *record_key_csa(enum record_key key) { return keys[key].csa; }
const char *record_key_kif(enum record_key key) { return keys[key].kif; }
const char *record_key_json(enum record_key key) { return keys[key].json; }

void record_init(struct record *record)
{
    memset(record, 0, sizeof *record);
    text_buffer_init(&record->text, RECORD_TEXT_BYTES_MAX);
}

void record_free(struct record *record)
{
    free(record->lines);
    free(record->moves);
    free(record->comments);
    free(record->headers);
    text_buffer_free(&record->text);
    record_init(record);
}

struct text record_header_value(const struct record *record, enum record_key key)
{
    for (uint32_t i = 0; i < record->header_count; i++)
        if (record->headers[i].key == key) return record_text(record, record->headers[i].value);
    return text_make("", 0);
}

/* Makes room for item number `count` in the array at *items. */
static enum status grow(void **items, uint32_t count, uint32_t *capacity, uint32_t count_max, size_t item_bytes)
{
    if (count >= count_max) return ST_FULL;
    if (count < *capacity) return ST_OK;
    uint32_t wanted = *capacity < 16 ? 32 : *capacity * 2;
    if (wanted > count_max) wanted = count_max;
    void *bigger = realloc(*items, wanted * item_bytes);
    if (!bigger) return ST_NO_MEMORY;
    *items = bigger;
    *capacity = wanted;
    return ST_OK;
}

#define GROW(record, array, count, capacity, max)                                                                      \
    grow((void **)&(record)->array, (record)->count, &(record)->capacity, (max), sizeof *(record)->array)

static enum status store(struct record *record, struct text t, struct record_span *span)
{
    size_t before = record->text.length;
    text_buffer_put_clean(&record->text, t);
    enum status st = record->text.status;
    if (st != ST_OK) { /* a text that does not fit is left out whole */
        record->text.length = before;
        record->text.status = ST_OK;
        *span = (struct record_span){0, 0};
        return st == ST_TOO_BIG ? ST_FULL : st;
    }
    *span = (struct record_span){(uint32_t)before, (uint32_t)(record->text.length - before)};
    return ST_OK;
}

static enum status add_line(struct record *record, uint32_t parent, uint32_t from_ply)
{
    enum status st = GROW(record, lines, line_count, line_capacity, RECORD_LINES_MAX);
    if (st != ST_OK) return st;
    record->line = record->line_count++;
    record->lines[record->line] = (struct record_line){
        .parent = parent, .first = record->move_count, .from_ply = (uint16_t)from_ply, .end_time_ms = -1};
    record->ply = from_ply - 1;
    record->closed = false;
    return ST_OK;
}

static enum status set_even_game(struct record *record)
{
    return sfen_read(&record->initial, SFEN_STARTPOS, sizeof SFEN_STARTPOS - 1, NULL, NULL);
}

enum status record_begin(struct record *record, enum record_format format)
{
    record->format = format;
    record->line_count = record->move_count = record->comment_count = record->header_count = 0;
    record->line_number_first = record->line_number_last = 0;
    text_buffer_clear(&record->text);
    record->illegal_ply = 0;
    record->illegal_move = MOVE_NONE;
    record->illegal_text = (struct record_span){0, 0};
    record->rejected = record->plain_scores = false;
    record->problem_count = 0;
    record->replayed = 0;
    enum status st = set_even_game(record);
    assert(st == ST_OK);
    record->now = record->final = record->initial;
    record->last_to = SQUARE_NONE;
    return add_line(record, 0, 1);
}

enum status record_set_initial(struct record *record, const struct position *initial)
{
    if (record->move_count || record->line_count > 1) return ST_STATE;
    record->initial = record->now = record->final = *initial;
    return ST_OK;
}

enum status record_add_header(struct record *record, enum record_key key, struct text name, struct text value)
{
    enum status st = GROW(record, headers, header_count, header_capacity, RECORD_HEADERS_MAX);
    if (st != ST_OK) return st;
    struct record_header header = {.key = key};
    st = store(record, name, &header.name);
    if (st == ST_OK) st = store(record, value, &header.value);
    if (st == ST_OK) record->headers[record->header_count++] = header;
    return st;
}

enum status record_play(struct record *record, Move move)
{
    if (record->closed) return ST_STATE;
    if (!position_pseudo_legal(&record->now, move) || !position_legal(&record->now, move)) return ST_ILLEGAL;
    if (record->ply >= RECORD_PLIES_MAX) return ST_FULL;
    enum status st = GROW(record, moves, move_count, move_capacity, RECORD_MOVES_MAX);
    if (st != ST_OK) return st;
    struct record_line *line = &record->lines[record->line];
    assert(line->first + line->count == record->move_count);
    struct undo undo;
    position_do(&record->now, move, &undo);
    record->moves[record->move_count++] = (struct record_move){.move = move, .time_ms = -1};
    line->count++;
    record->ply++;
    record->last_to = move_to(move);
    return ST_OK;
}

bool record_set_time(struct record *record, int64_t time_ms)
{
    if (record->lines[record->line].count == 0) return false;
    record->moves[record->move_count - 1].time_ms = time_ms < 0             ? -1
                                                    : time_ms > TIME_MS_MAX ? TIME_MS_MAX
                                                                            : (int32_t)time_ms;
    return true;
}

static bool illegal_was_written(const struct record *record) { return record->line == 0 && record->illegal_ply; }

enum status record_set_illegal(struct record *record, Move move, struct text text)
{
    record->closed = true;
    if (record->line != 0) return ST_OK;
    record->illegal_ply = (uint16_t)(record->ply + 1);
    record->illegal_move = move;
    return store(record, text, &record->illegal_text);
}

Color record_turn(const struct record *record)
{
    return illegal_was_written(record) ? color_other(record->now.side) : record->now.side;
}

static enum record_winner winner_of(Color color) { return color == BLACK ? RECORD_WINNER_BLACK : RECORD_WINNER_WHITE; }

static enum record_winner winner_at_end(const struct record *record, enum record_end end)
{
    Color turn = record_turn(record);
    if (end == RECORD_END_ILLEGAL_LOSS && illegal_was_written(record)) return winner_of(turn); /* the mover loses */
    switch (record_end_verdict(end)) {
    case VERDICT_LOSES:
        return winner_of(color_other(turn));
    case VERDICT_WINS:
        return winner_of(turn);
    case VERDICT_DRAW:
        return RECORD_WINNER_DRAW;
    case VERDICT_NONE:
        break;
    }
    return RECORD_WINNER_NONE;
}

enum status record_set_end(struct record *record, enum record_end end, struct text word)
{
    struct record_line *line = &record->lines[record->line];
    line->end = (uint8_t)end;
    line->winner = (uint8_t)winner_at_end(record, end);
    record->closed = true;
    return store(record, word, &line->end_word);
}

void record_set_end_time(struct record *record, int64_t time_ms)
{
    record->lines[record->line].end_time_ms = time_ms < 0 ? -1 : time_ms > TIME_MS_MAX ? TIME_MS_MAX : (int32_t)time_ms;
}

void record_set_winner(struct record *record, enum record_winner winner)
{
    record->lines[record->line].winner = (uint8_t)winner;
}

/* A user's text that begins with a star would come back as a program's: the marks are the same everywhere. */
static enum record_comment_kind settle_kind(enum record_comment_kind kind, struct text *text)
{
    if (kind == RECORD_COMMENT_USER && text_take_char(text, '*')) return RECORD_COMMENT_PROGRAM;
    return kind;
}

enum status record_annotate(struct record *record, uint32_t ply, enum record_comment_kind kind, struct text text)
{
    enum status st = GROW(record, comments, comment_count, comment_capacity, RECORD_COMMENTS_MAX);
    struct record_comment comment = {.line = 0, .ply = (uint16_t)ply, .kind = (uint8_t)kind};
    if (st == ST_OK) st = store(record, text, &comment.text);
    if (st != ST_OK) return st;
    uint32_t at = record->comment_count++;
    for (; at > 0 && (record->comments[at - 1].line > 0 || record->comments[at - 1].ply > ply); at--)
        record->comments[at] = record->comments[at - 1];
    record->comments[at] = comment;
    return ST_OK;
}

enum status record_add_comment(struct record *record, enum record_comment_kind kind, struct text text)
{
    enum status st = GROW(record, comments, comment_count, comment_capacity, RECORD_COMMENTS_MAX);
    if (st != ST_OK) return st;
    const struct record_line *line = &record->lines[record->line];
    bool on_end = line->end != RECORD_END_NONE || illegal_was_written(record);
    kind = settle_kind(kind, &text);
    if (kind == RECORD_COMMENT_NOTE && record->ply == 0 && text_contains(text, "Shogidokoro"))
        record->plain_scores = true;
    struct record_comment comment = {
        .line = record->line, .ply = (uint16_t)(record->ply + on_end), .kind = (uint8_t)kind};
    st = store(record, text, &comment.text);
    if (st != ST_OK) return st;
    record->comments[record->comment_count++] = comment;
    if (line->count == 0 || on_end) return ST_OK;
    struct record_score score = record_score_read(text, kind, record->plain_scores);
    struct record_move *last = &record->moves[record->move_count - 1];
    if (score.kind == RECORD_SCORE_NONE || last->score_kind != RECORD_SCORE_NONE)
        return ST_OK; /* the first one counts */
    last->score_kind = (uint8_t)score.kind;
    last->score = score.value;
    return ST_OK;
}

/* Last ply that the line holds, its end counted as one. */
static uint32_t line_reach(const struct record_line *line)
{
    return line->from_ply + line->count - 1 + (line->end != RECORD_END_NONE);
}

/* Puts initial + the moves of `line` (and its ancestors) before `from_ply` into `now`. */
static enum status replay(struct record *record, uint32_t line, uint32_t from_ply)
{
    uint32_t length = from_ply - 1;
    if (record->replayed + length > RECORD_REPLAY_MAX) return ST_FULL;
    record->replayed += length;
    record_tree_position(record, line, length, &record->now, &record->last_to);
    return ST_OK;
}

enum status record_branch_from(struct record *record, uint32_t line, uint32_t from_ply)
{
    if (record->line == 0) record->final = record->now;
    record->closed = true;
    while (line != 0 && record->lines[line].from_ply >= from_ply) line = record->lines[line].parent;
    const struct record_line *parent = &record->lines[line];
    if (from_ply < 1 || from_ply > RECORD_PLIES_MAX || from_ply > parent->from_ply + parent->count) return ST_RANGE;
    enum status st = GROW(record, lines, line_count, line_capacity, RECORD_LINES_MAX);
    if (st == ST_OK) st = replay(record, line, from_ply);
    return st == ST_OK ? add_line(record, line, from_ply) : st;
}

enum status record_branch(struct record *record, uint32_t from_ply)
{
    uint32_t fallback = UINT32_MAX;
    for (uint32_t i = record->line_count; i-- > 0;) {
        const struct record_line *line = &record->lines[i];
        if (line->from_ply > from_ply) continue;
        if (from_ply <= line_reach(line)) return record_branch_from(record, i, from_ply);
        bool just_behind = from_ply == line->from_ply + line->count && (line->count || i == 0);
        if (just_behind && fallback == UINT32_MAX) fallback = i;
    }
    if (fallback != UINT32_MAX) return record_branch_from(record, fallback, from_ply);
    if (record->line == 0) record->final = record->now;
    record->closed = true;
    return ST_RANGE;
}

void record_problem_set(struct record_problem *problem, uint32_t line_number, struct text found, const char *expected)
{
    problem->line_number = line_number;
    struct text trimmed = text_trim(found);
    struct text_buffer clean;
    text_buffer_init(&clean, 8 * CLIP_BYTES);
    text_buffer_put_clean(&clean, text_clip(trimmed, 2 * CLIP_BYTES));
    struct text shown = text_clip(text_buffer_view(&clean), CLIP_BYTES);
    bool cut = text_length(shown) < clean.length || text_length(trimmed) > 2 * CLIP_BYTES;
    if (text_empty(trimmed))
        snprintf(problem->text, sizeof problem->text, "found nothing, expected %s", expected);
    else
        snprintf(problem->text, sizeof problem->text, "found \"%.*s%s\", expected %s", (int)text_length(shown),
                 shown.at, cut ? "..." : "", expected);
    text_buffer_free(&clean);
}

void record_add_problem(struct record *record, uint32_t line_number, struct text found, const char *expected)
{
    uint32_t index = record->problem_count++;
    if (index < RECORD_PROBLEMS_MAX) record_problem_set(&record->problems[index], line_number, found, expected);
}

void record_reject(struct record *record, uint32_t line_number, struct text found, const char *expected)
{
    record_add_problem(record, line_number, found, expected);
    record->closed = true;
    if (record->line == 0) record->rejected = true;
}

static enum status judge_repetition(struct record *record, enum outcome *outcome)
{
    *outcome = OUTCOME_NONE;
    struct history *history = malloc(sizeof *history);
    if (!history) return ST_NO_MEMORY;
    struct position pos = record->initial;
    history_start(history, &pos);
    for (uint32_t i = 0; i < record_plies(record); i++) {
        struct undo undo;
        position_do(&pos, record->moves[i].move, &undo);
        bool pushed = history_push(history, &pos);
        assert(pushed); /* RECORD_PLIES_MAX < HISTORY_MAX */
    }
    *outcome = history_referee(history, &pos);
    free(history);
    return ST_OK;
}

enum status record_finish(struct record *record)
{
    if (record->line == 0) record->final = record->now;
    record->closed = true;
    struct record_line *line = &record->lines[0];
    if (line->end != RECORD_END_NONE || line->winner != RECORD_WINNER_NONE)
        return ST_OK;                                          /* what the record says holds */
    if (record->illegal_ply || line->count < 12) return ST_OK; /* the shortest fourfold repetition */
    enum outcome outcome;
    enum status st = judge_repetition(record, &outcome);
    if (st != ST_OK) return st;
    Color turn = record->final.side;
    if (outcome == OUTCOME_DRAW_REPETITION) line->winner = RECORD_WINNER_DRAW;
    if (outcome == OUTCOME_PERPETUAL_WIN) line->winner = (uint8_t)winner_of(turn);
    if (outcome == OUTCOME_PERPETUAL_LOSS) line->winner = (uint8_t)winner_of(color_other(turn));
    return ST_OK;
}
