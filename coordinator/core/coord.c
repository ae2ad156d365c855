/* coord.c - takes an event apart and hands it to the module that knows. */
#include "coordinator/core/coord.h"

#include "common/shogi/movetext.h"
#include "common/shogi/zobrist.h"
#include "coordinator/core/front.h"
#include "coordinator/core/game.h"
#include "coordinator/core/local.h"
#include "coordinator/core/registry.h"
#include "coordinator/core/scan.h"
#include "coordinator/core/tsume.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES_MAX = 64, THREADS_MAX = 1024, HASH_MB_MAX = 33554432, PERIOD_MS_MAX = 600000 };

struct coord {
    struct coord_config config;
    char name[NAME_BYTES_MAX + 1];
    char hints_local[COORD_ADDRESS_BYTES_MAX + 1], hints_remote[COORD_ADDRESS_BYTES_MAX + 1];
    struct metrics metrics;
    struct registry registry;
    struct registry_report report; /* of the present step */
    struct local local;
    struct front front;
    struct game game;
    struct scan scan;
    struct tsume tsume;
    uint64_t epoch_last;
    uint64_t mate_epoch; /* of the `go mate` that has an order; 0 = none */
    int64_t now_us;
};

static uint32_t or_default(uint32_t value, uint32_t fallback) { return value ? value : fallback; }

struct coord *coord_new(const struct coord_config *config)
{
    if (!config->boot || config->local_workers > COORD_LOCAL_MAX || config->threads > THREADS_MAX ||
        config->hash_mb > HASH_MB_MAX || config->heartbeat_ms > PERIOD_MS_MAX / 10 ||
        config->suspect_ms > PERIOD_MS_MAX || config->dead_ms > PERIOD_MS_MAX)
        return NULL;
    struct coord *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->config = *config;
    c->config.ready_wait_ms = or_default(config->ready_wait_ms, 8000);
    c->config.worker_wait_ms = or_default(config->worker_wait_ms, 3000);
    if (!config->fallback_nodes) c->config.fallback_nodes = FALLBACK_NODES_FIRST;
    snprintf(c->name, sizeof c->name, "%s", config->name ? config->name : "Murakumo");
    c->config.name = c->name;
    snprintf(c->hints_local, sizeof c->hints_local, "%s", config->hints_local ? config->hints_local : "");
    snprintf(c->hints_remote, sizeof c->hints_remote, "%s", config->hints_remote ? config->hints_remote : "");
    c->config.hints_local = c->hints_local;
    c->config.hints_remote = c->hints_remote;
    struct registry_settings settings = {.boot = config->boot,
                                         .local_workers = config->local_workers,
                                         .eval_hash = config->eval_hash,
                                         .zobrist_check =
                                             config->zobrist_check ? config->zobrist_check : zobrist_check(),
                                         .uniform = config->uniform,
                                         .heartbeat_ms = or_default(config->heartbeat_ms, 200),
                                         .suspect_ms = or_default(config->suspect_ms, 800),
                                         .dead_ms = or_default(config->dead_ms, 2000),
                                         .hints_local = c->hints_local,
                                         .hints_remote = c->hints_remote};
    registry_init(&c->registry, &settings, &c->metrics);
    local_init(&c->local, config->local_workers);
    front_init(&c->front, c->name, or_default(config->hash_mb, 1024), or_default(config->threads, 1),
               c->config.ready_wait_ms);
    c->front.serves = config->serves;
    front_flush_config(&c->front, &c->registry);
    game_init(&c->game);
    if (tsume_init(&c->tsume)) return c;
    coord_free(c);
    return NULL;
}

void coord_free(struct coord *c)
{
    if (!c) return;
    tsume_free(&c->tsume);
    free(c);
}

