/* What the stories (check_coord.c) do not reach: merging, boards, lines, the moment of the answer. */
#include "common/shogi/movetext.h"
#include "coordinator/core/board.h"
#include "coordinator/core/coord.h"
#include "coordinator/core/merge.h"
#include "coordinator/core/pv.h"
#include "tests/unit/check_main.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static struct coord_effects *fx;
static struct metrics metrics;
static struct merge merge;
static struct position start;
static const struct merge_display quiet = {.interval_ms = 0};

static void set_up(void)
{
    fx = malloc(sizeof *fx);
    ck_assert_ptr_nonnull(fx);
    fx_clear(fx);
    merge_start(&merge, MERGE_DEEPEST, 0);
    ck_assert_int_eq(sfen_read(&start, SFEN_STARTPOS, strlen(SFEN_STARTPOS), NULL, NULL), ST_OK);
}

static void tear_down(void) { free(fx); }

static bool take(unsigned worker, uint32_t depth, uint32_t kind, int32_t score, const char *pv)
{
    struct merge_line line = {.depth = depth,
                              .multipv = 1,
                              .score_kind = kind,
                              .score = score,
                              .proven = kind == WIRE_SCORE_MATE && score > 0};
    pv_read(&line.pv, &start, wire_str_make(pv, strlen(pv)));
    return merge_take(&merge, worker, &line, &quiet, 0, &metrics, fx);
}

static bool final_word(unsigned worker, uint32_t depth, int32_t score, const char *move)
{
    struct merge_line line = {
        .depth = depth, .seldepth = depth, .multipv = 1, .score_kind = WIRE_SCORE_CP, .score = score};
    pv_read(&line.pv, &start, wire_str_make(move, strlen(move)));
    return merge_final(&merge, worker, &line);
}

static const char *held(void)
{
    static char text[MOVETEXT_BYTES_MAX];
    movetext_to_usi(merge.line.pv.moves[0], text);
    return text;
}

START_TEST(depth_goes_before_score_and_a_proven_mate_before_both)
{
    ck_assert(take(0, 5, WIRE_SCORE_CP, 100, "7g7f"));
    ck_assert(!take(1, 4, WIRE_SCORE_CP, 900, "2g2f"));
    ck_assert(!take(1, 5, WIRE_SCORE_CP, 100, "2g2f")); /* a tie changes nothing */
    ck_assert(take(1, 5, WIRE_SCORE_CP, 101, "2g2f"));
    ck_assert(take(2, 1, WIRE_SCORE_MATE, 9, "1g1f"));
    ck_assert(!take(0, 30, WIRE_SCORE_CP, 5000, "7g7f"));
    ck_assert(take(0, 8, WIRE_SCORE_MATE, 5, "9g9f")); /* the shorter mate */
    ck_assert(!take(1, 50, WIRE_SCORE_MATE, 7, "2g2f"));
    ck_assert_str_eq(held(), "9g9f");
    ck_assert(!take(1, 60, WIRE_SCORE_MATE, -2, "2g2f")); /* to be mated is no reason */
}
END_TEST

static bool claim(unsigned worker, uint32_t depth, int32_t mate_plies, const char *pv)
{
    struct merge_line line = {.depth = depth, .multipv = 1, .score_kind = WIRE_SCORE_MATE, .score = mate_plies};
    pv_read(&line.pv, &start, wire_str_make(pv, strlen(pv)));
    return merge_take(&merge, worker, &line, &quiet, 0, &metrics, fx);
}

START_TEST(a_mate_that_is_only_claimed_has_to_be_as_deep)
{
    ck_assert(take(0, 12, WIRE_SCORE_CP, 100, "7g7f"));
    ck_assert(!claim(1, 11, 3, "2g2f"));
    ck_assert(claim(1, 12, 3, "2g2f"));                 /* a good score of the same depth */
    ck_assert(take(0, 13, WIRE_SCORE_CP, 100, "7g7f")); /* and no better than that */
    ck_assert(take(2, 3, WIRE_SCORE_MATE, 9, "9g9f"));
    ck_assert(!claim(1, 30, 3, "2g2f"));
    ck_assert(!take(2, 30, WIRE_SCORE_CP, 100, "7g7f")); /* nobody takes it back, not even who proved it */
    ck_assert_str_eq(held(), "9g9f");
}
END_TEST

