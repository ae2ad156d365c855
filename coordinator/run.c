/* run.c - see run.h. */
#include "coordinator/run.h"

#include "common/base/log.h"
#include "common/net/child.h"
#include "common/net/clock.h"
#include "common/net/endpoint.h"
#include "common/net/machine.h"
#include "coordinator/core/recording.h"
#include "coordinator/door.h"
#include "coordinator/private_dir.h"
#include "coordinator/relay.h"
#include "coordinator/run_status.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum {
    TURN_FRAMES_MAX = 256, /* then signals and the caller have their turn */
    WATCHES_MAX = 32,
    FACTS_MAX = 4 * COORD_LOCAL_MAX,
    KINDLY_MS = 1500, /* between SIGTERM and SIGKILL for one worker */
    GOODBYE_MS = 400, /* the same when the whole program ends: GUIs do not wait long */
    LINGER_MS = 100,
    DRAIN_MS = 1000, /* for a front end that reads slowly */
    RECORD_BYTES_MAX = 2 * WIRE_FRAME_BYTES_MAX + 2 * COORD_LINE_BYTES_MAX,
    INTERRUPTS_MAX = 1, /* the next one ends everything at once */
    HASH_MB_DEFAULT = 1024
};

struct local {           /* one child process */
    pid_t pid;           /* 0: none */
    int64_t kill_due_ms; /* 0: nobody wants its end */
    int listener;        /* its own address; -1: not bound yet */
};

struct fact { /* something that happened to a child; told to the core when the effects at hand are done */
    enum coord_event_type type;
    int slot;
    char text[CHILD_WHY_BYTES];
};

struct run {
    struct coord *coord;
    struct link *link;
    struct run_hooks hooks;
    struct private_dir dir;
    struct local locals[COORD_LOCAL_MAX];
    unsigned local_workers;
    int listener_slot[LINK_ZMQ_LISTEN_MAX]; /* COORD_PEER_REMOTE or the slot whose address it is */
    int listener_count, remote_first;
    struct fact facts[FACTS_MAX];
    size_t fact_first, fact_count;
    uint32_t threads, hash_mb;
    char worker_log[16];
    char worker_path[4096];
    int signal_fd;
    unsigned interrupts;
    bool over, stepping;
    int exit_code;
    FILE *record;
    struct text_buffer record_text;
    struct relay *relay; /* NULL: hints are not relayed */
    size_t relay_addresses;
    const char *hints_local, *hints_remote; /* the relay's; NULL = none */
    struct door *door;
    struct run_status *status;
    bool serves;
    struct coord_effects *effects;
    uint8_t frame[WIRE_FRAME_BYTES_MAX];
};

static void facts_tell(struct run *run);
static int64_t earlier(int64_t a, int64_t b) { return a < b ? a : b; }

/* ---- local workers --------------------------------------------------------------------------------------------- */

static void fact_note(struct run *run, enum coord_event_type type, int slot, const char *text)
{
    assert(run->fact_count < FACTS_MAX);
    struct fact *fact = &run->facts[(run->fact_first + run->fact_count++) % FACTS_MAX];
    fact->type = type;
    fact->slot = slot;
    snprintf(fact->text, sizeof fact->text, "%s", text);
}

static bool local_listen(struct run *run, int slot, char why[CHILD_WHY_BYTES])
{
    struct local *local = &run->locals[slot];
    if (local->listener >= 0) return true;
    char endpoint[ENDPOINT_BYTES_MAX], reason[KEY_TEXT_MAX];
    snprintf(endpoint, sizeof endpoint, "ipc://%s/worker-%d", run->dir.path, slot + 1);
    if (link_zmq_listen(run->link, endpoint, NULL, reason) != ST_OK) {
        snprintf(why, CHILD_WHY_BYTES, "cannot start: %.140s", reason);
        return false;
    }
    local->listener = run->listener_count;
    run->listener_slot[run->listener_count++] = slot;
    return true;
}

