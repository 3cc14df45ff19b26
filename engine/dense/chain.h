/* What look-ahead saves in a Cholesky factorisation on one layer, by what its data depend on. */
#ifndef FR_DENSE_CHAIN_H
#define FR_DENSE_CHAIN_H

struct chain {
    double r, q;
    double factor_s, send_s, solve_s; /* dpotrf, L_ii down the column, dtrsm of a block */
    double panel_s;                   /* a block of the panel along its row and its column */
    double diagonal_s, product_s;     /* dsyrk, dgemm of a block */
};
struct chain_saved {
    double panel_s;  /* of sending panels: behind the rest of the update */
    double others_s; /* of making panels: while the other columns update */
};
struct chain_saved look_ahead_along_chain(const struct chain *chain);

#endif
