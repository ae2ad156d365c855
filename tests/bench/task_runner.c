/* task_runner.c - see task_runner.h. */
#include "tests/bench/task_runner.h"

#include "common/shogi/movetext.h"
#include "common/shogi/sfen.h"
#include "worker/engine/engine.h"
#include "worker/engine/mate/mate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = MATE_PLIES_MAX * MOVETEXT_BYTES_MAX, MATE_SHARE = 4 /* of the table's size, as in a worker */ };

struct task_runner {
    struct engine *engine;
    struct engine_result result;
    struct mate_solver *mate;
    struct mate_result mated;
    struct history history;
    struct position pos;
    struct scan_result answer;
    char best[MOVETEXT_BYTES_MAX], pv[SCAN_MULTIPV_MAX][ENGINE_PV_MAX * MOVETEXT_BYTES_MAX], line[LINE_BYTES];
};

static struct wire_str put_moves(const Move *moves, size_t count, char *out)
{
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        if (i) out[bytes++] = ' ';
        bytes += movetext_to_usi(moves[i], out + bytes);
    }
    return wire_str_make(out, bytes);
}

static void put_score(Score score, uint32_t *kind, int32_t *value)
{
    bool mate = score_is_mate(score);
    *kind = mate ? WIRE_SCORE_MATE : WIRE_SCORE_CP;
    *value = mate ? score_mate_plies(score) : score_clamp_cp(score);
}

/* The last word about each line counts. */
static void on_info(void *context, const struct engine_info *info)
{
    struct task_runner *r = context;
    unsigned i = info->multipv - 1;
    if (i >= SCAN_MULTIPV_MAX || info->bound != BOUND_EXACT || !info->pv_count) return;
    struct scan_line *line = &r->answer.lines[i];
    put_score(info->score, &line->score_kind, &line->score);
    line->depth = (uint32_t)info->depth_plies;
    line->pv = put_moves(info->pv, info->pv_count, r->pv[i]);
    if (r->answer.line_count <= i) r->answer.line_count = i + 1;
}

static void on_done(void *context, const struct engine_result *result)
{
    ((struct task_runner *)context)->result = *result;
}

struct task_runner *task_runner_new(uint32_t hash_mb)
{
    struct task_runner *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    struct engine_options options = {.hash_bytes = (size_t)hash_mb << 20, .threads = 1, .rule = RULE_CSA27};
    r->engine = engine_new(&options, &(struct engine_sink){.context = r, .info = on_info, .done = on_done});
    size_t mate_bytes = options.hash_bytes / MATE_SHARE;
    r->mate = mate_new(mate_bytes < 4 << 20 ? 4 << 20 : mate_bytes, 1);
    if (r->engine && r->mate) return r;
    task_runner_free(r);
    return NULL;
}

void task_runner_free(struct task_runner *r)
{
    if (!r) return;
    engine_free(r->engine);
    mate_free(r->mate);
    free(r);
}

static size_t read_only(const struct task_runner *r, struct text only, Move moves[MOVES_MAX])
{
    struct text word;
    size_t count = 0;
    while (count < MOVES_MAX && text_take_word(&only, &word)) {
        Move move = movetext_from_usi(&r->pos, word.at, text_length(word));
        if (move != MOVE_NONE) moves[count++] = move;
    }
    return count;
}

static bool search(struct task_runner *r, const struct task *task)
{
    Move only[MOVES_MAX];
    struct engine_limits limits = {.nodes = task->nodes,
                                   .depth_plies = (int)task->depth_max,
                                   .multipv = task->multipv,
                                   .searchmoves = only,
                                   .searchmoves_count = read_only(r, task->only, only)};
    if (engine_go(r->engine, &r->pos, &r->history, &limits) != ST_OK) return false;
    engine_wait(r->engine);
    struct scan_result *a = &r->answer;
    a->verdict = r->result.best == MOVE_WIN      ? VERDICT_WIN
                 : r->result.best == MOVE_RESIGN ? VERDICT_RESIGN
                                                 : VERDICT_MOVE;
    a->best = a->verdict == VERDICT_MOVE ? put_moves(&r->result.best, 1, r->best) : wire_str_make("", 0);
    put_score(r->result.score, &a->score_kind, &a->score);
    a->depth = (uint32_t)r->result.depth_plies;
    a->nodes = r->result.nodes;
    return true;
}

static void prove(struct task_runner *r, const struct task *task)
{
    Move only[MOVES_MAX];
    struct mate_limits limits = {
        .nodes = task->nodes, .plies_max = (int)task->plies_max, .first_move_count = read_only(r, task->only, only)};
    if (limits.first_move_count) limits.first_moves = only;
    mate_clear(r->mate);
    mate_solve(r->mate, &r->pos, &limits, &r->mated);
    struct scan_result *a = &r->answer;
    a->nodes = r->mated.nodes;
    a->refuted_plies = (uint32_t)r->mated.refuted_plies;
    a->verdict = r->mated.verdict == MATE_PROVED    ? VERDICT_MATE
                 : r->mated.verdict == MATE_REFUTED ? VERDICT_NOMATE
                                                    : VERDICT_UNKNOWN;
    if (a->verdict != VERDICT_MATE) return;
    a->score_kind = WIRE_SCORE_MATE;
    a->score = r->mated.plies;
    a->line = put_moves(r->mated.line, (size_t)r->mated.plies, r->line);
    a->best = put_moves(r->mated.line, 1, r->best);
}

static bool play(struct task_runner *r, struct text *moves)
{
    struct text word;
    struct undo undo;
    if (!text_take_word(moves, &word)) return false;
    Move move = movetext_from_usi(&r->pos, word.at, text_length(word));
    if (move == MOVE_NONE) return false;
    position_do(&r->pos, move, &undo);
    return history_push(&r->history, &r->pos);
}

bool task_runner_do(struct task_runner *r, const struct task *task, struct text_buffer *out, uint64_t *nodes)
{
    struct text moves = task->moves;
    if (sfen_read(&r->pos, task->root.at, text_length(task->root), NULL, NULL) != ST_OK ||
        engine_new_game(r->engine) != ST_OK)
        return false;
    history_start(&r->history, &r->pos);
    for (uint32_t ply = 0; ply <= task->last_ply; ply++) {
        if (ply && !play(r, &moves)) return false;
        if (ply < task->first_ply) continue;
        memset(&r->answer, 0, sizeof r->answer);
        r->answer.ply = ply;
        if (task->kind == JOB_MATE)
            prove(r, task);
        else if (!search(r, task))
            return false;
        *nodes += r->answer.nodes;
        answer_write(&r->answer, out);
    }
    return out->status == ST_OK;
}
