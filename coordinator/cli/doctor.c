/* doctor.c - `murakumo doctor`: tries what a cluster needs on this machine, and says what is in the way and what helps.
 *
 * Nothing is guessed: each check does the real thing (binds, connects, reads the keys, starts a worker) and undoes it.
 */
#include "common/base/text.h"
#include "common/net/child.h"
#include "common/net/clock.h"
#include "common/net/endpoint.h"
#include "common/net/link_zmq.h"
#include "common/net/machine.h"
#include "common/net/settings.h"
#include "coordinator/cli/cli.h"
#include "coordinator/door_client.h"
#include "coordinator/private_dir.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    CONNECT_MS = 4000,
    WORKER_MS = 10000,
    FILES_WANTED = 1024,
    MEMORY_WANTED_MB = 256,
    TEXT_BYTES_MAX = 65536,
    EPHEMERAL_FIRST_DEFAULT = 32768
};

struct settings {
    bool help, json;
    char listen[2048], keys[1024], connect[ENDPOINT_BYTES_MAX], key[1024];
};

static const struct conf_key keys[] = {
    CONF_LIST_KEY(struct settings, listen, "listen", "ENDPOINT", "could a coordinator listen there?"),
    CONF_TEXT_KEY(struct settings, keys, "keys", "DIR", "are these keys in order (coordinator's side)?"),
    CONF_TEXT_KEY(struct settings, connect, "connect", "ENDPOINT", "can a worker reach this coordinator?"),
    CONF_TEXT_KEY(struct settings, key, "key", "FILE", "with this worker's key"),
    CONF_FLAG_KEY(struct settings, json, "json", "one JSON object: {\"checks\":[{\"name\",\"verdict\",\"text\"}...]}"),
    CONF_FLAG_KEY(struct settings, help, "help", "this text"),
};

enum verdict { GOOD, WARNING, BAD };

struct report {
    bool json;
    unsigned count, warnings, failures;
    struct text_buffer out;
};

__attribute__((format(printf, 4, 5))) static void tell(struct report *report, enum verdict verdict, const char *name,
                                                       const char *format, ...)
{
    static const char *const words[] = {"ok", "warning", "failed"};
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    report->warnings += verdict == WARNING;
    report->failures += verdict == BAD;
    if (report->json) {
        text_buffer_format(&report->out, "%s{\"name\":\"%s\",\"verdict\":\"%s\",\"text\":", report->count ? "," : "",
                           name, words[verdict]);
        text_buffer_put_json(&report->out, text_from(text));
        text_buffer_put_char(&report->out, '}');
    } else {
        printf("%-8s %-12s %s\n", words[verdict], name, text);
        fflush(stdout);
    }
    report->count++;
}

/* ---- this machine ------------------------------------------------------------------------------------------------ */

static void check_machine(struct report *report)
{
    uint64_t memory_mb = machine_memory_mb(), free_mb = machine_memory_available_mb();
    char library[64], public_z85[KEY_Z85_CHARS + 1], secret_z85[KEY_Z85_CHARS + 1];
    tell(report, GOOD, "program", "murakumo %s, %s", cli_version(), machine_simd());
    tell(report, free_mb >= MEMORY_WANTED_MB ? GOOD : WARNING, "machine",
         "%u cores for us, %" PRIu64 " MiB of memory, %" PRIu64 " MiB free now%s", machine_cores(), memory_mb, free_mb,
         free_mb >= MEMORY_WANTED_MB ? "" : "; workers need a small --hash here");
    link_zmq_library(library);
    if (link_zmq_key_make(public_z85, secret_z85))
        tell(report, GOOD, "library", "%s with CURVE", library);
    else
        tell(report, BAD, "library", "%s without CURVE: other machines cannot join; install libzmq with libsodium",
             library);
    explicit_bzero(secret_z85, sizeof secret_z85);
    struct rlimit files;
    machine_raise_file_limit();
    if (getrlimit(RLIMIT_NOFILE, &files) == 0)
        tell(report, files.rlim_cur >= FILES_WANTED ? GOOD : WARNING, "descriptors", "%llu may be open%s",
             (unsigned long long)files.rlim_cur,
             files.rlim_cur >= FILES_WANTED ? ""
                                            : ", enough for a few workers only; raise `ulimit -n` to 1024 or more");
}

static void check_sockets(struct report *report)
{
    struct private_dir directory;
    if (private_dir_make(&directory) == ST_OK)
        tell(report, GOOD, "private", "sockets of local workers and front ends: %s", directory.path);
    else
        tell(report, BAD, "private",
             "no private directory can be made; set XDG_RUNTIME_DIR or TMPDIR to a directory that you may write, with "
             "a short name");
    private_dir_remove(&directory);
    char paths[DOOR_CLIENT_DOORS_MAX][DOOR_CLIENT_PATH_BYTES];
    size_t doors = door_client_list(paths);
    tell(report, GOOD, "running", "%zu coordinators of yours on this machine%s", doors,
         doors ? "; `murakumo cluster status` tells of them" : "");
}

