/* check_log.c - log lines: level, form, time, foreign text. Dates are those of `date -u -d @N`. */
#include "common/base/log.h"

#include "tests/unit/check_main.h"

#include <string.h>

static char seen[LOG_LINE_BYTES_MAX + 100];
static size_t seen_length;
static int lines;

static void sink(void *context, enum log_level level, const char *line, size_t length)
{
    (void)context;
    (void)level;
    memcpy(seen, line, length);
    seen[length] = 0;
    seen_length = length;
    lines++;
}

static int64_t fixed_time(void) { return 1767323045678; }

static void setup(void)
{
    log_set_sink(sink, NULL);
    log_set_level(LOG_INFO);
    log_set_clock(NULL);
    lines = 0;
}

START_TEST(a_line_has_level_event_and_values)
{
    log_info("worker_joined name=%s threads=%d", "alpha", 8);
    ck_assert_str_eq(seen, "info worker_joined name=alpha threads=8");
    log_set_clock(fixed_time);
    log_error("disk_full free_mb=%d", 3);
    ck_assert_str_eq(seen, "2026-01-02T03:04:05.678Z error disk_full free_mb=3");
}
END_TEST

START_TEST(levels_above_the_highest_are_silent)
{
    log_debug("nothing");
    ck_assert_int_eq(lines, 0);
    ck_assert(!log_enabled(LOG_DEBUG));
    ck_assert(log_enabled(LOG_WARN));
    enum log_level level;
    ck_assert(log_level_from_name("debug", &level) && level == LOG_DEBUG);
    ck_assert(!log_level_from_name("loud", &level));
}
END_TEST

START_TEST(no_line_is_longer_than_the_limit_or_holds_control_characters)
{
    static char text[5000];
    memset(text, 'x', sizeof text - 1);
    text[10] = '\n';
    text[11] = '\033';
    log_warn("%s", text);
    ck_assert_uint_le(seen_length, LOG_LINE_BYTES_MAX);
    for (size_t i = 0; i < seen_length; i++) ck_assert((unsigned char)seen[i] >= ' ');
}
END_TEST

START_TEST(foreign_text_is_made_harmless)
{
    ck_assert_str_eq(log_quote("a\"b\\c\nd\xff", 8).text, "a?b?c?d?");
    ck_assert_str_eq(log_quote("", 0).text, "");
    char text[300];
    memset(text, 'y', sizeof text);
    ck_assert_uint_eq(strlen(log_quote(text, sizeof text).text), 120);
}
END_TEST

START_TEST(times_are_written_as_dates)
{
    static const struct {
        int64_t unix_ms;
        const char *text;
    } cases[] = {
        {0, "1970-01-01T00:00:00.000Z"},
        {951782399999, "2000-02-28T23:59:59.999Z"},
        {951782400000, "2000-02-29T00:00:00.000Z"},
        {951868800000, "2000-03-01T00:00:00.000Z"},
        {1709164800000, "2024-02-29T00:00:00.000Z"},
        {1767225599000, "2025-12-31T23:59:59.000Z"},
        {4107542400000, "2100-03-01T00:00:00.000Z"},
        {253402300799999, "9999-12-31T23:59:59.999Z"},
        {-5, "1970-01-01T00:00:00.000Z"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[40];
        log_time_write(cases[i].unix_ms, text);
        ck_assert_str_eq(text, cases[i].text);
    }
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tcase = tcase_create("log");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, a_line_has_level_event_and_values);
    tcase_add_test(tcase, levels_above_the_highest_are_silent);
    tcase_add_test(tcase, no_line_is_longer_than_the_limit_or_holds_control_characters);
    tcase_add_test(tcase, foreign_text_is_made_harmless);
    tcase_add_test(tcase, times_are_written_as_dates);
    suite_add_tcase(suite, tcase);
}

CHECK_MAIN("log", add_cases)
