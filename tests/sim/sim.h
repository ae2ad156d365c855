/* sim.h - a whole cluster in one thread and in virtual time: the real coordinator core, the real worker sessions, a toy
 * engine in each worker, a model of the network, and a GUI that plays and keeps the books.
 *
 *   gui.c ---lines---> coord_step() ---frames---> netmodel.c ---frames---> session_step() ---go, stop---> toy engine
 *     ^---------------------'  ^-------------------------------------------------'
 *
 * Everything follows from the seed: the kind of cluster, the faults, what the GUI asks. Faults happen until chaos_us;
 * after that all workers come back and everything that was asked must be finished. After every step the promises are
 * checked from outside (promises.c, gui.c): from lines, frames and effects alone, not from the state of the cores. The
 * first broken promise ends the run.
 */
#ifndef MURAKUMO_SIM_SIM_H
#define MURAKUMO_SIM_SIM_H

#include "coordinator/core/coord.h"
#include "tests/sim/netmodel.h"
#include "tests/model/toytree.h"
#include "worker/core/session.h"

#include <stdio.h>

enum { SIM_WORKERS_MAX = 64, SIM_TRACE_LINES = 60, SIM_TRACE_BYTES = 240, SIM_ACCEPTED = 256 };

/* What kind of seed is it? */
struct sim_plan {
    const char *name;
    unsigned workers, locals; /* the first `locals` workers are children of the coordinator */
    struct net_options net;
    bool crashes, hangs, cuts, partitions, terms, late;
    bool lossy; /* the network is worse than TCP */
    bool liars; /* some workers send nonsense */
    bool blind; /* only worker 0 sees mates */
    bool scan;
    const char *strategy; /* value of SplitStrategy */
    unsigned gos;         /* searches that the GUI asks for */
    unsigned games;       /* > 0: instead of single searches so many games, each of game_plies moves at byoyomi_ms */
    unsigned game_plies, byoyomi_ms;
    int64_t chaos_us, end_us;
};

enum sim_engine { ENGINE_FREE, ENGINE_CONFIGURES, ENGINE_SEARCHES };

struct sim_worker {
    unsigned index;
    bool alive;         /* the process runs */
    bool gone_for_good; /* refused: it will not come back */
    bool faulted;       /* something has been done to it, or it lies */
    bool liar;
    int slot;                       /* of a local worker; else COORD_PEER_REMOTE */
    int64_t hung_until_us;          /* 0 = not hung */
    int64_t respawn_us, connect_us; /* INT64_MAX = not due */
    uint64_t connection;            /* peer id; 0 = not connected */
    int64_t heard_us;               /* a frame of it was delivered last */
    int64_t started_us;
    uint64_t sessions; /* welcomes taken, over all processes */
    struct {
        uint64_t connection, sequence;
    } accepted[SIM_ACCEPTED]; /* frames that the coordinator has taken */

    struct session *session;
    int64_t session_due_ms;  /* session_deadline_ms() after its last step */
    struct net_frame *inbox; /* frames that wait while it hangs */
    size_t inbox_count, inbox_capacity;

    enum sim_engine engine;
    int64_t engine_us; /* when it has something to say */
    int64_t us_per_node;
    uint32_t run, config;
    bool stop;
    bool idles;  /* waits for stop at its last depth */
    bool dreams; /* blindfolded: does not see the mate, and claims more depth than it has */
    struct session_go go;
    char root[WIRE_SFEN_BYTES_MAX + 1], moves[WIRE_MOVES_BYTES_MAX + 1], searchmoves[WIRE_SEARCHMOVES_BYTES_MAX + 1];
    struct position pos;
    Move allowed[MOVES_MAX];
    size_t allowed_count;
    int depth, depth_last;
    struct toy_truth truth; /* of the last finished depth */
    int64_t go_us;
};

struct gui;

