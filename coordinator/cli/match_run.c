#include "coordinator/cli/match_run.h"

#include "common/net/clock.h"
#include "common/shogi/movetext.h"
#include "coordinator/cli/match_report.h"
#include "coordinator/cli/match_seat.h"
#include "coordinator/cli/progress.h"
#include "coordinator/core/match_plan.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

enum { FAILURES_MAX = 3, POSITION_BYTES = SFEN_BYTES_MAX + 32 + HISTORY_MAX * 6, QUIT_MS = 3000, BAR_MS = 500 };

enum slot_phase { SLOT_EMPTY, SLOT_PREPARING, SLOT_PLAYING, SLOT_ENDING };

struct slot {
    enum slot_phase phase;
    struct seat seats[2]; /* by engine */
    struct match_pairing pairing;
    struct referee referee;
    struct match_clock clocks[COLOR_COUNT];
    struct game_record record;
    char position[POSITION_BYTES];   /* the `position` line of the game so far */
    size_t position_bytes, moves_at; /* where the text of the first move stands */
    struct move_note notes[HISTORY_MAX];
    char illegal[DIALOGUE_MOVE_BYTES]; /* the answer that was no legal move */
};

struct run {
    const struct match_config *config;
    const struct match_openings *openings;
    struct match_results *results;
    struct match_games *games;
    FILE *log;
    struct match_totals *totals;
    struct match_outcome *outcome;

    struct match_plan plan;
    uint32_t next_game; /* all before it are played or being played */
    struct slot *slots;
    unsigned slot_count;
    bool stopping;
    bool introduced[2]; /* profile and options were told to the user */
    int signal_fd;
    bool terminal, line_drawn; /* the progress line on stderr */
    int64_t start_us, line_at_us;
    uint32_t played; /* in this session */
};

static Color color_of(const struct slot *slot, unsigned engine)
{
    return engine == slot->pairing.black_engine ? BLACK : WHITE;
}

static unsigned engine_of(const struct slot *slot, Color color)
{
    return color == BLACK ? slot->pairing.black_engine : 1 - slot->pairing.black_engine;
}

static void stop_run(struct run *run, enum match_stop why)
{
    if (run->stopping) return;
    run->stopping = true;
    run->outcome->stop = why;
}

/* ---- what the user sees -------------------------------------------------------------------------------------------
 */

static void show_progress(struct run *run, bool game_ended)
{
    if (run->config->quiet) return;
    int64_t now_us = clock_now_us();
    if (now_us < run->line_at_us || (!run->terminal && !game_ended)) return;
    run->line_at_us = now_us + (run->terminal ? BAR_MS : run->config->progress_ms) * 1000;
    char score[160], eta[16] = "?";
    match_report_line(run->config, run->totals, score, sizeof score);
    uint32_t done = match_score_games(&run->totals->score), left = run->totals->games - done;
    int64_t elapsed_ms = (now_us - run->start_us) / 1000 + 1;
    if (run->played > 0) progress_duration(elapsed_ms * left / run->played, eta);
    fprintf(stderr, "%smatch %" PRIu32 "/%" PRIu32 "  %s  %.1f games/min  ETA %s%s", run->terminal ? "\r" : "", done,
            run->totals->games, score, 60000.0 * run->played / (double)elapsed_ms, eta,
            run->terminal ? "\033[K" : "\n");
    run->line_drawn = run->terminal;
}

static void clear_line(struct run *run)
{
    if (run->line_drawn) fputs("\r\033[K", stderr);
    run->line_drawn = false;
}

static void say(struct run *run, const struct slot *slot, unsigned engine, const char *what)
{
    clear_line(run);
    fprintf(stderr, "murakumo match: %s", run->config->engines[engine].name);
    if (slot->phase == SLOT_PLAYING || slot->phase == SLOT_ENDING)
        fprintf(stderr, ", game %" PRIu32, slot->record.game + 1);
    fprintf(stderr, ": %s\n", what);
}

/* ---- bringing engines up ------------------------------------------------------------------------------------------
 */

static void start_seat(struct run *run, struct slot *slot, unsigned engine)
{
    struct seat *seat = &slot->seats[engine];
    if (run->stopping) return;
    if (seat_start(seat, &run->config->engines[engine], run->config, clock_now_us())) return;
    char what[200];
    snprintf(what, sizeof what, "cannot start %s: %s", run->config->engines[engine].argv[0], strerror(errno));
    say(run, slot, engine, what);
    stop_run(run, MATCH_STOP_ENGINE);
}

