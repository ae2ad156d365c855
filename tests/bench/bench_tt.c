/* bench_tt.c - `murakumo-bench tt [--hash MB] [--million N]`: random probes and stores, as a search does them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/bench/bench.h"
#include "worker/engine/tt.h"

int bench_tt(int argc, char **argv)
{
    size_t hash_mb = 256;
    uint64_t million = 20;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--hash") == 0)
            hash_mb = (size_t)bench_number(argv[i++], value, 1, 1 << 20);
        else if (strcmp(argv[i], "--million") == 0)
            million = (uint64_t)bench_number(argv[i++], value, 1, 100000);
        else {
            bool help = strcmp(argv[i], "--help") == 0;
            fputs("usage: murakumo-bench tt [--hash MB] [--million N]\n", help ? stdout : stderr);
            return help ? 0 : 2;
        }
    }
    double begin = bench_now_s();
    struct tt *tt = tt_new(hash_mb << 20);
    if (!tt) {
        fputs("murakumo-bench: out of memory\n", stderr);
        return 1;
    }
    double cleared = bench_now_s();
    uint64_t key = 1, hits = 0;
    for (uint64_t i = 0; i < million * 1000000; i++) {
        key = key * 6364136223846793005ull + 1442695040888963407ull;
        uint64_t mixed = key ^ key >> 32;
        struct tt_hit hit;
        hits += tt_probe(tt, mixed, &hit);
        tt_store(tt, mixed, (Move)(mixed & 0x7fff), (Score)(mixed >> 20 & 1023), 0, (int)(mixed >> 40 & 15), TT_LOWER,
                 false);
    }
    double seconds = bench_now_s() - cleared;
    printf("hash_mb %zu clear_seconds %.3f pairs %" PRIu64 " hits %" PRIu64 " million_pairs_per_second %.1f\n", hash_mb,
           cleared - begin, million * 1000000, hits, (double)million / seconds);
    tt_free(tt);
    return 0;
}
