/* check_archive.c - the list that arguments stand for, and the games in it: order, hidden names, links, patterns,
 * packed files, tables of licences, and that nothing stops at what is no record. */
#include "coordinator/cli/archive.h"
#include "tests/unit/check_main.h"
#include "tests/unit/files.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define GAME_A "V2.2\nPI\n+\n+7776FU\n%TORYO\n"
#define GAME_B "V2.2\nPI\n+\n+2726FU\n-8384FU\n%CHUDAN\n"

static char folder[] = "/tmp/murakumo-archive-XXXXXX";
static struct archive archive;
static struct record record;
static struct text_buffer errors;
static FILE *saved_stderr;

static const char *path_of(const char *name)
{
    static char path[4][PATH_MAX];
    static unsigned next;
    char *out = path[next++ % 4];
    snprintf(out, PATH_MAX, "%s/%s", folder, name);
    return out;
}

static void put_file(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static void put_gzip(const char *name, const char *text)
{
    gzFile file = gzopen(path_of(name), "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(gzwrite(file, text, (unsigned)strlen(text)), (int)strlen(text));
    ck_assert_int_eq(gzclose(file), Z_OK);
}

static void setup(void)
{
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    archive_init(&archive, "test");
    record_init(&record);
    text_buffer_init(&errors, 1 << 20);
    saved_stderr = stderr;
    stderr = fopen(path_of(".errors"), "w+");
}

static void teardown(void)
{
    fclose(stderr);
    stderr = saved_stderr;
    archive_free(&archive);
    record_free(&record);
    text_buffer_free(&errors);
    char command[PATH_MAX + 16];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}

/* All that was said on stderr, the folder's name left out. */
static const char *said(void)
{
    fflush(stderr);
    struct file_bytes bytes = file_load(path_of(".errors"));
    struct text rest = text_make(bytes.data, bytes.length);
    text_buffer_clear(&errors);
    text_buffer_put_string(&errors, "");
    while (!text_empty(rest)) {
        if (text_take(&rest, folder)) continue;
        text_buffer_put_char(&errors, *rest.at++);
    }
    file_free(&bytes);
    return errors.data;
}

/* "name#index:plies " for each game. */
static const char *games(void)
{
    static char out[4096];
    struct archive_game game;
    out[0] = 0;
    enum status st;
    while ((st = archive_next(&archive, &record, &game)) == ST_OK)
        snprintf(out + strlen(out), sizeof out - strlen(out), "%s#%u:%u ", game.file->path + game.file->root_bytes,
                 game.index, record_plies(&record));
    ck_assert_int_eq(st, ST_MISSING);
    return out;
}

START_TEST(a_folder_stands_for_all_below_it_in_one_order)
{
    ck_assert_int_eq(mkdir(path_of("b"), 0700), 0);
    ck_assert_int_eq(mkdir(path_of(".git"), 0700), 0);
    put_file("c.csa", GAME_A);
    put_file("b/2.csa", GAME_A "/\n" GAME_B);
    put_file("b/10.csa", GAME_B);
    put_file("a.txt", GAME_B); /* the name says nothing */
    put_file(".git/hidden.csa", GAME_A);
    put_file(".hidden.csa", GAME_A);
    ck_assert(archive_add(&archive, path_of("")));
    ck_assert_str_eq(games(), "a.txt#0:2 b/10.csa#0:2 b/2.csa#0:1 b/2.csa#1:2 c.csa#0:1 ");
    ck_assert_uint_eq(archive.refused, 0);
    ck_assert_str_eq(said(), "");
}
END_TEST

START_TEST(arguments_keep_their_order_and_patterns_are_sorted)
{
    put_file("z1.csa", GAME_A);
    put_file("z10.csa", GAME_A);
    put_file("z2.csa", GAME_B);
    put_file("a.csa", GAME_B);
    put_file("odd[1].csa", GAME_A); /* a file of that name comes before the pattern */
    ck_assert(archive_add(&archive, path_of("z*.csa")));
    ck_assert(archive_add(&archive, path_of("a.csa")));
    ck_assert(archive_add(&archive, path_of("odd[1].csa")));
    ck_assert_str_eq(games(), "z1.csa#0:1 z10.csa#0:1 z2.csa#0:2 a.csa#0:2 odd[1].csa#0:1 ");
}
END_TEST

START_TEST(the_list_does_not_grow_while_it_is_read)
{
    put_file("a.csa", GAME_A);
    ck_assert(archive_add(&archive, folder));
    put_file("b.csa", GAME_A);
    ck_assert_str_eq(games(), "a.csa#0:1 ");
}
END_TEST

START_TEST(packed_files_are_found_by_content_and_cut_ones_are_said)
{
    put_gzip("a.csa", GAME_A "/\n" GAME_B);
    struct file_bytes bytes = file_load(path_of("a.csa"));
    FILE *file = fopen(path_of("cut.gz"), "wb");
    fwrite(bytes.data, 1, bytes.length - 9, file); /* the checksum and the last byte of the text */
    fclose(file);
    file_free(&bytes);
    ck_assert(archive_add(&archive, folder));
    const char *found = games();
    ck_assert_ptr_eq(strstr(found, "a.csa#0:1 a.csa#1:2 cut.gz#0:1 cut.gz#1:2 "), found);
    ck_assert_uint_eq(archive.refused, 1);
    ck_assert_str_eq(said(), "/cut.gz: compressed file: input ends too early; what comes before is read\n");
}
END_TEST

START_TEST(what_is_no_record_is_named_and_the_run_goes_on)
{
    put_file("a.csa", "hello\n");
    put_file("b.csa", "V2.2\nPI\n+\n+7776FU\n-3334XX\n+2726FU\n");
    put_file("c.csa", GAME_A);
    put_file("d.csa", "");
    ck_assert_int_eq(symlink("nowhere", path_of("e.csa")), 0);
    ck_assert_int_eq(symlink(".", path_of("f")), 0);
    ck_assert_int_eq(mkfifo(path_of("g.csa"), 0600), 0);
    ck_assert(archive_add(&archive, folder));
    ck_assert(archive_add(&archive, path_of("no.csa")));
    ck_assert(archive_add(&archive, path_of("no*.csa")));
    ck_assert_str_eq(games(), "b.csa#0:1 c.csa#0:1 ");
    ck_assert_uint_eq(archive.refused, 8);
    const char *text = said();
    static const char *const lines[] = {
        "/a.csa: line 1: found \"hello\", expected a game record",
        "/b.csa: line 5: found \"-3334XX\", expected",
        "/d.csa: line 1: found nothing, expected a game record",
        "/e.csa: found a link that leads nowhere, expected a file",
        "/f: found a link to a folder above it, expected files",
        "/g.csa: found a pipe, socket or device, expected a file",
        "/no.csa: No such file or directory",
        "/no*.csa: found no file that matches",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        ck_assert_msg(strstr(text, lines[i]), "not said: %s\nbut\n%s", lines[i], text);
}
END_TEST

START_TEST(a_second_reading_says_nothing_again)
{
    put_file("a.csa", "hello\n");
    put_file("b.csa", "V2.2\nPI\n+\nT1\n+7776FU\n");
    ck_assert(archive_add(&archive, folder));
    ck_assert_str_eq(games(), "b.csa#0:1 ");
    char once[1000];
    snprintf(once, sizeof once, "%s", said());
    archive_rewind(&archive);
    ck_assert_str_eq(games(), "b.csa#0:1 ");
    ck_assert_str_eq(said(), once);
    ck_assert_uint_eq(archive.refused, 1);
}
END_TEST

START_TEST(strict_leaves_out_games_with_remarks)
{
    put_file("a.csa", "V2.2\nPI\n+\nT1\n+7776FU\n/\n" GAME_B);
    archive.strict = true;
    ck_assert(archive_add(&archive, folder));
    ck_assert_str_eq(games(), "a.csa#1:2 ");
    ck_assert_uint_eq(archive.refused, 1);
    ck_assert_ptr_nonnull(strstr(said(), "/a.csa: line 1: game 1 is left out (--strict)\n"));
}
END_TEST

START_TEST(a_table_names_source_and_licence)
{
    ck_assert_int_eq(mkdir(path_of("deep"), 0700), 0);
    put_file("MANIFEST.tsv", "plies\tfile\tlicence\tsource\n1\ta.csa\tMIT\there\n1\tdeep/b.csa\tGPL\tthere\n");
    put_file("deep/MANIFEST.tsv", "file\tlicence\r\nb.csa\tCC0\r\n");
    put_file("a.csa", GAME_A);
    put_file("deep/b.csa", GAME_A);
    put_file("c.csa", GAME_A);
    ck_assert(archive_add(&archive, folder));
    ck_assert_uint_eq(archive.file_count, 3);
    ck_assert_str_eq(archive.files[0].licence, "MIT");
    ck_assert_str_eq(archive.files[0].source, "here");
    ck_assert_str_eq(archive.files[1].licence, ""); /* c.csa */
    ck_assert_str_eq(archive.files[2].licence, "CC0");
    ck_assert_str_eq(archive.files[2].source, "");
    ck_assert_uint_eq(archive.refused, 0);
}
END_TEST

START_TEST(a_file_that_is_named_itself_has_a_licence_too)
{
    ck_assert_int_eq(mkdir(path_of("csa"), 0700), 0);
    put_file("MANIFEST.tsv", "file\tlicence\ncsa/a.csa\tMIT\nb.csa\tGPL\n");
    put_file("csa/a.csa", GAME_A);
    put_file("b.csa", GAME_A);
    ck_assert(archive_add(&archive, path_of("csa/a.csa")));
    ck_assert(archive_add(&archive, path_of("*.csa")));
    ck_assert_str_eq(archive.files[0].licence, "MIT");
    ck_assert_str_eq(archive.files[1].licence, "GPL");
    archive_free(&archive);
    char *here = getcwd(NULL, 0);
    ck_assert_int_eq(chdir(folder), 0);
    ck_assert(archive_add(&archive, "b.csa") && archive_add(&archive, "csa/a.csa"));
    ck_assert_str_eq(archive.files[0].licence, "GPL");
    ck_assert_str_eq(archive.files[1].licence, "MIT");
    ck_assert_int_eq(chdir(here), 0);
    free(here);
}
END_TEST

START_TEST(a_table_may_have_any_line_ends)
{
    put_file("MANIFEST.tsv", "file\tlicence\ra.csa\tMIT\rb.csa\tGPL\r\nc.csa\tCC0\nd.csa\tX");
    put_file("a.csa", GAME_A);
    put_file("b.csa", GAME_A);
    put_file("c.csa", GAME_A);
    put_file("d.csa", GAME_A);
    ck_assert(archive_add(&archive, folder));
    static const char *const licences[] = {"MIT", "GPL", "CC0", "X"};
    for (size_t i = 0; i < 4; i++) ck_assert_str_eq(archive.files[i].licence, licences[i]);
}
END_TEST

START_TEST(a_manifest_that_is_no_table_is_a_file_like_any_other)
{
    put_file("MANIFEST.tsv", "nothing\tof\tuse\n");
    put_file("a.csa", GAME_A);
    ck_assert(archive_add(&archive, folder));
    ck_assert_str_eq(games(), "a.csa#0:1 ");
    ck_assert_uint_eq(archive.refused, 1);
}
END_TEST

START_TEST(it_knows_its_files_by_any_name)
{
    put_file("a.csa", GAME_A);
    put_file("b.csa", GAME_A);
    ck_assert_int_eq(link(path_of("a.csa"), path_of("hard")), 0);
    ck_assert_int_eq(symlink("a.csa", path_of("soft")), 0);
    ck_assert(archive_add(&archive, path_of("a.csa")));
    ck_assert(archive_holds(&archive, path_of("a.csa")));
    ck_assert(archive_holds(&archive, path_of("hard")));
    ck_assert(archive_holds(&archive, path_of("soft")));
    ck_assert(!archive_holds(&archive, path_of("b.csa")));
    ck_assert(!archive_holds(&archive, path_of("new.csa")));
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("archive");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_folder_stands_for_all_below_it_in_one_order);
    tcase_add_test(tc, arguments_keep_their_order_and_patterns_are_sorted);
    tcase_add_test(tc, the_list_does_not_grow_while_it_is_read);
    tcase_add_test(tc, packed_files_are_found_by_content_and_cut_ones_are_said);
    tcase_add_test(tc, what_is_no_record_is_named_and_the_run_goes_on);
    tcase_add_test(tc, a_second_reading_says_nothing_again);
    tcase_add_test(tc, strict_leaves_out_games_with_remarks);
    tcase_add_test(tc, a_table_names_source_and_licence);
    tcase_add_test(tc, a_file_that_is_named_itself_has_a_licence_too);
    tcase_add_test(tc, a_table_may_have_any_line_ends);
    tcase_add_test(tc, a_manifest_that_is_no_table_is_a_file_like_any_other);
    tcase_add_test(tc, it_knows_its_files_by_any_name);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("archive", add_cases)
