/* match_openings.h - the start positions of a match, each checked by the rules before the first game. */
#ifndef MURAKUMO_CLI_MATCH_OPENINGS_H
#define MURAKUMO_CLI_MATCH_OPENINGS_H

#include "coordinator/core/referee.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct match_openings {
    char **lines; /* as referee_start() takes them */
    uint32_t count;
    uint64_t hash; /* of all lines in order: same number, same openings */
};

/* One opening a line; empty lines and those that begin with # are skipped. path NULL: the start position alone.
 * False: one line `file:line: ...` is on stderr. */
bool match_openings_load(struct match_openings *openings, const char *path, const struct referee_rules *rules);
void match_openings_free(struct match_openings *openings);

#endif
