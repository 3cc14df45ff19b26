/* The Cholesky factorization of ScaLAPACK, lower triangle (docs/models/block_cyclic.md#pdpotrf):
 * what its panels, the transposition and the update share. */
#ifndef FR_BLOCK_CYCLIC_CHOLESKY_H
#define FR_BLOCK_CYCLIC_CHOLESKY_H

#include "engine/block_cyclic/walk.h"

enum { CHOLESKY_KNOWN_UPDATES = 64 };

/* One step: panel kappa, and what is below it. */
struct cholesky {
    struct cyclic_walk *walk;
    double packing_s; /* how much longer the others of its column pack than it waits for parts */
    int64_t first, width, below;
    int64_t row, column, next_row, next_column; /* r, c, r', c' */
    int64_t divisor;                            /* the greatest common one of P and Q */
    int64_t blocks;                             /* rows of blocks below */
    bool is_forced;
    bool has_few_blocks;       /* of the whole matrix */
    struct cyclic_range right; /* matrix columns right of the panel */
    struct cyclic_spans spans; /* process columns by these */
    int64_t known_width;       /* of known_diagonal_s; 0: unused */
    double known_diagonal_s;
    struct cholesky_known_update {
        int64_t wide, high, offset, columns;
        double diagonals, time_s;
    } known[CHOLESKY_KNOWN_UPDATES]; /* of this panel; wide 0: unused */
};

/* The owner of the next diagonal block is free so long after its column. */
static inline void cholesky_lead_after(struct cholesky *f, double after_s)
{
    struct cyclic_clocks *clocks = &f->walk->clocks;

    clocks->lead_s = clocks->of[f->next_column].now_s + after_s;
    clocks->lead_path_s = clocks->path_s + after_s;
}

/* Latencies by distance are those of single messages, so that columns are not taken to be in step
 * (docs/models/block_cyclic.md#decision-columns-in-step). */
static inline bool cholesky_is_out_of_step(const struct cholesky *f)
{
    return f->walk->net.latencies != NULL;
}

/* A hop down a column while the other columns send nothing. */
static inline double cholesky_alone_s(const struct cholesky *f, int64_t from, double bytes)
{
    const struct cyclic_network *net = &f->walk->net;
    const int64_t next = (from + 1) % f->walk->rows;

    return cholesky_is_out_of_step(f) ? cyclic_lone_hop(net, from, next, bytes).time_s
                                      : cyclic_column_s(net, from, next, bytes);
}

/* Blocks at the places first, first + step, ... below `count`. */
int64_t cyclic_places(int64_t first, int64_t step, int64_t count);
/* Common divisors of P and Q by which the first block of a process is right of the diagonal; the
 * process is `a` rows and `b` columns from the owner of the first trailing block. */
int64_t cyclic_triangle_offset(const struct cholesky *f, int64_t a, int64_t b);
/* Seconds of the update of that process, which has `columns`. */
double cyclic_triangle_s(struct cholesky *f, int64_t a, int64_t b, int64_t columns);
/* Turns the panel and updates what is below it, on several process columns. */
void cyclic_update_triangle(struct cholesky *f);

#endif
