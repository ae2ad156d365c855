/* found_mate.h - the shortest mating line that a worker has shown so far in one `go mate`.
 *
 * A worker goes on looking for a shorter mate. When the time ends before it is done, or `stop` comes, the line that is
 * known is the answer; `timeout` would be a lie. Every line has been replayed by the rules.
 */
#ifndef MURAKUMO_COORDINATOR_FOUND_MATE_H
#define MURAKUMO_COORDINATOR_FOUND_MATE_H

#include "common/shogi/position.h"
#include "proto/msg.h"

struct found_mate {
    unsigned moves; /* 0 = none yet */
    uint32_t bytes;
    char line[WIRE_PV_BYTES_MAX]; /* longer lines come only as results */
};

void found_mate_clear(struct found_mate *found);
/* Takes a line for this position if it mates and is shorter than what is held. */
bool found_mate_take(struct found_mate *found, const struct position *pos, struct wire_str line);
struct wire_str found_mate_line(const struct found_mate *found);

#endif
