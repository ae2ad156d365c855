/* event.h - everything that can happen to a worker, and everything it can decide to do. Start reading here.
 *
 *   session_step(state, event) -> effects        (session.h)
 *
 * Events carry the time; effects are a short ordered list that the shell carries out after the step.
 *
 * Life of a worker, as the session sees it (the engine runs beside it):
 *
 *   DOWN --connected--> GREETING --welcome--> JOINED --bye, reset, silence--> GREETING
 *     ^                     |                   |
 *     +----disconnected-----+-------------------+            refuse, terminate --> OVER
 *
 * Ownership: strings (struct wire_str) in an event are borrowed for the step. Strings in an effect point into the
 * session or into the event's own memory: carry the effects out before the next step and before the event's frame is
 * let go.
 */
#ifndef MURAKUMO_WORKER_EVENT_H
#define MURAKUMO_WORKER_EVENT_H

#include "proto/msg.h"

enum session_event_type {
    SESSION_CONNECTED,      /* the transport has a connection (again) */
    SESSION_DISCONNECTED,   /* the transport lost it; whatever was on the way may be lost */
    SESSION_MESSAGE,        /* `message`: one decoded frame from the coordinator */
    SESSION_ENGINE_INFO,    /* `run`, `info`: an iteration or bound; session, epoch, job, attempt are filled in here */
    SESSION_ENGINE_DONE,    /* `run`, `result`: the search of that run is over; engine idle; ids are filled in here */
    SESSION_ENGINE_REFUSED, /* `run`, `text`: the search could not be started (bad position, no solver); engine idle */
    SESSION_CONFIG_DONE,    /* `config`: the number, did it work, a remark; engine idle */
    SESSION_TICK,           /* session_deadline_ms() has come */
    SESSION_TERMINATE       /* SIGTERM: hand the job back, say bye, leave */
};

struct session_event {
    enum session_event_type type;
    int64_t now_ms; /* monotonic */
    int64_t now_us; /* the same moment, finer; 0 = not known. Only ever written into heartbeats */
    union {
        struct msg message;
        struct {
            uint32_t run;
            union {
                struct msg_partial info;
                struct msg_result result;
                struct wire_str text;
            };
        } engine;
        struct {
            uint32_t config;
            bool ok;
            struct wire_str text; /* may be set when ok, too: "hash cut down to what fits" */
        } config;
    };
};

enum session_effect_type {
    SESSION_SEND,             /* `message` to the coordinator; boot and sequence are set */
    SESSION_ENGINE_CONFIGURE, /* `configure`: allocate outside the I/O thread, then SESSION_CONFIG_DONE */
    SESSION_ENGINE_NEW_GAME,  /* clear table and histories, before any later ENGINE_GO; no event follows */
    SESSION_ENGINE_GO,        /* `go`: later exactly one SESSION_ENGINE_DONE or _REFUSED with the same run */
    SESSION_ENGINE_STOP,      /* `run`: end it soon; valid even if the go of that run is still being prepared */
    SESSION_HINT_PLANE,       /* `hints`: a session has begun; where hints are relayed, if they are */
    SESSION_RECONNECT,        /* throw the connection away and make a new one (a refused handshake never retries) */
    SESSION_EXIT,             /* `exit`: flush for a moment, then leave */
    SESSION_LOG               /* `log`: one key=value line */
};

struct session_go {
    uint32_t run; /* number of this search within the process, 1, 2, ... */
    bool fresh;   /* clear table and histories first */
    enum job_kind kind;
    uint32_t multipv;   /* >= 1 */
    uint32_t depth_max; /* 0 = none */
    uint64_t nodes;     /* 0 = none */
    int64_t time_ms;    /* dead-man limit from now; 0 = none. The session stops the run as well */
    uint32_t variation; /* as in the job */
    bool part;          /* the job's alpha, beta, depth_min, moves_before count */
    int32_t alpha, beta;
    uint32_t depth_min, moves_before;
    bool patient;       /* finished lines may wait for the next heartbeat or the result: the newest of each will do */
    bool continues;     /* the run before was of the same epoch: what the table holds is of this search */
    uint32_t plies_max; /* this and the next seven: of a mate job, as in proto/schema.h */
    bool any_length, certificate, tell_only;
    uint64_t seed;
    uint64_t hint_scope; /* 0: hints are not shared */
    uint32_t hint_plies, claim_plies, hint_bytes_per_s, hint_workers;
    struct wire_str root, moves, searchmoves;
};

enum session_log_level { SESSION_LOG_DEBUG, SESSION_LOG_INFO, SESSION_LOG_WARN };
enum { SESSION_TEXT_BYTES_MAX = 256, SESSION_EFFECTS_MAX = 10 };

struct session_effect {
    enum session_effect_type type;
    union {
        struct msg message;
        struct msg_configure configure; /* hash_mb and threads are never 0 here */
        struct session_go go;
        uint32_t run;
        struct {
            uint64_t session;
            char endpoint[WIRE_TEXT_BYTES_MAX + 1]; /* "" = nowhere */
        } hints;
        struct {
            int code;                          /* exit code of the process: 0 done, 3 not accepted by the cluster */
            char text[SESSION_TEXT_BYTES_MAX]; /* for people, one line; "" = nothing to say */
        } exit;
        struct {
            enum session_log_level level;
            char text[SESSION_TEXT_BYTES_MAX];
        } log;
    };
};

struct session_effects {
    size_t count;
    struct session_effect list[SESSION_EFFECTS_MAX];
};

#endif
