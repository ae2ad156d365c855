/* game.c - one `go` at a time. */
#include "coordinator/core/game.h"

#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "coordinator/core/evidence.h"
#include "coordinator/core/mutant.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    SLICE_APART_MS = 4, /* between slices of the fallback search: half of one processor at most */
    DEAD_MAN_MS = 2000, /* a worker that hears nothing stops so long after our own last moment */
    SINGLE_REPLY_MS = 100,
    HINT_BYTES_PER_S = 10000000, /* that one worker has to take from all the others: a tenth of a gigabit line */
    REFUSALS_MAX = 2,
    ASIDE_JOB = 1 << 30, /* numbers of jobs beside the search begin here */
    GRAIN_ROUND_TRIPS = 25,
    GRAIN_LEAST_MS = 5,
    GRAIN_MOST_MS = 500
};

void game_init(struct game *g)
{
    g->due_ms = g->lonely_ms = g->slice_ms = INT64_MAX;
    g->last_score = SCORE_NONE;
}

void game_new(struct game *g) { g->last_score = SCORE_NONE; }

static struct merge_display display_of(const struct game *g, const struct game_env *env)
{
    const int64_t *value = env->options->value;
    return (struct merge_display){.interval_ms = g->infinite ? 0 : value[OPTION_PV_INTERVAL],
                                  .bounds = value[OPTION_OUTPUT_BOUNDS] != 0,
                                  .multipv = value[OPTION_MULTIPV] > 1};
}

static bool is_choice(const struct game *g, Move move)
{
    for (size_t i = 0; i < g->choice_count; i++)
        if (g->choices[i] == move) return true;
    return false;
}

/* ---- the answer ------------------------------------------------------------------------------------------------- */

Move game_held(const struct game *g)
{
    if (g->phase == GAME_IDLE || g->mate) return MOVE_NONE;
    if (g->fixed != MOVE_NONE) return g->fixed;
    return g->merge.present ? g->merge.line.pv.moves[0] : g->fallback.best;
}

/* The search is over: workers stop, nothing that they still send counts. */
static void end(struct game *g, struct game_env *env)
{
    for (unsigned i = 0; i < env->registry->high && !MUTANT_IS(12); i++) {
        struct worker *w = &env->registry->workers[i];
        if (w->present && w->job.owner == JOB_GAME && w->job.epoch == g->epoch && !w->job.stopping)
            registry_send_stop(env->registry, w, env->now_ms, env->out);
    }
    g->phase = GAME_IDLE;
    g->due_ms = g->lonely_ms = g->slice_ms = INT64_MAX;
}

static void say_fallback(struct game *g, struct game_env *env)
{
    const struct fallback *f = &g->fallback;
    char pv[MOVETEXT_BYTES_MAX];
    size_t bytes = movetext_to_usi(f->best, pv);
    struct usi_info info = {.depth = (uint32_t)f->depth_done,
                            .seldepth = (uint32_t)f->depth_done,
                            .score_kind = WIRE_SCORE_NONE,
                            .nodes = merge_nodes(&g->merge) + f->nodes,
                            .time_ms = env->now_ms - g->merge.started_ms,
                            .pv = wire_str_make(pv, bytes)};
    if (f->depth_done > 0) {
        info.score_kind = score_is_mate(f->score) ? WIRE_SCORE_MATE : WIRE_SCORE_CP;
        info.score = score_is_mate(f->score) ? score_mate_plies(f->score) : f->score;
    }
    char text[USI_INFO_BYTES_MAX];
    size_t length = usi_write_info(&info, text);
    fx_say(env->out, text, length);
    if (registry_usable_count(env->registry) == 0)
        fx_sayf(env->out, "info string no worker is ready: this move comes from the coordinator's own short search");
}

static void answer_mate(struct game *g, struct game_env *env, const char *text)
{
    fx_sayf(env->out, "checkmate %s", text);
    env->metrics->bestmoves++;
    end(g, env);
}

static void answer_mate_line(struct game *g, struct game_env *env, struct wire_str line)
{
    fx_say_joined(env->out, "checkmate ", fx_clean(env->out, line, WIRE_MOVES_BYTES_MAX));
    env->metrics->bestmoves++;
    end(g, env);
}

/* What is known when no more time is given. */
static void answer_mate_so_far(struct game *g, struct game_env *env)
{
    if (g->found.moves)
        answer_mate_line(g, env, found_mate_line(&g->found));
    else
        answer_mate(g, env, g->fixed != MOVE_NONE && g->board.valid ? "nomate" : "timeout");
}

