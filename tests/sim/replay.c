/* replay.c - see replay.h. */
#include "tests/sim/replay.h"

#include "coordinator/core/recording.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES_MAX = 2 * WIRE_FRAME_BYTES_MAX + COORD_LINE_BYTES_MAX + 4096, SHOWN_BYTES = 200, LAST = 20 };

struct replay {
    const char *path;
    bool trace;
    struct coord *coord;
    struct coord_effects *effects;
    struct recording_reader reader;
    struct text_buffer again;
    uint64_t line_number, events;
    int64_t first_us, last_us;
    char last[LAST][SHOWN_BYTES]; /* the newest events, for the report */
};

static int refuse(const struct replay *r, const char *expected, const char *line)
{
    fprintf(stderr, "murakumo-sim: %s:%" PRIu64 ": found \"%.60s\", expected %s\n", r->path, r->line_number, line,
            expected);
    return 2;
}

static void show_effects(const struct replay *r)
{
    for (size_t i = 0; i < r->effects->count; i++) {
        const struct coord_effect *effect = &r->effects->items[i];
        if (effect->type == COORD_FX_SAY)
            fprintf(stderr, "    < %.*s\n", (int)effect->say.length, effect->say.bytes);
        else if (effect->type == COORD_FX_LOG)
            fprintf(stderr, "    log: %.*s\n", (int)effect->log.text.length, effect->log.text.bytes);
        else if (effect->type == COORD_FX_SEND)
            fprintf(stderr, "    > %" PRIx64 " %s\n", effect->send.peer, msg_name(effect->send.msg.type));
        else
            fprintf(stderr, "    effect %d\n", (int)effect->type);
    }
}

static int differs(const struct replay *r, const char *recorded)
{
    uint64_t first = r->events > LAST ? r->events - LAST : 0;
    fprintf(stderr, "the last events:\n");
    for (uint64_t i = first; i < r->events; i++) fprintf(stderr, "  %s\n", r->last[i % LAST]);
    fprintf(stderr, "what it brings about now:\n");
    show_effects(r);
    printf("%s:%" PRIu64 ": event %" PRIu64 " has other effects now: recorded \"%s\", now \"%.*s\"\n", r->path,
           r->line_number, r->events, recorded, (int)(r->again.length - 1), r->again.data);
    return 1;
}

static int take_line(struct replay *r, char *line, size_t length)
{
    struct text text = text_make(line, length);
    struct coord_event event;
    struct coord_config config;
    if (r->line_number == 1) {
        enum status st = recording_read_config(&r->reader, text, &config);
        if (st == ST_VERSION) return refuse(r, "a recording of this version of the program", line);
        if (st != ST_OK) return refuse(r, "a recording: murakumo --record FILE makes one", line);
        r->coord = coord_new(&config);
        return r->coord ? 0 : refuse(r, "sensible settings", line);
    }
    if (line[0] == '=') {
        if (!r->again.length) return refuse(r, "an event before its effects", line);
        bool same = length == r->again.length - 1 && memcmp(line, r->again.data, length) == 0;
        return same ? 0 : differs(r, line);
    }
    if (recording_read_event(&r->reader, text, &event) != ST_OK) return refuse(r, "an event", line);
    snprintf(r->last[r->events++ % LAST], SHOWN_BYTES, "%s", line);
    if (r->events == 1) r->first_us = event.now_us;
    r->last_us = event.now_us;
    enum status st = coord_step(r->coord, &event, r->effects);
    text_buffer_clear(&r->again);
    recording_write_effects(st, r->effects, &r->again);
    if (r->trace) {
        fprintf(stderr, "%.*s\n", SHOWN_BYTES, line);
        show_effects(r);
    }
    return 0;
}

int replay_file(const char *path, bool trace)
{
    FILE *file = fopen(path, "re");
    if (!file) {
        fprintf(stderr, "murakumo-sim: %s: cannot be read\n", path);
        return 2;
    }
    struct replay *r = calloc(1, sizeof *r);
    char *line = malloc(LINE_BYTES_MAX);
    if (r) r->effects = calloc(1, sizeof *r->effects);
    int code = 2;
    if (r && line && r->effects) {
        r->path = path;
        r->trace = trace;
        text_buffer_init(&r->again, 256);
        code = 0;
        while (code == 0 && fgets(line, LINE_BYTES_MAX, file)) {
            size_t length = strlen(line);
            r->line_number++;
            if (length == 0 || line[length - 1] != '\n') break; /* torn by the end of the process */
            line[--length] = 0;
            code = take_line(r, line, length);
        }
        if (code == 0 && r->events == 0) code = refuse(r, "a recording: murakumo --record FILE makes one", "");
        if (code == 0)
            printf("%s: %" PRIu64 " events in %.1f s, the same effects as recorded\n", path, r->events,
                   (double)(r->last_us - r->first_us) / 1e6);
        text_buffer_free(&r->again);
        coord_free(r->coord);
        free(r->effects);
    }
    free(r);
    free(line);
    fclose(file);
    return code;
}
