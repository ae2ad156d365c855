#include "tests/model/mate_exact.h"

#include <stdlib.h>
#include <string.h>

#include "common/shogi/movegen.h"

enum { UNKNOWN_PLIES = 1 << 20 };

struct node {
    struct position pos;
    bool attack;
    bool grown; /* its moves are listed */
    int plies;  /* to mate; UNKNOWN_PLIES while none is known */
    size_t edge_first, edge_count;
    size_t next; /* in its hash chain; 0 = end */
};

struct graph {
    struct node *nodes; /* [0] is unused */
    size_t node_count, node_max;
    size_t *edges;
    size_t edge_count, edge_room;
    size_t *heads;
    size_t head_mask;
};

static bool same_position(const struct position *a, const struct position *b)
{
    return a->side == b->side && a->hand[BLACK] == b->hand[BLACK] && a->hand[WHITE] == b->hand[WHITE] &&
           memcmp(a->board, b->board, sizeof a->board) == 0;
}

/* 0 when the graph is full. */
static size_t find_or_add(struct graph *g, const struct position *pos, bool attack)
{
    size_t head = (size_t)(position_key(pos) * 0x9e3779b97f4a7c15u >> 20) & g->head_mask;
    for (size_t i = g->heads[head]; i != 0; i = g->nodes[i].next)
        if (same_position(&g->nodes[i].pos, pos)) return i;
    if (g->node_count == g->node_max) return 0;
    size_t i = ++g->node_count;
    g->nodes[i] = (struct node){.pos = *pos, .attack = attack, .plies = UNKNOWN_PLIES, .next = g->heads[head]};
    g->heads[head] = i;
    return i;
}

static bool add_edge(struct graph *g, size_t to)
{
    if (g->edge_count == g->edge_room) {
        size_t room = g->edge_room * 2 + 1024;
        size_t *grown = realloc(g->edges, room * sizeof *grown);
        if (!grown) return false;
        g->edges = grown;
        g->edge_room = room;
    }
    g->edges[g->edge_count++] = to;
    return true;
}

/* Lists what one move more can reach from the positions [first, last); false if that is too much. */
static bool grow(struct graph *g, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++) {
        struct position pos = g->nodes[i].pos;
        bool attack = g->nodes[i].attack;
        Move moves[MOVES_MAX];
        size_t count = movegen_legal(&pos, moves);
        g->nodes[i].edge_first = g->edge_count;
        for (size_t m = 0; m < count; m++) {
            if (attack && !position_gives_check(&pos, moves[m])) continue;
            struct undo undo;
            position_do(&pos, moves[m], &undo);
            size_t to = find_or_add(g, &pos, !attack);
            position_undo(&pos, &undo);
            if (to == 0 || !add_edge(g, to)) return false;
        }
        g->nodes[i].edge_count = g->edge_count - g->nodes[i].edge_first;
        g->nodes[i].grown = true;
    }
    return true;
}

/* Mates in `plies` follow from mates in fewer. */
static bool settle_round(struct graph *g, int plies)
{
    bool changed = false;
    for (size_t i = 1; i <= g->node_count; i++) {
        struct node *n = &g->nodes[i];
        if (!n->grown || n->plies != UNKNOWN_PLIES || n->attack != (plies % 2 == 1)) continue;
        int best = n->attack ? UNKNOWN_PLIES : 0;
        for (size_t e = 0; e < n->edge_count; e++) {
            int child = g->nodes[g->edges[n->edge_first + e]].plies;
            if (n->attack ? child < best : child > best) best = child;
        }
        if (best == UNKNOWN_PLIES || best + 1 != plies) continue;
        n->plies = plies;
        changed = true;
    }
    return changed;
}

/* Counts anew: a length found in a smaller graph may be too large further away from the root. */
static bool mates_within(struct graph *g, int plies)
{
    for (size_t i = 1; i <= g->node_count; i++) {
        struct node *n = &g->nodes[i];
        n->plies = n->grown && !n->attack && n->edge_count == 0 ? 0 : UNKNOWN_PLIES;
    }
    for (int n = 1, idle = 0; n <= plies && idle < 2 && g->nodes[1].plies == UNKNOWN_PLIES; n++)
        idle = settle_round(g, n) ? 0 : idle + 1;
    return g->nodes[1].plies != UNKNOWN_PLIES;
}

/* A mate within n plies is made of positions at most n plies away, so that it is known, and its length exact, as soon
 * as these are listed. That there is none is known when nothing new can be reached any more. */
static enum mate_exact settle(struct graph *g, int *plies)
{
    size_t first = 1;
    for (int distance = 0;; distance++) {
        size_t last = g->node_count + 1;
        if (first == last) break;
        if (!grow(g, first, last)) return MATE_EXACT_TOO_BIG;
        first = last;
        if (distance % 2 == 1 && mates_within(g, distance)) break;
    }
    if (g->nodes[1].plies == UNKNOWN_PLIES) mates_within(g, UNKNOWN_PLIES);
    *plies = g->nodes[1].plies;
    return *plies == UNKNOWN_PLIES ? MATE_EXACT_NONE : MATE_EXACT_MATE;
}

