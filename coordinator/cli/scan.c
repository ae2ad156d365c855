/* scan.c - `murakumo scan GAMES...`: evaluates every position of game records on an embedded cluster.
 *
 * Games are read one after the other (archive.h); up to WINDOW games are with the workers at a time, so that none of
 * them idles at the end of a game; results are printed in the order of the input.
 */
#include "common/base/log.h"
#include "common/net/clock.h"
#include "common/net/machine.h"
#include "common/net/settings.h"
#include "common/shogi/sfen.h"
#include "coordinator/cli/archive_out.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/progress.h"
#include "coordinator/run.h"
#include "coordinator/view/annotate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 4, TURN_MS = 100, OUT_BYTES_MAX = 8 << 20 };

struct settings {
    bool help, json, strict, dedup;
    int64_t workers, nodes, hash_mb;
    char listen[2048], keys[1024], log[16], format[16], out[4096];
};

static const struct conf_key keys[] = {
    CONF_NUMBER_KEY(struct settings, workers, "workers", 0, COORD_LOCAL_MAX, "N",
                    "local worker processes, one thread each; 0 = one per core"),
    CONF_NUMBER_KEY(struct settings, nodes, "nodes", 1000, INT64_MAX, "N", "nodes per position"),
    CONF_NUMBER_KEY(struct settings, hash_mb, "hash", 1, 33554432, "MB", "table of each local worker, MiB"),
    CONF_LIST_KEY(struct settings, listen, "listen", "ENDPOINT", "accept further workers: tcp://HOST:PORT"),
    CONF_TEXT_KEY(struct settings, keys, "keys", "DIR", "keys made by `murakumo keygen`; needed off this machine"),
    CONF_TEXT_KEY(struct settings, format, "format", "NAME", "table, jsonl, csv, or kif, csa: the game with comments"),
    CONF_FLAG_KEY(struct settings, json, "json", "the same as --format jsonl"),
    CONF_TEXT_KEY(struct settings, out, "out", "OUT", "file, or folder (with / at its end, if new) instead of stdout"),
    CONF_FLAG_KEY(struct settings, strict, "strict", "leave out games with any remark, not only say it"),
    CONF_FLAG_KEY(struct settings, dedup, "dedup", "leave out games that are the same, or the beginning of another"),
    CONF_TEXT_KEY(struct settings, log, "log", "LEVEL", "error, warn, info or debug, on stderr"),
    CONF_FLAG_KEY(struct settings, help, "help", "this text"),
};

enum scan_format { SCAN_TABLE, SCAN_JSONL, SCAN_CSV, SCAN_KIF, SCAN_CSA, SCAN_FORMATS };
static const struct {
    const char *name, *ending; /* of files in a folder */
} formats[SCAN_FORMATS] = {[SCAN_TABLE] = {"table", "txt"},
                           [SCAN_JSONL] = {"jsonl", "jsonl"},
                           [SCAN_CSV] = {"csv", "csv"},
                           [SCAN_KIF] = {"kif", "kifu"},
                           [SCAN_CSA] = {"csa", "csa"}};

struct game { /* one slot of the window */
    bool used, done;
    uint32_t id; /* counts up in the order of the input */
    struct archive_game source;
    struct record record;
    struct game_position *positions;
};

struct scan_run {
    const struct settings *settings;
    struct run *run;
    struct archive archive;
    struct archive_out out;
    enum scan_format format;
    bool all_read;

    struct game games[WINDOW];
    uint32_t id_next, id_print; /* next game to be read; next game to be printed */
    uint64_t positions_done, positions_known;
    struct progress progress;
    bool failed, refused;
};

/* ---- reading --------------------------------------------------------------------------------------------------- */

/* Reads the next game into the slot. False: there is none. */
static bool read_game(struct scan_run *scan, struct game *game)
{
    if (scan->all_read) return false;
    enum status st = archive_next(&scan->archive, &game->record, &game->source);
    if (st == ST_OK) return true;
    if (st != ST_MISSING) {
        fprintf(stderr, "murakumo scan: %s\n", status_text(st));
        scan->refused = true;
    }
    scan->all_read = true;
    return false;
}

