/* check_session.c - the worker's half of the protocol, event by event. Expected effects are those that PROTOCOL.md and
 * session.h promise. */
#include "worker/core/session.h"

#include "tests/unit/check_main.h"

#include <string.h>

enum { BEAT_MS = 200, DEAD_MS = 2000 };
static const uint64_t BOOT = 0xb007, PEER_BOOT = 0xc0de, SESSION = 0x5e55;

static struct session *session;
static struct session_effects effects;
static int64_t now_ms;

static void setup(void)
{
    now_ms = 1000;
    session = session_new(&(struct session_options){.name = "alpha",
                                                    .build = "test",
                                                    .eval_name = "classic",
                                                    .eval_hash = 11,
                                                    .zobrist_check = 22,
                                                    .threads = 3,
                                                    .hash_mb = 64,
                                                    .boot = BOOT,
                                                    .seed = 1});
    ck_assert_ptr_nonnull(session);
}

static void teardown(void) { session_free(session); }

/* ---- small words for the stories ------------------------------------------------------------------------------- */

static struct wire_str str(const char *text) { return wire_str_make(text, strlen(text)); }

static enum status happen(struct session_event *event)
{
    event->now_ms = now_ms;
    return session_step(session, event, &effects);
}

static enum status happen_type(enum session_event_type type) { return happen(&(struct session_event){.type = type}); }

static enum status hear(struct msg *message)
{
    static uint64_t sequence;
    struct session_event event = {.type = SESSION_MESSAGE};
    if (!message->boot) message->boot = PEER_BOOT;
    if (!message->sequence) message->sequence = ++sequence;
    event.message = *message;
    return happen(&event);
}

static enum status hear_welcome(uint64_t id)
{
    struct msg message = {.type = MSG_welcome};
    message.welcome = (struct msg_welcome){.session = id, .heartbeat_ms = BEAT_MS, .dead_ms = DEAD_MS};
    return hear(&message);
}

static enum status hear_configure(uint32_t config)
{
    struct msg message = {.type = MSG_configure};
    message.configure = (struct msg_configure){.session = SESSION, .config = config, .entering_king_rule = 3};
    return hear(&message);
}

static enum status config_done(uint32_t config, bool ok, const char *text)
{
    struct session_event event = {.type = SESSION_CONFIG_DONE};
    event.config.config = config;
    event.config.ok = ok;
    event.config.text = str(text);
    return happen(&event);
}

