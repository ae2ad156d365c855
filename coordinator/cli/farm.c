/* farm.c - `murakumo farm serve|submit|status|results|export|retry|cancel`: the long-lived farm.
 *
 * All of them work on one store. `serve` is the only one that computes; the others may run beside it, or without it.
 */
#include "common/base/json.h"
#include "common/net/clock.h"
#include "common/net/settings.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/farm_export.h"
#include "coordinator/cli/farm_settings.h"
#include "coordinator/cli/farm_submit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    bool help, json, all;
    int64_t priority;
    char store[1024], out[1024], format[64], kind[16], config[1024];
    struct farm_work_settings work;
    struct farm_job_settings job;
};

#define MINE_KEY(name, word, value, min, max, unit, help)                                                              \
    FARM_MINE_KEY(struct settings, name, word, min, max, unit, help)
static const struct conf_key keys[] = {
    CONF_TEXT_KEY(struct settings, store, "store", "FILE",
                  "SQLite file with everything the farm knows; made if missing"),
    FARM_WORK_KEYS(struct settings),
    CONF_TEXT_KEY(struct settings, kind, "kind", "NAME", "submit: mine or scan"),
    CONF_NUMBER_KEY(struct settings, priority, "priority", -1000, 1000, "N", "submit: higher goes first"),
    FARM_JOB_KEYS(struct settings),
    MINE_NUMBERS(MINE_KEY) CONF_FLAG_KEY(struct settings, json, "json", "status: one JSON object"),
    CONF_TEXT_KEY(struct settings, out, "out", "FILE",
                  "export: where it goes; none = stdout; FOLDER/ with kif: a file each"),
    CONF_TEXT_KEY(struct settings, format, "format", "NAMES",
                  "export: jsonl, csv, kif, sfen, html, sqlite; several with commas"),
    CONF_FLAG_KEY(struct settings, all, "all", "export: jsonl with the candidates that were refused"),
    CONF_TEXT_KEY(struct settings, config, "config", "FILE", "settings from a file; see cluster-configs/"),
    CONF_FLAG_KEY(struct settings, help, "help", "this text"),
};

static struct settings settings = {.work = FARM_WORK_DEFAULTS, .format = "jsonl", .kind = "mine"};

static int store_failed(struct store *store)
{
    fprintf(stderr, "murakumo farm: %s\n", store_error(store));
    return CLI_FAILED;
}

/* The job that a word names. */
static bool job_of(struct store *store, const char *word, struct store_job *job)
{
    char *end;
    errno = 0;
    long long id = strtoll(word, &end, 10);
    if (!errno && end != word && !*end && store_job_get(store, id, job) == ST_OK) return true;
    fprintf(stderr, "murakumo farm: found job \"%.40s\", expected a number that `murakumo farm status` lists\n", word);
    return false;
}

/* ---- the verbs -------------------------------------------------------------------------------------------------- */

static int do_serve(struct store *store, char **words, int count)
{
    (void)words;
    (void)count;
    if (!farm_work_begin("murakumo farm", &settings.work)) return CLI_USAGE;
    return farm_work("murakumo farm", &settings.work, store, 0);
}

static int do_submit(struct store *store, char **words, int count)
{
    if (strcmp(settings.kind, "mine") && strcmp(settings.kind, "scan")) {
        fprintf(stderr, "murakumo farm: --kind: found \"%.16s\", expected mine or scan\n", settings.kind);
        return CLI_USAGE;
    }
    struct farm_submitted job;
    struct archive archive;
    archive_init(&archive, "murakumo farm");
    archive.strict = settings.job.strict;
    struct farm_submit_options submit = {.command = "murakumo farm",
                                         .store = store,
                                         .kind = settings.kind,
                                         .mine = &settings.job.mine,
                                         .priority = settings.priority,
                                         .licence = settings.job.licence,
                                         .any_licence = settings.job.any_licence,
                                         .archive = &archive};
    enum status st = archive_add_all(&archive, words, count) ? farm_submit(&submit, &job) : ST_NO_MEMORY;
    archive_free(&archive);
    if (st != ST_OK) return CLI_FAILED;
    printf("job %" PRId64 ": %" PRId64 " games%s\n", job.job, job.games, job.resumed ? ", known already" : "");
    return job.refused ? CLI_FAILED : CLI_DONE;
}

struct listing {
    struct store_job jobs[256];
    size_t count;
};

static void list_job(void *context, const struct store_job *job)
{
    struct listing *listing = context;
    if (listing->count == sizeof listing->jobs / sizeof *listing->jobs) { /* the newest are what people ask for */
        memmove(listing->jobs, listing->jobs + 1, (listing->count - 1) * sizeof *listing->jobs);
        listing->count--;
    }
    listing->jobs[listing->count++] = *job;
}

