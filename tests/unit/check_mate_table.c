/* check_mate_table.c - the table of the mate search while it grows: nothing is lost, whoever looks meanwhile. */
#include "common/base/prng.h"
#include "tests/unit/check_main.h"
#include "worker/engine/mate/mate_table.h"

#include <pthread.h>

enum { TABLE_BYTES = 16 << 20, POSITIONS = 100000, THREADS = 3, SEED = 7 };

struct filler { /* puts the positions of one seed, and looks at what it has put before */
    struct mate_table *table;
    uint64_t seed;
    size_t lost;
    pthread_t thread;
};

static uint64_t key_of(uint64_t seed, size_t i)
{
    struct prng prng = prng_make(seed * POSITIONS + i);
    return prng_next(&prng);
}

static uint32_t number_of(uint64_t seed, size_t i) { return (uint32_t)(1 + i + seed); }

static void put(struct mate_table *table, uint64_t seed, size_t i)
{
    int depth_min;
    bool merges;
    uint32_t work;
    uint64_t key = key_of(seed, i);
    (void)mate_table_place(table, key, 0, 5, &depth_min, &work);
    (void)mate_table_put_open(table, key, 0, number_of(seed, i), 3, 5, 1, number_of(seed, i), &merges);
}

static struct mate_hit look(struct mate_table *table, uint64_t seed, size_t i)
{
    struct mate_hit hit;
    mate_table_get(table, key_of(seed, i), 0, 9, 6, &hit);
    return hit;
}

static bool is_there(struct mate_table *table, uint64_t seed, size_t i)
{
    struct mate_hit hit = look(table, seed, i);
    return hit.pn == number_of(seed, i) && hit.dn == 3 && hit.old && hit.place != 0;
}

/* Only while nobody puts anything: places move when the table grows. */
static bool parent_is_right(struct mate_table *table, uint64_t seed, size_t i)
{
    return mate_table_parent(table, look(table, seed, i).place) == number_of(seed, i);
}

static void *fill(void *argument)
{
    struct filler *f = argument;
    for (size_t i = 0; i < POSITIONS / THREADS; i++) {
        put(f->table, f->seed, i);
        f->lost += !is_there(f->table, f->seed, i / 2);
    }
    return NULL;
}

START_TEST(what_was_put_is_there_after_every_growth)
{
    struct mate_table *table = mate_table_new(TABLE_BYTES);
    ck_assert_ptr_nonnull(table);
    for (size_t i = 0; i < POSITIONS; i++) put(table, SEED, i);
    for (size_t i = 0; i < POSITIONS; i++) {
        ck_assert_msg(is_there(table, SEED, i), "position %zu is lost", i);
        ck_assert_msg(parent_is_right(table, SEED, i), "the parent of position %zu is lost", i);
    }
    ck_assert_uint_gt(mate_table_permille(table), 100);
    mate_table_free(table);
}
END_TEST

START_TEST(several_threads_may_put_and_look_while_it_grows)
{
    struct mate_table *table = mate_table_new(TABLE_BYTES);
    ck_assert_ptr_nonnull(table);
    struct filler fillers[THREADS] = {
        {.table = table, .seed = 1}, {.table = table, .seed = 2}, {.table = table, .seed = 3}};
    for (size_t t = 0; t < THREADS; t++) pthread_create(&fillers[t].thread, NULL, fill, &fillers[t]);
    for (size_t t = 0; t < THREADS; t++) pthread_join(fillers[t].thread, NULL);
    for (size_t t = 0; t < THREADS; t++) {
        ck_assert_uint_eq(fillers[t].lost, 0);
        for (size_t i = 0; i < POSITIONS / THREADS; i++)
            ck_assert(is_there(table, fillers[t].seed, i) && parent_is_right(table, fillers[t].seed, i));
    }
    mate_table_free(table);
}
END_TEST

START_TEST(a_cleared_table_is_empty_and_grows_again)
{
    struct mate_table *table = mate_table_new(TABLE_BYTES);
    ck_assert_ptr_nonnull(table);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        for (size_t i = 0; i < POSITIONS; i++) put(table, seed, i);
        mate_table_clear(table);
        ck_assert_uint_eq(mate_table_permille(table), 0);
        for (size_t i = 0; i < POSITIONS; i++) {
            struct mate_hit hit = look(table, seed, i);
            ck_assert(hit.pn == 0 && hit.dn == 0 && hit.place == 0);
        }
    }
    mate_table_free(table);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("growth");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, what_was_put_is_there_after_every_growth);
    tcase_add_test(tc, several_threads_may_put_and_look_while_it_grows);
    tcase_add_test(tc, a_cleared_table_is_empty_and_grows_again);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("mate table", add_cases)
