/* selfplay.c - `murakumo-bench selfplay`: two parameter sets of the search play each other at fixed nodes, in this
 * process.
 *
 * Every opening is played twice with colours changed. Without --openings these are the ones of tests/data/openings.sfen
 * and then openings-more.sfen; when all have been played they come again with more nodes a move, as the same games
 * would tell nothing new. Deterministic for a given command line. The error is the 95 % interval from the five results
 * of pairs (pentanomial). --record keeps the games in a file as worker/train reads them, under a line that says what is
 * played; the same command again goes on where that file ends.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/shogi/movetext.h"
#include "common/shogi/sfen.h"
#include "tests/bench/bench.h"
#include "tests/bench/bench_params.h"
#include "worker/engine/variant.h"

enum {
    OPENINGS_MAX = 1024,
    OPENING_BYTES_MAX = 256,
    PLIES_MAX = 320,
    LINE_BYTES_MAX = PLIES_MAX * 20 + 2 * OPENING_BYTES_MAX,
    RESIGN_CP = 3000,
    RESIGN_PLIES = 4,
    ROUND_NODES_DIVISOR = 32 /* one part of so many more each time that an opening comes again */
};
static const char *const usual_openings[] = {"tests/data/openings.sfen", "tests/data/openings-more.sfen"};

struct player {
    struct engine *engine;
    struct engine_result last;
    struct search_params params;
    uint64_t nodes_total, searches, depth_total;
    double seconds;
};

static void on_done(void *context, const struct engine_result *result) { ((struct player *)context)->last = *result; }

/* The moves of one game with the mover's score after each, as text. */
struct script {
    char text[PLIES_MAX * 20];
    size_t length;
};

static void script_add(struct script *script, Move move, Score score)
{
    char usi[MOVETEXT_BYTES_MAX];
    movetext_to_usi(move, usi);
    script->length += (size_t)snprintf(script->text + script->length, sizeof script->text - script->length, " %s %d",
                                       usi, (int)score);
}

/* 2: `black` wins, 1: draw, 0: `black` loses. */
static int play_game(struct player *black, struct player *white, const char *opening, uint64_t nodes,
                     struct history *history, struct script *script)
{
    script->length = 0;
    struct position pos;
    struct undo undo;
    if (sfen_read(&pos, opening, strlen(opening), NULL, NULL) != ST_OK) abort();
    history_start(history, &pos);
    if (engine_new_game(black->engine) != ST_OK || engine_new_game(white->engine) != ST_OK) abort();
    int hopeless[COLOR_COUNT] = {0, 0};
    for (int ply = 0; ply < PLIES_MAX; ply++) {
        int side_wins = pos.side == BLACK ? 2 : 0, side_loses = 2 - side_wins;
        switch (game_outcome(history, &pos, 0)) {
        case OUTCOME_NONE:
            break;
        case OUTCOME_MATED:
        case OUTCOME_PERPETUAL_LOSS:
        case OUTCOME_INFERIOR:
            return side_loses;
        case OUTCOME_PERPETUAL_WIN:
        case OUTCOME_SUPERIOR:
            return side_wins;
        case OUTCOME_DRAW_REPETITION:
        case OUTCOME_DRAW_MOVE_LIMIT:
            return 1;
        }
        struct player *mover = pos.side == BLACK ? black : white;
        double begin = bench_now_s();
        if (engine_go(mover->engine, &pos, history, &(struct engine_limits){.nodes = nodes, .multipv = 1}) != ST_OK)
            abort();
        engine_wait(mover->engine);
        mover->seconds += bench_now_s() - begin;
        mover->nodes_total += mover->last.nodes;
        mover->depth_total += (uint64_t)mover->last.depth_plies;
        mover->searches++;
        if (mover->last.best == MOVE_WIN) return side_wins;
        hopeless[pos.side] = mover->last.score < -RESIGN_CP ? hopeless[pos.side] + 1 : 0;
        if (hopeless[pos.side] >= RESIGN_PLIES) return side_loses;
        script_add(script, mover->last.best, mover->last.score);
        position_do(&pos, mover->last.best, &undo);
        if (!history_push(history, &pos)) return 1;
    }
    return 1;
}

static double elo(double score) { return score <= 0 ? -999 : score >= 1 ? 999 : -400 * log10(1 / score - 1); }

