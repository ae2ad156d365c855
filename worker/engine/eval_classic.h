/* eval_classic.h - the weights of the hand-crafted evaluation, and the way the tuner sees them.
 *
 * The score is a sum of weight * count over these terms, Black's minus White's, each seen by its owner (White's board
 * is turned round). Left and right are alike: files are folded. Unit: 1/8 centipawn. Phased weights are two, for the
 * opening and for the end; the phase (0..PHASE_MAX) grows with the pieces in hand and with those that have gone
 * forward. The weights come from worker/train, which fits them to games; it sees them as one flat array of int16, in
 * the order of this struct.
 */
#ifndef MURAKUMO_ENGINE_EVAL_CLASSIC_H
#define MURAKUMO_ENGINE_EVAL_CLASSIC_H

#include "common/shogi/position.h"

enum {
    CLASSIC_UNIT = 8,          /* weights per centipawn */
    CLASSIC_RELATIVE = 9 * 17, /* |files apart| * 17 + ranks apart (towards the owner's back rank: +) + 8 */
    CLASSIC_FOLDED = 45,       /* folded file 0..4 * 9 + rank */
    CLASSIC_RING = 5,          /* ahead, ahead aside, aside, behind aside, behind */
    CLASSIC_STATES = 36,       /* (enemy attacks 0..3 * 3 + own guards 0..2) * 3 + empty, own, enemy piece */
    CLASSIC_HAND_POWER = 6,    /* how much the attacker can drop: 0..5 */
    CLASSIC_MOBILITY = 18,
    CLASSIC_ATTACKED = 12,
    CLASSIC_PHASE_MAX = 64
};

typedef int16_t Phased[2]; /* opening, end */

struct classic_weights {
    int16_t material[TYPE_COUNT + 1];
    int16_t square[TYPE_COUNT + 1][CLASSIC_FOLDED];
    int16_t own_king[TYPE_COUNT + 1][CLASSIC_RELATIVE];
    int16_t enemy_king[TYPE_COUNT + 1][CLASSIC_RELATIVE];
    Phased king_square[CLASSIC_FOLDED];
    Phased hand[HAND_TYPES + 1][19];           /* [type][count] */
    Phased ring[CLASSIC_RING][CLASSIC_STATES]; /* squares next to the own king */
    Phased ring_wall[CLASSIC_RING];            /* the edge of the board */
    Phased ring_weak[CLASSIC_HAND_POWER][9];   /* [enemy's power][squares attacked and guarded by the king only] */
    Phased ring_flee[CLASSIC_HAND_POWER][9];   /* [enemy's power][squares where the king can go] */
    Phased near_attacked[2][3];                /* [distance 2, 3][attacks by the enemy, at least 1, 2, 3]: per square */
    Phased near_guarded[2][2];
    Phased attacked[TYPE_COUNT + 1]
                   [CLASSIC_ATTACKED];    /* own piece attacked: (twice * 3 + guards 0..2) * 2 + by a pawn */
    Phased hanging[TYPE_COUNT + 1][2][3]; /* the same, [its side is to move][guards] */
    Phased guarded[TYPE_COUNT + 1];       /* own piece guarded; all that move like gold count as gold */
    Phased held[9];                       /* squares of a rank that only we attack, ranks as we see them */
    Phased mobility[TYPE_COUNT + 1]
                   [CLASSIC_MOBILITY]; /* lance, bishop, rook, horse, dragon: squares not held by own pieces */
    Phased tempo;
};

enum { CLASSIC_WEIGHT_COUNT = sizeof(struct classic_weights) / sizeof(int16_t) };

extern const struct classic_weights classic_weights;

/* Calls emit(context, index of the weight, count for the side to move) for every term; a phased weight is told twice,
 * its counts multiplied with the share of its phase, all others with CLASSIC_PHASE_MAX: score = sum / CLASSIC_PHASE_MAX
 * / CLASSIC_UNIT, but for rounding. */
void classic_trace(const struct position *pos, void (*emit)(void *context, int index, int count), void *context);

#endif
