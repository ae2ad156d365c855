/* roll.h - who is still on the list: the transport asks for a key only when a connection is made, so a key that is
 * struck off the list later must be looked for. The directory of public keys is looked at once a second and read again
 * when it has changed.
 */
#ifndef MURAKUMO_NET_ROLL_H
#define MURAKUMO_NET_ROLL_H

#include "common/net/keys.h"

#include <time.h>

enum { ROLL_LOOK_US = 1000 * 1000 };

struct roll {
    char directory[4096]; /* "" = not in use: everybody may stay */
    struct timespec changed;
    int64_t due_us;
    bool known; /* the list was read */
    struct allow_list allowed;
};

bool roll_open(struct roll *roll, const char *directory); /* false: the path is too long */
/* Looks at the directory if it is time. A directory that cannot be read lets nobody stay. */
void roll_look(struct roll *roll, int64_t now_us);
bool roll_has(const struct roll *roll, const char *name);

#endif
