/* Cases through verification and audit, with answers made up here; the rules of uniqueness are what is tested. */
#include "common/shogi/movetext.h"
#include "coordinator/core/mine.h"
#include "coordinator/core/motif.h"
#include "coordinator/view/puzzle.h"
#include "tests/unit/check_main.h"

#include <stdio.h>
#include <string.h>

static struct mine m;
static struct mine_case c;

static struct position position_of(const char *sfen)
{
    struct position pos;
    ck_assert_msg(sfen_read(&pos, sfen, strlen(sfen), NULL, NULL) == ST_OK, "%s", sfen);
    return pos;
}

static void begin(const char *sfen)
{
    struct position pos = position_of(sfen);
    m = mine_defaults();
    mine_case_init(&c, &pos, (struct judge_score){WIRE_SCORE_CP, -50});
}

/* Answers the question that is open; the text is an answer of task.h. */
static struct task reply(const char *text)
{
    struct task task;
    struct answer answer;
    struct text rest = text_from(text);
    ck_assert_msg(mine_question(&m, &c, &task), "decided before \"%s\"", text);
    ck_assert_msg(answer_next(&rest, &answer), "%s", text);
    mine_answer(&m, &c, &answer);
    return task;
}

static void ends(enum mine_verdict verdict, enum mine_reason reason)
{
    struct task task;
    ck_assert(!mine_question(&m, &c, &task));
    ck_assert_str_eq(mine_reason_word(c.reason), mine_reason_word(reason));
    ck_assert_int_eq(c.verdict, verdict);
}

#define NOMATE         "0 nomate - none 0 depth 4095 nodes 50\n"
#define SEARCH(lines)  "0 move 2g2f cp 1200 depth 11 nodes 600000\n" lines
#define UNIQUE         SEARCH(" cp 1200 depth 11 pv 2g2f 8c8d 2f2e\n cp 100 depth 11 pv 7g7f 8c8d\n")
#define SEVERAL        SEARCH(" cp 1200 depth 11 pv 2f2e 8d8e\n cp 1150 depth 11 pv 7g7f\n")
#define STARTPOS_BLACK SFEN_STARTPOS

#define CP(value)   ((struct judge_score){WIRE_SCORE_CP, value})
#define MATE(plies) ((struct judge_score){WIRE_SCORE_MATE, plies})
#define UNKNOWN     ((struct judge_score){WIRE_SCORE_NONE, 0})

static enum mine_chance chance(struct judge_score before, struct judge_score here)
{
    m = mine_defaults();
    return mine_chance(&m, &(struct mine_view){.before = before, .here = here});
}

START_TEST(a_candidate_is_a_mistake_that_leaves_a_win_in_a_game_that_was_open)
{
    ck_assert_int_eq(chance(CP(0), CP(900)), MINE_CHANCE_MISTAKE);
    ck_assert_int_eq(chance(CP(0), MATE(5)), MINE_CHANCE_MISTAKE);
    ck_assert_int_eq(chance(CP(0), CP(240)), MINE_CHANCE_NONE);
    ck_assert_int_eq(chance(CP(-900), CP(1500)), MINE_CHANCE_NONE); /* the solver was 900 ahead anyway: nothing new */
    ck_assert_int_eq(chance(CP(-700), CP(800)), MINE_CHANCE_NONE);  /* 700 ahead before and 800 after: no mistake */
    ck_assert_int_eq(chance(UNKNOWN, CP(900)), MINE_CHANCE_NONE);
    ck_assert_int_eq(chance(CP(0), MATE(0)), MINE_CHANCE_NONE); /* mated: over */
    /* The first look is wider. */
    ck_assert(mine_is_suspect(&m, CP(0), CP(130)));
    ck_assert(!mine_is_suspect(&m, CP(0), CP(50)));
}
END_TEST

