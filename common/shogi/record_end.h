/* record_end.h - how recorded games end, and the words for it in each format.
 *
 * Sources: CSA record standard V2.2 (2008) and V3.0 (2024); the KIF description of Kifu for Windows (2024); what
 *          programs write beyond them (ShogiHome, Shogidokoro, 81Dojo, shogi-server).
 * A word that is not listed is kept as text (RECORD_END_OTHER): an archive may not lose what it does not understand.
 */
#ifndef MURAKUMO_SHOGI_RECORD_END_H
#define MURAKUMO_SHOGI_RECORD_END_H

#include "common/base/text.h"

/* What the end means for the side whose turn it is. */
enum record_verdict { VERDICT_NONE, VERDICT_LOSES, VERDICT_WINS, VERDICT_DRAW };

/* X(name, CSA word, KIF word, verdict). NULL: the format has no word of its own. */
#define RECORD_ENDS(X)                                                                                                 \
    X(NONE, NULL, NULL, VERDICT_NONE) /* the record just stops */                                                      \
    X(RESIGN, "TORYO", "投了", VERDICT_LOSES)                                                                          \
    X(REPETITION, "SENNICHITE", "千日手", VERDICT_DRAW)                                                                \
    X(IMPASSE, "JISHOGI", "持将棋", VERDICT_DRAW)                                                                      \
    X(DRAW, "HIKIWAKE", "引き分け", VERDICT_DRAW)                                                                      \
    X(DECLARATION, "KACHI", "入玉勝ち", VERDICT_WINS)                                                                  \
    X(TIME_UP, "TIME_UP", "切れ負け", VERDICT_LOSES)                                                                   \
    X(ILLEGAL_LOSS, "ILLEGAL_MOVE", "反則負け", VERDICT_LOSES)                                                         \
    X(ILLEGAL_WIN, "ILLEGAL_ACTION", "反則勝ち", VERDICT_WINS) /* CSA: with the sign of the culprit */                 \
    X(INTERRUPTED, "CHUDAN", "中断", VERDICT_NONE)                                                                     \
    X(MAX_MOVES, "MAX_MOVES", "最大手数", VERDICT_DRAW)                                                                \
    X(MATE, "TSUMI", "詰み", VERDICT_LOSES) /* the side to move is mated */                                            \
    X(NO_MATE, "FUZUMI", "不詰", VERDICT_NONE)                                                                         \
    X(TAKEN_BACK, "MATTA", "待った", VERDICT_NONE)                                                                     \
    X(ERROR, "ERROR", "エラー", VERDICT_NONE)                                                                          \
    X(DEFAULT_WIN, NULL, "不戦勝", VERDICT_WINS)                                                                       \
    X(DEFAULT_LOSS, NULL, "不戦敗", VERDICT_LOSES)                                                                     \
    X(OTHER, NULL, NULL, VERDICT_NONE) /* the word itself is kept */

enum record_end {
#define RECORD_END_ENUM(name, csa, kif, verdict) RECORD_END_##name,
    RECORD_ENDS(RECORD_END_ENUM)
#undef RECORD_END_ENUM
        RECORD_END_COUNT
};

const char *record_end_csa(enum record_end end); /* NULL if CSA has no word for it */
const char *record_end_kif(enum record_end end);
enum record_verdict record_end_verdict(enum record_end end);

/* The word after the `%` (without the sign of an ILLEGAL_ACTION). RECORD_END_OTHER for any other word. */
enum record_end record_end_from_csa(struct text word);
/* RECORD_END_OTHER for any other word; knows the spellings in use ("詰", "時間切れ", "宣言勝ち", ...). */
enum record_end record_end_from_kif(struct text word);

#endif
