/* recording.c - see recording.h. */
#include "coordinator/core/recording.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 3 };
#define MAGIC "murakumo-recording"

/* ---- writing ---------------------------------------------------------------------------------------------------- */

void recording_write_config(const struct coord_config *config, struct text_buffer *out)
{
    text_buffer_format(out,
                       MAGIC " %d boot=%" PRIx64 " serves=%d locals=%u threads=%" PRIu32 " hash_mb=%" PRIu32
                             " grain_ms=%" PRIu32 " hints=%s,%s name=%s\n",
                       VERSION, config->boot, config->serves, config->local_workers, config->threads, config->hash_mb,
                       config->grain_ms, config->hints_local ? config->hints_local : "",
                       config->hints_remote ? config->hints_remote : "", config->name ? config->name : "");
}

static void put_hex(struct text_buffer *out, const uint8_t *bytes, size_t count)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < count; i++) {
        text_buffer_put_char(out, digits[bytes[i] >> 4]);
        text_buffer_put_char(out, digits[bytes[i] & 15]);
    }
}

static void put_wire(struct text_buffer *out, struct wire_str text)
{
    if (text.length) text_buffer_put(out, text_make(text.bytes, text.length));
}

void recording_write_event(const struct coord_event *event, const struct recorded_frame *frame, struct text_buffer *out)
{
    text_buffer_format(out, "%" PRId64 " ", event->now_us);
    switch (event->type) {
    case COORD_EV_LINE:
        text_buffer_format(out, "line %d ", event->line.too_long);
        text_buffer_put(out, text_make(event->line.bytes, event->line.length));
        break;
    case COORD_EV_EOF:
        text_buffer_put_string(out, "eof");
        break;
    case COORD_EV_DETACH:
        text_buffer_put_string(out, "detach");
        break;
    case COORD_EV_SHUTDOWN:
        text_buffer_put_string(out, "shutdown");
        break;
    case COORD_EV_MESSAGE:
    case COORD_EV_BAD_FRAME: {
        bool good = event->type == COORD_EV_MESSAGE;
        text_buffer_format(out, "frame %" PRIx64 " %d %s ", good ? event->message.peer : event->bad_frame.peer,
                           good ? event->message.local_slot : event->bad_frame.local_slot,
                           frame->identity[0] ? frame->identity : "-");
        put_hex(out, frame->bytes, frame->count);
        break;
    }
    case COORD_EV_PEER_GONE:
        text_buffer_format(out, "peer_gone %" PRIx64, event->peer_gone.peer);
        break;
    case COORD_EV_LOCAL_STARTED:
        text_buffer_format(out, "local_started %d", event->local_started.slot);
        break;
    case COORD_EV_LOCAL_DIED:
        text_buffer_format(out, "local_died %d %s", event->local_died.slot,
                           event->local_died.text ? event->local_died.text : "?");
        break;
    case COORD_EV_TICK:
        text_buffer_put_string(out, "tick");
        break;
    case COORD_EV_SCAN_SUBMIT: {
        const struct scan_order *order = &event->scan_submit;
        text_buffer_format(out,
                           "scan_submit %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu64 " %" PRIu32 " %" PRIu32
                           " %d %d %" PRIu32 " %" PRIu32,
                           order->id, order->first_ply, order->last_ply, order->nodes, order->depth_max, order->multipv,
                           order->fresh, order->warm, order->kind, order->plies_max);
        for (size_t i = 0; i < SCAN_AVOID_MAX; i++) text_buffer_format(out, " %" PRIx64, order->avoid_boot[i]);
        text_buffer_format(out, " %" PRIx64 " %d \t", order->only_boot, order->trusted_only);
        put_wire(out, order->root);
        text_buffer_put_char(out, '\t');
        put_wire(out, order->moves);
        text_buffer_put_char(out, '\t');
        put_wire(out, order->searchmoves);
        break;
    }
    case COORD_EV_TRUST:
        text_buffer_format(out, "trust %d %" PRIx64, event->trust.trusted, event->trust.boot);
        break;
    case COORD_EV_SCAN_CANCEL:
        text_buffer_format(out, "scan_cancel %" PRIu32, event->scan_cancel.id);
        break;
    case COORD_EV_TSUME_SUBMIT: {
        const struct tsume_order *order = &event->tsume_submit;
        text_buffer_format(out, "tsume_submit %" PRIu32 " %" PRIu64 " %" PRIu32 " %" PRIu32 " %d %d \t", order->id,
                           order->nodes, order->time_ms, order->plies_max, order->any_length, order->fresh);
        put_wire(out, order->root);
        break;
    }
    }
    text_buffer_put_char(out, '\n');
}

