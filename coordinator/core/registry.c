/* registry.c - who the workers are, whether they are alive, and what each is doing. */
#include "coordinator/core/registry.h"

#include "coordinator/core/mutant.h"
#include "proto/fields.h"
#include "proto/version.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    STALE_GRACE_MS = 1000,  /* old frames may still be on their way when a session is new: no `reset` for them */
    CONFIG_RETRY_MS = 2000, /* grows with every try */
    CONFIG_RETRY_LONGEST_MS = 10000,
    CONFIG_TRIES_MAX = 3, /* refusals; then the old configuration has to do */
    IDLE_BEATS = 2,       /* so many denials of having a job are believed */
    IDLE_AFTER_MS = 100,  /* on a network where frames overtake each other a heartbeat may come before the job */
    STOP_AGAIN_MS = 500,
    STUCK_MS = 10000,
    BAD_FRAMES_MAX = 20,
    RTT_SANE_US = 60000000,
    SPEED_SPAN_LEAST_US = 50000,
    SPEED_SPAN_MOST_US = 5000000,
    RTT_RECENT = sizeof((struct worker *)0)->rtt_recent_us / sizeof(int32_t),
    RTT_ENOUGH = 4
};

void registry_init(struct registry *r, const struct registry_settings *settings, struct metrics *metrics)
{
    memset(r, 0, sizeof *r);
    r->settings = *settings;
    r->metrics = metrics;
    r->eval_hash = settings->eval_hash;
}

/* ---- looking up ------------------------------------------------------------------------------------------------ */

static struct worker *find_peer(struct registry *r, uint64_t peer)
{
    for (unsigned i = 0; i < r->high; i++)
        if (r->workers[i].present && r->workers[i].peer == peer) return &r->workers[i];
    return NULL;
}

static unsigned index_of(const struct registry *r, const struct worker *w) { return (unsigned)(w - r->workers); }

bool worker_is_configured(const struct registry *r, const struct worker *w)
{
    return w->present && r->config != 0 && w->config_done == r->config;
}

bool worker_is_usable(const struct registry *r, const struct worker *w)
{
    return worker_is_configured(r, w) && !w->suspect;
}

bool worker_is_free(const struct registry *r, const struct worker *w)
{
    return worker_is_usable(r, w) && (w->job.owner == JOB_NOBODY || w->job.stopping);
}

bool worker_has_hope(const struct registry *r, const struct worker *w)
{
    return worker_is_configured(r, w) || (w->present && w->config_tries < CONFIG_TRIES_MAX);
}

unsigned registry_usable_count(const struct registry *r)
{
    unsigned count = 0;
    for (unsigned i = 0; i < r->high; i++) count += worker_is_usable(r, &r->workers[i]);
    return count;
}

void registry_weights(const struct registry *r, uint32_t weights[COORD_WORKERS_MAX])
{
    uint64_t fastest = 0;
    bool all_known = true;
    memset(weights, 0, COORD_WORKERS_MAX * sizeof *weights);
    for (unsigned i = 0; i < r->high; i++) {
        const struct worker *w = &r->workers[i];
        if (!worker_is_usable(r, w)) continue;
        weights[i] = 1000;
        if (w->nodes_per_s > fastest) fastest = w->nodes_per_s;
        all_known = all_known && w->nodes_per_s > 0;
    }
    if (!all_known || fastest == 0 || fastest > UINT64_MAX / 1000) return;
    for (unsigned i = 0; i < r->high; i++)
        if (weights[i]) {
            uint64_t share = r->workers[i].nodes_per_s * 1000 / fastest;
            weights[i] = share ? (uint32_t)share : 1;
        }
}

int32_t registry_rtt_us(const struct registry *r)
{
    int32_t longest = 0;
    for (unsigned i = 0; i < r->high; i++)
        if (worker_is_configured(r, &r->workers[i]) && !r->workers[i].suspect && r->workers[i].rtt_us > longest)
            longest = r->workers[i].rtt_us;
    return longest;
}

static struct registry_news *news(struct registry *r, struct registry_report *report, enum registry_news_type type,
                                  unsigned worker)
{
    const struct worker *w = &r->workers[worker];
    assert(report->count < sizeof report->items / sizeof report->items[0]);
    struct registry_news *item = &report->items[report->count++];
    memset(item, 0, sizeof *item);
    item->type = type;
    item->worker = worker;
    item->local_slot = w->local_slot;
    memcpy(item->name, w->name, sizeof item->name);
    return item;
}

