/* sim.c - the loop of the simulator, and the promises about the coordinator as a machine. */
#include "tests/sim/sim.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { DEAD_MS = 2000, FRAMES_IN_FLIGHT_MAX = 2000 };

/* ---- trace and verdict ------------------------------------------------------------------------------------------ */

void sim_note(struct sim *sim, const char *format, ...)
{
    char *line = sim->lines[sim->line_count++ % SIM_TRACE_LINES];
    int n = snprintf(line, SIM_TRACE_BYTES, "[%5" PRId64 ".%03d] ", sim->now_us / 1000, (int)(sim->now_us % 1000));
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + n, SIM_TRACE_BYTES - (size_t)n, format, arguments);
    va_end(arguments);
    if (sim->trace) fprintf(stderr, "%s\n", line);
}

void sim_break(struct sim *sim, const char *format, ...)
{
    if (*sim->broken) return; /* the first one is the one to look at */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sim->broken, sizeof sim->broken, format, arguments);
    va_end(arguments);
    sim_note(sim, "BROKEN PROMISE: %s", sim->broken);
}

static void mix(struct sim *sim, uint64_t value)
{
    struct prng prng = prng_make(sim->hash ^ value);
    sim->hash = prng_next(&prng);
}

static void mix_text(struct sim *sim, struct wire_str text)
{
    uint64_t hash = 14695981039346656037u;
    for (uint32_t i = 0; i < text.length; i++) hash = (hash ^ (unsigned char)text.bytes[i]) * 1099511628211u;
    mix(sim, hash);
}

/* ---- effects of the coordinator --------------------------------------------------------------------------------- */

static struct sim_worker *worker_of_peer(struct sim *sim, uint64_t peer)
{
    for (unsigned i = 0; i < sim->plan.workers; i++)
        if (sim->workers[i].connection == peer) return &sim->workers[i];
    return NULL;
}

static struct sim_worker *worker_of_slot(struct sim *sim, int slot)
{
    for (unsigned i = 0; i < sim->plan.workers; i++)
        if (sim->workers[i].slot == slot) return &sim->workers[i];
    return NULL;
}

static void fact(struct sim *sim, enum coord_event_type type, int slot, uint64_t peer, int64_t after_us)
{
    assert(sim->fact_count < sizeof sim->facts / sizeof sim->facts[0]);
    sim->facts[sim->fact_count].due_us = sim->now_us + after_us;
    sim->facts[sim->fact_count].type = type;
    sim->facts[sim->fact_count].slot = slot;
    sim->facts[sim->fact_count].peer = peer;
    sim->fact_count++;
}

static void send_down(struct sim *sim, uint64_t peer, const struct msg *msg)
{
    uint8_t frame[WIRE_FRAME_BYTES_MAX];
    size_t bytes = 0;
    enum status status = msg_encode(msg, frame, sizeof frame, &bytes);
    if (status != ST_OK) {
        sim_break(sim, "the coordinator sends only what can be encoded: %s (%s)", msg_name(msg->type),
                  status_text(status));
        return;
    }
    if (msg->type == MSG_job) gui_sees_job(sim->gui, &msg->job);
    struct sim_worker *w = worker_of_peer(sim, peer);
    if (msg->type != MSG_heartbeat)
        sim_note(sim, "coordinator > %s to w%d", msg_name(msg->type), w ? (int)w->index : -1);
    if (w)
        net_send(&sim->net, sim->now_us, w->index, false, peer, frame, bytes);
    else if (prng_chance(&sim->prng, 800))
        fact(sim, COORD_EV_PEER_GONE, COORD_PEER_REMOTE, peer, 1000); /* EHOSTUNREACH */
}

static void start_local(struct sim *sim, int slot)
{
    struct sim_worker *w = worker_of_slot(sim, slot);
    if (!w || w->alive) {
        sim_break(sim, "a local worker is started only when it does not run (slot %d)", slot);
        return;
    }
    if (sim->plan.crashes && !sim->healed && prng_chance(&sim->prng, 100)) {
        fact(sim, COORD_EV_LOCAL_DIED, slot, 0, 2000);
        return;
    }
    worker_boot(sim, w);
    fact(sim, COORD_EV_LOCAL_STARTED, slot, 0, prng_range(&sim->prng, 500, 20000));
}

