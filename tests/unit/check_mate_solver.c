/* check_mate_solver.c - the mate solver against the slow exact one, against collections, and under every kind of limit.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/shogi/movegen.h"
#include "common/shogi/sfen.h"
#include "tests/model/mate_exact.h"
#include "tests/unit/check_main.h"
#include "worker/engine/mate/mate.h"

/* Positions that the slow solver decides, for each of RANDOM_ROWS seeds; CHECK_MATE_POSITIONS asks for more of them. */
enum { RANDOM_ROWS = 4, RANDOM_POSITIONS = 3000, MODEL_POSITIONS_MAX = 2000 };

static struct mate_result result; /* large */

static struct position read_sfen(const char *text)
{
    struct position pos;
    struct sfen_error error;
    if (sfen_read(&pos, text, strlen(text), NULL, &error) != ST_OK) ck_abort_msg("%s: %s", text, error.text);
    return pos;
}

static const char *shown(const struct position *pos)
{
    static char text[SFEN_BYTES_MAX];
    sfen_write(pos, text);
    return text;
}

/* The line is legal, every attacker move checks, the last position has no legal move. */
static void check_line(const struct position *root, const struct mate_result *r)
{
    struct position pos = *root;
    ck_assert_int_eq(r->plies % 2, 1);
    for (int i = 0; i < r->plies; i++) {
        struct undo undo;
        if (!position_pseudo_legal(&pos, r->line[i]) || !position_legal(&pos, r->line[i]))
            ck_abort_msg("%s: move %d is illegal", shown(root), i + 1);
        if (i % 2 == 0 && !position_gives_check(&pos, r->line[i]))
            ck_abort_msg("%s: move %d is no check", shown(root), i + 1);
        position_do(&pos, r->line[i], &undo);
    }
    if (movegen_count_legal(&pos) != 0) ck_abort_msg("%s: the line does not end in mate", shown(root));
}

static void solve(struct mate_solver *solver, const struct position *pos, uint64_t nodes)
{
    struct mate_limits limits = {.nodes = nodes};
    mate_solve(solver, pos, &limits, &result);
    if (result.verdict == MATE_PROVED) check_line(pos, &result);
}

/* `plies` is the exact length, 0 = there is no mate. */
static void expect(struct mate_solver *solver, const struct position *pos, int plies)
{
    solve(solver, pos, 2000000);
    enum mate_verdict verdict = plies > 0 ? MATE_PROVED : MATE_REFUTED;
    if (result.verdict != verdict || result.plies != plies || (plies > 0 && !result.shortest))
        ck_abort_msg("%s: verdict %d, %d plies%s; expected %d plies", shown(pos), result.verdict, result.plies,
                     result.shortest ? " exactly" : "", plies);
}

static int positions_wanted(void)
{
    const char *text = getenv("CHECK_MATE_POSITIONS");
    return text ? atoi(text) : RANDOM_POSITIONS;
}

START_TEST(every_random_position_gets_the_verdict_and_length_of_the_slow_solver)
{
    struct mate_solver *solver = mate_new(1 << 20, 1);
    struct prng prng = prng_make(20260 + (uint64_t)_i);
    int wanted = positions_wanted(), decided = 0, mates = 0, long_mates = 0;
    while (decided < wanted) {
        struct position pos = mate_exact_random(&prng);
        int plies = 0;
        enum mate_exact exact = mate_exact_solve(&pos, MODEL_POSITIONS_MAX, &plies);
        if (exact == MATE_EXACT_TOO_BIG) continue;
        if (exact == MATE_EXACT_NONE) plies = 0;
        mates += plies > 0;
        long_mates += plies > 1;
        bool mirror = decided % 2 != 0, flip = decided % 4 >= 2;
        struct position other = mate_exact_transformed(&pos, mirror, flip);
        if (decided % 3 != 0) mate_clear(solver); /* a table full of other positions must not matter */
        expect(solver, &pos, plies);
        expect(solver, &other, plies);
        decided++;
    }
    ck_assert_int_gt(mates, wanted / 5);
    ck_assert_int_gt(long_mates, wanted / 20);
    ck_assert_int_lt(mates, wanted * 4 / 5);
    mate_free(solver);
}
END_TEST

