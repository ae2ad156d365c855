/* survey.c - see survey.h. */
#include "coordinator/core/survey.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void phase_begin(struct survey *s, enum survey_phase phase);

struct survey *survey_new(const struct mine *settings, bool mining, const struct position *root, const Move *moves,
                          uint32_t plies)
{
    struct survey *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->settings = *settings;
    s->mining = mining;
    s->plies = plies;
    s->root = *root;
    uint32_t first = mining ? (uint32_t)settings->first_ply : 0;
    s->first_ply = first < plies ? first : plies;
    size_t places = (size_t)plies + 1;
    s->moves = calloc(places, sizeof *s->moves);
    s->look = calloc(places, sizeof *s->look);
    s->full = calloc(places, sizeof *s->full);
    s->wanted = calloc(places, sizeof *s->wanted);
    s->unit_done = calloc(places, sizeof *s->unit_done);
    s->cases = mining ? calloc(SURVEY_CASES_MAX, sizeof *s->cases) : NULL;
    if (!s->moves || !s->look || !s->full || !s->wanted || !s->unit_done || (mining && !s->cases)) {
        survey_free(s);
        return NULL;
    }
    if (plies) memcpy(s->moves, moves, plies * sizeof *moves);
    phase_begin(s, SURVEY_LOOK);
    return s;
}

void survey_free(struct survey *s)
{
    if (!s) return;
    free(s->moves);
    free(s->look);
    free(s->full);
    free(s->wanted);
    free(s->unit_done);
    free(s->cases);
    free(s);
}

void survey_replay(const struct survey *s, uint32_t ply, struct position *pos)
{
    struct undo undo;
    *pos = s->root;
    for (uint32_t i = 0; i < ply; i++) position_do(pos, s->moves[i], &undo);
}

const struct game_position *survey_position(const struct survey *s, uint32_t ply)
{
    return s->full[ply].done ? &s->full[ply] : &s->look[ply];
}

/* ---- phases ----------------------------------------------------------------------------------------------------- */

static uint32_t slice_count(const struct survey *s) { return (s->plies - s->first_ply) / SLICE_PLIES + 1; }

static uint32_t slice_of(const struct survey *s, uint32_t ply) { return (ply - s->first_ply) / SLICE_PLIES; }

static uint32_t want_around_mistakes(struct survey *s)
{
    uint32_t count = 0;
    for (uint32_t ply = s->first_ply + 1; ply <= s->plies; ply++)
        if (mine_is_suspect(&s->settings, s->look[ply - 1].score, s->look[ply].score))
            s->wanted[slice_of(s, ply - 1)] = s->wanted[slice_of(s, ply)] = true;
    for (uint32_t slice = 0; slice < slice_count(s); slice++) count += s->wanted[slice];
    return count;
}

static uint32_t want_mates(struct survey *s)
{
    uint32_t count = 0;
    memset(s->wanted, 0, ((size_t)s->plies + 1) * sizeof *s->wanted);
    for (uint32_t ply = s->first_ply; s->settings.scan_mate_nodes && ply <= s->plies; ply++) {
        struct judge_score score = survey_position(s, ply)->score;
        s->wanted[ply] = score.kind == WIRE_SCORE_CP && score.score >= s->settings.scan_mate_cp;
        count += s->wanted[ply];
    }
    return count;
}

static struct judge_score score_at(const struct survey *s, int64_t ply)
{
    bool there = ply >= (int64_t)s->first_ply && ply <= (int64_t)s->plies;
    return there ? survey_position(s, (uint32_t)ply)->score : (struct judge_score){WIRE_SCORE_NONE, 0};
}

