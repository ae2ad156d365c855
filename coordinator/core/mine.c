/* mine.c - see mine.h. */
#include "coordinator/core/mine.h"

#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "common/shogi/wasted.h"
#include "coordinator/core/motif.h"
#include "coordinator/core/pv.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    LOOK_DIVISOR = 6,     /* a short search first: most candidates are refused by it */
    LOOK_WIN_SHORT = 150, /* permille below the threshold that no deeper search makes up for */
    LOOK_GAP_SHORT = 4,   /* a gap of less than a quarter of what is asked, between two winning moves */
    SUSPECT_DIVISOR = 4,  /* a first look that sees a quarter of the loss is looked at again */
    AUDIT_MATE_FACTOR = 4,
    MATE_PLIES_LONGEST = 2 * MINE_SOLVER_MAX - 1
};

struct mine mine_defaults(void)
{
    return (struct mine){
#define MINE_NUMBER(name, word, value, min, max, unit, help) .name = value,
        MINE_NUMBERS(MINE_NUMBER)
#undef MINE_NUMBER
    };
}

void mine_settings_write(const struct mine *mine, char out[MINE_SETTINGS_BYTES])
{
    size_t used = 0;
#define PUT(name, word, value, min, max, unit, help)                                                                   \
    used += (size_t)snprintf(out + used, MINE_SETTINGS_BYTES - used, #name "=%" PRId64 "\n", mine->name);
    MINE_NUMBERS(PUT)
#undef PUT
}

enum status mine_settings_read(const char *text, struct mine *mine)
{
    struct text rest = text_from(text);
    *mine = mine_defaults();
#define TAKE(name, word, value, min, max, unit, help)                                                                  \
    {                                                                                                                  \
        uint64_t number;                                                                                               \
        if (!text_take(&rest, #name "=") || !text_take_number(&rest, INT64_MAX, &number) ||                            \
            !text_take_char(&rest, '\n'))                                                                              \
            return ST_SYNTAX;                                                                                          \
        if ((int64_t)number < (min) || (int64_t)number > (max)) return ST_RANGE;                                       \
        mine->name = (int64_t)number;                                                                                  \
    }
    MINE_NUMBERS(TAKE)
#undef TAKE
    return text_empty(rest) ? ST_OK : ST_TRAILING;
}

const char *mine_reason_word(enum mine_reason reason)
{
    static const char *const words[] = {
#define MINE_REASON(name, word, meaning) word,
        MINE_REASONS(MINE_REASON)
#undef MINE_REASON
    };
    return words[reason];
}

/* ---- candidates ------------------------------------------------------------------------------------------------- */

const char *mine_chance_word(enum mine_chance chance)
{
    static const char *const words[] = {
#define MINE_CHANCE(name, word, meaning) word,
        MINE_CHANCES(MINE_CHANCE)
#undef MINE_CHANCE
    };
    return words[chance];
}

static bool mates(struct judge_score score) { return score.kind == WIRE_SCORE_MATE && score.score > 0; }

static bool is_mated(struct judge_score score) { return score.kind == WIRE_SCORE_MATE && score.score <= 0; }

static bool is_mistake(const struct mine *m, struct judge_score before, struct judge_score here, int32_t share)
{
    if (before.kind == WIRE_SCORE_NONE || here.kind == WIRE_SCORE_NONE) return false;
    int32_t left = judge_cp(here), loss = judge_cp(before) + left;
    return loss >= m->loss_cp / share && left >= m->left_cp / share && -judge_cp(before) < m->decided_cp;
}

/* A mate is a candidate where it begins, however much the solver was ahead; and once more where it is let go. */
enum mine_chance mine_chance(const struct mine *m, const struct mine_view *view)
{
    if (is_mistake(m, view->before, view->here, 1)) return MINE_CHANCE_MISTAKE;
    if (!mates(view->here)) return MINE_CHANCE_NONE;
    if (!is_mated(view->before) && !mates(view->turn_before)) return MINE_CHANCE_MATE;
    bool let_go = view->turn_after.kind != WIRE_SCORE_NONE && !mates(view->turn_after) && !is_mated(view->after);
    return let_go ? MINE_CHANCE_MISSED_MATE : MINE_CHANCE_NONE;
}

bool mine_is_suspect(const struct mine *m, struct judge_score before, struct judge_score here)
{
    struct mine wide = *m;
    wide.decided_cp += m->left_cp;
    return is_mistake(&wide, before, here, SUSPECT_DIVISOR);
}

bool mine_is_twin(Move a, Move b)
{
    return a != b && !move_is_drop(a) && !move_is_drop(b) && (a | MOVE_PROMOTE) == (b | MOVE_PROMOTE);
}

/* ---- a case ----------------------------------------------------------------------------------------------------- */

void mine_case_init(struct mine_case *c, const struct position *start, struct judge_score before)
{
    memset(c, 0, sizeof *c);
    c->start = c->at = *start;
    c->before = before;
    c->lane = TASK_VERIFY;
    c->step = MINE_MATE_FIRST;
}

void mine_case_audit(struct mine_case *c, const struct position *start, const Move *line, unsigned count,
                     const uint32_t *depths, unsigned mate_plies)
{
    mine_case_init(c, start, (struct judge_score){WIRE_SCORE_NONE, 0});
    assert(count % 2 == 1 && count <= MINE_LINE_MAX);
    memcpy(c->line, line, count * sizeof *line);
    c->count = count;
    c->solver_count = (count + 1) / 2;
    for (unsigned i = 0; i < c->solver_count; i++) c->moves[i].depth = depths[i];
    c->mate = mate_plies > 0;
    c->mate_plies = mate_plies;
    c->lane = TASK_AUDIT;
    c->step = c->mate ? MINE_MATE_FIRST : MINE_DEEP;
}

static void decide(struct mine_case *c, enum mine_verdict verdict, enum mine_reason reason)
{
    c->verdict = verdict;
    c->reason = reason;
    c->step = MINE_DECIDED;
}

static void reject(struct mine_case *c, enum mine_reason reason, enum mine_reason in_audit)
{
    decide(c, MINE_REJECTED, c->lane == TASK_AUDIT ? in_audit : reason);
}

/* Plies of mate that are left at the move in question. */
static unsigned plies_left(const struct mine_case *c) { return c->mate_plies - 2 * c->index; }

/* The checks other than the solution and its twins, as text. Returns how many. */
static size_t other_checks(struct mine_case *c, size_t *bytes)
{
    Move list[MOVES_MAX], best = c->line[2 * c->index];
    size_t count = 0, n = movegen_legal(&c->at, list);
    *bytes = 0;
    for (size_t i = 0; i < n; i++) {
        if (list[i] == best || list[i] == c->twin || mine_is_twin(list[i], best)) continue;
        if (!position_gives_check(&c->at, list[i])) continue;
        if (count++) c->only[(*bytes)++] = ' ';
        *bytes += movetext_to_usi(list[i], c->only + *bytes);
    }
    return count;
}

bool mine_question(const struct mine *m, struct mine_case *c, struct task *task)
{
    bool audit = c->lane == TASK_AUDIT;
    size_t bytes = 0;
    if (c->step == MINE_DECIDED) return false;
    *task = (struct task){.engine = m->engine, .lane = c->lane, .multipv = 1};
    struct position bare = c->at;
    bare.game_ply = 1; /* equal positions, equal names */
    task->root = text_make(c->sfen, sfen_write(&bare, c->sfen));
    task->moves = task->only = text_from("");
    switch (c->step) {
    case MINE_MATE_FIRST:
        task->kind = JOB_MATE;
        task->nodes = (uint64_t)m->mate_nodes * (audit ? AUDIT_MATE_FACTOR : 1);
        break;
    case MINE_MATE_OTHERS:
        task->kind = JOB_MATE;
        task->nodes = (uint64_t)m->mate_nodes * (audit ? AUDIT_MATE_FACTOR : 1);
        task->plies_max = plies_left(c);
        other_checks(c, &bytes);
        task->only = text_make(c->only, bytes);
        break;
    case MINE_LOOK:
        task->nodes = (uint64_t)m->verify_nodes / LOOK_DIVISOR;
        task->multipv = 3;
        break;
    case MINE_DEEP:
        task->multipv = 3;
        task->nodes = (uint64_t)(audit ? m->audit_nodes : m->verify_nodes);
        if (audit) {
            uint32_t depth = c->moves[c->index].depth + (uint32_t)m->audit_plies;
            task->depth_max = depth < WIRE_DEPTH_MAX ? depth : WIRE_DEPTH_MAX;
        }
        break;
    case MINE_DECIDED:
        break;
    }
    return true;
}

static void play(struct mine_case *c, Move move)
{
    struct undo undo;
    position_do(&c->at, move, &undo);
}

static void back_to_start(struct mine_case *c)
{
    c->at = c->start;
    c->index = 0;
    c->twin = MOVE_NONE;
}

/* ---- a solution is complete ------------------------------------------------------------------------------------- */

/* The solution stands. Now the audit, or, after it, the end. */
static void complete(struct mine_case *c)
{
    if (c->lane == TASK_AUDIT) {
        decide(c, MINE_ACCEPTED, MINE_NONE);
        return;
    }
    if (!c->mate && motif_is_trivial(&c->start, c->line, c->count, judge_cp(c->before))) {
        decide(c, MINE_HELD, MINE_TRIVIAL);
        return;
    }
    back_to_start(c);
    c->lane = TASK_AUDIT;
    c->step = c->mate ? MINE_MATE_FIRST : MINE_DEEP;
}

/* ---- mates ------------------------------------------------------------------------------------------------------ */

static void mate_node_next(struct mine_case *c);

/* No other move mates as fast here: on to the next move of the solver. */
static void mate_node_unique(struct mine_case *c)
{
    unsigned k = c->index;
    c->moves[k] = (struct mine_move){.score = {WIRE_SCORE_MATE, (int32_t)plies_left(c)}, .alone = true};
    if (2 * k + 1 >= c->count) { /* mate, or nothing but wasted interpositions are left */
        complete(c);
        return;
    }
    play(c, c->line[2 * k]);
    play(c, c->line[2 * k + 1]);
    c->index++;
    c->twin = MOVE_NONE;
    mate_node_next(c);
}

static bool mates_at_once(const struct position *pos, Move move)
{
    struct position after = *pos;
    struct undo undo;
    position_do(&after, move, &undo);
    return !position_has_legal_move(&after);
}

/* Is there another mate in one? The rules alone tell. */
static bool other_mate_in_one(struct mine_case *c)
{
    Move list[MOVES_MAX], best = c->line[2 * c->index];
    size_t n = movegen_legal(&c->at, list);
    for (size_t i = 0; i < n; i++)
        if (list[i] != best && !mine_is_twin(list[i], best) && position_gives_check(&c->at, list[i]) &&
            mates_at_once(&c->at, list[i]))
            return true;
    return false;
}

/* Asks the next question about uniqueness, or answers it without the cluster. */
static void mate_node_next(struct mine_case *c)
{
    size_t bytes;
    if (plies_left(c) == 1 && other_mate_in_one(c)) {
        reject(c, MINE_SEVERAL_MATES, MINE_AUDIT_MATE);
    } else if (plies_left(c) == 1 || other_checks(c, &bytes) == 0) {
        mate_node_unique(c);
    } else {
        c->step = MINE_MATE_OTHERS;
    }
}

static bool read_mate_line(struct mine_case *c, struct text line)
{
    struct pv pv;
    if (!pv_read(&pv, &c->at, wire_str_make(line.at, text_length(line))) || pv.count % 2 == 0 ||
        pv.count > MATE_PLIES_LONGEST)
        return false;
    memcpy(c->line, pv.moves, pv.count * sizeof *pv.moves);
    c->mate_plies = pv.count;
    c->count = wasted_cut(&c->at, pv.moves, pv.count);
    c->solver_count = (c->count + 1) / 2;
    return true;
}

/* The proof of the mate as such. `depth` of a mate answer says: none within so many plies. */
static void take_mate_first(struct mine_case *c, const struct answer *answer)
{
    bool proved = answer->verdict == VERDICT_MATE && answer->line_count > 0;
    if (c->lane == TASK_AUDIT) {
        if (!proved || answer->score.score != (int32_t)c->mate_plies || answer->depth + 2 < c->mate_plies)
            reject(c, MINE_AUDIT_MATE, MINE_AUDIT_MATE);
        else
            mate_node_next(c);
        return;
    }
    if (!proved) {
        c->step = MINE_LOOK;
        return;
    }
    if (answer->score.score > MATE_PLIES_LONGEST || answer->depth + 2 < (uint32_t)answer->score.score ||
        !read_mate_line(c, answer->lines[0].pv)) {
        reject(c, MINE_MATE_UNPROVED, MINE_AUDIT_MATE); /* perhaps there is a shorter one */
        return;
    }
    c->mate = true;
    mate_node_next(c);
}

/* The same two drops in the other order, with the same reply between: no other answer. */
static bool is_drop_order(const struct mine_case *c, const struct pv *other)
{
    const Move *own = c->line + 2 * c->index;
    return 2 * c->index + 2 < c->count && other->count >= 3 && move_is_drop(own[0]) && move_is_drop(own[2]) &&
           other->moves[0] == own[2] && other->moves[1] == own[1] && other->moves[2] == own[0];
}

static void take_mate_others(struct mine_case *c, const struct answer *answer)
{
    if (answer->verdict == VERDICT_NOMATE || answer->depth >= plies_left(c)) {
        mate_node_unique(c);
        return;
    }
    if (answer->verdict != VERDICT_MATE || answer->line_count == 0) {
        reject(c, MINE_MATE_UNPROVED, MINE_AUDIT_MATE);
        return;
    }
    struct pv other;
    pv_read(&other, &c->at, wire_str_make(answer->lines[0].pv.at, text_length(answer->lines[0].pv)));
    if (c->twin == MOVE_NONE && is_drop_order(c, &other)) {
        c->twin = other.moves[0];
        mate_node_next(c);
        return;
    }
    reject(c, MINE_SEVERAL_MATES, MINE_AUDIT_MATE);
}

/* ---- wins ------------------------------------------------------------------------------------------------------- */

static bool line_read(const struct mine_case *c, const struct answer *answer, unsigned i, struct pv *pv)
{
    return i < answer->line_count &&
           (pv_read(pv, &c->at, wire_str_make(answer->lines[i].pv.at, text_length(answer->lines[i].pv))),
            pv->count > 0);
}

static bool same_answer(const struct pv *best, const struct pv *other)
{
    if (mine_is_twin(best->moves[0], other->moves[0])) return true;
    return best->count >= 3 && other->count >= 3 && move_is_drop(best->moves[0]) && move_is_drop(best->moves[2]) &&
           best->moves[0] == other->moves[2] && best->moves[1] == other->moves[1] && best->moves[2] == other->moves[0];
}

struct outcome_view { /* an answer to a position, as far as it matters here */
    struct pv best;
    struct judge_score score, runner;
    bool alone;
};

static bool view_read(const struct mine_case *c, const struct answer *answer, struct outcome_view *view)
{
    if (!line_read(c, answer, 0, &view->best)) return false;
    view->score = answer->lines[0].score;
    view->alone = true;
    for (unsigned i = 1; i < answer->line_count; i++) {
        struct pv other;
        if (!line_read(c, answer, i, &other) || same_answer(&view->best, &other)) continue;
        view->runner = answer->lines[i].score;
        view->alone = false;
        break;
    }
    return true;
}

/* A score that is no mate, less the margin. */
static struct judge_score with_margin(const struct mine *m, struct judge_score score)
{
    if (score.kind == WIRE_SCORE_CP) score.score -= (int32_t)m->margin_cp;
    return score;
}

/* MINE_NONE: the best move is the only answer. */
static enum mine_reason judge_view(const struct mine *m, const struct outcome_view *view)
{
    if (judge_win_permille(with_margin(m, view->score)) < m->win_permille) return MINE_NOT_WINNING;
    if (view->alone) return MINE_NONE;
    if (judge_win_permille(view->runner) > m->runner_most_permille) return MINE_SEVERAL;
    int64_t gap = (int64_t)judge_cp(view->score) - judge_cp(view->runner) - m->margin_cp;
    if (gap < m->gap_cp) return MINE_SEVERAL;
    return judge_win_permille(view->runner) <= m->runner_permille || gap >= m->gap_alone_cp ? MINE_NONE : MINE_SEVERAL;
}

static void take_look(const struct mine *m, struct mine_case *c, const struct answer *answer)
{
    struct outcome_view view;
    if (!view_read(c, answer, &view)) {
        reject(c, MINE_NOT_WINNING, MINE_AUDIT_NOT_WINNING);
        return;
    }
    c->look_best = view.best.moves[0];
    bool forced = movegen_count_legal(&c->at) == 1;
    /* A short cold search overlooks long wins that a warm one has seen: then all nodes are to say. */
    bool hopeless = judge_win_permille(view.score) + LOOK_WIN_SHORT < m->win_permille &&
                    judge_win_permille(c->scan) < m->win_permille;
    bool several = !view.alone && judge_win_permille(view.runner) >= m->win_permille &&
                   judge_cp(view.score) - judge_cp(view.runner) < m->gap_cp / LOOK_GAP_SHORT;
    if (forced || hopeless || several)
        decide(c, MINE_REJECTED, forced ? MINE_FORCED : hopeless ? MINE_NOT_WINNING : MINE_SEVERAL);
    else
        c->step = MINE_DEEP;
}

/* The best move is the only answer here: takes it into the solution. False: the solution ends with it. */
static bool extend(const struct mine *m, struct mine_case *c, const struct outcome_view *view, uint32_t depth)
{
    c->moves[c->index] =
        (struct mine_move){.score = view->score, .runner = view->runner, .depth = depth, .alone = view->alone};
    c->line[c->count++] = view->best.moves[0];
    c->solver_count++;
    if (c->index == 0) c->engine_mate = view->score.kind == WIRE_SCORE_MATE;
    if (view->best.count < 3 || c->solver_count >= m->solver_moves) return false;
    c->line[c->count++] = view->best.moves[1];
    play(c, view->best.moves[0]);
    play(c, view->best.moves[1]);
    c->index++;
    return true;
}

/* A solution ends with a move that had to be found, not with one that was forced. */
static void trim(struct mine_case *c)
{
    if (c->count % 2 == 0 && c->count > 0) c->count--; /* a reply without an answer */
    struct position pos = c->start;
    bool forced[MINE_SOLVER_MAX];
    for (unsigned i = 0; i < c->count; i++) {
        struct undo undo;
        if (i % 2 == 0) forced[i / 2] = movegen_count_legal(&pos) == 1;
        position_do(&pos, c->line[i], &undo);
    }
    while (c->count >= 3 && forced[(c->count - 1) / 2]) c->count -= 2;
    c->solver_count = (c->count + 1) / 2;
}

static void take_deep(const struct mine *m, struct mine_case *c, const struct answer *answer)
{
    struct outcome_view view;
    enum mine_reason reason = view_read(c, answer, &view) ? judge_view(m, &view) : MINE_NOT_WINNING;
    if (c->lane == TASK_AUDIT) {
        Move own = c->line[2 * c->index];
        if (reason == MINE_NOT_WINNING)
            decide(c, MINE_REJECTED, MINE_AUDIT_NOT_WINNING);
        else if (view.best.moves[0] != own && !mine_is_twin(view.best.moves[0], own))
            decide(c, MINE_REJECTED, MINE_AUDIT_MOVE);
        else if (reason != MINE_NONE)
            decide(c, MINE_REJECTED, MINE_AUDIT_SEVERAL);
        else if (c->index + 1 == c->solver_count)
            complete(c);
        else {
            play(c, own);
            play(c, c->line[2 * c->index + 1]);
            c->index++;
        }
        return;
    }
    if (reason == MINE_NONE && extend(m, c, &view, answer->depth)) return;
    if (c->solver_count == 0) {
        reject(c, reason, reason);
        return;
    }
    trim(c);
    complete(c);
}

void mine_answer(const struct mine *m, struct mine_case *c, const struct answer *answer)
{
    if (!answer || answer->verdict == VERDICT_REFUSED) {
        decide(c, MINE_REJECTED, MINE_FAILED);
        return;
    }
    *(c->lane == TASK_AUDIT ? &c->nodes_audit : &c->nodes_verify) += answer->nodes;
    switch (c->step) {
    case MINE_MATE_FIRST:
        take_mate_first(c, answer);
        break;
    case MINE_MATE_OTHERS:
        take_mate_others(c, answer);
        break;
    case MINE_LOOK:
        take_look(m, c, answer);
        break;
    case MINE_DEEP:
        take_deep(m, c, answer);
        break;
    case MINE_DECIDED:
        break;
    }
}