static void expect_file(const char *path, size_t bytes, bool mirror, bool flip)
{
    FILE *file = fopen(path, "r");
    if (!file) ck_abort_msg("%s cannot be opened", path);
    struct mate_solver *solver = mate_new(bytes, 1);
    char line[1024];
    int problems = 0;
    while (fgets(line, sizeof line, file)) {
        char *tab = strchr(line, '\t');
        if (line[0] == '#' || !tab) continue;
        *tab = '\0';
        struct position pos = read_sfen(line);
        pos = mate_exact_transformed(&pos, mirror, flip);
        mate_clear(solver);
        expect(solver, &pos, atoi(tab + 1)); /* "no-mate" is 0 */
        problems++;
    }
    fclose(file);
    mate_free(solver);
    ck_assert_int_gt(problems, 10);
}

START_TEST(generated_problems_have_their_exact_length_in_a_small_table)
{
    expect_file("tests/data/mate/short-generated.sfen", 1 << 20, (_i & 1) != 0, (_i & 2) != 0);
}
END_TEST

START_TEST(problems_that_need_a_piece_to_stay_unpromoted_are_solved)
{
    expect_file("tests/data/mate/underpromotion.sfen", 8 << 20, (_i & 1) != 0, (_i & 2) != 0);
}
END_TEST

START_TEST(positions_without_mate_are_refuted)
{
    expect_file("tests/data/mate/nomate.sfen", 8 << 20, (_i & 1) != 0, (_i & 2) != 0);
}
END_TEST

enum { NO_MATE_UNPROVED = -1, MATE_UNPROVED = -2 }; /* too much work for a test; but the opposite must not come out */

START_TEST(positions_of_public_bug_reports_get_the_right_answer)
{
    static const struct {
        const char *sfen;
        int plies;
        const char *why;
    } cases[] = {
        {"5B1n1/8k/6Rpp/9/9/9/1+p7/9/K8 b rb4g4s3n4l15p 1", 5, "a bishop must stay unpromoted"},
        {"7nk/9/7Gp/6+RP1/9/9/1+p7/9/K8 b Pr2b3g4s3n4l14p 1", 9, "a pawn must stay unpromoted"},
        {"7k1/5+Bp2/7Ss/9/9/9/1n7/9/9 b 2rb4g2s3n4l17p 1", MATE_UNPROVED, "horse saw: numbers saturate"},
        {"1+P2l4/2P6/9/p5+R2/2k6/B3+P3B/9/9/9 b r4g4s4n3l14p 1", MATE_UNPROVED, "horse saw: numbers saturate"},
        {"1pG6/Gs+P6/pP7/n1lsS4/+B6b1/n1k6/1N1p5/1S7/9 b RPr2gn3l12p 5", MATE_UNPROVED, "loops inside Zuko 1"},
        {"9/5g1s1/8k/6+R2/9/6R1S/5B3/9/9 b b3g2s4n4l18p 1", 7, "interpositions count"},
        {"6Bnl/8k/7p1/7b1/9/9/9/9/9 b Rr4g4s3n3l17p 1", 3, "futile drop"},
        {"3+R1gknl/4+B1s2/6pp1/5p3/8p/9/9/9/9 b RSNPb3g2s2n3l13p 1", MATE_UNPROVED, "the second-best sibling"},
        {"ln3kp1+R/3grp3/3p1sGSp/p1N1p1bp1/9/PP2L2K1/1s+pS1P2P/3b1+n3/L+p5NL w 2g5p 112", 5, "distant checks"},
        {"2+P5+N/5P1B1/p2sg2p+P/2p2s1P1/8R/5KP1s/P3+BNN1g/1S4+p1g/+p1R1Lk2+l b NL4Pgl3p 1", 0, "a discovered check"},
        {"8l/9/2k1p1npp/2g6/3p5/2pnP3P/SP1N3P1/pG7/KN+r6 b r2b2g3s3l8p 98", 0, "no check at all"},
        {"7k1/9/9/9/9/9/9/9/9 b B2G2SL2P2rb2g2s4n3l16p 1", NO_MATE_UNPROVED, "bare king"},
        {"7lk/7p1/9/+P+PL3r2/+P+P+PN1b3/+P+P+P+P+P+P2p/1L+pNNN3/+R+bgss+P+P2/gggss+P+P1L b - 1", 0,
         "moving interposition overlooked"},
        {"3+R3nk/8p/7P1/9/9/9/9/9/8B b 16p4l3n4s4gbr 1", 7, "the piece that covers is pinned"},
        {"8k/R7s/g5N2/1R7/8L/4+b4/9/9/9 b b3g3s3n3l18p 1", 13, "line ended before mate"},
        {"8k/9/7+R1/9/9/9/9/9/9 b P 1", 0, "pawn-drop mate with one king on the board"},
        {"9/8B/8L/8k/8N/4B2R1/9/9/9 b Sr4g3s3n3l18p 1", 5, "labelled 7 in its collection"},
        {"9/7kp/R8/6P2/9/9/9/b8/9 b rb4g4s4n4l16p 1", 0, "hundreds of interpositions"},
    };
    struct mate_solver *solver = mate_new(16 << 20, 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct position pos = read_sfen(cases[i].sfen);
        for (int view = 0; view < 4; view++) {
            struct position seen = mate_exact_transformed(&pos, (view & 1) != 0, (view & 2) != 0);
            mate_clear(solver);
            if (cases[i].plies >= 0)
                expect(solver, &seen, cases[i].plies);
            else
                solve(solver, &seen, 20000);
            if (cases[i].plies == NO_MATE_UNPROVED) ck_assert_msg(result.verdict != MATE_PROVED, "%s", cases[i].why);
            if (cases[i].plies == MATE_UNPROVED) ck_assert_msg(result.verdict != MATE_REFUTED, "%s", cases[i].why);
        }
    }
    mate_free(solver);
}
END_TEST

