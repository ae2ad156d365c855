/* main.c - murakumo-simulate: how much faster do N workers search than one? In virtual time, so that 64 workers fit on
 * two cores and the answer is the same to the byte on every machine.
 *
 *   options -> positions -> alone (one worker, once) -> each strategy x latency x number of workers -> report
 *   options -> openings -> games of N workers against one, for each of the same -> report           (--match)
 */
#include "common/base/text.h"
#include "common/net/clock.h"
#include "common/net/machine.h"
#include "common/net/settings.h"
#include "common/shogi/sfen.h"
#include "coordinator/cli/progress.h"
#include "tests/sim/simulate/report.h"
#include "tests/sim/simulate/summary.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { POSITIONS_MAX = 1000, LIST_MAX = 32, ROWS_MAX = 1024, SKIP_MAX = 1000000, FILE_BYTES_MAX = 16 << 20 };

struct settings {
    bool help, json, match, summary;
    char strategy[256], workers[256], latency_ms[256], speed[1024], positions[1024], openings[1024], csv[1024],
        svg[1024], crash_ms[256], partition_ms[64];
    int64_t games, odds, nodes, nps, hash_mb, skip, count, reference, turn_us, jitter_us, loss_permille, hint_cost_ns,
        budget, hint_plies, claim_plies, cores, seed;
};

static const struct conf_key keys[] = {
    CONF_TEXT_KEY(struct settings, strategy, "strategy", "LIST", "lazy, hints, claims: see below"),
    CONF_TEXT_KEY(struct settings, workers, "workers", "LIST", "numbers of workers: 1,2,4,8"),
    CONF_TEXT_KEY(struct settings, latency_ms, "latency-ms", "LIST", "round trips between worker and coordinator, ms"),
    CONF_TEXT_KEY(struct settings, positions, "positions", "FILE",
                  "SFEN at the start of each line; rest of it ignored"),
    CONF_NUMBER_KEY(struct settings, count, "count", 1, POSITIONS_MAX, "N", "positions to search"),
    CONF_NUMBER_KEY(struct settings, skip, "skip", 0, SKIP_MAX, "N",
                    "positions (match: games) to leave out at the start"),
    CONF_NUMBER_KEY(struct settings, nodes, "nodes-per-move", 1000, 1000000000000, "N",
                    "budget of one worker for a position"),
    CONF_FLAG_KEY(struct settings, match, "match", "instead: games of N workers against one, equal virtual clocks"),
    CONF_NUMBER_KEY(struct settings, games, "games", 1, 1000000, "N", "match: games; two for each opening"),
    CONF_NUMBER_KEY(struct settings, odds, "odds", 1, 100000, "%", "match: time of the one; 200 = twice as much"),
    CONF_TEXT_KEY(struct settings, openings, "openings", "FILE", "match: one SFEN a line"),
    CONF_NUMBER_KEY(struct settings, nps, "nps", 1000, 1000000000, "N", "nodes a second of one worker"),
    CONF_TEXT_KEY(struct settings, speed, "speed", "LIST", "speeds of the workers, in 1/1000; repeated: 1000,500"),
    CONF_NUMBER_KEY(struct settings, hash_mb, "hash", 1, 65536, "MiB", "transposition table of each worker"),
    CONF_NUMBER_KEY(struct settings, reference, "reference", 1, 1000, "N",
                    "right = one worker with N times the budget"),
    CONF_NUMBER_KEY(struct settings, hint_plies, "hint-plies", 1, 60, "PLIES", "shallowest entry that is sent"),
    CONF_NUMBER_KEY(struct settings, claim_plies, "claim-plies", 1, 60, "PLIES", "shallowest subtree that is claimed"),
    CONF_NUMBER_KEY(struct settings, turn_us, "turn-us", 50, 1000000, "us", "how often a worker sends"),
    CONF_NUMBER_KEY(struct settings, jitter_us, "jitter-us", 0, 10000000, "us", "frames take up to so much longer"),
    CONF_NUMBER_KEY(struct settings, loss_permille, "loss", 0, 1000, "1/1000", "frames lost, on each of two ways"),
    CONF_TEXT_KEY(struct settings, crash_ms, "crash-ms", "LIST",
                  "when the last, last but one, ... worker falls silent"),
    CONF_TEXT_KEY(struct settings, partition_ms, "partition-ms", "FROM,TO",
                  "half of the workers do not hear the others"),
    CONF_NUMBER_KEY(struct settings, hint_cost_ns, "hint-cost-ns", 0, 100000, "ns", "search time that a hint costs"),
    CONF_NUMBER_KEY(struct settings, budget, "budget", 0, 1000000000, "bytes/s",
                    "a worker hears at most, each other sends its share; 0 = no limit"),
    CONF_NUMBER_KEY(struct settings, cores, "cores", 1, 256, "N", "workers simulated at once"),
    CONF_NUMBER_KEY(struct settings, seed, "seed", 0, INT64_MAX, "N", "of jitter, loss and resampling"),
    CONF_FLAG_KEY(struct settings, json, "json", "a list of objects instead of the table"),
    CONF_TEXT_KEY(struct settings, csv, "csv", "FILE", "one line for each position and run"),
    CONF_TEXT_KEY(struct settings, svg, "svg", "FILE", "a picture of the curves"),
    CONF_FLAG_KEY(struct settings, summary, "summary", "instead: puts together the --csv FILEs that are named"),
    CONF_FLAG_KEY(struct settings, help, "help", "this text"),
};

