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

/* A proof of more than positions_max positions is given up (MATE_END_MEMORY); each takes 48 to 96 bytes. NULL when
 * memory is short. */
struct proof *proof_new(struct mate_table *table, struct dfpn *search, size_t positions_max);
void proof_free(struct proof *proof);

/* Mate within order->plies, replayed? False also when the control ended the work. *plies: the longest line of the
 * proof, at most order->plies; a bound that is proved. */
bool proof_replay(struct proof *proof, const struct position *root, const struct dfpn_order *order, int *plies);

/* About the last successful replay: how many positions with the attacker to move it has. */
size_t proof_size(const struct proof *proof);
/* The check that it plays at this position, and the longest line from here; MOVE_NONE if it does not need it. */
Move proof_move(const struct proof *proof, const struct position *pos, int *plies);
/* Its longest line; if `exact` (no shorter mate exists) one in which every defence is a longest one. Returns the number
 * of moves, which is that of the replay; 0 if the control ended the work. */
size_t proof_line(struct proof *proof, const struct position *root, bool exact, Move *line);

#endif
