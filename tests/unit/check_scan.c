#include "common/shogi/sfen.h"
#include "coordinator/core/coord.h"
#include "tests/unit/check_main.h"
#include "tests/unit/worker_peer.h"

#include <stdio.h>
#include <string.h>

enum { PEERS = 4 };

static struct coord *coord;
static struct coord_effects *fx;
static int64_t now_ms;
static struct worker_peer peers[PEERS];
static struct msg_job jobs[PEERS];
static char moves_kept[PEERS][256];
static unsigned job_count, result_count, done_count;
static struct scan_result last;
static char last_best[16], last_text[128];
static uint32_t last_done_id, last_done_positions;

static enum status step(struct coord_event *event)
{
    event->now_us = now_ms * 1000;
    enum status status = coord_step(coord, event, fx);
    uint32_t config[PEERS] = {0};
    for (size_t i = 0; i < fx->count; i++) {
        const struct coord_effect *e = &fx->items[i];
        if (e->type == COORD_FX_SCAN_RESULT) {
            result_count++;
            last = *e->scan_result;
            snprintf(last_best, sizeof last_best, "%.*s", (int)last.best.length,
                     last.best.length ? last.best.bytes : "");
            snprintf(last_text, sizeof last_text, "%.*s", (int)last.text.length,
                     last.text.length ? last.text.bytes : "");
        }
        if (e->type == COORD_FX_SCAN_DONE) {
            done_count++;
            last_done_id = e->scan_done.id;
            last_done_positions = e->scan_done.positions;
        }
        if (e->type != COORD_FX_SEND) continue;
        unsigned n = (unsigned)e->send.peer;
        const struct msg *msg = &e->send.msg;
        if (msg->type == MSG_welcome) peers[n].session = msg->welcome.session;
        if (msg->type == MSG_configure) config[n] = msg->configure.config;
        if (msg->type == MSG_job) {
            jobs[n] = msg->job;
            snprintf(moves_kept[n], sizeof moves_kept[n], "%.*s", (int)msg->job.moves.length,
                     msg->job.moves.length ? msg->job.moves.bytes : "");
            job_count++;
        }
    }
    for (unsigned n = 0; n < PEERS; n++) {
        if (!config[n]) continue;
        struct msg msg = worker_peer_configured(&peers[n], config[n]);
        struct coord_event answer = worker_peer_says(&peers[n], n, &msg);
        step(&answer);
    }
    return status;
}

static enum status say(unsigned n, struct msg *msg)
{
    struct coord_event event = worker_peer_says(&peers[n], n, msg);
    return step(&event);
}

static void join(unsigned n)
{
    struct msg msg = worker_peer_hello();
    ck_assert_int_eq(say(n, &msg), ST_OK);
}

static enum status result(unsigned n, enum job_verdict verdict, const char *best)
{
    struct msg msg = {.type = MSG_result};
    msg.result = (struct msg_result){.session = peers[n].session,
                                     .epoch = jobs[n].epoch,
                                     .job = jobs[n].job,
                                     .attempt = jobs[n].attempt,
                                     .verdict = verdict,
                                     .best = wire_str_make(best, strlen(best)),
                                     .depth = 3,
                                     .score_kind = WIRE_SCORE_CP,
                                     .score = 10,
                                     .nodes = 100};
    if (verdict == VERDICT_REFUSED) msg.result.text = wire_str_make("cannot", 6);
    return say(n, &msg);
}

static enum status mate_result(unsigned n, const char *line)
{
    struct msg msg = {.type = MSG_result};
    msg.result = (struct msg_result){.session = peers[n].session,
                                     .epoch = jobs[n].epoch,
                                     .job = jobs[n].job,
                                     .attempt = jobs[n].attempt,
                                     .verdict = VERDICT_MATE,
                                     .best = wire_str_make(line, 4),
                                     .line = wire_str_make(line, strlen(line)),
                                     .nodes = 100};
    return say(n, &msg);
}

static enum status submit(uint32_t id, const char *moves, uint64_t nodes, uint32_t first, uint32_t last_ply)
{
    struct coord_event event = {.type = COORD_EV_SCAN_SUBMIT};
    event.scan_submit = (struct scan_order){.id = id,
                                            .root = wire_str_make(SFEN_STARTPOS, strlen(SFEN_STARTPOS)),
                                            .moves = wire_str_make(moves, strlen(moves)),
                                            .first_ply = first,
                                            .last_ply = last_ply,
                                            .nodes = nodes};
    return step(&event);
}

