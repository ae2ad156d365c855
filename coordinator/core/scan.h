/* scan.h - the analysis of whole games: every position is one job, given to whichever worker is free.
 *
 *   position:  TODO --handed out--> OUT --result--> DONE
 *                ^                   |
 *                +-- worker lost, refused, stopped; search for the GUI goes first
 *
 * A position is reported exactly once, whatever is lost, repeated or late: only the worker that holds it may answer,
 * and DONE is final. A position that fails ATTEMPTS times is reported as VERDICT_REFUSED with the reason; the scan goes
 * on. Results come in any order; SCAN_DONE follows the last one of a game. A lease is prolonged by every sign of
 * progress (a `partial`), never by a heartbeat: a worker that lives but does not get on loses it.
 *
 * A `warm` game is walked by one worker from its first position to its last, with the table left as it is: the results
 * depend on the moves alone. If the worker is lost the next one walks from the beginning; positions that are DONE are
 * searched once more for what they leave in the table, and not reported again.
 */
#ifndef MURAKUMO_COORDINATOR_SCAN_H
#define MURAKUMO_COORDINATOR_SCAN_H

#include "coordinator/core/board.h"
#include "coordinator/core/game.h"
#include "coordinator/core/registry.h"

enum scan_state { SCAN_TODO, SCAN_OUT, SCAN_DONE };

struct scan_game {
    bool used;
    uint64_t order; /* first come, first served */
    uint32_t id;
    uint64_t nodes;
    uint32_t depth_max, multipv, kind, plies_max;
    bool fresh, warm;
    bool leased; /* warm: somebody is at it */
    uint64_t avoid_boot[SCAN_AVOID_MAX], only_boot;
    bool trusted_only;
    uint32_t first_ply, last_ply, todo_from; /* nothing before todo_from is TODO */
    uint32_t left;                           /* positions that are not DONE */
    char root[SFEN_BYTES_MAX];
    uint32_t root_bytes;
    char moves[WIRE_MOVES_BYTES_MAX];
    char searchmoves[WIRE_SEARCHMOVES_BYTES_MAX];
    uint32_t searchmoves_bytes;
    uint16_t moves_bytes[HISTORY_MAX + 1]; /* length of the text of the first n moves */
    uint8_t state[HISTORY_MAX + 1], failures[HISTORY_MAX + 1];
    uint16_t attempts[HISTORY_MAX + 1];
};

struct scan_lease { /* what a worker is doing; belongs to the worker's place in the registry */
    bool active;
    unsigned game;
    uint32_t ply;
    uint64_t epoch;
    int64_t until_ms; /* INT64_MAX = no limit */
    uint32_t line_count;
    struct {
        uint32_t score_kind, depth, pv_bytes;
        int32_t score;
        char pv[WIRE_PV_BYTES_MAX];
    } lines[SCAN_MULTIPV_MAX];
};

/* All zero = nothing queued. Twenty megabytes, of which only what is in use is ever touched. */
struct scan {
    struct scan_game games[SCAN_GAMES_MAX];
    struct scan_lease leases[COORD_WORKERS_MAX];
    struct board scratch;
    uint64_t orders;
    unsigned game_count;
};

/* ST_FULL: SCAN_GAMES_MAX games are queued. ST_DUPLICATE: the id is in use. ST_RANGE: no limit given, or plies out of
 * range. Others as from board_set(). Nothing is queued then, and an error line has been logged. */
enum status scan_submit(struct scan *s, const struct scan_order *order, struct game_env *env);
enum status scan_cancel(struct scan *s, uint32_t id, struct game_env *env);
enum status scan_take_partial(struct scan *s, unsigned worker, const struct worker_job *job,
                              const struct msg_partial *partial, struct game_env *env);
enum status scan_take_result(struct scan *s, unsigned worker, const struct worker_job *job,
                             const struct msg_result *result, struct game_env *env);
void scan_worker_lost(struct scan *s, unsigned worker, const struct worker_job *job, struct game_env *env);
/* Hands out positions, or with `pause` takes back all that are out. */
void scan_advance(struct scan *s, bool pause, struct game_env *env);
/* A local worker that is idle only because all that is left was first done by that very process: start it afresh.
 * COORD_WORKERS_MAX: there is none. */
unsigned scan_wants_fresh(const struct scan *s, const struct registry *registry);
int64_t scan_deadline_ms(const struct scan *s);
uint32_t scan_positions_left(const struct scan *s);

#endif
