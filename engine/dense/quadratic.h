/* Sums of quadratics over f = from ... to, without a loop; f is a count of blocks. */
#ifndef FR_DENSE_QUADRATIC_H
#define FR_DENSE_QUADRATIC_H

/* constant + linear f + square f^2. */
struct quadratic {
    double constant, linear, square;
};
struct quadratic dense_quadratic_sum(struct quadratic a, struct quadratic b);
struct quadratic dense_quadratic_times(double factor, struct quadratic of);
/* Sum over f = from ... to of the smaller of the two at each f, and of the larger; 0 where from >
 * to. */
double dense_quadratic_minima(struct quadratic a, struct quadratic b, double from, double to);
double dense_quadratic_maxima(struct quadratic a, struct quadratic b, double from, double to);

#endif
