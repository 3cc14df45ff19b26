/* Kernels of stencils and of products with counted operations. */
#ifndef FR_STENCIL_H
#define FR_STENCIL_H

#include <stdbool.h>
#include <stdint.h>

/* The kernels of a Krylov solver on the matrix of a 27-point stencil, in the formats of PETSc: the
 * matrix by sparse rows, the upper triangle by rows for both solves of an incomplete Cholesky
 * preconditioner, both triangles by rows for those of an incomplete LU preconditioner. */

/* Rows of a matrix: `column` and `value` from start[row] up to start[row + 1]. */
struct fr_sparse {
    int32_t *start, *column;
    double *value;
};

enum { FR_STENCIL_FUSED = 10 };

struct fr_stencil {
    int side, rows; /* rows = side cubed */
    struct fr_sparse matrix;
    struct fr_sparse cholesky; /* above the diagonal, whose inverse ends a row */
    struct fr_sparse lower;    /* of LU: below the diagonal */
    struct fr_sparse upper;    /* above the diagonal, the last row first */
    double *upper_inverse;     /* of the diagonal, likewise */
    double *x, *y, *z, *t;
    double *fused[FR_STENCIL_FUSED];
    double sum; /* of the inner products of the fused loop */
};

/* Returns NULL without memory; `side` is from 1 to 200.  The caller frees it by fr_stencil_free. */
struct fr_stencil *fr_stencil_new(int side);
/* Accepts NULL. */
void fr_stencil_free(struct fr_stencil *stencil);

/* y = A x */
void fr_stencil_multiply(struct fr_stencil *stencil);
/* z = (U' D U)^-1 x, forward and backward; U has a unit diagonal. */
void fr_stencil_solve_cholesky(struct fr_stencil *stencil);
/* t = (L U)^-1 x, forward and backward; L has a unit diagonal. */
void fr_stencil_solve_lu(struct fr_stencil *stencil);
/* The other work of one conjugate gradient iteration: two inner products and three updates, all
 * but one of these by the BLAS.  Keeps the size of the vectors. */
void fr_stencil_update(struct fr_stencil *stencil);
/* Twenty updates of ten vectors and five inner products in one loop: 2.3 operations for each word,
 * as in pipelined solvers. */
void fr_stencil_update_fused(struct fr_stencil *stencil);

/* Bytes that the kernels move, counted as in docs/models/krylov.md#computation. */
double fr_stencil_multiply_bytes(const struct fr_stencil *stencil);
double fr_stencil_solve_cholesky_bytes(const struct fr_stencil *stencil);
double fr_stencil_solve_lu_bytes(const struct fr_stencil *stencil);
double fr_stencil_update_bytes(const struct fr_stencil *stencil);
double fr_stencil_update_fused_bytes(const struct fr_stencil *stencil);
/* Bytes of all arrays: what one turn of the five kernels touches. */
double fr_stencil_bytes(const struct fr_stencil *stencil);
/* At least the memory that fr_stencil_new takes. */
double fr_stencil_memory_bytes(int side);

/* The kernels of stencil.h in turn, on several cores at once.
 *
 * Each kernel finds in the caches what the others left there, as in a solver.  A kernel that is
 * repeated alone would find its own data there.
 */

struct fr_cores;
struct fr_list;

enum fr_stencil_kernel {
    FR_STENCIL_MULTIPLY,
    FR_STENCIL_SOLVE_CHOLESKY,
    FR_STENCIL_SOLVE_LU,
    FR_STENCIL_UPDATE,
    FR_STENCIL_UPDATE_FUSED,
    FR_STENCIL_KERNELS
};

struct fr_turns {
    const struct fr_cores *cores;
    int side;
    const struct fr_list *processes; /* counts of cores that work at once, rising */
    int count;                       /* turns with each of these counts */
    double (*clock_s)(void);         /* fr_stopwatch_s */
};

/* Of one process. */
struct fr_turned {
    double working_set_bytes;
    double bandwidth_bytes_per_s[FR_STENCIL_KERNELS]; /* by the median time of the turns */
};

/* The turns that make a round long enough for the clock and for short disturbances. */
int fr_turns_choose(int side, bool is_quick);
/* Fills turned[processes->count].  Each process has a stencil of its own.  Ends the program if
 * memory or threads run out. */
void fr_turns_run(const struct fr_turns *turns, struct fr_turned *turned);

/* The block product of the CnC paper's matrix multiplications: single precision, tiled for the L3
 * and L1 caches, plain C. */

/* C += A B; the matrices have order n and are stored by rows without gaps.  `progress`, or NULL, is
 * called before each pair of outer tiles. */
void fr_cnc_multiply(int n, const float *a, const float *b, float *c,
                     void (*progress)(void *context), void *context);

#endif
