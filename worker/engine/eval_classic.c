/* eval_classic.c - the hand-crafted evaluator: material, hands, squares relative to both kings, attacks around the
 * kings.
 *
 * Everything that depends on one piece and one king is summed up while moves are made (two tables lookups per piece
 * that changes); attacks are counted when a score is wanted. To count them, pieces that step in one direction are
 * shifted together: within a direction no two of them reach the same square, so sets "at least 1, 2, 3 attackers" come
 * from a few whole-board operations.
 */
#include "worker/engine/eval_classic.h"

#include <pthread.h>
#include <string.h>

#include "common/shogi/attacks.h"
#include "worker/engine/eval.h"

/* [own king][piece][square] as Black sees it; White looks up with everything turned round. */
static int16_t king_piece[SQUARE_COUNT][PIECE_COUNT][SQUARE_COUNT];
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

static int folded(Square sq)
{
    int file = square_file(sq) - 1;
    return (file > 4 ? 8 - file : file) * 9 + square_rank(sq) - 1;
}

static int relative(Square king, Square sq)
{
    int files = square_file(sq) - square_file(king);
    return (files < 0 ? -files : files) * 17 + square_rank(sq) - square_rank(king) + 8;
}

static bool in_tables(PieceType t) { return t != NO_TYPE && t != KING && t < TYPE_COUNT; }

static void fill_tables(void)
{
    const struct classic_weights *w = &classic_weights;
    for (Square king = 0; king < SQUARE_COUNT; king++)
        for (PieceType t = PAWN; t < TYPE_COUNT; t++)
            for (Square sq = 0; sq < SQUARE_COUNT && in_tables(t); sq++) {
                king_piece[king][piece_make(BLACK, t)][sq] =
                    (int16_t)(w->material[t] + w->square[t][folded(sq)] + w->own_king[t][relative(king, sq)]);
                king_piece[king][piece_make(WHITE, t)][sq] =
                    (int16_t)-w->enemy_king[t][relative(square_flip(king), square_flip(sq))];
            }
}

static void load(void) { pthread_once(&load_once, fill_tables); }

/* ---- the state ------------------------------------------------------------------------------------------------ */

struct entry {
    int32_t sum[COLOR_COUNT]; /* of king_piece, as each colour sees it */
    bool known[COLOR_COUNT];
    Piece moved, placed, captured; /* NO_PIECE, NO_PIECE, NO_PIECE: a pass */
    Move move;
};

struct state {
    int top;
    struct entry entries[EVAL_PUSH_MAX];
};

static inline int32_t lookup(Color viewer, Square king, Piece piece, Square sq)
{
    return viewer == BLACK ? king_piece[king][piece][sq] : king_piece[square_flip(king)][piece ^ 16][square_flip(sq)];
}

static int32_t sum_up(const struct position *pos, Color viewer)
{
    Square king = pos->king[viewer], sq;
    int32_t sum = 0;
    if (king == SQUARE_NONE)
        king = viewer == BLACK ? square_make(5, 9) : square_make(5, 1); /* problems with one king */
    for (Bitboard rest = bb_without(pos->by_type[NO_TYPE], pos->by_type[KING]); bb_next(&rest, &sq);)
        sum += lookup(viewer, king, pos->board[sq], sq);
    return sum;
}

static void refresh(void *state, const struct position *pos)
{
    struct state *s = state;
    s->top = 0;
    s->entries[0] = (struct entry){.sum = {sum_up(pos, BLACK), sum_up(pos, WHITE)}, .known = {true, true}};
}

static void push(void *state, const struct position *pos, const struct undo *undo)
{
    struct state *s = state;
    struct entry *e = &s->entries[++s->top];
    (void)pos;
    e->known[BLACK] = e->known[WHITE] = false;
    e->move = undo->move;
    if (undo->move == MOVE_NULL) {
        e->moved = e->placed = e->captured = NO_PIECE;
    } else {
        e->moved = undo->moved;
        e->placed = undo->placed;
        e->captured = undo->captured;
    }
}

static void pop(void *state)
{
    struct state *s = state;
    s->top--;
}

static int32_t change(const struct entry *e, Color viewer, Square king)
{
    if (e->placed == NO_PIECE) return 0;
    Square to = move_to(e->move);
    int32_t sum = 0;
    if (piece_type(e->placed) != KING) {
        sum = lookup(viewer, king, e->placed, to);
        if (!move_is_drop(e->move)) sum -= lookup(viewer, king, e->moved, move_from(e->move));
    }
    if (e->captured != NO_PIECE) sum -= lookup(viewer, king, e->captured, to);
    return sum;
}