/* It did not come up, or died while it had nothing to do. */
static void seat_failed(struct run *run, struct slot *slot, unsigned engine, const char *why)
{
    struct seat *seat = &slot->seats[engine];
    char what[200];
    bool was_idle = seat->state == SEAT_IDLE || seat->state == SEAT_SEATED;
    seat_kill(seat);
    snprintf(what, sizeof what, "%s (%s)", why, seat->player.exit_text);
    say(run, slot, engine, what);
    if (was_idle) run->outcome->idle_crashes[engine]++;
    if (++seat->failures >= FAILURES_MAX) {
        stop_run(run, MATCH_STOP_ENGINE);
        return;
    }
    run->outcome->restarts[engine]++;
    start_seat(run, slot, engine);
}

static void introduce(struct run *run, struct slot *slot, unsigned engine)
{
    struct seat *seat = &slot->seats[engine];
    const struct match_engine_config *config = &run->config->engines[engine];
    snprintf(run->outcome->id_names[engine], DIALOGUE_ID_BYTES, "%s", seat->player.dialogue.id_name);
    run->outcome->profiles[engine] = seat->profile;
    clear_line(run);
    if (!run->config->quiet)
        fprintf(stderr, "%s is \"%s\", profile %s: %s\n", config->name, seat->player.dialogue.id_name,
                seat->profile->name, seat->profile->note);
    const struct match_limits *limits = &config->limits;
    int64_t move_ms = limits->movetime_ms ? limits->movetime_ms : limits->byoyomi_ms + limits->inc_ms;
    if (move_ms > 0 && move_ms < seat->profile->move_ms_min)
        fprintf(stderr,
                "%s: does not keep limits below %" PRId64 " ms; it will lose on time or, with --lenient, be late\n",
                config->name, seat->profile->move_ms_min);
}

static void seat_known(struct run *run, struct slot *slot, unsigned engine)
{
    struct seat *seat = &slot->seats[engine];
    char why[160];
    if (match_profile_check(seat->profile, &run->config->engines[engine].limits, why, sizeof why) != ST_OK) {
        say(run, slot, engine, why);
        stop_run(run, MATCH_STOP_LIMITS);
        return;
    }
    bool first = !run->introduced[engine];
    run->introduced[engine] = true;
    if (first) introduce(run, slot, engine);
    seat_configure(seat, &run->config->engines[engine], run->config, first, clock_now_us());
}

/* ---- games --------------------------------------------------------------------------------------------------------
 */

static void prepare_slot(struct run *run, struct slot *slot)
{
    slot->phase = SLOT_EMPTY;
    while (run->next_game < run->totals->games && run->totals->half_points[run->next_game] >= 0) run->next_game++;
    if (run->stopping || run->next_game >= run->totals->games) return;
    slot->phase = SLOT_PREPARING;
    memset(&slot->record, 0, sizeof slot->record);
    slot->record.game = run->next_game++;
    slot->pairing = match_plan_game(&run->plan, slot->record.game);
    slot->record.opening = slot->pairing.opening;
    slot->record.black_engine = slot->pairing.black_engine;
    for (unsigned i = 0; i < 2; i++) {
        if (slot->seats[i].state == SEAT_DOWN) {
            run->outcome->restarts[i] += slot->seats[i].player.exit_text[0] != 0;
            start_seat(run, slot, i);
        } else if (slot->seats[i].state == SEAT_IDLE) {
            seat_invite(&slot->seats[i], run->config, clock_now_us());
        }
    }
}

static void position_add(struct slot *slot, const char *text, size_t bytes)
{
    assert(slot->position_bytes + bytes < POSITION_BYTES);
    memcpy(slot->position + slot->position_bytes, text, bytes);
    slot->position_bytes += bytes;
    slot->position[slot->position_bytes] = 0;
}

static void position_add_move(struct slot *slot, Move move)
{
    char text[MOVETEXT_BYTES_MAX + 1] = " ";
    size_t bytes = movetext_to_usi(move, text + 1);
    position_add(slot, text, bytes + 1);
}

