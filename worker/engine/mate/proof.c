#include "worker/engine/mate/proof.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/shogi/movegen.h"
#include "worker/engine/mate/mate_moves.h"

enum { SEEN_BITS_MIN = 12, CHECKS_PER_POLL = 256 };

struct seen { /* an attacker position that has been replayed */
    uint64_t board_key;
    Hand hand;
    uint16_t plies; /* the deepest line of its proof; 0 = free slot */
    Move move;
    bool counted; /* by the second pass */
};

struct step { /* one position on the way down */
    struct undo undo;
    size_t move_first, move_next, move_end; /* defender: moves still to be answered */
    Move move;                              /* attacker: the check played */
    int plies;                              /* it mates within so many */
    int deepest;                            /* defender: plies of the longest defence answered so far */
};

struct proof {
    struct mate_table *table;
    struct dfpn *search;
    const struct dfpn_order *order; /* of the running replay */
    struct position pos;
    Color attacker;
    struct seen *seen;
    size_t seen_count, positions_max;
    unsigned seen_bits;
    struct step *steps;
    Move *moves; /* stack of the defender's move lists */
    size_t move_room;
    unsigned checks; /* played, to look at the clock now and then */
    bool revised;    /* a position got a shorter proof after its length had been used */
    bool counting;   /* the proof is complete; a second pass counts its plies */
};

struct proof *proof_new(struct mate_table *table, struct dfpn *search, size_t positions_max)
{
    struct proof *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->table = table;
    p->search = search;
    p->positions_max = positions_max;
    p->seen_bits = SEEN_BITS_MIN;
    p->seen = calloc((size_t)1 << p->seen_bits, sizeof *p->seen);
    p->steps = malloc((MATE_PLIES_MAX + 2) * sizeof *p->steps);
    p->move_room = 16 * MOVES_MAX;
    p->moves = malloc(p->move_room * sizeof *p->moves);
    if (!p->seen || !p->steps || !p->moves) {
        proof_free(p);
        return NULL;
    }
    return p;
}

void proof_free(struct proof *p)
{
    if (!p) return;
    free(p->seen);
    free(p->steps);
    free(p->moves);
    free(p);
}

/* ---- positions already replayed -----------------------------------------------------------------------------------
 */

static struct seen *seen_slot(const struct proof *p, uint64_t board_key, Hand hand)
{
    size_t mask = ((size_t)1 << p->seen_bits) - 1;
    size_t slot = (board_key ^ (hand * 0x9e3779b97f4a7c15u) >> 20) & mask;
    while (p->seen[slot].plies != 0 && (p->seen[slot].board_key != board_key || p->seen[slot].hand != hand))
        slot = (slot + 1) & mask;
    return &p->seen[slot];
}

static bool seen_grow(struct proof *p)
{
    struct seen *old = p->seen;
    size_t old_size = (size_t)1 << p->seen_bits;
    struct seen *grown = calloc(old_size * 2, sizeof *grown);
    if (!grown) return false;
    p->seen = grown;
    p->seen_bits++;
    for (size_t i = 0; i < old_size; i++)
        if (old[i].plies != 0) *seen_slot(p, old[i].board_key, old[i].hand) = old[i];
    free(old);
    return true;
}

static bool seen_add(struct proof *p, int plies, Move move)
{
    bool full = p->seen_count * 2 >= (size_t)1 << p->seen_bits;
    if (full && (p->seen_count >= p->positions_max || !seen_grow(p))) {
        dfpn_leave(p->search, MATE_END_MEMORY);
        return false;
    }
    struct seen *slot = seen_slot(p, p->pos.board_key, p->pos.hand[p->attacker]);
    if (slot->plies == 0)
        p->seen_count++;
    else
        p->revised = true;
    /* A position may come again below itself, where it must mate in fewer plies. That proof stays: with the longer one,
     * found for the upper place, the proof would run in a circle. */
    if (slot->plies != 0 && slot->plies <= plies && !p->counting) return true;
    *slot = (struct seen){p->pos.board_key, p->pos.hand[p->attacker], (uint16_t)plies, move, p->counting};
    return true;
}

