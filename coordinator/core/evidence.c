/* evidence.c - see evidence.h. */
#include "coordinator/core/evidence.h"

#include "common/shogi/movetext.h"
#include "coordinator/core/mutant.h"
#include "coordinator/usi/usi.h"

#include <string.h>

static void wrong(struct evidence *out, const char *reason)
{
    out->kind = EVIDENCE_WRONG;
    out->reason = reason;
}

/* Replays the line; its length, 0 if it does not mate. */
static uint32_t line_read(const struct position *pos, struct wire_str text, Move line[EVIDENCE_PLIES_MAX])
{
    struct position at = *pos;
    struct wire_str word;
    struct undo undo;
    uint32_t plies = 0;
    while (usi_next_word(&text, &word)) {
        Move move = movetext_from_usi(&at, word.bytes, word.length);
        if (move == MOVE_NONE || plies == EVIDENCE_PLIES_MAX) return 0;
        position_do(&at, move, &undo);
        line[plies++] = move;
        if (plies % 2 == 1 && !position_in_check(&at)) return 0;
    }
    return plies % 2 == 1 && !position_has_legal_move(&at) ? plies : 0;
}

bool evidence_proof_holds(struct certificate *certificate, const struct position *pos, Move first, struct wire_str text)
{
    struct text proof = text_make(text.bytes, text.length), start = proof;
    (void)certificate_begin(certificate, pos);
    return certificate_read(certificate, &start) == first && certificate_holds(certificate, pos, proof);
}

static bool was_asked_for(const struct evidence_job *job, Move move)
{
    for (size_t i = 0; i < job->first_move_count; i++)
        if (job->first_moves[i] == move) return true;
    return job->first_move_count == 0;
}

static void judge_mate(struct certificate *certificate, const struct evidence_job *job, const struct msg_result *result,
                       bool trusted, struct evidence *out)
{
    out->plies = line_read(job->pos, result->line, out->line);
    if (out->plies == 0) {
        wrong(out, "the line does not mate");
        return;
    }
    if (!was_asked_for(job, out->line[0])) {
        wrong(out, "the line begins with a move that was not asked for");
        return;
    }
    out->kind = EVIDENCE_MATE;
    out->proved =
        result->certificate.length && evidence_proof_holds(certificate, job->pos, out->line[0], result->certificate);
    if (result->certificate.length && !out->proved) wrong(out, "the proof does not hold");
    out->certain = trusted || out->proved;
    if (MUTANT_IS(40)) { /* a line that mates is taken for a proof */
        out->kind = EVIDENCE_MATE;
        out->certain = true;
    }
}

void evidence_judge(struct certificate *certificate, const struct evidence_job *job, const struct msg_result *result,
                    bool trusted, struct evidence *out)
{
    out->certain = out->proved = false;
    out->plies = 0;
    if (result->verdict == VERDICT_MATE) {
        judge_mate(certificate, job, result, trusted, out);
    } else if (result->verdict == VERDICT_NOMATE || (job->plies_max && result->refuted_plies >= job->plies_max)) {
        out->kind = EVIDENCE_NOMATE;
        out->certain = trusted;
    } else {
        out->kind = EVIDENCE_OPEN;
    }
}
