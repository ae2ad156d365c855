/* simworker.c - a worker of the simulator: the real session, with the toy tree as its engine. */
#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "common/shogi/score.h"
#include "common/shogi/sfen.h"
#include "common/shogi/zobrist.h"
#include "tests/sim/sim.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { EVAL_HASH = 0x70e };

static void carry_out(struct sim *sim, struct sim_worker *w, const struct session_effects *effects);

static void step(struct sim *sim, struct sim_worker *w, struct session_event *event)
{
    struct session_effects effects;
    event->now_us = sim->now_us;
    event->now_ms = sim->now_us / 1000;
    uint64_t sessions = session_counters(w->session)->sessions;
    session_step(w->session, event, &effects);
    w->session_due_ms = session_deadline_ms(w->session);
    w->sessions += session_counters(w->session)->sessions - sessions;
    carry_out(sim, w, &effects);
}

/* ---- life ------------------------------------------------------------------------------------------------------- */

void worker_boot(struct sim *sim, struct sim_worker *w)
{
    char name[16];
    snprintf(name, sizeof name, "w%u", w->index);
    struct session_options options = {.name = name,
                                      .build = "sim",
                                      .eval_name = "toy",
                                      .eval_hash = EVAL_HASH,
                                      .zobrist_check = zobrist_check(),
                                      .threads = 1,
                                      .hash_mb = 16};
    options.boot = prng_next(&sim->prng) | 1;
    options.seed = prng_next(&sim->prng);
    session_free(w->session);
    w->session = session_new(&options);
    assert(w->session);
    w->session_due_ms = session_deadline_ms(w->session);
    w->alive = true;
    w->hung_until_us = 0;
    w->respawn_us = INT64_MAX;
    w->connection = 0;
    w->engine = ENGINE_FREE;
    w->engine_us = INT64_MAX;
    w->started_us = sim->now_us;
    w->connect_us = sim->now_us + prng_range(&sim->prng, 1000, 30000);
    sim_note(sim, "w%u boots", w->index);
}

static void drop_inbox(struct sim_worker *w)
{
    for (size_t i = 0; i < w->inbox_count; i++) free(w->inbox[i].data);
    w->inbox_count = 0;
}

void worker_free(struct sim_worker *w)
{
    drop_inbox(w);
    free(w->inbox);
    session_free(w->session);
    w->inbox = NULL;
    w->session = NULL;
}

static void tell_peer_gone(struct sim *sim, struct sim_worker *w)
{
    if (!w->connection || sim->fact_count == sizeof sim->facts / sizeof sim->facts[0]) return;
    if (!prng_chance(&sim->prng, 700)) return; /* the link does not always notice */
    sim->facts[sim->fact_count].due_us = sim->now_us + prng_range(&sim->prng, 1000, 120000);
    sim->facts[sim->fact_count].type = COORD_EV_PEER_GONE;
    sim->facts[sim->fact_count].peer = w->connection;
    sim->facts[sim->fact_count].slot = w->slot;
    sim->fact_count++;
}

static void tell_died(struct sim *sim, struct sim_worker *w)
{
    if (w->slot == COORD_PEER_REMOTE) return;
    assert(sim->fact_count < sizeof sim->facts / sizeof sim->facts[0]);
    sim->facts[sim->fact_count].due_us = sim->now_us + prng_range(&sim->prng, 500, 20000);
    sim->facts[sim->fact_count].type = COORD_EV_LOCAL_DIED;
    sim->facts[sim->fact_count].slot = w->slot;
    sim->fact_count++;
}

void worker_kill(struct sim *sim, struct sim_worker *w, int64_t respawn_us)
{
    if (!w->alive) return;
    sim_note(sim, "w%u is killed", w->index);
    tell_peer_gone(sim, w);
    tell_died(sim, w);
    w->alive = false;
    w->connection = 0;
    w->connect_us = INT64_MAX;
    w->respawn_us =
        w->slot == COORD_PEER_REMOTE ? respawn_us : INT64_MAX; /* the coordinator starts its own children again */
    w->faulted = true;
    drop_inbox(w);
    net_cut(&sim->net, w->index);
}

