#include "common/shogi/kif_parts.h"

#include "common/shogi/kanji.h"
#include "common/shogi/record_tree.h"

#include <string.h>

void kif_keep(struct kif_reader *reader, enum status st)
{
    if (st == ST_NO_MEMORY) reader->status = st;
}

void kif_problem(struct kif_reader *reader, struct text found, const char *expected)
{
    record_add_problem(reader->record, reader->lines->number, found, expected);
}

void kif_reject(struct kif_reader *reader, struct text found, const char *expected)
{
    record_reject(reader->record, reader->lines->number, found, expected);
}

static void add_comment(struct kif_reader *reader, enum record_comment_kind kind, struct text text)
{
    enum status st = record_add_comment(reader->record, kind, text);
    kif_keep(reader, st);
    if (st == ST_FULL) kif_problem(reader, text, "fewer comments");
}

static bool read_comment(struct kif_reader *reader, struct text line)
{
    struct text t = line;
    if (text_take(&t, "#")) {
        bool about_the_file = text_starts(t, "KIF ") || text_starts(t, "KI2 "); /* its encoding; the bytes decide */
        if (!about_the_file && !reader->skipping) add_comment(reader, RECORD_COMMENT_NOTE, t);
        return true;
    }
    enum record_comment_kind kind = RECORD_COMMENT_USER;
    if (text_take(&t, "&"))
        kind = RECORD_COMMENT_BOOKMARK;
    else if (!text_take(&t, "*"))
        return false;
    reader->any_statement = true;
    if (!reader->skipping) add_comment(reader, kind, t);
    return true;
}

/* ---- before the first move ---- */

/* "KEY：VALUE" or "KEY:VALUE" */
static bool split_header(struct text line, struct text *name, struct text *value)
{
    for (struct text t = line; !text_empty(t);) {
        struct text before = t;
        uint32_t c = text_take_code_point(&t);
        if (c != ':' && c != 0xFF1A) continue;
        *name = text_trim((struct text){line.at, before.at});
        *value = text_trim(t);
        return !text_empty(*name);
    }
    return false;
}

/* 先手 / 下手 BLACK, 後手 / 上手 WHITE */
static bool take_player(struct text *t, Color *color)
{
    bool black = text_take(t, "先手") || text_take(t, "下手");
    if (!black && !text_take(t, "後手") && !text_take(t, "上手")) return false;
    *color = black ? BLACK : WHITE;
    return true;
}

/* "飛二　角　歩十八　", "なし" or nothing */
static void read_hand(struct kif_reader *reader, Color color, struct text value)
{
    reader->any_board = true;
    struct text t = value;
    text_skip_blanks(&t);
    if (text_starts(t, "なし") || text_starts(t, "無し")) return;
    for (; text_skip_blanks(&t), !text_empty(t);) {
        PieceType type = kanji_type(text_take_code_point(&t));
        unsigned count = 1;
        kanji_take_count(&t, &count);
        if (type >= PAWN && type <= HAND_TYPES && setup_add_hand(&reader->setup, color, type, count)) continue;
        kif_reject(reader, value, "pieces in hand such as 飛二　歩十八");
        reader->skipping = true;
        return;
    }
}

/* "|v香v桂 ・ ...|一": nine cells, each an optional mark and a character. */
static void read_row(struct kif_reader *reader, struct text line)
{
    struct text t = line;
    text_take_code_point(&t); /* | */
    int rank = (int)++reader->rows;
    reader->any_board = true;
    int file = 9;
    bool white = false;
    while (rank <= 9 && file >= 1 && !text_empty(t)) {
        uint32_t c = text_take_code_point(&t);
        bool empty = c == 0x30FB || c == 0xFF65 || c == 0xFF0E || c == '.' || c == '*' || c == 0xB7; /* ・ ･ ． */
        PieceType type = kanji_type(c);
        if (c == 'v' || c == 'V' || c == 0xFF56) {
            white = true;
        } else if (empty || type != NO_TYPE) {
            reader->setup.board[square_make(file--, rank)] = empty ? NO_PIECE : piece_make(white ? WHITE : BLACK, type);
            white = false;
        } else if (c != ' ' && c != '^' && c != 0x3000) {
            break;
        }
    }
    if (rank <= 9 && file == 0) return;
    kif_reject(reader, line, rank > 9 ? "nine rows of a board" : "nine squares of a row");
    reader->skipping = true;
}

