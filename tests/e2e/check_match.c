/* check_match.c - `murakumo match` against engines that behave and engines that do not.
 *
 * This program is also the engine: with --fake MODE it speaks USI and misbehaves as MODE says. Its moves are legal ones
 * picked by a hash of the position, so games are the same each time.
 */
#include "common/base/prng.h"
#include "common/net/clock.h"
#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "common/shogi/outcome.h"
#include "common/shogi/sfen.h"
#include "coordinator/cli/cli.h"
#include "tests/unit/sanitized.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the engine ---------------------------------------------------------------------------------------------------
 */

static struct position fake_position;
static int fake_moves; /* in the `position` line */

static void fake_set_position(char *line)
{
    char *moves = strstr(line, " moves");
    char *sfen = strstr(line, "sfen ");
    fake_moves = 0;
    if (!sfen ||
        sfen_read(&fake_position, sfen + 5, strlen(sfen + 5) - (moves ? strlen(moves) : 0), NULL, NULL) != ST_OK)
        exit(3);
    if (!moves) return;
    for (char *word = strtok(moves + 6, " "); word; word = strtok(NULL, " ")) {
        Move move = movetext_from_usi(&fake_position, word, strlen(word));
        struct undo undo;
        if (move == MOVE_NONE) exit(4);
        position_do(&fake_position, move, &undo);
        fake_moves++;
    }
}

static void fake_say(const char *text)
{
    fputs(text, stdout);
    fflush(stdout);
}

static void fake_answer_and(const char *more) /* in one write, so that it arrives at once */
{
    Move moves[MOVES_MAX];
    size_t count = movegen_legal(&fake_position, moves);
    struct prng prng = prng_make(position_key(&fake_position));
    char text[MOVETEXT_BYTES_MAX];
    if (count == 0) exit(5); /* the referee must not ask */
    movetext_to_usi(moves[prng_below(&prng, (uint32_t)count)], text);
    printf("info depth 3 score cp %d nodes 1000 time 1 pv %s\nbestmove %s\n%s", (int)prng_below(&prng, 200) - 100, text,
           text, more);
    fflush(stdout);
}

static void fake_answer(void) { fake_answer_and(""); }

/* True when input came in the time. */
static bool fake_wait(int ms) { return poll(&(struct pollfd){.fd = 0, .events = POLLIN}, 1, ms) > 0; }

static void fake_go(const char *mode)
{
    bool fifth = fake_moves == 4 || fake_moves == 5; /* each colour's third move */
    if (strcmp(mode, "illegal") == 0 && fifth)
        fake_say("bestmove 5e5e\n");
    else if (strcmp(mode, "crash") == 0 && fifth)
        abort();
    else if (strcmp(mode, "exit") == 0 && fifth)
        exit(7);
    else if (strcmp(mode, "answer-and-exit") == 0 && fifth) {
        fake_answer();
        exit(0);
    } else if (strcmp(mode, "hang") == 0 && fifth) {
        signal(SIGTERM, SIG_IGN);
        for (;;) pause();
    } else if (strcmp(mode, "slow") == 0 && fifth) { /* deaf to `stop` for a while, then answers */
        while (!fake_wait(-1)) {
        }
        poll(NULL, 0, 50);
        fake_answer();
    } else if (strcmp(mode, "late") == 0) {
        poll(NULL, 0, 60);
        fake_answer();
    } else if (strcmp(mode, "double") == 0) {
        fake_answer_and("bestmove 7g7f\ninfo depth 4\n");
    } else if (strcmp(mode, "win") == 0)
        fake_say("bestmove win\n");
    else if (strcmp(mode, "resign") == 0 && fifth)
        fake_say("bestmove resign\n");
    else if (strcmp(mode, "mute") == 0 && fifth)
        fake_say("bestmove\n");
    else if (strcmp(mode, "flood") == 0) {
        char block[4096];
        memset(block, 'x', sizeof block);
        for (int i = 0; i < 100; i++) fwrite(block, 1, sizeof block, stdout);
        fake_say("\n\r\n\r\r\n");
        fake_answer();
    } else
        fake_answer();
}

