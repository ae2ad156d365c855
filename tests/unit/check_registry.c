#include "coordinator/core/local.h"
#include "coordinator/core/registry.h"
#include "tests/unit/check_main.h"

#include <string.h>

enum { BOOT = 0x1000, ZOBRIST = 5, EVAL = 7 };
static struct registry r;
static struct registry_report report;
static struct coord_effects *fx;
static struct metrics metrics;
static int64_t now_us;
static struct worker_job held;
static unsigned who;

static void set_up(void)
{
    fx = malloc(sizeof *fx);
    ck_assert_ptr_nonnull(fx);
    memset(&metrics, 0, sizeof metrics);
    now_us = 1000000;
    registry_init(&r,
                  &(struct registry_settings){
                      .boot = BOOT, .zobrist_check = ZOBRIST, .heartbeat_ms = 200, .suspect_ms = 800, .dead_ms = 2000},
                  &metrics);
    registry_set_config(&r, &(struct msg_configure){.entering_king_rule = 3}, 64, 2);
}

static void tear_down(void) { free(fx); }

static void fresh(void)
{
    fx_clear(fx);
    report.count = 0;
}

static enum status take(uint64_t peer, int slot, struct msg *msg)
{
    fresh();
    registry_note_time(&r, now_us / 1000);
    return registry_take(&r, peer, slot, msg, now_us, &who, &held, &report, fx);
}

/* The first message of that type among the effects; NULL if there is none. */
static const struct msg *sent(enum msg_type type)
{
    for (size_t i = 0; i < fx->count; i++)
        if (fx->items[i].type == COORD_FX_SEND && fx->items[i].send.msg.type == type) return &fx->items[i].send.msg;
    return NULL;
}

static struct msg hello_of(uint64_t boot, uint64_t eval, uint64_t zobrist)
{
    struct msg msg = {.type = MSG_hello, .boot = boot, .sequence = 1};
    msg.hello = (struct msg_hello){
        .name = {"w", 1}, .build = {"b", 1}, .eval_hash = eval, .zobrist_check = zobrist, .threads = 1, .hash_mb = 16};
    return msg;
}

static uint64_t join(uint64_t peer, uint64_t boot)
{
    struct msg msg = hello_of(boot, EVAL, ZOBRIST);
    ck_assert_int_eq(take(peer, COORD_PEER_REMOTE, &msg), ST_OK);
    const struct msg *welcome = sent(MSG_welcome);
    ck_assert_ptr_nonnull(welcome);
    return welcome->welcome.session;
}

static struct msg beat_of(uint64_t boot, uint64_t sequence, uint64_t session, bool busy)
{
    struct msg msg = {.type = MSG_heartbeat, .boot = boot, .sequence = sequence};
    msg.heartbeat.session = session;
    msg.heartbeat.busy = busy;
    return msg;
}

static void configure(uint64_t peer, uint64_t boot, uint64_t session)
{
    fresh();
    registry_configure(&r, now_us / 1000, fx);
    const struct msg *sent_config = sent(MSG_configure);
    ck_assert_ptr_nonnull(sent_config);
    struct msg msg = {.type = MSG_configured, .boot = boot, .sequence = 2};
    msg.configured = (struct msg_configured){.session = session, .config = sent_config->configure.config, .ok = true};
    ck_assert_int_eq(take(peer, COORD_PEER_REMOTE, &msg), ST_OK);
}

static void tick(void)
{
    fresh();
    registry_note_time(&r, now_us / 1000);
    registry_tick(&r, now_us, &report, fx);
}

START_TEST(hello_opens_a_session_and_configured_makes_it_usable)
{
    uint64_t session = join(1, 100);
    ck_assert_uint_ne(session, 0);
    ck_assert_int_eq(report.items[0].type, NEWS_JOINED);
    ck_assert_uint_eq(registry_usable_count(&r), 0);
    configure(1, 100, session);
    ck_assert_uint_eq(registry_usable_count(&r), 1);
    ck_assert(worker_is_free(&r, &r.workers[0]));
}
END_TEST