static void check_worker(struct report *report)
{
    char path[4096], why[CHILD_WHY_BYTES];
    pid_t pid;
    if (!child_program_beside("murakumo-worker", path, sizeof path) || access(path, X_OK) != 0) {
        tell(report, BAD, "worker", "%.300s is missing or may not be run; it belongs beside murakumo", path);
        return;
    }
    char *argv[] = {path, "--version", NULL};
    const struct child_setup setup = {-1, -1, STDERR_FILENO, NULL};
    if (child_start(argv, &setup, &pid, why) != ST_OK) {
        tell(report, BAD, "worker", "%s", why);
        return;
    }
    int64_t began_ms = clock_now_ms();
    child_end(pid, WORKER_MS, why);
    bool good = strcmp(why, "exit 0") == 0;
    tell(report, good ? GOOD : BAD, "worker", "%.300s: %s after %" PRId64 " ms", path, good ? "starts" : why,
         clock_now_ms() - began_ms);
}

/* ---- keys -------------------------------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), bytes = strlen(end);
    return length >= bytes && strcmp(text + length - bytes, end) == 0;
}

static void check_allowed(struct report *report, const char *directory)
{
    DIR *list = opendir(directory);
    unsigned good = 0, bad = 0;
    const struct dirent *entry;
    if (!list) {
        tell(report, BAD, "keys",
             "%.300s cannot be read: no worker with a key may join; remedy: murakumo keygen worker NAME", directory);
        return;
    }
    while ((entry = readdir(list)) != NULL) {
        char path[2400], why[KEY_TEXT_MAX];
        struct key_pair key;
        if (!ends_with(entry->d_name, ".pub")) continue;
        snprintf(path, sizeof path, "%.1100s/%.255s", directory, entry->d_name);
        bool fine = key_read(path, false, &key, why) == ST_OK;
        if (fine && key.role != KEY_WORKER) {
            fine = false;
            snprintf(why, sizeof why, "%.200s: is no worker's key", path);
        }
        if (fine) {
            good++;
        } else {
            bad++;
            tell(report, WARNING, "keys", "%s; it is passed over", why);
        }
    }
    closedir(list);
    tell(report, good ? GOOD : WARNING, "keys", "%u workers may join%s", good,
         good ? "" : "; remedy: murakumo keygen worker NAME");
}

static void check_keys(struct report *report, const char *directory, struct key_pair *own)
{
    char path[1200], why[KEY_TEXT_MAX];
    if (!directory[0]) return;
    snprintf(path, sizeof path, "%.1000s/coordinator.key", directory);
    if (key_read(path, true, own, why) != ST_OK)
        tell(report, BAD, "keys", "%s", why);
    else if (own->role != KEY_COORDINATOR || !link_zmq_key_matches(own))
        tell(report, BAD, "keys", "%.300s: is not the key of a coordinator", path);
    else
        tell(report, GOOD, "keys", "%.300s is in order", path);
    snprintf(path, sizeof path, "%.1000s/workers", directory);
    check_allowed(report, path);
}

/* ---- addresses --------------------------------------------------------------------------------------------------- */

static unsigned ephemeral_first(void)
{
    unsigned first = EPHEMERAL_FIRST_DEFAULT;
    FILE *file = fopen("/proc/sys/net/ipv4/ip_local_port_range", "re");
    if (file && fscanf(file, "%u", &first) != 1) first = EPHEMERAL_FIRST_DEFAULT;
    if (file) fclose(file);
    return first;
}

