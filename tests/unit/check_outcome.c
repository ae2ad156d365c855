/* check_outcome.c - repetition, perpetual check, declaration, the move limit: by hand-made games, and by random ones
 * against a referee that compares whole boards. */
#include <string.h>

#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "common/shogi/outcome.h"
#include "common/shogi/sfen.h"
#include "tests/model/playout.h"
#include "tests/unit/check_main.h"

struct game {
    struct history history;
    struct position pos;
};

static struct game game; /* too large for a stack that may be small */

static void start(const char *sfen)
{
    game.pos = playout_position(sfen);
    history_start(&game.history, &game.pos);
}

/* Plays moves separated by blanks. */
static void play(const char *moves)
{
    while (*moves != 0) {
        size_t bytes = strcspn(moves, " ");
        Move move = movetext_from_usi(&game.pos, moves, bytes);
        ck_assert_msg(move != MOVE_NONE, "%s", moves);
        struct undo undo;
        position_do(&game.pos, move, &undo);
        ck_assert(history_push(&game.history, &game.pos));
        moves += bytes;
        moves += strspn(moves, " ");
    }
}

static void play_times(int times, const char *moves)
{
    while (times-- > 0) play(moves);
}

static enum outcome referee(void) { return history_referee(&game.history, &game.pos); }

static enum outcome verdict(uint32_t root_count, int *back)
{
    return history_search_verdict(&game.history, &game.pos, root_count, back);
}

#define SHUFFLE "2h3h 8b7b 3h2h 7b8b"

START_TEST(the_fourth_occurrence_is_a_draw_and_the_third_is_not)
{
    start(SFEN_STARTPOS);
    play_times(2, SHUFFLE);
    ck_assert_int_eq(referee(), OUTCOME_NONE);
    play("2h3h 8b7b 3h2h");
    ck_assert_int_eq(referee(), OUTCOME_NONE);
    play("7b8b");
    ck_assert_int_eq(referee(), OUTCOME_DRAW_REPETITION);
    ck_assert_int_eq(game_outcome(&game.history, &game.pos, 0), OUTCOME_DRAW_REPETITION);
    history_pop(&game.history);
    ck_assert_uint_eq(game.history.count, 12);
}
END_TEST

START_TEST(the_same_board_with_other_hands_or_the_other_side_to_move_is_no_repetition)
{
    start("4k4/9/9/9/9/9/9/9/4K4 b P 1");
    play("P*5e 5a5b 5i5h");
    ck_assert_int_eq(referee(), OUTCOME_NONE);
    /* a round trip in five single steps changes who is to move: the triangle of the king */
    start("4k4/9/9/9/9/9/9/9/4K4 b - 1");
    play_times(2, "5i5h 5a5b 5h4h 5b5a 4h5i 5a5b 5i5h 5b5a 5h4h 5a5b 4h5i 5b5a");
    ck_assert_int_eq(referee(), OUTCOME_NONE);
    play("5i5h 5a5b 5h4h 5b5a 4h5i 5a5b 5i5h 5b5a 5h4h 5a5b 4h5i 5b5a");
    ck_assert_int_eq(referee(), OUTCOME_DRAW_REPETITION);
}
END_TEST

#define CHECKS "5i4i 4a5a 4i5i 5a4a"

START_TEST(checking_with_every_move_loses_when_the_checker_is_to_move)
{
    start("5k3/9/9/9/9/9/K8/9/4R4 b - 1");
    play_times(2, CHECKS);
    ck_assert_int_eq(referee(), OUTCOME_NONE);
    play(CHECKS);
    ck_assert_int_eq(referee(), OUTCOME_PERPETUAL_LOSS);
    ck_assert_int_eq(game_outcome(&game.history, &game.pos, 0), OUTCOME_PERPETUAL_LOSS);
}
END_TEST

START_TEST(checking_with_every_move_loses_when_the_checked_side_is_to_move)
{
    start("5k3/9/9/9/9/9/K8/9/5R3 w - 2");
    play_times(3, "4a5a 4i5i 5a4a 5i4i");
    ck_assert_int_eq(referee(), OUTCOME_PERPETUAL_WIN);
}
END_TEST