static void answer(struct game *g, struct game_env *env)
{
    if (g->mate) {
        answer_mate_so_far(g, env);
        return;
    }
    Move best = game_held(g), ponder = MOVE_NONE;
    if (g->fixed == MOVE_NONE) {
        if (g->merge.present) {
            const struct merge_line *line = &g->merge.line;
            struct merge_display display = display_of(g, env);
            merge_print_last(&g->merge, &display, env->now_ms, env->out);
            if (line->pv.count > 1) ponder = line->pv.moves[1];
            Score score = merge_score(line->score_kind, line->score);
            if (line->score_kind != WIRE_SCORE_NONE) {
                if (line->bound == WIRE_EXACT && score <= -env->options->value[OPTION_RESIGN_VALUE]) best = MOVE_RESIGN;
                g->last_score = score;
            }
        } else {
            say_fallback(g, env);
            env->metrics->fallback_moves++;
        }
    }
    char text[MOVETEXT_BYTES_MAX], reply[MOVETEXT_BYTES_MAX];
    movetext_to_usi(best, text);
    if (ponder != MOVE_NONE && best != MOVE_RESIGN) {
        movetext_to_usi(ponder, reply);
        fx_sayf(env->out, "bestmove %s ponder %s", text, reply);
    } else {
        fx_sayf(env->out, "bestmove %s", text);
    }
    env->metrics->bestmoves++;
    end(g, env);
}

static bool may_answer(const struct game *g)
{
    if (MUTANT_IS(13) && g->finished) return true; /* a search that is over is answered, pondering or not */
    return g->phase == GAME_THINKING && !g->infinite;
}

/* ---- beginning -------------------------------------------------------------------------------------------------- */

static int64_t own_time(const struct usi_clock *clock, Color side, bool increment)
{
    if (MUTANT_IS(7)) side = BLACK; /* every clock is Black's */
    if (increment) return side == BLACK ? clock->binc_ms : clock->winc_ms;
    return side == BLACK ? clock->btime_ms : clock->wtime_ms;
}

static bool clock_given(const struct usi_clock *c)
{
    return c->btime_ms >= 0 || c->wtime_ms >= 0 || c->byoyomi_ms >= 0 || c->binc_ms >= 0 || c->winc_ms >= 0;
}

/* From the clock words to due_ms. */
static void plan(struct game *g, const struct usi_clock *clock, struct game_env *env)
{
    const int64_t *value = env->options->value;
    bool other_limit = g->go.nodes || g->go.depth >= 0 || value[OPTION_NODES_LIMIT] || value[OPTION_DEPTH_LIMIT];
    g->limited = !g->infinite && !g->mate && (clock_given(clock) || g->go.movetime_ms >= 0 || !other_limit);
    if (g->mate) {
        g->limited = g->go.mate_ms >= 0;
        g->due_ms = g->limited && g->phase == GAME_THINKING ? g->clock_ms + g->go.mate_ms : INT64_MAX;
        return;
    }
    struct allot_clock own = {.time_ms = own_time(clock, g->board.now.side, false),
                              .byoyomi_ms = clock->byoyomi_ms,
                              .inc_ms = own_time(clock, g->board.now.side, true),
                              .movetime_ms = g->go.movetime_ms,
                              .game_ply = g->board.now.game_ply};
    struct allot_options options = allot_options_of(value);
    g->allot = allot_plan(&own, &options);
    if (g->choice_count == 1 && g->go.movetime_ms < 0 && g->allot.soft_ms > SINGLE_REPLY_MS) {
        g->allot.least_ms = g->allot.soft_ms = SINGLE_REPLY_MS;
        g->allot.delay_ms = -1;
    }
}

/* When to answer, as things stand. */
static void schedule(struct game *g)
{
    if (g->mate) return;
    if (!g->limited || g->phase != GAME_THINKING) {
        g->due_ms = INT64_MAX;
        return;
    }
    int64_t fall_cp = 0;
    if (g->merge.present && !score_is_mate(merge_score(g->merge.line.score_kind, g->merge.line.score))) {
        Score score = merge_score(g->merge.line.score_kind, g->merge.line.score), from = g->merge.peak;
        if (g->last_score != SCORE_NONE && !score_is_mate(g->last_score) && g->last_score > from) from = g->last_score;
        if (g->merge.low != SCORE_NONE && !score_is_mate(g->merge.low) && g->merge.low < score) score = g->merge.low;
        fall_cp = from - score;
    }
    int64_t target =
        allot_target(&g->allot, &(struct allot_signs){.instability_permille = g->merge.instability_permille,
                                                      .fall_cp = fall_cp,
                                                      .effort_permille = g->merge.line.effort});
    if (g->allot.soft_ms < g->allot.hard_ms &&
        g->credit_ms > 0) { /* thought on the opponent's time: that much less on ours */
        target -= g->credit_ms;
        if (target < g->allot.least_ms) target = g->allot.least_ms;
    }
    g->due_ms = g->clock_ms + target;
    if (MUTANT_IS(8)) g->due_ms += 700; /* thinks past what the clock allows */
}