/* Heartbeats of a worker that searches `per_s` nodes a second, with its echo right behind each. */
static void search_for(uint64_t peer, uint64_t boot, uint64_t session, uint64_t *sequence, int seconds, uint64_t per_s)
{
    static uint64_t nodes;
    for (int i = 0; i < 5 * seconds; i++) {
        for (int echo = 0; echo < 2; echo++) {
            struct msg msg = beat_of(boot, ++*sequence, session, true);
            msg.heartbeat.nodes = nodes;
            ck_assert_int_eq(take(peer, COORD_PEER_REMOTE, &msg), ST_OK);
            now_us += 2000;
            nodes += per_s * 2000 / 1000000;
        }
        now_us += 196000;
        nodes += per_s * 196000 / 1000000;
    }
}

START_TEST(speed_is_measured_while_workers_search)
{
    uint64_t sequence_one = 2, sequence_two = 2, one = join(1, 100);
    uint32_t weights[COORD_WORKERS_MAX];
    configure(1, 100, one);
    uint64_t two = join(2, 200);
    configure(2, 200, two);
    search_for(1, 100, one, &sequence_one, 3, 1000000);
    registry_weights(&r, weights);
    ck_assert_uint_eq(weights[0], 1000);
    ck_assert_uint_eq(weights[1], 1000); /* nothing is known of the second: as good as the first */
    search_for(2, 200, two, &sequence_two, 3, 250000);
    ck_assert_uint_ge(r.workers[0].nodes_per_s, 990000);
    ck_assert_uint_le(r.workers[0].nodes_per_s, 1010000);
    registry_weights(&r, weights);
    ck_assert_uint_eq(weights[0], 1000);
    ck_assert_uint_ge(weights[1], 245);
    ck_assert_uint_le(weights[1], 255);
    ck_assert_uint_eq(weights[2], 0);
}
END_TEST

START_TEST(every_hello_gets_a_session_that_was_never_used)
{
    uint64_t first = join(1, 100), second = join(1, 100), third = join(2, 100);
    ck_assert(first != second && second != third && first != third);
    ck_assert_uint_eq(r.count, 1); /* the same process on a new connection replaces itself */
    ck_assert_uint_eq(metrics.workers_joined, 3);
    struct msg old = beat_of(100, 9, second, false);
    now_us += 2000000;
    ck_assert_int_eq(take(1, COORD_PEER_REMOTE, &old), ST_UNKNOWN);
    ck_assert_ptr_nonnull(sent(MSG_reset));
}
END_TEST

START_TEST(workers_of_one_name_are_told_apart)
{
    join(1, 100);
    join(2, 200);
    join(3, 300);
    ck_assert_str_eq(r.workers[0].name, "w");
    ck_assert_str_eq(r.workers[1].name, "w-2");
    ck_assert_str_eq(r.workers[2].name, "w-3");
    registry_peer_gone(&r, 2, &report, fx);
    join(4, 400);
    ck_assert_str_eq(r.workers[1].name, "w-2"); /* free again */
    join(1, 100);                               /* the first one says hello again */
    ck_assert_uint_eq(r.count, 3);
    ck_assert_str_eq(r.workers[0].name, "w");
}
END_TEST

START_TEST(who_is_not_here_and_why_is_remembered)
{
    join(1, 100);
    struct msg msg = hello_of(200, EVAL + 1, ZOBRIST);
    take(2, COORD_PEER_REMOTE, &msg);
    take(2, COORD_PEER_REMOTE, &msg);
    registry_peer_gone(&r, 1, &report, fx);
    ck_assert_uint_eq(r.absent.count, 2);
    ck_assert(r.absent.items[0].refused);
    ck_assert_uint_eq(r.absent.items[0].count, 2);
    ck_assert_ptr_nonnull(strstr(r.absent.items[0].why, "evaluation"));
    ck_assert(!r.absent.items[1].refused);
    ck_assert_str_eq(r.absent.items[1].why, "connection lost");
}
END_TEST

