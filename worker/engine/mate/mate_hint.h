/* mate_hint.h - what mate solvers of one search tell each other: hints (common/base/hint.h) with a meaning of their
 * own.
 *
 *   FACT   key   board key, side to move included
 *          data  attacker's hand 0-20 | payload 21-47, 58, 60-63 | effort + 8 48-54 | merges 55 | kind 56-57 | 0 59
 *                payload of an open position: pn 0-15, dn 16-31, each 11 bits behind a shift of 5
 *                        of a proved one: plies 0-12, move 13-27; of a refuted one: plies 0-14
 *   CLAIM  "I am below this position" or "I have left it"
 *          key   mate_claim_key()
 *          data  worker 0-3 | left 4 | 1 59
 *
 * Effort is how many binary digits the number of nodes spent on a position has, its own included (1 node: 1, 2 or 3:
 * 2). It stands where the hints of a playing search have their depth, so the same filter, frames and gate serve both.
 * Only what is true on every path is a fact: nothing about loops travels.
 */
#ifndef MURAKUMO_ENGINE_MATE_MATE_HINT_H
#define MURAKUMO_ENGINE_MATE_MATE_HINT_H

#include "common/base/hint.h"
#include "common/shogi/types.h"

enum {
    MATE_HINT_WORKERS = 16, /* told apart by a claim */
    MATE_FACT_PLIES_MAX = 4095
};

enum mate_fact_kind { MATE_FACT_OPEN, MATE_FACT_PROVED, MATE_FACT_REFUTED };

struct mate_fact {
    uint64_t board_key;
    Hand hand;
    enum mate_fact_kind kind;
    uint32_t pn, dn; /* OPEN; rounded to eleven bits on the way */
    int plies;       /* PROVED: mate within; REFUTED: no mate within, PLIES_ENDLESS = ever */
    Move move;       /* PROVED: the mating move, MOVE_NONE if unknown */
    bool merges;     /* OPEN: reached in several ways from one that counts them all (mate_table_mark) */
    uint64_t work;   /* nodes spent on it, its own included; a power of two on the way */
};

struct mate_claim {
    uint64_t key;
    unsigned worker; /* < MATE_HINT_WORKERS */
    bool left;
};

struct hint mate_fact_write(const struct mate_fact *fact);
/* False: no solver would have said that (it comes from the network). */
bool mate_fact_read(const struct hint *hint, struct mate_fact *fact);

struct hint mate_claim_write(const struct mate_claim *claim);
struct mate_claim mate_claim_read(const struct hint *hint);

static inline uint64_t mate_claim_key(uint64_t board_key, Hand hand)
{
    return board_key ^ (hand + 1) * 0x9e3779b97f4a7c15u;
}

/* The effort of so many nodes, as the gate counts it. */
int mate_effort(uint64_t work);

#endif
