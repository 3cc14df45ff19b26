/* The blocked algorithms that the models `trinv` and `sylv` predict (docs/models/blocked.md). */
#ifndef ALGORITHMS_H
#define ALGORITHMS_H

/* L := L^-1, lower triangular without a unit diagonal; variant 1 to 4. */
void trinv_blocked(int variant, int n, int b, double *l, int ld);

/* L X + X U = C, X (m x n) overwriting C; variant 1 to 16.  Diagonal blocks are solved column by
 * column or by the unblocked version of the variant. */
void sylv_blocked(int variant, int has_own_leaf, int m, int n, int b, const double *l,
                  const double *u, double *x, int ld);

#endif
