/* tsumero.c - see tsumero.h. */
#include "worker/engine/tsumero.h"

#include <stdlib.h>
#include <string.h>

#include "worker/engine/mate/mate_quick.h"
#include "worker/engine/search_thread.h"

enum { RECORD_BITS = 14, TABLE_BYTES = 1 << 20, NEVER = UINT16_MAX, LINE_NODES = 100000, BUDGET_MAX = 1 << 20 };

struct record {
    uint64_t key;
    uint32_t effort; /* nodes spent so far */
    Move move;       /* MOVE_NONE: no mate is known */
    uint16_t plies;  /* of the mate; NEVER: there is none; 0: open */
};
_Static_assert(sizeof(struct record) == 16, "four records to a cache line");

struct tsumero {
    struct mate_quick *quick;
    struct record records[1 << RECORD_BITS];
};

struct tsumero *tsumero_new(const _Atomic bool *stop)
{
    struct tsumero *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->quick = mate_quick_new(TABLE_BYTES, stop);
    if (!m->quick) {
        free(m);
        return NULL;
    }
    return m;
}

void tsumero_free(struct tsumero *m)
{
    if (!m) return;
    mate_quick_free(m->quick);
    free(m);
}

void tsumero_clear(struct tsumero *m)
{
    mate_quick_clear(m->quick);
    memset(m->records, 0, sizeof m->records);
}

/* What is left of the budget once the limits of the search are kept. One node stays for the move after it. */
static uint64_t affordable(const struct search_thread *t, uint64_t nodes_max)
{
    uint64_t limit = t->shared->limits.nodes;
    if (limit == 0) return nodes_max;
    uint64_t all = search_nodes_all(t->shared), left = all < limit ? limit - all - 1 : 0;
    return nodes_max < left ? nodes_max : left;
}

/* Plies to the end of the game. */
static int plies_left(const struct search_thread *t)
{
    unsigned max_moves = t->shared->options.max_moves_to_draw;
    int plies = max_moves == 0 ? TSUMERO_PLIES_MAX : (int)max_moves - t->pos.game_ply + 1;
    return plies < TSUMERO_PLIES_MAX ? plies : TSUMERO_PLIES_MAX;
}

static void count_nodes(struct search_thread *t, uint64_t nodes)
{
    atomic_store_explicit(&t->nodes, search_nodes(t) + nodes, memory_order_relaxed);
}

static void ask(struct search_thread *t, struct record *r, uint32_t nodes_max)
{
    uint64_t budget = affordable(t, nodes_max - r->effort);
    int plies_max = plies_left(t);
    if (budget == 0 || plies_max < 1) return;
    struct mate_quick_answer answer = mate_quick(t->tsumero->quick, &t->pos, budget, plies_max);
    uint64_t spent = answer.nodes > 0 ? answer.nodes : 1; /* looking for checks is work, too */
    count_nodes(t, spent);
    r->effort = answer.verdict == MATE_UNKNOWN ? nodes_max : r->effort + (uint32_t)spent;
    if (answer.verdict == MATE_REFUTED) r->plies = NEVER;
    if (answer.verdict != MATE_PROVED || answer.plies > plies_max) return;
    r->plies = (uint16_t)answer.plies;
    r->move = answer.move;
}

/* Is it worth a look that a mate there would be the same as the one known from elsewhere? Then the solver's table will
 * know it when it is asked about the position itself. */
static void try_known(struct search_thread *t, const struct tsumero_mate *known)
{
    struct position *pos = &t->pos;
    if (known->move == MOVE_NONE || !position_pseudo_legal(pos, known->move) || !position_legal(pos, known->move) ||
        !position_gives_check(pos, known->move))
        return;
    int plies_max = plies_left(t) < known->plies ? plies_left(t) : known->plies;
    uint64_t budget = affordable(t, (uint64_t)known->work * 2 + 8);
    if (budget < 2 || plies_max < 1) return;
    count_nodes(t, mate_quick_try(t->tsumero->quick, pos, known->move, budget - 1, plies_max));
}

static struct record *record_of(struct search_thread *t)
{
    uint64_t key = position_key(&t->pos);
    struct record *r = &t->tsumero->records[key & ((1 << RECORD_BITS) - 1)];
    if (r->key != key) *r = (struct record){.key = key};
    return r;
}

