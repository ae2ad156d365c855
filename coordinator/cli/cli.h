/* cli.h - the user's commands: one file each, one line in this table.
 *
 * A command gets its own words: argv[0] is its name. It prints results on stdout, everything else on stderr, and
 * returns the exit code of the program. `--help` is its own business.
 */
#ifndef MURAKUMO_CLI_CLI_H
#define MURAKUMO_CLI_CLI_H

/* X(name, summary) -> int cli_NAME(int argc, char **argv) */
#define CLI_COMMANDS(X)                                                                                                \
    X(usi, "USI engine on stdin and stdout (what a GUI starts; also without any word)")                                \
    X(serve, "the cluster as a daemon; `usi --attach` is its front end")                                               \
    X(cluster, "`cluster status`: who is connected, who was refused and why")                                          \
    X(doctor, "why does it not work: sockets, keys, permissions, versions, limits")                                    \
    X(scan, "evaluates every position of game records")                                                                \
    X(mine, "finds puzzles in game records: one answer each, proved and audited")                                      \
    X(farm, "the durable queue behind scan and mine: serve, submit, status, results, export, retry, cancel")           \
    X(mate, "proves or refutes mates: tsume problems, one position or a file of them")                                 \
    X(convert, "game records from any format into another")                                                            \
    X(perft, "counts legal move trees")                                                                                \
    X(match, "paired-opening matches between USI engines, with Elo and error bars")                                    \
    X(keygen, "keys for coordinators and workers on different machines")                                               \
    X(help, "this list")

#define CLI_DECLARE(name, summary) int cli_##name(int argc, char **argv);
CLI_COMMANDS(CLI_DECLARE)

enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_NO_CLUSTER = 3 };

const char *cli_version(void); /* "v1.2-3-gabcdef" */

#endif
