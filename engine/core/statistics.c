/* Quantiles and boxes (docs/saved_runs.md#quantiles-and-boxes). */
#include "engine/core/statistics.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

void fr_sort(double *values, size_t count)
{
    if (count)
        qsort(values, count, sizeof *values, ascending);
}

double fr_quantile(const double *sorted, size_t count, double q)
{
    const double at = (double)(count - 1) * q, below = floor(at);
    const size_t i = (size_t)below;

    return i + 1 < count ? sorted[i] + (at - below) * (sorted[i + 1] - sorted[i]) : sorted[i];
}

void fr_box_statistics(const double *sorted, size_t count, struct fr_box_statistics *out)
{
    const double first = fr_quantile(sorted, count, 0.25), third = fr_quantile(sorted, count, 0.75);
    const double reach = 1.5 * (third - first);
    size_t low = 0, high = count - 1;

    while (sorted[low] < first - reach)
        low++;
    while (sorted[high] > third + reach)
        high--;
    *out = (struct fr_box_statistics){
        .minimum = sorted[0],
        .lower_whisker = sorted[low],
        .first_quartile = first,
        .median = fr_quantile(sorted, count, 0.5),
        .third_quartile = third,
        .upper_whisker = sorted[high],
        .maximum = sorted[count - 1],
        .outliers = low + (count - 1 - high),
        .count = count,
    };
}
