/* check_split.c - how a search is divided among real processes: with one worker every strategy is the bare engine; with
 * two every strategy gives legal lines and moves, in time, and stops at once. */
#include "tests/e2e/driver.h"
#include "tests/unit/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUIET "sfen ln3gknl/2r3s2/ppp1pgbp1/3p2p1p/2P2p3/P1RPS3P/1P4PP1/1B2G1SK1/LN3G1NL b Psp 41"

static const char *const strategies[] = {"auto", "lazy", "tree", "root", "majority", "optimistic"};
enum { STRATEGIES = sizeof strategies / sizeof strategies[0] };

static struct process *cluster(const char *workers)
{
    struct process *p = engine_ready("--workers", workers, NULL);
    say(p, "setoption name MinimumThinkingTime value 100");
    say(p, "setoption name NetworkDelay2 value 200");
    return p;
}

/* The number after `name` in the last info line of what was said since `from`. */
static unsigned long long last_number(const struct process *p, size_t from, const char *name)
{
    unsigned long long value = 0;
    char key[32];
    snprintf(key, sizeof key, " %s ", name);
    for (const char *line = p->out + from; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        if (strncmp(line, "info depth", 10) != 0) continue;
        const char *at = strstr(line, key), *end = strchr(line, '\n');
        if (at && (!end || at < end)) value = strtoull(at + strlen(key), NULL, 10);
    }
    return value;
}

START_TEST(one_worker_plays_as_the_bare_engine_whatever_the_strategy)
{
    struct process *p = cluster("1");
    static const char *const limits[] = {"go depth 9", "go nodes 30000"};
    for (size_t k = 0; k < 2; k++) {
        char first_move[16] = "";
        unsigned long long first_nodes = 0;
        for (size_t i = 0; i < STRATEGIES; i++) {
            say(p, "setoption name SplitStrategy value %s", strategies[i]);
            say(p, "usinewgame");
            size_t from = p->out_used;
            const char *move = play(p, QUIET, limits[k]);
            unsigned long long nodes = last_number(p, from, "nodes");
            if (i == 0) {
                snprintf(first_move, sizeof first_move, "%s", move);
                first_nodes = nodes;
            }
            ck_assert_str_eq(move, first_move);
            ck_assert_msg(nodes == first_nodes, "%s with %s: %llu nodes, auto %llu", limits[k], strategies[i], nodes,
                          first_nodes);
        }
        ck_assert(first_nodes > 0);
    }
    engine_quit(p);
}
END_TEST

START_TEST(two_workers_answer_under_every_strategy)
{
    struct process *p = cluster("2");
    for (size_t i = 0; i < STRATEGIES; i++) {
        say(p, "setoption name SplitStrategy value %s", strategies[i]);
        say(p, "usinewgame");
        size_t from = p->out_used;
        play(p, QUIET, "go depth 12");
        ck_assert_uint_ge(last_number(p, from, "depth"), 12);
        play(p, QUIET, "go btime 3000 wtime 3000");
        play(p, "startpos", "go movetime 700");
        say(p, "position " QUIET);
        from = p->out_used;
        say(p, "go infinite");
        await(p, "info depth 11", WAIT_MS); /* deep in the tree, if there is one */
        await_silence(p, "bestmove", 300);
        int64_t stopped_ms = now_ms();
        say(p, "stop");
        await(p, "bestmove", WAIT_MS);
        printf("%s: stop -> bestmove %lld ms\n", strategies[i], (long long)(now_ms() - stopped_ms));
        check_search_output(p, from, QUIET);
    }
    engine_quit(p);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tcase = tcase_create("split");
    tcase_set_timeout(tcase, 240);
    tcase_add_test(tcase, one_worker_plays_as_the_bare_engine_whatever_the_strategy);
    tcase_add_test(tcase, two_workers_answer_under_every_strategy);
    suite_add_tcase(suite, tcase);
}

CHECK_MAIN("split", add_cases)
