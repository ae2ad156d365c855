#include "coordinator/core/usi_dialogue.h"
#include "tests/unit/check_main.h"

#include <string.h>

static struct usi_dialogue dialogue;

static enum dialogue_event say(const char *line) { return usi_dialogue_line(&dialogue, line, strlen(line)); }

static void bring_up(void)
{
    memset(&dialogue, 0, sizeof dialogue);
    usi_dialogue_start(&dialogue);
    say("id name Test 1.0 ");
    say("option name USI_Hash type spin default 16 min 1 max 1024");
    say("option name Move Overhead type spin default 30 min 0 max 5000");
    ck_assert_int_eq(say("usiok"), DIALOGUE_USIOK);
}

START_TEST(the_handshake_tells_name_and_options_even_with_blanks)
{
    bring_up();
    ck_assert_str_eq(dialogue.id_name, "Test 1.0");
    ck_assert_uint_eq(dialogue.option_count, 2);
    ck_assert(usi_dialogue_declares(&dialogue, "usi_hash"));
    ck_assert(usi_dialogue_declares(&dialogue, "Move Overhead"));
    ck_assert(!usi_dialogue_declares(&dialogue, "Move"));
}
END_TEST

START_TEST(readyok_counts_only_when_asked_for)
{
    bring_up();
    ck_assert_int_eq(say("readyok"), DIALOGUE_NOTHING);
    usi_dialogue_sent_isready(&dialogue);
    ck_assert_int_eq(say(""), DIALOGUE_NOTHING);
    ck_assert_int_eq(say("readyok\r"), DIALOGUE_READYOK);
}
END_TEST

START_TEST(one_go_takes_one_bestmove_and_a_second_one_is_a_fault)
{
    bring_up();
    ck_assert_int_eq(say("bestmove 7g7f"), DIALOGUE_NOTHING);
    ck_assert_uint_eq(dialogue.faults[FAULT_STRAY_BESTMOVE], 1);
    usi_dialogue_sent_go(&dialogue);
    ck_assert_int_eq(say("bestmove 2g2f ponder 8c8d"), DIALOGUE_BESTMOVE);
    ck_assert_str_eq(dialogue.bestmove, "2g2f");
    ck_assert_int_eq(say("bestmove 2g2f"), DIALOGUE_NOTHING);
    ck_assert_uint_eq(dialogue.faults[FAULT_DOUBLE_BESTMOVE], 1);
    ck_assert_int_eq(say("info depth 3 score cp 5"), DIALOGUE_NOTHING);
    ck_assert_int_eq(say("info string bye"), DIALOGUE_NOTHING);
    ck_assert_uint_eq(dialogue.faults[FAULT_IDLE_INFO], 1);
    usi_dialogue_sent_newgame(&dialogue);
    usi_dialogue_sent_isready(&dialogue);
    say("bestmove 2g2f"); /* still from the old game */
    ck_assert_uint_eq(dialogue.faults[FAULT_DOUBLE_BESTMOVE], 2);
    say("readyok");
    say("bestmove 2g2f");
    ck_assert_uint_eq(dialogue.faults[FAULT_STRAY_BESTMOVE], 2);
}
END_TEST

START_TEST(a_bestmove_without_a_move_is_an_answer_that_no_referee_takes)
{
    bring_up();
    usi_dialogue_sent_go(&dialogue);
    ck_assert_int_eq(say("bestmove"), DIALOGUE_BESTMOVE);
    ck_assert_str_eq(dialogue.bestmove, "");
    usi_dialogue_sent_go(&dialogue);
    ck_assert_int_eq(say("bestmove aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), DIALOGUE_BESTMOVE);
    ck_assert_str_eq(dialogue.bestmove, "");
    ck_assert_uint_eq(dialogue.faults[FAULT_MALFORMED_BESTMOVE], 2);
}
END_TEST

START_TEST(the_score_is_the_last_exact_one_of_the_best_line)
{
    bring_up();
    usi_dialogue_sent_go(&dialogue);
    say("info depth 5 seldepth 9 multipv 1 score cp 31 nodes 1000 nps 5 time 12 pv 7g7f depth");
    say("info depth 5 multipv 2 score cp -900 nodes 1200 pv 2g2f");
    say("info depth 6 score cp 500 lowerbound nodes 5000");
    say("info currmove 7g7f nodes");
    say("info string score cp 7777");
    ck_assert(dialogue.info.has_score);
    ck_assert_int_eq(dialogue.info.score_cp, 31);
    ck_assert_int_eq(dialogue.info.depth_plies, 6);
    ck_assert_uint_eq(dialogue.info.nodes, 5000);
    say("info depth 7 score mate -4 nodes 99999999999999999999999999");
    ck_assert_int_eq(dialogue.info.score_cp, -SCORE_CP_MAX);
    say("info depth 7 score mate +");
    ck_assert_int_eq(dialogue.info.score_cp, SCORE_CP_MAX);
    say("info score cp 999999");
    ck_assert_int_eq(dialogue.info.score_cp, SCORE_CP_MAX);
    usi_dialogue_sent_go(&dialogue);
    ck_assert(!dialogue.info.has_score);
}
END_TEST

START_TEST(thousands_of_options_and_endless_names_are_cut)
{
    memset(&dialogue, 0, sizeof dialogue);
    usi_dialogue_start(&dialogue);
    char line[4000];
    memset(line, 'x', sizeof line);
    memcpy(line, "id name ", 8);
    usi_dialogue_line(&dialogue, line, sizeof line);
    ck_assert_uint_eq(strlen(dialogue.id_name), DIALOGUE_ID_BYTES - 1);
    memcpy(line, "option name ", 12);
    for (int i = 0; i < 5000; i++) usi_dialogue_line(&dialogue, line, sizeof line);
    ck_assert_uint_eq(dialogue.option_count, DIALOGUE_OPTIONS_MAX);
    ck_assert_int_eq(say("option name"), DIALOGUE_NOTHING);
    ck_assert_int_eq(say("id"), DIALOGUE_NOTHING);
    ck_assert_int_eq(say("   "), DIALOGUE_NOTHING);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("usi_dialogue");
    tcase_add_test(tc, the_handshake_tells_name_and_options_even_with_blanks);
    tcase_add_test(tc, readyok_counts_only_when_asked_for);
    tcase_add_test(tc, one_go_takes_one_bestmove_and_a_second_one_is_a_fault);
    tcase_add_test(tc, a_bestmove_without_a_move_is_an_answer_that_no_referee_takes);
    tcase_add_test(tc, the_score_is_the_last_exact_one_of_the_best_line);
    tcase_add_test(tc, thousands_of_options_and_endless_names_are_cut);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("usi_dialogue", add_cases)
