/* squares_x.h - X-macros over the 81 squares, for tables that the compiler fills in. Include from .c files only. */
#ifndef MURAKUMO_SHOGI_SQUARES_X_H
#define MURAKUMO_SHOGI_SQUARES_X_H

#define FOR_FILE(X, f) X(f, 0) X(f, 1) X(f, 2) X(f, 3) X(f, 4) X(f, 5) X(f, 6) X(f, 7) X(f, 8)
/* X(file 0..8, rank 0..8), in numbering order */
#define FOR_SQUARES(X)                                                                                                 \
    FOR_FILE(X, 0)                                                                                                     \
    FOR_FILE(X, 1)                                                                                                     \
    FOR_FILE(X, 2) FOR_FILE(X, 3) FOR_FILE(X, 4) FOR_FILE(X, 5) FOR_FILE(X, 6) FOR_FILE(X, 7) FOR_FILE(X, 8)

#define ON_BOARD(f, r) ((f) >= 0 && (f) < 9 && (r) >= 0 && (r) < 9)
/* The bit of a square in each word; 0 off the board. Shift counts are masked because both arms must be valid constants.
 */
#define BIT_LO(f, r) (ON_BOARD(f, r) && (f) < 7 ? 1ull << (((f)*9 + (r)) & 63) : 0ull)
#define BIT_HI(f, r) (ON_BOARD(f, r) && (f) >= 7 ? 1ull << (((f)*9 + (r)-63) & 63) : 0ull)

#endif
