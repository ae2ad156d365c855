/* main.c - murakumo-worker: arguments -> settings -> run. */
#include "common/base/log.h"
#include "common/net/clock.h"
#include "common/net/endpoint.h"
#include "common/net/machine.h"
#include "common/net/settings.h"
#include "worker/run.h"

#include <stdio.h>
#include <string.h>

#ifndef MURAKUMO_VERSION
#define MURAKUMO_VERSION "unknown"
#endif

struct settings {
    bool help, version;
    char connect[ENDPOINT_BYTES_MAX], name[33], config[1024], key[1024], log[16], record[1024];
    int64_t threads, hash_mb;
};

static const struct conf_key keys[] = {
    CONF_TEXT_KEY(struct settings, connect, "connect", "ENDPOINT", "coordinator: tcp://HOST:PORT or ipc:///PATH"),
    CONF_NUMBER_KEY(struct settings, threads, "threads", 1, 1024, "N", "search threads"),
    CONF_NUMBER_KEY(struct settings, hash_mb, "hash", 1, 33554432, "MB", "transposition table, MiB"),
    CONF_TEXT_KEY(struct settings, name, "name", "NAME", "name shown to people"),
    CONF_TEXT_KEY(struct settings, key, "key", "FILE", "this worker's key file (murakumo keygen worker NAME)"),
    CONF_TEXT_KEY(struct settings, config, "config", "FILE", "file with settings: `threads = 8`, one a line"),
    CONF_TEXT_KEY(struct settings, log, "log", "LEVEL", "error, warn, info or debug, on stderr"),
    CONF_TEXT_KEY(struct settings, record, "record", "FILE", "write every event to a file"),
    CONF_FLAG_KEY(struct settings, help, "help", "this text"),
    CONF_FLAG_KEY(struct settings, version, "version", "print the version"),
};

static void help_print(const struct conf_table *table)
{
    static char text[8192];
    conf_help(table, text, sizeof text);
    printf("murakumo-worker joins a Murakumo cluster: it searches for a coordinator, from any machine, at any time.\n\n"
           "usage: murakumo-worker --connect tcp://HOST:7654 [--threads N --hash MB --name NAME --key FILE]\n\n%s\n"
           "Every setting can also stand in the --config file (`hash = 4096`) or in the environment "
           "(MURAKUMO_HASH=4096);\n"
           "the command line wins over the environment, the environment over the file.\n\n"
           "examples:\n"
           "  murakumo-worker --connect tcp://127.0.0.1:7654\n"
           "  murakumo-worker --connect tcp://10.0.0.5:7654 --key alpha.key --threads 16 --hash 8192\n\n"
           "exit codes: 0 asked to leave (SIGTERM, Ctrl-C), 1 something broke, 2 wrong usage, 3 not accepted by the "
           "coordinator\n",
           text);
}

static int usage(const char *why)
{
    fprintf(stderr, "murakumo-worker: %s\n", why);
    return 2;
}

int main(int argc, char **argv)
{
    static struct settings settings; /* large and zeroed */
    machine_open_standard_files();
    uint64_t memory_mb = machine_memory_mb();
    settings.threads = machine_cores();
    settings.hash_mb = (int64_t)(memory_mb / 4 > 1024 ? 1024 : memory_mb / 4 > 16 ? memory_mb / 4 : 16);
    machine_host_name(settings.name, sizeof settings.name);
    strcpy(settings.log, "info");
    const struct conf_table table = {keys, sizeof keys / sizeof *keys, &settings};
    struct settings defaults = settings;
    char why[CONF_WHY_BYTES];
    int count = argc - 1;
    if (settings_load(&table, argv + 1, &count, why) != ST_OK) return usage(why);
    if (settings.help) {
        help_print(&(struct conf_table){keys, table.count, &defaults});
        return 0;
    }
    if (settings.version) {
        printf("murakumo-worker %s (%s)\n", MURAKUMO_VERSION, machine_simd());
        return 0;
    }
    enum log_level level;
    if (!log_level_from_name(settings.log, &level)) return usage("--log: expected error, warn, info or debug");
    if (count > 0) return usage("found a word that belongs to no option; --help lists the options");
    if (!settings.connect[0]) return usage("--connect tcp://HOST:PORT is missing; --help shows examples");
    if (!key_name_is_good(settings.name)) return usage("--name: expected 1 to 32 of A-Z a-z 0-9 . _ -");
    log_set_level(level);
    log_set_clock(clock_unix_ms);
    machine_raise_file_limit();

    struct key_pair key = {0};
    if (settings.key[0]) {
        char reason[KEY_TEXT_MAX];
        if (key_read(settings.key, true, &key, reason) != ST_OK) return usage(reason);
        machine_protect_secrets();
    }
    struct link_zmq_keys link_keys = {.own = &key, .allowed_directory = NULL};
    int code = worker_run(&(struct worker_run_options){
        .endpoint = settings.connect,
        .keys = settings.key[0] ? &link_keys : NULL,
        .name = settings.key[0] ? key.name : settings.name,
        .build = "murakumo " MURAKUMO_VERSION,
        .threads = (uint32_t)settings.threads,
        .hash_mb = (uint32_t)settings.hash_mb,
        .record_path = settings.record,
    });
    key_wipe(&key);
    return code;
}
