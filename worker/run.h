/* run.h - the worker's shell: the one loop that joins link, session and searcher.
 *
 *   link ---frames---> session_step ---effects---> link, searcher
 *   searcher --inbox--> session_step
 *
 * The loop never blocks but in link_wait(), and nothing slow happens in it.
 */
#ifndef MURAKUMO_WORKER_RUN_H
#define MURAKUMO_WORKER_RUN_H

#include "common/net/link_zmq.h"

#include <stdint.h>

struct worker_run_options {
    const char *endpoint;
    const struct link_zmq_keys *keys; /* NULL: none; borrowed for the call */
    const char *name;                 /* shown to people */
    const char *build;                /* program version */
    uint32_t threads, hash_mb;
    const char *record_path; /* flight recorder: every event as a line of text; NULL or "": none */
};

/* Runs until SIGTERM or SIGINT, or until the coordinator does not want us. Returns the exit code of the program: 0
 * asked to leave, 1 broken, 3 not accepted by the coordinator. Messages for people go to stderr. */
int worker_run(const struct worker_run_options *options);

#endif
