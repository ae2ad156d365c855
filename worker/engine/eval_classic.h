/* eval_classic.h - the weights of the hand-crafted evaluation, and the way the tuner sees them.
 *
 * The score is a sum of weight * count over these terms, Black's minus White's, each seen by its owner (White's board is
 * turned round). Left and right are alike: files are folded. Unit: 1/8 centipawn. The weights come from worker/train, which
 * fits them to games; it sees them as one flat array of int16, in the order of this struct.
 */
#ifndef MURAKUMO_ENGINE_EVAL_CLASSIC_H
#define MURAKUMO_ENGINE_EVAL_CLASSIC_H

#include "common/shogi/position.h"

enum {
    CLASSIC_UNIT = 8,         /* weights per centipawn */
    CLASSIC_RELATIVE = 9 * 17, /* |files apart| * 17 + ranks apart (towards the owner's back rank: +) + 8 */
    CLASSIC_FOLDED = 45,       /* folded file 0..4 * 9 + rank */
    CLASSIC_RING = 5,          /* ahead, ahead aside, aside, behind aside, behind */
    CLASSIC_STATES = 36,       /* (enemy attacks 0..3 * 3 + own guards 0..2) * 3 + empty, own, enemy piece */
    CLASSIC_HAND_POWER = 6,    /* how much the attacker can drop: 0..5 */
    CLASSIC_MOBILITY = 18
};

struct classic_weights {
    int16_t material[TYPE_COUNT + 1];
    int16_t square[TYPE_COUNT + 1][CLASSIC_FOLDED];
    int16_t own_king[TYPE_COUNT + 1][CLASSIC_RELATIVE];
    int16_t enemy_king[TYPE_COUNT + 1][CLASSIC_RELATIVE];
    int16_t king_square[CLASSIC_FOLDED];
    int16_t hand[HAND_TYPES + 1][19];                        /* [type][count] */
    int16_t ring[CLASSIC_RING][CLASSIC_STATES];              /* squares next to the own king */
    int16_t ring_wall[CLASSIC_RING];                         /* the edge of the board */
    int16_t ring_weak[CLASSIC_HAND_POWER][9];                /* [enemy's power][squares attacked and guarded by the king only] */
    int16_t ring_flee[CLASSIC_HAND_POWER][9];                /* [enemy's power][squares where the king can go] */
    int16_t near_attacked[2][3];                             /* [distance 2, 3][attacks by the enemy, at least 1, 2, 3]: per square */
    int16_t near_guarded[2][2];
    int16_t attacked[TYPE_COUNT + 1][2];                     /* own piece attacked: unguarded, guarded */
    int16_t mobility[TYPE_COUNT + 1][CLASSIC_MOBILITY];      /* lance, bishop, rook, horse, dragon: squares not held by own pieces */
    int16_t tempo;
};

enum { CLASSIC_WEIGHT_COUNT = sizeof(struct classic_weights) / sizeof(int16_t) };

extern const struct classic_weights classic_weights;

/* Calls emit(context, index of the weight, count for the side to move) for every term: score = sum / CLASSIC_UNIT. */
void classic_trace(const struct position *pos, void (*emit)(void *context, int index, int count), void *context);

#endif
