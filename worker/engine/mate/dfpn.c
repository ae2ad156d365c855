#include "worker/engine/mate/dfpn.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/shogi/attacks.h"
#include "common/shogi/position_inline.h"
#include "common/shogi/zobrist.h"
#include "worker/engine/engine_clock.h"
#include "worker/engine/mate/depth_set.h"
#include "worker/engine/mate/mate_moves.h"
#include "worker/engine/mate/mate_node.h"

enum {
    FRAMES = MATE_PLIES_MAX + 3,
    NODES_PER_TICK = 1024,
    NODES_PER_FLUSH = 64,
    CROWD_DIVISOR = 2,
    NODES_PER_VIEW = 256, /* between two looks over the whole path, with others about */
    CLAIM_NODES = 64,     /* below a position, before others are told to keep away */
    STEP_DIVISOR = 4, /* a child may get a quarter worse than the second best before that one is tried: fewer returns to
                         the same places (Pawlewicz & Lew 2007) */
    MERGE_STEPS = 16  /* how far back a second way to a position is looked for */
};

enum { PN_OF_HARD_TWIN = 32 }; /* from here on a check without promotion is tried beside the one with it */

/* First guesses. Checks that leave many answers are hard to prove, evasions that allow many checks hard to refute;
 * measured on Edo-era problems, where counting both saves 40 % of the nodes against fixed numbers, and one instead of
 * two for a check another tenth. */
enum { PN_PER_EVASION = 4, DN_OF_CHECK = 2, DN_OF_EVASION = 2, DN_PER_CHECK = 1 };

_Static_assert(DEPTH_SET_SLOTS >= 2 * FRAMES, "the sets of depths stay half empty");

struct dfpn {
    struct mate_table *table;
    struct dfpn_control *control;
    struct position pos;
    struct frame *frames;
    struct child *children; /* stack of the child lists of all frames */
    size_t child_room;
    struct depth_set *path, *places; /* depths of the path, by board key and by place in the table */
    const struct dfpn_order *order;
    Color attacker;
    int depth;
    int inc; /* > 0: in a loop, thresholds are being raised (Kishimoto's threshold control, as a counter) */
    uint64_t nodes, nodes_flushed;
    bool leaving;
    bool view_due; /* it is time to look over the path */
    int return_to; /* what is deeper than that is given up */
    void (*tick)(void *context);
    void *tick_context;
    struct share_ring *ring;
    uint32_t turn; /* of the last look at what is to be claimed */
    const struct mate_pacer *pacer;
    unsigned thread; /* its number for the pacer */
    uint64_t pause_nodes;
};

struct dfpn *dfpn_new(struct mate_table *table, struct dfpn_control *control)
{
    struct dfpn *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->table = table;
    s->control = control;
    s->frames = malloc(FRAMES * sizeof *s->frames);
    s->child_room = 16 * MOVES_MAX;
    s->children = malloc(s->child_room * sizeof *s->children);
    s->path = calloc(1, sizeof *s->path);
    s->places = calloc(1, sizeof *s->places);
    if (!s->frames || !s->children || !s->path || !s->places) {
        dfpn_free(s);
        return NULL;
    }
    return s;
}

void dfpn_free(struct dfpn *s)
{
    if (!s) return;
    free(s->frames);
    free(s->children);
    free(s->path);
    free(s->places);
    free(s);
}

void dfpn_on_tick(struct dfpn *s, void (*tick)(void *context), void *context)
{
    s->tick = tick;
    s->tick_context = context;
}

void dfpn_tell(struct dfpn *s, struct share_ring *ring) { s->ring = ring; }

void dfpn_pace(struct dfpn *s, const struct mate_pacer *pacer, unsigned thread)
{
    s->pacer = pacer;
    s->thread = thread;
    s->pause_nodes = 0;
    s->nodes = s->nodes_flushed = 0;
}

size_t dfpn_line(const struct dfpn *s, Move *line, size_t line_max)
{
    size_t count = s->depth < 0 ? 0 : (size_t)s->depth;
    if (count > line_max) count = line_max;
    for (size_t i = 0; i < count; i++) line[i] = s->frames[i + 1].undo.move;
    return count;
}

static uint64_t mix(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 29;
    return x;
}

static uint32_t clamp_open(uint64_t n) { return n > MATE_OPEN_MAX ? MATE_OPEN_MAX : (uint32_t)n; }

/* ---- control ------------------------------------------------------------------------------------------------------
 */

static void flush_nodes(struct dfpn *s)
{
    atomic_fetch_add_explicit(&s->control->nodes, s->nodes - s->nodes_flushed, memory_order_relaxed);
    s->nodes_flushed = s->nodes;
}