START_TEST(a_position_of_long_interpositions_is_refuted_in_ten_thousand_nodes)
{
    struct mate_solver *solver = mate_new(16 << 20, 1);
    struct position pos = read_sfen("9/7kp/R8/6P2/9/9/9/b8/9 b rb4g4s4n4l16p 1");
    solve(solver, &pos, 10000);
    ck_assert_int_eq(result.verdict, MATE_REFUTED);
    mate_free(solver);
}
END_TEST

START_TEST(without_an_enemy_king_there_is_no_mate)
{
    struct mate_solver *solver = mate_new(1 << 20, 1);
    struct position pos = read_sfen("9/9/9/9/4R4/9/9/9/4K4 b 2G 1");
    solve(solver, &pos, 0);
    ck_assert_int_eq(result.verdict, MATE_REFUTED);
    mate_free(solver);
}
END_TEST

/* ---- the proof can be read ----------------------------------------------------------------------------------------
 */

/* Walks over the attacker's moves of the proof and every defence; returns how many attacker positions that are. */
static size_t walk(const struct mate_solver *solver, struct position *pos, int plies_max, int *depth_max)
{
    int plies;
    Move move = mate_proof_move(solver, pos, &plies), defences[MOVES_MAX];
    ck_assert(move != MOVE_NONE && plies <= plies_max);
    ck_assert(position_pseudo_legal(pos, move) && position_legal(pos, move) && position_gives_check(pos, move));
    struct undo undo, undo_defence;
    position_do(pos, move, &undo);
    size_t visits = 1, count = movegen_legal(pos, defences);
    *depth_max = count == 0 && *depth_max < 1 ? 1 : *depth_max;
    for (size_t i = 0; i < count; i++) {
        int below = 0;
        position_do(pos, defences[i], &undo_defence);
        visits += walk(solver, pos, plies - 2, &below);
        position_undo(pos, &undo_defence);
        if (below + 2 > *depth_max) *depth_max = below + 2;
    }
    position_undo(pos, &undo);
    return visits;
}

