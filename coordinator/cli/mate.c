/* mate.c - `murakumo mate SFEN|FILE...`: solves tsume problems on an embedded cluster.
 *
 * All positions are read first; up to WINDOW of them are with the core at a time, more than there are workers, so that
 * none of them waits for us. What is solved is printed in the order of the input.
 */
#include "common/base/log.h"
#include "common/net/clock.h"
#include "common/net/machine.h"
#include "common/net/settings.h"
#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "common/shogi/sfen.h"
#include "common/shogi/wasted.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/mate_input.h"
#include "coordinator/cli/progress.h"
#include "coordinator/run.h"
#include "coordinator/view/mate_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = TSUME_ORDERS_MAX, TURN_MS = 100, OUT_BYTES_MAX = 1 << 20 };

struct settings {
    bool help, json, jsonl, kif, any_length, unique, convention;
    int64_t workers, threads, nodes, time_ms, plies, hash_mb;
    char listen[2048], keys[1024], log[16];
};

static const struct conf_key keys[] = {
    CONF_NUMBER_KEY(struct settings, time_ms, "time", 0, UINT32_MAX, "MS", "limit for each position; 0 = none"),
    CONF_NUMBER_KEY(struct settings, nodes, "nodes", 0, INT64_MAX, "N", "limit for each position; 0 = none"),
    CONF_NUMBER_KEY(struct settings, plies, "plies", 0, WIRE_MATE_PLIES_MAX, "N",
                    "look only for mates within so many moves; 0 = any length"),
    CONF_FLAG_KEY(struct settings, any_length, "any-length", "the first mate found will do; else the shortest one"),
    CONF_FLAG_KEY(struct settings, unique, "unique", "look for other solutions: other checks that mate at each move"),
    CONF_FLAG_KEY(struct settings, convention, "convention",
                  "show lines without wasted interpositions at their end, as books count"),
    CONF_FLAG_KEY(struct settings, jsonl, "jsonl", "one JSON object per position"),
    CONF_FLAG_KEY(struct settings, json, "json", "the same"),
    CONF_FLAG_KEY(struct settings, kif, "kif", "one KIF record per position"),
    CONF_NUMBER_KEY(struct settings, workers, "workers", 0, COORD_LOCAL_MAX, "N",
                    "local worker processes; 0 = as many as there are cores for"),
    CONF_NUMBER_KEY(struct settings, threads, "threads", 1, 1024, "N", "threads of each local worker"),
    CONF_NUMBER_KEY(struct settings, hash_mb, "hash", 1, 33554432, "MB", "table of each local worker, MiB"),
    CONF_LIST_KEY(struct settings, listen, "listen", "ENDPOINT", "accept further workers: tcp://HOST:PORT"),
    CONF_TEXT_KEY(struct settings, keys, "keys", "DIR", "keys made by `murakumo keygen`; needed off this machine"),
    CONF_TEXT_KEY(struct settings, log, "log", "LEVEL", "error, warn, info or debug, on stderr"),
    CONF_FLAG_KEY(struct settings, help, "help", "this text"),
};

struct other { /* a search for other solutions: one attacker's move of a line, left out */
    uint32_t ply;
    bool done, mate, open;
    struct mate_alternative found;
    char *line;
};

struct answer { /* beside each problem */
    bool settled, done;
    struct tsume_outcome outcome;
    char *line, *reason; /* texts of the outcome */
    struct other *others;
    uint32_t other_count, others_asked, others_done;
    char *text; /* to be printed; NULL once it was */
};

struct mate_run {
    const struct settings *settings;
    struct run *run;
    struct mate_input input;
    struct answer *answers;
    size_t submitted, finished, printed;
    size_t out_count;                  /* orders that the cluster has */
    size_t asking;                     /* answers before this one have all their `others` asked */
    size_t count[VERDICT_REFUSED + 1]; /* by verdict */
    struct progress progress;
    bool failed;
};

