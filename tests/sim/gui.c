/* gui.c - the GUI of the simulator: asks, stops, ponders, and keeps the books on what it was promised.
 *
 * The books are kept from lines alone. A promise is written as the sentence that a failure prints.
 */
#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "common/shogi/sfen.h"
#include "tests/sim/sim.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ASKS_MAX = 2, TEXT_MAX = 4096, SCAN_PLIES_MAX = 16, SCAN_ID = 77, JOBS_MAX = 64 };

enum kind { CLOCK, MOVETIME, DEPTH, NODES, INFINITE, PONDER, MATE, MATE_INFINITE, KIND_COUNT };

struct ask { /* one `go` that has not been answered */
    enum kind kind;
    bool held;        /* it may not be answered yet */
    bool interrupted; /* stop, gameover or another go came */
    bool patient;     /* the GUI waits for its end, however long it takes */
    int64_t asked_us;
    int64_t limit_us;    /* to be answered by then; INT64_MAX = no clock */
    int64_t patience_us; /* without a clock and without faults: by then */
    struct position pos;
    bool playable; /* both kings, position accepted */
    Move allowed[MOVES_MAX];
    size_t allowed_count; /* 0 = all */
    uint64_t amount;      /* of depth, nodes */
    Move shown;           /* pv[0] of the last line that was no upper bound */
    bool shown_truth;     /* that line came from a worker */
    uint64_t nodes;       /* largest number shown */
    bool mate_seen;       /* a worker has proved a mate in one */
    uint64_t epoch;       /* of its jobs; 0 = none seen */
    uint32_t jobs[JOBS_MAX];
    uint64_t job_nodes[JOBS_MAX];
    unsigned job_count;
};

enum stage { SAYS_USI, SAYS_ISREADY, WAITS_READY, BETWEEN, WAITS_ANSWER, WAITS_SCAN, QUIET, QUITS };

struct gui {
    struct sim *sim;
    struct prng prng;
    enum stage stage;
    int64_t due_us; /* next act of its own */
    struct ask asks[ASKS_MAX];
    unsigned ask_count;
    uint64_t asked, answered, gos_left;
    unsigned usiok, readyok, ready_asked;
    int64_t spoken_us; /* last line of any kind */
    int64_t ready_us;
    int64_t delay2_ms;
    int64_t multipv;

    /* a game that is being played; games_done counts the finished ones */
    struct position game_pos;
    char game_text[TEXT_MAX];
    unsigned game_plies;
    uint64_t games_done;
    int64_t latest_us; /* smallest rest of a clock at an answer */

    bool scan_asked, scan_over;
    struct position scan_pos[SCAN_PLIES_MAX + 1];
    bool scan_seen[SCAN_PLIES_MAX + 1];
    uint32_t scan_last, scan_depth;
    unsigned scan_count;
    int64_t pause_checked_us;
};

static bool honest(const struct gui *gui) { return !gui->sim->plan.liars && !gui->sim->plan.blind; }
static bool calm(const struct gui *gui) { return gui->sim->plan.chaos_us <= 1000000 && honest(gui); }

struct gui *gui_new(struct sim *sim)
{
    struct gui *gui = calloc(1, sizeof *gui);
    assert(gui);
    gui->sim = sim;
    gui->prng = prng_make(prng_next(&sim->prng));
    gui->gos_left = sim->plan.gos;
    gui->latest_us = INT64_MAX;
    gui->due_us = sim->now_us + 1000;
    return gui;
}

void gui_free(struct gui *gui) { free(gui); }
int64_t gui_next_us(const struct gui *gui) { return gui->due_us; }
uint64_t gui_gos(const struct gui *gui) { return gui->asked; }
uint64_t gui_games(const struct gui *gui) { return gui->games_done; }
int64_t gui_latest_us(const struct gui *gui) { return gui->latest_us; }
bool gui_is_done(const struct gui *gui) { return gui->stage == QUITS; }

/* ---- positions --------------------------------------------------------------------------------------------------- */

/* A random walk from one of the toy's starts; text of the `position` command. */
static void walk(struct gui *gui, const char *start, unsigned plies, struct position *pos, struct position *all,
                 char text[TEXT_MAX])
{
    enum status status = sfen_read(pos, start, strlen(start), NULL, NULL);
    assert(status == ST_OK);
    if (all) all[0] = *pos;
    size_t used = 0;
    text[0] = 0;
    for (unsigned i = 0; i < plies; i++) {
        Move moves[MOVES_MAX];
        size_t count = movegen_legal(pos, moves);
        if (count == 0) break;
        Move move = moves[prng_below(&gui->prng, (uint32_t)count)];
        if (used) text[used++] = ' ';
        used += movetext_to_usi(move, text + used);
        struct undo undo;
        position_do(pos, move, &undo);
        if (all) all[i + 1] = *pos;
    }
}