START_TEST(white_may_be_the_perpetual_checker_too)
{
    start("4r4/9/k8/9/9/9/9/9/5K3 w - 1");
    play_times(3, "5a4a 4i5i 4a5a 5i4i");
    ck_assert_int_eq(referee(), OUTCOME_PERPETUAL_LOSS);
    start("5r3/9/k8/9/9/9/9/9/5K3 b - 1");
    play_times(3, "4i5i 4a5a 5i4i 5a4a");
    ck_assert_int_eq(referee(), OUTCOME_PERPETUAL_WIN);
}
END_TEST

START_TEST(one_move_without_check_between_first_and_fourth_makes_it_a_draw)
{
    start("5k3/9/9/9/9/9/K8/9/4R4 b - 1");
    play(CHECKS);
    play("5i5h 4a3a 5h5i 3a4a");
    play(CHECKS);
    ck_assert_int_eq(referee(), OUTCOME_DRAW_REPETITION);
}
END_TEST

START_TEST(quiet_moves_before_the_first_occurrence_do_not_help_the_checker)
{
    start("6k2/9/9/9/9/9/K8/9/3R5 b - 1");
    play("6i5i 3a4a");
    play_times(3, CHECKS);
    ck_assert_int_eq(referee(), OUTCOME_PERPETUAL_LOSS);
}
END_TEST

START_TEST(a_quiet_round_trip_after_the_first_occurrence_makes_it_a_draw)
{
    start("5k3/9/9/9/9/9/K8/9/4R4 b - 1");
    play("9g9h 4a3a 9h9g 3a4a");
    play_times(2, CHECKS);
    ck_assert_int_eq(referee(), OUTCOME_DRAW_REPETITION);
}
END_TEST

START_TEST(cycles_of_twenty_plies_end_at_the_fourth_occurrence)
{
    static const char round[] =
        "5i4i 5a6a 4i3i 6a7a 3i2i 7a8a 2i1i 8a9a 1i1h 9a9b 1h2h 9b8b 2h3h 8b7b 3h4h 7b6b 4h5h 6b5b 5h5i 5b5a";
    start("4k4/9/9/9/9/9/9/9/4K4 b - 1");
    play_times(2, round);
    ck_assert_int_eq(referee(), OUTCOME_NONE);
    play(round);
    ck_assert_int_eq(referee(), OUTCOME_DRAW_REPETITION);
}
END_TEST

/* Two moves that can both be taken back, so that four plies lead to the same position. */
static bool find_shuffle(Move shuffle[4])
{
    Move mine[MOVES_MAX], theirs[MOVES_MAX];
    struct undo undo[4];
    size_t my_count = movegen_legal(&game.pos, mine);
    for (size_t i = 0; i < my_count; i++) {
        position_do(&game.pos, mine[i], &undo[0]);
        size_t their_count = movegen_legal(&game.pos, theirs);
        for (size_t j = 0; j < their_count; j++) {
            Move line[4] = {mine[i], theirs[j], move_make(move_to(mine[i]), move_from(mine[i])),
                            move_make(move_to(theirs[j]), move_from(theirs[j]))};
            if (move_is_drop(line[0]) || move_promotes(line[0]) || move_is_drop(line[1]) || move_promotes(line[1]))
                continue;
            if (undo[0].captured != NO_PIECE || game.pos.board[move_to(line[1])] != NO_PIECE) continue;
            position_do(&game.pos, line[1], &undo[1]);
            bool back = position_pseudo_legal(&game.pos, line[2]) && position_legal(&game.pos, line[2]);
            if (back) {
                position_do(&game.pos, line[2], &undo[2]);
                back = position_pseudo_legal(&game.pos, line[3]) && position_legal(&game.pos, line[3]);
                position_undo(&game.pos, &undo[2]);
            }
            position_undo(&game.pos, &undo[1]);
            if (!back) continue;
            memcpy(shuffle, line, sizeof line);
            position_undo(&game.pos, &undo[0]);
            return true;
        }
        position_undo(&game.pos, &undo[0]);
    }
    return false;
}

START_TEST(a_repetition_after_a_long_game_is_seen)
{
    struct prng prng = prng_make((uint64_t)_i);
    struct undo undo;
    start(SFEN_STARTPOS);
    for (int ply = 0; ply < 120; ply++) {
        Move move = playout_pick(&game.pos, &prng);
        if (move == MOVE_NONE) return; /* mated early: nothing to see with this seed */
        position_do(&game.pos, move, &undo);
        ck_assert(history_push(&game.history, &game.pos));
    }
    Move shuffle[4];
    if (!find_shuffle(shuffle)) return;
    for (int ply = 0; ply < 12; ply++) {
        position_do(&game.pos, shuffle[ply % 4], &undo);
        ck_assert(history_push(&game.history, &game.pos));
    }
    ck_assert_int_ne(referee(), OUTCOME_NONE);
    ck_assert_uint_gt(game.history.count, 130);
}
END_TEST

