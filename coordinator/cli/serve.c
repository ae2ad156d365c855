/* serve.c - `murakumo serve`: the cluster as a daemon. Front ends (`murakumo usi --attach`) come and go at its door. */
#include "common/base/log.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/engine_settings.h"

#include <stdio.h>

static const char usage_head[] =
    "murakumo serve keeps a cluster running without a GUI: workers join and stay. `murakumo usi --attach`, which a "
    "GUI\n"
    "starts, is a thin front end to it; it may be killed and started again, and no worker is lost. One front end at a\n"
    "time, of the same user, on the same machine.\n\n"
    "usage: murakumo serve [OPTIONS]\n\n";
static const char usage_tail[] =
    "\nEvery setting can also stand in the --config file or in the environment (MURAKUMO_WORKERS=2).\n"
    "It runs in the foreground; SIGTERM and Ctrl-C answer an open search, say goodbye to the workers and end; a third\n"
    "one ends at once.\n\n"
    "examples:\n"
    "  murakumo serve\n"
    "  murakumo serve --listen tcp://0.0.0.0:7654 --keys keys --workers 1\n"
    "  murakumo cluster status\n\n"
    "exit codes: 0 asked to end, 1 something broke, 2 wrong usage\n";

int cli_serve(int argc, char **argv)
{
    static struct engine_settings settings = {.log = "info"}; /* large */
    const struct conf_table table = {engine_keys, ENGINE_KEYS, &settings};
    char why[KEY_TEXT_MAX], name[80];
    int count = argc - 1, code;
    if (!engine_settings_load(&table, "serve", &count, argv + 1, usage_head, usage_tail, &code)) return code;
    if (count > 0) {
        fprintf(stderr, "murakumo serve: found \"%.40s\", expected only options; --help lists them\n", argv[1]);
        return CLI_USAGE;
    }
    struct run_options options = engine_settings_options(&settings, name);
    options.kind = "serve";
    options.serves = true;
    struct run *run = run_new(&options, why, &code);
    if (!run) {
        fprintf(stderr, "murakumo serve: %s\n", why);
        return code;
    }
    for (size_t i = 0; *run_bound(run, i); i++) log_info("listening endpoint=%s", run_bound(run, i));
    log_info("serving");
    while (run_turn(run, NULL, 0, -1)) {
    }
    return run_free(run);
}
