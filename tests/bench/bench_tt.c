/* bench_tt.c - `murakumo-bench tt [--hash MB] [--million N]`: random probes and stores, as a search does them, and what
 * other workers tell. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/bench/bench.h"
#include "worker/engine/tt.h"

/* Hints of other workers, in batches and prefetched as engine_hints_put() does it. Returns the seconds it took. */
static double insert_hints(struct tt *tt, uint64_t million)
{
    enum { BATCH = 512, AHEAD = 8 };
    static struct hint batch[BATCH];
    uint64_t key = 2;
    double seconds = 0;
    for (uint64_t done = 0; done < million * 1000000; done += BATCH) {
        for (size_t i = 0; i < BATCH; i++) {
            key = key * 6364136223846793005ull + 1442695040888963407ull;
            uint64_t mixed = key ^ key >> 32;
            batch[i] = tt_hint(mixed, (Move)(mixed & 0x7fff), (Score)(mixed >> 20 & 1023), 0,
                               4 + (int)(mixed >> 40 & 15), TT_LOWER, false, 9);
        }
        double begin = bench_now_s();
        for (size_t i = 0; i < AHEAD; i++) tt_prefetch(tt, batch[i].key);
        for (size_t i = 0; i < BATCH; i++) {
            if (i + AHEAD < BATCH) tt_prefetch(tt, batch[i + AHEAD].key);
            (void)tt_insert(tt, &batch[i]);
        }
        seconds += bench_now_s() - begin;
    }
    return seconds;
}

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
    double insert_seconds = insert_hints(tt, million);
    printf("hash_mb %zu clear_seconds %.3f pairs %" PRIu64 " hits %" PRIu64 " million_pairs_per_second %.1f\n"
           "hints %" PRIu64 " million_inserts_per_second %.1f\n",
           hash_mb, cleared - begin, million * 1000000, hits, (double)million / seconds, million * 1000000,
           (double)million / insert_seconds);
    tt_free(tt);
    return 0;
}
