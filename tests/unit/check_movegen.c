/* check_movegen.c - lists of moves against the slow twin, and the positions of public bug reports. */
#include <stdio.h>
#include <string.h>

#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "common/shogi/sfen.h"
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

static int by_value(const void *a, const void *b) { return *(const Move *)a - *(const Move *)b; }

static size_t sorted_legal(const struct position *pos, Move *moves)
{
    size_t count = movegen_legal(pos, moves);
    qsort(moves, count, sizeof *moves, by_value);
    return count;
}

static void check_lists(const struct position *pos, const Move *expected, size_t count)
{
    Move moves[MOVES_MAX];
    size_t found = sorted_legal(pos, moves);
    if (found != count || memcmp(moves, expected, count * sizeof *moves) != 0)
        ck_abort_msg("%s: %zu legal moves, expected %zu", shown(pos), found, count);
    if (movegen_count_legal(pos) != count)
        ck_abort_msg("%s: counted %zu, expected %zu", shown(pos), movegen_count_legal(pos), count);
    if (position_has_legal_move(pos) != (count > 0)) ck_abort_msg("%s: has_legal_move", shown(pos));
}

static void legal_set_equals_twin(void *user, struct position *pos)
{
    (void)user;
    struct slow_position slow;
    Move expected[MOVES_MAX], changed[MOVES_MAX];
    slow_from_position(&slow, pos);
    size_t count = slow_legal_moves(&slow, expected);
    check_lists(pos, expected, count);

    struct slow_position other = slow;
    struct position seen;
    slow_mirror(&other);
    slow_to_position(&other, &seen);
    for (size_t i = 0; i < count; i++) changed[i] = move_mirror(expected[i]);
    qsort(changed, count, sizeof *changed, by_value);
    check_lists(&seen, changed, count);

    other = slow;
    slow_turn(&other);
    slow_to_position(&other, &seen);
    for (size_t i = 0; i < count; i++) changed[i] = move_turn(expected[i]);
    qsort(changed, count, sizeof *changed, by_value);
    check_lists(&seen, changed, count);
}

START_TEST(legal_moves_are_those_of_the_twin_also_in_the_mirror_and_with_colours_exchanged)
{
    run((uint64_t)_i, 800, legal_set_equals_twin);
}
END_TEST

static void counting_equals_listing(void *user, struct position *pos)
{
    (void)user;
    Move moves[MOVES_MAX];
    size_t listed = movegen_legal(pos, moves), counted = movegen_count_legal(pos);
    if (listed != counted) ck_abort_msg("%s: listed %zu, counted %zu", shown(pos), listed, counted);
    if (position_has_legal_move(pos) != (listed > 0)) ck_abort_msg("%s: has_legal_move", shown(pos));
}

START_TEST(counting_without_a_list_gives_the_length_of_the_list)
{
    run((uint64_t)(100 + _i), 200000, counting_equals_listing);
}
END_TEST

static bool is_pointless_refusal(const struct position *pos, Move move)
{
    /* what `full` adds: legal, but the promoting twin is never worse */
    if (move_is_drop(move) || move_promotes(move)) return false;
    PieceType t = piece_type(pos->board[move_from(move)]);
    int to_far = pos->side == BLACK ? square_rank(move_to(move)) : 10 - square_rank(move_to(move));
    int from_far = pos->side == BLACK ? square_rank(move_from(move)) : 10 - square_rank(move_from(move));
    if (t == PAWN) return to_far <= 3;
    if (t == LANCE) return to_far == 2;
    return (t == BISHOP || t == ROOK) && (to_far <= 3 || from_far <= 3);
}

