/* keys.c - see keys.h. */
#include "common/net/keys.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- text ------------------------------------------------------------------------------------------------------ */

bool key_name_is_good(const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || length > KEY_NAME_BYTES_MAX || name[0] == '.') return false;
    for (size_t i = 0; i < length; i++) {
        char c = name[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
              c == '-'))
            return false;
    }
    return true;
}

bool key_from_z85(const char *z85, uint8_t out[KEY_BYTES])
{
    static const char alphabet[] =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
    if (strlen(z85) != KEY_Z85_CHARS) return false;
    for (int block = 0; block < KEY_BYTES / 4; block++) {
        uint64_t value = 0;
        for (int i = 0; i < 5; i++) {
            const char *at = strchr(alphabet, z85[block * 5 + i]);
            if (!at) return false;
            value = value * 85 + (uint64_t)(at - alphabet);
        }
        if (value > UINT32_MAX) return false;
        for (int i = 0; i < 4; i++) out[block * 4 + i] = (uint8_t)(value >> (24 - 8 * i));
    }
    return true;
}

void key_wipe(struct key_pair *key) { explicit_bzero(key, sizeof *key); }

static bool z85_is_good(const char *text)
{
    uint8_t bytes[KEY_BYTES];
    bool good = key_from_z85(text, bytes);
    explicit_bzero(bytes, sizeof bytes);
    return good;
}

/* Copies a value of a line into a field of `capacity` bytes; each field may be given once. */
static bool field_take(char *field, size_t capacity, const char *value, size_t length)
{
    if (field[0] || length == 0 || length >= capacity) return false;
    memcpy(field, value, length);
    field[length] = 0;
    return true;
}

enum status key_parse(const char *text, size_t count, struct key_pair *key)
{
    struct key_pair found = {0};
    char role[16] = "", version[16] = "";
    const char *end = text + count;
    if (count > KEY_FILE_BYTES_MAX) return ST_TOO_BIG;
    if (memchr(text, 0, count)) return ST_SYNTAX;
    while (text < end) {
        const char *line_end = memchr(text, '\n', (size_t)(end - text));
        if (!line_end) line_end = end;
        size_t length = (size_t)(line_end - text);
        while (length && (text[length - 1] == '\r' || text[length - 1] == ' ')) length--;
        const char *blank = memchr(text, ' ', length);
        bool good = true;
        if (length && text[0] != '#') {
            if (!blank) return ST_SYNTAX;
            size_t word = (size_t)(blank - text);
            const char *value = blank + 1;
            size_t value_length = length - word - 1;
            if (word == 12 && memcmp(text, "murakumo-key", 12) == 0)
                good = field_take(version, sizeof version, value, value_length);
            else if (version[0] == 0)
                good = false; /* the version line comes first */
            else if (word == 4 && memcmp(text, "role", 4) == 0)
                good = field_take(role, sizeof role, value, value_length);
            else if (word == 4 && memcmp(text, "name", 4) == 0)
                good = field_take(found.name, sizeof found.name, value, value_length);
            else if (word == 6 && memcmp(text, "public", 6) == 0)
                good = field_take(found.public_z85, sizeof found.public_z85, value, value_length);
            else if (word == 6 && memcmp(text, "secret", 6) == 0)
                good = field_take(found.secret_z85, sizeof found.secret_z85, value, value_length);
            else if (word == 6 && memcmp(text, "server", 6) == 0)
                good = field_take(found.server_z85, sizeof found.server_z85, value, value_length);
            else
                good = false;
        }
        if (!good) {
            key_wipe(&found);
            return ST_SYNTAX;
        }
        text = line_end < end ? line_end + 1 : end;
    }
    enum status st = ST_OK;
    if (strcmp(version, "1") != 0)
        st = version[0] ? ST_VERSION : ST_MISSING;
    else if (strcmp(role, "coordinator") == 0)
        found.role = KEY_COORDINATOR;
    else if (strcmp(role, "worker") == 0)
        found.role = KEY_WORKER;
    else
        st = role[0] ? ST_UNKNOWN : ST_MISSING;
    if (st == ST_OK && (!found.name[0] || !found.public_z85[0])) st = ST_MISSING;
    if (st == ST_OK && (!key_name_is_good(found.name) || !z85_is_good(found.public_z85) ||
                        (found.secret_z85[0] && !z85_is_good(found.secret_z85)) ||
                        (found.server_z85[0] && !z85_is_good(found.server_z85))))
        st = ST_SYNTAX;
    if (st == ST_OK) *key = found;
    key_wipe(&found);
    return st;
}

/* ---- files ----------------------------------------------------------------------------------------------------- */

static enum status refuse(char why[KEY_TEXT_MAX], enum status st, const char *path, const char *text)
{
    snprintf(why, KEY_TEXT_MAX, "%s: %s", path, text);
    return st;
}

/* May anybody else put another file in its place? A sticky directory such as /tmp is fine. */
static bool directory_is_safe(const char *path)
{
    char directory[4096];
    int n = snprintf(directory, sizeof directory, "%s", path);
    if (n < 0 || (size_t)n >= sizeof directory) return false;
    char *slash = strrchr(directory, '/');
    if (!slash)
        snprintf(directory, sizeof directory, ".");
    else if (slash == directory)
        slash[1] = 0;
    else
        *slash = 0;
    struct stat info;
    if (stat(directory, &info) != 0 || !S_ISDIR(info.st_mode)) return false;
    if (info.st_uid != geteuid() && info.st_uid != 0) return false;
    return (info.st_mode & 022) == 0 || (info.st_mode & S_ISVTX) != 0;
}

