/* see.c - see see.h. */
#include "worker/engine/see.h"

#include "common/shogi/attacks.h"

#define P_CP 90
#define L_CP 300
#define N_CP 330
#define S_CP 450
#define G_CP 510
#define B_CP 740
#define R_CP 860
#define T_CP 520 /* promoted pawn, lance, knight, silver */
#define H_CP 990
#define D_CP 1150
const int16_t see_piece_cp[TYPE_COUNT + 1] = {0,     P_CP, L_CP, N_CP, S_CP, B_CP, R_CP, G_CP,
                                              15000, T_CP, T_CP, T_CP, T_CP, H_CP, D_CP, 0};
const int16_t see_exchange_cp[TYPE_COUNT + 1] = {
    0,     2 * P_CP,    2 * L_CP,    2 * N_CP,    2 * S_CP,    2 * B_CP,    2 * R_CP,    2 * G_CP,
    30000, T_CP + P_CP, T_CP + L_CP, T_CP + N_CP, T_CP + S_CP, H_CP + B_CP, D_CP + R_CP, 0};

/* Cheapest first; pieces that move like gold are told apart because they leave different pieces in the enemy's hand. */
static const PieceType order[] = {PAWN, LANCE,      KNIGHT, PRO_PAWN, SILVER, PRO_LANCE, PRO_KNIGHT,
                                  GOLD, PRO_SILVER, BISHOP, ROOK,     HORSE,  DRAGON,    KING};

bool see_at_least(const struct position *pos, Move move, Score threshold_cp)
{
    Square to = move_to(move);
    PieceType mover;
    Bitboard occupied = pos->by_type[NO_TYPE];
    int balance = -threshold_cp;
    if (move_is_drop(move)) {
        mover = move_drop_type(move);
        if (balance < 0) return false;
    } else {
        Square from = move_from(move);
        mover = piece_type(pos->board[from]);
        balance += see_exchange_cp[piece_type(pos->board[to])];
        if (move_promotes(move)) {
            balance += see_promotion_cp(mover);
            mover |= PROMOTED;
        }
        if (balance < 0) return false;
        occupied = bb_without(occupied, bb_square(from));
    }
    balance -= see_exchange_cp[mover]; /* if it is simply taken */
    if (balance >= 0) return true;
    occupied = bb_or(occupied, bb_square(to));

    Color side = color_other(pos->side);
    Bitboard attackers[COLOR_COUNT];
    attackers[BLACK] = bb_and(position_attackers(pos, BLACK, to, occupied), occupied);
    attackers[WHITE] = bb_and(position_attackers(pos, WHITE, to, occupied), occupied);
    /* Sliders that may join when a piece in front of them leaves. */
    Bitboard bishops = bb_or(pos->by_type[BISHOP], pos->by_type[HORSE]);
    Bitboard rooks = bb_or(pos->by_type[ROOK], pos->by_type[DRAGON]);
    Bitboard lances = pos->by_type[LANCE];
    bool result =
        true; /* the side that moved last stands at `balance` < 0 after being taken: `side` is about to prove it */
    for (;;) {
        Bitboard mine = bb_and(attackers[side], occupied);
        /* A pinned piece may take only along its pin. */
        Bitboard pinned = bb_and(mine, pos->blockers[side]);
        Square sq;
        while (bb_next(&pinned, &sq))
            if (pos->king[side] != SQUARE_NONE && piece_color(pos->board[sq]) == side &&
                !attacks_same_ray(pos->king[side], sq, to))
                mine = bb_without(mine, bb_square(sq));
        if (bb_empty(mine)) break;
        result = !result;
        PieceType type = KING;
        Bitboard group = bb_none();
        for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
            type = order[i];
            group = bb_and(mine, pos->by_type[type]);
            if (!bb_empty(group)) break;
        }
        if (type == KING) /* the king may take only what nothing defends any more */
            return bb_empty(bb_and(attackers[color_other(side)], occupied)) ? result : !result;
        Square from = bb_first(group);
        occupied = bb_without(occupied, bb_square(from));
        /* `side` has taken and is now about to be taken in turn. */
        balance = -balance - see_exchange_cp[type];
        if (balance >= (result ? 0 : 1)) break; /* fine even if the taker is lost */
        enum direction d = direction_between(to, from);
        if (d != DIR_NONE) {
            Bitboard ray = bb_and(attacks_ray(d, to, occupied), occupied);
            Bitboard behind =
                bb_and(ray, d == DIR_NORTH || d == DIR_SOUTH || d == DIR_WEST || d == DIR_EAST ? rooks : bishops);
            if (d == DIR_SOUTH) behind = bb_or(behind, bb_and(bb_and(ray, lances), pos->by_color[BLACK]));
            if (d == DIR_NORTH) behind = bb_or(behind, bb_and(bb_and(ray, lances), pos->by_color[WHITE]));
            attackers[BLACK] = bb_or(attackers[BLACK], bb_and(behind, pos->by_color[BLACK]));
            attackers[WHITE] = bb_or(attackers[WHITE], bb_and(behind, pos->by_color[WHITE]));
        }
        side = color_other(side);
    }
    return result;
}
