/* speedup.h - geometric means of ratios, and how sure they are.
 *
 * The interval is the 95 % percentile bootstrap over the positions (Efron 1979), 4,000 resamples from a fixed seed:
 * positions differ far more than runs do.
 */
#ifndef MURAKUMO_SIMULATE_SPEEDUP_H
#define MURAKUMO_SIMULATE_SPEEDUP_H

#include <stddef.h>
#include <stdint.h>

struct speedup {
    size_t count;
    double mean, low, high; /* geometric; 0 without ratios */
};

struct speedup speedup_of(const double *ratios, size_t count, uint64_t seed);

#endif