static void position_begin(struct slot *slot)
{
    char sfen[SFEN_BYTES_MAX];
    size_t bytes = sfen_write(&slot->referee.start, sfen);
    slot->position_bytes = 0;
    position_add(slot, "position sfen ", 14);
    position_add(slot, sfen, bytes);
    position_add(slot, " moves", 6);
    slot->moves_at = slot->position_bytes + 1;
    for (uint32_t i = 0; i < slot->referee.move_count; i++) position_add_move(slot, slot->referee.moves[i]);
}

static void let_think(struct run *run, struct slot *slot)
{
    Color side = slot->referee.position.side;
    unsigned engine = engine_of(slot, side);
    struct seat *seat = &slot->seats[engine];
    char go[MATCH_GO_BYTES_MAX];
    match_profile_go(seat->profile, slot->clocks, side, go);
    int64_t allowed_us = match_clock_allowed_us(&slot->clocks[side]);
    int64_t patience_ms = run->config->lenient ? run->config->hang_ms : run->config->margin_ms;
    int64_t think_us = allowed_us == INT64_MAX ? run->config->unlimited_ms * 1000 : allowed_us + patience_ms * 1000;
    seat_think(seat, slot->position, go, think_us, clock_now_us());
}

static void begin_game(struct run *run, struct slot *slot)
{
    const char *opening = run->openings->lines[slot->pairing.opening];
    enum status st = referee_start(&slot->referee, &run->config->rules, opening, strlen(opening), NULL);
    assert(st == ST_OK); /* looked at before the match */
    slot->phase = SLOT_PLAYING;
    slot->illegal[0] = 0;
    for (unsigned i = 0; i < 2; i++) slot->seats[i].cpu_ms_before = usi_player_cpu_ms(&slot->seats[i].player);
    for (Color color = BLACK; color < COLOR_COUNT; color++)
        match_clock_start(&slot->clocks[color], &run->config->engines[engine_of(slot, color)].limits);
    position_begin(slot);
    let_think(run, slot);
}

static bool write_record(struct run *run, struct slot *slot)
{
    const struct match_game_text text = {
        .black = run->config->engines[engine_of(slot, BLACK)].name,
        .white = run->config->engines[engine_of(slot, WHITE)].name,
        .game = slot->record.game,
        .illegal = slot->illegal,
        .notes = slot->notes,
    };
    return match_games_write(run->games, &slot->referee, &text);
}

/* The game is over and nobody thinks any more. */
static void finish_game(struct run *run, struct slot *slot)
{
    const struct referee_verdict verdict = slot->referee.verdict;
    slot->record.end = verdict.end;
    slot->record.winner = verdict.winner;
    slot->record.plies = slot->referee.move_count - slot->referee.opening_count;
    for (unsigned i = 0; i < 2; i++) {
        struct seat *seat = &slot->seats[i];
        seat_tell_faults(seat, slot->record.sides[i].faults);
        /* A process that was killed has taken its figure with it. */
        bool same_process = seat->state == SEAT_SEATED || seat->state == SEAT_IDLE;
        slot->record.sides[i].cpu_ms = same_process ? usi_player_cpu_ms(&seat->player) - seat->cpu_ms_before : -1;
        if (seat->state == SEAT_SEATED) seat->state = SEAT_IDLE;
        if (seat->state != SEAT_IDLE) continue;
        usi_player_send(&seat->player, verdict.winner == REFEREE_NOBODY      ? "gameover draw"
                                       : verdict.winner == color_of(slot, i) ? "gameover win"
                                                                             : "gameover lose");
    }
    char sfen[SFEN_BYTES_MAX];
    sfen_write(&slot->referee.start, sfen);
    const char *moves = slot->moves_at <= slot->position_bytes ? slot->position + slot->moves_at : "";
    if (!match_results_append(run->results, &slot->record, sfen, moves) || !write_record(run, slot)) {
        stop_run(run, MATCH_STOP_IO);
        return;
    }
    match_totals_add(run->totals, &slot->record, run->config->network_delay_ms * 1000);
    run->played++;
    show_progress(run, true);
    if (run->config->sprt_on && match_stats_sprt(&run->totals->score, &run->config->sprt).verdict != SPRT_CONTINUE)
        stop_run(run, MATCH_STOP_SPRT);
    prepare_slot(run, slot);
}