enum mate_exact mate_exact_solve(const struct position *pos, size_t positions_max, int *plies)
{
    struct graph g = {.node_max = positions_max};
    g.head_mask = 1;
    while (g.head_mask < positions_max) g.head_mask = g.head_mask * 2 + 1;
    g.nodes = calloc(positions_max + 1, sizeof *g.nodes);
    g.heads = calloc(g.head_mask + 1, sizeof *g.heads);
    enum mate_exact verdict = MATE_EXACT_TOO_BIG;
    if (g.nodes && g.heads && find_or_add(&g, pos, true) != 0) verdict = settle(&g, plies);
    free(g.nodes);
    free(g.heads);
    free(g.edges);
    return verdict;
}

/* ---- positions ----------------------------------------------------------------------------------------------------
 */

static const uint8_t piece_totals[HAND_TYPES + 1] = {0, 18, 4, 4, 4, 2, 2, 4};

static bool may_stand(const struct position *pos, Color c, PieceType t, Square sq)
{
    int advance = c == BLACK ? square_rank(sq) : 10 - square_rank(sq);
    if ((t == PAWN || t == LANCE) && advance == 1) return false;
    if (t == KNIGHT && advance <= 2) return false;
    if (t != PAWN) return true;
    for (int rank = 1; rank <= 9; rank++)
        if (pos->board[square_make(square_file(sq), rank)] == piece_make(c, PAWN)) return false;
    return true;
}

static void put_randomly(struct position *pos, struct prng *prng, Color c, int file, int rank, int spread,
                         unsigned used[])
{
    PieceType t = (PieceType)prng_range(prng, PAWN, GOLD);
    if ((t == BISHOP || t == ROOK || t == LANCE) && prng_chance(prng, 600)) t = SILVER;
    int f = file + (int)prng_range(prng, -spread, spread), r = rank + (int)prng_range(prng, -spread, spread);
    bool promoted = type_can_promote(t) && prng_chance(prng, 300);
    if (f < 1 || f > 9 || r < 1 || r > 9 || used[t] == piece_totals[t]) return;
    Square sq = square_make(f, r);
    if (pos->board[sq] != NO_PIECE || (!promoted && !may_stand(pos, c, t, sq))) return;
    used[t]++;
    position_put(pos, sq, piece_make(c, promoted ? t | PROMOTED : t));
}

static void hold_randomly(struct position *pos, struct prng *prng, Color c, unsigned used[])
{
    PieceType t = (PieceType)prng_range(prng, PAWN, GOLD);
    if (used[t] == piece_totals[t]) return;
    used[t]++;
    pos->hand[c] += hand_one(t);
}

static struct position draw(struct prng *prng)
{
    struct position pos;
    position_clear(&pos);
    unsigned used[HAND_TYPES + 1] = {0};
    int file = (int)prng_range(prng, 1, 9),
        rank = prng_chance(prng, 800) ? (int)prng_range(prng, 1, 2) : (int)prng_range(prng, 3, 9);
    position_put(&pos, square_make(file, rank), piece_make(WHITE, KING));
    if (prng_chance(prng, 300)) {
        Square sq = (Square)prng_below(prng, SQUARE_COUNT);
        if (pos.board[sq] == NO_PIECE) position_put(&pos, sq, piece_make(BLACK, KING));
    }
    int64_t attackers = prng_range(prng, 2, 5), defenders = prng_range(prng, 1, 6), held = prng_range(prng, 0, 2),
            spare = prng_range(prng, 0, 1);
    for (int64_t i = 0; i < attackers; i++) put_randomly(&pos, prng, BLACK, file, rank, 2, used);
    for (int64_t i = 0; i < defenders; i++) put_randomly(&pos, prng, WHITE, file, rank, 1, used);
    for (int64_t i = 0; i < held; i++) hold_randomly(&pos, prng, BLACK, used);
    for (int64_t i = 0; i < spare; i++) hold_randomly(&pos, prng, WHITE, used);
    position_refresh(&pos);
    return pos;
}

struct position mate_exact_random(struct prng *prng)
{
    for (;;) {
        struct position pos = draw(prng);
        if (!bb_empty(position_attackers(&pos, BLACK, pos.king[WHITE], pos.by_type[NO_TYPE]))) continue;
        bool flip = prng_chance(prng, 500);
        return mate_exact_transformed(&pos, false, flip);
    }
}

struct position mate_exact_transformed(const struct position *pos, bool mirror, bool flip)
{
    struct position out;
    position_clear(&out);
    for (Square sq = 0; sq < SQUARE_COUNT; sq++) {
        Piece piece = pos->board[sq];
        if (piece == NO_PIECE) continue;
        int file = mirror ? 10 - square_file(sq) : square_file(sq), rank = square_rank(sq);
        Square to = square_make(file, rank);
        Color color = piece_color(piece);
        if (flip) {
            to = square_flip(to);
            color = color_other(color);
        }
        position_put(&out, to, piece_make(color, piece_type(piece)));
    }
    out.hand[BLACK] = pos->hand[flip ? WHITE : BLACK];
    out.hand[WHITE] = pos->hand[flip ? BLACK : WHITE];
    out.side = flip ? color_other(pos->side) : pos->side;
    position_refresh(&out);
    return out;
}