static int fake_engine(const char *mode)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t got;
    int games = 0;
    setvbuf(stdin, NULL, _IONBF, 0);
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    if (strcmp(mode, "no-usiok") == 0)
        for (;;) pause();
    if (strcmp(mode, "dies-at-once") == 0) return 9;
    while ((got = getline(&line, &capacity, stdin)) > 0) {
        if (line[got - 1] == '\n') line[got - 1] = 0;
        if (strcmp(line, "usi") == 0)
            fake_say("id name Fake\nid author nobody\noption name Threads type spin default 1 min 1 max 8\nusiok\n");
        else if (strcmp(line, "isready") == 0)
            fake_say("readyok\n");
        else if (strcmp(line, "usinewgame") == 0) {
            if (strcmp(mode, "dies-between") == 0 && ++games == 2) return 0;
        } else if (strncmp(line, "position ", 9) == 0)
            fake_set_position(line);
        else if (strncmp(line, "go", 2) == 0)
            fake_go(mode);
        else if (strcmp(line, "quit") == 0)
            return 0;
    }
    return 0;
}

/* ---- running a match ----------------------------------------------------------------------------------------------
 */

static const char *self;
static char directory[64];

static char *path_of(const char *name)
{
    static char paths[4][128];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", directory, name);
    return path;
}