/* Brings the top entry up to date for one viewer. */
static int32_t settle(struct state *s, const struct position *pos, Color viewer)
{
    int known = s->top;
    while (!s->entries[known].known[viewer]) {
        if (s->entries[known].placed ==
            piece_make(viewer, KING)) { /* the king itself has moved: everything is different */
            s->entries[s->top].sum[viewer] = sum_up(pos, viewer);
            s->entries[s->top].known[viewer] = true;
            return s->entries[s->top].sum[viewer];
        }
        known--;
    }
    Square king = pos->king[viewer];
    if (king == SQUARE_NONE) king = viewer == BLACK ? square_make(5, 9) : square_make(5, 1);
    for (int i = known + 1; i <= s->top; i++) {
        s->entries[i].sum[viewer] = s->entries[i - 1].sum[viewer] + change(&s->entries[i], viewer, king);
        s->entries[i].known[viewer] = true;
    }
    return s->entries[s->top].sum[viewer];
}

/* ---- terms that are counted when a score is wanted ------------------------------------------------------------ */

/* One piece of code for both users: the search adds weights up, the tuner wants to know which. */
typedef void emit_function(void *context, int index, int count);
#define INLINE static inline __attribute__((always_inline))

struct sink {
    emit_function *emit; /* NULL: add up */
    void *context;
    int sign, phase;
    int32_t open, end;
};

INLINE void term(struct sink *sink, const int16_t weight[2], int count)
{
    if (sink->emit) {
        int index = (int)(weight - (const int16_t *)&classic_weights);
        sink->emit(sink->context, index, sink->sign * count * (CLASSIC_PHASE_MAX - sink->phase));
        sink->emit(sink->context, index + 1, sink->sign * count * sink->phase);
    } else {
        sink->open += sink->sign * weight[0] * count;
        sink->end += sink->sign * weight[1] * count;
    }
}

struct counts {
    Bitboard once, twice, thrice; /* squares with at least so many attackers, kings left out */
};

INLINE void count_in(struct counts *c, Bitboard squares)
{
    c->thrice = bb_or(c->thrice, bb_and(c->twice, squares));
    c->twice = bb_or(c->twice, bb_and(c->once, squares));
    c->once = bb_or(c->once, squares);
}

INLINE Bitboard backward(Color c, Bitboard a) { return c == BLACK ? bb_south(a) : bb_north(a); }

INLINE struct counts count_attacks(const struct position *pos, Color c, struct sink *sink)
{
    const struct classic_weights *w = &classic_weights;
    const Bitboard *t = pos->by_type;
    Bitboard own = pos->by_color[c], occupied = t[NO_TYPE];
    Bitboard silvers = bb_and(t[SILVER], own), horses = bb_and(t[HORSE], own), dragons = bb_and(t[DRAGON], own);
    Bitboard golds =
        bb_and(bb_or(bb_or(bb_or(t[GOLD], t[PRO_PAWN]), bb_or(t[PRO_LANCE], t[PRO_KNIGHT])), t[PRO_SILVER]), own);
    Bitboard knights = bb_and(t[KNIGHT], own);
    Bitboard gold_horse = bb_or(golds, horses), silver_dragon = bb_or(silvers, dragons);
    struct counts n = {bb_none(), bb_none(), bb_none()};

    count_in(&n, bb_forward(c, bb_or(bb_or(bb_and(t[PAWN], own), silvers), gold_horse)));
    count_in(&n, backward(c, gold_horse));
    count_in(&n, bb_east(gold_horse));
    count_in(&n, bb_west(gold_horse));
    Bitboard ahead = bb_forward(c, bb_or(silver_dragon, golds)), behind = backward(c, silver_dragon);
    count_in(&n, bb_east(ahead));
    count_in(&n, bb_west(ahead));
    count_in(&n, bb_east(behind));
    count_in(&n, bb_west(behind));
    Bitboard jump = bb_forward(c, bb_forward(c, knights));
    count_in(&n, bb_east(jump));
    count_in(&n, bb_west(jump));

    Square sq;
    for (Bitboard rest = bb_and(t[LANCE], own); bb_next(&rest, &sq);) {
        Bitboard reach = attacks_lance(c, sq, occupied);
        count_in(&n, reach);
        term(sink, w->mobility[LANCE][bb_count(bb_without(reach, own))], 1);
    }
    for (Bitboard rest = bb_or(bb_and(t[BISHOP], own), horses); bb_next(&rest, &sq);) {
        Bitboard reach = attacks_bishop(sq, occupied);
        count_in(&n, reach);
        term(sink, w->mobility[piece_type(pos->board[sq])][bb_count(bb_without(reach, own))], 1);
    }
    for (Bitboard rest = bb_or(bb_and(t[ROOK], own), dragons); bb_next(&rest, &sq);) {
        Bitboard reach = attacks_rook(sq, occupied);
        count_in(&n, reach);
        term(sink, w->mobility[piece_type(pos->board[sq])][bb_count(bb_without(reach, own))], 1);
    }
    return n;
}

