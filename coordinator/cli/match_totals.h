/* match_totals.h - what is remembered of each game of a match, and the sums over them.
 *
 * Engines are 0 and 1 in the order of the command line; colours change from game to game. Pure.
 */
#ifndef MURAKUMO_CLI_MATCH_TOTALS_H
#define MURAKUMO_CLI_MATCH_TOTALS_H

#include "coordinator/cli/match_stats.h"
#include "coordinator/core/referee.h"
#include "coordinator/core/usi_dialogue.h"

#include <stdbool.h>
#include <stdint.h>

enum { MATCH_SIDE_MOVES_MAX = HISTORY_MAX / 2 + 1 };

struct side_record {        /* one engine in one game */
    uint32_t moves;         /* answers, the last `resign` included */
    uint32_t limited_moves; /* those with a time limit */
    int64_t time_us;
    int64_t cpu_ms; /* processor time in the whole game, all threads and child processes; -1 = not known */
    uint64_t nodes;
    uint64_t depth_plies_sum;
    uint32_t depth_moves; /* answers that came with a depth */
    uint32_t faults[DIALOGUE_FAULT_COUNT];
    uint32_t late_count;
    uint32_t late_us[MATCH_SIDE_MOVES_MAX]; /* answers that came after their limit: by how much */
};

struct game_record {
    uint32_t game, opening;
    unsigned black_engine;
    enum game_end end;
    uint8_t winner;              /* a colour or REFEREE_NOBODY */
    uint32_t plies;              /* without the opening's */
    struct side_record sides[2]; /* by engine */
};

void side_record_add_late(struct side_record *side, int64_t late_us);
/* 0, 1 or 2 for the first engine. */
unsigned game_record_half_points(const struct game_record *record);
/* Which engine lost: 0, 1, or -1 for a draw. */
int game_record_loser(const struct game_record *record);

struct engine_totals {
    uint64_t moves, nodes, depth_plies_sum, depth_moves;
    int64_t time_us;
    int64_t cpu_ms, cpu_time_us; /* processor time, and the thinking time of the games in which it is known */
    uint32_t black_games, black_half_points;
    uint32_t lost_by[GAME_END_COUNT];
    uint32_t faults[DIALOGUE_FAULT_COUNT];
    struct lateness lateness;
};

struct match_totals {
    struct match_score score;
    uint32_t ends[GAME_END_COUNT];
    uint64_t plies;
    struct engine_totals engines[2];
    int8_t *half_points; /* [games]; borrowed; -1 = not played */
    uint32_t games;
};

/* `half_points` has room for `games` results; it is filled with -1. */
void match_totals_init(struct match_totals *totals, int8_t *half_points, uint32_t games);
/* False, and nothing added, for a game that is already there or beyond the match. */
bool match_totals_add(struct match_totals *totals, const struct game_record *record, int64_t network_delay_us);

#endif