/* Done once in each round of the loop, so that all that an engine said behind its last move counts for the game. */
static void try_finish(struct run *run, struct slot *slot)
{
    if (slot->phase != SLOT_ENDING || slot->seats[0].state == SEAT_STOPPING || slot->seats[1].state == SEAT_STOPPING)
        return;
    finish_game(run, slot);
}

/* The referee has a verdict. Who still thinks is stopped; who broke the rules or died starts afresh. */
static void end_game(struct run *run, struct slot *slot)
{
    slot->phase = SLOT_ENDING;
    enum game_end end = slot->referee.verdict.end;
    bool restart = end == GAME_ILLEGAL_MOVE || end == GAME_FALSE_DECLARATION || end == GAME_HANG || end == GAME_CRASH;
    for (unsigned i = 0; i < 2; i++) {
        bool lost = slot->referee.verdict.winner == color_other(color_of(slot, i));
        if (restart && lost)
            seat_kill(&slot->seats[i]);
        else if (slot->seats[i].state == SEAT_THINKING)
            seat_stop(&slot->seats[i], run->config, clock_now_us());
    }
}

static void forfeit(struct run *run, struct slot *slot, unsigned engine, enum game_end reason, const char *what)
{
    say(run, slot, engine, what);
    referee_forfeit(&slot->referee, color_of(slot, engine), reason);
    end_game(run, slot);
}

static void take_answer(struct run *run, struct slot *slot, unsigned engine)
{
    struct seat *seat = &slot->seats[engine];
    const struct usi_dialogue *dialogue = &seat->player.dialogue;
    struct side_record *side = &slot->record.sides[engine];
    struct match_clock *clock = &slot->clocks[color_of(slot, engine)];
    int64_t elapsed_us = seat_answer_us(seat), allowed_us = match_clock_allowed_us(clock);
    side->moves++;
    side->time_us += elapsed_us;
    side->nodes += dialogue->info.nodes;
    if (dialogue->info.depth_plies > 0) {
        side->depth_moves++;
        side->depth_plies_sum += (uint64_t)dialogue->info.depth_plies;
    }
    if (allowed_us != INT64_MAX) {
        side->limited_moves++;
        side_record_add_late(side, elapsed_us - allowed_us);
        if (elapsed_us - allowed_us > run->config->margin_ms * 1000 && !run->config->lenient) {
            char what[120];
            snprintf(what, sizeof what, "time loss: %.1f ms of %.1f ms", (double)elapsed_us / 1000,
                     (double)allowed_us / 1000);
            forfeit(run, slot, engine, GAME_TIME, what);
            return;
        }
    }
    match_clock_charge(clock, elapsed_us);
    const int *score_cp = dialogue->info.has_score ? &dialogue->info.score_cp : NULL;
    uint32_t moves_before = slot->referee.move_count;
    struct referee_verdict verdict =
        referee_play(&slot->referee, dialogue->bestmove, strlen(dialogue->bestmove), score_cp);
    if (slot->referee.move_count > moves_before) {
        position_add_move(slot, slot->referee.moves[moves_before]);
        slot->notes[moves_before - slot->referee.opening_count] = (struct move_note){
            .time_ms = elapsed_us < INT32_MAX ? (int32_t)((elapsed_us + 500) / 1000) : INT32_MAX / 1000,
            .score_cp = dialogue->info.score_cp,
            .has_score = dialogue->info.has_score,
        };
    }
    if (verdict.end == GAME_ILLEGAL_MOVE || verdict.end == GAME_FALSE_DECLARATION) {
        char what[SFEN_BYTES_MAX + 80], sfen[SFEN_BYTES_MAX];
        sfen_write(&slot->referee.position, sfen);
        snprintf(what, sizeof what, "%s `%s` in %s", game_end_word(verdict.end), dialogue->bestmove, sfen);
        say(run, slot, engine, what);
        snprintf(slot->illegal, sizeof slot->illegal, "%s", dialogue->bestmove);
    }
    if (verdict.end == GAME_RUNNING)
        let_think(run, slot);
    else
        end_game(run, slot);
}

/* ---- events of seats ----------------------------------------------------------------------------------------------
 */

