/* record.h - a game as all readers produce it and all writers take it.
 *
 *   initial --- m1 --- m2 --- m3 --- m4 --- (end)        lines[0], the main line: moves[0..4)
 *                        \--- m3' -- m4' - (end)         lines[1]: parent 0, from_ply 3
 *                               \--- m4"                 lines[2]: parent 1, from_ply 4
 *
 * Every line of play is a run of neighbours in `moves`; line k > 0 takes the place of its parent's move `from_ply`
 * and of all after it. A variation may also stand in the place of the end of its parent (from_ply = its last ply +
 * 1).
 *
 * Every move has been played on the board with the full legal set. A move that the rules forbid ends its line: in the
 * main line it is kept in illegal_ply / illegal_move / illegal_text, because the last move of a lost game may be
 * illegal by design.
 *
 * Text:    everything kept is well-formed UTF-8 without control characters, whatever the file held.
 * Units:   times in ms, -1 = not given; plies count from 1 for the first move of the record; scores from Black's
 *          point of view.
 * Trouble: what a reader could not use is a line in problems[] ("line 12: found X, expected Y"); nothing is left out
 *          in silence. `rejected` means that moves are missing: the game up to there is right, what came after it is
 *          not known.
 * Memory:  a record owns all it holds; record_clear() keeps the memory for the next game. Threads: one at a time.
 */
#ifndef MURAKUMO_SHOGI_RECORD_H
#define MURAKUMO_SHOGI_RECORD_H

#include "common/base/text.h"
#include "common/shogi/encoding.h"
#include "common/shogi/position.h"
#include "common/shogi/record_end.h"

enum {
    RECORD_PLIES_MAX = 4000,    /* of one line of play */
    RECORD_MOVES_MAX = 1 << 18, /* with all variations */
    RECORD_LINES_MAX = 1 << 15,
    RECORD_COMMENTS_MAX = 1 << 17,
    RECORD_HEADERS_MAX = 256,
    RECORD_PROBLEMS_MAX = 16, /* kept; further ones are only counted */
    RECORD_PROBLEM_BYTES = 240,
    RECORD_TEXT_BYTES_MAX = 16 << 20,
    RECORD_REPLAY_MAX = 4 << 20 /* moves replayed to reach the beginnings of variations */
};

enum record_format {
    RECORD_FORMAT_UNKNOWN,
    RECORD_FORMAT_CSA,
    RECORD_FORMAT_KIF,
    RECORD_FORMAT_KI2,
    RECORD_FORMAT_USI,
    RECORD_FORMAT_JKF,
    RECORD_FORMAT_COUNT
};
const char *record_format_name(enum record_format format); /* "csa", "kif", ... */

/* X(name, CSA keyword without the $, KIF word, name in our own JSON) */
#define RECORD_KEYS(X)                                                                                                 \
    X(BLACK, NULL, "先手", "black")                                                                                    \
    X(WHITE, NULL, "後手", "white")                                                                                    \
    X(EVENT, "EVENT", "棋戦", "event")                                                                                 \
    X(SITE, "SITE", "場所", "site")                                                                                    \
    X(START_TIME, "START_TIME", "開始日時", "start_time")                                                              \
    X(END_TIME, "END_TIME", "終了日時", "end_time")                                                                    \
    X(TIME_CONTROL, "TIME_LIMIT", "持ち時間", "time_control")                                                          \
    X(TIME_CONTROL_BLACK, "TIME+", "先手持ち時間", "time_control_black")                                               \
    X(TIME_CONTROL_WHITE, "TIME-", "後手持ち時間", "time_control_white")                                               \
    X(OPENING, "OPENING", "戦型", "opening")                                                                           \
    X(TITLE, NULL, "表題", "title")                                                                                    \
    X(MAX_MOVES, "MAX_MOVES", "最大手数", "max_moves")                                                                 \
    X(IMPASSE_RULE, "JISHOGI", "持将棋規則", "impasse_rule")                                                           \
    X(NOTE, "NOTE", "備考", "note")                                                                                    \
    X(PV_END, NULL, NULL, "pv_end") /* word after the moves of an engine's PV: rep_inf, ... */                         \
    X(OTHER, NULL, NULL, NULL)      /* `name` says which */