static void set_up(void)
{
    fx = malloc(sizeof *fx);
    coord = coord_new(&(struct coord_config){.boot = 99});
    ck_assert(fx && coord);
    now_ms = 1000;
    job_count = result_count = done_count = 0;
    memset(peers, 0, sizeof peers);
    for (unsigned n = 0; n < PEERS; n++) peers[n].slot = COORD_PEER_REMOTE;
}

static void tear_down(void)
{
    coord_free(coord);
    free(fx);
}

START_TEST(every_position_of_a_game_is_given_out_once_and_reported_once)
{
    join(0);
    ck_assert_int_eq(submit(7, "7g7f 3c3d", 100, 0, 999), ST_OK);
    static const char *const prefixes[] = {"", "7g7f", "7g7f 3c3d"}, *const best[] = {"7g7f", "8c8d", "8h2b+"};
    for (uint32_t ply = 0; ply < 3; ply++) {
        ck_assert_str_eq(moves_kept[0], prefixes[ply]);
        ck_assert_uint_eq(jobs[0].nodes, 100);
        ck_assert_int_eq(result(0, VERDICT_MOVE, best[ply]), ST_OK);
        ck_assert_uint_eq(last.ply, ply);
        ck_assert_str_eq(last_best, best[ply]);
    }
    ck_assert_uint_eq(result_count, 3);
    ck_assert_uint_eq(done_count, 1);
    ck_assert_uint_eq(last_done_id, 7);
    ck_assert_uint_eq(last_done_positions, 3);
    ck_assert_int_eq(submit(7, "", 100, 0, 0), ST_OK); /* the number is free again */
}
END_TEST

START_TEST(a_part_of_a_game_can_be_asked_for)
{
    join(0);
    ck_assert_int_eq(submit(1, "7g7f 3c3d 2g2f", 100, 1, 2), ST_OK);
    ck_assert_str_eq(moves_kept[0], "7g7f");
    result(0, VERDICT_MOVE, "3c3d");
    ck_assert_str_eq(moves_kept[0], "7g7f 3c3d");
    result(0, VERDICT_MOVE, "2g2f");
    ck_assert_uint_eq(last_done_positions, 2);
}
END_TEST

START_TEST(what_makes_no_sense_is_refused_and_changes_nothing)
{
    join(0);
    ck_assert_int_eq(submit(1, "7g7f 7g7f", 100, 0, 9), ST_ILLEGAL);
    ck_assert_int_eq(submit(1, "7g7f", 0, 0, 9), ST_RANGE); /* without any limit it would never end */
    ck_assert_int_eq(submit(1, "7g7f", 100, 2, 9), ST_RANGE);
    ck_assert_uint_eq(job_count, 0);
    ck_assert_int_eq(submit(1, "7g7f", 100, 0, 9), ST_OK);
    ck_assert_int_eq(submit(1, "7g7f", 100, 0, 9), ST_DUPLICATE);
    for (uint32_t id = 2; id <= SCAN_GAMES_MAX; id++) ck_assert_int_eq(submit(id, "", 100, 0, 0), ST_OK);
    ck_assert_int_eq(submit(1000, "", 100, 0, 0), ST_FULL);
}
END_TEST

START_TEST(games_are_done_in_the_order_in_which_they_came)
{
    submit(5, "7g7f", 100, 0, 9);
    submit(3, "2g2f", 100, 0, 9);
    join(0);
    result(0, VERDICT_MOVE, "7g7f");
    ck_assert_uint_eq(last.id, 5);
    result(0, VERDICT_MOVE, "3c3d");
    result(0, VERDICT_MOVE, "2g2f");
    ck_assert_uint_eq(last.id, 3);
}
END_TEST

START_TEST(a_position_that_nobody_can_do_is_reported_with_the_reason_and_the_scan_goes_on)
{
    join(0);
    submit(1, "7g7f", 100, 0, 9);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(result(0, VERDICT_REFUSED, ""), ST_OK);
        ck_assert_uint_eq(result_count, 0);
    }
    result(0, VERDICT_REFUSED, "");
    ck_assert_uint_eq(result_count, 1);
    ck_assert_uint_eq(last.verdict, VERDICT_REFUSED);
    ck_assert_str_eq(last_text, "cannot");
    result(0, VERDICT_MOVE, "3c3d");
    ck_assert_uint_eq(done_count, 1);
}
END_TEST

