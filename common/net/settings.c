/* settings.c - see settings.h. */
#include "common/net/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *settings_read_descriptor(int fd, const char *name, size_t bytes_max, size_t *bytes, char why[CONF_WHY_BYTES])
{
    struct stat info;
    bool regular = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size >= 0;
    size_t capacity = regular ? (size_t)info.st_size + 1 : 65536, used = 0;
    if (capacity > bytes_max) capacity = bytes_max + 1; /* a sparse file may say any size */
    char *data = malloc(capacity + 1);
    while (data) {
        if (used > bytes_max) {
            snprintf(why, CONF_WHY_BYTES, "%.200s: is larger than %zu bytes", name, bytes_max);
            break;
        }
        if (used == capacity) {
            size_t wanted = capacity < bytes_max / 2 ? capacity * 2 : bytes_max + 1;
            char *larger = realloc(data, wanted + 1);
            if (!larger) {
                snprintf(why, CONF_WHY_BYTES, "%.200s: out of memory", name);
                break;
            }
            data = larger;
            capacity = wanted;
        }
        ssize_t n = read(fd, data + used, capacity - used);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            snprintf(why, CONF_WHY_BYTES, "%.200s: %s", name, strerror(errno));
            break;
        }
        if (n == 0) {
            data[used] = 0;
            *bytes = used;
            return data;
        }
        used += (size_t)n;
    }
    if (!data) snprintf(why, CONF_WHY_BYTES, "%.200s: out of memory", name);
    free(data);
    return NULL;
}

char *settings_read_file(const char *path, size_t bytes_max, size_t *bytes, char why[CONF_WHY_BYTES])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0 || S_ISDIR(info.st_mode)) {
        snprintf(why, CONF_WHY_BYTES, "%.200s: %s", path, fd >= 0 && errno == 0 ? strerror(EISDIR) : strerror(errno));
        if (fd >= 0) close(fd);
        return NULL;
    }
    char *data = settings_read_descriptor(fd, path, bytes_max, bytes, why);
    close(fd);
    return data;
}

/* The variable of a setting: MURAKUMO_HASH_MB for `hash-mb`. */
static const char *environment_of(const char *name)
{
    char variable[80] = "MURAKUMO_";
    size_t n = strlen(variable);
    for (; *name && n + 1 < sizeof variable; name++)
        variable[n++] = *name == '-' ? '_' : *name >= 'a' && *name <= 'z' ? (char)(*name - 32) : *name;
    variable[n] = 0;
    return getenv(variable);
}

static const char *config_path(const struct conf_table *table, char **arguments, int count)
{
    bool known = false;
    for (size_t i = 0; i < table->count; i++) known = known || strcmp(table->keys[i].name, "config") == 0;
    if (!known) return NULL;
    const char *path = environment_of("config");
    for (int i = 0; i < count && strcmp(arguments[i], "--") != 0; i++) {
        if (strcmp(arguments[i], "--config") == 0 && i + 1 < count) path = arguments[i + 1];
        if (strncmp(arguments[i], "--config=", 9) == 0) path = arguments[i] + 9;
    }
    return path && path[0] ? path : NULL;
}

enum status settings_load(const struct conf_table *table, char **arguments, int *count, char why[CONF_WHY_BYTES])
{
    const char *path = config_path(table, arguments, *count);
    if (path) {
        size_t bytes;
        char *text = settings_read_file(path, CONF_FILE_BYTES_MAX, &bytes, why);
        if (!text) return ST_IO;
        enum status st = conf_read(table, text, bytes, path, why);
        free(text);
        if (st != ST_OK) return st;
    }
    for (size_t i = 0; i < table->count; i++) {
        const char *name = table->keys[i].name, *value = environment_of(name);
        if (!value || !value[0]) continue;
        char reason[CONF_WHY_BYTES];
        enum status st = conf_set(table, name, strlen(name), value, strlen(value), reason);
        if (st != ST_OK) {
            snprintf(why, CONF_WHY_BYTES, "environment: %.300s", reason);
            return st;
        }
    }
    return conf_arguments(table, arguments, count, why);
}
