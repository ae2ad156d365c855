/* mate_peer.h - a worker of the tests that answers mate jobs: the real job code and the real solver, without processes.
 */
#ifndef MURAKUMO_TESTS_MODEL_MATE_PEER_H
#define MURAKUMO_TESTS_MODEL_MATE_PEER_H

#include "proto/msg.h"
#include "worker/inbox.h"

struct mate_peer;

struct mate_peer *mate_peer_new(size_t table_bytes); /* never NULL */
void mate_peer_free(struct mate_peer *peer);         /* NULL is allowed */
/* The answer to a job, without session; its texts belong to the peer until the next call. Deterministic: the job's time
 * limit is not looked at. */
struct msg_result mate_peer_answer(struct mate_peer *peer, const struct msg_job *job);

#endif
