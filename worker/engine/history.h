/* history.h - what moves were good lately: the tables that order moves, steer reductions and correct the evaluation.
 *
 * A table entry drifts towards +limit when its move causes cutoffs and towards -limit when other moves do ("gravity":
 * each bonus takes away a share of what is there, so entries never leave their limits). Pieces are as they stand after
 * the move; drops and moves of a piece share an entry.
 *
 * Threads: one set of tables per search thread.
 */
#ifndef MURAKUMO_ENGINE_HISTORY_H
#define MURAKUMO_ENGINE_HISTORY_H

#include <stdint.h>

#include "common/shogi/position.h"
#include "common/shogi/score.h"

enum {
    HISTORY_LIMIT = 8192, /* of butterfly, capture and pawn entries */
    CONTINUATION_LIMIT = 16384,
    HISTORY_PAWN_ENTRIES = 512,
    CORRECTION_ENTRIES = 16384,
    CORRECTION_LIMIT = 1024,
    CORRECTION_KINDS = 4
};

typedef int16_t continuation_row[PIECE_COUNT][SQUARE_COUNT];

struct history_tables {
    int16_t butterfly[COLOR_COUNT][32768];                      /* [side][move & 0x7fff] */
    int16_t capture[PIECE_COUNT][SQUARE_COUNT][TYPE_COUNT + 1]; /* [piece][to][victim] */
    int16_t pawn[HISTORY_PAWN_ENTRIES][PIECE_COUNT][SQUARE_COUNT];
    continuation_row continuation[PIECE_COUNT][SQUARE_COUNT]; /* [earlier piece][its square][piece][to] */
    continuation_row no_continuation;                         /* all 0: before the first move, after a pass */
    int16_t correction[CORRECTION_KINDS][COLOR_COUNT][CORRECTION_ENTRIES];
};

void history_clear(struct history_tables *h);

static inline void history_add(int16_t *entry, int bonus, int limit)
{
    if (bonus > limit) bonus = limit;
    if (bonus < -limit) bonus = -limit;
    int size = bonus < 0 ? -bonus : bonus;
    *entry = (int16_t)(*entry + bonus - *entry * size / limit);
}

/* Hash of the pawns of both sides, for the pawn and correction tables. */
static inline uint32_t history_mix(uint64_t a, uint64_t b)
{
    uint64_t x = a * 0x9e3779b97f4a7c15ull ^ b * 0xc2b2ae3d27d4eb4full;
    return (uint32_t)(x >> 40 ^ x >> 17);
}
static inline uint32_t history_mix_bitboards(Bitboard a, Bitboard b)
{
    return history_mix(a.lo * 0xff51afd7ed558ccdull + (a.hi << 23 | a.hi),
                       b.lo * 0xd6e8feb86659fd93ull + (b.hi << 31 | b.hi));
}
static inline uint32_t history_pawn_index(const struct position *pos)
{
    Bitboard pawns = pos->by_type[PAWN];
    return history_mix_bitboards(bb_and(pawns, pos->by_color[BLACK]), bb_and(pawns, pos->by_color[WHITE])) %
           HISTORY_PAWN_ENTRIES;
}

/* The piece as it will stand after the move. */
static inline Piece history_piece(const struct position *pos, Move move)
{
    if (move_is_drop(move)) return piece_make(pos->side, move_drop_type(move));
    return (Piece)(pos->board[move_from(move)] | (move_promotes(move) ? PROMOTED : 0));
}
static inline int16_t *history_butterfly(struct history_tables *h, Color side, Move move)
{
    return &h->butterfly[side][move & 0x7fff];
}
static inline int16_t *history_capture(struct history_tables *h, const struct position *pos, Move move)
{
    return &h->capture[history_piece(pos, move)][move_to(move)][piece_type(pos->board[move_to(move)])];
}

/* How far searches of positions alike ended from the static evaluation, in cp; added to the evaluation. */
Score history_correction_cp(const struct history_tables *h, const struct position *pos);
void history_correction_add(struct history_tables *h, const struct position *pos, Score difference_cp, int depth_plies);

#endif