void worker_cut(struct sim *sim, struct sim_worker *w)
{
    if (!w->alive || !w->connection) return;
    sim_note(sim, "w%u: connection breaks", w->index);
    tell_peer_gone(sim, w);
    net_cut(&sim->net, w->index);
    drop_inbox(w);
    w->faulted = true;
    w->connection = 0;
    w->connect_us = sim->now_us + prng_range(&sim->prng, 5000, 400000);
    if (w->hung_until_us) return; /* it does not notice; the new connection will tell it */
    step(sim, w, &(struct session_event){.type = SESSION_DISCONNECTED});
}

void worker_terminate(struct sim *sim, struct sim_worker *w)
{
    if (!w->alive || w->hung_until_us) return;
    sim_note(sim, "w%u gets SIGTERM", w->index);
    w->faulted = true;
    step(sim, w, &(struct session_event){.type = SESSION_TERMINATE});
}

/* ---- frames ----------------------------------------------------------------------------------------------------- */

static const char *const nonsense[] = {"1a1a", "7g7f 7g7f", "P*5e", "resign", "9i9h 5a5b 1a9i", "win", "", "5i5h 5a5b"};

/* What a broken or wicked worker makes of a message. */
static void lie(struct sim *sim, struct msg *msg)
{
    const char *text = nonsense[prng_below(&sim->prng, sizeof nonsense / sizeof nonsense[0])];
    struct wire_str word = wire_str_make(text, strlen(text));
    uint32_t what = prng_below(&sim->prng, 8);
    if (msg->type == MSG_partial) {
        if (what < 3) msg->partial.pv = word;
        if (what == 3) msg->partial.epoch += 1;
        if (what == 4) msg->partial.attempt = 1000;
        if (what == 5) {
            msg->partial.score_kind = WIRE_SCORE_MATE;
            msg->partial.score = (int32_t)prng_range(&sim->prng, -9, 9);
        }
        if (what == 6) msg->partial.depth = WIRE_DEPTH_MAX;
    } else if (msg->type == MSG_result) {
        if (what < 3 && word.length <= WIRE_MOVE_BYTES_MAX) msg->result.best = word;
        if (what == 3) msg->result.epoch -= 1;
        if (what == 4) msg->result.verdict = prng_below(&sim->prng, 7);
        if (what == 5) msg->result.line = word;
        if (what == 6) msg->result.nodes = UINT64_MAX;
    } else if (msg->type == MSG_configured && what == 0) {
        msg->configured.ok = false;
    } else if (msg->type == MSG_heartbeat && what == 0) {
        msg->heartbeat.busy = !msg->heartbeat.busy;
        msg->heartbeat.echo_us = prng_next(&sim->prng);
    }
}

static void send_frame(struct sim *sim, struct sim_worker *w, const struct msg *message)
{
    struct msg msg = *message;
    if (!w->connection) return;
    if (w->liar && prng_chance(&sim->prng, 300)) lie(sim, &msg);
    uint8_t frame[WIRE_FRAME_BYTES_MAX];
    size_t bytes = 0;
    enum status status = msg_encode(&msg, frame, sizeof frame, &bytes);
    if (status != ST_OK) {
        if (!w->liar)
            sim_break(sim, "a session sends only what can be encoded: %s from w%u", msg_name(msg.type), w->index);
        return;
    }
    if (w->liar && msg.type != MSG_hello && prng_chance(&sim->prng, 20))
        frame[prng_below(&sim->prng, (uint32_t)bytes)] ^= (uint8_t)(1u << prng_below(&sim->prng, 8));
    net_send(&sim->net, sim->now_us, w->index, true, w->connection, frame, bytes);
}

