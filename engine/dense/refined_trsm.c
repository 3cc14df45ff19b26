/* TRSM, charged by the blocks of the process column that solves next, which everybody waits for
 * and which always has the most (dense-distributed.md 14.4). */
#include "engine/dense/refined.h"

#include <math.h>

static void replicate(const struct dense *d)
{
    const double r = d->r;

    dense_communicate(d, "replicate_u",
                      cost_times(r * (r + 1) / 2, refined_layers(d, FR_BROADCAST_LAYERS, d->w)), 0);
    dense_communicate(d, "scatter_x", cost_times(r * r, refined_layers(d, FR_SCATTER_LAYERS, d->w)),
                      0);
    dense_communicate(d, "gather_x", cost_times(r * r, refined_layers(d, FR_GATHER_LAYERS, d->w)),
                      0);
}

void refined_trsm(const struct dense *d)
{
    const double r = d->r, q = d->q, m = d->m, share = r / d->c;
    /* Sums over K = 1 ... m of ceil(K/q), and without K = m. */
    const double with_last = q * r * (r + 1) / 2, blocks = with_last - r;
    const struct cost bU =
        refined_panel(d, FR_BROADCAST_COLUMN, FR_BROADCAST_COLUMN_ALONE, d->w, with_last);
    const struct cost bX = refined_pattern(d, FR_BROADCAST_ROW, d->w, REFINED_MAXIMUM);
    const double S = dense_kernel_s(d, FR_DTRSM), G = m > 1 ? dense_kernel_s(d, FR_DGEMM) : 0;
    const double hidden_s = d->is_overlapped ? blocks * fmin(bU.time_s, share * G) : 0;

    if (d->c > 1)
        replicate(d);
    dense_communicate(d, "broadcast_u", cost_times(d->is_overlapped ? r + blocks : with_last, bU),
                      hidden_s);
    dense_communicate(d, "broadcast_x", cost_times((m - 1) * share, bX), 0);
    dense_compute(d, "dtrsm", m * share * S);
    dense_compute(d, "dgemm", blocks * share * G);
}
