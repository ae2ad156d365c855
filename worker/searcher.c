/* searcher.c - see searcher.h. */
#include "worker/searcher.h"

#include "common/net/machine.h"
#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "common/shogi/sfen.h"
#include "worker/engine/engine.h"
#include "worker/engine/mate/mate.h"
#include "worker/mate_job.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HASH_MB_START = 1,
    MATE_TABLE_MB_MIN = 16,
    MEMORY_SPARE_MB = 64 /* left for threads, nets and everybody else */
};

struct orders { /* at most one of each can wait; carried out in this order */
    bool new_game, configure, go, quit;
    struct msg_configure configuration;
    struct session_go search; /* its strings are in the buffers below */
    char root[WIRE_SFEN_BYTES_MAX], moves[WIRE_MOVES_BYTES_MAX], searchmoves[WIRE_SEARCHMOVES_BYTES_MAX];
};

struct searcher {
    struct inbox *inbox;
    pthread_t thread;
    pthread_mutex_t lock; /* guards everything down to the blank line */
    pthread_cond_t changed;
    struct orders orders;
    uint32_t engine_run; /* run whose engine_go() has returned; engine_stop() is allowed for it */
    uint32_t stop_run;   /* no run up to this one shall go on */

    pthread_mutex_t table; /* held while a table is changed or a search starts: no hints then; guards the next two */
    uint64_t hint_scope;   /* of the search that hints come from and go to; 0 = none */
    bool mate_hints;       /* that is a mate job */

    atomic_bool mate_stop;     /* set by the I/O thread, read by the solver */
    _Atomic uint32_t sink_run; /* this and the next: written before engine_go(), read by the sink */
    atomic_bool sink_patient;  /* infos of the run may wait */

    /* The searcher's thread alone: */
    struct engine *engine;
    struct engine_options options;
    struct mate_solver *mate;
    size_t mate_bytes;
    uint32_t hash_mb_modest; /* used when a wish is too large */
    struct orders taken;
    struct position position;
    struct history history;
};

/* ---- what goes into the inbox ---------------------------------------------------------------------------------- */

static void score_write(Score score, uint32_t *kind, int32_t *value)
{
    *kind = score_is_mate(score) ? WIRE_SCORE_MATE : WIRE_SCORE_CP;
    *value = score_is_mate(score) ? score_mate_plies(score) : score_clamp_cp(score);
}

static uint32_t bound_write(enum score_bound bound)
{
    return bound == BOUND_LOWER ? WIRE_LOWER : bound == BOUND_UPPER ? WIRE_UPPER : WIRE_EXACT;
}

static void sink_info(void *context, const struct engine_info *info)
{
    struct searcher *s = context;
    struct inbox_item item;
    memset(&item, 0, sizeof item);
    item.type = INBOX_INFO;
    item.run = atomic_load_explicit(&s->sink_run, memory_order_relaxed);
    item.patient = atomic_load_explicit(&s->sink_patient, memory_order_relaxed);
    if (item.patient && info->bound != BOUND_EXACT) return; /* it would take the place of a finished line */
    item.info.depth = inbox_clamp(info->depth_plies, WIRE_DEPTH_MAX);
    item.info.seldepth = inbox_clamp(info->seldepth_plies, 4096);
    item.info.multipv = info->multipv;
    score_write(info->score, &item.info.score_kind, &item.info.score);
    item.info.bound = bound_write(info->bound);
    item.info.nodes = info->nodes;
    item.info.elapsed_ms = inbox_clamp(info->elapsed_ms, UINT32_MAX);
    item.info.hashfull = info->hashfull_permille;
    item.info.effort = info->effort_permille;
    item.text_bytes = (uint32_t)inbox_write_moves(info->pv, info->pv_count, item.text, sizeof item.text);
    if (info->certificate) item.line = malloc(info->certificate_bytes);
    if (item.line) {
        memcpy(item.line, info->certificate, info->certificate_bytes);
        item.certificate_bytes = (uint32_t)info->certificate_bytes;
    }
    inbox_put(s->inbox, &item);
}

