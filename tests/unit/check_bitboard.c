/* check_bitboard.c - sets of squares and attacks against walking on a 9 x 9 array. */
#include "common/base/prng.h"
#include "common/shogi/attacks.h"
#include "tests/model/slow_shogi.h"
#include "tests/unit/check_main.h"

static Bitboard random_set(struct prng *prng, uint32_t permille)
{
    Bitboard set = bb_none();
    for (Square sq = 0; sq < SQUARE_COUNT; sq++)
        if (prng_chance(prng, permille)) set = bb_or(set, bb_square(sq));
    return set;
}

START_TEST(a_set_holds_exactly_the_squares_put_in)
{
    for (Square sq = 0; sq < SQUARE_COUNT; sq++) {
        Bitboard set = bb_square(sq);
        ck_assert_uint_eq(bb_count(set), 1);
        ck_assert_uint_eq(bb_first(set), sq);
        ck_assert(!bb_many(set));
        for (Square other = 0; other < SQUARE_COUNT; other++) {
            ck_assert_int_eq(bb_has(set, other), sq == other);
            ck_assert_int_eq(bb_many(bb_or(set, bb_square(other))), sq != other);
        }
    }
    ck_assert(bb_empty(bb_square(SQUARE_NONE)));
    ck_assert_uint_eq(bb_count(bb_all()), 81);
}
END_TEST

START_TEST(complement_difference_and_popping_agree_with_counting_by_hand)
{
    struct prng prng = prng_make(1);
    for (int i = 0; i < 1000; i++) {
        Bitboard a = random_set(&prng, 300), b = random_set(&prng, 300), rest = a;
        unsigned count = 0, both = 0;
        int last = -1;
        for (Square sq = 0; sq < SQUARE_COUNT; sq++) {
            bool in_a = bb_has(a, sq), in_b = bb_has(b, sq);
            count += in_a;
            both += in_a && in_b;
            ck_assert_int_eq(bb_has(bb_not(a), sq), !in_a);
            ck_assert_int_eq(bb_has(bb_without(a, b), sq), in_a && !in_b);
            ck_assert_int_eq(bb_has(bb_xor(a, b), sq), in_a != in_b);
        }
        ck_assert_uint_eq(bb_count(a), count);
        ck_assert_int_eq(bb_overlap(a, b), both != 0);
        Square sq;
        while (bb_next(&rest, &sq)) {
            ck_assert_int_gt(sq, last);
            ck_assert(bb_has(a, sq));
            last = sq;
            count--;
        }
        ck_assert_uint_eq(count, 0);
    }
}
END_TEST

static Bitboard stepped(Bitboard set, int file_step, int rank_step)
{
    Bitboard out = bb_none();
    for (int f = 1; f <= 9; f++)
        for (int r = 1; r <= 9; r++) {
            int ff = f + file_step, rr = r + rank_step;
            if (bb_has(set, square_make(f, r)) && ff >= 1 && ff <= 9 && rr >= 1 && rr <= 9)
                out = bb_or(out, bb_square(square_make(ff, rr)));
        }
    return out;
}

START_TEST(whole_board_steps_lose_what_leaves_the_board)
{
    struct prng prng = prng_make(2);
    for (int i = 0; i < 1000; i++) {
        Bitboard set = i == 0 ? bb_all() : random_set(&prng, 400);
        ck_assert(bb_equal(bb_north(set), stepped(set, 0, -1)));
        ck_assert(bb_equal(bb_south(set), stepped(set, 0, 1)));
        ck_assert(bb_equal(bb_east(set), stepped(set, -1, 0)));
        ck_assert(bb_equal(bb_west(set), stepped(set, 1, 0)));
        ck_assert(bb_equal(bb_forward(BLACK, set), stepped(set, 0, -1)));
        ck_assert(bb_equal(bb_forward(WHITE, set), stepped(set, 0, 1)));
    }
}
END_TEST