START_TEST(a_mate_is_a_candidate_where_it_begins_and_where_it_is_let_go)
{
    ck_assert_int_eq(chance(CP(-2900), MATE(1)), MINE_CHANCE_MATE); /* won before, a mate only now */
    ck_assert_int_eq(chance(UNKNOWN, MATE(7)), MINE_CHANCE_MATE);
    ck_assert_int_eq(chance(MATE(-8), MATE(7)), MINE_CHANCE_NONE); /* it was there */
    struct mine_view view = {.turn_before = MATE(9), .before = CP(-2000), .here = MATE(7)};
    ck_assert_int_eq(mine_chance(&m, &view), MINE_CHANCE_NONE); /* also if only the solver's turns know it */
    view.after = CP(-1500);
    view.turn_after = CP(1400);
    ck_assert_int_eq(mine_chance(&m, &view), MINE_CHANCE_MISSED_MATE);
    view.turn_after = MATE(5);
    ck_assert_int_eq(mine_chance(&m, &view), MINE_CHANCE_NONE);
    view.turn_after = CP(1400);
    view.after = MATE(-6);
    ck_assert_int_eq(mine_chance(&m, &view), MINE_CHANCE_NONE);
}
END_TEST

START_TEST(a_single_mate_in_one_is_proved_and_proved_again)
{
    begin("4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1");
    struct task task = reply("0 mate G*5b mate 1 depth 0 nodes 9\n line G*5b\n");
    ck_assert_uint_eq(task.kind, JOB_MATE);
    ck_assert_int_eq(task.lane, TASK_VERIFY);
    ck_assert_uint_eq(task.nodes, (uint64_t)m.mate_nodes);
    task = reply("0 mate G*5b mate 1 depth 0 nodes 9\n line G*5b\n");
    ck_assert_int_eq(task.lane, TASK_AUDIT);
    ck_assert_uint_eq(task.nodes, 4 * (uint64_t)m.mate_nodes);
    ends(MINE_ACCEPTED, MINE_NONE);
    ck_assert(c.mate);
    ck_assert_uint_eq(c.count, 1);
}
END_TEST

START_TEST(two_mates_in_one_are_no_puzzle)
{
    begin("3nk4/3n5/4PL3/9/9/9/9/9/4K4 b G2r2b3g4s2n3l17p 1");
    reply("0 mate G*5b mate 1 depth 0 nodes 9\n line G*5b\n");
    ends(MINE_REJECTED, MINE_SEVERAL_MATES);
}
END_TEST

START_TEST(promoting_or_not_is_one_answer_where_both_mate)
{
    begin("4k4/3n1n3/4KS3/9/9/9/9/9/9 b 2r2b4g3s2n4l18p 1");
    reply("0 mate 4c5b+ mate 1 depth 0 nodes 9\n line 4c5b+\n");
    ck_assert_int_eq(c.lane, TASK_AUDIT);
}
END_TEST

START_TEST(other_moves_are_asked_for_at_every_move_of_a_longer_mate)
{
    /* 3 plies: G*3a 2b1b G*... as told; only that the questions are right is looked at. */
    begin("7nl/7k1/6Ppp/6G2/9/9/9/9/4K4 b GS2r2b2g3s3n3l15p 1");
    struct position pos = c.start;
    Move first = movetext_from_usi(&pos, "S*3a", 4);
    ck_assert_int_ne(first, MOVE_NONE);
    struct task task;
    ck_assert(mine_question(&m, &c, &task));
    /* A line that the rules do not let end in mate is still only a line here: the coordinator has checked it. */
    reply("0 mate S*3a mate 3 depth 1 nodes 9\n line S*3a 2b3a G*3b\n");
    ck_assert(mine_question(&m, &c, &task));
    ck_assert_uint_eq(task.plies_max, 3);
    ck_assert_uint_gt(text_length(task.only), 0);
    ck_assert(!text_contains(task.only, "S*3a"));
    reply("0 mate 3c3b+ mate 3 depth 1 nodes 9\n line 3c3b+ 2b1c G*2d\n");
    ends(MINE_REJECTED, MINE_SEVERAL_MATES);
    begin("7nl/7k1/6Ppp/6G2/9/9/9/9/4K4 b GS2r2b2g3s3n3l15p 1");
    reply("0 mate S*3a mate 3 depth 1 nodes 9\n line S*3a 2b3a G*3b\n");
    reply("0 unknown - none 0 depth 1 nodes 200000\n");
    ends(MINE_REJECTED, MINE_MATE_UNPROVED);
    /* "No mate within 3 plies" is enough. */
    begin("7nl/7k1/6Ppp/6G2/9/9/9/9/4K4 b GS2r2b2g3s3n3l15p 1");
    reply("0 mate S*3a mate 3 depth 1 nodes 9\n line S*3a 2b3a G*3b\n");
    reply("0 unknown - none 0 depth 3 nodes 200000\n");
    ck_assert_int_ne(c.reason, MINE_MATE_UNPROVED);
}
END_TEST