void dfpn_leave(struct dfpn *s, enum mate_end why)
{
    int solved = MATE_END_SOLVED;
    atomic_compare_exchange_strong(&s->control->end, &solved, (int)why);
    s->leaving = true;
}

static void check_stop(struct dfpn *s)
{
    const _Atomic bool *stop = s->control->stop;
    if (stop && atomic_load_explicit(stop, memory_order_relaxed)) dfpn_leave(s, MATE_END_STOP);
}

static void check_clock(struct dfpn *s)
{
    if (s->control->deadline_ns != 0 && engine_clock_ns() >= s->control->deadline_ns) dfpn_leave(s, MATE_END_TIME);
}

/* ---- other workers ------------------------------------------------------------------------------------------------
 */

static void claim(struct dfpn *s, struct frame *f, bool left)
{
    share_offer(s->ring, mate_claim_write(&(struct mate_claim){mate_claim_key(f->board_key, f->hand),
                                                               s->control->share->worker, left}));
    f->claimed = !left;
    f->claim_turn = s->turn;
}

/* Tells where we are and have been for a while: what is left at once is not worth a word. */
static void claim_path(struct dfpn *s)
{
    struct mate_share *share = s->control->share;
    uint32_t turn = atomic_load_explicit(&share->turn, memory_order_relaxed);
    if (turn == s->turn) return;
    s->turn = turn;
    for (int depth = 1; depth <= s->depth; depth++) {
        struct frame *f = &s->frames[depth];
        if (s->nodes - f->nodes_start < CLAIM_NODES) return;
        if (!f->claimed || turn - f->claim_turn >= MATE_CLAIM_TURNS / 2) claim(s, f, false);
    }
}

static void tell(struct dfpn *s, const struct mate_fact *fact)
{
    if (mate_effort(fact->work) < atomic_load_explicit(&s->control->share->gate, memory_order_relaxed)) return;
    share_offer(s->ring, mate_fact_write(fact));
}

/* After each move made. */
static void check_limits(struct dfpn *s)
{
    struct dfpn_control *c = s->control;
    if (s->pacer && s->nodes >= s->pause_nodes)
        s->pause_nodes = s->pacer->pause(s->pacer->context, s->thread, s->nodes);
    if (c->nodes_max != 0) {
        uint64_t all = atomic_load_explicit(&c->nodes, memory_order_relaxed) + (s->nodes - s->nodes_flushed);
        if (all >= c->nodes_max) dfpn_leave(s, MATE_END_NODES);
    }
    if (s->nodes % NODES_PER_FLUSH != 0) return;
    flush_nodes(s);
    if (c->share) claim_path(s);
    if (s->nodes % NODES_PER_VIEW == 0) s->view_due = true;
    if (atomic_load_explicit(&c->settled, memory_order_relaxed)) s->leaving = true;
    if (atomic_load_explicit(&c->end, memory_order_relaxed) != MATE_END_SOLVED) s->leaving = true;
    check_stop(s);
    if (s->nodes % NODES_PER_TICK != 0) return;
    check_clock(s);
    if (s->tick) s->tick(s->tick_context);
}

bool dfpn_poll(struct dfpn *s)
{
    s->leaving = false;
    check_stop(s);
    check_clock(s);
    return s->leaving;
}

/* ---- the path -----------------------------------------------------------------------------------------------------
 */

/* Depth of a path position with this board where the attacker had at least this hand, or DEPTH_NONE. A shortest mate
 * never goes through such a pair: what mates from here would have mated there. */
static int path_find(const struct dfpn *s, uint64_t board_key, Hand hand)
{
    uint64_t at = board_key;
    int found = DEPTH_NONE;
    for (int depth; (depth = depth_set_next(s->path, &at)) >= 0;) {
        const struct frame *f = &s->frames[depth];
        if (f->board_key == board_key && hand_covers(f->hand, hand) && (found == DEPTH_NONE || depth > found))
            found = depth;
    }
    return found;
}

static uint64_t place_hash(uint32_t place) { return (place * 0x9e3779b1u) >> 18; }

static int places_find(const struct dfpn *s, uint32_t place)
{
    uint64_t at = place_hash(place);
    for (int depth; (depth = depth_set_next(s->places, &at)) >= 0;)
        if (s->frames[depth].place == place) return depth;
    return DEPTH_NONE;
}

/* ---- children -----------------------------------------------------------------------------------------------------
 */

