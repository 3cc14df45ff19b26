/* Random numbers of tests.
 *
 * A run has a quarter of the draws, the same ones each time.  With FORERUN_DRAWS=full it has all of
 * them, from a seed that it prints; FORERUN_SEED=N repeats that. */
#ifndef FR_DRAWS_H
#define FR_DRAWS_H

#include <stdint.h>

/* How many of them this run draws. */
int draws_of(int all);
/* The start of a sequence that differs by `own` and by the seed.  A test whose bounds are
 * statistical starts at a number of its own instead. */
uint64_t draws_from(uint64_t own);

uint64_t random_bits(uint64_t *state);
double random_share(uint64_t *state);                               /* in [0, 1) */
int64_t random_between(uint64_t *state, int64_t low, int64_t high); /* both bounds are possible */
double random_size(uint64_t *state, double low, double high);       /* uniform in the logarithm */

/* For simulations: in the open interval (0, 1), and of variance 1 around 0. */
double draw_uniform(uint64_t *random);
double draw_normal(uint64_t *random);

#endif