START_TEST(interpositions_for_nothing_are_no_moves_of_the_solution)
{
    begin("6Bnl/8k/7p1/7b1/9/9/9/9/9 b Rr4g4s3n3l17p 1");
    struct task task;
    for (int stage = 0; stage < 2; stage++) {
        task = reply("0 mate R*3b mate 3 depth 1 nodes 9\n line R*3b L*2b 3a2b+\n");
        ck_assert_int_eq(task.lane, stage ? TASK_AUDIT : TASK_VERIFY);
        task = reply(NOMATE); /* another move, counted by all its plies */
        ck_assert_uint_eq(task.plies_max, 3);
    }
    ends(MINE_ACCEPTED, MINE_NONE);
    ck_assert_uint_eq(c.count, 1);
    ck_assert_uint_eq(c.solver_count, 1);
    ck_assert_uint_eq(c.mate_plies, 3);
}
END_TEST

START_TEST(a_known_solution_can_be_audited_alone)
{
    struct position pos = position_of(STARTPOS_BLACK);
    Move line[] = {movetext_from_usi(&pos, "2g2f", 4)};
    uint32_t depths[] = {11};
    m = mine_defaults();
    m.audit_plies = 4;
    mine_case_audit(&c, &pos, line, 1, depths, 0);
    struct task task = reply(UNIQUE);
    ck_assert_int_eq(task.lane, TASK_AUDIT);
    ck_assert_uint_eq(task.depth_max, 15);
    ends(MINE_ACCEPTED, MINE_NONE);
    mine_case_audit(&c, &pos, line, 1, depths, 0);
    reply("0 move 7g7f cp 1200 depth 15 nodes 1\n cp 1200 depth 15 pv 7g7f\n cp 100 depth 15 pv 2g2f\n");
    ends(MINE_REJECTED, MINE_AUDIT_MOVE);
}
END_TEST

START_TEST(the_margin_is_asked_for_on_top)
{
    static const char *const close = "0 move 2g2f cp 1200 depth 9 nodes 1\n cp 1200 depth 9 pv 2g2f\n"
                                     " cp 900 depth 9 pv 7g7f\n",
                             *const weak = "0 move 2g2f cp 980 depth 9 nodes 1\n cp 980 depth 9 pv 2g2f\n"
                                           " cp 100 depth 9 pv 7g7f\n",
                             *const both = "0 move 2g2f cp 1900 depth 9 nodes 1\n cp 1900 depth 9 pv 2g2f\n"
                                           " cp 900 depth 9 pv 7g7f\n";
    begin(STARTPOS_BLACK);
    reply(NOMATE);
    reply(close);
    reply(close);
    ends(MINE_REJECTED, MINE_SEVERAL); /* 300 apart: 250 and 200 are asked */
    begin(STARTPOS_BLACK);
    reply(NOMATE);
    reply(weak);
    reply(weak);
    ends(MINE_REJECTED, MINE_NOT_WINNING); /* 0.84, but not with 200 less */
    begin(STARTPOS_BLACK);
    reply(NOMATE);
    reply(both);
    reply(both);
    ends(MINE_REJECTED, MINE_SEVERAL); /* a thousand apart, but the second wins with 0.82 too */
    begin(STARTPOS_BLACK);
    m.margin_cp = 0;
    m.runner_most_permille = 1000;
    reply(NOMATE);
    reply(close);
    reply(close);
    ck_assert_int_eq(c.lane, TASK_AUDIT);
}
END_TEST

