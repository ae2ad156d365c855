/* split_tree.c - the strategies `tree` and `root`: a search begins as plain searches of the root by everybody, which
 * fills all tables; as soon as it has run for a few grains of time and there is more than one worker, the top of the
 * tree (tree.h) stands with the coordinator and workers get parts of it:
 *
 *   leaf     the whole position at the end of the spine
 *   scout    some moves of a spine position: is one of them better than alpha? (null window)
 *   resolve  one move that is better: what is it worth?
 *
 * A worker that asks gets, in this order: what the present iteration cannot do without, moves that its own table knows
 * first; a place beside somebody who resolves (the hint plane makes two on one position worth something); the next
 * iteration, on the assumption that the score stays what it is. `root` is `tree` with a spine of one level.
 */
#include "coordinator/core/split.h"

#include <string.h>

enum {
    SEED_GRAINS = 2, /* plain search for so long, */
    SEED_DEPTH = 2,  /* and so deep */
    MARGIN_CP = 10,  /* below a guessed alpha: a guess that was a little too high costs a second look at all moves */
    GROUP_MAX = 4,   /* workers on one position */
    DEPTH_SPARE = 4, /* so close to the greatest depth nothing is split any more */
    COLD_PLIES = 3,  /* iterations that prepare a move for a worker which does not know it */
    NODES_PER_MS_GUESS = 500,
    AHEAD_MAX = 1
};

/* ---- jobs ------------------------------------------------------------------------------------------------------- */

static uint64_t grain_nodes(const struct split *split)
{
    const struct split_tree *s = &split->tree;
    uint64_t per_ms = s->speed_ms ? s->speed_nodes / s->speed_ms : NODES_PER_MS_GUESS;
    uint64_t grain = (uint64_t)split->task.grain_ms * (per_ms ? per_ms : 1);
    return grain ? grain : 1;
}

static struct tree_node *node_of(struct split_tree *s, const struct tree_job *job)
{
    struct tree_node *node = &s->tree.nodes[job->node];
    return node->used && node->ply == job->ply && memcmp(node->path, job->path, job->ply * sizeof *job->path) == 0
               ? node
               : NULL;
}

static void hold_items(struct split_tree *s, const struct tree_job *job, int change)
{
    struct tree_node *node = node_of(s, job);
    if (!node) return;
    if (job->kind == TREE_LEAF) node->leaf_busy = (uint8_t)(node->leaf_busy + change);
    for (unsigned i = 0; i < job->move_count; i++) {
        struct tree_item *item = tree_item_of(node, job->moves[i]);
        if (item) item->busy = (uint8_t)(item->busy + change);
    }
}

static struct tree_job *begin_job(struct split *split, unsigned worker, enum tree_job_kind kind, unsigned level,
                                  int depth)
{
    struct split_tree *s = &split->tree;
    struct tree_job *job = &s->jobs[worker];
    memset(job, 0, sizeof *job);
    job->kind = kind;
    job->id = ++s->job_last;
    job->depth = depth;
    job->alpha = -SCORE_INFINITE;
    job->beta = SCORE_INFINITE;
    if (kind == TREE_PLAIN) return job;
    const struct tree_node *node = tree_spine(&s->tree, level);
    job->node = s->tree.spine[level];
    job->ply = node->ply;
    memcpy(job->path, node->path, node->ply * sizeof *node->path);
    return job;
}

static void write_job(struct split *split, unsigned worker, uint32_t depth_min, uint32_t moves_before,
                      struct split_job *out)
{
    struct split_tree *s = &split->tree;
    const struct tree_job *job = &s->jobs[worker];
    hold_items(s, job, 1);
    split->out_count++;
    *out = (struct split_job){.job = job->id,
                              .attempt = 1,
                              .multipv = 1,
                              .variation = split_number(split, worker),
                              .depth_max = (uint32_t)job->depth,
                              .depth_min = depth_min,
                              .part = true,
                              .moves_before = moves_before,
                              .alpha = job->alpha,
                              .beta = job->beta,
                              .path = job->path,
                              .path_count = job->ply,
                              .moves = job->moves,
                              .move_count = job->move_count};
    if (job->ply == 0 && job->move_count == 0) out->searchmoves = split->task.searchmoves;
}