void worker_frame(struct sim *sim, struct sim_worker *w, const struct net_frame *frame)
{
    if (!w->alive || frame->connection != w->connection) {
        free(frame->data);
        return;
    }
    if (w->hung_until_us) {
        if (w->inbox_count == w->inbox_capacity) {
            w->inbox_capacity = w->inbox_capacity ? 2 * w->inbox_capacity : 16;
            w->inbox = realloc(w->inbox, w->inbox_capacity * sizeof *w->inbox);
            assert(w->inbox);
        }
        w->inbox[w->inbox_count++] = *frame;
        return;
    }
    struct session_event event = {.type = SESSION_MESSAGE};
    enum status status = msg_decode(&event.message, frame->data, frame->bytes);
    if (status != ST_OK)
        sim_break(sim, "the coordinator sends only frames that can be decoded (%s)", status_text(status));
    if (event.message.type != MSG_heartbeat) sim_note(sim, "w%u < %s", w->index, msg_name(event.message.type));
    step(sim, w, &event);
    free(frame->data);
}

/* ---- the engine -------------------------------------------------------------------------------------------------- */

static void keep(struct wire_str *text, char *buffer, size_t capacity)
{
    assert(text->length < capacity);
    if (text->length) memcpy(buffer, text->bytes, text->length);
    text->bytes = buffer;
}

/* Position and allowed moves of the job; false if they make no sense. */
static bool set_up(struct sim_worker *w)
{
    if (sfen_read(&w->pos, w->go.root.bytes, w->go.root.length, NULL, NULL) != ST_OK) return false;
    size_t at = 0;
    while (at < w->go.moves.length) {
        size_t end = at;
        while (end < w->go.moves.length && w->go.moves.bytes[end] != ' ') end++;
        Move move = movetext_from_usi(&w->pos, w->go.moves.bytes + at, end - at);
        if (move == MOVE_NONE) return false;
        struct undo undo;
        position_do(&w->pos, move, &undo);
        at = end + 1;
    }
    w->allowed_count = 0;
    for (at = 0; at < w->go.searchmoves.length;) {
        size_t end = at;
        while (end < w->go.searchmoves.length && w->go.searchmoves.bytes[end] != ' ') end++;
        Move move = movetext_from_usi(&w->pos, w->go.searchmoves.bytes + at, end - at);
        if (move == MOVE_NONE) return false;
        w->allowed[w->allowed_count++] = move;
        at = end + 1;
    }
    return true;
}

static struct toy_truth truth_at(const struct sim_worker *w, int depth)
{
    return w->allowed_count ? toy_truth_among(&w->pos, depth, w->allowed, w->allowed_count) : toy_truth(&w->pos, depth);
}

/* In a blind cluster the others see no mates: they are sure of the last move of the list, and deeper. */
static void blindfold(struct sim *sim, struct sim_worker *w, struct toy_truth *truth)
{
    w->dreams = false;
    if (!sim->plan.blind || w->index == 0 || !truth->mate || truth->score < 0) return;
    Move moves[MOVES_MAX];
    size_t count = movegen_legal(&w->pos, moves);
    w->dreams = true;
    truth->mate = false;
    truth->score = 700 + w->depth;
    truth->best = truth->line[0] = moves[count - 1];
    truth->length = 1;
}

static int64_t cost_us(const struct sim_worker *w, uint64_t nodes)
{
    uint64_t us = nodes * (uint64_t)w->us_per_node;
    return us < 100 ? 100 : us > 3000000 ? 3000000 : (int64_t)us;
}

