/* Median, spread and random order of samples. */
#include "calibrations/calibrate/core/sample.h"

#include "engine/core/statistics.h"

#include <math.h>

double fr_sample_median(double *values, int count)
{
    fr_sort(values, (size_t)count);
    return fr_quantile(values, (size_t)count, 0.5);
}

double fr_sample_spread(double *values, int count)
{
    const double median = fr_sample_median(values, count);

    if (!(median > 0))
        return 0;
    return (fr_quantile(values, (size_t)count, 0.75) - fr_quantile(values, (size_t)count, 0.25)) /
           median;
}

int fr_sample_settled(const double *values, int count, double fraction)
{
    const double last = values[count - 1];
    int first = count - 1;

    while (first > 0 && fabs(values[first - 1] - last) <= fraction * last)
        first--;
    return first;
}

/* xorshift64*, S. Vigna, "An experimental exploration of Marsaglia's xorshift generators". */
uint64_t fr_random_next(struct fr_random *random)
{
    uint64_t x = random->state;

    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    random->state = x;
    return x * UINT64_C(0x2545F4914F6CDD1D);
}

double fr_random_centred(struct fr_random *random)
{
    return (double)(fr_random_next(random) >> 11) * 0x1p-53 - 0.5;
}

void fr_random_order(struct fr_random *random, int *order, int count)
{
    for (int i = 0; i < count; i++) {
        const int j = (int)(fr_random_next(random) % (uint64_t)(i + 1));

        order[i] = order[j];
        order[j] = i;
    }
}