static bool submit(struct scan_run *scan, struct game *game)
{
    static char moves[WIRE_MOVES_BYTES_MAX];
    char root[SFEN_BYTES_MAX];
    size_t root_bytes = sfen_write(&game->record.initial, root), bytes = 0;
    uint32_t plies = record_plies(&game->record);
    for (uint32_t i = 0; i < plies; i++) {
        if (i > 0) moves[bytes++] = ' ';
        bytes += movetext_to_usi(game->record.moves[game->record.lines[0].first + i].move, moves + bytes);
    }
    free(game->positions);
    game->positions = calloc(plies + 1, sizeof *game->positions);
    if (!game->positions) return false;
    game->used = true;
    game->done = false;
    game->id = scan->id_next++;
    scan->positions_known += plies + 1;
    scan->progress.total = scan->positions_known;
    struct scan_order order = {.id = game->id,
                               .root = wire_str_make(root, root_bytes),
                               .moves = wire_str_make(moves, bytes),
                               .last_ply = plies,
                               .nodes = (uint64_t)scan->settings->nodes,
                               .multipv = 1,
                               .fresh = true};
    enum status st = run_scan_submit(scan->run, &order);
    if (st == ST_OK) return true;
    fprintf(stderr, "%s: the cluster does not take the game: %s\n", game->source.file->path, status_text(st));
    game->used = false;
    scan->id_print = game->id + 1;
    scan->refused = true;
    return true;
}

/* Fills the free slots. False: out of memory. */
static bool fill_window(struct scan_run *scan)
{
    for (size_t i = 0; i < WINDOW; i++) {
        struct game *game = &scan->games[i];
        while (!game->used && read_game(scan, game))
            if (!submit(scan, game)) return false;
    }
    return true;
}

/* ---- results --------------------------------------------------------------------------------------------------- */

static struct game *game_by_id(struct scan_run *scan, uint32_t id)
{
    for (size_t i = 0; i < WINDOW; i++)
        if (scan->games[i].used && scan->games[i].id == id) return &scan->games[i];
    return NULL;
}

static void copy_text(char *out, size_t capacity, struct wire_str text)
{
    size_t bytes = text.length < capacity ? text.length : capacity - 1;
    if (bytes < text.length) /* cut between two moves */
        while (bytes > 0 && text.bytes[bytes] != ' ') bytes--;
    if (bytes > 0) memcpy(out, text.bytes, bytes);
    out[bytes] = 0;
}

static void take_result(void *context, const struct scan_result *result)
{
    struct scan_run *scan = context;
    struct game *game = game_by_id(scan, result->id);
    if (!game || result->ply > record_plies(&game->record)) return;
    struct game_position *position = &game->positions[result->ply];
    scan->positions_done++;
    if (result->verdict == VERDICT_REFUSED) {
        fprintf(stderr, "%s: ply %u: %.*s\n", game->source.file->path, (unsigned)result->ply, (int)result->text.length,
                result->text.bytes);
        scan->refused = true;
        return;
    }
    position->done = true;
    position->score = (struct judge_score){result->score_kind, result->score};
    if (result->verdict == VERDICT_RESIGN) position->score = (struct judge_score){WIRE_SCORE_MATE, 0};
    if (result->verdict == VERDICT_WIN) position->score = (struct judge_score){WIRE_SCORE_MATE, 1};
    position->depth = result->depth;
    position->nodes = result->nodes;
    copy_text(position->best, sizeof position->best, result->best);
    if (result->line_count > 0) copy_text(position->pv, sizeof position->pv, result->lines[0].pv);
}

static void take_done(void *context, uint32_t id, uint32_t positions)
{
    (void)positions;
    struct game *game = game_by_id(context, id);
    if (game) game->done = true;
}

