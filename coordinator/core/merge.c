/* merge.c - the best line so far of one `go`. */
#include "coordinator/core/merge.h"

#include "coordinator/core/mutant.h"
#include "coordinator/usi/usi.h"

#include <string.h>

void merge_start(struct merge *m, enum merge_rule rule, int64_t now_ms)
{
    memset(m, 0, sizeof *m);
    m->rule = rule;
    m->started_ms = now_ms;
    m->printed_ms = INT64_MIN / 2;
    m->peak = -SCORE_INFINITE;
    m->low = SCORE_NONE;
}

Score merge_score(uint32_t score_kind, int32_t score)
{
    if (score_kind == WIRE_SCORE_CP) return score_clamp_cp(score);
    if (score_kind != WIRE_SCORE_MATE) return -SCORE_INFINITE;
    int plies = score < 0 ? -score : score;
    if (plies > SCORE_PLIES_MAX - 1) plies = SCORE_PLIES_MAX - 1;
    return score > 0 ? score_mate_in(plies) : score_mated_in(plies);
}

uint64_t merge_nodes(const struct merge *m)
{
    uint64_t nodes = m->nodes_past;
    for (unsigned i = 0; i < COORD_WORKERS_MAX; i++) nodes += m->nodes[i];
    return nodes > m->nodes_printed ? nodes : m->nodes_printed;
}

void merge_count(struct merge *m, unsigned worker, uint64_t nodes, uint32_t hashfull)
{
    if (nodes > m->nodes[worker]) m->nodes[worker] = nodes;
    m->hashfull[worker] = hashfull;
    m->heard[worker] = true;
}

void merge_job_over(struct merge *m, unsigned worker)
{
    m->nodes_past += m->nodes[worker];
    m->nodes[worker] = 0;
}

static uint32_t mean_hashfull(const struct merge *m)
{
    uint64_t sum = 0, count = 0;
    for (unsigned i = 0; i < COORD_WORKERS_MAX; i++)
        if (m->heard[i]) {
            sum += m->hashfull[i];
            count++;
        }
    return count ? (uint32_t)(sum / count) : 0;
}

static bool print(struct merge *m, const struct merge_line *line, const struct merge_display *display, int64_t now_ms,
                  bool must, struct coord_effects *out)
{
    char pv[PV_BYTES_MAX], text[USI_INFO_BYTES_MAX];
    size_t pv_bytes = pv_write(&line->pv, pv);
    m->nodes_printed = merge_nodes(m);
    struct usi_info info = {.depth = line->depth,
                            .seldepth = line->seldepth > line->depth ? line->seldepth : line->depth,
                            .multipv = display->multipv ? line->multipv : 0,
                            .score_kind = line->score_kind,
                            .bound = line->bound,
                            .score = line->score,
                            .nodes = m->nodes_printed,
                            .time_ms = now_ms - m->started_ms,
                            .hashfull = mean_hashfull(m),
                            .pv = wire_str_make(pv, pv_bytes)};
    size_t bytes = usi_write_info(&info, text);
    if (!must) return fx_info(out, text, bytes);
    fx_say(out, text, bytes);
    return true;
}

bool merge_mates(const struct merge_line *line)
{
    return line->proven && merge_score(line->score_kind, line->score) >= SCORE_MATE_BOUND && !MUTANT_IS(6);
}

/* Is `line` a better answer than the one held? */
static bool better(const struct merge *m, unsigned worker, const struct merge_line *line)
{
    if (!m->present) return true;
    const struct merge_line *held = &m->line;
    Score new_score = merge_score(line->score_kind, line->score),
          old_score = merge_score(held->score_kind, held->score);
    bool new_mate = merge_mates(line), old_mate = merge_mates(held); /* mutant 6: a proven mate is nothing special */
    if (new_mate != old_mate) return new_mate;
    if (new_mate && new_score != old_score) return new_score > old_score;
    if (line->depth != held->depth) return line->depth > held->depth;
    return held->bound != WIRE_EXACT || worker == m->worker || new_score > old_score;
}

/* Is it about an iteration that is not finished? */
static bool is_ahead(const struct merge *m, const struct merge_line *line)
{
    if (!m->present || line->depth > m->line.depth) return true;
    return m->line.bound != WIRE_EXACT && line->depth == m->line.depth;
}

/* A move that leads a deeper iteration than the one the answer is from. Until that is finished it is the better guess:
 * the answer held has been searched as deep, and found to be worse. */
static bool leads(const struct merge *m, unsigned worker, const struct merge_line *line)
{
    if (line->bound != WIRE_LOWER || line->multipv != 1 || m->rule != MERGE_DEEPEST || !m->present ||
        merge_mates(&m->line))
        return false;
    if (!is_ahead(m, line)) return false;
    return line->depth > m->line.depth || worker == m->worker ||
           merge_score(line->score_kind, line->score) > merge_score(m->line.score_kind, m->line.score);
}

static void note_change(struct merge *m, const struct merge_line *line)
{
    bool changed = m->present && m->line.pv.moves[0] != line->pv.moves[0];
    if (m->present && (changed || line->depth > m->line.depth))
        m->instability_permille = m->instability_permille / 2 + (changed ? 1000 : 0);
    Score score = merge_score(line->score_kind, line->score);
    if (score > m->peak && !score_is_mate(score)) m->peak = score;
}

static void hold(struct merge *m, unsigned worker, const struct merge_line *line)
{
    m->present = true;
    m->worker = worker;
    m->line = *line;
    m->serial++;
    m->further_count = m->further_printed = 0;
}

