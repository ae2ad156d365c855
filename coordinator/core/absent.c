/* absent.c - see absent.h. */
#include "coordinator/core/absent.h"

#include <stdio.h>
#include <string.h>

/* "silent for 2013 ms" and "silent for 2020 ms" are one story: digits do not count. */
static bool same_story(const char *a, const char *b)
{
    for (;;) {
        while (*a >= '0' && *a <= '9') a++;
        while (*b >= '0' && *b <= '9') b++;
        if (*a != *b) return false;
        if (!*a) return true;
        a++;
        b++;
    }
}

void absent_note(struct absent_list *list, bool refused, const char *name, const char *why, int64_t now_ms)
{
    char short_why[ABSENT_WHY_BYTES];
    snprintf(short_why, sizeof short_why, "%.*s", (int)sizeof short_why - 1, why);
    uint32_t place = 0, oldest = 0;
    for (; place < list->count; place++) {
        const struct absent *item = &list->items[place];
        if (item->refused == refused && strcmp(item->name, name) == 0 && same_story(item->why, short_why)) break;
        if (item->at_ms < list->items[oldest].at_ms) oldest = place;
    }
    bool again = place < list->count;
    if (!again) place = list->count < ABSENT_MAX ? list->count++ : oldest;
    struct absent *item = &list->items[place];
    if (!again) *item = (struct absent){.refused = refused};
    snprintf(item->name, sizeof item->name, "%s", name);
    memcpy(item->why, short_why, sizeof item->why);
    item->at_ms = now_ms;
    item->count++;
}