static void check_listen(struct report *report, const struct settings *settings, const struct key_pair *own)
{
    char allowed[1200], why[KEY_TEXT_MAX];
    snprintf(allowed, sizeof allowed, "%.1000s/workers", settings->keys);
    struct link_zmq_keys link_keys = {.own = own, .allowed_directory = allowed};
    struct link *link = link_zmq_coordinator_new(LINK_CONTROL_BYTES_PER_S);
    const char *rest = settings->listen;
    for (size_t index = 0; link && *rest; rest += strcspn(rest, "\n"), rest += *rest == '\n') {
        char endpoint[ENDPOINT_BYTES_MAX];
        snprintf(endpoint, sizeof endpoint, "%.*s", (int)strcspn(rest, "\n"), rest);
        if (link_zmq_listen(link, endpoint, own->secret_z85[0] ? &link_keys : NULL, why) != ST_OK) {
            tell(report, BAD, "listen", "%s", why);
            continue;
        }
        const char *bound = link_zmq_bound(link, index++), *colon = strrchr(bound, ':');
        unsigned port = colon ? (unsigned)atoi(colon + 1) : 0, first = ephemeral_first();
        if (port >= first && !strchr(endpoint, '*'))
            tell(report, WARNING, "listen",
                 "%s works, but ports from %u on are given to outgoing connections: a worker on this machine may take "
                 "it while the coordinator is away; use one below, such as %d",
                 bound, first, ENDPOINT_PORT_DEFAULT);
        else
            tell(report, GOOD, "listen", "%s%s", bound,
                 own->secret_z85[0] ? ", with keys" : ", without keys: this user only");
    }
    if (!link) tell(report, BAD, "listen", "not enough memory or descriptors");
    link_close(link, 0);
}

static void check_connect(struct report *report, const struct settings *settings)
{
    char why[KEY_TEXT_MAX];
    struct key_pair key = {0};
    if (settings->key[0] && key_read(settings->key, true, &key, why) != ST_OK) {
        tell(report, BAD, "key", "%s", why);
        return;
    }
    struct link_zmq_keys link_keys = {.own = &key};
    struct link *link = link_zmq_worker_new(settings->connect, settings->key[0] ? &link_keys : NULL, why);
    key_wipe(&key);
    if (!link) {
        tell(report, BAD, "connect", "%s", why);
        return;
    }
    int64_t began_ms = clock_now_ms(), due_ms = began_ms + CONNECT_MS;
    const char *trouble = "nothing answers at this address: is the coordinator running there with --listen, is the "
                          "number of the port right, does a firewall stand between?";
    bool connected = false, over = false;
    while (!over && clock_now_ms() < due_ms) {
        struct link_event event;
        link_wait(link, NULL, 0, due_ms - clock_now_ms(), false);
        while (!over && link_receive(link, &event)) {
            connected = event.type == LINK_EVENT_CONNECTED;
            if (event.type == LINK_EVENT_TROUBLE || event.type == LINK_EVENT_REFUSED) trouble = event.reason;
            over = connected || event.type == LINK_EVENT_REFUSED;
        }
    }
    if (connected)
        tell(report, GOOD, "connect", "%.200s lets us in after %" PRId64 " ms", settings->connect,
             clock_now_ms() - began_ms);
    else
        tell(report, BAD, "connect", "%.200s: %s", settings->connect, trouble);
    link_close(link, 0);
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static void help_print(const struct conf_table *table)
{
    static char text[4096];
    conf_help(table, text, sizeof text);
    printf(
        "murakumo doctor tries what a cluster needs on this machine and says what is in the way.\n\n"
        "usage: murakumo doctor [OPTIONS]\n\n%s\n"
        "examples:\n"
        "  murakumo doctor\n"
        "  murakumo doctor --listen tcp://0.0.0.0:7654 --keys keys       before `murakumo serve` with the same words\n"
        "  murakumo doctor --connect tcp://first:7654 --key alpha.key    on a worker's machine\n\n"
        "exit codes: 0 all is well (warnings are allowed), 1 something failed, 2 wrong usage\n",
        text);
}

int cli_doctor(int argc, char **argv)
{
    static struct settings settings;
    const struct conf_table table = {keys, sizeof keys / sizeof *keys, &settings};
    char why[CONF_WHY_BYTES];
    int count = argc - 1;
    if (settings_load(&table, argv + 1, &count, why) != ST_OK) {
        fprintf(stderr, "murakumo doctor: %s\n", why);
        return CLI_USAGE;
    }
    if (settings.help) {
        help_print(&table);
        return CLI_DONE;
    }
    if (count > 0) {
        fprintf(stderr, "murakumo doctor: found \"%.40s\", expected only options; --help lists them\n", argv[1]);
        return CLI_USAGE;
    }
    struct report report = {.json = settings.json};
    text_buffer_init(&report.out, TEXT_BYTES_MAX);
    struct key_pair own = {0};
    check_machine(&report);
    check_sockets(&report);
    check_worker(&report);
    check_keys(&report, settings.keys, &own);
    if (settings.listen[0]) check_listen(&report, &settings, &own);
    key_wipe(&own);
    if (settings.connect[0]) check_connect(&report, &settings);
    if (settings.json)
        printf("{\"failures\":%u,\"warnings\":%u,\"checks\":[%s]}\n", report.failures, report.warnings,
               report.out.data ? report.out.data : "");
    text_buffer_free(&report.out);
    return report.failures ? CLI_FAILED : CLI_DONE;
}
