#include "common/shogi/csa.h"

#include "common/shogi/record_tree.h"
#include "common/shogi/setup.h"

static const char *const type_names[TYPE_COUNT] = {"",   "FU", "KY", "KE", "GI", "KA", "HI", "KI",
                                                   "OU", "TO", "NY", "NK", "NG", "UM", "RY"};

PieceType csa_type(struct text name)
{
    for (PieceType t = PAWN; t < TYPE_COUNT; t++)
        if (text_is(name, type_names[t])) return t;
    return NO_TYPE;
}

const char *csa_type_name(PieceType type) { return type_names[type]; }

enum record_end csa_end(struct text *word, Color turn)
{
    bool black = text_take_char(word, '+'), white = !black && text_take_char(word, '-');
    enum record_end end = record_end_from_csa(*word);
    if (end == RECORD_END_ILLEGAL_WIN && (black || white) && turn == (black ? BLACK : WHITE))
        return RECORD_END_ILLEGAL_LOSS;
    return end;
}

/* ---- reading ---- */

enum phase { PHASE_HEADER, PHASE_MOVES, PHASE_ENDED };

struct reader {
    struct record_lines *lines;
    struct record *record;
    struct setup setup;
    enum phase phase;
    bool any_statement; /* something other than comments: it is a game */
    bool any_position;
    bool skipping;      /* the start position was refused: the moves mean nothing */
    bool timed;         /* the last move (or the end) has its time already */
    enum status status; /* only ST_NO_MEMORY stops the reading */
};

static void keep(struct reader *r, enum status st)
{
    if (st == ST_NO_MEMORY) r->status = st;
}

static void problem(struct reader *r, struct text found, const char *expected)
{
    record_add_problem(r->record, r->lines->number, found, expected);
}

static void reject(struct reader *r, struct text found, const char *expected)
{
    record_reject(r->record, r->lines->number, found, expected);
}

/* Two digits 11..99, or 00 for the hand (SQUARE_NONE). */
static bool take_square(struct text *t, Square *sq)
{
    if (text_length(*t) < 2) return false;
    int file = t->at[0] - '0', rank = t->at[1] - '0';
    bool hand = file == 0 && rank == 0;
    if (!hand && (file < 1 || file > 9 || rank < 1 || rank > 9)) return false;
    *sq = hand ? SQUARE_NONE : square_make(file, rank);
    t->at += 2;
    return true;
}

static bool take_type(struct text *t, PieceType *type)
{
    if (text_length(*t) < 2) return false;
    *type = csa_type(text_make(t->at, 2));
    if (*type == NO_TYPE) return false;
    t->at += 2;
    return true;
}

/* "P1-KY-KE * ...": cells may have lost their third character or the blanks at the end of the line. */
static bool read_row(struct reader *r, int rank, struct text cells)
{
    for (int file = 9; file >= 1; file--) {
        while (text_take_char(&cells, ' ')) continue;
        Piece *at = &r->setup.board[square_make(file, rank)];
        PieceType type;
        if (text_take_char(&cells, '*')) {
            *at = NO_PIECE;
        } else {
            bool black = text_take_char(&cells, '+');
            if ((!black && !text_take_char(&cells, '-')) || !take_type(&cells, &type)) return false;
            *at = piece_make(black ? BLACK : WHITE, type);
        }
    }
    return text_empty(text_trim(cells));
}

/* "PI82HI22KA" */
static bool read_removals(struct reader *r, struct text t)
{
    setup_even_game(&r->setup);
    Square sq;
    PieceType type;
    while (!text_empty(t)) {
        if (!take_square(&t, &sq) || sq == SQUARE_NONE || !take_type(&t, &type)) return false;
        if (piece_type(r->setup.board[sq]) != type || r->setup.board[sq] == NO_PIECE) return false;
        r->setup.board[sq] = NO_PIECE;
    }
    return true;
}

