#include "coordinator/usi/lines.h"
#include "coordinator/usi/options.h"
#include "coordinator/usi/usi.h"
#include "tests/unit/check_main.h"

#include <stdio.h>
#include <string.h>

static struct usi_command parse(const char *line)
{
    struct usi_command command;
    usi_parse(&command, line, strlen(line));
    return command;
}

static void assert_text(struct wire_str text, const char *expected)
{
    ck_assert_msg(text.length == strlen(expected) &&
                      (text.length == 0 || memcmp(text.bytes, expected, text.length) == 0),
                  "\"%.*s\" is not \"%s\"", (int)text.length, text.length ? text.bytes : "", expected);
}

START_TEST(commands_are_known_with_blanks_tabs_and_cr_around_them)
{
    ck_assert_int_eq(parse("usi").type, USI_USI);
    ck_assert_int_eq(parse("  isready \t\r").type, USI_ISREADY);
    ck_assert_int_eq(parse("\tusinewgame\r\n").type, USI_USINEWGAME);
    ck_assert_int_eq(parse("stop now").type, USI_STOP);
    ck_assert_int_eq(parse("gameover win").type, USI_GAMEOVER);
    ck_assert_int_eq(parse("quit").type, USI_QUIT);
    ck_assert_int_eq(parse("").type, USI_NOTHING);
    ck_assert_int_eq(parse(" \t \r").type, USI_NOTHING);
    ck_assert_int_eq(parse("register later").type, USI_NOTHING);
    ck_assert_int_eq(parse("usinewgames").type, USI_UNKNOWN);
    ck_assert_int_eq(parse("\xff\xfe").type, USI_UNKNOWN);
}
END_TEST

START_TEST(options_have_names_and_values_with_blanks)
{
    struct usi_command c = parse("setoption name USI_Hash value 256");
    ck_assert_int_eq(c.type, USI_SETOPTION);
    assert_text(c.option.name, "USI_Hash");
    assert_text(c.option.value, "256");
    c = parse("setoption   name  Clear   Hash  ");
    assert_text(c.option.name, "Clear   Hash");
    ck_assert(!c.option.has_value);
    c = parse("setoption name BookFile value  C:\\My Books\\value 1.db \r");
    assert_text(c.option.name, "BookFile");
    assert_text(c.option.value, "C:\\My Books\\value 1.db");
    c = parse("setoption name DebugLogFile value <empty>");
    assert_text(c.option.value, "");
    ck_assert(c.option.has_value);
    c = parse("setoption Threads value 4"); /* the word `name` is left out by some */
    assert_text(c.option.name, "Threads");
    c = parse("setoption");
    assert_text(c.option.name, "");
}
END_TEST

START_TEST(positions_come_in_four_forms)
{
    struct usi_command c = parse("position startpos");
    ck_assert(c.position.startpos);
    assert_text(c.position.moves, "");
    c = parse("position startpos moves 7g7f 3c3d ");
    assert_text(c.position.moves, "7g7f 3c3d");
    c = parse("position sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1 moves 5i5h");
    ck_assert(!c.position.startpos);
    assert_text(c.position.sfen, "4k4/9/9/9/9/9/9/9/4K4 b - 1");
    assert_text(c.position.moves, "5i5h");
    c = parse("position\t4k4/9/9/9/9/9/9/9/4K4  b -");
    assert_text(c.position.sfen, "4k4/9/9/9/9/9/9/9/4K4  b -");
    c = parse("position");
    assert_text(c.position.sfen, "");
    c = parse("position sfen moves 7g7f");
    assert_text(c.position.sfen, "");
}
END_TEST

START_TEST(go_takes_its_words_in_any_order)
{
    struct usi_go go = parse("go byoyomi 1000 wtime 2 btime 1").go;
    ck_assert_int_eq(go.clock.btime_ms, 1);
    ck_assert_int_eq(go.clock.wtime_ms, 2);
    ck_assert_int_eq(go.clock.byoyomi_ms, 1000);
    ck_assert_int_eq(go.clock.binc_ms, -1);
    ck_assert(!go.ponder && !go.infinite && !go.mate);
    go = parse("go ponder btime 5 wtime 6 binc 7 winc 8").go;
    ck_assert(go.ponder);
    ck_assert_int_eq(go.clock.winc_ms, 8);
    go = parse("go infinite").go;
    ck_assert(go.infinite);
    go = parse("go nodes 18446744073709551616 depth 12").go; /* more than 64 bits: as much as there is */
    ck_assert_uint_eq(go.nodes, INT64_MAX);
    ck_assert_int_eq(go.depth, 12);
    go = parse("go movetime 500").go;
    ck_assert_int_eq(go.movetime_ms, 500);
    go = parse("go btime -350 wtime +10").go; /* a flag that has fallen */
    ck_assert_int_eq(go.clock.btime_ms, 0);
    ck_assert_int_eq(go.clock.wtime_ms, 10);
    go = parse("go").go;
    ck_assert_int_eq(go.clock.btime_ms, -1);
}
END_TEST