START_TEST(the_proof_can_be_walked_and_is_as_deep_as_it_says)
{
    static const char *const cases[] = {"8k/R7s/g5N2/1R7/8L/4+b4/9/9/9 b b3g3s3n3l18p 1",
                                        "6SRp/5bP2/6GGP/8k/8N/8N/9/9/9 b rb2g3s2n4l15p 1",
                                        "9/5g1s1/8k/6+R2/9/6R1S/5B3/9/9 b b3g2s4n4l18p 1"};
    struct mate_solver *solver = mate_new(16 << 20, 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct position pos = read_sfen(cases[i]), start = read_sfen("9/9/9/9/4R4/9/9/9/4K4 b 2G 1");
        int plies, depth = 0;
        solve(solver, &pos, 1000000);
        ck_assert_int_eq(result.verdict, MATE_PROVED);
        ck_assert_uint_eq(result.pn, 0);
        ck_assert_uint_eq(result.dn, MATE_NUMBER_MAX);
        ck_assert(hand_covers(pos.hand[pos.side], result.hand));
        ck_assert_uint_ge(walk(solver, &pos, result.plies, &depth), (size_t)result.proof_nodes);
        ck_assert_int_eq(depth, result.plies);
        ck_assert_int_eq(mate_proof_move(solver, &start, &plies), MOVE_NONE);
    }
    mate_free(solver);
}
END_TEST

START_TEST(the_hands_of_proof_and_refutation_hold_for_other_hands_too)
{
    struct mate_solver *solver = mate_new(1 << 20, 1);
    struct position pos = read_sfen("8k/9/7+R1/9/9/9/9/9/9 b GPr2b3g4s4n4l17p 1");
    solve(solver, &pos, 100000);
    ck_assert_int_eq(result.verdict, MATE_PROVED);
    ck_assert_uint_eq(result.hand, hand_one(GOLD)); /* G*1b; the pawn is not needed */
    pos = read_sfen("8k/9/7+R1/9/9/9/9/9/9 b Pr2b4g4s4n4l17p 1");
    solve(solver, &pos, 100000);
    ck_assert_int_eq(result.verdict, MATE_REFUTED);
    ck_assert_uint_eq(result.pn, MATE_NUMBER_MAX);
    ck_assert_uint_eq(result.dn, 0);
    ck_assert(hand_covers(result.hand, hand_one(PAWN)));
    mate_free(solver);
}
END_TEST

START_TEST(only_the_allowed_first_moves_count)
{
    struct mate_solver *solver = mate_new(1 << 20, 1);
    struct position pos = read_sfen("8k/9/7+R1/9/9/9/9/9/9 b Gr2b3g4s4n4l18p 1");
    Move gold_1b = move_make_drop(GOLD, square_make(1, 2)), gold_2b = move_make_drop(GOLD, square_make(2, 2));
    const Move both[] = {gold_2b, gold_1b};
    struct mate_limits limits = {.first_moves = both, .first_move_count = 2};
    mate_solve(solver, &pos, NULL, &result);
    ck_assert_int_eq(result.verdict, MATE_PROVED);
    for (int i = 0; i < 2; i++) { /* the table knows the mate already */
        limits = (struct mate_limits){.first_moves = &both[i], .first_move_count = 1};
        mate_solve(solver, &pos, &limits, &result);
        ck_assert_int_eq(result.verdict, MATE_PROVED);
        ck_assert_int_eq(result.line[0], both[i]);
        check_line(&pos, &result);
    }
    limits = (struct mate_limits){.first_moves = both, .first_move_count = 0};
    mate_solve(solver, &pos, &limits, &result);
    ck_assert_int_eq(result.verdict, MATE_REFUTED);
    mate_solve(solver, &pos, NULL, &result); /* and that was not remembered about the position itself */
    ck_assert_int_eq(result.verdict, MATE_PROVED);
    mate_free(solver);
}
END_TEST

