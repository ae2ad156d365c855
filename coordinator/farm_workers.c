/* farm_workers.c - see farm_workers.h. */
#include "coordinator/farm_workers.h"

#include "common/base/log.h"
#include "common/base/sha256.h"
#include "common/shogi/sfen.h"

#include <inttypes.h>
#include <string.h>

/* Orders of known questions, one per place of `proofs`; the farm's own orders count up from 1 and stay under it. */
#define PROOF_ORDER_ID 0xffff0000u
enum { QUESTIONS = 2 };

void farm_workers_init(struct farm_workers *w, uint32_t hash_mb)
{
    memset(w, 0, sizeof *w);
    w->hash_mb = hash_mb;
    for (unsigned i = 0; i < COORD_WORKERS_MAX; i++) text_buffer_init(&w->proofs[i].answer, ANSWER_BYTES_MAX);
}

void farm_workers_free(struct farm_workers *w)
{
    for (unsigned i = 0; i < COORD_WORKERS_MAX; i++) text_buffer_free(&w->proofs[i].answer);
}

bool farm_workers_take_result(struct farm_workers *w, const struct scan_result *result)
{
    if (result->id < PROOF_ORDER_ID) return false;
    answer_write(result, &w->proofs[result->id - PROOF_ORDER_ID].answer);
    return true;
}

bool farm_workers_take_done(struct farm_workers *w, uint32_t id)
{
    if (id < PROOF_ORDER_ID) return false;
    w->proofs[id - PROOF_ORDER_ID].done = true;
    return true;
}

void farm_workers_accuse(struct farm_workers *w, struct run *run, uint64_t boot, const char *name)
{
    log_error("worker_quarantined name=\"%s\" why=\"its answers differ from those of others\"", name);
    (void)run_trust(run, boot, false);
    if (w->liar_count < FARM_LIARS_MAX) w->liars[w->liar_count++] = boot;
}

bool farm_workers_take_liar(struct farm_workers *w, uint64_t *boot)
{
    if (!w->liar_count) return false;
    *boot = w->liars[--w->liar_count];
    return true;
}

/* Every part of a worker that results depend on: the search with a warm table, and the mate solver. */
static struct scan_order question(unsigned number)
{
    static const char moves[] = "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e",
                      mate[] = "8k/R7s/g5N2/1R7/8L/4+b4/9/9/9 b b3g3s3n3l18p 1";
    if (number == 0)
        return (struct scan_order){.root = wire_str_make(SFEN_STARTPOS, strlen(SFEN_STARTPOS)),
                                   .moves = wire_str_make(moves, sizeof moves - 1),
                                   .last_ply = 6,
                                   .nodes = 5000,
                                   .multipv = 2,
                                   .warm = true};
    return (struct scan_order){.root = wire_str_make(mate, sizeof mate - 1),
                               .moves = wire_str_make("", 0),
                               .nodes = 20000,
                               .multipv = 1,
                               .kind = JOB_MATE,
                               .fresh = true};
}

/* False: it could not be asked; the place is free. */
static bool question_next(const struct farm_workers *w, struct run *run, struct proof *proof)
{
    struct scan_order order = question(proof->asked++);
    order.id = PROOF_ORDER_ID + (uint32_t)(proof - w->proofs);
    order.only_boot = proof->boot;
    proof->done = false;
    if (run_scan_submit(run, &order) == ST_OK) return true;
    proof->boot = 0;
    return false;
}

static void proof_ask(struct farm_workers *w, struct run *run, uint64_t boot)
{
    struct proof *place = NULL;
    for (unsigned i = 0; i < COORD_WORKERS_MAX; i++) {
        if (w->proofs[i].boot == boot) return; /* asked already */
        if (!w->proofs[i].boot && !place) place = &w->proofs[i];
    }
    if (!place) return;
    text_buffer_clear(&place->answer);
    place->boot = boot;
    place->asked = 0;
    (void)question_next(w, run, place);
}