/* The id of an order: the place of its problem, and which of its searches it is; 0 = the problem itself. */
enum { OTHERS_MAX = 1 << 11 };
static uint32_t order_id(size_t problem, uint32_t other) { return (uint32_t)(problem * OTHERS_MAX + other); }

/* ---- results ---------------------------------------------------------------------------------------------------- */

static void place_of(const struct mate_problem *problem, char out[512])
{
    if (problem->line)
        snprintf(out, 512, "%.480s:%u", problem->file, (unsigned)problem->line);
    else
        snprintf(out, 512, "%.480s", problem->file);
}

static char *copy_of(struct wire_str text)
{
    char *copy = malloc((size_t)text.length + 1);
    if (!copy) return NULL;
    if (text.length) memcpy(copy, text.bytes, text.length);
    copy[text.length] = 0;
    return copy;
}

static void answer_free(struct answer *answer)
{
    for (uint32_t i = 0; i < answer->other_count; i++) free(answer->others[i].line);
    free(answer->others);
    free(answer->line);
    free(answer->reason);
    answer->others = NULL;
    answer->line = answer->reason = NULL;
    answer->other_count = 0;
}

/* Without the interpositions at its end that books do not count. */
static void cut_line(const struct position *root, struct tsume_outcome *outcome)
{
    struct text rest = text_make(outcome->line.bytes, outcome->line.length), word;
    Move line[WIRE_MATE_PLIES_MAX];
    struct position pos = *root;
    struct undo undo;
    unsigned count = 0;
    for (; count < WIRE_MATE_PLIES_MAX && text_take_word(&rest, &word); count++) {
        line[count] = movetext_from_usi(&pos, word.at, text_length(word));
        position_do(&pos, line[count], &undo);
    }
    outcome->plies = wasted_cut(root, line, count);
    rest = text_make(outcome->line.bytes, outcome->line.length);
    for (unsigned i = 0; i < outcome->plies; i++) (void)text_take_word(&rest, &word);
    outcome->line.length = (uint32_t)(rest.at - outcome->line.bytes);
}

/* All that will be known about this problem is: what will be printed. */
static void write_answer(struct mate_run *mate, size_t index)
{
    const struct mate_problem *problem = &mate->input.problems[index];
    const struct settings *settings = mate->settings;
    struct answer *answer = &mate->answers[index];
    struct mate_alternative found[OTHERS_MAX];
    struct mate_report report = {.root = &problem->root,
                                 .outcome = answer->outcome,
                                 .looked_for_others = settings->unique && answer->outcome.verdict == VERDICT_MATE,
                                 .all_looked_at = true,
                                 .alternatives = found};
    if (settings->convention && report.outcome.verdict == VERDICT_MATE) cut_line(&problem->root, &report.outcome);
    for (uint32_t i = 0; i < answer->other_count; i++) {
        const struct other *other = &answer->others[i];
        if (!other->done || other->open) report.all_looked_at = false;
        if (other->mate && other->ply <= report.outcome.plies) found[report.alternative_count++] = other->found;
    }
    struct text_buffer out;
    char place[512];
    place_of(problem, place);
    text_buffer_init(&out, OUT_BYTES_MAX);
    if (settings->jsonl || settings->json) {
        mate_report_json(&report, &out);
    } else if (settings->kif) {
        mate_report_kif(&report, place, (uint32_t)index, &out);
    } else {
        text_buffer_format(&out, "%s: ", place);
        mate_report_text(&report, &out);
    }
    if (out.status != ST_OK) {
        fprintf(stderr, "%s: %s\n", place, status_text(out.status));
        text_buffer_free(&out);
        mate->failed = true;
    }
    answer->text = out.data;
    answer->done = true;
    mate->finished++;
    answer_free(answer);
}

/* One search for each attacker's move of the line. */
static bool plan_others(struct answer *answer)
{
    uint32_t count = (answer->outcome.plies + 1) / 2;
    if (count >= OTHERS_MAX) count = OTHERS_MAX - 1;
    answer->others = calloc(count, sizeof *answer->others);
    if (!answer->others) return false;
    for (uint32_t i = 0; i < count; i++) answer->others[i].ply = 2 * i + 1;
    answer->other_count = count;
    return true;
}