static const char *const hard_sfen = "1pG1B4/Gs+P6/pP7/n1ls5/3k5/nL4+r1b/1+p1p+R4/1S7/2N6 b SP2gn2l11p 1";

START_TEST(the_node_limit_is_exact_and_the_same_work_gives_the_same_numbers)
{
    struct position pos = read_sfen(hard_sfen);
    uint64_t pn = 0, dn = 0;
    for (int i = 0; i < 2; i++) {
        struct mate_solver *solver = mate_new(4 << 20, 1);
        solve(solver, &pos, 20000);
        ck_assert_int_eq(result.verdict, MATE_UNKNOWN);
        ck_assert_int_eq(result.end, MATE_END_NODES);
        ck_assert_uint_eq(result.nodes, 20000);
        if (i == 1) {
            ck_assert_uint_eq(result.pn, pn);
            ck_assert_uint_eq(result.dn, dn);
        }
        pn = result.pn;
        dn = result.dn;
        mate_free(solver);
    }
}
END_TEST

/* Farms compare what different workers say of one position, whatever each has solved before. */
START_TEST(a_cleared_table_is_as_good_as_a_new_one)
{
    struct mate_solver *used = mate_new(512 << 10, 1);
    struct position before = read_sfen(hard_sfen),
                    pos = read_sfen("l2g4l/6rk1/1p1pp1npp/2ps2S2/9/P1P3PB1/1PG1P1NRP/3G2+n2/+p1K5L w BG4P2snlp 1");
    for (uint64_t nodes = 1000; nodes <= 16000; nodes *= 2) {
        struct mate_solver *fresh = mate_new(512 << 10, 1);
        solve(fresh, &pos, 3000);
        mate_free(fresh);
        uint64_t expected = result.nodes;
        solve(used, &before, nodes);
        mate_clear(used);
        solve(used, &pos, 3000);
        ck_assert_uint_eq(result.nodes, expected);
        mate_clear(used);
    }
    mate_free(used);
}
END_TEST

START_TEST(a_stop_that_is_already_set_ends_the_search_at_once)
{
    struct mate_solver *solver = mate_new(4 << 20, 1);
    struct position pos = read_sfen(hard_sfen);
    _Atomic bool stop = true;
    struct mate_limits limits = {.stop = &stop};
    mate_solve(solver, &pos, &limits, &result);
    ck_assert_int_eq(result.verdict, MATE_UNKNOWN);
    ck_assert_int_eq(result.end, MATE_END_STOP);
    ck_assert_uint_le(result.nodes, 200);
    mate_free(solver);
}
END_TEST

START_TEST(a_time_limit_ends_the_search)
{
    struct mate_solver *solver = mate_new(4 << 20, 1);
    struct position pos = read_sfen(hard_sfen);
    struct mate_limits limits = {.time_ms = 30};
    mate_solve(solver, &pos, &limits, &result);
    ck_assert_int_eq(result.verdict, MATE_UNKNOWN);
    ck_assert_int_eq(result.end, MATE_END_TIME);
    mate_free(solver);
}
END_TEST

START_TEST(a_mate_longer_than_plies_max_is_not_found_but_the_bound_is_proved)
{
    struct mate_solver *solver = mate_new(4 << 20, 1);
    struct position pos = read_sfen("9/5g1s1/8k/6+R2/9/6R1S/5B3/9/9 b b3g2s4n4l18p 1"); /* 7 plies */
    for (int plies = 1; plies <= 9; plies += 2) {
        struct mate_limits limits = {.plies_max = plies};
        mate_solve(solver, &pos, &limits, &result);
        ck_assert_int_eq(result.verdict, plies >= 7 ? MATE_PROVED : MATE_UNKNOWN);
        if (plies < 7) ck_assert_int_ge(result.refuted_plies, plies);
        if (plies < 7) ck_assert_int_lt(result.refuted_plies, 7);
    }
    mate_free(solver);
}
END_TEST

