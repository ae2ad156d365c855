/* registry.h - who the workers are, whether they are alive, and what each is doing.
 *
 *            hello                     configured                job
 *   stranger ----> joined ----configure----> ready ----idle----> busy ---result---> idle
 *      ^             |                         |                   |
 *      +---- bye, silence (dead_ms), lost connection, a new hello -+      suspect: silent for suspect_ms; no new work
 *
 * One record per peer of the link; a second worker of the same name is called NAME-2. A session number is given to
 * every hello and never used again, so whatever was on its way for an earlier session is recognised and refused. A
 * repeated frame is recognised by its sequence number. The registry tells its owner what happened through `struct
 * registry_news`; it knows nothing of games and scans.
 *
 * All workers have one protocol, one table of position keys, one evaluation and one build: the first one decides, or
 * the local one, whenever it comes. Who has another is refused with the reason and remembered as absent.
 */
#ifndef MURAKUMO_COORDINATOR_REGISTRY_H
#define MURAKUMO_COORDINATOR_REGISTRY_H

#include "coordinator/core/absent.h"
#include "coordinator/core/effects.h"
#include "coordinator/core/metrics.h"

enum job_owner { JOB_NOBODY, JOB_GAME, JOB_SCAN, JOB_TSUME };

/* The job that a worker holds: its right to answer. Only (session, epoch, job, attempt) as written here is accepted. */
struct worker_job {
    enum job_owner owner;
    uint64_t epoch;
    uint32_t job, attempt;
    uint32_t tag;        /* the owner's: number of the share, place of the scanned position, place of the order */
    bool stopping;       /* `stop` was sent */
    int64_t sent_ms;     /* when job (or the last stop) was sent */
    unsigned idle_beats; /* heartbeats that deny having a job */
};

struct worker {
    bool present;
    uint64_t peer, boot, session;
    int local_slot;
    char name[WIRE_NAME_BYTES_MAX + 1], build[WIRE_TEXT_BYTES_MAX + 1];
    uint64_t eval_hash;
    uint64_t nodes_per_s; /* measured while it searches; as it said in hello until then; 0 = not known */
    bool trusted;         /* its answers to known questions were right */
    uint32_t threads, hash_mb;

    int64_t joined_ms, heard_ms;
    bool suspect;
    int32_t rtt_us; /* smoothed; -1 = not known */
    /* The smallest sample of each of the last heartbeats' times: a pause of either side shows in some of them (the
     * answers of a whole pause come at once), the line itself in the smallest. */
    int32_t rtt_recent_us[8];
    unsigned rtt_count;
    int64_t rtt_noted_ms; /* when the newest of these times began */
    int64_t rtt_least_ms; /* the smallest of them; 0 = not known: too few of them */
    uint64_t nodes;       /* as of its last heartbeat */
    uint64_t speed_nodes; /* its speed is measured from here: nodes, */
    int64_t speed_us;     /* and time; 0 = it does not search */
    uint64_t sequence_out;
    uint64_t sequence_in, seen; /* newest number, and which of the 64 before it have come (bit 0 = newest) */

    uint32_t config_sent, config_done; /* 0 = none */
    int64_t config_sent_ms;
    unsigned config_tries;
    bool config_ever;       /* it has had a configuration in force */
    bool new_game;          /* `new_game` is to be sent before the next job */
    int64_t stuck_since_ms; /* it was told to stop then and has shown no sign of obeying; INT64_MAX = all is well */
    unsigned bad_frames;
    struct worker_job job;
};

struct registry_settings {
    uint64_t boot;
    uint64_t eval_hash, zobrist_check; /* 0 = taken from the first worker */
    uint32_t heartbeat_ms, suspect_ms, dead_ms;
    unsigned local_workers;                 /* child processes that are kept running */
    bool uniform;                           /* remote workers get threads and table size of the local ones */
    const char *hints_local, *hints_remote; /* borrowed; "" = nowhere */
};

enum { REGISTRY_REFUSED_BOOTS = 32 };
struct registry {
    struct registry_settings settings;
    struct worker workers[COORD_WORKERS_MAX];
    unsigned high; /* workers[high..] have never been used */
    unsigned count;
    uint64_t session_last;
    uint64_t eval_hash;                  /* in force now; 0 = none */
    char build[WIRE_TEXT_BYTES_MAX + 1]; /* of all workers that are here */
    int64_t beat_due_ms;
    int64_t last_ms;                /* time of the last step: a long gap means that we were away, not the workers */
    uint32_t config;                /* number of the configuration in force; 0 = none yet */
    struct msg_configure configure; /* its content, without session, hash_mb, threads */
    uint32_t local_hash_mb, local_threads;
    struct absent_list absent;                      /* for the status page: who is not here, and why */
    struct metrics *metrics;                        /* borrowed */
    uint64_t refused_boots[REGISTRY_REFUSED_BOOTS]; /* processes whose answers were wrong; the oldest is forgotten */
    unsigned refused_boot_count;
};