static void local_start(struct run *run, int slot)
{
    struct local *local = &run->locals[slot];
    char why[CHILD_WHY_BYTES], name[32], threads[16], hash[16];
    if (local->pid) return;
    if (!local_listen(run, slot, why)) {
        fact_note(run, COORD_EV_LOCAL_DIED, slot, why);
        return;
    }
    snprintf(name, sizeof name, "local-%d", slot + 1);
    snprintf(threads, sizeof threads, "%" PRIu32, run->threads);
    snprintf(hash, sizeof hash, "%" PRIu32, run->hash_mb);
    char endpoint[ENDPOINT_BYTES_MAX];
    snprintf(endpoint, sizeof endpoint, "%s", link_zmq_bound(run->link, (size_t)local->listener));
    char *argv[] = {run->worker_path, "--connect", endpoint, "--name",        name, "--threads", threads,
                    "--hash",         hash,        "--log",  run->worker_log, NULL};
    const struct child_setup setup = {-1, -1, STDERR_FILENO, NULL};
    if (child_start(argv, &setup, &local->pid, why) != ST_OK) {
        local->pid = 0;
        fact_note(run, COORD_EV_LOCAL_DIED, slot, why);
        return;
    }
    local->kill_due_ms = 0;
    fact_note(run, COORD_EV_LOCAL_STARTED, slot, "");
}

static void local_kill(struct run *run, int slot, bool kindly)
{
    struct local *local = &run->locals[slot];
    if (!local->pid) return;
    child_signal(local->pid, kindly ? SIGTERM : SIGKILL);
    if (kindly) child_signal(local->pid, SIGCONT); /* a stopped process would never hear it */
    local->kill_due_ms = clock_now_ms() + KINDLY_MS;
}

/* Reaps what has ended; kills what was asked kindly and did not go. */
static void locals_watch(struct run *run)
{
    for (unsigned slot = 0; slot < run->local_workers; slot++) {
        struct local *local = &run->locals[slot];
        char how[CHILD_WHY_BYTES];
        if (!local->pid) continue;
        if (child_has_ended(local->pid, how)) {
            local->pid = 0;
            local->kill_due_ms = 0;
            fact_note(run, COORD_EV_LOCAL_DIED, (int)slot, how);
        } else if (local->kill_due_ms && clock_now_ms() >= local->kill_due_ms) {
            child_signal(local->pid, SIGKILL);
            local->kill_due_ms = clock_now_ms() + KINDLY_MS;
        }
    }
}

static void locals_end(struct run *run)
{
    char how[CHILD_WHY_BYTES];
    for (unsigned slot = 0; slot < run->local_workers; slot++)
        if (run->locals[slot].pid) {
            child_signal(run->locals[slot].pid, SIGTERM);
            child_signal(run->locals[slot].pid, SIGCONT);
        }
    int64_t due_ms = clock_now_ms() + GOODBYE_MS;
    for (unsigned slot = 0; slot < run->local_workers; slot++) {
        if (!run->locals[slot].pid) continue;
        int64_t left_ms = due_ms - clock_now_ms();
        child_end(run->locals[slot].pid, left_ms > 0 ? (int)left_ms : 0, how);
        run->locals[slot].pid = 0;
    }
}

/* ---- effects --------------------------------------------------------------------------------------------------- */

static void log_effect(const struct coord_effect *effect)
{
    static const enum log_level levels[] = {LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG};
    log_line(levels[effect->log.level], "%.*s", (int)effect->log.text.length, effect->log.text.bytes);
}

static void send_effect(struct run *run, uint64_t peer, const struct msg *message)
{
    size_t count;
    enum status st = msg_encode(message, run->frame, sizeof run->frame, &count);
    if (st != ST_OK) {
        log_error("encode_failed type=%s why=\"%s\"", msg_name(message->type), status_text(st));
        return;
    }
    /* LINK_FULL: a thousand messages wait for a worker that reads nothing; it will be declared dead. What it misses is
     * given to others then. LINK_GONE: the link tells by an event of its own (the probe). */
    if (link_send(run->link, peer, run->frame, count) != LINK_SENT)
        log_debug("send_failed peer=%" PRIx64 " type=%s", peer, msg_name(message->type));
}

