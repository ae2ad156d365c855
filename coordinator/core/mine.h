/* mine.h - decides whether a position of a game is a puzzle: has one answer, and one only.
 *
 *   candidate --verify--> solution, move by move --audit, by another process--> accepted
 *        |                     |                          |
 *        +---------------------+--------------------------+--> rejected or held back, with the reason
 *
 * A candidate is the position after a mistake; its side to move is the solver. Verification looks at the bare position
 * (no history, no hint, cleared tables) and builds the solution: at every move of the solver that move must be the only
 * answer, either as the strictly fastest mate (proved by the mate solver, and proved that no other move mates as fast)
 * or by its outcome (win probability and distance to the runner-up). The audit asks the same questions again, deeper,
 * of a process that has never seen the position, and any disagreement rejects.
 *
 * What is the same answer in shogi: the same piece going to the same square with and without promotion; the same two
 * drops in the other order. Interpositions at the end that are only captured are no moves of the
 * solution (wasted.h, 無駄合).
 *
 * Use: while (mine_question(mine, case, &task)) mine_answer(mine, case, answer or NULL); then read case->verdict.
 * Pure; a case is a value. Scores are seen by the side to move.
 */
#ifndef MURAKUMO_COORDINATOR_MINE_H
#define MURAKUMO_COORDINATOR_MINE_H

#include "common/shogi/sfen.h"
#include "coordinator/core/task.h"

/* X(name, word, default, min, max, unit, meaning). The rule of uniqueness is the one that was published for xiangqi:
 * the answer wins with 0.8, the runner-up is 200 cp behind and wins with at most 0.6, or is 250 cp behind.
 * Probabilities are judge.h's (shogi: 0.8 = 832 cp, 0.6 = 243 cp), so they are what scales the rule to shogi; with them
 * the distance alone decides, for from 0.8 to 0.6 it is 589 cp. Centipawns stay as they are. Asked for on top, because
 * puzzles were found to fall without it when they were searched deeper (README.md, "Measured"): margin_cp
 * everywhere, in score and in distance, by verification and audit; and that the runner-up does not win itself by the
 * measure of the answer. */
#define MINE_NUMBERS(X)                                                                                                \
    X(scan_nodes, "scan-nodes", 60000, 1000, INT64_MAX, "N",                                                           \
      "stage 1: nodes for each position near a possible mistake")                                                      \
    X(scan_first_nodes, "scan-first-nodes", 8000, 1000, INT64_MAX, "N",                                                \
      "stage 1: nodes for every position; the first look")                                                             \
    X(verify_nodes, "verify-nodes", 600000, 1000, INT64_MAX, "N", "stage 2: nodes for each move of the solver")        \
    X(audit_nodes, "audit-nodes", 0, 0, INT64_MAX, "N",                                                                \
      "stage 3: limit for each move of the solver; 0 = none, the depth decides")                                       \
    X(audit_plies, "audit-plies", 5, 0, 20, "plies", "stage 3: so much deeper than stage 2")                           \
    X(mate_nodes, "mate-nodes", 200000, 1000, INT64_MAX, "N",                                                          \
      "mate solver, each question of stage 2; four times that in stage 3")                                             \
    X(scan_mate_nodes, "scan-mate-nodes", 20000, 0, INT64_MAX, "N",                                                    \
      "stage 1: mate solver, each position that may hold a mate; 0 = mates that the search sees only")                 \
    X(scan_mate_cp, "scan-mate-cp", 0, 0, 3000, "cp", "... which is where the side to move is so far ahead")           \
    X(first_ply, "first-ply", 8, 0, 4000, "ply", "positions before this one are not looked at")                        \
    X(loss_cp, "loss-cp", 250, 1, 3000, "cp", "candidate: the move before it lost at least this")                      \
    X(left_cp, "left-cp", 250, 1, 3000, "cp", "candidate: it is worth at least this to the solver")                    \
    X(decided_cp, "decided-cp", 800, 1, 3000, "cp", "candidate: the solver was not that far ahead before the mistake") \
    X(win_permille, "win-permille", 800, 500, 1000, "permille", "the answer wins with at least this probability")      \
    X(gap_cp, "gap-cp", 200, 1, 3000, "cp", "the runner-up is worse by at least this, and ...")                        \
    X(runner_permille, "runner-permille", 600, 0, 1000, "permille", "... wins with at most this probability, or ...")  \
    X(gap_alone_cp, "gap-alone-cp", 250, 1, 3000, "cp", "... is worse by at least this")                               \
    X(runner_most_permille, "runner-most-permille", 800, 0, 1000, "permille",                                          \
      "... but never wins with more than this: two moves that win are two answers")                                    \
    X(margin_cp, "margin-cp", 200, 0, 3000, "cp", "stages 2 and 3 ask for so much more, so that it lasts")             \
    X(solver_moves, "solver-moves", 7, 1, 12, "moves", "longest solution that is no mate")                             \
    X(distance_plies, "distance-plies", 8, 0, 4000, "plies", "two puzzles of a game are so far apart")                 \
    X(per_game, "per-game", 5, 1, 100, "puzzles", "of one game at most")

struct mine {
#define MINE_NUMBER(name, word, value, min, max, unit, help) int64_t name;
    MINE_NUMBERS(MINE_NUMBER)
#undef MINE_NUMBER
    uint64_t engine; /* for the tasks */
};
struct mine mine_defaults(void);
/* All numbers as "name=value" lines, and back. ST_SYNTAX, ST_RANGE, ST_TRAILING. */
enum { MINE_SETTINGS_BYTES = 4096 };
void mine_settings_write(const struct mine *mine, char out[MINE_SETTINGS_BYTES]);
MUST_USE enum status mine_settings_read(const char *text, struct mine *mine);

