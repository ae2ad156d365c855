/* annotate.h - an analysed game as a game record: the evaluations become comments of the moves, as other programs write
 * and read them.
 *
 *   CSA   '** 113 -3334FU +2625FU #12345      Black's score after the move, the line that follows, nodes (CSA V3.0)
 *         'blunder: -23 % win probability, better +2726FU
 *   KIF   **評価値=113   **読み筋=△３四歩▲２五歩   (ShogiHome)
 *         **大悪手 勝率-23% 最善手=▲２六歩
 *
 * A mate is ±100000 in CSA, as engines write it there, and 詰み=先手勝ち:5手 in KIF. Comments that the record had stay.
 */
#ifndef MURAKUMO_VIEW_ANNOTATE_H
#define MURAKUMO_VIEW_ANNOTATE_H

#include "coordinator/view/game_table.h"

enum annotate_style { ANNOTATE_CSA, ANNOTATE_KIF };
enum { ANNOTATE_CSA_MATE = 100000 };

/* positions[0 .. record_plies(record)]; those that were not analysed get no comment. ST_FULL: too many comments, the
 * rest is left out. */
MUST_USE enum status annotate_record(struct record *record, const struct game_position *positions,
                                     enum annotate_style style);

#endif