static void say_position(struct gui *gui, struct ask *ask, bool tsume)
{
    unsigned count = tsume ? toy_tsume_count() : toy_start_count();
    const char *start = toy_start(prng_below(&gui->prng, count));
    char moves[TEXT_MAX], line[2 * TEXT_MAX];
    unsigned plies = prng_below(&gui->prng, tsume ? 2 : 7);
    walk(gui, start, tsume && prng_chance(&gui->prng, 700) ? 0 : plies, &ask->pos, NULL, moves);
    ask->playable = ask->pos.king[BLACK] != SQUARE_NONE && ask->pos.king[WHITE] != SQUARE_NONE;
    bool spoiled = !tsume && prng_chance(&gui->prng, 30);
    if (spoiled) ask->playable = false;
    snprintf(line, sizeof line, "position %s%s%s%s%s", prng_chance(&gui->prng, 800) ? "sfen " : " \t", start,
             *moves || spoiled ? " moves " : "", moves, spoiled ? " 1a9i" : "");
    sim_say(gui->sim, line);
}

/* ---- asking ------------------------------------------------------------------------------------------------------ */

/* NetworkDelay2 is kept back, unless too little were left to think (allot.c). */
static int64_t cap_limit(const struct gui *gui, int64_t cap_ms)
{
    if (cap_ms < 20) cap_ms = 20;
    return cap_ms > gui->delay2_ms + 700 ? cap_ms - gui->delay2_ms : cap_ms;
}

/* Clock words and until when they let us think. */
static int64_t clock_words(struct gui *gui, Color side, char text[200])
{
    int64_t mine = 0, theirs = prng_range(&gui->prng, 0, 600000), cap_ms;
    uint32_t sort = prng_below(&gui->prng, 4);
    if (sort == 0) {
        int64_t byoyomi = prng_range(&gui->prng, 50, 1800);
        theirs = prng_chance(&gui->prng, 500) ? 0 : theirs;
        snprintf(text, 200, "btime %" PRId64 " wtime %" PRId64 " byoyomi %" PRId64, side == BLACK ? mine : theirs,
                 side == BLACK ? theirs : mine, byoyomi);
        cap_ms = byoyomi;
    } else if (sort == 1) {
        mine = prng_range(&gui->prng, 0, 30000);
        int64_t byoyomi = prng_range(&gui->prng, 100, 1000);
        snprintf(text, 200, "btime %" PRId64 " wtime %" PRId64 " byoyomi %" PRId64, side == BLACK ? mine : theirs,
                 side == BLACK ? theirs : mine, byoyomi);
        cap_ms = mine + byoyomi;
    } else if (sort == 2) {
        mine = prng_range(&gui->prng, 0, 20000);
        int64_t inc = prng_range(&gui->prng, 100, 2000);
        snprintf(text, 200, "btime %" PRId64 " wtime %" PRId64 " binc %" PRId64 " winc %" PRId64,
                 side == BLACK ? mine : theirs, side == BLACK ? theirs : mine, inc, inc);
        cap_ms = mine > inc ? mine : inc;
    } else {
        mine = prng_range(&gui->prng, 0, 20000);
        snprintf(text, 200, "btime %" PRId64 " wtime %" PRId64, side == BLACK ? mine : theirs,
                 side == BLACK ? theirs : mine);
        cap_ms = mine;
    }
    return cap_limit(gui, cap_ms);
}

static void add_searchmoves(struct gui *gui, struct ask *ask, char *line, size_t capacity)
{
    Move moves[MOVES_MAX];
    size_t count = movegen_legal(&ask->pos, moves), used = strlen(line);
    if (count < 2) return;
    used += (size_t)snprintf(line + used, capacity - used, " searchmoves");
    for (size_t i = 0; i < count && ask->allowed_count < 4; i++) {
        if (!prng_chance(&gui->prng, 500)) continue;
        char text[MOVETEXT_BYTES_MAX];
        movetext_to_usi(moves[i], text);
        used += (size_t)snprintf(line + used, capacity - used, " %s", text);
        ask->allowed[ask->allowed_count++] = moves[i];
    }
    if (ask->allowed_count == 0) ask->allowed_count = 0; /* an empty list means all moves */
}

