/* The blocked inversion of a triangular matrix. */
#ifndef FR_TRINV_H
#define FR_TRINV_H

/* L := L^-1, lower, of order n with blocks of b and leading dimension `ld`; variant 1 to 4
 * (docs/models/blocked.md#triangular-inverse). */
void fr_trinv_blocked(int variant, int n, int b, double *l, int ld);

#endif