START_TEST(history_beyond_its_limit_is_refused_and_changes_nothing)
{
    start("4k4/9/9/9/9/9/9/9/4K4 b - 1");
    while (game.history.count < HISTORY_MAX) ck_assert(history_push(&game.history, &game.pos));
    ck_assert(!history_push(&game.history, &game.pos));
    ck_assert(!history_push_null(&game.history, &game.pos));
    ck_assert_uint_eq(game.history.count, HISTORY_MAX);
}
END_TEST

START_TEST(search_takes_the_second_occurrence_after_the_root_and_the_fourth_before_it)
{
    int back = 0;
    start(SFEN_STARTPOS);
    play("7g7f 3c3d");
    uint32_t root = game.history.count;
    play("2h3h 8b7b 3h2h 7b8b"); /* repeats the root itself: only the second time */
    ck_assert_int_eq(verdict(root, &back), OUTCOME_NONE);
    play("2h3h"); /* repeats the first position after the root */
    ck_assert_int_eq(verdict(root, &back), OUTCOME_DRAW_REPETITION);
    ck_assert_int_eq(back, 4);

    start(SFEN_STARTPOS);
    play_times(2, SHUFFLE);
    root = game.history.count;
    play("2h3h");
    ck_assert_int_eq(verdict(root, &back), OUTCOME_NONE); /* third */
    start(SFEN_STARTPOS);
    play_times(2, SHUFFLE);
    play("2h3h 8b7b 3h2h");
    root = game.history.count;
    play("7b8b");
    ck_assert_int_eq(verdict(root, &back), OUTCOME_DRAW_REPETITION);
    ck_assert_int_eq(back, 12);
}
END_TEST

START_TEST(search_sees_perpetual_check_at_the_second_occurrence)
{
    int back = 0;
    start("5k3/9/9/9/9/9/K8/9/4R4 b - 1");
    play(CHECKS);
    ck_assert_int_eq(verdict(0, &back), OUTCOME_PERPETUAL_LOSS);
    ck_assert_int_eq(verdict(1, &back), OUTCOME_NONE);
    play("5i4i");
    ck_assert_int_eq(verdict(1, &back), OUTCOME_PERPETUAL_WIN);
    ck_assert_int_eq(back, 4);
}
END_TEST

START_TEST(more_in_hand_on_the_same_board_is_superior_and_less_is_inferior)
{
    int back = 0;
    /* the rook eats a pawn and goes back, White drops one there: same board, but a pawn has changed hands */
    start("6k2/9/9/9/4p4/9/9/9/K3R4 w p 1");
    play("3a4a");
    play("5i5e 4a3a 5e5i 3a3b 9i9h P*5e 9h9i 3b4a");
    ck_assert_int_eq(verdict(1, &back), OUTCOME_SUPERIOR);
    ck_assert_int_eq(back, 8);
    ck_assert_int_eq(verdict(2, &back), OUTCOME_NONE); /* at the root it says nothing */
    ck_assert_int_eq(referee(), OUTCOME_NONE);
    start("5k3/9/9/9/4p4/9/9/K8/4R4 b p 1");
    play("9h9i");
    play("4a3a 5i5e 3a3b 5e5i 3b4a 9i9h P*5e 9h9i");
    ck_assert_int_eq(verdict(1, &back), OUTCOME_INFERIOR);
    ck_assert_int_eq(back, 8);
}
END_TEST

/* l5snl..., moves 4e4f 6h4f P*4e 4f6h: White has given a pawn away for nothing. From a public report on how this was
 * shown. */
START_TEST(the_reported_inferior_repetition_is_recognised)
{
    int back = 0;
    start("l5snl/3k5/1pnsg1b2/p1ppp1g1p/5pp2/PPP1P4/2SP5/K1GB5/LNG4+r1 w 2Prsnl3p 78");
    play("4e4f 6h4f P*4e 4f6h");
    ck_assert_int_eq(verdict(0, &back), OUTCOME_INFERIOR);
    ck_assert_int_eq(back, 4);
    ck_assert_int_eq(verdict(1, &back), OUTCOME_NONE);
}
END_TEST

