/* check_usi_session.c - starting up, options, positions, declarations and the form of what is said. Real processes. */
#include "tests/e2e/driver.h"
#include "tests/unit/check_main.h"

#include <stdio.h>
#include <string.h>

#define START "startpos"
/* Black's king stands in the enemy camp with 15 others, 33 points: a declaration wins under every counting rule. */
#define DECLARE "sfen 1K7/RBGGGGSSS/PPPPPP3/9/9/9/9/4k4/9 b RBS4N4L12P 1"

static struct process *engine;

static void setup(void) { engine = engine_ready(NULL); }
static void teardown(void) { engine_quit(engine); }

/* ---- starting -------------------------------------------------------------------------------------------------- */

START_TEST(usi_is_answered_before_anything_heavy)
{
    struct process *fresh = engine_start("--hash", "2048", NULL);
    int64_t start_ms = now_ms();
    say(fresh, "usi");
    await(fresh, "usiok", WAIT_MS);
    ck_assert_int_lt(now_ms() - start_ms, 2000 * SANITIZED_PATIENCE);
    ck_assert_ptr_nonnull(strstr(fresh->out, "id name Murakumo"));
    ck_assert_ptr_nonnull(strstr(fresh->out, "id author"));
    engine_quit(fresh);
}
END_TEST

START_TEST(option_lines_have_the_form_that_guis_split_at_blanks)
{
    static const char *const names[] = {"USI_Hash",       "Threads",       "USI_Ponder",     "MultiPV",
                                        "NetworkDelay",   "NetworkDelay2", "SlowMover",      "MinimumThinkingTime",
                                        "MaxMovesToDraw", "ResignValue",   "DrawValueBlack", "EnteringKingRule",
                                        "PvInterval",     "DebugLogFile"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char line[64];
        snprintf(line, sizeof line, "\noption name %s type ", names[i]);
        ck_assert_msg(strstr(engine->out, line) != NULL, "%s is not declared", names[i]);
    }
    ck_assert_ptr_nonnull(strstr(engine->out, "option name EnteringKingRule type combo default CSARule27 var "));
    ck_assert_ptr_nonnull(strstr(engine->out, "option name DebugLogFile type string default <empty>"));
}
END_TEST

START_TEST(isready_is_a_ping_even_during_a_search)
{
    say(engine, "position startpos");
    say(engine, "go infinite");
    say(engine, "isready");
    await(engine, "readyok", WAIT_MS);
    ck_assert_uint_eq(count_lines(engine, "bestmove"), 0);
    say(engine, "stop");
    await(engine, "bestmove", WAIT_MS);
    say(engine, "isready");
    await(engine, "readyok", WAIT_MS);
}
END_TEST

START_TEST(lines_are_flushed_one_by_one_into_a_pipe)
{
    /* All of this file reads through pipes; what matters is that usiok came while the engine waits for input. */
    struct process *fresh = engine_start(NULL);
    say(fresh, "usi");
    await(fresh, "usiok", WAIT_MS);
    engine_quit(fresh);
}
END_TEST

START_TEST(commands_on_the_command_line_are_carried_out)
{
    struct process *fresh = engine_start("position startpos moves 7g7f", "go depth 4", NULL);
    await(fresh, "bestmove", WAIT_MS);
    ck_assert_int_eq(await_end(fresh, WAIT_MS), 0);
    check_search_output(fresh, 0, "startpos moves 7g7f");
    process_drop(fresh);
    fresh = engine_start("usi", "isready", "go mate 1000", NULL);
    ck_assert_int_eq(await_end(fresh, WAIT_MS), 0);
    ck_assert_uint_eq(count_lines(fresh, "usiok"), 1);
    ck_assert_uint_eq(count_lines(fresh, "readyok"), 1);
    ck_assert_uint_eq(count_lines(fresh, "checkmate"), 1);
    process_drop(fresh);
}
END_TEST

/* ---- options --------------------------------------------------------------------------------------------------- */

START_TEST(a_table_larger_than_the_machine_is_cut_down_in_words)
{
    say(engine, "setoption name USI_Hash value 33554432");
    say(engine, "isready");
    await(engine, "readyok", 120000);
    const char *told = strstr(engine->out, "info string");
    ck_assert_ptr_nonnull(told);
    ck_assert(strstr(engine->out, "MiB") || strstr(engine->out, "MB"));
    play(engine, START, "go depth 4");
}
END_TEST

START_TEST(a_small_table_is_honoured)
{
    say(engine, "setoption name USI_Hash value 1");
    say(engine, "isready");
    await(engine, "readyok", WAIT_MS);
    play(engine, START, "go depth 8");
}
END_TEST