START_TEST(a_claimed_mate_is_no_majority)
{
    merge_start(&merge, MERGE_MAJORITY, 0);
    ck_assert(take(0, 9, WIRE_SCORE_CP, 300, "7g7f"));
    ck_assert(!claim(3, 2, 3, "9g9f"));
    ck_assert_str_eq(held(), "7g7f");
}
END_TEST

START_TEST(a_majority_plays_what_most_of_the_deep_ones_want)
{
    merge_start(&merge, MERGE_MAJORITY, 0);
    ck_assert(take(0, 9, WIRE_SCORE_CP, 300, "7g7f"));
    ck_assert(!take(1, 8, WIRE_SCORE_CP, 10, "2g2f"));
    ck_assert(take(2, 7, WIRE_SCORE_CP, 20, "2g2f"));
    ck_assert_str_eq(held(), "2g2f");
    ck_assert_int_eq(merge.line.score, 10); /* the deepest line of the move */
    ck_assert(
        take(0, 10, WIRE_SCORE_CP, 200, "7g7f")); /* worker 2 is too far behind now: one to one, the deeper wins */
    ck_assert_str_eq(held(), "7g7f");
    ck_assert(take(3, 2, WIRE_SCORE_MATE, 3, "9g9f")); /* a mate needs no majority */
    ck_assert_str_eq(held(), "9g9f");
}
END_TEST

START_TEST(optimists_play_the_best_score_of_the_deep_ones)
{
    merge_start(&merge, MERGE_OPTIMISTIC, 0);
    ck_assert(take(0, 9, WIRE_SCORE_CP, 30, "7g7f"));
    ck_assert(take(1, 7, WIRE_SCORE_CP, 50, "2g2f"));
    ck_assert(!take(2, 6, WIRE_SCORE_CP, 900, "9g9f")); /* too shallow to be believed */
    ck_assert_str_eq(held(), "2g2f");
    ck_assert(take(1, 8, WIRE_SCORE_CP, -5, "2g2f")); /* it has changed its mind */
    ck_assert_str_eq(held(), "7g7f");
}
END_TEST

START_TEST(a_worker_may_correct_itself)
{
    ck_assert(take(0, 5, WIRE_SCORE_CP, 100, "7g7f"));
    ck_assert(take(0, 5, WIRE_SCORE_CP, -50, "2g2f"));
    ck_assert_str_eq(held(), "2g2f");
    ck_assert(!take(0, 4, WIRE_SCORE_CP, 500, "7g7f"));
    ck_assert(take(0, 6, WIRE_SCORE_MATE, -4, "1g1f")); /* deeper, and it sees that it is lost */
    ck_assert_str_eq(held(), "1g1f");
}
END_TEST

START_TEST(the_final_word_of_a_worker_counts_for_its_own_line)
{
    take(0, 5, WIRE_SCORE_CP, 100, "7g7f 3c3d");
    ck_assert(!final_word(0, 5, 100, "7g7f"));
    ck_assert_uint_eq(merge.line.pv.count, 2); /* the longer line is kept */
    ck_assert(!final_word(1, 4, 900, "2g2f"));
    ck_assert(final_word(0, 5, 120, "2g2f")); /* an unfinished iteration changed its mind */
    ck_assert_str_eq(held(), "2g2f");
    ck_assert_uint_eq(merge.line.depth, 5);
}
END_TEST

static bool lead(unsigned worker, uint32_t depth, int32_t score, const char *pv)
{
    struct merge_line line = {
        .depth = depth, .multipv = 1, .score_kind = WIRE_SCORE_CP, .score = score, .bound = WIRE_LOWER};
    pv_read(&line.pv, &start, wire_str_make(pv, strlen(pv)));
    return merge_take(&merge, worker, &line, &quiet, 0, &metrics, fx);
}

