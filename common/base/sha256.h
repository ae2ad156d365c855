/* sha256.h - SHA-256 (FIPS 180-4), for manifests, names of work units and checksums of results.
 *
 *     struct sha256 hash; sha256_init(&hash); sha256_add(&hash, bytes, count); ... sha256_hex(&hash, text);
 */
#ifndef MURAKUMO_BASE_SHA256_H
#define MURAKUMO_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32, SHA256_HEX_BYTES = 65 };

struct sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes so far */
    uint8_t block[64];
};

void sha256_init(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *bytes, size_t count);
void sha256_end(struct sha256 *hash, uint8_t digest[SHA256_BYTES]); /* `hash` is spent */
void sha256_hex(struct sha256 *hash, char out[SHA256_HEX_BYTES]);   /* the same, lower-case hex and a final 0 */

#endif
