/* check_movepick.c - the picker hands out every generated move exactly once, the table move first. */
#include <string.h>

#include "common/shogi/attacks.h"
#include "common/shogi/movegen.h"
#include "tests/model/playout.h"
#include "tests/unit/check_main.h"
#include "worker/engine/movepick.h"
#include "worker/engine/see.h"

static struct history_tables *tables;
static struct scored_move pool[MOVES_MAX];

static int by_value(const void *a, const void *b) { return *(const Move *)a - *(const Move *)b; }

static size_t generated(const struct position *pos, Move *moves)
{
    size_t count;
    if (position_in_check(pos)) {
        count = movegen(pos, MOVEGEN_EVASIONS, true, moves);
    } else {
        count = movegen(pos, MOVEGEN_CAPTURES, true, moves);
        count += movegen(pos, MOVEGEN_QUIETS, true, moves + count);
    }
    return count;
}

static void rows(continuation_row *out[MOVEPICK_CONTINUATIONS])
{
    for (int i = 0; i < MOVEPICK_CONTINUATIONS; i++) out[i] = &tables->no_continuation;
}

static void all_moves_come_once(void *user, struct position *pos)
{
    (void)user;
    Move expected[MOVES_MAX], got[MOVES_MAX], move;
    size_t count = generated(pos, expected), picked = 0;
    if (count == 0) return;
    Move tt_move = expected[pos->board_key % count];
    continuation_row *continuation[MOVEPICK_CONTINUATIONS];
    rows(continuation);
    struct movepick mp;
    movepick_init(&mp, pos, tables, continuation, tt_move, 5, true, pool);
    while ((move = movepick_next(&mp, false)) != MOVE_NONE) {
        ck_assert_uint_lt(picked, count);
        if (picked == 0) ck_assert_int_eq(move, tt_move);
        got[picked++] = move;
        /* leave traces in the history, so that later orders are not all alike */
        history_add(history_butterfly(tables, pos->side, move), (int)(move % 700) - 350, HISTORY_LIMIT);
    }
    ck_assert_uint_eq(picked, count);
    qsort(expected, count, sizeof *expected, by_value);
    qsort(got, count, sizeof *got, by_value);
    ck_assert_mem_eq(expected, got, count * sizeof *got);
}

static void quiescence_gives_captures_only(void *user, struct position *pos)
{
    (void)user;
    if (position_in_check(pos)) return;
    Move expected[MOVES_MAX], move;
    size_t count = movegen(pos, MOVEGEN_CAPTURES, false, expected), picked = 0;
    continuation_row *continuation[MOVEPICK_CONTINUATIONS];
    rows(continuation);
    struct movepick mp;
    movepick_init_quiescence(&mp, pos, tables, continuation, MOVE_NONE, false, pool);
    while ((move = movepick_next(&mp, false)) != MOVE_NONE) {
        ck_assert(move_is_tactical(pos, move));
        picked++;
    }
    ck_assert_uint_eq(picked, count);
}

static void safe_checks_are_the_first_quiets(void *user, struct position *pos)
{
    (void)user;
    if (position_in_check(pos)) return;
    continuation_row *continuation[MOVEPICK_CONTINUATIONS];
    rows(continuation);
    struct movepick mp;
    movepick_init(&mp, pos, tables, continuation, MOVE_NONE, 5, true, pool);
    mp.check_bonus = 100000;
    bool others = false;
    Move move;
    while ((move = movepick_next(&mp, false)) != MOVE_NONE) {
        if (move_is_tactical(pos, move) || !position_legal(pos, move)) continue;
        Piece placed = history_piece(pos, move);
        Square king = pos->king[color_other(pos->side)];
        bool safe_check =
            bb_has(attacks_piece(placed, move_to(move), pos->by_type[NO_TYPE]), king) && see_at_least(pos, move, 0);
        ck_assert(!(safe_check && others));
        others |= !position_gives_check(pos, move);
    }
}

static void skipped_quiets_leave_the_captures(void *user, struct position *pos)
{
    (void)user;
    if (position_in_check(pos)) return;
    Move expected[MOVES_MAX], move;
    size_t count = movegen(pos, MOVEGEN_CAPTURES, false, expected), picked = 0;
    continuation_row *continuation[MOVEPICK_CONTINUATIONS];
    rows(continuation);
    struct movepick mp;
    movepick_init(&mp, pos, tables, continuation, MOVE_NONE, 3, false, pool);
    while ((move = movepick_next(&mp, true)) != MOVE_NONE) {
        ck_assert(move_is_tactical(pos, move));
        picked++;
    }
    ck_assert_uint_eq(picked, count);
}

static void any_table_move_is_survived(void *user, struct position *pos)
{
    uint64_t *state = user, seen = 0;
    Move expected[MOVES_MAX], move;
    size_t count = generated(pos, expected);
    continuation_row *continuation[MOVEPICK_CONTINUATIONS];
    rows(continuation);
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    struct movepick mp;
    movepick_init(&mp, pos, tables, continuation, (Move)(*state >> 40), 5, true, pool);
    while ((move = movepick_next(&mp, false)) != MOVE_NONE) {
        ck_assert(position_pseudo_legal(pos, move));
        seen++;
    }
    ck_assert_uint_eq(seen, count);
}

static void run(playout_fn visit)
{
    uint64_t state = 1;
    tables = calloc(1, sizeof *tables);
    struct playout_starts starts = playout_starts_read("tests/data/perft.tsv");
    playout_run(&starts, 11, 4000, visit, &state);
    playout_starts_free(&starts);
    free(tables);
}

START_TEST(every_move_comes_exactly_once_and_the_table_move_first) { run(all_moves_come_once); }
END_TEST
START_TEST(in_quiescence_only_captures_and_promotions_come) { run(quiescence_gives_captures_only); }
END_TEST
START_TEST(safe_checks_come_before_other_quiets) { run(safe_checks_are_the_first_quiets); }
END_TEST
START_TEST(with_quiets_skipped_the_captures_still_come) { run(skipped_quiets_leave_the_captures); }
END_TEST
START_TEST(a_table_move_of_random_bits_does_no_harm) { run(any_table_move_is_survived); }
END_TEST

START_TEST(history_entries_never_leave_their_limits)
{
    int16_t entry = 0;
    for (int i = 0; i < 1000; i++) {
        history_add(&entry, i % 3 == 0 ? -30000 : 30000, HISTORY_LIMIT);
        ck_assert_int_le(entry, HISTORY_LIMIT);
        ck_assert_int_ge(entry, -HISTORY_LIMIT);
    }
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("movepick");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, every_move_comes_exactly_once_and_the_table_move_first);
    tcase_add_test(tc, in_quiescence_only_captures_and_promotions_come);
    tcase_add_test(tc, safe_checks_come_before_other_quiets);
    tcase_add_test(tc, with_quiets_skipped_the_captures_still_come);
    tcase_add_test(tc, a_table_move_of_random_bits_does_no_harm);
    tcase_add_test(tc, history_entries_never_leave_their_limits);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("movepick", add_cases)
