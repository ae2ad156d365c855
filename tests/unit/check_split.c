#include "coordinator/core/split.h"
#include "tests/unit/check_main.h"

static struct split split;

static void begin(uint64_t nodes, uint32_t depth, unsigned workers)
{
    split_begin(&split, split_find("lazy"),
                &(struct split_task){.nodes = nodes, .depth_max = depth, .multipv = 1, .workers = workers});
}

START_TEST(names_are_found_and_others_are_not)
{
    ck_assert_ptr_eq(split_find("lazy"), &split_lazy);
    ck_assert_ptr_null(split_find("nonsense"));
}
END_TEST

START_TEST(shares_add_up_to_the_nodes_of_the_go)
{
    static const uint64_t totals[] = {1, 2, 7, 1000, 1001, UINT64_C(1) << 40};
    for (size_t t = 0; t < 6; t++)
        for (unsigned workers = 0; workers <= COORD_WORKERS_MAX; workers += 17) {
            begin(totals[t], 0, workers);
            uint64_t sum = 0;
            struct split_job job;
            for (unsigned w = 0; w < COORD_WORKERS_MAX && split.ops->next(&split, w, &job); w++) {
                ck_assert_uint_gt(job.nodes, 0);
                ck_assert_uint_eq(job.attempt, 1);
                sum += job.nodes;
                ck_assert(!split.ops->finished(&split));
            }
            ck_assert_uint_eq(sum, totals[t]);
            for (uint32_t j = 1; j <= split.share_count; j++) split.ops->done(&split, j - 1, j);
            ck_assert(split.ops->finished(&split));
        }
}
END_TEST

START_TEST(a_vote_is_about_one_move)
{
    static const char *const modes[] = {"majority", "optimistic"};
    for (size_t m = 0; m < 2; m++)
        for (uint64_t nodes = 0; nodes <= 1000; nodes += 1000)
            for (uint32_t multipv = 1; multipv <= 2; multipv++) {
                struct split_task task = {.nodes = nodes, .multipv = multipv, .workers = 3};
                split_begin(&split, split_find(modes[m]), &task);
                ck_assert_int_eq(split.ops->rule == MERGE_DEEPEST, multipv > 1);
                ck_assert_int_eq(split.ops == &split_lines_whole, multipv > 1 && nodes == 0);
            }
}
END_TEST

START_TEST(the_fast_get_more_and_everybody_something)
{
    struct split_task task = {.nodes = 1003, .multipv = 1, .workers = 3};
    task.weights[2] = 1000;
    task.weights[5] = 250;
    task.weights[7] = 1;
    split_begin(&split, split_find("lazy"), &task);
    struct split_job five, two, seven;
    ck_assert(split.ops->next(&split, 5, &five));
    ck_assert(split.ops->next(&split, 2, &two));
    ck_assert(split.ops->next(&split, 7, &seven));
    ck_assert_uint_eq(five.nodes + two.nodes + seven.nodes, 1003);
    ck_assert_uint_ge(two.nodes, 799);
    ck_assert_uint_le(two.nodes, 802);
    ck_assert_uint_ge(five.nodes, 199);
    ck_assert_uint_ge(seven.nodes, 1);
    split.ops->lost(&split, 2, two.job, false);
    ck_assert(split.ops->next(&split, 7, &seven)); /* a slow one takes over what nobody else does */
    ck_assert_uint_eq(seven.nodes, two.nodes);
}
END_TEST

START_TEST(a_lost_share_is_handed_out_again_as_the_next_attempt)
{
    struct split_job job;
    begin(100, 0, 2);
    ck_assert(split.ops->next(&split, 0, &job));
    ck_assert(split.ops->next(&split, 1, &job));
    ck_assert(!split.ops->next(&split, 2, &job));
    split.ops->lost(&split, 1, 2, false);
    ck_assert(split.ops->next(&split, 2, &job));
    ck_assert_uint_eq(job.job, 2);
    ck_assert_uint_eq(job.attempt, 2);
    split.ops->done(&split, 2, 2);
    split.ops->done(&split, 2, 2); /* twice is once */
    ck_assert(!split.ops->finished(&split));
    split.ops->done(&split, 0, 1);
    ck_assert(split.ops->finished(&split));
}
END_TEST

START_TEST(the_share_of_a_suspect_is_done_twice_and_counts_once)
{
    struct split_job job;
    begin(100, 0, 2);
    split.ops->next(&split, 0, &job);
    split.ops->next(&split, 1, &job);
    split.ops->lost(&split, 1, 2, true);
    ck_assert(split.ops->next(&split, 2, &job));
    ck_assert_uint_eq(job.job, 2);
    split.ops->lost(&split, 2, 2, false); /* the helper dies, the suspect may still answer */
    ck_assert(!split.ops->next(&split, 3, &job));
    split.ops->done(&split, 1, 2);
    split.ops->done(&split, 0, 1);
    ck_assert(split.ops->finished(&split));
}
END_TEST

START_TEST(without_a_limit_of_nodes_everybody_searches_and_latecomers_join)
{
    struct split_job job;
    begin(0, 0, 1);
    for (unsigned w = 0; w < 5; w++) {
        ck_assert(split.ops->next(&split, w, &job));
        ck_assert_uint_eq(job.job, w + 1);
        ck_assert_uint_eq(job.nodes, 0);
    }
    for (unsigned w = 0; w < 5; w++) {
        ck_assert(!split.ops->finished(&split));
        split.ops->done(&split, w, w + 1);
        ck_assert(!split.ops->next(&split, w, &job)); /* it has nothing more to find */
    }
    ck_assert(split.ops->finished(&split));
}
END_TEST

START_TEST(one_worker_at_the_depth_is_enough)
{
    struct split_job job;
    begin(0, 8, 3);
    for (unsigned w = 0; w < 3; w++) split.ops->next(&split, w, &job);
    ck_assert_uint_eq(job.depth_max, 8);
    split.ops->done(&split, 2, 3);
    ck_assert(split.ops->finished(&split));
}
END_TEST

START_TEST(if_all_are_lost_nothing_is_finished)
{
    struct split_job job;
    begin(0, 8, 1);
    split.ops->next(&split, 0, &job);
    split.ops->lost(&split, 0, 1, false);
    ck_assert(!split.ops->finished(&split));
    ck_assert(split.ops->next(&split, 0, &job));
    ck_assert_uint_eq(job.attempt, 2);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("split");
    tcase_add_test(tc, names_are_found_and_others_are_not);
    tcase_add_test(tc, shares_add_up_to_the_nodes_of_the_go);
    tcase_add_test(tc, a_vote_is_about_one_move);
    tcase_add_test(tc, the_fast_get_more_and_everybody_something);
    tcase_add_test(tc, a_lost_share_is_handed_out_again_as_the_next_attempt);
    tcase_add_test(tc, the_share_of_a_suspect_is_done_twice_and_counts_once);
    tcase_add_test(tc, without_a_limit_of_nodes_everybody_searches_and_latecomers_join);
    tcase_add_test(tc, one_worker_at_the_depth_is_enough);
    tcase_add_test(tc, if_all_are_lost_nothing_is_finished);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("split", add_cases)