static uint32_t first_depth(int depth, bool warm)
{
    return (uint32_t)(warm || depth <= COLD_PLIES ? depth : depth - COLD_PLIES);
}

/* ---- what is to be done ----------------------------------------------------------------------------------------- */

/* A move that has proved better than all so far: its score is wanted. `help`: somebody is at it already. */
static bool next_resolve(struct split *split, unsigned worker, bool help, struct split_job *out)
{
    struct tree *t = &split->tree.tree;
    for (unsigned level = t->leaf; level-- > 0;) {
        struct tree_node *node = tree_spine(t, level);
        int depth = tree_depth_at(t, level, 0);
        bool exact;
        Score alpha = tree_alpha(t, level, 0, &exact);
        if (!exact || node->done_depth >= depth) continue;
        for (size_t i = 0; i < node->count; i++) {
            struct tree_item *item = &node->items[i];
            if (item->lower_depth < depth || item->lower <= alpha || item->move == node->best.move ||
                tree_refuted(item, depth, alpha))
                continue;
            if (help ? item->busy == 0 || item->busy >= GROUP_MAX : item->busy > 0) continue;
            struct tree_job *job = begin_job(split, worker, TREE_RESOLVE, level, depth);
            job->alpha = alpha;
            job->moves[job->move_count++] = item->move;
            write_job(split, worker, first_depth(depth, item->worker == worker), 0, out);
            return true;
        }
    }
    return false;
}

static bool next_leaf(struct split *split, unsigned worker, int ahead, bool help, struct split_job *out)
{
    struct tree *t = &split->tree.tree;
    struct tree_node *node = tree_spine(t, t->leaf);
    int depth = tree_depth_at(t, t->leaf, ahead);
    if (depth < 1 || depth > WIRE_DEPTH_MAX || node->done_depth >= depth) return false;
    if (help ? node->leaf_busy == 0 || node->leaf_busy >= GROUP_MAX : node->leaf_busy > 0) return false;
    bool warm = node->leaf_worker == worker && node->done_depth >= depth - 1;
    begin_job(split, worker, TREE_LEAF, t->leaf, depth);
    write_job(split, worker, warm ? (uint32_t)depth : 1, 0, out);
    return true;
}

static uint32_t expected_cost(const struct tree_item *item, uint64_t grain)
{
    return item->cost ? item->cost : (uint32_t)(grain / 8 + 1);
}

/* Moves of one spine position that have to be shown not to be better, enough of them for a grain of work. */
static bool next_scout_at(struct split *split, unsigned worker, unsigned level, int ahead, bool own,
                          struct split_job *out)
{
    struct tree *t = &split->tree.tree;
    struct tree_node *node = tree_spine(t, level);
    int depth = tree_depth_at(t, level, ahead);
    bool exact, warm = true;
    Score alpha = tree_alpha(t, level, ahead, &exact), window = exact ? alpha : alpha - MARGIN_CP;
    if (score_is_mate(alpha)) window = alpha;
    if (depth < 1 || depth > WIRE_DEPTH_MAX || node->done_depth >= depth || window >= SCORE_INFINITE - 1 ||
        window <= -SCORE_INFINITE)
        return false;
    struct tree_job *job = NULL;
    uint64_t cost = 0, grain = grain_nodes(split);
    uint32_t before = 0;
    for (size_t i = 0; i < node->count; i++) {
        struct tree_item *item = &node->items[i];
        if (item->move == node->best.move || item->busy || tree_refuted(item, depth, alpha)) continue;
        if (item->lower_depth >= depth && item->lower > window) continue; /* to be resolved, when it comes to that */
        if (own && item->worker != worker) continue;
        if (!job) {
            job = begin_job(split, worker, TREE_SCOUT, level, depth);
            before = (uint32_t)(i > 0 ? i : 1);
        }
        job->moves[job->move_count++] = item->move;
        warm = warm && item->worker == worker && item->upper_depth >= depth - 1;
        cost += expected_cost(item, grain);
        if (cost >= grain || job->move_count == SPLIT_BATCH_MAX) break;
    }
    if (!job) return false;
    job->alpha = window;
    job->beta = window + 1;
    write_job(split, worker, first_depth(depth, warm), before, out);
    return true;
}

