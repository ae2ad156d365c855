/* speedup.c - see speedup.h. */
#include "tests/sim/simulate/speedup.h"

#include "common/base/prng.h"

#include <math.h>
#include <stdlib.h>

enum { RESAMPLES = 4000 };

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

struct speedup speedup_of(const double *ratios, size_t count, uint64_t seed)
{
    struct speedup s = {.count = count};
    static double means[RESAMPLES];
    struct prng prng = prng_make(seed);
    if (count == 0) return s;
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += log(ratios[i]);
    s.mean = exp(sum / (double)count);
    for (size_t r = 0; r < RESAMPLES; r++) {
        double resampled = 0;
        for (size_t i = 0; i < count; i++) resampled += log(ratios[prng_below(&prng, (uint32_t)count)]);
        means[r] = resampled / (double)count;
    }
    qsort(means, RESAMPLES, sizeof means[0], compare);
    s.low = exp(means[RESAMPLES * 25 / 1000]);
    s.high = exp(means[RESAMPLES - 1 - RESAMPLES * 25 / 1000]);
    return s;
}
