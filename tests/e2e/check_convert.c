/* check_convert.c - `murakumo convert` from outside: every report of a public bug as JSON, all games through all
 * formats and back to the same bytes, folders, stdin, packed files, equal games, refusals, and files that must not be
 * harmed. */
#include "tests/e2e/driver.h"
#include "tests/unit/check_main.h"
#include "tests/unit/files.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define GAME_A "V2.2\nPI\n+\n+7776FU\n%TORYO\n"
#define GAME_B "V2.2\nPI\n+\n+2726FU\n-8384FU\n%CHUDAN\n"
#define USI_A  "position startpos moves 7g7f resign\n"
#define USI_B  "position startpos moves 2g2f 8c8d\n"

enum { WORDS_MAX = 12 };

/* A path in this test's folder; good for the next eight calls. */
static const char *at(const char *name)
{
    static char paths[8][PATH_BYTES + 64];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", scratch(), name);
    return path;
}

static const char *content(const char *name)
{
    static char text[1 << 16];
    struct file_bytes bytes = file_load(at(name));
    ck_assert_uint_lt(bytes.length, sizeof text);
    memcpy(text, bytes.data, bytes.length);
    text[bytes.length] = 0;
    file_free(&bytes);
    return text;
}

static bool exists(const char *name) { return access(at(name), F_OK) == 0; }

static struct process *start(const char *const words[])
{
    char *argv[WORDS_MAX + 3] = {(char *)program("murakumo"), "convert"};
    for (size_t i = 0; words[i]; i++) {
        ck_assert_uint_lt(i, WORDS_MAX);
        argv[i + 2] = (char *)words[i];
    }
    return process_start(argv);
}

/* Runs to its end with that exit code. */
static struct process *convert(int code, const char *const words[])
{
    struct process *p = start(words);
    close_input(p);
    int got = await_end(p, WORK_MS);
    ck_assert_msg(got == code, "ended with %d, expected %d: %s", got, code, p->err);
    return p;
}
#define CONVERT(code, ...) convert(code, (const char *const[]){__VA_ARGS__, NULL})

#define ASSERT_SAID(p, part) ck_assert_msg(strstr((p)->err, part), "not said: %s\nbut: %s", part, (p)->err)

/* ---- what comes out -------------------------------------------------------------------------------------------- */

START_TEST(one_object_a_game_with_its_file)
{
    struct process *p = CONVERT(0, "tests/data/records");
    ck_assert_uint_eq(count_lines(p, "{\"file\":\"tests/data/records/"), 40);
    ck_assert_ptr_nonnull(strstr(p->out, "{\"file\":\"tests/data/records/11.csa\",\"index\":1,\"format\":\"csa\","));
    ck_assert_ptr_nonnull(strstr(p->out, "\"usi\":[\"2g2f\",\"8c8d\"],"));
    ASSERT_SAID(p, "tests/data/records/08.csa: line 5: found \"T1\", expected a move before its time\n");
    process_drop(p);
}
END_TEST

/* From the archive to a format and on to USI: the same bytes as straight to USI. */
static void through(const char *to, const char *encoding)
{
    const char *csa = "tests/data/games/csa", *kif = "tests/data/games/kif/s*.kif*"; /* a pattern, not the shell's */
    struct process *straight = CONVERT(0, "--to", "usi", csa, kif);
    struct process *first = CONVERT(0, "--to", to, "--encoding", encoding, csa, kif, "-o", at("all"));
    struct process *second = CONVERT(0, "--to", "usi", at("all"));
    ck_assert_uint_gt(count_lines(straight, "position "), 150);
    ck_assert_str_eq(straight->out, second->out);
    process_drop(straight);
    process_drop(first);
    process_drop(second);
}

static const struct {
    const char *to, *encoding;
} ways[] = {{"csa", "utf-8"}, {"csa3", "sjis"},  {"kif", "sjis"}, {"kif", "utf-8"},
            {"ki2", "sjis"},  {"sfen", "utf-8"}, {"jkf", "utf-8"}};

START_TEST(an_archive_in_one_file_of_any_format_is_the_same_games) { through(ways[_i].to, ways[_i].encoding); }
END_TEST

