/* check_share.c - what workers tell each other: it arrives, it changes nothing when nobody listens, lies do no harm. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/prng.h"
#include "common/shogi/movegen.h"
#include "common/shogi/sfen.h"
#include "tests/unit/check_main.h"
#include "worker/engine/engine.h"
#include "worker/engine/eval.h"
#include "worker/engine/share.h"
#include "worker/engine/tt.h"

static const char matsuri[] = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

START_TEST(ring_keeps_order_and_drops_what_does_not_fit)
{
    struct share_ring *ring = share_ring_new();
    for (uint64_t i = 0; i < SHARE_RING_HINTS + 5; i++) share_offer(ring, (struct hint){i, i + 1});
    ck_assert_uint_eq(atomic_load(&ring->dropped), 5);
    struct hint out[100];
    uint64_t expected = 0;
    for (size_t got; (got = share_take(ring, out, 100)) > 0;)
        for (size_t i = 0; i < got; i++, expected++) {
            ck_assert_uint_eq(out[i].key, expected);
            ck_assert_uint_eq(out[i].data, expected + 1);
        }
    ck_assert_uint_eq(expected, SHARE_RING_HINTS);
    share_offer(ring, (struct hint){7, 8});
    ck_assert_uint_eq(share_take(ring, out, 100), 1);
    share_ring_free(ring);
}
END_TEST

START_TEST(claims_of_others_count_until_dropped)
{
    struct claims *claims = malloc(sizeof *claims);
    claims_clear(claims);
    uint64_t key = 0x123456789abcdef0;
    ck_assert(!claims_taken(claims, key, 0, 1));
    claims_put(claims, key, 6, 0);
    ck_assert(claims_taken(claims, key, 6, 1));
    ck_assert(claims_taken(claims, key, 5, 1));
    ck_assert(!claims_taken(claims, key, 7, 1));
    ck_assert(!claims_taken(claims, key ^ (uint64_t)1 << 40, 5, 1));
    claims_put(claims, key, 6, 3);
    ck_assert(!claims_taken(claims, key, 6, 3)); /* its own */
    claims_drop(claims, key ^ (uint64_t)1 << 40);
    ck_assert(claims_taken(claims, key, 6, 1));
    claims_drop(claims, key);
    ck_assert(!claims_taken(claims, key, 6, 1));
    free(claims);
}
END_TEST

START_TEST(a_hint_travels_from_table_to_table)
{
    struct tt *to = tt_new(1 << 20);
    uint8_t bytes[HINT_BYTES];
    struct hint hint = tt_hint(0xfedcba9876543210, 1230, -SCORE_MATE + 7, -321, 9, TT_UPPER, true, 9);
    hint_write(&hint, bytes);
    ck_assert_uint_eq(bytes[0], 0x10);
    ck_assert_uint_eq(bytes[7], 0xfe);
    struct hint read = hint_read(bytes);
    ck_assert(tt_insert(to, &read));
    struct tt_hit hit;
    ck_assert(tt_probe(to, 0xfedcba9876543210, &hit));
    ck_assert_int_eq(hit.move, 1230);
    ck_assert_int_eq(hit.score, -SCORE_MATE + 7);
    ck_assert_int_eq(hit.eval, -321);
    ck_assert_int_eq(hit.depth_plies, 9);
    ck_assert_int_eq(hit.bound, TT_UPPER);
    ck_assert(hit.pv);
    ck_assert_uint_eq(hit.told, tt_told(9));
    ck_assert_uint_ne(hit.told, tt_told(8));
    ck_assert_uint_ne(hit.told, tt_told(10));
    tt_free(to);
}
END_TEST

