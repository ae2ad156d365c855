/* session.c - the state machine of session.h.
 *
 * Two small machines run side by side: the connection (link_state) and the engine (engine_state). A search that
 * belongs to a session that has ended is an orphan: it is stopped and its result is thrown away.
 */
#include "worker/core/session.h"

#include "common/base/prng.h"
#include "proto/fields.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HINT_PLIES_USUAL = 4,
    HINT_BYTES_PER_S_USUAL = 4 << 20,
    HELLO_FIRST_MS = 500, /* wait for an answer; doubles up to ... */
    HELLO_LONGEST_MS = 8000,
    HELLO_APART_MS = 200,     /* a coordinator that answers `reset` to everything cannot make us flood it */
    HELLO_UNANSWERED_MAX = 3, /* then a new connection is made */
    DOWN_FIRST_MS = 5000,     /* without a connection: make a new one after this; doubles up to ... */
    DOWN_LONGEST_MS = 60000,
    LEAVE_MS = 300,           /* after SIGTERM: time for the engine to hand back its job */
    STOP_PATIENCE_MS = 60000, /* an engine that ignores `stop` for so long is broken: leave, be restarted */
    HEARTBEAT_SHORTEST_MS = 10,
    FINISHED_MAX = 16 /* answered jobs that are remembered, to know a repeated message */
};

enum link_state { LINK_DOWN, LINK_GREETING, LINK_JOINED, LINK_OVER };
enum engine_state { ENGINE_IDLE, ENGINE_CONFIGURING, ENGINE_RUNNING, ENGINE_STOPPING };

struct job_id {
    uint64_t epoch;
    uint32_t job, attempt;
};

struct waiting_job { /* one slot; its strings live in the buffers */
    bool present;
    struct msg_job job;
    int64_t deadline_ms; /* dead-man limit, counted from receipt; INT64_MAX: none */
    char root[WIRE_SFEN_BYTES_MAX];
    char moves[WIRE_MOVES_BYTES_MAX];
    char searchmoves[WIRE_SEARCHMOVES_BYTES_MAX];
};

struct session {
    /* who we are; never changes */
    struct session_options options;
    char name[WIRE_NAME_BYTES_MAX + 1], build[WIRE_TEXT_BYTES_MAX + 1], eval_name[WIRE_NAME_BYTES_MAX + 1];

    /* the connection */
    enum link_state link;
    uint64_t id, peer_boot, sequence;
    uint32_t heartbeat_ms, dead_ms;
    int64_t heard_ms, beat_due_ms;
    int64_t hello_due_ms, hello_last_ms, hello_wait_ms; /* GREETING */
    uint32_t hello_unanswered;
    int64_t down_due_ms, down_wait_ms; /* DOWN */
    bool leaving;
    int64_t leave_due_ms;

    /* the engine */
    enum engine_state engine;
    uint32_t run; /* of the present or last search */
    struct job_id running;
    uint64_t epoch_ran;      /* of the last search; 0 = none */
    uint64_t job_sequence;   /* of the newest frame with a job in this session */
    bool orphan;             /* nobody waits for this search any more */
    int64_t run_deadline_ms; /* RUNNING: dead-man limit; STOPPING: end of patience */
    bool configured;         /* since the session began */
    uint32_t configuring;    /* number of the configuration being put in force */
    bool configuring_orphan;
    bool config_waits, new_game_waits;
    struct msg_configure waiting_config;
    struct waiting_job waiting;
    uint64_t nodes_done, nodes_running;
    struct job_id finished[FINISHED_MAX];
    size_t finished_next;

    struct prng prng;
    struct session_counters counters;
};

/* ---- effects ------------------------------------------------------------------------------------------------- */

static struct session_effect *effect_push(struct session_effects *out, enum session_effect_type type)
{
    assert(out->count < SESSION_EFFECTS_MAX);
    struct session_effect *effect = &out->list[out->count++];
    memset(effect, 0, sizeof *effect);
    effect->type = type;
    return effect;
}