static void read_searchmoves(struct game *g, struct wire_str text, struct game_env *env)
{
    size_t kept = 0;
    uint32_t bytes = 0;
    struct wire_str word;
    while (usi_next_word(&text, &word)) {
        Move move = movetext_from_usi(&g->board.now, word.bytes, word.length);
        size_t at = kept;
        while (move != MOVE_NONE && at < g->choice_count && g->choices[at] != move) at++;
        if (move == MOVE_NONE || at == g->choice_count || bytes + word.length + 1 > sizeof g->searchmoves) continue;
        g->choices[at] = g->choices[kept];
        g->choices[kept++] = move;
        if (bytes) g->searchmoves[bytes++] = ' ';
        memcpy(g->searchmoves + bytes, word.bytes, word.length);
        bytes += word.length;
    }
    if (kept) {
        g->choice_count = kept;
        g->go.searchmoves = wire_str_make(g->searchmoves, bytes);
        return;
    }
    fx_infof(env->out, "info string none of the searchmoves is legal here; all moves are searched");
    g->go.searchmoves = wire_str_make(NULL, 0);
}

/* Less work than this is not worth a message: a round trip shall be a small part of what it brings. */
static int64_t grain_ms(const struct game_env *env)
{
    if (env->grain_ms) return env->grain_ms;
    int64_t grain = (int64_t)GRAIN_ROUND_TRIPS * registry_rtt_us(env->registry) / 1000;
    return grain < GRAIN_LEAST_MS ? GRAIN_LEAST_MS : grain > GRAIN_MOST_MS ? GRAIN_MOST_MS : grain;
}

static void begin_split(struct game *g, struct game_env *env)
{
    const int64_t *value = env->options->value;
    struct split_task task = {.workers = registry_usable_count(env->registry),
                              .searchmoves = g->go.searchmoves,
                              .multipv = 1,
                              .mate = g->mate,
                              .root = &g->board.now,
                              .game = &g->board.history,
                              .choices = g->fallback.moves,
                              .choice_count = g->mate ? 0 : g->choice_count,
                              .grain_ms = grain_ms(env)};
    if (!g->mate) {
        task.nodes = g->go.nodes;
        if (value[OPTION_NODES_LIMIT] && (!task.nodes || (uint64_t)value[OPTION_NODES_LIMIT] < task.nodes))
            task.nodes = (uint64_t)value[OPTION_NODES_LIMIT];
        int64_t depth = g->go.depth > 0 ? g->go.depth : g->go.depth == 0 ? 1 : 0;
        if (value[OPTION_DEPTH_LIMIT] && (!depth || value[OPTION_DEPTH_LIMIT] < depth))
            depth = value[OPTION_DEPTH_LIMIT];
        task.depth_max = (uint32_t)(depth > WIRE_DEPTH_MAX ? WIRE_DEPTH_MAX : depth);
        task.multipv = (uint32_t)value[OPTION_MULTIPV];
        if (task.multipv > g->choice_count) task.multipv = (uint32_t)g->choice_count;
        if (task.multipv > WIRE_MULTIPV_MAX) task.multipv = WIRE_MULTIPV_MAX;
    }
    registry_weights(env->registry, task.weights);
    const struct split_ops *ops = split_find(option_split_name(value[OPTION_SPLIT]));
    assert(ops);
    if (g->board.moves_bytes + JOB_WAY_BYTES_MAX > WIRE_MOVES_BYTES_MAX ||
        g->board.history.count + TREE_SPINE_MAX > HISTORY_MAX)
        ops = &split_lazy; /* no room for the way into a tree */
    split_begin(&g->split, ops, &task);
    g->merge.rule = g->split.ops->rule;
}

/* Why this cannot be searched; NULL if it can. */
static const char *obstacle_to(const struct board *board, const struct usi_go *go)
{
    if (!board->valid) return "the last position was refused, so there is nothing to search";
    if (go->mate)
        return board->now.king[color_other(board->now.side)] == SQUARE_NONE ? "there is no king to mate" : NULL;
    return board_has_both_kings(board) ? NULL : "a king is missing: such a position can only be given to `go mate`";
}