static void carry_out(struct run *run)
{
    const struct coord_effects *effects = run->effects;
    const struct run_hooks *hooks = &run->hooks;
    for (size_t i = 0; i < effects->count; i++) {
        const struct coord_effect *effect = &effects->items[i];
        switch (effect->type) {
        case COORD_FX_SAY:
            if (hooks->say) hooks->say(hooks->context, effect->say.bytes, effect->say.length);
            if (run->serves) door_say(run->door, effect->say.bytes, effect->say.length);
            break;
        case COORD_FX_SEND:
            send_effect(run, effect->send.peer, &effect->send.msg);
            break;
        case COORD_FX_START_LOCAL:
            local_start(run, effect->start_local.slot);
            break;
        case COORD_FX_KILL_LOCAL:
            local_kill(run, effect->kill_local.slot, effect->kill_local.kindly);
            break;
        case COORD_FX_EVICT:
            break; /* the core has forgotten it; the next frame of that peer is a stranger's */
        case COORD_FX_LOG:
            log_effect(effect);
            break;
        case COORD_FX_DEBUG_FILE:
            if (hooks->debug_file)
                hooks->debug_file(hooks->context, effect->debug_file.length ? effect->debug_file.bytes : "");
            break;
        case COORD_FX_SCAN_RESULT:
            if (hooks->scan_result) hooks->scan_result(hooks->context, effect->scan_result);
            break;
        case COORD_FX_SCAN_DONE:
            if (hooks->scan_done) hooks->scan_done(hooks->context, effect->scan_done.id, effect->scan_done.positions);
            break;
        case COORD_FX_TSUME_DONE:
            if (hooks->tsume_done) hooks->tsume_done(hooks->context, effect->tsume_done);
            break;
        case COORD_FX_QUIT:
            run_end(run, effect->quit.code);
            break;
        }
    }
}

/* ---- events ---------------------------------------------------------------------------------------------------- */

/* A disk that is full costs the recording, nothing else. */
static void record_write(struct run *run)
{
    const struct text_buffer *text = &run->record_text;
    if (fwrite(text->data, 1, text->length, run->record) == text->length && fflush(run->record) == 0) return;
    log_error("recording_ended why=\"%s\"", strerror(errno));
    fclose(run->record);
    run->record = NULL;
}

static void record(struct run *run, const struct coord_event *event, const struct recorded_frame *frame)
{
    text_buffer_clear(&run->record_text);
    recording_write_event(event, frame, &run->record_text);
    record_write(run);
}

static void record_effects(struct run *run, enum status st)
{
    text_buffer_clear(&run->record_text);
    recording_write_effects(st, run->effects, &run->record_text);
    record_write(run);
}

static enum status step(struct run *run, struct coord_event *event, const struct recorded_frame *frame)
{
    if (run->over) return ST_STATE;
    assert(!run->stepping); /* a hook must not call back */
    run->stepping = true;
    event->now_us = clock_now_us();
    if (run->record) record(run, event, frame);
    enum status st = coord_step(run->coord, event, run->effects);
    if (run->record) record_effects(run, st);
    carry_out(run);
    run->stepping = false;
    facts_tell(run);
    return st;
}

static void facts_tell(struct run *run)
{
    while (run->fact_count && !run->over) {
        struct fact fact = run->facts[run->fact_first];
        run->fact_first = (run->fact_first + 1) % FACTS_MAX;
        run->fact_count--;
        struct coord_event event = {.type = fact.type};
        if (fact.type == COORD_EV_LOCAL_STARTED) {
            event.local_started.slot = fact.slot;
        } else {
            event.local_died.slot = fact.slot;
            event.local_died.text = fact.text;
        }
        (void)step(run, &event, NULL);
    }
}

static void take_frame(struct run *run, const struct link_event *from)
{
    struct msg message;
    struct recorded_frame frame = {.bytes = from->bytes, .count = from->count, .identity = from->identity};
    int slot = run->listener_slot[link_zmq_listener_of(from->peer)];
    struct coord_event event = recording_frame_event(from->peer, slot, &frame, &message);
    (void)step(run, &event, &frame);
}

static void take_link(struct run *run)
{
    struct link_event from;
    for (int i = 0; i < TURN_FRAMES_MAX && !run->over && link_receive(run->link, &from); i++) {
        if (from.type == LINK_EVENT_FRAME) {
            take_frame(run, &from);
        } else if (from.type == LINK_EVENT_DISCONNECTED) {
            struct coord_event event = {.type = COORD_EV_PEER_GONE};
            event.peer_gone.peer = from.peer;
            (void)step(run, &event, NULL);
        }
    }
}

static void take_signals(struct run *run)
{
    struct signalfd_siginfo info;
    while (read(run->signal_fd, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGCHLD) continue; /* locals_watch() looks at all of them */
        if (++run->interrupts > INTERRUPTS_MAX)
            run_end(run, 1);
        else
            run_shutdown(run);
    }
}