static struct msg *send_push(struct session *s, struct session_effects *out, enum msg_type type)
{
    struct msg *message = &effect_push(out, SESSION_SEND)->message;
    message->type = type;
    message->boot = s->options.boot;
    message->sequence = ++s->sequence;
    return message;
}

__attribute__((format(printf, 3, 4))) static void log_push(struct session_effects *out, enum session_log_level level,
                                                           const char *format, ...)
{
    struct session_effect *effect = effect_push(out, SESSION_LOG);
    effect->log.level = level;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(effect->log.text, sizeof effect->log.text, format, arguments);
    va_end(arguments);
}

static void exit_push(struct session *s, struct session_effects *out, int code, const char *text, size_t length)
{
    struct session_effect *effect = effect_push(out, SESSION_EXIT);
    effect->exit.code = code;
    snprintf(effect->exit.text, sizeof effect->exit.text, "%.*s", (int)length, length ? text : "");
    s->link = LINK_OVER;
}

static struct wire_str str_of(const char *text) { return wire_str_make(text, strlen(text)); }

/* ---- saying hello, losing the session -------------------------------------------------------------------------- */

static int64_t jittered(struct session *s, int64_t ms) { return prng_range(&s->prng, ms - ms / 2, ms + ms / 4); }

static void hello_send(struct session *s, int64_t now_ms, struct session_effects *out)
{
    struct msg_hello *hello = &send_push(s, out, MSG_hello)->hello;
    hello->name = str_of(s->name);
    hello->build = str_of(s->build);
    hello->eval_name = str_of(s->eval_name);
    hello->eval_hash = s->options.eval_hash;
    hello->zobrist_check = s->options.zobrist_check;
    hello->threads = s->options.threads;
    hello->hash_mb = s->options.hash_mb;
    hello->nodes_per_s = s->options.nodes_per_s;
    s->counters.hellos++;
    s->hello_last_ms = now_ms;
    s->hello_due_ms = now_ms + jittered(s, s->hello_wait_ms);
    s->hello_wait_ms = s->hello_wait_ms * 2 > HELLO_LONGEST_MS ? HELLO_LONGEST_MS : s->hello_wait_ms * 2;
}

/* Nobody waits for what the engine is doing. */
static void work_abandon(struct session *s, int64_t now_ms, struct session_effects *out)
{
    s->waiting.present = false;
    s->config_waits = false;
    s->configuring_orphan = true;
    s->orphan = true;
    s->configured = false;
    if (s->engine == ENGINE_RUNNING) {
        s->engine = ENGINE_STOPPING;
        s->run_deadline_ms = now_ms + STOP_PATIENCE_MS;
        effect_push(out, SESSION_ENGINE_STOP)->run = s->run;
    }
}

static void session_lose(struct session *s, int64_t now_ms, struct session_effects *out)
{
    if (s->link == LINK_JOINED) work_abandon(s, now_ms, out);
    s->id = 0;
    s->hello_wait_ms = HELLO_FIRST_MS;
    s->hello_unanswered = 0;
}

static void greeting_enter(struct session *s, int64_t now_ms, struct session_effects *out)
{
    s->link = LINK_GREETING;
    if (now_ms - s->hello_last_ms >= HELLO_APART_MS)
        hello_send(s, now_ms, out);
    else
        s->hello_due_ms = s->hello_last_ms + jittered(s, HELLO_APART_MS * 2);
}

static void down_enter(struct session *s, int64_t now_ms)
{
    s->link = LINK_DOWN;
    s->down_due_ms = now_ms + jittered(s, s->down_wait_ms);
    s->down_wait_ms = s->down_wait_ms * 2 > DOWN_LONGEST_MS ? DOWN_LONGEST_MS : s->down_wait_ms * 2;
}

static void leave(struct session *s, struct session_effects *out)
{
    if (s->link == LINK_JOINED) {
        struct msg_bye *bye = &send_push(s, out, MSG_bye)->bye;
        bye->session = s->id;
        bye->text = str_of("worker ends");
    }
    exit_push(s, out, 0, "", 0);
}