/* X(name, word in the ledger, meaning) */
#define MINE_REASONS(X)                                                                                                \
    X(NONE, "", "")                                                                                                    \
    X(FORCED, "forced", "there is only one legal move")                                                                \
    X(NOT_WINNING, "not_winning", "the best move does not win clearly")                                                \
    X(SEVERAL, "several_winning", "more than one move wins")                                                           \
    X(SEVERAL_MATES, "several_mates", "another move mates as fast")                                                    \
    X(MATE_UNPROVED, "mate_not_unique_for_certain", "that no other move mates as fast could not be proved")            \
    X(AUDIT_MOVE, "audit_other_move", "the audit prefers another move")                                                \
    X(AUDIT_NOT_WINNING, "audit_not_winning", "the audit does not see a clear win")                                    \
    X(AUDIT_SEVERAL, "audit_several_winning", "the audit sees more than one winning move")                             \
    X(AUDIT_MATE, "audit_mate", "the audit does not confirm the mate or its uniqueness")                               \
    X(FAILED, "search_failed", "a search could not be done")                                                           \
    X(SAME_POSITION, "duplicate_position", "the position is in another puzzle")                                        \
    X(SAME_MIRROR, "duplicate_mirror", "the position is another puzzle's, mirrored or turned")                         \
    X(SAME_SOLUTION, "duplicate_solution", "another puzzle ends in the same position by the same moves")               \
    X(TOO_CLOSE, "too_close", "the game has a puzzle nearby")                                                          \
    X(TOO_MANY, "too_many", "the game has enough puzzles")                                                             \
    X(TRIVIAL, "trivial_capture", "held back: a free capture by the side that is ahead anyway")
enum mine_reason {
#define MINE_REASON(name, word, meaning) MINE_##name,
    MINE_REASONS(MINE_REASON)
#undef MINE_REASON
        MINE_REASON_COUNT
};
const char *mine_reason_word(enum mine_reason reason);

enum mine_verdict { MINE_OPEN, MINE_ACCEPTED, MINE_REJECTED, MINE_HELD };
enum mine_step { MINE_MATE_FIRST, MINE_MATE_OTHERS, MINE_LOOK, MINE_DEEP, MINE_DECIDED };

enum { MINE_LINE_MAX = 64, MINE_SOLVER_MAX = MINE_LINE_MAX / 2 };

struct mine_move { /* what is known about one move of the solver */
    struct judge_score score, runner;
    uint32_t depth; /* of the verification */
    bool alone;     /* no other move, or none that was looked at */
};

struct mine_case {
    struct position start, at; /* `at`: where the next move of the solver is looked for */
    char sfen[SFEN_BYTES_MAX]; /* of `at` */
    char only[WIRE_SEARCHMOVES_BYTES_MAX];
    struct judge_score before; /* the position before the mistake, as the solver sees it */
    struct judge_score scan;   /* what the scan said here; only how much work is worth while depends on it */
    enum mine_step step;
    enum task_lane lane;
    enum mine_verdict verdict;
    enum mine_reason reason;

    Move line[MINE_LINE_MAX]; /* solver, answer, solver, ...: odd when complete */
    unsigned count;
    struct mine_move moves[MINE_SOLVER_MAX];
    unsigned solver_count;
    unsigned index;      /* of the solver's move that is in question */
    bool mate;           /* the solution is a proved mate, every move a check */
    bool engine_mate;    /* the engine sees a mate that is no row of checks (必至) */
    unsigned mate_plies; /* of the whole mate, wasted interpositions counted */
    Move look_best;      /* what the short search of stage 2 preferred */
    Move twin;           /* at `at`: counts as the same answer, not to be asked for; MOVE_NONE = none */
    uint64_t nodes_verify, nodes_audit;
};

/* Why a position is looked at. X(NAME, word, meaning) */
#define MINE_CHANCES(X)                                                                                                \
    X(NONE, "", "")                                                                                                    \
    X(MISTAKE, "mistake", "the move before it threw an open game")                                                     \
    X(MATE, "mate", "the move before it let a mate in, won before or not")                                             \
    X(MISSED_MATE, "missedMate", "a mate that was there before, and is not played")
enum mine_chance {
#define MINE_CHANCE(name, word, meaning) MINE_CHANCE_##name,
    MINE_CHANCES(MINE_CHANCE)
#undef MINE_CHANCE
};
const char *mine_chance_word(enum mine_chance chance);

/* What the scan says around a position: each score by its own side to move, WIRE_SCORE_NONE = not known or no such. */
struct mine_view {
    struct judge_score turn_before, before, here, after, turn_after; /* two plies before .. two plies after */
};
enum mine_chance mine_chance(const struct mine *m, const struct mine_view *view);
/* Might it be a mistake, judging by a first look? Wider than the above. */
bool mine_is_suspect(const struct mine *m, struct judge_score before, struct judge_score after);

void mine_case_init(struct mine_case *c, const struct position *start, struct judge_score before);
/* Begins with the audit of a solution that is known: line[count], depths of the verification for each move of the
 * solver; mate_plies 0 = it is no mate. */
void mine_case_audit(struct mine_case *c, const struct position *start, const Move *line, unsigned count,
                     const uint32_t *depths, unsigned mate_plies);
/* The next question; its texts live in the case. False: decided. */
bool mine_question(const struct mine *m, struct mine_case *c, struct task *task);
/* NULL: the search failed for good. */
void mine_answer(const struct mine *m, struct mine_case *c, const struct answer *answer);

/* Same piece to the same square, with and without promotion. */
bool mine_is_twin(Move a, Move b);

#endif
