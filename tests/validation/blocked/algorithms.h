/* The blocked algorithms that forerun's models `trinv` and `sylv` predict (blocked.md 2, 3). */
#ifndef ALGORITHMS_H
#define ALGORITHMS_H

/* L := L^-1, lower, not unit; variant 1 to 4. */
void trinv_blocked(int variant, int n, int b, double *l, int ld);

/* L X + X U = C, X (m x n) overwriting C; variant 1 to 16, its blocks solved column by column or by
 * the variant's own unblocked version. */
void sylv_blocked(int variant, int has_own_leaf, int m, int n, int b, const double *l,
                  const double *u, double *x, int ld);

#endif