/* ---- check number ----------------------------------------------------------------------------------------------- */

static void mix(uint64_t *hash, uint64_t value)
{
    *hash = (*hash ^ value) * 0x9e3779b97f4a7c15u;
    *hash ^= *hash >> 29;
}

static void mix_bytes(uint64_t *hash, const void *bytes, size_t count)
{
    const uint8_t *at = bytes;
    mix(hash, count);
    for (size_t i = 0; i < count; i++) mix(hash, at[i]);
}

static void mix_message(uint64_t *hash, const struct msg *message)
{
    mix(hash, message->type);
    mix(hash, message->sequence);
    uint8_t frame[4096]; /* longer ones are told apart by type, sequence and the beginning of the search */
    size_t count;
    if (msg_encode(message, frame, sizeof frame, &count) == ST_OK)
        mix_bytes(hash, frame, count);
    else if (message->type == MSG_job)
        mix(hash, message->job.epoch << 32 ^ message->job.job);
}

static void mix_effect(uint64_t *hash, const struct coord_effect *effect)
{
    mix(hash, effect->type);
    switch (effect->type) {
    case COORD_FX_SAY:
        mix_bytes(hash, effect->say.bytes, effect->say.length);
        break;
    case COORD_FX_SEND:
        mix(hash, effect->send.peer);
        mix_message(hash, &effect->send.msg);
        break;
    case COORD_FX_START_LOCAL:
        mix(hash, (uint64_t)effect->start_local.slot);
        break;
    case COORD_FX_KILL_LOCAL:
        mix(hash, (uint64_t)effect->kill_local.slot << 1 | effect->kill_local.kindly);
        break;
    case COORD_FX_EVICT:
        mix(hash, effect->evict.peer);
        break;
    case COORD_FX_LOG:
        mix_bytes(hash, effect->log.text.bytes, effect->log.text.length);
        break;
    case COORD_FX_DEBUG_FILE:
        mix_bytes(hash, effect->debug_file.bytes, effect->debug_file.length);
        break;
    case COORD_FX_SCAN_RESULT:
        mix(hash, (uint64_t)effect->scan_result->id << 32 | effect->scan_result->ply);
        mix(hash, (uint64_t)(int64_t)effect->scan_result->score);
        mix_bytes(hash, effect->scan_result->best.bytes, effect->scan_result->best.length);
        break;
    case COORD_FX_SCAN_DONE:
        mix(hash, effect->scan_done.id);
        break;
    case COORD_FX_TSUME_DONE:
        mix(hash, effect->tsume_done->id);
        break;
    case COORD_FX_QUIT:
        mix(hash, (uint64_t)effect->quit.code);
        break;
    }
}

void recording_write_effects(enum status status, const struct coord_effects *effects, struct text_buffer *out)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < effects->count; i++) mix_effect(&hash, &effects->items[i]);
    text_buffer_format(out, "= %d %016" PRIx64 "\n", (int)status, hash);
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

struct coord_event recording_frame_event(uint64_t peer, int local_slot, const struct recorded_frame *frame,
                                         struct msg *message)
{
    struct coord_event event = {.type = COORD_EV_MESSAGE};
    enum status st = msg_decode(message, frame->bytes, frame->count);
    if (st != ST_OK) {
        event.type = COORD_EV_BAD_FRAME;
        event.bad_frame.peer = peer;
        event.bad_frame.local_slot = local_slot;
        event.bad_frame.status = st;
        event.bad_frame.major = st == ST_VERSION ? message->major : 0;
        event.bad_frame.minor = st == ST_VERSION ? message->minor : 0;
        return event;
    }
    if (message->type == MSG_hello && frame->identity[0]) /* the key says who it is, not the field */
        message->hello.name = wire_str_make(frame->identity, strlen(frame->identity));
    event.message.peer = peer;
    event.message.local_slot = local_slot;
    event.message.msg = message;
    return event;
}

static bool take_hex(struct text *rest, uint64_t *number)
{
    struct text word;
    char digits[17];
    if (!text_take_word(rest, &word) || text_length(word) == 0 || text_length(word) > 16) return false;
    memcpy(digits, word.at, text_length(word));
    digits[text_length(word)] = 0;
    char *end;
    *number = strtoull(digits, &end, 16);
    return *end == 0;
}

static bool take_slot(struct text *rest, int *slot)
{
    int64_t number;
    text_skip_blanks(rest);
    if (!text_take_signed(rest, COORD_LOCAL_MAX, &number)) return false;
    *slot = (int)number;
    return true;
}

static bool take_u32(struct text *rest, uint32_t *number)
{
    uint64_t wide;
    text_skip_blanks(rest);
    if (!text_take_number(rest, UINT32_MAX, &wide)) return false;
    *number = (uint32_t)wide;
    return true;
}

