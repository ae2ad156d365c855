/* attach.c - see attach.h. */
#include "coordinator/core/attach.h"

#include "coordinator/core/allot.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    TEXT_BYTES_MAX = 4 * COORD_LINE_BYTES_MAX + ATTACH_SETTINGS_BYTES_MAX + 65536,
    HANDOVER_LEFT_MS = 400, /* with less time the stand-in finishes what it has begun */
    STOP_WATCH_MS = 150,    /* after `stop` the daemon answers within two round trips on this machine */
    WATCH_LEAST_MS = 30     /* behind the time at which the daemon must answer */
};

void attach_init(struct attach *a)
{
    memset(a, 0, sizeof *a);
    options_init(&a->options, 1, 1);
    board_start(&a->board);
    a->watch_ms = a->end_ms = INT64_MAX;
    text_buffer_init(&a->text, TEXT_BYTES_MAX);
}

void attach_free(struct attach *a) { text_buffer_free(&a->text); }

void attach_clear(struct attach *a)
{
    a->effect_count = 0;
    text_buffer_clear(&a->text);
}

static void emit(struct attach *a, enum attach_target target, const char *line, size_t length)
{
    if (a->effect_count == ATTACH_EFFECTS_MAX) return;
    size_t at = a->text.length;
    text_buffer_put(&a->text, text_make(line, length));
    if (a->text.status != ST_OK) return;
    a->effects[a->effect_count++] = (struct attach_effect){target, at, length};
}

__attribute__((format(printf, 3, 4))) static void emitf(struct attach *a, enum attach_target target, const char *format,
                                                        ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length > 0) emit(a, target, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}

/* ---- the clock of a go ------------------------------------------------------------------------------------------ */

static bool blacks_turn(const struct attach *a) { return a->board.now.side == BLACK; }

static int64_t greater(int64_t x, int64_t y) { return x > y ? x : y; }

/* A GUI may write any number; a year is enough, and sums of it stay far inside 64 bits. */
static int64_t sane(int64_t ms) { return ms < 366 * INT64_C(86400000) ? ms : 366 * INT64_C(86400000); }

static int64_t *own_time(struct usi_clock *clock, bool black) { return black ? &clock->btime_ms : &clock->wtime_ms; }

/* When must the answer be there, and when is it overdue? */
static void watch_set(struct attach *a, const struct usi_go *go)
{
    bool black = blacks_turn(a);
    const int64_t *value = a->options.value;
    const struct usi_clock *c = &go->clock;
    a->watch_ms = a->end_ms = INT64_MAX;
    if (go->infinite || (go->ponder && !a->hit)) return;
    if (go->mate) {
        if (go->mate_infinite || go->mate_ms < 0) return;
        a->end_ms = a->go_ms + sane(go->mate_ms);
        a->watch_ms = a->end_ms + WATCH_LEAST_MS;
        return;
    }
    struct allot_clock clock = {.time_ms = black ? c->btime_ms : c->wtime_ms,
                                .byoyomi_ms = c->byoyomi_ms,
                                .inc_ms = black ? c->binc_ms : c->winc_ms,
                                .movetime_ms = go->movetime_ms,
                                .game_ply = a->board.move_count + 1};
    if (clock.time_ms < 0 && clock.byoyomi_ms < 0 && clock.inc_ms < 0 && clock.movetime_ms < 0) return;
    struct allot_options options = allot_options_of(value);
    struct allot plan = allot_plan(&clock, &options);
    int64_t cap = go->movetime_ms >= 0
                      ? sane(go->movetime_ms)
                      : sane(greater(greater(clock.time_ms, clock.inc_ms), 0)) + sane(greater(clock.byoyomi_ms, 0));
    a->end_ms = a->go_ms + cap;
    a->watch_ms = a->go_ms + plan.hard_ms + greater((cap - plan.hard_ms) / 2, WATCH_LEAST_MS);
}

/* A clock that has run for a while: main time goes first, then byoyomi. */
static void clock_shrink(struct usi_go *go, bool black, int64_t passed_ms)
{
    int64_t *time = own_time(&go->clock, black);
    int64_t rest = passed_ms;
    if (*time >= 0) {
        int64_t part = *time < rest ? *time : rest;
        *time -= part;
        rest -= part;
    }
    if (go->clock.byoyomi_ms > 0) go->clock.byoyomi_ms = greater(go->clock.byoyomi_ms - rest, 1);
    if (go->movetime_ms >= 0) go->movetime_ms = greater(go->movetime_ms - passed_ms, 1);
    if (go->mate && !go->mate_infinite && go->mate_ms >= 0) go->mate_ms = greater(go->mate_ms - passed_ms, 1);
}