static void print_job(const struct store_job *job, const struct store_counts *counts, bool first)
{
    if (settings.json)
        printf("%s{\"id\":%" PRId64 ",\"kind\":\"%s\",\"state\":\"%s\",\"priority\":%" PRId64 ",\"games\":%" PRId64
               ",\"games_done\":%" PRId64 ",\"rows\":%" PRId64 ",\"created_unix_ms\":%" PRId64
               ",\"finished_unix_ms\":%" PRId64 ",\"engine\":\"%s\",\"manifest_sha256\":\"%s\"}",
               first ? "" : ",", job->id, job->kind, job->state, job->priority, counts->games, counts->games_done,
               counts->rows, job->created_unix_ms, job->finished_unix_ms, job->engine, job->manifest);
    else
        printf("%4" PRId64 "  %-5s %-10s %8" PRId64 " of %8" PRId64 " games  %8" PRId64 " rows  priority %" PRId64
               "  manifest %.12s\n",
               job->id, job->kind, job->state, counts->games_done, counts->games, counts->rows, job->priority,
               job->manifest);
}

static int64_t number_of(struct json object, const char *name)
{
    int64_t number = 0;
    return json_integer(json_member(object, name), INT64_MAX, &number) ? number : 0;
}

/* The last word of the farm, for people. */
static void print_live(struct text live)
{
    struct json root, worker;
    if (json_take(&live, &root, NULL) != ST_OK) return;
    int64_t age_s = (clock_unix_ms() - number_of(root, "unix_ms")) / 1000;
    struct json nodes = json_member(root, "nodes"), tasks = json_member(root, "tasks");
    printf("farm, %" PRId64 " s ago: %" PRId64 " tasks queued; done since its start: scan %" PRId64 " (%" PRId64
           " M nodes), verify %" PRId64 " (%" PRId64 " M), audit %" PRId64 " (%" PRId64 " M)\n",
           age_s, number_of(root, "queued"), number_of(tasks, "scan"), number_of(nodes, "scan") / 1000000,
           number_of(tasks, "verify"), number_of(nodes, "verify") / 1000000, number_of(tasks, "audit"),
           number_of(nodes, "audit") / 1000000);
    struct json_walk walk = json_walk_start(json_member(root, "workers"));
    while (json_walk_element(&walk, &worker)) {
        struct text_buffer name;
        text_buffer_init(&name, 256);
        (void)json_put_string(json_member(worker, "name"), &name);
        printf("  %-24s %s%s, %" PRId64 " knodes/s\n", name.data ? name.data : "?",
               json_member(worker, "busy").type == JSON_TRUE ? "busy" : "idle",
               json_member(worker, "trusted").type == JSON_TRUE ? "" : ", being tested",
               number_of(worker, "nodes_per_s") / 1000);
        text_buffer_free(&name);
    }
}

static int do_status(struct store *store, char **words, int count)
{
    static struct listing listing;
    struct text_buffer live;
    struct store_counts counts = {0};
    (void)words;
    (void)count;
    if (store_jobs_each(store, list_job, &listing) != ST_OK) return store_failed(store);
    if (settings.json) printf("{\"jobs\":[");
    for (size_t i = 0; i < listing.count; i++) {
        if (store_job_counts(store, listing.jobs[i].id, &counts) != ST_OK) return store_failed(store);
        print_job(&listing.jobs[i], &counts, i == 0);
    }
    text_buffer_init(&live, 1 << 20);
    bool known = store_live_get(store, &live) == ST_OK;
    if (settings.json)
        printf("],\"tasks\":%" PRId64 ",\"buried\":%" PRId64 ",\"farm\":%s}\n", counts.tasks, counts.buried,
               known ? live.data : "null");
    else
        printf("%" PRId64 " tasks known, %" PRId64 " buried%s\n", counts.tasks, counts.buried,
               known ? "" : "; the farm has not run yet");
    if (known && !settings.json) print_live(text_buffer_view(&live));
    text_buffer_free(&live);
    return CLI_DONE;
}

static void print_row(void *context, const struct store_row *row)
{
    (void)context;
    printf("{\"game\":%" PRId64 ",\"ply\":%" PRId64 ",\"kind\":\"%s\",\"row\":%.*s}\n", row->seq, row->ply, row->kind,
           (int)text_length(row->text), row->text.at);
}

static int do_results(struct store *store, char **words, int count)
{
    struct store_job job;
    (void)count;
    if (!job_of(store, words[0], &job)) return CLI_FAILED;
    if (store_rows_each(store, job.id, NULL, print_row, NULL) != ST_OK) return store_failed(store);
    return CLI_DONE;
}

static int do_export(struct store *store, char **words, int count)
{
    struct store_job job;
    struct farm_export_counts counts;
    (void)count;
    if (!job_of(store, words[0], &job)) return CLI_FAILED;
    if (strcmp(job.kind, "mine") != 0) {
        fprintf(stderr, "murakumo farm: job %" PRId64 " is a %s, only mine has puzzles; see murakumo farm results\n",
                job.id, job.kind);
        return CLI_FAILED;
    }
    struct farm_export_options options = {.command = "murakumo farm",
                                          .store = store,
                                          .job = job.id,
                                          .out = settings.out,
                                          .formats = settings.format,
                                          .all = settings.all};
    return farm_export(&options, &counts) ? CLI_DONE : CLI_FAILED;
}