/* "P+99KY89KE" "P-00FU00FU" "P+00AL" */
static bool read_pieces(struct reader *r, Color color, struct text t)
{
    Square sq;
    PieceType type;
    while (!text_empty(t)) {
        if (!take_square(&t, &sq)) return false;
        if (sq == SQUARE_NONE && text_take(&t, "AL")) {
            setup_add_rest(&r->setup, color);
            continue;
        }
        if (!take_type(&t, &type)) return false;
        if (sq == SQUARE_NONE) {
            if (!setup_add_hand(&r->setup, color, type, 1)) return false;
            continue;
        }
        if (r->setup.board[sq] != NO_PIECE) return false;
        r->setup.board[sq] = piece_make(color, type);
    }
    return true;
}

static void read_position(struct reader *r, struct text statement)
{
    if (r->phase != PHASE_HEADER) {
        problem(r, statement, "no further position after the first move");
        return;
    }
    struct text t = statement;
    t.at++;
    t = text_trim(t);
    bool ok = false;
    r->any_position = true;
    if (text_take_char(&t, 'I')) {
        ok = read_removals(r, t);
    } else if (text_take_char(&t, '+')) {
        ok = read_pieces(r, BLACK, t);
    } else if (text_take_char(&t, '-')) {
        ok = read_pieces(r, WHITE, t);
    } else if (!text_empty(t) && *t.at >= '1' && *t.at <= '9') {
        int rank = *t.at++ - '0';
        ok = read_row(r, rank, t);
    }
    if (ok) return;
    reject(r, statement, "pieces of a start position (PI, P1..P9, P+ or P-)");
    r->skipping = true;
}

/* The side line ends the description of the start. */
static void start_play(struct reader *r, Color side)
{
    r->phase = PHASE_MOVES;
    if (r->skipping) return;
    if (!r->any_position) setup_even_game(&r->setup);
    r->setup.side = side;
    struct position pos;
    struct sfen_error error = {.text = ""};
    enum status st = setup_finish(&r->setup, &pos, &error);
    keep(r, st);
    if (st == ST_OK) {
        if (error.status != ST_OK) problem(r, text_from(error.text), "a position that a game can reach");
        keep(r, record_set_initial(r->record, &pos));
    } else {
        r->skipping = true;
        reject(r, text_from(error.text), "a possible start position");
    }
}

/* "+7776FU" without its sign. MOVE_NONE when the named piece cannot be the one that moves. False: it is no move text.
 */
static bool parse_move(const struct position *pos, struct text t, Move *move)
{
    Square from, to;
    PieceType type;
    if (!take_square(&t, &from) || !take_square(&t, &to) || to == SQUARE_NONE || !take_type(&t, &type)) return false;
    if (!text_empty(text_trim(t))) return false;
    if (from == SQUARE_NONE) {
        *move = type <= HAND_TYPES ? move_make_drop(type, to) : MOVE_NONE;
        return true;
    }
    PieceType stands = piece_type(pos->board[from]);
    bool promotes = type_can_promote(stands) && type == (stands | PROMOTED);
    *move = from == to ? MOVE_NONE
            : promotes ? move_make_promote(from, to)
            : type == stands || stands == NO_TYPE
                ? move_make(from, to) /* from an empty square: illegal, but said clearly */
                : MOVE_NONE;
    return true;
}

static void read_move(struct reader *r, struct text statement)
{
    struct record *record = r->record;
    if (r->skipping) return;
    if (record->closed) {
        if (record->rejected) return; /* said already */
        reject(r, statement,
               record->illegal_ply ? "nothing after an illegal move" : "no move after the end of the game");
        return;
    }
    struct text t = statement;
    Color color = *t.at++ == '+' ? BLACK : WHITE;
    Move move;
    if (!parse_move(&record->now, t, &move)) {
        reject(r, statement, "a move such as +7776FU");
        return;
    }
    if (color != record->now.side) {
        reject(r, statement, color == BLACK ? "a move of White (-)" : "a move of Black (+)");
        return;
    }
    enum status st = move == MOVE_NONE ? ST_ILLEGAL : record_play(record, move);
    keep(r, st);
    r->timed = false;
    if (st == ST_ILLEGAL) keep(r, record_set_illegal(record, move, statement));
    if (st == ST_FULL) reject(r, statement, "no more moves than a game may have");
}