static uint64_t board_key_after(const struct position *pos, Move move)
{
    Color us = pos->side;
    Square to = move_to(move);
    uint64_t key = pos->board_key ^ zobrist_side;
    if (move_is_drop(move)) return key ^ zobrist_board[piece_make(us, move_drop_type(move))][to];
    Piece piece = pos->board[move_from(move)];
    Piece placed = move_promotes(move) ? (Piece)(piece | PROMOTED) : piece;
    return key ^ zobrist_board[piece][move_from(move)] ^ zobrist_board[placed][to] ^ zobrist_board[pos->board[to]][to];
}

static uint64_t path_key_after(uint64_t path_key, uint64_t board_key, Hand hand)
{
    return mix(path_key + 0x9e3779b97f4a7c15u) ^ mix(board_key + hand * 0xda942042e4dd58b5u);
}

static void settle(struct child *c, const struct mate_hit *hit)
{
    c->pn = hit->pn;
    c->dn = hit->dn;
    c->hand = hit->hand;
    c->plies = (uint16_t)hit->plies;
    c->start = DEPTH_NONE;
}

/* First look at a position that the table does not know: mates and positions without a check are settled at once, of
 * the others the side to move's choices are counted. */
static void look_ahead(struct dfpn *s, const struct frame *f, struct child *c)
{
    struct position *pos = &s->pos;
    struct mate_guess guess = {PN_PER_EVASION, DN_OF_CHECK};
    if (!f->attack) guess = mate_moves_guess_evasion(pos, c->move);
    struct undo undo;
    position_do(pos, c->move, &undo);
    Hand totals = pos->hand[BLACK] + pos->hand[WHITE];
    if (f->attack) {
        struct mate_mobility m = mate_moves_mobility(pos);
        guess.pn = m.count * PN_PER_EVASION;
        if (m.count == 0) {
            guess = (struct mate_guess){0, MATE_INFINITE};
            c->plies = 0;
            c->hand = m.distant ? monopoly(c->hand, totals) : 0;
        } else if (m.without_drop && f->plies <= 1) {
            guess = (struct mate_guess){MATE_INFINITE, 0};
            c->plies = 1;
            c->hand = totals;
        }
    } else {
        Move moves[MOVES_MAX];
        uint32_t count = (uint32_t)mate_moves_checks(pos, moves);
        guess.dn = DN_OF_EVASION + count * DN_PER_CHECK;
        if (count == 0) {
            guess = (struct mate_guess){MATE_INFINITE, 0};
            c->plies = PLIES_ENDLESS;
            c->hand = totals & ~mate_hand_missing(c->hand);
        }
    }
    position_undo(pos, &undo);
    c->pn = guess.pn;
    c->dn = guess.dn;
}

/* What path and table know about a child, else a first guess. */
static void look_up(struct dfpn *s, const struct frame *f, struct child *c)
{
    int depth = f->depth_min + 1, plies = f->plies - 1;
    c->flags &= (uint8_t)~CHILD_WAITING;
    int start = path_find(s, c->board_key, c->hand);
    if (start != DEPTH_NONE) {
        c->pn = MATE_INFINITE;
        c->dn = 0;
        c->plies = PLIES_ENDLESS;
        c->start = (uint16_t)start;
        return; /* c->hand: narrower than it could be, never wrong */
    }
    struct mate_hit hit;
    mate_table_get(s->table, c->board_key, c->hand, plies, depth, &hit);
    if (hit.pn == 0 && hit.dn == MATE_INFINITE) {
        settle(c, &hit);
        return;
    }
    if (hit.dn == 0 && hit.pn == MATE_INFINITE) {
        settle(c, &hit);
        return;
    }
    int known;
    if (hit.loops &&
        mate_table_get_loop(s->table, path_key_after(f->path_key, c->board_key, c->hand), plies, &known, &start)) {
        c->pn = MATE_INFINITE;
        c->dn = 0;
        c->plies = (uint16_t)known;
        c->start = (uint16_t)start;
        return;
    }
    if (hit.pn != 0) {
        c->pn = hit.pn;
        c->dn = hit.dn;
    } else {
        c->flags |= CHILD_FRESH;
        look_ahead(s, f, c);
        if (is_settled(c)) return;
        if (s->order->seed != 0) {
            uint64_t noise = mix(c->board_key ^ s->order->seed);
            c->pn += noise & 1;
            c->dn += noise >> 1 & 1;
        }
    }
    if (hit.old) c->flags |= CHILD_OLD;
    if (hit.merges) c->flags |= CHILD_MERGES;
    c->place = hit.place;
    if (c->pn < hit.pn_least) c->pn = hit.pn_least;
    if (c->dn < hit.dn_least) c->dn = hit.dn_least;
}

/* Room for the list of one frame more. */
static bool make_room(struct dfpn *s, const struct frame *top)
{
    size_t needed = (top ? top->child_first + top->child_count : 0) + MOVES_MAX;
    if (needed <= s->child_room) return true;
    size_t room = s->child_room * 2;
    while (room < needed) room *= 2;
    struct child *grown = realloc(s->children, room * sizeof *grown);
    if (!grown) return false;
    s->children = grown;
    s->child_room = room;
    return true;
}

