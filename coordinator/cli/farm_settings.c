/* farm_settings.c - see farm_settings.h. */
#include "coordinator/cli/farm_settings.h"

#include "common/base/log.h"
#include "common/net/clock.h"
#include "common/net/machine.h"

#include <stdio.h>
#include <string.h>

bool farm_work_begin(const char *command, const struct farm_work_settings *work)
{
    enum log_level level;
    if (!log_level_from_name(work->log, &level)) {
        fprintf(stderr, "%s: --log: found \"%.16s\", expected error, warn, info or debug\n", command, work->log);
        return false;
    }
    log_set_level(level);
    log_set_clock(clock_unix_ms);
    machine_raise_file_limit();
    return true;
}

int farm_work(const char *command, const struct farm_work_settings *work, struct store *store, int64_t job)
{
    const char *word = strrchr(command, ' '); /* "murakumo mine" */
    unsigned workers = work->workers > 0 ? (unsigned)work->workers : machine_cores();
    struct farm_run_options options = {.command = command,
                                       .store = store,
                                       .job = job,
                                       .sample_permille = (uint32_t)work->sample,
                                       .run = {.name = command,
                                               .kind = word ? word + 1 : command,
                                               .listen = work->listen,
                                               .keys_directory = work->keys,
                                               .local_workers = workers,
                                               .threads = 1,
                                               .uniform = true,
                                               .hash_mb = (uint32_t)work->hash_mb,
                                               .worker_log = work->log}};
    return farm_run(&options);
}
