/* check_tt.c - the transposition table: what is stored comes back whole or not at all, whatever other threads do. */
#include <pthread.h>
#include <string.h>

#include "tests/unit/check_main.h"
#include "worker/engine/tt.h"

static uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

/* Every field of an entry follows from its key, so a torn entry would show. */
static void store_derived(struct tt *tt, uint64_t key)
{
    uint64_t h = mix(key ^ 0x1234567);
    tt_store(tt, key, (Move)(h & 0x7fff), (Score)(h >> 16 & 0xffff) - 32768 + 1, (Score)(h >> 32 & 0x7fff),
             (int)(h >> 48 & 127), TT_EXACT, (h >> 60 & 1) != 0);
}
static bool is_derived(uint64_t key, const struct tt_hit *hit)
{
    uint64_t h = mix(key ^ 0x1234567);
    return hit->move == (Move)(h & 0x7fff) && hit->score == (int16_t)((int)(h >> 16 & 0xffff) - 32768 + 1) &&
           hit->eval == (Score)(h >> 32 & 0x7fff) && hit->depth_plies == (int)(h >> 48 & 127) &&
           hit->bound == TT_EXACT && hit->pv == ((h >> 60 & 1) != 0);
}

START_TEST(what_is_stored_is_found)
{
    struct tt *tt = tt_new(4 << 20);
    for (uint64_t i = 1; i <= 10000; i++) store_derived(tt, mix(i));
    unsigned found = 0;
    for (uint64_t i = 1; i <= 10000; i++) {
        struct tt_hit hit;
        if (!tt_probe(tt, mix(i), &hit)) continue;
        ck_assert(is_derived(mix(i), &hit));
        found++;
    }
    ck_assert_uint_ge(found, 9990); /* 10,000 entries in 65,536 clusters of four hardly ever collide */
    struct tt_hit hit;
    ck_assert(!tt_probe(tt, mix(10001), &hit));
    tt_free(tt);
}
END_TEST

START_TEST(extreme_values_survive)
{
    static const Score scores[] = {-SCORE_INFINITE, -SCORE_MATE, -1, 0, 1, SCORE_MATE, SCORE_INFINITE, SCORE_NONE};
    static const int depths[] = {-8, -1, 0, 1, 127};
    struct tt *tt = tt_new(1 << 20);
    for (size_t s = 0; s < sizeof scores / sizeof scores[0]; s++)
        for (size_t d = 0; d < sizeof depths / sizeof depths[0]; d++) {
            struct tt_hit hit;
            tt_clear(tt, 1);
            tt_store(tt, 77, MOVE_PROMOTE | 80 << 7 | 5, scores[s], scores[s], depths[d], TT_LOWER, true);
            ck_assert(tt_probe(tt, 77, &hit));
            ck_assert_int_eq(hit.score, scores[s]);
            ck_assert_int_eq(hit.eval, scores[s]);
            ck_assert_int_eq(hit.depth_plies, depths[d]);
            ck_assert_int_eq(hit.move, MOVE_PROMOTE | 80 << 7 | 5);
            ck_assert(hit.bound == TT_LOWER && hit.pv);
        }
    tt_free(tt);
}
END_TEST

START_TEST(a_move_outlives_a_later_store_without_one)
{
    struct tt *tt = tt_new(1 << 20);
    struct tt_hit hit;
    tt_store(tt, 5, 1234, 10, 20, 3, TT_LOWER, false);
    tt_store(tt, 5, MOVE_NONE, 15, 20, 4, TT_UPPER, false);
    ck_assert(tt_probe(tt, 5, &hit));
    ck_assert_int_eq(hit.move, 1234);
    ck_assert_int_eq(hit.score, 15);
    tt_free(tt);
}
END_TEST

START_TEST(a_shallow_bound_does_not_push_out_a_deep_one_of_the_same_search)
{
    struct tt *tt = tt_new(1 << 20);
    struct tt_hit hit;
    tt_store(tt, 5, 1234, 10, 20, 20, TT_LOWER, false);
    tt_store(tt, 5, 99, 15, 20, 2, TT_LOWER, false);
    ck_assert(tt_probe(tt, 5, &hit) && hit.depth_plies == 20);
    tt_new_search(tt);
    tt_store(tt, 5, 99, 15, 20, 2, TT_LOWER, false); /* but does in the next one */
    ck_assert(tt_probe(tt, 5, &hit) && hit.depth_plies == 2);
    tt_free(tt);
}
END_TEST

START_TEST(old_and_shallow_entries_are_replaced_first)
{
    struct tt *tt = tt_new(1 << 20);
    struct tt_hit hit;
    /* Keys that differ in their low bits only fall into one cluster. */
    for (uint64_t k = 1; k <= 3; k++) tt_store(tt, k, (Move)k, 0, 0, 30, TT_EXACT, false);
    tt_store(tt, 4, 4, 0, 0, 12, TT_EXACT, false);
    tt_store(tt, 5, 5, 0, 0, 1, TT_EXACT, false); /* the shallowest goes: 4 */
    ck_assert(!tt_probe(tt, 4, &hit));
    ck_assert(tt_probe(tt, 1, &hit) && tt_probe(tt, 2, &hit) && tt_probe(tt, 3, &hit) && tt_probe(tt, 5, &hit));
    for (int i = 0; i < 5; i++) tt_new_search(tt);
    tt_store(tt, 6, 6, 0, 0, 1, TT_EXACT, false); /* 5, old and shallow */
    tt_store(tt, 7, 7, 0, 0, 1, TT_EXACT, false); /* now a deep but old one: 30 - 40 < 1 */
    ck_assert(tt_probe(tt, 6, &hit) && tt_probe(tt, 7, &hit));
    ck_assert(!tt_probe(tt, 5, &hit));
    tt_free(tt);
}
END_TEST

