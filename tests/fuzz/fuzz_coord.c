/* fuzz_coord.c - the coordinator's core against any GUI and any peers.
 *
 * The input is a row of events: a kind byte, then its content. Lines are bytes up to LF. Messages are built from the
 * bytes field by field, so that most of them get past the codec's checks and reach the core; sessions, epochs and jobs
 * are now and then replaced by the true ones. After every step: the deadline lies ahead, and no go is answered twice.
 */
#include "common/shogi/zobrist.h"
#include "coordinator/core/coord.h"
#include "proto/fields.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { PEERS = 4 };

struct input {
    const uint8_t *at, *end;
};

static uint8_t take(struct input *in) { return in->at < in->end ? *in->at++ : 0; }

static uint64_t take_number(struct input *in)
{
    uint64_t value = 0;
    unsigned bytes = take(in) % 9;
    while (bytes--) value = value << 8 | take(in);
    return value;
}

static uint64_t sessions[PEERS], sequences[PEERS];
static struct msg_job jobs[PEERS];
static unsigned gos, answers;

static void look(const struct coord_effects *fx)
{
    for (size_t i = 0; i < fx->count; i++) {
        const struct coord_effect *e = &fx->items[i];
        if (e->type == COORD_FX_SAY) {
            assert(strlen(e->say.bytes) == e->say.length && !strchr(e->say.bytes, '\n'));
            answers += !strncmp(e->say.bytes, "bestmove ", 9) || !strncmp(e->say.bytes, "checkmate ", 10);
        }
        if (e->type != COORD_FX_SEND) continue;
        uint8_t frame[WIRE_FRAME_BYTES_MAX];
        size_t bytes;
        enum status status = msg_encode(&e->send.msg, frame, sizeof frame, &bytes);
        assert(status == ST_OK);
        if (e->send.peer >= PEERS) continue;
        if (e->send.msg.type == MSG_welcome) sessions[e->send.peer] = e->send.msg.welcome.session;
        if (e->send.msg.type == MSG_job) jobs[e->send.peer] = e->send.msg.job;
    }
    assert(answers <= gos);
}

