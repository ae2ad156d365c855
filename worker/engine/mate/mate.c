#include "worker/engine/mate/mate.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "worker/engine/engine_clock.h"
#include "worker/engine/mate/dfpn.h"
#include "worker/engine/mate/proof.h"

enum {
    PROGRESS_MS = 500,
    PROOF_POSITIONS_MIN = 1 << 21, /* the largest proof of the Edo-era problems has two million */
    HINTS_AHEAD = 8,               /* so many are fetched from memory while others are put */
    PROOF_SHARE = 128              /* bytes of the table for each position of a proof */
};

struct mate_solver {
    struct mate_table *table;
    struct dfpn_control control;
    struct dfpn **searches;    /* one a thread; [0] is the owner's */
    struct share_ring **rings; /* the same; made when they are first wanted */
    struct mate_share *share;
    uint64_t scope;         /* of what the table holds */
    _Atomic bool tell_only; /* nothing that others say is believed */
    _Atomic bool heard;     /* something that others said went into the table */
    unsigned threads;
    struct proof *proof; /* the last one that was replayed to its end ... */
    struct proof *next;  /* ... and where the next one is */

    /* of the running mate_solve() */
    const struct position *root;
    const struct mate_limits *limits;
    int64_t start_ns, reported_ns;
    int plies_proved;
    Move line[MATE_PLIES_MAX]; /* replayed, if line_plies > 0 */
    int line_plies;
    uint64_t proof_nodes;
};

struct mate_solver *mate_new(size_t table_bytes, unsigned threads)
{
    struct mate_solver *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    if (threads < 1) threads = 1;
    if (threads > MATE_THREADS_MAX) threads = MATE_THREADS_MAX;
    if (table_bytes < MATE_TABLE_BYTES_MIN) table_bytes = MATE_TABLE_BYTES_MIN;
    s->threads = threads;
    s->table = mate_table_new(table_bytes);
    s->searches = calloc(threads, sizeof *s->searches);
    if (threads > 1) s->control.busy = calloc(DFPN_BUSY_SLOTS, sizeof *s->control.busy);
    size_t positions_max =
        table_bytes / PROOF_SHARE > PROOF_POSITIONS_MIN ? table_bytes / PROOF_SHARE : PROOF_POSITIONS_MIN;
    bool good = s->table && s->searches && (threads == 1 || s->control.busy);
    for (unsigned i = 0; good && i < threads; i++) {
        s->searches[i] = dfpn_new(s->table, &s->control);
        good = s->searches[i] != NULL;
    }
    if (good) s->proof = proof_new(s->table, s->searches[0], positions_max);
    if (good) s->next = proof_new(s->table, s->searches[0], positions_max);
    if (!s->proof || !s->next) {
        mate_free(s);
        return NULL;
    }
    return s;
}

void mate_free(struct mate_solver *s)
{
    if (!s) return;
    proof_free(s->proof);
    proof_free(s->next);
    for (unsigned i = 0; s->searches && i < s->threads; i++) dfpn_free(s->searches[i]);
    for (unsigned i = 0; s->rings && i < s->threads; i++) share_ring_free(s->rings[i]);
    free(s->rings);
    free(s->share);
    free(s->searches);
    free((void *)s->control.busy);
    mate_table_free(s->table);
    free(s);
}

void mate_clear(struct mate_solver *s) { mate_table_clear(s->table); }

/* ---- progress -----------------------------------------------------------------------------------------------------
 */

static int64_t elapsed_ms(const struct mate_solver *s) { return (engine_clock_ns() - s->start_ns) / 1000000; }

static void report(struct mate_solver *s, const Move *line, size_t line_count)
{
    if (!s->limits->progress) return;
    s->reported_ns = engine_clock_ns();
    struct mate_progress progress = {
        .nodes = atomic_load_explicit(&s->control.nodes, memory_order_relaxed),
        .elapsed_ms = elapsed_ms(s),
        .plies = s->line_plies,
        .hashfull_permille = mate_table_permille(s->table),
        .line = line,
        .line_count = line_count,
    };
    s->limits->progress(s->limits->context, &progress);
}

