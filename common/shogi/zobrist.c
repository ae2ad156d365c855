#include "common/shogi/zobrist.h"

#include "common/shogi/squares_x.h"

/* splitmix64 as a constant expression: the n-th output for the seed below. */
#define SEED        0x4d7572616b756d6full
#define SM_STATE(n) (SEED + ((uint64_t)(n) + 1) * 0x9e3779b97f4a7c15ull)
#define SM_1(z)     (((z) ^ ((z) >> 30)) * 0xbf58476d1ce4e5b9ull)
#define SM_2(z)     (((z) ^ ((z) >> 27)) * 0x94d049bb133111ebull)
#define SM_3(z)     ((z) ^ ((z) >> 31))
#define SPLITMIX(n) SM_3(SM_2(SM_1(SM_STATE(n))))

#define PIECE_SQUARE(piece, f, r) SPLITMIX((piece)*81 + (f)*9 + (r)),
#define P1(f, r)                  PIECE_SQUARE(1, f, r)
#define P2(f, r)                  PIECE_SQUARE(2, f, r)
#define P3(f, r)                  PIECE_SQUARE(3, f, r)
#define P4(f, r)                  PIECE_SQUARE(4, f, r)
#define P5(f, r)                  PIECE_SQUARE(5, f, r)
#define P6(f, r)                  PIECE_SQUARE(6, f, r)
#define P7(f, r)                  PIECE_SQUARE(7, f, r)
#define P8(f, r)                  PIECE_SQUARE(8, f, r)
#define P9(f, r)                  PIECE_SQUARE(9, f, r)
#define P10(f, r)                 PIECE_SQUARE(10, f, r)
#define P11(f, r)                 PIECE_SQUARE(11, f, r)
#define P12(f, r)                 PIECE_SQUARE(12, f, r)
#define P13(f, r)                 PIECE_SQUARE(13, f, r)
#define P14(f, r)                 PIECE_SQUARE(14, f, r)
#define P17(f, r)                 PIECE_SQUARE(17, f, r)
#define P18(f, r)                 PIECE_SQUARE(18, f, r)
#define P19(f, r)                 PIECE_SQUARE(19, f, r)
#define P20(f, r)                 PIECE_SQUARE(20, f, r)
#define P21(f, r)                 PIECE_SQUARE(21, f, r)
#define P22(f, r)                 PIECE_SQUARE(22, f, r)
#define P23(f, r)                 PIECE_SQUARE(23, f, r)
#define P24(f, r)                 PIECE_SQUARE(24, f, r)
#define P25(f, r)                 PIECE_SQUARE(25, f, r)
#define P26(f, r)                 PIECE_SQUARE(26, f, r)
#define P27(f, r)                 PIECE_SQUARE(27, f, r)
#define P28(f, r)                 PIECE_SQUARE(28, f, r)
#define P29(f, r)                 PIECE_SQUARE(29, f, r)
#define P30(f, r)                 PIECE_SQUARE(30, f, r)
#define ROW(X)                                                                                                         \
    {                                                                                                                  \
        FOR_SQUARES(X)                                                                                                 \
    }

const uint64_t zobrist_board[PIECE_COUNT][SQUARE_COUNT] = {
    [1] = ROW(P1),   [2] = ROW(P2),   [3] = ROW(P3),   [4] = ROW(P4),   [5] = ROW(P5),   [6] = ROW(P6),
    [7] = ROW(P7),   [8] = ROW(P8),   [9] = ROW(P9),   [10] = ROW(P10), [11] = ROW(P11), [12] = ROW(P12),
    [13] = ROW(P13), [14] = ROW(P14), [17] = ROW(P17), [18] = ROW(P18), [19] = ROW(P19), [20] = ROW(P20),
    [21] = ROW(P21), [22] = ROW(P22), [23] = ROW(P23), [24] = ROW(P24), [25] = ROW(P25), [26] = ROW(P26),
    [27] = ROW(P27), [28] = ROW(P28), [29] = ROW(P29), [30] = ROW(P30),
};

#define HAND_NUMBER(n) SPLITMIX(PIECE_COUNT *SQUARE_COUNT + (n))
const uint64_t zobrist_hand[COLOR_COUNT][HAND_TYPES + 1] = {
    {0, HAND_NUMBER(1), HAND_NUMBER(2), HAND_NUMBER(3), HAND_NUMBER(4), HAND_NUMBER(5), HAND_NUMBER(6), HAND_NUMBER(7)},
    {0, HAND_NUMBER(9), HAND_NUMBER(10), HAND_NUMBER(11), HAND_NUMBER(12), HAND_NUMBER(13), HAND_NUMBER(14),
     HAND_NUMBER(15)},
};
const uint64_t zobrist_side = HAND_NUMBER(0);

uint64_t zobrist_check(void)
{
    uint64_t sum = zobrist_side;
    for (size_t piece = 0; piece < PIECE_COUNT; piece++)
        for (size_t sq = 0; sq < SQUARE_COUNT; sq++) sum = (sum ^ zobrist_board[piece][sq]) * 0x9e3779b97f4a7c15ull;
    for (size_t c = 0; c < COLOR_COUNT; c++)
        for (size_t type = 0; type <= HAND_TYPES; type++) sum = (sum ^ zobrist_hand[c][type]) * 0x9e3779b97f4a7c15ull;
    return sum;
}
