/* check_search.c - what the search understands: mates to the ply, repetition, perpetual check, move limit, and the
 * golden signature. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "common/shogi/sfen.h"
#include "tests/bench/bench_positions.h"
#include "tests/model/playout.h"
#include "tests/unit/check_main.h"
#include "worker/engine/engine.h"

static struct engine_result result;
static struct history game;
static struct position root;

static void on_done(void *context, const struct engine_result *r)
{
    (void)context;
    result = *r;
}

static struct engine *new_engine(unsigned max_moves)
{
    struct engine_options o = {.hash_bytes = 8 << 20, .threads = 1, .rule = RULE_CSA27, .max_moves_to_draw = max_moves};
    struct engine *engine = engine_new(&o, &(struct engine_sink){.done = on_done});
    ck_assert_ptr_nonnull(engine);
    return engine;
}

/* The position after `moves` (USI, blanks between), with its history. */
static void set_up(const char *sfen, const char *moves)
{
    char text[2048];
    root = playout_position(sfen);
    history_start(&game, &root);
    snprintf(text, sizeof text, "%s", moves);
    for (char *usi = strtok(text, " "); usi; usi = strtok(NULL, " ")) {
        Move move = movetext_from_usi(&root, usi, strlen(usi));
        struct undo undo;
        ck_assert_msg(move != MOVE_NONE, "%s is not legal", usi);
        position_do(&root, move, &undo);
        ck_assert(history_push(&game, &root));
    }
}

static void search(struct engine *engine, int depth)
{
    ck_assert_int_eq(engine_new_game(engine), ST_OK);
    ck_assert_int_eq(engine_go(engine, &root, &game, &(struct engine_limits){.depth_plies = depth, .multipv = 1}),
                     ST_OK);
    engine_wait(engine);
}

/* By trying everything: can the side to move mate in at most `plies` (odd)? Quiet moves count, unlike in a tsume
 * problem. */
static bool mates_within(struct position *pos, int plies)
{
    Move moves[MOVES_MAX], answers[MOVES_MAX];
    struct undo undo, back;
    size_t count = movegen_legal(pos, moves);
    for (size_t i = 0; i < count; i++) {
        position_do(pos, moves[i], &undo);
        bool mates = plies == 1 ? !position_has_legal_move(pos) : true;
        size_t replies = plies == 1 ? 0 : movegen_legal(pos, answers);
        for (size_t k = 0; mates && k < replies; k++) {
            position_do(pos, answers[k], &back);
            mates = mates_within(pos, plies - 2);
            position_undo(pos, &back);
        }
        position_undo(pos, &undo);
        if (mates) return true;
    }
    return false;
}

START_TEST(mates_of_the_collection_are_found_and_their_lengths_are_true)
{
    struct engine *engine = new_engine(0);
    FILE *file = fopen("tests/data/mate/short-generated.sfen", "r");
    char line[512];
    unsigned tried[12] = {0}, exact[12] = {0};
    ck_assert_ptr_nonnull(file);
    for (unsigned n = 0; fgets(line, sizeof line, file);) {
        char *tab = strchr(line, '\t');
        if (line[0] == '#' || !tab) continue;
        *tab = '\0';
        int plies = atoi(tab + 1);
        if (plies > 5 || n++ % 6 != 0) continue;
        set_up(line, "");
        search(engine, plies + 8);
        tried[plies]++;
        if (score_is_mate(result.score) && score_mate_plies(result.score) > 0) {
            int found = score_mate_plies(result.score);
            ck_assert_int_eq(found % 2, 1);
            exact[plies] += found <= plies; /* shorter is possible: the collection knows checks only */
            if (found > 3) continue;
            ck_assert(mates_within(&root, found));
            if (found == 3) ck_assert(!mates_within(&root, 1));
        }
    }
    fclose(file);
    engine_free(engine);
    ck_assert_uint_gt(tried[1], 10);
    ck_assert_uint_eq(exact[1], tried[1]);
    ck_assert_uint_ge(exact[3] * 100, tried[3] * 95);
    ck_assert_uint_ge(exact[5] * 100, tried[5] * 80);
}
END_TEST

START_TEST(a_mate_in_one_on_the_board_beats_a_longer_one)
{
    struct engine *engine = new_engine(0);
    set_up("8k/9/7GG/9/9/9/9/9/K8 b G 1", "");
    search(engine, 8);
    ck_assert_int_eq(score_mate_plies(result.score), 1);
    engine_free(engine);
}
END_TEST

START_TEST(the_side_that_is_mated_knows_when)
{
    struct engine *engine = new_engine(0);
    /* The king's only move is 1a2a, and then G*2b mates. */
    set_up("8k/9/7GG/9/9/9/9/9/K8 w G 1", "");
    search(engine, 8);
    ck_assert_int_eq(score_mate_plies(result.score), -2);
    engine_free(engine);
}
END_TEST

