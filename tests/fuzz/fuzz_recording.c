/* fuzz_recording.c - recordings from strangers: read, done again, written again. An event that is read is written as it
 * was, and the core survives whatever a recording makes it believe. */
#include "coordinator/core/recording.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct coord_effects *effects;
    static struct recording_reader reader;
    if (!effects) effects = calloc(1, sizeof *effects);
    struct text rest = text_make((const char *)data, size), line;
    struct coord_config config;
    struct coord *coord = NULL;
    struct text_buffer out;
    text_buffer_init(&out, 4 << 20);
    int64_t last_us = 0;
    for (bool first = true; text_take_line(&rest, &line); first = false) {
        if (first) {
            if (recording_read_config(&reader, line, &config) != ST_OK) break;
            coord = coord_new(&config);
            if (!coord) break;
            continue;
        }
        struct coord_event event;
        if (recording_read_event(&reader, line, &event) != ST_OK) continue;
        if (event.now_us < last_us || event.now_us > INT64_C(1) << 50) continue; /* the shell's clock never does that */
        last_us = event.now_us;
        enum status st = coord_step(coord, &event, effects);
        text_buffer_clear(&out);
        recording_write_effects(st, effects, &out);
        assert(out.length > 0);
    }
    coord_free(coord);
    text_buffer_free(&out);
    return 0;
}