START_TEST(a_mate_whose_shortening_ran_out_of_nodes_still_has_its_whole_proof)
{
    struct mate_solver *solver = mate_new(4 << 20, 1);
    struct position pos = read_sfen("8k/R7s/g5N2/1R7/8L/4+b4/9/9/9 b b3g3s3n3l18p 1");
    int unfinished = 0;
    for (uint64_t nodes = 500; nodes <= 30000; nodes += 500) {
        mate_clear(solver);
        solve(solver, &pos, nodes);
        if (result.verdict != MATE_PROVED) continue;
        unfinished += !result.shortest;
        int depth = 0;
        walk(solver, &pos, result.plies, &depth);
        ck_assert_int_eq(depth, result.plies);
    }
    ck_assert_int_gt(unfinished, 0);
    mate_free(solver);
}
END_TEST

START_TEST(any_length_is_content_with_a_replayed_mate)
{
    struct mate_solver *solver = mate_new(4 << 20, 1);
    struct position pos = read_sfen("8k/R7s/g5N2/1R7/8L/4+b4/9/9/9 b b3g3s3n3l18p 1");
    struct mate_limits limits = {.any_length = true};
    mate_solve(solver, &pos, &limits, &result);
    ck_assert_int_eq(result.verdict, MATE_PROVED);
    check_line(&pos, &result);
    ck_assert_int_ge(result.plies, 13);
    mate_free(solver);
}
END_TEST

START_TEST(a_tiny_table_changes_only_whether_an_answer_is_found)
{
    static const struct {
        const char *sfen;
        int plies;
    } cases[] = {
        {"6SRp/5bP2/6GGP/8k/8N/8N/9/9/9 b rb2g3s2n4l15p 1", 11},
        {"8k/R7s/g5N2/1R7/8L/4+b4/9/9/9 b b3g3s3n3l18p 1", 13},
        {"n+B1sS4/1R1g5/1Ls6/2k6/2n6/3L5/R8/9/9 b B2P3gs2n2l16p 1", 0}, /* a mate of unknown length */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mate_solver *solver = mate_new(MATE_TABLE_BYTES_MIN, 1);
        struct position pos = read_sfen(cases[i].sfen);
        solve(solver, &pos, 300000);
        ck_assert_int_ne(result.verdict, MATE_REFUTED);
        if (result.verdict == MATE_PROVED && result.shortest && cases[i].plies > 0)
            ck_assert_int_eq(result.plies, cases[i].plies);
        mate_free(solver);
    }
}
END_TEST

/* Every short problem and every position without mate, in tables that hold next to nothing. */
START_TEST(no_table_is_small_enough_for_a_wrong_verdict)
{
    static const char *const paths[] = {"tests/data/mate/short-generated.sfen", "tests/data/mate/nomate.sfen",
                                        "tests/data/mate/underpromotion.sfen"};
    struct mate_solver *solver = mate_new(MATE_TABLE_BYTES_MIN, 1);
    int problems = 0, settled = 0;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        FILE *file = fopen(paths[i], "r");
        ck_assert_ptr_nonnull(file);
        char line[1024];
        while (fgets(line, sizeof line, file)) {
            char *tab = strchr(line, '\t');
            if (line[0] == '#' || !tab) continue;
            *tab = '\0';
            struct position pos = read_sfen(line);
            int plies = atoi(tab + 1);
            solve(solver, &pos, 5000);
            problems++;
            if (result.verdict == MATE_UNKNOWN) continue;
            settled++;
            ck_assert_msg((result.verdict == MATE_PROVED) == (plies > 0), "%s: wrong verdict", line);
            ck_assert_msg(result.plies >= plies && (!result.shortest || result.plies == plies), "%s: %d plies", line,
                          result.plies);
            ck_assert_msg(plies == 0 || result.refuted_plies < plies, "%s: true length refuted", line);
        }
        fclose(file);
    }
    ck_assert_int_ge(settled * 100, problems * 90);
    mate_free(solver);
}
END_TEST