START_TEST(option_junk_never_hurts)
{
    static const char *const junk[] = {
        "setoption",
        "setoption name",
        "setoption value 3",
        "setoption name value",
        "setoption name NoSuchOption value 12",
        "setoption name USI_Hash",
        "setoption name USI_Hash value",
        "setoption name USI_Hash value x",
        "setoption name USI_Hash value -1",
        "setoption name USI_Hash value 99999999999999999999999",
        "setoption name Threads value 0",
        "setoption name MultiPV value 100000",
        "setoption name EnteringKingRule value Nonsense",
        "setoption name USI_Ponder value maybe",
        "setoption name DebugLogFile value /nonexistent/directory/log",
        "setoption name SplitStrategy value magic",
        "setoption name usi_hash value 16",
        "setoption name THREADS value 1",
        "setoption name USI_Ponder value true",
        "setoption name USI_OwnBook value true",
        "setoption  name   MultiPV   value   1  ",
        "\tsetoption name MultiPV value 1\r",
    };
    for (size_t i = 0; i < sizeof junk / sizeof *junk; i++) say(engine, "%s", junk[i]);
    say(engine, "isready");
    await(engine, "readyok", WAIT_MS);
    play(engine, START, "go depth 4");
}
END_TEST

START_TEST(setoption_during_a_search_waits_until_it_is_over)
{
    say(engine, "position startpos");
    say(engine, "go infinite");
    say(engine, "setoption name USI_Hash value 8");
    say(engine, "setoption name MultiPV value 2");
    say(engine, "setoption name Threads value 2");
    await_silence(engine, "bestmove", 200);
    say(engine, "stop");
    await(engine, "bestmove", WAIT_MS);
    say(engine, "isready");
    await(engine, "readyok", WAIT_MS);
    play(engine, START, "go depth 5");
    ck_assert_ptr_nonnull(strstr(engine->out, " multipv 2 "));
}
END_TEST

/* Of the last iteration: `count` lines, with different first moves, the better ones first. */
static void check_last_lines(const char *out, unsigned depth, unsigned count)
{
    char first[9][8] = {{0}}, head[40];
    int scores[9] = {0};
    for (unsigned n = 1; n <= count; n++) {
        const char *line = NULL, *pv;
        snprintf(head, sizeof head, "info depth %u ", depth);
        for (const char *at = out; (at = strstr(at, head)) != NULL; at++) {
            char number[24];
            snprintf(number, sizeof number, " multipv %u ", n);
            const char *found = strstr(at, number), *end = strchr(at, '\n');
            if (found && end && found < end) line = at;
        }
        ck_assert_msg(line != NULL, "no line %u of depth %u", n, depth);
        ck_assert_ptr_nonnull(pv = strstr(line, " pv "));
        ck_assert_int_eq(sscanf(pv, " pv %7s", first[n - 1]), 1);
        ck_assert_int_eq(sscanf(strstr(line, "score cp "), "score cp %d", &scores[n - 1]), 1);
        for (unsigned m = 1; m < n; m++) ck_assert_str_ne(first[m - 1], first[n - 1]);
        if (n > 1) ck_assert_int_le(scores[n - 1], scores[n - 2]);
    }
}

START_TEST(multipv_of_several_workers_is_distinct_and_sorted)
{
    static const char *const strategies[] = {"root", "lazy", "auto", "majority", "optimistic"};
    struct process *three = engine_ready("--workers", "3", "--threads", "1", "--hash", "16", NULL);
    say(three, "setoption name MultiPV value 4");
    say(three, "setoption name PvInterval value 0");
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        say(three, "setoption name SplitStrategy value %s", strategies[i]);
        forget(three);
        play(three, START, "go depth 8");
        check_last_lines(three->out, 8, 4);
        ck_assert_ptr_null(strstr(three->out, " multipv 5 "));
    }
    engine_quit(three);
}
END_TEST

START_TEST(pondering_of_several_workers_ends_well_on_a_hit_and_a_miss)
{
    struct process *three = engine_ready("--workers", "3", "--threads", "1", "--hash", "16", NULL);
    say(three, "setoption name MinimumThinkingTime value 10");
    for (int round = 0; round < 4; round++) {
        forget(three);
        say(three, "position startpos moves 7g7f 3c3d");
        say(three, "go ponder btime 10000 wtime 10000 byoyomi 100");
        await_silence(three, "bestmove", round * 150); /* before, during and after the look */
        if (round % 2 == 0) {
            say(three, "ponderhit");
            await(three, "bestmove", WAIT_MS);
            check_search_output(three, 0, "startpos moves 7g7f 3c3d");
        } else {
            say(three, "stop");
            await(three, "bestmove", WAIT_MS);
            forget(three);
            play(three, "startpos moves 7g7f 8c8d", "go btime 10000 wtime 10000 byoyomi 100");
        }
    }
    engine_quit(three);
}
END_TEST

