/* session.h - the worker's half of the protocol, as a pure state machine: who am I talking to, what am I searching.
 *
 * Promises, each kept under loss, repetition and any order of messages:
 *   - a job that was accepted gets exactly one result, unless the session it belongs to has ended;
 *   - never more than one search at a time, never more than one job waiting for the end of the one before;
 *   - a job with a newer epoch replaces an older one at once: the old one is stopped and answered;
 *   - when the coordinator is silent for dead_ms, or the connection goes, the search is stopped (a forgotten worker
 * does not burn a machine) and hello is said again, with back-off and jitter;
 *   - messages of another session change nothing: they are counted as stale;
 *   - no search outlives its dead-man limit.
 *
 * A job that is waiting when it is stopped or replaced is answered with VERDICT_REFUSED and `stopped`.
 *
 * Memory: session_new allocates all there is. Threads: one owner. Time: only from events.
 */
#ifndef MURAKUMO_WORKER_SESSION_H
#define MURAKUMO_WORKER_SESSION_H

#include "common/base/status.h"
#include "worker/core/event.h"

struct session_options {   /* strings are copied, cut to what the wire allows */
    const char *name;      /* shown to people */
    const char *build;     /* program version and CPU features */
    const char *eval_name; /* evaluation in words */
    uint64_t eval_hash, zobrist_check;
    uint32_t threads, hash_mb; /* used when the coordinator asks for 0 */
    uint64_t nodes_per_s;      /* 0 = not measured */
    uint64_t boot;             /* random, not 0 */
    uint64_t seed;             /* of the jitter */
};

struct session_counters {
    uint64_t stale;     /* other session, search or run */
    uint64_t duplicate; /* seen before */
    uint64_t refused;   /* not allowed in this state or malformed beyond the codec */
    uint64_t jobs, results, hellos, sessions;
};

struct session;
struct session *session_new(const struct session_options *options); /* NULL: no memory */
void session_free(struct session *session);

/* Carries one event through. *effects is overwritten; it may be filled even when the answer is not ST_OK. A refused
 * event (ST_STALE, ST_DUPLICATE, ST_STATE, ST_UNKNOWN, ...) changes no state but the counters and the time of last
 * contact. */
enum status session_step(struct session *session, const struct session_event *event, struct session_effects *effects);
/* When SESSION_TICK is due; INT64_MAX: never. */
int64_t session_deadline_ms(const struct session *session);

bool session_is_joined(const struct session *session);
bool session_is_searching(const struct session *session); /* an engine run has been started and has not ended */
const struct session_counters *session_counters(const struct session *session);

#endif