START_TEST(a_mate_that_may_not_be_the_shortest_is_no_puzzle)
{
    begin("7nl/7k1/6Ppp/6G2/9/9/9/9/4K4 b GS2r2b2g3s3n3l15p 1");
    reply("0 mate S*3a mate 3 depth 0 nodes 9\n line S*3a 2b3a G*3b\n");
    ends(MINE_REJECTED, MINE_MATE_UNPROVED);
}
END_TEST

START_TEST(a_win_by_one_move_only_goes_through_both_stages)
{
    begin(STARTPOS_BLACK);
    reply(NOMATE);
    struct task task = reply(UNIQUE); /* the short look */
    ck_assert_uint_eq(task.nodes, (uint64_t)m.verify_nodes / 6);
    task = reply(UNIQUE);
    ck_assert_uint_eq(task.nodes, (uint64_t)m.verify_nodes);
    ck_assert_uint_eq(task.multipv, 3);
    ck_assert_uint_eq(task.depth_max, 0);
    task = reply(SEVERAL); /* the second move is not the only one: the solution is the first */
    ck_assert_int_eq(task.lane, TASK_VERIFY);
    ck_assert_uint_eq(c.count, 1);
    task = reply(UNIQUE);
    ck_assert_int_eq(task.lane, TASK_AUDIT);
    ck_assert_uint_eq(task.depth_max, 11 + (uint32_t)m.audit_plies);
    ck_assert_uint_eq(task.nodes, 0);
    ends(MINE_ACCEPTED, MINE_NONE);
    ck_assert(!c.mate);
}
END_TEST

START_TEST(what_does_not_win_or_wins_in_two_ways_is_refused_early)
{
    begin(STARTPOS_BLACK);
    reply(NOMATE);
    reply("0 move 2g2f cp 300 depth 9 nodes 1\n cp 300 depth 9 pv 2g2f\n cp 100 depth 9 pv 7g7f\n");
    ends(MINE_REJECTED, MINE_NOT_WINNING);
    begin(STARTPOS_BLACK); /* the scan saw a win that the short search does not: all nodes are asked */
    c.scan = (struct judge_score){WIRE_SCORE_MATE, 17};
    reply(NOMATE);
    reply("0 move 2g2f cp 300 depth 9 nodes 1\n cp 300 depth 9 pv 2g2f\n cp 100 depth 9 pv 7g7f\n");
    struct task task = reply(UNIQUE);
    ck_assert_uint_eq(task.nodes, (uint64_t)m.verify_nodes);
    begin(STARTPOS_BLACK);
    reply(NOMATE);
    reply("0 move 2g2f cp 1300 depth 9 nodes 1\n cp 1300 depth 9 pv 2g2f\n cp 1290 depth 9 pv 7g7f\n");
    ends(MINE_REJECTED, MINE_SEVERAL);
    begin(STARTPOS_BLACK); /* a gap that a deeper look must decide */
    reply(NOMATE);
    reply("0 move 2g2f cp 1300 depth 9 nodes 1\n cp 1300 depth 9 pv 2g2f\n cp 1000 depth 9 pv 7g7f\n");
    reply("0 move 2g2f cp 1300 depth 9 nodes 1\n cp 1300 depth 9 pv 2g2f\n cp 1000 depth 9 pv 7g7f\n");
    ends(MINE_REJECTED, MINE_SEVERAL);
}
END_TEST

static void to_audit(void)
{
    begin(STARTPOS_BLACK);
    reply(NOMATE);
    reply(UNIQUE);
    reply(UNIQUE);
    reply(SEVERAL);
}

START_TEST(an_audit_that_disagrees_rejects)
{
    to_audit();
    reply("0 move 7g7f cp 1200 depth 13 nodes 1\n cp 1200 depth 13 pv 7g7f\n cp 100 depth 13 pv 2g2f\n");
    ends(MINE_REJECTED, MINE_AUDIT_MOVE);
    to_audit();
    reply("0 move 2g2f cp 300 depth 13 nodes 1\n cp 300 depth 13 pv 2g2f\n cp 100 depth 13 pv 7g7f\n");
    ends(MINE_REJECTED, MINE_AUDIT_NOT_WINNING);
    to_audit();
    reply("0 move 2g2f cp 1300 depth 13 nodes 1\n cp 1300 depth 13 pv 2g2f\n cp 1200 depth 13 pv 7g7f\n");
    ends(MINE_REJECTED, MINE_AUDIT_SEVERAL);
}
END_TEST