START_TEST(a_pass_hides_what_lies_behind_it_and_ends_runs_of_checks)
{
    int back = 0;
    struct undo undo;
    start("4k4/9/9/9/9/9/9/9/4K4 b - 1");
    play("5i5h 5a5b");
    position_do_null(&game.pos, &undo);
    ck_assert(history_push_null(&game.history, &game.pos));
    play("5b4b 5h4h 4b5a 4h5h"); /* as after the first move */
    ck_assert_int_eq(verdict(0, &back), OUTCOME_NONE);
    play("5a4b 5h4h 4b5a 4h5h"); /* as four plies ago, this side of the pass */
    ck_assert_int_eq(verdict(0, &back), OUTCOME_DRAW_REPETITION);

    start("5k3/9/9/9/9/9/K8/9/4R4 b - 1");
    play("5i4i 4a5a 4i5i 5a4a");
    ck_assert_uint_eq(game.history.entries[game.history.count - 1].check_run[BLACK], 2);
    position_do_null(&game.pos, &undo);
    ck_assert(history_push_null(&game.history, &game.pos));
    ck_assert_uint_eq(game.history.entries[game.history.count - 1].check_run[BLACK], 0);
}
END_TEST

/* ---- random games against a referee that compares whole boards --------------------------------------------------- */

struct seen {
    struct position pos;
    bool check; /* the move that led here gave check */
};
static struct seen seen[400];

static bool same_all(const struct position *a, const struct position *b)
{
    return memcmp(a->board, b->board, sizeof a->board) == 0 && a->hand[0] == b->hand[0] && a->hand[1] == b->hand[1] &&
           a->side == b->side;
}

static enum outcome slow_referee(size_t count)
{
    const struct position *now = &seen[count - 1].pos;
    size_t occurrences = 1, first = count - 1;
    for (size_t i = count - 1; i-- > 0 && occurrences < 4;)
        if (same_all(&seen[i].pos, now)) {
            occurrences++;
            first = i;
        }
    if (occurrences < 4) return OUTCOME_NONE;
    bool all_mine = true, all_theirs = true; /* the moves that led to entries first+1 .. count-1 */
    for (size_t i = first + 1; i < count; i++) {
        bool by_mover_now = seen[i].pos.side != now->side; /* entry i was reached by the side that waits in it */
        if (by_mover_now)
            all_mine = all_mine && seen[i].check;
        else
            all_theirs = all_theirs && seen[i].check;
    }
    if (all_mine == all_theirs) return OUTCOME_DRAW_REPETITION;
    return all_theirs ? OUTCOME_PERPETUAL_WIN : OUTCOME_PERPETUAL_LOSS;
}

START_TEST(random_games_end_as_the_slow_referee_says)
{
    static const char *const small[] = {
        "4k4/9/9/9/9/9/9/9/4K4 b - 1",     "5k3/9/9/9/9/9/K8/9/4R4 b - 1",
        "7k1/9/9/9/9/9/9/9/K7R b - 1",     "k8/9/1+R7/9/9/9/9/9/8K b - 1",
        "k8/9/1+R7/9/9/9/9/7+r1/K8 w - 1", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "kr7/9/9/9/9/9/9/9/K1R6 b P 1",
    };
    struct prng prng = prng_make((uint64_t)_i);
    unsigned kinds[OUTCOME_MATED + 1] = {0};
    for (int round = 0; round < 3000; round++) {
        start(small[prng_below(&prng, sizeof small / sizeof *small)]);
        size_t count = 0;
        seen[count++] = (struct seen){game.pos, false};
        bool stubborn = prng_chance(&prng, 700); /* the mover checks whenever it can */
        Move last[4] = {MOVE_NONE, MOVE_NONE, MOVE_NONE, MOVE_NONE};
        while (count < 200) {
            Move moves[MOVES_MAX], move;
            size_t legal = movegen_legal(&game.pos, moves);
            if (legal == 0) break;
            move = moves[prng_below(&prng, (uint32_t)legal)];
            for (size_t i = 0; i < legal; i++) { /* often take the last move back, often check */
                bool back = !move_is_drop(moves[i]) && !move_is_drop(last[1]) &&
                            moves[i] == move_make(move_to(last[1]), move_from(last[1]));
                if ((back && prng_chance(&prng, 600)) ||
                    (stubborn && position_gives_check(&game.pos, moves[i]) && prng_chance(&prng, 800)))
                    move = moves[i];
            }
            struct undo undo;
            position_do(&game.pos, move, &undo);
            ck_assert(history_push(&game.history, &game.pos));
            seen[count++] = (struct seen){game.pos, position_in_check(&game.pos)};
            memmove(last + 1, last, 3 * sizeof *last);
            last[0] = move;
            enum outcome expected = slow_referee(count), found = referee();
            if (expected != found) {
                char text[SFEN_BYTES_MAX];
                sfen_write(&game.pos, text);
                ck_abort_msg("round %d, %s: %d, expected %d", round, text, found, expected);
            }
            kinds[found]++;
            if (found != OUTCOME_NONE) break;
        }
    }
    ck_assert_uint_gt(kinds[OUTCOME_DRAW_REPETITION], 100);
    ck_assert_uint_gt(kinds[OUTCOME_PERPETUAL_WIN] + kinds[OUTCOME_PERPETUAL_LOSS], 20);
}
END_TEST