START_TEST(other_position_keys_evaluations_or_builds_are_refused_with_a_reason)
{
    join(1, 100);
    struct msg msg = hello_of(200, EVAL, ZOBRIST + 1);
    ck_assert_int_eq(take(2, COORD_PEER_REMOTE, &msg), ST_MISMATCH);
    ck_assert_uint_eq(sent(MSG_refuse)->refuse.reason, REFUSE_ZOBRIST);
    msg = hello_of(300, EVAL + 1, ZOBRIST);
    ck_assert_int_eq(take(3, COORD_PEER_REMOTE, &msg), ST_MISMATCH);
    ck_assert_uint_eq(sent(MSG_refuse)->refuse.reason, REFUSE_EVAL);
    ck_assert_uint_gt(sent(MSG_refuse)->refuse.text.length, 20);
    msg = hello_of(400, EVAL, ZOBRIST);
    msg.hello.build = (struct wire_str){"another", 7};
    ck_assert_int_eq(take(4, COORD_PEER_REMOTE, &msg), ST_MISMATCH);
    ck_assert_uint_eq(sent(MSG_refuse)->refuse.reason, REFUSE_BUILD);
    ck_assert_ptr_nonnull(strstr(sent(MSG_refuse)->refuse.text.bytes, "\"another\" differs"));
    ck_assert_uint_eq(r.count, 1);
    ck_assert_uint_eq(metrics.refused_workers, 3);
}
END_TEST

START_TEST(the_local_worker_decides_which_evaluation_and_build_the_cluster_has)
{
    join(1, 100);
    struct msg msg = hello_of(200, EVAL + 1, ZOBRIST);
    ck_assert_int_eq(take(2, 0, &msg), ST_OK);
    ck_assert_uint_eq(sent(MSG_refuse)->refuse.reason, REFUSE_EVAL); /* to the stranger that came first */
    ck_assert_uint_eq(r.count, 1);
    ck_assert_uint_eq(r.eval_hash, EVAL + 1);
    msg = hello_of(300, EVAL + 1, ZOBRIST);
    msg.hello.build = (struct wire_str){"newer", 5};
    ck_assert_int_eq(take(3, 1, &msg), ST_OK);
    ck_assert_uint_eq(sent(MSG_refuse)->refuse.reason, REFUSE_BUILD); /* to the one before it */
    ck_assert_uint_eq(r.count, 1);
    ck_assert_str_eq(r.build, "newer");
}
END_TEST

START_TEST(the_last_one_out_takes_its_evaluation_and_build_along)
{
    join(1, 100);
    fresh();
    registry_peer_gone(&r, 1, &report, fx);
    struct msg msg = hello_of(200, EVAL + 1, ZOBRIST);
    msg.hello.build = (struct wire_str){"another", 7};
    ck_assert_int_eq(take(2, COORD_PEER_REMOTE, &msg), ST_OK);
}
END_TEST

START_TEST(a_full_cluster_says_so)
{
    for (unsigned i = 0; i < COORD_WORKERS_MAX; i++) join(i + 1, i + 1000);
    struct msg msg = hello_of(9, EVAL, ZOBRIST);
    ck_assert_int_eq(take(9999, COORD_PEER_REMOTE, &msg), ST_FULL);
    ck_assert_uint_eq(sent(MSG_refuse)->refuse.reason, REFUSE_FULL);
    now_us += 200000;
    tick(); /* a heartbeat for everybody fits into one step */
    ck_assert_uint_eq(fx->count, COORD_WORKERS_MAX);
}
END_TEST

START_TEST(another_protocol_version_is_explained)
{
    fresh();
    registry_bad_frame(&r, 4, ST_VERSION, 99, 0, &report, fx);
    ck_assert_uint_eq(sent(MSG_refuse)->refuse.reason, REFUSE_VERSION);
    fresh();
    registry_bad_frame(&r, 4, ST_SYNTAX, 0, 0, &report, fx);
    ck_assert_uint_eq(fx->count, 0); /* noise from strangers is only counted */
    ck_assert_uint_eq(metrics.bad_frames, 2);
}
END_TEST

START_TEST(a_worker_that_sends_only_noise_is_thrown_out)
{
    join(1, 100);
    for (int i = 0; i < 100 && r.count; i++) {
        fresh();
        registry_bad_frame(&r, 1, ST_SYNTAX, 0, 0, &report, fx);
    }
    ck_assert_uint_eq(r.count, 0);
}
END_TEST

