/* split_mate.c - one mate problem for several workers. */
#include "coordinator/core/split_mate.h"

#include "common/shogi/movegen.h"
#include "coordinator/core/mutant.h"

#include <assert.h>
#include <string.h>

enum {
    BUDGET_DOUBLINGS = 10,
    EXPAND_TRIES = 2,      /* a leaf that is still open after so many is expanded */
    ANCHOR_WORKERS = 2,    /* from so many on one stays with the root */
    FOREIGN_PERCENT = 150, /* a leaf that another worker knows has to be so much better */
    ABSENT_JOBS = 64,      /* handed out to others in the meantime */
    DEPTH_MAX = 256,       /* of the tree, plies */
    OPEN_MAX = 1 << 30     /* of a number that is not settled */
};

static uint32_t open_number(uint64_t n) { return n < 1 ? 1 : n > OPEN_MAX ? OPEN_MAX : (uint32_t)n; }
static bool is_settled(const struct split_mate_node *n) { return n->pn == 0 || n->dn == 0; }

static void set_proved(struct split_mate_node *n, uint32_t plies)
{
    n->pn = 0;
    n->dn = SPLIT_MATE_INFINITE;
    n->plies = (uint16_t)plies;
}

static void set_refuted(struct split_mate_node *n)
{
    n->pn = SPLIT_MATE_INFINITE;
    n->dn = 0;
}

bool split_mate_is_proved(const struct split_mate *m) { return m->nodes[0].pn == 0; }
bool split_mate_is_refuted(const struct split_mate *m) { return m->nodes[0].dn == 0; }

void split_mate_begin(struct split_mate *m, const struct position *root, const Move *first_moves,
                      size_t first_move_count, uint32_t plies_max, uint64_t nodes_first)
{
    m->root = *root;
    m->first_move_count = first_move_count;
    if (first_move_count) memcpy(m->first_moves, first_moves, first_move_count * sizeof *first_moves);
    m->plies_max = plies_max && plies_max < SPLIT_MATE_PLIES_MAX ? plies_max : SPLIT_MATE_PLIES_MAX;
    m->nodes_first = nodes_first;
    m->used = 1;
    m->nodes[0] = (struct split_mate_node){.pn = 1, .dn = 1, .attack = true};
    m->line_moves = 0;
    memset(m->shared, 0, sizeof m->shared);
    m->shared_count = 0;
    m->jobs = m->root_job = m->contradictions = 0;
    memset(m->dry, 0, sizeof m->dry);
    m->changes = 1;
}

/* ---- the tree --------------------------------------------------------------------------------------------------- */

static uint32_t plies_left(const struct split_mate *m, const struct split_mate_node *n)
{
    if (m->plies_max == SPLIT_MATE_PLIES_MAX) return SPLIT_MATE_PLIES_MAX;
    return m->plies_max > n->depth ? m->plies_max - n->depth : 0;
}

/* The moves from the root to the node; returns how many. */
static uint32_t path_of(const struct split_mate *m, uint32_t node, Move path[DEPTH_MAX])
{
    uint32_t depth = m->nodes[node].depth;
    for (uint32_t n = node, i = depth; i > 0; n = m->nodes[n].parent) path[--i] = m->nodes[n].move;
    return depth;
}

static void position_of(const struct split_mate *m, uint32_t node, struct position *pos)
{
    Move path[DEPTH_MAX];
    uint32_t depth = path_of(m, node, path);
    struct undo undo;
    *pos = m->root;
    for (uint32_t i = 0; i < depth; i++) position_do(pos, path[i], &undo);
}

/* One child decides for its side, all of them against it. */
static void count_children(const struct split_mate_node *nodes, const struct split_mate_node *n, const uint32_t *pn,
                           const uint32_t *dn, uint32_t *pn_out, uint32_t *dn_out)
{
    const uint32_t *least_of = n->attack ? pn : dn, *sum_of = n->attack ? dn : pn;
    uint32_t least = SPLIT_MATE_INFINITE, most = 0;
    uint64_t sum = 0;
    for (uint32_t i = n->first; i < n->first + n->count; i++) {
        if (least_of[i] < least) least = least_of[i];
        if (!nodes[i].merges)
            sum += sum_of[i];
        else if (sum_of[i] > most)
            most = sum_of[i];
    }
    sum += most;
    if (least == 0)
        sum = SPLIT_MATE_INFINITE;
    else if (sum)
        sum = open_number(sum);
    if (least != 0 && least != SPLIT_MATE_INFINITE) least = open_number(least);
    if (sum == 0) least = SPLIT_MATE_INFINITE;
    *(n->attack ? pn_out : dn_out) = least;
    *(n->attack ? dn_out : pn_out) = (uint32_t)sum;
}