static void sink_done(void *context, const struct engine_result *result)
{
    struct searcher *s = context;
    struct inbox_item item;
    memset(&item, 0, sizeof item);
    item.type = INBOX_DONE;
    item.run = atomic_load_explicit(&s->sink_run, memory_order_relaxed);
    item.result.verdict = result->best == MOVE_WIN      ? VERDICT_WIN
                          : result->best == MOVE_RESIGN ? VERDICT_RESIGN
                                                        : VERDICT_MOVE;
    inbox_write_move(result->best, item.best);
    inbox_write_move(result->ponder, item.ponder);
    score_write(result->score, &item.result.score_kind, &item.result.score);
    item.result.bound = bound_write(result->bound);
    item.result.depth = inbox_clamp(result->depth_plies, WIRE_DEPTH_MAX);
    item.result.nodes = result->nodes;
    item.result.elapsed_ms = inbox_clamp(result->elapsed_ms, UINT32_MAX);
    item.result.stopped = result->stopped;
    inbox_put(s->inbox, &item);
}

static void refusal_put(struct searcher *s, uint32_t run, const char *text)
{
    struct inbox_item item;
    memset(&item, 0, sizeof item);
    item.type = INBOX_REFUSED;
    item.run = run;
    item.text_bytes = (uint32_t)snprintf(item.text, WIRE_TEXT_BYTES_MAX, "%s", text);
    if (item.text_bytes >= WIRE_TEXT_BYTES_MAX) item.text_bytes = WIRE_TEXT_BYTES_MAX - 1;
    inbox_put(s->inbox, &item);
}

/* ---- configuration --------------------------------------------------------------------------------------------- */

/* The wish if the machine can pay for it; else what the worker was started with, or as much of that as fits: a slip of
 * the finger must not take all the memory there is. The table that will be replaced counts as free. */
static uint64_t hash_fitting_mb(const struct searcher *s, uint64_t wish_mb)
{
    uint64_t free_mb = machine_memory_available_mb() + (s->options.hash_bytes >> 20) + (s->mate_bytes >> 20);
    uint64_t most_mb = free_mb > 2 * MEMORY_SPARE_MB ? (free_mb - MEMORY_SPARE_MB) / 10 * 9 : free_mb / 2;
    if (most_mb < HASH_MB_START) most_mb = HASH_MB_START;
    if (wish_mb <= most_mb) return wish_mb;
    return s->hash_mb_modest < most_mb ? s->hash_mb_modest : most_mb;
}

static void configure(struct searcher *s)
{
    const struct msg_configure *wish = &s->taken.configuration;
    struct inbox_item item;
    memset(&item, 0, sizeof item);
    item.type = INBOX_CONFIG_DONE;
    item.config = wish->config;
    uint64_t hash_mb = hash_fitting_mb(s, wish->hash_mb);
    struct engine_options options = {
        .hash_bytes = (size_t)hash_mb << 20,
        .threads = wish->threads,
        .rule = (enum entering_king_rule)wish->entering_king_rule,
        .max_moves_to_draw = wish->max_moves_to_draw,
        .draw_value_black_cp = wish->draw_value_black_cp,
        .draw_value_white_cp = wish->draw_value_white_cp,
        .generate_all_moves = wish->generate_all_moves,
        .tsumero = wish->use_tsumero ? ENGINE_ON : ENGINE_OFF,
    };
    mate_free(s->mate);
    s->mate = NULL;
    s->mate_bytes = 0;
    /* First give back, then take: two tables at a time may be more than the machine has. */
    if (options.hash_bytes > s->options.hash_bytes && s->options.hash_bytes > (size_t)HASH_MB_START << 20) {
        struct engine_options small = s->options;
        small.hash_bytes = (size_t)HASH_MB_START << 20;
        if (engine_configure(s->engine, &small) == ST_OK) s->options = small;
    }
    enum status st = engine_configure(s->engine, &options);
    while (st == ST_NO_MEMORY && options.hash_bytes > (size_t)HASH_MB_START << 20) {
        options.hash_bytes /= 2;
        st = engine_configure(s->engine, &options);
    }
    item.ok = st == ST_OK;
    if (item.ok) {
        s->options = options;
        if (options.hash_bytes >> 20 < wish->hash_mb)
            item.text_bytes = (uint32_t)snprintf(item.text, WIRE_TEXT_BYTES_MAX,
                                                 "a table of %" PRIu32
                                                 " MiB does not fit into the memory of this machine; using %zu MiB",
                                                 wish->hash_mb, options.hash_bytes >> 20);
    } else {
        item.text_bytes = (uint32_t)snprintf(item.text, WIRE_TEXT_BYTES_MAX, "%u threads with %zu MiB: %s",
                                             wish->threads, options.hash_bytes >> 20, status_text(st));
    }
    inbox_put(s->inbox, &item);
}