START_TEST(answers_against_the_rules_are_not_believed)
{
    join(0);
    submit(1, "", 100, 0, 0);
    ck_assert_int_eq(result(0, VERDICT_MOVE, "7g7e"), ST_ILLEGAL);
    ck_assert_int_eq(result(0, VERDICT_RESIGN, ""), ST_ILLEGAL); /* there are moves */
    ck_assert_int_eq(result(0, VERDICT_WIN, ""), ST_ILLEGAL);    /* nothing to declare */
    ck_assert_uint_eq(result_count, 0);
    ck_assert_int_eq(result(0, VERDICT_MOVE, "7g7f"), ST_OK);
    ck_assert_uint_eq(result_count, 1);
}
END_TEST

START_TEST(the_position_of_a_lost_worker_goes_to_another)
{
    join(0);
    submit(1, "", 100, 0, 0);
    join(1);
    ck_assert_uint_eq(job_count, 1);
    struct coord_event gone = {.type = COORD_EV_PEER_GONE};
    gone.peer_gone.peer = 0;
    step(&gone);
    ck_assert_uint_eq(job_count, 2);
    ck_assert_uint_eq(jobs[1].attempt, 2);
    ck_assert_int_eq(result(0, VERDICT_MOVE, "7g7f"), ST_UNKNOWN);
    ck_assert_int_eq(result(1, VERDICT_MOVE, "2g2f"), ST_OK);
    ck_assert_uint_eq(result_count, 1);
    ck_assert_str_eq(last_best, "2g2f");
}
END_TEST

START_TEST(a_worker_that_never_finishes_has_the_position_taken_away)
{
    join(0);
    submit(1, "", 100, 0, 0);
    uint64_t session = peers[0].session;
    for (int i = 0; i < 400 && job_count == 1; i++) { /* alive, busy, and no result for more than a minute */
        now_ms += 200;
        struct msg beat = {.type = MSG_heartbeat};
        beat.heartbeat = (struct msg_heartbeat){.session = session, .busy = true};
        say(0, &beat);
        if (i == 200) join(1);
        if (i > 200) {
            struct msg other = {.type = MSG_heartbeat};
            other.heartbeat.session = peers[1].session;
            say(1, &other);
        }
    }
    ck_assert_uint_eq(job_count, 2);
    ck_assert_int_ge(now_ms, 61000);
    ck_assert_int_eq(result(1, VERDICT_MOVE, "7g7f"), ST_OK);
    ck_assert_int_eq(result(0, VERDICT_MOVE, "2g2f"), ST_STALE);
    ck_assert_uint_eq(result_count, 1);
}
END_TEST

START_TEST(a_cancelled_game_is_never_heard_of_again)
{
    join(0);
    submit(1, "7g7f", 100, 0, 9);
    struct coord_event cancel = {.type = COORD_EV_SCAN_CANCEL};
    cancel.scan_cancel.id = 1;
    ck_assert_int_eq(step(&cancel), ST_OK);
    ck_assert_int_eq(step(&cancel), ST_UNKNOWN);
    result(0, VERDICT_MOVE, "7g7f");
    ck_assert_uint_eq(result_count, 0);
    ck_assert_uint_eq(done_count, 0);
    submit(2, "", 100, 0, 0);
    ck_assert_int_eq(result(0, VERDICT_MOVE, "7g7f"), ST_OK);
    ck_assert_uint_eq(result_count, 1);
}
END_TEST

START_TEST(the_end_of_a_game_is_a_result_too)
{
    join(0);
    struct coord_event event = {.type = COORD_EV_SCAN_SUBMIT};
    static const char mated[] = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 2";
    event.scan_submit = (struct scan_order){.id = 1, .root = wire_str_make(mated, sizeof mated - 1), .nodes = 100};
    ck_assert_int_eq(step(&event), ST_OK);
    ck_assert_int_eq(result(0, VERDICT_RESIGN, ""), ST_OK);
    ck_assert_uint_eq(last.verdict, VERDICT_RESIGN);
    ck_assert_uint_eq(last.line_count, 0);
}
END_TEST