static void carry_out(struct sim *sim)
{
    const struct coord_effects *fx = sim->effects;
    for (size_t i = 0; i < fx->count; i++) {
        const struct coord_effect *effect = &fx->items[i];
        mix(sim, effect->type);
        switch (effect->type) {
        case COORD_FX_SAY:
            mix_text(sim, effect->say);
            sim_note(sim, "< %.*s", (int)effect->say.length, effect->say.bytes);
            gui_hears(sim->gui, effect->say.bytes, effect->say.length);
            break;
        case COORD_FX_SEND:
            mix(sim, effect->send.peer);
            mix(sim, effect->send.msg.type);
            mix(sim, effect->send.msg.sequence);
            send_down(sim, effect->send.peer, &effect->send.msg);
            break;
        case COORD_FX_START_LOCAL:
            start_local(sim, effect->start_local.slot);
            break;
        case COORD_FX_KILL_LOCAL: {
            struct sim_worker *w = worker_of_slot(sim, effect->kill_local.slot);
            if (!w) break;
            if (!w->alive) break; /* it has just died by itself */
            if (!effect->kill_local.kindly && !w->faulted && !sim->plan.lossy)
                sim_break(sim, "a healthy worker stays: local w%u was killed", w->index);
            if (effect->kill_local.kindly)
                worker_terminate(sim, w);
            else
                worker_kill(sim, w, INT64_MAX);
            break;
        }
        case COORD_FX_EVICT: {
            struct sim_worker *w = worker_of_peer(sim, effect->evict.peer);
            if (w && !w->faulted && !sim->plan.lossy)
                sim_break(sim, "a healthy worker stays: w%u was thrown out", w->index);
            break;
        }
        case COORD_FX_LOG:
            sim_note(sim, "log: %.*s", (int)effect->log.text.length, effect->log.text.bytes);
            break;
        case COORD_FX_DEBUG_FILE:
            break;
        case COORD_FX_SCAN_RESULT:
            mix(sim, effect->scan_result->ply);
            gui_scan_result(sim->gui, effect->scan_result);
            break;
        case COORD_FX_SCAN_DONE:
            gui_scan_done(sim->gui, effect->scan_done.id, effect->scan_done.positions);
            break;
        case COORD_FX_TSUME_DONE:
            break;
        case COORD_FX_QUIT:
            if (i + 1 != fx->count) sim_break(sim, "quit is the last effect");
            sim->quit = true;
            break;
        }
    }
}

enum status sim_coord(struct sim *sim, struct coord_event *event)
{
    event->now_us = sim->now_us;
    sim->steps++;
    enum status status = coord_step(sim->coord, event, sim->effects);
    mix(sim, status);
    if (event->type == COORD_EV_MESSAGE && event->message.msg->type == MSG_partial && status == ST_OK)
        gui_sees_partial(sim->gui, &event->message.msg->partial);
    carry_out(sim);
    int64_t due_ms = sim->coord_due_ms = coord_deadline_ms(sim->coord);
    if (due_ms <= sim->now_us / 1000)
        sim_break(sim, "a step makes its deadline go away: still due at %" PRId64 " ms, it is %" PRId64, due_ms,
                  sim->now_us / 1000);
    gui_after_step(sim->gui);
    return status;
}

void sim_say(struct sim *sim, const char *line)
{
    sim_note(sim, "> %s", line);
    struct coord_event event = {.type = COORD_EV_LINE};
    event.line.bytes = line;
    event.line.length = strlen(line);
    sim_coord(sim, &event);
}

/* ---- what comes to the coordinator ------------------------------------------------------------------------------- */

static void frame_arrives(struct sim *sim)
{
    struct net_frame frame;
    net_take(&sim->net, &frame);
    struct sim_worker *w = &sim->workers[frame.worker];
    if (!frame.up) {
        worker_frame(sim, w, &frame);
        return;
    }
    struct msg msg;
    struct coord_event event;
    memset(&event, 0, sizeof event);
    enum status status = msg_decode(&msg, frame.data, frame.bytes);
    if (frame.connection == w->connection) w->heard_us = sim->now_us;
    if (status == ST_OK) {
        if (msg.type != MSG_heartbeat) sim_note(sim, "w%u > %s", w->index, msg_name(msg.type));
        event.type = COORD_EV_MESSAGE;
        event.message.peer = frame.connection;
        event.message.local_slot = w->slot;
        event.message.msg = &msg;
    } else {
        event.type = COORD_EV_BAD_FRAME;
        event.bad_frame.peer = frame.connection;
        event.bad_frame.local_slot = w->slot;
        event.bad_frame.status = status;
        if (status == ST_VERSION) {
            event.bad_frame.major = msg.major;
            event.bad_frame.minor = msg.minor;
        }
    }
    if (sim_coord(sim, &event) == ST_OK && event.type == COORD_EV_MESSAGE && msg.type != MSG_hello && !w->liar) {
        size_t place = (size_t)(msg.sequence % SIM_ACCEPTED);
        if (w->accepted[place].connection == frame.connection && w->accepted[place].sequence == msg.sequence)
            sim_break(sim, "a frame that comes twice counts once (%s of w%u)", msg_name(msg.type), w->index);
        w->accepted[place].connection = frame.connection;
        w->accepted[place].sequence = msg.sequence;
    }
    free(frame.data);
}