/* ---- declarations -------------------------------------------------------------------------------------------------
 */

#define CAMP       "+R+BGGK2+P+P/+P+P+P+P5/9/9/9/9/9/9/k8 b " /* 10 pieces, 18 points */
#define CAMP_WHITE "8K/9/9/9/9/9/9/5+p+p+p+p/+p+p2kgg+b+r w " /* the same seen from White */
#define HANDICAP   "9/9/9/9/9/9/nnll5/+p+p7/ggss1k3 w "       /* 10 pieces, 10 points */

static const struct declaration {
    const char *sfen;
    enum entering_king_rule rule;
    bool wins;
} declarations[] = {
    {CAMP "RB 1", RULE_CSA27, true},   /* 28 */
    {CAMP "R5P 1", RULE_CSA27, true},  /* 28 */
    {CAMP "R4P 1", RULE_CSA27, false}, /* 27 is enough for White only */
    {CAMP "RB 1", RULE_CSA27H, true},
    {CAMP "R4P 1", RULE_CSA27H, false},
    {CAMP "RB 1", RULE_NONE, false},
    {CAMP "RB 1", RULE_CSA24, false},   /* 28 points are a draw by the 24-point rule */
    {CAMP "5P 1", RULE_CSA24, false},   /* 23 */
    {CAMP "6P 1", RULE_CSA24, false},   /* 24: a draw may be claimed by humans, not a win */
    {CAMP "RB2P 1", RULE_CSA24, false}, /* 30 */
    {CAMP "RB3P 1", RULE_CSA24, true},  /* 31 */
    {CAMP "RB3P 1", RULE_CSA24H, true},
    {CAMP "RB2P 1", RULE_CSA24H, false},      /* nothing is added for Black */
    {CAMP_WHITE "r4p 1", RULE_CSA27, true},   /* 27 */
    {CAMP_WHITE "r3p 1", RULE_CSA27, false},  /* 26 */
    {CAMP_WHITE "rb2p 1", RULE_CSA24, false}, /* 30 */
    {CAMP_WHITE "rb3p 1", RULE_CSA24, true},  /* 31 */
    /* two-piece handicap: 44 points on board and in hands; White has 17 of them */
    {HANDICAP "RB2G2S2N2L9P7p 1", RULE_CSA27, false},
    {HANDICAP "RB2G2S2N2L9P7p 1", RULE_CSA27H, true},
    {HANDICAP "RB2G2S2N2L10P6p 1", RULE_CSA27H, false}, /* 16 + 10 */
    {HANDICAP "RB2G2S2N2L5P11p 1", RULE_CSA24H, true},  /* 21 + 10 */
    {HANDICAP "RB2G2S2N2L6P10p 1", RULE_CSA24H, false}, /* 20 + 10 */
    {HANDICAP "RB2G2S2N2L5P11p 1", RULE_CSA24, false},
    /* nine pieces in the camp do not do, whatever the hand */
    {"+R+BGGK2+P1/+P+P+P+P5/9/9/9/9/9/9/k8 b RB5P 1", RULE_CSA27, false},
    {"+R+BGGK2+P1/+P+P+P+P5/9/9/9/9/9/9/k8 b RB5P 1", RULE_CSA24, false},
    /* a tenth piece outside the camp does not count */
    {"+R+BGGK2+P1/+P+P+P+P5/9/P8/9/9/9/9/k8 b RB5P 1", RULE_CSA27, false},
    {"+R+BGGK2+P1/+P+P+P+P5/P8/9/9/9/9/9/k8 b RB 1", RULE_CSA27, true},
    /* points outside the camp do not count */
    {"+R+BGGK2+P+P/+P+P+P+P5/9/1R7/9/9/9/9/k8 b B 1", RULE_CSA27, false},
    /* the king must be in, and not in check */
    {"+R+BGG3+P+P/+P+P+P+P5/9/4K4/9/9/9/9/k8 b RB 1", RULE_CSA27, false},
    {"+R+BGG3+P+P/+P+P+P+P5/4K4/9/9/9/9/9/k8 b RB 1", RULE_CSA27, true},
    {"+R+BGGK2+P+P/+P+P+P+P5/9/9/9/9/9/9/k3r4 b B5P 1", RULE_CSA27, false},
    {"+R+BGGK2+P+P/+P+P+P+P5/9/9/9/9/9/9/k4r3 b B5P 1", RULE_CSA27, true},
    /* without a king there is nothing to declare */
    {"+R+BGG3+P+P/+P+P+P+P5/9/9/9/9/9/9/k8 b RB 1", RULE_CSA27, false},
    /* try rule */
    {"9/4K4/9/9/9/9/9/9/k8 b - 1", RULE_TRY, true},
    {"4p4/4K4/9/9/9/9/9/9/k8 b - 1", RULE_TRY, true},  /* takes the pawn */
    {"4G4/4K4/9/9/9/9/9/9/k8 b - 1", RULE_TRY, false}, /* own piece there */
    {"9/4K4/9/9/9/9/9/9/k3r4 b - 1", RULE_TRY, false}, /* the rook looks through the king's square */
    {"9/4K4/9/9/9/7b1/9/9/k8 b - 1", RULE_TRY, true},  /* out of check into the goal */
    {"9/4K4/9/9/8b/9/9/9/k8 b - 1", RULE_TRY, false},  /* 5a is attacked from 1e */
    {"9/9/4K4/9/9/9/9/9/k8 b - 1", RULE_TRY, false},   /* two steps away */
    {"4K4/9/9/9/9/9/9/9/k8 b - 1", RULE_TRY, false},   /* is there already */
    {"8K/9/9/9/9/9/9/4k4/9 w - 1", RULE_TRY, true},
    {"8K/9/9/9/9/9/9/9/4k4 w - 1", RULE_TRY, false},
};

