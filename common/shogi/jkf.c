#include "common/shogi/jkf.h"

#include "common/base/json.h"
#include "common/shogi/csa.h"
#include "common/shogi/kanji.h"
#include "common/shogi/record_tree.h"
#include "common/shogi/setup.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

struct reader {
    struct record_lines *lines;
    struct record *record;
    struct text whole;        /* for line numbers */
    struct text_buffer plain; /* a string decoded */
    struct json *forks;       /* lists of forks still to be read, each with where it hangs */
    uint32_t *fork_lines, *fork_plies;
    uint32_t fork_count, fork_capacity;
    enum status status; /* only ST_NO_MEMORY stops the reading */
};

static void keep(struct reader *r, enum status st)
{
    if (st == ST_NO_MEMORY) r->status = st;
}

static uint32_t line_number(const struct reader *r, struct text where)
{
    uint32_t number = r->lines->number + 1;
    if (r->record->problem_count >= RECORD_PROBLEMS_MAX) return number; /* it will only be counted */
    for (const char *c = r->whole.at; c < where.at; c++) number += *c == '\n';
    return number;
}

/* `where` is a part of the document. */
static void problem_at(struct reader *r, struct text where, struct text found, const char *expected)
{
    record_add_problem(r->record, line_number(r, where), found, expected);
}

static void problem(struct reader *r, struct text found, const char *expected)
{
    problem_at(r, found, found, expected);
}

static void reject_at(struct reader *r, struct text where, struct text found, const char *expected)
{
    record_reject(r->record, line_number(r, where), found, expected);
}

static void reject(struct reader *r, struct text found, const char *expected) { reject_at(r, found, found, expected); }

static struct text decode(struct reader *r, struct json value)
{
    text_buffer_clear(&r->plain);
    json_put_string(value, &r->plain);
    if (r->plain.status == ST_NO_MEMORY) r->status = ST_NO_MEMORY;
    return text_buffer_view(&r->plain);
}

static enum record_key key_from_jkf(struct text name)
{
    for (unsigned key = 0; key < RECORD_KEY_COUNT; key++)
        if (record_key_kif((enum record_key)key) && text_is(name, record_key_kif((enum record_key)key)))
            return (enum record_key)key;
    if (text_is(name, "下手")) return RECORD_KEY_BLACK;
    if (text_is(name, "上手")) return RECORD_KEY_WHITE;
    return RECORD_KEY_OTHER;
}

static void read_header(struct reader *r, struct json header)
{
    struct text key;
    struct json value;
    struct text_buffer name;
    text_buffer_init(&name, 10000);
    for (struct json_walk walk = json_walk_start(header);
         r->status == ST_OK && json_walk_member(&walk, &key, &value);) {
        text_buffer_clear(&name);
        json_put_string((struct json){JSON_STRING, {key.at - 1, key.end + 1}}, &name);
        if (value.type != JSON_STRING) {
            problem(r, value.raw, "a string as value of a header");
            continue;
        }
        if (text_is(text_buffer_view(&name), "手合割")) continue; /* `initial` says it */
        enum status st = record_add_header(r->record, key_from_jkf(text_buffer_view(&name)), text_buffer_view(&name),
                                           decode(r, value));
        keep(r, st);
        if (st == ST_FULL) problem(r, key, "fewer header lines");
    }
    text_buffer_free(&name);
}

/* {"x": 7, "y": 6} */
static bool read_square(struct json place, Square *sq)
{
    int64_t x, y;
    if (!json_integer(json_member(place, "x"), 9, &x) || !json_integer(json_member(place, "y"), 9, &y)) return false;
    if (x < 1 || y < 1) return false;
    *sq = square_make((int)x, (int)y);
    return true;
}

static PieceType read_type(struct json name)
{
    if (name.type != JSON_STRING) return NO_TYPE;
    return csa_type((struct text){name.raw.at + 1, name.raw.end - 1});
}

