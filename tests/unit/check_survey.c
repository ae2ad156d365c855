/* check_survey.c - one game through the phases of the farm, with answers made up here: what is asked when, and which
 * positions become candidates. */
#include "coordinator/core/survey.h"
#include "tests/unit/check_main.h"

#include <stdio.h>
#include <string.h>

enum { PLIES = 20 }; /* three slices: 0-7, 8-15, 16-20 */

static struct mine settings;
static struct survey *survey;
static int look_cp[PLIES + 1], full_cp[PLIES + 1]; /* by the side to move */
static int mate_plies[PLIES + 1];                  /* what the mate solver finds; 0 = none */
static unsigned asked_look, asked_full, asked_mates;

/* Two golds going to and fro: legal, and every position comes again. */
static void begin(bool mining)
{
    static const char *const texts[] = {"4i4h", "4a4b", "4h4i", "4b4a"};
    struct position root, pos;
    Move moves[PLIES];
    ck_assert_int_eq(sfen_read(&root, SFEN_STARTPOS, strlen(SFEN_STARTPOS), NULL, NULL), ST_OK);
    pos = root;
    for (int i = 0; i < PLIES; i++) {
        struct undo undo;
        moves[i] = movetext_from_usi(&pos, texts[i % 4], 4);
        ck_assert_int_ne(moves[i], MOVE_NONE);
        position_do(&pos, moves[i], &undo);
    }
    survey = survey_new(&settings, mining, &root, moves, PLIES);
    ck_assert_ptr_nonnull(survey);
    asked_look = asked_full = asked_mates = 0;
}

static void setup(void)
{
    settings = mine_defaults();
    settings.first_ply = 0;
    settings.engine = 7;
    for (int ply = 0; ply <= PLIES; ply++) look_cp[ply] = full_cp[ply] = mate_plies[ply] = 0;
    survey = NULL;
}

static void teardown(void) { survey_free(survey); }

/* FULL: slice, MATES: ply of a unit. */
static uint32_t place_of(uint32_t unit)
{
    if (survey->phase == SURVEY_LOOK) return unit;
    for (uint32_t i = 0;; i++)
        if (survey->wanted[i] && unit-- == 0) return i;
}

static void answer_slice(uint32_t unit, const struct task *task)
{
    char text[4096];
    size_t bytes = 0;
    bool full = task->nodes == (uint64_t)settings.scan_nodes;
    const int *cp = (full ? full_cp : look_cp) + place_of(unit) * SLICE_PLIES;
    *(full ? &asked_full : &asked_look) += 1;
    for (uint32_t ply = 0; ply <= task->last_ply; ply++)
        bytes +=
            (size_t)snprintf(text + bytes, sizeof text - bytes, "%u move 2g2f cp %d depth 9 nodes 10\n", ply, cp[ply]);
    survey_take(survey, unit, text_make(text, bytes), false);
}

static void answer_mate(uint32_t unit, const struct task *task)
{
    char text[128];
    int plies = mate_plies[place_of(unit)];
    asked_mates++;
    ck_assert_uint_eq(task->nodes, (uint64_t)settings.scan_mate_nodes);
    if (plies)
        snprintf(text, sizeof text, "0 mate G*5b mate %d depth 0 nodes 9\n line G*5b\n", plies);
    else
        snprintf(text, sizeof text, "0 unknown - none 0 depth 1 nodes 9\n");
    survey_take(survey, unit, text_from(text), false);
}

/* Answers all that is asked until the cases come; `backwards`: the last unit of each phase first. */
static void run_scan(bool backwards)
{
    while (survey->phase < SURVEY_CASES) {
        enum survey_phase phase = survey->phase;
        uint32_t count = survey_units(survey);
        for (uint32_t i = 0; i < count && survey->phase == phase; i++) {
            uint32_t unit = backwards ? count - 1 - i : i;
            struct task task;
            ck_assert(survey_question(survey, unit, &task));
            ck_assert_uint_eq(task.engine, 7);
            if (task.kind == JOB_SEARCH)
                answer_slice(unit, &task);
            else
                answer_mate(unit, &task);
        }
        ck_assert_int_ne(survey->phase, phase);
    }
}

START_TEST(a_quiet_game_is_looked_at_once_and_gives_nothing)
{
    begin(true);
    run_scan(false);
    ck_assert_int_eq(survey->phase, SURVEY_OVER);
    ck_assert_uint_eq(asked_look, 3);
    ck_assert_uint_eq(asked_full, 0);
    ck_assert_uint_eq(asked_mates, PLIES + 1); /* nobody is behind anywhere */
    ck_assert_uint_eq(survey->case_count, 0);
    ck_assert_uint_eq(survey->nodes_scan, 10 * (PLIES + 1) + 9 * (PLIES + 1));
}
END_TEST

