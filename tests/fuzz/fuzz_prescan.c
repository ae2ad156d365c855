/* fuzz_prescan.c - prescan and msgpack-c must be of one mind about every frame that prescan finds payable. */
#include "proto/prescan.h"

#include <msgpack.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int ok)
{
    if (!ok) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct prescan_limits limits = {
        .frame_bytes_max = 65536, .objects_max = 4096, .depth_max = PRESCAN_DEPTH_LIMIT};
    enum status st = prescan(data, size, &limits);
    if (st != ST_OK && st != ST_TRAILING && st != ST_SYNTAX) return 0; /* msgpack-c might reserve gigabytes for it */

    msgpack_unpacked unpacked;
    size_t used = 0;
    msgpack_unpacked_init(&unpacked);
    msgpack_unpack_return answer = msgpack_unpack_next(&unpacked, (const char *)data, size, &used);
    if (st == ST_OK) require(answer == MSGPACK_UNPACK_SUCCESS && used == size);
    if (st == ST_TRAILING) require(answer == MSGPACK_UNPACK_SUCCESS && used < size);
    if (st == ST_SYNTAX) require(answer == MSGPACK_UNPACK_PARSE_ERROR);
    msgpack_unpacked_destroy(&unpacked);
    return 0;
}