/* New numbers of an expanded node from those of its children. */
static void renumber(struct split_mate *m, struct split_mate_node *n)
{
    uint32_t least = SPLIT_MATE_INFINITE, plies_least = SPLIT_MATE_PLIES_MAX, plies_most = 0, most = 0;
    uint64_t sum = 0;
    for (uint32_t i = n->first; i < n->first + n->count; i++) {
        const struct split_mate_node *c = &m->nodes[i];
        uint32_t choice = n->attack ? c->pn : c->dn;
        if (choice < least) least = choice;
        uint32_t against = n->attack ? c->dn : c->pn;
        if (!c->merges)
            sum += against;
        else if (against > most)
            most = against;
        if (c->pn != 0) continue;
        if (c->plies < plies_least) plies_least = c->plies;
        if (c->plies > plies_most) plies_most = c->plies;
    }
    sum += most;
    if (least == 0 || sum == 0) {
        bool attacker_wins = (least == 0) == n->attack;
        if (attacker_wins)
            set_proved(n, (n->attack ? plies_least : plies_most) + 1);
        else
            set_refuted(n);
        return;
    }
    n->pn = open_number(n->attack ? least : sum);
    n->dn = open_number(n->attack ? sum : least);
}

static void renumber_from(struct split_mate *m, uint32_t node)
{
    m->changes++;
    while (node != 0) {
        node = m->nodes[node].parent;
        if (m->nodes[node].count) renumber(m, &m->nodes[node]);
    }
}

bool split_mate_needs(const struct split_mate *m, uint32_t node)
{
    for (;; node = m->nodes[node].parent) {
        if (is_settled(&m->nodes[node])) return false;
        if (node == 0) return true;
    }
}

/* ---- shared positions ------------------------------------------------------------------------------------------- */

static size_t shared_slot(uint64_t board_key) { return (size_t)(board_key >> 20) % SPLIT_MATE_SHARED_MAX; }

static void share(struct split_mate *m, uint64_t board_key, Hand hand, uint32_t plies)
{
    if (m->shared_count * 4 >= SPLIT_MATE_SHARED_MAX * 3) return;
    size_t slot = shared_slot(board_key);
    while (m->shared[slot].board_key) slot = (slot + 1) % SPLIT_MATE_SHARED_MAX;
    m->shared[slot] = (struct split_mate_shared){board_key, hand, (uint16_t)plies};
    m->shared_count++;
}

/* Is the verdict on this position known from another leaf? plies 0 = refuted. */
static bool shared_find(const struct split_mate *m, uint64_t board_key, Hand hand, uint32_t *plies)
{
    for (size_t slot = shared_slot(board_key); m->shared[slot].board_key; slot = (slot + 1) % SPLIT_MATE_SHARED_MAX) {
        const struct split_mate_shared *s = &m->shared[slot];
        if (s->board_key != board_key) continue;
        if (!(s->plies ? hand_covers(hand, s->hand) : hand_covers(s->hand, hand))) continue;
        *plies = s->plies;
        return true;
    }
    return false;
}

/* ---- expansion -------------------------------------------------------------------------------------------------- */

struct ancestors { /* attacker's positions on the path */
    struct {
        uint64_t board_key;
        Hand hand;
    } items[DEPTH_MAX / 2 + 1];
    size_t count;
};

static void ancestors_of(const struct split_mate *m, uint32_t node, struct ancestors *a)
{
    Move path[DEPTH_MAX];
    uint32_t depth = path_of(m, node, path);
    struct position pos = m->root;
    struct undo undo;
    a->count = 0;
    for (uint32_t i = 0;; i++) {
        if (i % 2 == 0) {
            a->items[a->count].board_key = pos.board_key;
            a->items[a->count++].hand = pos.hand[m->root.side];
        }
        if (i == depth) return;
        position_do(&pos, path[i], &undo);
    }
}