START_TEST(declarations_win_exactly_when_every_condition_holds)
{
    const struct declaration *d = &declarations[_i];
    struct position pos = playout_position(d->sfen);
    Move move = MOVE_NONE;
    ck_assert_msg(declaration_wins(&pos, d->rule, &move) == d->wins, "%s rule %d", d->sfen, d->rule);
    if (!d->wins) {
        ck_assert_uint_eq(move, MOVE_NONE);
    } else if (d->rule == RULE_TRY) {
        ck_assert_uint_eq(move_to(move), pos.side == BLACK ? square_make(5, 1) : square_make(5, 9));
        ck_assert(position_pseudo_legal(&pos, move) && position_legal(&pos, move));
    } else {
        ck_assert_uint_eq(move, MOVE_WIN);
    }
}
END_TEST

START_TEST(rule_names_are_those_of_the_option_and_read_back)
{
    static const char *const names[RULE_COUNT] = {"NoEnteringKing", "CSARule24",  "CSARule24H",
                                                  "CSARule27",      "CSARule27H", "TryRule"};
    enum entering_king_rule rule = RULE_NONE;
    for (unsigned i = 0; i < RULE_COUNT; i++) {
        ck_assert_str_eq(entering_king_rule_name((enum entering_king_rule)i), names[i]);
        ck_assert(entering_king_rule_from_name(names[i], &rule));
        ck_assert_uint_eq(rule, i);
    }
    ck_assert(!entering_king_rule_from_name("csarule27", &rule));
    ck_assert(!entering_king_rule_from_name("", &rule));
}
END_TEST

/* ---- the end of the game ------------------------------------------------------------------------------------------
 */

static enum outcome after(const char *sfen, const char *moves, unsigned limit)
{
    start(sfen);
    play(moves);
    return game_outcome(&game.history, &game.pos, limit);
}

