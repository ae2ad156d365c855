#include "coordinator/core/referee.h"
#include "tests/unit/check_main.h"

#include <string.h>

static struct referee *referee;
static struct referee_rules rules;

static void setup(void)
{
    referee = calloc(1, sizeof *referee);
    rules = (struct referee_rules){.max_moves = 320, .entering_king = RULE_CSA27};
}
static void teardown(void) { free(referee); }

static enum status start(const char *opening) { return referee_start(referee, &rules, opening, strlen(opening), NULL); }

static struct referee_verdict play_scored(const char *move, const int *score_cp)
{
    return referee_play(referee, move, strlen(move), score_cp);
}
static struct referee_verdict play(const char *move) { return play_scored(move, NULL); }

static void expect(struct referee_verdict verdict, enum game_end end, unsigned winner)
{
    ck_assert_str_eq(game_end_word(verdict.end), game_end_word(end));
    ck_assert_uint_eq(verdict.winner, winner);
}

START_TEST(openings_come_as_sfen_or_position_lines)
{
    ck_assert_int_eq(start("startpos"), ST_OK);
    ck_assert_int_eq(start("position startpos moves 7g7f 3c3d"), ST_OK);
    ck_assert_uint_eq(referee->opening_count, 2);
    ck_assert_int_eq(start("sfen " SFEN_STARTPOS " moves 2g2f"), ST_OK);
    ck_assert_uint_eq(referee->position.side, WHITE);
    ck_assert_int_eq(start(SFEN_STARTPOS), ST_OK);
    ck_assert_int_eq(start("startpos moves 7g7f 7g7f"), ST_ILLEGAL);
    ck_assert_int_eq(start("startpos and so on"), ST_TRAILING);
    ck_assert_int_ne(start("nonsense"), ST_OK);
    ck_assert_int_ne(start(""), ST_OK);
}
END_TEST

START_TEST(an_opening_that_is_over_is_refused)
{
    /* White is mated: gold on 5b backed by a pawn. */
    ck_assert_int_eq(start("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"), ST_ILLEGAL);
    rules.max_moves = 10;
    ck_assert_int_eq(start("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 30"), ST_ILLEGAL);
}
END_TEST

START_TEST(illegal_moves_and_nonsense_lose)
{
    static const char *const bad[] = {"7g7e", "5i5a", "P*5e",  "",      "(none)",
                                      "0000", "none", "7g7f+", "7g7fx", "resign "};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_int_eq(start("startpos"), ST_OK);
        expect(play(bad[i]), GAME_ILLEGAL_MOVE, WHITE);
    }
}
END_TEST

START_TEST(a_pawn_drop_that_mates_loses)
{
    /* On 1b any man mates: gold and rook guard it and each other, the knight stands in the way. */
    ck_assert_int_eq(start("6pnk/7R1/8G/9/9/9/9/9/4K4 b P 1"), ST_OK);
    expect(play("P*1b"), GAME_ILLEGAL_MOVE, WHITE);
    ck_assert_int_eq(start("6pnk/7R1/8G/9/9/9/9/9/4K4 b L 1"), ST_OK);
    expect(play("L*1b"), GAME_MATE, BLACK);
}
END_TEST