static void take_problem(struct mate_run *mate, size_t index, const struct tsume_outcome *outcome)
{
    struct answer *answer = &mate->answers[index];
    answer->outcome = *outcome;
    answer->line = copy_of(outcome->line);
    answer->reason = copy_of(outcome->text);
    answer->settled = true;
    answer->outcome.line.bytes = answer->line;
    answer->outcome.text.bytes = answer->reason;
    answer->outcome.worker = wire_str_make(NULL, 0);
    if (outcome->verdict <= VERDICT_REFUSED) mate->count[outcome->verdict]++;
    bool memory = answer->line && answer->reason;
    if (memory && mate->settings->unique && outcome->verdict == VERDICT_MATE) memory = plan_others(answer);
    if (!memory) {
        mate->failed = true;
        answer->outcome.line.length = answer->outcome.text.length = 0;
    }
    if (answer->other_count == 0) write_answer(mate, index);
}

static void take_other(struct mate_run *mate, size_t index, struct other *other, const struct tsume_outcome *outcome)
{
    struct answer *answer = &mate->answers[index];
    other->done = true;
    other->open = outcome->verdict != VERDICT_MATE && outcome->verdict != VERDICT_NOMATE;
    other->line = outcome->verdict == VERDICT_MATE ? copy_of(outcome->line) : NULL;
    other->mate = other->line != NULL;
    other->found = (struct mate_alternative){other->ply, outcome->plies, other->line};
    if (++answer->others_done == answer->other_count) write_answer(mate, index);
}

static void take_outcome(void *context, const struct tsume_outcome *outcome)
{
    struct mate_run *mate = context;
    size_t index = outcome->id / OTHERS_MAX;
    uint32_t other = outcome->id % OTHERS_MAX;
    mate->out_count--;
    if (other)
        take_other(mate, index, &mate->answers[index].others[other - 1], outcome);
    else
        take_problem(mate, index, outcome);
}

static void print_one(struct mate_run *mate, struct answer *answer)
{
    if (!answer->text) return;
    progress_end(&mate->progress);
    fputs(answer->text, stdout);
    free(answer->text);
    answer->text = NULL;
}

/* What is solved up to the first position that is not; with `all` what is solved behind it, too, even if not all other
 * solutions have been looked for. */
static void print_finished(struct mate_run *mate, bool all)
{
    size_t before = mate->printed;
    for (size_t i = mate->printed; all && i < mate->input.count; i++)
        if (mate->answers[i].settled && !mate->answers[i].done) write_answer(mate, i);
    while (mate->printed < mate->input.count && mate->answers[mate->printed].done)
        print_one(mate, &mate->answers[mate->printed++]);
    for (size_t i = mate->printed; all && i < mate->input.count; i++) print_one(mate, &mate->answers[i]);
    if ((all || mate->printed > before) && fflush(stdout) != 0) mate->failed = true;
}

/* ---- orders ----------------------------------------------------------------------------------------------------- */

static enum status submit(struct mate_run *mate, uint32_t id, const struct position *pos, struct wire_str searchmoves)
{
    char sfen[SFEN_BYTES_MAX];
    size_t bytes = sfen_write(pos, sfen);
    bool other = id % OTHERS_MAX != 0;
    struct tsume_order order = {.id = id,
                                .root = wire_str_make(sfen, bytes),
                                .searchmoves = searchmoves,
                                .nodes = (uint64_t)mate->settings->nodes,
                                .time_ms = (uint32_t)mate->settings->time_ms,
                                .plies_max = other ? 0 : (uint32_t)mate->settings->plies,
                                .any_length = mate->settings->any_length || other,
                                .fresh = true};
    enum status st = run_tsume_submit(mate->run, &order);
    if (st == ST_OK) mate->out_count++;
    return st;
}