void game_go(struct game *g, const struct board *board, const struct usi_go *go, struct game_env *env)
{
    if (g->phase != GAME_IDLE && !MUTANT_IS(14)) answer(g, env);
    env->metrics->gos++;
    if (go->unread.length) {
        struct wire_str word = fx_clean(env->out, go->unread, 40);
        fx_infof(env->out, "info string go: \"%s\" was not understood and is ignored", word.bytes);
    }
    g->board = *board;
    g->go = *go;
    g->epoch = ++*env->epoch_last;
    g->mate = go->mate;
    g->infinite = go->infinite && !go->mate;
    g->phase = go->ponder && !go->mate ? GAME_PONDERING : GAME_THINKING;
    g->finished = false;
    g->fixed = MOVE_NONE;
    g->clock_ms = env->now_ms;
    g->credit_ms = 0;
    g->lonely_ms = env->now_ms;
    g->slice_ms = INT64_MAX;
    memset(g->out, 0, sizeof g->out);
    memset(g->aside, 0, sizeof g->aside);
    memset(g->aside_over, 0, sizeof g->aside_over);
    ponder_end(&g->ponder);
    memset(g->refusals, 0, sizeof g->refusals);
    g->refused_count = 0;
    *g->refusal = 0;
    found_mate_clear(&g->found);
    merge_start(&g->merge, MERGE_DEEPEST, env->now_ms);
    const char *obstacle = obstacle_to(board, go);
    if (obstacle) { /* answered all the same, and not before it may be */
        fx_infof(env->out, "info string %s", obstacle);
        g->choice_count = 0;
        g->fixed = MOVE_RESIGN;
        g->finished = true;
        g->limited = false;
        g->due_ms = INT64_MAX;
        return;
    }
    g->choice_count = movegen_legal(&g->board.now, g->choices);
    plan(g, &go->clock, env);

    if (!g->mate) {
        Move win;
        if (g->choice_count == 0)
            g->fixed = MOVE_RESIGN;
        else if (declaration_wins(&g->board.now, (enum entering_king_rule)env->options->value[OPTION_ENTERING_KING],
                                  &win))
            g->fixed =
                MOVE_WIN; /* by the try rule too: whoever runs the game knows the king's move to the try square */
        if (g->fixed != MOVE_NONE) {
            g->finished = true;
            g->due_ms = INT64_MAX;
            return; /* game_advance() answers as soon as it may */
        }
        if (go->searchmoves.length) read_searchmoves(g, go->searchmoves, env);
        plan(g, &go->clock, env); /* once more: a single searchmove is a single reply */
        fallback_start(&g->fallback, &g->board.now, g->choices, g->choice_count);
        fallback_run(&g->fallback, env->fallback_nodes);
        schedule(g);
    }
    begin_split(g, env);
    if (g->phase == GAME_PONDERING && g->split.ops->shares_hints) ponder_begin(&g->ponder, &g->board);
}

void game_stop(struct game *g, struct game_env *env)
{
    if (g->phase != GAME_IDLE) answer(g, env);
}

void game_ponderhit(struct game *g, const struct usi_clock *clock, struct game_env *env)
{
    if (g->phase != GAME_PONDERING) return;
    g->phase = GAME_THINKING;
    ponder_end(&g->ponder);
    g->credit_ms = env->now_ms - g->clock_ms;
    g->clock_ms = env->now_ms;
    plan(g, clock_given(clock) ? clock : &g->go.clock, env);
    schedule(g);
}

/* ---- what workers say ------------------------------------------------------------------------------------------- */

static bool is_current(const struct game *g, const struct worker_job *job)
{
    return g->phase != GAME_IDLE && job->owner == JOB_GAME && job->epoch == g->epoch;
}

/* A mate in n whose line is at least n long must end in mate there; a worker that says otherwise is not believed. */
static bool mate_is_credible(const struct position *from, const struct msg_partial *partial, const struct pv *pv)
{
    if (partial->score_kind != WIRE_SCORE_MATE || partial->bound != WIRE_EXACT) return true;
    int32_t plies = partial->score < 0 ? -partial->score : partial->score;
    if (plies == 0 || (partial->score > 0) != (plies % 2 == 1)) return false;
    if (pv->count != (uint32_t)plies) return true; /* cut short, as lines from a table are */
    return pv_ends_in_mate(pv, from);
}

static bool is_mate_for_us(const struct merge_line *line)
{
    return line->score_kind == WIRE_SCORE_MATE && line->score > 0 && line->bound == WIRE_EXACT;
}

static bool is_trusted(const struct game_env *env, unsigned worker)
{
    return env->registry->workers[worker].local_slot != COORD_PEER_REMOTE;
}

/* Is the mate proven? By its proof, if it came, or by a line without a choice, whoever sent it; else it is as good as
 * the word of one's own child. What the proof says counts. False: the proof does not hold. */
static bool weigh_mate(const struct position *at, const struct msg_partial *partial, bool root, bool trusted,
                       struct merge_line *line, struct certificate *certificate)
{
    if (!is_mate_for_us(line)) return partial->certificate.length == 0;
    line->proven = trusted || (root && pv_forces_mate(&line->pv, at));
    if (partial->certificate.length == 0 || !root) return true;
    if (!evidence_proof_holds(certificate, at, line->pv.moves[0], partial->certificate)) return false;
    line->proven = true;
    line->score = (int32_t)certificate_plies(certificate);
    return true;
}

/* Where the lines of the job begin. */
static const struct position *job_position(struct game *g, unsigned worker, const struct worker_job *job)
{
    const struct split_ops *ops = g->split.ops;
    const struct position *position = ops->position ? ops->position(&g->split, worker, job->job) : NULL;
    return position ? position : &g->board.now;
}

