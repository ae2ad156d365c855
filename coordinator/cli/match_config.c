#include "coordinator/cli/match_config.h"

#include "common/shogi/score.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help_text[] =
    "usage: murakumo match [limits and options for both] ENGINE [its own] ENGINE [its own]\n"
    "Plays paired openings between two USI engines and says how much stronger the first one is.\n"
    "\n"
    "ENGINE is a command (\"build/murakumo usi\") or --engine COMMAND. Words after it are for this engine only:\n"
    "  --name NAME            how it is called in the results\n"
    "  --option NAME=VALUE    a USI option (repeat)\n"
    "  --threads N            1        --hash MB   the engine's default; both under the engine's own option names\n"
    "limits of a move (any combination; before the first engine: for both):\n"
    "  --byoyomi MS   --time MS   --inc MS   --movetime MS   --nodes N   --depth N\n"
    "\n"
    "the match:\n"
    "  --games N              each opening from both sides, then again from the first (default: once through)\n"
    "  --concurrency N        games at a time, each with its own two processes (1)\n"
    "  --openings FILE        one SFEN or `position` line each, # for comments (the start position)\n"
    "  --seed N               order of the openings (1)\n"
    "  --max-moves N          draw after this move (320; 0 = never)\n"
    "  --rule NAME            EnteringKingRule: NoEnteringKing, CSARule24, CSARule24H, CSARule27, CSARule27H, TryRule\n"
    "  --resign-score CP --resign-plies N     win when both engines see it so for N plies (off)\n"
    "  --draw-score CP --draw-plies N --draw-after MOVE   draw, likewise (off)\n"
    "  --elo0 E --elo1 E --alpha A --beta B   stop as soon as the SPRT decides (0.05, 0.05)\n"
    "\n"
    "time:\n"
    "  --margin-ms MS         lost on time when the answer is later than this beyond the limit (250)\n"
    "  --lenient              late answers are counted, not lost\n"
    "  --network-delay-ms MS  overruns are counted from here (120)\n"
    "  --hang-ms MS           given up this long after the limit (10000); --unlimited-ms for nodes and depth (600000)\n"
    "  --start-ms MS, --ready-ms MS           for usiok and readyok (20000, 60000)\n"
    "\n"
    "output:\n"
    "  --results FILE         every game as it ends, JSON lines; the same command again goes on where it stopped\n"
    "  --out FILE             the games as records in order of their end; .kif, .usi or (any other name) CSA\n"
    "  --json FILE            the summary as JSON (- = stdout instead of the text)\n"
    "  --log FILE             every line to and from the engines; --engine-stderr FILE what they write there\n"
    "  --progress S           seconds between lines when stderr is no terminal (30); --quiet none\n"
    "\n"
    "examples:\n"
    "  murakumo match --byoyomi 1000 --openings tests/data/openings.sfen --games 100 \\\n"
    "      \"build/murakumo usi\" /usr/games/fairy-stockfish\n"
    "  murakumo match --nodes 5000 --elo0 0 --elo1 5 --results sprt.jsonl --openings tests/data/openings.sfen \\\n"
    "      \"new/murakumo usi\" --name new \"old/murakumo usi\" --name old\n"
    "  murakumo match --byoyomi 1000 --lenient build/murakumo \"/usr/games/gpsusi --num-cpus 1\"\n"
    "\n"
    "Exit codes: 0 all games played or the SPRT decided; 1 stopped before or an engine does not work; 2 wrong usage.\n";

void match_config_help(void) { fputs(help_text, stdout); }

__attribute__((format(printf, 1, 2))) static bool wrong(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("murakumo match: ", stderr);
    vfprintf(stderr, format, args);
    fputs(" (see murakumo match --help)\n", stderr);
    va_end(args);
    return false;
}

/* ---- words of the command line ------------------------------------------------------------------------------------
 */

