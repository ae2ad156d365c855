/* matesim.c - see matesim.h. */
#include "tests/sim/matesim.h"

#include "common/base/prng.h"
#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "common/shogi/sfen.h"
#include "common/shogi/zobrist.h"
#include "coordinator/core/coord.h"
#include "coordinator/core/pv.h"
#include "tests/model/mate_peer.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS_MAX = 64, ORDERS_MAX = 4, TABLE_BYTES = 1 << 18, BEAT_US = 500000, END_US = 900000000 };

static const struct {
    const char *sfen;
    unsigned plies; /* of the shortest mate; 0 = there is none */
} problems[] = {
    {"4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", 1},       {"9/8B/8L/8k/8N/4B2R1/9/9/9 b Sr4g3s3n3l18p 1", 5},
    {"5B1n1/8k/6Rpp/9/9/9/1+p7/9/K8 b rb4g4s3n4l15p 1", 5},  {"7nk/9/7Gp/6+RP1/9/9/1+p7/9/K8 b Pr2b3g4s3n4l14p 1", 9},
    {"8k/9/7+P1/9/9/9/PPr6/K8/1N1b5 w RB4G4S3N4L15P 1", 5},  {"9/5g1s1/8k/6+R2/9/6R1S/5B3/9/9 b b3g2s4n4l18p 1", 7},
    {"8k/R7s/g5N2/1R7/8L/4+b4/9/9/9 b b3g3s3n3l18p 1", 13},  {"8k/9/7+R1/9/9/9/9/9/9 b Pr2b4g4s4n4l17p 1", 0},
    {"7k1/7n1/6R2/9/4R4/9/9/9/9 b P2b4g4s3n4l17p 1", 0},     {"6pk1/9/4p2+P1/7B+p/5L3/9/9/9/9 b 2P2rb4g4s4n3l12p 1", 0},
    {"8k/5p1R1/6Sl1/9/6+B2/9/8B/9/9 b Pr4g3s3n3l16p 1", 0}, /* but help mates */
    {"6nBk/6G2/7+p1/6gp1/9/9/8B/9/9 b P2r2g4s3n4l15p 1", 0}, {"9/7kp/R8/6P2/9/9/9/b8/9 b rb4g4s4n4l16p 1", 0},
};
enum { PROBLEM_COUNT = sizeof problems / sizeof problems[0] };

enum life { DEAD, HANGS, LIVES };

struct sim_worker {
    enum life life;
    int64_t life_us; /* the present state ends then; INT64_MAX = never */
    int64_t beat_us;
    uint64_t peer, boot, session, sequence;
    bool joined, liar;
    int64_t us_per_node;
    struct mate_peer *solver;

    bool busy;
    struct msg_job job; /* its numbers; the texts are gone */
    struct position pos;
    int64_t begun_us, done_us;
    uint8_t *answer; /* frame, but for the sequence number it was encoded with */
    struct msg_result result;
    char *texts; /* of result */
};

struct flying { /* a frame on its way to the coordinator */
    int64_t due_us;
    uint64_t order, peer;
    size_t bytes;
    uint8_t *data;
};

struct matesim {
    struct prng prng;
    int64_t now_us, calm_us; /* no more faults from then on */
    struct coord *coord;
    struct coord_effects *fx;
    struct sim_worker workers[WORKERS_MAX];
    unsigned worker_count, order_count, answered;
    unsigned problem[ORDERS_MAX];
    bool done[ORDERS_MAX], any_length, lies;
    struct flying *air;
    size_t air_count, air_capacity;
    uint64_t flights, peers, boots;
    int64_t delay_us;
    uint32_t duplicate_permille;
    bool kills, hangs, trace;
    struct matesim_report *report;
};

__attribute__((format(printf, 2, 3))) static void broken(struct matesim *sim, const char *format, ...)
{
    if (*sim->report->broken) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sim->report->broken, sizeof sim->report->broken, format, arguments);
    va_end(arguments);
}

__attribute__((format(printf, 2, 3))) static void note(struct matesim *sim, const char *format, ...)
{
    if (!sim->trace) return;
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "[%10.3f] ", (double)sim->now_us / 1000.0);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

static void mix(struct matesim *sim, uint64_t value)
{
    struct prng prng = prng_make(sim->report->hash ^ value);
    sim->report->hash = prng_next(&prng);
}

/* ---- frames ----------------------------------------------------------------------------------------------------- */