/* What the workers do. hint_plies and claim_plies come from the options. */
static const struct strategy {
    const char *name, *text;
    bool hints, claims, stagger;
    const struct split_ops *split; /* the coordinator's strategy that hands out the work; NULL: all search the root */
} strategies[] = {
    {"same", "all search the root, nothing is shared: the control, always 1", false, false, false, NULL},
    {"lazy", "all search the root, odd workers one ply ahead, nothing is shared", false, false, true, NULL},
    {"hints-flat", "all search the root and share their tables", true, false, false, NULL},
    {"hints", "the same, odd workers one ply ahead", true, false, true, NULL},
    {"claims", "share tables; a late move that somebody is at comes last (approximate ABDADA)", true, true, false,
     NULL},
    {"claims-ahead", "the same, odd workers one ply ahead", true, true, true, NULL},
    {"root", "the coordinator's strategy `root`: root moves are split, tables are shared", true, false, false,
     &split_root},
    {"tree", "its strategy `tree`: split at every position of the best line, tables are shared", true, false, false,
     &split_tree},
    {"tree-claims", "the same, with claims", true, true, false, &split_tree},
    {"tree-alone", "`tree`, nothing is shared", false, false, false, &split_tree},
    {"root-alone", "`root`, nothing is shared", false, false, false, &split_root},
};

static volatile sig_atomic_t interrupted;
static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static int refuse(const char *option, const char *found, const char *expected)
{
    fprintf(stderr, "murakumo-simulate: %s: found \"%.60s\", expected %s\n", option, found, expected);
    return 2;
}

static void help_print(const struct conf_table *table)
{
    static char text[8192];
    conf_help(table, text, sizeof text);
    printf(
        "murakumo-simulate measures how much faster N workers search a position than one: real search cores in virtual "
        "time.\n\nusage: murakumo simulate [OPTIONS]\n\n%s\nstrategies:\n",
        text);
    for (size_t i = 0; i < sizeof strategies / sizeof strategies[0]; i++)
        printf("  %-13s %s\n", strategies[i].name, strategies[i].text);
    printf("\ncolumns: speedup = time to depth; answer = time to the right move for good; overhead = nodes of N / "
           "nodes of "
           "one;\nhint%% = time spent on taking hints; kB/s = sent by each worker\n"
           "\nexamples:\n"
           "  murakumo simulate --workers 2,4,8 --count 10\n"
           "  murakumo simulate --strategy hints,claims --workers 1,2,4,8,16 --latency-ms 0.1,1,5,20 --svg curve.svg\n"
           "  murakumo simulate --workers 4 --speed 1000,500 --loss 20 --jitter-us 500 --json\n"
           "  murakumo simulate --workers 4 --crash-ms 50,80 --partition-ms 20,120\n"
           "  murakumo simulate --count 10 --csv a.csv; murakumo simulate --skip 10 --count 10 --csv b.csv\n"
           "  murakumo simulate --summary a.csv b.csv\n"
           "  murakumo simulate --match --games 200 --workers 4 --nodes-per-move 4000 --nps 40000\n"
           "\nexit codes: 0 done, 1 the work failed or was interrupted (what is done is printed), 2 wrong usage\n");
}

