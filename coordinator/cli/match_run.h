/* match_run.h - plays the games of a match: processes, clocks, pipes, signals. The only loop of `murakumo match`.
 *
 * One thread and one poll() serve all games; between events it sleeps. Answers are stamped right after their bytes were
 * read, for all ready engines first, before anything is done with them: what one game needs is not charged to another.
 *
 *   slot (a game at a time):  EMPTY -> PREPARING -> PLAYING -> ENDING -> EMPTY
 *   seat (an engine in it):   DOWN -> HANDSHAKE -> SETUP -> IDLE -> PINGING -> SEATED <-> THINKING -> (STOPPING) ->
 * IDLE
 *
 * Every seat that is waited for has a deadline. Engines live through all games of their slot. One that crashes, hangs
 * or plays an illegal move loses that game and is started afresh; one that does not come up three times in a row ends
 * the match.
 */
#ifndef MURAKUMO_CLI_MATCH_RUN_H
#define MURAKUMO_CLI_MATCH_RUN_H

#include "coordinator/cli/match_config.h"
#include "coordinator/cli/match_games.h"
#include "coordinator/cli/match_openings.h"
#include "coordinator/cli/match_results.h"
#include "coordinator/cli/match_totals.h"

enum match_stop {
    MATCH_STOP_COMPLETE,  /* all games are played */
    MATCH_STOP_SPRT,      /* the test has decided */
    MATCH_STOP_INTERRUPT, /* SIGINT, SIGTERM or SIGHUP */
    MATCH_STOP_ENGINE,    /* an engine does not work */
    MATCH_STOP_LIMITS,    /* an engine does not understand its limits */
    MATCH_STOP_IO         /* a file or the system */
};

struct match_outcome {
    enum match_stop stop;
    char id_names[2][DIALOGUE_ID_BYTES]; /* as the engines call themselves */
    const struct match_profile *profiles[2];
    uint32_t restarts[2];     /* processes started again, for whatever reason */
    uint32_t idle_crashes[2]; /* deaths between games: nobody lost a game by them */
    double games_per_second;  /* of this session */
};

/* Plays what is missing in `totals` (which may hold games from the results file) and adds it there. */
void match_run(const struct match_config *config, const struct match_openings *openings, struct match_results *results,
               struct match_games *games, struct match_totals *totals, struct match_outcome *outcome);

#endif