static void tick(void *context)
{
    struct mate_solver *s = context;
    if (engine_clock_ns() - s->reported_ns < (int64_t)PROGRESS_MS * 1000000) return;
    if (s->line_plies > 0) {
        report(s, s->line, (size_t)s->line_plies);
        return;
    }
    Move line[MATE_PLIES_MAX];
    report(s, line, dfpn_line(s->searches[0], line, MATE_PLIES_MAX));
}

/* ---- one question on all threads ----------------------------------------------------------------------------------
 */

struct helper {
    struct mate_solver *solver;
    unsigned index;
    struct dfpn_order order;
    struct dfpn_answer answer;
    pthread_t thread;
    bool started;
};

static void *helper_main(void *argument)
{
    struct helper *h = argument;
    struct mate_solver *s = h->solver;
    h->answer = dfpn_search(s->searches[h->index], s->root, &h->order);
    if (h->answer.pn == 0 || h->answer.dn == 0) atomic_store(&s->control.settled, true);
    const struct mate_pacer *pacer = s->limits->pacer;
    if (pacer && pacer->end) pacer->end(pacer->context, h->index);
    return NULL;
}

static bool is_settled(struct dfpn_answer a) { return a.pn == 0 || a.dn == 0; }

static struct dfpn_order order_of(const struct mate_solver *s, int plies)
{
    const struct mate_limits *l = s->limits;
    return (struct dfpn_order){
        .attack = true,
        .plies = plies,
        .seed = l->seed,
        .first_moves = l->first_moves,
        .first_move_count = l->first_move_count,
    };
}

static struct dfpn_answer ask(struct mate_solver *s, int plies)
{
    atomic_store(&s->control.settled, false);
    struct helper helpers[MATE_THREADS_MAX];
    for (unsigned i = 0; i < s->threads; i++)
        helpers[i] = (struct helper){.solver = s, .index = i, .order = order_of(s, plies)};
    const struct mate_pacer *pacer = s->limits->pacer;
    if (pacer && pacer->begin) pacer->begin(pacer->context, s->threads);
    for (unsigned i = 1; i < s->threads; i++)
        helpers[i].started = pthread_create(&helpers[i].thread, NULL, helper_main, &helpers[i]) == 0;
    for (unsigned i = 1; i < s->threads; i++)
        if (!helpers[i].started && pacer && pacer->end) pacer->end(pacer->context, i);
    helper_main(&helpers[0]);
    struct dfpn_answer best = helpers[0].answer;
    for (unsigned i = 1; i < s->threads; i++) {
        if (!helpers[i].started) continue;
        pthread_join(helpers[i].thread, NULL);
        if (!is_settled(best) && is_settled(helpers[i].answer)) best = helpers[i].answer;
    }
    atomic_store(&s->control.settled, false);
    return best;
}

/* ---- other workers -----------------------------------------------------------------------------------------------
 */

static bool sharing_prepare(struct mate_solver *s)
{
    if (!s->share) s->share = malloc(sizeof *s->share);
    if (!s->rings) s->rings = calloc(s->threads, sizeof *s->rings);
    if (!s->share || !s->rings) return false;
    for (unsigned i = 0; i < s->threads; i++) {
        if (!s->rings[i]) s->rings[i] = share_ring_new();
        if (!s->rings[i]) return false;
    }
    return true;
}

/* Others told something wrong, or might have: what the table holds is worth nothing. */
static void forget_all(struct mate_solver *s)
{
    mate_table_clear(s->table);
    atomic_store(&s->heard, false);
}

bool mate_share(struct mate_solver *s, const struct mate_sharing *sharing)
{
    bool shares = sharing->scope != 0 && sharing_prepare(s);
    s->control.share = NULL;
    atomic_store(&s->tell_only, sharing->tell_only || !shares);
    if (atomic_load(&s->heard) && (s->scope != sharing->scope || !shares || sharing->tell_only)) forget_all(s);
    s->scope = sharing->scope;
    if (!shares) return sharing->scope == 0;
    mate_share_start(s->share, sharing->worker, sharing->gate);
    for (unsigned i = 0; i < s->threads; i++) dfpn_tell(s->searches[i], s->rings[i]);
    s->control.share = s->share;
    return true;
}

