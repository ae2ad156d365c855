/* clang-format off: there is a table in the comment */
/* check_coord.c - plays the stories of tests/golden/stories against the coordinator's core.
 *
 * A story is a text: commands at the left margin, and below each, indented, what came of it. The test plays the
 * commands and compares the whole text; STORIES=write writes down what came instead (then read the difference).
 *
 *   > LINE               the GUI writes a line
 *   eof                  it closes its side
 *   join N [local S]     worker N connects, says hello and is configured; from then on it sends heartbeats
 *   N depth D cp|mate X [nodes K] [lower|upper] [multipv K] [proof TEXT] pv MOVES        a report on its job
 *   N result MOVE [ponder M] [depth D] [cp|mate X] [nodes K] [stopped]                   its job ends
 *   N result resign, N result win, N refused TEXT                                        so, too
 *   N mate MOVES, N nomate, N unknown                                                    a mate job ends
 *   N old ...            the same for the job it had before
 *   + MS                 time passes
 *   silent N, speaks N   it stops and goes on sending anything
 *   forgets N            it has no trace of its job and says so in its heartbeats
 *   gone N               its connection breaks
 *   bye N                it says goodbye
 *   started S, died S    a child process
 *   scan ID nodes N [multipv K] moves MOVES              from the start position
 *
 * Whatever the story: every `go` has exactly one answer at its end.
 */
/* clang-format on */
#include "common/shogi/sfen.h"
#include "common/shogi/zobrist.h"
#include "coordinator/core/coord.h"
#include "tests/unit/check_main.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WORKERS = 9, OUT_BYTES = 1 << 20 };
static const char directory[] = "tests/golden/stories";

struct actor {
    bool joined, silent;
    int slot;
    uint64_t session, sequence, boot;
    struct msg_job job, old;
    bool has_job;
};

static struct coord *coord;
static struct coord_effects *effects;
static struct actor actors[WORKERS];
static int64_t now_ms;
static char *out;
static size_t out_bytes;
static unsigned gos, answers;

__attribute__((format(printf, 1, 2))) static void write_down(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(out + out_bytes, OUT_BYTES - out_bytes, format, arguments);
    va_end(arguments);
    out_bytes += (size_t)n;
    ck_assert_uint_lt(out_bytes, OUT_BYTES);
}

static void step(struct coord_event *event);

static void send_up(unsigned n, struct msg *msg)
{
    struct actor *a = &actors[n];
    msg->boot = a->boot;
    msg->sequence = ++a->sequence;
    struct coord_event event = {.type = COORD_EV_MESSAGE};
    event.message.peer = n;
    event.message.local_slot = a->slot;
    event.message.msg = msg;
    step(&event);
}

static void beat(unsigned n, uint64_t echo_us)
{
    struct msg msg = {.type = MSG_heartbeat};
    msg.heartbeat.session = actors[n].session;
    msg.heartbeat.busy = actors[n].has_job;
    msg.heartbeat.sent_us = (uint64_t)now_ms * 1000;
    msg.heartbeat.echo_us = echo_us;
    send_up(n, &msg);
}

/* ---- what comes out --------------------------------------------------------------------------------------------- */

static void write_job(unsigned n, const struct msg_job *job)
{
    write_down("    [%6" PRId64 "] %u < job %" PRIu64 ".%" PRIu32 ".%" PRIu32 "%s", now_ms, n, job->epoch, job->job,
               job->attempt, job->kind == JOB_MATE ? " mate" : "");
    if (job->moves.length) write_down(" moves \"%.*s\"", (int)job->moves.length, job->moves.bytes);
    if (job->searchmoves.length)
        write_down(" searchmoves \"%.*s\"", (int)job->searchmoves.length, job->searchmoves.bytes);
    if (job->any_length) write_down(" any_length");
    if (job->multipv) write_down(" multipv %" PRIu32, job->multipv);
    if (job->depth_max) write_down(" depth %" PRIu32, job->depth_max);
    if (job->nodes) write_down(" nodes %" PRIu64, job->nodes);
    if (job->time_limit_ms) write_down(" limit_ms %" PRIu32, job->time_limit_ms);
    write_down("%s\n", job->fresh ? " fresh" : "");
}