static void take_line(struct game *g, unsigned worker, const struct merge_line *line, struct game_env *env)
{
    struct merge_display display = display_of(g, env);
    bool changed = merge_take(&g->merge, worker, line, &display, env->now_ms, env->metrics, env->out);
    schedule(g);
    if (!changed) return;
    /* A mate that is proven does not get better: play it. */
    if (g->merge.line.proven && g->limited && g->go.movetime_ms < 0 && g->phase == GAME_THINKING)
        g->due_ms = env->now_ms;
}

/* All that the strategy has to say after a report, `line` first. */
static void take_lines(struct game *g, unsigned worker, struct merge_line *line, struct game_env *env)
{
    do take_line(g, worker, line, env);
    while (g->split.ops->more && g->split.ops->more(&g->split, line));
}

/* ---- go mate ---------------------------------------------------------------------------------------------------- */

/* `score mate` counts plies; without a mate there is no score to show. */
static void say_mate_progress(struct game *g, const struct msg_partial *partial, uint64_t nodes, struct game_env *env)
{
    struct usi_info info = {.depth = partial->depth,
                            .seldepth = partial->seldepth,
                            .nodes = nodes,
                            .time_ms = env->now_ms - g->merge.started_ms,
                            .hashfull = partial->hashfull};
    if (g->found.moves) {
        info.score_kind = WIRE_SCORE_MATE;
        info.score = (int32_t)g->found.moves;
        info.pv = found_mate_line(&g->found);
    }
    char text[USI_INFO_BYTES_MAX];
    size_t bytes = usi_write_info(&info, text);
    if (fx_info(env->out, text, bytes)) g->merge.printed_ms = env->now_ms;
}

void game_mate_progress(struct game *g, const struct msg_partial *partial, bool believed, uint64_t nodes,
                        struct game_env *env)
{
    if (g->phase == GAME_IDLE || !g->mate) return;
    bool shorter = believed && partial->score_kind == WIRE_SCORE_MATE && partial->score > 0 &&
                   found_mate_take(&g->found, &g->board.now, partial->pv);
    if (shorter || env->now_ms - g->merge.printed_ms >= 1000) say_mate_progress(g, partial, nodes, env);
}

void game_mate_done(struct game *g, const struct tsume_outcome *outcome, struct game_env *env)
{
    if (g->phase == GAME_IDLE || !g->mate) return;
    if (outcome->text.length)
        fx_infof(env->out, "info string %s", fx_clean(env->out, outcome->text, WIRE_TEXT_BYTES_MAX).bytes);
    switch (outcome->verdict) {
    case VERDICT_MATE:
        fx_infof(env->out, "info depth %" PRIu32 " score mate %" PRIu32 " nodes %" PRIu64 " time %" PRId64,
                 outcome->plies, outcome->plies, outcome->nodes, env->now_ms - g->merge.started_ms);
        answer_mate_line(g, env, outcome->line);
        break;
    case VERDICT_NOMATE:
        answer_mate(g, env, "nomate");
        break;
    default: /* nobody knows, or nobody who could: every worker has the solver, so that is never `notimplemented` */
        answer_mate_so_far(g, env);
        break;
    }
}

/* ---- what workers say, go on ------------------------------------------------------------------------------------- */

/* A line of the look at what the opponent may answer. */
static void note_reply(struct game *g, const struct msg_partial *partial)
{
    struct wire_str rest = partial->pv, word;
    if (partial->score_kind == WIRE_SCORE_NONE || partial->bound != WIRE_EXACT || !usi_next_word(&rest, &word)) return;
    Move reply = movetext_from_usi(&g->ponder.before.now, word.bytes, word.length);
    if (reply != MOVE_NONE)
        ponder_take_line(&g->ponder, partial->multipv ? partial->multipv : 1, reply,
                         merge_score(partial->score_kind, partial->score));
}

