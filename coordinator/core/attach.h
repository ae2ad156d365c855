/* attach.h - the thin front end of a daemon: what it must remember so that neither side's end costs the game.
 *
 *   GUI <-----> attach <-----> daemon      `murakumo serve`, over its door
 *                  |
 *                  +---------> stand-in    a coordinator without workers in our own process: its short search always
 *                                          has a legal move
 *
 *   connected      every line goes to the daemon, every answer to the GUI
 *   lost           the stand-in takes over an open `go` with what is left of its clock, and answers everything else
 *   connected again  options, position and the open `go` (less the time that has passed) go to the new daemon; the
 *                  stand-in is stopped, unless so little time is left that it had better finish
 *   silent         the daemon is there but has not answered when the clock is nearly over: the stand-in answers at
 * once, and the daemon's late answer is dropped
 *
 * So each `go` gets exactly one answer, each `isready` one readyok. Pure: time comes in, lines go out. The list of
 * effects is emptied by the caller (attach_clear) when he has carried it out; functions append.
 */
#ifndef MURAKUMO_COORDINATOR_ATTACH_H
#define MURAKUMO_COORDINATOR_ATTACH_H

#include "common/base/text.h"
#include "coordinator/core/board.h"
#include "coordinator/core/event.h"
#include "coordinator/usi/options.h"
#include "coordinator/usi/usi.h"

enum attach_target { ATTACH_GUI, ATTACH_DAEMON, ATTACH_STANDIN, ATTACH_QUIT };
enum { ATTACH_EFFECTS_MAX = 256, ATTACH_SETTINGS_BYTES_MAX = 65536 };

struct attach_effect {
    enum attach_target target;
    size_t at, length; /* of the line, in `text` */
};

struct attach {
    bool connected;
    struct options options; /* for the clock only */
    struct board board;
    char settings[ATTACH_SETTINGS_BYTES_MAX]; /* the `setoption` lines in force, each with LF */
    size_t settings_bytes;
    char position[COORD_LINE_BYTES_MAX], go[COORD_LINE_BYTES_MAX]; /* the lines as they came */
    size_t position_bytes, go_bytes;
    bool going;                         /* a `go` waits for its answer */
    bool standing_in;                   /* ... from the stand-in */
    int64_t go_ms;                      /* its clock runs since then; of ponder: since ponderhit */
    int64_t watch_ms;                   /* no answer by then: the stand-in answers; INT64_MAX = it may take its time */
    int64_t end_ms;                     /* the clock is over then; INT64_MAX = none */
    bool hit;                           /* ponderhit was said */
    unsigned daemon_owes, standin_owes; /* answers to `go` that will still come from there */
    unsigned usi_asked, ready_asked;
    struct {
        uint64_t losses, handovers, rescues, late_answers;
    } counters;

    struct attach_effect effects[ATTACH_EFFECTS_MAX];
    size_t effect_count;
    struct text_buffer text;
};

void attach_init(struct attach *a);
void attach_free(struct attach *a);
void attach_clear(struct attach *a);

void attach_gui_line(struct attach *a, const char *line, size_t length, bool too_long, int64_t now_ms);
void attach_daemon_line(struct attach *a, const char *line, size_t length);
void attach_standin_line(struct attach *a, const char *line, size_t length);
void attach_connected(struct attach *a, int64_t now_ms);
void attach_lost(struct attach *a, int64_t now_ms);
/* When the watch is due. */
void attach_tick(struct attach *a, int64_t now_ms);
int64_t attach_deadline_ms(const struct attach *a);

#endif