static void write_message(unsigned n, const struct msg *msg, uint32_t *config, uint64_t *beat_us)
{
    struct actor *a = &actors[n];
    switch (msg->type) {
    case MSG_welcome:
        a->session = msg->welcome.session;
        break;
    case MSG_configure:
        if (msg->configure.threads || msg->configure.hash_mb)
            write_down("    [%6" PRId64 "] %u < configure %" PRIu32 " hash_mb %" PRIu32 " threads %" PRIu32 "\n",
                       now_ms, n, msg->configure.config, msg->configure.hash_mb, msg->configure.threads);
        else
            write_down("    [%6" PRId64 "] %u < configure %" PRIu32 "\n", now_ms, n, msg->configure.config);
        *config = msg->configure.config;
        break;
    case MSG_job:
        write_job(n, &msg->job);
        a->old = a->job;
        a->job = msg->job;
        a->has_job = true;
        break;
    case MSG_stop:
        write_down("    [%6" PRId64 "] %u < stop %" PRIu64 ".%" PRIu32 "\n", now_ms, n, msg->stop.epoch, msg->stop.job);
        a->has_job = false;
        break;
    case MSG_refuse:
        write_down("    [%6" PRId64 "] %u < refuse: %.*s\n", now_ms, n, (int)msg->refuse.text.length,
                   msg->refuse.text.bytes);
        break;
    case MSG_reset:
        write_down("    [%6" PRId64 "] %u < reset: %.*s\n", now_ms, n, (int)msg->reset.text.length,
                   msg->reset.text.bytes);
        break;
    case MSG_new_game:
    case MSG_bye:
        write_down("    [%6" PRId64 "] %u < %s\n", now_ms, n, msg_name(msg->type));
        break;
    case MSG_heartbeat:
        if (!msg->heartbeat.echo_us) *beat_us = msg->heartbeat.sent_us;
        break;
    case MSG_hello:
    case MSG_configured:
    case MSG_partial:
    case MSG_result:
    case MSG_hints:
    case MSG_hints_join:
        break;
    }
}

static void write_scan(const struct scan_result *r)
{
    write_down("    [%6" PRId64 "] scan %" PRIu32 " ply %" PRIu32 " verdict %" PRIu32 " best %.*s score %" PRId32
               " worker %.*s\n",
               now_ms, r->id, r->ply, r->verdict, (int)r->best.length, r->best.length ? r->best.bytes : "", r->score,
               (int)r->worker.length, r->worker.length ? r->worker.bytes : "");
    for (uint32_t i = 0; i < r->line_count; i++)
        write_down("             line %" PRIu32 ": %" PRId32 " %.*s\n", i + 1, r->lines[i].score,
                   (int)r->lines[i].pv.length, r->lines[i].pv.bytes);
}

static void step(struct coord_event *event)
{
    event->now_us = now_ms * 1000;
    enum status status = coord_step(coord, event, effects);
    if (status != ST_OK && event->type == COORD_EV_MESSAGE)
        write_down("    [%6" PRId64 "] (%s)\n", now_ms, status_text(status));
    uint32_t config[WORKERS] = {0};  /* sent in this step; answered at once */
    uint64_t beat_us[WORKERS] = {0}; /* likewise */
    for (size_t i = 0; i < effects->count; i++) {
        const struct coord_effect *fx = &effects->items[i];
        switch (fx->type) {
        case COORD_FX_SAY:
            write_down("    [%6" PRId64 "] %s\n", now_ms, fx->say.length ? fx->say.bytes : "(an empty line)");
            if (!strncmp(fx->say.bytes, "bestmove ", 9) || !strncmp(fx->say.bytes, "checkmate ", 10)) answers++;
            break;
        case COORD_FX_SEND:
            ck_assert_uint_lt(fx->send.peer, WORKERS);
            write_message((unsigned)fx->send.peer, &fx->send.msg, &config[fx->send.peer], &beat_us[fx->send.peer]);
            break;
        case COORD_FX_START_LOCAL:
            write_down("    [%6" PRId64 "] start child %d\n", now_ms, fx->start_local.slot);
            break;
        case COORD_FX_KILL_LOCAL:
            write_down("    [%6" PRId64 "] end child %d%s\n", now_ms, fx->kill_local.slot,
                       fx->kill_local.kindly ? " kindly" : " at once");
            break;
        case COORD_FX_EVICT:
            write_down("    [%6" PRId64 "] evict %" PRIu64 "\n", now_ms, fx->evict.peer);
            break;
        case COORD_FX_LOG:
            break;
        case COORD_FX_DEBUG_FILE:
            write_down("    [%6" PRId64 "] debug file \"%s\"\n", now_ms, fx->debug_file.bytes);
            break;
        case COORD_FX_SCAN_RESULT:
            write_scan(fx->scan_result);
            break;
        case COORD_FX_SCAN_DONE:
            write_down("    [%6" PRId64 "] scan %" PRIu32 " done: %" PRIu32 " positions\n", now_ms, fx->scan_done.id,
                       fx->scan_done.positions);
            break;
        case COORD_FX_TSUME_DONE:
            write_down("    [%6" PRId64 "] tsume %" PRIu32 " done: verdict %" PRIu32 "\n", now_ms, fx->tsume_done->id,
                       fx->tsume_done->verdict);
            break;
        case COORD_FX_QUIT:
            write_down("    [%6" PRId64 "] quit %d\n", now_ms, fx->quit.code);
            break;
        }
    }
    for (unsigned n = 0; n < WORKERS; n++) {
        if (actors[n].silent || !actors[n].joined) continue;
        if (config[n]) {
            struct msg msg = {.type = MSG_configured};
            msg.configured = (struct msg_configured){.session = actors[n].session, .ok = true, .config = config[n]};
            send_up(n, &msg);
        }
        if (beat_us[n]) beat(n, beat_us[n]);
    }
}

