/* kif_parts.h - what KIF and KI2 have in common: header lines, boards, hands, comments, "まで..." and "変化：".
 *
 * Source:  the KIF and KI2 descriptions of Kifu for Windows (2024-08-02); what other programs write (81Dojo,
 *          ShogiHome, ShogiGUI, Shogidokoro, Piyo Shogi, lishogi). Colons and blanks come in half and full width.
 * Start:   the handicap word, or a board with hands, which overrides it. The giver of a handicap (上手) is White and
 *          moves first. A board without "後手番" is Black's turn; when its first move can only be White's, White's
 *          turn is assumed.
 */
#ifndef MURAKUMO_SHOGI_KIF_PARTS_H
#define MURAKUMO_SHOGI_KIF_PARTS_H

#include "common/shogi/record.h"
#include "common/shogi/record_lines.h"
#include "common/shogi/setup.h"

struct kif_reader {
    struct record_lines *lines;
    struct record *record;
    struct setup setup;
    const struct handicap *handicap;
    unsigned rows;     /* board rows seen */
    bool any_board;    /* rows or hands */
    bool board_needed; /* 手合割：その他 */
    bool side_given;
    Square last_to;         /* of "手数＝12 ７六歩 まで" */
    bool in_moves;          /* the start position is settled */
    bool any_statement;     /* something other than # lines */
    bool skipping;          /* moves mean nothing: the start or the variation could not be understood */
    bool numbered;          /* KIF: the main line's first number has been seen */
    uint64_t number_offset; /* number of the first move - 1: records cut out of a longer game go on counting */
    enum status status;     /* only ST_NO_MEMORY stops the reading */
};

/* Reads one game. Every line but blank ones and comments, up to the next game, goes through read_statement. */
typedef void (*kif_read_statement)(struct kif_reader *reader, struct text line);
MUST_USE enum status kif_read_game(struct record_lines *lines, struct record *record, enum record_format format,
                                   kif_read_statement read_statement);

void kif_keep(struct kif_reader *reader, enum status st);
void kif_problem(struct kif_reader *reader, struct text found, const char *expected);
void kif_reject(struct kif_reader *reader, struct text found, const char *expected);

/* Lines before the first move; both take a trimmed line and answer false if it is none of theirs.
 * Board: a row, the frame, file numbers, "後手番", "手数＝12 ...". Header: KEY：VALUE, handicap and hands included. */
bool kif_read_board(struct kif_reader *reader, struct text line);
bool kif_read_header(struct kif_reader *reader, struct text line);
/* Settles the start position. Called before the first move or end. */
void kif_start_moves(struct kif_reader *reader);
/* The first move is illegal for the side that was only assumed: try the other one. True if it was changed. */
bool kif_flip_side(struct kif_reader *reader);
/* "変化：12手". False if it is none. */
bool kif_read_branch(struct kif_reader *reader, struct text line);
/* "まで113手で先手の勝ち": an end where none was written, else only a check. False if it is none. */
bool kif_read_result(struct kif_reader *reader, struct text line);
/* Plays a move of the text `found`, or says why not. */
struct kanji_move;
void kif_play(struct kif_reader *reader, const struct kanji_move *move, struct text found);

/* First line ("#KIF version=2.0 encoding=UTF-8"; format: "KIF", "KI2"), headers and start position. */
void kif_put_head(const struct record *record, const char *format, enum encoding encoding, struct text_buffer *out);
/* Comments of a line on a ply. *next: where to go on looking, 0 at first, for ascending plies of one line. */
void kif_put_comments(const struct record *record, uint32_t line, uint32_t ply, struct text_buffer *out);
/* "まで113手で先手の勝ち\n"; nothing for a line without end. */
void kif_put_result(const struct record *record, uint32_t line, struct text_buffer *out);

/* How much this line looks like a header, board or comment that both formats share: 0..2. */
int kif_parts_evidence(struct text line);

#endif
