/* The clocks of all processes during the triangular solves L y = b, U x = y
 * (docs/models/sparse_lu.md#triangular-solves). */
#ifndef FR_SPARSE_SOLVES_H
#define FR_SPARSE_SOLVES_H

#include "engine/sparse/clocks/clocks.h"

enum { SPARSE_MAX_NRHS = 10000 };

/* Seconds per stored entry, per operation pair of an entry and a right-hand side, per block off the
 * diagonal, per supernode. */
struct sparse_solve_fit {
    double entry_s, flop_s, block_s, supernode_s;
};

/* The constants of another machine, for a calibration without them
 * (docs/models/sparse_lu.md#constants-of-the-solves). */
extern const struct sparse_solve_fit sparse_solve_default;

struct sparse_solve_times {
    struct sparse_times times;    /* with both redistributions of the right-hand sides; the largest
                                     load takes the place of the largest loads of steps */
    double forward_s, backward_s; /* of the sweeps alone */
};

/* One solve with `nrhs` right-hand sides.  `clock_s` and `load_s` as in sparse_clocks.  FR_OK, or
 * FR_NOMEM without a fault.  O(blocks + N Pr). */
int sparse_solve_clocks(const struct sparse_structure *s, struct sparse_grid grid, int64_t nrhs,
                        const struct sparse_solve_fit *fit, const struct sparse_network *network,
                        struct sparse_solve_times *out, double *clock_s, double *load_s);

#endif
