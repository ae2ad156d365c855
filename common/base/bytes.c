#include "common/base/bytes.h"

#include <string.h>

struct bytes_reader bytes_reader_make(const uint8_t *bytes, size_t length)
{
    return (struct bytes_reader){.at = bytes, .end = length > 0 ? bytes + length : bytes, .failed = false};
}

size_t bytes_left(const struct bytes_reader *reader)
{
    return reader->failed || reader->at == reader->end ? 0 : (size_t)(reader->end - reader->at);
}

const uint8_t *bytes_read_raw(struct bytes_reader *reader, size_t length)
{
    if (reader->failed || length > bytes_left(reader)) {
        reader->failed = true;
        return NULL;
    }
    const uint8_t *start = reader->at;
    if (length > 0) reader->at += length; /* NULL + 0 is not defined in C */
    return start;
}

void bytes_skip(struct bytes_reader *reader, size_t length) { (void)bytes_read_raw(reader, length); }

uint64_t bytes_read_number(struct bytes_reader *reader, size_t length)
{
    const uint8_t *bytes = bytes_read_raw(reader, length);
    uint64_t value = 0;
    for (size_t i = 0; bytes && i < length; i++) value = value << 8 | bytes[i];
    return value;
}

uint8_t bytes_read_u8(struct bytes_reader *reader) { return (uint8_t)bytes_read_number(reader, 1); }
uint16_t bytes_read_u16(struct bytes_reader *reader) { return (uint16_t)bytes_read_number(reader, 2); }
uint32_t bytes_read_u32(struct bytes_reader *reader) { return (uint32_t)bytes_read_number(reader, 4); }
uint64_t bytes_read_u64(struct bytes_reader *reader) { return bytes_read_number(reader, 8); }

struct bytes_writer bytes_writer_make(uint8_t *out, size_t capacity)
{
    return (struct bytes_writer){.start = out, .at = out, .end = capacity > 0 ? out + capacity : out, .failed = false};
}

size_t bytes_written(const struct bytes_writer *writer)
{
    return writer->at == writer->start ? 0 : (size_t)(writer->at - writer->start);
}

void bytes_write_raw(struct bytes_writer *writer, const void *bytes, size_t length)
{
    size_t room = writer->at == writer->end ? 0 : (size_t)(writer->end - writer->at);
    if (writer->failed || length > room) {
        writer->failed = true;
        return;
    }
    if (length == 0) return;
    memcpy(writer->at, bytes, length);
    writer->at += length;
}

static void write_number(struct bytes_writer *writer, uint64_t value, size_t length)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < length; i++) bytes[length - 1 - i] = (uint8_t)(value >> (8 * i));
    bytes_write_raw(writer, bytes, length);
}

void bytes_write_u8(struct bytes_writer *writer, uint8_t value) { write_number(writer, value, 1); }
void bytes_write_u16(struct bytes_writer *writer, uint16_t value) { write_number(writer, value, 2); }
void bytes_write_u32(struct bytes_writer *writer, uint32_t value) { write_number(writer, value, 4); }
void bytes_write_u64(struct bytes_writer *writer, uint64_t value) { write_number(writer, value, 8); }
