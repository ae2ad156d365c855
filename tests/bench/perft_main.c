/* perft_main.c - `perft SFEN DEPTH`: node count and speed of the move generator, for tests/bench/perft.sh. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/shogi/perft.h"
#include "common/shogi/sfen.h"

int main(int argc, char **argv)
{
    struct position pos;
    struct sfen_error error;
    if (argc != 3) {
        fputs("usage: perft SFEN|startpos DEPTH\n", stderr);
        return 2;
    }
    const char *sfen = strcmp(argv[1], "startpos") == 0 ? SFEN_STARTPOS : argv[1];
    if (sfen_read(&pos, sfen, strlen(sfen), NULL, &error) != ST_OK) {
        fprintf(stderr, "perft: byte %zu: %s\n", error.offset, error.text);
        return 2;
    }
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    uint64_t leaves = perft_count(&pos, (unsigned)strtoul(argv[2], NULL, 10));
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
    printf("nodes %" PRIu64 " seconds %.4f nps %.0f\n", leaves, seconds,
           (double)leaves / (seconds > 0 ? seconds : 1e-9));
    return 0;
}
