/* board.c - the game as the last `position` told it. */
#include "coordinator/core/board.h"

#include "common/shogi/movetext.h"
#include "coordinator/usi/usi.h"

#include <stdio.h>
#include <string.h>

_Static_assert((int)SFEN_BYTES_MAX <= (int)WIRE_SFEN_BYTES_MAX, "a canonical SFEN fits into a job");

enum status board_set(struct board *board, struct wire_str sfen, struct wire_str moves, char why[BOARD_WHY_BYTES])
{
    board->valid = false;
    struct sfen_error error;
    const char *text = sfen.length ? sfen.bytes : SFEN_STARTPOS;
    size_t bytes = sfen.length ? sfen.length : strlen(SFEN_STARTPOS), used = 0;
    enum status status = sfen_read(&board->now, text, bytes, &used, &error);
    if (status != ST_OK) {
        snprintf(why, BOARD_WHY_BYTES, "sfen, character %zu: %s", error.offset + 1, error.text);
        return status;
    }
    struct wire_str rest = {text + used, (uint32_t)(bytes - used)}, word;
    if (usi_next_word(&rest, &word)) {
        snprintf(why, BOARD_WHY_BYTES, "\"%.*s\" behind the sfen, expected \"moves\"",
                 (int)(word.length > 40 ? 40 : word.length), word.bytes);
        return ST_TRAILING;
    }
    board->root_bytes = (uint32_t)sfen_write(&board->now, board->root);
    board->moves_bytes = board->move_count = 0;
    history_start(&board->history, &board->now);

    while (usi_next_word(&moves, &word)) {
        int shown = (int)(word.length > 40 ? 40 : word.length);
        unsigned number = board->move_count + 1;
        Move move = movetext_from_usi(&board->now, word.bytes, word.length);
        if (move == MOVE_NONE) {
            snprintf(why, BOARD_WHY_BYTES, "move %u, \"%.*s\", is not legal", number, shown, word.bytes);
            return ST_ILLEGAL;
        }
        if (board->moves_bytes + word.length + 1 > sizeof board->moves) {
            snprintf(why, BOARD_WHY_BYTES, "more than %u moves", number - 1);
            return ST_TOO_BIG;
        }
        struct undo undo;
        position_do(&board->now, move, &undo);
        if (!history_push(&board->history, &board->now)) {
            snprintf(why, BOARD_WHY_BYTES, "more than %d moves", HISTORY_MAX - 1);
            return ST_TOO_BIG;
        }
        if (board->moves_bytes) board->moves[board->moves_bytes++] = ' ';
        memcpy(board->moves + board->moves_bytes, word.bytes, word.length);
        board->moves_bytes += word.length;
        board->move_count++;
    }
    board->valid = true;
    return ST_OK;
}

void board_start(struct board *board)
{
    char why[BOARD_WHY_BYTES];
    enum status status = board_set(board, wire_str_make(NULL, 0), wire_str_make(NULL, 0), why);
    (void)status; /* the start position can be read */
}

bool board_has_both_kings(const struct board *board)
{
    return board->now.king[BLACK] != SQUARE_NONE && board->now.king[WHITE] != SQUARE_NONE;
}
