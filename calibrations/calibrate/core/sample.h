/* Statistics of repeated measurements, and their random order. */
#ifndef FR_SAMPLE_H
#define FR_SAMPLE_H

#include <stdint.h>

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

#endif
