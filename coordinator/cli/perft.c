/* perft.c - `murakumo perft SFEN DEPTH`: leaves of the tree of legal moves, by root move and in sum. */
#include "common/net/clock.h"
#include "common/shogi/movetext.h"
#include "common/shogi/perft.h"
#include "common/shogi/sfen.h"
#include "coordinator/cli/cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool print_move(void *user, Move move, uint64_t leaves)
{
    char text[MOVETEXT_BYTES_MAX];
    (void)user;
    movetext_to_usi(move, text);
    printf("%s: %" PRIu64 "\n", text, leaves);
    return true;
}

static void help_print(void)
{
    printf("murakumo perft counts the leaves of the tree of legal moves: all non-promotions count, pawn-drop mates do "
           "not.\n\n"
           "usage: murakumo perft SFEN|startpos DEPTH\n\n"
           "examples:\n"
           "  murakumo perft startpos 5        19861490 leaves\n"
           "  murakumo perft \"8k/9/7+R1/9/9/9/9/9/K8 b P 1\" 1\n\n"
           "exit codes: 0 done, 2 wrong usage\n");
}

int cli_perft(int argc, char **argv)
{
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        help_print();
        return CLI_DONE;
    }
    if (argc != 3) {
        fprintf(stderr, "murakumo perft: found %d arguments, expected SFEN DEPTH; see murakumo perft --help\n",
                argc - 1);
        return CLI_USAGE;
    }
    struct position pos;
    struct sfen_error error;
    const char *sfen = strcmp(argv[1], "startpos") == 0 ? SFEN_STARTPOS : argv[1];
    if (sfen_read(&pos, sfen, strlen(sfen), NULL, &error) != ST_OK) {
        fprintf(stderr, "murakumo perft: SFEN, byte %zu: %s\n", error.offset, error.text);
        return CLI_USAGE;
    }
    char *end;
    unsigned long depth = strtoul(argv[2], &end, 10);
    if (*end != 0 || end == argv[2] || depth < 1 || depth > 20) {
        fprintf(stderr, "murakumo perft: found depth \"%.20s\", expected 1..20\n", argv[2]);
        return CLI_USAGE;
    }
    int64_t start_us = clock_now_us();
    uint64_t leaves = perft_divide(&pos, (unsigned)depth, print_move, NULL);
    double seconds = (double)(clock_now_us() - start_us) / 1e6;
    printf("\n%" PRIu64 " leaves\n", leaves);
    fprintf(stderr, "%.3f s, %.1f million leaves/s\n", seconds,
            (double)leaves / 1e6 / (seconds > 1e-6 ? seconds : 1e-6));
    return CLI_DONE;
}