/* ---- jobs ------------------------------------------------------------------------------------------------------ */

static bool job_id_equal(const struct job_id *a, const struct job_id *b)
{
    return a->epoch == b->epoch && a->job == b->job && a->attempt == b->attempt;
}

static bool job_is_finished(const struct session *s, const struct job_id *id)
{
    for (size_t i = 0; i < FINISHED_MAX; i++)
        if (s->finished[i].attempt && job_id_equal(&s->finished[i], id)) return true;
    return false;
}

/* The one place where results are made. */
static struct msg_result *result_push(struct session *s, const struct job_id *id, struct session_effects *out)
{
    struct msg_result *result = &send_push(s, out, MSG_result)->result;
    result->session = s->id;
    result->epoch = id->epoch;
    result->job = id->job;
    result->attempt = id->attempt;
    s->finished[s->finished_next] = *id;
    s->finished_next = (s->finished_next + 1) % FINISHED_MAX;
    s->counters.results++;
    return result;
}

static void refusal_push(struct session *s, const struct job_id *id, bool stopped, struct wire_str text,
                         struct session_effects *out)
{
    struct msg_result *result = result_push(s, id, out);
    result->verdict = VERDICT_REFUSED;
    result->stopped = stopped;
    result->text = text;
    if (result->text.length > WIRE_TEXT_BYTES_MAX) result->text.length = WIRE_TEXT_BYTES_MAX;
}

static struct job_id job_id_of(const struct msg_job *job)
{
    return (struct job_id){.epoch = job->epoch, .job = job->job, .attempt = job->attempt};
}

static bool str_keep(struct wire_str *str, char *buffer, size_t capacity)
{
    if (str->length > capacity) return false;
    if (str->length) memcpy(buffer, str->bytes, str->length);
    str->bytes = buffer;
    return true;
}

static bool job_keep(struct session *s, const struct msg_job *job, int64_t now_ms)
{
    struct waiting_job *w = &s->waiting;
    w->job = *job;
    w->present = str_keep(&w->job.root, w->root, sizeof w->root) &&
                 str_keep(&w->job.moves, w->moves, sizeof w->moves) &&
                 str_keep(&w->job.searchmoves, w->searchmoves, sizeof w->searchmoves);
    w->deadline_ms = job->time_limit_ms ? now_ms + job->time_limit_ms : INT64_MAX;
    return w->present;
}

static void waiting_drop(struct session *s, const char *why, struct session_effects *out)
{
    if (!s->waiting.present) return;
    struct job_id id = job_id_of(&s->waiting.job);
    s->waiting.present = false;
    refusal_push(s, &id, true, str_of(why), out);
}