/* "+", "-" or a move. */
static void read_side_or_move(struct reader *r, struct text statement)
{
    struct text t = text_trim(statement);
    Color color = *t.at == '+' ? BLACK : WHITE;
    bool alone = text_length(t) == 1;
    if (r->phase == PHASE_HEADER) {
        start_play(r, color);
        if (alone) return;
    } else if (alone) {
        problem(r, statement, "a move such as +7776FU");
        return;
    }
    read_move(r, t);
}

static bool take_time_ms(struct text t, int64_t *time_ms)
{
    uint64_t seconds, digit;
    if (!text_take_number(&t, INT32_MAX / 1000, &seconds)) return false;
    *time_ms = (int64_t)seconds * 1000;
    if (text_take_char(&t, '.'))
        for (int64_t unit = 100; !text_empty(t) && *t.at >= '0' && *t.at <= '9'; unit /= 10) {
            digit = (uint64_t)(*t.at++ - '0');
            *time_ms += (int64_t)digit * unit;
        }
    return text_empty(text_trim(t));
}

static void read_time(struct reader *r, struct text statement)
{
    struct text t = statement;
    t.at++;
    int64_t time_ms;
    struct record *record = r->record;
    if (r->skipping || record->rejected) return;
    if (!take_time_ms(t, &time_ms)) {
        problem(r, statement, "T and seconds");
    } else if (r->timed) {
        problem(r, statement, "one time for each move");
    } else if (record->closed) { /* of the resignation or of the illegal move, not of the last legal one */
        record_set_end_time(record, time_ms);
        r->timed = true;
    } else if (!record_set_time(record, time_ms)) {
        problem(r, statement, "a move before its time");
    } else {
        r->timed = true;
    }
}

static void read_end(struct reader *r, struct text statement)
{
    struct record *record = r->record;
    struct text word = text_trim(statement);
    word.at++;
    if (r->phase == PHASE_HEADER) start_play(r, BLACK); /* a game of no moves may lack the side line */
    r->phase = PHASE_ENDED;
    if (r->skipping || record->rejected) return;
    struct record_line *line = &record->lines[0];
    if (line->end != RECORD_END_NONE) {
        if (!text_equal(record_text(record, line->end_word), word)) problem(r, statement, "one end of the game");
        return;
    }
    enum record_end end = csa_end(&word, record_turn(record));
    if (text_is(word, "PASS")) {
        reject(r, statement, "a move (there is no pass in shogi)");
        return;
    }
    keep(r, record_set_end(record, end, word));
    r->timed = false;
}

static void add_header(struct reader *r, enum record_key key, struct text name, struct text value)
{
    enum status st = record_add_header(r->record, key, name, value);
    keep(r, st);
    if (st == ST_FULL) problem(r, name, "fewer header lines");
}

static void read_name(struct reader *r, struct text statement)
{
    bool black = statement.at + 1 < statement.end && statement.at[1] == '+';
    if (!black && (statement.at + 1 >= statement.end || statement.at[1] != '-')) {
        problem(r, statement, "N+ or N-");
        return;
    }
    struct text name = {statement.at, statement.at + 2}, value = {statement.at + 2, statement.end};
    add_header(r, black ? RECORD_KEY_BLACK : RECORD_KEY_WHITE, name, text_trim(value));
}

static enum record_key key_from_csa(struct text name)
{
    for (unsigned key = 0; key < RECORD_KEY_COUNT; key++)
        if (record_key_csa((enum record_key)key) && text_is(name, record_key_csa((enum record_key)key)))
            return (enum record_key)key;
    return text_is(name, "TIME") || text_is(name, "TIMET") ? RECORD_KEY_TIME_CONTROL : RECORD_KEY_OTHER;
}