bool run_turn(struct run *run, struct link_watch *watches, size_t count, int64_t timeout_ms)
{
    if (run->over) return false;
    assert(count + 1 + DOOR_WATCHES_MAX <= WATCHES_MAX);
    struct link_watch all[WATCHES_MAX];
    for (size_t i = 0; i < count; i++) all[i] = watches[i];
    struct link_watch *signals = &all[count], *doors = signals + 1;
    *signals = (struct link_watch){.fd = run->signal_fd};
    size_t door_count = run->door ? door_watches(run->door, doors) : 0;
    int64_t now_ms = clock_now_ms(), due_ms = coord_deadline_ms(run->coord);
    if (run->door) due_ms = earlier(due_ms, door_deadline_ms(run->door));
    for (unsigned slot = 0; slot < run->local_workers; slot++)
        if (run->locals[slot].kill_due_ms) due_ms = earlier(due_ms, run->locals[slot].kill_due_ms);
    int64_t wait_ms = due_ms == INT64_MAX ? -1 : due_ms > now_ms ? due_ms - now_ms : 0;
    if (timeout_ms >= 0 && (wait_ms < 0 || timeout_ms < wait_ms)) wait_ms = timeout_ms;
    link_wait(run->link, all, count + 1 + door_count, wait_ms, false);
    for (size_t i = 0; i < count; i++) watches[i].ready = all[i].ready;
    if (signals->ready) take_signals(run);
    locals_watch(run);
    facts_tell(run);
    take_link(run);
    if (run->door) door_turn(run->door, doors, door_count, clock_now_ms());
    if (!run->over && clock_now_ms() >= coord_deadline_ms(run->coord)) {
        struct coord_event event = {.type = COORD_EV_TICK};
        (void)step(run, &event, NULL);
    }
    return !run->over;
}

void run_end(struct run *run, int exit_code)
{
    run->over = true;
    run->exit_code = exit_code;
}

void run_line(struct run *run, const char *bytes, size_t length, bool too_long)
{
    struct coord_event event = {.type = COORD_EV_LINE};
    event.line.bytes = bytes;
    event.line.length = length;
    event.line.too_long = too_long;
    (void)step(run, &event, NULL);
}

void run_eof(struct run *run)
{
    struct coord_event event = {.type = COORD_EV_EOF};
    (void)step(run, &event, NULL);
}

void run_shutdown(struct run *run)
{
    struct coord_event event = {.type = COORD_EV_SHUTDOWN};
    (void)step(run, &event, NULL);
}

enum status run_scan_submit(struct run *run, const struct scan_order *order)
{
    struct coord_event event = {.type = COORD_EV_SCAN_SUBMIT};
    event.scan_submit = *order;
    return step(run, &event, NULL);
}

enum status run_trust(struct run *run, uint64_t boot, bool trusted)
{
    struct coord_event event = {.type = COORD_EV_TRUST};
    event.trust.boot = boot;
    event.trust.trusted = trusted;
    return step(run, &event, NULL);
}

enum status run_scan_cancel(struct run *run, uint32_t id)
{
    struct coord_event event = {.type = COORD_EV_SCAN_CANCEL};
    event.scan_cancel.id = id;
    return step(run, &event, NULL);
}

enum status run_tsume_submit(struct run *run, const struct tsume_order *order)
{
    struct coord_event event = {.type = COORD_EV_TSUME_SUBMIT};
    event.tsume_submit = *order;
    return step(run, &event, NULL);
}

unsigned run_interrupts(const struct run *run) { return run->interrupts; }
const struct coord *run_coord(const struct run *run) { return run->coord; }

const char *run_bound(const struct run *run, size_t index) { return link_zmq_bound(run->link, index); }

/* ---- life ------------------------------------------------------------------------------------------------------ */

/* Hints for workers that come in by this tcp address; the first one counts. Nothing depends on hints: a relay that
 * cannot be had is only mentioned. */
static void relay_beside(struct run *run, const char *bound, const struct link_zmq_keys *keys)
{
    char why[KEY_TEXT_MAX];
    if (!run->relay || run->hints_remote || strncmp(bound, "tcp://", 6) != 0) return;
    if (relay_listen(run->relay, bound, keys, why) == ST_OK)
        run->hints_remote = relay_address(run->relay, run->relay_addresses++);
    else
        log_warn("no_hint_relay why=\"%s\"", why);
}

