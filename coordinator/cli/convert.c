/* convert.c - `murakumo convert IN... [-o OUT]`: game records from any format into another, all the games of an archive
 * into one file or a folder, equal games left out if wanted. */
#include "common/net/clock.h"
#include "common/net/settings.h"
#include "common/shogi/recordjson.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/archive_out.h"
#include "coordinator/cli/progress.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { GAME_BYTES_MAX = 64 << 20 };

struct settings {
    bool help, strict, dedup;
    char to[16], encoding[16], out[4096];
};

static const struct conf_key keys[] = {
    CONF_TEXT_KEY(struct settings, to, "to", "FORMAT",
                  "csa (2.2), csa3, kif, ki2, usi, sfen, jkf or jsonl; else OUT's ending says it, else jsonl"),
    CONF_TEXT_KEY(struct settings, encoding, "encoding", "NAME", "utf-8 or sjis"),
    CONF_TEXT_KEY(struct settings, out, "out", "OUT", "file, or folder (with / at its end, if new); also -o OUT"),
    CONF_FLAG_KEY(struct settings, strict, "strict", "leave out games with any remark, not only say it"),
    CONF_FLAG_KEY(struct settings, dedup, "dedup", "leave out games that are the same, or the beginning of another"),
    CONF_FLAG_KEY(struct settings, help, "help", "this text"),
};

static const struct target {
    const char *name;
    bool json; /* our own: recordjson.h */
    enum record_output output;
    const char *endings[2]; /* of files in UTF-8; in Shift_JIS */
    bool variations;        /* has a place for them */
    bool ends;              /* has a word for every end, or a place for any text */
} targets[] = {
    {"csa", false, RECORD_OUT_CSA, {"csa", "csa"}, false, true},
    {"csa3", false, RECORD_OUT_CSA3, {"csa", "csa"}, false, true},
    {"kif", false, RECORD_OUT_KIF, {"kifu", "kif"}, true, true},
    {"ki2", false, RECORD_OUT_KI2, {"ki2u", "ki2"}, true, true},
    {"usi", false, RECORD_OUT_USI, {"usi", "usi"}, false, false},
    {"sfen", false, RECORD_OUT_SFEN, {"sfen", "sfen"}, false, false},
    {"jkf", false, RECORD_OUT_JKF, {"jkf", NULL}, true, true},
    {"jsonl", true, RECORD_OUT_COUNT, {"jsonl", NULL}, true, true},
};
enum { TARGETS = sizeof targets / sizeof targets[0], UTF8 = 0, SHIFT_JIS = 1 };

struct conversion {
    const struct target *target;
    bool shift_jis;
    struct archive archive;
    struct archive_out out;
    struct text_buffer text; /* of one game */
    struct progress progress;
    uint64_t games;                      /* written */
    uint64_t variations_lost, ends_lost; /* games of which the format could not carry that */
    uint32_t same, beginnings;
    bool failed; /* nothing more can be written */
};

/* ---- Ctrl-C ---------------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

/* The first signal ends the run after the game at hand; the next one ends the program. */
static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

/* ---- what is wanted -------------------------------------------------------------------------------------------- */

static const struct target *target_by_name(const char *name)
{
    for (size_t i = 0; i < TARGETS; i++)
        if (strcmp(targets[i].name, name) == 0) return &targets[i];
    return NULL;
}

static const struct target *target_by_ending(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < TARGETS; i++)
        for (size_t k = 0; k < 2; k++)
            if (targets[i].endings[k] && strcmp(dot + 1, targets[i].endings[k]) == 0) return &targets[i];
    return NULL;
}

/* NULL: all is well. Otherwise what was expected. */
static const char *choose(struct conversion *conversion, const struct settings *settings)
{
    const struct target *by_ending = target_by_ending(settings->out);
    conversion->target = settings->to[0] ? target_by_name(settings->to)
                         : by_ending     ? by_ending
                                         : target_by_name("jsonl");
    if (!conversion->target) return "--to: expected csa, csa3, kif, ki2, usi, sfen, jkf or jsonl";
    conversion->shift_jis = strcmp(settings->encoding, "sjis") == 0;
    if (!conversion->shift_jis && strcmp(settings->encoding, "utf-8") != 0) return "--encoding: expected utf-8 or sjis";
    if (conversion->shift_jis && !conversion->target->endings[SHIFT_JIS])
        return "--encoding: expected utf-8, which JSON always is";
    return NULL;
}