enum record_key {
#define RECORD_KEY_ENUM(name, csa, kif, json) RECORD_KEY_##name,
    RECORD_KEYS(RECORD_KEY_ENUM)
#undef RECORD_KEY_ENUM
        RECORD_KEY_COUNT
};
const char *record_key_csa(enum record_key key); /* NULL if there is none */
const char *record_key_kif(enum record_key key);
const char *record_key_json(enum record_key key);

enum record_winner { RECORD_WINNER_NONE, RECORD_WINNER_BLACK, RECORD_WINNER_WHITE, RECORD_WINNER_DRAW };

struct record_span {
    uint32_t at, length;
}; /* of record->text */

struct record_header {
    enum record_key key;
    struct record_span name; /* as written in the file */
    struct record_span value;
};

enum record_comment_kind {
    RECORD_COMMENT_USER,     /* KIF *, CSA '* : what people (or GUIs for them) wrote */
    RECORD_COMMENT_PROGRAM,  /* KIF **, CSA '** : scores and lines of an engine */
    RECORD_COMMENT_NOTE,     /* KIF #, CSA ' */
    RECORD_COMMENT_BOOKMARK, /* KIF & */
};

struct record_comment {
    uint32_t line; /* index in lines[] */
    uint16_t ply;  /* 0 = before the first move; one past the last move = belongs to the end */
    uint8_t kind;
    struct record_span text; /* one line, without its mark */
};

enum record_score_kind { RECORD_SCORE_NONE, RECORD_SCORE_CP, RECORD_SCORE_MATE };

struct record_move {
    Move move;
    uint8_t score_kind; /* of the position after the move, as a comment of the file says */
    int32_t score; /* Black's view. CP: centipawns as written (some programs write 100000 for mate). MATE: sign = who
                      mates, magnitude = plies, or 1000000 when the file does not say how many */
    int32_t time_ms;
};
enum { RECORD_MATE_UNKNOWN_PLIES = 1000000 };

struct record_line {
    uint32_t parent; /* index in lines[]; 0 for the main line itself */
    uint32_t first;  /* index in moves[] */
    uint32_t count;
    uint16_t from_ply;           /* ply of moves[first]; 1 for the main line */
    uint8_t end;                 /* enum record_end */
    uint8_t winner;              /* enum record_winner */
    int32_t end_time_ms;         /* thinking time before the end (resignation, ...) */
    struct record_span end_word; /* as written */
};

struct record_problem {
    uint32_t line_number;
    char text[RECORD_PROBLEM_BYTES]; /* "found X, expected Y" */
};

struct record {
    enum record_format format;
    enum encoding encoding;
    bool byte_order_mark;
    uint32_t line_number_first, line_number_last; /* where the game stood in its file */

    struct position initial, final; /* before the first and after the last move of the main line */
    struct record_line *lines;      /* at least one */
    uint32_t line_count;
    struct record_move *moves;
    uint32_t move_count;
    struct record_comment *comments;
    uint32_t comment_count;
    struct record_header *headers;
    uint32_t header_count;
    struct text_buffer text;

    uint16_t illegal_ply; /* 0 = none */
    Move illegal_move;    /* MOVE_NONE when the text names no move at all */
    struct record_span illegal_text;
    bool rejected;
    struct record_problem problems[RECORD_PROBLEMS_MAX];
    uint32_t problem_count; /* may be larger than RECORD_PROBLEMS_MAX */