static size_t earliest_fact(const struct sim *sim)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < sim->fact_count; i++)
        if (best == SIZE_MAX || sim->facts[i].due_us < sim->facts[best].due_us) best = i;
    return best;
}

static void fact_arrives(struct sim *sim, size_t index)
{
    struct coord_event event;
    memset(&event, 0, sizeof event);
    event.type = sim->facts[index].type;
    int slot = sim->facts[index].slot;
    if (event.type == COORD_EV_PEER_GONE) event.peer_gone.peer = sim->facts[index].peer;
    if (event.type == COORD_EV_LOCAL_STARTED) event.local_started.slot = slot;
    if (event.type == COORD_EV_LOCAL_DIED) {
        event.local_died.slot = slot;
        event.local_died.text = "signal 9";
    }
    sim->facts[index] = sim->facts[--sim->fact_count];
    sim_coord(sim, &event);
}

/* ---- promises that need a look around ---------------------------------------------------------------------------- */

static void look_around(struct sim *sim)
{
    static struct coord_snapshot snapshot;
    coord_snapshot(sim->coord, &snapshot);
    for (unsigned i = 0; i < sim->plan.workers; i++) {
        struct sim_worker *w = &sim->workers[i];
        if (sim->net.in_flight[i] > FRAMES_IN_FLIGHT_MAX)
            sim_break(sim, "queues stay short: %zu frames to and from w%u", sim->net.in_flight[i], i);
        int64_t silent_ms = (sim->now_us - w->heard_us) / 1000;
        int64_t patience_ms = DEAD_MS + 4 * 2 * sim->plan.net.delay_us_max / 1000 + 4 * 150 + 100;
        if (w->liar || silent_ms < patience_ms || !w->connection) continue;
        for (unsigned k = 0; k < snapshot.worker_count; k++)
            if (snapshot.workers[k].peer == w->connection)
                sim_break(sim, "a silent worker is noticed: w%u has been silent for %" PRId64 " ms", i, silent_ms);
    }
}