static void setup(void)
{
    snprintf(directory, sizeof directory, "/tmp/murakumo-match-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
}

static void teardown(void)
{
    static const char *const names[] = {"stdout", "stderr", "results", "games.csa", "openings"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) unlink(path_of(names[i]));
    ck_assert_int_eq(rmdir(directory), 0);
}

static char *read_file(const char *name)
{
    static char bytes[1 << 20];
    int fd = open(path_of(name), O_RDONLY | O_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    ssize_t got = read(fd, bytes, sizeof bytes - 1);
    close(fd);
    bytes[got < 0 ? 0 : got] = 0;
    return bytes;
}

static pid_t start_match(const char *mode_a, const char *mode_b, char *const *extra)
{
    static char command_a[256], command_b[256];
    snprintf(command_a, sizeof command_a, "%s --fake %s", self, mode_a);
    snprintf(command_b, sizeof command_b, "%s --fake %s", self, mode_b);
    char *argv[40] = {"match", "--json", "-", "--max-moves", "60"};
    int argc = 5;
    while (*extra) argv[argc++] = *extra++;
    argv[argc++] = command_a;
    argv[argc++] = command_b;
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        int out = open(path_of("stdout"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        int err = open(path_of("stderr"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(99);
        _exit(cli_match(argc, argv));
    }
    return pid;
}

static int end_match(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0) ck_assert_int_eq(errno, EINTR);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static const char *result; /* the JSON summary of the last match */

static int run_match(const char *mode_a, const char *mode_b, char *const *extra)
{
    int code = end_match(start_match(mode_a, mode_b, extra));
    result = read_file("stdout");
    return code;
}

#define WORDS(...)                                                                                                     \
    (char *const[]) { __VA_ARGS__, NULL }
#define assert_result_has(text) ck_assert_msg(strstr(result, text), "no %s in %s", text, result)

/* Engine 2 loses (or is at fault) for this reason in all 4 games, and the match goes on to its end. */
static void expect_fault(const char *mode, const char *end, int restarts, char *const *extra)
{
    char text[64];
    ck_assert_int_eq(run_match("good", mode, extra), CLI_DONE);
    assert_result_has("\"stop\":\"complete\",\"games\":4,");
    assert_result_has("\"wins\":4,\"draws\":0,\"losses\":0,\"pairs\":[0,0,0,0,2]");
    snprintf(text, sizeof text, "\"%s\":4", end);
    assert_result_has(text);
    snprintf(text, sizeof text, "\"restarts\":%d,\"idle_crashes\":0}]", restarts);
    assert_result_has(text);
}

START_TEST(good_engines_play_all_games_without_a_fault)
{
    ck_assert_int_eq(
        run_match("good", "good",
                  WORDS("--nodes", "1", "--games", "6", "--concurrency", "2", "--out", path_of("games.csa"))),
        0);
    assert_result_has("\"stop\":\"complete\",\"games\":6,");
    /* The same engine twice: each pair is the same game with the names exchanged. */
    ck_assert(strstr(result, "\"pairs\":[0,0,3,0,0]"));
    assert_result_has("\"lost_by\":{\"mate\":0,\"resign\":0,");
    assert_result_has("\"faults\":{\"double_bestmove\":0,\"stray_bestmove\":0,\"malformed_bestmove\":0,\"idle_info\":0,"
                      "\"long_line\":0}");
    ck_assert_ptr_nonnull(strstr(read_file("games.csa"), "%MAX_MOVES"));
}
END_TEST

START_TEST(an_illegal_move_loses_and_the_engine_starts_afresh)
{
    expect_fault("illegal", "illegal_move", 3, WORDS("--nodes", "1", "--games", "4"));
}
END_TEST

START_TEST(a_bestmove_without_a_move_loses_as_an_illegal_move)
{
    expect_fault("mute", "illegal_move", 3, WORDS("--nodes", "1", "--games", "4"));
}
END_TEST

START_TEST(a_false_declaration_loses)
{
    expect_fault("win", "false_declaration", 3, WORDS("--nodes", "1", "--games", "4"));
}
END_TEST

START_TEST(a_crash_loses_and_the_engine_starts_afresh)
{
    expect_fault("crash", "crash", 3, WORDS("--nodes", "1", "--games", "4"));
}
END_TEST

START_TEST(an_exit_in_the_search_is_a_crash)
{
    expect_fault("exit", "crash", 3, WORDS("--nodes", "1", "--games", "4"));
}
END_TEST

START_TEST(an_answer_counts_even_if_the_engine_dies_behind_it)
{
    expect_fault("answer-and-exit", "crash", 3, WORDS("--nodes", "1", "--games", "4"));
}
END_TEST

START_TEST(a_hanging_engine_is_killed_and_started_afresh)
{
    expect_fault("hang", "hang", 3, WORDS("--movetime", "20", "--margin-ms", "20", "--hang-ms", "100", "--games", "4"));
}
END_TEST

START_TEST(a_hang_without_a_clock_ends_too)
{
    expect_fault("hang", "hang", 3, WORDS("--nodes", "1", "--unlimited-ms", "50", "--hang-ms", "50", "--games", "4"));
}
END_TEST

START_TEST(a_slow_engine_loses_on_time_but_lives_on)
{
    expect_fault("slow", "time", 0,
                 WORDS("--movetime", "20", "--margin-ms", "20", "--hang-ms", "5000", "--games", "4"));
}
END_TEST

START_TEST(late_answers_lose_on_time_or_are_counted)
{
    expect_fault("late", "time", 0,
                 WORDS("--movetime", "10", "--margin-ms", "20", "--hang-ms", "5000", "--games", "4"));
    ck_assert_int_eq(run_match("good", "late",
                               WORDS("--movetime", "10", "--margin-ms", "20", "--network-delay-ms", "5", "--lenient",
                                     "--games", "2", "--max-moves", "10")),
                     0);
    assert_result_has("\"move_limit\":2");
    assert_result_has("\"limited_answers\":10,\"late\":10,\"overruns\":10,");
}
END_TEST

START_TEST(surplus_answers_are_counted_and_change_nothing)
{
    ck_assert_int_eq(run_match("good", "double", WORDS("--nodes", "1", "--games", "2", "--max-moves", "10")), 0);
    assert_result_has(
        "\"faults\":{\"double_bestmove\":10,\"stray_bestmove\":0,\"malformed_bestmove\":0,\"idle_info\":10,");
    assert_result_has("\"move_limit\":2");
}
END_TEST

START_TEST(a_flood_of_output_neither_fills_memory_nor_stops_the_game)
{
    ck_assert_int_eq(run_match("good", "flood", WORDS("--nodes", "1", "--games", "2", "--max-moves", "10")), 0);
    assert_result_has("\"long_line\":10}");
    assert_result_has("\"move_limit\":2");
}
END_TEST

START_TEST(resignation_is_a_loss_like_any_other)
{
    expect_fault("resign", "resign", 0, WORDS("--nodes", "1", "--games", "4"));
}
END_TEST

START_TEST(an_engine_that_dies_between_games_loses_none)
{
    ck_assert_int_eq(run_match("good", "dies-between", WORDS("--nodes", "1", "--games", "2", "--max-moves", "10")), 0);
    assert_result_has("\"games\":2,");
    assert_result_has("\"restarts\":1,");
}
END_TEST

START_TEST(engines_that_do_not_come_up_end_the_match)
{
    ck_assert_int_eq(run_match("good", "dies-at-once", WORDS("--nodes", "1", "--games", "2")), CLI_FAILED);
    assert_result_has("\"stop\":\"engine_failed\",\"games\":0,");
    ck_assert_ptr_nonnull(strstr(read_file("stderr"), "ended without usiok (exit code 9)"));
    ck_assert_int_eq(run_match("good", "no-usiok", WORDS("--nodes", "1", "--games", "2", "--start-ms", "50")),
                     CLI_FAILED);
    ck_assert_ptr_nonnull(strstr(read_file("stderr"), "no usiok in time"));
    ck_assert_int_eq(run_match("good", "x'y", WORDS("--nodes", "1")), CLI_USAGE);
}
END_TEST

START_TEST(the_sprt_stops_a_decided_match)
{
    ck_assert_int_eq(
        run_match("good", "resign", WORDS("--nodes", "1", "--games", "400", "--elo0", "0", "--elo1", "100")), 0);
    assert_result_has("\"stop\":\"sprt\"");
    assert_result_has("\"verdict\":\"H1 accepted\"");
}
END_TEST

START_TEST(a_killed_match_goes_on_where_it_stopped_and_a_torn_line_is_taken_off)
{
    char *const *words = WORDS("--nodes", "1", "--games", "10", "--results", path_of("results"));
    pid_t pid = start_match("good", "resign", words);
    int64_t until_ms = clock_now_ms() + 20000 * SANITIZED_PATIENCE;
    while (access(path_of("results"), F_OK) != 0 || !strstr(read_file("results"), "\"game\":3")) {
        ck_assert_int_lt(clock_now_ms(), until_ms);
        poll(NULL, 0, 1);
    }
    kill(pid, SIGKILL);
    ck_assert_int_eq(end_match(pid), 128 + SIGKILL);
    FILE *file = fopen(path_of("results"), "a");
    fputs("{\"game\":9,\"opening\":", file);
    fclose(file);
    words = WORDS("--nodes", "1", "--games", "10", "--results", path_of("results"));
    ck_assert_int_eq(run_match("good", "resign", words), 0);
    assert_result_has("\"games\":10,\"games_planned\":10,\"wins\":10,");
    int lines = 0;
    for (const char *at = read_file("results"); (at = strchr(at, '\n')); at++) lines++;
    ck_assert_int_eq(lines, 11);
    /* Everything is there: a third start plays nothing and says the same. */
    words = WORDS("--nodes", "1", "--games", "10", "--results", path_of("results"));
    ck_assert_int_eq(run_match("good", "resign", words), 0);
    assert_result_has("\"games\":10,\"games_planned\":10,\"wins\":10,");
    /* Another match may not be mixed in. */
    words = WORDS("--nodes", "2", "--games", "10", "--results", path_of("results"));
    ck_assert_int_eq(run_match("good", "resign", words), CLI_FAILED);
    ck_assert_ptr_nonnull(strstr(read_file("stderr"), "belongs to another match"));
}
END_TEST

START_TEST(a_match_interrupted_twice_ends_cleanly_and_says_what_it_found)
{
    pid_t pid = start_match("good", "hang", WORDS("--nodes", "1", "--games", "10", "--log", "/dev/null"));
    int64_t until_ms = clock_now_ms() + 20000 * SANITIZED_PATIENCE;
    while (access(path_of("stderr"), F_OK) != 0 || !strstr(read_file("stderr"), "is \"Fake\"")) {
        ck_assert_int_lt(clock_now_ms(), until_ms);
        poll(NULL, 0, 1);
    }
    poll(NULL, 0, 300); /* its third `go` is not answered by now */
    kill(pid, SIGINT);
    poll(NULL, 0, 20); /* it waits for the hanging engine to quit */
    kill(pid, SIGINT);
    ck_assert_int_eq(end_match(pid), CLI_FAILED);
    result = read_file("stdout");
    assert_result_has("\"stop\":\"interrupted\"");
}
END_TEST

START_TEST(bad_openings_and_wrong_words_are_named)
{
    FILE *file = fopen(path_of("openings"), "w");
    fputs("# two\nstartpos\nlnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSN b - 1\n", file);
    fclose(file);
    ck_assert_int_eq(run_match("good", "good", WORDS("--nodes", "1", "--openings", path_of("openings"))), CLI_USAGE);
    ck_assert_ptr_nonnull(strstr(read_file("stderr"), "openings:3: "));
    ck_assert_int_eq(run_match("good", "good", WORDS("--games", "2")), CLI_USAGE);
    ck_assert_int_eq(run_match("good", "good", WORDS("--nodes", "-1")), CLI_USAGE);
    ck_assert_int_eq(run_match("good", "good", WORDS("--nodez", "1")), CLI_USAGE);
    ck_assert_int_eq(run_match("good", "good", WORDS("--nodes", "1", "third")), CLI_USAGE);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--fake") == 0) return fake_engine(argv[2]);
    static char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) return EXIT_FAILURE;
    self = path;
    Suite *suite = suite_create("match");
    TCase *tc = tcase_create("match");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, good_engines_play_all_games_without_a_fault);
    tcase_add_test(tc, an_illegal_move_loses_and_the_engine_starts_afresh);
    tcase_add_test(tc, a_bestmove_without_a_move_loses_as_an_illegal_move);
    tcase_add_test(tc, a_false_declaration_loses);
    tcase_add_test(tc, a_crash_loses_and_the_engine_starts_afresh);
    tcase_add_test(tc, an_exit_in_the_search_is_a_crash);
    tcase_add_test(tc, an_answer_counts_even_if_the_engine_dies_behind_it);
    tcase_add_test(tc, a_hanging_engine_is_killed_and_started_afresh);
    tcase_add_test(tc, a_hang_without_a_clock_ends_too);
    tcase_add_test(tc, a_slow_engine_loses_on_time_but_lives_on);
    tcase_add_test(tc, late_answers_lose_on_time_or_are_counted);
    tcase_add_test(tc, surplus_answers_are_counted_and_change_nothing);
    tcase_add_test(tc, a_flood_of_output_neither_fills_memory_nor_stops_the_game);
    tcase_add_test(tc, resignation_is_a_loss_like_any_other);
    tcase_add_test(tc, an_engine_that_dies_between_games_loses_none);
    tcase_add_test(tc, engines_that_do_not_come_up_end_the_match);
    tcase_add_test(tc, the_sprt_stops_a_decided_match);
    tcase_add_test(tc, a_killed_match_goes_on_where_it_stopped_and_a_torn_line_is_taken_off);
    tcase_add_test(tc, a_match_interrupted_twice_ends_cleanly_and_says_what_it_found);
    tcase_add_test(tc, bad_openings_and_wrong_words_are_named);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
