/* check_kanji.c - moves in Japanese notation. Expected values: the rules of notation of the Japan Shogi Association
 * (with their examples) and the reported cases 41 and 43; the random part checks that what is written singles out one
 * move. */
#include "common/shogi/kanji.h"
#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "tests/model/playout.h"
#include "tests/unit/check_main.h"

#include <string.h>

#define KINGS "4k4/9/9/9/9/9/9/9/4K4"

static const char *relative(const char *sfen, const char *usi)
{
    static char text[64];
    struct position pos = playout_position(sfen);
    Move move = movetext_from_usi(&pos, usi, strlen(usi));
    if (move == MOVE_NONE) ck_abort_msg("%s is not legal in %s", usi, sfen);
    struct text_buffer out;
    text_buffer_init(&out, sizeof text - 1);
    kanji_put_relative(&out, &pos, SQUARE_NONE, move, false);
    memcpy(text, out.data, out.length + 1);
    text_buffer_free(&out);
    return text;
}

static const char *resolved(const char *sfen, Square last_to, const char *text)
{
    static char usi[MOVETEXT_BYTES_MAX];
    struct position pos = playout_position(sfen);
    struct kanji_move kanji;
    struct text t = text_from(text);
    if (!kanji_take_move(&t, &kanji) || !text_empty(t)) return "no move text";
    Move move;
    switch (kanji_resolve(&pos, last_to, &kanji, &move)) {
    case KANJI_FOUND:
        movetext_to_usi(move, usi);
        return usi;
    case KANJI_ILLEGAL:
        return "illegal";
    case KANJI_AMBIGUOUS:
        return "ambiguous";
    case KANJI_NO_SAME:
        return "no same";
    }
    return "?";
}