static bool is_same(const struct merge_line *a, const struct merge_line *b)
{
    return a->depth == b->depth && a->score_kind == b->score_kind && a->score == b->score &&
           a->pv.moves[0] == b->pv.moves[0];
}

/* ---- consultation ----------------------------------------------------------------------------------------------- */

static uint32_t deepest(const struct merge *m)
{
    uint32_t depth = 0;
    for (unsigned i = 0; i < COORD_WORKERS_MAX; i++)
        if (m->own[i].depth > depth) depth = m->own[i].depth;
    return depth;
}

static unsigned votes_for(const struct merge *m, Move move, uint32_t depth)
{
    unsigned votes = 0;
    for (unsigned i = 0; i < COORD_WORKERS_MAX; i++)
        votes += m->own[i].depth > 0 && m->own[i].depth + MERGE_DEPTH_BEHIND >= depth && m->own[i].pv.moves[0] == move;
    return votes;
}

/* Whose line is the answer? There is at least one. Ties go to the deeper line, then to the lower number. */
static unsigned elect(const struct merge *m)
{
    uint32_t depth = deepest(m);
    unsigned best = COORD_WORKERS_MAX;
    int64_t best_rank[3] = {0};
    for (unsigned i = 0; i < COORD_WORKERS_MAX; i++) {
        const struct merge_line *line = &m->own[i];
        Score score = merge_score(line->score_kind, line->score);
        bool proven = merge_mates(line);
        if (line->depth == 0 || (line->depth + MERGE_DEPTH_BEHIND < depth && !proven)) continue;
        int64_t choice = score;
        if (m->rule == MERGE_MAJORITY) choice = votes_for(m, line->pv.moves[0], depth);
        int64_t rank[3] = {proven ? score : 0, choice, line->depth};
        int k = 0;
        while (best < COORD_WORKERS_MAX && k < 3 && rank[k] == best_rank[k]) k++;
        if (best < COORD_WORKERS_MAX && (k == 3 || rank[k] < best_rank[k])) continue;
        best = i;
        memcpy(best_rank, rank, sizeof rank);
    }
    return best;
}

/* One more line of the block that the line held begins; they come in order, some may have got lost on the way. */
static void take_further(struct merge *m, unsigned worker, const struct merge_line *line,
                         const struct merge_display *display, int64_t now_ms, struct metrics *metrics,
                         struct coord_effects *out)
{
    if (worker != m->worker || line->depth != m->line.depth || line->multipv != m->further_count + 2) return;
    m->further[m->further_count++] = *line;
    if (!m->block) return;
    if (print(m, line, display, now_ms, false, out))
        m->further_printed = m->further_count;
    else
        metrics->effects_dropped++;
}

bool merge_take(struct merge *m, unsigned worker, const struct merge_line *line, const struct merge_display *display,
                int64_t now_ms, struct metrics *metrics, struct coord_effects *out)
{
    bool due = now_ms - m->printed_ms >= display->interval_ms;
    bool lead = leads(m, worker, line);
    if (line->bound != WIRE_EXACT && !lead && !MUTANT_IS(16)) {
        if (line->bound == WIRE_UPPER && line->multipv == 1 && m->present && worker == m->worker &&
            line->depth > m->line.depth)
            m->low = merge_score(line->score_kind, line->score);
        if (display->bounds && due && line->multipv == 1 && is_ahead(m, line)) {
            if (print(m, line, display, now_ms, false, out))
                m->printed_ms = now_ms;
            else
                metrics->effects_dropped++;
            m->printed_serial = 0; /* the line held is not the last one printed any more */
        }
        return false;
    }
    if (line->multipv > 1) {
        take_further(m, worker, line, display, now_ms, metrics, out);
        return false;
    }
    if (m->rule == MERGE_DEEPEST) {
        if (!lead && !better(m, worker, line)) return false;
    } else {
        m->own[worker] = *line;
        worker = elect(m);
        line = &m->own[worker];
        if (m->present && worker == m->worker && is_same(line, &m->line)) return false;
    }
    note_change(m, line);
    hold(m, worker, line);
    m->low = SCORE_NONE;
    m->block = due;
    if (due && (!lead || display->bounds) && print(m, line, display, now_ms, false, out)) {
        m->printed_ms = now_ms;
        m->printed_serial = m->serial;
    }
    return true;
}

bool merge_final(struct merge *m, unsigned worker, const struct merge_line *word)
{
    struct merge_line line = *word;
    line.bound = WIRE_EXACT;
    bool own =
        m->present && m->worker == worker && line.depth >= m->line.depth; /* of the job that the line held is from */
    if (own) {
        if (m->line.pv.moves[0] == line.pv.moves[0] && line.depth == m->line.depth)
            return false; /* it has told more about it already */
        if (line.seldepth < m->line.seldepth) line.seldepth = m->line.seldepth;
        if (line.score_kind == WIRE_SCORE_NONE) {
            line.score_kind = m->line.score_kind;
            line.score = m->line.score;
            line.proven = m->line.proven;
        }
    } else if (m->present && (m->rule != MERGE_DEEPEST || !better(m, worker, &line))) {
        return false;
    }
    hold(m, worker, &line);
    return true;
}

void merge_print_last(struct merge *m, const struct merge_display *display, int64_t now_ms, struct coord_effects *out)
{
    if (!m->present || (m->printed_serial == m->serial && merge_nodes(m) == m->nodes_printed)) return;
    print(m, &m->line, display, now_ms, true, out);
    for (unsigned i = m->further_printed; i < m->further_count; i++)
        if (print(m, &m->further[i], display, now_ms, false, out)) m->further_printed = i + 1;
    m->printed_ms = now_ms;
    m->printed_serial = m->serial;
}
