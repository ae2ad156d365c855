/* proof.h - replays a proof of mate move by move and reads the line out of it.
 *
 * The table says "mate within n plies" about many positions. Nothing of that is believed here: from the root on, one
 * check is played at each attacker node and every legal move (from the rules, not from the mate generator) at each
 * defender node, until each branch ends in a position without a legal move. What the table has lost is searched again.
 */
#ifndef MURAKUMO_ENGINE_MATE_PROOF_H
#define MURAKUMO_ENGINE_MATE_PROOF_H

#include "worker/engine/mate/dfpn.h"

struct proof;

struct proof *proof_new(struct mate_table *table, struct dfpn *search);
void proof_free(struct proof *proof);

/* Mate within order->plies, replayed? False also when the control ended the work. *size: different positions replayed.
 */
bool proof_replay(struct proof *proof, const struct position *root, const struct dfpn_order *order, uint64_t *size);

/* The check that the last replay played at this position of the same attacker, and within how many plies it mates;
 * MOVE_NONE if it did not need the position. */
Move proof_move(const struct proof *proof, const struct position *pos, int *plies);

/* After a successful replay of the same root: plays it out. The defender holds out as long as the proof lets him; if
 * `exact` (plies is the true length) as long as possible. Returns the number of moves; 0 if the control ended the work.
 */
size_t proof_line(struct proof *proof, const struct position *root, int plies, bool exact, Move *line);

#endif
