/* The matrices of the algorithms, parts of larger ones, and what a right result is. */
#ifndef OPERANDS_H
#define OPERANDS_H

/* L lower, U upper, with a diagonal near 1 and the rest small, so that nothing overflows or decays;
 * C any; X is worked on.  Smaller orders take the upper left part.  NaN where nobody may read. */
struct operands {
    int n, ld;
    double *l, *u, *c, *x, *spare;
};

/* Ends the program where memory is short. */
struct operands operands_new(int n);
void operands_free(struct operands *operands);

/* X := L, X := C: fresh for one execution. */
void operands_fresh_l(struct operands *operands, int n);
void operands_fresh_c(struct operands *operands, int n);

/* Largest entry of L X - I in the lower triangle, and of L X + X U - C; X is spent.  NaN where a
 * result is, or where what is above the triangle was written. */
double operands_inverse_residual(struct operands *operands, int n);
double operands_sylv_residual(struct operands *operands, int n);

#endif
