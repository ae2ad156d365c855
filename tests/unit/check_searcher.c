/* check_searcher.c - orders to the engine's thread and its answers through the inbox, with real searches. Also run
 * under the thread sanitizer. */
#include "worker/searcher.h"

#include "tests/unit/check_main.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

enum { PATIENCE_MS = 60000 };
#define START "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

static struct inbox *inbox;
static struct searcher *searcher;
static struct inbox_item item;

static void setup(void)
{
    inbox = inbox_new();
    searcher = searcher_new(inbox, 2, 4);
    ck_assert_ptr_nonnull(searcher);
}

static void teardown(void)
{
    searcher_free(searcher);
    while (inbox_take(inbox, &item))
        if (item.type == INBOX_DONE) free(item.line);
    inbox_free(inbox);
}

static struct wire_str str(const char *text) { return wire_str_make(text, strlen(text)); }

/* The next item of a kind; infos in between are checked and let go. */
static void await_item(enum inbox_type type)
{
    for (;;) {
        while (inbox_take(inbox, &item)) {
            if (item.type == type) return;
            ck_assert_int_eq(item.type, INBOX_INFO);
            ck_assert_uint_gt(item.info.depth, 0);
        }
        struct pollfd fd = {.fd = inbox_fd(inbox), .events = POLLIN};
        ck_assert_int_eq(poll(&fd, 1, PATIENCE_MS), 1);
    }
}

static void configure(uint32_t config, uint32_t hash_mb, uint32_t threads)
{
    searcher_configure(
        searcher, &(struct msg_configure){
                      .config = config, .hash_mb = hash_mb, .threads = threads, .entering_king_rule = WIRE_RULE_CSA27});
    await_item(INBOX_CONFIG_DONE);
    ck_assert_uint_eq(item.config, config);
}

static struct session_go job(uint32_t run, const char *root, const char *moves)
{
    return (struct session_go){
        .run = run, .kind = JOB_SEARCH, .multipv = 1, .root = str(root), .moves = str(moves), .searchmoves = str("")};
}

static const char *best(void)
{
    static char text[WIRE_MOVE_BYTES_MAX + 1];
    snprintf(text, sizeof text, "%.*s", WIRE_MOVE_BYTES_MAX, item.best);
    return text;
}

START_TEST(a_search_reports_and_ends)
{
    configure(1, 2, 1);
    ck_assert(item.ok);
    struct session_go go = job(1, START, "7g7f 3c3d");
    go.depth_max = 6;
    searcher_go(searcher, &go);
    await_item(INBOX_DONE);
    ck_assert_uint_eq(item.run, 1);
    ck_assert_uint_eq(item.result.verdict, VERDICT_MOVE);
    ck_assert_uint_eq(item.result.depth, 6);
    ck_assert_uint_ge(strlen(best()), 4);
    ck_assert(!item.result.stopped);
}
END_TEST

START_TEST(a_stop_may_come_at_any_moment_even_before_the_search_has_begun)
{
    configure(1, 2, 2);
    for (uint32_t run = 1; run <= 60; run++) {
        struct session_go go = job(run, START, "");
        searcher_go(searcher, &go);
        if (run % 3) poll(NULL, 0, (int)(run % 5));
        searcher_stop(searcher, run);
        await_item(INBOX_DONE);
        ck_assert_uint_eq(item.run, run);
        ck_assert_uint_eq(item.result.verdict, VERDICT_MOVE);
        ck_assert_uint_ge(strlen(best()), 4);
    }
}
END_TEST

START_TEST(what_the_rules_do_not_allow_is_refused_in_words)
{
    static const struct {
        const char *root, *moves, *searchmoves, *part;
    } cases[] = {
        {"nonsense", "", "", "root position"},
        {"", "", "", "root position"},
        {START, "7g7f 7g7f", "", "move 2 (7g7f) is not legal"},
        {START, "7g7f\n3c3d", "", "move 1"},
        {START, "resign", "", "move 1"},
        {START, "", "5a5b 1a1b", "none of the searchmoves"},
        {"4k4/9/9/9/9/9/9/9/9 b - 1", "", "", "king is missing"},
    };
    configure(1, 2, 1);
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct session_go go = job(i + 1, cases[i].root, cases[i].moves);
        go.searchmoves = str(cases[i].searchmoves);
        searcher_go(searcher, &go);
        await_item(INBOX_REFUSED);
        ck_assert_uint_eq(item.run, i + 1);
        item.text[item.text_bytes] = 0;
        ck_assert_msg(strstr(item.text, cases[i].part) != NULL, "\"%s\" lacks \"%s\"", item.text, cases[i].part);
    }
}
END_TEST

