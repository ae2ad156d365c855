/* local.c - the workers that are child processes of this coordinator. */
#include "coordinator/core/local.h"

#include <string.h>

enum {
    HELLO_PATIENCE_MS = 15000, /* from start to hello: a cold disk, a large program */
    KILL_PATIENCE_MS = 3000,   /* from the kill to LOCAL_DIED; then it is killed again */
    WAIT_FIRST_MS = 50,
    WAIT_LONGEST_MS = 10000,
    YOUNG_MS = 10000 /* who dies younger than this waits twice as long next time */
};

void local_init(struct local *l, unsigned count)
{
    memset(l, 0, sizeof *l);
    l->count = count;
    for (unsigned i = 0; i < count; i++) l->children[i] = (struct local_child){.due_ms = 0, .wait_ms = WAIT_FIRST_MS};
}

static struct local_child *child_of(struct local *l, int slot)
{
    return slot >= 0 && (unsigned)slot < l->count ? &l->children[slot] : NULL;
}

enum status local_started(struct local *l, int slot, int64_t now_ms)
{
    struct local_child *child = child_of(l, slot);
    if (!child) return ST_UNKNOWN;
    if (child->state != LOCAL_STARTING) return ST_STATE;
    child->state = LOCAL_RUNNING;
    child->since_ms = child->started_ms = now_ms;
    child->due_ms = child->greeted ? INT64_MAX : now_ms + HELLO_PATIENCE_MS;
    return ST_OK;
}

bool local_died(struct local *l, int slot, int64_t now_ms)
{
    struct local_child *child = child_of(l, slot);
    if (!child || child->state == LOCAL_OFF) return false;
    bool young = child->state == LOCAL_STARTING || !child->greeted || now_ms - child->started_ms < YOUNG_MS;
    int64_t wait_ms = young ? child->wait_ms : WAIT_FIRST_MS;
    if (child->renewed) {
        *child = (struct local_child){
            .since_ms = now_ms, .due_ms = l->quitting ? INT64_MAX : now_ms, .wait_ms = child->wait_ms};
        return true;
    }
    int64_t longer_ms = wait_ms * 2 < WAIT_LONGEST_MS ? wait_ms * 2 : WAIT_LONGEST_MS;
    *child = (struct local_child){
        .since_ms = now_ms, .due_ms = l->quitting ? INT64_MAX : now_ms + wait_ms, .wait_ms = longer_ms};
    return true;
}

void local_greeted(struct local *l, int slot)
{
    struct local_child *child = child_of(l, slot);
    if (!child) return;
    child->greeted = true;
    if (child->state == LOCAL_RUNNING) child->due_ms = INT64_MAX;
}

void local_kill(struct local *l, int slot, int64_t now_ms, struct coord_effects *out)
{
    struct local_child *child = child_of(l, slot);
    if (!child || child->state == LOCAL_OFF || child->state == LOCAL_DYING) return;
    child->state = LOCAL_DYING;
    child->since_ms = now_ms;
    child->due_ms = now_ms + KILL_PATIENCE_MS;
    fx_kill_local(out, slot, false);
}

void local_renew(struct local *l, int slot, int64_t now_ms, struct coord_effects *out)
{
    struct local_child *child = child_of(l, slot);
    if (!child || child->state != LOCAL_RUNNING) return;
    local_kill(l, slot, now_ms, out);
    child->renewed = true;
}

bool local_is_renewed(const struct local *l, int slot)
{
    return slot >= 0 && (unsigned)slot < l->count && l->children[slot].renewed;
}

void local_tick(struct local *l, int64_t now_ms, struct metrics *metrics, struct coord_effects *out)
{
    if (l->quitting) return;
    for (unsigned i = 0; i < l->count; i++) {
        struct local_child *child = &l->children[i];
        if (now_ms < child->due_ms) continue;
        switch (child->state) {
        case LOCAL_OFF:
            child->state = LOCAL_STARTING;
            child->greeted = false;
            child->since_ms = child->started_ms = now_ms;
            child->due_ms = now_ms + HELLO_PATIENCE_MS;
            metrics->local_starts++;
            fx_start_local(out, (int)i);
            break;
        case LOCAL_STARTING:
        case LOCAL_RUNNING:
            fx_log(out, COORD_LOG_WARN, "local_worker_silent slot=%u", i);
            local_kill(l, (int)i, now_ms, out);
            break;
        case LOCAL_DYING:
            child->due_ms = now_ms + KILL_PATIENCE_MS;
            fx_kill_local(out, (int)i, false);
            break;
        }
    }
}

void local_quit(struct local *l, struct coord_effects *out)
{
    l->quitting = true;
    for (unsigned i = 0; i < l->count; i++)
        if (l->children[i].state != LOCAL_OFF) fx_kill_local(out, (int)i, true);
}

int64_t local_deadline_ms(const struct local *l)
{
    int64_t due = INT64_MAX;
    if (l->quitting) return due;
    for (unsigned i = 0; i < l->count; i++)
        if (l->children[i].due_ms < due) due = l->children[i].due_ms;
    return due;
}