/* ---- time ------------------------------------------------------------------------------------------------------- */

static void pass(int64_t ms)
{
    int64_t end_ms = now_ms + ms;
    for (;;) {
        int64_t due_ms = coord_deadline_ms(coord);
        if (due_ms > end_ms) break;
        if (due_ms > now_ms) now_ms = due_ms;
        step(&(struct coord_event){.type = COORD_EV_TICK});
        ck_assert_int_gt(coord_deadline_ms(coord), now_ms);
    }
    now_ms = end_ms;
}

/* ---- commands --------------------------------------------------------------------------------------------------- */

static struct wire_str str_of(const char *text) { return wire_str_make(text, strlen(text)); }

/* The next word of *rest, cut out in place; "" at the end. */
static char *word(char **rest)
{
    char *at = *rest + strspn(*rest, " ");
    char *end = at + strcspn(at, " ");
    *rest = *end ? end + 1 : end;
    *end = 0;
    return at;
}

static void join(unsigned n, char *rest)
{
    struct actor *a = &actors[n];
    char name[8];
    snprintf(name, sizeof name, "w%u", n);
    uint64_t boot = a->boot ? a->boot + 100 : n;
    *a = (struct actor){.joined = true, .slot = COORD_PEER_REMOTE, .boot = boot};
    struct msg msg = {.type = MSG_hello};
    msg.hello = (struct msg_hello){.name = str_of(name),
                                   .build = str_of("story"),
                                   .eval_hash = 7,
                                   .zobrist_check = zobrist_check(),
                                   .threads = 1,
                                   .hash_mb = 16};
    for (char *w = word(&rest); *w; w = word(&rest)) {
        if (!strcmp(w, "local")) a->slot = atoi(word(&rest));
        if (!strcmp(w, "eval")) msg.hello.eval_hash = strtoull(word(&rest), NULL, 10);
        if (!strcmp(w, "zobrist")) msg.hello.zobrist_check = strtoull(word(&rest), NULL, 10);
    }
    send_up(n, &msg);
}