/* 0..5: what this hand can do next to an enemy king. */
INLINE int hand_power(Hand h)
{
    unsigned gold = hand_count(h, GOLD), silver = hand_count(h, SILVER),
             big = hand_count(h, ROOK) + hand_count(h, BISHOP);
    unsigned power =
        2 * (gold + silver + big) + (hand_count(h, KNIGHT) > 0 ? 1u : 0u) + (hand_count(h, LANCE) > 0 ? 1u : 0u);
    return (int)(power == 0 ? 0 : power == 1 ? 1 : power < 4 ? 2 : power < 6 ? 3 : power < 9 ? 4 : 5);
}

/* Rings 2 and 3 around a square, from the king table by widening. */
INLINE Bitboard widen(Bitboard a)
{
    Bitboard tall = bb_or(a, bb_or(bb_north(a), bb_south(a)));
    return bb_or(tall, bb_or(bb_east(tall), bb_west(tall)));
}

INLINE void king_terms(const struct position *pos, Color c, const struct counts *own_n, const struct counts *enemy_n,
                       struct sink *sink)
{
    static const uint8_t ring_index[9] = {1, 2, 3, 0, 9, 4, 1, 2, 3}; /* by (files + 1) * 3 + ranks + 1, as Black */
    const struct classic_weights *w = &classic_weights;
    Square king = pos->king[c];
    if (king == SQUARE_NONE) return;
    Color enemy = color_other(c);
    Bitboard own = pos->by_color[c], theirs = pos->by_color[enemy];
    term(sink, w->king_square[folded(c == BLACK ? king : square_flip(king))], 1);

    Bitboard ring = attacks_king(king);
    int file = king / 9, rank = king % 9;
    for (int df = -1; df <= 1; df++)
        for (int dr = -1; dr <= 1; dr++) {
            if (df == 0 && dr == 0) continue;
            int seen_rank = c == BLACK ? dr : -dr;
            int where = ring_index[(df + 1) * 3 + seen_rank + 1];
            if (file + df < 0 || file + df > 8 || rank + dr < 0 || rank + dr > 8) {
                term(sink, w->ring_wall[where], 1);
                continue;
            }
            Square sq = (Square)(king + df * 9 + dr);
            bool high = sq >= 63;
            unsigned shift = high ? sq - 63u : sq;
#define HAS(set) ((int)((high ? (set).hi : (set).lo) >> shift & 1))
            int attacks = HAS(enemy_n->once) + HAS(enemy_n->twice) + HAS(enemy_n->thrice);
            int guards = HAS(own_n->once) + HAS(own_n->twice);
            int holder = HAS(own) + 2 * HAS(theirs);
#undef HAS
            term(sink, w->ring[where][(attacks * 3 + guards) * 3 + holder], 1);
        }