static bool copy(char *out, size_t capacity, struct text t)
{
    if (text_length(t) >= capacity) return false;
    memcpy(out, t.at, text_length(t));
    out[text_length(t)] = 0;
    return true;
}

static int hex_digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

static enum status read_frame(struct recording_reader *reader, struct text rest, struct coord_event *event)
{
    uint64_t peer;
    int slot;
    struct text identity, hex;
    if (!take_hex(&rest, &peer) || !take_slot(&rest, &slot) || !text_take_word(&rest, &identity)) return ST_SYNTAX;
    if (!copy(reader->name, sizeof reader->name, text_is(identity, "-") ? text_make("", 0) : identity))
        return ST_TOO_BIG;
    struct recorded_frame frame = {.bytes = reader->bytes, .identity = reader->name};
    if (text_take_word(&rest, &hex)) {
        if (text_length(hex) % 2) return ST_SYNTAX;
        if (text_length(hex) / 2 > sizeof reader->bytes) return ST_TOO_BIG;
        for (const char *at = hex.at; at < hex.end; at += 2) {
            int high = hex_digit(at[0]), low = hex_digit(at[1]);
            if (high < 0 || low < 0) return ST_SYNTAX;
            reader->bytes[frame.count++] = (uint8_t)(high << 4 | low);
        }
    }
    int64_t now_us = event->now_us;
    *event = recording_frame_event(peer, slot, &frame, &reader->message);
    event->now_us = now_us;
    return ST_OK;
}

/* Texts are behind tabs. */
static bool take_tabbed(struct text *rest, struct wire_str *out)
{
    if (!text_take_char(rest, '\t')) return false;
    const char *end = text_empty(*rest) ? NULL : memchr(rest->at, '\t', text_length(*rest));
    if (!end) end = rest->end;
    *out = wire_str_make(rest->at, (size_t)(end - rest->at));
    rest->at = end;
    return true;
}

static enum status read_scan(struct text rest, struct coord_event *event)
{
    struct scan_order *order = &event->scan_submit;
    uint32_t fresh, warm, trusted_only;
    *order = (struct scan_order){0};
    bool good = take_u32(&rest, &order->id) && take_u32(&rest, &order->first_ply) && take_u32(&rest, &order->last_ply);
    text_skip_blanks(&rest);
    good = good && text_take_number(&rest, UINT64_MAX, &order->nodes) && take_u32(&rest, &order->depth_max) &&
           take_u32(&rest, &order->multipv) && take_u32(&rest, &fresh) && take_u32(&rest, &warm) &&
           take_u32(&rest, &order->kind) && take_u32(&rest, &order->plies_max);
    for (size_t i = 0; i < SCAN_AVOID_MAX; i++) good = good && take_hex(&rest, &order->avoid_boot[i]);
    good = good && take_hex(&rest, &order->only_boot) && take_u32(&rest, &trusted_only) && text_take_char(&rest, ' ') &&
           take_tabbed(&rest, &order->root) && take_tabbed(&rest, &order->moves) &&
           take_tabbed(&rest, &order->searchmoves);
    if (!good) return ST_SYNTAX;
    order->fresh = fresh != 0;
    order->warm = warm != 0;
    order->trusted_only = trusted_only != 0;
    return ST_OK;
}

static enum status read_tsume(struct text rest, struct coord_event *event)
{
    struct tsume_order *order = &event->tsume_submit;
    uint32_t any_length, fresh;
    *order = (struct tsume_order){0};
    bool good = take_u32(&rest, &order->id);
    text_skip_blanks(&rest);
    good = good && text_take_number(&rest, UINT64_MAX, &order->nodes) && take_u32(&rest, &order->time_ms) &&
           take_u32(&rest, &order->plies_max) && take_u32(&rest, &any_length) && take_u32(&rest, &fresh) &&
           text_take_char(&rest, ' ') && take_tabbed(&rest, &order->root);
    if (!good) return ST_SYNTAX;
    order->any_length = any_length != 0;
    order->fresh = fresh != 0;
    return ST_OK;
}

/* An address up to `end`, which is taken too. */
static bool take_address(struct text *rest, char end, char out[COORD_ADDRESS_BYTES_MAX + 1])
{
    const char *stop = text_empty(*rest) ? NULL : memchr(rest->at, end, text_length(*rest));
    if (!stop || stop - rest->at > COORD_ADDRESS_BYTES_MAX) return false;
    memcpy(out, rest->at, (size_t)(stop - rest->at));
    out[stop - rest->at] = 0;
    rest->at = stop + 1;
    return true;
}

