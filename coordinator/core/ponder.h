/* ponder.h - while the opponent thinks: which worker prepares for which of his replies.
 *
 * The GUI says which reply it expects, and is right about every second time. So the others are prepared for, too:
 *
 *   look   one worker searches the position in which the opponent chooses, several lines, for a moment
 *   plan   each reply gets a probability by its score. One worker searches the choice among all replies that have no
 *          worker of their own: what is likely there gets most of that search by itself. A likely reply gets as many
 *          workers as its probability makes whole ones of, until PONDER_COVERED_PERMILLE are covered; all others are
 *          at the expected reply
 *
 * If the expected reply comes, its group goes on as it is and the others join it. If another one comes, those who
 * prepared for it hold it in their tables, and tell the rest what they know with the first iterations. All share
 * their hints. Who joins late helps the expected reply.
 *
 * Pure: no time, no messages of its own. Spreading over five or six replies: facts of Multi-Ponder engines (SDT5,
 * 2017).
 */
#ifndef MURAKUMO_COORDINATOR_PONDER_H
#define MURAKUMO_COORDINATOR_PONDER_H

#include "common/shogi/score.h"
#include "coordinator/core/board.h"
#include "coordinator/core/event.h"

enum {
    PONDER_REPLIES_MAX = 6,
    PONDER_COVERED_PERMILLE = 950,
    PONDER_EXPECTED_PERMILLE = 500, /* at least */
    PONDER_HALF_CP = 50,            /* a reply that is so much worse is half as likely */
    PONDER_LOOK_NODES = 50000,
    PONDER_LOOK_MS = 300 /* at most */
};

/* Where a worker is: the number of a reply (0 = the expected one: the search itself), or one of these. */
enum { PONDER_REST = PONDER_REPLIES_MAX, PONDER_LOOK };

enum ponder_state {
    PONDER_ALONE,   /* everybody is at the expected reply */
    PONDER_TO_LOOK, /* somebody shall look */
    PONDER_LOOKING,
    PONDER_PLANNED
};

struct ponder {
    enum ponder_state state;
    struct board before; /* where the opponent chooses */
    size_t choice_count; /* legal moves there */
    Move expected;
    struct ponder_line {
        Move move; /* MOVE_NONE: not told yet */
        Score score;
    } lines[PONDER_REPLIES_MAX]; /* of the look */
    unsigned reply_count;
    struct ponder_reply {
        Move move;
        unsigned permille, workers;
        struct wire_str moves;     /* from the start of the game on, this reply included; in `texts` */
    } replies[PONDER_REPLIES_MAX]; /* [0] = expected; the others likeliest first */
    char texts[PONDER_REPLIES_MAX][WIRE_MOVES_BYTES_MAX];
    char rest[WIRE_SEARCHMOVES_BYTES_MAX];
    uint32_t rest_bytes;
    uint8_t places[COORD_WORKERS_MAX];
};

/* `go ponder` on this board, whose last move is the reply that is expected. */
void ponder_begin(struct ponder *p, const struct board *board);
/* Everybody back to the search itself. */
void ponder_end(struct ponder *p);

/* This worker shall look; it is free. */
void ponder_look(struct ponder *p, unsigned worker);
/* Line `number` (from 1) of the look, its score from the side of the opponent. */
void ponder_take_line(struct ponder *p, unsigned number, Move move, Score score);
/* The look is over. workers[0..count): the slots of all that can be used; the last of them gets the rest. */
void ponder_plan(struct ponder *p, const unsigned *workers, unsigned count);
/* Its worker has been lost: another one shall look. */
void ponder_look_lost(struct ponder *p, unsigned worker);

static inline unsigned ponder_place(const struct ponder *p, unsigned worker) { return p->places[worker]; }
/* Fills in what a worker beside the search itself (place != 0) searches: the texts are live until ponder_begin(). */
void ponder_job(const struct ponder *p, unsigned worker, struct msg_job *job);

#endif