struct sim {
    uint64_t seed;
    struct sim_plan plan;
    struct prng prng;
    int64_t now_us;
    struct coord *coord;
    struct coord_effects *effects;
    struct net net;
    int64_t worker_due_us[SIM_WORKERS_MAX]; /* as of the last look at what is next */
    uint64_t connections;
    uint64_t coord_boot;
    int64_t coord_due_ms; /* coord_deadline_ms() after its last step */
    struct {              /* what the link and the operating system will tell the coordinator */
        int64_t due_us;
        enum coord_event_type type;
        uint64_t peer;
        int slot;
    } facts[64];
    size_t fact_count;
    int64_t fault_us; /* next fault; INT64_MAX = none */
    bool healed, quit;
    int64_t last_due_ms; /* for the promise about ticks */
    struct gui *gui;
    uint64_t steps, faults;
    uint64_t hash; /* of everything that happened: same seed, same hash */

    bool trace; /* to stderr */
    char lines[SIM_TRACE_LINES][SIM_TRACE_BYTES];
    uint64_t line_count;
    char broken[512]; /* the promise that was broken; empty = none */
    struct sim_worker workers[SIM_WORKERS_MAX];
};

struct sim_report {
    char broken[512];
    char plan[32];
    uint64_t steps, faults, hash, gos, games;
    int64_t virtual_us;
    int64_t latest_us; /* games: the answer that came closest to the end of its clock came so long before it */
};

/* Runs one seed to its end. False: a promise was broken; the report says which. */
bool sim_run(uint64_t seed, bool trace, struct sim_report *report);
/* The same with a plan of the caller's. */
bool sim_run_plan(const struct sim_plan *plan, uint64_t seed, bool trace, struct sim_report *report);
/* A tournament: games against the clock with so many workers on a network of 20 ms round trip that loses 1 % of the
 * frames (worse than TCP would). */
struct sim_plan sim_plan_tournament(unsigned workers, unsigned games, unsigned plies);
/* What the seed means. */
struct sim_plan sim_plan_of(uint64_t seed);

/* ---- between the parts ---- */
__attribute__((format(printf, 2, 3))) void sim_note(struct sim *sim, const char *format, ...); /* a line of the trace */
__attribute__((format(printf, 2, 3))) void sim_break(struct sim *sim, const char *format,
                                                     ...); /* a promise is broken */
enum status sim_coord(struct sim *sim,
                      struct coord_event *event); /* a step of the coordinator and what follows from it */
void sim_say(struct sim *sim, const char *line);  /* the GUI writes a line */

/* simworker.c */
void worker_boot(struct sim *sim, struct sim_worker *w);
void worker_kill(struct sim *sim, struct sim_worker *w, int64_t respawn_us); /* kill -9 */
void worker_cut(struct sim *sim, struct sim_worker *w);                      /* its connection breaks */
void worker_frame(struct sim *sim, struct sim_worker *w, const struct net_frame *frame);
int64_t worker_next_us(const struct sim_worker *w);
void worker_work(struct sim *sim, struct sim_worker *w); /* whatever is due now */
void worker_terminate(struct sim *sim, struct sim_worker *w);
void worker_free(struct sim_worker *w);

/* faults.c */
void faults_plan_next(struct sim *sim);
void faults_act(struct sim *sim);
void faults_heal(struct sim *sim);

/* gui.c */
struct gui *gui_new(struct sim *sim);
void gui_free(struct gui *gui);
int64_t gui_next_us(const struct gui *gui);
void gui_act(struct gui *gui);
void gui_hears(struct gui *gui, const char *line, size_t bytes);
void gui_sees_job(struct gui *gui, const struct msg_job *job);
/* A report that the coordinator has just accepted. */
void gui_sees_partial(struct gui *gui, const struct msg_partial *partial);
void gui_scan_result(struct gui *gui, const struct scan_result *result);
void gui_scan_done(struct gui *gui, uint32_t id, uint32_t positions);
void gui_after_step(struct gui *gui);
void gui_at_end(struct gui *gui);
uint64_t gui_gos(const struct gui *gui);
uint64_t gui_games(const struct gui *gui);
int64_t gui_latest_us(const struct gui *gui);
bool gui_is_done(const struct gui *gui);

#endif
