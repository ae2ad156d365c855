/* check_record.c - games of any format: golden tables, public bug reports, ways there and back, damaged files.
 *
 * tests/golden/records/games.tsv was made by an independent reader with a rules library of its own; reports.tsv by
 * people who read the reports. Neither comes from the code under test. */
#include "common/base/prng.h"
#include "tests/model/playout.h"
#include "tests/unit/check_main.h"
#include "tests/unit/record_helpers.h"

static struct record record, again;

static void setup(void)
{
    record_init(&record);
    record_init(&again);
}

static void teardown(void)
{
    record_free(&record);
    record_free(&again);
}

/* ---- tables ---- */

static const char *without_sign(const char *terminal)
{
    if (strcmp(terminal, "none") == 0) return "";
    while (*terminal == '%' || *terminal == '+' || *terminal == '-') terminal++;
    return terminal;
}

static void compare_game(const struct table_row *row)
{
    const char *name = row->column[0];
    char path[300];
    snprintf(path, sizeof path, "tests/data/games/%s", name);
    struct file_bytes bytes = file_load(path);
    enum record_format format;
    ck_assert_msg(record_read(&record, bytes.data, bytes.length, &format) == ST_OK, "%s", name);
    ck_assert_msg(strncmp(name, record_format_name(format), 3) == 0, "%s: read as %s", name,
                  record_format_name(format));
    ck_assert_msg(strcmp(line_usi(&record, 0), row->column[9]) == 0, "%s: %s", name, line_usi(&record, 0));
    ck_assert_msg(strcmp(sfen_of(&record.initial), row->column[7]) == 0, "%s: %s", name, sfen_of(&record.initial));
    bool illegal = row->column[6][0] != '-';
    ck_assert_msg(record_plies(&record) + illegal == (unsigned)atoi(row->column[4]), "%s", name);
    ck_assert_msg(record.illegal_ply == (illegal ? (unsigned)atoi(row->column[6]) : 0), "%s: illegal at %u", name,
                  record.illegal_ply);
    ck_assert_msg(illegal || strcmp(sfen_of(&record.final), row->column[8]) == 0, "%s: %s", name,
                  sfen_of(&record.final));
    struct text word = record_text(&record, record_main(&record)->end_word);
    bool from_server_line =
        text_is(word, "TIME_UP") && strcmp(row->column[5], "none") == 0; /* #TIME_UP of a client's log */
    ck_assert_msg(from_server_line || text_is(word, without_sign(row->column[5])), "%s: \"%.*s\"", name,
                  (int)text_length(word), word.at);
    ck_assert_msg(!record.rejected, "%s: %s", name, first_problem(&record));
    file_free(&bytes);
}

START_TEST(games_are_what_an_independent_reader_made_of_them)
{
    ck_assert_uint_ge(table_each("tests/golden/records/games.tsv", compare_game), 445);
}
END_TEST

static bool is_readable(const char *name)
{
    const char *dot = strrchr(name, '.');
    static const char *const endings[] = {".csa", ".kif", ".ki2", ".jkf", ".usi", ".sfen"};
    if (strstr(name, "csa-to-ki2-utf8_1")) return false; /* holds "404: Not Found" */
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (strncmp(dot, endings[i], strlen(endings[i])) == 0) return true; /* also .kifu and .ki2u */
    return false;
}

/* The same position in canonical text: a report writes the pieces in hand in another order. */
static const char *canonical(const char *sfen)
{
    struct position pos;
    if (sfen_read(&pos, sfen, strlen(sfen), NULL, NULL) != ST_OK) return sfen;
    static char text[SFEN_BYTES_MAX];
    sfen_write(&pos, text);
    return text;
}

static unsigned reports_compared;

