#include "coordinator/cli/match_totals.h"

#include <string.h>

void side_record_add_late(struct side_record *side, int64_t late_us)
{
    if (late_us <= 0 || side->late_count == MATCH_SIDE_MOVES_MAX) return;
    side->late_us[side->late_count++] = late_us < UINT32_MAX ? (uint32_t)late_us : UINT32_MAX;
}

int game_record_loser(const struct game_record *record)
{
    if (record->winner == REFEREE_NOBODY) return -1;
    return record->winner == BLACK ? 1 - (int)record->black_engine : (int)record->black_engine;
}

unsigned game_record_half_points(const struct game_record *record)
{
    int loser = game_record_loser(record);
    return loser < 0 ? 1 : loser == 0 ? 0 : 2;
}

void match_totals_init(struct match_totals *totals, int8_t *half_points, uint32_t games)
{
    memset(totals, 0, sizeof *totals);
    totals->half_points = half_points;
    totals->games = games;
    memset(half_points, -1, games);
}

static void add_side(struct engine_totals *totals, const struct side_record *side, int64_t network_delay_us)
{
    totals->moves += side->moves;
    totals->nodes += side->nodes;
    totals->time_us += side->time_us;
    if (side->cpu_ms >= 0) {
        totals->cpu_ms += side->cpu_ms;
        totals->cpu_time_us += side->time_us;
    }
    totals->depth_plies_sum += side->depth_plies_sum;
    totals->depth_moves += side->depth_moves;
    for (unsigned i = 0; i < DIALOGUE_FAULT_COUNT; i++) totals->faults[i] += side->faults[i];
    for (uint32_t i = 0; i < side->late_count; i++) lateness_add(&totals->lateness, side->late_us[i], network_delay_us);
    for (uint32_t i = side->late_count; i < side->limited_moves; i++)
        lateness_add(&totals->lateness, 0, network_delay_us);
}

bool match_totals_add(struct match_totals *totals, const struct game_record *record, int64_t network_delay_us)
{
    if (record->game >= totals->games || totals->half_points[record->game] >= 0) return false;
    unsigned half_points = game_record_half_points(record);
    totals->half_points[record->game] = (int8_t)half_points;
    match_score_add_game(&totals->score, half_points);
    uint32_t other = record->game ^ 1;
    if (other < totals->games && totals->half_points[other] >= 0)
        match_score_add_pair(&totals->score, half_points, (unsigned)totals->half_points[other]);

    totals->ends[record->end]++;
    totals->plies += record->plies;
    struct engine_totals *black = &totals->engines[record->black_engine];
    black->black_games++;
    black->black_half_points += record->black_engine == 0 ? half_points : 2 - half_points;
    int loser = game_record_loser(record);
    if (loser >= 0) totals->engines[loser].lost_by[record->end]++;
    for (unsigned i = 0; i < 2; i++) add_side(&totals->engines[i], &record->sides[i], network_delay_us);
    return true;
}
