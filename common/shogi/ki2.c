#include "common/shogi/ki2.h"

#include "common/shogi/kanji.h"
#include "common/shogi/kif_parts.h"
#include "common/shogi/record_tree.h"

#include <stdlib.h>

enum { MOVES_PER_LINE = 6, MOVE_COLUMNS = 12 };

/* ---- reading ---- */

static bool take_mark(struct text *t, Color *mark)
{
    struct kanji_move move;
    static const char *const marks[] = {"▲", "△", "▼", "▽", "☗", "☖"};
    *mark = COLOR_COUNT;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (!text_take(t, marks[i])) continue;
        *mark = i % 2 ? WHITE : BLACK;
        return true;
    }
    struct text probe = *t;
    return kanji_take_move(&probe, &move); /* moves without marks */
}

/* Up to the next blank or mark. */
static struct text take_token(struct text *rest)
{
    struct text token = {rest->at, rest->at};
    for (struct text t = *rest; !text_empty(t); token.end = t.at) {
        Color mark;
        struct text probe = t;
        bool blank = *t.at == ' ' || *t.at == '\t' || text_starts(t, "　");
        if (blank || (token.end > token.at && take_mark(&probe, &mark) && mark != COLOR_COUNT)) break;
        text_take_code_point(&t);
    }
    rest->at = token.end;
    return token;
}

static void play(struct kif_reader *reader, Color mark, const struct kanji_move *move, struct text found)
{
    struct record *record = reader->record;
    if (record->closed) {
        kif_reject(reader, found,
                   record->lines[record->line].end ? "no move after the end" : "nothing after an illegal move");
        return;
    }
    if (mark != COLOR_COUNT && mark != record->now.side) {
        if (record->ply == 0) kif_flip_side(reader);
        if (mark != record->now.side) {
            kif_reject(reader, found, mark == BLACK ? "a move of White (△)" : "a move of Black (▲)");
            return;
        }
    }
    kif_play(reader, move, found);
}

static void read_end(struct kif_reader *reader, struct text word)
{
    struct record *record = reader->record;
    if (record->lines[record->line].end != RECORD_END_NONE)
        kif_problem(reader, word, "one end of a line of play");
    else
        kif_keep(reader, record_set_end(record, record_end_from_kif(word), word));
}

/* Has the line been given up? Then that was said. */
static bool is_given_up(const struct kif_reader *reader)
{
    const struct record *record = reader->record;
    bool illegal_here = record->line == 0 && record->illegal_ply;
    bool cut = record->closed && !illegal_here && record->lines[record->line].end == RECORD_END_NONE;
    return reader->skipping || cut || (record->line == 0 && record->rejected);
}

/* One move or end. False: what stands there is neither, and the rest of the text line is lost. */
static bool read_move_or_end(struct kif_reader *reader, struct text *rest)
{
    Color mark;
    struct text t = *rest, start = *rest;
    struct kanji_move move;
    take_mark(&t, &mark);
    text_skip_blanks(&t);
    if (kanji_looks_like_move(t)) {
        if (!kanji_take_move(&t, &move)) return false;
        play(reader, mark, &move, (struct text){start.at, t.at});
    } else {
        struct text word = take_token(&t);
        bool known = record_end_from_kif(word) != RECORD_END_OTHER;
        if (text_empty(word) || (mark == COLOR_COUNT && !known)) return false;
        read_end(reader, word);
    }
    *rest = t;
    return true;
}

static void read_moves(struct kif_reader *reader, struct text line)
{
    struct text t = line;
    kif_start_moves(reader);
    for (;;) {
        text_skip_blanks(&t);
        if (text_empty(t) || reader->status != ST_OK || is_given_up(reader)) return;
        if (read_move_or_end(reader, &t)) continue;
        kif_reject(reader, t, "a move such as ▲７六歩");
        return;
    }
}

static bool begins_with_move(struct text line)
{
    Color mark;
    struct text t = line;
    return take_mark(&t, &mark);
}

static void read_statement(struct kif_reader *reader, struct text line)
{
    struct text t = text_trim(line);
    if (!reader->in_moves && kif_read_board(reader, t)) return;
    if (begins_with_move(t)) {
        read_moves(reader, t);
        return;
    }
    if (kif_read_branch(reader, t) || kif_read_result(reader, t)) return;
    if (!reader->in_moves && kif_read_header(reader, t)) return;
    bool end = record_end_from_kif(t) != RECORD_END_OTHER;
    if (reader->in_moves && end)
        read_moves(reader, t);
    else
        kif_problem(reader, line, reader->in_moves ? "moves such as ▲７六歩" : "a header such as 先手：name");
}

enum status ki2_read(struct record_lines *lines, struct record *record)
{
    return kif_read_game(lines, record, RECORD_FORMAT_KI2, read_statement);
}

int ki2_line_evidence(struct text line)
{
    struct text t = text_trim(line);
    struct kanji_move move;
    Color mark;
    if (text_starts(t, "#KI2")) return 3;
    if (take_mark(&t, &mark)) return mark != COLOR_COUNT && kanji_take_move(&t, &move) ? 3 : 1;
    return kif_parts_evidence(line);
}

