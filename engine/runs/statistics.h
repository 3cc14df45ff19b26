/* Quantiles and boxes of times. */
#ifndef FR_RUNS_STATISTICS_H
#define FR_RUNS_STATISTICS_H

#include <stddef.h>

/* Of ascending values: position (count - 1) q, linear between neighbours (krylov.md 2.3). */
double fr_quantile(const double *sorted, size_t count, double q);

/* Tukey's box: whiskers are the furthest values within 1.5 interquartile ranges of the box
 * (krylov.md D1). */
struct fr_box_statistics {
    double minimum, lower_whisker, first_quartile, median, third_quartile, upper_whisker, maximum;
    size_t outliers, count;
};
/* Of ascending values, at least one. */
void fr_box_statistics(const double *sorted, size_t count, struct fr_box_statistics *out);

#endif