/* What the engine answers to known questions is its name: results of another one are not mixed with these. */
static uint64_t engine_name(const struct farm_workers *w, const struct text_buffer *answer)
{
    struct sha256 hash;
    uint8_t digest[SHA256_BYTES];
    uint64_t name = 0;
    sha256_init(&hash);
    sha256_add(&hash, answer->data, answer->length);
    sha256_add(&hash, &w->hash_mb, sizeof w->hash_mb); /* other tables, other answers */
    sha256_end(&hash, digest);
    for (int i = 0; i < 8; i++) name = name << 8 | digest[i];
    return name ? name : 1;
}

/* Workers answer known questions before they get work. The first of our own machine says what the answer is. */
void farm_workers_look(struct farm_workers *w, struct run *run, const struct coord_snapshot *now)
{
    for (unsigned i = 0; i < COORD_WORKERS_MAX; i++) {
        struct proof *proof = &w->proofs[i];
        const struct coord_worker_snapshot *worker = NULL;
        for (uint32_t k = 0; proof->boot && k < now->worker_count; k++)
            if (now->workers[k].boot == proof->boot) worker = &now->workers[k];
        if (!proof->boot || (worker && !proof->done)) continue;
        if (worker && proof->asked < QUESTIONS) {
            (void)question_next(w, run, proof);
            continue;
        }
        if (!worker && !proof->done) (void)run_scan_cancel(run, PROOF_ORDER_ID + i); /* it is gone */
        if (worker && proof->answer.status == ST_OK && proof->answer.length > 0) {
            uint64_t name = engine_name(w, &proof->answer);
            if (!w->engine) w->engine = name;
            if (name == w->engine)
                (void)run_trust(run, proof->boot, true);
            else
                farm_workers_accuse(w, run, proof->boot, worker->name);
        }
        proof->boot = 0;
    }
    for (uint32_t k = 0; k < now->worker_count; k++) {
        const struct coord_worker_snapshot *worker = &now->workers[k];
        bool our_own = worker->local_slot != COORD_PEER_REMOTE;
        if (!worker->trusted && worker->configured && (w->engine || our_own)) proof_ask(w, run, worker->boot);
    }
}

/* The workers of this look; whoever was there in the last one has a speed. */
static void measure_speeds(struct farm_workers *w, const struct coord_snapshot *now)
{
    static struct speed before[COORD_WORKERS_MAX];
    memcpy(before, w->speeds, sizeof before);
    for (uint32_t i = 0; i < now->worker_count; i++) {
        const struct coord_worker_snapshot *worker = &now->workers[i];
        struct speed speed = {.boot = worker->boot, .nodes = worker->nodes, .at_ms = now->now_ms};
        for (unsigned k = 0; k < COORD_WORKERS_MAX; k++)
            if (before[k].boot == worker->boot && now->now_ms > before[k].at_ms && worker->nodes >= before[k].nodes)
                speed.nodes_per_s =
                    (worker->nodes - before[k].nodes) * 1000 / (uint64_t)(now->now_ms - before[k].at_ms);
        w->speeds[i] = speed;
    }
    for (uint32_t i = now->worker_count; i < COORD_WORKERS_MAX; i++) w->speeds[i].boot = 0;
}

void farm_workers_write(struct farm_workers *w, const struct coord_snapshot *now, struct text_buffer *out)
{
    measure_speeds(w, now);
    for (uint32_t i = 0; i < now->worker_count; i++) {
        const struct coord_worker_snapshot *worker = &now->workers[i];
        text_buffer_put_string(out, i ? ",{\"name\":" : "{\"name\":");
        text_buffer_put_json(out, text_from(worker->name));
        text_buffer_format(
            out, ",\"busy\":%s,\"suspect\":%s,\"trusted\":%s,\"nodes\":%" PRIu64 ",\"nodes_per_s\":%" PRIu64 "}",
            worker->busy ? "true" : "false", worker->suspect ? "true" : "false", worker->trusted ? "true" : "false",
            worker->nodes, w->speeds[i].nodes_per_s);
    }
}