static void report(unsigned n, const struct msg_job *job, char *verb, char *rest)
{
    struct msg msg = {.type = MSG_partial};
    uint32_t depth = 0, kind = WIRE_SCORE_NONE, bound = WIRE_EXACT, multipv = 0;
    int32_t score = 0;
    uint64_t nodes = 1000;
    bool stopped = false;
    struct wire_str best = {NULL, 0}, ponder = {NULL, 0}, text = {NULL, 0}, line = {NULL, 0}, pv = {NULL, 0},
                    proof = {NULL, 0};
    enum job_verdict verdict = VERDICT_MOVE;
    if (!strcmp(verb, "depth")) {
        depth = (uint32_t)atoi(word(&rest));
    } else {
        msg.type = MSG_result;
        actors[n].has_job = job == &actors[n].old && actors[n].has_job;
        if (!strcmp(verb, "mate")) {
            verdict = VERDICT_MATE;
            line = str_of(rest);
            rest += strlen(rest);
        } else if (!strcmp(verb, "nomate")) {
            verdict = VERDICT_NOMATE;
        } else if (!strcmp(verb, "unknown")) {
            verdict = VERDICT_UNKNOWN;
        } else {
            char *move = word(&rest);
            if (!strcmp(move, "resign")) verdict = VERDICT_RESIGN;
            if (!strcmp(move, "win")) verdict = VERDICT_WIN;
            if (!strcmp(move, "refused")) {
                verdict = VERDICT_REFUSED;
                text = str_of(rest);
                rest += strlen(rest);
            }
            if (verdict == VERDICT_MOVE) best = str_of(move);
        }
    }
    for (char *w = word(&rest); *w; w = word(&rest)) {
        if (!strcmp(w, "cp") || !strcmp(w, "mate")) {
            kind = w[0] == 'c' ? WIRE_SCORE_CP : WIRE_SCORE_MATE;
            score = atoi(word(&rest));
        } else if (!strcmp(w, "nodes")) {
            nodes = strtoull(word(&rest), NULL, 10);
        } else if (!strcmp(w, "lower") || !strcmp(w, "upper")) {
            bound = w[0] == 'l' ? WIRE_LOWER : WIRE_UPPER;
        } else if (!strcmp(w, "multipv")) {
            multipv = (uint32_t)atoi(word(&rest));
        } else if (!strcmp(w, "depth")) {
            depth = (uint32_t)atoi(word(&rest));
        } else if (!strcmp(w, "ponder")) {
            ponder = str_of(word(&rest));
        } else if (!strcmp(w, "stopped")) {
            stopped = true;
        } else if (!strcmp(w, "proof")) {
            proof = str_of(word(&rest));
        } else if (!strcmp(w, "pv")) {
            pv = str_of(rest);
            rest += strlen(rest);
        } else {
            ck_abort_msg("unknown word \"%s\"", w);
        }
    }
    uint64_t session = actors[n].session;
    if (msg.type == MSG_partial)
        msg.partial = (struct msg_partial){.session = session,
                                           .epoch = job->epoch,
                                           .job = job->job,
                                           .attempt = job->attempt,
                                           .depth = depth,
                                           .seldepth = depth + 2,
                                           .multipv = multipv,
                                           .score_kind = kind,
                                           .score = score,
                                           .bound = bound,
                                           .nodes = nodes,
                                           .hashfull = 10 * n,
                                           .pv = pv,
                                           .certificate = proof};
    else
        msg.result = (struct msg_result){.session = session,
                                         .epoch = job->epoch,
                                         .job = job->job,
                                         .attempt = job->attempt,
                                         .verdict = verdict,
                                         .best = best,
                                         .ponder = ponder,
                                         .score_kind = kind,
                                         .score = score,
                                         .depth = depth,
                                         .nodes = nodes,
                                         .stopped = stopped,
                                         .line = line,
                                         .text = text};
    send_up(n, &msg);
}

static void scan(char *rest)
{
    struct coord_event event = {.type = COORD_EV_SCAN_SUBMIT};
    struct scan_order *order = &event.scan_submit;
    order->id = (uint32_t)atoi(word(&rest));
    order->root = str_of(SFEN_STARTPOS);
    order->last_ply = UINT32_MAX;
    for (char *w = word(&rest); *w; w = word(&rest)) {
        if (!strcmp(w, "nodes")) order->nodes = strtoull(word(&rest), NULL, 10);
        if (!strcmp(w, "multipv")) order->multipv = (uint32_t)atoi(word(&rest));
        if (!strcmp(w, "fresh")) order->fresh = true;
        if (!strcmp(w, "moves")) {
            order->moves = str_of(rest);
            rest += strlen(rest);
        }
    }
    step(&event);
}

