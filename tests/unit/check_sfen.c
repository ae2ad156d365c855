/* check_sfen.c - SFEN in, SFEN out, and what is refused with which place and reason. */
#include <string.h>

#include "common/shogi/sfen.h"
#include "tests/model/playout.h"
#include "tests/unit/check_main.h"

#define KINGS "4k4/9/9/9/9/9/9/9/4K4"

static void round_trip(void *user, struct position *pos)
{
    (void)user;
    char text[SFEN_BYTES_MAX], again[SFEN_BYTES_MAX];
    struct position back;
    size_t used, length = sfen_write(pos, text);
    if (sfen_read(&back, text, length, &used, NULL) != ST_OK) ck_abort_msg("%s", text);
    if (used != length || sfen_write(&back, again) != length || strcmp(text, again) != 0)
        ck_abort_msg("%s -> %s", text, again);
    if (position_key(&back) != position_key(pos) || back.game_ply != pos->game_ply) ck_abort_msg("%s", text);
}

START_TEST(what_is_written_reads_back_as_the_same_position)
{
    struct playout_starts starts = playout_starts_read("tests/data/perft.tsv");
    playout_run(&starts, 1, 50000, round_trip, NULL);
    playout_starts_free(&starts);
}
END_TEST

START_TEST(canonical_texts_are_written_as_they_were_read)
{
    static const char *const texts[] = {
        SFEN_STARTPOS,
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
        KINGS " b 2R2B4G4S4N4L18P 30000",
        KINGS " w 2r2b4g4s4n4l18p 1",
        KINGS " b RBGSNLPrbgsnlp 7",
        "8k/9/9/9/9/9/9/9/9 b P 1",
        "+l+n+s1k1+s+n+l/1+r5+b1/+p+p+p+p+p+p+p+p+p/9/9/9/+P+P+P+P+P+P+P+P+P/1+B5+R1/+L+N+SGKG+S+N+L b - 1",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct position pos = playout_position(texts[i]);
        char text[SFEN_BYTES_MAX];
        sfen_write(&pos, text);
        ck_assert_str_eq(text, texts[i]);
    }
}
END_TEST

START_TEST(the_longest_text_fits)
{
    /* promoted pieces and single gaps need the most bytes */
    struct position pos = playout_position("+p1+p1+p1+p1+p/1+p1+p1+p1+p1/+p1+p1+p1+p1+p/1+p1+p1+p1+p1/+l1+l1+l1+l1+n/"
                                           "1+n1+n1+n1+s1/+s1+s1+s1+b1+b/1+r1+r1g1g1/g1g6 w - 30000");
    char text[SFEN_BYTES_MAX];
    ck_assert_uint_lt(sfen_write(&pos, text), SFEN_BYTES_MAX);
}
END_TEST

START_TEST(tolerated_forms_are_read_as_their_canonical_ones)
{
    static const struct {
        const char *text, *canonical;
        size_t used;
    } forms[] = {
        {KINGS " b -", KINGS " b - 1", 25},
        {KINGS " b - ", KINGS " b - 1", 25},
        {KINGS "  b   -   12", KINGS " b - 12", 33},
        {"  " KINGS " b - 3", KINGS " b - 3", 29},
        {KINGS " b p2PR 5", KINGS " b R2Pp 5", 30},
        {KINGS " b PPPlP 5", KINGS " b 4Pl 5", 31},
        {KINGS " b 1P 5", KINGS " b P 5", 28},
        {KINGS " b - 0", KINGS " b - 1", 27},
        {KINGS " b - moves 5i5h", KINGS " b - 1", 25},
        {KINGS " b - 9 moves 5i5h", KINGS " b - 9", 27},
        {KINGS " w -\r\n", KINGS " w - 1", 25},
        {"4k4/9/9/9/9/9/9/9/111111111 b - 1", "4k4/9/9/9/9/9/9/9/9 b - 1", 33},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct position pos;
        struct sfen_error error;
        char text[SFEN_BYTES_MAX];
        size_t used = 0;
        ck_assert_msg(sfen_read(&pos, forms[i].text, strlen(forms[i].text), &used, &error) == ST_OK, "%s",
                      forms[i].text);
        sfen_write(&pos, text);
        ck_assert_str_eq(text, forms[i].canonical);
        ck_assert_msg(used == forms[i].used, "%s: used %zu", forms[i].text, used);
    }
}
END_TEST

