/* motif.h - what a puzzle is about, and how hard it may be, read from its solution by the rules alone.
 *
 * Themes are facts on the board after the solver's moves, not opinions: a fork attacks two pieces that are worth it, a
 * pin is one that was not there before, a sacrifice is never won back. The rating is a number before anybody has played
 * the puzzle: a sum of features of the solution on the scale that chess sites use (600 .. 2600); it orders puzzles, it
 * is no measured human strength.
 */
#ifndef MURAKUMO_COORDINATOR_MOTIF_H
#define MURAKUMO_COORDINATOR_MOTIF_H

#include "common/shogi/position.h"
#include "coordinator/core/judge.h"

/* X(NAME, word, meaning) */
#define MOTIFS(X)                                                                                                      \
    X(TSUME, "tsume", "every move is a check, the last one mates")                                                     \
    X(BRINKMATE, "brinkmate", "the win is a mate that cannot be stopped, but no row of checks (必至)")                 \
    X(FORK, "fork", "one piece attacks two that are worth it")                                                         \
    X(PIN, "pin", "a piece may no longer leave the line to its king")                                                  \
    X(SACRIFICE, "sacrifice", "material is given up and never won back")                                               \
    X(QUIET, "quiet", "the first move neither checks nor captures nor promotes")                                       \
    X(DROP, "drop", "the first move is a drop")                                                                        \
    X(CAPTURE, "capture", "the first move captures")                                                                   \
    X(PROMOTION, "promotion", "the first move promotes")                                                               \
    X(NON_PROMOTION, "nonPromotion", "a move of the solution must not promote, though it could (不成)")                \
    X(DISCOVERED, "discoveredCheck", "a piece moves away and another one gives check")                                 \
    X(DOUBLE_CHECK, "doubleCheck", "two pieces give check")                                                            \
    X(ESCAPE, "escape", "the solver is in check")                                                                      \
    X(PAWN_DROP, "pawnDrop", "a pawn is dropped in the solution (歩の手筋)")                                           \
    X(KING_MOVE, "kingMove", "the first move is the king's")                                                           \
    X(COMEBACK, "comeback", "the solver was behind before the mistake")                                                \
    X(ONE_MOVE, "oneMove", "one move")                                                                                 \
    X(SHORT, "short", "two moves of the solver")                                                                       \
    X(LONG, "long", "three")                                                                                           \
    X(VERY_LONG, "veryLong", "four or more")
enum motif {
#define MOTIF_ENUM(name, word, meaning) MOTIF_##name,
    MOTIFS(MOTIF_ENUM)
#undef MOTIF_ENUM
        MOTIF_COUNT
};
const char *motif_word(enum motif motif);

enum { RATING_MIN = 600, RATING_MAX = 2600 };

struct motif_input {
    const struct position *start;
    const Move *line; /* solver, reply, ..., solver: odd */
    unsigned count;
    bool mate, engine_mate;
    unsigned mate_plies;
    struct judge_score before; /* the mistake's position, seen by the solver */
    struct judge_score score, runner;
    bool alone;
    unsigned settled; /* which search was the first to prefer the solution: 0 = the shortest .. 3 = only the longest */
    uint64_t nodes_verify; /* of mates: what the proof took */
};

struct motif_report {
    uint32_t themes; /* bit per enum motif */
    int rating;
};
void motif_judge(const struct motif_input *in, struct motif_report *out);

/* A free capture by the side that is ahead anyway: one move, takes a piece that nobody guards. */
bool motif_is_trivial(const struct position *start, const Move *line, unsigned count, int32_t before_cp);

#endif