static void put_number(struct text_buffer *out, const char *word, int64_t value)
{
    if (value >= 0) text_buffer_format(out, " %s %" PRId64, word, value);
}

static void go_write(const struct usi_go *go, struct text_buffer *out)
{
    text_buffer_put_string(out, "go");
    if (go->mate) {
        text_buffer_put_string(out, " mate");
        if (go->mate_infinite)
            text_buffer_put_string(out, " infinite");
        else if (go->mate_ms >= 0)
            text_buffer_format(out, " %" PRId64, go->mate_ms);
        return;
    }
    if (go->ponder) text_buffer_put_string(out, " ponder");
    if (go->infinite) text_buffer_put_string(out, " infinite");
    put_number(out, "btime", go->clock.btime_ms);
    put_number(out, "wtime", go->clock.wtime_ms);
    put_number(out, "byoyomi", go->clock.byoyomi_ms);
    put_number(out, "binc", go->clock.binc_ms);
    put_number(out, "winc", go->clock.winc_ms);
    put_number(out, "movetime", go->movetime_ms);
    put_number(out, "depth", go->depth);
    if (go->nodes) text_buffer_format(out, " nodes %" PRIu64, go->nodes);
    if (go->searchmoves.length) {
        text_buffer_put_string(out, " searchmoves ");
        text_buffer_put(out, text_make(go->searchmoves.bytes, go->searchmoves.length));
    }
}

static bool go_read(const struct attach *a, struct usi_go *go)
{
    struct usi_command command;
    usi_parse(&command, a->go, a->go_bytes);
    if (command.type != USI_GO) return false;
    *go = command.go;
    return true;
}

/* The open `go` again, for somebody who has not heard it, less the time that has passed. */
static void go_again(struct attach *a, enum attach_target target, int64_t now_ms)
{
    struct usi_go go;
    if (!go_read(a, &go)) return;
    bool counts = !go.ponder || a->hit;
    go.ponder = go.ponder && !a->hit;
    if (counts && now_ms > a->go_ms) clock_shrink(&go, blacks_turn(a), now_ms - a->go_ms);
    struct text_buffer line;
    text_buffer_init(&line, COORD_LINE_BYTES_MAX);
    go_write(&go, &line);
    emit(a, target, line.data ? line.data : "", line.length);
    text_buffer_free(&line);
}

/* ---- from the GUI ----------------------------------------------------------------------------------------------- */

static enum attach_target other_side(const struct attach *a) { return a->connected ? ATTACH_DAEMON : ATTACH_STANDIN; }

static size_t setting_name_end(const char *line, size_t length)
{
    for (size_t i = 0; i + 7 <= length; i++)
        if (memcmp(line + i, " value ", 7) == 0) return i;
    return length;
}

/* A newer line for the same option replaces the older one. */
static void setting_keep(struct attach *a, const char *line, size_t length)
{
    size_t name = setting_name_end(line, length), kept = 0;
    for (size_t at = 0; at < a->settings_bytes;) {
        const char *end = memchr(a->settings + at, '\n', a->settings_bytes - at);
        size_t bytes = (size_t)(end - (a->settings + at));
        bool same = setting_name_end(a->settings + at, bytes) == name && memcmp(a->settings + at, line, name) == 0;
        if (!same) {
            memmove(a->settings + kept, a->settings + at, bytes + 1);
            kept += bytes + 1;
        }
        at += bytes + 1;
    }
    a->settings_bytes = kept;
    if (kept + length + 1 > sizeof a->settings || memchr(line, '\n', length)) return;
    memcpy(a->settings + kept, line, length);
    a->settings[kept + length] = '\n';
    a->settings_bytes += length + 1;
}

static void take_setoption(struct attach *a, const struct usi_command *command, const char *line, size_t length)
{
    enum option_id id;
    char why[256];
    if (options_find(command->option.name, &id))
        (void)options_set(&a->options, id, command->option.value, why, sizeof why);
    setting_keep(a, line, length);
    if (a->connected) emit(a, ATTACH_DAEMON, line, length);
    emit(a, ATTACH_STANDIN, line, length);
}