    /* For readers while they build: */
    struct position now; /* after the last move of line `line` */
    uint32_t line;       /* the line that moves are added to */
    uint32_t ply;        /* plies from the beginning to `now` */
    Square last_to;      /* target of the move before `now` (同); SQUARE_NONE if there was none */
    bool closed;         /* the line takes no further moves: it has ended, or what followed could not be read */
    bool plain_scores;   /* a comment that is only a number is a score (Shogidokoro) */
    uint64_t replayed;
    uint32_t line_capacity, move_capacity, comment_capacity, header_capacity;
};

/* ---- for everybody ---- */
void record_init(struct record *record);
void record_free(struct record *record); /* may be called twice */

static inline uint32_t record_plies(const struct record *r) { return r->lines[0].count; } /* of the main line */
static inline struct text record_text(const struct record *r, struct record_span s)
{
    return text_make(r->text.data ? r->text.data + s.at : "", s.length);
}
/* Value of the first header with that key; empty if there is none. */
struct text record_header_value(const struct record *record, enum record_key key);
/* The main line's end; never NULL once the record was begun. */
static inline const struct record_line *record_main(const struct record *r) { return &r->lines[0]; }

/* ---- for readers; each answers ST_OK, ST_NO_MEMORY or what is said ---- */

/* Forgets everything but the memory; start position of the even game; one empty main line. */
MUST_USE enum status record_begin(struct record *record, enum record_format format);
/* Another start position. ST_STATE once a move was played. */
MUST_USE enum status record_set_initial(struct record *record, const struct position *initial);
MUST_USE enum status record_add_header(struct record *record, enum record_key key, struct text name, struct text value);
/* Plays on `now`. ST_ILLEGAL: the rules forbid it, nothing has changed. ST_FULL: a limit. ST_STATE: the line is
 * closed. */
MUST_USE enum status record_play(struct record *record, Move move);
/* The last move's time. False if the line has no move yet. */
bool record_set_time(struct record *record, int64_t time_ms);
/* The move after `now` is illegal; the line is closed. `text` is kept for the main line. */
MUST_USE enum status record_set_illegal(struct record *record, Move move, struct text text);
/* The line ends. The winner follows from `end` and whose turn it is; see record_set_winner. Closes the line. */
MUST_USE enum status record_set_end(struct record *record, enum record_end end, struct text word);
void record_set_end_time(struct record *record, int64_t time_ms);
void record_set_winner(struct record *record, enum record_winner winner);
/* A comment of one line on the position `now` (or on the end). A score inside is understood and kept with the move.
 * ST_FULL: too many; it is left out. */
MUST_USE enum status record_add_comment(struct record *record, enum record_comment_kind kind, struct text text);
/* For a finished record: a further comment on a ply of the main line (0 = the start), behind those that stand there. It
 * is no score of the file's: record_move.score stays. */
MUST_USE enum status record_annotate(struct record *record, uint32_t ply, enum record_comment_kind kind,
                                     struct text text);
/* Begins a variation whose first move will stand in the place of ply `from_ply` of the nearest earlier line that
 * reaches it. ST_RANGE: no line does. ST_FULL: a limit. In both cases the current line is only closed. */
MUST_USE enum status record_branch(struct record *record, uint32_t from_ply);
/* The same below a line known by its number. */
MUST_USE enum status record_branch_from(struct record *record, uint32_t line, uint32_t from_ply);
/* Side whose turn it is at the end of the line, an illegal move that was written counted. */
Color record_turn(const struct record *record);
/* "found <found>, expected <expected>", `found` cut and cleaned. */
void record_problem_set(struct record_problem *problem, uint32_t line_number, struct text found, const char *expected);
void record_add_problem(struct record *record, uint32_t line_number, struct text found, const char *expected);
/* The same, and moves are missing from here on: closes the line and, if it is the main line, rejects the game. */
void record_reject(struct record *record, uint32_t line_number, struct text found, const char *expected);
/* Called once by each reader at the end of a game. Where the record names neither end nor winner, a fourfold
 * repetition on the board decides: a draw, or perpetual check, which loses. */
MUST_USE enum status record_finish(struct record *record);

#endif