/* "手数＝12  ▲７六歩  まで": the move before a position, for 同. */
static bool read_board_ply(struct kif_reader *reader, struct text line)
{
    struct text t = line;
    if (!text_take(&t, "手数")) return false;
    if (!text_take(&t, "＝") && !text_take(&t, "=")) return false;
    unsigned ply;
    struct kanji_move move;
    while (kanji_take_count(&t, &ply)) continue;
    text_skip_blanks(&t);
    if (kanji_take_move(&t, &move)) reader->last_to = move.to;
    return true;
}

static void read_handicap(struct kif_reader *reader, struct text name, struct text value)
{
    for (struct text t = value; !text_empty(t); t.at++)
        if (*t.at == '#') value.end = t.at, t.end = t.at + 1;
    struct text word = text_trim(value);
    reader->handicap = handicap_from_kif(word);
    if (reader->handicap || text_empty(word)) return;
    reader->board_needed = text_is(word, "その他");
    enum status st = record_add_header(reader->record, RECORD_KEY_OTHER, name, word);
    kif_keep(reader, st);
}

static enum record_key key_from_kif(struct text name)
{
    struct text t = name;
    Color color;
    if (take_player(&t, &color) && text_empty(t)) return color == BLACK ? RECORD_KEY_BLACK : RECORD_KEY_WHITE;
    for (unsigned key = 0; key < RECORD_KEY_COUNT; key++)
        if (record_key_kif((enum record_key)key) && text_is(name, record_key_kif((enum record_key)key)))
            return (enum record_key)key;
    return RECORD_KEY_OTHER;
}

bool kif_read_header(struct kif_reader *reader, struct text line)
{
    struct text name, value, rest;
    if (!split_header(line, &name, &value)) return false;
    Color color;
    rest = name;
    if (take_player(&rest, &color) && (text_is(rest, "の持駒") || text_is(rest, "の持ち駒") || text_is(rest, "持駒"))) {
        read_hand(reader, color, value);
        return true;
    }
    if (text_is(name, "手合割") || text_is(name, "手合")) {
        read_handicap(reader, name, value);
        return true;
    }
    enum status st = record_add_header(reader->record, key_from_kif(name), name, value);
    kif_keep(reader, st);
    if (st == ST_FULL) kif_problem(reader, name, "fewer header lines");
    return true;
}

bool kif_read_board(struct kif_reader *reader, struct text line)
{
    struct text rest = line;
    Color side;
    if (text_starts(line, "|") || text_starts(line, "｜")) {
        read_row(reader, line);
        return true;
    }
    if (text_starts(line, "+---") || text_starts(line, "＋－")) return true; /* frame */
    if (text_starts(line, "９ ８") || text_starts(line, "9 8") || text_starts(line, "９　８"))
        return true; /* file numbers */
    if (read_board_ply(reader, line)) return true;
    if (!take_player(&rest, &side) || !text_is(rest, "番")) return false;
    reader->setup.side = side;
    return reader->side_given = true;
}

static void set_start(struct kif_reader *reader, bool complain)
{
    struct position pos;
    struct sfen_error error = {.text = ""};
    enum status st = setup_finish(&reader->setup, &pos, &error);
    kif_keep(reader, st);
    if (st == ST_OK) {
        if (error.status != ST_OK && complain)
            kif_problem(reader, text_from(error.text), "a position that a game can reach");
        kif_keep(reader, record_set_initial(reader->record, &pos));
        reader->record->last_to = reader->last_to;
    } else if (complain) {
        kif_reject(reader, text_from(error.text), "a possible start position");
        reader->skipping = true;
    }
}