START_TEST(the_same_verdict_and_length_come_out_of_every_table_size)
{
    static const struct {
        const char *sfen;
        int plies;
    } cases[] = {{"8k/R7s/g5N2/1R7/8L/4+b4/9/9/9 b b3g3s3n3l18p 1", 13},
                 {"6SRp/5bP2/6GGP/8k/8N/8N/9/9/9 b rb2g3s2n4l15p 1", 11},
                 {"9/7kp/R8/6P2/9/9/9/b8/9 b rb4g4s4n4l16p 1", 0}};
    for (size_t bytes = 512 << 10; bytes <= (size_t)64 << 20; bytes *= 2) {
        struct mate_solver *solver = mate_new(bytes, 1);
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            struct position pos = read_sfen(cases[i].sfen);
            mate_clear(solver);
            expect(solver, &pos, cases[i].plies);
        }
        mate_free(solver);
    }
}
END_TEST

/* Shogi Zuko no. 100 (Ito Kanju, 1755; record CC0). */
START_TEST(a_mate_in_611_plies_is_found_and_shown)
{
    struct position pos = read_sfen("g3p3+r/3lPG3/1s4ppp/1l1B4P/L2b1kPl1/3+p3+R+p/3+p2+s1S/+NP+p1gS3/1g+p2P3 b 4P3n 1");
    struct mate_solver *solver = mate_new(64 << 20, 1);
    struct mate_limits limits = {.any_length = true, .nodes = 20000000};
    mate_solve(solver, &pos, &limits, &result);
    ck_assert_int_eq(result.verdict, MATE_PROVED);
    ck_assert_int_ge(result.plies, 500);
    check_line(&pos, &result);
    mate_free(solver);
    _Static_assert(MATE_PLIES_MAX >= 4000, "the longest known works have over 1,500 plies; searches go deeper");
}
END_TEST

START_TEST(several_threads_on_one_table_give_the_same_verdicts_and_lengths)
{
    static const struct {
        const char *sfen;
        int plies;
    } cases[] = {
        {"9/7kp/R8/6P2/9/9/9/b8/9 b rb4g4s4n4l16p 1", 0},
        {"6SRp/5bP2/6GGP/8k/8N/8N/9/9/9 b rb2g3s2n4l15p 1", 11},
        {"8k/R7s/g5N2/1R7/8L/4+b4/9/9/9 b b3g3s3n3l18p 1", 13},
        {"8k/9/7+R1/9/9/9/9/9/9 b P 1", 0},
    };
    struct mate_solver *solver = mate_new(4 << 20, 4);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct position pos = read_sfen(cases[i].sfen);
        mate_clear(solver);
        expect(solver, &pos, cases[i].plies);
    }
    mate_free(solver);
}
END_TEST

static void *set_stop(void *flag)
{
    atomic_store((_Atomic bool *)flag, true);
    return NULL;
}

START_TEST(a_stop_from_another_thread_ends_all_threads)
{
    struct mate_solver *solver = mate_new(4 << 20, 3);
    struct position pos = read_sfen(hard_sfen);
    for (int i = 0; i < 20; i++) {
        _Atomic bool stop = false;
        struct mate_limits limits = {.stop = &stop};
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, set_stop, &stop), 0);
        mate_solve(solver, &pos, &limits, &result);
        pthread_join(thread, NULL);
        ck_assert_int_eq(result.verdict, MATE_UNKNOWN);
    }
    mate_free(solver);
}
END_TEST

struct late_stop {
    _Atomic bool stop;
    clockid_t solver_clock; /* processor time of the thread that solves */
    struct timespec at;
};

static void *stop_later(void *argument)
{
    struct late_stop *late = argument;
    struct timespec now = {0};
    while (now.tv_sec == 0 && now.tv_nsec < 30000000) clock_gettime(late->solver_clock, &now);
    atomic_store(&late->stop, true);
    clock_gettime(late->solver_clock, &late->at); /* not before: this thread may lose the processor in between */
    return NULL;
}

