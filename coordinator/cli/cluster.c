/* cluster.c - `murakumo cluster status`: asks every coordinator of this user that runs on this machine. */
#include "common/base/json.h"
#include "common/net/settings.h"
#include "coordinator/cli/cli.h"
#include "coordinator/door_client.h"
#include "coordinator/view/cluster_status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANSWER_MS = 2000, TABLE_BYTES_MAX = 1 << 20 };

struct settings {
    bool help, json;
};

static const struct conf_key keys[] = {
    CONF_FLAG_KEY(struct settings, json, "json", "one JSON object a coordinator, one a line"),
    CONF_FLAG_KEY(struct settings, help, "help", "this text"),
};

static void help_print(const struct conf_table *table)
{
    static char text[2048];
    conf_help(table, text, sizeof text);
    printf(
        "murakumo cluster status tells of every coordinator of yours that runs on this machine: its workers, who was\n"
        "refused and why, who has gone and why, and its counters.\n\n"
        "usage: murakumo cluster status [--json]\n\n%s\n"
        "examples:\n"
        "  murakumo cluster status\n"
        "  murakumo cluster status --json | jq '.workers[].name'\n\n"
        "exit codes: 0 done, 1 a coordinator gave no answer, 2 wrong usage, 3 none is running\n",
        text);
}

static bool status_print(const char *path, bool as_json)
{
    size_t length;
    char *line = door_client_status(path, ANSWER_MS, &length);
    struct text rest = text_make(line ? line : "", line ? length : 0);
    struct json status;
    bool good = line && json_take(&rest, &status, NULL) == ST_OK;
    if (good && as_json) {
        printf("%s\n", line);
    } else if (good) {
        struct text_buffer table;
        text_buffer_init(&table, TABLE_BYTES_MAX);
        good = cluster_status_write_table(status, &table);
        if (good) fwrite(table.data, 1, table.length, stdout);
        text_buffer_free(&table);
    }
    if (!good) fprintf(stderr, "murakumo cluster status: %s: no answer within %d s\n", path, ANSWER_MS / 1000);
    free(line);
    return good;
}

int cli_cluster(int argc, char **argv)
{
    struct settings settings = {0};
    const struct conf_table table = {keys, sizeof keys / sizeof *keys, &settings};
    char why[CONF_WHY_BYTES], paths[DOOR_CLIENT_DOORS_MAX][DOOR_CLIENT_PATH_BYTES];
    int count = argc - 1;
    if (settings_load(&table, argv + 1, &count, why) != ST_OK) {
        fprintf(stderr, "murakumo cluster: %s\n", why);
        return CLI_USAGE;
    }
    if (settings.help) {
        help_print(&table);
        return CLI_DONE;
    }
    if (count != 1 || strcmp(argv[1], "status") != 0) {
        fprintf(stderr, "murakumo cluster: found \"%.40s\", expected status; --help shows examples\n",
                count > 0 ? argv[1] : "");
        return CLI_USAGE;
    }
    size_t doors = door_client_list(paths);
    if (doors == 0) {
        fprintf(stderr, "murakumo cluster status: no coordinator of yours is running on this machine\n");
        return CLI_NO_CLUSTER;
    }
    bool good = true;
    for (size_t i = 0; i < doors; i++) {
        if (i > 0 && !settings.json) printf("\n");
        good = status_print(paths[i], settings.json) && good;
    }
    return good ? CLI_DONE : CLI_FAILED;
}