static void write_game(struct scan_run *scan, struct game *game, struct text_buffer *text)
{
    const char *file = game->source.file->path;
    uint32_t index = game->source.index;
    switch (scan->format) {
    case SCAN_TABLE:
        game_table_write(&game->record, file, game->positions, text);
        break;
    case SCAN_JSONL:
        game_table_write_json(&game->record, file, index, game->positions, text);
        break;
    case SCAN_CSV:
        if (scan->out.games == 0) game_table_write_csv_head(text);
        game_table_write_csv(&game->record, file, index, game->positions, text);
        break;
    case SCAN_KIF:
    case SCAN_CSA:
        if (annotate_record(&game->record, game->positions, scan->format == SCAN_KIF ? ANNOTATE_KIF : ANNOTATE_CSA) !=
            ST_OK)
            fprintf(stderr, "%s: game %u has no room for further comments\n", file, index + 1);
        record_write(&game->record, scan->format == SCAN_KIF ? RECORD_OUT_KIF : RECORD_OUT_CSA3, scan->out.games, text);
        break;
    case SCAN_FORMATS:
        break;
    }
}

static bool put_game(struct scan_run *scan, struct game *game)
{
    struct text_buffer text;
    text_buffer_init(&text, OUT_BYTES_MAX);
    bool ok = archive_out_next(&scan->out, game->source.file_index);
    if (ok) write_game(scan, game, &text);
    if (ok && text.status != ST_OK) {
        fprintf(stderr, "%s: game %u: %s\n", game->source.file->path, game->source.index + 1, status_text(text.status));
        scan->refused = true;
    } else if (ok && text.length > 0) {
        ok = archive_out_put(&scan->out, text.data, text.length) && archive_out_flush(&scan->out);
    }
    text_buffer_free(&text);
    return ok;
}

static void print_finished(struct scan_run *scan)
{
    struct game *game;
    while ((game = game_by_id(scan, scan->id_print)) && game->done) {
        progress_end(&scan->progress);
        if (!put_game(scan, game)) scan->failed = true;
        game->used = false;
        scan->id_print++;
    }
}

/* ---- the command ----------------------------------------------------------------------------------------------- */

static void help_print(const struct conf_table *table)
{
    static char text[8192];
    conf_help(table, text, sizeof text);
    printf(
        "murakumo scan evaluates every position of game records (CSA, KIF, KI2, USI, JKF, also .gz and .zst; found by\n"
        "content) and shows for each move the score, the engine's choice and what the move lost. Scores in the table\n"
        "are Black's. GAMES are files, folders (with all below them), patterns or - for stdin.\n\n"
        "usage: murakumo scan [OPTIONS] GAMES...\n\n%s\n"
        "examples:\n"
        "  murakumo scan game.kif\n"
        "  murakumo scan --workers 2 --nodes 500000 tests/data/games/demo.csa\n"
        "  murakumo scan --json archive/ more.csa.gz > scores.jsonl\n"
        "  murakumo scan --format kif --dedup archive/ --out annotated/\n"
        "  zstdcat games.csa.zst | murakumo scan -\n\n"
        "exit codes: 0 done, 1 something was refused or broke, 2 wrong usage\n",
        text);
}

static int scan_all(struct scan_run *scan)
{
    while (!scan->failed && fill_window(scan)) {
        print_finished(scan);
        if (scan->id_print == scan->id_next && scan->all_read) break;
        if (!run_turn(scan->run, NULL, 0, TURN_MS)) {
            scan->failed = true; /* interrupted: what was done so far is printed */
            break;
        }
        progress_update(&scan->progress, scan->positions_done, NULL, clock_now_ms());
    }
    progress_end(&scan->progress);
    if (scan->failed) {
        for (size_t i = 0; i < WINDOW; i++) scan->games[i].done = true;
        print_finished(scan);
        fprintf(stderr, "murakumo scan: stopped after %llu of %llu positions\n",
                (unsigned long long)scan->positions_done, (unsigned long long)scan->positions_known);
    }
    return scan->failed || scan->refused || scan->archive.refused ? CLI_FAILED : CLI_DONE;
}

static enum scan_format format_by_name(const char *name)
{
    enum scan_format format = SCAN_TABLE;
    while (format < SCAN_FORMATS && strcmp(formats[format].name, name) != 0) format++;
    return format;
}