void kif_start_moves(struct kif_reader *reader)
{
    if (reader->in_moves) return;
    reader->in_moves = true;
    if (reader->skipping) return;
    bool even = !reader->handicap || text_is(text_from(reader->handicap->jkf), "HIRATE");
    if (reader->any_board && reader->rows == 9) {
        if (!reader->side_given && !even) reader->setup.side = WHITE;
        set_start(reader, true);
        return;
    }
    if (reader->rows || reader->board_needed) {
        kif_reject(reader, text_make("", 0), "nine rows of a board before the first move");
        reader->skipping = true;
        return;
    }
    if (reader->any_board) kif_problem(reader, text_make("", 0), "a board with the pieces in hand");
    if (even) return;
    struct position pos;
    enum status st = sfen_read(&pos, reader->handicap->sfen, strlen(reader->handicap->sfen), NULL, NULL);
    if (st == ST_OK) kif_keep(reader, record_set_initial(reader->record, &pos));
}

bool kif_flip_side(struct kif_reader *reader)
{
    struct record *record = reader->record;
    if (!reader->any_board || reader->rows != 9 || reader->side_given || record->move_count || record->line != 0)
        return false;
    reader->side_given = true; /* once */
    reader->setup.side = color_other(reader->setup.side);
    Color before = record->initial.side;
    set_start(reader, false);
    return record->initial.side != before;
}

/* ---- after the first move ---- */

bool kif_read_branch(struct kif_reader *reader, struct text line)
{
    struct text t = line;
    text_skip_blanks(&t);
    if (!text_take(&t, "変化")) return false;
    if (!text_take(&t, "：")) text_take(&t, ":");
    text_skip_blanks(&t);
    uint64_t ply = 0;
    unsigned wide;
    if (!text_take_number(&t, RECORD_PLIES_MAX, &ply) && kanji_take_count(&t, &wide)) ply = wide;
    kif_start_moves(reader);
    if (reader->skipping && reader->record->rejected && reader->record->move_count == 0)
        return true; /* no start, no variations */
    enum status st = record_branch(reader->record, (uint32_t)ply);
    kif_keep(reader, st);
    reader->skipping = st != ST_OK;
    if (st == ST_RANGE) kif_problem(reader, line, "a variation at a move that some earlier line has");
    if (st == ST_FULL) kif_problem(reader, line, "fewer variations");
    return true;
}

struct result {
    enum record_end end;
    enum record_winner winner; /* NONE: follows from the end */
};

static enum record_winner winner_of(Color color) { return color == BLACK ? RECORD_WINNER_BLACK : RECORD_WINNER_WHITE; }

/* What comes after "まで113手で". False if it says no end. */
static bool parse_result(struct text t, struct result *result)
{
    *result = (struct result){RECORD_END_NONE, RECORD_WINNER_NONE};
    text_take(&t, "で");
    t = text_trim(t);
    if (text_take(&t, "時間切れにより") || text_take(&t, "時間切れで"))
        result->end = RECORD_END_TIME_UP;
    else if (text_take(&t, "入玉により") || text_take(&t, "入玉宣言により"))
        result->end = RECORD_END_DECLARATION;
    else if (text_take(&t, "反則により"))
        result->end = RECORD_END_ILLEGAL_WIN;
    Color color;
    if (!take_player(&t, &color)) {
        enum record_end end = record_end_from_kif(t);
        if (result->end == RECORD_END_NONE && end != RECORD_END_OTHER) result->end = end;
        return result->end != RECORD_END_NONE;
    }
    text_take(&t, "の");
    bool wins = true;
    if (text_starts(t, "反則勝"))
        result->end = RECORD_END_ILLEGAL_WIN;
    else if (text_starts(t, "入玉勝") || text_starts(t, "宣言勝"))
        result->end = RECORD_END_DECLARATION;
    else if (text_starts(t, "反則負"))
        result->end = RECORD_END_ILLEGAL_LOSS, wins = false;
    else if (text_starts(t, "切れ負") || text_starts(t, "時間切れ"))
        result->end = RECORD_END_TIME_UP, wins = false;
    else if (text_starts(t, "負") || text_starts(t, "投了"))
        wins = false;
    else if (!text_starts(t, "勝"))
        return false;
    if (result->end == RECORD_END_NONE) result->end = RECORD_END_RESIGN;
    result->winner = winner_of(wins ? color : color_other(color));
    return true;
}

