/* run_status.h - the answer to "what is going on?": gathers what core, link and operating system know. */
#ifndef MURAKUMO_COORDINATOR_RUN_STATUS_H
#define MURAKUMO_COORDINATOR_RUN_STATUS_H

#include "common/net/link_zmq.h"
#include "coordinator/core/coord.h"

#include <sys/types.h>

struct run_status; /* keeps the memory that the answers need */

struct run_status *run_status_new(const char *program, const char *kind); /* borrowed texts; NULL: no memory */
void run_status_free(struct run_status *status);                          /* NULL is allowed */
/* One JSON object in one line, without its end (coordinator/view/cluster_status.h); valid until the next call. */
const char *run_status_text(struct run_status *status, const struct coord *coord, struct link *link, pid_t front,
                            size_t *length);

#endif