static void fly(struct matesim *sim, const struct sim_worker *w, const uint8_t *data, size_t bytes)
{
    if (sim->air_count == sim->air_capacity) {
        sim->air_capacity = sim->air_capacity ? 2 * sim->air_capacity : 64;
        sim->air = realloc(sim->air, sim->air_capacity * sizeof *sim->air);
        assert(sim->air);
    }
    struct flying *f = &sim->air[sim->air_count++];
    *f = (struct flying){sim->now_us + prng_range(&sim->prng, sim->delay_us / 2, sim->delay_us), sim->flights++,
                         w->peer, bytes, malloc(bytes)};
    assert(f->data);
    memcpy(f->data, data, bytes);
}

static void send_up(struct matesim *sim, struct sim_worker *w, struct msg *msg)
{
    static uint8_t frame[WIRE_FRAME_BYTES_MAX];
    size_t bytes;
    msg->boot = w->boot;
    msg->sequence = ++w->sequence;
    enum status status = msg_encode(msg, frame, sizeof frame, &bytes);
    assert(status == ST_OK);
    (void)status;
    fly(sim, w, frame, bytes);
    if (prng_chance(&sim->prng, sim->duplicate_permille)) fly(sim, w, frame, bytes);
}

static void say_hello(struct matesim *sim, struct sim_worker *w)
{
    struct msg msg = {.type = MSG_hello};
    char name[16];
    int length = snprintf(name, sizeof name, "w%d", (int)(w - sim->workers));
    w->peer = ++sim->peers;
    w->boot = ++sim->boots;
    w->sequence = 0;
    w->joined = w->busy = false;
    msg.hello = (struct msg_hello){.name = wire_str_make(name, (size_t)length),
                                   .build = wire_str_make("sim", 3),
                                   .eval_hash = 1,
                                   .zobrist_check = zobrist_check(),
                                   .threads = 1,
                                   .hash_mb = 1};
    send_up(sim, w, &msg);
}

/* ---- a worker's work -------------------------------------------------------------------------------------------- */

static void keep(struct wire_str *text, char **at)
{
    if (text->length) memcpy(*at, text->bytes, text->length);
    text->bytes = *at;
    *at += text->length;
}

static void take_job(struct matesim *sim, struct sim_worker *w, const struct msg_job *job)
{
    w->result = mate_peer_answer(w->solver, job);
    enum status status = sfen_read(&w->pos, job->root.bytes, job->root.length, NULL, NULL);
    assert(status == ST_OK);
    (void)status;
    free(w->texts);
    char *at = w->texts =
        malloc((size_t)w->result.best.length + w->result.line.length + w->result.certificate.length + 1);
    assert(at);
    keep(&w->result.best, &at);
    keep(&w->result.line, &at);
    keep(&w->result.certificate, &at);
    w->result.ponder = w->result.text = wire_str_make(NULL, 0);
    w->result.session = w->session;
    w->busy = true;
    w->job = *job;
    w->begun_us = sim->now_us;
    w->done_us = sim->now_us + 1 + (int64_t)w->result.nodes * w->us_per_node;
    sim->report->jobs++;
    note(sim, "%d gets job %" PRIu32 ": %.*s, %" PRIu64 " nodes, mate within %" PRIu32 " plies",
         (int)(w - sim->workers), job->job, (int)job->root.length, job->root.bytes, job->nodes, job->plies_max);
}

/* A line in which both sides help each other: legal, all checks, and often a mate. */
static size_t help_mate(struct matesim *sim, const struct position *root, char out[256])
{
    for (unsigned tries = 0; tries < 200; tries++) {
        struct position pos = *root;
        size_t bytes = 0;
        for (unsigned ply = 0; ply < 9; ply++) {
            Move moves[MOVES_MAX];
            struct undo undo;
            size_t count = movegen_legal(&pos, moves), kept = 0;
            for (size_t i = 0; i < count; i++)
                if (ply % 2 == 1 || position_gives_check(&pos, moves[i])) moves[kept++] = moves[i];
            if (kept == 0) break;
            if (bytes) out[bytes++] = ' ';
            Move move = moves[prng_below(&sim->prng, (uint32_t)kept)];
            bytes += movetext_to_usi(move, out + bytes);
            position_do(&pos, move, &undo);
            if (ply % 2 == 0 && !position_has_legal_move(&pos)) return bytes;
        }
    }
    return 0;
}

