/* endpoint.c - see endpoint.h. */
#include "common/net/endpoint.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool starts_with(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

/* 127.0.0.0/8 in dotted form: four decimal parts, the first is 127. */
static bool host_is_loopback4(const char *host, size_t length)
{
    int parts = 0;
    size_t i = 0;
    while (parts < 4) {
        size_t digits = 0;
        unsigned value = 0;
        while (i < length && host[i] >= '0' && host[i] <= '9' && digits < 4) {
            value = value * 10 + (unsigned)(host[i++] - '0');
            digits++;
        }
        if (digits == 0 || digits > 3 || value > 255) return false;
        if (parts == 0 && value != 127) return false;
        parts++;
        if (parts < 4 && (i >= length || host[i++] != '.')) return false;
    }
    return i == length;
}

static bool equals(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

enum status endpoint_parse(const char *text, struct endpoint *endpoint)
{
    *endpoint = (struct endpoint){0};
    if (strlen(text) >= ENDPOINT_BYTES_MAX) return ST_TOO_BIG;
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c <= ' ' || *c == 127) return ST_SYNTAX;
    if (starts_with(text, "ipc://")) {
        const char *path = text + strlen("ipc://");
        if (path[0] != '/') return ST_SYNTAX; /* no abstract sockets, nothing relative */
        if (strlen(path) >= sizeof endpoint->path) return ST_TOO_BIG;
        endpoint->kind = ENDPOINT_IPC;
        memcpy(endpoint->path, path, strlen(path) + 1);
        return ST_OK;
    }
    if (!starts_with(text, "tcp://")) return ST_SYNTAX;
    const char *host = text + strlen("tcp://");
    const char *colon = strrchr(host, ':');
    if (!colon || colon == host || strchr(host, ';') || strchr(host, '/')) return ST_SYNTAX;
    const char *port = colon + 1;
    if (strcmp(port, "*") == 0) {
        endpoint->any_port = true;
    } else {
        size_t digits = strspn(port, "0123456789");
        if (digits == 0 || port[digits]) return ST_SYNTAX;
        if (digits > 5 || atoi(port) < 1 || atoi(port) > 65535) return ST_RANGE;
        endpoint->port = (unsigned)atoi(port);
    }
    size_t length = (size_t)(colon - host);
    if (host[0] == '[' ? host[length - 1] != ']' : memchr(host, ':', length) != NULL) return ST_SYNTAX;
    endpoint->kind = ENDPOINT_TCP;
    size_t brackets = host[0] == '[';
    memcpy(endpoint->host, host + brackets, length - 2 * brackets);
    endpoint->loopback =
        host_is_loopback4(host, length) || equals(host, length, "localhost") || equals(host, length, "[::1]");
    return ST_OK;
}

bool endpoint_is_private(const struct endpoint *endpoint)
{
    if (endpoint->kind == ENDPOINT_TCP) return endpoint->loopback;
    char directory[sizeof endpoint->path];
    memcpy(directory, endpoint->path, sizeof directory);
    char *slash = strrchr(directory, '/');
    if (!slash || slash == directory) return false;
    *slash = 0;
    struct stat info;
    return lstat(directory, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
           (info.st_mode & 077) == 0;
}
