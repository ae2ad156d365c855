/* check_position.c - the board, its keys, checks, pins and legality, against the slow twin on random games. */
#include <string.h>

#include "common/shogi/attacks.h"
#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "common/shogi/sfen.h"
#include "common/shogi/zobrist.h"
#include "tests/model/playout.h"
#include "tests/model/slow_shogi.h"
#include "tests/unit/check_main.h"

static void run(uint64_t seed, size_t visits, playout_fn visit)
{
    struct playout_starts starts = playout_starts_read("tests/data/perft.tsv");
    playout_run(&starts, seed, visits, visit, NULL);
    playout_starts_free(&starts);
}

static const char *shown(const struct position *pos)
{
    static char text[SFEN_BYTES_MAX];
    sfen_write(pos, text);
    return text;
}

/* Field by field: padding may differ. */
static bool same(const struct position *a, const struct position *b)
{
    for (size_t t = 0; t < TYPE_COUNT; t++)
        if (!bb_equal(a->by_type[t], b->by_type[t])) return false;
    for (size_t c = 0; c < COLOR_COUNT; c++)
        if (!bb_equal(a->by_color[c], b->by_color[c]) || !bb_equal(a->blockers[c], b->blockers[c]) ||
            a->hand[c] != b->hand[c] || a->king[c] != b->king[c])
            return false;
    return bb_equal(a->checkers, b->checkers) && a->board_key == b->board_key && a->hand_key == b->hand_key &&
           memcmp(a->board, b->board, sizeof a->board) == 0 && a->side == b->side && a->game_ply == b->game_ply;
}

static void do_equals_refresh_and_undo_restores(void *user, struct position *pos)
{
    (void)user;
    Move moves[MOVES_MAX];
    size_t count = movegen_legal(pos, moves);
    struct position before = *pos;
    for (size_t i = 0; i < count; i++) {
        struct undo undo;
        uint64_t key = position_key_after(pos, moves[i]);
        bool check = position_gives_check(pos, moves[i]);
        position_do(pos, moves[i], &undo);
        if (position_key(pos) != key) ck_abort_msg("key_after %s", shown(&before));
        if (position_in_check(pos) != check) ck_abort_msg("gives_check %s", shown(&before));
        struct position fresh;
        position_clear(&fresh);
        for (Square sq = 0; sq < SQUARE_COUNT; sq++) position_put(&fresh, sq, pos->board[sq]);
        fresh.hand[BLACK] = pos->hand[BLACK];
        fresh.hand[WHITE] = pos->hand[WHITE];
        fresh.side = pos->side;
        fresh.game_ply = pos->game_ply;
        position_refresh(&fresh);
        if (!same(pos, &fresh)) ck_abort_msg("after a move in %s", shown(&before));
        position_undo(pos, &undo);
        if (!same(pos, &before)) ck_abort_msg("undo in %s", shown(&before));
    }
    if (position_in_check(pos)) return;
    struct undo undo;
    uint64_t key = position_key_after(pos, MOVE_NULL);
    position_do_null(pos, &undo);
    ck_assert_uint_eq(position_key(pos), key);
    ck_assert_uint_ne(position_key(pos), position_key(&before));
    position_undo_null(pos, &undo);
    ck_assert(same(pos, &before));
}

START_TEST(a_move_leaves_what_a_fresh_set_up_gives_and_undo_restores_it)
{
    run((uint64_t)_i, 2000, do_equals_refresh_and_undo_restores);
}
END_TEST

static void passing_equals_refresh(void *user, struct position *pos)
{
    (void)user;
    if (position_in_check(pos)) return;
    struct undo undo;
    position_do_null(pos, &undo);
    struct position fresh = *pos;
    position_refresh(&fresh);
    ck_assert_msg(same(pos, &fresh), "%s", shown(pos));
    position_undo_null(pos, &undo);
}

START_TEST(a_pass_leaves_what_a_fresh_set_up_gives) { run(77, 20000, passing_equals_refresh); }
END_TEST

static void attackers_equal_twin(void *user, struct position *pos)
{
    (void)user;
    struct slow_position slow;
    slow_from_position(&slow, pos);
    for (Color c = BLACK; c <= WHITE; c++)
        for (Square sq = 0; sq < SQUARE_COUNT; sq++) {
            Bitboard fast = position_attackers(pos, c, sq, pos->by_type[NO_TYPE]);
            for (Square from = 0; from < SQUARE_COUNT; from++) {
                Piece piece = pos->board[from];
                bool expected =
                    piece != NO_PIECE && piece_color(piece) == c &&
                    slow_attacks(&slow, square_file(from), square_rank(from), square_file(sq), square_rank(sq));
                if (bb_has(fast, from) != expected)
                    ck_abort_msg("%s colour %d: %d attacks %d?", shown(pos), c, from, sq);
            }
        }
}