static void lie(struct matesim *sim, struct sim_worker *w, struct msg_result *result, char text[256])
{
    static const char noise[] = "01021030";
    switch (prng_below(&sim->prng, 7)) {
    case 0:
        result->verdict = VERDICT_NOMATE;
        break;
    case 1:
        result->refuted_plies = WIRE_MATE_PLIES_MAX;
        break;
    case 2: /* a mate that needs the defender's help, and no proof */
        result->line = wire_str_make(text, help_mate(sim, &w->pos, text));
        if (result->line.length) result->verdict = VERDICT_MATE;
        result->certificate = wire_str_make(NULL, 0);
        break;
    case 3: /* the same with a proof of something */
        result->line = wire_str_make(text, help_mate(sim, &w->pos, text));
        if (result->line.length) result->verdict = VERDICT_MATE;
        result->certificate = wire_str_make(noise, sizeof noise - 1);
        break;
    case 4:
        result->verdict = VERDICT_MATE;
        result->line = wire_str_make("5e5d 1a1b G*5c", 14);
        break;
    case 5:
        result->verdict = VERDICT_UNKNOWN;
        result->nodes = UINT64_MAX;
        break;
    default:
        result->nodes = UINT64_MAX / 4;
        break;
    }
}

static void answer(struct matesim *sim, struct sim_worker *w, bool stopped)
{
    struct msg msg = {.type = MSG_result};
    char text[256];
    w->busy = false;
    if (stopped) {
        uint64_t nodes = (uint64_t)((sim->now_us - w->begun_us) / w->us_per_node);
        w->result = (struct msg_result){.session = w->session,
                                        .epoch = w->job.epoch,
                                        .job = w->job.job,
                                        .attempt = w->job.attempt,
                                        .verdict = VERDICT_UNKNOWN,
                                        .nodes = nodes,
                                        .stopped = true};
    }
    msg.result = w->result;
    if (w->liar && prng_chance(&sim->prng, 500)) {
        lie(sim, w, &msg.result, text);
        sim->report->faults++;
    }
    note(sim, "%d%s answers job %" PRIu32 ": verdict %" PRIu32 "%s", (int)(w - sim->workers), w->liar ? " (liar)" : "",
         msg.result.job, msg.result.verdict, stopped ? ", stopped" : "");
    send_up(sim, w, &msg);
}

/* ---- effects ---------------------------------------------------------------------------------------------------- */

static void judge(struct matesim *sim, const struct tsume_outcome *o)
{
    note(sim, "order %" PRIu32 " done: verdict %" PRIu32 ", %" PRIu32 " plies", o->id, o->verdict, o->plies);
    mix(sim, o->id * 1000003u + o->verdict * 1009u + o->plies);
    if (o->id >= sim->order_count || sim->done[o->id]) {
        broken(sim, "every order is answered once: %" PRIu32 " was answered again", o->id);
        return;
    }
    sim->done[o->id] = true;
    sim->answered++;
    unsigned plies = problems[sim->problem[o->id]].plies, shown;
    if (o->verdict == VERDICT_REFUSED && sim->lies && (sim->kills || sim->hangs)) return; /* only the liar was there */
    if (o->verdict != (plies ? VERDICT_MATE : VERDICT_NOMATE)) {
        broken(sim, "the verdict is true: problem %u got %" PRIu32 " (%.*s)", sim->problem[o->id], o->verdict,
               (int)o->text.length, o->text.length ? o->text.bytes : "");
        return;
    }
    if (!plies) return;
    struct position pos;
    enum status status =
        sfen_read(&pos, problems[sim->problem[o->id]].sfen, strlen(problems[sim->problem[o->id]].sfen), NULL, NULL);
    assert(status == ST_OK);
    (void)status;
    if (!mate_line_is_right(&pos, o->line, &shown) || shown != o->plies)
        broken(sim, "every line mates: %.*s", (int)o->line.length, o->line.bytes);
    if (o->plies < plies || (o->shortest && o->plies != plies) || (!sim->any_length && !o->shortest))
        broken(sim, "the shortest mate is found: %u plies, not %" PRIu32, plies, o->plies);
}

static void deliver(struct matesim *sim, const struct coord_effect *effect)
{
    struct sim_worker *w = NULL;
    const struct msg *msg = &effect->send.msg;
    for (unsigned i = 0; i < sim->worker_count; i++)
        if (sim->workers[i].peer == effect->send.peer && sim->workers[i].life == LIVES) w = &sim->workers[i];
    if (!w) return; /* what a hanging worker would have read it never will: the next session starts afresh */
    struct msg reply = {.type = MSG_configured};
    switch (msg->type) {
    case MSG_welcome:
        w->session = msg->welcome.session;
        w->joined = true;
        break;
    case MSG_configure:
        reply.configured = (struct msg_configured){.session = w->session, .config = msg->configure.config, .ok = true};
        send_up(sim, w, &reply);
        break;
    case MSG_job:
        if (w->busy) answer(sim, w, true);
        take_job(sim, w, &msg->job);
        break;
    case MSG_stop:
        if (w->busy && w->job.epoch == msg->stop.epoch) answer(sim, w, true);
        break;
    case MSG_reset:
    case MSG_refuse:
        say_hello(sim, w);
        break;
    case MSG_heartbeat:
        break;
    default:
        break;
    }
}

