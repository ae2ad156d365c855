/* setup.h - a start position that is put together piece by piece, and the named handicaps.
 *
 * Readers of CSA, KIF, KI2 and JKF fill a setup in any order and turn it into a position at the end. Refused are too
 * many pieces of a kind, two kings of one side, and the side not to move in check.
 * Handicaps: the giver (上手) is White and moves first. 三枚落ち is 飛香落ち without the bishop; programs do not
 *            agree on which lance goes, most take off the left one.
 */
#ifndef MURAKUMO_SHOGI_SETUP_H
#define MURAKUMO_SHOGI_SETUP_H

#include "common/base/text.h"
#include "common/shogi/sfen.h"

struct setup {
    Piece board[SQUARE_COUNT];
    uint8_t hand[COLOR_COUNT][HAND_TYPES + 1]; /* by type */
    Color side;
};

void setup_clear(struct setup *setup);
void setup_even_game(struct setup *setup);
void setup_from_position(struct setup *setup, const struct position *pos);
/* False if there would be more than one set holds; nothing is added then. `type` is unpromoted and no king. */
bool setup_add_hand(struct setup *setup, Color color, PieceType type, unsigned count);
/* All pieces of one set that are not on the board or in a hand yet go to the hand of `color` (kings stay in the box).
 */
void setup_add_rest(struct setup *setup, Color color);
/* On failure *pos is unchanged and error->text says why. Positions that no game reaches but that can be played on
 * (二歩, pieces that can never move: composers use them) are ST_OK with error->status ST_ILLEGAL and the reason in
 * error->text. */
MUST_USE enum status setup_finish(const struct setup *setup, struct position *pos, struct sfen_error *error);

/* SFEN without asking whether a game can reach it: board, side, hands and (optionally) a number. *used = bytes read.
 *                                                  False if the
 * syntax is wrong; what sfen_read() says about it is then the better message. */
bool setup_from_sfen(struct setup *setup, struct text sfen, size_t *used);

struct handicap {
    const char *kif; /* 香落ち */
    const char *jkf; /* KY */
    const char *sfen;
};
const struct handicap *handicap_from_kif(struct text word); /* NULL if there is no such word */
const struct handicap *handicap_from_jkf(struct text word);
const struct handicap *handicap_of(const struct position *pos); /* NULL if it is none of them */

#endif