/* "$KEY:value"; V3.0 escapes in $NOTE: \n and \\ */
static void read_keyword(struct reader *r, struct text statement)
{
    struct text name = {statement.at + 1, statement.at + 1};
    while (name.end < statement.end && *name.end != ':') name.end++;
    if (name.end == statement.end) {
        problem(r, statement, "$KEYWORD:value");
        return;
    }
    struct text value = text_trim((struct text){name.end + 1, statement.end});
    enum record_key key = key_from_csa(name);
    if (key != RECORD_KEY_NOTE) {
        add_header(r, key, name, value);
        return;
    }
    struct text_buffer plain;
    text_buffer_init(&plain, RECORD_LINE_BYTES_MAX);
    while (!text_empty(value)) {
        if (text_take(&value, "\\\\"))
            text_buffer_put_char(&plain, '\\');
        else if (text_take(&value, "\\n"))
            text_buffer_put_char(&plain, ' ');
        else
            text_buffer_put_char(&plain, *value.at++);
    }
    keep(r, plain.status);
    add_header(r, key, name, text_buffer_view(&plain));
    text_buffer_free(&plain);
}

/* "A lose:B win": whose word is "win"? The order of the two names is not that of the colours. */
static enum record_winner summary_winner(const struct record *record, struct text players)
{
    struct text names[2] = {record_header_value(record, RECORD_KEY_BLACK),
                            record_header_value(record, RECORD_KEY_WHITE)};
    if (text_equal(names[BLACK], names[WHITE])) return RECORD_WINNER_NONE;
    for (Color c = BLACK; c <= WHITE; c++) {
        for (struct text t = players; text_length(t) > text_length(names[c]); t.at++) {
            if (t.at != players.at && t.at[-1] != ':') continue;
            struct text rest = t;
            rest.at += text_length(names[c]);
            if (!text_equal((struct text){t.at, rest.at}, names[c]) || !text_take_char(&rest, ' ')) continue;
            if (text_starts(rest, "win")) return c == BLACK ? RECORD_WINNER_BLACK : RECORD_WINNER_WHITE;
            if (text_starts(rest, "lose")) return c == BLACK ? RECORD_WINNER_WHITE : RECORD_WINNER_BLACK;
            if (text_starts(rest, "draw")) return RECORD_WINNER_DRAW;
        }
    }
    return RECORD_WINNER_NONE;
}

struct summary {
    const char *reason;
    enum record_end end;
};
static const struct summary summaries[] = {{"toryo", RECORD_END_RESIGN},
                                           {"time up", RECORD_END_TIME_UP},
                                           {"kachi", RECORD_END_DECLARATION},
                                           {"sennichite", RECORD_END_REPETITION},
                                           {"max_moves", RECORD_END_MAX_MOVES},
                                           {"jishogi", RECORD_END_IMPASSE},
                                           {"illegal move", RECORD_END_ILLEGAL_LOSS},
                                           {"illegal kachi", RECORD_END_ILLEGAL_LOSS},
                                           {"uchifuzume", RECORD_END_ILLEGAL_LOSS},
                                           {"oute_sennichite", RECORD_END_ILLEGAL_LOSS},
                                           {"oute_kaihimore", RECORD_END_ILLEGAL_LOSS}};

/* "'summary:toryo:A lose:B win": the server's verdict. It gives the winner, the end where no % word did, and tells a
 * declaration that was refused from one that was not. False if it is something else. */
