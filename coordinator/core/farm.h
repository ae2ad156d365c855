/* farm.h - the queue of the farm: tasks go out to workers, answers go to the disk, and only then back to who asked.
 *
 *   SUBMIT --> READY --hand out--> OUT --all positions in--> SAVING --on disk--> told to the owner, forgotten
 *                ^                  |  \                        ^
 *                |                  |   +-- sampled: a second --+  equal answers
 *                +------------------+      process is asked
 *              lost, taken back            unequal: a third decides, and the odd one out is QUARANTINEd
 *
 * Below it, scan.h holds the leases: a fencing token on every message, prolonged by progress, four tries. What fails
 * there is saved as `buried`, with the reason. Above it, the owner asks again for what is not in the store when he
 * starts: a crash of anybody loses only work that was not saved, and a task that is done twice is one row (task.h).
 *
 * Order: higher priority first, then lower `order`, then lower number of submission. At most `window` tasks are with
 * the cluster at a time. Contract: step(farm, event, effects), as everywhere: pure, time is not needed here. Views in
 * effects are valid until the next step. Memory: all slots live in `struct farm`; their texts grow to what was needed
 * once.
 */
#ifndef MURAKUMO_COORDINATOR_FARM_H
#define MURAKUMO_COORDINATOR_FARM_H

#include "coordinator/core/task.h"

enum { FARM_TASKS_MAX = 512, FARM_EFFECTS_MAX = 2 * FARM_TASKS_MAX + 16, FARM_WHY_BYTES = 256 };
enum { FARM_OPINIONS_MAX = 3, FARM_SAMPLE_PERMILLE_MAX = 1000 };

enum farm_event_type {
    FARM_EV_SUBMIT,  /* ST_DUPLICATE: a task of that name is here already; ST_FULL; ST_RANGE: no task */
    FARM_EV_WINDOW,  /* so many tasks may be with the cluster */
    FARM_EV_RESULT,  /* of the cluster, about one position */
    FARM_EV_DONE,    /* of the cluster: the order is complete */
    FARM_EV_REFUSED, /* the cluster cannot take the order */
    FARM_EV_FULL,    /* it has no room for the order now: later, when the next WINDOW opens */
    FARM_EV_STORED,  /* all writes up to this number are on the disk */
    FARM_EV_CANCEL   /* forget what this job has here, unless it is being saved */
};

struct farm_event {
    enum farm_event_type type;
    union {
        struct {
            struct text task; /* copied */
            int32_t priority;
            uint32_t order; /* among equals: lower goes first */
            uint32_t job;
            uint64_t avoid_boot; /* not for this process; 0 = any */
        } submit;
        uint32_t window;
        const struct scan_result *result;
        uint32_t done_id, full_id;
        struct {
            uint32_t id;
            const char *why;
        } refused;
        uint64_t stored;
        uint32_t cancel_job;
    };
};

enum farm_effect_type { FARM_FX_HAND_OUT, FARM_FX_TAKE_BACK, FARM_FX_STORE, FARM_FX_DONE, FARM_FX_QUARANTINE };

struct farm_answer {
    const char *name; /* of the task */
    struct text task, answer;
    const char *buried; /* NULL, or why there is no answer */
    const char *worker;
    uint64_t boot, nodes; /* process that answered */
    uint32_t job;
};

struct farm_effect {
    enum farm_effect_type type;
    union {
        struct scan_order hand_out;
        uint32_t take_back_id;
        struct {
            uint64_t number; /* to be named by FARM_EV_STORED */
            struct farm_answer row;
        } store;
        struct farm_answer done;
        struct {
            uint64_t boot;
            const char *worker;
        } quarantine;
    };
};

struct farm_effects {
    size_t count;
    struct farm_effect items[FARM_EFFECTS_MAX];
};

enum farm_state { FARM_EMPTY, FARM_READY, FARM_OUT, FARM_SAVING, FARM_TOLD };

struct farm_opinion {
    struct text_buffer answer;
    uint64_t boot, nodes;
    char worker[WIRE_NAME_BYTES_MAX + 1];
};

struct farm_slot {
    enum farm_state state;
    uint64_t number; /* of the submission */
    uint32_t id, job;
    int32_t priority;
    uint32_t order;
    uint64_t avoid_boot, store_number;
    char name[TASK_NAME_BYTES], why[FARM_WHY_BYTES];
    bool buried;
    struct text_buffer task;
    unsigned opinion; /* the one being collected, or the one that was taken */
    struct farm_opinion opinions[FARM_OPINIONS_MAX];
};

struct farm_counters {
    uint64_t submitted, done, buried, stale, sampled, mismatches;
};

struct farm {
    struct farm_slot slots[FARM_TASKS_MAX];
    unsigned count, out;
    uint32_t window, sample_permille, id_last;
    uint64_t number_last, store_last;
    struct farm_counters counters;
};

/* NULL: no memory. sample_permille: share of the tasks that two processes must agree on. */
struct farm *farm_new(uint32_t sample_permille);
void farm_free(struct farm *farm); /* NULL is allowed */
enum status farm_step(struct farm *farm, const struct farm_event *event, struct farm_effects *out);
static inline bool farm_has_room(const struct farm *farm) { return farm->count < FARM_TASKS_MAX; }

#endif