/* ---- lists ----------------------------------------------------------------------------------------------------- */

/* Numbers between commas; 0 = the list is malformed. */
static size_t read_numbers(const char *text, double lowest, double highest, double out[LIST_MAX])
{
    size_t count = 0;
    while (count < LIST_MAX) {
        char *end;
        errno = 0;
        double value = strtod(text, &end);
        if (end == text || errno != 0 || !(value >= lowest && value <= highest)) return 0;
        out[count++] = value;
        if (*end == '\0') return count;
        if (*end != ',') return 0;
        text = end + 1;
    }
    return 0;
}

static const struct strategy *find_strategy(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof strategies / sizeof strategies[0]; i++)
        if (strlen(strategies[i].name) == length && memcmp(strategies[i].name, name, length) == 0)
            return &strategies[i];
    return NULL;
}

static size_t read_strategies(const char *text, const struct strategy *out[LIST_MAX])
{
    size_t count = 0;
    while (count < LIST_MAX) {
        size_t length = strcspn(text, ",");
        out[count] = find_strategy(text, length);
        if (!out[count++]) return 0;
        if (text[length] == '\0') return count;
        text += length + 1;
    }
    return 0;
}

/* ---- positions ------------------------------------------------------------------------------------------------- */

static bool read_position(struct measure_position *p, const char *line, size_t length)
{
    size_t used;
    if (sfen_read(&p->root, line, length, &used, NULL) != ST_OK || used >= sizeof p->sfen) return false;
    memcpy(p->sfen, line, used);
    p->history = malloc(sizeof *p->history);
    if (!p->history) abort();
    history_start(p->history, &p->root);
    return true;
}

static bool read_positions(const struct settings *s, struct measure_position *positions, size_t *count)
{
    char why[CONF_WHY_BYTES];
    size_t bytes, line_number = 0, wanted = (size_t)s->count, skip = (size_t)s->skip;
    char *text = settings_read_file(s->positions, FILE_BYTES_MAX, &bytes, why);
    if (!text) {
        fprintf(stderr, "murakumo-simulate: %s\n", why);
        return false;
    }
    *count = 0;
    bool ok = true;
    for (char *line = text; ok && *line && *count < wanted; line_number++) {
        size_t length = strcspn(line, "\r\n");
        if (length > 0 && line[0] != '#') {
            if (skip > 0) {
                skip--;
            } else if (read_position(&positions[*count], line, length)) {
                (*count)++;
            } else {
                fprintf(stderr, "murakumo-simulate: %s:%zu: found \"%.*s\", expected an SFEN position\n", s->positions,
                        line_number + 1, (int)(length < 60 ? length : 60), line);
                ok = false;
            }
        }
        line += length;
        if (*line == '\r') line++;
        if (*line == '\n') line++;
    }
    free(text);
    if (ok && *count == 0) {
        fprintf(stderr, "murakumo-simulate: %s: found no position behind the first %" PRId64 "\n", s->positions,
                s->skip);
        ok = false;
    }
    return ok;
}

/* ---- the measurement ------------------------------------------------------------------------------------------- */

struct plan {
    const struct settings *settings;
    const struct strategy *strategies[LIST_MAX];
    double workers[LIST_MAX], latency_ms[LIST_MAX], crash_ms[LIST_MAX], partition_ms[LIST_MAX];
    unsigned speed_permille[LIST_MAX];
    size_t strategy_count, workers_count, latency_count, speed_count, crash_count;
    struct measure_position *positions;
    struct measure_run *runs;
    size_t position_count;
    struct measure_row rows[ROWS_MAX];
    struct match_row match_rows[ROWS_MAX];
    size_t row_count;
    struct match_openings openings;
    struct cluster *one; /* match: the opponent */
    FILE *csv;
    struct progress progress;
    uint64_t done;
};

static void count_one(void *context)
{
    struct plan *plan = context;
    progress_update(&plan->progress, ++plan->done, NULL, clock_now_ms());
}

