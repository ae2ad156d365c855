/* bench_dedup.c - equal games and beginnings among many: how long does game_set.h take, and does it find all of them?
 *
 * A fifth of the games are random ones (legal moves, up to 200 plies); each of them comes five times in random order:
 * twice whole, once with another end (the last quarter played anew), twice cut off somewhere. So of every five games
 * two are kept, and how many are the same or beginnings is known beforehand. */
#include "common/shogi/game_set.h"
#include "common/shogi/movetext.h"
#include "common/shogi/sfen.h"
#include "tests/bench/bench.h"
#include "tests/model/playout.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLIES_MIN = 40, PLIES_MAX = 200, COPIES = 5, KEPT = 2 };

struct moves {
    uint32_t count;
    Move moves[PLIES_MAX];
};

/* Plays on from `from` plies of the game. */
static void play_on(struct moves *game, uint32_t from, uint32_t plies, struct prng *prng)
{
    struct position pos = playout_position(SFEN_STARTPOS);
    struct undo undo;
    for (uint32_t i = 0; i < from; i++) position_do(&pos, game->moves[i], &undo);
    game->count = from;
    while (game->count < plies) {
        Move move = playout_pick(&pos, prng);
        if (move == MOVE_NONE) break;
        game->moves[game->count++] = move;
        position_do(&pos, move, &undo);
    }
}

/* All copies of one random game. */
static void make_games(struct moves games[COPIES], struct prng *prng)
{
    do play_on(&games[0], 0, PLIES_MIN + prng_below(prng, PLIES_MAX - PLIES_MIN), prng);
    while (games[0].count < PLIES_MIN);
    for (int i = 1; i < COPIES; i++) games[i] = games[0];
    uint32_t branch = games[0].count * 3 / 4;
    do { /* random moves may lead back into the game, or to its beginning: then once more, from a ply before */
        play_on(&games[2], branch, games[0].count, prng);
    } while (memcmp(games[2].moves, games[0].moves, games[2].count * sizeof(Move)) == 0 && branch-- > 1);
    for (int i = 3; i < COPIES; i++) games[i].count = 1 + prng_below(prng, games[0].count - 1);
}

static void shuffle(struct moves *games, uint32_t count, struct prng *prng)
{
    for (uint32_t i = count; i > 1; i--) {
        uint32_t k = prng_below(prng, i);
        struct moves swapped = games[i - 1];
        games[i - 1] = games[k];
        games[k] = swapped;
    }
}

static bool write_games(const char *path, const struct moves *games, uint32_t count)
{
    FILE *file = fopen(path, "w");
    for (uint32_t i = 0; file && i < count; i++) {
        fputs("startpos moves", file);
        for (uint32_t k = 0; k < games[i].count; k++) {
            char text[MOVETEXT_BYTES_MAX];
            movetext_to_usi(games[i].moves[k], text);
            fprintf(file, " %s", text);
        }
        fputc('\n', file);
    }
    if (file && fclose(file) == 0) return true;
    perror(path);
    return false;
}

static bool compare(const struct moves *games, uint32_t count)
{
    struct position start = playout_position(SFEN_STARTPOS);
    struct game_set set;
    game_set_init(&set);
    double begin = bench_cpu_s();
    bool ok = true;
    for (uint32_t i = 0; i < count && ok; i++)
        ok = game_set_add_moves(&set, position_key(&start), games[i].moves, games[i].count) == ST_OK;
    ok = ok && game_set_compare(&set) == ST_OK;
    double seconds = bench_cpu_s() - begin;
    uint32_t kept = set.count - set.same - set.beginnings;
    printf("%" PRIu32 " games, %zu moves: %" PRIu32 " the same, %" PRIu32 " beginnings, %" PRIu32 " kept: %.3f s\n",
           set.count, set.move_count, set.same, set.beginnings, kept, seconds);
    game_set_free(&set);
    if (!ok) fprintf(stderr, "murakumo-bench: dedup: out of memory\n");
    uint32_t expected = count / COPIES * KEPT;
    if (ok && kept != expected)
        fprintf(stderr, "murakumo-bench: dedup: found %" PRIu32 " games to keep, expected %" PRIu32 "\n", kept,
                expected);
    return ok && kept == expected;
}

int bench_dedup(int argc, char **argv)
{
    uint32_t wanted = 100000;
    const char *path = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--games") == 0 && i + 1 < argc) {
            wanted = (uint32_t)bench_number("--games", argv[++i], COPIES, 4000000);
        } else if (strcmp(argv[i], "--write") == 0 && i + 1 < argc) {
            path = argv[++i];
        } else {
            fprintf(stderr, "usage: murakumo-bench dedup [--games N] [--write FILE (the games as USI lines)]\n");
            return strcmp(argv[i], "--help") == 0 ? 0 : 2;
        }
    }
    uint32_t count = wanted / COPIES * COPIES;
    struct moves *games = malloc(count * sizeof *games);
    if (!games) {
        fprintf(stderr, "murakumo-bench: dedup: out of memory\n");
        return 1;
    }
    struct prng prng = prng_make(1);
    for (uint32_t i = 0; i < count; i += COPIES) make_games(games + i, &prng);
    shuffle(games, count, &prng);
    bool ok = compare(games, count) && (!path || write_games(path, games, count));
    free(games);
    return ok ? 0 : 1;
}