enum status game_partial(struct game *g, unsigned worker, const struct worker_job *job,
                         const struct msg_partial *partial, struct game_env *env)
{
    if (!is_current(g, job)) {
        env->metrics->stale++;
        return ST_STALE;
    }
    if (!g->out[worker]) return ST_OK; /* called back */
    merge_count(&g->merge, worker, partial->nodes, partial->hashfull);
    if (g->aside[worker]) { /* it is about another position; what it finds stays in its table */
        if (ponder_place(&g->ponder, worker) == PONDER_LOOK) note_reply(g, partial);
        return ST_OK;
    }
    struct merge_line line = {.depth = partial->depth,
                              .seldepth = partial->seldepth,
                              .multipv = partial->multipv ? partial->multipv : 1,
                              .score_kind = partial->score_kind,
                              .bound = partial->bound,
                              .score = partial->score,
                              .effort = partial->effort};
    const struct position *at = job_position(g, worker, job);
    if (!pv_read(&line.pv, at, partial->pv)) env->metrics->lines_cut++;
    bool empty = line.pv.count == 0 || (at == &g->board.now && !is_choice(g, line.pv.moves[0]) && !MUTANT_IS(5));
    bool root = !g->split.ops->is_part(&g->split, worker, job->job);
    if (empty || line.score_kind == WIRE_SCORE_NONE || !mate_is_credible(at, partial, &line.pv) ||
        !weigh_mate(at, partial, at == &g->board.now, is_trusted(env, worker), &line, env->certificate)) {
        env->metrics->illegal_moves++;
        struct wire_str pv = fx_clean(env->out, partial->pv, 80);
        fx_log(env->out, COORD_LOG_WARN,
               "line_refused worker=\"%s\" epoch=%" PRIu64 " score_kind=%" PRIu32 " score=%" PRId32 " pv=\"%s\"",
               env->registry->workers[worker].name, job->epoch, partial->score_kind, partial->score, pv.bytes);
        return ST_ILLEGAL;
    }
    env->metrics->partials++;
    struct split_report report = {.elapsed_ms = partial->elapsed_ms, .nodes = partial->nodes, .line = line};
    if (g->split.ops->report(&g->split, worker, job->job, &report, &line))
        take_lines(g, root ? worker : MERGE_TREE, &line, env);
    return ST_OK;
}

static void worker_freed(struct game *g, unsigned worker)
{
    merge_job_over(&g->merge, worker);
    g->out[worker] = g->aside[worker] = false;
}

/* The worker cannot do the job. It is asked once more, then others must do. */
static void job_refused(struct game *g, unsigned worker, const struct worker_job *job, const struct msg_result *result,
                        struct game_env *env)
{
    struct worker *w = &env->registry->workers[worker];
    struct wire_str why = fx_clean(env->out, result->text, WIRE_TEXT_BYTES_MAX);
    fx_log(env->out, COORD_LOG_WARN, "job_refused worker=\"%s\" epoch=%" PRIu64 " attempt=%" PRIu32 " why=\"%s\"",
           w->name, job->epoch, job->attempt, why.bytes);
    memcpy(g->refusal, why.bytes, why.length + 1);
    g->split.ops->lost(&g->split, worker, job->job, false);
    if (result->stopped && job->stopping) return; /* we called it back before it began */
    if (++g->refusals[worker] == REFUSALS_MAX) g->refused_count++;
}

/* What a worker would play, in the end, at the position of its job. */
static bool result_line(const struct game *g, const struct position *from, const struct msg_result *result,
                        struct merge_line *line)
{
    Move best = movetext_from_usi(from, result->best.bytes, result->best.length);
    if (result->verdict != VERDICT_MOVE || best == MOVE_NONE) return false;
    if (from == &g->board.now && !is_choice(g, best)) return false;
    *line = (struct merge_line){.depth = result->depth,
                                .seldepth = result->depth,
                                .multipv = 1,
                                .score_kind = result->score_kind,
                                .bound = result->bound,
                                .score = result->score};
    line->pv.moves[line->pv.count++] = best;
    struct position after = *from;
    struct undo undo;
    position_do(&after, best, &undo);
    Move ponder = movetext_from_usi(&after, result->ponder.bytes, result->ponder.length);
    if (ponder != MOVE_NONE) line->pv.moves[line->pv.count++] = ponder;
    return true;
}

static void refuse_result(unsigned worker, const struct worker_job *job, const struct msg_result *result,
                          struct game_env *env)
{
    env->metrics->illegal_moves++;
    struct wire_str move = fx_clean(env->out, result->best, WIRE_MOVE_BYTES_MAX);
    fx_log(env->out, COORD_LOG_WARN, "result_refused worker=\"%s\" epoch=%" PRIu64 " verdict=%" PRIu32 " best=\"%s\"",
           env->registry->workers[worker].name, job->epoch, result->verdict, move.bytes);
}

/* The look is over: who prepares for what from now on. */
static void plan_ponder(struct game *g, struct game_env *env)
{
    unsigned workers[COORD_WORKERS_MAX], count = 0;
    for (unsigned i = 0; i < env->registry->high; i++)
        if (worker_is_usable(env->registry, &env->registry->workers[i])) workers[count++] = i;
    ponder_plan(&g->ponder, workers, count);
    for (unsigned i = 0; i < g->ponder.reply_count; i++) {
        char reply[MOVETEXT_BYTES_MAX];
        reply[movetext_to_usi(g->ponder.replies[i].move, reply)] = 0;
        fx_log(env->out, COORD_LOG_DEBUG, "ponder epoch=%" PRIu64 " reply=%s permille=%u workers=%u", g->epoch, reply,
               g->ponder.replies[i].permille, g->ponder.replies[i].workers);
    }
}