START_TEST(a_search_that_failed_is_a_reason_too)
{
    begin(STARTPOS_BLACK);
    mine_answer(&m, &c, NULL);
    ends(MINE_REJECTED, MINE_FAILED);
}
END_TEST

START_TEST(the_same_drops_in_another_order_are_one_answer)
{
    begin("4k4/9/9/9/9/9/9/9/4K4 b GS2r2b3g3s4n4l18p 1");
    reply(NOMATE);
    const char *both = "0 move G*5c cp 1200 depth 11 nodes 1\n cp 1200 depth 11 pv G*5c 5a6a S*4c\n"
                       " cp 1190 depth 11 pv S*4c 5a6a G*5c\n cp 50 depth 11 pv 5i5h\n";
    reply(both);
    ck_assert_int_eq(c.step, MINE_DEEP);
    reply(both);
    ck_assert_uint_eq(c.solver_count, 1);
    ck_assert_int_eq(c.moves[0].runner.score, 50);
}
END_TEST

START_TEST(a_free_capture_by_the_side_that_is_ahead_is_held_back)
{
    /* Black takes a rook that nobody guards. */
    begin("4k4/9/9/4r4/9/9/9/4R4/4K4 b 2b4g4s4n4l18p 1");
    c.before = (struct judge_score){WIRE_SCORE_CP, 300};
    const char *take = "0 move 5h5d cp 2500 depth 11 nodes 1\n cp 2500 depth 11 pv 5h5d\n cp 100 depth 11 pv 5i4h\n";
    reply(NOMATE);
    reply(take);
    reply(take);
    ck_assert_int_ne(c.verdict, MINE_HELD);
    /* 5h5d gives check here: not trivial. The same with the king aside is. */
    begin("k8/9/9/4r4/9/9/9/4R4/4K4 b 2b4g4s4n4l18p 1");
    c.before = (struct judge_score){WIRE_SCORE_CP, 300};
    reply(NOMATE);
    reply(take);
    reply(take);
    ends(MINE_HELD, MINE_TRIVIAL);
}
END_TEST

/* ---- motifs ----------------------------------------------------------------------------------------------------- */

static struct motif_report judge(const char *sfen, const char *moves)
{
    struct position pos = position_of(sfen), now = pos;
    Move line[16];
    unsigned count = 0;
    struct text rest = text_from(moves), word;
    while (text_take_word(&rest, &word)) {
        struct undo undo;
        line[count] = movetext_from_usi(&now, word.at, text_length(word));
        ck_assert_msg(line[count] != MOVE_NONE, "%.*s", (int)text_length(word), word.at);
        position_do(&now, line[count++], &undo);
    }
    struct motif_input in = {
        .start = &pos, .line = line, .count = count, .score = {WIRE_SCORE_CP, 1000}, .runner = {WIRE_SCORE_CP, 100}};
    struct motif_report report;
    motif_judge(&in, &report);
    return report;
}

static bool has(const struct motif_report *report, enum motif motif) { return report->themes >> motif & 1; }

START_TEST(motifs_are_what_the_board_shows)
{
    struct motif_report r = judge("4k4/9/9/3r1b3/9/9/9/9/4K4 b Nrb4g4s3n4l18p 1", "N*5f");
    ck_assert(has(&r, MOTIF_FORK) && has(&r, MOTIF_DROP) && has(&r, MOTIF_ONE_MOVE) && has(&r, MOTIF_QUIET));
    r = judge("4k4/4g4/9/9/9/9/9/9/4K4 b R2b3g4s4n4l18pr 1", "R*5d");
    ck_assert(has(&r, MOTIF_PIN));
    r = judge("4k4/9/4S4/9/9/9/9/4R4/4K4 b 2b4g3s4n4l18pr 1", "5c4b+");
    ck_assert(has(&r, MOTIF_PROMOTION) && has(&r, MOTIF_DOUBLE_CHECK));
    r = judge("4k4/9/4S4/9/9/9/9/4R4/4K4 b 2b4g3s4n4l18pr 1", "5c6d");
    ck_assert(has(&r, MOTIF_DISCOVERED) && has(&r, MOTIF_NON_PROMOTION));
    r = judge("4k4/4g4/9/9/9/9/9/4R4/4K4 b 2G2bg4s4n4l18pr 1", "5h5b+ 5a5b G*5c 5b5a G*5b");
    ck_assert(has(&r, MOTIF_SACRIFICE) && has(&r, MOTIF_CAPTURE) && has(&r, MOTIF_LONG));
}
END_TEST

