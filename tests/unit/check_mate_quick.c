/* check_mate_quick.c - the small mate solver for search threads: what its budgets buy, and that it never errs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/shogi/movegen.h"
#include "common/shogi/sfen.h"
#include "tests/unit/check_main.h"
#include "worker/engine/mate/mate_quick.h"

enum { TABLE_BYTES = 1 << 20, LINE_BYTES = 1024 };

static struct position read_sfen(const char *text, size_t length)
{
    struct position pos;
    struct sfen_error error;
    if (sfen_read(&pos, text, length, NULL, &error) != ST_OK) ck_abort_msg("%s: %s", text, error.text);
    return pos;
}

/* The line is legal, every attacker move checks, the last position has no legal move. */
static void check_line(const struct position *root, const Move *line, size_t count)
{
    struct position pos = *root;
    struct undo undo;
    ck_assert_uint_eq(count % 2, 1);
    for (size_t i = 0; i < count; i++) {
        ck_assert(position_pseudo_legal(&pos, line[i]) && position_legal(&pos, line[i]));
        ck_assert(i % 2 != 0 || position_gives_check(&pos, line[i]));
        position_do(&pos, line[i], &undo);
    }
    ck_assert_uint_eq(movegen_count_legal(&pos), 0);
}

struct tally {
    int problems, solved;
};

/* Solves every mate of this length in a file (0 = the positions without mate) within a budget. */
static struct tally solve_file(const char *path, int plies, uint64_t nodes)
{
    struct mate_quick *quick = mate_quick_new(TABLE_BYTES, NULL);
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(quick);
    ck_assert_ptr_nonnull(file);
    struct tally tally = {0};
    char text[LINE_BYTES];
    while (fgets(text, sizeof text, file)) {
        const char *tab = strchr(text, '\t');
        if (text[0] == '#' || !tab || atoi(tab + 1) != plies) continue;
        struct position pos = read_sfen(text, (size_t)(tab - text));
        struct mate_quick_answer answer = mate_quick(quick, &pos, nodes, 0);
        ck_assert_uint_le(answer.nodes, nodes);
        ck_assert_int_ne(answer.verdict, plies ? MATE_REFUTED : MATE_PROVED);
        ck_assert_int_eq(answer.verdict == MATE_PROVED, answer.move != MOVE_NONE);
        if (answer.verdict == MATE_PROVED) {
            Move line[256];
            size_t count = mate_quick_line(quick, &pos, line, 256);
            check_line(&pos, line, count);
            ck_assert_int_eq(line[0], answer.move);
            ck_assert_int_ge(answer.plies, (int)count);
            ck_assert_int_ge(answer.plies, plies);
        }
        tally.problems++;
        tally.solved += answer.verdict != MATE_UNKNOWN;
    }
    fclose(file);
    mate_quick_free(quick);
    return tally;
}

START_TEST(small_budgets_find_short_mates)
{
    static const struct {
        int plies, nodes, percent;
    } rows[] = {{1, 1, 99}, {3, 100, 99}, {5, 300, 95}, {7, 1000, 95}, {9, 3000, 95}, {11, 10000, 95}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tally t = solve_file("tests/data/mate/short-generated.sfen", rows[i].plies, (uint64_t)rows[i].nodes);
        ck_assert_int_gt(t.problems, 50);
        ck_assert_msg(t.solved * 100 >= t.problems * rows[i].percent, "%d plies, %d nodes: %d of %d", rows[i].plies,
                      rows[i].nodes, t.solved, t.problems);
    }
}
END_TEST

START_TEST(positions_without_mate_are_refuted_or_left_open)
{
    struct tally t = solve_file("tests/data/mate/nomate.sfen", 0, 5000);
    ck_assert_int_ge(t.solved * 100, t.problems * 80);
}
END_TEST

static const char thirteen[] = "8k/R7s/g5N2/1R7/8L/4+b4/9/9/9 b b3g3s3n3l18p 1";

START_TEST(a_growing_budget_goes_on_where_the_last_one_ended)
{
    struct mate_quick *quick = mate_quick_new(TABLE_BYTES, NULL);
    struct position pos = read_sfen(thirteen, strlen(thirteen));
    uint64_t whole = mate_quick(quick, &pos, 1000000, 0).nodes, sum = 0;
    mate_quick_clear(quick);
    struct mate_quick_answer answer = {.verdict = MATE_UNKNOWN};
    for (uint64_t budget = 64; answer.verdict == MATE_UNKNOWN; budget *= 2) {
        answer = mate_quick(quick, &pos, budget, 0);
        ck_assert_uint_le(answer.nodes, budget);
        sum += answer.nodes;
    }
    ck_assert_int_eq(answer.verdict, MATE_PROVED);
    ck_assert_uint_lt(sum, 2 * whole);
    ck_assert_uint_eq(mate_quick(quick, &pos, 1000, 0).nodes, 0); /* and what is known costs nothing */
    mate_quick_free(quick);
}
END_TEST

START_TEST(a_limit_of_plies_is_kept)
{
    struct mate_quick *quick = mate_quick_new(TABLE_BYTES, NULL);
    struct position pos = read_sfen(thirteen, strlen(thirteen));
    ck_assert_int_eq(mate_quick(quick, &pos, 1000000, 12).verdict, MATE_UNKNOWN);
    struct mate_quick_answer answer = mate_quick(quick, &pos, 1000000, 13);
    ck_assert_int_eq(answer.verdict, MATE_PROVED);
    ck_assert_int_eq(answer.plies, 13);
    ck_assert_int_eq(mate_quick(quick, &pos, 1000000, 11).verdict, MATE_UNKNOWN);
    mate_quick_free(quick);
}
END_TEST

START_TEST(a_stop_ends_it)
{
    _Atomic bool stop = true;
    struct mate_quick *quick = mate_quick_new(TABLE_BYTES, &stop);
    struct position pos = read_sfen(thirteen, strlen(thirteen));
    struct mate_quick_answer answer = mate_quick(quick, &pos, 1000000, 0);
    ck_assert_int_eq(answer.verdict, MATE_UNKNOWN);
    ck_assert_uint_lt(answer.nodes, 100);
    mate_quick_free(quick);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("mate_quick");
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, small_budgets_find_short_mates);
    tcase_add_test(tc, positions_without_mate_are_refuted_or_left_open);
    tcase_add_test(tc, a_growing_budget_goes_on_where_the_last_one_ended);
    tcase_add_test(tc, a_limit_of_plies_is_kept);
    tcase_add_test(tc, a_stop_ends_it);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("mate_quick", add_cases)