/* board[x - 1][y - 1] = {} or {"color": 0, "kind": "FU"} */
static bool read_board(struct setup *setup, struct json board)
{
    struct json column, cell;
    int x = 0, y = 0;
    for (struct json_walk files = json_walk_start(board); json_walk_element(&files, &column); x++) {
        y = 0;
        for (struct json_walk ranks = json_walk_start(column); json_walk_element(&ranks, &cell); y++) {
            if (x > 8 || y > 8 || cell.type != JSON_OBJECT) return false;
            struct json kind = json_member(cell, "kind");
            int64_t color;
            if (kind.type == JSON_MISSING || kind.type == JSON_NULL) continue;
            PieceType type = read_type(kind);
            if (type == NO_TYPE || !json_integer(json_member(cell, "color"), 1, &color) || color < 0) return false;
            setup->board[square_make(x + 1, y + 1)] = piece_make((Color)color, type);
        }
        if (y != 9) return false;
    }
    return x == 9;
}

/* [{"FU": 2}, {}] */
static bool read_hands(struct setup *setup, struct json hands)
{
    struct json hand, count;
    struct text name;
    int color = 0;
    for (struct json_walk walk = json_walk_start(hands); json_walk_element(&walk, &hand); color++) {
        if (color > 1) return false;
        for (struct json_walk pieces = json_walk_start(hand); json_walk_member(&pieces, &name, &count);) {
            int64_t n;
            PieceType type = csa_type(name);
            if (type == NO_TYPE || !json_integer(count, 18, &n) || n < 0) return false;
            if (n > 0 && !setup_add_hand(setup, (Color)color, type, (unsigned)n)) return false;
        }
    }
    return true;
}

static bool read_data(struct reader *r, struct json data)
{
    struct setup setup;
    setup_clear(&setup);
    int64_t color = 0;
    struct json side = json_member(data, "color");
    bool ok = side.type == JSON_MISSING || (json_integer(side, 1, &color) && color >= 0);
    if (!ok || !read_board(&setup, json_member(data, "board")) || !read_hands(&setup, json_member(data, "hands"))) {
        reject(r, data.raw, "a board of nine by nine pieces and two hands");
        return false;
    }
    setup.side = (Color)color;
    struct position pos;
    struct sfen_error error = {.text = ""};
    if (setup_finish(&setup, &pos, &error) != ST_OK) {
        reject_at(r, data.raw, text_from(error.text), "a possible start position");
        return false;
    }
    if (error.status != ST_OK) problem_at(r, data.raw, text_from(error.text), "a position that a game can reach");
    keep(r, record_set_initial(r->record, &pos));
    return true;
}

static bool read_initial(struct reader *r, struct json initial)
{
    if (initial.type == JSON_MISSING || initial.type == JSON_NULL) return true;
    struct json preset = json_member(initial, "preset"), data = json_member(initial, "data");
    if (data.type == JSON_OBJECT) return read_data(r, data);
    const struct handicap *handicap = preset.type == JSON_STRING ? handicap_from_jkf(decode(r, preset)) : NULL;
    struct position pos;
    if (!handicap || sfen_read(&pos, handicap->sfen, strlen(handicap->sfen), NULL, NULL) != ST_OK) {
        reject(r, initial.raw, "a preset such as HIRATE, or data");
        return false;
    }
    keep(r, record_set_initial(r->record, &pos));
    return true;
}

/* Strings of one or several lines, with the marks of KIF but for the first star (and CSA's ' for a note). */
static void read_comments(struct reader *r, struct json comments)
{
    struct json comment;
    for (struct json_walk walk = json_walk_start(comments); r->status == ST_OK && json_walk_element(&walk, &comment);) {
        if (comment.type != JSON_STRING) {
            problem(r, comment.raw, "a string as comment");
            continue;
        }
        struct text rest = decode(r, comment), line = text_make("", 0);
        bool any = false;
        while (text_take_line(&rest, &line) || !any) {
            any = true;
            enum record_comment_kind kind = RECORD_COMMENT_USER; /* a star makes it a program's */
            if (text_take_char(&line, '&'))
                kind = RECORD_COMMENT_BOOKMARK;
            else if (text_take_char(&line, '\''))
                kind = RECORD_COMMENT_NOTE;
            enum status st = record_add_comment(r->record, kind, line);
            keep(r, st);
            if (st == ST_FULL) problem(r, comment.raw, "fewer comments");
        }
    }
}

/* {"now": {"h": 0, "m": 1, "s": 2}}; -1 if there is none. */
static int64_t read_time_ms(struct json time)
{
    struct json now = json_member(time, "now");
    static const struct {
        const char *name;
        int64_t ms;
    } units[] = {{"h", 3600000}, {"m", 60000}, {"s", 1000}};
    if (now.type != JSON_OBJECT) return -1;
    int64_t total_ms = 0, n;
    for (size_t i = 0; i < 3; i++)
        if (json_integer(json_member(now, units[i].name), 1000000, &n) && n >= 0) total_ms += n * units[i].ms;
    return total_ms;
}