static void build(struct input *in, unsigned peer, struct msg *msg, char *texts, size_t capacity)
{
    memset(msg, 0, sizeof *msg);
    const struct message_type *type = fields_message_at(take(in) % fields_message_count());
    msg->type = type->type;
    msg->boot = 1 + take(in) % 3;
    msg->sequence = take(in) % 8 ? ++sequences[peer] : take_number(in);
    size_t used = 0;
    for (size_t i = 0; i < type->field_count; i++) {
        const struct field *field = &type->fields[i];
        if (field->kind == FIELD_STR || field->kind == FIELD_BIN) {
            size_t length = take(in);
            if (length > field->max) length = (size_t)field->max;
            if (length > (size_t)(in->end - in->at)) length = (size_t)(in->end - in->at);
            if (used + length > capacity) length = 0;
            for (size_t k = 0; k < length; k++) texts[used + k] = (char)(32 + take(in) % 95);
            field_set_string(msg, field, wire_str_make(texts + used, length));
            used += length;
        } else if (field->kind == FIELD_I32) {
            field_set_signed(msg, field, (int32_t)(take_number(in) % (2 * field->max + 1)) - (int32_t)field->max);
        } else {
            uint64_t value = take_number(in);
            field_set_unsigned(msg, field, field->max == UINT64_MAX ? value : value % (field->max + 1));
        }
    }
    bool mine = take(in) % 8 != 0;
    if (!mine) return;
    if (msg->type == MSG_hello) {
        msg->hello.zobrist_check = zobrist_check();
        msg->hello.eval_hash = 1;
    }
    if (msg->type == MSG_heartbeat) msg->heartbeat.session = sessions[peer];
    if (msg->type == MSG_bye) msg->bye.session = sessions[peer];
    if (msg->type == MSG_configured) {
        msg->configured.session = sessions[peer];
        msg->configured.config = 1 + take(in) % 3;
    }
    if (msg->type == MSG_partial) {
        msg->partial.session = sessions[peer];
        msg->partial.epoch = jobs[peer].epoch;
        msg->partial.job = jobs[peer].job;
        msg->partial.attempt = jobs[peer].attempt;
    }
    if (msg->type == MSG_result) {
        msg->result.session = sessions[peer];
        msg->result.epoch = jobs[peer].epoch;
        msg->result.job = jobs[peer].job;
        msg->result.attempt = jobs[peer].attempt;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct coord_effects fx;
    struct input in = {data, data + size};
    struct coord *coord =
        coord_new(&(struct coord_config){.boot = 7, .local_workers = take(&in) % 3, .fallback_nodes = 50});
    if (!coord) return 0;
    memset(sessions, 0, sizeof sessions);
    memset(sequences, 0, sizeof sequences);
    memset(jobs, 0, sizeof jobs);
    gos = answers = 0;
    int64_t now_us = 1000000;
    static char texts[8192];
    while (in.at < in.end) {
        struct coord_event event;
        memset(&event, 0, sizeof event);
        struct msg msg;
        unsigned peer = take(&in) % PEERS;
        switch (take(&in) % 12) {
        case 0:
        case 1:
        case 2: { /* the fewest bytes make the most common lines */
            static const char *const starts[] = {"",
                                                 "go ",
                                                 "position startpos moves ",
                                                 "position sfen ",
                                                 "go infinite",
                                                 "stop",
                                                 "ponderhit ",
                                                 "isready",
                                                 "go mate 10",
                                                 "go nodes 100",
                                                 "usinewgame",
                                                 "setoption name "};
            static char line[2048];
            const char *start = starts[take(&in) % 12];
            size_t used = strlen(start);
            memcpy(line, start, used);
            while (in.at < in.end && used < sizeof line && *in.at != '\n') line[used++] = (char)*in.at++;
            if (in.at < in.end) in.at++;
            event.type = COORD_EV_LINE;
            event.line.bytes = line;
            event.line.length = used;
            break;
        }
        case 3:
            event.type = COORD_EV_PEER_GONE;
            event.peer_gone.peer = peer;
            break;
        case 4:
            event.type = COORD_EV_LOCAL_STARTED;
            event.local_started.slot = take(&in) % 4 - 1;
            break;
        case 5:
            event.type = COORD_EV_LOCAL_DIED;
            event.local_died.slot = take(&in) % 4 - 1;
            event.local_died.text = "exit 1";
            break;
        case 6:
            now_us += (int64_t)take(&in) * 20000;
            event.type = COORD_EV_TICK;
            break;
        case 7:
            event.type = COORD_EV_SCAN_SUBMIT;
            event.scan_submit = (struct scan_order){
                .id = take(&in) % 3, .last_ply = take(&in), .nodes = take(&in), .multipv = take(&in) % 10};
            event.scan_submit.moves = wire_str_make("7g7f 3c3d 2g2f", take(&in) % 15);
            break;
        case 8:
            event.type = COORD_EV_BAD_FRAME;
            event.bad_frame.peer = peer;
            event.bad_frame.status = take(&in) % 2 ? ST_VERSION : ST_SYNTAX;
            break;
        default:
            build(&in, peer, &msg, texts, sizeof texts);
            event.type = COORD_EV_MESSAGE;
            event.message.peer = peer;
            event.message.local_slot = (int)(peer % 3) - 1;
            event.message.msg = &msg;
            break;
        }
        event.now_us = now_us;
        if (event.type == COORD_EV_LINE) { /* every go that is read may be answered once */
            const char *at = event.line.bytes;
            size_t left = event.line.length;
            while (left && strchr(" \t\r\v\f", *at)) at++, left--;
            gos += left >= 2 && (at[0] | 32) == 'g' && (at[1] | 32) == 'o' && (left == 2 || strchr(" \t\r\v\f", at[2]));
        }
        coord_step(coord, &event, &fx);
        look(&fx);
        assert(coord_deadline_ms(coord) > now_us / 1000);
    }
    struct coord_event quit = {.type = COORD_EV_EOF, .now_us = now_us};
    coord_step(coord, &quit, &fx);
    look(&fx);
    assert(answers == gos);
    coord_free(coord);
    return 0;
}