static bool next_scout(struct split *split, unsigned worker, int ahead, struct split_job *out)
{
    struct tree *t = &split->tree.tree;
    for (int own = 1; own >= 0; own--)
        for (unsigned level = t->leaf; level-- > 0;)
            if (next_scout_at(split, worker, level, ahead, own == 1, out)) return true;
    return false;
}

static bool next_plain(struct split *split, unsigned worker, struct split_job *out)
{
    if (split->ended[worker]) return false;
    struct tree_job *job = begin_job(split, worker, TREE_PLAIN, 0, 0);
    split->out_count++;
    *out = (struct split_job){.job = job->id,
                              .attempt = 1,
                              .multipv = 1,
                              .variation = split_number(split, worker),
                              .depth_max = split->task.depth_max,
                              .searchmoves = split->task.searchmoves};
    return true;
}

static bool tree_next_job(struct split *split, unsigned worker, struct split_job *out)
{
    struct split_tree *s = &split->tree;
    if (s->over) return false;
    if (!s->grown) return next_plain(split, worker, out);
    const struct tree_node *leaf = tree_spine(&s->tree, s->tree.leaf);
    bool last = split->task.depth_max && s->tree.depth >= (int)split->task.depth_max;
    if (next_resolve(split, worker, false, out) || next_leaf(split, worker, 0, false, out)) return true;
    /* Who holds the leaf in its table keeps ahead of the others: nobody shall have to wait for it. */
    if (!last && leaf->leaf_worker == worker && next_leaf(split, worker, 1, false, out)) return true;
    if (next_scout(split, worker, 0, out) || next_resolve(split, worker, true, out)) return true;
    for (int ahead = 1; ahead <= AHEAD_MAX && !last; ahead++)
        if (next_leaf(split, worker, ahead, false, out) || next_scout(split, worker, ahead, out)) return true;
    return next_leaf(split, worker, 0, true, out);
}

/* ---- what has been done ----------------------------------------------------------------------------------------- */

static bool has_job(const struct split *split, unsigned worker, uint32_t id)
{
    return split->tree.jobs[worker].kind != TREE_NOTHING && split->tree.jobs[worker].id == id;
}

static const struct position *tree_position(struct split *split, unsigned worker, uint32_t id)
{
    struct split_tree *s = &split->tree;
    const struct tree_job *job = &s->jobs[worker];
    if (!has_job(split, worker, id) || job->kind == TREE_PLAIN) return NULL;
    const struct tree_node *node = node_of(s, job);
    return node ? &node->pos : NULL;
}

static bool tree_is_part(const struct split *split, unsigned worker, uint32_t id)
{
    return has_job(split, worker, id) && split->tree.jobs[worker].kind != TREE_PLAIN;
}

/* The job's answer as the best of its position. */
static struct tree_best best_of(const struct tree_job *job, const struct split_report *report)
{
    struct tree_best best = {.move = report->line.pv.moves[0],
                             .score = merge_line_score(&report->line),
                             .depth = job->depth,
                             .seldepth = report->line.seldepth,
                             .pv = report->line.pv};
    if (job->line.depth >= report->line.depth && job->line.pv.moves[0] == best.move) {
        best.pv = job->line.pv;
        if (job->line.seldepth > best.seldepth) best.seldepth = job->line.seldepth;
    }
    return best;
}

/* What was asked for is what counts: a deeper bound from a guess too high does not keep out the one that is needed. */
static void note_upper(struct tree_item *item, const struct tree_job *job, Score score)
{
    Score upper = score < job->alpha ? score : job->alpha;
    if (job->depth < item->upper_depth && upper >= item->upper) return;
    item->upper_depth = (uint8_t)job->depth;
    item->upper = upper;
}