/* Hints for our own children, and for whoever came in by an address of the file system. */
static void relay_inside(struct run *run)
{
    char address[ENDPOINT_BYTES_MAX], why[KEY_TEXT_MAX];
    if (!run->relay || !run->dir.path[0]) return;
    snprintf(address, sizeof address, "ipc://%s/hints", run->dir.path);
    if (relay_listen(run->relay, address, NULL, why) == ST_OK)
        run->hints_local = relay_address(run->relay, run->relay_addresses++);
    else
        log_warn("no_hint_relay why=\"%s\"", why);
    if (!run->hints_remote) run->hints_remote = run->hints_local;
}

static enum status remote_listen(struct run *run, const struct run_options *options, char why[KEY_TEXT_MAX])
{
    if (!options->listen || !options->listen[0]) return ST_OK;
    static struct key_pair key;
    char allowed[4096] = "";
    struct link_zmq_keys keys = {.own = &key, .allowed_directory = allowed};
    bool keyed = options->keys_directory && options->keys_directory[0];
    enum status st = ST_OK;
    if (keyed) {
        char path[4096];
        int n = snprintf(path, sizeof path, "%s/coordinator.key", options->keys_directory);
        int m = snprintf(allowed, sizeof allowed, "%s/workers", options->keys_directory);
        if (n < 0 || (size_t)n >= sizeof path || m < 0 || (size_t)m >= sizeof allowed) {
            snprintf(why, KEY_TEXT_MAX, "--keys: the path is too long");
            return ST_TOO_BIG;
        }
        st = key_read(path, true, &key, why);
        if (st == ST_OK && (key.role != KEY_COORDINATOR || !link_zmq_key_matches(&key))) {
            snprintf(why, KEY_TEXT_MAX, "%.200s: is not the key of a coordinator", path);
            st = ST_MISMATCH;
        }
        if (st == ST_OK) machine_protect_secrets();
    }
    const char *rest = options->listen;
    while (st == ST_OK && *rest) {
        char endpoint[ENDPOINT_BYTES_MAX];
        size_t length = strcspn(rest, "\n");
        snprintf(endpoint, sizeof endpoint, "%.*s", (int)length, rest);
        struct endpoint parsed;
        /* With keys at hand every tcp address asks for them, loopback too; a private ipc directory needs none. */
        bool with_keys = keyed && !(endpoint_parse(endpoint, &parsed) == ST_OK && parsed.kind == ENDPOINT_IPC);
        st = link_zmq_listen(run->link, endpoint, with_keys ? &keys : NULL, why);
        if (st == ST_OK) {
            relay_beside(run, link_zmq_bound(run->link, (size_t)run->listener_count), with_keys ? &keys : NULL);
            run->listener_slot[run->listener_count++] = COORD_PEER_REMOTE;
        }
        rest += length;
        if (*rest) rest++;
    }
    key_wipe(&key);
    return st;
}

static void front_line(void *context, const char *bytes, size_t length, bool too_long)
{
    run_line(context, bytes, length, too_long);
}

static void front_detached(void *context)
{
    struct coord_event event = {.type = COORD_EV_DETACH};
    (void)step(context, &event, NULL);
}

static const char *status_tell(void *context, size_t *length)
{
    struct run *run = context;
    return run_status_text(run->status, run->coord, run->link, door_front_pid(run->door), length);
}

/* Without a private directory there is no door, and only a daemon needs one. */
static bool door_make(struct run *run, const struct run_options *options, char why[KEY_TEXT_MAX])
{
    if (!run->dir.path[0] || !options->kind) return true;
    char reason[DOOR_WHY_BYTES];
    const struct door_hooks hooks = {
        .context = run, .line = front_line, .detached = front_detached, .status = status_tell};
    run->status = run_status_new(options->name, options->kind);
    run->door = run->status ? door_open(run->dir.path, run->serves, &hooks, reason) : NULL;
    if (run->door) return true;
    snprintf(why, KEY_TEXT_MAX, "no socket for status questions: %s", run->status ? reason : "not enough memory");
    return !run->serves;
}

