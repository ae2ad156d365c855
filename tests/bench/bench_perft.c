/* bench_perft.c - `murakumo-bench perft [SFEN|startpos DEPTH]`: node count and speed of the move generator. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/shogi/perft.h"
#include "common/shogi/sfen.h"
#include "tests/bench/bench.h"

int bench_perft(int argc, char **argv)
{
    const char *sfen = argc >= 2 ? argv[1] : "startpos";
    if (argc > 3 || strcmp(sfen, "--help") == 0) {
        fputs("usage: murakumo-bench perft [SFEN|startpos DEPTH]\n", argc > 3 ? stderr : stdout);
        return argc > 3 ? 2 : 0;
    }
    unsigned depth = argc == 3 ? (unsigned)bench_number("DEPTH", argv[2], 0, 20) : 5;
    if (strcmp(sfen, "startpos") == 0) sfen = SFEN_STARTPOS;
    struct position pos;
    struct sfen_error error;
    if (sfen_read(&pos, sfen, strlen(sfen), NULL, &error) != ST_OK) {
        fprintf(stderr, "murakumo-bench: perft: byte %zu: %s\n", error.offset, error.text);
        return 2;
    }
    double begin = bench_now_s();
    uint64_t leaves = perft_count(&pos, depth);
    double seconds = bench_now_s() - begin;
    printf("nodes %" PRIu64 " seconds %.4f nps %.0f\n", leaves, seconds,
           (double)leaves / (seconds > 0 ? seconds : 1e-9));
    return 0;
}
