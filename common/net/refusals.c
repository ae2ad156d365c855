/* refusals.c - see refusals.h. */
#include "common/net/refusals.h"

#include "common/net/clock.h"

#include <stdio.h>
#include <string.h>

void refusals_init(struct refusals *refusals)
{
    memset(refusals, 0, sizeof *refusals);
    pthread_mutex_init(&refusals->lock, NULL);
}

void refusals_free(struct refusals *refusals) { pthread_mutex_destroy(&refusals->lock); }

void refusals_note(struct refusals *refusals, const char *from, const char *key, const char *why)
{
    pthread_mutex_lock(&refusals->lock);
    size_t place = 0, oldest = 0;
    for (; place < refusals->count; place++) {
        const struct link_refusal *item = &refusals->items[place];
        if (item->why == why && strcmp(item->from, from) == 0 && strcmp(item->key, key) == 0) break;
        if (item->at_us < refusals->items[oldest].at_us) oldest = place;
    }
    struct link_refusal *item = &refusals->items[place];
    if (place == refusals->count) {
        if (place < LINK_REFUSALS_MAX)
            refusals->count++;
        else
            item = &refusals->items[oldest];
        *item = (struct link_refusal){.why = why};
        snprintf(item->from, sizeof item->from, "%s", from);
        snprintf(item->key, sizeof item->key, "%s", key);
    }
    item->count++;
    item->at_us = clock_now_us();
    pthread_mutex_unlock(&refusals->lock);
}

size_t refusals_copy(struct refusals *refusals, struct link_refusal out[LINK_REFUSALS_MAX])
{
    pthread_mutex_lock(&refusals->lock);
    size_t count = refusals->count;
    memcpy(out, refusals->items, count * sizeof *out);
    pthread_mutex_unlock(&refusals->lock);
    return count;
}
