/* farm_settings.h - the settings that all commands of the farm share: mine, scan, farm serve, farm submit. */
#ifndef MURAKUMO_CLI_FARM_SETTINGS_H
#define MURAKUMO_CLI_FARM_SETTINGS_H

#include "common/base/conf.h"
#include "coordinator/core/event.h"
#include "coordinator/farm_run.h"

#include <stdbool.h>
#include <stdint.h>

struct farm_work_settings { /* who works */
    int64_t workers, hash_mb, sample;
    char listen[2048], keys[1024], log[16];
};
#define FARM_WORK_DEFAULTS                                                                                             \
    {                                                                                                                  \
        .hash_mb = 64, .sample = 20, .log = "warn"                                                                     \
    }

/* `type` has a member `work` of the struct above. */
#define FARM_WORK_KEYS(type)                                                                                           \
    CONF_NUMBER_KEY(type, work.workers, "workers", 0, COORD_LOCAL_MAX, "N",                                            \
                    "local worker processes, one thread each; 0 = one per core"),                                      \
        CONF_NUMBER_KEY(type, work.hash_mb, "hash", 1, 33554432, "MB",                                                 \
                        "table of each worker, MiB; results depend on it: the same on all machines"),                  \
        CONF_NUMBER_KEY(type, work.sample, "sample", 0, 1000, "permille",                                              \
                        "share of the work that two processes must agree on"),                                         \
        CONF_LIST_KEY(type, work.listen, "listen", "ENDPOINT", "accept further workers: tcp://HOST:PORT"),             \
        CONF_TEXT_KEY(type, work.keys, "keys", "DIR", "keys made by `murakumo keygen`; needed off this machine"),      \
        CONF_TEXT_KEY(type, work.log, "log", "LEVEL", "error, warn, info or debug, on stderr")

struct farm_job_settings { /* what is worked on; `mine` is what results depend on */
    char licence[256];
    bool any_licence, strict;
    struct mine mine;
};
#define FARM_MINE_KEY(type, name, word, min, max, unit, help)                                                          \
    CONF_NUMBER_KEY(type, job.mine.name, word, min, max, unit, help),
#define FARM_JOB_KEYS(type)                                                                                            \
    CONF_TEXT_KEY(type, job.licence, "licence", "TEXT", "licence of games that do not say it themselves"),             \
        CONF_FLAG_KEY(type, job.any_licence, "any-licence", "mine: take games whose licence is not known"),            \
        CONF_FLAG_KEY(type, job.strict, "strict", "leave out games with any remark, not only say it")

/* False (and said on stderr): not a log level. Sets up logging and limits of this process. */
bool farm_work_begin(const char *command, const struct farm_work_settings *work);
/* The farm of these settings over the store; job 0 = until it is told to end. Exit code. */
int farm_work(const char *command, const struct farm_work_settings *work, struct store *store, int64_t job);

#endif
