/* The matrices of the algorithms, parts of larger ones, and their residuals. */
#ifndef OPERANDS_H
#define OPERANDS_H

/* L lower, U upper, with a diagonal near 1 and small other elements, so that nothing overflows or
 * becomes denormal; C arbitrary; X is overwritten.  Smaller orders use the upper left part.
 * Elements that must not be read are NaN. */
struct operands {
    int n, ld;
    double *l, *u, *c, *x, *spare;
};

/* Ends the program if memory runs out. */
struct operands operands_new(int n);
void operands_free(struct operands *operands);

/* X := L or X := C, before an execution. */
void operands_fresh_l(struct operands *operands, int n);
void operands_fresh_c(struct operands *operands, int n);

/* Largest entry of L X - I in the lower triangle, and of L X + X U - C; overwrites X.  NaN if the
 * result has a NaN or if an element above the triangle was written. */
double operands_inverse_residual(struct operands *operands, int n);
double operands_sylv_residual(struct operands *operands, int n);

#endif
