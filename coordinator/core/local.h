/* local.h - the workers that are child processes of this coordinator: started, watched, started again.
 *
 *   OFF --start--> STARTING --LOCAL_STARTED--> RUNNING --LOCAL_DIED--> OFF (waits, longer each time it dies young)
 *                      |                          |
 *                      +------- says no hello, or is declared dead: killed ------> DYING --LOCAL_DIED--> OFF
 */
#ifndef MURAKUMO_COORDINATOR_LOCAL_H
#define MURAKUMO_COORDINATOR_LOCAL_H

#include "coordinator/core/effects.h"
#include "coordinator/core/metrics.h"

enum local_state { LOCAL_OFF, LOCAL_STARTING, LOCAL_RUNNING, LOCAL_DYING };

struct local {
    unsigned count;
    bool quitting;
    struct local_child {
        enum local_state state;
        bool greeted;     /* it has said hello since its start */
        bool renewed;     /* we ended it to have a fresh one: no reason to wait */
        int64_t since_ms; /* of the present state */
        int64_t started_ms;
        int64_t due_ms;  /* OFF: start then; STARTING, RUNNING without hello, DYING: patience ends then; INT64_MAX:
                            nothing due */
        int64_t wait_ms; /* before the next start */
    } children[COORD_LOCAL_MAX];
};

void local_init(struct local *l, unsigned count); /* all are to be started at the first tick */
enum status local_started(struct local *l, int slot, int64_t now_ms);
/* False if that child was not known to be alive. */
bool local_died(struct local *l, int slot, int64_t now_ms);
void local_greeted(struct local *l, int slot);
/* It does not react: end it; it will be started again. */
void local_kill(struct local *l, int slot, int64_t now_ms, struct coord_effects *out);
/* A fresh process in its place, at once. */
void local_renew(struct local *l, int slot, int64_t now_ms, struct coord_effects *out);
bool local_is_renewed(const struct local *l, int slot); /* and its end not reported yet */
void local_tick(struct local *l, int64_t now_ms, struct metrics *metrics, struct coord_effects *out);
void local_quit(struct local *l, struct coord_effects *out);
int64_t local_deadline_ms(const struct local *l);

#endif
