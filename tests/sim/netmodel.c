/* netmodel.c - the network between coordinator and workers. */
#include "tests/sim/netmodel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void net_init(struct net *net, const struct net_options *options, uint64_t seed)
{
    memset(net, 0, sizeof *net);
    net->options = *options;
    net->prng = prng_make(seed);
}

void net_free(struct net *net)
{
    for (size_t i = 0; i < net->count; i++) free(net->heap[i].data);
    free(net->heap);
    net->heap = NULL;
    net->count = net->capacity = 0;
}

static bool before(const struct net_frame *a, const struct net_frame *b)
{
    return a->arrives_us != b->arrives_us ? a->arrives_us < b->arrives_us : a->order < b->order;
}

static void swap(struct net_frame *a, struct net_frame *b)
{
    struct net_frame c = *a;
    *a = *b;
    *b = c;
}

static void sift_up(struct net *net, size_t i)
{
    for (; i > 0 && before(&net->heap[i], &net->heap[(i - 1) / 2]); i = (i - 1) / 2)
        swap(&net->heap[i], &net->heap[(i - 1) / 2]);
}

static void sift_down(struct net *net, size_t i)
{
    for (;;) {
        size_t least = i, left = 2 * i + 1, right = left + 1;
        if (left < net->count && before(&net->heap[left], &net->heap[least])) least = left;
        if (right < net->count && before(&net->heap[right], &net->heap[least])) least = right;
        if (least == i) return;
        swap(&net->heap[i], &net->heap[least]);
        i = least;
    }
}

static void put(struct net *net, int64_t arrives_us, unsigned worker, bool up, uint64_t connection, const uint8_t *data,
                size_t bytes)
{
    if (net->count == net->capacity) {
        net->capacity = net->capacity ? net->capacity * 2 : 64;
        net->heap = realloc(net->heap, net->capacity * sizeof *net->heap);
        assert(net->heap);
    }
    struct net_frame *frame = &net->heap[net->count];
    *frame = (struct net_frame){.arrives_us = arrives_us,
                                .order = ++net->orders,
                                .connection = connection,
                                .worker = worker,
                                .up = up,
                                .bytes = bytes,
                                .data = malloc(bytes ? bytes : 1)};
    assert(frame->data);
    memcpy(frame->data, data, bytes);
    net->in_flight[worker]++;
    sift_up(net, net->count++);
}

void net_send(struct net *net, int64_t now_us, unsigned worker, bool up, uint64_t connection, const uint8_t *data,
              size_t bytes)
{
    if (net->blocked[worker][up]) return;
    bool lost = prng_chance(&net->prng, net->options.loss_permille);
    bool twice = prng_chance(&net->prng, net->options.duplicate_permille);
    for (int copy = 0; copy < 1 + twice; copy++) {
        int64_t delay = prng_range(&net->prng, net->options.delay_us_min, net->options.delay_us_max);
        int64_t arrives = now_us + delay;
        if (!net->options.overtaking && arrives < net->last_us[worker][up]) arrives = net->last_us[worker][up];
        if (lost && copy == 0) continue;
        net->last_us[worker][up] = arrives;
        put(net, arrives, worker, up, connection, data, bytes);
    }
}

int64_t net_next_us(const struct net *net) { return net->count ? net->heap[0].arrives_us : INT64_MAX; }

bool net_take(struct net *net, struct net_frame *frame)
{
    if (!net->count) return false;
    *frame = net->heap[0];
    net->heap[0] = net->heap[--net->count];
    sift_down(net, 0);
    net->in_flight[frame->worker]--;
    return true;
}

void net_cut(struct net *net, unsigned worker)
{
    size_t kept = 0;
    for (size_t i = 0; i < net->count; i++) {
        if (net->heap[i].worker == worker) {
            free(net->heap[i].data);
            continue;
        }
        net->heap[kept++] = net->heap[i];
    }
    net->count = kept;
    net->in_flight[worker] = 0;
    for (size_t i = net->count / 2; i-- > 0;) sift_down(net, i); /* any order makes a heap again */
}
