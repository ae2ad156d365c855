#include "tests/bench/bench_wire.h"

#include "proto/fields.h"
#include "proto/msg.h"
#include "proto/prescan.h"
#include "tests/model/wire_samples.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 5, MS_DEFAULT = 20 };

struct sample {
    struct msg msg;
    struct wire_arena arena;
    uint8_t frame[WIRE_FRAME_BYTES_MAX];
    size_t frame_bytes;
};

/* Time of this thread on a core, so that what else runs on the machine counts little. */
static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* What is measured; each returns something that depends on its work, so that none of it can be left out. */
static unsigned work_encode(struct sample *sample)
{
    static uint8_t out[WIRE_FRAME_BYTES_MAX];
    size_t bytes = 0;
    return (unsigned)msg_encode(&sample->msg, out, sizeof out, &bytes) + out[0];
}

static unsigned work_decode(struct sample *sample)
{
    struct msg msg;
    return (unsigned)msg_decode(&msg, sample->frame, sample->frame_bytes) + (unsigned)msg.sequence;
}

static unsigned work_prescan(struct sample *sample)
{
    static const struct prescan_limits limits = {WIRE_FRAME_BYTES_MAX, WIRE_OBJECTS_MAX, WIRE_NESTING_MAX};
    return (unsigned)prescan(sample->frame, sample->frame_bytes, &limits);
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

/* Nanoseconds for one call: the median of ROUNDS rounds of `round_ms`. */
static double measure_ns(unsigned (*work)(struct sample *), struct sample *sample, int round_ms)
{
    double rounds[ROUNDS];
    volatile unsigned sink = 0;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t calls = 0, start = now_ns(), elapsed;
        do {
            for (int i = 0; i < 64; i++) sink = sink + work(sample);
            calls += 64;
            elapsed = now_ns() - start;
        } while (elapsed < (int64_t)round_ms * 1000000);
        rounds[round] = (double)elapsed / (double)calls;
    }
    qsort(rounds, ROUNDS, sizeof rounds[0], compare_doubles);
    return rounds[ROUNDS / 2];
}

/* A message of ordinary content: short texts, numbers of middling size. */
static void fill_ordinary(struct sample *sample, const struct message_type *type)
{
    static const char text[] = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    memset(&sample->msg, 0, sizeof sample->msg);
    sample->msg.type = type->type;
    sample->msg.boot = 0x6d7572616b756d6f;
    sample->msg.sequence = 12345;
    for (size_t i = 0; i < type->field_count; i++) {
        const struct field *field = &type->fields[i];
        if (field->kind == FIELD_STR || field->kind == FIELD_BIN) {
            size_t length = sizeof text - 1 < field->max ? sizeof text - 1 : (size_t)field->max;
            field_set_string(&sample->msg, field, wire_str_make(text, length));
        } else if (field->kind == FIELD_I32) {
            field_set_signed(&sample->msg, field, -87);
        } else {
            field_set_unsigned(&sample->msg, field, field->max < 1000000 ? field->max / 2 + 1 : 1000000);
        }
    }
}

static bool measure_row(const char *label, struct sample *sample, int round_ms, bool json)
{
    if (msg_encode(&sample->msg, sample->frame, sizeof sample->frame, &sample->frame_bytes) != ST_OK) {
        fprintf(stderr, "bench wire: %s cannot be encoded\n", label);
        return false;
    }
    double encode_ns = measure_ns(work_encode, sample, round_ms);
    double decode_ns = measure_ns(work_decode, sample, round_ms);
    double prescan_ns = measure_ns(work_prescan, sample, round_ms);
    if (json)
        printf("{\"message\":\"%s\",\"bytes\":%zu,\"encode_ns\":%.0f,\"decode_ns\":%.0f,\"prescan_ns\":%.0f}\n", label,
               sample->frame_bytes, encode_ns, decode_ns, prescan_ns);
    else
        printf("%-22s %6zu %10.0f %10.0f %10.0f %12.2f\n", label, sample->frame_bytes, encode_ns, decode_ns, prescan_ns,
               1000 / decode_ns);
    fflush(stdout);
    return true;
}

static int usage(FILE *out, int code)
{
    fputs("usage: murakumo bench wire [--ms N] [--json]\n"
          "  Processor time to write and to read one frame of each message type.\n"
          "  --ms N   milliseconds for each of 5 rounds, 1 to 10000 (default 20); the median is shown\n"
          "  --json   one JSON object for each row\n",
          out);
    return code;
}

int bench_wire(int argc, char **argv)
{
    long round_ms = MS_DEFAULT;
    bool json = false;
    for (int i = 1; i < argc; i++) {
        char *end = NULL;
        if (strcmp(argv[i], "--help") == 0) return usage(stdout, 0);
        if (strcmp(argv[i], "--json") == 0) {
            json = true;
        } else if (strcmp(argv[i], "--ms") == 0 && i + 1 < argc) {
            round_ms = strtol(argv[++i], &end, 10);
            if (*end != '\0' || round_ms < 1 || round_ms > 10000) return usage(stderr, 2);
        } else {
            return usage(stderr, 2);
        }
    }

    struct sample *sample = calloc(1, sizeof *sample);
    if (!sample) return 1;
    if (!json)
        printf("%-22s %6s %10s %10s %10s %12s\n", "message", "bytes", "encode ns", "decode ns", "prescan ns",
               "M decodes/s");
    bool ok = true;
    for (size_t i = 0; ok && i < fields_message_count(); i++) {
        fill_ordinary(sample, fields_message_at(i));
        ok = measure_row(fields_message_at(i)->name, sample, (int)round_ms, json);
    }
    if (ok) {
        wire_sample_largest(&sample->msg, fields_find(MSG_job), &sample->arena);
        ok = measure_row("job, every field full", sample, (int)round_ms, json);
    }
    free(sample);
    return ok ? 0 : 1;
}
