/* mate_job.c - see mate_job.h. */
#include "worker/mate_job.h"

#include "common/shogi/certificate.h"
#include "common/shogi/movetext.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct report {
    struct inbox *inbox;
    uint32_t run;
};

static void progress_put(void *context, const struct mate_progress *progress)
{
    const struct report *report = context;
    struct inbox_item item;
    memset(&item, 0, sizeof item);
    item.type = INBOX_INFO;
    item.run = report->run;
    item.info.depth = inbox_clamp(progress->line_count ? (int64_t)progress->line_count : 1, WIRE_DEPTH_MAX);
    item.info.multipv = 1;
    item.info.score_kind = progress->plies ? WIRE_SCORE_MATE : WIRE_SCORE_NONE;
    item.info.score = progress->plies;
    item.info.nodes = progress->nodes;
    item.info.elapsed_ms = inbox_clamp(progress->elapsed_ms, UINT32_MAX);
    item.info.hashfull = progress->hashfull_permille;
    item.text_bytes = (uint32_t)inbox_write_moves(progress->line, progress->line_count, item.text, sizeof item.text);
    inbox_put(report->inbox, &item);
}

static enum job_verdict verdict_of(const struct mate_result *found)
{
    switch (found->verdict) {
    case MATE_PROVED:
        return VERDICT_MATE;
    case MATE_REFUTED:
        return VERDICT_NOMATE;
    case MATE_UNKNOWN:
        break;
    }
    return VERDICT_UNKNOWN;
}

static Move check_of_proof(void *context, const struct position *pos)
{
    const struct mate_solver *const *solver = context;
    int plies;
    return mate_proof_move(*solver, pos, &plies);
}

/* The proof that the solver has just replayed, as text; its length, 0 if it does not fit. */
static size_t proof_put(const struct mate_solver *solver, const struct position *pos, uint64_t proof_nodes, char *out,
                        size_t capacity)
{
    if (proof_nodes > capacity) return 0;
    struct certificate *c = certificate_new((size_t)proof_nodes + 1);
    if (!c) return 0;
    size_t length = certificate_put(c, pos, check_of_proof, &solver, out, capacity);
    certificate_free(c);
    return length;
}

static void mate_fill(const struct mate_solver *solver, const struct position *pos, const struct session_go *go,
                      const struct mate_result *found, struct inbox_item *item)
{
    item->result.score_kind = WIRE_SCORE_MATE;
    item->result.score = found->plies;
    inbox_write_move(found->line[0], item->best);
    item->line_bytes = (uint32_t)inbox_write_moves(found->line, (size_t)found->plies, item->line, WIRE_MOVES_BYTES_MAX);
    if (go->certificate)
        item->certificate_bytes = (uint32_t)proof_put(solver, pos, found->proof_nodes, item->line + item->line_bytes,
                                                      WIRE_CERTIFICATE_BYTES_MAX);
}

static void result_put(struct mate_solver *solver, const struct position *pos, const struct mate_job *job,
                       const struct mate_result *found, struct inbox *inbox)
{
    struct inbox_item item;
    memset(&item, 0, sizeof item);
    item.type = INBOX_DONE;
    item.run = job->go->run;
    item.result.verdict = verdict_of(found);
    item.result.nodes = found->nodes;
    item.result.elapsed_ms = inbox_clamp(found->elapsed_ms, UINT32_MAX);
    item.result.stopped = found->end == MATE_END_STOP;
    item.result.proof_nodes = found->proof_nodes;
    item.result.shortest = found->shortest;
    item.result.refuted_plies = inbox_clamp(found->refuted_plies, WIRE_MATE_PLIES_MAX);
    if (found->verdict == MATE_PROVED) {
        item.line = malloc(WIRE_MOVES_BYTES_MAX + WIRE_CERTIFICATE_BYTES_MAX);
        if (item.line)
            mate_fill(solver, pos, job->go, found, &item);
        else
            item.result.verdict = VERDICT_UNKNOWN;
    }
    inbox_put(inbox, &item);
}

bool mate_job_run(struct mate_solver *solver, const struct position *pos, const struct mate_job *job,
                  struct inbox *inbox)
{
    const struct session_go *go = job->go;
    struct mate_result *found = malloc(sizeof *found);
    if (!found) return false;
    if (go->fresh) mate_clear(solver);
    struct report report = {inbox, go->run};
    struct mate_limits limits = {
        .nodes = go->nodes,
        .time_ms = go->time_ms,
        .plies_max = (int)(go->plies_max ? go->plies_max : go->depth_max),
        .first_moves = job->first_move_count ? job->first_moves : NULL,
        .first_move_count = job->first_move_count,
        .any_length = go->any_length,
        .seed = go->seed,
        .stop = job->stop,
        .progress = progress_put,
        .context = &report,
    };
    mate_solve(solver, pos, &limits, found);
    result_put(solver, pos, job, found, inbox);
    free(found);
    return true;
}