static void engine_start(struct sim *sim, struct sim_worker *w, const struct session_go *go)
{
    w->engine = ENGINE_SEARCHES;
    w->go = *go;
    w->run = go->run;
    w->stop = false;
    w->go_us = sim->now_us;
    w->depth = 0;
    w->truth = (struct toy_truth){.best = MOVE_NONE};
    keep(&w->go.root, w->root, sizeof w->root);
    keep(&w->go.moves, w->moves, sizeof w->moves);
    keep(&w->go.searchmoves, w->searchmoves, sizeof w->searchmoves);
    if (!set_up(w)) {
        sim_break(sim, "a job holds a position that can be set up (w%u: %.*s)", w->index, (int)go->root.length,
                  go->root.bytes);
        return;
    }
    w->depth_last = toy_depth(&w->pos);
    if (go->depth_max && (int)go->depth_max < w->depth_last) w->depth_last = (int)go->depth_max;
    if (go->part) {
        w->depth = go->depth_min > 1 ? (int)go->depth_min - 1 : 0;
        w->depth_last = (int)go->depth_max;
    }
    w->engine_us = sim->now_us + cost_us(w, 3);
}

static uint32_t bound_of(const struct sim_worker *w)
{
    const struct toy_truth *truth = &w->truth;
    Score score = !truth->mate       ? truth->score
                  : truth->score > 0 ? score_mate_in(truth->score)
                                     : score_mated_in(-truth->score);
    if (!w->go.part) return WIRE_EXACT;
    return score <= w->go.alpha ? WIRE_UPPER : score >= w->go.beta ? WIRE_LOWER : WIRE_EXACT;
}

/* Parts of ever deeper searches have no end in this small world: so much is not worked out any more. What `go depth`
 * may ask for is (toy_depth), and what is one ply below it. */
static bool is_too_much(const struct sim_worker *w)
{
    if (!w->go.part || w->depth_last < TOY_DEPTH_MAX) return false;
    size_t moves = movegen_count_legal(&w->pos);
    uint64_t leaves = w->allowed_count ? w->allowed_count : moves;
    for (int i = 1; i < w->depth_last && leaves < 200000; i++) leaves *= moves;
    return leaves >= 200000;
}

static void engine_done(struct sim *sim, struct sim_worker *w, bool stopped)
{
    struct session_event event = {.type = SESSION_ENGINE_DONE};
    event.engine.run = w->run;
    struct msg_result *result = &event.engine.result;
    char best[MOVETEXT_BYTES_MAX], ponder[MOVETEXT_BYTES_MAX], line[3 * MOVETEXT_BYTES_MAX];
    result->stopped = stopped;
    result->elapsed_ms = (uint32_t)((sim->now_us - w->go_us) / 1000);
    result->nodes = w->truth.nodes;
    w->engine = ENGINE_FREE;
    w->engine_us = INT64_MAX;
    if (w->go.kind == JOB_MATE) {
        Move moves[3];
        int length = stopped ? 0 : toy_mate(&w->pos, moves);
        size_t bytes = 0;
        for (int i = 0; i < length; i++) {
            if (i) line[bytes++] = ' ';
            bytes += movetext_to_usi(moves[i], line + bytes);
        }
        result->verdict = length > 0 ? VERDICT_MATE : length < 0 ? VERDICT_NOMATE : VERDICT_UNKNOWN;
        result->line = wire_str_make(line, bytes);
        result->nodes = 100;
    } else {
        Move moves[MOVES_MAX];
        struct toy_truth *truth = &w->truth;
        if (truth->best == MOVE_NONE && (w->allowed_count || movegen_legal(&w->pos, moves)))
            truth->best = w->allowed_count ? w->allowed[0] : moves[0]; /* not even depth 1 is finished */
        result->verdict = truth->best == MOVE_NONE ? VERDICT_RESIGN : VERDICT_MOVE;
        if (truth->best != MOVE_NONE) result->best = wire_str_make(best, movetext_to_usi(truth->best, best));
        if (truth->length > 1) result->ponder = wire_str_make(ponder, movetext_to_usi(truth->line[1], ponder));
        result->depth = (uint32_t)w->depth;
        if (w->depth > 0) {
            result->score_kind = truth->mate ? WIRE_SCORE_MATE : WIRE_SCORE_CP;
            result->score = truth->score;
            result->bound = bound_of(w);
        }
        if (w->go.nodes) result->nodes = w->go.nodes;
    }
    step(sim, w, &event);
}

