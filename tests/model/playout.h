/* playout.h - random games for tests: positions that nobody would think of, the same ones for the same seed. */
#ifndef MURAKUMO_TESTS_PLAYOUT_H
#define MURAKUMO_TESTS_PLAYOUT_H

#include "common/base/prng.h"
#include "common/shogi/position.h"

/* Reads SFEN or dies with a message. */
struct position playout_position(const char *sfen);

/* The first column of every line of a file that does not start with '#'. Dies if there is none. */
struct playout_starts {
    size_t count;
    struct position *positions; /* free with playout_starts_free */
};
struct playout_starts playout_starts_read(const char *path);
void playout_starts_free(struct playout_starts *starts);

/* Picks a legal move: often a capture, a check or a promotion, so that all kinds of positions come up. MOVE_NONE if
 * mated. */
Move playout_pick(struct position *pos, struct prng *prng);

/* Calls `visit` for each position of random games from random starts until it has been called `visits` times. */
typedef void (*playout_fn)(void *user, struct position *pos);
void playout_run(const struct playout_starts *starts, uint64_t seed, size_t visits, playout_fn visit, void *user);

#endif