START_TEST(a_repeated_frame_is_known_by_its_number_a_late_one_is_not_lost)
{
    uint64_t session = join(1, 100);
    struct msg beat = beat_of(100, 5, session, false);
    ck_assert_int_eq(take(1, COORD_PEER_REMOTE, &beat), ST_OK);
    ck_assert_uint_eq(metrics.gaps, 3);
    ck_assert_int_eq(take(1, COORD_PEER_REMOTE, &beat), ST_DUPLICATE);
    beat.sequence = 3;
    ck_assert_int_eq(take(1, COORD_PEER_REMOTE, &beat), ST_OK);
    ck_assert_uint_eq(metrics.gaps, 2);
    ck_assert_int_eq(take(1, COORD_PEER_REMOTE, &beat), ST_DUPLICATE);
    beat.sequence = 1; /* that was the hello */
    ck_assert_int_eq(take(1, COORD_PEER_REMOTE, &beat), ST_DUPLICATE);
    beat.sequence = 500;
    ck_assert_int_eq(take(1, COORD_PEER_REMOTE, &beat), ST_OK);
    beat.sequence = 6; /* too old to tell */
    ck_assert_int_eq(take(1, COORD_PEER_REMOTE, &beat), ST_DUPLICATE);
    ck_assert_uint_eq(metrics.duplicates, 4);
}
END_TEST

START_TEST(silence_makes_suspect_then_dead_and_any_message_is_a_sign_of_life)
{
    uint64_t session = join(1, 100);
    configure(1, 100, session);
    for (int i = 0; i < 3; i++) {
        now_us += 200000;
        tick();
        ck_assert_ptr_nonnull(sent(MSG_heartbeat));
        ck_assert_uint_eq(report.count, 0);
    }
    now_us += 200000;
    tick();
    ck_assert_int_eq(report.items[0].type, NEWS_SUSPECT);
    ck_assert_uint_eq(registry_usable_count(&r), 0);
    struct msg beat = beat_of(100, 3, session, false);
    ck_assert_int_eq(take(1, COORD_PEER_REMOTE, &beat), ST_OK);
    ck_assert_uint_eq(registry_usable_count(&r), 1);
    for (int i = 0; i < 9; i++) {
        now_us += 200000;
        tick();
    }
    ck_assert_uint_eq(r.count, 1);
    now_us += 200000;
    tick();
    ck_assert_uint_eq(r.count, 0);
    ck_assert_int_eq(report.items[0].type, NEWS_DEAD);
}
END_TEST

START_TEST(our_own_absence_is_not_held_against_the_workers)
{
    join(1, 100);
    tick();
    now_us += 3600000000; /* suspended for an hour */
    tick();
    ck_assert_uint_eq(r.count, 1);
    ck_assert_uint_eq(report.count, 0);
    for (int i = 0; i < 12; i++) {
        now_us += 200000;
        tick();
    }
    ck_assert_uint_eq(r.count, 0); /* but then they have to speak */
}
END_TEST

START_TEST(a_heartbeat_is_echoed_and_its_echo_measures_the_round_trip)
{
    uint64_t session = join(1, 100);
    struct msg beat = beat_of(100, 2, session, false);
    beat.heartbeat.sent_us = 77;
    take(1, COORD_PEER_REMOTE, &beat);
    ck_assert_uint_eq(sent(MSG_heartbeat)->heartbeat.echo_us, 77);
    beat = beat_of(100, 3, session, false);
    beat.heartbeat.sent_us = 78;
    beat.heartbeat.echo_us = (uint64_t)now_us - 30000;
    take(1, COORD_PEER_REMOTE, &beat);
    ck_assert_ptr_null(sent(MSG_heartbeat)); /* an answer is not answered */
    ck_assert_int_eq(r.workers[0].rtt_us, 30000);
    beat = beat_of(100, 4, session, false);
    beat.heartbeat.echo_us = UINT64_MAX; /* nonsense from a broken worker */
    take(1, COORD_PEER_REMOTE, &beat);
    ck_assert_int_eq(r.workers[0].rtt_us, 30000);
}
END_TEST

/* It says nothing any more: dead after the usual two seconds, as on a short line. */
static void silence_ends_it_in_two_seconds(void)
{
    for (int i = 0; i < 10; i++) {
        ck_assert_uint_eq(r.count, 1);
        now_us += 201000;
        tick();
    }
    ck_assert_uint_eq(r.count, 0);
}