/* All checks at that move of the line but the one of the line; false: there are none. */
static bool other_checks(const struct position *root, const char *line, uint32_t ply, struct position *pos,
                         char out[WIRE_SEARCHMOVES_BYTES_MAX], size_t *bytes)
{
    struct text rest = text_from(line), word;
    Move moves[MOVES_MAX], played = MOVE_NONE;
    struct undo undo;
    *pos = *root;
    for (uint32_t i = 1; text_take_word(&rest, &word); i++) {
        played = movetext_from_usi(pos, word.at, text_length(word));
        if (i == ply) break;
        position_do(pos, played, &undo);
    }
    size_t count = movegen_legal(pos, moves);
    *bytes = 0;
    for (size_t i = 0; i < count; i++) {
        if (moves[i] == played || !position_gives_check(pos, moves[i])) continue;
        if (*bytes) out[(*bytes)++] = ' ';
        *bytes += movetext_to_usi(moves[i], out + *bytes);
    }
    return *bytes > 0;
}

static void submit_other(struct mate_run *mate, size_t index)
{
    static const struct tsume_outcome none = {.verdict = VERDICT_NOMATE}, failed = {.verdict = VERDICT_REFUSED};
    struct answer *answer = &mate->answers[index];
    struct other *other = &answer->others[answer->others_asked++];
    uint32_t id = order_id(index, (uint32_t)(other - answer->others) + 1);
    char moves[WIRE_SEARCHMOVES_BYTES_MAX];
    size_t bytes;
    struct position pos;
    if (!other_checks(&mate->input.problems[index].root, answer->line, other->ply, &pos, moves, &bytes))
        take_other(mate, index, other, &none);
    else if (submit(mate, id, &pos, wire_str_make(moves, bytes)) != ST_OK)
        take_other(mate, index, other, &failed);
}

static void submit_problem(struct mate_run *mate, size_t index)
{
    const struct mate_problem *problem = &mate->input.problems[index];
    char place[512];
    enum status st = submit(mate, order_id(index, 0), &problem->root, wire_str_make(NULL, 0));
    if (st == ST_OK) return;
    place_of(problem, place);
    fprintf(stderr, "%s: the cluster does not take the position: %s\n", place, status_text(st));
    mate->answers[index].done = true;
    mate->finished++;
    mate->count[VERDICT_REFUSED]++;
}