static bool read_summary(struct reader *r, struct text t)
{
    if (!text_take(&t, "summary:")) return false;
    struct record *record = r->record;
    struct text reason = {t.at, t.at};
    while (reason.end < t.end && *reason.end != ':') reason.end++;
    if (reason.end == t.end) return false;
    if (r->skipping || record->rejected) return true;
    enum record_winner winner = summary_winner(record, (struct text){reason.end + 1, t.end});
    enum record_end end = RECORD_END_NONE;
    for (size_t i = 0; i < sizeof summaries / sizeof summaries[0]; i++)
        if (text_is(reason, summaries[i].reason)) end = summaries[i].end;
    Color turn = record_turn(record);
    if (end == RECORD_END_ILLEGAL_LOSS && winner == (turn == BLACK ? RECORD_WINNER_BLACK : RECORD_WINNER_WHITE))
        end = RECORD_END_ILLEGAL_WIN;
    struct record_line *line = &record->lines[0];
    if (line->end == RECORD_END_NONE && end != RECORD_END_NONE) keep(r, record_set_end(record, end, text_make("", 0)));
    if (line->end == RECORD_END_DECLARATION && text_is(reason, "illegal kachi")) line->end = RECORD_END_ILLEGAL_LOSS;
    if (winner != RECORD_WINNER_NONE) record_set_winner(record, winner);
    return true;
}

/* Comments of shogi-server that are really headers. */
static bool read_server_comment(struct reader *r, struct text t)
{
    static const struct {
        const char *prefix, *name;
        enum record_key key;
    } known[] = {{"Max_Moves:", "Max_Moves", RECORD_KEY_MAX_MOVES}, {"$END_TIME:", "END_TIME", RECORD_KEY_END_TIME}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (!text_take(&t, known[i].prefix)) continue;
        add_header(r, known[i].key, text_from(known[i].name), text_trim(t));
        return true;
    }
    return false;
}

static bool is_board_dump(struct text t)
{
    if (text_is(t, "+") || text_is(t, "-") || text_starts(t, "P+") || text_starts(t, "P-")) return true;
    return text_length(t) > 2 && *t.at == 'P' && t.at[1] >= '1' && t.at[1] <= '9';
}

static void read_comment(struct reader *r, struct text statement)
{
    struct text t = statement;
    t.at++;
    if (text_starts(t, "CSA encoding=") || text_starts(t, "encoding=")) return; /* the bytes themselves decide */
    if (read_summary(r, t) || read_server_comment(r, t)) return;
    bool over = r->phase == PHASE_ENDED || r->record->closed;
    if (over && is_board_dump(t)) return;
    enum record_comment_kind kind = RECORD_COMMENT_NOTE;
    if (text_take(&t, "**"))
        kind = RECORD_COMMENT_PROGRAM;
    else if (text_take(&t, "*"))
        kind = RECORD_COMMENT_USER;
    else if (text_take(&t, "&"))
        kind = RECORD_COMMENT_BOOKMARK;
    enum status st = record_add_comment(r->record, kind, t);
    keep(r, st);
    if (st == ST_FULL) problem(r, statement, "fewer comments");
}

static void read_version(struct reader *r, struct text statement)
{
    struct text t = statement;
    t.at++;
    uint64_t major;
    if (!text_take_number(&t, 9, &major)) problem(r, statement, "a version such as V2.2");
}

/* "#RESIGN": a line of the server protocol at the end of a game that a client has logged. */
static void read_server_line(struct reader *r, struct text statement)
{
    static const struct {
        const char *word;
        enum record_end end;
    } known[] = {{"RESIGN", RECORD_END_RESIGN},
                 {"TIME_UP", RECORD_END_TIME_UP},
                 {"ILLEGAL_MOVE", RECORD_END_ILLEGAL_LOSS},
                 {"SENNICHITE", RECORD_END_REPETITION},
                 {"JISHOGI", RECORD_END_IMPASSE},
                 {"MAX_MOVES", RECORD_END_MAX_MOVES},
                 {"WIN", RECORD_END_NONE},
                 {"LOSE", RECORD_END_NONE},
                 {"DRAW", RECORD_END_NONE},
                 {"CHUDAN", RECORD_END_NONE},
                 {"CENSORED", RECORD_END_NONE},
                 {"OUTE_SENNICHITE", RECORD_END_NONE}};
    struct text word = text_trim(statement);
    word.at++;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (!text_is(word, known[i].word)) continue;
        bool needed = known[i].end != RECORD_END_NONE && record_main(r->record)->end == RECORD_END_NONE;
        if (needed && !r->skipping && !r->record->rejected) keep(r, record_set_end(r->record, known[i].end, word));
        r->phase = r->phase == PHASE_HEADER ? PHASE_HEADER : PHASE_ENDED;
        return;
    }
    problem(r, statement, "a CSA statement");
}

