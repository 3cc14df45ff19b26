/* Cholesky on c layers by the order in which the program works: by big block columns of q block
 * columns each, J = 0 ... r - 1, of which a process has F = r - J blocks.
 *
 * Two clocks suffice: a of the process that factors next, b of the latest below it in its column.
 * RS is a block's reduce-scatter over the layers by everybody; for J = 0 layer 0 alone sends, c - 1
 * pieces of w/c words, which is half a replicate_layers.  AG is a block's allgather over the layers
 * by the columns right of k, half of them on average (AG'), by the last one (AG"), by the process
 * that factors (AG1): their contention is that share of everybody's.  A layer has 1/c of the rows
 * of each block, and R' and V' send that.
 *
 *   a, b += F RS
 *   for k = 0 ... q - 1, with f = F, or F - 1 for k = q - 1:
 *     s = max(a + y, b) + (f/c) dtrsm,    y = AG1 + dpotrf + D, without D for the last block of all
 *     k < q - 1:  a = s + f R' + V' + AG' + (dsyrk + (F - 1) dgemm)/c
 *                 b = s + f R' + V' + AG' + (F dgemm, (F - 1) dgemm for k = q - 2)/c
 *   a = b = s + F AG"
 *   J < r - 1, with x = F - 1 and n = ceil(q/c) block columns of the layer that has most of them:
 *     B = x (R + V),  A = x dsyrk + x(x - 1)/2 dgemm,  G = max(A, x(x + 1)/2 dgemm)
 *     a, b += n B + (n - 1) G,  with overlap B + (n - 1) max(B, G)
 *     a += A,  b += x(x + 1)/2 dgemm
 *
 * Within a big block column overlap hides nothing that anybody waits for: the next block column has
 * but the one block column to update.  The maximum at k > 0 is y + dsyrk/c or dgemm/c beside
 * (F - 1) dgemm/c, the same for all k but the last, where y is behind; that at k = 0 is y or
 * x(dgemm - dsyrk) beside A.  So all are sums over F or x of quadratics or of maxima of two.
 */
#include "engine/dense/quadratic.h"
#include "engine/dense/refined.h"

#include <math.h>

struct layers {
    double c, r, q, m;
    double most;           /* n */
    double blocks, behind; /* sums of F, of x */
    double products;       /* sum of x(x - 1)/2 */
    struct cost scatter_first, scatter, gather_right, gather_last, gather_alone, diagonal;
    struct cost row_share, column_share, row, column;
    double factor_s, solve_s, diagonal_s, product_s;
};

static struct layers layers_of(const struct dense *d)
{
    const enum refined_statistic slowest = REFINED_MAXIMUM;
    const double r = d->r, share = d->w / d->c;
    struct dense right = *d, last = *d; /* what the columns right of k do, and the last one */
    struct layers l;

    right.idle = 0.5;
    last.idle = 1 - 1 / d->q;
    l = (struct layers){
        .c = d->c,
        .r = r,
        .q = d->q,
        .m = d->m,
        .most = ceil(d->q / d->c),
        .blocks = r * (r + 1) / 2,
        .behind = r * (r - 1) / 2,
        .products = r * (r - 1) * (r - 2) / 6,
        .scatter_first = cost_times(0.5, refined_pattern(d, FR_REPLICATE_LAYERS, share, slowest)),
        .gather_right = refined_pattern(&right, FR_ALLGATHER_LAYERS, d->w, slowest),
        .gather_last = refined_pattern(&last, FR_ALLGATHER_LAYERS, d->w, slowest),
        .gather_alone = refined_gather_alone(d, d->c, d->w, d->p / d->c),
        .diagonal = refined_pattern(d, FR_BROADCAST_COLUMN_ALONE, d->w, slowest),
        .row_share = refined_pattern(d, FR_BROADCAST_ROW, share, slowest),
        .column_share = refined_pattern(d, FR_BROADCAST_COLUMN_DIAGONAL, share, slowest),
        .factor_s = dense_kernel_s(d, FR_DPOTRF),
        .solve_s = dense_kernel_s(d, FR_DTRSM),
        .diagonal_s = dense_kernel_s(d, FR_DSYRK),
        .product_s = dense_kernel_s(d, FR_DGEMM),
    };