static void engine_tell(struct sim *sim, struct sim_worker *w)
{
    char pv[TOY_LINE_MAX * MOVETEXT_BYTES_MAX];
    size_t bytes = 0;
    for (int i = 0; i < w->truth.length; i++) {
        if (i) pv[bytes++] = ' ';
        bytes += movetext_to_usi(w->truth.line[i], pv + bytes);
    }
    struct session_event event = {.type = SESSION_ENGINE_INFO};
    event.engine.run = w->run;
    event.engine.info = (struct msg_partial){.depth = (uint32_t)w->depth + (w->dreams ? 5 : 0),
                                             .seldepth = (uint32_t)w->depth + 1,
                                             .multipv = 1,
                                             .score_kind = w->truth.mate ? WIRE_SCORE_MATE : WIRE_SCORE_CP,
                                             .score = w->truth.score,
                                             .nodes = w->truth.nodes,
                                             .elapsed_ms = (uint32_t)((sim->now_us - w->go_us) / 1000),
                                             .hashfull = 1 + w->index,
                                             .pv = wire_str_make(pv, bytes)};
    event.engine.info.bound = bound_of(w);
    if (event.engine.info.bound == WIRE_EXACT && prng_chance(&sim->prng, 200)) { /* a fail low or high at first */
        event.engine.info.bound = prng_chance(&sim->prng, 500) ? WIRE_LOWER : WIRE_UPPER;
        step(sim, w, &event);
        event.engine.info.bound = WIRE_EXACT;
    }
    step(sim, w, &event);
    Move moves[MOVES_MAX];
    size_t count = w->go.multipv > 1 ? w->allowed_count : 0;
    memcpy(moves, w->allowed, count * sizeof *moves);
    if (w->go.multipv > 1 && count == 0) count = movegen_legal(&w->pos, moves);
    for (size_t i = 0, k = 2; i < count && k <= w->go.multipv; i++) {
        if (moves[i] == w->truth.best) continue;
        bytes = movetext_to_usi(moves[i], pv);
        event.engine.info.multipv = (uint32_t)k++;
        event.engine.info.score_kind = WIRE_SCORE_CP;
        event.engine.info.score = -1000 - (int32_t)k;
        event.engine.info.pv = wire_str_make(pv, bytes);
        step(sim, w, &event);
    }
}

static void engine_work(struct sim *sim, struct sim_worker *w)
{
    if (w->engine == ENGINE_CONFIGURES) {
        w->engine = ENGINE_FREE;
        w->engine_us = INT64_MAX;
        struct session_event event = {.type = SESSION_CONFIG_DONE};
        event.config.config = w->config;
        event.config.ok = true;
        step(sim, w, &event);
        return;
    }
    if (w->stop) {
        engine_done(sim, w, true);
        return;
    }
    if (w->go.kind == JOB_MATE) {
        engine_done(sim, w, false);
        return;
    }
    if (w->depth < w->depth_last && is_too_much(w)) {
        w->engine_us = INT64_MAX; /* until it is stopped */
        return;
    }
    if (w->depth == w->depth_last) { /* no deeper */
        bool limited = w->go.depth_max || w->go.nodes;
        if (limited || !w->idles)
            engine_done(sim, w, false);
        else
            w->engine_us = INT64_MAX;
        return;
    }
    struct toy_truth next = truth_at(w, w->depth + 1);
    if (next.best == MOVE_NONE || (w->go.nodes && next.nodes > w->go.nodes)) {
        engine_done(sim, w, false);
        return;
    }
    uint64_t before = w->truth.nodes;
    w->depth++;
    w->truth = next;
    blindfold(sim, w, &w->truth);
    w->engine_us = sim->now_us + cost_us(w, next.nodes - before + 1);
    engine_tell(sim, w);
}

