/* usi_dialogue.h - the referee's side of the talk with one USI engine: what it may say when, and what it said.
 *
 *   HANDSHAKE --usiok--> IDLE --(isready)--> PINGED --readyok--> IDLE --(go)--> THINKING --bestmove--> IDLE
 *
 * Lines in brackets are sent by us; usi_dialogue_sent_*() notes them. Everything an engine says is read with
 * tolerance, and everything it should not have said is counted, not punished: the rules of the game are the referee's
 * (referee.h), the clock is the driver's.
 *
 * Pure: lines come in, events go out. Bounded: long lists are cut, not grown.
 */
#ifndef MURAKUMO_CORE_USI_DIALOGUE_H
#define MURAKUMO_CORE_USI_DIALOGUE_H

#include "common/shogi/score.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dialogue_state { DIALOGUE_HANDSHAKE, DIALOGUE_IDLE, DIALOGUE_PINGED, DIALOGUE_THINKING };

enum dialogue_event { DIALOGUE_NOTHING, DIALOGUE_USIOK, DIALOGUE_READYOK, DIALOGUE_BESTMOVE };

enum dialogue_fault {
    FAULT_DOUBLE_BESTMOVE,    /* a second bestmove for one go */
    FAULT_STRAY_BESTMOVE,     /* a bestmove although no go was sent since the game began */
    FAULT_MALFORMED_BESTMOVE, /* `bestmove` without a move */
    FAULT_IDLE_INFO,          /* info after bestmove: harmless */
    FAULT_LONG_LINE,          /* longer than the driver's buffer; thrown away */
    DIALOGUE_FAULT_COUNT
};
const char *dialogue_fault_name(enum dialogue_fault fault); /* "double_bestmove" */

enum { DIALOGUE_ID_BYTES = 96, DIALOGUE_OPTIONS_MAX = 256, DIALOGUE_OPTION_BYTES = 48, DIALOGUE_MOVE_BYTES = 16 };

struct dialogue_info { /* of the last exact line of the best variation; cleared by each go */
    bool has_score;
    int score_cp; /* from the engine's view; mates as +-SCORE_CP_MAX */
    int depth_plies;
    uint64_t nodes;
    int64_t time_ms;
};

struct usi_dialogue {
    enum dialogue_state state;
    bool went;     /* a go was sent in this game */
    bool new_game; /* usinewgame was sent; the next readyok begins the game */
    char id_name[DIALOGUE_ID_BYTES];
    char options[DIALOGUE_OPTIONS_MAX][DIALOGUE_OPTION_BYTES]; /* names the engine declared */
    unsigned option_count;
    struct dialogue_info info;
    char bestmove[DIALOGUE_MOVE_BYTES]; /* of the last DIALOGUE_BESTMOVE; "" if it was malformed */
    uint32_t faults[DIALOGUE_FAULT_COUNT];
};

void usi_dialogue_start(struct usi_dialogue *dialogue); /* a fresh process, `usi` is on its way; faults are kept */
void usi_dialogue_sent_isready(struct usi_dialogue *dialogue);
void usi_dialogue_sent_newgame(struct usi_dialogue *dialogue);
void usi_dialogue_sent_go(struct usi_dialogue *dialogue);

/* One line without its end. */
enum dialogue_event usi_dialogue_line(struct usi_dialogue *dialogue, const char *line, size_t bytes);
void usi_dialogue_long_line(struct usi_dialogue *dialogue);
/* Names are compared without regard to case, as USI wants it. */
bool usi_dialogue_declares(const struct usi_dialogue *dialogue, const char *option);

#endif
