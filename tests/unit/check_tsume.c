/* check_tsume.c - mate orders, one event at a time; under chaos they are looked at by tests/sim/matesim.c. */
#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "common/shogi/sfen.h"
#include "coordinator/core/coord.h"
#include "tests/model/mate_peer.h"
#include "tests/unit/check_main.h"
#include "tests/unit/worker_peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PEERS = 3 };

#define MATE_IN_5 "5B1n1/8k/6Rpp/9/9/9/1+p7/9/K8 b rb4g4s3n4l15p 1"
#define NO_MATE   "8k/9/7+R1/9/9/9/9/9/9 b Pr2b4g4s4n4l17p 1"
#define HARD      "8k/R7s/g5N2/1R7/8L/4+b4/9/9/9 b b3g3s3n3l18p 1" /* mate in 13 */

static struct coord *coord;
static struct coord_effects *fx;
static struct mate_peer *brains[PEERS];
static int64_t now_ms;
static struct worker_peer peers[PEERS];
static struct msg_job jobs[PEERS];
static char roots[PEERS][256];
static unsigned job_count[PEERS], stop_count[PEERS], done_count;
static struct tsume_outcome last;
static char last_line[1024], last_text[128];
static bool closed_plane; /* strangers cannot reach the hint plane */

static enum status say(unsigned n, struct msg *msg);

static void take_effects(uint32_t config[PEERS])
{
    for (size_t i = 0; i < fx->count; i++) {
        const struct coord_effect *e = &fx->items[i];
        if (e->type == COORD_FX_TSUME_DONE) {
            done_count++;
            last = *e->tsume_done;
            snprintf(last_line, sizeof last_line, "%.*s", (int)last.line.length,
                     last.line.length ? last.line.bytes : "");
            snprintf(last_text, sizeof last_text, "%.*s", (int)last.text.length,
                     last.text.length ? last.text.bytes : "");
        }
        if (e->type != COORD_FX_SEND) continue;
        unsigned n = (unsigned)e->send.peer;
        const struct msg *msg = &e->send.msg;
        if (msg->type == MSG_welcome) peers[n].session = msg->welcome.session;
        if (msg->type == MSG_configure) config[n] = msg->configure.config;
        if (msg->type == MSG_stop) stop_count[n]++;
        if (msg->type != MSG_job) continue;
        jobs[n] = msg->job;
        snprintf(roots[n], sizeof roots[n], "%.*s", (int)msg->job.root.length, msg->job.root.bytes);
        jobs[n].root = wire_str_make(roots[n], msg->job.root.length);
        job_count[n]++;
    }
}