/* Seed 400432299 of the simulator: all that is known of a new worker is how long its first pause was. */
START_TEST(a_new_worker_that_pauses_is_not_on_a_long_line)
{
    uint64_t session = join(1, 100);
    now_us += 700000;
    struct msg beat = beat_of(100, 2, session, false);
    beat.heartbeat.echo_us = (uint64_t)now_us - 700000;
    take(1, COORD_PEER_REMOTE, &beat);
    ck_assert_int_eq(r.workers[0].rtt_least_ms, 0);
    silence_ends_it_in_two_seconds();
}
END_TEST

/* A stopped worker that goes on answers all heartbeats of the pause at once; if it then falls silent, it is dead after
 * the time of its line, not after that of its pause. */
START_TEST(the_answers_of_a_pause_do_not_make_a_line_look_slow)
{
    uint64_t session = join(1, 100), sequence = 2;
    struct msg beat;
    for (int i = 0; i < 8; i++) {
        now_us += 200000;
        beat = beat_of(100, sequence++, session, false);
        beat.heartbeat.echo_us = (uint64_t)now_us - 1000;
        take(1, COORD_PEER_REMOTE, &beat);
    }
    for (int i = 10; i > 0; i--) {
        beat = beat_of(100, sequence++, session, false);
        beat.heartbeat.echo_us = (uint64_t)now_us - (uint64_t)i * 190000;
        take(1, COORD_PEER_REMOTE, &beat);
    }
    ck_assert_int_eq(r.workers[0].rtt_least_ms, 1);
    silence_ends_it_in_two_seconds();
}
END_TEST

static void give_job(uint64_t epoch, uint32_t job, uint32_t attempt)
{
    fresh();
    struct msg_job order = {.epoch = epoch, .job = job, .attempt = attempt};
    registry_send_job(&r, &r.workers[0], &order, JOB_GAME, 0, now_us / 1000, fx);
}

static struct msg result_of(uint64_t session, uint64_t sequence, uint64_t epoch, uint32_t job, uint32_t attempt)
{
    struct msg msg = {.type = MSG_result, .boot = 100, .sequence = sequence};
    msg.result = (struct msg_result){.session = session, .epoch = epoch, .job = job, .attempt = attempt};
    return msg;
}

START_TEST(only_the_holder_of_a_job_may_answer_and_only_once)
{
    uint64_t session = join(1, 100), other = join(2, 200);
    configure(1, 100, session);
    give_job(10, 1, 2);
    struct msg msg = result_of(session, 3, 9, 1, 2);
    ck_assert_int_eq(take(1, COORD_PEER_REMOTE, &msg), ST_STALE);
    msg = result_of(session, 4, 10, 2, 2);
    ck_assert_int_eq(take(1, COORD_PEER_REMOTE, &msg), ST_STALE);
    msg = result_of(session, 5, 10, 1, 1);
    ck_assert_int_eq(take(1, COORD_PEER_REMOTE, &msg), ST_STALE);
    msg = result_of(other, 2, 10, 1, 2);
    msg.boot = 200;
    ck_assert_int_eq(take(2, COORD_PEER_REMOTE, &msg), ST_STALE);
    msg = result_of(session, 6, 10, 1, 2);
    ck_assert_int_eq(take(1, COORD_PEER_REMOTE, &msg), ST_OK);
    ck_assert_uint_eq(who, 0);
    ck_assert_uint_eq(held.epoch, 10);
    msg.sequence = 7;
    ck_assert_int_eq(take(1, COORD_PEER_REMOTE, &msg), ST_STALE);
}
END_TEST

START_TEST(a_job_that_the_worker_denies_twice_is_lost)
{
    uint64_t session = join(1, 100), sequence = 3;
    configure(1, 100, session);
    give_job(10, 1, 1);
    uint64_t job_us = (uint64_t)now_us;
    now_us += 900000;
    /* A worker that was suspended first answers what had come before the job: no denial, however late it arrives. */
    const struct {
        bool busy;
        uint64_t echo_us;
        size_t news;
    } beats[] = {{false, job_us - 200000, 0}, {false, job_us, 0},          {false, 0, 0},
                 {true, job_us + 200000, 0},  {false, job_us + 400000, 0}, {true, job_us + 600000, 0},
                 {false, job_us + 600000, 0}, {false, job_us + 800000, 1}};
    for (size_t i = 0; i < sizeof beats / sizeof beats[0]; i++) {
        struct msg msg = beat_of(100, sequence++, session, beats[i].busy);
        msg.heartbeat.echo_us = beats[i].echo_us;
        take(1, COORD_PEER_REMOTE, &msg);
        ck_assert_uint_eq(report.count, beats[i].news);
    }
    ck_assert_int_eq(report.items[0].type, NEWS_JOB_LOST);
    ck_assert(worker_is_free(&r, &r.workers[0]));
}
END_TEST

