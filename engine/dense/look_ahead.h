/* What look-ahead by one saves in a Cholesky factorization.
 *
 * Each step saves the smaller of two times, which are quadratics in a count of blocks f.  The sums
 * over the steps have closed forms (docs/models/dense.md#sums-in-closed-form).
 */
#ifndef FR_DENSE_LOOK_AHEAD_H
#define FR_DENSE_LOOK_AHEAD_H

/* constant + linear f + square f^2. */
struct quadratic {
    double constant, linear, square;
};
/* The sum over the whole numbers f = from ... to of the smaller (larger) of the two at each f;
 * 0 if from > to.  O(1). */
double dense_quadratic_minima(struct quadratic a, struct quadratic b, double from, double to);
double dense_quadratic_maxima(struct quadratic a, struct quadratic b, double from, double to);

/* Seconds of a triangular update: f diagonal_s + f (f - 1)/2 product_s. */
struct quadratic look_ahead_update(double diagonal_s, double product_s);

/* Seconds that the updates hide of the broadcasts of the next panel: the sum over f = 1 ... last of
 * min(panel_s (f - 1), update of f) (docs/models/dense.md#cholesky). */
double look_ahead_hidden_s(struct quadratic update, double panel_s, double last);

/* The times of a factorization on one layer; each but r and q is of one block. */
struct panel_chain {
    double r, q;
    double factor_s, send_s, solve_s; /* dpotrf, broadcast of L_ii in its column, dtrsm */
    double panel_s;                   /* broadcasts along the row and the column */
    double diagonal_s, product_s;     /* dsyrk, dgemm */
};
/* Seconds saved in the whole factorization. */
struct chain_savings {
    double broadcast_s; /* of panel broadcasts, hidden by the rest of the update */
    double panel_s;     /* of panel factorizations, while other process columns update */
};
/* docs/models/dense.md#look-ahead-along-the-chain-of-panels */
struct chain_savings look_ahead_along_chain(const struct panel_chain *chain);

#endif
