/* zap_service.h - the thread that answers the transport library's question "may this key come in?" (zap.h decides).
 *
 * The list of keys is read again for each handshake, so a key that is added or removed counts at once.
 */
#ifndef MURAKUMO_NET_ZAP_SERVICE_H
#define MURAKUMO_NET_ZAP_SERVICE_H

#include "common/net/refusals.h"
#include "common/net/zap.h"

struct zap_service;

/* context: of ZeroMQ; directory: of the workers' .pub files; refusals: borrowed. To be started before the first address
 * is bound. NULL: no memory, threads or descriptors. */
struct zap_service *zap_service_start(void *context, const char *directory, struct refusals *refusals);
bool zap_service_uses(const struct zap_service *zap, const char *directory);
/* After the context was shut down: waits for the thread's end and frees. NULL is allowed. */
void zap_service_join(struct zap_service *zap);

#endif