static struct cluster_options options_of(const struct plan *plan, unsigned workers, double latency_ms)
{
    const struct settings *s = plan->settings;
    struct cluster_options options = {.workers = workers,
                                      .hash_bytes = (size_t)s->hash_mb << 20,
                                      .nps = (uint64_t)s->nps,
                                      .speed_permille = plan->speed_permille,
                                      .speed_count = plan->speed_count,
                                      .turn_us = s->turn_us,
                                      .round_trip_us = (int64_t)(latency_ms * 1000),
                                      .jitter_us = s->jitter_us,
                                      .loss_permille = (unsigned)s->loss_permille,
                                      .hint_cost_ns = (unsigned)s->hint_cost_ns,
                                      .bytes_per_s = (uint32_t)s->budget / (workers > 2 ? workers - 1 : 1),
                                      .cores = (unsigned)s->cores,
                                      .seed = (uint64_t)s->seed};
    options.crash_count = plan->crash_count;
    for (size_t i = 0; i < plan->crash_count; i++) options.crash_us[i] = (int64_t)(plan->crash_ms[i] * 1000);
    options.parted_from_us = (int64_t)(plan->partition_ms[0] * 1000);
    options.parted_to_us = (int64_t)(plan->partition_ms[1] * 1000);
    return options;
}

static bool search_alone(struct plan *plan)
{
    struct cluster_options options = options_of(plan, 1, 0);
    options.speed_count = 0; /* the yardstick is a worker of speed 1000 */
    options.cores = 1;
    struct cluster *alone = cluster_new(&options);
    if (!alone) return false;
    int64_t budget_us = plan->settings->nodes * 1000000 / plan->settings->nps;
    for (size_t i = 0; i < plan->position_count && !interrupted; i++) {
        measure_alone(alone, &plan->positions[i], budget_us, (int)plan->settings->reference, options.turn_us);
        count_one(plan);
    }
    cluster_free(alone);
    return true;
}

static struct cluster_search search_of(const struct settings *s, const struct strategy *strategy)
{
    return (struct cluster_search){.hints = strategy->hints,
                                   .gate_plies = (int)s->hint_plies,
                                   .claim_plies = strategy->claims ? (int)s->claim_plies : 0,
                                   .stagger = strategy->stagger,
                                   .split = strategy->split};
}

static bool search_together(struct plan *plan, const struct strategy *strategy, double latency_ms, unsigned workers)
{
    const struct settings *s = plan->settings;
    struct cluster_options options = options_of(plan, workers, latency_ms);
    struct cluster *cluster = cluster_new(&options);
    if (!cluster) return false;
    struct cluster_search search = search_of(s, strategy);
    struct measure_row *row = &plan->rows[plan->row_count];
    measure_together(cluster, &options, &search, plan->positions, plan->position_count, plan->runs, &interrupted,
                     count_one, plan);
    cluster_free(cluster);
    *row = measure_row_of(plan->runs, plan->position_count, options.seed);
    row->strategy = strategy->name;
    row->workers = workers;
    row->latency_ms = latency_ms;
    plan->row_count++;
    progress_end(&plan->progress);
    if (!s->json) {
        report_table_row(stdout, row);
        fflush(stdout);
    }
    if (plan->csv) report_csv_rows(plan->csv, row, plan->positions, plan->runs, plan->position_count);
    return true;
}

static bool play_together(struct plan *plan, const struct strategy *strategy, double latency_ms, unsigned workers)
{
    const struct settings *s = plan->settings;
    struct cluster_options options = options_of(plan, workers, latency_ms);
    struct cluster *cluster = cluster_new(&options);
    if (!cluster) return false;
    struct cluster_search search = search_of(s, strategy);
    struct match_sides sides = {.many = cluster,
                                .one = plan->one,
                                .search = &search,
                                .move_us = s->nodes * 1000000 / s->nps,
                                .odds_percent = (unsigned)s->odds};
    struct match_row *row = &plan->match_rows[plan->row_count];
    *row = (struct match_row){
        .strategy = strategy->name, .workers = workers, .latency_ms = latency_ms, .odds_percent = sides.odds_percent};
    match_play(&sides, &plan->openings, (uint64_t)s->seed, (uint32_t)s->skip, (uint32_t)s->games, row, &interrupted,
               count_one, plan);
    cluster_free(cluster);
    plan->row_count++;
    progress_end(&plan->progress);
    if (!s->json) {
        report_match_row(stdout, row);
        fflush(stdout);
    }
    return true;
}

