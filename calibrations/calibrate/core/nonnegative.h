/* Non-negative least squares of the relative error of measured times. */
#ifndef FR_NONNEGATIVE_H
#define FR_NONNEGATIVE_H

enum { FR_CONSTANTS = 6, FR_EQUATIONS_MAX = 64 };

/* sum of amount[i] * constant[i] = time_s, which is > 0. */
struct fr_equation {
    double amount[FR_CONSTANTS];
    double time_s;
};

/* Minimizes the sum of ((predicted - measured) / measured)^2 exactly, by trying each set of
 * positive constants.  `root_mean_square` gets that of the relative errors.  Returns the number of
 * positive constants; 0 if there is no fit. */
int fr_nonnegative_fit(const struct fr_equation *equation, int equations,
                       double constant[FR_CONSTANTS], double *root_mean_square);

double fr_equation_s(const struct fr_equation *equation, const double constant[FR_CONSTANTS]);

#endif