static void look_at_the_end(struct sim *sim)
{
    static struct coord_snapshot snapshot;
    coord_snapshot(sim->coord, &snapshot);
    for (unsigned i = 0; i < sim->plan.workers; i++) {
        struct sim_worker *w = &sim->workers[i];
        if (w->liar || w->gone_for_good) continue;
        bool found = false;
        for (unsigned k = 0; k < snapshot.worker_count; k++)
            found = found || (snapshot.workers[k].peer == w->connection && snapshot.workers[k].configured &&
                              !snapshot.workers[k].suspect && !snapshot.workers[k].busy);
        if (!found) sim_break(sim, "after the faults every worker is back, configured and idle: w%u is not", i);
        if (w->alive && session_is_searching(w->session))
            sim_break(sim, "nobody searches when nothing is asked: w%u does", i);
        if (!w->faulted && !sim->plan.lossy && session_counters(w->session)->refused)
            sim_break(sim, "a worker is asked only for what it can do: w%u had to refuse", i);
        if (!w->faulted && !sim->plan.lossy && w->sessions != 1)
            sim_break(sim, "a healthy worker stays: w%u had %" PRIu64 " sessions", i, w->sessions);
    }
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

static int64_t earlier(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t tick_us(const struct sim *sim)
{
    int64_t due_ms = sim->coord_due_ms;
    if (due_ms == INT64_MAX) return INT64_MAX;
    return due_ms * 1000 < sim->now_us ? sim->now_us : due_ms * 1000;
}

static int64_t next_us(struct sim *sim)
{
    int64_t due = earlier(net_next_us(&sim->net), earlier(tick_us(sim), gui_next_us(sim->gui)));
    for (unsigned i = 0; i < sim->plan.workers; i++) {
        sim->worker_due_us[i] = worker_next_us(&sim->workers[i]);
        due = earlier(due, sim->worker_due_us[i]);
    }
    for (size_t i = 0; i < sim->fact_count; i++) due = earlier(due, sim->facts[i].due_us);
    due = earlier(due, sim->fault_us);
    return sim->healed ? due : earlier(due, sim->plan.chaos_us);
}

/* One thing that is due now, in a fixed order. */
static void happen(struct sim *sim)
{
    if (!sim->healed && sim->now_us >= sim->plan.chaos_us) {
        faults_heal(sim);
        return;
    }
    if (sim->now_us >= sim->fault_us) {
        faults_act(sim);
        return;
    }
    if (net_next_us(&sim->net) <= sim->now_us) {
        frame_arrives(sim);
        return;
    }
    size_t index = earliest_fact(sim);
    if (index != SIZE_MAX && sim->facts[index].due_us <= sim->now_us) {
        fact_arrives(sim, index);
        return;
    }
    for (unsigned i = 0; i < sim->plan.workers; i++)
        if (sim->worker_due_us[i] <= sim->now_us) {
            worker_work(sim, &sim->workers[i]);
            return;
        }
    if (tick_us(sim) <= sim->now_us) {
        sim_coord(sim, &(struct coord_event){.type = COORD_EV_TICK});
        return;
    }
    if (gui_next_us(sim->gui) <= sim->now_us) gui_act(sim->gui);
}

static void set_up(struct sim *sim)
{
    sim->prng = prng_make(sim->seed * 0x9e3779b97f4a7c15u + 1);
    sim->now_us = 1000000;
    sim->plan.chaos_us += sim->now_us;
    sim->plan.end_us += sim->now_us;
    uint64_t net_seed = prng_next(&sim->prng);
    net_init(&sim->net, &sim->plan.net, net_seed);
    sim->coord_boot = prng_next(&sim->prng) | 1;
    struct coord_config config = {.name = "Murakumo sim",
                                  .boot = sim->coord_boot,
                                  .local_workers = sim->plan.locals,
                                  .threads = 1,
                                  .hash_mb = 16,
                                  .grain_ms = 1,
                                  .fallback_nodes = 200};
    sim->coord = coord_new(&config);
    sim->effects = malloc(sizeof *sim->effects);
    assert(sim->coord && sim->effects);
    sim->coord_due_ms = coord_deadline_ms(sim->coord);
    sim->fault_us = INT64_MAX;
    for (unsigned i = 0; i < sim->plan.workers; i++) {
        struct sim_worker *w = &sim->workers[i];
        *w = (struct sim_worker){.index = i,
                                 .slot = i < sim->plan.locals ? (int)i : COORD_PEER_REMOTE,
                                 .respawn_us = INT64_MAX,
                                 .connect_us = INT64_MAX,
                                 .engine_us = INT64_MAX};
        w->us_per_node = prng_range(&sim->prng, 1, 12);
        w->idles = prng_chance(&sim->prng, 700);
        w->liar = sim->plan.liars && (i + 1 == sim->plan.workers || prng_chance(&sim->prng, 300));
        w->faulted = w->liar;
        if (w->slot != COORD_PEER_REMOTE) continue;
        w->respawn_us =
            sim->now_us + (sim->plan.late ? prng_range(&sim->prng, 0, 6000000) : prng_range(&sim->prng, 0, 50000));
    }
    sim->gui = gui_new(sim);
    faults_plan_next(sim);
}

static void take_down(struct sim *sim)
{
    for (unsigned i = 0; i < sim->plan.workers; i++) worker_free(&sim->workers[i]);
    net_free(&sim->net);
    gui_free(sim->gui);
    coord_free(sim->coord);
    free(sim->effects);
}

bool sim_run(uint64_t seed, bool trace, struct sim_report *report)
{
    struct sim_plan plan = sim_plan_of(seed);
    return sim_run_plan(&plan, seed, trace, report);
}

bool sim_run_plan(const struct sim_plan *plan, uint64_t seed, bool trace, struct sim_report *report)
{
    static struct sim sim;                          /* too large for the stack */
    memset(&sim, 0, offsetof(struct sim, workers)); /* set_up() makes those that live */
    sim.seed = seed;
    sim.trace = trace;
    sim.plan = *plan;
    set_up(&sim);
    int64_t looked_us = 0;
    while (!*sim.broken && !sim.quit) {
        int64_t due = next_us(&sim);
        if (due > sim.now_us) sim.now_us = due;
        if (sim.now_us > sim.plan.end_us) {
            gui_at_end(sim.gui);
            sim_break(&sim, "after the faults stop everything finishes");
            break;
        }
        if (gui_is_done(sim.gui)) {
            look_at_the_end(&sim);
            if (*sim.broken) break;
        }
        happen(&sim);
        if (sim.now_us - looked_us >= 250000) {
            looked_us = sim.now_us;
            look_around(&sim);
        }
    }
    if (sim.quit) gui_at_end(sim.gui);
    *report = (struct sim_report){.steps = sim.steps,
                                  .faults = sim.faults,
                                  .hash = sim.hash,
                                  .gos = gui_gos(sim.gui),
                                  .games = gui_games(sim.gui),
                                  .virtual_us = sim.now_us,
                                  .latest_us = gui_latest_us(sim.gui)};
    snprintf(report->broken, sizeof report->broken, "%s", sim.broken);
    snprintf(report->plan, sizeof report->plan, "%s", sim.plan.name);
    if (*sim.broken && !trace) {
        uint64_t first = sim.line_count > SIM_TRACE_LINES ? sim.line_count - SIM_TRACE_LINES : 0;
        for (uint64_t i = first; i < sim.line_count; i++) fprintf(stderr, "%s\n", sim.lines[i % SIM_TRACE_LINES]);
    }
    take_down(&sim);
    return !*report->broken;
}