bool mate_has_heard(const struct mate_solver *s) { return atomic_load(&s->heard); }

size_t mate_hints_take(struct mate_solver *s, struct hint *out, size_t capacity)
{
    size_t count = 0;
    for (unsigned i = 0; s->rings && i < s->threads; i++)
        if (s->rings[i]) count += share_take(s->rings[i], out + count, capacity - count);
    return count;
}

/* On a few problems, full of loops, numbers of others lead astray for ever. So the first worker takes none of them by
 * turns, each as long as all before: nodes 1 to 2 million, 4 to 8 million... */
static bool takes_numbers(const struct mate_solver *s)
{
    uint64_t nodes = atomic_load_explicit(&s->control.nodes, memory_order_relaxed);
    return !s->share || s->share->worker != 0 || mate_effort(nodes >> 20) % 2 == 0;
}

static void fact_put(struct mate_solver *s, const struct mate_fact *f)
{
    switch (f->kind) {
    case MATE_FACT_OPEN:
        if (!takes_numbers(s)) break;
        mate_table_hint_open(s->table, f->board_key, f->hand, f->pn, f->dn, mate_effort(f->work), f->merges);
        break;
    case MATE_FACT_PROVED:
        mate_table_put_proved(s->table, f->board_key, f->hand, f->plies, f->move, f->work);
        break;
    case MATE_FACT_REFUTED:
        mate_table_put_refuted(s->table, f->board_key, f->hand, f->plies, f->work);
        break;
    }
}

void mate_hints_put(struct mate_solver *s, const struct hint *hints, size_t count)
{
    if (atomic_load_explicit(&s->tell_only, memory_order_relaxed)) return;
    for (size_t i = 0; i < count && i < HINTS_AHEAD; i++) mate_table_prefetch(s->table, hints[i].key);
    for (size_t i = 0; i < count; i++) {
        struct mate_fact fact;
        if (i + HINTS_AHEAD < count) mate_table_prefetch(s->table, hints[i + HINTS_AHEAD].key);
        if (hint_kind_of(&hints[i]) == HINT_CLAIM) {
            struct mate_claim claim = mate_claim_read(&hints[i]);
            if (s->share) mate_share_claim(s->share, &claim);
        } else if (mate_fact_read(&hints[i], &fact)) {
            atomic_store_explicit(&s->heard, true, memory_order_relaxed);
            fact_put(s, &fact);
        }
    }
}

void mate_hints_gate(struct mate_solver *s, int gate)
{
    if (s->share) mate_share_turn(s->share, gate);
}

/* ---- solving ------------------------------------------------------------------------------------------------------
 */

/* Replays the proof of plies_proved, which becomes the length of what was replayed; its line replaces the one kept. */
static bool replay(struct mate_solver *s, bool exact)
{
    int plies;
    struct dfpn_order order = order_of(s, s->plies_proved);
    if (!proof_replay(s->next, s->root, &order, &plies)) return false;
    Move line[MATE_PLIES_MAX];
    size_t count = proof_line(s->next, s->root, exact, line);
    if ((int)count != plies) return false;
    struct proof *replayed = s->next;
    s->next = s->proof;
    s->proof = replayed;
    memcpy(s->line, line, count * sizeof *line);
    s->plies_proved = s->line_plies = plies;
    s->proof_nodes = proof_size(s->proof);
    report(s, s->line, count);
    return true;
}

/* A proof that does not hold although nothing has ended the work: somebody told something wrong. */
static bool begins_again(struct mate_solver *s)
{
    if (!atomic_load(&s->heard) || atomic_load(&s->control.end) != MATE_END_SOLVED) return false;
    atomic_store(&s->tell_only, true);
    forget_all(s);
    s->plies_proved = s->line_plies;
    return true;
}