/* ---- sending --------------------------------------------------------------------------------------------------- */

struct msg *registry_send(struct registry *r, struct worker *w, enum msg_type type, struct coord_effects *out)
{
    struct msg *msg = fx_send(out, w->peer, type);
    msg->boot = r->settings.boot;
    msg->sequence = ++w->sequence_out;
    switch (type) {
    case MSG_heartbeat:
        msg->heartbeat.session = w->session;
        break;
    case MSG_bye:
        msg->bye.session = w->session;
        break;
    case MSG_configure:
        msg->configure.session = w->session;
        break;
    case MSG_new_game:
        msg->new_game.session = w->session;
        break;
    case MSG_job:
        msg->job.session = w->session;
        break;
    case MSG_stop:
        msg->stop.session = w->session;
        break;
    case MSG_welcome:
        msg->welcome.session = w->session;
        break;
    case MSG_hello:
    case MSG_refuse:
    case MSG_reset:
    case MSG_configured:
    case MSG_partial:
    case MSG_result:
    case MSG_hints: /* not on this plane */
    case MSG_hints_join:
        break;
    }
    return msg;
}

static struct msg *send_stranger(struct registry *r, uint64_t peer, enum msg_type type, struct coord_effects *out)
{
    struct msg *msg = fx_send(out, peer, type);
    msg->boot = r->settings.boot;
    msg->sequence = 1;
    return msg;
}

static struct wire_str constant(const char *text) { return wire_str_make(text, text ? strlen(text) : 0); }

static void send_reset(struct registry *r, uint64_t peer, const char *why, struct coord_effects *out)
{
    send_stranger(r, peer, MSG_reset, out)->reset.text = constant(why);
}

static void send_beat(struct registry *r, struct worker *w, int64_t now_us, uint64_t echo_us, struct coord_effects *out)
{
    struct msg *msg = registry_send(r, w, MSG_heartbeat, out);
    msg->heartbeat.sent_us = now_us > 0 ? (uint64_t)now_us : 1;
    msg->heartbeat.echo_us = echo_us;
}

void registry_send_job(struct registry *r, struct worker *w, const struct msg_job *job, enum job_owner owner,
                       uint32_t tag, int64_t now_ms, struct coord_effects *out)
{
    assert(worker_is_free(r, w));
    if (w->new_game) {
        registry_send(r, w, MSG_new_game, out);
        w->new_game = false;
    }
    struct msg *msg = registry_send(r, w, MSG_job, out);
    msg->job = *job;
    msg->job.session = w->session;
    if (w->job.owner != JOB_NOBODY && w->stuck_since_ms == INT64_MAX)
        w->stuck_since_ms = now_ms; /* the new job stops the old */
    w->job = (struct worker_job){
        .owner = owner, .epoch = job->epoch, .job = job->job, .attempt = job->attempt, .tag = tag, .sent_ms = now_ms};
    r->metrics->jobs_sent++;
    if (job->attempt > 1) r->metrics->jobs_reissued++;
}

void registry_send_stop(struct registry *r, struct worker *w, int64_t now_ms, struct coord_effects *out)
{
    struct msg *msg = registry_send(r, w, MSG_stop, out);
    msg->stop.epoch = w->job.epoch;
    msg->stop.job = w->job.job;
    w->job.stopping = true;
    w->job.sent_ms = now_ms;
    w->job.idle_beats = 0;
    if (w->stuck_since_ms == INT64_MAX) w->stuck_since_ms = now_ms;
}

void registry_bye(struct registry *r, const char *why, struct coord_effects *out)
{
    for (unsigned i = 0; i < r->high; i++)
        if (r->workers[i].present) registry_send(r, &r->workers[i], MSG_bye, out)->bye.text = constant(why);
}

/* ---- coming and going ------------------------------------------------------------------------------------------- */

/* Ends the session; the connection itself may live on. */
static void session_end(struct registry *r, unsigned index, enum registry_news_type type, const char *why,
                        struct registry_report *report, struct coord_effects *out)
{
    struct worker *w = &r->workers[index];
    assert(w->present);
    w->present = false;
    r->count--;
    if (r->count == 0) r->eval_hash = r->settings.eval_hash;
    if (type == NEWS_LEFT)
        r->metrics->workers_left++;
    else
        r->metrics->workers_lost++;
    struct registry_news *item = news(r, report, type, index);
    item->job = w->job;
    snprintf(item->text, sizeof item->text, "%s", why);
    absent_note(&r->absent, false, w->name, why, r->last_ms);
    w->job = (struct worker_job){.owner = JOB_NOBODY};
    fx_log(out, type == NEWS_LEFT ? COORD_LOG_INFO : COORD_LOG_WARN,
           "worker_gone name=\"%s\" session=%" PRIx64 " why=\"%s\"", w->name, w->session, why);
}

