/* check_tsumero.c - mates inside the playing search: at the root with its proof, at nodes, and threats of mate. */
#include <string.h>

#include "common/shogi/certificate.h"
#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "tests/bench/bench_positions.h"
#include "tests/model/playout.h"
#include "tests/unit/check_main.h"
#include "worker/engine/mate/mate.h"
#include "worker/engine/search_thread.h"
#include "worker/engine/variant.h"

enum { NODES = 20000, NODES_FOR_MATE = 100000 };

/* Mates of 11 and 13 plies with both kings on the board, from test/test.cpp of github.com/TadaoYamaoka/
 * DeepLearningShogi (GPL-3.0). */
static const char *const mating[] = {
    "l1+R5K/4p2+P1/1pp6/p2+b4p/2k2G1p1/PL2+n3P/N5+s2/2+nP5/L4+R2L b B2G2S3Pgsn5p 1",
    "l7K/9/p6sp/1g1ppRpbk/7n1/1P2SP2P/P3P1P2/2+n1s2+p1/LN2+r2NL b B3GSL6P 1",
    "1n+S1l3n/2s6/1pp3pg1/3p2s2/1kP4PK/4p1n1P/+l1G2+B3/1+l1G1+R3/5P3 b RL6Pbgsn3p 1",
};

static struct history game;
static struct engine_result result;
static struct {
    Score score;
    Move pv[ENGINE_PV_MAX];
    size_t pv_count, certificate_bytes;
    char certificate[ENGINE_CERTIFICATE_BYTES_MAX];
} told;

static void on_info(void *context, const struct engine_info *info)
{
    (void)context;
    if (info->multipv != 1 || (told.certificate_bytes > 0 && !info->certificate))
        return; /* the last one with a proof */
    told.score = info->score;
    told.pv_count = info->pv_count;
    memcpy(told.pv, info->pv, info->pv_count * sizeof *info->pv);
    told.certificate_bytes = info->certificate ? info->certificate_bytes : 0;
    if (info->certificate) memcpy(told.certificate, info->certificate, info->certificate_bytes);
}

static void on_done(void *context, const struct engine_result *r)
{
    (void)context;
    result = *r;
}

static struct search_params everything_on(void)
{
    struct search_params params = search_params_default();
    params.root_mate_permille = 200;
    params.mate_plies = 4;
    params.tsumero = 1;
    return params;
}

static void go(const struct position *pos, unsigned max_moves, uint64_t nodes)
{
    struct engine_options options = {
        .hash_bytes = 8 << 20, .threads = 1, .rule = RULE_CSA27, .max_moves_to_draw = max_moves};
    struct engine_sink sink = {.info = on_info, .done = on_done};
    struct search_params params = everything_on();
    struct engine *engine = engine_new_variant(&options, &sink, &eval_classic, &params);
    ck_assert_ptr_nonnull(engine);
    memset(&told, 0, sizeof told);
    ck_assert_int_eq(engine_go(engine, pos, &game, &(struct engine_limits){.nodes = nodes, .multipv = 1}), ST_OK);
    engine_wait(engine);
    engine_free(engine);
}

static void check_line_mates(struct position pos)
{
    struct undo undo;
    for (size_t i = 0; i < told.pv_count; i++) {
        ck_assert(position_pseudo_legal(&pos, told.pv[i]) && position_legal(&pos, told.pv[i]));
        position_do(&pos, told.pv[i], &undo);
    }
    ck_assert(!position_has_legal_move(&pos));
}

START_TEST(a_mate_at_the_root_comes_with_its_proof)
{
    struct position pos = playout_position(mating[_i]);
    history_start(&game, &pos);
    go(&pos, 0, NODES_FOR_MATE);
    ck_assert(score_is_mate(result.score) && result.score > 0);
    ck_assert_int_ge(result.score, told.score); /* the iteration that was cut off may have found a shorter one */
    if (score_mate_plies(told.score) == (int)told.pv_count) check_line_mates(pos);
    ck_assert_uint_gt(told.certificate_bytes, 0);
    struct certificate *certificate = certificate_new(ENGINE_CERTIFICATE_BYTES_MAX);
    ck_assert(certificate_holds(certificate, &pos, text_make(told.certificate, told.certificate_bytes)));
    ck_assert_int_ge((int)certificate_plies(certificate), score_mate_plies(told.score));
    ck_assert_int_lt((int)certificate_plies(certificate), 40);
    certificate_free(certificate);
}
END_TEST

START_TEST(a_mate_behind_the_end_of_the_game_is_none)
{
    struct position pos = playout_position(mating[0]); /* move 1 of the game */
    history_start(&game, &pos);
    go(&pos, 3, NODES);
    ck_assert(!score_is_mate(result.score));
    ck_assert_uint_eq(told.certificate_bytes, 0);
}
END_TEST

