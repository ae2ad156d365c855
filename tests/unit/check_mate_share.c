/* check_mate_share.c - mate solvers that tell each other what they find, and one that is lied to. */
#include "common/base/prng.h"
#include "common/shogi/movegen.h"
#include "common/shogi/sfen.h"
#include "tests/unit/check_main.h"
#include "worker/engine/mate/mate.h"
#include "worker/engine/mate/mate_share.h"
#include "worker/engine/mate/mate_table.h"

#include <stdlib.h>
#include <string.h>

#define HARD    "8k/R7s/g5N2/1R7/8L/4+b4/9/9/9 b b3g3s3n3l18p 1" /* mate in 13 */
#define NO_MATE "9/7kp/R8/6P2/9/9/9/b8/9 b rb4g4s4n4l16p 1"

enum { TABLE_BYTES = 1 << 20, SCOPE = 7, GATE = 0, LIES_MAX = 4096 };

static struct position position_of(const char *sfen)
{
    struct position pos;
    ck_assert_int_eq(sfen_read(&pos, sfen, strlen(sfen), NULL, NULL), ST_OK);
    return pos;
}

/* ---- what travels -------------------------------------------------------------------------------------------------
 */

START_TEST(facts_come_back_as_they_were_told)
{
    struct mate_fact facts[] = {
        {.board_key = 1, .hand = 0, .kind = MATE_FACT_OPEN, .pn = 1, .dn = MATE_OPEN_MAX, .work = 1},
        {.board_key = 2,
         .hand = 18 * hand_one(PAWN),
         .kind = MATE_FACT_OPEN,
         .pn = 2047,
         .dn = 4094,
         .merges = true,
         .work = 2},
        {.board_key = UINT64_MAX,
         .hand = 2 * hand_one(ROOK) + 4 * hand_one(GOLD),
         .kind = MATE_FACT_PROVED,
         .plies = 4095,
         .move = move_make_drop(GOLD, 80),
         .work = (uint64_t)1 << 40},
        {.board_key = 3,
         .hand = 4 * hand_one(LANCE) + hand_one(BISHOP),
         .kind = MATE_FACT_REFUTED,
         .plies = 17,
         .work = 3},
        {.board_key = 4, .hand = hand_one(SILVER), .kind = MATE_FACT_REFUTED, .plies = PLIES_ENDLESS, .work = 1023},
    };
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        struct hint hint = mate_fact_write(&facts[i]);
        struct mate_fact back;
        ck_assert_uint_eq(hint_kind_of(&hint), HINT_ENTRY);
        ck_assert_int_eq(hint_depth_plies(&hint) & 63, mate_effort(facts[i].work));
        ck_assert(mate_fact_read(&hint, &back));
        ck_assert_uint_eq(back.board_key, facts[i].board_key);
        ck_assert_uint_eq(back.hand, facts[i].hand);
        ck_assert_int_eq(back.kind, facts[i].kind);
        ck_assert_int_eq(back.plies, facts[i].plies);
        ck_assert_uint_eq(back.move, facts[i].move);
        ck_assert(back.merges == facts[i].merges);
        ck_assert_uint_le(back.pn, facts[i].pn);
        ck_assert_uint_le(back.dn, facts[i].dn);
        ck_assert_uint_ge((uint64_t)back.dn + back.dn / 2000 + 1, facts[i].dn); /* eleven bits */
        ck_assert_uint_eq(back.pn, facts[i].pn);
    }
}
END_TEST

START_TEST(what_no_solver_says_is_refused)
{
    static const struct mate_fact base = {.kind = MATE_FACT_REFUTED, .plies = 1, .work = 1};
    struct mate_fact fact = base, back;
    struct hint hint = mate_fact_write(&base);
    ck_assert(mate_fact_read(&hint, &back));
    hint.data |= 31; /* 31 pawns */
    ck_assert(!mate_fact_read(&hint, &back));
    hint = mate_fact_write(&base);
    hint.data |= (uint64_t)3 << 56; /* no such kind */
    ck_assert(!mate_fact_read(&hint, &back));
    fact.work = 0; /* not even looked at */
    hint = mate_fact_write(&fact);
    ck_assert(!mate_fact_read(&hint, &back));
    fact = (struct mate_fact){.kind = MATE_FACT_OPEN, .pn = 0, .dn = 5, .work = 1};
    hint = mate_fact_write(&fact);
    ck_assert(!mate_fact_read(&hint, &back));
    fact = (struct mate_fact){.kind = MATE_FACT_REFUTED, .plies = 0, .work = 1};
    hint = mate_fact_write(&fact);
    ck_assert(!mate_fact_read(&hint, &back));
    fact.plies = PLIES_ENDLESS - 1;
    hint = mate_fact_write(&fact);
    ck_assert(!mate_fact_read(&hint, &back));
}
END_TEST

