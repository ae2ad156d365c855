/* history.c - see history.h. */
#include "worker/engine/history.h"

#include <string.h>

void history_clear(struct history_tables *h) { memset(h, 0, sizeof *h); }

/* What makes positions "alike": pawns; kings and generals; hands and kings; bishops, rooks and what they became. */
static void correction_indices(const struct position *pos, uint32_t index[CORRECTION_KINDS])
{
    Bitboard black = pos->by_color[BLACK], white = pos->by_color[WHITE];
    Bitboard pawns = pos->by_type[PAWN];
    Bitboard castle = bb_or(pos->by_type[KING], bb_or(pos->by_type[GOLD], pos->by_type[SILVER]));
    Bitboard big =
        bb_or(bb_or(pos->by_type[BISHOP], pos->by_type[HORSE]), bb_or(pos->by_type[ROOK], pos->by_type[DRAGON]));
    uint64_t kings = (uint64_t)pos->king[BLACK] << 8 | pos->king[WHITE];
    index[0] = history_mix_bitboards(bb_and(pawns, black), bb_and(pawns, white));
    index[1] = history_mix_bitboards(bb_and(castle, black), bb_and(castle, white));
    index[2] = history_mix((uint64_t)pos->hand[BLACK] << 32 | pos->hand[WHITE], kings + 1);
    index[3] = history_mix_bitboards(bb_and(big, black), bb_and(big, white));
    for (int i = 0; i < CORRECTION_KINDS; i++) index[i] %= CORRECTION_ENTRIES;
}

Score history_correction_cp(const struct history_tables *h, const struct position *pos)
{
    uint32_t index[CORRECTION_KINDS];
    correction_indices(pos, index);
    int sum = 0;
    for (int i = 0; i < CORRECTION_KINDS; i++) sum += h->correction[i][pos->side][index[i]];
    return sum / 10; /* four full entries are worth 400 cp */
}

void history_correction_add(struct history_tables *h, const struct position *pos, Score difference_cp, int depth_plies)
{
    uint32_t index[CORRECTION_KINDS];
    correction_indices(pos, index);
    int bonus = difference_cp * depth_plies / 8;
    if (bonus > CORRECTION_LIMIT / 4) bonus = CORRECTION_LIMIT / 4;
    if (bonus < -CORRECTION_LIMIT / 4) bonus = -CORRECTION_LIMIT / 4;
    for (int i = 0; i < CORRECTION_KINDS; i++)
        history_add(&h->correction[i][pos->side][index[i]], bonus, CORRECTION_LIMIT);
}
