/* check_conf.c - settings from text: types, ranges, places of errors, the command line, the help. */
#include "common/base/conf.h"

#include "tests/unit/check_main.h"

#include <string.h>

struct values {
    bool quiet;
    int64_t threads, offset;
    char name[8], list[32];
};

static const struct conf_key keys[] = {
    CONF_FLAG_KEY(struct values, quiet, "quiet", "say less"),
    CONF_NUMBER_KEY(struct values, threads, "threads", 1, 4096, "N", "search threads"),
    CONF_NUMBER_KEY(struct values, offset, "offset", -50, 50000000, "cp", "an offset"),
    CONF_TEXT_KEY(struct values, name, "name", "NAME", "a name"),
    CONF_LIST_KEY(struct values, list, "listen", "ADDRESS", "addresses"),
};

static struct values values;
static const struct conf_table table = {keys, sizeof keys / sizeof *keys, &values};
static char why[CONF_WHY_BYTES];

static void setup(void)
{
    values = (struct values){.threads = 4, .name = "x"};
    why[0] = 0;
}

static enum status set(const char *name, const char *value)
{
    return conf_set(&table, name, strlen(name), value, strlen(value), why);
}

static enum status read_text(const char *text) { return conf_read(&table, text, strlen(text), "test.conf", why); }

START_TEST(values_of_every_kind_are_taken)
{
    ck_assert_int_eq(set("quiet", "yes"), ST_OK);
    ck_assert(values.quiet);
    ck_assert_int_eq(set("quiet", "off"), ST_OK);
    ck_assert(!values.quiet);
    ck_assert_int_eq(set("threads", "4096"), ST_OK);
    ck_assert_int_eq(values.threads, 4096);
    ck_assert_int_eq(set("offset", "-50"), ST_OK);
    ck_assert_int_eq(values.offset, -50);
    ck_assert_int_eq(set("offset", "2k"), ST_OK);
    ck_assert_int_eq(values.offset, 2000);
    ck_assert_int_eq(set("offset", "3M"), ST_OK);
    ck_assert_int_eq(values.offset, 3000000);
    ck_assert_int_eq(set("name", "1234567"), ST_OK);
    ck_assert_str_eq(values.name, "1234567");
    ck_assert_int_eq(set("name", ""), ST_OK);
    ck_assert_str_eq(values.name, "");
    ck_assert_int_eq(set("listen", "a"), ST_OK);
    ck_assert_int_eq(set("listen", "b"), ST_OK);
    ck_assert_str_eq(values.list, "a\nb");
}
END_TEST

START_TEST(what_is_wrong_changes_nothing_and_is_named)
{
    static const struct {
        const char *name, *value;
        enum status status;
        const char *part;
    } cases[] = {
        {"threads", "0", ST_RANGE, "threads: found \"0\", expected a number 1..4096 N"},
        {"threads", "4097", ST_RANGE, "1..4096"},
        {"threads", "99999999999999999999", ST_RANGE, "1..4096"},
        {"offset", "9223372036854775807G", ST_RANGE, "offset"},
        {"threads", "", ST_SYNTAX, "found \"\""},
        {"threads", "-", ST_SYNTAX, "expected a number"},
        {"threads", "4 8", ST_SYNTAX, "expected a number"},
        {"threads", "0x10", ST_SYNTAX, "expected a number"},
        {"threads", "4kk", ST_SYNTAX, "expected a number"},
        {"quiet", "perhaps", ST_SYNTAX, "expected yes or no"},
        {"name", "12345678", ST_TOO_BIG, "expected at most 7"},
        {"name", "a\nb", ST_SYNTAX, "control character"},
        {"thread", "4", ST_UNKNOWN, "found \"thread\", which is no setting"},
        {"", "4", ST_UNKNOWN, "no setting"},
    };
    struct values before = values;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_int_eq(set(cases[i].name, cases[i].value), cases[i].status);
        ck_assert_msg(strstr(why, cases[i].part) != NULL, "\"%s\" lacks \"%s\"", why, cases[i].part);
        ck_assert_int_eq(memcmp(&before, &values, sizeof values), 0);
    }
    while (set("listen", "abcdefg") == ST_OK) {
    }
    ck_assert_str_eq(values.list, "abcdefg\nabcdefg\nabcdefg\nabcdefg"); /* 31 bytes and a 0: full */
}
END_TEST

