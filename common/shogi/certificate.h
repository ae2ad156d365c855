/* certificate.h - the proof of a mate, written down so that somebody who trusts nobody can check it by the rules alone.
 *
 * A proof is one check for each position in which the attacker moves, until every defence has run out. Whoever writes
 * and whoever checks walk through it in the same order: from the root the check is played, then each legal evasion in
 * the order of movegen_legal(), each time down to the mates. A position (board, side to move, attacker's hand) that has
 * been walked to its end before is passed over. So the text needs to name only the checks, in the order of the walk:
 *
 *   check number i of the position's legal checks (counted from 0 in the order of movegen_legal()) is written as
 *   floor(i / 77) times '~' and then the character '0' + i mod 77
 *
 *   writer:  state = certificate_begin(c, root);
 *            while (state == CERTIFICATE_ASKS) { put(certificate_write(c, move, out)); state = certificate_play(c,
 * move); } checker: state = certificate_begin(c, root); while (state == CERTIFICATE_ASKS) state = certificate_play(c,
 * certificate_read(c, &text));
 *
 * CERTIFICATE_PROVED then means: whatever the defender does, the attacker mates within certificate_plies(). It rests on
 * nothing but the rules of this program. A walk that meets a position of its own path again just goes on, so a text
 * that runs in circles ends with the text.
 *
 * Memory: all of it is allocated by certificate_new(); a certificate may be used again and again. Threads: one at a
 * time.
 */
#ifndef MURAKUMO_SHOGI_CERTIFICATE_H
#define MURAKUMO_SHOGI_CERTIFICATE_H

#include "common/base/text.h"
#include "common/shogi/position.h"

enum { CERTIFICATE_SYMBOL_BYTES = MOVES_MAX / 77 + 1, CERTIFICATE_PLIES_MAX = 4095 };

enum certificate_state {
    CERTIFICATE_ASKS,   /* for the check to be played at certificate_position() */
    CERTIFICATE_PROVED, /* every defence is mated */
    CERTIFICATE_WRONG,  /* no check was named, or the line became too long */
    CERTIFICATE_FULL    /* more positions than there is room for */
};

struct certificate;

/* Room for so many positions of the attacker. NULL when memory is short. */
struct certificate *certificate_new(size_t positions_max);
void certificate_free(struct certificate *c); /* NULL is allowed */

/* The side to move of `root` attacks. */
enum certificate_state certificate_begin(struct certificate *c, const struct position *root);
/* A move that is no legal check (MOVE_NONE, for one) makes it CERTIFICATE_WRONG. Only in state CERTIFICATE_ASKS. */
enum certificate_state certificate_play(struct certificate *c, Move check);
const struct position *certificate_position(const struct certificate *c);
/* Of the proved root. */
unsigned certificate_plies(const struct certificate *c);
/* Different positions of the attacker walked through so far. */
size_t certificate_positions(const struct certificate *c);

/* Writes the proof of a mate at `root` out of a table of checks: `check_at` names the check at each position of the
 * attacker (MOVE_NONE: there is none). Returns its length; 0: it proves nothing or needs more room. */
size_t certificate_put(struct certificate *c, const struct position *root,
                       Move (*check_at)(void *context, const struct position *pos), void *context, char *out,
                       size_t capacity);
/* Does the text prove a mate at `root`? All of it must be used. */
bool certificate_holds(struct certificate *c, const struct position *root, struct text text);

/* The symbol of a legal check at certificate_position(); its length, 0 if the move is none. Not 0-terminated. */
size_t certificate_write(const struct certificate *c, Move check, char out[CERTIFICATE_SYMBOL_BYTES]);
/* Takes a symbol from *rest; MOVE_NONE if there is none, or if it names no check. */
Move certificate_read(const struct certificate *c, struct text *rest);

#endif
