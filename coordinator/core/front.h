/* front.h - what the lines of the GUI do. The USI dialogue itself: options, readiness, position, the life of the
 * process.
 *
 *   usi -> id, options, usiok         at once
 *   isready -> readyok                when the local workers are configured; an empty line every 4 s meanwhile; during
 * a search at once position -> (nothing)             or an `info string` that tells the place of the mistake; then a
 * `go` is answered with resign quit, end of input                a running `go` is answered first, the workers hear a
 * goodbye
 */
#ifndef MURAKUMO_COORDINATOR_FRONT_H
#define MURAKUMO_COORDINATOR_FRONT_H

#include "coordinator/core/game.h"
#include "coordinator/core/local.h"

struct front {
    const char *name; /* of the engine */
    struct options options;
    struct board board;  /* of the last `position` */
    bool config_changed; /* since it was last given to the registry */
    bool quitting;
    bool serves;          /* several front ends, one after the other: `quit` is only a goodbye */
    unsigned ready_asked; /* `isready` not yet answered */
    int64_t ready_since_ms, ready_blank_ms, ready_end_ms;
    int64_t ready_wait_ms;
};

void front_init(struct front *f, const char *name, int64_t hash_mb, int64_t threads, int64_t ready_wait_ms);
/* Hands changed options to the registry. */
void front_flush_config(struct front *f, struct registry *registry);
enum status front_line(struct front *f, const char *bytes, size_t length, bool too_long, struct game *game,
                       struct local *local, struct game_env *env);
void front_quit(struct front *f, const char *why, struct game *game, struct local *local, struct game_env *env);
/* The front end has gone: its search ends, nothing that it asked is answered any more. */
void front_detach(struct front *f, struct game *game, struct game_env *env);
/* Answers `isready` when it is time. */
void front_advance(struct front *f, const struct local *local, struct game_env *env);
int64_t front_deadline_ms(const struct front *f);

#endif
