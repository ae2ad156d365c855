/* match_seat.h - one engine of one running game: brought up, configured, pinged before each game, put down.
 *
 *   DOWN -start-> HANDSHAKE -usiok-> SETUP -readyok-> IDLE -invite-> PINGING -readyok-> SEATED <-> THINKING
 *                                                      ^                                  |    \-> STOPPING
 *                                                      '------------- game over ----------'            |
 *                                                      '------------------- late bestmove -------------'
 *
 * Before each game: usinewgame, isready, readyok. So whatever an engine clears for a new game is done before the clock
 * runs, and a dead one is found before the game.
 */
#ifndef MURAKUMO_CLI_MATCH_SEAT_H
#define MURAKUMO_CLI_MATCH_SEAT_H

#include "coordinator/cli/match_config.h"
#include "coordinator/cli/usi_player.h"

enum seat_state {
    SEAT_DOWN,
    SEAT_HANDSHAKE,
    SEAT_SETUP,
    SEAT_IDLE,
    SEAT_PINGING,
    SEAT_SEATED,
    SEAT_THINKING,
    SEAT_STOPPING
};

struct seat {
    struct usi_player player;
    enum seat_state state;
    const struct match_profile *profile; /* from usiok on */
    unsigned failures;                   /* to come up, in a row */
    int64_t wait_until_us;               /* all waiting states but THINKING */
    int64_t think_us;                    /* THINKING: how long we wait from the moment `go` was written */
    int64_t go_queued_us;
    int64_t cpu_ms_before;                      /* processor time used when the game began */
    uint32_t faults_told[DIALOGUE_FAULT_COUNT]; /* of the dialogue's counters: those already in a game record */
};

void seat_init(struct seat *seat, const char *tag, FILE *log);
/* Starts the process. False: errno says why; the seat stays DOWN and the failure is counted. */
bool seat_start(struct seat *seat, const struct match_engine_config *engine, const struct match_config *config,
                int64_t now_us);
/* IDLE -> PINGING */
void seat_invite(struct seat *seat, const struct match_config *config, int64_t now_us);
/* SEATED -> THINKING. `position` and `go` are whole lines without their ends. */
void seat_think(struct seat *seat, const char *position, const char *go, int64_t think_us, int64_t now_us);
/* THINKING -> STOPPING: its answer does not matter any more, but it may come. */
void seat_stop(struct seat *seat, const struct match_config *config, int64_t now_us);
/* To DOWN from anywhere; exit_text of the player then says how it ended. */
void seat_kill(struct seat *seat);
/* INT64_MAX: waits for nothing. */
int64_t seat_deadline_us(const struct seat *seat, const struct match_config *config);

enum seat_event {
    SEAT_NOTHING,
    SEAT_KNOWN,    /* usiok: profile is set; limits are still to be checked, then seat_configure() */
    SEAT_AT_REST,  /* now IDLE: set up, or the late answer has come */
    SEAT_READY,    /* now SEATED */
    SEAT_ANSWERED, /* bestmove of the running search; now SEATED. Time: seat_answer_us() */
};
/* Takes one line that the engine said. */
enum seat_event seat_line(struct seat *seat, const char *line, size_t bytes);
/* After SEAT_KNOWN: options and isready. `warn`: tell on stderr which options it does not know. */
void seat_configure(struct seat *seat, const struct match_engine_config *engine, const struct match_config *config,
                    bool warn, int64_t now_us);
/* From `go` written to the last bytes read. */
int64_t seat_answer_us(const struct seat *seat);
/* Adds the dialogue's faults since the last call to `faults`. */
void seat_tell_faults(struct seat *seat, uint32_t faults[DIALOGUE_FAULT_COUNT]);

#endif