enum status game_result(struct game *g, unsigned worker, const struct worker_job *job, const struct msg_result *result,
                        struct game_env *env)
{
    if (!is_current(g, job)) {
        env->metrics->stale++;
        return ST_STALE;
    }
    const struct split_ops *split = g->split.ops;
    env->metrics->results++;
    if (!g->out[worker]) return ST_OK; /* called back: it has been given up already */
    merge_count(&g->merge, worker, result->nodes, g->merge.hashfull[worker]);
    bool aside = g->aside[worker];
    worker_freed(g, worker);
    if (aside) {
        if (ponder_place(&g->ponder, worker) == PONDER_LOOK)
            plan_ponder(g, env);
        else
            g->aside_over[worker] = true;
        return ST_OK;
    }
    if (result->verdict == VERDICT_REFUSED) {
        job_refused(g, worker, job, result, env);
        return ST_OK;
    }
    bool part = split->is_part(&g->split, worker, job->job);
    struct split_report report = {.over = true, .elapsed_ms = result->elapsed_ms, .nodes = result->nodes};
    struct merge_line line;
    bool sound = result_line(g, job_position(g, worker, job), result, &report.line);
    report.line.proven = sound && is_trusted(env, worker) && is_mate_for_us(&report.line);
    if (result->stopped) { /* not by us: the worker is leaving, or its dead-man limit has come */
        split->lost(&g->split, worker, job->job, false);
    } else {
        if (split->report(&g->split, worker, job->job, &report, &line) && part) take_lines(g, MERGE_TREE, &line, env);
        split->done(&g->split, worker, job->job);
    }

    if (result->stopped && (part || result->depth == 0)) return ST_OK; /* our own short search knows more */
    if (sound && !part) {
        if (merge_final(&g->merge, worker, &report.line)) schedule(g);
    } else if (!sound && result->verdict != VERDICT_WIN) { /* a declaration we know ourselves */
        refuse_result(worker, job, result, env);
    }
    return ST_OK;
}

void game_worker_lost(struct game *g, unsigned worker, const struct worker_job *job)
{
    g->refusals[worker] = 0; /* the place may go to another worker */
    if (!is_current(g, job) || !g->out[worker]) return;
    bool aside = g->aside[worker];
    worker_freed(g, worker);
    if (aside && ponder_place(&g->ponder, worker) == PONDER_LOOK) ponder_look_lost(&g->ponder, worker);
    if (aside || MUTANT_IS(9)) return; /* 9: what it was doing is forgotten */
    g->split.ops->lost(&g->split, worker, job->job, false);
}

void game_worker_suspect(struct game *g, unsigned worker, struct game_env *env)
{
    const struct worker_job *job = &env->registry->workers[worker].job;
    if (is_current(g, job) && g->out[worker] && !g->aside[worker])
        g->split.ops->lost(&g->split, worker, job->job, true);
}

/* ---- time ------------------------------------------------------------------------------------------------------- */

/* The last of the workers that can be used, if there are several, looks at the replies. */
static void choose_looker(struct game *g, const struct registry *r)
{
    if (g->ponder.state != PONDER_TO_LOOK || registry_usable_count(r) < 2) return;
    unsigned last = r->high - 1;
    while (!worker_is_usable(r, &r->workers[last])) last--;
    ponder_look(&g->ponder, last);
}

/* Is the worker to do something beside the search itself? */
static bool goes_aside(const struct game *g, unsigned worker)
{
    return ponder_place(&g->ponder, worker) != 0 && !g->aside_over[worker];
}

/* Workers whose work nobody waits for any more are stopped: they are free for something better. */
static void call_back(struct game *g, struct game_env *env)
{
    for (unsigned i = 0; i < env->registry->high; i++) {
        struct worker *w = &env->registry->workers[i];
        if (!g->out[i] || !is_current(g, &w->job) || w->job.stopping) continue;
        bool useless = !g->aside[i] && g->split.ops->obsolete(&g->split, i);
        if (!useless && g->aside[i] == goes_aside(g, i)) continue;
        if (!g->aside[i]) g->split.ops->lost(&g->split, i, w->job.job, false);
        registry_send_stop(env->registry, w, env->now_ms, env->out);
        worker_freed(g, i);
    }
}

/* One scope for all of a `go`: what is found below another reply is often of use. */
static void share_hints(const struct game *g, struct msg_job *job)
{
    job->hint_scope = g->epoch;
    job->hint_plies = g->split.ops->hint_plies;
    job->claim_plies = g->split.ops->claim_plies;
    job->hint_bytes_per_s = HINT_BYTES_PER_S / (g->split.task.workers > 2 ? g->split.task.workers - 1 : 1);
}

