/* generate.c - see train.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "common/shogi/sfen.h"
#include "worker/engine/engine.h"
#include "worker/train/train.h"

enum { GAME_PLIES_MAX = 320, DECIDED_CP = 2800, DECIDED_PLIES = 4, OPENINGS_MAX = 4096, OPENING_BALANCE_CP = 500 };

struct generator {
    struct engine *engine;
    struct engine_result last;
    struct history history;
    uint64_t seed;
    uint64_t nodes;
    char *openings[OPENINGS_MAX];
    size_t opening_count;
};

static uint64_t draw_number(struct generator *g) /* splitmix64 */
{
    uint64_t z = g->seed += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

static void on_done(void *context, const struct engine_result *result)
{
    ((struct generator *)context)->last = *result;
}

static size_t read_openings(struct generator *g, const char *path)
{
    FILE *file = fopen(path, "r");
    char line[512];
    if (!file) return 0;
    while (fgets(line, sizeof line, file) && g->opening_count < OPENINGS_MAX) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0') continue;
        g->openings[g->opening_count] = strdup(line);
        if (g->openings[g->opening_count]) g->opening_count++;
    }
    fclose(file);
    return g->opening_count;
}

static bool search(struct generator *g, const struct position *pos, uint64_t nodes)
{
    struct engine_limits limits = {.nodes = nodes, .multipv = 1};
    if (engine_go(g->engine, pos, &g->history, &limits) != ST_OK) return false;
    engine_wait(g->engine);
    return true;
}

/* Plays one game and prints it. False when the random opening was no good. */
static bool play(struct generator *g)
{
    static char text[GAME_PLIES_MAX * 20];
    size_t length = 0;
    struct position pos;
    struct undo undo;
    const char *start = g->opening_count == 0 || draw_number(g) % 4 == 0
                            ? SFEN_STARTPOS
                            : g->openings[draw_number(g) % g->opening_count];
    if (sfen_read(&pos, start, strlen(start), NULL, NULL) != ST_OK) return false;
    history_start(&g->history, &pos);
    unsigned random_moves = 2 + (unsigned)(draw_number(g) % 7);
    for (unsigned i = 0; i < random_moves; i++) {
        Move moves[MOVES_MAX];
        char usi[MOVETEXT_BYTES_MAX];
        size_t count = movegen_legal(&pos, moves);
        if (count == 0) return false;
        Move move = moves[draw_number(g) % count];
        movetext_to_usi(move, usi);
        length += (size_t)snprintf(text + length, sizeof text - length, " %s -", usi);
        position_do(&pos, move, &undo);
        if (!history_push(&g->history, &pos)) return false;
    }
    if (engine_new_game(g->engine) != ST_OK) return false;
    if (!position_has_legal_move(&pos) || !search(g, &pos, g->nodes)) return false;
    if (g->last.score > OPENING_BALANCE_CP || g->last.score < -OPENING_BALANCE_CP) return false;

    int decided = 0, plies = 0;
    char result = 'd';
    for (;;) {
        enum outcome outcome = game_outcome(&g->history, &pos, 0);
        if (outcome == OUTCOME_MATED || outcome == OUTCOME_PERPETUAL_LOSS) result = pos.side == BLACK ? 'w' : 'b';
        if (outcome == OUTCOME_PERPETUAL_WIN) result = pos.side == BLACK ? 'b' : 'w';
        if (outcome != OUTCOME_NONE || plies++ >= GAME_PLIES_MAX - 20) break;
        if (!search(g, &pos, g->nodes + draw_number(g) % (g->nodes / 4 + 1))) return false;
        if (g->last.best == MOVE_WIN) {
            result = pos.side == BLACK ? 'b' : 'w';
            break;
        }
        Score score = g->last.score;
        decided = score > DECIDED_CP || score < -DECIDED_CP ? decided + 1 : 0;
        if (decided >= DECIDED_PLIES) {
            result = (score > 0) == (pos.side == BLACK) ? 'b' : 'w';
            break;
        }
        char usi[MOVETEXT_BYTES_MAX];
        movetext_to_usi(g->last.best, usi);
        length += (size_t)snprintf(text + length, sizeof text - length, " %s %d", usi, score);
        position_do(&pos, g->last.best, &undo);
        if (!history_push(&g->history, &pos)) break;
    }
    printf("%c %s |%s\n", result, start, text);
    return true;
}

int train_generate(int argc, char **argv)
{
    if (argc != 5) {
        fputs("usage: generate GAMES NODES SEED OPENINGS_FILE\n", stderr);
        return 2;
    }
    struct generator *g = calloc(1, sizeof *g);
    if (!g) return 1;
    long games = strtol(argv[1], NULL, 10);
    g->nodes = strtoull(argv[2], NULL, 10);
    g->seed = strtoull(argv[3], NULL, 10) * 0x2545f4914f6cdd1dull;
    if (read_openings(g, argv[4]) == 0) {
        fprintf(stderr, "generate: no openings in %s\n", argv[4]);
        return 1;
    }
    struct engine_options options = {.hash_bytes = 8 << 20, .threads = 1, .rule = RULE_CSA27};
    g->engine = engine_new(&options, &(struct engine_sink){.context = g, .done = on_done});
    if (!g->engine) return 1;
    for (long i = 0; i < games; i += play(g)) fflush(stdout);
    engine_free(g->engine);
    for (size_t i = 0; i < g->opening_count; i++) free(g->openings[i]);
    free(g);
    return 0;
}
