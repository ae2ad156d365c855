/* record_score.h - evaluations that programs leave in the comments of a game record.
 *
 * Four styles, all from Black's point of view:
 *   floodgate, WCSC, usi-csa-bridge   '** 113 -3334FU +2625FU #12345        (also as a KIF ** comment)
 *   ShogiHome                         **評価値=-35   *#評価値=120   **詰み=先手勝ち:15手
 *   ShogiGUI                          **対局 深さ 8 ノード数 12345 評価値 -35 読み筋 ...   (評価値 +詰 7)
 *   Shogidokoro                       *-63   *78--   (the whole comment is the number)
 * Sources: the formats as these programs write them; CSA V3.0 for the `'**` line.
 */
#ifndef MURAKUMO_SHOGI_RECORD_SCORE_H
#define MURAKUMO_SHOGI_RECORD_SCORE_H

#include "common/shogi/record.h"

struct record_score {
    enum record_score_kind kind;
    int32_t value; /* as in struct record_move */
};

/* `comment` is a line without its mark. kind NONE if there is no score in it. */
struct record_score record_score_read(struct text comment, enum record_comment_kind kind, bool plain_scores);

#endif