START_TEST(ratings_have_many_values_and_order_the_obvious)
{
    struct position pos = position_of(SFEN_STARTPOS);
    static bool seen[RATING_MAX + 1];
    unsigned values = 0;
    Move line[1] = {movetext_from_usi(&pos, "2g2f", 4)};
    for (unsigned settled = 0; settled < 4; settled++)
        for (int32_t runner = -1500; runner <= 700; runner += 20)
            for (uint64_t nodes = 1; nodes < 1000000; nodes = nodes * 3 / 2 + 1) {
                struct motif_input in = {.start = &pos,
                                         .line = line,
                                         .count = 1,
                                         .mate = runner == -1500,
                                         .score = {WIRE_SCORE_CP, 1200},
                                         .runner = {WIRE_SCORE_CP, runner},
                                         .settled = settled,
                                         .nodes_verify = nodes};
                struct motif_report report;
                motif_judge(&in, &report);
                ck_assert_int_ge(report.rating, RATING_MIN);
                ck_assert_int_le(report.rating, RATING_MAX);
                values += !seen[report.rating];
                seen[report.rating] = true;
            }
    ck_assert_uint_ge(values, 400);
    /* Quiet is harder than taking a rook; two moves are harder than one. */
    struct motif_report quiet = judge("k8/9/9/4r4/9/9/9/4R4/4K4 b 2b4g4s4n4l18p 1", "5h5g"),
                        take = judge("k8/9/9/4r4/9/9/9/4R4/4K4 b 2b4g4s4n4l18p 1", "5h5d"),
                        longer = judge("k8/9/9/4r4/9/9/9/4R4/4K4 b 2b4g4s4n4l18p 1", "5h5d 9a8a 5d5b+");
    ck_assert_int_gt(quiet.rating, take.rating);
    ck_assert_int_gt(longer.rating, take.rating);
}
END_TEST

/* ---- the set ---------------------------------------------------------------------------------------------------- */

static void add(struct puzzle_set *set, int64_t seq, unsigned ply, const char *sfen, const char *move)
{
    char row[1024];
    int n = snprintf(row, sizeof row,
                     "{\"ply\":%u,\"verdict\":\"accepted\",\"reason\":\"\",\"sfen\":\"%s\",\"before\":\"%s\","
                     "\"mistake\":\"7g7f\",\"solution\":[\"%s\"],\"rating\":1500,\"themes\":[\"drop\"],"
                     "\"nodes_verify\":5,\"nodes_audit\":6}",
                     ply, sfen, SFEN_STARTPOS, move);
    puzzle_set_add(set, seq, text_make(row, (size_t)n));
}

