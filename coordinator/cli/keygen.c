/* keygen.c - `murakumo keygen`: CURVE keys, so that coordinator and workers on different machines know each other. */
#include "common/net/link_zmq.h"
#include "common/net/settings.h"
#include "coordinator/cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct settings {
    bool help;
    char dir[1024];
};

static const struct conf_key keys[] = {
    CONF_TEXT_KEY(struct settings, dir, "dir", "DIR", "where the keys lie; made with mode 0700"),
    CONF_FLAG_KEY(struct settings, help, "help", "this text"),
};

static int help_print(const struct conf_table *table)
{
    static char text[2048];
    conf_help(table, text, sizeof text);
    printf("murakumo keygen makes the keys that coordinators and workers on different machines need.\n\n"
           "usage: murakumo keygen [--dir DIR] coordinator\n"
           "       murakumo keygen [--dir DIR] worker NAME...\n\n%s\n"
           "1. on the coordinator's machine:   murakumo keygen coordinator\n"
           "                                   murakumo keygen worker alpha beta\n"
           "2. copy keys/workers/alpha.key to the machine of worker alpha (scp -p; keep it secret, mode 0600)\n"
           "3. coordinator:                    murakumo --listen tcp://0.0.0.0:7654 --keys keys\n"
           "   worker alpha:                   murakumo-worker --connect tcp://HOST:7654 --key alpha.key\n\n"
           "A worker is shut out by removing keys/workers/NAME.pub; within two seconds it is out.\n"
           "exit codes: 0 done, 1 a key could not be written, 2 wrong usage\n",
           text);
    return CLI_DONE;
}

static int complain(const char *text)
{
    fprintf(stderr, "murakumo keygen: %s\n", text);
    return CLI_FAILED;
}

static bool directory_make(const char *path)
{
    if (mkdir(path, 0700) == 0 || errno == EEXIST) return true;
    fprintf(stderr, "murakumo keygen: %s: %s\n", path, strerror(errno));
    return false;
}

static int key_make(const struct settings *settings, enum key_role role, const char *name)
{
    struct key_pair key = {.role = role};
    char path[1200], public_path[1200], why[KEY_TEXT_MAX];
    const char *folder = role == KEY_WORKER ? "workers/" : "";
    if (!key_name_is_good(name)) return complain("expected a name of 1 to 32 letters A-Z a-z 0-9 . _ -");
    if (role == KEY_WORKER) {
        struct key_pair coordinator;
        snprintf(path, sizeof path, "%s/coordinator.pub", settings->dir);
        if (key_read(path, false, &coordinator, why) != ST_OK) {
            fprintf(stderr, "murakumo keygen: %s; remedy: first `murakumo keygen --dir %s coordinator`\n", why,
                    settings->dir);
            return CLI_FAILED;
        }
        memcpy(key.server_z85, coordinator.public_z85, sizeof key.server_z85);
    }
    snprintf(key.name, sizeof key.name, "%s", name);
    snprintf(path, sizeof path, "%s/%s%s.key", settings->dir, folder, name);
    snprintf(public_path, sizeof public_path, "%s/%s%s.pub", settings->dir, folder, name);
    if (!link_zmq_key_make(key.public_z85, key.secret_z85))
        return complain("the ZeroMQ library of this machine was built without CURVE");
    int code = CLI_DONE;
    if (key_write(path, &key, true, why) != ST_OK) {
        code = complain(why);
    } else if (key_write(public_path, &key, false, why) != ST_OK) {
        code = complain(why);
        (void)unlink(path);
    }
    key_wipe(&key);
    if (code == CLI_DONE) printf("%s\n%s\n", path, public_path);
    return code;
}

int cli_keygen(int argc, char **argv)
{
    static struct settings settings;
    strcpy(settings.dir, "keys");
    const struct conf_table table = {keys, sizeof keys / sizeof *keys, &settings};
    char why[CONF_WHY_BYTES];
    int count = argc - 1;
    if (settings_load(&table, argv + 1, &count, why) != ST_OK) {
        (void)complain(why);
        return CLI_USAGE;
    }
    if (settings.help || count == 0) {
        (void)help_print(&table);
        return settings.help ? CLI_DONE : CLI_USAGE;
    }
    char workers[1100];
    snprintf(workers, sizeof workers, "%s/workers", settings.dir);
    bool coordinator = strcmp(argv[1], "coordinator") == 0, worker = strcmp(argv[1], "worker") == 0;
    if ((!coordinator && !worker) || (coordinator && count > 1) || (worker && count < 2)) {
        (void)complain("expected `coordinator` or `worker NAME...`; --help shows how");
        return CLI_USAGE;
    }
    if (!directory_make(settings.dir) || !directory_make(workers)) return CLI_FAILED;
    if (coordinator) return key_make(&settings, KEY_COORDINATOR, "coordinator");
    int code = CLI_DONE;
    for (int i = 2; i <= count; i++) {
        int one = key_make(&settings, KEY_WORKER, argv[i]);
        if (one != CLI_DONE) code = one;
    }
    return code;
}
