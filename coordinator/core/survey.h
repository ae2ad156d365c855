/* survey.h - one game's way through the farm: which positions are searched, and which become candidates for puzzles.
 *
 *   LOOK   the game in slices of SLICE_PLIES, each walked by one worker with a warm table, few nodes
 *   FULL   slices in which a mistake may be again, with all nodes (mining only: the adaptive budget); what comes out
 *          there is what a scan with all nodes everywhere would have found, to the last node
 *   MATES  positions whose side to move is ahead, one by one, to the mate solver (mining only)
 *   CASES  every candidate through verification and audit (mine.h; mining only)
 *   OVER
 *
 * In each phase all questions are open at once: units 0 .. count-1 can be asked in any order and on any machines, and
 * when the last is answered the next phase begins. What comes out depends on the game and the settings alone.
 *
 *     for (u = 0; u < survey_units(s); u++) if (survey_question(s, u, &task)) ask(task);  ...  survey_take(s, u,
 * answer);
 *
 * A slice begins with the bare position, so games that meet share what follows; a repetition is seen from there on.
 * Memory: everything is allocated by survey_new(). Pure.
 */
#ifndef MURAKUMO_COORDINATOR_SURVEY_H
#define MURAKUMO_COORDINATOR_SURVEY_H

#include "common/shogi/movetext.h"
#include "coordinator/core/mine.h"
#include "coordinator/core/motif.h"

enum { SLICE_PLIES = 8, SURVEY_CASES_MAX = 256 };
enum survey_phase { SURVEY_LOOK, SURVEY_FULL, SURVEY_MATES, SURVEY_CASES, SURVEY_OVER };

struct game_position { /* one analysed position; index = plies played */
    bool done;
    struct judge_score score;
    uint32_t depth;
    uint64_t nodes;
    char best[MOVETEXT_BYTES_MAX]; /* USI; "" = no legal move */
    char pv[256];                  /* USI moves, cut */
};

struct survey_case {
    struct mine_case mine;
    enum mine_chance chance;
    uint32_t ply; /* plies played when the solver has to move; the move before it is the mistake */
    char best_look[MOVETEXT_BYTES_MAX], best_full[MOVETEXT_BYTES_MAX]; /* of the scan, for `settled` */
};

struct survey {
    struct mine settings;
    bool mining;
    enum survey_phase phase;
    uint32_t plies, first_ply;
    struct position root;
    Move *moves;
    struct game_position *look, *full; /* [plies + 1]; full[].done only where it was asked */
    bool *wanted;                      /* FULL: slices to be walked again; MATES: plies to be asked about */
    uint32_t unit_count, units_open;
    bool *unit_done;
    struct survey_case *cases;
    uint32_t case_count;
    char sfen[SFEN_BYTES_MAX]; /* texts of the last question */
    char text[SLICE_PLIES * MOVETEXT_BYTES_MAX];
    uint64_t nodes_scan;
    bool incomplete; /* a search failed for good */
};

/* NULL: no memory. Positions from the first ply of the settings (mining) or of the game (else) on. `moves` is copied.
 */
struct survey *survey_new(const struct mine *settings, bool mining, const struct position *root, const Move *moves,
                          uint32_t plies);
void survey_free(struct survey *s); /* NULL is allowed */

static inline uint32_t survey_units(const struct survey *s) { return s->unit_count; }
/* False: nothing to ask there (any more). Texts live in the survey until the next question. */
bool survey_question(struct survey *s, uint32_t unit, struct task *task);
/* The answer to the present question of the unit; `failed`: there is none. */
void survey_take(struct survey *s, uint32_t unit, struct text answer, bool failed);

/* What is known best about a position: the full search if there was one. */
const struct game_position *survey_position(const struct survey *s, uint32_t ply);
void survey_replay(const struct survey *s, uint32_t ply, struct position *pos);
/* Motifs and rating of a case that was accepted. */
void survey_judge_case(const struct survey_case *c, struct motif_report *report);

#endif