static bool repeats(const struct ancestors *a, uint64_t board_key, Hand hand)
{
    for (size_t i = 0; i < a->count; i++)
        if (a->items[i].board_key == board_key && hand_covers(a->items[i].hand, hand)) return true;
    return false;
}

static bool is_first_move(const struct split_mate *m, Move move)
{
    for (size_t i = 0; i < m->first_move_count; i++)
        if (m->first_moves[i] == move) return true;
    return m->first_move_count == 0;
}

static size_t list_checks(const struct split_mate *m, const struct position *pos, bool root, Move *checks)
{
    size_t count = movegen_legal(pos, checks), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (position_gives_check(pos, checks[i]) && (!root || is_first_move(m, checks[i]))) checks[kept++] = checks[i];
    return kept;
}

static uint32_t add_node(struct split_mate *m, uint32_t parent, Move move)
{
    const struct split_mate_node *p = &m->nodes[parent];
    m->nodes[m->used] = (struct split_mate_node){.parent = parent,
                                                 .pn = 1,
                                                 .dn = 1,
                                                 .depth = (uint16_t)(p->depth + 1),
                                                 .home = p->home,
                                                 .attack = !p->attack,
                                                 .move = move};
    return m->used++;
}

static bool reported(const struct split_mate_report *report, Move move, uint32_t *pn, uint32_t *dn)
{
    for (size_t i = 0; report && i < report->check_count; i++)
        if (report->checks[i].move == move) {
            *pn = report->checks[i].pn;
            *dn = report->checks[i].dn;
            return true;
        }
    return false;
}

/* The evasions of a check, as leaves; its own numbers are shared out among them. */
static void add_evasions(struct split_mate *m, uint32_t check, struct position *pos, const Move *evasions, size_t count,
                         const struct ancestors *a, uint32_t pn, uint32_t dn)
{
    Color attacker = m->root.side;
    size_t parts = 0, drops = 0;
    for (size_t i = 0; i < count; i++) move_is_drop(evasions[i]) ? drops++ : parts++;
    parts += drops > 0;
    m->nodes[check].first = m->used;
    m->nodes[check].count = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        struct split_mate_node *n = &m->nodes[add_node(m, check, evasions[i])];
        struct undo undo;
        uint32_t plies;
        n->merges = move_is_drop(evasions[i]);
        n->pn = open_number(pn / parts);
        n->dn = open_number(dn);
        position_do(pos, evasions[i], &undo);
        if (plies_left(m, n) == 0 || repeats(a, pos->board_key, pos->hand[attacker]))
            set_refuted(n);
        else if (shared_find(m, pos->board_key, pos->hand[attacker], &plies) && plies <= plies_left(m, n))
            plies ? set_proved(n, plies) : set_refuted(n);
        position_undo(pos, &undo);
    }
    if (count) renumber(m, &m->nodes[check]);
}

/* Two plies more. False: no room; the leaf stays one. */
static bool expand(struct split_mate *m, uint32_t leaf, const struct split_mate_report *report)
{
    Move checks[MOVES_MAX], evasions[MOVES_MAX];
    struct position pos;
    struct undo undo;
    struct ancestors a;
    if (m->nodes[leaf].depth + 2 > DEPTH_MAX - 2) return false;
    position_of(m, leaf, &pos);
    size_t count = list_checks(m, &pos, leaf == 0, checks), all = count;
    for (size_t i = 0; i < count; i++) {
        position_do(&pos, checks[i], &undo);
        all += movegen_count_legal(&pos);
        position_undo(&pos, &undo);
    }
    if (m->used + all > SPLIT_MATE_NODES_MAX) return false;
    struct split_mate_node *n = &m->nodes[leaf];
    if (count == 0) {
        set_refuted(n);
        return true;
    }
    ancestors_of(m, leaf, &a);
    n->first = m->used;
    n->count = (uint32_t)count;
    uint32_t pn_whole = n->pn, dn_whole = n->dn;
    for (size_t i = 0; i < count; i++) add_node(m, leaf, checks[i]);
    for (size_t i = 0; i < count; i++) {
        uint32_t check = n->first + (uint32_t)i, pn, dn;
        position_do(&pos, checks[i], &undo);
        size_t evasion_count = movegen_legal(&pos, evasions);
        if (MUTANT_IS(44) && evasion_count > 1) evasion_count--; /* one is overlooked */
        if (!reported(report, checks[i], &pn, &dn) || pn == 0 || dn == 0) {
            pn = open_number(pn_whole);
            dn = open_number(dn_whole / count);
        }
        if (evasion_count == 0)
            set_proved(&m->nodes[check], 0);
        else
            add_evasions(m, check, &pos, evasions, evasion_count, &a, pn, dn);
        position_undo(&pos, &undo);
    }
    renumber(m, n);
    return true;
}

