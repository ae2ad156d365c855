/* mine.c - `murakumo mine GAMES...`: puzzles out of game records. A farm in one command: submit, work, export. */
#include "common/base/log.h"
#include "common/net/clock.h"
#include "common/net/machine.h"
#include "common/net/settings.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/farm_export.h"
#include "coordinator/cli/farm_submit.h"
#include "coordinator/farm_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct settings {
    bool help, strict, all, any_licence;
    int64_t workers, hash_mb, sample;
    char listen[2048], keys[1024], log[16], store[1024], out[1024], format[64], licence[256], config[1024];
    struct mine mine;
};

#define MINE_KEY(name, word, value, min, max, unit, help)                                                              \
    CONF_NUMBER_KEY(struct settings, mine.name, word, min, max, unit, help),

static const struct conf_key keys[] = {
    CONF_TEXT_KEY(struct settings, store, "store", "FILE",
                  "SQLite file that keeps all work: the same command goes on from there; none = nothing is kept"),
    CONF_TEXT_KEY(struct settings, out, "out", "FILE", "where the puzzles go; none = stdout"),
    CONF_TEXT_KEY(struct settings, format, "format", "NAMES", "jsonl, csv, kif, sfen, html; several with commas"),
    CONF_FLAG_KEY(struct settings, all, "all", "jsonl: also the candidates that were refused, with the reason"),
    CONF_NUMBER_KEY(struct settings, workers, "workers", 0, COORD_LOCAL_MAX, "N",
                    "local worker processes, one thread each; 0 = one per core"),
    CONF_NUMBER_KEY(struct settings, hash_mb, "hash", 1, 33554432, "MB", "table of each worker, MiB"),
    CONF_NUMBER_KEY(struct settings, sample, "sample", 0, 1000, "permille", "share of the work done twice, to compare"),
    CONF_TEXT_KEY(struct settings, licence, "licence", "TEXT", "licence of games that do not say it themselves"),
    CONF_FLAG_KEY(struct settings, any_licence, "any-licence", "take games whose licence is not known"),
    CONF_FLAG_KEY(struct settings, strict, "strict", "leave out games with any remark, not only say it"),
    CONF_LIST_KEY(struct settings, listen, "listen", "ENDPOINT", "accept further workers: tcp://HOST:PORT"),
    CONF_TEXT_KEY(struct settings, keys, "keys", "DIR", "keys made by `murakumo keygen`; needed off this machine"),
    CONF_TEXT_KEY(struct settings, log, "log", "LEVEL", "error, warn, info or debug, on stderr"),
    CONF_TEXT_KEY(struct settings, config, "config", "FILE", "settings from a file; see cluster-configs/"),
    CONF_FLAG_KEY(struct settings, help, "help", "this text"),
    MINE_NUMBERS(MINE_KEY)};

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

_Static_assert((int)CONF_WHY_BYTES <= (int)STORE_WHY_BYTES, "why[] takes either line");

static volatile bool interrupted; /* reading games is quick; Ctrl-C is looked at by run.c later */
static bool still_wanted(void) { return !interrupted; }

static int mine_all(const struct settings *settings, struct store *store, char **games, int count)
{
    struct farm_submitted job;
    struct farm_submit_options submit = {.command = "murakumo mine",
                                         .store = store,
                                         .kind = "mine",
                                         .mine = &settings->mine,
                                         .licence = settings->licence,
                                         .any_licence = settings->any_licence,
                                         .strict = settings->strict,
                                         .games = games,
                                         .game_count = count,
                                         .wanted = still_wanted};
    if (farm_submit(&submit, &job) != ST_OK) return CLI_FAILED;
    struct farm_run_options farm = {
        .command = "murakumo mine",
        .store = store,
        .job = job.job,
        .sample_permille = (uint32_t)settings->sample,
        .run = {.name = "murakumo mine",
                .listen = settings->listen,
                .keys_directory = settings->keys,
                .local_workers = settings->workers > 0 ? (unsigned)settings->workers : machine_cores(),
                .threads = 1,
                .hash_mb = (uint32_t)settings->hash_mb,
                .worker_log = settings->log}};
    int code = farm_run(&farm);
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
    static struct settings settings = {.hash_mb = 64, .sample = 20, .log = "warn", .format = "jsonl"};
    settings.mine = mine_defaults();
    const struct conf_table table = {keys, sizeof keys / sizeof *keys, &settings};
    static struct settings defaults;
    defaults = settings;
    char why[STORE_WHY_BYTES]; /* room for the lines of conf.h too */
    int count = argc - 1;
    enum log_level level;
    if (settings_load(&table, argv + 1, &count, why) != ST_OK) {
        fprintf(stderr, "murakumo mine: %s\n", why);
        return CLI_USAGE;
    }
    if (settings.help) {
        help_print(&(struct conf_table){keys, table.count, &defaults});
        return CLI_DONE;
    }
    if (count == 0 || !log_level_from_name(settings.log, &level)) {
        fprintf(stderr, "murakumo mine: %s\n",
                count == 0 ? "found no games, expected GAMES...; see murakumo mine --help"
                           : "--log: expected error, warn, info or debug");
        return CLI_USAGE;
    }
    log_set_level(level);
    log_set_clock(clock_unix_ms);
    machine_raise_file_limit();
    struct store *store = store_open(settings.store, why);
    if (!store) {
        fprintf(stderr, "murakumo mine: %s\n", why);
        return CLI_FAILED;
    }
    int code = mine_all(&settings, store, argv + 1, count);
    store_close(store);
    return code;
}
