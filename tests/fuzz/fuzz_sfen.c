/* fuzz_sfen.c - any bytes as SFEN, and what follows it as choices of moves: whatever is accepted must obey the rules'
 * own laws. */
#include <stdlib.h>
#include <string.h>

#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "common/shogi/sfen.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PLIES_MAX = 64 };

static void require(bool law)
{
    if (!law) abort();
}

static void check_texts(const struct position *pos)
{
    char text[SFEN_BYTES_MAX], again[SFEN_BYTES_MAX];
    struct position back;
    size_t used, bytes = sfen_write(pos, text);
    require(bytes < sizeof text && sfen_read(&back, text, bytes, &used, NULL) == ST_OK && used == bytes);
    require(sfen_write(&back, again) == bytes && strcmp(text, again) == 0 && position_key(&back) == position_key(pos));
}

/* Fills `moves` with the legal ones and returns their number. */
static size_t check_lists(const struct position *pos, Move moves[MOVES_MAX])
{
    Move others[MOVES_MAX];
    char text[MOVETEXT_BYTES_MAX];
    size_t legal = 0, checks = 0, count = movegen_legal(pos, moves);
    require(count == movegen_count_legal(pos) && (count > 0) == position_has_legal_move(pos));
    for (size_t i = 0; i < count; i++) {
        size_t bytes = movetext_to_usi(moves[i], text);
        require(movetext_from_usi(pos, text, bytes) == moves[i]);
        checks += position_gives_check(pos, moves[i]);
    }
    size_t pseudo;
    if (position_in_check(pos)) {
        pseudo = movegen(pos, MOVEGEN_EVASIONS, true, others);
    } else {
        size_t captures = movegen(pos, MOVEGEN_CAPTURES, true, others);
        pseudo = captures + movegen(pos, MOVEGEN_QUIETS, true, others + captures);
    }
    require(pseudo <= MOVES_MAX);
    for (size_t i = 0; i < pseudo; i++) {
        require(position_pseudo_legal(pos, others[i]));
        legal += position_legal(pos, others[i]);
    }
    require(legal == count);
    pseudo = movegen(pos, MOVEGEN_CHECKS, true, others);
    for (size_t i = 0; i < pseudo; i++) checks -= position_legal(pos, others[i]);
    require(checks == 0);
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct position pos, fresh;
    struct sfen_error error;
    struct undo undo[PLIES_MAX];
    Move moves[MOVES_MAX];
    size_t at = 0;
    (void)movetext_parse((const char *)data, size);
    enum status st = sfen_read(&pos, (const char *)data, size, &at, &error);
    if (st != ST_OK) {
        require(error.status == st && error.offset <= size && memchr(error.text, 0, sizeof error.text) != NULL);
        return 0;
    }
    require(at <= size);
    struct position start = pos;
    int plies = 0;
    for (;; plies++) {
        check_texts(&pos);
        size_t count = check_lists(&pos, moves);
        if (count == 0 || at >= size || plies == PLIES_MAX) break;
        Move move = moves[data[at++] % count];
        uint64_t key = position_key_after(&pos, move);
        position_do(&pos, move, &undo[plies]);
        fresh = pos;
        position_refresh(&fresh);
        require(key == position_key(&pos) && key == position_key(&fresh));
        require(bb_equal(fresh.checkers, pos.checkers) && bb_equal(fresh.blockers[BLACK], pos.blockers[BLACK]) &&
                bb_equal(fresh.blockers[WHITE], pos.blockers[WHITE]));
    }
    while (plies-- > 0) position_undo(&pos, &undo[plies]);
    require(memcmp(pos.board, start.board, sizeof pos.board) == 0 && position_key(&pos) == position_key(&start) &&
            pos.game_ply == start.game_ply);
    return 0;
}