START_TEST(mate_wins_for_the_side_that_gave_it)
{
    ck_assert_int_eq(start("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), ST_OK);
    expect(play("G*5b"), GAME_MATE, BLACK);
}
END_TEST

START_TEST(resignation_wins_for_the_other_side)
{
    ck_assert_int_eq(start("startpos moves 7g7f"), ST_OK);
    expect(play("resign"), GAME_RESIGN, BLACK);
}
END_TEST

START_TEST(fourth_repetition_is_a_draw_and_moves_of_the_opening_count)
{
    static const char *const cycle[] = {"2h3h", "8b7b", "3h2h", "7b8b"};
    ck_assert_int_eq(start("startpos moves 2h3h 8b7b 3h2h 7b8b"), ST_OK);
    for (int i = 0; i < 7; i++) expect(play(cycle[i % 4]), GAME_RUNNING, REFEREE_NOBODY);
    expect(play(cycle[3]), GAME_REPETITION, REFEREE_NOBODY);
}
END_TEST

START_TEST(perpetual_check_loses_for_the_checking_side)
{
    /* Black's rook checks along files 5 and 4 while the king steps to and fro. */
    static const char *const cycle[] = {"5e4e", "4a5a", "4e5e", "5a4a"};
    ck_assert_int_eq(start("5k3/9/9/9/4R4/9/9/9/8K b - 1"), ST_OK);
    struct referee_verdict verdict = {GAME_RUNNING, REFEREE_NOBODY};
    int plies = 0;
    while (verdict.end == GAME_RUNNING && plies < 40) verdict = play(cycle[plies++ % 4]);
    expect(verdict, GAME_PERPETUAL, WHITE);
    ck_assert_int_eq(plies, 12);
}
END_TEST

START_TEST(declaration_is_checked_by_the_points)
{
    /* King on 5b, not in check, twelve men besides it in the zone (24 points) and 22 points in hand: 28 are needed. */
    ck_assert_int_eq(start("+P+P+P+P+P+P+P+P+P/4K4/6+R+R+B/9/9/9/9/9/4k4 b B2G2S2N2L9P 1"), ST_OK);
    expect(play("win"), GAME_DECLARATION, BLACK);
    ck_assert_int_eq(start("startpos"), ST_OK);
    expect(play("win"), GAME_FALSE_DECLARATION, WHITE);
    rules.entering_king = RULE_NONE;
    ck_assert_int_eq(start("+P+P+P+P+P+P+P+P+P/4K4/6+R+R+B/9/9/9/9/9/4k4 b B2G2S2N2L9P 1"), ST_OK);
    expect(play("win"), GAME_FALSE_DECLARATION, WHITE);
}
END_TEST

START_TEST(the_king_on_the_try_square_wins_under_the_try_rule_only)
{
    rules.entering_king = RULE_TRY;
    ck_assert_int_eq(start("9/4K4/9/9/9/9/9/9/k8 b - 1"), ST_OK);
    expect(play("5b5a"), GAME_DECLARATION, BLACK);
    rules.entering_king = RULE_CSA27;
    ck_assert_int_eq(start("9/4K4/9/9/9/9/9/9/k8 b - 1"), ST_OK);
    expect(play("5b5a"), GAME_RUNNING, REFEREE_NOBODY);
}
END_TEST

START_TEST(the_move_limit_draws_unless_the_last_move_mates)
{
    rules.max_moves = 2;
    ck_assert_int_eq(start("startpos"), ST_OK);
    expect(play("7g7f"), GAME_RUNNING, REFEREE_NOBODY);
    expect(play("3c3d"), GAME_MOVE_LIMIT, REFEREE_NOBODY);
    rules.max_moves = 1;
    ck_assert_int_eq(start("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), ST_OK);
    expect(play("G*5b"), GAME_MATE, BLACK);
}
END_TEST

START_TEST(adjudication_needs_both_engines_and_an_unbroken_run)
{
    static const char *const moves[] = {"7g7f", "3c3d", "2g2f", "8c8d", "6i7h", "4a3b"};
    rules.resign_score_cp = 1000;
    rules.resign_plies = 4;
    int good = 1500, bad = -1500;
    ck_assert_int_eq(start("startpos"), ST_OK);
    expect(play_scored(moves[0], &good), GAME_RUNNING, REFEREE_NOBODY);
    expect(play_scored(moves[1], NULL), GAME_RUNNING, REFEREE_NOBODY); /* no score: from the beginning */
    expect(play_scored(moves[2], &good), GAME_RUNNING, REFEREE_NOBODY);
    expect(play_scored(moves[3], &bad), GAME_RUNNING, REFEREE_NOBODY);
    expect(play_scored(moves[4], &good), GAME_RUNNING, REFEREE_NOBODY);
    expect(play_scored(moves[5], &bad), GAME_WON_BY_SCORE, BLACK);
    ck_assert_int_eq(start("startpos"), ST_OK);
    for (int i = 0; i < 6; i++) expect(play_scored(moves[i], &good), GAME_RUNNING, REFEREE_NOBODY); /* they disagree */
}
END_TEST

START_TEST(a_level_game_is_drawn_only_after_the_set_move)
{
    static const char *const moves[] = {"7g7f", "3c3d", "2g2f", "8c8d", "6i7h", "4a3b"};
    rules.draw_score_cp = 10;
    rules.draw_plies = 2;
    rules.draw_after_move = 4;
    int level = -7;
    ck_assert_int_eq(start("startpos"), ST_OK);
    for (int i = 0; i < 4; i++) expect(play_scored(moves[i], &level), GAME_RUNNING, REFEREE_NOBODY);
    struct referee_verdict verdict = play_scored(moves[4], &level);
    ck_assert_int_eq(verdict.end, GAME_DRAWN_BY_SCORE);
}
END_TEST

START_TEST(forfeits_lose_whatever_stands_on_the_board)
{
    ck_assert_int_eq(start("startpos"), ST_OK);
    expect(referee_forfeit(referee, BLACK, GAME_TIME), GAME_TIME, WHITE);
}
END_TEST

START_TEST(words_for_files_can_be_read_back)
{
    for (unsigned i = 0; i < GAME_END_COUNT; i++) {
        enum game_end end = GAME_END_COUNT;
        const char *word = game_end_word((enum game_end)i);
        ck_assert(game_end_from_word(word, strlen(word), &end));
        ck_assert_uint_eq(end, i);
    }
    enum game_end end;
    ck_assert(!game_end_from_word("mat", 3, &end));
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("referee");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, openings_come_as_sfen_or_position_lines);
    tcase_add_test(tc, an_opening_that_is_over_is_refused);
    tcase_add_test(tc, illegal_moves_and_nonsense_lose);
    tcase_add_test(tc, a_pawn_drop_that_mates_loses);
    tcase_add_test(tc, mate_wins_for_the_side_that_gave_it);
    tcase_add_test(tc, resignation_wins_for_the_other_side);
    tcase_add_test(tc, fourth_repetition_is_a_draw_and_moves_of_the_opening_count);
    tcase_add_test(tc, perpetual_check_loses_for_the_checking_side);
    tcase_add_test(tc, declaration_is_checked_by_the_points);
    tcase_add_test(tc, the_king_on_the_try_square_wins_under_the_try_rule_only);
    tcase_add_test(tc, the_move_limit_draws_unless_the_last_move_mates);
    tcase_add_test(tc, adjudication_needs_both_engines_and_an_unbroken_run);
    tcase_add_test(tc, a_level_game_is_drawn_only_after_the_set_move);
    tcase_add_test(tc, forfeits_lose_whatever_stands_on_the_board);
    tcase_add_test(tc, words_for_files_can_be_read_back);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("referee", add_cases)
