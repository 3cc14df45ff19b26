/* TRSM, X U = B with U upper triangular: step i broadcasts row i of U along the columns, solves
 * block column i, broadcasts it along the rows and updates the block columns to the right.  With
 * overlap the next row of U is broadcast during the update.  With c layers each has 1/c of the rows
 * of every block of X, and all of U. */
#include "tests/programs/dense/dense.h"

enum { REPLICATE_U, SCATTER_X, BROADCAST_U, SOLVE, BROADCAST_X, UPDATE, GATHER_X };
const char *const trsm_phases[] = { "replicate_u", "scatter_x", "broadcast_u", "dtrsm",
                                    "broadcast_x", "dgemm",     "gather_x",    NULL };

struct work {
    const struct matrix *u, *x;  /* x: the rows of this layer, at the beginning of each block */
    struct matrix row, next_row; /* of U: its blocks (0, j) */
    struct matrix solved;        /* of X: its blocks (i, 0) */
    int rows;
};

static void send_row(struct dense *d, const struct work *work, const struct matrix *row, int i,
                     bool is_hidden)
{
    void (*const send)(struct dense *, int, double *, size_t, int, MPI_Comm) =
        is_hidden ? start_broadcast : broadcast;

    for (int j = first_local(d, d->column, i); j < d->r; j++) {
        if (i % d->q == d->row)
            copy_words(d, block(row, 0, j), block(work->u, i / d->q, j), words_of_block(d));
        send(d, BROADCAST_U, block(row, 0, j), words_of_block(d), i % d->q, d->along_column);
    }
}

static void solve(struct dense *d, const struct work *work, int i)
{
    const size_t words = (size_t)work->rows * (size_t)d->bs;

    phases_enter(&d->phases, SOLVE);
    for (int k = 0; k < d->r && i % d->q == d->column; k++) {
        double *x = block(work->x, k, i / d->q);

        solve_upper(d, block(&work->row, 0, i / d->q), x, work->rows);
        copy_words(d, block(&work->solved, k, 0), x, words);
    }
    phases_enter(&d->phases, PHASE_NONE);
    for (int k = 0; k < d->r && i < d->m - 1; k++)
        broadcast(d, BROADCAST_X, block(&work->solved, k, 0), words, i % d->q, d->along_row);
}

static void update(struct dense *d, const struct work *work, int i)
{
    phases_enter(&d->phases, UPDATE);
    slice(d, DGEMM, (double)(d->r - first_local(d, d->column, i + 1)) * d->r / d->c);
    for (int j = first_local(d, d->column, i + 1); j < d->r; j++)
        for (int k = 0; k < d->r; k++)
            subtract_product(d, block(work->x, k, j), block(&work->solved, k, 0),
                             block(&work->row, 0, j), work->rows);
    phases_enter(&d->phases, PHASE_NONE);
}

static void all_steps(struct dense *d, struct work *work)
{
    if (d->is_overlapped)
        send_row(d, work, &work->row, 0, false);
    for (int i = 0; i < d->m; i++) {
        if (!d->is_overlapped)
            send_row(d, work, &work->row, i, false);
        solve(d, work, i);
        if (d->is_overlapped && i + 1 < d->m)
            send_row(d, work, &work->next_row, i + 1, true);
        update(d, work, i);
        if (d->is_overlapped) {
            const struct matrix kept = work->row;

            finish_queue(d);
            work->row = work->next_row;
            work->next_row = kept;
        }
    }
}

static void replicate_u(struct dense *d, const struct matrix *u)
{
    for (int i = 0; i < d->r; i++)
        for (int j = i; j < d->r; j++)
            if (j > i || d->column >= d->row)
                broadcast(d, REPLICATE_U, block(u, i, j), words_of_block(d), 0, d->through_layers);
}

/* Between the whole blocks of layer 0 and each layer's rows of them. */
static void scatter_or_gather(struct dense *d, const struct matrix *whole,
                              const struct matrix *part, int rows, bool is_gather)
{
    const int words = rows * d->bs;

    phases_enter(&d->phases, is_gather ? GATHER_X : SCATTER_X);
    for (int i = 0; i < d->r; i++)
        for (int j = 0; j < d->r; j++)
            if (is_gather)
                MPI_Gather(block(part, i, j), words, MPI_DOUBLE, block(whole, i, j), words,
                           MPI_DOUBLE, 0, d->through_layers);
            else
                MPI_Scatter(block(whole, i, j), words, MPI_DOUBLE, block(part, i, j), words,
                            MPI_DOUBLE, 0, d->through_layers);
    phases_enter(&d->phases, PHASE_NONE);
}

void trsm(struct dense *d, struct operands *o)
{
    const size_t w = words_of_block(d);
    struct matrix part = matrix_new(d, w);
    struct work work = { .u = &o->a,
                         .x = d->c > 1 ? &part : &o->c,
                         .row = matrix_new(d, w),
                         .next_row = matrix_new(d, w),
                         .solved = matrix_new(d, w),
                         .rows = d->bs / d->c };

    if (d->c > 1) {
        replicate_u(d, work.u);
        scatter_or_gather(d, &o->c, &part, work.rows, false);
    }
    all_steps(d, &work);
    if (d->c > 1)
        scatter_or_gather(d, &o->c, &part, work.rows, true);
    matrix_free(&part);
    matrix_free(&work.row);
    matrix_free(&work.next_row);
    matrix_free(&work.solved);
}