    int power = hand_power(pos->hand[enemy]);
    Bitboard attacked = bb_and(ring, enemy_n->once);
    term(sink, w->ring_weak[power][bb_count(bb_without(attacked, own_n->once))], 1);
    term(sink, w->ring_flee[power][bb_count(bb_without(bb_without(ring, enemy_n->once), own))], 1);
    Bitboard inner = bb_or(ring, bb_square(king)), second = widen(inner), third = bb_without(widen(second), second);
    second = bb_without(second, inner);
    term(sink, w->near_attacked[0][0], (int)bb_count(bb_and(second, enemy_n->once)));
    term(sink, w->near_attacked[0][1], (int)bb_count(bb_and(second, enemy_n->twice)));
    term(sink, w->near_attacked[0][2], (int)bb_count(bb_and(second, enemy_n->thrice)));
    term(sink, w->near_attacked[1][0], (int)bb_count(bb_and(third, enemy_n->once)));
    term(sink, w->near_attacked[1][1], (int)bb_count(bb_and(third, enemy_n->twice)));
    term(sink, w->near_guarded[0][0], (int)bb_count(bb_and(second, own_n->once)));
    term(sink, w->near_guarded[0][1], (int)bb_count(bb_and(second, own_n->twice)));
    term(sink, w->near_guarded[1][0], (int)bb_count(bb_and(third, own_n->once)));
}

/* How far the game has gone: 0 at the start, CLASSIC_PHASE_MAX in a wild endgame. */
INLINE int phase_of(const struct position *pos)
{
    unsigned sum = 0;
    for (Color c = BLACK; c <= WHITE; c++) {
        Hand h = pos->hand[c];
        sum += hand_count(h, PAWN) +
               3 * (hand_count(h, LANCE) + hand_count(h, KNIGHT) + hand_count(h, SILVER) + hand_count(h, GOLD)) +
               4 * (hand_count(h, BISHOP) + hand_count(h, ROOK));
        sum += 2 * bb_count(bb_and(pos->by_color[c], bb_far_ranks(c, 4)));
    }
    sum = sum * 8 / 5;
    return (int)(sum > CLASSIC_PHASE_MAX ? CLASSIC_PHASE_MAX : sum);
}

INLINE void piece_terms(const struct position *pos, Color c, const struct counts *own_n, const struct counts *enemy_n,
                        struct sink *sink)
{
    const struct classic_weights *w = &classic_weights;
    const Bitboard *t = pos->by_type;
    Color enemy = color_other(c);
    Bitboard own = bb_without(pos->by_color[c], t[KING]);
    Bitboard by_king = attacks_king(pos->king[c]), guarded = bb_or(own_n->once, by_king);
    Bitboard by_pawn = bb_forward(enemy, bb_and(t[PAWN], pos->by_color[enemy]));
    bool to_move = pos->side == c;
    Square sq;
    for (Bitboard rest = bb_and(own, enemy_n->once); bb_next(&rest, &sq);) {
        PieceType type = piece_type(pos->board[sq]);
        int guards = bb_has(own_n->once, sq) + bb_has(own_n->twice, sq) + bb_has(by_king, sq);
        if (guards > 2) guards = 2;
        term(sink, w->attacked[type][(bb_has(enemy_n->twice, sq) * 3 + guards) * 2 + bb_has(by_pawn, sq)], 1);
        term(sink, w->hanging[type][to_move][guards], 1);
    }
    guarded = bb_and(guarded, own);
    Bitboard golds = bb_or(bb_or(bb_or(t[GOLD], t[PRO_PAWN]), bb_or(t[PRO_LANCE], t[PRO_KNIGHT])), t[PRO_SILVER]);
    term(sink, w->guarded[PAWN], (int)bb_count(bb_and(guarded, t[PAWN])));
    term(sink, w->guarded[LANCE], (int)bb_count(bb_and(guarded, t[LANCE])));
    term(sink, w->guarded[KNIGHT], (int)bb_count(bb_and(guarded, t[KNIGHT])));
    term(sink, w->guarded[SILVER], (int)bb_count(bb_and(guarded, t[SILVER])));
    term(sink, w->guarded[GOLD], (int)bb_count(bb_and(guarded, golds)));
    term(sink, w->guarded[BISHOP], (int)bb_count(bb_and(guarded, bb_or(t[BISHOP], t[HORSE]))));
    term(sink, w->guarded[ROOK], (int)bb_count(bb_and(guarded, bb_or(t[ROOK], t[DRAGON]))));
    Bitboard ours = bb_without(own_n->once, enemy_n->once);
    for (int rank = 1; rank <= 9; rank++)
        term(sink, w->held[c == BLACK ? rank - 1 : 9 - rank], (int)bb_count(bb_and(ours, bb_rank(rank))));
}