START_TEST(mate_takes_milliseconds_infinite_or_nothing)
{
    struct usi_go go = parse("go mate 30000").go;
    ck_assert(go.mate && !go.mate_infinite);
    ck_assert_int_eq(go.mate_ms, 30000);
    go = parse("go mate infinite").go;
    ck_assert(go.mate && go.mate_infinite && !go.infinite);
    go = parse("go mate").go;
    ck_assert(go.mate && go.mate_ms == -1);
}
END_TEST

START_TEST(searchmoves_is_the_last_word)
{
    struct usi_go go = parse("go depth 3 searchmoves 7g7f P*5e  2g2f+ ").go;
    ck_assert_int_eq(go.depth, 3);
    assert_text(go.searchmoves, "7g7f P*5e  2g2f+");
}
END_TEST

START_TEST(words_that_are_not_understood_are_told_and_skipped)
{
    struct usi_go go = parse("go rtime 100 btime x wtime 5").go;
    assert_text(go.unread, "rtime");
    ck_assert_int_eq(go.clock.btime_ms, -1);
    ck_assert_int_eq(go.clock.wtime_ms, 5);
}
END_TEST

START_TEST(ponderhit_may_bring_times)
{
    struct usi_clock clock = parse("ponderhit btime 60000 wtime 50000 byoyomi 1000").ponderhit;
    ck_assert_int_eq(clock.btime_ms, 60000);
    ck_assert_int_eq(clock.byoyomi_ms, 1000);
    clock = parse("ponderhit").ponderhit;
    ck_assert_int_eq(clock.btime_ms, -1);
}
END_TEST

/* ---- writing ---- */

START_TEST(info_has_the_order_that_guis_know)
{
    char line[USI_INFO_BYTES_MAX];
    struct usi_info info = {.depth = 12,
                            .seldepth = 20,
                            .score_kind = WIRE_SCORE_CP,
                            .score = -34,
                            .nodes = 1000000,
                            .time_ms = 500,
                            .hashfull = 7,
                            .pv = {"7g7f 3c3d", 9}};
    usi_write_info(&info, line);
    ck_assert_str_eq(
        line, "info depth 12 seldepth 20 score cp -34 nodes 1000000 nps 2000000 hashfull 7 time 500 pv 7g7f 3c3d");
    info.multipv = 2;
    info.bound = WIRE_LOWER;
    usi_write_info(&info, line);
    ck_assert_ptr_nonnull(strstr(line, "seldepth 20 multipv 2 score cp -34 lowerbound nodes"));
    info.bound = WIRE_EXACT;
    info.score_kind = WIRE_SCORE_MATE;
    info.score = -4;
    usi_write_info(&info, line);
    ck_assert_ptr_nonnull(strstr(line, " score mate -4 nodes"));
}
END_TEST

START_TEST(nps_survives_time_0_and_64_bits)
{
    char line[USI_INFO_BYTES_MAX];
    struct usi_info info = {.nodes = 7000000, .time_ms = 0, .hashfull = 2000};
    usi_write_info(&info, line);
    ck_assert_ptr_nonnull(strstr(line, "nodes 7000000 nps 7000000000 hashfull 1000 time 1"));
    info.nodes = UINT64_MAX;
    info.time_ms = 3600000;
    usi_write_info(&info, line);
    ck_assert_ptr_nonnull(strstr(line, "nodes 18446744073709551615 nps 5124095576030000 "));
}
END_TEST

/* ---- options ---- */

START_TEST(every_option_line_can_be_split_at_blanks)
{
    struct options options;
    options_init(&options, 256, 3);
    for (int id = 0; id < OPTION_COUNT; id++) {
        char line[OPTION_LINE_BYTES_MAX];
        option_write_line(&options, (enum option_id)id, line);
        char name[64] = "", type[16] = "", word[64] = "", fallback[64] = "";
        ck_assert_int_eq(sscanf(line, "option name %63s type %15s %63s %63s", name, type, word, fallback), 4);
        ck_assert_str_eq(name, option_name((enum option_id)id));
        ck_assert_str_eq(word, "default");
        ck_assert(!strcmp(type, "spin") || !strcmp(type, "check") || !strcmp(type, "combo") || !strcmp(type, "string"));
    }
}
END_TEST

static enum status set(struct options *options, const char *name, const char *value)
{
    char why[256];
    enum option_id id;
    if (!options_find(wire_str_make(name, strlen(name)), &id)) return ST_UNKNOWN;
    return options_set(options, id, wire_str_make(value, strlen(value)), why, sizeof why);
}