/* The end as it is for the side whose turn it is: "a wins by the other's illegal move" and "b loses by its own" are
 *                                                 one thing. */
static enum record_end end_for_turn(const struct record *record, const struct result *result)
{
    if (result->end != RECORD_END_ILLEGAL_WIN && result->end != RECORD_END_ILLEGAL_LOSS) return result->end;
    if (result->winner == RECORD_WINNER_NONE) return result->end;
    return result->winner == winner_of(record_turn(record)) ? RECORD_END_ILLEGAL_WIN : RECORD_END_ILLEGAL_LOSS;
}

bool kif_read_result(struct kif_reader *reader, struct text line)
{
    struct text t = line;
    text_skip_blanks(&t);
    if (!text_take(&t, "まで")) return false;
    kif_start_moves(reader);
    struct record *record = reader->record;
    unsigned plies;
    uint64_t number;
    if (!text_take_number(&t, UINT32_MAX, &number)) kanji_take_count(&t, &plies);
    text_take(&t, "手");
    for (struct text c = t; !text_empty(c); c.at++)
        if (*c.at == '#') t.end = c.at, c.end = c.at + 1;
    struct result result;
    if (reader->skipping || (record->line == 0 && record->rejected)) return true;
    if (record->lines[record->line].end != RECORD_END_NONE) return true; /* the line of the end has said it */
    if (!parse_result(t, &result)) {
        kif_problem(reader, line, "a result such as 先手の勝ち");
        return true;
    }
    enum record_end end = end_for_turn(record, &result);
    const char *word = record_end_kif(end);
    kif_keep(reader, record_set_end(record, end, text_from(word ? word : "")));
    if (result.winner != RECORD_WINNER_NONE) record_set_winner(record, result.winner);
    return true;
}

/* A line that stands at the beginning of a file, where it says what files are. */
static bool is_first_line(struct text line) { return text_starts(line, "#KIF ") || text_starts(line, "#KI2 "); }

/* A line that stands in the head of a game. */
static bool is_head(struct text line)
{
    static const char *const keys[] = {"手合割", "開始日時", "対局日", "棋戦", "表題",
                                       "先手",   "後手",     "下手",   "上手", "対局ID"};
    struct text name, value;
    if (is_first_line(line) || text_starts(line, "# --")) return true;
    if (text_starts(line, "*") || text_starts(line, "&") || !split_header(line, &name, &value)) return false;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (text_is(name, keys[i])) return true;
    return false;
}

/* A header after the moves, or once more the line "#KIF version=...". */
static bool begins_next_game(const struct kif_reader *reader, struct text line)
{
    if (reader->any_statement && is_first_line(line)) return true;
    bool played = reader->in_moves && (reader->record->move_count > 0 || reader->record->closed);
    return played && is_head(line);
}

static void read_line(struct kif_reader *reader, struct text line, kif_read_statement read_statement)
{
    struct text left = line;
    if (reader->lines->cut) kif_problem(reader, text_make("", 0), "a shorter line");
    if (text_empty(text_trim(line))) return;
    text_skip_blanks(&left);
    if (read_comment(reader, left)) return;
    reader->any_statement = true;
    read_statement(reader, line);
}

enum status kif_read_game(struct record_lines *lines, struct record *record, enum record_format format,
                          kif_read_statement read_statement)
{
    enum status st = record_begin(record, format);
    if (st != ST_OK) return st;
    struct kif_reader reader = {.lines = lines, .record = record, .last_to = SQUARE_NONE, .status = ST_OK};
    setup_clear(&reader.setup);
    struct text line;
    while (reader.status == ST_OK && record_lines_take(lines, &line)) {
        if (begins_next_game(&reader, line)) {
            record_lines_put_back(lines);
            break;
        }
        if (!reader.any_statement) record->line_number_first = lines->number;
        read_line(&reader, line, read_statement);
        record->line_number_last = lines->number;
    }
    if (reader.status == ST_OK) reader.status = lines->status;
    if (reader.status != ST_OK) return reader.status;
    if (!reader.any_statement) return ST_MISSING;
    kif_start_moves(&reader);
    return reader.status == ST_OK ? record_finish(record) : reader.status;
}