START_TEST(the_encoding_is_said_and_kept)
{
    scratch_file("a.csa", "V2.2\nN+山田\nN-鈴木🎌\nPI\n+\n+7776FU\n%TORYO\n");
    struct process *p = CONVERT(0, at("a.csa"), "--to", "csa3", "--encoding", "sjis");
    ck_assert_ptr_eq(strstr(p->out, "'CSA encoding=SHIFT_JIS\nV3.0\nN+\x8e\x52\x93\x63\n"), p->out);
    ASSERT_SAID(p, "a.csa: line 1: game 1: 1 characters that Shift_JIS does not have became");
    process_drop(p);
    p = CONVERT(0, at("a.csa"), "--to", "kif", "--encoding", "sjis");
    ck_assert_ptr_eq(strstr(p->out, "#KIF version=2.0 encoding=Shift_JIS\n"), p->out);
    process_drop(p);
    p = CONVERT(0, at("a.csa"), "--to", "csa3");
    ck_assert_ptr_eq(strstr(p->out, "'CSA encoding=UTF-8\nV3.0\nN+山田\nN-鈴木🎌\n"), p->out);
    process_drop(p);
}
END_TEST

START_TEST(stdin_and_packed_files_are_read)
{
    struct process *p = start((const char *const[]){"--to", "usi", "-", NULL});
    say(p, "手合割：平手");
    say(p, "   1 ７六歩(77)");
    say(p, "   2 投了");
    close_input(p);
    ck_assert_int_eq(await_end(p, WAIT_MS), 0);
    ck_assert_str_eq(p->out, USI_A);
    process_drop(p);
    gzFile file = gzopen(at("a.csa.gz"), "wb");
    ck_assert_int_gt(gzputs(file, GAME_A "/\n" GAME_B), 0);
    ck_assert_int_eq(gzclose(file), Z_OK);
    p = CONVERT(0, "--to", "usi", at("a.csa.gz"));
    ck_assert_str_eq(p->out, USI_A USI_B);
    process_drop(p);
}
END_TEST

/* ---- where it goes --------------------------------------------------------------------------------------------- */

START_TEST(a_folder_becomes_a_folder)
{
    ck_assert_int_eq(mkdir(at("in"), 0700), 0);
    ck_assert_int_eq(mkdir(at("in/deep"), 0700), 0);
    scratch_file("in/a.csa", GAME_A);
    scratch_file("in/a.kif", GAME_B); /* would have the same name */
    scratch_file("in/deep/b.csa", GAME_A "/\n" GAME_B);
    struct process *p = CONVERT(0, "--to", "usi", at("in"), "-o", at("out/"));
    ck_assert_str_eq(content("out/a.usi"), USI_A);
    ck_assert_str_eq(content("out/a-2.usi"), USI_B);
    ck_assert_str_eq(content("out/deep/b.usi"), USI_A USI_B);
    ASSERT_SAID(p, "4 games written, 3 files read, 0 refused");
    process_drop(p);
    p = CONVERT(0, "--to", "usi", at("in"), "-o", at("out")); /* again: the same files */
    ck_assert(!exists("out/a-3.usi"));
    process_drop(p);
    p = CONVERT(1, "--to", "usi", at("in"), at("out"), "-o", at("out"));
    ASSERT_SAID(p, "out: is where the results go and is not read, expected another folder");
    ck_assert_str_eq(content("out/a.usi"), USI_A);
    process_drop(p);
}
END_TEST

START_TEST(the_ending_of_the_output_says_the_format)
{
    scratch_file("a.csa", GAME_A);
    struct process *p = CONVERT(0, at("a.csa"), "-o", at("a.kifu"));
    ck_assert_ptr_nonnull(strstr(content("a.kifu"), "\n   1 ７六歩(77)"));
    process_drop(p);
    p = CONVERT(0, at("a.csa"), "-o", at("a.sfen"));
    ck_assert_str_eq(content("a.sfen"), "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves "
                                        "7g7f resign\n");
    process_drop(p);
}
END_TEST

START_TEST(no_file_that_is_read_is_written_over)
{
    scratch_file("a.csa", GAME_A);
    ck_assert_int_eq(link(at("a.csa"), at("same.kif")), 0);
    ck_assert_int_eq(symlink("a.csa", at("link.kif")), 0);
    static const char *const outputs[] = {"a.csa", "same.kif", "link.kif"};
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        struct process *p = CONVERT(1, "--to", "kif", at("a.csa"), "-o", at(outputs[i]));
        ASSERT_SAID(p, "is one of the files that are read, expected another");
        process_drop(p);
        ck_assert_str_eq(content("a.csa"), GAME_A);
    }
    ck_assert_int_eq(mkdir(at("sub"), 0700), 0);
    scratch_file("sub/a.csa", GAME_B);
    struct process *p = CONVERT(1, "--to", "csa", at("sub/a.csa"), "-o", at("sub"));
    ASSERT_SAID(p, "is one of the files that are read");
    ck_assert_str_eq(content("sub/a.csa"), GAME_B);
    process_drop(p);
}
END_TEST

