/* check_older_target.c - the half of the rules that is compiled for older processors, which the other tests pass by on
 * newer ones. The sources are included here with the choice fixed; the linker then has no need of the library's copies.
 */
#define NEWER_PROCESSOR false
#include "common/shogi/position.c" /* NOLINT */
#include "common/shogi/movegen.c"  /* NOLINT */
#include "common/shogi/perft.c"    /* NOLINT */

#include <stdio.h>

#include "common/shogi/sfen.h"
#include "tests/model/playout.h"
#include "tests/unit/check_main.h"

enum { LEAVES_MAX = 1000000 };

START_TEST(the_perft_table_is_right_on_older_processors_too)
{
    char line[1024];
    int rows = 0;
    FILE *file = fopen("tests/data/perft.tsv", "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#') continue;
        char *counts = strchr(line, '\t');
        ck_assert_ptr_nonnull(counts);
        *counts++ = 0;
        struct position pos = playout_position(line);
        for (unsigned depth = 1; *counts != '\t' && *counts != 0; depth++) {
            uint64_t expected = strtoull(counts, &counts, 10);
            if (expected > LEAVES_MAX) break;
            ck_assert_msg(perft_count(&pos, depth) == expected, "%s depth %u", line, depth);
        }
        rows++;
    }
    fclose(file);
    ck_assert_int_eq(rows, 107);
}
END_TEST

static void every_kind_is_consistent(void *user, struct position *pos)
{
    unsigned *visits = user;
    Move moves[MOVES_MAX];
    size_t legal = 0, checks = 0, listed = movegen_legal(pos, moves), count;
    for (size_t i = 0; i < listed; i++) checks += position_gives_check(pos, moves[i]);
    if (position_in_check(pos)) {
        count = movegen(pos, MOVEGEN_EVASIONS, true, moves);
    } else {
        count = movegen(pos, MOVEGEN_CAPTURES, true, moves);
        count += movegen(pos, MOVEGEN_QUIETS, true, moves + count);
    }
    for (size_t i = 0; i < count; i++) legal += position_legal(pos, moves[i]);
    ck_assert_uint_eq(legal, listed);
    ck_assert_uint_eq(movegen_count_legal(pos), listed);
    count = movegen(pos, MOVEGEN_CHECKS, true, moves);
    for (size_t i = 0; i < count; i++) checks -= position_legal(pos, moves[i]);
    ck_assert_uint_eq(checks, 0);
    (*visits)++;
}

START_TEST(lists_agree_with_each_other_on_older_processors_too)
{
    unsigned visits = 0;
    struct playout_starts starts = playout_starts_read("tests/data/perft.tsv");
    playout_run(&starts, 31, 3000, every_kind_is_consistent, &visits);
    playout_starts_free(&starts);
    ck_assert_uint_eq(visits, 3000);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *older = tcase_create("older");
    tcase_add_test(older, the_perft_table_is_right_on_older_processors_too);
    tcase_add_test(older, lists_agree_with_each_other_on_older_processors_too);
    suite_add_tcase(suite, older);
}

CHECK_MAIN("older target", add_cases)