static enum status step(struct matesim *sim, struct coord_event *event)
{
    event->now_us = sim->now_us;
    enum status status = coord_step(sim->coord, event, sim->fx);
    sim->report->steps++;
    mix(sim, (uint64_t)status);
    for (size_t i = 0; i < sim->fx->count; i++) {
        const struct coord_effect *effect = &sim->fx->items[i];
        if (effect->type == COORD_FX_TSUME_DONE) judge(sim, effect->tsume_done);
        if (effect->type == COORD_FX_SEND) deliver(sim, effect);
        if (effect->type == COORD_FX_LOG) note(sim, "log: %.*s", (int)effect->log.text.length, effect->log.text.bytes);
    }
    if (coord_deadline_ms(sim->coord) <= sim->now_us / 1000) broken(sim, "a step makes its deadline go away");
    return status;
}

/* ---- the loop --------------------------------------------------------------------------------------------------- */

static void set_up(struct matesim *sim, uint64_t seed)
{
    sim->prng = prng_make(seed * 0x9e3779b97f4a7c15u + 77);
    sim->now_us = 1000000;
    sim->calm_us = 60000000;
    static const unsigned counts[] = {1, 2, 3, 5, 8, 16, 64};
    sim->worker_count = counts[seed % 7];
    sim->delay_us = prng_chance(&sim->prng, 300) ? 40000 : 400;
    sim->duplicate_permille = prng_chance(&sim->prng, 300) ? 200 : 0;
    sim->kills = prng_chance(&sim->prng, 400);
    sim->hangs = prng_chance(&sim->prng, 300);
    sim->any_length = prng_chance(&sim->prng, 300);
    bool lies = sim->lies = sim->worker_count >= 3 && prng_chance(&sim->prng, 500);
    struct coord_config config = {.name = "mate sim",
                                  .boot = prng_next(&sim->prng) | 1,
                                  .heartbeat_ms = BEAT_US / 1000,
                                  .suspect_ms = 2000,
                                  .dead_ms = 6000};
    sim->coord = coord_new(&config);
    sim->fx = malloc(sizeof *sim->fx);
    assert(sim->coord && sim->fx);
    for (unsigned i = 0; i < sim->worker_count; i++) {
        struct sim_worker *w = &sim->workers[i];
        w->solver = mate_peer_new(TABLE_BYTES);
        w->us_per_node = prng_range(&sim->prng, 20, prng_chance(&sim->prng, 200) ? 4000 : 400);
        w->liar = lies && i == 1;
        w->life = DEAD;
        w->life_us = sim->now_us + prng_range(&sim->prng, 0, prng_chance(&sim->prng, 200) ? 5000000 : 1000);
        w->beat_us = w->life_us + prng_range(&sim->prng, 0, BEAT_US);
    }
    sim->order_count = 1 + prng_below(&sim->prng, ORDERS_MAX);
    for (unsigned i = 0; i < sim->order_count; i++) {
        sim->problem[i] = prng_below(&sim->prng, PROBLEM_COUNT);
        const char *sfen = problems[sim->problem[i]].sfen;
        struct coord_event event = {.type = COORD_EV_TSUME_SUBMIT};
        event.tsume_submit = (struct tsume_order){.id = i,
                                                  .root = wire_str_make(sfen, strlen(sfen)),
                                                  .any_length = sim->any_length,
                                                  .fresh = prng_chance(&sim->prng, 500)};
        if (step(sim, &event) != ST_OK) broken(sim, "orders are taken");
    }
}

static void take_down(struct matesim *sim)
{
    for (unsigned i = 0; i < sim->worker_count; i++) {
        mate_peer_free(sim->workers[i].solver);
        free(sim->workers[i].texts);
    }
    for (size_t i = 0; i < sim->air_count; i++) free(sim->air[i].data);
    free(sim->air);
    coord_free(sim->coord);
    free(sim->fx);
}

static size_t earliest_flight(const struct matesim *sim)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < sim->air_count; i++)
        if (best == SIZE_MAX || sim->air[i].due_us < sim->air[best].due_us ||
            (sim->air[i].due_us == sim->air[best].due_us && sim->air[i].order < sim->air[best].order))
            best = i;
    return best;
}