START_TEST(a_hint_never_pushes_out_what_is_deeper)
{
    struct tt *tt = tt_new(1 << 20);
    struct tt_hit hit;
    tt_store(tt, 42, 11, 100, 0, 8, TT_LOWER, false);
    struct hint shallow = tt_hint(42, 12, 50, 0, 7, TT_EXACT, false, 9),
                equal = tt_hint(42, 13, 60, 0, 8, TT_EXACT, false, 9),
                deeper = tt_hint(42, MOVE_NONE, 70, 0, 9, TT_UPPER, false, 9);
    ck_assert(!tt_insert(tt, &shallow));
    ck_assert(tt_insert(tt, &equal));
    ck_assert(!tt_insert(tt, &equal)); /* an exact score of that depth stays */
    ck_assert(tt_insert(tt, &deeper));
    ck_assert(tt_probe(tt, 42, &hit));
    ck_assert_int_eq(hit.score, 70);
    ck_assert_int_eq(hit.move, 13); /* a hint without a move keeps the one that is known */
    /* Keys 1..4 share the first cluster: full of depth 6, it takes depth 6 but not depth 5. */
    tt_clear(tt, 1);
    for (uint64_t key = 1; key <= TT_CLUSTER_SLOTS; key++) tt_store(tt, key, 1, 1, 1, 6, TT_LOWER, false);
    struct hint five = tt_hint(5, 1, 1, 1, 5, TT_LOWER, false, 9), six = tt_hint(6, 1, 1, 1, 6, TT_LOWER, false, 9);
    ck_assert(!tt_insert(tt, &five));
    ck_assert(tt_insert(tt, &six));
    tt_free(tt);
}
END_TEST

START_TEST(what_no_search_stores_is_refused)
{
    struct tt *tt = tt_new(1 << 20);
    const struct hint bad[] = {
        tt_hint(9, 1, 0, 0, 5, TT_NONE, false, 9),                                /* no bound */
        tt_hint(9, (Move)(SQUARE_COUNT | 5 << 7), 0, 0, 5, TT_LOWER, false, 9),   /* a move to beside the board */
        tt_hint(9, 1, SCORE_SUPERIOR, 0, 5, TT_LOWER, false, 9),                  /* a repetition verdict */
        tt_hint(9, 1, SCORE_INFINITE, 0, 5, TT_LOWER, false, 9),                  /* no score */
        tt_hint(9, 1, 0, EVAL_CP_MAX + 1, 5, TT_LOWER, false, 9),                 /* no evaluation */
        tt_hint(9, 1, 0, 0, 0, TT_LOWER, false, 9),                               /* nothing was searched */
        tt_hint(9, 1, 0, 0, 200, TT_LOWER, false, 9),                             /* nobody gets there */
        {9, tt_hint(9, 1, 0, 0, 5, TT_LOWER, false, 9).data | (uint64_t)1 << 59}, /* of an unknown kind */
        hint_claim(9, 5),
    };
    struct tt_hit hit;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_msg(!tt_insert(tt, &bad[i]), "hint %zu", i);
        ck_assert(!tt_probe(tt, 9, &hit));
    }
    tt_free(tt);
}
END_TEST

/* ---- with searches -------------------------------------------------------------------------------------------- */

struct listener {
    struct engine *engine;
    struct position root;
    struct engine_result result;
    struct prng prng;
    struct hint seen[4096]; /* what the engine itself has offered */
    size_t seen_count;
    uint64_t lies;
    bool lying;
    atomic_bool over;
};

static void check_line(void *context, const struct engine_info *info)
{
    const struct listener *l = context;
    struct position pos = l->root;
    for (size_t i = 0; i < info->pv_count; i++) {
        Move legal[MOVES_MAX];
        size_t count = movegen_legal(&pos, legal), k = 0;
        while (k < count && legal[k] != info->pv[i]) k++;
        ck_assert_uint_lt(k, count);
        struct undo undo;
        position_do(&pos, info->pv[i], &undo);
    }
}

static void take_result(void *context, const struct engine_result *result)
{
    ((struct listener *)context)->result = *result;
}

/* Between two quanta: takes what is offered; a liar sends it back with other moves, scores, depths and bounds. */
static uint64_t pause_and_share(void *context, uint64_t nodes)
{
    struct listener *l = context;
    struct hint taken[512];
    for (size_t got; (got = engine_hints_take(l->engine, taken, 512)) > 0;)
        for (size_t i = 0; i < got; i++) l->seen[l->seen_count++ % (sizeof l->seen / sizeof l->seen[0])] = taken[i];
    size_t kept = l->seen_count < 4096 ? l->seen_count : 4096;
    for (size_t i = 0; l->lying && i < kept; i += 3) {
        struct hint lie = {l->seen[i].key, prng_next(&l->prng)};
        if (prng_chance(&l->prng, 900)) lie.data &= ~((uint64_t)1 << 59); /* mostly entries */
        if (prng_chance(&l->prng, 700)) lie.data = (lie.data & ~((uint64_t)255 << 48)) | (uint64_t)20 << 48;
        if (prng_chance(&l->prng, 700)) lie.data = (lie.data & ~(uint64_t)0xffffffff0000) | (uint64_t)50 << 16;
        engine_hints_put(l->engine, &lie, 1);
        l->lies++;
    }
    return nodes + 500;
}