static void seat_at_rest(struct run *run, struct slot *slot, unsigned engine)
{
    struct seat *seat = &slot->seats[engine];
    if (slot->phase == SLOT_PREPARING) {
        seat_invite(seat, run->config, clock_now_us());
    } else if (slot->phase == SLOT_ENDING) {
        int64_t allowed_us = match_clock_allowed_us(&slot->clocks[color_of(slot, engine)]);
        struct side_record *side = &slot->record.sides[engine];
        if (slot->referee.verdict.end == GAME_TIME && allowed_us != INT64_MAX &&
            slot->referee.verdict.winner == color_other(color_of(slot, engine))) {
            side->moves++;
            side->limited_moves++;
            side->time_us += seat_answer_us(seat);
            side_record_add_late(side, seat_answer_us(seat) - allowed_us);
        }
    }
}

static void seat_ready(struct run *run, struct slot *slot)
{
    bool both = slot->seats[0].state == SEAT_SEATED && slot->seats[1].state == SEAT_SEATED;
    if (slot->phase == SLOT_PREPARING && both) begin_game(run, slot);
}

static void take_lines(struct run *run, struct slot *slot, unsigned engine)
{
    struct seat *seat = &slot->seats[engine];
    const char *line;
    size_t bytes;
    while (!run->stopping && usi_player_next_line(&seat->player, &line, &bytes)) {
        switch (seat_line(seat, line, bytes)) {
        case SEAT_KNOWN:
            seat_known(run, slot, engine);
            break;
        case SEAT_AT_REST:
            seat_at_rest(run, slot, engine);
            break;
        case SEAT_READY:
            seat_ready(run, slot);
            break;
        case SEAT_ANSWERED:
            take_answer(run, slot, engine);
            break;
        case SEAT_NOTHING:
            break;
        }
    }
}

/* Its output has ended: the process is dead or wants to be. */
static void seat_died(struct run *run, struct slot *slot, unsigned engine)
{
    struct seat *seat = &slot->seats[engine];
    switch (seat->state) {
    case SEAT_SEATED:
        if (slot->phase != SLOT_PLAYING) {
            seat_failed(run, slot, engine, "ended outside a game");
            break;
        }
        /* fall through */
    case SEAT_THINKING: {
        char what[120];
        seat_kill(seat);
        snprintf(what, sizeof what, "crash (%s)", seat->player.exit_text);
        forfeit(run, slot, engine, GAME_CRASH, what);
        break;
    }
    case SEAT_STOPPING:
        seat_kill(seat);
        break;
    case SEAT_HANDSHAKE:
        seat_failed(run, slot, engine, "ended without usiok");
        break;
    case SEAT_SETUP:
    case SEAT_PINGING:
        seat_failed(run, slot, engine, "ended without readyok");
        break;
    case SEAT_IDLE:
        seat_failed(run, slot, engine, "ended between games");
        break;
    case SEAT_DOWN:
        break;
    }
}

static void seat_expired(struct run *run, struct slot *slot, unsigned engine)
{
    struct seat *seat = &slot->seats[engine];
    switch (seat->state) {
    case SEAT_HANDSHAKE:
        seat_failed(run, slot, engine, "no usiok in time");
        break;
    case SEAT_SETUP:
    case SEAT_PINGING:
        seat_failed(run, slot, engine, "no readyok in time");
        break;
    case SEAT_THINKING:
        if (seat->player.go_queued || seat->player.stuck) {
            forfeit(run, slot, engine, GAME_HANG, "hang: does not read its input");
        } else {
            /* Lost; whether it is slow or hangs is seen when it is told to stop. */
            forfeit(run, slot, engine, GAME_TIME, "time loss: no answer yet, stop is sent");
        }
        break;
    case SEAT_STOPPING:
        if (slot->referee.verdict.winner == color_other(color_of(slot, engine)) &&
            slot->referee.verdict.end == GAME_TIME) {
            say(run, slot, engine, "hang: no bestmove after stop");
            slot->referee.verdict.end = GAME_HANG;
        } else {
            say(run, slot, engine, "no bestmove after stop; started afresh");
        }
        seat_kill(seat);
        break;
    case SEAT_DOWN:
    case SEAT_IDLE:
    case SEAT_SEATED:
        break;
    }
}

/* ---- the loop -----------------------------------------------------------------------------------------------------
 */