static void find_cases(struct survey *s)
{
    for (uint32_t ply = s->first_ply + 1; ply <= s->plies && s->case_count < SURVEY_CASES_MAX; ply++) {
        struct mine_view view = {.turn_before = score_at(s, (int64_t)ply - 2),
                                 .before = score_at(s, (int64_t)ply - 1),
                                 .here = score_at(s, ply),
                                 .after = score_at(s, (int64_t)ply + 1),
                                 .turn_after = score_at(s, (int64_t)ply + 2)};
        struct judge_score before = view.before;
        enum mine_chance chance = mine_chance(&s->settings, &view);
        if (chance == MINE_CHANCE_NONE) continue;
        struct survey_case *c = &s->cases[s->case_count++];
        struct position pos;
        survey_replay(s, ply, &pos);
        if (before.kind != WIRE_SCORE_NONE) before.score = -before.score;
        mine_case_init(&c->mine, &pos, before);
        c->mine.scan = view.here;
        c->ply = ply;
        c->chance = chance;
        memcpy(c->best_look, s->look[ply].best, sizeof c->best_look);
        memcpy(c->best_full, survey_position(s, ply)->best, sizeof c->best_full);
    }
}

static void phase_begin(struct survey *s, enum survey_phase phase)
{
    for (;; phase++) {
        s->phase = phase;
        s->unit_count = 0;
        if (phase == SURVEY_LOOK) s->unit_count = slice_count(s);
        if (phase == SURVEY_FULL && s->mining) s->unit_count = want_around_mistakes(s);
        if (phase == SURVEY_MATES && s->mining) s->unit_count = want_mates(s);
        if (phase == SURVEY_CASES && s->mining) {
            find_cases(s);
            s->unit_count = s->case_count;
        }
        if (s->unit_count || phase == SURVEY_OVER) break;
    }
    s->units_open = s->unit_count;
    memset(s->unit_done, 0, s->unit_count * sizeof *s->unit_done);
}

static void unit_over(struct survey *s, uint32_t unit)
{
    s->unit_done[unit] = true;
    if (--s->units_open == 0) phase_begin(s, s->phase + 1);
}

/* ---- questions -------------------------------------------------------------------------------------------------- */

/* FULL: slice, MATES: ply. */
static uint32_t wanted_of_unit(const struct survey *s, uint32_t unit)
{
    for (uint32_t i = 0;; i++)
        if (s->wanted[i] && unit-- == 0) return i;
}

static uint32_t slice_of_unit(const struct survey *s, uint32_t unit)
{
    return s->phase == SURVEY_LOOK ? unit : wanted_of_unit(s, unit);
}

/* The bare position, its ply number too: its name, and so its answer, is shared by all games that pass there. */
static struct text bare_sfen(struct survey *s, struct position *pos)
{
    pos->game_ply = 1;
    return text_make(s->sfen, sfen_write(pos, s->sfen));
}

static void ask_slice(struct survey *s, uint32_t unit, struct task *task)
{
    uint32_t from = s->first_ply + slice_of_unit(s, unit) * SLICE_PLIES, to = from + SLICE_PLIES - 1;
    struct position pos;
    size_t bytes = 0;
    if (to > s->plies) to = s->plies;
    survey_replay(s, from, &pos);
    for (uint32_t ply = from; ply < to; ply++) {
        if (bytes) s->text[bytes++] = ' ';
        bytes += movetext_to_usi(s->moves[ply], s->text + bytes);
    }
    task->root = bare_sfen(s, &pos);
    task->moves = text_make(s->text, bytes);
    task->last_ply = to - from;
    bool look = s->mining && s->phase == SURVEY_LOOK;
    task->nodes = (uint64_t)(look ? s->settings.scan_first_nodes : s->settings.scan_nodes);
}

static void ask_mate(struct survey *s, uint32_t unit, struct task *task)
{
    struct position pos;
    survey_replay(s, wanted_of_unit(s, unit), &pos);
    task->kind = JOB_MATE;
    task->root = bare_sfen(s, &pos);
    task->nodes = (uint64_t)s->settings.scan_mate_nodes;
}

