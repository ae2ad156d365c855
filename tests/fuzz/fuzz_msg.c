/* fuzz_msg.c - bytes from strangers: what the decoder accepts must be a message that we could have sent, and encoding
 * it twice must give one canonical frame. Input is copied to a block of exactly its size, so that reads past it are
 * seen. */
#include "proto/msg.h"
#include "proto/msg_text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int ok)
{
    if (!ok) abort();
}

static size_t json_of(const struct msg *msg, char *text)
{
    size_t length = 0;
    require(msg_to_json(msg, text, MSG_TEXT_BYTES_MAX, &length) == ST_OK);
    return length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t canonical[WIRE_FRAME_BYTES_MAX], again[WIRE_FRAME_BYTES_MAX];
    static char text[MSG_TEXT_BYTES_MAX], text_again[MSG_TEXT_BYTES_MAX];
    uint8_t *frame = malloc(size > 0 ? size : 1);
    if (!frame) return 0;
    if (size > 0) memcpy(frame, data, size);

    struct msg msg, back;
    if (msg_decode(&msg, frame, size) == ST_OK) {
        size_t canonical_bytes = 0, again_bytes = 0;
        require(msg.major == PROTO_MAJOR || msg.type == MSG_refuse);
        require(msg_encode(&msg, canonical, sizeof canonical, &canonical_bytes) == ST_OK);
        require(canonical_bytes <= size || msg.major != PROTO_MAJOR); /* nothing is shorter than the canonical form */
        require(msg_decode(&back, canonical, canonical_bytes) == ST_OK);
        require(msg_encode(&back, again, sizeof again, &again_bytes) == ST_OK);
        require(canonical_bytes == again_bytes && memcmp(canonical, again, again_bytes) == 0);

        back.major = msg.major; /* a `refuse` of another major, any message of a newer minor */
        back.minor = msg.minor;
        size_t length = json_of(&msg, text), length_again = json_of(&back, text_again);
        require(length == length_again && memcmp(text, text_again, length) == 0);
    }
    free(frame);
    return 0;
}