START_TEST(bad_texts_are_refused_with_place_and_reason_and_change_nothing)
{
    static const struct {
        const char *text;
        enum status status;
        size_t offset;
        const char *word;
    } bad[] = {
        {"", ST_TRUNCATED, 0, "rank 1"},
        {"4k4", ST_TRUNCATED, 3, "rank 1"},
        {"4k4/9/9/9/9/9/9/9", ST_TRUNCATED, 17, "rank 8"},
        {KINGS, ST_TRUNCATED, 21, "side to move"},
        {KINGS " ", ST_TRUNCATED, 22, "side to move"},
        {KINGS " b", ST_TRUNCATED, 23, "in hand"},
        {"4k5/9/9/9/9/9/9/9/4K4 b - 1", ST_SYNTAX, 2, "more than 9"},
        {"4k3/9/9/9/9/9/9/9/4K4 b - 1", ST_SYNTAX, 3, "only 8"},
        {"4k4/9/9/9/9/9/9/9/4K4/9 b - 1", ST_SYNTAX, 21, "blank"},
        {"4k4P/9/9/9/9/9/9/9/4K4 b - 1", ST_SYNTAX, 3, "'/'"},
        {"4x4/9/9/9/9/9/9/9/4K4 b - 1", ST_SYNTAX, 1, "'x'"},
        {"4\x01"
         "4/9/9/9/9/9/9/9/4K4 b - 1",
         ST_SYNTAX, 1, "0x01"},
        {"4+k4/9/9/9/9/9/9/9/4K4 b - 1", ST_SYNTAX, 1, "king cannot be promoted"},
        {"4k4/9/9/9/4+G4/9/9/9/4K4 b - 1", ST_SYNTAX, 11, "gold cannot be promoted"},
        {"4k4/9/9/9/9/9/9/9/4K3+ b - 1", ST_SYNTAX, 21, "0x20 is no piece"},
        {"4k4/9/9/9/9/9/9/9/4K4 x - 1", ST_SYNTAX, 22, "'b' or 'w'"},
        {"4k4/9/9/9/9/9/9/9/4K4 B - 1", ST_SYNTAX, 22, "'b' or 'w'"},
        {"4k4/9/9/9/9/9/9/9/4K4 bw 1", ST_SYNTAX, 23, "blank"},
        {"4k4/9/9/9/9/9/9/9/4K4 b 3 1", ST_SYNTAX, 25, "without a piece"},
        {"4k4/9/9/9/9/9/9/9/4K4 b K 1", ST_SYNTAX, 24, "in hand"},
        {"4k4/9/9/9/9/9/9/9/4K4 b +P 1", ST_SYNTAX, 24, "in hand"},
        {"4k4/9/9/9/9/9/9/9/4K4 b P- 1", ST_SYNTAX, 25, "in hand"},
        {"4k4/9/9/9/9/9/9/9/4K4 b -P 1", ST_SYNTAX, 25, "blank"},
        {"4k4/9/9/9/9/9/9/9/4K4 b 0P 1", ST_SYNTAX, 24, "leave it out"},
        {"4k4/9/9/9/9/9/9/9/4K4 b 19P 1", ST_ILLEGAL, 24, "18"},
        {"4k4/9/9/9/9/9/9/9/4K4 b 99999999999999999999P 1", ST_ILLEGAL, 24, "18"},
        {"4k4/9/9/9/9/9/9/9/4K4 b 3R 1", ST_ILLEGAL, 24, "more than 2 rooks"},
        {"4k4/9/9/9/4R4/9/9/9/4KR3 w r 1", ST_ILLEGAL, 27, "more than 2 rooks"},
        {"4k4/9/9/4+B4/4B4/4b4/9/9/4K4 b - 1", ST_ILLEGAL, 18, "more than 2 bishops"},
        {"4k4/9/9/4+B3b/9/9/9/9/4K4 b B 1", ST_ILLEGAL, 28, "more than 2 bishops"},
        {"3kk4/9/9/9/9/9/9/9/4K4 b - 1", ST_ILLEGAL, 2, "White has two kings"},
        {"4k4/9/9/9/9/9/9/9/4KK3 b - 1", ST_ILLEGAL, 20, "Black has two kings"},
        {"4k4/9/9/9/P8/P8/9/9/4K4 b - 1", ST_ILLEGAL, 13, "two pawns on file 9"},
        {"4k4/9/9/9/8p/9/9/8p/4K4 b - 1", ST_ILLEGAL, 18, "two pawns on file 1"},
        {"P3k4/9/9/9/9/9/9/9/4K4 b - 1", ST_ILLEGAL, 0, "can never move"},
        {"L3k4/9/9/9/9/9/9/9/4K4 b - 1", ST_ILLEGAL, 0, "can never move"},
        {"4k4/N8/9/9/9/9/9/9/4K4 b - 1", ST_ILLEGAL, 4, "can never move"},
        {"4k4/9/9/9/9/9/9/9/p3K4 b - 1", ST_ILLEGAL, 18, "can never move"},
        {"4k4/9/9/9/9/9/9/n8/4K4 b - 1", ST_ILLEGAL, 16, "can never move"},
        {"4k4/4P4/9/9/9/9/9/9/4K4 b - 1", ST_ILLEGAL, 0, "White is in check"},
        {"4k4/9/9/9/9/9/9/4l4/4K4 w - 1", ST_ILLEGAL, 0, "Black is in check"},
        {"4k4/9/9/9/9/9/9/9/4K4 b - 30001", ST_RANGE, 26, "move number"},
        {"4k4/9/9/9/9/9/9/9/4K4 b - 99999999999999999999999", ST_RANGE, 26, "move number"},
        {"4k4/9/9/9/9/9/9/9/4K4 b - 12x", ST_SYNTAX, 28, "move number"},
        {"startpos", ST_SYNTAX, 1, "'t'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct position pos = playout_position(SFEN_STARTPOS);
        struct sfen_error error;
        size_t used = 777;
        enum status st = sfen_read(&pos, bad[i].text, strlen(bad[i].text), &used, &error);
        ck_assert_msg(st == bad[i].status, "%s: status %d (%s)", bad[i].text, st, st == ST_OK ? "" : error.text);
        ck_assert_int_eq(error.status, st);
        ck_assert_msg(error.offset == bad[i].offset, "%s: byte %zu: %s", bad[i].text, error.offset, error.text);
        ck_assert_msg(strstr(error.text, bad[i].word) != NULL, "%s: %s", bad[i].text, error.text);
        ck_assert_uint_eq(used, 777);
        char text[SFEN_BYTES_MAX];
        sfen_write(&pos, text);
        ck_assert_str_eq(text, SFEN_STARTPOS);
        ck_assert_int_eq(sfen_read(&pos, bad[i].text, strlen(bad[i].text), NULL, NULL), st);
    }
}
END_TEST

START_TEST(promoted_pieces_on_dead_squares_and_tokins_on_a_pawn_file_are_fine)
{
    struct position pos = playout_position("+P3k4/+N8/+P8/P8/9/9/9/9/4K4 b - 1");
    ck_assert_uint_eq(pos.board[square_make(9, 1)], piece_make(BLACK, PRO_PAWN));
}
END_TEST

START_TEST(no_prefix_of_a_text_and_no_changed_byte_is_misread)
{
    static const char text[] = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 13";
    struct prng prng = prng_make(9);
    struct position pos;
    for (size_t bytes = 0; bytes < sizeof text - 1; bytes++) {
        size_t used;
        enum status st = sfen_read(&pos, text, bytes, &used, NULL);
        if (st == ST_OK) ck_assert_uint_le(used, bytes);
    }
    for (int i = 0; i < 300000; i++) {
        char changed[sizeof text], written[SFEN_BYTES_MAX], again[SFEN_BYTES_MAX];
        memcpy(changed, text, sizeof text);
        for (uint32_t n = prng_below(&prng, 3) + 1; n > 0; n--) {
            uint32_t at = prng_below(&prng, sizeof text - 1);
            changed[at] = (char)prng_next(&prng);
            if (prng_chance(&prng, 700)) changed[at] = text[prng_below(&prng, sizeof text - 1)];
        }
        if (sfen_read(&pos, changed, sizeof text - 1, NULL, NULL) != ST_OK) continue;
        sfen_write(&pos, written);
        if (sfen_read(&pos, written, strlen(written), NULL, NULL) != ST_OK) ck_abort_msg("%s", written);
        sfen_write(&pos, again);
        if (strcmp(written, again) != 0) ck_abort_msg("%s -> %s", written, again);
    }
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *sfen = tcase_create("sfen");
    tcase_add_test(sfen, what_is_written_reads_back_as_the_same_position);
    tcase_add_test(sfen, canonical_texts_are_written_as_they_were_read);
    tcase_add_test(sfen, the_longest_text_fits);
    tcase_add_test(sfen, tolerated_forms_are_read_as_their_canonical_ones);
    tcase_add_test(sfen, bad_texts_are_refused_with_place_and_reason_and_change_nothing);
    tcase_add_test(sfen, promoted_pieces_on_dead_squares_and_tokins_on_a_pawn_file_are_fine);
    tcase_add_test(sfen, no_prefix_of_a_text_and_no_changed_byte_is_misread);
    suite_add_tcase(suite, sfen);
}

CHECK_MAIN("sfen", add_cases)