/* The engine has become idle, or something has come to wait for it: what is next? */
static void engine_next(struct session *s, int64_t now_ms, struct session_effects *out)
{
    if (s->engine != ENGINE_IDLE) return;
    if (s->leaving) {
        waiting_drop(s, "the worker is leaving", out);
        leave(s, out);
        return;
    }
    if (s->new_game_waits) {
        s->new_game_waits = false;
        effect_push(out, SESSION_ENGINE_NEW_GAME);
    }
    if (s->config_waits) {
        s->config_waits = false;
        s->engine = ENGINE_CONFIGURING;
        s->configuring = s->waiting_config.config;
        s->configuring_orphan = false;
        struct msg_configure *configure = &effect_push(out, SESSION_ENGINE_CONFIGURE)->configure;
        *configure = s->waiting_config;
        if (!configure->hash_mb) configure->hash_mb = s->options.hash_mb;
        if (!configure->threads) configure->threads = s->options.threads;
        return;
    }
    if (!s->waiting.present) return;
    const struct msg_job *job = &s->waiting.job;
    s->waiting.present = false;
    s->engine = ENGINE_RUNNING;
    s->running = job_id_of(job);
    s->orphan = false;
    s->nodes_running = 0;
    s->run++;
    s->run_deadline_ms = s->waiting.deadline_ms;
    struct session_go *go = &effect_push(out, SESSION_ENGINE_GO)->go;
    go->run = s->run;
    go->fresh = job->fresh;
    go->kind = (enum job_kind)job->kind;
    go->multipv = job->multipv ? job->multipv : 1;
    go->depth_max = job->depth_max;
    go->nodes = job->nodes;
    go->plies_max = job->plies_max;
    go->any_length = job->any_length;
    go->certificate = job->certificate;
    go->tell_only = job->tell_only;
    go->seed = job->seed;
    if (s->run_deadline_ms != INT64_MAX) go->time_ms = s->run_deadline_ms > now_ms ? s->run_deadline_ms - now_ms : 1;
    go->variation = job->variation;
    go->patient = job->patient;
    go->part = job->part;
    go->alpha = job->alpha;
    go->beta = job->beta;
    go->depth_min = job->depth_min;
    go->moves_before = job->moves_before;
    go->hint_scope = job->hint_scope;
    go->hint_plies = job->hint_plies ? job->hint_plies : HINT_PLIES_USUAL;
    go->claim_plies = job->claim_plies;
    go->hint_workers = job->hint_workers;
    go->hint_bytes_per_s = job->hint_bytes_per_s ? job->hint_bytes_per_s : HINT_BYTES_PER_S_USUAL;
    go->continues = job->epoch == s->epoch_ran;
    s->epoch_ran = job->epoch;
    go->root = job->root;
    go->moves = job->moves;
    go->searchmoves = job->searchmoves;
    s->counters.jobs++;
}

static void run_stop(struct session *s, int64_t now_ms, struct session_effects *out)
{
    if (s->engine != ENGINE_RUNNING) return;
    s->engine = ENGINE_STOPPING;
    s->run_deadline_ms = now_ms + STOP_PATIENCE_MS;
    effect_push(out, SESSION_ENGINE_STOP)->run = s->run;
}

/* A worker has one job: the next one stops it, also when the `stop` in between was lost. What was sent later decides,
 * not what comes later. */
static enum status job_take(struct session *s, const struct msg_job *job, uint64_t sequence, int64_t now_ms,
                            struct session_effects *out)
{
    struct job_id id = job_id_of(job);
    bool searching = s->engine == ENGINE_RUNNING || s->engine == ENGINE_STOPPING;
    struct job_id waiting = job_id_of(&s->waiting.job);
    if ((searching && !s->orphan && job_id_equal(&s->running, &id)) ||
        (s->waiting.present && job_id_equal(&waiting, &id)) || job_is_finished(s, &id)) {
        s->counters.duplicate++;
        return ST_DUPLICATE;
    }
    const char *why = NULL;
    if (s->leaving)
        why = "the worker is leaving";
    else if (!s->configured && s->engine != ENGINE_CONFIGURING && !s->config_waits)
        why = "the worker has not been configured yet";
    else if (sequence < s->job_sequence)
        why = "a later job came before it";
    else if (s->engine == ENGINE_RUNNING && !s->orphan && job->epoch < s->running.epoch)
        why = "the worker searches for a newer epoch";
    else if (s->waiting.present && job->epoch < s->waiting.job.epoch)
        why = "a job of a newer epoch waits";
    else if (job->root.length > WIRE_SFEN_BYTES_MAX || job->moves.length > WIRE_MOVES_BYTES_MAX ||
             job->searchmoves.length > WIRE_SEARCHMOVES_BYTES_MAX)
        why = "a text of the job is too long";
    if (why) {
        s->counters.refused++;
        refusal_push(s, &id, false, str_of(why), out);
        return ST_STATE;
    }
    s->job_sequence = sequence;
    run_stop(s, now_ms, out);
    waiting_drop(s, "replaced by a newer job", out);
    bool kept = job_keep(s, job, now_ms);
    assert(kept);
    (void)kept;
    engine_next(s, now_ms, out);
    return ST_OK;
}

