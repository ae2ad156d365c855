/* check_ponder.c - who prepares for which reply. */
#include "coordinator/core/ponder.h"

#include "common/shogi/movetext.h"
#include "tests/unit/check_main.h"

#include <string.h>

static struct ponder ponder;
static struct board board;
static unsigned slots[COORD_WORKERS_MAX];

static void begin(const char *moves)
{
    char why[BOARD_WHY_BYTES];
    ck_assert_int_eq(board_set(&board, wire_str_make(NULL, 0), wire_str_make(moves, strlen(moves)), why), ST_OK);
    ponder_begin(&ponder, &board);
    for (unsigned i = 0; i < COORD_WORKERS_MAX; i++) slots[i] = i;
}

static void line(unsigned number, const char *move, Score score)
{
    Move read = movetext_from_usi(&ponder.before.now, move, strlen(move));
    ck_assert_int_ne(read, MOVE_NONE);
    ponder_take_line(&ponder, number, read, score);
}

static unsigned at(unsigned place, unsigned count)
{
    unsigned n = 0;
    for (unsigned i = 0; i < count; i++) n += ponder_place(&ponder, i) == place;
    return n;
}

static bool names(struct wire_str text, const char *move)
{
    const char *found = text.length ? strstr(text.bytes, move) : NULL;
    return found && found < text.bytes + text.length;
}

static void six_lines(void)
{
    begin("7g7f 3c3d");
    line(1, "8c8d", 20);
    line(2, "3c3d", 10);
    line(3, "4a3b", -20);
    line(4, "1c1d", -60);
    line(5, "5a5b", -300);
    line(6, "9c9d", -310);
}

START_TEST(workers_go_where_the_replies_are_likely)
{
    for (unsigned count = 2; count <= COORD_WORKERS_MAX; count++) {
        six_lines();
        ponder_plan(&ponder, slots, count);
        unsigned permille = 0, placed = 0;
        for (unsigned i = 0; i < ponder.reply_count; i++) permille += ponder.replies[i].permille;
        ck_assert_uint_le(permille, 1000);
        ck_assert_uint_ge(permille, PONDER_COVERED_PERMILLE);
        ck_assert_uint_ge(ponder.replies[0].permille, PONDER_EXPECTED_PERMILLE);
        for (unsigned i = 0; i < ponder.reply_count; i++) {
            ck_assert_uint_eq(at(i, count), ponder.replies[i].workers);
            placed += ponder.replies[i].workers;
            if (i > 1) ck_assert_uint_le(ponder.replies[i].workers, ponder.replies[i - 1].workers);
        }
        ck_assert_uint_eq(placed, count - 1);
        ck_assert_uint_ge(2 * at(0, count), count - 1);
        ck_assert_uint_eq(ponder_place(&ponder, count - 1), PONDER_REST);
    }
    ck_assert_uint_gt(ponder.replies[3].workers, 0); /* 256 workers are enough for the likely ones, */
    ck_assert_uint_eq(ponder.replies[4].workers, 0); /* and what is covered anyhow gets none */
}
END_TEST

