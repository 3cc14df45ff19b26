/* Sorting, quantiles and boxes of numbers (docs/saved_runs.md#quantiles-and-boxes). */
#ifndef FR_CORE_STATISTICS_H
#define FR_CORE_STATISTICS_H

#include <stddef.h>

/* The share of cases that an interval is meant to cover. */
#define FR_COVERAGE 0.9

/* The quantile at q, 0 to 1, of ascending values, at least one: position (count - 1) q, linear
 * between neighbours (docs/saved_runs.md#quantiles-and-boxes). */
double fr_quantile(const double *sorted, size_t count, double q);
/* Sorts values in ascending order; they must not be NaN. */
void fr_sort(double *values, size_t count);

/* Tukey's box: whiskers are the furthest values within 1.5 interquartile ranges of the box
 * (docs/saved_runs.md#decision-boxes-as-tukey-draws-them). */
struct fr_box_statistics {
    double minimum, lower_whisker, first_quartile, median, third_quartile, upper_whisker, maximum;
    size_t outliers, count;
};
/* Of ascending values, at least one. */
void fr_box_statistics(const double *sorted, size_t count, struct fr_box_statistics *out);

#endif
