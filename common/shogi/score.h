/* score.h - what a position is worth to the side to move: centipawns, or an exact distance to mate.
 *
 * Inside the search a Score is one int. |score| >= SCORE_MATE_BOUND means mate: SCORE_MATE - plies when the side to
 * move wins, -(SCORE_MATE - plies) when it loses. Anything that leaves the engine goes through score_is_mate /
 * score_mate_plies, so a mate can never be printed as centipawns. Repetition by superiority (優等局面 / 劣等局面) is
 * +-SCORE_SUPERIOR inside search: below the mates, and clamped to +-SCORE_CP_MAX on its way out.
 */
#ifndef MURAKUMO_SHOGI_SCORE_H
#define MURAKUMO_SHOGI_SCORE_H

#include <stdbool.h>

typedef int Score;
enum {
    SCORE_NONE = 32001, /* "no score"; never compared */
    SCORE_INFINITE = 32000,
    SCORE_MATE = 31900,
    SCORE_PLIES_MAX = 1000,
    SCORE_MATE_BOUND = SCORE_MATE - SCORE_PLIES_MAX, /* 30900 */
    SCORE_SUPERIOR = 30500,
    SCORE_CP_MAX = 30000 /* largest centipawn value that is ever shown */
};

static inline Score score_mate_in(int plies) { return SCORE_MATE - plies; }
static inline Score score_mated_in(int plies) { return plies - SCORE_MATE; }
static inline bool score_is_mate(Score s) { return s >= SCORE_MATE_BOUND || s <= -SCORE_MATE_BOUND; }
/* Signed plies: 3 = we mate in 3 plies, -2 = we are mated in 2. Only if score_is_mate. */
static inline int score_mate_plies(Score s) { return s > 0 ? SCORE_MATE - s : -SCORE_MATE - s; }
static inline Score score_clamp_cp(Score s)
{
    return s > SCORE_CP_MAX ? SCORE_CP_MAX : s < -SCORE_CP_MAX ? -SCORE_CP_MAX : s;
}

#endif