START_TEST(attackers_of_every_square_are_those_that_a_walk_finds) { run(11, 1000, attackers_equal_twin); }
END_TEST

static unsigned slider_attackers(const struct slow_position *s, Color by, Square target, Bitboard except)
{
    unsigned count = 0;
    for (int f = 1; f <= 9; f++)
        for (int r = 1; r <= 9; r++) {
            Piece piece = s->at[f][r];
            PieceType t = piece_type(piece);
            if (bb_has(except, square_make(f, r))) continue;
            if (piece != NO_PIECE && piece_color(piece) == by &&
                (t == LANCE || type_unpromoted(t) == BISHOP || type_unpromoted(t) == ROOK))
                count += slow_attacks(s, f, r, square_file(target), square_rank(target));
        }
    return count;
}

/* A blocker is a piece whose removal opens a slider's way to the king. */
static void blockers_equal_removal(void *user, struct position *pos)
{
    (void)user;
    struct slow_position slow;
    slow_from_position(&slow, pos);
    for (Color c = BLACK; c <= WHITE; c++) {
        if (pos->king[c] == SQUARE_NONE) {
            ck_assert(bb_empty(pos->blockers[c]));
            continue;
        }
        for (Square sq = 0; sq < SQUARE_COUNT; sq++) {
            Piece *at = &slow.at[square_file(sq)][square_rank(sq)], piece = *at;
            bool expected = false;
            if (piece != NO_PIECE && sq != pos->king[c]) {
                Bitboard itself = bb_square(sq);
                unsigned before = slider_attackers(&slow, color_other(c), pos->king[c], itself);
                *at = NO_PIECE;
                expected = slider_attackers(&slow, color_other(c), pos->king[c], itself) > before;
                *at = piece;
            }
            if (bb_has(pos->blockers[c], sq) != expected) ck_abort_msg("%s colour %d square %d", shown(pos), c, sq);
        }
    }
}

START_TEST(blockers_are_the_pieces_whose_removal_opens_a_line_to_the_king) { run(12, 5000, blockers_equal_removal); }
END_TEST

static void every_move_code_equals_twin(void *user, struct position *pos)
{
    (void)user;
    struct slow_position slow;
    slow_from_position(&slow, pos);
    static bool listed[1 << 16];
    Move moves[MOVES_MAX];
    size_t count;
    if (position_in_check(pos)) {
        count = movegen(pos, MOVEGEN_EVASIONS, true, moves);
    } else {
        count = movegen(pos, MOVEGEN_CAPTURES, true, moves);
        count += movegen(pos, MOVEGEN_QUIETS, true, moves + count);
    }
    memset(listed, 0, sizeof listed);
    for (size_t i = 0; i < count; i++) listed[moves[i]] = true;
    for (unsigned code = 0; code < 1u << 16; code++) {
        Move move = (Move)code;
        bool pseudo = position_pseudo_legal(pos, move);
        if (pseudo != listed[code])
            ck_abort_msg("%s code %u: pseudo-legal %d, listed %d", shown(pos), code, pseudo, listed[code]);
        if (!position_in_check(pos) && pseudo != slow_moves_right(&slow, move))
            ck_abort_msg("%s code %u", shown(pos), code);
        bool legal = pseudo && position_legal(pos, move);
        if (!legal && !slow_moves_right(&slow, move)) continue;
        if (legal != slow_legal(&slow, move)) ck_abort_msg("%s code %u: legal %d", shown(pos), code, legal);
    }
}

START_TEST(each_of_65536_move_codes_is_judged_as_the_twin_does) { run((uint64_t)_i, 400, every_move_code_equals_twin); }
END_TEST

START_TEST(a_pseudo_legal_move_may_leave_the_king_hanging_and_be_undone)
{
    struct position pos = playout_position("4r4/9/9/9/4G4/9/9/9/4K4 b - 1"), before = pos;
    Move move = movetext_parse("5e4e", 4);
    ck_assert(position_pseudo_legal(&pos, move));
    ck_assert(!position_legal(&pos, move));
    struct undo undo;
    position_do(&pos, move, &undo);
    ck_assert(!bb_empty(position_attackers(&pos, WHITE, pos.king[BLACK], pos.by_type[NO_TYPE])));
    position_undo(&pos, &undo);
    ck_assert(same(&pos, &before));
}
END_TEST

START_TEST(a_king_that_opens_a_line_gives_check)
{
    struct position pos = playout_position("4k4/9/9/4K4/9/9/9/9/4R4 b - 1");
    ck_assert(position_gives_check(&pos, movetext_parse("5d4d", 4)));
    ck_assert(!position_gives_check(&pos, movetext_parse("5d5e", 4)));
}
END_TEST