/* Each strategy, latency and number of workers. */
static bool for_each_row(struct plan *plan, bool row(struct plan *, const struct strategy *, double, unsigned))
{
    bool ok = true;
    for (size_t i = 0; i < plan->strategy_count; i++)
        for (size_t k = 0; k < plan->latency_count; k++)
            for (size_t n = 0; n < plan->workers_count && ok && !interrupted; n++)
                ok = row(plan, plan->strategies[i], plan->latency_ms[k], (unsigned)plan->workers[n]);
    progress_end(&plan->progress);
    if (!ok) fputs("murakumo-simulate: not enough memory or threads for so many workers\n", stderr);
    return ok;
}

static uint64_t row_total(const struct plan *plan)
{
    return plan->strategy_count * plan->latency_count * plan->workers_count;
}

static bool search_all(struct plan *plan)
{
    progress_begin(&plan->progress, "searches", (row_total(plan) + 1) * plan->position_count, clock_now_ms());
    if (!search_alone(plan)) return false;
    if (!plan->settings->json) report_table_head(stdout);
    return for_each_row(plan, search_together);
}

static int play_all(struct plan *plan)
{
    const struct settings *s = plan->settings;
    struct cluster_options options = options_of(plan, 1, 0);
    options.speed_count = 0;
    options.cores = 1;
    if (!match_openings_load(&plan->openings, s->openings, match_rules())) return 1;
    plan->one = cluster_new(&options);
    progress_begin(&plan->progress, "games", row_total(plan) * (uint64_t)s->games, clock_now_ms());
    if (!s->json) report_match_head(stdout);
    bool ok = plan->one && for_each_row(plan, play_together);
    if (s->json) report_match_json(stdout, plan->match_rows, plan->row_count);
    cluster_free(plan->one);
    match_openings_free(&plan->openings);
    return ok && !interrupted ? 0 : 1;
}

static FILE *open_out(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) fprintf(stderr, "murakumo-simulate: %s: %s\n", path, strerror(errno));
    return file;
}

static bool close_out(FILE *file, const char *path)
{
    if (!file) return true;
    bool ok = !ferror(file);
    ok = fclose(file) == 0 && ok;
    if (!ok) fprintf(stderr, "murakumo-simulate: %s: %s\n", path, strerror(errno));
    return ok;
}

static int run(struct plan *plan)
{
    const struct settings *s = plan->settings;
    FILE *svg = NULL;
    if (s->csv[0] && !(plan->csv = open_out(s->csv))) return 1;
    if (s->svg[0] && !(svg = open_out(s->svg))) return 1;
    if (plan->csv) report_csv_head(plan->csv);
    bool ok = search_all(plan);
    if (s->json) report_json(stdout, plan->rows, plan->row_count);
    if (svg) report_svg(svg, plan->rows, plan->row_count);
    ok = close_out(plan->csv, s->csv) && ok;
    ok = close_out(svg, s->svg) && ok;
    return ok && !interrupted ? 0 : 1;
}

/* The parts of a long measurement as one. */
static int summarize(struct plan *plan, char *const paths[], int count)
{
    const struct settings *s = plan->settings;
    struct summary *summary = summary_new();
    bool ok = true;
    for (int i = 0; i < count && ok; i++) ok = summary_add(summary, paths[i]);
    plan->row_count = ok ? summary_rows(summary, (uint64_t)s->seed, plan->rows, ROWS_MAX) : 0;
    FILE *svg = ok && s->svg[0] ? open_out(s->svg) : NULL;
    ok = ok && (svg || !s->svg[0]);
    if (ok && s->json) report_json(stdout, plan->rows, plan->row_count);
    if (ok && !s->json) report_table_head(stdout);
    for (size_t i = 0; i < plan->row_count && ok && !s->json; i++) report_table_row(stdout, &plan->rows[i]);
    if (svg) report_svg(svg, plan->rows, plan->row_count);
    ok = close_out(svg, s->svg) && ok;
    summary_free(summary);
    return ok ? 0 : 1;
}

/* ---- arguments ------------------------------------------------------------------------------------------------- */

