/* check_mate1.c - what mate1_find says is a mate, is one; and it finds most that there are. */
#include <stdio.h>
#include <string.h>

#include "tests/model/playout.h"
#include "tests/model/slow_shogi.h"
#include "tests/unit/check_main.h"
#include "worker/engine/mate/mate1.h"

/* By the slow twin: legal, and the other side has no answer. */
static bool slow_mates(const struct position *pos, Move move)
{
    struct slow_position slow;
    Move moves[MOVES_MAX];
    slow_from_position(&slow, pos);
    if (!slow_legal(&slow, move)) return false;
    slow_play(&slow, move);
    return slow_in_check(&slow, slow.side) && slow_legal_moves(&slow, moves) == 0;
}

static void claim_is_true(void *user, struct position *pos)
{
    size_t *found = user;
    if (position_in_check(pos)) return;
    Move move = mate1_find(pos);
    if (move == MOVE_NONE) return;
    char sfen_of_failure[16];
    snprintf(sfen_of_failure, sizeof sfen_of_failure, "%x", move);
    ck_assert_msg(slow_mates(pos, move), "move %s does not mate", sfen_of_failure);
    ++*found;
}

START_TEST(a_claimed_mate_is_a_mate_in_random_positions)
{
    size_t found = 0;
    struct playout_starts starts = playout_starts_read("tests/data/perft.tsv");
    playout_run(&starts, 5, 60000, claim_is_true, &found);
    playout_starts_free(&starts);
    ck_assert_uint_gt(found, 100);
}
END_TEST

START_TEST(most_mates_in_one_of_the_collection_are_found)
{
    struct playout_starts starts = playout_starts_read("tests/data/mate/mate1-nshogi.sfen");
    size_t found = 0;
    for (size_t i = 0; i < starts.count; i++) {
        if (position_in_check(&starts.positions[i])) continue;
        claim_is_true(&found, &starts.positions[i]);
    }
    /* partial on purpose: distant and discovered checks are left out */
    ck_assert_uint_ge(found * 100, starts.count * 70);
    playout_starts_free(&starts);
}
END_TEST

START_TEST(none_is_claimed_where_there_is_none)
{
    struct playout_starts starts = playout_starts_read("tests/data/mate/nomate1-nshogi.sfen");
    for (size_t i = 0; i < starts.count; i++)
        if (!position_in_check(&starts.positions[i])) ck_assert_int_eq(mate1_find(&starts.positions[i]), MOVE_NONE);
    playout_starts_free(&starts);
}
END_TEST

START_TEST(the_same_mate_is_seen_from_the_other_side_and_in_the_mirror)
{
    struct playout_starts starts = playout_starts_read("tests/data/mate/mate1-nshogi.sfen");
    for (size_t i = 0; i < starts.count; i++) {
        if (position_in_check(&starts.positions[i])) continue;
        bool found = mate1_find(&starts.positions[i]) != MOVE_NONE;
        struct slow_position slow;
        struct position other;
        slow_from_position(&slow, &starts.positions[i]);
        slow_turn(&slow);
        slow_to_position(&slow, &other);
        ck_assert(found == (mate1_find(&other) != MOVE_NONE));
        slow_mirror(&slow);
        slow_to_position(&slow, &other);
        ck_assert(found == (mate1_find(&other) != MOVE_NONE));
    }
    playout_starts_free(&starts);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("mate1");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, a_claimed_mate_is_a_mate_in_random_positions);
    tcase_add_test(tc, most_mates_in_one_of_the_collection_are_found);
    tcase_add_test(tc, none_is_claimed_where_there_is_none);
    tcase_add_test(tc, the_same_mate_is_seen_from_the_other_side_and_in_the_mirror);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("mate1", add_cases)
