/* selfplay.c - `murakumo-bench selfplay`: two parameter sets of the search play each other at fixed nodes, in this
 * process.
 *
 * Every opening is played twice with colours changed. Needs tests/data/openings.sfen (or --openings). Deterministic for
 * a given command line. The error is the 95 % interval from the five results of pairs (pentanomial). --record appends
 * the games to a file as worker/train reads them.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/shogi/movetext.h"
#include "common/shogi/sfen.h"
#include "tests/bench/bench.h"
#include "tests/bench/bench_params.h"
#include "worker/engine/variant.h"

enum { OPENINGS_MAX = 1024, PLIES_MAX = 320, RESIGN_CP = 3000, RESIGN_PLIES = 4 };

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

int bench_selfplay(int argc, char **argv)
{
    struct player players[2] = {{.params = search_params_default()}, {.params = search_params_default()}};
    uint64_t nodes = 10000;
    long games = 200, skip = 0;
    const char *path = "tests/data/openings.sfen", *record_path = NULL;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        bool known = true;
        if (strcmp(argv[i], "--nodes") == 0)
            nodes = (uint64_t)bench_number(argv[i++], value, 1, 1000000000);
        else if (strcmp(argv[i], "--games") == 0)
            games = bench_number(argv[i++], value, 2, 1000000);
        else if (strcmp(argv[i], "--skip") == 0)
            skip = bench_number(argv[i++], value, 0, 1000000);
        else if (strcmp(argv[i], "--openings") == 0 && value)
            path = argv[++i];
        else if (strcmp(argv[i], "--record") == 0 && value)
            record_path = argv[++i];
        else if ((strcmp(argv[i], "--a") == 0 || strcmp(argv[i], "--b") == 0) && value &&
                 bench_param_set(&players[argv[i][2] == 'b'].params, value))
            i++;
        else
            known = false;
        if (!known) {
            bool help = strcmp(argv[i], "--help") == 0;
            fputs("usage: murakumo-bench selfplay [--nodes N] [--games N] [--skip N] [--openings FILE] "
                  "[--record FILE] [--a PARAM=N]... [--b PARAM=N]...\n"
                  "parameters (worker/engine/params.h):",
                  help ? stdout : stderr);
            bench_param_names(help ? stdout : stderr);
            fputc('\n', help ? stdout : stderr);
            return help ? 0 : 2;
        }
    }

    static char openings[OPENINGS_MAX][256];
    size_t opening_count = 0;
    FILE *file = fopen(path, "r");
    char line[256];
    while (file && opening_count < OPENINGS_MAX && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] != '#' && line[0] != '\0') memcpy(openings[opening_count++], line, sizeof line);
    }
    if (file) fclose(file);
    if (opening_count == 0) {
        fprintf(stderr, "murakumo-bench: no openings in %s\n", path);
        return 1;
    }
    struct engine_options options = {.hash_bytes = 16 << 20, .threads = 1, .rule = RULE_CSA27};
    struct history *history = malloc(sizeof *history);
    struct script *script = malloc(sizeof *script);
    FILE *record = record_path ? fopen(record_path, "a") : NULL;
    if (!history || !script || (record_path && !record)) {
        fprintf(stderr, "murakumo-bench: cannot write %s, or no memory\n", record_path ? record_path : "anything");
        return 1;
    }
    for (int p = 0; p < 2; p++) {
        players[p].engine = engine_new_variant(&options, &(struct engine_sink){.context = &players[p], .done = on_done},
                                               &eval_classic, &players[p].params);
        if (!players[p].engine) return 1;
    }

    long pairs[5] = {0}, results[3] = {0};
    for (long pair = 0; pair < games / 2; pair++) {
        const char *opening = openings[(size_t)(pair + skip) % opening_count];
        int first = play_game(&players[0], &players[1], opening, nodes, history, script);
        if (record) fprintf(record, "%c %s |%s\n", "wdb"[first], opening, script -> text);
        int second = 2 - play_game(&players[1], &players[0], opening, nodes, history, script);
        if (record) fprintf(record, "%c %s |%s\n", "bdw"[second], opening, script -> text);
        results[first]++;
        results[second]++;
        pairs[first + second]++;
        if ((pair + 1) % 10 != 0 && pair + 1 != games / 2) continue;
        double n = (double)(pair + 1), mean = 0, variance = 0;
        for (int k = 0; k < 5; k++) mean += (double)pairs[k] * k / 4 / n;
        for (int k = 0; k < 5; k++) variance += (double)pairs[k] * (k / 4.0 - mean) * (k / 4.0 - mean) / n;
        double error = 1.96 * sqrt(variance / n);
        fprintf(pair + 1 == games / 2 ? stdout : stderr,
                "games %ld  A wins %ld draws %ld losses %ld  score %.1f %%  elo %+.1f [%+.1f, %+.1f]  depth %.2f %.2f  "
                "nps %.0f %.0f\n",
                2 * (pair + 1), results[2], results[1], results[0], 100 * mean, elo(mean), elo(mean - error),
                elo(mean + error), (double)players[0].depth_total / (double)(players[0].searches + 1),
                (double)players[1].depth_total / (double)(players[1].searches + 1),
                (double)players[0].nodes_total / players[0].seconds,
                (double)players[1].nodes_total / players[1].seconds);
    }
    for (int p = 0; p < 2; p++) engine_free(players[p].engine);
    free(history);
    free(script);
    if (record && fclose(record) != 0) {
        fprintf(stderr, "murakumo-bench: cannot write %s\n", record_path);
        return 1;
    }
    return 0;
}
