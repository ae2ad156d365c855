/* absent.h - workers that are not here, and why: the last ABSENT_MAX stories of refusals and departures, for people.
 *
 * The same story about the same name is told once, with a counter and the time of the last one. When the list is full
 * the story that is oldest gives way.
 */
#ifndef MURAKUMO_COORDINATOR_ABSENT_H
#define MURAKUMO_COORDINATOR_ABSENT_H

#include "proto/msg.h"

enum { ABSENT_MAX = 32, ABSENT_WHY_BYTES = 160 };

struct absent {
    bool refused; /* it was not allowed to join; else it was here and has gone */
    char name[WIRE_NAME_BYTES_MAX + 1];
    char why[ABSENT_WHY_BYTES];
    int64_t at_ms; /* the last time */
    uint32_t count;
};

struct absent_list {
    struct absent items[ABSENT_MAX];
    uint32_t count;
};

/* Texts are 0-terminated, printable, and cut to their places. */
void absent_note(struct absent_list *list, bool refused, const char *name, const char *why, int64_t now_ms);

#endif
