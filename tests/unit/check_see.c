/* check_see.c - exchanges counted by hand. Values are taken from see.h, the sequences from the board. */
#include <string.h>

#include "common/shogi/movetext.h"
#include "tests/model/playout.h"
#include "tests/unit/check_main.h"
#include "worker/engine/see.h"

/* Swing of capturing a piece of type t. */
static int x(PieceType t) { return see_exchange_cp[t]; }

static void check(const char *sfen, const char *usi, int value)
{
    struct position pos = playout_position(sfen);
    Move move = movetext_from_usi(&pos, usi, strlen(usi));
    ck_assert_msg(move != MOVE_NONE, "%s is not legal in %s", usi, sfen);
    ck_assert_msg(see_at_least(&pos, move, value), "%s %s: not even %d", sfen, usi, value);
    ck_assert_msg(!see_at_least(&pos, move, value + 1), "%s %s: more than %d", sfen, usi, value);
}

START_TEST(free_pieces_are_worth_their_swing)
{
    check("4k4/9/9/4p4/4P4/9/9/9/4K4 b - 1", "5e5d", x(PAWN));
    check("4k4/9/9/4s4/4P4/9/9/9/4K4 b - 1", "5e5d", x(SILVER));
    check("4k4/9/9/4+p4/4P4/9/9/9/4K4 b - 1", "5e5d", x(PRO_PAWN));
}
END_TEST

START_TEST(a_defended_piece_costs_the_taker)
{
    /* rook takes pawn, lance takes rook */
    check("4l3k/9/9/4p4/9/4R4/9/9/K8 b - 1", "5f5d", x(PAWN) - x(ROOK));
    /* pawn takes gold, pawn retakes */
    check("8k/9/4p4/4g4/4P4/9/9/9/K8 b - 1", "5e5d", x(GOLD) - x(PAWN));
}
END_TEST

START_TEST(pieces_behind_pieces_join_in)
{
    /* pawn x pawn, lance x pawn, rook x lance: the defender does better not to retake */
    check("4l3k/9/9/4p4/4P4/9/4R4/9/K8 b - 1", "5e5d", x(PAWN));
    /* two rooks in a file against two defenders: R x p, l x R, R x l, g x R */
    check("4l3k/9/4g4/9/4p4/9/4R4/4R4/K8 b - 1", "5g5e", x(PAWN));
    /* bishop behind a silver on a diagonal */
    check("8k/9/3p5/4p4/3S5/2B6/9/9/K8 b - 1", "6e5d", x(PAWN));
}
END_TEST

START_TEST(a_drop_stands_to_lose_what_is_dropped)
{
    check("4l3k/9/9/9/9/9/9/9/K8 b G 1", "G*5d", -x(GOLD));
    check("4l3k/9/9/9/9/9/9/9/K8 b P 1", "P*5d", -x(PAWN));
    check("8k/9/9/9/9/9/9/9/K8 b G 1", "G*5d", 0);
    /* defended by a gold: pawn is lost, lance is won */
    check("4l3k/9/9/9/4G4/9/9/9/K8 b P 1", "P*5d", 0);
}
END_TEST

START_TEST(promotion_counts)
{
    int gain = see_promotion_cp(PAWN);
    check("8k/9/9/9/4P4/9/9/9/K8 b - 1", "5e5d", 0);
    check("8k/9/9/4P4/9/9/9/9/K8 b - 1", "5d5c+", gain);
    check("8k/9/4s4/4P4/9/9/9/9/K8 b - 1", "5d5c+", gain + x(SILVER));
    /* the promoted pawn is taken */
    check("8k/4g4/9/4P4/9/9/9/9/K8 b - 1", "5d5c+", gain - x(PRO_PAWN));
}
END_TEST

START_TEST(the_king_takes_only_what_is_undefended)
{
    check("9/9/4k4/9/9/4N4/9/9/K8 b P 1", "P*6d", 0); /* the knight on 5f guards 6d */
    check("9/9/4k4/9/9/9/9/9/K8 b G 1", "G*5d", -x(GOLD));
    check("9/9/4k4/9/9/2B6/9/9/K8 b G 1", "G*5d", 0);
}
END_TEST

START_TEST(a_pinned_piece_does_not_retake)
{
    /* the gold on 5b is pinned by the rook on 5i against the king on 5a: it cannot take on 4c */
    check("4k4/4g4/5p3/9/5L3/9/9/9/K3R4 b - 1", "4e4c", x(PAWN));
    /* without the rook it can */
    check("4k4/4g4/5p3/9/5L3/9/9/9/K8 b - 1", "4e4c", x(PAWN) - x(LANCE));
}
END_TEST

static void threshold_is_monotonic(void *user, struct position *pos)
{
    (void)user;
    struct prng prng;
    prng = prng_make(pos->board_key);
    struct position copy = *pos;
    Move move = playout_pick(&copy, &prng);
    if (move == MOVE_NONE) return;
    bool before = true;
    for (int threshold = -3000; threshold <= 3000; threshold += 100) {
        bool now = see_at_least(pos, move, threshold);
        ck_assert(before || !now);
        before = now;
    }
}

START_TEST(more_is_never_easier_to_reach)
{
    struct playout_starts starts = playout_starts_read("tests/data/perft.tsv");
    playout_run(&starts, 3, 3000, threshold_is_monotonic, NULL);
    playout_starts_free(&starts);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("see");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, free_pieces_are_worth_their_swing);
    tcase_add_test(tc, a_defended_piece_costs_the_taker);
    tcase_add_test(tc, pieces_behind_pieces_join_in);
    tcase_add_test(tc, a_drop_stands_to_lose_what_is_dropped);
    tcase_add_test(tc, promotion_counts);
    tcase_add_test(tc, the_king_takes_only_what_is_undefended);
    tcase_add_test(tc, a_pinned_piece_does_not_retake);
    tcase_add_test(tc, more_is_never_easier_to_reach);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("see", add_cases)
