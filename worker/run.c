/* run.c - see run.h. */
#include "worker/run.h"

#include "common/base/log.h"
#include "common/net/clock.h"
#include "common/net/machine.h"
#include "common/shogi/zobrist.h"
#include "worker/core/session.h"
#include "worker/hint_plane.h"
#include "worker/inbox.h"
#include "worker/searcher.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum {
    TURN_EVENTS_MAX = 256, /* of each kind, then the others have their turn */
    OUTBOX_BYTES_MAX = 4 << 20,
    OUTBOX_FRAMES_MAX = 1024,
    TROUBLE_APART_MS = 60000,
    GOODBYE_MS = 200
};

struct out_frame {
    uint8_t *bytes;
    size_t count;
};

struct shell {
    struct link *link;
    struct session *session;
    struct inbox *inbox;
    struct searcher *searcher;
    struct hint_plane *hint_plane;
    int signal_fd;
    FILE *record;
    struct session_effects effects;
    uint8_t frame[WIRE_FRAME_BYTES_MAX];

    /* Frames that must not be lost while the link takes nothing. Emptied when the connection goes. */
    struct out_frame outbox[OUTBOX_FRAMES_MAX];
    size_t outbox_first, outbox_count, outbox_bytes;

    uint64_t bad_frames;
    int64_t trouble_due_ms; /* no complaint about the same thing before */
    bool over;
    int exit_code;
};

/* ---- outbox ---------------------------------------------------------------------------------------------------- */

static void outbox_clear(struct shell *shell)
{
    while (shell->outbox_count) {
        free(shell->outbox[shell->outbox_first].bytes);
        shell->outbox_first = (shell->outbox_first + 1) % OUTBOX_FRAMES_MAX;
        shell->outbox_count--;
    }
    shell->outbox_bytes = 0;
}

static void outbox_flush(struct shell *shell)
{
    while (shell->outbox_count) {
        struct out_frame *frame = &shell->outbox[shell->outbox_first];
        if (link_send(shell->link, LINK_COORDINATOR, frame->bytes, frame->count) != LINK_SENT) return;
        shell->outbox_bytes -= frame->count;
        free(frame->bytes);
        shell->outbox_first = (shell->outbox_first + 1) % OUTBOX_FRAMES_MAX;
        shell->outbox_count--;
    }
}

static bool outbox_put(struct shell *shell, const uint8_t *bytes, size_t count)
{
    if (shell->outbox_count == OUTBOX_FRAMES_MAX || shell->outbox_bytes + count > OUTBOX_BYTES_MAX) return false;
    uint8_t *copy = malloc(count);
    if (!copy) return false;
    memcpy(copy, bytes, count);
    shell->outbox[(shell->outbox_first + shell->outbox_count++) % OUTBOX_FRAMES_MAX] = (struct out_frame){copy, count};
    shell->outbox_bytes += count;
    return true;
}

static void send(struct shell *shell, const struct msg *message)
{
    size_t count;
    enum status st = msg_encode(message, shell->frame, sizeof shell->frame, &count);
    if (st != ST_OK) {
        log_error("encode_failed type=%s why=\"%s\"", msg_name(message->type), status_text(st));
        return;
    }
    outbox_flush(shell); /* order is kept */
    if (shell->outbox_count == 0 && link_send(shell->link, LINK_COORDINATOR, shell->frame, count) == LINK_SENT) return;
    /* A newer partial or heartbeat says the same again; the rest waits. */
    if (message->type == MSG_partial || message->type == MSG_heartbeat) return;
    if (!outbox_put(shell, shell->frame, count)) {
        log_warn("outbox_full frames=%zu", shell->outbox_count);
        outbox_clear(shell);
        link_reconnect(shell->link); /* a new connection is a new session: nothing can be missed unnoticed */
    }
}

/* ---- effects --------------------------------------------------------------------------------------------------- */

static void carry_out(struct shell *shell)
{
    for (size_t i = 0; i < shell->effects.count; i++) {
        const struct session_effect *effect = &shell->effects.list[i];
        switch (effect->type) {
        case SESSION_SEND:
            send(shell, &effect->message);
            break;
        case SESSION_ENGINE_CONFIGURE:
            searcher_configure(shell->searcher, &effect->configure);
            break;
        case SESSION_ENGINE_NEW_GAME:
            searcher_new_game(shell->searcher);
            break;
        case SESSION_ENGINE_GO:
            hint_plane_search(shell->hint_plane, &(struct hint_plane_search){
                                                     .scope = effect->go.hint_scope,
                                                     .hint_plies = (int)effect->go.hint_plies,
                                                     .bytes_per_s = effect->go.hint_bytes_per_s,
                                                     .mate = effect->go.kind == JOB_MATE,
                                                     .first = effect->go.kind == JOB_MATE && effect->go.variation == 0,
                                                 });
            searcher_go(shell->searcher, &effect->go);
            break;
        case SESSION_ENGINE_STOP:
            searcher_stop(shell->searcher, effect->run);
            break;
        case SESSION_HINT_PLANE:
            hint_plane_connect(shell->hint_plane, effect->hints.endpoint, effect->hints.session);
            break;
        case SESSION_RECONNECT:
            outbox_clear(shell);
            link_reconnect(shell->link);
            break;
        case SESSION_EXIT:
            shell->over = true;
            shell->exit_code = effect->exit.code;
            if (effect->exit.text[0])
                fprintf(stderr, "murakumo-worker: %s\n", log_quote(effect->exit.text, strlen(effect->exit.text)).text);
            break;
        case SESSION_LOG:
            log_line(effect->log.level == SESSION_LOG_WARN   ? LOG_WARN
                     : effect->log.level == SESSION_LOG_INFO ? LOG_INFO
                                                             : LOG_DEBUG,
                     "%s", effect->log.text);
            break;
        }
    }
}

