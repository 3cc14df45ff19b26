/* The modelled core of the reference programs: kernels charge simulated time instead of computing.
 *
 * charged.c defines the BLAS, and those routines of HPL that only copy.  Their times are functions
 * of the sizes which the calibration document states as well, so that a prediction can differ from
 * a run only in what the programs do between the kernels.
 */
#ifndef CHARGED_H
#define CHARGED_H

/* Seconds of a call: sums over the products of the sizes.  Bandwidth in bytes/s. */
struct charged_core {
    double dgemm[5];     /* 1, m n k, m n, m k, n k */
    double dtrsm[4];     /* 1, o o h, o h, o o: triangle of order o, h right-hand sides */
    double dsyrk[4];     /* 1, n n k, n k, n n */
    double cached_bytes; /* operands below it stream with the first bandwidth */
    double bandwidth[2];
    double call_s, line_bytes;
};
extern struct charged_core charged_core;

/* Charges `bytes` that are moved; the largest operand has `operand_bytes`. */
void charged_stream(double bytes, double operand_bytes);

#endif