static enum status stop_take(struct session *s, const struct msg_stop *stop, int64_t now_ms,
                             struct session_effects *out)
{
    /* Both may be meant: an earlier attempt of the job may still be running while the next one waits. */
    bool waited = s->waiting.present && s->waiting.job.epoch == stop->epoch && s->waiting.job.job == stop->job;
    if (waited) waiting_drop(s, "stopped before it began", out);
    bool searching = s->engine == ENGINE_RUNNING || s->engine == ENGINE_STOPPING;
    if (searching && !s->orphan && s->running.epoch == stop->epoch && s->running.job == stop->job) {
        if (s->engine == ENGINE_STOPPING && !waited) {
            s->counters.duplicate++;
            return ST_DUPLICATE;
        }
        run_stop(s, now_ms, out);
        return ST_OK;
    }
    if (waited) return ST_OK;
    s->counters.stale++;
    return ST_STALE;
}

/* ---- configuration --------------------------------------------------------------------------------------------- */

static void configured_send(struct session *s, uint32_t config, bool ok, struct wire_str text,
                            struct session_effects *out)
{
    struct msg_configured *configured = &send_push(s, out, MSG_configured)->configured;
    configured->session = s->id;
    configured->config = config;
    configured->ok = ok;
    configured->text = text;
    if (configured->text.length > WIRE_TEXT_BYTES_MAX) configured->text.length = WIRE_TEXT_BYTES_MAX;
}

static enum status configure_take(struct session *s, const struct msg_configure *configure, int64_t now_ms,
                                  struct session_effects *out)
{
    if (s->engine == ENGINE_CONFIGURING && !s->configuring_orphan && s->configuring == configure->config &&
        !s->config_waits) {
        s->counters.duplicate++;
        return ST_DUPLICATE;
    }
    if (s->leaving || s->engine == ENGINE_RUNNING || s->waiting.present) {
        s->counters.refused++;
        configured_send(s, configure->config, false, str_of("not while the worker has a job"), out);
        return ST_STATE;
    }
    s->waiting_config = *configure;
    s->config_waits = true;
    engine_next(s, now_ms, out);
    return ST_OK;
}

static enum status config_done(struct session *s, const struct session_event *event, struct session_effects *out)
{
    if (s->engine != ENGINE_CONFIGURING || event->config.config != s->configuring) {
        s->counters.stale++;
        return ST_STALE;
    }
    s->engine = ENGINE_IDLE;
    if (!s->configuring_orphan && s->link == LINK_JOINED) {
        s->configured = s->configured || event->config.ok;
        configured_send(s, event->config.config, event->config.ok, event->config.text, out);
    }
    if (!s->configured && !s->config_waits) waiting_drop(s, "the worker could not be configured", out);
    engine_next(s, event->now_ms, out);
    return ST_OK;
}

/* ---- what the engine says -------------------------------------------------------------------------------------- */

static bool run_is_current(struct session *s, uint32_t run)
{
    if ((s->engine == ENGINE_RUNNING || s->engine == ENGINE_STOPPING) && run == s->run) return true;
    s->counters.stale++;
    return false;
}

static enum status engine_info(struct session *s, const struct session_event *event, struct session_effects *out)
{
    if (!run_is_current(s, event->engine.run)) return ST_STALE;
    s->nodes_running = event->engine.info.nodes;
    if (s->orphan) return ST_OK;
    struct msg_partial *partial = &send_push(s, out, MSG_partial)->partial;
    *partial = event->engine.info;
    partial->session = s->id;
    partial->epoch = s->running.epoch;
    partial->job = s->running.job;
    partial->attempt = s->running.attempt;
    return ST_OK;
}