static void read_statement(struct reader *r, struct text statement)
{
    if (*statement.at != '\'') r->any_statement = true;
    switch (*statement.at) {
    case '\'':
        read_comment(r, statement);
        break;
    case 'V':
        read_version(r, statement);
        break;
    case 'N':
        read_name(r, statement);
        break;
    case '$':
        read_keyword(r, statement);
        break;
    case 'P':
        read_position(r, statement);
        break;
    case '+':
    case '-':
        read_side_or_move(r, statement);
        break;
    case 'T':
        read_time(r, statement);
        break;
    case '%':
        read_end(r, statement);
        break;
    case '#':
        read_server_line(r, statement);
        break;
    default:
        problem(r, statement, "a CSA statement");
        break;
    }
}

/* These may hold commas, and what follows belongs to them. */
static bool takes_whole_line(char first) { return first == '\'' || first == 'N' || first == '$' || first == 'V'; }

static void read_line(struct reader *r, struct text line)
{
    if (r->lines->cut) problem(r, text_make("", 0), "a shorter line");
    while (!text_empty(line) && r->status == ST_OK) {
        struct text statement = line;
        if (!takes_whole_line(*line.at))
            for (statement.end = line.at; statement.end < line.end && *statement.end != ',';) statement.end++;
        line.at = statement.end < line.end ? statement.end + 1 : statement.end;
        if (!text_empty(text_trim(statement))) read_statement(r, statement);
    }
}

/* Does the line begin another game, although no "/" came before it? */
static bool begins_next_game(const struct reader *r, struct text line)
{
    if (r->phase == PHASE_HEADER) return false;
    return text_starts(line, "V1") || text_starts(line, "V2") || text_starts(line, "V3") || text_starts(line, "N+") ||
           text_starts(line, "PI") || text_starts(line, "P1");
}

enum status csa_read(struct record_lines *lines, struct record *record)
{
    enum status st = record_begin(record, RECORD_FORMAT_CSA);
    if (st != ST_OK) return st;
    struct reader r = {.lines = lines, .record = record, .status = ST_OK};
    setup_clear(&r.setup);
    struct text line;
    while (r.status == ST_OK && record_lines_take(lines, &line)) {
        if (text_is(text_trim(line), "/")) {
            if (r.any_statement) break;
            keep(&r, record_begin(record, RECORD_FORMAT_CSA)); /* only comments before it: no game */
            continue;
        }
        if (begins_next_game(&r, line)) {
            record_lines_put_back(lines);
            break;
        }
        if (!r.any_statement) record->line_number_first = lines->number;
        read_line(&r, line);
        record->line_number_last = lines->number;
    }
    if (r.status == ST_OK) r.status = lines->status;
    if (r.status != ST_OK) return r.status;
    if (!r.any_statement) return ST_MISSING;
    if (r.phase == PHASE_HEADER && r.any_position) start_play(&r, BLACK);
    return r.status == ST_OK ? record_finish(record) : r.status;
}

int csa_line_evidence(struct text line)
{
    if (text_starts(line, "'")) return 1;
    if (text_starts(line, "V2") || text_starts(line, "V3") || text_starts(line, "N+") || text_starts(line, "N-"))
        return 3;
    if (text_starts(line, "PI") || text_starts(line, "P1") || text_starts(line, "P+") || text_starts(line, "P-"))
        return 3;
    if (text_starts(line, "$") || text_starts(line, "%")) return 2;
    if (text_starts(line, "+") || text_starts(line, "-")) {
        struct text t = line;
        t.at++;
        Square from, to;
        PieceType type;
        return take_square(&t, &from) && take_square(&t, &to) && take_type(&t, &type) ? 3 : 0;
    }
    return 0;
}

