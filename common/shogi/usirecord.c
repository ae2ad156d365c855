#include "common/shogi/usirecord.h"

#include "common/shogi/movetext.h"
#include "common/shogi/record_tree.h"
#include "common/shogi/setup.h"

#include <string.h>

/* ---- reading ---- */

struct reader {
    struct record_lines *lines;
    struct record *record;
    enum status status;
};

static void keep(struct reader *r, enum status st)
{
    if (st == ST_NO_MEMORY) r->status = st;
}

static void reject(struct reader *r, struct text found, const char *expected)
{
    record_reject(r->record, r->lines->number, found, expected);
}

static bool is_move_text(struct text word) { return movetext_parse(word.at, text_length(word)) != MOVE_NONE; }

/* An SFEN board: eight slashes, and only digits, signs and piece letters between them. (It may still be a wrong one.)
 */
static bool is_board_text(struct text word)
{
    unsigned slashes = 0;
    for (; !text_empty(word); word.at++) {
        slashes += *word.at == '/';
        if (*word.at == 0 || !strchr("123456789/+PLNSBRGKplnsbrgk", *word.at)) return false;
    }
    return slashes == 8;
}

static bool is_session_word(struct text word)
{
    static const char *const words[] = {"usi",    "isready",   "usinewgame", "setoption", "go",
                                        "stop",   "ponderhit", "quit",       "gameover",  "id",
                                        "option", "usiok",     "readyok",    "bestmove",  "checkmate"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (text_is(word, words[i])) return true;
    return false;
}

static bool take_keyword(struct text *rest, const char *keyword)
{
    struct text t = *rest, word;
    if (!text_take_word(&t, &word) || !text_is(word, keyword)) return false;
    *rest = t;
    return true;
}

static bool read_sfen(struct reader *r, struct text *rest)
{
    struct position pos;
    struct sfen_error error = {.text = ""};
    size_t used = 0;
    text_skip_blanks(rest);
    enum status st = sfen_read(&pos, rest->at, text_length(*rest), &used, &error);
    struct setup setup;
    struct sfen_error odd = {.text = ""};
    if (st == ST_ILLEGAL && setup_from_sfen(&setup, *rest, &used) && setup_finish(&setup, &pos, &odd) == ST_OK) {
        record_add_problem(r->record, r->lines->number, text_from(odd.text), "a position that a game can reach");
        st = ST_OK;
    }
    if (st != ST_OK) {
        reject(r, *rest, error.text[0] ? error.text : "an SFEN position");
        return false;
    }
    rest->at += used;
    keep(r, record_set_initial(r->record, &pos));
    return true;
}

static void end_with(struct reader *r, struct text word)
{
    enum record_end end = text_is(word, "resign") ? RECORD_END_RESIGN
                          : text_is(word, "win")  ? RECORD_END_DECLARATION
                                                  : RECORD_END_OTHER;
    keep(r, record_set_end(r->record, end, word));
}

static void read_moves(struct reader *r, struct text rest)
{
    struct record *record = r->record;
    struct text word;
    while (r->status == ST_OK && text_take_word(&rest, &word)) {
        if (record->closed && record->illegal_ply && !is_move_text(word) &&
            record_main(record)->end == RECORD_END_NONE) {
            end_with(r, word);
        } else if (record->closed) {
            reject(r, word,
                   record->illegal_ply ? "nothing after an illegal move" : "nothing after the end of the game");
            return;
        } else if (!is_move_text(word)) {
            end_with(r, word);
        } else {
            Move move = movetext_parse(word.at, text_length(word));
            enum status st = record_play(record, move);
            keep(r, st);
            if (st == ST_ILLEGAL) keep(r, record_set_illegal(record, move, word));
            if (st == ST_FULL) reject(r, word, "no more moves than a game may have");
        }
    }
}

/* "info depth 12 score cp -30 nodes 1000 pv 7g7f 3c3d rep_inf" */
static void read_info(struct reader *r, struct text line, struct text rest)
{
    struct text word;
    while (text_take_word(&rest, &word)) {
        if (!text_is(word, "pv")) continue;
        enum status st =
            record_add_comment(r->record, RECORD_COMMENT_PROGRAM, text_trim((struct text){line.at, word.at}));
        keep(r, st);
        while (r->status == ST_OK && !r->record->closed && text_take_word(&rest, &word)) {
            if (is_move_text(word)) {
                read_moves(r, word);
                continue;
            }
            keep(r, record_add_header(r->record, RECORD_KEY_PV_END, text_from("pv_end"), word));
            break;
        }
        return;
    }
}

static bool holds_game(struct text line)
{
    struct text word, t = line;
    if (!text_take_word(&t, &word) || *word.at == '#' || text_starts(word, "//")) return false;
    if (text_is(word, "info")) return text_contains(t, " pv ");
    return !is_session_word(word);
}

static void read_game(struct reader *r, struct text line)
{
    struct text t = line, word;
    if (take_keyword(&t, "info")) {
        read_info(r, line, t);
        return;
    }
    bool position = take_keyword(&t, "position");
    struct text probe = t;
    bool any_word = text_take_word(&probe, &word);
    if (take_keyword(&t, "startpos")) {
    } else if (take_keyword(&t, "sfen") || (any_word && is_board_text(word))) {
        if (!read_sfen(r, &t)) return;
    } else if (position || !any_word || !(is_move_text(word) || text_is(word, "moves"))) {
        reject(r, line, "startpos, sfen or moves");
        return;
    }
    take_keyword(&t, "moves");
    read_moves(r, t);
}

enum status usirecord_read(struct record_lines *lines, struct record *record)
{
    enum status st = record_begin(record, RECORD_FORMAT_USI);
    if (st != ST_OK) return st;
    struct reader r = {.lines = lines, .record = record, .status = ST_OK};
    struct text line;
    while (record_lines_take(lines, &line)) {
        line = text_trim(line);
        if (!holds_game(line)) continue;
        record->line_number_first = record->line_number_last = lines->number;
        if (lines->cut)
            reject(&r, text_make("", 0), "a shorter line");
        else
            read_game(&r, line);
        return r.status == ST_OK ? record_finish(record) : r.status;
    }
    return lines->status == ST_OK ? ST_MISSING : lines->status;
}

int usirecord_line_evidence(struct text line)
{
    struct text t = text_trim(line), word;
    if (!text_take_word(&t, &word)) return 0;
    if (text_is(word, "position") || text_is(word, "startpos") || text_is(word, "sfen") || is_board_text(word))
        return 3;
    if (text_is(word, "info") || text_is(word, "moves") || is_session_word(word)) return 2;
    return is_move_text(word) ? 2 : 0;
}

/* ---- writing ---- */

static void put_move(struct text_buffer *out, Move move)
{
    char text[MOVETEXT_BYTES_MAX];
    movetext_to_usi(move, text);
    text_buffer_put_char(out, ' ');
    text_buffer_put_string(out, text);
}

static void put_moves(const struct record *record, bool with_end, struct text_buffer *out)
{
    const struct record_line *line = record_main(record);
    bool says_end = with_end && (line->end == RECORD_END_RESIGN || line->end == RECORD_END_DECLARATION);
    bool says_illegal = with_end && record->illegal_ply && move_is_real(record->illegal_move);
    if (line->count || says_end || says_illegal) text_buffer_put_string(out, " moves");
    for (uint32_t i = 0; i < line->count; i++) put_move(out, record->moves[i].move);
    if (says_illegal) put_move(out, record->illegal_move);
    if (says_end) text_buffer_put_string(out, line->end == RECORD_END_RESIGN ? " resign" : " win");
}

void usirecord_write(const struct record *record, bool with_end, struct text_buffer *out)
{
    char sfen[SFEN_BYTES_MAX];
    sfen_write(&record->initial, sfen);
    bool even = text_is(text_from(sfen), SFEN_STARTPOS);
    text_buffer_put_string(out, even ? "position startpos" : "position sfen ");
    if (!even) text_buffer_put_string(out, sfen);
    put_moves(record, with_end, out);
}

void usirecord_write_sfen(const struct record *record, struct text_buffer *out)
{
    char sfen[SFEN_BYTES_MAX];
    sfen_write(&record->initial, sfen);
    text_buffer_put_string(out, "sfen ");
    text_buffer_put_string(out, sfen);
    put_moves(record, true, out);
}