/* Is it the turn of the next variant? Mostly a check mates with promotion or not at all. Where it is the other way
 * round, waiting until the promotion is refuted may take a hundred times as long as the mate. */
static bool calls_variant(const struct dfpn *s, const struct frame *f, const struct child *c)
{
    if (c->variant == NO_CHILD) return false;
    const struct child *next = s->children + f->child_first + c->variant;
    if ((next->flags & CHILD_WAITING) == 0) return false;
    return f->attack ? c->pn >= PN_OF_HARD_TWIN : c->pn == 0;
}

/* Looks up a child, and its variants while it is their turn. Is the frame settled by one of them? */
static bool look_up_chain(struct dfpn *s, const struct frame *f, struct child *c)
{
    struct child *first = s->children + f->child_first;
    for (;;) {
        look_up(s, f, c);
        bool good = f->attack ? c->pn == 0 : c->dn == 0;
        if (good || !calls_variant(s, f, c)) return good;
        struct child *next = &first[c->variant];
        if (!is_settled(c)) { /* the two are refuted in much the same way: counted once */
            c->flags |= CHILD_MERGES;
            next->flags |= CHILD_MERGES;
        }
        c = next;
    }
}

/* The child was reached before by another way. Where do the two ways part? There its number must not be counted twice.
 */
static void find_merge(struct dfpn *s, const struct child *c)
{
    uint32_t place = mate_table_parent(s->table, c->place), below = c->place;
    if (place == s->frames[s->depth].place) return;
    for (int steps = 0; place != 0 && steps < MERGE_STEPS; steps++) {
        int depth = places_find(s, place);
        if (depth != DEPTH_NONE) {
            struct frame *f = &s->frames[depth];
            struct child *first = s->children + f->child_first;
            if (depth == s->depth || first[f->chosen].place == below) return;
            for (size_t i = 0; i < f->child_count; i++) {
                if (first[i].place != below || i == f->chosen) continue;
                struct child *both[2] = {&first[i], &first[f->chosen]};
                for (size_t j = 0; j < 2; j++) {
                    if ((both[j]->flags & CHILD_MERGES) != 0) continue;
                    both[j]->flags |= CHILD_MERGES;
                    if (!is_settled(both[j])) mate_table_mark(s->table, both[j]->board_key, both[j]->hand);
                }
                break;
            }
            return;
        }
        below = place;
        place = mate_table_parent(s->table, place);
    }
}

size_t dfpn_keep_first_moves(const struct dfpn_order *order, Move *moves, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < order->first_move_count; j++)
            if (moves[i] == order->first_moves[j]) {
                moves[kept++] = moves[i];
                break;
            }
    return kept;
}

/* Lists the moves of the top frame and looks them up until one settles it. There must be room for MOVES_MAX children
 * more. */
static void expand(struct dfpn *s)
{
    struct frame *f = &s->frames[s->depth];
    const struct position *pos = &s->pos;
    f->child_first = s->depth == 0 ? 0 : f[-1].child_first + f[-1].child_count;
    f->child_count = 0;
    if (f->attack && f->plies <= 0) return;
    struct child *first = s->children + f->child_first;

    Move moves[MOVES_MAX];
    size_t count = f->attack ? mate_moves_checks(pos, moves) : mate_moves_evasions(pos, moves);
    if (s->depth == 0 && s->order->first_moves) count = dfpn_keep_first_moves(s->order, moves, count);
    for (size_t i = 0; i < count; i++) {
        struct child *c = &first[i];
        *c = (struct child){.move = moves[i], .variant = NO_CHILD, .start = DEPTH_NONE, .flags = CHILD_WAITING};
        c->board_key = board_key_after(pos, moves[i]);
        c->hand = f->attack ? mate_hand_after(f->hand, moves[i], piece_type(pos->board[move_to(moves[i])])) : f->hand;
        if (!f->attack && move_is_drop(moves[i])) c->flags |= CHILD_MERGES; /* interposed pieces are taken alike */
        if (i > 0 && mate_moves_is_variant(pos, moves[i - 1], moves[i], !f->attack)) {
            c->flags |= CHILD_VARIANT | (first[i - 1].flags & CHILD_MERGES);
            first[i - 1].variant = (uint16_t)i;
        } else {
            mate_table_prefetch(s->table, c->board_key);
        }
    }
    f->child_count = count;
    bool settled = false;
    for (size_t i = 0; i < count && !settled; i++)
        if ((first[i].flags & CHILD_VARIANT) == 0) settled = look_up_chain(s, f, &first[i]);
    if (!settled)
        for (size_t i = 0; i < count; i++)
            if (first[i].place != 0 && (first[i].flags & CHILD_WAITING) == 0 && !is_settled(&first[i]))
                find_merge(s, &first[i]);
}