static void seen_clear(struct proof *p)
{
    if (p->seen_bits > 16) { /* give a large one back */
        struct seen *small = calloc((size_t)1 << SEEN_BITS_MIN, sizeof *small);
        if (small) {
            free(p->seen);
            p->seen = small;
            p->seen_bits = SEEN_BITS_MIN;
            p->seen_count = 0;
            return;
        }
    }
    memset(p->seen, 0, ((size_t)1 << p->seen_bits) * sizeof *p->seen);
    p->seen_count = 0;
}

/* ---- the attacker's moves -----------------------------------------------------------------------------------------
 */

/* Plies within which the table claims a mate here; PLIES_NONE if it does not. */
static int claimed(struct proof *p, int plies, Move *move)
{
    struct mate_hit hit;
    mate_table_get(p->table, p->pos.board_key, p->pos.hand[p->attacker], plies, 0, &hit);
    if (hit.pn != 0 || hit.dn != MATE_INFINITE) return PLIES_NONE;
    if (move) *move = hit.move;
    return hit.plies;
}

static int claimed_after(struct proof *p, Move move, int plies)
{
    struct undo undo;
    position_do(&p->pos, move, &undo);
    int found = position_has_legal_move(&p->pos) ? claimed(p, plies, NULL) : 0;
    position_undo(&p->pos, &undo);
    return found;
}

/* A check of the list after which the table claims a mate within plies - 1, as short as it knows; else MOVE_NONE. */
static Move pick_check(struct proof *p, const Move *moves, size_t count, int plies)
{
    Move stored = MOVE_NONE;
    claimed(p, plies, &stored);
    Move best = MOVE_NONE;
    int best_plies = PLIES_NONE;
    for (size_t i = 0; i < count; i++) {
        if (moves[i] != stored) continue;
        best_plies = claimed_after(p, stored, plies - 1);
        if (best_plies <= plies - 1) return stored;
    }
    for (size_t i = 0; i < count; i++) {
        int found = claimed_after(p, moves[i], plies - 1);
        if (found < best_plies) {
            best_plies = found;
            best = moves[i];
        }
    }
    return best_plies <= plies - 1 ? best : MOVE_NONE;
}

/* A check of the list that mates within `plies`, found by asking for each one. */
static Move ask_checks(struct proof *p, const Move *moves, size_t count, int plies)
{
    struct dfpn_order order = {.attack = false, .plies = plies - 1};
    for (size_t i = 0; i < count; i++) {
        struct position after = p->pos;
        struct undo undo;
        position_do(&after, moves[i], &undo);
        if (dfpn_search(p->search, &after, &order).pn == 0) return moves[i];
    }
    return MOVE_NONE;
}

/* A check that mates within `plies` by the table, searched again when the table has lost it. At the root only some
 * moves may be allowed. */
static Move find_check(struct proof *p, int plies, bool is_root)
{
    bool restricted = is_root && p->order->first_moves;
    if (!restricted && claimed(p, plies, NULL) == PLIES_NONE) {
        struct dfpn_order order = {.attack = true, .plies = plies};
        if (dfpn_search(p->search, &p->pos, &order).pn != 0) return MOVE_NONE;
    }
    Move moves[MOVES_MAX];
    size_t count = mate_moves_checks(&p->pos, moves);
    if (restricted) count = dfpn_keep_first_moves(p->order, moves, count);
    if (count == 0) return MOVE_NONE;
    Move move = pick_check(p, moves, count, plies);
    return move != MOVE_NONE ? move : ask_checks(p, moves, count, plies);
}

/* ---- replay -------------------------------------------------------------------------------------------------------
 */