/* ---- flight recorder ------------------------------------------------------------------------------------------- */

static void record(struct shell *shell, const struct session_event *event, const uint8_t *frame, size_t count)
{
    if (!shell->record) return;
    static const char *const names[] = {"connected",      "disconnected", "message", "engine_info", "engine_done",
                                        "engine_refused", "config_done",  "tick",    "terminate"};
    fprintf(shell->record, "%" PRId64 " %s", event->now_us, names[event->type]);
    switch (event->type) {
    case SESSION_MESSAGE:
        fprintf(shell->record, " type=%s frame=", msg_name(event->message.type));
        for (size_t i = 0; i < count; i++) fprintf(shell->record, "%02x", frame[i]);
        break;
    case SESSION_ENGINE_INFO:
        fprintf(shell->record,
                " run=%" PRIu32 " depth=%" PRIu32 " score_kind=%" PRIu32 " score=%" PRId32 " nodes=%" PRIu64
                " pv=\"%.*s\"",
                event->engine.run, event->engine.info.depth, event->engine.info.score_kind, event->engine.info.score,
                event->engine.info.nodes, (int)event->engine.info.pv.length, event->engine.info.pv.bytes);
        break;
    case SESSION_ENGINE_DONE:
        fprintf(shell->record, " run=%" PRIu32 " verdict=%" PRIu32 " best=%.*s nodes=%" PRIu64, event->engine.run,
                event->engine.result.verdict, (int)event->engine.result.best.length, event->engine.result.best.bytes,
                event->engine.result.nodes);
        break;
    case SESSION_ENGINE_REFUSED:
        fprintf(shell->record, " run=%" PRIu32 " text=\"%.*s\"", event->engine.run, (int)event->engine.text.length,
                event->engine.text.bytes);
        break;
    case SESSION_CONFIG_DONE:
        fprintf(shell->record, " config=%" PRIu32 " ok=%d text=\"%.*s\"", event->config.config, event->config.ok,
                (int)event->config.text.length, event->config.text.bytes ? event->config.text.bytes : "");
        break;
    case SESSION_CONNECTED:
    case SESSION_DISCONNECTED:
    case SESSION_TICK:
    case SESSION_TERMINATE:
        break;
    }
    fputc('\n', shell->record);
    fflush(shell->record);
}

/* ---- events ---------------------------------------------------------------------------------------------------- */

static void step(struct shell *shell, struct session_event *event, const uint8_t *frame, size_t count)
{
    if (shell->over) return;
    event->now_us = clock_now_us();
    event->now_ms = event->now_us / 1000;
    record(shell, event, frame, count);
    enum status st = session_step(shell->session, event, &shell->effects);
    if (st != ST_OK && event->type == SESSION_MESSAGE)
        log_debug("message_refused type=%s why=\"%s\"", msg_name(event->message.type), status_text(st));
    carry_out(shell);
}

static void take_frame(struct shell *shell, const struct link_event *from)
{
    struct session_event event = {.type = SESSION_MESSAGE};
    enum status st = msg_decode(&event.message, from->bytes, from->count);
    if (st == ST_OK || (st == ST_VERSION && event.message.type == MSG_refuse)) {
        step(shell, &event, from->bytes, from->count);
        return;
    }
    if (++shell->bad_frames <= 3) log_warn("bad_frame bytes=%zu why=\"%s\"", from->count, status_text(st));
}

static void take_link(struct shell *shell)
{
    struct link_event from;
    for (int i = 0; i < TURN_EVENTS_MAX && !shell->over && link_receive(shell->link, &from); i++) {
        switch (from.type) {
        case LINK_EVENT_FRAME:
            take_frame(shell, &from);
            break;
        case LINK_EVENT_CONNECTED:
            step(shell, &(struct session_event){.type = SESSION_CONNECTED}, NULL, 0);
            break;
        case LINK_EVENT_DISCONNECTED:
            outbox_clear(shell);
            step(shell, &(struct session_event){.type = SESSION_DISCONNECTED}, NULL, 0);
            break;
        case LINK_EVENT_TROUBLE:
            if (clock_now_ms() < shell->trouble_due_ms) break;
            shell->trouble_due_ms = clock_now_ms() + TROUBLE_APART_MS;
            log_warn("cannot_connect why=\"%s\"", from.reason);
            break;
        case LINK_EVENT_REFUSED:
            fprintf(stderr, "murakumo-worker: %s\n", from.reason);
            shell->over = true;
            shell->exit_code = 3;
            break;
        }
    }
}