void kif_play(struct kif_reader *reader, const struct kanji_move *kanji, struct text found)
{
    struct record *record = reader->record;
    Move move;
    enum kanji_answer answer = kanji_resolve(&record->now, record->last_to, kanji, &move);
    if (answer != KANJI_FOUND && record->ply == 0 && kif_flip_side(reader)) {
        answer = kanji_resolve(&record->now, record->last_to, kanji, &move);
        if (answer != KANJI_FOUND) { /* no better: as it was */
            reader->setup.side = color_other(reader->setup.side);
            set_start(reader, false);
            answer = kanji_resolve(&record->now, record->last_to, kanji, &move);
        }
    }
    switch (answer) {
    case KANJI_FOUND: {
        enum status st = record_play(record, move);
        kif_keep(reader, st);
        if (st == ST_FULL) kif_reject(reader, found, "no more moves than a game may have");
        break;
    }
    case KANJI_ILLEGAL:
        if (record->line != 0)
            kif_reject(reader, found, "a legal move");
        else
            kif_keep(reader, record_set_illegal(record, move, found));
        break;
    case KANJI_AMBIGUOUS:
        kif_reject(reader, found, "a move that only one piece can make");
        break;
    case KANJI_NO_SAME:
        kif_reject(reader, found, "a move before 同");
        break;
    }
}

/* ---- writing ---- */

static void put_hand(const struct position *pos, Color color, struct text_buffer *out)
{
    static const PieceType order[] = {ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN};
    text_buffer_put_string(out, color == BLACK ? "先手の持駒：" : "後手の持駒：");
    if (pos->hand[color] == 0) text_buffer_put_string(out, "なし");
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        unsigned count = hand_count(pos->hand[color], order[i]);
        if (count == 0) continue;
        text_buffer_put_string(out, kanji_board_name(order[i]));
        if (count > 1) text_buffer_put_string(out, kanji_number(count));
        text_buffer_put_string(out, "　");
    }
    text_buffer_put_char(out, '\n');
}

static void put_board(const struct position *pos, struct text_buffer *out)
{
    put_hand(pos, WHITE, out);
    text_buffer_put_string(out, "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n");
    for (int rank = 1; rank <= 9; rank++) {
        text_buffer_put_char(out, '|');
        for (int file = 9; file >= 1; file--) {
            Piece p = pos->board[square_make(file, rank)];
            text_buffer_put_char(out, p != NO_PIECE && piece_color(p) == WHITE ? 'v' : ' ');
            text_buffer_put_string(out, p == NO_PIECE ? "・" : kanji_board_name(piece_type(p)));
        }
        text_buffer_format(out, "|%s\n", kanji_number((unsigned)rank));
    }
    text_buffer_put_string(out, "+---------------------------+\n");
    put_hand(pos, BLACK, out);
    text_buffer_put_string(out, pos->side == BLACK ? "先手番\n" : "後手番\n");
}

/* Would the line "name：value" be read as something else than a header? */
static bool is_misleading(struct text name)
{
    static const char *const beginnings[] = {"変化", "まで", "手数", "手合", "同", "仝", "|", "｜", "+", "＋", "*",
                                             "#",    "&",    "▲",    "△",    "▼",  "▽",  "☗", "☖",  ":", "："};
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++)
        if (text_starts(name, beginnings[i])) return true;
    if (text_contains(name, ":") || text_contains(name, "：") || text_contains(name, "持駒") ||
        text_contains(name, "持ち駒"))
        return true;
    uint32_t first = text_peek_code_point(name);
    return text_empty(text_trim(name)) || first == '0' || first == 0xFF10 || kanji_digit(first) != 0;
}

