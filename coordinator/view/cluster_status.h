/* cluster_status.h - a running coordinator as JSON for programs, and that JSON as a table for people.
 *
 *   {"program":"Murakumo v1","kind":"serve","pid":4711,"uptime_ms":60000,"front_pid":4712,"phase":"thinking",
 *    "listen":["tcp://0.0.0.0:7654"],
 *    "workers":[{"name":"alpha","state":"busy","threads":8,"hash_mb":4096,"rtt_us":310,"silent_ms":80, ...}],
 *    "absent":[{"name":"beta","refused":true,"why":"evaluation ... differs ...","count":3,"ago_ms":1200}],
 *    "handshakes":[{"name":"10.0.0.9 key Ab3dE6gh","why":"key is not on the list","count":2,"ago_ms":900}],
 *    "link":{"frames_in":1,...},"metrics":{"lines":1,...},"process":{"memory_kb":1,"descriptors":1}}
 *
 * state: idle, busy, preparing (its configuration is on the way), suspect (silent). Times are as of the answer.
 */
#ifndef MURAKUMO_VIEW_CLUSTER_STATUS_H
#define MURAKUMO_VIEW_CLUSTER_STATUS_H

#include "common/base/json.h"
#include "coordinator/core/coord.h"

struct cluster_status { /* what the core does not know */
    const char *program, *kind;
    int64_t pid, front_pid; /* front_pid 0: none */
    int64_t uptime_ms;
    const char *const *listen;
    size_t listen_count;
    const struct absent *handshakes; /* refused before any frame; at_ms on the clock of the snapshot */
    size_t handshake_count;
    uint64_t frames_in, frames_out, bytes_in, bytes_out, malformed, handshakes_refused, flooded, sends_to_gone,
        sends_to_full;
    uint64_t memory_kb, descriptors;
};

/* One line without its end. A failure is in out->status. */
void cluster_status_write_json(const struct cluster_status *status, const struct coord_snapshot *core,
                               struct text_buffer *out);
/* From that JSON; false: it is not what it should be. */
bool cluster_status_write_table(struct json status, struct text_buffer *out);

#endif