static void note_lower(struct tree_item *item, const struct tree_job *job, Score score)
{
    Score lower = score > job->alpha ? score : job->alpha + 1;
    if (job->depth < item->lower_depth && lower <= item->lower) return;
    item->lower_depth = (uint8_t)job->depth;
    item->lower = lower;
}

static void scout_ended(struct tree_node *node, const struct tree_job *job, unsigned worker,
                        const struct split_report *report)
{
    Score score = merge_line_score(&report->line);
    bool low = report->line.bound == WIRE_UPPER || (report->line.bound == WIRE_EXACT && score <= job->alpha);
    for (unsigned i = 0; i < job->move_count; i++) {
        struct tree_item *item = tree_item_of(node, job->moves[i]);
        if (!item) continue;
        if (low) {
            note_upper(item, job, score);
            item->cost = (uint32_t)(report->nodes / job->move_count + 1);
            item->worker = (uint16_t)worker;
        }
        if (!low && item->move == report->line.pv.moves[0]) {
            note_lower(item, job, score);
            item->cost = (uint32_t)(report->nodes < UINT32_MAX ? report->nodes : UINT32_MAX);
            item->worker = (uint16_t)worker;
        }
    }
}

static void resolve_ended(struct tree_node *node, const struct tree_job *job, unsigned worker,
                          const struct split_report *report)
{
    struct tree_item *item = tree_item_of(node, job->moves[0]);
    Score score = merge_line_score(&report->line);
    if (!item) return;
    item->worker = (uint16_t)worker;
    if (report->line.bound == WIRE_UPPER || score <= job->alpha) { /* not better after all: searches are like that */
        note_upper(item, job, score);
        item->lower_depth = 0;
        return;
    }
    if (report->line.pv.moves[0] != item->move) return;
    struct tree_best best = best_of(job, report);
    tree_set_exact(node, &best);
}

static void leaf_ended(struct tree_node *node, const struct tree_job *job, unsigned worker,
                       const struct split_report *report)
{
    struct tree_best best = best_of(job, report);
    tree_set_leaf(node, &best);
    node->leaf_worker = (uint16_t)worker;
    node->leaf_cost = report->nodes;
}

/* How long the spine should be: the leaf is what everybody waits for, so it shall be a small part of the iteration. */
static void adapt_leaf(struct split *split)
{
    struct split_tree *s = &split->tree;
    uint64_t cost = tree_spine(&s->tree, s->tree.leaf)->leaf_cost, grain = grain_nodes(split);
    uint64_t share = s->iteration_nodes / (4 * (split->out_count ? split->out_count : 1));
    uint64_t most = share > 2 * grain ? share : 2 * grain;
    if (split->ops == &split_root) return;
    if (2 * cost > most && s->leaf_wanted < TREE_SPINE_MAX) s->leaf_wanted++;
    if (4 * cost < grain && s->leaf_wanted > 1) s->leaf_wanted--;
}

static bool is_settled_mate(const struct tree_best *best)
{
    if (!score_is_mate(best->score)) return false;
    int plies = score_mate_plies(best->score);
    return best->depth >= 2 * (plies < 0 ? -plies : plies) + 10;
}

static bool resolve_is_open(struct tree_node *node, const struct tree_job *job)
{
    const struct tree_item *item = tree_item_of(node, job->moves[0]);
    return item && node->done_depth < job->depth && node->best.move != item->move &&
           !tree_refuted(item, job->depth, job->alpha);
}

/* Work on positions that the best line does not lead to, or that somebody else has finished, is of no use. */
static void mark_obsolete(struct split_tree *s)
{
    for (unsigned w = 0; w < COORD_WORKERS_MAX; w++) {
        struct tree_job *job = &s->jobs[w];
        if (job->kind == TREE_NOTHING || job->kind == TREE_PLAIN) continue;
        struct tree_node *node = node_of(s, job);
        bool use = node && job->ply <= s->tree.leaf && s->tree.spine[job->ply] == job->node;
        if (use && job->kind == TREE_LEAF) use = node->done_depth < job->depth;
        if (use && job->kind == TREE_RESOLVE) use = resolve_is_open(node, job);
        if (use && job->kind == TREE_SCOUT) use = node->done_depth < job->depth;
        if (!use) job->obsolete = true;
    }
}