START_TEST(multipv_shows_that_many_lines_and_one_move)
{
    say(engine, "setoption name MultiPV value 3");
    say(engine, "setoption name PvInterval value 0");
    play(engine, START, "go depth 6");
    ck_assert_ptr_nonnull(strstr(engine->out, " multipv 1 "));
    ck_assert_ptr_nonnull(strstr(engine->out, " multipv 3 "));
    ck_assert_ptr_null(strstr(engine->out, " multipv 4 "));
}
END_TEST

START_TEST(searchmoves_are_kept)
{
    ck_assert_str_eq(play(engine, START, "go depth 5 searchmoves 1g1f"), "1g1f");
    const char *move = play(engine, START, "go depth 5 searchmoves 9g9f 1g1f");
    ck_assert(strcmp(move, "9g9f") == 0 || strcmp(move, "1g1f") == 0);
}
END_TEST

START_TEST(the_usi_log_has_times_and_arrows)
{
    char path[PATH_BYTES], text[20000] = "";
    snprintf(path, sizeof path, "%s/usi.log", scratch());
    say(engine, "setoption name DebugLogFile value %s", path);
    say(engine, "isready");
    await(engine, "readyok", WAIT_MS);
    play(engine, START, "go depth 3");
    FILE *file = fopen(path, "re");
    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    ck_assert_ptr_nonnull(strstr(text, " > go depth 3\n"));
    ck_assert_ptr_nonnull(strstr(text, " < bestmove "));
    ck_assert_ptr_nonnull(strstr(text, "T")); /* 2026-01-02T03:04:05.678Z */
}
END_TEST

/* ---- positions ------------------------------------------------------------------------------------------------- */

START_TEST(every_form_of_position_is_understood)
{
    static const char full[] = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    play(engine, START, "go depth 3");
    play(engine, "startpos moves 7g7f 3c3d", "go depth 3");
    play(engine, "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f", "go depth 3");
    play(engine, "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves", "go depth 3");
    play(engine, full, "go depth 3"); /* the word sfen is missing */
    play(engine, "sfen lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", "go depth 3");
    play(engine, "sfen 4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1", "go depth 3");
    say(engine, "  position   startpos   moves   7g7f   \r");
    say(engine, "\tgo\tdepth\t3");
    await(engine, "bestmove", WAIT_MS);
}
END_TEST

START_TEST(a_wrong_position_is_told_and_never_answered_with_an_illegal_move)
{
    static const char *const wrong[] = {
        "position",
        "position nonsense",
        "position sfen",
        "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9 b - 1",
        "position sfen 9/9/9/9/9/9/9/9/9 b - 1",
        "position sfen kkkkkkkkk/9/9/9/9/9/9/9/KKKKKKKKK b - 1",
        "position startpos moves 7g7e",
        "position startpos moves 7g7f 7g7f",
        "position startpos moves xxxx",
        "position startpos moves 7g7f 3c3d 8h2b+ resign",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        say(engine, "%s", wrong[i]);
        say(engine, "go btime 0 wtime 0 byoyomi 300");
        await(engine, "bestmove", WAIT_MS); /* answered, whatever it is */
    }
    ck_assert_uint_eq(count_lines(engine, "bestmove"), sizeof wrong / sizeof *wrong);
    play(engine, START, "go depth 3"); /* and all is well again */
}
END_TEST

START_TEST(a_very_long_game_is_understood)
{
    static char position[60000];
    size_t used = (size_t)snprintf(position, sizeof position, "startpos moves");
    /* Both sides shuffle: 4 plies a round with different squares, so that the game is long without being repetitive
     * soon. */
    static const char *const shuffle[] = {"2h3h", "8b7b", "3h4h", "7b6b", "4h5h", "6b5b", "5h6h",
                                          "5b4b", "6h7h", "4b3b", "7h6h", "3b4b", "6h5h", "4b5b",
                                          "5h4h", "5b6b", "4h3h", "6b7b", "3h2h", "7b8b"};
    for (int i = 0; i < 2000; i++)
        used += (size_t)snprintf(position + used, sizeof position - used, " %s", shuffle[i % 20]);
    play(engine, position, "go depth 2");
}
END_TEST

START_TEST(an_endless_line_is_survived)
{
    static char line[390000];
    memset(line, 'x', sizeof line - 1);
    say(engine, "%s", line);
    play(engine, START, "go depth 3");
}
END_TEST

START_TEST(unknown_words_are_passed_over)
{
    say(engine, "hello\nregister later\ndebug on\ncopyprotection ok\n\n\r\n   \n%s", "\xe5\xb0\x86\xe6\xa3\x8b");
    play(engine, START, "go depth 3");
}
END_TEST

