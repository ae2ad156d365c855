#include "common/shogi/movetext.h"

#include <string.h>

/* In the order of PAWN..GOLD. */
static const char drop_letters[] = "PLNSBRG";

static bool read_square(const char *text, Square *sq)
{
    if (text[0] < '1' || text[0] > '9' || text[1] < 'a' || text[1] > 'i') return false;
    *sq = square_make(text[0] - '0', text[1] - 'a' + 1);
    return true;
}

Move movetext_parse(const char *text, size_t bytes)
{
    Square from, to;
    if (bytes != 4 && bytes != 5) return MOVE_NONE;
    if (!read_square(text + 2, &to)) return MOVE_NONE;
    if (text[1] == '*') {
        const char *letter = text[0] == 0 ? NULL : strchr(drop_letters, text[0]);
        return letter == NULL || bytes != 4 ? MOVE_NONE
                                            : move_make_drop((PieceType)(PAWN + (letter - drop_letters)), to);
    }
    if (!read_square(text, &from) || from == to) return MOVE_NONE;
    if (bytes == 4) return move_make(from, to);
    return text[4] == '+' ? move_make_promote(from, to) : MOVE_NONE;
}

Move movetext_from_usi(const struct position *pos, const char *text, size_t bytes)
{
    Move move = movetext_parse(text, bytes);
    return move != MOVE_NONE && position_pseudo_legal(pos, move) && position_legal(pos, move) ? move : MOVE_NONE;
}

static char *write_square(char *out, Square sq)
{
    *out++ = (char)('0' + square_file(sq));
    *out++ = (char)('a' + square_rank(sq) - 1);
    return out;
}

size_t movetext_to_usi(Move move, char out[MOVETEXT_BYTES_MAX])
{
    if (!move_is_real(move)) {
        const char *word = move == MOVE_WIN      ? "win"
                           : move == MOVE_RESIGN ? "resign"
                           : move == MOVE_NULL   ? "0000"
                                                 : "none";
        size_t length = strlen(word);
        memcpy(out, word, length + 1);
        return length;
    }
    char *end = out;
    if (move_is_drop(move)) {
        *end++ = drop_letters[move_drop_type(move) - PAWN];
        *end++ = '*';
    } else {
        end = write_square(end, move_from(move));
    }
    end = write_square(end, move_to(move));
    if (move_promotes(move)) *end++ = '+';
    *end = 0;
    return (size_t)(end - out);
}
