#include "common/shogi/kif.h"

#include "common/shogi/kanji.h"
#include "common/shogi/kif_parts.h"
#include "common/shogi/record_tree.h"

#include <stdlib.h>

/* ---- reading ---- */

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* "m:ss", "h:mm:ss", with blanks and a fraction of a second. */
static bool take_clock(struct text *t, int64_t *time_ms)
{
    struct text rest = *t;
    uint64_t seconds = 0, part;
    text_skip_blanks(&rest);
    if (!text_take_number(&rest, 1000000, &seconds)) return false;
    for (int parts = 1; parts < 3 && text_take_char(&rest, ':'); parts++) {
        text_skip_blanks(&rest);
        if (!text_take_number(&rest, 1000000, &part)) return false;
        seconds = seconds * 60 + part;
    }
    *time_ms = seconds > INT32_MAX / 1000 ? INT32_MAX : (int64_t)seconds * 1000;
    if (text_take_char(&rest, '.'))
        for (int64_t unit = 100; !text_empty(rest) && *rest.at >= '0' && *rest.at <= '9'; unit /= 10)
            *time_ms += (*rest.at++ - '0') * unit;
    *t = rest;
    return true;
}

/* "( 0:01/00:00:01)+": the time of this move; -1 if there is none. False: something else stands there. */
static bool take_time(struct text *t, int64_t *time_ms)
{
    struct text rest = *t;
    *time_ms = -1;
    text_skip_blanks(&rest);
    if (text_take_char(&rest, '(') || text_take(&rest, "（")) {
        int64_t total_ms;
        if (take_clock(&rest, time_ms)) {
            text_skip_blanks(&rest);
            if (text_take_char(&rest, '/')) take_clock(&rest, &total_ms);
        }
        text_skip_blanks(&rest);
        if (!text_take_char(&rest, ')') && !text_take(&rest, "）")) {
            *time_ms = -1;
            return false;
        }
    }
    text_skip_blanks(&rest);
    text_take_char(&rest, '+'); /* a variation exists: it will come */
    text_skip_blanks(&rest);
    *t = rest;
    return text_empty(rest) || *rest.at == '#' || *rest.at == '*';
}

static void check_number(struct kif_reader *reader, uint64_t number, struct text line)
{
    const struct record *record = reader->record;
    if (!reader->numbered) {
        reader->numbered = true;
        reader->number_offset = number > 0 ? number - 1 : 0;
        if (number != 1 && record->initial.game_ply == 1 && record->ply == 0 && !reader->any_board)
            kif_problem(reader, line, "move number 1");
        return;
    }
    if (number != reader->number_offset + record->ply + 1) kif_problem(reader, line, "the number of the next move");
}

static void play(struct kif_reader *reader, struct text found, struct text rest, const struct kanji_move *move)
{
    struct record *record = reader->record;
    bool was_closed = record->closed;
    uint32_t ply = record->ply;
    kif_play(reader, move, found);
    if (was_closed || (record->closed && !record->illegal_ply)) return;
    int64_t time_ms;
    if (!take_time(&rest, &time_ms)) kif_problem(reader, rest, "a time such as ( 0:01/00:00:01)");
    if (record->ply > ply)
        record_set_time(record, time_ms);
    else
        record_set_end_time(record, time_ms);
}

/* Up to a blank or a parenthesis: "投了", "反則勝ち". */
static struct text take_end_word(struct text *rest)
{
    struct text word = {rest->at, rest->at};
    for (struct text t = *rest; !text_empty(t);) {
        if (is_blank(*t.at) || *t.at == '(' || *t.at == '#' || text_starts(t, "　") || text_starts(t, "（")) break;
        text_take_code_point(&t);
        word.end = t.at;
    }
    rest->at = word.end;
    return word;
}

static void read_end(struct kif_reader *reader, struct text word, struct text rest)
{
    struct record *record = reader->record;
    if (record->lines[record->line].end != RECORD_END_NONE) {
        kif_problem(reader, word, "one end of a line of play");
        return;
    }
    kif_keep(reader, record_set_end(record, record_end_from_kif(word), word));
    int64_t time_ms;
    if (!take_time(&rest, &time_ms)) kif_problem(reader, rest, "a time such as ( 0:01/00:00:01)");
    record_set_end_time(record, time_ms);
}

