/* matmul: C = A B on square grids of processes, by Cannon's shifts or SUMMA's broadcasts.
 *
 * Cannon: q steps; each multiplies two blocks and passes both on.  SUMMA: m steps; each broadcasts
 * a panel of A along the rows and one of B along the columns.  With c layers each does 1/c of the
 * steps on copies, and the products are summed over the layers (dense-distributed.md 6 and 7).
 */
#include "dense/dense.h"

#include <math.h>

struct matmul {
    struct dense_values common;
    int algorithm;
};

enum { CANNON, SUMMA };
static const char *const algorithms[] = { [CANNON] = "cannon", [SUMMA] = "summa", NULL };

static const struct fr_param params[] = {
    FR_CHOICE_OF(struct matmul, algorithm, .choices = algorithms, .unit = "", .flags = FR_TUNABLE,
                 .doc = "Cannon's shifts along rows and columns, or SUMMA's broadcasts."),
    DENSE_PARAMS,
    DENSE_BLOCKS(0, ),
    FR_PARAMS_END,
};

static const enum fr_routine routines[] = { FR_DGEMM };

static int resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    struct matmul *v = values;
    const struct dense_rules rules = {
        .communication_threads = v->algorithm == CANNON ? 0 : 1,
        .has_single_blocks = v->algorithm == CANNON,
        .routines = routines,
        .routine_count = 1,
    };

    return dense_resolve(&v->common, cal, &rules, faults);
}

static void warn_uneven_layers(const struct dense *d, double steps)
{
    if (fmod(steps, d->c) != 0)
        fr_warn(d->run->out, FR_WARN_UNEVEN_LAYERS, NULL, steps, d->c, steps);
}

static void cannon(const struct dense *d)
{
    const double steps = ceil(d->q / d->c), loops = steps - 1;
    const double G = dense_kernel_s(d, FR_DGEMM);
    struct cost row = { 0 }, column = { 0 }, both;
    double hidden_s = 0;

    warn_uneven_layers(d, d->q);
    if (d->p > 1 && (d->c == 1 || loops > 0)) {
        row = dense_shift(d, d->w, 1);
        column = dense_shift(d, d->w, d->q);
    }
    both = cost_plus(row, column);
    if (d->is_overlapped && loops > 0 && both.time_s > 0)
        hidden_s = loops * fmin(both.time_s, G) / both.time_s; /* of each second of shifting */

    if (d->c == 1)
        dense_communicate(d, "initial_shift", both, 0);
    else
        dense_communicate(d, "replicate",
                          cost_times(2, dense_shift(d, d->w, (d->c - 1) * d->p / d->c)), 0);
    dense_communicate(d, "shift_row", cost_times(loops, row), hidden_s * row.time_s);
    dense_communicate(d, "shift_column", cost_times(loops, column), hidden_s * column.time_s);
    dense_compute(d, "dgemm", steps * G);
    dense_communicate(d, "reduce", dense_reduce(d, d->c, d->w, d->p / d->c), 0);
}

static void summa(const struct dense *d)
{
    const double steps = ceil(d->m / d->c), copy = (d->n / d->q) * (d->n / d->q);
    const struct cost a = cost_times(d->r, dense_broadcast(d, d->q, d->w, 1));
    const struct cost b = cost_times(d->r, dense_broadcast_sync(d, d->q, d->w, d->q));
    const double G = d->r * d->r * dense_kernel_s(d, FR_DGEMM), panels_s = a.time_s + b.time_s;
    double hidden_s = 0;

    warn_uneven_layers(d, d->m);
    if (d->is_overlapped && panels_s > 0)
        hidden_s = (steps - 1) * fmin(panels_s, G) / panels_s;

    if (d->c > 1)
        dense_communicate(d, "replicate",
                          cost_times(2, dense_shift(d, copy, (d->c - 1) * d->p / d->c)), 0);
    dense_communicate(d, "broadcast_a", cost_times(steps, a), hidden_s * a.time_s);
    dense_communicate(d, "broadcast_b", cost_times(steps, b), hidden_s * b.time_s);
    dense_compute(d, "dgemm", steps * G);
    dense_communicate(d, "reduce", dense_reduce(d, d->c, copy, d->p / d->c), 0);
}

static void predict(const void *values, struct fr_run *run)
{
    const struct matmul *v = values;
    const struct dense d = dense_derive(&v->common, run);
    const double local = (d.n / d.q) * (d.n / d.q), buffers = d.is_overlapped ? 2 : 1;

    if (v->algorithm == CANNON)
        cannon(&d);
    else
        summa(&d);
    dense_finish(&d, &v->common, 2 * d.n * d.n * d.n,
                 v->algorithm == CANNON ? 5 * local : 3 * local + 2 * buffers * d.r * d.w);
}

static const char *const assumes[] = {
    "Square matrices on a square grid of processes per layer; every process has the same cores.",
    "All processes start together and send at the same time, as the contention benchmark does.",
    "Overlap is perfect: a step costs the larger of its communication and its computation.",
    "Blocks may have a fractional order: nothing is rounded where the grid does not divide n.",
    NULL,
};
static const char *const blind_spots[] = {
    "Ranks that share a node are not treated apart: the contention factors contain them.",
    "Additions in reductions, packing and the first touch of memory are not charged.",
    "Noise, other jobs and process skew beyond what the contention benchmark saw.",
    "SUMMA is derived, not printed in the source: its synchronisation is a decision (D13).",
    NULL,
};

const struct fr_model fr_model_matmul = {
    .name = "matmul",
    .summary = "Matrix product on square grids of processes: Cannon and SUMMA, 2D and 2.5D.",
    .source = "González-Domínguez, Georganas, Zheng, Martín: Constructing Performance Models for "
              "Dense Linear Algebra Algorithms on Cray XE Systems, sections IV and V.A",
    .assumes = assumes,
    .blind_spots = blind_spots,
    DENSE_MODEL(struct matmul),
};