START_TEST(a_move_that_leads_a_deeper_iteration_is_the_answer_until_that_is_finished)
{
    ck_assert(!lead(0, 5, 10, "2g2f")); /* better than nothing is what every move is */
    take(0, 5, WIRE_SCORE_CP, 100, "7g7f");
    ck_assert(!lead(1, 5, 500, "2g2f")); /* that iteration is finished */
    ck_assert(lead(0, 6, 20, "2g2f"));   /* less than 100, but the other is worth even less now */
    ck_assert_str_eq(held(), "2g2f");
    ck_assert(!lead(1, 6, 20, "6g6f"));
    ck_assert(lead(1, 6, 30, "6g6f"));
    ck_assert(lead(1, 6, 25, "9g9f")); /* its own newer word */
    ck_assert(!take(0, 5, WIRE_SCORE_CP, 900, "7g7f"));
    ck_assert(take(0, 6, WIRE_SCORE_CP, 5, "7g7f")); /* finished */
    ck_assert_str_eq(held(), "7g7f");
    ck_assert(!lead(1, 6, 500, "2g2f"));
    merge_start(&merge, MERGE_MAJORITY, 0); /* there everybody searches for himself */
    take(0, 5, WIRE_SCORE_CP, 100, "7g7f");
    ck_assert(!lead(0, 6, 200, "2g2f"));
}
END_TEST

START_TEST(a_deeper_search_that_fails_low_is_remembered_until_its_line_is_there)
{
    struct merge_line low = {.depth = 9, .multipv = 1, .score_kind = WIRE_SCORE_CP, .score = -40, .bound = WIRE_UPPER};
    pv_read(&low.pv, &start, wire_str_make("7g7f", 4));
    ck_assert(!merge_take(&merge, 0, &low, &quiet, 0, &metrics, fx)); /* of a line that nobody holds */
    ck_assert_int_eq(merge.low, SCORE_NONE);
    take(0, 8, WIRE_SCORE_CP, 100, "7g7f");
    ck_assert(!merge_take(&merge, 1, &low, &quiet, 0, &metrics, fx)); /* of another worker */
    ck_assert_int_eq(merge.low, SCORE_NONE);
    ck_assert(!merge_take(&merge, 0, &low, &quiet, 0, &metrics, fx));
    ck_assert_int_eq(merge.low, -40);
    ck_assert_int_eq(merge.line.score, 100);
    take(0, 9, WIRE_SCORE_CP, 10, "2g2f");
    ck_assert_int_eq(merge.low, SCORE_NONE);
}
END_TEST

START_TEST(nodes_are_summed_over_workers_and_lost_jobs_and_never_go_down)
{
    merge_count(&merge, 0, 100, 10);
    merge_count(&merge, 1, UINT64_C(9000000000), 30);
    ck_assert_uint_eq(merge_nodes(&merge), UINT64_C(9000000100));
    merge_job_over(&merge, 1);
    merge_count(&merge, 1, 5, 30);
    ck_assert_uint_eq(merge_nodes(&merge), UINT64_C(9000000105));
    merge_count(&merge, 0, 50, 10); /* a late report */
    ck_assert_uint_eq(merge_nodes(&merge), UINT64_C(9000000105));
}
END_TEST

START_TEST(scores_compare_as_they_should)
{
    ck_assert_int_gt(merge_score(WIRE_SCORE_MATE, 3), merge_score(WIRE_SCORE_MATE, 5));
    ck_assert_int_gt(merge_score(WIRE_SCORE_MATE, 999), merge_score(WIRE_SCORE_CP, 32000));
    ck_assert_int_lt(merge_score(WIRE_SCORE_MATE, -2), merge_score(WIRE_SCORE_MATE, -8));
    ck_assert_int_lt(merge_score(WIRE_SCORE_MATE, -900), merge_score(WIRE_SCORE_CP, -32000));
    ck_assert(score_is_mate(merge_score(WIRE_SCORE_MATE, 32000)));
}
END_TEST

