/* bytes.h - bounded reader and writer over memory that the caller owns.
 *
 * Numbers are big-endian, as MessagePack has them. Both remember the first failure: after it nothing more is read or
 * written, so a row of calls needs one check at its end.
 * Memory:  nothing is allocated; pointers given out by bytes_read_raw() point into the input.
 */
#ifndef MURAKUMO_BASE_BYTES_H
#define MURAKUMO_BASE_BYTES_H

#include "common/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes_reader {
    const uint8_t *at, *end;
    bool failed; /* something past the end was asked for */
};

struct bytes_writer {
    uint8_t *start, *at, *end;
    bool failed; /* did not fit; the bytes before `at` are whole items */
};

struct bytes_reader bytes_reader_make(const uint8_t *bytes, size_t length);
size_t bytes_left(const struct bytes_reader *reader);
/* 0 after a failure. */
uint8_t bytes_read_u8(struct bytes_reader *reader);
uint16_t bytes_read_u16(struct bytes_reader *reader);
uint32_t bytes_read_u32(struct bytes_reader *reader);
uint64_t bytes_read_u64(struct bytes_reader *reader);
/* A number of `length` bytes, 0..8; no bytes are the number 0. */
uint64_t bytes_read_number(struct bytes_reader *reader, size_t length);
void bytes_skip(struct bytes_reader *reader, size_t length);
/* Start of the next `length` bytes, which are skipped; NULL after a failure. */
const uint8_t *bytes_read_raw(struct bytes_reader *reader, size_t length);

struct bytes_writer bytes_writer_make(uint8_t *out, size_t capacity);
size_t bytes_written(const struct bytes_writer *writer);
void bytes_write_u8(struct bytes_writer *writer, uint8_t value);
void bytes_write_u16(struct bytes_writer *writer, uint16_t value);
void bytes_write_u32(struct bytes_writer *writer, uint32_t value);
void bytes_write_u64(struct bytes_writer *writer, uint64_t value);
/* All of it or, with `failed` set, nothing. */
void bytes_write_raw(struct bytes_writer *writer, const void *bytes, size_t length);

#endif