/* ---- choice ----------------------------------------------------------------------------------------------------- */

/* Leaves that are out, or where this worker has said what it knows, count as settled in favour of one side. */
static void choose_numbers(struct split_mate *m, unsigned worker, bool proof)
{
    for (uint32_t i = m->used; i-- > 0;) {
        const struct split_mate_node *n = &m->nodes[i];
        bool out = n->holders > 0 || n->opinion == worker + 1;
        if (is_settled(n) || (n->count == 0 && !out)) {
            m->virtual_pn[i] = n->pn;
            m->virtual_dn[i] = n->dn;
        } else if (n->count == 0) {
            m->virtual_pn[i] = proof ? 0 : SPLIT_MATE_INFINITE;
            m->virtual_dn[i] = proof ? SPLIT_MATE_INFINITE : 0;
        } else {
            count_children(m->nodes, n, m->virtual_pn, m->virtual_dn, &m->virtual_pn[i], &m->virtual_dn[i]);
        }
    }
}

/* How far the numbers of a node may grow before its parent should look at the others, as in df-pn. */
struct limits {
    uint64_t pn, dn;
};

static uint64_t less(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* The most promising leaf by the virtual numbers and its limits; UINT32_MAX if the root is settled by them. */
static uint32_t most_promising(const struct split_mate *m, unsigned worker, struct limits *limits)
{
    uint32_t at = 0;
    *limits = (struct limits){SPLIT_MATE_INFINITE, SPLIT_MATE_INFINITE};
    if (m->virtual_pn[0] == 0 || m->virtual_dn[0] == 0) return UINT32_MAX;
    while (m->nodes[at].count) {
        const struct split_mate_node *n = &m->nodes[at];
        const uint32_t *choice = n->attack ? m->virtual_pn : m->virtual_dn;
        const uint32_t *sum_of = n->attack ? m->virtual_dn : m->virtual_pn;
        uint64_t best = UINT64_MAX, second = SPLIT_MATE_INFINITE, sum = 0, most = 0;
        uint32_t chosen = at;
        for (uint32_t i = n->first; i < n->first + n->count; i++) {
            if (m->virtual_pn[i] == 0 || m->virtual_dn[i] == 0) continue;
            bool foreign = m->nodes[i].home && m->nodes[i].home != worker + 1;
            uint64_t cost = (uint64_t)choice[i] * (foreign ? FOREIGN_PERCENT : 100) / 100;
            if (!m->nodes[i].merges)
                sum += sum_of[i];
            else if (sum_of[i] > most)
                most = sum_of[i];
            if (cost < best) {
                if (best < second) second = best;
                best = cost;
                chosen = i;
            } else if (cost < second) {
                second = cost;
            }
        }
        assert(chosen != at);
        uint64_t *choice_limit = n->attack ? &limits->pn : &limits->dn;
        uint64_t *sum_limit = n->attack ? &limits->dn : &limits->pn;
        *choice_limit = less(*choice_limit, second + second / 4 + 1);
        uint64_t others = m->nodes[chosen].merges ? sum : sum + most - sum_of[chosen];
        if (*sum_limit < SPLIT_MATE_INFINITE)
            *sum_limit = *sum_limit > others + sum_of[chosen] ? *sum_limit - others : sum_of[chosen] + 1;
        at = chosen;
    }
    return at;
}

static uint32_t choose_leaf(struct split_mate *m, unsigned worker, struct limits *limits)
{
    choose_numbers(m, worker, true);
    uint32_t leaf = most_promising(m, worker, limits);
    if (leaf != UINT32_MAX) return leaf;
    choose_numbers(m, worker, false);
    return most_promising(m, worker, limits);
}

/* The held leaf that has cost the most, to be divided for those who have nothing to do. */
static uint32_t largest_held(const struct split_mate *m)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < m->used; i++) {
        const struct split_mate_node *n = &m->nodes[i];
        if (n->count || !n->holders || is_settled(n) || n->tries == 0 || !split_mate_needs(m, i)) continue;
        if (found == UINT32_MAX || n->effort > m->nodes[found].effort) found = i;
    }
    return found;
}

