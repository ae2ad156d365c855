/* iterate.c - see iterate.h. */
#include "worker/engine/iterate.h"

#include "worker/engine/root_mate.h"

enum { MATE_MARGIN_PLIES = 10, REPORT_LOW_PLIES = 10 };

/* Stable: moves that were not better than the best so far keep their order. */
static void sort_root_moves(struct root_move *first, struct root_move *end)
{
    for (struct root_move *p = first + 1; p < end; p++) {
        struct root_move *q = p;
        while (q > first &&
               (q[-1].score < p->score || (q[-1].score == p->score && q[-1].score_previous < p->score_previous)))
            q--;
        if (q == p) continue;
        struct root_move moving = *p;
        for (struct root_move *r = p; r > q; r--) *r = r[-1];
        *q = moving;
    }
}

static Score widen(Score score)
{
    return score > SCORE_INFINITE ? SCORE_INFINITE : score < -SCORE_INFINITE ? -SCORE_INFINITE : score;
}

struct window {
    Score alpha, beta;
};

/* Keeps the window inside what matters to the larger search, and open. */
static struct window narrowed(struct window w, struct window most, Score delta)
{
    if (w.beta <= most.alpha) w = (struct window){most.alpha, most.alpha + delta};
    if (w.alpha >= most.beta) w = (struct window){most.beta - delta, most.beta};
    if (w.alpha < most.alpha) w.alpha = most.alpha;
    if (w.beta > most.beta) w.beta = most.beta;
    return w;
}

/* Another worker has finished this iteration: goes on from there. */
static void take_told(struct search_thread *t)
{
    for (size_t i = 0; i < t->root_count_moves; i++) {
        struct root_move *m = &t->root_moves[i];
        m->score = -SCORE_INFINITE;
        if (m->move != t->told_move) continue;
        m->score = t->told_score;
        m->score_mean = m->score_mean == -SCORE_INFINITE ? m->score : (m->score_mean + m->score) / 2;
        m->bound = BOUND_EXACT;
        m->pv[0] = m->move;
        m->pv_count = 1;
    }
}

/* One line of one iteration: narrow window first, wider where the score falls outside. */
static void search_line(struct search_thread *t, int depth_plies)
{
    struct root_move *line = &t->root_moves[t->multipv_index], *end = t->root_moves + t->root_count_moves;
    const struct engine_limits *limits = &t->shared->limits;
    const struct window most =
        limits->part ? (struct window){limits->alpha, limits->beta} : (struct window){-SCORE_INFINITE, SCORE_INFINITE};
    Score delta = t->params.aspiration_cp + (Score)(t->index % 8), mean = line->score_mean;
    Score alpha = -SCORE_INFINITE, beta = SCORE_INFINITE;
    if (depth_plies >= 4 && mean != -SCORE_INFINITE && mean < EVAL_CP_MAX && mean > -EVAL_CP_MAX) {
        delta += (mean < 0 ? -mean : mean) / 50;
        alpha = widen(mean - delta);
        beta = widen(mean + delta);
    }
    int fail_highs = 0;
    for (;;) {
        if (limits->part) {
            struct window window = narrowed((struct window){alpha, beta}, most, delta);
            alpha = window.alpha;
            beta = window.beta;
        }
        int reduced = depth_plies - fail_highs;
        Score score = search_root(t, alpha, beta, reduced < 1 ? 1 : reduced);
        if (t->told_move != MOVE_NONE) take_told(t);
        sort_root_moves(line, end);
        if (search_stopped(t) || t->told_move != MOVE_NONE) return;
        if (limits->part && score <= most.alpha) { /* that is all that was asked */
            line->score = score;
            line->bound = BOUND_UPPER;
            return;
        }
        if (limits->part && score >= most.beta) return;
        if (score <= alpha) {
            if (t->report && t->multipv_index == 0 && depth_plies >= REPORT_LOW_PLIES)
                t->report(t->report_context, t, 0, false);
            beta = (alpha + beta) / 2;
            alpha = widen(score - delta);
            fail_highs = 0;
        } else if (score >= beta) {
            beta = widen(score + delta);
            if (fail_highs < 3) fail_highs++;
        } else {
            return;
        }
        delta += delta / 2;
        if (delta > 3000) {
            alpha = -SCORE_INFINITE;
            beta = SCORE_INFINITE;
        }
    }
}

/* A mate that this depth has looked beyond by a margin will not get shorter. */
static bool mate_is_settled(const struct search_thread *t)
{
    Score score = t->root_moves[0].score;
    if (!score_is_mate(score) || t->multipv_count > 1) return false;
    int plies = score_mate_plies(score);
    return t->root_depth_plies >= 2 * (plies < 0 ? -plies : plies) + MATE_MARGIN_PLIES;
}

void iterate(struct search_thread *t, search_report *report, void *context)
{
    const struct engine_limits *limits = &t->shared->limits;
    int depth_max =
        limits->depth_plies > 0 && limits->depth_plies < ENGINE_DEPTH_MAX ? limits->depth_plies : ENGINE_DEPTH_MAX;
    struct root_move *end = t->root_moves + t->root_count_moves;
    /* Every second helper runs one ply ahead, so that the threads do not all do the same work. */
    const struct engine_sharing *sharing = &limits->sharing;
    unsigned ahead = (t->index + (sharing->stagger ? sharing->worker : 0)) % 2;
    int first = ahead == 1 && depth_max > 1 ? 2 : 1;
    if (limits->part && limits->depth_min_plies > first)
        first = limits->depth_min_plies < depth_max ? limits->depth_min_plies : depth_max;
    t->report = report;
    t->report_context = context;
    root_mate_start(t);
    for (int depth = first; depth <= depth_max && !search_stopped(t); depth++) {
        t->root_depth_plies = depth;
        for (struct root_move *m = t->root_moves; m < end; m++) m->score_previous = m->score;
        for (t->multipv_index = 0; t->multipv_index < t->multipv_count && !search_stopped(t); t->multipv_index++) {
            t->seldepth_plies = 0;
            search_line(t, depth);
            sort_root_moves(t->root_moves, t->root_moves + t->multipv_index + 1);
        }
        t->multipv_index = 0;
        if (!search_stopped(t)) root_mate_look(t);
        root_mate_apply(t);
        if (search_stopped(t)) break;
        t->completed_depth_plies = depth;
        if (report)
            for (size_t i = 0; i < t->multipv_count; i++) report(context, t, i, false);
        if (mate_is_settled(t)) break;
    }
    t->multipv_index = 0;
}