/* ---- writing ---- */

struct writer {
    const struct record *record;
    struct text_buffer *out;
    unsigned on_line;      /* moves on the line begun */
    unsigned last_columns; /* width of the last of them */
};

static unsigned columns(struct text t)
{
    unsigned n = 0;
    while (!text_empty(t)) n += text_take_code_point(&t) < 0x80 ? 1 : 2;
    return n;
}

static void end_line(struct writer *w)
{
    if (w->on_line) text_buffer_put_char(w->out, '\n');
    w->on_line = 0;
}

static void put_entry(struct writer *w, struct text entry)
{
    if (w->on_line == MOVES_PER_LINE) end_line(w);
    if (w->on_line)
        for (; w->last_columns < MOVE_COLUMNS; w->last_columns++) text_buffer_put_char(w->out, ' ');
    text_buffer_put(w->out, entry);
    w->last_columns = columns(entry);
    w->on_line++;
}

static const char *mark_of(Color color) { return color == BLACK ? "▲" : "△"; }

static void put_move(struct writer *w, const struct position *pos, Square last_to, Move move)
{
    struct text_buffer entry;
    text_buffer_init(&entry, 200);
    text_buffer_put_string(&entry, mark_of(pos->side));
    kanji_put_relative(&entry, pos, last_to, move, true);
    if (entry.status != ST_OK)
        w->out->status = entry.status;
    else
        put_entry(w, text_buffer_view(&entry));
    text_buffer_free(&entry);
}

static void put_comments(struct writer *w, uint32_t line, uint32_t ply)
{
    uint32_t first = record_tree_first_comment(w->record, line, ply);
    if (first >= w->record->comment_count) return;
    const struct record_comment *comment = &w->record->comments[first];
    if (comment->line != line || comment->ply != ply) return;
    end_line(w);
    kif_put_comments(w->record, line, ply, w->out);
}

/* The move that ended the game by being illegal; absolute, since no rule of notation knows it. */
static void put_illegal(struct writer *w, const struct position *pos)
{
    struct text_buffer entry;
    text_buffer_init(&entry, 1000);
    text_buffer_put_string(&entry, mark_of(pos->side));
    if (record_can_name_move(pos, w->record->illegal_move))
        kanji_put_absolute(&entry, pos, SQUARE_NONE, w->record->illegal_move);
    else
        text_buffer_put(&entry, text_clip(record_text(w->record, w->record->illegal_text), 300));
    put_entry(w, text_buffer_view(&entry));
    text_buffer_free(&entry);
}

/* Ends that the result line cannot say stand in the place of a move. */
static void put_end(struct writer *w, const struct position *pos, uint32_t line_index)
{
    const struct record *record = w->record;
    const struct record_line *line = &record->lines[line_index];
    bool illegal = line_index == 0 && record->illegal_ply;
    if (illegal) put_illegal(w, pos);
    const char *word = record_end_kif((enum record_end)line->end);
    if (line->end == RECORD_END_OTHER || line->end == RECORD_END_DEFAULT_WIN || line->end == RECORD_END_DEFAULT_LOSS) {
        end_line(w);
        text_buffer_put_string(w->out, mark_of(illegal ? color_other(pos->side) : pos->side));
        text_buffer_put(w->out, word ? text_from(word) : record_text(record, line->end_word));
        w->on_line = 1;
    }
    end_line(w);
    bool said = line->end == RECORD_END_DEFAULT_WIN || line->end == RECORD_END_DEFAULT_LOSS;
    if (!said) kif_put_result(record, line_index, w->out);
    kif_put_comments(record, line_index, line->from_ply + line->count, w->out);
}

static void put_line(struct writer *w, uint32_t line_index)
{
    const struct record *record = w->record;
    const struct record_line *line = &record->lines[line_index];
    struct position pos;
    Square last_to;
    record_tree_position(record, line_index, line->from_ply - 1u, &pos, &last_to);
    for (uint32_t i = 0; i < line->count; i++) {
        Move move = record->moves[line->first + i].move;
        struct undo undo;
        put_move(w, &pos, last_to, move);
        position_do(&pos, move, &undo);
        last_to = move_to(move);
        put_comments(w, line_index, line->from_ply + i);
    }
    put_end(w, &pos, line_index);
}

void ki2_write(const struct record *record, enum encoding encoding, struct text_buffer *out)
{
    uint32_t *order = malloc(record->line_count * sizeof *order), count = 0;
    enum status st = order ? record_tree_order(record, order, &count) : ST_NO_MEMORY;
    if (st != ST_OK) out->status = st;
    kif_put_head(record, "KI2", encoding, out);
    text_buffer_put_char(out, '\n');
    kif_put_comments(record, 0, 0, out);
    struct writer w = {.record = record, .out = out};
    for (uint32_t i = 0; i < count && out->status == ST_OK; i++) {
        if (i > 0) text_buffer_format(out, "\n変化：%u手\n", (unsigned)record->lines[order[i]].from_ply);
        put_line(&w, order[i]);
    }
    free(order);
}