/* Not so narrow that the round trip is hardly worth it. */
static uint32_t number_limit(uint64_t limit, uint32_t now)
{
    if (limit < 2 * (uint64_t)now) limit = 2 * (uint64_t)now;
    return limit < OPEN_MAX ? (uint32_t)limit : 0;
}

static void hand_out(struct split_mate *m, uint32_t node, unsigned worker, const struct limits *limits,
                     struct split_mate_job *job)
{
    struct split_mate_node *n = &m->nodes[node];
    if (m->jobs == 0) m->plain = worker;
    unsigned doublings = n->tries < BUDGET_DOUBLINGS ? n->tries : BUDGET_DOUBLINGS;
    *job = (struct split_mate_job){.node = node,
                                   .nodes = m->nodes_first << doublings,
                                   .seed = node == 0 && worker != m->plain ? worker + 1 : 0,
                                   .pn_max = number_limit(limits->pn, n->pn),
                                   .dn_max = number_limit(limits->dn, n->dn),
                                   .plies_max = plies_left(m, n),
                                   .root = node == 0};
    position_of(m, node, &job->pos);
    n->holders++;
    n->home = (uint16_t)(worker + 1);
    m->jobs++;
    if (node == 0) m->root_job = m->jobs;
    m->changes++;
}

/* The root stays with the worker whose table has it, unless he has not asked for long: then he is gone. */
static bool is_anchor(struct split_mate *m, unsigned worker)
{
    if (worker != m->plain && m->jobs - m->root_job < ABSENT_JOBS) return false;
    m->plain = worker;
    return true;
}

bool split_mate_next(struct split_mate *m, unsigned worker, unsigned workers, struct split_mate_job *job)
{
    struct split_mate_node *root = &m->nodes[0];
    if (is_settled(root) || m->dry[worker] == m->changes) return false;
    if (root->count == 0 || (workers >= ANCHOR_WORKERS && root->holders == 0 && is_anchor(m, worker))) {
        hand_out(m, 0, worker, &(struct limits){SPLIT_MATE_INFINITE, SPLIT_MATE_INFINITE}, job);
        return true;
    }
    struct limits limits;
    uint32_t leaf = choose_leaf(m, worker, &limits);
    if (leaf == UINT32_MAX) {
        uint32_t held = largest_held(m);
        if (held != UINT32_MAX && expand(m, held, NULL)) {
            renumber_from(m, held);
            leaf = choose_leaf(m, worker, &limits);
        }
    }
    if (leaf == UINT32_MAX) {
        m->dry[worker] = m->changes;
        return false;
    }
    hand_out(m, leaf, worker, &limits, job);
    return true;
}

/* ---- results ---------------------------------------------------------------------------------------------------- */

void split_mate_adopt(struct split_mate *m, unsigned worker)
{
    m->nodes[0].holders++;
    m->nodes[0].home = (uint16_t)(worker + 1);
    if (m->jobs++ == 0) m->plain = worker;
}

void split_mate_forget_opinions(struct split_mate *m)
{
    for (uint32_t i = 0; i < m->used; i++) m->nodes[i].opinion = 0;
    m->changes++;
}

void split_mate_release(struct split_mate *m, uint32_t node)
{
    m->changes++;
    assert(node < m->used && m->nodes[node].holders > 0);
    m->nodes[node].holders--;
}

void split_mate_unknown(struct split_mate *m, uint32_t node, unsigned worker, unsigned workers,
                        const struct split_mate_report *report)
{
    struct split_mate_node *n = &m->nodes[node];
    n->effort += report->nodes;
    n->home = (uint16_t)(worker + 1);
    bool used_up = report->nodes >= m->nodes_first << (n->tries < BUDGET_DOUBLINGS ? n->tries : BUDGET_DOUBLINGS);
    if (used_up && n->tries < UINT8_MAX) n->tries++;
    if (is_settled(n) || n->count) return;
    n->pn = open_number(report->pn);
    n->dn = open_number(report->dn);
    bool ripe = node == 0 ? workers > 1 : n->tries >= EXPAND_TRIES;
    if (ripe) (void)expand(m, node, report);
    renumber_from(m, node);
}