static void take_position(struct attach *a, const struct usi_command *command, const char *line, size_t length)
{
    char why[BOARD_WHY_BYTES];
    if (length > sizeof a->position) return;
    memcpy(a->position, line, length);
    a->position_bytes = length;
    if (board_set(&a->board, command->position.sfen, command->position.moves, why) != ST_OK) board_start(&a->board);
    if (a->connected) emit(a, ATTACH_DAEMON, line, length);
    emit(a, ATTACH_STANDIN, line, length);
}

static void take_go(struct attach *a, const struct usi_command *command, const char *line, size_t length,
                    int64_t now_ms)
{
    if (length > sizeof a->go) return;
    memcpy(a->go, line, length);
    a->go_bytes = length;
    a->going = true;
    a->hit = false;
    a->go_ms = now_ms;
    a->standing_in = !a->connected;
    watch_set(a, &command->go);
    if (a->connected)
        a->daemon_owes++;
    else
        a->standin_owes++;
    emit(a, other_side(a), line, length);
}

static void take_ponderhit(struct attach *a, const struct usi_command *command, const char *line, size_t length,
                           int64_t now_ms)
{
    struct usi_go go;
    if (!a->going || !go_read(a, &go) || !go.ponder || a->hit) return;
    a->hit = true;
    a->go_ms = now_ms;
    const struct usi_clock *clock = &command->ponderhit;
    if (clock->btime_ms >= 0 || clock->wtime_ms >= 0 || clock->byoyomi_ms >= 0) {
        struct text_buffer text; /* the clock counts from now on, also for a daemon that comes later */
        text_buffer_init(&text, sizeof a->go);
        go.clock = *clock;
        go_write(&go, &text);
        if (text.status == ST_OK) memcpy(a->go, text.data, text.length);
        if (text.status == ST_OK) a->go_bytes = text.length;
        text_buffer_free(&text);
        (void)go_read(a, &go); /* its texts lie in a->go */
    }
    watch_set(a, &go);
    emit(a, a->standing_in ? ATTACH_STANDIN : ATTACH_DAEMON, line, length);
}

void attach_gui_line(struct attach *a, const char *line, size_t length, bool too_long, int64_t now_ms)
{
    struct usi_command command;
    usi_parse(&command, line, length);
    if (too_long) {
        emitf(a, ATTACH_GUI, "info string a line of more than %d bytes was refused", COORD_LINE_BYTES_MAX);
        return;
    }
    switch (command.type) {
    case USI_QUIT:
        emit(a, ATTACH_QUIT, "", 0);
        return;
    case USI_SETOPTION:
        take_setoption(a, &command, line, length);
        return;
    case USI_POSITION:
        take_position(a, &command, line, length);
        return;
    case USI_GO:
        take_go(a, &command, line, length, now_ms);
        return;
    case USI_PONDERHIT:
        take_ponderhit(a, &command, line, length, now_ms);
        return;
    case USI_STOP:
    case USI_GAMEOVER:
        if (a->going && !a->standing_in) a->watch_ms = now_ms + STOP_WATCH_MS;
        emit(a, a->going && a->standing_in ? ATTACH_STANDIN : other_side(a), line, length);
        return;
    case USI_USI:
        a->usi_asked++;
        break;
    case USI_ISREADY:
        a->ready_asked++;
        break;
    case USI_NOTHING:
    case USI_UNKNOWN:
    case USI_GETOPTION:
    case USI_USINEWGAME:
    case USI_DISPLAY:
        break;
    }
    emit(a, other_side(a), line, length);
}

/* ---- answers ---------------------------------------------------------------------------------------------------- */

static bool begins(const char *line, size_t length, const char *word)
{
    size_t bytes = strlen(word);
    return length >= bytes && memcmp(line, word, bytes) == 0 && (length == bytes || line[bytes] == ' ');
}

static bool is_answer(const char *line, size_t length)
{
    return begins(line, length, "bestmove") || begins(line, length, "checkmate");
}

static void go_over(struct attach *a)
{
    a->going = a->standing_in = false;
    a->watch_ms = a->end_ms = INT64_MAX;
}

/* usiok, readyok: as often as asked, whoever says it first. */
static bool owed_word(unsigned *asked)
{
    if (!*asked) return false;
    --*asked;
    return true;
}