static void kinds_partition_the_moves(void *user, struct position *pos)
{
    (void)user;
    static bool legal[1 << 16], seen[1 << 16];
    Move moves[MOVES_MAX];
    size_t count = movegen_legal(pos, moves);
    memset(legal, 0, sizeof legal);
    for (size_t i = 0; i < count; i++) legal[moves[i]] = true;
    bool in_check = position_in_check(pos);
    for (int full = 0; full <= 1; full++) {
        size_t wanted = 0, found = 0;
        for (unsigned m = 0; m < 1u << 15; m++) wanted += legal[m] && (full || !is_pointless_refusal(pos, (Move)m));
        memset(seen, 0, sizeof seen);
        for (int kind = in_check ? MOVEGEN_EVASIONS : MOVEGEN_CAPTURES;
             kind <= (in_check ? MOVEGEN_EVASIONS : MOVEGEN_QUIETS); kind++) {
            size_t listed = movegen(pos, (enum movegen_kind)kind, full, moves);
            for (size_t i = 0; i < listed; i++) {
                Move m = moves[i];
                if (seen[m]) ck_abort_msg("%s: move %u twice", shown(pos), m);
                seen[m] = true;
                if (!position_pseudo_legal(pos, m)) ck_abort_msg("%s: move %u", shown(pos), m);
                if (legal[m] != position_legal(pos, m)) ck_abort_msg("%s: move %u", shown(pos), m);
                if (!full && is_pointless_refusal(pos, m)) ck_abort_msg("%s: move %u is no use", shown(pos), m);
                found += legal[m];
                if (in_check) continue;
                bool capture = pos->board[move_to(m)] != NO_PIECE;
                bool pawn_promotion =
                    !move_is_drop(m) && move_promotes(m) && piece_type(pos->board[move_from(m)]) == PAWN;
                if ((kind == MOVEGEN_CAPTURES) != (capture || pawn_promotion))
                    ck_abort_msg("%s: move %u in kind %d", shown(pos), m, kind);
            }
        }
        if (found != wanted) ck_abort_msg("%s: full %d: %zu of %zu", shown(pos), full, found, wanted);

        size_t checks = 0;
        size_t listed = movegen(pos, MOVEGEN_CHECKS, full, moves);
        memset(seen, 0, sizeof seen);
        for (size_t i = 0; i < listed; i++) {
            Move m = moves[i];
            if (seen[m]) ck_abort_msg("%s: check %u twice", shown(pos), m);
            seen[m] = true;
            if (!position_pseudo_legal(pos, m) || !position_gives_check(pos, m))
                ck_abort_msg("%s: %u is no check", shown(pos), m);
            checks += legal[m];
        }
        for (unsigned m = 0; m < 1u << 15; m++)
            if (legal[m] && (full || !is_pointless_refusal(pos, (Move)m)) && position_gives_check(pos, (Move)m)) {
                if (!seen[m]) ck_abort_msg("%s: check %u is missing", shown(pos), m);
                checks--;
            }
        if (checks != 0) ck_abort_msg("%s: checks", shown(pos));
    }
}

START_TEST(captures_quiets_evasions_and_checks_hold_what_their_names_say)
{
    run((uint64_t)(200 + _i), 3000, kinds_partition_the_moves);
}
END_TEST

struct legal_case {
    const char *sfen;
    size_t legal; /* 0: the report does not say */
    const char *move;
    bool move_legal;
};

static const struct legal_case reported[] = {
    /* a gold pinned along the file steps back and takes the pawn */
    {"7pk/7n1/6r1g/7NL/9/9/9/9/9 b Pr2b3g4s2n3l16p 1", 71, "P*1b", true},
    {"7pk/7n1/6r1g/7NL/9/9/9/9/K8 b Pr2b3g4s2n3l16p 1", 73, "P*1b", true},
    /* the dropped pawn shuts a line and opens a flight */
    {"6nk1/9/9/7N1/4B4/9/9/9/K8 b P 1", 95, "P*2b", true},
    {"6nk1/9/9/7NL/4B4/9/9/9/K8 b P 1", 98, "P*2b", false},
    /* pawn-drop mate without and with an own king */
    {"8k/9/7+R1/9/9/9/9/9/9 b P 1", 90, "P*1b", false},
    {"8k/9/7+R1/9/9/9/9/9/K8 b P 1", 92, "P*1b", false},
    /* dead squares */
    {"4k4/P7L/1N7/9/9/9/9/9/4K4 b - 1", 9, "9b9a", false},
    {"4k4/P7L/1N7/9/9/9/9/9/4K4 b - 1", 9, "1b1a", false},
    {"4k4/P7L/1N7/9/9/9/9/9/4K4 b - 1", 9, "8c9a", false},
    {"4k4/P7L/1N7/9/9/9/9/9/4K4 b - 1", 9, "8c9a+", true},
    {"4k4/9/9/9/9/9/9/9/4K4 b PLN 1", 209, "N*5b", false},
    {"4k4/9/9/9/9/9/9/9/4K4 b PLN 1", 209, "N*5c", true},
    /* a rook cannot promote in its own camp */
    {"l5snl/1r1gk1gb1/p1nspp1pp/2pp5/1pP3R2/6P2/PPSPPP2P/1BG1K1S2/LN3G1NL w 2P 28", 34, "8b8c+", false},
    {"ln3kp1+R/3grp3/3p1sGSp/p1N1p1bp1/9/PP2L2K1/1s+pS1P2P/3b1+n3/L+p5NL w 2g5p 112", 115, NULL, false},
    {"lr5nl/6k2/6bpp/p1p1S1R2/1P1np2P1/P1P1P3P/3K5/1S3G3/LN5NL b 2G6Pbg2sp 95", 0, "3d3c", true},
    {"lr5nl/6k2/6bpp/p1p1S1R2/1P1np2P1/P1P1P3P/3K5/1S3G3/LN5NL b 2G6Pbg2sp 95", 0, "3d3c+", true},
    {"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", 30, "2h2g", false},
    /* two checkers: only the king may move */
    {"4k4/9/9/9/4r4/9/6b2/9/4K4 b RB2G4S4N4L9P2g9p 1", 3, "R*5h", false},
    /* in check from a knight nothing can stand between */
    {"4k4/9/9/9/9/9/3n5/9/4K4 b RBGS 1", 5, "5i4h", true},
};