enum registry_news_type {
    NEWS_NONE,
    NEWS_JOINED,     /* worker: a new session */
    NEWS_CONFIGURED, /* worker: the present configuration is in force */
    NEWS_LEFT, /* worker (still filled in, present == false) said goodbye; its job, if any, is up for somebody else */
    NEWS_LOST, /* the same without a goodbye */
    NEWS_DEAD, /* the same after silence or disobedience: if it is a child of ours it must be killed */
    NEWS_SUSPECT, /* worker: became suspect */
    NEWS_JOB_LOST /* worker lives, but has no trace of the job it held (already cleared; copy in `job`) */
};
struct registry_news {
    enum registry_news_type type;
    unsigned worker;
    struct worker_job job; /* NEWS_LEFT, NEWS_LOST, NEWS_DEAD, NEWS_JOB_LOST */
    int local_slot;
    char name[WIRE_NAME_BYTES_MAX +
              1];  /* of the worker; its place may have been taken by another one in the same step */
    char text[96]; /* why, for people */
};
/* News of one call, in order; room for all workers. */
struct registry_report {
    size_t count;
    struct registry_news items[2 * COORD_WORKERS_MAX];
};

void registry_init(struct registry *r, const struct registry_settings *settings, struct metrics *metrics);

/* To be called first in every step. */
void registry_note_time(struct registry *r, int64_t now_ms);
/* Judges a frame: finds the worker that may say this. Sends `welcome`, `refuse`, `reset`, heartbeat echoes itself.
 * ST_OK with *worker = index: a partial or result for the job that this worker holds (copy in *job); a result has freed
 * the worker already. ST_OK with *worker = COORD_WORKERS_MAX: taken care of. Any other answer: to be forgotten. */
enum status registry_take(struct registry *r, uint64_t peer, int local_slot, const struct msg *msg, int64_t now_us,
                          unsigned *worker, struct worker_job *job, struct registry_report *report,
                          struct coord_effects *out);
/* A frame that could not be decoded: counted; a worker of another protocol version is told so. */
void registry_bad_frame(struct registry *r, uint64_t peer, enum status status, uint32_t major, uint32_t minor,
                        struct registry_report *report, struct coord_effects *out);
void registry_peer_gone(struct registry *r, uint64_t peer, struct registry_report *report, struct coord_effects *out);
/* `type`: NEWS_LEFT, NEWS_LOST or NEWS_DEAD. */
void registry_drop(struct registry *r, unsigned worker, enum registry_news_type type, const char *why,
                   struct registry_report *report, struct coord_effects *out);
/* Its answers have shown that it can be trusted, or that it must go. ST_UNKNOWN: no worker has that boot id. */
enum status registry_trust(struct registry *r, uint64_t boot, bool trusted, struct registry_report *report,
                           struct coord_effects *out);
/* All records of a child process. */
void registry_drop_local(struct registry *r, int slot, const char *why, struct registry_report *report,
                         struct coord_effects *out);

/* A new configuration: workers get it as soon as they are idle. */
void registry_set_config(struct registry *r, const struct msg_configure *configure, uint32_t local_hash_mb,
                         uint32_t local_threads);
void registry_new_game(struct registry *r);
/* Heartbeats, suspects, deaths, configurations to be (re)sent. */
void registry_tick(struct registry *r, int64_t now_us, struct registry_report *report, struct coord_effects *out);
/* Sends the present configuration to idle workers that do not have it. */
void registry_configure(struct registry *r, int64_t now_ms, struct coord_effects *out);
int64_t registry_deadline_ms(const struct registry *r);

/* May it be given a job now? (configured, not suspect; a job being stopped may be overtaken by one of a newer epoch) */
bool worker_is_free(const struct registry *r, const struct worker *w);
bool worker_is_configured(const struct registry *r, const struct worker *w);
bool worker_is_usable(const struct registry *r, const struct worker *w); /* configured and not suspect */
/* Configured, or likely to be soon. */
bool worker_has_hope(const struct registry *r, const struct worker *w);
/* The longest smoothed round trip of a usable worker; 0 = not known. */
int32_t registry_rtt_us(const struct registry *r);
/* How fast usable workers are, in thousandths of the fastest; others 0. All equal unless all are known. */
void registry_weights(const struct registry *r, uint32_t weights[COORD_WORKERS_MAX]);
unsigned registry_usable_count(const struct registry *r); /* configured and not suspect */
/* A message to the worker with session, boot and sequence filled in. */
struct msg *registry_send(struct registry *r, struct worker *w, enum msg_type type, struct coord_effects *out);
/* Hands out a job: `job` is filled in but for session. Replaces the job that the worker held. */
void registry_send_job(struct registry *r, struct worker *w, const struct msg_job *job, enum job_owner owner,
                       uint32_t tag, int64_t now_ms, struct coord_effects *out);
void registry_send_stop(struct registry *r, struct worker *w, int64_t now_ms, struct coord_effects *out);
void registry_bye(struct registry *r, const char *why, struct coord_effects *out);

#endif