static struct msg job_message(uint64_t epoch, uint32_t job, uint32_t attempt)
{
    struct msg message = {.type = MSG_job};
    message.job = (struct msg_job){.session = SESSION, .epoch = epoch, .job = job, .attempt = attempt};
    message.job.root = str("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    message.job.moves = str("7g7f 3c3d");
    return message;
}

static enum status hear_job(uint64_t epoch, uint32_t job, uint32_t attempt)
{
    struct msg message = job_message(epoch, job, attempt);
    return hear(&message);
}

static enum status hear_stop(uint64_t epoch, uint32_t job)
{
    struct msg message = {.type = MSG_stop};
    message.stop = (struct msg_stop){.session = SESSION, .epoch = epoch, .job = job};
    return hear(&message);
}

static enum status engine_done(uint32_t run, const char *best)
{
    struct session_event event = {.type = SESSION_ENGINE_DONE};
    event.engine.run = run;
    event.engine.result.best = str(best);
    event.engine.result.nodes = 1000;
    return happen(&event);
}

static const struct session_effect *effect_of(enum session_effect_type type)
{
    for (size_t i = 0; i < effects.count; i++)
        if (effects.list[i].type == type) return &effects.list[i];
    return NULL;
}

static const struct msg *sent(enum msg_type type)
{
    for (size_t i = 0; i < effects.count; i++)
        if (effects.list[i].type == SESSION_SEND && effects.list[i].message.type == type)
            return &effects.list[i].message;
    return NULL;
}

static bool str_is(struct wire_str s, const char *text)
{
    return s.length == strlen(text) && memcmp(s.bytes, text, s.length) == 0;
}

static void join(void)
{
    ck_assert_int_eq(happen_type(SESSION_CONNECTED), ST_OK);
    ck_assert_ptr_nonnull(sent(MSG_hello));
    ck_assert_int_eq(hear_welcome(SESSION), ST_OK);
}

static void join_ready(void)
{
    join();
    ck_assert_int_eq(hear_configure(1), ST_OK);
    ck_assert_ptr_nonnull(effect_of(SESSION_ENGINE_CONFIGURE));
    ck_assert_int_eq(config_done(1, true, ""), ST_OK);
    ck_assert(sent(MSG_configured)->configured.ok);
}

/* ---- joining --------------------------------------------------------------------------------------------------- */

START_TEST(hello_tells_who_we_are_as_soon_as_there_is_a_connection)
{
    ck_assert_int_eq(session_deadline_ms(session), INT64_MAX);
    happen_type(SESSION_CONNECTED);
    const struct msg *hello = sent(MSG_hello);
    ck_assert_ptr_nonnull(hello);
    ck_assert_uint_eq(hello->boot, BOOT);
    ck_assert_uint_eq(hello->sequence, 1);
    ck_assert(str_is(hello->hello.name, "alpha"));
    ck_assert_uint_eq(hello->hello.eval_hash, 11);
    ck_assert_uint_eq(hello->hello.zobrist_check, 22);
    ck_assert_uint_eq(hello->hello.threads, 3);
    ck_assert_uint_eq(hello->hello.hash_mb, 64);
}
END_TEST

START_TEST(hello_is_repeated_with_growing_pauses_and_then_the_connection_is_made_anew)
{
    happen_type(SESSION_CONNECTED);
    int64_t pause_ms = 0;
    int hellos = 1;
    while (!effect_of(SESSION_RECONNECT)) {
        ck_assert_int_lt(hellos, 20);
        int64_t due_ms = session_deadline_ms(session);
        ck_assert_int_gt(due_ms, now_ms);
        ck_assert_int_gt(due_ms - now_ms, pause_ms / 2); /* grows, apart from the jitter */
        pause_ms = due_ms - now_ms;
        now_ms = due_ms;
        happen_type(SESSION_TICK);
        hellos += sent(MSG_hello) != NULL;
    }
    ck_assert_int_ge(hellos, 3);
    ck_assert_int_gt(session_deadline_ms(session), now_ms); /* no busy loop while there is no connection */
}
END_TEST

START_TEST(two_workers_do_not_knock_in_step)
{
    struct session *other = session_new(&(struct session_options){.name = "beta", .boot = 3, .seed = 2, .threads = 1});
    static struct session_effects ignored;
    struct session_event event = {.type = SESSION_CONNECTED, .now_ms = now_ms};
    happen_type(SESSION_CONNECTED);
    session_step(other, &event, &ignored);
    ck_assert_int_ne(session_deadline_ms(session), session_deadline_ms(other));
    session_free(other);
}
END_TEST

START_TEST(refusal_ends_the_worker_with_the_coordinators_words)
{
    happen_type(SESSION_CONNECTED);
    struct msg message = {.type = MSG_refuse};
    message.refuse = (struct msg_refuse){.reason = REFUSE_EVAL, .text = str("other evaluation")};
    ck_assert_int_eq(hear(&message), ST_OK);
    const struct session_effect *leaving = effect_of(SESSION_EXIT);
    ck_assert_ptr_nonnull(leaving);
    ck_assert_int_eq(leaving->exit.code, 3);
    ck_assert_str_eq(leaving->exit.text, "other evaluation");
    ck_assert_int_eq(happen_type(SESSION_TICK), ST_STATE);
}
END_TEST

START_TEST(reset_is_answered_with_hello_but_not_in_a_storm)
{
    join();
    struct msg reset = {.type = MSG_reset};
    reset.reset.text = str("who are you");
    now_ms += 1000;
    int hellos = 0;
    for (int i = 0; i < 100; i++) {
        hear(&reset);
        hellos += sent(MSG_hello) != NULL;
        now_ms += 1;
    }
    ck_assert_int_ge(hellos, 1);
    ck_assert_int_le(hellos, 2);
}
END_TEST

START_TEST(messages_of_another_session_or_another_coordinator_change_nothing)
{
    join_ready();
    struct msg message = job_message(1, 1, 1);
    message.job.session = SESSION + 1;
    ck_assert_int_eq(hear(&message), ST_STALE);
    ck_assert_uint_eq(effects.count, 0);
    message = job_message(1, 1, 1);
    message.boot = PEER_BOOT + 1;
    ck_assert_int_eq(hear(&message), ST_STALE);
    ck_assert_uint_eq(effects.count, 0);
    ck_assert(!session_is_searching(session));
    ck_assert_uint_eq(session_counters(session)->stale, 2);
}
END_TEST

START_TEST(welcome_names_the_hint_plane_and_a_job_its_scope)
{
    join_ready();
    struct msg message = {.type = MSG_welcome};
    message.welcome = (struct msg_welcome){.session = SESSION + 1, .heartbeat_ms = BEAT_MS, .dead_ms = DEAD_MS};
    message.welcome.hints_endpoint = str("tcp://*:7655");
    ck_assert_int_eq(hear(&message), ST_OK);
    ck_assert_str_eq(effect_of(SESSION_HINT_PLANE)->hints.endpoint, "tcp://*:7655");
    ck_assert_uint_eq(effect_of(SESSION_HINT_PLANE)->hints.session, SESSION + 1);

    ck_assert_int_eq(hear_welcome(SESSION), ST_OK); /* there it is nowhere */
    ck_assert_str_eq(effect_of(SESSION_HINT_PLANE)->hints.endpoint, "");
    ck_assert_int_eq(hear_configure(2), ST_OK);
    ck_assert_int_eq(config_done(2, true, ""), ST_OK);
    struct msg job = job_message(5, 1, 1);
    job.job.hint_scope = 5;
    job.job.claim_plies = 3;
    job.job.hint_workers = 7;
    ck_assert_int_eq(hear(&job), ST_OK);
    const struct session_go *go = &effect_of(SESSION_ENGINE_GO)->go;
    ck_assert_uint_eq(go->hint_scope, 5);
    ck_assert_uint_eq(go->claim_plies, 3);
    ck_assert_uint_eq(go->hint_workers, 7);
    ck_assert_uint_eq(go->hint_plies, 4);
    ck_assert_uint_eq(go->hint_bytes_per_s, 4 << 20);
}
END_TEST

START_TEST(a_second_welcome_with_another_number_begins_a_new_session)
{
    join_ready();
    hear_job(1, 1, 1);
    ck_assert_int_eq(hear_welcome(SESSION + 7), ST_OK);
    ck_assert_ptr_nonnull(effect_of(SESSION_ENGINE_STOP)); /* nobody waits for that search */
    ck_assert_int_eq(engine_done(1, "2g2f"), ST_OK);
    ck_assert_ptr_null(sent(MSG_result));
    ck_assert_int_eq(hear_welcome(SESSION + 7), ST_DUPLICATE);
}
END_TEST

/* ---- heartbeats and silence ------------------------------------------------------------------------------------ */

START_TEST(a_heartbeat_goes_out_in_every_interval_even_while_searching)
{
    join_ready();
    hear_job(1, 1, 1);
    int beats = 0;
    for (int i = 0; i < 20; i++) {
        now_ms += 50;
        struct msg beat = {.type = MSG_heartbeat};
        beat.heartbeat = (struct msg_heartbeat){.session = SESSION, .sent_us = 5, .echo_us = 4};
        hear(&beat); /* an answer is not answered */
        ck_assert_ptr_null(sent(MSG_heartbeat));
        if (session_deadline_ms(session) <= now_ms) happen_type(SESSION_TICK);
        if (sent(MSG_heartbeat)) {
            beats++;
            ck_assert(sent(MSG_heartbeat)->heartbeat.busy);
        }
    }
    ck_assert_int_eq(beats, 5); /* 1000 ms / 200 ms */
}
END_TEST

START_TEST(a_heartbeat_is_echoed_at_once_so_that_round_trips_can_be_measured)
{
    join();
    struct msg beat = {.type = MSG_heartbeat};
    beat.heartbeat = (struct msg_heartbeat){.session = SESSION, .sent_us = 123456};
    ck_assert_int_eq(hear(&beat), ST_OK);
    ck_assert_uint_eq(sent(MSG_heartbeat)->heartbeat.echo_us, 123456);
}
END_TEST

START_TEST(a_silent_coordinator_stops_the_search_and_hello_is_said_again)
{
    join_ready();
    hear_job(1, 1, 1);
    bool stopped = false, hello = false;
    int64_t start_ms = now_ms;
    while (!hello) {
        ck_assert_int_lt(now_ms, start_ms + 10000);
        now_ms = session_deadline_ms(session);
        happen_type(SESSION_TICK);
        stopped = stopped || effect_of(SESSION_ENGINE_STOP);
        hello = sent(MSG_hello) != NULL;
    }
    ck_assert(stopped);
    ck_assert_int_eq(now_ms, start_ms + DEAD_MS);
    engine_done(1, "2g2f"); /* what it found belongs to nobody */
    ck_assert_ptr_null(sent(MSG_result));
}
END_TEST

START_TEST(a_lost_connection_stops_the_search_and_the_next_one_begins_with_hello)
{
    join_ready();
    hear_job(1, 1, 1);
    ck_assert_int_eq(happen_type(SESSION_DISCONNECTED), ST_OK);
    ck_assert_ptr_nonnull(effect_of(SESSION_ENGINE_STOP));
    now_ms += 500;
    happen_type(SESSION_CONNECTED);
    ck_assert_ptr_nonnull(sent(MSG_hello));
    ck_assert_uint_eq(sent(MSG_hello)->sequence, 1); /* counted per connection */
}
END_TEST

START_TEST(goodbye_of_the_coordinator_ends_the_session_and_hello_is_tried_later)
{
    join_ready();
    struct msg bye = {.type = MSG_bye};
    bye.bye = (struct msg_bye){.session = SESSION, .text = str("restart")};
    ck_assert_int_eq(hear(&bye), ST_OK);
    ck_assert(!session_is_joined(session));
    ck_assert_ptr_null(sent(MSG_hello));
    now_ms = session_deadline_ms(session);
    happen_type(SESSION_TICK);
    ck_assert_ptr_nonnull(sent(MSG_hello));
}
END_TEST

/* ---- configuration --------------------------------------------------------------------------------------------- */

START_TEST(a_configuration_that_asks_for_nothing_gets_what_the_worker_was_started_with)
{
    join();
    hear_configure(9);
    const struct session_effect *effect = effect_of(SESSION_ENGINE_CONFIGURE);
    ck_assert_uint_eq(effect->configure.hash_mb, 64);
    ck_assert_uint_eq(effect->configure.threads, 3);
    ck_assert_uint_eq(effect->configure.config, 9);
}
END_TEST

START_TEST(a_remark_on_the_configuration_travels_to_the_coordinator)
{
    join();
    hear_configure(2);
    config_done(2, true, "cut down");
    ck_assert_uint_eq(sent(MSG_configured)->configured.config, 2);
    ck_assert(sent(MSG_configured)->configured.ok);
    ck_assert(str_is(sent(MSG_configured)->configured.text, "cut down"));
}
END_TEST

START_TEST(the_newest_configuration_wins_when_they_come_faster_than_memory_can_be_had)
{
    join();
    hear_configure(1);
    hear_configure(2);
    hear_configure(3);
    ck_assert_ptr_null(effect_of(SESSION_ENGINE_CONFIGURE)); /* one at a time */
    config_done(1, true, "");
    ck_assert_uint_eq(effect_of(SESSION_ENGINE_CONFIGURE)->configure.config, 3);
    config_done(3, true, "");
    ck_assert_uint_eq(sent(MSG_configured)->configured.config, 3);
}
END_TEST

START_TEST(a_job_waits_for_a_configuration_that_is_under_way)
{
    join();
    hear_configure(1);
    ck_assert_int_eq(hear_job(1, 1, 1), ST_OK);
    ck_assert_ptr_null(effect_of(SESSION_ENGINE_GO));
    config_done(1, true, "");
    ck_assert_ptr_nonnull(effect_of(SESSION_ENGINE_GO));
    ck_assert(str_is(effect_of(SESSION_ENGINE_GO)->go.moves, "7g7f 3c3d"));
}
END_TEST

START_TEST(a_job_before_any_configuration_is_refused_in_words)
{
    join();
    ck_assert_int_eq(hear_job(1, 1, 1), ST_STATE);
    ck_assert_uint_eq(sent(MSG_result)->result.verdict, VERDICT_REFUSED);
    ck_assert_uint_gt(sent(MSG_result)->result.text.length, 0);
}
END_TEST

START_TEST(options_are_not_changed_under_a_running_search)
{
    join_ready();
    hear_job(1, 1, 1);
    ck_assert_int_eq(hear_configure(2), ST_STATE);
    ck_assert(!sent(MSG_configured)->configured.ok);
    ck_assert_ptr_null(effect_of(SESSION_ENGINE_CONFIGURE));
}
END_TEST

START_TEST(a_configuration_that_comes_right_behind_a_stop_waits_for_the_engine)
{
    join_ready();
    hear_job(1, 1, 1);
    hear_stop(1, 1);
    ck_assert_int_eq(hear_configure(2), ST_OK);
    ck_assert_ptr_null(effect_of(SESSION_ENGINE_CONFIGURE));
    engine_done(1, "2g2f");
    ck_assert_ptr_nonnull(sent(MSG_result));
    ck_assert_ptr_nonnull(effect_of(SESSION_ENGINE_CONFIGURE));
}
END_TEST

/* ---- jobs ------------------------------------------------------------------------------------------------------ */

START_TEST(a_part_of_a_search_reaches_the_engine_and_knows_what_it_continues)
{
    join_ready();
    struct msg message = job_message(7, 8, 1);
    message.job.part = true;
    message.job.alpha = -31;
    message.job.beta = -30;
    message.job.depth_min = 11;
    message.job.depth_max = 12;
    message.job.moves_before = 5;
    message.job.variation = 3;
    for (uint32_t number = 0; number < 3; number++) {
        message.job.epoch = number < 2 ? 7 : 8;
        message.job.job = 8 + number;
        message.sequence++;
        ck_assert_int_eq(hear(&message), ST_OK);
        const struct session_go *go = &effect_of(SESSION_ENGINE_GO)->go;
        ck_assert(go->part);
        ck_assert_int_eq(go->alpha, -31);
        ck_assert_int_eq(go->beta, -30);
        ck_assert_uint_eq(go->depth_min, 11);
        ck_assert_uint_eq(go->depth_max, 12);
        ck_assert_uint_eq(go->moves_before, 5);
        ck_assert_uint_eq(go->variation, 3);
        ck_assert_int_eq(go->continues, number == 1); /* same epoch as the one before */
        ck_assert_int_eq(engine_done(go->run, "2g2f"), ST_OK);
    }
}
END_TEST

START_TEST(a_job_is_searched_and_answered_once_with_its_own_numbers)
{
    join_ready();
    struct msg message = job_message(7, 8, 9);
    message.job.multipv = 3;
    message.job.depth_max = 12;
    message.job.nodes = 5000;
    message.job.time_limit_ms = 3000;
    ck_assert_int_eq(hear(&message), ST_OK);
    const struct session_go *go = &effect_of(SESSION_ENGINE_GO)->go;
    ck_assert_uint_eq(go->multipv, 3);
    ck_assert_uint_eq(go->depth_max, 12);
    ck_assert_uint_eq(go->nodes, 5000);
    ck_assert_int_eq(go->time_ms, 3000);
    ck_assert(!go->part && !go->continues);
    uint32_t run = go->run;
    struct session_event info = {.type = SESSION_ENGINE_INFO};
    info.engine.run = run;
    info.engine.info.depth = 4;
    info.engine.info.pv = str("2g2f");
    ck_assert_int_eq(happen(&info), ST_OK);
    const struct msg_partial *partial = &sent(MSG_partial)->partial;
    ck_assert_uint_eq(partial->session, SESSION);
    ck_assert_uint_eq(partial->epoch, 7);
    ck_assert_uint_eq(partial->job, 8);
    ck_assert_uint_eq(partial->attempt, 9);
    ck_assert_uint_eq(partial->depth, 4);
    ck_assert_int_eq(engine_done(run, "2g2f"), ST_OK);
    const struct msg_result *result = &sent(MSG_result)->result;
    ck_assert_uint_eq(result->epoch, 7);
    ck_assert_uint_eq(result->job, 8);
    ck_assert_uint_eq(result->attempt, 9);
    ck_assert(str_is(result->best, "2g2f"));
    ck_assert_int_eq(engine_done(run, "2g2f"), ST_STALE);
    ck_assert_ptr_null(sent(MSG_result));
}
END_TEST

START_TEST(a_repeated_job_message_is_neither_searched_nor_answered_twice)
{
    join_ready();
    hear_job(1, 1, 1);
    ck_assert_int_eq(hear_job(1, 1, 1), ST_DUPLICATE);
    engine_done(1, "2g2f");
    ck_assert_int_eq(hear_job(1, 1, 1), ST_DUPLICATE);
    ck_assert_uint_eq(effects.count, 0);
    ck_assert_int_eq(hear_job(1, 1, 2), ST_OK); /* another attempt is another job */
}
END_TEST

START_TEST(a_newer_epoch_replaces_the_running_job_at_once)
{
    join_ready();
    hear_job(1, 1, 1);
    ck_assert_int_eq(hear_job(2, 1, 1), ST_OK);
    ck_assert_ptr_nonnull(effect_of(SESSION_ENGINE_STOP));
    ck_assert_ptr_null(effect_of(SESSION_ENGINE_GO)); /* never two searches at a time */
    engine_done(1, "2g2f");
    ck_assert_uint_eq(sent(MSG_result)->result.epoch, 1);
    ck_assert_uint_eq(effect_of(SESSION_ENGINE_GO)->go.run, 2);
    engine_done(2, "7g7f");
    ck_assert_uint_eq(sent(MSG_result)->result.epoch, 2);
}
END_TEST

START_TEST(a_waiting_job_that_is_replaced_is_answered_too)
{
    join_ready();
    hear_job(1, 1, 1);
    hear_job(2, 1, 1);
    hear_job(3, 1, 1);
    ck_assert_uint_eq(sent(MSG_result)->result.epoch, 2);
    ck_assert_uint_eq(sent(MSG_result)->result.verdict, VERDICT_REFUSED);
    ck_assert(sent(MSG_result)->result.stopped);
    engine_done(1, "2g2f");
    ck_assert_ptr_nonnull(effect_of(SESSION_ENGINE_GO));
    engine_done(2, "2g2f");
    ck_assert_uint_eq(sent(MSG_result)->result.epoch, 3);
}
END_TEST

START_TEST(an_older_epoch_cannot_disturb_a_newer_search)
{
    join_ready();
    hear_job(5, 1, 1);
    ck_assert_int_eq(hear_job(4, 1, 1), ST_STATE);
    ck_assert_ptr_null(effect_of(SESSION_ENGINE_STOP));
    ck_assert_uint_eq(sent(MSG_result)->result.verdict, VERDICT_REFUSED);
}
END_TEST

START_TEST(the_next_job_of_the_epoch_ends_the_one_before_even_if_its_stop_was_lost)
{
    join_ready();
    hear_job(1, 1, 1);
    ck_assert_int_eq(hear_job(1, 2, 1), ST_OK);
    ck_assert_uint_eq(effect_of(SESSION_ENGINE_STOP)->run, 1);
    ck_assert_int_eq(hear_job(1, 3, 1), ST_OK);
    ck_assert_uint_eq(sent(MSG_result)->result.job, 2);
    engine_done(1, "2g2f");
    ck_assert_uint_eq(sent(MSG_result)->result.job, 1);
    ck_assert_ptr_nonnull(effect_of(SESSION_ENGINE_GO));
}
END_TEST

START_TEST(a_job_that_was_overtaken_on_the_way_is_refused)
{
    join_ready();
    struct msg later = job_message(1, 2, 1), earlier = job_message(1, 1, 1);
    later.sequence = 1000000;
    earlier.sequence = later.sequence - 1;
    ck_assert_int_eq(hear(&later), ST_OK);
    ck_assert_int_eq(hear(&earlier), ST_STATE);
    ck_assert_ptr_null(effect_of(SESSION_ENGINE_STOP));
    ck_assert_uint_eq(sent(MSG_result)->result.job, 1);
}
END_TEST

START_TEST(stop_ends_the_job_and_the_result_says_so_once)
{
    join_ready();
    hear_job(1, 1, 1);
    ck_assert_int_eq(hear_stop(1, 1), ST_OK);
    ck_assert_uint_eq(effect_of(SESSION_ENGINE_STOP)->run, 1);
    ck_assert_int_eq(hear_stop(1, 1), ST_DUPLICATE);
    ck_assert_uint_eq(effects.count, 0);
    engine_done(1, "2g2f");
    ck_assert_ptr_nonnull(sent(MSG_result));
    ck_assert_int_eq(hear_stop(1, 1), ST_STALE);
}
END_TEST

START_TEST(a_stop_for_another_job_stops_nothing)
{
    join_ready();
    hear_job(2, 1, 1);
    ck_assert_int_eq(hear_stop(1, 1), ST_STALE);
    ck_assert_int_eq(hear_stop(2, 2), ST_STALE);
    ck_assert_uint_eq(effects.count, 0);
}
END_TEST

START_TEST(a_waiting_job_can_be_stopped_before_it_begins)
{
    join_ready();
    hear_job(1, 1, 1);
    hear_job(1, 2, 1);
    ck_assert_int_eq(hear_stop(1, 2), ST_OK);
    ck_assert_uint_eq(sent(MSG_result)->result.job, 2);
    ck_assert_ptr_null(effect_of(SESSION_ENGINE_STOP));
    engine_done(1, "2g2f");
    ck_assert_ptr_null(effect_of(SESSION_ENGINE_GO));
}
END_TEST

START_TEST(no_search_outlives_its_dead_man_limit)
{
    join_ready();
    struct msg message = job_message(1, 1, 1);
    message.job.time_limit_ms = 150;
    hear(&message);
    ck_assert_int_eq(session_deadline_ms(session), now_ms + 150);
    now_ms += 150;
    happen_type(SESSION_TICK);
    ck_assert_ptr_nonnull(effect_of(SESSION_ENGINE_STOP));
    ck_assert_int_gt(session_deadline_ms(session), now_ms); /* the tick has done its work */
}
END_TEST

START_TEST(time_in_the_queue_counts_against_the_dead_man_limit)
{
    join();
    hear_configure(1);
    struct msg message = job_message(1, 1, 1);
    message.job.time_limit_ms = 1000;
    hear(&message);
    now_ms += 400;
    config_done(1, true, "");
    ck_assert_int_eq(effect_of(SESSION_ENGINE_GO)->go.time_ms, 600);
}
END_TEST

START_TEST(a_position_that_the_rules_refuse_is_answered_in_words)
{
    join_ready();
    hear_job(1, 1, 1);
    struct session_event event = {.type = SESSION_ENGINE_REFUSED};
    event.engine.run = 1;
    event.engine.text = str("move 2 is not legal");
    ck_assert_int_eq(happen(&event), ST_OK);
    ck_assert_uint_eq(sent(MSG_result)->result.verdict, VERDICT_REFUSED);
    ck_assert(str_is(sent(MSG_result)->result.text, "move 2 is not legal"));
    ck_assert(!session_is_searching(session));
}
END_TEST

START_TEST(an_engine_that_never_stops_ends_the_process_so_that_a_fresh_one_can_come)
{
    join_ready();
    hear_job(1, 1, 1);
    hear_stop(1, 1);
    for (int i = 0; i < 100000 && !effect_of(SESSION_EXIT); i++) {
        struct msg beat = {.type = MSG_heartbeat};
        beat.heartbeat = (struct msg_heartbeat){.session = SESSION, .sent_us = 1, .echo_us = 1};
        now_ms += 100;
        hear(&beat);
        if (session_deadline_ms(session) <= now_ms) happen_type(SESSION_TICK);
    }
    ck_assert_ptr_nonnull(effect_of(SESSION_EXIT));
    ck_assert_int_eq(effect_of(SESSION_EXIT)->exit.code, 1);
}
END_TEST

START_TEST(a_new_game_clears_the_table_before_the_next_search)
{
    join_ready();
    hear_job(1, 1, 1);
    struct msg message = {.type = MSG_new_game};
    message.new_game.session = SESSION;
    hear(&message);
    ck_assert_ptr_null(effect_of(SESSION_ENGINE_NEW_GAME)); /* not under a running search */
    hear_job(2, 1, 1);
    engine_done(1, "2g2f");
    ck_assert_int_eq(effects.list[0].type, SESSION_SEND);
    ck_assert_int_eq(effects.list[1].type, SESSION_ENGINE_NEW_GAME);
    ck_assert_int_eq(effects.list[2].type, SESSION_ENGINE_GO);
}
END_TEST

/* ---- leaving --------------------------------------------------------------------------------------------------- */

START_TEST(terminate_hands_the_job_back_says_goodbye_and_exits_with_0)
{
    join_ready();
    hear_job(1, 1, 1);
    ck_assert_int_eq(happen_type(SESSION_TERMINATE), ST_OK);
    ck_assert_ptr_nonnull(effect_of(SESSION_ENGINE_STOP));
    ck_assert_ptr_null(effect_of(SESSION_EXIT));
    engine_done(1, "2g2f");
    ck_assert_ptr_nonnull(sent(MSG_result));
    ck_assert_ptr_nonnull(sent(MSG_bye));
    ck_assert_int_eq(effect_of(SESSION_EXIT)->exit.code, 0);
}
END_TEST

START_TEST(terminate_does_not_wait_long_for_an_engine)
{
    join_ready();
    hear_job(1, 1, 1);
    int64_t start_ms = now_ms;
    happen_type(SESSION_TERMINATE);
    while (!effect_of(SESSION_EXIT)) {
        now_ms = session_deadline_ms(session);
        ck_assert_int_le(now_ms, start_ms + 1000);
        happen_type(SESSION_TICK);
    }
    ck_assert_ptr_nonnull(sent(MSG_bye));
}
END_TEST

START_TEST(terminate_without_a_session_exits_at_once)
{
    happen_type(SESSION_TERMINATE);
    ck_assert_ptr_null(sent(MSG_bye));
    ck_assert_int_eq(effect_of(SESSION_EXIT)->exit.code, 0);
}
END_TEST

/* ---- chaos: the promises of session.h under any order of events ------------------------------------------------ */

START_TEST(promises_hold_under_any_order_of_events)
{
    uint64_t state = (uint64_t)_i * 2654435761u + 1;
    uint32_t running = 0; /* of ENGINE_GO without DONE, from effects alone */
    bool configuring = false, over = false;
    uint32_t config = 0;
    for (int i = 0; i < 400 && !over; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        unsigned dice = (unsigned)(state >> 33) % 16, small = (unsigned)(state >> 40) % 4;
        now_ms += small * 40;
        switch (dice) {
        case 0:
            happen_type(SESSION_CONNECTED);
            break;
        case 1:
            small == 0 ? happen_type(SESSION_DISCONNECTED) : hear_welcome(SESSION);
            break;
        case 2:
            hear_welcome(SESSION);
            break;
        case 3:
            hear_welcome(SESSION + small);
            break;
        case 4:
            hear_configure(1 + small);
            break;
        case 5:
        case 6:
        case 7:
            hear_job(1 + (uint64_t)i / 20, small, 1 + small % 2);
            break;
        case 8:
            hear_stop(1 + (uint64_t)i / 20, small);
            break;
        case 9: {
            struct msg message = {.type = MSG_new_game};
            message.new_game.session = SESSION;
            hear(&message);
            break;
        }
        case 10:
        case 11:
            if (running) {
                engine_done(running, "2g2f");
                running = 0;
            } else {
                ck_assert_int_eq(engine_done(99999, "2g2f"), ST_STALE);
            }
            break;
        case 12:
            if (configuring) {
                configuring = false;
                config_done(config, small != 0, "");
            } else {
                ck_assert_int_eq(config_done(99999, true, ""), ST_STALE);
            }
            break;
        case 13: {
            struct msg message = {.type = MSG_reset};
            message.reset.text = str("reset");
            small == 0 ? (void)hear(&message) : (void)happen_type(SESSION_TICK);
            break;
        }
        default:
            if (session_deadline_ms(session) <= now_ms) {
                happen_type(SESSION_TICK);
                if (!effect_of(SESSION_EXIT)) ck_assert_int_gt(session_deadline_ms(session), now_ms);
            } else {
                effects.count = 0;
            }
        }
        int gos = 0;
        for (size_t k = 0; k < effects.count; k++) {
            const struct session_effect *effect = &effects.list[k];
            if (effect->type == SESSION_ENGINE_GO) {
                ck_assert_int_eq(++gos, 1);
                ck_assert(!running && !configuring);
                running = effect->go.run;
            }
            if (effect->type == SESSION_ENGINE_CONFIGURE) {
                ck_assert(!running && !configuring);
                configuring = true;
                config = effect->configure.config;
            }
            if (effect->type == SESSION_ENGINE_STOP) ck_assert_uint_eq(effect->run, running);
            if (effect->type == SESSION_SEND) ck_assert_uint_eq(effect->message.boot, BOOT);
            over = over || effect->type == SESSION_EXIT;
        }
        ck_assert(over || session_is_searching(session) == (running != 0));
    }
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tcase = tcase_create("session");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, hello_tells_who_we_are_as_soon_as_there_is_a_connection);
    tcase_add_test(tcase, hello_is_repeated_with_growing_pauses_and_then_the_connection_is_made_anew);
    tcase_add_test(tcase, two_workers_do_not_knock_in_step);
    tcase_add_test(tcase, refusal_ends_the_worker_with_the_coordinators_words);
    tcase_add_test(tcase, reset_is_answered_with_hello_but_not_in_a_storm);
    tcase_add_test(tcase, messages_of_another_session_or_another_coordinator_change_nothing);
    tcase_add_test(tcase, welcome_names_the_hint_plane_and_a_job_its_scope);
    tcase_add_test(tcase, a_second_welcome_with_another_number_begins_a_new_session);
    tcase_add_test(tcase, a_heartbeat_goes_out_in_every_interval_even_while_searching);
    tcase_add_test(tcase, a_heartbeat_is_echoed_at_once_so_that_round_trips_can_be_measured);
    tcase_add_test(tcase, a_silent_coordinator_stops_the_search_and_hello_is_said_again);
    tcase_add_test(tcase, a_lost_connection_stops_the_search_and_the_next_one_begins_with_hello);
    tcase_add_test(tcase, goodbye_of_the_coordinator_ends_the_session_and_hello_is_tried_later);
    tcase_add_test(tcase, a_configuration_that_asks_for_nothing_gets_what_the_worker_was_started_with);
    tcase_add_test(tcase, a_remark_on_the_configuration_travels_to_the_coordinator);
    tcase_add_test(tcase, the_newest_configuration_wins_when_they_come_faster_than_memory_can_be_had);
    tcase_add_test(tcase, a_job_waits_for_a_configuration_that_is_under_way);
    tcase_add_test(tcase, a_job_before_any_configuration_is_refused_in_words);
    tcase_add_test(tcase, options_are_not_changed_under_a_running_search);
    tcase_add_test(tcase, a_configuration_that_comes_right_behind_a_stop_waits_for_the_engine);
    tcase_add_test(tcase, a_part_of_a_search_reaches_the_engine_and_knows_what_it_continues);
    tcase_add_test(tcase, a_job_is_searched_and_answered_once_with_its_own_numbers);
    tcase_add_test(tcase, a_repeated_job_message_is_neither_searched_nor_answered_twice);
    tcase_add_test(tcase, a_newer_epoch_replaces_the_running_job_at_once);
    tcase_add_test(tcase, a_waiting_job_that_is_replaced_is_answered_too);
    tcase_add_test(tcase, an_older_epoch_cannot_disturb_a_newer_search);
    tcase_add_test(tcase, the_next_job_of_the_epoch_ends_the_one_before_even_if_its_stop_was_lost);
    tcase_add_test(tcase, a_job_that_was_overtaken_on_the_way_is_refused);
    tcase_add_test(tcase, stop_ends_the_job_and_the_result_says_so_once);
    tcase_add_test(tcase, a_stop_for_another_job_stops_nothing);
    tcase_add_test(tcase, a_waiting_job_can_be_stopped_before_it_begins);
    tcase_add_test(tcase, no_search_outlives_its_dead_man_limit);
    tcase_add_test(tcase, time_in_the_queue_counts_against_the_dead_man_limit);
    tcase_add_test(tcase, a_position_that_the_rules_refuse_is_answered_in_words);
    tcase_add_test(tcase, an_engine_that_never_stops_ends_the_process_so_that_a_fresh_one_can_come);
    tcase_add_test(tcase, a_new_game_clears_the_table_before_the_next_search);
    tcase_add_test(tcase, terminate_hands_the_job_back_says_goodbye_and_exits_with_0);
    tcase_add_test(tcase, terminate_does_not_wait_long_for_an_engine);
    tcase_add_test(tcase, terminate_without_a_session_exits_at_once);
    tcase_add_loop_test(tcase, promises_hold_under_any_order_of_events, 0, 500);
    suite_add_tcase(suite, tcase);
}

CHECK_MAIN("session", add_cases)
