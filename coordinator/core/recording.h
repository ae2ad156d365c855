/* recording.h - the flight recorder's file: what came to the coordinator's core, and a check number of what it did.
 *
 *   murakumo-recording 3 boot=9f.. serves=0 locals=1 threads=4 hash_mb=1024 grain_ms=0 hints=, name=Murakumo v1
 *   81234567 line 0 position startpos             time in us, the event
 *   = ok 5e0f3c...                                status and hash of the effects of that step
 *   81240001 frame 100000001 -1 alpha 95a1..      peer, local slot, name proved by its key (- = none), bytes
 *
 * The core is a function of its events, so `murakumo-sim --replay FILE` does again all that happened, anywhere, and
 * says where the answers differ. One line for the event, one for its effects; a file that ends in the middle (kill -9)
 * is good up to there.
 *
 * Memory: texts of an event that was read point into the line or into the reader.
 */
#ifndef MURAKUMO_COORDINATOR_RECORDING_H
#define MURAKUMO_COORDINATOR_RECORDING_H

#include "common/base/text.h"
#include "coordinator/core/coord.h"

struct recorded_frame { /* the bytes of MESSAGE and BAD_FRAME, and who the key says it was */
    const uint8_t *bytes;
    size_t count;
    const char *identity; /* "" = no key */
};

void recording_write_config(const struct coord_config *config, struct text_buffer *out);
void recording_write_event(const struct coord_event *event, const struct recorded_frame *frame,
                           struct text_buffer *out);
/* `= status hash` */
void recording_write_effects(enum status status, const struct coord_effects *effects, struct text_buffer *out);

/* A decoded frame becomes the event that the core knows; also used when it really arrives. message is the storage. */
struct coord_event recording_frame_event(uint64_t peer, int local_slot, const struct recorded_frame *frame,
                                         struct msg *message);

struct recording_reader {
    struct msg message;
    uint8_t bytes[WIRE_FRAME_BYTES_MAX];
    char name[128], text[256];
    char hints_local[COORD_ADDRESS_BYTES_MAX + 1], hints_remote[COORD_ADDRESS_BYTES_MAX + 1];
};
/* Lines without their ends. ST_SYNTAX, ST_VERSION, ST_TOO_BIG. */
MUST_USE enum status recording_read_config(struct recording_reader *reader, struct text line,
                                           struct coord_config *config);
MUST_USE enum status recording_read_event(struct recording_reader *reader, struct text line, struct coord_event *event);

#endif