enum status recording_read_config(struct recording_reader *reader, struct text line, struct coord_config *config)
{
    uint32_t version, serves, locals;
    struct text word;
    *config = (struct coord_config){0};
    if (!text_take_word(&line, &word) || !text_is(word, MAGIC)) return ST_SYNTAX;
    if (!take_u32(&line, &version)) return ST_SYNTAX;
    if (version != VERSION) return ST_VERSION;
    text_skip_blanks(&line);
    if (!text_take(&line, "boot=") || !take_hex(&line, &config->boot)) return ST_SYNTAX;
    text_skip_blanks(&line);
    if (!text_take(&line, "serves=") || !take_u32(&line, &serves)) return ST_SYNTAX;
    text_skip_blanks(&line);
    if (!text_take(&line, "locals=") || !take_u32(&line, &locals)) return ST_SYNTAX;
    text_skip_blanks(&line);
    if (!text_take(&line, "threads=") || !take_u32(&line, &config->threads)) return ST_SYNTAX;
    text_skip_blanks(&line);
    if (!text_take(&line, "hash_mb=") || !take_u32(&line, &config->hash_mb)) return ST_SYNTAX;
    text_skip_blanks(&line);
    if (!text_take(&line, "grain_ms=") || !take_u32(&line, &config->grain_ms)) return ST_SYNTAX;
    text_skip_blanks(&line);
    if (!text_take(&line, "hints=") || !take_address(&line, ',', reader->hints_local) ||
        !take_address(&line, ' ', reader->hints_remote))
        return ST_SYNTAX;
    config->hints_local = reader->hints_local;
    config->hints_remote = reader->hints_remote;
    if (!text_take(&line, "name=")) return ST_SYNTAX;
    if (!copy(reader->name, sizeof reader->name, line)) return ST_TOO_BIG;
    config->serves = serves != 0;
    config->local_workers = locals;
    config->name = reader->name;
    return ST_OK;
}

enum status recording_read_event(struct recording_reader *reader, struct text line, struct coord_event *event)
{
    struct text type;
    uint32_t flag;
    int64_t now_us;
    memset(event, 0, sizeof *event);
    if (!text_take_signed(&line, INT64_MAX, &now_us) || !text_take_word(&line, &type)) return ST_SYNTAX;
    event->now_us = now_us;
    if (text_is(type, "frame")) return read_frame(reader, line, event);
    if (text_is(type, "line")) {
        event->type = COORD_EV_LINE;
        if (!take_u32(&line, &flag) || !text_take_char(&line, ' ')) return ST_SYNTAX;
        event->line.too_long = flag != 0;
        event->line.bytes = line.at;
        event->line.length = text_length(line);
        return ST_OK;
    }
    if (text_is(type, "local_started")) {
        event->type = COORD_EV_LOCAL_STARTED;
        return take_slot(&line, &event->local_started.slot) ? ST_OK : ST_SYNTAX;
    }
    if (text_is(type, "local_died")) {
        event->type = COORD_EV_LOCAL_DIED;
        if (!take_slot(&line, &event->local_died.slot) || !text_take_char(&line, ' ')) return ST_SYNTAX;
        event->local_died.text = reader->text;
        return copy(reader->text, sizeof reader->text, line) ? ST_OK : ST_TOO_BIG;
    }
    if (text_is(type, "peer_gone")) {
        event->type = COORD_EV_PEER_GONE;
        return take_hex(&line, &event->peer_gone.peer) ? ST_OK : ST_SYNTAX;
    }
    if (text_is(type, "scan_submit")) {
        event->type = COORD_EV_SCAN_SUBMIT;
        return read_scan(line, event);
    }
    if (text_is(type, "trust")) {
        uint32_t trusted;
        event->type = COORD_EV_TRUST;
        if (!take_u32(&line, &trusted) || !take_hex(&line, &event->trust.boot)) return ST_SYNTAX;
        event->trust.trusted = trusted != 0;
        return ST_OK;
    }
    if (text_is(type, "scan_cancel")) {
        event->type = COORD_EV_SCAN_CANCEL;
        return take_u32(&line, &event->scan_cancel.id) ? ST_OK : ST_SYNTAX;
    }
    if (text_is(type, "tsume_submit")) {
        event->type = COORD_EV_TSUME_SUBMIT;
        return read_tsume(line, event);
    }
    static const struct {
        const char *name;
        enum coord_event_type type;
    } plain[] = {
        {"eof", COORD_EV_EOF}, {"detach", COORD_EV_DETACH}, {"shutdown", COORD_EV_SHUTDOWN}, {"tick", COORD_EV_TICK}};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (text_is(type, plain[i].name)) {
            event->type = plain[i].type;
            return ST_OK;
        }
    return ST_UNKNOWN;
}