START_TEST(a_root_that_comes_again_is_not_mated_by_heart)
{
    struct position pos = playout_position(mating[0]);
    history_start(&game, &pos);
    ck_assert(history_push(&game, &pos));
    go(&pos, 0, NODES);
    ck_assert_uint_eq(told.certificate_bytes, 0);
}
END_TEST

START_TEST(nodes_of_mates_are_nodes_and_the_same_search_is_the_same)
{
    for (size_t i = 0; i < BENCH_POSITION_COUNT; i += 12) {
        struct position pos = playout_position(bench_positions[i]);
        history_start(&game, &pos);
        go(&pos, 0, NODES);
        if (!score_is_mate(result.score)) ck_assert_uint_eq(result.nodes, NODES);
        ck_assert_uint_le(result.nodes, NODES);
        struct engine_result first = result;
        go(&pos, 0, NODES);
        ck_assert_uint_eq(result.nodes, first.nodes);
        ck_assert_int_eq(result.best, first.best);
        ck_assert_int_eq(result.score, first.score);
    }
}
END_TEST

/* One thread of a search, without an engine around it. */
static struct search_shared shared;
static struct search_thread *thread;

static void thread_begin(const struct position *pos)
{
    memset(&shared, 0, sizeof shared);
    shared.tt = tt_new(TT_BYTES_MIN);
    shared.eval = &eval_classic;
    shared.eval->load();
    thread = search_thread_new(&shared, 0);
    ck_assert_ptr_nonnull(thread);
    thread->params = everything_on();
    thread->params.threat_nodes = 5000;
    shared.threads = &thread;
    shared.thread_count = 1;
    history_start(&game, pos);
    search_thread_start(thread, pos, &game);
}

static void thread_end(void)
{
    search_thread_free(thread);
    tt_free(shared.tt);
}

START_TEST(a_threat_is_seen_and_carried_out_when_it_is_not_parried)
{
    struct position pos = playout_position(mating[_i]);
    struct undo undo;
    position_do_null(&pos, &undo); /* now the defender moves, and had better do something */
    thread_begin(&pos);
    struct search_frame *f = thread->frames + SEARCH_FRAME_PAD + 1;
    Square king = pos.king[pos.side];
    f[-1].current = move_make(king, king); /* whatever it was, it ended near the king */
    struct tsumero_mate mate;
    ck_assert(!tsumero_look(thread, f, 500, 0, 8, &mate));
    ck_assert_int_eq(f->threat, TSUMERO_T);
    ck_assert_int_ne(f->threat_mate.move, MOVE_NONE);
    ck_assert(!tsumero_look(thread, f, -500, 0, 8, &mate)); /* who is lost anyway need not know */
    ck_assert_int_eq(f->threat, TSUMERO_N);
    ck_assert(!tsumero_look(thread, f, 500, 0, 8, &mate));

    Move moves[MOVES_MAX];
    size_t count = movegen_legal(&pos, moves), tried = 0, mated = 0, stalled = 0;
    thread->params.threat_nodes = 50;
    struct mate_solver *solver = mate_new(1 << 20, 1);
    static struct mate_result proof;
    for (size_t i = 0; i < count; i++) {
        if (i % 8 != 0 && !position_gives_check(&pos, moves[i])) continue;
        tried++;
        position_do(&thread->pos, moves[i], &undo);
        f->current = moves[i];
        f[1].in_check = position_in_check(&thread->pos);
        bool mates = tsumero_look(thread, f + 1, -500, 0, 1, &mate);
        ck_assert_int_eq(f[1].threat, f[1].in_check ? TSUMERO_O : TSUMERO_N);
        stalled += f[1].in_check;
        mated += mates;
        if (mates && mated % 16 == 1) {
            struct mate_limits limits = {.nodes = 200000, .plies_max = mate.plies, .any_length = true};
            mate_solve(solver, &thread->pos, &limits, &proof);
            ck_assert_int_eq(proof.verdict, MATE_PROVED);
        }
        position_undo(&thread->pos, &undo);
    }
    mate_free(solver);
    thread_end();
    ck_assert_uint_gt(mated * 2, tried); /* a real threat: most moves do not help */
    ck_assert_uint_lt(mated, tried);
    ck_assert_uint_gt(stalled, 0);
}
END_TEST

static void add_cases(Suite *suite)
{
    int count = sizeof mating / sizeof *mating;
    TCase *tc = tcase_create("tsumero");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, a_mate_at_the_root_comes_with_its_proof, 0, count);
    tcase_add_test(tc, a_mate_behind_the_end_of_the_game_is_none);
    tcase_add_test(tc, a_root_that_comes_again_is_not_mated_by_heart);
    tcase_add_test(tc, nodes_of_mates_are_nodes_and_the_same_search_is_the_same);
    tcase_add_loop_test(tc, a_threat_is_seen_and_carried_out_when_it_is_not_parried, 0, count);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("tsumero", add_cases)