static void say_go(struct gui *gui)
{
    struct sim *sim = gui->sim;
    assert(gui->ask_count < ASKS_MAX);
    struct ask *ask = &gui->asks[gui->ask_count];
    memset(ask, 0, sizeof *ask);
    ask->kind = (enum kind)prng_below(&gui->prng, KIND_COUNT);
    static const enum kind with_mates[] = {CLOCK, DEPTH, INFINITE, NODES};
    if (sim->plan.blind) ask->kind = with_mates[prng_below(&gui->prng, 4)];
    bool tsume = ask->kind == MATE || ask->kind == MATE_INFINITE || sim->plan.blind || prng_chance(&gui->prng, 100);
    say_position(gui, ask, tsume);
    char line[TEXT_MAX], words[200];
    int64_t limit_ms = -1;
    ask->asked_us = sim->now_us;
    ask->limit_us = ask->patience_us = INT64_MAX;
    switch (ask->kind) {
    case CLOCK:
        limit_ms = clock_words(gui, ask->pos.side, words);
        snprintf(line, sizeof line, "go %s", words);
        break;
    case MOVETIME:
        limit_ms = prng_range(&gui->prng, 1, 900);
        snprintf(line, sizeof line, "go movetime %" PRId64, limit_ms);
        break;
    case DEPTH:
        ask->amount = 1 + prng_below(&gui->prng, 6);
        if (gui->sim->plan.workers > 1 && (int)ask->amount > toy_depth(&ask->pos)) /* no engine ends before its depth */
            ask->amount = (uint64_t)toy_depth(&ask->pos);
        ask->patience_us = sim->now_us + 30000000;
        snprintf(line, sizeof line, "go depth %" PRIu64, ask->amount);
        break;
    case NODES:
        ask->amount = 1 + prng_below(&gui->prng, 3000);
        ask->patience_us = sim->now_us + 30000000;
        snprintf(line, sizeof line, "go nodes %" PRIu64, ask->amount);
        break;
    case INFINITE:
        snprintf(line, sizeof line, "go infinite");
        ask->held = true;
        break;
    case PONDER:
        if (prng_chance(&gui->prng, 500)) {
            clock_words(gui, ask->pos.side, words);
            snprintf(line, sizeof line, "go ponder %s", words);
        } else {
            snprintf(line, sizeof line, "go ponder");
        }
        ask->held = true;
        break;
    case MATE:
        limit_ms = prng_range(&gui->prng, 1, 2000);
        snprintf(line, sizeof line, "go mate %" PRId64, limit_ms);
        break;
    case MATE_INFINITE:
    case KIND_COUNT:
        snprintf(line, sizeof line, "go mate infinite");
        break;
    }
    bool mate = ask->kind == MATE || ask->kind == MATE_INFINITE;
    if (!mate && !ask->held && ask->playable && !sim->plan.blind && prng_chance(&gui->prng, 150))
        add_searchmoves(gui, ask, line, sizeof line);
    ask->patient = (ask->kind == DEPTH || ask->kind == NODES) && prng_chance(&gui->prng, 700);
    if (limit_ms >= 0) ask->limit_us = sim->now_us + limit_ms * 1000;
    gui->ask_count++;
    gui->asked++;
    gui->stage = WAITS_ANSWER;
    gui->due_us = sim->now_us + prng_range(&gui->prng, 0, 2500000); /* when it loses patience or hits the clock */
    sim_say(sim, line);
}

/* ---- whole games ----------------------------------------------------------------------------------------------------
 */

static void game_begin(struct gui *gui)
{
    const char *start = toy_start(toy_tsume_count() + prng_below(&gui->prng, toy_start_count() - toy_tsume_count()));
    enum status status = sfen_read(&gui->game_pos, start, strlen(start), NULL, NULL);
    assert(status == ST_OK);
    (void)status;
    snprintf(gui->game_text, sizeof gui->game_text, "position sfen %s moves", start);
    gui->game_plies = 0;
    sim_say(gui->sim, "usinewgame");
}

/* The next move of the game, with nothing but byoyomi. */
static void game_go(struct gui *gui)
{
    struct sim *sim = gui->sim;
    char line[80];
    if (gui->game_plies == 0) game_begin(gui);
    struct ask *ask = &gui->asks[gui->ask_count++];
    memset(ask, 0, sizeof *ask);
    ask->kind = CLOCK;
    ask->pos = gui->game_pos;
    ask->playable = true;
    ask->asked_us = sim->now_us;
    ask->patience_us = INT64_MAX;
    ask->limit_us = sim->now_us + 1000 * (int64_t)sim->plan.byoyomi_ms;
    gui->asked++;
    gui->stage = WAITS_ANSWER;
    gui->due_us = sim->now_us + 3600 * INT64_C(1000000);
    sim_say(sim, gui->game_text);
    snprintf(line, sizeof line, "go btime 0 wtime 0 byoyomi %u", sim->plan.byoyomi_ms);
    sim_say(sim, line);
}

static void game_answer(struct gui *gui, const struct ask *ask, const char *word, size_t length)
{
    int64_t rest_us = ask->limit_us - gui->sim->now_us;
    if (rest_us < gui->latest_us) gui->latest_us = rest_us;
    Move move = movetext_from_usi(&gui->game_pos, word, length);
    size_t used = strlen(gui->game_text);
    if (move == MOVE_NONE || ++gui->game_plies >= gui->sim->plan.game_plies ||
        used + length + 2 > sizeof gui->game_text) { /* over: resigned, won, long enough */
        gui->game_plies = 0;
        gui->games_done++;
        return;
    }
    snprintf(gui->game_text + used, sizeof gui->game_text - used, " %.*s", (int)length, word);
    struct undo undo;
    position_do(&gui->game_pos, move, &undo);
}

/* ---- what it does while it waits ----------------------------------------------------------------------------------
 */

static void must_be_answered_now(struct gui *gui, uint64_t answered_wanted, const char *what)
{
    if (gui->answered < answered_wanted) sim_break(gui->sim, "%s is answered in the same step", what);
}