static unsigned read_relative(struct json relative)
{
    static const struct {
        char letter;
        unsigned which;
    } letters[] = {{'L', KANJI_LEFT},     {'C', KANJI_STRAIGHT}, {'R', KANJI_RIGHT}, {'U', KANJI_UP},
                   {'M', KANJI_SIDEWAYS}, {'D', KANJI_BACK},     {'H', KANJI_DROP}};
    unsigned which = 0;
    if (relative.type != JSON_STRING) return 0;
    for (const char *c = relative.raw.at + 1; c < relative.raw.end - 1; c++)
        for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
            if (*c == letters[i].letter) which |= letters[i].which;
    return which;
}

/* Fills in the move as a text would say it. False: parts are missing or wrong. */
static bool read_move(struct json json, struct kanji_move *move)
{
    *move = (struct kanji_move){.to = SQUARE_NONE, .from = SQUARE_NONE, .mark = COLOR_COUNT};
    int64_t color;
    if (json_integer(json_member(json, "color"), 1, &color) && color >= 0) move->mark = (Color)color;
    struct json to = json_member(json, "to"), from = json_member(json, "from"), promote = json_member(json, "promote");
    move->type = read_type(json_member(json, "piece"));
    if (move->type == NO_TYPE) return false;
    if (!read_square(to, &move->to)) {
        if (to.type == JSON_OBJECT || json_member(json, "same").type != JSON_TRUE) return false;
        move->same = true;
    }
    if (from.type == JSON_OBJECT && !read_square(from, &move->from)) return false;
    move->promotion = promote.type == JSON_TRUE    ? KANJI_PROMOTES
                      : promote.type == JSON_FALSE ? KANJI_STAYS
                                                   : KANJI_PROMOTION_UNSAID;
    unsigned which = read_relative(json_member(json, "relative"));
    move->drop = (which & KANJI_DROP) && move->from == SQUARE_NONE;
    if (move->from == SQUARE_NONE) move->which = which & ~(unsigned)KANJI_DROP;
    return true;
}

static void play(struct reader *r, struct json json)
{
    struct record *record = r->record;
    struct kanji_move kanji;
    Move move;
    if (record->closed) {
        reject(r, json.raw,
               record->lines[record->line].end ? "no move after the end" : "nothing after an illegal move");
        return;
    }
    if (!read_move(json, &kanji)) {
        reject(r, json.raw, "a move with piece and to (x and y from 1 to 9)");
        return;
    }
    if (kanji.mark != COLOR_COUNT && kanji.mark != record->now.side) {
        reject(r, json.raw, kanji.mark == BLACK ? "a move of White (color 1)" : "a move of Black (color 0)");
        return;
    }
    enum kanji_answer answer = kanji_resolve(&record->now, record->last_to, &kanji, &move);
    if (answer == KANJI_FOUND) {
        enum status st = record_play(record, move);
        keep(r, st);
        if (st == ST_FULL) reject(r, json.raw, "no more moves than a game may have");
    } else if (answer == KANJI_ILLEGAL && record->line == 0) {
        keep(r, record_set_illegal(record, move, json.raw));
    } else {
        reject(r, json.raw, answer == KANJI_AMBIGUOUS ? "a move that only one piece can make" : "a legal move");
    }
}

static void read_special(struct reader *r, struct json special)
{
    struct record *record = r->record;
    if (record->lines[record->line].end != RECORD_END_NONE) {
        problem(r, special.raw, "one end of a line of play");
        return;
    }
    struct text word = decode(r, special);
    text_take_char(&word, '%');
    enum record_end end = csa_end(&word, record_turn(record));
    keep(r, record_set_end(record, end, word));
}

