/* wire_samples.h - messages and frames for tests, fuzzers and the bench of the wire.
 *
 * Memory: texts of a random message live in the arena that the caller passes; a frame file is read into the caller's
 *         buffer. Paths are relative to the root of the checkout.
 */
#ifndef MURAKUMO_TESTS_WIRE_SAMPLES_H
#define MURAKUMO_TESTS_WIRE_SAMPLES_H

#include "common/base/prng.h"
#include "proto/fields.h"
#include "proto/msg.h"

struct wire_arena {
    char bytes[WIRE_FRAME_BYTES_MAX];
    size_t used;
};

/* A message of that type whose every field is within its limits; often at them, often empty. */
void wire_sample_random(struct msg *msg, const struct message_type *type, struct prng *prng, struct wire_arena *arena);
/* Every field at its largest value, texts of full length. */
void wire_sample_largest(struct msg *msg, const struct message_type *type, struct wire_arena *arena);

/* Bytes of a file of hexadecimal digits (blanks are skipped); -1 if it cannot be read, is malformed or does not fit. */
long wire_sample_read_hex(const char *path, uint8_t *out, size_t capacity);
long wire_sample_from_hex(const char *text, size_t length, uint8_t *out, size_t capacity);

#endif