/* Cuts a command at blanks; '...' and "..." keep blanks, a backslash keeps the next character (not inside '...'). */
static bool split_command(struct match_engine_config *engine)
{
    engine->words = malloc(strlen(engine->command) + 1);
    if (!engine->words) return wrong("out of memory");
    char *out = engine->words;
    const char *in = engine->command;
    unsigned count = 0;
    for (;;) {
        while (*in == ' ' || *in == '\t') in++;
        if (!*in) break;
        if (count == MATCH_ARGS_MAX) return wrong("engine command with more than %d arguments", MATCH_ARGS_MAX);
        engine->argv[count++] = out;
        char quote = 0;
        for (; *in && (quote || (*in != ' ' && *in != '\t')); in++) {
            if (quote ? *in == quote : (*in == '"' || *in == '\''))
                quote = quote ? 0 : *in;
            else if (*in == '\\' && quote != '\'' && in[1])
                *out++ = *++in;
            else
                *out++ = *in;
        }
        if (quote) return wrong("engine command `%s`: the quote %c is not closed", engine->command, quote);
        *out++ = 0;
    }
    engine->argv[count] = NULL;
    return count > 0 ? true : wrong("an engine command is empty");
}

static void name_engines(struct match_config *config)
{
    for (unsigned i = 0; i < 2; i++) {
        struct match_engine_config *engine = &config->engines[i];
        if (engine->name[0]) continue;
        const char *slash = strrchr(engine->argv[0], '/');
        snprintf(engine->name, sizeof engine->name, "%s", slash ? slash + 1 : engine->argv[0]);
    }
    if (strcmp(config->engines[0].name, config->engines[1].name) != 0) return;
    for (unsigned i = 0; i < 2; i++) {
        size_t length = strlen(config->engines[i].name);
        if (length > sizeof config->engines[i].name - 3) length = sizeof config->engines[i].name - 3;
        snprintf(config->engines[i].name + length, 3, "-%c", 'A' + (int)i);
    }
}

static bool read_integer(const char *word, const char *text, int64_t min, int64_t max, int64_t *value)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (end == text || *end || errno || number < min || number > max)
        return wrong("%s `%s`: expected a number from %" PRId64 " to %" PRId64, word, text, min, max);
    *value = number;
    return true;
}

static bool read_real(const char *word, const char *text, double min, double max, double *value)
{
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end || !(number >= min && number <= max))
        return wrong("%s `%s`: expected a number from %g to %g", word, text, min, max);
    *value = number;
    return true;
}

enum { DAY_MS = 24 * 3600 * 1000 };

/* Words that are followed by a number. Engine words go to both engines until the first engine was named. */
static bool set_number(struct match_config *config, int engine, const char *word, const char *text, bool *known)
{
    int64_t value = 0;
    *known = true;
#define NUMBER(option, min, max, statement)                                                                            \
    if (strcmp(word, option) == 0) {                                                                                   \
        if (!read_integer(word, text, min, max, &value)) return false;                                                 \
        statement;                                                                                                     \
        return true;                                                                                                   \
    }
#define ENGINE_NUMBER(option, min, max, member, type)                                                                  \
    NUMBER(option, min, max,                                                                                           \
           for (int i = engine < 0 ? 0 : engine; i <= (engine < 0 ? 1 : engine); i++) config->engines[i].member =      \
               (type)value)
    ENGINE_NUMBER("--byoyomi", 0, DAY_MS, limits.byoyomi_ms, int64_t)
    ENGINE_NUMBER("--time", 0, DAY_MS, limits.time_ms, int64_t)
    ENGINE_NUMBER("--inc", 0, DAY_MS, limits.inc_ms, int64_t)
    ENGINE_NUMBER("--movetime", 0, DAY_MS, limits.movetime_ms, int64_t)
    ENGINE_NUMBER("--nodes", 0, INT64_MAX, limits.nodes, uint64_t)
    ENGINE_NUMBER("--depth", 0, 1000, limits.depth_plies, int)
    ENGINE_NUMBER("--threads", 1, 1024, threads, unsigned)
    ENGINE_NUMBER("--hash", 1, 1 << 25, hash_mb, unsigned)
    NUMBER("--games", 1, MATCH_GAMES_MAX, config->games = (uint32_t)value)
    NUMBER("--concurrency", 1, MATCH_CONCURRENCY_MAX, config->concurrency = (unsigned)value)
    NUMBER("--seed", 0, INT64_MAX, config->seed = (uint64_t)value)
    NUMBER("--max-moves", 0, HISTORY_MAX - 1, config->rules.max_moves = (unsigned)value)
    NUMBER("--resign-score", 1, SCORE_CP_MAX, config->rules.resign_score_cp = (int)value)
    NUMBER("--resign-plies", 0, 1000, config->rules.resign_plies = (int)value)
    NUMBER("--draw-score", 0, SCORE_CP_MAX, config->rules.draw_score_cp = (int)value)
    NUMBER("--draw-plies", 0, 1000, config->rules.draw_plies = (int)value)
    NUMBER("--draw-after", 0, HISTORY_MAX, config->rules.draw_after_move = (unsigned)value)
    NUMBER("--margin-ms", 0, DAY_MS, config->margin_ms = value)
    NUMBER("--network-delay-ms", 0, DAY_MS, config->network_delay_ms = value)
    NUMBER("--start-ms", 1, DAY_MS, config->start_ms = value)
    NUMBER("--ready-ms", 1, DAY_MS, config->ready_ms = value)
    NUMBER("--hang-ms", 1, DAY_MS, config->hang_ms = value)
    NUMBER("--unlimited-ms", 1, DAY_MS, config->unlimited_ms = value)
    NUMBER("--progress", 1, 86400, config->progress_ms = value * 1000)
#undef ENGINE_NUMBER
#undef NUMBER
    struct sprt *sprt = &config->sprt;
    if (strcmp(word, "--alpha") == 0) return read_real(word, text, 1e-6, 0.5, &sprt->alpha);
    if (strcmp(word, "--beta") == 0) return read_real(word, text, 1e-6, 0.5, &sprt->beta);
    if (strcmp(word, "--elo0") == 0 || strcmp(word, "--elo1") == 0) {
        config->sprt_on = true;
        return read_real(word, text, -1000, 1000, word[5] == '0' ? &sprt->elo0 : &sprt->elo1);
    }
    *known = false;
    return true;
}

