/* unpack.h - what is inside bytes that may be compressed: gzip or Zstandard, found by the first bytes.
 *
 * Several gzip members or Zstandard frames one after the other are one text, as gzip -d and zstd -d have it.
 * Limits:  never more than out->bytes_max bytes come out, whatever the packed bytes promise; the window of a Zstandard
 *          frame is held to 128 MiB.
 * Sources: RFC 1952 (gzip), RFC 8878 (Zstandard); done by zlib and libzstd.
 */
#ifndef MURAKUMO_CLI_UNPACK_H
#define MURAKUMO_CLI_UNPACK_H

#include "common/base/text.h"

enum pack { PACK_NONE, PACK_GZIP, PACK_ZSTD };
enum pack pack_of(const void *bytes, size_t length);

/* Appends what was packed; PACK_NONE is appended as it is. On a failure all that came out before it is in `out`:
 * ST_TRUNCATED (the end is missing), ST_SYNTAX (damaged, or a checksum is wrong), ST_TOO_BIG, ST_NO_MEMORY. */
MUST_USE enum status unpack(const void *bytes, size_t length, struct text_buffer *out);

#endif
