/* help.c - `murakumo help`: what there is. */
#include "coordinator/cli/cli.h"

#include <stdio.h>

#ifndef MURAKUMO_VERSION
#define MURAKUMO_VERSION "unknown"
#endif

const char *cli_version(void) { return MURAKUMO_VERSION; }

int cli_help(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    printf("Murakumo %s: a shogi engine made of many machines.\n\n"
           "usage: murakumo [COMMAND] [OPTIONS]        murakumo COMMAND --help\n\n",
           cli_version());
#define HELP_LINE(name, summary) printf("  %-10s %s\n", #name, summary);
    CLI_COMMANDS(HELP_LINE)
#undef HELP_LINE
    printf("  %-10s %s\n", "bench", "speed of search, move generation, mate solver, table and wire");
    printf("  %-10s %s\n", "sim", "the whole cluster in one process, under faults, repeatable by seed");
    printf("  %-10s %s\n", "simulate", "how much faster N workers search than one: real search cores in virtual time");
    printf("  %-10s %s\n", "train", "self-play games and evaluation weights fitted to them (a developer's tool)");
    printf("\nexamples:\n"
           "  murakumo                                   an engine for your GUI; starts its own worker\n"
           "  murakumo --listen tcp://127.0.0.1:7654     the same, and workers from elsewhere may join\n"
           "  murakumo-worker --connect tcp://127.0.0.1:7654\n"
           "  murakumo usi \"position startpos\" \"go depth 10\"\n");
    return CLI_DONE;
}