static void compare_report(const struct table_row *row)
{
    const char *name = row->column[0];
    if (!is_readable(name)) return;
    char path[300];
    snprintf(path, sizeof path, "tests/data/records/%s", name);
    struct file_bytes bytes = file_load(path);
    ck_assert_msg(record_read(&record, bytes.data, bytes.length, NULL) == ST_OK, "%s", name);
    ck_assert_msg(strcmp(sfen_of(&record.initial), canonical(row->column[2])) == 0, "%s: %s", name,
                  sfen_of(&record.initial));
    ck_assert_msg(strcmp(sfen_of(&record.final), canonical(row->column[3])) == 0, "%s: %s", name,
                  sfen_of(&record.final));
    ck_assert_msg(strcmp(line_usi(&record, 0), row->column[6]) == 0, "%s: %s", name, line_usi(&record, 0));
    ck_assert_msg(text_is(record_text(&record, record_main(&record)->end_word), without_sign(row->column[4])), "%s",
                  name);
    ck_assert_msg(strcmp(winner_text(record_main(&record)), row->column[5]) == 0, "%s: %s wins", name,
                  winner_text(record_main(&record)));
    ck_assert_msg(!record.rejected, "%s: %s", name, first_problem(&record));
    file_free(&bytes);
    reports_compared++;
}

START_TEST(no_public_bug_report_applies_here)
{
    table_each("tests/golden/records/reports.tsv", compare_report);
    ck_assert_uint_eq(reports_compared, 34);
}
END_TEST

static void read_file(const char *path)
{
    struct file_bytes bytes = file_load(path);
    ck_assert_int_eq(record_read(&record, bytes.data, bytes.length, NULL), ST_OK);
    file_free(&bytes);
}

START_TEST(the_particulars_of_the_reports_hold_too)
{
    read_file("tests/data/records/07.csa"); /* the time after the end is not the last move's */
    ck_assert_int_eq(record.moves[0].time_ms, 3000);
    ck_assert_int_eq(record.moves[1].time_ms, 5000);
    ck_assert_int_eq(record_main(&record)->end_time_ms, 60000);
    read_file("tests/data/records/08.csa"); /* an orphan time is said, not fatal */
    ck_assert_uint_eq(record.problem_count, 1);
    read_file("tests/data/records/17.csa"); /* commas part statements but not names */
    ASSERT_HEADER(&record, RECORD_KEY_BLACK, "A,B");
    ck_assert_int_eq(record.moves[1].time_ms, 6000);
    read_file("tests/data/records/28.kif"); /* blanks inside times */
    ck_assert_int_eq(record.moves[0].time_ms, 1000);
    ck_assert_int_eq(record.moves[1].time_ms, 0);
    read_file("tests/data/records/35.kif"); /* a variation after comments stays out of the main line */
    ck_assert_uint_eq(record.line_count, 2);
    ck_assert_str_eq(line_usi(&record, 1), "2g2f 8c8d");
    read_file("tests/data/records/37.kif"); /* 同 takes the move before it in its own branch */
    ck_assert_uint_eq(record.lines[2].parent, 1);
    ck_assert_str_eq(line_usi(&record, 2), "2b6f 8h6f");
    read_file("tests/data/records/38.kif"); /* several variations at one ply are siblings */
    static const uint32_t plies[] = {1, 2, 2, 1, 1};
    ck_assert_uint_eq(record.line_count, 5);
    for (uint32_t i = 1; i < 5; i++) {
        ck_assert_uint_eq(record.lines[i].parent, 0);
        ck_assert_uint_eq(record.lines[i].from_ply, plies[i]);
    }
    read_file("tests/data/records/47.usi"); /* rep_inf is no move */
    ASSERT_HEADER(&record, RECORD_KEY_PV_END, "rep_inf");
}
END_TEST