/* Results as the first player has them: 2 won, 1 drawn, 0 lost; a pair is the sum of its two games. */
struct tally {
    long games[3], pairs[5], pair_count;
};

static void tally_add(struct tally *tally, int first, int second)
{
    tally->games[first]++;
    tally->games[second]++;
    tally->pairs[first + second]++;
    tally->pair_count++;
}

static void tally_print(const struct tally *tally, const struct player players[2], FILE *out)
{
    double n = (double)tally->pair_count, mean = 0, variance = 0;
    for (int k = 0; k < 5; k++) mean += (double)tally->pairs[k] * k / 4 / n;
    for (int k = 0; k < 5; k++) variance += (double)tally->pairs[k] * (k / 4.0 - mean) * (k / 4.0 - mean) / n;
    double error = 1.96 * sqrt(variance / n), depth[2], nps[2];
    for (int p = 0; p < 2; p++) {
        depth[p] = players[p].searches > 0 ? (double)players[p].depth_total / (double)players[p].searches : 0;
        nps[p] = players[p].seconds > 0 ? (double)players[p].nodes_total / players[p].seconds : 0;
    }
    fprintf(out,
            "games %ld  A wins %ld draws %ld losses %ld  score %.1f %%  elo %+.1f [%+.1f, %+.1f]  depth %.2f %.2f  "
            "nps %.0f %.0f\n",
            2 * tally->pair_count, tally->games[2], tally->games[1], tally->games[0], 100 * mean, elo(mean),
            elo(mean - error), elo(mean + error), depth[0], depth[1], nps[0], nps[1]);
}

struct setting {
    uint64_t nodes;
    long games, skip;
    const char *openings_path, *record_path;
    char text[512]; /* what is played, but for the number of games */
};

static void say(struct setting *setting, const char *word, const char *value)
{
    size_t length = strlen(setting->text);
    snprintf(setting->text + length, sizeof setting->text - length, " %s %s", word, value);
}

static void usage(FILE *out)
{
    fputs("usage: murakumo-bench selfplay [--nodes N] [--games N] [--skip N] [--openings FILE] [--record FILE]\n"
          "                               [--a PARAM=N]... [--b PARAM=N]...\n"
          "parameters (worker/engine/params.h):",
          out);
    bench_param_names(out);
    fputc('\n', out);
}

/* False: `help` was asked for, or something is wrong. */
static bool read_arguments(int argc, char **argv, struct setting *setting, struct player players[2])
{
    for (int i = 1; i < argc; i += 2) {
        const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        bool for_player = strcmp(word, "--a") == 0 || strcmp(word, "--b") == 0;
        if (!value) return false;
        if (strcmp(word, "--nodes") == 0)
            setting->nodes = (uint64_t)bench_number(word, value, 1, 1000000000);
        else if (strcmp(word, "--games") == 0)
            setting->games = bench_number(word, value, 2, 1000000);
        else if (strcmp(word, "--skip") == 0)
            setting->skip = bench_number(word, value, 0, 1000000);
        else if (strcmp(word, "--openings") == 0)
            setting->openings_path = value;
        else if (strcmp(word, "--record") == 0)
            setting->record_path = value;
        else if (!for_player || !bench_param_set(&players[word[2] == 'b'].params, value))
            return false;
        if (strcmp(word, "--games") != 0 && strcmp(word, "--record") != 0) say(setting, word, value);
    }
    return true;
}

/* Adds those of a file; returns how many there are then. */
static size_t read_openings(const char *path, char openings[OPENINGS_MAX][OPENING_BYTES_MAX], size_t count)
{
    char line[OPENING_BYTES_MAX];
    FILE *file = fopen(path, "r");
    while (file && count < OPENINGS_MAX && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] != '#' && line[0] != '\0') memcpy(openings[count++], line, sizeof line);
    }
    if (file) fclose(file);
    return count;
}

/* Opens the file for more games after counting the pairs that it has; what stands behind the last whole pair is cut
 * off. NULL after a line about what is wrong. */