/* ---- numbers ------------------------------------------------------------------------------------------------------
 */

static _Atomic uint8_t *busy_slot(const struct dfpn *s, uint64_t board_key, Hand hand)
{
    return &s->control->busy[mate_claim_key(board_key, hand) % DFPN_BUSY_SLOTS];
}

/* How many threads, and other workers, are below a position; a guess, different positions may share a slot. */
static uint32_t crowd_at(const struct dfpn *s, uint64_t board_key, Hand hand)
{
    uint32_t count = 0;
    if (s->control->busy) count = atomic_load_explicit(busy_slot(s, board_key, hand), memory_order_relaxed);
    if (s->control->share) count += mate_share_others(s->control->share, mate_claim_key(board_key, hand));
    return count;
}

static uint32_t crowd_below(const struct dfpn *s, const struct child *c) { return crowd_at(s, c->board_key, c->hand); }

/* Are others below the top frame, or were they when it was looked at last? If not, then not below its children either,
 * but for those who came there by another way. */
static bool is_crowded(const struct dfpn *s, struct frame *f)
{
    uint32_t itself = f->marked;
    bool before = f->crowded;
    f->crowded = s->depth == 0 || crowd_at(s, f->board_key, f->hand) > itself;
    return f->crowded || before;
}

static void mark_busy(const struct dfpn *s, struct frame *f, int change)
{
    f->marked = change > 0;
    atomic_fetch_add_explicit(busy_slot(s, f->board_key, f->hand), (uint8_t)change, memory_order_relaxed);
}

/* The number by which a child is chosen: worse with every thread that works on it already. */
static uint32_t crowded(uint32_t phi, uint32_t threads)
{
    if (threads == 0 || phi == 0 || phi == MATE_INFINITE) return phi;
    return clamp_open((uint64_t)phi + (uint64_t)threads * (phi / CROWD_DIVISOR + 1));
}

/* `own`: the child that this thread is below, NO_CHILD if none; `company`: others may be about. */
ALWAYS_INLINE void summarize_inline(const struct dfpn *s, const struct frame *f, bool company, size_t own,
                                    struct summary *sum)
{
    const struct child *first = s->children + f->child_first;
    uint32_t phi = MATE_INFINITE, chosen = MATE_INFINITE, second = MATE_INFINITE, delta_best = 0;
    uint64_t delta_sum = 0;
    uint32_t delta_max = 0, delta_max_second = 0;
    size_t best = 0, max_index = NO_CHILD;
    for (size_t i = 0; i < f->child_count; i++) {
        const struct child *c = &first[i];
        if ((c->flags & CHILD_WAITING) != 0) continue;
        uint32_t p = child_phi(f, c), d = child_delta(f, c);
        if (p < phi) phi = p;
        uint32_t crowd = company ? crowd_below(s, c) : 0;
        uint32_t rank = crowded(p, i == own && crowd > 0 ? crowd - f[1].marked : crowd);
        if (rank < chosen || (rank == chosen && rank != MATE_INFINITE && d < delta_best)) {
            second = chosen;
            chosen = rank;
            best = i;
            delta_best = d;
        } else if (rank < second) {
            second = rank;
        }
        if (p == MATE_INFINITE) continue;
        if ((c->flags & CHILD_MERGES) != 0) {
            if (d > delta_max) {
                delta_max_second = delta_max;
                delta_max = d;
                max_index = i;
            } else if (d > delta_max_second) {
                delta_max_second = d;
            }
        } else {
            delta_sum += d;
        }
    }
    uint32_t delta;
    if (phi == 0)
        delta = MATE_INFINITE;
    else if (phi == MATE_INFINITE)
        delta = 0;
    else
        delta = clamp_open(delta_sum + delta_max);
    sum->pn = f->attack ? phi : delta;
    sum->dn = f->attack ? delta : phi;
    sum->best = best;
    sum->second = second;
    bool best_merges = f->child_count > 0 && (first[best].flags & CHILD_MERGES) != 0;
    sum->rest_sum = best_merges ? delta_sum : delta_sum - (phi == 0 || phi == MATE_INFINITE ? 0 : delta_best);
    sum->rest_max = best_merges && max_index == best ? delta_max_second : delta_max;
}

static void summarize_alone(const struct dfpn *s, const struct frame *f, struct summary *sum)
{
    summarize_inline(s, f, false, NO_CHILD, sum);
}

