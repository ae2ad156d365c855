/* match_games.h - the games of a match as records for people and programs: CSA, KIF or USI lines, with times and
 * scores.
 *
 * The format follows the end of the file's name: .kif, .usi or .sfen, anything else is CSA. Games are appended as they
 * end; a file that is there already is continued.
 */
#ifndef MURAKUMO_CLI_MATCH_GAMES_H
#define MURAKUMO_CLI_MATCH_GAMES_H

#include "common/base/text.h"
#include "common/shogi/record_io.h"
#include "coordinator/core/referee.h"

#include <stdio.h>

struct match_games {
    FILE *file; /* NULL: no records are wanted */
    const char *path;
    enum record_output output;
    uint32_t count; /* games in the file */
    struct record record;
    struct text_buffer text;
};

struct move_note { /* of each move after the opening */
    int32_t time_ms;
    int32_t score_cp; /* the mover's view */
    bool has_score;
};

struct match_game_text {
    const char *black, *white;     /* names */
    uint32_t game;                 /* 0.. */
    const char *illegal;           /* what was answered instead of a legal move, or "" */
    const struct move_note *notes; /* [referee->move_count - referee->opening_count] */
};

/* path NULL: none. False: one line is on stderr. */
bool match_games_open(struct match_games *games, const char *path);
/* The referee has its verdict. False when the file does not take it (one line on stderr). */
bool match_games_write(struct match_games *games, const struct referee *referee, const struct match_game_text *text);
bool match_games_close(struct match_games *games);

#endif