START_TEST(instability_rises_with_every_change_of_mind_and_fades)
{
    take(0, 1, WIRE_SCORE_CP, 0, "7g7f");
    ck_assert_int_eq(merge.instability_permille, 0);
    take(0, 2, WIRE_SCORE_CP, 0, "2g2f");
    ck_assert_int_eq(merge.instability_permille, 1000);
    take(0, 3, WIRE_SCORE_CP, 0, "2g2f");
    ck_assert_int_eq(merge.instability_permille, 500);
    take(0, 4, WIRE_SCORE_CP, 0, "7g7f");
    ck_assert_int_eq(merge.instability_permille, 1250);
}
END_TEST

/* ---- boards and lines ---- */

static struct board board;

static enum status set(const char *sfen, const char *moves, char why[BOARD_WHY_BYTES])
{
    return board_set(&board, wire_str_make(sfen, strlen(sfen)), wire_str_make(moves, strlen(moves)), why);
}

START_TEST(a_long_game_is_kept_whole_and_one_that_is_too_long_is_refused)
{
    static char moves[200000];
    static const char *const shuffle[] = {"2h3h", "8b7b", "3h2h", "7b8b"};
    char why[BOARD_WHY_BYTES];
    size_t used = 0;
    for (int i = 0; i < 2000; i++)
        used += (size_t)snprintf(moves + used, sizeof moves - used, "  %s\t", shuffle[i % 4]);
    ck_assert_int_eq(set("", moves, why), ST_OK);
    ck_assert_uint_eq(board.move_count, 2000);
    ck_assert_uint_eq(board.moves_bytes, 2000 * 5 - 1); /* one blank between */
    ck_assert_int_eq(history_referee(&board.history, &board.now),
                     OUTCOME_DRAW_REPETITION); /* all of it is remembered */
    for (int i = 2000; i < 6000; i++)
        used += (size_t)snprintf(moves + used, sizeof moves - used, " %s", shuffle[i % 4]);
    ck_assert_int_eq(set("", moves, why), ST_TOO_BIG);
    ck_assert(!board.valid);
}
END_TEST

START_TEST(handicap_games_begin_with_white)
{
    char why[BOARD_WHY_BYTES];
    ck_assert_int_eq(set("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", "3c3d 7g7f", why), ST_OK);
    ck_assert_uint_eq(board.now.side, WHITE);
}
END_TEST

START_TEST(a_line_is_read_as_far_as_the_rules_allow)
{
    struct pv pv;
    static const char good[] = "7g7f 3c3d 8h2b+", cut[] = "7g7f 7g7f 3c3d", none[] = "win";
    ck_assert(pv_read(&pv, &start, wire_str_make(good, sizeof good - 1)));
    ck_assert_uint_eq(pv.count, 3);
    ck_assert(!pv_read(&pv, &start, wire_str_make(cut, sizeof cut - 1)));
    ck_assert_uint_eq(pv.count, 1);
    ck_assert(!pv_read(&pv, &start, wire_str_make(none, sizeof none - 1)));
    ck_assert_uint_eq(pv.count, 0);
    static char longest[WIRE_PV_BYTES_MAX];
    static const char *const shuffle[] = {"2h3h", "8b7b", "3h2h", "7b8b"};
    size_t used = 0;
    for (int i = 0; used + 6 < sizeof longest; i++)
        used += (size_t)snprintf(longest + used, sizeof longest - used, "%s ", shuffle[i % 4]);
    pv_read(&pv, &start, wire_str_make(longest, used));
    ck_assert_uint_eq(pv.count, PV_MAX);
    char text[PV_BYTES_MAX];
    ck_assert_uint_eq(pv_write(&pv, text), PV_MAX * 5 - 1);
}
END_TEST