START_TEST(jobs_say_what_is_to_be_searched)
{
    struct msg_job job = {0};
    six_lines();
    ponder_plan(&ponder, slots, 8);
    ck_assert_uint_eq(ponder_place(&ponder, 5), 1);
    ck_assert_uint_eq(ponder_place(&ponder, 6), 2);
    ponder_job(&ponder, 5, &job);
    ck_assert_uint_eq(job.moves.length, strlen("7g7f 8c8d"));
    ck_assert_mem_eq(job.moves.bytes, "7g7f 8c8d", job.moves.length);
    job = (struct msg_job){0};
    ponder_job(&ponder, 7, &job);
    ck_assert_mem_eq(job.moves.bytes, "7g7f", job.moves.length);
    ck_assert(names(job.searchmoves, "3c3d") && names(job.searchmoves, "1c1d") && names(job.searchmoves, "9c9d"));
    ck_assert(!names(job.searchmoves, "8c8d") && !names(job.searchmoves, "4a3b"));
    ponder_plan(&ponder, slots, 40); /* in a group each goes its own way */
    unsigned first = 0;
    while (ponder_place(&ponder, first) != 1) first++;
    for (unsigned i = 0; i < ponder.replies[1].workers; i++) {
        job = (struct msg_job){0};
        ponder_job(&ponder, first + i, &job);
        ck_assert_uint_eq(job.variation, i);
        ck_assert_uint_eq(job.hint_workers, ponder.replies[1].workers);
    }
    ck_assert_uint_gt(ponder.replies[1].workers, 1);
    ponder_look(&ponder, 3);
    job = (struct msg_job){0};
    ponder_job(&ponder, 3, &job);
    ck_assert_uint_eq(job.multipv, PONDER_REPLIES_MAX);
    ck_assert_uint_eq(job.nodes, PONDER_LOOK_NODES);
}
END_TEST

START_TEST(whatever_the_look_says_there_is_a_plan)
{
    static const Score scores[] = {-SCORE_INFINITE, -31000, -300, 0, 300, 31000, SCORE_INFINITE};
    begin("7g7f 3c3d"); /* nothing */
    ponder_plan(&ponder, slots, 9);
    ck_assert_uint_eq(at(0, 9), 8);
    for (size_t a = 0; a < 7; a++)
        for (size_t b = 0; b < 7; b++)
            for (size_t c = 0; c < 7; c++) {
                begin("7g7f 3c3d");
                line(1, "8c8d", scores[a]);
                line(2, a == b ? "8c8d" : "3c3d", scores[b]); /* lines of two iterations name a move twice */
                line(3, "4a3b", scores[c]);
                ponder_take_line(&ponder, 0, MOVE_NONE, 0);
                ponder_take_line(&ponder, PONDER_REPLIES_MAX + 1, MOVE_NONE, 0);
                ponder_plan(&ponder, slots, 40);
                ck_assert_uint_eq(at(0, 40) + at(1, 40) + at(2, 40) + at(3, 40), 39);
                ck_assert_uint_ge(at(0, 40), 19);
            }
}
END_TEST

START_TEST(alone_or_without_a_choice_everybody_is_at_the_expected_reply)
{
    begin("");
    ck_assert_int_eq(ponder.state, PONDER_ALONE);
    six_lines();
    ponder_plan(&ponder, slots, 1);
    ck_assert_uint_eq(ponder_place(&ponder, 0), 0);
    char why[BOARD_WHY_BYTES];
    static const char single[] = "7lk/7lR/9/9/9/9/9/9/K8 w - 1"; /* the king has to take */
    ck_assert_int_eq(board_set(&board, wire_str_make(single, sizeof single - 1), wire_str_make("1a1b", 4), why), ST_OK);
    ponder_begin(&ponder, &board);
    ck_assert_int_eq(ponder.state, PONDER_ALONE);
}
END_TEST

START_TEST(a_look_that_is_lost_is_done_again)
{
    six_lines();
    ponder_look(&ponder, 5);
    ck_assert_uint_eq(ponder_place(&ponder, 5), PONDER_LOOK);
    ponder_look_lost(&ponder, 5);
    ck_assert_int_eq(ponder.state, PONDER_TO_LOOK);
    ck_assert_uint_eq(ponder_place(&ponder, 5), 0);
    ponder_end(&ponder);
    ck_assert_int_eq(ponder.state, PONDER_ALONE);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("ponder");
    tcase_add_test(tc, workers_go_where_the_replies_are_likely);
    tcase_add_test(tc, jobs_say_what_is_to_be_searched);
    tcase_add_test(tc, whatever_the_look_says_there_is_a_plan);
    tcase_add_test(tc, alone_or_without_a_choice_everybody_is_at_the_expected_reply);
    tcase_add_test(tc, a_look_that_is_lost_is_done_again);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("ponder", add_cases)