START_TEST(the_association_s_examples_are_written_as_in_its_rules)
{
    static const struct {
        const char *sfen, *usi, *text;
    } cases[] = {
        {"4k4/2G6/G8/9/9/9/9/9/4K4 b - 1", "9c8b", "８二金上"},
        {"4k4/2G6/G8/9/9/9/9/9/4K4 b - 1", "7b8b", "８二金寄"},
        {"4k4/9/4G4/9/5G3/9/9/9/4K4 b - 1", "4e5d", "５四金上"},
        {"4k4/9/4G4/9/5G3/9/9/9/4K4 b - 1", "5c5d", "５四金引"},
        {"4k4/9/9/9/9/9/9/9/G1G1K4 b - 1", "9i8h", "８八金左"},
        {"4k4/9/9/9/9/9/9/9/G1G1K4 b - 1", "7i8h", "８八金右"},
        {"4k4/9/9/9/9/9/9/9/K4GG2 b - 1", "3i3h", "３八金直"},
        {"4k4/9/9/9/9/9/9/9/K4GG2 b - 1", "4i3h", "３八金左"},
        {"+R8/9/9/1+R7/4k4/9/9/9/4K4 b - 1", "9a8b", "８二龍引"},
        {"+R8/9/9/1+R7/4k4/9/9/9/4K4 b - 1", "8d8b", "８二龍上"},
        {"4k4/9/9/9/+R8/9/9/+R8/4K4 b - 1", "9e9f", "９六龍引"},
        {"4k4/9/9/3+R3+R1/9/9/9/9/4K4 b - 1", "2d4d", "４四龍右"},
        {"4k4/9/9/3+R3+R1/9/9/9/9/4K4 b - 1", "6d4d", "４四龍左"},
        {"4k4/9/9/9/9/9/9/9/+B3K3+B b - 1", "9i9h", "９八馬"},
        {"4k4/9/4+B4/9/3+B5/9/9/9/4K4 b - 1", "5c6d", "６四馬引"},
        {KINGS " b G 1", "G*5b", "５二金"},
        {"4k4/9/4G4/9/9/9/9/9/4K4 b G 1", "G*5b", "５二金打"},
        {"4k4/9/4G4/9/9/9/9/9/4K4 b G 1", "5c5b", "５二金"},
        {"4k4/9/4S4/9/9/9/9/9/4K4 b - 1", "5c4b+", "４二銀成"},
        {"4k4/9/4S4/9/9/9/9/9/4K4 b - 1", "5c4b", "４二銀不成"},
        {"4k4/9/9/9/9/9/6g1g/9/4K4 w - 1", "3g2h", "２八金右"}, /* White's right is Black's left */
        {"4k4/9/9/9/9/9/6g1g/9/4K4 w - 1", "1g2h", "２八金左"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *got = relative(cases[i].sfen, cases[i].usi);
        ck_assert_msg(strcmp(got, cases[i].text) == 0, "%s in %s: %s, expected %s", cases[i].usi, cases[i].sfen, got,
                      cases[i].text);
    }
}
END_TEST

START_TEST(texts_from_the_wild_are_understood)
{
    const char *even = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    static const char *const same_as_7776[] = {"７六歩(77)", "７六歩",        "▲７六歩(77)", "▲ ７六歩",
                                               "76歩(77)",   "7六歩（７７）", "☗７六歩",     "▼７六歩"};
    for (size_t i = 0; i < sizeof same_as_7776 / sizeof same_as_7776[0]; i++)
        ck_assert_str_eq(resolved(even, SQUARE_NONE, same_as_7776[i]), "7g7f");
    ck_assert_str_eq(resolved(even, SQUARE_NONE, "６八王(59)"), "5i6h");
    ck_assert_str_eq(resolved(even, SQUARE_NONE, "５八金右"), "4i5h");
    ck_assert_str_eq(resolved(even, SQUARE_NONE, "５八金左"), "6i5h");
    ck_assert_str_eq(resolved(even, SQUARE_NONE, "５八金"), "ambiguous");
    ck_assert_str_eq(resolved(even, SQUARE_NONE, "５五角"), "illegal");
    ck_assert_str_eq(resolved(even, SQUARE_NONE, "同　歩"), "no same");
    ck_assert_str_eq(resolved(even, SQUARE_NONE, "７六と"), "illegal");
    ck_assert_str_eq(resolved(even, SQUARE_NONE, "７十歩"), "no move text");
    const char *promoted = "4k4/9/1+S+N+L5/9/9/9/9/9/4K4 b - 1";
    ck_assert_str_eq(resolved(promoted, SQUARE_NONE, "８二全(83)"), "8c8b");
    ck_assert_str_eq(resolved(promoted, SQUARE_NONE, "７二成桂(73)"), "7c7b");
    ck_assert_str_eq(resolved(promoted, SQUARE_NONE, "６二杏(63)"), "6c6b");
    ck_assert_str_eq(resolved(promoted, SQUARE_NONE, "６二香(63)"), "illegal");
    const char *both = "4k4/9/5p3/9/4S1S2/9/9/9/4K4 b - 1"; /* reported case 43, one ply later */
    ck_assert_str_eq(resolved(both, square_make(4, 4), "同銀右"), "3e4d");
    ck_assert_str_eq(resolved(both, square_make(4, 4), "同　銀左"), "5e4d");
    ck_assert_str_eq(resolved(both, square_make(4, 4), "同 銀(35)"), "3e4d");
    ck_assert_str_eq(resolved("4k4/9/9/3+R3+R1/9/9/9/9/4K4 b - 1", SQUARE_NONE, "４四竜右"), "2d4d");
    ck_assert_str_eq(resolved(KINGS " b G 1", SQUARE_NONE, "５二金"), "G*5b");
    ck_assert_str_eq(resolved("4k4/4p4/9/4N4/9/9/9/9/4K4 b - 1", SQUARE_NONE, "６二桂生"), "illegal");
    ck_assert_str_eq(resolved("4k4/4p4/9/4N4/9/9/9/9/4K4 b - 1", SQUARE_NONE, "６二桂成"), "5d6b+");
    ck_assert_str_eq(resolved("4k4/9/3S1S3/9/9/9/9/9/4K4 b - 1", SQUARE_NONE, "５二銀右成"), "4c5b+");
}
END_TEST

START_TEST(a_time_behind_a_move_is_no_source_square)
{
    struct kanji_move move;
    struct text t = text_from("７六歩 (00:01/00:00:01)");
    ck_assert(kanji_take_move(&t, &move));
    ck_assert(!move.drop);
    ck_assert_int_eq(move.from, SQUARE_NONE);
    t = text_from("７六歩 (77:01/00:00:01)");
    ck_assert(kanji_take_move(&t, &move));
    ck_assert_int_eq(move.from, SQUARE_NONE);
}
END_TEST

START_TEST(counts_of_pieces_in_hand_are_read)
{
    for (unsigned n = 1; n <= 18; n++) {
        struct text t = text_from(kanji_number(n));
        unsigned count;
        ck_assert(kanji_take_count(&t, &count));
        ck_assert_uint_eq(count, n);
        ck_assert(text_empty(t));
    }
    unsigned count;
    struct text t = text_from("12　");
    ck_assert(kanji_take_count(&t, &count) && count == 12);
    t = text_from("１０");
    ck_assert(kanji_take_count(&t, &count) && count == 10);
    t = text_from("歩");
    ck_assert(!kanji_take_count(&t, &count));
}
END_TEST

static void both_ways(struct position *pos, Move move, Square last_to, bool absolute)
{
    struct text_buffer out;
    text_buffer_init(&out, 100);
    if (absolute)
        kanji_put_absolute(&out, pos, last_to, move);
    else
        kanji_put_relative(&out, pos, last_to, move, true);
    struct text t = text_buffer_view(&out);
    struct kanji_move kanji;
    Move back = MOVE_NONE;
    bool taken = kanji_take_move(&t, &kanji) && text_empty(t);
    enum kanji_answer answer = taken ? kanji_resolve(pos, last_to, &kanji, &back) : KANJI_ILLEGAL;
    if (answer != KANJI_FOUND || back != move) {
        char usi[MOVETEXT_BYTES_MAX];
        movetext_to_usi(move, usi);
        ck_abort_msg("%s was written as %s and read back as something else (%d)", usi, out.data, answer);
    }
    text_buffer_free(&out);
}

static void all_moves_both_ways(void *user, struct position *pos)
{
    (void)user;
    Move moves[MOVES_MAX];
    size_t count = movegen_legal(pos, moves);
    for (size_t i = 0; i < count; i++) {
        Square last_to = i % 5 == 0 ? move_to(moves[i]) : SQUARE_NONE;
        both_ways(pos, moves[i], last_to, true);
        both_ways(pos, moves[i], last_to, false);
    }
}

START_TEST(every_legal_move_of_random_positions_is_written_and_read_back)
{
    struct playout_starts starts = playout_starts_read("tests/data/perft.tsv");
    playout_run(&starts, 7, 1500, all_moves_both_ways, NULL);
    playout_starts_free(&starts);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("kanji");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, the_association_s_examples_are_written_as_in_its_rules);
    tcase_add_test(tc, texts_from_the_wild_are_understood);
    tcase_add_test(tc, a_time_behind_a_move_is_no_source_square);
    tcase_add_test(tc, counts_of_pieces_in_hand_are_read);
    tcase_add_test(tc, every_legal_move_of_random_positions_is_written_and_read_back);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("kanji", add_cases)
