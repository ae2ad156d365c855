/* referee.h - one game under the full rules: which moves are legal, when it is over, who won and why.
 *
 * The referee looks at moves only; what happens outside the board (time, a dead process) is told to it with
 * referee_forfeit(). Repetition looks at the whole game, moves of the opening included.
 * Adjudication is off until its plies are set; it needs the agreement of both engines, since every ply of the run must
 * carry a score of the engine that moved.
 *
 * Memory:  struct referee is large (a full history, about 130 kB): keep it off the stack.
 */
#ifndef MURAKUMO_CORE_REFEREE_H
#define MURAKUMO_CORE_REFEREE_H

#include "common/base/status.h"
#include "common/shogi/outcome.h"
#include "common/shogi/position.h"
#include "common/shogi/sfen.h"

#define GAME_ENDS(X)                                                                                                   \
    X(GAME_RUNNING, "running", "still running")                                                                        \
    X(GAME_MATE, "mate", "checkmate (or no legal move)")                                                               \
    X(GAME_RESIGN, "resign", "resignation")                                                                            \
    X(GAME_DECLARATION, "declaration", "entering-king declaration, checked")                                           \
    X(GAME_REPETITION, "repetition", "fourth repetition: draw")                                                        \
    X(GAME_PERPETUAL, "perpetual_check", "fourth repetition by perpetual check: loss of the checking side")            \
    X(GAME_MOVE_LIMIT, "move_limit", "move limit reached: draw")                                                       \
    X(GAME_WON_BY_SCORE, "adjudicated_win", "both engines agreed on the winner for the set number of plies")           \
    X(GAME_DRAWN_BY_SCORE, "adjudicated_draw", "both engines agreed on a level game for the set number of plies")      \
    X(GAME_ILLEGAL_MOVE, "illegal_move", "illegal move: loss")                                                         \
    X(GAME_FALSE_DECLARATION, "false_declaration", "entering-king declaration without the points: loss")               \
    X(GAME_TIME, "time", "time loss")                                                                                  \
    X(GAME_HANG, "hang", "no answer: loss")                                                                            \
    X(GAME_CRASH, "crash", "engine process died: loss")

enum game_end {
#define GAME_END_ENUM(name, word, text) name,
    GAME_ENDS(GAME_END_ENUM)
#undef GAME_END_ENUM
        GAME_END_COUNT
};
const char *game_end_word(enum game_end end); /* "mate"; for files */
const char *game_end_text(enum game_end end); /* a phrase; for people */
bool game_end_from_word(const char *word, size_t bytes, enum game_end *end);

enum { REFEREE_NOBODY = COLOR_COUNT };

struct referee_rules {
    unsigned max_moves; /* draw after this move of the game unless it mates; 0 = off */
    enum entering_king_rule entering_king;
    int resign_score_cp, resign_plies; /* plies 0 = off */
    int draw_score_cp, draw_plies;     /* plies 0 = off */
    unsigned draw_after_move;          /* not before this move of the game */
};

struct referee_verdict {
    enum game_end end; /* GAME_RUNNING: the side to move is to play */
    uint8_t winner;    /* BLACK, WHITE or REFEREE_NOBODY */
};

struct referee {
    struct referee_rules rules;
    struct position start, position;
    struct history history;
    Move moves[HISTORY_MAX];
    uint32_t move_count;    /* the opening's moves included */
    uint32_t opening_count; /* how many of them came with the opening */
    struct referee_verdict verdict;
    int win_run_plies[COLOR_COUNT], draw_run_plies;
};

/* `opening`: an SFEN, "startpos" or "sfen ...", optionally after "position", optionally followed by "moves ...".
 * An opening that is already over is refused as ST_ILLEGAL. On failure *error (if not NULL) says what was wrong, and
 * the referee must be started again before any other use. */
MUST_USE enum status referee_start(struct referee *referee, const struct referee_rules *rules, const char *opening,
                                   size_t bytes, struct sfen_error *error);
/* The move, "resign" or "win" of the side to move. score_cp: what that engine thinks, or NULL. Not after the end. */
struct referee_verdict referee_play(struct referee *referee, const char *text, size_t bytes, const int *score_cp);
/* `loser` loses for a reason outside the board. Not after the end. */
struct referee_verdict referee_forfeit(struct referee *referee, Color loser, enum game_end reason);

#endif