static enum status step(struct coord_event *event)
{
    event->now_us = now_ms * 1000;
    uint32_t config[PEERS] = {0};
    enum status status = coord_step(coord, event, fx);
    take_effects(config);
    for (unsigned n = 0; n < PEERS; n++) {
        if (!config[n]) continue;
        struct msg msg = worker_peer_configured(&peers[n], config[n]);
        (void)say(n, &msg);
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

static struct msg_result truth(unsigned n)
{
    if (!brains[n]) brains[n] = mate_peer_new(1 << 18);
    struct msg_result result = mate_peer_answer(brains[n], &jobs[n]);
    result.session = peers[n].session;
    return result;
}

static enum status answer(unsigned n, struct msg_result result)
{
    struct msg msg = {.type = MSG_result};
    msg.result = result;
    return say(n, &msg);
}

static struct tsume_order order_of(uint32_t id, const char *sfen)
{
    return (struct tsume_order){.id = id, .root = wire_str_make(sfen, strlen(sfen))};
}

static enum status submit(struct tsume_order order)
{
    struct coord_event event = {.type = COORD_EV_TSUME_SUBMIT};
    event.tsume_submit = order;
    return step(&event);
}

static void pass(int64_t ms)
{
    now_ms += ms;
    for (unsigned n = 0; n < PEERS; n++) {
        if (!peers[n].session) continue;
        struct msg msg = {.type = MSG_heartbeat};
        msg.heartbeat = (struct msg_heartbeat){.session = peers[n].session, .busy = true, .sent_us = 1};
        (void)say(n, &msg);
    }
    (void)step(&(struct coord_event){.type = COORD_EV_TICK});
}

static void set_up(void)
{
    fx = malloc(sizeof *fx);
    coord = coord_new(&(struct coord_config){.boot = 99,
                                             .local_workers = 0,
                                             .hints_local = "ipc:///tmp/hints",
                                             .hints_remote = closed_plane ? "ipc:///tmp/hints" : "tcp://*:7655"});
    ck_assert(fx && coord);
    now_ms = 1000;
    done_count = 0;
    memset(peers, 0, sizeof peers);
    memset(job_count, 0, sizeof job_count);
    memset(stop_count, 0, sizeof stop_count);
    for (unsigned n = 0; n < PEERS; n++) peers[n].slot = COORD_PEER_REMOTE;
}

static void tear_down(void)
{
    for (unsigned n = 0; n < PEERS; n++) {
        mate_peer_free(brains[n]);
        brains[n] = NULL;
    }
    coord_free(coord);
    free(fx);
}

START_TEST(a_mate_comes_with_line_length_and_size_of_its_proof)
{
    join(0);
    ck_assert_int_eq(submit(order_of(7, MATE_IN_5)), ST_OK);
    ck_assert_uint_eq(jobs[0].kind, JOB_MATE);
    ck_assert(jobs[0].certificate && !jobs[0].any_length);
    ck_assert_int_eq(answer(0, truth(0)), ST_OK);
    ck_assert_uint_eq(done_count, 1);
    ck_assert_uint_eq(last.id, 7);
    ck_assert_uint_eq(last.verdict, VERDICT_MATE);
    ck_assert_uint_eq(last.plies, 5);
    ck_assert(last.shortest);
    ck_assert_ptr_eq(strstr(last_line, "4a2c "), last_line);
    ck_assert_uint_gt(last.proof_nodes, 0);
    submit(order_of(8, NO_MATE));
    answer(0, truth(0));
    ck_assert_uint_eq(last.verdict, VERDICT_NOMATE);
}
END_TEST

START_TEST(orders_that_make_no_sense_are_refused_at_once)
{
    struct tsume_order order = order_of(1, "not an sfen");
    ck_assert_int_ne(submit(order), ST_OK);
    ck_assert_int_eq(submit(order_of(1, "9/9/4P4/9/9/9/9/9/4K4 b G 1")), ST_ILLEGAL);
    order = order_of(1, NO_MATE);
    order.plies_max = 5000;
    ck_assert_int_eq(submit(order), ST_RANGE);
    ck_assert_int_eq(submit(order_of(1, NO_MATE)), ST_OK);
    ck_assert_int_eq(submit(order_of(1, NO_MATE)), ST_DUPLICATE);
    for (uint32_t id = 2; id <= TSUME_ORDERS_MAX; id++) ck_assert_int_eq(submit(order_of(id, NO_MATE)), ST_OK);
    ck_assert_int_eq(submit(order_of(9999, NO_MATE)), ST_FULL);
}
END_TEST

START_TEST(limits_go_to_the_worker_and_what_it_cannot_do_is_unknown)
{
    join(0);
    struct tsume_order order = order_of(1, HARD);
    order.nodes = 100;
    order.time_ms = 5000;
    order.plies_max = 11;
    submit(order);
    ck_assert_uint_eq(jobs[0].nodes, 100);
    ck_assert_uint_eq(jobs[0].time_limit_ms, 5000);
    ck_assert_uint_eq(jobs[0].plies_max, 11);
    answer(0, truth(0));
    ck_assert_uint_eq(last.verdict, VERDICT_UNKNOWN);
    ck_assert_uint_eq(last.nodes, 100);
    order = order_of(2, MATE_IN_5);
    order.plies_max = 3; /* proved: none so short; whether there is a longer one was not asked */
    submit(order);
    answer(0, truth(0));
    ck_assert_uint_eq(last.verdict, VERDICT_UNKNOWN);
}
END_TEST

START_TEST(a_second_worker_joins_what_takes_long_and_the_first_answer_counts)
{
    join(0);
    join(1);
    submit(order_of(1, HARD));
    ck_assert_uint_eq(job_count[0] + job_count[1], 1);
    pass(49);
    ck_assert_uint_eq(job_count[0] + job_count[1], 1);
    pass(1);
    ck_assert_uint_eq(job_count[1], 1);
    ck_assert_uint_eq(stop_count[0], 0);
    ck_assert_uint_ne(jobs[0].hint_scope, 0);
    ck_assert_uint_eq(jobs[1].hint_scope, jobs[0].hint_scope);
    ck_assert_uint_ne(jobs[1].seed, jobs[0].seed);
    ck_assert_uint_ne(jobs[1].variation, jobs[0].variation);
    struct msg_result result = truth(1);
    ck_assert_int_eq(answer(1, result), ST_OK);
    ck_assert_uint_eq(done_count, 1);
    ck_assert_uint_eq(last.verdict, VERDICT_MATE);
    ck_assert_uint_eq(last.plies, 13);
    ck_assert_uint_eq(stop_count[0], 1);
    struct msg_result late = truth(0);
    late.stopped = true;
    ck_assert_int_eq(answer(0, late), ST_STALE);
    ck_assert_uint_eq(done_count, 1);
}
END_TEST

START_TEST(hints_are_shared_only_where_somebody_hears_them)
{
    join(0);
    submit(order_of(1, HARD));
    ck_assert_uint_eq(jobs[0].hint_scope, 0);
    answer(0, truth(0));
    join(1);
    submit(order_of(2, HARD));
    pass(300);
    ck_assert_uint_ne(jobs[0].hint_scope, 0);
    ck_assert_uint_eq(jobs[0].hint_scope, jobs[1].hint_scope);
    uint64_t scope = jobs[0].hint_scope;
    answer(0, truth(0));
    answer(1, truth(1));
    submit(order_of(3, HARD)); /* another position, another scope */
    pass(300);
    ck_assert_uint_ne(jobs[0].hint_scope, scope);
}
END_TEST

/* Two jobs of one position; who listens is who may be fooled. */
START_TEST(a_refutation_that_leans_on_hints_of_strangers_counts_for_nothing)
{
    join(0);
    join(1);
    submit(order_of(1, NO_MATE));
    pass(300);
    ck_assert(jobs[0].tell_only);
    ck_assert(!jobs[1].tell_only);
    answer(1, truth(1));
    ck_assert_uint_eq(done_count, 0);
    ck_assert_uint_eq(job_count[1], 2); /* again, and this time it does not listen */
    ck_assert(jobs[1].tell_only);
    answer(0, truth(0));
    ck_assert_uint_eq(done_count, 0); /* the word of one stranger */
    answer(1, truth(1));
    ck_assert_uint_eq(done_count, 1);
    ck_assert_uint_eq(last.verdict, VERDICT_NOMATE);
}
END_TEST

START_TEST(a_mate_that_leans_on_hints_is_as_good_as_its_proof)
{
    join(0);
    join(1);
    submit(order_of(1, HARD));
    pass(300);
    ck_assert_int_eq(answer(1, truth(1)), ST_OK);
    ck_assert_uint_eq(done_count, 1);
    ck_assert_uint_eq(last.verdict, VERDICT_MATE);
    ck_assert(!last.shortest); /* that nothing shorter mates is a refutation, and may be a lie of somebody */
}
END_TEST

START_TEST(child_processes_among_themselves_believe_each_other)
{
    closed_plane = true;
    tear_down();
    set_up();
    peers[0].slot = 0;
    peers[1].slot = 1;
    join(0);
    join(1);
    submit(order_of(1, NO_MATE));
    pass(300);
    ck_assert(!jobs[0].tell_only);
    ck_assert(!jobs[1].tell_only);
    answer(1, truth(1));
    ck_assert_uint_eq(done_count, 1);
    ck_assert_uint_eq(last.verdict, VERDICT_NOMATE);
    closed_plane = false;
}
END_TEST

START_TEST(nodes_are_counted_over_all_workers_of_a_position)
{
    join(0);
    join(1);
    struct tsume_order order = order_of(1, HARD);
    order.nodes = 1000;
    submit(order);
    pass(300);
    ck_assert_uint_eq(jobs[1].nodes, 1000);
    for (unsigned n = 0; n < 2; n++) {
        struct msg msg = {.type = MSG_partial};
        msg.partial = (struct msg_partial){.session = peers[n].session,
                                           .epoch = jobs[n].epoch,
                                           .job = 1,
                                           .attempt = jobs[n].attempt,
                                           .depth = 1,
                                           .score_kind = WIRE_SCORE_NONE,
                                           .nodes = 600,
                                           .elapsed_ms = 500};
        ck_assert_uint_eq(done_count, 0);
        ck_assert_int_eq(say(n, &msg), ST_OK);
    }
    ck_assert_uint_eq(done_count, 1);
    ck_assert_uint_eq(last.verdict, VERDICT_UNKNOWN);
    ck_assert_uint_eq(last.nodes, 1200);
}
END_TEST

START_TEST(where_only_a_liar_is_left_the_answer_is_unknown)
{
    join(0);
    submit(order_of(1, MATE_IN_5));
    for (unsigned lies = 1; lies <= 4; lies++) {
        ck_assert_uint_eq(done_count, 0);
        ck_assert_uint_eq(job_count[0], lies);
        struct msg_result result = truth(0);
        result.certificate.length--;
        ck_assert_int_eq(answer(0, result), ST_ILLEGAL);
    }
    ck_assert_uint_eq(done_count, 1);
    ck_assert_uint_eq(last.verdict, VERDICT_UNKNOWN);
    ck_assert_str_ne(last_text, "");
}
END_TEST

START_TEST(a_stranger_who_says_no_mate_needs_a_second_one_and_a_child_does_not)
{
    join(0);
    join(1);
    submit(order_of(1, NO_MATE));
    answer(0, truth(0));
    ck_assert_uint_eq(done_count, 0);
    ck_assert_uint_eq(job_count[1], 1);
    answer(1, truth(1));
    ck_assert_uint_eq(done_count, 1);
    ck_assert_uint_eq(last.verdict, VERDICT_NOMATE);
    tear_down();
    set_up();
    peers[0].slot = 0;
    join(0);
    join(1);
    submit(order_of(1, NO_MATE));
    answer(0, truth(0));
    ck_assert_uint_eq(done_count, 1);
}
END_TEST

START_TEST(a_worker_whose_proof_does_not_hold_is_not_asked_again)
{
    join(0);
    join(1);
    submit(order_of(1, MATE_IN_5));
    struct msg_result result = truth(0);
    result.certificate.length--;
    ck_assert_int_eq(answer(0, result), ST_ILLEGAL);
    ck_assert_uint_eq(done_count, 0);
    ck_assert_uint_eq(job_count[0], 1);
    ck_assert_uint_eq(job_count[1], 1);
    answer(1, truth(1)); /* its proof holds: nobody else is needed */
    ck_assert_uint_eq(done_count, 1);
    ck_assert_uint_eq(last.plies, 5);
    submit(order_of(2, NO_MATE));
    ck_assert_uint_eq(job_count[0], 1);
    ck_assert_uint_eq(job_count[1], 2);
}
END_TEST

/* A mate in three with the defender's help: all legal, all checks, and no proof of anything. */
static size_t help_mate(const struct position *root, char out[64])
{
    Move first[MOVES_MAX], reply[MOVES_MAX], last_move[MOVES_MAX];
    struct undo undo[3];
    struct position pos = *root;
    size_t a = movegen_legal(&pos, first);
    for (size_t i = 0; i < a; i++) {
        if (!position_gives_check(&pos, first[i])) continue;
        position_do(&pos, first[i], &undo[0]);
        size_t b = movegen_legal(&pos, reply);
        for (size_t j = 0; j < b; j++) {
            position_do(&pos, reply[j], &undo[1]);
            size_t c = movegen_legal(&pos, last_move);
            for (size_t k = 0; k < c; k++) {
                if (!position_gives_check(&pos, last_move[k])) continue;
                position_do(&pos, last_move[k], &undo[2]);
                bool mate = !position_has_legal_move(&pos);
                position_undo(&pos, &undo[2]);
                if (!mate) continue;
                size_t bytes = movetext_to_usi(first[i], out);
                out[bytes++] = ' ';
                bytes += movetext_to_usi(reply[j], out + bytes);
                out[bytes++] = ' ';
                return bytes + movetext_to_usi(last_move[k], out + bytes);
            }
            position_undo(&pos, &undo[1]);
        }
        position_undo(&pos, &undo[0]);
    }
    return 0;
}

START_TEST(a_mate_that_needs_help_is_not_believed_without_a_proof)
{
    static const char sfen[] = "8k/5p1R1/6Sl1/9/6+B2/9/8B/9/9 b Pr4g3s3n3l16p 1"; /* no mate */
    struct position pos;
    char line[64];
    ck_assert_int_eq(sfen_read(&pos, sfen, sizeof sfen - 1, NULL, NULL), ST_OK);
    size_t bytes = help_mate(&pos, line);
    ck_assert_uint_gt(bytes, 0);
    join(0);
    join(1);
    join(2);
    submit(order_of(1, sfen));
    struct msg_result lie = truth(0);
    ck_assert_uint_eq(lie.verdict, VERDICT_NOMATE);
    lie.verdict = VERDICT_MATE;
    lie.line = wire_str_make(line, bytes);
    ck_assert_int_eq(answer(0, lie), ST_OK);
    ck_assert_uint_eq(done_count, 0); /* a second opinion is asked for */
    ck_assert_uint_eq(job_count[1], 1);
    answer(1, truth(1));
    ck_assert_uint_eq(done_count, 0); /* now it is one against one */
    unsigned third = job_count[2] ? 2 : 0;
    answer(third, truth(third));
    ck_assert_uint_eq(done_count, 1);
    ck_assert_uint_eq(last.verdict, VERDICT_NOMATE);
}
END_TEST

START_TEST(the_position_of_a_lost_worker_goes_to_another)
{
    join(0);
    submit(order_of(1, MATE_IN_5));
    join(1);
    ck_assert_uint_eq(job_count[1], 0);
    struct coord_event gone = {.type = COORD_EV_PEER_GONE};
    gone.peer_gone.peer = 0;
    step(&gone);
    ck_assert_uint_eq(job_count[1], 1);
    ck_assert_uint_eq(jobs[1].attempt, 2);
    answer(1, truth(1));
    ck_assert_uint_eq(last.plies, 5);
}
END_TEST

START_TEST(workers_that_refuse_end_it_with_their_reason)
{
    join(0);
    submit(order_of(1, MATE_IN_5));
    for (unsigned i = 0; i < 4; i++) {
        ck_assert_uint_eq(done_count, 0);
        struct msg_result refusal = {.session = peers[0].session,
                                     .epoch = jobs[0].epoch,
                                     .job = jobs[0].job,
                                     .attempt = jobs[0].attempt,
                                     .verdict = VERDICT_REFUSED,
                                     .text = wire_str_make("no solver", 9)};
        answer(0, refusal);
    }
    ck_assert_uint_eq(done_count, 1);
    ck_assert_uint_eq(last.verdict, VERDICT_REFUSED);
    ck_assert_str_eq(last_text, "no solver");
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("tsume");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, a_mate_comes_with_line_length_and_size_of_its_proof);
    tcase_add_test(tc, orders_that_make_no_sense_are_refused_at_once);
    tcase_add_test(tc, limits_go_to_the_worker_and_what_it_cannot_do_is_unknown);
    tcase_add_test(tc, a_second_worker_joins_what_takes_long_and_the_first_answer_counts);
    tcase_add_test(tc, hints_are_shared_only_where_somebody_hears_them);
    tcase_add_test(tc, a_refutation_that_leans_on_hints_of_strangers_counts_for_nothing);
    tcase_add_test(tc, a_mate_that_leans_on_hints_is_as_good_as_its_proof);
    tcase_add_test(tc, child_processes_among_themselves_believe_each_other);
    tcase_add_test(tc, nodes_are_counted_over_all_workers_of_a_position);
    tcase_add_test(tc, where_only_a_liar_is_left_the_answer_is_unknown);
    tcase_add_test(tc, a_stranger_who_says_no_mate_needs_a_second_one_and_a_child_does_not);
    tcase_add_test(tc, a_worker_whose_proof_does_not_hold_is_not_asked_again);
    tcase_add_test(tc, a_mate_that_needs_help_is_not_believed_without_a_proof);
    tcase_add_test(tc, the_position_of_a_lost_worker_goes_to_another);
    tcase_add_test(tc, workers_that_refuse_end_it_with_their_reason);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("tsume", add_cases)
