/* mine.c - `murakumo mine GAMES...`: puzzles out of game records. A farm in one command: submit, work, export. */
#include "common/net/settings.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/farm_export.h"
#include "coordinator/cli/farm_settings.h"
#include "coordinator/cli/farm_submit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct settings {
    bool help, all;
    char store[1024], out[1024], format[64], config[1024];
    struct farm_work_settings work;
    struct farm_job_settings job;
};

#define MINE_KEY(name, word, value, min, max, unit, help)                                                              \
    FARM_MINE_KEY(struct settings, name, word, min, max, unit, help)
static const struct conf_key keys[] = {
    CONF_TEXT_KEY(struct settings, store, "store", "FILE",
                  "SQLite file that keeps all work: the same command goes on from there; none = nothing is kept"),
    CONF_TEXT_KEY(struct settings, out, "out", "FILE",
                  "where the puzzles go; none = stdout; FOLDER/ with kif: a file each"),
    CONF_TEXT_KEY(struct settings, format, "format", "NAMES",
                  "jsonl, csv, kif, sfen, html, sqlite; several with commas"),
    CONF_FLAG_KEY(struct settings, all, "all", "jsonl: also the candidates that were refused, with the reason"),
    FARM_WORK_KEYS(struct settings),
    FARM_JOB_KEYS(struct settings),
    MINE_NUMBERS(MINE_KEY)
        CONF_TEXT_KEY(struct settings, config, "config", "FILE", "settings from a file; see cluster-configs/"),
    CONF_FLAG_KEY(struct settings, help, "help", "this text"),
};

static void help_print(const struct conf_table *table)
{
    static char text[16384];
    conf_help(table, text, sizeof text);
    printf(
        "murakumo mine finds puzzles in game records: positions after a mistake that have exactly one answer, proved\n"
        "and audited. Three stages: a cheap scan, a deep verification, an audit by another process.\n\n"
        "usage: murakumo mine [OPTIONS] GAMES...      files, folders, patterns, - for stdin; .gz and .zst too\n\n%s\n"
        "examples:\n"
        "  murakumo mine --store mine.db --out puzzles.jsonl games/\n"
        "  murakumo mine --store mine.db --out puzzles --format jsonl,csv,html games/*.csa\n"
        "  murakumo mine --workers 1 --scan-nodes 20000 --verify-nodes 100000 --licence CC0 game.kif\n\n"
        "Interrupted, the same command with the same --store goes on. exit codes: 0 done, 1 something was refused or\n"
        "broke, 2 wrong usage\n",
        text);
}

static int mine_all(const struct settings *settings, struct store *store, char **games, int count)
{
    struct farm_submitted job;
    struct archive archive;
    archive_init(&archive, "murakumo mine");
    archive.strict = settings->job.strict;
    struct farm_submit_options submit = {.command = "murakumo mine",
                                         .store = store,
                                         .kind = "mine",
                                         .mine = &settings->job.mine,
                                         .licence = settings->job.licence,
                                         .any_licence = settings->job.any_licence,
                                         .archive = &archive};
    enum status st = archive_add_all(&archive, games, count) ? farm_submit(&submit, &job) : ST_NO_MEMORY;
    archive_free(&archive);
    if (st != ST_OK) return CLI_FAILED;
    int code = farm_work("murakumo mine", &settings->work, store, job.job);
    if (code != CLI_DONE && settings->store[0])
        fprintf(stderr, "murakumo mine: not done; the same command goes on from here\n");
    struct farm_export_counts counts;
    struct farm_export_options export = {.command = "murakumo mine",
                                         .store = store,
                                         .job = job.job,
                                         .out = settings->out,
                                         .formats = settings->format,
                                         .all = settings->all};
    if (!farm_export(&export, &counts)) code = CLI_FAILED;
    fprintf(stderr,
            "murakumo mine: %" PRId64 " games, %" PRIu64 " candidates: %" PRIu64 " published, %" PRIu64
            " held back, %" PRIu64 " rejected\n",
            job.games, counts.candidates, counts.published, counts.held, counts.rejected);
    return job.refused && code == CLI_DONE ? CLI_FAILED : code;
}

int cli_mine(int argc, char **argv)
{
    static struct settings settings = {.work = FARM_WORK_DEFAULTS, .format = "jsonl"};
    settings.job.mine = mine_defaults();
    const struct conf_table table = {keys, sizeof keys / sizeof *keys, &settings};
    static struct settings defaults;
    defaults = settings;
    char why[STORE_WHY_BYTES];
    _Static_assert((int)CONF_WHY_BYTES <= (int)STORE_WHY_BYTES, "why[] takes either line");
    int count = argc - 1;
    if (settings_load(&table, argv + 1, &count, why) != ST_OK) {
        fprintf(stderr, "murakumo mine: %s\n", why);
        return CLI_USAGE;
    }
    if (settings.help) {
        help_print(&(struct conf_table){keys, table.count, &defaults});
        return CLI_DONE;
    }
    if (count == 0) {
        fprintf(stderr, "murakumo mine: found no games, expected GAMES...; see murakumo mine --help\n");
        return CLI_USAGE;
    }
    if (!farm_work_begin("murakumo mine", &settings.work)) return CLI_USAGE;
    struct store *store = store_open(settings.store, why);
    if (!store) {
        fprintf(stderr, "murakumo mine: %s\n", why);
        return CLI_FAILED;
    }
    int code = mine_all(&settings, store, argv + 1, count);
    store_close(store);
    return code;
}