static void interrupt(struct gui *gui)
{
    struct sim *sim = gui->sim;
    struct ask *ask = &gui->asks[0];
    if (!gui->ask_count) return;
    bool ends = ask->held || ask->kind == MATE_INFINITE || (!ask->patient && prng_chance(&gui->prng, 300));
    if (!ends) {
        if (prng_chance(&gui->prng, 100)) {
            gui->ready_asked++;
            sim_say(sim, "isready"); /* as a ping: at once, also in a search */
            if (gui->readyok != gui->ready_asked) sim_break(sim, "isready is answered at once during a search");
        }
        gui->due_us = sim->now_us + 3000000;
        return;
    }
    if (ask->kind == PONDER && ask->held && prng_chance(&gui->prng, 600)) {
        char words[200], line[240];
        ask->held = false;
        if (prng_chance(&gui->prng, 700)) {
            int64_t limit_ms = clock_words(gui, ask->pos.side, words);
            snprintf(line, sizeof line, "ponderhit %s", words);
            ask->limit_us = sim->now_us + limit_ms * 1000;
        } else {
            snprintf(line, sizeof line, "ponderhit");
        }
        gui->due_us = sim->now_us + 4000000;
        sim_say(sim, line);
        return;
    }
    ask->held = false;
    ask->interrupted = true;
    uint64_t wanted = gui->asked;
    uint32_t how = prng_below(&gui->prng, 10);
    if (how == 0 && gui->gos_left && gui->ask_count < ASKS_MAX) { /* a GUI that forgets to say stop */
        gui->gos_left--;
        say_go(gui);
        must_be_answered_now(gui, wanted, "a go that is overtaken by another");
        return;
    }
    gui->due_us = INT64_MAX;
    sim_say(sim, how == 1 ? "gameover lose" : "stop");
    must_be_answered_now(gui, wanted, "stop");
}

/* ---- scan -------------------------------------------------------------------------------------------------------- */

static void submit_scan(struct gui *gui)
{
    char moves[TEXT_MAX];
    const char *start = toy_start(toy_tsume_count() + prng_below(&gui->prng, toy_start_count() - toy_tsume_count()));
    struct position end;
    unsigned plies = 4 + prng_below(&gui->prng, SCAN_PLIES_MAX - 4);
    memset(gui->scan_pos, 0, sizeof gui->scan_pos);
    walk(gui, start, plies, &end, gui->scan_pos, moves);
    gui->scan_last = 0;
    for (const char *at = moves; *at; at++) gui->scan_last += at == moves || *at == ' ';
    gui->scan_depth = 1 + prng_below(&gui->prng, 4);
    gui->scan_asked = true;
    sim_note(gui->sim, "scan of %u moves, depth %u", gui->scan_last, gui->scan_depth);
    struct coord_event event = {.type = COORD_EV_SCAN_SUBMIT};
    event.scan_submit = (struct scan_order){.id = SCAN_ID,
                                            .root = wire_str_make(start, strlen(start)),
                                            .moves = wire_str_make(moves, strlen(moves)),
                                            .last_ply = UINT32_MAX,
                                            .depth_max = gui->scan_depth,
                                            .fresh = prng_chance(&gui->prng, 500)};
    sim_coord(gui->sim, &event);
}

void gui_scan_result(struct gui *gui, const struct scan_result *result)
{
    struct sim *sim = gui->sim;
    if (!gui->scan_asked || gui->scan_over || result->id != SCAN_ID || result->ply > gui->scan_last) {
        sim_break(sim, "only positions that were asked for are reported (ply %u)", result->ply);
        return;
    }
    if (gui->scan_seen[result->ply]) sim_break(sim, "no position of a scan is reported twice (ply %u)", result->ply);
    gui->scan_seen[result->ply] = true;
    gui->scan_count++;
    const struct position *pos = &gui->scan_pos[result->ply];
    if (result->verdict == VERDICT_REFUSED) {
        if (calm(gui)) sim_break(sim, "a calm cluster scans every position");
        return;
    }
    if (result->verdict == VERDICT_RESIGN) {
        if (position_has_legal_move(pos)) sim_break(sim, "a scan says resign only without a legal move");
        return;
    }
    Move best = movetext_from_usi(pos, result->best.bytes, result->best.length);
    if (best == MOVE_NONE) sim_break(sim, "a scan reports legal moves (ply %u)", result->ply);
    int depth = (int)gui->scan_depth < toy_depth(pos) ? (int)gui->scan_depth : toy_depth(pos);
    if (honest(gui) && best != toy_truth(pos, depth).best)
        sim_break(sim, "a scan reports what the engine found (ply %u)", result->ply);
    if (result->line_count < 1 || result->lines[0].pv.length < result->best.length)
        sim_break(sim, "a scan reports a line with each move");
}