static int do_retry(struct store *store, char **words, int count)
{
    struct store_job job;
    int64_t buried;
    (void)count;
    if (!job_of(store, words[0], &job)) return CLI_FAILED;
    if (store_job_retry(store, job.id, &buried) != ST_OK) return store_failed(store);
    printf("job %" PRId64 ": %" PRId64 " buried tasks will be tried again\n", job.id, buried);
    return CLI_DONE;
}

static int do_cancel(struct store *store, char **words, int count)
{
    struct store_job job;
    (void)count;
    if (!job_of(store, words[0], &job)) return CLI_FAILED;
    if (!strcmp(job.state, "done")) {
        fprintf(stderr, "murakumo farm: job %" PRId64 " is done\n", job.id);
        return CLI_FAILED;
    }
    if (store_job_set(store, job.id, "cancelled", clock_unix_ms()) != ST_OK) return store_failed(store);
    printf("job %" PRId64 ": cancelled\n", job.id);
    return CLI_DONE;
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

static const struct verb {
    const char *name, *words, *what;
    int words_min, words_max;
    int (*run)(struct store *store, char **words, int count);
} verbs[] = {
    {"serve", "", "works on all jobs of the store, and on those that come", 0, 0, do_serve},
    {"submit", "GAMES...", "a new job: its list of games is read, hashed and frozen now", 1, 1 << 30, do_submit},
    {"status", "", "jobs, progress, workers", 0, 0, do_status},
    {"results", "JOB", "what there is so far, a JSON row a line", 1, 1, do_results},
    {"export", "JOB", "published puzzles as JSONL, CSV, KIF, SFEN, HTML, SQLite", 1, 1, do_export},
    {"retry", "JOB", "tries again what was buried", 1, 1, do_retry},
    {"cancel", "JOB", "takes a job out of the queue; what is known is kept", 1, 1, do_cancel},
};

static void help_print(const struct conf_table *table)
{
    static char text[16384];
    conf_help(table, text, sizeof text);
    printf("murakumo farm keeps a durable queue of scanning and mining jobs, which workers come to and leave.\n\n"
           "usage: murakumo farm VERB --store FILE [OPTIONS] ...\n\n");
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        printf("  %-8s %-9s %s\n", verbs[i].name, verbs[i].words, verbs[i].what);
    printf("\n%s\nexamples:\n"
           "  murakumo farm submit --store farm.db --kind mine games/\n"
           "  murakumo farm serve --store farm.db --listen tcp://0.0.0.0:7654 --keys keys\n"
           "  murakumo farm status --store farm.db --json\n"
           "  murakumo farm export --store farm.db --format html --out puzzles.html 1\n\n"
           "Jobs may be submitted while the farm serves. exit codes: 0 done, 1 something was refused or broke,\n"
           "2 wrong usage\n",
           text);
}

int cli_farm(int argc, char **argv)
{
    settings.job.mine = mine_defaults();
    const struct conf_table table = {keys, sizeof keys / sizeof *keys, &settings};
    static struct settings defaults;
    defaults = settings;
    char why[STORE_WHY_BYTES];
    int count = argc - 1;
    if (settings_load(&table, argv + 1, &count, why) != ST_OK) {
        fprintf(stderr, "murakumo farm: %s\n", why);
        return CLI_USAGE;
    }
    if (settings.help) {
        help_print(&(struct conf_table){keys, table.count, &defaults});
        return CLI_DONE;
    }
    const struct verb *verb = NULL;
    for (size_t i = 0; count > 0 && i < sizeof verbs / sizeof *verbs; i++)
        if (!strcmp(argv[1], verbs[i].name)) verb = &verbs[i];
    if (!verb || !settings.store[0] || count - 1 < verb->words_min || count - 1 > verb->words_max) {
        if (!verb)
            fprintf(stderr,
                    "murakumo farm: found %s%.40s%s, expected serve, submit, status, results, export, retry or "
                    "cancel; see murakumo farm --help\n",
                    count ? "\"" : "", count ? argv[1] : "no verb", count ? "\"" : "");
        else if (!settings.store[0])
            fprintf(stderr, "murakumo farm: found no --store, expected --store FILE\n");
        else
            fprintf(stderr, "murakumo farm %s: expected %s\n", verb->name,
                    *verb->words ? verb->words : "no further words");
        return CLI_USAGE;
    }
    struct store *store = store_open(settings.store, why);
    if (!store) {
        fprintf(stderr, "murakumo farm: %s\n", why);
        return CLI_FAILED;
    }
    int code = verb->run(store, argv + 2, count - 1);
    store_close(store);
    return code;
}
