/* Samples, and what is made of them. */
#ifndef FR_SAMPLE_H
#define FR_SAMPLE_H

#include <stdint.h>

/* Statistics of repeated measurements, and their random order. */

/* Both sort `values` in place; `count` is at least 1. */
double fr_sample_median(double *values, int count);
/* The interquartile range as a fraction of the median; 0 where the median is 0. */
double fr_sample_spread(double *values, int count);

/* The first index from which all values are within that fraction of the last one. */
int fr_sample_settled(const double *values, int count, double fraction);

/* A separate generator, so that every run uses the same random order. */
struct fr_random {
    uint64_t state; /* not 0 */
};

uint64_t fr_random_next(struct fr_random *random);
/* Uniform in [-0.5, 0.5). */
double fr_random_centred(struct fr_random *random);
/* Writes a random permutation of 0 .. count-1. */
void fr_random_order(struct fr_random *random, int *order, int count);

/* The clock of measurements on one node.  Between ranks it is MPI_Wtime. */

/* Since any moment; never goes back. */
int64_t fr_stopwatch_ns(void);
/* In seconds a time of months has no nanoseconds. */
double fr_stopwatch_s(void);

/* Non-negative least squares of the relative error of measured times. */

enum { FR_CONSTANTS = 6, FR_EQUATIONS_MAX = 64 };

/* sum of amount[i] * constant[i] = time_s, which is > 0. */
struct fr_equation {
    double amount[FR_CONSTANTS];
    double time_s;
};

/* Minimizes the sum of ((predicted - measured) / measured)^2 exactly, by trying each set of
 * positive constants.  `root_mean_square` gets that of the relative errors.  Returns the number of
 * positive constants; 0 if there is no fit. */
int fr_nonnegative_fit(const struct fr_equation *equation, int equations,
                       double constant[FR_CONSTANTS], double *root_mean_square);

double fr_equation_s(const struct fr_equation *equation, const double constant[FR_CONSTANTS]);

#endif