START_TEST(a_file_has_comments_blanks_and_any_line_end)
{
    ck_assert_int_eq(read_text("\xef\xbb\xbf# first\r\n\r\n  threads=7 \r\nname = a#b # the rest\n\tquiet\t=\tyes"),
                     ST_OK);
    ck_assert_int_eq(values.threads, 7);
    ck_assert_str_eq(values.name, "a#b");
    ck_assert(values.quiet);
    ck_assert_int_eq(read_text(""), ST_OK);
    ck_assert_int_eq(read_text("\n\n\n"), ST_OK);
    ck_assert_int_eq(read_text("threads = 1\nthreads = 2\n"), ST_OK);
    ck_assert_int_eq(values.threads, 2); /* later lines win */
}
END_TEST

START_TEST(an_error_in_a_file_names_file_and_line)
{
    ck_assert_int_eq(read_text("threads = 1\n\n# x\nthreads = many\n"), ST_SYNTAX);
    ck_assert_ptr_nonnull(strstr(why, "test.conf:4: threads: found \"many\""));
    ck_assert_int_eq(read_text("threads\n"), ST_SYNTAX);
    ck_assert_ptr_nonnull(strstr(why, "test.conf:1: found \"threads\", expected NAME = VALUE"));
    ck_assert_int_eq(conf_read(&table, "threads\0= 3", 11, "test.conf", why), ST_UNKNOWN);
}
END_TEST

START_TEST(the_command_line_keeps_what_is_no_option)
{
    char a0[] = "one", a1[] = "--threads", a2[] = "9", a3[] = "-", a4[] = "--quiet", a5[] = "--name=bob", a6[] = "-5",
         a7[] = "--", a8[] = "--quiet";
    char *arguments[] = {a0, a1, a2, a3, a4, a5, a6, a7, a8};
    int count = 9;
    ck_assert_int_eq(conf_arguments(&table, arguments, &count, why), ST_OK);
    ck_assert_int_eq(count, 4);
    ck_assert_ptr_eq(arguments[0], a0);
    ck_assert_ptr_eq(arguments[1], a3);
    ck_assert_ptr_eq(arguments[2], a6);
    ck_assert_ptr_eq(arguments[3], a8);
    ck_assert_int_eq(values.threads, 9);
    ck_assert_str_eq(values.name, "bob");
    ck_assert(values.quiet);
}
END_TEST

START_TEST(a_wrong_command_line_is_told)
{
    char unknown[] = "--thread", short_option[] = "-t", threads[] = "--threads", bad[] = "--threads=x",
         no[] = "--quiet=no";
    char *arguments[1];
    int count = 1;
    arguments[0] = unknown;
    ck_assert_int_eq(conf_arguments(&table, arguments, &count, why), ST_UNKNOWN);
    arguments[0] = short_option;
    ck_assert_int_eq(conf_arguments(&table, arguments, &count, why), ST_UNKNOWN);
    arguments[0] = threads;
    ck_assert_int_eq(conf_arguments(&table, arguments, &count, why), ST_MISSING);
    arguments[0] = bad;
    ck_assert_int_eq(conf_arguments(&table, arguments, &count, why), ST_SYNTAX);
    ck_assert_ptr_nonnull(strstr(why, "--threads: found \"x\""));
    values.quiet = true;
    arguments[0] = no;
    ck_assert_int_eq(conf_arguments(&table, arguments, &count, why), ST_OK);
    ck_assert(!values.quiet);
}
END_TEST

START_TEST(the_help_names_every_key_with_unit_range_and_default)
{
    char text[2048];
    size_t length = conf_help(&table, text, sizeof text);
    ck_assert_uint_eq(length, strlen(text));
    ck_assert_ptr_nonnull(strstr(text, "--quiet "));
    ck_assert_ptr_nonnull(strstr(text, "--threads N"));
    ck_assert_ptr_nonnull(strstr(text, "(1..4096, default 4)"));
    ck_assert_ptr_nonnull(strstr(text, "(default x)"));
    ck_assert_ptr_nonnull(strstr(text, "(may be repeated)"));
    for (size_t capacity = 0; capacity < 200; capacity++) {
        memset(text, '!', sizeof text);
        length = conf_help(&table, text, capacity);
        ck_assert(capacity == 0 ? length == 0 : length < capacity && text[length] == 0);
        ck_assert_int_eq(text[capacity], '!');
    }
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tcase = tcase_create("conf");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, values_of_every_kind_are_taken);
    tcase_add_test(tcase, what_is_wrong_changes_nothing_and_is_named);
    tcase_add_test(tcase, a_file_has_comments_blanks_and_any_line_end);
    tcase_add_test(tcase, an_error_in_a_file_names_file_and_line);
    tcase_add_test(tcase, the_command_line_keeps_what_is_no_option);
    tcase_add_test(tcase, a_wrong_command_line_is_told);
    tcase_add_test(tcase, the_help_names_every_key_with_unit_range_and_default);
    suite_add_tcase(suite, tcase);
}

CHECK_MAIN("conf", add_cases)
