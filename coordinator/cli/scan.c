/* scan.c - `murakumo scan GAMES...`: evaluates every position of game records. A farm in one command: the games become
 * a job, the job is worked on, and what the store then knows is written, game by game in the order of the input.
 */
#include "common/net/settings.h"
#include "common/shogi/sfen.h"
#include "coordinator/cli/archive_out.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/farm_settings.h"
#include "coordinator/cli/farm_submit.h"
#include "coordinator/store/csv_db.h"
#include "coordinator/view/annotate.h"
#include "coordinator/view/scan_summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUT_BYTES_MAX = 64 << 20 };

struct settings {
    bool help, json, strict, dedup;
    int64_t nodes;
    char format[16], out[4096], store[1024];
    struct farm_work_settings work;
};

static const struct conf_key keys[] = {
    CONF_NUMBER_KEY(struct settings, nodes, "nodes", 1000, INT64_MAX, "N", "nodes per position"),
    CONF_TEXT_KEY(struct settings, store, "store", "FILE",
                  "SQLite file that keeps all work: the same command goes on from there; none = nothing is kept"),
    FARM_WORK_KEYS(struct settings),
    CONF_TEXT_KEY(struct settings, format, "format", "NAME",
                  "table, jsonl, csv, sqlite, or kif, csa: the game with comments"),
    CONF_FLAG_KEY(struct settings, json, "json", "the same as --format jsonl"),
    CONF_TEXT_KEY(struct settings, out, "out", "OUT", "file, or folder (with / at its end, if new) instead of stdout"),
    CONF_FLAG_KEY(struct settings, strict, "strict", "leave out games with any remark, not only say it"),
    CONF_FLAG_KEY(struct settings, dedup, "dedup", "leave out games that are the same, or the beginning of another"),
    CONF_FLAG_KEY(struct settings, help, "help", "this text"),
};

enum scan_format { SCAN_TABLE, SCAN_JSONL, SCAN_CSV, SCAN_KIF, SCAN_CSA, SCAN_SQLITE, SCAN_FORMATS };
static const struct {
    const char *name, *ending; /* of files in a folder */
} formats[SCAN_FORMATS] = {
    [SCAN_TABLE] = {"table", "txt"}, [SCAN_JSONL] = {"jsonl", "jsonl"}, [SCAN_CSV] = {"csv", "csv"},
    [SCAN_KIF] = {"kif", "kifu"},    [SCAN_CSA] = {"csa", "csa"},       [SCAN_SQLITE] = {"sqlite", "db"}};

struct scan_run {
    const struct settings *settings;
    struct store *store;
    struct archive archive;
    struct archive_out out;
    struct csv_db *db; /* SCAN_SQLITE: instead of `out` */
    enum scan_format format;
    struct store_job job;
    struct mine mine; /* the settings of the survey; `engine` as the job says */
    struct scan_summary summary;
    uint64_t positions, positions_known;
    bool failed, refused;
};

/* ---- what the store knows of a game ----------------------------------------------------------------------------- */

static void explain(struct scan_run *scan, const char *file, uint32_t unit, const char *why)
{
    fprintf(stderr, "%s: ply %u and after: %s\n", file, (unsigned)(unit * SLICE_PLIES), why);
    scan->refused = true;
}

/* A survey that asks the store instead of the cluster. What is not known stays unknown. */
static struct survey *survey_known(struct scan_run *scan, const struct record *record, const char *file)
{
    static Move moves[RECORD_PLIES_MAX];
    static char text[TASK_BYTES_MAX];
    uint32_t plies = record_plies(record);
    for (uint32_t i = 0; i < plies; i++) moves[i] = record->moves[record->lines[0].first + i].move;
    struct survey *survey = survey_new(&scan->mine, false, &record->initial, moves, plies);
    uint32_t units = survey ? survey_units(survey) : 0;
    for (uint32_t u = 0; u < units; u++) {
        struct task task;
        struct store_task known;
        char name[TASK_NAME_BYTES];
        if (!survey_question(survey, u, &task)) break;
        task_name(text_make(text, task_write(&task, text)), name);
        if (store_task_get(scan->store, name, &known) != ST_OK) continue;
        if (known.buried) explain(scan, file, u, known.buried);
        survey_take(survey, u, known.answer, known.buried != NULL);
    }
    for (uint32_t ply = 0; survey && ply <= plies; ply++) scan->positions_known += survey->look[ply].done;
    scan->positions += plies + 1;
    return survey;
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

struct game {
    struct archive_game source;
    struct record record;
    const struct game_position *positions;
};

static void write_meta(const struct scan_run *scan, struct text_buffer *text)
{
    text_buffer_format(text,
                       "{\"type\":\"meta\",\"games\":%" PRId64 ",\"nodes_per_position\":%" PRId64
                       ",\"manifest_sha256\":\"%s\",\"engine\":\"%s\"}\n",
                       scan->job.games, scan->mine.scan_nodes, scan->job.manifest, scan->job.engine);
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
        if (scan->out.games == 0) write_meta(scan, text);
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
    case SCAN_SQLITE:
        game_table_write_csv(&game->record, file, index, game->positions, text);
        break;
    case SCAN_FORMATS:
        break;
    }
}

