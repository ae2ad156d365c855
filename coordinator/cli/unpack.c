#include "coordinator/cli/unpack.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { CHUNK_BYTES = 64 << 10, GZIP_WINDOW = 15 + 16 /* zlib: gzip head and checksum expected */ };

enum pack pack_of(const void *bytes, size_t length)
{
    static const unsigned char gzip[] = {0x1F, 0x8B, 0x08}, zstd[] = {0x28, 0xB5, 0x2F, 0xFD};
    if (length >= sizeof gzip && memcmp(bytes, gzip, sizeof gzip) == 0) return PACK_GZIP;
    if (length >= sizeof zstd && memcmp(bytes, zstd, sizeof zstd) == 0) return PACK_ZSTD;
    return PACK_NONE;
}

/* Room for one chunk at the end of `out`, which is where the libraries write to. False: out->status says why not. */
static bool reserve(struct text_buffer *out)
{
    static const char blank[CHUNK_BYTES];
    size_t length = out->length, room = out->bytes_max - length;
    if (room == 0) out->status = ST_TOO_BIG;
    text_buffer_put(out, text_make(blank, room < CHUNK_BYTES ? room : CHUNK_BYTES));
    if (out->status == ST_OK) return true;
    out->length = length;
    return false;
}

/* Keeps the first `used` bytes of the chunk that reserve() made behind `length`. */
static void keep(struct text_buffer *out, size_t length, size_t used)
{
    out->length = length + used;
    out->data[out->length] = 0;
}

static enum status inflate_all(z_stream *stream, const void *bytes, size_t length, struct text_buffer *out)
{
    const unsigned char *at = bytes;
    size_t left = length;
    bool ended = false; /* a member did */
    for (;;) {
        if (stream->avail_in == 0) {
            uInt part = left > UINT_MAX ? UINT_MAX : (uInt)left;
            stream->next_in = (z_const Bytef *)at;
            stream->avail_in = part;
            at += part;
            left -= part;
        }
        if (ended && stream->avail_in == 0) return ST_OK;
        if (ended && inflateReset(stream) != Z_OK) return ST_NO_MEMORY; /* the next member */
        size_t before = out->length;
        if (!reserve(out)) return out->status;
        uInt room = (uInt)(out->length - before);
        stream->next_out = (Bytef *)out->data + before;
        stream->avail_out = room;
        int code = inflate(stream, Z_NO_FLUSH);
        keep(out, before, room - stream->avail_out);
        if (code == Z_MEM_ERROR) return ST_NO_MEMORY;
        if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) return ST_SYNTAX;
        ended = code == Z_STREAM_END;
        if (!ended && stream->avail_in == 0 && left == 0 && stream->avail_out > 0) return ST_TRUNCATED;
    }
}

static enum status unpack_gzip(const void *bytes, size_t length, struct text_buffer *out)
{
    z_stream stream = {0};
    if (inflateInit2(&stream, GZIP_WINDOW) != Z_OK) return ST_NO_MEMORY;
    enum status st = inflate_all(&stream, bytes, length, out);
    (void)inflateEnd(&stream);
    return st;
}

static enum status unpack_zstd(const void *bytes, size_t length, struct text_buffer *out)
{
    ZSTD_DStream *stream = ZSTD_createDStream();
    if (!stream) return ST_NO_MEMORY;
    ZSTD_inBuffer in = {bytes, length, 0};
    enum status st = ST_OK;
    size_t hint = 1; /* 0 = a frame ended here */
    while (st == ST_OK && (in.pos < in.size || hint != 0)) {
        size_t before = out->length, taken = in.pos;
        if (!reserve(out)) {
            st = out->status;
            break;
        }
        ZSTD_outBuffer chunk = {out->data + before, out->length - before, 0};
        hint = ZSTD_decompressStream(stream, &chunk, &in);
        keep(out, before, chunk.pos);
        if (ZSTD_isError(hint))
            st = ST_SYNTAX;
        else if (in.pos == taken && chunk.pos == 0)
            st = hint == 0 ? ST_OK : ST_TRUNCATED; /* it wants more than there is */
    }
    ZSTD_freeDStream(stream);
    return st;
}

enum status unpack(const void *bytes, size_t length, struct text_buffer *out)
{
    switch (pack_of(bytes, length)) {
    case PACK_GZIP:
        return unpack_gzip(bytes, length, out);
    case PACK_ZSTD:
        return unpack_zstd(bytes, length, out);
    case PACK_NONE:
        break;
    }
    text_buffer_put(out, text_make(bytes, length));
    return out->status;
}
