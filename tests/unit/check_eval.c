/* check_eval.c - the evaluator: sums kept while moves are made equal sums made afresh; both sides are treated alike. */
#include <string.h>

#include "tests/model/playout.h"
#include "tests/model/slow_shogi.h"
#include "tests/unit/check_main.h"
#include "worker/engine/eval.h"
#include "worker/engine/eval_classic.h"

static void *new_state(void)
{
    eval_classic.load();
    return aligned_alloc(64, (eval_classic.state_bytes + 63) / 64 * 64);
}

static Score fresh_score(const struct position *pos)
{
    void *state = new_state();
    eval_classic.refresh(state, pos);
    Score score = eval_classic.score(state, pos);
    free(state);
    return score;
}

/* Random walks up and down the tree, with passes; asks for a score only now and then, as a search does. */
static void walk(void *user, struct position *pos)
{
    enum { STEPS = 40, DEEPEST = 30 };
    void *state = user;
    struct undo undo[DEEPEST];
    bool passed[DEEPEST];
    int depth = 0;
    struct prng prng;
    prng = prng_make(pos->board_key ^ 99);
    struct position here = *pos;
    eval_classic.refresh(state, &here);
    for (int i = 0; i < STEPS; i++) {
        uint64_t dice = prng_next(&prng) % 8;
        Move move = MOVE_NONE;
        if (depth > 0 && dice < 2) {
            depth--;
            eval_classic.pop(state);
            if (passed[depth])
                position_undo_null(&here, &undo[depth]);
            else
                position_undo(&here, &undo[depth]);
        } else if (depth < DEEPEST && dice == 2 && !position_in_check(&here)) {
            passed[depth] = true;
            position_do_null(&here, &undo[depth]);
            undo[depth].move = MOVE_NULL;
            eval_classic.push(state, &here, &undo[depth++]);
        } else if (depth < DEEPEST && (move = playout_pick(&here, &prng)) != MOVE_NONE) {
            passed[depth] = false;
            position_do(&here, move, &undo[depth]);
            eval_classic.push(state, &here, &undo[depth++]);
        }
        if (prng_next(&prng) % 3 == 0) ck_assert_int_eq(eval_classic.score(state, &here), fresh_score(&here));
    }
}

START_TEST(scores_kept_while_moving_equal_scores_made_afresh)
{
    void *state = new_state();
    struct playout_starts starts = playout_starts_read("tests/data/perft.tsv");
    playout_run(&starts, 21, 1500, walk, state);
    playout_starts_free(&starts);
    free(state);
}
END_TEST

static void symmetric(void *user, struct position *pos)
{
    (void)user;
    Score score = fresh_score(pos);
    struct slow_position slow;
    struct position other;
    slow_from_position(&slow, pos);
    slow_turn(&slow);
    slow_to_position(&slow, &other);
    ck_assert_int_eq(fresh_score(&other), score);
    slow_mirror(&slow);
    slow_to_position(&slow, &other);
    ck_assert_int_eq(fresh_score(&other), score);
}

START_TEST(both_colours_and_both_wings_are_worth_the_same)
{
    struct playout_starts starts = playout_starts_read("tests/data/perft.tsv");
    playout_run(&starts, 22, 3000, symmetric, NULL);
    playout_starts_free(&starts);
}
END_TEST

static void add_up(void *context, int index, int count)
{
    ck_assert(index >= 0 && index < CLASSIC_WEIGHT_COUNT);
    *(int64_t *)context += (int64_t)((const int16_t *)&classic_weights)[index] * count;
}

static void traced(void *user, struct position *pos)
{
    (void)user;
    int64_t sum = 0;
    classic_trace(pos, add_up, &sum);
    int64_t cp = sum / (CLASSIC_UNIT * CLASSIC_PHASE_MAX);
    if (cp > EVAL_CP_MAX) cp = EVAL_CP_MAX;
    if (cp < -EVAL_CP_MAX) cp = -EVAL_CP_MAX;
    ck_assert_int_eq(fresh_score(pos), cp);
}

START_TEST(the_terms_that_the_tuner_sees_add_up_to_the_score)
{
    struct playout_starts starts = playout_starts_read("tests/data/perft.tsv");
    playout_run(&starts, 23, 3000, traced, NULL);
    playout_starts_free(&starts);
}
END_TEST

START_TEST(a_piece_more_is_better)
{
    ck_assert_int_gt(fresh_score(&(struct position[1]){
                         playout_position("lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1")}[0]),
                     400);
    ck_assert_int_gt(fresh_score(&(struct position[1]){
                         playout_position("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPP1/1B5R1/LNSGKGSNL w P 1")}[0]),
                     -300);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("eval");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, scores_kept_while_moving_equal_scores_made_afresh);
    tcase_add_test(tc, both_colours_and_both_wings_are_worth_the_same);
    tcase_add_test(tc, the_terms_that_the_tuner_sees_add_up_to_the_score);
    tcase_add_test(tc, a_piece_more_is_better);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("eval", add_cases)