START_TEST(positions_of_bug_reports_have_their_known_counts)
{
    const struct legal_case *c = &reported[_i];
    struct position pos = playout_position(c->sfen);
    Move moves[MOVES_MAX];
    size_t listed = movegen_legal(&pos, moves);
    ck_assert_uint_eq(movegen_count_legal(&pos), listed);
    if (c->legal != 0) ck_assert_msg(listed == c->legal, "%s: %zu", c->sfen, listed);
    if (c->move != NULL)
        ck_assert_int_eq(movetext_from_usi(&pos, c->move, strlen(c->move)) != MOVE_NONE, c->move_legal);
}
END_TEST

START_TEST(edge_cases_of_the_rules_are_judged_as_in_the_table)
{
    char line[512], sfen[256], text[16];
    int legal, check, mate, rows = 0;
    FILE *file = fopen("tests/data/rule-edge-legality.tsv", "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#') continue;
        ck_assert_int_eq(
            sscanf(line, "%255[^\t]\t%15[^\t]\tlegal=%d\tcheck=%d\tmate=%d", sfen, text, &legal, &check, &mate), 5);
        struct position pos = playout_position(sfen);
        Move move = movetext_from_usi(&pos, text, strlen(text));
        ck_assert_msg((move != MOVE_NONE) == (legal != 0), "%s %s", sfen, text);
        if (legal) {
            struct undo undo;
            ck_assert_msg(position_gives_check(&pos, move) == (check != 0), "%s %s", sfen, text);
            position_do(&pos, move, &undo);
            ck_assert_msg((position_in_check(&pos) && !position_has_legal_move(&pos)) == (mate != 0), "%s %s", sfen,
                          text);
        }
        rows++;
    }
    fclose(file);
    ck_assert_int_eq(rows, 15);
}
END_TEST

/* A pinned gold may take the pawn only along its line: play out the reported mate in three. */
START_TEST(the_reported_mate_in_three_after_a_legal_pawn_drop_is_mate)
{
    struct position pos = playout_position("7pk/7n1/6r1g/7NL/9/9/9/9/9 b Pr2b3g4s2n3l16p 1");
    struct undo undo;
    position_do(&pos, movetext_from_usi(&pos, "P*1b", 4), &undo);
    Move answers[MOVES_MAX];
    ck_assert_uint_eq(movegen_legal(&pos, answers), 1);
    ck_assert_uint_eq(answers[0], movetext_parse("1c1b", 4));
    position_do(&pos, answers[0], &undo);
    position_do(&pos, movetext_from_usi(&pos, "2d1b+", 5), &undo);
    ck_assert(position_in_check(&pos));
    ck_assert(!position_has_legal_move(&pos));
}
END_TEST

/* 593 is the most that is known for two kings; without kings there is room for a few more. All lists have to fit. */
START_TEST(no_list_is_longer_than_the_room_promised)
{
    static const char *const crowded[] = {
        "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
        "R8/2K1S1SS1/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
        "R8/4S1SS1/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    };
    for (size_t i = 0; i < sizeof crowded / sizeof *crowded; i++) {
        struct position pos = playout_position(crowded[i]);
        struct slow_position slow;
        Move moves[MOVES_MAX + 100], expected[MOVES_MAX + 100];
        size_t count = sorted_legal(&pos, moves);
        if (i == 0) ck_assert_uint_eq(count, 593);
        ck_assert_uint_gt(count, 580);
        ck_assert_uint_le(count, MOVES_MAX);
        slow_from_position(&slow, &pos);
        ck_assert_uint_eq(slow_legal_moves(&slow, expected), count);
        ck_assert_mem_eq(moves, expected, count * sizeof *moves);
    }
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *random = tcase_create("random");
    tcase_add_loop_test(random, legal_moves_are_those_of_the_twin_also_in_the_mirror_and_with_colours_exchanged, 1, 5);
    tcase_add_loop_test(random, counting_without_a_list_gives_the_length_of_the_list, 1, 4);
    tcase_add_loop_test(random, captures_quiets_evasions_and_checks_hold_what_their_names_say, 1, 3);
    suite_add_tcase(suite, random);
    TCase *cases = tcase_create("cases");
    tcase_add_loop_test(cases, positions_of_bug_reports_have_their_known_counts, 0,
                        (int)(sizeof reported / sizeof *reported));
    tcase_add_test(cases, edge_cases_of_the_rules_are_judged_as_in_the_table);
    tcase_add_test(cases, the_reported_mate_in_three_after_a_legal_pawn_drop_is_mate);
    tcase_add_test(cases, no_list_is_longer_than_the_room_promised);
    suite_add_tcase(suite, cases);
}

CHECK_MAIN("movegen", add_cases)
