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
static uint32_t line_read(const struct position *pos, struct wire_str text, Move line[SPLIT_MATE_PLIES_MAX])
{
    struct position at = *pos;
    struct wire_str word;
    struct undo undo;
    uint32_t plies = 0;
    while (usi_next_word(&text, &word)) {
        Move move = movetext_from_usi(&at, word.bytes, word.length);
        if (move == MOVE_NONE || plies == SPLIT_MATE_PLIES_MAX) return 0;
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

static bool number_read(struct wire_str *rest, uint32_t *number)
{
    struct wire_str word;
    int64_t value;
    if (!usi_next_word(rest, &word) || !usi_word_number(word, &value) || value < 0) return false;
    *number = value > SPLIT_MATE_INFINITE ? SPLIT_MATE_INFINITE : (uint32_t)value;
    return true;
}

static void judge_open(const struct position *pos, const struct msg_result *result, struct split_mate_report *report)
{
    struct wire_str rest = result->checks, word;
    report->pn = result->pn;
    report->dn = result->dn;
    report->nodes = result->nodes;
    report->check_count = 0;
    while (report->check_count < SPLIT_MATE_CHECKS_MAX && usi_next_word(&rest, &word)) {
        Move move = movetext_from_usi(pos, word.bytes, word.length);
        uint32_t pn, dn;
        if (!number_read(&rest, &pn) || !number_read(&rest, &dn)) break;
        if (move == MOVE_NONE) continue;
        report->checks[report->check_count].move = move;
        report->checks[report->check_count].pn = pn;
        report->checks[report->check_count++].dn = dn;
    }
}

void evidence_judge(struct certificate *certificate, const struct evidence_job *job, const struct msg_result *result,
                    bool trusted, struct evidence *out)
{
    const struct position *pos = job->pos;
    out->certain = out->proved = false;
    out->plies = 0;
    out->hand = pos->hand[pos->side];
    if (result->verdict == VERDICT_MATE) {
        judge_mate(certificate, job, result, trusted, out);
        if (out->kind == EVIDENCE_MATE && trusted && hand_covers(out->hand, result->hand)) out->hand = result->hand;
    } else if (result->verdict == VERDICT_NOMATE || (job->plies_max && result->refuted_plies >= job->plies_max)) {
        out->kind = EVIDENCE_NOMATE;
        out->certain = trusted;
        if (trusted && hand_covers(result->hand, out->hand)) out->hand = result->hand;
    } else {
        out->kind = EVIDENCE_OPEN;
        judge_open(pos, result, &out->report);
    }
}
