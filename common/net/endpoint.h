/* endpoint.h - which addresses we accept at all, and which of them are private enough to go without keys.
 *
 *   tcp://127.0.0.1:7654   tcp://localhost:7654   tcp://[::1]:7654   ipc:///dir/name     loopback
 *   tcp://0.0.0.0:7654     tcp://host:7654        tcp://[fe80::1]:7654                   needs keys
 *
 * Everything else is refused: the transport library knows many more schemes, and a configuration must not choose one of
 * them.
 */
#ifndef MURAKUMO_NET_ENDPOINT_H
#define MURAKUMO_NET_ENDPOINT_H

#include "common/base/status.h"

#include <stdbool.h>

enum endpoint_kind { ENDPOINT_IPC, ENDPOINT_TCP };

enum { ENDPOINT_BYTES_MAX = 256, ENDPOINT_PORT_DEFAULT = 7654 };

struct endpoint {
    enum endpoint_kind kind;
    bool loopback;                 /* tcp only: the host part names this machine alone */
    bool any_port;                 /* tcp only: port is `*` */
    char host[ENDPOINT_BYTES_MAX]; /* tcp only: without [ ]; `*` = all addresses of this machine */
    unsigned port;                 /* tcp only: 0 = any_port */
    char path[104];                /* ipc only */
};

/* ST_SYNTAX, ST_RANGE (port), ST_TOO_BIG. */
MUST_USE enum status endpoint_parse(const char *text, struct endpoint *endpoint);
/* May this address be listened on without keys? tcp: loopback; ipc: the directory belongs to us and nobody else may
 * enter. */
bool endpoint_is_private(const struct endpoint *endpoint);

#endif
