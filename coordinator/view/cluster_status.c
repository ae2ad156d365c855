/* cluster_status.c - see cluster_status.h. */
#include "coordinator/view/cluster_status.h"

#include <inttypes.h>
#include <string.h>

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void put_text(struct text_buffer *out, const char *key, const char *value)
{
    text_buffer_format(out, "\"%s\":", key);
    text_buffer_put_json(out, text_from(value));
}

static const char *state_of(const struct coord_worker_snapshot *w)
{
    return w->suspect ? "suspect" : !w->configured ? "preparing" : w->busy ? "busy" : "idle";
}

static void put_worker(struct text_buffer *out, const struct coord_worker_snapshot *w)
{
    text_buffer_put_char(out, '{');
    put_text(out, "name", w->name);
    text_buffer_put_char(out, ',');
    put_text(out, "build", w->build);
    text_buffer_format(out,
                       ",\"state\":\"%s\",\"local\":%s,\"session\":\"%016" PRIx64 "\",\"threads\":%" PRIu32
                       ",\"hash_mb\":%" PRIu32 ",\"rtt_us\":%" PRId32 ",\"silent_ms\":%" PRId64 ",\"nodes\":%" PRIu64
                       ",\"epoch\":%" PRIu64 ",\"job\":%" PRIu32 ",\"attempt\":%" PRIu32 "}",
                       state_of(w), w->local_slot == COORD_PEER_REMOTE ? "false" : "true", w->session, w->threads,
                       w->hash_mb, w->rtt_us, w->silent_ms, w->nodes, w->job_epoch, w->job, w->job_attempt);
}

static void put_absent(struct text_buffer *out, const struct absent *item, int64_t now_ms)
{
    int64_t ago_ms = now_ms > item->at_ms ? now_ms - item->at_ms : 0;
    text_buffer_put_char(out, '{');
    put_text(out, "name", item->name);
    text_buffer_format(out, ",\"refused\":%s,", item->refused ? "true" : "false");
    put_text(out, "why", item->why);
    text_buffer_format(out, ",\"count\":%" PRIu32 ",\"ago_ms\":%" PRId64 "}", item->count, ago_ms);
}

static void put_absents(struct text_buffer *out, const char *key, const struct absent *items, size_t count,
                        int64_t now_ms)
{
    text_buffer_format(out, ",\"%s\":[", key);
    for (size_t i = 0; i < count; i++) {
        if (i) text_buffer_put_char(out, ',');
        put_absent(out, &items[i], now_ms);
    }
    text_buffer_put_char(out, ']');
}

