/* The distributed dense algorithms of forerun's models matmul, trsm and cholesky.
 *
 * p = c q^2 ranks: rank = layer q^2 + row q + column.  A matrix of order n has m x m blocks of
 * order bs = n/m, m = r q; block (I, J) belongs to row I mod q and column J mod q, so a rank has r
 * x r blocks.  Blocks are stored by rows: part of the rows of a block is one message.  Symbols as
 * in docs/models/dense.md#symbols.
 *
 * With --verify the kernels compute.  Otherwise each call takes the time that --kernel gives for a
 * call on whole blocks; a matrix then has the memory of one message, and its contents are
 * undefined.
 */
#ifndef DENSE_H
#define DENSE_H

#include <stdbool.h>
#include <stddef.h>

#include <mpi.h>

#include "tests/programs/dense/transfer.h"
#include "tests/programs/phases.h"

enum algorithm { CANNON, SUMMA, TRSM, CHOLESKY };
enum variant { V2D, V2D_OVLP, V25D, V25D_OVLP };
enum kernel { DGEMM, DTRSM, DSYRK, DPOTRF, KERNELS };
extern const char *const algorithm_names[], *const variant_names[], *const kernel_names[];

struct dense {
    int n, p, c, r, q, m, bs;
    int layer, row, column;
    MPI_Comm world, along_row, along_column, through_layers; /* ranked by column, row, layer */
    bool is_overlapped, has_step_barriers;
    bool is_charged;
    double kernel_s[KERNELS]; /* of one call, if charged */
    double slice_s;           /* of a charged kernel, between two tests of the messages */
    struct phases phases;
    struct queue queue;   /* broadcasts during the kernels */
    MPI_Request shift[4]; /* Cannon's shifts during the kernels */
    bool is_shifting;
    double shifted_s; /* the time when the shifts ended */
};

struct matrix {
    double *at;
    size_t stride; /* between blocks, in words; 0 where charged */
    int r;
};

/* The operands of a rank.  TRSM has U in `a`, and B and then X in `c`; Cholesky has A and then L in
 * `c`. */
struct operands {
    struct matrix a, b, c;
};

extern const char *const cannon_phases[], *const summa_phases[], *const trsm_phases[],
                                                                     *const cholesky_phases[];

/* Collective.  Layer 0 has the operands, and the result afterwards. */
void cannon(struct dense *d, struct operands *o);
void summa(struct dense *d, struct operands *o);
void trsm(struct dense *d, struct operands *o);
void cholesky(struct dense *d, struct operands *o);
void cholesky_layers(struct dense *d, struct operands *o); /* c > 1 */

static inline size_t words_of_block(const struct dense *d)
{
    return (size_t)d->bs * (size_t)d->bs;
}

/* Memory for r x r blocks; for the longest message only if kernels are charged.  The caller frees
 * it. */
struct matrix matrix_new(const struct dense *d, size_t longest_message_words);
void matrix_free(struct matrix *matrix);
double *memory_new(size_t words);
void memory_free(double *memory);

/* The local block (i, j); columns of blocks follow each other in memory. */
static inline double *block(const struct matrix *matrix, int i, int j)
{
    return matrix->at + matrix->stride * ((size_t)i + (size_t)j * (size_t)matrix->r);
}

/* The local number of the first block at or after the global block `first`, in a row or column of
 * which this rank has the blocks equal to `own` mod q. */
static inline int first_local(const struct dense *d, int own, int first)
{
    return first <= own ? 0 : (first - own + d->q - 1) / d->q;
}

void copy_words(const struct dense *d, double *to, const double *from, size_t words);
void clear_words(const struct dense *d, double *at, size_t words);

/* Kernels on the first `rows` rows of blocks.  They test the messages of the queue meanwhile. */
void add_product(struct dense *d, double *c, const double *a, const double *b);
void subtract_product(struct dense *d, double *c, const double *a, const double *b, int rows);
void subtract_product_transposed(struct dense *d, double *c, const double *a, const double *b,
                                 int rows);
void subtract_square(struct dense *d, double *c, const double *a);
/* As subtract_square, for some rows of a diagonal block; a is those rows of b. */
void subtract_square_rows(struct dense *d, double *c, const double *a, const double *b, int rows);
void solve_upper(struct dense *d, const double *u, double *x, int rows); /* x := x u^-1 */
void solve_lower_transposed(struct dense *d, const double *l, double *x, int rows); /* x l^-T */
void factor(struct dense *d, double *a);

/* Sets how often messages are tested during the next `calls` calls of a kernel. */
void slice(struct dense *d, enum kernel kernel, double calls);
/* Tests the messages that run during a computation. */
void make_progress(void *dense);

/* Collectives, timed as the phase. */
void broadcast(struct dense *d, int phase, double *data, size_t words, int root, MPI_Comm comm);
void start_broadcast(struct dense *d, int phase, double *data, size_t words, int root,
                     MPI_Comm comm);
/* Waits for all broadcasts of the queue. */
void finish_queue(struct dense *d);
/* The sum over the layers, on layer 0. */
void reduce_layers(struct dense *d, int phase, double *data, size_t words);

/* Fills the operands of layer 0. */
void operands_fill(const struct dense *d, enum algorithm algorithm, struct operands *o);
/* Collective.  Whether the result is right, the same on all ranks; `residual` is the largest
 * difference over the largest element. */
bool is_result_right(const struct dense *d, enum algorithm algorithm, const struct operands *o,
                     double *residual);

#endif
