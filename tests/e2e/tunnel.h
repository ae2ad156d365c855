/* tunnel.h - a line between two network namespaces that is as bad as one likes, packet by packet.
 *
 *   [ namespace `here`  mk0 10.77.0.1 ] <--- tunnel process ---> [ mk1 10.77.0.2  namespace `there` ]
 *
 * Both ends are TUN devices that one process of ours holds: what goes into one comes out of the other, late, twice, out
 * of order or not at all, and the TCP of the kernel on either side has to live with it. (`tc netem` would do the same,
 * but is not in every kernel; chaos.h needs no root and keeps TCP's promises.) The test turns the knobs while
 * everything runs.
 */
#ifndef MURAKUMO_E2E_TUNNEL_H
#define MURAKUMO_E2E_TUNNEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct tunnel_knobs {
    atomic_int delay_ms, jitter_ms; /* each way, for each packet on its own: delay +- jitter */
    atomic_int loss_permille, double_permille;
    atomic_uint_least64_t packets, lost, doubled;
};

struct tunnel {
    pid_t pid;
    struct tunnel_knobs *knobs;
};

/* The two namespaces are there; the devices mk0 and mk1 are made in them, without addresses. False: this machine has no
 * TUN devices. */
bool tunnel_start(struct tunnel *tunnel, const char *here, const char *there, uint64_t seed);
void tunnel_end(struct tunnel *tunnel);

#endif
