/* engine_settings.h - the settings of a coordinator that plays: `murakumo usi` and `murakumo serve` have the same. */
#ifndef MURAKUMO_CLI_ENGINE_SETTINGS_H
#define MURAKUMO_CLI_ENGINE_SETTINGS_H

#include "common/net/settings.h"
#include "coordinator/run.h"

struct engine_settings {
    bool help, version, attach;
    char listen[2048], keys[1024], config[1024], log[16], record[1024];
    int64_t workers, threads, hash_mb;
};

enum { ENGINE_KEYS = 10 }; /* without `attach` */
extern const struct conf_key engine_keys[ENGINE_KEYS];

/* Fills in the defaults (log: what stands there already, else warn), then reads file, environment and command line.
 * True: go on. False: *exit_code; everything has been said. `table` holds engine_keys and perhaps more; `usage` is
 * printed around the list of options for --help. */
bool engine_settings_load(const struct conf_table *table, const char *command, int *argc, char **argv,
                          const char *usage_head, const char *usage_tail, int *exit_code);
/* The part of the options for run_new() that comes from the settings; name: a buffer that outlives the run. */
struct run_options engine_settings_options(const struct engine_settings *settings, char name[80]);

#endif