void attach_daemon_line(struct attach *a, const char *line, size_t length)
{
    if (is_answer(line, length)) {
        if (a->daemon_owes) a->daemon_owes--;
        bool wanted = a->going && !a->standing_in && a->daemon_owes == 0;
        if (!wanted) {
            a->counters.late_answers++;
            return;
        }
        go_over(a);
    } else if (begins(line, length, "usiok")) {
        if (!owed_word(&a->usi_asked)) return;
    } else if (begins(line, length, "readyok")) {
        if (!owed_word(&a->ready_asked)) return;
    } else if (begins(line, length, "info") && a->daemon_owes > (a->going && !a->standing_in ? 1U : 0U)) {
        return; /* about a search that is answered already */
    }
    emit(a, ATTACH_GUI, line, length);
}

void attach_standin_line(struct attach *a, const char *line, size_t length)
{
    if (is_answer(line, length)) {
        if (a->standin_owes) a->standin_owes--;
        if (!a->going || !a->standing_in || a->standin_owes) return;
        go_over(a);
    } else if (begins(line, length, "usiok")) {
        if (!owed_word(&a->usi_asked)) return;
    } else if (begins(line, length, "readyok")) {
        if (!owed_word(&a->ready_asked)) return;
    } else if (a->connected || (begins(line, length, "info") && !(a->going && a->standing_in))) {
        return;
    }
    emit(a, ATTACH_GUI, line, length);
}

/* ---- the daemon comes and goes ---------------------------------------------------------------------------------- */

static void stand_in(struct attach *a, int64_t now_ms)
{
    a->standing_in = true;
    a->standin_owes++;
    go_again(a, ATTACH_STANDIN, now_ms);
}

void attach_lost(struct attach *a, int64_t now_ms)
{
    if (!a->connected) return;
    a->connected = false;
    a->daemon_owes = 0;
    a->counters.losses++;
    emitf(a, ATTACH_GUI, "info string the cluster's coordinator is gone; playing alone until it is back");
    for (unsigned i = 0; i < a->usi_asked; i++) emitf(a, ATTACH_STANDIN, "usi");
    for (unsigned i = 0; i < a->ready_asked; i++) emitf(a, ATTACH_STANDIN, "isready");
    if (a->going && !a->standing_in) stand_in(a, now_ms);
}

void attach_connected(struct attach *a, int64_t now_ms)
{
    if (a->connected) return;
    a->connected = true;
    a->daemon_owes = 0;
    for (size_t at = 0; at < a->settings_bytes;) {
        const char *end = memchr(a->settings + at, '\n', a->settings_bytes - at);
        size_t bytes = (size_t)(end - (a->settings + at));
        emit(a, ATTACH_DAEMON, a->settings + at, bytes);
        at += bytes + 1;
    }
    for (unsigned i = 0; i < a->usi_asked; i++) emitf(a, ATTACH_DAEMON, "usi");
    for (unsigned i = 0; i < a->ready_asked; i++) emitf(a, ATTACH_DAEMON, "isready");
    if (a->position_bytes) emit(a, ATTACH_DAEMON, a->position, a->position_bytes);
    if (a->counters.losses) emitf(a, ATTACH_GUI, "info string the cluster's coordinator is back");
    if (!a->going || (a->end_ms != INT64_MAX && a->end_ms - now_ms < HANDOVER_LEFT_MS)) return;
    a->counters.handovers++;
    if (a->standing_in) emitf(a, ATTACH_STANDIN, "stop"); /* its answer is one of those that are dropped */
    a->standing_in = false;
    a->daemon_owes++;
    go_again(a, ATTACH_DAEMON, now_ms);
}

void attach_tick(struct attach *a, int64_t now_ms)
{
    if (!a->going || a->standing_in || now_ms < a->watch_ms) return;
    struct usi_go go;
    a->counters.rescues++;
    emitf(a, ATTACH_GUI, "info string the cluster's coordinator does not answer; answering without it");
    if (go_read(a, &go) && go.mate) {
        emitf(a, ATTACH_GUI, "checkmate timeout");
        go_over(a);
        return;
    }
    a->standing_in = true;
    a->standin_owes++;
    emitf(a, ATTACH_STANDIN, "go movetime 1");
    emitf(a, ATTACH_DAEMON, "stop"); /* should it ever wake up */
}

int64_t attach_deadline_ms(const struct attach *a) { return a->going && !a->standing_in ? a->watch_ms : INT64_MAX; }
