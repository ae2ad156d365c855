/* event.h - everything that goes into the coordinator's core, and everything that comes out of it.
 *
 *   shell --(struct coord_event)--> coord_step() --(struct coord_effects)--> shell
 *
 * Time: every event carries now_us, a monotonic clock in microseconds. All decisions are taken in whole milliseconds
 * (now_us / 1000); the finer part only measures round trips. The wall clock plays no part.
 * Ownership: texts inside an event are borrowed for the call. Texts inside the effects live in the effects' own arena
 * or in the coordinator and stay valid until the next coord_step() of that coordinator: carry the effects out, in
 * order, first. Limits: one step produces at most COORD_EFFECTS_MAX effects and COORD_TEXT_BYTES_MAX bytes of text.
 */
#ifndef MURAKUMO_COORDINATOR_EVENT_H
#define MURAKUMO_COORDINATOR_EVENT_H

#include "common/shogi/types.h"
#include "proto/msg.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    COORD_WORKERS_MAX = 256,
    COORD_LOCAL_MAX = 64,          /* child processes that the shell can be asked to run */
    COORD_LINE_BYTES_MAX = 262144, /* longest USI line; a longer one is refused as a whole, with an `info string` */
    COORD_EFFECTS_MAX = 2048,
    COORD_TEXT_BYTES_MAX = 1048576,
    SCAN_GAMES_MAX = 320, /* games that may be queued for scanning at a time */
    SCAN_MULTIPV_MAX = 8,
    SCAN_AVOID_MAX = 3,
    TSUME_ORDERS_MAX = 256, /* positions that may be queued for solving at a time */
    COORD_PEER_REMOTE = -1  /* local_slot of a peer that is no child of this process */
};

/* ---- in ---- */

enum coord_event_type {
    COORD_EV_LINE,          /* a line from the GUI, without its line end */
    COORD_EV_EOF,           /* the GUI closed its side: like `quit` */
    COORD_EV_DETACH,        /* the front end of a daemon has gone: end its search, keep workers, tables and options */
    COORD_EV_SHUTDOWN,      /* SIGTERM or SIGINT: answer a running `go`, say goodbye to the workers, quit */
    COORD_EV_MESSAGE,       /* a decoded frame from a peer */
    COORD_EV_BAD_FRAME,     /* a frame from a peer that could not be decoded */
    COORD_EV_PEER_GONE,     /* a send to the peer failed for good (EHOSTUNREACH), or the link saw it vanish */
    COORD_EV_LOCAL_STARTED, /* the child process asked for by START_LOCAL runs */
    COORD_EV_LOCAL_DIED,    /* it ended, or could not be started; also after KILL_LOCAL */
    COORD_EV_TICK,          /* coord_deadline_ms() has come (harmless at any other time) */
    COORD_EV_SCAN_SUBMIT,   /* queue all positions of a game for analysis */
    COORD_EV_TRUST,         /* what a worker's answers to known questions have shown about it */
    COORD_EV_SCAN_CANCEL,   /* forget a queued game; no further results of it */
    COORD_EV_TSUME_SUBMIT   /* queue a position: is there a mate? */
};

/* One game to be scanned: the positions after first_ply .. last_ply of its moves (0 = the start position). */
struct scan_order {
    uint32_t id;                  /* chosen by the caller, unique among queued games; echoed */
    struct wire_str root;         /* SFEN of the start, at most WIRE_SFEN_BYTES_MAX */
    struct wire_str moves;        /* USI moves, single blanks, at most WIRE_MOVES_BYTES_MAX; legal (checked) */
    uint32_t first_ply, last_ply; /* last_ply is cut to the number of moves */
    uint64_t nodes;               /* node limit per position; 0 = none, then depth_max must be given */
    uint32_t depth_max;           /* 0 = none */
    uint32_t multipv;             /* 1..SCAN_MULTIPV_MAX; 0 = 1 */
    bool fresh;                   /* clear tables before each position: results do not depend on who computed them */
    /* One worker takes all positions in order, with tables cleared before the first one only. Whoever takes over after
     * a loss begins at the first again; what was reported is not reported twice. Excludes `fresh`. */
    bool warm;
    uint32_t kind;                       /* enum job_kind, of all positions */
    uint32_t plies_max;                  /* mate jobs: look only for mates within so many; 0 = any length */
    struct wire_str searchmoves;         /* allowed at every position; empty = all */
    uint64_t avoid_boot[SCAN_AVOID_MAX]; /* not for these worker processes (boot ids): a second opinion; 0 = none */
    uint64_t only_boot;                  /* a question to this process: not for any other; 0 = any */
    bool trusted_only;                   /* only for workers of whom COORD_EV_TRUST has spoken well */
};

/* One position to be solved: the side to move attacks; its king may be missing, the other one may not. */
struct tsume_order {
    uint32_t id;                 /* chosen by the caller, unique among queued positions; echoed */
    struct wire_str root;        /* SFEN */
    struct wire_str searchmoves; /* first moves that may be tried; empty = all checks */
    uint64_t nodes;              /* limit; 0 = none */
    uint32_t time_ms;            /* limit, from the moment a worker gets it; 0 = none */
    uint32_t plies_max;          /* look only for mates within so many; 0 = any length */
    bool any_length;             /* be content with the first mate found; else the shortest one is looked for */
    bool fresh;                  /* clear tables before: the result does not depend on who computes it */
};

