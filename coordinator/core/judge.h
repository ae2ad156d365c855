/* judge.h - what a played move was worth: loss in centipawns and in win probability, and a word for it.
 *
 * The value of a move is read from the next position with the sign flipped, so one search per position judges every
 * move. Scores are the wire's: WIRE_SCORE_CP or WIRE_SCORE_MATE (signed plies), from the side to move of their own
 * position.
 *
 * Win probability: 1 / (1 + exp(-cp / 600)), the scale that shogi programs commonly use, in permille from a table of
 * integers (the same on every machine). Classes follow the loss of win probability: 50, 100, 150 permille for
 * inaccuracy (疑問手), mistake (悪手) and blunder (大悪手). A move equal to the engine's own choice is never blamed:
 * two searches of different roots disagree a little.
 */
#ifndef MURAKUMO_COORDINATOR_JUDGE_H
#define MURAKUMO_COORDINATOR_JUDGE_H

#include "proto/schema.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    JUDGE_CP_MAX = 3000, /* larger values, and mates, count as this much when losses are summed */
    JUDGE_INACCURACY_PERMILLE = 50,
    JUDGE_MISTAKE_PERMILLE = 100,
    JUDGE_BLUNDER_PERMILLE = 150
};

struct judge_score {
    uint32_t kind; /* enum wire_score_kind; WIRE_SCORE_NONE = not known */
    int32_t score;
};

enum judge_class {
    JUDGE_UNKNOWN,
    JUDGE_BEST,
    JUDGE_GOOD,
    JUDGE_INACCURACY,
    JUDGE_MISTAKE,
    JUDGE_BLUNDER,
    JUDGE_MISSED_MATE
};

struct judge_verdict {
    enum judge_class class;
    int32_t loss_cp;       /* >= 0; both sides clamped to +-JUDGE_CP_MAX */
    int32_t loss_permille; /* of win probability, >= 0 */
};

/* `before`: of the position in which the move was played; `after`: of the position after it, seen by the opponent. */
struct judge_verdict judge_move(struct judge_score before, struct judge_score after, bool played_is_best);

/* 0..1000, for the side to move; mates are 0 or 1000. 500 if not known. */
int32_t judge_win_permille(struct judge_score score);
/* Centipawns for sums and graphs: clamped, mates at the ends. 0 if not known. */
int32_t judge_cp(struct judge_score score);
/* "best", "good", "inaccuracy", "mistake", "blunder", "missed mate", "" for unknown. */
const char *judge_class_name(enum judge_class class);

#endif
