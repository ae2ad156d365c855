/* board.h - the game as the last `position` told it: start, moves, present position, history for repetition.
 *
 * `position` replaces all of it or, when it is refused, leaves a board that is not valid: the GUI has moved on to a
 * position that we do not know, so a move for any earlier one could only be wrong. A `go` on such a board is answered
 * with `resign`.
 */
#ifndef MURAKUMO_COORDINATOR_BOARD_H
#define MURAKUMO_COORDINATOR_BOARD_H

#include "common/base/status.h"
#include "common/shogi/outcome.h"
#include "common/shogi/sfen.h"
#include "proto/msg.h"

enum { BOARD_WHY_BYTES = 256 };

struct board {
    bool valid;
    struct position now;
    struct history history;
    char root[SFEN_BYTES_MAX]; /* canonical SFEN of the start */
    uint32_t root_bytes;
    char moves[WIRE_MOVES_BYTES_MAX]; /* USI moves with single blanks between */
    uint32_t moves_bytes, move_count;
};

void board_start(struct board *board); /* the start position */
/* sfen empty = start position. On failure `valid` is false and why[] tells the place and the reason in one line. */
enum status board_set(struct board *board, struct wire_str sfen, struct wire_str moves, char why[BOARD_WHY_BYTES]);
bool board_has_both_kings(const struct board *board);

#endif