    if (fmod(d->q, d->c) != 0)
        fr_warn(d->run->out, FR_WARN_UNEVEN_LAYERS, NULL, d->q, d->c, d->q);
    if (r > 1) {
        l.scatter = refined_pattern(d, FR_REDUCE_SCATTER_LAYERS, d->w, slowest);
        l.row = refined_pattern(d, FR_BROADCAST_ROW, d->w, slowest);
        l.column = refined_pattern(d, FR_BROADCAST_COLUMN_DIAGONAL, d->w, slowest);
    }
    return l;
}

/* What the processes below the one that factors next are later, in each of the three maxima. */
static double imbalance_s(const struct layers *l)
{
    const double more_s = l->product_s - l->diagonal_s;
    const double next_s = l->gather_alone.time_s + l->factor_s + l->diagonal.time_s; /* y */
    const struct quadratic nothing = { 0 }, later = { -next_s, more_s, 0 };

    return l->r * (l->q - 2) * fmax(0, more_s / l->c - next_s) +
           (l->most - 1) * l->behind * fmax(0, more_s) +
           dense_quadratic_maxima(nothing, later, 1, l->r - 1);
}

/* Sum over x of (n - 1) min(B, G). */
static double hidden_s(const struct layers *l)
{
    const struct quadratic panel = { 0, l->row.time_s + l->column.time_s, 0 };
    const struct quadratic update = {
        0,
        fmax(l->diagonal_s, l->product_s) - l->product_s / 2,
        l->product_s / 2,
    };

    return (l->most - 1) * dense_quadratic_minima(panel, update, 1, l->r - 1);
}

/* The panels within a big block column, and the whole one's, of which overlap hides all but the
 * first block column's. */
static void send_panels(const struct dense *d, const struct layers *l)
{
    const struct cost row_inside = cost_times((l->q - 1) * l->blocks, l->row_share);
    const struct cost column_inside = cost_times((l->q - 1) * l->r, l->column_share);
    const double panel_s = l->row.time_s + l->column.time_s;
    double hidden = 0; /* of each second */

    if (d->is_overlapped && panel_s > 0)
        hidden = hidden_s(l) / panel_s;
    dense_communicate(d, "broadcast_panel_row",
                      cost_plus(row_inside, cost_times(l->most * l->behind, l->row)),
                      hidden * l->row.time_s);
    dense_communicate(d, "broadcast_panel_column",
                      cost_plus(column_inside, cost_times(l->most * l->behind, l->column)),
                      hidden * l->column.time_s);
}

void refined_cholesky_layers(const struct dense *d)
{
    const struct layers l = layers_of(d);
    const double inside = (l.q - 1) / l.c; /* updates of a big block column, of a layer's share */
    const struct cost scattering =
        cost_plus(cost_times(l.r, l.scatter_first), cost_times(l.behind, l.scatter));

    dense_communicate(d, "reduce_layers",
                      cost_plus(scattering, cost_times(l.blocks, l.gather_last)), 0);
    dense_compute(d, "dpotrf", l.m * l.factor_s);
    dense_communicate(
        d, "broadcast_diagonal_layers",
        cost_plus(cost_times(l.m, l.gather_alone), cost_times(l.r * (l.q - 1), l.gather_right)), 0);
    dense_communicate(d, "broadcast_diagonal", cost_times(l.m - 1, l.diagonal), 0);
    dense_compute(d, "dtrsm", (l.q * l.blocks - l.r) / l.c * l.solve_s);
    send_panels(d, &l);
    dense_compute(d, "dsyrk", (inside * l.r + l.most * l.behind) * l.diagonal_s);
    dense_compute(d, "dgemm", (inside * l.behind + l.most * l.products) * l.product_s);
    dense_compute(d, "update_imbalance", imbalance_s(&l));
}