static void line_of_root(struct split_tree *s, int depth, struct merge_line *line)
{
    const struct tree_best *best = &s->tree.nodes[0].best;
    *line = (struct merge_line){.depth = (uint32_t)depth, .multipv = 1, .pv = best->pv};
    line->score_kind = score_is_mate(best->score) ? WIRE_SCORE_MATE : WIRE_SCORE_CP;
    line->score = score_is_mate(best->score) ? score_mate_plies(best->score) : score_clamp_cp(best->score);
    uint32_t least = (uint32_t)(depth < best->depth ? best->depth + 1 : depth); /* further than an iteration has gone */
    line->seldepth = best->seldepth > least ? best->seldepth : least;
    s->said_move = best->move;
    s->said_score = best->score;
}

/* Takes finished iterations; true: there is something to say about the root. A move that has come up within an
 * iteration is said with the depth of the last finished one: that is what everything else is known to. */
static bool settle(struct split *split, struct merge_line *line)
{
    struct split_tree *s = &split->tree;
    const struct tree_best *best = &s->tree.nodes[0].best;
    bool said = false;
    while (!s->over && tree_settle(&s->tree)) {
        line_of_root(s, best->depth, line);
        said = true;
        s->over = best->depth >= WIRE_DEPTH_MAX - 1 || is_settled_mate(best) ||
                  (split->task.depth_max && best->depth >= (int)split->task.depth_max);
        if (s->over) break;
        adapt_leaf(split);
        s->iteration_nodes = 0;
        tree_next(&s->tree, s->leaf_wanted);
    }
    if (!said && best->depth >= s->tree.depth && (best->move != s->said_move || best->score != s->said_score)) {
        line_of_root(s, s->tree.depth - 1, line);
        said = true;
    }
    return said;
}

/* The plain searches have gone far enough. */
static void grow(struct split *split)
{
    struct split_tree *s = &split->tree;
    struct tree_best best = {.move = s->seed.pv.moves[0],
                             .score = merge_line_score(&s->seed),
                             .depth = (int)s->seed.depth,
                             .seldepth = s->seed.seldepth,
                             .pv = s->seed.pv};
    uint64_t expected = 2 * s->seed_nodes, workers = split->out_count;
    s->leaf_wanted = 1;
    if (split->ops != &split_root)
        for (uint64_t cost = expected / 2;
             cost > grain_nodes(split) && cost > expected / (4 * workers) && s->leaf_wanted < TREE_SPINE_MAX;
             cost = cost * 10 / 17)
            s->leaf_wanted++;
    tree_start(&s->tree, split->task.root, split->task.game, split->task.choices, split->task.choice_count, &best,
               s->leaf_wanted);
    s->grown = true;
    s->said_move = best.move;
    s->said_score = best.score;
    for (unsigned w = 0; w < COORD_WORKERS_MAX; w++)
        if (s->jobs[w].kind == TREE_PLAIN) s->jobs[w].obsolete = true;
}

static bool plain_report(struct split *split, const struct split_report *report, struct merge_line *line)
{
    struct split_tree *s = &split->tree;
    bool exact = report->line.bound == WIRE_EXACT && report->line.multipv == 1 && report->line.depth > 0;
    *line = report->line;
    if (report->over) {
        if (!s->grown) s->over = true; /* the depth was reached, or there is a mate */
        return line->depth > 0;
    }
    if (exact && report->line.depth > s->seed.depth && !s->grown) {
        s->seed = report->line;
        s->seed_nodes = report->nodes;
        s->speed_nodes = report->nodes;
        s->speed_ms = report->elapsed_ms ? report->elapsed_ms : 1;
        bool last = score_is_mate(merge_line_score(&s->seed)) || /* is over soon, one way or the other */
                    s->seed.depth + DEPTH_SPARE > WIRE_DEPTH_MAX ||
                    (split->task.depth_max && s->seed.depth >= split->task.depth_max);
        if (split->out_count > 1 && s->seed.depth >= SEED_DEPTH && !last && split->task.choice_count > 1 &&
            (int64_t)report->elapsed_ms >= SEED_GRAINS * split->task.grain_ms)
            grow(split);
    }
    return line->depth > 0;
}