START_TEST(a_place_that_cannot_be_written_to_is_said)
{
    scratch_file("a.csa", GAME_A);
    scratch_file("file", "x");
    struct process *p = CONVERT(1, "--to", "kif", at("a.csa"), "-o", at("no/such/folder.kif"));
    ASSERT_SAID(p, "no/such/folder.kif: No such file or directory");
    process_drop(p);
    p = CONVERT(1, "--to", "kif", at("a.csa"), "-o", at("file/"));
    ASSERT_SAID(p, "murakumo convert: ");
    process_drop(p);
    if (access("/dev/full", W_OK) == 0) {
        p = CONVERT(1, "--to", "kif", at("a.csa"), "-o", "/dev/full");
        ASSERT_SAID(p, "/dev/full: No space left on device");
        process_drop(p);
    }
}
END_TEST

/* ---- trouble --------------------------------------------------------------------------------------------------- */

START_TEST(what_is_wrong_is_said_and_the_rest_is_kept)
{
    scratch_file("a.csa", "V2.2\nPI\n+\n+7776FU\n-3334XX\n+2726FU\n");
    scratch_file("b.csa", "this is no game\n");
    scratch_file("c.csa", GAME_B);
    struct process *p = CONVERT(1, "--to", "usi", at("a.csa"), at("b.csa"), at("no.csa"), at("c.csa"));
    ck_assert_str_eq(p->out, "position startpos moves 7g7f\n" USI_B);
    ASSERT_SAID(p, "a.csa: line 5: found \"-3334XX\", expected ");
    ASSERT_SAID(p, "b.csa: line 1: found \"this is no game\", expected a game record");
    ASSERT_SAID(p, "no.csa: No such file or directory");
    ASSERT_SAID(p, "2 games written, 3 files read, 3 refused");
    process_drop(p);
    p = CONVERT(1, "--strict", "--to", "usi", at("a.csa"), at("c.csa"));
    ck_assert_str_eq(p->out, USI_B);
    ASSERT_SAID(p, "a.csa: line 1: game 1 is left out (--strict)");
    process_drop(p);
}
END_TEST

START_TEST(an_illegal_last_move_is_part_of_the_game)
{
    scratch_file("a.csa", "V2.2\nPI\n+\n+7776FU\n-3334FU\n+8822UM\n-2211UM\n%ILLEGAL_MOVE\n");
    struct process *p = CONVERT(0, at("a.csa"));
    ck_assert_ptr_nonnull(strstr(p->out, "\"usi\":[\"7g7f\",\"3c3d\",\"8h2b+\"],"));
    ck_assert_ptr_nonnull(strstr(p->out, "\"illegal_at\":4,"));
    ck_assert_ptr_nonnull(strstr(p->out, "\"reject\":false,"));
    process_drop(p);
}
END_TEST

START_TEST(what_a_format_cannot_carry_is_said)
{
    scratch_file("b.csa", GAME_B);
    struct process *usi = CONVERT(0, "--to", "usi", at("b.csa"));
    ASSERT_SAID(usi, "usi has no word for how 1 games ended");
    process_drop(usi);
    struct process *p = CONVERT(0, "--to", "csa", "tests/data/records/35.kif");
    ASSERT_SAID(p, "csa has no place for variations: left out in 1 games");
    process_drop(p);
}
END_TEST