static uint64_t search_nodes_of(struct listener *l, const struct engine_limits *limits)
{
    struct engine_options options = {.hash_bytes = 4 << 20, .threads = 1, .rule = RULE_CSA27};
    struct engine_sink sink = {.context = l, .info = check_line, .done = take_result};
    struct history *history = malloc(sizeof *history);
    l->engine = engine_new(&options, &sink);
    ck_assert_int_eq(sfen_read(&l->root, matsuri, strlen(matsuri), NULL, NULL), ST_OK);
    history_start(history, &l->root);
    ck_assert_int_eq(engine_go(l->engine, &l->root, history, limits), ST_OK);
    engine_wait(l->engine);
    engine_free(l->engine);
    free(history);
    return l->result.nodes;
}

static const struct engine_sharing sharing = {.on = true, .gate_plies = 3, .claim_plies = 3, .stagger = true};

START_TEST(a_worker_that_nobody_answers_searches_as_if_alone)
{
    struct listener *l = calloc(1, sizeof *l);
    uint64_t alone = search_nodes_of(l, &(struct engine_limits){.depth_plies = 11, .multipv = 1});
    Move best = l->result.best;
    struct engine_pacer pacer = {.context = l, .pause = pause_and_share};
    uint64_t shared = search_nodes_of(
        l, &(struct engine_limits){.depth_plies = 11, .multipv = 1, .sharing = sharing, .pacer = &pacer});
    ck_assert_uint_eq(alone, shared);
    ck_assert_int_eq(best, l->result.best);
    ck_assert_uint_gt(l->seen_count, 100);
    unsigned claims = 0;
    for (size_t i = 0; i < l->seen_count && i < 4096; i++) claims += hint_kind_of(&l->seen[i]) == HINT_CLAIM;
    ck_assert_uint_gt(claims, 10);
    free(l);
}
END_TEST

/* Says of all that is claimed that another worker is at it, too, and never comes back with a result. */
static uint64_t claim_for_ever(void *context, uint64_t nodes)
{
    struct listener *l = context;
    struct hint taken[512];
    for (size_t got; (got = engine_hints_take(l->engine, taken, 512)) > 0;)
        for (size_t i = 0; i < got; i++) {
            if (hint_kind_of(&taken[i]) != HINT_CLAIM) continue;
            struct hint claim = hint_claim(taken[i].key, 60);
            engine_hints_put(l->engine, &claim, 1);
            l->seen_count++;
        }
    return nodes + 50;
}

START_TEST(what_is_put_aside_is_searched_in_the_end)
{
    struct listener *l = calloc(1, sizeof *l);
    struct engine_pacer pacer = {.context = l, .pause = claim_for_ever};
    struct engine_sharing everything = sharing;
    everything.claim_plies = 1;
    uint64_t alone = 0, waiting = 0;
    for (int depth = 12; depth <= 13; depth++) {
        alone += search_nodes_of(l, &(struct engine_limits){.depth_plies = depth, .multipv = 1});
        waiting += search_nodes_of(
            l, &(struct engine_limits){.depth_plies = depth, .multipv = 1, .sharing = everything, .pacer = &pacer});
    }
    ck_assert_uint_gt(l->seen_count, 10000);
    /* Late moves are searched less deep, so it is less than alone: 44 %. When moves that were put aside fell to the
     * limit of quiet moves unsearched, it was 23 %. */
    ck_assert_uint_gt(waiting, alone / 3);
    free(l);
}
END_TEST