INLINE void other_terms(const struct position *pos, struct sink *sink)
{
    const struct classic_weights *w = &classic_weights;
    struct counts n[COLOR_COUNT];
    int us_sign = pos->side == BLACK ? 1 : -1;
    sink->phase = phase_of(pos);
    for (Color c = BLACK; c <= WHITE; c++) {
        sink->sign = c == BLACK ? us_sign : -us_sign;
        n[c] = count_attacks(pos, c, sink);
        Hand hand = pos->hand[c];
        for (PieceType t = PAWN; t <= GOLD; t++)
            if (hand_count(hand, t) != 0) term(sink, w->hand[t][hand_count(hand, t)], 1);
    }
    for (Color c = BLACK; c <= WHITE; c++) {
        sink->sign = c == BLACK ? us_sign : -us_sign;
        king_terms(pos, c, &n[c], &n[color_other(c)], sink);
        piece_terms(pos, c, &n[c], &n[color_other(c)], sink);
    }
    sink->sign = 1;
    term(sink, w->tempo, 1);
}

/* Both phases weighed; 1/8 centipawn times CLASSIC_PHASE_MAX. */
INLINE int32_t mixed(const struct sink *sink)
{
    return sink->open * (CLASSIC_PHASE_MAX - sink->phase) + sink->end * sink->phase;
}

/* The same code for processors with and without a bit-counting instruction. */
static int32_t other_sum_plain(const struct position *pos)
{
    struct sink sink = {0};
    other_terms(pos, &sink);
    return mixed(&sink);
}

#if defined(__x86_64__)
__attribute__((target("popcnt,bmi,bmi2"))) static int32_t other_sum_popcnt(const struct position *pos)
{
    struct sink sink = {0};
    other_terms(pos, &sink);
    return mixed(&sink);
}
static bool use_popcnt(void)
{
    return __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}
#else
static int32_t other_sum_popcnt(const struct position *pos) { return other_sum_plain(pos); }
static bool use_popcnt(void) { return false; }
#endif

static Score score(void *state, const struct position *pos)
{
    struct state *s = state;
    int32_t sum = (settle(s, pos, BLACK) - settle(s, pos, WHITE)) * CLASSIC_PHASE_MAX;
    if (pos->side == WHITE) sum = -sum;
    sum += use_popcnt() ? other_sum_popcnt(pos) : other_sum_plain(pos);
    Score cp = sum / (CLASSIC_UNIT * CLASSIC_PHASE_MAX);
    return cp > EVAL_CP_MAX ? EVAL_CP_MAX : cp < -EVAL_CP_MAX ? -EVAL_CP_MAX : cp;
}

void classic_trace(const struct position *pos, emit_function *emit, void *context)
{
    const struct classic_weights *w = &classic_weights;
    struct sink sink = {.emit = emit, .context = context, .sign = 1};
    Square sq;
    for (Bitboard rest = bb_without(pos->by_type[NO_TYPE], pos->by_type[KING]); bb_next(&rest, &sq);) {
        PieceType t = piece_type(pos->board[sq]);
        Color c = piece_color(pos->board[sq]);
        Square own = pos->king[c], enemy = pos->king[color_other(c)], seen = c == BLACK ? sq : square_flip(sq);
        if (own == SQUARE_NONE) own = c == BLACK ? square_make(5, 9) : square_make(5, 1);
        if (enemy == SQUARE_NONE) enemy = c == BLACK ? square_make(5, 1) : square_make(5, 9);
        if (c == WHITE) {
            own = square_flip(own);
            enemy = square_flip(enemy);
        }
        const int16_t *weights[] = {&w->material[t], &w->square[t][folded(seen)], &w->own_king[t][relative(own, seen)],
                                    &w->enemy_king[t][relative(enemy, seen)]};
        for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++)
            emit(context, (int)(weights[i] - (const int16_t *)w),
                 c == pos->side ? CLASSIC_PHASE_MAX : -CLASSIC_PHASE_MAX);
    }
    other_terms(pos, &sink);
}

static uint64_t hash(void)
{
    uint64_t h = 0xcbf29ce484222325ull; /* FNV-1a */
    const int16_t *w = (const int16_t *)&classic_weights;
    for (size_t i = 0; i < CLASSIC_WEIGHT_COUNT; i++) h = (h ^ (uint16_t)w[i]) * 0x100000001b3ull;
    return h;
}

const struct eval_ops eval_classic = {
    .name = "classic",
    .state_bytes = sizeof(struct state),
    .load = load,
    .refresh = refresh,
    .push = push,
    .pop = pop,
    .score = score,
    .hash = hash,
};