static bool tree_report(struct split *split, unsigned worker, uint32_t id, const struct split_report *report,
                        struct merge_line *line)
{
    struct split_tree *s = &split->tree;
    if (!has_job(split, worker, id)) return false;
    struct tree_job *job = &s->jobs[worker];
    if (job->kind == TREE_PLAIN) return plain_report(split, report, line);
    struct tree_node *node = node_of(s, job);
    if (!node || report->line.depth == 0) return false;
    if (!report->over) {
        if (report->line.bound == WIRE_EXACT) job->line = report->line;
        return false;
    }
    s->speed_nodes += report->nodes;
    s->speed_ms += report->elapsed_ms;
    s->iteration_nodes += report->nodes;
    if (job->kind == TREE_SCOUT) scout_ended(node, job, worker, report);
    if (job->kind == TREE_RESOLVE) resolve_ended(node, job, worker, report);
    if (job->kind == TREE_LEAF) leaf_ended(node, job, worker, report);
    if (!job->released) hold_items(s, job, -1);
    job->kind = TREE_NOTHING;
    bool said = settle(split, line);
    mark_obsolete(s);
    return said;
}

static void tree_done(struct split *split, unsigned worker, uint32_t id)
{
    struct tree_job *job = &split->tree.jobs[worker];
    if (split->out_count) split->out_count--;
    split->done_count++;
    if (!has_job(split, worker, id)) return;
    if (job->kind == TREE_PLAIN) split->ended[worker] = !split->tree.grown;
    if (!job->released) hold_items(&split->tree, job, -1); /* its answer could not be used */
    job->kind = TREE_NOTHING;
}

static void tree_lost(struct split *split, unsigned worker, uint32_t id, bool suspect)
{
    struct tree_job *job = &split->tree.jobs[worker];
    if (!suspect && split->out_count) split->out_count--;
    if (!has_job(split, worker, id)) return;
    if (!job->released) hold_items(&split->tree, job, -1);
    job->released = true;
    if (!suspect) job->kind = TREE_NOTHING;
}

static bool tree_obsolete(const struct split *split, unsigned worker)
{
    return split->tree.jobs[worker].kind != TREE_NOTHING && split->tree.jobs[worker].obsolete;
}

static bool tree_finished(const struct split *split) { return split->tree.over; }

/* ---- the strategies --------------------------------------------------------------------------------------------- */

/* Total nodes, several lines and mates are not what a tree of null windows is good at. */
static bool suits(const struct split_task *task)
{
    return !task->nodes && task->multipv <= 1 && !task->mate && task->choice_count > 1;
}

static void tree_begin(struct split *split)
{
    const struct split_task *task = &split->task;
    if (suits(task)) return;
    split->ops = split->ops == &split_root && split_tells_lines(task) ? &split_lines_dealt : &split_lazy;
    split->ops->begin(split);
}

/* What has measured best at every number of workers so far (README.md). */
static void auto_begin(struct split *split)
{
    split->ops = &split_lazy;
    split->ops->begin(split);
}

#define A_TREE                                                                                                         \
    .rule = MERGE_DEEPEST, .shares_hints = true, .next = tree_next_job, .position = tree_position,                     \
    .is_part = tree_is_part, .report = tree_report, .done = tree_done, .lost = tree_lost, .obsolete = tree_obsolete,   \
    .finished = tree_finished

const struct split_ops split_tree = {.name = "tree", .begin = tree_begin, A_TREE};
const struct split_ops split_root = {.name = "root", .begin = tree_begin, A_TREE};
const struct split_ops split_auto = {.name = "auto", .begin = auto_begin, A_TREE};