static void remember_forks(struct reader *r, struct json forks)
{
    if (r->fork_count == r->fork_capacity) {
        uint32_t capacity = r->fork_capacity ? r->fork_capacity * 2 : 64;
        struct json *bigger = realloc(r->forks, capacity * sizeof *bigger);
        if (bigger) r->forks = bigger;
        uint32_t *lines = realloc(r->fork_lines, capacity * sizeof *lines);
        if (lines) r->fork_lines = lines;
        uint32_t *plies = realloc(r->fork_plies, capacity * sizeof *plies);
        if (plies) r->fork_plies = plies;
        if (!bigger || !lines || !plies) {
            r->status = ST_NO_MEMORY;
            return;
        }
        r->fork_capacity = capacity;
    }
    r->forks[r->fork_count] = forks;
    r->fork_lines[r->fork_count] = r->record->line;
    r->fork_plies[r->fork_count++] = r->record->ply + 1; /* before its move has been played */
}

/* One element of `moves` or of a fork. */
static void read_node(struct reader *r, struct json node)
{
    struct text key;
    struct json value, move = {JSON_MISSING, node.raw}, special = move, time = move, comments = move, forks = move;
    for (struct json_walk walk = json_walk_start(node); json_walk_member(&walk, &key, &value);) {
        if (text_is(key, "move"))
            move = value;
        else if (text_is(key, "special"))
            special = value;
        else if (text_is(key, "time"))
            time = value;
        else if (text_is(key, "comments"))
            comments = value;
        else if (text_is(key, "forks"))
            forks = value;
    }
    struct record *record = r->record;
    bool illegal_here = record->line == 0 && record->illegal_ply;
    if (record->closed && !illegal_here && record->lines[record->line].end == RECORD_END_NONE)
        return; /* given up, and said so */
    if (forks.type == JSON_ARRAY) remember_forks(r, forks);
    uint32_t ply = record->ply;
    if (move.type == JSON_OBJECT) play(r, move);
    if (special.type == JSON_STRING) read_special(r, special);
    int64_t time_ms = time.type == JSON_OBJECT ? read_time_ms(time) : -1;
    if (record->ply > ply)
        record_set_time(record, time_ms);
    else if (record->closed && time_ms >= 0)
        record_set_end_time(record, time_ms);
    read_comments(r, comments);
}

static void read_line(struct reader *r, struct json moves, bool first_is_start)
{
    struct json node;
    for (struct json_walk walk = json_walk_start(moves); r->status == ST_OK && json_walk_element(&walk, &node);) {
        if (node.type != JSON_OBJECT) {
            reject(r, node.raw, "an object for each move");
            return;
        }
        bool has_move =
            json_member(node, "move").type != JSON_MISSING || json_member(node, "special").type != JSON_MISSING;
        if (first_is_start && !has_move)
            read_comments(r, json_member(node, "comments"));
        else
            read_node(r, node);
        first_is_start = false;
    }
}

static void read_forks(struct reader *r)
{
    for (uint32_t i = 0; i < r->fork_count && r->status == ST_OK; i++) {
        struct json fork;
        for (struct json_walk walk = json_walk_start(r->forks[i]);
             r->status == ST_OK && json_walk_element(&walk, &fork);) {
            enum status st = record_branch_from(r->record, r->fork_lines[i], r->fork_plies[i]);
            keep(r, st);
            if (st == ST_RANGE) problem(r, fork.raw, "a fork at a move of its line");
            if (st == ST_FULL) problem(r, fork.raw, "fewer forks");
            if (st == ST_OK) read_line(r, fork, false);
        }
    }
}

static void read_document(struct reader *r, struct json root)
{
    struct json moves = json_member(root, "moves");
    if (root.type != JSON_OBJECT || moves.type != JSON_ARRAY) {
        reject(r, root.raw, "an object with the array moves");
        return;
    }
    read_header(r, json_member(root, "header"));
    if (!read_initial(r, json_member(root, "initial"))) return;
    read_line(r, moves, true);
    read_forks(r);
}

static void explain(struct reader *r, enum status st, size_t bad_at)
{
    struct text found = {r->whole.at + bad_at, r->whole.end};
    if (text_length(found) > 40) found.end = found.at + 40;
    reject(r, found,
           st == ST_TRUNCATED  ? "more of the JSON document"
           : st == ST_TOO_DEEP ? "JSON that is nested less deeply"
                               : "JSON");
}