START_TEST(lines_of_multipv_come_with_the_result_cut_to_what_is_legal)
{
    join(0);
    struct coord_event event = {.type = COORD_EV_SCAN_SUBMIT};
    event.scan_submit = (struct scan_order){
        .id = 1, .root = wire_str_make(SFEN_STARTPOS, strlen(SFEN_STARTPOS)), .nodes = 100, .multipv = 3};
    step(&event);
    static const char *const pvs[] = {"7g7f 3c3d 9i9a", "2g2f", "1a1b"};
    for (uint32_t k = 0; k < 3; k++) {
        struct msg msg = {.type = MSG_partial};
        msg.partial = (struct msg_partial){.session = peers[0].session,
                                           .epoch = jobs[0].epoch,
                                           .job = jobs[0].job,
                                           .attempt = jobs[0].attempt,
                                           .depth = 3,
                                           .multipv = k + 1,
                                           .score_kind = WIRE_SCORE_CP,
                                           .score = 50 - (int32_t)k,
                                           .pv = wire_str_make(pvs[k], strlen(pvs[k]))};
        ck_assert_int_eq(say(0, &msg), ST_OK);
    }
    result(0, VERDICT_MOVE, "7g7f");
    ck_assert_uint_eq(last.line_count, 2);
    ck_assert_int_eq(last.lines[0].score, 50);
    ck_assert_uint_eq(last.lines[0].pv.length, 9); /* without the illegal third move */
    ck_assert_int_eq(last.lines[1].score, 49);
}
END_TEST

START_TEST(a_warm_game_is_walked_by_one_worker_and_begun_again_by_the_next)
{
    join(0);
    join(1);
    struct coord_event event = {.type = COORD_EV_SCAN_SUBMIT};
    event.scan_submit = (struct scan_order){.id = 4,
                                            .root = wire_str_make(SFEN_STARTPOS, strlen(SFEN_STARTPOS)),
                                            .moves = wire_str_make("7g7f 3c3d", 9),
                                            .last_ply = 2,
                                            .nodes = 100,
                                            .warm = true};
    ck_assert_int_eq(step(&event), ST_OK);
    ck_assert_uint_eq(job_count, 1); /* the other worker gets nothing of it */
    ck_assert(jobs[0].fresh);
    ck_assert(jobs[0].patient); /* nobody watches: one line at the end will do */
    ck_assert_int_eq(result(0, VERDICT_MOVE, "7g7f"), ST_OK);
    ck_assert_uint_eq(job_count, 2);
    ck_assert_str_eq(moves_kept[0], "7g7f");
    ck_assert(!jobs[0].fresh);
    struct coord_event gone = {.type = COORD_EV_PEER_GONE};
    gone.peer_gone.peer = 0;
    step(&gone);
    ck_assert_str_eq(moves_kept[1], ""); /* from the beginning */
    ck_assert(jobs[1].fresh);
    ck_assert_int_eq(result(1, VERDICT_MOVE, "7g7f"), ST_OK);
    ck_assert_uint_eq(result_count, 1); /* not told twice */
    ck_assert_int_eq(result(1, VERDICT_MOVE, "8c8d"), ST_OK);
    ck_assert_int_eq(result(1, VERDICT_MOVE, "8h2b+"), ST_OK);
    ck_assert_uint_eq(result_count, 3);
    ck_assert_uint_eq(done_count, 1);
}
END_TEST

START_TEST(a_warm_game_that_nobody_can_do_is_given_up_as_a_whole)
{
    join(0);
    struct coord_event event = {.type = COORD_EV_SCAN_SUBMIT};
    event.scan_submit = (struct scan_order){.id = 4,
                                            .root = wire_str_make(SFEN_STARTPOS, strlen(SFEN_STARTPOS)),
                                            .moves = wire_str_make("7g7f 3c3d", 9),
                                            .last_ply = 2,
                                            .nodes = 100,
                                            .warm = true};
    step(&event);
    for (int i = 0; i < 4; i++) ck_assert_int_eq(result(0, VERDICT_REFUSED, ""), ST_OK);
    ck_assert_uint_eq(result_count, 3);
    ck_assert_uint_eq(last.verdict, VERDICT_REFUSED);
    ck_assert_uint_eq(done_count, 1);
}
END_TEST

START_TEST(an_audit_goes_to_another_process_than_the_one_to_be_audited)
{
    join(0);
    struct coord_event event = {.type = COORD_EV_SCAN_SUBMIT};
    event.scan_submit = (struct scan_order){.id = 4,
                                            .root = wire_str_make(SFEN_STARTPOS, strlen(SFEN_STARTPOS)),
                                            .nodes = 100,
                                            .fresh = true,
                                            .avoid_boot = {1}};
    step(&event);
    ck_assert_uint_eq(job_count, 0);
    join(1);
    ck_assert_uint_eq(job_count, 1);
    ck_assert_int_eq(result(1, VERDICT_MOVE, "7g7f"), ST_OK);
    ck_assert_uint_eq(last.boot, 2);
}
END_TEST