static enum status engine_over(struct session *s, const struct session_event *event, struct session_effects *out)
{
    if (!run_is_current(s, event->engine.run)) return ST_STALE;
    bool done = event->type == SESSION_ENGINE_DONE;
    s->nodes_done += done ? event->engine.result.nodes : s->nodes_running;
    s->nodes_running = 0;
    s->engine = ENGINE_IDLE;
    if (!s->orphan && !done) {
        refusal_push(s, &s->running, false, event->engine.text, out);
    } else if (!s->orphan) {
        struct job_id id = s->running;
        struct msg_result *result = result_push(s, &id, out);
        *result = event->engine.result;
        result->session = s->id;
        result->epoch = id.epoch;
        result->job = id.job;
        result->attempt = id.attempt;
    }
    engine_next(s, event->now_ms, out);
    return ST_OK;
}

/* ---- what the coordinator says --------------------------------------------------------------------------------- */

static void heartbeat_send(struct session *s, const struct session_event *event, uint64_t echo_us,
                           struct session_effects *out)
{
    struct msg_heartbeat *beat = &send_push(s, out, MSG_heartbeat)->heartbeat;
    beat->session = s->id;
    beat->sent_us = (uint64_t)(event->now_us ? event->now_us : event->now_ms * 1000);
    beat->echo_us = echo_us;
    beat->busy = s->engine == ENGINE_RUNNING || s->engine == ENGINE_STOPPING;
    beat->nodes = s->nodes_done + s->nodes_running;
    s->beat_due_ms = event->now_ms + s->heartbeat_ms;
}

static enum status welcome_take(struct session *s, const struct msg *message, int64_t now_ms,
                                struct session_effects *out)
{
    const struct msg_welcome *welcome = &message->welcome;
    if (s->link == LINK_DOWN || s->leaving) {
        s->counters.stale++;
        return ST_STALE;
    }
    if (s->link == LINK_JOINED) {
        if (welcome->session == s->id && message->boot == s->peer_boot) {
            s->counters.duplicate++;
            return ST_DUPLICATE;
        }
        session_lose(s, now_ms, out); /* it has forgotten the session that we thought we had */
    }
    s->link = LINK_JOINED;
    s->id = welcome->session;
    s->peer_boot = message->boot;
    s->heartbeat_ms = welcome->heartbeat_ms < HEARTBEAT_SHORTEST_MS ? HEARTBEAT_SHORTEST_MS : welcome->heartbeat_ms;
    s->dead_ms = welcome->dead_ms < 2 * s->heartbeat_ms ? 2 * s->heartbeat_ms : welcome->dead_ms;
    s->heard_ms = now_ms;
    s->beat_due_ms = now_ms + s->heartbeat_ms;
    s->hello_wait_ms = HELLO_FIRST_MS;
    s->hello_unanswered = 0;
    s->down_wait_ms = DOWN_FIRST_MS;
    memset(s->finished, 0, sizeof s->finished);
    s->epoch_ran = 0;
    s->job_sequence = 0;
    s->counters.sessions++;
    struct session_effect *plane = effect_push(out, SESSION_HINT_PLANE);
    plane->hints.session = s->id;
    if (welcome->hints_endpoint.length)
        memcpy(plane->hints.endpoint, welcome->hints_endpoint.bytes, welcome->hints_endpoint.length);
    log_push(out, SESSION_LOG_INFO, "joined session=%016" PRIx64 " heartbeat_ms=%" PRIu32 " dead_ms=%" PRIu32, s->id,
             s->heartbeat_ms, s->dead_ms);
    return ST_OK;
}