void gui_scan_done(struct gui *gui, uint32_t id, uint32_t positions)
{
    if (!gui->scan_asked || gui->scan_over || id != SCAN_ID) sim_break(gui->sim, "a scan ends once");
    if (positions != gui->scan_last + 1 || gui->scan_count != positions)
        sim_break(gui->sim, "no position of a scan is lost: %u of %u reported", gui->scan_count, gui->scan_last + 1);
    gui->scan_over = true;
}

/* ---- acting ------------------------------------------------------------------------------------------------------ */

static void set_options(struct gui *gui)
{
    static const int delays2[] = {0, 50, 120, 1120};
    char line[120];
    gui->delay2_ms = gui->sim->plan.games ? 120 : delays2[prng_below(&gui->prng, 4)];
    int64_t delay = gui->delay2_ms < 120 ? gui->delay2_ms / 2 : prng_range(&gui->prng, 0, 120);
    snprintf(line, sizeof line, "setoption name NetworkDelay value %" PRId64, delay);
    sim_say(gui->sim, line);
    snprintf(line, sizeof line, "setoption name networkdelay2 value %" PRId64, gui->delay2_ms);
    sim_say(gui->sim, line);
    snprintf(line, sizeof line, "setoption name MinimumThinkingTime value %" PRId64, prng_range(&gui->prng, 1, 700));
    sim_say(gui->sim, line);
    sim_say(gui->sim, prng_chance(&gui->prng, 500) ? "setoption name RoundUpToFullSecond value true"
                                                   : "setoption name RoundUpToFullSecond value false");
    sim_say(gui->sim,
            prng_chance(&gui->prng, 500) ? "setoption name PvInterval value 0" : "setoption name PvInterval value 300");
    gui->multipv = prng_chance(&gui->prng, 300) ? prng_range(&gui->prng, 2, 4) : 1;
    snprintf(line, sizeof line, "setoption name MultiPV value %" PRId64, gui->multipv);
    sim_say(gui->sim, line);
    if (prng_chance(&gui->prng, 300)) sim_say(gui->sim, "setoption name USI_Hash value 32");
    snprintf(line, sizeof line, "setoption name SplitStrategy value %s", gui->sim->plan.strategy);
    sim_say(gui->sim, line);
}

void gui_act(struct gui *gui)
{
    struct sim *sim = gui->sim;
    gui->due_us = INT64_MAX;
    switch (gui->stage) {
    case SAYS_USI:
        sim_say(sim, "usi");
        if (gui->usiok != 1) sim_break(sim, "usi is answered in the same step");
        set_options(gui);
        gui->stage = SAYS_ISREADY;
        gui->due_us = sim->now_us + prng_range(&gui->prng, 0, 300000);
        break;
    case SAYS_ISREADY:
        gui->stage = WAITS_READY;
        gui->ready_us = gui->spoken_us = sim->now_us;
        gui->ready_asked++;
        sim_say(sim, "isready");
        break;
    case WAITS_READY:
        break;
    case BETWEEN:
        if (sim->plan.scan && !gui->scan_asked && prng_chance(&gui->prng, 600)) submit_scan(gui);
        if (gui->games_done < sim->plan.games) {
            game_go(gui);
        } else if (gui->gos_left) {
            gui->gos_left--;
            if (prng_chance(&gui->prng, 200)) sim_say(sim, "usinewgame");
            if (prng_chance(&gui->prng, 100)) sim_say(sim, "setoption name MaxMovesToDraw value 320");
            say_go(gui);
        } else {
            if (sim->plan.scan && !gui->scan_asked) submit_scan(gui);
            if (sim->plan.games && sim->plan.chaos_us > sim->now_us) sim->plan.chaos_us = sim->now_us; /* played out */
            gui->stage = WAITS_SCAN;
            gui->due_us = sim->now_us + 10000;
        }
        break;
    case WAITS_ANSWER:
        interrupt(gui);
        break;
    case WAITS_SCAN: /* and for the end of the faults */
        gui->due_us = sim->now_us + 100000;
        if ((gui->scan_asked && !gui->scan_over) || !sim->healed) break;
        gui->stage = QUIET;
        gui->due_us = sim->now_us + 22000000; /* killed children start again, sessions are renewed */
        break;
    case QUIET:
        gui->stage = QUITS;
        gui->due_us = sim->now_us + 1;
        break;
    case QUITS: {
        struct coord_event event = {.type = prng_chance(&gui->prng, 500) ? COORD_EV_EOF : COORD_EV_SHUTDOWN};
        if (prng_chance(&gui->prng, 500))
            sim_say(sim, "quit");
        else
            sim_coord(sim, &event);
        if (!sim->quit) sim_break(sim, "quit ends the coordinator in the same step");
        break;
    }
    }
}

/* ---- hearing ----------------------------------------------------------------------------------------------------- */

static bool starts(const char *line, const char *word)
{
    size_t n = strlen(word);
    return strncmp(line, word, n) == 0 && (line[n] == ' ' || line[n] == 0);
}

/* The word behind `name`; NULL if it is not there. */
static const char *value_of(const char *line, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = strchr(line, ' '); at; at = strchr(at, ' ')) {
        at++;
        if (strncmp(at, name, n) == 0 && at[n] == ' ') return at + n + 1;
    }
    return NULL;
}