static void summarize(const struct dfpn *s, const struct frame *f, size_t own, struct summary *sum)
{
    summarize_inline(s, f, true, own, sum);
}

static void remember(struct dfpn *s, const struct frame *f, const struct result *r)
{
    uint64_t work = s->nodes - f->nodes_start;
    struct mate_fact fact = {.board_key = f->board_key, .hand = r->hand, .plies = r->plies, .work = work + f->work + 1};
    if (r->pn == 0) {
        mate_table_put_proved(s->table, f->board_key, r->hand, r->plies, r->move, work);
        fact.kind = MATE_FACT_PROVED;
        fact.move = r->move;
    } else if (r->dn != 0) {
        fact.work = 1 + mate_table_put_open(s->table, f->board_key, f->hand, r->pn, r->dn, s->depth, work,
                                            s->depth > 0 ? f[-1].place : 0, &fact.merges);
        fact.kind = MATE_FACT_OPEN;
        fact.pn = r->pn;
        fact.dn = r->dn;
    } else if (r->start == DEPTH_NONE) {
        mate_table_put_refuted(s->table, f->board_key, r->hand, r->plies, work);
        fact.kind = MATE_FACT_REFUTED;
    } else {
        mate_table_put_loop(s->table, f->board_key, f->hand, f->path_key, r->plies > f->plies ? r->plies : f->plies,
                            r->start);
        return; /* of this path alone */
    }
    if (s->control->share) tell(s, &fact);
}

/* ---- the search ---------------------------------------------------------------------------------------------------
 */

static void open_frame(struct dfpn *s, bool attack, int plies)
{
    struct frame *f = &s->frames[s->depth];
    const struct position *pos = &s->pos;
    f->board_key = pos->board_key;
    f->hand = pos->hand[s->attacker];
    f->totals = pos->hand[BLACK] + pos->hand[WHITE];
    f->attack = attack;
    f->plies = plies;
    f->nodes_start = s->nodes;
    f->inc_before = s->inc;
    f->distant = f->claimed = f->marked = f->crowded = false;
    if (!attack && !bb_many(pos->checkers)) {
        Square king = pos->king[pos->side], checker = bb_first(pos->checkers);
        f->distant = !bb_empty(attacks_between(king, checker));
    }
    depth_set_push(s->path, f->board_key, s->depth);
    f->place = mate_table_place(s->table, f->board_key, f->hand, s->depth, &f->depth_min, &f->work);
    depth_set_push(s->places, place_hash(f->place), s->depth);
}

static void close_frame(struct dfpn *s)
{
    struct frame *f = &s->frames[s->depth];
    depth_set_pop(s->path, f->board_key, s->depth);
    depth_set_pop(s->places, place_hash(f->place), s->depth);
    if (f->marked) mark_busy(s, f, -1);
    if (f->claimed && s->control->share) claim(s, f, true);
}

static uint32_t min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* How far the chosen child may go before the frame must look at its children again. */
static void child_limits(const struct frame *f, const struct summary *sum, uint32_t pn_limit, uint32_t dn_limit,
                         const struct child *c, uint32_t *child_pn, uint32_t *child_dn)
{
    uint32_t phi_limit = f->attack ? pn_limit : dn_limit, delta_limit = f->attack ? dn_limit : pn_limit;
    uint64_t step = (uint64_t)sum->second + sum->second / STEP_DIVISOR + 1;
    uint32_t phi = min_u32(phi_limit, step > MATE_INFINITE ? MATE_INFINITE : (uint32_t)step);
    uint32_t least = child_phi(f, c) + 1; /* not the smallest one is chosen when that is crowded */
    if (phi < least) phi = least;
    uint32_t delta = delta_limit;
    if (delta_limit != MATE_INFINITE) {
        uint64_t rest = sum->rest_sum + ((c->flags & CHILD_MERGES) != 0 ? 0 : sum->rest_max);
        delta =
            rest >= delta_limit ? MATE_INFINITE : (uint32_t)(delta_limit - rest); /* >= only when the sum was clamped */
    }
    *child_pn = f->attack ? phi : delta;
    *child_dn = f->attack ? delta : phi;
}

static bool has_old_child(const struct dfpn *s, const struct frame *f)
{
    const struct child *first = s->children + f->child_first;
    for (size_t i = 0; i < f->child_count; i++)
        if ((first[i].flags & (CHILD_OLD | CHILD_WAITING)) == CHILD_OLD && !is_settled(&first[i])) return true;
    return false;
}

static bool has_company(const struct dfpn *s) { return s->control->busy || s->control->share; }

/* ---- with others about --------------------------------------------------------------------------------------------
 */