static FILE *open_record(const struct setting *setting, struct tally *tally)
{
    static char line[LINE_BYTES_MAX];
    const char *path = setting->record_path;
    FILE *file = fopen(path, "a+");
    if (!file) {
        fprintf(stderr, "murakumo-bench: cannot write %s\n", path);
        return NULL;
    }
    rewind(file);
    long kept = 0;
    int results[2] = {0};
    size_t text_bytes = strlen(setting->text), games = 0;
    if (fgets(line, sizeof line, file)) {
        if (strncmp(line, "# selfplay", 10) != 0 || strncmp(line + 10, setting->text, text_bytes) != 0 ||
            line[10 + text_bytes] != '\n') {
            fprintf(stderr, "murakumo-bench: %s: found games of other players; expected `# selfplay%s`\n", path,
                    setting->text);
            fclose(file);
            return NULL;
        }
        kept = ftell(file);
    }
    while (kept > 0 && fgets(line, sizeof line, file) && strchr(line, '\n') && strchr("bdw", line[0])) {
        int black = line[0] == 'b' ? 2 : line[0] == 'd' ? 1 : 0;
        results[games % 2] = games % 2 == 0 ? black : 2 - black;
        if (games++ % 2 == 0) continue;
        tally_add(tally, results[0], results[1]);
        kept = ftell(file);
    }
    if (kept < 0 || fflush(file) != 0 || ftruncate(fileno(file), kept) != 0 ||
        (kept == 0 && fprintf(file, "# selfplay%s\n", setting->text) < 0)) {
        fprintf(stderr, "murakumo-bench: cannot write %s\n", path);
        fclose(file);
        return NULL;
    }
    return file;
}

static int play_match(const struct setting *setting, struct player players[2], FILE *record, struct tally *tally)
{
    static char openings[OPENINGS_MAX][OPENING_BYTES_MAX];
    static struct script script;
    size_t opening_count = 0;
    if (setting->openings_path)
        opening_count = read_openings(setting->openings_path, openings, 0);
    else
        for (size_t i = 0; i < sizeof usual_openings / sizeof *usual_openings; i++)
            opening_count = read_openings(usual_openings[i], openings, opening_count);
    if (opening_count == 0) {
        fprintf(stderr, "murakumo-bench: no openings in %s\n",
                setting->openings_path ? setting->openings_path : usual_openings[0]);
        return 1;
    }
    struct history *history = malloc(sizeof *history);
    if (!history) return 1;
    while (tally->pair_count < setting->games / 2) {
        size_t number = (size_t)(tally->pair_count + setting->skip);
        const char *opening = openings[number % opening_count];
        uint64_t nodes = setting->nodes + setting->nodes * (number / opening_count) / ROUND_NODES_DIVISOR;
        int first = play_game(&players[0], &players[1], opening, nodes, history, &script);
        if (record) fprintf(record, "%c %s |%s\n", "wdb"[first], opening, script.text);
        int second = 2 - play_game(&players[1], &players[0], opening, nodes, history, &script);
        if (record) fprintf(record, "%c %s |%s\n", "bdw"[second], opening, script.text);
        if (record && fflush(record) != 0) {
            fprintf(stderr, "murakumo-bench: cannot write %s\n", setting->record_path);
            break;
        }
        tally_add(tally, first, second);
        if (tally->pair_count % 10 == 0) tally_print(tally, players, stderr);
    }
    free(history);
    return tally->pair_count < setting->games / 2;
}

int bench_selfplay(int argc, char **argv)
{
    struct player players[2] = {{.params = search_params_default()}, {.params = search_params_default()}};
    struct setting setting = {.nodes = 10000, .games = 200};
    if (!read_arguments(argc, argv, &setting, players)) {
        bool help = argc == 2 && strcmp(argv[1], "--help") == 0;
        usage(help ? stdout : stderr);
        return help ? 0 : 2;
    }
    struct tally tally = {0};
    FILE *record = setting.record_path ? open_record(&setting, &tally) : NULL;
    if (setting.record_path && !record) return 1;
    struct engine_options options = {.hash_bytes = 16 << 20, .threads = 1, .rule = RULE_CSA27};
    bool ready = true;
    for (int p = 0; p < 2; p++) {
        players[p].engine = engine_new_variant(&options, &(struct engine_sink){.context = &players[p], .done = on_done},
                                               &eval_classic, &players[p].params);
        ready = ready && players[p].engine;
    }
    int code = ready ? play_match(&setting, players, record, &tally) : 1;
    if (code == 0) tally_print(&tally, players, stdout);
    for (int p = 0; p < 2; p++) engine_free(players[p].engine);
    if (record) fclose(record);
    return code;
}