static void arrive(struct matesim *sim, size_t index)
{
    struct flying f = sim->air[index];
    struct msg msg;
    sim->air[index] = sim->air[--sim->air_count];
    enum status status = msg_decode(&msg, f.data, f.bytes);
    assert(status == ST_OK);
    (void)status;
    struct coord_event event = {.type = COORD_EV_MESSAGE};
    event.message.peer = f.peer;
    event.message.local_slot = COORD_PEER_REMOTE;
    event.message.msg = &msg;
    (void)step(sim, &event);
    free(f.data);
}

/* What becomes of a worker next. */
static void turn(struct matesim *sim, struct sim_worker *w)
{
    bool calm = sim->now_us >= sim->calm_us;
    if (w->life == DEAD) {
        w->life = LIVES;
        say_hello(sim, w);
    } else if (w->life == HANGS) {
        w->life = LIVES;
        say_hello(sim, w); /* it finds its connection gone */
    } else if (!calm) {
        sim->report->faults++;
        bool dies = sim->kills && (!sim->hangs || prng_chance(&sim->prng, 500));
        note(sim, "%d %s", (int)(w - sim->workers), dies ? "dies" : "hangs");
        w->life = dies ? DEAD : HANGS;
        w->busy = false;
        struct coord_event event = {.type = COORD_EV_PEER_GONE};
        event.peer_gone.peer = w->peer;
        if (dies && prng_chance(&sim->prng, 700)) (void)step(sim, &event);
        w->life_us = sim->now_us + prng_range(&sim->prng, 100000, 12000000);
        return;
    }
    bool faulty = !calm && (sim->kills || sim->hangs) && prng_chance(&sim->prng, 800);
    w->life_us = faulty ? sim->now_us + prng_range(&sim->prng, 50000, 8000000) : INT64_MAX;
}

static void beat(struct matesim *sim, struct sim_worker *w)
{
    w->beat_us = sim->now_us + BEAT_US;
    if (w->life != LIVES || !w->joined) return;
    struct msg msg = {.type = MSG_heartbeat};
    msg.heartbeat = (struct msg_heartbeat){.session = w->session, .sent_us = (uint64_t)sim->now_us, .busy = w->busy};
    send_up(sim, w, &msg);
}

/* One thing, the earliest. */
static void happen(struct matesim *sim)
{
    int64_t due_ms = coord_deadline_ms(sim->coord);
    int64_t due = due_ms == INT64_MAX ? INT64_MAX : due_ms * 1000;
    size_t flight = earliest_flight(sim);
    enum { TICK, FLIGHT, LIFE, BEAT, WORK } what = TICK;
    struct sim_worker *who = NULL;
    if (flight != SIZE_MAX && sim->air[flight].due_us < due) {
        due = sim->air[flight].due_us;
        what = FLIGHT;
    }
    for (unsigned i = 0; i < sim->worker_count; i++) {
        struct sim_worker *w = &sim->workers[i];
        if (w->life_us < due) due = w->life_us, what = LIFE, who = w;
        if (w->beat_us < due) due = w->beat_us, what = BEAT, who = w;
        if (w->life == LIVES && w->busy && w->done_us < due) due = w->done_us, what = WORK, who = w;
    }
    if (due > sim->now_us) sim->now_us = due;
    switch (what) {
    case TICK:
        (void)step(sim, &(struct coord_event){.type = COORD_EV_TICK});
        break;
    case FLIGHT:
        arrive(sim, flight);
        break;
    case LIFE:
        turn(sim, who);
        break;
    case BEAT:
        beat(sim, who);
        break;
    case WORK:
        answer(sim, who, false);
        break;
    }
}

static void look_at_the_end(struct matesim *sim)
{
    int64_t until_us = sim->now_us + 20000000;
    if (sim->calm_us < until_us) sim->calm_us = sim->now_us;
    while (sim->now_us < until_us && !*sim->report->broken) happen(sim);
    for (unsigned i = 0; i < sim->worker_count; i++)
        if (sim->workers[i].busy) broken(sim, "nobody searches when nothing is asked: %u does", i);
}

bool matesim_run(uint64_t seed, bool trace, struct matesim_report *report)
{
    static struct matesim sim; /* too large for the stack */
    memset(&sim, 0, sizeof sim);
    *report = (struct matesim_report){.hash = seed};
    sim.report = report;
    sim.trace = trace;
    set_up(&sim, seed);
    while (!*report->broken && sim.answered < sim.order_count) {
        happen(&sim);
        if (sim.now_us > END_US) broken(&sim, "every order is answered");
    }
    if (!*report->broken) look_at_the_end(&sim);
    report->workers = sim.worker_count;
    report->orders = sim.order_count;
    report->virtual_us = sim.now_us;
    take_down(&sim);
    return !*report->broken;
}
