/* netmodel.h - the network between coordinator and workers: frames in flight, and what may happen to them.
 *
 * A frame travels on the connection of one worker, in one direction. Real bytes travel: what arrives is decoded with
 * the real codec. TCP keeps order and loses nothing until a connection breaks; with `lossy` the model is worse than
 * TCP, which the protocol must survive too.
 */
#ifndef MURAKUMO_SIM_NETMODEL_H
#define MURAKUMO_SIM_NETMODEL_H

#include "common/base/prng.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NET_WORKERS_MAX = 64 };

struct net_options {
    int64_t delay_us_min, delay_us_max;
    uint32_t loss_permille, duplicate_permille;
    bool overtaking; /* frames may pass each other */
};

struct net_frame {
    int64_t arrives_us;
    uint64_t order;      /* breaks ties */
    uint64_t connection; /* number of the connection it was sent on */
    unsigned worker;
    bool up; /* worker to coordinator */
    size_t bytes;
    uint8_t *data; /* owned */
};

struct net {
    struct net_options options;
    struct prng prng;
    struct net_frame *heap; /* earliest first */
    size_t count, capacity;
    uint64_t orders;
    int64_t last_us[NET_WORKERS_MAX][2]; /* arrival of the last frame, to keep order */
    bool blocked[NET_WORKERS_MAX][2];    /* partition: nothing sent now arrives; [0] down, [1] up */
    size_t in_flight[NET_WORKERS_MAX];
};

void net_init(struct net *net, const struct net_options *options, uint64_t seed);
void net_free(struct net *net);
void net_send(struct net *net, int64_t now_us, unsigned worker, bool up, uint64_t connection, const uint8_t *data,
              size_t bytes);
int64_t net_next_us(const struct net *net);              /* INT64_MAX: nothing in flight */
bool net_take(struct net *net, struct net_frame *frame); /* the earliest; the caller frees frame->data */
void net_cut(struct net *net, unsigned worker); /* all that is in flight on this worker's connections is lost */

#endif