struct coord_event {
    enum coord_event_type type;
    int64_t now_us; /* never goes back */
    union {
        struct {
            const char *bytes; /* not 0-terminated */
            size_t length;
            bool too_long; /* the line was longer than COORD_LINE_BYTES_MAX: bytes hold its beginning */
        } line;
        struct {
            uint64_t peer;  /* from the link; one number per connected peer, not reused soon */
            int local_slot; /* which of our own children sent it (known from the private endpoint), or COORD_PEER_REMOTE
                             */
            const struct msg *msg; /* decoded with msg_decode() */
        } message;
        struct {
            uint64_t peer;
            int local_slot;
            enum status status;    /* what msg_decode() answered */
            uint32_t major, minor; /* filled in for ST_VERSION */
        } bad_frame;
        struct {
            uint64_t peer;
        } peer_gone;
        struct {
            int slot;
        } local_started;
        struct {
            int slot;
            const char *text; /* how it ended: "exit 1", "signal 9", "cannot start: ..." */
        } local_died;
        struct scan_order scan_submit;
        struct {
            uint64_t boot; /* of the worker process */
            bool trusted;  /* false: it must go, and is refused when it comes again */
        } trust;
        struct {
            uint32_t id;
        } scan_cancel;
        struct tsume_order tsume_submit;
    };
};

/* ---- out ---- */

enum coord_effect_type {
    COORD_FX_SAY,         /* write the line and a line end to the GUI, and flush; an empty line is meant (keep-alive) */
    COORD_FX_SEND,        /* encode and send to the peer; boot and sequence are already filled in */
    COORD_FX_START_LOCAL, /* start child `slot` now; answer with LOCAL_STARTED or LOCAL_DIED */
    COORD_FX_KILL_LOCAL,  /* end child `slot`: kindly (it gets time for its goodbye) or at once; LOCAL_DIED follows */
    COORD_FX_EVICT,       /* forget the peer; what it sends from now on comes as a new peer or as a stranger */
    COORD_FX_LOG,         /* one `event key=value` line */
    COORD_FX_DEBUG_FILE,  /* option DebugLogFile: log all USI lines to this file from now on; "" = stop */
    COORD_FX_SCAN_RESULT, /* one position of a scanned game is done */
    COORD_FX_SCAN_DONE,   /* all positions of the game are done; its id and its place in the queue are free again */
    COORD_FX_TSUME_DONE,  /* a position is solved or given up; its id and its place in the queue are free again */
    COORD_FX_QUIT         /* carry out what stands before, end the children, exit with the code */
};

enum coord_log_level { COORD_LOG_ERROR, COORD_LOG_WARN, COORD_LOG_INFO, COORD_LOG_DEBUG };

struct scan_line {              /* one line of MultiPV; text is USI, verified by the rules from the first move on */
    uint32_t score_kind, depth; /* enum wire_score_kind; plies */
    int32_t score;              /* as in proto: from the side to move */
    struct wire_str pv;
};

struct scan_result {
    uint32_t id, ply;
    uint32_t verdict;     /* VERDICT_MOVE, VERDICT_RESIGN (no legal move), VERDICT_WIN (declaration), VERDICT_REFUSED;
                             mate jobs: VERDICT_MATE, VERDICT_NOMATE, VERDICT_UNKNOWN, VERDICT_REFUSED */
    struct wire_str best; /* USI move; empty unless VERDICT_MOVE, VERDICT_MATE */
    uint32_t score_kind, depth;
    int32_t score;
    uint64_t nodes;
    uint32_t elapsed_ms;
    uint32_t refuted_plies; /* mate jobs: there is no mate within so many */
    struct wire_str worker; /* name of the worker that did it */
    uint64_t boot;          /* of its process */
    struct wire_str text;   /* VERDICT_REFUSED: why */
    struct wire_str line;   /* VERDICT_MATE: replayed; checks all along, mate at the end */
    uint32_t line_count;
    struct scan_line lines[SCAN_MULTIPV_MAX]; /* lines[0] is the best */
};

struct tsume_outcome {
    uint32_t id;
    uint32_t verdict;     /* VERDICT_MATE, VERDICT_NOMATE, VERDICT_UNKNOWN (limit reached), VERDICT_REFUSED */
    uint32_t plies;       /* VERDICT_MATE: moves in the line, odd */
    bool shortest;        /* there is no shorter mate */
    struct wire_str line; /* VERDICT_MATE: replayed under the rules */
    uint64_t nodes, proof_nodes;
    int64_t elapsed_ms;     /* since the first worker got it */
    struct wire_str worker; /* name of the worker that settled it */
    struct wire_str text;   /* VERDICT_REFUSED: why */
};

struct coord_effect {
    enum coord_effect_type type;
    union {
        struct wire_str say; /* followed by a 0 byte that is not counted */
        struct {
            uint64_t peer;
            struct msg msg;
        } send;
        struct {
            int slot;
        } start_local;
        struct {
            int slot;
            bool kindly;
        } kill_local;
        struct {
            uint64_t peer;
        } evict;
        struct {
            enum coord_log_level level;
            struct wire_str text; /* followed by a 0 byte that is not counted */
        } log;
        struct wire_str debug_file; /* path, followed by a 0 byte */
        const struct scan_result *scan_result;
        const struct tsume_outcome *tsume_done;
        struct {
            uint32_t id;
            uint32_t positions; /* how many results were given */
        } scan_done;
        struct {
            int code;
        } quit;
    };
};

/* About 2 MB: allocate once, not on the stack. coord_step() empties it first. */
struct coord_effects {
    size_t count;
    struct coord_effect items[COORD_EFFECTS_MAX];
    size_t text_bytes;
    _Alignas(16) char text[COORD_TEXT_BYTES_MAX];
};

#endif