START_TEST(games_longer_than_the_history_are_refused_and_shorter_ones_are_not)
{
    static char moves[WIRE_MOVES_BYTES_MAX];
    static const char *const shuffle[] = {"2h3h", "8b7b", "3h2h", "7b8b"};
    size_t used = 0;
    configure(1, 2, 1);
    for (unsigned i = 0; i < 4500; i++)
        used += (size_t)snprintf(moves + used, sizeof moves - used, "%s%s", used ? " " : "", shuffle[i % 4]);
    struct session_go go = job(1, START, moves);
    go.depth_max = 1;
    searcher_go(searcher, &go);
    await_item(INBOX_REFUSED);
    go.run = 2;
    go.moves.length = 5 * 4000 - 1;
    searcher_go(searcher, &go);
    await_item(INBOX_DONE);
}
END_TEST

START_TEST(mate_and_declaration_and_resignation_have_verdicts_of_their_own)
{
    configure(1, 2, 1);
    struct session_go go = job(1, "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", "");
    go.kind = JOB_MATE;
    searcher_go(searcher, &go);
    await_item(INBOX_DONE);
    ck_assert_uint_eq(item.result.verdict, VERDICT_MATE);
    ck_assert_uint_eq(item.line_bytes, 4);
    ck_assert_mem_eq(item.line, "G*5b", 4);
    free(item.line);

    go = job(2, "4k4/9/9/9/9/9/9/9/4K4 b P2r2b4g4s4n4l17p 1", "");
    go.kind = JOB_MATE;
    searcher_go(searcher, &go);
    await_item(INBOX_DONE);
    ck_assert_uint_eq(item.result.verdict, VERDICT_NOMATE);
    free(item.line);

    go = job(3, "1K7/RBGGGGSSS/PPPPPP3/9/9/9/9/4k4/9 b RBS4N4L12P 1", "");
    searcher_go(searcher, &go);
    await_item(INBOX_DONE);
    ck_assert_uint_eq(item.result.verdict, VERDICT_WIN);
    ck_assert_str_eq(best(), "");

    go = job(4, "4k4/4G4/4P4/9/9/9/9/9/4K4 w 2r2b3g4s4n4l17p 1", "");
    searcher_go(searcher, &go);
    await_item(INBOX_DONE);
    ck_assert_uint_eq(item.result.verdict, VERDICT_RESIGN);
}
END_TEST

START_TEST(a_mate_search_can_be_stopped)
{
    configure(1, 2, 2);
    for (uint32_t run = 1; run <= 10; run++) {
        struct session_go go = job(run, "9/9/9/9/4k4/9/9/9/9 b R4N4L18Pr2b4g4s 1", "");
        go.kind = JOB_MATE;
        go.fresh = true;
        searcher_go(searcher, &go);
        if (run % 2) poll(NULL, 0, (int)run);
        searcher_stop(searcher, run);
        await_item(INBOX_DONE);
        free(item.line);
        ck_assert_uint_eq(item.run, run);
    }
}
END_TEST

START_TEST(a_table_that_does_not_fit_is_replaced_by_the_modest_one_with_a_remark)
{
    configure(7, 33554432, 1);
    ck_assert(item.ok);
    item.text[item.text_bytes] = 0;
    ck_assert_ptr_nonnull(strstr(item.text, "does not fit"));
    ck_assert_ptr_nonnull(strstr(item.text, "using 4 MiB"));
    configure(8, 1, 3);
    ck_assert(item.ok);
    ck_assert_uint_eq(item.text_bytes, 0);
}
END_TEST

START_TEST(a_fresh_search_depends_on_the_job_alone)
{
    configure(1, 2, 1);
    struct session_go go = job(1, START, "7g7f");
    go.nodes = 20000;
    go.fresh = true;
    searcher_go(searcher, &go);
    await_item(INBOX_DONE);
    uint64_t nodes = item.result.nodes;
    int32_t score = item.result.score;
    char first[16];
    snprintf(first, sizeof first, "%s", best());
    go = job(2, START, "2g2f 8c8d");
    go.nodes = 30000;
    searcher_go(searcher, &go);
    await_item(INBOX_DONE);
    go = job(3, START, "7g7f");
    go.nodes = 20000;
    go.fresh = true;
    searcher_go(searcher, &go);
    await_item(INBOX_DONE);
    ck_assert_uint_eq(item.result.nodes, nodes);
    ck_assert_int_eq(item.result.score, score);
    ck_assert_str_eq(best(), first);
}
END_TEST

START_TEST(it_can_be_freed_in_the_middle_of_a_search)
{
    configure(1, 2, 2);
    struct session_go go = job(1, START, "");
    searcher_go(searcher, &go);
    poll(NULL, 0, 10 * _i);
} /* teardown frees it */
END_TEST

