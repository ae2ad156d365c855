/* check_mate_deep.c - a line of over four thousand plies is searched to its end and back.
 *
 * No such problem is known (the longest has 1,525 plies), so one is made up: a random walk of checks and evasions that
 * never comes to a position twice, and a table which claims that every other check fails and every other evasion is
 * mated at once. What is left is the one line, as deep as the search may go.
 */
#include "common/base/prng.h"
#include "common/shogi/movegen.h"
#include "common/shogi/sfen.h"
#include "tests/unit/check_main.h"
#include "worker/engine/mate/dfpn.h"
#include "worker/engine/mate/mate_moves.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { PLIES = 4093, KEYS = 1 << 21, TRIES = 64, STEPS_MAX = 200000, STACK_BYTES = 256 << 10 };

static const char start[] = "4k4/9/9/9/9/9/9/9/R4+R3 b 2b4g4s4n4l18p 1";

static struct position root;
static Move line[PLIES];
static struct mate_table *table;
static struct dfpn_control control;
static struct dfpn *search;
static size_t deepest;
static struct dfpn_answer answer;

/* Positions by board key; hands never change on the line. */
static struct known {
    uint64_t key;
    bool on_line;
    int beside; /* that many moves that the line does not play lead here */
} keys[KEYS];

static struct known *known(uint64_t key)
{
    size_t slot = key % KEYS;
    while (keys[slot].key != 0 && keys[slot].key != key) slot = (slot + 1) % KEYS;
    keys[slot].key = key;
    return &keys[slot];
}

static size_t list(const struct position *pos, int ply, Move *moves)
{
    return ply % 2 == 0 ? mate_moves_checks(pos, moves) : mate_moves_evasions(pos, moves);
}

/* What lies beside the line where `played` is played. */
static void mark(const struct position *pos, int ply, Move played, int change)
{
    Move moves[MOVES_MAX];
    struct position after = *pos;
    struct undo undo;
    size_t count = list(pos, ply, moves);
    for (size_t i = 0; i < count; i++) {
        if (moves[i] == played) continue;
        position_do(&after, moves[i], &undo);
        known(after.board_key)->beside += change;
        position_undo(&after, &undo);
    }
}

/* A position that may be the next one: new, not to be reached by another way, and no evasion goes back to the line. */
static bool is_good(struct position *pos, int ply)
{
    Move moves[MOVES_MAX];
    struct undo undo;
    const struct known *here = known(pos->board_key);
    if (here->on_line || here->beside > 0) return false;
    size_t count = list(pos, ply, moves);
    bool good = count > 0;
    for (size_t i = 0; i < count && good && ply % 2 != 0; i++) {
        position_do(pos, moves[i], &undo);
        good = !known(pos->board_key)->on_line;
        position_undo(pos, &undo);
    }
    return good;
}

/* MOVE_NONE if chance finds none. */
static Move step_of(struct position *pos, int ply, struct prng *prng)
{
    Move moves[MOVES_MAX];
    size_t count = list(pos, ply, moves);
    for (int i = 0; i < TRIES && count > 0; i++) {
        Move move = moves[prng_below(prng, (uint32_t)count)];
        struct undo undo;
        if (move_is_drop(move) || pos->board[move_to(move)] != NO_PIECE) continue;
        position_do(pos, move, &undo);
        bool good = is_good(pos, ply + 1);
        position_undo(pos, &undo);
        if (good) return move;
    }
    return MOVE_NONE;
}

static bool walk(void)
{
    static struct undo undo[PLIES];
    struct prng prng = prng_make(1);
    struct position pos = root;
    int ply = 0;
    for (int steps = 0; ply < PLIES && steps < STEPS_MAX; steps++) {
        known(pos.board_key)->on_line = true;
        line[ply] = step_of(&pos, ply, &prng);
        if (line[ply] != MOVE_NONE) {
            mark(&pos, ply, line[ply], 1);
            position_do(&pos, line[ply], &undo[ply]);
            ply++;
            continue;
        }
        for (int back = 1 + (int)prng_below(&prng, 12); back > 0 && ply > 0; back--) {
            known(pos.board_key)->on_line = false;
            position_undo(&pos, &undo[--ply]);
            mark(&pos, ply, line[ply], -1);
        }
    }
    return ply == PLIES;
}

static void claim_the_rest(void)
{
    struct position pos = root;
    for (int ply = 0; ply < PLIES; ply++) {
        Move moves[MOVES_MAX];
        struct undo undo;
        size_t count = list(&pos, ply, moves);
        for (size_t i = 0; i < count; i++) {
            if (moves[i] == line[ply]) continue;
            position_do(&pos, moves[i], &undo);
            Hand hand = pos.hand[root.side];
            bool on_line = known(pos.board_key)->on_line;
            if (ply % 2 == 0 && !on_line) mate_table_put_refuted(table, pos.board_key, hand, PLIES_ENDLESS, 1);
            if (ply % 2 != 0 && !on_line) mate_table_put_proved(table, pos.board_key, hand, 1, MOVE_NONE, 1);
            position_undo(&pos, &undo);
        }
        position_do(&pos, line[ply], &undo);
    }
    mate_table_put_proved(table, pos.board_key, pos.hand[root.side], 0, MOVE_NONE, 1);
}

static uint64_t look(void *context, unsigned thread, uint64_t nodes)
{
    (void)thread;
    (void)context;
    static Move moves[MATE_PLIES_MAX];
    size_t depth = dfpn_line(search, moves, MATE_PLIES_MAX);
    if (depth > deepest) deepest = depth;
    return nodes + 1;
}

static void *search_main(void *nothing)
{
    (void)nothing;
    answer = dfpn_search(search, &root, &(struct dfpn_order){.attack = true, .plies = MATE_PLIES_MAX});
    return NULL;
}

START_TEST(a_line_of_four_thousand_plies_is_searched_on_a_small_stack)
{
    static const struct mate_pacer pacer = {.pause = look};
    pthread_attr_t attributes;
    pthread_t thread;
    ck_assert_int_eq(sfen_read(&root, start, sizeof start - 1, NULL, NULL), ST_OK);
    ck_assert(walk());
    table = mate_table_new((size_t)64 << 20);
    ck_assert_ptr_nonnull(table);
    search = dfpn_new(table, &control);
    ck_assert_ptr_nonnull(search);
    claim_the_rest();
    dfpn_pace(search, &pacer, 0);
    pthread_attr_init(&attributes);
    ck_assert_int_eq(pthread_attr_setstacksize(&attributes, STACK_BYTES), 0);
    ck_assert_int_eq(pthread_create(&thread, &attributes, search_main, NULL), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    ck_assert_uint_eq(answer.pn, 0);
    ck_assert_int_eq(answer.plies, PLIES);
    ck_assert_uint_ge(deepest, 4000);
    dfpn_free(search);
    mate_table_free(table);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("deep");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, a_line_of_four_thousand_plies_is_searched_on_a_small_stack);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("mate deep", add_cases)