static bool moves_room(struct proof *p, size_t first)
{
    if (first + MOVES_MAX <= p->move_room) return true;
    Move *grown = realloc(p->moves, 2 * p->move_room * sizeof *grown);
    if (!grown) return false;
    p->moves = grown;
    p->move_room *= 2;
    return true;
}

/* Plays steps[depth].move and lists the defences. */
static bool step_check(struct proof *p, size_t depth, size_t move_first)
{
    struct step *at = &p->steps[depth], *defence = at + 1;
    assert(position_gives_check(&p->pos, at->move));
    if (!moves_room(p, move_first)) {
        dfpn_leave(p->search, MATE_END_MEMORY);
        return false;
    }
    position_do(&p->pos, at->move, &defence->undo);
    size_t count = movegen_legal(&p->pos, p->moves + move_first);
    defence->plies = at->plies - 1;
    defence->deepest = 0;
    defence->move_first = defence->move_next = move_first;
    defence->move_end = move_first + count;
    return count == 0 || defence->plies >= 2;
}

/* Chooses the check of steps[depth]. */
static bool choose(struct proof *p, size_t depth)
{
    struct step *at = &p->steps[depth];
    if (++p->checks % CHECKS_PER_POLL == 0 && dfpn_poll(p->search)) return false;
    if (p->counting) {
        const struct seen *known = seen_slot(p, p->pos.board_key, p->pos.hand[p->attacker]);
        at->move = known->move;
        at->plies = known->plies;
        return known->plies != 0;
    }
    /* Ask for no more than the table can give: shorter claims make more positions equal. */
    int known_plies = claimed(p, at->plies, NULL);
    if (known_plies < at->plies) at->plies = known_plies;
    at->move = find_check(p, at->plies, depth == 0);
    return at->move != MOVE_NONE;
}

static void answered(struct step *defence, int plies)
{
    if (defence->deepest < plies + 1) defence->deepest = plies + 1;
}

/* Every defence against the check of steps[depth] is answered: takes it back, and the defence before it. */
static bool finish(struct proof *p, size_t depth)
{
    struct step *attack = &p->steps[depth], *defence = attack + 1;
    int plies = defence->deepest + 1;
    position_undo(&p->pos, &defence->undo);
    if (!seen_add(p, plies, attack->move)) return false;
    if (depth == 0) return true;
    answered(attack - 1, plies);
    position_undo(&p->pos, &attack->undo);
    return true;
}

static bool is_done(const struct proof *p, const struct seen *known, int plies)
{
    return known->plies != 0 && (p->counting ? known->counted : known->plies <= plies);
}

/* One pass over the whole proof. */
static bool replay(struct proof *p, const struct position *root, int plies)
{
    p->pos = *root;
    p->steps[0].plies = plies;
    if (!choose(p, 0) || !step_check(p, 0, 0)) return false;
    for (size_t depth = 0;;) { /* of the attacker position whose check is being answered */
        struct step *defence = &p->steps[depth + 1], *attack = defence + 1;
        if (defence->move_next == defence->move_end) {
            if (!finish(p, depth)) return false;
            if (depth == 0) return true;
            depth -= 2;
            continue;
        }
        position_do(&p->pos, p->moves[defence->move_next++], &attack->undo);
        const struct seen *known = seen_slot(p, p->pos.board_key, p->pos.hand[p->attacker]);
        if (is_done(p, known, defence->plies - 1)) {
            answered(defence, known->plies);
            position_undo(&p->pos, &attack->undo);
            continue;
        }
        attack->plies = defence->plies - 1;
        assert(depth + 3 < MATE_PLIES_MAX + 2); /* each step down mates in fewer plies */
        if (!choose(p, depth + 2) || !step_check(p, depth + 2, defence->move_end)) return false;
        depth += 2;
    }
}