static enum status message_take(struct session *s, const struct session_event *event, struct session_effects *out)
{
    const struct msg *message = &event->message;
    int64_t now_ms = event->now_ms;
    uint64_t session;
    if (message->type != MSG_welcome && fields_session(message, MESSAGE_C2W, &session)) {
        if (s->link != LINK_JOINED || session != s->id || message->boot != s->peer_boot) {
            s->counters.stale++;
            return ST_STALE;
        }
        s->heard_ms = now_ms;
    }
    switch (message->type) {
    case MSG_welcome:
        return welcome_take(s, message, now_ms, out);
    case MSG_refuse:
        if (s->link == LINK_JOINED) work_abandon(s, now_ms, out);
        exit_push(s, out, 3, message->refuse.text.bytes, message->refuse.text.length);
        return ST_OK;
    case MSG_reset:
        if (s->link == LINK_DOWN || (s->link == LINK_GREETING && s->hello_due_ms > now_ms)) {
            s->counters.duplicate++;
            return ST_DUPLICATE;
        }
        log_push(out, SESSION_LOG_INFO, "session_reset why=\"%.*s\"", (int)message->reset.text.length,
                 message->reset.text.length ? message->reset.text.bytes : "");
        session_lose(s, now_ms, out);
        greeting_enter(s, now_ms, out);
        return ST_OK;
    case MSG_heartbeat:
        if (message->heartbeat.sent_us && !message->heartbeat.echo_us)
            heartbeat_send(s, event, message->heartbeat.sent_us, out);
        return ST_OK;
    case MSG_bye:
        log_push(out, SESSION_LOG_INFO, "coordinator_left why=\"%.*s\"", (int)message->bye.text.length,
                 message->bye.text.length ? message->bye.text.bytes : "");
        session_lose(s, now_ms, out);
        s->link = LINK_GREETING; /* it may come back on the same connection: ask later, not now */
        s->hello_due_ms = now_ms + jittered(s, HELLO_FIRST_MS * 2);
        return ST_OK;
    case MSG_configure:
        return configure_take(s, &message->configure, now_ms, out);
    case MSG_new_game:
        s->new_game_waits = true;
        engine_next(s, now_ms, out);
        return ST_OK;
    case MSG_job:
        return job_take(s, &message->job, message->sequence, now_ms, out);
    case MSG_stop:
        return stop_take(s, &message->stop, now_ms, out);
    case MSG_hello:
    case MSG_configured:
    case MSG_partial:
    case MSG_result:
    case MSG_hints: /* not on this plane */
    case MSG_hints_join:
        break; /* only workers say these */
    }
    s->counters.refused++;
    return ST_UNKNOWN;
}

/* ---- time ------------------------------------------------------------------------------------------------------ */

static int64_t earlier(int64_t a, int64_t b) { return a < b ? a : b; }

int64_t session_deadline_ms(const struct session *s)
{
    int64_t due = INT64_MAX;
    switch (s->link) {
    case LINK_DOWN:
        due = s->down_due_ms;
        break;
    case LINK_GREETING:
        due = s->hello_due_ms;
        break;
    case LINK_JOINED:
        due = earlier(s->beat_due_ms, s->heard_ms + s->dead_ms);
        break;
    case LINK_OVER:
        return INT64_MAX;
    }
    if (s->engine == ENGINE_RUNNING || s->engine == ENGINE_STOPPING) due = earlier(due, s->run_deadline_ms);
    if (s->leaving) due = earlier(due, s->leave_due_ms);
    return due;
}