/* ---- searching ------------------------------------------------------------------------------------------------- */

static bool word_next(struct wire_str *rest, struct wire_str *word)
{
    while (rest->length && rest->bytes[0] == ' ') rest->bytes++, rest->length--;
    uint32_t length = 0;
    while (length < rest->length && rest->bytes[length] != ' ') length++;
    *word = (struct wire_str){rest->bytes, length};
    rest->bytes += length;
    rest->length -= length;
    return length > 0;
}

/* Replays the game. The texts come from the network: everything is checked. */
static bool position_build(struct searcher *s, const struct session_go *go, char why[WIRE_TEXT_BYTES_MAX])
{
    struct sfen_error error;
    if (sfen_read(&s->position, go->root.bytes, go->root.length, NULL, &error) != ST_OK) {
        snprintf(why, WIRE_TEXT_BYTES_MAX, "root position: %s", error.text);
        return false;
    }
    history_start(&s->history, &s->position);
    struct wire_str rest = go->moves, word;
    for (unsigned number = 1; word_next(&rest, &word); number++) {
        Move move = movetext_from_usi(&s->position, word.bytes, word.length);
        struct undo undo;
        if (move == MOVE_NONE) {
            snprintf(why, WIRE_TEXT_BYTES_MAX, "move %u (%.*s) is not legal", number, (int)word.length, word.bytes);
            return false;
        }
        position_do(&s->position, move, &undo);
        if (!history_push(&s->history, &s->position)) {
            snprintf(why, WIRE_TEXT_BYTES_MAX, "the game is longer than %d moves", HISTORY_MAX - 1);
            return false;
        }
    }
    return true;
}

/* False: there are some, and none of them is legal; refused. */
static bool searchmoves_read(struct searcher *s, const struct session_go *go, Move moves[MOVES_MAX], size_t *count)
{
    struct wire_str rest = go->searchmoves, word;
    *count = 0;
    while (*count < MOVES_MAX && word_next(&rest, &word)) {
        Move move = movetext_from_usi(&s->position, word.bytes, word.length);
        if (move != MOVE_NONE) moves[(*count)++] = move;
    }
    if (!go->searchmoves.length || *count > 0) return true;
    refusal_put(s, go->run, "none of the searchmoves is legal");
    return false;
}

static void search_run(struct searcher *s, const struct session_go *go)
{
    char why[WIRE_TEXT_BYTES_MAX];
    Move searchmoves[MOVES_MAX];
    size_t count;
    if (s->position.king[BLACK] == SQUARE_NONE || s->position.king[WHITE] == SQUARE_NONE) {
        refusal_put(s, go->run, "a king is missing: only mate jobs may look at such a position");
        return;
    }
    if (!searchmoves_read(s, go, searchmoves, &count)) return;
    if (go->part && go->alpha >= go->beta) {
        refusal_put(s, go->run, "alpha is not below beta");
        return;
    }
    struct engine_limits limits = {
        .nodes = go->nodes,
        .depth_plies = (int)go->depth_max,
        .time_ms = go->time_ms,
        .multipv = go->multipv,
        .searchmoves = searchmoves,
        .searchmoves_count = count,
        .sharing = {.on = go->hint_scope != 0,
                    .worker = go->variation,
                    .workers = go->hint_workers,
                    .gate_plies = (int)go->hint_plies,
                    .claim_plies = (int)go->claim_plies,
                    .stagger = go->claim_plies == 0},
        .continues = go->continues,
        .part = go->part,
        .alpha = go->alpha,
        .beta = go->beta,
        .depth_min_plies = (int)go->depth_min,
        .moves_before = go->moves_before,
    };
    atomic_store_explicit(&s->sink_run, go->run, memory_order_relaxed);
    atomic_store_explicit(&s->sink_patient, go->patient, memory_order_relaxed);
    pthread_mutex_lock(&s->table);
    s->hint_scope = go->hint_scope;
    enum status st = engine_go(s->engine, &s->position, &s->history, &limits);
    pthread_mutex_unlock(&s->table);
    if (st != ST_OK) {
        snprintf(why, sizeof why, "the engine refused the search: %s", status_text(st));
        refusal_put(s, go->run, why);
        return;
    }
    pthread_mutex_lock(&s->lock);
    s->engine_run = go->run;
    if (s->stop_run >= go->run) engine_stop(s->engine); /* it was stopped while we were preparing it */
    pthread_mutex_unlock(&s->lock);
}

