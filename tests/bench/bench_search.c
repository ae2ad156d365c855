/* bench_search.c - `murakumo-bench search [--depth N] [--threads N] [--hash MB] [--positions N] [--json]`.
 *
 * Every position is searched with an empty table. With one thread the sum of nodes is a signature: equal on every
 * machine and with every compiler, changed by every change of the search's behaviour. tests/golden/bench.txt keeps it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/shogi/sfen.h"
#include "tests/bench/bench.h"
#include "tests/bench/bench_positions.h"
#include "worker/engine/engine.h"

struct outcome_of_search {
    struct engine_result result;
};

static void on_done(void *context, const struct engine_result *result)
{
    ((struct outcome_of_search *)context)->result = *result;
}

int bench_search(int argc, char **argv)
{
    int depth = 9, positions = BENCH_POSITION_COUNT;
    unsigned threads = 1;
    size_t hash_mb = 16;
    bool json = false, verbose = false;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--json") == 0)
            json = true;
        else if (strcmp(argv[i], "--verbose") == 0)
            verbose = true;
        else if (strcmp(argv[i], "--depth") == 0)
            depth = (int)bench_number(argv[i++], value, 1, ENGINE_DEPTH_MAX);
        else if (strcmp(argv[i], "--threads") == 0)
            threads = (unsigned)bench_number(argv[i++], value, 1, 256);
        else if (strcmp(argv[i], "--hash") == 0)
            hash_mb = (size_t)bench_number(argv[i++], value, 1, 1 << 20);
        else if (strcmp(argv[i], "--positions") == 0)
            positions = (int)bench_number(argv[i++], value, 1, BENCH_POSITION_COUNT);
        else {
            bool help = strcmp(argv[i], "--help") == 0;
            fputs("usage: murakumo-bench search [--depth N] [--threads N] [--hash MB] [--positions N] [--verbose] "
                  "[--json]\n",
                  help ? stdout : stderr);
            return help ? 0 : 2;
        }
    }

    struct engine_options options = {.hash_bytes = hash_mb << 20, .threads = threads, .rule = RULE_CSA27};
    struct outcome_of_search last;
    struct engine_sink sink = {.context = &last, .done = on_done};
    struct engine *engine = engine_new(&options, &sink);
    struct history *history = malloc(sizeof *history);
    if (!engine || !history) {
        fputs("murakumo-bench: out of memory\n", stderr);
        return 1;
    }
    uint64_t nodes = 0;
    double seconds = 0;
    for (int i = 0; i < positions; i++) {
        struct position pos;
        if (sfen_read(&pos, bench_positions[i], strlen(bench_positions[i]), NULL, NULL) != ST_OK) abort();
        history_start(history, &pos);
        if (engine_new_game(engine) != ST_OK) abort();
        double begin = bench_now_s();
        if (engine_go(engine, &pos, history, &(struct engine_limits){.depth_plies = depth, .multipv = 1}) != ST_OK)
            abort();
        engine_wait(engine);
        seconds += bench_now_s() - begin;
        nodes += last.result.nodes;
        if (verbose)
            printf("%3d nodes %9" PRIu64 " score %6d %s\n", i + 1, last.result.nodes, last.result.score,
                   bench_positions[i]);
    }
    uint64_t nps = (uint64_t)((double)nodes / (seconds > 0 ? seconds : 1e-9));
    if (json)
        printf("{\"positions\":%d,\"depth_plies\":%d,\"threads\":%u,\"nodes\":%" PRIu64
               ",\"seconds\":%.3f,\"nps\":%" PRIu64 "}\n",
               positions, depth, threads, nodes, seconds, nps);
    else
        printf("positions %d depth %d threads %u\nnodes %" PRIu64 "\nseconds %.3f\nnps %" PRIu64 "\n", positions, depth,
               threads, nodes, seconds, nps);
    free(history);
    engine_free(engine);
    return 0;
}
