/* scan_summary.h - what many analysed games say about players and openings.
 *
 * Players: no single magic number, but counts by class, a histogram of the lost win probability, sums with their sample
 *          size, and results. A name is a person only as far as the records spell it alike.
 * Openings: positions of the first OPENING_PLIES plies, reached by whatever order of moves, that at least two games
 *          share: how often, and how the games ended.
 * Memory:  grows with players and opening positions, OPENING_POSITIONS_MAX at most. The same games in the same order
 *          give the same bytes.
 */
#ifndef MURAKUMO_VIEW_SCAN_SUMMARY_H
#define MURAKUMO_VIEW_SCAN_SUMMARY_H

#include "coordinator/view/game_table.h"

enum { OPENING_PLIES = 24, OPENING_POSITIONS_MAX = 1 << 20, LOSS_BUCKETS = 8 };

struct summary_player;
struct summary_opening;

struct scan_summary {
    struct summary_player *players;
    size_t player_count, player_capacity;
    struct summary_opening *openings; /* open addressing by position key */
    size_t opening_count, opening_capacity;
    bool broken; /* no memory */
};

void scan_summary_init(struct scan_summary *s);
void scan_summary_free(struct scan_summary *s);
void scan_summary_add(struct scan_summary *s, const struct record *record, const struct game_position *positions);
/* JSON lines of type "player" (by name) and "opening" (most frequent first). */
void scan_summary_write(const struct scan_summary *s, struct text_buffer *out);
/* The same as two CSV tables, head first. */
void scan_summary_write_players_csv(const struct scan_summary *s, struct text_buffer *out);
void scan_summary_write_openings_csv(const struct scan_summary *s, struct text_buffer *out);

#endif
