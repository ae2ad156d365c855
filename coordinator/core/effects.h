/* effects.h - how the modules of the core put effects into the list of a step.
 *
 * Vital effects (SEND, SAY of answers, START, KILL, EVICT, QUIT, scan results, outcomes) always find room: one step
 * makes at most five messages per worker and a few lines. Info and log lines are dropped and counted when less than
 * that reserve is left. Texts are copied into the arena, save those of `wire_str` members the caller fills in itself:
 * these must outlive the step.
 */
#ifndef MURAKUMO_COORDINATOR_EFFECTS_H
#define MURAKUMO_COORDINATOR_EFFECTS_H

#include "coordinator/core/event.h"

#define FX_FORMAT(a, b) __attribute__((format(printf, a, b)))

void fx_clear(struct coord_effects *out);
/* A copy in the arena with a 0 behind it. */
struct wire_str fx_text(struct coord_effects *out, const char *bytes, size_t length);

void fx_say(struct coord_effects *out, const char *text, size_t length);
void fx_say_joined(struct coord_effects *out, const char *start, struct wire_str rest); /* one line of any length */
FX_FORMAT(2, 3) void fx_sayf(struct coord_effects *out, const char *format, ...);
/* False when it was dropped. */
bool fx_info(struct coord_effects *out, const char *text, size_t length);
FX_FORMAT(2, 3) bool fx_infof(struct coord_effects *out, const char *format, ...);
FX_FORMAT(3, 4) bool fx_log(struct coord_effects *out, enum coord_log_level level, const char *format, ...);

struct msg *fx_send(struct coord_effects *out, uint64_t peer, enum msg_type type);
void fx_start_local(struct coord_effects *out, int slot);
void fx_kill_local(struct coord_effects *out, int slot, bool kindly);
void fx_evict(struct coord_effects *out, uint64_t peer);
void fx_debug_file(struct coord_effects *out, const char *path);
void fx_quit(struct coord_effects *out, int code);
/* Room for one result in the arena, zeroed. */
struct scan_result *fx_scan_result(struct coord_effects *out);
/* The same for an outcome; `tell` = as an effect, else it is only room in the arena. */
struct tsume_outcome *fx_tsume_done(struct coord_effects *out, bool tell);
void fx_scan_done(struct coord_effects *out, uint32_t id, uint32_t positions);

/* Text that a peer or a file wrote, made fit for a log or info line: no control characters, no quotes, at most `max`
 * bytes. */
struct wire_str fx_clean(struct coord_effects *out, struct wire_str text, size_t max);

#endif