static void command(char *line)
{
    struct coord_event event;
    memset(&event, 0, sizeof event);
    if (line[0] == '>') {
        char *text = line + 1 + (line[1] == ' ');
        if (!strncmp(text, "go", 2) && (text[2] == ' ' || !text[2])) gos++;
        event.type = COORD_EV_LINE;
        event.line.bytes = text;
        event.line.length = strlen(text);
        step(&event);
        return;
    }
    char *rest = line, *verb = word(&rest);
    if (!strcmp(verb, "+")) {
        pass(atoi(word(&rest)));
    } else if (!strcmp(verb, "join")) {
        unsigned n = (unsigned)atoi(word(&rest));
        join(n, rest);
    } else if (!strcmp(verb, "silent")) {
        actors[atoi(word(&rest))].silent = true;
    } else if (!strcmp(verb, "forgets")) {
        actors[atoi(word(&rest))].has_job = false;
    } else if (!strcmp(verb, "speaks")) {
        unsigned n = (unsigned)atoi(word(&rest));
        actors[n].silent = false;
        beat(n, 1);
    } else if (!strcmp(verb, "gone")) {
        unsigned n = (unsigned)atoi(word(&rest));
        actors[n].joined = false;
        event.type = COORD_EV_PEER_GONE;
        event.peer_gone.peer = n;
        step(&event);
    } else if (!strcmp(verb, "bye")) {
        unsigned n = (unsigned)atoi(word(&rest));
        struct msg msg = {.type = MSG_bye};
        msg.bye.session = actors[n].session;
        msg.bye.text = str_of("worker ends");
        actors[n].joined = false;
        send_up(n, &msg);
    } else if (!strcmp(verb, "started")) {
        event.type = COORD_EV_LOCAL_STARTED;
        event.local_started.slot = atoi(word(&rest));
        step(&event);
    } else if (!strcmp(verb, "died")) {
        event.type = COORD_EV_LOCAL_DIED;
        event.local_died.slot = atoi(word(&rest));
        event.local_died.text = *rest ? rest : "signal 9";
        for (unsigned n = 1; n < WORKERS; n++)
            if (actors[n].slot == event.local_died.slot) actors[n].joined = false;
        step(&event);
    } else if (!strcmp(verb, "eof")) {
        event.type = COORD_EV_EOF;
        step(&event);
    } else if (!strcmp(verb, "scan")) {
        scan(rest);
    } else if (verb[0] >= '1' && verb[0] < '0' + WORKERS && !verb[1]) {
        unsigned n = (unsigned)(verb[0] - '0');
        const struct msg_job *job = &actors[n].job;
        char *what = word(&rest);
        if (!strcmp(what, "old")) {
            job = &actors[n].old;
            what = word(&rest);
        }
        report(n, job, what, rest);
    } else {
        ck_abort_msg("unknown command \"%s\"", verb);
    }
}

/* ---- a story ---------------------------------------------------------------------------------------------------- */

static void play(const char *name)
{
    char path[256], *text = malloc(OUT_BYTES);
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "cannot open %s", path);
    size_t bytes = fread(text, 1, OUT_BYTES - 1, file);
    text[bytes] = 0;
    fclose(file);

    out = malloc(OUT_BYTES);
    effects = malloc(sizeof *effects);
    out_bytes = 0;
    now_ms = 0;
    gos = answers = 0;
    memset(actors, 0, sizeof actors);
    unsigned locals = 0;
    const char *asked = strstr(text, "# locals ");
    if (asked) locals = (unsigned)atoi(asked + 9);
    struct coord_config config = {.name = "Murakumo",
                                  .boot = 0x1000,
                                  .local_workers = locals,
                                  .threads = 2,
                                  .hash_mb = 64,
                                  .fallback_nodes = 2000};
    coord = coord_new(&config);
    ck_assert_ptr_nonnull(coord);
    for (size_t i = 0; i < bytes;) {
        size_t length = strcspn(text + i, "\n");
        char line[4096];
        ck_assert_uint_lt(length, sizeof line);
        memcpy(line, text + i, length);
        line[length] = 0;
        i += length + 1;
        if (line[0] == ' ') continue; /* what came of it, the last time */
        write_down("%s\n", line);
        if (line[0] && line[0] != '#') command(line);
    }
    const char *mode = getenv("STORIES");
    if (mode && !strcmp(mode, "write")) {
        file = fopen(path, "w");
        ck_assert_ptr_nonnull(file);
        fwrite(out, 1, out_bytes, file);
        fclose(file);
    } else if (strcmp(out, text) != 0) {
        size_t at = 0, line = 1;
        for (; out[at] && out[at] == text[at]; at++) line += out[at] == '\n';
        while (at > 0 && out[at - 1] != '\n') at--;
        ck_abort_msg("%s, line %zu: it came\n%.*s\nbut the story says\n%.*s", path, line, (int)strcspn(out + at, "\n"),
                     out + at, (int)strcspn(text + at, "\n"), text + at);
    }
    ck_assert_msg(gos == answers, "%s: %u go, %u answers", path, gos, answers);
    coord_free(coord);
    free(effects);
    free(out);
    free(text);
}

static char names[128][64];
static int name_count;

START_TEST(a_story_goes_as_it_is_told) { play(names[_i]); }
END_TEST

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

static void add_cases(Suite *suite)
{
    DIR *dir = opendir(directory);
    for (struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir)) {
        size_t length = strlen(entry->d_name);
        if (length > 6 && length < sizeof names[0] && !strcmp(entry->d_name + length - 6, ".story") && name_count < 128)
            memcpy(names[name_count++], entry->d_name, length + 1);
    }
    if (dir) closedir(dir);
    qsort(names, (size_t)name_count, sizeof names[0], by_name);
    TCase *tc = tcase_create("stories");
    tcase_add_loop_test(tc, a_story_goes_as_it_is_told, 0, name_count);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("coord", add_cases)