enum status jkf_read(struct record_lines *lines, struct record *record)
{
    struct reader r = {.lines = lines, .record = record, .status = ST_OK};
    enum status st = record_begin(record, RECORD_FORMAT_JKF);
    if (st != ST_OK) return st;
    st = record_lines_whole(lines, &r.whole);
    if (st == ST_NO_MEMORY) return st;
    if (st != ST_OK) { /* too big */
        record_reject(record, 1, text_make("", 0), "a JSON document of at most 64 MiB");
        lines->rest.at = lines->rest.end;
        return record_finish(record);
    }
    struct json root;
    struct text rest = r.whole;
    size_t bad_at = 0;
    st = json_take(&rest, &root, &bad_at);
    if (st == ST_MISSING) return st;
    text_buffer_init(&r.plain, RECORD_TEXT_BYTES_MAX);
    record->line_number_first = lines->number + 1;
    if (st == ST_OK) {
        record->line_number_first = line_number(&r, root.raw);
        read_document(&r, root);
    } else {
        explain(&r, st, bad_at);
        rest.at = rest.end; /* nothing behind it can be trusted */
    }
    record_lines_skip(lines, r.whole, rest.at);
    record->line_number_last = lines->number + 1;
    text_buffer_free(&r.plain);
    free(r.forks);
    free(r.fork_lines);
    free(r.fork_plies);
    return r.status == ST_OK ? record_finish(record) : r.status;
}

int jkf_line_evidence(struct text line) { return text_starts(text_trim(line), "{") ? 3 : 0; }

/* ---- writing ---- */

struct writer {
    const struct record *record;
    struct text_buffer *out;
    const uint32_t *children; /* as record_tree_children() gives them */
    uint32_t children_count;
    unsigned depth;
};

static void put_square(struct text_buffer *out, const char *name, Square sq)
{
    text_buffer_format(out, "\"%s\":{\"x\":%d,\"y\":%d},", name, square_file(sq), square_rank(sq));
}

static void put_header(const struct record *record, struct text_buffer *out)
{
    text_buffer_put_string(out, "\"header\":{");
    bool any = false;
    for (uint32_t i = 0; i < record->header_count; i++) {
        const struct record_header *header = &record->headers[i];
        const char *name = record_key_kif(header->key);
        struct text own = record_text(record, header->name);
        if (!name && text_is(own, "手合割")) continue;
        if (any) text_buffer_put_char(out, ',');
        any = true;
        json_write_string(out, name ? text_from(name) : own);
        text_buffer_put_char(out, ':');
        json_write_string(out, record_text(record, header->value));
    }
    text_buffer_put_string(out, "},");
}

static void put_hand(struct text_buffer *out, Hand hand)
{
    text_buffer_put_char(out, '{');
    for (PieceType t = PAWN; t <= HAND_TYPES; t++)
        text_buffer_format(out, "%s\"%s\":%u", t == PAWN ? "" : ",", csa_type_name(t), hand_count(hand, t));
    text_buffer_put_char(out, '}');
}

static void put_initial(const struct position *pos, struct text_buffer *out)
{
    const struct handicap *handicap = handicap_of(pos);
    if (handicap) {
        text_buffer_format(out, "\"initial\":{\"preset\":\"%s\"},", handicap->jkf);
        return;
    }
    text_buffer_format(out, "\"initial\":{\"preset\":\"OTHER\",\"data\":{\"color\":%d,\"board\":[", pos->side);
    for (int file = 1; file <= 9; file++) {
        text_buffer_put_string(out, file == 1 ? "[" : ",[");
        for (int rank = 1; rank <= 9; rank++) {
            Piece p = pos->board[square_make(file, rank)];
            if (rank > 1) text_buffer_put_char(out, ',');
            if (p == NO_PIECE)
                text_buffer_put_string(out, "{}");
            else
                text_buffer_format(out, "{\"color\":%d,\"kind\":\"%s\"}", piece_color(p), csa_type_name(piece_type(p)));
        }
        text_buffer_put_char(out, ']');
    }
    text_buffer_put_string(out, "],\"hands\":[");
    put_hand(out, pos->hand[BLACK]);
    text_buffer_put_char(out, ',');
    put_hand(out, pos->hand[WHITE]);
    text_buffer_put_string(out, "]}},");
}

static void put_relative(struct text_buffer *out, unsigned words)
{
    static const struct {
        unsigned which;
        char letter;
    } letters[] = {{KANJI_LEFT, 'L'},     {KANJI_STRAIGHT, 'C'}, {KANJI_RIGHT, 'R'}, {KANJI_UP, 'U'},
                   {KANJI_SIDEWAYS, 'M'}, {KANJI_BACK, 'D'},     {KANJI_DROP, 'H'}};
    if (!words) return;
    text_buffer_put_string(out, ",\"relative\":\"");
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
        if (words & letters[i].which) text_buffer_put_char(out, letters[i].letter);
    text_buffer_put_char(out, '"');
}