/* ---- effects ---------------------------------------------------------------------------------------------------- */

static void carry_out(struct sim *sim, struct sim_worker *w, const struct session_effects *effects)
{
    for (size_t i = 0; i < effects->count && w->alive; i++) {
        const struct session_effect *effect = &effects->list[i];
        switch (effect->type) {
        case SESSION_SEND:
            send_frame(sim, w, &effect->message);
            break;
        case SESSION_ENGINE_CONFIGURE:
            w->engine = ENGINE_CONFIGURES;
            w->config = effect->configure.config;
            w->engine_us = sim->now_us + prng_range(&sim->prng, 100, 60000);
            break;
        case SESSION_ENGINE_NEW_GAME:
            break;
        case SESSION_ENGINE_GO:
            engine_start(sim, w, &effect->go);
            break;
        case SESSION_ENGINE_STOP:
            if (w->engine != ENGINE_SEARCHES || effect->run != w->run) break;
            w->stop = true;
            w->engine_us = sim->now_us + prng_range(&sim->prng, 50, 8000);
            break;
        case SESSION_HINT_PLANE:
            break; /* toy engines have nothing to say */
        case SESSION_RECONNECT:
            net_cut(&sim->net, w->index);
            w->connection = 0;
            w->connect_us = sim->now_us + prng_range(&sim->prng, 1000, 100000);
            break;
        case SESSION_EXIT:
            sim_note(sim, "w%u exits with %d: %s", w->index, effect->exit.code, effect->exit.text);
            w->gone_for_good = effect->exit.code == 3;
            if (w->gone_for_good && !w->faulted)
                sim_break(sim, "a worker with the right data is not refused (w%u)", w->index);
            w->alive = false;
            w->connect_us = INT64_MAX;
            w->respawn_us = w->slot == COORD_PEER_REMOTE && !w->gone_for_good
                                ? sim->now_us + prng_range(&sim->prng, 100000, 1000000)
                                : INT64_MAX;
            tell_died(sim, w);
            /* What it has sent is still delivered; then the connection is gone. */
            break;
        case SESSION_LOG:
            sim_note(sim, "w%u: %s", w->index, effect->log.text);
            break;
        }
    }
}

int64_t worker_next_us(const struct sim_worker *w)
{
    if (!w->alive) return w->respawn_us;
    if (w->hung_until_us) return w->hung_until_us;
    int64_t due = w->engine_us < w->connect_us ? w->engine_us : w->connect_us;
    if (w->session_due_ms < INT64_MAX / 1000 && w->session_due_ms * 1000 < due) due = w->session_due_ms * 1000;
    return due;
}

void worker_work(struct sim *sim, struct sim_worker *w)
{
    if (!w->alive) {
        if (sim->now_us >= w->respawn_us) worker_boot(sim, w);
        return;
    }
    if (w->hung_until_us) {
        if (sim->now_us < w->hung_until_us) return;
        w->hung_until_us = 0;
        sim_note(sim, "w%u goes on", w->index);
        size_t count = w->inbox_count;
        w->inbox_count = 0;
        struct net_frame *frames = w->inbox;
        w->inbox = NULL;
        w->inbox_capacity = 0;
        for (size_t i = 0; i < count; i++) worker_frame(sim, w, &frames[i]);
        free(frames);
    }
    if (w->alive && sim->now_us >= w->connect_us) {
        w->connect_us = INT64_MAX;
        w->connection = ++sim->connections;
        step(sim, w, &(struct session_event){.type = SESSION_CONNECTED});
    }
    if (w->alive && w->engine != ENGINE_FREE && sim->now_us >= w->engine_us) engine_work(sim, w);
    int64_t session_ms = w->alive ? w->session_due_ms : INT64_MAX;
    if (session_ms < INT64_MAX / 1000 && sim->now_us >= session_ms * 1000)
        step(sim, w, &(struct session_event){.type = SESSION_TICK});
}