/* The list of games, read once for equal ones if wanted, and the place that results go to. */
static bool open_games(struct scan_run *scan, char **arguments, int count)
{
    const struct settings *settings = scan->settings;
    archive_init(&scan->archive, "murakumo scan");
    scan->archive.strict = settings->strict;
    scan->archive.results = settings->out[0] ? settings->out : NULL;
    if (!archive_add_all(&scan->archive, arguments, count)) return false;
    uint32_t same, beginnings;
    if (settings->dedup) {
        enum status st = archive_drop_twins(&scan->archive, NULL, NULL, &same, &beginnings);
        if (st != ST_OK) fprintf(stderr, "murakumo scan: %s\n", status_text(st));
        if (st != ST_OK) return false;
    }
    return archive_out_open(&scan->out, &scan->archive, settings->out, formats[scan->format].ending);
}

static int run_scan(struct scan_run *scan)
{
    const struct settings *settings = scan->settings;
    char why[512]; /* room for the lines of conf.h and link_zmq.h */
    int code;
    unsigned workers = settings->workers > 0 ? (unsigned)settings->workers : machine_cores();
    scan->run =
        run_new(&(struct run_options){.name = "murakumo scan",
                                      .kind = "scan",
                                      .listen = settings->listen,
                                      .keys_directory = settings->keys,
                                      .local_workers = workers,
                                      .threads = 1,
                                      .hash_mb = (uint32_t)settings->hash_mb,
                                      .worker_log = settings->log,
                                      .hooks = {.context = scan, .scan_result = take_result, .scan_done = take_done}},
                why, &code);
    if (!scan->run) {
        fprintf(stderr, "murakumo scan: %s\n", why);
        return code;
    }
    progress_begin(&scan->progress, "positions", 0, clock_now_ms());
    code = scan_all(scan);
    (void)run_free(scan->run);
    return code;
}

/* NULL: all is well. */
static const char *check_settings(struct scan_run *scan, const struct settings *settings, int count,
                                  enum log_level *level)
{
    scan->format = settings->json ? SCAN_JSONL : format_by_name(settings->format);
    if (count == 0) return "found no file, expected GAMES...; see murakumo scan --help";
    if (scan->format == SCAN_FORMATS) return "--format: expected table, jsonl, csv, kif or csa";
    if (!log_level_from_name(settings->log, level)) return "--log: expected error, warn, info or debug";
    return NULL;
}

int cli_scan(int argc, char **argv)
{
    static struct settings settings = {.nodes = 300000, .hash_mb = 64, .log = "warn", .format = "table"};
    const struct conf_table table = {keys, sizeof keys / sizeof *keys, &settings};
    struct settings defaults = settings;
    static struct scan_run scan;
    char why[CONF_WHY_BYTES];
    int count = argc - 1;
    enum log_level level;
    if (settings_load(&table, argv + 1, &count, why) != ST_OK) {
        fprintf(stderr, "murakumo scan: %s\n", why);
        return CLI_USAGE;
    }
    if (settings.help) {
        help_print(&(struct conf_table){keys, table.count, &defaults});
        return CLI_DONE;
    }
    const char *expected = check_settings(&scan, &settings, count, &level);
    if (expected) {
        fprintf(stderr, "murakumo scan: %s\n", expected);
        return CLI_USAGE;
    }
    log_set_level(level);
    log_set_clock(clock_unix_ms);
    machine_raise_file_limit();

    scan.settings = &settings;
    for (size_t i = 0; i < WINDOW; i++) record_init(&scan.games[i].record);
    int code = CLI_FAILED;
    if (open_games(&scan, argv + 1, count)) {
        code = run_scan(&scan);
        if (!archive_out_close(&scan.out)) code = CLI_FAILED;
    }
    archive_free(&scan.archive);
    for (size_t i = 0; i < WINDOW; i++) {
        record_free(&scan.games[i].record);
        free(scan.games[i].positions);
    }
    return code;
}