/* ---- declaration ----------------------------------------------------------------------------------------------- */

START_TEST(a_winning_declaration_is_made_at_once)
{
    say(engine, "position " DECLARE);
    say(engine, "go btime 60000 wtime 60000");
    ck_assert_str_eq(await(engine, "bestmove", WAIT_MS), "bestmove win");
    say(engine, "go ponder btime 60000 wtime 60000");
    await_silence(engine, "bestmove", 300);
    say(engine, "ponderhit");
    ck_assert_str_eq(await(engine, "bestmove", WAIT_MS), "bestmove win");
    say(engine, "go infinite");
    await_silence(engine, "bestmove", 300);
    say(engine, "stop");
    await(engine, "bestmove", WAIT_MS);
}
END_TEST

START_TEST(no_declaration_under_a_rule_that_has_none)
{
    say(engine, "setoption name EnteringKingRule value NoEnteringKing");
    say(engine, "isready");
    await(engine, "readyok", WAIT_MS);
    const char *move = play(engine, DECLARE, "go depth 3");
    ck_assert_str_ne(move, "win");
}
END_TEST

START_TEST(a_king_that_reaches_the_try_square_has_won)
{
    say(engine, "setoption name EnteringKingRule value TryRule");
    say(engine, "isready");
    await(engine, "readyok", WAIT_MS);
    say(engine, "position sfen 9/3K5/9/9/9/9/9/9/k8 b 2R2B4G4S4N4L18P 1");
    say(engine, "go btime 10000 wtime 10000");
    ck_assert_str_eq(await(engine, "bestmove", WAIT_MS), "bestmove win");
}
END_TEST

/* ---- form ------------------------------------------------------------------------------------------------------ */

START_TEST(infos_do_not_flood)
{
    say(engine, "setoption name PvInterval value 300");
    unsigned before = count_lines(engine, "info depth");
    play(engine, START, "go movetime 1000");
    ck_assert_uint_le(count_lines(engine, "info depth") - before, 40);
}
END_TEST

START_TEST(only_usi_is_on_stdout)
{
    play(engine, START, "go depth 6");
    static const char *const allowed[] = {"id ", "option ", "usiok", "readyok", "info ", "bestmove ", "\n"};
    for (const char *line = engine->out; *line; line = strchr(line, '\n') + 1) {
        bool known = false;
        for (size_t i = 0; i < 7; i++) known = known || strncmp(line, allowed[i], strlen(allowed[i])) == 0;
        ck_assert_msg(known, "%.100s", line);
    }
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tcase = tcase_create("session");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 180);
    tcase_add_test(tcase, usi_is_answered_before_anything_heavy);
    tcase_add_test(tcase, option_lines_have_the_form_that_guis_split_at_blanks);
    tcase_add_test(tcase, isready_is_a_ping_even_during_a_search);
    tcase_add_test(tcase, lines_are_flushed_one_by_one_into_a_pipe);
    tcase_add_test(tcase, commands_on_the_command_line_are_carried_out);
    tcase_add_test(tcase, a_table_larger_than_the_machine_is_cut_down_in_words);
    tcase_add_test(tcase, a_small_table_is_honoured);
    tcase_add_test(tcase, option_junk_never_hurts);
    tcase_add_test(tcase, setoption_during_a_search_waits_until_it_is_over);
    tcase_add_test(tcase, multipv_shows_that_many_lines_and_one_move);
    tcase_add_test(tcase, multipv_of_several_workers_is_distinct_and_sorted);
    tcase_add_test(tcase, pondering_of_several_workers_ends_well_on_a_hit_and_a_miss);
    tcase_add_test(tcase, searchmoves_are_kept);
    tcase_add_test(tcase, the_usi_log_has_times_and_arrows);
    tcase_add_test(tcase, every_form_of_position_is_understood);
    tcase_add_test(tcase, a_wrong_position_is_told_and_never_answered_with_an_illegal_move);
    tcase_add_test(tcase, a_very_long_game_is_understood);
    tcase_add_test(tcase, an_endless_line_is_survived);
    tcase_add_test(tcase, unknown_words_are_passed_over);
    tcase_add_test(tcase, a_winning_declaration_is_made_at_once);
    tcase_add_test(tcase, no_declaration_under_a_rule_that_has_none);
    tcase_add_test(tcase, a_king_that_reaches_the_try_square_has_won);
    tcase_add_test(tcase, infos_do_not_flood);
    tcase_add_test(tcase, only_usi_is_on_stdout);
    suite_add_tcase(suite, tcase);
}

CHECK_MAIN("usi_session", add_cases)
