/* check_movetext.c - moves as USI text. */
#include <string.h>

#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "common/shogi/sfen.h"
#include "tests/model/playout.h"
#include "tests/unit/check_main.h"

static Move parse(const char *text) { return movetext_parse(text, strlen(text)); }

START_TEST(texts_name_the_moves_that_they_say)
{
    ck_assert_uint_eq(parse("7g7f"), move_make(square_make(7, 7), square_make(7, 6)));
    ck_assert_uint_eq(parse("8h2b+"), move_make_promote(square_make(8, 8), square_make(2, 2)));
    ck_assert_uint_eq(parse("P*5e"), move_make_drop(PAWN, square_make(5, 5)));
    ck_assert_uint_eq(parse("G*1i"), move_make_drop(GOLD, square_make(1, 9)));
    ck_assert_uint_eq(parse("9a9i"), move_make(square_make(9, 1), square_make(9, 9)));
}
END_TEST

START_TEST(every_syntactic_move_survives_writing_and_reading)
{
    char text[MOVETEXT_BYTES_MAX];
    for (unsigned source = 0; source <= SQUARE_COUNT + GOLD; source++)
        for (unsigned to = 0; to < SQUARE_COUNT; to++)
            for (unsigned promote = 0; promote <= (source < SQUARE_COUNT); promote++) {
                if (source == to || source == SQUARE_COUNT) continue;
                Move move = (Move)(to | source << 7 | promote << 14);
                size_t length = movetext_to_usi(move, text);
                ck_assert_uint_eq(strlen(text), length);
                if (parse(text) != move) ck_abort_msg("%s", text);
            }
}
END_TEST

START_TEST(what_is_no_move_text_is_refused)
{
    static const char *const bad[] = {
        "",      "7",     "7g",   "7g7",    "7g7f7", "7g7f++", "0a1a",  "1a0a", "1j1a", "1a1j",
        "7g7f ", " 7g7f", "7G7F", "p*5e",   "K*5e",  "P*5e+",  "P*0e",  "P*5j", "P5e",  "P**5e",
        "+P*5e", "7g7g",  "win",  "resign", "0000",  "none",   "7g7f=", "pass", "P*",   "\xe3\x81\x82*5e",
        "a1a1",  "1a1a+",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) ck_assert_msg(parse(bad[i]) == MOVE_NONE, "%s", bad[i]);
    ck_assert_uint_eq(movetext_parse("\0*5e", 4), MOVE_NONE);
    ck_assert_uint_eq(movetext_parse("7g\0f", 4), MOVE_NONE);
    ck_assert_uint_eq(movetext_parse("7g7f+", 4), parse("7g7f"));
}
END_TEST

START_TEST(no_byte_string_of_up_to_six_bytes_is_misread)
{
    struct prng prng = prng_make(5);
    static const char letters[] = "123456789abcdefghi+*PLNSBRGKplnsbrgk 0j\xff";
    for (int i = 0; i < 300000; i++) {
        char text[8], written[MOVETEXT_BYTES_MAX];
        size_t bytes = prng_below(&prng, 7);
        for (size_t n = 0; n < bytes; n++) text[n] = letters[prng_below(&prng, sizeof letters)];
        Move move = movetext_parse(text, bytes);
        if (move == MOVE_NONE) continue;
        size_t length = movetext_to_usi(move, written);
        if (length != bytes || memcmp(text, written, bytes) != 0)
            ck_abort_msg("%.*s read as %s", (int)bytes, text, written);
    }
}
END_TEST

START_TEST(special_moves_have_their_usi_words)
{
    char text[MOVETEXT_BYTES_MAX];
    static const struct {
        Move move;
        const char *word;
    } words[] = {{MOVE_WIN, "win"}, {MOVE_RESIGN, "resign"}, {MOVE_NULL, "0000"}, {MOVE_NONE, "none"}};
    for (size_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(movetext_to_usi(words[i].move, text), strlen(words[i].word));
        ck_assert_str_eq(text, words[i].word);
    }
}
END_TEST

START_TEST(only_legal_moves_are_taken_from_a_position)
{
    struct position pos = playout_position(SFEN_STARTPOS);
    unsigned taken = 0;
    char text[MOVETEXT_BYTES_MAX];
    for (unsigned code = 0; code < 1u << 15; code++) {
        if (!move_is_real((Move)code) || (code & 127) >= 81 || ((code >> 7) & 127) == 81 ||
            ((code >> 7) & 127) > 81 + GOLD)
            continue;
        size_t length = movetext_to_usi((Move)code, text);
        taken += movetext_from_usi(&pos, text, length) != MOVE_NONE;
    }
    ck_assert_uint_eq(taken, 30);
}
END_TEST

START_TEST(non_promotions_are_accepted_as_input)
{
    struct position pos = playout_position("4k4/9/7R1/P8/9/9/9/9/4K4 b - 1");
    ck_assert_uint_ne(movetext_from_usi(&pos, "9d9c", 4), MOVE_NONE);
    ck_assert_uint_ne(movetext_from_usi(&pos, "9d9c+", 5), MOVE_NONE);
    ck_assert_uint_ne(movetext_from_usi(&pos, "2c2a", 4), MOVE_NONE);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *text = tcase_create("text");
    tcase_add_test(text, texts_name_the_moves_that_they_say);
    tcase_add_test(text, every_syntactic_move_survives_writing_and_reading);
    tcase_add_test(text, what_is_no_move_text_is_refused);
    tcase_add_test(text, no_byte_string_of_up_to_six_bytes_is_misread);
    tcase_add_test(text, special_moves_have_their_usi_words);
    tcase_add_test(text, only_legal_moves_are_taken_from_a_position);
    tcase_add_test(text, non_promotions_are_accepted_as_input);
    suite_add_tcase(suite, text);
}

CHECK_MAIN("movetext", add_cases)