static void trust(uint64_t boot, bool trusted)
{
    struct coord_event event = {.type = COORD_EV_TRUST};
    event.trust.boot = boot;
    event.trust.trusted = trusted;
    ck_assert_int_eq(step(&event), ST_OK);
}

START_TEST(work_for_trusted_workers_waits_for_one_and_a_question_goes_to_whom_it_is_for)
{
    join(0);
    join(1);
    struct coord_event event = {.type = COORD_EV_SCAN_SUBMIT};
    event.scan_submit = (struct scan_order){.id = 4,
                                            .root = wire_str_make(SFEN_STARTPOS, strlen(SFEN_STARTPOS)),
                                            .nodes = 100,
                                            .fresh = true,
                                            .trusted_only = true};
    step(&event);
    ck_assert_uint_eq(job_count, 0);
    event.scan_submit.id = 5;
    event.scan_submit.trusted_only = false;
    event.scan_submit.only_boot = 2; /* the process behind peer 1 */
    step(&event);
    ck_assert_uint_eq(job_count, 1);
    ck_assert_int_eq(result(1, VERDICT_MOVE, "7g7f"), ST_OK);
    ck_assert_uint_eq(last.id, 5);
    trust(2, true);
    ck_assert_uint_eq(job_count, 2);
    ck_assert_int_eq(result(1, VERDICT_MOVE, "7g7f"), ST_OK);
    ck_assert_uint_eq(last.id, 4);
}
END_TEST

START_TEST(a_worker_that_is_not_to_be_trusted_goes_and_does_not_come_back)
{
    join(0);
    trust(1, false);
    struct msg msg = worker_peer_hello();
    ck_assert_int_eq(say(0, &msg), ST_MISMATCH); /* the same process */
    join(1);                                     /* another one */
}
END_TEST

START_TEST(a_mate_is_reported_only_with_a_line_that_mates)
{
    join(0);
    struct coord_event event = {.type = COORD_EV_SCAN_SUBMIT};
    static const char tsume[] = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
    event.scan_submit =
        (struct scan_order){.id = 1, .root = wire_str_make(tsume, sizeof tsume - 1), .nodes = 100, .kind = JOB_MATE};
    ck_assert_int_eq(step(&event), ST_OK);
    ck_assert_uint_eq(jobs[0].kind, JOB_MATE);
    ck_assert_int_eq(mate_result(0, "G*4b"), ST_ILLEGAL);
    ck_assert_int_eq(mate_result(0, "G*5b"), ST_OK);
    ck_assert_uint_eq(last.verdict, VERDICT_MATE);
    ck_assert_uint_eq(last.line.length, 4);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("scan");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, every_position_of_a_game_is_given_out_once_and_reported_once);
    tcase_add_test(tc, a_part_of_a_game_can_be_asked_for);
    tcase_add_test(tc, what_makes_no_sense_is_refused_and_changes_nothing);
    tcase_add_test(tc, games_are_done_in_the_order_in_which_they_came);
    tcase_add_test(tc, a_position_that_nobody_can_do_is_reported_with_the_reason_and_the_scan_goes_on);
    tcase_add_test(tc, answers_against_the_rules_are_not_believed);
    tcase_add_test(tc, the_position_of_a_lost_worker_goes_to_another);
    tcase_add_test(tc, a_worker_that_never_finishes_has_the_position_taken_away);
    tcase_add_test(tc, a_cancelled_game_is_never_heard_of_again);
    tcase_add_test(tc, the_end_of_a_game_is_a_result_too);
    tcase_add_test(tc, lines_of_multipv_come_with_the_result_cut_to_what_is_legal);
    tcase_add_test(tc, a_warm_game_is_walked_by_one_worker_and_begun_again_by_the_next);
    tcase_add_test(tc, a_warm_game_that_nobody_can_do_is_given_up_as_a_whole);
    tcase_add_test(tc, an_audit_goes_to_another_process_than_the_one_to_be_audited);
    tcase_add_test(tc, work_for_trusted_workers_waits_for_one_and_a_question_goes_to_whom_it_is_for);
    tcase_add_test(tc, a_worker_that_is_not_to_be_trusted_goes_and_does_not_come_back);
    tcase_add_test(tc, a_mate_is_reported_only_with_a_line_that_mates);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("scan", add_cases)