START_TEST(duplicates_are_found_also_mirrored_turned_and_nearby)
{
    struct puzzle_set set;
    struct mine settings = mine_defaults();
    puzzle_set_init(&set, &settings);
    add(&set, 0, 40, "3rk4/9/9/9/9/9/9/9/4K4 b G 1", "G*5b");
    add(&set, 1, 41, "3rk4/9/9/9/9/9/9/9/4K4 b G 77", "G*5b"); /* the same, another game */
    add(&set, 2, 42, "4kr3/9/9/9/9/9/9/9/4K4 b G 1", "G*5b");  /* mirrored */
    add(&set, 3, 43, "4k4/9/9/9/9/9/9/9/4KR3 w g 1", "G*5h");  /* turned: White's R at 6a becomes Black's at 4i */
    add(&set, 0, 45, "2r1k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5b"); /* five plies after the first */
    add(&set, 0, 60, "2r1k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5b"); /* far enough */
    ck_assert(!set.broken);
    ck_assert_uint_eq(set.count, 6);
    ck_assert_int_eq(set.items[0].verdict, MINE_ACCEPTED);
    ck_assert_int_eq(set.items[1].reason, MINE_SAME_POSITION);
    ck_assert_int_eq(set.items[2].reason, MINE_SAME_MIRROR);
    ck_assert_int_eq(set.items[3].reason, MINE_SAME_MIRROR);
    ck_assert_uint_eq(set.published + set.held + set.rejected, set.count);
    ck_assert_uint_eq(set.nodes_audit, 36);
    ck_assert_uint_eq(strlen(set.items[0].id), PUZZLE_ID_BYTES - 1);
    puzzle_set_free(&set);
    puzzle_set_init(&set, &settings);
    puzzle_set_add(&set, 0, text_from("{\"ply\":1}"));
    ck_assert(set.broken);
    puzzle_set_free(&set);
}
END_TEST

START_TEST(a_game_gives_so_many_puzzles_and_no_two_close_together)
{
    struct puzzle_set set;
    struct mine settings = mine_defaults();
    settings.per_game = 2;
    puzzle_set_init(&set, &settings);
    static const char *const sfens[] = {"r3k4/9/9/9/9/9/9/9/4K4 b G 1", "1r2k4/9/9/9/9/9/9/9/4K4 b G 1",
                                        "2r1k4/9/9/9/9/9/9/9/4K4 b G 1", "3rk4/9/9/9/9/9/9/9/4K4 b G 1"};
    static const unsigned plies[] = {20, 24, 40, 60};
    for (int i = 0; i < 4; i++) add(&set, 0, plies[i], sfens[i], "G*5b");
    ck_assert_int_eq(set.items[0].verdict, MINE_ACCEPTED);
    ck_assert_int_eq(set.items[1].reason, MINE_TOO_CLOSE);
    ck_assert_int_eq(set.items[2].verdict, MINE_ACCEPTED);
    ck_assert_int_eq(set.items[3].reason, MINE_TOO_MANY);
    puzzle_set_free(&set);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("mine");
    tcase_add_test(tc, a_candidate_is_a_mistake_that_leaves_a_win_in_a_game_that_was_open);
    tcase_add_test(tc, a_mate_is_a_candidate_where_it_begins_and_where_it_is_let_go);
    tcase_add_test(tc, a_single_mate_in_one_is_proved_and_proved_again);
    tcase_add_test(tc, two_mates_in_one_are_no_puzzle);
    tcase_add_test(tc, promoting_or_not_is_one_answer_where_both_mate);
    tcase_add_test(tc, other_moves_are_asked_for_at_every_move_of_a_longer_mate);
    tcase_add_test(tc, interpositions_for_nothing_are_no_moves_of_the_solution);
    tcase_add_test(tc, a_known_solution_can_be_audited_alone);
    tcase_add_test(tc, the_margin_is_asked_for_on_top);
    tcase_add_test(tc, a_mate_that_may_not_be_the_shortest_is_no_puzzle);
    tcase_add_test(tc, a_win_by_one_move_only_goes_through_both_stages);
    tcase_add_test(tc, what_does_not_win_or_wins_in_two_ways_is_refused_early);
    tcase_add_test(tc, an_audit_that_disagrees_rejects);
    tcase_add_test(tc, a_search_that_failed_is_a_reason_too);
    tcase_add_test(tc, the_same_drops_in_another_order_are_one_answer);
    tcase_add_test(tc, a_free_capture_by_the_side_that_is_ahead_is_held_back);
    suite_add_tcase(suite, tc);
    tc = tcase_create("motif");
    tcase_add_test(tc, motifs_are_what_the_board_shows);
    tcase_add_test(tc, ratings_have_many_values_and_order_the_obvious);
    suite_add_tcase(suite, tc);
    tc = tcase_create("puzzle");
    tcase_add_test(tc, duplicates_are_found_also_mirrored_turned_and_nearby);
    tcase_add_test(tc, a_game_gives_so_many_puzzles_and_no_two_close_together);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("mine", add_cases)