START_TEST(move_n_is_the_last_unless_it_mates)
{
    static const char before_256[] = "4k4/9/4P4/9/9/9/9/9/4K4 b G 256";
    ck_assert_int_eq(after(before_256, "", 256), OUTCOME_NONE);
    ck_assert_int_eq(after(before_256, "G*5b", 256), OUTCOME_MATED);
    ck_assert_int_eq(after(before_256, "G*4b", 256), OUTCOME_DRAW_MOVE_LIMIT);
    ck_assert_int_eq(after(before_256, "G*4b", 257), OUTCOME_NONE);
    ck_assert_int_eq(after(before_256, "G*4b 5a6a", 257), OUTCOME_DRAW_MOVE_LIMIT);
    ck_assert_int_eq(after(before_256, "", 255), OUTCOME_DRAW_MOVE_LIMIT);
    ck_assert_int_eq(after(before_256, "G*5b", 255), OUTCOME_MATED);
    ck_assert_int_eq(after(before_256, "G*4b", 0), OUTCOME_NONE);
}
END_TEST

START_TEST(without_a_legal_move_the_game_is_lost_also_without_check)
{
    /* White's bare king in the corner may not step next to the gold's squares: no move, no check, still lost */
    ck_assert_int_eq(after("8k/9/6+RG1/9/9/9/9/9/K8 b - 1", "2c2b", 0), OUTCOME_MATED);
    ck_assert_int_eq(after("9/9/9/9/9/9/9/9/K8 w - 1", "", 0), OUTCOME_MATED);
}
END_TEST

START_TEST(repetition_is_judged_before_the_move_limit)
{
    start(SFEN_STARTPOS);
    play_times(3, SHUFFLE);
    ck_assert_int_eq(game_outcome(&game.history, &game.pos, 12), OUTCOME_DRAW_REPETITION);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *repetition = tcase_create("repetition");
    tcase_add_test(repetition, the_fourth_occurrence_is_a_draw_and_the_third_is_not);
    tcase_add_test(repetition, the_same_board_with_other_hands_or_the_other_side_to_move_is_no_repetition);
    tcase_add_test(repetition, checking_with_every_move_loses_when_the_checker_is_to_move);
    tcase_add_test(repetition, checking_with_every_move_loses_when_the_checked_side_is_to_move);
    tcase_add_test(repetition, white_may_be_the_perpetual_checker_too);
    tcase_add_test(repetition, one_move_without_check_between_first_and_fourth_makes_it_a_draw);
    tcase_add_test(repetition, quiet_moves_before_the_first_occurrence_do_not_help_the_checker);
    tcase_add_test(repetition, a_quiet_round_trip_after_the_first_occurrence_makes_it_a_draw);
    tcase_add_test(repetition, cycles_of_twenty_plies_end_at_the_fourth_occurrence);
    tcase_add_loop_test(repetition, a_repetition_after_a_long_game_is_seen, 0, 40);
    tcase_add_test(repetition, history_beyond_its_limit_is_refused_and_changes_nothing);
    tcase_add_loop_test(repetition, random_games_end_as_the_slow_referee_says, 1, 4);
    suite_add_tcase(suite, repetition);
    TCase *search = tcase_create("search");
    tcase_add_test(search, search_takes_the_second_occurrence_after_the_root_and_the_fourth_before_it);
    tcase_add_test(search, search_sees_perpetual_check_at_the_second_occurrence);
    tcase_add_test(search, more_in_hand_on_the_same_board_is_superior_and_less_is_inferior);
    tcase_add_test(search, the_reported_inferior_repetition_is_recognised);
    tcase_add_test(search, a_pass_hides_what_lies_behind_it_and_ends_runs_of_checks);
    suite_add_tcase(suite, search);
    TCase *end = tcase_create("end");
    tcase_add_loop_test(end, declarations_win_exactly_when_every_condition_holds, 0,
                        (int)(sizeof declarations / sizeof *declarations));
    tcase_add_test(end, rule_names_are_those_of_the_option_and_read_back);
    tcase_add_test(end, move_n_is_the_last_unless_it_mates);
    tcase_add_test(end, without_a_legal_move_the_game_is_lost_also_without_check);
    tcase_add_test(end, repetition_is_judged_before_the_move_limit);
    suite_add_tcase(suite, end);
}

CHECK_MAIN("outcome", add_cases)
