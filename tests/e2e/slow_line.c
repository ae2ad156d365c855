/* slow_line.c - a slow network for tests/bench/cluster.sh: 127.0.0.2:PORT leads to 127.0.0.1:PORT and takes DELAY_MS
 * each way. Workers that connect there find the hint relay of the coordinator there, too. Runs until it is killed.
 *
 *   slow_line DELAY_MS PORT...
 */
#include "tests/e2e/chaos.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PORTS_MAX = 8 };

int main(int argc, char **argv)
{
    static struct chaos lines[PORTS_MAX];
    char *end = NULL;
    long delay_ms = argc > 2 ? strtol(argv[1], &end, 10) : -1;
    if (!end || *end != '\0' || delay_ms < 0 || delay_ms > 10000 || argc - 2 > PORTS_MAX) {
        fprintf(stderr, "usage: slow_line DELAY_MS PORT... (at most %d; 0 to 10000 ms)\n", PORTS_MAX);
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        char target[64];
        snprintf(target, sizeof target, "tcp://127.0.0.1:%.8s", argv[i]);
        chaos_start_at(&lines[i - 2], "127.0.0.2", target, (uint64_t)i);
        atomic_store(&lines[i - 2].knobs->delay_ms, (int)delay_ms);
        printf("%s\n", lines[i - 2].endpoint);
    }
    fflush(stdout);
    for (;;) pause();
}
