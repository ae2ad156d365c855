/* outcome.h - how games end: repetition (千日手, 連続王手の千日手), declaration (入玉宣言), move limit, mate.
 *
 * Sources: the rules of the Japan Shogi Association; CSA tournament rules (27-point declaration); for the names of the
 * rule variants the option EnteringKingRule as GUIs know it.
 * Referee verdicts use the whole history (4th occurrence). The search uses history_search_verdict(), which takes the
 * second occurrence inside the search and knows superior and inferior repetition.
 */
#ifndef MURAKUMO_SHOGI_OUTCOME_H
#define MURAKUMO_SHOGI_OUTCOME_H

#include "common/shogi/position.h"

enum entering_king_rule { RULE_NONE, RULE_CSA24, RULE_CSA24H, RULE_CSA27, RULE_CSA27H, RULE_TRY, RULE_COUNT };
/* "NoEnteringKing", "CSARule24", "CSARule24H", "CSARule27", "CSARule27H", "TryRule". */
const char *entering_king_rule_name(enum entering_king_rule rule);
bool entering_king_rule_from_name(const char *name, enum entering_king_rule *rule);

/* May the side to move declare now and win? For RULE_TRY: is there a legal king move to the try square? (then *move is
 * that king move); else *move = MOVE_WIN. `handicap_points` = 56 minus the points of all pieces (H rules); computed
 * inside. */
bool declaration_wins(const struct position *pos, enum entering_king_rule rule, Move *move);

/* Every position of a game so far, plus those of the search line above. Entry 0 is the start; the last is the present.
 */
enum { HISTORY_MAX = 4096 };
struct history_entry {
    uint64_t board_key; /* includes the side to move */
    Hand hand_black, hand_white;
    uint16_t check_run[COLOR_COUNT]; /* number of consecutive moves of that colour, up to now, that gave check */
    uint16_t plies_since_null;       /* search never looks back over a pass */
};
struct history {
    uint32_t count;
    struct history_entry entries[HISTORY_MAX];
};
void history_start(struct history *h, const struct position *pos);
/* After position_do / position_do_null. False (and nothing done) when HISTORY_MAX is reached. */
bool history_push(struct history *h, const struct position *pos);
bool history_push_null(struct history *h, const struct position *pos);
void history_pop(struct history *h);

enum outcome {
    OUTCOME_NONE,
    OUTCOME_DRAW_REPETITION, /* 千日手 */
    OUTCOME_PERPETUAL_WIN,   /* the side to move wins: the other side gave perpetual check */
    OUTCOME_PERPETUAL_LOSS,  /* the side to move loses: it gave perpetual check */
    OUTCOME_SUPERIOR,        /* search only: same board, side to move has more in hand */
    OUTCOME_INFERIOR,        /* search only: same board, side to move has less in hand */
    OUTCOME_DRAW_MOVE_LIMIT,
    OUTCOME_MATED, /* the side to move has no legal move */
};
/* Referee: 4th occurrence over the full history. */
enum outcome history_referee(const struct history *h, const struct position *pos);
/* Search: `root_count` = h->count at the root. An occurrence after the root counts at once; at or before the root only
 * as the fourth. *plies_back = distance to the repeated position. */
enum outcome history_search_verdict(const struct history *h, const struct position *pos, uint32_t root_count,
                                    int *plies_back);
/* Mate first, then repetition, then the move limit (0 = off): "draw after move N unless that move mates". */
enum outcome game_outcome(const struct history *h, const struct position *pos, unsigned max_moves_to_draw);

#endif
