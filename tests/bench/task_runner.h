/* task_runner.h - does the farm's tasks in this process: one after the other, no wire, no queue, no disk.
 *
 * What a worker and the coordinator do together for a task (task.h), as a plain loop. The answers are the same to the
 * last node; a check of that, and the measure of what the farm costs above its searches.
 */
#ifndef MURAKUMO_TESTS_TASK_RUNNER_H
#define MURAKUMO_TESTS_TASK_RUNNER_H

#include "coordinator/core/task.h"

struct task_runner;

/* NULL: no memory. The table is that of a worker with --hash hash_mb. */
struct task_runner *task_runner_new(uint32_t hash_mb);
void task_runner_free(struct task_runner *runner); /* NULL is allowed */
/* Appends the answer to `out` and adds its nodes to *nodes. False: the task is no such thing. */
bool task_runner_do(struct task_runner *runner, const struct task *task, struct text_buffer *out, uint64_t *nodes);

#endif