void registry_drop(struct registry *r, unsigned index, enum registry_news_type type, const char *why,
                   struct registry_report *report, struct coord_effects *out)
{
    session_end(r, index, type, why, report, out);
    fx_evict(out, r->workers[index].peer);
}

void registry_drop_local(struct registry *r, int slot, const char *why, struct registry_report *report,
                         struct coord_effects *out)
{
    for (unsigned i = 0; i < r->high; i++)
        if (r->workers[i].present && r->workers[i].local_slot == slot) registry_drop(r, i, NEWS_LOST, why, report, out);
}

static const char wrong_answers[] = "its answers differ from those of the other workers: it gets no work until it is "
                                    "started again";

static bool boot_is_refused(const struct registry *r, uint64_t boot)
{
    for (unsigned i = 0; i < REGISTRY_REFUSED_BOOTS; i++)
        if (r->refused_boots[i] == boot) return true;
    return false;
}

enum status registry_trust(struct registry *r, uint64_t boot, bool trusted, struct registry_report *report,
                           struct coord_effects *out)
{
    if (!trusted) r->refused_boots[r->refused_boot_count++ % REGISTRY_REFUSED_BOOTS] = boot;
    for (unsigned i = 0; i < r->high; i++) {
        struct worker *w = &r->workers[i];
        if (!w->present || w->boot != boot) continue;
        w->trusted = trusted;
        if (trusted) return ST_OK;
        struct msg *msg = registry_send(r, w, MSG_refuse, out);
        msg->refuse.reason = REFUSE_BUILD;
        msg->refuse.text = constant(wrong_answers);
        r->metrics->refused_workers++;
        registry_drop(r, i, NEWS_DEAD, "its answers are wrong", report, out);
        return ST_OK;
    }
    return ST_UNKNOWN;
}

void registry_peer_gone(struct registry *r, uint64_t peer, struct registry_report *report, struct coord_effects *out)
{
    struct worker *w = find_peer(r, peer);
    if (w) registry_drop(r, index_of(r, w), NEWS_LOST, "connection lost", report, out);
}

static void refuse(struct registry *r, uint64_t peer, const struct msg_hello *hello, enum refuse_reason reason,
                   struct wire_str text, struct coord_effects *out)
{
    struct msg *msg = send_stranger(r, peer, MSG_refuse, out);
    msg->refuse.reason = reason;
    msg->refuse.text = text;
    r->metrics->refused_workers++;
    struct wire_str name = hello ? fx_clean(out, hello->name, WIRE_NAME_BYTES_MAX) : constant("?");
    absent_note(&r->absent, true, name.bytes, text.bytes, r->last_ms);
    fx_log(out, COORD_LOG_WARN, "worker_refused name=\"%s\" reason=%d why=\"%s\"", name.bytes, (int)reason, text.bytes);
    fx_infof(out, "info string worker %s refused: %s", name.bytes, text.bytes);
    fx_evict(out, peer);
}