/* ---- writing ---- */

static void put_square(struct text_buffer *out, Square sq)
{
    text_buffer_format(out, "%d%d", square_file(sq), square_rank(sq));
}

static void put_board(const struct position *pos, struct text_buffer *out)
{
    for (int rank = 1; rank <= 9; rank++) {
        text_buffer_format(out, "P%d", rank);
        for (int file = 9; file >= 1; file--) {
            Piece p = pos->board[square_make(file, rank)];
            if (p == NO_PIECE)
                text_buffer_put_string(out, " * ");
            else
                text_buffer_format(out, "%c%s", piece_color(p) == BLACK ? '+' : '-', type_names[piece_type(p)]);
        }
        text_buffer_put_char(out, '\n');
    }
    for (Color c = BLACK; c <= WHITE; c++) {
        if (pos->hand[c] == 0) continue;
        text_buffer_put_string(out, c == BLACK ? "P+" : "P-");
        for (PieceType t = PAWN; t <= HAND_TYPES; t++)
            for (unsigned n = hand_count(pos->hand[c], t); n > 0; n--) text_buffer_format(out, "00%s", type_names[t]);
        text_buffer_put_char(out, '\n');
    }
}

static void put_position(const struct position *pos, struct text_buffer *out)
{
    const struct handicap *handicap = handicap_of(pos);
    if (handicap && text_is(text_from(handicap->jkf), "HIRATE"))
        text_buffer_put_string(out, "PI\n");
    else
        put_board(pos, out);
    text_buffer_put_string(out, pos->side == BLACK ? "+\n" : "-\n");
}

static void put_text_line(struct text_buffer *out, const char *mark, struct text text)
{
    text_buffer_put_string(out, mark);
    text_buffer_put(out, text);
    text_buffer_put_char(out, '\n');
}

/* Which keyword carries the header in this version; NULL: none does. */
static const char *keyword(const struct record_header *header, struct text value, enum csa_version version)
{
    if (version == CSA_3_0) {
        struct text t = value;
        uint64_t n;
        bool plus_form = text_take_number(&t, UINT32_MAX, &n) && text_take_char(&t, '+');
        if (header->key == RECORD_KEY_TIME_CONTROL) return plus_form ? "TIME" : "TIME_LIMIT";
        return record_key_csa(header->key);
    }
    switch (header->key) {
    case RECORD_KEY_EVENT:
    case RECORD_KEY_SITE:
    case RECORD_KEY_START_TIME:
    case RECORD_KEY_END_TIME:
    case RECORD_KEY_TIME_CONTROL:
    case RECORD_KEY_OPENING:
        return record_key_csa(header->key);
    default:
        return NULL; /* V2.2 knows no others */
    }
}

static void put_headers(const struct record *record, enum csa_version version, struct text_buffer *out)
{
    for (uint32_t i = 0; i < record->header_count; i++) {
        const struct record_header *header = &record->headers[i];
        struct text value = record_text(record, header->value), name = record_text(record, header->name);
        if (header->key == RECORD_KEY_BLACK || header->key == RECORD_KEY_WHITE) {
            put_text_line(out, header->key == RECORD_KEY_BLACK ? "N+" : "N-", value);
            continue;
        }
        const char *key = keyword(header, value, version);
        if (key) {
            text_buffer_format(out, "$%s:", key);
            for (struct text t = value; !text_empty(t); t.at++) {
                if (*t.at == '\\' && header->key == RECORD_KEY_NOTE) text_buffer_put_char(out, '\\');
                text_buffer_put_char(out, *t.at);
            }
        } else { /* as a comment, so that it is not lost to people */
            text_buffer_put_char(out, '\'');
            text_buffer_put(out, name);
            text_buffer_put_char(out, ':');
            text_buffer_put(out, value);
        }
        text_buffer_put_char(out, '\n');
    }
}

