#include "tests/model/playout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/shogi/movegen.h"
#include "common/shogi/sfen.h"

enum { GAME_PLIES_MAX = 200 };

struct position playout_position(const char *sfen)
{
    struct position pos;
    struct sfen_error error;
    if (sfen_read(&pos, sfen, strlen(sfen), NULL, &error) != ST_OK) {
        fprintf(stderr, "%s: byte %zu: %s\n", sfen, error.offset, error.text);
        abort();
    }
    return pos;
}

struct playout_starts playout_starts_read(const char *path)
{
    struct playout_starts starts = {0, NULL};
    char line[1024];
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\t\r\n")] = 0;
        if (line[0] == '#' || line[0] == 0) continue;
        struct position *grown = realloc(starts.positions, (starts.count + 1) * sizeof *grown);
        if (grown == NULL) abort();
        starts.positions = grown;
        starts.positions[starts.count++] = playout_position(line);
    }
    if (file != NULL) fclose(file);
    if (starts.count == 0) {
        fprintf(stderr, "%s: no position found\n", path);
        abort();
    }
    return starts;
}

void playout_starts_free(struct playout_starts *starts)
{
    free(starts->positions);
    *starts = (struct playout_starts){0, NULL};
}

static bool lively(const struct position *pos, Move move)
{
    if (position_gives_check(pos, move) || move_promotes(move)) return true;
    return !move_is_drop(move) && (pos->board[move_to(move)] != NO_PIECE || move_from(move) == pos->king[pos->side]);
}

Move playout_pick(struct position *pos, struct prng *prng)
{
    Move moves[MOVES_MAX];
    size_t count = movegen_legal(pos, moves);
    if (count == 0) return MOVE_NONE;
    Move move = moves[prng_below(prng, (uint32_t)count)];
    for (int tries = (int)prng_below(prng, 6); tries > 0 && !lively(pos, move); tries--)
        move = moves[prng_below(prng, (uint32_t)count)];
    return move;
}

void playout_run(const struct playout_starts *starts, uint64_t seed, size_t visits, playout_fn visit, void *user)
{
    struct prng prng = prng_make(seed);
    while (visits > 0) {
        struct position pos = starts->positions[prng_below(&prng, (uint32_t)starts->count)];
        struct undo undo;
        for (int ply = 0; ply < GAME_PLIES_MAX && visits > 0; ply++) {
            visit(user, &pos);
            visits--;
            Move move = playout_pick(&pos, &prng);
            if (move == MOVE_NONE) break;
            position_do(&pos, move, &undo);
        }
    }
}
