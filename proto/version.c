#include "proto/version.h"

#include "proto/schema.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct version version_own(void) { return (struct version){PROTO_MAJOR, PROTO_MINOR}; }

enum status version_negotiate(struct version own, struct version peer, struct version *agreed)
{
    if (own.major != peer.major) return ST_VERSION;
    *agreed = (struct version){own.major, own.minor < peer.minor ? own.minor : peer.minor};
    return ST_OK;
}

size_t version_explain(char *text, size_t capacity, const char *own_role, struct version own, const char *peer_role,
                       struct version peer)
{
    if (capacity == 0) return 0;
    if (own.major == peer.major) {
        snprintf(text, capacity,
                 "the %s speaks protocol %" PRIu32 ".%" PRIu32 ", the %s %" PRIu32 ".%" PRIu32
                 ": they can work together",
                 own_role, own.major, own.minor, peer_role, peer.major, peer.minor);
    } else {
        snprintf(text, capacity,
                 "the %s speaks protocol %" PRIu32 ".%" PRIu32 ", the %s %" PRIu32 ".%" PRIu32
                 "; the first numbers must be equal: update the %s",
                 own_role, own.major, own.minor, peer_role, peer.major, peer.minor,
                 own.major < peer.major ? own_role : peer_role);
    }
    return strlen(text);
}