static bool run_open(struct run *run, const struct run_options *options, char why[KEY_TEXT_MAX])
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, NULL); /* before the first thread */
    signal(SIGPIPE, SIG_IGN);
    run->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    run->effects = calloc(1, sizeof *run->effects);
    run->link = link_zmq_coordinator_new(LINK_CONTROL_BYTES_PER_S);
    snprintf(why, KEY_TEXT_MAX, "not enough memory or descriptors to start");
    if (run->signal_fd < 0 || !run->effects || !run->link) return false;
    if (options->record_path && options->record_path[0]) {
        run->record = fopen(options->record_path, "we");
        if (!run->record) {
            snprintf(why, KEY_TEXT_MAX, "%.200s: cannot be written", options->record_path);
            return false;
        }
    }
    if (run->local_workers > 1 || (options->listen && options->listen[0])) run->relay = relay_new();
    if (remote_listen(run, options, why) != ST_OK) {
        run->exit_code = 2;
        return false;
    }
    if ((run->local_workers || options->kind) && private_dir_make(&run->dir) != ST_OK &&
        (run->local_workers || run->serves)) {
        snprintf(why, KEY_TEXT_MAX,
                 "no directory for private sockets: neither $XDG_RUNTIME_DIR nor $TMPDIR nor /tmp can be used");
        return false;
    }
    relay_inside(run);
    if (run->relay && run->relay_addresses && !relay_start(run->relay)) run->hints_local = run->hints_remote = NULL;
    if (!door_make(run, options, why)) return false;
    if (run->local_workers) {
        if (!child_program_beside("murakumo-worker", run->worker_path, sizeof run->worker_path)) {
            snprintf(why, KEY_TEXT_MAX, "the directory of this program cannot be found out");
            return false;
        }
    }
    unsigned share = run->local_workers ? run->local_workers : 1;
    unsigned cores = machine_cores() / share;
    uint64_t memory_mb = machine_memory_mb() / 4 / share;
    if (memory_mb > HASH_MB_DEFAULT) memory_mb = HASH_MB_DEFAULT;
    run->threads = options->threads ? options->threads : cores ? cores : 1;
    run->hash_mb = options->hash_mb ? options->hash_mb : memory_mb > 16 ? (uint32_t)memory_mb : 16;
    const struct coord_config config = {
        .name = options->name,
        .boot = clock_random(),
        .serves = run->serves,
        .uniform = options->uniform,
        .local_workers = run->local_workers,
        .threads = run->threads,
        .hash_mb = run->hash_mb,
        .hints_local = run->hints_local,
        .hints_remote = run->hints_remote,
    };
    run->coord = coord_new(&config);
    if (!run->coord) snprintf(why, KEY_TEXT_MAX, "not enough memory to start");
    if (run->coord && run->record) {
        recording_write_config(&config, &run->record_text);
        record_write(run);
    }
    return run->coord != NULL;
}

struct run *run_new(const struct run_options *options, char why[KEY_TEXT_MAX], int *exit_code)
{
    struct run *run = calloc(1, sizeof *run);
    *exit_code = 1;
    if (!run) {
        snprintf(why, KEY_TEXT_MAX, "not enough memory to start");
        return NULL;
    }
    run->exit_code = 1;
    run->signal_fd = -1;
    run->dir.lock_fd = -1;
    run->hooks = options->hooks;
    run->serves = options->serves;
    text_buffer_init(&run->record_text, RECORD_BYTES_MAX);
    run->local_workers = options->local_workers < COORD_LOCAL_MAX ? options->local_workers : COORD_LOCAL_MAX;
    for (int i = 0; i < COORD_LOCAL_MAX; i++) run->locals[i].listener = -1;
    snprintf(run->worker_log, sizeof run->worker_log, "%s", options->worker_log ? options->worker_log : "warn");
    if (run_open(run, options, why)) return run;
    *exit_code = run->exit_code;
    (void)run_free(run);
    return NULL;
}

int run_free(struct run *run)
{
    if (!run) return 0;
    int exit_code = run->exit_code;
    door_close(run->door, DRAIN_MS);
    run_status_free(run->status);
    locals_end(run);
    link_close(run->link, LINGER_MS);
    relay_free(run->relay);
    private_dir_remove(&run->dir);
    if (run->record) fclose(run->record);
    text_buffer_free(&run->record_text);
    if (run->signal_fd >= 0) close(run->signal_fd);
    coord_free(run->coord);
    free(run->effects);
    free(run);
    return exit_code;
}