static void hand_out_aside(struct game *g, unsigned worker, struct game_env *env)
{
    unsigned place = ponder_place(&g->ponder, worker);
    struct msg_job job = {
        .epoch = g->epoch, .job = ASIDE_JOB + place * COORD_WORKERS_MAX + worker, .attempt = 1, .kind = JOB_SEARCH};
    ponder_job(&g->ponder, worker, &job);
    if (place != PONDER_LOOK) share_hints(g, &job);
    registry_send_job(env->registry, &env->registry->workers[worker], &job, JOB_GAME, job.job, env->now_ms, env->out);
    g->out[worker] = g->aside[worker] = true;
}

static void hand_out(struct game *g, struct game_env *env)
{
    for (unsigned i = 0; i < env->registry->high; i++) {
        struct worker *w = &env->registry->workers[i];
        if (g->out[i] || g->refusals[i] >= REFUSALS_MAX || !worker_is_free(env->registry, w)) continue;
        if (goes_aside(g, i)) {
            hand_out_aside(g, i, env);
            continue;
        }
        struct split_job share;
        if (!g->split.ops->next(&g->split, i, &share)) continue;
        struct msg_job job = {.epoch = g->epoch,
                              .job = share.job,
                              .attempt = share.attempt < 1000 ? share.attempt : 1000,
                              .kind = JOB_SEARCH,
                              .root = wire_str_make(g->board.root, g->board.root_bytes),
                              .multipv = share.multipv > 1 ? share.multipv : 0,
                              .depth_max = share.depth_max,
                              .nodes = share.nodes,
                              .variation = share.variation};
        if (share.part) {
            job.part = true;
            job.alpha = share.alpha;
            job.beta = share.beta;
            job.depth_min = share.depth_min;
            job.moves_before = share.moves_before;
        }
        if (g->split.ops->shares_hints) {
            job.hint_workers = g->split.task.workers;
            share_hints(g, &job);
        }
        jobtext_write(&g->texts, &g->board, g->epoch, i, &share, &job);
        if (g->limited && g->phase == GAME_THINKING) {
            int64_t last_ms = g->clock_ms + g->allot.hard_ms + DEAD_MAN_MS - env->now_ms;
            job.time_limit_ms = last_ms < 1 ? 1 : last_ms > UINT32_MAX ? UINT32_MAX : (uint32_t)last_ms;
        }
        registry_send_job(env->registry, w, &job, JOB_GAME, share.job, env->now_ms, env->out);
        g->out[i] = true;
    }
}

/* Is anybody there who may yet do the job? */
static bool help_is_in_sight(const struct game *g, const struct registry *r)
{
    for (unsigned i = 0; i < r->high; i++)
        if (r->workers[i].present && !r->workers[i].suspect && g->refusals[i] < REFUSALS_MAX &&
            worker_has_hope(r, &r->workers[i]))
            return true;
    return false;
}

static void think_alone(struct game *g, struct game_env *env)
{
    bool needed = !g->mate && !g->finished && !g->merge.present && !g->fallback.finished &&
                  registry_usable_count(env->registry) == 0;
    if (!needed) {
        g->slice_ms = INT64_MAX;
    } else if (g->slice_ms == INT64_MAX) {
        g->slice_ms = env->now_ms + SLICE_APART_MS;
    } else if (env->now_ms >= g->slice_ms) {
        fallback_run(&g->fallback, FALLBACK_NODES_SLICE);
        g->slice_ms = g->fallback.finished ? INT64_MAX : env->now_ms + SLICE_APART_MS;
    }
}

void game_advance(struct game *g, struct game_env *env)
{
    if (g->phase == GAME_IDLE) return;
    if (!g->finished && !g->mate) g->finished = g->split.ops->finished(&g->split); /* by a result or by a loss */
    if (!g->finished && !g->mate) {
        choose_looker(g, env->registry);
        call_back(g, env);
        hand_out(g, env);
    }

    if (help_is_in_sight(g, env->registry))
        g->lonely_ms = INT64_MAX;
    else if (g->lonely_ms == INT64_MAX)
        g->lonely_ms = env->now_ms;
    bool given_up = g->lonely_ms != INT64_MAX && env->now_ms - g->lonely_ms >= env->worker_wait_ms && !g->limited;

    think_alone(g, env);
    if (!may_answer(g)) return;
    if (g->finished || env->now_ms >= g->due_ms) {
        answer(g, env);
    } else if (given_up) {
        if (g->mate) fx_infof(env->out, "info string no worker is ready");
        answer(g, env);
    }
}

int64_t game_deadline_ms(const struct game *g, int64_t worker_wait_ms)
{
    if (g->phase == GAME_IDLE) return INT64_MAX;
    int64_t due = g->slice_ms;
    if (may_answer(g)) {
        if (g->due_ms < due) due = g->due_ms;
        if (g->lonely_ms != INT64_MAX && !g->limited && g->lonely_ms + worker_wait_ms < due)
            due = g->lonely_ms + worker_wait_ms;
    }
    return due;
}
