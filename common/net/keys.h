/* keys.h - CURVE keys as files, and the list of keys that may join.
 *
 * A key file (NAME.key, mode 0600, secret) and its public half (NAME.pub) are short texts:
 *
 *     murakumo-key 1
 *     role worker                      coordinator | worker
 *     name alpha                       1..32 of A-Z a-z 0-9 . _ -
 *     public <40 characters of Z85>
 *     secret <40 characters of Z85>    only in NAME.key
 *     server <40 characters of Z85>    workers: the public key of the coordinator they talk to
 *
 * `murakumo keygen` lays them out in one directory (mode 0700):
 *     coordinator.key  coordinator.pub  workers/alpha.key  workers/alpha.pub
 * The coordinator accepts the keys of workers/NAME.pub; a worker needs its own NAME.key and nothing else.
 *
 * Every worker has a key of its own, so that one can be shut out: remove its .pub file.
 * Secrets are never logged, never in argv or the environment, and are wiped after use.
 */
#ifndef MURAKUMO_NET_KEYS_H
#define MURAKUMO_NET_KEYS_H

#include "common/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KEY_Z85_CHARS = 40, KEY_BYTES = 32, KEY_NAME_BYTES_MAX = 32, KEY_FILE_BYTES_MAX = 4096, KEY_TEXT_MAX = 256 };
enum key_role { KEY_COORDINATOR, KEY_WORKER };

struct key_pair {
    enum key_role role;
    char name[KEY_NAME_BYTES_MAX + 1];
    char public_z85[KEY_Z85_CHARS + 1];
    char secret_z85[KEY_Z85_CHARS + 1]; /* "" if only the public half is known */
    char server_z85[KEY_Z85_CHARS + 1]; /* "" if not given */
};

/* Reads a key file. `secret` demands the secret half and that nobody else can read the file or change its directory.
 * On failure why[] says in one line what was found and what to do. */
MUST_USE enum status key_read(const char *path, bool secret, struct key_pair *key, char why[KEY_TEXT_MAX]);
/* Writes a new file, never over an old one; mode 0600 with a secret, else 0644. */
MUST_USE enum status key_write(const char *path, const struct key_pair *key, bool secret, char why[KEY_TEXT_MAX]);
/* The parser alone: text[0..count). */
MUST_USE enum status key_parse(const char *text, size_t count, struct key_pair *key);
bool key_name_is_good(const char *name);
bool key_from_z85(const char *z85, uint8_t out[KEY_BYTES]); /* exactly 40 characters of the alphabet, no overflow */
void key_wipe(struct key_pair *key);

/* The keys that may join. */
enum { ALLOW_MAX = 1024 };
struct allow_list {
    size_t count;
    struct allow_entry {
        uint8_t public_key[KEY_BYTES];
        char name[KEY_NAME_BYTES_MAX + 1];
    } entries[ALLOW_MAX];
};
/* All NAME.pub files of a directory with role worker. Files that are no good are counted in *bad and skipped. */
MUST_USE enum status allow_list_read(struct allow_list *list, const char *directory, size_t *bad);
/* NULL if the key is not on the list. Compares in constant time. */
const char *allow_list_find(const struct allow_list *list, const uint8_t public_key[KEY_BYTES]);

#endif
