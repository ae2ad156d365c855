/* farm_export.h - the results of a job into files.
 *
 * A file is written beside its place and moved there when it is complete. Equal stores give equal bytes.
 */
#ifndef MURAKUMO_CLI_FARM_EXPORT_H
#define MURAKUMO_CLI_FARM_EXPORT_H

#include "coordinator/store/store.h"

#include <stdbool.h>

struct farm_export_options {
    const char *command;
    struct store *store;
    int64_t job;
    const char *out;     /* a file; "-" or "" = stdout; kif: FOLDER/ = a file for each puzzle */
    const char *formats; /* "jsonl,csv,...": with more than one each gets its own ending behind `out` */
    bool all;            /* also what was held back or rejected, with the reason (jsonl) */
};

struct farm_export_counts {
    uint64_t candidates, published, held, rejected;
};

/* False: it was said on stderr. A job that is not done gives what there is. */
bool farm_export(const struct farm_export_options *options, struct farm_export_counts *counts);

#endif