static bool mate_hints_begin(struct searcher *s, const struct session_go *go)
{
    struct mate_sharing sharing = {
        .scope = go->hint_scope,
        .worker = go->variation,
        .gate = (int)go->hint_plies,
        .tell_only = go->tell_only,
    };
    pthread_mutex_lock(&s->table);
    bool good = mate_share(s->mate, &sharing);
    s->hint_scope = good ? go->hint_scope : 0;
    s->mate_hints = true;
    pthread_mutex_unlock(&s->table);
    return good;
}

static void mate_hints_end(struct searcher *s)
{
    pthread_mutex_lock(&s->table);
    s->hint_scope = 0;
    s->mate_hints = false;
    pthread_mutex_unlock(&s->table);
}

static void mate_run(struct searcher *s, const struct session_go *go)
{
    size_t table_bytes = s->options.hash_bytes / 4;
    if (table_bytes < (size_t)MATE_TABLE_MB_MIN << 20) table_bytes = (size_t)MATE_TABLE_MB_MIN << 20;
    unsigned threads = s->options.threads < MATE_THREADS_MAX ? s->options.threads : MATE_THREADS_MAX;
    while (!s->mate && table_bytes >= MATE_TABLE_BYTES_MIN) {
        s->mate = mate_new(table_bytes, threads);
        s->mate_bytes = s->mate ? table_bytes : 0;
        table_bytes /= 2;
    }
    Move first_moves[MOVES_MAX];
    size_t count;
    if (!searchmoves_read(s, go, first_moves, &count)) return;
    struct mate_job job = {.go = go, .first_moves = first_moves, .first_move_count = count, .stop = &s->mate_stop};
    if (!s->mate || !mate_hints_begin(s, go) || !mate_job_run(s->mate, &s->position, &job, s->inbox))
        refusal_put(s, go->run, "no memory for the mate solver");
    mate_hints_end(s);
}

/* The engine must be idle. */
static void table_clear(struct searcher *s)
{
    pthread_mutex_lock(&s->table);
    enum status st = engine_new_game(s->engine);
    pthread_mutex_unlock(&s->table);
    assert(st == ST_OK);
    (void)st;
}

static void go(struct searcher *s)
{
    const struct session_go *order = &s->taken.search;
    char why[WIRE_TEXT_BYTES_MAX];
    engine_wait(s->engine); /* `done` has been said, but its thread may still be on its way home */
    if (order->fresh && order->kind == JOB_SEARCH) table_clear(s);
    if (!position_build(s, order, why))
        refusal_put(s, order->run, why);
    else if (order->kind == JOB_MATE)
        mate_run(s, order);
    else
        search_run(s, order);
}

/* ---- the thread ------------------------------------------------------------------------------------------------ */

static void *run(void *argument)
{
    struct searcher *s = argument;
    bool cold = true; /* the table has pages that nobody touched yet */
    for (;;) {
        pthread_mutex_lock(&s->lock);
        while (!s->orders.new_game && !s->orders.configure && !s->orders.go && !s->orders.quit) {
            if (cold) {
                pthread_mutex_unlock(&s->lock);
                cold = engine_warm(s->engine);
                pthread_mutex_lock(&s->lock);
            } else {
                pthread_cond_wait(&s->changed, &s->lock);
            }
        }
        s->taken = s->orders;
        s->taken.search.root.bytes = s->taken.root;
        s->taken.search.moves.bytes = s->taken.moves;
        s->taken.search.searchmoves.bytes = s->taken.searchmoves;
        s->orders.new_game = s->orders.configure = s->orders.go = false;
        if (s->taken.go) atomic_store(&s->mate_stop, s->stop_run >= s->taken.search.run);
        pthread_mutex_unlock(&s->lock);
        if (s->taken.quit) return NULL;
        cold = cold || s->taken.configure;
        if (s->taken.new_game || s->taken.configure) engine_wait(s->engine);
        if (s->taken.new_game) {
            table_clear(s);
            if (s->mate) mate_clear(s->mate);
        }
        if (s->taken.configure) {
            pthread_mutex_lock(&s->table);
            configure(s);
            pthread_mutex_unlock(&s->table);
        }
        if (s->taken.go) go(s);
    }
}