static void settled(struct split_mate *m, uint32_t node, Hand hand, uint32_t plies)
{
    struct position pos;
    position_of(m, node, &pos);
    if (plies || m->plies_max == SPLIT_MATE_PLIES_MAX) share(m, pos.board_key, hand, plies);
    renumber_from(m, node);
}

/* Only the longest of the defences is ever shown: lines of shorter ones need not be kept. */
static bool line_is_wanted(const struct split_mate *m, uint32_t node, uint32_t plies)
{
    if (node == 0) return true;
    const struct split_mate_node *p = &m->nodes[m->nodes[node].parent];
    for (uint32_t i = p->first; i < p->first + p->count; i++) {
        const struct split_mate_node *c = &m->nodes[i];
        if (i != node && c->pn == 0 && c->plies >= plies && c->line_count) return false;
    }
    return true;
}

/* Two workers must say the same. */
static bool is_agreed(struct split_mate *m, struct split_mate_node *n, unsigned worker, bool certain, bool mate)
{
    if (certain || (n->opinion && n->opinion != worker + 1 && n->opinion_mate == mate)) return true;
    if (n->opinion && n->opinion != worker + 1) m->contradictions++;
    n->opinion = (uint16_t)(worker + 1);
    n->opinion_mate = mate;
    return false;
}

void split_mate_proved(struct split_mate *m, uint32_t node, unsigned worker, bool certain, const Move *line,
                       uint32_t plies, Hand hand)
{
    struct split_mate_node *n = &m->nodes[node];
    if (is_settled(n) || plies > plies_left(m, n) || !is_agreed(m, n, worker, certain, true)) return;
    n->count = 0; /* what was below is of no use any more */
    set_proved(n, plies);
    if (line_is_wanted(m, node, plies) && m->line_moves + plies <= SPLIT_MATE_LINES_MAX) {
        n->line_at = m->line_moves;
        n->line_count = plies;
        memcpy(m->lines + n->line_at, line, plies * sizeof *line);
        m->line_moves += plies;
    }
    settled(m, node, hand, plies);
}

void split_mate_refuted(struct split_mate *m, uint32_t node, unsigned worker, bool certain, Hand hand)
{
    struct split_mate_node *n = &m->nodes[node];
    if (is_settled(n) || !is_agreed(m, n, worker, certain, false)) return;
    n->count = 0;
    set_refuted(n);
    settled(m, node, hand, 0);
}

/* ---- the line --------------------------------------------------------------------------------------------------- */

/* The proved child that the side to move prefers. */
static uint32_t best_child(const struct split_mate *m, const struct split_mate_node *n)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t i = n->first; i < n->first + n->count; i++) {
        const struct split_mate_node *c = &m->nodes[i];
        if (c->pn != 0) continue;
        if (best == UINT32_MAX || (n->attack ? c->plies < m->nodes[best].plies : c->plies > m->nodes[best].plies))
            best = i;
        else if (c->plies == m->nodes[best].plies && c->line_count && !m->nodes[best].line_count)
            best = i;
    }
    return best;
}

size_t split_mate_line(struct split_mate *m, Move *line)
{
    uint32_t at = 0;
    size_t count = 0;
    assert(split_mate_is_proved(m));
    while (m->nodes[at].count) {
        at = best_child(m, &m->nodes[at]);
        line[count++] = m->nodes[at].move;
    }
    const struct split_mate_node *n = &m->nodes[at];
    if (!n->attack) return count; /* a check without an answer */
    if (n->line_count) {
        memcpy(line + count, m->lines + n->line_at, n->line_count * sizeof *line);
        return count + n->line_count;
    }
    m->nodes[at].pn = m->nodes[at].dn = 1;
    m->line_moves = 0; /* the lines kept so far were none that are needed now */
    for (uint32_t i = 0; i < m->used; i++) m->nodes[i].line_count = 0;
    m->shared_count = 0;
    memset(m->shared, 0, sizeof m->shared);
    renumber_from(m, at);
    return 0;
}
