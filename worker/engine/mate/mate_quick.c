#include "worker/engine/mate/mate_quick.h"

#include <stdlib.h>
#include <string.h>

#include "worker/engine/mate/dfpn.h"
#include "worker/engine/mate/proof.h"

enum { PROOF_POSITIONS_MAX = 1 << 16 };

struct mate_quick {
    struct mate_table *table;
    struct dfpn_control control;
    struct dfpn *search;
    struct proof *proof;
    Move line[MATE_PLIES_MAX];
};

struct mate_quick *mate_quick_new(size_t table_bytes, const _Atomic bool *stop)
{
    struct mate_quick *q = calloc(1, sizeof *q);
    if (!q) return NULL;
    q->control.stop = stop;
    q->table = mate_table_new(table_bytes < MATE_TABLE_BYTES_MIN ? MATE_TABLE_BYTES_MIN : table_bytes);
    if (q->table) q->search = dfpn_new(q->table, &q->control);
    if (q->search) q->proof = proof_new(q->table, q->search, PROOF_POSITIONS_MAX);
    if (!q->proof) {
        mate_quick_free(q);
        return NULL;
    }
    return q;
}

void mate_quick_free(struct mate_quick *q)
{
    if (!q) return;
    proof_free(q->proof);
    dfpn_free(q->search);
    mate_table_free(q->table);
    free(q);
}

void mate_quick_clear(struct mate_quick *q) { mate_table_clear(q->table); }

static void begin(struct mate_quick *q, uint64_t nodes_max)
{
    q->control.nodes_max = nodes_max;
    atomic_store_explicit(&q->control.nodes, 0, memory_order_relaxed);
    atomic_store_explicit(&q->control.end, MATE_END_SOLVED, memory_order_relaxed);
}

struct mate_quick_answer mate_quick(struct mate_quick *q, const struct position *pos, uint64_t nodes_max, int plies_max)
{
    begin(q, nodes_max);
    struct dfpn_order order = {.attack = true, .plies = plies_max};
    if (order.plies <= 0 || order.plies > MATE_PLIES_MAX) order.plies = MATE_PLIES_MAX;
    if (order.plies % 2 == 0) order.plies--;

    struct mate_quick_answer answer = {.verdict = MATE_UNKNOWN, .move = MOVE_NONE};
    struct dfpn_answer found = dfpn_search(q->search, pos, &order);
    if (found.dn == 0 && found.plies >= PLIES_ENDLESS) answer.verdict = MATE_REFUTED;
    if (found.pn == 0) {
        order.plies = found.plies;
        if (proof_replay(q->proof, pos, &order, &answer.plies)) {
            answer.verdict = MATE_PROVED;
            answer.move = proof_move(q->proof, pos, &answer.plies);
        }
    }
    answer.nodes = atomic_load(&q->control.nodes);
    return answer;
}

uint64_t mate_quick_try(struct mate_quick *q, const struct position *pos, Move check, uint64_t nodes_max, int plies_max)
{
    begin(q, nodes_max);
    struct position after = *pos;
    struct undo undo;
    position_do(&after, check, &undo);
    struct dfpn_order order = {.attack = false, .plies = plies_max - 1};
    (void)dfpn_search(q->search, &after, &order);
    return 1 + atomic_load_explicit(&q->control.nodes, memory_order_relaxed);
}

size_t mate_quick_line(struct mate_quick *q, const struct position *pos, Move *line, size_t line_max)
{
    int plies;
    if (proof_move(q->proof, pos, &plies) == MOVE_NONE) return 0;
    size_t count = proof_line(q->proof, pos, false, q->line);
    if (count > line_max) count = line_max;
    memcpy(line, q->line, count * sizeof *line);
    return count;
}

Move mate_quick_check(const struct mate_quick *q, const struct position *pos)
{
    int plies;
    return proof_move(q->proof, pos, &plies);
}