/* Reads again what the table knows of a child. True: its numbers are others now. A child whose variants come next stays
 * open unless its frame is the top one: these have to be looked up on the board. */
static bool read_again(struct dfpn *s, const struct frame *f, struct child *c, bool on_top)
{
    struct mate_hit hit;
    mate_table_get(s->table, c->board_key, c->hand, f->plies - 1, f->depth_min + 1, &hit);
    if (hit.pn == 0 && hit.dn == 0) return false;
    bool failed = f->attack ? hit.dn == 0 : hit.pn == 0;
    struct child *next = c->variant == NO_CHILD ? NULL : s->children + f->child_first + c->variant;
    if (failed && next && (next->flags & CHILD_WAITING) != 0) {
        if (!on_top) return false;
        settle(c, &hit);
        look_up_chain(s, f, next);
        return true;
    }
    if (hit.pn == 0 || hit.dn == 0) {
        settle(c, &hit);
        return true;
    }
    uint32_t pn = c->pn, dn = c->dn;
    c->pn = hit.pn > hit.pn_least ? hit.pn : hit.pn_least;
    c->dn = hit.dn > hit.dn_least ? hit.dn : hit.dn_least;
    c->place = hit.place;
    c->flags &= (uint8_t)~CHILD_FRESH;
    if (hit.merges) c->flags |= CHILD_MERGES;
    return c->pn != pn || c->dn != dn;
}

/* Reads again the children of a frame that others are below, or were when it was looked at last. */
static void read_crowded(struct dfpn *s, const struct frame *f, bool on_top)
{
    struct child *first = s->children + f->child_first;
    for (size_t i = 0; i < f->child_count; i++) {
        struct child *c = &first[i];
        if ((c->flags & CHILD_WAITING) != 0 || is_settled(c) || (!on_top && i == f->chosen)) continue;
        bool crowded_now = crowd_below(s, c) > 0;
        if (!crowded_now && (c->flags & CHILD_CROWDED) == 0) continue;
        c->flags = (uint8_t)(crowded_now ? c->flags | CHILD_CROWDED : c->flags & ~CHILD_CROWDED);
        read_again(s, f, c, on_top);
    }
}

/* Has somebody settled this position of the path? */
static bool is_settled_elsewhere(struct dfpn *s, const struct frame *f, struct result *r)
{
    struct mate_hit hit;
    mate_table_get(s->table, f->board_key, f->hand, f->plies, f->depth_min, &hit);
    bool proved = hit.pn == 0 && hit.dn == MATE_INFINITE, refuted = hit.dn == 0 && hit.pn == MATE_INFINITE;
    if (!proved && !refuted) return false;
    *r = (struct result){hit.pn, hit.dn, hit.plies, DEPTH_NONE, hit.hand, hit.move};
    return true;
}

/* How far the child that the path goes through may go by what is known now. False: the frame has another choice, or
 * none. */
static bool renew_limits(struct dfpn *s, const struct frame *f, struct frame *next)
{
    struct summary sum;
    summarize(s, f, f->chosen, &sum);
    if (sum.pn == 0 || sum.dn == 0) return false;
    if (s->inc > 0) return true; /* the limits are being raised on the way */
    if (sum.pn >= f->pn_limit || sum.dn >= f->dn_limit) return false;
    const struct child *c = s->children + f->child_first + f->chosen;
    if (sum.best != f->chosen) return true;
    child_limits(f, &sum, f->pn_limit, f->dn_limit, c, &next->pn_limit, &next->dn_limit);
    return true;
}

/* Looks over the path: what others have found out beside it may have settled a position of it, or made another way
 * better; then what is below is left at once. */
static void view_path(struct dfpn *s)
{
    s->view_due = false;
    for (int depth = s->depth; depth > 0; depth--) {
        struct frame *f = &s->frames[depth], *before = f - 1;
        struct summary sum;
        if (depth < s->depth) read_crowded(s, f, false);
        summarize(s, f, depth < s->depth ? f->chosen : NO_CHILD, &sum);
        struct child *c = s->children + before->child_first + before->chosen;
        if (sum.pn == 0 || sum.dn == 0) continue;
        c->pn = sum.pn;
        c->dn = sum.dn;
    }
    read_crowded(s, &s->frames[0], false);
    struct result r;
    for (int depth = 0; depth < s->depth; depth++) {
        struct frame *f = &s->frames[depth];
        if (renew_limits(s, f, f + 1) && (depth == 0 || !is_settled_elsewhere(s, f, &r))) continue;
        s->return_to = depth;
        return;
    }
}