static struct seat *seat_at(struct run *run, unsigned index) { return &run->slots[index / 2].seats[index % 2]; }

/* fds[0] is the signal descriptor; seat i has fds[1 + 2i] (its output) and fds[2 + 2i] (its input). */
static void wait_for_input(struct run *run, struct pollfd *fds)
{
    unsigned seats = run->slot_count * 2;
    int64_t deadline_us = INT64_MAX;
    fds[0] = (struct pollfd){.fd = run->signal_fd, .events = POLLIN};
    for (unsigned i = 0; i < seats; i++) {
        const struct seat *seat = seat_at(run, i);
        fds[1 + 2 * i] = (struct pollfd){.fd = seat->player.from_fd, .events = POLLIN};
        fds[2 + 2 * i] = (struct pollfd){.fd = seat->player.out_used > 0 ? seat->player.to_fd : -1, .events = POLLOUT};
        int64_t seat_us = seat_deadline_us(seat, run->config);
        if (seat_us < deadline_us) deadline_us = seat_us;
    }
    int64_t now_us = clock_now_us();
    int64_t wait_us = deadline_us == INT64_MAX ? INT64_MAX : deadline_us > now_us ? deadline_us - now_us : 0;
    if (run->terminal && wait_us > BAR_MS * 1000) wait_us = BAR_MS * 1000; /* the line on the terminal moves on */
    struct timespec timeout = {.tv_sec = wait_us / 1000000, .tv_nsec = wait_us % 1000000 * 1000};
    int ready = ppoll(fds, 1 + 2 * (nfds_t)seats, wait_us == INT64_MAX ? NULL : &timeout, NULL);
    if (ready < 0)
        for (unsigned i = 0; i <= 2 * seats; i++) fds[i].revents = 0;
}

static void play(struct run *run, struct pollfd *fds)
{
    unsigned seats = run->slot_count * 2;
    while (!run->stopping) {
        bool busy = false;
        for (unsigned i = 0; i < run->slot_count; i++) busy |= run->slots[i].phase != SLOT_EMPTY;
        if (!busy) {
            stop_run(run, MATCH_STOP_COMPLETE);
            break;
        }
        wait_for_input(run, fds);
        struct signalfd_siginfo info;
        if (fds[0].revents && read(run->signal_fd, &info, sizeof info) > 0) stop_run(run, MATCH_STOP_INTERRUPT);
        for (unsigned i = 0; i < seats; i++) { /* stamps first */
            if (fds[2 + 2 * i].revents) usi_player_flush(&seat_at(run, i)->player);
            if (fds[1 + 2 * i].revents) usi_player_read(&seat_at(run, i)->player);
        }
        for (unsigned i = 0; i < seats; i++) {
            struct slot *slot = &run->slots[i / 2];
            struct seat *seat = seat_at(run, i);
            take_lines(run, slot, i % 2);
            if (!run->stopping && seat->player.eof && seat->player.pid > 0) seat_died(run, slot, i % 2);
        }
        int64_t now_us = clock_now_us();
        for (unsigned i = 0; i < seats && !run->stopping; i++)
            if (seat_deadline_us(seat_at(run, i), run->config) <= now_us) seat_expired(run, &run->slots[i / 2], i % 2);
        for (unsigned i = 0; i < run->slot_count && !run->stopping; i++) try_finish(run, &run->slots[i]);
        show_progress(run, false);
    }
}

/* Asks all engines to quit, waits a moment for their ends, kills the rest. */
static void quit_engines(struct run *run, struct pollfd *fds)
{
    unsigned seats = run->slot_count * 2;
    int64_t until_us = clock_now_us() + QUIT_MS * 1000;
    for (unsigned i = 0; i < seats; i++) {
        struct seat *seat = seat_at(run, i);
        if (seat->state == SEAT_THINKING) usi_player_send(&seat->player, "stop");
        usi_player_send(&seat->player, "quit");
    }
    for (;;) {
        nfds_t open = 0;
        fds[open++] = (struct pollfd){.fd = run->signal_fd, .events = POLLIN};
        for (unsigned i = 0; i < seats; i++) {
            struct usi_player *player = &seat_at(run, i)->player;
            usi_player_flush(player);
            usi_player_read(player);
            player->in_used = player->in_start = 0;
            if (player->pid > 0 && !player->eof) fds[open++] = (struct pollfd){.fd = player->from_fd, .events = POLLIN};
        }
        int64_t left_us = until_us - clock_now_us();
        if (open == 1 || left_us <= 0) break;
        if (poll(fds, open, (int)(left_us / 1000 + 1)) > 0 && fds[0].revents)
            break; /* Ctrl-C, the second one perhaps */
    }
    for (unsigned i = 0; i < seats; i++) seat_kill(seat_at(run, i));
}

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof ending_signals[0] };