START_TEST(a_stop_is_honoured_within_50_ms_of_work)
{
    struct mate_solver *solver = mate_new(64 << 20, 1);
    struct position pos = read_sfen(hard_sfen);
    struct late_stop late = {.stop = false};
    pthread_t thread;
    struct timespec end;
    ck_assert_int_eq(pthread_getcpuclockid(pthread_self(), &late.solver_clock), 0);
    ck_assert_int_eq(pthread_create(&thread, NULL, stop_later, &late), 0);
    struct mate_limits limits = {.stop = &late.stop};
    mate_solve(solver, &pos, &limits, &result);
    clock_gettime(late.solver_clock, &end);
    pthread_join(thread, NULL);
    ck_assert_int_eq(result.end, MATE_END_STOP);
    int64_t used_ns = (int64_t)(end.tv_sec - late.at.tv_sec) * 1000000000 + (end.tv_nsec - late.at.tv_nsec);
    ck_assert_msg(used_ns < 50000000, "%.1f ms", (double)used_ns / 1e6);
    mate_free(solver);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *model = tcase_create("model");
    tcase_set_timeout(model, 1200); /* for CHECK_MATE_POSITIONS; a quarter of a minute as it is */
    tcase_add_loop_test(model, every_random_position_gets_the_verdict_and_length_of_the_slow_solver, 0, RANDOM_ROWS);
    suite_add_tcase(suite, model);

    TCase *files = tcase_create("files");
    tcase_set_timeout(files, 600);
    tcase_add_loop_test(files, generated_problems_have_their_exact_length_in_a_small_table, 0, 4);
    tcase_add_loop_test(files, problems_that_need_a_piece_to_stay_unpromoted_are_solved, 0, 4);
    tcase_add_loop_test(files, positions_without_mate_are_refuted, 0, 4);
    tcase_add_test(files, positions_of_public_bug_reports_get_the_right_answer);
    tcase_add_test(files, a_position_of_long_interpositions_is_refuted_in_ten_thousand_nodes);
    tcase_add_test(files, without_an_enemy_king_there_is_no_mate);
    suite_add_tcase(suite, files);

    TCase *proof = tcase_create("proof");
    tcase_add_test(proof, the_proof_can_be_walked_and_is_as_deep_as_it_says);
    tcase_add_test(proof, the_hands_of_proof_and_refutation_hold_for_other_hands_too);
    tcase_add_test(proof, only_the_allowed_first_moves_count);
    suite_add_tcase(suite, proof);

    TCase *limits = tcase_create("limits");
    tcase_set_timeout(limits, 600);
    tcase_add_test(limits, the_node_limit_is_exact_and_the_same_work_gives_the_same_numbers);
    tcase_add_test(limits, a_cleared_table_is_as_good_as_a_new_one);
    tcase_add_test(limits, a_stop_that_is_already_set_ends_the_search_at_once);
    tcase_add_test(limits, a_time_limit_ends_the_search);
    tcase_add_test(limits, a_mate_longer_than_plies_max_is_not_found_but_the_bound_is_proved);
    tcase_add_test(limits, a_mate_whose_shortening_ran_out_of_nodes_still_has_its_whole_proof);
    tcase_add_test(limits, any_length_is_content_with_a_replayed_mate);
    tcase_add_test(limits, a_tiny_table_changes_only_whether_an_answer_is_found);
    tcase_add_test(limits, no_table_is_small_enough_for_a_wrong_verdict);
    tcase_add_test(limits, the_same_verdict_and_length_come_out_of_every_table_size);
    tcase_add_test(limits, a_mate_in_611_plies_is_found_and_shown);
    suite_add_tcase(suite, limits);

    TCase *threads = tcase_create("threads");
    tcase_set_timeout(threads, 600);
    tcase_add_test(threads, several_threads_on_one_table_give_the_same_verdicts_and_lengths);
    tcase_add_test(threads, a_stop_from_another_thread_ends_all_threads);
    tcase_add_test(threads, a_stop_is_honoured_within_50_ms_of_work);
    suite_add_tcase(suite, threads);
}

CHECK_MAIN("mate_solver", add_cases)