START_TEST(a_set_up_tells_whether_either_king_is_missing)
{
    struct position pos = playout_position("8k/9/9/9/9/9/9/9/9 b P 1");
    ck_assert_uint_eq(pos.king[BLACK], SQUARE_NONE);
    ck_assert_uint_eq(pos.king[WHITE], 0);
    ck_assert(!position_in_check(&pos));
    pos = playout_position("9/9/9/9/9/9/9/9/9 w - 1");
    ck_assert(!position_has_legal_move(&pos));
}
END_TEST

START_TEST(equal_positions_reached_by_different_ways_have_equal_keys)
{
    struct position a = playout_position(SFEN_STARTPOS), b = a;
    const char *const way_a[] = {"7g7f", "3c3d", "2g2f"}, *const way_b[] = {"2g2f", "3c3d", "7g7f"};
    struct undo undo;
    for (size_t i = 0; i < 3; i++) {
        position_do(&a, movetext_from_usi(&a, way_a[i], 4), &undo);
        position_do(&b, movetext_from_usi(&b, way_b[i], 4), &undo);
        ck_assert_int_eq(position_key(&a) == position_key(&b), i == 2);
    }
}
END_TEST

START_TEST(pieces_on_the_board_in_hand_and_the_turn_all_change_the_key)
{
    static const char *const different[] = {
        "4k4/9/9/9/9/9/9/9/4K4 b - 1",    "4k4/9/9/9/9/9/9/9/4K4 w - 1",   "4k4/9/9/9/9/9/9/9/4K4 b P 1",
        "4k4/9/9/9/9/9/9/9/4K4 b 2P 1",   "4k4/9/9/9/9/9/9/9/4K4 b p 1",   "4k4/9/9/9/9/9/9/9/4K4 b 2p 1",
        "4k4/9/9/9/9/9/9/9/4K4 b 2P2p 1", "4k4/9/9/9/9/9/9/9/4K4 b Pp 1",  "4k4/9/9/9/9/9/9/9/4KG3 b - 1",
        "4k4/9/9/9/9/9/9/9/3GK4 b - 1",   "4k4/9/9/9/9/9/9/9/3+SK4 b - 1", "3gk4/9/9/9/9/9/9/9/4K4 w - 1",
    };
    enum { COUNT = sizeof different / sizeof *different };
    uint64_t keys[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        struct position pos = playout_position(different[i]);
        keys[i] = position_key(&pos);
        for (size_t j = 0; j < i; j++) ck_assert_msg(keys[i] != keys[j], "%s = %s", different[i], different[j]);
    }
}
END_TEST

/* splitmix64 worked out step by step, with the seed's first outputs as the table's first pieces. */
START_TEST(the_key_table_is_the_published_generator_and_has_no_equal_numbers)
{
    struct prng prng = prng_make(0x4d7572616b756d6full);
    for (size_t piece = 0; piece < PIECE_COUNT; piece++)
        for (size_t sq = 0; sq < SQUARE_COUNT; sq++) {
            uint64_t expected = prng_next(&prng);
            PieceType t = piece_type((Piece)piece);
            ck_assert_uint_eq(zobrist_board[piece][sq], t == NO_TYPE || t == 15 ? 0 : expected);
        }
    ck_assert_uint_eq(zobrist_side, prng_next(&prng));
    ck_assert_uint_eq(zobrist_check(), 579143967325502545ull);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *random = tcase_create("random");
    tcase_add_loop_test(random, a_move_leaves_what_a_fresh_set_up_gives_and_undo_restores_it, 1, 4);
    tcase_add_test(random, a_pass_leaves_what_a_fresh_set_up_gives);
    tcase_add_test(random, attackers_of_every_square_are_those_that_a_walk_finds);
    tcase_add_test(random, blockers_are_the_pieces_whose_removal_opens_a_line_to_the_king);
    tcase_add_loop_test(random, each_of_65536_move_codes_is_judged_as_the_twin_does, 1, 4);
    suite_add_tcase(suite, random);
    TCase *cases = tcase_create("cases");
    tcase_add_test(cases, a_pseudo_legal_move_may_leave_the_king_hanging_and_be_undone);
    tcase_add_test(cases, a_king_that_opens_a_line_gives_check);
    tcase_add_test(cases, a_set_up_tells_whether_either_king_is_missing);
    tcase_add_test(cases, equal_positions_reached_by_different_ways_have_equal_keys);
    tcase_add_test(cases, pieces_on_the_board_in_hand_and_the_turn_all_change_the_key);
    tcase_add_test(cases, the_key_table_is_the_published_generator_and_has_no_equal_numbers);
    suite_add_tcase(suite, cases);
}

CHECK_MAIN("position", add_cases)