bool survey_question(struct survey *s, uint32_t unit, struct task *task)
{
    if (unit >= s->unit_count || s->unit_done[unit]) return false;
    *task = (struct task){.engine = s->settings.engine, .lane = TASK_SCAN, .multipv = 1};
    task->moves = task->only = text_from("");
    switch (s->phase) {
    case SURVEY_LOOK:
    case SURVEY_FULL:
        ask_slice(s, unit, task);
        return true;
    case SURVEY_MATES:
        ask_mate(s, unit, task);
        return true;
    case SURVEY_CASES:
        return mine_question(&s->settings, &s->cases[unit].mine, task);
    case SURVEY_OVER:
        break;
    }
    return false;
}

/* ---- answers ---------------------------------------------------------------------------------------------------- */

static void copy_text(char *out, size_t capacity, struct text text)
{
    size_t bytes = text_length(text);
    if (bytes >= capacity) { /* cut between two moves */
        bytes = capacity - 1;
        while (bytes > 0 && text.at[bytes] != ' ') bytes--;
    }
    if (bytes) memcpy(out, text.at, bytes);
    out[bytes] = 0;
}

static void place_fill(struct survey *s, struct game_position *place, const struct answer *answer)
{
    s->nodes_scan += answer->nodes;
    if (answer->verdict == VERDICT_REFUSED) {
        s->incomplete = true;
        return;
    }
    place->done = true;
    place->score = answer->score;
    place->depth = answer->depth;
    place->nodes = answer->nodes;
    copy_text(place->best, sizeof place->best, answer->best);
    if (answer->line_count) copy_text(place->pv, sizeof place->pv, answer->lines[0].pv);
}

/* A mate is more than the search knew; anything else is nothing new. */
static void take_mate(struct survey *s, struct game_position *place, const struct answer *answer)
{
    s->nodes_scan += answer->nodes;
    if (answer->verdict != VERDICT_MATE || !answer->line_count) return;
    place->score = answer->score;
    copy_text(place->best, sizeof place->best, answer->best);
    copy_text(place->pv, sizeof place->pv, answer->lines[0].pv);
}

void survey_take(struct survey *s, uint32_t unit, struct text text, bool failed)
{
    struct answer answer;
    assert(unit < s->unit_count && !s->unit_done[unit]);
    if (s->phase == SURVEY_CASES) {
        struct mine_case *c = &s->cases[unit].mine;
        mine_answer(&s->settings, c, !failed && answer_next(&text, &answer) ? &answer : NULL);
        if (c->step == MINE_DECIDED) unit_over(s, unit);
        return;
    }
    if (failed) s->incomplete = true;
    if (s->phase == SURVEY_MATES) {
        uint32_t ply = wanted_of_unit(s, unit);
        if (!failed && answer_next(&text, &answer))
            take_mate(s, s->full[ply].done ? &s->full[ply] : &s->look[ply], &answer);
        unit_over(s, unit);
        return;
    }
    uint32_t from = s->first_ply + slice_of_unit(s, unit) * SLICE_PLIES;
    struct game_position *places = s->phase == SURVEY_LOOK ? s->look : s->full;
    while (!failed && answer_next(&text, &answer))
        if (from + answer.ply <= s->plies) place_fill(s, &places[from + answer.ply], &answer);
    unit_over(s, unit);
}

void survey_judge_case(const struct survey_case *c, struct motif_report *report)
{
    char solution[MOVETEXT_BYTES_MAX], look[MOVETEXT_BYTES_MAX] = "";
    const struct mine_case *m = &c->mine;
    movetext_to_usi(m->line[0], solution);
    if (m->look_best != MOVE_NONE) movetext_to_usi(m->look_best, look);
    struct motif_input in = {.start = &m->start,
                             .line = m->line,
                             .count = m->count,
                             .mate = m->mate,
                             .engine_mate = m->engine_mate,
                             .mate_plies = m->mate_plies,
                             .before = m->before,
                             .score = m->moves[0].score,
                             .runner = m->moves[0].runner,
                             .alone = m->moves[0].alone,
                             .settled = !strcmp(solution, c->best_look)   ? 0
                                        : !strcmp(solution, c->best_full) ? 1
                                        : !strcmp(solution, look)         ? 2
                                                                          : 3,
                             .nodes_verify = m->nodes_verify};
    motif_judge(&in, report);
}
