/* match_profile.h - what a USI engine understands, and the `go` line that says a limit in its own words.
 *
 * Engines differ: one exits on `go nodes`, another takes byoyomi for an increment and answers after half of it. A
 * profile is found by the engine's `id name`; an engine without one is taken to know all of USI and its usual
 * extensions. Whatever the engine is told, the referee's clock is the one that counts.
 *
 * Sources: measured with Debian 12's fairy-stockfish 11.1 and gpsshogi 0.7.0.
 */
#ifndef MURAKUMO_CORE_MATCH_PROFILE_H
#define MURAKUMO_CORE_MATCH_PROFILE_H

#include "common/base/status.h"
#include "common/shogi/types.h"
#include "coordinator/core/match_clock.h"

#include <stddef.h>

struct match_option {
    const char *name, *value;
};

enum { MATCH_PROFILE_OPTIONS_MAX = 4, MATCH_GO_BYTES_MAX = 256 };

struct match_profile {
    const char *name;
    const char *id_prefix;                                  /* of `id name`; "" fits everything */
    const char *note;                                       /* printed for the user */
    const char *hash_option, *threads_option;               /* NULL: has none */
    struct match_option options[MATCH_PROFILE_OPTIONS_MAX]; /* sent first; ended by a NULL name */
    bool takes_nodes, takes_depth, takes_movetime, takes_increment;
    bool time_includes_increment; /* btime/wtime are read as on the clock now, as in UCI */
    bool byoyomi_as_movetime;     /* without main time, `movetime` makes it use all of the byoyomi */
    int64_t move_ms_min;          /* shorter limits are not kept; 0 = any */
};

/* Never NULL. */
const struct match_profile *match_profile_find(const char *id_name);
/* ST_OK, or ST_RANGE with one line in `why` when the engine cannot be held to these limits. */
MUST_USE enum status match_profile_check(const struct match_profile *profile, const struct match_limits *limits,
                                         char *why, size_t why_bytes);
/* Writes "go ..." without a line end for the side to move; clocks are indexed by colour. Limits have been checked. */
void match_profile_go(const struct match_profile *profile, const struct match_clock clocks[COLOR_COUNT], Color side,
                      char out[MATCH_GO_BYTES_MAX]);

#endif
