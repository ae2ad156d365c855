/* split_lines.c - the strategies when several lines are wanted (MultiPV). The best lines of an iteration are told all
 * together, when the last of them is known: what ends the search cannot cut them in two.
 *
 * `lazy`: all moves are one part, at which everybody searches. `root`: the moves are dealt to the workers, likely ones
 * first; each searches its part for its best lines. The best of all parts together, as deep as all of them have come,
 * are the answer.
 *
 *   part 1: moves 1, 3, 5 ...   depth 9: lines a, b        told: depth 8, the best of a, b, c, d
 *   part 2: moves 2, 4, 6 ...   depth 8: lines c, d
 *
 * Only equal depths are put together: what a part knows beyond that is kept until the others have come there. A worker
 * without a part helps with one: the hint plane makes two on one position worth something. When one is lost or
 * silent the moves are dealt anew among the others, whose tables know most of it.
 */
#include "coordinator/core/jobtext.h"
#include "coordinator/core/split.h"

#include <string.h>

static void deal(struct split *split)
{
    struct split_lines *s = &split->lines;
    size_t used = 0;
    if (s->part_count > s->move_count) s->part_count = (unsigned)s->move_count;
    for (unsigned p = 0; p < s->part_count; p++) {
        struct lines_part *part = &s->parts[p];
        *part = (struct lines_part){.attempt = part->attempt};
        char *text = s->text + used;
        uint32_t bytes = 0;
        for (size_t i = p; i < s->move_count; i += s->part_count) {
            bytes = jobtext_append(text, bytes, sizeof s->text - used, &s->moves[i], 1);
            s->part_of[i] = (uint8_t)p;
            part->lines_wanted += part->lines_wanted < split->task.multipv;
        }
        part->moves = wire_str_make(text, bytes);
        used += bytes;
    }
    if (s->part_count == 1) s->parts[0].moves = split->task.searchmoves;
    s->deal_again = false;
}

static void lines_begin(struct split *split)
{
    struct split_lines *s = &split->lines;
    s->part_count = split->ops == &split_lines_dealt ? split->task.workers : 1;
    s->move_count = split->task.choice_count;
    memcpy(s->moves, split->task.choices, s->move_count * sizeof *s->moves);
    deal(split);
}

static bool lines_next(struct split *split, unsigned worker, struct split_job *job)
{
    struct split_lines *s = &split->lines;
    if (s->deal_again) deal(split);
    struct lines_part *best = NULL;
    for (struct lines_part *p = s->parts; p < s->parts + s->part_count; p++)
        if (!p->done &&
            (!best || p->holders < best->holders || (p->holders == best->holders && p->depth < best->depth)))
            best = p;
    if (!best) return false;
    best->holders++;
    split->out_count++;
    s->job_of[worker] = (uint32_t)(best - s->parts) + 1;
    s->runs[worker] = (struct lines_run){0};
    *job = (struct split_job){.job = s->job_of[worker],
                              .attempt = ++best->attempt,
                              .depth_max = split->task.depth_max,
                              .multipv = best->lines_wanted,
                              .variation = split_number(split, worker),
                              .searchmoves = best->moves};
    return true;
}

/* ---- iterations ------------------------------------------------------------------------------------------------- */

static bool is_whole(const struct lines_part *part, uint32_t depth)
{
    return (part->whole[depth / 64] >> depth % 64 & 1) != 0;
}

static void note_whole(struct lines_part *part, uint32_t depth)
{
    part->whole[depth / 64] |= UINT64_C(1) << depth % 64;
    if (depth > part->depth) part->depth = depth;
}

/* Can the part speak for this depth? One that has ended before can, too: by a mate, or it was the last. */
static bool can_tell(const struct lines_part *part, uint32_t depth)
{
    return is_whole(part, depth) || (part->done && part->depth < depth);
}

/* The deepest iteration that all parts can speak for; 0 = none. */
static uint32_t common_depth(const struct split_lines *s)
{
    uint32_t depth = 0;
    for (const struct lines_part *p = s->parts; p < s->parts + s->part_count; p++)
        if (p->depth > depth) depth = p->depth;
    for (; depth > 0; depth--) {
        const struct lines_part *p = s->parts;
        while (p < s->parts + s->part_count && can_tell(p, depth)) p++;
        if (p == s->parts + s->part_count) return depth;
    }
    return 0;
}

static bool is_needed(const struct split_lines *s, const struct lines_kept *kept)
{
    const struct lines_part *part = &s->parts[s->part_of[kept->move]];
    return kept->line.depth > s->told_depth || (part->done && kept->line.depth == part->depth);
}

/* False: there is no room, some parts are many iterations ahead of others. */
static bool keep(struct split_lines *s, size_t move, const struct merge_line *line)
{
    struct lines_kept *free = NULL;
    for (struct lines_kept *k = s->kept; k < s->kept + LINES_KEPT_MAX; k++) {
        bool same = k->move == move && k->line.depth == line->depth;
        if (!same && k->line.depth != 0 && is_needed(s, k)) continue;
        free = k;
        if (same) break;
    }
    if (free) *free = (struct lines_kept){.move = (uint16_t)move, .line = *line};
    return free != NULL;
}

