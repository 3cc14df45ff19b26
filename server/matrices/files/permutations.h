/* The permutations of a matrix before its symbolic factorization, as bytes, for the analysis and
 * for the store.
 *
 * Little-endian: "FRPM", version, order, the time of the ordering as a double, whether rows are
 * permuted, CRC-32 of everything else; then the place of each column and, if they are permuted, of
 * each row, in 4 bytes.
 */
#ifndef FR_MATRIX_PERMUTATIONS_H
#define FR_MATRIX_PERMUTATIONS_H

#include "engine/core/fault.h"

#include <stdbool.h>
#include <stdint.h>

struct fr_permutations {
    int32_t n;
    double ordering_s; /* measured when the columns were ordered */
    int32_t *place;    /* column j moves to place[j] */
    int32_t *row_to;   /* row i moves to row_to[i]; NULL: rows stay */
};

/* Whether each of 0 to n - 1 is there once. */
bool fr_is_permutation(const int32_t *place, int32_t n);

/* The most bytes for a matrix of this order. */
size_t fr_permutations_most_bytes(int64_t n);
/* NULL if memory is short; free with free(). */
unsigned char *fr_permutations_write(const struct fr_permutations *permutations, size_t *length);
/* Decodes and checks permutations of a matrix of order n.  FR_OK, or FR_SYNTAX or FR_NOMEM with a
 * fault; free with fr_permutations_free. */
int fr_permutations_read(const unsigned char *bytes, size_t length, int64_t n,
                         struct fr_permutations *out, struct fr_faults *faults);
void fr_permutations_free(struct fr_permutations *permutations);

#endif