START_TEST(a_claim_holds_until_it_is_taken_back_or_grows_old)
{
    struct mate_share *share = malloc(sizeof *share);
    ck_assert_ptr_nonnull(share);
    mate_share_start(share, 0, GATE);
    uint64_t key = mate_claim_key(0x123456789abcdef0u, hand_one(GOLD)), other = key ^ (uint64_t)1 << 40;
    ck_assert_uint_eq(mate_share_others(share, key), 0);
    for (unsigned worker = 1; worker <= 2; worker++) {
        struct hint hint = mate_claim_write(&(struct mate_claim){key, worker, false});
        ck_assert_uint_eq(hint_kind_of(&hint), HINT_CLAIM);
        struct mate_claim claim = mate_claim_read(&hint);
        mate_share_claim(share, &claim);
        mate_share_claim(share, &claim); /* said again */
        ck_assert_uint_eq(mate_share_others(share, key), worker);
    }
    ck_assert_uint_eq(mate_share_others(share, other), 0);
    mate_share_claim(share, &(struct mate_claim){other, 1, true}); /* the same place, another position */
    ck_assert_uint_eq(mate_share_others(share, key), 2);
    mate_share_claim(share, &(struct mate_claim){key, 1, true});
    ck_assert_uint_eq(mate_share_others(share, key), 1);
    for (int i = 0; i < MATE_CLAIM_TURNS; i++) mate_share_turn(share, GATE);
    ck_assert_uint_eq(mate_share_others(share, key), 1);
    mate_share_turn(share, GATE);
    ck_assert_uint_eq(mate_share_others(share, key), 0);
    free(share);
}
END_TEST

/* ---- two solvers --------------------------------------------------------------------------------------------------
 */

static uint64_t solve(struct mate_solver *solver, const char *sfen, struct mate_result *result)
{
    struct position pos = position_of(sfen);
    mate_solve(solver, &pos, &(struct mate_limits){.nodes = 1000000}, result);
    return result->nodes;
}

START_TEST(what_one_has_found_another_need_not_search)
{
    struct mate_solver *first = mate_new(TABLE_BYTES, 1), *second = mate_new(TABLE_BYTES, 1);
    struct mate_result *result = malloc(sizeof *result);
    static struct hint hints[8192];
    ck_assert(first && second && result);
    ck_assert(mate_share(first, &(struct mate_sharing){.scope = SCOPE, .worker = 0, .gate = GATE}));
    ck_assert(mate_share(second, &(struct mate_sharing){.scope = SCOPE, .worker = 1, .gate = GATE}));
    uint64_t alone = solve(first, NO_MATE, result);
    ck_assert_int_eq(result->verdict, MATE_REFUTED);
    ck_assert(!mate_has_heard(first));
    size_t count = mate_hints_take(first, hints, sizeof hints / sizeof hints[0]);
    ck_assert_uint_gt(count, 0);
    mate_hints_put(second, hints, count);
    uint64_t helped = solve(second, NO_MATE, result);
    ck_assert_int_eq(result->verdict, MATE_REFUTED);
    ck_assert(mate_has_heard(second));
    ck_assert_uint_lt(helped, alone / 4);
    /* In another scope, or when it shall believe nobody, all that is forgotten. */
    ck_assert(mate_share(second, &(struct mate_sharing){.scope = SCOPE, .tell_only = true}));
    ck_assert(!mate_has_heard(second));
    mate_hints_put(second, hints, count);
    for (size_t i = 0; i < count; i++) { /* "somebody is everywhere" */
        struct mate_fact fact;
        if (hint_kind_of(&hints[i]) == HINT_ENTRY && mate_fact_read(&hints[i], &fact))
            hints[i] =
                mate_claim_write(&(struct mate_claim){.key = mate_claim_key(fact.board_key, fact.hand), .worker = 1});
    }
    mate_hints_put(second, hints, count);
    ck_assert(!mate_has_heard(second));
    ck_assert_uint_eq(solve(second, NO_MATE, result), alone);
    mate_free(first);
    mate_free(second);
    free(result);
}
END_TEST

/* ---- lies ---------------------------------------------------------------------------------------------------------
 */

struct liar {
    struct mate_solver *solver;
    struct hint lies[LIES_MAX];
    size_t count, next;
};

static uint64_t lie(void *context, unsigned thread, uint64_t nodes)
{
    (void)thread;
    struct liar *l = context;
    if (l->next < l->count) mate_hints_put(l->solver, &l->lies[l->next++], 1);
    return nodes + 3;
}

