/* effects.c - the list of effects of one step. */
#include "coordinator/core/effects.h"

#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum {
    RESERVED_EFFECTS = 5 * COORD_WORKERS_MAX + 2 * COORD_LOCAL_MAX + 64,
    RESERVED_TEXT_BYTES = COORD_TEXT_BYTES_MAX / 2,
    LINE_BYTES_MAX = 2048
};
_Static_assert(RESERVED_EFFECTS < COORD_EFFECTS_MAX - 256, "room for info lines is left");

void fx_clear(struct coord_effects *out)
{
    out->count = 0;
    out->text_bytes = 0;
}

static struct coord_effect *push(struct coord_effects *out, enum coord_effect_type type)
{
    assert(out->count < COORD_EFFECTS_MAX);
    struct coord_effect *effect = &out->items[out->count++];
    memset(effect, 0, sizeof *effect);
    effect->type = type;
    return effect;
}

static bool room_for_more(const struct coord_effects *out)
{
    return out->count + RESERVED_EFFECTS < COORD_EFFECTS_MAX &&
           out->text_bytes + RESERVED_TEXT_BYTES < COORD_TEXT_BYTES_MAX;
}

static void *reserve(struct coord_effects *out, size_t bytes)
{
    assert(out->text_bytes + bytes <= COORD_TEXT_BYTES_MAX);
    void *at = out->text + out->text_bytes;
    out->text_bytes += bytes;
    return at;
}

struct wire_str fx_text(struct coord_effects *out, const char *bytes, size_t length)
{
    char *copy = reserve(out, length + 1);
    if (length) memcpy(copy, bytes, length);
    copy[length] = 0;
    return wire_str_make(copy, length);
}

void fx_say(struct coord_effects *out, const char *text, size_t length)
{
    struct wire_str copy = fx_text(out, text, length);
    push(out, COORD_FX_SAY)->say = copy;
}

void fx_say_joined(struct coord_effects *out, const char *start, struct wire_str rest)
{
    size_t start_bytes = strlen(start);
    char *line = reserve(out, start_bytes + rest.length + 1);
    memcpy(line, start, start_bytes);
    if (rest.length) memcpy(line + start_bytes, rest.bytes, rest.length);
    line[start_bytes + rest.length] = 0;
    push(out, COORD_FX_SAY)->say = wire_str_make(line, start_bytes + rest.length);
}

bool fx_info(struct coord_effects *out, const char *text, size_t length)
{
    if (!room_for_more(out)) return false;
    fx_say(out, text, length);
    return true;
}

static size_t print(char line[LINE_BYTES_MAX], const char *format, va_list arguments)
{
    int length = vsnprintf(line, LINE_BYTES_MAX, format, arguments);
    return length < 0 ? 0 : length >= LINE_BYTES_MAX ? LINE_BYTES_MAX - 1 : (size_t)length;
}

void fx_sayf(struct coord_effects *out, const char *format, ...)
{
    char line[LINE_BYTES_MAX];
    va_list arguments;
    va_start(arguments, format);
    size_t length = print(line, format, arguments);
    va_end(arguments);
    fx_say(out, line, length);
}

bool fx_infof(struct coord_effects *out, const char *format, ...)
{
    char line[LINE_BYTES_MAX];
    va_list arguments;
    va_start(arguments, format);
    size_t length = print(line, format, arguments);
    va_end(arguments);
    return fx_info(out, line, length);
}

bool fx_log(struct coord_effects *out, enum coord_log_level level, const char *format, ...)
{
    if (!room_for_more(out)) return false;
    char line[LINE_BYTES_MAX];
    va_list arguments;
    va_start(arguments, format);
    size_t length = print(line, format, arguments);
    va_end(arguments);
    struct wire_str copy = fx_text(out, line, length);
    struct coord_effect *effect = push(out, COORD_FX_LOG);
    effect->log.level = level;
    effect->log.text = copy;
    return true;
}

struct msg *fx_send(struct coord_effects *out, uint64_t peer, enum msg_type type)
{
    struct coord_effect *effect = push(out, COORD_FX_SEND);
    effect->send.peer = peer;
    effect->send.msg.type = type;
    return &effect->send.msg;
}

void fx_start_local(struct coord_effects *out, int slot) { push(out, COORD_FX_START_LOCAL)->start_local.slot = slot; }

void fx_kill_local(struct coord_effects *out, int slot, bool kindly)
{
    struct coord_effect *effect = push(out, COORD_FX_KILL_LOCAL);
    effect->kill_local.slot = slot;
    effect->kill_local.kindly = kindly;
}

void fx_evict(struct coord_effects *out, uint64_t peer) { push(out, COORD_FX_EVICT)->evict.peer = peer; }

void fx_debug_file(struct coord_effects *out, const char *path)
{
    struct wire_str copy = fx_text(out, path, strlen(path));
    push(out, COORD_FX_DEBUG_FILE)->debug_file = copy;
}

void fx_quit(struct coord_effects *out, int code) { push(out, COORD_FX_QUIT)->quit.code = code; }

/* Zeroed, fit for any struct. */
static void *reserve_struct(struct coord_effects *out, size_t bytes)
{
    size_t misaligned = out->text_bytes % _Alignof(max_align_t);
    if (misaligned) reserve(out, _Alignof(max_align_t) - misaligned);
    return memset(reserve(out, bytes), 0, bytes);
}

struct scan_result *fx_scan_result(struct coord_effects *out)
{
    struct scan_result *result = reserve_struct(out, sizeof *result);
    push(out, COORD_FX_SCAN_RESULT)->scan_result = result;
    return result;
}

struct tsume_outcome *fx_tsume_done(struct coord_effects *out, bool tell)
{
    struct tsume_outcome *outcome = reserve_struct(out, sizeof *outcome);
    if (tell) push(out, COORD_FX_TSUME_DONE)->tsume_done = outcome;
    return outcome;
}

void fx_scan_done(struct coord_effects *out, uint32_t id, uint32_t positions)
{
    struct coord_effect *effect = push(out, COORD_FX_SCAN_DONE);
    effect->scan_done.id = id;
    effect->scan_done.positions = positions;
}

struct wire_str fx_clean(struct coord_effects *out, struct wire_str text, size_t max)
{
    size_t length = text.length < max ? text.length : max;
    while (length && length < text.length && ((unsigned char)text.bytes[length] & 0xc0) == 0x80)
        length--; /* whole characters */
    char *copy = reserve(out, length + 1);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text.bytes[i];
        copy[i] = c < 0x20 || c == 0x7f ? ' ' : c == '"' ? '\'' : text.bytes[i];
    }
    copy[length] = 0;
    return wire_str_make(copy, length);
}