START_TEST(a_scan_asks_with_all_nodes_at_once)
{
    begin(false);
    run_scan(false);
    ck_assert_int_eq(survey->phase, SURVEY_OVER);
    ck_assert_uint_eq(asked_full, 3);
    ck_assert_uint_eq(asked_look + asked_mates, 0);
}
END_TEST

START_TEST(only_the_slices_around_a_suspected_mistake_are_walked_again)
{
    look_cp[8] = 120; /* the move before it, in the slice before, lost 120 */
    begin(true);
    run_scan(false);
    ck_assert_uint_eq(asked_full, 2);
    ck_assert_uint_eq(survey->case_count, 0); /* all nodes say that it was none */
    survey_free(survey);
    full_cp[8] = 900; /* or that it was one */
    full_cp[7] = -20;
    begin(true);
    run_scan(false);
    ck_assert_int_eq(survey->phase, SURVEY_CASES);
    ck_assert_uint_eq(survey->case_count, 1);
    ck_assert_uint_eq(survey->cases[0].ply, 8);
    ck_assert_int_eq(survey->cases[0].chance, MINE_CHANCE_MISTAKE);
    ck_assert_int_eq(survey->cases[0].mine.before.score, 20); /* as the solver saw it */
}
END_TEST

START_TEST(a_mate_that_only_the_mate_solver_sees_is_a_candidate)
{
    for (int ply = 0; ply <= PLIES; ply++) look_cp[ply] = ply % 2 ? -2500 : 2500; /* won all the way */
    for (int ply = 10; ply <= PLIES; ply += 2) mate_plies[ply] = PLIES + 1 - ply; /* and mated to the end */
    begin(true);
    run_scan(false);
    ck_assert_uint_eq(asked_mates, PLIES / 2 + 1); /* the side that is lost is not asked for */
    ck_assert_uint_eq(survey->case_count, 1);
    ck_assert_uint_eq(survey->cases[0].ply, 10);
    ck_assert_int_eq(survey->cases[0].chance, MINE_CHANCE_MATE);
    ck_assert_int_eq(survey_position(survey, 12)->score.kind, WIRE_SCORE_MATE);
    survey_free(survey);
    for (int ply = 14; ply <= PLIES; ply += 2) mate_plies[ply] = 0; /* or let go at 12 */
    begin(true);
    run_scan(false);
    ck_assert_uint_eq(survey->case_count, 2);
    ck_assert_uint_eq(survey->cases[1].ply, 12);
    ck_assert_int_eq(survey->cases[1].chance, MINE_CHANCE_MISSED_MATE);
}
END_TEST

START_TEST(the_order_of_the_answers_changes_nothing)
{
    full_cp[5] = look_cp[5] = 700;
    full_cp[16] = look_cp[16] = 500;
    full_cp[18] = -100;
    mate_plies[3] = 9;
    struct survey *forwards;
    begin(true);
    run_scan(false);
    forwards = survey;
    begin(true);
    run_scan(true);
    ck_assert_uint_eq(survey->case_count, forwards->case_count);
    ck_assert_uint_ge(survey->case_count, 3);
    ck_assert_uint_eq(survey->nodes_scan, forwards->nodes_scan);
    for (uint32_t i = 0; i < survey->case_count; i++) {
        ck_assert_uint_eq(survey->cases[i].ply, forwards->cases[i].ply);
        ck_assert_int_eq(survey->cases[i].chance, forwards->cases[i].chance);
    }
    survey_free(forwards);
}
END_TEST

START_TEST(a_slice_that_failed_for_good_leaves_its_positions_unknown)
{
    begin(true);
    survey_take(survey, 1, text_from(""), true);
    survey_take(survey, 0, text_from("0 move 2g2f cp 5 depth 9 nodes 10\n"), false);
    survey_take(survey, 2, text_from("0 move 2g2f cp 5 depth 9 nodes 10\n"), false);
    ck_assert(survey->incomplete);
    ck_assert(survey_position(survey, 0)->done);
    ck_assert(!survey_position(survey, 9)->done);
    ck_assert_int_eq(survey_position(survey, 9)->score.kind, WIRE_SCORE_NONE);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("survey");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_quiet_game_is_looked_at_once_and_gives_nothing);
    tcase_add_test(tc, a_scan_asks_with_all_nodes_at_once);
    tcase_add_test(tc, only_the_slices_around_a_suspected_mistake_are_walked_again);
    tcase_add_test(tc, a_mate_that_only_the_mate_solver_sees_is_a_candidate);
    tcase_add_test(tc, the_order_of_the_answers_changes_nothing);
    tcase_add_test(tc, a_slice_that_failed_for_good_leaves_its_positions_unknown);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("survey", add_cases)
