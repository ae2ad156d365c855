/* check_perft.c - node counts of tests/data/perft.tsv, each of which two or more independent programs agree on.
 *
 * All are tried, 1,338,342,139 leaves; PERFT_LEAVES_MAX in the environment limits the single count (under sanitizers to
 * 20,000,000).
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/shogi/movetext.h"
#include "common/shogi/perft.h"
#include "common/shogi/sfen.h"
#include "tests/model/playout.h"
#include "tests/unit/check_main.h"
#include "tests/unit/sanitized.h"

enum { ROWS = 107, PARTS = 8 };

static uint64_t leaves_max(void)
{
    const char *set = getenv("PERFT_LEAVES_MAX");
    return set != NULL ? strtoull(set, NULL, 10) : SANITIZED ? 20000000 : UINT64_MAX;
}

/* Row n of the table; NULL after the last. */
static char *read_row(int n, char *line, size_t bytes)
{
    FILE *file = fopen("tests/data/perft.tsv", "r");
    ck_assert_ptr_nonnull(file);
    char *found = NULL;
    while (found == NULL && fgets(line, (int)bytes, file) != NULL)
        if (line[0] != '#' && n-- == 0) found = line;
    fclose(file);
    return found;
}

START_TEST(every_row_of_the_table_is_counted_right)
{
    for (int row = _i; row < ROWS; row += PARTS) {
        char line[1024];
        ck_assert_ptr_nonnull(read_row(row, line, sizeof line));
        char *counts = strchr(line, '\t');
        ck_assert_ptr_nonnull(counts);
        *counts++ = 0;
        struct position pos = playout_position(line);
        char before[SFEN_BYTES_MAX], after[SFEN_BYTES_MAX];
        sfen_write(&pos, before);
        for (unsigned depth = 1; *counts != '\t' && *counts != 0; depth++) {
            uint64_t expected = strtoull(counts, &counts, 10);
            if (expected > leaves_max()) break;
            uint64_t leaves = perft_count(&pos, depth);
            ck_assert_msg(leaves == expected, "%s depth %u: %" PRIu64 ", expected %" PRIu64, line, depth, leaves,
                          expected);
            sfen_write(&pos, after);
            ck_assert_str_eq(before, after);
        }
    }
}
END_TEST

START_TEST(the_table_has_all_its_rows)
{
    char line[1024];
    ck_assert_ptr_nonnull(read_row(ROWS - 1, line, sizeof line));
    ck_assert_ptr_null(read_row(ROWS, line, sizeof line));
}
END_TEST

START_TEST(depth_zero_is_one_leaf_and_divides_into_nothing)
{
    struct position pos = playout_position(SFEN_STARTPOS);
    ck_assert_uint_eq(perft_count(&pos, 0), 1);
    ck_assert_uint_eq(perft_divide(&pos, 0, NULL, NULL), 0);
}
END_TEST

struct division {
    size_t moves, stop_after;
    uint64_t leaves, of_7g7f;
};

static bool note(void *user, Move move, uint64_t leaves)
{
    struct division *d = user;
    d->moves++;
    d->leaves += leaves;
    if (move == movetext_parse("7g7f", 4)) d->of_7g7f = leaves;
    return d->moves != d->stop_after;
}

START_TEST(dividing_tells_the_leaves_below_each_root_move)
{
    struct position pos = playout_position(SFEN_STARTPOS);
    struct division d = {0};
    ck_assert_uint_eq(perft_divide(&pos, 3, note, &d), 25470);
    ck_assert_uint_eq(d.moves, 30);
    ck_assert_uint_eq(d.leaves, 25470);

    struct position child = playout_position("lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2");
    ck_assert_uint_eq(d.of_7g7f, perft_count(&child, 2));

    struct division first = {.stop_after = 2};
    uint64_t part = perft_divide(&pos, 3, note, &first);
    ck_assert_uint_eq(first.moves, 2);
    ck_assert_uint_eq(part, first.leaves);

    struct division one = {0};
    ck_assert_uint_eq(perft_divide(&pos, 1, note, &one), 30);
    ck_assert_uint_eq(one.of_7g7f, 1);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *table = tcase_create("table");
    tcase_add_loop_test(table, every_row_of_the_table_is_counted_right, 0, PARTS);
    tcase_add_test(table, the_table_has_all_its_rows);
    tcase_set_timeout(table, 300);
    suite_add_tcase(suite, table);
    TCase *divide = tcase_create("divide");
    tcase_add_test(divide, depth_zero_is_one_leaf_and_divides_into_nothing);
    tcase_add_test(divide, dividing_tells_the_leaves_below_each_root_move);
    suite_add_tcase(suite, divide);
}

CHECK_MAIN("perft", add_cases)
