/* game_set.h - which of many games are the same game, and which are only the beginning of another?
 *
 * What counts are the start position (board, hands, side to move: however the file spells them) and the moves of the
 * main line, an illegal last move among them. Names, times, comments, variations and the end do not.
 *
 *     7g7f 3c3d 2g2f 8c8d     only one of its kind
 *     7g7f 3c3d               beginning of the one above: sorted, it stands directly before it
 *     7g7f 3c3d               the same as the one above
 *
 * Method:  sorts all games by start and moves, so that beginnings become neighbours: n log n, not n^2.
 * Memory:  2 bytes for each move and 32 for each game. Threads: one at a time.
 */
#ifndef MURAKUMO_SHOGI_GAME_SET_H
#define MURAKUMO_SHOGI_GAME_SET_H

#include "common/shogi/record.h"

enum game_twin {
    GAME_ONLY,     /* the one to keep: of equal games the first that was added */
    GAME_SAME,     /* the same as an earlier game */
    GAME_BEGINNING /* a longer game begins like this one */
};

struct game_set_entry; /* one game */

struct game_set {
    uint16_t *moves; /* of all games, one after the other */
    size_t move_count, move_capacity;
    struct game_set_entry *entries; /* in the order of adding */
    uint32_t count, capacity;
    uint32_t same, beginnings; /* how many of each, after game_set_compare() */
};

enum { GAME_SET_GAMES_MAX = 1 << 28 };

void game_set_init(struct game_set *set);
void game_set_free(struct game_set *set); /* may be called twice */
/* Games get the numbers 0, 1, 2 ... ST_FULL: GAME_SET_GAMES_MAX. ST_NO_MEMORY: nothing was added. */
MUST_USE enum status game_set_add(struct game_set *set, const struct record *record);
/* The same for a game that is no record: start is position_key() of its start position. */
MUST_USE enum status game_set_add_moves(struct game_set *set, uint64_t start, const Move *moves, uint32_t count);
/* Finds out. More games may be added afterwards, and then this is called again. */
MUST_USE enum status game_set_compare(struct game_set *set);
/* *other (if not NULL): the game that is kept in its place; itself for GAME_ONLY. */
enum game_twin game_set_twin(const struct game_set *set, uint32_t game, uint32_t *other);

#endif