void kif_put_head(const struct record *record, const char *format, enum encoding encoding, struct text_buffer *out)
{
    text_buffer_format(out, "#%s version=2.0 encoding=%s\n", format,
                       encoding == ENCODING_SHIFT_JIS ? "Shift_JIS" : "UTF-8");
    for (uint32_t i = 0; i < record->header_count; i++) {
        const struct record_header *header = &record->headers[i];
        const char *name = record_key_kif(header->key);
        struct text own = record_text(record, header->name);
        if (!name && text_is(own, "手合割")) continue; /* "その他": the board says it */
        if (!name && is_misleading(own))
            text_buffer_put_string(out, "# "); /* as a note, so that it is not lost to people */
        text_buffer_put(out, name ? text_from(name) : own);
        text_buffer_put_string(out, "：");
        text_buffer_put(out, record_text(record, header->value));
        text_buffer_put_char(out, '\n');
    }
    const struct handicap *handicap = handicap_of(&record->initial);
    if (handicap)
        text_buffer_format(out, "手合割：%s\n", handicap->kif);
    else
        put_board(&record->initial, out);
}

void kif_put_comments(const struct record *record, uint32_t line, uint32_t ply, struct text_buffer *out)
{
    static const char *const marks[] = {[RECORD_COMMENT_USER] = "*",
                                        [RECORD_COMMENT_PROGRAM] = "**",
                                        [RECORD_COMMENT_NOTE] = "#",
                                        [RECORD_COMMENT_BOOKMARK] = "&"};
    for (uint32_t i = record_tree_first_comment(record, line, ply); i < record->comment_count; i++) {
        const struct record_comment *comment = &record->comments[i];
        if (comment->line != line || comment->ply != ply) return;
        struct text text = record_text(record, comment->text);
        text_buffer_put_string(out, marks[comment->kind]);
        bool like_a_file_mark = text_starts(text, " --") || text_starts(text, "KI");
        if (comment->kind == RECORD_COMMENT_NOTE && like_a_file_mark) text_buffer_put_char(out, ' ');
        text_buffer_put(out, text);
        text_buffer_put_char(out, '\n');
    }
}

static void put_winner(enum record_end end, enum record_winner winner, struct text_buffer *out)
{
    const char *name = winner == RECORD_WINNER_BLACK ? "先手" : "後手",
               *loser = winner == RECORD_WINNER_BLACK ? "後手" : "先手";
    if (end == RECORD_END_TIME_UP)
        text_buffer_format(out, "で時間切れにより%sの勝ち", name);
    else if (end == RECORD_END_DECLARATION)
        text_buffer_format(out, "で%sの入玉勝ち", name);
    else if (end == RECORD_END_ILLEGAL_WIN)
        text_buffer_format(out, "で%sの反則勝ち", name);
    else if (end == RECORD_END_ILLEGAL_LOSS)
        text_buffer_format(out, "で%sの反則負け", loser);
    else
        text_buffer_format(out, "で%sの勝ち", name);
}

void kif_put_result(const struct record *record, uint32_t line, struct text_buffer *out)
{
    const struct record_line *l = &record->lines[line];
    enum record_end end = (enum record_end)l->end;
    enum record_winner winner = (enum record_winner)l->winner;
    if (end == RECORD_END_NONE || end == RECORD_END_OTHER) return;
    uint32_t plies = l->from_ply + l->count - 1u + (line == 0 && record->illegal_ply ? 1u : 0u);
    text_buffer_format(out, "まで%u手", plies);
    bool won = winner == RECORD_WINNER_BLACK || winner == RECORD_WINNER_WHITE;
    if (end == RECORD_END_MATE)
        text_buffer_put_string(out, "で詰み");
    else if (won)
        put_winner(end, winner, out);
    else
        text_buffer_format(out, "で%s", record_end_kif(end));
    text_buffer_put_char(out, '\n');
}

int kif_parts_evidence(struct text line)
{
    struct text t = line, name, value;
    text_skip_blanks(&t);
    if (text_starts(t, "変化") || text_starts(t, "まで")) return 2;
    if (text_starts(t, "|") || text_starts(t, "+---")) return 2;
    if (is_head(t)) return 2;
    if (split_header(t, &name, &value) && key_from_kif(name) != RECORD_KEY_OTHER) return 2;
    if (text_starts(t, "*") || text_starts(t, "#") || text_starts(t, "&")) return 1;
    return 0;
}
