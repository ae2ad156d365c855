/* bench_endgame.c - `murakumo-bench endgame`: how many nodes until the search has the right move near the end of a
 * game.
 *
 * Solving: each line of the suite is SFEN, best move, reference score, source, licence (tabs between). Every position
 * is searched with an empty table; it is solved when the last word is the best move, from the node on since when it has
 * been that. Unsolved ones count as the limit. One thread, fixed nodes: the figures are the same on every machine.
 *
 * --make picks such positions out of game records: 5 to 41 plies before a resignation or a mate where a
 * long search of the two best moves says twice that there is only one move, and a short search does not see it yet.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/shogi/movetext.h"
#include "common/shogi/sfen.h"
#include "coordinator/cli/archive.h"
#include "tests/bench/bench.h"
#include "tests/bench/bench_params.h"
#include "worker/engine/variant.h"

enum {
    GAP_CP = 250,         /* the second best move is that much worse */
    SCORE_MOST_CP = 2000, /* more is as good */
    GAME_PLIES_MIN = 50,
    BACK_PLIES_MIN = 5,
    BACK_PLIES_MAX = 41,
    BACK_STEP_PLIES = 3,
    QUICK_NODES = 300,
    SCREEN_NODES = 12000,
    PROOF_NODES = 200000,
    LINE_BYTES = 1024
};

struct watch {            /* what one search said */
    Move move;            /* first line's */
    uint64_t since_nodes; /* `move` has been first since then */
    Score score[2];       /* of the first two lines of the last iteration */
    struct engine_result result;
};

static void on_info(void *context, const struct engine_info *info)
{
    struct watch *w = context;
    if (info->bound != BOUND_EXACT || info->multipv > 2) return;
    w->score[info->multipv - 1] = info->score;
    if (info->multipv > 1) return;
    if (info->pv[0] != w->move) w->since_nodes = info->nodes;
    w->move = info->pv[0];
}

static void on_done(void *context, const struct engine_result *result)
{
    struct watch *w = context;
    w->result = *result;
    if (w->move != result->best) w->since_nodes = result->nodes;
    w->move = result->best;
}

static void search(struct engine *engine, struct watch *w, const struct position *pos, uint64_t nodes, unsigned lines)
{
    static struct history history;
    history_start(&history, pos);
    *w = (struct watch){.move = MOVE_NONE};
    if (engine_new_game(engine) != ST_OK ||
        engine_go(engine, pos, &history, &(struct engine_limits){.nodes = nodes, .multipv = lines}) != ST_OK)
        abort();
    engine_wait(engine);
}

/* ---- solving ---------------------------------------------------------------------------------------------------- */

struct tally {
    int positions, solved;
    double log_sum;
};

static bool solve(struct engine *engine, struct watch *w, char *line, uint64_t nodes, bool verbose, struct tally *tally)
{
    char *tab = strchr(line, '\t');
    struct position pos;
    if (!tab || sfen_read(&pos, line, (size_t)(tab - line), NULL, NULL) != ST_OK) return false;
    Move best = movetext_from_usi(&pos, tab + 1, strcspn(tab + 1, "\t\r\n"));
    if (best == MOVE_NONE) return false;
    search(engine, w, &pos, nodes, 1);
    bool solved = w->move == best;
    uint64_t cost = solved ? w->since_nodes : nodes;
    tally->positions++;
    tally->solved += solved;
    tally->log_sum += log((double)(cost > 0 ? cost : 1));
    if (verbose)
        printf("%s %8" PRIu64 " score %6d %.*s\n", solved ? "yes" : "no ", cost, w->result.score, (int)(tab - line),
               line);
    return true;
}

static int solve_file(struct engine *engine, struct watch *w, const char *path, uint64_t nodes, bool verbose)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "murakumo-bench: cannot open %s\n", path);
        return 1;
    }
    struct tally tally = {0};
    char line[LINE_BYTES];
    double begin = bench_cpu_s();
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        if (line[0] == '#' || line[0] == '\n' || solve(engine, w, line, nodes, verbose, &tally)) continue;
        fprintf(stderr, "%s: line %d: found no position with its best move\n", path, number);
        fclose(file);
        return 1;
    }
    fclose(file);
    printf("positions %d solved %d nodes %" PRIu64 " at most, geometric mean %.0f, cpu seconds %.1f\n", tally.positions,
           tally.solved, nodes, exp(tally.log_sum / (tally.positions > 0 ? tally.positions : 1)),
           bench_cpu_s() - begin);
    return 0;
}

/* ---- making a suite --------------------------------------------------------------------------------------------- */