START_TEST(mate_scores_are_kept_relative_to_the_entry)
{
    /* Mate 7 plies from the root, seen at ply 4: 3 plies from there; read again at ply 10: 13 from the root. */
    ck_assert_int_eq(tt_score_store(score_mate_in(7), 4), score_mate_in(3));
    ck_assert_int_eq(tt_score_load(score_mate_in(3), 10), score_mate_in(13));
    ck_assert_int_eq(tt_score_store(score_mated_in(8), 4), score_mated_in(4));
    ck_assert_int_eq(tt_score_load(score_mated_in(4), 10), score_mated_in(14));
    ck_assert_int_eq(tt_score_store(250, 4), 250);
    ck_assert_int_eq(tt_score_load(-250, 4), -250);
}
END_TEST

START_TEST(clearing_with_threads_forgets_everything)
{
    struct tt *tt = tt_new(3 << 20);
    for (uint64_t i = 1; i <= 20000; i++) store_derived(tt, mix(i));
    ck_assert_uint_gt(tt_hashfull_permille(tt), 0);
    tt_clear(tt, 7);
    ck_assert_uint_eq(tt_hashfull_permille(tt), 0);
    struct tt_hit hit;
    for (uint64_t i = 1; i <= 20000; i++) ck_assert(!tt_probe(tt, mix(i), &hit));
    tt_free(tt);
}
END_TEST

START_TEST(odd_sizes_are_rounded_and_usable_to_the_end)
{
    static const size_t sizes[] = {0, 1, TT_BYTES_MIN, TT_BYTES_MIN + 63, (2 << 20) + 64, (5 << 20) + 777};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct tt *tt = tt_new(sizes[s]);
        ck_assert_ptr_nonnull(tt);
        ck_assert_uint_ge(tt->cluster_count * TT_CLUSTER_BYTES,
                          sizes[s] < TT_BYTES_MIN ? TT_BYTES_MIN : sizes[s] / 64 * 64);
        store_derived(tt, UINT64_MAX); /* the last cluster */
        store_derived(tt, 1);
        struct tt_hit hit;
        ck_assert(tt_probe(tt, UINT64_MAX, &hit) && is_derived(UINT64_MAX, &hit));
        tt_free(tt);
    }
}
END_TEST

START_TEST(a_table_of_many_gigabytes_is_used_to_its_end)
{
    /* Only the pages that are touched cost memory. The largest that can be had. */
    struct tt *tt = NULL;
    size_t gigabytes = 64;
    while (!tt && gigabytes > 0) tt = tt_new((gigabytes /= 2) << 30);
    ck_assert_ptr_nonnull(tt);
    static const uint64_t keys[] = {1, UINT64_MAX / 3, UINT64_MAX / 2, UINT64_MAX / 8 * 7, UINT64_MAX};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) store_derived(tt, keys[i]);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        struct tt_hit hit;
        ck_assert(tt_probe(tt, keys[i], &hit) && is_derived(keys[i], &hit));
    }
    ck_assert(tt_cluster(tt, UINT64_MAX) == tt->slots + (tt->cluster_count - 1) * TT_CLUSTER_SLOTS);
    tt_free(tt);
}
END_TEST

START_TEST(memory_that_cannot_be_had_is_no_table)
{
    ck_assert_ptr_null(tt_new(SIZE_MAX));
    ck_assert_ptr_null(tt_new((size_t)1 << 60));
}
END_TEST

struct hammer {
    struct tt *tt;
    uint64_t seed, hits, torn;
};

static void *hammer_run(void *argument)
{
    struct hammer *h = argument;
    for (int i = 0; i < 400000; i++) {
        h->seed = mix(h->seed + 0x9e3779b97f4a7c15ull);
        /* 64 keys for few clusters: all threads fight for the same slots all the time. */
        uint64_t key = (h->seed & 63) * 0x0040000000000001ull + 1;
        struct tt_hit hit;
        if (tt_probe(h->tt, key, &hit)) {
            h->hits++;
            h->torn += !is_derived(key, &hit);
        }
        store_derived(h->tt, key);
    }
    return NULL;
}

START_TEST(no_torn_entry_is_ever_believed)
{
    enum { THREADS = 4 };
    struct tt *tt = tt_new(1 << 20);
    struct hammer hammers[THREADS];
    pthread_t ids[THREADS];
    uint64_t hits = 0;
    for (unsigned i = 0; i < THREADS; i++) {
        hammers[i] = (struct hammer){.tt = tt, .seed = 1000 + i};
        ck_assert_int_eq(pthread_create(&ids[i], NULL, hammer_run, &hammers[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(ids[i], NULL);
        ck_assert_uint_eq(hammers[i].torn, 0);
        hits += hammers[i].hits;
    }
    ck_assert_uint_gt(hits, 1000);
    tt_free(tt);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("tt");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, what_is_stored_is_found);
    tcase_add_test(tc, extreme_values_survive);
    tcase_add_test(tc, a_move_outlives_a_later_store_without_one);
    tcase_add_test(tc, a_shallow_bound_does_not_push_out_a_deep_one_of_the_same_search);
    tcase_add_test(tc, old_and_shallow_entries_are_replaced_first);
    tcase_add_test(tc, mate_scores_are_kept_relative_to_the_entry);
    tcase_add_test(tc, clearing_with_threads_forgets_everything);
    tcase_add_test(tc, odd_sizes_are_rounded_and_usable_to_the_end);
    tcase_add_test(tc, a_table_of_many_gigabytes_is_used_to_its_end);
    tcase_add_test(tc, memory_that_cannot_be_had_is_no_table);
    tcase_add_test(tc, no_torn_entry_is_ever_believed);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("tt", add_cases)