/* Comments of the main line up to one ply; they stand in the order of the plies. */
static void put_comments(const struct record *record, uint32_t ply, uint32_t *next, struct text_buffer *out)
{
    static const char *const marks[] = {[RECORD_COMMENT_USER] = "'*",
                                        [RECORD_COMMENT_PROGRAM] = "'**",
                                        [RECORD_COMMENT_NOTE] = "'",
                                        [RECORD_COMMENT_BOOKMARK] = "'&"};
    for (; *next < record->comment_count; ++*next) {
        const struct record_comment *comment = &record->comments[*next];
        if (comment->line != 0 || comment->ply > ply) return;
        put_text_line(out, marks[comment->kind], record_text(record, comment->text));
    }
}

static void put_time(int32_t time_ms, enum csa_version version, struct text_buffer *out)
{
    if (time_ms < 0) return;
    text_buffer_format(out, "T%d", time_ms / 1000);
    if (version == CSA_3_0 && time_ms % 1000) text_buffer_format(out, ".%03d", time_ms % 1000);
    text_buffer_put_char(out, '\n');
}

void csa_put_move(const struct position *pos, Move move, struct text_buffer *out)
{
    text_buffer_put_char(out, pos->side == BLACK ? '+' : '-');
    if (move_is_drop(move)) {
        text_buffer_put_string(out, "00");
        put_square(out, move_to(move));
        text_buffer_put_string(out, type_names[move_drop_type(move)]);
    } else {
        PieceType type = piece_type(pos->board[move_from(move)]);
        put_square(out, move_from(move));
        put_square(out, move_to(move));
        text_buffer_put_string(out, type_names[move_promotes(move) ? type | PROMOTED : type]);
    }
}

static void put_illegal(const struct record *record, const struct position *pos, struct text_buffer *out)
{
    if (!record->illegal_ply) return;
    if (record_can_name_move(pos, record->illegal_move)) {
        csa_put_move(pos, record->illegal_move, out);
        text_buffer_put_char(out, '\n');
    } else if (record->format == RECORD_FORMAT_CSA) {
        put_text_line(out, "", record_text(record, record->illegal_text));
    }
}

static void put_end(const struct record *record, enum csa_version version, struct text_buffer *out)
{
    const struct record_line *line = record_main(record);
    if (line->end != RECORD_END_NONE) {
        const char *word = record_end_csa((enum record_end)line->end);
        text_buffer_put_char(out, '%');
        if (line->end == RECORD_END_ILLEGAL_WIN)
            text_buffer_put_char(out, line->winner == RECORD_WINNER_BLACK ? '-' : '+');
        struct text t = word ? text_from(word) : record_text(record, line->end_word);
        for (; !text_empty(t); t.at++)
            text_buffer_put_char(out, *t.at == ',' ? ' ' : *t.at); /* a comma would end the statement */
        text_buffer_put_char(out, '\n');
    }
    put_time(line->end_time_ms, version, out);
}

void csa_write(const struct record *record, enum csa_version version, enum encoding encoding, struct text_buffer *out)
{
    if (version == CSA_3_0)
        text_buffer_format(out, "'CSA encoding=%s\nV3.0\n", encoding == ENCODING_SHIFT_JIS ? "SHIFT_JIS" : "UTF-8");
    else
        text_buffer_put_string(out, "V2.2\n");
    put_headers(record, version, out);
    put_position(&record->initial, out);
    uint32_t next = 0;
    put_comments(record, 0, &next, out);
    struct position pos = record->initial;
    for (uint32_t i = 0; i < record_plies(record); i++) {
        const struct record_move *m = &record->moves[i];
        struct undo undo;
        csa_put_move(&pos, m->move, out);
        text_buffer_put_char(out, '\n');
        position_do(&pos, m->move, &undo);
        put_time(m->time_ms, version, out);
        put_comments(record, i + 1, &next, out);
    }
    put_illegal(record, &pos, out);
    put_end(record, version, out);
    put_comments(record, UINT32_MAX, &next, out);
}