void cluster_status_write_json(const struct cluster_status *status, const struct coord_snapshot *core,
                               struct text_buffer *out)
{
    text_buffer_put_char(out, '{');
    put_text(out, "program", status->program);
    text_buffer_put_char(out, ',');
    put_text(out, "kind", status->kind);
    text_buffer_format(out, ",\"pid\":%" PRId64 ",\"uptime_ms\":%" PRId64 ",\"front_pid\":%" PRId64 ",", status->pid,
                       status->uptime_ms, status->front_pid);
    put_text(out, "phase", core->phase);
    text_buffer_put_string(out, ",\"listen\":[");
    for (size_t i = 0; i < status->listen_count; i++) {
        if (i) text_buffer_put_char(out, ',');
        text_buffer_put_json(out, text_from(status->listen[i]));
    }
    text_buffer_put_string(out, "],\"workers\":[");
    for (uint32_t i = 0; i < core->worker_count; i++) {
        if (i) text_buffer_put_char(out, ',');
        put_worker(out, &core->workers[i]);
    }
    text_buffer_put_char(out, ']');
    put_absents(out, "absent", core->absent, core->absent_count, core->now_ms);
    put_absents(out, "handshakes", status->handshakes, status->handshake_count, core->now_ms);
    text_buffer_format(out,
                       ",\"link\":{\"frames_in\":%" PRIu64 ",\"frames_out\":%" PRIu64 ",\"bytes_in\":%" PRIu64
                       ",\"bytes_out\":%" PRIu64 ",\"malformed\":%" PRIu64 ",\"handshakes_refused\":%" PRIu64
                       ",\"flooded\":%" PRIu64 ",\"sends_to_gone\":%" PRIu64 ",\"sends_to_full\":%" PRIu64 "}",
                       status->frames_in, status->frames_out, status->bytes_in, status->bytes_out, status->malformed,
                       status->handshakes_refused, status->flooded, status->sends_to_gone, status->sends_to_full);
    const char *separator = ",\"metrics\":{";
#define METRIC_JSON(name, meaning)                                                                                     \
    text_buffer_format(out, "%s\"%s\":%" PRIu64, separator, #name, core->metrics.name);                                \
    separator = ",";
    METRICS(METRIC_JSON)
#undef METRIC_JSON
    text_buffer_format(out, "},\"process\":{\"memory_kb\":%" PRIu64 ",\"descriptors\":%" PRIu64 "}}", status->memory_kb,
                       status->descriptors);
}

/* ---- table ------------------------------------------------------------------------------------------------------ */

static int64_t number(struct json object, const char *key)
{
    int64_t value = 0;
    return json_integer(json_member(object, key), INT64_MAX, &value) ? value : 0;
}

/* Padded to `width` columns; names are ASCII as far as the padding cares. */
static void put_column(struct text_buffer *out, struct json value, size_t width)
{
    size_t before = out->length;
    json_put_string(value, out);
    while (out->length < before + width) text_buffer_put_char(out, ' ');
    text_buffer_put_char(out, ' ');
}

static void put_duration(struct text_buffer *out, int64_t ms)
{
    if (ms < 10000)
        text_buffer_format(out, "%" PRId64 ".%" PRId64 " s", ms / 1000, ms % 1000 / 100);
    else if (ms < 600000)
        text_buffer_format(out, "%" PRId64 " s", ms / 1000);
    else if (ms < 2 * 86400000LL)
        text_buffer_format(out, "%" PRId64 " h %02" PRId64 " min", ms / 3600000, ms / 60000 % 60);
    else
        text_buffer_format(out, "%" PRId64 " days", ms / 86400000);
}

static void put_worker_row(struct text_buffer *out, struct json w)
{
    text_buffer_put_string(out, "  ");
    put_column(out, json_member(w, "name"), 16);
    put_column(out, json_member(w, "state"), 9);
    text_buffer_format(out, "%7" PRId64 " %8" PRId64 " ", number(w, "threads"), number(w, "hash_mb"));
    int64_t rtt_us = -1;
    if (json_integer(json_member(w, "rtt_us"), INT64_MAX, &rtt_us) && rtt_us >= 0)
        text_buffer_format(out, "%8.2f ms ", (double)rtt_us / 1000.0);
    else
        text_buffer_put_string(out, "       - ms ");
    text_buffer_format(out, "%6" PRId64 " ms  ", number(w, "silent_ms"));
    json_put_string(json_member(w, "build"), out);
    text_buffer_put_char(out, '\n');
}

static void put_stories(struct text_buffer *out, const char *title, struct json stories)
{
    struct json_walk walk = json_walk_start(stories);
    struct json item;
    bool first = true;
    while (json_walk_element(&walk, &item)) {
        if (first) text_buffer_format(out, "%s\n", title);
        first = false;
        text_buffer_put_string(out, "  ");
        put_column(out, json_member(item, "name"), 16);
        text_buffer_put_string(out, json_member(item, "refused").type == JSON_TRUE ? "refused" : "gone");
        if (number(item, "count") > 1) text_buffer_format(out, " %" PRId64 " times, last", number(item, "count"));
        text_buffer_put_char(out, ' ');
        put_duration(out, number(item, "ago_ms"));
        text_buffer_put_string(out, " ago: ");
        json_put_string(json_member(item, "why"), out);
        text_buffer_put_char(out, '\n');
    }
}

bool cluster_status_write_table(struct json status, struct text_buffer *out)
{
    struct json workers = json_member(status, "workers"), metrics = json_member(status, "metrics");
    if (workers.type != JSON_ARRAY || json_member(status, "pid").type != JSON_NUMBER) return false;
    json_put_string(json_member(status, "program"), out);
    text_buffer_put_string(out, ", ");
    json_put_string(json_member(status, "kind"), out);
    text_buffer_format(out, ", process %" PRId64 ", up ", number(status, "pid"));
    put_duration(out, number(status, "uptime_ms"));
    text_buffer_put_string(out, ", ");
    json_put_string(json_member(status, "phase"), out);
    if (number(status, "front_pid")) text_buffer_format(out, ", front end %" PRId64, number(status, "front_pid"));
    text_buffer_put_string(out, "\nlistens on");
    struct json_walk walk = json_walk_start(json_member(status, "listen"));
    struct json item;
    bool any = false;
    for (; json_walk_element(&walk, &item); any = true) {
        text_buffer_put_char(out, ' ');
        json_put_string(item, out);
    }
    text_buffer_put_string(out, any ? "\n" : " nothing: only its own workers\n");
    walk = json_walk_start(workers);
    any = false;
    for (; json_walk_element(&walk, &item); any = true) {
        if (!any)
            text_buffer_put_string(
                out, "workers\n  name             state     threads hash MiB  round trip    silent  build\n");
        put_worker_row(out, item);
    }
    if (!any) text_buffer_put_string(out, "workers: none\n");
    put_stories(out, "not here", json_member(status, "absent"));
    put_stories(out, "refused before they could say anything", json_member(status, "handshakes"));
    text_buffer_format(out,
                       "%" PRId64 " searches, %" PRId64 " answers, %" PRId64 " without a worker; %" PRId64
                       " joined, %" PRId64 " lost, %" PRId64 " suspects; %" PRId64 " MiB, %" PRId64 " descriptors\n",
                       number(metrics, "gos"), number(metrics, "bestmoves"), number(metrics, "fallback_moves"),
                       number(metrics, "workers_joined"), number(metrics, "workers_lost"), number(metrics, "suspects"),
                       number(json_member(status, "process"), "memory_kb") / 1024,
                       number(json_member(status, "process"), "descriptors"));
    return out->status == ST_OK;
}
