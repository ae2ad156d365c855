/* mate_node.c - see mate_node.h. */
#include "worker/engine/mate/mate_node.h"

#include <assert.h>

static int plies_plus_one(int plies) { return plies >= PLIES_ENDLESS ? PLIES_ENDLESS : plies + 1; }

static void attack_proved(const struct position *pos, const struct frame *f, const struct child *first,
                          struct result *r)
{
    for (size_t i = 0; i < f->child_count; i++) {
        const struct child *c = &first[i];
        if ((c->flags & CHILD_WAITING) != 0 || c->pn != 0 || c->plies + 1 >= r->plies) continue;
        r->plies = c->plies + 1;
        r->move = c->move;
        r->hand = mate_hand_before(c->hand, c->move, piece_type(pos->board[move_to(c->move)]));
    }
}

static void attack_refuted(const struct position *pos, const struct frame *f, const struct child *first,
                           struct result *r)
{
    r->plies = PLIES_ENDLESS;
    r->hand = f->totals;
    if (f->plies <= 0) {
        r->plies = 0;
        return;
    }
    for (size_t i = 0; i < f->child_count; i++) {
        const struct child *c = &first[i];
        if (plies_plus_one(c->plies) < r->plies) r->plies = plies_plus_one(c->plies);
        if (c->start < r->start) r->start = c->start;
        r->hand = mate_hand_min(r->hand, mate_hand_before(c->hand, c->move, piece_type(pos->board[move_to(c->move)])));
    }
    r->hand &= ~mate_hand_missing(f->hand); /* a kind he does not hold would give him new drops */
}

static void defence_proved(const struct frame *f, const struct child *first, struct result *r)
{
    r->plies = 0;
    r->hand = 0;
    for (size_t i = 0; i < f->child_count; i++) {
        const struct child *c = &first[i];
        if (c->plies + 1 > r->plies) r->plies = c->plies + 1;
        r->hand = mate_hand_max(r->hand, c->hand);
    }
    /* Kinds that the defender lacks and could interpose: he must go on lacking them. */
    if (f->distant) r->hand = mate_hand_max(r->hand, monopoly(f->hand, f->totals));
}

static void defence_refuted(const struct frame *f, const struct child *first, struct result *r)
{
    const struct child *chosen = NULL;
    for (size_t i = 0; i < f->child_count; i++) {
        const struct child *c = &first[i];
        if ((c->flags & CHILD_WAITING) != 0 || c->dn != 0) continue;
        if (!chosen || (c->start == DEPTH_NONE && chosen->start != DEPTH_NONE) ||
            (c->start == chosen->start && c->plies > chosen->plies))
            chosen = c;
    }
    assert(chosen);
    r->plies = plies_plus_one(chosen->plies);
    r->start = chosen->start;
    r->hand = mate_hand_min(chosen->hand, f->totals);
}

struct result conclude(const struct position *pos, const struct frame *f, const struct child *first, int depth,
                       const struct summary *sum)
{
    struct result r = {sum->pn, sum->dn, PLIES_NONE, DEPTH_NONE, f->hand, MOVE_NONE};
    if (r.pn == 0) {
        if (f->attack)
            attack_proved(pos, f, first, &r);
        else
            defence_proved(f, first, &r);
    } else if (r.dn == 0) {
        if (f->attack)
            attack_refuted(pos, f, first, &r);
        else
            defence_refuted(f, first, &r);
        if (r.start >= depth) r.start = DEPTH_NONE; /* the loop closes here: true on every path */
    }
    return r;
}
