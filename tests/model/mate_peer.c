#include "tests/model/mate_peer.h"

#include "common/shogi/sfen.h"
#include "worker/mate_job.h"

#include <assert.h>
#include <stdlib.h>

struct mate_peer {
    struct mate_solver *solver;
    struct inbox *inbox;
    struct inbox_item item; /* of the last answer */
};

struct mate_peer *mate_peer_new(size_t table_bytes)
{
    struct mate_peer *peer = calloc(1, sizeof *peer);
    assert(peer);
    peer->solver = mate_new(table_bytes, 1);
    peer->inbox = inbox_new();
    assert(peer->solver && peer->inbox);
    return peer;
}

void mate_peer_free(struct mate_peer *peer)
{
    if (!peer) return;
    free(peer->item.line);
    mate_free(peer->solver);
    inbox_free(peer->inbox);
    free(peer);
}

struct msg_result mate_peer_answer(struct mate_peer *peer, const struct msg_job *job)
{
    static const atomic_bool never = false;
    struct position pos;
    enum status status = sfen_read(&pos, job->root.bytes, job->root.length, NULL, NULL);
    assert(status == ST_OK && !job->moves.length && !job->searchmoves.length);
    (void)status;
    struct session_go go = {.run = 1,
                            .fresh = job->fresh,
                            .kind = JOB_MATE,
                            .nodes = job->nodes,
                            .plies_max = job->plies_max,
                            .any_length = job->any_length,
                            .certificate = job->certificate,
                            .seed = job->seed};
    struct mate_job order = {.go = &go, .stop = &never};
    bool done = mate_job_run(peer->solver, &pos, &order, peer->inbox);
    assert(done);
    (void)done;
    free(peer->item.line);
    peer->item.line = NULL;
    while (inbox_take(peer->inbox, &peer->item) && peer->item.type != INBOX_DONE) {
    }
    struct msg_result result = inbox_event(&peer->item).engine.result;
    result.elapsed_ms = 0;
    result.epoch = job->epoch;
    result.job = job->job;
    result.attempt = job->attempt;
    return result;
}