static bool put_game(struct scan_run *scan, struct game *game, struct text_buffer *text)
{
    text_buffer_clear(text);
    scan_summary_add(&scan->summary, &game->record, game->positions);
    if (!scan->db && !archive_out_next(&scan->out, game->source.file_index)) return false;
    write_game(scan, game, text);
    if (scan->db && text->status == ST_OK) return csv_db_add(scan->db, text_buffer_view(text)) == ST_OK;
    if (text->status == ST_OK) return text->length == 0 || archive_out_put(&scan->out, text->data, text->length);
    fprintf(stderr, "%s: game %u: %s\n", game->source.file->path, game->source.index + 1, status_text(text->status));
    scan->refused = true;
    return true;
}

static bool put_table(struct scan_run *scan, const char *name, struct text_buffer *csv)
{
    struct text rows = text_buffer_view(csv), head;
    return csv->status == ST_OK && text_take_line(&rows, &head) && csv_db_table(scan->db, name, head) == ST_OK &&
           csv_db_add(scan->db, rows) == ST_OK;
}

/* After all games: what they say together. */
static bool put_summary(struct scan_run *scan, struct text_buffer *text)
{
    if (scan->db) {
        text_buffer_clear(text);
        scan_summary_write_players_csv(&scan->summary, text);
        if (!put_table(scan, "players", text)) return false;
        text_buffer_clear(text);
        scan_summary_write_openings_csv(&scan->summary, text);
        return put_table(scan, "openings", text);
    }
    if (scan->format != SCAN_JSONL || scan->out.folder || scan->out.games == 0) return true;
    text_buffer_clear(text);
    scan_summary_write(&scan->summary, text);
    return text->status == ST_OK && (text->length == 0 || archive_out_put(&scan->out, text->data, text->length));
}

static bool put_all(struct scan_run *scan)
{
    struct game game;
    struct text_buffer text;
    enum status st;
    bool good = true;
    record_init(&game.record);
    text_buffer_init(&text, OUT_BYTES_MAX);
    scan_summary_init(&scan->summary);
    while (good && (st = archive_next(&scan->archive, &game.record, &game.source)) == ST_OK) {
        if (!farm_can_search(&game.record)) continue; /* it was said */
        struct survey *survey = survey_known(scan, &game.record, game.source.file->path);
        good = survey != NULL;
        if (good) {
            game.positions = survey->look;
            good = put_game(scan, &game, &text);
        }
        survey_free(survey);
    }
    good = good && st == ST_MISSING && put_summary(scan, &text);
    scan_summary_free(&scan->summary);
    text_buffer_free(&text);
    record_free(&game.record);
    return good;
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

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
        "  murakumo scan --store scan.db --json archive/ > scores.jsonl\n"
        "  murakumo scan --format kif --dedup archive/ --out annotated/\n"
        "  zstdcat games.csa.zst | murakumo scan -\n\n"
        "With --store an interrupted scan goes on when the same command is given again; what is known is never "
        "searched\n"
        "twice. exit codes: 0 done, 1 something was refused or broke, 2 wrong usage\n",
        text);
}