bool proof_replay(struct proof *p, const struct position *root, const struct dfpn_order *order, int *plies)
{
    p->order = order;
    p->attacker = root->side;
    p->revised = p->counting = false;
    seen_clear(p);
    bool good = replay(p, root, order->plies);
    if (good && p->revised) { /* lengths that were used too early are too large now */
        p->counting = true;
        good = replay(p, root, order->plies);
    }
    if (!good) seen_clear(p);
    p->order = NULL;
    if (good) proof_move(p, root, plies);
    return good;
}

size_t proof_size(const struct proof *p) { return p->seen_count; }

Move proof_move(const struct proof *p, const struct position *pos, int *plies)
{
    const struct seen *known = seen_slot(p, pos->board_key, pos->hand[p->attacker]);
    *plies = (int)known->plies;
    return known->plies != 0 && pos->side == p->attacker ? known->move : MOVE_NONE;
}

/* ---- the line -----------------------------------------------------------------------------------------------------
 */

/* The defence of the proof after which its line is longest. */
static Move pick_longest(struct proof *p)
{
    Move moves[MOVES_MAX], longest = MOVE_NONE;
    size_t count = movegen_legal(&p->pos, moves);
    int plies_max = 0;
    for (size_t i = 0; i < count; i++) {
        struct undo undo;
        position_do(&p->pos, moves[i], &undo);
        int plies = seen_slot(p, p->pos.board_key, p->pos.hand[p->attacker])->plies;
        position_undo(&p->pos, &undo);
        if (plies <= plies_max) continue;
        plies_max = plies;
        longest = moves[i];
    }
    return longest;
}

struct defence {
    Move move;
    int plies_refuted, plies_proved;
};

static struct defence look_at(struct proof *p, Move move)
{
    struct defence d = {.move = move};
    struct undo undo;
    position_do(&p->pos, move, &undo);
    uint64_t key = p->pos.board_key;
    Hand hand = p->pos.hand[p->attacker];
    mate_table_bounds(p->table, key, hand, &d.plies_refuted, &d.plies_proved);
    const struct seen *known = seen_slot(p, key, hand);
    if (known->plies != 0 && known->plies < d.plies_proved) d.plies_proved = known->plies;
    position_undo(&p->pos, &undo);
    return d;
}

/* A defence after which no mate within plies - 3 exists, when there is one within plies. */
static Move pick_exact(struct proof *p, int plies)
{
    Move moves[MOVES_MAX];
    struct defence list[MOVES_MAX];
    size_t count = movegen_legal(&p->pos, moves);
    for (size_t i = 0; i < count; i++) list[i] = look_at(p, moves[i]);
    for (size_t i = 0; i < count; i++)
        if (list[i].plies_refuted >= plies - 3 && list[i].plies_proved >= plies - 1) return list[i].move;
    for (size_t i = 0; i < count; i++) {
        if (list[i].plies_proved < plies - 1) continue;
        struct position after = p->pos;
        struct undo undo;
        position_do(&after, list[i].move, &undo);
        struct dfpn_order order = {.attack = true, .plies = plies - 3};
        if (dfpn_search(p->search, &after, &order).dn == 0) return list[i].move;
    }
    return MOVE_NONE;
}

size_t proof_line(struct proof *p, const struct position *root, bool exact, Move *line)
{
    struct undo undo;
    p->pos = *root;
    size_t count = 0;
    int plies = seen_slot(p, p->pos.board_key, p->pos.hand[p->attacker])->plies;
    for (; plies > 0; plies -= 2) {
        const struct seen *known = seen_slot(p, p->pos.board_key, p->pos.hand[p->attacker]);
        Move move = known->plies != 0 && known->plies <= plies ? known->move : find_check(p, plies, false);
        if (move == MOVE_NONE) return 0;
        line[count++] = move;
        position_do(&p->pos, move, &undo);
        if (!position_has_legal_move(&p->pos)) return count;
        move = exact ? pick_exact(p, plies - 1) : pick_longest(p);
        if (move == MOVE_NONE) return 0;
        line[count++] = move;
        position_do(&p->pos, move, &undo);
    }
    return 0;
}