static size_t word_length(const char *text) { return strcspn(text, " "); }

static bool is_allowed(const struct ask *ask, Move move)
{
    for (size_t i = 0; i < ask->allowed_count; i++)
        if (ask->allowed[i] == move) return true;
    return ask->allowed_count == 0;
}

static struct toy_truth truth_of(const struct ask *ask, int depth)
{
    return ask->allowed_count ? toy_truth_among(&ask->pos, depth, ask->allowed, ask->allowed_count)
                              : toy_truth(&ask->pos, depth);
}

static int value_of_truth(const struct toy_truth *truth)
{
    return !truth->mate ? truth->score : truth->score > 0 ? 10000 - truth->score : -10000 - truth->score;
}

static int value_of_move(const struct ask *ask, Move move, int depth)
{
    struct toy_truth truth = toy_truth_among(&ask->pos, depth, &move, 1);
    return value_of_truth(&truth);
}

static void hears_info(struct gui *gui, const char *line)
{
    struct sim *sim = gui->sim;
    struct ask *ask = &gui->asks[0];
    const char *text = value_of(line, "nodes"), *pv = value_of(line, "pv");
    if (!gui->ask_count) {
        sim_break(sim, "info lines come only during a search: %s", line);
        return;
    }
    if (text) {
        uint64_t nodes = strtoull(text, NULL, 10);
        if (nodes < ask->nodes) sim_break(sim, "the number of nodes never goes down within a go");
        ask->nodes = nodes;
    }
    text = value_of(line, "hashfull");
    if (text && atoi(text) > 1000) sim_break(sim, "hashfull is at most 1000");
    if (!pv || ask->kind == MATE || ask->kind == MATE_INFINITE) return;
    Move first = movetext_from_usi(&ask->pos, pv, word_length(pv));
    if (first == MOVE_NONE || !is_allowed(ask, first))
        sim_break(sim, "every line shown begins with a legal move that was asked for: %s", pv);
    struct position at = ask->pos;
    for (const char *word = pv; *word; word += word_length(word), word += *word == ' ') {
        Move move = movetext_from_usi(&at, word, word_length(word));
        if (move == MOVE_NONE) {
            sim_break(sim, "every line shown can be played: %s", pv);
            return;
        }
        struct undo undo;
        position_do(&at, move, &undo);
    }
    const char *multipv = value_of(line, "multipv");
    if ((multipv && atoi(multipv) > 1) || strstr(line, " upperbound")) return;
    ask->shown = first;
    if (strstr(line, " lowerbound")) return; /* what leads an iteration that is not finished */
    const char *depth_text = value_of(line, "depth"), *seldepth = value_of(line, "seldepth"),
               *cp = value_of(line, "cp"), *mate = value_of(line, "mate");
    int depth = depth_text ? atoi(depth_text) : 0;
    ask->shown_truth = seldepth && atoi(seldepth) == depth + 1; /* a worker's line; our own search has them equal */
    if (!ask->shown_truth || !honest(gui) || depth < 1 || depth > toy_depth(&ask->pos)) return;
    struct toy_truth truth = truth_of(ask, depth);
    int score = mate ? atoi(mate) : cp ? atoi(cp) : 99999;
    /* A tree of null windows may hold another move of the same value. */
    if ((truth.best != first && value_of_move(ask, first, depth) != value_of_truth(&truth)) ||
        truth.mate != (mate != NULL) || truth.score != score)
        sim_break(sim, "only answers to this search count: depth %d says %.*s %d, the truth is %d", depth,
                  (int)word_length(pv), pv, score, truth.score);
}

/* The toy with a limit of nodes and one worker. */
static Move with_nodes(const struct ask *ask)
{
    Move moves[MOVES_MAX], best;
    size_t count = movegen_legal(&ask->pos, moves);
    best = ask->allowed_count ? ask->allowed[0] : count ? moves[0] : MOVE_NONE;
    for (int depth = 1; depth <= toy_depth(&ask->pos); depth++) {
        struct toy_truth truth = truth_of(ask, depth);
        if (truth.nodes > ask->amount) break;
        best = truth.best;
    }
    return best;
}

