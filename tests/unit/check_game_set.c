/* check_game_set.c - equal games and beginnings: by hand, and many random games beside a slow twin that compares every
 * game with every other. */
#include "common/base/prng.h"
#include "common/shogi/game_set.h"
#include "tests/unit/check_main.h"
#include "tests/unit/record_helpers.h"

static struct game_set set;
static struct record record;

static void setup(void)
{
    game_set_init(&set);
    record_init(&record);
}

static void teardown(void)
{
    game_set_free(&set);
    record_free(&record);
}

static void add(const char *text)
{
    read_text(&record, text);
    ck_assert_int_eq(game_set_add(&set, &record), ST_OK);
}

/* "only", "same as 0", "begins 3" */
static const char *verdict(uint32_t game)
{
    static char text[40];
    uint32_t other;
    switch (game_set_twin(&set, game, &other)) {
    case GAME_ONLY:
        return other == game ? "only" : "wrong";
    case GAME_SAME:
        snprintf(text, sizeof text, "same as %u", other);
        return text;
    case GAME_BEGINNING:
        snprintf(text, sizeof text, "begins %u", other);
        return text;
    }
    return "unknown";
}

START_TEST(equal_games_and_beginnings_are_found_whatever_the_format_says)
{
    add("startpos moves 7g7f 3c3d\n");                                                                  /* 0 */
    add("V2.2\nN+A\nPI\n+\n+7776FU\nT5\n-3334FU\n+2726FU\n%TORYO\n");                                   /* 1 */
    add("手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n");                                 /* 2 */
    add("startpos moves 7g7f 8c8d\n");                                                                  /* 3 */
    add("sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 7 moves 7g7f 3c3d 2g2f\n"); /* 4 */
    add("sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSN1 w - 1 moves 3c3d\n");           /* 5 */
    add("startpos moves 7g7f 3c3d 2g2f 2g2f\n"); /* 6: an illegal last move makes it another game */
    ck_assert_int_eq(game_set_compare(&set), ST_OK);
    static const char *const expected[] = {"begins 6", "begins 6", "begins 6", "only", "begins 6", "only", "only"};
    for (uint32_t i = 0; i < 7; i++) ck_assert_msg(strcmp(verdict(i), expected[i]) == 0, "%u: %s", i, verdict(i));
    ck_assert_uint_eq(set.beginnings, 4);
    ck_assert_uint_eq(set.same, 0);
}
END_TEST

START_TEST(of_equal_games_the_first_is_kept)
{
    add("startpos moves 2g2f\n");
    add("startpos moves 7g7f 3c3d\n");
    add("startpos moves 7g7f 3c3d\n");
    add("startpos moves 7g7f 3c3d\n");
    ck_assert_int_eq(game_set_compare(&set), ST_OK);
    ck_assert_str_eq(verdict(0), "only");
    ck_assert_str_eq(verdict(1), "only");
    ck_assert_str_eq(verdict(2), "same as 1");
    ck_assert_str_eq(verdict(3), "same as 1");
    ck_assert_uint_eq(set.same, 2);
    add("startpos moves 7g7f 3c3d 2g2f\n"); /* and again, with one more */
    ck_assert_int_eq(game_set_compare(&set), ST_OK);
    ck_assert_str_eq(verdict(1), "begins 4");
    ck_assert_str_eq(verdict(3), "begins 4");
    ck_assert_uint_eq(set.same, 0);
    ck_assert_uint_eq(set.beginnings, 3);
}
END_TEST

START_TEST(no_game_at_all_is_no_trouble)
{
    ck_assert_int_eq(game_set_compare(&set), ST_OK);
    ck_assert_int_eq(game_set_add_moves(&set, 1, NULL, 0), ST_OK);
    ck_assert_int_eq(game_set_compare(&set), ST_OK);
    ck_assert_str_eq(verdict(0), "only");
}
END_TEST

enum { GAMES = 300, PLIES = 6 };

START_TEST(it_agrees_with_comparing_every_game_with_every_other)
{
    static Move moves[GAMES][PLIES];
    static uint32_t lengths[GAMES];
    static uint64_t starts[GAMES];
    struct prng prng = prng_make((uint64_t)_i + 1);
    for (uint32_t i = 0; i < GAMES; i++) { /* few moves to choose from: many equal games and beginnings */
        lengths[i] = prng_below(&prng, PLIES + 1);
        starts[i] = prng_below(&prng, 2);
        for (uint32_t k = 0; k < lengths[i]; k++) moves[i][k] = (Move)(300 + prng_below(&prng, 4));
        ck_assert_int_eq(game_set_add_moves(&set, starts[i], moves[i], lengths[i]), ST_OK);
    }
    ck_assert_int_eq(game_set_compare(&set), ST_OK);
    for (uint32_t i = 0; i < GAMES; i++) {
        bool same = false, beginning = false;
        for (uint32_t k = 0; k < GAMES; k++) {
            if (starts[i] != starts[k] || lengths[i] > lengths[k] ||
                memcmp(moves[i], moves[k], lengths[i] * sizeof **moves) != 0)
                continue;
            same = same || (lengths[i] == lengths[k] && k < i);
            beginning = beginning || lengths[i] < lengths[k];
        }
        uint32_t other;
        enum game_twin twin = game_set_twin(&set, i, &other);
        ck_assert_int_eq(twin, beginning ? GAME_BEGINNING : same ? GAME_SAME : GAME_ONLY);
        ck_assert_int_eq(game_set_twin(&set, other, NULL), GAME_ONLY);
        ck_assert(starts[i] == starts[other] && lengths[i] <= lengths[other]);
        ck_assert(memcmp(moves[i], moves[other], lengths[i] * sizeof **moves) == 0);
    }
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("game_set");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, equal_games_and_beginnings_are_found_whatever_the_format_says);
    tcase_add_test(tc, of_equal_games_the_first_is_kept);
    tcase_add_test(tc, no_game_at_all_is_no_trouble);
    tcase_add_loop_test(tc, it_agrees_with_comparing_every_game_with_every_other, 0, 20);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("game_set", add_cases)
