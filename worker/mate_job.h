/* mate_job.h - one mate job of the coordinator: its limits go to the solver, what the solver finds goes to the inbox.
 *
 * While it runs there is an info about every half second; at the end exactly one INBOX_DONE. A mate is never said
 * without its line, which the solver has replayed against every defence.
 */
#ifndef MURAKUMO_WORKER_MATE_JOB_H
#define MURAKUMO_WORKER_MATE_JOB_H

#include "worker/engine/mate/mate.h"
#include "worker/inbox.h"

#include <stdatomic.h>

struct mate_job {
    const struct session_go *go;
    const Move *first_moves; /* its searchmoves, read */
    size_t first_move_count; /* 0 = all checks may be tried */
    const atomic_bool *stop;
};

/* Blocks until the job is over. False: memory is short, and nothing was put into the inbox. */
bool mate_job_run(struct mate_solver *solver, const struct position *pos, const struct mate_job *job,
                  struct inbox *inbox);

#endif
