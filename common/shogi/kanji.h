/* kanji.h - moves in Japanese notation: "７六歩(77)" as in KIF, "▲５八金右" as in KI2 and in print.
 *
 * Sources: the KIF and KI2 descriptions of Kifu for Windows; the notation rules of the Japan Shogi Association
 *          (棋譜の表記方法).
 * Reads:   digits in full and half width, 同 with any blank or none, 王 for 玉, 竜 for 龍, 成銀 or 全, 成桂 or 圭,
 *          成香 or 杏, 不成 or 生, 行 for 上; the source in ASCII or full-width parentheses.
 */
#ifndef MURAKUMO_SHOGI_KANJI_H
#define MURAKUMO_SHOGI_KANJI_H

#include "common/base/text.h"
#include "common/shogi/position.h"

enum kanji_promotion { KANJI_PROMOTION_UNSAID, KANJI_PROMOTES, KANJI_STAYS };
enum { /* which of several pieces, seen from its owner */
       KANJI_RIGHT = 1,
       KANJI_LEFT = 2,
       KANJI_STRAIGHT = 4,
       KANJI_UP = 8,
       KANJI_SIDEWAYS = 16,
       KANJI_BACK = 32
};

struct kanji_move {
    Color mark;     /* ▲▼☗ BLACK, △▽☖ WHITE, COLOR_COUNT if there was none */
    bool same;      /* 同 */
    Square to;      /* SQUARE_NONE if `same` */
    PieceType type; /* before the move, as named */
    enum kanji_promotion promotion;
    bool drop;      /* 打 */
    unsigned which; /* KANJI_RIGHT ... */
    Square from;    /* SQUARE_NONE if not given */
};

/* Takes one move; *rest is unchanged if there is none at its beginning. */
bool kanji_take_move(struct text *rest, struct kanji_move *move);
/* Does the text begin like a move: a digit or 同, after an optional mark? (It may be damaged further on.) */
bool kanji_looks_like_move(struct text t);

enum kanji_answer {
    KANJI_FOUND,
    KANJI_ILLEGAL,   /* *move names it if the text says enough, else MOVE_NONE */
    KANJI_AMBIGUOUS, /* several pieces can make it */
    KANJI_NO_SAME    /* 同 without a move before it */
};
/* last_to: target of the move before (SQUARE_NONE: none). The colour mark is not looked at. */
enum kanji_answer kanji_resolve(const struct position *pos, Square last_to, const struct kanji_move *text, Move *move);

/* "７六歩(77)", "同　銀(31)", "５五角打". `move` must be pseudo-legal in its pieces: a piece of either side stands on
 * its source. */
void kanji_put_absolute(struct text_buffer *out, const struct position *pos, Square last_to, Move move);
/* "７六歩", "同銀右", "５五角打" (打 only where a piece on the board could go there too). With 同 a blank follows if
 * `pad`. */
void kanji_put_relative(struct text_buffer *out, const struct position *pos, Square last_to, Move move, bool pad);

/* The words that single out the moving piece: KANJI_RIGHT ..., 0 when none is needed; KANJI_DROP: 打 is needed. */
enum { KANJI_DROP = 64 };
unsigned kanji_words(const struct position *pos, Move move);

/* 歩 ... 龍 as on boards and in hands (one character: 全 圭 杏); NO_TYPE if the character is no piece. */
PieceType kanji_type(uint32_t character);
const char *kanji_type_name(PieceType type);  /* in moves: 成銀 */
const char *kanji_board_name(PieceType type); /* on boards: 全 */
/* ASCII, full-width or kanji digit 1..9; 0 if it is none. */
int kanji_digit(uint32_t character);
/* A count such as 十八, 3 or １２, at most 99; false and nothing taken if there is none. */
bool kanji_take_count(struct text *rest, unsigned *count);
const char *kanji_number(unsigned n); /* 一 .. 十八 for 1..18 */

#endif