struct searcher *searcher_new(struct inbox *inbox, uint32_t threads, uint32_t hash_mb)
{
    struct searcher *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->inbox = inbox;
    s->hash_mb_modest = hash_mb;
    s->options = (struct engine_options){
        .hash_bytes = (size_t)HASH_MB_START << 20, .threads = threads ? threads : 1, .rule = RULE_CSA27};
    struct engine_sink sink = {.context = s, .info = sink_info, .done = sink_done};
    s->engine = engine_new(&s->options, &sink);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    pthread_mutex_init(&s->table, NULL);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = s->engine && pthread_create(&s->thread, NULL, run, s) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started) return s;
    engine_free(s->engine);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->table);
    free(s);
    return NULL;
}

void searcher_free(struct searcher *s)
{
    if (!s) return;
    searcher_stop(s, UINT32_MAX);
    pthread_mutex_lock(&s->lock);
    s->orders.quit = true;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->thread, NULL);
    engine_free(s->engine);
    mate_free(s->mate);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->table);
    free(s);
}

void searcher_configure(struct searcher *s, const struct msg_configure *configuration)
{
    pthread_mutex_lock(&s->lock);
    s->orders.configure = true;
    s->orders.configuration = *configuration;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

void searcher_new_game(struct searcher *s)
{
    pthread_mutex_lock(&s->lock);
    s->orders.new_game = true;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

static void str_copy(struct wire_str *str, char *buffer, size_t capacity)
{
    assert(str->length <= capacity);
    if (str->length) memcpy(buffer, str->bytes, str->length);
    str->bytes = buffer;
}

void searcher_go(struct searcher *s, const struct session_go *order)
{
    pthread_mutex_lock(&s->lock);
    assert(!s->orders.go); /* the session waits for the end of the one before */
    s->orders.go = true;
    s->orders.search = *order;
    str_copy(&s->orders.search.root, s->orders.root, sizeof s->orders.root);
    str_copy(&s->orders.search.moves, s->orders.moves, sizeof s->orders.moves);
    str_copy(&s->orders.search.searchmoves, s->orders.searchmoves, sizeof s->orders.searchmoves);
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

void searcher_stop(struct searcher *s, uint32_t stopped_run)
{
    pthread_mutex_lock(&s->lock);
    if (stopped_run > s->stop_run) s->stop_run = stopped_run;
    atomic_store(&s->mate_stop, true); /* only one search runs at a time; the next one starts with a clean flag */
    if (s->engine_run && s->engine_run <= stopped_run) engine_stop(s->engine);
    pthread_mutex_unlock(&s->lock);
}

/* ---- hints ----------------------------------------------------------------------------------------------------- */

/* Locks; false: these hints belong to no search that runs, and nothing is locked. */
static bool hints_enter(struct searcher *s, uint64_t scope)
{
    if (pthread_mutex_trylock(&s->table) != 0) return false;
    if (scope != 0 && s->hint_scope == scope) return true;
    pthread_mutex_unlock(&s->table);
    return false;
}

size_t searcher_hints_take(struct searcher *s, uint64_t scope, struct hint *out, size_t capacity)
{
    if (!hints_enter(s, scope)) return 0;
    size_t count =
        s->mate_hints ? mate_hints_take(s->mate, out, capacity) : engine_hints_take(s->engine, out, capacity);
    pthread_mutex_unlock(&s->table);
    return count;
}

void searcher_hints_put(struct searcher *s, uint64_t scope, const struct hint *hints, size_t count)
{
    if (!hints_enter(s, scope)) return;
    if (s->mate_hints)
        mate_hints_put(s->mate, hints, count);
    else
        engine_hints_put(s->engine, hints, count);
    pthread_mutex_unlock(&s->table);
}

void searcher_hints_gate(struct searcher *s, uint64_t scope, int gate)
{
    if (!hints_enter(s, scope)) return;
    if (s->mate_hints)
        mate_hints_gate(s->mate, gate);
    else
        engine_hints_gate(s->engine, gate);
    pthread_mutex_unlock(&s->table);
}

uint64_t searcher_eval_hash(const struct searcher *s) { return engine_eval_hash(s->engine); }
const char *searcher_eval_name(const struct searcher *s) { return engine_eval_name(s->engine); }