/* The best lines of all parts, as deep as all have come. True: deeper than told before. */
static bool put_together(struct split *split)
{
    struct split_lines *s = &split->lines;
    uint32_t depth = common_depth(s);
    if (depth <= s->told_depth) return false;
    s->best_count = s->best_next = 0;
    for (const struct lines_kept *k = s->kept; k < s->kept + LINES_KEPT_MAX; k++) {
        const struct lines_part *part = &s->parts[s->part_of[k->move]];
        if (k->line.depth == 0 || k->line.depth != (is_whole(part, depth) ? depth : part->depth)) continue;
        size_t at = s->best_count < split->task.multipv ? s->best_count++ : s->best_count;
        for (; at > 0 && merge_line_score(&s->best[at - 1]->line) < merge_line_score(&k->line); at--)
            if (at < s->best_count) s->best[at] = s->best[at - 1];
        if (at < s->best_count) s->best[at] = k;
    }
    s->told_depth = depth;
    return s->best_count > 0;
}

/* The next one of the lines that have been put together. */
static bool lines_more(struct split *split, struct merge_line *line)
{
    struct split_lines *s = &split->lines;
    if (s->best_next == s->best_count) return false;
    *line = s->best[s->best_next++]->line;
    line->depth = s->told_depth;
    line->multipv = (uint32_t)s->best_next;
    return true;
}

/* All lines of an iteration, one after the other, make it known: some may get lost on the way. */
static bool completes(struct lines_run *run, const struct merge_line *line, uint32_t wanted)
{
    if (line->multipv == 1)
        *run = (struct lines_run){.depth = line->depth, .count = 1};
    else if (line->depth == run->depth && line->multipv == run->count + 1)
        run->count++;
    else
        run->count = 0;
    return run->count == wanted;
}

static bool lines_report(struct split *split, unsigned worker, uint32_t job, const struct split_report *report,
                         struct merge_line *line)
{
    struct split_lines *s = &split->lines;
    if (s->deal_again || s->job_of[worker] != job) return false;
    struct lines_part *part = &s->parts[job - 1];
    const struct merge_line *said = &report->line;
    size_t i = 0;
    while (i < s->move_count && (said->depth == 0 || s->moves[i] != said->pv.moves[0])) i++;
    bool ours = i < s->move_count && s->part_of[i] == job - 1 && said->bound == WIRE_EXACT;
    bool whole = report->over; /* its last word: the best it has found, if its lines did not come */
    if (ours && !whole) whole = completes(&s->runs[worker], said, part->lines_wanted);
    bool wanted = ours && said->depth > s->told_depth && !(report->over && is_whole(part, said->depth));
    if (wanted && keep(s, i, said) && whole) note_whole(part, said->depth);
    part->done = part->done || report->over;
    bool mates = ours && merge_mates(said), together = put_together(split);
    if (s->mate_told && !(together && merge_mates(&s->best[0]->line))) together = false; /* somebody has not seen it */
    s->mate_told = s->mate_told || mates;
    if (together) return lines_more(split, line);
    *line = *said; /* a mate is not waited with, whatever the others are at */
    line->multipv = 1;
    return mates;
}

static void lines_done(struct split *split, unsigned worker, uint32_t job)
{
    struct split_lines *s = &split->lines;
    split->out_count--;
    if (s->job_of[worker] != job) return;
    s->parts[job - 1].holders--;
    s->job_of[worker] = 0;
}

static void lines_lost(struct split *split, unsigned worker, uint32_t job, bool suspect)
{
    struct split_lines *s = &split->lines;
    if (!suspect) split->out_count--;
    if (s->job_of[worker] != job) return;
    struct lines_part *part = &s->parts[job - 1];
    if (!suspect) s->job_of[worker] = 0;
    if (s->deal_again || part->done) return; /* called back */
    if (!suspect) part->holders--;
    if (suspect ? part->holders > 1 : part->holders > 0) return; /* a helper is at it */
    s->deal_again = true;
    if (s->part_count > 1) s->part_count--;
}

static bool lines_obsolete(const struct split *split, unsigned worker)
{
    const struct split_lines *s = &split->lines;
    return s->job_of[worker] != 0 && (s->deal_again || s->parts[s->job_of[worker] - 1].done);
}

static bool lines_finished(const struct split *split)
{
    const struct split_lines *s = &split->lines;
    for (const struct lines_part *p = s->parts; p < s->parts + s->part_count; p++)
        if (!p->done) return false;
    return !s->deal_again;
}

static bool lines_is_part(const struct split *split, unsigned worker, uint32_t job)
{
    (void)split, (void)worker, (void)job;
    return true;
}

#define LINES                                                                                                          \
    .rule = MERGE_DEEPEST, .shares_hints = true, .hint_plies = 2, .claim_plies = 6, .begin = lines_begin,              \
    .next = lines_next, .is_part = lines_is_part, .report = lines_report, .more = lines_more, .done = lines_done,      \
    .lost = lines_lost, .obsolete = lines_obsolete, .finished = lines_finished

const struct split_ops split_lines_whole = {.name = "lazy", LINES};
const struct split_ops split_lines_dealt = {.name = "root", LINES};