START_TEST(the_inbox_loses_old_infos_but_never_an_end)
{
    struct inbox_item one;
    memset(&one, 0, sizeof one);
    one.type = INBOX_CONFIG_DONE;
    one.config = 42;
    inbox_put(inbox, &one);
    one.type = INBOX_INFO;
    for (uint32_t i = 1; i <= 1000; i++) {
        one.run = i;
        inbox_put(inbox, &one);
    }
    one.type = INBOX_DONE;
    inbox_put(inbox, &one);
    ck_assert(inbox_take(inbox, &item));
    ck_assert_int_eq(item.type, INBOX_CONFIG_DONE);
    ck_assert_uint_eq(item.config, 42);
    uint32_t last = 0, count = 0;
    while (inbox_take(inbox, &item) && item.type == INBOX_INFO) {
        ck_assert_uint_gt(item.run, last); /* order is kept */
        last = item.run;
        count++;
    }
    ck_assert_int_eq(item.type, INBOX_DONE);
    ck_assert_uint_eq(last, 1000); /* the newest are there */
    ck_assert_uint_eq(inbox_lost(inbox), 1000 - count);
    struct pollfd fd = {.fd = inbox_fd(inbox), .events = POLLIN};
    ck_assert(!inbox_take(inbox, &item));
    ck_assert_int_eq(poll(&fd, 1, 0), 0); /* quiet again */
}
END_TEST

START_TEST(patient_infos_wake_nobody_and_only_the_newest_of_each_line_stays)
{
    struct pollfd fd = {.fd = inbox_fd(inbox), .events = POLLIN};
    struct inbox_item one;
    memset(&one, 0, sizeof one);
    one.type = INBOX_INFO;
    one.patient = true;
    one.run = 1;
    for (uint32_t depth = 1; depth <= 9; depth++) {
        for (uint32_t line = 1; line <= 2; line++) {
            one.info.depth = depth;
            one.info.multipv = line;
            one.line = malloc(1); /* the outdated ones are freed */
            inbox_put(inbox, &one);
        }
    }
    ck_assert_int_eq(poll(&fd, 1, 0), 0);
    one.type = INBOX_DONE;
    one.patient = false;
    one.line = NULL;
    inbox_put(inbox, &one);
    ck_assert_int_eq(poll(&fd, 1, 0), 1);
    for (uint32_t line = 1; line <= 2; line++) {
        ck_assert(inbox_take(inbox, &item));
        ck_assert_int_eq(item.type, INBOX_INFO);
        ck_assert_uint_eq(item.info.multipv, line);
        ck_assert_uint_eq(item.info.depth, 9);
        free(item.line);
    }
    ck_assert(inbox_take(inbox, &item));
    ck_assert_int_eq(item.type, INBOX_DONE);
    ck_assert(!inbox_take(inbox, &item));
    ck_assert_uint_eq(inbox_lost(inbox), 0);
}
END_TEST

START_TEST(a_patient_search_says_its_newest_lines_with_its_end)
{
    configure(1, 4, 1);
    struct session_go go = job(1, START, "");
    go.nodes = 20000;
    go.time_ms = 0;
    go.multipv = 3;
    go.patient = true;
    ck_assert(!inbox_take(inbox, &item)); /* quiet */
    searcher_go(searcher, &go);
    struct pollfd fd = {.fd = inbox_fd(inbox), .events = POLLIN};
    ck_assert_int_eq(poll(&fd, 1, 60000), 1);
    uint32_t lines = 0;
    while (inbox_take(inbox, &item) && item.type == INBOX_INFO) {
        ck_assert_uint_gt(item.info.depth, 3);
        ck_assert_uint_eq(item.info.bound, WIRE_EXACT);
        lines |= 1u << item.info.multipv;
    }
    ck_assert_int_eq(item.type, INBOX_DONE);
    ck_assert_uint_eq(lines, 2 | 4 | 8);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tcase = tcase_create("searcher");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_search_reports_and_ends);
    tcase_add_test(tcase, a_stop_may_come_at_any_moment_even_before_the_search_has_begun);
    tcase_add_test(tcase, what_the_rules_do_not_allow_is_refused_in_words);
    tcase_add_test(tcase, games_longer_than_the_history_are_refused_and_shorter_ones_are_not);
    tcase_add_test(tcase, mate_and_declaration_and_resignation_have_verdicts_of_their_own);
    tcase_add_test(tcase, a_mate_search_can_be_stopped);
    tcase_add_test(tcase, a_table_that_does_not_fit_is_replaced_by_the_modest_one_with_a_remark);
    tcase_add_test(tcase, a_fresh_search_depends_on_the_job_alone);
    tcase_add_loop_test(tcase, it_can_be_freed_in_the_middle_of_a_search, 0, 3);
    tcase_add_test(tcase, the_inbox_loses_old_infos_but_never_an_end);
    tcase_add_test(tcase, patient_infos_wake_nobody_and_only_the_newest_of_each_line_stays);
    tcase_add_test(tcase, a_patient_search_says_its_newest_lines_with_its_end);
    suite_add_tcase(suite, tcase);
}

CHECK_MAIN("searcher", add_cases)