/* What stands in the place of a move, after its number. */
static void read_move_or_end(struct kif_reader *reader, struct text line, struct text t)
{
    struct record *record = reader->record;
    bool rejected_here = record->closed && !record->illegal_ply && record->lines[record->line].end == RECORD_END_NONE;
    if (reader->skipping || rejected_here || (record->line == 0 && record->rejected)) return; /* said already */
    struct kanji_move move;
    struct text rest = t;
    if (!kanji_looks_like_move(t)) {
        struct text word = take_end_word(&rest);
        if (text_empty(word))
            kif_reject(reader, line, "a move after the number");
        else
            read_end(reader, word, rest);
        return;
    }
    if (record->closed) {
        kif_reject(reader, line,
                   record->lines[record->line].end ? "no move after the end" : "nothing after an illegal move");
    } else if (!kanji_take_move(&rest, &move)) {
        kif_reject(reader, line, "a move such as ７六歩(77)");
    } else {
        play(reader, (struct text){t.at, rest.at}, rest, &move);
    }
}

/* "12 ", "12.", "１２　": digits and something that parts them from what follows, unless that is clearly a move. */
static bool take_move_number(struct text *t, uint64_t *number)
{
    struct text rest = *t;
    unsigned wide;
    bool ascii = text_take_number(&rest, UINT32_MAX, number);
    if (!ascii) {
        if (text_peek_code_point(rest) < 0xFF10 || text_peek_code_point(rest) > 0xFF19 ||
            !kanji_take_count(&rest, &wide))
            return false;
        *number = wide;
    }
    struct text after = rest;
    text_take_char(&rest, '.');
    text_take_char(&rest, ':');
    text_skip_blanks(&rest);
    struct kanji_move move;
    struct text probe = rest;
    bool parted = rest.at != after.at && !text_empty(rest);
    if (!parted && !(ascii && kanji_take_move(&probe, &move))) return false;
    *t = rest;
    return true;
}

static bool read_numbered(struct kif_reader *reader, struct text line)
{
    struct text t = line;
    uint64_t number;
    if (!take_move_number(&t, &number)) return false;
    kif_start_moves(reader);
    if (!reader->skipping && !reader->record->closed) check_number(reader, number, line);
    read_move_or_end(reader, line, t);
    return true;
}

/* An end without a number in front. */
static bool read_bare_end(struct kif_reader *reader, struct text line)
{
    struct text t = line;
    text_skip_blanks(&t);
    struct text word = take_end_word(&t);
    if (text_empty(word) || record_end_from_kif(word) == RECORD_END_OTHER) return false;
    if (!reader->skipping && !(reader->record->line == 0 && reader->record->rejected)) read_end(reader, word, t);
    return true;
}

static void read_statement(struct kif_reader *reader, struct text line)
{
    struct text t = text_trim(line);
    if (text_starts(t, "手数--") || text_starts(t, "手数－－")) {
        kif_start_moves(reader);
        return;
    }
    if (!reader->in_moves && kif_read_board(reader, t)) return;
    if (read_numbered(reader, t)) return;
    if (kif_read_branch(reader, t) || kif_read_result(reader, t)) return;
    if (!reader->in_moves) {
        if (kif_read_header(reader, t)) return;
    } else if (read_bare_end(reader, t)) {
        return;
    }
    kif_problem(reader, line, reader->in_moves ? "a numbered move" : "a header such as 先手：name");
}

enum status kif_read(struct record_lines *lines, struct record *record)
{
    return kif_read_game(lines, record, RECORD_FORMAT_KIF, read_statement);
}

int kif_line_evidence(struct text line)
{
    struct text t = text_trim(line);
    uint64_t number;
    struct kanji_move move;
    if (text_starts(t, "手数--") || text_starts(t, "#KIF")) return 3;
    if (take_move_number(&t, &number)) {
        if (kanji_take_move(&t, &move)) return 3;
        return record_end_from_kif(take_end_word(&t)) != RECORD_END_OTHER ? 3 : 0;
    }
    return kif_parts_evidence(line);
}

/* ---- writing ---- */

static unsigned columns(struct text t)
{
    unsigned n = 0;
    while (!text_empty(t)) n += text_take_code_point(&t) < 0x80 ? 1 : 2;
    return n;
}

/* The word or move, filled up to the column where times begin. */
static void put_padded(struct text_buffer *out, size_t start)
{
    if (out->status != ST_OK) return;
    unsigned used = columns(text_make(out->data + start, out->length - start));
    for (; used < 13; used++) text_buffer_put_char(out, ' ');
}

