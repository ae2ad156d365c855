/* positions.c - `positions SEED COUNT FILE...`: positions of random games, one a line: SFEN, a tab, all legal moves in
 * order.
 *
 * The games start from the positions in the files (first column of each line). The same arguments give the same lines.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/shogi/movegen.h"
#include "common/shogi/movetext.h"
#include "common/shogi/sfen.h"
#include "tests/model/playout.h"

static int by_text(const void *a, const void *b) { return strcmp(a, b); }

static void print_position(void *user, struct position *pos)
{
    (void)user;
    char sfen[SFEN_BYTES_MAX], texts[MOVES_MAX][MOVETEXT_BYTES_MAX];
    Move moves[MOVES_MAX];
    size_t count = movegen_legal(pos, moves);
    for (size_t i = 0; i < count; i++) movetext_to_usi(moves[i], texts[i]);
    qsort(texts, count, sizeof texts[0], by_text);
    sfen_write(pos, sfen);
    printf("%s\t", sfen);
    for (size_t i = 0; i < count; i++) printf(i == 0 ? "%s" : " %s", texts[i]);
    putchar('\n');
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fputs("usage: positions SEED COUNT FILE...\n", stderr);
        return 2;
    }
    uint64_t seed = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10);
    size_t files = (size_t)argc - 3;
    for (size_t i = 0; i < files; i++) {
        struct playout_starts starts = playout_starts_read(argv[3 + i]);
        playout_run(&starts, seed * 1000 + i, (size_t)((count + files - 1) / files), print_position, NULL);
        playout_starts_free(&starts);
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