static void put_move(struct text_buffer *out, const struct position *pos, Square last_to, Move move, bool legal)
{
    bool drop = move_is_drop(move);
    PieceType type = drop ? move_drop_type(move) : piece_type(pos->board[move_from(move)]);
    Piece taken = pos->board[move_to(move)];
    text_buffer_put_string(out, "\"move\":{");
    if (!drop) put_square(out, "from", move_from(move));
    put_square(out, "to", move_to(move));
    text_buffer_format(out, "\"color\":%d,\"piece\":\"%s\"", pos->side, csa_type_name(type));
    if (move_to(move) == last_to) text_buffer_put_string(out, ",\"same\":true");
    if (!drop && taken != NO_PIECE) text_buffer_format(out, ",\"capture\":\"%s\"", csa_type_name(piece_type(taken)));
    if (!drop && move_promotes(move)) text_buffer_put_string(out, ",\"promote\":true");
    unsigned words = legal ? kanji_words(pos, move) : drop ? KANJI_DROP : 0;
    put_relative(out, words);
    text_buffer_put_char(out, '}');
}

static void put_clock(struct text_buffer *out, const char *name, int64_t time_ms)
{
    int64_t s = time_ms / 1000;
    text_buffer_format(out, "\"%s\":{\"h\":%d,\"m\":%d,\"s\":%d}", name, (int)(s / 3600), (int)(s / 60 % 60),
                       (int)(s % 60));
}

static void put_time(struct text_buffer *out, int64_t time_ms, int64_t *total_ms)
{
    if (time_ms < 0) return;
    *total_ms += time_ms;
    text_buffer_put_string(out, ",\"time\":{");
    put_clock(out, "now", time_ms);
    text_buffer_put_char(out, ',');
    put_clock(out, "total", *total_ms);
    text_buffer_put_char(out, '}');
}

/* ,"comments":[...] of one ply; `comma` = something stands before it in the object. */
static void put_comments(struct writer *w, uint32_t line, uint32_t ply, bool comma)
{
    static const char *const marks[] = {[RECORD_COMMENT_USER] = "",
                                        [RECORD_COMMENT_PROGRAM] = "*",
                                        [RECORD_COMMENT_NOTE] = "'",
                                        [RECORD_COMMENT_BOOKMARK] = "&"};
    const struct record *record = w->record;
    uint32_t first = record_tree_first_comment(record, line, ply), i = first;
    struct text_buffer one;
    text_buffer_init(&one, RECORD_TEXT_BYTES_MAX);
    for (; i < record->comment_count && record->comments[i].line == line && record->comments[i].ply == ply; i++) {
        text_buffer_put_string(w->out, i > first ? "," : comma ? ",\"comments\":[" : "\"comments\":[");
        text_buffer_clear(&one);
        text_buffer_put_string(&one, marks[record->comments[i].kind]);
        text_buffer_put(&one, record_text(record, record->comments[i].text));
        json_write_string(w->out, text_buffer_view(&one));
    }
    if (one.status != ST_OK) w->out->status = one.status;
    text_buffer_free(&one);
    if (i > first) text_buffer_put_char(w->out, ']');
}

static void put_special(struct text_buffer *out, const struct record *record, const struct record_line *line)
{
    const char *word = record_end_csa((enum record_end)line->end);
    text_buffer_put_string(out, "\"special\":");
    if (line->end == RECORD_END_ILLEGAL_WIN) {
        text_buffer_put_string(out,
                               line->winner == RECORD_WINNER_BLACK ? "\"-ILLEGAL_ACTION\"" : "\"+ILLEGAL_ACTION\"");
        return;
    }
    if (!word) word = record_end_kif((enum record_end)line->end);
    json_write_string(out, word ? text_from(word) : record_text(record, line->end_word));
}

static void put_line(struct writer *w, uint32_t line_index, const int64_t total_before_ms[COLOR_COUNT]);