static void take_inbox(struct shell *shell)
{
    static const struct hint_plane_search nothing;
    static struct inbox_item item; /* large; one shell per process */
    for (int i = 0; i < TURN_EVENTS_MAX && inbox_take(shell->inbox, &item); i++) {
        struct session_event event = inbox_event(&item);
        if (item.type == INBOX_DONE || item.type == INBOX_REFUSED) hint_plane_search(shell->hint_plane, &nothing);
        step(shell, &event, NULL, 0);
        free(item.line);
    }
}

static void take_signals(struct shell *shell)
{
    struct signalfd_siginfo info;
    while (read(shell->signal_fd, &info, sizeof info) == (ssize_t)sizeof info) {
        log_info("signal number=%" PRIu32, info.ssi_signo);
        step(shell, &(struct session_event){.type = SESSION_TERMINATE}, NULL, 0);
    }
}

static void loop(struct shell *shell)
{
    while (!shell->over) {
        struct link_watch watches[2] = {{.fd = inbox_fd(shell->inbox)}, {.fd = shell->signal_fd}};
        int64_t due_ms = session_deadline_ms(shell->session), now_ms = clock_now_ms();
        int64_t timeout_ms = due_ms == INT64_MAX ? -1 : due_ms > now_ms ? due_ms - now_ms : 0;
        link_wait(shell->link, watches, 2, timeout_ms, shell->outbox_count > 0);
        outbox_flush(shell);
        take_signals(shell);
        take_link(shell);
        take_inbox(shell);
        if (clock_now_ms() >= session_deadline_ms(shell->session))
            step(shell, &(struct session_event){.type = SESSION_TICK}, NULL, 0);
    }
}

/* ---- life ------------------------------------------------------------------------------------------------------ */

static bool shell_open(struct shell *shell, const struct worker_run_options *options)
{
    char why[KEY_TEXT_MAX];
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
    shell->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (options->record_path && options->record_path[0]) {
        shell->record = fopen(options->record_path, "we");
        if (!shell->record) {
            fprintf(stderr, "murakumo-worker: cannot write %s\n", options->record_path);
            shell->exit_code = 2;
            return false;
        }
    }
    shell->link = link_zmq_worker_new(options->endpoint, options->keys, why);
    if (!shell->link) {
        fprintf(stderr, "murakumo-worker: %s\n", why);
        shell->exit_code = 2;
        return false;
    }
    shell->inbox = inbox_new();
    shell->searcher = shell->inbox ? searcher_new(shell->inbox, options->threads, options->hash_mb) : NULL;
    if (!shell->searcher || shell->signal_fd < 0) {
        fprintf(stderr, "murakumo-worker: not enough memory, threads or descriptors to start\n");
        return false;
    }
    uint64_t boot = clock_random();
    shell->hint_plane = hint_plane_new(&(struct hint_plane_options){
        .searcher = shell->searcher, .coordinator = options->endpoint, .keys = options->keys, .boot = boot});
    if (!shell->hint_plane) {
        fprintf(stderr, "murakumo-worker: not enough memory, threads or descriptors to start\n");
        return false;
    }
    char build[WIRE_TEXT_BYTES_MAX];
    snprintf(build, sizeof build, "%s (%s)", options->build, machine_simd());
    shell->session = session_new(&(struct session_options){
        .name = options->name,
        .build = build,
        .eval_name = searcher_eval_name(shell->searcher),
        .eval_hash = searcher_eval_hash(shell->searcher),
        .zobrist_check = zobrist_check(),
        .threads = options->threads,
        .hash_mb = options->hash_mb,
        .boot = boot,
        .seed = clock_random(),
    });
    if (!shell->session) fprintf(stderr, "murakumo-worker: not enough memory to start\n");
    return shell->session != NULL;
}

static void shell_close(struct shell *shell)
{
    if (shell->link) outbox_flush(shell);
    link_close(shell->link, GOODBYE_MS);
    outbox_clear(shell);
    if (shell->record) fclose(shell->record);
    if (shell->exit_code == 1 && shell->session) _exit(1); /* an engine that does not stop cannot be waited for */
    hint_plane_free(shell->hint_plane);
    searcher_free(shell->searcher);
    inbox_free(shell->inbox);
    session_free(shell->session);
    if (shell->signal_fd >= 0) close(shell->signal_fd);
}

int worker_run(const struct worker_run_options *options)
{
    struct shell *shell = calloc(1, sizeof *shell);
    if (!shell) return 1;
    shell->exit_code = 1;
    shell->signal_fd = -1;
    if (shell_open(shell, options)) loop(shell);
    int exit_code = shell->exit_code;
    shell_close(shell);
    free(shell);
    return exit_code;
}