START_TEST(values_are_checked_and_the_old_one_stays)
{
    struct options options;
    options_init(&options, 256, 3);
    ck_assert_int_eq(options.value[OPTION_USI_HASH], 256);
    ck_assert_int_eq(options.value[OPTION_ENTERING_KING], 3);
    ck_assert_int_eq(set(&options, "usi_HASH", "17"), ST_OK);
    ck_assert_int_eq(options.value[OPTION_USI_HASH], 17);
    ck_assert_int_eq(set(&options, "USI_Hash", "0"), ST_RANGE);
    ck_assert_int_eq(set(&options, "USI_Hash", "12x"), ST_SYNTAX);
    ck_assert_int_eq(set(&options, "USI_Hash", ""), ST_SYNTAX);
    ck_assert_int_eq(options.value[OPTION_USI_HASH], 17);
    ck_assert_int_eq(set(&options, "RoundUpToFullSecond", "FALSE"), ST_OK);
    ck_assert_int_eq(options.value[OPTION_ROUND_UP], 0);
    ck_assert_int_eq(set(&options, "EnteringKingRule", "CSARule24H"), ST_OK);
    ck_assert_int_eq(options.value[OPTION_ENTERING_KING], 2);
    ck_assert_int_eq(set(&options, "EnteringKingRule", "other"), ST_RANGE);
    ck_assert_int_eq(set(&options, "DrawValueBlack", "-30000"), ST_OK);
    ck_assert_int_eq(set(&options, "NoSuchOption", "1"), ST_UNKNOWN);
    char text[64];
    option_write_value(&options, OPTION_ENTERING_KING, text, sizeof text);
    ck_assert_str_eq(text, "CSARule24H");
}
END_TEST

START_TEST(a_string_value_that_is_too_long_is_refused)
{
    struct options options;
    options_init(&options, 1, 1);
    static char text[5000];
    memset(text, 'a', sizeof text - 1);
    ck_assert_int_eq(set(&options, "DebugLogFile", text), ST_TOO_BIG);
    ck_assert_str_eq(options.debug_log, "");
}
END_TEST

/* ---- lines ---- */

/* Feeds the text in pieces of `piece` bytes and joins what comes out with |, too long ones marked !. */
static void cut(const char *text, size_t piece, size_t capacity, char *joined)
{
    char buffer[256];
    struct usi_lines lines;
    struct usi_line line;
    usi_lines_init(&lines, buffer, capacity);
    joined[0] = 0;
    size_t length = strlen(text), at = 0;
    while (at < length) {
        size_t part = length - at < piece ? length - at : piece;
        at += usi_lines_push(&lines, text + at, part);
        while (usi_lines_next(&lines, &line)) {
            strncat(joined, line.bytes, line.length);
            strcat(joined, line.too_long ? "!|" : "|");
        }
    }
    if (usi_lines_last(&lines, &line)) {
        strncat(joined, line.bytes, line.length);
        strcat(joined, line.too_long ? "!." : ".");
    }
}

START_TEST(lines_are_the_same_however_the_bytes_come)
{
    char joined[512];
    for (size_t piece = 1; piece < 40; piece++)
        for (size_t capacity = 12; capacity < 200; capacity += 7) {
            cut("usi\r\n\nisready\ngo\r\nstop", piece, capacity, joined);
            ck_assert_str_eq(joined, "usi||isready|go|stop.");
        }
}
END_TEST

START_TEST(a_line_that_is_too_long_is_handed_out_once_and_marked)
{
    char joined[512];
    for (size_t piece = 1; piece < 60; piece++) {
        cut("usi\nposition startpos moves 7g7f 3c3d 2g2f 8c8d\nquit\nabcdefghijklmnopqrstuvwxyz", piece, 16, joined);
        ck_assert_str_eq(joined, "usi|position startp!|quit|abcdefghijklmno!.");
    }
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("usi");
    tcase_add_test(tc, commands_are_known_with_blanks_tabs_and_cr_around_them);
    tcase_add_test(tc, options_have_names_and_values_with_blanks);
    tcase_add_test(tc, positions_come_in_four_forms);
    tcase_add_test(tc, go_takes_its_words_in_any_order);
    tcase_add_test(tc, mate_takes_milliseconds_infinite_or_nothing);
    tcase_add_test(tc, searchmoves_is_the_last_word);
    tcase_add_test(tc, words_that_are_not_understood_are_told_and_skipped);
    tcase_add_test(tc, ponderhit_may_bring_times);
    tcase_add_test(tc, info_has_the_order_that_guis_know);
    tcase_add_test(tc, nps_survives_time_0_and_64_bits);
    tcase_add_test(tc, every_option_line_can_be_split_at_blanks);
    tcase_add_test(tc, values_are_checked_and_the_old_one_stays);
    tcase_add_test(tc, a_string_value_that_is_too_long_is_refused);
    tcase_add_test(tc, lines_are_the_same_however_the_bytes_come);
    tcase_add_test(tc, a_line_that_is_too_long_is_handed_out_once_and_marked);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("usi", add_cases)