START_TEST(a_losing_side_takes_the_repetition)
{
    struct engine *engine = new_engine(0);
    /* Three times round already: one more is a draw, and White, a rook and much else behind, can have it. */
    set_up("k8/9/9/9/9/9/9/9/K7R w - 1", "9a8a 9i8i 8a9a 8i9i 9a8a 9i8i 8a9a 8i9i 9a8a 9i8i 8a9a 8i9i");
    (void)root;
    ck_assert_int_eq(history_referee(&game, &root), OUTCOME_DRAW_REPETITION);
    engine_free(engine);
}
END_TEST

START_TEST(scores_of_superiority_never_leave_the_engine)
{
    /* Report on another engine: "cp 31111" after 4e4f 6h4f P*4e (superior repetition). */
    struct engine *engine = new_engine(0);
    set_up("l5snl/3k5/1pnsg1b2/p1ppp1g1p/5pp2/PPP1P4/2SP5/K1GB5/LNG4+r1 w 2Prsnl3p 78", "4e4f 6h4f P*4e");
    for (int depth = 1; depth <= 10; depth++) {
        search(engine, depth);
        ck_assert(score_is_mate(result.score) || (result.score <= SCORE_CP_MAX && result.score >= -SCORE_CP_MAX));
    }
    engine_free(engine);
}
END_TEST

START_TEST(the_move_limit_is_a_draw_unless_the_last_move_mates)
{
    /* Move 100 is Black's last; a mate in one is there: it counts. */
    struct engine *engine = new_engine(100);
    set_up("8k/9/7GG/9/9/9/9/9/K8 b G 100", "");
    search(engine, 6);
    ck_assert_int_eq(score_mate_plies(result.score), 1);
    /* A mate in 3 comes too late: the game ends first, so it is worth a draw (0, give or take the noise). */
    set_up("8k/9/9/8P/9/9/9/9/K8 b 2G 100", "");
    search(engine, 8);
    ck_assert_int_le(abs(result.score), 2);
    engine_free(engine);
}
END_TEST

START_TEST(the_opponents_declaration_is_seen)
{
    /* White's move; Black declares next unless the number of its pieces in the zone or its points go down: no way to do
     * that here. */
    struct engine *engine = new_engine(0);
    set_up("K+R+R6/+B+B+P+P+P+P3/+P+P7/9/9/9/9/9/7k1 w 2P 1", "");
    search(engine, 5);
    ck_assert(score_is_mate(result.score));
    ck_assert_int_eq(score_mate_plies(result.score), -2);
    engine_free(engine);
}
END_TEST

/* tests/golden/bench.txt: "depth D nodes N"; `murakumo-bench search --depth D` prints the same on every machine. */
START_TEST(the_node_signature_is_the_golden_one)
{
    FILE *file = fopen("tests/golden/bench.txt", "r");
    ck_assert_ptr_nonnull(file);
    int depth = 0;
    uint64_t golden = 0, nodes = 0;
    char line[256];
    while (fgets(line, sizeof line, file))
        if (line[0] != '#') ck_assert_int_eq(sscanf(line, "depth %d nodes %" SCNu64, &depth, &golden), 2);
    fclose(file);
    struct engine_options o = {.hash_bytes = 16 << 20, .threads = 1, .rule = RULE_CSA27};
    struct engine *engine = engine_new(&o, &(struct engine_sink){.done = on_done});
    for (size_t i = 0; i < BENCH_POSITION_COUNT; i++) {
        set_up(bench_positions[i], "");
        search(engine, depth);
        nodes += result.nodes;
    }
    engine_free(engine);
    ck_assert_msg(nodes == golden,
                  "signature %" PRIu64 ", golden %" PRIu64
                  ": if the change is meant, write it to tests/golden/bench.txt",
                  nodes, golden);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("search");
    tcase_set_timeout(tc, 240);
    tcase_add_test(tc, mates_of_the_collection_are_found_and_their_lengths_are_true);
    tcase_add_test(tc, a_mate_in_one_on_the_board_beats_a_longer_one);
    tcase_add_test(tc, the_side_that_is_mated_knows_when);
    tcase_add_test(tc, a_losing_side_takes_the_repetition);
    tcase_add_test(tc, scores_of_superiority_never_leave_the_engine);
    tcase_add_test(tc, the_move_limit_is_a_draw_unless_the_last_move_mates);
    tcase_add_test(tc, the_opponents_declaration_is_seen);
    tcase_add_test(tc, the_node_signature_is_the_golden_one);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("search", add_cases)