START_TEST(a_stop_that_was_lost_is_said_again_and_a_search_that_never_stops_ends_the_session)
{
    uint64_t session = join(1, 100), sequence = 3;
    configure(1, 100, session);
    give_job(10, 1, 1);
    fresh();
    registry_send_stop(&r, &r.workers[0], now_us / 1000, fx);
    int stops = 0;
    for (int i = 0; i < 60 && r.count; i++) {
        now_us += 200000;
        struct msg beat = beat_of(100, sequence++, session, true);
        take(1, COORD_PEER_REMOTE, &beat);
        stops += sent(MSG_stop) != NULL;
        tick();
    }
    ck_assert_int_gt(stops, 5);
    ck_assert_uint_eq(r.count, 0);
    ck_assert_int_eq(report.items[0].type, NEWS_DEAD);
}
END_TEST

START_TEST(a_configuration_that_fails_is_tried_again_then_done_without)
{
    uint64_t session = join(1, 100), sequence = 3;
    configure(1, 100, session);
    registry_set_config(&r, &(struct msg_configure){.entering_king_rule = 1}, 64, 2);
    ck_assert_uint_eq(registry_usable_count(&r), 0);
    int tries = 0;
    for (int i = 0; i < 100 && !registry_usable_count(&r); i++) {
        fresh();
        registry_configure(&r, now_us / 1000, fx);
        if (sent(MSG_configure)) {
            tries++;
            struct msg msg = {.type = MSG_configured, .boot = 100, .sequence = sequence++};
            msg.configured =
                (struct msg_configured){.session = session, .config = 2, .ok = false, .text = {"no memory", 9}};
            take(1, COORD_PEER_REMOTE, &msg);
        }
        now_us += 500000;
    }
    ck_assert_int_eq(tries, 3);
    ck_assert_uint_eq(registry_usable_count(&r), 1); /* with its old configuration */
}
END_TEST

START_TEST(options_of_the_machine_go_to_local_workers_only)
{
    join(1, 100);
    struct msg msg = hello_of(200, EVAL, ZOBRIST);
    take(2, 0, &msg);
    fresh();
    registry_configure(&r, now_us / 1000, fx);
    ck_assert_uint_eq(fx->count, 2);
    ck_assert_uint_eq(fx->items[0].send.msg.configure.threads, 0);
    ck_assert_uint_eq(fx->items[1].send.msg.configure.threads, 2);
    ck_assert_uint_eq(fx->items[1].send.msg.configure.hash_mb, 64);
}
END_TEST

START_TEST(a_message_that_only_coordinators_say_is_refused)
{
    join(1, 100);
    struct msg msg = {.type = MSG_welcome, .boot = 100, .sequence = 2};
    ck_assert_int_eq(take(1, COORD_PEER_REMOTE, &msg), ST_UNKNOWN);
}
END_TEST

START_TEST(names_that_peers_choose_are_made_harmless)
{
    struct msg msg = hello_of(100, EVAL, ZOBRIST);
    msg.hello.name = wire_str_make("a\"b\nc\x7f", 6);
    take(1, COORD_PEER_REMOTE, &msg);
    ck_assert_str_eq(r.workers[0].name, "a'b c ");
    msg = hello_of(200, EVAL, ZOBRIST);
    msg.hello.name = wire_str_make(NULL, 0);
    take(2, COORD_PEER_REMOTE, &msg);
    ck_assert_str_ne(r.workers[1].name, "");
}
END_TEST

/* ---- local workers ---- */

static unsigned starts, kills;

static void local_step(struct local *l, int64_t now_ms)
{
    fresh();
    local_tick(l, now_ms, &metrics, fx);
    for (size_t i = 0; i < fx->count; i++) {
        starts += fx->items[i].type == COORD_FX_START_LOCAL;
        kills += fx->items[i].type == COORD_FX_KILL_LOCAL;
    }
}

