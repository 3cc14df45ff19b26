/* What look-ahead by one hides in a Cholesky factorisation, summed without walking its iterations.
 */
#ifndef FR_DENSE_LOOK_AHEAD_H
#define FR_DENSE_LOOK_AHEAD_H

/* The update of an iteration with K block rows below: diagonal K + product K (K - 1) / 2. */
struct update {
    double diagonal_s, product_s;
};
/* Sum over K = 1 ... last of min(panel (K - 1), update(K)). */
double look_ahead_hidden_s(const struct update *u, double panel_s, double last);

#endif