/* ---- the work -------------------------------------------------------------------------------------------------- */

static bool go_on(void *context)
{
    struct conversion *conversion = context;
    const struct archive *archive = &conversion->archive;
    conversion->progress.total = archive->file_count;
    progress_update(&conversion->progress, archive->file_next, NULL, clock_now_ms());
    return !interrupted;
}

/* Puts the game into conversion->text. */
static enum status write_text(struct conversion *conversion, const struct record *record,
                              const struct archive_game *game)
{
    const struct target *target = conversion->target;
    struct text_buffer *text = &conversion->text;
    text_buffer_clear(text);
    if (target->json) {
        recordjson_write(record, text_from(game->file->path), game->index, text);
    } else if (conversion->shift_jis) {
        size_t replaced = record_write_shift_jis(record, target->output, conversion->out.games, text);
        if (replaced)
            fprintf(stderr, "%s: line %u: game %u: %zu characters that Shift_JIS does not have became 〓\n",
                    game->file->path, record->line_number_first, game->index + 1, replaced);
    } else {
        record_write(record, target->output, conversion->out.games, text);
    }
    return text->status;
}

static void convert_game(struct conversion *conversion, const struct record *record, const struct archive_game *game)
{
    if (!archive_out_next(&conversion->out, game->file_index)) {
        conversion->failed = true;
        return;
    }
    enum status st = write_text(conversion, record, game);
    if (st != ST_OK) {
        fprintf(stderr, "%s: line %u: game %u cannot be written as %s: %s\n", game->file->path,
                record->line_number_first, game->index + 1, conversion->target->name, status_text(st));
        conversion->archive.refused++;
        return;
    }
    if (!archive_out_put(&conversion->out, conversion->text.data, conversion->text.length)) {
        conversion->failed = true;
        return;
    }
    conversion->games++;
    uint8_t end = record_main(record)->end;
    bool plain_end = end == RECORD_END_NONE || end == RECORD_END_RESIGN || end == RECORD_END_DECLARATION;
    if (record->line_count > 1 && !conversion->target->variations) conversion->variations_lost++;
    if (!plain_end && !conversion->target->ends) conversion->ends_lost++;
}

static enum status convert_all(struct conversion *conversion, bool dedup)
{
    struct record record;
    struct archive_game game;
    record_init(&record);
    enum status st = ST_OK;
    if (dedup)
        st = archive_drop_twins(&conversion->archive, go_on, conversion, &conversion->same, &conversion->beginnings);
    while (st == ST_OK && !conversion->failed && go_on(conversion)) {
        st = archive_next(&conversion->archive, &record, &game);
        if (st == ST_OK) convert_game(conversion, &record, &game);
    }
    record_free(&record);
    return st == ST_MISSING || st == ST_STATE ? ST_OK : st;
}

static void say_sum(const struct conversion *conversion, bool dedup)
{
    const struct archive *archive = &conversion->archive;
    if (conversion->variations_lost)
        fprintf(stderr, "murakumo convert: %s has no place for variations: left out in %" PRIu64 " games\n",
                conversion->target->name, conversion->variations_lost);
    if (conversion->ends_lost)
        fprintf(stderr, "murakumo convert: %s has no word for how %" PRIu64 " games ended\n", conversion->target->name,
                conversion->ends_lost);
    if (interrupted)
        fprintf(stderr, "murakumo convert: stopped in file %u of %u\n", archive->file_next, archive->file_count);
    if (dedup)
        fprintf(stderr,
                "murakumo convert: left out %u games that are the same and %u that are the beginning of another\n",
                conversion->same, conversion->beginnings);
    if (archive->file_count > 1 || archive->refused > 0)
        fprintf(stderr, "murakumo convert: %" PRIu64 " games written, %u files read, %u refused\n", conversion->games,
                archive->file_next, archive->refused);
}