static enum status tick(struct session *s, const struct session_event *event, struct session_effects *out)
{
    int64_t now_ms = event->now_ms;
    if (s->leaving && now_ms >= s->leave_due_ms) {
        leave(s, out);
        return ST_OK;
    }
    if (s->engine == ENGINE_STOPPING && now_ms >= s->run_deadline_ms) {
        static const char text[] = "the engine does not stop; ending so that a fresh one can be started";
        exit_push(s, out, 1, text, sizeof text - 1);
        return ST_OK;
    }
    if (s->engine == ENGINE_RUNNING && now_ms >= s->run_deadline_ms) {
        log_push(out, SESSION_LOG_INFO, "dead_man_limit epoch=%" PRIu64 " job=%" PRIu32, s->running.epoch,
                 s->running.job);
        run_stop(s, now_ms, out);
    }
    switch (s->link) {
    case LINK_DOWN:
        if (now_ms >= s->down_due_ms) {
            effect_push(out, SESSION_RECONNECT);
            down_enter(s, now_ms);
        }
        break;
    case LINK_GREETING:
        if (now_ms < s->hello_due_ms) break;
        if (++s->hello_unanswered > HELLO_UNANSWERED_MAX) {
            s->hello_unanswered = 0;
            log_push(out, SESSION_LOG_INFO, "hello_unanswered reconnecting=1");
            effect_push(out, SESSION_RECONNECT);
            down_enter(s, now_ms);
        } else {
            hello_send(s, now_ms, out);
        }
        break;
    case LINK_JOINED:
        if (now_ms >= s->heard_ms + s->dead_ms) {
            log_push(out, SESSION_LOG_WARN, "coordinator_silent silent_ms=%" PRId64, now_ms - s->heard_ms);
            session_lose(s, now_ms, out);
            greeting_enter(s, now_ms, out);
        } else if (now_ms >= s->beat_due_ms) {
            heartbeat_send(s, event, 0, out);
        }
        break;
    case LINK_OVER:
        break;
    }
    return ST_OK;
}

enum status session_step(struct session *s, const struct session_event *event, struct session_effects *out)
{
    out->count = 0;
    if (s->link == LINK_OVER) return ST_STATE;
    switch (event->type) {
    case SESSION_CONNECTED:
        session_lose(s, event->now_ms, out); /* a new connection is a new conversation */
        s->sequence = 0;
        s->down_wait_ms = DOWN_FIRST_MS;
        greeting_enter(s, event->now_ms, out);
        return ST_OK;
    case SESSION_DISCONNECTED:
        if (s->link == LINK_DOWN) return ST_DUPLICATE;
        log_push(out, SESSION_LOG_INFO, "connection_lost joined=%d", s->link == LINK_JOINED);
        session_lose(s, event->now_ms, out);
        down_enter(s, event->now_ms);
        return ST_OK;
    case SESSION_MESSAGE:
        return message_take(s, event, out);
    case SESSION_ENGINE_INFO:
        return engine_info(s, event, out);
    case SESSION_ENGINE_DONE:
    case SESSION_ENGINE_REFUSED:
        return engine_over(s, event, out);
    case SESSION_CONFIG_DONE:
        return config_done(s, event, out);
    case SESSION_TICK:
        return tick(s, event, out);
    case SESSION_TERMINATE:
        if (s->leaving) return ST_DUPLICATE;
        s->leaving = true;
        s->leave_due_ms = event->now_ms + LEAVE_MS;
        run_stop(s, event->now_ms, out);
        engine_next(s, event->now_ms, out); /* leaves at once if the engine is idle */
        return ST_OK;
    }
    return ST_UNKNOWN;
}

/* ---- life ------------------------------------------------------------------------------------------------------ */

struct session *session_new(const struct session_options *options)
{
    assert(options->boot != 0);
    struct session *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->options = *options;
    s->options.name = s->options.build = s->options.eval_name = NULL; /* borrowed for the call; the copies count */
    snprintf(s->name, sizeof s->name, "%s", options->name ? options->name : "");
    snprintf(s->build, sizeof s->build, "%s", options->build ? options->build : "");
    snprintf(s->eval_name, sizeof s->eval_name, "%s", options->eval_name ? options->eval_name : "");
    s->prng = prng_make(options->seed);
    s->hello_last_ms = INT64_MIN / 2;
    s->hello_wait_ms = HELLO_FIRST_MS;
    s->down_wait_ms = DOWN_FIRST_MS;
    s->down_due_ms = INT64_MAX; /* the shell makes the first connection; then CONNECTED or a tick's RECONNECT */
    return s;
}

void session_free(struct session *s) { free(s); }

bool session_is_joined(const struct session *s) { return s->link == LINK_JOINED; }

bool session_is_searching(const struct session *s)
{
    return s->engine == ENGINE_RUNNING || s->engine == ENGINE_STOPPING;
}

const struct session_counters *session_counters(const struct session *s) { return &s->counters; }