/* Other solutions first: they finish what has been begun. */
static void fill_window(struct mate_run *mate)
{
    for (size_t i = mate->asking; i < mate->submitted; i++) {
        struct answer *answer = &mate->answers[i];
        while (mate->out_count < WINDOW && answer->others_asked < answer->other_count) submit_other(mate, i);
        bool asked = answer->done || (answer->settled && answer->others_asked == answer->other_count);
        if (i == mate->asking && asked) mate->asking++;
    }
    while (mate->submitted < mate->input.count && mate->out_count < WINDOW) submit_problem(mate, mate->submitted++);
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

static int solve_all(struct mate_run *mate)
{
    bool interrupted = false;
    while (mate->finished < mate->input.count && !interrupted) {
        fill_window(mate);
        interrupted = !run_turn(mate->run, NULL, 0, TURN_MS);
        print_finished(mate, false);
        progress_update(&mate->progress, mate->finished, NULL, clock_now_ms());
    }
    progress_end(&mate->progress);
    print_finished(mate, true);
    if (mate->input.count > 1 || interrupted)
        fprintf(stderr, "%zu of %zu positions: mate %zu, no mate %zu, unknown %zu, refused %zu\n", mate->finished,
                mate->input.count, mate->count[VERDICT_MATE], mate->count[VERDICT_NOMATE], mate->count[VERDICT_UNKNOWN],
                mate->count[VERDICT_REFUSED]);
    bool bad = interrupted || mate->failed || mate->input.refused || mate->count[VERDICT_REFUSED];
    return bad ? CLI_FAILED : CLI_DONE;
}

static void help_print(const struct conf_table *table)
{
    static char text[8192];
    conf_help(table, text, sizeof text);
    printf("murakumo mate proves or refutes mates: the side to move attacks and gives check with every move. A mate\n"
           "counts every legal interposition and comes with its longest defence; \"no mate\" is proved; all else is\n"
           "\"unknown\". Files hold SFEN lines, or CSA, KIF, KI2 and JKF records (the position before the first move), "
           "also\n"
           "packed (.gz, .zst); a folder stands for all files below it, `-` is standard input. Pieces missing from a\n"
           "diagram without attacker's king belong to the defender.\n\n"
           "usage: murakumo mate [OPTIONS] SFEN|FILE|FOLDER...\n\n%s\n"
           "examples:\n"
           "  murakumo mate \"9/7Sk/1+R7/9/9/9/9/9/9 b r2b4g3s4n4l18p 1\"\n"
           "  murakumo mate --time 10000 --jsonl problems.sfen > solved.jsonl\n"
           "  murakumo mate --unique --time 60000 problem.kif\n"
           "  murakumo mate --kif --nodes 1000000 - < problems.sfen\n\n"
           "exit codes: 0 every position has its answer (unknown, too), 1 something was refused or broke, 2 wrong "
           "usage\n",
           text);
}

_Static_assert((int)KEY_TEXT_MAX <= 512 && (int)CONF_WHY_BYTES <= 512, "why[] takes either line");

static int run_it(struct mate_run *mate, const struct settings *settings)
{
    char why[512];
    int code;
    unsigned cores = machine_cores() / (unsigned)settings->threads;
    mate->run = run_new(&(struct run_options){.name = "murakumo mate",
                                              .kind = "mate",
                                              .listen = settings->listen,
                                              .keys_directory = settings->keys,
                                              .local_workers = settings->workers ? (unsigned)settings->workers
                                                               : cores           ? cores
                                                                                 : 1,
                                              .threads = (uint32_t)settings->threads,
                                              .hash_mb = (uint32_t)settings->hash_mb,
                                              .worker_log = settings->log,
                                              .hooks = {.context = mate, .tsume_done = take_outcome}},
                        why, &code);
    if (!mate->run) {
        fprintf(stderr, "murakumo mate: %s\n", why);
        return code;
    }
    progress_begin(&mate->progress, "positions", mate->input.count, clock_now_ms());
    code = solve_all(mate);
    (void)run_free(mate->run);
    return code;
}

int cli_mate(int argc, char **argv)
{
    static struct settings settings = {.threads = 1, .hash_mb = 256, .log = "warn"};
    const struct conf_table table = {keys, sizeof keys / sizeof *keys, &settings};
    struct settings defaults = settings;
    static struct mate_run mate;
    char why[CONF_WHY_BYTES];
    int count = argc - 1;
    enum log_level level;
    if (settings_load(&table, argv + 1, &count, why) != ST_OK) {
        fprintf(stderr, "murakumo mate: %s\n", why);
        return CLI_USAGE;
    }
    if (settings.help) {
        help_print(&(struct conf_table){keys, table.count, &defaults});
        return CLI_DONE;
    }
    if (count == 0 || !log_level_from_name(settings.log, &level)) {
        fprintf(stderr, "murakumo mate: %s\n",
                count == 0 ? "found no position, expected SFEN or FILE...; see murakumo mate --help"
                           : "--log: expected error, warn, info or debug");
        return CLI_USAGE;
    }
    log_set_level(level);
    log_set_clock(clock_unix_ms);
    machine_raise_file_limit();

    mate.settings = &settings;
    int code = CLI_FAILED;
    bool read = mate_input_read(&mate.input, argv + 1, count);
    mate.answers = read ? calloc(mate.input.count + 1, sizeof *mate.answers) : NULL;
    if (!mate.answers)
        fprintf(stderr, "murakumo mate: not enough memory for the positions\n");
    else if (mate.input.count > 0)
        code = run_it(&mate, &settings);
    for (size_t i = 0; mate.answers && i < mate.input.count; i++) {
        answer_free(&mate.answers[i]);
        free(mate.answers[i].text);
    }
    free(mate.answers);
    mate_input_free(&mate.input);
    return code;
}
