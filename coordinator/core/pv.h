/* pv.h - lines of moves that came from outside: read under the rules, written as USI text. */
#ifndef MURAKUMO_COORDINATOR_PV_H
#define MURAKUMO_COORDINATOR_PV_H

#include "common/shogi/position.h"
#include "proto/msg.h"

enum { PV_MAX = 128, PV_BYTES_MAX = PV_MAX * 6 };

struct pv {
    Move moves[PV_MAX];
    uint32_t count;
};

/* Reads the legal beginning of the line from `pos` on. False if something had to be cut off (an illegal move; a line
 * longer than PV_MAX is shortened without remark). */
bool pv_read(struct pv *pv, const struct position *pos, struct wire_str text);
/* Returns the length; 0-terminated. */
size_t pv_write(const struct pv *pv, char out[PV_BYTES_MAX]);
/* Does the line, played from `pos`, leave the side to move at its end without a legal move? */
bool pv_ends_in_mate(const struct pv *pv, const struct position *pos);

/* Does the line mate, and had the defender (not the side to move at `pos`) no choice all along? Then it needs no other
 * proof. */
bool pv_forces_mate(const struct pv *pv, const struct position *pos);

/* A solved tsume: odd number of moves, every move of the attacker (the side to move) a check, the last one mate. Any
 * length; `moves` 0 = nothing. */
bool mate_line_is_right(const struct position *pos, struct wire_str text, unsigned *moves);

#endif
