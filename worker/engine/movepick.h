/* movepick.h - hands the moves of a node to the search, the most promising first, generating them as late as possible.
 *
 *   main search, not in check:  table move | captures that win or keep material | quiets by history | losing captures |
 *                               bad quiets
 *   in check:                   table move | evasions by capture value and history
 *   quiescence:                 table move (if a capture) | captures
 *
 * Moves are pseudo-legal: the search asks position_legal(). The list lives in a pool of the search thread, above those
 * of the nodes further up (see search_frame.pool_end).
 */
#ifndef MURAKUMO_ENGINE_MOVEPICK_H
#define MURAKUMO_ENGINE_MOVEPICK_H

#include "worker/engine/history.h"

struct scored_move {
    Move move;
    int32_t score;
};

enum movepick_stage {
    PICK_TT,
    PICK_CAPTURES_INIT,
    PICK_CAPTURES,
    PICK_QUIETS_INIT,
    PICK_QUIETS,
    PICK_BAD_CAPTURES,
    PICK_BAD_QUIETS,
    PICK_EVASION_TT,
    PICK_EVASIONS_INIT,
    PICK_EVASIONS,
    PICK_QS_TT,
    PICK_QS_INIT,
    PICK_QS,
    PICK_DONE
};

enum { MOVEPICK_CONTINUATIONS = 4 };

struct movepick {
    const struct position *pos;
    struct history_tables *history;
    continuation_row *continuation[MOVEPICK_CONTINUATIONS]; /* of 1, 2, 4, 6 plies ago; never NULL */
    struct scored_move *begin;                              /* bad captures are kept here */
    struct scored_move *bad_end;                            /* end of the bad captures */
    struct scored_move *quiets;                             /* begin of the quiets */
    struct scored_move *cur, *end;
    enum movepick_stage stage;
    Move tt_move;
    int depth_plies;
    int check_bonus; /* of quiet moves that give a check without losing much; may be set after movepick_init() */
    uint32_t pawn_index;
    bool full; /* the pointless non-promotions too */
};

/* `pool` must have room for MOVES_MAX moves. The table move is tested (position_pseudo_legal) here. */
void movepick_init(struct movepick *mp, const struct position *pos, struct history_tables *history,
                   continuation_row *const continuation[MOVEPICK_CONTINUATIONS], Move tt_move, int depth_plies,
                   bool full, struct scored_move *pool);
void movepick_init_quiescence(struct movepick *mp, const struct position *pos, struct history_tables *history,
                              continuation_row *const continuation[MOVEPICK_CONTINUATIONS], Move tt_move, bool full,
                              struct scored_move *pool);

/* MOVE_NONE when there are no more. With `skip_quiets` only captures follow (ignored in check). */
Move movepick_next(struct movepick *mp, bool skip_quiets);

/* Is it a capture or a pawn promotion, i.e. what MOVEGEN_CAPTURES lists? */
static inline bool move_is_tactical(const struct position *pos, Move move)
{
    if (move_is_drop(move)) return false;
    return pos->board[move_to(move)] != NO_PIECE ||
           (move_promotes(move) && piece_type(pos->board[move_from(move)]) == PAWN);
}

#endif