static int run_conversion(struct conversion *conversion, const struct settings *settings)
{
    struct archive *archive = &conversion->archive;
    const char *ending = conversion->target->endings[conversion->shift_jis ? SHIFT_JIS : UTF8];
    if (!archive_out_open(&conversion->out, archive, settings->out, ending)) return CLI_FAILED;
    text_buffer_init(&conversion->text, GAME_BYTES_MAX);
    progress_begin(&conversion->progress, "files", archive->file_count, clock_now_ms());
    enum status st = convert_all(conversion, settings->dedup);
    progress_end(&conversion->progress);
    if (st != ST_OK) fprintf(stderr, "murakumo convert: %s\n", status_text(st));
    bool closed = archive_out_close(&conversion->out);
    text_buffer_free(&conversion->text);
    say_sum(conversion, settings->dedup);
    bool done = st == ST_OK && closed && !conversion->failed && !interrupted && archive->refused == 0;
    return done ? CLI_DONE : CLI_FAILED;
}

static void help_print(const struct conf_table *table)
{
    static char text[8192];
    conf_help(table, text, sizeof text);
    printf(
        "murakumo convert reads game records of any format (CSA 2.2 and 3.0, floodgate logs, KIF, KI2, USI and SFEN\n"
        "lines, JKF), in any encoding (UTF-8, Shift_JIS, EUC-JP), also .gz and .zst, all found by content, and writes\n"
        "them in one format. IN are files, folders (with all below them), patterns or - for stdin.\n\n"
        "What cannot be read is said on stderr (file, line, found, expected) and the rest of the game is written. A\n"
        "file that is read is never written over.\n\n"
        "usage: murakumo convert [OPTIONS] IN... [-o OUT]\n\n%s\n"
        "examples:\n"
        "  murakumo convert game.csa -o game.kifu\n"
        "  murakumo convert --to jsonl archive/ > games.jsonl         one object a game\n"
        "  murakumo convert --to kif --encoding sjis archive/ -o kif/  a file for each that is read\n"
        "  murakumo convert --to usi --dedup 2019.csa.zst more/ -o games.usi\n\n"
        "exit codes: 0 done, 1 something was refused or broke, 2 wrong usage\n",
        text);
}

/* Was the output meant to be the last word (as for cp)? Then it is said how. */
static bool is_output(const struct settings *settings, const char *last)
{
    if (settings->out[0] || access(last, F_OK) == 0 || !target_by_ending(last)) return false;
    fprintf(stderr, "murakumo convert: found %s, which does not exist; expected -o %s to write it\n", last, last);
    return true;
}

/* conf.h knows long options only. */
static void spell_out(char **arguments, int count)
{
    static char out[] = "--out";
    for (int i = 0; i < count && strcmp(arguments[i], "--") != 0; i++)
        if (strcmp(arguments[i], "-o") == 0) arguments[i] = out;
}

int cli_convert(int argc, char **argv)
{
    static struct settings settings = {.encoding = "utf-8"};
    static struct conversion conversion;
    const struct conf_table table = {keys, sizeof keys / sizeof *keys, &settings};
    struct settings defaults = settings;
    char why[CONF_WHY_BYTES];
    int count = argc - 1;
    spell_out(argv + 1, count);
    if (settings_load(&table, argv + 1, &count, why) != ST_OK) {
        fprintf(stderr, "murakumo convert: %s\n", why);
        return CLI_USAGE;
    }
    if (settings.help) {
        help_print(&(struct conf_table){keys, table.count, &defaults});
        return CLI_DONE;
    }
    const char *expected =
        count == 0 ? "found no file, expected IN...; see murakumo convert --help" : choose(&conversion, &settings);
    if (expected) {
        fprintf(stderr, "murakumo convert: %s\n", expected);
        return CLI_USAGE;
    }
    if (count > 1 && is_output(&settings, argv[count])) return CLI_USAGE;
    catch_signals();
    archive_init(&conversion.archive, "murakumo convert");
    conversion.archive.strict = settings.strict;
    conversion.archive.results = settings.out[0] ? settings.out : NULL;
    int code =
        archive_add_all(&conversion.archive, argv + 1, count) ? run_conversion(&conversion, &settings) : CLI_FAILED;
    archive_free(&conversion.archive);
    return code;
}
