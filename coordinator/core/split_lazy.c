/* split_lazy.c - every worker searches the root by itself, each in its own variation; also the consultation modes,
 * which differ only in how an answer is made of the workers' lines (merge.h). A vote is about one move: when several
 * lines are wanted (MultiPV), these modes are lazy, too, and lazy is split_lines.c.
 *
 * A limit of nodes is shared out by measured speed, and a share that is lost is given to the next free worker. Without
 * it a worker's job lasts until it ends by itself (depth, mate) or is stopped, and whoever comes late joins in.
 */
#include "coordinator/core/split.h"

#include "coordinator/core/mutant.h"

static void lazy_begin(struct split *split)
{
    if (split->task.multipv > 1) split->ops = split_tells_lines(&split->task) ? &split_lines_whole : &split_lazy;
    if (split->ops == &split_lines_whole) {
        split->ops->begin(split);
        return;
    }
    if (!split->task.nodes) return;
    split->share_count = split->task.workers ? split->task.workers : 1;
    if (split->share_count > split->task.nodes) split->share_count = (unsigned)split->task.nodes;
    uint32_t weights[COORD_WORKERS_MAX];
    uint64_t total = 0, left = split->task.nodes - split->share_count; /* everybody gets at least one */
    unsigned slot = 0;
    for (unsigned i = 0; i < split->share_count; i++) {
        while (slot < COORD_WORKERS_MAX && !split->task.weights[slot]) slot++;
        split->shares[i].owner = slot < COORD_WORKERS_MAX ? slot : i;
        weights[i] = slot < COORD_WORKERS_MAX ? split->task.weights[slot++] : 1;
        total += weights[i];
    }
    uint64_t given = 0;
    for (unsigned i = 0; i < split->share_count; i++) {
        uint64_t extra = left / total * weights[i] + left % total * weights[i] / total;
        split->shares[i].nodes = MUTANT_IS(15) ? split->task.nodes : 1 + extra;
        given += extra;
    }
    for (unsigned i = 0; given < left && !MUTANT_IS(15); i = (i + 1) % split->share_count, given++)
        split->shares[i].nodes++;
}

static void fill(struct split *split, unsigned worker, struct split_job *job)
{
    *job = (struct split_job){.depth_max = split->task.depth_max,
                              .multipv = split->task.multipv,
                              .searchmoves = split->task.searchmoves,
                              .variation = split_number(split, worker)};
}

static bool lazy_next(struct split *split, unsigned worker, struct split_job *job)
{
    if (!split->share_count) {
        if (split->ended[worker]) return false;
        fill(split, worker, job);
        job->job = worker + 1;
        job->attempt = ++split->shares[worker].attempt;
        split->out_count++;
        return true;
    }
    unsigned first = 0; /* its own share if that waits, else any */
    while (first < split->share_count &&
           (split->shares[first].owner != worker || split->shares[first].state != SHARE_WAITING))
        first++;
    if (first == split->share_count) first = 0;
    for (unsigned i = first; i < split->share_count; i++) {
        if (split->shares[i].state != SHARE_WAITING) continue;
        fill(split, worker, job);
        job->job = i + 1;
        job->attempt = ++split->shares[i].attempt;
        job->nodes = split->shares[i].nodes;
        split->shares[i].state = SHARE_OUT;
        split->shares[i].holders++;
        return true;
    }
    return false;
}

static void lazy_done(struct split *split, unsigned worker, uint32_t job)
{
    if (!split->share_count) {
        split->out_count--;
        split->done_count++;
        split->ended[worker] = true;
        return;
    }
    if (job == 0 || job > split->share_count) return;
    if (split->shares[job - 1].state != SHARE_DONE) split->done_count++;
    split->shares[job - 1].state = SHARE_DONE;
}

static void lazy_lost(struct split *split, unsigned worker, uint32_t job, bool suspect)
{
    if (!split->share_count) {
        if (!suspect) {
            split->out_count--;
            split->ended[worker] = false; /* the slot may soon be somebody else's */
        }
        return;
    }
    if (job == 0 || job > split->share_count || split->shares[job - 1].state == SHARE_DONE) return;
    if (!suspect && split->shares[job - 1].holders) split->shares[job - 1].holders--;
    if (suspect || split->shares[job - 1].holders == 0) split->shares[job - 1].state = SHARE_WAITING;
}

static bool lazy_finished(const struct split *split)
{
    if (split->share_count) return split->done_count == split->share_count;
    /* One worker that has reached the depth is enough; otherwise the others may still find something better. */
    bool one_is_enough = split->task.depth_max && split->ops->rule == MERGE_DEEPEST; /* votes are waited for */
    return split->done_count > 0 && (one_is_enough || split->out_count == 0);
}

static bool lazy_report(struct split *split, unsigned worker, uint32_t job, const struct split_report *report,
                        struct merge_line *line)
{
    (void)split, (void)worker, (void)job;
    *line = report->line;
    return line->depth > 0;
}

static bool never_part(const struct split *split, unsigned worker, uint32_t job)
{
    (void)split, (void)worker, (void)job;
    return false;
}

static bool never_obsolete(const struct split *split, unsigned worker)
{
    (void)split, (void)worker;
    return false;
}

#define EVERYBODY_SEARCHES_THE_ROOT                                                                                    \
    .begin = lazy_begin, .next = lazy_next, .report = lazy_report, .is_part = never_part, .done = lazy_done,           \
    .lost = lazy_lost, .obsolete = never_obsolete, .finished = lazy_finished

const struct split_ops split_lazy = {.name = "lazy",
                                     .rule = MERGE_DEEPEST,
                                     .shares_hints = true,
                                     .hint_plies = 2,
                                     .claim_plies = 6,
                                     EVERYBODY_SEARCHES_THE_ROOT};
const struct split_ops split_majority = {.name = "majority", .rule = MERGE_MAJORITY, EVERYBODY_SEARCHES_THE_ROOT};
const struct split_ops split_optimistic = {.name = "optimistic", .rule = MERGE_OPTIMISTIC, EVERYBODY_SEARCHES_THE_ROOT};