/* Text in the arena: it has to live until the effect has been carried out. */
FX_FORMAT(2, 3) static struct wire_str reason_text(struct coord_effects *out, const char *format, ...)
{
    char text[WIRE_TEXT_BYTES_MAX];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return fx_text(out, text, length < 0 ? 0 : (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

/* A local worker decides which evaluation and which build the cluster has: strangers who came first have to go. */
static void local_worker_claims(struct registry *r, uint64_t eval_hash, const char *build,
                                struct registry_report *report, struct coord_effects *out)
{
    for (unsigned i = 0; i < r->high; i++) {
        struct worker *w = &r->workers[i];
        bool other_eval = w->eval_hash != eval_hash;
        if (!w->present || (!other_eval && strcmp(w->build, build) == 0)) continue;
        struct msg *msg = registry_send(r, w, MSG_refuse, out);
        msg->refuse.reason = other_eval ? REFUSE_EVAL : REFUSE_BUILD;
        msg->refuse.text =
            other_eval
                ? reason_text(out,
                              "evaluation %016" PRIx64 " differs from that of the coordinator's own worker, %016" PRIx64
                              "; give both the same evaluation file",
                              w->eval_hash, eval_hash)
                : reason_text(out,
                              "build \"%.60s\" differs from that of the coordinator's own worker, \"%.60s\"; install "
                              "the same version on both machines",
                              w->build, build);
        r->metrics->refused_workers++;
        absent_note(&r->absent, true, w->name, msg->refuse.text.bytes, r->last_ms);
        registry_drop(r, i, NEWS_LOST,
                      other_eval ? "another evaluation than the local worker's"
                                 : "another build than the local worker's",
                      report, out);
    }
    r->eval_hash = eval_hash;
    snprintf(r->build, sizeof r->build, "%s", build);
}

static void copy_text(char *out, size_t capacity, struct coord_effects *arena, struct wire_str text)
{
    struct wire_str clean = fx_clean(arena, text, capacity - 1);
    memcpy(out, clean.bytes, clean.length + 1);
}

static bool name_is_taken(const struct registry *r, const struct worker *by_other_than)
{
    for (unsigned i = 0; i < r->high; i++) {
        const struct worker *w = &r->workers[i];
        if (w->present && w != by_other_than && strcmp(w->name, by_other_than->name) == 0) return true;
    }
    return false;
}

/* Two machines started from one configuration: both work, and people can tell them apart. */
static void name_make_unique(const struct registry *r, struct worker *w)
{
    enum { SUFFIX_BYTES = 11 }; /* "-4294967295" */
    char base[sizeof w->name - SUFFIX_BYTES];
    snprintf(base, sizeof base, "%.*s", (int)sizeof base - 1, w->name);
    for (unsigned number = 2; name_is_taken(r, w); number++) snprintf(w->name, sizeof w->name, "%s-%u", base, number);
}

static enum status join(struct registry *r, uint64_t peer, int local_slot, const struct msg *msg, int64_t now_us,
                        struct registry_report *report, struct coord_effects *out)
{
    const struct msg_hello *hello = &msg->hello;
    int64_t now_ms = now_us / 1000;
    /* A new hello ends every earlier session of this peer and of this process. */
    for (unsigned i = 0; i < r->high; i++) {
        struct worker *w = &r->workers[i];
        if (!w->present || (w->peer != peer && w->boot != msg->boot)) continue;
        session_end(r, i, NEWS_LOST, "says hello again", report, out);
        if (w->peer != peer) fx_evict(out, w->peer);
    }
    if (hello->zobrist_check != r->settings.zobrist_check && r->settings.zobrist_check) {
        refuse(r, peer, hello, REFUSE_ZOBRIST,
               reason_text(out,
                           "position keys %016" PRIx64 " differ from the coordinator's %016" PRIx64
                           "; install the same version on both machines",
                           hello->zobrist_check, r->settings.zobrist_check),
               out);
        return ST_MISMATCH;
    }
    char build[sizeof r->build];
    copy_text(build, sizeof build, out, hello->build);
    if (local_slot != COORD_PEER_REMOTE && (!r->settings.eval_hash || r->settings.eval_hash == hello->eval_hash))
        local_worker_claims(r, hello->eval_hash, build, report, out);
    if (r->eval_hash && hello->eval_hash != r->eval_hash) {
        refuse(r, peer, hello, REFUSE_EVAL,
               reason_text(out,
                           "evaluation %016" PRIx64 " differs from the cluster's %016" PRIx64
                           "; give all workers the same evaluation file",
                           hello->eval_hash, r->eval_hash),
               out);
        return ST_MISMATCH;
    }
    if (r->count && strcmp(build, r->build) != 0) {
        refuse(r, peer, hello, REFUSE_BUILD,
               reason_text(out,
                           "build \"%.60s\" differs from the cluster's \"%.60s\"; install the same version on all "
                           "machines",
                           build, r->build),
               out);
        return ST_MISMATCH;
    }
    if (boot_is_refused(r, msg->boot)) {
        refuse(r, peer, hello, REFUSE_BUILD, constant(wrong_answers), out);
        return ST_MISMATCH;
    }
    unsigned slot = 0;
    while (slot < r->high && r->workers[slot].present) slot++;
    if (slot == COORD_WORKERS_MAX) {
        refuse(r, peer, hello, REFUSE_FULL, reason_text(out, "all %d places for workers are taken", COORD_WORKERS_MAX),
               out);
        return ST_FULL;
    }
    if (slot == r->high) r->high++;
    struct worker *w = &r->workers[slot];
    *w = (struct worker){.present = true,
                         .peer = peer,
                         .boot = msg->boot,
                         .local_slot = local_slot,
                         .joined_ms = now_ms,
                         .heard_ms = now_ms,
                         .rtt_us = -1,
                         .sequence_in = msg->sequence,
                         .seen = 1,
                         .stuck_since_ms = INT64_MAX,
                         .eval_hash = hello->eval_hash,
                         .nodes_per_s = hello->nodes_per_s,
                         .threads = hello->threads,
                         .hash_mb = hello->hash_mb};
    w->session = r->settings.boot + ++r->session_last;
    copy_text(w->name, sizeof w->name, out, hello->name);
    memcpy(w->build, build, sizeof w->build);
    if (!*w->name) snprintf(w->name, sizeof w->name, "worker-%" PRIu64, r->session_last);
    name_make_unique(r, w);
    r->eval_hash = hello->eval_hash;
    memcpy(r->build, build, sizeof r->build);
    r->count++;
    if (r->count == 1) r->beat_due_ms = now_ms + r->settings.heartbeat_ms;
    r->metrics->workers_joined++;
    struct msg *welcome = registry_send(r, w, MSG_welcome, out);
    welcome->welcome.heartbeat_ms = r->settings.heartbeat_ms;
    welcome->welcome.dead_ms = r->settings.dead_ms;
    welcome->welcome.hints_endpoint =
        constant(local_slot == COORD_PEER_REMOTE ? r->settings.hints_remote : r->settings.hints_local);
    send_beat(r, w, now_us, 0, out); /* measures the round trip at once */
    fx_log(out, COORD_LOG_INFO,
           "worker_joined name=\"%s\" session=%" PRIx64 " threads=%" PRIu32 " hash_mb=%" PRIu32
           " local=%d build=\"%s\"",
           w->name, w->session, w->threads, w->hash_mb, local_slot, w->build);
    news(r, report, NEWS_JOINED, slot);
    return ST_OK;
}

/* ---- judging frames --------------------------------------------------------------------------------------------- */

/* Has this frame come before? Notes it. */
static bool repeated(struct registry *r, struct worker *w, uint64_t sequence)
{
    if (sequence > w->sequence_in) {
        uint64_t step = sequence - w->sequence_in;
        r->metrics->gaps += step - 1;
        w->seen = step >= 64 ? 1 : w->seen << step | 1;
        w->sequence_in = sequence;
        return false;
    }
    uint64_t back = w->sequence_in - sequence;
    if (back >= 64 || (w->seen >> back & 1)) return true;
    w->seen |= (uint64_t)1 << back;
    if (r->metrics->gaps) r->metrics->gaps--; /* late, not lost */
    return false;
}

static void rtt_note(struct worker *w, int32_t rtt_us, int64_t now_ms, int64_t heartbeat_ms)
{
    if (w->rtt_count && now_ms - w->rtt_noted_ms < heartbeat_ms / 2) {
        int32_t *newest_us = &w->rtt_recent_us[(w->rtt_count - 1) % RTT_RECENT];
        if (rtt_us < *newest_us) *newest_us = rtt_us;
    } else {
        w->rtt_recent_us[w->rtt_count++ % RTT_RECENT] = rtt_us;
        w->rtt_noted_ms = now_ms;
    }
    w->rtt_us = w->rtt_us < 0 ? rtt_us : (int32_t)(((int64_t)w->rtt_us * 7 + rtt_us) / 8);
    unsigned count = w->rtt_count < RTT_RECENT ? w->rtt_count : RTT_RECENT;
    int32_t least_us = w->rtt_recent_us[0];
    for (unsigned i = 1; i < count; i++)
        if (w->rtt_recent_us[i] < least_us) least_us = w->rtt_recent_us[i];
    w->rtt_least_ms = count < RTT_ENOUGH ? 0 : least_us / 1000; /* one pause does not make a long line */
}

/* Between two heartbeats of a searching worker lies a stretch of nothing but search. */
static void note_speed(struct worker *w, const struct msg_heartbeat *beat, int64_t now_us)
{
    int64_t passed_us = now_us - w->speed_us;
    bool searched = beat->busy && w->speed_us && beat->nodes > w->speed_nodes;
    if (searched && passed_us < SPEED_SPAN_LEAST_US) return; /* a heartbeat and its echo may come together */
    uint64_t nodes = beat->nodes - w->speed_nodes;
    w->speed_us = beat->busy ? now_us : 0;
    w->speed_nodes = beat->nodes;
    if (!searched || passed_us > SPEED_SPAN_MOST_US || nodes > UINT64_MAX / 1000000) return;
    uint64_t speed = nodes * 1000000 / (uint64_t)passed_us;
    w->nodes_per_s = w->nodes_per_s ? w->nodes_per_s / 4 * 3 + speed / 4 : speed;
}

static void take_beat(struct registry *r, struct worker *w, const struct msg_heartbeat *beat, int64_t now_us,
                      struct registry_report *report, struct coord_effects *out)
{
    int64_t now_ms = now_us / 1000;
    if (beat->echo_us && beat->echo_us <= (uint64_t)now_us && (uint64_t)now_us - beat->echo_us < RTT_SANE_US) {
        int32_t rtt_us = (int32_t)((uint64_t)now_us - beat->echo_us);
        rtt_note(w, rtt_us, now_ms, r->settings.heartbeat_ms);
    }
    if (beat->sent_us && !beat->echo_us) send_beat(r, w, now_us, beat->sent_us, out);
    note_speed(w, beat, now_us);
    w->nodes = beat->nodes;

    if (!beat->busy) w->stuck_since_ms = INT64_MAX;
    if (w->job.owner == JOB_NOBODY) return;
    if (beat->busy) {
        w->job.idle_beats = 0;
        if (w->job.stopping && now_ms - w->job.sent_ms >= STOP_AGAIN_MS + 2 * w->rtt_least_ms)
            registry_send_stop(r, w, now_ms, out);
        return;
    }
    /* Only the answer to a heartbeat that left after the job proves that the job should be there: a worker that was
     * suspended answers the older ones first. */
    if ((int64_t)(beat->echo_us / 1000) < w->job.sent_ms + IDLE_AFTER_MS || beat->echo_us > (uint64_t)now_us) return;
    if (++w->job.idle_beats < IDLE_BEATS || MUTANT_IS(18)) return;
    /* The job or its result was lost on the way. */
    struct worker_job job = w->job;
    w->job = (struct worker_job){.owner = JOB_NOBODY};
    news(r, report, NEWS_JOB_LOST, index_of(r, w))->job = job;
}

static enum status take_configured(struct registry *r, struct worker *w, const struct msg_configured *done,
                                   int64_t now_ms, struct registry_report *report, struct coord_effects *out)
{
    if (done->config != w->config_sent || w->config_done == done->config) {
        r->metrics->stale++;
        return ST_STALE;
    }
    struct wire_str text = fx_clean(out, done->text, WIRE_TEXT_BYTES_MAX);
    if (text.length) fx_infof(out, "info string worker %s: %s", w->name, text.bytes);
    if (done->ok) {
        w->config_done = done->config;
        w->config_ever = true;
        w->config_tries = 0;
    } else {
        fx_log(out, COORD_LOG_WARN, "config_refused name=\"%s\" config=%" PRIu32 " why=\"%s\"", w->name, done->config,
               text.bytes);
        w->config_sent_ms = now_ms; /* tried again after a while */
        if (++w->config_tries < CONFIG_TRIES_MAX || !w->config_ever) return ST_OK;
        w->config_done = done->config; /* it goes on with what it had */
    }
    if (w->config_done == r->config) news(r, report, NEWS_CONFIGURED, index_of(r, w));
    return ST_OK;
}

static bool holds(const struct worker *w, uint64_t epoch, uint32_t job, uint32_t attempt)
{
    const struct worker_job *held = &w->job;
    if (MUTANT_IS(1)) return held->owner != JOB_NOBODY && held->job == job; /* epoch and attempt not compared */
    return held->owner != JOB_NOBODY && held->epoch == epoch && held->job == job && held->attempt == attempt;
}

enum status registry_take(struct registry *r, uint64_t peer, int local_slot, const struct msg *msg, int64_t now_us,
                          unsigned *worker, struct worker_job *job, struct registry_report *report,
                          struct coord_effects *out)
{
    int64_t now_ms = now_us / 1000;
    *worker = COORD_WORKERS_MAX;
    r->metrics->messages++;
    if (msg->type == MSG_hello) return join(r, peer, local_slot, msg, now_us, report, out);
    uint64_t session;
    if (!fields_session(msg, MESSAGE_W2C, &session)) {
        r->metrics->bad_frames++;
        return ST_UNKNOWN;
    }
    struct worker *w = find_peer(r, peer);
    if (!w) {
        r->metrics->strangers++;
        if (msg->type != MSG_bye) send_reset(r, peer, "no session with this coordinator", out);
        return ST_UNKNOWN;
    }
    if (msg->boot != w->boot || session != w->session) {
        r->metrics->stale++;
        if (msg->boot == w->boot && now_ms - w->joined_ms >= STALE_GRACE_MS) {
            session_end(r, index_of(r, w), NEWS_LOST, "believes in another session", report, out);
            send_reset(r, peer, "this session is over", out);
        }
        return ST_STALE;
    }
    if (repeated(r, w, msg->sequence) && !MUTANT_IS(2)) {
        r->metrics->duplicates++;
        return ST_DUPLICATE;
    }
    if (!MUTANT_IS(3) || msg->type != MSG_heartbeat) w->heard_ms = now_ms;
    w->suspect = false;

    switch (msg->type) {
    case MSG_heartbeat:
        take_beat(r, w, &msg->heartbeat, now_us, report, out);
        return ST_OK;
    case MSG_bye: {
        char why[96];
        struct wire_str text = fx_clean(out, msg->bye.text, sizeof why - 1);
        snprintf(why, sizeof why, "%s", text.length ? text.bytes : "goodbye");
        registry_drop(r, index_of(r, w), NEWS_LEFT, why, report, out);
        return ST_OK;
    }
    case MSG_configured:
        return take_configured(r, w, &msg->configured, now_ms, report, out);
    case MSG_partial:
        if (!holds(w, msg->partial.epoch, msg->partial.job, msg->partial.attempt)) break;
        w->job.idle_beats = 0;
        if (!w->job.stopping) w->stuck_since_ms = INT64_MAX;
        *worker = index_of(r, w);
        *job = w->job;
        return ST_OK;
    case MSG_result:
        w->stuck_since_ms = INT64_MAX;
        if (!holds(w, msg->result.epoch, msg->result.job, msg->result.attempt)) break;
        *worker = index_of(r, w);
        *job = w->job;
        w->job = (struct worker_job){.owner = JOB_NOBODY};
        return ST_OK;
    case MSG_hello:
    case MSG_welcome:
    case MSG_refuse:
    case MSG_reset:
    case MSG_configure:
    case MSG_new_game:
    case MSG_job:
    case MSG_stop:
    case MSG_hints: /* not on this plane */
    case MSG_hints_join:
        break;
    }
    r->metrics->stale++;
    return ST_STALE;
}

void registry_bad_frame(struct registry *r, uint64_t peer, enum status status, uint32_t major, uint32_t minor,
                        struct registry_report *report, struct coord_effects *out)
{
    r->metrics->bad_frames++;
    struct worker *w = find_peer(r, peer);
    if (status == ST_VERSION && !w) {
        char text[WIRE_TEXT_BYTES_MAX];
        version_explain(text, sizeof text, "coordinator", version_own(), "worker", (struct version){major, minor});
        refuse(r, peer, NULL, REFUSE_VERSION, fx_text(out, text, strlen(text)), out);
    } else if (w && ++w->bad_frames >= BAD_FRAMES_MAX) {
        registry_drop(r, index_of(r, w), NEWS_DEAD, "sends frames that cannot be read", report, out);
    }
}

/* ---- configuration ---------------------------------------------------------------------------------------------- */

void registry_set_config(struct registry *r, const struct msg_configure *configure, uint32_t local_hash_mb,
                         uint32_t local_threads)
{
    r->configure = *configure;
    r->local_hash_mb = local_hash_mb;
    r->local_threads = local_threads;
    r->config++;
    for (unsigned i = 0; i < r->high; i++) r->workers[i].config_tries = 0;
}

void registry_new_game(struct registry *r)
{
    for (unsigned i = 0; i < r->high; i++) r->workers[i].new_game = r->workers[i].present;
}

static bool wants_config(const struct registry *r, const struct worker *w)
{
    return w->present && r->config && w->config_done != r->config && w->job.owner == JOB_NOBODY;
}

static int64_t config_due_ms(const struct registry *r, const struct worker *w)
{
    if (w->config_sent != r->config) return 0;
    int64_t wait = (int64_t)CONFIG_RETRY_MS * (w->config_tries + 1);
    return w->config_sent_ms + (wait < CONFIG_RETRY_LONGEST_MS ? wait : CONFIG_RETRY_LONGEST_MS);
}

void registry_configure(struct registry *r, int64_t now_ms, struct coord_effects *out)
{
    for (unsigned i = 0; i < r->high; i++) {
        struct worker *w = &r->workers[i];
        if (!wants_config(r, w) || now_ms < config_due_ms(r, w)) continue;
        struct msg *msg = registry_send(r, w, MSG_configure, out);
        uint64_t session = msg->configure.session;
        msg->configure = r->configure;
        msg->configure.session = session;
        msg->configure.config = r->config;
        bool remote = w->local_slot == COORD_PEER_REMOTE && !r->settings.uniform; /* decides for itself */
        msg->configure.hash_mb = remote ? 0 : r->local_hash_mb;
        msg->configure.threads = remote ? 0 : r->local_threads;
        w->config_sent = r->config;
        w->config_sent_ms = now_ms;
    }
}

/* ---- time ------------------------------------------------------------------------------------------------------- */

static int64_t suspect_at(const struct registry *r, const struct worker *w)
{
    return w->heard_ms + r->settings.suspect_ms + 4 * w->rtt_least_ms;
}
static int64_t dead_at(const struct registry *r, const struct worker *w)
{
    if (MUTANT_IS(4)) return INT64_MAX;
    return w->heard_ms + r->settings.dead_ms + 4 * w->rtt_least_ms;
}
static int64_t stuck_at(const struct worker *w)
{
    return w->stuck_since_ms == INT64_MAX ? INT64_MAX : w->stuck_since_ms + STUCK_MS;
}

void registry_note_time(struct registry *r, int64_t now_ms)
{
    /* While there are workers a step comes at least every heartbeat. A longer gap means that this process was suspended
     * or starved: what the workers said in that time is still in the socket. */
    int64_t away_ms = now_ms - r->last_ms - 2 * (int64_t)r->settings.heartbeat_ms;
    if (r->count && away_ms > 0)
        for (unsigned i = 0; i < r->high; i++) {
            r->workers[i].heard_ms += away_ms;
            if (r->workers[i].heard_ms > now_ms) r->workers[i].heard_ms = now_ms;
        }
    r->last_ms = now_ms;
}

void registry_tick(struct registry *r, int64_t now_us, struct registry_report *report, struct coord_effects *out)
{
    int64_t now_ms = now_us / 1000;
    bool beat = r->count && now_ms >= r->beat_due_ms;
    if (beat) r->beat_due_ms = now_ms + r->settings.heartbeat_ms;
    for (unsigned i = 0; i < r->high; i++) {
        struct worker *w = &r->workers[i];
        if (!w->present) continue;
        if (now_ms >= dead_at(r, w)) {
            char why[64];
            snprintf(why, sizeof why, "silent for %" PRId64 " ms", now_ms - w->heard_ms);
            registry_drop(r, i, NEWS_DEAD, why, report, out);
            continue;
        }
        if (now_ms >= stuck_at(w)) {
            send_reset(r, w->peer, "the search does not stop", out);
            registry_drop(r, i, NEWS_DEAD, "its search does not stop", report, out);
            continue;
        }
        if (!w->suspect && now_ms >= suspect_at(r, w)) {
            w->suspect = true;
            r->metrics->suspects++;
            fx_log(out, COORD_LOG_INFO, "worker_suspect name=\"%s\" silent_ms=%" PRId64, w->name, now_ms - w->heard_ms);
            news(r, report, NEWS_SUSPECT, i);
        }
        if (beat) send_beat(r, w, now_us, 0, out);
    }
}

static int64_t earlier(int64_t a, int64_t b) { return a < b ? a : b; }

int64_t registry_deadline_ms(const struct registry *r)
{
    int64_t due = r->count ? r->beat_due_ms : INT64_MAX;
    for (unsigned i = 0; i < r->high; i++) {
        const struct worker *w = &r->workers[i];
        if (!w->present) continue;
        due = earlier(due, dead_at(r, w));
        due = earlier(due, stuck_at(w));
        if (!w->suspect) due = earlier(due, suspect_at(r, w));
        if (wants_config(r, w)) due = earlier(due, config_due_ms(r, w));
    }
    return due;
}