static Score clamped(Score score)
{
    return score > SCORE_MOST_CP ? SCORE_MOST_CP : score < -SCORE_MOST_CP ? -SCORE_MOST_CP : score;
}

static bool has_only_move(struct engine *engine, struct watch *w, const struct position *pos, uint64_t nodes)
{
    search(engine, w, pos, nodes, 2);
    return clamped(w->score[0]) - clamped(w->score[1]) >= GAP_CP;
}

static bool is_wanted(struct engine *engine, struct watch *w, const struct position *pos)
{
    search(engine, w, pos, QUICK_NODES, 1);
    Move quick = w->move;
    if (position_in_check(pos) || !has_only_move(engine, w, pos, SCREEN_NODES) || w->move == quick) return false;
    Move best = w->move;
    return has_only_move(engine, w, pos, PROOF_NODES) && w->move == best;
}

static bool ended_by_force(const struct record_line *line)
{
    return line->count >= GAME_PLIES_MIN && (line->end == RECORD_END_RESIGN || line->end == RECORD_END_MATE);
}

static void pick(struct engine *engine, struct watch *w, const struct record *record, const struct archive_game *game,
                 uint32_t number)
{
    const struct record_line *line = &record->lines[0];
    for (uint32_t back = BACK_PLIES_MIN + number % 2; back <= BACK_PLIES_MAX; back += BACK_STEP_PLIES) {
        struct position pos = record->initial;
        struct undo undo;
        for (uint32_t i = 0; i + back < line->count; i++) position_do(&pos, record->moves[line->first + i].move, &undo);
        if (!is_wanted(engine, w, &pos)) continue;
        char sfen[SFEN_BYTES_MAX], move[MOVETEXT_BYTES_MAX];
        sfen_write(&pos, sfen);
        movetext_to_usi(w->move, move);
        printf("%s\t%s\t%d\t%s\t%s\n", sfen, move, w->result.score, game->file->source, game->file->licence);
        fflush(stdout);
    }
}

static int make(struct engine *engine, struct watch *w, char *const *games, int count)
{
    struct archive archive;
    struct archive_game game;
    struct record record;
    archive_init(&archive, "murakumo-bench endgame");
    record_init(&record);
    enum status st = archive_add_all(&archive, games, count) ? ST_OK : ST_NO_MEMORY;
    puts("# sfen\tbest move\treference score, cp or mate\tsource\tlicence");
    for (uint32_t number = 0; st == ST_OK; number++) {
        st = archive_next(&archive, &record, &game);
        if (st == ST_OK && record.line_count > 0 && ended_by_force(&record.lines[0]))
            pick(engine, w, &record, &game, number);
    }
    record_free(&record);
    archive_free(&archive);
    return st == ST_MISSING ? 0 : 1;
}

int bench_endgame(int argc, char **argv)
{
    struct search_params params = search_params_default();
    uint64_t nodes = 100000;
    bool verbose = false, making = false;
    int first = 1;
    for (; first < argc && argv[first][0] == '-'; first++) {
        const char *value = first + 1 < argc ? argv[first + 1] : NULL;
        if (strcmp(argv[first], "--make") == 0) {
            making = true;
        } else if (strcmp(argv[first], "--verbose") == 0) {
            verbose = true;
        } else if (strcmp(argv[first], "--nodes") == 0) {
            nodes = (uint64_t)bench_number(argv[first], value, 1, 1000000000);
            first++;
        } else if (strcmp(argv[first], "--param") == 0 && value && bench_param_set(&params, value)) {
            first++;
        } else {
            bool help = strcmp(argv[first], "--help") == 0;
            fputs("usage: murakumo-bench endgame [--nodes N] [--param NAME=N]... [--verbose] [FILE]\n"
                  "       murakumo-bench endgame --make GAMES... > FILE\n"
                  "FILE is tests/data/endgame.sfen unless given\n"
                  "parameters (worker/engine/params.h):",
                  help ? stdout : stderr);
            bench_param_names(help ? stdout : stderr);
            fputc('\n', help ? stdout : stderr);
            return help ? 0 : 2;
        }
    }
    struct watch watch;
    struct engine_options options = {.hash_bytes = 16 << 20, .threads = 1, .rule = RULE_CSA27};
    struct engine_sink sink = {.context = &watch, .info = on_info, .done = on_done};
    struct engine *engine = engine_new_variant(&options, &sink, &eval_classic, &params);
    if (!engine) {
        fputs("murakumo-bench: out of memory\n", stderr);
        return 1;
    }
    const char *path = first < argc ? argv[first] : "tests/data/endgame.sfen";
    int code =
        making ? make(engine, &watch, argv + first, argc - first) : solve_file(engine, &watch, path, nodes, verbose);
    engine_free(engine);
    return code;
}
