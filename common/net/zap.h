/* zap.h - who may connect: the decision of the ZAP handler (ZeroMQ RFC 27), without sockets.
 *
 * The transport asks once per handshake, with the peer's public key; we answer 200 and the name that belongs to the
 * key, or 400. Anything unexpected is answered with 400: the handler fails closed. The thread that carries the frames
 * to and fro is in link_zmq.c.
 */
#ifndef MURAKUMO_NET_ZAP_H
#define MURAKUMO_NET_ZAP_H

#include "common/net/keys.h"

#define ZAP_DOMAIN "murakumo"
enum { ZAP_REQUEST_FRAMES = 7 }; /* version, request id, domain, address, routing id, mechanism, key */

struct zap_frame {
    const void *bytes;
    size_t count;
};
struct zap_answer {
    bool allowed;
    char name[KEY_NAME_BYTES_MAX + 1]; /* the peer's name if allowed, else "" */
    const char *reason;                /* static text */
};

struct zap_answer zap_decide(const struct allow_list *list, const struct zap_frame *frames, size_t count);

#endif