START_TEST(files_ranks_zones_and_filled_files_are_where_they_should_be)
{
    struct prng prng = prng_make(3);
    for (Square sq = 0; sq < SQUARE_COUNT; sq++) {
        for (int n = 1; n <= 9; n++) {
            ck_assert_int_eq(bb_has(bb_file(n), sq), square_file(sq) == n);
            ck_assert_int_eq(bb_has(bb_rank(n), sq), square_rank(sq) == n);
            ck_assert_int_eq(bb_has(bb_far_ranks(BLACK, n), sq), square_rank(sq) <= n);
            ck_assert_int_eq(bb_has(bb_far_ranks(WHITE, n), sq), square_rank(sq) > 9 - n);
        }
        ck_assert(bb_equal(bb_fill_files(bb_square(sq)), bb_file(square_file(sq))));
    }
    for (int i = 0; i < 1000; i++) {
        Bitboard set = random_set(&prng, 100), filled = bb_none();
        for (int n = 1; n <= 9; n++)
            if (bb_overlap(set, bb_file(n))) filled = bb_or(filled, bb_file(n));
        ck_assert(bb_equal(bb_fill_files(set), filled));
    }
}
END_TEST

START_TEST(every_piece_on_every_square_attacks_what_a_walk_reaches)
{
    struct prng prng = prng_make((uint64_t)_i);
    for (int round = 0; round < 40; round++) {
        Bitboard occupied = random_set(&prng, (uint32_t)(25 * round));
        struct slow_position slow = {.side = BLACK};
        Square sq;
        for (Bitboard rest = occupied; bb_next(&rest, &sq);) slow.at[square_file(sq)][square_rank(sq)] = PAWN;
        for (Square from = 0; from < SQUARE_COUNT; from++)
            for (Color c = BLACK; c <= WHITE; c++)
                for (PieceType t = PAWN; t <= DRAGON; t++) {
                    Piece *at = &slow.at[square_file(from)][square_rank(from)], before = *at;
                    *at = piece_make(c, t);
                    Bitboard fast = attacks_piece(piece_make(c, t), from, bb_or(occupied, bb_square(from)));
                    for (Square to = 0; to < SQUARE_COUNT; to++)
                        if (bb_has(fast, to) !=
                            slow_attacks(&slow, square_file(from), square_rank(from), square_file(to), square_rank(to)))
                            ck_abort_msg("colour %d type %d from %d to %d", c, t, from, to);
                    *at = before;
                }
    }
}
END_TEST

START_TEST(between_and_same_ray_agree_with_geometry)
{
    for (Square a = 0; a < SQUARE_COUNT; a++)
        for (Square b = 0; b < SQUARE_COUNT; b++) {
            int df = square_file(b) - square_file(a), dr = square_rank(b) - square_rank(a);
            bool line = a != b && (df == 0 || dr == 0 || df == dr || df == -dr);
            int sf = (df > 0) - (df < 0), sr = (dr > 0) - (dr < 0);
            Bitboard expected = bb_none(), ray = bb_none();
            for (int n = 1; line; n++) {
                int f = square_file(a) + n * sf, r = square_rank(a) + n * sr;
                if (f < 1 || f > 9 || r < 1 || r > 9) break;
                if (n < (df != 0 ? abs(df) : abs(dr))) expected = bb_or(expected, bb_square(square_make(f, r)));
                ray = bb_or(ray, bb_square(square_make(f, r)));
            }
            ck_assert(bb_equal(attacks_between(a, b), expected));
            if (!line) continue;
            for (Square c = 0; c < SQUARE_COUNT; c++)
                if (attacks_same_ray(a, b, c) != bb_has(ray, c)) ck_abort_msg("%d %d %d", a, b, c);
        }
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *sets = tcase_create("sets");
    tcase_add_test(sets, a_set_holds_exactly_the_squares_put_in);
    tcase_add_test(sets, complement_difference_and_popping_agree_with_counting_by_hand);
    tcase_add_test(sets, whole_board_steps_lose_what_leaves_the_board);
    tcase_add_test(sets, files_ranks_zones_and_filled_files_are_where_they_should_be);
    suite_add_tcase(suite, sets);
    TCase *attacks = tcase_create("attacks");
    tcase_add_loop_test(attacks, every_piece_on_every_square_attacks_what_a_walk_reaches, 1, 5);
    tcase_add_test(attacks, between_and_same_ray_agree_with_geometry);
    suite_add_tcase(suite, attacks);
}

CHECK_MAIN("bitboard", add_cases)