START_TEST(equal_games_and_beginnings_are_left_out_and_named)
{
    ck_assert_int_eq(mkdir(at("in"), 0700), 0);
    scratch_file("in/1.csa", GAME_A);
    scratch_file("in/2.kif", "手合割：平手\n先手：甲\n   1 ２六歩(27)\n   2 ８四歩(83)\n   3 投了\n");
    scratch_file("in/3.usi", "startpos moves 7g7f 3c3d\nstartpos moves 2g2f 8c8d\n");
    struct process *p = CONVERT(0, "--dedup", "--to", "usi", at("in"));
    ck_assert_str_eq(p->out, "position startpos moves 2g2f 8c8d resign\nposition startpos moves 7g7f 3c3d\n");
    ASSERT_SAID(p, "1.csa: line 1: game 1 is the beginning of game 1 of ");
    ASSERT_SAID(p, "3.usi: line 2: game 2 is the same as game 1 of ");
    ASSERT_SAID(p, "left out 1 games that are the same and 1 that are the beginning of another");
    process_drop(p);
    struct process *from_stdin = start((const char *const[]){"--dedup", "--to", "usi", "-", NULL});
    say(from_stdin, "startpos moves 7g7f");
    say(from_stdin, "startpos moves 7g7f 3c3d");
    close_input(from_stdin);
    ck_assert_int_eq(await_end(from_stdin, WAIT_MS), 0);
    ck_assert_str_eq(from_stdin->out, "position startpos moves 7g7f 3c3d\n");
    ASSERT_SAID(from_stdin, "stdin: line 1: game 1 is the beginning of game 2 of stdin and left out");
    process_drop(from_stdin);
}
END_TEST

START_TEST(wrong_usage_ends_with_two)
{
    static const struct {
        const char *words[4], *said;
    } cases[] = {
        {{NULL}, "expected IN"},
        {{"--to", "pgn", "x"}, "--to: expected csa, csa3, kif, ki2, usi, sfen, jkf or jsonl"},
        {{"--encoding", "latin1", "x"}, "--encoding: expected utf-8 or sjis"},
        {{"--encoding", "sjis", "x"}, "expected utf-8, which JSON always is"},
        {{"--nonsense"}, "--nonsense"},
        {{"x", "-o"}, "found the end of the line"},
        {{"x", "no.kif"}, "found no.kif, which does not exist; expected -o no.kif to write it"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct process *p = convert(2, cases[i].words);
        ASSERT_SAID(p, cases[i].said);
        ck_assert_str_eq(p->out ? p->out : "", "");
        process_drop(p);
    }
    struct process *p = CONVERT(0, "--help");
    ck_assert_ptr_nonnull(strstr(p->out, "examples:"));
    process_drop(p);
}
END_TEST

START_TEST(an_interrupted_run_keeps_what_is_done)
{
    scratch_file("a.csa", GAME_A);
    ck_assert_int_eq(mkfifo(at("pipe"), 0600), 0);
    struct process *p =
        start((const char *const[]){"--to", "usi", at("a.csa"), at("pipe"), at("a.csa"), "-o", at("out.usi"), NULL});
    FILE *pipe = fopen(at("pipe"), "wb"); /* it has opened the pipe when this comes back */
    ck_assert_ptr_nonnull(pipe);
    ck_assert_int_eq(kill(p->pid, SIGINT), 0);
    fputs(GAME_B, pipe);
    fclose(pipe);
    ck_assert_int_eq(await_end(p, WAIT_MS), 1);
    ASSERT_SAID(p, "stopped in file 2 of 3");
    ck_assert_str_eq(content("out.usi"), USI_A USI_B);
    process_drop(p);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("convert");
    tcase_set_timeout(tc, 240);
    tcase_add_test(tc, one_object_a_game_with_its_file);
    tcase_add_loop_test(tc, an_archive_in_one_file_of_any_format_is_the_same_games, 0, sizeof ways / sizeof ways[0]);
    tcase_add_test(tc, the_encoding_is_said_and_kept);
    tcase_add_test(tc, stdin_and_packed_files_are_read);
    tcase_add_test(tc, a_folder_becomes_a_folder);
    tcase_add_test(tc, the_ending_of_the_output_says_the_format);
    tcase_add_test(tc, no_file_that_is_read_is_written_over);
    tcase_add_test(tc, a_place_that_cannot_be_written_to_is_said);
    tcase_add_test(tc, what_is_wrong_is_said_and_the_rest_is_kept);
    tcase_add_test(tc, an_illegal_last_move_is_part_of_the_game);
    tcase_add_test(tc, what_a_format_cannot_carry_is_said);
    tcase_add_test(tc, equal_games_and_beginnings_are_left_out_and_named);
    tcase_add_test(tc, wrong_usage_ends_with_two);
    tcase_add_test(tc, an_interrupted_run_keeps_what_is_done);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("convert", add_cases)
