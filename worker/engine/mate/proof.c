#include "worker/engine/mate/proof.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/shogi/movegen.h"
#include "worker/engine/mate/mate_moves.h"

enum { SEEN_BITS_MIN = 12, CHECKS_PER_POLL = 256 };

struct seen { /* a position that has been replayed: mate within `plies`. 0 plies = free slot (no defender node is
                 stored) */
    uint64_t board_key;
    Hand hand;
    uint32_t plies;
    Move move;
};

struct step { /* one position on the way down */
    struct undo undo;
    size_t move_first, move_next, move_end; /* defender: moves still to be answered */
    Move move;                              /* attacker: the check played */
    int plies;
};

struct proof {
    struct mate_table *table;
    struct dfpn *search;
    const struct dfpn_order *order; /* of the running replay */
    struct position pos;
    Color attacker;
    struct seen *seen;
    size_t seen_count;
    unsigned seen_bits;
    struct step *steps;
    Move *moves; /* stack of the defender's move lists */
    size_t move_room;
    unsigned checks; /* played, to look at the clock now and then */
};

struct proof *proof_new(struct mate_table *table, struct dfpn *search)
{
    struct proof *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->table = table;
    p->search = search;
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
    if (p->seen_count * 2 >= (size_t)1 << p->seen_bits && !seen_grow(p)) return false;
    struct seen *slot = seen_slot(p, p->pos.board_key, p->pos.hand[p->attacker]);
    if (slot->plies == 0) p->seen_count++;
    if (slot->plies == 0 || (int)slot->plies > plies)
        *slot = (struct seen){p->pos.board_key, p->pos.hand[p->attacker], (uint32_t)plies, move};
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

/* Plays the check chosen at steps[depth] and lists the defences. */
static bool step_check(struct proof *p, size_t depth, size_t move_first)
{
    struct step *at = &p->steps[depth], *defence = at + 1;
    if (++p->checks % CHECKS_PER_POLL == 0 && dfpn_poll(p->search)) return false;
    at->move = find_check(p, at->plies, depth == 0);
    if (at->move == MOVE_NONE) return false;
    assert(position_gives_check(&p->pos, at->move));
    if (!moves_room(p, move_first)) return false;
    position_do(&p->pos, at->move, &defence->undo);
    size_t count = movegen_legal(&p->pos, p->moves + move_first);
    defence->plies = at->plies - 1;
    defence->move_first = defence->move_next = move_first;
    defence->move_end = move_first + count;
    return count == 0 || defence->plies >= 2;
}

bool proof_replay(struct proof *p, const struct position *root, const struct dfpn_order *order, uint64_t *size)
{
    p->pos = *root;
    p->order = order;
    p->attacker = root->side;
    seen_clear(p);
    p->steps[0].plies = order->plies;
    size_t depth = 0; /* even: attacker to move */
    bool good = step_check(p, 0, 0);
    if (good) depth = 1;
    while (good && depth > 0) {
        struct step *defence = &p->steps[depth];
        if (defence->move_next == defence->move_end) { /* every defence is answered */
            position_undo(&p->pos, &defence->undo);
            struct step *attack = defence - 1;
            good = seen_add(p, attack->plies, attack->move);
            if (depth > 1) position_undo(&p->pos, &attack->undo);
            depth = depth > 1 ? depth - 2 : 0;
            continue;
        }
        struct step *attack = defence + 1;
        position_do(&p->pos, p->moves[defence->move_next++], &attack->undo);
        const struct seen *known = seen_slot(p, p->pos.board_key, p->pos.hand[p->attacker]);
        if (known->plies != 0 && (int)known->plies <= defence->plies - 1) {
            position_undo(&p->pos, &attack->undo);
            continue;
        }
        /* Ask for no more than the table can give: shorter claims make more positions equal. */
        attack->plies = defence->plies - 1;
        int known_plies = claimed(p, attack->plies, NULL);
        if (known_plies < attack->plies) attack->plies = known_plies;
        good = step_check(p, depth + 1, defence->move_end);
        if (good) depth += 2;
    }
    *size = p->seen_count;
    if (!good) seen_clear(p);
    p->order = NULL;
    return good;
}

Move proof_move(const struct proof *p, const struct position *pos, int *plies)
{
    const struct seen *known = seen_slot(p, pos->board_key, pos->hand[p->attacker]);
    *plies = (int)known->plies;
    return known->plies != 0 && pos->side == p->attacker ? known->move : MOVE_NONE;
}

/* ---- the line -----------------------------------------------------------------------------------------------------
 */

struct defence {
    Move move;
    int plies_refuted, plies_proved;
};

/* The defence after which the mate takes longest. `plies`: within which it mates from here. */
static Move pick_defence(struct proof *p, int plies, bool exact)
{
    Move moves[MOVES_MAX];
    struct defence list[MOVES_MAX];
    size_t count = movegen_legal(&p->pos, moves);
    size_t longest = 0;
    for (size_t i = 0; i < count; i++) {
        struct undo undo;
        position_do(&p->pos, moves[i], &undo);
        list[i].move = moves[i];
        mate_table_bounds(p->table, p->pos.board_key, p->pos.hand[p->attacker], &list[i].plies_refuted,
                          &list[i].plies_proved);
        const struct seen *known = seen_slot(p, p->pos.board_key, p->pos.hand[p->attacker]);
        if (known->plies != 0 && (int)known->plies < list[i].plies_proved) list[i].plies_proved = (int)known->plies;
        position_undo(&p->pos, &undo);
        if (list[i].plies_proved > plies - 1) list[i].plies_proved = plies - 1;
        if (list[i].plies_proved > list[longest].plies_proved) longest = i;
    }
    if (!exact) return count > 0 ? list[longest].move : MOVE_NONE;
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

size_t proof_line(struct proof *p, const struct position *root, int plies, bool exact, Move *line)
{
    p->pos = *root;
    p->attacker = root->side;
    size_t count = 0;
    while (plies > 0) {
        struct undo undo;
        const struct seen *known = seen_slot(p, p->pos.board_key, p->pos.hand[p->attacker]);
        Move move = known->plies != 0 && (int)known->plies <= plies ? known->move : find_check(p, plies, false);
        if (!exact && known->plies != 0 && (int)known->plies < plies) plies = (int)known->plies;
        if (move == MOVE_NONE) return 0;
        line[count++] = move;
        position_do(&p->pos, move, &undo);
        if (!position_has_legal_move(&p->pos)) return count;
        plies--;
        move = pick_defence(p, plies, exact);
        if (move == MOVE_NONE) return 0;
        line[count++] = move;
        position_do(&p->pos, move, &undo);
        plies--;
    }
    return 0;
}