START_TEST(a_tsume_line_is_right_only_with_checks_and_mate_at_its_end)
{
    struct position pos;
    unsigned moves;
    static const char sfen[] = "4k4/9/4P4/9/9/9/9/9/9 b 2G 1";
    ck_assert_int_eq(sfen_read(&pos, sfen, sizeof sfen - 1, NULL, NULL), ST_OK);
    static const struct {
        const char *line;
        bool right;
    } rows[] = {{"G*5b", true},  {"G*4b", false}, {"G*4b 5a6a", false}, {"G*9i", false},
                {"5c5b", false}, {"", false},     {"G*5b 5a4a", false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        ck_assert_msg(mate_line_is_right(&pos, wire_str_make(rows[i].line, strlen(rows[i].line)), &moves) ==
                          rows[i].right,
                      "%s", rows[i].line);
    static const char corner[] = "8k/9/7P1/9/9/9/9/9/9 b B 1", three[] = "B*3c 1a2a 2c2b+";
    ck_assert_int_eq(sfen_read(&pos, corner, sizeof corner - 1, NULL, NULL), ST_OK);
    ck_assert(mate_line_is_right(&pos, wire_str_make(three, sizeof three - 1), &moves));
    ck_assert_uint_eq(moves, 3);
}
END_TEST

/* ---- the core as a whole: bounds ---- */

START_TEST(lines_of_any_length_and_any_bytes_do_no_harm)
{
    struct coord *coord = coord_new(&(struct coord_config){.boot = 1, .fallback_nodes = 100});
    ck_assert_ptr_nonnull(coord);
    char *line = malloc(COORD_LINE_BYTES_MAX + 1);
    struct coord_event event = {.type = COORD_EV_LINE};
    static const char *const beginnings[] = {
        "",           "position sfen ", "position startpos moves ", "setoption name ", "go ", "go searchmoves ",
        "ponderhit ", "getoption "};
    for (size_t b = 0; b < 8; b++)
        for (int fill = 0; fill < 256; fill += 15) {
            memset(line, fill, COORD_LINE_BYTES_MAX);
            memcpy(line, beginnings[b], strlen(beginnings[b]));
            event.now_us += 1000;
            event.line.bytes = line;
            event.line.length = COORD_LINE_BYTES_MAX;
            event.line.too_long = fill == 0;
            coord_step(coord, &event, fx);
        }
    free(line);
    coord_free(coord);
}
END_TEST

START_TEST(a_config_that_makes_no_sense_is_refused)
{
    ck_assert_ptr_null(coord_new(&(struct coord_config){.boot = 0}));
    ck_assert_ptr_null(coord_new(&(struct coord_config){.boot = 1, .local_workers = COORD_LOCAL_MAX + 1}));
    ck_assert_ptr_null(coord_new(&(struct coord_config){.boot = 1, .threads = 1000000}));
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("game");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, depth_goes_before_score_and_a_proven_mate_before_both);
    tcase_add_test(tc, a_mate_that_is_only_claimed_has_to_be_as_deep);
    tcase_add_test(tc, a_claimed_mate_is_no_majority);
    tcase_add_test(tc, a_majority_plays_what_most_of_the_deep_ones_want);
    tcase_add_test(tc, optimists_play_the_best_score_of_the_deep_ones);
    tcase_add_test(tc, a_worker_may_correct_itself);
    tcase_add_test(tc, the_final_word_of_a_worker_counts_for_its_own_line);
    tcase_add_test(tc, a_move_that_leads_a_deeper_iteration_is_the_answer_until_that_is_finished);
    tcase_add_test(tc, a_deeper_search_that_fails_low_is_remembered_until_its_line_is_there);
    tcase_add_test(tc, nodes_are_summed_over_workers_and_lost_jobs_and_never_go_down);
    tcase_add_test(tc, scores_compare_as_they_should);
    tcase_add_test(tc, instability_rises_with_every_change_of_mind_and_fades);
    tcase_add_test(tc, a_long_game_is_kept_whole_and_one_that_is_too_long_is_refused);
    tcase_add_test(tc, handicap_games_begin_with_white);
    tcase_add_test(tc, a_line_is_read_as_far_as_the_rules_allow);
    tcase_add_test(tc, a_tsume_line_is_right_only_with_checks_and_mate_at_its_end);
    tcase_add_test(tc, lines_of_any_length_and_any_bytes_do_no_harm);
    tcase_add_test(tc, a_config_that_makes_no_sense_is_refused);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("game", add_cases)
