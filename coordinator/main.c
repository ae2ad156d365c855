/* main.c - murakumo: finds the command. Without one it is a USI engine, as GUIs expect it.
 *
 * `murakumo NAME` also runs the program murakumo-NAME beside this one, for commands that need more of the project
 * linked together than a coordinator may (bench, sim).
 */
#include "common/net/child.h"
#include "common/net/machine.h"
#include "coordinator/cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int run_beside(int argc, char **argv)
{
    char name[64], path[4096];
    (void)argc;
    for (const char *c = argv[0]; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || *c == '-')) return -1;
    int n = snprintf(name, sizeof name, "murakumo-%s", argv[0]);
    if (n < 0 || (size_t)n >= sizeof name || !child_program_beside(name, path, sizeof path)) return -1;
    if (access(path, X_OK) != 0) return -1;
    argv[0] = path;
    execv(path, argv);
    fprintf(stderr, "murakumo: %s: %s\n", path, strerror(errno));
    return CLI_FAILED;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(int argc, char **argv);
    } commands[] = {
#define COMMAND(name, summary) {#name, cli_##name},
        CLI_COMMANDS(COMMAND)
#undef COMMAND
    };
    machine_open_standard_files();
    const char *word = argc > 1 ? argv[1] : "usi";
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(word, commands[i].name) == 0)
            return argc > 1 ? commands[i].run(argc - 1, argv + 1) : commands[i].run(argc, argv);
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return cli_help(1, argv);
    if (word[0] == '-') return cli_usi(argc, argv); /* `murakumo --listen ...` */
    int code = run_beside(argc - 1, argv + 1);
    if (code >= 0) return code;
    fprintf(stderr, "murakumo: found \"%.40s\", which is no command; `murakumo help` lists them\n", word);
    return CLI_USAGE;
}
