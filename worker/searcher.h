/* searcher.h - the engine and the mate solver behind a thread of their own, so that nothing slow touches the I/O
 * thread.
 *
 * Allocating and clearing a table of many gigabytes takes seconds, and heartbeats must go on meanwhile. So every order
 * is only noted here; the searcher's thread carries the orders out one after another and answers through the inbox. A
 * stop may come at any time, even before the search it ends has begun: the search then ends as soon as it has a move.
 *
 * Threads: all functions are called by the I/O thread, but for searcher_hints_*().
 */
#ifndef MURAKUMO_WORKER_SEARCHER_H
#define MURAKUMO_WORKER_SEARCHER_H

#include "common/base/hint.h"
#include "worker/inbox.h"

struct searcher;

/* Starts with a small table; the real one comes with the first searcher_configure(). hash_mb is what is used when a
 * wish does not fit into the machine. NULL: no memory. `inbox` is borrowed. */
struct searcher *searcher_new(struct inbox *inbox, uint32_t threads, uint32_t hash_mb);
/* Ends a running search and waits for it. NULL is allowed. */
void searcher_free(struct searcher *searcher);

/* In force when INBOX_CONFIG_DONE comes. A table that does not fit is made smaller, with a remark. */
void searcher_configure(struct searcher *searcher, const struct msg_configure *configure);
void searcher_new_game(struct searcher *searcher);
/* Answered by infos and one INBOX_DONE or INBOX_REFUSED. Texts are copied. */
void searcher_go(struct searcher *searcher, const struct session_go *go);
void searcher_stop(struct searcher *searcher, uint32_t run);

/* The hint plane, called by its thread: what the running search has to tell, and what others told. They do nothing
 * while a table is being cleared or changed, and when `scope` is not that of the search that runs: hints of a playing
 * search and of a mate job look alike, but mean different things. */
size_t searcher_hints_take(struct searcher *searcher, uint64_t scope, struct hint *out, size_t capacity);
void searcher_hints_put(struct searcher *searcher, uint64_t scope, const struct hint *hints, size_t count);
void searcher_hints_gate(struct searcher *searcher, uint64_t scope, int gate);

/* What hello tells about the evaluation. */
uint64_t searcher_eval_hash(const struct searcher *searcher);
const char *searcher_eval_name(const struct searcher *searcher);

#endif