static void check_move(struct gui *gui, const struct ask *ask, const char *word, size_t length)
{
    struct sim *sim = gui->sim;
    Move best = movetext_from_usi(&ask->pos, word, length);
    bool stuck = !position_has_legal_move(&ask->pos);
    if (length == 6 && strncmp(word, "resign", 6) == 0) {
        if (ask->playable && !stuck) sim_break(sim, "nobody resigns a position that can be played");
        return;
    }
    if (!ask->playable) sim_break(sim, "a position that was refused is answered with resign");
    if (best == MOVE_NONE || !is_allowed(ask, best)) {
        sim_break(sim, "bestmove is legal and one that was asked for: %.*s", (int)length, word);
        return;
    }
    if (ask->shown != MOVE_NONE && ask->shown != best)
        sim_break(sim, "bestmove is the first move of the last line: %.*s", (int)length, word);
    if (ask->mate_seen) {
        struct position after = ask->pos;
        struct undo undo;
        position_do(&after, best, &undo);
        if (position_has_legal_move(&after))
            sim_break(sim, "a proven mate overrides every other answer: %.*s does not mate", (int)length, word);
    }
    if (!calm(gui) || ask->interrupted) return;
    if (ask->kind == DEPTH) {
        int depth = (int)ask->amount < toy_depth(&ask->pos) ? (int)ask->amount : toy_depth(&ask->pos);
        struct toy_truth truth = truth_of(ask, depth);
        if (best != truth.best && value_of_move(ask, best, depth) != value_of_truth(&truth))
            sim_break(sim, "without faults go depth %d gives what brute force gives", depth);
    }
    if (ask->kind == NODES && sim->plan.workers == 1 && best != with_nodes(ask))
        sim_break(sim, "with one worker go nodes gives exactly its own result");
    if (ask->kind == NODES) {
        uint64_t sum = 0;
        for (unsigned i = 0; i < ask->job_count; i++) sum += ask->job_nodes[i];
        if (sum != ask->amount)
            sim_break(
                sim, "the nodes of a go are shared out among the workers, no more and no less: %" PRIu64 " of %" PRIu64,
                sum, ask->amount);
    }
}

static void check_mate(struct gui *gui, const struct ask *ask, const char *text)
{
    struct sim *sim = gui->sim;
    Move line[3];
    if (strcmp(text, "timeout") == 0) {
        if (calm(gui) && !ask->interrupted && ask->kind == MATE_INFINITE && toy_mate(&ask->pos, line) != 0)
            sim_break(sim, "a calm cluster solves what its engine solves");
        return;
    }
    if (strcmp(text, "nomate") == 0) {
        if (honest(gui) && toy_mate(&ask->pos, line) > 0) sim_break(sim, "nomate is said only when there is none");
        return;
    }
    if (strcmp(text, "notimplemented") == 0) {
        sim_break(sim, "an engine that can solve mates does not say notimplemented");
        return;
    }
    struct position at = ask->pos;
    int moves = 0;
    for (const char *word = text; *word; word += word_length(word), word += *word == ' ') {
        Move move = movetext_from_usi(&at, word, word_length(word));
        bool check = move != MOVE_NONE && position_gives_check(&at, move);
        if (move == MOVE_NONE || (moves % 2 == 0 && !check)) {
            sim_break(sim, "a mate is said only with a line that can be replayed: %s", text);
            return;
        }
        struct undo undo;
        position_do(&at, move, &undo);
        moves++;
    }
    if (moves % 2 == 0 || position_has_legal_move(&at)) sim_break(sim, "a mating line ends in mate: %s", text);
}

static void hears_answer(struct gui *gui, const char *line, bool mate)
{
    struct sim *sim = gui->sim;
    if (gui->ask_count == 0) {
        sim_break(sim, "one go has one bestmove: %s was not asked for", line);
        return;
    }
    struct ask *ask = &gui->asks[0];
    const char *text = strchr(line, ' ');
    bool mate_asked = ask->kind == MATE || ask->kind == MATE_INFINITE;
    if (mate != mate_asked || !text)
        sim_break(sim, "go mate is answered with checkmate, any other go with bestmove: %s", line);
    if (ask->held) sim_break(sim, "nothing is answered while pondering, or in an infinite search before stop");
    if (sim->now_us > ask->limit_us)
        sim_break(sim, "the answer comes before the clock runs out: %" PRId64 " ms late",
                  (sim->now_us - ask->limit_us) / 1000);
    if (text && mate) check_mate(gui, ask, text + 1);
    if (text && !mate) check_move(gui, ask, text + 1, word_length(text + 1));
    if (text && sim->plan.games) game_answer(gui, ask, text + 1, word_length(text + 1));
    gui->answered++;
    gui->ask_count--;
    memmove(&gui->asks[0], &gui->asks[1], gui->ask_count * sizeof gui->asks[0]);
    if (gui->ask_count == 0 && gui->stage == WAITS_ANSWER) {
        gui->stage = BETWEEN;
        gui->due_us = sim->now_us + prng_range(&gui->prng, 0, 60000);
    }
}

void gui_hears(struct gui *gui, const char *line, size_t bytes)
{
    struct sim *sim = gui->sim;
    gui->spoken_us = sim->now_us;
    if (strlen(line) != bytes || strpbrk(line, "\r\n")) sim_break(sim, "a line is one line");
    if (starts(line, "bestmove"))
        hears_answer(gui, line, false);
    else if (starts(line, "checkmate"))
        hears_answer(gui, line, true);
    else if (starts(line, "info")) {
        if (strncmp(line, "info string", 11) != 0) hears_info(gui, line);
    } else if (starts(line, "usiok"))
        gui->usiok++;
    else if (starts(line, "readyok")) {
        gui->readyok++;
        if (gui->stage == WAITS_READY) {
            gui->stage = BETWEEN;
            gui->due_us = sim->now_us + 1000;
        }
    } else if (*line && !starts(line, "id") && !starts(line, "option"))
        sim_break(sim, "nothing but USI is said: %s", line);
}

