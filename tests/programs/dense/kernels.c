/* The kernels on blocks stored by rows, which the BLAS reads as transposes. */
#include "tests/programs/dense/dense.h"

#include <math.h>

#include "calibrations/calibrate/core/blas.h"
#include "tests/programs/compute.h"
#include "tests/programs/program.h"

const char *const kernel_names[] = { "dgemm", "dtrsm", "dsyrk", "dpotrf", NULL };

/* How often messages are tested during a computation that hides them.  A test costs the simulator
 * as much as a message; a slice delays a message by half of it at most. */
static const double slices = 32, slice_least_s = 1e-5;
static const double one = 1, minus_one = -1;

void make_progress(void *dense)
{
    struct dense *d = dense;
    int is_complete;

    queue_advance(&d->queue);
    if (!d->is_shifting)
        return;
    MPI_Testall(4, d->shift, &is_complete, MPI_STATUSES_IGNORE);
    if (!is_complete)
        return;
    d->is_shifting = false;
    d->shifted_s = MPI_Wtime();
}

void slice(struct dense *d, enum kernel kernel, double calls)
{
    d->slice_s = fmax(calls * d->kernel_s[kernel] / slices, slice_least_s);
}

/* Spends `share` of the time of one call on whole blocks, if kernels are charged.  Returns whether
 * they are. */
static bool is_spent(struct dense *d, enum kernel kernel, double share)
{
    const double time_s = share * d->kernel_s[kernel];

    if (d->queue.count || d->is_shifting)
        make_progress(d);
    if (!d->is_charged)
        return false;
    if (d->queue.count || d->is_shifting)
        compute_sliced(time_s, d->slice_s, make_progress, d);
    else
        compute_for(time_s);
    return true;
}

/* c += alpha a b, with b transposed or not. */
static void multiply(const struct dense *d, double alpha, const char *trans, double *c,
                     const double *a, const double *b, int rows)
{
    dgemm_(trans, "N", &d->bs, &rows, &d->bs, &alpha, b, &d->bs, a, &d->bs, &one, c, &d->bs, 1, 1);
}

void add_product(struct dense *d, double *c, const double *a, const double *b)
{
    if (!is_spent(d, DGEMM, 1))
        multiply(d, 1, "N", c, a, b, d->bs);
}

void subtract_product(struct dense *d, double *c, const double *a, const double *b, int rows)
{
    if (!is_spent(d, DGEMM, (double)rows / d->bs))
        multiply(d, -1, "N", c, a, b, rows);
}

void subtract_product_transposed(struct dense *d, double *c, const double *a, const double *b,
                                 int rows)
{
    if (!is_spent(d, DGEMM, (double)rows / d->bs))
        multiply(d, -1, "T", c, a, b, rows);
}

void subtract_square(struct dense *d, double *c, const double *a)
{
    if (!is_spent(d, DSYRK, 1))
        dsyrk_("U", "T", &d->bs, &d->bs, &minus_one, a, &d->bs, &one, c, &d->bs, 1, 1);
}

void subtract_square_rows(struct dense *d, double *c, const double *a, const double *b, int rows)
{
    if (!is_spent(d, DSYRK, (double)rows / d->bs))
        multiply(d, -1, "T", c, a, b, rows);
}

void solve_upper(struct dense *d, const double *u, double *x, int rows)
{
    if (!is_spent(d, DTRSM, (double)rows / d->bs))
        dtrsm_("L", "L", "N", "N", &d->bs, &rows, &one, u, &d->bs, x, &d->bs, 1, 1, 1, 1);
}

void solve_lower_transposed(struct dense *d, const double *l, double *x, int rows)
{
    if (!is_spent(d, DTRSM, (double)rows / d->bs))
        dtrsm_("L", "U", "T", "N", &d->bs, &rows, &one, l, &d->bs, x, &d->bs, 1, 1, 1, 1);
}

void factor(struct dense *d, double *a)
{
    int info = 0;

    if (is_spent(d, DPOTRF, 1))
        return;
    dpotrf_("U", &d->bs, a, &d->bs, &info, 1);
    if (info)
        program_fail("dpotrf: block not positive definite at %d", info);
}