START_TEST(a_child_that_dies_young_again_and_again_is_started_ever_more_slowly)
{
    struct local l;
    local_init(&l, 1);
    int64_t now = 0, last = 0, gap = 0;
    starts = 0;
    for (int i = 0; i < 12; i++) {
        now = local_deadline_ms(&l) > now ? local_deadline_ms(&l) : now;
        local_step(&l, now);
        gap = now - last;
        last = now;
        ck_assert(local_died(&l, 0, now));
    }
    ck_assert_uint_eq(starts, 12);
    ck_assert_int_eq(gap, 10000);
    /* one that has lived for long starts again at once */
    now = local_deadline_ms(&l);
    local_step(&l, now);
    local_started(&l, 0, now);
    local_greeted(&l, 0);
    ck_assert_int_eq(local_deadline_ms(&l), INT64_MAX);
    local_died(&l, 0, now + 60000);
    ck_assert_int_le(local_deadline_ms(&l), now + 60100);
}
END_TEST

START_TEST(a_child_that_says_no_hello_is_ended)
{
    struct local l;
    local_init(&l, 2);
    starts = kills = 0;
    local_step(&l, 0);
    ck_assert_uint_eq(starts, 2);
    local_started(&l, 0, 10);
    local_started(&l, 1, 10);
    local_greeted(&l, 1);
    local_step(&l, local_deadline_ms(&l));
    ck_assert_uint_eq(kills, 1);
    local_step(&l, local_deadline_ms(&l)); /* it is still there: once more */
    ck_assert_uint_eq(kills, 2);
    ck_assert(local_died(&l, 0, 30000));
    ck_assert(!local_died(&l, 0, 30001));
    ck_assert(!local_died(&l, 7, 30001));
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("registry");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, hello_opens_a_session_and_configured_makes_it_usable);
    tcase_add_test(tc, speed_is_measured_while_workers_search);
    tcase_add_test(tc, every_hello_gets_a_session_that_was_never_used);
    tcase_add_test(tc, workers_of_one_name_are_told_apart);
    tcase_add_test(tc, who_is_not_here_and_why_is_remembered);
    tcase_add_test(tc, other_position_keys_evaluations_or_builds_are_refused_with_a_reason);
    tcase_add_test(tc, the_local_worker_decides_which_evaluation_and_build_the_cluster_has);
    tcase_add_test(tc, the_last_one_out_takes_its_evaluation_and_build_along);
    tcase_add_test(tc, a_full_cluster_says_so);
    tcase_add_test(tc, another_protocol_version_is_explained);
    tcase_add_test(tc, a_worker_that_sends_only_noise_is_thrown_out);
    tcase_add_test(tc, a_repeated_frame_is_known_by_its_number_a_late_one_is_not_lost);
    tcase_add_test(tc, silence_makes_suspect_then_dead_and_any_message_is_a_sign_of_life);
    tcase_add_test(tc, our_own_absence_is_not_held_against_the_workers);
    tcase_add_test(tc, a_heartbeat_is_echoed_and_its_echo_measures_the_round_trip);
    tcase_add_test(tc, the_answers_of_a_pause_do_not_make_a_line_look_slow);
    tcase_add_test(tc, a_new_worker_that_pauses_is_not_on_a_long_line);
    tcase_add_test(tc, only_the_holder_of_a_job_may_answer_and_only_once);
    tcase_add_test(tc, a_job_that_the_worker_denies_twice_is_lost);
    tcase_add_test(tc, a_stop_that_was_lost_is_said_again_and_a_search_that_never_stops_ends_the_session);
    tcase_add_test(tc, a_configuration_that_fails_is_tried_again_then_done_without);
    tcase_add_test(tc, options_of_the_machine_go_to_local_workers_only);
    tcase_add_test(tc, a_message_that_only_coordinators_say_is_refused);
    tcase_add_test(tc, names_that_peers_choose_are_made_harmless);
    tcase_add_test(tc, a_child_that_dies_young_again_and_again_is_started_ever_more_slowly);
    tcase_add_test(tc, a_child_that_says_no_hello_is_ended);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("registry", add_cases)