static int scan_all(struct scan_run *scan)
{
    const struct settings *settings = scan->settings;
    struct farm_submitted submitted;
    struct farm_submit_options submit = {.command = "murakumo scan",
                                         .store = scan->store,
                                         .kind = "scan",
                                         .mine = &scan->mine,
                                         .licence = "",
                                         .keep_twins = !settings->dedup,
                                         .archive = &scan->archive};
    if (farm_submit(&submit, &submitted) != ST_OK) return CLI_FAILED;
    int code = farm_work("murakumo scan", &settings->work, scan->store, submitted.job);
    if (store_job_get(scan->store, submitted.job, &scan->job) != ST_OK) return CLI_FAILED;
    scan->mine.engine = strtoull(scan->job.engine, NULL, 16);
    if (!put_all(scan)) code = CLI_FAILED;
    if (scan->positions_known < scan->positions) {
        fprintf(stderr, "murakumo scan: stopped after %" PRIu64 " of %" PRIu64 " positions%s\n", scan->positions_known,
                scan->positions, settings->store[0] ? "; the same command goes on from here" : "");
        code = CLI_FAILED;
    }
    return submitted.refused || scan->refused ? CLI_FAILED : code;
}

static enum scan_format format_by_name(const char *name)
{
    enum scan_format format = SCAN_TABLE;
    while (format < SCAN_FORMATS && strcmp(formats[format].name, name) != 0) format++;
    return format;
}

static bool open_database(struct scan_run *scan)
{
    char why[CSV_DB_WHY_BYTES];
    const char *path = scan->settings->out;
    struct text_buffer head;
    if (!*path || archive_holds(&scan->archive, path)) {
        fprintf(stderr, "murakumo scan: %s\n",
                *path ? "--out: found one of the games, expected a new place" : "--format sqlite needs --out FILE");
        return false;
    }
    text_buffer_init(&head, 4096);
    game_table_write_csv_head(&head);
    scan->db = csv_db_open(path, "moves", text_buffer_view(&head), why);
    text_buffer_free(&head);
    if (!scan->db) fprintf(stderr, "murakumo scan: %s\n", why);
    return scan->db != NULL;
}

static bool close_results(struct scan_run *scan)
{
    char why[CSV_DB_WHY_BYTES];
    if (!scan->db) return archive_out_close(&scan->out);
    bool good = csv_db_close(scan->db, true, why) == ST_OK;
    if (!good) fprintf(stderr, "murakumo scan: %s\n", why);
    return good;
}

static bool open_games(struct scan_run *scan, char **arguments, int count)
{
    archive_init(&scan->archive, "murakumo scan");
    scan->archive.strict = scan->settings->strict;
    scan->archive.results = scan->settings->out[0] ? scan->settings->out : NULL;
    if (!archive_add_all(&scan->archive, arguments, count)) return false;
    if (scan->format == SCAN_SQLITE) return open_database(scan);
    return archive_out_open(&scan->out, &scan->archive, scan->settings->out, formats[scan->format].ending);
}

int cli_scan(int argc, char **argv)
{
    static struct settings settings = {.nodes = 300000, .format = "table", .work = FARM_WORK_DEFAULTS};
    settings.work.sample = 0; /* one's own machine is trusted, unless asked otherwise */
    const struct conf_table table = {keys, sizeof keys / sizeof *keys, &settings};
    struct settings defaults = settings;
    static struct scan_run scan;
    char why[STORE_WHY_BYTES];
    int count = argc - 1;
    if (settings_load(&table, argv + 1, &count, why) != ST_OK) {
        fprintf(stderr, "murakumo scan: %s\n", why);
        return CLI_USAGE;
    }
    if (settings.help) {
        help_print(&(struct conf_table){keys, table.count, &defaults});
        return CLI_DONE;
    }
    scan.settings = &settings;
    scan.format = settings.json ? SCAN_JSONL : format_by_name(settings.format);
    if (count == 0 || scan.format == SCAN_FORMATS) {
        fprintf(stderr, "murakumo scan: %s\n",
                count == 0 ? "found no file, expected GAMES...; see murakumo scan --help"
                           : "--format: expected table, jsonl, csv, kif, csa or sqlite");
        return CLI_USAGE;
    }
    if (!farm_work_begin("murakumo scan", &settings.work)) return CLI_USAGE;
    scan.mine = mine_defaults();
    scan.mine.scan_nodes = settings.nodes;
    scan.store = store_open(settings.store, why);
    if (!scan.store) {
        fprintf(stderr, "murakumo scan: %s\n", why);
        return CLI_FAILED;
    }
    int code = CLI_FAILED;
    if (open_games(&scan, argv + 1, count)) {
        code = scan_all(&scan);
        if (!close_results(&scan)) code = CLI_FAILED;
    }
    archive_free(&scan.archive);
    store_close(scan.store);
    return code;
}
