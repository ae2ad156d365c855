/* refusals.h - connections that were refused or ended, and why, for people: the newest story of each kind.
 *
 * Written by the thread of the link and by the ZAP thread; a mutex keeps them apart.
 */
#ifndef MURAKUMO_NET_REFUSALS_H
#define MURAKUMO_NET_REFUSALS_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { LINK_REFUSALS_MAX = 16 };

struct link_refusal {
    char from[48];   /* address of the peer; "" when the library does not tell */
    char key[9];     /* the beginning of its public key; "" when it showed none */
    const char *why; /* static text */
    uint64_t count;
    int64_t at_us; /* the last time */
};

struct refusals {
    pthread_mutex_t lock;
    struct link_refusal items[LINK_REFUSALS_MAX];
    size_t count;
};

void refusals_init(struct refusals *refusals);
void refusals_free(struct refusals *refusals);
void refusals_note(struct refusals *refusals, const char *from, const char *key, const char *why);
size_t refusals_copy(struct refusals *refusals, struct link_refusal out[LINK_REFUSALS_MAX]);

#endif