static bool block_signals(struct run *run, sigset_t *before)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < ENDING_SIGNALS; i++) sigaddset(&set, ending_signals[i]);
    sigprocmask(SIG_BLOCK, &set, before);
    run->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return run->signal_fd >= 0;
}

/* The games are over and the summary takes no time: a signal that comes twice must not cost it (timeout(1) tells the
 * program, then its whole group). */
static void unblock_signals(struct run *run, const sigset_t *before)
{
    for (size_t i = 0; i < ENDING_SIGNALS; i++) signal(ending_signals[i], SIG_IGN);
    if (run->signal_fd >= 0) close(run->signal_fd);
    sigprocmask(SIG_SETMASK, before, NULL);
}

void match_run(const struct match_config *config, const struct match_openings *openings, struct match_results *results,
               struct match_games *games, struct match_totals *totals, struct match_outcome *outcome)
{
    struct run run = {.config = config,
                      .openings = openings,
                      .results = results,
                      .games = games,
                      .totals = totals,
                      .outcome = outcome,
                      .signal_fd = -1};
    uint32_t missing = totals->games - match_score_games(&totals->score);
    *outcome = (struct match_outcome){.stop = MATCH_STOP_IO};
    run.slot_count = missing < config->concurrency ? missing : config->concurrency;
    run.slots = calloc(run.slot_count + 1u, sizeof *run.slots);
    uint32_t *order = calloc(openings->count, sizeof *order);
    struct pollfd *fds = calloc(1 + 4 * (size_t)run.slot_count, sizeof *fds);
    if (config->log_path && !(run.log = fopen(config->log_path, "we")))
        fprintf(stderr, "murakumo match: %s: %s\n", config->log_path, strerror(errno));
    sigset_t before;
    struct sigaction ignore = {.sa_handler = SIG_IGN}, pipe_before;
    sigaction(SIGPIPE, &ignore, &pipe_before); /* a dead engine's pipe answers EPIPE */
    bool signals = block_signals(&run, &before);
    /* Who keeps the clock should be woken first; not being allowed to is no harm. The engines keep the old level. */
    int nice_level = getpriority(PRIO_PROCESS, 0);
    setpriority(PRIO_PROCESS, 0, nice_level - 10);
    if (run.slots && order && fds && signals && (run.log || !config->log_path)) {
        match_plan_init(&run.plan, order, openings->count, config->seed);
        for (unsigned i = 0; i < run.slot_count; i++)
            for (unsigned engine = 0; engine < 2; engine++) {
                char tag[16];
                snprintf(tag, sizeof tag, "%u%c", i + 1, engine ? 'B' : 'A');
                seat_init(&run.slots[i].seats[engine], tag, run.log);
                run.slots[i].seats[engine].player.nice_level = nice_level;
            }
        run.start_us = clock_now_us();
        run.terminal = isatty(STDERR_FILENO) == 1 && !config->quiet;
        run.line_at_us = run.start_us + (run.terminal ? 2000 : config->progress_ms) * 1000;
        if (config->sprt_on && match_stats_sprt(&totals->score, &config->sprt).verdict != SPRT_CONTINUE)
            stop_run(&run, MATCH_STOP_SPRT);
        for (unsigned i = 0; i < run.slot_count; i++) prepare_slot(&run, &run.slots[i]);
        play(&run, fds);
        quit_engines(&run, fds);
        clear_line(&run);
        double seconds = (double)(clock_now_us() - run.start_us) / 1e6;
        outcome->games_per_second = seconds > 0 ? run.played / seconds : 0;
    }
    unblock_signals(&run, &before);
    sigaction(SIGPIPE, &pipe_before, NULL);
    setpriority(PRIO_PROCESS, 0, nice_level);
    if (run.log) fclose(run.log);
    free(run.slots);
    free(order);
    free(fds);
}
