/* farm_submit.h - games of an archive as a job of the store: the list is read once, hashed and frozen.
 *
 * Equal games and beginnings of others are left out (game_set.h, each is named on stderr). A mining job takes only
 * games whose licence is known: from a MANIFEST.tsv beside them (archive.h), from a comment `Licence: ...` in the
 * record, or from the caller; what a puzzle comes from is part of it.
 *
 * Manifest: SHA-256 over one line per game: number, SHA-256 of start and moves, file, index, source, licence. The same
 * games with the same settings are the same job: it is found again and goes on.
 */
#ifndef MURAKUMO_CLI_FARM_SUBMIT_H
#define MURAKUMO_CLI_FARM_SUBMIT_H

#include "coordinator/cli/archive.h"
#include "coordinator/core/mine.h"
#include "coordinator/store/store.h"

struct farm_submit_options {
    const char *command;
    struct store *store;
    const char *kind; /* "scan", "mine" */
    const struct mine *mine;
    int64_t priority;
    const char *licence;     /* of games that do not say it; "" = none */
    bool any_licence;        /* take games of unknown licence too */
    bool keep_twins;         /* equal games are work done once anyway, but each is wanted in the results */
    struct archive *archive; /* borrowed, filled with archive_add(); rewound at the end */
};

struct farm_submitted {
    int64_t job, games;
    uint32_t twins, unlicensed; /* left out */
    bool refused;               /* something could not be read: exit code 1 at the end */
    bool resumed;               /* the job was there already */
};

/* Problems with one king and boards that cannot come about in a game are records too, but nothing to search. */
bool farm_can_search(const struct record *record);
/* ST_MISSING: there is no game to work on (which has been said). */
MUST_USE enum status farm_submit(const struct farm_submit_options *options, struct farm_submitted *out);

#endif