static void put_time(struct text_buffer *out, int64_t time_ms, int64_t *total_ms)
{
    if (time_ms < 0) return;
    *total_ms += time_ms;
    int64_t now_s = time_ms / 1000, total_s = *total_ms / 1000;
    text_buffer_format(out, "(%2d:%02d/%02d:%02d:%02d)", (int)(now_s / 60), (int)(now_s % 60), (int)(total_s / 3600),
                       (int)(total_s / 60 % 60), (int)(total_s % 60));
}

struct writer {
    const struct record *record;
    const bool *forks;
    struct text_buffer *out;
    int64_t total_ms[COLOR_COUNT];
};

static void put_end(struct writer *w, const struct position *pos, uint32_t line_index)
{
    const struct record *record = w->record;
    const struct record_line *line = &record->lines[line_index];
    uint32_t ply = line->from_ply + line->count;
    int64_t time_ms = line->end_time_ms;
    Color turn = pos->side;
    if (line_index == 0 && record->illegal_ply) {
        text_buffer_format(w->out, "%4u ", ply++);
        size_t start = w->out->length;
        if (record_can_name_move(pos, record->illegal_move))
            kanji_put_absolute(w->out, pos, SQUARE_NONE, record->illegal_move);
        else
            text_buffer_put(w->out, record_text(record, record->illegal_text));
        put_padded(w->out, start);
        if (line->end == RECORD_END_NONE) put_time(w->out, time_ms, &w->total_ms[turn]);
        text_buffer_put_char(w->out, '\n');
        turn = color_other(turn);
    }
    if (line->end != RECORD_END_NONE) {
        const char *word = record_end_kif((enum record_end)line->end);
        text_buffer_format(w->out, "%4u ", ply);
        size_t start = w->out->length;
        text_buffer_put(w->out, word ? text_from(word) : record_text(record, line->end_word));
        put_padded(w->out, start);
        put_time(w->out, time_ms, &w->total_ms[turn]);
        if (w->forks[record->move_count + line_index]) text_buffer_put_char(w->out, '+');
        text_buffer_put_char(w->out, '\n');
    }
    kif_put_comments(record, line_index, line->from_ply + line->count, w->out);
    kif_put_result(record, line_index, w->out);
}

static void put_line(struct writer *w, uint32_t line_index)
{
    const struct record *record = w->record;
    const struct record_line *line = &record->lines[line_index];
    struct position pos;
    Square last_to;
    record_tree_position(record, line_index, line->from_ply - 1u, &pos, &last_to);
    w->total_ms[BLACK] = w->total_ms[WHITE] = 0;
    for (uint32_t i = 0; i < line->count; i++) {
        const struct record_move *m = &record->moves[line->first + i];
        text_buffer_format(w->out, "%4u ", line->from_ply + i);
        size_t start = w->out->length;
        kanji_put_absolute(w->out, &pos, last_to, m->move);
        put_padded(w->out, start);
        put_time(w->out, m->time_ms, &w->total_ms[pos.side]);
        if (w->forks[line->first + i]) text_buffer_put_char(w->out, '+');
        text_buffer_put_char(w->out, '\n');
        struct undo undo;
        position_do(&pos, m->move, &undo);
        last_to = move_to(m->move);
        kif_put_comments(record, line_index, line->from_ply + i, w->out);
    }
    put_end(w, &pos, line_index);
}

void kif_write(const struct record *record, enum encoding encoding, struct text_buffer *out)
{
    uint32_t *order = malloc(record->line_count * sizeof *order), count = 0;
    bool *forks = calloc(record->move_count + record->line_count, sizeof *forks);
    if (!order || !forks || record_tree_order(record, order, &count) != ST_OK) {
        out->status = ST_NO_MEMORY;
        free(order);
        free(forks);
        return;
    }
    record_tree_mark_forks(record, forks);
    struct writer w = {.record = record, .forks = forks, .out = out};
    kif_put_head(record, "KIF", encoding, out);
    text_buffer_put_string(out, "手数----指手---------消費時間--\n");
    kif_put_comments(record, 0, 0, out);
    for (uint32_t i = 0; i < count && out->status == ST_OK; i++) {
        if (i > 0) text_buffer_format(out, "\n変化：%u手\n", (unsigned)record->lines[order[i]].from_ply);
        put_line(&w, order[i]);
    }
    free(order);
    free(forks);
}