static bool mates(struct search_thread *t, uint32_t nodes_max, const struct tsumero_mate *known,
                  struct tsumero_mate *mate)
{
    struct record *r = record_of(t);
    if (r->plies == 0 && r->effort < nodes_max) {
        if (known && r->effort == 0) try_known(t, known);
        ask(t, r, nodes_max);
    }
    if (r->move == MOVE_NONE || r->plies > plies_left(t)) return false;
    *mate = (struct tsumero_mate){r->move, r->plies, r->effort};
    return true;
}

bool tsumero_mates(struct search_thread *t, uint32_t nodes_max, struct tsumero_mate *mate)
{
    return mates(t, nodes_max, NULL, mate);
}

size_t tsumero_line(struct search_thread *t, struct tsumero_mate *mate, Move *line, size_t line_max)
{
    struct mate_quick *quick = t->tsumero->quick;
    uint64_t budget = affordable(t, mate->work > 0 ? mate->work : LINE_NODES);
    if (budget == 0) return 0;
    struct mate_quick_answer answer = mate_quick(quick, &t->pos, budget, mate->plies);
    count_nodes(t, answer.nodes);
    if (answer.verdict != MATE_PROVED) return 0;
    mate->move = answer.move;
    mate->plies = answer.plies;
    return mate_quick_line(quick, &t->pos, line, line_max);
}

Move tsumero_check(const struct tsumero *m, const struct position *pos) { return mate_quick_check(m->quick, pos); }

/* ---- threats ---------------------------------------------------------------------------------------------------- */

/* Would the other side mate after a pass? */
static bool is_threatened(struct search_thread *t, uint32_t nodes_max, const struct tsumero_mate *known,
                          struct tsumero_mate *mate)
{
    struct undo undo;
    position_do_null(&t->pos, &undo);
    bool threatened = mates(t, nodes_max, known, mate);
    position_undo_null(&t->pos, &undo);
    return threatened;
}

static int distance(Square a, Square b)
{
    int files = square_file(a) - square_file(b), ranks = square_rank(a) - square_rank(b);
    files = files < 0 ? -files : files;
    ranks = ranks < 0 ? -ranks : ranks;
    return files > ranks ? files : ranks;
}

/* Could the last move have made a threat? It took something or came near the king. */
static bool smells_of_threat(const struct search_thread *t, const struct search_frame *f)
{
    Move last = f[-1].current;
    if (last == MOVE_NONE || last == MOVE_NULL) return false;
    return f[-1].undo.captured != NO_PIECE ||
           distance(move_to(last), t->pos.king[t->pos.side]) <= t->params.threat_distance;
}

/* Grows by half with each ply, about as the node's own subtree does. */
static uint32_t budget_at(int nodes, int plies)
{
    int64_t budget = nodes;
    for (int i = 0; i < plies && budget < BUDGET_MAX; i++) budget += (budget + 1) / 2;
    return (uint32_t)budget;
}

/* Nothing is looked for that could not change anything: a mate of ours where the evaluation is good enough anyway, a
 * threat to us where it is not. */
bool tsumero_look(struct search_thread *t, struct search_frame *f, Score eval, Score beta, int depth_plies,
                  struct tsumero_mate *mate)
{
    const struct search_params *params = &t->params;
    const struct search_frame *before = f - 1;
    bool moved = before->current != MOVE_NONE && before->current != MOVE_NULL;
    bool behind = f->in_check || eval < beta;
    f->threat = TSUMERO_N;
    if (params->tsumero && moved && before->threat == TSUMERO_T) {
        if (f->in_check) {
            f->threat = TSUMERO_O;
            f->threat_mate = before->threat_mate;
        }
        uint32_t nodes = before->threat_mate.work * 2 + (uint32_t)params->threat_nodes;
        if ((behind || depth_plies > 0) && mates(t, nodes, &before->threat_mate, mate)) return true;
    }
    if (!f->in_check && behind && depth_plies >= params->mate_plies &&
        mates(t, budget_at(params->mate_nodes, depth_plies - params->mate_plies), NULL, mate))
        return true;
    if (!params->tsumero || f->in_check || behind || !moved) return false;
    bool stalled = before->threat == TSUMERO_O;
    if (!stalled && (depth_plies < params->threat_plies || !smells_of_threat(t, f))) return false;
    uint32_t nodes = budget_at(params->threat_nodes, depth_plies - params->threat_plies);
    if (stalled) nodes += before->threat_mate.work * 2;
    if (is_threatened(t, nodes, stalled ? &before->threat_mate : NULL, &f->threat_mate)) f->threat = TSUMERO_T;
    return false;
}