static void solve(struct mate_solver *s, int plies_max, struct mate_result *result)
{
    int plies = plies_max;
    uint64_t replayed_at = 0;
    bool refuted = false;
    for (;;) {
        struct dfpn_answer a = ask(s, plies);
        if (a.dn == 0) {
            refuted = a.plies >= PLIES_ENDLESS;
            if (refuted) result->hand = a.hand;
            result->refuted_plies = refuted || a.plies > MATE_PLIES_MAX ? MATE_PLIES_MAX : a.plies;
            break;
        }
        if (s->plies_proved == 0) {
            result->pn = a.pn;
            result->dn = a.dn;
        }
        if (a.pn != 0) break;
        s->plies_proved = a.plies;
        result->hand = a.hand;
        uint64_t nodes = atomic_load(&s->control.nodes);
        if (s->line_plies == 0 || s->limits->any_length || nodes - replayed_at > 4 * s->proof_nodes) {
            if (!replay(s, false)) {
                if (begins_again(s)) {
                    plies = s->line_plies > 0 ? s->line_plies - 2 : plies_max;
                    continue;
                }
                if (s->limits->any_length) break;
            }
            replayed_at = nodes;
        }
        if (s->limits->any_length) break;
        plies = s->plies_proved - 2;
        if (plies <= 0) {
            result->refuted_plies = 0;
            break;
        }
    }
    if (s->plies_proved == 0) {
        if (!refuted) return;
        result->verdict = MATE_REFUTED;
        result->pn = MATE_NUMBER_MAX;
        result->dn = 0;
        return;
    }
    bool exact = plies <= 0 || result->refuted_plies >= s->plies_proved - 2;
    if (!s->limits->any_length && (exact || s->line_plies > s->plies_proved))
        result->shortest = replay(s, exact) && exact;
    if (s->line_plies == 0) return;
    result->verdict = MATE_PROVED;
    result->pn = 0;
    result->dn = MATE_NUMBER_MAX;
    result->plies = s->line_plies;
    memcpy(result->line, s->line, (size_t)s->line_plies * sizeof *s->line);
}

void mate_solve(struct mate_solver *s, const struct position *pos, const struct mate_limits *limits,
                struct mate_result *result)
{
    static const struct mate_limits no_limits = {0};
    if (!limits) limits = &no_limits;
    s->root = pos;
    s->limits = limits;
    s->start_ns = s->reported_ns = engine_clock_ns();
    s->plies_proved = s->line_plies = 0;
    s->proof_nodes = 0;
    s->control.nodes_max = limits->nodes;
    s->control.deadline_ns = limits->time_ms > 0 ? s->start_ns + limits->time_ms * 1000000 : 0;
    s->control.stop = limits->stop;
    atomic_store(&s->control.nodes, 0);
    atomic_store(&s->control.end, MATE_END_SOLVED);
    dfpn_on_tick(s->searches[0], limits->progress ? tick : NULL, s);
    for (unsigned i = 0; i < s->threads; i++) dfpn_pace(s->searches[i], limits->pacer, i);

    result->verdict = MATE_UNKNOWN;
    result->shortest = false;
    result->plies = result->refuted_plies = 0;
    result->pn = result->dn = 1;
    result->hand = pos->hand[pos->side];
    int plies_max = limits->plies_max;
    if (plies_max <= 0 || plies_max > MATE_PLIES_MAX) plies_max = MATE_PLIES_MAX;
    if (plies_max % 2 == 0) plies_max--;
    solve(s, plies_max, result);
    result->end = (enum mate_end)atomic_load(&s->control.end);
    result->nodes = atomic_load(&s->control.nodes);
    result->proof_nodes = s->proof_nodes;
    result->elapsed_ms = elapsed_ms(s);
    result->hashfull_permille = mate_table_permille(s->table);
    s->root = NULL;
    s->limits = NULL;
}

Move mate_proof_move(const struct mate_solver *s, const struct position *pos, int *plies)
{
    return proof_move(s->proof, pos, plies);
}