/* Is the job about this position? */
static bool is_about(const struct msg_job *job, const struct position *pos)
{
    struct position at;
    bool met = false; /* parts of a search are about what comes after it */
    if (sfen_read(&at, job->root.bytes, job->root.length, NULL, NULL) != ST_OK) return false;
    for (size_t i = 0, end; i < job->moves.length; i = end + 1) {
        for (end = i; end < job->moves.length && job->moves.bytes[end] != ' ';) end++;
        Move move = movetext_from_usi(&at, job->moves.bytes + i, end - i);
        if (move == MOVE_NONE) return false;
        struct undo undo;
        met = met || (job->part && position_key(&at) == position_key(pos));
        position_do(&at, move, &undo);
    }
    return met || (position_key(&at) == position_key(pos) && at.king[BLACK] == pos->king[BLACK]);
}

static bool leads_to(struct position *at, const struct position *pos)
{
    Move moves[MOVES_MAX];
    size_t count = movegen_legal(at, moves);
    bool found = false;
    for (size_t i = 0; i < count && !found; i++) {
        struct undo undo;
        position_do(at, moves[i], &undo);
        found = position_key(at) == position_key(pos);
        position_undo(at, &undo);
    }
    return found;
}

/* Is it about the position from which one move leads to this one, or about what another move there leads to? While
 * pondering some workers prepare for other replies. */
static bool is_beside(const struct msg_job *job, const struct position *pos)
{
    struct position at, before;
    if (sfen_read(&at, job->root.bytes, job->root.length, NULL, NULL) != ST_OK) return false;
    before = at;
    for (size_t i = 0, end; i < job->moves.length; i = end + 1) {
        for (end = i; end < job->moves.length && job->moves.bytes[end] != ' ';) end++;
        Move move = movetext_from_usi(&at, job->moves.bytes + i, end - i);
        struct undo undo;
        if (move == MOVE_NONE) return false;
        before = at;
        position_do(&at, move, &undo);
    }
    return leads_to(&at, pos) || leads_to(&before, pos);
}

void gui_sees_job(struct gui *gui, const struct msg_job *job)
{
    if (!gui->ask_count) return;
    struct ask *ask = &gui->asks[gui->ask_count - 1];
    if (ask->kind == MATE || ask->kind == MATE_INFINITE) { /* parts of it are positions deep in the tree */
        if (job->kind != JOB_MATE) sim_break(gui->sim, "while a go mate is open every job is a mate job: scans wait");
        return;
    }
    if (!is_about(job, &ask->pos) && !(ask->held && is_beside(job, &ask->pos)))
        sim_break(gui->sim, "while a go is open every job is about its position: scans wait");
    if (job->epoch < ask->epoch) return;
    ask->epoch = job->epoch;
    for (unsigned i = 0; i < ask->job_count; i++)
        if (ask->jobs[i] == job->job) return;
    if (ask->job_count == JOBS_MAX) return;
    ask->jobs[ask->job_count] = job->job;
    ask->job_nodes[ask->job_count++] = job->nodes;
}

void gui_sees_partial(struct gui *gui, const struct msg_partial *partial)
{
    if (!gui->sim->plan.blind || !gui->ask_count) return;
    struct ask *ask = &gui->asks[0];
    if (partial->epoch == ask->epoch && partial->score_kind == WIRE_SCORE_MATE && partial->score == 1 &&
        partial->bound == WIRE_EXACT)
        ask->mate_seen = true;
}

/* ---- promises about time ------------------------------------------------------------------------------------------
 */

void gui_after_step(struct gui *gui)
{
    struct sim *sim = gui->sim;
    if (gui->ask_count) {
        const struct ask *ask = &gui->asks[0];
        if (sim->now_us > ask->limit_us) sim_break(sim, "the answer comes before the clock runs out");
        if (sim->now_us > ask->patience_us && sim->plan.chaos_us <= 1000000)
            sim_break(sim, "in a calm cluster a limited search ends soon");
    }
    if (gui->stage == WAITS_READY && sim->now_us - gui->spoken_us > 5000000)
        sim_break(sim, "while isready works, something is said every 5 seconds");
    if (gui->stage == WAITS_READY && sim->now_us - gui->ready_us > 40000000)
        sim_break(sim, "isready is answered, with or without workers");
}

void gui_at_end(struct gui *gui)
{
    struct sim *sim = gui->sim;
    if (gui->answered != gui->asked)
        sim_break(sim, "every go is answered: %" PRIu64 " of %" PRIu64, gui->answered, gui->asked);
    if (gui->scan_asked && !gui->scan_over)
        sim_break(sim, "a scan is finished after the faults: %u of %u positions", gui->scan_count, gui->scan_last + 1);
    if (gui->stage != QUITS) sim_break(sim, "after the faults stop everything finishes (stage %d)", (int)gui->stage);
}