static int make_plan(struct plan *plan, const struct settings *s)
{
    double speeds[LIST_MAX];
    plan->settings = s;
    plan->strategy_count = read_strategies(s->strategy, plan->strategies);
    plan->workers_count = read_numbers(s->workers, 1, CLUSTER_WORKERS_MAX, plan->workers);
    plan->latency_count = read_numbers(s->latency_ms, 0, 10000, plan->latency_ms);
    plan->speed_count = s->speed[0] ? read_numbers(s->speed, 1, 100000, speeds) : 0;
    if (plan->strategy_count == 0) return refuse("--strategy", s->strategy, "names between commas; --help lists them");
    if (plan->workers_count == 0) return refuse("--workers", s->workers, "numbers from 1 to 256 between commas");
    if (plan->latency_count == 0)
        return refuse("--latency-ms", s->latency_ms, "numbers from 0 to 10000 between commas");
    if (plan->speed_count == 0 && s->speed[0]) return refuse("--speed", s->speed, "numbers from 1 to 100000");
    plan->crash_count = s->crash_ms[0] ? read_numbers(s->crash_ms, 0, 1e9, plan->crash_ms) : 0;
    if (plan->crash_count == 0 && s->crash_ms[0]) return refuse("--crash-ms", s->crash_ms, "numbers between commas");
    for (size_t i = 0; i < plan->strategy_count && plan->crash_count > 0; i++)
        if (plan->strategies[i]->split)
            return refuse("--crash-ms", plan->strategies[i]->name, "a strategy in which all search the root");
    if (s->partition_ms[0] && read_numbers(s->partition_ms, 0, 1e9, plan->partition_ms) != 2)
        return refuse("--partition-ms", s->partition_ms, "two numbers: FROM,TO");
    if (s->match && (s->crash_ms[0] || s->partition_ms[0] || s->csv[0] || s->svg[0]))
        return refuse("--match", "--crash-ms, --partition-ms, --csv or --svg", "none of these beside it");
    if (plan->strategy_count * plan->latency_count * plan->workers_count > ROWS_MAX)
        return refuse("--workers", s->workers, "a smaller product of the lists");
    for (size_t i = 0; i < plan->speed_count; i++) plan->speed_permille[i] = (unsigned)speeds[i];
    return 0;
}

int main(int argc, char **argv)
{
    static struct settings s; /* zeroed */
    machine_open_standard_files();
    strcpy(s.strategy, "claims");
    strcpy(s.workers, "1,2,4,8");
    strcpy(s.latency_ms, "1");
    strcpy(s.positions, "tests/data/positions.tsv");
    strcpy(s.openings, "tests/data/openings.sfen");
    s.games = 100;
    s.odds = 100;
    s.count = 20;
    s.nodes = 300000;
    s.nps = 500000;
    s.hash_mb = 16;
    s.reference = 16;
    s.turn_us = 1000;
    s.hint_cost_ns = 120;
    s.hint_plies = 2; /* these three as the coordinator's `lazy` has them */
    s.claim_plies = 6;
    s.budget = 10000000;
    s.cores = machine_cores();
    s.seed = 1;
    struct settings defaults = s;
    const struct conf_table table = {keys, sizeof keys / sizeof *keys, &s};
    char why[CONF_WHY_BYTES];
    int count = argc - 1;
    if (settings_load(&table, argv + 1, &count, why) != ST_OK) {
        fprintf(stderr, "murakumo-simulate: %s\n", why);
        return 2;
    }
    if (s.help) {
        help_print(&(struct conf_table){keys, table.count, &defaults});
        return 0;
    }
    static struct plan plan;
    plan.settings = &s;
    if (s.summary && count > 0) return summarize(&plan, argv + 1, count);
    if (s.summary) return refuse("--summary", "no file", "files that --csv wrote");
    if (count > 0) return refuse("arguments", argv[1], "options only; --help lists them");
    int code = make_plan(&plan, &s);
    if (code != 0) return code;
    signal(SIGINT, on_interrupt);
    signal(SIGTERM, on_interrupt);
    if (s.match) return play_all(&plan);
    plan.positions = calloc((size_t)s.count, sizeof *plan.positions);
    plan.runs = calloc((size_t)s.count, sizeof *plan.runs);
    if (!plan.positions || !plan.runs) abort();
    code = read_positions(&s, plan.positions, &plan.position_count) ? run(&plan) : 1;
    for (size_t i = 0; i < plan.position_count; i++) free(plan.positions[i].history);
    free(plan.positions);
    free(plan.runs);
    return code;
}
