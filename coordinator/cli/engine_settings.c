/* engine_settings.c - see engine_settings.h. */
#include "coordinator/cli/engine_settings.h"

#include "common/base/log.h"
#include "common/net/clock.h"
#include "common/net/machine.h"
#include "coordinator/cli/cli.h"

#include <stdio.h>
#include <string.h>

const struct conf_key engine_keys[ENGINE_KEYS] = {
    CONF_LIST_KEY(struct engine_settings, listen, "listen", "ENDPOINT",
                  "accept workers from elsewhere: tcp://HOST:PORT"),
    CONF_TEXT_KEY(struct engine_settings, keys, "keys", "DIR",
                  "keys made by `murakumo keygen`; needed off this machine"),
    CONF_NUMBER_KEY(struct engine_settings, workers, "workers", 0, COORD_LOCAL_MAX, "N", "local worker processes"),
    CONF_NUMBER_KEY(struct engine_settings, threads, "threads", 0, 1024, "N",
                    "search threads of each local worker; 0 = the cores of this machine"),
    CONF_NUMBER_KEY(struct engine_settings, hash_mb, "hash", 0, 33554432, "MB",
                    "table of each local worker, MiB; 0 = a quarter of the memory, at most 1024"),
    CONF_TEXT_KEY(struct engine_settings, config, "config", "FILE", "file with settings: `workers = 2`, one a line"),
    CONF_TEXT_KEY(struct engine_settings, log, "log", "LEVEL", "error, warn, info or debug, on stderr"),
    CONF_TEXT_KEY(struct engine_settings, record, "record", "FILE",
                  "write every event to a file; murakumo sim --replay FILE does it again"),
    CONF_FLAG_KEY(struct engine_settings, help, "help", "this text"),
    CONF_FLAG_KEY(struct engine_settings, version, "version", "print the version"),
};

bool engine_settings_load(const struct conf_table *table, const char *command, int *argc, char **argv,
                          const char *usage_head, const char *usage_tail, int *exit_code)
{
    struct engine_settings *settings = table->values;
    settings->workers = 1;
    if (!settings->log[0]) strcpy(settings->log, "warn");
    struct engine_settings defaults = *settings;
    char why[CONF_WHY_BYTES];
    enum log_level level = LOG_WARN;
    *exit_code = CLI_USAGE;
    if (settings_load(table, argv, argc, why) != ST_OK) {
        fprintf(stderr, "murakumo %s: %s\n", command, why);
        return false;
    }
    if (settings->help) {
        static char text[8192];
        conf_help(&(struct conf_table){table->keys, table->count, &defaults}, text, sizeof text);
        printf("%s%s%s", usage_head, text, usage_tail);
        *exit_code = CLI_DONE;
        return false;
    }
    if (settings->version) {
        printf("murakumo %s (%s)\n", cli_version(), machine_simd());
        *exit_code = CLI_DONE;
        return false;
    }
    const char *problem = !log_level_from_name(settings->log, &level) ? "--log: expected error, warn, info or debug"
                          : settings->workers == 0 && !settings->listen[0] && !settings->attach
                              ? "--workers 0 needs --listen, or nobody could ever search"
                              : NULL;
    if (problem) {
        fprintf(stderr, "murakumo %s: %s\n", command, problem);
        return false;
    }
    log_set_level(level);
    log_set_clock(clock_unix_ms);
    machine_raise_file_limit();
    return true;
}

struct run_options engine_settings_options(const struct engine_settings *settings, char name[80])
{
    snprintf(name, 80, "Murakumo %.60s", cli_version());
    return (struct run_options){
        .name = name,
        .listen = settings->listen,
        .keys_directory = settings->keys,
        .local_workers = (unsigned)settings->workers,
        .threads = (uint32_t)settings->threads,
        .hash_mb = (uint32_t)settings->hash_mb,
        .worker_log = settings->log,
        .record_path = settings->record,
    };
}