static struct game_env env_of(struct coord *c, struct coord_effects *out)
{
    return (struct game_env){.registry = &c->registry,
                             .options = &c->front.options,
                             .metrics = &c->metrics,
                             .out = out,
                             .epoch_last = &c->epoch_last,
                             .worker_wait_ms = c->config.worker_wait_ms,
                             .fallback_nodes = c->config.fallback_nodes,
                             .grain_ms = c->config.grain_ms,
                             .certificate = c->tsume.certificate,
                             .now_ms = c->now_us / 1000};
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

static enum status take_tsume_partial(struct coord *c, unsigned worker, const struct worker_job *job,
                                      const struct msg_partial *partial, struct game_env *env)
{
    bool believed;
    uint64_t nodes;
    enum status status = tsume_take_partial(&c->tsume, worker, job, partial, env);
    if (status == ST_OK && tsume_is_game(&c->tsume, worker, job, &c->registry, &believed, &nodes))
        game_mate_progress(&c->game, partial, believed, nodes, env);
    return status;
}

static enum status take_message(struct coord *c, const struct coord_event *event, struct game_env *env)
{
    const struct msg *msg = event->message.msg;
    unsigned worker;
    struct worker_job job;
    enum status status = registry_take(&c->registry, event->message.peer, event->message.local_slot, msg, event->now_us,
                                       &worker, &job, &c->report, env->out);
    if (status != ST_OK || worker == COORD_WORKERS_MAX) return status;
    bool partial = msg->type == MSG_partial;
    if (job.owner == JOB_SCAN)
        return partial ? scan_take_partial(&c->scan, worker, &job, &msg->partial, env)
                       : scan_take_result(&c->scan, worker, &job, &msg->result, env);
    if (job.owner == JOB_TSUME)
        return partial ? take_tsume_partial(c, worker, &job, &msg->partial, env)
                       : tsume_take_result(&c->tsume, worker, &job, &msg->result, env);
    return partial ? game_partial(&c->game, worker, &job, &msg->partial, env)
                   : game_result(&c->game, worker, &job, &msg->result, env);
}

static struct wire_str constant_text(const char *text) { return wire_str_make(text, strlen(text)); }

static enum status local_worker_died(struct coord *c, const struct coord_event *event, struct game_env *env)
{
    char why[96];
    snprintf(why, sizeof why, "process ended: %s", event->local_died.text ? event->local_died.text : "?");
    bool renewed = local_is_renewed(&c->local, event->local_died.slot);
    fx_log(env->out, renewed ? COORD_LOG_DEBUG : COORD_LOG_WARN, "local_worker_died slot=%d why=\"%s\"",
           event->local_died.slot, why);
    registry_drop_local(&c->registry, event->local_died.slot, why, &c->report, env->out);
    if (event->local_died.text && strncmp(event->local_died.text, "cannot start", 12) == 0) /* the user can mend it */
        fx_infof(env->out, "info string local worker %d: %s", event->local_died.slot + 1,
                 fx_clean(env->out, constant_text(event->local_died.text), sizeof why).bytes);
    return local_died(&c->local, event->local_died.slot, env->now_ms) ? ST_OK : ST_STATE;
}

static enum status dispatch(struct coord *c, const struct coord_event *event, struct game_env *env)
{
    switch (event->type) {
    case COORD_EV_LINE:
        return front_line(&c->front, event->line.bytes, event->line.length, event->line.too_long, &c->game, &c->local,
                          env);
    case COORD_EV_EOF:
        front_quit(&c->front, "the user interface is gone", &c->game, &c->local, env);
        return ST_OK;
    case COORD_EV_DETACH:
        front_detach(&c->front, &c->game, env);
        return ST_OK;
    case COORD_EV_SHUTDOWN:
        front_quit(&c->front, "the coordinator was told to end", &c->game, &c->local, env);
        return ST_OK;
    case COORD_EV_MESSAGE:
        return take_message(c, event, env);
    case COORD_EV_BAD_FRAME:
        registry_bad_frame(&c->registry, event->bad_frame.peer, event->bad_frame.status, event->bad_frame.major,
                           event->bad_frame.minor, &c->report, env->out);
        return event->bad_frame.status;
    case COORD_EV_PEER_GONE:
        registry_peer_gone(&c->registry, event->peer_gone.peer, &c->report, env->out);
        return ST_OK;
    case COORD_EV_LOCAL_STARTED:
        return local_started(&c->local, event->local_started.slot, env->now_ms);
    case COORD_EV_LOCAL_DIED:
        return local_worker_died(c, event, env);
    case COORD_EV_TICK:
        return ST_OK;
    case COORD_EV_SCAN_SUBMIT:
        return scan_submit(&c->scan, &event->scan_submit, env);
    case COORD_EV_TRUST:
        return registry_trust(&c->registry, event->trust.boot, event->trust.trusted, &c->report, env->out);
    case COORD_EV_SCAN_CANCEL:
        return scan_cancel(&c->scan, event->scan_cancel.id, env);
    case COORD_EV_TSUME_SUBMIT:
        return tsume_submit(&c->tsume, &event->tsume_submit, env);
    }
    return ST_UNKNOWN;
}

/* ---- consequences ----------------------------------------------------------------------------------------------- */

static void spread_news(struct coord *c, struct game_env *env)
{
    for (size_t i = 0; i < c->report.count; i++) {
        const struct registry_news *news = &c->report.items[i];
        const struct worker *w = &c->registry.workers[news->worker];
        switch (news->type) {
        case NEWS_NONE:
        case NEWS_CONFIGURED:
            break;
        case NEWS_JOINED:
            local_greeted(&c->local, w->local_slot);
            break;
        case NEWS_SUSPECT:
            game_worker_suspect(&c->game, news->worker, env);
            tsume_worker_suspect(&c->tsume, news->worker);
            break;
        case NEWS_DEAD:
            local_kill(&c->local, news->local_slot, env->now_ms, env->out);
            /* fall through */
        case NEWS_LEFT:
        case NEWS_LOST:
            if (c->game.phase != GAME_IDLE)
                fx_infof(env->out, "info string worker %s is gone: %s", news->name, news->text);
            /* fall through */
        case NEWS_JOB_LOST:
            game_worker_lost(&c->game, news->worker, &news->job);
            scan_worker_lost(&c->scan, news->worker, &news->job, env);
            tsume_worker_lost(&c->tsume, news->worker, &news->job, env);
            break;
        }
    }
    c->report.count = 0;
}

/* An idle local worker that may not do what is left, because it has seen it before, makes room for a fresh process. Its
 * session ends at once: it must not be given anything else on its way out. */
static void renew_worker(struct coord *c, struct game_env *env)
{
    unsigned worker = scan_wants_fresh(&c->scan, &c->registry);
    if (worker == COORD_WORKERS_MAX) return;
    int slot = c->registry.workers[worker].local_slot;
    registry_drop(&c->registry, worker, NEWS_LEFT, "a fresh process takes its place", &c->report, env->out);
    spread_news(c, env);
    local_renew(&c->local, slot, env->now_ms, env->out);
}

/* `go mate` is an order like others, but that it goes first. */
static void order_for_game(struct coord *c, struct game_env *env)
{
    const struct game *g = &c->game;
    bool wanted = g->phase != GAME_IDLE && g->mate && !g->finished;
    if (c->mate_epoch && (!wanted || c->mate_epoch != g->epoch)) {
        (void)tsume_cancel(&c->tsume, TSUME_ID_GAME, env); /* if it has an outcome it is gone already */
        c->mate_epoch = 0;
    }
    if (!wanted || c->mate_epoch) return;
    char sfen[SFEN_BYTES_MAX];
    size_t bytes = sfen_write(&g->board.now, sfen);
    int64_t left_ms = g->due_ms - env->now_ms;
    struct tsume_order order = {.id = TSUME_ID_GAME,
                                .root = wire_str_make(sfen, bytes),
                                .any_length = env->options->value[OPTION_MATE_SHORTEST] == 0};
    if (g->limited) order.time_ms = left_ms < 1 ? 1 : left_ms > UINT32_MAX ? UINT32_MAX : (uint32_t)left_ms;
    if (tsume_submit(&c->tsume, &order, env) == ST_OK) c->mate_epoch = g->epoch;
}

static void solve(struct coord *c, struct game_env *env)
{
    struct tsume *t = &c->tsume;
    bool game = c->game.phase != GAME_IDLE;
    order_for_game(c, env);
    tsume_advance(t, !game ? TSUME_ALL : c->game.mate ? TSUME_GAME : TSUME_PAUSED, env);
    if (t->game_outcome) game_mate_done(&c->game, t->game_outcome, env);
    t->game_outcome = NULL;
}

/* What the event and the passing of time bring about; the same in every step. */
static void advance(struct coord *c, struct game_env *env)
{
    registry_tick(&c->registry, c->now_us, &c->report, env->out);
    spread_news(c, env);
    local_tick(&c->local, env->now_ms, &c->metrics, env->out);
    registry_configure(&c->registry, env->now_ms, env->out);
    bool game = c->game.phase != GAME_IDLE;
    scan_advance(&c->scan, game, env);
    solve(c, env);
    game_advance(&c->game, env);
    if (c->game.phase == GAME_IDLE) {
        solve(c, env);
        scan_advance(&c->scan, false, env);
        renew_worker(c, env);
    }
    front_advance(&c->front, &c->local, env);
}

enum status coord_step(struct coord *c, const struct coord_event *event, struct coord_effects *out)
{
    fx_clear(out);
    if (event->now_us > c->now_us) c->now_us = event->now_us;
    struct game_env env = env_of(c, out);
    if (c->front.quitting) {
        if (event->type == COORD_EV_LOCAL_DIED) local_died(&c->local, event->local_died.slot, env.now_ms);
        return ST_STATE;
    }
    registry_note_time(&c->registry, env.now_ms);
    c->report.count = 0;
    enum status status = dispatch(c, event, &env);
    if (event->type == COORD_EV_LINE && status != ST_OK) c->metrics.lines_refused++;
    spread_news(c, &env);
    if (!c->front.quitting) advance(c, &env);
    return status;
}

static int64_t earlier(int64_t a, int64_t b) { return a < b ? a : b; }

int64_t coord_deadline_ms(const struct coord *c)
{
    if (c->front.quitting) return INT64_MAX;
    int64_t due = earlier(registry_deadline_ms(&c->registry), local_deadline_ms(&c->local));
    due = earlier(due, game_deadline_ms(&c->game, c->config.worker_wait_ms));
    due = earlier(due, scan_deadline_ms(&c->scan));
    due = earlier(due, tsume_deadline_ms(&c->tsume, c->now_us / 1000));
    return earlier(due, front_deadline_ms(&c->front));
}

/* ---- snapshot --------------------------------------------------------------------------------------------------- */

static const char *phase_name(const struct game *g)
{
    if (g->phase == GAME_IDLE) return "idle";
    if (g->mate) return "mate";
    if (g->finished) return "holding";
    return g->phase == GAME_PONDERING ? "pondering" : "thinking";
}

void coord_snapshot(const struct coord *c, struct coord_snapshot *out)
{
    memset(out, 0, offsetof(struct coord_snapshot, workers));
    const struct game *g = &c->game;
    out->now_ms = c->now_us / 1000;
    out->phase = phase_name(g);
    out->epoch = g->epoch;
    if (c->front.board.valid) sfen_write(&c->front.board.now, out->sfen);
    if (game_held(g) != MOVE_NONE) movetext_to_usi(game_held(g), out->best);
    if (g->phase != GAME_IDLE) {
        out->nodes = merge_nodes(&g->merge);
        if (g->merge.present) {
            out->score = g->merge.line.score;
            out->score_kind = g->merge.line.score_kind;
            out->depth = g->merge.line.depth;
        }
    }
    out->scan_games = c->scan.game_count;
    out->scan_positions_left = scan_positions_left(&c->scan);
    out->metrics = c->metrics;
    out->absent = c->registry.absent.items;
    out->absent_count = c->registry.absent.count;
    for (unsigned i = 0; i < c->registry.high; i++) {
        const struct worker *w = &c->registry.workers[i];
        if (!w->present) continue;
        struct coord_worker_snapshot *s = &out->workers[out->worker_count++];
        memset(s, 0, sizeof *s);
        memcpy(s->name, w->name, sizeof s->name);
        memcpy(s->build, w->build, sizeof s->build);
        s->peer = w->peer;
        s->boot = w->boot;
        s->trusted = w->trusted;
        s->session = w->session;
        s->nodes = w->nodes;
        s->threads = w->threads;
        s->hash_mb = w->hash_mb;
        s->rtt_us = w->rtt_us;
        s->silent_ms = out->now_ms - w->heard_ms;
        s->local_slot = w->local_slot;
        s->suspect = w->suspect;
        s->configured = worker_is_configured(&c->registry, w);
        s->busy = w->job.owner != JOB_NOBODY;
        s->job_epoch = w->job.owner != JOB_NOBODY ? w->job.epoch : 0;
        s->job = w->job.job;
        s->job_attempt = w->job.attempt;
    }
}
