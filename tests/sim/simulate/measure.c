/* measure.c - see measure.h. */
#include "tests/sim/simulate/measure.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From when on is the move right until the end? False: it is not at the end. */
static bool right_from(const struct cluster_report *report, size_t count, Move right, int64_t turn_us, int64_t *from_us)
{
    if (count == 0 || report->answers[count - 1].move != right) return false;
    size_t first = count - 1;
    while (first > 0 && report->answers[first - 1].move == right) first--;
    *from_us = report->answers[first].time_us > turn_us ? report->answers[first].time_us : turn_us;
    return true;
}

/* When this depth, or one beyond it, was known; otherwise_us if never. */
static int64_t depth_known_us(const struct cluster_report *report, int depth_plies, int64_t otherwise_us)
{
    for (size_t i = 0; i < report->answer_count; i++)
        if (report->answers[i].exact && report->answers[i].depth_plies >= depth_plies)
            return report->answers[i].time_us;
    return otherwise_us;
}

/* Which iterations count, and when one worker had finished each. */
static void note_depths(struct measure_position *p, const struct cluster_report *report, size_t within,
                        int64_t budget_us)
{
    p->depth_plies = p->depth_first_plies = report->answers[within - 1].depth_plies;
    for (size_t i = within; i-- > 0 && report->answers[i].time_us >= budget_us / 2;)
        if (report->answers[i].exact) p->depth_first_plies = report->answers[i].depth_plies;
    for (int depth = p->depth_first_plies; depth <= p->depth_plies; depth++)
        p->depth_us[depth] = depth_known_us(report, depth, budget_us);
}

static double speedup_over_depths(const struct measure_position *p, const struct cluster_report *report,
                                  int64_t time_us_max)
{
    double sum = 0;
    for (int depth = p->depth_first_plies; depth <= p->depth_plies; depth++)
        sum += log((double)p->depth_us[depth] / (double)depth_known_us(report, depth, time_us_max));
    return exp(sum / (p->depth_plies - p->depth_first_plies + 1));
}

void measure_alone(struct cluster *alone, struct measure_position *p, int64_t budget_us, int reference_factor,
                   int64_t turn_us)
{
    static struct cluster_report report; /* large */
    cluster_run(alone, &p->root, p->history, &(struct cluster_search){.hints = false},
                &(struct cluster_limits){.time_us_max = budget_us * reference_factor}, &report);
    size_t within = 0;
    while (within < report.answer_count && report.answers[within].time_us <= budget_us) within++;
    size_t played = within; /* after the last finished iteration, others may have taken the lead */
    while (within > 0 && !report.answers[within - 1].exact) within--;
    p->depth_plies = 0;
    if (within == 0) return;
    const struct cluster_answer *last = &report.answers[within - 1];
    if (last->time_us < budget_us / 2) return;
    note_depths(p, &report, within, budget_us);
    p->time_us = last->time_us;
    p->right = report.answers[report.answer_count - 1].move;
    p->solved = right_from(&report, played, p->right, turn_us, &p->answer_us);
    p->nodes = report.nodes * (uint64_t)p->time_us / (uint64_t)report.end_us;
}

void measure_together(struct cluster *cluster, const struct cluster_options *options,
                      const struct cluster_search *search, const struct measure_position *positions, size_t count,
                      struct measure_run *runs, const volatile sig_atomic_t *interrupted, void (*done)(void *context),
                      void *context)
{
    static struct cluster_report report; /* large */
    for (size_t i = 0; i < count; i++) runs[i] = (struct measure_run){0};
    for (size_t i = 0; i < count && !*interrupted; i++) {
        const struct measure_position *p = &positions[i];
        struct measure_run *run = &runs[i];
        if (p->depth_plies == 0) continue;
        cluster_run(cluster, &p->root, p->history, search,
                    &(struct cluster_limits){.depth_plies = p->depth_plies, .time_us_max = 2 * p->time_us}, &report);
        *run = (struct measure_run){.done = true,
                                    .reached = report.reached,
                                    .time_us = report.reached ? report.end_us : 2 * p->time_us,
                                    .nodes = report.nodes,
                                    .speedup = speedup_over_depths(p, &report, 2 * p->time_us),
                                    .overhead = (double)report.nodes / (double)p->nodes,
                                    .total_us = report.end_us * options->workers,
                                    .idle_us = report.idle_us,
                                    .hint_us = report.hint_us,
                                    .frames = report.frames,
                                    .bytes = report.bytes,
                                    .hints_received = report.hints_received,
                                    .hints_dropped = report.hints_dropped};
        run->solved = right_from(&report, report.answer_count, p->right, options->turn_us, &run->answer_us);
        if (p->solved && run->solved) run->answer_speedup = (double)p->answer_us / (double)run->answer_us;
        if (done) done(context);
    }
}

struct measure_row measure_row_of(const struct measure_run *runs, size_t count, uint64_t seed)
{
    struct measure_row row = {0};
    double *ratios = calloc(3 * (count + 1), sizeof *ratios), *answers = ratios + count, *overheads = answers + count;
    double total_us = 0, idle_us = 0, hint_us = 0, frames = 0, bytes = 0, received = 0;
    size_t answer_count = 0;
    assert(ratios);
    for (size_t i = 0; i < count; i++) {
        const struct measure_run *run = &runs[i];
        if (!run->done) continue;
        ratios[row.positions] = run->speedup;
        overheads[row.positions] = run->overhead;
        row.positions++;
        row.unreached += !run->reached;
        row.solved += run->solved;
        if (run->answer_speedup > 0) answers[answer_count++] = run->answer_speedup;
        total_us += (double)run->total_us;
        idle_us += (double)run->idle_us;
        hint_us += (double)run->hint_us;
        frames += (double)run->frames;
        bytes += (double)run->bytes;
        received += (double)run->hints_received;
        row.hints_dropped += run->hints_dropped;
    }
    row.depth = speedup_of(ratios, row.positions, seed);
    row.answer = speedup_of(answers, answer_count, seed);
    row.overhead = speedup_of(overheads, row.positions, seed).mean;
    if (total_us > 0) {
        row.idle_share = idle_us / total_us;
        row.hint_share = hint_us / total_us;
        row.frames_per_s = frames / total_us * 1e6;
        row.bytes_per_s = bytes / total_us * 1e6;
        row.hints_received_per_s = received / total_us * 1e6;
    }
    free(ratios);
    return row;
}