/* Goes down into the chosen child of the top frame. */
static void push(struct dfpn *s, uint32_t pn_limit, uint32_t dn_limit)
{
    struct frame *f = &s->frames[s->depth];
    if (!make_room(s, f)) {
        dfpn_leave(s, MATE_END_MEMORY);
        return;
    }
    if (s->control->busy && !f->marked) mark_busy(s, f, 1);
    struct child *c = s->children + f->child_first + f->chosen;
    uint64_t path_key = path_key_after(f->path_key, c->board_key, c->hand);
    bool fresh = (c->flags & CHILD_FRESH) != 0;
    c->flags &= (uint8_t)~CHILD_FRESH;
    Move move = c->move;
    c->place = 0;
    s->depth++;
    struct frame *next = &s->frames[s->depth];
    position_do(&s->pos, move, &next->undo);
    s->nodes++;
    check_limits(s);
    next->path_key = path_key;
    next->pn_limit = pn_limit;
    next->dn_limit = dn_limit;
    open_frame(s, !f->attack, f->plies - 1);
    c->place = next->place;
    expand(s);
    if (has_old_child(s, next))
        s->inc++;
    else if (fresh && s->inc > 0)
        s->inc--;
}

/* Hands the result of the top frame to its parent. */
static void pop(struct dfpn *s, const struct result *r)
{
    struct frame *f = &s->frames[s->depth];
    close_frame(s);
    if (s->inc > f->inc_before) s->inc = f->inc_before;
    position_undo(&s->pos, &f->undo);
    s->depth--;
    struct frame *parent = &s->frames[s->depth];
    struct child *first = s->children + parent->child_first, *c = &first[parent->chosen];
    c->pn = r->pn;
    c->dn = r->dn;
    if (is_settled(c)) {
        c->hand = r->hand;
        c->plies = (uint16_t)r->plies;
        c->start = (uint16_t)r->start;
    }
    if (calls_variant(s, parent, c)) look_up_chain(s, parent, &first[c->variant]);
}

static void open_root(struct dfpn *s, const struct position *root, const struct dfpn_order *order)
{
    s->pos = *root;
    s->order = order;
    s->attacker = order->attack ? root->side : color_other(root->side);
    s->depth = 0;
    s->inc = 0;
    s->leaving = s->view_due = false;
    s->return_to = FRAMES;
    s->nodes_flushed = s->nodes;
    struct frame *f = &s->frames[0];
    f->pn_limit = f->dn_limit = MATE_INFINITE;
    f->undo.move = MOVE_NONE;
    open_frame(s, order->attack, order->plies);
    f->path_key = path_key_after(0, f->board_key, f->hand);
    expand(s);
    if (has_old_child(s, f)) s->inc++;
    check_limits(s);
}

struct dfpn_answer dfpn_search(struct dfpn *s, const struct position *root, const struct dfpn_order *order)
{
    assert(order->plies <= MATE_PLIES_MAX);
    open_root(s, root, order);
    struct result r;
    bool company = has_company(s);
    for (;;) {
        struct frame *f = &s->frames[s->depth];
        struct summary sum;
        if (s->view_due && company) view_path(s);
        if (s->depth <= s->return_to) s->return_to = FRAMES;
        bool crowded = company && is_crowded(s, f);
        if (crowded) {
            read_crowded(s, f, true);
            summarize(s, f, NO_CHILD, &sum);
        } else {
            summarize_alone(s, f, &sum);
        }
        uint32_t pn_limit = f->pn_limit, dn_limit = f->dn_limit;
        bool settled = sum.pn == 0 || sum.dn == 0;
        if (!settled && crowded && s->depth > 0 && is_settled_elsewhere(s, f, &r)) {
            pop(s, &r);
            continue;
        }
        if (s->inc > 0 && !settled) {
            if (pn_limit <= sum.pn) pn_limit = sum.pn + 1;
            if (dn_limit <= sum.dn) dn_limit = sum.dn + 1;
        }
        bool leaves = s->leaving || s->depth > s->return_to;
        if (settled || leaves || sum.pn >= pn_limit || sum.dn >= dn_limit) {
            r = conclude(&s->pos, f, s->children + f->child_first, s->depth, &sum);
            if (s->depth > 0 || !order->first_moves) remember(s, f, &r);
            if (s->depth == 0) break;
            pop(s, &r);
            continue;
        }
        struct child *c = s->children + f->child_first + sum.best;
        if (company && read_again(s, f, c, true)) continue;
        f->chosen = sum.best;
        uint32_t child_pn, child_dn;
        child_limits(f, &sum, pn_limit, dn_limit, c, &child_pn, &child_dn);
        push(s, child_pn, child_dn);
    }
    close_frame(s);
    flush_nodes(s);
    s->order = NULL;
    return (struct dfpn_answer){r.pn, r.dn, r.hand, r.plies};
}