enum status key_read(const char *path, bool secret, struct key_pair *key, char why[KEY_TEXT_MAX])
{
    why[0] = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0) return refuse(why, ST_IO, path, strerror(errno));
    struct stat info;
    enum status st = ST_OK;
    if (fstat(fd, &info) != 0)
        st = refuse(why, ST_IO, path, strerror(errno));
    else if (!S_ISREG(info.st_mode))
        st = refuse(why, ST_STATE, path, "is not a regular file");
    else if (secret && (info.st_mode & 077) != 0)
        st = refuse(why, ST_STATE, path, "can be read by others; remedy: chmod 600");
    else if (secret && info.st_uid != geteuid() && info.st_uid != 0)
        st = refuse(why, ST_STATE, path, "belongs to another user");
    else if (secret && !directory_is_safe(path))
        st = refuse(why, ST_STATE, path, "lies in a directory that others can change; remedy: chmod go-w on it");
    char text[KEY_FILE_BYTES_MAX + 1];
    size_t count = 0;
    while (st == ST_OK && count < sizeof text) {
        ssize_t n = read(fd, text + count, sizeof text - count);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) st = refuse(why, ST_IO, path, strerror(errno));
        if (n <= 0) break;
        count += (size_t)n;
    }
    close(fd);
    if (st == ST_OK) {
        st = key_parse(text, count, key);
        if (st != ST_OK) (void)refuse(why, st, path, "is not a key file made by `murakumo keygen`");
    }
    if (st == ST_OK && secret && !key->secret_z85[0]) {
        key_wipe(key);
        st = refuse(why, ST_MISSING, path, "holds no secret key; give the .key file, not the .pub file");
    }
    explicit_bzero(text, sizeof text);
    return st;
}

enum status key_write(const char *path, const struct key_pair *key, bool secret, char why[KEY_TEXT_MAX])
{
    why[0] = 0;
    char text[1024];
    int length = snprintf(text, sizeof text, "murakumo-key 1\nrole %s\nname %s\npublic %s\n%s%s%s%s%s%s",
                          key->role == KEY_COORDINATOR ? "coordinator" : "worker", key->name, key->public_z85,
                          secret ? "secret " : "", secret ? key->secret_z85 : "", secret ? "\n" : "",
                          key->server_z85[0] ? "server " : "", key->server_z85, key->server_z85[0] ? "\n" : "");
    if (length < 0 || (size_t)length >= sizeof text) return refuse(why, ST_TOO_BIG, path, "key does not fit");
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, secret ? 0600 : 0644);
    if (fd < 0) {
        explicit_bzero(text, sizeof text);
        return refuse(why, errno == EEXIST ? ST_DUPLICATE : ST_IO, path,
                      errno == EEXIST ? "exists already and is not replaced" : strerror(errno));
    }
    enum status st = ST_OK;
    for (size_t done = 0; done < (size_t)length && st == ST_OK;) {
        ssize_t n = write(fd, text + done, (size_t)length - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) st = refuse(why, ST_IO, path, strerror(errno));
        if (n > 0) done += (size_t)n;
    }
    if (st == ST_OK && fsync(fd) != 0 && errno != EINVAL) st = refuse(why, ST_IO, path, strerror(errno));
    if (close(fd) != 0 && st == ST_OK) st = refuse(why, ST_IO, path, strerror(errno));
    if (st != ST_OK) unlink(path);
    explicit_bzero(text, sizeof text);
    return st;
}

/* ---- allow-list ------------------------------------------------------------------------------------------------ */

enum status allow_list_read(struct allow_list *list, const char *directory, size_t *bad)
{
    DIR *dir = opendir(directory);
    if (!dir) return ST_IO;
    list->count = 0;
    *bad = 0;
    enum status st = ST_OK;
    const struct dirent *entry;
    while ((entry = readdir(dir)) != NULL) {
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 4, ".pub") != 0) continue;
        char path[4096], why[KEY_TEXT_MAX];
        struct key_pair key;
        int n = snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (n < 0 || (size_t)n >= sizeof path || key_read(path, false, &key, why) != ST_OK || key.role != KEY_WORKER) {
            ++*bad;
            continue;
        }
        if (list->count == ALLOW_MAX) {
            st = ST_FULL;
            break;
        }
        struct allow_entry *allowed = &list->entries[list->count++];
        bool good = key_from_z85(key.public_z85, allowed->public_key);
        memcpy(allowed->name, key.name, sizeof allowed->name);
        key_wipe(&key);
        if (!good) list->count--;
    }
    closedir(dir);
    return st;
}

const char *allow_list_find(const struct allow_list *list, const uint8_t public_key[KEY_BYTES])
{
    const char *name = NULL;
    for (size_t i = 0; i < list->count; i++) {
        unsigned difference = 0;
        for (size_t k = 0; k < KEY_BYTES; k++) difference |= list->entries[i].public_key[k] ^ public_key[k];
        if (difference == 0) name = list->entries[i].name;
    }
    return name;
}