static bool add_option(struct match_engine_config *engine, char *text)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) return wrong("--option `%s`: expected NAME=VALUE", text);
    if (engine->option_count == MATCH_OPTIONS_MAX) return wrong("more than %d options", MATCH_OPTIONS_MAX);
    engine->options[engine->option_count++] = text;
    return true;
}

static bool set_text(struct match_config *config, int engine, const char *word, char *text, bool *known)
{
    *known = true;
    if (strpbrk(text, "\r\n")) return wrong("%s: line ends are not possible here", word);
    if (strcmp(word, "--option") == 0) {
        for (int i = engine < 0 ? 0 : engine; i <= (engine < 0 ? 1 : engine); i++)
            if (!add_option(&config->engines[i], text)) return false;
        return true;
    }
    if (strcmp(word, "--name") == 0) {
        if (engine < 0) return wrong("--name `%s`: comes after the engine that it names", text);
        snprintf(config->engines[engine].name, sizeof config->engines[engine].name, "%s", text);
        return true;
    }
    if (strcmp(word, "--rule") == 0)
        return entering_king_rule_from_name(text, &config->rules.entering_king)
                   ? true
                   : wrong("--rule `%s`: expected NoEnteringKing, CSARule27 or another EnteringKingRule", text);
    const struct {
        const char *word;
        const char **path;
    } paths[] = {
        {"--openings", &config->openings_path}, {"--json", &config->json_path},
        {"--out", &config->out_path},           {"--results", &config->results_path},
        {"--log", &config->log_path},           {"--engine-stderr", &config->stderr_path},
    };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (strcmp(word, paths[i].word) == 0) {
            *paths[i].path = text;
            return true;
        }
    *known = false;
    return true;
}

static bool check(struct match_config *config, int engines)
{
    if (engines != 2) return wrong("%d engine%s given, two are needed", engines, engines == 1 ? "" : "s");
    for (unsigned i = 0; i < 2; i++)
        if (match_limits_are_empty(&config->engines[i].limits))
            return wrong("no limit for engine %u: give --byoyomi, --time, --movetime, --nodes or --depth", i + 1);
    if (config->sprt_on && config->sprt.elo0 >= config->sprt.elo1)
        return wrong("--elo0 %g must be below --elo1 %g", config->sprt.elo0, config->sprt.elo1);
    if (config->rules.resign_plies > 0 && config->rules.resign_score_cp == 0)
        return wrong("--resign-plies needs --resign-score");
    return true;
}

