/* The transversal with the largest product of magnitudes, by MUMPS. */
#ifndef FR_ANALYZE_MATCHING_H
#define FR_ANALYZE_MATCHING_H

#include "server/matrices/files/matrix.h"

/* Row i goes to the returned [i]: a permutation onto entries that are there and not zero.  Only
 * for a matrix with values that has one.  NULL where MUMPS finds none; free with free(). */
int *fr_matching_largest(const struct fr_matrix *matrix);

#endif
