/* puzzle.h - the candidates of a mining job, in the order of its games, and which of them are published.
 *
 * What one game cannot know is decided here: the same position (also mirrored, or turned with the colours changed), the
 * same solution, neighbours within a game, too many of one game. The first in the order of the games stays. Nothing
 * depends on who searched what when, so the same rows give the same set.
 *
 * The ledger adds up: candidates = published + held back + rejected, reason by reason.
 */
#ifndef MURAKUMO_VIEW_PUZZLE_H
#define MURAKUMO_VIEW_PUZZLE_H

#include "common/base/json.h"
#include "coordinator/core/mine.h"

enum { PUZZLE_ID_BYTES = 11, PUZZLE_THEMES_MAX = 32 };

struct puzzle {
    char id[PUZZLE_ID_BYTES]; /* from position and solution */
    int64_t seq;              /* of the game */
    uint32_t ply;
    enum mine_verdict verdict;
    enum mine_reason reason;
    char *row; /* the text that the views below look into; owned */
    struct json json;
    struct position start, before;
    Move mistake, line[MINE_LINE_MAX];
    unsigned count;
    int64_t rating, mate_plies;
    struct text themes[PUZZLE_THEMES_MAX];
    unsigned theme_count;
};

struct puzzle_key; /* of the duplicates */

struct puzzle_set {
    struct mine settings;
    struct puzzle *items; /* all candidates */
    size_t count, capacity;
    struct puzzle_key *keys;
    size_t key_count, key_capacity;
    uint64_t ledger[MINE_REASON_COUNT]; /* of those that are not published */
    uint64_t published, held, rejected;
    uint64_t nodes_verify, nodes_audit;
    bool broken; /* a row could not be read, or no memory */
};

void puzzle_set_init(struct puzzle_set *set, const struct mine *settings);
void puzzle_set_free(struct puzzle_set *set);
/* A row of kind "case", in the order of games and plies. */
void puzzle_set_add(struct puzzle_set *set, int64_t seq, struct text row);

#endif
