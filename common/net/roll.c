/* roll.c - see roll.h. */
#include "common/net/roll.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool roll_open(struct roll *roll, const char *directory)
{
    int n = snprintf(roll->directory, sizeof roll->directory, "%s", directory);
    return n > 0 && (size_t)n < sizeof roll->directory;
}

void roll_look(struct roll *roll, int64_t now_us)
{
    if (!roll->directory[0] || now_us < roll->due_us) return;
    roll->due_us = now_us + ROLL_LOOK_US;
    struct stat info;
    size_t bad;
    if (stat(roll->directory, &info) != 0) {
        roll->allowed.count = 0;
        roll->changed = (struct timespec){0};
        roll->known = true;
        return;
    }
    bool same = info.st_mtim.tv_sec == roll->changed.tv_sec && info.st_mtim.tv_nsec == roll->changed.tv_nsec;
    if (roll->known && same) return;
    if (allow_list_read(&roll->allowed, roll->directory, &bad) == ST_IO) roll->allowed.count = 0;
    roll->changed = info.st_mtim;
    roll->known = true;
}

bool roll_has(const struct roll *roll, const char *name)
{
    if (!roll->directory[0] || !roll->known) return true;
    for (size_t i = 0; i < roll->allowed.count; i++)
        if (strcmp(roll->allowed.entries[i].name, name) == 0) return true;
    return false;
}