/* ,"forks":[[...],...] of one move or end. */
static void put_forks(struct writer *w, uint32_t line_index, uint32_t ply, const int64_t total_ms[COLOR_COUNT])
{
    uint32_t first = record_tree_first_child(w->record, w->children, w->children_count, line_index, ply), i = first;
    for (; i < w->children_count && w->out->status == ST_OK; i++) {
        const struct record_line *child = &w->record->lines[w->children[i]];
        if (child->parent != line_index || child->from_ply != ply) break;
        text_buffer_put_string(w->out, i > first ? ",[" : ",\"forks\":[[");
        put_line(w, w->children[i], total_ms);
        text_buffer_put_char(w->out, ']');
    }
    if (i > first) text_buffer_put_char(w->out, ']');
}

static void put_end(struct writer *w, uint32_t line_index, const struct position *pos, Square last_to,
                    int64_t total_ms[COLOR_COUNT])
{
    const struct record *record = w->record;
    const struct record_line *line = &record->lines[line_index];
    uint32_t ply = line->from_ply + line->count;
    bool illegal = line_index == 0 && record->illegal_ply && record_can_name_move(pos, record->illegal_move),
         end = line->end != RECORD_END_NONE;
    const char *separator = line->count || line_index == 0 ? "," : "";
    int64_t before_ms[COLOR_COUNT] = {total_ms[BLACK], total_ms[WHITE]};
    if (illegal) {
        text_buffer_format(w->out, "%s{", separator);
        separator = ",";
        put_move(w->out, pos, last_to, record->illegal_move, false);
        if (!end) {
            put_time(w->out, line->end_time_ms, &total_ms[pos->side]);
            put_comments(w, line_index, ply, true);
        }
        text_buffer_put_char(w->out, '}');
    }
    if (!end) return;
    text_buffer_format(w->out, "%s{", separator);
    put_special(w->out, record, line);
    put_time(w->out, line->end_time_ms, &total_ms[illegal ? color_other(pos->side) : pos->side]);
    put_comments(w, line_index, ply, true);
    put_forks(w, line_index, ply, before_ms);
    text_buffer_put_char(w->out, '}');
}

/* The elements of `moves` or of a fork. Recursion is bounded by JKF_FORKS_DEEP_MAX. */
static void put_line(struct writer *w, uint32_t line_index, const int64_t total_before_ms[COLOR_COUNT])
{
    if (w->depth == JKF_FORKS_DEEP_MAX) {
        w->out->status = ST_TOO_DEEP;
        return;
    }
    w->depth++;
    const struct record *record = w->record;
    const struct record_line *line = &record->lines[line_index];
    int64_t total_ms[COLOR_COUNT] = {total_before_ms[BLACK], total_before_ms[WHITE]};
    struct position pos;
    Square last_to;
    record_tree_position(record, line_index, line->from_ply - 1u, &pos, &last_to);
    for (uint32_t i = 0; i < line->count && w->out->status == ST_OK; i++) {
        const struct record_move *m = &record->moves[line->first + i];
        int64_t before_ms[COLOR_COUNT] = {total_ms[BLACK], total_ms[WHITE]};
        struct undo undo;
        text_buffer_put_string(w->out, i || line_index == 0 ? ",{" : "{");
        put_move(w->out, &pos, last_to, m->move, true);
        put_time(w->out, m->time_ms, &total_ms[pos.side]);
        put_comments(w, line_index, line->from_ply + i, true);
        put_forks(w, line_index, line->from_ply + i, before_ms);
        text_buffer_put_char(w->out, '}');
        position_do(&pos, m->move, &undo);
        last_to = move_to(m->move);
    }
    put_end(w, line_index, &pos, last_to, total_ms);
    w->depth--;
}

void jkf_write(const struct record *record, struct text_buffer *out)
{
    uint32_t *children = malloc(record->line_count * sizeof *children), count = 0;
    if (children)
        count = record_tree_children(record, children);
    else
        out->status = ST_NO_MEMORY;
    struct writer w = {.record = record, .out = out, .children = children, .children_count = count};
    static const int64_t none_ms[COLOR_COUNT] = {0, 0};
    text_buffer_put_char(out, '{');
    put_header(record, out);
    put_initial(&record->initial, out);
    text_buffer_put_string(out, "\"moves\":[{");
    put_comments(&w, 0, 0, false);
    text_buffer_put_char(out, '}');
    if (out->status == ST_OK) put_line(&w, 0, none_ms);
    text_buffer_put_string(out, "]}\n");
    free(children);
}