enum match_config_result match_config_read(struct match_config *config, int argc, char **argv)
{
    *config = (struct match_config){
        .engines = {{.threads = 1}, {.threads = 1}},
        .concurrency = 1,
        .seed = 1,
        .rules = {.max_moves = 320, .entering_king = RULE_CSA27},
        .margin_ms = 250,
        .network_delay_ms = 120,
        .start_ms = 20000,
        .ready_ms = 60000,
        .hang_ms = 10000,
        .unlimited_ms = 600000,
        .sprt = {.elo1 = 5, .alpha = 0.05, .beta = 0.05},
        .progress_ms = 30000,
    };
    int engine = -1;
    for (int i = 1; i < argc; i++) {
        char *word = argv[i];
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return MATCH_CONFIG_HELP;
        if (strcmp(word, "--lenient") == 0) {
            config->lenient = true;
            continue;
        }
        if (strcmp(word, "--quiet") == 0) {
            config->quiet = true;
            continue;
        }
        bool is_engine = word[0] != '-';
        char *value = word;
        if (!is_engine) {
            char *equals = strchr(word, '=');
            if (equals) {
                *equals = 0;
                value = equals + 1;
            } else if (++i < argc) {
                value = argv[i];
            } else {
                wrong("%s: unknown, or its value is missing", word);
                return MATCH_CONFIG_WRONG;
            }
        }
        if (is_engine || strcmp(word, "--engine") == 0) {
            if (++engine == 2) {
                wrong("a third engine: `%s`", value);
                return MATCH_CONFIG_WRONG;
            }
            config->engines[engine].command = value;
            if (!split_command(&config->engines[engine])) return MATCH_CONFIG_WRONG;
            continue;
        }
        bool known;
        if (!set_number(config, engine, word, value, &known)) return MATCH_CONFIG_WRONG;
        if (!known && !set_text(config, engine, word, value, &known)) return MATCH_CONFIG_WRONG;
        if (!known) {
            wrong("unknown option %s", word);
            return MATCH_CONFIG_WRONG;
        }
    }
    if (!check(config, engine + 1)) return MATCH_CONFIG_WRONG;
    name_engines(config);
    return MATCH_CONFIG_OK;
}

void match_config_free(struct match_config *config)
{
    for (unsigned i = 0; i < 2; i++) free(config->engines[i].words);
}

/* ---- texts --------------------------------------------------------------------------------------------------------
 */

struct line {
    char *out;
    size_t bytes, length;
};

__attribute__((format(printf, 2, 3))) static void add(struct line *line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t at = line->length < line->bytes ? line->length : line->bytes;
    int written = vsnprintf(line->out + at, line->bytes - at, format, args);
    va_end(args);
    if (written > 0) line->length += (size_t)written;
}

size_t match_config_fingerprint(const struct match_config *config, uint64_t openings_hash, char *out, size_t out_bytes)
{
    struct line line = {out, out_bytes, 0};
    for (unsigned i = 0; i < 2; i++) {
        const struct match_engine_config *engine = &config->engines[i];
        char limits[160];
        match_limits_text(&engine->limits, limits, sizeof limits);
        add(&line, "engine %u: %s; threads %u; hash %u; %s", i + 1, engine->command, engine->threads, engine->hash_mb,
            limits);
        for (unsigned k = 0; k < engine->option_count; k++) add(&line, "; %s", engine->options[k]);
        add(&line, " | ");
    }
    const struct referee_rules *rules = &config->rules;
    add(&line, "openings %016" PRIx64 "; seed %" PRIu64 "; max moves %u; %s", openings_hash, config->seed,
        rules->max_moves, entering_king_rule_name(rules->entering_king));
    if (rules->resign_plies) add(&line, "; resign %d cp %d plies", rules->resign_score_cp, rules->resign_plies);
    if (rules->draw_plies)
        add(&line, "; draw %d cp %d plies after %u", rules->draw_score_cp, rules->draw_plies, rules->draw_after_move);
    add(&line, "; margin %" PRId64 " ms%s", config->margin_ms, config->lenient ? "; lenient" : "");
    return line.length;
}

void match_limits_text(const struct match_limits *limits, char *out, size_t out_bytes)
{
    struct line line = {out, out_bytes, 0};
    const char *separator = "";
    const struct {
        int64_t value;
        const char *text;
    } parts[] = {
        {limits->time_ms, "ms main time"},  {limits->inc_ms, "ms increment"},  {limits->byoyomi_ms, "ms byoyomi"},
        {limits->movetime_ms, "ms a move"}, {(int64_t)limits->nodes, "nodes"}, {limits->depth_plies, "plies"},
    };
    out[0] = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].value == 0) continue;
        add(&line, "%s%" PRId64 " %s", separator, parts[i].value, parts[i].text);
        separator = " + ";
    }
}
