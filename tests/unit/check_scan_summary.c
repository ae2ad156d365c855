#include "common/shogi/movetext.h"
#include "coordinator/view/scan_summary.h"
#include "tests/unit/check_main.h"

#include <string.h>

static struct record record;
static struct game_position positions[8];

static void play(const char *black, const char *white, const char *moves, enum record_end end)
{
    struct text rest = text_from(moves), word, none = text_from("");
    ck_assert_int_eq(record_begin(&record, RECORD_FORMAT_USI), ST_OK);
    ck_assert_int_eq(record_add_header(&record, RECORD_KEY_BLACK, none, text_from(black)), ST_OK);
    ck_assert_int_eq(record_add_header(&record, RECORD_KEY_WHITE, none, text_from(white)), ST_OK);
    while (text_take_word(&rest, &word))
        ck_assert_int_eq(record_play(&record, movetext_from_usi(&record.now, word.at, text_length(word))), ST_OK);
    ck_assert_int_eq(record_set_end(&record, end, text_from("TORYO")), ST_OK);
    ck_assert_int_eq(record_finish(&record), ST_OK);
    memset(positions, 0, sizeof positions);
    for (uint32_t ply = 0; ply <= record_plies(&record); ply++) {
        positions[ply].done = true; /* Black is 300 ahead after his second move, as White sees it: -300 */
        positions[ply].score = (struct judge_score){WIRE_SCORE_CP, ply == 3 ? 300 : 0};
        strcpy(positions[ply].best, "1a1a");
    }
}

static unsigned lines_with(const struct text_buffer *out, const char *part)
{
    unsigned n = 0;
    for (const char *at = out->data; at && (at = strstr(at, part)); at += strlen(part)) n++;
    return n;
}

START_TEST(players_have_distributions_and_openings_do_not_care_for_the_order_of_moves)
{
    struct scan_summary s;
    struct text_buffer out;
    record_init(&record);
    scan_summary_init(&s);
    text_buffer_init(&out, 1 << 20);
    play("A", "B", "7g7f 3c3d 2g2f", RECORD_END_RESIGN); /* White resigns: Black wins */
    scan_summary_add(&s, &record, positions);
    play("C", "A", "2g2f 3c3d 7g7f", RECORD_END_RESIGN);
    scan_summary_add(&s, &record, positions);
    scan_summary_write(&s, &out);
    ck_assert_int_eq(out.status, ST_OK);
    ck_assert_uint_eq(lines_with(&out, "\"type\":\"player\""), 3);
    ck_assert_ptr_nonnull(
        strstr(out.data, "\"name\":\"A\",\"games\":2,\"won\":1,\"drawn\":0,\"lost\":1,\"open\":0,\"moves\":3"));
    /* The third move of each game lost 300 cp, 122 permille. */
    ck_assert_ptr_nonnull(strstr(out.data,
                                 "\"name\":\"C\",\"games\":1,\"won\":1,\"drawn\":0,\"lost\":0,\"open\":0,\"moves\":2,"
                                 "\"classes\":{\"best\":0,\"good\":1,\"inaccuracy\":0,\"mistake\":1,"));
    ck_assert_ptr_nonnull(strstr(out.data, "\"150\":1,"));
    /* After three moves both games are in the same position, by whatever way. */
    ck_assert_uint_eq(lines_with(&out, "\"type\":\"opening\""), 1);
    ck_assert_ptr_nonnull(strstr(out.data, "\"ply\":3,\"games\":2,\"black_won\":2,\"white_won\":0,\"drawn\":0"));
    text_buffer_clear(&out); /* the same as tables */
    scan_summary_write_players_csv(&s, &out);
    ck_assert_ptr_nonnull(strstr(out.data, "name,games,won,drawn,lost,open,moves,best,good,inaccuracy,mistake,blunder,"
                                           "missed mate,loss_below_1,"));
    ck_assert_ptr_nonnull(strstr(out.data, "\n\"C\",1,1,0,0,0,2,0,1,0,1,0,0,1,0,0,0,0,1,0,0,122,300\n"));
    text_buffer_clear(&out);
    scan_summary_write_openings_csv(&s, &out);
    ck_assert_str_eq(out.data, "sfen,ply,games,black_won,white_won,drawn\n"
                               "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL w - 4,3,2,2,0,0\n");
    text_buffer_free(&out);
    scan_summary_free(&s);
    record_free(&record);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("scan_summary");
    tcase_add_test(tc, players_have_distributions_and_openings_do_not_care_for_the_order_of_moves);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("scan_summary", add_cases)