START_TEST(the_same_game_in_two_formats_is_the_same_game)
{
    static const char *const pairs[][2] = {
        {"kif/na2hiro_json-kifu-format__kif_8mai.kif", "ki2/na2hiro_json-kifu-format__ki2_8mai.ki2"},
        {"kif/na2hiro_json-kifu-format__kif_9fu.kif", "ki2/na2hiro_json-kifu-format__ki2_9fu.ki2"},
        {"kif/na2hiro_json-kifu-format__kif_9fu.kif", "csa/na2hiro_json-kifu-format__csa_9fu.csa"},
        {"kif/na2hiro_json-kifu-format__kif_chudan.kif", "ki2/na2hiro_json-kifu-format__ki2_chudan.ki2"},
        {"kif/mogproject_mog-core-scala__game_010.kif", "ki2/mogproject_mog-core-scala__game_005.ki2"},
        {"kif/hnakada123_ShogiBoardQ__fixtures_test_basic.kif", "ki2/hnakada123_ShogiBoardQ__fixtures_test_basic.ki2"},
        {"kif/hnakada123_ShogiBoardQ__fixtures_test_basic.kif", "jkf/hnakada123_ShogiBoardQ__fixtures_test_basic.jkf"},
        {"kif/hnakada123_ShogiBoardQ__fixtures_test_basic.kif", "usi/hnakada123_ShogiBoardQ__fixtures_test_basic.usi"},
        {"kif/sunfish-shogi_shogihome__encoding_sjis.kif", "kif/sunfish-shogi_shogihome__encoding_utf8.kif"},
        {"ki2/sunfish-shogi_shogihome__encoding_sjis.ki2", "kif/sunfish-shogi_shogihome__encoding_utf8.kif"},
        {"ki2/sugyan_shogi-kifu-converter__ki2_4.ki2", "ki2/sugyan_shogi-kifu-converter__ki2_4.ki2u"},
        {"kif/sunfish-shogi_shogihome__input_kif-sjis.kif", "ki2/sunfish-shogi_shogihome__input_ki2-sjis.ki2"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct record *both[2] = {&record, &again};
        for (size_t k = 0; k < 2; k++) {
            char path[300];
            snprintf(path, sizeof path, "tests/data/games/%s", pairs[i][k]);
            struct file_bytes bytes = file_load(path);
            ck_assert_msg(record_read(both[k], bytes.data, bytes.length, NULL) == ST_OK, "%s", path);
            file_free(&bytes);
        }
        const char *difference = record_difference(&record, &again, 0);
        ck_assert_msg(!difference, "%s and %s: %s", pairs[i][0], pairs[i][1], difference);
    }
}
END_TEST

/* ---- there and back ---- */

static unsigned what_survives(enum record_output output)
{
    switch (output) {
    case RECORD_OUT_CSA:
        return RECORD_SAME_TIMES | RECORD_SAME_NAMES | RECORD_SAME_COMMENTS;
    case RECORD_OUT_CSA3:
        return RECORD_SAME_TIMES_MS | RECORD_SAME_NAMES | RECORD_SAME_COMMENTS;
    case RECORD_OUT_KIF:
    case RECORD_OUT_JKF:
        return RECORD_SAME_ALL;
    case RECORD_OUT_KI2:
        return RECORD_SAME_TREE | RECORD_SAME_NAMES | RECORD_SAME_COMMENTS;
    case RECORD_OUT_USI:
    case RECORD_OUT_SFEN:
    case RECORD_OUT_COUNT:
        break;
    }
    return 0;
}

static bool can_say_its_end(enum record_output output, const struct record *r)
{
    if (output != RECORD_OUT_USI && output != RECORD_OUT_SFEN) return true;
    uint8_t end = record_main(r)->end;
    return end == RECORD_END_NONE || end == RECORD_END_RESIGN || end == RECORD_END_DECLARATION;
}

static void goes_there_and_back(const char *name)
{
    for (unsigned o = 0; o < RECORD_OUT_COUNT; o++) {
        enum record_output output = (enum record_output)o;
        if (!can_say_its_end(output, &record)) continue;
        struct text_buffer out;
        text_buffer_init(&out, 1 << 24);
        record_write(&record, output, 0, &out);
        ck_assert_int_eq(out.status, ST_OK);
        ck_assert_msg(record_read(&again, out.data, out.length, NULL) == ST_OK, "%s as %u", name, o);
        const char *difference = record_difference(&record, &again, what_survives(output));
        ck_assert_msg(!difference, "%s as %u: %s\n%.3000s", name, o, difference, out.data);
        /* The same through Shift_JIS: what it cannot say is in comments and names only. */
        text_buffer_clear(&out);
        record_write_shift_jis(&record, output, 0, &out);
        ck_assert_int_eq(out.status, ST_OK);
        ck_assert_int_eq(record_read(&again, out.data, out.length, NULL), ST_OK);
        difference = record_difference(&record, &again,
                                       what_survives(output) & ~(unsigned)(RECORD_SAME_COMMENTS | RECORD_SAME_NAMES));
        ck_assert_msg(!difference, "%s as Shift_JIS %u: %s", name, o, difference);
        text_buffer_free(&out);
    }
}

/* Through any two formats one after the other: what both can carry arrives. */
static void goes_through_every_pair(const char *name)
{
    static struct record third;
    record_init(&third);
    struct text_buffer out;
    text_buffer_init(&out, 1 << 24);
    for (unsigned a = 0; a < RECORD_OUT_COUNT; a++) {
        if (!can_say_its_end((enum record_output)a, &record)) continue;
        text_buffer_clear(&out);
        record_write(&record, (enum record_output)a, 0, &out);
        ck_assert_int_eq(record_read(&again, out.data, out.length, NULL), ST_OK);
        for (unsigned b = 0; b < RECORD_OUT_COUNT; b++) {
            if (!can_say_its_end((enum record_output)b, &again)) continue;
            text_buffer_clear(&out);
            record_write(&again, (enum record_output)b, 0, &out);
            ck_assert_int_eq(record_read(&third, out.data, out.length, NULL), ST_OK);
            const char *difference = record_difference(
                &record, &third, what_survives((enum record_output)a) & what_survives((enum record_output)b));
            ck_assert_msg(!difference, "%s as %u, then as %u: %s\n%.3000s", name, a, b, difference, out.data);
        }
    }
    text_buffer_free(&out);
    record_free(&third);
}

static unsigned games_there_and_back;

static void file_there_and_back(const struct table_row *row)
{
    if (!is_readable(row->column[0])) return;
    char path[300];
    snprintf(path, sizeof path, "tests/data/games/%s", row->column[0]);
    struct file_bytes bytes = file_load(path);
    struct record_reader reader;
    ck_assert_msg(record_reader_init(&reader, bytes.data, bytes.length) == ST_OK, "%s: %s", path, reader.error);
    while (record_next(&reader, &record) == ST_OK) {
        if (record.rejected) continue;
        goes_there_and_back(row->column[0]);
        if (games_there_and_back++ % 4 == 0) goes_through_every_pair(row->column[0]);
    }
    ck_assert_msg(reader.games > 0, "%s", path);
    record_reader_free(&reader);
    file_free(&bytes);
}

START_TEST(every_game_file_written_and_read_again_is_the_same_game)
{
    table_each("tests/data/games/MANIFEST.tsv", file_there_and_back);
    ck_assert_uint_gt(games_there_and_back, 260);
}
END_TEST

/* A random game with variations, times, comments and an end, built as a reader would. */
static void build_random_game(struct prng *prng, const struct playout_starts *starts)
{
    static const enum record_end ends[] = {RECORD_END_NONE,    RECORD_END_RESIGN,       RECORD_END_INTERRUPTED,
                                           RECORD_END_TIME_UP, RECORD_END_ILLEGAL_LOSS, RECORD_END_ILLEGAL_WIN,
                                           RECORD_END_IMPASSE, RECORD_END_DECLARATION};
    ck_assert_int_eq(record_begin(&record, RECORD_FORMAT_KIF), ST_OK);
    struct position start = starts->positions[prng_next(prng) % starts->count];
    start.game_ply = 1;
    ck_assert_int_eq(record_set_initial(&record, &start), ST_OK);
    ck_assert_int_eq(record_add_header(&record, RECORD_KEY_BLACK, text_from("先手"), text_from("甲 A,B")), ST_OK);
    ck_assert_int_eq(record_add_header(&record, RECORD_KEY_WHITE, text_from("後手"), text_from("乙")), ST_OK);
    unsigned lines = 1 + prng_below(prng, 6);
    for (unsigned line = 0; line < lines; line++) {
        if (line > 0) {
            uint32_t parent = prng_below(prng, record.line_count);
            const struct record_line *l = &record.lines[parent];
            uint32_t places =
                l->count + (l->end != RECORD_END_NONE); /* against a move, or against the end if there is one */
            if (places == 0) continue;
            uint32_t from_ply = l->from_ply + prng_below(prng, places);
            if (record_branch_from(&record, parent, from_ply) != ST_OK) continue;
        }
        unsigned plies = prng_below(prng, 40);
        for (unsigned i = 0; i < plies; i++) {
            struct position pos = record.now;
            Move move = playout_pick(&pos, prng);
            if (move == MOVE_NONE) break;
            ck_assert_int_eq(record_play(&record, move), ST_OK);
            if (prng_below(prng, 2)) record_set_time(&record, prng_below(prng, 100000));
            if (prng_below(prng, 4) == 0)
                ck_assert_int_eq(
                    record_add_comment(&record, RECORD_COMMENT_USER, text_from("感想　変化：3手, + # % /")), ST_OK);
            if (prng_below(prng, 4) == 0)
                ck_assert_int_eq(record_add_comment(&record, RECORD_COMMENT_PROGRAM, text_from(" 120 +7776FU")), ST_OK);
        }
        enum record_end end = ends[prng_below(prng, sizeof ends / sizeof ends[0])];
        if (end != RECORD_END_NONE) {
            const char *word = record_end_kif(end);
            ck_assert_int_eq(record_set_end(&record, end, text_from(word)), ST_OK);
            record_set_end_time(&record, prng_below(prng, 100000));
        }
    }
    ck_assert_int_eq(record_finish(&record), ST_OK);
}

START_TEST(random_games_with_variations_survive_every_format)
{
    struct playout_starts starts = playout_starts_read("tests/data/perft.tsv");
    struct prng prng = prng_make(11);
    for (int i = 0; i < 300; i++) {
        build_random_game(&prng, &starts);
        goes_there_and_back("a random game");
        if (i % 4 == 0) goes_through_every_pair("a random game");
    }
    playout_starts_free(&starts);
}
END_TEST

/* ---- damage ---- */

/* All moves but the last must be the same: a cut may change what the last text means, never what came before. */
static void check_beginning(const struct record *part, const struct record *whole, const char *name, size_t length)
{
    if (part->line_count == 0) return;
    uint32_t plies = record_plies(part);
    ck_assert_msg(plies <= record_plies(whole) + 1, "%s cut at %zu has more moves", name, length);
    for (uint32_t i = 0; i + 1 < plies; i++)
        ck_assert_msg(part->moves[i].move == whole->moves[i].move, "%s cut at %zu differs at ply %u", name, length,
                      (unsigned)i + 1);
}

static void every_prefix(const struct table_row *row)
{
    enum { LONGEST = 1500 };
    const char *name = row->column[0];
    if (!is_readable(name)) return;
    char path[300];
    snprintf(path, sizeof path, "tests/data/games/%s", name);
    struct file_bytes bytes = file_load(path);
    if (bytes.length <= LONGEST && record_read(&record, bytes.data, bytes.length, NULL) == ST_OK &&
        record.initial.game_ply == 1) {
        bool usi = record.format == RECORD_FORMAT_USI; /* a cut SFEN is another position */
        bool board = strcmp(sfen_of(&record.initial), SFEN_STARTPOS) != 0;
        for (size_t length = 0; length < bytes.length; length++) {
            char *part = malloc(length ? length : 1);
            memcpy(part, bytes.data, length);
            enum status st = record_read(&again, part, length, NULL);
            if (st == ST_OK && !usi && !board && again.format == record.format)
                check_beginning(&again, &record, name, length);
            free(part);
        }
    }
    file_free(&bytes);
}

START_TEST(every_beginning_of_a_file_reads_without_harm) { table_each("tests/data/games/MANIFEST.tsv", every_prefix); }
END_TEST

static struct prng damage_prng;

static void damage(const struct table_row *row)
{
    char path[300];
    snprintf(path, sizeof path, "tests/data/games/%s", row->column[0]);
    struct file_bytes bytes = file_load(path);
    for (int round = 0; round < 4 && bytes.length; round++) {
        unsigned hits = 1 + prng_below(&damage_prng, 8);
        for (unsigned i = 0; i < hits; i++) {
            size_t at = prng_below(&damage_prng, (uint32_t)bytes.length),
                   from = prng_below(&damage_prng, (uint32_t)bytes.length);
            size_t longest = bytes.length - (at > from ? at : from), count = prng_below(&damage_prng, 64);
            if (prng_below(&damage_prng, 2))
                bytes.data[at] = (char)(prng_next(&damage_prng) & 0xFF);
            else
                memmove(bytes.data + at, bytes.data + from, count < longest ? count : longest);
        }
        struct record_reader reader;
        if (record_reader_init(&reader, bytes.data, bytes.length) == ST_OK)
            while (record_next(&reader, &record) == ST_OK) {
                struct text_buffer out;
                text_buffer_init(&out, 1 << 24);
                for (unsigned o = 0; o < RECORD_OUT_COUNT; o++) record_write(&record, (enum record_output)o, o, &out);
                text_buffer_free(&out);
            }
        record_reader_free(&reader);
    }
    file_free(&bytes);
}

START_TEST(damaged_files_are_read_and_written_without_harm)
{
    damage_prng = prng_make(5);
    for (int i = 0; i < 3; i++) table_each("tests/data/games/MANIFEST.tsv", damage);
}
END_TEST

START_TEST(what_is_no_record_is_refused_with_a_reason)
{
    static const struct {
        const char *bytes;
        size_t length;
        const char *error;
    } cases[] = {
        {"", 0, "line 1: found nothing, expected a game record (CSA, KIF, KI2, USI or JKF)"},
        {"404: Not Found", 14, "line 1: found \"404: Not Found\", expected a game record (CSA, KIF, KI2, USI or JKF)"},
        {"\xFF\xFEV\0002\0", 6, "line 1: found \"UTF-16\", expected a game record in UTF-8, Shift_JIS or EUC-JP"},
        {"\x7F"
         "ELF\x02\x01",
         6, "line 1: found \" ELF  \", expected a game record (CSA, KIF, KI2, USI or JKF)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct record_reader reader;
        ck_assert_int_eq(record_reader_init(&reader, cases[i].bytes, cases[i].length), ST_UNKNOWN);
        ck_assert_str_eq(reader.error, cases[i].error);
        ck_assert_int_eq(record_next(&reader, &record), ST_MISSING);
        record_reader_free(&reader);
    }
}
END_TEST

/* ---- rules at the end ---- */

START_TEST(a_repetition_that_nobody_named_decides_the_game)
{
    read_text(&record, "position sfen 4k4/9/9/9/9/9/9/9/K4R3 b - 1 moves 4i5i 5a4a 5i4i 4a5a 4i5i 5a4a 5i4i 4a5a 4i5i "
                       "5a4a 5i4i 4a5a\n");
    ck_assert_str_eq(winner_text(record_main(&record)), "w"); /* Black gave check all along */
    read_text(&record, "startpos moves 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a\n");
    ck_assert_str_eq(winner_text(record_main(&record)), "draw");
    read_text(&record, "startpos moves 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i\n");
    ck_assert_str_eq(winner_text(record_main(&record)), "none");
}
END_TEST

START_TEST(an_illegal_move_loses_whoever_writes_it_down)
{
    const char *head =
        "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ５六角(88)\n"; /* no bishop's move: Black's foul */
    static const struct {
        const char *end, *winner;
    } cases[] = {{"   4 反則勝ち\n", "w"}, {"   4 反則負け\n", "w"}, {"まで3手で先手の反則負け\n", "w"}, {"", "none"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[400];
        snprintf(text, sizeof text, "%s%s", head, cases[i].end);
        read_text(&record, text);
        ck_assert_uint_eq(record.illegal_ply, 3);
        ck_assert_msg(strcmp(winner_text(record_main(&record)), cases[i].winner) == 0, "%s: %s", cases[i].end,
                      winner_text(record_main(&record)));
    }
}
END_TEST

START_TEST(limits_of_the_tree_are_kept)
{
    struct text_buffer text;
    text_buffer_init(&text, 1 << 24);
    text_buffer_put_string(&text, "手合割：平手\n   1 ７六歩(77)\n");
    for (int i = 0; i < RECORD_LINES_MAX + 10; i++) text_buffer_put_string(&text, "変化：1手\n   1 ２六歩(27)\n");
    read_text(&record, text.data);
    ck_assert_uint_eq(record.line_count, RECORD_LINES_MAX);
    ck_assert_uint_ge(record.problem_count, 1);
    text_buffer_clear(&text);
    text_buffer_put_string(&text,
                           "手合割：平手\n"); /* variations far down a long game: replaying them all would take long */
    for (int i = 0; i < 3999; i += 4)
        text_buffer_format(&text, "%d ５八玉(59)\n%d ５二玉(51)\n%d ５九玉(58)\n%d ５一玉(52)\n", i + 1, i + 2, i + 3,
                           i + 4);
    for (int i = 0; i < 3000; i++) text_buffer_put_string(&text, "変化：4000手\n4000 ３四歩(33)\n");
    read_text(&record, text.data);
    ck_assert_uint_le(record.replayed, RECORD_REPLAY_MAX);
    ck_assert_uint_gt(record.line_count, 1000);
    ck_assert_uint_lt(record.line_count, 1100);
    text_buffer_free(&text);
}
END_TEST

START_TEST(too_many_comments_are_said_and_left_out)
{
    struct text_buffer text;
    text_buffer_init(&text, 1 << 24);
    text_buffer_put_string(&text, "手合割：平手\n   1 ７六歩(77)\n");
    for (int i = 0; i < RECORD_COMMENTS_MAX + 5; i++) text_buffer_put_string(&text, "*x\n");
    read_text(&record, text.data);
    ck_assert_uint_eq(record.comment_count, RECORD_COMMENTS_MAX);
    ck_assert_uint_eq(record.problem_count, 5);
    text_buffer_free(&text);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("record");
    tcase_set_timeout(tc, 300); /* a sanitizer on a busy machine */
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, games_are_what_an_independent_reader_made_of_them);
    tcase_add_test(tc, no_public_bug_report_applies_here);
    tcase_add_test(tc, the_particulars_of_the_reports_hold_too);
    tcase_add_test(tc, the_same_game_in_two_formats_is_the_same_game);
    tcase_add_test(tc, every_game_file_written_and_read_again_is_the_same_game);
    tcase_add_test(tc, random_games_with_variations_survive_every_format);
    tcase_add_test(tc, every_beginning_of_a_file_reads_without_harm);
    tcase_add_test(tc, damaged_files_are_read_and_written_without_harm);
    tcase_add_test(tc, what_is_no_record_is_refused_with_a_reason);
    tcase_add_test(tc, a_repetition_that_nobody_named_decides_the_game);
    tcase_add_test(tc, an_illegal_move_loses_whoever_writes_it_down);
    tcase_add_test(tc, limits_of_the_tree_are_kept);
    tcase_add_test(tc, too_many_comments_are_said_and_left_out);
    suite_add_tcase(suite, tc);
}

CHECK_MAIN("record", add_cases)