/* Keys of the first claims that one of several workers makes; the others say nothing. */
static size_t first_claims(unsigned worker, unsigned workers, uint64_t keys[8])
{
    struct listener *l = calloc(1, sizeof *l);
    struct engine_pacer pacer = {.context = l, .pause = pause_and_share};
    struct engine_sharing one_of_many = sharing;
    one_of_many.worker = worker;
    one_of_many.workers = workers;
    (void)search_nodes_of(
        l, &(struct engine_limits){.depth_plies = 11, .multipv = 1, .sharing = one_of_many, .pacer = &pacer});
    size_t count = 0;
    for (size_t i = 0; i < l->seen_count && i < 4096 && count < 8; i++)
        if (hint_kind_of(&l->seen[i]) == HINT_CLAIM) keys[count++] = l->seen[i].key;
    free(l);
    return count;
}

START_TEST(each_of_several_workers_begins_with_other_moves)
{
    uint64_t first[8], second[8], again[8];
    ck_assert_uint_eq(first_claims(0, 2, first), 8);
    ck_assert_uint_eq(first_claims(1, 2, second), 8);
    ck_assert_uint_eq(first_claims(1, 2, again), 8);
    ck_assert_mem_eq(second, again, sizeof second);
    unsigned common = 0;
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 4; k++) common += first[i] == second[k];
    ck_assert_uint_le(common, 1);
}
END_TEST

START_TEST(lies_never_make_an_illegal_line)
{
    struct listener *l = calloc(1, sizeof *l);
    l->prng = prng_make((uint64_t)_i);
    l->lying = true;
    struct engine_pacer pacer = {.context = l, .pause = pause_and_share};
    (void)search_nodes_of(l,
                          &(struct engine_limits){.nodes = 60000, .multipv = 1, .sharing = sharing, .pacer = &pacer});
    ck_assert_uint_gt(l->lies, 1000);
    ck_assert(l->result.best != MOVE_NONE);
    free(l);
}
END_TEST

static void raise_flag(void *context, const struct engine_result *result)
{
    struct listener *l = context;
    l->result = *result;
    atomic_store(&l->over, true);
}

/* Beside two search threads, without any order: what the hint plane's thread does, but with lies. */
START_TEST(hints_come_and_go_beside_a_running_search)
{
    struct listener *l = calloc(1, sizeof *l);
    struct engine_options options = {.hash_bytes = 4 << 20, .threads = 2, .rule = RULE_CSA27};
    struct engine_sink sink = {.context = l, .info = check_line, .done = raise_flag};
    struct history *history = malloc(sizeof *history);
    l->prng = prng_make(5);
    l->engine = engine_new(&options, &sink);
    ck_assert_int_eq(sfen_read(&l->root, matsuri, strlen(matsuri), NULL, NULL), ST_OK);
    history_start(history, &l->root);
    struct engine_limits limits = {.nodes = 60000, .multipv = 1, .sharing = sharing};
    ck_assert_int_eq(engine_go(l->engine, &l->root, history, &limits), ST_OK);
    size_t taken = 0;
    while (!atomic_load(&l->over)) {
        struct hint hints[64];
        size_t count = engine_hints_take(l->engine, hints, 64);
        for (size_t i = 0; i < count; i++)
            if (prng_chance(&l->prng, 500)) hints[i].data ^= prng_next(&l->prng);
        engine_hints_put(l->engine, hints, count);
        engine_hints_gate(l->engine, 1 + (int)(taken % 5));
        taken += count;
    }
    engine_wait(l->engine);
    ck_assert_uint_gt(taken, 0);
    ck_assert(l->result.best != MOVE_NONE);
    engine_free(l->engine);
    free(history);
    free(l);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("parts");
    tcase_add_test(tc, ring_keeps_order_and_drops_what_does_not_fit);
    tcase_add_test(tc, claims_of_others_count_until_dropped);
    tcase_add_test(tc, a_hint_travels_from_table_to_table);
    tcase_add_test(tc, a_hint_never_pushes_out_what_is_deeper);
    tcase_add_test(tc, what_no_search_stores_is_refused);
    suite_add_tcase(suite, tc);
    tc = tcase_create("search");
    tcase_add_test(tc, a_worker_that_nobody_answers_searches_as_if_alone);
    tcase_add_test(tc, what_is_put_aside_is_searched_in_the_end);
    tcase_add_test(tc, each_of_several_workers_begins_with_other_moves);
    tcase_add_test(tc, hints_come_and_go_beside_a_running_search);
    tcase_add_loop_test(tc, lies_never_make_an_illegal_line, 0, 6);
    tcase_set_timeout(tc, 120);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("share", add_cases)