/* Wrong facts about positions around the root, and noise. */
static void make_lies(struct liar *l, const struct position *root, enum mate_fact_kind kind, uint64_t seed)
{
    struct prng prng = prng_make(seed);
    l->next = l->count = 0;
    Move checks[MOVES_MAX];
    size_t check_count = movegen_legal(root, checks);
    for (size_t i = 0; kind == MATE_FACT_REFUTED && i < check_count && i < LIES_MAX / 2; i++) { /* "none of them" */
        struct position pos = *root;
        struct undo undo;
        position_do(&pos, checks[i], &undo);
        l->lies[l->count++] = mate_fact_write(&(struct mate_fact){
            .board_key = pos.board_key, .hand = pos.hand[root->side], .kind = kind, .plies = PLIES_ENDLESS, .work = 1});
    }
    while (l->count + 2 < LIES_MAX) {
        struct position pos = *root;
        int depth = (int)prng_below(&prng, 6);
        for (int i = 0; i < depth; i++) {
            Move moves[MOVES_MAX];
            struct undo undo;
            size_t count = movegen_legal(&pos, moves);
            if (count == 0) break;
            position_do(&pos, moves[prng_below(&prng, (uint32_t)count)], &undo);
        }
        struct mate_fact fact = {.board_key = pos.board_key,
                                 .hand = pos.hand[root->side],
                                 .kind = kind,
                                 .pn = 1 + prng_below(&prng, 1000000),
                                 .dn = 1 + prng_below(&prng, 1000000),
                                 .work = (uint64_t)1 << prng_below(&prng, 40),
                                 .plies = (int)prng_below(&prng, 20),
                                 .move = (Move)(prng_next(&prng) & 0x7fff)};
        if (kind == MATE_FACT_REFUTED) fact.plies = prng_chance(&prng, 500) ? PLIES_ENDLESS : fact.plies + 1;
        l->lies[l->count++] = mate_fact_write(&fact);
        struct hint noise = {pos.board_key ^ prng_next(&prng) % 2, prng_next(&prng)};
        if (kind != MATE_FACT_REFUTED) noise.data &= ~((uint64_t)2 << 56); /* no refutations by accident */
        l->lies[l->count++] = noise;
    }
}

START_TEST(no_lie_makes_a_mate_and_a_refutation_says_that_it_leans_on_others)
{
    static struct liar liar;
    struct mate_result *result = malloc(sizeof *result);
    ck_assert_ptr_nonnull(result);
    liar.solver = mate_new(TABLE_BYTES, 1);
    ck_assert_ptr_nonnull(liar.solver);
    unsigned fooled = 0, right = 0;
    for (uint64_t seed = 1; seed <= 10; seed++)
        for (int kind = MATE_FACT_OPEN; kind <= MATE_FACT_REFUTED; kind++)
            for (int mates = 0; mates < 2; mates++) {
                struct position root = position_of(mates ? HARD : NO_MATE);
                struct mate_pacer pacer = {.context = &liar, .pause = lie};
                make_lies(&liar, &root, (enum mate_fact_kind)kind, seed);
                ck_assert(
                    mate_share(liar.solver, &(struct mate_sharing){.scope = 2 * seed, .worker = 1, .gate = GATE}));
                mate_solve(liar.solver, &root, &(struct mate_limits){.nodes = 300000, .pacer = &pacer}, result);
                enum mate_verdict truth = mates ? MATE_PROVED : MATE_REFUTED;
                if (result->verdict == MATE_PROVED) ck_assert_int_ge(result->plies, 13);
                if (kind == MATE_FACT_REFUTED && result->verdict == MATE_REFUTED)
                    ck_assert(mate_has_heard(liar.solver));
                fooled += result->verdict == MATE_REFUTED && mates;
                if (kind != MATE_FACT_REFUTED) /* wrong numbers may cost all the nodes there are */
                    ck_assert(result->verdict == truth || result->verdict == MATE_UNKNOWN);
                right += result->verdict == truth;
                /* Asked again alone it says the truth, whatever the table held. */
                ck_assert(mate_share(liar.solver, &(struct mate_sharing){.scope = 2 * seed, .tell_only = true}));
                liar.next = 0;
                mate_solve(liar.solver, &root, &(struct mate_limits){.nodes = 300000, .pacer = &pacer}, result);
                ck_assert_int_eq(result->verdict, truth);
                ck_assert(!mate_has_heard(liar.solver));
                ck_assert_int_eq(result->plies, mates ? 13 : 0);
                mate_clear(liar.solver);
            }
    ck_assert_uint_ge(right, 30); /* half of them: the solver comes back from most lies by itself */
    ck_assert_uint_gt(fooled, 0); /* else the lies were harmless and this test looks at nothing */
    mate_free(liar.solver);
    free(result);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("share");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, facts_come_back_as_they_were_told);
    tcase_add_test(tc, what_no_solver_says_is_refused);
    tcase_add_test(tc, a_claim_holds_until_it_is_taken_back_or_grows_old);
    tcase_add_test(tc, what_one_has_found_another_need_not_search);
    tcase_add_test(tc, no_lie_makes_a_mate_and_a_refutation_says_that_it_leans_on_others);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("mate share", add_cases)
