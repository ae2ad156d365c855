/* hint_relay.c - who gets which hints. */
#include "coordinator/core/hint_relay.h"

static struct hint_relay_peer *find(struct hint_relay *relay, uint64_t peer)
{
    for (unsigned i = 0; i < relay->high; i++)
        if (relay->peers[i].peer == peer) return &relay->peers[i];
    return NULL;
}

static struct hint_relay_peer *admit(struct hint_relay *relay, uint64_t peer, int64_t now_us)
{
    struct hint_relay_peer *place = find(relay, 0);
    if (!place && relay->high < HINT_RELAY_PEERS_MAX) place = &relay->peers[relay->high++];
    if (place) *place = (struct hint_relay_peer){.peer = peer, .tokens = HINT_RELAY_BURST_BYTES, .filled_us = now_us};
    return place;
}

static bool pay(struct hint_relay_peer *from, size_t bytes, int64_t now_us)
{
    int64_t passed_us = now_us - from->filled_us;
    if (passed_us > 1000000) passed_us = 1000000;
    if (passed_us > 0) {
        from->tokens += passed_us * (HINT_RELAY_BYTES_PER_S / 1000) / 1000;
        from->filled_us = now_us;
    }
    if (from->tokens > HINT_RELAY_BURST_BYTES) from->tokens = HINT_RELAY_BURST_BYTES;
    if (from->tokens < (int64_t)bytes) return false;
    from->tokens -= (int64_t)bytes;
    return true;
}

enum status hint_relay_take(struct hint_relay *relay, uint64_t peer, const struct msg *msg, size_t bytes,
                            int64_t now_us, uint64_t to[HINT_RELAY_PEERS_MAX], size_t *count)
{
    *count = 0;
    if (msg->type != MSG_hints && msg->type != MSG_hints_join) {
        relay->refused++;
        return ST_UNKNOWN;
    }
    struct hint_relay_peer *from = find(relay, peer);
    if (msg->type == MSG_hints_join) {
        if (!from) from = admit(relay, peer, now_us);
        if (!from) {
            relay->refused++;
            return ST_FULL;
        }
        from->scope = msg->hints_join.scope;
        return ST_OK;
    }
    if (!from || from->scope == 0 || from->scope != msg->hints.scope || !pay(from, bytes, now_us)) {
        relay->dropped++;
        return ST_STALE;
    }
    for (unsigned i = 0; i < relay->high; i++)
        if (relay->peers[i].peer && relay->peers[i].peer != peer && relay->peers[i].scope == from->scope)
            to[(*count)++] = relay->peers[i].peer;
    if (*count)
        relay->relayed++;
    else
        relay->dropped++;
    return ST_OK;
}

void hint_relay_gone(struct hint_relay *relay, uint64_t peer)
{
    struct hint_relay_peer *place = peer ? find(relay, peer) : NULL;
    if (place) *place = (struct hint_relay_peer){0};
}
